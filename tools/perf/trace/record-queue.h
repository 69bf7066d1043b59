/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Records that do not come through a ring: from the thread that holds the traced threads (spilled
 * ones, signals, ends of threads, all calls of the ptrace engine) to the one that prints. Bounded:
 * who posts into a full queue waits.
 */
#ifndef PERF_TRACE_RECORD_QUEUE_H
#define PERF_TRACE_RECORD_QUEUE_H

#include <stdbool.h>

#include "trace/record.h"

struct record_queue;

/* record_queue__new - for about @max_bytes of records. NULL: no memory. */
struct record_queue *record_queue__new(size_t max_bytes);
void record_queue__delete(struct record_queue *q);
/* record_queue__post - copies @r (of r->size bytes) to the end. 0 or -ENOMEM; -EPIPE once closed.
 */
int record_queue__post(struct record_queue *q, const struct trace_record *r);
/* record_queue__close - nobody reads any more: later posts fail, waiting ones return. */
void record_queue__close(struct record_queue *q);
/* record_queue__peek - the oldest record, valid until record_queue__pop(); NULL when empty. Only
 * for the one thread that reads. */
const struct trace_record *record_queue__peek(struct record_queue *q);
void record_queue__pop(struct record_queue *q);
/* record_queue__fd - an eventfd that becomes readable with every post; for poll(2). */
int record_queue__fd(const struct record_queue *q);

#endif
