#!/usr/bin/env bats
# run under sanitizers
load common

setup() {
	cd "$BATS_TEST_TMPDIR"
}

# A directory with our perf as bin/perf and a scripted other one as other/perf.
two_perfs() {
	mkdir bin other
	ln -s "$PERF" bin/perf
	cat >other/perf <<-'END'
		#!/bin/sh
		if [ "$1" = --list-cmds ]; then echo "annotate mem stat"; exit; fi
		echo "other: $*"
		exit 7
	END
	chmod +x other/perf
	PATH=$PWD/bin:$PWD/other:/usr/bin:/bin
}

@test "perf alone: usage on stderr, exit 1" {
	run -1 --separate-stderr "$PERF"
	[ -z "$output" ]
	[[ $stderr == *"Usage: perf [--version] [--help] [OPTIONS] COMMAND [ARGS]"* ]]
	[[ $stderr == *"   version "* ]]
}

@test "perf -h and perf help: the same list on stdout, exit 0" {
	run -0 --separate-stderr "$PERF" -h
	[ -z "$stderr" ]
	[[ $output == *"   help "* ]]
	first=$output
	run -0 "$PERF" --help
	[ "$output" = "$first" ]
	run -0 "$PERF" help
	[ "$output" = "$first" ]
}

@test "every command of the list has -h, and its options there" {
	for cmd in $("$PERF" --list-cmds); do
		run -0 --separate-stderr "$PERF" "$cmd" -h
		[[ $output == *"Usage: perf $cmd"* ]]
		[ -z "$stderr" ]
		run -0 "$PERF" "$cmd" --help
	done
}

@test "--version, version, -v" {
	run -0 "$PERF" --version
	[[ $output =~ ^"perf version "[0-9]+\.[0-9]+ ]]
	[ "${#lines[@]}" = 1 ]
	first=$output
	run -0 "$PERF" version
	[ "$output" = "$first" ]
	run -0 "$PERF" -v
	[ "$output" = "$first" ]
}

@test "version --build-options: upstream's layout" {
	run -0 "$PERF" version --build-options
	[[ ${lines[0]} == "perf version "* ]]
	[[ $output == *$'\n                   bpf: [ on  ]  # HAVE_LIBBPF_SUPPORT\n'* ]]
	for line in "${lines[@]:1}"; do
		[[ $line =~ ^\ *[a-z_0-9-]+:\ \[\ (on\ |OFF)\ \]\ \ \#\ HAVE_[A-Z_0-9]+$ ]]
	done
	[ "${#lines[@]}" -gt 10 ]
	first=$output
	run -0 "$PERF" version -v
	[ "$output" = "$first" ]
	run -0 "$PERF" -vv
	[ "$output" = "$first" ]
}

@test "an unknown command: one line with the nearest name, exit 1" {
	run -1 --separate-stderr "$PERF" vresion
	[ -z "$output" ]
	[ "$stderr" = "perf: 'vresion' is not a perf command; did you mean 'version'? See 'perf --help'." ]
	run -1 --separate-stderr "$PERF" qqqqqq
	[ "$stderr" = "perf: 'qqqqqq' is not a perf command. See 'perf --help'." ]
}

@test "without another perf, an unknown command says that there is none" {
	run -1 --separate-stderr env PATH=/nonexistent "$PERF" frobnicate
	[ "$stderr" = "perf: 'frobnicate' is not a perf command, and there is no other perf on PATH to hand it to. See 'perf --help'." ]
}

@test "an unknown option: one line with the nearest name, exit 129" {
	run -129 --separate-stderr "$PERF" --pagniate
	[ "$stderr" = "perf: unknown option --pagniate; did you mean --paginate? (see 'perf --help')" ]
	run -129 --separate-stderr "$PERF" version --bulid-options
	[ -z "$output" ]
	[ "${stderr_lines[0]}" = "perf version: unknown option --bulid-options; did you mean --build-options?" ]
	run -129 "$PERF" version -Z
	[[ $output == "perf version: unknown option -Z"* ]]
}

@test "an argument too many is refused" {
	run -129 "$PERF" version extra
	[[ $output == "perf version: takes no arguments, got 'extra'"* ]]
}

@test "control characters in arguments do not reach the terminal" {
	run -1 "$PERF" $'\e[31mred'
	[[ $output != *$'\e'* ]]
	run -129 "$PERF" version $'--\e]0;x\a'
	[[ $output != *$'\e'* && $output != *$'\a'* ]]
}

@test "help CMD shows the manual page beside the binary" {
	command -v man >/dev/null || skip "no man"
	mkdir -p bin share/man/man1
	cp "$PERF" bin/perf
	printf '.TH PERF-VERSION 1\n.SH NAME\nperf-version - a page of ours\n' >share/man/man1/perf-version.1
	run -0 bin/perf help version
	[[ $output == *"a page of ours"* ]]
	run -0 bin/perf --help version
	[[ $output == *"a page of ours"* ]]
}

@test "help CMD without a page prints the options" {
	mkdir bin
	cp "$PERF" bin/perf
	run -0 bin/perf help version
	[[ $output == *"Usage: perf version"* ]]
}

@test "a command that only the next perf has is handed to it, with its arguments and exit code" {
	two_perfs
	run -7 perf annotate --stdio "a b"
	[ "$output" = "other: annotate --stdio a b" ]
	run -7 perf --no-pager mem record
	[ "$output" = "other: --no-pager mem record" ]
	run -7 perf help annotate
	[ "$output" = "other: help annotate" ]
}

@test "upstream's own options before the command are for the next perf" {
	two_perfs
	run -7 perf --buildid-dir /tmp/x stat -a
	[ "$output" = "other: --buildid-dir /tmp/x stat -a" ]
	run -7 perf --exec-path
	[ "$output" = "other: --exec-path" ]
	run -129 env PATH=/usr/bin:/bin "$PERF" --no-such-option version
}

@test "a command that we have stays here" {
	two_perfs
	run -0 perf version
	[[ $output == "perf version "* ]]
}

@test "the nearest name may be the other perf's" {
	two_perfs
	run -1 perf anotate
	[ "$output" = "perf: 'anotate' is not a perf command; did you mean 'annotate'? See 'perf --help'." ]
}

@test "a perf-CMD program on PATH or in PERF_EXEC_PATH is the command CMD" {
	two_perfs
	printf '#!/bin/sh\necho "ext: $*"; exit 3\n' >bin/perf-hello
	chmod +x bin/perf-hello
	run -3 perf hello 1 2
	[ "$output" = "ext: 1 2" ]
	mkdir x
	printf '#!/bin/sh\necho "exec path"\n' >x/perf-there
	chmod +x x/perf-there
	PERF_EXEC_PATH=$PWD/x run -0 perf there
	[ "$output" = "exec path" ]
}

@test "two copies of this perf do not hand a command to each other for ever" {
	mkdir one two
	cp "$PERF" one/perf
	cp "$PERF" two/perf
	run -1 timeout -k 1 20 env PATH="$PWD/one:$PWD/two" one/perf frobnicate
	[[ $output == *"'frobnicate' is not a perf command"* ]]
	ln -s ../one/perf two/perf-frobnicate
	run -1 timeout -k 1 20 env PATH="$PWD/two:$PWD/one" two/perf-frobnicate
}

@test "what is handed on still finds the next perf behind two copies of ours" {
	two_perfs
	mkdir two
	cp "$PERF" two/perf
	PATH=$PWD/bin:$PWD/two:$PWD/other:/usr/bin:/bin
	run -7 timeout -k 1 20 perf annotate
	[ "$output" = "other: annotate" ]
}

@test "a workload does not see the guard of handing on" {
	two_perfs
	PERF_HANDED_ON=1:2 run -0 perf version
	[[ $output == "perf version "* ]]
}

@test "the command is taken from the program's name perf-CMD" {
	mkdir bin
	ln -s "$PERF" bin/perf-version
	run -0 bin/perf-version
	[[ $output == "perf version "* ]]
	run -129 bin/perf-version --nothing
	[[ $output == "perf version: unknown option --nothing"* ]]
}

@test "Debian's perf runs us as its own subcommand" {
	[ -x "$PEER" ] || skip "no other perf"
	mkdir bin
	ln -s "$PERF" bin/perf-sample-bpf
	PATH=$PWD/bin:$PATH
	run -0 "$PEER" sample-bpf -h
	[[ $output == *"Usage: perf sample-bpf"* ]]
	run -0 --separate-stderr "$PEER" sample-bpf -F 99 -- sh -c 'exit 0'
	[[ $output == "Sampling "*" at 99 Hertz on "*" while 'sh -c exit 0' runs."* ]]
	run -5 "$PEER" sample-bpf -F 99 -- sh -c 'exit 5'
	run -129 "$PEER" sample-bpf --no-such-option
}

@test "closed, full and half-read stdout" {
	run -125 bash -c '"$0" version >&-' "$PERF"
	[ "$output" = "perf version: cannot write the output: standard output is closed" ]
	run -125 bash -c '"$0" version >/dev/full' "$PERF"
	[ "$output" = "perf version: cannot write the output: No space left on device" ]
	run -125 bash -c '"$0" --bash-completion >/dev/full' "$PERF"
	run -0 bash -c '"$0" -h | head -n 1; exit ${PIPESTATUS[0]}' "$PERF"
	[ -z "$output" ]
	run -0 bash -c '{ sleep 0.2; "$0" -h; echo "rc $?" >&2; } | true' "$PERF"
	[ "$output" = "rc 0" ]
}

@test "with stdin and stdout closed no file is opened in their place" {
	run -125 bash -c '"$0" version -v <&- >&-' "$PERF"
	[ "$output" = "perf version: cannot write the output: standard output is closed" ]
}

@test "the pager: used on a terminal only, and not with --no-pager" {
	command -v script >/dev/null || skip "no script(1)"
	printf '#!/bin/sh\nsed "s/^/paged: /"\n' >pg
	chmod +x pg
	export PERF_PAGER=$PWD/pg
	run -0 script -qec "$PERF -h" /dev/null
	[[ $output == *"paged:  Usage: perf"* ]]
	run -0 script -qec "$PERF --no-pager -h" /dev/null
	[[ $output != *"paged:"* && $output == *"Usage: perf"* ]]
	run -0 script -qec "$PERF version" /dev/null
	[[ $output != *"paged:"* ]]
	run -0 script -qec "$PERF -p version" /dev/null
	[[ $output == "paged: perf version "* ]]
	PERF_PAGER=cat run -0 script -qec "$PERF -p version" /dev/null
	[[ $output == "perf version "* ]]
	run -0 "$PERF" -p version
	[[ $output == "perf version "* ]]
}

@test "a pager that quits early is no error" {
	command -v script >/dev/null || skip "no script(1)"
	printf '#!/bin/sh\nread -r x; echo "first: $x"\n' >pg
	chmod +x pg
	PERF_PAGER=$PWD/pg run -0 script -qec "$PERF -p version -v" /dev/null
	[[ $output == *"first: perf version "* ]]
}

@test "Ctrl-C while the pager shows: perf waits for the pager, then dies of it" {
	command -v script >/dev/null || skip "no script(1)"
	cat >pg <<-'END'
		#!/bin/sh
		trap '' INT
		read -r first
		kill -INT "$(cat perf.pid)"
		sleep 0.3
		kill -0 "$(cat perf.pid)" && echo "perf is there"
	END
	chmod +x pg
	export PERF_PAGER=$PWD/pg
	cat >run <<-END
		sh -c 'echo \$\$ >perf.pid; exec "$PERF" -p list'
		echo "status \$?"
	END
	run -0 script -qec "sh run" /dev/null
	[[ $output == *"perf is there"* ]]
	[[ $output == *"status 130"* ]]
}

@test "a pager that is not there loses nothing" {
	for pager in nosuchpager ./nosuchpager; do
		run env PERF_PAGER=$pager script -qec "$PERF list sw" /dev/null
		[[ $output == *"the pager '$pager' is not there: going on without"* ]]
		[[ $output == *cpu-clock* ]]
	done
	run env PERF_PAGER="sed s/cpu-clock/PAGED/" script -qec "$PERF list sw" /dev/null
	[[ $output == *PAGED* ]]
}
