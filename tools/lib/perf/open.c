// SPDX-License-Identifier: GPL-2.0-only
/* Opening events on their CPUs and threads, whatever comes in between. */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "lib/api/caps.h"
#include "lib/perf/internal.h"

#define SPARE_FILES 256 /* the symbol library keeps up to 128 files open */
#define FEW_FILES 32	/* enough for the kernel's symbols and a few programs */

static void note(const struct evlist *l, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

static void note(const struct evlist *l, const char *fmt, ...)
{
	char line[512];
	va_list ap;

	if (!l->opts.note)
		return;
	va_start(ap, fmt);
	vsnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
	l->opts.note(l->opts.ctx, line);
}

void evsel__close(struct evsel *e, int nr)
{
	for (int i = 0; e->fd && i < nr; i++)
		if (e->fd[i] >= 0)
			close(e->fd[i]);
	free(e->fd);
	free(e->id);
	e->fd = NULL;
	e->id = NULL;
}

static void close_all(struct evlist *l)
{
	for (int i = 0; i < l->nr; i++)
		evsel__close(l->e[i], l->cpus && l->threads ? l->cpus->nr * l->threads->nr : 0);
	l->opened = l->enabled = false;
	free(l->ids);
	l->ids = NULL;
	l->nr_ids = 0;
}

static rlim_t nr_open(void)
{
	FILE *f = fopen("/proc/sys/fs/nr_open", "re");
	unsigned long v = 1 << 20;

	if (!f)
		return v;
	if (fscanf(f, "%lu", &v) != 1)
		v = 1 << 20;
	fclose(f);
	return v;
}

/*
 * Soft limit to hard, then (with CAP_SYS_RESOURCE) beyond, to @want descriptors where they are
 * known. False: nothing is left to raise.
 */
static bool raise_nofile(struct evlist *l, rlim_t want)
{
	struct rlimit r, was;

	if (getrlimit(RLIMIT_NOFILE, &r))
		return false;
	was = r;
	if (r.rlim_cur == r.rlim_max || r.rlim_max < want) {
		rlim_t max = nr_open(), more = r.rlim_max * 2 > want ? r.rlim_max * 2 : want;

		r.rlim_cur = r.rlim_max = more < max ? more : max;
		if (r.rlim_max > was.rlim_max && !setrlimit(RLIMIT_NOFILE, &r))
			goto raised;
		r = was;
	}
	r.rlim_cur = r.rlim_max;
	if (r.rlim_cur == was.rlim_cur || setrlimit(RLIMIT_NOFILE, &r))
		return false;
raised:
	note(l, "limit of open files raised from %llu to %llu", (unsigned long long)was.rlim_cur,
	     (unsigned long long)r.rlim_cur);
	return true;
}

/*
 * What comes after opening needs descriptors as well: BPF programs and their links, one an event;
 * the files that symbols come from. Short of them, addresses would stay without names.
 */
static void keep_spare_files(struct evlist *l)
{
	int events = 0, first_free = -1;
	struct rlimit r;
	rlim_t want;

	for (int i = 0; i < l->nr; i++) {
		for (int k = 0; k < l->cpus->nr * l->threads->nr; k++) {
			if (l->e[i]->fd[k] < 0)
				continue;
			if (!events++) {
				first_free = fcntl(l->e[i]->fd[k], F_DUPFD_CLOEXEC, 0);
				if (first_free >= 0)
					close(first_free);
			}
		}
	}
	if (getrlimit(RLIMIT_NOFILE, &r))
		return;
	want = (first_free < 0 ? r.rlim_cur : (rlim_t)first_free) + events + SPARE_FILES;
	if (r.rlim_cur >= want)
		return;
	raise_nofile(l, want);
	if (getrlimit(RLIMIT_NOFILE, &r) || r.rlim_cur >= want - SPARE_FILES + FEW_FILES)
		return;
	note(l,
	     "the limit of open files (ulimit -n %llu) leaves few for symbols: some may not be "
	     "found",
	     (unsigned long long)r.rlim_cur);
}

static bool cpu_is_online(int cpu)
{
	struct cpu_map *m = cpu_map__online(NULL);
	bool on = m && cpu_map__has(m, cpu);

	free(m);
	return on;
}

enum open_result {
	OPEN_OK,
	OPEN_SKIP,  /* this CPU or thread does without */
	OPEN_AGAIN, /* the attrs changed: all is opened anew */
	OPEN_FAIL,
};

/* The group's other events stand alone from now on. */
static void break_group(struct evlist *l, struct evsel *leader)
{
	for (int i = 0; i < l->nr; i++) {
		struct evsel *e = l->e[i];

		if (e->leader != leader || e == leader)
			continue;
		e->leader = e;
		e->nr_members = 1;
		e->attr.disabled = leader->attr.disabled;
		e->attr.enable_on_exec = leader->attr.enable_on_exec;
	}
	leader->nr_members = 1;
	leader->weak = false;
}

/* "cycles" -> "cycles:u", "cycles:pp" -> "cycles:ppu". */
static int name_append_u(struct evsel *e)
{
	const char *n = evsel__name(e);

	if (e->named)
		return 0;
	return evsel__set_name(e, strchr(n, ':') && !e->tp_system ? "%su" : "%s:u", n);
}

static enum open_result try_fallback(struct evlist *l, struct evsel *e, int err)
{
	struct perf_event_attr *a = &e->attr;
	const char *what;
	bool fatal;

	if (e->precise_max && a->precise_ip &&
	    (err == -EOPNOTSUPP || err == -EINVAL || err == -ENOENT)) {
		a->precise_ip--;
		return OPEN_AGAIN;
	}
	if ((err == -ENOENT || err == -ENXIO || err == -ENODEV || err == -EOPNOTSUPP) &&
	    e->may_fall_back && l->opts.sampling && !l->opts.strict) {
		a->type = PERF_TYPE_SOFTWARE;
		a->config = PERF_COUNT_SW_CPU_CLOCK;
		a->precise_ip = 0;
		e->may_fall_back = false;
		e->fell_back = true;
		note(l, "cannot open %s: no hardware counters here; using cpu-clock",
		     evsel__name(e));
		if (!e->named) {
			const char *mods = strchr(evsel__name(e), ':');
			char kept[16] = "";
			size_t n = 0;

			/* Precision and priority belonged to the counter. */
			for (; mods && *mods && n < sizeof(kept) - 1; mods++)
				if (!strchr("pPDeW", *mods))
					kept[n++] = *mods;
			kept[n] = 0;
			evsel__set_name(e, "cpu-clock%s", n > 1 ? kept : "");
		}
		return OPEN_AGAIN;
	}
	if ((err == -EACCES || err == -EPERM) && !a->exclude_kernel && !e->exclude_given &&
	    !e->tp_system && caps__perf_event_paranoid() > 1 && (e->sideband || !l->opts.strict)) {
		a->exclude_kernel = a->exclude_hv = 1;
		if (e->sideband)
			return OPEN_AGAIN;
		note(l, "kernel.perf_event_paranoid=%d: %s measures user space only",
		     caps__perf_event_paranoid(), evsel__name(e));
		return name_append_u(e) ? OPEN_FAIL : OPEN_AGAIN;
	}
	if (err == -EINVAL && e->leader->weak) {
		note(l, "the group of %s does not fit: its events are counted singly",
		     evsel__name(e->leader));
		break_group(l, e->leader);
		return OPEN_AGAIN;
	}
	if ((err == -EINVAL || err == -E2BIG) && evlist__drop_feature(l, &what, &fatal)) {
		note(l, "this kernel has no %s: going on without", what);
		return OPEN_AGAIN;
	}
	return OPEN_FAIL;
}

static int sys_open(struct perf_event_attr *a, pid_t pid, int cpu, int group, unsigned long flags)
{
	int fd = syscall(SYS_perf_event_open, a, pid, cpu, group, flags | PERF_FLAG_FD_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

static enum open_result open_one(struct evlist *l, struct evsel *e, int c, int t, struct errbuf *eb)
{
	int cpu = l->cpus->cpu[c], group = -1, fd;
	pid_t tid = l->threads->thread[t].tid;
	unsigned long flags = 0;
	enum open_result r;

	if (tid == -1 && e->cgroup_fd >= 0) {
		tid = e->cgroup_fd;
		flags |= PERF_FLAG_PID_CGROUP;
	}
	if (e->leader != e) {
		group = *evsel__fdp(l, e->leader, c, t);
		if (group < 0)
			return OPEN_SKIP; /* its leader is not here either */
	}
retry:
	fd = sys_open(&e->attr, tid, cpu, group, flags);
	if (fd >= 0) {
		*evsel__fdp(l, e, c, t) = fd;
		e->supported = true;
		return OPEN_OK;
	}
	if (fd == -EINTR)
		goto retry;
	if (fd == -EMFILE && raise_nofile(l, 0))
		goto retry;
	if (fd == -ESRCH && tid > 0 && !flags)
		return OPEN_SKIP;
	if ((fd == -ENODEV || fd == -ENXIO) && cpu >= 0 && !cpu_is_online(cpu)) {
		note(l, "CPU %d went offline: it is left out", cpu);
		return OPEN_SKIP;
	}
	if (fd == -ENOENT && cpu >= 0 && c > 0 && e->supported && !l->opts.strict) {
		note(l, "CPU %d does not have %s: it is left out", cpu, evsel__name(e));
		return OPEN_SKIP;
	}
	evsel__open_error(e, l->opts.target, fd, cpu, flags ? -1 : tid, eb);
	r = try_fallback(l, e, fd);
	errno = -fd;
	return r;
}

static enum open_result open_all(struct evlist *l, struct errbuf *eb)
{
	int nr = l->cpus->nr * l->threads->nr;

	for (int i = 0; i < l->nr; i++) {
		struct evsel *e = l->e[i];

		e->fd = malloc(nr * sizeof(*e->fd));
		e->id = calloc(nr, sizeof(*e->id));
		if (!e->fd || !e->id) {
			errbuf__set(eb, -ENOMEM, "out of memory for %d descriptors", nr);
			return OPEN_FAIL;
		}
		memset(e->fd, 0xff, nr * sizeof(*e->fd));
	}
	/*
	 * All of a thread at once: one that it creates in between would inherit only a part.
	 * Nothing counts yet, so that the order is of no other consequence.
	 */
	for (int t = 0; t < l->threads->nr; t++) {
		for (int c = 0; c < l->cpus->nr; c++) {
			for (int i = 0; i < l->nr; i++) {
				struct evsel *e = l->e[i];
				enum open_result r;

				if (e->cpus && l->cpus->cpu[c] >= 0 &&
				    !cpu_map__has(e->cpus, l->cpus->cpu[c]))
					continue;
				r = open_one(l, e, c, t, eb);
				if (r > OPEN_SKIP)
					return r;
			}
		}
	}
	return OPEN_OK;
}

static int id_cmp(const void *a, const void *b)
{
	const struct id_entry *x = a, *y = b;

	return x->id < y->id ? -1 : x->id > y->id;
}

/* Applies filters, reads the ids, and makes sure that each event is open somewhere. */
static int after_open(struct evlist *l, struct errbuf *eb)
{
	int nr = l->cpus->nr * l->threads->nr;

	l->ids = malloc((size_t)nr * l->nr * sizeof(*l->ids));
	if (!l->ids)
		return errbuf__set(eb, -ENOMEM, "out of memory for event ids");
	for (int i = 0; i < l->nr; i++) {
		struct evsel *e = l->e[i];
		int open = 0;

		for (int k = 0; k < nr; k++) {
			if (e->fd[k] < 0)
				continue;
			open++;
			if (!ioctl(e->fd[k], PERF_EVENT_IOC_ID, &e->id[k]))
				l->ids[l->nr_ids++] = (struct id_entry){e->id[k], e};
			if (e->filter && ioctl(e->fd[k], PERF_EVENT_IOC_SET_FILTER, e->filter)) {
				int err = -errno;

				return evsel__filter_error(e, err, eb);
			}
		}
		if (!open)
			return errbuf__set(eb, -ESRCH, "cannot open %s: %s", evsel__name(e),
					   l->threads->thread[0].tid > 0
						   ? "every thread of the target has ended"
						   : "no CPU that was asked for is online and has "
						     "it");
	}
	if (l->nr_ids)
		qsort(l->ids, l->nr_ids, sizeof(*l->ids), id_cmp);
	return 0;
}

/* What every event of a run needs, whoever filled its attr. */
static void prepare_attrs(struct evlist *l)
{
	const struct evlist_open_opts *o = &l->opts;
	const struct target *t = o->target;
	bool need_id = false;

	for (int i = 0; i < l->nr; i++)
		if (!(l->e[i]->attr.sample_type & (PERF_SAMPLE_ID | PERF_SAMPLE_IDENTIFIER)))
			need_id = l->nr > 1;
	for (int i = 0; i < l->nr; i++) {
		struct evsel *e = l->e[i];
		struct perf_event_attr *a = &e->attr;

		a->disabled = e->leader == e;
		a->enable_on_exec = e->leader == e && t->workload_pid && t->enable_on_exec;
		a->inherit = e->inherit || !(t->no_inherit || e->no_inherit || o->per_thread);
		if ((a->sample_type & PERF_SAMPLE_READ) && (a->read_format & PERF_FORMAT_GROUP))
			a->inherit = 0; /* a group's counts of many tasks make no sense together */
		if (!o->sampling) {
			a->sample_period = 0;
			a->freq = 0;
			continue;
		}
		a->sample_id_all = 1;
		a->read_format |= PERF_FORMAT_ID | PERF_FORMAT_LOST;
		if (need_id)
			a->sample_type |= PERF_SAMPLE_IDENTIFIER;
		if (o->clockid >= 0) {
			a->use_clockid = 1;
			a->clockid = o->clockid;
		}
	}
}

static int make_maps(struct evlist *l, struct errbuf *eb)
{
	const struct evlist_open_opts *o = &l->opts;
	const struct target *t = o->target;

	free(l->cpus);
	free(l->threads);
	l->threads = thread_map__new(t, eb);
	l->cpus = NULL;
	if (!l->threads)
		return -errno;
	/*
	 * A per-task event that its children inherit cannot be mapped unless it is bound to a CPU:
	 * sampling opens one a CPU.
	 */
	if (t->cpu_list)
		l->cpus = cpu_map__parse(t->cpu_list, eb);
	else if (l->threads->thread[0].tid != -1 && (!o->sampling || o->per_thread))
		l->cpus = cpu_map__any();
	else
		l->cpus = cpu_map__online(eb);
	if (!l->cpus)
		return errno ? -errno : -ENOMEM;
	return 0;
}

int evlist__open(struct evlist *l, const struct evlist_open_opts *o, struct errbuf *eb)
{
	enum open_result r;
	int err;

	if (l->opened)
		return errbuf__set(eb, -EBUSY, "the events are open already");
	if (!l->nr)
		return errbuf__set(eb, -EINVAL, "no event was given");
	l->opts = *o;
	err = target__check(o->target, eb);
	if (!err)
		err = make_maps(l, eb);
	if (!err)
		err = evlist__open_cgroups(l, eb);
	if (err)
		return err;
	prepare_attrs(l);
	/* Each round drops or changes something; the bound is far above what there is to drop. */
	for (int round = 0; round < 64; round++) {
		r = open_all(l, eb);
		if (r == OPEN_OK)
			break;
		err = errno ? -errno : -EINVAL;
		close_all(l);
		if (r == OPEN_FAIL)
			return err;
	}
	if (eb)
		eb->msg[0] = 0;
	err = after_open(l, eb);
	if (err) {
		close_all(l);
		return err;
	}
	l->opened = true;
	keep_spare_files(l);
	return o->enable_now && !o->target->enable_on_exec ? evlist__enable(l) : 0;
}

void evlist__close(struct evlist *l)
{
	evlist__munmap(l);
	close_all(l);
}

static int on_event(struct evlist *l, struct evsel *e, unsigned long request)
{
	int err = 0;

	if (!l->opened)
		return -EBADF;
	for (int k = 0; k < l->cpus->nr * l->threads->nr; k++)
		if (e->fd[k] >= 0 && ioctl(e->fd[k], request, 0) && !err)
			err = -errno;
	return err;
}

static int on_leaders(struct evlist *l, unsigned long request)
{
	int err = 0;

	for (int i = 0; i < l->nr; i++) {
		int one = l->e[i]->leader == l->e[i] ? on_event(l, l->e[i], request) : 0;

		if (!err)
			err = one;
	}
	return err;
}

int evlist__enable(struct evlist *l)
{
	int err = on_leaders(l, PERF_EVENT_IOC_ENABLE);

	l->enabled = !err;
	return err;
}

int evlist__disable(struct evlist *l)
{
	l->enabled = false;
	return on_leaders(l, PERF_EVENT_IOC_DISABLE);
}

int evsel__enable(struct evlist *l, struct evsel *e)
{
	return on_event(l, e->leader, PERF_EVENT_IOC_ENABLE);
}

int evsel__disable(struct evlist *l, struct evsel *e)
{
	return on_event(l, e->leader, PERF_EVENT_IOC_DISABLE);
}

bool evsel__lost(struct evlist *l, struct evsel *e, int cpu, u64 *lost)
{
	u64 rf = e->attr.read_format, buf[3 + 3 * 128];
	int head =
		!!(rf & PERF_FORMAT_TOTAL_TIME_ENABLED) + !!(rf & PERF_FORMAT_TOTAL_TIME_RUNNING);
	int id = !!(rf & PERF_FORMAT_ID), at;
	bool told = false;

	*lost = 0;
	if (!(rf & PERF_FORMAT_LOST) || !l->opened)
		return false;
	/* Alone: value, times, id, lost. A group: count, times, and { value, id, lost } of each. */
	at = rf & PERF_FORMAT_GROUP ? 1 + head + (e->idx - e->leader->idx) * (2 + id) + 1 + id
				    : 1 + head + id;
	for (int t = 0; t < l->threads->nr; t++) {
		int fd = *evsel__fdp(l, e, cpu, t);
		ssize_t n = fd >= 0 ? read(fd, buf, sizeof(buf)) : -1;

		if (n < (ssize_t)((at + 1) * sizeof(u64)))
			continue;
		*lost += buf[at];
		told = true;
	}
	return told;
}
