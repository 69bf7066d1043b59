/* SPDX-License-Identifier: GPL-2.0-only */
/* What the sources of this folder share and nobody else sees. */
#ifndef PERF_LIB_PERF_INTERNAL_H
#define PERF_LIB_PERF_INTERNAL_H

#include "lib/perf/evlist.h"

struct evsel {
	struct perf_event_attr attr;
	char *name;
	int idx;
	struct evsel *leader; /* itself when alone */
	int nr_members;	      /* of a leader, itself included */
	char *filter;
	char *cgroup;
	char *tp_system, *tp_name;
	char *pmu;	      /* name of the PMU when it came from pmu/.../ */
	struct cpu_map *cpus; /* the PMU's own CPUs, NULL: all */
	bool named;	      /* name= was given */
	bool own_period;      /* period= or freq= was given: -c and -F leave it alone */
	bool no_inherit;
	bool inherit; /* inherit term, over -i */
	bool bpf_output;
	bool dummy;
	bool sideband; /* ours: what it excludes is of no consequence */
	bool weak;
	bool sample_read; /* S: the leader samples and reads the group */
	struct evsel_terms terms;
	bool precise_max;   /* P: start from the highest precise_ip the kernel takes */
	bool exclude_given; /* a u/k/h modifier: no silent change of what is excluded */
	bool may_fall_back; /* cycles: cpu-clock serves where there is no such counter */
	bool fell_back;
	bool supported;
	int cgroup_fd; /* -1: none */
	/* Descriptors and ids, [cpu index * nr_threads + thread index]; -1 and 0 where not open. */
	int *fd;
	u64 *id;
};

struct ring {
	struct perf_event_mmap_page *base;
	char *data;
	u64 mask;      /* data size - 1 */
	u64 tail;      /* consumed so far (normal rings) */
	size_t mapped; /* bytes */
	int cpu, thread_idx;
	int fd;	   /* of the event that owns the ring */
	int asked; /* events of the ring that live_fd() has found ended */
	bool overwrite;
};

struct id_entry {
	u64 id;
	struct evsel *e;
};

struct evlist {
	struct evsel **e;
	int nr, cap;
	struct cpu_map *cpus;
	struct thread_map *threads;
	int last_parse; /* index of the first event of the last parse, for --filter */
	bool opened;
	bool enabled;
	struct ring *ring;
	int nr_rings;
	bool overwrite; /* write_backward events have rings of their own */
	struct pollfd *pollfd;
	char *wrap; /* a record that wraps is put together here */
	size_t wrap_cap;
	struct id_entry *ids; /* sorted by id; built after open */
	int nr_ids;
	struct evlist_open_opts opts;
};

/* evsel__alloc - a new event at the end of @l, its own leader. NULL: out of memory. */
struct evsel *evlist__add(struct evlist *l);
/* Removes the events from @first on (a parse that failed half way). */
void evlist__truncate(struct evlist *l, int first);
int evsel__set_name(struct evsel *e, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void evsel__close(struct evsel *e, int nr);
static inline int *evsel__fdp(const struct evlist *l, const struct evsel *e, int cpu, int thread)
{
	return &e->fd[cpu * l->threads->nr + thread];
}

/* open-error.c: the line for an errno of perf_event_open(2). */
int evsel__open_error(const struct evsel *e, const struct target *t, int err, int cpu, pid_t tid,
		      struct errbuf *eb);
/* features.c, evlist__drop_feature(): makes @l's attrs do without the newest feature that this
 * kernel may lack; true when something was dropped and opening is worth another try. *what names
 * it; *fatal: it was asked for and cannot be left out. */
int evlist__open_cgroups(struct evlist *l, struct errbuf *eb);
void evlist__munmap(struct evlist *l);
/* Why the kernel refused a tracepoint filter. */
int evsel__filter_error(const struct evsel *e, int err, struct errbuf *eb);
bool evlist__drop_feature(struct evlist *l, const char **what, bool *fatal);

#endif
