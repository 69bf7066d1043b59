// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>

#include "lib/api/fs.h"
#include "lib/api/sysfs.h"

static int full_path(const char *rel, char *path, size_t size)
{
	return (size_t)snprintf(path, size, "/sys/%s", rel) < size ? 0 : -ENAMETOOLONG;
}

int sysfs__read_int(const char *rel, s64 *v)
{
	char path[4096];
	int err = full_path(rel, path, sizeof(path));

	return err ? err : fs__read_s64(path, v);
}

ssize_t sysfs__read_str(const char *rel, char *buf, size_t size)
{
	char path[4096];
	int err = full_path(rel, path, sizeof(path));

	return err ? err : fs__read_line(path, buf, size);
}

int sysfs__each(const char *rel, int (*cb)(void *ctx, const char *name), void *ctx)
{
	char path[4096];
	int err = full_path(rel, path, sizeof(path));

	return err ? err : fs__each_entry(AT_FDCWD, path, cb, ctx);
}
