/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A bounds-checked view of an ELF file: either class, either byte order, from a descriptor or from
 * memory. Nothing is mapped: what is asked for is read, so a file that is truncated under us gives
 * an error and not a signal. Only what is asked for is read.
 *
 * Format: System V ABI, chapter 4 and 5 (ELF header, sections, program headers, notes).
 */
#ifndef PERF_LIB_SYMBOL_ELF_IMAGE_H
#define PERF_LIB_SYMBOL_ELF_IMAGE_H

#include <elf.h>
#include <stdbool.h>

#include "compiler.h"
#include "lib/symbol/dso.h"

struct elf_image;

/* Program and section headers in the host's byte order and 64-bit form. */
struct elf_phdr {
	u32 type, flags;
	u64 offset, vaddr, filesz, memsz, align;
};

struct elf_shdr {
	u32 name, type, link, info;
	u64 flags, addr, offset, size, entsize;
};

struct elf_sym {
	u32 name;
	u8 info, other;
	u16 shndx;
	u64 value, size;
};

/* elf_image__open_fd - @fd is borrowed, has to stay open as long as the image lives. NULL with
 * errno: EINVAL not ELF, EBADMSG a header out of bounds, EIO, ENOMEM. */
struct elf_image *elf_image__open_fd(int fd);
/* elf_image__open_mem - @data is borrowed likewise. */
struct elf_image *elf_image__open_mem(const void *data, u64 size);
void elf_image__close(struct elf_image *e);

u64 elf_image__size(const struct elf_image *e);
u16 elf_image__machine(const struct elf_image *e); /* EM_* */
u16 elf_image__type(const struct elf_image *e);	   /* ET_* */
bool elf_image__is64(const struct elf_image *e);
bool elf_image__swapped(const struct elf_image *e); /* not the host's byte order */
u64 elf_image__entry(const struct elf_image *e);

/* elf_image__phdrs - the program headers, owned by the image; *@nr may be 0. */
const struct elf_phdr *elf_image__phdrs(const struct elf_image *e, u32 *nr);
/* elf_image__shdrs - the section headers likewise. */
const struct elf_shdr *elf_image__shdrs(const struct elf_image *e, u32 *nr);
/* elf_image__section_name - never NULL. */
const char *elf_image__section_name(const struct elf_image *e, const struct elf_shdr *sh);
/* elf_image__section - the first section of that name, or NULL. */
const struct elf_shdr *elf_image__section(const struct elf_image *e, const char *name);
const struct elf_shdr *elf_image__section_by_type(const struct elf_image *e, u32 type);

/* elf_image__read - @size bytes at @off into @buf: 0, -EBADMSG when out of the file, -EIO. */
int elf_image__read(const struct elf_image *e, u64 off, void *buf, u64 size);
/* elf_image__read_section - the section's bytes (as in the file), malloc'd, with one NUL byte
 * behind; the caller frees. NULL with errno; EFBIG above @max bytes. SHT_NOBITS: ENODATA. */
void *elf_image__read_section(const struct elf_image *e, const struct elf_shdr *sh, u64 max);

/* elf_image__read_contents - the same, unpacked where it is compressed (SHF_COMPRESSED, zlib or
 * zstd); *@size is that of what is returned, at most @max. */
void *elf_image__read_contents(const struct elf_image *e, const struct elf_shdr *sh, u64 max,
			       u64 *size);

/* Decode one symbol / relocation of a table read with elf_image__read_section(). */
u32 elf_image__sym_size(const struct elf_image *e);
void elf_image__sym(const struct elf_image *e, const void *p, struct elf_sym *out);
u32 elf_image__rel_size(const struct elf_image *e, bool rela);
void elf_image__rel(const struct elf_image *e, const void *p, bool rela, u64 *offset, u32 *sym,
		    u32 *type, s64 *addend);
u32 elf_image__u32(const struct elf_image *e, const void *p);
/* elf_image__word - one of the file's class: 8 bytes or 4. */
u64 elf_image__word(const struct elf_image *e, const void *p);

/* elf_image__build_id - from the NT_GNU_BUILD_ID note in PT_NOTE or SHT_NOTE. 0 or -ENOENT. */
int elf_image__build_id(const struct elf_image *e, struct build_id *id);
/* build_id__from_notes - the same out of a block of notes (as in /sys/kernel/notes). */
int build_id__from_notes(const void *notes, u64 size, bool swap, struct build_id *id);

#endif
