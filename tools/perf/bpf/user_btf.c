// SPDX-License-Identifier: GPL-2.0-only
/*
 * A BTF that came in a file, checked before libbpf follows its type ids: libbpf 1.1 trusts them.
 * The kernel checks them too, but only when the object is loaded.
 */
#include <bpf/btf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "bpf/user_prog_priv.h"

#define MAX_TYPES (1 << 20)

struct check {
	const struct btf *btf;
	u32 nr;	   /* ids below this are valid */
	u8 *state; /* of each id while chains are followed: 1 being followed, 2 good */
};

static bool name_ok(const struct check *c, u32 off)
{
	return btf__name_by_offset(c->btf, off) != NULL;
}

static bool id_ok(const struct check *c, u32 id)
{
	return id < c->nr;
}

static bool is_kind(const struct check *c, u32 id, int kind)
{
	const struct btf_type *t = id_ok(c, id) ? btf__type_by_id(c->btf, id) : NULL;

	return t && btf_kind(t) == kind;
}

static bool members_ok(const struct check *c, const struct btf_type *t)
{
	const struct btf_member *m = btf_members(t);

	for (int i = 0; i < btf_vlen(t); i++)
		if (!name_ok(c, m[i].name_off) || !m[i].type || !id_ok(c, m[i].type))
			return false;
	return true;
}

static bool enum_ok(const struct check *c, const struct btf_type *t)
{
	for (int i = 0; i < btf_vlen(t); i++)
		if (!name_ok(c, btf_is_enum64(t) ? btf_enum64(t)[i].name_off
						 : btf_enum(t)[i].name_off))
			return false;
	return t->size == 1 || t->size == 2 || t->size == 4 || t->size == 8;
}

static bool params_ok(const struct check *c, const struct btf_type *t)
{
	const struct btf_param *p = btf_params(t);

	for (int i = 0; i < btf_vlen(t); i++)
		if (!name_ok(c, p[i].name_off) || !id_ok(c, p[i].type))
			return false;
	return id_ok(c, t->type);
}

static bool section_ok(const struct check *c, const struct btf_type *t)
{
	const struct btf_var_secinfo *v = btf_var_secinfos(t);

	for (int i = 0; i < btf_vlen(t); i++)
		if (!is_kind(c, v[i].type, BTF_KIND_VAR) && !is_kind(c, v[i].type, BTF_KIND_FUNC))
			return false;
	return true;
}

static bool type_ok(const struct check *c, const struct btf_type *t)
{
	if (!name_ok(c, t->name_off))
		return false;
	switch (btf_kind(t)) {
	case BTF_KIND_INT:
		return t->size && t->size <= 16;
	case BTF_KIND_FLOAT:
	case BTF_KIND_FWD:
		return true;
	case BTF_KIND_ARRAY:
		return btf_array(t)->type && id_ok(c, btf_array(t)->type) &&
		       id_ok(c, btf_array(t)->index_type);
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		return members_ok(c, t);
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
		return enum_ok(c, t);
	case BTF_KIND_FUNC:
		return is_kind(c, t->type, BTF_KIND_FUNC_PROTO);
	case BTF_KIND_FUNC_PROTO:
		return params_ok(c, t);
	case BTF_KIND_DATASEC:
		return section_ok(c, t);
	case BTF_KIND_VAR:
		return t->type && id_ok(c, t->type);
	case BTF_KIND_PTR:
	case BTF_KIND_TYPEDEF:
	case BTF_KIND_VOLATILE:
	case BTF_KIND_CONST:
	case BTF_KIND_RESTRICT:
	case BTF_KIND_DECL_TAG:
	case BTF_KIND_TYPE_TAG:
		return id_ok(c, t->type);
	}
	return false;
}

/* A type that consists of itself has no size; walking it would not end. A pointer ends the walk. */
static bool ends(struct check *c, u32 id, int depth)
{
	const struct btf_type *t = btf__type_by_id(c->btf, id);
	bool ok = true;

	if (!id || c->state[id] == 2)
		return true;
	if (c->state[id] == 1 || depth > 64)
		return false;
	c->state[id] = 1;
	if (btf_is_mod(t) || btf_is_typedef(t) || btf_is_var(t))
		ok = ends(c, t->type, depth + 1);
	else if (btf_is_array(t))
		ok = ends(c, btf_array(t)->type, depth + 1);
	else if (btf_is_composite(t))
		for (int i = 0; ok && i < btf_vlen(t); i++)
			ok = ends(c, btf_members(t)[i].type, depth + 1);
	c->state[id] = 2;
	return ok;
}

static int check_types(struct check *c, u32 *bad)
{
	for (u32 id = 1; id < c->nr; id++) {
		*bad = id;
		if (!type_ok(c, btf__type_by_id(c->btf, id)))
			return -EINVAL;
	}
	c->state = calloc(c->nr, 1);
	if (!c->state)
		return -ENOMEM;
	for (u32 id = 1; id < c->nr; id++) {
		*bad = id;
		if (!ends(c, id, 0))
			return -EINVAL;
	}
	return 0;
}

int bpf_image__check_btf(const struct bpf_image *img, const char *path, struct errbuf *eb)
{
	size_t size = 0;
	const void *data = bpf_image__section(img, ".BTF", &size);
	struct check c = {0};
	struct btf *btf;
	u32 bad = 0;
	int err;

	if (!data)
		return 0;
	btf = size <= UINT32_MAX ? btf__new(data, size) : NULL;
	if (!btf)
		return errbuf__set(eb, -ENOEXEC, "BPF object %s: its BTF is malformed", path);
	c.btf = btf;
	c.nr = btf__type_cnt(btf);
	err = c.nr > MAX_TYPES ? -E2BIG : check_types(&c, &bad);
	free(c.state);
	btf__free(btf);
	if (err)
		return errbuf__set(eb, -ENOEXEC, "BPF object %s: its BTF is malformed at type %u",
				   path, bad);
	return 0;
}
