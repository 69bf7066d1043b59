// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "lib/api/procfs.h"
#include "lib/api/worker.h"
#include "trace/engine-internal.h"
#include "trace/tracer.h"

struct tracer {
	struct tracer_opts o;
	struct tracees *ts;
	pthread_t thread;
	pthread_mutex_t lock; /* of the start's result */
	pthread_cond_t started_cond;
	bool started;
	int start_err;
	struct errbuf *eb;
	int kick_fd, signal_fd;
	bool quit, done, workload_ended; /* atomic */
	int workload_status;
	u64 withheld; /* atomic */
};

/* ---- records about threads ---- */

static void post_event(struct tracer *t, struct tracee *tr, const char *comm, u16 flags, u64 arg,
		       const void *data, u32 len)
{
	u64 buf[(sizeof(struct trace_record) + sizeof(struct trace_blob) + sizeof(siginfo_t)) / 8 +
		2];
	struct trace_record *r = (void *)buf;
	struct trace_blob *b = (void *)(r + 1);

	*r = (struct trace_record){.flags = flags, .tid = tr->tid, .size = sizeof(*r), .nr = -1};
	if (!tr->pid)
		tr->pid = procfs__tgid(tr->tid);
	r->pid = tr->pid > 0 ? tr->pid : tr->tid;
	r->args[0] = arg;
	r->time_enter = r->time_exit = mono_ns();
	if (comm)
		memcpy(r->comm, comm, sizeof(r->comm));
	if (len) {
		*b = (struct trace_blob){
			.kind = CAP_STRUCT, .when = CAP_ENTRY, .len = len, .orig_len = len};
		memcpy(b + 1, data, len);
		r->size += sizeof(*b) + ((len + 7) & ~7u);
		r->nr_blobs = 1;
	}
	record_queue__post(t->o.queue, r);
}

void tracer__post_signal(struct tracer *t, struct tracee *tr, const char *comm, int sig,
			 const siginfo_t *si)
{
	if (t->o.signals)
		post_event(t, tr, comm, TR_SIGNAL, sig, si, sizeof(*si));
}

void tracer__post_exited(struct tracer *t, struct tracee *tr, const char *comm, int status)
{
	if (t->o.signals)
		post_event(t, tr, comm, TR_EXITED, status, NULL, 0);
}

/* ---- the thread ---- */

static void on_gone(void *arg, struct tracee *tr, int status)
{
	struct tracer *t = arg;

	t->o.ops.gone(t->o.arg, tr, status);
	if (tr->tid != t->o.workload || status < 0)
		return;
	t->workload_status = status;
	__atomic_store_n(&t->workload_ended, true, __ATOMIC_RELEASE);
	eventfd_write(t->o.notify_fd, 1);
}

static void on_born(void *arg, struct tracee *tr)
{
	struct tracer *t = arg;

	t->o.ops.born(t->o.arg, tr);
}

static int on_signal(void *arg, struct tracee *tr, int sig, const siginfo_t *si)
{
	struct tracer *t = arg;

	return t->o.ops.signal(t->o.arg, tr, sig, si);
}

static int on_stopped(void *arg, struct tracee *tr)
{
	struct tracer *t = arg;

	return t->o.ops.stopped ? t->o.ops.stopped(t->o.arg, tr) : 0;
}

static int on_syscall(void *arg, struct tracee *tr)
{
	struct tracer *t = arg;

	return t->o.ops.syscall(t->o.arg, tr);
}

/* The program's file asks for other ids than those it got. On file systems mounted nosuid nobody
 * would have got them. */
static bool rights_withheld(pid_t tid)
{
	struct proc_status ids;
	struct statvfs fs;
	struct stat st;
	char exe[64];

	snprintf(exe, sizeof(exe), "/proc/%d/exe", tid);
	if (stat(exe, &st) || !(st.st_mode & (S_ISUID | S_ISGID)) || procfs__status(tid, &ids))
		return false;
	if (!(st.st_mode & S_ISUID && st.st_uid != ids.uid[1]) &&
	    !(st.st_mode & S_ISGID && st.st_mode & S_IXGRP && st.st_gid != ids.gid[1]))
		return false;
	return statvfs(exe, &fs) || !(fs.f_flag & ST_NOSUID);
}

static void on_superseded(void *arg, struct tracee *tr, struct tracee *by)
{
	struct tracer *t = arg;

	if (t->o.ops.superseded)
		t->o.ops.superseded(t->o.arg, tr, by);
}

static void on_exec(void *arg, struct tracee *tr, pid_t old_tid)
{
	struct tracer *t = arg;

	if (rights_withheld(tr->tid))
		__atomic_add_fetch(&t->withheld, 1, __ATOMIC_RELAXED);
	if (t->o.ops.execed)
		t->o.ops.execed(t->o.arg, tr, old_tid);
}

static int attach_all(struct tracer *t)
{
	const struct thread_map *m = t->o.threads;
	pid_t last = 0;
	int err;

	for (int i = 0; i < m->nr; i++) {
		if (t->o.whole_process && m->thread[i].pid > 0) {
			if (m->thread[i].pid == last)
				continue;
			last = m->thread[i].pid;
			err = tracees__attach_process(t->ts, last, t->eb);
		} else {
			err = tracees__attach(t->ts, m->thread[i].tid, t->eb);
		}
		if (err && err != -ESRCH)
			return err;
	}
	if (!tracees__nr(t->ts))
		return errbuf__set(t->eb, -ESRCH, "all targets have ended");
	return 0;
}

static void tell_started(struct tracer *t, int err)
{
	pthread_mutex_lock(&t->lock);
	t->started = true;
	t->start_err = err;
	pthread_cond_signal(&t->started_cond);
	pthread_mutex_unlock(&t->lock);
}

static void loop(struct tracer *t)
{
	struct pollfd fds[2] = {{.fd = t->signal_fd, .events = POLLIN},
				{.fd = t->kick_fd, .events = POLLIN}};
	struct signalfd_siginfo si[8];
	eventfd_t v;

	while (!__atomic_load_n(&t->quit, __ATOMIC_ACQUIRE)) {
		if (tracees__wait(t->ts, false) == -ECHILD)
			return;
		/* Held threads stand until they are looked at: not for ever, whatever happens to
		 * a SIGCHLD. */
		if (poll(fds, 2, 1000) < 0)
			continue;
		if (fds[0].revents)
			(void)!read(t->signal_fd, si, sizeof(si));
		if (fds[1].revents)
			eventfd_read(t->kick_fd, &v);
		if (t->o.kicked)
			t->o.kicked(t->o.arg, t->ts);
	}
	if (t->o.let_go)
		t->o.let_go(t->o.arg, t->ts);
}

static void *run(void *arg)
{
	static const struct tracees_ops ops = {
		.born = on_born,
		.signal = on_signal,
		.stopped = on_stopped,
		.execed = on_exec,
		.superseded = on_superseded,
		.gone = on_gone,
	};
	struct tracees_ops with = ops;
	struct tracer *t = arg;
	int err = -ENOMEM;

	if (t->o.ops.syscall)
		with.syscall = on_syscall;
	t->ts = tracees__new(&with, t, t->o.inherit);
	if (t->ts)
		err = attach_all(t);
	tell_started(t, err);
	if (!err)
		loop(t);
	if (t->ts && t->o.ending)
		t->o.ending(t->o.arg, t->ts);
	tracees__delete(t->ts);
	__atomic_store_n(&t->done, true, __ATOMIC_RELEASE);
	eventfd_write(t->o.notify_fd, 1);
	return NULL;
}

static void free_tracer(struct tracer *t)
{
	if (t->signal_fd >= 0)
		close(t->signal_fd);
	if (t->kick_fd >= 0)
		close(t->kick_fd);
	pthread_mutex_destroy(&t->lock);
	pthread_cond_destroy(&t->started_cond);
	free(t);
}

static struct tracer *alloc_tracer(const struct tracer_opts *o)
{
	struct tracer *t = calloc(1, sizeof(*t));
	sigset_t chld;

	if (!t)
		return NULL;
	t->o = *o;
	pthread_mutex_init(&t->lock, NULL);
	pthread_cond_init(&t->started_cond, NULL);
	/* Blocked in every thread, so that the descriptor sees all of them. */
	sigemptyset(&chld);
	sigaddset(&chld, SIGCHLD);
	signal(SIGCHLD, SIG_DFL);
	pthread_sigmask(SIG_BLOCK, &chld, NULL);
	t->signal_fd = signalfd(-1, &chld, SFD_CLOEXEC | SFD_NONBLOCK);
	t->kick_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	return t;
}

struct tracer *tracer__start(const struct tracer_opts *o, struct errbuf *eb)
{
	struct tracer *t = alloc_tracer(o);
	int err;

	if (!t || t->signal_fd < 0 || t->kick_fd < 0) {
		err = errbuf__set(eb, -ENOMEM, "out of memory or descriptors");
		goto fail;
	}
	t->eb = eb;
	*o->tracer = t;
	err = worker__start(&t->thread, run, t);
	if (err) {
		errbuf__set(eb, err, "cannot start a thread: %s", strerror(-err));
		goto fail;
	}
	pthread_mutex_lock(&t->lock);
	while (!t->started)
		pthread_cond_wait(&t->started_cond, &t->lock);
	err = t->start_err;
	t->eb = NULL;
	t->o.threads = NULL;
	pthread_mutex_unlock(&t->lock);
	if (!err)
		return t;
	pthread_join(t->thread, NULL);
fail:
	if (t)
		free_tracer(t);
	errno = -err;
	return NULL;
}

void tracer__kick(struct tracer *t)
{
	eventfd_write(t->kick_fd, 1);
}

void tracer__quit(struct tracer *t)
{
	__atomic_store_n(&t->quit, true, __ATOMIC_RELEASE);
	tracer__kick(t);
}

bool tracer__done(struct tracer *t)
{
	return __atomic_load_n(&t->done, __ATOMIC_ACQUIRE);
}

void tracer__delete(struct tracer *t)
{
	if (!t)
		return;
	tracer__quit(t);
	pthread_join(t->thread, NULL);
	free_tracer(t);
}

u64 tracer__withheld(const struct tracer *t)
{
	return __atomic_load_n(&t->withheld, __ATOMIC_RELAXED);
}

int tracer__workload_status(struct tracer *t, int *status)
{
	if (!__atomic_load_n(&t->workload_ended, __ATOMIC_ACQUIRE))
		return 0;
	*status = t->workload_status;
	return 1;
}
