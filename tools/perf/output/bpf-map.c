// SPDX-License-Identifier: GPL-2.0-only
/* All maps of a user's BPF object. */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <string.h>

#include "output/bpf-map-priv.h"

static const char *type_name(u32 type)
{
	const char *name = libbpf_bpf_map_type_str(type);

	return name ? name : "unknown type";
}

static void put_safe(struct outbuf *ob, const char *s)
{
	outbuf__safe(ob, s, strlen(s));
}

/* ---- text ---- */

static void print_heading(const struct map_view *v)
{
	struct outbuf *ob = v->p->ob;
	u32 nr = v->rows.nr;

	outbuf__puts(ob, "\nMap ");
	put_safe(ob, v->map->name);
	if (v->rows.is_array)
		outbuf__printf(ob, " (%s, %u of %u entries not zero)\n", type_name(v->map->type),
			       nr, v->map->max_entries);
	else
		outbuf__printf(ob, " (%s, %u %s)\n", type_name(v->map->type), nr,
			       nr == 1 ? "entry" : "entries");
}

/* "comm = cc1, cpu = 1" above a histogram; nothing for an empty name or the only element. */
static void print_key_line(struct map_view *v, u32 row)
{
	const void *key = map_rows__key(&v->rows, row);
	struct outbuf *ob = v->p->ob;
	u64 zero = 0;

	if ((v->rows.is_array && v->map->max_entries == 1) ||
	    (v->rows.nr == 1 && v->nr_key == 1 && v->key[0].kind == LEAF_TEXT &&
	     !memcmp((const char *)key + v->key[0].bit_off / 8, &zero, 1)))
		return;
	if (v->nr_key < 0) {
		value__text(v->p, "", v->key_type, key, v->map->key_size);
		outbuf__putc(ob, '\n');
		return;
	}
	for (int i = 0; i < v->nr_key; i++) {
		if (i)
			outbuf__puts(ob, ", ");
		if (v->key[i].name[0]) {
			put_safe(ob, v->key[i].name);
			outbuf__puts(ob, " = ");
		}
		value__leaf_text(v->p, &v->key[i], key);
	}
	outbuf__puts(ob, v->nr_key ? ":\n" : "");
}

static void print_hist_row(struct map_view *v, u32 row)
{
	struct slot_counts s = map_view__slots(v, row);
	u32 id = v->value_type;
	const struct btf_type *t = bpf_type__plain(v->p->types.btf, &id);

	map_view__row_pid(v, row);
	print_key_line(v, row);
	/* What stands beside the slots in the same struct. */
	if (t && btf_is_struct(t) && btf_vlen(t) > 1) {
		value__text(v->p, "", v->value_type, map_rows__value(&v->rows, row),
			    v->map->value_size);
		outbuf__putc(v->p->ob, '\n');
	}
	slots__print(v->p->ob, &s, v->map->name);
}

static void print_text_row(struct map_view *v, u32 row)
{
	map_view__row_pid(v, row);
	if (v->map->key_size) {
		value__text(v->p, "", v->key_type, map_rows__key(&v->rows, row), v->map->key_size);
		outbuf__puts(v->p->ob, ": ");
	}
	value__text(v->p, "", v->value_type, map_rows__value(&v->rows, row), v->map->value_size);
	outbuf__putc(v->p->ob, '\n');
}

static void print_stack_row(struct map_view *v, u32 row)
{
	const struct bpf_map_print_opts *o = v->p->opts;
	const char *ips = map_rows__value(&v->rows, row);
	u32 id;

	memcpy(&id, map_rows__key(&v->rows, row), sizeof(id));
	outbuf__printf(v->p->ob, "stack %u:\n", id);
	for (u32 i = 0; i + 8 <= v->map->value_size; i += 8) {
		struct bpf_map_sym sym = {0};
		u64 ip = bpf_bits(ips + i, 0, 64);

		if (!ip)
			break;
		if (o->symbolize)
			o->symbolize(o->ctx, -1, ip, &sym);
		outbuf__putc(v->p->ob, '\t');
		outbuf__hex(v->p->ob, ip, 16, ' ');
		outbuf__putc(v->p->ob, ' ');
		put_safe(v->p->ob, sym.sym ? sym.sym : "[unknown]");
		outbuf__puts(v->p->ob, " (");
		put_safe(v->p->ob, sym.dso ? sym.dso : "[unknown]");
		outbuf__puts(v->p->ob, ")\n");
	}
}

/* An array map called slots: its elements are the counters of one histogram. */
static bool is_slots_map(const struct map_view *v)
{
	return v->rows.is_array && v->counter && !strcmp(v->map->name, "slots");
}

static int print_slots_map(struct map_view *v)
{
	u32 nr = v->map->max_entries < 64 ? v->map->max_entries : 64;
	u64 slots[64] = {0};

	for (u32 i = 0; i < v->rows.nr; i++) {
		u32 index;

		memcpy(&index, map_rows__key(&v->rows, i), sizeof(index));
		if (index < nr)
			slots[index] = map_view__count(v, i);
	}
	slots__print(v->p->ob, &(struct slot_counts){slots, 8, nr}, v->map->name);
	return 0;
}

static void print_rows(struct map_view *v, void (*print_row)(struct map_view *v, u32 row))
{
	if (!v->p->opts->reverse)
		map_view__left_out(v, v->p->ob);
	for (u32 i = 0; i < v->nr_shown; i++)
		print_row(v, v->order[i]);
	if (v->p->opts->reverse)
		map_view__left_out(v, v->p->ob);
}

static int print_map_text(struct map_view *v)
{
	print_heading(v);
	if (!v->rows.nr)
		return 0;
	if (is_slots_map(v))
		return print_slots_map(v);
	if (v->map->type == BPF_MAP_TYPE_STACK_TRACE)
		print_rows(v, print_stack_row);
	else if (v->has_slots)
		print_rows(v, print_hist_row);
	else if (v->nr_key >= 0 && v->nr_value >= 0)
		return map_table__print(v);
	else
		print_rows(v, print_text_row);
	return 0;
}

/* ---- globals ---- */

static void print_global_text(struct value_printer *p, const char *name, u32 type, const char *data,
			      u32 size)
{
	struct slots s;

	if (bpf_type__find_slots(p->types.btf, type, !strcmp(name, "slots"), &s) &&
	    (u64)s.off + (u64)s.nr * s.elem_size <= size) {
		put_safe(p->ob, name);
		outbuf__puts(p->ob, ":\n");
		slots__print(p->ob, &(struct slot_counts){data + s.off, s.elem_size, s.nr}, name);
		return;
	}
	put_safe(p->ob, name);
	outbuf__puts(p->ob, " = ");
	value__text(p, name, type, data, size);
	outbuf__putc(p->ob, '\n');
}

static void print_globals(struct map_view *v)
{
	const struct btf *btf = v->p->types.btf;
	const struct btf_type *sec = btf ? btf__type_by_id(btf, v->map->value_type_id) : NULL;
	const struct btf_var_secinfo *vi = sec ? btf_var_secinfos(sec) : NULL;
	const char *data = map_rows__value(&v->rows, 0);
	bool any = false;

	for (int i = 0; sec && v->rows.nr && i < btf_vlen(sec); i++, vi++) {
		const struct btf_type *var = btf__type_by_id(btf, vi->type);
		const char *name = var ? btf__name_by_offset(btf, var->name_off) : NULL;
		s64 size = var && btf_is_var(var) ? bpf_type__size(btf, var->type) : -1;

		if (!name || size <= 0 || vi->offset > v->map->value_size ||
		    size > v->map->value_size - vi->offset)
			continue;
		v->p->pid = -1;
		if (v->p->opts->json) {
			outbuf__puts(v->p->ob, any ? ",{\"key\":" : "{\"key\":");
			outbuf__json(v->p->ob, name, strlen(name));
			outbuf__puts(v->p->ob, ",\"value\":");
			value__json(v->p, name, var->type, data + vi->offset, size);
			outbuf__putc(v->p->ob, '}');
		} else {
			if (!any)
				outbuf__printf(v->p->ob, "\nGlobals (%s)\n", v->map->name);
			print_global_text(v->p, name, var->type, data + vi->offset, size);
		}
		any = true;
	}
}

/* ---- JSON ---- */

static void json_key(struct map_view *v, u32 row)
{
	const void *key = map_rows__key(&v->rows, row);

	/* The view may know from the map's name that a bare number is an address. */
	if (v->nr_key == 1 && v->key[0].kind == LEAF_ADDR && !v->key[0].name[0])
		value__leaf_json(v->p, &v->key[0], key);
	else
		value__json(v->p, "", v->key_type, key, v->map->key_size);
}

static void json_entries(struct map_view *v)
{
	struct outbuf *ob = v->p->ob;

	for (u32 i = 0; i < v->nr_shown; i++) {
		u32 row = v->order[i];

		map_view__row_pid(v, row);
		outbuf__puts(ob, i ? ",{" : "{");
		if (v->map->key_size) {
			outbuf__puts(ob, "\"key\":");
			json_key(v, row);
			outbuf__putc(ob, ',');
		}
		outbuf__puts(ob, "\"value\":");
		value__json(v->p, "", v->value_type, map_rows__value(&v->rows, row),
			    v->map->value_size);
		outbuf__putc(ob, '}');
	}
}

static void json_begin(struct value_printer *p, const struct user_map *m, bool first)
{
	if (!first)
		outbuf__putc(p->ob, ',');
	outbuf__puts(p->ob, "{\"name\":");
	outbuf__json(p->ob, m->name, strlen(m->name));
	outbuf__printf(p->ob, ",\"type\":\"%s\"", m->internal ? "globals" : type_name(m->type));
}

/* ---- one map ---- */

/* A map whose name begins with an underscore is the program's scratch; constants are no results. */
static bool is_private(const struct user_map *m)
{
	return m->name[0] == '_';
}

static bool is_constant(const struct user_map *m)
{
	return m->internal && strncmp(m->name, ".data", 5) && strncmp(m->name, ".bss", 4);
}

static void print_named_only(struct value_printer *p, const struct user_map *m)
{
	if (p->opts->json)
		return;
	outbuf__puts(p->ob, "\nMap ");
	put_safe(p->ob, m->name);
	outbuf__printf(p->ob, " (%s): %s\n", type_name(m->type),
		       is_private(m) ? "not printed, as its name begins with an underscore"
		       : m->type == BPF_MAP_TYPE_PERF_EVENT_ARRAY
			       ? "--record writes what is sent through it to a file"
			       : "nothing in it can be read from here");
}

static int print_map(struct value_printer *p, const struct user_map *m, bool first,
		     struct errbuf *eb)
{
	struct map_view v;
	int err = 0;

	if (p->opts->json)
		json_begin(p, m, first);
	if (is_private(m) || !map_type__readable(m->type)) {
		print_named_only(p, m);
		if (p->opts->json)
			outbuf__putc(p->ob, '}');
		return 0;
	}
	err = map_view__read(&v, m, p, eb);
	if (err)
		return err;
	if (p->opts->json)
		outbuf__puts(p->ob, ",\"entries\":[");
	if (m->internal)
		print_globals(&v);
	else if (p->opts->json)
		json_entries(&v);
	else if (print_map_text(&v))
		err = errbuf__set(eb, -ENOMEM, "out of memory printing map '%s'", m->name);
	if (p->opts->json)
		outbuf__puts(p->ob, "]}");
	map_view__free(&v);
	return err;
}

int bpf_maps__print(const struct user_prog *up, struct outbuf *ob,
		    const struct bpf_map_print_opts *o, struct errbuf *eb)
{
	struct value_printer p = {
		.types = {.btf = user_prog__btf(up), .address_key = o->address_key},
		.ob = ob,
		.opts = o,
		.pid = -1,
	};
	bool first = true;
	int err = 0;

	if (o->json)
		outbuf__putc(ob, '[');
	for (int i = 0; !err && i < user_prog__nr_maps(up); i++) {
		const struct user_map *m = user_prog__map(up, i);

		if (is_constant(m))
			continue;
		err = print_map(&p, m, first, eb);
		first = false;
	}
	if (o->json)
		outbuf__putc(ob, ']');
	return err;
}
