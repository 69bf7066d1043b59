/* SPDX-License-Identifier: GPL-2.0-only */
/* Numbers into a caller's buffer, for lines printed by the million. No terminating NUL; each
 * returns the end. At most NUMFMT_MAX bytes are written. */
#ifndef PERF_OUTPUT_NUMFMT_H
#define PERF_OUTPUT_NUMFMT_H

#include <string.h>

#include "compiler.h"

#define NUMFMT_MAX 24

extern const char numfmt_pairs[200]; /* "00" "01" ... "99" */

/* numfmt__dec2 - two digits of @v < 100. */
static inline char *numfmt__dec2(char *p, u32 v)
{
	memcpy(p, numfmt_pairs + v * 2, 2);
	return p + 2;
}

static inline int numfmt__dec_len(u64 v)
{
	int n = 1;

	for (; v >= 10000; v /= 10000)
		n += 4;
	return n + (v >= 10) + (v >= 100) + (v >= 1000);
}

static inline char *numfmt__dec(char *p, u64 v)
{
	int n = numfmt__dec_len(v);
	char *end = p + n, *q = end;

	while (v >= 100) {
		q -= 2;
		numfmt__dec2(q, v % 100);
		v /= 100;
	}
	if (v >= 10)
		numfmt__dec2(q - 2, v);
	else
		q[-1] = '0' + v;
	return end;
}

static inline char *numfmt__base2(char *p, u64 v, int shift, const char *digits)
{
	int bits = v ? 64 - __builtin_clzll(v) : 1, n = (bits + shift - 1) / shift;
	char *q = p + n;

	do {
		*--q = digits[v & ((1 << shift) - 1)];
		v >>= shift;
	} while (q > p);
	return p + n;
}

static inline char *numfmt__hex(char *p, u64 v)
{
	return numfmt__base2(p, v, 4, "0123456789abcdef");
}

static inline char *numfmt__hex_upper(char *p, u64 v)
{
	return numfmt__base2(p, v, 4, "0123456789ABCDEF");
}

static inline char *numfmt__oct(char *p, u64 v)
{
	return numfmt__base2(p, v, 3, "01234567");
}

/* numfmt__copy - @n bytes, 16 at a time: up to 15 more are read from @src and written behind the
 * end, so both need that room. */
static inline char *numfmt__copy(char *p, const char *src, u32 n)
{
	u32 i = 0;

	do {
		memcpy(p + i, src + i, 16);
		i += 16;
	} while (i < n);
	return p + n;
}

/* numfmt__pad - @n blanks (none when negative). */
static inline char *numfmt__pad(char *p, int n)
{
	if (n <= 0)
		return p;
	memset(p, ' ', n);
	return p + n;
}

/* numfmt__dec_zero - @v < 10^width with leading zeroes; @width even. */
static inline char *numfmt__dec_zero(char *p, u32 v, int width)
{
	for (char *q = p + width; q > p; v /= 100) {
		q -= 2;
		numfmt__dec2(q, v % 100);
	}
	return p + width;
}

#endif
