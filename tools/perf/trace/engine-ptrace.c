// SPDX-License-Identifier: GPL-2.0-only
/*
 * The ptrace engine: every thread is stopped at the entry and the exit of each call, as strace does
 * it. For a user without BPF rights, on the user's own processes; the records are the same.
 */
#include <elf.h>
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <linux/audit.h>
#include <linux/ptrace.h>
#include <unistd.h>

#include "bpf/trace.h"
#include "lib/api/procfs.h"
#include "lib/subcmd/subcmd.h"
#include "trace/capture-vm.h"
#include "trace/engine-internal.h"
#include "trace/tracer.h"

#define QUEUE_BYTES (8u << 20)
#define REC_ROOM 24576
#define PR_SET_NAME_OPTION 15

#ifndef AUDIT_ARCH_X86_64
#define AUDIT_ARCH_X86_64 0xc000003e
#endif

struct ptrace_engine {
	struct trace_engine base;
	struct tracer *tracer;
	struct record_queue *queue;
	struct trace_capture_row *rows; /* [abi * TRACE_NR_CALLS + nr] */
	int notify_fd, wake_fd;
	bool workload_ended;
	u64 filtered, unreadable; /* the tracer's; read after its end */
};

struct thread {
	enum trace_call_state call;
	bool wait_exec; /* the held workload */
	bool in_call;	/* between an entry stop and its exit stop */
	u64 seq;
	u64 unreadable; /* of the call under way */
	struct trace_capture_row *row;
	char comm[16];
	struct trace_record *rec; /* REC_ROOM bytes */
};

static struct ptrace_engine *of(const struct trace_engine *e)
{
	return container_of((struct trace_engine *)e, struct ptrace_engine, base);
}

/* ---- in the tracer's thread ---- */

static void read_comm(struct thread *t, pid_t tid)
{
	char comm[64] = "";

	procfs__comm(tid, comm, sizeof(comm));
	memset(t->comm, 0, sizeof(t->comm));
	memcpy(t->comm, comm, strnlen(comm, sizeof(t->comm) - 1));
}

static void on_born(void *arg, struct tracee *tr)
{
	struct ptrace_engine *e = arg;
	struct thread *t = calloc(1, sizeof(*t));
	bool held = e->base.opts.workload && tr->tid == workload__pid(e->base.opts.workload);

	if (t)
		t->rec = malloc(REC_ROOM);
	if (!t || !t->rec) {
		free(t);
		return;
	}
	tr->priv = t;
	t->wait_exec = held;
	read_comm(t, tr->tid);
	/* Already running: only a stop makes it report its calls from now on. A held workload waits
	 * in a read, which the kernel restarts. */
	if (tr->attached)
		ptrace(PTRACE_INTERRUPT, tr->tid, 0, 0);
}

static int abi_of(const struct ptrace_syscall_info *si)
{
#if defined(__x86_64__)
	if (si->arch != AUDIT_ARCH_X86_64)
		return TRACE_ABI_32;
	if (si->op == PTRACE_SYSCALL_INFO_ENTRY && si->entry.nr & 0x40000000)
		return TRACE_ABI_X32;
	return TRACE_ABI_64;
#else
	return si->arch & __AUDIT_ARCH_64BIT ? TRACE_ABI_64 : TRACE_ABI_32;
#endif
}

static struct trace_capture_row *row_of(struct ptrace_engine *e, int abi, u64 nr)
{
	return &e->rows[abi * TRACE_NR_CALLS + (nr < TRACE_NR_CALLS ? nr : TRACE_NR_CALLS - 1)];
}

static bool is_exec(const struct ptrace_engine *e, int abi, u64 nr)
{
	const struct trace_call *c = trace_table__lookup(e->base.opts.table, abi, nr);

	return c && (!strcmp(c->name, "execve") || !strcmp(c->name, "execveat"));
}

static void post(struct ptrace_engine *e, struct thread *t, struct tracee *tr)
{
	struct trace_record *r = t->rec;

	r->tid = tr->tid;
	if (!tr->pid)
		tr->pid = procfs__tgid(tr->tid);
	r->pid = tr->pid > 0 ? tr->pid : tr->tid;
	r->seq = t->seq++;
	r->cpu = 0;
	memcpy(r->comm, t->comm, sizeof(r->comm));
	e->unreadable += t->unreadable;
	record_queue__post(e->queue, r);
}

static void begin(struct thread *t, int abi, s32 nr)
{
	*t->rec = (struct trace_record){.size = sizeof(*t->rec), .abi = abi, .nr = nr};
	t->unreadable = 0;
}

static u16 row_flags(const struct trace_capture_row *row)
{
	return (row->flags & TRACE_ROW_FOLLOW ? TR_FOLLOW : 0) |
	       (row->flags & TRACE_ROW_HIDDEN ? TR_HIDDEN : 0);
}

static void on_entry(struct ptrace_engine *e, struct thread *t, struct tracee *tr,
		     const struct ptrace_syscall_info *si)
{
	int abi = abi_of(si);
	u64 nr = si->entry.nr;

	if (abi == TRACE_ABI_X32)
		nr &= ~0x40000000ull;
	t->in_call = true;
	t->call = CALL_SKIPPED;
	if (t->wait_exec && !is_exec(e, abi, nr))
		return;
	t->row = row_of(e, abi, nr);
	if (!(t->row->flags & TRACE_ROW_TRACED))
		return;
	begin(t, abi, nr);
	t->rec->flags = row_flags(t->row);
	for (int i = 0; i < TRACE_NR_ARGS; i++)
		t->rec->args[i] = si->entry.args[i];
	t->unreadable += capture_vm__row(tr->tid, t->row, CAP_ENTRY, t->rec, REC_ROOM);
	t->call = CALL_OPEN;
	t->rec->time_enter = mono_ns();
	if (t->row->flags & TRACE_ROW_NORETURN) {
		t->rec->flags |= TR_NO_EXIT;
		t->rec->time_exit = t->rec->time_enter;
		t->call = CALL_SENT;
		if (!engine__shows_unfinished(&e->base.opts, t->rec)) {
			e->filtered++;
			t->rec->flags |= TR_HIDDEN;
		}
		post(e, t, tr);
	}
}

/* The number of the call that is just returning. */
static s32 returning_nr(pid_t tid)
{
#if defined(__x86_64__)
	errno = 0;
	long nr = ptrace(PTRACE_PEEKUSER, tid, offsetof(struct user_regs_struct, orig_rax), 0);

	return errno ? -1 : nr;
#else
	struct user_regs_struct r;
	struct iovec v = {&r, sizeof(r)};

	return ptrace(PTRACE_GETREGSET, tid, NT_PRSTATUS, &v) ? -1 : (s32)r.regs[8];
#endif
}

static bool wanted(const struct ptrace_engine *e, const struct thread *t)
{
	const struct trace_engine_opts *o = &e->base.opts;
	const struct trace_record *r = t->rec;
	bool failed = r->ret < 0 && r->ret >= -4095;

	if (o->min_ns && (r->flags & TR_NO_ENTRY || r->time_exit - r->time_enter < o->min_ns))
		return false;
	switch (o->ret_filter) {
	case RET_FAILED:
		return failed;
	case RET_SUCCEEDED:
		return !failed;
	}
	return true;
}

static void on_exit_stop(struct ptrace_engine *e, struct thread *t, struct tracee *tr,
			 const struct ptrace_syscall_info *si)
{
	enum trace_call_state call = t->call;

	if (si->exit.rval == -EINTR)
		tracee__restart_interrupted(tr,
					    call == CALL_OPEN ? mono_ns() - t->rec->time_enter : 0);
	t->call = CALL_NONE;
	if (!t->in_call) { /* under way when we came */
		int abi = abi_of(si);
		s32 nr = returning_nr(tr->tid);

		t->row = row_of(e, abi, nr);
		if (t->wait_exec || nr < 0 || !(t->row->flags & TRACE_ROW_TRACED))
			return;
		begin(t, abi, nr);
		t->rec->flags = TR_NO_ENTRY | row_flags(t->row);
	} else if (call != CALL_OPEN) {
		t->in_call = false;
		return;
	}
	t->in_call = false;
	t->rec->time_exit = mono_ns();
	t->rec->ret = si->exit.rval;
	if (t->wait_exec) {
		if (t->rec->ret < 0)
			return;
		t->wait_exec = false;
	}
	if (t->rec->nr == trace_table__number(e->base.opts.table, t->rec->abi, "prctl") &&
	    t->rec->args[0] == PR_SET_NAME_OPTION)
		read_comm(t, tr->tid);
	if (!(t->rec->flags & TR_HIDDEN) && !wanted(e, t)) {
		e->filtered++;
		/* left out, but the descriptors that it makes or closes are to be known */
		if (!(t->rec->flags & TR_FOLLOW))
			return;
		t->rec->flags |= TR_HIDDEN;
	}
	if (t->rec->flags & TR_HIDDEN && t->rec->ret < 0)
		return;
	if (!(t->rec->flags & TR_NO_ENTRY))
		t->unreadable += capture_vm__row(tr->tid, t->row, CAP_EXIT, t->rec, REC_ROOM);
	post(e, t, tr);
}

static int on_syscall(void *arg, struct tracee *tr)
{
	struct ptrace_engine *e = arg;
	struct ptrace_syscall_info si;
	struct thread *t = tr->priv;

	if (!t || ptrace(PTRACE_GET_SYSCALL_INFO, tr->tid, sizeof(si), &si) <= 0)
		return 0;
	if (si.op == PTRACE_SYSCALL_INFO_ENTRY || si.op == PTRACE_SYSCALL_INFO_SECCOMP)
		on_entry(e, t, tr, &si);
	else if (si.op == PTRACE_SYSCALL_INFO_EXIT)
		on_exit_stop(e, t, tr, &si);
	return 0;
}

static int on_signal(void *arg, struct tracee *tr, int sig, const siginfo_t *si)
{
	struct ptrace_engine *e = arg;
	struct thread *t = tr->priv;

	tracer__post_signal(e->tracer, tr, t ? t->comm : NULL, sig, si);
	return sig;
}

static void on_exec(void *arg, struct tracee *tr, pid_t old_tid)
{
	struct thread *t = tr->priv;

	(void)arg, (void)old_tid;
	if (t)
		read_comm(t, tr->tid);
}

/* A call that will not return: its thread was killed in it. */
static void post_unfinished(struct ptrace_engine *e, struct thread *t, struct tracee *tr)
{
	if (t->call != CALL_OPEN || t->wait_exec)
		return;
	t->rec->time_exit = mono_ns();
	if (!engine__shows_unfinished(&e->base.opts, t->rec))
		return;
	t->rec->flags |= TR_NO_EXIT;
	post(e, t, tr);
}

/* The leader has ended in its call; the one that goes on under its number is in an exec. */
static void on_superseded(void *arg, struct tracee *tr, struct tracee *by)
{
	struct ptrace_engine *e = arg;
	struct thread *leader = tr->priv, *t = by->priv;

	if (!t)
		return;
	if (leader) {
		post_unfinished(e, leader, tr);
		t->seq = leader->seq;
		free(leader->rec);
		free(leader);
	}
	tr->priv = t;
	by->priv = NULL;
}

static void on_gone(void *arg, struct tracee *tr, int status)
{
	struct ptrace_engine *e = arg;
	struct thread *t = tr->priv;

	if (!t)
		return;
	if (status >= 0) {
		post_unfinished(e, t, tr);
		tracer__post_exited(e->tracer, tr, t->comm, status);
	}
	free(t->rec);
	free(t);
}

static void end_one(struct tracee *tr, void *arg)
{
	struct thread *t = tr->priv;

	if (!t)
		return;
	post_unfinished(arg, t, tr);
	free(t->rec);
	free(t);
	tr->priv = NULL;
}

static void on_ending(void *arg, struct tracees *ts)
{
	tracees__each(ts, end_one, arg);
}

/* ---- in the main thread ---- */

static int fill_rows(struct ptrace_engine *e)
{
	const struct trace_engine_opts *o = &e->base.opts;

	e->rows = calloc(3 * TRACE_NR_CALLS, sizeof(*e->rows));
	if (!e->rows)
		return -ENOMEM;
	engine__fill_rows(o, e->rows);
	return 0;
}

static int ptrace_attach(struct trace_engine *base, struct errbuf *eb)
{
	struct ptrace_engine *e = of(base);
	const struct trace_engine_opts *o = &base->opts;
	struct thread_map *threads = engine__targets(o, eb);
	struct tracer_opts t = {
		.ops = {.born = on_born,
			.signal = on_signal,
			.syscall = on_syscall,
			.execed = on_exec,
			.superseded = on_superseded,
			.gone = on_gone},
		.ending = on_ending,
		.arg = e,
		.threads = threads,
		.whole_process = o->target->pid_list || o->target->user,
		.inherit = !o->target->no_inherit,
		.workload = o->workload ? workload__pid(o->workload) : 0,
		.queue = e->queue,
		.signals = o->signals,
		.notify_fd = e->notify_fd,
		.tracer = &e->tracer,
	};
	int err = 0;

	if (!threads)
		return -errno;
	e->tracer = tracer__start(&t, eb);
	if (!e->tracer)
		err = -errno;
	free(threads);
	return err;
}

static void hand_up_all(struct ptrace_engine *e)
{
	const struct trace_record *r;

	while ((r = record_queue__peek(e->queue))) {
		engine__hand_up(&e->base, r, r->size);
		record_queue__pop(e->queue);
	}
}

static void take_status(struct ptrace_engine *e)
{
	int status;

	if (e->base.opts.workload && !e->workload_ended &&
	    tracer__workload_status(e->tracer, &status)) {
		workload__set_status(e->base.opts.workload, status);
		e->workload_ended = true;
	}
}

static int ptrace_poll(struct trace_engine *base, int timeout_ms)
{
	struct ptrace_engine *e = of(base);
	struct pollfd fds[3] = {{.fd = record_queue__fd(e->queue), .events = POLLIN},
				{.fd = e->notify_fd, .events = POLLIN},
				{.fd = e->wake_fd, .events = POLLIN}};
	bool done = tracer__done(e->tracer);
	eventfd_t v;

	hand_up_all(e);
	take_status(e);
	if (done)
		return 0;
	poll(fds, 3, timeout_ms);
	for (int i = 0; i < 3; i++)
		if (fds[i].revents)
			eventfd_read(fds[i].fd, &v);
	return 1;
}

static void ptrace_wake(struct trace_engine *base)
{
	eventfd_write(of(base)->wake_fd, 1);
}

static void ptrace_finish(struct trace_engine *base)
{
	struct ptrace_engine *e = of(base);

	tracer__quit(e->tracer);
	while (!tracer__done(e->tracer))
		ptrace_poll(base, 20);
	hand_up_all(e);
	take_status(e);
}

static void ptrace_delete(struct trace_engine *base)
{
	struct ptrace_engine *e = of(base);

	if (e->queue)
		record_queue__close(e->queue);
	tracer__delete(e->tracer);
	record_queue__delete(e->queue);
	if (e->notify_fd >= 0)
		close(e->notify_fd);
	if (e->wake_fd >= 0)
		close(e->wake_fd);
	free(e->rows);
	free(e);
}

static void ptrace_stats(const struct trace_engine *base, struct trace_stats *st)
{
	st->withheld = of(base)->tracer ? tracer__withheld(of(base)->tracer) : 0;
	st->filtered = of(base)->filtered;
	st->unreadable = of(base)->unreadable;
}

/* What a thread that stands still says cannot be lost. */
static void ptrace_ledger(const struct trace_engine *base, struct loss_ledger *l)
{
	loss_ledger__arrived(l, -1, base->calls);
}

static const struct trace_engine_ops ops = {
	.attach = ptrace_attach,
	.poll = ptrace_poll,
	.wake = ptrace_wake,
	.finish = ptrace_finish,
	.delete = ptrace_delete,
	.stats = ptrace_stats,
	.ledger = ptrace_ledger,
};

struct trace_engine *engine_ptrace__new(const struct trace_engine_opts *o, struct errbuf *eb)
{
	struct ptrace_engine *e = calloc(1, sizeof(*e));

	if (!e) {
		errbuf__set(eb, -ENOMEM, "out of memory");
		return NULL;
	}
	e->base.ops = &ops;
	e->base.opts = *o;
	e->notify_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	e->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	e->queue = record_queue__new(QUEUE_BYTES);
	if (e->notify_fd >= 0 && e->wake_fd >= 0 && e->queue && !fill_rows(e))
		return &e->base;
	errbuf__set(eb, -ENOMEM, "out of memory or descriptors");
	ptrace_delete(&e->base);
	errno = ENOMEM;
	return NULL;
}
