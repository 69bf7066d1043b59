# perf script beside Debian's perf: the same recordings, the same text.
load ../cli/common

setup_file() {
	[ "$(id -u)" = 0 ] && [ -x "$PEER" ] || return 0
	export DATA=$BATS_FILE_TMPDIR
	local record=("$PEER" record -q) kind

	for kind in bpf-output branch memory records sideband times; do
		"$WORKLOADS/script-data" $kind "$DATA/made-$kind.data"
	done
	cd "$DATA" || return
	"${record[@]}" -o cpu.data -e cpu-clock -F 5000 "$WORKLOADS/hotwarm" 0.3
	"${record[@]}" -o multi.data -e cpu-clock,page-faults,context-switches -d -W --sample-cpu ls -R /usr/include >/dev/null
	"${record[@]}" -o regs.data -I --user-regs=ax,ip,sp -e cpu-clock "$WORKLOADS/hotwarm" 0.1
	"${record[@]}" -o side.data --switch-events --namespaces --all-cgroups -e cpu-clock sh -c 'ls >/dev/null; ls >/dev/null'
	"${record[@]}" -o group.data -e '{cpu-clock,page-faults}:S' ls -R /usr/include >/dev/null
	"${record[@]}" -o z.data -z -e cpu-clock "$WORKLOADS/hotwarm" 0.1
	"${record[@]}" -o kernel.data -g -e cpu-clock:k dd if=/dev/zero of=/dev/null bs=1 count=50000 2>/dev/null
	"${record[@]}" -o - -e cpu-clock "$WORKLOADS/hotwarm" 0.1 >pipe.data
	traced -o sched.data -a -e 'sched:*' -- sh -c 'ls >/dev/null; ls >/dev/null'
	traced -o calls.data -e 'syscalls:*,raw_syscalls:*' -- ls -l /usr >/dev/null
	traced -o kernel-events.data -a -e 'kmem:kmalloc,timer:hrtimer_*,irq:*,block:*,workqueue:*,rcu:*' -- \
		dd if=/dev/zero of=x bs=1M count=4 conv=fsync 2>/dev/null
	traced -o chains.data -g -e sched:sched_waking -a -- ls -R /usr/include >/dev/null
}

# tracefs is mounted for this one command only, out of everybody's sight
traced() {
	unshare -m --propagation private sh -c \
		'[ -e /sys/kernel/tracing/events ] || mount -t tracefs none /sys/kernel/tracing; exec "$@"' sh "$PEER" record -q "$@"
}

setup() {
	[ "$(id -u)" = 0 ] || skip "recording needs root"
	[ -x "$PEER" ] || skip "no $PEER to compare with"
	cd "$DATA"
}

# same FILE ARGS...: byte for byte, and not nothing
same() {
	local f=$1

	shift
	"$PEER" script -i "$f" "$@" >theirs 2>/dev/null || [ $? = 141 ]
	"$PERF" script -i "$f" "$@" >ours 2>err
	[ -s theirs ] || { echo "nothing in $f with $*"; return 1; }
	cmp -s theirs ours || { echo "$f $*"; diff theirs ours | head -n 20; return 1; }
}

# Symbol names are left to the tests of symbols: aliases are chosen differently on purpose.
no_sym=-sym,-symoff

@test "default lines of software events" {
	for f in cpu multi regs side group z; do
		same $f.data -F $no_sym
	done
	same pipe.data -F $no_sym
}

@test "symbols of a program of one's own" {
	same cpu.data --comms hotwarm --dsos hotwarm
	same cpu.data --dsos hotwarm -F ip,sym
	same cpu.data --dsos hotwarm -F ip,sym,symoff,dso --ns -F +time
}

@test "call chains in the kernel" {
	same kernel.data --no-inline -F ip,dso
	same kernel.data --no-inline -F +time,$no_sym --max-stack 5
	same kernel.data -G -F $no_sym
}

@test "tracepoints" {
	for f in sched calls kernel-events; do
		same $f.data
		same $f.data -F event,trace
	done
	same chains.data -F $no_sym,-dso,-ip
	[ "$(grep -c 'sched_waking: ' ours)" -gt 0 ]
}

@test "fields" {
	same cpu.data -F pid,tid,time,misc
	same cpu.data -F +misc,$no_sym
	same cpu.data -F +flags,$no_sym
	same cpu.data -F ip,dso
	same cpu.data -F event,period
	same multi.data -F sw:+addr,-sym,-symoff,-dso
	same multi.data -F sw:+weight,$no_sym
	# of the program alone: for inlined code of libraries the peer names the wrong file
	same cpu.data -S hot,warm -F srccode,ip
	[ "$(grep -c '^|.*SPIN' ours)" -gt 1 ]
	same cpu.data -S hot,warm -F srcline,ip --full-source-path
	grep -q '^  /.*/hotwarm.c:[0-9]*$' ours
	same regs.data -F ip,iregs,uregs
	same regs.data -F iregs
	same made-branch.data -F +brstack
	same made-branch.data -F brstack
	same made-memory.data -F +misc
	same made-bpf-output.data -F -event
}

@test "times and filters" {
	local end

	same cpu.data --time 10%/2 -F time
	same cpu.data --time 20%-60% -F time --ns
	same cpu.data --time 10%/1,10%/3 -F time
	for slice in 1 2 9 10; do # samples at the very bounds of a slice
		same made-times.data --time 10%/$slice -F time
	done
	same cpu.data --reltime -F time
	same cpu.data --deltatime -F time --ns
	end=$("$PERF" script -i cpu.data -F time --ns | sed -n 50p | tr -d ' :')
	same cpu.data --time ",$end" -F time
	same cpu.data --time "$end," -F time
	same multi.data -C "$("$PERF" script -i multi.data -F cpu | sed -n '1s/[^0-9]//gp')" -F $no_sym
	same sched.data --comms ls
	same sched.data --pid "$("$PERF" script -i sched.data --comms ls -F pid | head -n 1 | tr -d ' ')"
}

@test "samples between two events, ends of chains, narrow lines, a file for each event" {
	same sched.data -F $no_sym --switch-on sched:sched_wakeup
	same sched.data -F $no_sym --switch-on sched:sched_wakeup --switch-off sched:sched_switch
	same sched.data -F $no_sym --switch-on sched:sched_wakeup --switch-off sched:sched_switch --show-on-off-events
	same sched.data -L -F comm,tid,cpu,time,event,trace
	same kernel.data --stop-bt el0_svc_common,do_syscall_64 -F comm,ip
	[ "$("$PERF" script -i kernel.data -F ip | wc -l)" -gt "$(wc -l <ours)" ]
	same kernel.data -S 0xffffffff81000000 --addr-range 16777216 -F ip,sym -G || [ ! -s theirs ]
	"$PEER" script --per-event-dump -i multi.data -F $no_sym >/dev/null 2>&1
	mkdir -p theirs.d
	mv multi.data.*.dump theirs.d
	"$PERF" script --per-event-dump -i multi.data -F $no_sym >said
	[ "$(grep -c '^\[ perf script: Wrote [0-9.]* MB multi.data.*.dump ([1-9][0-9]* samples) \]$' said)" -ge 2 ]
	[ "$(stat -c %a multi.data.page-faults.dump)" = 600 ]
	for f in theirs.d/*; do
		cmp "$f" "${f#theirs.d/}"
	done
}

@test "records that are no samples" {
	local show=(--show-task-events --show-mmap-events --show-switch-events --show-namespace-events
		--show-bpf-events --show-cgroup-events)

	for f in cpu side sched; do
		same $f.data -F $no_sym "${show[@]}"
	done
	# LOST_SAMPLES, which record may add, is shown here and not by that perf
	same made-sideband.data -F $no_sym "${show[@]}" --show-lost-events
	same side.data -F comm,tid,time "${show[@]}"
	same made-records.data -F +symoff "${show[@]}" --show-text-poke-events
	[ "$(grep -c TEXT_POKE ours)" = 2 ]
	grep -q 'TEXT_POKE ffffffffa0000040 bpf_trampoline_6442+0x40 old len 0 new len 1' ours
}

@test "-D" {
	for f in cpu regs group made-sideband made-branch made-memory; do
		"$PEER" script -i $f.data -D -F $no_sym 2>/dev/null | sed 's/FINISHED_INIT: unhandled!/FINISHED_INIT/' >theirs
		"$PERF" script -i $f.data -D -F $no_sym >ours
		cmp theirs ours || { diff -a theirs ours | head -n 20; return 1; }
	done
	# it has no name for the object of an out-of-line symbol, and says of a READ that it does nothing with it
	diff <("$PEER" script -i made-records.data -D 2>/dev/null | sed '/^: unhandled!/d; s/dso: $/dso: bpf_trampoline_6442/') \
		<("$PERF" script -i made-records.data -D 2>/dev/null)
}

@test "--header" {
	local other='^# (captured on|bpf_prog_info|	sub_prog)' # when it was copied; what else runs here

	"$PEER" script -i cpu.data --header-only 2>/dev/null | grep -vE "$other" >theirs
	"$PERF" script -i cpu.data --header-only | grep -vE "$other" >ours
	diff theirs ours
}

@test "JSON says what the lines say" {
	"$PERF" script -i chains.data --json >ours
	"$PEER" script -i chains.data -F comm,tid,cpu,time,trace --ns >theirs
	python3 - <<-'PY'
	import json
	theirs = open("theirs").read().split("\n")[:-1]
	ours = [json.loads(l) for l in open("ours")]
	assert len(theirs) == len(ours) > 0, (len(theirs), len(ours))
	for t, o in zip(theirs, ours):
	    line = "%16s %5d [%03d] %5d.%09d: %s" % (o["comm"], o["tid"], o["cpu"], o["time_ns"] // 10**9,
	                                             o["time_ns"] % 10**9, o["trace"])
	    assert line == t, (line, t)
	PY
}

@test "folded stacks hold every sample once" {
	local n

	n=$("$PERF" script -i kernel.data -F time | wc -l)
	"$PERF" script -i kernel.data --folded >ours
	[ "$(awk '{ s += $NF } END { print s }' ours)" = "$n" ]
	[ "$(sort ours | uniq -d | wc -l)" = 0 ]
	# the leaf of the most frequent stacks is what upstream finds at the sampled addresses
	diff <("$PEER" script -i kernel.data -G -F ip,sym 2>/dev/null | awk '{ print $2 }' | sort | uniq -c | sort -rn | head -n 3) \
		<(awk '{ n = $NF; sub(/ [0-9]+$/, ""); sub(/.*;/, ""); c[$0] += n } END { for (s in c) printf "%7d %s\n", c[s], s }' ours | sort -rn | head -n 3)
}
