/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Records of what was there before recording began, as the kernel would have written them: the
 * kernel and its modules (MMAP), its BPF programs (KSYMBOL), processes and threads (FORK, COMM) and
 * their mappings (MMAP2). Their time is 0, before everything else.
 */
#ifndef PERF_SESSION_SYNTHESIZE_H
#define PERF_SESSION_SYNTHESIZE_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <sys/types.h>

#include "compiler.h"
#include "errbuf.h"

struct synth_opts {
	/* Of the events that are recorded: with sample_id_all each record ends in a sample_id of
	 * the size that sample_type asks for, of zeros. */
	const struct perf_event_attr *attr;
	bool data_maps; /* mappings without PROT_EXEC too (record -d) */
	/* Gets each record; valid during the call only. A non-zero return ends the walk and is
	 * returned. */
	int (*cb)(void *ctx, const struct perf_event_header *ev);
	void *ctx;
};

/* synthesize__kernel - the kernel and its modules. Says nothing where addresses are hidden
 * (kptr_restrict): 0 all the same. */
int synthesize__kernel(const struct synth_opts *o);
/* synthesize__bpf_programs - the JITed code of the BPF programs that are loaded; needs CAP_BPF and
 * is silent without. */
int synthesize__bpf_programs(const struct synth_opts *o);
/* synthesize__tasks - all processes with their threads, or only @pids with theirs. One that is gone
 * meanwhile is left out. */
int synthesize__tasks(const struct synth_opts *o, const pid_t *pids, int nr);

#endif
