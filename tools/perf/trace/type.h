/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Layouts of structs that calls take and give. The common ones are described in tables-types.c (the
 * kernel's ABI, which does not change); any other comes from the running kernel's BTF (btf.c).
 */
#ifndef PERF_TRACE_TYPE_H
#define PERF_TRACE_TYPE_H

#include <stdbool.h>

#include "compiler.h"
#include "errbuf.h"
#include "trace/set.h"

struct trace_type;

struct trace_field {
	const char *name; /* "" for a scalar that is the whole type */
	u8 name_len;
	u8 kind;    /* enum trace_kind: TK_INT ... TK_FLAGS, TK_STR: char array, TK_STRUCT */
	u8 special; /* TK_SPECIAL: enum trace_special */
	bool brief; /* strace shows it in its short form */
	bool is_signed;
	u16 off;   /* bytes from the start of the struct */
	u16 size;  /* bytes of one element: 1, 2, 4, 8; char arrays and structs: all of it */
	u16 count; /* array elements, 1 for none */
	u8 bit_off, bit_size; /* bit fields (from BTF): within .size bytes at .off */
	const struct trace_set *set;
	const struct trace_type *type; /* TK_STRUCT */
};

/* Structs that have a way of their own: decode-struct.c. */
enum trace_type_special {
	TT_NONE,
	TT_SIGACTION, /* restorer only where flags say so */
	TT_SIGINFO,   /* a union by signal and code */
	TT_STAT,      /* device number of device files alone */
	TT_POLLFD,    /* strace: events before the call, revents after it */
	TT_EPOLL,
	TT_TIMESPEC_UT, /* UTIME_NOW, UTIME_OMIT */
	TT_SIGEVENT,
	TT_CLONE_ARGS, /* strace leaves out what is 0 */
	TT_OPEN_HOW,   /* likewise the mode */
	TT_TIME_UT,    /* strace adds the date */
	TT_CAP_DATA,   /* two of them are one set of 64 */
};

struct trace_type {
	const char *name;
	u16 size;
	u16 nr_fields;
	bool brief;  /* some fields are marked: strace style ends with ", ..." */
	bool scalar; /* one field without a name */
	u8 special;  /* enum trace_type_special */
	const struct trace_field *fields;
};

struct trace_type_spec {
	const char *name; /* "stat"; "stat@32" is its i386 layout */
	u16 size;
	const char *fields;
};

struct trace_type_spec_list {
	const struct trace_type_spec *spec;
	u32 nr;
};
extern const struct trace_type_spec_list trace_type_specs;

struct trace_types;

/* trace_types__new - compiles the built-in descriptions. NULL with errno and @eb. */
struct trace_types *trace_types__new(struct errbuf *eb);
void trace_types__delete(struct trace_types *t);
/* trace_types__find - the layout of struct @name in a 32-bit (@compat) or this machine's ABI; NULL
 * when it is not described. */
const struct trace_type *trace_types__find(const struct trace_types *t, const char *name, u32 len,
					   bool compat);
u32 trace_types__nr(const struct trace_types *t);
const struct trace_type *trace_types__at(const struct trace_types *t, u32 i);

#endif
