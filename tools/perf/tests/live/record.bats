#!/usr/bin/env bats
# perf record: what is in the file, how it ends, and that nothing is lost in silence.
load ../cli/common

setup() {
	cd "$BATS_TEST_TMPDIR"
	export PERF WORKLOADS
	[ "$(id -u)" = 0 ] || skip "perf record of all this needs root"
}

teardown() {
	unspin
}

# size_of FILE: 0 when it is not there
size_of() {
	stat -c %s "$1" 2>/dev/null || echo 0
}
# grown FILE BYTES
grown() {
	[ "$(size_of "$1")" -ge "$2" ]
}

# The other perf mounts tracefs and leaves it: in a mount namespace of its own it may.
peer() {
	[ -x "$PEER" ] || skip "no other perf"
	unshare -m "$PEER" "$@"
}

# ledger FILE: emitted, arrived, lost of the summary; checks the sum.
ledger() {
	read -r emitted arrived lost < <(sed -n \
		's/^\[ perf record: \([0-9]*\) events emitted, \([0-9]*\) arrived, \([0-9]*\) lost \]$/\1 \2 \3/p' "$1")
	[ "$emitted" -eq $((arrived + lost)) ]
}

# captured FILE: the number of samples of the summary.
captured() {
	sed -n 's/.*Captured and wrote .* (\([0-9]*\) samples).*/\1/p' "$1"
}

# start_recording ARGS...: $PERF record of busy CPUs in the background (as $pid, messages in err), under way when this returns.
# stop_recording: ends it and waits.
start_recording() {
	local reply
	spin
	mkfifo ctl ack
	"$PERF" record -e cpu-clock "$@" --control fifo:ctl,ack 2>err 3>&- &
	pid=$!
	exec 7<>ack 8>ctl
	echo ping >&8
	read -r -t 30 -u 7 reply
}
stop_recording() {
	echo stop >&8
	exec 7<&- 8>&-
	wait $pid
}

@test "a tracepoint is counted to the last hit" {
	run -0 "$PERF" record -o d -e syscalls:sys_enter_getppid -- "$WORKLOADS/traced" counter 4 2500
	[[ $output == *"(10000 samples)"* ]]
	[ "$(peer script -i d 2>/dev/null | grep -c sys_enter_getppid)" = 10000 ]
	[ "$("$PERF" script -i d | grep -c sys_enter_getppid)" = 10000 ]
}

@test "page faults with -c 1: exactly those made, at their addresses" {
	run -0 "$PERF" record -o d -e faults:u -c 1 -d -- "$WORKLOADS/faults" 300
	peer script -i d -F comm,addr 2>/dev/null | awk '$1 == "faults" {print substr($2, 1, length($2) - 3)}' |
		sort | uniq -c >pages
	# 300 touched pages, each once (some more of the loader's)
	[ "$(awk '$1 == 1' pages | wc -l)" -ge 300 ]
}

@test "emitted = arrived + lost, with rings of one page too" {
	# The workload stops perf, all its threads, while it makes its calls: what the ring does not hold is lost.
	run_dd() {
		"$PERF" record -m "$1" -o d -e 'raw_syscalls:*' -- sh -c \
			'kill -STOP $PPID; dd if=/dev/zero of=/dev/null bs=1 count=5000 2>/dev/null; kill -CONT $PPID' 2>err
		ledger err
	}
	run_dd 8M
	[ "$lost" = 0 ]
	all=$emitted
	[ "$all" -gt 20000 ]
	run_dd 1
	[ "$lost" -gt 10000 ]
	# the same calls, whether they found room or not (the kernel tells of each event's since 6.0)
	[ "$emitted" = "$all" ]
	# and the file tells the same number
	[ "$(grep -o 'arrived, [0-9]* lost' err | grep -o '[0-9]*')" = "$lost" ]
	samples=$(captured err)
	[ "$(peer script -i d 2>/dev/null | wc -l)" = "$samples" ]
	grep -q "lost on CPU .*: raw_syscalls:sys_e" err
	in_file=$(peer report --stats -i d 2>/dev/null | awk '/^Aggregated/ {t = 1} /stats:/ && !/^Aggregated/ {t = 0}
		!t && /LOST_SAMPLES events:/ {n += $3} END {print n + 0}')
	[ "$in_file" = "$lost" ]
}

@test "the workload's exit code, and those of what cannot run" {
	run -7 "$PERF" record -o d -- sh -c 'exit 7'
	run -137 "$PERF" record -o d -- sh -c 'kill -9 $$'
	run -127 "$PERF" record -o d -- ./no/such
	[[ $output == *"cannot run './no/such': No such file"* ]]
	run -126 "$PERF" record -o d -- /etc/passwd
}

@test "Ctrl-C and SIGTERM end in a whole file, and in death by that signal" {
	spin
	for sig in INT TERM; do
		rm -f d
		"$PERF" record -e cpu-clock -a -o d 2>err 3>&- &
		pid=$!
		until_true 30 grown d 4096
		kill -$sig $pid
		rc=0
		wait $pid || rc=$?
		[ $rc = $((128 + $(kill -l $sig))) ]
		grep -q 'Captured and wrote' err
		ledger err
		peer report --stdio -i d >/dev/null 2>e2
		not grep -i 'trunc\|failed\|incompat\|not sorted' e2
	done
}

@test "after SIGKILL the file reads as far as it goes" {
	spin
	"$PERF" record -q -e cpu-clock -F 5000 -a -o d 3>&- &
	pid=$!
	until_true 60 grown d 1000000
	kill -9 $pid
	wait $pid || true
	run -0 --separate-stderr "$PERF" script -i d
	[ "${#lines[@]}" -gt 100 ]
}

@test "a target that ends, ends the recording; -p takes threads born later" {
	"$WORKLOADS/traced" threads 40 >/dev/null &
	wait $!
	mkfifo go ctl ack
	sh -c 'read -r _ <go; exec "$0" threads 40' "$WORKLOADS/traced" >/dev/null 3>&- &
	pid=$!
	timeout 60 "$PERF" record -o d -e syscalls:sys_enter_exit -D -1 --control fifo:ctl,ack -p $pid 2>err 3>&- &
	tool=$!
	exec 7<>ack
	echo enable >ctl
	read -r -t 30 -u 7 reply
	echo >go
	wait $tool
	exec 7<&-
	[ "$(captured err)" = 40 ]
}

@test "-D: nothing before, and ranges" {
	"$PERF" record -o d -e cpu-clock -F 1000 -D 100-400,1000-1150 -- "$WORKLOADS/hotwarm" 1.5 "$(nproc)" 2>err
	[ "$(grep -c 'Events enabled' err)" = 2 ]
	peer script -i d -F time 2>/dev/null | tr -d ': ' >t
	# a gap of about 600 ms between the two ranges, and no other
	[ "$(awk 'NR > 1 && $1 - p > 0.4 {n++} {p = $1} END {print n + 0}' t)" = 1 ]
	n=$(wc -l <t)
	[ "$n" -gt 60 ] && [ "$n" -lt $((600 * $(nproc))) ]
	run -129 "$PERF" record -D 20-10 -- true
	[[ $output == *"column 1"* ]]
}

@test "--control: enable, disable, ping with its ack, stop" {
	mkfifo ctl ack
	spin
	"$PERF" record -e cpu-clock -D -1 --control fifo:ctl,ack -a -o d 2>err 3>&- &
	pid=$!
	exec 7<>ack
	for cmd in ping enable evlist disable stop; do
		echo $cmd >ctl
		read -r -t 30 -u 7 reply
		reply=${reply//$'\0'/}
		[ "$reply" = ack ]
		[ $cmd != enable ] || sleep 0.2
	done
	wait $pid
	grep -q 'Events enabled' err
	grep -q '^cpu-clock$' err
	[ "$(captured err)" -gt 0 ]
}

@test "--filter, and an error that names the field" {
	"$PERF" record -o d -e syscalls:sys_enter_write --filter 'count == 777' -- \
		sh -c 'head -c 777 /dev/zero; head -c 776 /dev/zero' 2>err >/dev/null
	[ "$(captured err)" = 1 ]
	run -125 "$PERF" record -o d -e syscalls:sys_enter_write --filter 'cuont == 1' -- true
	[[ $output == *"no field 'cuont', did you mean 'count'?"* ]]
	run -129 "$PERF" record -o d -e cpu-clock --filter 'a == 1' -- true
	[[ $output == *"cpu-clock is none"* ]]
}

@test "each tracepoint has its own filter: sched, syscalls and block; both perfs print the same" {
	local block=()
	"$PERF" list 'block:block_rq_issue' 2>/dev/null | grep -q block_rq_issue &&
		block=(-e block:block_rq_issue --filter 'comm == "dd" && bytes >= 4096')
	"$PERF" record -q -a -o d -e sched:sched_switch --filter 'prev_comm == "dd" || next_comm == "dd"' "${block[@]}" \
		-e syscalls:sys_enter_openat --filter 'flags & 0x40' -- dd if=/dev/zero of=x bs=64K count=8 conv=fsync 2>/dev/null
	"$PERF" script -i d >ours
	grep -q 'sched:sched_switch' ours
	run ! grep 'sched:sched_switch' <(grep -v '=dd ' ours)
	# dd opens its output, which it may have to make; others may do so meanwhile
	grep -q '^ *dd .*sys_enter_openat:' ours
	run ! grep -E 'sys_enter_openat: .*flags: 0x00(08)?0000,' ours
	peer script -i d 2>/dev/null | diff - ours
}

@test "--exclude-perf leaves out both threads of perf" {
	"$PERF" record -o d -a -e 'raw_syscalls:sys_enter' --exclude-perf -- sleep 0.2 2>err
	[ "$(captured err)" -gt 0 ]
	"$PERF" record -o d2 -a -e 'raw_syscalls:sys_enter' --exclude-perf -- sh -c 'echo $PPID >ppid; sleep 0.2' 2>err
	"$PERF" script -i d2 -F pid >pids
	not grep -qw "$(cat ppid)" pids
}

@test "uprobes are tracepoints: probe_libc:malloc with a call chain" {
	cat >probe.sh <<-'END'
		set -e
		mountpoint -q /sys/kernel/tracing || mount -t tracefs none /sys/kernel/tracing
		libc=$(ldd /bin/sh | awk '/libc.so/ {print $3}')
		off=$(readelf -sW "$libc" | awk '$8 ~ /^malloc(@|$)/ {print $2; exit}')
		e=/sys/kernel/tracing/uprobe_events
		echo "p:probe_bats$$/malloc $libc:0x$off" >>$e
		trap 'echo "-:probe_bats$$/malloc" >>$e' EXIT
		"$PERF" record -g -o d -e probe_bats$$:malloc -- ls / >/dev/null
		"$PERF" script -i d >script
	END
	run -0 unshare -m bash probe.sh
	[[ $output == *samples\)* ]]
	grep -q 'probe_bats[0-9]*:malloc' script
}

@test "--switch-output by size: every file stands alone" {
	run -0 "$PERF" record -e cpu-clock -F 5000 -g -a --switch-output=150K -o sw -- "$WORKLOADS/hotwarm" 1.5 "$(nproc)"
	[ ! -e sw ]
	files=(sw.2*)
	[ ${#files[@]} -ge 2 ]
	total=0
	for f in "${files[@]}"; do
		n=$("$PERF" script -i "$f" -F time,event 2>/dev/null | grep -c cpu-clock)
		total=$((total + n))
		peer report --stdio -i "$f" >/dev/null
	done
	[ $total = "$(captured <(echo "$output"))" ]
}

@test "--switch-output by time and by signal: each file has the samples of its time, however few" {
	"$PERF" record -e cpu-clock -F 500 --switch-output=1s -o sw -- "$WORKLOADS/hotwarm" 3.5 2>err
	files=(sw.2*)
	[ ${#files[@]} -ge 3 ]
	last=0
	total=0
	for f in "${files[@]}"; do
		"$PERF" script -i "$f" -F time | tr -d ' :' >t
		total=$((total + $(wc -l <t)))
		[ "$f" = "${files[-1]}" ] || [ "$(wc -l <t)" -gt 20 ]
		# they follow one another
		awk -v last="$last" '$1 < last {bad = 1} END {exit bad}' t
		last=$(tail -n 1 t)
	done
	[ $total = "$(captured err)" ]
	start_recording -F 500 --switch-output -a -o sig
	sleep 0.4
	kill -USR2 $pid
	until_true 30 grep -q 'Dump sig' err
	stop_recording
	files=(sig.2*)
	[ ${#files[@]} = 2 ]
	[ "$("$PERF" script -i "${files[0]}" -F time | wc -l)" -gt 20 ]
}

@test "--overwrite: written at SIGUSR2 and at the end" {
	start_recording -F 1000 --overwrite --switch-output -a -o ow
	sleep 0.3
	kill -USR2 $pid
	until_true 30 grep -q 'Dump ow' err
	sleep 0.3
	stop_recording
	grep -q 'Dump ow\.2' err
	[ "$(ls ow.2* | wc -l)" = 2 ]
	for f in ow.2*; do
		"$PERF" script -i $f -F time | tr -d ' :' >t
		[ -s t ]
		sort -n -c t
	done
}

@test "--max-size ends it" {
	spin
	run -0 timeout 60 "$PERF" record -e cpu-clock -F 9999 -a --max-size 100K -o d
	[[ $output == *"perf size limit reached"* ]]
	run -0 "$PERF" script -i d
}

@test "a full disk: one clear error, and a file that reads" {
	cat >full.sh <<-'END'
		mkdir small
		mount -t tmpfs -o size=600k none small
		timeout 60 "$PERF" record -e cpu-clock -F 9999 -g -a -o small/d
		echo "rc $?"
		"$PERF" script -i small/d >script
		wc -l <script
	END
	spin
	run -0 unshare -m bash full.sh
	[[ $output == *"No space left on device"* ]]
	[[ $output == *"rc 125"* ]]
	[ "${lines[-1]}" -gt 100 ]
}

@test "-o -: a pipe into report, and a reader that goes away" {
	"$PERF" record -q -e cpu-clock -o - -- "$WORKLOADS/hotwarm" 0.2 | peer report --stdio -i - >r 2>e
	grep -qw hot r
	"$PERF" record -q -e cpu-clock -F 9999 -g -a -o - -- "$WORKLOADS/hotwarm" 0.5 | head -c 1000 >/dev/null
}

@test "--call-graph dwarf carries stack and registers" {
	"$PERF" record -q -e cpu-clock --call-graph dwarf,4096 -o d -- "$WORKLOADS/hotwarm" 0.2
	peer evlist -v -i d >v 2>/dev/null
	grep -q 'sample_stack_user: 4096' v
	peer script -i d --no-inline -F comm,ip,sym 2>/dev/null >s
	grep -q ' main' s
}

@test "what cannot be opened is named, with what helps" {
	run -129 "$PERF" record -e cpu-clock,cyclse -- true
	[[ $output == *"did you mean 'cycles'?"* ]]
	[[ $output == *$'\n            ^'* ]]
	run -129 "$PERF" record -F 0 -- true
	run -129 "$PERF" record -F 10 -c 10 -- true
	run -129 "$PERF" record -m 0 -- true
	run -129 "$PERF" record -k nosuch -- true
	run -129 "$PERF" record --call-graph foo -- true
	run -125 "$PERF" record -p 999999999 -o d
	run -125 "$PERF" record -p 4194303 -o d
	[[ $output == *"no process has the id 4194303"* ]]
	run -125 "$PERF" record -C 4095 -o d -- true
	[[ $output == *"CPU 4095 does not exist"* ]]
	run -125 "$PERF" record -a -p 1 -o d
	run -125 "$PERF" record -G no/such -o d -- true
	[[ $output == *"no/such"* ]]
	run -125 "$PERF" record -o ./no/x -- true
	[ ! -e d ]
}

@test "-F above the limit is clamped and said, or refused by --strict-freq" {
	run -0 "$PERF" record -F 1000000000 -e cpu-clock -o d -- true
	[[ $output == *"more than the kernel allows: using "* ]]
	run -125 "$PERF" record --strict-freq -F 1000000000 -e cpu-clock -o d -- true
}

@test "an ordinary user records user space of own processes, and is told so" {
	[ "$(cat /proc/sys/kernel/perf_event_paranoid)" = 2 ] || skip "perf_event_paranoid is not 2"
	chmod 755 . && mkdir -m 777 u
	cp "$PERF" p && chmod 755 p
	user=(setpriv --reuid=65534 --regid=65534 --clear-groups)
	run -0 "${user[@]}" ./p record -e cpu-clock -o u/d -- sh -c 'i=0; while [ $i -lt 50000 ]; do i=$((i+1)); done'
	[[ $output == *"cpu-clock measures user space only"* ]]
	run -0 "$PERF" evlist -f -i u/d
	[ "$output" = cpu-clock:u ]
	run -125 "${user[@]}" ./p record -a -o u/d2 -- true
	[[ $output == *perf_event_paranoid* ]]
	run -125 "${user[@]}" ./p record -p 1 -o u/d2
}

@test "many threads and events: the limit of open files is raised" {
	python3 -c '
import threading, time
def nap():
    for i in range(6000): time.sleep(0.01)
for i in range(39): threading.Thread(target=nap, daemon=True).start()
nap()' 3>&- &
	pid=$!
	forty() { [ "$(ls /proc/$pid/task | wc -l)" -ge 40 ]; }
	until_true 30 forty
	(
		ulimit -Sn 64
		"$PERF" record -e cs,faults -c 1 -p $pid -o d -- sleep 1 2>err
	)
	kill $pid
	grep -q 'limit of open files raised from 64' err
	[ "$(peer script -i d -F tid 2>/dev/null | sort -u | wc -l)" -ge 40 ]
}

@test "-G: only processes of that cgroup" {
	cat >cg.sh <<-'END'
		mkdir cg
		mount -t cgroup -o perf_event none cg 2>/dev/null || mount -t cgroup2 none cg || exit 42
		group=perf-bats-$$
		mkdir cg/$group || exit 42
		"$WORKLOADS/hotwarm" 60 >/dev/null 3>&- &
		pid=$!
		echo $pid >cg/$group/cgroup.procs
		"$PERF" record -e cpu-clock -F 500 -G $group -o d -- "$WORKLOADS/hotwarm" 0.4
		rc=$?
		kill $pid
		wait $pid 2>/dev/null
		rmdir cg/$group
		"$PERF" script -i d -F pid | sort -u >pids
		echo $pid >pid
		exit $rc
	END
	run unshare -m bash cg.sh
	[ "$status" != 42 ] || skip "no cgroup can be made here"
	[ "$status" = 0 ]
	[ "$(tr -d ' ' <pids)" = "$(cat pid)" ]
	run -125 "$PERF" record -e cpu-clock -G no/such -o d -- true
	[[ $output == *"no/such"* ]]
}

@test "the kernel's symbols are left ready for perf script, unless -N says no" {
	export XDG_CACHE_HOME=$PWD/cache
	mkdir cache
	for o in -N -B --all-user; do
		"$PERF" record -q -e cpu-clock $o -o d -- true
		[ -z "$(ls cache/perf 2>/dev/null)" ]
	done
	"$PERF" record -q -e cpu-clock:k -F 9999 -o d -- dd if=/dev/zero of=/dev/null bs=1 count=100000 2>/dev/null
	copy=$(ls cache/perf/kallsyms-*)
	[ "$(stat -c %a "$copy")" = 600 ]
	"$PERF" script -i d -F ip,sym >first
	grep -q 'vfs_read\|syscall' first
	# the same names without the copy
	rm -rf cache/perf
	"$PERF" script -i d -F ip,sym | diff first -
	XDG_CACHE_HOME=/nonexistent "$PERF" script -i d -F ip,sym | diff first -
}

@test "-u: processes of that user" {
	setpriv --reuid=65534 --clear-groups "$WORKLOADS/hotwarm" 60 >/dev/null 3>&- &
	pid=$!
	until_true 30 grep -q hotwarm /proc/$pid/comm
	"$PERF" record -q -e cpu-clock -u 65534 -o d -- sleep 0.5
	kill $pid
	"$PERF" script -i d -F pid | sort -u >pids
	grep -qw $pid pids
	run -125 "$PERF" record -u no-such-user -o d
	[[ $output == *"no user is called 'no-such-user'"* ]]
}
