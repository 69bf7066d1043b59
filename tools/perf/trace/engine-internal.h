/* SPDX-License-Identifier: GPL-2.0-only */
/* What the engines share behind engine.h. */
#ifndef PERF_TRACE_ENGINE_INTERNAL_H
#define PERF_TRACE_ENGINE_INTERNAL_H

#include <time.h>

#include "trace/engine.h"

struct trace_engine_ops {
	int (*attach)(struct trace_engine *e, struct errbuf *eb);
	int (*poll)(struct trace_engine *e, int timeout_ms);
	void (*wake)(struct trace_engine *e);
	void (*finish)(struct trace_engine *e);
	void (*delete)(struct trace_engine *e);
	void (*stats)(const struct trace_engine *e, struct trace_stats *st);
	void (*ledger)(const struct trace_engine *e, struct loss_ledger *l);
	int (*summary)(struct trace_engine *e, struct trace_summary *s);
	void (*block_report)(const struct trace_engine *e,
			     void (*fn)(void *arg, pid_t tid, const char *comm, u64 stops,
					u64 blocked_ns),
			     void *arg);
};

/* Embedded as the first member of each engine. */
struct trace_engine {
	const struct trace_engine_ops *ops;
	struct trace_engine_opts opts;
	u64 hidden; /* of them those for the decoder alone */
	u64 calls;  /* records of calls handed up */
};

struct trace_engine *engine_bpf__new(const struct trace_engine_opts *o, struct errbuf *eb);
struct trace_engine *engine_ptrace__new(const struct trace_engine_opts *o, struct errbuf *eb);

/* engine__targets - the threads to attach to, from the options: -p, -t, -u or the held workload.
 * NULL with errno and @eb. */
struct thread_map *engine__targets(const struct trace_engine_opts *o, struct errbuf *eb);
/* engine__fill_rows - the table of captures for the calls asked for, [abi * TRACE_NR_CALLS + nr];
 * @rows is zeroed. */
void engine__fill_rows(const struct trace_engine_opts *o, struct trace_capture_row *rows);
/* engine__shows_unfinished - whether @r, of a call that did not return until its time_exit, is
 * asked for: it neither failed nor succeeded. */
bool engine__shows_unfinished(const struct trace_engine_opts *o, const struct trace_record *r);
/* engine__hand_up - one record to the caller, counted. */
void engine__hand_up(struct trace_engine *e, const struct trace_record *r, u32 size);

static inline u64 mono_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000ull + ts.tv_nsec;
}

#endif
