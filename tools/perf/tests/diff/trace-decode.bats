#!/usr/bin/env bats
# What the arguments of the 150 most used calls are decoded to: side by side with strace, and the line's
# layout side by side with Debian's perf trace.
load ../cli/common.bash

setup() {
	[ "$(id -u)" = 0 ] || skip "needs root for BPF"
	cd "$BATS_TEST_TMPDIR"
}

@test "decoding: at least 95 % of the arguments that strace decodes; calls, results and counts of arguments the same" {
	command -v strace >/dev/null || skip "needs strace"
	run "$BATS_TEST_DIRNAME/../../../../scripts/decode-coverage" --perf "$PERF" --min 95
	echo "$output"
	[ "$status" = 0 ]
	[[ "$output" != *"differs:"* ]]
}

@test "decoding: all that strace decodes for ls" {
	command -v strace >/dev/null || skip "needs strace"
	run "$BATS_TEST_DIRNAME/../../../../scripts/decode-coverage" --perf "$PERF" --min 99 -- \
		ls -ld /etc /usr/bin /dev/null /nothing
	echo "$output"
	[ "$status" = 0 ]
}

# The line of Debian's perf: same call, same columns, same names of arguments. Its strings are addresses.
@test "decoding: names of arguments and columns as Debian's perf trace has them" {
	command -v /usr/bin/perf >/dev/null || skip "needs Debian's perf"
	unshare -m sh -c '{ mountpoint -q /sys/kernel/tracing || mount -t tracefs none /sys/kernel/tracing; } &&
		/usr/bin/perf trace -o theirs setarch -R "$0"' "$WORKLOADS/syscall-zoo" >/dev/null 2>&1 ||
		skip "Debian's perf cannot trace here (tracefs)"
	rm -rf -- created dir fifo* file ln* sock
	"$PERF" trace -o ours setarch -R "$WORKLOADS/syscall-zoo" >/dev/null 2>&1
	python3 - <<-'END'
	import re
	LINE = re.compile(r'^ *(\d+\.\d{3}|\?) \((?: *\d+\.\d{3} ms| {9})\): (\S+)/(\d+) (\w+)\((.*)\)( +)= (.*)$')
	def read(path):
	    calls = {}
	    for line in open(path, errors='replace'):
	        m = LINE.match(line.rstrip('\n'))
	        if m and 'continued' not in line:
	            names = re.findall(r'(?:^|, )(\w+): ', re.sub(r'"(?:[^"\\]|\\.)*"|\{[^{}]*\}|\[[^\]]*\]', 'x', m.group(5)))
	            calls.setdefault(m.group(4), []).append((names, m.group(0)))
	    return calls
	ours, theirs = read('ours'), read('theirs')
	common = set(ours) & set(theirs)
	assert len(common) >= 150, (len(common), sorted(set(theirs) - set(ours)))
	# prctl's and keyctl's further arguments are shown only where the option has them
	bad = []
	for name in sorted(common):
	    known = {n for names, _ in ours[name] for n in names}
	    for names, line in theirs[name]:
	        missing = [n for n in names if n not in known]
	        if missing:
	            bad.append((name, missing, line))
	            break
	for b in bad:  # shown should there be too many
	    print(*b)
	assert {b[0] for b in bad} <= {'prctl', 'keyctl'}, bad
	# the result's column: 70 behind the thread's name, where the call is short enough
	for path in ('ours', 'theirs'):
	    for line in open(path, errors='replace'):
	        m = LINE.match(line.rstrip('\n'))
	        if m and m.group(4) in ('brk', 'getuid', 'gettid', 'sched_yield'):
	            head = line.index(m.group(4) + '(')
	            assert line.rindex(' = ') + 1 - head == 70, line
	END
}
