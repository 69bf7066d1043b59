// SPDX-License-Identifier: GPL-2.0-only
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "trace/btf.h"
#include "trace/tables.h"

#define MAX_DEPTH 4
#define MAX_FIELDS 256
#define HASH_SIZE 64

struct btf_type_entry {
	struct btf_type_entry *next;
	char *name;
	struct trace_type *type; /* NULL: asked for, not there */
};

struct trace_btf {
	struct btf *btf;
	struct btf_type_entry *hash[HASH_SIZE];
	/* types made for members, in order to free them */
	struct trace_type **made;
	u32 nr_made;
};

/* What BTF does not say: which members are flags, modes, descriptors. */
static const struct {
	const char *type, *field; /* type NULL: in any struct */
	u8 kind;
	const char *set;
} hints[] = {
	{"open_how", "flags", TK_FLAGS, "open"},
	{"open_how", "mode", TK_OCT, NULL},
	{"open_how", "resolve", TK_FLAGS, "resolve"},
	{"clone_args", "flags", TK_FLAGS, "clone"},
	{"clone_args", "exit_signal", TK_SIGNAL, NULL},
	{"perf_event_attr", "type", TK_ENUM, "perf_type"},
	{"perf_event_attr", "sample_type", TK_FLAGS, "perf_sample"},
	{"perf_event_attr", "read_format", TK_FLAGS, "perf_format"},
	{"perf_event_attr", "config", TK_HEX, NULL},
	{"sched_attr", "sched_policy", TK_ENUM, "sched"},
	{"sched_attr", "sched_flags", TK_FLAGS, "sched_flag"},
	{"epoll_event", "events", TK_FLAGS, "epoll"},
	{"pollfd", "events", TK_FLAGS, "poll"},
	{"pollfd", "revents", TK_FLAGS, "poll"},
	{"stat", "st_mode", TK_MODE, NULL},
	{"statx", "stx_mask", TK_FLAGS, "statx_mask"},
	{"statx", "stx_mode", TK_MODE, NULL},
	{"mount_attr", "attr_set", TK_FLAGS, "mount_attr"},
	{"mount_attr", "attr_clr", TK_FLAGS, "mount_attr"},
	{"mount_attr", "propagation", TK_FLAGS, "mount"},
	{"sigaction", "sa_flags", TK_FLAGS, "sa"},
	{NULL, "fd", TK_FD, NULL},
	{NULL, "pid", TK_PID, NULL},
	{NULL, "uid", TK_UID, NULL},
	{NULL, "gid", TK_UID, NULL},
};

struct trace_btf *trace_btf__new(const char *path, struct errbuf *eb)
{
	struct trace_btf *b = calloc(1, sizeof(*b));

	if (!b) {
		errbuf__set(eb, -ENOMEM, "out of memory");
		return NULL;
	}
	b->btf = btf__parse(path ? path : "/sys/kernel/btf/vmlinux", NULL);
	if (!b->btf) {
		int err = errno;

		errbuf__set(eb, -err, "cannot read the kernel's BTF from %s: %s",
			    path ? path : "/sys/kernel/btf/vmlinux", strerror(err));
		free(b);
		errno = err;
		return NULL;
	}
	return b;
}

static void type__free(struct trace_type *t)
{
	if (!t)
		return;
	free((void *)t->fields);
	free(t);
}

void trace_btf__delete(struct trace_btf *b)
{
	if (!b)
		return;
	for (u32 i = 0; i < HASH_SIZE; i++) {
		while (b->hash[i]) {
			struct btf_type_entry *e = b->hash[i];

			b->hash[i] = e->next;
			free(e->name);
			free(e);
		}
	}
	for (u32 i = 0; i < b->nr_made; i++)
		type__free(b->made[i]);
	free(b->made);
	btf__free(b->btf);
	free(b);
}

static void apply_hint(struct trace_field *f, const char *type)
{
	for (u32 i = 0; i < ARRAY_SIZE(hints); i++) {
		if ((hints[i].type && strcmp(hints[i].type, type)) ||
		    strlen(hints[i].field) != f->name_len ||
		    memcmp(hints[i].field, f->name, f->name_len))
			continue;
		if (!hints[i].type && f->size != 4)
			continue;
		f->kind = hints[i].kind;
		if (hints[i].set)
			f->set = trace_set__find(hints[i].set, (u32)strlen(hints[i].set));
		return;
	}
}

static struct trace_type *make_struct(struct trace_btf *b, const struct btf_type *bt, int depth);

/* The kind of a member by its BTF type; false when it cannot be shown. */
static bool classify(struct trace_btf *b, struct trace_field *f, u32 id, int depth)
{
	const struct btf_type *t = btf__type_by_id(b->btf, id);

	for (int i = 0; t && i < 32; i++) {
		if (!btf_is_mod(t) && !btf_is_typedef(t))
			break;
		t = btf__type_by_id(b->btf, t->type);
	}
	if (!t)
		return false;
	if (btf_is_array(t)) {
		const struct btf_array *a = btf_array(t);
		const struct btf_type *e;

		if (a->nelems > 1024 || !a->nelems || f->count != 1)
			return false;
		f->count = (u16)a->nelems;
		if (!classify(b, f, a->type, depth))
			return false;
		e = btf__type_by_id(b->btf, btf__resolve_type(b->btf, a->type));
		if (f->size == 1 && e && btf_is_int(e) &&
		    (btf_int_encoding(e) & (BTF_INT_CHAR | BTF_INT_SIGNED))) {
			f->kind = TK_STR;
			f->size = f->count;
			f->count = 1;
		}
		return true;
	}
	if (btf_is_int(t) || btf_is_any_enum(t)) {
		f->size = (u16)t->size;
		f->kind = TK_UINT;
		if (btf_is_int(t) && (btf_int_encoding(t) & BTF_INT_SIGNED))
			f->kind = TK_INT;
		return t->size <= 8;
	}
	if (btf_is_ptr(t)) {
		f->size = 8;
		f->kind = TK_PTR;
		return true;
	}
	if (btf_is_composite(t) && depth < MAX_DEPTH && t->size < 4096) {
		f->type = make_struct(b, t, depth + 1);
		f->size = (u16)t->size;
		f->kind = TK_STRUCT;
		return f->type && f->type->nr_fields;
	}
	return false;
}

/* Members of a struct, those of its anonymous parts among them. */
static u32 add_members(struct trace_btf *b, const struct btf_type *bt, u32 base,
		       struct trace_field *out, u32 nr, int depth)
{
	const char *type_name = btf__name_by_offset(b->btf, bt->name_off);
	const struct btf_member *m = btf_members(bt);
	bool is_union = btf_is_union(bt);

	for (u32 i = 0; i < btf_vlen(bt) && nr < MAX_FIELDS; i++, m++) {
		const char *name = btf__name_by_offset(b->btf, m->name_off);
		u32 bits = btf_member_bit_offset(bt, i), width = btf_member_bitfield_size(bt, i);
		struct trace_field *f = &out[nr];
		const struct btf_type *mt;

		if (!name || !*name) {
			mt = btf__type_by_id(b->btf, btf__resolve_type(b->btf, m->type));
			if (mt && btf_is_composite(mt) && depth < MAX_DEPTH)
				nr = add_members(b, mt, base + bits / 8, out, nr, depth + 1);
			if (is_union)
				break;
			continue;
		}
		*f = (struct trace_field){.name = name, .name_len = (u8)strlen(name), .count = 1};
		if (!classify(b, f, m->type, depth))
			continue;
		if (width) {
			u32 unit = (u32)f->size * 8;

			f->off = (u16)(base + bits / unit * f->size);
			f->bit_off = (u8)(bits % unit);
			f->bit_size = (u8)width;
		} else {
			f->off = (u16)(base + bits / 8);
			apply_hint(f, type_name ? type_name : "");
		}
		nr++;
		if (is_union) /* all lie at one place: the first tells */
			break;
	}
	return nr;
}

static struct trace_type *make_struct(struct trace_btf *b, const struct btf_type *bt, int depth)
{
	struct trace_field *fields = calloc(MAX_FIELDS, sizeof(*fields));
	struct trace_type *t = calloc(1, sizeof(*t)), **made;
	u32 nr;

	made = fields && t ? realloc(b->made, (b->nr_made + 1) * sizeof(*made)) : NULL;
	if (!made) {
		free(fields);
		free(t);
		return NULL;
	}
	b->made = made;
	nr = add_members(b, bt, 0, fields, 0, depth);
	/* members' structs were made meanwhile: the list may have moved */
	made = realloc(b->made, (b->nr_made + 1) * sizeof(*made));
	if (!made) {
		free(fields);
		free(t);
		return NULL;
	}
	b->made = made;
	b->made[b->nr_made++] = t;
	t->name = btf__name_by_offset(b->btf, bt->name_off);
	t->size = (u16)bt->size;
	t->nr_fields = (u16)nr;
	t->fields = nr ? realloc(fields, nr * sizeof(*fields)) : NULL;
	if (!nr)
		free(fields);
	return t;
}

const struct trace_type *trace_btf__type(struct trace_btf *b, const char *name)
{
	struct btf_type_entry *e;
	u32 h = 5381;
	int id;

	for (const char *p = name; *p; p++)
		h = h * 33 + (u8)*p;
	h %= HASH_SIZE;
	for (e = b->hash[h]; e; e = e->next) {
		if (!strcmp(e->name, name))
			return e->type;
	}
	e = calloc(1, sizeof(*e));
	if (!e)
		return NULL;
	e->name = strdup(name);
	if (!e->name) {
		free(e);
		return NULL;
	}
	id = btf__find_by_name_kind(b->btf, name, BTF_KIND_STRUCT);
	if (id < 0)
		id = btf__find_by_name_kind(b->btf, name, BTF_KIND_UNION);
	if (id > 0) {
		const struct btf_type *bt = btf__type_by_id(b->btf, (u32)id);

		if (bt && bt->size < 65536)
			e->type = make_struct(b, bt, 0);
	}
	e->next = b->hash[h];
	b->hash[h] = e;
	return e->type;
}
