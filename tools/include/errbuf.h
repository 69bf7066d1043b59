/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The error buffer: how a library tells a command what went wrong.
 *
 * Libraries never print and never exit. A function that can fail takes a `struct errbuf *` (which
 * may be NULL), returns 0 or -errno (or NULL with errno set), and leaves one line here that names
 * what was tried, on what, why it failed and what to do. The command prints it behind its own name.
 */
#ifndef PERF_ERRBUF_H
#define PERF_ERRBUF_H

#include <stdarg.h>
#include <stdbool.h>

struct errbuf {
	char msg[2048]; /* NUL-terminated, no trailing newline; empty: no error yet */
};

/*
 * errbuf__set - replace the message, printf style; control characters that came in with untrusted
 * text are escaped. Always returns @err (so that `return errbuf__set(eb, -ENOENT, ...)` reads well)
 * and sets errno to -@err.
 */
int errbuf__set(struct errbuf *eb, int err, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* errbuf__append - add to the message, printf style; cut when full. */
void errbuf__append(struct errbuf *eb, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* errbuf__prefix - put text in front of the message that is there (e.g. "file X: "). */
void errbuf__prefix(struct errbuf *eb, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static inline bool errbuf__empty(const struct errbuf *eb)
{
	return !eb || !eb->msg[0];
}

#endif
