// SPDX-License-Identifier: GPL-2.0-only
/* The user's cache directory. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/symbol/cache-dir.h"

#define MAX_FILES 256

int cache_dir__open(void)
{
	const char *base = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	char dir[PATH_MAX];
	struct stat st;
	int n, fd;

	if (base && base[0] == '/')
		n = snprintf(dir, sizeof(dir) - 8, "%s", base);
	else if (home && home[0] == '/')
		n = snprintf(dir, sizeof(dir) - 8, "%s/.cache", home);
	else
		return -ENOENT;
	if (n < 0 || (size_t)n >= sizeof(dir) - 8)
		return -ENAMETOOLONG;
	mkdir(dir, 0700);
	/* under sudo the home may be another user's: leave nothing of ours there */
	if (stat(dir, &st) || st.st_uid != geteuid())
		return -EPERM;
	strcpy(dir + n, "/perf");
	if (mkdir(dir, 0700) && errno != EEXIST)
		return -errno;
	fd = open(dir, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	if (fstat(fd, &st) || st.st_uid != geteuid() || st.st_mode & 022) {
		close(fd);
		return -EPERM;
	}
	return fd;
}

struct entry {
	struct timespec time;
	char name[NAME_MAX + 1];
};

static int newest_first(const void *va, const void *vb)
{
	const struct entry *a = va, *b = vb;

	if (a->time.tv_sec != b->time.tv_sec)
		return a->time.tv_sec > b->time.tv_sec ? -1 : 1;
	return a->time.tv_nsec > b->time.tv_nsec ? -1 : a->time.tv_nsec < b->time.tv_nsec;
}

void cache_dir__drop(int dir, const char *prefix, u32 keep)
{
	int fd = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct entry *all = malloc(MAX_FILES * sizeof(*all));
	DIR *d = fd >= 0 ? fdopendir(fd) : NULL;
	struct dirent *e;
	struct stat st;
	u32 nr = 0;

	while (all && d && nr < MAX_FILES && (e = readdir(d))) {
		if (strncmp(e->d_name, prefix, strlen(prefix)) ||
		    fstatat(dir, e->d_name, &st, AT_SYMLINK_NOFOLLOW))
			continue;
		all[nr].time = st.st_mtim;
		snprintf(all[nr++].name, sizeof(all[0].name), "%s", e->d_name);
	}
	if (nr)
		qsort(all, nr, sizeof(*all), newest_first);
	for (u32 i = keep; i < nr; i++)
		unlinkat(dir, all[i].name, 0);
	if (d)
		closedir(d);
	else if (fd >= 0)
		close(fd);
	free(all);
}

int cache_dir__begin(int dir, char *tmp, size_t size)
{
	int fd;

	snprintf(tmp, size, "new-%d", gettid());
	unlinkat(dir, tmp, 0);
	fd = openat(dir, tmp, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	return fd >= 0 ? fd : -errno;
}

int cache_dir__commit(int dir, const char *tmp, const char *name, bool ok)
{
	if (ok && !renameat(dir, tmp, dir, name))
		return 0;
	unlinkat(dir, tmp, 0);
	return -EIO;
}
