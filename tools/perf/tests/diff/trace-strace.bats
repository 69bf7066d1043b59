#!/usr/bin/env bats
# The sequence of calls and results of each thread, as strace sees it and as perf trace --lossless does.
load ../cli/common.bash
load ../diff/trace-sequences.bash

setup() {
	[ "$(id -u)" = 0 ] || skip "needs root for BPF"
	command -v strace >/dev/null || skip "needs strace"
	cd "$BATS_TEST_TMPDIR"
	runs=${TRACE_FULL:+20}
}

# A reader that sleeps for 50 ms now and then.
slow_reader='
import sys, time
n = 0
for line in sys.stdin.buffer:
    sys.stdout.buffer.write(line)
    n += 1
    if n % 1000 == 0:
        time.sleep(0.05)
'

# same PROGRAM ARGS...: RUNS times with 4K rings, RUNS times with these and a slow reader, once with large ones, once by ptrace
same() {
	setarch -R strace -ff -e raw=all -o st "$@" >out.strace
	sequences_strace st >seq.strace
	[ -s seq.strace ]
	rm -f pipe
	mkfifo pipe
	for how in $(printf '4K 4K-slow %.0s' $(seq "${runs:-1}")) 2M ptrace; do
		local opt="--lossless -m ${how%-slow}" out=ours
		[ "$how" = ptrace ] && opt="--block=ptrace"
		if [[ $how == *-slow ]]; then
			python3 -c "$slow_reader" <pipe >ours &
			out=pipe
		fi
		# without the right to go first: more threads have to wait
		setpriv --bounding-set=-sys_nice --inh-caps=-sys_nice setarch -R "$PERF" trace $opt --json -o $out "$@" >out.ours 2>err
		wait
		sequences_json ours >seq.ours
		tr ' ' '\n' <seq.strace >lines.strace
		tr ' ' '\n' <seq.ours >lines.ours
		diff lines.strace lines.ours | head -20
		cmp seq.strace seq.ours
		cmp out.strace out.ours
		grep -q " 0 lost, " err
	done
}

many() { [ -n "${TRACE_FULL:-}" ] && echo "$1" || echo "$2"; }

@test "trace and strace: dd" { same dd if=/dev/zero of=/dev/null bs=1 count="$(many 20000 1000)" status=none; }
@test "trace and strace: 16 threads" { same "$WORKLOADS/traced" counter 16 "$(many 2000 100)"; }
@test "trace and strace: a tree of forks" { same "$WORKLOADS/traced" forks "$(many 4 3)" "$(many 6 5)"; }
@test "trace and strace: a chain of execs" { same "$WORKLOADS/traced" execs "$(many 500 30)"; }
@test "trace and strace: threads created and joined" { same "$WORKLOADS/traced" threads "$(many 1000 60)"; }
@test "trace and strace: a storm of signals" { same "$WORKLOADS/traced" signals "$(many 5000 300)"; }
@test "trace and strace: an epoll server" { same "$WORKLOADS/traced" epoll "$(many 2000 200)"; }

@test "trace and strace: posix_spawn" { same "$WORKLOADS/lifecycle" spawn "$(many 300 20)"; }
@test "trace and strace: clone3 with CLONE_VM and CLONE_VFORK" { same "$WORKLOADS/lifecycle" vclone "$(many 300 20)"; }

@test "trace and strace: sqlite3 with a script" {
	command -v sqlite3 >/dev/null || skip "needs sqlite3"
	cat >script <<-'END'
		drop table if exists t;
		create table t(a integer primary key, b text);
		with recursive c(x) as (select 1 union all select x + 1 from c where x < NR) insert into t select x, 'row ' || x from c;
		update t set b = b || '!' where a % 7 = 0;
		select count(*), sum(a) from t where b like '%!';
	END
	sed -i "s/NR/$(many 20000 500)/" script
	# Not by a shell, whose SIGCHLD comes when it likes. Each run finds the same database.
	sqlite3 db '.read script'
	sqlite3 db '.read script'
	same sqlite3 db '.read script'
}

@test "trace and strace: groups of calls have the same members" {
	local zoo=$WORKLOADS/syscall-zoo
	for g in file desc network process memory signal ipc creds clock stat %stat pure; do
		strace -f -qq -e signal=none -e trace=%$g -o st "$zoo" >/dev/null 2>&1 || :
		sed -E 's/^[0-9]+ +//' st | sed -nE 's/^(<\.\.\. )?([a-z0-9_]+).*/\2/p' | sort -u >theirs
		"$PERF" trace --lossless -e %$g --json -o j "$zoo" >/dev/null 2>&1 || :
		sed -nE 's/.*"syscall":"([a-z0-9_]+)".*/\1/p' j | sort -u >ours
		[ -s theirs ]
		diff theirs ours
	done
}
