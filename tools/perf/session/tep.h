/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tracepoint formats: what a recorded file's tracing data (HEADER_TRACING_DATA, or the record of
 * that name in pipe mode) says about the layout and print format of its events.
 *
 * The tracing data is what perf record reads from tracefs, in this order (every number in the
 * recorded machine's byte order): 17 08 44 "tracing", version "0.6\0", u8 big endian, u8 size of a
 * long, u32 page size; "header_page\0" u64 size, text; "header_event\0" u64 size, text; u32 count
 * of ftrace formats, each u64 size, text; u32 count of systems, each "name\0", u32 count, each u64
 * size, text; u32 size, kallsyms; u32 size, printk formats; from version 0.6 on u64 size, saved
 * command lines.
 */
#ifndef PERF_SESSION_TEP_H
#define PERF_SESSION_TEP_H

#include <stdbool.h>

#include "compiler.h"
#include "errbuf.h"

struct tp_format;
struct tep_formats;

/* tep_formats__new - an empty set for records of this byte order and size of long (4 or 8). NULL
 * with errno on lack of memory. */
struct tep_formats *tep_formats__new(bool big_endian, int long_size);
/*
 * tep_formats__parse - the set from a file's tracing data. A format that cannot be parsed is left
 * out (counted in tep_formats__failed()); a section that lies about its sizes ends the parse: what
 * was read before it stays, unless nothing could be read: then NULL, errno, and a line in @eb.
 */
struct tep_formats *tep_formats__parse(const void *data, size_t size, struct errbuf *eb);
void tep_formats__delete(struct tep_formats *f);

/* tep_formats__add - one event from its format file's text. 0, -EINVAL (not a format), -EEXIST (its
 * id is taken), -ENOMEM. */
int tep_formats__add(struct tep_formats *f, const char *system, const char *text, size_t size);
/* tep_formats__find - by the event's id (attr.config of a tracepoint); NULL when not there. */
const struct tp_format *tep_formats__find(const struct tep_formats *f, u64 id);
/* tep_formats__printk - the constant string that the recorded kernel has at @addr (its
 * printk_formats), without quotes; NULL: none. */
const char *tep_formats__printk(const struct tep_formats *f, u64 addr);
/* tep_formats__truncated - the section ended early or was malformed; why, or NULL. */
const char *tep_formats__truncated(const struct tep_formats *f);
/* tep_formats__failed - how many formats could not be parsed. */
unsigned int tep_formats__failed(const struct tep_formats *f);

/*
 * tep_formats__set_resolver - how %ps and %pS find a kernel symbol: @find returns the name and sets
 * *start, or NULL. The name must stay valid.
 */
typedef const char *(*tep_symbol_cb)(void *ctx, u64 addr, u64 *start);
void tep_formats__set_resolver(struct tep_formats *f, tep_symbol_cb find, void *ctx);
/* tep_formats__symbol - what @find says; NULL where there is none. */
const char *tep_formats__symbol(const struct tep_formats *f, u64 addr, u64 *start);

#endif
