// SPDX-License-Identifier: GPL-2.0-only
/* What ran before: threads and maps out of /proc. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "lib/api/procfs.h"
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
	if (!m->opts.live && id->kind != DSO_JIT) {
		id->seen_pid = pid;
		id->pid = id->ppid = 0;
	}
	dso = dsos__find(m->dsos, id);
	if (!dso)
		return -ENOMEM;
	map = map__new(id->start, id->end, pgoff, prot, time, dso);
	if (!map)
		return -ENOMEM;
	map->identity = id->kind == DSO_JIT || id->kind == DSO_ANON;
	return image__insert(im, map);
}

struct maps_scan {
	struct machine *m;
	struct image *im;
	pid_t pid;
	u64 time;
};

static int scan_map(void *ctx, const struct proc_map *map)
{
	struct maps_scan *s = ctx;
	struct dso_ident id = {
		.pid = s->pid,
		.start = map->start,
		.end = map->end,
		.maj = map->maj,
		.min = map->min,
		.ino = map->ino,
		.path = map->path,
	};

	if (!(map->prot & PROT_EXEC))
		return 0;
	return machine__add_user_map(s->m, s->im, &id, map->pgoff, map->prot, s->time);
}

static int scan_maps(struct machine *m, struct process *p, u64 time)
{
	struct image *im = p->images;
	struct maps_scan s = {m, im, p->pid, time};
	int err;

	if (im->complete || im->parent || im->scanned)
		return 0;
	im->scanned = true;
	err = procfs__maps(p->pid, scan_map, &s);
	return err == -ENOMEM ? err : 0; /* gone, or another user's: without maps */
}

static int scan_threads(struct machine *m, struct process *p, u64 time)
{
	int nr, err = 0;
	pid_t *tids;

	nr = procfs__tasks(p->pid, &tids);
	if (nr < 0)
		return nr;
	for (int i = 0; i < nr && !err; i++) {
		pid_t tid = tids[i];
		struct thread *t;
		char comm[64];

		t = machine__thread_known(m, p->pid, tid, UINT64_MAX);
		if (t && t->nr_comms && t->comms[0].comm->name[0] != ':')
			continue;
		if (procfs__comm(tid, comm, sizeof(comm)) < 0)
			continue;
		if (!t)
			t = machine__thread_new(m, p, tid, p->start);
		err = t ? thread__set_comm(m, t, comm, time) : -ENOMEM;
	}
	free(tids);
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
	pid_t *all = NULL;
	int err = 0;

	if (!pids) {
		nr_pids = procfs__pids(&all);
		if (nr_pids < 0)
			return nr_pids;
		pids = all;
	}
	for (int i = 0; i < nr_pids && (!err || err == -ESRCH); i++)
		err = machine__scan_pid(m, pids[i], time);
	free(all);
	return err == -ESRCH ? 0 : err;
}
