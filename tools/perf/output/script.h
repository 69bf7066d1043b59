/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What `perf script` prints: which fields of which event types, which samples, in which format. The
 * default lines and all fields follow upstream perf 6.x, byte for byte, so that what parses those
 * parses these.
 */
#ifndef PERF_OUTPUT_SCRIPT_H
#define PERF_OUTPUT_SCRIPT_H

#include <stdbool.h>

#include "compiler.h"
#include "errbuf.h"
#include "lib/api/outbuf.h"
#include "lib/symbol/unwind.h"
#include "session/machine.h"
#include "session/session.h"

struct script;
struct tep_formats;

/* ---- fields (-F) ---- */
/* X(name in -F, suffix of the constant) */
#define SCRIPT_FIELDS(X)                    \
	X("comm", COMM)                     \
	X("tid", TID)                       \
	X("pid", PID)                       \
	X("time", TIME)                     \
	X("cpu", CPU)                       \
	X("event", EVENT)                   \
	X("trace", TRACE)                   \
	X("ip", IP)                         \
	X("sym", SYM)                       \
	X("dso", DSO)                       \
	X("dsoff", DSOFF)                   \
	X("addr", ADDR)                     \
	X("symoff", SYMOFF)                 \
	X("srcline", SRCLINE)               \
	X("srccode", SRCCODE)               \
	X("period", PERIOD)                 \
	X("iregs", IREGS)                   \
	X("uregs", UREGS)                   \
	X("brstack", BRSTACK)               \
	X("brstacksym", BRSTACKSYM)         \
	X("brstackoff", BRSTACKOFF)         \
	X("flags", FLAGS)                   \
	X("data_src", DATA_SRC)             \
	X("weight", WEIGHT)                 \
	X("ins_lat", INS_LAT)               \
	X("bpf-output", BPF_OUTPUT)         \
	X("callindent", CALLINDENT)         \
	X("synth", SYNTH)                   \
	X("phys_addr", PHYS_ADDR)           \
	X("data_page_size", DATA_PAGE_SIZE) \
	X("code_page_size", CODE_PAGE_SIZE) \
	X("misc", MISC)                     \
	X("cgroup", CGROUP)                 \
	X("tod", TOD)

enum script_field_bit {
#define X(name, id) SCRIPT_BIT_##id,
	SCRIPT_FIELDS(X)
#undef X
		SCRIPT_NR_FIELDS
};
enum script_field {
#define X(name, id) SCRIPT_##id = 1ULL << SCRIPT_BIT_##id,
	SCRIPT_FIELDS(X)
#undef X
};

/* Events are printed by their attr.type; what is beyond PERF_TYPE_MAX (PMUs of their own) is OTHER.
 */
enum script_type {
	SCRIPT_TYPE_SYNTH = PERF_TYPE_MAX,
	SCRIPT_TYPE_OTHER,
	SCRIPT_NR_TYPES,
};

struct script_fields {
	struct {
		u64 fields;    /* what is printed */
		u64 asked;     /* fields that the user named: an error where not recorded */
		bool user_set; /* by -F at all */
		bool any_type; /* ... without naming the type */
	} type[SCRIPT_NR_TYPES];
};

void script_fields__init(struct script_fields *f); /* upstream's defaults */
/*
 * script_fields__parse - one -F argument: "[TYPE:]FIELD,..." where each field may have + or -
 * before it (added to, taken from what is set), TYPE is hw, sw, trace, raw, break or synth. Fields
 * that a type cannot have are left out with a line through @warn unless the type was named. 0, or
 * -EINVAL with @eb.
 */
int script_fields__parse(struct script_fields *f, const char *arg,
			 void (*warn)(void *ctx, const char *line), void *ctx, struct errbuf *eb);
/*
 * script_fields__check - against what was recorded: default fields that are not there are dropped;
 * asked ones that are not there, or make no sense without another, are an error: -EINVAL with @eb.
 * @callchains: chains are printed, so that tracepoints with one show addresses and symbols too.
 */
int script_fields__check(struct script_fields *f, struct perf_session *s, bool callchains,
			 struct errbuf *eb);
enum script_type script_type__of(const struct perf_event_attr *attr);

/* ---- which samples ---- */
struct script_filter; /* script-filter.c */
struct script_filter_opts {
	const char *time; /* --time: "START,STOP", "A%/N", "A%-B%", several by blanks or commas */
	const char *cpus; /* -C */
	const char *pids, *tids, *comms, *syms, *dsos;
	u64 addr_range; /* --addr-range: of addresses in syms, the bytes behind them too */
};
/* script_filter__new - NULL with @eb on a malformed list, or percentages of a file that does not
 * tell its first and last sample's time. */
struct script_filter *script_filter__new(const struct script_filter_opts *o,
					 const struct perf_session *s, struct errbuf *eb);
void script_filter__delete(struct script_filter *f);
/* By what is in the sample alone; then by the thread's name; then by what its address resolves to.
 * true: print it. */
bool script_filter__sample(const struct script_filter *f, const struct perf_sample *s);
bool script_filter__cpu(const struct script_filter *f, u32 cpu);
bool script_filter__has_comm(const struct script_filter *f);
bool script_filter__comm(const struct script_filter *f, const char *comm);
bool script_filter__has_location(const struct script_filter *f);
bool script_filter__location(const struct script_filter *f, const struct addr_location *al);

/* ---- printing ---- */
enum script_show {
	SCRIPT_SHOW_TASK = 1 << 0,
	SCRIPT_SHOW_MMAP = 1 << 1,
	SCRIPT_SHOW_SWITCH = 1 << 2,
	SCRIPT_SHOW_LOST = 1 << 3,
	SCRIPT_SHOW_NAMESPACE = 1 << 4,
	SCRIPT_SHOW_BPF = 1 << 5,
	SCRIPT_SHOW_CGROUP = 1 << 6,
	SCRIPT_SHOW_TEXT_POKE = 1 << 7,
	SCRIPT_SHOW_ROUND = 1 << 8,
};

struct script_opts {
	struct script_fields fields;
	bool nanoseconds; /* --ns */
	bool reltime, deltatime;
	bool no_callchain; /* -G */
	bool no_inline;
	bool full_source_path;
	bool show_kernel_path;
	bool dump;     /* -D */
	bool mark_cut; /* -v: a line behind the frames of a stack whose dump ends too early */
	bool annotate; /* --folded=annotate: _[k] kernel, _[i] inlined */
	enum unwind_method unwind;
	int max_stack;		 /* frames of a chain; 0: 127 */
	bool latency;		 /* -L: narrow columns */
	bool check_order;	 /* -d: nothing is printed but what comes too early */
	bool per_event;		 /* --per-event-dump */
	const char *on, *off;	 /* --switch-on, --switch-off: names of events */
	bool show_on_off;	 /* these themselves, too */
	const char *stop_frames; /* --stop-bt: no caller of these symbols is shown */
	u32 show;		 /* SCRIPT_SHOW_* */
	void (*warn)(void *ctx, const char *line);
	void *warn_ctx;
};

enum script_format { SCRIPT_TEXT, SCRIPT_JSON, SCRIPT_FOLDED };

/* script__new - @session, @machine and @ob are borrowed. Events are read from the session as its
 * first sample arrives. NULL with errno and @eb. */
struct script *script__new(const struct script_opts *o, enum script_format format,
			   struct perf_session *session, struct machine *machine, struct outbuf *ob,
			   struct errbuf *eb);
void script__delete(struct script *s);
/* script__ops - what to hand to perf_session__process(); @ops->ctx is @s. A write error of @ob (a
 * closed pipe) stops the processing with its -errno. */
void script__ops(struct script *s, struct session_ops *ops);
/* script_dump__raw - for -D, from session_opts.raw: a record that the session uses up itself and
 * hands to no callback (attrs, features, compressed data); others are left to script__ops(). */
void script_dump__raw(struct outbuf *ob, const char *path, u64 offset,
		      const struct perf_event_header *rec);
/* script__finish - what is printed only at the end (folded stacks). */
int script__finish(struct script *s);

/* script__set_filter - borrowed; NULL: all samples. */
void script__set_filter(struct script *s, struct script_filter *f);
/* script__say_stats - what the user has to know at the end, through opts.warn: stacks that were cut
 * by the dump's size, and which --call-graph dwarf,N would have held them. */
void script__say_stats(const struct script *s);
/* Samples printed, and those whose user stack was cut by the dump size (--call-graph dwarf). */
u64 script__nr_samples(const struct script *s);
u64 script__nr_cut_stacks(const struct script *s);
/* Samples of kernel code for which no symbol was found though symbols were asked for. */
u64 script__nr_kernel_unnamed(const struct script *s);

#endif
