#!/usr/bin/env bats
# run under sanitizers
load common

@test "perf list sw: names, aliases and kinds in upstream's columns" {
	run -0 "$PERF" list sw
	[ "${lines[0]}" = "  alignment-faults                                   [Software event]" ]
	[[ $output == *"  context-switches OR cs                             [Software event]"* ]]
	[[ $output != *Tracepoint* ]]
}

@test "a glob finds names, a word what contains it" {
	run -0 "$PERF" list 'cpu-c*k'
	[ "$output" = "  cpu-clock                                          [Software event]" ]
	run -0 "$PERF" list aults
	[[ $output == *major-faults* && $output == *"page-faults OR faults"* ]]
}

@test "nothing found is said on stderr" {
	run -0 --separate-stderr "$PERF" list nothing-like-that
	[ -z "$output" ]
	[[ $stderr == *"nothing matches 'nothing-like-that'"* ]]
}

@test "tracepoints, without leaving tracefs mounted" {
	[ "$(id -u)" = 0 ] || skip "needs root"
	before=$(cat /proc/mounts)
	run -0 "$PERF" list 'sched:sched_switch'
	[ "$output" = "  sched:sched_switch                                 [Tracepoint event]" ]
	[ "$(cat /proc/mounts)" = "$before" ]
}

@test "--json is one array of objects" {
	run -0 "$PERF" list --json sw
	echo "$output" | python3 -c '
import json, sys
a = json.load(sys.stdin)
names = {e["EventName"]: e for e in a}
assert names["page-faults"]["EventAlias"] == "faults"
assert names["cpu-clock"]["EventType"] == "Software event"
'
}

@test "-o writes there, and an unwritable file is an error" {
	run -0 "$PERF" list -o "$BATS_TEST_TMPDIR/out" sw
	[ -z "$output" ]
	grep -q task-clock "$BATS_TEST_TMPDIR/out"
	run -125 "$PERF" list -o ./no/x sw
	[[ $output == *"cannot write ./no/x"* ]]
}

@test "the same list as the peer's, but for its tool and SDT events" {
	[ -x "$PEER" ] || skip "no other perf"
	for kind in hw sw pmu cache; do
		"$PERF" list $kind 2>/dev/null >ours || true
		"$PEER" list $kind 2>/dev/null | grep -v 'Tool event' >theirs || true
		diff ours theirs
	done
}

setup() {
	cd "$BATS_TEST_TMPDIR"
}
