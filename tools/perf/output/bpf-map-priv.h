/* SPDX-License-Identifier: GPL-2.0-only */
/* Shared by bpf-map*.c alone: types in BTF, rows read from a map, values as text and JSON. */
#ifndef PERF_OUTPUT_BPF_MAP_PRIV_H
#define PERF_OUTPUT_BPF_MAP_PRIV_H

#include <bpf/btf.h>

#include "bpf/user_prog.h"
#include "output/bpf-map.h"

/* ---- bpf-map-type.c: what a type is for printing. BTF comes from a file: every id, size and
 * offset is checked, nesting is bounded. ---- */

enum leaf_kind {
	LEAF_UINT,
	LEAF_SINT,
	LEAF_BOOL,
	LEAF_ENUM,
	LEAF_FLOAT,
	LEAF_TEXT, /* char array */
	LEAF_ADDR,
	LEAF_BYTES, /* anything else of known size, in hex */
};

/* A value that is printed as one piece. */
struct leaf {
	const char *name; /* the field's; "" where it has none */
	enum leaf_kind kind;
	u32 type_id;	       /* behind modifiers; 0: not known */
	u32 bit_off, bit_size; /* from the beginning of the key or value */
};

#define MAX_LEAVES 16
#define MAX_DEPTH 8

struct type_ctx {
	const struct btf *btf; /* NULL: none */
	const char *address_key;
};

/* plain - the type behind typedefs and modifiers, or NULL; *id follows. */
const struct btf_type *bpf_type__plain(const struct btf *btf, u32 *id);
s64 bpf_type__size(const struct btf *btf, u32 id); /* bytes, or negative */
bool bpf_type__is_text(const struct btf *btf, const struct btf_type *array);
bool bpf_type__is_padding(const char *name);
bool bpf_type__is_pid(const char *name);
/* An address by a field's or typedef's name; @words: by any word of a map's name. */
bool bpf_type__is_address_name(const char *name, const char *address_key, bool words);

/* bpf_type__leaf - @id as one piece; false when it is a struct, union or array of more than bytes.
 */
bool bpf_type__leaf(const struct type_ctx *c, const char *name, u32 id, u32 bit_off,
		    u32 bitfield_size, struct leaf *leaf);
/* bpf_type__flatten - @id's leaves in order; -1 when something in it is no leaf, or there are more
 * than MAX_LEAVES. @leaves then holds those found so far, *nr of them. */
int bpf_type__flatten(const struct type_ctx *c, const char *name, u32 id, u32 bit_off,
		      struct leaf *leaves, int *nr, int depth);

struct slots {
	u32 off; /* bytes */
	u32 elem_size, nr;
};
/* bpf_type__find_slots - the counters array of a histogram: a member called "slots" of the struct
 * @id, or @id itself where @whole. */
bool bpf_type__find_slots(const struct btf *btf, u32 id, bool whole, struct slots *s);

u64 bpf_bits(const void *data, u32 bit_off, u32 nr_bits);
s64 bpf_bits_signed(const void *data, u32 bit_off, u32 nr_bits);
/* A leaf as a number for sorting and sums (0 for text and bytes). */
static inline u64 leaf__bits(const struct leaf *l, const void *data)
{
	return l->bit_size <= 64 ? bpf_bits(data, l->bit_off, l->bit_size) : 0;
}

/* ---- bpf-map-read.c ---- */

struct map_rows {
	u32 nr, cap;
	size_t key_size, value_size; /* bytes in a row; the value begins behind the padded key */
	size_t value_at, stride;
	char *data;
	u32 skipped; /* array elements that are zero, which are left out */
	bool is_array;
};
static inline void *map_rows__key(const struct map_rows *r, u32 i)
{
	return r->data + i * r->stride;
}
static inline void *map_rows__value(const struct map_rows *r, u32 i)
{
	return r->data + i * r->stride + r->value_at;
}
/* map_type__readable - this type's elements can be read from user space. */
bool map_type__readable(u32 type);
int map_rows__read(struct map_rows *r, const struct user_map *m, const struct btf *btf,
		   struct errbuf *eb);
void map_rows__free(struct map_rows *r);

/* ---- bpf-map-value.c ---- */

struct value_printer {
	struct type_ctx types;
	struct outbuf *ob;
	const struct bpf_map_print_opts *opts;
	pid_t pid; /* of the row, -1: none */
};
/* One leaf as it stands in a table's cell: no quotes around text; addresses in hex without 0x. */
void value__leaf_text(struct value_printer *p, const struct leaf *l, const void *data);
void value__leaf_json(struct value_printer *p, const struct leaf *l, const void *data);
/* Any value in C-like text or as JSON; @size: bytes that are there. @name decides on addresses. */
void value__text(struct value_printer *p, const char *name, u32 type_id, const void *data,
		 u32 size);
void value__json(struct value_printer *p, const char *name, u32 type_id, const void *data,
		 u32 size);

/* ---- bpf-map-hist.c ---- */
struct slot_counts {
	const void *data;
	u32 elem_size, nr;
};
u64 slots__total(const struct slot_counts *s);
void slots__print(struct outbuf *ob, const struct slot_counts *s, const char *map_name);
void slots__json(struct outbuf *ob, const struct slot_counts *s);

/* ---- bpf-map-view.c: one map's rows with what its columns are, sorted ---- */

struct map_view {
	const struct user_map *map;
	struct value_printer *p;
	struct map_rows rows;
	u32 *order;	  /* row numbers as they are to be printed */
	u32 nr_shown;	  /* of order */
	u64 left_out_sum; /* counts of the rows that limits left out */
	u64 total;	  /* of all counts */
	struct leaf key[MAX_LEAVES], value[MAX_LEAVES];
	int nr_key, nr_value; /* -1: too deep for columns */
	int count;	      /* leaf of value to sort by, -1: none */
	bool counter;	      /* the value is one unsigned number: a share makes sense */
	struct slots slots;
	bool has_slots;
	u32 key_type, value_type; /* 0: unknown, or a type that does not fit the map */
};
/* map_view__read - reads, sorts and cuts to the options' limits. */
int map_view__read(struct map_view *v, const struct user_map *m, struct value_printer *p,
		   struct errbuf *eb);
void map_view__free(struct map_view *v);
/* map_view__row_pid - sets p->pid from the row's pid or tgid field. */
void map_view__row_pid(struct map_view *v, u32 row);
u64 map_view__count(const struct map_view *v, u32 row);
/* map_view__left_out - a line on the rows that the limits left out, if any. */
void map_view__left_out(const struct map_view *v, struct outbuf *ob);
/* map_view__slots - the counters of a row. */
struct slot_counts map_view__slots(const struct map_view *v, u32 row);

/* ---- bpf-map-table.c ---- */
int map_table__print(struct map_view *v);

#endif
