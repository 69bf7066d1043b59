#!/bin/bash
# What must work on every kernel that we support; runs as root inside a guest (scripts/vm-check), or anywhere as root.
# Prints "ok NAME" or "not ok NAME" with the output behind it. No wall times: a guest may be ten times slower.
set -u
: "${PERF:?}" "${WORKLOADS:?}" "${EXAMPLES:?}"
export PERF_PAGER=cat
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
[ -e /dev/fd ] || ln -s /proc/self/fd /dev/fd
failed=0

has() {
	[[ " $("$PERF" --list-cmds) " == *" $1 "* ]]
}

# check NAME FUNCTION: the function's commands all succeed. (Not as an if's condition: there set -e is off.)
check() {
	(set -e -o pipefail; "$2") >"$tmp/out" 2>&1
	if [ $? = 0 ]; then
		echo "ok $1"
	else
		echo "not ok $1"
		sed 's/^/#   /' "$tmp/out" | tail -n 30
		failed=$((failed + 1))
	fi
}

version() {
	"$PERF" --version | grep '^perf version '
}
check "version on Linux $(uname -r)" version


# json EXPRESSION FILE: a Python expression on the object j of the file, which must be true.
json() {
	python3 -c 'import json, sys
j = json.load(open(sys.argv[2]))
def percent(sym): return sum(e["percent"] for e in j["entries"] if e["sym"] == sym)
if not eval(sys.argv[1]): sys.exit(f"not so: {sys.argv[1]}: {j}")' "$1" "$2"
}

ledger="j['loss']['emitted'] == j['loss']['arrived'] + sum(j['loss']['dropped'].values())"

bpf_objects() {
	bpftool prog list | grep -c '^[0-9]' || :
	bpftool map list | grep -c '^[0-9]' || :
}

no_tracefs() {
	[ "$(grep -c tracefs /proc/mounts)" = 0 ]
	"$PERF" list 'sched:sched_switch' | grep -q 'sched:sched_switch'
	[ "$(grep -c tracefs /proc/mounts)" = 0 ]
}

sample_quick() {
	"$PERF" sample-bpf -F 99 -- sleep 1 >table
	head -n 1 table | grep -E "^Sampling .* at 99 Hertz on [0-9]+ CPUs? while 'sleep 1' runs"
	grep -E '^ *[0-9a-f]+ .*\[kernel.kallsyms\] +[0-9]+ +[0-9.]+%$' table
	tail -n 1 table | grep -E '^# [0-9]+ samples emitted, [0-9]+ arrived, [0-9]+ dropped'
}

# The known counts of the example programs; ledger: every run of the program is a sample.
bpf_examples() {
	: "${EXAMPLES:?}"
	"$PERF" sample-bpf -F 99 --only --json --bpf "$EXAMPLES/ip-counter.bpf.o" -- "$WORKLOADS/hotwarm" 1 >ips
	grep -q '"sym":"hot"' ips
	grep -q '"key":"dropped","value":0' ips
	"$PERF" sample-bpf -F 99 --only --bpf "$EXAMPLES/thread-latency.bpf.o" -- "$WORKLOADS/hotwarm" 1 >latency
	grep -E '^ +[0-9]+ -> [0-9]+ +: [1-9][0-9]* +\|\*{40}\|$' latency
	"$PERF" sample-bpf -e page-faults -c 1 --bpf "$EXAMPLES/fault-addr.bpf.o" -- "$WORKLOADS/faults" 100 >faults
	[ "$(grep -c '^ *[0-9]* faults .* touched_area .* 1  ' faults)" = 100 ]
	grep -E '^# ([0-9]+) samples emitted, \1 arrived, 0 dropped$' faults
}

sample_known_answer() {
	"$PERF" sample-bpf -F 199 -k sym --only --json -- "$WORKLOADS/hotwarm" 4 >known
	json "$ledger" known
	json "j['samples'] > 100" known
	json "60 < 100 * percent('hot') / (percent('hot') + percent('warm')) < 90" known
	# The share by the program's own clock is 75 %; a guest's clock is coarse, the count is what a CPU saw.
	json "percent('hot') + percent('warm') > 60" known
}

sample_user_space() {
	"$PERF" sample-bpf --no-bpf -F 199 -k sym --only --json -- "$WORKLOADS/hotwarm" 2 >user
	json "$ledger" user
	json "percent('hot') > 2 * percent('warm') > 0" user
}

sample_stacks() {
	"$PERF" sample-bpf -g -F 99 --only --folded -- "$WORKLOADS/hotwarm" 2 >folded
	grep -E '^hotwarm;.*;hot [0-9]+$' folded
}

sample_exec() {
	"$PERF" sample-bpf -F 299 -k sym,comm --json -- sh -c "for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do $WORKLOADS/short-lived; done" >short
	json "$ledger" short
	json "any(e['comm'] == 'short-lived' and e['sym'] != '[unknown]' for e in j['entries'])" short
}

leftovers() {
	[ -e /vm/script ] || return 0 # elsewhere others come and go
	before=$(bpf_objects)
	"$PERF" sample-bpf -F 99 -g -- true >/dev/null
	timeout -s KILL 1 "$PERF" sample-bpf -F 99 -- sleep 2 >/dev/null || :
	for _ in $(seq 50); do
		[ "$(bpf_objects)" != "$before" ] || return 0
		sleep 0.1
	done
	echo "BPF programs and maps before: $before, after: $(bpf_objects)"
	return 1
}

hotplug() {
	[ -e /vm/script ] || return 0 # only in a guest of our own
	echo 0 >/sys/devices/system/cpu/cpu1/online
	"$PERF" sample-bpf -F 99 --json -- sleep 0.5 >one
	echo 1 >/sys/devices/system/cpu/cpu1/online
	json "j['cpus'] == 1 and $ledger" one
	# and one that goes, and comes back, while we run
	"$PERF" sample-bpf -F 99 --json -d 12 >one 2>said &
	sleep 4
	echo 0 >/sys/devices/system/cpu/cpu1/online
	sleep 3
	echo 1 >/sys/devices/system/cpu/cpu1/online
	wait $!
	json "$ledger" one
	grep -q 'CPU 1 has gone offline' said && grep -q 'CPU 1 has come online' said
}

if has list; then
	check "list: tracepoints without tracefs mounted" no_tracefs
fi
if has sample-bpf; then
	check "sample-bpf: the quick table" sample_quick
	check "sample-bpf: a program whose answer is known" sample_known_answer
	check "sample-bpf: the same counted in user space" sample_user_space
	check "sample-bpf: stacks" sample_stacks
	check "sample-bpf: processes that are gone at the end" sample_exec
	check "sample-bpf --bpf: the examples" bpf_examples
	check "sample-bpf: nothing is left behind" leftovers
	check "sample-bpf: with a CPU offline" hotplug
fi

record_hotplug() {
	[ -e /vm/script ] || return 0 # only in a guest of our own
	echo 0 >/sys/devices/system/cpu/cpu1/online
	"$PERF" record -a -e cpu-clock -o one -- sleep 0.5 2>said
	grep -E '^\[ perf record: ([0-9]+) events emitted, \1 arrived, 0 lost' said
	echo 1 >/sys/devices/system/cpu/cpu1/online
	"$PERF" record -a -e cpu-clock -o two -- sleep 9 2>said &
	sleep 4
	echo 0 >/sys/devices/system/cpu/cpu1/online
	sleep 3
	echo 1 >/sys/devices/system/cpu/cpu1/online
	wait $!
	cat said
	grep -q 'CPU 1 has gone offline' said
	"$PERF" script -i two -F cpu | sort -u >cpus
	[ "$(wc -l <cpus)" = 2 ]
}

# suite FILE [FILTER]: a bats suite of the tree, its own lines; skipped ones do not count.
suite() {
	bats --formatter tap ${2:+--filter "$2"} "$TESTS/$1" >"$tmp/tap" 2>&1 </dev/null
	grep -qE '^(not )?ok' "$tmp/tap" || echo "not ok 0 $1 did not run" >>"$tmp/tap"
	sed '/^1\.\./d; s/^\(ok .*# skip\)/# \1/; s/^\(ok\|not ok\) [0-9]* /\1 /' "$tmp/tap"
	failed=$((failed + $(grep -c '^not ok' "$tmp/tap")))
}

if has record && [ -n "${TESTS:-}" ]; then
	check "record: with a CPU offline" record_hotplug
	suite live/record.bats 'counted to the last|exit code|SIGKILL|born later|--control|--filter|uprobes|--overwrite|full disk|cgroup'
fi
if has trace && [ -n "${TESTS:-}" ]; then
	suite diff/trace-strace.bats
	suite live/trace.bats
fi
exit $((failed > 0))
