// SPDX-License-Identifier: GPL-2.0-only
/* Sorted symbol tables. */
#include <ctype.h>
#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/symbol/demangle.h"
#include "lib/symbol/symtab.h"

enum { SYM_SHOWN = 1 }; /* symbol.priv: its name is ready to be shown */

#define NAME_CHUNK 65536
#define NO_OUTER UINT32_MAX

struct symtab {
	struct symbol *syms;
	u32 nr, cap;
	/* outer[i]: the nearest earlier symbol that reaches over symbol i's start; NULL when no two
	 * symbols overlap, as in most files. */
	u32 *outer;
	void **blocks;
	u32 nr_blocks, cap_blocks;
	char *chunk; /* where copied names go */
	size_t chunk_left;
	bool no_demangle;
	struct symtab *old;

	/* A table that is asked often gets an index: page[i] is the number of symbols that start
	 * before page i. */
	u32 *page;
	u32 nr_pages, page_shift;
	u32 asked;
};

#define ASKED_OFTEN 256 /* look-ups after which the index pays */

struct symtab *symtab__new(void)
{
	return calloc(1, sizeof(struct symtab));
}

void symtab__delete(struct symtab *st)
{
	if (!st)
		return;
	symtab__delete(st->old);
	for (u32 i = 0; i < st->nr_blocks; i++)
		free(st->blocks[i]);
	free(st->blocks);
	free(st->page);
	free(st->outer);
	free(st->syms);
	free(st);
}

int symtab__own(struct symtab *st, void *block)
{
	if (!block)
		return 0;
	if (st->nr_blocks == st->cap_blocks) {
		u32 cap = st->cap_blocks ? st->cap_blocks * 2 : 8;
		void **p = reallocarray(st->blocks, cap, sizeof(*p));

		if (!p) {
			free(block);
			return -ENOMEM;
		}
		st->blocks = p;
		st->cap_blocks = cap;
	}
	st->blocks[st->nr_blocks++] = block;
	return 0;
}

static char *name_space(struct symtab *st, size_t n)
{
	char *p;

	if (n > st->chunk_left) {
		size_t size = n > NAME_CHUNK / 4 ? n : NAME_CHUNK;

		p = malloc(size);
		if (symtab__own(st, p) || !p)
			return NULL;
		if (size == n)
			return p;
		st->chunk = p;
		st->chunk_left = size;
	}
	p = st->chunk;
	st->chunk += n;
	st->chunk_left -= n;
	return p;
}

const char *symtab__keep(struct symtab *st, const char *s)
{
	size_t n = strlen(s) + 1;
	char *p = name_space(st, n);

	return p ? memcpy(p, s, n) : NULL;
}

int symtab__add(struct symtab *st, u64 start, u64 size, const char *name, u8 binding, u8 type)
{
	struct symbol *s;

	if (st->nr == st->cap) {
		u32 cap = st->cap ? st->cap + st->cap / 2 : 256;
		struct symbol *p;

		if (cap < st->cap || cap == UINT32_MAX)
			return -ENOMEM;
		p = reallocarray(st->syms, cap, sizeof(*p));
		if (!p)
			return -ENOMEM;
		st->syms = p;
		st->cap = cap;
	}
	s = &st->syms[st->nr++];
	s->start = start;
	s->end = size > UINT64_MAX - start ? UINT64_MAX : start + size;
	s->name = name;
	s->binding = binding;
	s->type = type;
	s->priv = 0;
	return 0;
}

int symtab__add_copy(struct symtab *st, u64 start, u64 size, const char *name, size_t len,
		     const char *suffix, u8 binding, u8 type)
{
	size_t slen = strlen(suffix);
	char *p = name_space(st, len + slen + 1);

	if (!p)
		return -ENOMEM;
	memcpy(p, name, len);
	memcpy(p + len, suffix, slen + 1);
	return symtab__add(st, start, size, p, binding, type);
}

static int binding_rank(u8 binding)
{
	return binding == STB_LOCAL ? 2 : binding == STB_WEAK ? 1 : 0;
}

static size_t leading_underscores(const char *s)
{
	return strspn(s, "_");
}

/* name@VERSION is kept for old programs; name@@VERSION is what a new one gets. */
static bool is_old_version(const char *s)
{
	const char *at = strchr(s, '@');

	return at && at[1] != '@' && strcmp(at, "@plt");
}

/*
 * Of two names for one address, < 0 when @a is the one to show: a symbol with a size before one
 * without, functions before labels and data, global before weak before local, current before old
 * versions, fewer leading underscores, the shorter name; then by spelling, so that the choice never
 * hangs on the order in the file.
 */
static int alias_cmp(const struct symbol *a, const struct symbol *b)
{
	bool fa = a->type == STT_FUNC || a->type == STT_GNU_IFUNC;
	bool fb = b->type == STT_FUNC || b->type == STT_GNU_IFUNC;
	size_t la, lb;
	int d;

	d = (a->end == a->start) - (b->end == b->start);
	if (d)
		return d;
	if (fa != fb)
		return fa ? -1 : 1;
	d = binding_rank(a->binding) - binding_rank(b->binding);
	if (d)
		return d;
	d = is_old_version(a->name) - is_old_version(b->name);
	if (d)
		return d;
	la = leading_underscores(a->name);
	lb = leading_underscores(b->name);
	if (la != lb)
		return la < lb ? -1 : 1;
	la = strcspn(a->name, "@");
	lb = strcspn(b->name, "@");
	if (la != lb)
		return la < lb ? -1 : 1;
	return strcmp(a->name, b->name);
}

const char *symtab__raw_name(const struct symtab *st, u64 addr)
{
	const struct symbol *best = NULL;

	for (u32 i = 0; i < st->nr; i++)
		if (st->syms[i].start == addr && (!best || alias_cmp(&st->syms[i], best) < 0))
			best = &st->syms[i];
	return best ? best->name : NULL;
}

void symtab__chain(struct symtab *st, struct symtab *old)
{
	st->old = old;
}

static int start_cmp(const void *va, const void *vb)
{
	const struct symbol *a = va, *b = vb;

	return a->start < b->start ? -1 : a->start > b->start;
}

struct sort_key {
	u64 start;
	u32 at;
};

#define RADIX_BITS 11
#define RADIX (1u << RADIX_BITS)

/* By radix on the bits in which the starts differ; stable. */
static int radix_sort(struct symtab *st, u64 low, u64 range)
{
	struct sort_key *a = malloc((size_t)st->nr * sizeof(*a)), *b, *tmp;
	struct symbol *out = malloc((size_t)st->cap * sizeof(*out));
	u32 *count = malloc(RADIX * sizeof(*count));

	b = malloc((size_t)st->nr * sizeof(*b));
	if (!a || !b || !out || !count) {
		free(a);
		free(b);
		free(out);
		free(count);
		return -ENOMEM;
	}
	for (u32 i = 0; i < st->nr; i++)
		a[i] = (struct sort_key){st->syms[i].start - low, i};
	for (u32 shift = 0; shift < 64 && range >> shift; shift += RADIX_BITS) {
		u32 sum = 0;

		memset(count, 0, RADIX * sizeof(*count));
		for (u32 i = 0; i < st->nr; i++)
			count[a[i].start >> shift & (RADIX - 1)]++;
		for (u32 i = 0; i < RADIX; i++) {
			u32 n = count[i];

			count[i] = sum;
			sum += n;
		}
		for (u32 i = 0; i < st->nr; i++)
			b[count[a[i].start >> shift & (RADIX - 1)]++] = a[i];
		tmp = a;
		a = b;
		b = tmp;
	}
	for (u32 i = 0; i < st->nr; i++)
		out[i] = st->syms[a[i].at];
	free(st->syms);
	st->syms = out;
	free(a);
	free(b);
	free(count);
	return 0;
}

static void sort_by_start(struct symtab *st)
{
	u64 low = UINT64_MAX, high = 0;
	bool sorted = true;

	for (u32 i = 0; i < st->nr; i++) {
		u64 start = st->syms[i].start;

		/* kallsyms and many linkers' tables are sorted already */
		if (i && start < st->syms[i - 1].start)
			sorted = false;
		if (start < low)
			low = start;
		if (start > high)
			high = start;
	}
	if (sorted || (st->nr > 256 && !radix_sort(st, low, high - low)))
		return;
	qsort(st->syms, st->nr, sizeof(*st->syms), start_cmp);
}

/* One symbol an address: the best of each run of equal starts. */
static void drop_aliases(struct symtab *st)
{
	u32 out = 0;

	for (u32 i = 0; i < st->nr;) {
		struct symbol best = st->syms[i];
		u32 j;

		for (j = i + 1; j < st->nr && st->syms[j].start == best.start; j++)
			if (alias_cmp(&st->syms[j], &best) < 0)
				best = st->syms[j];
		st->syms[out++] = best;
		i = j;
	}
	st->nr = out;
}

/* The end of the range that holds @addr; @cur is where the last search ended (starts rise). */
static u64 range_end(const struct symtab_range *r, u32 nr, u32 *cur, u64 addr)
{
	while (*cur < nr && r[*cur].end <= addr)
		++*cur;
	return *cur < nr && r[*cur].start <= addr ? r[*cur].end : 0;
}

/* Sizeless symbols end at the next one or with their section; labels inside a function that has a
 * size go: the function is the answer there. */
static void end_sizeless(struct symtab *st, const struct symtab_range *ranges, u32 nr_ranges,
			 unsigned int flags)
{
	u64 reach = 0; /* how far sized symbols reach so far */
	u32 out = 0, cur = 0;

	for (u32 i = 0; i < st->nr; i++) {
		struct symbol s = st->syms[i];

		if (s.end != s.start) {
			if (s.end > reach)
				reach = s.end;
			st->syms[out++] = s;
			continue;
		}
		if (s.start < reach && !(flags & SYMTAB_GUESS_ENDS))
			continue;
		u64 limit = range_end(ranges, nr_ranges, &cur, s.start);

		if (i + 1 < st->nr && (!limit || st->syms[i + 1].start < limit))
			limit = st->syms[i + 1].start;
		if (!limit && (flags & SYMTAB_GUESS_ENDS))
			limit = ((s.start + 4095) & ~4095ULL) + 4096;
		if (limit <= s.start)
			continue;
		s.end = limit;
		st->syms[out++] = s;
	}
	st->nr = out;
}

/* JIT maps: the later record of overlapping ones is what runs. Symbols come in file order; their
 * rank is kept in binding's place by the order of the stable sort, so work on file order first. */
static int drop_overwritten(struct symtab *st)
{
	struct ranked {
		struct symbol s;
		u32 rank;
	} *r = malloc((size_t)st->nr * sizeof(*r) + 1);
	u32 out = 0;

	if (!r)
		return -ENOMEM;
	for (u32 i = 0; i < st->nr; i++)
		r[i] = (struct ranked){st->syms[i], i};
	qsort(r, st->nr, sizeof(*r), start_cmp);
	for (u32 i = 0; i < st->nr; i++) {
		struct ranked *c = &r[i];
		bool drop = false;

		while (out) {
			struct ranked *p = &r[out - 1];

			if (p->s.end <= c->s.start)
				break;
			if (p->rank < c->rank) { /* older: cut, or gone */
				p->s.end = c->s.start;
				if (p->s.end > p->s.start)
					break;
				out--;
				continue;
			}
			if (c->s.end <= p->s.end) {
				drop = true;
				break;
			}
			c->s.start = p->s.end;
			break;
		}
		if (!drop && c->s.end > c->s.start)
			r[out++] = *c;
	}
	for (u32 i = 0; i < out; i++)
		st->syms[i] = r[i].s;
	st->nr = out;
	free(r);
	return 0;
}

static int find_overlaps(struct symtab *st)
{
	u32 i;

	for (i = 1; i < st->nr; i++)
		if (st->syms[i - 1].end > st->syms[i].start)
			break;
	if (i >= st->nr)
		return 0;
	st->outer = malloc((size_t)st->nr * sizeof(*st->outer));
	if (!st->outer)
		return -ENOMEM;
	st->outer[0] = NO_OUTER;
	for (i = 1; i < st->nr; i++) {
		u32 o = i - 1;

		while (o != NO_OUTER && st->syms[o].end <= st->syms[i].start)
			o = st->outer[o];
		st->outer[i] = o;
	}
	return 0;
}

int symtab__finish(struct symtab *st, const struct symtab_range *ranges, u32 nr_ranges,
		   unsigned int flags)
{
	st->no_demangle = flags & SYMTAB_NO_DEMANGLE;
	free(st->page);
	st->page = NULL;
	st->asked = 0;
	if (flags & SYMTAB_LAST_WINS) {
		int err = drop_overwritten(st);

		if (err)
			return err;
	} else {
		sort_by_start(st);
		drop_aliases(st);
		end_sizeless(st, ranges, nr_ranges, flags);
	}
	if (st->nr && st->nr < st->cap) {
		struct symbol *p = reallocarray(st->syms, st->nr, sizeof(*p));

		if (p) {
			st->syms = p;
			st->cap = st->nr;
		}
	}
	return find_overlaps(st);
}

u32 symtab__nr(const struct symtab *st)
{
	return st->nr;
}

/* malloc@@GLIBC_2.2.5 -> malloc; malloc@plt stays. Returns the length to show. */
static size_t unversioned(const char *name)
{
	const char *at = strchr(name, '@');

	if (!at || at == name || !strcmp(at, "@plt"))
		return strlen(name);
	return (size_t)(at - name);
}

/* Mangled names begin with _Z, _R, __Z (Mach-O habit), ___Z; all else needs no work. */
static bool may_be_mangled(const char *s)
{
	if (s[0] != '_')
		return false;
	return s[1] == 'Z' || s[1] == 'R' || (s[1] == '_' && (s[2] == 'Z' || s[2] == '_')) ||
	       !strncmp(s, "_GLOBAL_", 8);
}

static void show_name(struct symtab *st, struct symbol *s)
{
	const char *raw = s->name;
	size_t len = unversioned(raw), n = 0;
	char buf[8192], *p;

	s->priv |= SYM_SHOWN;
	if (!st->no_demangle && may_be_mangled(raw) && len < sizeof(buf)) {
		bool plt =
			!strcmp(raw + len, "@plt") || (len > 4 && !strcmp(raw + len - 4, "@plt"));
		char tmp[8192];

		if (plt && len > 4)
			len -= 4;
		memcpy(tmp, raw, len);
		tmp[len] = 0;
		n = demangle(tmp, buf, sizeof(buf) - 8);
		if (plt) {
			if (n)
				n += (size_t)(stpcpy(buf + n, "@plt") - (buf + n));
			len += 4;
		}
	}
	if (n) {
		raw = buf;
		len = n;
	} else if (!raw[len]) {
		return; /* as it is */
	}
	p = name_space(st, len + 1);
	if (!p)
		return;
	memcpy(p, raw, len);
	p[len] = 0;
	s->name = p;
}

const struct symbol *symtab__at(struct symtab *st, u32 i)
{
	struct symbol *s;

	if (i >= st->nr)
		return NULL;
	s = &st->syms[i];
	if (!(s->priv & SYM_SHOWN))
		show_name(st, s);
	return s;
}

/* As many pages as symbols, or fewer. Without memory the table stays without its index. */
static void index_pages(struct symtab *st)
{
	const struct symbol *s = st->syms;
	u64 span = st->nr ? s[st->nr - 1].start - s[0].start : 0;
	u32 shift = 0, n = 0;

	if (st->nr < ASKED_OFTEN)
		return;
	while (span >> shift > st->nr)
		shift++;
	st->nr_pages = (span >> shift) + 1;
	st->page_shift = shift;
	st->page = malloc((st->nr_pages + 1ul) * sizeof(*st->page));
	if (!st->page)
		return;
	for (u32 i = 0; i < st->nr; i++)
		while (n <= (s[i].start - s[0].start) >> shift)
			st->page[n++] = i;
	st->page[n] = st->nr;
}

const struct symbol *symtab__find(struct symtab *st, u64 addr)
{
	const struct symbol *s = st->syms;
	u32 lo = 0, hi = st->nr;

	if (!st->page && st->asked < ASKED_OFTEN && ++st->asked == ASKED_OFTEN)
		index_pages(st);
	if (st->page && addr >= s[0].start) {
		u64 page = (addr - s[0].start) >> st->page_shift;

		if (page < st->nr_pages) {
			lo = st->page[page];
			hi = st->page[page + 1];
		} else {
			lo = hi;
		}
	}
	while (lo < hi) {
		u32 mid = lo + (hi - lo) / 2;

		if (s[mid].start <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (!lo)
		return NULL;
	for (u32 i = lo - 1; i != NO_OUTER; i = st->outer[i]) {
		if (addr < s[i].end)
			return symtab__at(st, i);
		if (!st->outer)
			break;
	}
	return NULL;
}

const struct symbol *symtab__find_name(struct symtab *st, const char *name)
{
	size_t len = strlen(name);

	for (u32 i = 0; i < st->nr; i++) {
		const char *n = st->syms[i].name;

		if (!strncmp(n, name, len) && (!n[len] || unversioned(n) == len))
			return symtab__at(st, i);
	}
	for (u32 i = 0; i < st->nr; i++)
		if (may_be_mangled(st->syms[i].name) && !strcmp(symtab__at(st, i)->name, name))
			return &st->syms[i];
	return NULL;
}
