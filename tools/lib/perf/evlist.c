// SPDX-License-Identifier: GPL-2.0-only
/* The list of events and what can be asked about each. */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/perf/internal.h"

const char *evsel__name(const struct evsel *e)
{
	return e->name ? e->name : "unknown";
}

struct perf_event_attr *evsel__attr(struct evsel *e)
{
	return &e->attr;
}

int evsel__idx(const struct evsel *e)
{
	return e->idx;
}

struct evsel *evsel__leader(const struct evsel *e)
{
	return e->leader;
}

int evsel__nr_members(const struct evsel *leader)
{
	return leader->nr_members;
}

const char *evsel__filter(const struct evsel *e)
{
	return e->filter;
}

const char *evsel__cgroup(const struct evsel *e)
{
	return e->cgroup;
}

bool evsel__is_tracepoint(const struct evsel *e)
{
	return e->tp_system;
}

const char *evsel__tp_system(const struct evsel *e)
{
	return e->tp_system;
}

const char *evsel__tp_name(const struct evsel *e)
{
	return e->tp_name;
}

const struct evsel_terms *evsel__terms(const struct evsel *e)
{
	return &e->terms;
}

bool evsel__sample_read(const struct evsel *e)
{
	return e->sample_read;
}

bool evsel__own_period(const struct evsel *e)
{
	return e->own_period;
}

bool evsel__no_inherit(const struct evsel *e)
{
	return e->no_inherit;
}

bool evsel__is_bpf_output(const struct evsel *e)
{
	return e->bpf_output;
}

bool evsel__is_weak_group(const struct evsel *e)
{
	return e->leader->weak;
}

bool evsel__is_dummy(const struct evsel *e)
{
	return e->dummy;
}

bool evsel__is_sideband(const struct evsel *e)
{
	return e->sideband;
}

int evsel__set_name(struct evsel *e, const char *fmt, ...)
{
	va_list ap;
	char *s;
	int n;

	va_start(ap, fmt);
	n = vasprintf(&s, fmt, ap);
	va_end(ap);
	if (n < 0)
		return -ENOMEM;
	free(e->name);
	e->name = s;
	return 0;
}

struct evlist *evlist__new(void)
{
	return calloc(1, sizeof(struct evlist));
}

static void evsel__free(struct evsel *e)
{
	free(e->name);
	free(e->filter);
	free(e->cgroup);
	free(e->tp_system);
	free(e->tp_name);
	free(e->pmu);
	free(e->cpus);
	if (e->cgroup_fd >= 0)
		close(e->cgroup_fd);
	free(e->fd);
	free(e->id);
	free(e);
}

void evlist__delete(struct evlist *l)
{
	if (!l)
		return;
	evlist__close(l);
	evlist__truncate(l, 0);
	free(l->e);
	free(l->cpus);
	free(l->threads);
	free(l->wrap);
	free(l);
}

int evlist__nr(const struct evlist *l)
{
	return l->nr;
}

struct evsel *evlist__at(const struct evlist *l, int idx)
{
	return l->e[idx];
}

struct evsel *evlist__add(struct evlist *l)
{
	struct evsel *e;

	if (l->nr == l->cap) {
		int cap = l->cap ? l->cap * 2 : 8;
		struct evsel **p = realloc(l->e, cap * sizeof(*p));

		if (!p)
			return NULL;
		l->e = p;
		l->cap = cap;
	}
	e = calloc(1, sizeof(*e));
	if (!e)
		return NULL;
	e->attr.size = sizeof(e->attr);
	e->idx = l->nr;
	e->leader = e;
	e->nr_members = 1;
	e->cgroup_fd = -1;
	e->terms.time = e->terms.overwrite = -1;
	l->e[l->nr++] = e;
	return e;
}

void evlist__truncate(struct evlist *l, int first)
{
	while (l->nr > first)
		evsel__free(l->e[--l->nr]);
}

const struct cpu_map *evlist__cpus(const struct evlist *l)
{
	return l->cpus;
}

const struct thread_map *evlist__threads(const struct evlist *l)
{
	return l->threads;
}

struct evsel *evlist__add_sideband(struct evlist *l)
{
	struct evsel *e = evlist__add(l);

	if (!e)
		return NULL;
	e->attr.type = PERF_TYPE_SOFTWARE;
	e->attr.config = PERF_COUNT_SW_DUMMY;
	e->attr.sample_period = 1;
	e->attr.mmap = e->attr.mmap2 = e->attr.mmap_data = 1;
	e->attr.comm = e->attr.comm_exec = e->attr.task = 1;
	e->attr.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU;
	e->attr.sample_id_all = 1;
	e->dummy = true;
	e->own_period = true;
	e->sideband = true;
	if (evsel__set_name(e, "dummy:HG")) {
		evlist__truncate(l, l->nr - 1);
		return NULL;
	}
	return e;
}

int evlist__group_all(struct evlist *l)
{
	for (int i = 0; i < l->nr; i++)
		if (l->e[i]->nr_members > 1 || l->e[i]->leader != l->e[i])
			return -EINVAL;
	for (int i = 1; i < l->nr; i++)
		l->e[i]->leader = l->e[0];
	if (l->nr)
		l->e[0]->nr_members = l->nr;
	return 0;
}

static u64 read_u64(const char *path, u64 fallback)
{
	unsigned long long v;
	FILE *f = fopen(path, "re");
	int n;

	if (!f)
		return fallback;
	n = fscanf(f, "%llu", &v);
	fclose(f);
	return n == 1 ? v : fallback;
}

int perf_freq__clamp(u64 *freq, struct errbuf *note, struct errbuf *eb)
{
	u64 max = read_u64("/proc/sys/kernel/perf_event_max_sample_rate", 100000);

	if (note)
		note->msg[0] = 0;
	if (!*freq)
		return errbuf__set(eb, -EINVAL,
				   "a frequency of 0 Hertz would take no sample: "
				   "give -F 1 or more");
	if (*freq == UINT64_MAX) {
		*freq = max;
		errbuf__set(note, 0,
			    "sampling at the kernel's maximum, %llu Hertz "
			    "(kernel.perf_event_max_sample_rate)",
			    (unsigned long long)max);
	} else if (*freq > max) {
		errbuf__set(note, 0,
			    "%llu Hertz is more than the kernel allows: using %llu (raise it with "
			    "sysctl kernel.perf_event_max_sample_rate=%llu)",
			    (unsigned long long)*freq, (unsigned long long)max,
			    (unsigned long long)*freq);
		*freq = max;
	}
	return 0;
}

int evlist__set_freq(struct evlist *l, u64 freq, struct errbuf *note, struct errbuf *eb)
{
	int err = perf_freq__clamp(&freq, note, eb);

	if (err)
		return err;
	for (int i = 0; i < l->nr; i++) {
		struct evsel *e = l->e[i];

		/* Tracepoints and the like are not clocked: their period of 1 stays. */
		if (e->own_period || (e->attr.sample_period && !e->attr.freq))
			continue;
		e->attr.freq = 1;
		e->attr.sample_freq = freq;
	}
	return 0;
}

void evlist__set_period(struct evlist *l, u64 period)
{
	for (int i = 0; i < l->nr; i++) {
		struct evsel *e = l->e[i];

		if (e->own_period)
			continue;
		e->attr.freq = 0;
		e->attr.sample_period = period;
	}
}

int evlist__each_fd(struct evlist *l, struct evsel *only,
		    int (*cb)(void *ctx, struct evsel *e, int fd, int cpu, pid_t tid), void *ctx)
{
	if (!l->opened)
		return 0;
	for (int i = 0; i < l->nr; i++) {
		struct evsel *e = l->e[i];

		if ((only && e != only) || !e->fd)
			continue;
		for (int c = 0; c < l->cpus->nr; c++) {
			for (int t = 0; t < l->threads->nr; t++) {
				int fd = *evsel__fdp(l, e, c, t), err;

				if (fd < 0)
					continue;
				err = cb(ctx, e, fd, l->cpus->cpu[c], l->threads->thread[t].tid);
				if (err)
					return err;
			}
		}
	}
	return 0;
}

int evlist__each_id(struct evlist *l,
		    int (*cb)(void *ctx, struct evsel *e, u64 id, int cpu, pid_t tid), void *ctx)
{
	if (!l->opened)
		return 0;
	for (int i = 0; i < l->nr; i++) {
		struct evsel *e = l->e[i];

		for (int c = 0; c < l->cpus->nr; c++) {
			for (int t = 0; t < l->threads->nr; t++) {
				u64 id = e->id[c * l->threads->nr + t];
				int err = 0;

				if (*evsel__fdp(l, e, c, t) >= 0)
					err = cb(ctx, e, id, l->cpus->cpu[c],
						 l->threads->thread[t].tid);
				if (err)
					return err;
			}
		}
	}
	return 0;
}

int evlist__id2evsel(struct evlist *l, u64 id, struct evsel **e)
{
	int lo = 0, hi = l->nr_ids;

	while (lo < hi) {
		int mid = (lo + hi) / 2;

		if (l->ids[mid].id == id) {
			*e = l->ids[mid].e;
			return 0;
		}
		if (l->ids[mid].id < id)
			lo = mid + 1;
		else
			hi = mid;
	}
	return -ENOENT;
}
