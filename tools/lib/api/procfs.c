// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "lib/api/fs.h"
#include "lib/api/procfs.h"

/* A process that ends between two look-ups is ENOENT or ESRCH, by where it was caught. */
static int gone(int err)
{
	return err == -ENOENT ? -ESRCH : err;
}

int proc_stat__parse(const char *text, struct proc_stat *st)
{
	const char *open = strchr(text, '('), *close = strrchr(text, ')');
	size_t n;

	memset(st, 0, sizeof(*st));
	if (!open || !close || close < open || sscanf(text, "%d", &st->pid) != 1)
		return -EBADMSG;
	n = min_t(size_t, close - open - 1, sizeof(st->comm) - 1);
	memcpy(st->comm, open + 1, n);
	if (sscanf(close + 1,
		   " %c %d %d %d %d %d %" SCNu32 " %*u %*u %*u %*u %" SCNu64 " %" SCNu64
		   " %*d %*d %*d %*d %d %*d %" SCNu64,
		   &st->state, &st->ppid, &st->pgrp, &st->session, &st->tty_nr, &st->tpgid,
		   &st->flags, &st->utime, &st->stime, &st->num_threads, &st->starttime) != 11)
		return -EBADMSG;
	return 0;
}

static int read_stat(const char *path, struct proc_stat *st)
{
	char buf[1024];
	ssize_t n = fs__read_at(AT_FDCWD, path, buf, sizeof(buf));

	return n < 0 ? gone(n) : proc_stat__parse(buf, st);
}

int procfs__stat(pid_t tid, struct proc_stat *st)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/stat", tid);
	return read_stat(path, st);
}

int procfs__task_stat(pid_t pid, pid_t tid, struct proc_stat *st)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/task/%d/stat", pid, tid);
	return read_stat(path, st);
}

/* One "Key:\tvalue" line. The kernel escapes newlines in Name, so no value can pass for a line. */
static void status_line(struct proc_status *st, const char *key, const char *v)
{
	const struct {
		const char *key;
		u64 *mask;
	} masks[] = {
		{"SigPnd", &st->sig_pending}, {"ShdPnd", &st->sig_shared_pending},
		{"SigBlk", &st->sig_blocked}, {"SigIgn", &st->sig_ignored},
		{"SigCgt", &st->sig_caught},
	};
	const struct {
		const char *key;
		int *num;
	} nums[] = {
		{"Tgid", &st->tgid},	   {"Pid", &st->pid},
		{"PPid", &st->ppid},	   {"TracerPid", &st->tracer_pid},
		{"Threads", &st->threads},
	};

	for (size_t i = 0; i < ARRAY_SIZE(masks); i++)
		if (!strcmp(key, masks[i].key))
			*masks[i].mask = strtoull(v, NULL, 16);
	for (size_t i = 0; i < ARRAY_SIZE(nums); i++)
		if (!strcmp(key, nums[i].key))
			*nums[i].num = atoi(v);
	if (!strcmp(key, "VmRSS"))
		st->vm_rss_kb = strtoull(v, NULL, 10);
	else if (!strcmp(key, "Uid"))
		sscanf(v, "%u %u %u %u", &st->uid[0], &st->uid[1], &st->uid[2], &st->uid[3]);
	else if (!strcmp(key, "Gid"))
		sscanf(v, "%u %u %u %u", &st->gid[0], &st->gid[1], &st->gid[2], &st->gid[3]);
	else if (!strcmp(key, "NSpid"))
		st->ns_pid = atoi(strrchr(v, '\t') ? strrchr(v, '\t') + 1 : v);
}

int proc_status__parse(char *text, struct proc_status *st)
{
	char *save = NULL;

	memset(st, 0, sizeof(*st));
	for (char *l = strtok_r(text, "\n", &save); l; l = strtok_r(NULL, "\n", &save)) {
		char *colon = strchr(l, ':');

		if (!colon)
			continue;
		*colon++ = 0;
		while (isspace((unsigned char)*colon))
			colon++;
		status_line(st, l, colon);
	}
	return st->pid ? 0 : -EBADMSG;
}

int procfs__status(pid_t tid, struct proc_status *st)
{
	char path[64], buf[8192];
	ssize_t n;

	snprintf(path, sizeof(path), "/proc/%d/status", tid);
	n = fs__read_at(AT_FDCWD, path, buf, sizeof(buf));
	return n < 0 ? gone(n) : proc_status__parse(buf, st);
}

ssize_t procfs__comm(pid_t tid, char *buf, size_t size)
{
	char path[64];
	ssize_t n;

	snprintf(path, sizeof(path), "/proc/%d/comm", tid);
	n = fs__read_at(AT_FDCWD, path, buf, size);
	if (n > 0 && buf[n - 1] == '\n')
		buf[--n] = 0;
	return n < 0 ? gone(n) : n;
}

ssize_t procfs__cmdline(pid_t pid, char *buf, size_t size)
{
	char path[64];
	ssize_t n;

	snprintf(path, sizeof(path), "/proc/%d/cmdline", pid);
	n = fs__read_at(AT_FDCWD, path, buf, size);
	return n < 0 ? gone(n) : n;
}

pid_t procfs__tgid(pid_t tid)
{
	struct proc_status st;
	int err = procfs__status(tid, &st);

	return err ? err : st.tgid;
}

ssize_t procfs__link(pid_t pid, const char *name, char *buf, size_t size)
{
	char path[320];
	ssize_t n;

	snprintf(path, sizeof(path), "/proc/%d/%s", pid, name);
	n = readlink(path, buf, size - 1);
	if (n < 0)
		return gone(-errno);
	buf[n] = 0;
	return n;
}

/* ---- maps ---- */

/* A hex number followed by @sep; the text behind it, or NULL. */
static char *hex_field(char *p, char sep, u64 *v)
{
	char *end;

	if (!isxdigit((unsigned char)*p))
		return NULL;
	*v = strtoull(p, &end, 16);
	return *end == sep ? end + 1 : NULL;
}

/* The kernel writes a newline in a path as \012, and nothing else that way. */
static void unescape_newlines(char *s)
{
	char *to = s;

	for (; *s; s++) {
		if (!strncmp(s, "\\012", 4)) {
			*to++ = '\n';
			s += 3;
		} else {
			*to++ = *s;
		}
	}
	*to = 0;
}

int proc_map__parse(char *line, struct proc_map *m)
{
	static const char deleted[] = " (deleted)";
	char *p = line, *path, *end;
	u64 maj, min;
	size_t n;

	memset(m, 0, sizeof(*m));
	if (!(p = hex_field(p, '-', &m->start)) || !(p = hex_field(p, ' ', &m->end)))
		return -EBADMSG;
	if (strnlen(p, 5) < 5 || p[4] != ' ' || m->start > m->end)
		return -EBADMSG;
	m->prot = (p[0] == 'r' ? PROT_READ : 0) | (p[1] == 'w' ? PROT_WRITE : 0) |
		  (p[2] == 'x' ? PROT_EXEC : 0);
	m->shared = p[3] == 's';
	p += 5;
	if (!(p = hex_field(p, ' ', &m->pgoff)) || !(p = hex_field(p, ':', &maj)) ||
	    !(p = hex_field(p, ' ', &min)) || !isdigit((unsigned char)*p))
		return -EBADMSG;
	m->maj = maj;
	m->min = min;
	m->ino = strtoull(p, &end, 10);
	for (path = end; *path == ' ' || *path == '\t'; path++)
		;
	n = strlen(path);
	if (n >= sizeof(deleted) && !strcmp(path + n - (sizeof(deleted) - 1), deleted)) {
		m->deleted = true;
		path[n - (sizeof(deleted) - 1)] = 0;
	}
	unescape_newlines(path);
	m->path = path;
	return 0;
}

struct maps_ctx {
	int (*cb)(void *ctx, const struct proc_map *m);
	void *ctx;
};

static int maps_line(void *ctx, char *line)
{
	struct maps_ctx *c = ctx;
	struct proc_map m;

	return proc_map__parse(line, &m) ? 0 : c->cb(c->ctx, &m);
}

int procfs__maps(pid_t pid, int (*cb)(void *ctx, const struct proc_map *m), void *ctx)
{
	struct maps_ctx c = {cb, ctx};
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/maps", pid);
	return gone(fs__each_line(path, maps_line, &c));
}

/* ---- lists ---- */

struct id_list {
	pid_t *ids;
	int nr, cap;
};

static int add_id(void *ctx, const char *name)
{
	struct id_list *l = ctx;
	char *end;
	long id = strtol(name, &end, 10);

	if (*end || end == name || id <= 0)
		return 0;
	if (l->nr == l->cap) {
		int cap = l->cap ? 2 * l->cap : 64;
		pid_t *p = realloc(l->ids, cap * sizeof(*p));

		if (!p)
			return -ENOMEM;
		l->ids = p;
		l->cap = cap;
	}
	l->ids[l->nr++] = id;
	return 0;
}

static int cmp_id(const void *a, const void *b)
{
	pid_t x = *(const pid_t *)a, y = *(const pid_t *)b;

	return (x > y) - (x < y);
}

static int list_ids(const char *path, pid_t **ids)
{
	struct id_list l = {};
	int err = fs__each_entry(AT_FDCWD, path, add_id, &l);

	if (!err && !l.nr)
		err = -ESRCH;
	if (err) {
		free(l.ids);
		return gone(err);
	}
	qsort(l.ids, l.nr, sizeof(*l.ids), cmp_id);
	*ids = l.ids;
	return l.nr;
}

int procfs__tasks(pid_t pid, pid_t **ids)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	return list_ids(path, ids);
}

int procfs__pids(pid_t **ids)
{
	return list_ids("/proc", ids);
}

int procfs__sysctl(const char *name, int def)
{
	char path[256];
	s64 v;

	snprintf(path, sizeof(path), "/proc/sys/%s", name);
	return fs__read_s64(path, &v) ? def : (int)v;
}
