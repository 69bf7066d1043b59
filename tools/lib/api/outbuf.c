// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "lib/api/outbuf.h"

#define OUTBUF_DEFAULT (256 * 1024)
#define OUTBUF_SLACK 8192 /* outbuf__reserve() of up to 4,096 bytes never fails */

int outbuf__init(struct outbuf *ob, int fd, size_t cap)
{
	*ob = (struct outbuf){.fd = fd, .cap = (cap ? cap : OUTBUF_DEFAULT)};
	if (ob->cap < OUTBUF_SLACK)
		ob->cap = OUTBUF_SLACK;
	ob->buf = malloc(ob->cap);
	return ob->buf ? 0 : -ENOMEM;
}

void outbuf__exit(struct outbuf *ob)
{
	free(ob->buf);
	ob->buf = NULL;
	ob->len = ob->cap = 0;
}

static void write_out(struct outbuf *ob, const char *p, size_t n)
{
	while (n && !ob->err) {
		ssize_t w = write(ob->fd, p, n);

		if (w >= 0) {
			p += w;
			n -= w;
			ob->total += w;
		} else if (errno == EAGAIN) {
			struct pollfd pfd = {.fd = ob->fd, .events = POLLOUT};

			poll(&pfd, 1, -1);
		} else if (errno != EINTR) {
			ob->err = -errno;
		}
	}
}

int outbuf__flush(struct outbuf *ob)
{
	if (ob->fd >= 0) {
		write_out(ob, ob->buf, ob->len);
		ob->len = 0;
	}
	return ob->err;
}

/* A memory buffer grows; where that fails the output is cut and the error kept. */
static bool grow(struct outbuf *ob, size_t need)
{
	size_t cap = ob->cap * 2;
	char *p;

	while (cap < need)
		cap *= 2;
	p = realloc(ob->buf, cap);
	if (!p) {
		ob->err = -ENOMEM;
		ob->len = 0;
		return ob->cap >= need;
	}
	ob->buf = p;
	ob->cap = cap;
	return true;
}

char *outbuf__reserve_slow(struct outbuf *ob, size_t n)
{
	if (unlikely(ob->cap - ob->len < n)) {
		if (ob->fd >= 0)
			outbuf__flush(ob);
		if (ob->cap - ob->len < n && !grow(ob, ob->len + n))
			return NULL;
	}
	return ob->buf + ob->len;
}

void outbuf__write_slow(struct outbuf *ob, const void *data, size_t n)
{
	char *p;

	if (n > ob->cap / 2 && ob->fd >= 0) {
		outbuf__flush(ob);
		write_out(ob, data, n);
		return;
	}
	p = outbuf__reserve(ob, n);
	if (!p)
		return;
	memcpy(p, data, n);
	ob->len += n;
}

void outbuf__vprintf(struct outbuf *ob, const char *fmt, va_list ap)
{
	char *p = outbuf__reserve(ob, 256);
	va_list again;
	int n;

	va_copy(again, ap);
	n = vsnprintf(p, ob->cap - ob->len, fmt, ap);
	if (n >= 0 && (size_t)n >= ob->cap - ob->len) {
		p = outbuf__reserve(ob, (size_t)n + 1);
		if (p)
			n = vsnprintf(p, (size_t)n + 1, fmt, again);
		else
			n = 0;
	}
	va_end(again);
	if (n > 0)
		ob->len += n;
}

void outbuf__printf(struct outbuf *ob, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	outbuf__vprintf(ob, fmt, ap);
	va_end(ap);
}

void outbuf__pad(struct outbuf *ob, size_t n)
{
	/* Mostly few: a copy of fixed size is some instructions, without a call. */
	static const char blanks[80] = "                                        "
				       "                                       ";

	if (likely(n < sizeof(blanks))) {
		memcpy(outbuf__reserve(ob, sizeof(blanks)), blanks, sizeof(blanks));
		ob->len += n;
		return;
	}
	while (n) {
		size_t c = n < 4096 ? n : 4096;
		char *p = outbuf__reserve(ob, c);

		memset(p, ' ', c);
		ob->len += c;
		n -= c;
	}
}

static const char two_digits[] = "00010203040506070809101112131415161718192021222324"
				 "25262728293031323334353637383940414243444546474849"
				 "50515253545556575859606162636465666768697071727374"
				 "75767778798081828384858687888990919293949596979899";

/* Writes @v so that it ends before @end; returns where it begins. */
static char *digits_before(char *end, u64 v)
{
	while (v >= 100) {
		end -= 2;
		memcpy(end, two_digits + v % 100 * 2, 2);
		v /= 100;
	}
	if (v >= 10) {
		end -= 2;
		memcpy(end, two_digits + v * 2, 2);
	} else {
		*--end = (char)('0' + v);
	}
	return end;
}

static int nr_digits(u64 v)
{
	static const u64 powers[] = {0,
				     10,
				     100,
				     1000,
				     10000,
				     100000,
				     1000000,
				     10000000,
				     100000000,
				     1000000000,
				     10000000000,
				     100000000000,
				     1000000000000,
				     10000000000000,
				     100000000000000,
				     1000000000000000,
				     10000000000000000,
				     100000000000000000,
				     1000000000000000000,
				     10000000000000000000u};
	/* 1233 / 4096 is log10(2), a bit less: right, or one too few */
	int n = (64 - __builtin_clzll(v | 1)) * 1233 >> 12;

	return n + (v >= powers[n]);
}

void outbuf__dec(struct outbuf *ob, u64 v, int width)
{
	int n = v ? nr_digits(v) : 1;

	if (width > n)
		outbuf__pad(ob, width - n);
	/* In place: bytes just written one by one are slow to be read back as a word. */
	digits_before(outbuf__reserve(ob, 20) + n, v);
	ob->len += n;
}

void outbuf__sdec(struct outbuf *ob, s64 v, int width)
{
	char tmp[24];
	int n;

	if (v >= 0) {
		outbuf__dec(ob, v, width);
		return;
	}
	n = snprintf(tmp, sizeof(tmp), "%lld", (long long)v);
	if (width > n)
		outbuf__pad(ob, width - n);
	outbuf__write(ob, tmp, n);
}

void outbuf__hex(struct outbuf *ob, u64 v, int width, char pad)
{
	static const char digits[] = "0123456789abcdef";
	int n = v ? (67 - __builtin_clzll(v)) / 4 : 1;
	char *p;

	for (; width > n + 32; width--) /* more than anybody pads to */
		outbuf__putc(ob, pad);
	p = outbuf__reserve(ob, 64);
	for (; width > n; width--) {
		*p++ = pad;
		ob->len++;
	}
	for (int i = n - 1; i >= 0; i--, v >>= 4)
		p[i] = digits[v & 15];
	ob->len += n;
}

/* How many bytes of @s are neither control characters nor DEL; eight at a time. */
static size_t clean_length(const char *s, size_t n)
{
	const u64 ones = 0x0101010101010101ULL, high = 0x8080808080808080ULL;
	size_t i = 0;

	for (; i + 8 <= n; i += 8) {
		u64 v, del;

		memcpy(&v, s + i, 8);
		del = v ^ ones * 0x7f;
		/* a byte below 0x20, or one that the xor made 0 */
		if ((((v - ones * 0x20) & ~v) | ((del - ones) & ~del)) & high)
			break;
	}
	while (i < n && (unsigned char)s[i] >= ' ' && s[i] != 0x7f)
		i++;
	return i;
}

void outbuf__safe(struct outbuf *ob, const char *s, size_t n)
{
	for (;;) {
		size_t clean = clean_length(s, n);
		unsigned char c;

		if (clean)
			outbuf__write(ob, s, clean);
		if (clean == n)
			return;
		c = s[clean];
		if (c == '\n')
			outbuf__puts(ob, "\\n");
		else if (c == '\t')
			outbuf__puts(ob, "\\t");
		else
			outbuf__printf(ob, "\\x%02x", c);
		s += clean + 1;
		n -= clean + 1;
	}
}

/* Length of the valid UTF-8 sequence at @s (1 to 4), or 0. Rejects overlong forms and surrogates.
 */
static int utf8_len(const unsigned char *s, size_t n)
{
	if (s[0] < 0x80)
		return 1;
	if (n >= 2 && s[0] >= 0xc2 && s[0] <= 0xdf && (s[1] & 0xc0) == 0x80)
		return 2;
	if (n >= 3 && (s[0] & 0xf0) == 0xe0 && (s[1] & 0xc0) == 0x80 && (s[2] & 0xc0) == 0x80 &&
	    !(s[0] == 0xe0 && s[1] < 0xa0) && !(s[0] == 0xed && s[1] > 0x9f))
		return 3;
	if (n >= 4 && s[0] >= 0xf0 && s[0] <= 0xf4 && (s[1] & 0xc0) == 0x80 &&
	    (s[2] & 0xc0) == 0x80 && (s[3] & 0xc0) == 0x80 && !(s[0] == 0xf0 && s[1] < 0x90) &&
	    !(s[0] == 0xf4 && s[1] > 0x8f))
		return 4;
	return 0;
}

void outbuf__json(struct outbuf *ob, const char *s, size_t n)
{
	outbuf__putc(ob, '"');
	while (n) {
		unsigned char c = *s;
		int l = utf8_len((const unsigned char *)s, n);

		if (c == '"' || c == '\\') {
			outbuf__putc(ob, '\\');
			outbuf__putc(ob, c);
		} else if (c == '\n') {
			outbuf__puts(ob, "\\n");
		} else if (c == '\t') {
			outbuf__puts(ob, "\\t");
		} else if (c < ' ' || c == 0x7f) {
			outbuf__printf(ob, "\\u%04x", c);
		} else if (l) {
			outbuf__write(ob, s, l);
		} else {
			outbuf__puts(ob, "\xef\xbf\xbd");
			l = 1;
		}
		s += l;
		n -= l;
	}
	outbuf__putc(ob, '"');
}
