// SPDX-License-Identifier: GPL-2.0-only
/* Reading kallsyms text. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/symbol/kallsyms.h"

#define MAX_KALLSYMS (256u << 20)

char *kallsyms__read(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	size_t cap = 8u << 20, len = 0;
	char *buf, *p;

	if (fd < 0)
		return NULL;
	buf = malloc(cap + 1);
	while (buf) {
		ssize_t n = read(fd, buf + len, cap - len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			if (n < 0) {
				free(buf);
				buf = NULL;
			}
			break;
		}
		len += (size_t)n;
		if (len < cap)
			continue;
		cap *= 2;
		p = cap <= MAX_KALLSYMS ? realloc(buf, cap + 1) : NULL;
		if (!p) {
			free(buf);
			errno = EFBIG;
		}
		buf = p;
	}
	close(fd);
	if (!buf)
		return NULL;
	buf[len] = 0;
	p = realloc(buf, len + 1);
	return p ?: buf;
}

/* Of hexadecimal digits their value + 1, of all else 0. */
static const u8 digit_of[256] = {
	['0'] = 1,  ['1'] = 2,	['2'] = 3,  ['3'] = 4,	['4'] = 5,  ['5'] = 6,
	['6'] = 7,  ['7'] = 8,	['8'] = 9,  ['9'] = 10, ['a'] = 11, ['b'] = 12,
	['c'] = 13, ['d'] = 14, ['e'] = 15, ['f'] = 16, ['A'] = 11, ['B'] = 12,
	['C'] = 13, ['D'] = 14, ['E'] = 15, ['F'] = 16,
};

int kallsyms__parse(char *text, int (*cb)(const struct kallsyms_symbol *s, void *data), void *data)
{
	char *p = text;

	while (*p) {
		struct kallsyms_symbol s = {.module = ""};
		char *line = p, *eol = strchrnul(p, '\n'), *q;
		int d, err;

		p = *eol ? eol + 1 : eol;
		*eol = 0;
		for (q = line; (d = digit_of[(u8)*q]); q++)
			s.addr = s.addr << 4 | (u64)(d - 1);
		if (q == line || *q != ' ' || !q[1] || q[2] != ' ' || !q[3])
			continue;
		s.type = q[1];
		s.name = q + 3;
		for (q += 3; *q && *q != '\t' && *q != ' ';)
			q++;
		if (*q) {
			char *close;

			*q++ = 0;
			q += strspn(q, "\t [");
			close = strchr(q, ']');
			if (close)
				*close = 0;
			s.module = q;
		}
		err = cb(&s, data);
		if (err)
			return err;
	}
	return 0;
}

int kallsyms__stream_fd(int fd, int (*cb)(const struct kallsyms_symbol *s, void *data), void *data)
{
	size_t cap = 1 << 16, len = 0;
	char *buf = malloc(cap + 1);
	int err = buf ? 0 : -ENOMEM;

	while (!err) {
		ssize_t n = read(fd, buf + len, cap - len);
		char *last, saved;

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			err = -errno;
		if (n <= 0)
			break;
		len += (size_t)n;
		last = memrchr(buf, '\n', len);
		if (!last) {
			if (len == cap) /* no line is that long */
				err = -EBADMSG;
			continue;
		}
		saved = last[1];
		last[1] = 0;
		err = kallsyms__parse(buf, cb, data);
		last[1] = saved;
		len -= (size_t)(last + 1 - buf);
		memmove(buf, last + 1, len);
	}
	if (!err && len) {
		buf[len] = 0;
		err = kallsyms__parse(buf, cb, data);
	}
	free(buf);
	return err;
}

int kallsyms__stream(const char *path, int (*cb)(const struct kallsyms_symbol *s, void *data),
		     void *data)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), err;

	if (fd < 0)
		return -errno;
	err = kallsyms__stream_fd(fd, cb, data);
	close(fd);
	return err;
}

int kallsyms__restricted(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	char buf[4096];
	ssize_t n;

	if (fd < 0)
		return -errno;
	n = read(fd, buf, sizeof(buf) - 1);
	close(fd);
	if (n <= 0)
		return n ? -errno : 1;
	buf[n] = 0;
	for (char *p = buf; p && *p; p = strchr(p, '\n'), p = p ? p + 1 : NULL)
		if (strtoull(p, NULL, 16))
			return 0;
	return 1;
}
