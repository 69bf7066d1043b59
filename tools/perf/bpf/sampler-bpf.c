// SPDX-License-Identifier: GPL-2.0-only
/* The engine that counts in the kernel: loads sample.bpf.c, reads its tables through
 * mmap. */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "bpf/kernel_btf.h"
#include "bpf/load.h"

#include "bpf/sampler-impl.h"
#include "bpf/sample.skel.h"
#include "lib/api/worker.h"

#define TABLES_BUDGET (48ul << 20) /* bytes of all CPUs' tables together */
#define MIN_ENTRIES 1024u
#define MAX_ENTRIES 16384u
#define WORDS_AN_ENTRY 32      /* arena: the frames of an average stack, kernel and user */
#define QUEUE_MAX (32ul << 20) /* bytes taken from the tables and not resolved yet */
#define MAX_INTERVAL 1000      /* ms between drains */

/* A table's contents, taken over: struct sample_entry[nr], then the stacks they point to. */
struct batch {
	struct batch *next;
	size_t bytes, cap; /* used, of those allocated */
	int cpu;
	u32 nr;
	struct sample_entry entry[];
};

struct bpf_sampler {
	struct sampler base;
	struct evlist *evlist;
	struct sample_bpf *skel;
	int *links;
	int nr_links, cap_links;
	int nr_cpus;
	struct sample_ctl *ctl;
	char *tables;
	size_t table_size, ctl_len, tables_len;
	u32 entries, words;
	u64 *arrived_seen, *full_seen; /* what the ledger has had, a CPU */
	u64 *drained;  /* samples found in the tables, a CPU; not yet in the ledger */
	bool finished; /* the program does not run any more */
	u64 *skipped;  /* found by bpf_finish(), a CPU; not yet in the ledger */
	struct ring_buffer *wake;

	pthread_mutex_t lock; /* of what follows, and of the tables */
	struct batch *queue, **queue_end;
	size_t queued;	     /* bytes */
	struct batch *spare; /* emptied ones: fresh memory costs a page fault every page */
	int nr_spare;
	int err;
	pthread_t thread;
	bool has_thread, stop;
	int stop_fd;
};

static struct bpf_sampler *to_bpf(const struct sampler *s)
{
	return container_of(s, struct bpf_sampler, base);
}

static void size_tables(struct bpf_sampler *b, const struct sampler_opts *o)
{
	u64 want = o->rate ? o->rate / 2 : MAX_ENTRIES; /* half a second's worth of distinct keys */

	b->entries = MIN_ENTRIES;
	while (b->entries < want && b->entries < MAX_ENTRIES)
		b->entries *= 2;
	for (;; b->entries /= 2) {
		b->words = o->keys & SAMPLE_KEY_STACK ? b->entries * WORDS_AN_ENTRY : 1024;
		b->table_size = sizeof(struct sample_head) + 2ul * b->entries * sizeof(u32) +
				(size_t)b->entries * sizeof(struct sample_entry) + 8ul * b->words;
		if (b->table_size * 2 * b->nr_cpus <= TABLES_BUDGET || b->entries <= MIN_ENTRIES)
			break;
	}
	/* A quarter of the entries a round leaves room for a reader that comes late. */
	b->base.interval_ms = MAX_INTERVAL;
	if (o->rate && b->entries * 1000ull / 4 / o->rate < MAX_INTERVAL)
		b->base.interval_ms = max_t(int, b->entries * 1000ull / 4 / o->rate, 10);
}

static int load_program(struct bpf_sampler *b, struct evlist *l, const struct sampler_opts *o,
			struct errbuf *eb)
{
	static const char *const task[] = {"start_time", "self_exec_id", "group_leader",
					   "mm",	 "flags",	 NULL};
	static const struct kernel_btf_want wanted[] = {{.name = "task_struct", .members = task},
							{}};
	struct kernel_btf_file btf;
	LIBBPF_OPTS(bpf_object_open_opts, opts, .btf_custom_path = kernel_btf__open(&btf, wanted));
	struct sample_bpf *skel = b->skel = sample_bpf__open_opts(&opts);
	struct evsel *e;
	int nr = 0, err;

	if (!skel) {
		err = -errno;
		kernel_btf__close(&btf);
		return errbuf__set(eb, err, "cannot open the sampling program: %s", strerror(-err));
	}
	evlist__for_each (l, e)
		nr += !evsel__is_sideband(e);
	skel->rodata->cfg_keys = o->keys;
	skel->rodata->cfg_events = nr > 1;
	skel->rodata->cfg_entry_mask = b->entries - 1;
	skel->rodata->cfg_entries_off = sizeof(struct sample_head) + 2 * b->entries * sizeof(u32);
	skel->rodata->cfg_arena_off =
		skel->rodata->cfg_entries_off + b->entries * sizeof(struct sample_entry);
	skel->rodata->cfg_arena_mask = b->words - 1;
	bpf_map__set_value_size(skel->maps.tables, b->table_size);
	bpf_map__set_max_entries(skel->maps.tables, 2 * b->nr_cpus);
	bpf_map__set_max_entries(skel->maps.ctl, b->nr_cpus);
	bpf_map__set_max_entries(skel->maps.wake, getpagesize());
	err = sample_bpf__load(skel);
	kernel_btf__close(&btf);
	return err ? bpf_load__error(eb, err, "the sampling program") : 0;
}

static int map_tables(struct bpf_sampler *b, struct errbuf *eb)
{
	size_t page = getpagesize();
	/* The kernel rounds an element up to 8 bytes and a map to pages. */
	size_t elem = (b->table_size + 7) & ~7ul;

	b->table_size = elem;
	b->tables_len = (elem * 2 * b->nr_cpus + page - 1) & ~(page - 1);
	b->ctl_len = (sizeof(struct sample_ctl) * b->nr_cpus + page - 1) & ~(page - 1);
	b->tables = mmap(NULL, b->tables_len, PROT_READ | PROT_WRITE, MAP_SHARED,
			 bpf_map__fd(b->skel->maps.tables), 0);
	b->ctl = mmap(NULL, b->ctl_len, PROT_READ | PROT_WRITE, MAP_SHARED,
		      bpf_map__fd(b->skel->maps.ctl), 0);
	if (b->tables == MAP_FAILED || b->ctl == MAP_FAILED)
		return errbuf__set(eb, -errno, "cannot map the sample tables: %s", strerror(errno));
	return 0;
}

static int on_wake(void *ctx __unused, void *data __unused, size_t n __unused)
{
	return 0;
}

struct attach_ctx {
	struct bpf_sampler *b;
	struct errbuf *eb;
};

static int attach_fd(void *ctx, struct evsel *e, int fd, int cpu, pid_t tid __unused)
{
	struct attach_ctx *a = ctx;
	struct bpf_sampler *b = a->b;
	LIBBPF_OPTS(bpf_link_create_opts, opts, .perf_event.bpf_cookie = evsel__idx(e));
	int link;

	if (b->nr_links == b->cap_links) {
		int cap = b->cap_links ? b->cap_links * 2 : 64;
		int *p = realloc(b->links, cap * sizeof(*p));

		if (!p)
			return errbuf__set(a->eb, -ENOMEM, "out of memory");
		b->links = p;
		b->cap_links = cap;
	}
	link = bpf_link_create(bpf_program__fd(b->skel->progs.on_overflow), fd, BPF_PERF_EVENT,
			       &opts);
	if (link < 0)
		return errbuf__set(a->eb, link,
				   "cannot attach the sampling program to %s on CPU %d: %s",
				   evsel__name(e), cpu, strerror(-link));
	b->links[b->nr_links++] = link;
	return 0;
}

static int attach_all(struct bpf_sampler *b, struct evlist *l, struct errbuf *eb)
{
	struct attach_ctx a = {.b = b, .eb = eb};
	struct evsel *e;

	evlist__for_each (l, e) {
		int err;

		if (evsel__is_sideband(e))
			break;
		err = evlist__each_fd(l, e, attach_fd, &a);
		if (err)
			return err;
	}
	return 0;
}

static struct sample_head *table_of(struct bpf_sampler *b, int cpu, int epoch)
{
	return (void *)(b->tables + (size_t)(cpu * 2 + epoch) * b->table_size);
}

/* Under the lock. */
static struct batch *get_batch(struct bpf_sampler *b, size_t bytes)
{
	struct batch *batch = b->spare;

	if (batch) {
		b->spare = batch->next;
		b->nr_spare--;
	}
	if (!batch || batch->cap < bytes) {
		free(batch);
		batch = malloc(bytes + bytes / 4);
		if (!batch)
			return NULL;
		batch->cap = bytes + bytes / 4;
	}
	batch->next = NULL;
	return batch;
}

static void put_batch(struct bpf_sampler *b, struct batch *batch)
{
	pthread_mutex_lock(&b->lock);
	if (b->nr_spare < b->nr_cpus) {
		batch->next = b->spare;
		b->spare = batch;
		b->nr_spare++;
		batch = NULL;
	}
	pthread_mutex_unlock(&b->lock);
	free(batch);
}

static void free_batches(struct batch *batch)
{
	while (batch) {
		struct batch *next = batch->next;

		free(batch);
		batch = next;
	}
}

/*
 * Takes what a CPU has counted: from here on its program writes the other table; once a program
 * that may still be writing this one has left, the table is copied into the queue and cleared.
 * Copying is quick, so that tables are free again long before what was in them has been resolved.
 */
static int collect_cpu(struct bpf_sampler *b, int cpu)
{
	struct sample_ctl *c = &b->ctl[cpu];
	u64 epoch = __atomic_load_n(&c->epoch, __ATOMIC_RELAXED) & 1;
	struct sample_head *head = table_of(b, cpu, epoch);
	u32 *index = (u32 *)(head + 1);
	const struct sample_entry *entry = (struct sample_entry *)(index + 2 * b->entries);
	struct batch *batch;
	size_t entry_bytes, bytes;

	if (!__atomic_load_n(&head->nr, __ATOMIC_RELAXED))
		return 0;
	if (b->queued > QUEUE_MAX)
		return 0; /* the reader is far behind: what does not fit is counted as dropped */
	__atomic_store_n(&c->epoch, !epoch, __ATOMIC_SEQ_CST);
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	for (int spin = 0; __atomic_load_n(&c->busy, __ATOMIC_SEQ_CST); spin++)
		if (spin > 1000)
			sched_yield();
	head->nr = min_t(u32, head->nr, b->entries);
	head->arena = min_t(u32, head->arena, b->words);
	entry_bytes = head->nr * sizeof(*entry);
	bytes = sizeof(*batch) + entry_bytes + head->arena * sizeof(u64);
	batch = get_batch(b, bytes);
	if (!batch)
		return -ENOMEM;
	batch->bytes = bytes;
	batch->cpu = cpu;
	batch->nr = head->nr;
	memcpy(batch->entry, entry, entry_bytes);
	memcpy((char *)batch->entry + entry_bytes, entry + b->entries, head->arena * sizeof(u64));
	memset(index, 0, 2 * b->entries * sizeof(*index));
	*head = (struct sample_head){0};
	b->queued += bytes;
	*b->queue_end = batch;
	b->queue_end = &batch->next;
	return 0;
}

static void collect(struct bpf_sampler *b)
{
	pthread_mutex_lock(&b->lock);
	for (int cpu = 0; cpu < b->nr_cpus && !b->err; cpu++)
		b->err = collect_cpu(b, cpu);
	pthread_mutex_unlock(&b->lock);
}

/* The collecting thread: empties tables that are half full while the main thread resolves. */
static void *collector_thread(void *arg)
{
	struct bpf_sampler *b = arg;
	u64 one = 1;

	/* It must run when the CPUs are busiest, for microseconds; where that is not allowed it is
	 * as nice as the rest. */
	setpriority(PRIO_PROCESS, gettid(), -15);
	while (!__atomic_load_n(&b->stop, __ATOMIC_ACQUIRE)) {
		struct pollfd pfd[] = {{.fd = ring_buffer__epoll_fd(b->wake), .events = POLLIN},
				       {.fd = b->stop_fd, .events = POLLIN}};

		if (poll(pfd, 2, -1) < 0 || !pfd[0].revents)
			continue;
		ring_buffer__consume(b->wake);
		collect(b);
		if (write(b->base.wake_fd, &one, sizeof(one)) < 0)
			continue; /* full: the main thread has been told often enough */
	}
	return NULL;
}

static int start_thread(struct bpf_sampler *b, struct errbuf *eb)
{
	int err;

	b->base.wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	b->stop_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (b->base.wake_fd < 0 || b->stop_fd < 0)
		return errbuf__set(eb, -errno, "cannot make an eventfd: %s", strerror(errno));
	err = worker__start(&b->thread, collector_thread, b);
	if (err)
		return errbuf__set(eb, err, "cannot start a thread: %s", strerror(-err));
	b->has_thread = true;
	return 0;
}

static void stop_thread(struct bpf_sampler *b)
{
	u64 one = 1;

	if (!b->has_thread)
		return;
	__atomic_store_n(&b->stop, true, __ATOMIC_RELEASE);
	while (write(b->stop_fd, &one, sizeof(one)) < 0 && errno == EINTR)
		;
	pthread_join(b->thread, NULL);
	b->has_thread = false;
}

static void bpf_cut(struct sampler *s)
{
	collect(to_bpf(s));
}

static struct batch *take_queue(struct bpf_sampler *b)
{
	struct batch *all;

	pthread_mutex_lock(&b->lock);
	all = b->queue;
	b->queue = NULL;
	b->queue_end = &b->queue;
	b->queued = 0;
	pthread_mutex_unlock(&b->lock);
	return all;
}

static void bpf_delete(struct sampler *s)
{
	struct bpf_sampler *b = to_bpf(s);

	stop_thread(b);
	for (int i = 0; i < b->nr_links; i++)
		close(b->links[i]);
	free_batches(take_queue(b));
	free_batches(b->spare);
	if (b->base.wake_fd >= 0)
		close(b->base.wake_fd);
	if (b->stop_fd >= 0)
		close(b->stop_fd);
	pthread_mutex_destroy(&b->lock);
	ring_buffer__free(b->wake);
	if (b->tables && b->tables != MAP_FAILED)
		munmap(b->tables, b->tables_len);
	if (b->ctl && b->ctl != MAP_FAILED)
		munmap(b->ctl, b->ctl_len);
	sample_bpf__destroy(b->skel);
	free(b->links);
	free(b->arrived_seen);
	free(b->full_seen);
	free(b->skipped);
	free(b->drained);
	free(b);
}

static int drain_batch(struct bpf_sampler *b, const struct batch *batch, sample_agg_cb cb,
		       void *ctx)
{
	const struct sample_entry *e = batch->entry;
	const u64 *arena = (const u64 *)(e + batch->nr);
	int err = 0;

	for (u32 i = 0; i < batch->nr && !err; i++, e++) {
		struct sample_agg a = {
			.count = e->count,
			.weight = e->weight,
			.time = e->time,
			.ip = e->ip,
			.image = e->image,
			.cgroup = e->cgroup,
			.pid = e->pid,
			.tid = e->tid,
			.event = e->event,
			.cpu = batch->cpu,
			.frames = arena + e->stack,
			.nr_kernel = e->nr_kernel,
			.nr_user = e->nr_user,
			.comm = e->comm[0] ? e->comm : NULL,
		};

		b->drained[batch->cpu] += e->count;
		err = cb(ctx, &a);
	}
	return err;
}

static s64 bpf_drain(struct sampler *s, sample_agg_cb cb, void *ctx)
{
	struct bpf_sampler *b = to_bpf(s);
	struct batch *batch, *next;
	int err = b->err;
	s64 keys = 0;
	u64 told;

	if (read(b->base.wake_fd, &told, sizeof(told)) < 0)
		told = 0; /* nobody woke us: it was time */
	for (batch = take_queue(b); batch; batch = next) {
		next = batch->next;
		keys += batch->nr;
		if (!err)
			err = drain_batch(b, batch, cb, ctx);
		put_batch(b, batch);
	}
	return err ? err : keys;
}

static void bpf_ledger(struct sampler *s, struct loss_ledger *l)
{
	struct bpf_sampler *b = to_bpf(s);

	for (int cpu = 0; cpu < b->nr_cpus; cpu++) {
		u64 full = b->ctl[cpu].map_full - b->full_seen[cpu];

		loss_ledger__dropped(l, cpu, LOSS_MAP_FULL, full);
		loss_ledger__arrived(l, cpu, b->drained[cpu]);
		loss_ledger__dropped(l, cpu, LOSS_SKIPPED, b->skipped[cpu]);
		b->full_seen[cpu] += full;
		b->arrived_seen[cpu] += b->drained[cpu];
		b->drained[cpu] = b->skipped[cpu] = 0;
		/* The books must balance: what the program says it counted is what was found. */
		if (b->finished)
			loss_ledger__dropped(l, cpu, LOSS_CORRUPT,
					     b->ctl[cpu].emitted - b->full_seen[cpu] -
						     b->arrived_seen[cpu]);
	}
}

static int check_count(void *ctx, struct evsel *e, int fd, int cpu, pid_t tid)
{
	const struct perf_event_attr *attr = evsel__attr(e);
	struct bpf_sampler *b = ctx;
	u64 value[8], expected, ran;

	if (cpu < 0 || cpu >= b->nr_cpus || tid > 0)
		return 0;
	if (read(fd, value, sizeof(value)) < (ssize_t)sizeof(value[0]))
		return 0;
	expected = value[0] / attr->sample_period;
	ran = b->ctl[cpu].by_event[evsel__idx(e)];
	if (expected > ran)
		b->skipped[cpu] += expected - ran;
	return 0;
}

static void bpf_finish(struct sampler *s)
{
	struct bpf_sampler *b = to_bpf(s);
	struct evsel *e;

	b->finished = true;
	evlist__for_each (b->evlist, e) {
		const struct perf_event_attr *attr = evsel__attr(e);
		bool clock = attr->type == PERF_TYPE_SOFTWARE &&
			     (attr->config == PERF_COUNT_SW_CPU_CLOCK ||
			      attr->config == PERF_COUNT_SW_TASK_CLOCK);

		if (!attr->freq && attr->sample_period && !clock && !evsel__is_sideband(e) &&
		    evsel__idx(e) < SAMPLE_CTL_EVENTS)
			evlist__each_fd(b->evlist, e, check_count, b);
	}
}

static u64 bpf_first_time(const struct sampler *s)
{
	const struct bpf_sampler *b = to_bpf(s);
	u64 first = 0;

	for (int cpu = 0; cpu < b->nr_cpus; cpu++)
		if (b->ctl[cpu].first_time && (!first || b->ctl[cpu].first_time < first))
			first = b->ctl[cpu].first_time;
	return first;
}

static const struct sampler_ops bpf_ops = {
	.delete = bpf_delete,
	.cut = bpf_cut,
	.drain = bpf_drain,
	.ledger = bpf_ledger,
	.finish = bpf_finish,
	.first_time = bpf_first_time,
};

struct sampler *sampler__new_bpf(struct evlist *l, const struct sampler_opts *o, struct errbuf *eb)
{
	struct bpf_sampler *b = calloc(1, sizeof(*b));

	if (!b) {
		errbuf__set(eb, -ENOMEM, "out of memory");
		return NULL;
	}
	b->base.ops = &bpf_ops;
	b->base.wake_fd = b->stop_fd = -1;
	b->queue_end = &b->queue;
	pthread_mutex_init(&b->lock, NULL);
	b->nr_cpus = cpu_map__max_possible();
	b->arrived_seen = calloc(b->nr_cpus, sizeof(u64));
	b->full_seen = calloc(b->nr_cpus, sizeof(u64));
	b->skipped = calloc(b->nr_cpus, sizeof(u64));
	b->drained = calloc(b->nr_cpus, sizeof(u64));
	b->evlist = l;
	size_tables(b, o);
	bpf_load__quiet();
	if (!b->arrived_seen || !b->full_seen || !b->skipped || !b->drained ||
	    load_program(b, l, o, eb) || map_tables(b, eb) || attach_all(b, l, eb))
		goto fail;
	b->wake = ring_buffer__new(bpf_map__fd(b->skel->maps.wake), on_wake, NULL, NULL);
	if (!b->wake) {
		errbuf__set(eb, -errno, "cannot map the wake-up ring: %s", strerror(errno));
		goto fail;
	}
	if (!start_thread(b, eb))
		return &b->base;
fail:;
	int err = errno;

	bpf_delete(&b->base);
	errno = err;
	return NULL;
}
