// SPDX-License-Identifier: GPL-2.0-only
/* Targets: which options may stand together, and which threads they mean. */
#include <ctype.h>
#include <errno.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/api/procfs.h"
#include "lib/perf/target.h"

bool target__has_task(const struct target *t)
{
	return t->pid_list || t->tid_list || t->user || (t->workload_pid && !t->system_wide);
}

int target__check(const struct target *t, struct errbuf *eb)
{
	if (t->pid_list && t->tid_list)
		return errbuf__set(eb, -EINVAL,
				   "-p and -t exclude each other: give the threads "
				   "of both with -t, or all of them with -p");
	if (t->user && (t->pid_list || t->tid_list))
		return errbuf__set(eb, -EINVAL,
				   "-u excludes -p and -t: it already means all "
				   "processes of that user");
	if (t->system_wide && (t->pid_list || t->tid_list || t->user))
		return errbuf__set(eb, -EINVAL, "-a (all processes) excludes -p, -t and -u");
	if (t->cgroups && (t->pid_list || t->tid_list || t->user))
		return errbuf__set(eb, -EINVAL,
				   "-G selects processes by cgroup, on all CPUs: it "
				   "excludes -p, -t and -u");
	return 0;
}

/* Threads under construction. */
struct tmap {
	struct thread_map *m;
	int cap;
};

static bool tmap__has(const struct tmap *t, pid_t tid)
{
	for (int i = 0; i < t->m->nr; i++)
		if (t->m->thread[i].tid == tid)
			return true;
	return false;
}

static int tmap__add(struct tmap *t, pid_t pid, pid_t tid)
{
	if (!t->m || t->m->nr == t->cap) {
		int cap = t->cap ? t->cap * 2 : 16;
		struct thread_map *m = realloc(t->m, sizeof(*m) + cap * sizeof(m->thread[0]));

		if (!m)
			return -ENOMEM;
		if (!t->m)
			m->nr = 0;
		t->m = m;
		t->cap = cap;
	}
	t->m->thread[t->m->nr].tid = tid;
	t->m->thread[t->m->nr++].pid = pid;
	return 0;
}

static int cmp_thread(const void *a, const void *b)
{
	const pid_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/*
 * All threads of @pid. A directory scan is not atomic, so it is repeated until it finds nothing
 * new; threads that are born later come from threads that are attached, and inherit their events.
 */
static int tmap__add_process(struct tmap *t, pid_t pid)
{
	int first = t->m ? t->m->nr : 0, added;

	do {
		pid_t *tids;
		int known = t->m ? t->m->nr : 0, nr = procfs__tasks(pid, &tids), err = 0;

		if (nr < 0)
			return first == known ? nr : 0;
		added = 0;
		for (int i = 0; i < nr && !err; i++) {
			if (known > first && bsearch(&tids[i], &t->m->thread[first], known - first,
						     sizeof(t->m->thread[0]), cmp_thread))
				continue;
			err = tmap__add(t, pid, tids[i]);
			added++;
		}
		free(tids);
		if (err)
			return err;
		if (t->m)
			qsort(&t->m->thread[first], t->m->nr - first, sizeof(t->m->thread[0]),
			      cmp_thread);
	} while (added);
	return t->m && t->m->nr > first ? 0 : -ESRCH;
}

static int tmap__add_list(struct tmap *t, const char *list, bool threads, struct errbuf *eb)
{
	const char *what = threads ? "thread" : "process", *p = list;

	for (;;) {
		char *end;
		long id = strtol(p, &end, 10);
		int err = 0;

		if (!isdigit((unsigned char)*p) || id <= 0 || id > 0x7fffffff ||
		    (*end && *end != ','))
			return errbuf__set(eb, -EINVAL,
					   "%s list '%s': a %s id is expected (column %d)", what,
					   list, what, (int)(p - list) + 1);
		if (threads) {
			pid_t pid = procfs__tgid(id);

			if (pid <= 0)
				err = -ESRCH;
			else if (!t->m || !tmap__has(t, id))
				err = tmap__add(t, pid, id);
		} else if (!t->m || !tmap__has(t, id)) {
			err = tmap__add_process(t, id);
			if (err == -ENOENT)
				err = -ESRCH;
		}
		if (err == -ESRCH)
			return errbuf__set(eb, err, "no %s has the id %ld (see ps -e%s)", what, id,
					   threads ? "L" : "");
		if (err)
			return errbuf__set(eb, err, "cannot list the threads of process %ld: %s",
					   id, strerror(-err));
		if (!*end)
			return 0;
		p = end + 1;
	}
}

static int tmap__add_user(struct tmap *t, const char *user, struct errbuf *eb)
{
	struct passwd *pw = getpwnam(user);
	char *end;
	unsigned long uid = pw ? pw->pw_uid : strtoul(user, &end, 10);
	pid_t *pids;
	int nr, err = 0;

	if (!pw && (!isdigit((unsigned char)*user) || *end))
		return errbuf__set(eb, -ENOENT, "no user is called '%s' (see getent passwd)", user);
	nr = procfs__pids(&pids);
	if (nr < 0)
		return errbuf__set(eb, nr, "cannot list processes in /proc: %s", strerror(-nr));
	for (int i = 0; i < nr && !err; i++) {
		char path[64];
		struct stat st;

		snprintf(path, sizeof(path), "/proc/%d", pids[i]);
		if (stat(path, &st) || st.st_uid != uid || pids[i] == getpid())
			continue;
		err = tmap__add_process(t, pids[i]);
		if (err == -ESRCH || err == -ENOENT)
			err = 0; /* it ended meanwhile */
	}
	free(pids);
	if (err)
		return errbuf__set(eb, err, "cannot list the processes of user '%s': %s", user,
				   strerror(-err));
	if (!t->m || !t->m->nr)
		return errbuf__set(eb, -ESRCH, "user '%s' has no process now", user);
	return 0;
}

struct thread_map *thread_map__new(const struct target *t, struct errbuf *eb)
{
	struct tmap map = {NULL, 0};
	int err;

	if (t->pid_list)
		err = tmap__add_list(&map, t->pid_list, false, eb);
	else if (t->tid_list)
		err = tmap__add_list(&map, t->tid_list, true, eb);
	else if (t->user)
		err = tmap__add_user(&map, t->user, eb);
	else if (t->workload_pid && !t->system_wide)
		err = tmap__add(&map, t->workload_pid, t->workload_pid);
	else
		err = tmap__add(&map, -1, -1);
	if (!err)
		return map.m;
	if (err == -ENOMEM)
		errbuf__set(eb, err, "out of memory for the thread list");
	free(map.m);
	errno = -err;
	return NULL;
}
