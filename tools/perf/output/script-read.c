// SPDX-License-Identifier: GPL-2.0-only
/*
 * Samples with counter values in them (PERF_SAMPLE_READ, `{a,b}:S`): one line for each event of the
 * group, whose period is what it counted since the last sample.
 */
#include <stdlib.h>
#include <string.h>

#include "output/script-internal.h"

struct counter {
	u64 id, value;
	bool used;
};

struct script_counters {
	u32 nr, cap; /* cap: a power of two */
	struct counter *tab;
};

static struct counter *slot_of(struct script_counters *c, u64 id)
{
	u32 i = (id * 0x9e3779b97f4a7c15ULL) >> 32 & (c->cap - 1);

	while (c->tab[i].used && c->tab[i].id != id)
		i = (i + 1) & (c->cap - 1);
	return &c->tab[i];
}

static bool grow(struct script_counters *c)
{
	struct script_counters n = {.cap = c->cap ? c->cap * 2 : 64};

	n.tab = calloc(n.cap, sizeof(*n.tab));
	if (!n.tab)
		return false;
	for (u32 i = 0; i < c->cap; i++) {
		if (c->tab[i].used)
			*slot_of(&n, c->tab[i].id) = c->tab[i];
	}
	n.nr = c->nr;
	free(c->tab);
	*c = n;
	return true;
}

/* What counter @id counted since it was last seen. */
static u64 advance(struct script *s, u64 id, u64 value)
{
	struct script_counters *c = s->counters;
	struct counter *slot;
	u64 delta;

	if (!c)
		c = s->counters = calloc(1, sizeof(*c));
	if (!c || (c->nr * 2 >= c->cap && !grow(c)))
		return value;
	slot = slot_of(c, id);
	if (!slot->used) {
		*slot = (struct counter){.id = id, .used = true};
		c->nr++;
	}
	delta = value - slot->value;
	slot->value = value;
	return delta;
}

int script_read__each(struct script *s, const struct perf_event_attr *attr,
		      const struct perf_sample *sample, script_read_cb cb, void *ctx)
{
	const u64 *p = sample->read, *end = (const u64 *)((const char *)p + sample->read_size);
	u64 format = attr->read_format, nr = 1, value = 0;
	bool group = format & PERF_FORMAT_GROUP;
	int err = 0;

	if (!p || p >= end)
		return cb(ctx, sample->id, sample->period);
	if (group)
		nr = *p++;
	else
		value = *p++;
	p += !!(format & PERF_FORMAT_TOTAL_TIME_ENABLED) +
	     !!(format & PERF_FORMAT_TOTAL_TIME_RUNNING);
	for (u64 i = 0; i < nr && p < end && !err; i++) {
		u64 id, delta;

		if (group)
			value = *p++;
		id = (format & PERF_FORMAT_ID) && p < end ? *p++ : sample->id;
		p += !!(format & PERF_FORMAT_LOST);
		delta = advance(s, id, value);
		if (delta)
			err = cb(ctx, id, delta);
	}
	return err;
}

void script_read__exit(struct script *s)
{
	if (s->counters)
		free(s->counters->tab);
	free(s->counters);
}
