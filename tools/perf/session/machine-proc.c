// SPDX-License-Identifier: GPL-2.0-only
/* What ran before: threads and maps out of /proc. */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "session/machine-internal.h"

static bool starts(const char *s, const char *with)
{
	return !strncmp(s, with, strlen(with));
}

/* Some JITs map a memfd twice rather than anonymous memory; programs are run from one, too. */
static bool memfd_is_jit(const struct machine *m, const struct dso_ident *id)
{
	char path[96], magic[4];
	ssize_t n = 0;
	int fd;

	if (!m->opts.live)
		return true;
	snprintf(path, sizeof(path), "/proc/%d/map_files/%llx-%llx", id->pid,
		 (unsigned long long)id->start, (unsigned long long)id->end);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		n = pread(fd, magic, sizeof(magic), 0);
		close(fd);
	}
	return n < (ssize_t)sizeof(magic) || memcmp(magic, "\177ELF", 4);
}

/* Memory without a file of code behind it. */
static enum dso_kind kind_of(const struct machine *m, const struct dso_ident *id)
{
	const char *path = id->path;

	if (!strcmp(path, "[vdso]"))
		return DSO_VDSO;
	if (!*path || !strcmp(path, "//anon") || starts(path, "/dev/zero") ||
	    starts(path, "/anon_hugepage") || starts(path, "[anon:"))
		return DSO_JIT;
	if (starts(path, "/memfd:") && memfd_is_jit(m, id))
		return DSO_JIT;
	if (path[0] == '[' || starts(path, "/SYSV") || path[0] != '/')
		return DSO_ANON;
	return DSO_USER;
}

int machine__add_user_map(struct machine *m, struct image *im, struct dso_ident *id, u64 pgoff,
			  u32 prot, u64 time)
{
	static const char deleted[] = " (deleted)";
	char path[PATH_MAX];
	size_t len = strlen(id->path);
	struct map *map;
	struct dso *dso;
	pid_t pid = id->pid;

	id->kind = kind_of(m, id);
	if (id->kind == DSO_JIT) {
		snprintf(path, sizeof(path), "/tmp/perf-%d.map", pid);
		id->path = path;
		id->ino = id->maj = id->min = 0;
	} else if (id->kind == DSO_USER && len > sizeof(deleted) && id->ino &&
		   !strcmp(id->path + len - (sizeof(deleted) - 1), deleted) && len < PATH_MAX) {
		/* the inode tells the files apart; the name is the one it had */
		len -= sizeof(deleted) - 1;
		memcpy(path, id->path, len);
		path[len] = 0;
		id->path = path;
	}
	if (!m->opts.live && id->kind != DSO_JIT)
		id->pid = id->ppid = 0;
	dso = dsos__find(m->dsos, id);
	if (!dso)
		return -ENOMEM;
	map = map__new(id->start, id->end, pgoff, prot, time, dso);
	if (!map)
		return -ENOMEM;
	map->identity = id->kind == DSO_JIT || id->kind == DSO_ANON;
	return image__insert(im, map);
}

static char *read_file(const char *path, size_t *size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	size_t cap = 16384, len = 0;
	char *buf = NULL;

	if (fd < 0)
		return NULL;
	for (;;) {
		char *p = !buf || len == cap ? realloc(buf, (buf ? (cap *= 2) : cap) + 1) : buf;
		ssize_t n;

		if (!p || cap > 256u << 20)
			break;
		buf = p;
		n = read(fd, buf + len, cap - len);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		len += (size_t)n;
	}
	close(fd);
	if (buf)
		buf[len] = 0;
	if (size)
		*size = len;
	return buf;
}

/* "START-END PERM OFFSET MAJ:MIN INODE   PATH" */
static int scan_map_line(struct machine *m, struct image *im, pid_t pid, char *line, u64 time)
{
	struct dso_ident id = {.pid = pid};
	char *p = line;
	u64 pgoff;
	u32 prot = PROT_EXEC;

	id.start = strtoull(p, &p, 16);
	if (*p++ != '-')
		return 0;
	id.end = strtoull(p, &p, 16);
	if (*p++ != ' ' || strnlen(p, 5) < 5)
		return 0;
	if (p[2] != 'x')
		return 0;
	prot |= (p[0] == 'r' ? PROT_READ : 0) | (p[1] == 'w' ? PROT_WRITE : 0);
	pgoff = strtoull(p + 4, &p, 16);
	id.maj = (u32)strtoul(p, &p, 16);
	if (*p++ != ':')
		return 0;
	id.min = (u32)strtoul(p, &p, 16);
	id.ino = strtoull(p, &p, 10);
	id.path = p + strspn(p, " \t");
	return machine__add_user_map(m, im, &id, pgoff, prot, time);
}

static int scan_maps(struct machine *m, struct process *p, u64 time)
{
	struct image *im = p->images;
	char path[64], *text, *next;
	int err = 0;

	if (im->complete || im->parent || im->scanned)
		return 0;
	im->scanned = true;
	snprintf(path, sizeof(path), "/proc/%d/maps", p->pid);
	text = read_file(path, NULL);
	for (char *line = text; line && *line && !err; line = next) {
		char *eol = strchr(line, '\n');

		next = eol ? eol + 1 : line + strlen(line);
		if (eol)
			*eol = 0;
		err = scan_map_line(m, im, p->pid, line, time);
	}
	free(text);
	return err;
}

static int scan_threads(struct machine *m, struct process *p, u64 time)
{
	char path[320];
	struct dirent *e;
	int err = 0;
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%d/task", p->pid);
	dir = opendir(path);
	if (!dir)
		return -ESRCH;
	while (!err && (e = readdir(dir))) {
		pid_t tid = atoi(e->d_name);
		struct thread *t;
		size_t len;
		char *comm;

		if (tid <= 0)
			continue;
		t = machine__thread_known(m, p->pid, tid, UINT64_MAX);
		if (t && t->nr_comms && t->comms[0].comm->name[0] != ':')
			continue;
		snprintf(path, sizeof(path), "/proc/%d/task/%d/comm", p->pid, tid);
		comm = read_file(path, &len);
		if (!comm)
			continue;
		if (len && comm[len - 1] == '\n')
			comm[len - 1] = 0;
		if (!t)
			t = machine__thread_new(m, p, tid, p->start);
		err = t ? thread__set_comm(m, t, comm, time) : -ENOMEM;
		free(comm);
	}
	closedir(dir);
	return err;
}

int machine__scan_pid(struct machine *m, pid_t pid, u64 time)
{
	struct process *p;
	char path[64];
	int err;

	if (pid <= 0)
		return 0;
	HASH_FIND_INT(m->processes, &pid, p);
	if (p && (p->images->scanned || p->images->complete || p->end != UINT64_MAX))
		return 0;
	snprintf(path, sizeof(path), "/proc/%d", pid);
	if (access(path, F_OK))
		return -ESRCH;
	if (!p)
		p = machine__process_new(m, pid, 0);
	if (!p)
		return -ENOMEM;
	err = scan_maps(m, p, time);
	return err ?: scan_threads(m, p, time);
}

int machine__scan_proc(struct machine *m, const pid_t *pids, int nr_pids, u64 time)
{
	struct dirent *e;
	int err = 0;
	DIR *dir;

	if (pids) {
		for (int i = 0; i < nr_pids && (!err || err == -ESRCH); i++)
			err = machine__scan_pid(m, pids[i], time);
		return err == -ESRCH ? 0 : err;
	}
	dir = opendir("/proc");
	if (!dir)
		return -errno;
	while ((e = readdir(dir)) && (!err || err == -ESRCH))
		if (isdigit((unsigned char)e->d_name[0]))
			err = machine__scan_pid(m, atoi(e->d_name), time);
	closedir(dir);
	return err == -ESRCH ? 0 : err;
}
