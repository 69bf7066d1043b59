# perf sample-bpf: options that mean nothing, or nothing together, are refused; none is passed over.
load common

# refused STATUS TEXT ARGS...: one line with TEXT (and, for a usage error, the hint at -h)
refused() {
	local status=$1 text=$2
	shift 2
	run --separate-stderr -"$status" "$PERF" sample-bpf "$@"
	[ -z "$output" ]
	[[ ${stderr_lines[*]} == *"$text"* ]]
}

@test "numbers without a meaning" {
	for n in 0 -1 1.5 x 99999999999999999999; do
		refused 129 "-c $n: not a number of events" -c $n -- true
	done
	for n in 0 -1 x 1e300 nan; do
		refused 129 "-d $n: not a number of seconds" -d $n
	done
	for n in 0 -1 1.5 x; do
		refused 129 "-F $n: not a frequency" -F $n -- true
	done
	for n in 101 -1 nan; do
		refused 129 "percent" --percent-limit $n -- true
	done
}

@test "keys: none, an empty one, an unknown one" {
	for k in '' sym, ,sym sym,,dso; do
		refused 129 "unknown key ''" -k "$k" -- true
	done
	refused 129 "unknown key 'dos', did you mean 'dso'?" -k dos -- true
}

@test "--only means the workload and nothing else" {
	for other in -a -p1 -t1 -uroot -G/; do
		refused 129 "--only (the workload) and ${other:0:2} exclude each other" --only $other -- true
	done
	refused 129 "--only needs a workload" --only -d 1
}

@test "terms of an event that are for a recording" {
	for term in call-graph=fp stack-size=64 max-stack=3 time=0 overwrite; do
		refused 125 "the term ${term%%=*}" -e "cpu-clock/$term/" -- true
	done
}

@test "a second filter, and -F where it does not apply, are not passed over" {
	[ "$(id -u)" = 0 ] || skip "tracefs needs root"
	refused 129 "has a --filter already" -e sched:sched_switch --filter 'prev_pid > 1' --filter 'prev_pid > 2' -- true
	refused 125 "-F does not apply to sched:sched_switch" --strict -F 99 -e sched:sched_switch -- true
	run --separate-stderr -0 "$PERF" sample-bpf -F 99 -e sched:sched_switch -- true
	[[ $stderr == *"-F does not apply to sched:sched_switch"* ]]
}

@test "more events than a heading holds" {
	[ "$(id -u)" = 0 ] || skip "BPF needs root"
	local list
	list=$(printf 'page-faults,%.0s' {1..300})
	run --separate-stderr -0 "$PERF" sample-bpf --no-bpf -e "${list%,}" --json -d 0.1 -k comm
	[[ $(python3 -c 'import json, sys; print(len(json.load(sys.stdin)["events"]))' <<<"$output") = 300 ]]
	run --separate-stderr -0 "$PERF" sample-bpf --no-bpf -e "${list%,}" -d 0.1 -k comm
	[[ ${lines[0]} == "Sampling page-faults, page-faults, "*" and 292 other events at "* ]]
}
