// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "lib/subcmd/subcmd.h"

#define ERASE_LINE "\r\033[K"

int subcmd__verbose;

static const char *command_name;
static bool status_shown;

void subcmd__set_name(const char *name)
{
	command_name = name;
}

/* One write(2) a line, so that lines of several processes do not mix. */
static void put(const char *s, size_t n)
{
	while (n) {
		ssize_t w = write(STDERR_FILENO, s, n);

		if (w < 0 && errno == EINTR)
			continue;
		if (w <= 0)
			return;
		s += w;
		n -= w;
	}
}

/* Untrusted text must not drive the terminal; \n and \t are messages' own layout. */
static size_t make_safe(char *s)
{
	char *p = s;

	for (; *p; p++)
		if (((unsigned char)*p < ' ' && *p != '\n' && *p != '\t') || *p == 0x7f)
			*p = '?';
	return p - s;
}

void subcmd__vmessage(const char *kind, const char *fmt, va_list ap)
{
	char buf[4096];
	int n, room = sizeof(buf) - 2;

	n = snprintf(buf, room, "perf%s%s: %s", command_name ? " " : "",
		     command_name ? command_name : "", kind);
	if (n < room)
		vsnprintf(buf + n, room - n, fmt, ap);
	n = make_safe(buf);
	buf[n++] = '\n';
	pr_status_clear();
	put(buf, n);
}

#define MESSAGE(func, kind, cond)                \
	void func(const char *fmt, ...)          \
	{                                        \
		va_list ap;                      \
		if (!(cond))                     \
			return;                  \
		va_start(ap, fmt);               \
		subcmd__vmessage(kind, fmt, ap); \
		va_end(ap);                      \
	}

MESSAGE(pr_err, "", true)
MESSAGE(pr_warn, "warning: ", subcmd__verbose >= 0)
MESSAGE(pr_info, "", subcmd__verbose >= 0)
MESSAGE(pr_debug, "", subcmd__verbose > 0)

void pr_status(const char *fmt, ...)
{
	char buf[512] = ERASE_LINE;
	size_t n = strlen(ERASE_LINE), len;
	struct winsize ws;
	va_list ap;

	if (subcmd__verbose < 0 || !isatty(STDERR_FILENO))
		return;
	va_start(ap, fmt);
	vsnprintf(buf + n, sizeof(buf) - n, fmt, ap);
	va_end(ap);
	len = make_safe(buf + n);
	/* A line that wraps would not be erased as a whole. */
	if (!ioctl(STDERR_FILENO, TIOCGWINSZ, &ws) && ws.ws_col && len >= ws.ws_col)
		len = ws.ws_col - 1;
	put(buf, n + len);
	status_shown = true;
}

void pr_status_clear(void)
{
	if (status_shown)
		put(ERASE_LINE, strlen(ERASE_LINE));
	status_shown = false;
}
