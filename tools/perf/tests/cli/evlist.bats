#!/usr/bin/env bats
# run under sanitizers
# perf evlist and perf buildid-list: beside Debian's perf on the same files.
load common

setup() {
	export PERF
	cd "$BATS_TEST_TMPDIR" || return
}

# The recordings of other perfs, where they are.
fixtures() {
	FIXTURES=${FIXTURES:-$BATS_TEST_DIRNAME/../../../../../shared/fixtures}
	[ -d "$FIXTURES" ] || skip "needs the recordings of other perfs in \$FIXTURES"
}

need_peer() {
	[ -x "$PEER" ] || skip "needs Debian's perf"
	[ "$(id -u)" = 0 ] || skip "needs root"
}

# same ARGS...: both perfs print the same
same() {
	"$PEER" "$@" >theirs 2>/dev/null
	"$PERF" "$@" >ours
	diff theirs ours
}

@test "evlist and buildid-list print what Debian's perf prints for its recordings" {
	need_peer
	"$PEER" record -q -o a.data -e cpu-clock -c 1000000 ls / >/dev/null
	"$PEER" record -q -o g.data -e '{cpu-clock,page-faults}' -e context-switches:u -g ls / >/dev/null
	"$PEER" record -q -o b.data -B -e cpu-clock -c 1000000 ls / >/dev/null
	"$PEER" record -q -o m.data --buildid-mmap -e cpu-clock -c 1000000 ls / >/dev/null
	"$PEER" record -q -o z.data -z -k monotonic -e cpu-clock -c 1000000 ls / >/dev/null
	for f in a g b m z; do
		for o in "" -v -F -g; do
			# shellcheck disable=SC2086
			same evlist $o -i $f.data
		done
		same buildid-list -i $f.data
		same buildid-list -H -i $f.data
	done
}

@test "evlist --trace-fields prints a tracepoint's fields" {
	need_peer
	"$PEER" record -q -o t.data -e sched:sched_process_exec -e cpu-clock -a true 2>/dev/null || skip "Debian's perf finds no tracefs"
	same evlist --trace-fields -i t.data
	run -0 "$PERF" evlist --trace-fields -i t.data
	[[ ${lines[0]} == "sched:sched_process_exec: trace_fields: filename,pid,old_pid"* ]]
	[[ ${lines[1]} == "cpu-clock: (not a tracepoint)" ]]
}

@test "a directory of files (record --threads) is read" {
	need_peer
	"$PEER" record -q -o d.data --threads=cpu -a -e cpu-clock -F 997 -- ls -R /usr/share >/dev/null 2>&1 || skip "Debian's perf has no --threads here"
	[ -d d.data ]
	same evlist -v -i d.data
	# Debian's perf leaves out what it saw before its map: everything it lists, we list.
	"$PEER" buildid-list -i d.data 2>/dev/null | sort >theirs
	"$PERF" buildid-list -i d.data | sort >ours
	[ -z "$(comm -23 theirs ours)" ] && grep -q /libc ours
}

@test "evlist of a pipe" {
	need_peer
	"$PEER" record -q -o - -e page-faults true >p.data
	run -0 bash -c '"$PERF" evlist -i - <p.data'
	[ "${lines[0]}" = page-faults ]
	run -0 bash -c 'cat p.data | "$PERF" evlist -F'
	[ "${lines[0]}" = "page-faults: sample_freq=4000" ]
	run -0 bash -c 'cat p.data | "$PERF" evlist -i -'
	[ "${lines[0]}" = page-faults ]
}

@test "every recording of another perf: as Debian's perf or better" {
	fixtures
	for f in perf.data.armv7-3.4 perf.data.ctx_switch_namespaces-4.14 perf.data.group_desc-4.14 perf.data.lost_samples-4.4 \
		perf.data.true.v1 perf.data.true.v2 probe.data.file; do
		for o in "" -v -F -g; do
			# shellcheck disable=SC2086
			same evlist $o -i "$FIXTURES/$f"
		done
		[ $f = perf.data.true.v2 ] || same buildid-list -H -i "$FIXTURES/$f"
	done
	# MMAP2 of Linux 3.12 has no prot: Debian's perf takes the name's first eight letters for it.
	run -0 "$PERF" buildid-list -i "$FIXTURES/perf.data.true.v2"
	[ "$output" = "                                         /usr/lib64/ld-2.17.so" ]
	# Debian's perf reads past this attr, and prints ids as aux_sample_size.
	run -0 "$PERF" evlist -v -i "$FIXTURES/perf.data.piped.lost_samples-4.4"
	[ "${lines[1]}" = "instructions:ppH: size: 112, config: 0x1, { sample_period, sample_freq }: 20003, sample_type: IP|TID|TIME|ID|PERIOD, read_format: ID, inherit: 1, precise_ip: 2, sample_id_all: 1, exclude_guest: 1" ]
	# It finds no event in this one,
	run -0 "$PERF" evlist -F -i "$FIXTURES/perf.data.piped.header_features-4.16"
	[ "$output" = "cpu-clock: sample_freq=4000" ]
	# and cannot read these.
	run -0 "$PERF" evlist -i "$FIXTURES/sleep.data"
	[ "$output" = cycles:Pu ]
	run -0 "$PERF" evlist -i "$FIXTURES/sleep.compressed.data"
	[ "$output" = cycles:P ]
	run -0 "$PERF" evlist -i "$FIXTURES/sleep.compressed2.pipe.data"
	[ "$output" = cycles:P ]
	run -0 "$PERF" buildid-list -i "$FIXTURES/sleep.data"
	[ "${lines[1]}" = "df74e268173f1aa4810472e81baf36e1ad80b2bc /usr/lib/ld-linux-x86-64.so.2" ]
}

@test "buildid-list of the kernel and of an ELF file" {
	need_peer
	same buildid-list -k
	same buildid-list -m
	same buildid-list -i /bin/ls
}

@test "what cannot be read is one clear line" {
	run -125 --separate-stderr "$PERF" evlist
	[ "$stderr" = "perf evlist: failed to open perf.data: No such file or directory  (try 'perf record' first)" ]
	: >empty
	run -125 --separate-stderr "$PERF" evlist -i empty
	[ "$stderr" = "perf evlist: zero-sized data (empty), nothing to do!" ]
	printf P >one
	run -125 --separate-stderr "$PERF" buildid-list -i one
	[ "$stderr" = "perf buildid-list: one: not a perf.data file: only 1 bytes long" ]
	run -125 --separate-stderr "$PERF" evlist -i .
	[ "$stderr" = "perf evlist: failed to open ./data: No such file or directory" ]
	run -125 --separate-stderr bash -c 'printf PERFILE2xx | "$PERF" evlist'
	[ "$stderr" = "perf evlist: -: not perf data: fewer than 16 bytes came" ]
	run -129 --separate-stderr "$PERF" evlist -g -v
	[[ $stderr == *"--group option is not compatible with other options"* ]]
}
