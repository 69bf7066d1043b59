/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Samples, already counted under their key. Two engines give the same: `bpf` (the kernel counts,
 * sample.bpf.c) and `ring` (samples come through the events' ring buffers and are handed on one by
 * one), for where BPF may not be used.
 */
#ifndef PERF_BPF_SAMPLER_H
#define PERF_BPF_SAMPLER_H

#include <stdbool.h>

#include "bpf/sample.h"
#include "compiler.h"
#include "errbuf.h"
#include "lib/perf/evlist.h"
#include "loss.h"

struct sampler;
struct user_prog;

struct sampler_opts {
	u32 keys; /* SAMPLE_KEY_* that the kernel must tell apart */
	u64 rate; /* samples a second and CPU that are expected, for the tables' size; 0: unknown,
		     may be many */
};

/* One key with its count since the last drain. Pointers are valid during the callback only. */
struct sample_agg {
	u64 count;  /* samples */
	u64 weight; /* sum of their periods */
	u64 time;   /* ns, CLOCK_MONOTONIC, of the first */
	u64 ip;
	u64 image; /* tells the images (execs) of a pid apart; 0: unknown */
	u64 cgroup;
	u32 pid, tid, event;
	int cpu;
	const u64 *frames; /* nr_kernel, then nr_user addresses, innermost first; no PERF_CONTEXT
			      markers */
	u32 nr_kernel, nr_user;
	const char
		*comm; /* of up to 16 bytes, NUL-terminated; NULL when it is not part of the key */
};
typedef int (*sample_agg_cb)(void *ctx, const struct sample_agg *a);

/*
 * sampler__new_bpf - loads one program an event and attaches it to all descriptors of the (opened,
 * still disabled) evlist except side-band ones. NULL with errno and @eb: EPERM/EACCES when BPF may
 * not be used (fall back then), ENOSYS/EINVAL on kernels without.
 */
struct sampler *sampler__new_bpf(struct evlist *l, const struct sampler_opts *o, struct errbuf *eb);
/* sampler__new_ring - the same from ring buffers; the events' attrs must have been prepared with
 * sampler__prepare_ring() before opening. Feed it with sampler__ring_record(). */
struct sampler *sampler__new_ring(struct evlist *l, const struct sampler_opts *o,
				  struct errbuf *eb);
void sampler__prepare_ring(struct evlist *l, u32 keys);
/* sampler__new_user - attaches a user's loaded programs (borrowed, must outlive the sampler)
 * instead of counting: there is nothing to drain, the ledger says how often they ran. */
struct sampler *sampler__new_user(struct evlist *l, struct user_prog *up, struct errbuf *eb);
/* sampler__chained - samples that a user's program let through to the ring buffer. */
u64 sampler__chained(const struct sampler *s);
/* sampler__ring_record - one record of ring @ring; takes samples and losses, returns 1 when it did,
 * 0 when it is not its business. */
int sampler__ring_record(struct sampler *s, int ring, const struct perf_event_header *ev);

/* sampler__delete - detaches and unloads; counts not drained are gone. */
void sampler__delete(struct sampler *s);

/*
 * sampler__drain - hands over (cb) and clears what was counted until now. Side-band records must be
 * processed between sampler__cut() and this: cut() ends the current round, so that all that drain()
 * gives happened before it. Returns the number of keys, or cb's negative return.
 */
void sampler__cut(struct sampler *s);
s64 sampler__drain(struct sampler *s, sample_agg_cb cb, void *ctx);

/* A descriptor that becomes readable when the tables fill faster than expected, or -1;
 * sampler__drain() rearms it. */
int sampler__wake_fd(const struct sampler *s);
/* How often to drain at the expected rate, in ms. */
int sampler__interval_ms(const struct sampler *s);
/*
 * sampler__finish - the events are disabled for good: for each that counts occurrences at a fixed
 * period on a CPU, the kernel's own count tells how many overflows there were; those that the
 * program was not run for (bpf_prog_active) are in the ledger as skipped. The clocks' ticks cannot
 * be checked so: their count is time.
 */
void sampler__finish(struct sampler *s);
/* sampler__ledger - brings @l up to date with what the kernel side counted. */
void sampler__ledger(struct sampler *s, struct loss_ledger *l);
/* Time of the first sample seen on any CPU, CLOCK_MONOTONIC ns; 0: none yet. */
u64 sampler__first_time(const struct sampler *s);

#endif
