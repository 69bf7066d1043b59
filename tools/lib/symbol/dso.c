// SPDX-License-Identifier: GPL-2.0-only
/* One dso: headers, symbols, addresses. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/symbol/dso-internal.h"

void build_id__hex(const struct build_id *id, char *buf)
{
	static const char digits[] = "0123456789abcdef";

	for (u8 i = 0; i < id->size && i < sizeof(id->data); i++) {
		*buf++ = digits[id->data[i] >> 4];
		*buf++ = digits[id->data[i] & 15];
	}
	*buf = 0;
}

const char *dso__name(const struct dso *d)
{
	return d->path;
}

const char *dso__short_name(const struct dso *d)
{
	return d->short_name;
}

enum dso_kind dso__kind(const struct dso *d)
{
	return d->kind;
}

const char *dso__load_error(const struct dso *d)
{
	return d->error;
}

const char *dso__debug_path(const struct dso *d)
{
	return d->debug_path;
}

static void take_headers(struct dso *d, const struct elf_image *e)
{
	const struct elf_phdr *ph;
	u32 nr;

	if (d->headers == LOADED)
		return;
	d->headers = LOADED;
	ph = elf_image__phdrs(e, &nr);
	d->machine = elf_image__machine(e);
	d->elf_type = elf_image__type(e);
	d->load = calloc(nr + 1, sizeof(*d->load));
	for (u32 i = 0; d->load && i < nr; i++)
		if (ph[i].type == PT_LOAD && ph[i].filesz)
			d->load[d->nr_load++] = ph[i];
	if (!d->build_id.size && !elf_image__build_id(e, &d->build_id))
		d->build_id_read = true;
}

/* The image of the file itself: *@fd is to be closed after it, -1 for memory. */
static struct elf_image *open_image(struct dso *d, int *fd)
{
	struct elf_image *e;

	*fd = -1;
	if (d->kind == DSO_VDSO) {
		const void *mem;
		u64 size;

		*fd = dso__open_recorded(d);
		if (*fd >= 0) {
			e = elf_image__open_fd(*fd);
			if (e)
				return e;
			close(*fd);
			*fd = -1;
		}
		if (d->dsos->conf.foreign || (d->end && d->end <= UINT32_MAX)) {
			errno = ENOENT; /* another kernel's, or a 32-bit process's */
			dso__fail(d, -ENOENT, "%s: no image of it here", d->path);
			return NULL;
		}
		mem = vdso__image(&size);
		e = mem ? elf_image__open_mem(mem, size) : NULL;
		if (!e)
			dso__fail(d, -ENOENT, "%s: no image of it here", d->path);
		return e;
	}
	*fd = dso__open_file(d);
	if (*fd < 0) {
		errno = -*fd;
		return NULL;
	}
	e = elf_image__open_fd(*fd);
	if (!e) {
		int err = errno;

		dso__fail(d, -err, "%s: %s", d->path,
			  err == EINVAL ? "not an ELF file" : "damaged ELF headers");
		close(*fd);
		errno = err;
	}
	return e;
}

static int load_headers(struct dso *d)
{
	struct elf_image *e;
	int fd;

	if (d->headers != NOT_LOADED)
		return d->headers == LOADED ? 0 : -ENOENT;
	d->headers = LOAD_FAILED;
	if (d->kind != DSO_USER && d->kind != DSO_VDSO)
		return -ENOENT;
	e = open_image(d, &fd);
	if (!e)
		return -errno;
	take_headers(d, e);
	elf_image__close(e);
	if (fd >= 0)
		close(fd);
	return 0;
}

/* Symbols of the separate debug file: the number, or -errno. */
static int add_debug_file(struct dso *d, const struct elf_image *e, struct symtab *st)
{
	struct elf_image *de;
	char *path = NULL;
	int fd, n;

	fd = debugfile__open(d, e, &path);
	if (fd < 0)
		return fd;
	de = elf_image__open_fd(fd);
	n = de ? elf_symbols__add(de, st, SYMS_STATIC) : -errno;
	elf_image__close(de);
	close(fd);
	if (n > 0) {
		free(d->debug_path);
		d->debug_path = path;
	} else {
		free(path);
	}
	return n;
}

static int add_minidebug(const struct elf_image *e, struct symtab *st)
{
	struct elf_image *me;
	void *data;
	u64 size;
	int n;

	data = debugfile__minidebug(e, &size);
	if (!data)
		return -errno;
	me = elf_image__open_mem(data, size);
	n = me ? elf_symbols__add(me, st, SYMS_STATIC) : -errno;
	elf_image__close(me);
	free(data);
	return n;
}

static int load_elf(struct dso *d)
{
	struct symtab_range *ranges;
	struct elf_image *e;
	struct symtab *st;
	u32 nr_ranges;
	int fd, n, err;

	e = open_image(d, &fd);
	if (!e)
		return -errno;
	if (!d->file)
		take_headers(d, e);
	st = symtab__new();
	err = st ? 0 : -ENOMEM;
	if (!err) {
		n = elf_symbols__add(e, st, SYMS_STATIC);
		if (n <= 0)
			n = add_debug_file(d, e, st);
		if (n <= 0) {
			int dyn = elf_symbols__add(e, st, SYMS_DYNAMIC);

			n = add_minidebug(e, st);
			if (dyn < 0 && n < 0)
				dso__fail(d, dyn, "%s: damaged symbol table", d->path);
		}
		elf_plt__add(e, st);
		ranges = elf_symbols__ranges(e, &nr_ranges);
		err = symtab__finish(st, ranges, ranges ? nr_ranges : 0,
				     d->dsos->conf.no_demangle ? SYMTAB_NO_DEMANGLE : 0);
		free(ranges);
	}
	elf_image__close(e);
	if (fd >= 0)
		close(fd);
	if (err) {
		symtab__delete(st);
		return err;
	}
	if (!symtab__nr(st) && !d->error)
		dso__fail(d, 0, "%s: no symbols", d->path);
	d->st = st;
	return 0;
}

int dso__load(struct dso *d)
{
	int err = -ENOENT;

	if (d->symbols != NOT_LOADED)
		return d->symbols == LOADED ? 0 : -ENOENT;
	d->symbols = LOAD_FAILED;
	switch (d->kind) {
	case DSO_USER:
	case DSO_VDSO:
		err = load_elf(d);
		if (d->headers == NOT_LOADED)
			d->headers = LOAD_FAILED;
		dso__close_loaded(d);
		break;
	case DSO_JIT:
		err = jit_map__load(d);
		break;
	default:
		err = d->st ? 0 : -ENOENT; /* the machine puts the kernel's symbols in */
		break;
	}
	if (!err)
		d->symbols = LOADED;
	return err;
}

const struct symbol *dso__find_symbol(struct dso *d, u64 addr)
{
	const struct symbol *s;

	d->used = true;
	if (unlikely(d->symbols == NOT_LOADED))
		dso__load(d);
	s = d->st ? symtab__find(d->st, addr) : NULL;
	if (!s && d->kind == DSO_JIT && !jit_map__reload(d))
		s = symtab__find(d->st, addr);
	return s;
}

const struct symbol *dso__find_symbol_by_name(struct dso *d, const char *name)
{
	d->used = true;
	if (d->symbols == NOT_LOADED)
		dso__load(d);
	return d->st ? symtab__find_name(d->st, name) : NULL;
}

u32 dso__nr_symbols(struct dso *d)
{
	if (d->symbols == NOT_LOADED)
		dso__load(d);
	return d->st ? symtab__nr(d->st) : 0;
}

const struct symbol *dso__symbol_at(struct dso *d, u32 i)
{
	d->used = true;
	return d->st ? symtab__at(d->st, i) : NULL;
}

int dso__build_id(struct dso *d, struct build_id *id)
{
	if (!d->build_id.size)
		load_headers(d);
	*id = d->build_id;
	return id->size ? 0 : -ENOENT;
}

/* Code first: neighbouring segments may share a page of the file, and what is mapped executable is
 * the executable one. */
static const struct elf_phdr *segment_of_offset(const struct dso *d, u64 off)
{
	const struct elf_phdr *any = NULL;

	for (u32 i = 0; i < d->nr_load; i++) {
		const struct elf_phdr *p = &d->load[i];

		if (off - p->offset >= p->filesz || off < p->offset)
			continue;
		if (p->flags & PF_X)
			return p;
		if (!any)
			any = p;
	}
	if (any)
		return any;
	/* a mapping starts and ends on pages: the bytes around a segment belong to its map too */
	for (u32 i = 0; i < d->nr_load; i++) {
		const struct elf_phdr *p = &d->load[i];
		u64 lo = p->offset & ~4095ULL, hi = (p->offset + p->filesz + 4095) & ~4095ULL;

		if (off < lo || off >= hi)
			continue;
		if (p->flags & PF_X)
			return p;
		if (!any)
			any = p;
	}
	return any;
}

u64 dso__file_offset_to_addr(struct dso *d, u64 off)
{
	const struct elf_phdr *p;

	if (d->kind != DSO_USER && d->kind != DSO_VDSO)
		return off;
	if (unlikely(d->headers == NOT_LOADED))
		load_headers(d);
	p = segment_of_offset(d, off);
	return p ? off - p->offset + p->vaddr : off;
}

u64 dso__addr_to_file_offset(struct dso *d, u64 addr)
{
	if (d->kind != DSO_USER && d->kind != DSO_VDSO)
		return addr;
	if (unlikely(d->headers == NOT_LOADED))
		load_headers(d);
	for (u32 i = 0; i < d->nr_load; i++) {
		const struct elf_phdr *p = &d->load[i];

		if (addr >= p->vaddr && addr - p->vaddr < p->filesz)
			return addr - p->vaddr + p->offset;
	}
	return addr;
}

int dso__load_file(struct dso *d, const char *path)
{
	int err;

	if (d->symbols == LOADED)
		return -EEXIST;
	d->file = strdup(path);
	if (!d->file)
		return -ENOMEM;
	err = load_elf(d);
	d->symbols = err ? LOAD_FAILED : LOADED;
	return err;
}

int dso__set_symtab(struct dso *d, struct symtab *st)
{
	if (d->st)
		return -EEXIST;
	d->st = st;
	d->symbols = LOADED;
	return 0;
}

int dso__elf_machine(struct dso *d)
{
	if (d->headers == NOT_LOADED)
		load_headers(d);
	return d->headers == LOADED ? d->machine : 0;
}
