// SPDX-License-Identifier: GPL-2.0-only
/* Values of a user's map as C-like text and as JSON. */
#include <bpf/libbpf.h>
#include <math.h>
#include <string.h>

#include "output/bpf-map-priv.h"

/* ---- leaves ---- */

static const char *enumerator(const struct btf *btf, u32 id, u64 bits, u32 nr_bits)
{
	const struct btf_type *t = btf__type_by_id(btf, id);
	u64 mask = UINT64_MAX >> (64 - nr_bits);

	for (int i = 0; t && i < btf_vlen(t); i++) {
		bool is64 = btf_is_enum64(t);
		u64 v = is64 ? btf_enum64_value(&btf_enum64(t)[i]) : (u64)(s64)btf_enum(t)[i].val;

		if ((v & mask) == bits)
			return btf__name_by_offset(btf, is64 ? btf_enum64(t)[i].name_off
							     : btf_enum(t)[i].name_off);
	}
	return NULL;
}

static double float_value(const struct leaf *l, const void *data)
{
	float f;
	double d;

	if (l->bit_size == 32) {
		memcpy(&f, (const char *)data + l->bit_off / 8, 4);
		return f;
	}
	memcpy(&d, (const char *)data + l->bit_off / 8, 8);
	return d;
}

static void put_bytes(struct outbuf *ob, const u8 *p, u32 n, bool spaces)
{
	for (u32 i = 0; i < n; i++) {
		if (i && spaces)
			outbuf__putc(ob, ' ');
		outbuf__hex(ob, p[i], 2, '0');
	}
}

static void put_number(struct value_printer *p, const struct leaf *l, const void *data)
{
	u64 bits = leaf__bits(l, data);
	const char *name;

	switch (l->kind) {
	case LEAF_SINT:
		outbuf__sdec(p->ob, bpf_bits_signed(data, l->bit_off, l->bit_size), 0);
		break;
	case LEAF_BOOL:
		outbuf__puts(p->ob, bits ? "true" : "false");
		break;
	case LEAF_ENUM:
		name = enumerator(p->types.btf, l->type_id, bits, l->bit_size);
		if (name)
			outbuf__safe(p->ob, name, strlen(name));
		else
			outbuf__sdec(p->ob, bpf_bits_signed(data, l->bit_off, l->bit_size), 0);
		break;
	default:
		outbuf__dec(p->ob, bits, 0);
	}
}

void value__leaf_text(struct value_printer *p, const struct leaf *l, const void *data)
{
	const char *at = (const char *)data + l->bit_off / 8;

	if (l->kind == LEAF_TEXT)
		outbuf__safe(p->ob, at, strnlen(at, l->bit_size / 8));
	else if (l->kind == LEAF_BYTES)
		put_bytes(p->ob, (const u8 *)at, l->bit_size / 8, true);
	else if (l->kind == LEAF_ADDR)
		outbuf__hex(p->ob, leaf__bits(l, data), 16, ' ');
	else if (l->kind == LEAF_FLOAT)
		outbuf__printf(p->ob, "%g", float_value(l, data));
	else
		put_number(p, l, data);
}

static void leaf_in_struct(struct value_printer *p, const struct leaf *l, const void *data)
{
	struct bpf_map_sym sym = {0};
	u64 addr;

	switch (l->kind) {
	case LEAF_TEXT:
		outbuf__putc(p->ob, '"');
		value__leaf_text(p, l, data);
		outbuf__putc(p->ob, '"');
		break;
	case LEAF_ADDR:
		addr = leaf__bits(l, data);
		outbuf__puts(p->ob, "0x");
		outbuf__hex(p->ob, addr, 0, '0');
		if (!addr || !p->opts->symbolize)
			break;
		p->opts->symbolize(p->opts->ctx, p->pid, addr, &sym);
		if (!sym.sym)
			break;
		outbuf__puts(p->ob, " <");
		outbuf__safe(p->ob, sym.sym, strlen(sym.sym));
		outbuf__putc(p->ob, '>');
		break;
	default:
		value__leaf_text(p, l, data);
	}
}

void value__leaf_json(struct value_printer *p, const struct leaf *l, const void *data)
{
	const char *at = (const char *)data + l->bit_off / 8;
	struct bpf_map_sym sym = {0};
	const char *name;
	double d;

	switch (l->kind) {
	case LEAF_TEXT:
		outbuf__json(p->ob, at, strnlen(at, l->bit_size / 8));
		break;
	case LEAF_BYTES:
		outbuf__putc(p->ob, '"');
		put_bytes(p->ob, (const u8 *)at, l->bit_size / 8, false);
		outbuf__putc(p->ob, '"');
		break;
	case LEAF_FLOAT:
		d = float_value(l, data);
		if (isfinite(d))
			outbuf__printf(p->ob, "%.17g", d);
		else
			outbuf__puts(p->ob, "null");
		break;
	case LEAF_ENUM:
		name = enumerator(p->types.btf, l->type_id, leaf__bits(l, data), l->bit_size);
		if (name)
			outbuf__json(p->ob, name, strlen(name));
		else
			put_number(p, l, data);
		break;
	case LEAF_ADDR:
		outbuf__printf(p->ob, "{\"addr\":\"0x%llx\"",
			       (unsigned long long)leaf__bits(l, data));
		if (p->opts->symbolize)
			p->opts->symbolize(p->opts->ctx, p->pid, leaf__bits(l, data), &sym);
		outbuf__puts(p->ob, ",\"sym\":");
		sym.sym ? outbuf__json(p->ob, sym.sym, strlen(sym.sym))
			: outbuf__puts(p->ob, "null");
		outbuf__puts(p->ob, ",\"dso\":");
		sym.dso ? outbuf__json(p->ob, sym.dso, strlen(sym.dso))
			: outbuf__puts(p->ob, "null");
		outbuf__putc(p->ob, '}');
		break;
	default:
		put_number(p, l, data);
	}
}

/* ---- values of any type ---- */

struct walk {
	struct value_printer *p;
	bool json;
};

static void walk_value(struct walk *w, const char *name, u32 id, const char *data, u32 size,
		       int depth);

static void put_leaf(struct walk *w, const struct leaf *l, const void *data)
{
	if (w->json)
		value__leaf_json(w->p, l, data);
	else
		leaf_in_struct(w->p, l, data);
}

static void walk_untyped(struct walk *w, const char *data, u32 size)
{
	bool number = size == 1 || size == 2 || size == 4 || size == 8;
	struct leaf l = {.name = "", .kind = number ? LEAF_UINT : LEAF_BYTES, .bit_size = size * 8};

	put_leaf(w, &l, data);
}

static void put_name(struct walk *w, const char *name)
{
	if (w->json) {
		outbuf__json(w->p->ob, name, strlen(name));
		outbuf__putc(w->p->ob, ':');
	} else if (*name) {
		outbuf__safe(w->p->ob, name, strlen(name));
		outbuf__puts(w->p->ob, " = ");
	}
}

static void walk_members(struct walk *w, const struct btf_type *t, const char *data, u32 size,
			 int depth)
{
	const struct btf *btf = w->p->types.btf;
	bool any = false;

	outbuf__putc(w->p->ob, '{');
	for (int i = 0; i < btf_vlen(t); i++) {
		const struct btf_member *m = &btf_members(t)[i];
		const char *name = btf__name_by_offset(btf, m->name_off);
		u32 bit_off = btf_member_bit_offset(t, i), bits = btf_member_bitfield_size(t, i);
		s64 len = bpf_type__size(btf, m->type);
		struct leaf leaf;

		if (!name || bpf_type__is_padding(name) || len < 0)
			continue;
		if (bits ? (bit_off + (u64)bits + 7) / 8 > size
			 : bit_off / 8 > size || len > size - bit_off / 8)
			continue;
		if (any)
			outbuf__puts(w->p->ob, w->json ? "," : ", ");
		any = true;
		put_name(w, name);
		if (bits && bpf_type__leaf(&w->p->types, name, m->type, bit_off, bits, &leaf))
			put_leaf(w, &leaf, data);
		else
			walk_value(w, name, m->type, data + bit_off / 8, len, depth + 1);
	}
	outbuf__putc(w->p->ob, '}');
}

static void walk_array(struct walk *w, const char *name, const struct btf_type *t, const char *data,
		       u32 size, int depth)
{
	u32 elem = btf_array(t)->type, nr = btf_array(t)->nelems, shown;
	s64 len = bpf_type__size(w->p->types.btf, elem);

	if (len <= 0 || nr > size / len)
		nr = len > 0 ? size / len : 0;
	/* Zeros at the end are said once in text; JSON has them all. */
	for (shown = nr; !w->json && shown > 1; shown--) {
		const char *at = data + (size_t)(shown - 1) * len;

		if (at[0] || memcmp(at, at + 1, len - 1))
			break;
	}
	outbuf__putc(w->p->ob, '[');
	for (u32 i = 0; i < shown; i++) {
		if (i)
			outbuf__puts(w->p->ob, w->json ? "," : ", ");
		walk_value(w, name, elem, data + (size_t)i * len, len, depth + 1);
	}
	if (nr - shown)
		outbuf__printf(w->p->ob, ", 0 (%u times)", nr - shown);
	outbuf__putc(w->p->ob, ']');
}

static void walk_value(struct walk *w, const char *name, u32 id, const char *data, u32 size,
		       int depth)
{
	const struct btf *btf = w->p->types.btf;
	u32 plain = id;
	const struct btf_type *t = bpf_type__plain(btf, &plain);
	s64 len = t ? bpf_type__size(btf, plain) : -1;
	struct leaf leaf;

	if (!t || len < 0 || len > size || depth > MAX_DEPTH)
		walk_untyped(w, data, size);
	else if (bpf_type__leaf(&w->p->types, name, id, 0, 0, &leaf))
		put_leaf(w, &leaf, data);
	else if (btf_is_composite(t))
		walk_members(w, t, data, size, depth);
	else if (btf_is_array(t))
		walk_array(w, name, t, data, size, depth);
	else
		walk_untyped(w, data, size);
}

void value__text(struct value_printer *p, const char *name, u32 type_id, const void *data, u32 size)
{
	walk_value(&(struct walk){.p = p}, name, type_id, data, size, 0);
}

void value__json(struct value_printer *p, const char *name, u32 type_id, const void *data, u32 size)
{
	walk_value(&(struct walk){.p = p, .json = true}, name, type_id, data, size, 0);
}
