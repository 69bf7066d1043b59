// SPDX-License-Identifier: GPL-2.0-only
/* Unwinding real stacks of programs made here, and what was inlined in them. */
#include "build-programs.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/wait.h>

#include "lib/symbol/inline.h"
#include "lib/symbol/srcline.h"
#include "lib/symbol/unwind.h"
#include "session/callchain.h"

#define STACK 8192

/* A program that hands out its registers and stack as a sample would have them, then waits. */
static const char program[] =
	"#define _GNU_SOURCE\n#include <string.h>\n#include <ucontext.h>\n#include <unistd.h>\n"
	"static struct { unsigned long regs[33]; char stack[8192]; } out;\n"
	"static volatile int zero;\n"
	"__attribute__((noinline)) int leaf(int n) {\n"
	"  ucontext_t uc; char c; getcontext(&uc);\n"
	"#ifdef __x86_64__\n"
	"  static const int map[] = { REG_RAX, REG_RBX, REG_RCX, REG_RDX, REG_RSI, REG_RDI, "
	"REG_RBP, REG_RSP, REG_RIP };\n"
	"  for (int i = 0; i < 9; i++) out.regs[i] = uc.uc_mcontext.gregs[map[i]];\n"
	"  for (int i = 0; i < 8; i++) out.regs[16 + i] = uc.uc_mcontext.gregs[REG_R8 + i];\n"
	"  unsigned long sp = out.regs[7];\n"
	"#else\n"
	"  for (int i = 0; i < 31; i++) out.regs[i] = uc.uc_mcontext.regs[i];\n"
	"  out.regs[31] = uc.uc_mcontext.sp; out.regs[32] = uc.uc_mcontext.pc;\n"
	"  unsigned long sp = out.regs[31];\n"
	"#endif\n"
	"  memcpy(out.stack, (void *)sp, SIZE);\n"
	"  if (write(1, &out, sizeof(out)) != sizeof(out)) return 1;\n"
	"  return read(0, &c, 1) + n + zero; }\n"
	"__attribute__((noinline)) int middle(int n) { char pad[100]; memset(pad, n, sizeof(pad)); "
	"return leaf(n + pad[zero]) + 1 + zero; }\n"
	"__attribute__((noinline)) int outer(int n) { return middle(n * 2 + zero) + 1 + zero; }\n"
	"int main(int c, char **v) { char pad[9000]; (void)v; memset(pad, c, sizeof(pad)); return "
	"outer(c) + pad[zero + 8000]; }\n";

struct capture {
	u64 regs[33];
	char stack[STACK];
};

#ifdef __x86_64__
#define MASK (0x1ffULL | 0xff0000ULL)
#define MACHINE EM_X86_64
#else
#define MASK ((1ULL << 33) - 1)
#define MACHINE EM_AARCH64
#endif

struct child {
	pid_t pid;
	int in;
	struct capture cap;
};

static void start(struct child *c, const char *path)
{
	int in[2], out[2];
	size_t n = 0;
	ssize_t r;

	memset(c, 0, sizeof(*c));
	assert_int_equal(pipe2(in, O_CLOEXEC), 0);
	assert_int_equal(pipe2(out, O_CLOEXEC), 0);
	c->pid = fork();
	if (!c->pid) {
		dup2(in[0], 0);
		dup2(out[1], 1);
		execl(path, path, NULL);
		_exit(127);
	}
	close(in[0]);
	close(out[1]);
	while (n < sizeof(c->cap) &&
	       (r = read(out[0], (char *)&c->cap + n, sizeof(c->cap) - n)) > 0)
		n += (size_t)r;
	close(out[0]);
	c->in = in[1];
	assert_int_equal(n, sizeof(c->cap));
}

static void stop(struct child *c)
{
	close(c->in);
	waitpid(c->pid, NULL, 0);
}

/* The chain of @c, joined by ";", into @text. */
static enum unwind_end chain(struct child *c, enum unwind_method method, u32 stack_size, char *text,
			     size_t size, struct callchain_stats *st)
{
	struct callchain_opts co = {.method = method, .no_inline = true};
	struct machine_opts mo = {.live = true};
	const struct callchain_frame *f;
	struct callchain_input in = {.pid = c->pid, .tid = c->pid, .time = 1};
	u64 regs[33], nr = 0;
	struct callchain *cc;
	struct machine *m;
	enum unwind_end end;

	mo.dsos = dsos__new(NULL);
	m = machine__new(&mo, NULL);
	assert_int_equal(machine__scan_pid(m, c->pid, 0), 0);
	cc = callchain__new(m, &co);
	for (u32 i = 0; i < 33; i++)
		if (MASK >> i & 1)
			regs[nr++] = c->cap.regs[i];
	in.unwind = (struct unwind_sample){
		.abi = 2,
		.mask = MASK,
		.regs = regs,
		.stack = c->cap.stack,
		.stack_size = stack_size,
		.machine = MACHINE,
	};
	nr = callchain__resolve(cc, &in, &f);
	*text = 0;
	for (u64 i = 0; i < nr; i++)
		snprintf(text + strlen(text), size - strlen(text), "%s%s", i ? ";" : "",
			 f[i].name ?: "?");
	end = callchain__last_end(cc);
	if (st)
		callchain__stats(cc, st);
	callchain__delete(cc);
	machine__delete(m);
	dsos__delete(mo.dsos);
	return end;
}

/* Returns whether it could be built. */
static int expect_chain(const char *build)
{
	static const char want[] = "leaf;middle;outer;main";
	struct child c;
	char text[1024];

	write_text("u.c", program);
	if (sh("%s -DSIZE=8192 -g -o u u.c 2>/dev/null", build))
		return 0;
	start(&c, "./u");
	for (int method = 0; method < 2; method++) {
		chain(&c, method, STACK, text, sizeof(text), NULL);
		if (strncmp(text, want, sizeof(want) - 1))
			fail_msg("%s, method %d: %s", build, method, text);
	}
	stop(&c);
	return 1;
}

static void layouts(void **state)
{
	int built = 0;

	(void)state;
	built += expect_chain("gcc -O1");
	built += expect_chain("gcc -O2 -fomit-frame-pointer -no-pie");
	built += expect_chain("gcc -O1 -static");
	built += expect_chain("gcc -O1 -static-pie");
	built += expect_chain("clang -O1 -fuse-ld=lld");
	built += expect_chain("clang -O1 -fuse-ld=lld -Wl,-z,separate-loadable-segments");
	built += expect_chain("gcc -O1 -fuse-ld=mold");
	built += expect_chain("gcc -O1 -Wl,--no-eh-frame-hdr");
	built += expect_chain("gcc -O1 -Wl,-z,noseparate-code");
	assert_in_range(built, 6, 9);
}

static void debug_frame(void **state)
{
	int built = 0;

	(void)state;
	built += expect_chain(
		"gcc -O1 -fno-asynchronous-unwind-tables -fno-unwind-tables -fno-exceptions");
	built +=
		expect_chain("gcc -O1 -fno-asynchronous-unwind-tables -fno-unwind-tables -gz=zlib");
	built += expect_chain("gcc -O1 -no-pie -fno-asynchronous-unwind-tables -fno-unwind-tables");
	assert_int_equal(built, 3);
}

/* .debug_frame only in the separate debug file. */
static void separate_debug_frame(void **state)
{
	struct child c;
	char text[1024];

	(void)state;
	write_text("u.c", program);
	assert_int_equal(
		sh("gcc -O1 -g -DSIZE=8192 -fno-asynchronous-unwind-tables -fno-unwind-tables "
		   "-o u u.c && mkdir -p .debug && objcopy --only-keep-debug u .debug/u.dbg && "
		   "strip u && objcopy --add-gnu-debuglink=.debug/u.dbg u"),
		0);
	start(&c, "./u");
	chain(&c, UNWIND_LIBUNWIND, STACK, text, sizeof(text), NULL);
	text[strlen("leaf;middle;outer;main")] = 0;
	assert_string_equal(text, "leaf;middle;outer;main");
	stop(&c);
}

/* main's frame has 9,000 bytes: a dump of 8,192 ends in it, and says how much it wanted. */
static void cut(void **state)
{
	struct callchain_stats st;
	struct child c;
	char text[1024];

	(void)state;
	write_text("u.c", program);
	assert_int_equal(sh("gcc -O1 -DSIZE=8192 -o u u.c"), 0);
	start(&c, "./u");
	for (int method = 0; method < 2; method++) {
		assert_int_equal(chain(&c, method, STACK, text, sizeof(text), &st), UNWIND_CUT);
		assert_string_equal(text, "leaf;middle;outer;main");
		assert_int_equal(st.cut, 1);
		assert_in_range(st.needed, 9000, 12000);
		/* the return address of leaf is not even in it */
		assert_int_equal(chain(&c, method, 16, text, sizeof(text), &st), UNWIND_CUT);
		assert_string_equal(text, "leaf");
		assert_in_range(st.needed, 17, 2000);
	}
	stop(&c);
}

static void complete(void **state)
{
	struct child c;
	char text[1024], *p;

	(void)state;
	write_text("u.c", program);
	assert_int_equal(sh("sed -i 's/pad.9000./pad[90]/; s/pad.zero . 8000./pad[zero]/' u.c && "
			    "gcc -O1 -DSIZE=3000 -o u u.c"),
			 0);
	start(&c, "./u");
	for (int method = 0; method < 2; method++) {
		assert_int_equal(chain(&c, method, 3000, text, sizeof(text), NULL),
				 UNWIND_COMPLETE);
		p = strrchr(text, ';');
		assert_string_equal(p, ";_start");
	}
	stop(&c);
}

/* Marks inside inlined functions tell where the code went. */
static const char nested[] =
	"namespace ns {\n"
	"template <typename T> struct Box { T v;\n"
	"  __attribute__((always_inline)) T inner(T n) const { T r = n * v;\n"
	"    __asm__ volatile(\".globl mark_inner\\nmark_inner: nop; nop\" : \"+r\"(r)); return r; "
	"}\n"
	"  __attribute__((always_inline)) T middle(T n) const { return inner(n + 1) + 1; }\n"
	"};\n"
	"}\n"
	"struct Run { template <class F> __attribute__((always_inline)) long run(F f) const { "
	"return f(3); } };\n"
	"__attribute__((noinline)) long host(long n) {\n"
	"  ns::Box<long> b{n};\n"
	"  long r = b.middle(n);\n"
	"  Run a; r += a.run([&](long k) __attribute__((always_inline)) {\n"
	"    __asm__ volatile(\".globl mark_lambda\\nmark_lambda: nop; nop\" : \"+r\"(k)); return "
	"k * n; });\n"
	"  __asm__ volatile(\".globl mark_plain\\nmark_plain: nop; nop\" : \"+r\"(r));\n"
	"  return r;\n"
	"}\n"
	"int main(int c, char **) { return (int)host(c); }\n";

static struct dso *open_dso(struct dsos *s, const char *path)
{
	struct dso_ident id = {.kind = DSO_USER};
	struct dso *d;

	id.path = realpath(path, NULL);
	assert_non_null(id.path);
	d = dsos__find(s, &id);
	free((char *)id.path);
	return d;
}

static void expect_inlines(const char *build)
{
	const struct inline_frame *f;
	struct srcline line;
	struct dsos *s;
	struct dso *d;
	u64 addr;

	if (sh("rm -f *.dwo n n.o; cp full.cc n.cc 2>/dev/null; %s 2>/dev/null", build)) {
		print_message("cannot build here: %s\n", build);
		return;
	}
	s = dsos__new(NULL);
	d = open_dso(s, "n");
	addr = nm_address("marks", "mark_inner");
	if (dso__inlines(d, addr, &f) != 2)
		fail_msg("%s: %u inlined at mark_inner", build, dso__inlines(d, addr, &f));
	assert_string_equal(f[0].name, "ns::Box<long>::inner");
	assert_int_equal(f[0].call_line, 5);
	assert_string_equal(f[1].name, "ns::Box<long>::middle");
	assert_int_equal(f[1].call_line, 11);
	assert_non_null(strstr(f[1].call_file, "n.cc"));
	assert_int_equal(dso__srcline(d, addr, &line), 0);
	assert_int_equal(line.line, 4);
	assert_string_equal(srcline__base(&line), "n.cc");
	assert_int_equal(dso__inlines(d, nm_address("marks", "mark_lambda"), &f), 2);
	assert_int_equal(f[1].call_line, 12);
	assert_int_equal(dso__inlines(d, nm_address("marks", "mark_plain"), &f), 0);
	assert_int_equal(dso__srcline(d, nm_address("marks", "mark_plain"), &line), 0);
	assert_int_equal(line.line, 14);
	assert_string_equal(dso__find_symbol(d, nm_address("marks", "mark_plain"))->name, "host");
	dsos__delete(s);
}

static void inlines(void **state)
{
	(void)state;
	write_text("full.cc", nested);
	expect_inlines("g++ -O1 -g -o n n.cc && cp n marks");
	expect_inlines("clang++ -O1 -gdwarf-4 -o n n.cc && cp n marks");
	expect_inlines("g++ -O1 -g -gz=zlib -o n n.cc && cp n marks");
	expect_inlines("g++ -O1 -g -gsplit-dwarf -o n n.cc && cp n marks");
	expect_inlines("clang++ -O1 -gdwarf-4 -gsplit-dwarf -o n n.cc && cp n marks");
	expect_inlines("g++ -O1 -g -ffunction-sections -no-pie -o n n.cc && cp n marks");
	expect_inlines("clang++ -O1 -g -fuse-ld=lld -o n n.cc && cp n marks");
	expect_inlines("clang++ -O1 -gdwarf-5 -fuse-ld=lld -o n n.cc && cp n marks");
	expect_inlines("clang++ -O1 -gdwarf-5 -gsplit-dwarf -o n n.cc && cp n marks");
	expect_inlines("g++ -O1 -g -fuse-ld=mold -o n n.cc && cp n marks");
	expect_inlines("g++ -O1 -g -o n n.cc && cp n marks && mkdir -p .debug && "
		       "objcopy --only-keep-debug n .debug/n.dbg && strip n && "
		       "objcopy --add-gnu-debuglink=.debug/n.dbg n");
	expect_inlines("command -v dwz >/dev/null && g++ -O1 -g -o n n.cc && cp n n2 && "
		       "dwz -m alt.dwz n n2 && cp n marks");
}

static void no_inlines(void **state)
{
	struct symbol_conf conf = {.no_inline = true};
	const struct inline_frame *f;
	struct srcline line;
	struct dsos *s;

	(void)state;
	write_text("n.cc", nested);
	assert_int_equal(sh("g++ -O1 -g -o n n.cc"), 0);
	s = dsos__new(&conf);
	assert_int_equal(dso__inlines(open_dso(s, "n"), nm_address("n", "mark_inner"), &f), 0);
	dsos__delete(s);
	assert_int_equal(sh("cp n g && strip -g g"), 0);
	s = dsos__new(NULL);
	assert_int_equal(dso__inlines(open_dso(s, "g"), nm_address("n", "mark_inner"), &f), 0);
	assert_int_equal(dso__srcline(open_dso(s, "g"), nm_address("n", "mark_inner"), &line),
			 -ENOENT);
	dsos__delete(s);
}

static u32 cached_inlines(u64 addr, char *names, size_t size)
{
	const struct inline_frame *f;
	struct dsos *s = dsos__new(NULL);
	u32 nr = dso__inlines(open_dso(s, "n"), addr, &f);

	*names = 0;
	for (u32 i = 0; i < nr; i++)
		snprintf(names + strlen(names), size - strlen(names), "%s:%s:%u;", f[i].name,
			 f[i].call_file, f[i].call_line);
	dsos__delete(s);
	return nr;
}

/* What was learned of a large file is kept by its build id; a copy that is damaged is none. */
static void kept_copy(void **state)
{
	char path[128], first[512], second[512];
	u64 addr;

	(void)state;
	snprintf(path, sizeof(path), "%s/cache", scratch);
	setenv("XDG_CACHE_HOME", path, 1);
	write_text("n.cc", nested);
	assert_int_equal(
		sh("head -c 600000 /dev/zero > pad && "
		   "g++ -O1 -g -Wl,--build-id -o n n.cc && objcopy --add-section .pad=pad n && "
		   "cp n full"),
		0);
	addr = nm_address("n", "mark_inner");
	assert_int_equal(cached_inlines(addr, first, sizeof(first)), 2);
	assert_int_equal(sh("test -s cache/perf/inlines-*"), 0);
	/* the copy answers: the file has nothing any more */
	assert_int_equal(sh("objcopy --strip-debug n"), 0);
	assert_int_equal(cached_inlines(addr, second, sizeof(second)), 2);
	assert_string_equal(first, second);
	assert_int_equal(cached_inlines(addr + 0x100000, second, sizeof(second)), 0);

	assert_int_equal(sh("for f in cache/perf/inl*; do truncate -s -1 $f; done"), 0);
	assert_int_equal(cached_inlines(addr, second, sizeof(second)), 0);
	assert_int_equal(sh("cp full n"), 0);
	assert_int_equal(cached_inlines(addr, second, sizeof(second)), 2);
	assert_string_equal(first, second);
	for (int i = 0; i < 60; i++) {
		sh("for f in cache/perf/inl*; do printf '\\377' | "
		   "dd of=$f bs=1 seek=%d conv=notrunc 2>/dev/null; done",
		   i * 11);
		cached_inlines(addr, second, sizeof(second));
		assert_string_equal(first, second);
	}
	setenv("XDG_CACHE_HOME", "/proc/no-cache", 1);
}

static void rust_names(void **state)
{
	const struct inline_frame *f = NULL;
	struct dsos *s;
	bool found = false;
	struct dso *d;
	u64 addr;

	(void)state;
	if (!have("rustc"))
		skip();
	write_text(
		"r.rs",
		"mod deep { #[inline(always)] pub fn inner(n: u64) -> u64 { let mut s = 1u64; "
		"for i in 0..n { s = unsafe { std::ptr::read_volatile(&(s ^ i)) }; } s }\n"
		"#[inline(never)] pub fn outer(n: u64) -> u64 { inner(n) + 1 } }\n"
		"fn main() { println!(\"{}\", deep::outer(std::env::args().count() as u64)); }\n");
	for (int v0 = 0; v0 < 2; v0++) {
		if (sh("rustc -O -g %s -o r r.rs 2>/dev/null",
		       v0 ? "-C symbol-mangling-version=v0" : ""))
			skip();
		s = dsos__new(NULL);
		d = open_dso(s, "r");
		const struct symbol *sym = dso__find_symbol_by_name(d, "r::deep::outer");

		assert_non_null(sym);
		for (addr = sym->start; addr < sym->end; addr++) {
			u32 nr = dso__inlines(d, addr, &f);

			found |= nr && !strcmp(f[nr - 1].name, "r::deep::inner");
		}
		assert_true(found);
		dsos__delete(s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(layouts),
		cmocka_unit_test(debug_frame),
		cmocka_unit_test(separate_debug_frame),
		cmocka_unit_test(cut),
		cmocka_unit_test(complete),
		cmocka_unit_test(inlines),
		cmocka_unit_test(no_inlines),
		cmocka_unit_test(kept_copy),
		cmocka_unit_test(rust_names),
	};

	return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
