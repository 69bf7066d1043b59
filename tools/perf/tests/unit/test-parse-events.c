// SPDX-License-Identifier: GPL-2.0-only
/* Event text to attr values, and the columns of its errors. */
#include <errno.h>
#include <linux/hw_breakpoint.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "lib/perf/evlist.h"

/* The attr of the last event of the text, as far as it differs from zero. */
struct good {
	const char *text;
	int nr;
	const char *name;
	u32 type;
	u64 config;
	const char *bits; /* letters: u k h G H I excluded; D pinned, e exclusive; digit precise */
};

static const struct good good[] = {
	{"cycles", 1, "cycles", PERF_TYPE_HARDWARE, 0, "G"},
	{"cpu-cycles", 1, "cpu-cycles", PERF_TYPE_HARDWARE, 0, "G"},
	{"branches", 1, "branches", PERF_TYPE_HARDWARE, 4, "G"},
	{"idle-cycles-frontend", 1, "idle-cycles-frontend", PERF_TYPE_HARDWARE, 7, "G"},
	{"ref-cycles", 1, "ref-cycles", PERF_TYPE_HARDWARE, 9, "G"},
	{"cpu-clock", 1, "cpu-clock", PERF_TYPE_SOFTWARE, 0, "G"},
	{"faults,cs,migrations", 3, "migrations", PERF_TYPE_SOFTWARE, 4, "G"},
	{"cgroup-switches", 1, "cgroup-switches", PERF_TYPE_SOFTWARE, 11, "G"},
	{"cycles:u", 1, "cycles:u", PERF_TYPE_HARDWARE, 0, "khG"},
	{"cycles:k", 1, "cycles:k", PERF_TYPE_HARDWARE, 0, "uhG"},
	{"cycles:uk", 1, "cycles:uk", PERF_TYPE_HARDWARE, 0, "hG"},
	{"cycles:ukhI", 1, "cycles:ukhI", PERF_TYPE_HARDWARE, 0, "GI"},
	{"cycles:G", 1, "cycles:G", PERF_TYPE_HARDWARE, 0, "H"},
	{"cycles:H", 1, "cycles:H", PERF_TYPE_HARDWARE, 0, "G"},
	{"cycles:GH", 1, "cycles:GH", PERF_TYPE_HARDWARE, 0, ""},
	{"cycles:ppu", 1, "cycles:ppu", PERF_TYPE_HARDWARE, 0, "khG2"},
	{"cycles:P", 1, "cycles:P", PERF_TYPE_HARDWARE, 0, "G3"},
	{"cycles:De", 1, "cycles:De", PERF_TYPE_HARDWARE, 0, "GDe"},
	{"{cycles,faults:u}:k", 2, "faults:u", PERF_TYPE_SOFTWARE, 2, "hG"},
	{"{cs,cycles}:D", 2, "cycles", PERF_TYPE_HARDWARE, 0, "G"},
	{"L1-dcache-load-misses", 1, "L1-dcache-load-misses", PERF_TYPE_HW_CACHE, 0x10000, "G"},
	{"L1-dcache-loads", 1, "L1-dcache-loads", PERF_TYPE_HW_CACHE, 0, "G"},
	{"L1-dcache", 1, "L1-dcache", PERF_TYPE_HW_CACHE, 0, "G"},
	{"l1d-misses-store", 1, "l1d-misses-store", PERF_TYPE_HW_CACHE, 0x10100, "G"},
	{"L1-icache-prefetch-misses", 1, NULL, PERF_TYPE_HW_CACHE, 0x10201, "G"},
	{"LLC-speculative-read-refs", 1, NULL, PERF_TYPE_HW_CACHE, 0x202, "G"},
	{"Data-TLB-stores:u", 1, "Data-TLB-stores:u", PERF_TYPE_HW_CACHE, 0x103, "khG"},
	{"iTLB-load-misses", 1, NULL, PERF_TYPE_HW_CACHE, 0x10004, "G"},
	{"branch-load-misses", 1, NULL, PERF_TYPE_HW_CACHE, 0x10005, "G"},
	{"branch-misses", 1, NULL, PERF_TYPE_HARDWARE, 5, "G"},
	{"node-store-misses", 1, NULL, PERF_TYPE_HW_CACHE, 0x10106, "G"},
	{"r1a8", 1, "r1a8", PERF_TYPE_RAW, 0x1a8, "G"},
	{"rFFFFFFFFFFFFFFFF:u", 1, NULL, PERF_TYPE_RAW, ~0ULL, "khG"},
	{"r1a8/name=mine/", 1, "mine", PERF_TYPE_RAW, 0x1a8, "G"},
	{"1:0x2:u", 1, "1:0x2:u", PERF_TYPE_SOFTWARE, 2, "khG"},
	{"cpu-clock/name=foo/uh", 1, "foo", PERF_TYPE_SOFTWARE, 0, "kG"},
	{"cpu-clock/name='a b,c'/", 1, "a b,c", PERF_TYPE_SOFTWARE, 0, "G"},
	{"cpu-clock//:u", 1, "cpu-clock//:u", PERF_TYPE_SOFTWARE, 0, "khG"},
	{"bpf-output/no-inherit,name=evt/", 1, "evt", PERF_TYPE_SOFTWARE, 10, "G"},
	{"software/config=3/", 1, "software/config=3/", PERF_TYPE_SOFTWARE, 3, "G"},
};

static void attr_bits(const struct perf_event_attr *a, char *buf)
{
	*buf = 0;
	if (a->exclude_user)
		strcat(buf, "u");
	if (a->exclude_kernel)
		strcat(buf, "k");
	if (a->exclude_hv)
		strcat(buf, "h");
	if (a->exclude_guest)
		strcat(buf, "G");
	if (a->exclude_host)
		strcat(buf, "H");
	if (a->exclude_idle)
		strcat(buf, "I");
	if (a->pinned)
		strcat(buf, "D");
	if (a->exclusive)
		strcat(buf, "e");
	if (a->precise_ip)
		sprintf(buf + strlen(buf), "%d", (int)a->precise_ip);
}

static void test_good(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(good); i++) {
		const struct good *g = &good[i];
		struct evlist *l = evlist__new();
		struct errbuf eb = {.msg = ""};
		const struct perf_event_attr *a;
		struct evsel *e;
		char bits[32];

		if (evlist__parse(l, g->text, &eb))
			fail_msg("%s: %s", g->text, eb.msg);
		if (evlist__nr(l) != g->nr)
			fail_msg("%s: %d events, not %d", g->text, evlist__nr(l), g->nr);
		e = evlist__at(l, g->nr - 1);
		a = evsel__attr(e);
		attr_bits(a, bits);
		if (a->type != g->type || a->config != g->config || strcmp(bits, g->bits))
			fail_msg("%s: type %u config %#llx bits %s", g->text, a->type,
				 (unsigned long long)a->config, bits);
		assert_string_equal(evsel__name(e), g->name ? g->name : g->text);
		evlist__delete(l);
	}
}

/* Text, column of the caret (from 0), a part of the message. */
static const struct bad {
	const char *text;
	int err, col;
	const char *says;
} bad[] = {
	{"cyclse", -ENOENT, 0, "did you mean 'cycles'?"},
	{"cpu-clock,cyclse:u", -ENOENT, 10, "did you mean 'cycles'?"},
	{"cpu-clock:uu", -EINVAL, 11, "repeated"},
	{"cpu-clock:z", -EINVAL, 10, "no such modifier 'z'"},
	{"cpu-clock:", -EINVAL, 10, "a modifier is expected"},
	{"cycles:pppp", -EINVAL, 10, "three times"},
	{"cycles:pP", -EINVAL, 8, "highest"},
	{"cycles:W", -EINVAL, 7, "{a,b}:W"},
	{"", -EINVAL, 0, "an event is expected"},
	{"cycles,", -EINVAL, 7, "an event is expected"},
	{",cycles", -EINVAL, 0, "an event is expected"},
	{"{cycles,faults", -EINVAL, 0, "no closing '}'"},
	{"{cycles,{faults}}", -EINVAL, 8, "nested"},
	{"cycles}", -EINVAL, 6, "',' or the end"},
	{"cycles/name=", -EINVAL, 12, "a value is expected"},
	{"cycles/name=x", -EINVAL, 6, "no closing '/'"},
	{"cycles/nmae=x/", -EINVAL, 7, "did you mean 'name'?"},
	{"cycles/period=x/", -EINVAL, 14, "a number is expected"},
	{"cycles/period=0/", -EINVAL, 14, "above 0"},
	{"cycles/period=1,freq=2/", -EINVAL, 16, "given twice"},
	{"cycles/call-graph=x/", -EINVAL, 18, "fp, dwarf"},
	{"cycles/stack-size=70000/", -EINVAL, 18, "65528 at most"},
	{"cycles/inherit=1/", -EINVAL, 15, "takes no value"},
	{"cycles/inherit,no-inherit/", -EINVAL, 7, "exclude each other"},
	{"iTLB-stores", -EINVAL, 0, "no such operation"},
	{"softwear/config=1/", -ENOENT, 0, "did you mean 'software'?"},
	{"software/nothing=1/", -EINVAL, 9, "no such term"},
	{"mem:x", -EINVAL, 4, "an address"},
	{"mem:0x10/9", -EINVAL, 9, "1 to 8"},
	{"mem:0x10:rr", -EINVAL, 10, "repeated"},
	{"1:x", -EINVAL, 0, "two numbers"},
	{"no-such-thing", -ENOENT, 0, "perf list"},
};

static void test_bad(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		const struct bad *b = &bad[i];
		struct evlist *l = evlist__new();
		struct errbuf eb = {.msg = ""};
		int err = evlist__parse(l, b->text, &eb);
		char *line = strstr(eb.msg, "\n  "), *caret;

		if (err != b->err || !strstr(eb.msg, b->says))
			fail_msg("'%s': %d, %s", b->text, err, eb.msg);
		if (strncmp(line + 3, b->text, strlen(b->text)))
			fail_msg("'%s' is not shown: %s", b->text, eb.msg);
		caret = strrchr(eb.msg, '^');
		if (!caret || caret - strrchr(eb.msg, '\n') - 3 != b->col)
			fail_msg("'%s': caret at %d: %s", b->text,
				 (int)(caret - strrchr(eb.msg, '\n') - 3), eb.msg);
		assert_int_equal(evlist__nr(l), 0);
		evlist__delete(l);
	}
}

static struct evlist *parsed(const char *text)
{
	struct evlist *l = evlist__new();
	struct errbuf eb = {.msg = ""};

	if (evlist__parse(l, text, &eb))
		fail_msg("%s: %s", text, eb.msg);
	return l;
}

static void test_breakpoints(void **state)
{
	static const struct {
		const char *text;
		u64 addr, len;
		u32 type;
		bool user_only;
	} mem[] = {
		{"mem:0x1000", 0x1000, 4, HW_BREAKPOINT_RW, false},
		{"mem:4096/8:w:u", 0x1000, 8, HW_BREAKPOINT_W, true},
		{"mem:0x1000/1:u", 0x1000, 1, HW_BREAKPOINT_RW, true},
		{"mem:0x1000:x", 0x1000, sizeof(long), HW_BREAKPOINT_X, false},
		{"mem:0x1000:rw:k", 0x1000, 4, HW_BREAKPOINT_RW, false},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(mem); i++) {
		struct evlist *l = parsed(mem[i].text);
		const struct perf_event_attr *a = evsel__attr(evlist__at(l, 0));

		assert_int_equal(a->type, PERF_TYPE_BREAKPOINT);
		assert_int_equal(a->bp_addr, mem[i].addr);
		assert_int_equal(a->bp_len, mem[i].len);
		assert_int_equal(a->bp_type, mem[i].type);
		assert_int_equal(a->exclude_kernel, mem[i].user_only);
		assert_int_equal(a->sample_period, 1);
		evlist__delete(l);
	}
}

static void test_groups(void **state)
{
	struct evlist *l = parsed("cs,{cycles,faults,cpu-clock}:WS,{task-clock}");

	(void)state;
	assert_int_equal(evlist__nr(l), 5);
	assert_ptr_equal(evsel__leader(evlist__at(l, 0)), evlist__at(l, 0));
	for (int i = 1; i < 4; i++) {
		assert_ptr_equal(evsel__leader(evlist__at(l, i)), evlist__at(l, 1));
		assert_true(evsel__is_weak_group(evlist__at(l, i)));
		assert_true(evsel__sample_read(evlist__at(l, i)));
	}
	assert_int_equal(evsel__nr_members(evlist__at(l, 1)), 3);
	assert_false(evsel__is_weak_group(evlist__at(l, 4)));
	assert_int_equal(evsel__nr_members(evlist__at(l, 4)), 1);
	evlist__delete(l);
}

static void test_terms(void **state)
{
	struct evlist *l = parsed("cpu-clock/period=1000,call-graph=dwarf,stack-size=4090,time=0/,"
				  "faults/freq=10,max-stack=7,branch_type=any|u/,task-clock");
	const struct perf_event_attr *a = evsel__attr(evlist__at(l, 0));
	const struct evsel_terms *t = evsel__terms(evlist__at(l, 0));

	(void)state;
	assert_int_equal(a->sample_period, 1000);
	assert_int_equal(a->freq, 0);
	assert_string_equal(t->call_graph, "dwarf");
	assert_int_equal(t->stack_size, 4096);
	assert_int_equal(t->time, 0);
	a = evsel__attr(evlist__at(l, 1));
	assert_int_equal(a->sample_freq, 10);
	assert_int_equal(a->freq, 1);
	assert_int_equal(a->sample_max_stack, 7);
	assert_int_equal(a->branch_sample_type, PERF_SAMPLE_BRANCH_ANY | PERF_SAMPLE_BRANCH_USER);
	assert_int_equal(evsel__terms(evlist__at(l, 1))->time, -1);
	/* -c and -F leave those with their own alone. */
	evlist__set_period(l, 5);
	assert_int_equal(evsel__attr(evlist__at(l, 0))->sample_period, 1000);
	assert_int_equal(evsel__attr(evlist__at(l, 1))->sample_freq, 10);
	assert_int_equal(evsel__attr(evlist__at(l, 2))->sample_period, 5);
	evlist__delete(l);
}

static void test_filter_needs_tracepoint(void **state)
{
	struct evlist *l = parsed("cpu-clock");
	struct errbuf eb = {.msg = ""};

	(void)state;
	assert_int_equal(evlist__set_filter(l, "a == 1", &eb), -EINVAL);
	assert_non_null(strstr(eb.msg, "cpu-clock is none"));
	evlist__delete(l);
}

static void test_frequency(void **state)
{
	struct evlist *l = parsed("cpu-clock");
	struct errbuf eb = {.msg = ""}, note = {.msg = ""};

	(void)state;
	assert_int_equal(evlist__set_freq(l, 0, &note, &eb), -EINVAL);
	assert_int_equal(evlist__set_freq(l, 99, &note, &eb), 0);
	assert_string_equal(note.msg, "");
	assert_int_equal(evsel__attr(evlist__at(l, 0))->sample_freq, 99);
	assert_int_equal(evlist__set_freq(l, 1000000000, &note, &eb), 0);
	assert_non_null(strstr(note.msg, "perf_event_max_sample_rate"));
	assert_true(evsel__attr(evlist__at(l, 0))->sample_freq < 1000000000);
	evlist__delete(l);
}

static void test_cpu_lists(void **state)
{
	struct errbuf eb = {.msg = ""};
	struct cpu_map *m = cpu_map__parse_any("3,0-1,1", &eb);

	(void)state;
	assert_int_equal(m->nr, 3);
	assert_int_equal(m->cpu[0], 0);
	assert_int_equal(m->cpu[1], 1);
	assert_int_equal(m->cpu[2], 3);
	assert_true(cpu_map__has(m, 3));
	assert_false(cpu_map__has(m, 2));
	free(m);
	assert_null(cpu_map__parse_any("0,x", &eb));
	assert_non_null(strstr(eb.msg, "column 3"));
	assert_null(cpu_map__parse_any("3-1", &eb));
	assert_null(cpu_map__parse_any("", &eb));
	assert_null(cpu_map__parse_any("0-99999999999", &eb));
	assert_null(cpu_map__parse("60000", &eb));
	assert_non_null(strstr(eb.msg, "does not exist"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_good),	    cmocka_unit_test(test_bad),
		cmocka_unit_test(test_breakpoints), cmocka_unit_test(test_groups),
		cmocka_unit_test(test_terms),	    cmocka_unit_test(test_filter_needs_tracepoint),
		cmocka_unit_test(test_frequency),   cmocka_unit_test(test_cpu_lists),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
