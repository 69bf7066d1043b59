// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/queue.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/api/procfs.h"
#include "trace/capture-vm.h"
#include "trace/engine-internal.h"
#include "trace/holder.h"
#include "trace/tracees.h"

/* A held thread. */
struct hold {
	struct tracee *t;
	struct trace_slot *slot; /* NULL: none could be had */
	u64 number;		 /* of the drain it waits for */
	u64 since;		 /* ns, when it stopped */
	int inject;		 /* signal to be delivered then */
	bool waiting;
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
	struct tracees *ts;
	pthread_t thread;
	pthread_mutex_t lock; /* of the start's result */
	pthread_cond_t started_cond;
	bool started;
	int start_err;
	struct errbuf *eb;
	int request_fd, drained_fd, signal_fd;
	TAILQ_HEAD(, hold) waiting;
	STAILQ_HEAD(, report) reports;
	u64 requested, drained; /* atomic */
	bool ended, quit, done, workload_ended;
	int workload_status;
	u64 stops, blocked_ns, unreadable;
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

static void post_event(struct holder *h, struct hold *t, u16 flags, u64 arg, const void *data,
		       u32 len)
{
	struct trace_record *r = h->rec;
	struct trace_blob *b = (void *)(r + 1);

	*r = (struct trace_record){.flags = flags, .tid = t->t->tid, .size = sizeof(*r)};
	if (!t->t->pid)
		t->t->pid = t->slot && t->slot->rec.pid ? (pid_t)t->slot->rec.pid
							: procfs__tgid(t->t->tid);
	r->pid = t->t->pid > 0 ? t->t->pid : t->t->tid;
	r->nr = -1;
	r->args[0] = arg;
	r->time_enter = r->time_exit = mono_ns();
	if (t->slot)
		memcpy(r->comm, t->slot->rec.comm, sizeof(r->comm));
	if (len) {
		*b = (struct trace_blob){
			.kind = CAP_STRUCT, .when = CAP_ENTRY, .len = len, .orig_len = len};
		memcpy(b + 1, data, len);
		r->size += sizeof(*b) + ((len + 7) & ~7u);
		r->nr_blobs = 1;
	}
	record_queue__post(h->o.queue, r);
}

/* ---- callbacks of tracees ---- */

static void on_born(void *arg, struct tracee *t)
{
	struct holder *h = arg;
	struct hold *hold = calloc(1, sizeof(*hold));
	u32 live = tracees__nr(h->ts);

	t->priv = hold;
	if (!hold)
		return;
	hold->t = t;
	/* As many free slots as there are threads: each may be about to fork. */
	trace_kern__reap(h->o.kern);
	trace_kern__reserve(h->o.kern, live + 16);
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

static int on_signal(void *arg, struct tracee *t, int sig, const siginfo_t *si)
{
	struct holder *h = arg;
	struct hold *hold = t->priv;
	u32 bit = sig == SIGWINCH ? STOP_WINCH : sig == SIGSTOP ? STOP_STOP : 0;
	struct trace_slot *s = hold ? hold->slot : NULL;
	int inject = sig;

	if (!s)
		return sig;
	if (s->stops & bit) {
		/* Ours. The thread stands still: nobody else writes these now, but for the program
		 * that sees someone else's signal merged into ours. */
		if (!(__atomic_exchange_n(&s->genuine, s->genuine & ~bit, __ATOMIC_SEQ_CST) & bit))
			inject = 0;
		__atomic_and_fetch(&s->stops, ~bit, __ATOMIC_SEQ_CST);
		take_spilled(h, hold);
		if (inject && h->o.signals)
			post_event(h, hold, TR_SIGNAL, sig, si, sizeof(*si));
		return wait_for_room(h, hold, inject);
	}
	if (take_spilled(h, hold)) {
		if (h->o.signals)
			post_event(h, hold, TR_SIGNAL, sig, si, sizeof(*si));
		return wait_for_room(h, hold, sig);
	}
	if (h->o.signals)
		post_event(h, hold, TR_SIGNAL, sig, si, sizeof(*si));
	return sig;
}

static int on_other_stop(void *arg, struct tracee *t)
{
	struct hold *hold = t->priv;

	if (hold)
		take_spilled(arg, hold);
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

	if (t->tid == h->o.workload && status >= 0) {
		h->workload_status = status;
		__atomic_store_n(&h->workload_ended, true, __ATOMIC_RELEASE);
		eventfd_write(h->request_fd, 1);
	}
	if (!hold)
		return;
	if (status < 0) { /* superseded: its slot lives on with the leader's number */
		forget(h, hold);
		return;
	}
	take_spilled(h, hold);
	if (h->o.signals)
		post_event(h, hold, TR_EXITED, status, NULL, 0);
	if (hold->slot) {
		trace_kern__reap(h->o.kern);
		trace_kern__release(h->o.kern, hold->slot);
	}
	forget(h, hold);
}

static const struct tracees_ops ops = {
	.born = on_born,
	.signal = on_signal,
	.stopped = on_other_stop,
	.execed = on_exec,
	.gone = on_gone,
};

/* ---- the thread ---- */

static void continue_drained(struct holder *h, u64 number)
{
	u64 now = mono_ns();
	struct hold *t;

	while ((t = TAILQ_FIRST(&h->waiting)) && t->number <= number) {
		TAILQ_REMOVE(&h->waiting, t, entry);
		t->waiting = false;
		t->t->blocked_ns += now - t->since;
		h->blocked_ns += now - t->since;
		tracees__continue(h->ts, t->t, t->inject);
	}
}

static int attach_all(struct holder *h)
{
	const struct thread_map *m = h->o.threads;
	pid_t last = 0;
	int err;

	for (int i = 0; i < m->nr; i++) {
		if (h->o.whole_process) {
			if (m->thread[i].pid == last)
				continue;
			last = m->thread[i].pid;
			err = tracees__attach_process(h->ts, last, h->eb);
		} else {
			err = tracees__attach(h->ts, m->thread[i].tid, h->eb);
		}
		if (err && err != -ESRCH)
			return err;
	}
	if (!tracees__nr(h->ts))
		return errbuf__set(h->eb, -ESRCH, "all targets have ended");
	return 0;
}

static void started(struct holder *h, int err)
{
	pthread_mutex_lock(&h->lock);
	h->started = true;
	h->start_err = err;
	pthread_cond_signal(&h->started_cond);
	pthread_mutex_unlock(&h->lock);
}

static void collect(struct tracee *t, void *arg)
{
	struct hold *hold = t->priv;

	if (hold)
		take_spilled(arg, hold);
}

/* Lets everybody go. The programs are detached: no more stops of ours can come, but some may be on
 * their way. */
static void let_go(struct holder *h)
{
	for (int i = 0; i < 3; i++) {
		continue_drained(h, ~0ull);
		if (tracees__wait(h->ts, false) < 0)
			break;
		usleep(1000);
	}
	continue_drained(h, ~0ull);
	tracees__each(h->ts, collect, h);
	tracees__release(h->ts);
}

static void loop(struct holder *h)
{
	struct pollfd fds[2] = {{.fd = h->signal_fd, .events = POLLIN},
				{.fd = h->drained_fd, .events = POLLIN}};
	struct signalfd_siginfo si[8];
	eventfd_t v;

	while (!__atomic_load_n(&h->quit, __ATOMIC_ACQUIRE)) {
		if (tracees__wait(h->ts, false) == -ECHILD || !tracees__nr(h->ts))
			return;
		if (poll(fds, 2, -1) < 0)
			continue;
		if (fds[0].revents)
			(void)!read(h->signal_fd, si, sizeof(si));
		if (fds[1].revents)
			eventfd_read(h->drained_fd, &v);
		continue_drained(h, __atomic_load_n(&h->drained, __ATOMIC_ACQUIRE));
	}
	let_go(h);
}

static void report_held(struct tracee *t, void *arg)
{
	if (t->priv)
		forget(arg, t->priv);
	t->priv = NULL;
}

static void *run(void *arg)
{
	struct holder *h = arg;
	int err = -ENOMEM;

	h->ts = tracees__new(&ops, h, h->o.inherit);
	if (h->ts)
		err = attach_all(h);
	started(h, err);
	if (!err) {
		loop(h);
		tracees__each(h->ts, report_held, h);
	}
	tracees__delete(h->ts);
	__atomic_store_n(&h->ended, true, __ATOMIC_RELEASE);
	__atomic_store_n(&h->done, true, __ATOMIC_RELEASE);
	eventfd_write(h->request_fd, 1);
	return NULL;
}

static struct holder *alloc_holder(const struct holder_opts *o)
{
	struct holder *h = calloc(1, sizeof(*h));
	sigset_t chld;

	if (!h)
		return NULL;
	h->o = *o;
	TAILQ_INIT(&h->waiting);
	STAILQ_INIT(&h->reports);
	pthread_mutex_init(&h->lock, NULL);
	pthread_cond_init(&h->started_cond, NULL);
	sigemptyset(&chld);
	sigaddset(&chld, SIGCHLD);
	signal(SIGCHLD, SIG_DFL);
	pthread_sigmask(SIG_BLOCK, &chld, NULL);
	h->rec = malloc(REC_ROOM);
	h->signal_fd = signalfd(-1, &chld, SFD_CLOEXEC | SFD_NONBLOCK);
	h->request_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	h->drained_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	return h;
}

static void free_holder(struct holder *h)
{
	struct report *r;

	while ((r = STAILQ_FIRST(&h->reports))) {
		STAILQ_REMOVE_HEAD(&h->reports, entry);
		free(r);
	}
	if (h->signal_fd >= 0)
		close(h->signal_fd);
	if (h->request_fd >= 0)
		close(h->request_fd);
	if (h->drained_fd >= 0)
		close(h->drained_fd);
	pthread_mutex_destroy(&h->lock);
	pthread_cond_destroy(&h->started_cond);
	free(h->rec);
	free(h);
}

struct holder *holder__start(const struct holder_opts *o, struct errbuf *eb)
{
	struct holder *h = alloc_holder(o);
	int err;

	if (!h || !h->rec || h->signal_fd < 0 || h->request_fd < 0 || h->drained_fd < 0) {
		err = errbuf__set(eb, -ENOMEM, "out of memory or descriptors");
		goto fail;
	}
	h->eb = eb;
	err = -pthread_create(&h->thread, NULL, run, h);
	if (err) {
		errbuf__set(eb, err, "cannot start a thread: %s", strerror(-err));
		goto fail;
	}
	pthread_mutex_lock(&h->lock);
	while (!h->started)
		pthread_cond_wait(&h->started_cond, &h->lock);
	err = h->start_err;
	h->eb = NULL;
	h->o.threads = NULL;
	pthread_mutex_unlock(&h->lock);
	if (!err)
		return h;
	pthread_join(h->thread, NULL);
fail:
	if (h)
		free_holder(h);
	errno = -err;
	return NULL;
}

void holder__delete(struct holder *h)
{
	if (!h)
		return;
	holder__quit(h);
	pthread_join(h->thread, NULL);
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
	eventfd_write(h->drained_fd, 1);
}

bool holder__waiting(struct holder *h, u64 number)
{
	return number != __atomic_load_n(&h->drained, __ATOMIC_RELAXED);
}

bool holder__ended(struct holder *h)
{
	return __atomic_load_n(&h->ended, __ATOMIC_ACQUIRE);
}

int holder__workload_status(struct holder *h, int *status)
{
	if (!__atomic_load_n(&h->workload_ended, __ATOMIC_ACQUIRE))
		return 0;
	*status = h->workload_status;
	return 1;
}

void holder__quit(struct holder *h)
{
	__atomic_store_n(&h->quit, true, __ATOMIC_RELEASE);
	eventfd_write(h->drained_fd, 1);
}

bool holder__done(struct holder *h)
{
	return __atomic_load_n(&h->done, __ATOMIC_ACQUIRE);
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
