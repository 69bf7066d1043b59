/* SPDX-License-Identifier: GPL-2.0-only */
/* Reading the kernel's text files: bounded, restarted after signals, NUL-terminated. */
#ifndef PERF_API_FS_H
#define PERF_API_FS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "compiler.h"
#include "errbuf.h"

/* fs__read_at - up to @size - 1 bytes of @path (below @dirfd) into @buf, NUL added; the length or
 * -errno. What does not fit is cut. */
ssize_t fs__read_at(int dirfd, const char *path, char *buf, size_t size);
/* fs__read_line - the same without the trailing newline and blanks; for one-value files. */
ssize_t fs__read_line(const char *path, char *buf, size_t size);
/* fs__read_all - the whole file, malloc'd and NUL-terminated; *len may be NULL. More than @max
 * bytes: NULL with EFBIG. Other errors: NULL with errno. */
char *fs__read_all(int dirfd, const char *path, size_t max, size_t *len);
/* fs__read_s64 - the one number (decimal or 0x hex) that the file holds. 0, -errno, or -EINVAL when
 * it is none. */
int fs__read_s64(const char *path, s64 *v);

/*
 * fs__each_line - calls @cb with each line of @path (no newline, NUL-terminated, writable), in
 * chunks, so that the file may be of any size; a line longer than 32 KiB is skipped. A non-zero
 * return of
 * @cb ends it and is returned; else 0 or -errno.
 */
int fs__each_line(const char *path, int (*cb)(void *ctx, char *line), void *ctx);

/* fs__each_entry - the names in a folder (without . and ..), in no order; as above. */
int fs__each_entry(int dirfd, const char *path, int (*cb)(void *ctx, const char *name), void *ctx);

#endif
