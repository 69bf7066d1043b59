# perf script: lines, fields, filters and formats, on recordings made by build/workloads/script-data.
load common

setup_file() {
	export DATA=$BATS_FILE_TMPDIR
	local kind

	for kind in bpf-output branch future memory names sideband times; do
		"$WORKLOADS/script-data" $kind "$DATA/$kind.data"
	done
}

script() {
	run --separate-stderr "$PERF" script "$@"
}

# lines TEXT: the output is exactly this
lines() {
	diff <(printf '%s\n' "$output") - <<<"$1"
}

@test "a bpf-output line: bytes in hex and, where there is one, the string" {
	script -i "$DATA/bpf-output.data" -F -event
	[ "$status" = 0 ]
	lines "$(printf '%s\n' \
		'          writer   100 [000]     3.000000:       1000              1000 [unknown] ([unknown])' \
		$'      BPF output: 0000: 17 de ad be ef 00 00 00  .\xde\xad\xbe\xef...' \
		'                  0008: 00 00 00 00              ....    ' \
		'' \
		'          writer   100 [001]     3.000001:       1000              1000 [unknown] ([unknown])' \
		'      BPF output: 0000: 52 61 69 73 65 20 61 20  Raise a ' \
		'                  0008: 42 50 46 20 65 76 65 6e  BPF even' \
		'                  0010: 74 21 00 00 00 00 00 00  t!......' \
		'                  0018: 00 00 00 00              ....    ' \
		'      BPF string: "Raise a BPF event!"' \
		'' \
		'          writer   100 [001]     3.000002:       1000              1000 [unknown] ([unknown])' \
		'      BPF output: 0000: 61 62 01 63              ab.c    ' \
		'' \
		'          writer   100 [001]     3.000003:       1000              1000 [unknown] ([unknown])' \
		'      BPF output: 0000: 00 00 00 00              ....    ' \
		'      BPF string: ""')"
}

@test "-F bpf-output is listed in the help and known" {
	script -h
	[[ $output == *bpf-output* ]]
	script -i "$DATA/bpf-output.data" -F sw:bpf-output
	[ "$status" = 0 ]
	[[ $output == *'BPF string: "Raise a BPF event!"'* ]]
}

@test "branch stacks" {
	script -i "$DATA/branch.data" -F brstack
	[ "$status" = 0 ]
	lines "$(printf '%s\n' '' ' 0x400000/0x400100/-/-/-/1/COND ' \
		' 0x400000/0x400100/-/-/-/2/UNCOND  0x400010/0x400110/M/-/-/3/IND ' \
		' 0x400000/0x400100/-/-/-/3/IND  0x400010/0x400110/M/-/-/4/CALL  0x400020/0x400120/P/-/-/5/IND_CALL ')"
}

@test "memory samples: address, data source, weight, page sizes" {
	script -i "$DATA/memory.data" -F addr,data_src,weight,phys_addr,data_page_size,code_page_size
	[ "$status" = 0 ]
	[ "${lines[1]}" = "    7f0000001e01        68100142 |OP LOAD|LVL L1 hit|SNP None|TLB L1 or L2 hit|LCK No|BLK  N/A            1000        12345000 2M 64K" ]
	[ "${lines[2]}" = "    7f0000001e02        6a100142 |OP LOAD|LVL L1 hit|SNP None|TLB L1 or L2 hit|LCK Yes|BLK  N/A            2000        2468a000 1024M 4K" ]
}

@test "names with blanks, brackets, semicolons and control characters" {
	script -i "$DATA/names.data" -F comm,tid
	lines "$(printf '%s\n' '     a b [c] (d)   100 ' '      semi;colon   101 ' '        tab\there   102 ' \
		'        \x1b[31mred   103 ' '      back\slash   104 ' '                   105 ' '            :999   999 ')"
}

@test "-L: names cut to eight columns" {
	script -i "$DATA/names.data" -L -F comm,tid
	[ "${lines[0]}" = "a b [c]    100 " ]
	[ "${lines[5]}" = "           105 " ]
}

@test "folded stacks come apart in one way only" {
	script -i "$DATA/names.data" --folded
	[ "$status" = 0 ]
	lines "$(printf '%s\n' 'a b [c] (d);[unknown] 1' 'semi\073colon;[unknown] 1' 'tab\011here;[unknown] 1' \
		'\033[31mred;[unknown] 1' 'back\134slash;[unknown] 1' ';[unknown] 1' ':999;[unknown] 1')"
}

@test "records that are no samples" {
	script -i "$DATA/sideband.data" --show-task-events --show-mmap-events --show-switch-events \
		--show-lost-events --show-namespace-events --show-bpf-events --show-cgroup-events -F comm,tid,cpu,time,ip,dso
	[ "$status" = 0 ]
	lines "$(printf '%s\n' \
		'          parent   100 [000]     0.000001: PERF_RECORD_COMM: parent:100/100' \
		'          parent   100 [001]     0.000002: PERF_RECORD_FORK(101:101):(100:100)' \
		'           child   101 [001]     0.000003: PERF_RECORD_COMM exec: child:101/101' \
		'           child   101 [001]     0.000004: PERF_RECORD_MMAP 101/101: [0x1000(0x2000) @ 0]: x /nonexistent/bin' \
		'           child   101 [001]     0.000005: PERF_RECORD_MMAP2 101/101: [0x7000(0x2000) @ 0x3000 08:01 77 5]: r-xp /nonexistent/lib with blank' \
		'           child   101 [001]     0.000006: PERF_RECORD_SWITCH OUT        ' \
		'           child   101 [001]     0.000007: PERF_RECORD_SWITCH_CPU_WIDE IN           prev pid/tid:   100/100  ' \
		'           child   101 [001]     0.000008: PERF_RECORD_LOST lost 17' \
		'           child   101 [001]     0.000008: PERF_RECORD_KSYMBOL addr ffffffffa0000000 len 100 type 2 flags 0x1 name bpf_prog_x' \
		'           child   101 [001]     0.000008: PERF_RECORD_BPF_EVENT type 1, flags 2, id 3' \
		'           child   101 [001]     0.000008: PERF_RECORD_CGROUP cgroup: 55 /sys.slice/a b' \
		'           child   101 [001]     0.000008: PERF_RECORD_NAMESPACES 101/101 - nr_namespaces: 2' \
		$'\t\t[0/net: 4/0xeffffff9, 1/uts: 4/0xeffffffe]' \
		'           child   101 [001]     3.000000:              1500 (/nonexistent/bin)' \
		'           child   101 [001]     3.000000:              7500 (/nonexistent/lib with blank)' \
		'           child   101 [001]     3.000009: PERF_RECORD_EXIT(101:101):(100:100)')"
}

@test "--switch-off alone, events that are not there, -d" {
	script -i "$DATA/times.data" --switch-off cpu-clock:HG -F time
	[ "$status" = 0 ] && [ -z "$output" ]
	script -i "$DATA/times.data" --switch-off cpu-clock:HG --show-on-off-events -F time
	lines "    5.000000: "
	script -i "$DATA/times.data" --switch-on faults
	[ "$status" = 125 ]
	[[ $stderr == *"--switch-on: there is no event 'faults' in the recording"* ]]
	script -i "$DATA/times.data" -d
	[ "$status" = 0 ] && [ -z "$output" ]
	[[ $stderr == *"Misordered timestamps: 0"* ]]
	script -i "$DATA/times.data" --switch-on a --switch-off a
	[ "$status" = 129 ]
	script -i "$DATA/times.data" --folded --per-event-dump
	[ "$status" = 129 ]
}

@test "scripts, object filters and hardware traces go to the next perf on PATH" {
	local bin=$BATS_TEST_TMPDIR/bin
	mkdir "$bin"
	printf '#!/bin/sh\necho "other: $*"\n' >"$bin/perf"
	chmod +x "$bin/perf"
	for args in "-s x.py" "-l" "--itrace=i0ns -F insn" "report rwtop" "-g python" "--dlfilter=f.so -i x"; do
		# shellcheck disable=SC2086
		PATH=$bin:/bin:/usr/bin script $args
		[ "$output" = "other: script $args" ]
	done
	run -125 env PATH="$BATS_TEST_TMPDIR" "$PERF" script -s x.py
	[[ $output == *"'-s' is not done here"* ]]
}

@test "records of kernels and tools to come are skipped and counted" {
	script -i "$DATA/future.data" -F comm,ip
	[ "$status" = 0 ]
	[ "$output" = "           child              1000" ]
	[[ $stderr == *"2 records of unknown type, skipped"* ]]
}

@test "--time: seconds, slices, percentages" {
	script -i "$DATA/times.data" -F time --time 5.1,5.2
	[ "${#lines[@]}" = 11 ]
	[ "${lines[0]}" = "    5.100000: " ]
	[ "${lines[10]}" = "    5.200000: " ]
	script -i "$DATA/times.data" -F time --time 5.95,
	[ "${#lines[@]}" = 6 ]
	script -i "$DATA/times.data" -F time --time ,5.02
	[ "${#lines[@]}" = 3 ]
	script -i "$DATA/times.data" -F time --time '5.1,5.11 5.5,5.51'
	[ "${#lines[@]}" = 4 ]
	script -i "$DATA/times.data" -F time --time 10%/2
	[ "${#lines[@]}" = 10 ]
	[ "${lines[0]}" = "    5.100000: " ]
	script -i "$DATA/times.data" -F time --time 0%-10%,90%-100%
	[ "${#lines[@]}" = 21 ]
	[ "${lines[20]}" = "    6.000000: " ]
	# all slices together are all samples, none twice
	[ "$(for i in $(seq 10); do "$PERF" script -i "$DATA/times.data" -F time --time 10%/$i; done | sort -u | wc -l)" = 101 ]
	[ "$(for i in $(seq 10); do "$PERF" script -i "$DATA/times.data" -F time --time 10%/$i; done | wc -l)" = 101 ]
}

@test "--time that makes no sense" {
	for t in foo 5,3 120%/1 10%/20 5%-3% 5 1.2.3,4 '1,5 3,7' %/1 -5,; do
		script -i "$DATA/times.data" --time "$t"
		[ "$status" != 0 ]
		[[ $stderr == *time* ]]
		[ "${#stderr_lines[@]}" = 1 ]
	done
	script -i "$DATA/names.data" --time 10%/1
	[ "$status" = 125 ]
	[[ $stderr == *'does not tell the times'* ]]
}

@test "times: --ns, --reltime, --deltatime" {
	script -i "$DATA/times.data" -F time --ns --time 5.01,5.03
	lines "$(printf '%s\n' '    5.010000000: ' '    5.020000000: ' '    5.030000000: ')"
	script -i "$DATA/times.data" -F time --reltime --time 5.01,5.03
	lines "$(printf '%s\n' '    0.000000: ' '    0.010000: ' '    0.020000: ')"
	script -i "$DATA/times.data" -F time --deltatime --time 5.01,5.03
	lines "$(printf '%s\n' '    0.000000: ' '    0.010000: ' '    0.010000: ')"
	script -i "$DATA/times.data" --reltime --deltatime
	[ "$status" = 129 ]
}

@test "only some CPUs, processes, threads, names, symbols, objects" {
	script -i "$DATA/times.data" -F cpu -C 1
	[ "${#lines[@]}" = 50 ]
	[ "${lines[0]}" = "[001] " ]
	script -i "$DATA/times.data" -F tid --tid 101,102
	[ "${#lines[@]}" = 67 ]
	script -i "$DATA/times.data" -F pid --pid 100
	[ "${#lines[@]}" = 34 ]
	script -i "$DATA/times.data" -F comm --comms clock
	[ "${#lines[@]}" = 34 ]
	script -i "$DATA/sideband.data" -F ip --dsos bin
	lines "             1500"
	script -i "$DATA/sideband.data" -F ip --dsos '/nonexistent/lib with blank'
	lines "             7500"
	script -i "$DATA/sideband.data" -F ip -S nothing
	[ "$status" = 0 ]
	[ -z "$output" ]
	for bad in '-C x' '--pid 1x' '--tid ,-3' '-C 3-1'; do
		script -i "$DATA/times.data" $bad
		[ "$status" != 0 ]
		[ "${#stderr_lines[@]}" = 1 ]
	done
}

@test "-F: what is not there, or makes no sense, is said" {
	script -i "$DATA/names.data" -F addr
	[ "$status" = 125 ]
	[[ $stderr == *"do not have ADDR attribute set. Cannot print 'addr' field."* ]]
	script -i "$DATA/names.data" -F comm,+ip
	[ "$status" = 129 ]
	[[ $stderr == *'Cannot mix +-field with overridden fields'* ]]
	script -i "$DATA/names.data" -F nosuch
	[ "$status" = 129 ]
	[[ $stderr == *"invalid field 'nosuch'"* ]]
	script -i "$DATA/names.data" -F nosuch:comm
	[ "$status" = 129 ]
	[[ $stderr == *"invalid event type 'nosuch'"* ]]
	script -i "$DATA/names.data" -F ''
	[ "$status" = 129 ]
	[[ $stderr == *"Cannot set fields to 'none'"* ]]
	script -i "$DATA/names.data" -F sw:trace
	[ "$status" = 129 ]
	[[ $stderr == *"'trace' not valid for software events."* ]]
	script -i "$DATA/names.data" -F trace:comm
	[ "$status" = 125 ]
	[[ $stderr == *'tracepoint events do not exist.'* ]]
	script -i "$DATA/names.data" -F comm,symoff
	[ "$status" = 125 ]
	[[ $stderr == *'Display of offsets requested but symbol is not selected.'* ]]
	script -i "$DATA/names.data" -F comm,srcline
	[ "$status" = 125 ]
	[[ $stderr == *'Display of source line number requested'* ]]
	script -i "$DATA/names.data" -F comm -F tid
	[ "$status" = 0 ]
	[[ $stderr == *'Overriding previous field request for all events.'* ]]
	[ "${lines[0]}" = "  100 " ]
}

@test "-F +field and -field change the defaults" {
	script -i "$DATA/times.data" -F -ip,-sym,-symoff,-dso,-event,-period,+pid --time ,5
	lines "           clock   100/100   [000]     5.000000: "
	script -i "$DATA/times.data" -F sw:comm --time ,5
	lines "           clock "
}

@test "JSON: one object a line, every one of them valid" {
	for kind in bpf-output branch memory names sideband times; do
		"$PERF" script -i "$DATA/$kind.data" --json --show-task-events --show-mmap-events --show-switch-events \
			--show-lost-events --show-bpf-events --show-cgroup-events --show-namespace-events 2>/dev/null |
			python3 -c 'import json, sys
n = [json.loads(l) for l in sys.stdin]
assert n and all(o["type"] for o in n)'
	done
	script -i "$DATA/times.data" --json --time ,5
	lines '{"type":"sample","comm":"clock","pid":100,"tid":100,"cpu":0,"time_ns":5000000000,"event":"cpu-clock:HG","period":1000,"ip":"0x1000","sym":null,"dso":null}'
	"$PERF" script -i "$DATA/bpf-output.data" --json | python3 -c 'import json, sys
n = [json.loads(l) for l in sys.stdin]
assert n[1]["bpf_string"] == "Raise a BPF event!", n[1]
assert n[0]["bpf_output"] == "17deadbeef00000000000000", n[0]
assert "bpf_string" not in n[2]'
}

@test "-D: bytes and words of every record" {
	script -i "$DATA/sideband.data" -D
	[ "$status" = 0 ]
	[ "$(grep -c 'raw event: size' <<<"$output")" = 15 ]
	grep -qF '.  0010:  70 61 72 65 6e 74 00 00 64 00 00 00 64 00 00 00  parent..d...d...' <<<"$output"
	grep -qE '^1 8000 0x[0-9a-f]+ \[0x30\]: PERF_RECORD_LOST: id:0: lost:17$' <<<"$output"
	grep -qE '^1 3000000000 0x[0-9a-f]+ \[0x30\]: PERF_RECORD_SAMPLE\(IP, 0x2\): 101/101: 0x1500 period: 1000 addr: 0$' <<<"$output"
}

@test "a reader that has seen enough is no error; a full disk is" {
	bash -c 'set -o pipefail; "$0" script -i "$1" | head -1 >/dev/null' "$PERF" "$DATA/times.data"
	run --separate-stderr bash -c '"$0" script -i "$1" >/dev/full' "$PERF" "$DATA/times.data"
	[ "$status" = 125 ]
	[[ $stderr == *'No space left'* ]]
}

@test "what is no recording" {
	script -i "$DATA/none"
	[ "$status" = 125 ]
	[[ $stderr == *"$DATA/none"*'No such file'* ]]
	: >"$DATA/empty"
	script -i "$DATA/empty"
	[ "$status" = 125 ]
	[ "${#stderr_lines[@]}" = 1 ]
	head -c 200 "$DATA/times.data" >"$DATA/cut"
	script -i "$DATA/cut"
	[ "$status" = 125 ]
	[ "${#stderr_lines[@]}" = 1 ]
	script nothing
	[ "$status" = 129 ]
	script --json --folded -i "$DATA/times.data"
	[ "$status" = 129 ]
}

@test "recordings of other machines: no name of this host's kernel" {
	local f=${FIXTURES:-$BATS_TEST_DIRNAME/../../../../../shared/fixtures}/perf.data.group_desc-4.14

	[ -r "$f" ] || skip "the fixtures are not here"
	script -f -i "$f"
	[ "$status" = 0 ]
	[ "$(grep -c '\[kernel.kallsyms\]' <<<"$output")" = 11 ]
	[ "$(grep -c '\[unknown\] (\[kernel.kallsyms\])' <<<"$output")" = 11 ]
	[[ $stderr == *'another kernel (4.14.18'*'without names'* ]]
}
