#!/usr/bin/env bats
# perf trace: what happens to processes (setuid, core dumps, job control, cgroups, CPUs, many threads) is as without it.
load ../cli/common.bash

setup() {
	[ "$(id -u)" = 0 ] || skip "needs root for BPF"
	L=$WORKLOADS/lifecycle T=$WORKLOADS/traced
	cd "$BATS_TEST_TMPDIR"
	user="setpriv --reuid=65534 --regid=65534 --clear-groups"
}

# The engines, with rings so small that threads are stopped.
engines=("" "--lossless -m 4K" "--block=ptrace")

@test "trace life: a setuid program gets its rights under a tracer that is root" {
	chmod 755 . ..
	cp "$L" ids && chmod 4755 ids
	[ "$($user ./ids ids)" = "uid 65534 euid 0" ] || skip "setuid programs have no effect in $PWD"
	for how in "${engines[@]}"; do
		run --separate-stderr "$PERF" trace $how -o o $user sh -c './ids ids; ./ids ids; exit 3'
		[ "$status" = 3 ]
		[ "$output" = $'uid 65534 euid 0\nuid 65534 euid 0' ]
		[[ $stderr != *"setuid"* ]]
		[ "$(grep -c 'execve(.*"./ids".*= 0$' o)" = 2 ]
	done
}

@test "trace life: a setuid program gets none under an ordinary user's tracer, as with strace, and that is said" {
	mkdir bin
	cp "$L" ids && chmod 4755 ids
	cp "$PERF" bin/perf && chmod 755 bin/perf
	chmod 755 . ..
	[ "$($user ./ids ids)" = "uid 65534 euid 0" ] || skip "setuid programs have no effect in $PWD"
	run --separate-stderr $user bin/perf trace -o /dev/null sh -c './ids ids; ./ids ids; true'
	[ "$status" = 0 ]
	[ "$output" = $'uid 65534 euid 65534\nuid 65534 euid 65534' ]
	[[ $stderr == *"  2 setuid or setgid programs ran without the rights of that bit"* ]]
	chmod 755 ids
	run --separate-stderr $user bin/perf trace -o /dev/null ./ids ids
	[ "$output" = "uid 65534 euid 65534" ]
	[[ $stderr != *"setuid"* ]]
}

@test "trace life: a program that dumps core ends as without a tracer" {
	local bare=$("$L" core)
	[[ $bare == "signal 6 core "? ]]
	for how in "${engines[@]}"; do
		[ "$("$PERF" trace $how --format=strace -o o "$L" core 2>err)" = "$bare" ]
		[ "$(grep -c -- '--- SIGABRT {si_signo=SIGABRT, si_code=SI_TKILL, si_pid=[0-9]*, si_uid=0} ---$' o)" = 1 ]
		if [[ $bare == *"core 1" ]]; then
			[ "$(grep -cE '^[0-9]+ +[0-9:.]+ \+\+\+ killed by SIGABRT \(core dumped\) \+\+\+$' o)" = 1 ]
		else
			[ "$(grep -cE '^[0-9]+ +[0-9:.]+ \+\+\+ killed by SIGABRT \+\+\+$' o)" = 1 ]
		fi
		[ "$(grep -cE '\+\+\+ exited with 0 \+\+\+$' o)" = 1 ]
		grep -q " 0 lost, " err
		run "$PERF" trace $how -o o "$T" kill 6
		[ "$status" = 134 ]
	done
}

@test "trace life: stops and continuations by signal, as a shell makes them" {
	"$L" jobs >bare
	[ "$(grep -c 'stopped 1 by .*, stands 1, continued 1, moves 1' bare)" = 3 ]
	for how in "${engines[@]}"; do
		"$PERF" trace $how -o o "$L" jobs >traced 2>err
		cmp bare traced
	done
}

@test "trace life: Ctrl-Z stops the tracer and its command, fg continues both" {
	for how in "${engines[@]}"; do
		rm -f beats seen
		timeout 30 python3 "$BATS_TEST_DIRNAME/terminal.py" "$PERF" trace $how -e write -o o sh -c "exec '$L' beat 30 >beats"
		cat seen
		[ "$(cat seen)" = $'stopped by 20\ngrew by 0\nended with 3' ]
		[ "$(wc -l <beats)" = 30 ]
		[ "$(grep -c 'write(.*"beat [0-9]*.n"' o)" = 30 ]
	done
}

@test "trace life: attaching to a process of 1,000 threads" {
	for how in "${engines[@]}"; do
		rm -f in out
		mkfifo in
		"$L" idle 1000 <in >out &
		local t=$! p i
		exec 7>in
		until grep -q ready out; do sleep 0.05; done
		"$PERF" trace $how -e getppid --json -o o -p $t 2>err 7>&- &
		p=$!
		if [ -z "$how" ]; then
			sleep 1 # nothing tells from outside
		else
			for i in $(seq 200); do
				[ "$(grep -h TracerPid /proc/$t/task/*/status | grep -vcP '\t0$')" -lt 1001 ] || break
				sleep 0.05
			done
			sleep 0.3
		fi
		echo >&7
		wait $t
		wait $p
		exec 7>&-
		grep -q "^perf trace: 1000 calls, 0 lost, " err
		[ "$(grep -o '"tid":[0-9]*,.*"syscall":"getppid"' o | cut -d, -f1 | sort -u | wc -l)" = 1000 ]
	done
}

@test "trace life: -G: what runs in a cgroup or below it, children too, and nothing else" {
	local top g=perf-trace-$BASHPID
	top=$(awk '$3 == "cgroup2" {print $2; exit}' /proc/mounts)
	[ -n "$top" ] && mkdir -p "$top/$g/below" || skip "no cgroup v2 to make groups in"
	cat >go <<-END
		#!/bin/sh
		read x
		[ -z "\$1" ] || echo \$\$ >"$top/\$1/cgroup.procs"
		"$T" counter 2 "\$2"
	END
	chmod +x go
	mkfifo in
	local p i
	"$PERF" trace -G "/$g" -e getppid --json -o o 2>err &
	p=$!
	for i in $(seq 100); do
		bpftool prog show | grep -q trace_enter && break
		sleep 0.05
	done
	sleep 0.3
	(echo | ./go "$g" 7; echo | ./go "$g/below" 5; echo | ./go "" 100) >/dev/null
	kill -INT $p
	wait $p
	rmdir "$top/$g/below" "$top/$g"
	# the shell that goes into the group makes some of its own
	[ "$(grep -c '"comm":"traced".*"syscall":"getppid"' o)" = $((2 * 7 + 2 * 5)) ]
	grep -q " 0 lost, " err
	run "$PERF" trace -G no-such-group
	[ "$status" = 125 ]
	[[ $output == *"cannot open cgroup 'no-such-group'"* ]]
}

@test "trace life: -C: calls on those CPUs, of a command as well" {
	[ "$(nproc)" -gt 1 ] || skip "one CPU"
	cat >go <<-END
		taskset -c 0 "$T" counter 1 10
		taskset -c 1 "$T" counter 1 30
	END
	for how in "" "--lossless -m 4K"; do
		"$PERF" trace $how -C 1 -e getppid --json -o o sh go >/dev/null 2>err
		[ "$(grep -c '"comm":"traced".*"syscall":"getppid"' o)" = 30 ]
		grep '"syscall"' o >calls
		not grep -v '"cpu":1,' calls
		grep -q " 0 lost, " err
	done
	run "$PERF" trace -C 4000 true
	[ "$status" = 125 ]
	run "$PERF" trace --block=ptrace -C 0 true
	[ "$status" = 125 ]
	[[ $output == *"-C needs the bpf engine"* ]]
}
