/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Events: from the text after -e to open file descriptors and ring buffers. An evsel is one event
 * with its attr and, per (CPU, thread), a descriptor; an evlist is what one run opens together.
 */
#ifndef PERF_LIB_EVLIST_H
#define PERF_LIB_EVLIST_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <sys/types.h>

#include "compiler.h"
#include "errbuf.h"
#include "lib/perf/target.h"

struct evlist;
struct evsel;

/* ---- evsel ---- */
const char *evsel__name(const struct evsel *e);	      /* as upstream prints it: "cycles:u",
							 "sched:sched_switch", "r1a8" */
struct perf_event_attr *evsel__attr(struct evsel *e); /* may be changed until evlist__open() */
int evsel__idx(const struct evsel *e);
struct evsel *evsel__leader(const struct evsel *e); /* itself when not in a group */
int evsel__nr_members(const struct evsel *leader);
const char *evsel__filter(const struct evsel *e); /* tracepoint filter or NULL */
const char *evsel__cgroup(const struct evsel *e); /* cgroup path as given, or NULL */
bool evsel__is_tracepoint(const struct evsel *e);
const char *evsel__tp_system(const struct evsel *e); /* "sched"; NULL when no tracepoint */
const char *evsel__tp_name(const struct evsel *e);
/* Terms that are the tool's and not the kernel's: name=, freq=, period=, call-graph=, stack-size=,
 * inherit/no-inherit, time ... */
struct evsel_terms {
	int time;		/* 1, 0; -1: not given */
	int overwrite;		/* likewise */
	const char *call_graph; /* "fp", "dwarf", "lbr", "no"; NULL: not given */
	u32 stack_size;		/* bytes of user stack, 0: not given */
	u32 max_stack;		/* frames, 0: not given */
};
const struct evsel_terms *evsel__terms(const struct evsel *e);
bool evsel__sample_read(const struct evsel *e); /* :S */
bool evsel__own_period(const struct evsel *e);	/* period= or freq= was given */
bool evsel__no_inherit(const struct evsel *e);
/* branch_type__parse - "any,u" or "any|u" (as -j and branch_type= have it) to
 * attr.branch_sample_type. -EINVAL: a word that is none. */
int branch_type__parse(const char *s, size_t len, u64 *mask);
bool evsel__is_bpf_output(const struct evsel *e);
bool evsel__is_weak_group(const struct evsel *e); /* leader with :W */
bool evsel__is_dummy(const struct evsel *e);
bool evsel__is_sideband(const struct evsel *e); /* of evlist__add_sideband() */

/* perf_event__supported - whether kernel and CPU have such an event, by opening it. */
bool perf_event__supported(u32 type, u64 config);
/* For perf list: each event of each PMU's events folder with its terms as sysfs has them; each
 * tracepoint, sorted. A non-zero return of @cb ends it and is returned. */
typedef int (*pmu_event_cb)(void *ctx, const char *pmu, const char *event, const char *terms);
int pmu__each_event(pmu_event_cb cb, void *ctx);
int tracepoint__each(int (*cb)(void *ctx, const char *sys, const char *name), void *ctx,
		     struct errbuf *eb);

/* ---- evlist ---- */
struct evlist *evlist__new(void);
void evlist__delete(struct evlist *l); /* closes and unmaps everything */
int evlist__nr(const struct evlist *l);
struct evsel *evlist__at(const struct evlist *l, int idx);
#define evlist__for_each(l, e) \
	for (int i_##e = 0; i_##e < evlist__nr(l) && ((e) = evlist__at(l, i_##e)); i_##e++)

/*
 * evlist__parse - adds the events of @str (the argument of one -e: a comma-separated list with
 * groups). On an error @eb has event 'cyclse': no such event, did you mean 'cycles'? (see perf
 * list) cyclse:u,cpu-clock
 *     ^
 * and -EINVAL (syntax), -ENOENT (no such event), -EACCES (tracefs not readable) is returned.
 */
int evlist__parse(struct evlist *l, const char *str, struct errbuf *eb);
/* evlist__set_filter - for the last tracepoint(s) added (--filter follows its -e). */
int evlist__set_filter(struct evlist *l, const char *filter, struct errbuf *eb);
/* evlist__add_filter_all - and-s @filter to every tracepoint of the list. 0 or -ENOMEM. */
int evlist__add_filter_all(struct evlist *l, const char *filter);
/* evlist__add_default - cycles where hardware counts it, else cpu-clock; *fell_back tells which. */
int evlist__add_default(struct evlist *l, bool *fell_back, struct errbuf *eb);
/* evlist__group_all - the first event leads all others (--group). -EINVAL: there are groups. */
int evlist__group_all(struct evlist *l);
/* evlist__add_sideband - a dummy event with mmap2, comm, comm_exec, task (fork/exit), optionally
 * ksymbol/bpf_event/namespaces/cgroup. */
struct evsel *evlist__add_sideband(struct evlist *l);

/* evlist__set_freq / set_period - for all events that have no own freq=/period= term; clamped to
 * perf_event_max_sample_rate with a message in @note (empty: none). freq UINT64_MAX means max. */
int perf_freq__clamp(u64 *freq, struct errbuf *note, struct errbuf *eb); /* the clamping alone */
int evlist__set_freq(struct evlist *l, u64 freq, struct errbuf *note, struct errbuf *eb);
void evlist__set_period(struct evlist *l, u64 period);

struct evlist_open_opts {
	const struct target *target;
	bool sampling;	 /* false: counting (stat) */
	bool enable_now; /* else opened disabled; evlist__enable() starts */
	bool strict;	 /* a fallback (cycles -> cpu-clock, a CPU left out) is an error */
	bool per_thread; /* sampling: one ring a thread instead of one a CPU (no inherit) */
	int clockid;	 /* -1: perf's own clock; else use_clockid with it for every event */
	/* Called for things to tell the user (a CPU that has not the event, a limit raised). May be
	 * NULL. */
	void (*note)(void *ctx, const char *line);
	void *ctx;
};
/*
 * evlist__open - opens every event on its CPUs and threads. Handled inside: EMFILE (RLIMIT_NOFILE
 * raised to its hard limit, retried), a thread that ended (ESRCH: left out), a CPU that went
 * offline (ENODEV: left out and noted), missing features of an older kernel (the newest attr bits
 * are dropped one by one), exclude_kernel where perf_event_paranoid demands it (noted). Anything
 * else is -errno and a line in @eb that names event, CPU or thread, reason, and the capability or
 * sysctl that helps.
 */
int evlist__open(struct evlist *l, const struct evlist_open_opts *o, struct errbuf *eb);
void evlist__close(struct evlist *l);
int evlist__enable(struct evlist *l);
int evlist__disable(struct evlist *l);
/* One event (of a group: with its leader). */
int evsel__enable(struct evlist *l, struct evsel *e);
int evsel__disable(struct evlist *l, struct evsel *e);
/* evsel__lost - samples of @e that found no room in the ring on CPU index @cpu (PERF_FORMAT_LOST,
 * Linux 6.0; all threads). False: this kernel does not tell. */
bool evsel__lost(struct evlist *l, struct evsel *e, int cpu, u64 *lost);
/* Descriptors in a stable order: cb(ctx, evsel, fd, cpu (-1: any), tid (-1: all)); a non-zero
 * return stops and is returned. */
int evlist__each_fd(struct evlist *l, struct evsel *only,
		    int (*cb)(void *ctx, struct evsel *e, int fd, int cpu, pid_t tid), void *ctx);
/* The same with PERF_EVENT_IOC_ID of each. */
int evlist__each_id(struct evlist *l,
		    int (*cb)(void *ctx, struct evsel *e, u64 id, int cpu, pid_t tid), void *ctx);
const struct cpu_map *evlist__cpus(const struct evlist *l);
const struct thread_map *evlist__threads(const struct evlist *l);
int evlist__id2evsel(struct evlist *l, u64 id, struct evsel **e); /* by PERF_EVENT_IOC_ID */

/* ---- ring buffers ---- */
/* evlist__mmap - one ring of @pages (a power of two) data pages per CPU (or per thread); events of
 * a CPU share it. EPERM names perf_event_mlock_kb and halves the size down to what is allowed,
 * which is noted. @overwrite: events whose attr.write_backward was set before they were opened get
 * a second, overwritable ring there. */
int evlist__mmap(struct evlist *l, unsigned int pages, bool overwrite, struct errbuf *eb);
int evlist__nr_rings(const struct evlist *l);
int evlist__ring_cpu(const struct evlist *l, int ring);
bool evlist__ring_overwrite(const struct evlist *l, int ring);
size_t evlist__ring_size(const struct evlist *l, int ring); /* data bytes */
/* evlist__pause - stops (or lets go on) output into the overwritable rings, which are only read
 * while they stand still. 0 or -errno. */
int evlist__pause(struct evlist *l, bool pause);
/* evlist__all_ended - every task (or CPU) whose events feed the rings is gone, as evlist__poll()
 * saw: what is in the rings is all there will be. */
bool evlist__all_ended(const struct evlist *l);
/* evlist__poll - waits until a ring passed its wakeup mark, @extra_fd (or -1) is readable, or
 * @timeout_ms; as poll(2), but -errno (-EINTR) on failure. */
int evlist__poll(struct evlist *l, int extra_fd, int timeout_ms);
/* evlist__drain - hands every record now in ring @ring to cb, in ring order; a record that wraps is
 * copied. Records are valid during the call only. Returns the count, or cb's negative return. */
typedef int (*ring_cb)(void *ctx, int ring, const struct perf_event_header *ev);
int evlist__drain(struct evlist *l, int ring, ring_cb cb, void *ctx);
/* evlist__peek / consume - the raw span [*p1,+*n1) then [*p2,+*n2) of a ring, for writers that copy
 * whole spans. */
u64 evlist__peek(struct evlist *l, int ring, const void **p1, size_t *n1, const void **p2,
		 size_t *n2);
void evlist__consume(struct evlist *l, int ring, u64 bytes);

/* ---- parsed samples ---- */
struct perf_sample {
	u64 ip, time, addr, id, stream_id, period, weight, data_src, transaction, phys_addr, cgroup;
	u64 data_page_size, code_page_size;
	u32 pid, tid, cpu, raw_size;
	const void *raw_data;
	const u64 *callchain; /* nr entries with PERF_CONTEXT_* markers, or NULL */
	u64 callchain_nr;
	const u64 *branch; /* struct perf_branch_entry[branch_nr], or NULL */
	u64 branch_nr, branch_hw_idx;
	u64 user_abi, intr_abi;
	const u64 *user_regs, *intr_regs; /* in mask order, or NULL */
	const void *user_stack;
	u64 user_stack_size, user_stack_dyn;
	const void *aux_data; /* PERF_SAMPLE_AUX payload, for carrying through; or NULL */
	u64 aux_size;
	const void *read; /* PERF_SAMPLE_READ payload, parsed by stat/session with attr.read_format;
			     or NULL */
	u64 read_size;
	u16 ins_lat, p_stage_cyc;
	u8 cpumode; /* PERF_RECORD_MISC_CPUMODE of the header */
};
/*
 * perf_sample__parse - a PERF_RECORD_SAMPLE (any sample_type) or, for other kernel records with
 * sample_id_all, their trailing sample_id. Byte order is the host's (the session swaps first). All
 * sizes are checked against the record: -EBADMSG when it is cut or lies. Layout:
 * linux/perf_event.h.
 */
int perf_sample__parse(const struct perf_event_attr *attr, const struct perf_event_header *ev,
		       struct perf_sample *s);

#endif
