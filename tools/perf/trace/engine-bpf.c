// SPDX-License-Identifier: GPL-2.0-only
/* The bpf engine: programs in the kernel, rings drained here, threads held by the holder. */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bpf/trace.h"
#include "lib/api/caps.h"
#include "lib/api/cgroupfs.h"
#include "lib/api/procfs.h"
#include "lib/subcmd/subcmd.h"
#include "trace/engine-internal.h"
#include "trace/guard.h"
#include "trace/holder.h"
#include "trace/record-queue.h"

#define DEFAULT_RING (4u << 20)
#define QUEUE_BYTES (4u << 20)
#define READER_NICE (-10)
/* A line appears at the latest this long after its call, plus the output's own buffering. */
#define IDLE_MS 40
/* A call that takes longer is shown before it returns. */
#define LONG_NS 500000000ull

struct name {
	pid_t tid;
	char comm[16];
};

struct engine {
	struct trace_engine base;
	struct trace_kern *kern;
	struct record_queue *queue;
	struct holder *holder; /* blocking only */
	struct guard *guard;   /* likewise */
	int wake_fd;
	u64 last_look;		   /* ns: for calls that take long */
	struct trace_record *copy; /* room for one whole record */
	u64 last_drain;		   /* ns, when the drain before began */
	bool workload_ended;
	int cgroup_fd[TRACE_MAX_CGROUPS]; /* -G */
	int nr_cgroups;
	bool *cpus;				     /* -C */
	u64 stops, blocked_ns, unreadable, withheld; /* the holder's, at the end */
	struct name *names;			     /* of threads that are in the kernel's sums */
	u32 nr_names, max_names;
	u64 queued; /* records that came through the queue, calls only */
};

static struct engine *of(struct trace_engine *e)
{
	return container_of(e, struct engine, base);
}

/* ---- handing up ---- */

static void pop_queue(struct engine *e, u64 until)
{
	const struct trace_record *r;

	while ((r = record_queue__peek(e->queue)) && r->time_exit <= until) {
		if (!(r->flags & (TR_SIGNAL | TR_EXITED)))
			e->queued++;
		engine__hand_up(&e->base, r, r->size);
		record_queue__pop(e->queue);
	}
}

static void on_record(const struct trace_record *r, u32 size, void *arg)
{
	struct engine *e = arg;

	if (e->queue)
		pop_queue(e, r->time_exit);
	engine__hand_up(&e->base, r, size);
}

static u64 drain(struct engine *e, u64 until, bool *left)
{
	u64 now = mono_ns(), before = e->base.calls;

	trace_kern__drain(e->kern, until, on_record, e, left);
	if (e->queue)
		pop_queue(e, until);
	e->last_drain = now;
	return e->base.calls - before;
}

/* ---- life ---- */

/* Not for certain processes: whoever makes a call, in a cgroup or on the CPUs of -C. */
static bool for_all(const struct trace_engine_opts *o)
{
	const struct target *t = o->target;

	return t->system_wide || t->cgroups ||
	       (t->cpu_list && !o->workload && !t->pid_list && !t->tid_list && !t->user);
}

static int start_holder(struct engine *e, const struct thread_map *threads, struct errbuf *eb)
{
	const struct trace_engine_opts *o = &e->base.opts;
	struct holder_opts h = {
		.kern = e->kern,
		.queue = e->queue,
		.threads = threads,
		.workload = o->workload ? workload__pid(o->workload) : 0,
		.inherit = !o->target->no_inherit,
		.whole_process = o->target->pid_list || o->target->user,
		.signals = o->signals,
		.string_limit = o->string_limit,
	};

	e->guard = guard__start(trace_kern__ctl(e->kern), eb);
	if (!e->guard)
		return -errno;
	e->holder = holder__start(&h, eb);
	return e->holder ? 0 : -errno;
}

static int add_threads(struct engine *e, const struct thread_map *threads, struct errbuf *eb)
{
	pid_t workload = e->base.opts.workload ? workload__pid(e->base.opts.workload) : 0;
	int nr = 0;

	for (int i = 0; i < threads->nr; i++) {
		pid_t tid = threads->thread[i].tid;

		if (tid == -1)
			return 0;
		if (trace_kern__add(e->kern, tid, tid == workload ? SLOT_WAIT_EXEC : 0))
			nr++;
	}
	return nr ? 0 : errbuf__set(eb, -ESRCH, "all targets have ended");
}

/* Threads born between the look at /proc and the attachment of the fork program. */
static int add_late(struct engine *e, struct errbuf *eb)
{
	struct thread_map *again;

	if (!e->base.opts.target->pid_list)
		return 0;
	again = engine__targets(&e->base.opts, eb);
	if (!again)
		return errno == ESRCH ? 0 : -errno;
	add_threads(e, again, NULL);
	free(again);
	return 0;
}

/*
 * Many threads that make calls leave the one that reads them its share of the CPUs among theirs;
 * they then wait for it, and the CPUs stand idle meanwhile. Who reads goes first, where that is
 * permitted; the command has been forked already.
 */
static void go_first(void)
{
	errno = 0;
	if (getpriority(PRIO_PROCESS, 0) > READER_NICE && !errno)
		setpriority(PRIO_PROCESS, 0, READER_NICE);
}

static int bpf_attach(struct trace_engine *base, struct errbuf *eb)
{
	struct engine *e = of(base);
	struct thread_map *threads;
	int err;

	go_first();
	engine__fill_rows(&base->opts, trace_kern__rows(e->kern));
	if (for_all(&base->opts))
		return trace_kern__attach(e->kern, eb);
	threads = engine__targets(&base->opts, eb);
	if (!threads)
		return -errno;
	if (!base->opts.block) {
		err = add_threads(e, threads, eb);
		if (!err)
			err = trace_kern__attach(e->kern, eb);
		if (!err)
			err = add_late(e, eb);
	} else {
		/* The fork program must know the threads that the holder adds. */
		err = trace_kern__attach(e->kern, eb);
		if (!err)
			err = start_holder(e, threads, eb);
	}
	free(threads);
	return err;
}

static void add_name(struct engine *e, pid_t tid, const char *comm)
{
	if (e->nr_names == e->max_names) {
		u32 max = e->max_names ? 2 * e->max_names : 64;
		struct name *p = realloc(e->names, max * sizeof(*p));

		if (!p)
			return;
		e->names = p;
		e->max_names = max;
	}
	e->names[e->nr_names].tid = tid;
	memcpy(e->names[e->nr_names].comm, comm, sizeof(e->names->comm));
	e->names[e->nr_names++].comm[sizeof(e->names->comm) - 1] = 0;
}

static void on_dead(struct trace_slot *s, void *arg)
{
	struct engine *e = arg;

	if (!e->base.opts.records)
		add_name(e, s->tid, s->rec.comm);
}

static void on_alive(struct trace_slot *s, void *arg)
{
	char comm[64] = "";

	procfs__comm(s->tid, comm, sizeof(comm));
	add_name(arg, s->tid, comm);
}

static bool targets_ended(struct engine *e)
{
	int code;

	if (e->holder)
		return holder__done(e->holder);
	trace_kern__reap(e->kern, on_dead, e);
	if (e->base.opts.workload && workload__poll(e->base.opts.workload, &code) == 1)
		e->workload_ended = true;
	if (for_all(&e->base.opts))
		return e->base.opts.workload && e->workload_ended;
	return !trace_kern__in_use(e->kern);
}

static void wait_for_more(struct engine *e, int timeout_ms)
{
	struct pollfd fds[4] = {{.fd = e->wake_fd, .events = POLLIN},
				{.fd = trace_kern__fd(e->kern), .events = POLLIN}};
	int nr = 2;
	eventfd_t v;

	if (e->holder)
		fds[nr++] = (struct pollfd){.fd = holder__fd(e->holder), .events = POLLIN};
	else if (e->base.opts.workload && !e->workload_ended &&
		 workload__pidfd(e->base.opts.workload) >= 0)
		fds[nr++] = (struct pollfd){.fd = workload__pidfd(e->base.opts.workload),
					    .events = POLLIN};
	poll(fds, nr, timeout_ms < IDLE_MS ? timeout_ms : IDLE_MS);
	if (fds[0].revents)
		eventfd_read(e->wake_fd, &v);
}

/*
 * Calls that have been under way for long are shown as such. The thread sits in the kernel, so its
 * slot stands still; that it did is looked at again after copying.
 */
static void announce(struct trace_slot *s, void *arg)
{
	struct engine *e = arg;
	u64 began = s->rec.time_enter;
	u32 size;

	if (s->call != CALL_OPEN || s->announced == (u32)began || mono_ns() - began < LONG_NS ||
	    s->flags & (SLOT_DEAD | SLOT_RELEASED | SLOT_WAIT_EXEC) || s->used > TRACE_SLOT_DATA)
		return;
	size = sizeof(s->rec) + s->used;
	memcpy(e->copy, &s->rec, size);
	if (__atomic_load_n(&s->call, __ATOMIC_ACQUIRE) != CALL_OPEN || s->rec.time_enter != began)
		return;
	s->announced = (u32)began;
	e->copy->size = size;
	e->copy->flags = TR_NO_EXIT;
	e->copy->tid = s->tid;
	if (!e->copy->pid)
		e->copy->pid = procfs__tgid(s->tid);
	e->copy->time_exit = mono_ns();
	e->base.opts.entry(e->copy, size, e->base.opts.arg);
}

static void announce_all(struct engine *e)
{
	u64 now = mono_ns();

	if (!e->base.opts.entry || !e->base.opts.records || now - e->last_look < LONG_NS / 2)
		return;
	e->last_look = now;
	trace_kern__each_slot(e->kern, announce, e);
}

static void take_status(struct engine *e)
{
	int status;

	if (!e->workload_ended && e->base.opts.workload &&
	    holder__workload_status(e->holder, &status)) {
		workload__set_status(e->base.opts.workload, status);
		e->workload_ended = true;
	}
}

static int bpf_poll(struct trace_engine *base, int timeout_ms)
{
	struct engine *e = of(base);
	u64 number = 0;
	bool left;

	if (targets_ended(e)) {
		if (e->holder)
			take_status(e);
		drain(e, ~0ull, &left);
		return 0;
	}
	if (e->holder) {
		number = holder__requested(e->holder);
		take_status(e);
	}
	/* The first pass takes what is older than the pass before it, and may be long ago; the
	 * second what was there when the first began. Who waits for room needs that gone. */
	drain(e, e->last_drain, &left);
	if (left)
		drain(e, e->last_drain, &left);
	announce_all(e);
	if (e->holder && holder__waiting(e->holder, number))
		holder__drained(e->holder, number);
	wait_for_more(e, timeout_ms);
	return 1;
}

static void bpf_wake(struct trace_engine *base)
{
	eventfd_write(of(base)->wake_fd, 1);
}

static void in_flight(struct trace_slot *s, void *arg)
{
	struct engine *e = arg;
	struct trace_record *r = &s->rec;

	if (s->call != CALL_OPEN || s->flags & (SLOT_DEAD | SLOT_RELEASED | SLOT_WAIT_EXEC))
		return;
	if (s->used > TRACE_SLOT_DATA)
		return;
	r->time_exit = mono_ns();
	if (!engine__shows_unfinished(&e->base.opts, r))
		return;
	r->flags |= TR_NO_EXIT;
	r->size = sizeof(*r) + s->used;
	r->ret = 0;
	r->tid = s->tid;
	r->seq = s->seq;
	engine__hand_up(&e->base, r, r->size);
	e->base.calls--; /* it is none that has ended */
	if (r->flags & TR_HIDDEN)
		e->base.hidden--;
	s->call = CALL_NONE;
}

static void bpf_finish(struct trace_engine *base)
{
	struct engine *e = of(base);
	bool left;

	trace_kern__quiesce(e->kern);
	if (e->holder) {
		holder__quit(e->holder);
		while (!holder__done(e->holder)) {
			drain(e, e->last_drain, &left);
			wait_for_more(e, 5);
		}
		take_status(e);
		e->stops = holder__stops(e->holder);
		e->blocked_ns = holder__blocked_ns(e->holder);
		e->unreadable = holder__unreadable(e->holder);
		e->withheld = holder__withheld(e->holder);
	}
	drain(e, ~0ull, &left);
	if (base->opts.records) {
		trace_kern__each_slot(e->kern, in_flight, e);
	} else {
		trace_kern__reap(e->kern, on_dead, e);
		trace_kern__each_slot(e->kern, on_alive, e);
	}
}

static void bpf_delete(struct trace_engine *base)
{
	struct engine *e = of(base);

	if (e->queue)
		record_queue__close(e->queue);
	holder__delete(e->holder);
	guard__end(e->guard);
	trace_kern__delete(e->kern);
	record_queue__delete(e->queue);
	if (e->wake_fd >= 0)
		close(e->wake_fd);
	while (e->nr_cgroups)
		close(e->cgroup_fd[--e->nr_cgroups]);
	free(e->names);
	free(e->cpus);
	free(e->copy);
	free(e);
}

/* ---- accounts ---- */

static void bpf_stats(const struct trace_engine *base, struct trace_stats *st)
{
	struct engine *e = of((struct trace_engine *)base);
	struct trace_kern_counts c;

	trace_kern__counts(e->kern, &c);
	st->stops = e->stops;
	st->blocked_ns = e->blocked_ns;
	st->withheld = e->withheld;
	st->filtered = c.sum.filtered;
	st->spilled = c.sum.spilled;
	st->unreadable = c.sum.unreadable + e->unreadable;
	if (!base->opts.records)
		st->calls = c.sum.calls;
}

static void bpf_ledger(const struct trace_engine *base, struct loss_ledger *l)
{
	struct engine *e = of((struct trace_engine *)base);
	struct trace_kern_counts c;
	u64 out = 0, aside = trace_kern__aside_arrived(e->kern);

	trace_kern__counts(e->kern, &c);
	for (int i = 0; i < trace_kern__nr_cpus(e->kern); i++) {
		const struct trace_cpu *p = trace_kern__cpu(e->kern, i);
		u64 arrived = trace_kern__cpu_arrived(e->kern, i);

		loss_ledger__arrived(l, i, arrived);
		loss_ledger__dropped(l, i, LOSS_RING_FULL, p->dropped);
		if (p->emitted > arrived)
			loss_ledger__dropped(l, i, LOSS_CORRUPT, p->emitted - arrived);
		out += p->spilled;
	}
	loss_ledger__arrived(l, -1, aside);
	if (c.sum.aside > aside)
		loss_ledger__dropped(l, -1, LOSS_CORRUPT, c.sum.aside - aside);
	loss_ledger__arrived(l, -1, e->queued);
	if (out > e->queued)
		loss_ledger__dropped(l, -1, LOSS_RING_FULL, out - e->queued);
	loss_ledger__dropped(l, -1, LOSS_MAP_FULL, c.sum.lost_slot + c.sum.no_map);
	loss_ledger__dropped(l, -1, LOSS_SKIPPED, c.skipped);
}

static void
bpf_report(const struct trace_engine *base,
	   void (*fn)(void *arg, pid_t tid, const char *comm, u64 stops, u64 blocked_ns), void *arg)
{
	const struct engine *e = of((struct trace_engine *)base);

	if (e->holder)
		holder__report(e->holder, fn, arg);
}

struct sums {
	struct trace_summary *summary;
	enum trace_summary_mode mode;
	int err;
};

static u64 sum_key(const struct sums *s, const struct trace_sum_key *key)
{
	return s->mode == SUMMARY_THREAD ? key->tid : s->mode == SUMMARY_CGROUP ? key->cgroup : 0;
}

static void add_sum(const struct trace_sum_key *key, const struct trace_sum *sum, void *arg)
{
	struct sums *s = arg;

	if (trace_summary__add_sum(s->summary, sum_key(s, key), key->abi, key->nr, sum))
		s->err = -ENOMEM;
}

static void add_err(const struct trace_err_key *key, u64 n, void *arg)
{
	struct sums *s = arg;

	if (trace_summary__add_errno(s->summary, sum_key(s, &key->call), key->call.abi,
				     key->call.nr, key->err, n))
		s->err = -ENOMEM;
}

static int bpf_summary(struct trace_engine *base, struct trace_summary *summary)
{
	struct sums s = {.summary = summary, .mode = base->opts.summary_mode};
	struct engine *e = of(base);

	trace_kern__sums(e->kern, add_sum, add_err, &s);
	for (u32 i = 0; s.mode == SUMMARY_THREAD && i < e->nr_names; i++)
		trace_summary__name(summary, e->names[i].tid, e->names[i].comm);
	return s.err;
}

static const struct trace_engine_ops ops = {
	.attach = bpf_attach,
	.poll = bpf_poll,
	.wake = bpf_wake,
	.finish = bpf_finish,
	.delete = bpf_delete,
	.stats = bpf_stats,
	.ledger = bpf_ledger,
	.summary = bpf_summary,
	.block_report = bpf_report,
};

static void kern_opts(const struct engine *e, struct trace_kern_opts *k)
{
	const struct trace_engine_opts *o = &e->base.opts;
	const struct target *t = o->target;

	*k = (struct trace_kern_opts){
		.ring_size = o->ring_size ? o->ring_size : DEFAULT_RING,
		.block = o->block,
		.all = for_all(o),
		.inherit = !t->no_inherit,
		.records = o->records,
		.summary = o->records			       ? SUM_NONE
			   : o->summary_mode == SUMMARY_TOTAL  ? SUM_TOTAL
			   : o->summary_mode == SUMMARY_CGROUP ? SUM_CGROUP
							       : SUM_THREAD,
		.errnos = o->errnos,
		.stacks = o->stacks,
		.max_stack = o->max_stack,
		.signals = o->signals,
		.ret_filter = o->ret_filter,
		.min_ns = o->min_ns,
		.cpus = e->cpus,
		.cgroup_fds = e->cgroup_fd,
		.nr_cgroups = e->nr_cgroups,
		.events = o->events,
		.nr_events = o->nr_events,
		.nr_slots = 64,
	};
}

static int select_cpus(struct engine *e, struct errbuf *eb)
{
	int nr = cpu_map__max_possible();
	struct cpu_map *m;

	if (!e->base.opts.target->cpu_list)
		return 0;
	m = cpu_map__parse(e->base.opts.target->cpu_list, eb);
	if (!m)
		return errno ? -errno : -EINVAL;
	e->cpus = calloc(nr, sizeof(*e->cpus));
	for (int i = 0; e->cpus && i < m->nr; i++)
		if (m->cpu[i] >= 0 && m->cpu[i] < nr)
			e->cpus[m->cpu[i]] = true;
	free(m);
	return e->cpus ? 0 : errbuf__set(eb, -ENOMEM, "out of memory");
}

static int select_cgroups(struct engine *e, struct errbuf *eb)
{
	const char *list = e->base.opts.target->cgroups;

	while (list && *list) {
		size_t len = strcspn(list, ",");
		char *name = strndup(list, len);
		int fd;

		if (e->nr_cgroups == TRACE_MAX_CGROUPS) {
			free(name);
			return errbuf__set(eb, -E2BIG, "-G: more than %d cgroups",
					   TRACE_MAX_CGROUPS);
		}
		fd = name ? cgroupfs__open_v2(name, eb) : errbuf__set(eb, -ENOMEM, "out of memory");
		free(name);
		if (fd < 0)
			return fd;
		e->cgroup_fd[e->nr_cgroups++] = fd;
		list += len + (list[len] == ',');
	}
	return 0;
}

/* Its inode number is fixed: PROC_PID_INIT_INO of the kernel. */
static bool in_initial_pid_ns(void)
{
	struct stat st;

	return stat("/proc/self/ns/pid", &st) || st.st_ino == 0xeffffffc;
}

struct trace_engine *engine_bpf__new(const struct trace_engine_opts *o, struct errbuf *eb)
{
	struct engine *e = calloc(1, sizeof(*e));
	struct trace_kern_opts k;
	int err;

	if (!e) {
		errbuf__set(eb, -ENOMEM, "out of memory");
		return NULL;
	}
	e->base.ops = &ops;
	e->base.opts = *o;
	if (!o->records) /* nothing goes through the rings */
		e->base.opts.block = false;
	o = &e->base.opts;
	e->copy = malloc(TRACE_SLOT_SIZE);
	e->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (o->block)
		e->queue = record_queue__new(QUEUE_BYTES);
	err = select_cpus(e, eb);
	if (!err)
		err = select_cgroups(e, eb);
	if (err) {
		bpf_delete(&e->base);
		errno = -err;
		return NULL;
	}
	kern_opts(e, &k);
	if (in_initial_pid_ns())
		e->kern = trace_kern__new(&k, eb);
	else
		errno = EXDEV;
	if (e->kern && e->copy && e->wake_fd >= 0 && (!o->block || e->queue))
		return &e->base;
	err = errno;
	if (err == EACCES) {
		errbuf__set(eb, -err, "the kernel's verifier refuses the trace programs");
	} else if (err == EPERM) {
		errbuf__set(eb, -err, "no rights to load BPF programs");
		caps__explain(eb, CAPS_NEED_BPF);
	} else if (err == EXDEV) {
		errbuf__set(
			eb, -err,
			"process ids in this pid namespace are not those that BPF programs see");
	}
	bpf_delete(&e->base);
	errno = err;
	return NULL;
}
