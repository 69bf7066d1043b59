#!/usr/bin/env bats
# What perf trace prints of a real program, in its formats, with its filters.
load ../cli/common.bash

setup() {
	[ "$(id -u)" = 0 ] || skip "needs root for BPF"
	cd "$BATS_TEST_TMPDIR"
	printf 'some text\n' >file
}

t() { "$PERF" trace --lossless -o out "$@" >stdout 2>stderr; }

@test "trace text: a file's way through head, with its descriptor's name" {
	t head -1 file
	grep -E '^ +[0-9]+\.[0-9]{3} \( +[0-9]+\.[0-9]{3} ms\): head/[0-9]+ openat\(dfd: CWD, filename: "file", flags: RDONLY\) += [0-9]+$' out
	grep -E "read\\(fd: [0-9]+<$BATS_TEST_TMPDIR/file>, buf: \"some text.n\", count: " out
	grep -E "close\\(fd: [0-9]+<$BATS_TEST_TMPDIR/file>\\)" out
	grep -E 'exit_group\(\) += \?$' out
}

@test "trace --json: every line parses, has the promised members, in the order of time" {
	t --json head -1 file
	python3 - <<-'END'
	import json
	lines = [json.loads(l) for l in open('out')]
	calls, ledger = [l for l in lines if 'syscall' in l], lines[-1]
	for c in calls:
	    assert {'time_ns', 'duration_ns', 'comm', 'pid', 'tid', 'cpu', 'syscall', 'args', 'ret', 'errno'} <= set(c), c
	assert 'ledger' in ledger and ledger['calls'] == len(calls), ledger
	reads = [c for c in calls if c['syscall'] == 'read' and c['args'].get('buf') == 'some text\n']
	assert len(reads) == 1 and reads[0]['ret'] == 10 and reads[0]['args']['fd_path'].endswith('/file'), reads
	missing = [c for c in calls if c['errno'] == 'ENOENT']
	assert missing and all(c['ret'] == -1 for c in missing)
	stats = [c for c in calls if c['syscall'] in ('newfstatat', 'fstat') and c['ret'] == 0]
	assert all(isinstance(c['args']['statbuf'], dict) and 'st_ino' in c['args']['statbuf'] for c in stats)
	ends = [c['time_ns'] + c['duration_ns'] for c in calls if c['duration_ns'] is not None]
	assert ends == sorted(ends)
	END
}

@test "trace --filter: on names, results, flags, descriptors' paths, members of structs" {
	t --filter 'filename == "file" && ret >= 0' head -1 file
	[ "$(wc -l <out)" = 1 ]
	grep -F 'openat(dfd: CWD, filename: "file"' out
	t --filter 'fd ~ "*/file" && syscall == "read"' head -1 file
	[ "$(wc -l <out)" = 1 ]
	t --filter 'errno == ENOENT && flags & CLOEXEC' head -1 file
	[ -s out ]
	not grep -v 'ENOENT (No such file or directory)$' out
	t --filter 'buffer.stx_size == 10 || statbuf.st_size == 10' stat file
	grep -F 'stx_size: 10,' out || grep -F 'st_size: 10,' out
}

@test "trace --filter: an error names the column, exit code 125" {
	run "$PERF" trace --filter 'filename ~' true
	[ "$status" = 125 ]
	[[ "$output" == *"filter: column 11: the expression ends where a value is expected"* ]]
	run "$PERF" trace --filter 'filenam == "x"' true
	[[ "$output" == *"did you mean 'filename'?"* ]]
}

@test "trace -e: lists, globs, groups, the complement; the nearest name for a mistyped one" {
	t -e 'openat,clos*' head -1 file
	not grep -vE '(openat|close|close_range)\(' out
	grep -q 'close(' out
	t -e '!%file,%desc,%memory' head -1 file
	not grep -E '(openat|read|mmap)\(' out
	grep -q 'exit_group' out
	run "$PERF" trace -e opnat true
	[ "$status" = 125 ]
	[[ "$output" == *"unknown system call 'opnat', did you mean 'openat'?"* ]]
	run "$PERF" trace -e %fil true
	[[ "$output" == *"did you mean '%file'?"* ]]
}

@test "trace -P: calls on one file, by its name and by its descriptor" {
	t -P "$BATS_TEST_TMPDIR/file" head -1 "$BATS_TEST_TMPDIR/file"
	grep -q 'openat(' out
	grep -q 'read(' out
	not grep -q ld.so.cache out
}

@test "trace --format=strace: -y names descriptors, --no-abbrev shows structs in full" {
	t --format=strace head -1 file
	grep -E '^[0-9]+ +[0-9:]{8}\.[0-9]{6} read\([0-9]+, "some text\\n", [0-9]+\) += 10 <[0-9]+\.[0-9]{6}>$' out
	grep -E ' \+\+\+ exited with 0 \+\+\+$' out
	t --format=strace -y --no-abbrev head -1 file
	grep -E "read\\([0-9]+<$BATS_TEST_TMPDIR/file>, " out
	grep -q 'st_ino=' out
	run "$PERF" trace --format=starce true
	[ "$status" != 0 ]
	[[ "$output" == *"did you mean 'strace'?"* ]]
}

@test "trace -s: counts as many calls as the lines are, percentiles in their columns" {
	t -S --errno-summary dd if=/dev/zero of=/dev/null bs=1 count=100 status=none
	grep -E '^   read +1[0-9]{2} ' out
	lines=$(grep -cE 'dd/[0-9]+ write\(' out)
	row=$(grep -E '^   write ' out)
	[ "$lines" = "$(awk '{ print $2 }' <<<"$row")" ]
	[ "$(wc -w <<<"$row")" = 11 ]
	grep -q 'stddev       p50       p95       p99$' out
	grep -qP '^\t\t\t\tENOENT: [0-9]+$' out
	t -s --json true
	python3 -c 'import json; d = json.loads(open("out").readline()); assert d["summary"][0]["syscalls"]'
}

@test "trace: the bytes that a program writes do not reach the terminal as they are" {
	t --string-limit 100 printf '\033[2J\001\377x'
	grep -F '"\33[2J\1\377x"' out
	not grep -q $'\033' out
}

@test "trace --failure, -z, --duration: the calls that they name, and no others, by both engines" {
	for how in --lossless --block=ptrace; do
		for opt in "" --failure -Z -z "--duration 20"; do
			setarch -R "$PERF" trace $how $opt --json -o "out${opt// /}" sh -c 'cat file no-such-file; exec sleep 0.03' >stdout 2>stderr || :
			grep -q " 0 lost, " stderr
		done
		python3 - <<-'END'
		import json
		def read(path):
		    calls = [json.loads(l) for l in open(path)]
		    return [c for c in calls if 'syscall' in c]
		def names(calls):  # of both processes, each in its order
		    tids = sorted({c['tid'] for c in calls})
		    return [[(c['syscall'], c['errno']) for c in calls if c['tid'] == t and c['syscall'] not in ('wait4', 'rt_sigreturn')] for t in tids]
		everything = read('out')
		failed = [c for c in everything if c['errno']]
		succeeded = [c for c in everything if c['ret'] is not None and not c['errno']]
		assert any(c['errno'] == 'ENOENT' for c in failed) and any(c['syscall'] == 'exit_group' for c in everything)
		assert names(read('out--failure')) == names(failed), (names(read('out--failure')), names(failed))
		assert names(read('out-Z')) == names(failed)
		assert names(read('out-z')) == names(succeeded), (names(read('out-z')), names(succeeded))
		slow = read('out--duration20')
		assert 'clock_nanosleep' in [c['syscall'] for c in slow], slow
		assert all(c['duration_ns'] >= 20e6 for c in slow), slow
		END
	done
}
