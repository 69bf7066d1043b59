/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Records for what was there before the recording began: the kernel and its modules, BPF programs,
 * cgroups, processes with their threads and maps; and for what only the recorder knows: the threads
 * and CPUs of the target, which id belongs to which event. Same layouts as the kernel's own records
 * (linux/perf_event.h) and upstream's (PERF_RECORD_THREAD_MAP and so on).
 */
#ifndef PERF_SESSION_SYNTHESIZE_H
#define PERF_SESSION_SYNTHESIZE_H

#include <linux/perf_event.h>
#include <stdbool.h>

#include "compiler.h"
#include "errbuf.h"
#include "lib/perf/evlist.h"

struct synth {
	/* Takes one record, valid during the call; a non-zero return ends it and is returned. */
	int (*emit)(void *ctx, const struct perf_event_header *rec);
	void *ctx;
	u32 id_size;	/* bytes of zeros behind each kernel-like record: its sample_id */
	bool mmap_data; /* maps without execute permission as well */
	bool no_maps;	/* processes without their maps */
	bool namespaces;
	bool build_ids; /* build ids in MMAP2 in place of device and inode */
	/* Counted: */
	u64 nr_tasks, nr_maps;
	bool kernel_restricted; /* kallsyms shows no addresses: no kernel map was written */
};

/* synth__id_size - size of the trailer that @attr's sample_type asks of side-band records. */
u32 synth__id_size(const struct perf_event_attr *attr);

int synth__kernel(struct synth *s);
int synth__modules(struct synth *s);
/* synth__bpf - KSYMBOL and BPF_EVENT of the programs that are loaded; nothing without rights. */
int synth__bpf(struct synth *s);
/* synth__cgroups - every directory of the cgroup hierarchy with its id. */
int synth__cgroups(struct synth *s);
/* synth__tasks - the processes of @threads, all of the machine for { -1 }: FORK, COMM, NAMESPACES
 * of each thread, MMAP2 of each map. What ends meanwhile is left out. */
int synth__tasks(struct synth *s, const struct thread_map *threads);
/* synth__comm - FORK and COMM of one process (the workload before it execs). */
int synth__comm(struct synth *s, pid_t pid, pid_t tid);
int synth__thread_map(struct synth *s, const struct thread_map *threads);
int synth__cpu_map(struct synth *s, const struct cpu_map *cpus);
int synth__id_index(struct synth *s, struct evlist *l);
/* synth__lost - PERF_RECORD_LOST_SAMPLES: @lost samples of the event with @id, with a sample_id as
 * @attr has it. */
int synth__lost(struct synth *s, const struct perf_event_attr *attr, u64 id, u64 lost, int cpu);

#endif
