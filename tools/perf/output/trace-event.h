/* SPDX-License-Identifier: GPL-2.0-only */
/* perf trace's events beside calls: tracepoints named with -e, page faults, scheduler run times. */
#ifndef PERF_OUTPUT_TRACE_EVENT_H
#define PERF_OUTPUT_TRACE_EVENT_H

#include "bpf/trace.h"
#include "errbuf.h"
#include "lib/api/outbuf.h"
#include "trace/record.h"

struct trace_events;

struct trace_events *trace_events__new(void); /* NULL: no memory */
void trace_events__delete(struct trace_events *e);
/* trace_events__add - the tracepoints that "sys:name" (both may be globs) stands for. -ENOENT with
 * @eb when there is none. */
int trace_events__add(struct trace_events *e, const char *word, struct errbuf *eb);
/* trace_events__add_faults - "all", "min", "maj". */
int trace_events__add_faults(struct trace_events *e, const char *which, struct errbuf *eb);
/* trace_events__add_sched - --sched: run times, added up per thread instead of printed. */
int trace_events__add_sched(struct trace_events *e, struct errbuf *eb);
/* trace_events__specs - for the engine. */
const struct trace_event_spec *trace_events__specs(const struct trace_events *e, int *nr);

/* The record's event: its name; the text behind it. */
const char *trace_events__name(const struct trace_events *e, const struct trace_record *r);
void trace_events__print(struct trace_events *e, const struct trace_record *r, struct outbuf *ob);
/* trace_events__is_fault - args[0] is the address, args[1] the instruction. */
bool trace_events__is_fault(const struct trace_events *e, const struct trace_record *r);
/* trace_events__accrue - true when the record was one of --sched and has been added up. */
bool trace_events__accrue(struct trace_events *e, const struct trace_record *r);
/* trace_events__print_sched - the table of run times. */
void trace_events__print_sched(struct trace_events *e, struct outbuf *ob);

#endif
