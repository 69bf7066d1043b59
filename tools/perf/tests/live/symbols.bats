# Names and chains of programs built here, recorded and scripted: compilers, linkers, namespaces, files that are gone.
load ../cli/common

setup_file() {
	cat >"$BATS_FILE_TMPDIR/spin.c" <<-'END'
		#include <time.h>
		#ifndef SPAN
		#define SPAN 150 /* ms */
		#endif
		static volatile unsigned long sink;
		static unsigned long now(void) { struct timespec t; clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t); return t.tv_sec * 1000000000ul + t.tv_nsec; }
		static inline __attribute__((always_inline)) void inner(unsigned long n) { for (unsigned long i = 0; i < n; i++) sink += i * i; }
		static inline __attribute__((always_inline)) void middle(unsigned long n) { inner(n + 1); }
		__attribute__((noinline)) void FUNC(void) { middle(200000); sink++; }
		__attribute__((noinline)) void caller(void) { FUNC(); sink++; }
		int main(void) { unsigned long end = now() + SPAN * 1000000ul; while (now() < end) caller(); return 0; }
	END
}

# record ARGS -- COMMAND: a recording of the command's user side in $BATS_TEST_TMPDIR/data
record() {
	"$PERF" record -q -e cpu-clock:u -F 997 -o "$BATS_TEST_TMPDIR/data" "$@"
}

script() {
	"$PERF" script -i "$BATS_TEST_TMPDIR/data" "$@"
}

# Most of the samples have this function innermost (inlined ones are not counted).
mostly() {
	local all named
	all=$(script --no-inline -F ip,sym -G | grep -c .)
	named=$(script --no-inline -F ip,sym -G | grep -cw "$1")
	[ "$all" -gt 50 ] && [ $((named * 100)) -ge $((all * 85)) ] || { echo "$named of $all samples in $1"; return 1; }
}

@test "inlined functions stand in the chain, by frame pointers and by DWARF" {
	cd "$BATS_TEST_TMPDIR"
	gcc -O2 -g -fno-omit-frame-pointer -DFUNC=work -o spin "$BATS_FILE_TMPDIR/spin.c"
	record --call-graph dwarf -- ./spin
	[ "$(script -F ip,sym | grep -m1 -A4 'inner (inlined)' | awk '{print $2}' | paste -sd,)" = inner,middle,work,caller,main ]
	# a leaf may have given its frame pointer up already: its caller is not told then
	record --call-graph fp -- ./spin
	[ "$(script -F ip,sym | grep -m1 -A2 'inner (inlined)' | awk '{print $2}' | paste -sd,)" = inner,middle,work ]
	script -F ip,sym | grep -qw main
	run -0 script --no-inline -F ip,sym
	[[ $output != *inlined* ]]
}

@test "linkers' layouts: lld, mold, static, without position independence" {
	cd "$BATS_TEST_TMPDIR"
	local built=0 flags
	for flags in "-fuse-ld=lld" "-fuse-ld=mold" -static -static-pie -no-pie "-Wl,-z,noseparate-code"; do
		cc=gcc
		[ "$flags" != -fuse-ld=lld ] || cc=clang
		$cc -O2 -g $flags -DFUNC=work -o spin "$BATS_FILE_TMPDIR/spin.c" 2>/dev/null || continue
		built=$((built + 1))
		record --call-graph dwarf -- ./spin
		mostly_chain=$(script --no-inline -F ip,sym | grep -A2 -w work | awk '{print $2}' | head -3 | paste -sd,)
		[ "$mostly_chain" = work,caller,main ] || { echo "$flags: $mostly_chain"; false; }
	done
	[ $built -ge 4 ]
}

@test "a stripped program with its debug file beside it" {
	cd "$BATS_TEST_TMPDIR"
	gcc -O2 -g -DFUNC=work -o spin "$BATS_FILE_TMPDIR/spin.c"
	mkdir .debug
	objcopy --only-keep-debug spin .debug/spin.dbg
	strip spin
	objcopy --add-gnu-debuglink=.debug/spin.dbg spin
	record --call-graph dwarf -- ./spin
	mostly work
	script -F ip,sym | grep -q 'middle (inlined)'
}

@test "a program that was replaced since is not named by the new one" {
	cd "$BATS_TEST_TMPDIR"
	gcc -O2 -Wl,--build-id=none -DFUNC=original -o spin "$BATS_FILE_TMPDIR/spin.c"
	gcc -O2 -Wl,--build-id=none -DFUNC=impostor -o new "$BATS_FILE_TMPDIR/spin.c"
	record -- ./spin
	mostly original
	mv new spin
	run -0 script -F ip,sym
	[[ $output != *impostor* ]]
}

@test "sample-bpf names a program that is deleted while it runs" {
	cd "$BATS_TEST_TMPDIR"
	gcc -O2 -DSPAN=900 -DFUNC=gone_but_named -o spin "$BATS_FILE_TMPDIR/spin.c"
	"$PERF" sample-bpf -e cpu-clock:u -F 997 -k sym --only --json -o out -- sh -c './spin & until readlink /proc/$!/exe | grep -q spin; do :; done; rm spin; wait'
	jq -e '[.entries[] | select(.sym == "gone_but_named")][0].count > 50' out
}

@test "sample-bpf names a program of another mount namespace that is gone at the end" {
	[ "$(id -u)" = 0 ] || skip "needs root"
	cd "$BATS_TEST_TMPDIR"
	gcc -O2 -DFUNC=hidden_work -o spin "$BATS_FILE_TMPDIR/spin.c"
	mkdir m
	"$PERF" sample-bpf -e cpu-clock:u -F 997 -k sym --only --json -o out -- \
		unshare -m sh -c 'mount -t tmpfs none m && cp spin m/ && for i in 1 2 3; do m/spin; done'
	[ -z "$(ls m)" ]
	jq -e '[.entries[] | select(.sym == "hidden_work")][0].count > 100' out
}

@test "script finds files of a mount namespace through whoever is still in it" {
	[ "$(id -u)" = 0 ] || skip "needs root"
	cd "$BATS_TEST_TMPDIR"
	gcc -O2 -DFUNC=contained -o spin "$BATS_FILE_TMPDIR/spin.c"
	gcc -O2 -DSPAN=60000 -DFUNC=contained -o longspin "$BATS_FILE_TMPDIR/spin.c"
	mkdir m
	mkfifo ready
	unshare -m sh -c 'mount -t tmpfs none m && cp spin longspin m/ && echo >ready && exec sleep 600' 3>&- &
	keeper=$!
	read -r _ <ready
	# the process is gone: its namespaces were recorded, and another process is in them
	record --namespaces -- nsenter -m -t $keeper "$PWD/m/spin"
	[ ! -e m/spin ]
	mostly contained
	[ "$(script --show-namespace-events -F comm,pid | grep -c '5/mnt:')" -ge 1 ]
	grep -q "$(stat -Lc %i /proc/$keeper/ns/mnt | xargs printf '5/mnt: [0-9]*/%#x')" <(script --show-namespace-events)
	# the process lives on: no need for its namespaces
	nsenter -m -t $keeper "$PWD/m/longspin" 3>&- &
	spin=$!
	until_true 30 grep -q longspin /proc/$spin/comm
	record -p $spin -- sleep 0.5
	mostly contained
	kill $spin
	# neither: nothing to be found
	wait $spin || true
	run -0 script -F ip,sym
	[[ $output != *contained* ]]
	kill $keeper
}

@test "script names a program that was deleted or replaced and still runs" {
	cd "$BATS_TEST_TMPDIR"
	gcc -O2 -DSPAN=60000 -DFUNC=original -o spin "$BATS_FILE_TMPDIR/spin.c"
	gcc -O2 -DFUNC=impostor -o new "$BATS_FILE_TMPDIR/spin.c"
	./spin 3>&- &
	spin=$!
	until_true 30 grep -q spin /proc/$spin/comm
	mv new spin
	record -p $spin -- sleep 0.5
	mostly original
	rm spin
	mostly original
	kill $spin
}
