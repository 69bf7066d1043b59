# Our perf record's files, pipes and -z, read by Debian's perf: without a word on stderr, and with the
# same samples, symbols, chains and counts that we read.
load ../cli/common

setup_file() {
	[ "$(id -u)" = 0 ] && [ -x "$PEER" ] || return 0
	export DATA=$BATS_FILE_TMPDIR
	cd "$DATA" || return
	local hot=("$WORKLOADS/hotwarm" 0.2)

	make() { # NAME OPTION... -- COMMAND...: in four forms
		local name=$1
		shift
		"$PERF" record -q -o "$name.data" "$@"
		"$PERF" record -q -z -o "$name-z.data" "$@"
		"$PERF" record -q -o - "$@" >"$name-pipe.data"
		"$PERF" record -q -z -o - "$@" >"$name-zpipe.data"
	}
	make plain -e cpu-clock -F 2000 -- "${hot[@]}"
	make chain -g -e cpu-clock -F 2000 -- "${hot[@]}"
	make dwarf --call-graph dwarf,4096 -e cpu-clock -F 500 -- "${hot[@]}"
	make group -e '{cpu-clock,page-faults}' -d -W -- "${hot[@]}"
	make all -a -e cpu-clock -F 500 -e context-switches -- "${hot[@]}"
	make clock -k monotonic -e cpu-clock -- "${hot[@]}"
	# Some kernels deliver none of a short run's tracepoints now and then, to any perf: again, then.
	for _ in 1 2 3 4 5 6 7 8; do
		make trace -e sched:sched_process_exec -e sched:sched_process_exit -a -- sh -c 'sleep 0.1; /bin/true; /bin/true; exec /bin/true'
		for f in trace.data trace-z.data trace-pipe.data trace-zpipe.data; do
			[ "$("$PERF" script -i "$f" 2>/dev/null | grep -c sched_process_exec)" -ge 3 ] || continue 2
		done
		break
	done
}

setup() {
	[ "$(id -u)" = 0 ] || skip "recording needs root"
	[ -x "$PEER" ] || skip "no $PEER to compare with"
	cd "$DATA"
}

forms=("" -z -pipe -zpipe)

# peer ARGS...: its output in `theirs`; it must have nothing to complain of
peer() {
	"$PEER" "$@" >theirs 2>err || { echo "perf $* ended with $?"; cat err; return 1; }
	[ ! -s err ] || { echo "perf $*:"; head -n 5 err; return 1; }
}

# same FILE ARGS...: script prints the same, and not nothing
same() {
	local f=$1
	shift
	peer script -i "$f" "$@"
	"$PERF" script -i "$f" "$@" >ours
	[ -s theirs ] || { echo "nothing in $f with $*"; return 1; }
	cmp -s theirs ours || { echo "$f $*"; diff theirs ours | head -n 20; return 1; }
}

@test "samples: every field" {
	for form in "${forms[@]}"; do
		same plain$form.data -F comm,pid,tid,cpu,time,event,period,ip,dso --ns 2>/dev/null || same plain$form.data -F comm,pid,tid,time,event,period,ip,dso --ns
		same group$form.data -F comm,pid,tid,time,event,period,addr,weight,ip
		same all$form.data -F comm,pid,tid,cpu,time,event,ip
		same clock$form.data -F comm,tid,time,event,ip --ns
	done
}

@test "symbols of the program" {
	for form in "${forms[@]}"; do
		same plain$form.data --comms hotwarm --dsos hotwarm -F ip,sym,symoff,dso
		[ "$(grep -c ' hot+' ours)" -gt 20 ]
	done
}

@test "chains by frame pointer and by DWARF" {
	for form in "${forms[@]}"; do
		# without the names: Debian's perf prints them in pipes, asked or not
		peer script -i chain$form.data --no-inline -F comm,time,ip,sym
		"$PERF" script -i chain$form.data --no-inline -F comm,time,ip,sym >ours
		diff <(sed 's/^\(\t *[0-9a-f]*\).*/\1/' theirs) <(sed 's/^\(\t *[0-9a-f]*\).*/\1/' ours)
		[ "$(grep -c ' hot$' ours)" -gt 20 ]
		peer script --no-inline -i dwarf$form.data -F comm,time,ip,sym
		"$PERF" script --no-inline -i dwarf$form.data -F comm,time,ip,sym >ours
		# of the program's own functions: libraries' aliases are named differently on purpose
		diff <(grep -E ' (hot|warm|run|main)$' theirs) <(grep -E ' (hot|warm|run|main)$' ours)
		[ "$(grep -c ' main$' ours)" -gt 10 ]
	done
}

@test "tracepoints, with their formats" {
	for form in "${forms[@]}"; do
		same trace$form.data
		[ "$(grep -c sched_process_exec ours)" -ge 3 ]
	done
}

@test "side-band records" {
	same plain.data --show-mmap-events --show-task-events -F comm,pid,tid,time,event,ip
	same plain-z.data --show-mmap-events --show-task-events -F comm,pid,tid,time,event,ip
}

@test "evlist, buildid-list, header, report" {
	for f in plain chain group all clock trace; do
		for form in "" -z; do
			for o in "" -v -F -g; do
				# shellcheck disable=SC2086
				peer evlist $o -i $f$form.data
				# shellcheck disable=SC2086
				"$PERF" evlist $o -i $f$form.data | diff theirs -
			done
			peer buildid-list -i $f$form.data
			"$PERF" buildid-list -i $f$form.data | diff theirs -
			[ -s theirs ]
			peer script --header-only -I -i $f$form.data
			"$PERF" script --header-only -I -i $f$form.data | diff theirs -
		done
		for form in "${forms[@]}"; do
			peer report --stdio -F overhead,sym -i $f$form.data
		done
	done
	for form in "${forms[@]}"; do
		peer report --stdio -F sample,sym -i plain$form.data
		hot=$(awk '$NF == "hot" { print $1 }' theirs)
		[ "$hot" = "$("$PERF" script -i plain$form.data -F ip,sym | grep -c ' hot$')" ]
	done
}

@test "a recorder that was killed" {
	for events in "cpu-clock" "cpu-clock -e sched:sched_switch"; do
		rm -f killed.data
		# shellcheck disable=SC2086
		"$PERF" record -q -o killed.data -c 100000 -e $events -- "$WORKLOADS/hotwarm" 60 &
		pid=$!
		for ((i = 0; i < 500; i++)); do
			sleep 0.1
			[ "$(stat -c %s killed.data 2>/dev/null || echo 0)" -lt 150000 ] || break
		done
		child=$(pgrep -P $pid)
		kill -9 $pid
		# shellcheck disable=SC2086
		kill $child
		wait $pid || true
		run -0 --separate-stderr "$PERF" script -i killed.data -F comm,event,time
		[[ $stderr == *"properly terminated?"* ]]
		[ "$(grep -c 'cpu-clock' <<<"$output")" -gt 500 ]
	done
	# Debian's perf prints nothing of such a file; and upstream's recorder leaves no formats.
	run -0 --separate-stderr "$PERF" evlist --trace-fields -i killed.data
	[[ $output == *"sched:sched_switch: trace_fields: prev_comm,prev_pid"* ]]
}
