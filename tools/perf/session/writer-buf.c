// SPDX-License-Identifier: GPL-2.0-only
/* Sections put together in memory. */
#include <stdlib.h>
#include <string.h>

#include "session/writer-internal.h"

#define STRING_ALIGN 64 /* as upstream pads */

void wbuf__put(struct wbuf *b, const void *data, size_t n)
{
	if (b->bad)
		return;
	if (b->n + n > b->cap) {
		size_t cap = max_t(size_t, b->cap * 2, b->n + n + 256);
		u8 *p = realloc(b->p, cap);

		if (!p) {
			b->bad = true;
			return;
		}
		b->p = p;
		b->cap = cap;
	}
	if (n)
		memcpy(b->p + b->n, data, n);
	b->n += n;
}

void wbuf__u32(struct wbuf *b, u32 v)
{
	wbuf__put(b, &v, sizeof(v));
}

void wbuf__u64(struct wbuf *b, u64 v)
{
	wbuf__put(b, &v, sizeof(v));
}

static void zeros(struct wbuf *b, size_t n)
{
	static const u8 zero[STRING_ALIGN];

	wbuf__put(b, zero, n);
}

void wbuf__str(struct wbuf *b, const char *s)
{
	size_t n = strlen(s) + 1, padded = (n + STRING_ALIGN - 1) & ~(STRING_ALIGN - 1UL);

	wbuf__u32(b, padded);
	wbuf__put(b, s, n);
	zeros(b, padded - n);
}

void wbuf__pad(struct wbuf *b, size_t align)
{
	zeros(b, (align - b->n % align) % align);
}

void wbuf__set_u32(struct wbuf *b, size_t at, u32 v)
{
	if (!b->bad)
		memcpy(b->p + at, &v, sizeof(v));
}

void wbuf__free(struct wbuf *b)
{
	free(b->p);
	memset(b, 0, sizeof(*b));
}
