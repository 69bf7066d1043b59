/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * zstd as COMPRESSED records use it: one stream over the whole file, flushed at the end of each
 * record, so that each record can be unpacked when it is met.
 */
#ifndef PERF_SESSION_ZSTD_H
#define PERF_SESSION_ZSTD_H

#include "compiler.h"
#include "errbuf.h"

struct zstd_in;
struct zstd_out;

struct zstd_in *zstd_in__new(void);
void zstd_in__delete(struct zstd_in *z);
/* zstd_in__feed - the compressed bytes of the next record; borrowed until zstd_in__read() gave 0.
 */
void zstd_in__feed(struct zstd_in *z, const void *data, size_t size);
/* zstd_in__read - up to @cap bytes of what they unpack to. 0: all given out; -EBADMSG with @eb. */
ssize_t zstd_in__read(struct zstd_in *z, void *buf, size_t cap, struct errbuf *eb);

struct zstd_out *zstd_out__new(int level);
void zstd_out__delete(struct zstd_out *z);
/*
 * zstd_out__pack - packs all of @data (and flushes) into @buf of @cap bytes. When that does not
 * suffice, *consumed is less than @size or the return is @cap: call again with what is left (maybe
 * nothing) until a call returns less than @cap. Returns the bytes in @buf or -EINVAL.
 */
ssize_t zstd_out__pack(struct zstd_out *z, const void *data, size_t size, size_t *consumed,
		       void *buf, size_t cap);

#endif
