#!/usr/bin/env bats
load common

# complete LINE: what bash would offer at the end of LINE, in $output, sorted.
complete_line() {
	run bash -c '
		PATH=$(dirname "$1"):$PATH
		source <("$1" --bash-completion) || exit 99
		COMP_LINE=$2 COMP_POINT=${#2}
		# as readline cuts words: at blanks, and at : and =
		line=$2
		line=${line//:/ : } line=${line//=/ = }
		read -ra COMP_WORDS <<<"$line"
		[[ $line != *" " ]] || COMP_WORDS+=("")
		COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
		_perf
		printf "%s\n" "${COMPREPLY[@]}" | sort
	' - "$PERF" "$1"
	[ "$status" = 0 ]
}

@test "the script is valid bash and defines the completion of perf" {
	"$PERF" --bash-completion | bash -n
	run -0 bash -c 'source <("$0" --bash-completion); complete -p perf' "$PERF"
	[ "$output" = "complete -F _perf perf" ]
}

@test "commands, ours and those of the next perf" {
	complete_line "perf vers"
	[ "$output" = version ]
	if [ -x "$PEER" ]; then
		complete_line "perf annot"
		[ "$output" = annotate ]
	fi
	complete_line "perf help vers"
	[ "$output" = version ]
	complete_line "perf --no-pager vers"
	[ "$output" = version ]
}

@test "global options and a command's options" {
	complete_line "perf --pag"
	[ "$output" = --paginate ]
	complete_line "perf version --bu"
	[ "$output" = --build-options ]
	complete_line "perf version --"
	[[ $output == *--verbose* ]]
}

@test "every option of every table is offered" {
	for cmd in $("$PERF" --list-cmds); do
		complete_line "perf $cmd --"
		for opt in $("$PERF" "$cmd" --list-opts); do
			grep -qxF -e "$opt" <<<"$output"
		done
	done
}

@test "candidates: pids, cpus, events, users" {
	run -0 "$PERF" --complete pid $$
	[[ ${lines[0]} == "$$" ]]
	run -0 "$PERF" --complete cpu ""
	[ "${lines[0]}" = 0 ]
	[ "${#lines[@]}" = "$(getconf _NPROCESSORS_CONF)" ]
	run -0 "$PERF" --complete event cpu-cl
	[ "$output" = cpu-clock ]
	run -0 "$PERF" --complete event L1-dcache-load-m
	[ "$output" = L1-dcache-load-misses ]
	run -0 "$PERF" --complete user roo
	[ "$output" = root ]
	run -0 "$PERF" --complete nothing x
	[ -z "$output" ]
}

@test "arguments of options: events, words, files, calls, in one word and in the next" {
	complete_line "perf sample-bpf -e cpu-cl"
	[ "$output" = cpu-clock ]
	complete_line "perf sample-bpf -e cycles,cpu-cl"
	[ "$output" = cycles,cpu-clock ]
	complete_line "perf sample-bpf --event=cpu-cl"
	[ "$output" = cpu-clock ] # bash itself keeps what stands before the =
	complete_line "perf sample-bpf --weight per"
	[ "$output" = period ]
	complete_line "perf sample-bpf --stack=ker"
	[ "$output" = kernel ]
	complete_line "perf sample-bpf -F "
	[ -z "$output" ]
	complete_line "perf trace --summary-mode tot"
	[ "$output" = total ]
	complete_line "perf trace -e openat"
	[ "$output" = $'openat\nopenat2' ]
	complete_line "perf trace -e %fi"
	[ "$output" = %file ]
	touch "$BATS_TEST_TMPDIR/some-file"
	complete_line "perf script -i $BATS_TEST_TMPDIR/some"
	[ "$output" = "$BATS_TEST_TMPDIR/some-file" ]
	complete_line "perf-sample-bpf --weight sam"
	[ "$output" = samples ]
}

@test "tracepoints are completed behind the colon, where bash cuts words" {
	[ "$(id -u)" = 0 ] || skip "tracefs needs root"
	complete_line "perf record -e sched:sched_swit"
	[ "$output" = sched_switch ]
	complete_line "perf record -e cycles,sched:sched_swit"
	[ "$output" = sched_switch ]
}

@test "the program behind -- is completed as a command, its arguments as files" {
	complete_line "perf sample-bpf -- sleep"
	grep -qx sleep <<<"$output"
	touch "$BATS_TEST_TMPDIR/arg"
	complete_line "perf sample-bpf -- cat $BATS_TEST_TMPDIR/ar"
	[ "$output" = "$BATS_TEST_TMPDIR/arg" ]
}

@test "candidates: tracepoints, system by system" {
	[ "$(id -u)" = 0 ] || skip "tracefs needs root"
	run -0 "$PERF" --complete event sche
	[ "$output" = sched: ]
	run -0 "$PERF" --complete event sched:sched_swi
	[ "$output" = sched:sched_switch ]
	run -0 "$PERF" --complete event ../sche:x
	[ -z "$output" ]
}

@test "--list-cmds and --list-opts, as other perfs' scripts ask for them" {
	run -0 "$PERF" --list-cmds
	[[ " $output" == *" version "* ]]
	run -0 "$PERF" version --list-opts
	[ "$output" = "--build-options --verbose " ]
	run -0 "$PERF" --list-opts
	[[ " $output" == *" --no-pager "* ]]
}
