// SPDX-License-Identifier: GPL-2.0-only
#include <bpf/btf.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/btf.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bpf/kernel_btf.h"
#include "compiler.h"

#define PAGE 4096u /* what sysfs hands out at once */
#define MAX_FILE (256u << 20)
#define MAX_TYPES (1u << 20)
#define MAX_DEPTH 16
#define MAX_VLEN 4096

/* The file, read page by page as it is looked at. */
struct source {
	int fd;
	u32 size;
	bool mapped;	  /* it is all there */
	u8 *data, *there; /* the file's room; a flag a page */
	u32 types, types_end, strings, strings_end;
	u32 *offset;	   /* of each type passed so far, by id */
	u32 nr, cap, next; /* ids passed; where the next type begins */
	struct btf *out;
	u32 *copied; /* by id: its id in the extract */
};

static const void *at(struct source *s, u32 off, u32 len)
{
	if (off > s->size || len > s->size - off)
		return NULL;
	if (s->mapped)
		return s->data + off;
	for (u32 p = off / PAGE; len && p <= (off + len - 1) / PAGE; p++) {
		u32 n = min_t(u32, PAGE, s->size - p * PAGE);

		if (s->there[p])
			continue;
		if (pread(s->fd, s->data + p * PAGE, n, p * PAGE) != (ssize_t)n)
			return NULL;
		s->there[p] = 1;
	}
	return s->data + off;
}

/* Whether the string at @off is @name. Reads no more than that. */
static bool is_named(struct source *s, u32 off, const char *name)
{
	u32 len = strlen(name) + 1;
	const char *p;

	if (off > s->strings_end - s->strings || len > s->strings_end - s->strings - off)
		return false;
	p = at(s, s->strings + off, len);
	return p && !memcmp(p, name, len);
}

static const char *string_at(struct source *s, u32 off, char *buf, u32 size)
{
	for (u32 i = 0; i < size; i++) {
		const char *p = off < s->strings_end - s->strings - i
					? at(s, s->strings + off + i, 1)
					: NULL;

		if (!p)
			return NULL;
		buf[i] = *p;
		if (!*p)
			return buf;
	}
	return NULL;
}

/* Bytes behind struct btf_type. */
static int extra(const struct btf_type *t)
{
	u32 vlen = BTF_INFO_VLEN(t->info);

	switch (BTF_INFO_KIND(t->info)) {
	case BTF_KIND_INT:
	case BTF_KIND_VAR:
	case BTF_KIND_DECL_TAG:
		return 4;
	case BTF_KIND_ARRAY:
		return sizeof(struct btf_array);
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		return vlen * sizeof(struct btf_member);
	case BTF_KIND_ENUM:
		return vlen * sizeof(struct btf_enum);
	case BTF_KIND_ENUM64:
		return vlen * sizeof(struct btf_enum64);
	case BTF_KIND_FUNC_PROTO:
		return vlen * sizeof(struct btf_param);
	case BTF_KIND_DATASEC:
		return vlen * sizeof(struct btf_var_secinfo);
	case BTF_KIND_PTR:
	case BTF_KIND_FWD:
	case BTF_KIND_TYPEDEF:
	case BTF_KIND_VOLATILE:
	case BTF_KIND_CONST:
	case BTF_KIND_RESTRICT:
	case BTF_KIND_FUNC:
	case BTF_KIND_FLOAT:
	case BTF_KIND_TYPE_TAG:
		return 0;
	}
	return -1; /* younger than this program: where the next one begins nobody knows */
}

/* One more type; NULL at the end. */
static const struct btf_type *pass(struct source *s)
{
	const struct btf_type *t;
	int n;

	if (s->next >= s->types_end || s->nr >= MAX_TYPES)
		return NULL;
	if (s->nr == s->cap) {
		u32 cap = s->cap ? 2 * s->cap : 4096;
		u32 *p = realloc(s->offset, cap * sizeof(*p));

		if (!p)
			return NULL;
		s->offset = p;
		s->cap = cap;
	}
	t = at(s, s->next, sizeof(*t));
	n = t ? extra(t) : -1;
	if (n < 0)
		return NULL;
	s->offset[s->nr++] = s->next;
	s->next += sizeof(*t) + n;
	return t;
}

/* Type @id with what stands behind it. */
static const struct btf_type *type_at(struct source *s, u32 id)
{
	const struct btf_type *t;

	while (s->nr <= id)
		if (!pass(s))
			return NULL;
	t = at(s, s->offset[id], sizeof(*t));
	return t ? at(s, s->offset[id], sizeof(*t) + extra(t)) : NULL;
}

/* ---- copying ---- */

static int copy(struct source *s, u32 id, int depth);

static int copy_members(struct source *s, const struct btf_type *t, const char *const *only,
			int depth)
{
	u32 vlen = BTF_INFO_VLEN(t->info), found = 0, wanted = 0, size = t->size, ids[MAX_VLEN];
	bool bits = BTF_INFO_KFLAG(t->info), is_struct = BTF_INFO_KIND(t->info) == BTF_KIND_STRUCT;
	const struct btf_member *m = (const void *)(t + 1);
	char name[128];
	int id;

	if (vlen > MAX_VLEN || !string_at(s, t->name_off, name, sizeof(name)))
		return -EBADMSG;
	while (only && only[wanted])
		wanted++;
	/* Members' types first: a struct has to follow at one go. */
	for (u32 i = 0; i < vlen; i++) {
		u32 k = 0;

		ids[i] = 0;
		while (k < wanted && !is_named(s, m[i].name_off, only[k]))
			k++;
		if (only && k == wanted)
			continue;
		id = copy(s, m[i].type, depth + 1);
		if (id < 0)
			return id;
		ids[i] = id;
		found++;
	}
	if (found < wanted)
		return -ENOENT;
	id = is_struct ? btf__add_struct(s->out, name, size) : btf__add_union(s->out, name, size);
	for (u32 i = 0; id > 0 && i < vlen; i++) {
		u32 width = bits ? BTF_MEMBER_BITFIELD_SIZE(m[i].offset) : 0;
		u32 bit = bits ? BTF_MEMBER_BIT_OFFSET(m[i].offset) : m[i].offset;
		int err;

		if (!ids[i])
			continue;
		if (!string_at(s, m[i].name_off, name, sizeof(name)))
			return -EBADMSG;
		err = btf__add_field(s->out, name, ids[i], bit, width);
		if (err)
			return err;
	}
	return id;
}

static int copy_array(struct source *s, const struct btf_array *a, int depth)
{
	int elem = copy(s, a->type, depth + 1), index = copy(s, a->index_type, depth + 1);

	if (elem < 0 || index < 0)
		return elem < 0 ? elem : index;
	return btf__add_array(s->out, index, elem, a->nelems);
}

/* What a pointer points to does not matter; qualifiers and names of types do not either. */
static int copy_plain(struct source *s, const struct btf_type *t, int depth)
{
	u32 v;

	switch (BTF_INFO_KIND(t->info)) {
	case BTF_KIND_INT:
		v = *(const u32 *)(t + 1);
		return btf__add_int(s->out, BTF_INT_BITS(v) == 8 ? "char" : "int", t->size,
				    BTF_INT_ENCODING(v));
	case BTF_KIND_PTR:
		return btf__add_ptr(s->out, 0);
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
		return btf__add_int(s->out, "int", t->size, 0);
	case BTF_KIND_FLOAT:
		return btf__add_float(s->out, "float", t->size);
	case BTF_KIND_ARRAY:
		return copy_array(s, (const void *)(t + 1), depth);
	case BTF_KIND_TYPEDEF:
	case BTF_KIND_VOLATILE:
	case BTF_KIND_CONST:
	case BTF_KIND_RESTRICT:
	case BTF_KIND_TYPE_TAG:
		return copy(s, t->type, depth + 1);
	}
	return -EBADMSG;
}

static int copy(struct source *s, u32 id, int depth)
{
	const struct btf_type *t = id ? type_at(s, id) : NULL;
	u32 kind;
	int to;

	if (!t || depth > MAX_DEPTH)
		return -EBADMSG;
	if (s->copied[id])
		return s->copied[id];
	kind = BTF_INFO_KIND(t->info);
	to = kind == BTF_KIND_STRUCT || kind == BTF_KIND_UNION ? copy_members(s, t, NULL, depth)
							       : copy_plain(s, t, depth);
	if (to > 0)
		s->copied[id] = to;
	return to;
}

/* The first of that kind and name, or 0. */
static u32 find(struct source *s, u32 kind, const char *name)
{
	for (u32 id = 1;; id++) {
		const struct btf_type *t = id < s->nr ? at(s, s->offset[id], sizeof(*t)) : pass(s);

		if (!t)
			return 0;
		if (BTF_INFO_KIND(t->info) == kind && is_named(s, t->name_off, name))
			return id;
	}
}

static int take(struct source *s, const struct kernel_btf_want *want)
{
	u32 id = find(s, want->func ? BTF_KIND_FUNC : BTF_KIND_STRUCT, want->name);
	const struct btf_type *t;

	if (want->kernel_id)
		*want->kernel_id = id;
	if (want->func)
		return 0;
	if (!id)
		return -ENOENT;
	t = type_at(s, id);
	return t ? copy_members(s, t, want->members, 0) : -EBADMSG;
}

/* ---- the file ---- */

static int open_source(struct source *s, const char *path, bool of_kernel)
{
	const struct btf_header *h;
	struct stat st;

	s->fd = open(path, O_RDONLY | O_CLOEXEC);
	if (s->fd < 0)
		return -errno;
	if (fstat(s->fd, &st) || st.st_size < (off_t)sizeof(*h) || st.st_size > MAX_FILE)
		return -EBADMSG;
	s->size = st.st_size;
	/* Linux 6.16 lets its own be mapped; otherwise memory that is not touched where nothing is
	 * read. */
	s->data = of_kernel ? mmap(NULL, s->size, PROT_READ, MAP_PRIVATE, s->fd, 0) : MAP_FAILED;
	s->mapped = s->data != MAP_FAILED;
	if (!s->mapped)
		s->data = mmap(NULL, s->size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			       -1, 0);
	s->there = calloc(1, s->size / PAGE + 1);
	s->copied = calloc(MAX_TYPES, sizeof(*s->copied));
	s->out = btf__new_empty();
	if (s->data == MAP_FAILED || !s->there || !s->copied || !s->out)
		return -ENOMEM;
	h = at(s, 0, sizeof(*h));
	if (!h || h->magic != BTF_MAGIC || h->version != BTF_VERSION || h->hdr_len < sizeof(*h) ||
	    h->hdr_len > s->size)
		return -EBADMSG;
	if (h->type_off > s->size - h->hdr_len || h->str_off > s->size - h->hdr_len)
		return -EBADMSG;
	s->types = h->hdr_len + h->type_off;
	s->strings = h->hdr_len + h->str_off;
	if (h->type_len > s->size - s->types || h->str_len > s->size - s->strings || s->types % 4)
		return -EBADMSG;
	s->types_end = s->types + h->type_len;
	s->strings_end = s->strings + h->str_len;
	s->next = s->types;
	/* id 0 is void, which stands nowhere */
	s->cap = 4096;
	s->offset = malloc(s->cap * sizeof(*s->offset));
	if (!s->offset)
		return -ENOMEM;
	s->offset[0] = s->types;
	s->nr = 1;
	return 0;
}

static void close_source(struct source *s)
{
	if (s->fd >= 0)
		close(s->fd);
	if (s->data && s->data != MAP_FAILED)
		munmap(s->data, s->size);
	btf__free(s->out);
	free(s->there);
	free(s->copied);
	free(s->offset);
}

static int write_extract(struct source *s)
{
	u32 size;
	const void *raw = btf__raw_data(s->out, &size);
	int fd = raw ? memfd_create("kernel-btf", MFD_CLOEXEC) : -1;

	if (fd < 0)
		return -ENOMEM;
	if (write(fd, raw, size) == (ssize_t)size)
		return fd;
	close(fd);
	return -EIO;
}

int kernel_btf__extract(const char *path, const struct kernel_btf_want *want)
{
	struct source s = {.fd = -1};
	int err = open_source(&s, path ? path : "/sys/kernel/btf/vmlinux", !path);

	for (; !err && want->name; want++) {
		int id = take(&s, want);

		if (id < 0)
			err = id;
	}
	if (!err)
		err = write_extract(&s);
	close_source(&s);
	return err;
}

const char *kernel_btf__open(struct kernel_btf_file *f, const struct kernel_btf_want *want)
{
	f->path[0] = 0;
	f->fd = kernel_btf__extract(NULL, want);
	if (f->fd < 0)
		return NULL;
	snprintf(f->path, sizeof(f->path), "/proc/self/fd/%d", f->fd);
	return f->path;
}

void kernel_btf__close(struct kernel_btf_file *f)
{
	if (f->path[0])
		close(f->fd);
	f->path[0] = 0;
}
