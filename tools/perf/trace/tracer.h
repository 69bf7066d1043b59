/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The thread that owns the traced threads' ptrace: attaches, waits for their stops, and lets them
 * go when it ends. It is apart from the one that prints, so that signals are passed on and forks
 * followed at once even while the output's reader is slow.
 */
#ifndef PERF_TRACE_TRACER_H
#define PERF_TRACE_TRACER_H

#include "lib/perf/target.h"
#include "trace/record-queue.h"
#include "trace/tracees.h"

struct tracer;

struct tracer_opts {
	struct tracees_ops ops;
	/* Called in the tracer's thread. kicked(): after tracer__kick(). let_go(): before it ends
	 * because of tracer__quit(). gone(): the last one, with what is still held. May be NULL. */
	void (*kicked)(void *arg, struct tracees *ts);
	void (*let_go)(void *arg, struct tracees *ts);
	void (*ending)(void *arg, struct tracees *ts);
	void *arg;
	const struct thread_map *threads; /* to attach to; borrowed until tracer__start() returns */
	bool whole_process;		  /* with all threads of their processes */
	bool inherit;
	pid_t workload; /* 0: none */
	struct record_queue *queue;
	bool signals;  /* TR_SIGNAL and TR_EXITED records into the queue */
	int notify_fd; /* eventfd, borrowed: written when the workload or the tracer ends */
	struct tracer **tracer; /* where to leave the tracer before the first callback */
};

/* tracer__start - returns when all targets are held. NULL with errno and @eb. */
struct tracer *tracer__start(const struct tracer_opts *o, struct errbuf *eb);
void tracer__kick(struct tracer *t);
/* tracer__quit - lets every thread go and ends; returns at once. The queue must be read until
 * tracer__done(). */
void tracer__quit(struct tracer *t);
bool tracer__done(struct tracer *t);
/* tracer__delete - quits and waits for the end. */
void tracer__delete(struct tracer *t);
/* tracer__workload_status - 1 and the wait status once the workload has ended. */
int tracer__workload_status(struct tracer *t, int *status);

/* tracer__withheld - programs executed so far whose setuid or setgid bit the kernel did not honour,
 * as it does for tracers without CAP_SYS_PTRACE. */
u64 tracer__withheld(const struct tracer *t);

/* tracer__post_signal - for the ops' signal(): the TR_SIGNAL record, where wanted. */
void tracer__post_signal(struct tracer *t, struct tracee *tr, const char *comm, int sig,
			 const siginfo_t *si);
/* tracer__post_exited - likewise TR_EXITED. */
void tracer__post_exited(struct tracer *t, struct tracee *tr, const char *comm, int status);

#endif
