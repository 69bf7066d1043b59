/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A tracepoint's format, as the kernel's `events/SYSTEM/NAME/format` in tracefs tells it and a
 * recording carries it: where its fields are, and how it is printed. The text comes out of a file
 * that anybody may have written; whatever it says, a parse ends with a sound tree or an error.
 *
 *	name: NAME
 *	ID: NUMBER
 *	format:
 *		field:TYPE NAME;	offset:N;	size:N;	signed:N;
 *		...
 *	print fmt: "TEXT" "TEXT"..., EXPRESSION, ...
 *
 * Expressions are C's without assignments, and the kernel's helpers for flags, symbols, strings and
 * arrays.
 */
#ifndef PERF_SESSION_TP_FORMAT_H
#define PERF_SESSION_TP_FORMAT_H

#include <stdbool.h>

#include "compiler.h"

struct tp_field {
	const char *name, *type; /* "comm", "char" (without brackets) */
	u32 offset, size;	 /* bytes of the record, below 65536 */
	u32 elem_size;		 /* of an array's element; of another field its size; 0: unknown */
	bool is_common;		 /* common_type, common_pid ...: of every event */
	bool is_signed, is_array, is_pointer, is_long;
	bool is_string;	  /* an array of characters */
	bool is_dynamic;  /* __data_loc, __rel_loc: it tells where the data is, and how long */
	bool is_relative; /* __rel_loc: from the field's own end */
};

enum tp_arg_kind {
	TP_ARG_NUMBER,	/* .number */
	TP_ARG_STRING,	/* .text */
	TP_ARG_NAME,	/* .text: an identifier that nothing is known of */
	TP_ARG_FIELD,	/* .field, NULL: the event has none of that name */
	TP_ARG_CAST,	/* .a cut to .number bytes */
	TP_ARG_UNARY,	/* .op of .a: - ! ~ */
	TP_ARG_BINARY,	/* .a .op .b */
	TP_ARG_COND,	/* .a ? .b : .c */
	TP_ARG_INDEX,	/* .a[.b] */
	TP_ARG_FLAGS,	/* __print_flags(.a, .text, .names) */
	TP_ARG_SYMBOL,	/* __print_symbolic(.a, .names) */
	TP_ARG_HEX,	/* __print_hex(.a, .b) */
	TP_ARG_HEX_STR, /* __print_hex_str(.a, .b) */
	TP_ARG_ARRAY,	/* __print_array(.a, .b, .c) */
	TP_ARG_STR,	/* __get_str(.field) */
	TP_ARG_DYN,	/* __get_dynamic_array(.field) */
	TP_ARG_DYN_LEN, /* __get_dynamic_array_len(.field) */
	TP_ARG_BITMASK, /* __get_bitmask(.field) */
	TP_ARG_CPUMASK, /* __get_cpumask(.field) */
};

enum tp_op_kind {
	TP_OP_NOT,
	TP_OP_BITNOT,
	TP_OP_NEG,
	TP_OP_MUL,
	TP_OP_DIV,
	TP_OP_MOD,
	TP_OP_ADD,
	TP_OP_SUB,
	TP_OP_SHL,
	TP_OP_SHR,
	TP_OP_LT,
	TP_OP_LE,
	TP_OP_GT,
	TP_OP_GE,
	TP_OP_EQ,
	TP_OP_NE,
	TP_OP_AND,
	TP_OP_XOR,
	TP_OP_OR,
	TP_OP_LAND,
	TP_OP_LOR,
};

/* One of __print_flags' or __print_symbolic's. */
struct tp_name {
	struct tp_name *next;
	s64 value; /* -1: negative, or nothing known by that name */
	const char *text;
};

struct tp_arg {
	struct tp_arg *next; /* of the print format's arguments */
	enum tp_arg_kind kind;
	enum tp_op_kind op;
	struct tp_arg *a, *b, *c;
	u64 number;
	const char *text;
	const struct tp_field *field;
	struct tp_name *names;
};

struct tp_format {
	const char *system, *name;
	u32 id;
	bool big_endian;	 /* byte order of the records */
	u8 long_size;		 /* of the recorded machine: 4 or 8 */
	struct tp_field *fields; /* in the order of the format, common ones first */
	u32 nr_fields;
	const char *print;	/* the text with its % conversions, escapes as they stand; NULL: not
				   understood */
	struct tp_arg *args;	/* what follows it */
	struct tp_arena *arena; /* all of the above is in here */
};

/* tp_format__parse - @text need not end in NUL. NULL with errno: -EINVAL when it is no format,
 * -ENOMEM. A print format that is not understood leaves .print NULL. */
struct tp_format *tp_format__parse(const char *system, const char *text, size_t size,
				   bool big_endian, int long_size);
void tp_format__delete(struct tp_format *f);
const struct tp_field *tp_format__field(const struct tp_format *f, const char *name);
/* tp_format__number - the number in a record's field, without sign. 0; -ENOENT (no such field, or
 * of an odd size), -EBADMSG (the record ends before it). */
int tp_format__number(const struct tp_format *f, const char *name, const void *record, u32 size,
		      u64 *v);
/* tp_op__apply - a binary operator over 64-bit numbers without sign; 0 for a division by 0. */
u64 tp_op__apply(enum tp_op_kind op, u64 a, u64 b);
/* tp_type__size - bytes of a C or kernel integer type ("unsigned long", "u8"), 0: not known. */
u32 tp_type__size(const char *type, int long_size);

#endif
