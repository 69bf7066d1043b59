/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the trace programs (trace.bpf.c) and their loader (trace.c) share, and the loader's
 * functions.
 *
 * All that the tool and the programs say to each other while a run lasts goes through mapped
 * memory: a bpf(2) map call raises bpf_prog_active on its CPU, and a thread that preempts the tool
 * there would have its programs skipped.
 *
 * A traced thread has a slot: the state of the call it is in, the record as it is being built, and
 * the place where a finished record waits when the ring has no room (the spill slot). Slots come in
 * chunks; `tids` says which slot a thread has. Slots are given out by the kernel from the ring of
 * free ones, given back by the tool alone once it has read what was left in them.
 */
#ifndef PERF_BPF_TRACE_H
#define PERF_BPF_TRACE_H

#ifndef __bpf__
#include "compiler.h"
#endif
#include "trace/record.h"

#define TRACE_CHUNK_SHIFT 8 /* 256 slots a chunk, 3 MiB */
#define TRACE_CHUNK_SLOTS (1u << TRACE_CHUNK_SHIFT)
#define TRACE_MAX_CHUNKS 256
#define TRACE_MAX_SLOTS (TRACE_CHUNK_SLOTS * TRACE_MAX_CHUNKS)
#define TRACE_TIDS_SHIFT 10
#define TRACE_TIDS_PAGE (1u << TRACE_TIDS_SHIFT)
#define TRACE_TID_WANTED (~0u) /* in trace_tids: to be traced as soon as there is a free slot */
#define TRACE_SLOTS_LOW (TRACE_CHUNK_SLOTS / 2) /* fewer free ones: the tool is called */
#define TRACE_NR_CALLS 1024			/* numbers per ABI in the table of rows */
#define TRACE_CAPTURE_MAX 4096			/* one piece of captured memory */
#define TRACE_SLOT_SIZE 12288
#define TRACE_SLOT_DATA (TRACE_SLOT_SIZE - 88 - 120)
/* Where a blob may still begin, so that it and one whole piece fit. */
#define TRACE_DATA_LIMIT (TRACE_SLOT_DATA - TRACE_CAPTURE_MAX - 64)
#define TRACE_MAX_IOV 32
#define TRACE_MAX_ARGV 64
#define TRACE_MAX_STACK 127
#define TRACE_CAST_CALL 0x7fffff00 /* what a program calls bpf_rdonly_cast(): see cast() */
#define TRACE_RING_MIN 4096
#define TRACE_RING_SLACK TRACE_SLOT_SIZE /* behind a ring: a record does not wrap */
#define TRACE_SIDE_SIZE (256u << 10)	 /* the BPF ring buffer beside the rings */
#define TRACE_STACKS_SHIFT 14		 /* entries of the table of kernel stacks, a power of two */
#define TRACE_NR_SIGSTOPS 4096
#define TRACE_SIGINFO_SIZE 128
#define TRACE_MAX_CGROUPS 16
#define TRACE_MAX_EVENTS 64  /* beside calls */
#define TRACE_EVENT_MAX 2048 /* raw data of one */

enum trace_call_state {
	CALL_NONE,    /* not in a call that the program saw begin */
	CALL_OPEN,    /* entered; the record holds its arguments */
	CALL_SKIPPED, /* in one that is not asked for */
	CALL_SENT,    /* emitted on entry; it does not return */
};

/* Signals that stop a thread: SIGWINCH, and SIGSTOP where that is blocked. */
enum trace_stop { STOP_WINCH = 1, STOP_STOP = 2 };

enum trace_slot_flags {
	SLOT_WAIT_EXEC = 1, /* the held workload: nothing is recorded before its execve */
	SLOT_LIVE = 2,	    /* in use */
	SLOT_DEAD = 4,	    /* the tool's: its thread has ended */
	SLOT_RELEASED = 8,  /* the tool's: nothing is left to be read from it */
};

struct trace_slot {
	u32 tid; /* of the initial pid namespace */
	u32 flags;
	u32 call;	   /* enum trace_call_state */
	u32 row;	   /* index into the table of rows */
	u32 used;	   /* bytes of data */
	u32 retry;	   /* captures (bits) that could not be read on entry */
	u32 missing;	   /* captures that could not be read on exit either: the tool's turn */
	u32 missing_entry; /* those of `missing` that are entry captures */
	u32 spilled;	   /* size of the finished record that waits here; the tool sets it to 0 */
	u32 stops;	   /* signals sent to stop the thread, STOP_*; the tool clears a bit */
	u32 genuine;	   /* STOP_*: one of that number is due from someone else too */
	u32 sigstop;	   /* where in trace_ctl.sigstop its SIGSTOP is noted, + 1 */
	u64 seq;	   /* records of this thread so far */
	u32 parent; /* the process that made the thread, until its first call returns; or 0 */
	u32 pad;
	u64 regs;	      /* where its registers stand on its kernel stack, 0: not known yet */
	u64 task;	      /* its task_struct */
	u8 late, late_failed; /* captures (bits) to be made on exit; if the call failed */
	u16 capture;	      /* CAP_ENTRY, CAP_EXIT: what the capturing program is to do */
	u32 announced; /* the tool's: low bits of time_enter of the call shown as under way */
	struct trace_record rec;
	u8 data[TRACE_SLOT_DATA]; /* blobs; directly behind rec */
};

struct trace_tids {
	u32 slot[TRACE_TIDS_PAGE]; /* slot + 1, 0: not traced, TRACE_TID_WANTED */
};

/* One, mapped. The two rings hold every slot at once, so they never overflow. */
struct trace_ctl {
	u64 generation; /* of the traced set: counts threads that came into it */
	u64 pad[15];
	u64 free_head; /* the kernel takes there */
	u64 pad0[15];
	u64 free_tail; /* the tool adds there */
	u64 pad1[15];
	u64 dead_tail; /* the kernel adds slots of ended threads */
	u64 pad2[15];
	u64 nr_sigstops;		/* SIGSTOPs sent so far */
	u32 sigstop[TRACE_NR_SIGSTOPS]; /* processes with one under way; the tool sets it to 0 */
	u32 free[TRACE_MAX_SLOTS];
	u32 dead[TRACE_MAX_SLOTS]; /* slot + 1, 0: not written yet */
};

/* One a CPU, mapped; written by programs on that CPU alone. */
struct trace_cpu {
	u64 busy;     /* a program is writing to the ring */
	u64 head;     /* bytes ever written to the ring */
	u64 emitted;  /* records in the ring */
	u64 wanted;   /* runs for all threads: 0 where not asked for (-C), and at the end */
	u64 off;      /* at the end: no call is recorded any more */
	u64 filtered; /* calls that a filter left out */
	u64 calls;    /* calls counted by the summary alone */
	u64 pad0;
	u64 aside;	/* records that went by the ring beside: the CPU's own was busy */
	u64 dropped;	/* records that found no room */
	u64 spilled;	/* records left in their slots */
	u64 stops;	/* signals sent to stop a thread */
	u64 unreadable; /* arguments that could not be read (without blocking) */
	u64 lost_slot;	/* calls of threads without a slot (as far as seen) */
	u64 no_map;	/* no room in the summary */
	u64 pad1;
	u64 tail; /* the tool's: bytes ever read from the ring */
	u64 pad2[7];
};

enum trace_ret_filter { RET_ANY, RET_FAILED, RET_SUCCEEDED };

enum trace_sum_mode { SUM_NONE, SUM_THREAD, SUM_TOTAL, SUM_CGROUP };

/* Keys of the sums that the summary alone needs; values: struct trace_sum, u64. */
struct trace_sum_key {
	u32 tid; /* SUM_TOTAL, SUM_CGROUP: the CPU */
	u16 nr;
	u16 abi;
	u64 cgroup;
};
struct trace_err_key {
	struct trace_sum_key call;
	u32 err;
	u32 pad;
};

#ifndef __bpf__
#include <stdbool.h>
#include <sys/types.h>

#include "bpf/trace-ring.h"
#include "errbuf.h"
#include "trace/summary-hist.h"

struct trace_kern;

/* An event beside calls: its records carry TR_EVENT and its index as nr. */
struct trace_event_spec {
	enum { TRACE_EVENT_TRACEPOINT, TRACE_EVENT_FAULT } kind;
	u64 config; /* the tracepoint's id; PERF_COUNT_SW_PAGE_FAULTS_MAJ, _MIN */
	u32 size;   /* bytes of raw data to keep, at most TRACE_EVENT_MAX */
};

struct trace_kern_opts {
	u32 ring_size; /* bytes a CPU: a power of two, >= 4096 */
	bool block;    /* send stop signals to threads held by PTRACE_SEIZE */
	bool all;      /* every thread but the tool's own */
	bool inherit;  /* follow children and threads */
	u32 summary;   /* enum trace_sum_mode: count calls in the kernel */
	bool errnos;   /* and errors by number */
	bool records;  /* hand up records */
	bool stacks;   /* user call chains */
	u32 max_stack;
	bool signals;	       /* records of signals delivered and of ended threads */
	u32 ret_filter;	       /* enum trace_ret_filter */
	u64 min_ns;	       /* calls that took less are left out */
	const bool *cpus;      /* nr_cpus flags, or NULL: all */
	const int *cgroup_fds; /* only threads in or below one of these, of cgroup v2 */
	int nr_cgroups;	       /* at most TRACE_MAX_CGROUPS; 0: all */
	const struct trace_event_spec *events;
	int nr_events;
	u32 nr_slots; /* threads to make room for at first */
};

/*
 * trace_kern__new - loads the programs, not yet attached. On failure NULL with errno (EPERM,
 * EACCES: no BPF rights) and the reason in @eb.
 */
struct trace_kern *trace_kern__new(const struct trace_kern_opts *o, struct errbuf *eb);
/* trace_kern__delete - detaches and frees all. */
void trace_kern__delete(struct trace_kern *t);
/* trace_kern__rows - the table that drives the programs, [abi * TRACE_NR_CALLS + nr]; mapped
 * memory, may be changed at any time. */
struct trace_capture_row *trace_kern__rows(struct trace_kern *t);
/* trace_kern__attach - from here on the traced set's calls are recorded. */
int trace_kern__attach(struct trace_kern *t, struct errbuf *eb);
/* trace_kern__quiesce - no call is recorded any more, at once; the slots stay as they are.
 * trace_kern__detach - lets go of the tracepoints, in the background. */
void trace_kern__quiesce(struct trace_kern *t);
void trace_kern__detach(struct trace_kern *t);

/* trace_kern__add - puts thread @tid (initial namespace) into the traced set; its slot, or NULL
 * when none could be had. A thread that is there keeps its slot. @flags: SLOT_WAIT_EXEC or 0. */
struct trace_slot *trace_kern__add(struct trace_kern *t, pid_t tid, u32 flags);
/* trace_kern__slot - the slot of @tid or NULL. */
struct trace_slot *trace_kern__slot(struct trace_kern *t, pid_t tid);
/* trace_kern__release - the thread ended and its slot has been read: back to the free ones. */
void trace_kern__release(struct trace_kern *t, struct trace_slot *s);
/* trace_kern__each_slot - calls @fn for every slot in use. */
void trace_kern__each_slot(struct trace_kern *t, void (*fn)(struct trace_slot *s, void *arg),
			   void *arg);
/* trace_kern__reserve - at least @nr free slots; 0, -ENOMEM, -ENOSPC. */
int trace_kern__reserve(struct trace_kern *t, u32 nr);
/* trace_kern__ctl - the memory that the guard looks at. trace_kern__sigstop_done - the SIGSTOP
 * noted at @note (trace_slot.sigstop) has been taken back. */
const struct trace_ctl *trace_kern__ctl(const struct trace_kern *t);
void trace_kern__sigstop_done(struct trace_kern *t, u32 note);
/* trace_kern__reap - without blocking: slots of ended threads back to the free ones, and more slots
 * where they run short. @dead (may be NULL) sees each of them first. */
void trace_kern__reap(struct trace_kern *t, void (*dead)(struct trace_slot *s, void *arg),
		      void *arg);

/* trace_kern__fd - for poll(2): readable when a ring filled up to the wake-up mark. */
int trace_kern__fd(const struct trace_kern *t);
/*
 * trace_kern__drain - hands up what the rings hold and what is not younger than @until (ns,
 * CLOCK_MONOTONIC), in the order of time over all CPUs; *@left: younger ones stayed. With the time
 * of the drain before as @until, a record that another CPU is just writing cannot come too late.
 * Returns the number of records.
 */
u64 trace_kern__drain(struct trace_kern *t, u64 until, trace_record_fn fn, void *arg, bool *left);
/* trace_kern__in_use - slots that are not free. */
u32 trace_kern__in_use(struct trace_kern *t);

/* trace_kern__sums - each sum, each count of an error (@key, error, count). 0 or -errno. */
int trace_kern__sums(struct trace_kern *t,
		     void (*sum)(const struct trace_sum_key *key, const struct trace_sum *s,
				 void *arg),
		     void (*err)(const struct trace_err_key *key, u64 n, void *arg), void *arg);

struct trace_kern_counts {
	struct trace_cpu sum;
	u64 skipped; /* programs of calls that the kernel skipped: recursion_misses */
	u64 arrived; /* records handed up by trace_kern__drain() */
};
void trace_kern__counts(struct trace_kern *t, struct trace_kern_counts *c);
const struct trace_cpu *trace_kern__cpu(const struct trace_kern *t, int cpu);
u64 trace_kern__cpu_arrived(const struct trace_kern *t, int cpu);
/* trace_kern__aside_arrived - records of all CPUs that came by the ring beside. */
u64 trace_kern__aside_arrived(const struct trace_kern *t);
int trace_kern__nr_cpus(const struct trace_kern *t);
#endif

#endif
