#!/usr/bin/env bats
# Chains, inlined functions and names through every form that compilers and linkers give debug information, recorded and
# scripted; addr2line is asked the same.
load ../cli/common

setup_file() {
	cd "$BATS_FILE_TMPDIR"
	cat >spin.c <<-'END'
		#include <time.h>
		static volatile unsigned long sink;
		static unsigned long now(void) { struct timespec t; clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t); return t.tv_sec * 1000000000ul + t.tv_nsec; }
		static inline __attribute__((always_inline)) void inner(unsigned long n) { for (unsigned long i = 0; i < n; i++) sink += i * i; }
		static inline __attribute__((always_inline)) void middle(unsigned long n) { inner(n + 1); }
		__attribute__((noinline)) void work(void) { middle(200000); sink++; }
		__attribute__((noinline)) void caller(void) { work(); sink++; }
		int main(void) { unsigned long end = now() + 150000000ul; while (now() < end) caller(); return 0; }
	END
	cat >tmpl.cc <<-'END'
		#include <ctime>
		static volatile unsigned long sink;
		static unsigned long now() { timespec t; clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t); return t.tv_sec * 1000000000ul + t.tv_nsec; }
		namespace deep { template <typename T, int N> struct Box {
			template <typename F> __attribute__((noinline)) T each(F f) const { T t = 0; for (int i = 0; i < 100000 * N; i++) t += f(i); return t; }
		}; }
		__attribute__((noinline)) void outer(const deep::Box<unsigned long, 2> &b) {
			sink += b.each([](unsigned long i) { sink += i; return i * i; });
		}
		int main() { deep::Box<unsigned long, 2> b; for (unsigned long end = now() + 150000000ul; now() < end;) outer(b); }
	END
	cat >rec.c <<-'END'
		#include <time.h>
		static volatile unsigned long sink;
		static unsigned long now(void) { struct timespec t; clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t); return t.tv_sec * 1000000000ul + t.tv_nsec; }
		static inline __attribute__((always_inline)) void leaf(unsigned long n) { for (unsigned long i = 0; i < n; i++) sink += i; }
		__attribute__((noinline)) void down(int depth) { leaf(depth == 4 ? 200000 : 10); if (depth < 4) down(depth + 1); sink++; }
		int main(void) { unsigned long end = now() + 150000000ul; while (now() < end) down(0); return 0; }
	END
}

setup() {
	cd "$BATS_TEST_TMPDIR"
	cp "$BATS_FILE_TMPDIR"/*.c "$BATS_FILE_TMPDIR"/*.cc .
}

record() {
	"$PERF" record -q -e cpu-clock:u -F 997 -o data "$@"
}

script() {
	"$PERF" script -i data "$@"
}

# chain: the most frequent of all chains, names joined by commas, what the C library has beyond main left out
chain() {
	script -F ip,sym "$@" | awk 'NF == 0 {if (c != "") print c; c = ""; next} {$1 = ""; sub(/^ /, ""); if (!done[NR]) c = c (c == "" ? "" : ",") $0}
		END {if (c != "") print c}' | sed 's/,\(__libc_start\|_start\|\[unknown\]\|__libc_init\).*//' | sort | uniq -c | sort -rn | head -n 1 | sed 's/^ *[0-9]* //'
}

want="inner (inlined),middle (inlined),work,caller,main"

# built COMMAND...: builds ./spin; the test goes on without this form where the tools have it not
built() {
	rm -rf spin* ./*.dwo
	cp "$BATS_FILE_TMPDIR/spin.c" .
	"$@" 2>err || { echo "cannot build: $*"; cat err; return 1; }
}

check() {
	local got
	record --call-graph dwarf -- ./spin
	for m in libunwind libdw; do
		got=$(chain --unwind=$m)
		[ "$got" = "$want" ] || { echo "$1, $m: $got"; return 1; }
	done
}

@test "DWARF 4 and 5, gcc and clang" {
	for cc in gcc clang; do
		for v in 4 5; do
			built $cc -O2 -gdwarf-$v -o spin spin.c
			check "$cc $v"
		done
	done
}

@test "compressed debug sections" {
	built gcc -O2 -g -Wl,--compress-debug-sections=zlib -o spin spin.c
	readelf -SW spin | grep -q 'debug_info.* C '
	check zlib
	built gcc -O2 -g -Wl,--compress-debug-sections=zlib-gnu -o spin spin.c
	readelf -SW spin | grep -q '\.zdebug_info'
	check zlib-gnu
}

@test "split DWARF" {
	for v in 4 5; do
		built gcc -O2 -gdwarf-$v -gsplit-dwarf -o spin spin.c
		[ -n "$(ls ./*.dwo)" ]
		check "split $v"
	done
}

@test "split DWARF in a package" {
	for form in "gcc 4 dwp" "clang 4 llvm-dwp" "clang 5 llvm-dwp"; do
		set -- $form
		command -v $3 >/dev/null || continue
		built $1 -O2 -gdwarf-$2 -gsplit-dwarf -o spin spin.c
		timeout 20 $3 -e spin -o spin.dwp || continue
		record --call-graph dwarf -- ./spin
		script -F ip,sym,srcline >loose
		[ "$(grep -c '(inlined)$' loose)" -gt 50 ]
		rm ./*.dwo
		script -F ip,sym,srcline | diff loose -
		[ "$(chain)" = "$want" ]
		# damaged, it is none
		mv spin.dwp whole
		head -c 700 whole >spin.dwp
		# (the C library may have inlined functions of its own)
		run -0 script -F ip,sym
		not grep -qE '(inner|middle) \(inlined\)' <<<"$output"
	done
}

@test "what dwz took out into another file" {
	command -v dwz >/dev/null || skip "no dwz"
	built gcc -O2 -g -o spin spin.c
	gcc -O2 -g -DOTHER -o spin2 spin.c
	dwz -m spin.dwz spin spin2
	readelf -SW spin | grep -q gnu_debugaltlink
	check dwz
}

@test ".debug_frame alone" {
	built gcc -O2 -g -fno-asynchronous-unwind-tables -fno-exceptions -o spin spin.c
	[[ $(readelf --debug-dump=frames spin | grep -A20 '\.debug_frame') == *FDE* ]]
	check debug_frame
	# and that in the separate debug file
	objcopy --only-keep-debug spin spin.debug
	objcopy --strip-debug --add-gnu-debuglink=spin.debug spin
	check "debug_frame apart"
}

@test "lld's and mold's segments; a stripped PIE and its debug file" {
	if command -v ld.lld >/dev/null; then
		built clang -O2 -g -fuse-ld=lld -o spin spin.c
		check lld
	fi
	if command -v mold >/dev/null; then
		built gcc -O2 -g -fuse-ld=mold -o spin spin.c
		check mold
	fi
	built gcc -O2 -g -pie -fPIE -Wl,--build-id -o spin spin.c
	objcopy --only-keep-debug spin spin.debug
	strip spin
	record --call-graph dwarf -- ./spin
	[ "$(chain 2>/dev/null)" != "$want" ]
	objcopy --add-gnu-debuglink=spin.debug spin
	check "stripped PIE"
}

@test "C++ templates and lambdas, as c++filt names them" {
	g++ -O2 -g -o tmpl tmpl.cc
	record --call-graph dwarf -- ./tmpl
	# without parameters, as upstream shows them; those in angle brackets are part of the name
	each='deep::Box<unsigned long, 2>::each<outer(deep::Box<unsigned long, 2> const&)::{lambda(unsigned long)#1}>'
	got=$(chain)
	echo "$got"
	[ "$got" = "operator() (inlined),$each,outer,main" ]
	# and as the other perf does
	[ ! -x "$PEER" ] || "$PEER" script -i data --no-inline -F ip,sym 2>/dev/null | grep -qF " $each"
}

@test "Rust: closures and generics" {
	command -v rustc >/dev/null || skip "no rustc"
	cat >r.rs <<-'END'
		use std::hint::black_box;
		use std::time::{Duration, Instant};
		#[inline(never)] fn apply<T: Copy, F: Fn(T) -> u64>(f: F, v: &[T; 3]) -> u64 { let mut s = 0; for _ in 0..50000 { for x in v { s = black_box(s ^ f(*x)); } } s }
		#[inline(never)] fn turn(a: &[u32; 3]) -> u64 { black_box(apply(|x| black_box(x as u64 * 3), a)) + 1 }
		fn main() { let t = Instant::now(); while t.elapsed() < Duration::from_millis(200) { black_box(turn(&[1, 2, 3])); } }
	END
	rustc -O -g -o r r.rs 2>err || { cat err; false; }
	record --call-graph dwarf -- ./r
	got=$(chain)
	echo "$got"
	[[ $got == *"r::apply"*"r::turn"*"r::main"* ]]
	[[ $got != *17h* ]] # the hash at the end of a mangled name
}

@test "inlined functions in recursion" {
	gcc -O1 -g -fno-optimize-sibling-calls -o rec rec.c
	record --call-graph dwarf -- ./rec
	[ "$(chain)" = "leaf (inlined),down,down,down,down,down,main" ]
}

@test "stacks that their dump cut short are marked, counted, and told what would have held them" {
	gcc -O0 -g -fno-optimize-sibling-calls -o rec rec.c
	record --call-graph dwarf,256 -- ./rec
	n=$(script --json 2>err | grep -c '"stack_cut":true')
	[ $n -gt 50 ]
	grep -q "$n of [0-9]* user stacks are cut" err
	[ "$(script -v 2>/dev/null | grep -c '\[stack cut\]$')" = $n ]
	[ "$(script --folded=annotate 2>/dev/null | awk '/;\[stack cut\];/ {n += $NF} END {print n}')" = $n ]
	# what is enough is known when another stack of the thread was walked to its end; else one step is
	for i in $(seq 20); do
		need=$(sed -n 's/.*--call-graph dwarf,\([0-9]*\) .*/\1/p' err)
		[ -n "$need" ] || break
		record --call-graph dwarf,$need -- ./rec
		known=$(grep -c 'would have held' err || true)
		script --json >out 2>err
		[ "$known" = 0 ] || [ "$(grep -c stack_cut out)" -le 3 ]
	done
	[ -z "$need" ]
	[ "$(grep -c stack_cut out)" = 0 ]
}

@test "every inlined chain is addr2line's" {
	# linked so that addresses in the file are offsets, which is what chains show
	gcc -O2 -g -pie -fPIE -fno-omit-frame-pointer -o spin spin.c
	gcc -O2 -g -pie -fPIE -fno-omit-frame-pointer -o rec rec.c
	for p in spin rec; do
		record --call-graph fp -- ./$p
		# the innermost address of each sample, and the frames that it stands for
		script -F ip,sym | awk 'NF == 0 {first = ""; next} first == "" {first = $1} $1 == first {print $1, $2}
			$1 != first {first = "-"}' >ours.all
		awk '{print $1}' ours.all | sort -u | head -n 20 >addresses
		compared=0
		while read -r ip; do
			addr2line -fi -e $p "0x$ip" | sed -n 'p;n' >theirs
			grep -q '??' theirs && continue
			compared=$((compared + 1))
			diff theirs <(awk -v ip="$ip" '$1 == ip {print $2}' ours.all | head -n "$(wc -l <theirs)")
		done <addresses
		[ $compared -gt 0 ]
	done
}

@test "a library that was replaced while it was mapped" {
	gcc -shared -fPIC -O2 -Wl,--build-id=none -o libw.so -xc - <<-'END'
		static volatile unsigned long s;
		void original_loop(unsigned long n) { for (unsigned long i = 0; i < n; i++) s += i; }
		void entry(unsigned long n) { original_loop(n); s++; }
	END
	gcc -shared -fPIC -O2 -Wl,--build-id=none -o new.so -xc - <<-'END'
		static volatile unsigned long s;
		void impostor_loop(unsigned long n) { for (unsigned long i = 0; i < n; i++) s += i; }
		void entry(unsigned long n) { impostor_loop(n); s++; }
	END
	gcc -o uses -xc - -L. -lw -Wl,-rpath,"$PWD" <<-'END'
		void entry(unsigned long);
		int main(void) { for (;;) entry(1000000); }
	END
	./uses 3>&- &
	pid=$!
	until_true 30 grep -q libw.so /proc/$pid/maps
	mv new.so libw.so
	record -p $pid -- sleep 0.5
	script -F ip,sym,dso -G >while
	kill $pid
	wait $pid || true
	script -F ip,sym,dso -G >after
	# while the process lives its own file is read; afterwards there is none, and the new one is not taken for it
	[ "$(grep -c 'original_loop\|entry' while)" -gt 50 ]
	run ! grep impostor while after
}

@test "a JIT's map file, of a process that is gone" {
	cat >jit.c <<-'END'
		#include <stdio.h>
		#include <string.h>
		#include <sys/mman.h>
		#include <time.h>
		#include <unistd.h>
		static unsigned long now(void) { struct timespec t; clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t); return t.tv_sec * 1000000000ul + t.tv_nsec; }
		int main(void) {
			/* mov $1000000,%ecx; 1: dec %ecx; jne 1b; ret */
			static const unsigned char code[] = {0xb9, 0x40, 0x42, 0x0f, 0, 0xff, 0xc9, 0x75, 0xfc, 0xc3};
			unsigned char *p = mmap(0, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
			char name[64];
			sprintf(name, "/tmp/perf-%d.map", getpid());
			FILE *f = fopen(name, "w");
			fprintf(f, "%lx %lx jitted one(int)\n%lx %lx jitted two\n", (long)p, 16l, (long)p + 16, 16l);
			fclose(f);
			memcpy(p, code, sizeof(code));
			memcpy(p + 16, code, sizeof(code));
			for (unsigned long end = now() + 200000000ul; now() < end;) { ((void (*)(void))p)(); ((void (*)(void))(p + 16))(); ((void (*)(void))(p + 16))(); }
			puts(name);
		}
	END
	[ "$(uname -m)" = x86_64 ] || skip "machine code of x86"
	gcc -O1 -o jit jit.c
	map=$(record -- ./jit)
	script -F ip,sym -G >names
	rm -f "$map"
	one=$(grep -c 'jitted one(int)' names)
	two=$(grep -c 'jitted two' names)
	[ $one -gt 20 ] && [ $two -gt $one ]
}
