// SPDX-License-Identifier: GPL-2.0-only
/* The sums behind -s. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "trace/summary-int.h"

/* Threads beyond this many are summed up together: bounded memory in a run of any length. */
#define MAX_GROUPS 1024

static u64 hash(u64 key, u32 call)
{
	u64 h = (key + 1) * 0x9e3779b97f4a7c15ULL ^ call * 0xc2b2ae3d27d4eb4fULL;

	return h ^ h >> 29;
}

struct trace_summary *trace_summary__new(const struct trace_table *t, enum trace_summary_mode mode)
{
	struct trace_summary *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->table = t;
	s->mode = mode;
	s->entry_cap = 1024;
	s->group_cap = 256;
	s->entries = calloc(s->entry_cap, sizeof(*s->entries));
	s->groups = calloc(s->group_cap, sizeof(*s->groups));
	if (!s->entries || !s->groups) {
		trace_summary__delete(s);
		return NULL;
	}
	return s;
}

void trace_summary__delete(struct trace_summary *s)
{
	if (!s)
		return;
	for (u32 i = 0; s->entries && i < s->entry_cap; i++) {
		if (s->entries[i])
			free(s->entries[i]->errnos);
		free(s->entries[i]);
	}
	for (u32 i = 0; s->groups && i < s->group_cap; i++)
		free(s->groups[i].name);
	free(s->entries);
	free(s->groups);
	free(s);
}

static struct sum_group *group__slot(struct trace_summary *s, u64 key)
{
	u32 i = (u32)hash(key, 0) & (s->group_cap - 1);

	while (s->groups[i].used && s->groups[i].key != key)
		i = (i + 1) & (s->group_cap - 1);
	return &s->groups[i];
}

static int groups__grow(struct trace_summary *s)
{
	struct sum_group *old = s->groups;
	u32 n = s->group_cap;

	s->groups = calloc((size_t)n * 2, sizeof(*old));
	if (!s->groups) {
		s->groups = old;
		return -ENOMEM;
	}
	s->group_cap = n * 2;
	for (u32 i = 0; i < n; i++) {
		if (old[i].used)
			*group__slot(s, old[i].key) = old[i];
	}
	free(old);
	return 0;
}

/* The key's group; SUMMARY_OTHERS stands for all that came when the table was full. */
static struct sum_group *group__get(struct trace_summary *s, u64 key)
{
	struct sum_group *g;

	if (s->mode == SUMMARY_TOTAL)
		key = 0;
	g = group__slot(s, key);
	if (g->used)
		return g;
	if (s->nr_groups >= MAX_GROUPS && key != SUMMARY_OTHERS)
		return group__get(s, SUMMARY_OTHERS);
	if (s->nr_groups * 2 >= s->group_cap) {
		if (groups__grow(s))
			return NULL;
		g = group__slot(s, key);
	}
	g->used = true;
	g->key = key;
	s->nr_groups++;
	return g;
}

static struct sum_entry **entry__slot(struct trace_summary *s, u64 key, u32 call)
{
	u32 i = (u32)hash(key, call) & (s->entry_cap - 1);

	while (s->entries[i] && (s->entries[i]->key != key || s->entries[i]->call != call))
		i = (i + 1) & (s->entry_cap - 1);
	return &s->entries[i];
}

static int entries__grow(struct trace_summary *s)
{
	struct sum_entry **old = s->entries;
	u32 n = s->entry_cap;

	s->entries = calloc((size_t)n * 2, sizeof(*old));
	if (!s->entries) {
		s->entries = old;
		return -ENOMEM;
	}
	s->entry_cap = n * 2;
	for (u32 i = 0; i < n; i++) {
		if (old[i])
			*entry__slot(s, old[i]->key, old[i]->call) = old[i];
	}
	free(old);
	return 0;
}

static struct sum_entry *entry__get(struct trace_summary *s, u64 key, int abi, int nr)
{
	struct sum_group *g = group__get(s, key);
	u32 call = (u32)abi << 16 | ((u32)nr & 0xffff);
	struct sum_entry **e;

	if (!g)
		return NULL;
	key = g->key;
	e = entry__slot(s, key, call);
	if (*e)
		return *e;
	if (s->nr_entries * 2 >= s->entry_cap) {
		if (entries__grow(s))
			return NULL;
		e = entry__slot(s, key, call);
	}
	*e = calloc(1, sizeof(**e));
	if (!*e)
		return NULL;
	(*e)->key = key;
	(*e)->call = call;
	s->nr_entries++;
	return *e;
}

static int entry__errno(struct sum_entry *e, int err, u64 n)
{
	if (err < 1 || err >= SUMMARY_ERRNOS)
		err = 0; /* counted as "others" */
	if (!e->errnos)
		e->errnos = calloc(SUMMARY_ERRNOS, sizeof(*e->errnos));
	if (!e->errnos)
		return -ENOMEM;
	e->errnos[err] += n;
	return 0;
}

int trace_summary__add(struct trace_summary *s, u64 key, int abi, int nr, s64 ret, s64 dur_ns)
{
	struct sum_entry *e = entry__get(s, key, abi, nr);
	bool failed = ret < 0 && ret >= -4095;

	if (!e)
		return -ENOMEM;
	trace_sum__add(&e->sum, failed, dur_ns >= 0, dur_ns >= 0 ? (u64)dur_ns : 0);
	group__get(s, key)->calls++;
	s->calls++;
	return failed ? entry__errno(e, (int)-ret, 1) : 0;
}

int trace_summary__add_sum(struct trace_summary *s, u64 key, int abi, int nr,
			   const struct trace_sum *sum)
{
	struct sum_entry *e = entry__get(s, key, abi, nr);
	struct trace_sum *t;

	if (!e)
		return -ENOMEM;
	t = &e->sum;
	if (sum->timed && (!t->timed || sum->min_ns < t->min_ns))
		t->min_ns = sum->min_ns;
	if (sum->timed && sum->max_ns > t->max_ns)
		t->max_ns = sum->max_ns;
	t->count += sum->count;
	t->errors += sum->errors;
	t->timed += sum->timed;
	t->sum_ns += sum->sum_ns;
	t->sumsq_hi += sum->sumsq_hi;
	t->sumsq_lo += sum->sumsq_lo;
	if (t->sumsq_lo < sum->sumsq_lo)
		t->sumsq_hi++;
	for (u32 i = 0; i < TRACE_HIST_SLOTS; i++)
		t->hist[i] += sum->hist[i];
	group__get(s, key)->calls += sum->count;
	s->calls += sum->count;
	return 0;
}

int trace_summary__add_errno(struct trace_summary *s, u64 key, int abi, int nr, int err, u64 n)
{
	struct sum_entry *e = entry__get(s, key, abi, nr);

	return e ? entry__errno(e, err, n) : -ENOMEM;
}

void trace_summary__name(struct trace_summary *s, u64 key, const char *name)
{
	struct sum_group *g = group__slot(s, key);

	if (!g->used || (g->name && !strcmp(g->name, name)))
		return;
	free(g->name);
	g->name = strdup(name);
}

u64 trace_summary__calls(const struct trace_summary *s)
{
	return s->calls;
}

u64 trace_sum__percentile(const struct trace_sum *sum, double p)
{
	u64 rank = (u64)ceil(p * (double)sum->timed), seen = 0, mid;

	if (!sum->timed)
		return 0;
	if (!rank)
		rank = 1;
	if (rank >= sum->timed)
		return sum->max_ns;
	for (u32 i = 0; i < TRACE_HIST_SLOTS; i++) {
		seen += sum->hist[i];
		if (seen < rank)
			continue;
		if (i < TRACE_HIST_SUB) {
			mid = i;
		} else {
			u32 shift = i / TRACE_HIST_SUB - 1;

			mid = ((u64)(TRACE_HIST_SUB + i % TRACE_HIST_SUB) << shift) +
			      ((1ULL << shift) >> 1);
		}
		return mid < sum->min_ns ? sum->min_ns : mid > sum->max_ns ? sum->max_ns : mid;
	}
	return sum->max_ns;
}

double trace_sum__stddev_pct(const struct trace_sum *sum)
{
	double n = (double)sum->timed, mean, sq, var;

	if (sum->timed < 2 || !sum->sum_ns)
		return 0;
	mean = (double)sum->sum_ns / n;
	sq = ldexp((double)sum->sumsq_hi, 64) + (double)sum->sumsq_lo;
	var = (sq - n * mean * mean) / (n - 1);
	if (var < 0)
		var = 0;
	return 100.0 * sqrt(var / n) / mean;
}
