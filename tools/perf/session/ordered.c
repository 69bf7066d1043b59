// SPDX-License-Identifier: GPL-2.0-only
/* Time ordering: a natural merge sort over what waits. See ordered.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "session/ordered.h"

/* How far back a record may belong before it is worth a run of its own: records of one ring are
 * out of order only where an interrupt came between taking the time and reserving the space. */
#define INSERT_REACH 16

void ordered_queue__init(struct ordered_queue *q)
{
	memset(q, 0, sizeof(*q));
}

void ordered_queue__exit(struct ordered_queue *q)
{
	free(q->ent);
	free(q->scratch);
	free(q->run);
	memset(q, 0, sizeof(*q));
}

static int grow(struct ordered_queue *q)
{
	size_t cap = q->cap ? q->cap * 2 : 4096;
	struct ordered_entry *ent = realloc(q->ent, cap * sizeof(*ent));

	if (!ent)
		return -ENOMEM;
	q->ent = ent;
	free(q->scratch);
	q->scratch = malloc(cap * sizeof(*ent));
	if (!q->scratch) {
		q->cap = q->nr; /* the next push tries again */
		return -ENOMEM;
	}
	q->cap = cap;
	return 0;
}

static int add_run(struct ordered_queue *q)
{
	if (q->nr_runs == q->cap_runs) {
		size_t cap = q->cap_runs ? q->cap_runs * 2 : 64;
		size_t *run = realloc(q->run, cap * sizeof(*run));

		if (!run)
			return -ENOMEM;
		q->run = run;
		q->cap_runs = cap;
	}
	q->run[q->nr_runs++] = q->nr;
	return 0;
}

/* Where in the last run an entry of @time goes; nr when that is too far back. */
static size_t insert_pos(const struct ordered_queue *q, u64 time)
{
	size_t start = q->run[q->nr_runs - 1], pos = q->nr;

	for (int i = 0; i < INSERT_REACH && pos > start; i++) {
		pos--;
		if (q->ent[pos].time <= time)
			return pos + 1;
	}
	return pos == start ? pos : q->nr;
}

int ordered_queue__push(struct ordered_queue *q, u64 time, const struct perf_event_header *rec,
			u64 offset)
{
	size_t pos = q->nr;
	int err;

	if (unlikely(q->nr == q->cap)) {
		err = grow(q);
		if (err)
			return err;
	}
	if (unlikely(!q->nr || time < q->ent[q->nr - 1].time)) {
		if (q->nr)
			pos = insert_pos(q, time);
		if (pos == q->nr) {
			err = add_run(q);
			if (err)
				return err;
		} else {
			memmove(&q->ent[pos + 1], &q->ent[pos], (q->nr - pos) * sizeof(*q->ent));
		}
	}
	q->ent[pos] = (struct ordered_entry){.time = time, .rec = rec, .offset = offset};
	q->nr++;
	if (time > q->max_time)
		q->max_time = time;
	if (q->nr > q->peak)
		q->peak = q->nr;
	return 0;
}

/* Two neighbouring sorted runs [a, b) and [b, c) of @in into @out; the left one wins ties. */
static void merge_two(const struct ordered_entry *in, struct ordered_entry *out, size_t a, size_t b,
		      size_t c)
{
	size_t i = a, j = b, o = a;

	while (i < b && j < c) {
		if (in[j].time < in[i].time)
			out[o++] = in[j++];
		else
			out[o++] = in[i++];
	}
	if (i < b)
		memcpy(&out[o], &in[i], (b - i) * sizeof(*out));
	else if (j < c)
		memcpy(&out[o], &in[j], (c - j) * sizeof(*out));
}

static void sort_all(struct ordered_queue *q)
{
	while (q->nr_runs > 1) {
		struct ordered_entry *t;
		size_t out = 0;

		for (size_t r = 0; r < q->nr_runs; r += 2) {
			size_t a = q->run[r];
			size_t b = r + 1 < q->nr_runs ? q->run[r + 1] : q->nr;
			size_t c = r + 2 < q->nr_runs ? q->run[r + 2] : q->nr;

			merge_two(q->ent, q->scratch, a, b, c);
			q->run[out++] = a;
		}
		q->nr_runs = out;
		t = q->ent;
		q->ent = q->scratch;
		q->scratch = t;
	}
}

static int hand_out(struct ordered_queue *q, size_t n, ordered_cb cb, void *ctx)
{
	size_t i = 0;
	int ret = 0;

	while (i < n && !ret)
		ret = cb(ctx, &q->ent[i++]);
	q->nr -= i;
	memmove(q->ent, q->ent + i, q->nr * sizeof(*q->ent));
	q->nr_runs = q->nr ? 1 : 0; /* run[0] is 0 already */
	return ret;
}

int ordered_queue__flush(struct ordered_queue *q, u64 limit, ordered_cb cb, void *ctx)
{
	size_t lo = 0, hi = q->nr;

	if (!q->nr)
		return 0;
	sort_all(q);
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (q->ent[mid].time <= limit)
			lo = mid + 1;
		else
			hi = mid;
	}
	return hand_out(q, lo, cb, ctx);
}

int ordered_queue__flush_half(struct ordered_queue *q, ordered_cb cb, void *ctx)
{
	if (!q->nr)
		return 0;
	sort_all(q);
	return hand_out(q, (q->nr + 1) / 2, cb, ctx);
}
