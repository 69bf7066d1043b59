// SPDX-License-Identifier: GPL-2.0-only
/* The queue that orders records: against a stable sort, in the shapes that recordings have. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "session/ordered.h"

#define MAX 20000

static struct ordered_entry out[MAX];
static size_t nr_out;
static int stop_at = -1;

static int take(void *ctx, const struct ordered_entry *e)
{
	(void)ctx;
	out[nr_out++] = *e;
	return (int)nr_out == stop_at ? 7 : 0;
}

static u64 seed = 1;

static u64 rnd(u64 n)
{
	seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
	return (seed >> 33) % n;
}

/* By time, equal times as they were pushed: the offset counts the pushes. */
static void check_order(u64 until)
{
	for (size_t i = 0; i < nr_out; i++) {
		assert_true(out[i].time <= until);
		if (!i)
			continue;
		assert_true(out[i - 1].time <= out[i].time);
		if (out[i - 1].time == out[i].time)
			assert_true(out[i - 1].offset < out[i].offset);
	}
}

/* @kind 0: sorted; 1: rings one after the other; 2: rings, slightly disordered; 3: random. */
static u64 make_time(int kind, size_t i, size_t n)
{
	switch (kind) {
	case 0:
		return i / 3;
	case 1:
		return i % (n / 4) / 2;
	case 2:
		return i % (n / 4) + rnd(8);
	default:
		return rnd(n / 2);
	}
}

static void test_shapes(void **state)
{
	(void)state;
	for (int kind = 0; kind < 4; kind++) {
		for (size_t n = 8; n <= MAX; n = n * 3 + 1) {
			struct ordered_queue q;
			size_t first;
			u64 max = 0;

			ordered_queue__init(&q);
			nr_out = 0;
			for (size_t i = 0; i < n; i++) {
				u64 t = make_time(kind, i, n);

				max = t > max ? t : max;
				assert_int_equal(ordered_queue__push(&q, t, NULL, i), 0);
			}
			assert_int_equal(q.max_time, max);
			assert_int_equal(q.peak, n);
			/* In two parts: what is not later than the limit, then the rest. */
			assert_int_equal(ordered_queue__flush(&q, max / 2, take, NULL), 0);
			check_order(max / 2);
			first = nr_out;
			assert_int_equal(q.nr, n - first);
			assert_int_equal(ordered_queue__flush(&q, UINT64_MAX, take, NULL), 0);
			assert_int_equal(nr_out, n);
			assert_true(first == n || out[first].time > max / 2);
			check_order(max);
			ordered_queue__exit(&q);
		}
	}
}

static void test_half_and_stop(void **state)
{
	struct ordered_queue q;

	(void)state;
	ordered_queue__init(&q);
	nr_out = 0;
	for (u64 i = 0; i < 101; i++)
		ordered_queue__push(&q, 1000 - i, NULL, i);
	assert_int_equal(ordered_queue__flush_half(&q, take, NULL), 0);
	assert_int_equal(nr_out, 51);
	assert_int_equal(out[50].time, 950);
	/* A callback that stops: what it got is gone, the rest stays, in order. */
	nr_out = 0;
	stop_at = 10;
	assert_int_equal(ordered_queue__flush(&q, UINT64_MAX, take, NULL), 7);
	assert_int_equal(nr_out, 10);
	stop_at = -1;
	ordered_queue__push(&q, 5, NULL, 200);
	nr_out = 0;
	assert_int_equal(ordered_queue__flush(&q, UINT64_MAX, take, NULL), 0);
	assert_int_equal(nr_out, 41);
	assert_int_equal(out[0].time, 5);
	assert_int_equal(out[1].time, 961);
	ordered_queue__exit(&q);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_shapes),
		cmocka_unit_test(test_half_and_stop),
	};

	return cmocka_run_group_tests_name("ordered", tests, NULL, NULL);
}
