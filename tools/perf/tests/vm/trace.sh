#!/bin/bash
# perf trace --lossless in a guest with another kernel (scripts/vm-check -s tools/perf/tests/vm/trace.sh), or anywhere as root: the
# same sequences as strace's, with small rings, with a slow reader; killed at any moment every thread runs on. Small counts: a guest
# without KVM is ten times slower.
set -u
: "${PERF:?}" "${WORKLOADS:?}" "${TESTS:?}"
. "$TESTS/diff/trace-sequences.bash"
export PERF_PAGER=cat
T=$WORKLOADS/traced
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
failed=0

check() { # NAME FUNCTION ARGS...
	local name=$1
	shift
	(set -e -o pipefail; "$@") >out 2>&1
	if [ $? = 0 ]; then
		echo "ok trace: $name"
	else
		echo "not ok trace: $name"
		sed 's/^/#   /' out | tail -n 20
		failed=$((failed + 1))
	fi
}

same() {
	rm -f st.*
	setarch -R strace -ff -e raw=all -o st "$@" >out.strace
	sequences_strace st >seq.strace
	[ -s seq.strace ]
	for how in "--block=bpf --lossless -m 4K" "--block=bpf --lossless" "--block=ptrace"; do
		setarch -R "$PERF" trace $how --json -o ours "$@" >out.ours 2>err
		cat err
		sequences_json ours >seq.ours
		tr ' ' '\n' <seq.strace >lines.strace
		tr ' ' '\n' <seq.ours >lines.ours
		diff lines.strace lines.ours | head -20
		cmp seq.strace seq.ours
		cmp out.strace out.ours
		grep -q " 0 lost, " err
	done
}
check "dd" same dd if=/dev/zero of=/dev/null bs=1 count=300 status=none
check "threads" same "$T" counter 8 50
check "forks" same "$T" forks 2 4
check "execs" same "$T" execs 8
check "threads that come and go" same "$T" threads 20
check "signals" same "$T" signals 50
check "epoll" same "$T" epoll 30

slow_reader() {
	local i=0
	"$PERF" trace --block=bpf --lossless -m 4K -e getppid "$T" counter 4 300 2>&1 >counted |
		while read -r line; do
			echo "$line"
			i=$((i + 1))
			[ $((i % 200)) != 0 ] || sleep 0.05
		done >lines
	tail -n 1 lines
	[ "$(grep -c 'getppid()' lines)" = 1200 ]
	grep -q "1200 calls, 0 lost" lines
}
check "a slow reader" slow_reader

no_eintr() {
	"$PERF" trace --block=bpf --lossless -m 4K -o /dev/null "$T" eintr 600
}
check "no call ends early" no_eintr

faults() {
	"$PERF" trace --block=bpf --lossless -o o "$T" faults
	grep 'access(filename: "/etc/hostname-that-is-not-there"' o
}
check "memory that is not there" faults

killed() {
	local mode=$1 t p i
	mkfifo in.$mode
	"$T" spin 4 "$mode" <in.$mode >spin.out &
	t=$!
	exec 7>in.$mode
	for i in 1 2; do
		"$PERF" trace --block=bpf --lossless -m 4K -o /dev/null -p $t 7>&- &
		p=$!
		sleep 3
		kill -9 $p
		wait $p || true
		sleep 3
		replies=$(wc -l <spin.out)
		echo >&7
		for _ in $(seq 30); do
			[ "$(wc -l <spin.out)" = "$replies" ] || break
			sleep 0.5
		done
		tail -n 1 spin.out
		[[ $(tail -n 1 spin.out) == "moving 4 winches "* ]]
		[ "$(grep -h TracerPid /proc/$t/task/*/status | sort -u)" = $'TracerPid:\t0' ]
	done
	kill -9 $t
	exec 7>&-
}
for mode in blocked ignored handled; do
	check "killed with SIGWINCH $mode" killed $mode
done

summary() {
	"$PERF" trace --block=bpf -s -o o "$T" counter 2 100
	grep -E 'getppid +100 ' o
	"$PERF" trace --block=bpf -e getppid,sched:sched_process_exit -F all -o o "$T" counter 2 3
	[ "$(grep -c 'getppid()' o)" = 6 ]
	grep 'sched:sched_process_exit(comm=traced' o
	grep 'minfault' o
}
check "summary, tracepoints, page faults" summary

[ $failed = 0 ]
