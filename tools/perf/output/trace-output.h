/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * perf trace's output: upstream's lines, strace's lines, JSON, one struct of callbacks each. A
 * record goes in once, in the order of time; the format decides what of it becomes a line.
 */
#ifndef PERF_OUTPUT_TRACE_OUTPUT_H
#define PERF_OUTPUT_TRACE_OUTPUT_H

#include <stdbool.h>

#include "compiler.h"
#include "errbuf.h"
#include "lib/api/outbuf.h"
#include "trace/decode.h"

enum trace_format { TRACE_FORMAT_TEXT, TRACE_FORMAT_STRACE, TRACE_FORMAT_JSON };

struct trace_output_opts {
	enum trace_format format;
	bool absolute_time; /* -T, --time: monotonic seconds instead of time since the first call */
	bool no_comm;	    /* --no-comm: tid only */
	bool no_tid;   /* a single thread is traced and no others can follow: no comm/tid column */
	bool show_cpu; /* --show-cpu */
	bool color;    /* a terminal, or --color always */
	u64 base_time; /* ns, CLOCK_MONOTONIC: what relative times count from; 0: first call */
	s64 realtime_offset; /* CLOCK_REALTIME - CLOCK_MONOTONIC in ns, for strace's -tt times */
	/* The user stack of a TR_STACK record; NULL: addresses in hex. */
	void (*print_stack)(void *arg, const struct trace_record *r, const u64 *ips, u32 nr,
			    struct outbuf *ob, enum trace_format format);
	/* Text of a TR_EVENT record's event ("sched:sched_switch" and its fields), and its name. */
	void (*print_event)(void *arg, const struct trace_record *r, struct outbuf *ob);
	const char *(*event_name)(void *arg, const struct trace_record *r);
	void *arg;
};

struct trace_output;

/* trace_output__new - @d (borrowed) must have the style that the format needs: see
 * trace_format__style(). */
struct trace_output *trace_output__new(struct decoder *d, const struct trace_output_opts *o,
				       struct errbuf *eb);
void trace_output__delete(struct trace_output *out);
enum trace_style trace_format__style(enum trace_format f);
/* trace_format__parse - "text", "strace", "json"; -EINVAL with the names in @eb. */
int trace_format__parse(const char *name, enum trace_format *f, struct errbuf *eb);

/* trace_output__record - one record's line(s). Calls decoder__update() last. */
void trace_output__record(struct trace_output *out, const struct trace_record *r,
			  struct outbuf *ob);
/*
 * trace_output__entry - a call that has not returned although it began long ago: text and strace
 * print the line's first half now (`...`, `<unfinished ...>`), the record that follows later prints
 * the second. @r: the call so far, TR_NO_EXIT. JSON ignores it.
 */
void trace_output__entry(struct trace_output *out, const struct trace_record *r, struct outbuf *ob);

#endif
