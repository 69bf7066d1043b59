#!/usr/bin/env bats
# perf trace: engines, targets, life cycle. TRACE_FULL=1 takes the full counts.
load ../cli/common.bash
load ../diff/trace-sequences.bash

setup() {
	[ "$(id -u)" = 0 ] || skip "needs root for BPF"
	T=$WORKLOADS/traced
	D=$BATS_TEST_TMPDIR
	full=${TRACE_FULL:-}
}

# n FULL QUICK: how many
n() { [ -n "$full" ] && echo "$1" || echo "$2"; }

# Without the right to go first: more threads have to wait.
modest="setpriv --bounding-set=-sys_nice --inh-caps=-sys_nice"

lossless() { "$PERF" trace --lossless "$@"; }

@test "trace: a command's calls with their arguments, its exit code passed on" {
	run --separate-stderr "$PERF" trace -e openat -o "$D/o" cat /etc/hostname
	[ "$status" = 0 ]
	grep -q 'openat(dfd: CWD, filename: "/etc/hostname", flags: RDONLY) *= [0-9]*$' "$D/o"
	[ "$(grep -cv 'openat(' "$D/o")" = 0 ]
	run "$PERF" trace -o "$D/o" "$T" exit 7
	[ "$status" = 7 ]
	run "$PERF" trace --lossless -o "$D/o" "$T" kill 15
	[ "$status" = 143 ]
	run -127 "$PERF" trace -o "$D/o" /no/such/program
}

@test "trace: every call of many threads is counted, with 4K rings, by both engines" {
	local calls=$(n 20000 500)
	for how in "--block=bpf --lossless" "--lossless -m 4K" "--block=ptrace"; do
		run --separate-stderr "$PERF" trace $how -e getppid --json -o "$D/j" "$T" counter 16 "$calls"
		[ "$status" = 0 ]
		[ "$output" = "getppid $((16 * calls))" ]
		[ "$(grep -c '"syscall":"getppid"' "$D/j")" = $((16 * calls)) ]
		[[ $stderr == *"$((16 * calls)) calls, 0 lost, "* ]]
	done
}

@test "trace: classic tracepoint programs and raw ones see the same" {
	for kind in classic raw; do
		PERF_TRACE_PROGRAMS=$kind setarch -R "$PERF" trace --lossless -m 4K --json -o "$D/$kind.j" "$T" forks 2 4 >/dev/null
		sequences_json "$D/$kind.j" >"$D/$kind"
	done
	[ "$(wc -l <"$D/raw")" = 21 ]
	cmp "$D/classic" "$D/raw"
	for kind in classic raw; do
		PERF_TRACE_PROGRAMS=$kind "$PERF" trace --lossless -e getppid,semget --json -o "$D/$kind.j" "$T" int80 3 || [ $? = 77 ]
		not grep -q semget "$D/$kind.j"
	done
}

@test "trace: with small rings threads are stopped, and the report says which" {
	run --separate-stderr $modest "$PERF" trace --lossless -m 4K --block-report -o "$D/o" "$T" counter 4 10000
	[ "$status" = 0 ]
	[[ $stderr =~ ([0-9]+)" calls, 0 lost, "([0-9]+)" stops" ]]
	[ "${BASH_REMATCH[2]}" -gt 10 ]
	[[ $stderr =~ traced/[0-9]+": "[0-9]+" stops, blocked " ]]
}

@test "trace: without blocking, what is dropped is counted: calls = arrived + lost" {
	run --separate-stderr "$PERF" trace -m 4K -e getppid -o "$D/o" "$T" counter 4 20000
	[ "$status" = 0 ]
	[[ $stderr =~ ([0-9]+)" calls, "([0-9]+)" lost" ]]
	[ $((BASH_REMATCH[1] + BASH_REMATCH[2])) = 80000 ]
	[ "$(grep -c getppid "$D/o")" = "${BASH_REMATCH[1]}" ]
}

@test "trace: a slow reader makes it wait, and loses nothing" {
	local calls=$(n 20000 1500)
	lossless -m 4K -e getppid -o /dev/stdout "$T" counter 4 "$calls" 2>"$D/err" |
		while read -r line; do
			echo "$line"
			i=$((i + 1))
			[ $((i % 500)) != 0 ] || sleep 0.05
		done >"$D/o"
	[ "$(grep -c 'getppid()' "$D/o")" = $((4 * calls)) ]
	grep -q "$((4 * calls)) calls, 0 lost" "$D/err"
}

@test "trace: a reader that goes away ends it cleanly, and the targets run on" {
	"$T" spin 2 ignored <"/dev/zero" >"$D/out" &
	local t=$!
	# head ends after 5 lines
	lossless -m 4K -o /dev/stdout -p $t 2>"$D/err" | head -5 >"$D/o"
	[ "$(wc -l <"$D/o")" = 5 ]
	grep -q TracerPid:$'\t'0 /proc/$t/status
	kill -9 $t
}

@test "trace: an exec by a thread that is not the leader" {
	for how in "--block=bpf -m 4K" "--block=ptrace"; do
		run "$PERF" trace $how -o "$D/o" "$T" texec
		[ "$status" = 7 ]
		[ "$(grep -c 'execve(.*argv: \[.*"exit", "7"\].*= 0$' "$D/o")" = 1 ]
	done
}

@test "trace: 32-bit calls of a 64-bit program carry their own names" {
	run "$PERF" trace --lossless --json -o "$D/j" "$T" int80 20
	[ "$status" = 0 ] || [ "$status" = 77 ] # no such calls on this machine
	[ "$status" = 77 ] && skip "no int \$0x80 here"
	[ "$(grep -c '"syscall":"getppid"' "$D/j")" = 40 ]
	[ "$(grep -c '"syscall":"semget"' "$D/j")" = 0 ]
}

@test "trace: a call never ends early because a thread is held" {
	for how in "--lossless -m 4K" "--block=ptrace"; do
		run --separate-stderr "$PERF" trace $how -o "$D/o" "$T" eintr "$(n 10000 1000)"
		echo "$output"
		[ "$status" = 0 ]
		[[ $output == "eintr 0:"* ]]
	done
}

@test "trace: memory whose page is not there when the call begins" {
	run "$PERF" trace --lossless -e access,faccessat -o "$D/o" "$T" faults
	[ "$status" = 0 ]
	grep -q 'access(filename: "/etc/hostname-that-is-not-there"' "$D/o"
	grep -q 'access(filename: 0x10.*EFAULT' "$D/o"
}

@test "trace: a running program, attached to and let go" {
	mkfifo "$D/in"
	"$T" spin 4 handled <"$D/in" >"$D/out" &
	local t=$!
	exec 7>"$D/in"
	sleep 0.2
	timeout 30 "$PERF" trace --lossless -m 16K -e getppid --max-events 20000 -o "$D/o" -p $t 2>"$D/err" 7>&-
	grep -q " 0 lost" "$D/err"
	[ "$(sed -n 's/.*traced\/\([0-9]*\) getppid.*/\1/p' "$D/o" | sort -u | wc -l)" -ge 2 ]
	[ "$(grep -h TracerPid /proc/$t/task/*/status | sort -u)" = $'TracerPid:\t0' ]
	echo >&7
	for i in $(seq 80); do
		grep -q moving "$D/out" && break
		sleep 0.1
	done
	grep -q "moving 4 winches 0" "$D/out"
	kill -9 $t
	exec 7>&-
}

@test "trace: killed at random moments under pressure, it leaves every thread running" {
	for mode in blocked ignored handled; do
		rm -f "$D/in"
		mkfifo "$D/in"
		"$T" spin 8 $mode <"$D/in" >"$D/out" &
		local t=$! p
		exec 7>"$D/in"
		for i in $(seq "$(n 50 3)"); do
			"$PERF" trace --lossless -m 4K -o /dev/null -p $t 2>/dev/null 7>&- &
			p=$!
			sleep 0.$((RANDOM % 4))$((RANDOM % 10))
			kill -9 $p
			wait $p || true
			sleep 0.5
			local replies=$(wc -l <"$D/out")
			echo >&7
			for _ in $(seq 80); do
				[ "$(wc -l <"$D/out")" = "$replies" ] || break
				sleep 0.1
			done
			tail -n 1 "$D/out"
			[[ $(tail -n 1 "$D/out") == "moving 8 winches "* ]]
			[ "$(grep -h TracerPid /proc/$t/task/*/status | sort -u)" = $'TracerPid:\t0' ]
		done
		# At most what each such death can cause: one a thread.
		[[ $(tail -n 1 "$D/out") =~ winches\ ([0-9]+) ]]
		[ "${BASH_REMATCH[1]}" -le $((8 * i)) ]
		[ $mode = handled ] || [ "${BASH_REMATCH[1]}" = 0 ]
		kill -9 $t
		exec 7>&-
	done
}

@test "trace: refuses to stop the reader of its own output, and its parents" {
	run lossless -p $$ -o /dev/null
	[ "$status" = 125 ]
	[[ $output == *"is a parent of this perf trace"* ]]
	mkfifo "$D/pipe"
	sleep 60 <"$D/pipe" &
	local r=$!
	run bash -c '"$1" trace --lossless -p "$2" >"$3" 2>&1 -o /dev/stdout & wait $!' x "$PERF" $r "$D/pipe"
	run bash -c 'exec 8>"$3"; "$1" trace --lossless -p "$2" -o /dev/fd/8' x "$PERF" $r "$D/pipe"
	[ "$status" = 125 ]
	[[ $output == *"reads the pipe that the output goes to"* ]]
	grep -q TracerPid:$'\t'0 /proc/$r/status
	kill $r
}

@test "trace: a thread that is traced already is named, with its tracer" {
	sleep 60 &
	local t=$!
	strace -o /dev/null -p $t 2>/dev/null &
	local s=$!
	while ! grep -q "TracerPid:.[1-9]" /proc/$t/status; do sleep 0.05; done
	run lossless -p $t -o /dev/null
	[ "$status" = 125 ]
	[[ $output == *"traced already, by process $s (strace)"* ]]
	kill $s $t
}

@test "trace: system-wide works without blocking, and is refused with it" {
	run "$PERF" trace -a -e nosuchcall true
	[ "$status" != 0 ]
	run lossless -a
	[ "$status" = 125 ]
	[[ $output == *"--lossless does not go with -a"*"-p or -u"* ]]
	"$PERF" trace -a -e getppid --max-events 50 -o "$D/o" &
	local p=$!
	# its programs may take a while to load
	for i in $(seq 300); do
		"$T" counter 1 1000 >/dev/null
		kill -0 $p 2>/dev/null || break
		sleep 0.1
	done
	wait $p
	[ "$(grep -c getppid "$D/o")" = 50 ]
}

@test "trace: an ordinary user's own processes by ptrace, others' refused with the reason" {
	run setpriv --reuid=65534 --regid=65534 --clear-groups "$PERF" trace -e getppid --json "$T" counter 2 20
	[ "$status" = 0 ]
	[[ $output == *"using ptrace, which stops a thread twice a call"* ]]
	[ "$(grep -c '"syscall":"getppid"' <<<"$output")" = 40 ]
	sleep 60 &
	local r=$!
	run setpriv --reuid=65534 --regid=65534 --clear-groups "$PERF" trace -p $r
	[ "$status" = 125 ]
	[[ $output == *"cannot hold thread $r: it is another user's (uid 0)"* ]]
	kill $r
}

@test "trace: nothing is left attached" {
	run "$PERF" trace --lossless -o "$D/o" true
	for i in $(seq 100); do
		run bpftool prog show
		[ -n "$(pgrep -x trace-detach)$(pgrep -x trace-guard)" ] || [[ $output == *trace_enter* ]] || break
		sleep 0.1 # the kernel frees a program when nobody can be in it any more
	done
	run bpftool prog show
	[[ $output != *trace_enter* ]]
}

@test "trace: tracepoints beside calls, page faults, run times, call chains" {
	run --separate-stderr "$PERF" trace -e getppid,sched:sched_process_exit -o "$D/o" "$T" counter 3 2
	[ "$status" = 0 ]
	[ "$(grep -c 'getppid()' "$D/o")" = 6 ]
	[ "$(grep -c 'sched:sched_process_exit(comm=traced pid=' "$D/o")" = 4 ]
	run "$PERF" trace -e nosys:noevent true
	[ "$status" = 125 ]
	run "$PERF" trace -F all -e getppid -o "$D/o" "$T" counter 1 1
	grep -q 'minfault \[.*+0x.*\] => .*traced@0x' "$D/o"
	"$PERF" trace --sched -e getppid -o "$D/o" "$T" counter 1 1
	grep -q "traced ([0-9]*), [0-9.]* msec" "$D/o"
	"$PERF" trace --call-graph fp --json -e exit_group -o "$D/o" "$T" exit 0
	grep -q '"syscall":"exit_group".*"stack":\[{"ip":"0x[0-9a-f]*","sym":"_\?exit' "$D/o"
}

@test "trace: traced threads and others that get each other's stacks are told apart" {
	local others=
	for _ in 1 2; do
		timeout 60 bash -c 'while :; do env true; done' 3>&- &
		others="$others $!"
	done
	for _ in 1 2 3; do
		"$PERF" trace --block=bpf --lossless --json -o "$D/j" "$T" threads 300 2>"$D/err"
		grep -q ', 0 lost' "$D/err"
		[ "$(grep -c '"syscall":"execve"' "$D/j")" = 1 ]
		# and the other way round: new threads, on stacks of those that are known not to be traced
		"$PERF" trace --block=bpf --lossless -e getppid -o "$D/o" "$T" counter 100 10
		[ "$(grep -c getppid "$D/o")" = 1000 ]
		[ "$(sed -n 's/.*"comm":"\([^"]*\)".*/\1/p' "$D/j" | sort -u)" = traced ]
	done
	kill $others
	wait $others || :
}

@test "trace: events of interrupts are recorded while a call is" {
	run --separate-stderr "$PERF" trace --block=bpf --lossless --json -e getppid,timer:hrtimer_expire_entry -o "$D/j" "$T" counter 4 "$(n 400000 50000)"
	[ "$status" = 0 ]
	[ "$(grep -c '"syscall":"getppid"' "$D/j")" = $((4 * $(n 400000 50000))) ]
	[[ $stderr == *", 0 lost, "* ]]
	# the ledger: what was made is what came
	tail -n 1 "$D/j" | python3 -c '
import json, sys
l = json.load(sys.stdin)["ledger"]
assert l["emitted"] == l["arrived"] and not any(l["dropped"].values())'
}

@test "trace: more threads than there is room for at first, without blocking: seen, or counted" {
	for how in "-m 64M" "-s" "-s --lossless" "--lossless"; do
		run --separate-stderr "$PERF" trace $how -e getppid -o "$D/o" "$T" counter 900 20
		[[ $stderr =~ ([0-9]+)" calls, "([0-9]+)" lost" ]]
		[ $((BASH_REMATCH[1] + BASH_REMATCH[2])) = 18000 ]
		[ "$how" != --lossless ] || [ "${BASH_REMATCH[2]}" = 0 ]
	done
}

@test "trace: what a child has open is known from its first call on" {
	for how in "--lossless" "--lossless -e read" "-e read"; do
		"$PERF" trace $how -o "$D/o" "$T" inherit 40 2>"$D/err"
		grep -q ', 0 lost' "$D/err"
		[ "$(grep -c 'read(fd: [0-9]*</etc/passwd>, ' "$D/o")" = 200 ]
	done
}

@test "trace: an exec whose strings were not in core when it began" {
	printf '#!/bin/sh\nexit 0\n' >"$D/script"
	chmod +x "$D/script"
	for kind in classic raw; do
		PERF_TRACE_PROGRAMS=$kind run --separate-stderr "$PERF" trace --block=bpf --lossless -e execve -o "$D/o" "$T" fork-exec "$D/script"
		[ "$status" = 0 ]
		[ "$(wc -l <"$D/o")" = 4 ]
		grep -q 'execve(filename: "/bin/true", argv: \["no such", "one", "two"\], envp: 0x[0-9a-f]* /\* [0-9]* vars \*/) = 0$' "$D/o"
		grep -q "execve(filename: \"$D/script\", .*= 0$" "$D/o"
		grep -q 'execve(filename: "/no/such/program", argv: \["four"\], envp: .* = -1 ENOENT' "$D/o"
		not grep -qE 'filename: 0x|envp: 0x[0-9a-f]*\)' "$D/o"
	done
	# its name, its arguments when it was run by an interpreter, are said to be unknown
	[ "$(grep -c 'argv: 0x' "$D/o")" -le 1 ]
}

@test "trace: how many arguments are shown, and that there are more" {
	local many
	for n in 62 63 64 99; do
		many=$(seq -s ' ' "$n")
		"$PERF" trace --lossless -e execve -o "$D/o" env true $many 2>/dev/null
		if [ "$n" -gt 63 ]; then
			grep -q '"true", .*"63", \.\.\.\], envp' "$D/o"
		else
			grep -q "\"$n\"\\], envp" "$D/o"
		fi
	done
	"$PERF" trace --json -e execve -o "$D/o" env true $many 2>/dev/null
	grep -q '"63"\],"argv_cut":true' "$D/o"
	run "$PERF" trace --string-limit 4097 true
	[ "$status" = 125 ]
	[[ $output == *"--string-limit: at most 4096"* ]]
}

@test "trace: every tracepoint of a system; paths and filters in strace's format without -y" {
	"$PERF" trace -e 'irq:*' -o "$D/o" true
	"$PERF" trace --lossless -P /etc/passwd -o "$D/text" "$T" inherit 3
	"$PERF" trace --lossless -P /etc/passwd --format=strace -o "$D/strace" "$T" inherit 3
	[ "$(grep -c 'read(fd: [0-9]*</etc/passwd>' "$D/text")" = 15 ]
	[ "$(grep -c 'read([0-9]*, ' "$D/strace")" = 15 ]
}
