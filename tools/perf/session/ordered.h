/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The queue that brings records into time order. Records arrive as a few sorted runs (one a ring
 * and round), so that pushing is an append and flushing one merge of neighbours: no tree, no
 * allocation a record, close to the speed of a copy. Equal times keep the order of arrival.
 */
#ifndef PERF_SESSION_ORDERED_H
#define PERF_SESSION_ORDERED_H

#include <linux/perf_event.h>

#include "compiler.h"

struct ordered_entry {
	u64 time;
	const struct perf_event_header *rec;
	u64 offset; /* where it stands in the file */
};

struct ordered_queue {
	struct ordered_entry *ent, *scratch; /* cap entries each */
	size_t nr, cap;
	size_t *run; /* where each sorted run of ent begins; run[0] is 0 */
	size_t nr_runs, cap_runs;
	u64 max_time; /* latest ever pushed */
	size_t peak;
};

void ordered_queue__init(struct ordered_queue *q);
void ordered_queue__exit(struct ordered_queue *q);
/* ordered_queue__push - 0 or -ENOMEM. */
int ordered_queue__push(struct ordered_queue *q, u64 time, const struct perf_event_header *rec,
			u64 offset);
/* A non-zero return stops the flush and is returned; the entry counts as handed out. */
typedef int (*ordered_cb)(void *ctx, const struct ordered_entry *e);
/* ordered_queue__flush - hands out, in order, everything not later than @limit. */
int ordered_queue__flush(struct ordered_queue *q, u64 limit, ordered_cb cb, void *ctx);
/* ordered_queue__flush_half - the older half (at least one): when memory is bounded and no
 * FINISHED_ROUND comes. */
int ordered_queue__flush_half(struct ordered_queue *q, ordered_cb cb, void *ctx);

#endif
