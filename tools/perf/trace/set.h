/* SPDX-License-Identifier: GPL-2.0-only */
/* Sets of names: the flags that may be OR-ed, or the values of an enumeration. Data in
 * tables-sets-*.c; numbers are those of the kernel's uapi headers. */
#ifndef PERF_TRACE_SET_H
#define PERF_TRACE_SET_H

#include <stdbool.h>

#include "compiler.h"

struct trace_name {
	u64 val;
	const char *name; /* in full: "O_CREAT" */
};

struct trace_set {
	const char *id;	    /* as the table writes it: "open" */
	const char *prefix; /* what upstream's style leaves out: "O_" */
	const struct trace_name *names;
	u32 nr;
	u64 mask;	     /* of flags: these bits are no flags but hold one value (O_ACCMODE) */
	bool octal;	     /* what is left over is written in octal: IPC_CREAT|0600 */
	const char *zero;    /* the name of 0, where it has one that is not in names */
	const char *unknown; /* what strace writes behind a value that has no name: "O_???" */
};

struct trace_set_list {
	const struct trace_set *set;
	u32 nr;
};

extern const struct trace_set_list trace_sets_file, trace_sets_task, trace_sets_net,
	trace_sets_misc;

/* trace_set__find - the set named @id, NULL when there is none. */
const struct trace_set *trace_set__find(const char *id, u32 len);
/* trace_set__name - the exact name of one value, NULL when it has none. */
const char *trace_set__name(const struct trace_set *s, u64 val);
/* trace_set__short - a name as upstream prints it: without the set's prefix. */
const char *trace_set__short(const struct trace_set *s, const char *name);
/* trace_set__value - the value of a name, with or without the prefix. true when found. */
bool trace_set__value(const struct trace_set *s, const char *name, u32 len, u64 *val);

/* For the data files. */
#define X(n)                 \
	{                    \
		(u64)(n), #n \
	}
#define SET(i, p, ...)                                                                  \
	{                                                                               \
		.id = #i, .prefix = p, .names = i##_names, .nr = ARRAY_SIZE(i##_names), \
		##__VA_ARGS__                                                           \
	}

#endif
