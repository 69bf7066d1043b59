// SPDX-License-Identifier: GPL-2.0-only
/* The build ids of a recording: of the files that its samples lie in. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "session/build-id.h"
#include "session/machine.h"
#include "session/session.h"
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
		if (!strcmp(w->build_ids[i].name, name))
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

/* ---- which files do the samples lie in? ---- */
struct kernel_map {
	u64 start, end;
	char *name;
	bool hit;
};

struct marker {
	struct perf_writer *w;
	struct machine *machine;
	bool all, kernel_hit, vdso;
	struct kernel_map *modules;
	int nr_modules;
	struct dso **hit; /* open addressing; cap is a power of two */
	size_t nr_hit, cap_hit;
	int err;
};

static bool put_dso(struct dso **slots, size_t cap, struct dso *d)
{
	size_t i = ((uintptr_t)d >> 4) * 0x9e3779b97f4a7c15ULL >> 32 & (cap - 1);

	while (slots[i] && slots[i] != d)
		i = (i + 1) & (cap - 1);
	if (slots[i])
		return false;
	slots[i] = d;
	return true;
}

static void mark_dso(struct marker *m, struct dso *d)
{
	if (m->nr_hit * 2 >= m->cap_hit) {
		size_t cap = m->cap_hit ? m->cap_hit * 2 : 256;
		struct dso **slots = calloc(cap, sizeof(*slots));

		if (!slots) {
			m->err = -ENOMEM;
			return;
		}
		for (size_t i = 0; i < m->cap_hit; i++)
			if (m->hit[i])
				put_dso(slots, cap, m->hit[i]);
		free(m->hit);
		m->hit = slots;
		m->cap_hit = cap;
	}
	m->nr_hit += put_dso(m->hit, m->cap_hit, d);
}

static void mark_kernel(struct marker *m, u64 ip)
{
	for (int i = 0; i < m->nr_modules; i++) {
		if (ip >= m->modules[i].start && ip < m->modules[i].end) {
			m->modules[i].hit = true;
			return;
		}
	}
	m->kernel_hit = true;
}

static void mark_ip(struct marker *m, const struct perf_sample *s, u8 mode, u64 ip)
{
	struct addr_location al;

	if (mode == PERF_RECORD_MISC_KERNEL)
		mark_kernel(m, ip);
	else if (mode == PERF_RECORD_MISC_USER &&
		 !machine__find_map(m->machine, s->pid, s->tid, mode, ip, s->time, &al) && al.dso)
		mark_dso(m, al.dso);
}

static int mark_sample(void *ctx, struct perf_session *s, struct session_event *e,
		       const struct perf_event_header *rec, const struct perf_sample *sample)
{
	u8 mode = sample->cpumode;
	struct marker *m = ctx;

	(void)s, (void)e, (void)rec;
	if (!m->all || mode != PERF_RECORD_MISC_USER)
		mark_ip(m, sample, mode, sample->ip);
	for (u64 i = 0; i < sample->callchain_nr && !m->all; i++) {
		u64 ip = sample->callchain[i];

		if (ip < (u64)PERF_CONTEXT_MAX)
			mark_ip(m, sample, mode, ip);
		else if (ip == (u64)PERF_CONTEXT_KERNEL)
			mode = PERF_RECORD_MISC_KERNEL;
		else if (ip == (u64)PERF_CONTEXT_USER)
			mode = PERF_RECORD_MISC_USER;
		else
			mode = 0;
	}
	return m->err;
}

static void add_module(struct marker *m, const struct perf_event_header *rec)
{
	const u64 *body = (const u64 *)(rec + 1); /* pid and tid, start, length, pgoff, name */
	const char *name = (const char *)&body[4];
	struct kernel_map *more;

	if (rec->type != PERF_RECORD_MMAP || !strncmp(name, "[kernel", 7) ||
	    !strncmp(name, "[guest", 6))
		return;
	more = realloc(m->modules, (m->nr_modules + 1) * sizeof(*more));
	if (!more)
		return;
	m->modules = more;
	more[m->nr_modules] = (struct kernel_map){
		.start = body[1], .end = body[1] + body[2], .name = strdup(name)};
	if (more[m->nr_modules].name)
		m->nr_modules++;
}

/* Upstream lists the vDSO always; one is enough, it has no file to look for later. */
static bool is_vdso(struct marker *m, const struct perf_event_header *rec)
{
	const char *name =
		(const char *)(rec + 1) + (rec->type == PERF_RECORD_MMAP ? 4 * 8 : 8 * 8);

	if (m->vdso || strcmp(name, "[vdso]"))
		return false;
	m->vdso = true;
	return true;
}

static int take_sideband(void *ctx, struct perf_session *s, struct session_event *e,
			 const struct perf_event_header *rec, const struct perf_sample *sample)
{
	bool is_map = rec->type == PERF_RECORD_MMAP || rec->type == PERF_RECORD_MMAP2;
	u8 mode = rec->misc & PERF_RECORD_MISC_CPUMODE_MASK;
	struct marker *m = ctx;
	struct addr_location al;

	(void)s, (void)e;
	if (is_map && mode == PERF_RECORD_MISC_KERNEL) {
		add_module(m, rec);
		return 0;
	}
	machine__process(m->machine, rec, sample->time);
	if (is_map && !(rec->misc & PERF_RECORD_MISC_MMAP_DATA) && (m->all || is_vdso(m, rec))) {
		const u32 *ids = (const u32 *)(rec + 1);
		u64 start = ((const u64 *)(rec + 1))[1];

		if (!machine__find_map(m->machine, ids[0], ids[1], PERF_RECORD_MISC_USER, start,
				       sample->time, &al) &&
		    al.dso)
			mark_dso(m, al.dso);
	}
	return m->err;
}

/* ---- their build ids ---- */
static void add_kernel_ids(struct marker *m)
{
	struct build_id id;

	if ((m->kernel_hit || m->all) && build_id__of_kernel(&id))
		m->err = perf_writer__add_build_id(m->w, PERF_RECORD_MISC_KERNEL, -1, &id,
						   "[kernel.kallsyms]");
	for (int i = 0; i < m->nr_modules && !m->err; i++) {
		if (!m->modules[i].hit && !m->all)
			continue;
		if (build_id__of_module(m->modules[i].name, &id))
			m->err = perf_writer__add_build_id(m->w, PERF_RECORD_MISC_KERNEL, -1, &id,
							   m->modules[i].name);
	}
}

static int cmp_dso(const void *a, const void *b)
{
	struct dso *const *x = a, *const *y = b;

	return strcmp(dso__name(*x), dso__name(*y));
}

static void add_user_ids(struct marker *m)
{
	size_t n = 0;

	for (size_t i = 0; i < m->cap_hit; i++)
		if (m->hit[i])
			m->hit[n++] = m->hit[i];
	if (n)
		qsort(m->hit, n, sizeof(*m->hit), cmp_dso); /* the same file the same order */
	for (size_t i = 0; i < n && !m->err; i++) {
		struct build_id id;

		if (!dso__build_id(m->hit[i], &id))
			m->err = perf_writer__add_build_id(m->w, PERF_RECORD_MISC_USER, -1, &id,
							   dso__name(m->hit[i]));
	}
}

int perf_writer__build_ids_from_file(struct perf_writer *w, bool all, struct errbuf *eb)
{
	struct session_opts so = {.force = true};
	struct symbol_conf conf = {};
	struct machine_opts mo = {.dsos = dsos__new(&conf)};
	struct marker m = {.w = w, .all = all};
	struct session_ops ops = {.ctx = &m, .sample = mark_sample, .sideband = take_sideband};
	struct perf_session *s = NULL;
	int err = w->is_pipe ? 0 : perf_writer__flush(w);

	if (w->is_pipe || err)
		goto out; /* what went into a pipe cannot be read again; errors: the caller knows */
	m.machine = mo.dsos ? machine__new(&mo, eb) : NULL;
	s = m.machine ? perf_session__open(w->path, &so, eb) : NULL;
	if (!s) {
		err = -errno;
		goto out;
	}
	err = perf_session__process(s, &ops, eb);
	if (!err) {
		add_kernel_ids(&m);
		add_user_ids(&m);
		err = m.err;
	}
out:
	perf_session__delete(s);
	machine__delete(m.machine);
	dsos__delete(mo.dsos);
	for (int i = 0; i < m.nr_modules; i++)
		free(m.modules[i].name);
	free(m.modules);
	free(m.hit);
	return err;
}
