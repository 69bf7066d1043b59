#!/bin/bash
# What must work on every kernel that we support; runs as root inside a guest (scripts/vm-check), or anywhere as root.
# Prints "ok NAME" or "not ok NAME" with the output behind it. No wall times: a guest may be ten times slower.
set -u
: "${PERF:?}" "${WORKLOADS:?}"
export PERF_PAGER=cat
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
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


sample_quick() {
	"$PERF" sample-bpf -F 99 -- sleep 1 >table
	head -n 1 table | grep -E "^Sampling .* at 99 Hertz on [0-9]+ CPUs? while 'sleep 1' runs"
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

if has sample-bpf; then
	check "sample-bpf: the quick table" sample_quick
	check "sample-bpf --bpf: the examples" bpf_examples
fi
exit $((failed > 0))
