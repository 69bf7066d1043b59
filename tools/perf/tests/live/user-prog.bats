# perf sample-bpf --bpf: the user's own overflow programs.
load ../cli/common

setup_file() {
	export OBJ=$BATS_FILE_TMPDIR SRC=$BATS_TEST_DIRNAME/../bpf
	local cc=(clang -O2 -target bpf -D__TARGET_ARCH_x86 -I"/usr/include/$(uname -m)-linux-gnu" -c)

	[ "$(id -u)" = 0 ] || return 0
	"${cc[@]}" -g "$SRC/classic.bpf.c" -o "$OBJ/classic.bpf.o"
	"${cc[@]}" -g -DUNTYPED "$SRC/classic.bpf.c" -o "$OBJ/untyped.bpf.o"
	"${cc[@]}" -DLEGACY_MAPS "$SRC/classic.bpf.c" -o "$OBJ/legacy.bpf.o"
	"${cc[@]}" -g -DLEGACY_MAPS "$SRC/classic.bpf.c" -o "$OBJ/legacy-g.bpf.o"
	"${cc[@]}" "$SRC/classic.bpf.c" -o "$OBJ/no-btf.bpf.o"
	"${cc[@]}" -g "$SRC/maps.bpf.c" -o "$OBJ/maps.bpf.o"
	"${cc[@]}" -g "$SRC/several.bpf.c" -o "$OBJ/several.bpf.o"
	"${cc[@]}" -g -DWITH_XDP "$SRC/several.bpf.c" -o "$OBJ/several-xdp.bpf.o"
	"${cc[@]}" -g -DWITH_TP "$SRC/several.bpf.c" -o "$OBJ/several-tp.bpf.o"
	"${cc[@]}" -g "$SRC/output.bpf.c" -o "$OBJ/output.bpf.o"
	"${cc[@]}" -g "$SRC/broken.bpf.c" -o "$OBJ/verifier.bpf.o"
	"${cc[@]}" -g -DHUGE_MAP "$SRC/broken.bpf.c" -o "$OBJ/huge.bpf.o"
	"${cc[@]}" -g -DNOT_FOR_EVENTS "$SRC/broken.bpf.c" -o "$OBJ/xdp.bpf.o"
}

setup() {
	[ "$(id -u)" = 0 ] || skip "BPF needs root"
}

# sample ARGS...: stdout to $out, the run's messages to $err
sample() {
	out=$BATS_TEST_TMPDIR/out err=$BATS_TEST_TMPDIR/err
	"$PERF" sample-bpf "$@" >"$out" 2>"$err" || {
		local rc=$?
		cat "$out" "$err"
		return $rc
	}
}

# json PYTHON: asserts on j (the object) with maps by name in m
json() {
	python3 - "$out" "$1" <<-'PY'
		import json, sys
		j = json.load(open(sys.argv[1]))
		m = {x["name"]: x.get("entries") for x in j["maps"]}
		g = {e["key"]: e["value"] for n in (".bss", ".data") for e in m.get(n) or []}
		l = j["loss"]
		assert l["emitted"] == l["arrived"] + sum(l["dropped"].values()), l
		exec(sys.argv[2])
	PY
}

# refused TEXT ARGS...: ends with 125 and one line of error that says TEXT
refused() {
	local want=$1
	shift
	run -125 --separate-stderr "$PERF" sample-bpf "$@" -- true
	echo "$stderr"
	[ "$(grep -c . <<<"$stderr")" = 1 ]
	grep -qF -- "$want" <<<"$stderr"
	[ -z "$output" ]
}

@test "ip-counter counts every sample under its address, three quarters in hot" {
	sample -F 999 --only --json --bpf "$B/examples/ip-counter.bpf.o" -- "$WORKLOADS/hotwarm" 2
	json '
assert j["programs"] == ["ip_counter"] and g["dropped"] == 0
n = sum(e["value"] for e in m["ips"])
assert n == j["samples"] == l["arrived"] and n > 50, (n, j["samples"])
by = {}
for e in m["ips"]:
    by[e["key"]["ip"]["sym"]] = by.get(e["key"]["ip"]["sym"], 0) + e["value"]
both = by["hot"] + by["warm"]
assert both > 0.8 * n and abs(by["hot"] / both - 0.75) < 0.02 + 4 * (0.75 * 0.25 / both) ** 0.5, by
assert all(e["key"]["pid"] == 0 or int(e["key"]["ip"]["addr"], 16) < 1 << 63 for e in m["ips"])
'
}

@test "ip-counter as text: the hottest last, the shares, the ledger" {
	sample -F 999 --only -n 2 --bpf "$B/examples/ip-counter.bpf.o" -- "$WORKLOADS/hotwarm" 1
	cat "$out"
	grep -qE '^Map ips \(hash, [0-9]+ entr' "$out"
	grep -qE '^ *PID ADDR +SYMBOL +DSO +COUNT +%$' "$out"
	[ "$(grep -cE '^ *[0-9]+ +[0-9a-f]+ (hot|warm) ' "$out")" -ge 2 ]
	grep -qE '^# [0-9]+ colder rows? with [0-9]+ of [0-9]+ left out$|^Map ips .hash, 2 entries' "$out"
	grep -qE '^dropped = 0$' "$out"
	grep -qE '^# ([0-9]+) samples emitted, \1 arrived, 0 dropped$' "$out"
	awk '/%$/ && $1 ~ /^[0-9]+$/ { if ($(NF-1) < last) exit 1; last = $(NF-1) }' "$out"
}

@test "thread-latency has a time between samples for all samples but each thread's first" {
	sample -F 999 --only --json --bpf "$B/examples/thread-latency.bpf.o" -- "$WORKLOADS/hotwarm" 1 3
	json '
assert len(m["latency_us"]) == 1
slots = m["latency_us"][0]["value"]["slots"]
assert sum(slots) == j["samples"] - 3, (slots, j["samples"])
assert m["_last"] is None
'
	sample -F 1500 --only --bpf "$B/examples/thread-latency.bpf.o" --bpf-var per_comm=true -- "$WORKLOADS/hotwarm" 1
	cat "$out"
	grep -qx 'comm = hotwarm:' "$out"
	grep -qE '^ +usecs +: count +distribution$' "$out"
	grep -qE '^ +512 -> 1023 +: [1-9][0-9]* +\|\** *\|$' "$out"
	grep -q 'Map _last (lru_hash): not printed' "$out"
}

@test "fault-addr counts each touched page once, under its process, though it is gone" {
	cd "$BATS_TEST_TMPDIR"
	sample -e page-faults -c 1 --json --bpf "$B/examples/fault-addr.bpf.o" -- \
		sh -c 'echo $$ >pid; exec "$0" 300' "$WORKLOADS/faults"
	json '
mine = [e for e in m["faults"] if e["key"]["pid"] == int(open("pid").read()) and e["key"]["comm"] == "faults"]
area = [e for e in mine if e["key"]["addr"]["sym"] == "touched_area"]
assert len(area) == 300 and all(e["value"] == 1 for e in area), len(area)
assert all(e["key"]["addr"]["dso"].endswith("/faults") for e in area)
assert sum(e["value"] for e in m["faults"]) == j["samples"]
'
	# Gone for several rounds of the collector.
	sample -e page-faults -c 1 --only --json --bpf "$B/examples/fault-addr.bpf.o" -- \
		sh -c '"$0" 50; sleep 3' "$WORKLOADS/faults"
	json 'assert sum(e["key"]["addr"]["sym"] == "touched_area" for e in m["faults"]) == 50'
	sample -e page-faults -c 1 --only --json --bpf "$B/examples/fault-addr.bpf.o" --bpf-var shift=13 \
		-- "$WORKLOADS/faults" 300
	json '
area = [e for e in m["faults"] if int(e["key"]["addr"]["addr"], 16) % 8192 == 0]
assert len(area) == len(m["faults"])
assert sum(1 for e in area if e["value"] == 2) >= 149
'
}

@test "the classic program loads and prints: typed, by sizes alone, and with maps from before BTF" {
	for o in classic untyped legacy legacy-g; do
		sample -F 999 --json --bpf "$OBJ/$o.bpf.o" -- "$WORKLOADS/hotwarm" 0.3
		json '
e = m["ip_map"]
# Its increment is not atomic: two CPUs at one address at one time count once.
assert 0 <= j["samples"] - sum(x["value"] for x in e) < 5 and j["samples"] > 50
assert any(x["key"]["dso"] == "[kernel.kallsyms]" and x["key"]["sym"] for x in e)
assert all(x["key"]["addr"].startswith("0x") for x in e)
assert [x["value"] for x in e] == sorted(x["value"] for x in e)
'
		sample -F 999 --bpf "$OBJ/$o.bpf.o" -- "$WORKLOADS/hotwarm" 0.3
		grep -qE '^ADDR +SYMBOL +DSO +COUNT +%$' "$out"
	done
}

@test "without a pid in the key, --only tells whose addresses they are" {
	sample -F 999 --only --json --bpf "$OBJ/classic.bpf.o" -- "$WORKLOADS/hotwarm" 0.5
	json 'assert sum(x["value"] for x in m["ip_map"] if x["key"]["sym"] == "hot") > j["samples"] / 3'
}

@test "every kind of map and global is printed by its type" {
	sample -e page-faults -c 1 --json --bpf "$OBJ/maps.bpf.o" --bpf-var set_bss=11 -- "$WORKLOADS/faults" 10
	json '
n = j["samples"]
assert g["runs"] == n and n > 10
assert g["slots"] == [0, 0, 5, 0, 0, 0, 0, 0]
assert [e["value"] for e in m["structs"]] == [{"count": 1, "negative": -1}, {"count": 3, "negative": -1}]
k = m["structs"][1]["key"]
assert k == {"comm": "a\tb", "number": -5, "where": {"addr": "0x1234", "sym": None, "dso": None}}, k
assert m["deep"] == [{"key": 3, "value": {"key": k, "list": [1, 2, 0, 0]}}]
assert m["per_cpu"] == [{"key": 3, "value": 2 * n}]
assert m["per_cpu_hash"] == [{"key": 9, "value": {"count": n, "negative": -n}}]
assert m["untyped"] == [{"key": "deadbeef0001", "value": 3}]
assert m["places"] == [{"key": 0x4321, "value": 11}]
assert m["queue"] == [{"value": 1}] * 4
assert m["ring"] is None
'
	sample -e page-faults -c 1 --bpf "$OBJ/maps.bpf.o" -- "$WORKLOADS/faults" 10
	cat "$out"
	grep -qE '^COMM +NUMBER WHERE +SYMBOL +DSO +COUNT +NEGATIVE$' "$out"
	grep -qE '^a\\tb +-5 +1234 \[unknown\] +\[unknown\] +3 +-1$' "$out"
	grep -qF '3: {key = {comm = "a\tb", number = -5, where = 0x1234}, list = [1, 2, 0 (2 times)]}' "$out"
	grep -qE '^Map per_cpu \(percpu_array, 1 of 8 entries not zero\)$' "$out"
	grep -qE '^de ad be ef 00 01 +3 +100\.00%$' "$out"
	grep -qE '^Map ring \(ringbuf\): nothing in it can be read from here$' "$out"
	grep -qE '^ +4 -> 7 +: 5 +\|\*{40}\|$' "$out"
}

@test "--address-key makes a key an address" {
	sample -e page-faults -c 1 --json --address-key places --bpf "$OBJ/maps.bpf.o" -- "$WORKLOADS/faults" 1
	json 'assert m["places"][0]["key"] == {"addr": "0x4321", "sym": None, "dso": None}'
	run -129 "$PERF" sample-bpf --address-key x -- true
}

@test "--bpf-var sets globals of every type" {
	sample -e page-faults -c 1 --json --bpf "$OBJ/maps.bpf.o" --bpf-var set_u8=255 --bpf-var set_s16=-32767 \
		--bpf-var set_u32=0xffffffff --bpf-var set_s64=-9223372036854775807 --bpf-var set_bool=true \
		--bpf-var set_mode=AUTO --bpf-var set_text=seven77 -- "$WORKLOADS/faults" 1
	json '
assert g["seen"] == {"u8": 255, "u32": 4294967295, "s16": -32767, "s64": 1 - (1 << 63), "mode": "AUTO",
                     "flag": True, "text": "seven77"}, g["seen"]
'
	refused "256 does not fit an unsigned 8-bit" --bpf "$OBJ/maps.bpf.o" --bpf-var set_u8=256
	refused "does not fit a signed 16-bit" --bpf "$OBJ/maps.bpf.o" --bpf-var set_s16=32768
	refused "one of its enumerators: OFF, ON, AUTO" --bpf "$OBJ/maps.bpf.o" --bpf-var set_mode=MAYBE
	refused "the text has 8 bytes, room is for 7" --bpf "$OBJ/maps.bpf.o" --bpf-var set_text=eight888
	refused "no global variable 'nope': it has" --bpf "$OBJ/maps.bpf.o" --bpf-var nope=1
	refused "is no integer, enum or char array" --bpf "$OBJ/maps.bpf.o" --bpf-var seen=1
}

@test "several programs: one named, one an event, or an error that names them" {
	sample -e page-faults -c 1 --json --bpf "$OBJ/several.bpf.o:second" -- "$WORKLOADS/faults" 50
	json 'assert g["second_runs"] == j["samples"] and g["first_runs"] == 0 and j["programs"] == ["second"]
assert j["chained"] == j["samples"]'
	sample -e page-faults,minor-faults -c 1 --only --json --bpf "$OBJ/several-xdp.bpf.o" -- "$WORKLOADS/faults" 50
	json 'assert g["first_runs"] >= g["second_runs"] >= 50 and g["first_runs"] + g["second_runs"] == j["samples"]'
	refused "has 2 programs (first, second) for 1 event: name one" -e page-faults --bpf "$OBJ/several.bpf.o"
	refused "has no program 'third': it has 'first'" -e page-faults --bpf "$OBJ/several.bpf.o:third"
	refused "program 'packet' of" -e page-faults --bpf "$OBJ/several-xdp.bpf.o:packet"
}

@test "a tracepoint takes a program of section tp/, system-wide" {
	sample -e sched:sched_process_fork -c 1 --json --bpf "$OBJ/several-tp.bpf.o:forked" -- \
		sh -c 'for i in 1 2 3 4 5 6 7; do /bin/true; done; :'
	json 'assert g["tp_runs"] >= 7 and g["tp_runs"] == j["samples"]'
	refused "is a tracepoint, where the kernel runs no perf_event programs" -e sched:sched_process_fork -c 1 \
		--bpf "$OBJ/classic.bpf.o"
	refused "would run for every process" -e sched:sched_process_fork -c 1 --only --bpf "$OBJ/several-tp.bpf.o:forked"
}

@test "objects that cannot be used: one line each, 125, nothing left loaded" {
	head -c 700 "$OBJ/classic.bpf.o" >"$OBJ/cut.o"
	echo 'int main;' >"$OBJ/text.o"
	: >"$OBJ/empty.o"
	refused "cannot open BPF object $OBJ/none.o: No such file" -e page-faults --bpf "$OBJ/none.o"
	refused "truncated" -e page-faults --bpf "$OBJ/cut.o"
	refused "is empty" -e page-faults --bpf "$OBJ/empty.o"
	refused "is not an ELF file" -e page-faults --bpf "$OBJ/text.o"
	refused "is an ELF file for machine" -e page-faults --bpf "$PERF"
	refused "is a directory" -e page-faults --bpf "$OBJ"
	refused "build it with clang -g" -e page-faults --bpf "$OBJ/no-btf.bpf.o"
	refused "no program in section perf_event: it has 'broken' (section xdp)" -e page-faults --bpf "$OBJ/xdp.bpf.o"
	refused "cannot load $OBJ/huge.bpf.o: map 'pb_huge': failed to create" -e page-faults --bpf "$OBJ/huge.bpf.o"
	refused "the kernel's verifier refuses program 'broken'" -e page-faults --bpf "$OBJ/verifier.bpf.o"
	grep -q LINE "$SRC/broken.bpf.c"
	line=$(grep -n 'LINE' "$SRC/broken.bpf.c" | cut -d: -f1)
	[[ $stderr == *"R1 invalid mem access"* ]]
	[[ $stderr == *"broken.bpf.c:$line: 'return *p;"* ]]
	# Maps are freed after a grace period.
	for i in $(seq 50); do
		left=$(bpftool map list | grep -E 'name pb_(huge|broken)' || true)
		left+=$(bpftool prog list | grep 'name broken' || true)
		[ -n "$left" ] || break
		sleep 0.1
	done
	[ -z "$left" ]
}

@test "-v has the verifier's whole log" {
	run -125 --separate-stderr "$PERF" sample-bpf -v -e page-faults --bpf "$OBJ/verifier.bpf.o" -- true
	grep -q 'processed .* insns' <<<"$stderr"
}

@test "options that contradict --bpf" {
	for o in -g "-k pid" "--weight period" --folded --no-bpf; do
		run -129 "$PERF" sample-bpf $o --bpf "$OBJ/classic.bpf.o" -- true
	done
	run -129 "$PERF" sample-bpf --bpf-var a=1 -- true
}

@test "-I prints the maps again and again" {
	sample -e page-faults -c 1 -I 200 --only --bpf "$B/examples/fault-addr.bpf.o" -- sh -c 'sleep 1; ls >/dev/null'
	[ "$(grep -c '^Map faults' "$out")" -ge 3 ]
}

@test "--record: what the program sends and lets through, as Debian's perf and ours print it" {
	[ -x "$PEER" ] || skip "no $PEER to compare with"
	cd "$BATS_TEST_TMPDIR"
	sample -e page-faults -c 1 --only --json --bpf "$OBJ/output.bpf.o" --record p.data -- "$WORKLOADS/faults" 100
	json 'assert g["failed"] == 0 and g["sent"] == g["runs"] == j["samples"] > 100 and j["chained"] == 0'
	json 'assert j["record"] == {"outputs": g["sent"], "samples": g["sent"] // 2, "lost": 0}'
	grep -qE "wrote p.data \([0-9.]+ MB\)$" "$err"
	[ "$(stat -c %a p.data)" = 600 ]
	"$PEER" evlist -i p.data >events
	printf '%s\n' page-faults dummy numbers words | diff - <(sed '/^#/d; s/^dummy:.*/dummy/' events)
	for f in bpf-output comm,tid,cpu,time,event,bpf-output event,period; do
		"$PEER" script -i p.data -F "$f" 2>/dev/null >peer.out
		"$PERF" script -i p.data -F "$f" 2>/dev/null >ours.out
		[ "$(wc -l <peer.out)" -gt 100 ]
		# Which of several names for one address is a library's is not this test's.
		for o in peer ours; do sed -E 's/ [^ ]+\+0x[0-9a-f]+ (\(\/usr\/lib)/ NAME \1/' $o.out >$o.txt; done
		diff peer.txt ours.txt | head -n 20
		cmp peer.txt ours.txt
	done
	"$PEER" script -i p.data -F event >peer.out
	runs=$(grep -o '"sent","value":[0-9]*' "$out" | grep -o '[0-9]*$')
	[ "$(grep -c words peer.out)" = $(((runs + 2) / 3)) ]
	[ "$(grep -c numbers peer.out)" = $((runs - (runs + 2) / 3)) ]
	[ "$(grep -c page-faults peer.out)" = $((runs / 2)) ]
	"$PEER" script -i p.data -F bpf-output 2>/dev/null >peer.out
	[ "$(grep -c 'BPF string: "hello from bpf"' peer.out)" = $(((runs + 2) / 3)) ]
	id=$(readelf -n "$WORKLOADS/faults" | sed -n 's/.*Build ID: //p')
	"$PEER" buildid-list -i p.data | grep -qx "$id $(realpath "$WORKLOADS/faults")"
	"$PEER" script -i p.data -D >peer.out 2>&1
	grep -q FINISHED_ROUND peer.out
	# The records of what ran before are those of Debian's perf.
	grep -qE 'PERF_RECORD_MMAP -1/0: \[0x[0-9a-f]+\(0x[0-9a-f]+\) @ 0x[0-9a-f]+\]: x \[kernel.kallsyms\]_s?text' peer.out
	grep -q 'PERF_RECORD_KSYMBOL .* name bpf_prog_[0-9a-f]*_send$' peer.out
	"$PEER" record -q -o peer.data -e cpu-clock -a -- true
	for f in peer p; do
		"$PEER" script -i $f.data -D 2>/dev/null | grep -E "^0 0 0x.*PERF_RECORD_(MMAP|MMAP2|COMM|FORK)" |
			grep -E ":$$/|MMAP2 $$/|FORK\($$:|MMAP -1" | sed -E 's/^.*PERF_REC/PERF_REC/; s/<[0-9a-f]*>/<>/' >$f.before
	done
	[ "$(wc -l <p.before)" -gt 5 ]
	diff peer.before p.before
}

@test "--record into a full disk or a place that cannot be written is an error" {
	refused "cannot create /nowhere/p.data" -e page-faults -c 1 --bpf "$OBJ/output.bpf.o" --record /nowhere/p.data
	run -125 --separate-stderr "$PERF" sample-bpf -e page-faults -c 1 --bpf "$OBJ/output.bpf.o" --record /dev/full -- true
	grep -q 'No space left' <<<"$stderr"
	run -129 "$PERF" sample-bpf --record x -- true
	run -129 "$PERF" sample-bpf --bpf "$OBJ/output.bpf.o" --record - -- true
}
