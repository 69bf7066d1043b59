/* SPDX-License-Identifier: GPL-2.0-only */
/* How a profile is printed: one struct of callbacks a format. */
#ifndef PERF_OUTPUT_PROFILE_OUTPUT_H
#define PERF_OUTPUT_PROFILE_OUTPUT_H

#include <stdbool.h>

#include "hist/profile.h"
#include "lib/api/outbuf.h"
#include "loss.h"

/* What a run was, for headings and for JSON. Everything is borrowed. */
struct profile_report {
	struct profile *profile;
	const struct loss_ledger *ledger;
	const char *const *events; /* names, nr_events */
	int nr_events;
	u64 freq;   /* Hz, 0: by period */
	u64 period; /* with freq 0 */
	int nr_cpus;
	double duration; /* s, from enabling to disabling the events */
	u64 sideband_lost;
	u64 throttled; /* times the kernel paused an event that fired too often */
	bool by_period;
	bool reverse;	      /* hottest first */
	u32 limit;	      /* -n: only the hottest, 0: all */
	double percent_limit; /* only what has at least this share of its event */
	int width;	      /* columns of the terminal, 0: not a terminal, full names */
	/* The path of a cgroup id, for a cgroup key; NULL result: print the number. */
	const char *(*cgroup_path)(void *ctx, u64 id);
	void *cgroup_ctx;
};

struct profile_format {
	const char *name;
	void (*print)(struct outbuf *ob, const struct profile_report *r);
};

extern const struct profile_format profile_text;
extern const struct profile_format profile_json;
extern const struct profile_format profile_folded;

/*
 * profile_report__select - the entries of @event that are printed, in the order of printing
 * (malloc'ed; NULL: no memory);
 * *@left_out rows with *@left_samples counts fell to the limits.
 */
const struct profile_entry **profile_report__select(const struct profile_report *r, int event,
						    u32 *nr, u32 *left_out, u64 *left_count);

/* profile_report__caveats - the lines below any text report that say what else may be missing:
 * throttling, lost side-band records. Nothing when there was none. */
void profile_report__caveats(struct outbuf *ob, const struct profile_report *r);

#endif
