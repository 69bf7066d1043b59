// SPDX-License-Identifier: GPL-2.0-only
/* Excerpts of ELF files. See excerpt.h. */
#include <byteswap.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "lib/symbol/dso-internal.h"
#include "lib/symbol/excerpt.h"

#define MAX_FILE (1ULL << 36)  /* a memfd is sparse: only what is in it counts */
#define MAX_RANGE (64UL << 20) /* of unwind tables */
#define MAX_NOTE 4096
#define MAX_NAMES (4UL << 20) /* of section names */
#define MAX_SECTIONS 60000

struct out {
	u8 *p;
	size_t n, cap;
	int err;
};

static void put(struct out *o, const void *data, size_t n)
{
	if (o->err)
		return;
	if (o->n + n > o->cap) {
		size_t cap = max_t(size_t, o->cap * 2, o->n + n + 4096);
		u8 *p = realloc(o->p, cap);

		if (!p) {
			o->err = -ENOMEM;
			return;
		}
		o->p = p;
		o->cap = cap;
	}
	if (n)
		memcpy(o->p + o->n, data, n);
	o->n += n;
}

static void put_range(struct out *o, u64 offset, const void *data, u32 n)
{
	put(o, &offset, sizeof(offset));
	put(o, &n, sizeof(n));
	put(o, data, n);
}

/* What the file has: its headers raw, in the host's order (it ran here). */
struct source {
	int fd;
	struct elf_image *e;
	Elf64_Ehdr eh;
	Elf64_Phdr *ph;
	Elf64_Shdr *sh; /* with two more at the end: .symtab and .strtab */
	u32 nr_sh;
};

static int read_source(struct source *s, struct dso *d)
{
	u64 size;

	if (d->kind == DSO_VDSO) {
		const void *mem = vdso__image(&size);

		s->e = mem ? elf_image__open_mem(mem, size) : NULL;
	} else {
		s->fd = dso__open_file(d);
		s->e = s->fd >= 0 ? elf_image__open_fd(s->fd) : NULL;
	}
	if (!s->e)
		return -ENOENT;
	if (!elf_image__is64(s->e) || elf_image__swapped(s->e))
		return -ENOTSUP;
	if (elf_image__read(s->e, 0, &s->eh, sizeof(s->eh)) ||
	    s->eh.e_phentsize != sizeof(Elf64_Phdr) ||
	    (s->eh.e_shnum && s->eh.e_shentsize != sizeof(Elf64_Shdr)) ||
	    s->eh.e_shnum > MAX_SECTIONS)
		return -ENOTSUP;
	size = s->eh.e_phnum * sizeof(*s->ph);
	s->ph = malloc(size + 1);
	/* A file without section headers gets one null section. */
	s->nr_sh = s->eh.e_shnum ? s->eh.e_shnum : 1;
	s->sh = calloc(s->nr_sh + 2, sizeof(*s->sh));
	if (!s->ph || !s->sh)
		return -ENOMEM;
	if (elf_image__read(s->e, s->eh.e_phoff, s->ph, size) ||
	    (s->eh.e_shnum &&
	     elf_image__read(s->e, s->eh.e_shoff, s->sh, s->eh.e_shnum * sizeof(*s->sh))))
		return -EBADMSG;
	return 0;
}

static void close_source(struct source *s)
{
	elf_image__close(s->e);
	if (s->fd >= 0)
		close(s->fd);
	free(s->ph);
	free(s->sh);
}

static bool wanted_section(const struct source *s, u32 i, bool unwind)
{
	u32 nr;
	const struct elf_shdr *sh = &elf_image__shdrs(s->e, &nr)[i];
	const char *name;

	if (i >= nr)
		return false;
	name = elf_image__section_name(s->e, sh);
	if (i == s->eh.e_shstrndx)
		return sh->size <= MAX_NAMES;
	if (sh->type == SHT_NOTE)
		return sh->size <= MAX_NOTE;
	return unwind && sh->size <= MAX_RANGE &&
	       (!strcmp(name, ".eh_frame") || !strcmp(name, ".eh_frame_hdr") ||
		!strcmp(name, ".debug_frame"));
}

/* The sections to keep, as ranges; what goes loses its contents, what is mapped keeps its place. */
static int keep_sections(struct source *s, bool unwind, struct out *o, u32 *nr_ranges)
{
	for (u32 i = 1; i < s->eh.e_shnum; i++) {
		Elf64_Shdr *sh = &s->sh[i];
		u8 *data;

		if (sh->sh_type != SHT_NOBITS && sh->sh_size && wanted_section(s, i, unwind)) {
			data = malloc(sh->sh_size);
			if (!data)
				return -ENOMEM;
			if (!elf_image__read(s->e, sh->sh_offset, data, sh->sh_size)) {
				put_range(o, sh->sh_offset, data, sh->sh_size);
				(*nr_ranges)++;
			}
			free(data);
		} else if (sh->sh_flags & SHF_ALLOC) {
			sh->sh_type = SHT_NOBITS;
		} else {
			memset(sh, 0, sizeof(*sh));
		}
	}
	return 0;
}

static u16 section_of(const struct source *s, u64 addr)
{
	for (u32 i = 1; i < s->nr_sh; i++)
		if ((s->sh[i].sh_flags & SHF_ALLOC) && addr - s->sh[i].sh_addr < s->sh[i].sh_size)
			return i;
	/* Code that no section header covers: any of the reserved numbers that name no symbol kind
	 * of their own will do. */
	return SHN_LORESERVE;
}

/* Section headers, symbols and their names behind the file's end. */
static void put_symbols(struct source *s, const struct symbol *const *syms, u32 nr, u64 at,
			struct out *o)
{
	struct out sym = {}, str = {};
	Elf64_Shdr *symtab = &s->sh[s->nr_sh], *strtab = symtab + 1;
	Elf64_Sym none = {};
	u64 headers = (s->nr_sh + 2) * sizeof(*s->sh);

	put(&sym, &none, sizeof(none));
	put(&str, "", 1);
	for (u32 i = 0; i < nr; i++) {
		Elf64_Sym es = {
			.st_name = str.n,
			.st_info = ELF64_ST_INFO(syms[i]->binding, syms[i]->type),
			.st_shndx = section_of(s, syms[i]->start),
			.st_value = syms[i]->start,
			.st_size = syms[i]->end - syms[i]->start,
		};

		put(&sym, &es, sizeof(es));
		put(&str, syms[i]->name, strlen(syms[i]->name) + 1);
	}
	*symtab = (Elf64_Shdr){
		.sh_type = SHT_SYMTAB,
		.sh_offset = at + headers,
		.sh_size = sym.n,
		.sh_link = s->nr_sh + 1,
		.sh_info = 1,
		.sh_entsize = sizeof(Elf64_Sym),
		.sh_addralign = 8,
	};
	*strtab = (Elf64_Shdr){
		.sh_type = SHT_STRTAB,
		.sh_offset = at + headers + sym.n,
		.sh_size = str.n,
		.sh_addralign = 1,
	};
	put_range(o, at, s->sh, headers);
	put_range(o, symtab->sh_offset, sym.p, sym.n);
	put_range(o, strtab->sh_offset, str.p, str.n);
	o->err = o->err ? o->err : sym.err ? sym.err : str.err;
	free(sym.p);
	free(str.p);
}

int dso__excerpt(struct dso *d, const struct symbol *const *syms, u32 nr, bool unwind, void **data,
		 size_t *size)
{
	struct source s = {.fd = -1};
	struct out o = {};
	u32 nr_ranges = 5;
	u64 end;
	int err = read_source(&s, d);

	if (err)
		goto out;
	end = (elf_image__size(s.e) + 7) & ~7ULL;
	put(&o, &end, sizeof(end)); /* both are put right below */
	put(&o, &nr_ranges, sizeof(nr_ranges));
	err = keep_sections(&s, unwind, &o, &nr_ranges);
	if (err)
		goto out;
	put_symbols(&s, syms, nr, end, &o);
	put_range(&o, s.eh.e_phoff, s.ph, s.eh.e_phnum * sizeof(*s.ph));
	s.eh.e_shoff = end;
	s.eh.e_shentsize = sizeof(Elf64_Shdr);
	s.eh.e_shnum = s.nr_sh + 2;
	put_range(&o, 0, &s.eh, sizeof(s.eh));
	err = o.err;
	if (!err) {
		end = s.sh[s.nr_sh + 1].sh_offset + s.sh[s.nr_sh + 1].sh_size;
		memcpy(o.p, &end, sizeof(end));
		memcpy(o.p + sizeof(end), &nr_ranges, sizeof(nr_ranges));
		*data = o.p;
		*size = o.n;
		o.p = NULL;
	}
out:
	free(o.p);
	close_source(&s);
	return err;
}

/* ---- and back ---- */
static bool take(const u8 **p, const u8 *end, void *to, size_t n)
{
	if ((size_t)(end - *p) < n)
		return false;
	memcpy(to, *p, n);
	*p += n;
	return true;
}

static int fill(int fd, const u8 *p, const u8 *end, u32 nr, u64 file_size, bool swap)
{
	for (u32 i = 0; i < nr; i++) {
		u64 offset;
		u32 n;

		if (!take(&p, end, &offset, sizeof(offset)) || !take(&p, end, &n, sizeof(n)))
			return -EBADMSG;
		offset = swap ? bswap_64(offset) : offset;
		n = swap ? bswap_32(n) : n;
		if (n > (size_t)(end - p) || offset > file_size || n > file_size - offset)
			return -EBADMSG;
		for (u32 done = 0; done < n;) {
			ssize_t w = pwrite(fd, p + done, n - done, offset + done);

			if (w <= 0)
				return w ? -errno : -EIO;
			done += w;
		}
		p += n;
	}
	return 0;
}

int excerpt__open(const void *data, size_t size, bool swap)
{
	const u8 *p = data, *end = p + size;
	u64 file_size;
	u32 nr;
	int fd, err;

	if (!take(&p, end, &file_size, sizeof(file_size)) || !take(&p, end, &nr, sizeof(nr)))
		return -EBADMSG;
	file_size = swap ? bswap_64(file_size) : file_size;
	nr = swap ? bswap_32(nr) : nr;
	if (file_size > MAX_FILE)
		return -EBADMSG;
	fd = memfd_create("perf-excerpt", MFD_CLOEXEC);
	if (fd < 0)
		return -errno;
	err = ftruncate(fd, file_size) ? -errno : fill(fd, p, end, nr, file_size, swap);
	if (!err)
		return fd;
	close(fd);
	return err;
}
