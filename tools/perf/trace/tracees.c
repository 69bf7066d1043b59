// SPDX-License-Identifier: GPL-2.0-only
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>
#include <uthash.h>

#include "lib/api/procfs.h"
#include "trace/tracees.h"

#ifndef PTRACE_EVENT_STOP
#define PTRACE_EVENT_STOP 128
#endif

struct entry {
	struct tracee t;
	UT_hash_handle hh;
};

struct tracees {
	struct tracees_ops ops;
	void *arg;
	struct entry *hash;
	long options;
	pid_t self; /* this thread */
};

struct tracees *tracees__new(const struct tracees_ops *ops, void *arg, bool inherit)
{
	struct tracees *ts = calloc(1, sizeof(*ts));

	if (!ts)
		return NULL;
	ts->ops = *ops;
	ts->arg = arg;
	ts->self = syscall(SYS_gettid);
	ts->options = PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEEXEC;
	if (inherit)
		ts->options |= PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE;
	return ts;
}

static void drop(struct tracees *ts, struct entry *e, int status)
{
	ts->ops.gone(ts->arg, &e->t, status);
	HASH_DEL(ts->hash, e);
	free(e);
}

void tracees__delete(struct tracees *ts)
{
	struct entry *e, *tmp;

	if (!ts)
		return;
	HASH_ITER (hh, ts->hash, e, tmp) {
		HASH_DEL(ts->hash, e);
		free(e);
	}
	free(ts);
}

static struct entry *find(struct tracees *ts, pid_t tid)
{
	struct entry *e;

	HASH_FIND_INT(ts->hash, &tid, e);
	return e;
}

struct tracee *tracees__find(struct tracees *ts, pid_t tid)
{
	struct entry *e = find(ts, tid);

	return e ? &e->t : NULL;
}

int tracees__nr(const struct tracees *ts)
{
	return HASH_COUNT(ts->hash);
}

void tracees__each(struct tracees *ts, void (*fn)(struct tracee *t, void *arg), void *arg)
{
	struct entry *e, *tmp;

	HASH_ITER (hh, ts->hash, e, tmp)
		fn(&e->t, arg);
}

static struct entry *add(struct tracees *ts, pid_t tid, bool attached)
{
	struct entry *e = find(ts, tid);

	if (e)
		return e;
	e = calloc(1, sizeof(*e));
	if (!e)
		return NULL;
	e->t.tid = tid;
	e->t.attached = attached;
	HASH_ADD(hh, ts->hash, t.tid, sizeof(pid_t), e);
	ts->ops.born(ts->arg, &e->t);
	return e;
}

/* ---- attaching ---- */

static int refused(struct tracees *ts, pid_t tid, struct errbuf *eb)
{
	struct proc_status st;
	char comm[64];

	if (procfs__status(tid, &st))
		return -ESRCH;
	if (st.tracer_pid == ts->self)
		return 0; /* born to a thread of ours meanwhile */
	if (st.tracer_pid) {
		if (procfs__comm(st.tracer_pid, comm, sizeof(comm)) < 0)
			snprintf(comm, sizeof(comm), "?");
		return errbuf__set(
			eb, -EPERM,
			"cannot hold thread %d: it is traced already, by process %d (%s); "
			"end that first, or trace without --block",
			tid, st.tracer_pid, comm);
	}
	if (geteuid() && st.uid[0] != getuid())
		return errbuf__set(
			eb, -EPERM,
			"cannot hold thread %d: it is another user's (uid %u); only root, "
			"or CAP_SYS_PTRACE, may trace it",
			tid, st.uid[0]);
	return errbuf__set(eb, -EPERM,
			   "cannot hold thread %d: ptrace is not permitted (kernel thread, program "
			   "that is not dumpable, or kernel.yama.ptrace_scope)",
			   tid);
}

int tracees__attach(struct tracees *ts, pid_t tid, struct errbuf *eb)
{
	if (find(ts, tid))
		return 0;
	if (ptrace(PTRACE_SEIZE, tid, 0, ts->options)) {
		if (errno == EPERM)
			return refused(ts, tid, eb);
		return errbuf__set(eb, -errno, "cannot hold thread %d: %s", tid, strerror(errno));
	}
	return add(ts, tid, true) ? 0 : errbuf__set(eb, -ENOMEM, "out of memory");
}

/* One pass over the process's threads. Returns how many were new, or -errno. */
static int attach_pass(struct tracees *ts, pid_t pid, struct errbuf *eb)
{
	char path[64];
	struct dirent *d;
	int nr = 0, err;
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	dir = opendir(path);
	if (!dir)
		return errbuf__set(eb, -ESRCH, "no process %d", pid);
	while ((d = readdir(dir))) {
		pid_t tid = atoi(d->d_name);

		if (tid <= 0 || find(ts, tid))
			continue;
		err = tracees__attach(ts, tid, eb);
		if (err && err != -ESRCH) {
			nr = err;
			break;
		}
		if (!err && find(ts, tid))
			nr++;
	}
	closedir(dir);
	return nr;
}

int tracees__attach_process(struct tracees *ts, pid_t pid, struct errbuf *eb)
{
	int nr;

	/* Threads born to held ones are held; the passes end when all that are there are. */
	do
		nr = attach_pass(ts, pid, eb);
	while (nr > 0);
	return nr;
}

/* ---- stops ---- */

/* Calls that end with EINTR at once, whatever the signal, and have done nothing then. */
static bool only_waits(long nr)
{
#if defined(__x86_64__)
	switch (nr) {
	case SYS_epoll_wait:
	case SYS_epoll_pwait:
	case SYS_epoll_pwait2:
	case SYS_semop:
	case SYS_semtimedop:
	case SYS_rt_sigtimedwait:
	case SYS_io_getevents:
	case SYS_accept:
	case SYS_accept4:
	case SYS_read:
	case SYS_recvfrom:
	case SYS_recvmsg:
		return true;
	}
#endif
	(void)nr;
	return false;
}

/*
 * A signal that a process ignores does not interrupt it: the kernel drops it when it is sent. Not
 * so for a held process, whose tracer wants to know of it: the thread wakes up, perhaps even
 * another one than the one that takes the signal. Calls that the kernel restarts by itself show
 * nothing of it; those of only_waits() would tell the program. Their result is turned into
 * ERESTARTNOHAND: the kernel then restarts the call unless a handler is to run, and says EINTR if
 * one is. A time-out in milliseconds goes on with what is left of it.
 */
void tracee__restart_interrupted(const struct tracee *t, u64 elapsed_ns)
{
#if defined(__x86_64__)
	struct user_regs_struct r;
	long long left;

	if (ptrace(PTRACE_GETREGS, t->tid, 0, &r) || (long long)r.orig_rax < 0 || r.cs != 0x33)
		return;
	if ((int)r.rax != -EINTR || !only_waits(r.orig_rax))
		return;
	r.rax = -514; /* ERESTARTNOHAND */
	if ((r.orig_rax == SYS_epoll_wait || r.orig_rax == SYS_epoll_pwait) && (int)r.r10 > 0) {
		left = (int)r.r10 - (long long)(elapsed_ns / 1000000);
		r.r10 = left > 0 ? left : 0;
	}
	ptrace(PTRACE_SETREGS, t->tid, 0, &r);
#else
	(void)t, (void)elapsed_ns, (void)only_waits;
#endif
}

static void go_on(struct tracees *ts, struct tracee *t, int sig)
{
	if (sig > 0)
		tracee__restart_interrupted(t, 0);
	t->held = false;
	t->listening = false;
	ptrace(ts->ops.syscall ? PTRACE_SYSCALL : PTRACE_CONT, t->tid, 0, (long)sig);
	/* ESRCH: killed meanwhile; wait tells. */
}

void tracees__continue(struct tracees *ts, struct tracee *t, int sig)
{
	go_on(ts, t, sig);
}

static bool is_stop_signal(int sig)
{
	return sig == SIGSTOP || sig == SIGTSTP || sig == SIGTTIN || sig == SIGTTOU;
}

static void after(struct tracees *ts, struct tracee *t, int sig)
{
	if (sig == TRACEE_HOLD)
		t->held = true;
	else
		go_on(ts, t, sig);
}

static int other_stop(struct tracees *ts, struct tracee *t)
{
	return ts->ops.stopped ? ts->ops.stopped(ts->arg, t) : 0;
}

static void on_event(struct tracees *ts, struct entry *e, int event, int sig)
{
	struct tracee *t = &e->t;
	unsigned long msg = 0;
	struct entry *old;

	switch (event) {
	/* Of a fork's stop nothing is taken: the child's own first stop may have come before it,
	 * and its end as well. */
	case PTRACE_EVENT_EXEC:
		if (ptrace(PTRACE_GETEVENTMSG, t->tid, 0, &msg))
			msg = t->tid;
		if ((pid_t)msg != t->tid) {
			old = find(ts, msg);
			if (old && ts->ops.superseded)
				ts->ops.superseded(ts->arg, t, &old->t);
			if (old)
				drop(ts, old, -1);
		}
		if (ts->ops.execed)
			ts->ops.execed(ts->arg, t, msg);
		break;
	case PTRACE_EVENT_STOP:
		if (is_stop_signal(sig)) {
			other_stop(ts, t);
			t->listening = true;
			ptrace(PTRACE_LISTEN, t->tid, 0, 0);
			return;
		}
		tracee__restart_interrupted(t, 0);
		break;
	}
	after(ts, t, other_stop(ts, t));
}

static void on_stop(struct tracees *ts, struct entry *e, int status)
{
	int sig = WSTOPSIG(status), event = status >> 16;
	siginfo_t si = {};

	if (event) {
		on_event(ts, e, event, sig);
		return;
	}
	if (sig == (SIGTRAP | 0x80)) {
		after(ts, &e->t, ts->ops.syscall ? ts->ops.syscall(ts->arg, &e->t) : 0);
		return;
	}
	if (ptrace(PTRACE_GETSIGINFO, e->t.tid, 0, &si))
		si.si_signo = sig;
	after(ts, &e->t, ts->ops.signal(ts->arg, &e->t, sig, &si));
}

int tracees__wait(struct tracees *ts, bool block)
{
	int nr = 0, status;

	for (;;) {
		pid_t tid =
			waitpid(-1, &status, __WALL | __WNOTHREAD | (block && !nr ? 0 : WNOHANG));
		struct entry *e;

		if (tid < 0 && errno == EINTR)
			return nr;
		if (tid < 0)
			return -ECHILD;
		if (!tid)
			return nr;
		nr++;
		e = find(ts, tid);
		if (WIFSTOPPED(status)) {
			if (!e)
				e = add(ts, tid, false);
			if (e)
				on_stop(ts, e, status);
		} else if (e) {
			drop(ts, e, status);
		}
	}
}

void tracees__release(struct tracees *ts)
{
	struct entry *e, *tmp;

	HASH_ITER (hh, ts->hash, e, tmp)
		if (e->t.held)
			ptrace(PTRACE_DETACH, e->t.tid, 0, 0);
}
