/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * -s: per thread, process-wide total or cgroup, and per call: count, errors, total, min, average,
 * max, deviation, and percentiles out of a log-linear histogram. Fed either with records or with
 * the sums that the kernel program kept (struct trace_sum, the same shape as in its map).
 */
#ifndef PERF_TRACE_SUMMARY_H
#define PERF_TRACE_SUMMARY_H

#include <stdbool.h>

#include "compiler.h"
#include "errbuf.h"
#include "lib/api/outbuf.h"
#include "trace/summary-hist.h"
#include "trace/table.h"

enum trace_summary_mode { SUMMARY_THREAD, SUMMARY_TOTAL, SUMMARY_CGROUP };

struct trace_summary;

struct trace_summary *trace_summary__new(const struct trace_table *t, enum trace_summary_mode mode);
void trace_summary__delete(struct trace_summary *s);

/* One finished call. @key: tid, or cgroup id, 0 for totals. @dur_ns < 0: not known (not in the
 * times). 0 or -ENOMEM. */
int trace_summary__add(struct trace_summary *s, u64 key, int abi, int nr, s64 ret, s64 dur_ns);
/* The same from the kernel's sums. */
int trace_summary__add_sum(struct trace_summary *s, u64 key, int abi, int nr,
			   const struct trace_sum *sum);
/* A count of errors by number, from the kernel's sums: trace_summary__add() counts its own. */
int trace_summary__add_errno(struct trace_summary *s, u64 key, int abi, int nr, int err, u64 n);
/* The name of a key: comm/pid of the thread, path of the cgroup. Copied. */
void trace_summary__name(struct trace_summary *s, u64 key, const char *comm);

/* Upstream's table, sorted by total time; JSON: an object {"summary":[...]}. */
void trace_summary__print(struct trace_summary *s, struct outbuf *ob, bool errno_summary);
void trace_summary__json(struct trace_summary *s, struct outbuf *ob, bool errno_summary);
u64 trace_summary__calls(const struct trace_summary *s);

#endif
