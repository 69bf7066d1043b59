/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tracepoint text. An event's print format is compiled once into a list of operations (literal
 * text, integers, strings, flags, symbols, arrays ...); printing a record then costs no parse and
 * no allocation. The text is libtraceevent's, byte for byte, with two differences on purpose:
 * control characters in a record's strings are escaped, and a string or array that reaches past the
 * record's end is cut there. (The library itself is not used: its parser and its printer trust what
 * they are given.) Of an event whose print format is not understood, the fields are printed.
 */
#ifndef PERF_OUTPUT_TRACEPOINT_H
#define PERF_OUTPUT_TRACEPOINT_H

#include <stdbool.h>

#include "compiler.h"
#include "lib/api/outbuf.h"

struct tp_format;
struct tep_formats;
struct tracepoint;

/* tracepoint__new - @format and @formats (which knows the strings behind pointers; may be NULL) are
 * borrowed and must outlive it. NULL with errno on lack of memory. */
struct tracepoint *tracepoint__new(const struct tp_format *format,
				   const struct tep_formats *formats);
void tracepoint__delete(struct tracepoint *t);
/* tracepoint__print - the record's text, without a newline. @raw is PERF_SAMPLE_RAW's payload, its
 * size is checked against every access. */
void tracepoint__print(struct tracepoint *t, const void *raw, u32 size, struct outbuf *ob);
/* tracepoint__compiled - false: the print format was not understood. */
bool tracepoint__compiled(const struct tracepoint *t);

#endif
