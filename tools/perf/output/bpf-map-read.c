// SPDX-License-Identifier: GPL-2.0-only
/* All elements of a map, per-CPU values summed. */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "output/bpf-map-priv.h"

struct reader {
	struct map_rows *rows;
	const struct user_map *map;
	const struct btf *btf;
	size_t kernel_value; /* bytes that the kernel hands out for one value */
	int nr_cpus;	     /* 0: not a per-CPU map */
	char *key, *value, *sum;
};

static bool is_percpu(u32 type)
{
	return type == BPF_MAP_TYPE_PERCPU_ARRAY || type == BPF_MAP_TYPE_PERCPU_HASH ||
	       type == BPF_MAP_TYPE_LRU_PERCPU_HASH;
}

bool map_type__readable(u32 type)
{
	switch (type) {
	case BPF_MAP_TYPE_HASH:
	case BPF_MAP_TYPE_ARRAY:
	case BPF_MAP_TYPE_PERCPU_HASH:
	case BPF_MAP_TYPE_PERCPU_ARRAY:
	case BPF_MAP_TYPE_LRU_HASH:
	case BPF_MAP_TYPE_LRU_PERCPU_HASH:
	case BPF_MAP_TYPE_LPM_TRIE:
	case BPF_MAP_TYPE_STACK_TRACE:
	case BPF_MAP_TYPE_QUEUE:
	case BPF_MAP_TYPE_STACK:
		return true;
	}
	return false;
}

/* ---- sums over CPUs ---- */

static void add_bytes(char *to, const char *from, u32 size)
{
	u64 a = 0, b = 0;

	/* Numbers of one to eight bytes in either byte order. */
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	memcpy(&a, to, size);
	memcpy(&b, from, size);
	a += b;
	memcpy(to, &a, size);
#else
	memcpy((char *)&a + 8 - size, to, size);
	memcpy((char *)&b + 8 - size, from, size);
	a += b;
	memcpy(to, (char *)&a + 8 - size, size);
#endif
}

static bool is_zero(const char *p, size_t n)
{
	return !n || (!p[0] && !memcmp(p, p + 1, n - 1));
}

static void keep_first(char *to, const char *from, u32 size)
{
	if (is_zero(to, size))
		memcpy(to, from, size);
}

static void add_untyped(char *to, const char *from, u32 size)
{
	if (size == 1 || size == 2 || size == 4 || size == 8)
		add_bytes(to, from, size);
	else
		keep_first(to, from, size);
}

static void add_typed(const struct btf *btf, const char *name, u32 id, char *to, const char *from,
		      u32 size, int depth);

static void add_array(const struct btf *btf, const struct btf_type *t, char *to, const char *from,
		      u32 size, int depth)
{
	s64 elem = bpf_type__size(btf, btf_array(t)->type);

	if (bpf_type__is_text(btf, t) || elem <= 0) {
		keep_first(to, from, size);
		return;
	}
	for (u64 i = 0; i < btf_array(t)->nelems && (i + 1) * elem <= size; i++)
		add_typed(btf, "", btf_array(t)->type, to + i * elem, from + i * elem, elem,
			  depth + 1);
}

static void add_struct(const struct btf *btf, const struct btf_type *t, char *to, const char *from,
		       u32 size, int depth)
{
	for (int i = 0; i < btf_vlen(t); i++) {
		const struct btf_member *m = &btf_members(t)[i];
		const char *name = btf__name_by_offset(btf, m->name_off);
		u32 off = btf_member_bit_offset(t, i) / 8;
		s64 len = bpf_type__size(btf, m->type);

		if (btf_member_bitfield_size(t, i) || len <= 0 || off > size || len > size - off)
			continue;
		add_typed(btf, name ? name : "", m->type, to + off, from + off, len, depth + 1);
	}
}

/* Counters add up; what is no counter (names, addresses, ids, flags) is taken from the first CPU
 * that has one. */
static void add_typed(const struct btf *btf, const char *name, u32 id, char *to, const char *from,
		      u32 size, int depth)
{
	const struct type_ctx types = {.btf = btf};
	const struct btf_type *t = bpf_type__plain(btf, &id);
	struct leaf leaf;

	if (!t || depth > MAX_DEPTH)
		keep_first(to, from, size);
	else if (btf_is_struct(t))
		add_struct(btf, t, to, from, size, depth);
	else if (btf_is_array(t))
		add_array(btf, t, to, from, size, depth);
	else if (bpf_type__leaf(&types, name, id, 0, 0, &leaf) && leaf.bit_size <= 64 &&
		 (leaf.kind == LEAF_UINT || leaf.kind == LEAF_SINT) && !bpf_type__is_pid(name))
		add_bytes(to, from, size);
	else
		keep_first(to, from, size);
}

static void sum_cpus(struct reader *r, const char *values)
{
	u32 size = r->map->value_size;
	size_t per_cpu = (size + 7) & ~7UL;

	memcpy(r->sum, values, size);
	for (int cpu = 1; cpu < r->nr_cpus; cpu++) {
		const char *v = values + cpu * per_cpu;

		if (r->btf && bpf_type__size(r->btf, r->map->value_type_id) == size)
			add_typed(r->btf, "", r->map->value_type_id, r->sum, v, size, 0);
		else
			add_untyped(r->sum, v, size);
	}
}

/* ---- rows ---- */

static int add_row(struct reader *r, const void *key, const void *value)
{
	struct map_rows *rows = r->rows;
	char *row;

	if (r->nr_cpus) {
		sum_cpus(r, value);
		value = r->sum;
	}
	if (rows->is_array && is_zero(value, rows->value_size)) {
		rows->skipped++;
		return 0;
	}
	if (rows->nr == rows->cap) {
		u32 cap = rows->cap ? rows->cap * 2 : 64;
		char *data = realloc(rows->data, cap * rows->stride);

		if (!data)
			return -ENOMEM;
		rows->data = data;
		rows->cap = cap;
	}
	row = rows->data + rows->nr++ * rows->stride;
	memset(row, 0, rows->stride);
	if (key)
		memcpy(row, key, rows->key_size);
	memcpy(row + rows->value_at, value, rows->value_size);
	return 0;
}

static int read_queue(struct reader *r)
{
	for (u32 i = 0; i < r->map->max_entries; i++) {
		if (bpf_map_lookup_and_delete_elem(r->map->fd, NULL, r->value))
			return errno == ENOENT ? 0 : -errno;
		if (add_row(r, NULL, r->value))
			return -ENOMEM;
	}
	return 0;
}

static int read_one_by_one(struct reader *r)
{
	bool first = true;
	char *prev = malloc(r->map->key_size);
	int err = 0;

	if (!prev)
		return -ENOMEM;
	/* max_entries bounds the walk where a program still changes the map under it. */
	for (u64 i = 0; i < (u64)r->map->max_entries + 1024; i++) {
		if (bpf_map_get_next_key(r->map->fd, first ? NULL : prev, r->key)) {
			err = errno == ENOENT ? 0 : -errno;
			break;
		}
		if (!bpf_map_lookup_elem(r->map->fd, r->key, r->value))
			err = add_row(r, r->key, r->value);
		else if (errno != ENOENT)
			err = -errno;
		if (err)
			break;
		memcpy(prev, r->key, r->map->key_size);
		first = false;
	}
	free(prev);
	return err;
}

/* Thousands of elements a call. -EOPNOTSUPP: not for this map or kernel (before 5.6). */
static int read_batches(struct reader *r)
{
	u32 ks = r->map->key_size, chunk = (4u << 20) / (ks + r->kernel_value);
	char *keys, *values, *cursor;
	bool first = true, last = false;
	int err = 0;

	chunk = chunk < 256 ? 256 : chunk > 8192 ? 8192 : chunk;
	/* Zeroed so that memory checkers need not know what the kernel fills. */
	keys = calloc(chunk, ks);
	values = calloc(chunk, r->kernel_value);
	cursor = calloc(2, ks < 8 ? 8 : ks);
	if (!keys || !values || !cursor)
		err = -ENOMEM;
	while (!err && !last) {
		u32 n = chunk;

		if (bpf_map_lookup_batch(r->map->fd, first ? NULL : cursor, cursor, keys, values,
					 &n, NULL)) {
			if (errno == ENOENT)
				last = true;
			else
				err = first ? -EOPNOTSUPP : -errno;
		}
		for (u32 i = 0; !err && i < n; i++)
			err = add_row(r, keys + (size_t)i * ks, values + i * r->kernel_value);
		first = false;
	}
	free(keys);
	free(values);
	free(cursor);
	return err;
}

static int read_elements(struct reader *r)
{
	u32 type = r->map->type;
	int err = -EOPNOTSUPP;

	if (type == BPF_MAP_TYPE_QUEUE || type == BPF_MAP_TYPE_STACK)
		return read_queue(r);
	if (type != BPF_MAP_TYPE_STACK_TRACE && type != BPF_MAP_TYPE_LPM_TRIE &&
	    r->kernel_value <= 16384)
		err = read_batches(r);
	if (err != -EOPNOTSUPP)
		return err;
	r->rows->nr = r->rows->skipped = 0;
	return read_one_by_one(r);
}

int map_rows__read(struct map_rows *rows, const struct user_map *m, const struct btf *btf,
		   struct errbuf *eb)
{
	struct reader r = {.rows = rows, .map = m, .btf = btf};
	int err;

	*rows = (struct map_rows){.key_size = m->key_size, .value_size = m->value_size};
	rows->value_at = (m->key_size + 7UL) & ~7UL;
	rows->stride = rows->value_at + ((m->value_size + 7UL) & ~7UL);
	rows->is_array = (m->type == BPF_MAP_TYPE_ARRAY || m->type == BPF_MAP_TYPE_PERCPU_ARRAY) &&
			 !m->internal;
	r.kernel_value = m->value_size;
	if (is_percpu(m->type)) {
		r.nr_cpus = libbpf_num_possible_cpus();
		if (r.nr_cpus <= 0)
			return errbuf__set(eb, -EIO, "cannot tell the number of CPUs for map '%s'",
					   m->name);
		r.kernel_value = ((m->value_size + 7UL) & ~7UL) * r.nr_cpus;
	}
	r.key = calloc(1, m->key_size + 8UL);
	r.value = calloc(1, r.kernel_value + 8);
	r.sum = calloc(1, m->value_size + 8UL);
	err = r.key && r.value && r.sum ? read_elements(&r) : -ENOMEM;
	free(r.key);
	free(r.value);
	free(r.sum);
	if (!err)
		return 0;
	map_rows__free(rows);
	return errbuf__set(eb, err, "cannot read map '%s': %s", m->name, strerror(-err));
}

void map_rows__free(struct map_rows *r)
{
	free(r->data);
	r->data = NULL;
	r->nr = r->cap = 0;
}
