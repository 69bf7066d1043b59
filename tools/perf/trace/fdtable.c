// SPDX-License-Identifier: GPL-2.0-only
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "trace/fdsock.h"
#include "trace/fdtable.h"
#include "trace/record.h"

#define MAX_FD 65536	    /* higher ones are not followed */
#define MAX_PROCS (1 << 16) /* more than that at once: the table begins anew */
#define MAX_COMMS (1 << 16)

enum fd_state {
	FD_UNSEEN, /* nothing is known of it */
	FD_CLOSED,
	FD_KNOWN,
};

struct fd_entry {
	char *name; /* kept for reuse when the descriptor closes */
	u16 len, cap;
	u8 state;
	bool cloexec;
};

struct files {
	u32 refs;
	u32 nr;
	struct fd_entry *fd;
};

struct proc {
	u32 pid; /* 0: free slot */
	bool execed;
	bool asked; /* what it had when it was first seen is in the table */
	struct files *files;
	char *cwd;
};

struct comm {
	u32 tid;
	u64 next_seq;
	char name[16];
};

struct fdtable {
	bool no_proc;
	u64 generation;	    /* counts changes of what is known */
	struct proc *procs; /* open addressing, power of two */
	u32 proc_cap, nr_procs;
	struct proc *last;
	struct comm *comms;
	u32 comm_cap, nr_comms;
	struct comm *last_comm; /* whose lines come one after the other */
	struct fdsock *sock;
	char tmp[4200];
};

static u32 hash(u32 v)
{
	return v * 2654435761u;
}

struct fdtable *fdtable__new(bool no_proc)
{
	struct fdtable *t = calloc(1, sizeof(*t));

	if (!t)
		return NULL;
	t->no_proc = no_proc;
	t->proc_cap = 256;
	t->comm_cap = 256;
	t->procs = calloc(t->proc_cap, sizeof(*t->procs));
	t->comms = calloc(t->comm_cap, sizeof(*t->comms));
	t->sock = fdsock__new();
	if (!t->procs || !t->comms || !t->sock) {
		fdtable__delete(t);
		return NULL;
	}
	return t;
}

static void files__put(struct files *f)
{
	if (!f || --f->refs)
		return;
	for (u32 i = 0; i < f->nr; i++)
		free(f->fd[i].name);
	free(f->fd);
	free(f);
}

static void procs__clear(struct fdtable *t)
{
	for (u32 i = 0; t->procs && i < t->proc_cap; i++) {
		if (!t->procs[i].pid)
			continue;
		files__put(t->procs[i].files);
		free(t->procs[i].cwd);
		t->procs[i] = (struct proc){0};
	}
	t->nr_procs = 0;
	t->last = NULL;
	t->generation++;
}

void fdtable__delete(struct fdtable *t)
{
	if (!t)
		return;
	procs__clear(t);
	fdsock__delete(t->sock);
	free(t->procs);
	free(t->comms);
	free(t);
}

static struct proc *proc__slot(struct fdtable *t, u32 pid)
{
	u32 i = hash(pid) & (t->proc_cap - 1);

	while (t->procs[i].pid && t->procs[i].pid != pid)
		i = (i + 1) & (t->proc_cap - 1);
	return &t->procs[i];
}

static struct proc *proc__find(struct fdtable *t, u32 pid)
{
	struct proc *p = t->last;

	if (p && p->pid == pid)
		return p;
	p = proc__slot(t, pid);
	if (!p->pid)
		return NULL;
	t->last = p;
	return p;
}

static int procs__grow(struct fdtable *t)
{
	struct proc *old = t->procs;
	u32 n = t->proc_cap;

	if (t->nr_procs >= MAX_PROCS) {
		procs__clear(t);
		return 0;
	}
	t->procs = calloc(n * 2, sizeof(*old));
	if (!t->procs) {
		t->procs = old;
		return -ENOMEM;
	}
	t->proc_cap = n * 2;
	t->last = NULL;
	for (u32 i = 0; i < n; i++) {
		if (old[i].pid)
			*proc__slot(t, old[i].pid) = old[i];
	}
	free(old);
	return 0;
}

static struct proc *proc__get(struct fdtable *t, u32 pid)
{
	struct proc *p = proc__find(t, pid);

	if (p || !pid)
		return p;
	if (t->nr_procs * 2 >= t->proc_cap && procs__grow(t))
		return NULL;
	p = proc__slot(t, pid);
	p->files = calloc(1, sizeof(*p->files));
	if (!p->files)
		return NULL;
	p->files->refs = 1;
	p->pid = pid;
	t->nr_procs++;
	return p;
}

static struct fd_entry *files__at(struct files *f, int fd, bool make)
{
	struct fd_entry *n;
	u32 nr;

	if (fd < 0 || fd >= MAX_FD)
		return NULL;
	if ((u32)fd < f->nr)
		return &f->fd[fd];
	if (!make)
		return NULL;
	for (nr = f->nr ? f->nr : 16; nr <= (u32)fd; nr *= 2)
		;
	n = realloc(f->fd, nr * sizeof(*n));
	if (!n)
		return NULL;
	memset(n + f->nr, 0, (nr - f->nr) * sizeof(*n));
	f->fd = n;
	f->nr = nr;
	return &n[fd];
}

static void entry__name(struct fd_entry *e, const char *name, u32 len, u8 state)
{
	if (len > 4095)
		len = 4095;
	if (len >= e->cap) {
		u32 cap = (len + 64) & ~63u;
		char *p = realloc(e->name, cap);

		if (!p) {
			e->state = FD_UNSEEN;
			return;
		}
		e->name = p;
		e->cap = (u16)cap;
	}
	memcpy(e->name, name, len);
	e->name[len] = 0;
	e->len = (u16)len;
	e->state = state;
}

/* To be changed. */
static struct fd_entry *entry(struct fdtable *t, u32 pid, int fd)
{
	struct proc *p = proc__get(t, pid);

	t->generation++;
	return p ? files__at(p->files, fd, true) : NULL;
}

/* What /proc/PID/fd says of one descriptor. */
static void entry__read(struct fdtable *t, struct files *f, u32 pid, int fd)
{
	struct fd_entry *e = files__at(f, fd, true);
	char path[64];
	ssize_t n;

	if (!e || e->state != FD_UNSEEN)
		return;
	snprintf(path, sizeof(path), "/proc/%u/fd/%d", pid, fd);
	n = readlink(path, t->tmp, sizeof(t->tmp) - 1);
	if (n <= 0)
		return;
	t->tmp[n] = 0;
	if (!strncmp(t->tmp, "socket:[", 8)) {
		const char *ends = fdsock__name(t->sock, pid, strtoull(t->tmp + 8, NULL, 10));

		if (ends) {
			entry__name(e, ends, (u32)strlen(ends), FD_KNOWN);
			return;
		}
	}
	entry__name(e, t->tmp, (u32)n, FD_KNOWN);
}

static void read_cwd(struct fdtable *t, struct proc *p)
{
	char path[64];
	ssize_t n;

	snprintf(path, sizeof(path), "/proc/%u/cwd", p->pid);
	n = readlink(path, t->tmp, sizeof(t->tmp) - 1);
	if (n <= 0 || p->cwd)
		return;
	t->tmp[n] = 0;
	p->cwd = strdup(t->tmp);
}

static void read_proc(struct fdtable *t, struct proc *p)
{
	struct dirent *de;
	char path[64];
	DIR *dir;
	int nr = 0;

	read_cwd(t, p);
	snprintf(path, sizeof(path), "/proc/%u/fd", p->pid);
	dir = opendir(path);
	while (dir && nr++ < 4096 && (de = readdir(dir))) {
		if (de->d_name[0] >= '0' && de->d_name[0] <= '9')
			entry__read(t, p->files, p->pid, atoi(de->d_name));
	}
	if (dir)
		closedir(dir);
}

static u32 parent_of(u32 pid)
{
	char path[64], text[512], *end;
	ssize_t n = -1;
	u32 ppid = 0;
	int fd;

	snprintf(path, sizeof(path), "/proc/%u/stat", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		n = read(fd, text, sizeof(text) - 1);
		close(fd);
	}
	if (n <= 0)
		return 0;
	text[n] = 0;
	end = strrchr(text, ')'); /* the name may hold anything */
	return end && sscanf(end + 1, " %*c %u", &ppid) == 1 ? ppid : 0;
}

/*
 * A process that is seen for the first time: a child of one that is known has what that has (its
 * parent's clone is not over yet); of any other /proc tells, now and never again: records arrive
 * later than things happen, and a number may have been reused meanwhile.
 */
static struct proc *proc__ask(struct fdtable *t, u32 pid)
{
	struct proc *p = proc__get(t, pid);
	u32 ppid;

	if (!p || p->asked || t->no_proc)
		return p;
	p->asked = true;
	t->generation++;
	ppid = parent_of(pid);
	if (ppid && ppid != pid && proc__find(t, ppid)) {
		fdtable__fork(t, ppid, pid, false);
		return proc__find(t, pid);
	}
	read_proc(t, p);
	return p;
}

const char *fdtable__path(struct fdtable *t, u32 pid, int fd)
{
	struct proc *p = proc__ask(t, pid);
	struct fd_entry *e = p ? files__at(p->files, fd, false) : NULL;

	return e && e->state == FD_KNOWN ? e->name : NULL;
}

void fdtable__set(struct fdtable *t, u32 pid, int fd, const char *path, u32 len, bool cloexec)
{
	struct fd_entry *e = entry(t, pid, fd);

	if (!e)
		return;
	entry__name(e, path, len, FD_KNOWN);
	e->cloexec = cloexec;
}

void fdtable__scan(struct fdtable *t, u32 pid)
{
	fdtable__comm(t, pid);
	proc__ask(t, pid);
}

void fdtable__set_unknown(struct fdtable *t, u32 pid, int fd, bool cloexec)
{
	struct fd_entry *e = entry(t, pid, fd);

	if (!e)
		return;
	e->state = FD_CLOSED; /* what it was before it is no longer */
	e->cloexec = cloexec;
}

void fdtable__rename(struct fdtable *t, u32 pid, int fd, const char *path, u32 len)
{
	struct fd_entry *e = entry(t, pid, fd);

	if (e)
		entry__name(e, path, len, FD_KNOWN);
}

void fdtable__set_cloexec(struct fdtable *t, u32 pid, int fd, bool cloexec)
{
	struct fd_entry *e = entry(t, pid, fd);

	if (e)
		e->cloexec = cloexec;
}

void fdtable__dup(struct fdtable *t, u32 pid, int from, int to, bool cloexec)
{
	const char *path = fdtable__path(t, pid, from);

	if (path) {
		u32 len = (u32)strlen(path);

		memcpy(t->tmp, path, len + 1); /* the table may move */
		fdtable__set(t, pid, to, t->tmp, len, cloexec);
		return;
	}
	fdtable__set_unknown(t, pid, to, cloexec);
}

void fdtable__close(struct fdtable *t, u32 pid, int fd)
{
	struct fd_entry *e = entry(t, pid, fd);

	if (e)
		e->state = FD_CLOSED;
}

void fdtable__close_range(struct fdtable *t, u32 pid, u32 first, u32 last)
{
	struct proc *p = proc__get(t, pid);

	t->generation++;
	for (u32 i = first; p && i <= last && i < p->files->nr; i++)
		p->files->fd[i].state = FD_CLOSED;
}

void fdtable__fork(struct fdtable *t, u32 pid, u32 child, bool share)
{
	struct proc *c = proc__get(t, child), *p;

	t->generation++;
	if (!c || child == pid)
		return;
	p = proc__get(t, pid); /* after the child: the table may have moved */
	c = proc__find(t, child);
	if (!p || !c || c->files == p->files)
		return;
	c->asked = true;
	if (share && !c->execed) {
		files__put(c->files);
		c->files = p->files;
		p->files->refs++;
	} else {
		for (u32 i = 0; i < p->files->nr; i++) {
			struct fd_entry *from = &p->files->fd[i], *to;

			if (from->state == FD_UNSEEN || (c->execed && from->cloexec))
				continue;
			to = files__at(c->files, (int)i, true);
			/* what the child did before its parent's clone returned stands */
			if (!to || to->state != FD_UNSEEN)
				continue;
			if (from->state == FD_KNOWN)
				entry__name(to, from->name, from->len, FD_KNOWN);
			else
				to->state = from->state;
			to->cloexec = from->cloexec;
		}
	}
	if (p->cwd && !c->cwd)
		c->cwd = strdup(p->cwd);
}

void fdtable__born(struct fdtable *t, u32 pid, u32 child)
{
	struct proc *c = proc__find(t, child);

	if (proc__find(t, pid) && !(c && c->asked))
		fdtable__fork(t, pid, child, false);
}

void fdtable__exec(struct fdtable *t, u32 pid)
{
	struct proc *p = proc__get(t, pid);

	if (!p)
		return;
	t->generation++;
	p->execed = true;
	for (u32 i = 0; i < p->files->nr; i++) {
		struct fd_entry *e = &p->files->fd[i];

		if (e->cloexec)
			e->state = FD_CLOSED;
		e->cloexec = false;
	}
}

void fdtable__exit(struct fdtable *t, u32 pid)
{
	struct proc *p = proc__find(t, pid);
	u32 i;

	if (!p)
		return;
	t->generation++;
	files__put(p->files);
	free(p->cwd);
	*p = (struct proc){0};
	t->nr_procs--;
	t->last = NULL;
	/* close the gap: whatever follows may have been pushed past it */
	for (i = (u32)(p - t->procs + 1) & (t->proc_cap - 1); t->procs[i].pid;
	     i = (i + 1) & (t->proc_cap - 1)) {
		struct proc moved = t->procs[i];

		t->procs[i] = (struct proc){0};
		*proc__slot(t, moved.pid) = moved;
	}
}

const char *fdtable__cwd(struct fdtable *t, u32 pid)
{
	struct proc *p = proc__ask(t, pid);

	return p ? p->cwd : NULL;
}

void fdtable__set_cwd(struct fdtable *t, u32 pid, const char *path, u32 len)
{
	struct proc *p = proc__get(t, pid);

	if (!p)
		return;
	t->generation++;
	free(p->cwd);
	p->cwd = path ? strndup(path, len) : NULL;
}

static struct comm *comm__slot(struct fdtable *t, u32 tid)
{
	u32 i = hash(tid) & (t->comm_cap - 1);

	if (t->last_comm && t->last_comm->tid == tid)
		return t->last_comm;
	while (t->comms[i].tid && t->comms[i].tid != tid)
		i = (i + 1) & (t->comm_cap - 1);
	t->last_comm = &t->comms[i];
	return t->last_comm;
}

static void comms__grow(struct fdtable *t)
{
	struct comm *old = t->comms;
	u32 n = t->comm_cap;

	t->last_comm = NULL;
	t->generation++;
	if (t->nr_comms >= MAX_COMMS || !(t->comms = calloc(n * 2, sizeof(*old)))) {
		t->comms = old;
		memset(t->comms, 0, n * sizeof(*old));
		t->nr_comms = 0;
		return;
	}
	t->comm_cap = n * 2;
	for (u32 i = 0; i < n; i++) {
		if (old[i].tid)
			*comm__slot(t, old[i].tid) = old[i];
	}
	free(old);
}

static struct comm *comm__get(struct fdtable *t, u32 tid)
{
	struct comm *c = comm__slot(t, tid);

	if (c->tid || !tid)
		return c->tid ? c : NULL;
	if (t->nr_comms * 2 >= t->comm_cap) {
		comms__grow(t);
		c = comm__slot(t, tid);
	}
	c->tid = tid;
	t->nr_comms++;
	t->generation++;
	return c;
}

bool fdtable__in_sequence(struct fdtable *t, u32 tid, u64 seq)
{
	struct comm *c = comm__get(t, tid);
	bool follows = !c || !seq || seq == c->next_seq;

	if (c)
		c->next_seq = seq + 1;
	return follows;
}

void fdtable__forget(struct fdtable *t, u32 pid)
{
	struct proc *p = proc__find(t, pid);

	if (!p)
		return;
	t->generation++;
	p->asked = true;
	for (u32 i = 0; i < p->files->nr; i++)
		p->files->fd[i].state = FD_CLOSED;
	free(p->cwd);
	p->cwd = NULL;
}

void fdtable__set_comm(struct fdtable *t, u32 tid, const char *comm)
{
	struct comm *c = comm__get(t, tid);

	if (!c || same_comm(c->name, comm))
		return;
	t->generation++;
	memcpy(c->name, comm, sizeof(c->name));
	c->name[sizeof(c->name) - 1] = 0;
}

u64 fdtable__generation(const struct fdtable *t)
{
	return t->generation;
}

bool fdtable__has_comm(struct fdtable *t, u32 tid)
{
	return comm__slot(t, tid)->tid != 0;
}

const char *fdtable__comm(struct fdtable *t, u32 tid)
{
	struct comm *c = comm__slot(t, tid);
	char path[64], name[16] = "";
	ssize_t n;
	int fd;

	if (c->tid || t->no_proc || !tid)
		return c->tid && c->name[0] ? c->name : NULL;
	snprintf(path, sizeof(path), "/proc/%u/comm", tid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		n = read(fd, name, sizeof(name) - 1);
		close(fd);
		if (n > 0 && name[n - 1] == '\n')
			name[n - 1] = 0;
	}
	fdtable__set_comm(t, tid, name); /* empty: asked, not there */
	return name[0] ? comm__slot(t, tid)->name : NULL;
}
