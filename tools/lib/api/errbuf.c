// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "errbuf.h"

/* Untrusted text (a file name, a tracee's string) must not drive the terminal. */
static void escape_controls(struct errbuf *eb, size_t from)
{
	for (char *p = eb->msg + from; *p; p++)
		if ((unsigned char)*p < ' ' && *p != '\n' && *p != '\t')
			*p = '?';
		else if ((unsigned char)*p == 0x7f)
			*p = '?';
}

static void vappend(struct errbuf *eb, size_t from, const char *fmt, va_list ap)
{
	vsnprintf(eb->msg + from, sizeof(eb->msg) - from, fmt, ap);
	escape_controls(eb, from);
}

int errbuf__set(struct errbuf *eb, int err, const char *fmt, ...)
{
	va_list ap;

	if (eb) {
		va_start(ap, fmt);
		vappend(eb, 0, fmt, ap);
		va_end(ap);
	}
	errno = -err;
	return err;
}

void errbuf__append(struct errbuf *eb, const char *fmt, ...)
{
	va_list ap;

	if (!eb)
		return;
	va_start(ap, fmt);
	vappend(eb, strlen(eb->msg), fmt, ap);
	va_end(ap);
}

void errbuf__prefix(struct errbuf *eb, const char *fmt, ...)
{
	char old[sizeof(eb->msg)];
	va_list ap;

	if (!eb)
		return;
	memcpy(old, eb->msg, sizeof(old));
	va_start(ap, fmt);
	vappend(eb, 0, fmt, ap);
	va_end(ap);
	strncat(eb->msg, old, sizeof(eb->msg) - strlen(eb->msg) - 1);
}
