#!/usr/bin/env bats
# perf record next to the other perf: the same attrs from the same options, files that both read alike.
load ../cli/common

setup() {
	cd "$BATS_TEST_TMPDIR"
	[ "$(id -u)" = 0 ] || skip "needs root"
	[ -x "$PEER" ] || skip "no other perf"
}

peer() {
	unshare -m "$PEER" "$@"
}

# attrs FILE: as the other perf reads them. 6.1 forgets exclude_guest with some modifiers, enables its dummy
# event at birth, and cuts the name of mem: events.
attrs() {
	peer evlist -v -i "$1" 2>/dev/null | grep -v '^# Tip' | sed 's/, exclude_guest: 1//; /^dummy/s/, disabled: 1//; s/, enable_on_exec: 1//; s/^mem:[^ ]* type/mem: type/'
}

@test "attrs from the same options" {
	failed=
	while read -r args; do
		eval "set -- $args"
		peer record -q -o theirs.data "$@" >/dev/null 2>&1
		"$PERF" record -q -o ours.data "$@" >/dev/null 2>ours.err || { cat ours.err; failed="$failed [$args]"; }
		attrs theirs.data >theirs
		attrs ours.data >ours
		diff theirs ours || failed="$failed [$args]"
	done <<-'END'
		-e cpu-clock true
		-a -e cpu-clock true
		-C 0 -e cpu-clock true
		-F 99 -e cpu-clock -g true
		-c 1000 -e faults,cs true
		-e cpu-clock:u,cpu-clock:k,cpu-clock:uk,cpu-clock:H,cpu-clock:I,cpu-clock:D,cpu-clock:e true
		-e cpu-clock:ppp,cpu-clock:G true
		-e '{cpu-clock,faults}' true
		-e '{cpu-clock,faults}:S' true
		-e '{cpu-clock,faults}:u' true
		-e cpu-clock --call-graph dwarf,4096 true
		-e cpu-clock/call-graph=dwarf,stack-size=1024/ true
		-e cpu-clock/period=1000/ -e faults/freq=100,name=x/ true
		-e cpu-clock/time=0/ true
		-e sched:sched_switch -g true
		-F 99 -e sched:sched_switch true
		-e bpf-output/no-inherit,name=evt/ true
		-e mem:0x1000/8:w:u true
		-e 1:0:u true
		-e cpu-clock -d -W -P -R --sample-cpu true
		-e cpu-clock -I --user-regs=AX,IP true
		-e cpu-clock -s -n -i true
		-e cpu-clock -k mono -D 10 sleep 0.05
		-e cpu-clock --all-cgroups --namespaces --switch-events -a true
		-e cpu-clock --phys-data --data-page-size --code-page-size --transaction true
		-e cpu-clock --all-user -e faults --group true
		-e cpu-clock --buildid-mmap --sample-identifier --no-bpf-event true
		-e cpu-clock --kernel-callchains -g true
	END
	[ -z "$failed" ] || { echo "differ: $failed"; false; }
}

@test "the other perf reads our file without a word, and prints what we print" {
	"$PERF" record -q -F 2000 -e cpu-clock,faults -g -o d -- "$WORKLOADS/hotwarm" 0.3
	for fields in comm,tid,time,period,event,ip,dso comm,tid,time,event,ip,sym comm,pid,tid,cpu,event; do
		case $fields in *cpu*) "$PERF" record -q -a -e cpu-clock -o d -- "$WORKLOADS/hotwarm" 0.1 ;; esac
		peer script -i d --no-inline -F $fields >raw 2>err
		[ ! -s err ] || { cat err; false; }
		"$PERF" script -i d --no-inline -F $fields >raw2
		case $fields in
		*sym*) # libraries' aliases are named differently on purpose: the program's own functions
			grep -E ' (hot|warm|run|main)$' raw >theirs
			grep -E ' (hot|warm|run|main)$' raw2 >ours
			[ "$(grep -c ' hot$' ours)" -gt 20 ]
			;;
		*) cp raw theirs && cp raw2 ours ;;
		esac
		[ -s ours ]
		diff theirs ours
	done
}

@test "report, evlist, buildid-list and header of our file, by the other perf" {
	"$PERF" record -F 2000 -e cpu-clock -g -o d -- "$WORKLOADS/hotwarm" 0.3 2>err
	peer report --stdio -i d >r 2>e
	[ ! -s e ] || { cat e; false; }
	grep -q 'hot$' r
	[ "$(peer evlist -i d 2>/dev/null)" = cpu-clock ]
	peer buildid-list -i d >b
	grep -q "$(readlink -f "$WORKLOADS")/hotwarm" b
	peer report --header-only -i d >h 2>&1
	grep -q "^# cmdline : .* record -F 2000" h
	grep -q "^# nrcpus online : $(nproc)" h
	not grep -qi 'invalid\|error\|failed' h
}

@test "compressed files, by the other perf" {
	"$PERF" record -z -F 5000 -e cpu-clock -g -o d -- "$WORKLOADS/hotwarm" 0.5 2>err
	grep -q 'compressed (original .* MB, ratio is' err
	n=$(sed -n 's/.*(\([0-9]*\) samples).*/\1/p' err)
	[ "$(peer script -i d -F event 2>/dev/null | grep -c cpu-clock)" = "$n" ]
}

@test "the same maps, threads and names as synthesized by the other perf" {
	"$WORKLOADS/hotwarm" 60 3 >/dev/null 3>&- &
	pid=$!
	three() { [ "$(ls /proc/$pid/task | wc -l)" = 3 ]; }
	until_true 30 three
	peer record -q -e cpu-clock -p $pid -o theirs.data -- sleep 0.1 2>/dev/null
	"$PERF" record -q -e cpu-clock -p $pid -o ours.data -- sleep 0.1
	kill $pid
	for f in theirs ours; do
		peer script -i $f.data --show-mmap-events --show-task-events -F comm,pid,tid 2>/dev/null |
			grep -E "PERF_RECORD_(MMAP2|COMM|FORK).* $pid" | grep -o 'PERF_RECORD.*' | sort -u >$f
	done
	[ "$(grep -c MMAP2 ours)" -ge 3 ]
	diff theirs ours
}
