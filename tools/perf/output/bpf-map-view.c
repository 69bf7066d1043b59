// SPDX-License-Identifier: GPL-2.0-only
/* A map's rows with the meaning of their columns, in the order in which they are printed. */
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "output/bpf-map-priv.h"

/* Leaves of a hostile BTF may lie outside of what the map holds. */
static bool leaves_fit(const struct leaf *l, int nr, u32 size)
{
	for (int i = 0; i < nr; i++)
		if (((u64)l[i].bit_off + l[i].bit_size + 7) / 8 > size)
			return false;
	return true;
}

static int untyped_leaf(struct leaf *l, u32 size)
{
	bool number = size == 1 || size == 2 || size == 4 || size == 8;

	if (!size)
		return 0;
	*l = (struct leaf){
		.name = "", .kind = number ? LEAF_UINT : LEAF_BYTES, .bit_size = size * 8};
	return 1;
}

/* The leaves of a key or value; *type becomes 0 when the type does not describe @size bytes. */
static int find_leaves(const struct type_ctx *c, u32 *type, u32 size, struct leaf *l)
{
	int nr = 0;

	if (*type && bpf_type__size(c->btf, *type) != size)
		*type = 0;
	if (!*type)
		return untyped_leaf(l, size);
	if (bpf_type__flatten(c, "", *type, 0, l, &nr, 0))
		return -1;
	return leaves_fit(l, nr, size) ? nr : -1;
}

static bool is_number(const struct leaf *l)
{
	return (l->kind == LEAF_UINT || l->kind == LEAF_SINT) && l->bit_size <= 64;
}

static int find_count(const struct map_view *v)
{
	static const char *const names[] = {"count", "counts", "cnt",	"samples",
					    "hits",  "nr",     "total", "sum"};

	if (v->nr_value == 1 && is_number(&v->value[0]))
		return 0;
	for (size_t n = 0; n < ARRAY_SIZE(names); n++)
		for (int i = 0; i < v->nr_value; i++)
			if (!strcmp(v->value[i].name, names[n]) && is_number(&v->value[i]))
				return i;
	return -1;
}

static void find_columns(struct map_view *v)
{
	const struct type_ctx *c = &v->p->types;
	const struct user_map *m = v->map;
	struct leaf *k = &v->key[0];

	v->nr_key = find_leaves(c, &v->key_type, m->key_size, v->key);
	v->nr_value = find_leaves(c, &v->value_type, m->value_size, v->value);
	/* A bare number has only the map's name to say what it is. */
	if (v->nr_key == 1 && !k->name[0] && k->kind == LEAF_UINT && k->bit_size == 64 &&
	    bpf_type__is_address_name(m->name, c->address_key, true))
		k->kind = LEAF_ADDR;
	v->count = find_count(v);
	v->counter = v->nr_value == 1 && v->count == 0;
	v->has_slots = v->value_type && bpf_type__find_slots(c->btf, v->value_type,
							     !strcmp(m->name, "slots"), &v->slots);
	if (v->has_slots &&
	    (u64)v->slots.off + (u64)v->slots.nr * v->slots.elem_size > m->value_size)
		v->has_slots = false;
}

struct slot_counts map_view__slots(const struct map_view *v, u32 row)
{
	return (struct slot_counts){.data = (char *)map_rows__value(&v->rows, row) + v->slots.off,
				    .elem_size = v->slots.elem_size,
				    .nr = v->slots.nr};
}

static pid_t pid_in(const struct leaf *l, int nr, const void *data)
{
	for (int i = 0; i < nr; i++)
		if (bpf_type__is_pid(l[i].name) && is_number(&l[i]))
			return (pid_t)leaf__bits(&l[i], data);
	return -1;
}

void map_view__row_pid(struct map_view *v, u32 row)
{
	v->p->pid = pid_in(v->key, v->nr_key, map_rows__key(&v->rows, row));
	if (v->p->pid < 0)
		v->p->pid = pid_in(v->value, v->nr_value, map_rows__value(&v->rows, row));
}

u64 map_view__count(const struct map_view *v, u32 row)
{
	if (v->count >= 0)
		return leaf__bits(&v->value[v->count], map_rows__value(&v->rows, row));
	if (v->has_slots) {
		struct slot_counts s = map_view__slots(v, row);

		return slots__total(&s);
	}
	return 0;
}

/* qsort_r would do, but for the order of its arguments, which differs between systems. */
static __thread const struct map_view *sorting;

static int compare_numbers(const struct leaf *l, const void *a, const void *b)
{
	u64 x = leaf__bits(l, a), y = leaf__bits(l, b);

	if (l->kind == LEAF_SINT) {
		s64 sx = bpf_bits_signed(a, l->bit_off, l->bit_size);
		s64 sy = bpf_bits_signed(b, l->bit_off, l->bit_size);

		return sx < sy ? -1 : sx > sy;
	}
	return x < y ? -1 : x > y;
}

static int compare_keys(const struct map_view *v, const void *a, const void *b)
{
	for (int i = 0; i < v->nr_key; i++) {
		const struct leaf *l = &v->key[i];
		int r;

		if (l->kind == LEAF_TEXT || l->kind == LEAF_BYTES || l->kind == LEAF_FLOAT)
			r = memcmp((const char *)a + l->bit_off / 8,
				   (const char *)b + l->bit_off / 8, l->bit_size / 8);
		else
			r = compare_numbers(l, a, b);
		if (r)
			return r;
	}
	return memcmp(a, b, v->rows.key_size);
}

static int compare_rows(const void *pa, const void *pb)
{
	const struct map_view *v = sorting;
	u32 a = *(const u32 *)pa, b = *(const u32 *)pb;
	int r = 0;

	/* Arrays are read by their index. */
	if (v->count >= 0 && !v->rows.is_array)
		r = compare_numbers(&v->value[v->count], map_rows__value(&v->rows, a),
				    map_rows__value(&v->rows, b));
	else if (v->has_slots && !v->rows.is_array)
		r = map_view__count(v, a) < map_view__count(v, b)   ? -1
		    : map_view__count(v, a) > map_view__count(v, b) ? 1
								    : 0;
	if (r)
		return v->p->opts->reverse ? -r : r;
	return compare_keys(v, map_rows__key(&v->rows, a), map_rows__key(&v->rows, b));
}

/* The coldest rows go first, wherever they stand. */
static void apply_limits(struct map_view *v)
{
	const struct bpf_map_print_opts *o = v->p->opts;
	u32 from = 0, to = v->rows.nr;

	if (v->count < 0 && !v->has_slots)
		o->max_rows &&to > o->max_rows ? (void)(to = o->max_rows) : (void)0;
	else if (o->max_rows && to > o->max_rows && !v->rows.is_array)
		o->reverse ? (void)(to = o->max_rows) : (void)(from = to - o->max_rows);
	v->nr_shown = 0;
	for (u32 i = 0; i < v->rows.nr; i++) {
		u64 count = map_view__count(v, v->order[i]);
		bool cold = v->counter && o->percent_limit > 0 && v->total &&
			    100.0 * count / v->total < o->percent_limit;

		if (i < from || i >= to || cold)
			v->left_out_sum += count;
		else
			v->order[v->nr_shown++] = v->order[i];
	}
}

int map_view__read(struct map_view *v, const struct user_map *m, struct value_printer *p,
		   struct errbuf *eb)
{
	int err;

	*v = (struct map_view){
		.map = m, .p = p, .key_type = m->key_type_id, .value_type = m->value_type_id};
	err = map_rows__read(&v->rows, m, p->types.btf, eb);
	if (err)
		return err;
	find_columns(v);
	v->order = calloc(v->rows.nr + 1UL, sizeof(*v->order));
	if (!v->order) {
		map_view__free(v);
		return errbuf__set(eb, -ENOMEM, "out of memory for map '%s'", m->name);
	}
	for (u32 i = 0; i < v->rows.nr; i++) {
		v->order[i] = i;
		v->total += map_view__count(v, i);
		if (v->counter && v->value[0].kind == LEAF_SINT &&
		    bpf_bits_signed(map_rows__value(&v->rows, i), v->value[0].bit_off,
				    v->value[0].bit_size) < 0)
			v->counter = false;
	}
	sorting = v;
	qsort(v->order, v->rows.nr, sizeof(*v->order), compare_rows);
	sorting = NULL;
	apply_limits(v);
	return 0;
}

void map_view__left_out(const struct map_view *v, struct outbuf *ob)
{
	u32 n = v->rows.nr - v->nr_shown;

	if (!n)
		return;
	outbuf__printf(ob, "# %u %s%s", n, v->count >= 0 || v->has_slots ? "colder " : "",
		       n == 1 ? "row" : "rows");
	if (v->total)
		outbuf__printf(ob, " with %llu of %llu", (unsigned long long)v->left_out_sum,
			       (unsigned long long)v->total);
	outbuf__puts(ob, " left out\n");
}

void map_view__free(struct map_view *v)
{
	map_rows__free(&v->rows);
	free(v->order);
	v->order = NULL;
}
