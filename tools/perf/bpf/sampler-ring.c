// SPDX-License-Identifier: GPL-2.0-only
/*
 * The engine without BPF: samples come through the events' rings. Those of a round are kept in one
 * growing buffer until the round's side-band records have been processed, then handed on.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "bpf/sampler-impl.h"

#define RING_INTERVAL 100 /* ms: rings fill, they do not count */

struct kept {
	struct sample_agg a;
	u32 words; /* of frames that follow */
	u64 frames[];
};

struct ring_sampler {
	struct sampler base;
	struct evlist *evlist;
	struct perf_event_attr *attr;
	u32 keys;
	char *buf;
	size_t len, cap;
	u64 kept;
	u64 first_time;
	u64 *arrived, *lost, *corrupt; /* by CPU */
	int nr_cpus;
	int err;
};

static struct ring_sampler *to_ring(const struct sampler *s)
{
	return container_of(s, struct ring_sampler, base);
}

void sampler__prepare_ring(struct evlist *l, u32 keys)
{
	struct evsel *e;

	evlist__for_each (l, e) {
		struct perf_event_attr *attr = evsel__attr(e);

		attr->sample_id_all = 1;
		attr->sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
				    PERF_SAMPLE_CPU;
		if (!keys)
			continue;
		attr->sample_type |= PERF_SAMPLE_IP | PERF_SAMPLE_PERIOD;
		if (keys & SAMPLE_KEY_CGROUP)
			attr->sample_type |= PERF_SAMPLE_CGROUP;
		if (keys & SAMPLE_KEY_STACK) {
			attr->sample_type |= PERF_SAMPLE_CALLCHAIN;
			attr->exclude_callchain_user = !(keys & SAMPLE_KEY_USTACK);
			attr->exclude_callchain_kernel = !(keys & SAMPLE_KEY_KSTACK);
		}
	}
}

static int cpu_of(const struct ring_sampler *r, u32 cpu)
{
	return cpu < (u32)r->nr_cpus ? (int)cpu : 0;
}

/* Splits a callchain at its markers: kernel frames, then user frames. */
static void split_chain(const struct perf_sample *s, struct kept *k)
{
	bool user = (s64)s->ip >= 0;

	for (u64 i = 0; i < s->callchain_nr && k->words < 2 * SAMPLE_MAX_FRAMES; i++) {
		u64 ip = s->callchain[i];

		if (ip >= (u64)PERF_CONTEXT_MAX) {
			user = ip == (u64)PERF_CONTEXT_USER;
			continue;
		}
		k->frames[k->words++] = ip;
		if (user)
			k->a.nr_user++;
		else
			k->a.nr_kernel++;
	}
}

static struct kept *room(struct ring_sampler *r)
{
	size_t need = sizeof(struct kept) + 2 * SAMPLE_MAX_FRAMES * sizeof(u64);

	if (r->cap - r->len < need) {
		size_t cap = r->cap ? r->cap * 2 : 1 << 20;
		char *p = realloc(r->buf, cap);

		if (!p)
			return NULL;
		r->buf = p;
		r->cap = cap;
	}
	return (struct kept *)(r->buf + r->len);
}

static void keep_sample(struct ring_sampler *r, const struct perf_sample *s, int event)
{
	int cpu = cpu_of(r, s->cpu);
	struct kept *k = room(r);

	if (!k) {
		r->err = -ENOMEM;
		return;
	}
	*k = (struct kept){.a = {
				   .count = 1,
				   .weight = s->period,
				   .time = s->time,
				   .ip = s->ip,
				   .cgroup = s->cgroup,
				   .pid = s->pid,
				   .tid = s->tid,
				   .event = event,
				   .cpu = cpu,
			   }};
	if (s->callchain)
		split_chain(s, k);
	r->len += sizeof(*k) + k->words * sizeof(u64);
	r->kept++;
	r->arrived[cpu]++;
	if (!r->first_time)
		r->first_time = s->time;
}

static int ring_record(struct sampler *base, int ring, const struct perf_event_header *ev)
{
	struct ring_sampler *r = to_ring(base);
	struct perf_sample s;
	struct evsel *e;
	int cpu;

	cpu = cpu_of(r, evlist__ring_cpu(r->evlist, ring));
	switch (ev->type) {
	case PERF_RECORD_SAMPLE:
		if (perf_sample__parse(r->attr, ev, &s) || evlist__id2evsel(r->evlist, s.id, &e))
			r->corrupt[cpu]++;
		else
			keep_sample(r, &s, evsel__idx(e));
		return 1;
	case PERF_RECORD_LOST:
		r->lost[cpu] += ((const u64 *)(ev + 1))[1];
		return 1;
	case PERF_RECORD_LOST_SAMPLES:
		r->lost[cpu] += *(const u64 *)(ev + 1);
		return 1;
	}
	return 0;
}

static void ring_delete(struct sampler *s)
{
	struct ring_sampler *r = to_ring(s);

	free(r->arrived);
	free(r->lost);
	free(r->corrupt);
	free(r->buf);
	free(r);
}

static void ring_cut(struct sampler *s __unused)
{
}

static s64 ring_drain(struct sampler *s, sample_agg_cb cb, void *ctx)
{
	struct ring_sampler *r = to_ring(s);
	u64 n = r->kept;
	int err = r->err;

	for (size_t at = 0; at < r->len && !err;) {
		struct kept *k = (struct kept *)(r->buf + at);

		k->a.frames = k->frames;
		err = cb(ctx, &k->a);
		at += sizeof(*k) + k->words * sizeof(u64);
	}
	r->len = 0;
	r->kept = 0;
	return err ? err : (s64)n;
}

static void ring_ledger(struct sampler *s, struct loss_ledger *l)
{
	struct ring_sampler *r = to_ring(s);

	for (int cpu = 0; cpu < r->nr_cpus; cpu++) {
		loss_ledger__arrived(l, cpu, r->arrived[cpu]);
		loss_ledger__dropped(l, cpu, LOSS_RING_FULL, r->lost[cpu]);
		loss_ledger__dropped(l, cpu, LOSS_CORRUPT, r->corrupt[cpu]);
		r->arrived[cpu] = r->lost[cpu] = r->corrupt[cpu] = 0;
	}
}

static u64 ring_first_time(const struct sampler *s)
{
	return to_ring(s)->first_time;
}

static const struct sampler_ops ring_ops = {
	.delete = ring_delete,
	.cut = ring_cut,
	.drain = ring_drain,
	.ledger = ring_ledger,
	.first_time = ring_first_time,
	.record = ring_record,
};

struct sampler *sampler__new_ring(struct evlist *l, const struct sampler_opts *o, struct errbuf *eb)
{
	struct ring_sampler *r = calloc(1, sizeof(*r));

	if (!r)
		goto no_memory;
	r->base.ops = &ring_ops;
	r->base.wake_fd = -1;
	r->base.interval_ms = RING_INTERVAL;
	r->evlist = l;
	r->attr = evsel__attr(evlist__at(l, 0));
	r->keys = o->keys;
	r->nr_cpus = cpu_map__max_possible();
	r->arrived = calloc(r->nr_cpus, sizeof(u64));
	r->lost = calloc(r->nr_cpus, sizeof(u64));
	r->corrupt = calloc(r->nr_cpus, sizeof(u64));
	if (r->arrived && r->lost && r->corrupt)
		return &r->base;
	ring_delete(&r->base);
no_memory:
	errbuf__set(eb, -ENOMEM, "out of memory");
	return NULL;
}
