// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names for PLT stubs. A stub jumps through a slot of the GOT; the slot's relocation names the
 * function. So the stubs' code is decoded, which holds for every linker's layout (.plt, .plt.sec,
 * .plt.got; GNU ld, lld, mold; with and without branch protection) where counting entries does not.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/symbol/dso-internal.h"

#define MAX_PLT (64u << 20)
#define MAX_RELOCS (1u << 30)
#define MAX_DYNAMIC (1u << 20)

/* The few relocation types that matter; elf.h has them, these are their roles. */
struct plt_arch {
	u16 machine;
	u32 jump_slot, glob_dat, irelative;
};

static const struct plt_arch archs[] = {
	{EM_X86_64, R_X86_64_JUMP_SLOT, R_X86_64_GLOB_DAT, R_X86_64_IRELATIVE},
	{EM_386, R_386_JMP_SLOT, R_386_GLOB_DAT, R_386_IRELATIVE},
	{EM_AARCH64, R_AARCH64_JUMP_SLOT, R_AARCH64_GLOB_DAT, R_AARCH64_IRELATIVE},
};

struct slot {
	u64 got;
	u32 name; /* in the dynamic string table; 0: see resolver */
	u64 resolver;
};

struct plt_ctx {
	const struct elf_image *e;
	const struct plt_arch *arch;
	struct symtab *st;
	struct slot *slots;
	u32 nr, cap;
	u32 nr_jump;
	u64 *jump_order; /* their addresses in the order of .rela.plt */
	char *str;
	u64 strsize;
	u8 *syms;
	u64 nr_syms;
	u64 got_base; /* i386: what %ebx holds */
	int err;
};

static int add_slot(struct plt_ctx *c, u64 got, u32 name, u64 resolver)
{
	if (c->nr == c->cap) {
		u32 cap = c->cap ? c->cap * 2 : 256;
		struct slot *p = reallocarray(c->slots, cap, sizeof(*p));

		if (!p)
			return -ENOMEM;
		c->slots = p;
		c->cap = cap;
	}
	c->slots[c->nr++] = (struct slot){got, name, resolver};
	return 0;
}

/* How many relocations at the beginning of .rela.dyn (.rel.dyn) only add the load address: nearly
 * all of them, megabytes in large programs. They name nothing and need not be read. */
static u64 nr_relative(const struct elf_image *e, bool rela)
{
	const struct elf_shdr *sh = elf_image__section_by_type(e, SHT_DYNAMIC);
	u64 want = rela ? DT_RELACOUNT : DT_RELCOUNT, nr = 0;
	u32 word = elf_image__is64(e) ? 8 : 4;
	u8 *buf = sh ? elf_image__read_section(e, sh, MAX_DYNAMIC) : NULL;

	for (u64 off = 0; buf && off + 2 * word <= sh->size; off += 2 * word)
		if (elf_image__word(e, buf + off) == want)
			nr = elf_image__word(e, buf + off + word);
	free(buf);
	return nr;
}

static int read_relocs(struct plt_ctx *c, const struct elf_shdr *whole, bool plt)
{
	u32 size = elf_image__rel_size(c->e, whole->type == SHT_RELA);
	const char *section = elf_image__section_name(c->e, whole);
	u32 ssize = elf_image__sym_size(c->e);
	struct elf_shdr part = *whole, *sh = &part;
	int err = 0;
	u8 *buf;

	if (!strcmp(section, ".rela.dyn") || !strcmp(section, ".rel.dyn")) {
		u64 skip = min_t(u64, nr_relative(c->e, sh->type == SHT_RELA), sh->size / size);

		sh->offset += skip * size;
		sh->size -= skip * size;
	}
	buf = elf_image__read_section(c->e, sh, MAX_RELOCS);
	if (!buf)
		return -errno;
	for (u64 off = 0; off + size <= sh->size && !err; off += size) {
		struct elf_sym s = {};
		u32 sym, type;
		u64 got;
		s64 addend;

		elf_image__rel(c->e, buf + off, sh->type == SHT_RELA, &got, &sym, &type, &addend);
		if (type == c->arch->irelative) {
			err = add_slot(c, got, 0, (u64)addend);
		} else if (type == c->arch->jump_slot || type == c->arch->glob_dat) {
			if (sym && sym < c->nr_syms)
				elf_image__sym(c->e, c->syms + (size_t)sym * ssize, &s);
			err = add_slot(c, got, s.name < c->strsize ? s.name : 0, 0);
		} else if (plt) {
			err = add_slot(c, got, 0, 0); /* keeps the index right */
		}
	}
	free(buf);
	return err;
}

static int slot_cmp(const void *va, const void *vb)
{
	const struct slot *a = va, *b = vb;

	return a->got < b->got ? -1 : a->got > b->got;
}

static const struct slot *find_slot(const struct plt_ctx *c, u64 got)
{
	struct slot key = {.got = got};

	return c->nr ? bsearch(&key, c->slots, c->nr, sizeof(key), slot_cmp) : NULL;
}

static void add_stub(struct plt_ctx *c, u64 start, u64 size, const struct slot *s)
{
	const char *name = NULL;

	if (c->err || !s)
		return;
	if (s->name)
		name = c->str + s->name;
	else if (s->resolver)
		name = symtab__raw_name(c->st, s->resolver);
	if (!name || !*name)
		return;
	c->err = symtab__add_copy(c->st, start, size, name, strcspn(name, "@"), "@plt", STB_GLOBAL,
				  STT_FUNC);
}

static const struct slot *nth_jump(const struct plt_ctx *c, u64 n)
{
	return n < c->nr_jump ? find_slot(c, c->jump_order[n]) : NULL;
}

/* One entry of @len bytes: "jmp *disp(%rip)" wherever it stands in it, or "push $index". */
static void x86_entry(struct plt_ctx *c, const u8 *p, u64 addr, u64 len, u64 stub_len)
{
	bool x64 = c->arch->machine == EM_X86_64;

	for (u64 i = 0; i + 6 <= len; i++) {
		u64 got;

		if (p[i] != 0xff || (p[i + 1] != 0x25 && (x64 || p[i + 1] != 0xa3)))
			continue;
		got = elf_image__u32(c->e, p + i + 2);
		if (x64)
			got = addr + i + 6 + (u64)(s64)(s32)got;
		else if (p[i + 1] == 0xa3)
			got = (u32)(got + c->got_base);
		const struct slot *s = find_slot(c, got);

		if (s)
			add_stub(c, addr, stub_len, s);
		return;
	}
	for (u64 i = 0; i + 5 <= len; i++) {
		u64 n;

		if (p[i] != 0x68)
			continue;
		n = elf_image__u32(c->e, p + i + 1);
		add_stub(c, addr, stub_len,
			 nth_jump(c, x64 ? n : n / elf_image__rel_size(c->e, false)));
		return;
	}
}

static void x86_section(struct plt_ctx *c, const struct elf_shdr *sh, const u8 *code)
{
	u64 step = sh->entsize == 8 ? 8 : 16;

	for (u64 off = 0; off < sh->size && !c->err; off += step) {
		u64 len = min_t(u64, step, sh->size - off);

		x86_entry(c, code + off, sh->addr + off, len, len);
	}
}

#define A64_BTI_C 0xd503245fu
#define A64_NOP 0xd503201fu
#define A64_BR_X17 0xd61f0220u

/* adrp x16, page; ldr x17, [x16, #off]; add; br x17, with or without a "bti c" in front. */
static void arm64_section(struct plt_ctx *c, const struct elf_shdr *sh, const u8 *code)
{
	u64 start = 0;

	for (u64 off = 0; off + 8 <= sh->size && !c->err; off += 4) {
		u32 i0 = elf_image__u32(c->e, code + off),
		    i1 = elf_image__u32(c->e, code + off + 4);
		u64 end, pc = sh->addr + off, got;

		if (i0 == A64_BR_X17 || i0 == A64_NOP) {
			start = off + 4;
			continue;
		}
		if ((i0 & 0x9f00001f) != 0x90000010 || (i1 & 0xffc003ff) != 0xf9400211)
			continue;
		s64 page = (s64)((((u64)(i0 >> 5) & 0x7ffff) << 2 | ((i0 >> 29) & 3)) << 43) >> 31;

		got = (pc & ~0xfffULL) + (u64)page + ((i1 >> 10) & 0xfff) * 8;
		for (end = off + 8; end + 4 <= sh->size; end += 4)
			if (elf_image__u32(c->e, code + end) == A64_BR_X17)
				break;
		end = min_t(u64, end + 4, sh->size);
		if (start < off &&
		    (off - start > 4 || elf_image__u32(c->e, code + start) != A64_BTI_C))
			start = off; /* the header's tail, not ours */
		add_stub(c, sh->addr + start, end - start, find_slot(c, got));
		off = end - 4;
		start = end;
	}
}

static int read_dynsym(struct plt_ctx *c)
{
	const struct elf_shdr *sh = elf_image__section_by_type(c->e, SHT_DYNSYM), *all;
	u32 nr;

	if (!sh) /* static: only IRELATIVE slots */
		return 0;
	all = elf_image__shdrs(c->e, &nr);
	if (sh->link >= nr)
		return -EBADMSG;
	c->syms = elf_image__read_section(c->e, sh, MAX_RELOCS);
	c->str = elf_image__read_section(c->e, &all[sh->link], MAX_RELOCS);
	if (!c->syms || !c->str)
		return -errno;
	c->nr_syms = sh->size / elf_image__sym_size(c->e);
	c->strsize = all[sh->link].size;
	return 0;
}

static bool is_plt(const struct elf_image *e, const struct elf_shdr *sh)
{
	const char *n = elf_image__section_name(e, sh);

	return sh->type == SHT_PROGBITS && !strncmp(n, ".plt", 4) &&
	       (!n[4] || !strcmp(n + 4, ".sec") || !strcmp(n + 4, ".got") ||
		!strcmp(n + 4, ".bnd")) &&
	       sh->flags & SHF_EXECINSTR;
}

static bool is_iplt(const struct elf_image *e, const struct elf_shdr *sh)
{
	return sh->type == SHT_PROGBITS && !strcmp(elf_image__section_name(e, sh), ".iplt");
}

static int gather_slots(struct plt_ctx *c, const struct elf_shdr *sh, u32 nr)
{
	int err = 0;

	/* the PLT's own first: "push $n" counts in it */
	for (int pass = 0; pass < 2 && !err; pass++) {
		for (u32 i = 1; i < nr && !err; i++) {
			const char *n = elf_image__section_name(c->e, &sh[i]);
			bool plt = !strcmp(n, ".rela.plt") || !strcmp(n, ".rel.plt");

			if ((sh[i].type != SHT_RELA && sh[i].type != SHT_REL) ||
			    !(sh[i].flags & SHF_ALLOC) || plt != !pass)
				continue;
			err = read_relocs(c, &sh[i], plt);
		}
		if (!pass)
			c->nr_jump = c->nr;
	}
	if (err)
		return err;
	c->jump_order = malloc((c->nr_jump + 1) * sizeof(*c->jump_order));
	if (!c->jump_order)
		return -ENOMEM;
	for (u32 i = 0; i < c->nr_jump; i++)
		c->jump_order[i] = c->slots[i].got;
	if (c->nr)
		qsort(c->slots, c->nr, sizeof(*c->slots), slot_cmp);
	return 0;
}

int elf_plt__add(const struct elf_image *e, struct symtab *st)
{
	struct plt_ctx c = {.e = e, .st = st};
	const struct elf_shdr *sh, *got;
	bool any = false;
	u32 nr;
	int err;

	for (u32 i = 0; i < ARRAY_SIZE(archs); i++)
		if (archs[i].machine == elf_image__machine(e))
			c.arch = &archs[i];
	sh = elf_image__shdrs(e, &nr);
	for (u32 i = 1; i < nr; i++)
		any |= is_plt(e, &sh[i]) || is_iplt(e, &sh[i]);
	if (!any || !c.arch)
		return 0;
	err = read_dynsym(&c);
	got = elf_image__section(e, ".got.plt") ?: elf_image__section(e, ".got");
	c.got_base = got ? got->addr : 0;
	if (!err)
		err = gather_slots(&c, sh, nr);
	for (u32 i = 1; i < nr && !err; i++) {
		u8 *code;

		if (!is_plt(e, &sh[i]) && !is_iplt(e, &sh[i]))
			continue;
		code = elf_image__read_section(e, &sh[i], MAX_PLT);
		if (!code)
			continue;
		if (c.arch->machine == EM_AARCH64)
			arm64_section(&c, &sh[i], code);
		else
			x86_section(&c, &sh[i], code);
		free(code);
		err = c.err;
	}
	free(c.syms);
	free(c.str);
	free(c.slots);
	free(c.jump_order);
	return err;
}
