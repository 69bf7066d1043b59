/* SPDX-License-Identifier: GPL-2.0-only */
/* Between trace-output.c and the formats: one struct of callbacks each. */
#ifndef PERF_OUTPUT_TRACE_INT_H
#define PERF_OUTPUT_TRACE_INT_H

#include <time.h>

#include "output/trace-output.h"
#include "output/trace-repeat.h"

struct trace_output_ops {
	const char *name;
	enum trace_style style;
	/* A finished call (or one that never returns). @continued: its first half was printed. */
	void (*call)(struct trace_output *out, const struct trace_record *r, bool continued,
		     struct outbuf *ob);
	/* The first half of a call that is still in the kernel. NULL: not in this format. */
	void (*entry)(struct trace_output *out, const struct trace_record *r, struct outbuf *ob);
	void (*event)(struct trace_output *out, const struct trace_record *r, struct outbuf *ob);
	void (*signal)(struct trace_output *out, const struct trace_record *r, struct outbuf *ob);
	void (*exited)(struct trace_output *out, const struct trace_record *r, struct outbuf *ob);
};

extern const struct trace_output_ops trace_output_text, trace_output_strace, trace_output_json;

/* A thread as it is named at the head of a line; kept, as most lines are of few threads. */
struct trace_head {
	u32 tid;
	u32 len;
	char comm[16];
	char text[80];
};
#define TRACE_NR_HEADS 64

struct trace_output {
	const struct trace_output_ops *ops;
	struct trace_output_opts o;
	struct decoder *d;
	u64 base;	  /* ns: relative times count from here */
	u64 ms;		  /* text: the last line's whole milliseconds, */
	char ms_text[12]; /* as they are printed */
	u32 *open_tids;	  /* threads whose call was printed by its first half */
	u32 nr_open, max_open;
	time_t second; /* strace: the text of this second of the day is in clock[] */
	char clock[9];
	struct trace_head heads[TRACE_NR_HEADS]; /* by tid */
	struct trace_repeat repeats[TRACE_NR_REPEATS];
	struct outbuf tmp; /* JSON: an event's text before it is quoted */
};

/* Bytes appended to @ob so far, whatever was flushed meanwhile. */
static inline u64 outbuf__pos(const struct outbuf *ob)
{
	return ob->total + ob->len;
}
/* trace_record__time - when the line's call or event happened: its entry where that is known. */
static inline u64 trace_record__time(const struct trace_record *r)
{
	return r->flags & TR_NO_ENTRY || !r->time_enter ? r->time_exit : r->time_enter;
}
/* trace_record__has_duration - both ends were seen. */
static inline bool trace_record__has_duration(const struct trace_record *r)
{
	return !(r->flags & (TR_NO_ENTRY | TR_NO_EXIT)) && r->time_exit >= r->time_enter;
}
void trace_output__stack(struct trace_output *out, const struct trace_record *r, struct outbuf *ob);

#endif
