/* SPDX-License-Identifier: GPL-2.0-only */
/* One-value files of /sys. Paths are relative to /sys: "devices/system/cpu/online". */
#ifndef PERF_API_SYSFS_H
#define PERF_API_SYSFS_H

#include <sys/types.h>

#include "compiler.h"

/* sysfs__read_int - the number (decimal or 0x hex) in the file. 0 or -errno, -EINVAL: no number. */
int sysfs__read_int(const char *rel, s64 *v);
/* sysfs__read_str - the text without its newline, cut at @size - 1; the length or -errno. */
ssize_t sysfs__read_str(const char *rel, char *buf, size_t size);
/* sysfs__each - the names in a folder; a non-zero return of @cb ends it and is returned. */
int sysfs__each(const char *rel, int (*cb)(void *ctx, const char *name), void *ctx);

#endif
