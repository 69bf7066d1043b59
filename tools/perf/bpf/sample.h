/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the aggregating overflow program (sample.bpf.c) and its reader (sampler.c) share.
 *
 * Each CPU has two tables in mmapable array memory. The program writes the one that
 * sample_ctl.epoch names; the reader flips the epoch, waits until the program that may be running
 * on that CPU has left (sample_ctl.busy), and then owns the other one. Reading needs no system
 * call, so draining never keeps the kernel from running the program (map calls do:
 * bpf_prog_active).
 *
 * A table: struct sample_head, then u32 index[2 * entries] (entry number + 1, 0: free), then struct
 * sample_entry[entries], then u64 arena[words] with the stacks, kernel frames first, innermost
 * frame first.
 */
#ifndef PERF_BPF_SAMPLE_H
#define PERF_BPF_SAMPLE_H

#ifndef __bpf__
#include "compiler.h"
#endif

#define SAMPLE_MAX_FRAMES 127 /* of each side; perf_event_max_stack's default */
#define SAMPLE_PROBES                                                                           \
	16 /* index slots tried before an entry is appended without one: a duplicate, merged by \
	      the reader */

#define SAMPLE_CTL_EVENTS 8

enum sample_key {
	SAMPLE_KEY_IP = 1 << 0,
	SAMPLE_KEY_SYM = 1 << 1,
	SAMPLE_KEY_DSO = 1 << 2,
	SAMPLE_KEY_COMM = 1 << 3,
	SAMPLE_KEY_PID = 1 << 4,
	SAMPLE_KEY_TID = 1 << 5,
	SAMPLE_KEY_CPU = 1 << 6,
	SAMPLE_KEY_CGROUP = 1 << 7,
	SAMPLE_KEY_EVENT = 1 << 8,
	SAMPLE_KEY_USTACK = 1 << 9,
	SAMPLE_KEY_KSTACK = 1 << 10,
};
#define SAMPLE_KEY_STACK (SAMPLE_KEY_USTACK | SAMPLE_KEY_KSTACK)
#define SAMPLE_KEY_ADDR (SAMPLE_KEY_IP | SAMPLE_KEY_SYM | SAMPLE_KEY_DSO)

struct sample_head {
	u32 nr;	   /* entries used */
	u32 arena; /* arena words used */
	u32 woken; /* the reader has been told that this table is half full */
	u32 pad;
};

struct sample_entry {
	u64 hash;
	u64 count;  /* samples */
	u64 weight; /* sum of their periods */
	u64 time;   /* CLOCK_MONOTONIC ns of the first one */
	u64 ip;	    /* 0 when no address is part of the key */
	u64 image; /* tells one exec of a pid from the next; 0 when only kernel addresses are in the
		      key */
	u64 cgroup; /* cgroup v2 id, or 0 */
	u32 pid, tid;
	u32 event;
	u32 stack; /* first arena word */
	u16 nr_kernel, nr_user;
	u32 pad;
	char comm[16];
};

/* One a CPU, each on cache lines of its own. */
struct sample_ctl {
	u64 busy;    /* 1 while the program runs on this CPU */
	u64 epoch;   /* 0 or 1: the table that is written */
	u64 emitted; /* samples the program was run for */
	u64 map_full;
	u64 first_time; /* of the first sample ever on this CPU, CLOCK_MONOTONIC ns */
	u64 last_time;
	u64 by_event[SAMPLE_CTL_EVENTS]; /* emitted, of the first few events */
	u64 pad[2];
};

#endif
