/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where perf trace's records end: filters on decoded arguments, the chosen format, the summary, the
 * count of events. Fed with one record at a time, in the order of time.
 */
#ifndef PERF_OUTPUT_TRACE_SINK_H
#define PERF_OUTPUT_TRACE_SINK_H

#include <stdbool.h>

#include "compiler.h"
#include "errbuf.h"
#include "lib/api/outbuf.h"
#include "loss.h"
#include "output/trace-event.h"
#include "output/trace-output.h"
#include "trace/engine.h"
#include "trace/filter.h"
#include "trace/summary.h"

struct trace_sink_opts {
	const struct trace_table *table; /* borrowed, as are all pointers here */
	struct trace_output_opts output;
	u32 string_limit;
	bool fd_paths, all_members, show_zeros; /* see decoder_opts */
	const char *filter;			/* --filter, or NULL */
	const char *path;			/* -P, or NULL */
	struct trace_events *events;		/* beside calls; may be NULL */
	u64 max_events;				/* 0: no end */
	bool lines;				/* print records */
	bool summary;				/* add them up as well */
	bool errno_summary;
	enum trace_summary_mode summary_mode;
};

struct trace_sink;

struct trace_sink *trace_sink__new(const struct trace_sink_opts *o, struct outbuf *ob,
				   struct errbuf *eb);
void trace_sink__delete(struct trace_sink *s);
/* trace_sink__record - a trace_record_fn; @arg: the sink. trace_sink__entry - likewise for a call
 * that has not returned yet. */
void trace_sink__record(const struct trace_record *r, u32 size, void *arg);
void trace_sink__entry(const struct trace_record *r, u32 size, void *arg);
/* trace_sink__attach - a process that is traced from now on: decoder__attach(). */
void trace_sink__attach(struct trace_sink *s, u32 pid);
/* trace_sink__full - --max-events have been printed. */
bool trace_sink__full(const struct trace_sink *s);
u64 trace_sink__malformed(const struct trace_sink *s);
struct trace_summary *trace_sink__summary(struct trace_sink *s);
/* trace_sink__finish - the summary, and in JSON the ledger with @st's figures. */
void trace_sink__finish(struct trace_sink *s, const struct loss_ledger *l,
			const struct trace_stats *st);

#endif
