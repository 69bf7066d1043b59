// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "lib/api/worker.h"
#include "session/recorder.h"
#include "session/spool.h"

#define SPOOL_SIZE (64UL << 20) /* touched only as far as the writer falls behind */
#define CHUNK (1UL << 20)	/* most of one ring that is copied at once */

enum { ENTRY_DATA, ENTRY_ROUND, ENTRY_SNAPSHOT_END };
enum { ASK_SNAPSHOT = 1, ASK_STOP = 2, ASK_ROUND = 4 };

struct recorder {
	struct evlist *l;
	pthread_t thread;
	sem_t go;
	pid_t tid;
	bool started, joined;
	int rt_prio, prio_err;
	struct spool spool;
	int data_fd; /* the thread tells: something to write */
	int ask_fd;  /* the thread is told: see ask */
	int ask;
	int ended; /* all tasks gone, or the thread is through */
	int err;   /* of the thread */
	struct recorder_stats stats;
	u64 *samples; /* [cpu index * events + event] */
	u64 *arrived; /* [cpu index]: records of any kind but LOST */
	u64 *lost_told;
	int nr_events, nr_cpus;
	int *ring_cpu; /* ring -> CPU index */
	/* Where id and time stand in a sample, in words behind the header; -1: nowhere. */
	int id_word, time_word;
	u64 last_id;
	int last_event;
};

/* ---- the copying thread ---- */

static void tell(int fd)
{
	u64 one = 1;

	if (write(fd, &one, sizeof(one)) < 0)
		return; /* the counter is full: it is readable already */
}

static void drink(int fd)
{
	u64 n;

	if (read(fd, &n, sizeof(n)) < 0)
		return;
}

/* Waits until the writer has made room: the rings may run full meanwhile, the kernel counts that.
 */
static size_t wait_room(struct recorder *r)
{
	const struct timespec ms = {.tv_nsec = 500000};
	size_t room;

	while ((room = spool__room(&r->spool)) < 65536 + 64) {
		tell(r->data_fd);
		nanosleep(&ms, NULL);
	}
	return min_t(size_t, room, CHUNK) & ~(size_t)7;
}

/* How much of the @n bytes at @p are whole records. */
static size_t whole_records(const char *p, size_t n)
{
	size_t at = 0;

	while (n - at >= sizeof(struct perf_event_header)) {
		const struct perf_event_header *h = (const void *)(p + at);

		if (h->size < sizeof(*h) || h->size > n - at)
			break;
		at += h->size;
	}
	return at;
}

static void push_kind(struct recorder *r, u32 kind)
{
	struct spool_entry *e;

	wait_room(r);
	e = spool__begin(&r->spool);
	*e = (struct spool_entry){.kind = kind};
	spool__push(&r->spool, e);
}

/* What is in one ring now, to the spool. */
static u64 copy_ring(struct recorder *r, int ring)
{
	const void *p1, *p2;
	size_t n1, n2;
	u64 left = evlist__peek(r->l, ring, &p1, &n1, &p2, &n2), all = left;

	while (left) {
		size_t room = wait_room(r), n = min_t(size_t, left, room), first;
		struct spool_entry *e = spool__begin(&r->spool);

		first = min_t(size_t, n, n1);
		memcpy(e->data, p1, first);
		memcpy(e->data + first, p2, n - first);
		if (n < left) {
			n = whole_records(e->data, n);
			if (!n) {
				r->err = -EBADMSG;
				return 0;
			}
			first = min_t(size_t, n, n1);
		}
		e->kind = ENTRY_DATA;
		e->ring = ring;
		e->len = n;
		spool__push(&r->spool, e);
		evlist__consume(r->l, ring, n);
		p1 = (const char *)p1 + first;
		n1 -= first;
		p2 = (const char *)p2 + (n - first);
		left -= n;
	}
	return all;
}

static u64 copy_all(struct recorder *r, bool overwritable)
{
	u64 got = 0;

	for (int i = 0; i < evlist__nr_rings(r->l) && !r->err; i++)
		if (evlist__ring_overwrite(r->l, i) == overwritable)
			got += copy_ring(r, i);
	if (got) {
		push_kind(r, ENTRY_ROUND);
		tell(r->data_fd);
	}
	return got;
}

static void copy_snapshot(struct recorder *r, bool overwritable)
{
	if (overwritable && !evlist__pause(r->l, true)) {
		copy_all(r, true);
		evlist__pause(r->l, false);
	}
	push_kind(r, ENTRY_SNAPSHOT_END);
	tell(r->data_fd);
}

/*
 * Late is lost: the thread comes before what it observes, as far as the user may ask for that. It
 * only copies memory and sleeps, so that the lowest realtime priority takes nothing from others
 * that the data would not have cost anyway.
 */
static void raise_priority(struct recorder *r)
{
	struct sched_param p = {.sched_priority = r->rt_prio < 0 ? 1 : r->rt_prio};

	if (!r->rt_prio || !sched_setscheduler(0, SCHED_FIFO, &p))
		return;
	if (r->rt_prio > 0)
		r->prio_err = -errno;
	else
		setpriority(PRIO_PROCESS, 0, -20);
}

static void *copier(void *arg)
{
	struct recorder *r = arg;
	bool ended = false;

	r->tid = syscall(SYS_gettid);
	raise_priority(r);
	sem_post(&r->go); /* the tid is known */
	/* Started first and told to stop at once is a whole run, if a short one. */
	while (!__atomic_load_n(&r->started, __ATOMIC_ACQUIRE)) {
		struct pollfd p = {.fd = r->ask_fd, .events = POLLIN};

		if (__atomic_load_n(&r->ask, __ATOMIC_ACQUIRE) & ASK_STOP)
			return NULL;
		poll(&p, 1, -1);
	}
	for (;;) {
		int ask = __atomic_exchange_n(&r->ask, 0, __ATOMIC_ACQ_REL);

		if (copy_all(r, false))
			r->stats.wakeups++;
		if (ask & (ASK_SNAPSHOT | ASK_ROUND | ASK_STOP))
			copy_snapshot(r, ask & (ASK_SNAPSHOT | ASK_STOP));
		if (ask & ASK_STOP || r->err)
			break;
		if (!ended && evlist__all_ended(r->l)) {
			ended = true;
			__atomic_store_n(&r->ended, 1, __ATOMIC_RELEASE);
			tell(r->data_fd);
		}
		if (evlist__poll(r->l, r->ask_fd, -1) > 0)
			drink(r->ask_fd); /* does not block: it may have been a ring */
	}
	__atomic_store_n(&r->ended, 1, __ATOMIC_RELEASE);
	tell(r->data_fd);
	return NULL;
}

/* ---- setting up ---- */

struct recorder *recorder__new(const struct recorder_opts *o, struct errbuf *eb)
{
	struct recorder *r = calloc(1, sizeof(*r));
	const char *what = "make an eventfd";
	int err;

	if (!r) {
		errbuf__set(eb, -ENOMEM, "out of memory");
		return NULL;
	}
	r->rt_prio = o->rt_prio;
	r->joined = true;
	sem_init(&r->go, 0, 0);
	r->data_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	r->ask_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	err = r->data_fd < 0 || r->ask_fd < 0 ? -errno : 0;
	if (!err) {
		what = "make the buffer that the rings are emptied into";
		err = spool__init(&r->spool, SPOOL_SIZE);
	}
	if (!err) {
		what = "start the thread that reads the rings";
		err = worker__start(&r->thread, copier, r);
	}
	if (err) {
		errbuf__set(eb, err, "cannot %s: %s", what, strerror(-err));
		recorder__delete(r);
		errno = -err;
		return NULL;
	}
	r->joined = false;
	while (sem_wait(&r->go))
		;
	if (r->prio_err) {
		err = r->prio_err;
		errbuf__set(eb, err,
			    "cannot set realtime priority %d: %s (needs CAP_SYS_NICE, and "
			    "a value of 1 to 99)",
			    r->rt_prio, strerror(-err));
		recorder__delete(r);
		errno = -err;
		return NULL;
	}
	return r;
}

static void join(struct recorder *r)
{
	if (r->joined)
		return;
	__atomic_or_fetch(&r->ask, ASK_STOP, __ATOMIC_ACQ_REL);
	tell(r->ask_fd);
	pthread_join(r->thread, NULL);
	r->joined = true;
}

void recorder__delete(struct recorder *r)
{
	if (!r)
		return;
	join(r);
	spool__exit(&r->spool);
	if (r->data_fd >= 0)
		close(r->data_fd);
	if (r->ask_fd >= 0)
		close(r->ask_fd);
	sem_destroy(&r->go);
	free(r->samples);
	free(r->arrived);
	free(r->lost_told);
	free(r->ring_cpu);
	free(r);
}

pid_t recorder__tid(const struct recorder *r)
{
	return r->tid;
}

/* Words before the bit's field in a sample: the bits of lower fields, in the record's order. */
static int word_of(u64 type, u64 bit)
{
	static const u64 order[] = {PERF_SAMPLE_IDENTIFIER, PERF_SAMPLE_IP,   PERF_SAMPLE_TID,
				    PERF_SAMPLE_TIME,	    PERF_SAMPLE_ADDR, PERF_SAMPLE_ID};
	int word = 0;

	for (size_t i = 0; i < ARRAY_SIZE(order); i++) {
		if (order[i] == bit)
			return type & bit ? word : -1;
		word += !!(type & order[i]);
	}
	return -1;
}

int recorder__start(struct recorder *r, struct evlist *l, struct errbuf *eb)
{
	u64 type = evsel__attr(evlist__at(l, 0))->sample_type;
	const struct cpu_map *cpus = evlist__cpus(l);
	struct evsel *e;

	r->l = l;
	r->nr_events = evlist__nr(l);
	r->nr_cpus = cpus->nr;
	r->samples = calloc((size_t)r->nr_events * r->nr_cpus, sizeof(u64));
	r->arrived = calloc(r->nr_cpus, sizeof(u64));
	r->lost_told = calloc(r->nr_cpus, sizeof(u64));
	r->ring_cpu = calloc(evlist__nr_rings(l) + 1, sizeof(int));
	if (!r->samples || !r->arrived || !r->lost_told || !r->ring_cpu)
		return errbuf__set(eb, -ENOMEM, "out of memory for counters");
	for (int i = 0; i < evlist__nr_rings(l); i++)
		for (int c = 0; c < cpus->nr; c++)
			if (cpus->cpu[c] == evlist__ring_cpu(l, i))
				r->ring_cpu[i] = c;
	r->id_word = word_of(type, type & PERF_SAMPLE_IDENTIFIER ? PERF_SAMPLE_IDENTIFIER
								 : PERF_SAMPLE_ID);
	r->time_word = word_of(type, PERF_SAMPLE_TIME);
	evlist__for_each (l, e)
		if (word_of(evsel__attr(e)->sample_type, PERF_SAMPLE_TIME) != r->time_word)
			r->time_word = -1;
	__atomic_store_n(&r->started, true, __ATOMIC_RELEASE);
	tell(r->ask_fd);
	return 0;
}

int recorder__fd(const struct recorder *r)
{
	return r->data_fd;
}

bool recorder__ended(const struct recorder *r)
{
	return __atomic_load_n(&r->ended, __ATOMIC_ACQUIRE);
}

/* ---- the writing side ---- */

static void count_sample(struct recorder *r, const u64 *words, int nr, int cpu)
{
	struct recorder_stats *st = &r->stats;

	st->samples++;
	if (r->id_word >= 0 && r->id_word < nr) {
		u64 id = words[r->id_word];

		if (id != r->last_id) {
			struct evsel *e;

			if (evlist__id2evsel(r->l, id, &e))
				return;
			r->last_id = id;
			r->last_event = evsel__idx(e);
		}
	}
	r->samples[(size_t)cpu * r->nr_events + r->last_event]++;
	if (r->time_word >= 0 && r->time_word < nr) {
		u64 time = words[r->time_word];

		if (!st->first_time || time < st->first_time)
			st->first_time = time;
		if (time > st->last_time)
			st->last_time = time;
	}
}

static u64 count(struct recorder *r, const struct spool_entry *e)
{
	int cpu = r->ring_cpu[e->ring];
	u64 records = 0;

	for (u64 at = 0; at + sizeof(struct perf_event_header) <= e->len;) {
		const struct perf_event_header *h = (const void *)(e->data + at);
		const u64 *words = (const void *)(h + 1);

		if (h->size < sizeof(*h))
			break;
		if (h->type == PERF_RECORD_SAMPLE)
			count_sample(r, words, (h->size - sizeof(*h)) / 8, cpu);
		if (h->type == PERF_RECORD_LOST && h->size >= sizeof(*h) + 16) {
			r->stats.lost_told += words[1];
			r->lost_told[cpu] += words[1];
		} else {
			records++;
		}
		r->stats.throttled += h->type == PERF_RECORD_THROTTLE;
		at += h->size;
	}
	r->arrived[cpu] += records;
	r->stats.records += records;
	return records;
}

/*
 * Only what is there now: under a flood the spool never gets empty, and the caller has other things
 * to look after. What comes meanwhile makes data_fd readable again. *snapshot_end (may be NULL):
 * the mark behind a snapshot came by.
 */
static int write_spool(struct recorder *r, struct perf_writer *w, bool *snapshot_end)
{
	u64 end = spool__head(&r->spool);
	struct spool_entry *e;
	int err = 0;

	while (r->spool.tail != end && (e = spool__peek(&r->spool))) {
		if (e->kind == ENTRY_DATA) {
			u64 n = count(r, e);

			if (!err)
				err = perf_writer__span(w, e->data, e->len, NULL, 0);
			if (err)
				r->stats.unwritten += n;
		} else if (e->kind == ENTRY_ROUND && !err) {
			err = perf_writer__finished_round(w);
		} else if (e->kind == ENTRY_SNAPSHOT_END && snapshot_end) {
			*snapshot_end = true;
		}
		spool__pop(&r->spool, e);
	}
	if (spool__peek(&r->spool))
		tell(r->data_fd);
	return err;
}

int recorder__write(struct recorder *r, struct perf_writer *w)
{
	drink(r->data_fd);
	return write_spool(r, w, NULL);
}

/* Writes until the thread has done what it is asked for. */
static int ask_and_write(struct recorder *r, struct perf_writer *w, int ask)
{
	struct pollfd p = {.fd = r->data_fd, .events = POLLIN};
	bool done = false;
	int err = 0;

	if (r->joined || !r->started)
		return 0;
	__atomic_or_fetch(&r->ask, ask, __ATOMIC_ACQ_REL);
	tell(r->ask_fd);
	while (!done && !err && !(r->err && recorder__ended(r))) {
		poll(&p, 1, 100);
		drink(r->data_fd);
		err = write_spool(r, w, &done);
	}
	return err;
}

int recorder__drain(struct recorder *r, struct perf_writer *w)
{
	return ask_and_write(r, w, ASK_ROUND);
}

int recorder__snapshot(struct recorder *r, struct perf_writer *w)
{
	return ask_and_write(r, w, ASK_SNAPSHOT);
}

int recorder__stop(struct recorder *r, struct perf_writer *w)
{
	struct pollfd p = {.fd = r->data_fd, .events = POLLIN};
	bool done = false;
	int err = 0, one;

	if (r->joined || !r->started)
		return 0;
	__atomic_or_fetch(&r->ask, ASK_STOP, __ATOMIC_ACQ_REL);
	tell(r->ask_fd);
	/* The thread may need room in the spool to come to its end. */
	while (!done && !(r->err && recorder__ended(r))) {
		poll(&p, 1, 100);
		drink(r->data_fd);
		one = write_spool(r, w, &done);
		err = err ? err : one;
	}
	pthread_join(r->thread, NULL);
	r->joined = true;
	return err ? err : r->err;
}

const struct recorder_stats *recorder__stats(const struct recorder *r)
{
	return &r->stats;
}

u64 recorder__samples(const struct recorder *r, const struct evsel *e, int cpu)
{
	return r->samples ? r->samples[(size_t)cpu * r->nr_events + evsel__idx(e)] : 0;
}

int recorder__ledger(struct recorder *r, struct loss_ledger *ledger)
{
	const struct cpu_map *cpus = evlist__cpus(r->l);
	int err = loss_ledger__init(ledger, cpu_map__max_possible());
	struct evsel *e;

	if (err)
		return err;
	for (int c = 0; c < r->nr_cpus; c++) {
		bool told = false;
		u64 lost = 0, n;

		evlist__for_each (r->l, e) {
			if (evsel__lost(r->l, e, c, &n)) {
				told = true;
				lost += n;
			}
		}
		loss_ledger__arrived(ledger, cpus->cpu[c], r->arrived[c]);
		/* The events' own counts hold what was lost after the last LOST record as well. */
		loss_ledger__dropped(ledger, cpus->cpu[c], LOSS_RING_FULL,
				     told ? lost : r->lost_told[c]);
	}
	return 0;
}
