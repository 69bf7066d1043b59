// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/api/cgroupfs.h"
#include "lib/api/fs.h"

#define FILEID_KERNFS 0xfe /* include/linux/exportfs.h: a 64-bit kernfs id */
#define MAX_DEPTH 64

static char v1_mount[PATH_MAX], v2_mount[PATH_MAX];
static bool looked;

static bool has_word(const char *list, const char *word)
{
	size_t n = strlen(word);

	for (const char *p = list; p && *p;) {
		size_t l = strcspn(p, ",");

		if (l == n && !strncmp(p, word, n))
			return true;
		p += l + (p[l] == ',');
	}
	return false;
}

/* "device path type options ..." */
static int mount_line(void *ctx, char *line)
{
	char *save = NULL, *path, *type, *options;

	(void)ctx;
	strtok_r(line, " ", &save);
	path = strtok_r(NULL, " ", &save);
	type = strtok_r(NULL, " ", &save);
	options = strtok_r(NULL, " ", &save);
	if (!options)
		return 0;
	if (!v2_mount[0] && !strcmp(type, "cgroup2"))
		snprintf(v2_mount, sizeof(v2_mount), "%s", path);
	if (!v1_mount[0] && !strcmp(type, "cgroup") && has_word(options, "perf_event"))
		snprintf(v1_mount, sizeof(v1_mount), "%s", path);
	return 0;
}

static void look(void)
{
	if (!looked)
		fs__each_line("/proc/mounts", mount_line, NULL);
	looked = true;
}

const char *cgroupfs__mount(bool *v2, struct errbuf *eb)
{
	look();
	if (v2)
		*v2 = !v1_mount[0];
	if (v1_mount[0])
		return v1_mount;
	return cgroupfs__mount_v2(eb);
}

const char *cgroupfs__mount_v2(struct errbuf *eb)
{
	look();
	if (v2_mount[0])
		return v2_mount;
	errbuf__set(eb, -ENOENT,
		    "no cgroup hierarchy for perf events is mounted "
		    "(mount -t cgroup2 cgroup2 /sys/fs/cgroup)");
	return NULL;
}

static const char *skip_slashes(const char *name)
{
	while (*name == '/')
		name++;
	return name;
}

/* No ".." in it: a group's name stays below the mount. */
static bool inside(const char *name)
{
	for (const char *p = name; *p;) {
		size_t n = strcspn(p, "/");

		if (n == 2 && p[0] == '.' && p[1] == '.')
			return false;
		p += n + (p[n] == '/');
	}
	return true;
}

static int open_below(const char *mount, const char *name, struct errbuf *eb)
{
	char path[2 * PATH_MAX];
	int fd;

	if (!mount)
		return -errno;
	if (!inside(name))
		return errbuf__set(eb, -EINVAL, "cgroup '%s': '..' is not a group", name);
	if (strlen(name) >= PATH_MAX)
		return errbuf__set(eb, -ENAMETOOLONG, "the cgroup's name is too long");
	snprintf(path, sizeof(path), "%s/%s", mount, skip_slashes(name));
	fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return errbuf__set(eb, -errno, "cannot open cgroup '%s' (%s): %s", name, path,
				   strerror(errno));
	return fd;
}

int cgroupfs__open(const char *name, struct errbuf *eb)
{
	return open_below(cgroupfs__mount(NULL, eb), name, eb);
}

int cgroupfs__open_v2(const char *name, struct errbuf *eb)
{
	return open_below(cgroupfs__mount_v2(eb), name, eb);
}

static int handle_id(int fd, u64 *id)
{
	union {
		struct file_handle fh;
		char room[sizeof(struct file_handle) + MAX_HANDLE_SZ];
	} h = {.fh.handle_bytes = MAX_HANDLE_SZ};
	int mount_id;

	if (name_to_handle_at(fd, "", &h.fh, &mount_id, AT_EMPTY_PATH))
		return -errno;
	if (h.fh.handle_bytes < sizeof(*id))
		return -EOPNOTSUPP;
	memcpy(id, h.fh.f_handle, sizeof(*id));
	return 0;
}

int cgroupfs__id(const char *name, u64 *id, struct errbuf *eb)
{
	int fd = cgroupfs__open(name, eb), err;

	if (fd < 0)
		return fd;
	err = handle_id(fd, id);
	close(fd);
	return err ? errbuf__set(eb, err, "cannot read the id of cgroup '%s': %s", name,
				 strerror(-err))
		   : 0;
}

/* With CAP_DAC_READ_SEARCH a group is opened by its id at once. */
static char *path_by_handle(int mount_fd, u64 id, size_t mount_len)
{
	union {
		struct file_handle fh;
		char room[sizeof(struct file_handle) + sizeof(u64)];
	} h = {.fh = {.handle_bytes = sizeof(id), .handle_type = FILEID_KERNFS}};
	char link[64], path[PATH_MAX];
	ssize_t n;
	int fd;

	memcpy(h.fh.f_handle, &id, sizeof(id));
	fd = open_by_handle_at(mount_fd, &h.fh, O_PATH | O_CLOEXEC);
	if (fd < 0)
		return NULL;
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	n = readlink(link, path, sizeof(path) - 1);
	close(fd);
	if (n < (ssize_t)mount_len)
		return NULL;
	path[n] = 0;
	return strdup(path[mount_len] ? path + mount_len : "/");
}

struct walk {
	u64 id;
	int dirfd, depth;
	char path[PATH_MAX];
	size_t len;
	bool found;
};

static int walk_entry(void *ctx, const char *name)
{
	struct walk *w = ctx;
	int parent = w->dirfd;
	size_t len = w->len;
	u64 id;
	int fd, n;

	if (w->depth >= MAX_DEPTH)
		return 0;
	fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return 0;
	n = snprintf(w->path + len, sizeof(w->path) - len, "/%s", name);
	if (n > 0 && (size_t)n < sizeof(w->path) - len) {
		w->len += n;
		w->found = !handle_id(fd, &id) && id == w->id;
		if (!w->found) {
			w->dirfd = fd;
			w->depth++;
			fs__each_entry(fd, ".", walk_entry, w);
			w->depth--;
		}
	}
	close(fd);
	if (w->found)
		return 1;
	w->dirfd = parent;
	w->len = len;
	w->path[len] = 0;
	return 0;
}

char *cgroupfs__path(u64 id)
{
	const char *mount = cgroupfs__mount_v2(NULL);
	struct walk w = {.id = id};
	char *path = NULL;
	u64 root;

	if (!mount)
		return NULL;
	w.dirfd = open(mount, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (w.dirfd < 0)
		return NULL;
	if (!handle_id(w.dirfd, &root) && root == id) {
		path = strdup("/");
	} else {
		int fd = w.dirfd;

		path = path_by_handle(fd, id, strlen(mount));
		if (!path && errno == EPERM && fs__each_entry(fd, ".", walk_entry, &w) == 1)
			path = strdup(w.path);
		w.dirfd = fd;
	}
	close(w.dirfd);
	return path;
}

struct pid_group {
	bool v2;
	char *buf;
	size_t size;
};

/* "N:controllers:path"; the v2 line is "0::path". */
static int group_line(void *ctx, char *line)
{
	struct pid_group *g = ctx;
	char *controllers = strchr(line, ':'), *path;

	if (!controllers)
		return 0;
	*controllers++ = 0;
	path = strchr(controllers, ':');
	if (!path)
		return 0;
	*path++ = 0;
	if (g->v2 ? strcmp(line, "0") || *controllers : !has_word(controllers, "perf_event"))
		return 0;
	snprintf(g->buf, g->size, "%s", path);
	return 1;
}

int cgroupfs__of_pid(pid_t pid, char *buf, size_t size)
{
	struct pid_group g = {.buf = buf, .size = size};
	char file[64];
	int ret;

	if (!cgroupfs__mount(&g.v2, NULL))
		return -ENOENT;
	snprintf(file, sizeof(file), "/proc/%d/cgroup", pid);
	ret = fs__each_line(file, group_line, &g);
	if (ret == -ENOENT)
		return -ESRCH;
	return ret == 1 ? 0 : ret ? ret : -ENOENT;
}
