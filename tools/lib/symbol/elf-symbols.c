// SPDX-License-Identifier: GPL-2.0-only
/* Symbols out of an ELF file's .symtab or .dynsym. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/symbol/dso-internal.h"

/* A string table that is larger than this is no symbol table we want in memory. */
#define MAX_STRTAB (1u << 30)
#define SYM_BATCH 4096

/* $a, $d, $t, $x (and $x.NNN): ARM's marks for code and data, not names. */
static bool is_mapping_symbol(u16 machine, const char *name)
{
	if (machine != EM_ARM && machine != EM_AARCH64 && machine != EM_RISCV)
		return false;
	return name[0] == '$' && name[1] && strchr("adtx", name[1]) &&
	       (!name[2] || name[2] == '.' || machine == EM_RISCV);
}

static bool wanted(const struct elf_image *e, const struct elf_sym *s, const struct elf_shdr *shdrs,
		   u32 nr_shdrs)
{
	u8 type = ELF64_ST_TYPE(s->info);

	if (s->shndx == SHN_UNDEF || s->shndx == SHN_ABS || s->shndx == SHN_COMMON)
		return false;
	if (type != STT_FUNC && type != STT_GNU_IFUNC && type != STT_OBJECT && type != STT_NOTYPE)
		return false;
	if (s->shndx < SHN_LORESERVE) {
		if (s->shndx >= nr_shdrs || !(shdrs[s->shndx].flags & SHF_ALLOC))
			return false;
		if (shdrs[s->shndx].flags & SHF_TLS)
			return false;
		/* marks at a section's edge (_end, __bss_start) name nothing */
		if (type == STT_NOTYPE && !(shdrs[s->shndx].flags & SHF_EXECINSTR))
			return false;
	}
	return elf_image__type(e) != ET_REL;
}

int elf_symbols__add(const struct elf_image *e, struct symtab *st, enum syms_table which)
{
	const struct elf_shdr *sh, *shdrs;
	u32 nr_shdrs, esize = elf_image__sym_size(e), nr = 0;
	u64 strsize, total;
	char *str;
	u8 *buf;
	int err = 0;

	sh = elf_image__section_by_type(e, which == SYMS_STATIC ? SHT_SYMTAB : SHT_DYNSYM);
	if (!sh || sh->type == SHT_NOBITS)
		return 0;
	shdrs = elf_image__shdrs(e, &nr_shdrs);
	if (sh->link >= nr_shdrs || (sh->entsize && sh->entsize != esize))
		return -EBADMSG;
	str = elf_image__read_section(e, &shdrs[sh->link], MAX_STRTAB);
	if (!str)
		return -errno;
	strsize = shdrs[sh->link].size;
	err = symtab__own(st, str);
	if (err)
		return err;
	buf = malloc((size_t)SYM_BATCH * esize);
	if (!buf)
		return -ENOMEM;
	total = sh->size / esize;
	for (u64 i = 0; i < total && !err; i += SYM_BATCH) {
		u64 n = min_t(u64, SYM_BATCH, total - i);

		err = elf_image__read(e, sh->offset + i * esize, buf, n * esize);
		for (u64 k = 0; k < n && !err; k++) {
			struct elf_sym s;

			elf_image__sym(e, buf + k * esize, &s);
			if (!s.name || s.name >= strsize || !str[s.name] ||
			    !wanted(e, &s, shdrs, nr_shdrs))
				continue;
			if (is_mapping_symbol(elf_image__machine(e), str + s.name))
				continue;
			if (elf_image__machine(e) == EM_ARM && ELF64_ST_TYPE(s.info) == STT_FUNC)
				s.value &= ~1ULL; /* the Thumb bit */
			err = symtab__add(st, s.value, s.size, str + s.name, ELF64_ST_BIND(s.info),
					  ELF64_ST_TYPE(s.info));
			nr++;
		}
	}
	free(buf);
	return err ? err : (int)min_t(u32, nr, INT32_MAX);
}

static int range_cmp(const void *va, const void *vb)
{
	const struct symtab_range *a = va, *b = vb;

	return a->start < b->start ? -1 : a->start > b->start;
}

struct symtab_range *elf_symbols__ranges(const struct elf_image *e, u32 *nr)
{
	const struct elf_shdr *shdrs;
	struct symtab_range *r;
	u32 n;

	*nr = 0;
	shdrs = elf_image__shdrs(e, &n);
	r = calloc(n + 1, sizeof(*r));
	if (!r)
		return NULL;
	for (u32 i = 0; i < n; i++) {
		const struct elf_shdr *s = &shdrs[i];

		if (!(s->flags & SHF_ALLOC) || (s->flags & SHF_TLS) || !s->size ||
		    s->size > UINT64_MAX - s->addr)
			continue;
		r[*nr].start = s->addr;
		r[(*nr)++].end = s->addr + s->size;
	}
	qsort(r, *nr, sizeof(*r), range_cmp);
	return r;
}
