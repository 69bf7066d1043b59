/* SPDX-License-Identifier: GPL-2.0-only */
/* What to observe: the target options shared by sample-bpf, record, stat and trace. */
#ifndef PERF_LIB_TARGET_H
#define PERF_LIB_TARGET_H

#include <stdbool.h>
#include <sys/types.h>

#include "compiler.h"
#include "errbuf.h"

struct target {
	const char *cpu_list; /* -C "0,2-3" */
	const char *pid_list; /* -p "1,2" */
	const char *tid_list; /* -t */
	const char *user;     /* -u name or uid */
	const char *cgroups;  /* -G "a,b": one per event, or one for all */
	bool system_wide;     /* -a */
	bool no_inherit;      /* -i */
	pid_t workload_pid;   /* a held workload that is the target, 0: none */
	bool enable_on_exec;  /* with workload_pid */
};

/* A sorted list of CPUs without repeats. */
struct cpu_map {
	int nr;
	int cpu[]; /* ascending; { -1 } means "any CPU", for per-task events */
};
struct cpu_map *cpu_map__online(struct errbuf *eb); /* /sys/devices/system/cpu/online */
/* cpu_map__parse - "0-3,7"; errors: a syntax error with its column, a CPU that is not online or not
 * there. */
struct cpu_map *cpu_map__parse(const char *list, struct errbuf *eb);
/* cpu_map__parse_any - the same without asking which CPUs are there (sysfs cpumask files, files of
 * another machine). */
struct cpu_map *cpu_map__parse_any(const char *list, struct errbuf *eb);
struct cpu_map *cpu_map__any(void);
bool cpu_map__has(const struct cpu_map *m, int cpu);
int cpu_map__max_possible(void); /* one more than the highest possible CPU number; >= 1 */

/* Threads to attach to. */
struct thread_map {
	int nr;
	struct {
		pid_t tid;
		pid_t pid; /* its process; 0 where unknown */
	} thread[];	   /* { -1 } means every thread (system-wide) */
};
/* thread_map__new - by @t: all threads of -p, -t's own, all of -u; the workload; else { -1 }. A
 * process that is not there: -ESRCH and a message naming it. A thread that ends meanwhile is left
 * out. */
struct thread_map *thread_map__new(const struct target *t, struct errbuf *eb);

/* target__has_task - pids, tids, user or workload given: events are per task, not system-wide. */
bool target__has_task(const struct target *t);
/* target__check - options that contradict each other. 0 or -EINVAL with a message. */
int target__check(const struct target *t, struct errbuf *eb);

#endif
