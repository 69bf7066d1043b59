/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The collecting loop's state: events and their side-band records, the machine that these describe,
 * the sampler that counts, and the profile that the counts go to. A round brings all of them up to
 * now.
 */
#ifndef PERF_HIST_COLLECTOR_H
#define PERF_HIST_COLLECTOR_H

#include <stdbool.h>

#include "bpf/sampler.h"
#include "errbuf.h"
#include "hist/profile.h"
#include "lib/perf/evlist.h"
#include "loss.h"
#include "session/machine.h"

struct collector_opts {
	struct profile_opts profile;
	const struct target *target;
	u64 rate; /* samples a second and CPU that are expected; 0: unknown */
	bool no_demangle;
	bool no_bpf;	    /* count in user space */
	unsigned int pages; /* of each ring, a power of two */
	bool strict;
	struct user_prog *user; /* a user's loaded programs instead of ours; borrowed; or NULL */
	/* With user: sees every record of the rings first, for recording; or NULL. A negative
	 * return ends the round with it. */
	int (*tee)(void *ctx, const struct perf_event_header *ev);
	void *tee_ctx;
	void (*note)(void *ctx, const char *line); /* things to tell the user */
	void *note_ctx;
};

struct collector;

/*
 * collector__new - opens the events of @l (which stays the caller's, and gets a side-band event),
 * disabled, with the BPF engine, or without BPF rights with the ring engine (said through note;
 * under strict an error). NULL with errno and @eb.
 */
struct collector *collector__new(struct evlist *l, const struct collector_opts *o,
				 struct errbuf *eb);
void collector__delete(struct collector *c);
/* collector__start - enables the events (unless a workload's exec will) and reads what runs already
 * from /proc. */
int collector__start(struct collector *c, struct errbuf *eb);
void collector__stop(struct collector *c); /* disables the events; what was counted stays */
/* collector__round - side-band records, counts, resolution up to now; 0 or -errno with @eb. */
int collector__round(struct collector *c, struct errbuf *eb);
/* collector__counted_until - how far what has been handed over reaches: the start of the last
 * round, CLOCK_MONOTONIC ns. */
u64 collector__counted_until(const struct collector *c);
/* collector__wait - until it is time for a round, @fd (or -1) is readable, a signal, or @timeout_ms
 * (-1: none). */
void collector__wait(struct collector *c, const int *fds, int nr_fds, int timeout_ms);
/* collector__target_ended - the processes or threads that were to be sampled are gone, with all
 * that they began. Never true of whole CPUs. */
bool collector__target_ended(struct collector *c);

struct profile *collector__profile(struct collector *c);
struct machine *collector__machine(struct collector *c);
struct loss_ledger *collector__ledger(struct collector *c);
void collector__clear_ledger(struct collector *c); /* counts begin at zero again */
/* collector__chained - samples that a user's program let through to the ring buffer. */
u64 collector__chained(const struct collector *c);
bool collector__uses_bpf(const struct collector *c);
u64 collector__sideband_lost(const struct collector *c);
u64 collector__throttled(
	const struct collector *c); /* times the kernel paused an event that fired too often */
u64 collector__first_time(const struct collector *c);

#endif
