// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "hist/collector.h"
#include "session/sideband.h"

#define SIDEBAND_INTERVAL 40 /* ms between looks at side-band records */
#define SIDEBAND_PAGES 64    /* a ring of a CPU that has only side-band records */

/*
 * A user's maps are resolved at the end only, so that processes must be remembered for longer than
 * a round: as many as fit into this number of side-band records (some hundred bytes each).
 */
#define KEEP_RECORDS 200000
#define NR_MARKS 64

struct horizon {
	struct {
		u64 time, records;
	} mark[NR_MARKS];
	int nr;
	u64 pruned; /* up to here it was done already */
};

struct collector {
	struct collector_opts o;
	struct evlist *evlist;
	struct dsos *dsos;
	struct machine *machine;
	struct sideband *sideband;
	struct sampler *sampler;
	struct profile *profile;
	struct loss_ledger ledger;
	bool uses_bpf;
	u64 sideband_lost, throttled;
	u64 records; /* side-band records seen */
	struct horizon horizon;
	u64 cpus_checked; /* when watch_cpus() looked last */
	bool cpus_known, *cpu_on;
	u64 round_start;	      /* of the last round, CLOCK_MONOTONIC ns */
	struct perf_event_attr *attr; /* of any event: all have the same sample_type */
	struct errbuf *eb;
};

static u64 now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000ull + ts.tv_nsec;
}

static int open_events(struct collector *c, struct errbuf *eb)
{
	struct evlist_open_opts oo = {
		.target = c->o.target,
		.sampling = true,
		.clockid = CLOCK_MONOTONIC,
		.note = c->o.note,
		.ctx = c->o.note_ctx,
		.strict = c->o.strict,
	};

	return evlist__open(c->evlist, &oo, eb);
}

static bool has_tracepoint(const struct evlist *l)
{
	struct evsel *e;

	evlist__for_each (l, e)
		if (evsel__is_tracepoint(e))
			return true;
	return false;
}

/* BPF first; without the right to use it the same from the rings, said aloud. */
static int start_sampler(struct collector *c, struct errbuf *eb)
{
	struct sampler_opts so = {.keys = c->o.profile.keys, .rate = c->o.rate};
	struct errbuf why = {};

	if (!c->o.user && !c->o.no_bpf && has_tracepoint(c->evlist)) {
		/* A program on a tracepoint runs for all processes, before the event's filter and
		 * period. */
		if (c->o.strict)
			return errbuf__set(
				eb, -EOPNOTSUPP,
				"tracepoints are counted in user space, which --strict refuses");
		if (c->o.note)
			c->o.note(c->o.note_ctx,
				  "tracepoints are counted in user space, from ring buffers");
		c->o.no_bpf = true;
	}
	sampler__prepare_ring(c->evlist, c->o.no_bpf ? so.keys : c->o.tee ? SAMPLE_KEY_IP : 0);
	if (open_events(c, eb))
		return -errno;
	if (c->o.user) {
		c->sampler = sampler__new_user(c->evlist, c->o.user, eb);
		c->uses_bpf = true;
		return c->sampler ? 0 : -errno;
	}
	if (!c->o.no_bpf) {
		c->sampler = sampler__new_bpf(c->evlist, &so, &why);
		if (c->sampler) {
			c->uses_bpf = true;
			return 0;
		}
		if (c->o.strict)
			return errbuf__set(eb, -errno, "%s", why.msg);
		if (c->o.note) {
			struct errbuf line;

			errbuf__set(&line, 0,
				    "%s; counting in user space from ring buffers instead",
				    why.msg);
			c->o.note(c->o.note_ctx, line.msg);
		}
		evlist__close(c->evlist);
		sampler__prepare_ring(c->evlist, so.keys);
		if (open_events(c, eb))
			return -errno;
	}
	c->sampler = sampler__new_ring(c->evlist, &so, eb);
	return c->sampler ? 0 : -errno;
}

struct collector *collector__new(struct evlist *l, const struct collector_opts *o,
				 struct errbuf *eb)
{
	struct collector *c = calloc(1, sizeof(*c));
	struct symbol_conf conf = {.no_demangle = o->no_demangle};
	struct machine_opts mo = {.live = true, .kernel_syms = true};
	unsigned int pages = o->pages;
	struct evsel *sideband;

	if (!c) {
		errbuf__set(eb, -ENOMEM, "out of memory");
		return NULL;
	}
	c->o = *o;
	c->evlist = l;
	c->o.profile.nr_events = evlist__nr(l);
	sideband = evlist__add_sideband(l);
	if (!sideband) {
		errbuf__set(eb, -ENOMEM, "out of memory");
		goto fail;
	}
	/* Only code is looked up; but a user's program may count addresses of data. */
	evsel__attr(sideband)->mmap_data = o->user != NULL;
	c->attr = evsel__attr(evlist__at(l, 0));
	if (start_sampler(c, eb))
		goto fail;
	/* With a user's programs there are data maps among the records. */
	if (!pages)
		pages = o->user	      ? 4 * SIDEBAND_PAGES
			: c->uses_bpf ? SIDEBAND_PAGES
				      : 2 * SIDEBAND_PAGES;
	if (evlist__mmap(l, pages, false, eb))
		goto fail;
	c->sideband = sideband__new();
	c->dsos = c->sideband ? dsos__new(&conf) : NULL;
	mo.dsos = c->dsos;
	c->machine = c->dsos ? machine__new(&mo, eb) : NULL;
	c->profile = c->machine ? profile__new(&c->o.profile, c->machine) : NULL;
	c->cpu_on = calloc(cpu_map__max_possible(), sizeof(*c->cpu_on));
	if (!c->profile || !c->cpu_on || loss_ledger__init(&c->ledger, cpu_map__max_possible())) {
		if (errbuf__empty(eb))
			errbuf__set(eb, -ENOMEM, "out of memory");
		goto fail;
	}
	return c;
fail:;
	int err = errno;

	collector__delete(c);
	errno = err;
	return NULL;
}

void collector__delete(struct collector *c)
{
	if (!c)
		return;
	sampler__delete(c->sampler);
	evlist__close(c->evlist);
	profile__delete(c->profile);
	machine__delete(c->machine);
	sideband__delete(c->sideband);
	dsos__delete(c->dsos);
	loss_ledger__exit(&c->ledger);
	free(c->cpu_on);
	free(c);
}

int collector__start(struct collector *c, struct errbuf *eb)
{
	const struct target *t = c->o.target;
	int err = 0;

	c->round_start = now_ns();
	if (!t->enable_on_exec)
		err = evlist__enable(c->evlist);
	if (err)
		return errbuf__set(eb, err, "cannot start the events: %s", strerror(-err));
	/* After enabling: what starts from now on is told by the kernel. */
	if (target__has_task(t)) {
		const struct thread_map *threads = evlist__threads(c->evlist);

		for (int i = 0; threads && i < threads->nr; i++)
			machine__scan_pid(c->machine,
					  threads->thread[i].pid > 0 ? threads->thread[i].pid
								     : threads->thread[i].tid,
					  0);
		return 0;
	}
	err = machine__scan_proc(c->machine, NULL, 0, 0);
	return err ? errbuf__set(eb, err, "cannot read /proc: %s", strerror(-err)) : 0;
}

void collector__stop(struct collector *c)
{
	evlist__disable(c->evlist);
	sampler__finish(c->sampler);
}

static int on_record(void *ctx, int ring, const struct perf_event_header *ev)
{
	struct collector *c = ctx;
	struct perf_sample s;
	int err = c->o.tee ? c->o.tee(c->o.tee_ctx, ev) : 0;

	if (err)
		return err;
	if (sampler__ring_record(c->sampler, ring, ev))
		return 0;
	if (ev->type == PERF_RECORD_LOST) {
		c->sideband_lost += ((const u64 *)(ev + 1))[1];
		return 0;
	}
	if (ev->type == PERF_RECORD_THROTTLE)
		c->throttled++;
	c->records++;
	if (perf_sample__parse(c->attr, ev, &s))
		return 0;
	return sideband__add(c->sideband, ev, s.time);
}

static int on_agg(void *ctx, const struct sample_agg *a)
{
	struct collector *c = ctx;

	return profile__add(c->profile, a);
}

/* What ended before this time may be forgotten; 0: nothing. */
static u64 prune_time(struct collector *c)
{
	struct horizon *h = &c->horizon;
	int old = 0;

	if (!c->o.user)
		return c->round_start;
	/* Marks stand a fraction of the limit apart; one that is too far back is where to cut. */
	if (!h->nr || c->records - h->mark[h->nr - 1].records > KEEP_RECORDS / (NR_MARKS / 2)) {
		if (h->nr == NR_MARKS) {
			memmove(h->mark, h->mark + 1, (NR_MARKS - 1) * sizeof(h->mark[0]));
			h->nr--;
		}
		h->mark[h->nr].time = c->round_start;
		h->mark[h->nr++].records = c->records;
	}
	while (old + 1 < h->nr && c->records - h->mark[old + 1].records > KEEP_RECORDS)
		old++;
	if (c->records - h->mark[old].records <= KEEP_RECORDS || h->mark[old].time == h->pruned)
		return 0;
	return h->pruned = h->mark[old].time;
}

static void note_cpu(struct collector *c, int cpu, const char *what)
{
	struct errbuf line;

	errbuf__set(&line, 0, "CPU %d %s", cpu, what);
	if (c->o.note)
		c->o.note(c->o.note_ctx, line.msg);
}

/* CPUs may come and go while we run; what that means for the result is said once each time. */
static void watch_cpus(struct collector *c, u64 now)
{
	const struct cpu_map *wanted = evlist__cpus(c->evlist);
	struct cpu_map *online;

	if (now < c->cpus_checked + 1000000000ull || target__has_task(c->o.target) || !wanted)
		return;
	c->cpus_checked = now;
	online = cpu_map__online(NULL);
	for (int cpu = 0; online && cpu < c->ledger.nr_cpus; cpu++) {
		bool was = c->cpus_known ? c->cpu_on[cpu] : cpu_map__has(wanted, cpu);
		bool is = cpu_map__has(online, cpu);

		if (was && !is && cpu_map__has(wanted, cpu))
			note_cpu(c, cpu, "has gone offline: no samples from there any more");
		else if (!was && is && !c->o.target->cpu_list)
			note_cpu(c, cpu, "has come online during the run: it is not sampled");
		c->cpu_on[cpu] = is;
	}
	c->cpus_known = online != NULL;
	free(online);
}

int collector__round(struct collector *c, struct errbuf *eb)
{
	u64 start, prune;
	s64 keys = 0;

	sampler__cut(c->sampler);
	start = now_ns();
	for (int r = 0; r < evlist__nr_rings(c->evlist) && keys >= 0; r++)
		keys = evlist__drain(c->evlist, r, on_record, c);
	if (keys < 0)
		return errbuf__set(eb, keys, "cannot keep the records of the rings: %s",
				   strerror(-keys));
	/* What was counted before the cut needs only what happened before it. */
	sideband__process(c->sideband, c->machine, start);
	profile__round(c->profile);
	keys = sampler__drain(c->sampler, on_agg, c);
	if (keys < 0)
		return errbuf__set(eb, keys, "cannot keep more keys: %s", strerror(-keys));
	sampler__ledger(c->sampler, &c->ledger);
	watch_cpus(c, start);
	/* Samples of the current round may still be from before its start. */
	prune = prune_time(c);
	if (prune)
		machine__prune(c->machine, prune);
	c->round_start = start;
	return 0;
}

/* Between rounds: a program's file can be opened while it runs, not when both are gone. */
static void look_early(struct collector *c)
{
	u64 start = now_ns();
	s64 n = 0;

	if (!c->uses_bpf) /* the samples are in these rings, too: they are for a round */
		return;
	for (int r = 0; r < evlist__nr_rings(c->evlist) && n >= 0; r++)
		n = evlist__drain(c->evlist, r, on_record, c);
	sideband__process(c->sideband, c->machine, start);
}

u64 collector__counted_until(const struct collector *c)
{
	return c->round_start;
}

void collector__wait(struct collector *c, const int *fds, int nr_fds, int timeout_ms)
{
	struct pollfd pfd[8] = {{.fd = sampler__wake_fd(c->sampler), .events = POLLIN}};
	int n = 1, ms = sampler__interval_ms(c->sampler);

	for (int i = 0; i < nr_fds && n < (int)ARRAY_SIZE(pfd); i++)
		if (fds[i] >= 0)
			pfd[n++] = (struct pollfd){.fd = fds[i], .events = POLLIN};
	if (timeout_ms >= 0 && timeout_ms < ms)
		ms = timeout_ms;
	while (!poll(pfd, n, min_t(int, ms, SIDEBAND_INTERVAL)) && ms > SIDEBAND_INTERVAL) {
		ms -= SIDEBAND_INTERVAL;
		look_early(c);
	}
}

bool collector__target_ended(struct collector *c)
{
	if (!target__has_task(c->o.target))
		return false;
	evlist__poll(c->evlist, -1, 0);
	return evlist__all_ended(c->evlist);
}

struct profile *collector__profile(struct collector *c)
{
	return c->profile;
}

struct machine *collector__machine(struct collector *c)
{
	return c->machine;
}

struct loss_ledger *collector__ledger(struct collector *c)
{
	return &c->ledger;
}

void collector__clear_ledger(struct collector *c)
{
	memset(&c->ledger.total, 0, sizeof(c->ledger.total));
	memset(c->ledger.cpu, 0, c->ledger.nr_cpus * sizeof(*c->ledger.cpu));
}

u64 collector__chained(const struct collector *c)
{
	return sampler__chained(c->sampler);
}

bool collector__uses_bpf(const struct collector *c)
{
	return c->uses_bpf;
}

u64 collector__sideband_lost(const struct collector *c)
{
	return c->sideband_lost;
}

u64 collector__throttled(const struct collector *c)
{
	return c->throttled;
}

u64 collector__first_time(const struct collector *c)
{
	return sampler__first_time(c->sampler);
}
