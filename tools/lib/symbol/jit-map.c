// SPDX-License-Identifier: GPL-2.0-only
/*
 * perf-PID.map: what a JIT compiler writes for us, "START SIZE name" a line in hex, in /tmp of its
 * own mount namespace, under its own pid there. Anyone can write to /tmp: the file counts only when
 * it belongs to the process's user or to root.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/api/procfs.h"
#include "lib/symbol/dso-internal.h"

#define MAX_MAP (512u << 20)

static bool other_mount_ns(pid_t pid)
{
	char path[64], own[64], its[64];
	ssize_t a, b;

	snprintf(path, sizeof(path), "/proc/%d/ns/mnt", pid);
	a = readlink("/proc/self/ns/mnt", own, sizeof(own));
	b = readlink(path, its, sizeof(its));
	return a > 0 && b > 0 && (a != b || memcmp(own, its, (size_t)a));
}

/* The pid in the innermost namespace and the real uid: 0, or -errno when it is gone. */
static int read_status(pid_t pid, pid_t *ns_pid, u32 *uid)
{
	struct proc_status st;
	int err = procfs__status(pid, &st);

	if (err)
		return err;
	*ns_pid = st.ns_pid ? st.ns_pid : pid;
	*uid = st.uid[0];
	return 0;
}

void jit_map__attach(struct dso *d)
{
	char path[64];

	d->ns_pid = d->pid;
	d->owner_known = !d->dsos->conf.foreign && !read_status(d->pid, &d->ns_pid, &d->owner);
	if (!d->owner_known || !other_mount_ns(d->pid))
		return;
	snprintf(path, sizeof(path), "/proc/%d/root/tmp", d->pid);
	d->root_fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

static int open_map(struct dso *d)
{
	char name[64];
	struct stat st;
	int dir = d->root_fd, fd, err;

	if (d->pid <= 0 || d->dsos->conf.foreign)
		return -ENOENT;
	if (!d->ns_pid)
		d->ns_pid = d->pid;
	snprintf(name, sizeof(name), "%sperf-%d.map", dir >= 0 ? "" : "/tmp/", d->ns_pid);
	fd = openat(dir, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
	if (fd < 0) {
		err = -errno;
		return dso__fail(d, err, "cannot open %s: %s", name, strerror(-err));
	}
	if (fstat(fd, &st) || !S_ISREG(st.st_mode) ||
	    (st.st_uid && st.st_uid != (d->owner_known ? d->owner : geteuid()))) {
		close(fd);
		return dso__fail(d, -EPERM, "%s belongs to another user", name);
	}
	return fd;
}

static char *read_all(int fd, u64 *size)
{
	struct stat st;
	size_t len = 0;
	char *p;

	if (fstat(fd, &st))
		return NULL;
	if (st.st_size > MAX_MAP) {
		errno = EFBIG;
		return NULL;
	}
	p = malloc((size_t)st.st_size + 1);
	while (p && len < (size_t)st.st_size) {
		ssize_t n = read(fd, p + len, (size_t)st.st_size - len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		len += (size_t)n;
	}
	if (p)
		p[len] = 0;
	*size = (u64)st.st_size;
	return p;
}

static int parse(struct symtab *st, char *text)
{
	char *line = text, *next;

	for (; line && *line; line = next) {
		char *p, *q;
		u64 start, size;

		next = strchr(line, '\n');
		if (!next) /* still being written */
			break;
		*next++ = 0;
		start = strtoull(line, &p, 16);
		if (p == line || *p != ' ')
			continue;
		size = strtoull(p, &q, 16);
		if (q == p || *q != ' ' || !q[1] || !size)
			continue;
		if (symtab__add(st, start, size, q + 1, STB_GLOBAL, STT_FUNC))
			return -ENOMEM;
	}
	return symtab__finish(st, NULL, 0, SYMTAB_LAST_WINS | SYMTAB_NO_DEMANGLE);
}

int jit_map__load(struct dso *d)
{
	struct symtab *st;
	char *text;
	int fd, err;

	d->jit_size = 0;
	fd = open_map(d);
	if (fd < 0)
		return fd;
	text = read_all(fd, &d->jit_size);
	err = text ? 0 : -errno;
	close(fd);
	if (err)
		return err;
	st = symtab__new();
	err = st ? symtab__own(st, text) : -ENOMEM;
	if (!st)
		free(text);
	if (!err)
		err = parse(st, text);
	if (err) {
		symtab__delete(st);
		return err;
	}
	/* what was handed out before has to stay: the old table is kept behind the new one */
	if (d->st)
		symtab__chain(st, d->st);
	d->st = st;
	return 0;
}

/* The file grows while the program runs: read again when it did. */
int jit_map__reload(struct dso *d)
{
	struct stat st;
	int fd, err;

	d->jit_misses++;
	if (d->jit_misses & (d->jit_misses - 1)) /* at the 1st, 2nd, 4th, 8th ... miss */
		return -ENOENT;
	fd = open_map(d);
	if (fd < 0)
		return fd;
	err = fstat(fd, &st) || (u64)st.st_size == d->jit_size ? -ENOENT : 0;
	close(fd);
	if (!err)
		err = jit_map__load(d);
	if (!err)
		d->symbols = LOADED;
	return err;
}
