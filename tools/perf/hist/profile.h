/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A profile: counts under keys made of what an address resolves to. Addresses are resolved as they
 * are added, while the processes' maps of that moment are known; what is kept is bounded by the
 * code that ran, not by the length of the run.
 */
#ifndef PERF_HIST_PROFILE_H
#define PERF_HIST_PROFILE_H

#include <stdbool.h>

#include "bpf/sampler.h"
#include "compiler.h"
#include "session/machine.h"

struct profile;

struct profile_opts {
	u32 keys; /* SAMPLE_KEY_*; with a stack and no ip, frames are functions and the innermost
		     one is the row's */
	bool by_period; /* weigh by period instead of samples */
	int nr_events;
};

/* One resolved frame. */
struct profile_frame {
	struct dso *dso;	  /* NULL: no map */
	const struct symbol *sym; /* NULL: none covers the address */
	u64 addr; /* in the dso's address space: exact for an ip key, else the symbol's start (or
		     exact without one) */
	bool kernel;
	u32 id; /* of a frame of a stack: small numbers, one a function; for caches of what is made
		   of it */
};

struct profile_entry {
	u64 count; /* samples or summed periods */
	u64 samples;
	struct profile_frame at; /* what the ip, sym, dso keys ask for; others zero */
	const char *comm;	 /* NULL: not in the key */
	u64 cgroup;
	u32 pid, tid, event;
	int cpu;
	bool folded; /* its outer callers are "[cold callers]" */
	u32 stack;   /* callctx node of the innermost frame, 0: none */
};

/* @machine and its dsos must outlive the profile. NULL: no memory. */
struct profile *profile__new(const struct profile_opts *o, struct machine *machine);
void profile__delete(struct profile *p);
/* profile__add - resolves and counts; 0 or -ENOMEM. */
int profile__add(struct profile *p, const struct sample_agg *a);
/* profile__round - a new round of samples begins: maps may have changed since the last, cached user
 * addresses are forgotten. */
void profile__round(struct profile *p);
/* profile__clear - forgets all counts (resolved frames stay). */
void profile__clear(struct profile *p);

u64 profile__total(const struct profile *p, int event);	  /* sum of count */
u64 profile__samples(const struct profile *p, int event); /* sum of samples */
u32 profile__nr(const struct profile *p);
/*
 * profile__sorted - the entries of @event, ascending by count (ties by name, address and the other
 * keys: a stable order). Returns a malloc'ed array of *@nr pointers, which live until the next
 * add/clear; NULL: no memory.
 */
const struct profile_entry **profile__sorted(struct profile *p, int event, u32 *nr);
/* Frames of an entry's stack, innermost first: profile__stack_next(p, entry->stack, &frame) ...
 * until it returns 0. */
u32 profile__stack_next(const struct profile *p, u32 node, struct profile_frame *frame);
u32 profile__stack_depth(const struct profile *p, u32 node);
/* profile__folded - samples whose outer callers were folded into "[cold callers]" to keep memory
 * bounded. */
u64 profile__folded(const struct profile *p);
u32 profile__nr_frames(const struct profile *p); /* all ids are below */
u32 profile__keys(const struct profile *p);

/* Names as shown: the symbol or "[unknown]"; the dso's short or long name or "[unknown]". */
const char *profile_frame__sym(const struct profile_frame *f);
const char *profile_frame__dso(const struct profile_frame *f);

#endif
