// SPDX-License-Identifier: GPL-2.0-only
/* Tracing data of a perf.data file: the formats in it. See tep.h for the layout. */
#include <endian.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "session/tep.h"
#include "session/tp-format.h"

/* A format file of more than this is none; the kernel's largest has about 60 KB. */
#define TEP_FORMAT_MAX (1024 * 1024)

struct printk {
	u64 addr;
	const char *text;
};

struct event {
	u32 id;
	struct tp_format *format;
	UT_hash_handle hh;
};

struct tep_formats {
	struct event *events; /* by id */
	bool big_endian;
	int long_size;
	unsigned int failed;
	const char *truncated;
	struct printk *printks; /* sorted by address */
	unsigned int nr_printks;
	char *printk_text; /* what they point into */
	tep_symbol_cb find;
	void *find_ctx;
};

/* A cursor over the section; an access past the end makes it bad and gives zeroes. */
struct cursor {
	const char *p, *end;
	bool big_endian, bad;
};

struct tep_formats *tep_formats__new(bool big_endian, int long_size)
{
	struct tep_formats *f = calloc(1, sizeof(*f));

	if (!f)
		return NULL;
	f->big_endian = big_endian;
	f->long_size = long_size;
	return f;
}

void tep_formats__delete(struct tep_formats *f)
{
	struct event *e, *tmp;

	if (!f)
		return;
	HASH_ITER (hh, f->events, e, tmp) {
		HASH_DEL(f->events, e);
		tp_format__delete(e->format);
		free(e);
	}
	free(f->printks);
	free(f->printk_text);
	free(f);
}

int tep_formats__add(struct tep_formats *f, const char *system, const char *text, size_t size)
{
	struct event *e = calloc(1, sizeof(*e)), *there;

	if (!e)
		return -ENOMEM;
	e->format = size <= TEP_FORMAT_MAX
			    ? tp_format__parse(system, text, size, f->big_endian, f->long_size)
			    : NULL;
	if (!e->format) {
		free(e);
		f->failed++;
		return -EINVAL;
	}
	e->id = e->format->id;
	HASH_FIND(hh, f->events, &e->id, sizeof(e->id), there);
	if (there) {
		tp_format__delete(e->format);
		free(e);
		return -EEXIST;
	}
	HASH_ADD(hh, f->events, id, sizeof(e->id), e);
	return 0;
}

const struct tp_format *tep_formats__find(const struct tep_formats *f, u64 id)
{
	struct event *e;
	u32 key = id;

	if (!f || id > INT32_MAX)
		return NULL;
	HASH_FIND(hh, f->events, &key, sizeof(key), e);
	return e ? e->format : NULL;
}

const char *tep_formats__truncated(const struct tep_formats *f)
{
	return f->truncated;
}

unsigned int tep_formats__failed(const struct tep_formats *f)
{
	return f->failed;
}

void tep_formats__set_resolver(struct tep_formats *f, tep_symbol_cb find, void *ctx)
{
	f->find = find;
	f->find_ctx = ctx;
}

const char *tep_formats__symbol(const struct tep_formats *f, u64 addr, u64 *start)
{
	return f && f->find ? f->find(f->find_ctx, addr, start) : NULL;
}

static const char *take(struct cursor *c, u64 n)
{
	const char *p = c->p;

	if (c->bad || n > (u64)(c->end - c->p)) {
		c->bad = true;
		return NULL;
	}
	c->p += n;
	return p;
}

static u32 take_u32(struct cursor *c)
{
	const char *p = take(c, 4);
	u32 v = 0;

	if (p)
		memcpy(&v, p, 4);
	return c->big_endian ? be32toh(v) : le32toh(v);
}

static u64 take_u64(struct cursor *c)
{
	const char *p = take(c, 8);
	u64 v = 0;

	if (p)
		memcpy(&v, p, 8);
	return c->big_endian ? be64toh(v) : le64toh(v);
}

static const char *take_string(struct cursor *c)
{
	const char *nul = c->bad ? NULL : memchr(c->p, '\0', c->end - c->p);

	return nul ? take(c, nul + 1 - c->p) : take(c, UINT64_MAX);
}

static void read_formats(struct tep_formats *f, struct cursor *c, const char *system)
{
	u32 n = take_u32(c);

	for (u32 i = 0; i < n && !c->bad; i++) {
		u64 size = take_u64(c);
		const char *text = take(c, size);

		if (text)
			tep_formats__add(f, system, text, size);
	}
}

static int cmp_printk(const void *a, const void *b)
{
	const struct printk *x = a, *y = b;

	return x->addr < y->addr ? -1 : x->addr > y->addr;
}

/* Quotes and one "\n" at the end are no part of the text. */
static char *trim_printk(char *s)
{
	size_t n;

	if (*s == ' ')
		s++;
	if (*s == '"')
		s++;
	n = strlen(s);
	if (n && s[n - 1] == '"')
		s[--n] = '\0';
	if (n >= 2 && !strcmp(s + n - 2, "\\n"))
		s[n - 2] = '\0';
	return s;
}

/* Lines `0xADDR : "text"`. */
static void add_printks(struct tep_formats *f, char *text)
{
	unsigned int lines = 1;
	char *save, *line;

	for (char *p = text; *p; p++)
		lines += *p == '\n';
	f->printks = calloc(lines, sizeof(*f->printks));
	if (!f->printks)
		return;
	for (line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		char *colon = strchr(line, ':');
		struct printk *p;

		if (!colon)
			continue;
		p = &f->printks[f->nr_printks++];
		p->addr = strtoull(line, NULL, 16);
		p->text = trim_printk(colon + 1);
	}
	qsort(f->printks, f->nr_printks, sizeof(*f->printks), cmp_printk);
}

const char *tep_formats__printk(const struct tep_formats *f, u64 addr)
{
	struct printk key = {.addr = addr}, *p;

	if (!f || !f->nr_printks)
		return NULL;
	p = bsearch(&key, f->printks, f->nr_printks, sizeof(key), cmp_printk);
	return p ? p->text : NULL;
}

static void read_printk(struct tep_formats *f, struct cursor *c)
{
	u32 size = take_u32(c);
	const char *text = take(c, size);

	if (!text)
		return;
	f->printk_text = strndup(text, size);
	if (f->printk_text)
		add_printks(f, f->printk_text);
}

static void read_body(struct tep_formats *f, struct cursor *c)
{
	const char *name = take_string(c);
	u32 systems;

	if (!name || strcmp(name, "header_page")) {
		f->truncated = "no header_page";
		return;
	}
	take(c, take_u64(c)); /* of the ring buffer that perf does not read */
	name = take_string(c);
	if (!name || strcmp(name, "header_event")) {
		f->truncated = "no header_event";
		return;
	}
	take(c, take_u64(c));
	read_formats(f, c, "ftrace");
	systems = take_u32(c);
	for (u32 i = 0; i < systems && !c->bad; i++) {
		name = take_string(c);
		if (name)
			read_formats(f, c, name);
	}
	/* kallsyms: never written since Linux 3.x, and the session's own symbols are used. */
	take(c, take_u32(c));
	read_printk(f, c);
	if (c->bad)
		f->truncated = "it ends early";
}

struct tep_formats *tep_formats__parse(const void *data, size_t size, struct errbuf *eb)
{
	static const char magic[] = "\x17\x08\x44tracing";
	struct cursor c = {.p = data, .end = (const char *)data + size};
	const char *head = take(&c, sizeof(magic) - 1), *flags;
	struct tep_formats *f;
	int long_size;

	if (!head || memcmp(head, magic, sizeof(magic) - 1) || !take_string(&c)) {
		errbuf__set(eb, -EINVAL, "tracing data: not what perf record writes (bad magic)");
		return NULL;
	}
	flags = take(&c, 2);
	if (!flags || (flags[1] != 4 && flags[1] != 8) || (u8)flags[0] > 1) {
		errbuf__set(eb, -EINVAL, "tracing data: byte order or size of a long is missing");
		return NULL;
	}
	c.big_endian = flags[0];
	long_size = flags[1];
	f = tep_formats__new(c.big_endian, long_size);
	if (!f) {
		errbuf__set(eb, -ENOMEM, "tracing data: no memory");
		return NULL;
	}
	take_u32(&c); /* page size */
	read_body(f, &c);
	return f;
}
