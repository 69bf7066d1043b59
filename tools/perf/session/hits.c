// SPDX-License-Identifier: GPL-2.0-only
/* Which files the samples of a recording lie in. See hits.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "session/hits.h"
#include "session/machine.h"

struct kernel_map {
	u64 start, end;
	char *name;
	bool hit;
	struct build_id id;
};

struct file_hits {
	bool chains, kernel_hit;
	struct build_id kernel_id;
	struct dsos *dsos;
	struct machine *machine;
	struct kernel_map *modules;
	int nr_modules;
	/* By dso: open addressing, cap is a power of two; the value indexes files. */
	struct slot {
		struct dso *dso;
		int file;
	} * slots;
	size_t cap;
	struct hit_file *files; /* while reading: of users; at the end: all */
	int nr, cap_files;
	int err;
};

static struct slot *find_slot(struct slot *slots, size_t cap, const struct dso *d)
{
	size_t i = ((uintptr_t)d >> 4) * 0x9e3779b97f4a7c15ULL >> 32 & (cap - 1);

	while (slots[i].dso && slots[i].dso != d)
		i = (i + 1) & (cap - 1);
	return &slots[i];
}

static int grow_slots(struct file_hits *h)
{
	size_t cap = h->cap ? h->cap * 2 : 256;
	struct slot *slots = calloc(cap, sizeof(*slots));

	if (!slots)
		return -ENOMEM;
	for (size_t i = 0; i < h->cap; i++)
		if (h->slots[i].dso)
			*find_slot(slots, cap, h->slots[i].dso) = h->slots[i];
	free(h->slots);
	h->slots = slots;
	h->cap = cap;
	return 0;
}

static struct hit_file *add_file(struct file_hits *h)
{
	if (h->nr == h->cap_files) {
		int cap = h->cap_files ? h->cap_files * 2 : 64;
		struct hit_file *more = realloc(h->files, cap * sizeof(*more));

		if (!more) {
			h->err = -ENOMEM;
			return NULL;
		}
		h->files = more;
		h->cap_files = cap;
	}
	memset(&h->files[h->nr], 0, sizeof(*h->files));
	return &h->files[h->nr++];
}

static void mark_dso(struct file_hits *h, struct dso *d, bool hit)
{
	struct slot *slot;

	if ((size_t)h->nr * 2 >= h->cap && grow_slots(h)) {
		h->err = -ENOMEM;
		return;
	}
	slot = find_slot(h->slots, h->cap, d);
	if (!slot->dso) {
		struct hit_file *f = add_file(h);

		if (!f)
			return;
		f->dso = d;
		f->name = dso__name(d);
		f->vdso = dso__kind(d) == DSO_VDSO;
		*slot = (struct slot){.dso = d, .file = h->nr - 1};
	}
	h->files[slot->file].hit |= hit;
}

static void mark_kernel(struct file_hits *h, u64 ip)
{
	for (int i = 0; i < h->nr_modules; i++) {
		if (ip >= h->modules[i].start && ip < h->modules[i].end) {
			h->modules[i].hit = true;
			return;
		}
	}
	h->kernel_hit = true;
}

static void mark_ip(struct file_hits *h, const struct perf_sample *s, u8 mode, u64 ip)
{
	struct addr_location al;

	if (mode == PERF_RECORD_MISC_KERNEL)
		mark_kernel(h, ip);
	else if (mode == PERF_RECORD_MISC_USER &&
		 !machine__find_map(h->machine, s->pid, s->tid, mode, ip, s->time, &al) && al.dso)
		mark_dso(h, al.dso, true);
}

static int take_sample(void *ctx, struct perf_session *s, struct session_event *e,
		       const struct perf_event_header *rec, const struct perf_sample *sample)
{
	u8 mode = sample->cpumode;
	struct file_hits *h = ctx;

	(void)s, (void)e, (void)rec;
	mark_ip(h, sample, mode, sample->ip);
	for (u64 i = 0; i < sample->callchain_nr && h->chains; i++) {
		u64 ip = sample->callchain[i];

		if (ip < (u64)PERF_CONTEXT_MAX)
			mark_ip(h, sample, mode, ip);
		else if (ip == (u64)PERF_CONTEXT_KERNEL)
			mode = PERF_RECORD_MISC_KERNEL;
		else if (ip == (u64)PERF_CONTEXT_USER)
			mode = PERF_RECORD_MISC_USER;
		else
			mode = PERF_RECORD_MISC_CPUMODE_UNKNOWN;
	}
	return h->err;
}

/* In an MMAP2 with a build id, it stands behind pgoff: u8 size, three bytes, twenty bytes. */
static struct build_id id_in_map(const struct perf_event_header *rec)
{
	const u8 *p = (const u8 *)(rec + 1) + 32;
	struct build_id id = {};

	if (rec->type == PERF_RECORD_MMAP2 && (rec->misc & PERF_RECORD_MISC_MMAP_BUILD_ID) &&
	    *p <= sizeof(id.data)) {
		id.size = *p;
		memcpy(id.data, p + 4, id.size);
	}
	return id;
}

static void add_kernel_map(struct file_hits *h, const struct perf_event_header *rec)
{
	const u64 *body = (const u64 *)(rec + 1); /* pid and tid, start, length, pgoff, name */
	const char *name = (const char *)&body[rec->type == PERF_RECORD_MMAP ? 4 : 8];
	struct kernel_map *more;

	if (!strncmp(name, "[kernel", 7)) {
		h->kernel_id = id_in_map(rec);
		return;
	}
	if (!strncmp(name, "[guest", 6))
		return;
	more = realloc(h->modules, (h->nr_modules + 1) * sizeof(*more));
	if (!more) {
		h->err = -ENOMEM;
		return;
	}
	h->modules = more;
	more[h->nr_modules] = (struct kernel_map){
		.start = body[1],
		.end = body[1] + body[2],
		.name = strdup(name),
		.id = id_in_map(rec),
	};
	if (more[h->nr_modules].name)
		h->nr_modules++;
}

static int take_sideband(void *ctx, struct perf_session *s, struct session_event *e,
			 const struct perf_event_header *rec, const struct perf_sample *sample)
{
	bool is_map = rec->type == PERF_RECORD_MMAP || rec->type == PERF_RECORD_MMAP2;
	u8 mode = rec->misc & PERF_RECORD_MISC_CPUMODE_MASK;
	struct file_hits *h = ctx;
	struct addr_location al;

	(void)s, (void)e;
	if (is_map && mode == PERF_RECORD_MISC_KERNEL) {
		add_kernel_map(h, rec);
		return h->err;
	}
	machine__process(h->machine, rec, sample->time);
	if (is_map && !(rec->misc & PERF_RECORD_MISC_MMAP_DATA)) {
		const u32 *ids = (const u32 *)(rec + 1);
		u64 start = ((const u64 *)(rec + 1))[1];

		if (!machine__find_map(h->machine, ids[0], ids[1], PERF_RECORD_MISC_USER, start,
				       sample->time, &al) &&
		    al.dso)
			mark_dso(h, al.dso, false);
	}
	return h->err;
}

/* The kernel and its modules in front of the users' files. */
static int add_kernel(struct file_hits *h)
{
	int n = 1 + h->nr_modules;
	struct hit_file *all = calloc(n + h->nr, sizeof(*all));

	if (!all)
		return -ENOMEM;
	all[0] = (struct hit_file){
		.name = "[kernel.kallsyms]", .hit = h->kernel_hit, .id = h->kernel_id};
	for (int i = 0; i < h->nr_modules; i++)
		all[i + 1] = (struct hit_file){.name = h->modules[i].name,
					       .hit = h->modules[i].hit,
					       .id = h->modules[i].id};
	if (h->nr)
		memcpy(all + n, h->files, h->nr * sizeof(*all));
	free(h->files);
	h->files = all;
	h->nr += n;
	return 0;
}

struct file_hits *file_hits__new(struct perf_session *s, const struct symbol_conf *conf,
				 bool chains, struct errbuf *eb)
{
	struct file_hits *h = calloc(1, sizeof(*h));
	struct session_ops ops = {.ctx = h, .sample = take_sample, .sideband = take_sideband};
	struct machine_opts mo = {};
	int err = -ENOMEM;

	if (h) {
		h->chains = chains;
		mo.dsos = h->dsos = dsos__new(conf);
		h->machine = h->dsos ? machine__new(&mo, NULL) : NULL;
	}
	if (h && h->machine)
		err = perf_session__process(s, &ops, eb);
	if (!err)
		err = add_kernel(h);
	if (!err)
		return h;
	if (err == -ENOMEM)
		errbuf__set(eb, err, "no memory for the list of files");
	file_hits__delete(h);
	errno = -err;
	return NULL;
}

void file_hits__delete(struct file_hits *h)
{
	if (!h)
		return;
	machine__delete(h->machine);
	dsos__delete(h->dsos);
	for (int i = 0; i < h->nr_modules; i++)
		free(h->modules[i].name);
	free(h->modules);
	free(h->slots);
	free(h->files);
	free(h);
}

int file_hits__nr(const struct file_hits *h)
{
	return h ? h->nr : 0;
}

const struct hit_file *file_hits__at(const struct file_hits *h, int i)
{
	return &h->files[i];
}
