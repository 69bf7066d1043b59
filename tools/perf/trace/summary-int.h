/* SPDX-License-Identifier: GPL-2.0-only */
/* Between summary.c (sums) and summary-print.c (the table and JSON). */
#ifndef PERF_TRACE_SUMMARY_INT_H
#define PERF_TRACE_SUMMARY_INT_H

#include "trace/summary.h"

#define SUMMARY_OTHERS (~0ULL) /* key of the group that takes what came too late */
#define SUMMARY_ERRNOS 600

struct sum_entry {
	u64 key;
	u32 call; /* abi << 16 | nr */
	struct trace_sum sum;
	u64 *errnos; /* SUMMARY_ERRNOS counts, made at the first error; [0]: out of range */
};

struct sum_group {
	bool used;
	u64 key;
	u64 calls;
	char *name;
};

struct trace_summary {
	const struct trace_table *table;
	enum trace_summary_mode mode;
	struct sum_entry **entries; /* open addressing, powers of two */
	u32 entry_cap, nr_entries;
	struct sum_group *groups;
	u32 group_cap, nr_groups;
	u64 calls;
};

/* Nanoseconds below which the share @p (0..1) of the calls stayed: the middle of its slot. */
u64 trace_sum__percentile(const struct trace_sum *sum, double p);
/* The mean's standard error in percent of the mean, as upstream's stddev column. */
double trace_sum__stddev_pct(const struct trace_sum *sum);

#endif
