// SPDX-License-Identifier: GPL-2.0-only
/* zstd streams of COMPRESSED records. */
#include <errno.h>
#include <stdlib.h>
#include <sys/types.h>
#include <zstd.h>

#include "session/zstd.h"

/* Largest window a stream may ask memory for: what level 22 uses, and no more. */
#define WINDOW_LOG_MAX 27

struct zstd_in {
	ZSTD_DCtx *ctx;
	ZSTD_inBuffer in;
	bool more; /* the last read filled its buffer: the decoder may hold output back */
};

struct zstd_in *zstd_in__new(void)
{
	struct zstd_in *z = calloc(1, sizeof(*z));

	if (!z)
		return NULL;
	z->ctx = ZSTD_createDCtx();
	if (!z->ctx ||
	    ZSTD_isError(ZSTD_DCtx_setParameter(z->ctx, ZSTD_d_windowLogMax, WINDOW_LOG_MAX))) {
		zstd_in__delete(z);
		errno = ENOMEM;
		return NULL;
	}
	return z;
}

void zstd_in__delete(struct zstd_in *z)
{
	if (!z)
		return;
	ZSTD_freeDCtx(z->ctx);
	free(z);
}

void zstd_in__feed(struct zstd_in *z, const void *data, size_t size)
{
	z->in = (ZSTD_inBuffer){.src = data, .size = size};
	z->more = false;
}

ssize_t zstd_in__read(struct zstd_in *z, void *buf, size_t cap, struct errbuf *eb)
{
	ZSTD_outBuffer out = {.dst = buf, .size = cap};

	while (out.pos < cap && (z->in.pos < z->in.size || z->more)) {
		size_t in_before = z->in.pos, out_before = out.pos;
		size_t ret = ZSTD_decompressStream(z->ctx, &out, &z->in);

		if (ZSTD_isError(ret))
			return errbuf__set(eb, -EBADMSG, "cannot decompress: %s",
					   ZSTD_getErrorName(ret));
		z->more = out.pos == cap;
		if (z->in.pos == in_before && out.pos == out_before)
			break;
	}
	return out.pos;
}

struct zstd_out {
	ZSTD_CCtx *ctx;
};

struct zstd_out *zstd_out__new(int level)
{
	struct zstd_out *z = calloc(1, sizeof(*z));

	if (!z)
		return NULL;
	z->ctx = ZSTD_createCCtx();
	if (!z->ctx ||
	    ZSTD_isError(ZSTD_CCtx_setParameter(z->ctx, ZSTD_c_compressionLevel, level))) {
		zstd_out__delete(z);
		errno = ENOMEM;
		return NULL;
	}
	return z;
}

void zstd_out__delete(struct zstd_out *z)
{
	if (!z)
		return;
	ZSTD_freeCCtx(z->ctx);
	free(z);
}

ssize_t zstd_out__pack(struct zstd_out *z, const void *data, size_t size, size_t *consumed,
		       void *buf, size_t cap)
{
	ZSTD_inBuffer in = {.src = data, .size = size};
	ZSTD_outBuffer out = {.dst = buf, .size = cap};
	size_t ret;

	do {
		ret = ZSTD_compressStream2(z->ctx, &out, &in, ZSTD_e_flush);
		if (ZSTD_isError(ret))
			return -EINVAL;
	} while (ret && out.pos < cap);
	*consumed = in.pos;
	return out.pos;
}
