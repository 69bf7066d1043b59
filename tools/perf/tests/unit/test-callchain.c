// SPDX-License-Identifier: GPL-2.0-only
/* Recorded call chains: context marks, callers, inlined functions, order and limit. */
#include "build-programs.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <sys/stat.h>

#include "session/callchain.h"

#define BASE 0x7f0000000000ULL

static const char source[] =
	"static inline __attribute__((always_inline)) int inl(int n) {\n"
	"  __asm__ volatile(\".globl mark\\nmark: nop; nop\"); return n * 2; }\n"
	"__attribute__((noinline)) int host(int n) { return inl(n) + 1; }\n"
	"void leave(void) __attribute__((noreturn));\n"
	"__attribute__((noinline)) void last_call(void) { leave(); }\n"
	"__attribute__((noinline)) int follower(int n) { return n + 3; }\n"
	"__attribute__((noinline)) void leave(void) { for (;;) ; }\n"
	"int main(int c, char **v) { (void)v; if (c > 5) last_call(); return host(c) + "
	"follower(c); }\n";

static const char kallsyms[] = "ffffffff81000000 T _text\n"
			       "ffffffff81000100 T sys_one\n"
			       "ffffffff81000200 T entry\n"
			       "ffffffff81000300 T _etext\n";

static struct dsos *dsos;
static struct machine *m;
static u64 text; /* where the program's first executable segment begins in the file */

static int setup(void **state)
{
	struct machine_opts o = {.kallsyms = "kallsyms", .kernel_syms = true};
	struct {
		struct perf_event_header h;
		u32 pid, tid;
		u64 addr, len, pgoff;
		u32 maj, min;
		u64 ino, gen;
		u32 prot, flags;
		char name[128];
	} r = {};

	if (make_scratch(state))
		return -1;
	write_text("c.c", source);
	write_text("kallsyms", kallsyms);
	/* functions in the order of the source, with nothing between them */
	if (sh("gcc -O1 -g -fno-toplevel-reorder -falign-functions=1 -o c c.c"))
		return -1;
	char *t = sh_text("readelf -lW c | awk '$1==\"LOAD\" && /R E/{print $2}'");

	text = strtoull(t, NULL, 16);
	free(t);
	dsos = dsos__new(NULL);
	o.dsos = dsos;
	m = machine__new(&o, NULL);
	r.h = (struct perf_event_header){PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER, sizeof(r)};
	r.pid = r.tid = 7;
	r.addr = BASE + text;
	r.len = 0x10000;
	r.pgoff = text;
	r.prot = 5;
	snprintf(r.name, sizeof(r.name), "%s/c", scratch);
	return machine__process(m, &r.h, 1);
}

static int teardown(void **state)
{
	machine__delete(m);
	dsos__delete(dsos);
	return remove_scratch(state);
}

/* The PIE's addresses are its offsets here: text at the same place in both. */
static u64 at(const char *name)
{
	return BASE + nm_address("c", name);
}

static void expect(const struct callchain_opts *o, const u64 *ips, u64 nr, const char *want)
{
	struct callchain_input in = {.pid = 7,
				     .tid = 7,
				     .time = 5,
				     .ips = ips,
				     .nr = nr,
				     .cpumode = PERF_RECORD_MISC_USER};
	struct callchain *c = callchain__new(m, o);
	const struct callchain_frame *f;
	char got[1024] = "";
	u32 n = callchain__resolve(c, &in, &f);

	for (u32 i = 0; i < n; i++)
		snprintf(got + strlen(got), sizeof(got) - strlen(got), "%s%s%s", i ? ";" : "",
			 f[i].name ?: "?", f[i].inlined ? "*" : "");
	assert_string_equal(got, want);
	callchain__delete(c);
}

static void contexts(void **state)
{
	const u64 ips[] = {PERF_CONTEXT_KERNEL,
			   0xffffffff81000110,
			   0xffffffff81000210,
			   PERF_CONTEXT_USER,
			   at("mark"),
			   at("main") + 20,
			   0x1234};
	struct callchain_opts o = {};

	(void)state;
	expect(&o, ips, ARRAY_SIZE(ips), "sys_one;entry;inl*;host;main;?");
	o.caller_order = true;
	expect(&o, ips, ARRAY_SIZE(ips), "?;main;host;inl*;entry;sys_one");
	o.caller_order = false;
	o.no_inline = true;
	expect(&o, ips, ARRAY_SIZE(ips), "sys_one;entry;host;main;?");
	o.max_stack = 3;
	expect(&o, ips, ARRAY_SIZE(ips), "sys_one;entry;host");
	o.no_symbols = true;
	expect(&o, ips, ARRAY_SIZE(ips), "?;?;?");
}

/* The call that never returns is last_call's last instruction: its return address is where the next
 * function begins, and still names last_call. An interrupted place at the same address does not. */
static void return_addresses(void **state)
{
	const u64 caller[] = {PERF_CONTEXT_USER, at("leave"), at("follower"), at("main") + 9};
	const u64 exact[] = {PERF_CONTEXT_USER, at("follower"), at("main") + 9};
	struct callchain_opts o = {};

	(void)state;
	if (nm_address("c", "last_call") > nm_address("c", "follower"))
		skip();
	expect(&o, caller, ARRAY_SIZE(caller), "leave;last_call;main");
	expect(&o, exact, ARRAY_SIZE(exact), "follower;main");
}

static void bad_contexts(void **state)
{
	const u64 ips[] = {PERF_CONTEXT_USER, at("leave"), (u64)-1000, at("main"), at("main")};
	struct callchain_opts o = {};

	(void)state;
	expect(&o, ips, ARRAY_SIZE(ips), "leave");
	expect(&o, NULL, 0, "");
	expect(&o, ips, 1, "");
}

static void source_lines(void **state)
{
	const u64 ips[] = {PERF_CONTEXT_USER, at("mark")};
	struct callchain_opts o = {.want_srcline = true};
	struct callchain_input in = {.pid = 7, .tid = 7, .time = 5, .ips = ips, .nr = 2};
	struct callchain *c = callchain__new(m, &o);
	const struct callchain_frame *f;
	struct callchain_stats st;

	(void)state;
	assert_int_equal(callchain__resolve(c, &in, &f), 2);
	assert_int_equal(f[0].line, 2);
	assert_non_null(strstr(f[0].file, "c.c"));
	assert_int_equal(f[1].line, 3);
	assert_ptr_equal(f[0].sym, f[1].sym);
	assert_int_equal(f[0].ip, f[1].ip);
	callchain__stats(c, &st);
	assert_int_equal(st.chains, 1);
	assert_int_equal(st.unwound, 0);
	callchain__delete(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(contexts),
		cmocka_unit_test(return_addresses),
		cmocka_unit_test(bad_contexts),
		cmocka_unit_test(source_lines),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
