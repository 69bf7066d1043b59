# Under valgrind: nothing leaks, nothing is used before it is set.
load ../cli/common

setup() {
	[ "$(id -u)" = 0 ] || skip "BPF needs root"
	command -v valgrind >/dev/null || skip "no valgrind"
	cd "$BATS_TEST_TMPDIR"
}

# checked ARGS...: $PERF ARGS under valgrind, its stdout in out; valgrind's findings end in status 99
checked() {
	local rc=0
	valgrind -q --suppressions="$BATS_TEST_DIRNAME/../valgrind.supp" --leak-check=full ${undef-} --error-exitcode=99 \
		"$PERF" "$@" >out 2>err || rc=$?
	[ $rc = 0 ] || { cat err; return $rc; }
}

@test "sample-bpf for 2 s: no leak" {
	checked sample-bpf -F 999 -a -g -- sleep 2
	grep -qE '^# [1-9][0-9]* samples emitted' out
}

@test "sample-bpf without BPF, and with a program of the user's own: no leak" {
	checked sample-bpf --no-bpf -F 999 -g --only --json -- "$WORKLOADS/hotwarm" 0.2
	checked sample-bpf -e page-faults -c 1 --only --bpf "$B/examples/fault-addr.bpf.o" -- "$WORKLOADS/touch-pages" 100
}

@test "record and script: no leak" {
	checked record -q -e cpu-clock -F 999 -g -o d -- "$WORKLOADS/hotwarm" 0.2
	checked script -i d
	grep -q ' hot+0x' out
	checked evlist -v -i d
	checked buildid-list -i d
}

@test "trace with both engines: no leak" {
	checked trace -o t -- ls /
	grep -q ' exit_group(' t
	# what ptrace(2) fills in valgrind takes for unset
	undef=--undef-value-errors=no checked trace --block=ptrace -o t -- ls /
	grep -q ' exit_group(' t
}
