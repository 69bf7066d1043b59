/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An engine turns what the traced threads do into records (record.h). Two of them: `bpf` (programs
 * on the raw_syscalls tracepoints; with blocking, the threads are also held by PTRACE_SEIZE) and
 * `ptrace` (PTRACE_SYSCALL). Both hand up the same records, in the order of time.
 */
#ifndef PERF_TRACE_ENGINE_H
#define PERF_TRACE_ENGINE_H

#include <stdbool.h>
#include <sys/types.h>

#include "bpf/trace-ring.h"
#include "compiler.h"
#include "errbuf.h"
#include "lib/perf/target.h"
#include "loss.h"
#include "trace/summary.h"
#include "trace/table.h"

enum trace_engine_kind { TRACE_ENGINE_BPF, TRACE_ENGINE_PTRACE };

struct workload;
struct trace_event_spec;

struct trace_engine_opts {
	const struct trace_table *table;   /* borrowed, as are all pointers here */
	const struct trace_callset *calls; /* asked for */
	/* calls that the decoder has to see even if not asked for: their records have TR_HIDDEN;
	 * NULL: none */
	const struct trace_callset *follow;
	const struct target *target;
	struct workload *workload; /* held; NULL: none */
	bool block;		   /* lossless: stop threads rather than drop records */
	bool records;		   /* false: only the summary, kept in the kernel */
	bool signals;		   /* TR_SIGNAL and TR_EXITED records too */
	u32 ring_size;		   /* bytes a CPU, a power of two >= 4096; 0: default */
	u32 string_limit;
	u32 ret_filter; /* enum trace_ret_filter of bpf/trace.h */
	u64 min_ns;	/* calls that took less are left out */
	bool stacks;
	u32 max_stack;
	enum trace_summary_mode summary_mode;
	int out_fd;  /* where the output goes: its reader must not be stopped; -1: nowhere */
	bool errnos; /* with the summary: errors by number */
	const struct trace_event_spec *events; /* beside calls; bpf engine only */
	int nr_events;
	trace_record_fn entry;	/* a call under way for long, TR_NO_EXIT; its record follows when it
				   returns; NULL: not wanted */
	trace_record_fn record; /* called by trace_engine__poll() and trace_engine__finish() */
	void *arg;
};

struct trace_stats {
	u64 calls;	/* records handed up, calls only */
	u64 stops;	/* threads stopped to let the output catch up */
	u64 blocked_ns; /* their waiting together */
	u64 filtered;	/* calls left out by the result or duration filter */
	u64 spilled;	/* records that waited in their thread's slot */
	u64 unreadable; /* arguments whose memory could not be read */
	u64 withheld;	/* programs that ran without the rights of their setuid or setgid bit */
};

struct trace_engine;

/* trace_engine__new - NULL with errno (EPERM, EACCES: no rights) and the reason in @eb. Nothing is
 * attached yet. */
struct trace_engine *trace_engine__new(enum trace_engine_kind kind,
				       const struct trace_engine_opts *o, struct errbuf *eb);
void trace_engine__delete(struct trace_engine *e);
/* trace_engine__attach - the targets are traced from here on. */
int trace_engine__attach(struct trace_engine *e, struct errbuf *eb);
/* trace_engine__poll - hands up what there is; waits up to @timeout_ms when there is nothing. 1: go
 * on; 0: every target has ended; -errno. */
int trace_engine__poll(struct trace_engine *e, int timeout_ms);
/* trace_engine__wake - ends a trace_engine__poll() that waits. May be called in a signal handler.
 */
void trace_engine__wake(struct trace_engine *e);
/* trace_engine__finish - detaches (the targets run on), hands up the rest and the calls that are
 * still under way. */
void trace_engine__finish(struct trace_engine *e);

void trace_engine__stats(const struct trace_engine *e, struct trace_stats *st);
/* trace_engine__ledger - fills @l (initialised by the caller for cpu_map__max_possible() CPUs). */
void trace_engine__ledger(const struct trace_engine *e, struct loss_ledger *l);
/* trace_engine__summary - the kernel's sums into @s; after trace_engine__finish(). */
int trace_engine__summary(struct trace_engine *e, struct trace_summary *s);
/* trace_engine__block_report - per thread: stops and time blocked. */
void trace_engine__block_report(const struct trace_engine *e,
				void (*fn)(void *arg, pid_t tid, const char *comm, u64 stops,
					   u64 blocked_ns),
				void *arg);

/*
 * trace__check_reader - blocking could wait for itself: when the process that reads @fd (the other
 * end of a pipe, the owner of a terminal), the tool itself or one of its parents is among @pids. 0,
 * or -EDEADLK with the process and the reason in @eb.
 */
int trace__check_reader(int fd, const pid_t *pids, int nr, struct errbuf *eb);

#endif
