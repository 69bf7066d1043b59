/* SPDX-License-Identifier: GPL-2.0-only */
/* Builds trace records for tests: one at a time, in a static buffer. */
#ifndef PERF_TESTS_TRACE_RECORD_H
#define PERF_TESTS_TRACE_RECORD_H

#include <stdlib.h>
#include <string.h>

#include "trace/decode.h"

static u64 rec_buf[16384];
#define rec ((struct trace_record *)rec_buf)

static inline void rec_new(const struct trace_table *t, const char *call, s64 ret, int nr_args,
			   const u64 *args)
{
	memset(rec_buf, 0, sizeof(rec_buf));
	rec->size = sizeof(*rec);
	rec->nr = trace_table__number(t, TRACE_ABI_64, call);
	rec->pid = rec->tid = 5463;
	rec->ret = ret;
	rec->time_enter = 1000000000;
	rec->time_exit = 1000023000;
	strcpy(rec->comm, "ls");
	for (int i = 0; i < nr_args; i++)
		rec->args[i] = args[i];
}
#define REC(call, ret, ...)                                                           \
	do {                                                                          \
		const u64 args_[] = {__VA_ARGS__};                                    \
		rec_new(table, call, ret, (int)(sizeof(args_) / sizeof(u64)), args_); \
	} while (0)
#define REC0(call, ret) rec_new(table, call, ret, 0, NULL)

static inline struct trace_blob *rec_blob(int arg, int kind, int when, const void *data, u32 len)
{
	struct trace_blob *b = (struct trace_blob *)((u8 *)rec_buf + rec->size);

	*b = (struct trace_blob){
		.arg = (u8)arg, .kind = (u8)kind, .when = (u8)when, .len = len, .orig_len = len};
	if (len)
		memcpy(b + 1, data, len);
	rec->size += sizeof(*b) + ((len + 7) & ~7u);
	rec->nr_blobs++;
	return b;
}
#define STR_IN(arg, s) rec_blob(arg, CAP_STRING, CAP_ENTRY, s, (u32)strlen(s))
#define BUF_IN(arg, s) rec_blob(arg, CAP_BUFFER, CAP_ENTRY, s, (u32)sizeof(s) - 1)
#define BUF_OUT(arg, s) rec_blob(arg, CAP_BUFFER, CAP_EXIT, s, (u32)sizeof(s) - 1)
#define OBJ_IN(arg, o) rec_blob(arg, CAP_STRUCT, CAP_ENTRY, &(o), sizeof(o))
#define OBJ_OUT(arg, o) rec_blob(arg, CAP_STRUCT, CAP_EXIT, &(o), sizeof(o))

#endif
