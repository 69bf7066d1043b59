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

#include "bpf/trace.h"
#include "trace/capture-vm.h"
#include "trace/record-queue.h"

#define RING 4096
#define STEP (sizeof(struct trace_record) + BPF_RINGBUF_HDR_SZ)

/* As the programs write it, or, beside, as the kernel does. */
struct fake {
	struct trace_ring r;
	u64 consumer, producer;
	u8 data[2 * RING + TRACE_RING_SLACK];
};

static void begin(struct fake *f, bool beside)
{
	memset(f, 0, sizeof(*f));
	f->r = (struct trace_ring){.beside = beside,
				   .size = RING,
				   .consumer = &f->consumer,
				   .producer = &f->producer,
				   .data = f->data};
}

static void put(struct fake *f, u64 time, u32 size)
{
	struct trace_record rec = {.size = size, .time_exit = time};

	memcpy(f->data + f->producer % RING, &rec, sizeof(rec));
	f->producer += size;
}

static void put_beside(struct fake *f, u64 time, u32 len)
{
	u32 *hdr = (u32 *)(f->data + f->producer % RING);
	struct trace_record rec = {.size = sizeof(rec), .time_exit = time};

	hdr[0] = len;
	memcpy(hdr + 2, &rec, sizeof(rec));
	f->producer += ((len & 0xffff) + BPF_RINGBUF_HDR_SZ + 7) & ~7ull;
}

static u64 seen[64];
static u32 sizes[64];
static int nr_seen;

static void note(const struct trace_record *r, u32 size, void *arg)
{
	(void)arg;
	sizes[nr_seen] = size;
	seen[nr_seen++] = r->time_exit;
}

static const u32 rec_size = sizeof(struct trace_record);

static void test_merge(void **state)
{
	static struct fake f[3];
	struct trace_ring rings[3];
	static const u64 want[] = {1, 2, 3, 4, 5, 8, 9};
	bool left;

	(void)state;
	begin(&f[0], false);
	begin(&f[1], false);
	begin(&f[2], true);
	put(&f[0], 2, rec_size);
	put(&f[0], 3, rec_size + 64);
	put(&f[0], 9, rec_size);
	put(&f[1], 1, rec_size);
	put(&f[1], 5, rec_size);
	put(&f[1], 8, rec_size);
	put(&f[1], 20, rec_size);
	put_beside(&f[2], 0, 8); /* the doorbell */
	put_beside(&f[2], 4, rec_size);
	put_beside(&f[2], 7, rec_size | BPF_RINGBUF_DISCARD_BIT);
	for (int i = 0; i < 3; i++)
		rings[i] = f[i].r;
	nr_seen = 0;
	assert_int_equal(trace_rings__drain(rings, 3, 10, note, NULL, &left), 7);
	assert_memory_equal(seen, want, sizeof(want));
	assert_int_equal(sizes[2], rec_size + 64);
	assert_true(left);
	assert_int_equal(f[0].consumer, f[0].producer);
	assert_int_equal(f[1].consumer, 3 * rec_size);
	assert_int_equal(f[2].consumer, f[2].producer);
	assert_int_equal(trace_rings__drain(rings, 3, ~0ull, note, NULL, &left), 1);
	assert_false(left);
	assert_int_equal(rings[0].arrived + rings[1].arrived, 7);
	assert_int_equal(rings[2].arrived, 1);
}

/* Records go on behind the end of the ring, and the next begins where that comes to lie. */
static void test_wrap(void **state)
{
	static struct fake f;
	struct trace_ring ring;
	bool left;
	u64 n = 0;

	(void)state;
	begin(&f, false);
	ring = f.r;
	nr_seen = 0;
	for (int i = 0; i < 10; i++) {
		for (int k = 0; k < 5; k++)
			put(&f, ++n, rec_size + 104 * k);
		assert_int_equal(trace_rings__drain(&ring, 1, ~0ull, note, NULL, &left), 5);
		assert_int_equal(f.consumer, f.producer);
	}
	for (u64 i = 0; i < n; i++) {
		assert_int_equal(seen[i], i + 1);
		assert_int_equal(sizes[i], rec_size + 104 * (i % 5));
	}
}

static void test_unsound(void **state)
{
	static const u32 bad[] = {0, 8, rec_size - 8, rec_size + 4, 2 * rec_size, ~0u};

	(void)state;
	for (u32 i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		static struct fake f;
		struct trace_ring ring;
		bool left;

		begin(&f, false);
		put(&f, 1, rec_size);
		put(&f, 2, rec_size);
		memcpy(f.data + rec_size, &bad[i], sizeof(bad[i]));
		ring = f.r;
		nr_seen = 0;
		assert_int_equal(trace_rings__drain(&ring, 1, ~0ull, note, NULL, &left), 1);
		assert_int_equal(f.consumer, f.producer);
		assert_int_equal(ring.arrived, 1);
		put(&f, 3, rec_size);
		assert_int_equal(trace_rings__drain(&ring, 1, ~0ull, note, NULL, &left), 1);
		assert_int_equal(seen[1], 3);
	}
}

static void test_busy(void **state)
{
	static struct fake f;
	struct trace_ring ring;
	bool left;

	(void)state;
	begin(&f, true);
	put_beside(&f, 1, rec_size);
	/* still being written: nothing behind it is taken */
	put_beside(&f, 2, rec_size | BPF_RINGBUF_BUSY_BIT);
	put_beside(&f, 3, rec_size);
	ring = f.r;
	nr_seen = 0;
	assert_int_equal(trace_rings__drain(&ring, 1, ~0ull, note, NULL, &left), 1);
	assert_int_equal(f.consumer, (STEP + 7) & ~7ull);
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
		cmocka_unit_test(test_merge),	cmocka_unit_test(test_wrap),
		cmocka_unit_test(test_unsound), cmocka_unit_test(test_busy),
		cmocka_unit_test(test_queue),	cmocka_unit_test(test_strings),
		cmocka_unit_test(test_vectors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
