/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The blocking half of the bpf engine: a thread of its own that holds the traced threads with
 * PTRACE_SEIZE, and keeps those that the programs stopped until the one who prints has made room.
 * Being apart from the printing, it passes on signals and follows forks at once even while the
 * output's reader is slow.
 */
#ifndef PERF_TRACE_HOLDER_H
#define PERF_TRACE_HOLDER_H

#include "bpf/trace.h"
#include "trace/engine.h"
#include "trace/record-queue.h"

struct holder;

struct holder_opts {
	struct trace_kern *kern;    /* its traced set is the holder's from holder__start() on */
	struct record_queue *queue; /* spilled records, signals, ends */
	const struct thread_map *threads; /* to hold; borrowed until holder__start() returns */
	pid_t workload;			  /* 0: none; waits for its execve */
	bool inherit;
	bool whole_process; /* -p: also threads that are being born */
	bool signals;	    /* post TR_SIGNAL and TR_EXITED */
	u32 string_limit;
};

/* holder__start - starts the thread and returns when all targets are held. NULL with errno and @eb.
 */
struct holder *holder__start(const struct holder_opts *o, struct errbuf *eb);
/* holder__fd - an eventfd: readable when threads wait for room, or all have ended. */
int holder__fd(const struct holder *h);
/* holder__requested - a number to be given to holder__drained() after draining what was there. */
u64 holder__requested(struct holder *h);
void holder__drained(struct holder *h, u64 number);
/* holder__waiting - threads wait for the drain @number. */
bool holder__waiting(struct holder *h, u64 number);
/* holder__workload_status - 1 and the wait status once the workload has ended. */
int holder__workload_status(struct holder *h, int *status);
/* holder__quit - lets every thread go; returns at once. holder__done - no thread is held any more.
 * The queue must be read meanwhile. */
void holder__quit(struct holder *h);
bool holder__done(struct holder *h);
/* holder__delete - waits for the thread's end. */
void holder__delete(struct holder *h);

/* After holder__done(). holder__withheld - see tracer__withheld(). */
u64 holder__withheld(const struct holder *h);
u64 holder__stops(const struct holder *h);
u64 holder__blocked_ns(const struct holder *h);
/* holder__unreadable - arguments that the tool could not read either. */
u64 holder__unreadable(const struct holder *h);
void holder__report(const struct holder *h,
		    void (*fn)(void *arg, pid_t tid, const char *comm, u64 stops, u64 blocked_ns),
		    void *arg);

#endif
