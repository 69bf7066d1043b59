/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One large output buffer in front of a file descriptor or in memory. All commands print through
 * this: appending costs a copy, numbers are formatted without printf, and a write error is kept and
 * reported once.
 */
#ifndef PERF_API_OUTBUF_H
#define PERF_API_OUTBUF_H

#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

#include "compiler.h"

struct outbuf {
	char *buf;
	size_t len, cap;
	int fd;	   /* -1: memory only, grows without bound */
	int err;   /* first write error as -errno (-EPIPE: reader gone), sticky; later output is
		      dropped */
	u64 total; /* bytes handed to write(2) so far */
};

/* outbuf__init - @cap bytes of buffer (0: 256 KiB) in front of @fd; @fd is borrowed, not closed. 0
 * or -ENOMEM. */
int outbuf__init(struct outbuf *ob, int fd, size_t cap);
/* outbuf__exit - frees the buffer without flushing. */
void outbuf__exit(struct outbuf *ob);
/* outbuf__flush - writes all out, retrying short writes; returns ob->err. */
int outbuf__flush(struct outbuf *ob);
/* outbuf__reserve - room for @n more bytes; returns where to write them (then add to len), never
 * NULL for n <= 4096. */
char *outbuf__reserve_slow(struct outbuf *ob, size_t n);
static inline char *outbuf__reserve(struct outbuf *ob, size_t n)
{
	return likely(ob->cap - ob->len >= n) ? ob->buf + ob->len : outbuf__reserve_slow(ob, n);
}

void outbuf__write_slow(struct outbuf *ob, const void *data, size_t n);
static inline void outbuf__write(struct outbuf *ob, const void *data, size_t n)
{
	if (likely(ob->cap - ob->len >= n)) {
		memcpy(ob->buf + ob->len, data, n);
		ob->len += n;
	} else {
		outbuf__write_slow(ob, data, n);
	}
}
void outbuf__printf(struct outbuf *ob, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void outbuf__vprintf(struct outbuf *ob, const char *fmt, va_list ap);
/* Decimal, right-aligned in @width (0: no padding); hex in lower case without 0x, at least @width
 * digits padded by @pad. */
void outbuf__dec(struct outbuf *ob, u64 v, int width);
void outbuf__sdec(struct outbuf *ob, s64 v, int width);
void outbuf__hex(struct outbuf *ob, u64 v, int width, char pad);
/* outbuf__safe - untrusted text for a terminal: control characters and DEL as \xNN, \n, \t; UTF-8
 * kept. */
void outbuf__safe(struct outbuf *ob, const char *s, size_t n);
/* outbuf__json - @s as a JSON string with its quotes; invalid UTF-8 becomes U+FFFD. */
void outbuf__json(struct outbuf *ob, const char *s, size_t n);
/* outbuf__pad - @n blanks. */
void outbuf__pad(struct outbuf *ob, size_t n);

static inline void outbuf__puts(struct outbuf *ob, const char *s)
{
	outbuf__write(ob, s, strlen(s));
}

static inline void outbuf__putc(struct outbuf *ob, char c)
{
	char *p = outbuf__reserve(ob, 1);

	*p = c;
	ob->len++;
}

#endif
