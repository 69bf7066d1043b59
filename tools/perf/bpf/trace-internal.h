/* SPDX-License-Identifier: GPL-2.0-only */
/* What the parts of the trace programs' loader share. */
#ifndef PERF_BPF_TRACE_INTERNAL_H
#define PERF_BPF_TRACE_INTERNAL_H

#include <pthread.h>
#include <stdbool.h>

#include "bpf/kernel_btf.h"
#include "bpf/trace.h"

#define TRACE_MAX_FDS 4096 /* of events and links; page faults have two a CPU each */

struct trace_bpf; /* the skeleton */

/* A thread that puts a chunk of slots where the programs find it. */
struct trace_publisher {
	pthread_t thread;
	bool started;
	int chunks_fd, fd, err;
	u32 nr;
};

struct trace_kern {
	struct trace_bpf *skel;
	struct trace_kern_opts opts;
	struct trace_ring *rings; /* one a CPU, and the one beside them */
	u8 *ring_memory;	  /* of those of the CPUs */
	int nr_cpus;
	int epoll;
	struct kernel_btf_file btf;	     /* while loading */
	u32 task_type, regs_type, cast_func; /* the kernel's numbers; no function: 0 */
	struct trace_apart *apart;	     /* the program that captures, or NULL */
	int handler;			     /* libbpf's, that puts cast_func in */
	int *events;			     /* perf events and links that carry the programs */
	int nr_events;
	bool raw; /* raw tracepoint programs for the calls */
	struct trace_ctl *ctl;
	struct trace_cpu *cpus;
	u64 *stacks;
	struct trace_capture_row *rows;
	struct trace_tids **tids; /* pages of the map, mapped when first needed */
	u32 nr_tids;
	struct trace_slot *chunks[TRACE_MAX_CHUNKS];
	u32 nr_chunks;
	struct trace_publisher publishers[TRACE_MAX_CHUNKS];
	u64 dead_head;
	u64 arrived;
};

/* trace_kern__open_programs, trace_kern__load_programs - the skeleton; 0 or -errno, for the former
 * in errno too. In between the programs are configured. trace_kern__close_programs - also after a
 * failure. trace_kern__capture_fd - the program for the array of those that are jumped to. */
int trace_kern__open_programs(struct trace_kern *t);
int trace_kern__load_programs(struct trace_kern *t);
void trace_kern__close_programs(struct trace_kern *t);
int trace_kern__capture_fd(const struct trace_kern *t);
/* trace_kern__misses - how often the kernel skipped the programs. */
u64 trace_kern__misses(const struct trace_kern *t);

#endif
