// SPDX-License-Identifier: GPL-2.0-only
/* -s: the figures against ones computed by hand, the table's text, percentiles within their slot.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

#include "trace/summary.h"

static struct trace_table *table;
static struct outbuf ob;

static int setup(void **state)
{
	(void)state;
	table = trace_table__new(NULL);
	assert_non_null(table);
	return outbuf__init(&ob, -1, 0);
}

static int teardown(void **state)
{
	(void)state;
	trace_table__delete(table);
	outbuf__exit(&ob);
	return 0;
}

static const char *print(struct trace_summary *s, bool errnos)
{
	ob.len = 0;
	trace_summary__print(s, &ob, errnos);
	outbuf__putc(&ob, 0);
	return ob.buf;
}

static int nr(const char *name)
{
	return trace_table__number(table, TRACE_ABI_64, name);
}

static void test_table(void **state)
{
	struct trace_summary *s = trace_summary__new(table, SUMMARY_THREAD);

	(void)state;
	/* 1, 2, 3 ms: mean 2, variance 1, of the mean 1/3: 28.87 % */
	for (int i = 1; i <= 3; i++)
		trace_summary__add(s, 77, 0, nr("read"), i == 3 ? -EAGAIN : 5, i * 1000000);
	trace_summary__add(s, 77, 0, nr("close"), 0, 1500);
	trace_summary__add(s, 78, 0, nr("execve"), 0, -1);
	trace_summary__name(s, 77, "cat");
	trace_summary__name(s, 78, "a\033b");
	assert_string_equal(print(s, true), "\n Summary of events:\n\n"
					    " cat (77), 8 events, 80.0%\n\n"
					    "   syscall            calls  errors  total       min  "
					    "     avg       max       stddev"
					    "       p50       p95       p99\n"
					    "                                     (msec)    (msec) "
					    "   (msec)    (msec)        (%)"
					    "    (msec)    (msec)    (msec)\n"
					    "   --------------- --------  ------ -------- "
					    "--------- --------- ---------     ------"
					    " --------- --------- ---------\n"
					    "   read                   3      1     6.000     "
					    "1.000     2.000     3.000     28.87%"
					    "     1.966     3.000     3.000\n"
					    "\t\t\t\tEAGAIN: 1\n"
					    "   close                  1      0     0.002     "
					    "0.002     0.002     0.002      0.00%"
					    "     0.002     0.002     0.002\n"
					    "\n\n"
					    " a\\x1bb (78), 2 events, 20.0%\n\n"
					    "   syscall            calls  errors  total       min  "
					    "     avg       max       stddev"
					    "       p50       p95       p99\n"
					    "                                     (msec)    (msec) "
					    "   (msec)    (msec)        (%)"
					    "    (msec)    (msec)    (msec)\n"
					    "   --------------- --------  ------ -------- "
					    "--------- --------- ---------     ------"
					    " --------- --------- ---------\n"
					    "   execve                 1      0     0.000     "
					    "0.000     0.000     0.000      0.00%"
					    "     0.000     0.000     0.000\n"
					    "\n\n");
	assert_int_equal(trace_summary__calls(s), 5);
	trace_summary__delete(s);
}

static void test_json(void **state)
{
	struct trace_summary *s = trace_summary__new(table, SUMMARY_TOTAL);

	(void)state;
	trace_summary__add(s, 1, 0, nr("read"), -EAGAIN, 3);
	trace_summary__add(s, 2, 0, nr("read"), 5, 1);
	ob.len = 0;
	trace_summary__json(s, &ob, true);
	outbuf__putc(&ob, 0);
	assert_string_equal(
		ob.buf,
		"{\"summary\":[{\"calls\":2,\"syscalls\":[{\"syscall\":\"read\",\"abi\":\"64\","
		"\"calls\":2,\"errors\":1,\"total_ns\":4,\"min_ns\":1,\"avg_ns\":2,\"max_ns\":3,"
		"\"stddev_percent\":50.00,\"p50_ns\":1,\"p95_ns\":3,\"p99_ns\":3,"
		"\"errnos\":{\"EAGAIN\":1}}]}]}\n");
	trace_summary__delete(s);
}

/* The slot of every duration holds it, and slots ascend. */
static void test_slots(void **state)
{
	u32 last = 0;

	(void)state;
	for (u64 ns = 0; ns < 1 << 20; ns++) {
		u32 slot = trace_hist__slot(ns);

		assert_in_range(slot, last, last + 1);
		last = slot;
		if (ns >= 4) {
			u32 shift = slot / 4 - 1;
			u64 low = (u64)(4 + slot % 4) << shift;

			assert_in_range(ns, low, low + (1ULL << shift) - 1);
		}
	}
	assert_int_equal(trace_hist__slot(~0ULL), TRACE_HIST_SLOTS - 1);
	assert_int_equal(trace_hist__slot(1ULL << 39), (39 - 1) * 4);
}

/* Sums that the kernel made and ones made here are the same. */
static void test_sums(void **state)
{
	struct trace_summary *a = trace_summary__new(table, SUMMARY_TOTAL);
	struct trace_summary *b = trace_summary__new(table, SUMMARY_TOTAL);
	struct trace_sum half[2] = {0};
	char *text;

	(void)state;
	srand(3);
	for (int i = 0; i < 10000; i++) {
		s64 ns = (s64)rand() << rand() % 12;

		trace_summary__add(a, 0, 0, 0, 0, ns);
		trace_sum__add(&half[i % 2], false, true, (u64)ns);
	}
	trace_summary__add_sum(b, 0, 0, 0, &half[0]);
	trace_summary__add_sum(b, 0, 0, 0, &half[1]);
	text = strdup(print(a, false));
	assert_string_equal(text, print(b, false));
	free(text);
	trace_summary__delete(a);
	trace_summary__delete(b);
}

/* 5,000 threads: memory stays bounded, no call is lost. */
static void test_many(void **state)
{
	struct trace_summary *s = trace_summary__new(table, SUMMARY_THREAD);

	(void)state;
	for (u64 tid = 1; tid <= 5000; tid++) {
		for (int call = 0; call < 3; call++)
			assert_int_equal(trace_summary__add(s, tid, 0, call, 0, 100), 0);
		trace_summary__name(s, tid, "x");
	}
	assert_int_equal(trace_summary__calls(s), 15000);
	assert_non_null(strstr(print(s, false), " others, 23856 events, 79.5%\n"));
	trace_summary__delete(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_table), cmocka_unit_test(test_json),
		cmocka_unit_test(test_slots), cmocka_unit_test(test_sums),
		cmocka_unit_test(test_many),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
