/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reading the rings of the trace programs together, in the order of time: one a CPU in the memory
 * of an array map (trace-ring.bpf.h), and the BPF ring buffer beside them, for all CPUs. That one's
 * mapping is the kernel's: one page with the consumer's position (ours), one with the producer's,
 * then the data, mapped twice in a row so that a record never wraps.
 */
#ifndef PERF_BPF_TRACE_RING_H
#define PERF_BPF_TRACE_RING_H

#include <stdbool.h>
#include <stddef.h>

#include "compiler.h"
#include "trace/record.h"

struct trace_ring {
	bool beside; /* a BPF ring buffer, whose records have headers */
	u32 size;    /* bytes of data, a power of two */
	u64 *consumer;
	const u64 *producer;
	const u8 *data;
	u64 pos;      /* read so far; stored to *consumer in steps */
	u64 limit;    /* the producer's position when this drain began */
	u64 released; /* last value stored to *consumer */
	u64 arrived;
};

/* trace_ring__map - maps the BPF ring buffer @fd, which was made with @size bytes; the caller's
 * descriptor. 0 or -errno. */
int trace_ring__map(struct trace_ring *r, int fd, u32 size);
void trace_ring__unmap(struct trace_ring *r);

typedef void (*trace_record_fn)(const struct trace_record *r, u32 size, void *arg);
/*
 * trace_rings__drain - hands up the records of @n rings whose time_exit is not after @until, the
 * oldest first. Returns how many; *@left tells whether younger ones stay behind. A ring that holds
 * no sound record where one should begin is passed over up to its end: what was in it has not
 * arrived.
 */
u64 trace_rings__drain(struct trace_ring *r, int n, u64 until, trace_record_fn fn, void *arg,
		       bool *left);

#endif
