// SPDX-License-Identifier: GPL-2.0-only
/* The set of all dsos of a run. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/symbol/dso-internal.h"

struct dsos *dsos__new(const struct symbol_conf *conf)
{
	struct dsos *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	if (conf)
		s->conf = *conf;
	TAILQ_INIT(&s->open);
	s->debug_dir = strdup(s->conf.debug_dir ?: "/usr/lib/debug");
	if (s->conf.symfs && s->conf.symfs[0])
		s->symfs = strdup(s->conf.symfs);
	if (!s->debug_dir || (s->conf.symfs && s->conf.symfs[0] && !s->symfs)) {
		dsos__delete(s);
		errno = ENOMEM;
		return NULL;
	}
	return s;
}

static void dso__delete(struct dso *d)
{
	free(d->func_start);
	if (d->debuginfo_free)
		d->debuginfo_free(d->debuginfo);
	dso__close(d);
	if (d->root_fd >= 0)
		close(d->root_fd);
	symtab__delete(d->st);
	free(d->load);
	free(d->path);
	free(d->file);
	free(d->debug_path);
	free(d->error);
	free(d);
}

void dsos__delete(struct dsos *s)
{
	struct dso *d, *tmp;

	if (!s)
		return;
	HASH_ITER (hh, s->hash, d, tmp) {
		HASH_DEL(s->hash, d);
		while (d) {
			struct dso *next = d->same;

			dso__delete(d);
			d = next;
		}
	}
	free(s->debug_dir);
	free(s->symfs);
	free(s);
}

static u64 hash_bytes(u64 h, const void *p, size_t n)
{
	const u8 *b = p;

	while (n--)
		h = (h ^ *b++) * 0x100000001b3ULL;
	return h;
}

static u64 ident_hash(const struct dso_ident *id)
{
	u64 h = 0xcbf29ce484222325ULL;

	h = hash_bytes(h, id->path, strlen(id->path));
	h = hash_bytes(h, &id->kind, sizeof(id->kind));
	h = hash_bytes(h, &id->ino, sizeof(id->ino));
	h = hash_bytes(h, id->build_id.data, id->build_id.size);
	if (id->kind == DSO_JIT)
		h = hash_bytes(h, &id->pid, sizeof(id->pid));
	return h;
}

static bool same_dso(const struct dso *d, const struct dso_ident *id)
{
	if (d->kind != id->kind || d->ino != id->ino || strcmp(d->path, id->path))
		return false;
	if (id->kind == DSO_JIT)
		return d->pid == id->pid;
	if (d->ino && (d->maj != id->maj || d->min != id->min))
		return false;
	if (id->build_id.size && d->build_id.size &&
	    (d->build_id.size != id->build_id.size ||
	     memcmp(d->build_id.data, id->build_id.data, id->build_id.size)))
		return false;
	/* /proc/PID/maps does not tell the generation */
	return !d->ino_generation || !id->ino_generation ||
	       (u32)d->ino_generation == (u32)id->ino_generation;
}

/* The last process is the one that most likely lives still. */
static void dso__seen(struct dso *d, const struct dso_ident *id)
{
	d->start = id->start;
	d->end = id->end;
	d->seen_pid = id->seen_pid;
	d->mnt_ns = id->mnt_ns;
}

static struct dso *dso__new(struct dsos *s, const struct dso_ident *id, u64 key)
{
	struct dso *d = calloc(1, sizeof(*d));
	const char *slash;

	if (!d)
		return NULL;
	d->fd = d->root_fd = -1;
	d->path = strdup(id->path);
	if (!d->path) {
		free(d);
		return NULL;
	}
	slash = strrchr(d->path, '/');
	d->short_name = id->kind == DSO_USER && slash && slash[1] ? (char *)slash + 1 : d->path;
	d->dsos = s;
	d->key = key;
	d->kind = id->kind;
	d->maj = id->maj;
	d->min = id->min;
	d->ino = id->ino;
	d->ino_generation = id->ino_generation;
	d->build_id = id->build_id;
	if (!d->build_id.size && (id->kind == DSO_USER || id->kind == DSO_VDSO) &&
	    s->conf.recorded_id)
		s->conf.recorded_id(s->conf.recorded_ctx, id->path, &d->build_id);
	d->pid = id->pid;
	d->ppid = id->ppid;
	dso__seen(d, id);
	return d;
}

struct dso *dsos__find(struct dsos *s, const struct dso_ident *id)
{
	u64 key = ident_hash(id);
	struct dso *d, *head;

	HASH_FIND(hh, s->hash, &key, sizeof(key), head);
	for (d = head; d; d = d->same) {
		if (!same_dso(d, id))
			continue;
		if (!d->ino_generation)
			d->ino_generation = id->ino_generation;
		if (id->seen_pid)
			dso__seen(d, id);
		return d;
	}
	d = dso__new(s, id, key);
	if (!d)
		return NULL;
	if (head) {
		d->same = head->same;
		head->same = d;
	} else {
		HASH_ADD(hh, s->hash, key, sizeof(d->key), d);
	}
	if (id->kind == DSO_USER && id->pid > 0)
		dso__open_early(d);
	else if (id->kind == DSO_JIT && id->pid > 0)
		jit_map__attach(d);
	return d;
}

void dso__get(struct dso *d)
{
	d->refs++;
}

void dso__keep(struct dso *d)
{
	d->used = true;
}

void dso__put(struct dso *d)
{
	struct dsos *s = d->dsos;
	struct dso *head;

	if (--d->refs || d->used)
		return;
	HASH_FIND(hh, s->hash, &d->key, sizeof(d->key), head);
	if (head == d) {
		HASH_DEL(s->hash, d);
		if (d->same) {
			head = d->same;
			HASH_ADD(hh, s->hash, key, sizeof(head->key), head);
		}
	} else {
		while (head && head->same != d)
			head = head->same;
		if (head)
			head->same = d->same;
	}
	dso__delete(d);
}
