// SPDX-License-Identifier: GPL-2.0-only
/* Tracepoint formats: the fields. The print format is tp-parse.c's. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "session/tp-parse.h"

#define PLACE_MAX 65536 /* a record is shorter than this */
#define FIELDS_MAX 512
#define NAME_MAX_LEN 128
#define ARENA_CHUNK 4096

struct tp_arena {
	struct tp_arena *next;
	size_t used, size;
	char data[];
};

void *tp_arena__take(struct tp_arena **arena, size_t n)
{
	struct tp_arena *a = *arena;
	void *p;

	n = (n + 7) & ~(size_t)7;
	if (!a || a->size - a->used < n) {
		size_t size = n > ARENA_CHUNK ? n : ARENA_CHUNK;

		a = malloc(sizeof(*a) + size);
		if (!a)
			return NULL;
		a->next = *arena;
		a->size = size;
		a->used = 0;
		*arena = a;
	}
	p = a->data + a->used;
	a->used += n;
	return memset(p, 0, n);
}

char *tp_arena__text(struct tp_arena **arena, const char *s, size_t n)
{
	char *p = tp_arena__take(arena, n + 1);

	if (p)
		memcpy(p, s, n);
	return p;
}

/* ---- the cursor ---- */

void tp_text__blanks(struct tp_text *t)
{
	while (*t->p == ' ' || *t->p == '\t')
		t->p++;
}

bool tp_text__take(struct tp_text *t, const char *s)
{
	size_t n = strlen(s);

	if (strncmp(t->p, s, n))
		return false;
	t->p += n;
	return true;
}

bool tp_text__next(struct tp_text *t, const char *s)
{
	tp_text__blanks(t);
	return tp_text__take(t, s);
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

size_t tp_text__word(struct tp_text *t, const char **start)
{
	size_t n = 0;

	tp_text__blanks(t);
	if (!is_word(*t->p) || isdigit((unsigned char)*t->p))
		return 0;
	while (is_word(t->p[n]))
		n++;
	*start = t->p;
	t->p += n;
	return n <= NAME_MAX_LEN ? n : 0;
}

/* ---- types ---- */

u32 tp_type__size(const char *type, int long_size)
{
	static const struct {
		const char *name;
		u32 size;
	} types[] = {
		{"u8", 1},  {"s8", 1},	{"__u8", 1},  {"__s8", 1},  {"char", 1},
		{"u16", 2}, {"s16", 2}, {"__u16", 2}, {"__s16", 2}, {"short", 2},
		{"u32", 4}, {"s32", 4}, {"__u32", 4}, {"__s32", 4}, {"int", 4},
		{"u64", 8}, {"s64", 8}, {"__u64", 8}, {"__s64", 8}, {"long long", 8},
	};

	if (!strncmp(type, "unsigned ", 9))
		type += 9;
	else if (!strncmp(type, "signed ", 7))
		type += 7;
	if (!strcmp(type, "long"))
		return long_size;
	for (size_t i = 0; i < ARRAY_SIZE(types); i++) {
		if (!strcmp(type, types[i].name))
			return types[i].size;
	}
	return 0;
}

/* ---- fields ---- */

static bool place(struct tp_text *t, const char *what, u32 *v)
{
	unsigned long n;
	char *end;

	if (!tp_text__next(t, what) || !isdigit((unsigned char)*t->p))
		return false;
	n = strtoul(t->p, &end, 10);
	t->p = end;
	*v = n;
	return n < PLACE_MAX && tp_text__take(t, ";");
}

/* [16] [TASK_COMM_LEN] [] [NR / 8]: the number in it, 0 for others. */
static bool brackets(struct tp_text *t, u32 *count)
{
	const char *start = t->p;
	char *end;

	for (; *t->p != ']'; t->p++) {
		if (!*t->p || (!is_word(*t->p) && !strchr(" +-*/()", *t->p)) ||
		    t->p - start > NAME_MAX_LEN)
			return false;
	}
	*count = min_t(unsigned long, strtoul(start, &end, 0), PLACE_MAX);
	if (end != t->p)
		*count = 0;
	t->p++;
	return true;
}

struct declaration {
	char type[NAME_MAX_LEN * 2];
	const char *name; /* the last word */
	size_t name_len;
	u32 count; /* of an array, 0: not told */
	int words;
};

static bool add_type(struct declaration *d, const char *s, size_t n)
{
	size_t len = strlen(d->type);

	if (len + n + 2 > sizeof(d->type))
		return false;
	if (len)
		d->type[len++] = ' ';
	memcpy(d->type + len, s, n);
	d->type[len + n] = '\0';
	return true;
}

/* __data_loc char[] name, unsigned long args[6], const char * str; up to the semicolon. */
static bool declaration(struct tp_text *t, struct tp_field *f, struct declaration *d)
{
	const char *start;
	size_t n;

	for (int parts = 0; parts < 32; parts++) {
		if (tp_text__next(t, ";"))
			return d->words >= 2 && d->name;
		n = tp_text__word(t, &start);
		if (n) {
			/* What was taken for the name is a part of the type. */
			if (d->name && !add_type(d, d->name, d->name_len))
				return false;
			d->words++;
			if (n == 10 && !strncmp(start, "__data_loc", n)) {
				f->is_dynamic = true;
				continue;
			}
			if (n == 9 && !strncmp(start, "__rel_loc", n)) {
				f->is_dynamic = f->is_relative = true;
				continue;
			}
			d->name = start;
			d->name_len = n;
		} else if (d->words && tp_text__take(t, "*")) {
			f->is_pointer = true;
		} else if (d->words && tp_text__take(t, "[")) {
			if (!brackets(t, &d->count))
				return false;
			f->is_array = true;
		} else {
			return false;
		}
	}
	return false;
}

static void describe(struct tp_field *f, const struct declaration *d, int long_size)
{
	f->is_string = f->is_array &&
		       (strstr(d->type, "char") || strstr(d->type, "u8") || strstr(d->type, "s8"));
	f->is_long = !strcmp(d->type, "long") || !strcmp(d->type, "unsigned long") ||
		     !strcmp(d->type, "signed long") || !strcmp(d->type, "long unsigned int");
	if (!f->is_array)
		f->elem_size = f->size;
	else if (d->count)
		f->elem_size = f->size / d->count;
	else if (f->is_dynamic)
		f->elem_size = tp_type__size(d->type, long_size);
	else if (f->is_string)
		f->elem_size = 1;
	else if (f->is_long)
		f->elem_size = long_size;
}

static bool field(struct tp_text *t, struct tp_format *fmt, struct tp_field *f)
{
	struct declaration d = {};
	u32 is_signed = 0;

	if (!tp_text__take(t, "\tfield:") || !declaration(t, f, &d) ||
	    !place(t, "offset:", &f->offset) || !place(t, "size:", &f->size))
		return false;
	tp_text__blanks(t);
	if (*t->p == 's' && !place(t, "signed:", &is_signed))
		return false;
	if (!tp_text__next(t, "\n"))
		return false;
	f->is_signed = is_signed;
	f->name = tp_arena__text(&fmt->arena, d.name, d.name_len);
	f->type = tp_arena__text(&fmt->arena, d.type, strlen(d.type));
	if (!f->name || !f->type)
		return false;
	f->is_common = !strncmp(f->name, "common_", 7);
	describe(f, &d, fmt->long_size);
	return true;
}

static bool fields(struct tp_text *t, struct tp_format *fmt)
{
	static struct tp_field
		all[FIELDS_MAX]; /* too large for the stack of a recursion's caller */

	while (*t->p == '\t' || *t->p == '\n') {
		if (*t->p == '\n') {
			t->p++;
			continue;
		}
		if (fmt->nr_fields == FIELDS_MAX)
			return false;
		memset(&all[fmt->nr_fields], 0, sizeof(all[0]));
		if (!field(t, fmt, &all[fmt->nr_fields]))
			return false;
		fmt->nr_fields++;
	}
	fmt->fields = tp_arena__take(&fmt->arena, fmt->nr_fields * sizeof(all[0]) + 1);
	if (!fmt->fields)
		return false;
	memcpy(fmt->fields, all, fmt->nr_fields * sizeof(all[0]));
	return true;
}

const struct tp_field *tp_format__field(const struct tp_format *f, const char *name)
{
	for (u32 i = 0; i < f->nr_fields; i++) {
		if (!strcmp(f->fields[i].name, name))
			return &f->fields[i];
	}
	return NULL;
}

int tp_format__number(const struct tp_format *f, const char *name, const void *record, u32 size,
		      u64 *v)
{
	const struct tp_field *field = tp_format__field(f, name);
	const u8 *p = record;

	if (!field ||
	    (field->size != 1 && field->size != 2 && field->size != 4 && field->size != 8))
		return -ENOENT;
	if (field->offset > size || field->size > size - field->offset)
		return -EBADMSG;
	*v = 0;
	for (u32 i = 0; i < field->size; i++) {
		u32 at = field->offset + (f->big_endian ? i : field->size - 1 - i);

		*v = *v << 8 | p[at];
	}
	return 0;
}

static bool head(struct tp_text *t, struct tp_format *f)
{
	const char *name;
	unsigned long id;
	size_t n;
	char *end;

	if (!tp_text__take(t, "name: "))
		return false;
	n = tp_text__word(t, &name);
	if (!n || !tp_text__take(t, "\nID: ") || !isdigit((unsigned char)*t->p))
		return false;
	id = strtoul(t->p, &end, 10);
	t->p = end;
	f->id = id;
	f->name = tp_arena__text(&f->arena, name, n);
	return f->name && id <= INT32_MAX && tp_text__take(t, "\nformat:\n");
}

struct tp_format *tp_format__parse(const char *system, const char *text, size_t size,
				   bool big_endian, int long_size)
{
	struct tp_format *f = calloc(1, sizeof(*f));
	char *copy = memchr(text, '\0', size) ? NULL : strndup(text, size);
	struct tp_text t = {.p = copy};

	if (!f || !copy) {
		free(f);
		free(copy);
		errno = f ? EINVAL : ENOMEM;
		return NULL;
	}
	f->big_endian = big_endian;
	f->long_size = long_size;
	f->system = tp_arena__text(&f->arena, system, strlen(system));
	if (!f->system || !head(&t, f) || !fields(&t, f) || !tp_text__take(&t, "print fmt: ")) {
		free(copy);
		tp_format__delete(f);
		errno = EINVAL;
		return NULL;
	}
	t.f = f;
	tp_parse__print(&t);
	free(copy);
	return f;
}

void tp_format__delete(struct tp_format *f)
{
	struct tp_arena *a, *next;

	if (!f)
		return;
	for (a = f->arena; a; a = next) {
		next = a->next;
		free(a);
	}
	free(f);
}
