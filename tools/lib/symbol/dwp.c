// SPDX-License-Identifier: GPL-2.0-only
/* DWARF packages. See dwp.h. All numbers in them are checked as if they were hostile. */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/symbol/dwp.h"

#define MAX_COLUMNS 16
#define MAX_IMAGE (1u << 30)

/* The sections that a unit is made of, in the order of its image. */
enum { INFO, ABBREV, STR_OFFSETS, LINE, RNGLISTS, STR, NR_PARTS, ADDR = NR_PARTS, RANGES, NR_ALL };
static const char *const names[NR_ALL] = {
	".debug_info",	   ".debug_abbrev", ".debug_str_offsets", ".debug_line",
	".debug_rnglists", ".debug_str",    ".debug_addr",	  ".debug_ranges",
};

struct part {
	const char *p;
	size_t n;
};

struct dwp {
	int fd;
	Elf *elf;
	struct part section[NR_PARTS];
	/* The index: slots of ids and of row numbers, then columns of offsets and of sizes. */
	u32 columns, units, slots;
	const char *ids, *rows, *offsets, *sizes;
	s8 part_of[MAX_COLUMNS]; /* which part a column is of, -1: none that is wanted */
};

static u32 get32(const char *p)
{
	u32 v;

	memcpy(&v, p, sizeof(v));
	return v;
}

static u64 get64(const char *p)
{
	u64 v;

	memcpy(&v, p, sizeof(v));
	return v;
}

/* DW_SECT_* of both versions of the index. */
static s8 part_of(u32 version, u32 section)
{
	switch (section) {
	case 1:
		return INFO;
	case 3:
		return ABBREV;
	case 4:
		return LINE;
	case 6:
		return STR_OFFSETS;
	case 8:
		return version == 5 ? RNGLISTS : -1;
	default:
		return -1;
	}
}

/* u32 version (or u16 and padding), columns, units, slots; slots of u64; slots of u32; a row of
 * columns; rows of offsets; rows of sizes. */
static int read_index(struct dwp *p, struct part index)
{
	u32 version;
	u64 need;

	if (index.n < 16)
		return -EBADMSG;
	version = get32(index.p) & 0xffff;
	p->columns = get32(index.p + 4);
	p->units = get32(index.p + 8);
	p->slots = get32(index.p + 12);
	if ((version != 2 && version != 5) || !p->columns || p->columns > MAX_COLUMNS ||
	    !p->slots || p->slots & (p->slots - 1))
		return -EBADMSG;
	need = 16 + (u64)p->slots * 12 + p->columns * 4ULL + (u64)p->units * p->columns * 8;
	if (need > index.n)
		return -EBADMSG;
	p->ids = index.p + 16;
	p->rows = p->ids + (size_t)p->slots * 8;
	p->offsets = p->rows + (size_t)p->slots * 4;
	for (u32 c = 0; c < p->columns; c++)
		p->part_of[c] = part_of(version, get32(p->offsets + c * 4));
	p->offsets += p->columns * 4;
	p->sizes = p->offsets + (size_t)p->units * p->columns * 4;
	return 0;
}

static struct part contents(Elf_Scn *scn, const GElf_Shdr *sh)
{
	Elf_Data *d;

	if (sh->sh_type == SHT_NOBITS ||
	    (sh->sh_flags & SHF_COMPRESSED && elf_compress(scn, 0, 0) < 0))
		return (struct part){};
	d = elf_rawdata(scn, NULL);
	return d && d->d_buf ? (struct part){d->d_buf, d->d_size} : (struct part){};
}

static int read_sections(struct dwp *p)
{
	struct part index = {};
	Elf_Scn *scn = NULL;
	size_t strings;

	if (elf_getshdrstrndx(p->elf, &strings))
		return -EBADMSG;
	while ((scn = elf_nextscn(p->elf, scn))) {
		const char *name;
		GElf_Shdr sh;
		size_t n;

		if (!gelf_getshdr(scn, &sh) || !(name = elf_strptr(p->elf, strings, sh.sh_name)))
			continue;
		if (!strcmp(name, ".debug_cu_index")) {
			index = contents(scn, &sh);
			continue;
		}
		n = strlen(name);
		if (n < 4 || strcmp(name + n - 4, ".dwo"))
			continue;
		for (int i = 0; i < NR_PARTS; i++)
			if (strlen(names[i]) == n - 4 && !strncmp(name, names[i], n - 4))
				p->section[i] = contents(scn, &sh);
	}
	return read_index(p, index);
}

struct dwp *dwp__open(const char *path)
{
	struct dwp *p = calloc(1, sizeof(*p));
	int err = 0;

	if (!p)
		return NULL;
	p->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (p->fd < 0)
		err = -errno;
	if (!err) {
		elf_version(EV_CURRENT);
		p->elf = elf_begin(p->fd, ELF_C_READ_MMAP, NULL);
		err = p->elf && elf_kind(p->elf) == ELF_K_ELF &&
				      elf_getident(p->elf, NULL)[EI_DATA] ==
					      (__BYTE_ORDER == __LITTLE_ENDIAN ? ELFDATA2LSB
									       : ELFDATA2MSB)
			      ? read_sections(p)
			      : -EBADMSG;
	}
	if (!err)
		return p;
	dwp__close(p);
	errno = -err;
	return NULL;
}

void dwp__close(struct dwp *p)
{
	if (!p)
		return;
	if (p->elf)
		elf_end(p->elf);
	if (p->fd >= 0)
		close(p->fd);
	free(p);
}

/* Open addressing; the step comes from the id's upper half. A row of 0 is an empty slot. */
static u32 find_row(const struct dwp *p, u64 id)
{
	u32 mask = p->slots - 1, at = id & mask, step = ((id >> 32) & mask) | 1;

	for (u32 n = 0; n < p->slots; n++, at = (at + step) & mask) {
		u32 row = get32(p->rows + (size_t)at * 4);

		if (!row)
			return 0;
		if (get64(p->ids + (size_t)at * 8) == id)
			return row <= p->units ? row : 0;
	}
	return 0;
}

static int take_parts(const struct dwp *p, u32 row, struct part *parts)
{
	size_t base = (size_t)(row - 1) * p->columns;

	for (u32 c = 0; c < p->columns; c++) {
		u32 off = get32(p->offsets + (base + c) * 4), n = get32(p->sizes + (base + c) * 4);
		const struct part *s;

		if (p->part_of[c] < 0)
			continue;
		s = &p->section[p->part_of[c]];
		if (off > s->n || n > s->n - off)
			return -EBADMSG;
		parts[p->part_of[c]] = (struct part){s->p + off, n};
	}
	parts[STR] = p->section[STR]; /* all units' */
	return parts[INFO].n && parts[ABBREV].n ? 0 : -EBADMSG;
}

/* A 64-bit object of this machine's byte order: header, contents, names, section headers. */
static void *make_image(const struct part *parts, size_t *size)
{
	size_t at = sizeof(Elf64_Ehdr), strings = 1 + sizeof(".shstrtab"), n = at, name = 1;
	Elf64_Shdr sh[NR_ALL + 2] = {};
	Elf64_Ehdr *eh;
	char *image;
	u16 nr = 1;

	for (int i = 0; i < NR_ALL; i++) {
		n += (parts[i].n + 7) & ~7ULL;
		strings += strlen(names[i]) + 1;
	}
	n += (strings + 7) & ~7ULL;
	n += sizeof(sh);
	image = n <= MAX_IMAGE ? calloc(1, n) : NULL;
	if (!image)
		return NULL;
	char *str = image + n - sizeof(sh) - ((strings + 7) & ~7ULL);

	for (int i = 0; i < NR_ALL; i++) {
		if (!parts[i].n)
			continue;
		memcpy(image + at, parts[i].p, parts[i].n);
		strcpy(str + name, names[i]);
		sh[nr++] = (Elf64_Shdr){.sh_name = name,
					.sh_type = SHT_PROGBITS,
					.sh_offset = at,
					.sh_size = parts[i].n,
					.sh_addralign = 1};
		name += strlen(names[i]) + 1;
		at += (parts[i].n + 7) & ~7ULL;
	}
	strcpy(str + name, ".shstrtab");
	sh[nr++] = (Elf64_Shdr){.sh_name = name,
				.sh_type = SHT_STRTAB,
				.sh_offset = str - image,
				.sh_size = strings,
				.sh_addralign = 1};
	memcpy(image + n - sizeof(sh), sh, sizeof(sh));
	eh = (Elf64_Ehdr *)image;
	memcpy(eh->e_ident, ELFMAG, SELFMAG);
	eh->e_ident[EI_CLASS] = ELFCLASS64;
	eh->e_ident[EI_DATA] = __BYTE_ORDER == __LITTLE_ENDIAN ? ELFDATA2LSB : ELFDATA2MSB;
	eh->e_ident[EI_VERSION] = EV_CURRENT;
	eh->e_type = ET_REL;
	eh->e_machine = EM_NONE;
	eh->e_version = EV_CURRENT;
	eh->e_ehsize = sizeof(*eh);
	eh->e_shoff = n - sizeof(sh);
	eh->e_shentsize = sizeof(*sh);
	eh->e_shnum = nr;
	eh->e_shstrndx = nr - 1;
	*size = n;
	return image;
}

int dwp__unit(struct dwp *p, const struct dwp_skeleton *s, struct dwp_unit *u)
{
	struct part parts[NR_ALL] = {
		[ADDR] = {s->addr, s->addr_size},
		[RANGES] = {s->ranges, s->ranges_size},
	};
	u32 row = find_row(p, s->id);
	Dwarf_CU *next;
	size_t size;
	int err;

	memset(u, 0, sizeof(*u));
	err = row ? take_parts(p, row, parts) : -ENOENT;
	if (err)
		return err;
	u->image = make_image(parts, &size);
	if (!u->image)
		return -ENOMEM;
	u->elf = elf_memory(u->image, size);
	if (u->elf)
		u->dw = dwarf_begin_elf(u->elf, DWARF_C_READ, NULL);
	if (u->dw && !dwarf_get_units(u->dw, NULL, &next, NULL, NULL, &u->die, NULL))
		return 0;
	dwp_unit__close(u);
	return -EBADMSG;
}

void dwp_unit__close(struct dwp_unit *u)
{
	if (u->dw)
		dwarf_end(u->dw);
	if (u->elf)
		elf_end(u->elf);
	free(u->image);
	memset(u, 0, sizeof(*u));
}
