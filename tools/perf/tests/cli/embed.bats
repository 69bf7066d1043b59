#!/usr/bin/env bats
# perf record --embed-symbols: the file is read in full where neither the program nor the kernel is.
load common

setup() {
	export PERF
	cd "$BATS_TEST_TMPDIR" || return
	[ "$(id -u)" = 0 ] || skip "needs root"
	cat >prog.c <<-'END'
		#include <stdio.h>
		__attribute__((noinline)) unsigned hot_leaf(unsigned n) { for (unsigned i = 0; i < 200000; i++) n = n * 1664525 + 1; return n; }
		__attribute__((noinline)) unsigned middle(unsigned n) { return hot_leaf(n) + hot_leaf(n + 1) + 1; }
		int main(void)
		{
			unsigned s = 0;
			for (int k = 0; k < 300; k++) {
				s += middle(k);
				for (int i = 0; i < 50; i++) {
					FILE *f = fopen("/proc/self/stat", "r");
					s += fgetc(f);
					fclose(f);
				}
			}
			return s == 1;
		}
	END
	gcc -O2 -g -fno-omit-frame-pointer -o prog prog.c
}

# elsewhere FILE: the recording as if its kernel were another one, and the program is gone
elsewhere() {
	python3 - "$1" "$("$PERF" buildid-list -k)" <<-'END'
		import sys
		d = open(sys.argv[1], 'rb').read()
		k = bytes.fromhex(sys.argv[2])
		assert d.count(k) == 1
		open('else.data', 'wb').write(d.replace(k, bytes(b ^ 0x55 for b in k)))
	END
	mv prog gone
}

@test "frame pointers and DWARF stacks: the same text without program and kernel" {
	for g in fp dwarf; do
		[ -e prog ] || mv gone prog
		"$PERF" record -q --embed-symbols -e cpu-clock -c 1000000 --call-graph $g -o e.data ./prog
		"$PERF" script --no-inline -i e.data >here
		grep -q ' hot_leaf+' here
		grep -q ' main+' here
		grep -q 'kernel.kallsyms' here
		elsewhere e.data
		"$PERF" script --no-inline -i else.data >there
		diff here there
	done
}

@test "without it, nothing of this machine's kernel is used" {
	"$PERF" record -q -e cpu-clock -c 1000000 -g -o e.data ./prog
	elsewhere e.data
	"$PERF" script --no-inline -i else.data >there 2>/dev/null
	run -1 grep -E 'hot_leaf|do_syscall_64|entry_SYSCALL' there
	grep -q '\[unknown\]' there
}

@test "Debian's perf reads the file without a word" {
	[ -x "$PEER" ] || skip "needs Debian's perf"
	"$PERF" record -q --embed-symbols -e cpu-clock -c 1000000 -o e.data ./prog
	"$PEER" script --header -i e.data >out 2>err
	[ ! -s err ]
	grep -q hot_leaf out
}

@test "a pipe cannot carry them" {
	run -129 --separate-stderr bash -c '"$PERF" record --embed-symbols -e cpu-clock -o - true >p.data'
	[[ $stderr == *"--embed-symbols needs a file, not a pipe"* ]]
}

@test "in a root without program, libraries and /proc; and by a user who may not read the kernel's addresses" {
	"$PERF" record -q --embed-symbols -e cpu-clock -c 1000000 -g -o e.data ./prog
	"$PERF" script --no-inline -F ip,sym,dso -i e.data >here
	grep -q 'hot_leaf' here
	grep -q 'kernel.kallsyms' here
	mkdir -p root/bin root/tmp
	cp "$PERF" root/bin/perf
	for l in $(ldd "$PERF" | grep -o '/[^ ]*'); do
		mkdir -p "root$(dirname "$l")"
		cp "$l" "root$l"
	done
	cp e.data root/tmp
	HOME=/ chroot root /bin/perf script --no-inline -F ip,sym,dso -i /tmp/e.data >there
	diff here there
	chmod 755 . && chmod 644 e.data && cp "$PERF" p && chmod 755 p prog
	[ "$(cat /proc/sys/kernel/kptr_restrict)" = 0 ] && [ "$(cat /proc/sys/kernel/perf_event_paranoid)" -lt 2 ] || {
		setpriv --reuid=65534 --regid=65534 --clear-groups ./p script -f --no-inline -F ip,sym,dso -i e.data >theirs
		diff here theirs
	}
}
