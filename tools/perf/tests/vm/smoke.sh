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

if has sample-bpf; then
	check "sample-bpf: the quick table" sample_quick
fi
exit $((failed > 0))
