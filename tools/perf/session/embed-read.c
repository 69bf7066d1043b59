// SPDX-License-Identifier: GPL-2.0-only
/* What a recording tells of the files it hit: build ids, and what --embed-symbols put in. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "lib/symbol/excerpt.h"
#include "session/embed.h"
#include "session/swap.h"

struct embedded_file {
	const char *name; /* not terminated */
	u16 name_len;
	struct build_id id;
	const u8 *data;
	u64 size;
};

struct embedded {
	struct perf_session *s;
	struct embedded_file *files;
	u32 nr;
	int kallsyms_fd;
};

struct cursor {
	const u8 *p, *end;
	bool swap, bad;
};

static const u8 *take(struct cursor *c, u64 n)
{
	const u8 *p = c->p;

	if (c->bad || n > (u64)(c->end - c->p)) {
		c->bad = true;
		return NULL;
	}
	c->p += n;
	return p;
}

static u64 number(struct cursor *c, int size)
{
	const u8 *p = take(c, size);

	if (!p)
		return 0;
	return size == 2   ? get_u16(p, c->swap)
	       : size == 4 ? get_u32(p, c->swap)
			   : get_u64(p, c->swap);
}

static void take_kallsyms(struct embedded *e, struct cursor *c)
{
	u32 n = number(c, 4);
	const u8 *text = take(c, n);

	if (!text || !n)
		return;
	e->kallsyms_fd = memfd_create("perf-kallsyms", MFD_CLOEXEC);
	if (e->kallsyms_fd < 0 || write(e->kallsyms_fd, text, n) == (ssize_t)n)
		return;
	close(e->kallsyms_fd);
	e->kallsyms_fd = -1;
}

static void take_file(struct embedded_file *f, struct cursor *c)
{
	const u8 *sizes, *id;

	f->name_len = number(c, 2);
	sizes = take(c, 2);
	id = take(c, sizeof(f->id.data));
	f->name = (const char *)take(c, f->name_len);
	f->size = number(c, 8);
	f->data = take(c, f->size);
	if (c->bad)
		return;
	f->id.size = min_t(u8, sizes[0], sizeof(f->id.data));
	memcpy(f->id.data, id, f->id.size);
}

static void read_section(struct embedded *e, struct cursor *c)
{
	u32 version = number(c, 4), nr = number(c, 4);

	if (version != 1)
		c->bad = true;
	take_kallsyms(e, c);
	/* Each takes 32 bytes at least. */
	if (c->bad || nr > (u64)(c->end - c->p) / 32)
		c->bad = true;
	e->files = c->bad ? NULL : calloc(nr + 1, sizeof(*e->files));
	while (e->files && e->nr < nr && !c->bad) {
		take_file(&e->files[e->nr], c);
		e->nr += !c->bad;
	}
}

struct embedded *embedded__new(struct perf_session *s, struct errbuf *warn)
{
	struct embedded *e = calloc(1, sizeof(*e));
	struct cursor c = {.swap = perf_session__is_swapped(s)};
	size_t n;

	if (!e)
		return NULL;
	e->s = s;
	e->kallsyms_fd = -1;
	c.p = perf_session__embedded(s, &n);
	if (!c.p)
		return e;
	c.end = c.p + n;
	read_section(e, &c);
	if (c.bad)
		errbuf__set(warn, 0, "%s: its embedded symbols are malformed",
			    perf_session__path(s));
	return e;
}

void embedded__delete(struct embedded *e)
{
	if (!e)
		return;
	if (e->kallsyms_fd >= 0)
		close(e->kallsyms_fd);
	free(e->files);
	free(e);
}

/* Two files of one name, one after the other, cannot be told apart by it. */
static bool recorded_id(void *ctx, const char *path, struct build_id *id)
{
	const struct embedded *e = ctx;
	const struct session_info *info = perf_session__info(e->s);
	const struct session_build_id *found = NULL;

	for (u32 i = 0; i < info->nr_build_ids; i++) {
		if (strcmp(info->build_ids[i].name, path))
			continue;
		if (found)
			return false;
		found = &info->build_ids[i];
	}
	if (found)
		*id = found->id;
	return found != NULL;
}

static int recorded_image(void *ctx, const char *path, const struct build_id *id)
{
	const struct embedded *e = ctx;
	size_t n = strlen(path);

	for (u32 i = 0; i < e->nr; i++) {
		const struct embedded_file *f = &e->files[i];

		if (f->name_len != n || memcmp(f->name, path, n))
			continue;
		if (id->size && f->id.size &&
		    (id->size != f->id.size || memcmp(id->data, f->id.data, id->size)))
			continue;
		return excerpt__open(f->data, f->size, perf_session__is_swapped(e->s));
	}
	return -ENOENT;
}

void embedded__symbol_conf(struct embedded *e, struct symbol_conf *conf)
{
	conf->recorded_id = recorded_id;
	conf->recorded_image = recorded_image;
	conf->recorded_ctx = e;
}

int embedded__kallsyms(const struct embedded *e)
{
	return e->kallsyms_fd > 0 ? e->kallsyms_fd : 0;
}
