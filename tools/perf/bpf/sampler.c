// SPDX-License-Identifier: GPL-2.0-only
/* Dispatch to the engine in use. */
#include "bpf/sampler-impl.h"

void sampler__delete(struct sampler *s)
{
	if (s)
		s->ops->delete (s);
}

void sampler__cut(struct sampler *s)
{
	s->ops->cut(s);
}

s64 sampler__drain(struct sampler *s, sample_agg_cb cb, void *ctx)
{
	return s->ops->drain(s, cb, ctx);
}

int sampler__ring_record(struct sampler *s, int ring, const struct perf_event_header *ev)
{
	return s->ops->record ? s->ops->record(s, ring, ev) : 0;
}

int sampler__wake_fd(const struct sampler *s)
{
	return s->wake_fd;
}

int sampler__interval_ms(const struct sampler *s)
{
	return s->interval_ms;
}

void sampler__finish(struct sampler *s)
{
	if (s->ops->finish)
		s->ops->finish(s);
}

void sampler__ledger(struct sampler *s, struct loss_ledger *l)
{
	s->ops->ledger(s, l);
}

u64 sampler__first_time(const struct sampler *s)
{
	return s->ops->first_time(s);
}
