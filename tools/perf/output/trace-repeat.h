/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Programs make the same call again and again: the same arguments, memory and result. What was
 * printed of the last such call is printed again without being decoded, as long as the decoder
 * knows neither more nor less than it did (decoder__generation()).
 */
#ifndef PERF_OUTPUT_TRACE_REPEAT_H
#define PERF_OUTPUT_TRACE_REPEAT_H

#include <stdbool.h>

#include "lib/api/outbuf.h"
#include "trace/record.h"

#define TRACE_NR_REPEATS 64    /* calls kept, by thread and number; a power of two */
#define TRACE_REPEAT_BLOBS 128 /* longer captured memory and */
#define TRACE_REPEAT_TEXT 256  /* longer text is not kept */

struct trace_repeat {
	u64 generation;
	u32 len; /* of text, 0: nothing is kept */
	struct trace_record rec;
	u8 blobs[TRACE_REPEAT_BLOBS];
	char text[TRACE_REPEAT_TEXT];
};

/* trace_repeat__at - where a call like @r is kept, of @repeats[TRACE_NR_REPEATS]; NULL for one
 * whose text depends on more than itself. */
struct trace_repeat *trace_repeat__at(struct trace_repeat *repeats, const struct trace_record *r);
/* trace_repeat__put - prints what is kept when it is of a call like @r; else false. */
bool trace_repeat__put(const struct trace_repeat *p, const struct trace_record *r, u64 generation,
		       struct outbuf *ob);
/* trace_repeat__keep - what was written to @ob since it was at @start (outbuf__pos()) is @r's. */
void trace_repeat__keep(struct trace_repeat *p, const struct trace_record *r, u64 generation,
			const struct outbuf *ob, u64 start);

#endif
