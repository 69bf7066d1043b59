// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <linux/bpf.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bpf/trace-ring.h"
#include "bpf/trace.h"

int trace_ring__map(struct trace_ring *r, int fd, u32 size)
{
	size_t page = sysconf(_SC_PAGESIZE);
	void *p;

	*r = (struct trace_ring){.beside = true, .size = size};
	p = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (p == MAP_FAILED)
		return -errno;
	r->consumer = p;
	p = mmap(NULL, page + 2 * (size_t)size, PROT_READ, MAP_SHARED, fd, page);
	if (p == MAP_FAILED) {
		int err = -errno;

		trace_ring__unmap(r);
		return err;
	}
	r->producer = p;
	r->data = (const u8 *)p + page;
	/* children of ours (the guard, the command) have no use for it */
	madvise(p, page + 2 * (size_t)size, MADV_DONTFORK);
	return 0;
}

void trace_ring__unmap(struct trace_ring *r)
{
	size_t page = sysconf(_SC_PAGESIZE);

	if (!r->beside)
		return;
	if (r->consumer)
		munmap(r->consumer, page);
	if (r->producer)
		munmap((void *)r->producer, page + 2 * (size_t)r->size);
	r->consumer = NULL;
	r->producer = NULL;
}

static void release(struct trace_ring *r)
{
	if (r->released == r->pos)
		return;
	r->released = r->pos;
	__atomic_store_n(r->consumer, r->pos, __ATOMIC_RELEASE);
}

/* From one record to the next. */
static u32 step(const struct trace_ring *r, u32 size)
{
	return r->beside ? (size + BPF_RINGBUF_HDR_SZ + 7) & ~7u : size;
}

static const struct trace_record *peek_beside(struct trace_ring *r, u32 *size)
{
	while (r->pos < r->limit) {
		const u32 *hdr = (const u32 *)(r->data + (r->pos & (r->size - 1)));
		u32 len = __atomic_load_n(hdr, __ATOMIC_ACQUIRE);

		if (len & BPF_RINGBUF_BUSY_BIT)
			return NULL;
		*size = len & ~BPF_RINGBUF_DISCARD_BIT;
		if (!(len & BPF_RINGBUF_DISCARD_BIT) && *size >= sizeof(struct trace_record))
			return (const void *)(hdr + 2);
		r->pos += step(r, *size); /* left out, or but the doorbell */
	}
	return NULL;
}

/* The record at the ring's position, or NULL when there is none that is complete. */
static const struct trace_record *peek(struct trace_ring *r, u32 *size)
{
	const struct trace_record *rec;

	if (r->beside)
		return peek_beside(r, size);
	if (r->pos >= r->limit)
		return NULL;
	rec = (const void *)(r->data + (r->pos & (r->size - 1)));
	*size = rec->size;
	if (*size >= sizeof(*rec) && *size <= TRACE_SLOT_SIZE && !(*size & 7) &&
	    *size <= r->limit - r->pos)
		return rec;
	r->pos = r->limit;
	return NULL;
}

/* The ring with the oldest record, and the time of the next oldest of another ring. */
static struct trace_ring *oldest(struct trace_ring *r, int n, u64 until, u64 *next, bool *left)
{
	struct trace_ring *best = NULL;
	u64 t1 = ~0ull, t2 = ~0ull;

	for (int i = 0; i < n; i++) {
		u32 size;
		const struct trace_record *rec = peek(&r[i], &size);

		if (!rec)
			continue;
		if (rec->time_exit > until) {
			*left = true;
			continue;
		}
		if (rec->time_exit < t1) {
			t2 = t1;
			t1 = rec->time_exit;
			best = &r[i];
		} else if (rec->time_exit < t2) {
			t2 = rec->time_exit;
		}
	}
	*next = t2 < until ? t2 : until;
	return best;
}

u64 trace_rings__drain(struct trace_ring *rings, int n, u64 until, trace_record_fn fn, void *arg,
		       bool *left)
{
	struct trace_ring *r;
	u64 nr = 0, next;

	*left = false;
	for (int i = 0; i < n; i++)
		rings[i].limit = __atomic_load_n(rings[i].producer, __ATOMIC_ACQUIRE);
	while ((r = oldest(rings, n, until, &next, left))) {
		const struct trace_record *rec;
		u32 size;

		while ((rec = peek(r, &size)) && rec->time_exit <= next) {
			fn(rec, size, arg);
			r->pos += step(r, size);
			r->arrived++;
			nr++;
			/* Room comes back in steps: each store costs the producer a cache miss. */
			if (r->pos - r->released > r->size / 8)
				release(r);
		}
		release(r);
	}
	/* Passed over without a record: doorbells. */
	for (int i = 0; i < n; i++)
		release(&rings[i]);
	return nr;
}
