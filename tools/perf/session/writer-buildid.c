// SPDX-License-Identifier: GPL-2.0-only
/* The build ids of a recording: of the files that its samples lie in. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "session/build-id.h"
#include "session/hits.h"
#include "session/writer-internal.h"

#define NAME_MAX_BYTES 4096

size_t writer__build_id_record(const struct w_build_id *b, u8 *rec)
{
	struct perf_rec_build_id *r = (void *)rec;
	size_t n = strnlen(b->name, NAME_MAX_BYTES - 1) + 1, padded = (n + 63) & ~63UL;

	memset(rec, 0, sizeof(*r) + padded);
	r->header.type = PERF_RECORD_HEADER_BUILD_ID;
	r->header.misc = b->misc | PERF_RECORD_MISC_BUILD_ID_SIZE;
	r->header.size = sizeof(*r) + padded;
	r->pid = b->pid;
	memcpy(r->build_id, b->id.data, b->id.size);
	r->size = b->id.size;
	memcpy(r + 1, b->name, n - 1);
	return r->header.size;
}

int perf_writer__add_build_id(struct perf_writer *w, u16 misc, s32 pid, const struct build_id *id,
			      const char *name)
{
	struct w_build_id *b;

	if (!id->size || id->size > sizeof(id->data))
		return 0;
	for (int i = 0; i < w->nr_build_ids; i++)
		if (!strcmp(w->build_ids[i].name, name) &&
		    !memcmp(w->build_ids[i].id.data, id->data, id->size))
			return 0;
	if (w->nr_build_ids == w->cap_build_ids) {
		int cap = w->cap_build_ids ? w->cap_build_ids * 2 : 32;

		b = realloc(w->build_ids, cap * sizeof(*b));
		if (!b)
			return -ENOMEM;
		w->build_ids = b;
		w->cap_build_ids = cap;
	}
	b = &w->build_ids[w->nr_build_ids];
	*b = (struct w_build_id){.id = *id, .pid = pid, .misc = misc, .name = strdup(name)};
	if (!b->name)
		return -ENOMEM;
	w->nr_build_ids++;
	return 0;
}

/* ---- of the files that samples lie in ---- */
static int add_file(struct perf_writer *w, const struct hit_file *f)
{
	struct build_id id;
	bool found;

	if (f->dso)
		found = !dso__build_id(f->dso, &id);
	else if (f->name[0] == '[' && !strncmp(f->name, "[kernel", 7))
		found = build_id__of_kernel(&id);
	else
		found = build_id__of_module(f->name, &id);
	if (!found)
		return 0;
	return perf_writer__add_build_id(
		w, f->dso ? PERF_RECORD_MISC_USER : PERF_RECORD_MISC_KERNEL, -1, &id, f->name);
}

int perf_writer__build_ids_from_file(struct perf_writer *w, bool all, struct errbuf *eb)
{
	struct session_opts so = {.force = true};
	struct symbol_conf conf = {};
	struct perf_session *s;
	struct file_hits *hits;
	int err;

	if (w->is_pipe || perf_writer__flush(w))
		return 0; /* a pipe cannot be read again; of an error finish() will tell */
	s = perf_session__open(w->path, &so, eb);
	if (!s)
		return -errno;
	hits = file_hits__new(s, &conf, true, eb);
	err = hits ? 0 : -errno;
	for (int i = 0; i < file_hits__nr(hits) && !err; i++) {
		const struct hit_file *f = file_hits__at(hits, i);

		/* Upstream lists the vDSO always: it has no file to look for later. */
		if (f->hit || f->vdso || all)
			err = add_file(w, f);
	}
	file_hits__delete(hits);
	perf_session__delete(s);
	return err;
}
