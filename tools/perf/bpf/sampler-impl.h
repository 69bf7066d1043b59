/* SPDX-License-Identifier: GPL-2.0-only */
/* What the engines of sampler.h implement; for sampler*.c alone. */
#ifndef PERF_BPF_SAMPLER_IMPL_H
#define PERF_BPF_SAMPLER_IMPL_H

#include "bpf/sampler.h"

struct sampler_ops {
	void (*delete)(struct sampler *s);
	void (*cut)(struct sampler *s);
	s64 (*drain)(struct sampler *s, sample_agg_cb cb, void *ctx);
	void (*ledger)(struct sampler *s, struct loss_ledger *l);
	u64 (*first_time)(const struct sampler *s);
	void (*finish)(struct sampler *s); /* may be NULL */
	/* NULL: records of the rings are none of its business */
	int (*record)(struct sampler *s, int ring, const struct perf_event_header *ev);
};

struct sampler {
	const struct sampler_ops *ops;
	int wake_fd;
	int interval_ms;
};

#endif
