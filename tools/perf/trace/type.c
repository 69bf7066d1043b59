// SPDX-License-Identifier: GPL-2.0-only
/* Compiles the struct descriptions of tables-types.c. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "trace/tables.h"
#include "trace/type.h"

struct trace_types {
	u32 nr;
	struct trace_type *types;
	struct trace_field *fields; /* of all types, one array */
	u32 nr_fields, max_fields;
};

struct field_kind {
	const char *word;
	u8 kind;
	u8 size;
	bool is_signed;
	u8 special;
};

static const struct field_kind field_kinds[] = {
	{"s8", TK_INT, 1, true, 0},	  {"u8", TK_UINT, 1, false, 0},
	{"s16", TK_INT, 2, true, 0},	  {"u16", TK_UINT, 2, false, 0},
	{"s32", TK_INT, 4, true, 0},	  {"u32", TK_UINT, 4, false, 0},
	{"s64", TK_INT, 8, true, 0},	  {"u64", TK_UINT, 8, false, 0},
	{"x8", TK_HEX, 1, false, 0},	  {"x16", TK_HEX, 2, false, 0},
	{"x32", TK_HEX, 4, false, 0},	  {"x64", TK_HEX, 8, false, 0},
	{"o32", TK_OCT, 4, false, 0},	  {"o64", TK_OCT, 8, false, 0},
	{"f16", TK_FLAGS, 2, false, 0},	  {"f32", TK_FLAGS, 4, false, 0},
	{"f64", TK_FLAGS, 8, false, 0},	  {"e16", TK_ENUM, 2, false, 0},
	{"e32", TK_ENUM, 4, false, 0},	  {"mode16", TK_MODE, 2, false, 0},
	{"mode32", TK_MODE, 4, false, 0}, {"fd", TK_FD, 4, true, 0},
	{"pid", TK_PID, 4, true, 0},	  {"uid", TK_UID, 4, false, 0},
	{"sig", TK_SIGNAL, 4, true, 0},	  {"sig64", TK_SIGNAL, 8, true, 0},
	{"dev32", TK_DEV, 4, false, 0},	  {"dev64", TK_DEV, 8, false, 0},
};

/* Functions of their own for fields, by the name behind the dot. */
static const struct {
	const char *word;
	u8 special;
} field_specials[] = {
	{"sigset", TS_SIGSET},
	{"sighandler", TS_SIGHANDLER},
	{"rlim", TS_RLIM},
	{"inaddr", TS_INADDR},
};

static int bad(struct errbuf *eb, const char *type, const char *at, const char *why)
{
	return errbuf__set(eb, -EINVAL, "type table: %s: %s at '%.20s'", type, why, at);
}

static const struct field_kind *kind_find(const char *w, u32 len)
{
	for (u32 i = 0; i < ARRAY_SIZE(field_kinds); i++) {
		if (strlen(field_kinds[i].word) == len && !memcmp(field_kinds[i].word, w, len))
			return &field_kinds[i];
	}
	return NULL;
}

/* The word before '.', '*', '@', '!': its kind and size. */
static int parse_kind(struct trace_field *f, const char *w, u32 len, u32 word_size)
{
	const struct field_kind *k;

	if (*w == 'c' && len > 1 && isdigit((unsigned char)w[1])) {
		f->kind = TK_STR;
		f->size = (u16)atoi(w + 1);
		return 0;
	}
	if (*w == 'p' && len > 1 && isdigit((unsigned char)w[1])) {
		f->kind = TK_UNUSED;
		f->size = (u16)atoi(w + 1);
		return 0;
	}
	f->size = (u16)word_size;
	if (len == 3 && !memcmp(w, "ptr", 3)) {
		f->kind = TK_PTR;
	} else if (len == 5 && !memcmp(w, "flong", 5)) {
		f->kind = TK_FLAGS;
	} else if (len == 5 && !memcmp(w, "elong", 5)) {
		f->kind = TK_ENUM;
	} else if (len == 1 && *w == 't') {
		f->kind = TK_STRUCT;
	} else {
		k = kind_find(w, len);
		if (!k)
			return -EINVAL;
		f->kind = k->kind;
		f->size = k->size;
		f->is_signed = k->is_signed;
	}
	return 0;
}

static int parse_dot(const struct trace_types *t, struct trace_field *f, const char *w, u32 len,
		     bool compat)
{
	if (f->kind == TK_STRUCT) {
		f->type = trace_types__find(t, w, len, compat);
		if (!f->type)
			return -EINVAL;
		f->size = f->type->size;
		return 0;
	}
	for (u32 i = 0; f->kind == TK_HEX && i < ARRAY_SIZE(field_specials); i++) {
		if (strlen(field_specials[i].word) == len &&
		    !memcmp(field_specials[i].word, w, len)) {
			f->kind = TK_SPECIAL;
			f->special = field_specials[i].special;
			return 0;
		}
	}
	f->set = trace_set__find(w, len);
	return f->set ? 0 : -EINVAL;
}

static u32 field_align(const struct trace_field *f, u32 word_size)
{
	u32 a = f->size;

	if (f->kind == TK_STR || f->kind == TK_UNUSED)
		return 1;
	if (f->kind == TK_STRUCT) {
		a = 1;
		for (u32 i = 0; i < f->type->nr_fields; i++) {
			u32 b = field_align(&f->type->fields[i], word_size);

			a = b > a ? b : a;
		}
		return a;
	}
	return a > word_size ? word_size : a;
}

static int parse_field(const struct trace_types *t, struct trace_field *f, const char *s, u32 len,
		       u32 *off, bool compat)
{
	const char *end = s + len, *colon = memchr(s, ':', len), *p;
	u32 word_size = compat ? 4 : 8, align;
	bool placed = false;

	if (!colon)
		return -EINVAL;
	*f = (struct trace_field){.name = s, .name_len = (u8)(colon - s), .count = 1};
	for (p = colon + 1; p < end && !strchr(".*@!", *p); p++)
		;
	if (parse_kind(f, colon + 1, (u32)(p - colon - 1), word_size))
		return -EINVAL;
	while (p < end) {
		char c = *p++;
		const char *w = p;

		while (p < end && !strchr(".*@!", *p))
			p++;
		if (c == '.' && parse_dot(t, f, w, (u32)(p - w), compat))
			return -EINVAL;
		else if (c == '*')
			f->count = (u16)atoi(w);
		else if (c == '!')
			f->brief = true;
		else if (c == '@') {
			f->off = (u16)atoi(w);
			placed = true;
		}
	}
	align = field_align(f, word_size);
	if (!placed)
		f->off = (u16)((*off + align - 1) / align * align);
	*off = f->off + f->size * f->count;
	return 0;
}

static const struct {
	const char *name;
	u8 special;
} type_specials[] = {
	{"sigaction", TT_SIGACTION}, {"old_sigaction", TT_SIGACTION},
	{"siginfo", TT_SIGINFO},     {"stat", TT_STAT},
	{"stat64", TT_STAT},	     {"pollfd", TT_POLLFD},
	{"epoll_event", TT_EPOLL},   {"timespec_ut", TT_TIMESPEC_UT},
	{"sigevent", TT_SIGEVENT},   {"clone_args", TT_CLONE_ARGS},
	{"open_how", TT_OPEN_HOW},   {"timeval_ut", TT_TIME_UT},
	{"cap_data", TT_CAP_DATA},
};

static u8 special_of(const char *name)
{
	size_t len = strcspn(name, "@");

	for (u32 i = 0; i < ARRAY_SIZE(type_specials); i++) {
		if (strlen(type_specials[i].name) == len &&
		    !memcmp(type_specials[i].name, name, len))
			return type_specials[i].special;
	}
	return TT_NONE;
}

static int parse_type(struct trace_types *t, const struct trace_type_spec *spec,
		      struct trace_type *type, struct errbuf *eb)
{
	const char *s = spec->fields;
	bool compat = strstr(spec->name, "@32") != NULL;
	u32 off = 0, first = t->nr_fields;

	while (*s) {
		u32 len = (u32)strcspn(s, " ");
		struct trace_field *f = &t->fields[t->nr_fields];

		if (t->nr_fields == t->max_fields || parse_field(t, f, s, len, &off, compat))
			return bad(eb, spec->name, s, "cannot parse");
		if (f->kind != TK_UNUSED)
			t->nr_fields++;
		type->brief |= f->brief;
		s += len;
		s += *s == ' ';
	}
	if (off > spec->size)
		return bad(eb, spec->name, spec->fields, "fields exceed the size");
	type->name = spec->name;
	type->special = special_of(spec->name);
	type->size = spec->size;
	type->fields = &t->fields[first];
	type->nr_fields = (u16)(t->nr_fields - first);
	type->scalar = type->nr_fields == 1 && !type->fields[0].name_len;
	return 0;
}

static u32 count_fields(const struct trace_type_spec_list *l)
{
	u32 n = 0;

	for (u32 i = 0; i < l->nr; i++) {
		n++;
		for (const char *s = l->spec[i].fields; *s; s++)
			n += *s == ' ';
	}
	return n + 1;
}

struct trace_types *trace_types__new(struct errbuf *eb)
{
	const struct trace_type_spec_list *l = &trace_type_specs;
	struct trace_types *t = calloc(1, sizeof(*t));

	if (!t)
		goto no_memory;
	t->max_fields = count_fields(l);
	t->types = calloc(l->nr, sizeof(*t->types));
	t->fields = calloc(t->max_fields, sizeof(*t->fields));
	if (!t->types || !t->fields)
		goto no_memory;
	for (u32 i = 0; i < l->nr; i++) {
		if (parse_type(t, &l->spec[i], &t->types[i], eb)) {
			trace_types__delete(t);
			errno = EINVAL;
			return NULL;
		}
		t->nr++;
	}
	return t;
no_memory:
	errbuf__set(eb, -ENOMEM, "type table: out of memory");
	trace_types__delete(t);
	errno = ENOMEM;
	return NULL;
}

void trace_types__delete(struct trace_types *t)
{
	if (!t)
		return;
	free(t->types);
	free(t->fields);
	free(t);
}

const struct trace_type *trace_types__find(const struct trace_types *t, const char *name, u32 len,
					   bool compat)
{
	const struct trace_type *found = NULL;

	for (u32 i = 0; i < t->nr; i++) {
		const char *n = t->types[i].name;

		if (strncmp(n, name, len))
			continue;
		if (!n[len] && (!compat || !found))
			found = &t->types[i];
		else if (compat && !strcmp(n + len, "@32"))
			found = &t->types[i];
	}
	return found;
}

u32 trace_types__nr(const struct trace_types *t)
{
	return t->nr;
}

const struct trace_type *trace_types__at(const struct trace_types *t, u32 i)
{
	return &t->types[i];
}
