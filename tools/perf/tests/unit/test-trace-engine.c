// SPDX-License-Identifier: GPL-2.0-only
/* The rings' order and limits, the queue beside them, captures by process_vm_readv. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <errno.h>
#include <linux/bpf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include "bpf/trace-ring.h"
#include "trace/capture-vm.h"
#include "trace/record-queue.h"

#define RING 4096
#define STEP (sizeof(struct trace_record) + BPF_RINGBUF_HDR_SZ)

struct fake {
	struct trace_ring r;
	u64 consumer, producer;
	u8 data[2 * RING];
};

static void put(struct fake *f, u64 time, u32 bits)
{
	u32 *hdr = (u32 *)(f->data + f->producer % RING);
	struct trace_record rec = {.size = sizeof(rec), .time_exit = time};

	hdr[0] = sizeof(rec) | bits;
	memcpy(hdr + 2, &rec, sizeof(rec));
	f->producer += (STEP + 7) & ~7ull;
	f->r.consumer = &f->consumer;
	f->r.producer = &f->producer;
	f->r.data = f->data;
	f->r.size = RING;
}

static u64 seen[16];
static int nr_seen;

static void note(const struct trace_record *r, u32 size, void *arg)
{
	(void)arg;
	assert_int_equal(size, sizeof(*r));
	seen[nr_seen++] = r->time_exit;
}

static void test_merge(void **state)
{
	static struct fake f[2];
	struct trace_ring rings[2];
	static const u64 want[] = {1, 2, 3, 5, 8, 9};
	bool left;

	(void)state;
	put(&f[0], 2, 0);
	put(&f[0], 3, 0);
	put(&f[0], 4, BPF_RINGBUF_DISCARD_BIT);
	put(&f[0], 9, 0);
	put(&f[1], 1, 0);
	put(&f[1], 5, 0);
	put(&f[1], 8, 0);
	put(&f[1], 20, 0);
	rings[0] = f[0].r;
	rings[1] = f[1].r;
	nr_seen = 0;
	assert_int_equal(trace_rings__drain(rings, 2, 10, note, NULL, &left), 6);
	assert_memory_equal(seen, want, sizeof(want));
	assert_true(left);
	assert_int_equal(f[0].consumer, f[0].producer);
	assert_int_equal(f[1].consumer, 3 * ((STEP + 7) & ~7ull));
	assert_int_equal(trace_rings__drain(rings, 2, ~0ull, note, NULL, &left), 1);
	assert_false(left);
	assert_int_equal(rings[0].arrived + rings[1].arrived, 7);
}

static void test_busy(void **state)
{
	static struct fake f;
	struct trace_ring ring;
	bool left;

	(void)state;
	put(&f, 1, 0);
	put(&f, 2, BPF_RINGBUF_BUSY_BIT); /* still being written: nothing behind it is taken */
	put(&f, 3, 0);
	ring = f.r;
	nr_seen = 0;
	assert_int_equal(trace_rings__drain(&ring, 1, ~0ull, note, NULL, &left), 1);
	((u32 *)(f.data + f.consumer))[0] &= ~BPF_RINGBUF_BUSY_BIT;
	assert_int_equal(trace_rings__drain(&ring, 1, ~0ull, note, NULL, &left), 2);
	assert_int_equal(seen[2], 3);
}

static void test_queue(void **state)
{
	struct record_queue *q = record_queue__new(1 << 20);
	struct trace_record r = {.size = sizeof(r)};

	(void)state;
	assert_non_null(q);
	assert_null(record_queue__peek(q));
	for (u64 i = 0; i < 3; i++) {
		r.seq = i;
		assert_int_equal(record_queue__post(q, &r), 0);
	}
	for (u64 i = 0; i < 3; i++) {
		assert_int_equal(record_queue__peek(q)->seq, i);
		record_queue__pop(q);
	}
	assert_null(record_queue__peek(q));
	record_queue__close(q);
	assert_int_equal(record_queue__post(q, &r), -EPIPE);
	record_queue__delete(q);
}

static union {
	struct trace_record r;
	u8 room[20000];
} buf;

static const struct trace_blob *capture(struct trace_capture cap, int when, u64 a0, u64 a1, s64 ret,
					bool ok)
{
	memset(&buf, 0x55, sizeof(buf));
	buf.r = (struct trace_record){.size = sizeof(buf.r), .args = {a0, a1}, .ret = ret};
	assert_int_equal(capture_vm__add(getpid(), &cap, when, &buf.r, sizeof(buf)), ok);
	assert_int_equal(buf.r.size % 8, 0);
	return buf.r.nr_blobs ? (const void *)(&buf.r + 1) : NULL;
}

static void test_strings(void **state)
{
	static const struct trace_capture path = {.kind = CAP_STRING, .when = CAP_ENTRY};
	static const struct trace_capture cut = {.kind = CAP_STRING, .when = CAP_ENTRY, .size = 4};
	u8 *p = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	const struct trace_blob *b;

	(void)state;
	assert_true(p != MAP_FAILED);
	munmap(p + 4096, 4096);
	memcpy(p + 4090, "hello", 6); /* ends with its page */
	b = capture(path, CAP_ENTRY, (u64)(p + 4090), 0, 0, true);
	assert_int_equal(b->len, 5);
	assert_int_equal(b->status, BLOB_OK);
	assert_memory_equal(b + 1, "hello", 5);
	b = capture(cut, CAP_ENTRY, (u64)(p + 4090), 0, 0, true);
	assert_int_equal(b->len, 4);
	assert_int_equal(b->status, BLOB_CUT);
	assert_int_equal(b->orig_len, 5);
	b = capture(path, CAP_ENTRY, 16, 0, 0, false);
	assert_int_equal(b->status, BLOB_UNREADABLE);
	assert_int_equal(b->len, 0);
	b = capture(path, CAP_EXIT, 16, 0, -EFAULT, true);
	assert_int_equal(b->status, BLOB_FAULT);
	assert_null(capture(path, CAP_ENTRY, 0, 0, 0, true));
	munmap(p, 4096);
}

static void test_vectors(void **state)
{
	static const struct trace_capture iov = {
		.kind = CAP_IOVEC, .when = CAP_EXIT, .len_from = LEN_ARG, .len_arg = 1, .size = 3};
	static const struct trace_capture argv = {.kind = CAP_ARGV, .when = CAP_ENTRY};
	static const struct trace_capture data = {
		.kind = CAP_BUFFER, .when = CAP_EXIT, .len_from = LEN_RET, .size = 64};
	struct iovec v[2] = {{"abcdef", 6}, {"xyz", 3}};
	const char *const args[] = {"ls", "-l", NULL};
	const struct trace_blob *b;
	const u8 *e;

	(void)state;
	/* 7 bytes came: all six of the first, one of the second; each cut at 3. */
	b = capture(iov, CAP_EXIT, (u64)v, 2, 7, true);
	assert_int_equal(b->head, sizeof(v));
	assert_int_equal(b->orig_len, 2);
	assert_int_equal(b->status, BLOB_CUT);
	e = (const u8 *)(b + 1) + b->head;
	assert_int_equal(*(const u32 *)e, 3);
	assert_memory_equal(e + 4, "abc", 3);
	assert_int_equal(*(const u32 *)(e + 8), 1);
	assert_memory_equal(e + 12, "x", 1);
	b = capture(argv, CAP_ENTRY, (u64)args, 0, 0, true);
	assert_int_equal(b->orig_len, 2);
	assert_int_equal(b->len, 6);
	assert_memory_equal(b + 1, "ls\0-l", 6);
	b = capture(data, CAP_EXIT, (u64) "12345678", 0, 4, true);
	assert_int_equal(b->len, 4);
	assert_memory_equal(b + 1, "1234", 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_merge),	cmocka_unit_test(test_busy),
		cmocka_unit_test(test_queue),	cmocka_unit_test(test_strings),
		cmocka_unit_test(test_vectors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
