// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/api/fs.h"

#define LINE_BUF (32 * 1024)

static ssize_t read_some(int fd, char *buf, size_t n)
{
	ssize_t r;

	do
		r = read(fd, buf, n);
	while (r < 0 && errno == EINTR);
	return r < 0 ? -errno : r;
}

/* Until @n bytes or the end of the file. */
static ssize_t read_full(int fd, char *buf, size_t n)
{
	size_t len = 0;

	while (len < n) {
		ssize_t r = read_some(fd, buf + len, n - len);

		if (r < 0)
			return r;
		if (!r)
			break;
		len += r;
	}
	return len;
}

ssize_t fs__read_at(int dirfd, const char *path, char *buf, size_t size)
{
	int fd = openat(dirfd, path, O_RDONLY | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		return -errno;
	n = read_full(fd, buf, size - 1);
	close(fd);
	if (n >= 0)
		buf[n] = 0;
	return n;
}

ssize_t fs__read_line(const char *path, char *buf, size_t size)
{
	ssize_t n = fs__read_at(AT_FDCWD, path, buf, size);

	while (n > 0 && isspace((unsigned char)buf[n - 1]))
		buf[--n] = 0;
	return n;
}

char *fs__read_all(int dirfd, const char *path, size_t max, size_t *len)
{
	size_t cap = 4096, n = 0;
	int fd = openat(dirfd, path, O_RDONLY | O_CLOEXEC);
	char *buf, *p;
	ssize_t r;

	if (fd < 0)
		return NULL;
	buf = malloc(cap);
	while (buf) {
		r = read_full(fd, buf + n, cap - 1 - n);
		if (r < 0) {
			errno = -r;
			goto fail;
		}
		n += r;
		if (n < cap - 1)
			break;
		if (n > max) {
			errno = EFBIG;
			goto fail;
		}
		cap *= 2;
		p = realloc(buf, cap);
		if (!p)
			goto fail;
		buf = p;
	}
	close(fd);
	if (buf && n > max) {
		free(buf);
		errno = EFBIG;
		return NULL;
	}
	if (buf)
		buf[n] = 0;
	if (buf && len)
		*len = n;
	return buf;
fail:
	r = errno;
	close(fd);
	free(buf);
	errno = r;
	return NULL;
}

int fs__read_s64(const char *path, s64 *v)
{
	char buf[64], *end;
	ssize_t n = fs__read_line(path, buf, sizeof(buf));

	if (n < 0)
		return n;
	errno = 0;
	*v = strtoll(buf, &end, 0);
	return errno || end == buf || *end ? -EINVAL : 0;
}

/* Hands on the complete lines of buf[0..*len) and moves the rest to its front. @skip: the line that
 * the buffer begins in was too long. */
static int split_lines(char *buf, size_t *len, bool *skip, int (*cb)(void *, char *), void *ctx)
{
	char *p = buf, *end = buf + *len, *nl;
	int ret = 0;

	while (!ret && (nl = memchr(p, '\n', end - p))) {
		*nl = 0;
		if (!*skip)
			ret = cb(ctx, p);
		*skip = false;
		p = nl + 1;
	}
	*len = end - p;
	memmove(buf, p, *len);
	if (*len == LINE_BUF - 1) {
		*skip = true;
		*len = 0;
	}
	return ret;
}

int fs__each_line(const char *path, int (*cb)(void *ctx, char *line), void *ctx)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), ret = 0;
	bool skip = false;
	size_t len = 0;
	char *buf;

	if (fd < 0)
		return -errno;
	buf = malloc(LINE_BUF);
	if (!buf)
		ret = -ENOMEM;
	while (!ret) {
		ssize_t n = read_some(fd, buf + len, LINE_BUF - 1 - len);

		if (n <= 0) {
			ret = n;
			break;
		}
		len += n;
		ret = split_lines(buf, &len, &skip, cb, ctx);
	}
	if (!ret && len && !skip) { /* a last line without its newline */
		buf[len] = 0;
		ret = cb(ctx, buf);
	}
	free(buf);
	close(fd);
	return ret;
}

int fs__each_entry(int dirfd, const char *path, int (*cb)(void *ctx, const char *name), void *ctx)
{
	int fd = openat(dirfd, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), ret = 0;
	struct dirent *e;
	DIR *d;

	if (fd < 0)
		return -errno;
	d = fdopendir(fd);
	if (!d) {
		ret = -errno;
		close(fd);
		return ret;
	}
	while (!ret && (errno = 0, e = readdir(d))) {
		if (strcmp(e->d_name, ".") && strcmp(e->d_name, ".."))
			ret = cb(ctx, e->d_name);
	}
	if (!ret && !e && errno)
		ret = -errno;
	closedir(d);
	return ret;
}
