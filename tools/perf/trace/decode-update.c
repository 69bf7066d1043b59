// SPDX-License-Identifier: GPL-2.0-only
/* What a call does to its process's descriptors, directory and name. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <sys/socket.h>

#include "trace/decode-int.h"

static const struct trace_arg *arg_of_kind(const struct trace_call *c, u8 kind, int *at)
{
	for (int i = 0; i < c->nr_args; i++) {
		if (c->args[i].kind == kind) {
			*at = i;
			return &c->args[i];
		}
	}
	return NULL;
}

/* O_CLOEXEC has the same value in all the calls' own flags but few. */
static bool wants_cloexec(const struct dctx *x)
{
	for (int i = 0; i < x->c->nr_args; i++) {
		if (x->c->args[i].kind == TK_FLAGS && x->args[i] & O_CLOEXEC)
			return true;
		if (x->c->args[i].special == TS_SOCK_TYPE && x->args[i] & SOCK_CLOEXEC)
			return true;
	}
	if (x->in[2] && x->c->args[2].type && !strcmp(x->c->args[2].type->name, "open_how"))
		return span__get(blob__span(x->in[2]), 0, 8) & O_CLOEXEC;
	return false;
}

/* @path relative to @base, without its "./" and "../" at the start. 0 when it does not fit. */
static u32 join(char *out, size_t size, const char *base, const char *path, u32 len)
{
	size_t blen = strlen(base);
	int n;

	for (;;) {
		if (len >= 2 && path[0] == '.' && path[1] == '/') {
			path += 2, len -= 2;
			while (len && *path == '/')
				path++, len--;
		} else if (len >= 2 && path[0] == '.' && path[1] == '.' &&
			   (len == 2 || path[2] == '/')) {
			while (blen && base[blen - 1] != '/')
				blen--;
			blen -= blen > 0;
			path += 2, len -= 2;
			while (len && *path == '/')
				path++, len--;
		} else {
			break;
		}
	}
	if (len == 1 && *path == '.')
		len = 0;
	while (blen && base[blen - 1] == '/')
		blen--;
	if (!len)
		n = blen ? snprintf(out, size, "%.*s", (int)blen, base) : snprintf(out, size, "/");
	else
		n = snprintf(out, size, "%.*s/%.*s", (int)blen, base, (int)len, path);
	return n > 0 && (size_t)n < size ? (u32)n : 0;
}

/* The path argument made absolute; its length, 0 when that cannot be known. */
static u32 full_path(struct dctx *x, char *out, size_t size)
{
	int at, dfd_at;
	const struct trace_blob *b;
	const char *base, *path;
	u32 len;

	if (!arg_of_kind(x->c, TK_PATH, &at) || !x->in[at] || x->in[at]->status != BLOB_OK)
		return 0;
	b = x->in[at];
	path = (const char *)blob__data(b);
	len = (u32)strnlen(path, b->len);
	if (!len || len >= size)
		return 0;
	if (*path == '/') {
		memcpy(out, path, len);
		return len;
	}
	if (arg_of_kind(x->c, TK_DFD, &dfd_at) && dfd_at < at && (s32)x->args[dfd_at] != AT_FDCWD)
		base = fdtable__path(x->d->fds, x->r->pid, (s32)x->args[dfd_at]);
	else
		base = fdtable__cwd(x->d->fds, x->r->pid);
	if (!base || *base != '/')
		return 0;
	return join(out, size, base, path, len);
}

static const struct {
	const char *call, *name;
} anon_names[] = {
	{"epoll_create", "anon_inode:[eventpoll]"},
	{"epoll_create1", "anon_inode:[eventpoll]"},
	{"eventfd", "anon_inode:[eventfd]"},
	{"eventfd2", "anon_inode:[eventfd]"},
	{"signalfd", "anon_inode:[signalfd]"},
	{"signalfd4", "anon_inode:[signalfd]"},
	{"timerfd_create", "anon_inode:[timerfd]"},
	{"inotify_init", "anon_inode:inotify"},
	{"inotify_init1", "anon_inode:inotify"},
	{"fanotify_init", "anon_inode:[fanotify]"},
	{"userfaultfd", "anon_inode:[userfaultfd]"},
	{"io_uring_setup", "anon_inode:[io_uring]"},
	{"perf_event_open", "anon_inode:[perf_event]"},
	{"pidfd_open", "anon_inode:[pidfd]"},
	{"fsopen", "anon_inode:[fscontext]"},
	{"fspick", "anon_inode:[fscontext]"},
	{"landlock_create_ruleset", "anon_inode:[landlock-ruleset]"},
};

static void new_anon(struct dctx *x, u32 pid, int fd)
{
	bool cloexec = wants_cloexec(x);

	if (!strcmp(x->c->name, "memfd_create") && x->in[0]) {
		char name[300];
		int n = snprintf(name, sizeof(name), "/memfd:%.*s",
				 (int)min_t(u32, x->in[0]->len, 249),
				 (const char *)blob__data(x->in[0]));

		fdtable__set(x->d->fds, pid, fd, name, (u32)n, x->args[1] & 1);
		return;
	}
	for (u32 i = 0; i < ARRAY_SIZE(anon_names); i++) {
		if (strcmp(anon_names[i].call, x->c->name))
			continue;
		fdtable__set(x->d->fds, pid, fd, anon_names[i].name,
			     (u32)strlen(anon_names[i].name), cloexec);
		return;
	}
	fdtable__set_unknown(x->d->fds, pid, fd, cloexec);
}

/* Two descriptors in an array that the kernel filled in: both ends have the same name. */
static void new_pair(struct dctx *x, u32 pid, int arg, const char *name)
{
	const struct trace_blob *b = x->out[arg];

	if (!b || b->len < 8)
		return;
	for (u32 i = 0; i < 2; i++)
		fdtable__set(x->d->fds, pid, (s32)span__get(blob__span(b), i * 4, 4), name,
			     (u32)strlen(name), wants_cloexec(x));
}

static void forked(struct dctx *x, u32 pid, u32 child)
{
	u64 flags = 0;

	if (x->c->nr_args == 5)
		flags = x->args[0];
	else if (x->c->nr_args == 2 && x->in[0])
		flags = span__get(blob__span(x->in[0]), 0, 8);
	if (!(flags & CLONE_THREAD))
		fdtable__fork(x->d->fds, pid, child, flags & CLONE_FILES);
}

static void fcntl_done(struct dctx *x, u32 pid, int ret)
{
	switch ((u32)x->args[1]) {
	case F_DUPFD:
	case F_DUPFD_CLOEXEC:
		fdtable__dup(x->d->fds, pid, (s32)x->args[0], ret,
			     (u32)x->args[1] == F_DUPFD_CLOEXEC);
		break;
	case F_SETFD:
		fdtable__set_cloexec(x->d->fds, pid, (s32)x->args[0], x->args[2] & FD_CLOEXEC);
		break;
	}
}

static void succeeded(struct dctx *x, u32 pid, int ret)
{
	struct fdtable *f = x->d->fds;
	char path[4096 + 256];
	u32 len;

	switch (x->c->action) {
	case FDA_OPEN:
		len = full_path(x, path, sizeof(path));
		if (len)
			fdtable__set(f, pid, ret, path, len, wants_cloexec(x));
		else
			fdtable__set_unknown(f, pid, ret, wants_cloexec(x));
		break;
	case FDA_DUP:
		fdtable__dup(f, pid, (s32)x->args[0], ret, false);
		break;
	case FDA_DUP2:
		if ((s32)x->args[0] != (s32)x->args[1])
			fdtable__dup(f, pid, (s32)x->args[0], (s32)x->args[1],
				     x->args[2] & O_CLOEXEC && x->c->nr_args == 3);
		break;
	case FDA_CLOSE_RANGE:
		if (!(x->args[2] & 4)) /* CLOSE_RANGE_CLOEXEC closes nothing yet */
			fdtable__close_range(f, pid, (u32)x->args[0], (u32)x->args[1]);
		break;
	case FDA_SOCKET:
		socket__made(x, ret, wants_cloexec(x));
		break;
	case FDA_ACCEPT:
		socket__accepted(x, ret, wants_cloexec(x));
		break;
	case FDA_PIPE:
		snprintf(path, sizeof(path), "pipe:[#%u]", ++x->d->nr_pipes);
		new_pair(x, pid, 0, path);
		break;
	case FDA_SOCKETPAIR:
		snprintf(path, sizeof(path), "UNIX:[#%u]", ++x->d->nr_pipes);
		new_pair(x, pid, 3, path);
		break;
	case FDA_ANON:
		new_anon(x, pid, ret);
		break;
	case FDA_FORK:
		if (ret > 0)
			forked(x, pid, (u32)ret);
		break;
	case FDA_EXEC:
		fdtable__exec(f, pid);
		break;
	case FDA_CHDIR:
		len = full_path(x, path, sizeof(path));
		fdtable__set_cwd(f, pid, len ? path : NULL, len);
		break;
	case FDA_FCHDIR: {
		const char *dir = fdtable__path(f, pid, (s32)x->args[0]);

		len = dir ? (u32)snprintf(path, sizeof(path), "%s", dir) : 0;
		fdtable__set_cwd(f, pid, len ? path : NULL, len);
		break;
	}
	case FDA_FCNTL:
		fcntl_done(x, pid, ret);
		break;
	case FDA_BIND:
		socket__changed(x);
		break;
	}
}

void decoder__begin(struct decoder *d, const struct trace_record *r)
{
	if (r->flags & (TR_EVENT | TR_SIGNAL | TR_EXITED))
		return;
	if (!fdtable__in_sequence(d->fds, r->tid, r->seq))
		fdtable__forget(d->fds, r->pid);
}

void decoder__update(struct decoder *d, const struct trace_record *r)
{
	struct dctx x;

	if (r->flags & TR_EXITED) {
		if (r->pid == r->tid)
			fdtable__exit(d->fds, r->pid);
		return;
	}
	if (r->flags & (TR_EVENT | TR_SIGNAL))
		return;
	fdtable__set_comm(d->fds, r->tid, r->comm);
	if (!d->o.fd_paths && !d->o.know_fds)
		return;
	if (!decoder__call(d, r)->action)
		return;
	dctx__init(&x, d, r, NULL);
	if (!x.has_ret) {
		if (x.c->action == FDA_EXIT &&
		    (r->pid == r->tid || !strcmp(x.c->name, "exit_group")))
			fdtable__exit(d->fds, r->pid);
		return;
	}
	if (r->flags & TR_NO_ENTRY) {
		/* back from the clone that made it, before its parent is: it has what that has now
		 */
		if (r->args[TRACE_ARG_PARENT] && r->args[TRACE_ARG_PARENT] != r->pid)
			fdtable__born(d->fds, (u32)r->args[TRACE_ARG_PARENT], r->pid);
		/* arguments unknown: what it may have changed is unknown as well */
		if (x.c->action == FDA_EXEC && r->ret >= 0)
			fdtable__exec(d->fds, r->pid);
		return;
	}
	if (x.c->action == FDA_CLOSE && r->ret != -EBADF)
		fdtable__close(d->fds, r->pid, (s32)x.args[0]);
	else if (x.c->action == FDA_BIND && r->ret == -EINPROGRESS)
		socket__changed(&x);
	else if (r->ret >= 0)
		succeeded(&x, r->pid, (int)r->ret);
}
