# perf sample-bpf on programs whose answer is known.
load ../cli/common

setup() {
	out=$BATS_TEST_TMPDIR/out err=$BATS_TEST_TMPDIR/err
	[ "$(id -u)" = 0 ] || skip "BPF needs root"
}

# sample ARGS...: stdout to $out, messages to $err
sample() {
	"$PERF" sample-bpf "$@" >"$out" 2>"$err" || {
		local rc=$?
		cat "$out" "$err"
		return $rc
	}
}

# json PYTHON: asserts on j, with the ledger checked first; pct(name) is the share of a symbol
json() {
	python3 - "$out" "$1" <<-'PY'
		import json, sys
		j = json.load(open(sys.argv[1]))
		e = j["entries"]
		l = j["loss"]
		total = sum(x["count"] for x in e)
		assert l["emitted"] == l["arrived"] + sum(l["dropped"].values()), l
		for c in l["cpus"]:
		    assert c["emitted"] == c["arrived"] + sum(c["dropped"].values()), c
		if j["weight"] == "samples" and not j["left_out"]["rows"]:
		    assert total == l["arrived"] == j["samples"], (total, l)
		def count(name, **kw):
		    return sum(x["count"] for x in e if x.get("sym") == name and all(x[k] == v for k, v in kw.items()))
		def pct(name, **kw):
		    h, w = count("hot", **kw), count("warm", **kw)
		    return 100.0 * count(name, **kw) / (h + w)
		exec(sys.argv[2])
	PY
}

@test "3/4 hot, 1/4 warm: by symbol" {
	sample -F 999 -k sym --only --json -- "$WORKLOADS/hotwarm" 3
	json 'assert abs(pct("hot") - 75) <= 3, pct("hot"); assert count("hot") + count("warm") > 0.9 * total'
}

@test "3/4 hot, 1/4 warm: with stacks, which lead to main" {
	sample -F 999 -k sym -g --only --json -- "$WORKLOADS/hotwarm" 3
	json 'assert abs(pct("hot") - 75) <= 3, pct("hot")
good = sum(x["count"] for x in e if x["sym"] in ("hot", "warm") and "main" in [f["sym"] for f in x["stack"]])
assert good >= 0.98 * (count("hot") + count("warm")), (good, total, e[-8:])'
}

@test "3/4 hot, 1/4 warm: in each of two threads" {
	sample -F 999 -k tid,sym --only --json -- "$WORKLOADS/hotwarm" 3 2
	json 'tids = {x["tid"] for x in e if x["sym"] == "hot"}
assert len(tids) == 2, tids
for t in tids: assert abs(pct("hot", tid=t) - 75) <= 4, (t, pct("hot", tid=t))'
}

@test "the engine without BPF gives the same" {
	sample -F 999 -k sym --only --no-bpf --json -- "$WORKLOADS/hotwarm" 3
	json 'assert abs(pct("hot") - 75) <= 3, pct("hot")'
	sample -F 999 -g --only --no-bpf --json -- "$WORKLOADS/hotwarm" 2
	json 'assert abs(pct("hot") - 75) <= 4, pct("hot")
good = sum(x["count"] for x in e if x["sym"] in ("hot", "warm") and "main" in [f["sym"] for f in x["stack"]])
assert good >= 0.98 * (count("hot") + count("warm")), (good, total, e[-8:])'
}

@test "attached to a process by -p: all its threads" {
	"$WORKLOADS/hotwarm" 6 2 &
	local pid=$!
	sample -F 999 -k tid,sym -p $pid -d 2 --json
	kill $pid
	json 'tids = {x["tid"] for x in e if x["sym"] == "hot"}
assert len(tids) == 2, tids
assert {x["pid"] for x in e} == {'$pid'}
assert abs(pct("hot") - 75) <= 4'
}

@test "processes of 5 ms that are gone keep their names, and perf record agrees" {
	# both look at the same run: two runs of so short processes differ by themselves
	/usr/bin/perf record -q -a -e cpu-clock -F 4999 -o "$BATS_TEST_TMPDIR/data" -- \
		"$PERF" sample-bpf -F 4999 -k sym,dso,comm --json -o "$out" -- sh -c "for i in \$(seq 200); do $WORKLOADS/short-lived; done" 2>"$err"
	json 'mine = [x for x in e if x["comm"] == "short-lived" and not x["dso"].startswith("[kernel")]
n = sum(x["count"] for x in mine)
named = sum(x["count"] for x in mine if x["sym"] != "[unknown]")
work = sum(x["count"] for x in mine if x["sym"] == "short_lived_work")
assert n > 2000 and named >= 0.99 * n, (named, n, [x for x in mine if x["sym"] == "[unknown]"])
open("'"$BATS_TEST_TMPDIR"'/ours", "w").write(str(100.0 * work / n))'
	/usr/bin/perf script -i "$BATS_TEST_TMPDIR/data" --comm short-lived -F ip,sym,dso 2>/dev/null |
		python3 -c '
import sys
user = [l for l in sys.stdin if l.strip() and not l.split()[0].startswith("ffffffff")]
theirs = 100.0 * sum("short_lived_work" in l for l in user) / len(user)
ours = float(open(sys.argv[1]).read())
assert abs(ours - theirs) <= 3, (ours, theirs)
' "$BATS_TEST_TMPDIR/ours"
}

@test "images of one pid that execs on and on are told apart" {
	sample -F 999 -k sym,pid --only --json -- sh -c "$WORKLOADS/exec-chain-named 50 || [ \$? = 7 ]"
	json 'n = count("chain_work")
user = sum(x["count"] for x in e if x["sym"] == "[unknown]")
assert n >= 200 and user <= 0.01 * total, (n, user, total)'
}

@test "the sum of all counts is what arrived, in runs of every kind" {
	local args
	while read -r args; do
		# shellcheck disable=SC2086
		sample $args --json -- "$WORKLOADS/hotwarm" 0.3 2
		json 'assert total > 0'
	done <<-'EOF'
		-F 99 -a
		-F 999 -k ip
		-F 999 -k sym
		-F 999 -k dso
		-F 999 -k comm
		-F 999 -k pid
		-F 999 -k tid
		-F 999 -k cpu
		-F 999 -k cgroup
		-F 999 -k ip,sym,dso,comm,pid,tid,cpu,cgroup,event
		-F 4999 -g
		-F 4999 -g=user
		-F 4999 -g=kernel -k comm
		-F max -k sym
		-c 1000000
		-e page-faults -c 1 -k pid
		-e context-switches -c 1
		-e cpu-clock:u -F 999
		-e cpu-clock,page-faults -F 999
		-F 999 --only -k sym
		-F 999 --no-bpf -k sym,comm
		-F 999 --no-bpf -g
	EOF
}

@test "occurrences of an event are counted exactly" {
	sample -e page-faults:u -c 1 -k pid --only --json -- "$WORKLOADS/touch-pages" 5000
	json 'n = max(x["count"] for x in e)
assert 5000 <= n <= 5400, n'
}

@test "a tracepoint, with a filter: exact counts" {
	[ "$(uname -m)" = x86_64 ] || skip "call numbers of x86-64"
	sample -e syscalls:sys_enter_getppid -k comm --only --json -- perl -e 'syscall(110) for 1..1234'
	grep -q 'tracepoints are counted in user space' "$err"
	json 'assert total == 1234, total'
	sample -e syscalls:sys_enter_close --filter 'fd == 777' -k comm --only --json -- python3 -c 'import os
for i in range(100):
    for fd in (777, 778):
        try: os.close(fd)
        except OSError: pass'
	json 'assert total == 100, total'
	run -125 "$PERF" sample-bpf --strict -e sched:sched_switch -- true
}

@test "several events: a table each" {
	sample -e cpu-clock,page-faults -F 999 -k comm --json -- "$WORKLOADS/hotwarm" 0.5
	json 'assert j["events"] == ["cpu-clock", "page-faults"]
assert {x["event"] for x in e} == {"cpu-clock", "page-faults"}'
	sample -e cpu-clock,page-faults -F 999 -k comm -- "$WORKLOADS/hotwarm" 0.5
	grep -q '^# cpu-clock: ' "$out"
	grep -q '^# page-faults: ' "$out"
}

@test "200,000 distinct addresses: nothing lost, memory bounded" {
	local s=3
	[ -z "${PERF_TEST_FULL:-}" ] || s=60
	/usr/bin/time -o "$BATS_TEST_TMPDIR/mem" -f %M "$PERF" sample-bpf -F 4999 -k ip --only --json -- \
		"$WORKLOADS/many-addresses" $s >"$out" 2>"$err"
	json 'assert sum(l["dropped"].values()) == 0, l
n = len([x for x in e if x["sym"] == "many_addresses"])
assert n > 0.8 * min(total, 200000 * 0.5), (n, total)'
	[ "$(tail -1 "$BATS_TEST_TMPDIR/mem")" -lt 131072 ]
}

@test "weight by period" {
	sample -F 1000 -k sym --weight period --only --json -- "$WORKLOADS/hotwarm" 1
	json 'assert j["weight"] == "period"
# a period of cpu-clock at 1,000 Hz is 1,000,000 ns
assert total == 1000000 * j["samples"], (total, j["samples"])'
}

@test "text: heading, columns, order, ledger" {
	sample -F 99 -- "$WORKLOADS/hotwarm" 1
	head -1 "$out" | grep -qxF "Sampling cpu-clock at 99 Hertz on $(nproc) CPUs while '$WORKLOADS/hotwarm 1' runs. Ctrl-C also ends."
	sed -n 2p "$out" | grep -qE '^ADDR +SYMBOL +DSO +COUNT +%$'
	grep -qE '^ *[0-9a-f]+ hot +hotwarm +[0-9]+ +[0-9]+\.[0-9]{2}%$' "$out"
	tail -1 "$out" | grep -qE '^# [0-9]+ samples emitted, [0-9]+ arrived, [0-9]+ dropped'
	# ascending; with -r descending
	sed -n '3,$p' "$out" | grep -v '^#' | awk '{print $(NF-1)}' | sort -nc
	sample -r -F 99 -k sym -- "$WORKLOADS/hotwarm" 1
	sed -n '3,$p' "$out" | grep -v '^#' | awk '{print $(NF-1)}' | sort -rnc
}

@test "columns fit the terminal" {
	local c
	cd "$BATS_TEST_TMPDIR"
	for c in 46 60 100; do
		script -qec "stty cols $c; $PERF --no-pager sample-bpf -F 999 -n 20 --only -- $WORKLOADS/hotwarm 0.3" /dev/null >tty
		script -qec "stty cols $c; $PERF --no-pager sample-bpf -F 999 -n 20 -k comm,sym,dso --only -- $WORKLOADS/hotwarm 0.3" /dev/null >>tty
		# rows end in a share; the status line before them overwrites itself
		tr -d '\r' <tty | grep '[0-9]%$' | sed $'s/.*\e\[K//' >rows
		grep -qw hot rows
		awk -v c=$c 'length > c {print "too long:", length, $0; bad = 1} END {exit bad}' rows
	done
}

@test "-n keeps the hottest and says what it left out" {
	sample -F 999 -n 1 -k sym --only -- "$WORKLOADS/hotwarm" 1
	[ "$(grep -vc '^#' "$out")" = 3 ]
	grep -qE '^hot ' "$out"
	grep -qE '^# [0-9]+ colder rows with [0-9]+ of [0-9]+ left out$' "$out"
	sample -F 999 --percent-limit 50 -k sym --only -- "$WORKLOADS/hotwarm" 1
	grep -qE '^hot ' "$out"
	not grep -qE '^warm ' "$out"
}

@test "folded: comm, outermost first, count" {
	sample -F 999 -g=user --folded --only -- "$WORKLOADS/hotwarm" 1
	grep -qE '^hotwarm;.*;main;hot [0-9]+$' "$out"
	# every line: text, a blank, a number
	not grep -qvE ' [0-9]+$' "$out"
}

@test "user stacks: whole with frame pointers, no invented callers without" {
	local mode
	cd "$BATS_TEST_TMPDIR"
	[ "$(uname -m)" = x86_64 ] || skip "the walk is x86's"
	for mode in good zero heap loop signal; do
		sample -F 999 -g=user --folded --only -- "$WORKLOADS/frame-pointers" $mode 0.4
		grep ';spin ' "$out" >spin.$mode
		[ "$(awk '{n += $NF} END {print (n > 100)}' spin.$mode)" = 1 ]
	done
	not grep -vE "^frame-pointers;(.*;)?main;outer;spin [0-9]+$" spin.good
	not grep -vxE "frame-pointers;spin [0-9]+" spin.zero
	not grep -vxE "frame-pointers;spin [0-9]+" spin.heap
	not grep -vxE "frame-pointers;main;spin [0-9]+" spin.loop
	# through the signal's frame to the stack that it interrupted
	not grep -vE "^frame-pointers;.*;main;.*;on_signal;outer;spin [0-9]+$" spin.signal
}

@test "user stacks of a 32-bit program" {
	[ "$(uname -m)" = x86_64 ] || skip "a 32-bit x86 program"
	cd "$BATS_TEST_TMPDIR"
	cat >p.c <<-'END'
		__attribute__((noinline)) void spin32(void) { for (volatile int i = 0; i < 300000000; i++); }
		__attribute__((noinline)) void outer32(void) { spin32(); __asm__ volatile(""); }
		void _start(void) { outer32(); __asm__ volatile("mov $1, %eax; xor %ebx, %ebx; int $0x80"); }
	END
	gcc -m32 -O1 -fno-pic -no-pie -fno-omit-frame-pointer -nostdlib -static -o p p.c
	sample -F 999 -g=user --folded --only -- ./p
	grep ';spin32 ' "$out" >spin
	not grep -vE '^p;(.*;)?_start;outer32;spin32 [0-9]+$' spin
	[ "$(awk '{n += $NF} END {print (n > 50)}' spin)" = 1 ]
}

@test "-I prints and clears every interval" {
	sample -F 999 -I 300 -k sym --only --json -- "$WORKLOADS/hotwarm" 1
	python3 - "$out" <<-'PY'
		import json, sys
		d, text, n = json.JSONDecoder(), open(sys.argv[1]).read(), 0
		while text.strip():
		    j, end = d.raw_decode(text)
		    text = text[end:].lstrip()
		    n += 1
		    assert sum(x["count"] for x in j["entries"]) == j["loss"]["arrived"]
		    assert j["samples"] < 600
		assert n >= 3, n
	PY
}

@test "-o writes the file; exit code and output of the workload are its own" {
	run -3 "$PERF" sample-bpf -F 99 -o "$out" -- sh -c 'echo mine; exit 3'
	grep -qx mine <<<"$output"
	head -1 "$out" | grep -q '^Sampling '
	run -143 "$PERF" sample-bpf -F 99 -o "$out" -- sh -c 'kill $$'
	run -127 "$PERF" sample-bpf -F 99 -o "$out" -- ./not-there
	run -126 "$PERF" sample-bpf -F 99 -o "$out" -- /etc/passwd
}

@test "Ctrl-C and SIGTERM end in a complete report" {
	local sig
	for sig in INT TERM; do
		"$PERF" sample-bpf -F 99 -a --json >"$out" 2>"$err" &
		local pid=$!
		# the run has begun once its programs are loaded
		for _ in $(seq 100); do bpftool prog show 2>/dev/null | grep -q on_overflow && break; sleep 0.05; done
		sleep 0.3
		kill -s $sig $pid
		wait $pid
		json 'assert j["frequency"] == 99'
	done
}

@test "two runs side by side do not disturb each other" {
	"$PERF" sample-bpf -F 999 -k sym --only --json -- "$WORKLOADS/hotwarm" 2 >"$out.2" 2>/dev/null &
	sample -F 999 -k sym --only --json -- "$WORKLOADS/hotwarm" 2
	wait
	json 'assert abs(pct("hot") - 75) <= 5'
	mv "$out.2" "$out"
	json 'assert abs(pct("hot") - 75) <= 5'
}

# refused TEXT ARGS...: 125 or 129, and one line of error that says TEXT; nothing stays loaded
refused() {
	local want=$1
	shift
	run --separate-stderr "$PERF" sample-bpf "$@" -- true
	echo "$status: $stderr"
	[ "$status" = 125 ] || [ "$status" = 129 ]
	grep -v 'no hardware counters' <<<"$stderr" | grep -qF -- "$want"
}

@test "bad input: one clear error each, nothing left behind" {
	bpftool prog show -j | python3 -c 'import json,sys; print(sorted(p["id"] for p in json.load(sys.stdin) if p.get("name") == "on_overflow"))' >"$BATS_TEST_TMPDIR/before"
	refused "no such event" -e cyclse
	refused "not a frequency" -F 0
	refused "not a frequency" -F -5
	refused "999999" -p 999999
	refused "99" -C 99
	refused "unknown key 'sim', did you mean 'sym'?" -k sim
	refused "stacks are" -g=both2
	refused "cannot write /not/there/x" -o /not/there/x
	refused "exclude each other" -F 99 -c 7
	refused "nobody-at-all" -u nobody-at-all
	refused "no-such-group" -G no-such-group
	refused "number of seconds" -d -1
	run -125 --separate-stderr "$PERF" sample-bpf --strict -- true
	grep -q 'cannot sample cycles: no hardware counters' <<<"$stderr" || perf stat -e cycles true 2>&1 | grep -q '[0-9] *cycles'
	run -125 "$PERF" sample-bpf -F 99 --strict -e cpu-clock -F 1000000000 -- true
	sample -F 1000000000 -k sym --only --json -- "$WORKLOADS/hotwarm" 0.3
	grep -q 'perf_event_max_sample_rate' "$err"
	bpftool prog show -j | python3 -c 'import json,sys; print(sorted(p["id"] for p in json.load(sys.stdin) if p.get("name") == "on_overflow"))' >"$BATS_TEST_TMPDIR/after"
	diff "$BATS_TEST_TMPDIR/before" "$BATS_TEST_TMPDIR/after"
}

@test "a file size limit is an error that is said, and the workload's own signal" {
	local limited='ulimit -f 2; exec "$@"'
	run -125 bash -c "$limited" sh "$PERF" sample-bpf -e cpu-clock --json --only -o "$out" -- "$WORKLOADS/many-addresses" 1
	[[ $output == *"File too large"* ]]
	run -153 bash -c "$limited" sh "$PERF" sample-bpf -e cpu-clock -n 1 --only -- sh -c 'kill -XFSZ $$'
}

@test "a full disk is said; a reader that goes away is no fault" {
	run -125 --separate-stderr "$PERF" sample-bpf -F 99 -o /dev/full -- true
	grep -q 'No space left' <<<"$stderr"
	run -125 --separate-stderr sh -c '"$1" sample-bpf -F 99 -- true >/dev/full' - "$PERF"
	grep -q 'No space left' <<<"$stderr"
	sh -c '"$1" sample-bpf -F 999 -g -a -- "$2" 1; echo $? >"$3"' - "$PERF" "$WORKLOADS/hotwarm" "$BATS_TEST_TMPDIR/rc" 2>/dev/null | head -1
	[ "$(cat "$BATS_TEST_TMPDIR/rc")" = 0 ]
	run sh -c '"$1" sample-bpf -F 99 -- true >&-' - "$PERF"
	[ "$status" = 125 ] || [ "$status" = 0 ]
}

@test "an ordinary user: own processes, user space, with the message" {
	[ "$(cat /proc/sys/kernel/perf_event_paranoid)" = 2 ] || skip "perf_event_paranoid is not 2"
	local d
	d=$(mktemp -d /tmp/perf-user.XXXXXX)
	chmod 755 "$d"
	cp "$PERF" "$WORKLOADS/hotwarm" "$d"
	run --separate-stderr setpriv --reuid 65534 --regid 65534 --clear-groups "$d/perf" sample-bpf -F 999 -k sym --json -- "$d/hotwarm" 1
	rm -rf "$d"
	echo "$stderr"
	[ "$status" = 0 ]
	grep -q 'CAP_PERFMON' <<<"$stderr"
	grep -q 'the workload and its children alone' <<<"$stderr"
	grep -q 'in user space' <<<"$stderr"
	echo "$output" >"$out"
	json 'assert abs(pct("hot") - 75) <= 4; assert count("hot") + count("warm") > 0.9 * total'
}

@test "installed as perf-sample-bpf it is a stock perf's subcommand" {
	local d=$BATS_TEST_TMPDIR/bin
	mkdir "$d"
	ln -s "$PERF" "$d/perf-sample-bpf"
	PATH=$d:$PATH run --separate-stderr /usr/bin/perf sample-bpf -F 99 -- sleep 0.5
	[ "$status" = 0 ]
	head -1 <<<"$output" | grep -q '^Sampling cpu-clock at 99 Hertz'
}

# ends_with_second COMMAND...: with "-p A,B" appended it goes on when A is killed, and ends by itself when B is
ends_with_second() {
	"$WORKLOADS/hotwarm" 60 3>&- &
	local first=$!
	"$WORKLOADS/hotwarm" 60 3>&- &
	local second=$!
	"$@" -p $first,$second >"$out" 2>"$err" 3>&- &
	local tool=$!
	# its descriptors: when events are open, there is a ring
	for i in $(seq 100); do
		ls -l /proc/$tool/fd | grep -q perf_event && break
		sleep 0.1
	done
	sleep 0.5
	kill $first
	sleep 1.5
	kill -0 $tool || { cat "$err" "$out"; false; }
	kill $second
	for i in $(seq 100); do
		kill -0 $tool 2>/dev/null || break
		sleep 0.1
	done
	run ! kill -0 $tool
	wait $tool
}

@test "-p of two processes ends with the second of them" {
	ends_with_second "$PERF" sample-bpf -F 999 -k sym,pid
	grep '^# .* samples emitted' "$out"
}

@test "record -p of two processes ends with the second of them" {
	ends_with_second "$PERF" record -F 999 -e cpu-clock -o "$BATS_TEST_TMPDIR/data"
}

@test "few open files allowed: the limit is raised, and names are found" {
	(
		ulimit -Sn 30
		sample -F 999 -k sym --json -- "$WORKLOADS/hotwarm" 1
	)
	grep 'limit of open files raised from 30 to' "$err"
	json 'unknown = sum(x["count"] for x in e if x["sym"] == "[unknown]")
assert count("hot") > 0 and unknown < total, (unknown, total)'
}

@test "an event that never samples has an empty table; the others keep theirs" {
	sample -e dummy -d 0.1 -k sym
	grep 'dummy' "$out"
	sample -F 999 -e dummy,cpu-clock,dummy --only -k sym,event --json -- "$WORKLOADS/hotwarm" 1
	json 'assert total > 0 and {x["event"] for x in e} == {"cpu-clock"}, e'
}

@test "an interval's samples are those of its duration" {
	"$PERF" sample-bpf -F 999 -I 100 -d 1 -k sym --json >"$out" 2>"$err"
	python3 - "$out" <<-'PY'
		import json, sys
		text, at, n = open(sys.argv[1]).read(), 0, 0
		decoder = json.JSONDecoder()
		while at < len(text):
		    j, at = decoder.raw_decode(text, at)
		    at += len(text[at:]) - len(text[at:].lstrip())
		    n += 1
		    # a clock ticks late, never early
		    most = j["duration_s"] * 999 * j["cpus"]
		    assert j["samples"] <= most * 1.05 + 10, (n, j["samples"], most)
		assert n >= 2, n
	PY
}

@test "a command that ignores SIGTERM is killed by the second signal, and the report is whole" {
	"$PERF" sample-bpf -F 99 -k comm -- sh -c 'trap "" TERM INT; >"$1"; while :; do sleep 0.1; done' sh "$BATS_TEST_TMPDIR/ready" >"$out" 2>"$err" 3>&- &
	local tool=$!
	until_true 20 test -e "$BATS_TEST_TMPDIR/ready"
	kill -INT $tool
	sleep 1
	kill -0 $tool
	kill -INT $tool
	local rc=0
	wait $tool || rc=$?
	[ $rc = 137 ]
	grep '^# .* samples emitted' "$out"
}

@test "folded stacks of several events are kept apart" {
	sample -F 999 -e cpu-clock,page-faults/period=1/ --only --folded -- "$WORKLOADS/hotwarm" 1
	grep -E '^cpu-clock;hotwarm;.*hot [0-9]+$' "$out"
	grep -E '^page-faults/period=1/;hotwarm;' "$out"
	run ! grep -vE '^(cpu-clock|page-faults/period=1/);' "$out"
}

@test "the name of an event cannot write to the terminal" {
	sample -F 99 -e $'cpu-clock/name=\e[31mred/,faults' -d 0.1 -k comm
	run ! grep $'\e' "$out"
	grep -F '\x1b[31mred' "$out"
}
