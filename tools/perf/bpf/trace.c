// SPDX-License-Identifier: GPL-2.0-only
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "bpf/trace-internal.h"
#include "bpf/trace.h"
#include "bpf/trace.skel.h"
#include "lib/api/worker.h"
#include "lib/perf/target.h"

#define MAX_SUMS (256 * 1024)
#define STACKS_SIZE (sizeof(u64) << TRACE_STACKS_SHIFT)

/* ---- loading ---- */

static int quiet(enum libbpf_print_level level, const char *fmt, va_list ap)
{
	if (level == LIBBPF_WARN && getenv("PERF_BPF_DEBUG"))
		return vfprintf(stderr, fmt, ap);
	return 0;
}

static u32 pid_max(void)
{
	FILE *f = fopen("/proc/sys/kernel/pid_max", "re");
	u32 v = 0;

	if (f) {
		if (fscanf(f, "%u", &v) != 1)
			v = 0;
		fclose(f);
	}
	return v > 300 && v <= 4194304 ? v : 4194304;
}

/* From one CPU's ring to the next, in bytes. */
static u32 ring_stride(const struct trace_kern *t)
{
	return t->opts.ring_size + TRACE_RING_SLACK;
}

static void configure(struct trace_kern *t)
{
	const struct trace_kern_opts *o = &t->opts;
	struct trace_bpf *s = t->skel;
	bool with_tp = false, with_faults = false;

	s->rodata->conf_block = o->block;
	s->rodata->conf_all = o->all;
	s->rodata->conf_inherit = o->inherit;
	s->rodata->conf_records = o->records;
	s->rodata->conf_summary = o->summary;
	s->rodata->conf_errno = o->errnos;
	s->rodata->conf_cpus = o->cpus != NULL;
	s->rodata->conf_cgroups = o->nr_cgroups;
	s->rodata->conf_life = o->signals && !o->block;
	s->rodata->conf_stacks = o->stacks;
	s->rodata->conf_max_stack = o->max_stack ? o->max_stack : TRACE_MAX_STACK;
	s->rodata->conf_self = getpid();
	if (t->cast_func) {
		s->rodata->conf_task_type = t->task_type;
		s->rodata->conf_regs_type = t->regs_type;
	}
	s->rodata->conf_ring_size = o->ring_size;
	/* Between the two the tool has time to be scheduled, some milliseconds; beyond the mark
	 * each thread has a call or two to end. */
	s->rodata->conf_wake = o->ring_size / 8;
	s->rodata->conf_mark =
		o->ring_size - max_t(u32, o->ring_size / 8, min_t(u32, o->ring_size / 2, 64 << 10));
	s->rodata->conf_ret_filter = o->ret_filter;
	s->rodata->conf_min_ns = o->min_ns;
	bpf_map__set_max_entries(s->maps.tids, t->nr_tids);
	bpf_map__set_max_entries(s->maps.rings, t->nr_cpus);
	bpf_map__set_value_size(s->maps.rings, ring_stride(t));
	bpf_map__set_max_entries(s->maps.cpus, t->nr_cpus);
	bpf_map__set_max_entries(s->maps.sums, o->summary ? MAX_SUMS : 1);
	bpf_map__set_max_entries(s->maps.errs, o->summary ? MAX_SUMS : 1);
	for (int i = 0; i < o->nr_events; i++) {
		s->rodata->event_size[i] = o->events[i].size;
		with_tp |= o->events[i].kind == TRACE_EVENT_TRACEPOINT;
		with_faults |= o->events[i].kind == TRACE_EVENT_FAULT;
	}
	bpf_program__set_autoload(s->progs.trace_event, with_tp);
	bpf_program__set_autoload(s->progs.trace_fault, with_faults);
	bpf_program__set_autoload(s->progs.trace_deliver, o->signals && !o->block);
	bpf_program__set_autoload(s->progs.trace_signal, o->block && !t->raw);
	bpf_program__set_autoload(s->progs.trace_signal_raw, o->block && t->raw);
	bpf_program__set_autoload(s->progs.trace_enter, !t->raw);
	bpf_program__set_autoload(s->progs.trace_exit, !t->raw);
	bpf_program__set_autoload(s->progs.trace_enter_raw, t->raw);
	bpf_program__set_autoload(s->progs.trace_exit_raw, t->raw);
	bpf_program__set_autoload(s->progs.trace_capture, o->records && !t->raw);
	bpf_program__set_autoload(s->progs.trace_capture_raw, o->records && t->raw);
	bpf_program__set_autoload(s->progs.trace_exec, !t->raw);
	bpf_program__set_autoload(s->progs.trace_exec_raw, t->raw);
	bpf_program__set_autoload(s->progs.trace_exec_args, o->records && !t->raw);
	bpf_program__set_autoload(s->progs.trace_task_exit, !t->raw);
	bpf_program__set_autoload(s->progs.trace_task_exit_raw, t->raw);
	bpf_program__set_autoload(s->progs.trace_fork, o->inherit && !o->all && !t->raw);
	bpf_program__set_autoload(s->progs.trace_fork_raw, o->inherit && !o->all && t->raw);
}

static void *map_map(int fd, size_t size, size_t off)
{
	void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, off);

	return p == MAP_FAILED ? NULL : p;
}

static int create_chunk(void)
{
	LIBBPF_OPTS(bpf_map_create_opts, opts, .map_flags = BPF_F_MMAPABLE);
	int fd = bpf_map_create(BPF_MAP_TYPE_ARRAY, "trace_slots", sizeof(u32),
				sizeof(struct trace_slot), TRACE_CHUNK_SLOTS, &opts);

	return fd < 0 ? -errno : fd;
}

/* The first chunk is the pattern of the others; libbpf would make one more to throw away. */
static int create_chunks(struct trace_kern *t, struct errbuf *eb)
{
	int slots = create_chunk(), chunks = -1, err = slots < 0 ? slots : 0;
	LIBBPF_OPTS(bpf_map_create_opts, opts, .inner_map_fd = slots);

	if (!err) {
		chunks = bpf_map_create(BPF_MAP_TYPE_ARRAY_OF_MAPS, "chunks", sizeof(u32),
					sizeof(u32), TRACE_MAX_CHUNKS, &opts);
		err = chunks < 0 ? -errno : bpf_map__reuse_fd(t->skel->maps.slots, slots);
	}
	if (!err)
		err = bpf_map__reuse_fd(t->skel->maps.chunks, chunks);
	if (slots >= 0)
		close(slots);
	if (chunks >= 0)
		close(chunks);
	return err ? errbuf__set(eb, err, "cannot make room for threads: %s", strerror(-err)) : 0;
}

static size_t page_up(size_t n)
{
	size_t page = sysconf(_SC_PAGESIZE);

	return (n + page - 1) & ~(page - 1);
}

static int open_rings(struct trace_kern *t, struct errbuf *eb)
{
	struct epoll_event ev = {.events = EPOLLIN | EPOLLET};
	int side = bpf_map__fd(t->skel->maps.side), err;
	size_t size = page_up((size_t)t->nr_cpus * ring_stride(t));

	t->rings = calloc(t->nr_cpus + 1, sizeof(*t->rings));
	t->epoll = epoll_create1(EPOLL_CLOEXEC);
	t->ring_memory = map_map(bpf_map__fd(t->skel->maps.rings), size, 0);
	if (!t->rings || t->epoll < 0 || !t->ring_memory)
		return errbuf__set(eb, -errno, "cannot map the ring buffers: %s", strerror(errno));
	/* children of ours (the guard, the command) have no use for it */
	madvise(t->ring_memory, size, MADV_DONTFORK);
	for (int i = 0; i < t->nr_cpus; i++)
		t->rings[i] = (struct trace_ring){
			.size = t->opts.ring_size,
			.consumer = &t->cpus[i].tail,
			.producer = &t->cpus[i].head,
			.data = t->ring_memory + (size_t)i * ring_stride(t),
		};
	err = trace_ring__map(&t->rings[t->nr_cpus], side, TRACE_SIDE_SIZE);
	if (!err && epoll_ctl(t->epoll, EPOLL_CTL_ADD, side, &ev))
		err = -errno;
	return err ? errbuf__set(eb, err, "cannot map the ring buffers: %s", strerror(-err)) : 0;
}

static int map_shared(struct trace_kern *t, struct errbuf *eb)
{
	struct trace_bpf *s = t->skel;

	t->ctl = map_map(bpf_map__fd(s->maps.ctl), page_up(sizeof(*t->ctl)), 0);
	t->cpus = map_map(bpf_map__fd(s->maps.cpus), page_up(t->nr_cpus * sizeof(*t->cpus)), 0);
	t->rows = map_map(bpf_map__fd(s->maps.rows), page_up(3 * TRACE_NR_CALLS * sizeof(*t->rows)),
			  0);
	t->stacks = map_map(bpf_map__fd(s->maps.stacks), STACKS_SIZE, 0);
	if (!t->ctl || !t->cpus || !t->rows || !t->stacks)
		return errbuf__set(eb, -errno, "cannot map the programs' memory: %s",
				   strerror(errno));
	for (int i = 0; i < t->nr_cpus; i++)
		t->cpus[i].wanted = !t->opts.cpus || t->opts.cpus[i];
	return open_rings(t, eb);
}

static int set_capture(struct trace_kern *t, struct errbuf *eb)
{
	u32 zero = 0;
	int fd = trace_kern__capture_fd(t);

	if (t->opts.records &&
	    bpf_map_update_elem(bpf_map__fd(t->skel->maps.capture_prog), &zero, &fd, 0))
		return errbuf__set(eb, -errno, "cannot join the trace programs: %s",
				   strerror(errno));
	return 0;
}

static int load(struct trace_kern *t, struct errbuf *eb)
{
	int err;

	libbpf_set_print(quiet);
	if (trace_kern__open_programs(t))
		return errbuf__set(eb, -errno, "cannot open the trace programs: %s",
				   strerror(errno));
	configure(t);
	err = create_chunks(t, eb);
	if (err)
		return err;
	err = trace_kern__load_programs(t);
	if (err)
		return errbuf__set(eb, err, "cannot load the trace programs: %s", strerror(-err));
	for (u32 i = 0; i < (u32)t->opts.nr_cgroups; i++) {
		if (bpf_map_update_elem(bpf_map__fd(t->skel->maps.cgroup), &i,
					&t->opts.cgroup_fds[i], 0))
			return errbuf__set(eb, -errno, "cannot select the cgroup: %s",
					   strerror(errno));
	}
	err = set_capture(t, eb);
	if (!err)
		err = map_shared(t, eb);
	if (!err) {
		err = trace_kern__reserve(t, t->opts.nr_slots ? t->opts.nr_slots : 1);
		if (err)
			errbuf__set(eb, err, "cannot make room for %u threads: %s",
				    t->opts.nr_slots, strerror(-err));
	}
	return err;
}

/*
 * Raw tracepoint programs cost some 50 ns less a hit than classic ones, bpf(2) calls of others do
 * not keep the kernel from running them, and attaching and letting go wait for nothing. But from
 * Linux 7.0 on they can be preempted, and the kernel then skips the program, in silence, for the
 * next thread on that CPU: there the classic ones are used. Nothing but the version tells.
 * PERF_TRACE_PROGRAMS=raw or classic decides it for tests.
 */
static bool raw_never_skipped(void)
{
	const char *forced = getenv("PERF_TRACE_PROGRAMS");
	struct utsname u;

	if (forced)
		return !strcmp(forced, "raw");
	return !uname(&u) && atoi(u.release) < 7;
}

struct trace_kern *trace_kern__new(const struct trace_kern_opts *o, struct errbuf *eb)
{
	struct trace_kern *t = calloc(1, sizeof(*t));
	int err;

	if (!t) {
		errbuf__set(eb, -ENOMEM, "out of memory");
		return NULL;
	}
	t->opts = *o;
	t->epoll = -1;
	t->nr_cpus = cpu_map__max_possible();
	t->raw = raw_never_skipped();
	t->nr_tids = (pid_max() >> TRACE_TIDS_SHIFT) + 1;
	t->tids = calloc(t->nr_tids, sizeof(*t->tids));
	t->events = calloc(TRACE_MAX_FDS, sizeof(*t->events));
	err = t->tids && t->events ? load(t, eb) : -ENOMEM;
	if (err) {
		trace_kern__delete(t);
		errno = -err;
		return NULL;
	}
	t->opts.cpus = NULL; /* the caller's */
	return t;
}

static int end_publishing(struct trace_publisher *p)
{
	if (!p->started)
		return 0;
	pthread_join(p->thread, NULL);
	p->started = false;
	close(p->fd); /* the outer map holds it */
	return p->err;
}

void trace_kern__delete(struct trace_kern *t)
{
	if (!t)
		return;
	trace_kern__detach(t);
	if (t->rings)
		trace_ring__unmap(&t->rings[t->nr_cpus]);
	if (t->ring_memory)
		munmap(t->ring_memory, page_up((size_t)t->nr_cpus * ring_stride(t)));
	for (u32 i = 0; i < t->nr_chunks; i++)
		munmap(t->chunks[i], TRACE_CHUNK_SLOTS * sizeof(struct trace_slot));
	for (u32 i = 0; t->tids && i < t->nr_tids; i++)
		if (t->tids[i])
			munmap(t->tids[i], sizeof(struct trace_tids));
	if (t->ctl)
		munmap(t->ctl, page_up(sizeof(*t->ctl)));
	if (t->cpus)
		munmap(t->cpus, page_up(t->nr_cpus * sizeof(*t->cpus)));
	if (t->rows)
		munmap(t->rows, page_up(3 * TRACE_NR_CALLS * sizeof(*t->rows)));
	if (t->stacks)
		munmap(t->stacks, STACKS_SIZE);
	if (t->epoll >= 0)
		close(t->epoll);
	for (u32 i = 0; i < TRACE_MAX_CHUNKS; i++)
		end_publishing(&t->publishers[i]);
	trace_kern__close_programs(t);
	free(t->events);
	free(t->tids);
	free(t->rings);
	free(t);
}

struct trace_capture_row *trace_kern__rows(struct trace_kern *t)
{
	return t->rows;
}

/* ---- the traced set ---- */

static u32 *tid_entry(struct trace_kern *t, pid_t tid)
{
	u32 page = (u32)tid >> TRACE_TIDS_SHIFT;

	if (tid <= 0 || page >= t->nr_tids)
		return NULL;
	if (!t->tids[page])
		t->tids[page] = map_map(bpf_map__fd(t->skel->maps.tids), sizeof(struct trace_tids),
					page * sizeof(struct trace_tids));
	return t->tids[page] ? &t->tids[page]->slot[tid & (TRACE_TIDS_PAGE - 1)] : NULL;
}

static struct trace_slot *slot_at(struct trace_kern *t, u32 nr)
{
	u32 chunk = nr >> TRACE_CHUNK_SHIFT;

	return chunk < t->nr_chunks ? &t->chunks[chunk][nr & (TRACE_CHUNK_SLOTS - 1)] : NULL;
}

struct trace_slot *trace_kern__slot(struct trace_kern *t, pid_t tid)
{
	u32 *e = tid_entry(t, tid), nr;

	if (!e)
		return NULL;
	nr = __atomic_load_n(e, __ATOMIC_ACQUIRE);
	return nr && nr != TRACE_TID_WANTED ? slot_at(t, nr - 1) : NULL;
}

static u64 nr_free(struct trace_kern *t)
{
	return t->ctl->free_tail - __atomic_load_n(&t->ctl->free_head, __ATOMIC_RELAXED);
}

static void put_free(struct trace_kern *t, u32 nr)
{
	t->ctl->free[t->ctl->free_tail & (TRACE_MAX_SLOTS - 1)] = nr;
	__atomic_store_n(&t->ctl->free_tail, t->ctl->free_tail + 1, __ATOMIC_RELEASE);
}

/* The same as in the kernel: take_free() of trace-slot.bpf.h. */
static u32 take_free(struct trace_kern *t)
{
	u64 head = __atomic_load_n(&t->ctl->free_head, __ATOMIC_RELAXED);

	while (head < t->ctl->free_tail) {
		u32 nr = t->ctl->free[head & (TRACE_MAX_SLOTS - 1)];

		if (__atomic_compare_exchange_n(&t->ctl->free_head, &head, head + 1, false,
						__ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
			return nr + 1;
	}
	return 0;
}

/* While the kernel changes a map for us it runs no programs on this CPU: nobody else may run there
 * then. Without the right to do so the miss counts tell. */
static void *publish_chunk(void *arg)
{
	struct trace_publisher *p = arg;
	struct sched_param fifo = {.sched_priority = 99};

	sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &fifo);
	if (bpf_map_update_elem(p->chunks_fd, &p->nr, &p->fd, 0))
		p->err = -errno;
	return NULL;
}

/*
 * The kernel makes whoever changes a map of maps wait until all programs that may be running have
 * ended, some 10 ms. What is waiting for room need not wait for that: the chunk is there before.
 * @fd is taken over.
 */
static int start_publishing(struct trace_kern *t, u32 nr, int fd)
{
	struct trace_publisher *p = &t->publishers[nr];
	u32 id;
	int err;

	*p = (struct trace_publisher){
		.chunks_fd = bpf_map__fd(t->skel->maps.chunks), .fd = fd, .nr = nr};
	err = worker__start(&p->thread, publish_chunk, p);
	if (err) {
		close(fd);
		return err;
	}
	p->started = true;
	for (int i = 0; i < 100; i++) {
		if (!bpf_map_lookup_elem(p->chunks_fd, &nr, &id))
			return 0;
		usleep(20);
	}
	return end_publishing(p);
}

/* The first chunk is a map of the programs' own. */
static int chunk_fd(struct trace_kern *t, u32 nr)
{
	return nr ? create_chunk() : bpf_map__fd(t->skel->maps.slots);
}

static int add_chunk(struct trace_kern *t)
{
	u32 nr = t->nr_chunks;
	int fd, err = 0;

	if (nr == TRACE_MAX_CHUNKS)
		return -ENOSPC;
	fd = chunk_fd(t, nr);
	if (fd < 0)
		return fd;
	t->chunks[nr] = map_map(fd, TRACE_CHUNK_SLOTS * sizeof(struct trace_slot), 0);
	if (!t->chunks[nr]) {
		err = -errno;
		if (nr)
			close(fd);
		return err;
	}
	if (nr)
		err = start_publishing(t, nr, fd);
	if (err) {
		munmap(t->chunks[nr], TRACE_CHUNK_SLOTS * sizeof(struct trace_slot));
		return err;
	}
	t->nr_chunks++;
	for (u32 i = 0; i < TRACE_CHUNK_SLOTS; i++)
		put_free(t, nr << TRACE_CHUNK_SHIFT | i);
	return 0;
}

int trace_kern__reserve(struct trace_kern *t, u32 nr)
{
	while (nr_free(t) < nr) {
		int err = add_chunk(t);

		if (err)
			return err;
	}
	return 0;
}

struct trace_slot *trace_kern__add(struct trace_kern *t, pid_t tid, u32 flags)
{
	u32 *e = tid_entry(t, tid), nr, none = 0;
	struct trace_slot *s = trace_kern__slot(t, tid);

	if (s || !e)
		return s;
	if (trace_kern__reserve(t, 1))
		return NULL;
	nr = take_free(t);
	s = nr ? slot_at(t, nr - 1) : NULL;
	if (!s)
		return NULL;
	*(struct trace_slot *)memset(s, 0, offsetof(struct trace_slot, data)) =
		(struct trace_slot){.tid = tid, .flags = flags | SLOT_LIVE};
	if (__atomic_compare_exchange_n(e, &none, nr, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)) {
		__atomic_add_fetch(&t->ctl->generation, 1, __ATOMIC_SEQ_CST);
		return s;
	}
	/* The kernel was faster, or will be: it wants one. */
	s->flags = 0;
	put_free(t, nr - 1);
	return trace_kern__slot(t, tid);
}

static u32 slot_nr(struct trace_kern *t, const struct trace_slot *s)
{
	for (u32 i = 0; i < t->nr_chunks; i++)
		if (s >= t->chunks[i] && s < t->chunks[i] + TRACE_CHUNK_SLOTS)
			return i << TRACE_CHUNK_SHIFT | (u32)(s - t->chunks[i]);
	return 0;
}

/* The programs put a slot on the list of dead ones when its thread ends; it is given back when the
 * tool has let go of it as well. */
void trace_kern__reap(struct trace_kern *t, void (*dead)(struct trace_slot *s, void *arg),
		      void *arg)
{
	u64 tail = __atomic_load_n(&t->ctl->dead_tail, __ATOMIC_ACQUIRE);

	while (t->dead_head < tail) {
		u32 *d = &t->ctl->dead[t->dead_head & (TRACE_MAX_SLOTS - 1)];
		u32 nr = __atomic_load_n(d, __ATOMIC_ACQUIRE);
		struct trace_slot *s = nr ? slot_at(t, nr - 1) : NULL;

		if (!nr)
			break; /* just being written */
		*d = 0;
		t->dead_head++;
		if (!s)
			continue;
		s->flags |= SLOT_DEAD;
		if (dead)
			dead(s, arg);
		if (!t->opts.block || s->flags & SLOT_RELEASED) {
			s->flags = 0;
			put_free(t, nr - 1);
		}
	}
	/* As many again as there are: where threads come by the hundred more of them will. */
	if (nr_free(t) < TRACE_SLOTS_LOW)
		trace_kern__reserve(t, max_t(u32, TRACE_SLOTS_LOW, trace_kern__in_use(t)));
}

void trace_kern__release(struct trace_kern *t, struct trace_slot *s)
{
	s->flags |= SLOT_RELEASED;
	if (s->flags & SLOT_DEAD) {
		u32 nr = slot_nr(t, s);

		s->flags = 0;
		put_free(t, nr);
	}
}

const struct trace_ctl *trace_kern__ctl(const struct trace_kern *t)
{
	return t->ctl;
}

void trace_kern__sigstop_done(struct trace_kern *t, u32 note)
{
	if (note && note <= TRACE_NR_SIGSTOPS)
		__atomic_store_n(&t->ctl->sigstop[note - 1], 0, __ATOMIC_RELEASE);
}

void trace_kern__each_slot(struct trace_kern *t, void (*fn)(struct trace_slot *s, void *arg),
			   void *arg)
{
	for (u32 i = 0; i < t->nr_chunks; i++)
		for (u32 k = 0; k < TRACE_CHUNK_SLOTS; k++)
			if (t->chunks[i][k].flags & SLOT_LIVE)
				fn(&t->chunks[i][k], arg);
}

/* ---- reading ---- */

int trace_kern__fd(const struct trace_kern *t)
{
	return t->epoll;
}

u64 trace_kern__drain(struct trace_kern *t, u64 until, trace_record_fn fn, void *arg, bool *left)
{
	struct epoll_event ev[16];
	u64 n;

	/* Edge-triggered: takes note that the wake-ups were seen. */
	epoll_wait(t->epoll, ev, ARRAY_SIZE(ev), 0);
	n = trace_rings__drain(t->rings, t->nr_cpus + 1, until, fn, arg, left);
	t->arrived += n;
	return n;
}

u32 trace_kern__in_use(struct trace_kern *t)
{
	return t->nr_chunks * TRACE_CHUNK_SLOTS - nr_free(t);
}

int trace_kern__sums(struct trace_kern *t,
		     void (*sum)(const struct trace_sum_key *key, const struct trace_sum *s,
				 void *arg),
		     void (*err)(const struct trace_err_key *key, u64 n, void *arg), void *arg)
{
	int fd = bpf_map__fd(t->skel->maps.sums);
	struct trace_sum_key key, *prev = NULL;
	struct trace_err_key ekey, *eprev = NULL;
	struct trace_sum s;
	u64 n;

	for (; !bpf_map_get_next_key(fd, prev, &key); prev = &key)
		if (!bpf_map_lookup_elem(fd, &key, &s))
			sum(&key, &s, arg);
	fd = bpf_map__fd(t->skel->maps.errs);
	for (; !bpf_map_get_next_key(fd, eprev, &ekey); eprev = &ekey)
		if (!bpf_map_lookup_elem(fd, &ekey, &n))
			err(&ekey, n, arg);
	return 0;
}

void trace_kern__counts(struct trace_kern *t, struct trace_kern_counts *c)
{
	*c = (struct trace_kern_counts){.arrived = t->arrived};
	for (int i = 0; i < t->nr_cpus; i++) {
		const struct trace_cpu *p = &t->cpus[i];

		c->sum.emitted += p->emitted;
		c->sum.aside += p->aside;
		c->sum.dropped += p->dropped;
		c->sum.spilled += p->spilled;
		c->sum.stops += p->stops;
		c->sum.filtered += p->filtered;
		c->sum.unreadable += p->unreadable;
		c->sum.lost_slot += p->lost_slot;
		c->sum.no_map += p->no_map;
		c->sum.calls += p->calls;
	}
	c->skipped = trace_kern__misses(t);
}

int trace_kern__nr_cpus(const struct trace_kern *t)
{
	return t->nr_cpus;
}

const struct trace_cpu *trace_kern__cpu(const struct trace_kern *t, int cpu)
{
	return &t->cpus[cpu];
}

u64 trace_kern__cpu_arrived(const struct trace_kern *t, int cpu)
{
	return t->rings[cpu].arrived;
}

u64 trace_kern__aside_arrived(const struct trace_kern *t)
{
	return t->rings[t->nr_cpus].arrived;
}
