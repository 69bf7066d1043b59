// SPDX-License-Identifier: GPL-2.0-only
/* --bpf-var NAME=VALUE: a global of a user's BPF object, set in its initial data by BTF. */
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "bpf/user_prog_priv.h"

struct var {
	const char *name; /* as given, len bytes, then '=' */
	int len;
	const char *text; /* behind the '=' */
	u32 type_id;
	void *at; /* in the map's initial value */
	size_t size;
};

static const struct btf_type *plain_type(const struct btf *btf, u32 *id)
{
	const struct btf_type *t = btf__type_by_id(btf, *id);

	for (int depth = 0; t && depth < 32; depth++) {
		if (!btf_is_mod(t) && !btf_is_typedef(t))
			return t;
		*id = t->type;
		t = btf__type_by_id(btf, *id);
	}
	return NULL;
}

static bool var_in_section(const struct btf *btf, const struct btf_type *sec, struct var *v,
			   u32 *offset)
{
	const struct btf_var_secinfo *vi = btf_var_secinfos(sec);

	for (int i = 0; i < btf_vlen(sec); i++, vi++) {
		const struct btf_type *t = btf__type_by_id(btf, vi->type);
		const char *name = t ? btf__name_by_offset(btf, t->name_off) : NULL;

		if (!name || !btf_is_var(t) || strncmp(name, v->name, v->len) || name[v->len])
			continue;
		v->type_id = t->type;
		*offset = vi->offset;
		return true;
	}
	return false;
}

/* The section's DATASEC by the map's name: "object.rodata", or ".rodata.part" as it is. */
static const struct btf_type *section_type(const struct btf *btf, const char *map_name)
{
	for (const char *dot = strchr(map_name, '.'); dot; dot = strchr(dot + 1, '.')) {
		int id = btf__find_by_name_kind(btf, dot, BTF_KIND_DATASEC);

		if (id > 0)
			return btf__type_by_id(btf, id);
	}
	return NULL;
}

static bool find_var(struct bpf_object *obj, const struct btf *btf, struct var *v)
{
	struct bpf_map *m;

	bpf_object__for_each_map(m, obj)
	{
		const struct btf_type *sec;
		size_t have = 0;
		void *data;
		u32 off;
		s64 size;

		if (!bpf_map__is_internal(m) || strstr(bpf_map__name(m), ".kconfig"))
			continue;
		sec = section_type(btf, bpf_map__name(m));
		data = (void *)bpf_map__initial_value(m, &have);
		if (!sec || !data || !var_in_section(btf, sec, v, &off))
			continue;
		size = btf__resolve_size(btf, v->type_id);
		if (size <= 0 || off > have || (u64)size > have - off)
			continue;
		v->at = (char *)data + off;
		v->size = size;
		return true;
	}
	return false;
}

static int unknown_var(const struct btf *btf, const struct var *v, struct errbuf *eb)
{
	const char *sep = ": it has ";
	int n = btf__type_cnt(btf);

	errbuf__set(eb, -ENOENT, "no global variable '%.*s'", v->len, v->name);
	for (int i = 1; i < n; i++) {
		const struct btf_type *t = btf__type_by_id(btf, i);
		const char *name =
			t && btf_is_var(t) ? btf__name_by_offset(btf, t->name_off) : NULL;
		const struct btf_type *target = name ? btf__type_by_id(btf, t->type) : NULL;

		/* Maps are variables of struct type, the license is one as well. */
		if (!target || btf_is_struct(target) || !strcmp(name, "_license") ||
		    !strcmp(name, "LICENSE") || !strcmp(name, "license"))
			continue;
		errbuf__append(eb, "%s%s", sep, name);
		sep = ", ";
	}
	return errno = ENOENT, -ENOENT;
}

static int bad_value(const struct var *v, const char *expected, struct errbuf *eb)
{
	return errbuf__set(eb, -EINVAL, "global '%.*s': '%s' is not %s", v->len, v->name, v->text,
			   expected);
}

/* A number with its sign apart, so that all 64 bits of either kind can be given. */
static int parse_number(const char *s, bool *neg, u64 *v)
{
	char *end;

	*neg = *s == '-';
	if (*neg || *s == '+')
		s++;
	if (s[0] == '\'' && s[1] && s[2] == '\'' && !s[3]) {
		*v = (unsigned char)s[1];
		return 0;
	}
	if (*s < '0' || *s > '9')
		return -EINVAL;
	errno = 0;
	*v = strtoull(s, &end, 0);
	return errno || *end ? -EINVAL : 0;
}

static void store(const struct var *v, u64 bits)
{
	switch (v->size) {
	case 1:
		*(u8 *)v->at = bits;
		break;
	case 2:
		memcpy(v->at, &(u16){bits}, 2);
		break;
	case 4:
		memcpy(v->at, &(u32){bits}, 4);
		break;
	default:
		memcpy(v->at, &bits, 8);
	}
}

static int set_integer(const struct var *v, bool is_signed, struct errbuf *eb)
{
	unsigned int bits = v->size * 8;
	u64 num, max;
	bool neg;

	if (bits != 8 && bits != 16 && bits != 32 && bits != 64)
		return errbuf__set(eb, -EOPNOTSUPP,
				   "global '%.*s' has %zu bytes, which --bpf-var "
				   "cannot set",
				   v->len, v->name, v->size);
	if (!strcmp(v->text, "true") || !strcmp(v->text, "false")) {
		store(v, v->text[0] == 't');
		return 0;
	}
	if (parse_number(v->text, &neg, &num))
		return bad_value(v, "an integer", eb);
	max = UINT64_MAX >> (64 - bits + is_signed);
	if (neg ? !is_signed || num > max + 1 : num > max)
		return errbuf__set(eb, -ERANGE, "global '%.*s': %s does not fit %s %u-bit integer",
				   v->len, v->name, v->text, is_signed ? "a signed" : "an unsigned",
				   bits);
	store(v, neg ? -num : num);
	return 0;
}

static int set_bool(const struct var *v, struct errbuf *eb)
{
	static const char *const yes[] = {"true", "1", "yes", "on", "y"};
	static const char *const no[] = {"false", "0", "no", "off", "n"};

	for (size_t i = 0; i < ARRAY_SIZE(yes); i++) {
		if (strcmp(v->text, yes[i]) && strcmp(v->text, no[i]))
			continue;
		store(v, !strcmp(v->text, yes[i]));
		return 0;
	}
	return bad_value(v, "true or false", eb);
}

static int set_enum(const struct btf *btf, const struct btf_type *t, const struct var *v,
		    struct errbuf *eb)
{
	bool is64 = btf_is_enum64(t);

	for (int i = 0; i < btf_vlen(t); i++) {
		u32 off = is64 ? btf_enum64(t)[i].name_off : btf_enum(t)[i].name_off;
		const char *name = btf__name_by_offset(btf, off);

		if (!name || strcmp(name, v->text))
			continue;
		store(v, is64 ? btf_enum64_value(&btf_enum64(t)[i]) : (u64)(s64)btf_enum(t)[i].val);
		return 0;
	}
	if (v->text[0] != '-' && (v->text[0] < '0' || v->text[0] > '9')) {
		bad_value(v, "one of its enumerators: ", eb);
		for (int i = 0; i < btf_vlen(t); i++)
			errbuf__append(eb, "%s%s", i ? ", " : "",
				       btf__name_by_offset(btf, is64 ? btf_enum64(t)[i].name_off
								     : btf_enum(t)[i].name_off));
		return -EINVAL;
	}
	return set_integer(v, v->text[0] == '-', eb);
}

static int set_text(const struct btf *btf, const struct btf_type *t, const struct var *v,
		    struct errbuf *eb)
{
	u32 elem = btf_array(t)->type;
	const struct btf_type *e = plain_type(btf, &elem);
	size_t len = strlen(v->text);

	if (!e || !btf_is_int(e) || e->size != 1)
		return errbuf__set(eb, -EOPNOTSUPP,
				   "global '%.*s' is an array, of which --bpf-var "
				   "sets only those of char",
				   v->len, v->name);
	/* The closing NUL must fit too: programs compare and print it as a string. */
	if (len >= v->size)
		return errbuf__set(eb, -ERANGE,
				   "global '%.*s': the text has %zu bytes, room is for "
				   "%zu",
				   v->len, v->name, len, v->size - 1);
	memset(v->at, 0, v->size);
	memcpy(v->at, v->text, len);
	return 0;
}

int user_vars__set(struct bpf_object *obj, const char *assignment, struct errbuf *eb)
{
	const struct btf *btf = bpf_object__btf(obj);
	const char *eq = strchr(assignment, '=');
	struct var v = {.name = assignment};
	const struct btf_type *t;
	u32 id;

	if (!eq || eq == assignment)
		return errbuf__set(eb, -EINVAL, "--bpf-var '%s': expected NAME=VALUE", assignment);
	v.len = eq - assignment;
	v.text = eq + 1;
	if (!btf)
		return errbuf__set(eb, -ENOENT,
				   "no BTF to find the global '%.*s' by: build the "
				   "object with clang -g",
				   v.len, v.name);
	if (!find_var(obj, btf, &v))
		return unknown_var(btf, &v, eb);
	id = v.type_id;
	t = plain_type(btf, &id);
	if (t && btf_is_int(t))
		return btf_int_encoding(t) & BTF_INT_BOOL
			       ? set_bool(&v, eb)
			       : set_integer(&v, btf_int_encoding(t) & BTF_INT_SIGNED, eb);
	if (t && btf_is_any_enum(t))
		return set_enum(btf, t, &v, eb);
	if (t && btf_is_array(t))
		return set_text(btf, t, &v, eb);
	return errbuf__set(eb, -EOPNOTSUPP,
			   "global '%.*s' is no integer, enum or char array, which "
			   "is what --bpf-var sets",
			   v.len, v.name);
}
