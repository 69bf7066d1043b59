// SPDX-License-Identifier: GPL-2.0-only
/* perf_sample__parse(): each field where the kernel puts it, and records that lie. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "lib/perf/evlist.h"

/* A record in a block of exactly its size, so that a sanitizer sees a read behind it. */
static struct perf_event_header *record(u32 type, u16 misc, const u64 *words, int nr)
{
	struct perf_event_header *h = malloc(sizeof(*h) + nr * 8);

	h->type = type;
	h->misc = misc;
	h->size = sizeof(*h) + nr * 8;
	memcpy(h + 1, words, nr * 8);
	return h;
}

#define PAIR(a, b) ((u64)(a) | (u64)(b) << 32)

static const struct perf_event_attr everything = {
	.sample_id_all = 1,
	.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
		       PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR | PERF_SAMPLE_ID |
		       PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD |
		       PERF_SAMPLE_READ | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_RAW |
		       PERF_SAMPLE_BRANCH_STACK | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER |
		       PERF_SAMPLE_WEIGHT_STRUCT | PERF_SAMPLE_DATA_SRC | PERF_SAMPLE_TRANSACTION |
		       PERF_SAMPLE_REGS_INTR | PERF_SAMPLE_PHYS_ADDR | PERF_SAMPLE_CGROUP |
		       PERF_SAMPLE_DATA_PAGE_SIZE | PERF_SAMPLE_CODE_PAGE_SIZE | PERF_SAMPLE_AUX,
	.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID | PERF_FORMAT_LOST |
		       PERF_FORMAT_TOTAL_TIME_ENABLED,
	.branch_sample_type = PERF_SAMPLE_BRANCH_ANY | PERF_SAMPLE_BRANCH_HW_INDEX,
	.sample_regs_user = 0x5,
	.sample_regs_intr = 0x3,
};

static const u64 full[] = {
	77 /* identifier */,
	0x1000 /* ip */,
	PAIR(10, 11),
	123456789 /* time */,
	0x2000 /* addr */,
	77 /* id */,
	78 /* stream */,
	PAIR(3, 0) /* cpu */,
	4000 /* period */,
	2,
	500,
	1,
	77,
	0,
	2,
	79,
	1, /* read: nr, enabled, 2 x (value, id, lost) */
	3,
	PERF_CONTEXT_USER,
	0x1000,
	0x1010, /* call chain */
	PAIR(12, 0x61616161),
	0x6262626261616161, /* raw, 12 bytes */
	1,
	5,
	0xa,
	0xb,
	0xc, /* one branch, hw_idx 5 */
	PERF_SAMPLE_REGS_ABI_64,
	0xd,
	0xe, /* user registers */
	16,
	0x11,
	0x12,
	8,		       /* user stack, 8 of 16 bytes real */
	0x0004000300000002ULL, /* weight struct */
	0x99 /* data src */,
	0x98 /* transaction */,
	PERF_SAMPLE_REGS_ABI_64,
	0x21,
	0x22, /* intr registers */
	0x97 /* phys */,
	0x96 /* cgroup */,
	4096,
	8192,
	8,
	0x95, /* aux */
};

static void test_full(void **state)
{
	struct perf_event_header *h =
		record(PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, full, ARRAY_SIZE(full));
	struct perf_sample s;

	(void)state;
	assert_int_equal(perf_sample__parse(&everything, h, &s), 0);
	assert_int_equal(s.id, 77);
	assert_int_equal(s.ip, 0x1000);
	assert_int_equal(s.pid, 10);
	assert_int_equal(s.tid, 11);
	assert_int_equal(s.time, 123456789);
	assert_int_equal(s.addr, 0x2000);
	assert_int_equal(s.stream_id, 78);
	assert_int_equal(s.cpu, 3);
	assert_int_equal(s.period, 4000);
	assert_int_equal(s.read_size, 8 * 8);
	assert_int_equal(((const u64 *)s.read)[2], 1);
	assert_int_equal(s.callchain_nr, 3);
	assert_int_equal(s.callchain[2], 0x1010);
	assert_int_equal(s.raw_size, 12);
	assert_memory_equal(s.raw_data, "aaaaaaaabbbb", 12);
	assert_int_equal(s.branch_nr, 1);
	assert_int_equal(s.branch_hw_idx, 5);
	assert_int_equal(s.branch[1], 0xb);
	assert_int_equal(s.user_abi, PERF_SAMPLE_REGS_ABI_64);
	assert_int_equal(s.user_regs[1], 0xe);
	assert_int_equal(s.user_stack_size, 16);
	assert_int_equal(s.user_stack_dyn, 8);
	assert_int_equal(((const u64 *)s.user_stack)[0], 0x11);
	assert_int_equal(s.weight, 2);
	assert_int_equal(s.ins_lat, 3);
	assert_int_equal(s.p_stage_cyc, 4);
	assert_int_equal(s.data_src, 0x99);
	assert_int_equal(s.transaction, 0x98);
	assert_int_equal(s.intr_regs[1], 0x22);
	assert_int_equal(s.phys_addr, 0x97);
	assert_int_equal(s.cgroup, 0x96);
	assert_int_equal(s.data_page_size, 4096);
	assert_int_equal(s.code_page_size, 8192);
	assert_int_equal(s.aux_size, 8);
	assert_int_equal(*(const u64 *)s.aux_data, 0x95);
	assert_int_equal(s.cpumode, PERF_RECORD_MISC_USER);
	free(h);
}

/* Cut at every word: never accepted, never read beyond. */
static void test_cut(void **state)
{
	(void)state;
	for (size_t n = 0; n < ARRAY_SIZE(full); n++) {
		struct perf_event_header *h = record(PERF_RECORD_SAMPLE, 0, full, n);
		struct perf_sample s;

		assert_int_equal(perf_sample__parse(&everything, h, &s), -EBADMSG);
		free(h);
	}
}

static void test_trailer(void **state)
{
	static const u64 comm[] = {PAIR(1, 2), 0x6d6d6f63, PAIR(10, 11), 55,
				   77,	       78,	   PAIR(3, 0),	 77};
	struct perf_event_header *h = record(PERF_RECORD_COMM, 0, comm, ARRAY_SIZE(comm));
	struct perf_event_attr none = {.sample_type = PERF_SAMPLE_TID};
	struct perf_sample s;

	(void)state;
	assert_int_equal(perf_sample__parse(&everything, h, &s), 0);
	assert_int_equal(s.pid, 10);
	assert_int_equal(s.tid, 11);
	assert_int_equal(s.time, 55);
	assert_int_equal(s.id, 77);
	assert_int_equal(s.stream_id, 78);
	assert_int_equal(s.cpu, 3);
	/* Without sample_id_all there is no trailer. */
	assert_int_equal(perf_sample__parse(&none, h, &s), 0);
	assert_int_equal(s.tid, (u32)-1);
	free(h);
	h = record(PERF_RECORD_COMM, 0, comm, 5);
	assert_int_equal(perf_sample__parse(&everything, h, &s), -EBADMSG);
	free(h);
}

static void test_lies(void **state)
{
	static const struct {
		u64 type;
		u64 words[4];
		int nr;
	} lies[] = {
		{PERF_SAMPLE_CALLCHAIN, {2, 1}, 2},
		{PERF_SAMPLE_CALLCHAIN, {~0ULL, 1}, 2},
		{PERF_SAMPLE_CALLCHAIN, {1ULL << 61, 1}, 2},
		{PERF_SAMPLE_RAW, {0xffffffff, 0}, 2},
		{PERF_SAMPLE_RAW, {13, 0}, 2},
		{PERF_SAMPLE_BRANCH_STACK, {1ULL << 62, 1, 1, 1}, 4},
		{PERF_SAMPLE_BRANCH_STACK, {2, 1, 1, 1}, 4},
		{PERF_SAMPLE_STACK_USER, {~7ULL, 1}, 2},
		{PERF_SAMPLE_STACK_USER, {4, 1, 1}, 3},
		{PERF_SAMPLE_STACK_USER, {8, 1, 9}, 3},
		{PERF_SAMPLE_STACK_USER, {8, 1}, 2},
		{PERF_SAMPLE_AUX, {~0ULL, 1}, 2},
		{PERF_SAMPLE_AUX, {9, 1}, 2},
		{PERF_SAMPLE_READ, {1ULL << 60, 1}, 2},
		{PERF_SAMPLE_READ, {3, 1, 1, 1}, 4},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(lies); i++) {
		struct perf_event_attr a = {.sample_type = lies[i].type,
					    .read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID};
		struct perf_event_header *h =
			record(PERF_RECORD_SAMPLE, 0, lies[i].words, lies[i].nr);
		struct perf_sample s;

		if (perf_sample__parse(&a, h, &s) != -EBADMSG)
			fail_msg("lie %zu was believed", i);
		free(h);
	}
}

/* Any bits, any bytes: an answer, and what it points to lies inside the record. */
static void test_random(void **state)
{
	unsigned int seed = 1;

	(void)state;
	for (int round = 0; round < 200000; round++) {
		int nr = rand_r(&seed) % 24;
		u64 words[24], end;
		struct perf_event_attr a = {.sample_id_all = rand_r(&seed) & 1};
		struct perf_event_header *h;
		struct perf_sample s;

		for (int i = 0; i < nr; i++)
			words[i] = rand_r(&seed) % 4 ? (u64)(rand_r(&seed) % 20)
						     : PAIR(rand_r(&seed), rand_r(&seed));
		a.sample_type = PAIR(rand_r(&seed), 0) & rand_r(&seed) & ((1U << 25) - 1);
		a.read_format = rand_r(&seed) & 31;
		a.branch_sample_type = rand_r(&seed) & ((1U << 20) - 1);
		a.sample_regs_user = rand_r(&seed) & 15;
		a.sample_regs_intr = rand_r(&seed) & 15;
		h = record(rand_r(&seed) % 2 ? PERF_RECORD_SAMPLE : PERF_RECORD_COMM, 0, words, nr);
		if (!perf_sample__parse(&a, h, &s)) {
			end = (u64)(uintptr_t)h + h->size;
			assert_true((u64)(uintptr_t)(s.callchain + s.callchain_nr) <= end);
			assert_true((u64)(uintptr_t)s.raw_data + s.raw_size <= end);
			assert_true((u64)(uintptr_t)s.user_stack + s.user_stack_size <= end);
			assert_true((u64)(uintptr_t)s.aux_data + s.aux_size <= end);
			assert_true((u64)(uintptr_t)(s.branch + 3 * s.branch_nr) <= end);
			assert_true((u64)(uintptr_t)s.read + s.read_size <= end);
		}
		free(h);
	}
}

static void test_header(void **state)
{
	struct perf_event_header h = {.type = PERF_RECORD_SAMPLE, .size = 4};
	struct perf_event_attr a = {0};
	struct perf_sample s;

	(void)state;
	assert_int_equal(perf_sample__parse(&a, &h, &s), -EBADMSG);
	h.size = 8;
	a.sample_period = 42;
	assert_int_equal(perf_sample__parse(&a, &h, &s), 0);
	assert_int_equal(s.period, 42); /* a fixed period is not in the record */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_full),	cmocka_unit_test(test_cut),
		cmocka_unit_test(test_trailer), cmocka_unit_test(test_lies),
		cmocka_unit_test(test_random),	cmocka_unit_test(test_header),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
