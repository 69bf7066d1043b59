/* SPDX-License-Identifier: GPL-2.0-only */
/* The user call chain of a call, by names: perf trace --call-graph. */
#ifndef PERF_OUTPUT_TRACE_STACK_H
#define PERF_OUTPUT_TRACE_STACK_H

#include "errbuf.h"
#include "output/trace-output.h"

struct trace_stacks;

struct trace_stacks *trace_stacks__new(struct errbuf *eb);
void trace_stacks__delete(struct trace_stacks *s);
/* trace_stacks__print - trace_output_opts.print_stack; @arg: struct trace_stacks. Text: a line a
 * frame, innermost first, as upstream's; JSON: an array of {"ip","sym","dso"}. */
void trace_stacks__print(void *arg, const struct trace_record *r, const u64 *ips, u32 nr,
			 struct outbuf *ob, enum trace_format format);

/* trace_stacks__fault - text of a page fault: "[symbol+0x1f] => /usr/lib/libc.so.6@0x1234 (d.)":
 * where the program was, the file and offset (or area) touched; d: data, x: code, k: neither known.
 */
void trace_stacks__fault(struct trace_stacks *s, const struct trace_record *r, struct outbuf *ob);

#endif
