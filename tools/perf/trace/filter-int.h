/* SPDX-License-Identifier: GPL-2.0-only */
/* Between the filter's parser and its evaluator. */
#ifndef PERF_TRACE_FILTER_INT_H
#define PERF_TRACE_FILTER_INT_H

#include "trace/filter.h"

#define FILTER_MAX_NODES 128

enum filter_op {
	FOP_NUM,
	FOP_STR,
	FOP_CONST, /* a name: its value hangs on the argument it is compared with */
	FOP_ARG,
	FOP_RET,
	FOP_ERRNO,
	FOP_DURATION, /* ms */
	FOP_COMM,
	FOP_PID,
	FOP_TID,
	FOP_CPU,
	FOP_SYSCALL,
	FOP_EQ,
	FOP_NE,
	FOP_LT,
	FOP_LE,
	FOP_GT,
	FOP_GE,
	FOP_MATCH,
	FOP_NMATCH,
	FOP_BITAND,
	FOP_NOT,
	FOP_AND,
	FOP_OR,
};

struct filter_node {
	enum filter_op op;
	s16 a, b; /* operands' nodes */
	bool is_dbl;
	s64 num;
	double dbl;
	u32 len, field_len;
	char text[256]; /* string, name of a constant or an argument */
	char field[64]; /* ARG: a member of its struct */
};

struct trace_filter {
	u32 nr;
	s16 root;
	struct filter_node nodes[FILTER_MAX_NODES];
};

#endif
