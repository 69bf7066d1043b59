/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The threads held by ptrace, and their life: attaching, children and threads that are followed,
 * signals passed on, group stops honoured, execs and ends. Both users (the blocking bpf engine and
 * the ptrace engine) give callbacks for what differs.
 *
 * All functions must be called by one and the same thread: ptrace belongs to a thread.
 */
#ifndef PERF_TRACE_TRACEES_H
#define PERF_TRACE_TRACEES_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

#include "compiler.h"
#include "errbuf.h"

struct tracees;

struct tracee {
	pid_t tid;
	pid_t pid;	/* its process; 0: not looked up yet */
	bool attached;	/* it ran already; false: born to a held one, standing in its first stop */
	bool held;	/* in a stop that a callback keeps */
	bool listening; /* group stop, PTRACE_LISTEN */
	u64 nr_stops;	/* stops to let the output catch up */
	u64 blocked_ns; /* time spent in them */
	void *priv;	/* the user's; freed by its gone() */
};

#define TRACEE_HOLD (-1) /* the thread stays stopped until tracees__continue() */

struct tracees_ops {
	/* A thread is held from now on: attached to, or born to one that was. */
	void (*born)(void *arg, struct tracee *t);
	/* A signal is about to be delivered: returns what is delivered (0: nothing) or TRACEE_HOLD.
	 */
	int (*signal)(void *arg, struct tracee *t, int sig, const siginfo_t *si);
	/* Any other stop, before the thread goes on: 0 or TRACEE_HOLD. May be NULL. */
	int (*stopped)(void *arg, struct tracee *t);
	/* PTRACE_SYSCALL stops; NULL: threads are continued with PTRACE_CONT. */
	int (*syscall)(void *arg, struct tracee *t);
	/* It has executed a program; @old_tid: its number before. */
	void (*execed)(void *arg, struct tracee *t, pid_t old_tid);
	/* Thread @by executes a program and takes the place and the number of the leader, @t, which
	 * has ended; @by is gone next, @t goes on. May be NULL. */
	void (*superseded)(void *arg, struct tracee *t, struct tracee *by);
	/* It is gone: wait status, or -1 when another thread's exec took its place. */
	void (*gone)(void *arg, struct tracee *t, int status);
};

struct tracees *tracees__new(const struct tracees_ops *ops, void *arg, bool inherit);
/* tracees__delete - forgets all; the kernel lets them go when this thread ends. */
void tracees__delete(struct tracees *ts);

/*
 * tracees__attach - PTRACE_SEIZE of thread @tid, which does not stop it. 0; -ESRCH: it has ended;
 * -EPERM with the reason in @eb: another user's, or another tracer's (with its pid).
 */
int tracees__attach(struct tracees *ts, pid_t tid, struct errbuf *eb);
/* tracees__attach_process - every thread of @pid, also those born meanwhile. */
int tracees__attach_process(struct tracees *ts, pid_t pid, struct errbuf *eb);

/* tracees__wait - handles every state change that is there (@block: waits for one first). Returns
 * their number, or -ECHILD when it has come to the end of the last one. */
int tracees__wait(struct tracees *ts, bool block);
/* tracees__continue - a held thread goes on; @sig is delivered first unless 0. */
void tracees__continue(struct tracees *ts, struct tracee *t, int sig);
struct tracee *tracees__find(struct tracees *ts, pid_t tid);
int tracees__nr(const struct tracees *ts);
void tracees__each(struct tracees *ts, void (*fn)(struct tracee *t, void *arg), void *arg);
/* tracees__release - lets go of those that stand still now; the others go free when this thread
 * ends, without being woken for it. */
void tracees__release(struct tracees *ts);

/* tracee__restart_interrupted - @t stands at the end of a call: one that was interrupted though no
 * handler is to run is restarted, see there. @elapsed_ns: how long it took; 0: not known. */
void tracee__restart_interrupted(const struct tracee *t, u64 elapsed_ns);

#endif
