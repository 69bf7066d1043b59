// SPDX-License-Identifier: GPL-2.0-only
/* Getting at the very file that a process has mapped. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/fs.h>
#include <linux/magic.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "lib/api/procfs.h"
#include "lib/symbol/dso-internal.h"

/* Descriptors kept open for files not read yet. */
#define MAX_OPEN 128

int dso__fail(struct dso *d, int err, const char *fmt, ...)
{
	char *msg = NULL;
	va_list ap;

	va_start(ap, fmt);
	if (vasprintf(&msg, fmt, ap) < 0)
		msg = NULL;
	va_end(ap);
	free(d->error);
	d->error = msg;
	return err;
}

/* Where device numbers of mmap records and of stat differ by design. */
static bool device_unreliable(int fd)
{
	struct statfs sf;

	if (fstatfs(fd, &sf))
		return false;
	return sf.f_type == OVERLAYFS_SUPER_MAGIC || sf.f_type == BTRFS_SUPER_MAGIC;
}

static bool build_ids_differ(const struct build_id *a, const struct build_id *b)
{
	return a->size != b->size || memcmp(a->data, b->data, a->size);
}

/*
 * Is @fd the file that was mapped? By build id when the record had one; else by inode, device and
 * generation. What a record does not tell (an old MMAP record has no inode) is not held against the
 * file, unless it comes from another machine: there only an equal build id will do.
 */
static bool is_the_file(struct dso *d, int fd)
{
	unsigned long gen = 0;
	struct stat st;

	if (fstat(fd, &st) || !S_ISREG(st.st_mode))
		return false;
	if (d->build_id.size && !d->build_id_read) {
		struct elf_image *e = elf_image__open_fd(fd);
		struct build_id id = {};
		bool same;

		if (!e)
			return false;
		same = !elf_image__build_id(e, &id) && !build_ids_differ(&id, &d->build_id);
		elf_image__close(e);
		return same;
	}
	if (d->dsos->conf.foreign)
		return false;
	if (!d->ino)
		return true;
	if (st.st_ino != d->ino)
		return false;
	/* device numbers hold until the next boot: they say something of live processes only */
	if (d->pid > 0 && d->maj + d->min && st.st_dev != makedev(d->maj, d->min) &&
	    !device_unreliable(fd))
		return false;
	/* ext4 and others give each reuse of an inode number a new generation */
	if (!ioctl(fd, FS_IOC_GETVERSION, &gen) && (u32)gen) {
		if (!d->ino_generation)
			d->ino_generation = (u32)gen;
		else if ((u32)gen != (u32)d->ino_generation)
			return false;
	}
	return true;
}

static int try_path(struct dso *d, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

	if (fd < 0)
		return -errno;
	if (is_the_file(d, fd))
		return fd;
	close(fd);
	return -ESTALE;
}

static int open_by_path(struct dso *d)
{
	static const char deleted[] = " (deleted)";
	size_t len = strlen(d->path);
	char buf[PATH_MAX];

	if (d->path[0] != '/')
		return -ENOENT;
	if (len > sizeof(deleted) && !strcmp(d->path + len - (sizeof(deleted) - 1), deleted))
		return -ENOENT;
	if (d->dsos->symfs) {
		if ((size_t)snprintf(buf, sizeof(buf), "%s%s", d->dsos->symfs, d->path) >=
		    sizeof(buf))
			return -ENAMETOOLONG;
		return try_path(d, buf);
	}
	return try_path(d, d->path);
}

static int open_by_process(struct dso *d)
{
	char buf[PATH_MAX];
	int fd;

	if (d->pid <= 0 || d->dsos->conf.foreign)
		return -ENOENT;
	if (d->end > d->start) {
		snprintf(buf, sizeof(buf), "/proc/%d/map_files/%llx-%llx", d->pid,
			 (unsigned long long)d->start, (unsigned long long)d->end);
		fd = try_path(d, buf);
		if (fd >= 0)
			return fd;
	}
	snprintf(buf, sizeof(buf), "/proc/%d/root%s", d->pid, d->path);
	fd = try_path(d, buf);
	if (fd >= 0)
		return fd;
	snprintf(buf, sizeof(buf), "/proc/%d/exe", d->pid);
	fd = d->ino ? try_path(d, buf) : -ENOENT;
	if (fd >= 0 || d->ppid <= 0)
		return fd;
	snprintf(buf, sizeof(buf), "/proc/%d/root%s", d->ppid, d->path);
	return try_path(d, buf);
}

/* The inode of the mount namespace of process @pid, 0 when it is gone or not ours to ask. */
static u64 mount_ns(pid_t pid)
{
	char path[64];
	struct stat st;

	snprintf(path, sizeof(path), "/proc/%d/ns/mnt", pid);
	return stat(path, &st) ? 0 : st.st_ino;
}

/* A process in the mount namespace @ns, 0: none. */
static pid_t process_in(struct dsos *s, u64 ns)
{
	pid_t *pids;
	int nr;

	if (s->ns == ns)
		return s->ns_pid;
	s->ns = ns;
	s->ns_pid = 0;
	nr = procfs__pids(&pids);
	if (nr < 0)
		return 0;
	for (int i = 0; i < nr && !s->ns_pid; i++)
		if (mount_ns(pids[i]) == ns)
			s->ns_pid = pids[i];
	free(pids);
	return s->ns_pid;
}

/*
 * The process of the recording, should it live still, or another one in its mount namespace (a
 * container's) leads to files that our own root does not have, and to deleted ones. The number may
 * be another process's by now: only what is proved by inode or build id counts.
 */
static int open_by_seen_process(struct dso *d)
{
	pid_t pid = d->seen_pid;
	char buf[PATH_MAX];
	u64 ns;
	int fd;

	if (pid <= 0 || d->dsos->conf.foreign || d->dsos->symfs || d->path[0] != '/' ||
	    (!d->ino && (!d->build_id.size || d->build_id_read)))
		return -ENOENT;
	ns = mount_ns(pid);
	if (ns && (!d->mnt_ns || d->mnt_ns == ns)) {
		snprintf(buf, sizeof(buf), "/proc/%d/map_files/%llx-%llx", pid,
			 (unsigned long long)d->start, (unsigned long long)d->end);
		fd = try_path(d, buf);
		if (fd >= 0)
			return fd;
	} else {
		pid = d->mnt_ns ? process_in(d->dsos, d->mnt_ns) : 0;
	}
	if (!pid ||
	    (size_t)snprintf(buf, sizeof(buf), "/proc/%d/root%s", pid, d->path) >= sizeof(buf))
		return -ENOENT;
	return try_path(d, buf);
}

/* In the build-id cache that perf keeps, or by build id under the debug directory. */
static int open_by_build_id(struct dso *d)
{
	char hex[41], buf[PATH_MAX];
	const char *home = getenv("HOME");
	int fd;

	if (!d->build_id.size)
		return -ENOENT;
	build_id__hex(&d->build_id, hex);
	if (home) {
		snprintf(buf, sizeof(buf), "%s/.debug/.build-id/%.2s/%s/elf", home, hex, hex + 2);
		fd = try_path(d, buf);
		if (fd >= 0)
			return fd;
	}
	snprintf(buf, sizeof(buf), "%s/.build-id/%.2s/%s", d->dsos->debug_dir, hex, hex + 2);
	fd = try_path(d, buf);
	if (fd >= 0)
		return fd;
	snprintf(buf, sizeof(buf), "%s/.build-id/%.2s/%s.debug", d->dsos->debug_dir, hex, hex + 2);
	return try_path(d, buf);
}

int dso__open_recorded(struct dso *d)
{
	const struct symbol_conf *c = &d->dsos->conf;

	return c->recorded_image ? c->recorded_image(c->recorded_ctx, d->path, &d->build_id)
				 : -ENOENT;
}

int dso__open_file(struct dso *d)
{
	int fd, err;

	if (d->file) {
		fd = open(d->file, O_RDONLY | O_CLOEXEC | O_NOCTTY);
		err = -errno;
		return fd >= 0 ? fd
			       : dso__fail(d, err, "cannot open %s: %s", d->file, strerror(-err));
	}
	if (d->fd >= 0) {
		fd = fcntl(d->fd, F_DUPFD_CLOEXEC, 0);
		return fd >= 0 ? fd : -errno;
	}
	err = fd = open_by_path(d);
	if (fd < 0 && fd != -EMFILE)
		fd = open_by_process(d);
	if (fd < 0 && fd != -EMFILE)
		fd = open_by_seen_process(d);
	if (fd < 0)
		fd = open_by_build_id(d);
	if (fd < 0)
		fd = dso__open_recorded(d);
	if (fd >= 0)
		return fd;
	if (err == -ESTALE)
		return dso__fail(d, err, "%s is not the file that was mapped", d->path);
	if (d->dsos->conf.foreign && !d->build_id.size)
		return dso__fail(d, err, "%s: no build id to find it by on this machine", d->path);
	return dso__fail(d, err, "cannot open %s: %s", d->path, strerror(-err));
}

void dso__close(struct dso *d)
{
	if (d->fd < 0)
		return;
	close(d->fd);
	d->fd = -1;
	TAILQ_REMOVE(&d->dsos->open, d, open_lru);
	d->dsos->nr_open--;
}

void dso__close_loaded(struct dso *d)
{
	int fd = d->fd >= 0 ? open_by_path(d) : -1;

	if (fd < 0)
		return;
	close(fd);
	dso__close(d);
}

/* Over the bound the oldest goes: a file that its path still leads to is found again later, any
 * other is read now. */
static void bound_open(struct dsos *s)
{
	while (s->nr_open > MAX_OPEN) {
		struct dso *old = TAILQ_FIRST(&s->open);
		int fd = open_by_path(old);

		if (fd >= 0)
			close(fd);
		else
			dso__load(old);
		if (old->fd >= 0)
			dso__close(old);
	}
}

void dso__open_early(struct dso *d)
{
	int fd = open_by_process(d);

	if (fd < 0)
		fd = open_by_path(d);
	if (fd < 0)
		return;
	d->fd = fd;
	TAILQ_INSERT_TAIL(&d->dsos->open, d, open_lru);
	d->dsos->nr_open++;
	bound_open(d->dsos);
}
