// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/queue.h>
#include <unistd.h>

#include "trace/capture-vm.h"
#include "trace/engine-internal.h"
#include "trace/holder.h"
#include "trace/tracer.h"

/* A held thread. */
struct hold {
	struct tracee *t;
	struct trace_slot *slot; /* NULL: none could be had */
	u64 number;		 /* of the drain it waits for */
	u64 since;		 /* ns, when it stopped */
	int inject;		 /* signal to be delivered then */
	bool waiting;
	u32 sigstop; /* the note of our SIGSTOP: the guard's business until it has been continued */
	TAILQ_ENTRY(hold) entry;
};

struct report {
	STAILQ_ENTRY(report) entry;
	pid_t tid;
	char comm[16];
	u64 stops, blocked_ns;
};

struct holder {
	struct holder_opts o;
	struct tracer *tracer;
	int request_fd;
	TAILQ_HEAD(, hold) waiting;
	STAILQ_HEAD(, report) reports;
	u64 requested, drained; /* atomic */
	u64 stops, blocked_ns, unreadable;
	u32 live;		  /* threads held */
	struct trace_record *rec; /* room for one whole record */
};

#define REC_ROOM (2 * TRACE_SLOT_SIZE)

/* ---- records from slots ---- */

/* The captures that the program could not make go in before the call chain, which stands last. */
static void complete(struct holder *h, struct hold *t, struct trace_record *r)
{
	struct trace_slot *s = t->slot;
	const struct trace_capture_row *row = &trace_kern__rows(h->o.kern)[s->row];
	u8 *end = (u8 *)r + r->size, *p = (u8 *)(r + 1);
	u8 tail[TRACE_MAX_STACK * 8 + 8];
	u32 tail_len;

	for (int i = 0; i < r->nr_blobs && p + sizeof(struct trace_blob) <= end; i++)
		p += (sizeof(struct trace_blob) + ((struct trace_blob *)p)->len + 7) & ~7u;
	if (p > end)
		p = end;
	tail_len = end - p < (ptrdiff_t)sizeof(tail) ? end - p : 0;
	memcpy(tail, p, tail_len);
	r->size = p - (u8 *)r;
	for (u32 i = 0; i < row->nr && i < TRACE_MAX_CAPTURES; i++) {
		int when = s->missing_entry >> i & 1 ? CAP_ENTRY : CAP_EXIT;

		if (s->missing >> i & 1 &&
		    !capture_vm__add(t->t->tid, &row->cap[i], when, r, REC_ROOM - sizeof(tail)))
			h->unreadable++;
	}
	memcpy((u8 *)r + r->size, tail, tail_len);
	r->size += tail_len;
}

/* A finished record that waits in the thread's slot goes to the queue. */
static bool take_spilled(struct holder *h, struct hold *t)
{
	struct trace_slot *s = t->slot;
	u32 size;

	if (!s)
		return false;
	size = __atomic_load_n(&s->spilled, __ATOMIC_ACQUIRE);
	if (!size)
		return false;
	if (size > sizeof(s->rec) + TRACE_SLOT_DATA || size < sizeof(s->rec))
		size = sizeof(s->rec);
	memcpy(h->rec, &s->rec, size);
	h->rec->size = size;
	if (s->missing)
		complete(h, t, h->rec);
	s->missing = 0;
	__atomic_store_n(&s->spilled, 0, __ATOMIC_RELEASE);
	record_queue__post(h->o.queue, h->rec);
	return true;
}

static const char *comm_of(const struct hold *t)
{
	return t->slot ? t->slot->rec.comm : NULL;
}

/* ---- callbacks of tracees ---- */

static void on_born(void *arg, struct tracee *t)
{
	struct holder *h = arg;
	struct hold *hold = calloc(1, sizeof(*hold));

	h->live++;
	t->priv = hold;
	if (!hold)
		return;
	hold->t = t;
	/* As many free slots as there are threads: each may be about to fork. */
	trace_kern__reap(h->o.kern, NULL, NULL);
	trace_kern__reserve(h->o.kern, h->live + 16);
	hold->slot =
		trace_kern__add(h->o.kern, t->tid, t->tid == h->o.workload ? SLOT_WAIT_EXEC : 0);
}

static int wait_for_room(struct holder *h, struct hold *t, int inject)
{
	t->inject = inject;
	t->since = mono_ns();
	t->number = __atomic_add_fetch(&h->requested, 1, __ATOMIC_SEQ_CST);
	t->waiting = true;
	t->t->nr_stops++;
	h->stops++;
	TAILQ_INSERT_TAIL(&h->waiting, t, entry);
	eventfd_write(h->request_fd, 1);
	return TRACEE_HOLD;
}

/* How long the call took that the thread is just leaving. */
static u64 in_call_ns(const struct trace_slot *s)
{
	return s->rec.time_enter && s->rec.time_exit > s->rec.time_enter
		       ? s->rec.time_exit - s->rec.time_enter
		       : 0;
}

static int on_signal(void *arg, struct tracee *t, int sig, const siginfo_t *si)
{
	struct holder *h = arg;
	struct hold *hold = t->priv;
	u32 bit = sig == SIGWINCH ? STOP_WINCH : sig == SIGSTOP ? STOP_STOP : 0;
	struct trace_slot *s = hold ? hold->slot : NULL;
	int inject = sig;
	bool take;

	if (!s)
		return sig;
	if (s->stops & bit) {
		/* Ours. The thread stands still: nobody else writes these now, but for the program
		 * that sees someone else's signal merged into ours. */
		if (!(__atomic_exchange_n(&s->genuine, s->genuine & ~bit, __ATOMIC_SEQ_CST) & bit))
			inject = 0;
		__atomic_and_fetch(&s->stops, ~bit, __ATOMIC_SEQ_CST);
		if (bit == STOP_STOP)
			hold->sigstop = s->sigstop;
		tracee__restart_interrupted(t, in_call_ns(s));
		take_spilled(h, hold);
		if (inject)
			tracer__post_signal(h->tracer, t, comm_of(hold), sig, si);
		return wait_for_room(h, hold, inject);
	}
	take = take_spilled(h, hold);
	tracer__post_signal(h->tracer, t, comm_of(hold), sig, si);
	return take ? wait_for_room(h, hold, sig) : sig;
}

static int on_other_stop(void *arg, struct tracee *t)
{
	struct holder *h = arg;
	struct hold *hold = t->priv;

	/* Perhaps one that has forked. */
	trace_kern__reserve(h->o.kern, h->live + 16);
	if (hold)
		take_spilled(h, hold);
	return 0;
}

static void forget(struct holder *h, struct hold *hold)
{
	struct report *r;

	if (hold->waiting)
		TAILQ_REMOVE(&h->waiting, hold, entry);
	if (hold->t->nr_stops && (r = calloc(1, sizeof(*r)))) {
		r->tid = hold->t->tid;
		r->stops = hold->t->nr_stops;
		r->blocked_ns = hold->t->blocked_ns;
		if (hold->slot)
			memcpy(r->comm, hold->slot->rec.comm, sizeof(r->comm));
		r->comm[sizeof(r->comm) - 1] = 0;
		STAILQ_INSERT_TAIL(&h->reports, r, entry);
	}
	free(hold);
}

static void on_exec(void *arg, struct tracee *t, pid_t old_tid)
{
	struct holder *h = arg;
	struct hold *hold = t->priv;
	struct trace_slot *now;

	if (!hold || old_tid == t->tid)
		return;
	/* The leader's own slot is done with; the one of the thread that took its place came along.
	 */
	now = trace_kern__slot(h->o.kern, t->tid);
	if (now == hold->slot)
		return;
	take_spilled(h, hold);
	if (hold->slot)
		trace_kern__release(h->o.kern, hold->slot);
	hold->slot = now;
}

static void on_gone(void *arg, struct tracee *t, int status)
{
	struct holder *h = arg;
	struct hold *hold = t->priv;

	h->live--;
	if (!hold)
		return;
	if (status < 0) { /* superseded: its slot lives on with the leader's number */
		forget(h, hold);
		return;
	}
	take_spilled(h, hold);
	tracer__post_exited(h->tracer, t, comm_of(hold), status);
	if (hold->slot) {
		trace_kern__reap(h->o.kern, NULL, NULL);
		trace_kern__release(h->o.kern, hold->slot);
	}
	forget(h, hold);
}

/* ---- callbacks of the tracer ---- */

static void continue_drained(struct holder *h, struct tracees *ts, u64 number)
{
	u64 now = mono_ns();
	struct hold *t;

	while ((t = TAILQ_FIRST(&h->waiting)) && t->number <= number) {
		TAILQ_REMOVE(&h->waiting, t, entry);
		t->waiting = false;
		t->t->blocked_ns += now - t->since;
		h->blocked_ns += now - t->since;
		tracees__continue(ts, t->t, t->inject);
		trace_kern__sigstop_done(h->o.kern, t->sigstop);
		t->sigstop = 0;
	}
}

static void collect(struct tracee *t, void *arg)
{
	struct hold *hold = t->priv;

	if (hold)
		take_spilled(arg, hold);
}

/* Lets everybody go. The programs are detached: no more stops of ours can come, but some may be on
 * their way. */
static void on_let_go(void *arg, struct tracees *ts)
{
	struct holder *h = arg;

	for (int i = 0; i < 3; i++) {
		continue_drained(h, ts, ~0ull);
		if (tracees__wait(ts, false) < 0)
			break;
		usleep(1000);
	}
	continue_drained(h, ts, ~0ull);
	tracees__each(ts, collect, h);
	tracees__release(ts);
}

static void on_kicked(void *arg, struct tracees *ts)
{
	struct holder *h = arg;

	continue_drained(h, ts, __atomic_load_n(&h->drained, __ATOMIC_ACQUIRE));
}

static void report_held(struct tracee *t, void *arg)
{
	if (t->priv)
		forget(arg, t->priv);
	t->priv = NULL;
}

static void on_ending(void *arg, struct tracees *ts)
{
	tracees__each(ts, report_held, arg);
}

static void free_holder(struct holder *h)
{
	struct report *r;

	while ((r = STAILQ_FIRST(&h->reports))) {
		STAILQ_REMOVE_HEAD(&h->reports, entry);
		free(r);
	}
	if (h->request_fd >= 0)
		close(h->request_fd);
	free(h->rec);
	free(h);
}

struct holder *holder__start(const struct holder_opts *o, struct errbuf *eb)
{
	struct holder *h = calloc(1, sizeof(*h));
	struct tracer_opts t = {
		.ops = {.born = on_born,
			.signal = on_signal,
			.stopped = on_other_stop,
			.execed = on_exec,
			.gone = on_gone},
		.kicked = on_kicked,
		.let_go = on_let_go,
		.ending = on_ending,
		.arg = h,
		.threads = o->threads,
		.whole_process = o->whole_process,
		.inherit = o->inherit,
		.workload = o->workload,
		.queue = o->queue,
		.signals = o->signals,
		.tracer = h ? &h->tracer : NULL,
	};
	int err;

	if (!h) {
		errbuf__set(eb, -ENOMEM, "out of memory");
		return NULL;
	}
	h->o = *o;
	h->o.threads = NULL;
	TAILQ_INIT(&h->waiting);
	STAILQ_INIT(&h->reports);
	h->rec = malloc(REC_ROOM);
	h->request_fd = t.notify_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (!h->rec || h->request_fd < 0)
		errbuf__set(eb, -ENOMEM, "out of memory or descriptors");
	else if (tracer__start(&t, eb))
		return h;
	err = errno;
	free_holder(h);
	errno = err;
	return NULL;
}

void holder__delete(struct holder *h)
{
	if (!h)
		return;
	tracer__delete(h->tracer);
	free_holder(h);
}

/* ---- the other side ---- */

int holder__fd(const struct holder *h)
{
	return h->request_fd;
}

u64 holder__requested(struct holder *h)
{
	eventfd_t v;

	eventfd_read(h->request_fd, &v);
	return __atomic_load_n(&h->requested, __ATOMIC_ACQUIRE);
}

void holder__drained(struct holder *h, u64 number)
{
	__atomic_store_n(&h->drained, number, __ATOMIC_RELEASE);
	tracer__kick(h->tracer);
}

bool holder__waiting(struct holder *h, u64 number)
{
	return number != __atomic_load_n(&h->drained, __ATOMIC_RELAXED);
}

int holder__workload_status(struct holder *h, int *status)
{
	return tracer__workload_status(h->tracer, status);
}

void holder__quit(struct holder *h)
{
	tracer__quit(h->tracer);
}

bool holder__done(struct holder *h)
{
	return tracer__done(h->tracer);
}

u64 holder__withheld(const struct holder *h)
{
	return tracer__withheld(h->tracer);
}

u64 holder__stops(const struct holder *h)
{
	return h->stops;
}

u64 holder__blocked_ns(const struct holder *h)
{
	return h->blocked_ns;
}

u64 holder__unreadable(const struct holder *h)
{
	return h->unreadable;
}

void holder__report(const struct holder *h,
		    void (*fn)(void *arg, pid_t tid, const char *comm, u64 stops, u64 blocked_ns),
		    void *arg)
{
	struct report *r;

	STAILQ_FOREACH (r, &h->reports, entry)
		fn(arg, r->tid, r->comm, r->stops, r->blocked_ns);
}
