// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <linux/mount.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "lib/api/fs.h"
#include "lib/api/tracefs.h"

#define FORMAT_MAX (1 << 20) /* the largest known format file has 60 KiB */

static int root_fd = -1;
static char root_path[4096];

static bool is_tracefs(int fd)
{
	struct statfs st;

	return !fstatfs(fd, &st) && st.f_type == TRACEFS_MAGIC;
}

static bool try_path(const char *path)
{
	int fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return false;
	if (!is_tracefs(fd)) {
		close(fd);
		return false;
	}
	root_fd = fd;
	snprintf(root_path, sizeof(root_path), "%s", path);
	return true;
}

/* A line of /proc/mounts: device, path, type; blanks in a path are \040, which we do not look for.
 */
static int try_mount_line(void *ctx, char *line)
{
	char *save = NULL, *path, *type;

	(void)ctx;
	strtok_r(line, " ", &save);
	path = strtok_r(NULL, " ", &save);
	type = strtok_r(NULL, " ", &save);
	return path && type && !strcmp(type, "tracefs") && try_path(path);
}

static int mount_detached(void)
{
	int fs = syscall(SYS_fsopen, "tracefs", FSOPEN_CLOEXEC), mnt, err;

	if (fs < 0)
		return -errno;
	if (syscall(SYS_fsconfig, fs, FSCONFIG_CMD_CREATE, NULL, NULL, 0))
		mnt = -1;
	else
		mnt = syscall(SYS_fsmount, fs, FSMOUNT_CLOEXEC, 0);
	err = -errno;
	close(fs);
	if (mnt < 0)
		return err;
	root_fd = mnt;
	snprintf(root_path, sizeof(root_path), "/proc/self/fd/%d", mnt);
	return 0;
}

static int explain(int err, struct errbuf *eb)
{
	const char *why = "mount it: mount -t tracefs tracefs /sys/kernel/tracing";

	if (err == -EPERM)
		why = "and mounting it needs CAP_SYS_ADMIN: run as root, or let root "
		      "mount -t tracefs tracefs /sys/kernel/tracing";
	else if (err == -ENODEV)
		why = "this kernel has none (CONFIG_FTRACE)";
	return errbuf__set(eb, err, "tracefs is not mounted, %s", why);
}

int tracefs__fd(struct errbuf *eb)
{
	int err;

	if (root_fd >= 0 || try_path("/sys/kernel/tracing") ||
	    fs__each_line("/proc/mounts", try_mount_line, NULL) == 1)
		return root_fd;
	err = mount_detached();
	return err ? explain(err, eb) : root_fd;
}

const char *tracefs__path(struct errbuf *eb)
{
	return tracefs__fd(eb) < 0 ? NULL : root_path;
}

static int file_error(const char *verb, const char *rel, int err, struct errbuf *eb)
{
	if (err == -EACCES || err == -EPERM)
		return errbuf__set(
			eb, err,
			"cannot %s %s of tracefs: %s; run as root, or let root give access "
			"(mount -o remount,gid=GROUP,mode=750)",
			verb, rel, strerror(-err));
	return errbuf__set(eb, err, "cannot %s %s of tracefs: %s", verb, rel, strerror(-err));
}

int tracefs__open(const char *rel, int flags, struct errbuf *eb)
{
	int root = tracefs__fd(eb), fd;

	if (root < 0)
		return root;
	fd = openat(root, rel, flags | O_CLOEXEC);
	return fd < 0 ? file_error("open", rel, -errno, eb) : fd;
}

char *tracefs__read(const char *rel, size_t max, size_t *len, struct errbuf *eb)
{
	int root = tracefs__fd(eb);
	char *text;

	if (root < 0)
		return NULL;
	text = fs__read_all(root, rel, max, len);
	if (!text)
		file_error("read", rel, -errno, eb);
	return text;
}

int tracefs__append(const char *rel, const char *text, struct errbuf *eb)
{
	int fd = tracefs__open(rel, O_WRONLY | O_APPEND, eb), err = 0;
	ssize_t n;

	if (fd < 0)
		return fd;
	do
		n = write(fd, text, strlen(text));
	while (n < 0 && errno == EINTR);
	if (n < 0)
		err = file_error("write to", rel, -errno, eb);
	else if ((size_t)n != strlen(text))
		err = file_error("write to", rel, -EIO, eb);
	close(fd);
	return err;
}

int tracefs__each(const char *rel, int (*cb)(void *ctx, const char *name), void *ctx,
		  struct errbuf *eb)
{
	int root = tracefs__fd(eb), fd;

	if (root < 0)
		return root;
	fd = openat(root, rel, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return file_error("read", rel, -errno, eb);
	close(fd);
	return fs__each_entry(root, rel, cb, ctx);
}

static int event_file(const char *sys, const char *name, const char *file, char *rel, size_t size)
{
	/* A name is one folder, never a way out of events/. */
	if (!*sys || !*name || strchr(sys, '/') || strchr(name, '/') || sys[0] == '.' ||
	    name[0] == '.')
		return -ENOENT;
	return (size_t)snprintf(rel, size, "events/%s/%s/%s", sys, name, file) < size ? 0 : -ENOENT;
}

int tracefs__event_id(const char *sys, const char *name, struct errbuf *eb)
{
	char rel[512], *text;
	int id;

	if (event_file(sys, name, "id", rel, sizeof(rel)))
		return errbuf__set(eb, -ENOENT, "there is no tracepoint %s:%s", sys, name);
	text = tracefs__read(rel, 64, NULL, eb);
	/* ENOTDIR: one of the files beside the tracepoints, as "enable" */
	if (!text && (errno == ENOENT || errno == ENOTDIR) && root_fd >= 0)
		return errbuf__set(eb, -ENOENT, "there is no tracepoint %s:%s", sys, name);
	if (!text)
		return -errno;
	id = atoi(text);
	free(text);
	return id > 0 ? id : errbuf__set(eb, -EBADMSG, "%s of tracefs holds no number", rel);
}

char *tracefs__event_format(const char *sys, const char *name, size_t *len, struct errbuf *eb)
{
	char rel[512];

	if (event_file(sys, name, "format", rel, sizeof(rel))) {
		errbuf__set(eb, -ENOENT, "there is no tracepoint %s:%s", sys, name);
		return NULL;
	}
	return tracefs__read(rel, FORMAT_MAX, len, eb);
}
