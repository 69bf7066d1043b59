// SPDX-License-Identifier: GPL-2.0-only
/* What a BTF type of a user's map is for printing. */
#include <ctype.h>
#include <string.h>

#include "output/bpf-map-priv.h"

const struct btf_type *bpf_type__plain(const struct btf *btf, u32 *id)
{
	const struct btf_type *t = btf ? btf__type_by_id(btf, *id) : NULL;

	for (int depth = 0; t && depth < 32; depth++) {
		if (!btf_is_mod(t) && !btf_is_typedef(t))
			return t;
		*id = t->type;
		t = btf__type_by_id(btf, *id);
	}
	return NULL;
}

s64 bpf_type__size(const struct btf *btf, u32 id)
{
	return btf && id ? btf__resolve_size(btf, id) : -1;
}

static const char *name_of(const struct btf *btf, u32 off)
{
	const char *name = btf__name_by_offset(btf, off);

	return name ? name : "";
}

bool bpf_type__is_text(const struct btf *btf, const struct btf_type *array)
{
	u32 id = btf_array(array)->type;
	const struct btf_type *elem = bpf_type__plain(btf, &id);
	const char *name;

	if (!elem || !btf_is_int(elem) || elem->size != 1)
		return false;
	/* __u8 is "unsigned char", which rather holds bytes. */
	name = name_of(btf, elem->name_off);
	return !strcmp(name, "char") || !strcmp(name, "signed char");
}

bool bpf_type__is_padding(const char *name)
{
	name += strspn(name, "_");
	if (strncmp(name, "pad", 3))
		return false;
	name += 3;
	if (!strncmp(name, "ding", 4))
		name += 4;
	name += strspn(name, "_0123456789");
	return !*name;
}

bool bpf_type__is_pid(const char *name)
{
	return !strcmp(name, "pid") || !strcmp(name, "tgid");
}

static bool is_address_word(const char *s, size_t len, const char *address_key)
{
	static const char *const words[] = {"ip", "addr", "address", "pc"};

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (strlen(words[i]) == len && !strncasecmp(s, words[i], len))
			return true;
	return address_key && strlen(address_key) == len && !memcmp(s, address_key, len);
}

bool bpf_type__is_address_name(const char *name, const char *address_key, bool words)
{
	size_t len = strlen(name);
	const char *last;

	if (address_key && !strcmp(name, address_key))
		return true;
	if (words) {
		/* "ip_map", "hot_ips": any word, also in the plural. */
		for (const char *w = name; *w;) {
			size_t n = strcspn(w, "_.");

			if (is_address_word(w, n, NULL) ||
			    (n > 1 && tolower((unsigned char)w[n - 1]) == 's' &&
			     is_address_word(w, n - 1, NULL)))
				return true;
			w += n + !!w[n];
		}
		return false;
	}
	if (len > 2 && !strcmp(name + len - 2, "_t"))
		len -= 2;
	/* "fault_addr": the last word says what it is; "ip_count" is a count. */
	last = memrchr(name, '_', len);
	last = last ? last + 1 : name;
	return is_address_word(last, len - (last - name), address_key);
}

/* Any typedef on the way says what the number is: typedef __u64 ip_t. */
static bool has_address_typedef(const struct type_ctx *c, u32 id)
{
	const struct btf_type *t = btf__type_by_id(c->btf, id);

	for (int depth = 0; t && depth < 32; depth++) {
		if (btf_is_typedef(t) &&
		    bpf_type__is_address_name(name_of(c->btf, t->name_off), c->address_key, false))
			return true;
		if (!btf_is_mod(t) && !btf_is_typedef(t))
			return false;
		t = btf__type_by_id(c->btf, t->type);
	}
	return false;
}

bool bpf_type__leaf(const struct type_ctx *c, const char *name, u32 id, u32 bit_off,
		    u32 bitfield_size, struct leaf *leaf)
{
	u32 plain = id;
	const struct btf_type *t = bpf_type__plain(c->btf, &plain);
	s64 size = t ? bpf_type__size(c->btf, plain) : -1;

	if (size <= 0 || size > (1 << 24))
		return false;
	*leaf = (struct leaf){.name = name,
			      .type_id = plain,
			      .bit_off = bit_off,
			      .bit_size = bitfield_size ? bitfield_size : size * 8};
	if (btf_is_ptr(t)) {
		leaf->kind = LEAF_ADDR;
	} else if (btf_is_int(t)) {
		leaf->kind = size > 8				    ? LEAF_BYTES
			     : btf_int_encoding(t) & BTF_INT_BOOL   ? LEAF_BOOL
			     : btf_int_encoding(t) & BTF_INT_SIGNED ? LEAF_SINT
								    : LEAF_UINT;
		if (leaf->bit_size == 64 &&
		    (bpf_type__is_address_name(name, c->address_key, false) ||
		     has_address_typedef(c, id)))
			leaf->kind = LEAF_ADDR;
	} else if (btf_is_any_enum(t) && size <= 8) {
		leaf->kind = LEAF_ENUM;
	} else if (btf_is_float(t)) {
		leaf->kind = size == 4 || size == 8 ? LEAF_FLOAT : LEAF_BYTES;
	} else if (btf_is_array(t)) {
		u32 elem = btf_array(t)->type;
		const struct btf_type *e = bpf_type__plain(c->btf, &elem);

		if (!e || !btf_is_int(e) || e->size != 1)
			return false;
		leaf->kind = bpf_type__is_text(c->btf, t) ? LEAF_TEXT : LEAF_BYTES;
	} else {
		return false;
	}
	return leaf->kind == LEAF_TEXT || leaf->kind == LEAF_BYTES || leaf->bit_size <= 64;
}

int bpf_type__flatten(const struct type_ctx *c, const char *name, u32 id, u32 bit_off,
		      struct leaf *leaves, int *nr, int depth)
{
	const struct btf_type *t = bpf_type__plain(c->btf, &id);
	const struct btf_member *m;

	if (!t || depth > MAX_DEPTH)
		return -1;
	m = btf_members(t);
	if (!btf_is_struct(t)) {
		if (*nr >= MAX_LEAVES || !bpf_type__leaf(c, name, id, bit_off, 0, &leaves[*nr]))
			return -1;
		(*nr)++;
		return 0;
	}
	for (int i = 0; i < btf_vlen(t); i++) {
		const char *field = name_of(c->btf, m[i].name_off);
		u32 off = bit_off + btf_member_bit_offset(t, i);
		u32 bits = btf_member_bitfield_size(t, i);
		u32 member = m[i].type;
		const struct btf_type *mt = bpf_type__plain(c->btf, &member);

		if (bpf_type__is_padding(field))
			continue;
		if (mt && btf_is_struct(mt)) {
			if (bpf_type__flatten(c, field, m[i].type, off, leaves, nr, depth + 1))
				return -1;
			continue;
		}
		if (*nr >= MAX_LEAVES ||
		    !bpf_type__leaf(c, field, m[i].type, off, bits, &leaves[*nr]))
			return -1;
		(*nr)++;
	}
	return 0;
}

static bool int_array(const struct btf *btf, u32 id, struct slots *s)
{
	const struct btf_type *t = bpf_type__plain(btf, &id), *e;
	u32 elem;

	if (!t || !btf_is_array(t))
		return false;
	elem = btf_array(t)->type;
	e = bpf_type__plain(btf, &elem);
	if (!e || !btf_is_int(e) || e->size > 8 || (e->size & (e->size - 1)) || !e->size)
		return false;
	s->elem_size = e->size;
	s->nr = btf_array(t)->nelems;
	return s->nr > 1;
}

bool bpf_type__find_slots(const struct btf *btf, u32 id, bool whole, struct slots *s)
{
	const struct btf_type *t = bpf_type__plain(btf, &id);

	s->off = 0;
	if (!t)
		return false;
	if (btf_is_array(t))
		return whole && int_array(btf, id, s);
	if (!btf_is_struct(t))
		return false;
	for (int i = 0; i < btf_vlen(t); i++) {
		const struct btf_member *m = &btf_members(t)[i];

		if (strcmp(name_of(btf, m->name_off), "slots") || !int_array(btf, m->type, s))
			continue;
		s->off = btf_member_bit_offset(t, i) / 8;
		return true;
	}
	return false;
}

typedef u64 packed_u64 __attribute__((aligned(1), may_alias));
typedef u32 packed_u32 __attribute__((aligned(1), may_alias));

u64 bpf_bits(const void *data, u32 bit_off, u32 nr_bits)
{
	u32 first = bit_off / 8, shift = bit_off % 8, bytes = (shift + nr_bits + 7) / 8;
	const u8 *p = (const u8 *)data + first;
	unsigned __int128 v = 0;

	if (!nr_bits || nr_bits > 64)
		return 0;
	/* Nearly all that there is; rows are sorted by it. */
	if (!shift && nr_bits == 64)
		return *(const packed_u64 *)p;
	if (!shift && nr_bits == 32)
		return *(const packed_u32 *)p;
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	for (u32 i = 0; i < bytes; i++)
		v |= (unsigned __int128)p[i] << (8 * i);
	v >>= shift;
#else
	for (u32 i = 0; i < bytes; i++)
		v = v << 8 | p[i];
	v >>= bytes * 8 - shift - nr_bits;
#endif
	return (u64)v & (UINT64_MAX >> (64 - nr_bits));
}

s64 bpf_bits_signed(const void *data, u32 bit_off, u32 nr_bits)
{
	u64 v = bpf_bits(data, bit_off, nr_bits);

	return nr_bits && nr_bits < 64 && v >> (nr_bits - 1) ? (s64)(v | UINT64_MAX << nr_bits)
							     : (s64)v;
}
