// SPDX-License-Identifier: GPL-2.0-only
/* Processes and threads through time: forks, execs, names, ends. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "session/machine-internal.h"

#define FOREVER UINT64_MAX

pid_t thread__pid(const struct thread *t)
{
	return t->pid;
}

pid_t thread__tid(const struct thread *t)
{
	return t->tid;
}

const char *thread__comm(const struct thread *t, u64 time)
{
	u32 i = t->nr_comms;

	if (!i)
		return "";
	while (i > 1 && t->comms[i - 1].time > time)
		i--;
	return t->comms[i - 1].comm->name;
}

static const struct comm *intern(struct machine *m, const char *name)
{
	size_t len = strnlen(name, 255);
	struct comm *c;

	HASH_FIND(hh, m->comms, name, len, c);
	if (c)
		return c;
	c = calloc(1, sizeof(*c) + len + 1);
	if (!c)
		return NULL;
	memcpy(c->name, name, len);
	HASH_ADD_KEYPTR(hh, m->comms, c->name, len, c);
	return c;
}

int thread__set_comm(struct machine *m, struct thread *t, const char *name, u64 time)
{
	const struct comm *c = intern(m, name);
	u32 at = t->nr_comms;

	if (!c)
		return -ENOMEM;
	while (at && t->comms[at - 1].time > time)
		at--;
	/* a name made up for an unknown thread gives way to the first real one */
	if (t->nr_comms == 1 && t->comms[0].comm->name[0] == ':' && t->comms[0].time == 0) {
		t->comms[0].comm = c;
		t->comms[0].time = time;
		return 0;
	}
	if (at && (t->comms[at - 1].comm == c || t->comms[at - 1].time == time)) {
		t->comms[at - 1].comm = c;
		return 0;
	}
	if (t->nr_comms == t->cap_comms) {
		u32 cap = t->cap_comms * 2;
		struct comm_change *p = malloc(cap * sizeof(*p));

		if (!p)
			return -ENOMEM;
		memcpy(p, t->comms, t->nr_comms * sizeof(*p));
		if (t->comms != &t->first)
			free(t->comms);
		t->comms = p;
		t->cap_comms = cap;
	}
	memmove(&t->comms[at + 1], &t->comms[at], (t->nr_comms - at) * sizeof(*t->comms));
	t->comms[at] = (struct comm_change){time, c};
	t->nr_comms++;
	return 0;
}

struct process *machine__process_at(struct machine *m, pid_t pid, u64 time)
{
	struct process *newest, *p;

	HASH_FIND_INT(m->processes, &pid, newest);
	for (p = newest; p && p->start > time && p->older;)
		p = p->older;
	return p;
}

struct process *machine__process_new(struct machine *m, pid_t pid, u64 start)
{
	struct process *p = calloc(1, sizeof(*p)), *newest;

	if (!p)
		return NULL;
	p->images = image__new(m, start);
	if (!p->images) {
		free(p);
		return NULL;
	}
	p->pid = pid;
	p->start = start;
	p->end = FOREVER;
	HASH_FIND_INT(m->processes, &pid, newest);
	if (newest && newest->start > start) {
		/* an earlier one that was heard of late */
		while (newest->older && newest->older->start > start)
			newest = newest->older;
		p->older = newest->older;
		newest->older = p;
		p->end = newest->start;
		return p;
	}
	if (newest) {
		if (newest->end == FOREVER)
			newest->end = start;
		HASH_DEL(m->processes, newest);
		p->older = newest;
	}
	HASH_ADD_INT(m->processes, pid, p);
	return p;
}

struct image *process__image_at(const struct process *p, u64 time)
{
	struct image *im = p->images;

	while (im->start > time && im->older)
		im = im->older;
	return im;
}

struct image *process__exec(struct machine *m, struct process *p, u64 time)
{
	struct image *im, **at = &p->images;

	while (*at && (*at)->start > time)
		at = &(*at)->older;
	im = image__new(m, time);
	if (!im)
		return NULL;
	im->complete = true;
	im->older = *at;
	*at = im;
	return im;
}

u64 thread__image_id(const struct thread *t, u64 time)
{
	return process__image_at(t->proc, time)->id;
}

struct thread *machine__thread_known(struct machine *m, pid_t pid, pid_t tid, u64 time)
{
	struct thread **recent = &m->recent[(u32)tid % ARRAY_SIZE(m->recent)], *t = *recent;

	if (t && t->tid == tid && t->pid == pid && t->start <= time && time <= t->end)
		return t;
	HASH_FIND_INT(m->threads, &tid, t);
	while (t && t->older && (t->start > time || (pid >= 0 && t->pid != pid)))
		t = t->older;
	if (!t || (pid >= 0 && t->pid != pid))
		return NULL;
	*recent = t;
	return t;
}

struct thread *machine__thread_new(struct machine *m, struct process *p, pid_t tid, u64 start)
{
	struct thread *t = calloc(1, sizeof(*t)), *newest;

	if (!t)
		return NULL;
	t->pid = p->pid;
	t->tid = tid;
	t->proc = p;
	t->start = start;
	t->end = FOREVER;
	t->comms = &t->first;
	t->cap_comms = 1;
	p->alive++;
	p->nr_threads++;
	m->recent[(u32)tid % ARRAY_SIZE(m->recent)] = NULL;
	HASH_FIND_INT(m->threads, &tid, newest);
	if (newest && newest->start > start) {
		while (newest->older && newest->older->start > start)
			newest = newest->older;
		t->older = newest->older;
		newest->older = t;
		return t;
	}
	if (newest) {
		HASH_DEL(m->threads, newest);
		t->older = newest;
	}
	HASH_ADD_INT(m->threads, tid, t);
	return t;
}

struct thread *machine__thread(struct machine *m, pid_t pid, pid_t tid, u64 time)
{
	struct thread *t = machine__thread_known(m, pid, tid, time);
	struct process *p;
	char name[32];

	if (t)
		return t;
	if (pid < 0)
		pid = tid;
	p = machine__process_at(m, pid, time);
	if (!p)
		p = machine__process_new(m, pid, 0);
	t = p ? machine__thread_new(m, p, tid, p->start) : NULL;
	if (!t)
		return NULL;
	if (!tid)
		snprintf(name, sizeof(name), "swapper");
	else
		snprintf(name, sizeof(name), ":%d", tid);
	/* a thread of a known process bears its leader's name unless it was told otherwise; -1 is
	 * any that the kernel had no number for any more */
	if (tid != pid && tid != -1) {
		struct thread *leader = machine__thread_known(m, pid, pid, time);

		if (leader && leader->nr_comms)
			snprintf(name, sizeof(name), "%s", thread__comm(leader, time));
	}
	if (thread__set_comm(m, t, name, 0))
		return NULL;
	return t;
}

static void thread__delete(struct thread *t)
{
	if (t->comms != &t->first)
		free(t->comms);
	free(t);
}

static void process__delete(struct process *p)
{
	while (p->images) {
		struct image *im = p->images;

		p->images = im->older;
		im->older = NULL;
		image__put(im);
	}
	free(p);
}

static void prune_thread_chain(struct machine *m, struct thread *newest, u64 time)
{
	struct thread **at = &newest->older, *t;

	while ((t = *at)) {
		if (t->end >= time) {
			at = &t->older;
			continue;
		}
		*at = t->older;
		t->proc->nr_threads--;
		thread__delete(t);
	}
	if (newest->end >= time)
		return;
	HASH_DEL(m->threads, newest);
	if (newest->older) {
		t = newest->older;
		HASH_ADD_INT(m->threads, tid, t);
	}
	newest->proc->nr_threads--;
	thread__delete(newest);
}

static void prune_images(struct process *p, u64 time)
{
	struct image *im = p->images;

	/* an image ends where the next begins */
	while (im && im->start > time)
		im = im->older;
	if (im) {
		struct image *gone = im->older;

		im->older = NULL;
		while (gone) {
			struct image *next = gone->older;

			gone->older = NULL;
			image__put(gone);
			gone = next;
		}
	}
	for (im = p->images; im; im = im->older)
		image__prune(im, time);
}

static void prune_process_chain(struct machine *m, struct process *newest, u64 time)
{
	struct process **at = &newest->older, *p;

	while ((p = *at)) {
		if (p->end >= time || p->nr_threads) {
			prune_images(p, time);
			at = &p->older;
			continue;
		}
		*at = p->older;
		process__delete(p);
	}
	if (newest->end >= time || newest->nr_threads) {
		prune_images(newest, time);
		return;
	}
	HASH_DEL(m->processes, newest);
	if (newest->older) {
		p = newest->older;
		HASH_ADD_INT(m->processes, pid, p);
	}
	process__delete(newest);
}

void machine__prune(struct machine *m, u64 time)
{
	struct process *p, *ptmp;
	struct thread *t, *ttmp;

	memset(m->recent, 0, sizeof(m->recent));
	memset(m->cache, 0, sizeof(m->cache));
	HASH_ITER (hh, m->threads, t, ttmp) {
		prune_thread_chain(m, t, time);
	}
	HASH_ITER (hh, m->processes, p, ptmp) {
		prune_process_chain(m, p, time);
	}
	image__prune(m->kernel, time);
}

void machine__free_threads(struct machine *m)
{
	struct process *p, *ptmp;
	struct thread *t, *ttmp;
	struct comm *c, *ctmp;

	HASH_ITER (hh, m->threads, t, ttmp) {
		HASH_DEL(m->threads, t);
		while (t) {
			struct thread *older = t->older;

			thread__delete(t);
			t = older;
		}
	}
	HASH_ITER (hh, m->processes, p, ptmp) {
		HASH_DEL(m->processes, p);
		while (p) {
			struct process *older = p->older;

			process__delete(p);
			p = older;
		}
	}
	HASH_ITER (hh, m->comms, c, ctmp) {
		HASH_DEL(m->comms, c);
		free(c);
	}
}
