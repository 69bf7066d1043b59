// SPDX-License-Identifier: GPL-2.0-only
/* Loading and indexing unwind tables. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/symbol/dso-internal.h"
#include "lib/symbol/unwind-tables.h"

#define MAX_SECTION (512u << 20)
/* Where .debug_frame's rewritten form lies: no file has anything there. */
#define FAKE_BASE (1ULL << 60)
#define PAGE 4096

/* DW_EH_PE_*: how a pointer is written. */
enum {
	PE_ABS = 0x00,
	PE_UDATA2 = 0x02,
	PE_UDATA4 = 0x03,
	PE_UDATA8 = 0x04,
	PE_SDATA2 = 0x0a,
	PE_SDATA4 = 0x0b,
	PE_SDATA8 = 0x0c,
	PE_PCREL = 0x10,
	PE_DATAREL = 0x30,
	PE_OMIT = 0xff,
};

struct region {
	u64 addr, size;
	u8 *data;
};

struct fde_index {
	u64 start, fde;
};

/* FDEs by address, where no header of the file has them sorted. */
struct fde_table {
	struct fde_index *e;
	u32 nr, cap;
};

struct unwind_tables {
	struct dso *dso;
	struct region hdr, frame;
	u64 hdr_table, hdr_count; /* offset of the sorted table in hdr; 0 entries: none */
	struct fde_table index;	  /* when there is no usable .eh_frame_hdr */
	struct region debug;	  /* .debug_frame rewritten */
	struct fde_table debug_index;
	bool is64, debug_tried;
	/* the rest of the file, a page at a time */
	int fd;
	struct elf_image *e;
	u64 page_addr;
	u32 page_len;
	u8 page[PAGE];
};

struct cursor {
	const u8 *p, *end;
	bool bad;
};

static u64 get_fixed(struct cursor *c, u32 n)
{
	u64 v = 0;

	if ((size_t)(c->end - c->p) < n) {
		c->bad = true;
		c->p = c->end;
		return 0;
	}
	memcpy(&v, c->p, n); /* host is little-endian, as are all files unwound here */
	c->p += n;
	return v;
}

static u64 get_uleb(struct cursor *c)
{
	u64 v = 0;

	for (u32 shift = 0; c->p < c->end; shift += 7) {
		u8 b = *c->p++;

		if (shift < 64)
			v |= (u64)(b & 0x7f) << shift;
		if (!(b & 0x80))
			return v;
	}
	c->bad = true;
	return 0;
}

static void skip_leb(struct cursor *c)
{
	get_uleb(c);
}

/* A pointer in encoding @enc at run of @r, or 0 with c->bad for what is not supported. */
static u64 get_encoded(struct cursor *c, u8 enc, const struct region *r, bool is64)
{
	u64 at = r->addr + (u64)(c->p - r->data), v;

	switch (enc & 0x0f) {
	case PE_ABS:
		v = get_fixed(c, is64 ? 8 : 4);
		break;
	case PE_UDATA2:
		v = get_fixed(c, 2);
		break;
	case PE_UDATA4:
		v = get_fixed(c, 4);
		break;
	case PE_SDATA2:
		v = (u64)(s64)(s16)get_fixed(c, 2);
		break;
	case PE_SDATA4:
		v = (u64)(s64)(s32)get_fixed(c, 4);
		break;
	case PE_UDATA8:
	case PE_SDATA8:
		v = get_fixed(c, 8);
		break;
	default:
		c->bad = true;
		return 0;
	}
	if ((enc & 0x70) == PE_PCREL)
		v += at;
	else if (enc & 0x70)
		c->bad = true;
	return is64 ? v : (u32)v;
}

static int add_index(struct fde_table *t, u64 start, u64 fde)
{
	if (t->nr == t->cap) {
		u32 cap = t->cap ? t->cap * 2 : 256;
		struct fde_index *p = reallocarray(t->e, cap, sizeof(*p));

		if (!p)
			return -ENOMEM;
		t->e = p;
		t->cap = cap;
	}
	t->e[t->nr++] = (struct fde_index){start, fde};
	return 0;
}

static int index_cmp(const void *va, const void *vb)
{
	const struct fde_index *a = va, *b = vb;

	return a->start < b->start ? -1 : a->start > b->start;
}

static void sort_index(struct fde_table *t)
{
	if (t->nr)
		qsort(t->e, t->nr, sizeof(*t->e), index_cmp);
}

/* One entry's extent: its content in *@c, id in *@id; false at the end. */
static bool next_entry(const struct region *r, u64 *off, struct cursor *c, u64 *id, u64 *start,
		       bool *is_dwarf64)
{
	struct cursor h = {r->data + *off, r->data + r->size, false};
	u64 len;

	*start = *off;
	len = get_fixed(&h, 4);
	*is_dwarf64 = len == 0xffffffff;
	if (*is_dwarf64)
		len = get_fixed(&h, 8);
	if (h.bad || !len || len > (u64)(h.end - h.p))
		return false;
	*off = (u64)(h.p - r->data) + len;
	*c = (struct cursor){h.p, h.p + len, false};
	*id = get_fixed(c, *is_dwarf64 ? 8 : 4);
	return !c->bad;
}

/* The encoding of FDE addresses that the CIE at @off asks for; PE_OMIT: not understood. */
static u8 cie_encoding(const struct region *r, u64 off)
{
	struct cursor c;
	const char *aug;
	u64 id, start;
	u8 version;
	bool d64;

	if (off >= r->size || !next_entry(r, &off, &c, &id, &start, &d64) || id)
		return PE_OMIT;
	version = (u8)get_fixed(&c, 1);
	aug = (const char *)c.p;
	while (c.p < c.end && *c.p)
		c.p++;
	get_fixed(&c, 1);
	if (c.bad)
		return PE_OMIT;
	if (version == 4)
		get_fixed(&c, 2);
	skip_leb(&c);
	skip_leb(&c);
	if (version == 1)
		get_fixed(&c, 1);
	else
		skip_leb(&c);
	if (*aug != 'z')
		return *aug ? PE_OMIT : PE_ABS;
	skip_leb(&c);
	for (aug++; *aug && !c.bad; aug++) {
		if (*aug == 'R')
			return (u8)get_fixed(&c, 1);
		if (*aug == 'L')
			get_fixed(&c, 1);
		else if (*aug == 'P')
			get_encoded(&c, (u8)get_fixed(&c, 1) & 0x7f, r, true);
		else if (*aug != 'S' && *aug != 'B')
			return PE_OMIT;
	}
	return c.bad ? PE_OMIT : PE_ABS;
}

/* No .eh_frame_hdr: all of .eh_frame is read once. */
static int index_eh_frame(struct unwind_tables *t)
{
	u64 off = 0, id, start, last_cie = UINT64_MAX;
	struct cursor c;
	u8 enc = PE_OMIT;
	int err = 0;
	bool d64;

	while (off < t->frame.size && !err && next_entry(&t->frame, &off, &c, &id, &start, &d64)) {
		u64 at = (u64)(c.p - t->frame.data) - (d64 ? 8 : 4), pc;

		if (!id || id > at)
			continue;
		if (at - id != last_cie) {
			last_cie = at - id;
			enc = cie_encoding(&t->frame, last_cie);
		}
		if (enc == PE_OMIT)
			continue;
		pc = get_encoded(&c, enc & 0x7f, &t->frame, t->is64);
		if (!c.bad)
			err = add_index(&t->index, pc, t->frame.addr + start);
	}
	sort_index(&t->index);
	return err;
}

struct buffer {
	u8 *data;
	size_t len, cap;
	bool failed;
};

static void put(struct buffer *b, const void *p, size_t n)
{
	if (b->failed)
		return;
	if (b->len + n > b->cap) {
		size_t cap = (b->len + n) * 2;
		u8 *q = cap <= MAX_SECTION ? realloc(b->data, cap) : NULL;

		if (!q) {
			b->failed = true;
			return;
		}
		b->data = q;
		b->cap = cap;
	}
	memcpy(b->data + b->len, p, n);
	b->len += n;
}

static void put_fixed(struct buffer *b, u64 v, size_t n)
{
	put(b, &v, n);
}

/* Ends the entry begun at @start: pads it and fills in its length. */
static void end_entry(struct buffer *b, size_t start)
{
	u32 len;

	while (!b->failed && (b->len - start) & 7)
		put_fixed(b, 0, 1); /* DW_CFA_nop */
	if (b->failed)
		return;
	len = (u32)(b->len - start - 4);
	memcpy(b->data + start, &len, 4);
}

/* A CIE of .debug_frame as one of .eh_frame with "zR". Returns where it stands, or SIZE_MAX. */
static size_t convert_cie(struct buffer *b, struct cursor c)
{
	size_t start = b->len;
	const u8 *leb;
	u8 version = (u8)get_fixed(&c, 1);

	if (get_fixed(&c, 1)) /* an augmentation: there is none in .debug_frame that we know */
		return SIZE_MAX;
	if (version == 4)
		get_fixed(&c, 2);
	leb = c.p;
	skip_leb(&c);
	skip_leb(&c);
	if (version == 1)
		get_fixed(&c, 1);
	else
		skip_leb(&c);
	if (c.bad)
		return SIZE_MAX;
	put_fixed(b, 0, 8); /* length, id 0 */
	put_fixed(b, version == 1 ? 1 : 3, 1);
	put(b, "zR", 3);
	put(b, leb, (size_t)(c.p - leb));
	put_fixed(b, 1, 1);
	put_fixed(b, PE_PCREL | PE_SDATA8, 1);
	put(b, c.p, (size_t)(c.end - c.p));
	end_entry(b, start);
	return b->failed ? SIZE_MAX : start;
}

static int convert_fde(struct unwind_tables *t, struct buffer *b, struct cursor c, size_t cie,
		       u64 pc)
{
	size_t start = b->len;
	u64 range = get_fixed(&c, t->is64 ? 8 : 4);

	if (c.bad)
		return 0;
	put_fixed(b, 0, 4);
	put_fixed(b, b->len - cie, 4);
	put_fixed(b, pc - (FAKE_BASE + b->len), 8);
	put_fixed(b, range, 8);
	put_fixed(b, 0, 1);
	put(b, c.p, (size_t)(c.end - c.p));
	end_entry(b, start);
	return b->failed ? -ENOMEM : add_index(&t->debug_index, pc, FAKE_BASE + start);
}

static int convert_debug_frame(struct unwind_tables *t, const struct region *r)
{
	u64 off = 0, id, start, last_cie = UINT64_MAX;
	size_t cie = SIZE_MAX;
	struct buffer b = {};
	struct cursor c;
	int err = 0;
	bool d64;

	while (off < r->size && !err && next_entry(r, &off, &c, &id, &start, &d64)) {
		struct cursor cc;
		u64 cid, cstart, coff = id, pc;
		bool cd64;

		if (id == (d64 ? UINT64_MAX : UINT32_MAX))
			continue;
		if (id != last_cie) {
			last_cie = id;
			cie = SIZE_MAX;
			if (coff < r->size && next_entry(r, &coff, &cc, &cid, &cstart, &cd64) &&
			    cid == (cd64 ? UINT64_MAX : UINT32_MAX))
				cie = convert_cie(&b, cc);
		}
		if (cie == SIZE_MAX)
			continue;
		pc = get_fixed(&c, t->is64 ? 8 : 4);
		err = convert_fde(t, &b, c, cie, pc);
	}
	sort_index(&t->debug_index);
	t->debug = (struct region){FAKE_BASE, b.len, b.data};
	return err;
}

static int load_region(const struct elf_image *e, u64 addr, u64 off, u64 size, struct region *r)
{
	int err;

	if (!size || size > MAX_SECTION)
		return -ENOENT;
	r->data = malloc(size);
	if (!r->data)
		return -ENOMEM;
	err = elf_image__read(e, off, r->data, size);
	if (err) {
		free(r->data);
		r->data = NULL;
		return err;
	}
	r->addr = addr;
	r->size = size;
	return 0;
}

static int load_section(const struct elf_image *e, const char *name, struct region *r)
{
	const struct elf_shdr *sh = elf_image__section(e, name);

	if (!sh || sh->type == SHT_NOBITS)
		return -ENOENT;
	r->data = elf_image__read_contents(e, sh, MAX_SECTION, &r->size);
	r->addr = sh->addr;
	return r->data ? 0 : -errno;
}

static const struct elf_phdr *segment_at(const struct elf_image *e, u64 addr)
{
	const struct elf_phdr *ph;
	u32 nr;

	ph = elf_image__phdrs(e, &nr);
	for (u32 i = 0; i < nr; i++)
		if (ph[i].type == PT_LOAD && addr >= ph[i].vaddr &&
		    addr - ph[i].vaddr < ph[i].filesz)
			return &ph[i];
	return NULL;
}

/* .eh_frame_hdr by its program header; leads to .eh_frame also where section headers are gone. */
static int load_hdr(struct unwind_tables *t, const struct elf_image *e)
{
	const struct elf_phdr *ph, *seg;
	struct cursor c;
	u8 enc[4];
	u64 frame, count;
	u32 nr, i;
	int err;

	ph = elf_image__phdrs(e, &nr);
	for (i = 0; i < nr; i++)
		if (ph[i].type == PT_GNU_EH_FRAME)
			break;
	if (i == nr)
		return -ENOENT;
	err = load_region(e, ph[i].vaddr, ph[i].offset, ph[i].filesz, &t->hdr);
	if (err)
		return err;
	c = (struct cursor){t->hdr.data, t->hdr.data + t->hdr.size, false};
	for (u32 k = 0; k < 4; k++)
		enc[k] = (u8)get_fixed(&c, 1);
	frame = get_encoded(&c, enc[1], &t->hdr, t->is64);
	count = get_encoded(&c, enc[2], &t->hdr, t->is64);
	if (c.bad || enc[0] != 1)
		return -EBADMSG;
	if (load_section(e, ".eh_frame", &t->frame)) {
		seg = segment_at(e, frame);
		if (!seg)
			return -EBADMSG;
		err = load_region(e, frame, frame - seg->vaddr + seg->offset,
				  seg->filesz - (frame - seg->vaddr), &t->frame);
		if (err)
			return err;
	}
	if (enc[3] != (PE_DATAREL | PE_SDATA4) || !count ||
	    count > (u64)(c.end - c.p) / (2 * sizeof(s32)))
		return -EBADMSG;
	t->hdr_table = (u64)(c.p - t->hdr.data);
	t->hdr_count = count;
	return 0;
}

static void load_debug_frame(struct unwind_tables *t)
{
	struct region r = {};
	struct elf_image *e = NULL;
	char *path = NULL;
	int fd = -1;

	if (load_section(t->e, ".debug_frame", &r)) {
		fd = debugfile__open(t->dso, t->e, &path);
		e = fd >= 0 ? elf_image__open_fd(fd) : NULL;
		if (!e || load_section(e, ".debug_frame", &r))
			r.data = NULL;
	}
	if (r.data)
		convert_debug_frame(t, &r);
	free(r.data);
	elf_image__close(e);
	if (fd >= 0)
		close(fd);
	free(path);
}

struct unwind_tables *unwind_tables__load(struct dso *d)
{
	struct unwind_tables *t = calloc(1, sizeof(*t));
	const void *mem;
	u64 size;

	if (!t)
		return NULL;
	t->dso = d;
	t->fd = -1;
	t->page_addr = UINT64_MAX;
	if (d->kind == DSO_VDSO) {
		t->fd = dso__open_recorded(d);
		mem = t->fd >= 0 || d->dsos->conf.foreign || (d->end && d->end <= UINT32_MAX)
			      ? NULL
			      : vdso__image(&size);
		t->e = mem ? elf_image__open_mem(mem, size) : NULL;
	} else if (d->kind == DSO_USER) {
		t->fd = dso__open_file(d);
	}
	if (t->fd >= 0)
		t->e = elf_image__open_fd(t->fd);
	if (!t->e || elf_image__swapped(t->e))
		return t;
	t->is64 = elf_image__is64(t->e);
	if (load_hdr(t, t->e) && (t->frame.data || !load_section(t->e, ".eh_frame", &t->frame)))
		index_eh_frame(t);
	return t;
}

void unwind_tables__delete(struct unwind_tables *t)
{
	if (!t)
		return;
	elf_image__close(t->e);
	if (t->fd >= 0)
		close(t->fd);
	free(t->hdr.data);
	free(t->frame.data);
	free(t->index.e);
	free(t->debug.data);
	free(t->debug_index.e);
	free(t);
}

static s32 hdr_value(const struct unwind_tables *t, u64 i, u32 which)
{
	s32 v;

	memcpy(&v, t->hdr.data + t->hdr_table + i * 8 + which * 4, sizeof(v));
	return v;
}

static int find_index(const struct fde_table *t, u64 addr, u64 *fde)
{
	u32 lo = 0, hi = t->nr;

	while (lo < hi) {
		u32 mid = lo + (hi - lo) / 2;

		if (t->e[mid].start <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (!lo)
		return -ENOENT;
	*fde = t->e[lo - 1].fde;
	return 0;
}

int unwind_tables__find(const struct unwind_tables *t, u64 addr, u64 *fde)
{
	u64 lo = 0, hi = t->hdr_count;

	if (!hi)
		return find_index(&t->index, addr, fde);
	while (lo < hi) {
		u64 mid = lo + (hi - lo) / 2;

		if (t->hdr.addr + (u64)(s64)hdr_value(t, mid, 0) <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (!lo)
		return -ENOENT;
	*fde = t->hdr.addr + (u64)(s64)hdr_value(t, lo - 1, 1);
	return 0;
}

int unwind_tables__find_debug(struct unwind_tables *t, u64 addr, u64 *fde)
{
	if (!t->debug_tried) {
		t->debug_tried = true;
		if (t->e && !elf_image__swapped(t->e))
			load_debug_frame(t);
	}
	return find_index(&t->debug_index, addr, fde);
}

static bool read_region(const struct region *r, u64 addr, void *buf, u32 n)
{
	if (!r->data || addr < r->addr || addr - r->addr >= r->size ||
	    n > r->size - (addr - r->addr))
		return false;
	memcpy(buf, r->data + (addr - r->addr), n);
	return true;
}

int unwind_tables__read(struct unwind_tables *t, u64 addr, void *buf, u32 n)
{
	const struct elf_phdr *seg;
	u64 off;

	if (read_region(&t->frame, addr, buf, n) || read_region(&t->hdr, addr, buf, n) ||
	    read_region(&t->debug, addr, buf, n))
		return 0;
	if (addr - t->page_addr < t->page_len && n <= t->page_len - (addr - t->page_addr)) {
		memcpy(buf, t->page + (addr - t->page_addr), n);
		return 0;
	}
	seg = t->e ? segment_at(t->e, addr) : NULL;
	if (!seg || n > seg->filesz - (addr - seg->vaddr))
		return -EFAULT;
	if (seg->flags & PF_W) {
		/* What is in memory there is not in the file. Only pointers to personality routines
		 * are fetched from such places, and nobody calls them here. */
		memset(buf, 0, n);
		return 0;
	}
	off = addr - seg->vaddr;
	t->page_len = (u32)min_t(u64, PAGE, seg->filesz - off);
	if (elf_image__read(t->e, seg->offset + off, t->page, t->page_len)) {
		t->page_len = 0;
		return -EFAULT;
	}
	t->page_addr = addr;
	memcpy(buf, t->page, n);
	return 0;
}
