/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * --filter on decoded arguments.
 *
 *   filename ~ "/etc/" "*" && ret < 0      (written as one string, with a glob)
 *   flags & O_CREAT && !(comm == "sh")
 *   fd == 3 || fd ~ "socket:*"             (a descriptor compares as number or by its path)
 *   errno == ENOENT, duration > 1.5 (ms), syscall ~ "open*", pid, tid, cpu
 *
 * Operators: == != < <= > >= ~ !~ & && || ! ( ). An argument that the call does not have makes its
 * comparison false. Names of flags and enum values (with or without their prefix), of errors and of
 * signals are constants.
 */
#ifndef PERF_TRACE_FILTER_H
#define PERF_TRACE_FILTER_H

#include "trace/decode.h"

struct trace_filter;

/* trace_filter__new - parses; NULL with errno EINVAL, @eb naming the column and what was expected.
 */
struct trace_filter *trace_filter__new(const struct trace_table *t, const char *expr,
				       struct errbuf *eb);
void trace_filter__delete(struct trace_filter *f);
/* trace_filter__match - true when the record passes. */
bool trace_filter__match(const struct trace_filter *f, struct decoder *d,
			 const struct trace_record *r);
/* trace_record__has_path - -P: the call takes path @path, by name or by a descriptor of it. */
bool trace_record__has_path(struct decoder *d, const struct trace_record *r, const char *path);

#endif
