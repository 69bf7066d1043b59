// SPDX-License-Identifier: GPL-2.0-only
/*
 * Debug files are large and compressed: unpacking one to name ten inlined calls takes longer than
 * the report. What was learned of a file is kept under its build id. Only for files of recordings:
 * a live profile writes nothing.
 *
 * The copy: header, unit ranges, units, spans, nodes, strings; numbers as this machine has them.
 * Everything in it is checked on reading as if it were hostile.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/symbol/cache-dir.h"
#include "lib/symbol/debuginfo.h"
#include "lib/symbol/dso-internal.h"

#define PREFIX "inlines-"
#define MAX_FILES_KEPT 64
#define MAX_SIZE (128u << 20)
#define MAGIC 0x32306e6c66726570ULL /* "perfln02" */
#define MAX_DEPTH 512

struct head {
	u64 magic, check; /* check: of all that follows */
	u32 ranges, units, spans, nodes, strings, pad;
};

struct disk_range {
	u64 start, end;
	u32 unit, pad;
};

/* first and nr of its spans; nr UINT32_MAX: the unit was not read. */
struct disk_unit {
	u32 first_span, nr_spans, first_node, nr_nodes;
};

struct disk_span {
	u64 start, end;
	u32 node, pad; /* within the unit */
};

struct disk_node {
	u32 name, file, line, parent; /* strings by offset; file UINT32_MAX: unknown */
};

/* @lines: of a copy that has the places of the calls, too. */
static int place(const struct debuginfo *di, bool lines, char *name, size_t size)
{
	struct build_id id;
	char hex[41];

	/* live, or nothing to know it by */
	if (di->d->pid > 0 || di->d->kind != DSO_USER || dso__build_id(di->d, &id))
		return -ENOENT;
	build_id__hex(&id, hex);
	snprintf(name, size, PREFIX "%s%s%s", hex, di->d->dsos->conf.no_demangle ? "-raw" : "",
		 lines ? "" : "-names");
	return cache_dir__open();
}

static u64 checksum(const void *p, size_t n)
{
	u64 h = 0xcbf29ce484222325ULL, v;
	const u8 *b = p;

	for (; n >= 8; n -= 8, b += 8) {
		memcpy(&v, b, 8);
		h = (h ^ v) * 0x9e3779b97f4a7c15ULL;
		h ^= h >> 29;
	}
	while (n--)
		h = (h ^ *b++) * 0x100000001b3ULL;
	return h;
}

static char *read_file(int fd, size_t *size)
{
	struct stat st;
	char *p;

	if (fstat(fd, &st) || !S_ISREG(st.st_mode) || st.st_uid != geteuid() ||
	    st.st_size < (off_t)sizeof(struct head) || st.st_size > (off_t)MAX_SIZE)
		return NULL;
	*size = (size_t)st.st_size;
	p = malloc(*size);
	if (p && pread(fd, p, *size, 0) != (ssize_t)*size) {
		free(p);
		p = NULL;
	}
	return p;
}

struct view {
	const struct head *h;
	const struct disk_range *ranges;
	const struct disk_unit *units;
	const struct disk_span *spans;
	const struct disk_node *nodes;
	const char *strings;
};

static bool open_view(const char *p, size_t size, struct view *v)
{
	size_t want;

	v->h = (const void *)p;
	if (v->h->magic != MAGIC || v->h->check != checksum(p + 16, size - 16))
		return false;
	want = sizeof(*v->h) + (size_t)v->h->ranges * sizeof(*v->ranges) +
	       (size_t)v->h->units * sizeof(*v->units) + (size_t)v->h->spans * sizeof(*v->spans) +
	       (size_t)v->h->nodes * sizeof(*v->nodes) + v->h->strings;
	if (want != size || !v->h->strings || p[size - 1])
		return false;
	v->ranges = (const void *)(v->h + 1);
	v->spans = (const void *)(v->ranges + v->h->ranges);
	v->units = (const void *)(v->spans + v->h->spans);
	v->nodes = (const void *)(v->units + v->h->units);
	v->strings = (const void *)(v->nodes + v->h->nodes);
	return true;
}

static int load_nodes(struct debuginfo *di, const struct view *v, const struct disk_unit *du,
		      struct inline_table *t)
{
	for (u32 i = 0; i < du->nr_nodes; i++) {
		const struct disk_node *dn = &v->nodes[du->first_node + i];
		struct inline_node *n = &t->nodes[i];

		if (dn->name >= v->h->strings ||
		    (dn->file != UINT32_MAX && dn->file >= v->h->strings) ||
		    (dn->parent != NO_NODE && dn->parent >= i))
			return -EBADMSG;
		n->frame.name = debuginfo__string(di, v->strings + dn->name);
		if (dn->file != UINT32_MAX)
			n->frame.call_file = debuginfo__string(di, v->strings + dn->file);
		n->frame.call_line = dn->line;
		n->parent = dn->parent;
		n->depth = dn->parent == NO_NODE ? 1 : t->nodes[dn->parent].depth + 1;
		if (!n->frame.name || n->depth > MAX_DEPTH)
			return -EBADMSG;
	}
	t->nr_nodes = t->cap_nodes = du->nr_nodes;
	return 0;
}

static int load_unit(struct debuginfo *di, const struct view *v, u32 at)
{
	const struct disk_unit *du = &v->units[at];
	struct debug_unit *u = &di->units[at];
	struct inline_table *t;

	if (du->nr_spans == UINT32_MAX)
		return 0;
	u->inlines_read = true;
	if (!du->nr_spans)
		return 0;
	if (du->first_span > v->h->spans || du->nr_spans > v->h->spans - du->first_span ||
	    du->first_node > v->h->nodes || du->nr_nodes > v->h->nodes - du->first_node ||
	    !du->nr_nodes)
		return -EBADMSG;
	t = u->inlines = calloc(1, sizeof(*t));
	if (!t)
		return -ENOMEM;
	t->nodes = calloc(du->nr_nodes, sizeof(*t->nodes));
	t->spans = calloc(du->nr_spans, sizeof(*t->spans));
	if (!t->nodes || !t->spans)
		return -ENOMEM;
	for (u32 i = 0; i < du->nr_spans; i++) {
		const struct disk_span *s = &v->spans[du->first_span + i];

		if (s->node >= du->nr_nodes || (i && s->start < t->spans[i - 1].end))
			return -EBADMSG;
		t->spans[i] = (struct inline_span){s->start, s->end, s->node, 0};
	}
	t->nr_spans = t->cap_spans = du->nr_spans;
	return load_nodes(di, v, du, t);
}

static int load_view(struct debuginfo *di, const struct view *v)
{
	int err = 0;

	di->units = calloc(v->h->units + 1, sizeof(*di->units));
	di->ranges = calloc(v->h->ranges + 1, sizeof(*di->ranges));
	if (!di->units || !di->ranges)
		return -ENOMEM;
	di->nr_units = di->cap_units = v->h->units;
	for (u32 i = 0; i < v->h->ranges; i++) {
		if (v->ranges[i].unit >= v->h->units ||
		    (i && v->ranges[i].start < v->ranges[i - 1].start))
			return -EBADMSG;
		di->ranges[i] = (struct unit_range){v->ranges[i].start, v->ranges[i].end,
						    v->ranges[i].unit};
	}
	di->nr_ranges = di->cap_ranges = v->h->ranges;
	for (u32 i = 0; i < v->h->units && !err; i++)
		err = load_unit(di, v, i);
	return err;
}

static int load_copy(struct debuginfo *di, bool lines)
{
	char name[64];
	struct view v;
	int dir = place(di, lines, name, sizeof(name)), fd, err = -ENOENT;
	size_t size;
	char *p;

	if (dir < 0)
		return -ENOENT;
	fd = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	close(dir);
	if (fd < 0)
		return -ENOENT;
	p = read_file(fd, &size);
	futimens(fd, NULL); /* in use: among the last to be dropped */
	if (p && open_view(p, size, &v))
		err = load_view(di, &v);
	free(p);
	close(fd);
	return err ? -EBADMSG : 0;
}

int inline_cache__load(struct debuginfo *di)
{
	int err = di->d->dsos->conf.no_lines ? load_copy(di, false) : -ENOENT;

	return err == -ENOENT ? load_copy(di, true) : err;
}

struct out {
	char *data;
	size_t len, cap;
	bool failed;
};

static void put(struct out *o, const void *p, size_t n)
{
	if (o->failed)
		return;
	if (o->cap - o->len < n) {
		size_t cap = (o->len + n) * 2;
		char *q = cap <= MAX_SIZE ? realloc(o->data, cap) : NULL;

		if (!q) {
			o->failed = true;
			return;
		}
		o->data = q;
		o->cap = cap;
	}
	memcpy(o->data + o->len, p, n);
	o->len += n;
}

struct string_at {
	UT_hash_handle hh;
	const char *s;
	u32 at;
};

static u32 string_offset(struct out *strings, struct string_at **known, const char *s)
{
	struct string_at *k;

	if (!s)
		return UINT32_MAX;
	HASH_FIND_PTR(*known, &s, k);
	if (k)
		return k->at;
	k = calloc(1, sizeof(*k));
	if (!k) {
		strings->failed = true;
		return UINT32_MAX;
	}
	k->s = s;
	k->at = (u32)strings->len;
	HASH_ADD_PTR(*known, s, k);
	put(strings, s, strlen(s) + 1);
	return k->at;
}

struct parts {
	struct out ranges, units, spans, nodes, strings;
	u32 nr_spans, nr_nodes;
};

static void put_unit(struct parts *o, struct string_at **known, const struct debug_unit *u)
{
	const struct inline_table *t = u->inlines;
	struct disk_unit du = {o->nr_spans, u->inlines_read ? 0 : UINT32_MAX, o->nr_nodes, 0};

	if (t) {
		du.nr_spans = t->nr_spans;
		du.nr_nodes = t->nr_nodes;
		o->nr_spans += t->nr_spans;
		o->nr_nodes += t->nr_nodes;
		for (u32 i = 0; i < t->nr_spans; i++) {
			struct disk_span s = {t->spans[i].start, t->spans[i].end, t->spans[i].node,
					      0};

			put(&o->spans, &s, sizeof(s));
		}
		for (u32 i = 0; i < t->nr_nodes; i++) {
			const struct inline_node *n = &t->nodes[i];
			struct disk_node dn = {
				string_offset(&o->strings, known, n->frame.name),
				string_offset(&o->strings, known, n->frame.call_file),
				n->frame.call_line, n->parent};

			put(&o->nodes, &dn, sizeof(dn));
		}
	}
	put(&o->units, &du, sizeof(du));
}

static void gather(const struct debuginfo *di, struct parts *o)
{
	struct string_at *known = NULL, *k, *tmp;

	put(&o->strings, "", 1);
	for (u32 i = 0; i < di->nr_ranges; i++) {
		struct disk_range r = {di->ranges[i].start, di->ranges[i].end, di->ranges[i].unit,
				       0};

		put(&o->ranges, &r, sizeof(r));
	}
	for (u32 i = 0; i < di->nr_units; i++)
		put_unit(o, &known, &di->units[i]);
	HASH_ITER (hh, known, k, tmp) {
		HASH_DEL(known, k);
		free(k);
	}
}

static bool write_all(int fd, const struct out *o)
{
	size_t done = 0;

	while (done < o->len) {
		ssize_t n = write(fd, o->data + done, o->len - done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		done += (size_t)n;
	}
	return true;
}

static void save(int dir, const char *name, const struct debuginfo *di)
{
	struct parts o = {};
	struct out all = {};
	struct head h = {.magic = MAGIC};
	char tmp[64];
	int fd;

	gather(di, &o);
	h.ranges = di->nr_ranges;
	h.units = di->nr_units;
	h.spans = o.nr_spans;
	h.nodes = o.nr_nodes;
	h.strings = (u32)o.strings.len;
	put(&all, &h, sizeof(h));
	put(&all, o.ranges.data, o.ranges.len);
	put(&all, o.spans.data, o.spans.len);
	put(&all, o.units.data, o.units.len);
	put(&all, o.nodes.data, o.nodes.len);
	put(&all, o.strings.data, o.strings.len);
	if (!(o.ranges.failed | o.spans.failed | o.units.failed | o.nodes.failed |
	      o.strings.failed | all.failed)) {
		h.check = checksum(all.data + 16, all.len - 16);
		memcpy(all.data, &h, sizeof(h));
		fd = cache_dir__begin(dir, tmp, sizeof(tmp));
		if (fd >= 0) {
			bool ok = write_all(fd, &all);

			ok &= !close(fd);
			cache_dir__commit(dir, tmp, name, ok);
		}
	}
	free(o.ranges.data);
	free(o.units.data);
	free(o.spans.data);
	free(o.nodes.data);
	free(o.strings.data);
	free(all.data);
}

void inline_cache__save(const struct debuginfo *di)
{
	char name[64];
	int dir;

	if (!di->learned || !di->costly || !di->nr_units)
		return;
	dir = place(di, !di->d->dsos->conf.no_lines, name, sizeof(name));
	if (dir < 0)
		return;
	save(dir, name, di);
	cache_dir__drop(dir, PREFIX, MAX_FILES_KEPT);
	close(dir);
}
