// SPDX-License-Identifier: GPL-2.0-only
/* Reading ELF headers, sections and notes with every offset checked against the file. */
#include <byteswap.h>
#include <endian.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "lib/symbol/elf-image.h"

/* More than any linker writes; a header that asks for more is not worth reading. */
#define MAX_PHDRS 4096
#define MAX_SHDRS (1u << 20)
#define MAX_NOTES (1u << 20)

struct elf_image {
	int fd;
	const u8 *mem;
	u64 size;
	bool is64, swap;
	u16 machine, type;
	u64 entry;
	struct elf_phdr *phdrs;
	struct elf_shdr *shdrs;
	u32 nr_phdrs, nr_shdrs;
	char *names; /* section names, NUL behind */
	u64 names_size;
};

static u16 get16(const struct elf_image *e, u16 v)
{
	return e->swap ? bswap_16(v) : v;
}

static u32 get32(const struct elf_image *e, u32 v)
{
	return e->swap ? bswap_32(v) : v;
}

static u64 get64(const struct elf_image *e, u64 v)
{
	return e->swap ? bswap_64(v) : v;
}

int elf_image__read(const struct elf_image *e, u64 off, void *buf, u64 size)
{
	char *p = buf;

	if (off > e->size || size > e->size - off)
		return -EBADMSG;
	if (e->mem) {
		memcpy(buf, e->mem + off, size);
		return 0;
	}
	while (size) {
		ssize_t n = pread(e->fd, p, min_t(u64, size, 1u << 30), (off_t)off);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (!n) /* shrank meanwhile */
			return -EBADMSG;
		p += n;
		off += (u64)n;
		size -= (u64)n;
	}
	return 0;
}

void *elf_image__read_section(const struct elf_image *e, const struct elf_shdr *sh, u64 max)
{
	int err;
	char *p;

	if (sh->type == SHT_NOBITS) {
		errno = ENODATA;
		return NULL;
	}
	if (sh->offset > e->size || sh->size > e->size - sh->offset) {
		errno = EBADMSG;
		return NULL;
	}
	if (sh->size > max) {
		errno = EFBIG;
		return NULL;
	}
	p = malloc(sh->size + 1);
	if (!p)
		return NULL;
	err = elf_image__read(e, sh->offset, p, sh->size);
	if (err) {
		free(p);
		errno = -err;
		return NULL;
	}
	p[sh->size] = 0;
	return p;
}

/* The compression header: type and unpacked size; returns its length, or 0. */
static u32 compression(const struct elf_image *e, const void *p, u64 len, u32 *type, u64 *size)
{
	if (e->is64) {
		Elf64_Chdr h;

		if (len < sizeof(h))
			return 0;
		memcpy(&h, p, sizeof(h));
		*type = get32(e, h.ch_type);
		*size = get64(e, h.ch_size);
		return sizeof(h);
	}
	Elf32_Chdr h;

	if (len < sizeof(h))
		return 0;
	memcpy(&h, p, sizeof(h));
	*type = get32(e, h.ch_type);
	*size = get32(e, h.ch_size);
	return sizeof(h);
}

void *elf_image__read_contents(const struct elf_image *e, const struct elf_shdr *sh, u64 max,
			       u64 *size)
{
	char *raw = elf_image__read_section(e, sh, max), *out;
	uLongf got;
	u32 type, hdr;
	bool ok;

	*size = sh->size;
	if (!raw || !(sh->flags & SHF_COMPRESSED))
		return raw;
	hdr = compression(e, raw, sh->size, &type, size);
	out = hdr && *size <= max ? malloc(*size + 1) : NULL;
	if (!out) {
		free(raw);
		errno = EBADMSG;
		return NULL;
	}
	got = *size;
	if (type == ELFCOMPRESS_ZLIB)
		ok = uncompress((Bytef *)out, &got, (Bytef *)raw + hdr, sh->size - hdr) == Z_OK &&
		     got == *size;
	else if (type == 2) /* ELFCOMPRESS_ZSTD, newer than some headers */
		ok = ZSTD_decompress(out, *size, raw + hdr, sh->size - hdr) == *size;
	else
		ok = false;
	free(raw);
	if (!ok) {
		free(out);
		errno = EBADMSG;
		return NULL;
	}
	out[*size] = 0;
	return out;
}

static void decode_phdr(const struct elf_image *e, const void *p, struct elf_phdr *out)
{
	if (e->is64) {
		Elf64_Phdr h;

		memcpy(&h, p, sizeof(h));
		out->type = get32(e, h.p_type);
		out->flags = get32(e, h.p_flags);
		out->offset = get64(e, h.p_offset);
		out->vaddr = get64(e, h.p_vaddr);
		out->filesz = get64(e, h.p_filesz);
		out->memsz = get64(e, h.p_memsz);
		out->align = get64(e, h.p_align);
	} else {
		Elf32_Phdr h;

		memcpy(&h, p, sizeof(h));
		out->type = get32(e, h.p_type);
		out->flags = get32(e, h.p_flags);
		out->offset = get32(e, h.p_offset);
		out->vaddr = get32(e, h.p_vaddr);
		out->filesz = get32(e, h.p_filesz);
		out->memsz = get32(e, h.p_memsz);
		out->align = get32(e, h.p_align);
	}
}

static void decode_shdr(const struct elf_image *e, const void *p, struct elf_shdr *out)
{
	if (e->is64) {
		Elf64_Shdr h;

		memcpy(&h, p, sizeof(h));
		out->name = get32(e, h.sh_name);
		out->type = get32(e, h.sh_type);
		out->link = get32(e, h.sh_link);
		out->info = get32(e, h.sh_info);
		out->flags = get64(e, h.sh_flags);
		out->addr = get64(e, h.sh_addr);
		out->offset = get64(e, h.sh_offset);
		out->size = get64(e, h.sh_size);
		out->entsize = get64(e, h.sh_entsize);
	} else {
		Elf32_Shdr h;

		memcpy(&h, p, sizeof(h));
		out->name = get32(e, h.sh_name);
		out->type = get32(e, h.sh_type);
		out->link = get32(e, h.sh_link);
		out->info = get32(e, h.sh_info);
		out->flags = get32(e, h.sh_flags);
		out->addr = get32(e, h.sh_addr);
		out->offset = get32(e, h.sh_offset);
		out->size = get32(e, h.sh_size);
		out->entsize = get32(e, h.sh_entsize);
	}
}

static int read_phdrs(struct elf_image *e, u64 off, u32 nr, u16 entsize)
{
	u32 want = e->is64 ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr);
	int err;
	u8 *raw;

	if (!nr)
		return 0;
	if (entsize < want || nr > MAX_PHDRS)
		return -EBADMSG;
	raw = malloc((size_t)nr * entsize);
	e->phdrs = calloc(nr, sizeof(*e->phdrs));
	if (!raw || !e->phdrs) {
		free(raw);
		return -ENOMEM;
	}
	err = elf_image__read(e, off, raw, (u64)nr * entsize);
	if (!err) {
		for (u32 i = 0; i < nr; i++)
			decode_phdr(e, raw + (size_t)i * entsize, &e->phdrs[i]);
		e->nr_phdrs = nr;
	}
	free(raw);
	return err;
}

static int read_shdrs(struct elf_image *e, u64 off, u32 nr, u16 entsize, u32 strndx)
{
	u32 want = e->is64 ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr);
	struct elf_shdr first;
	int err;
	u8 *raw;

	if (!off)
		return 0;
	if (entsize < want)
		return -EBADMSG;
	if (!nr || strndx == SHN_XINDEX) { /* extended numbering: the counts are in section 0 */
		u8 buf[sizeof(Elf64_Shdr)];

		err = elf_image__read(e, off, buf, want);
		if (err)
			return err;
		decode_shdr(e, buf, &first);
		if (!nr)
			nr = first.size > MAX_SHDRS ? MAX_SHDRS + 1 : (u32)first.size;
		if (strndx == SHN_XINDEX)
			strndx = first.link;
	}
	if (!nr)
		return 0;
	if (nr > MAX_SHDRS || off > e->size || (u64)nr * entsize > e->size - off)
		return -EBADMSG;
	raw = malloc((size_t)nr * entsize);
	e->shdrs = calloc(nr, sizeof(*e->shdrs));
	if (!raw || !e->shdrs) {
		free(raw);
		return -ENOMEM;
	}
	err = elf_image__read(e, off, raw, (u64)nr * entsize);
	if (!err) {
		for (u32 i = 0; i < nr; i++)
			decode_shdr(e, raw + (size_t)i * entsize, &e->shdrs[i]);
		e->nr_shdrs = nr;
		if (strndx && strndx < nr) {
			e->names = elf_image__read_section(e, &e->shdrs[strndx], 16u << 20);
			e->names_size = e->names ? e->shdrs[strndx].size : 0;
		}
	}
	free(raw);
	return err;
}

static int read_headers(struct elf_image *e)
{
	u8 ident[EI_NIDENT];
	int err;

	if (elf_image__read(e, 0, ident, sizeof(ident)) || memcmp(ident, ELFMAG, SELFMAG))
		return -EINVAL;
	if (ident[EI_CLASS] != ELFCLASS32 && ident[EI_CLASS] != ELFCLASS64)
		return -EINVAL;
	if (ident[EI_DATA] != ELFDATA2LSB && ident[EI_DATA] != ELFDATA2MSB)
		return -EINVAL;
	e->is64 = ident[EI_CLASS] == ELFCLASS64;
	e->swap = (ident[EI_DATA] == ELFDATA2MSB) != (BYTE_ORDER == BIG_ENDIAN);
	if (e->is64) {
		Elf64_Ehdr h;

		if (elf_image__read(e, 0, &h, sizeof(h)))
			return -EBADMSG;
		e->type = get16(e, h.e_type);
		e->machine = get16(e, h.e_machine);
		e->entry = get64(e, h.e_entry);
		err = read_phdrs(e, get64(e, h.e_phoff), get16(e, h.e_phnum),
				 get16(e, h.e_phentsize));
		return err
			       ?: read_shdrs(e, get64(e, h.e_shoff), get16(e, h.e_shnum),
					     get16(e, h.e_shentsize), get16(e, h.e_shstrndx));
	}
	Elf32_Ehdr h;

	if (elf_image__read(e, 0, &h, sizeof(h)))
		return -EBADMSG;
	e->type = get16(e, h.e_type);
	e->machine = get16(e, h.e_machine);
	e->entry = get32(e, h.e_entry);
	err = read_phdrs(e, get32(e, h.e_phoff), get16(e, h.e_phnum), get16(e, h.e_phentsize));
	return err
		       ?: read_shdrs(e, get32(e, h.e_shoff), get16(e, h.e_shnum),
				     get16(e, h.e_shentsize), get16(e, h.e_shstrndx));
}

static struct elf_image *image_open(int fd, const void *mem, u64 size)
{
	struct elf_image *e = calloc(1, sizeof(*e));
	int err;

	if (!e)
		return NULL;
	e->fd = fd;
	e->mem = mem;
	e->size = size;
	err = read_headers(e);
	if (err) {
		elf_image__close(e);
		errno = -err;
		return NULL;
	}
	return e;
}

struct elf_image *elf_image__open_fd(int fd)
{
	struct stat st;

	if (fstat(fd, &st))
		return NULL;
	if (!S_ISREG(st.st_mode)) {
		errno = EINVAL;
		return NULL;
	}
	return image_open(fd, NULL, (u64)st.st_size);
}

struct elf_image *elf_image__open_mem(const void *data, u64 size)
{
	return image_open(-1, data, size);
}

void elf_image__close(struct elf_image *e)
{
	if (!e)
		return;
	free(e->phdrs);
	free(e->shdrs);
	free(e->names);
	free(e);
}

u64 elf_image__size(const struct elf_image *e)
{
	return e->size;
}

u16 elf_image__machine(const struct elf_image *e)
{
	return e->machine;
}

u16 elf_image__type(const struct elf_image *e)
{
	return e->type;
}

bool elf_image__is64(const struct elf_image *e)
{
	return e->is64;
}

bool elf_image__swapped(const struct elf_image *e)
{
	return e->swap;
}

u64 elf_image__entry(const struct elf_image *e)
{
	return e->entry;
}

const struct elf_phdr *elf_image__phdrs(const struct elf_image *e, u32 *nr)
{
	*nr = e->nr_phdrs;
	return e->phdrs;
}

const struct elf_shdr *elf_image__shdrs(const struct elf_image *e, u32 *nr)
{
	*nr = e->nr_shdrs;
	return e->shdrs;
}

const char *elf_image__section_name(const struct elf_image *e, const struct elf_shdr *sh)
{
	return sh->name < e->names_size ? e->names + sh->name : "";
}

const struct elf_shdr *elf_image__section(const struct elf_image *e, const char *name)
{
	for (u32 i = 1; i < e->nr_shdrs; i++)
		if (!strcmp(elf_image__section_name(e, &e->shdrs[i]), name))
			return &e->shdrs[i];
	return NULL;
}

const struct elf_shdr *elf_image__section_by_type(const struct elf_image *e, u32 type)
{
	for (u32 i = 1; i < e->nr_shdrs; i++)
		if (e->shdrs[i].type == type)
			return &e->shdrs[i];
	return NULL;
}

u32 elf_image__sym_size(const struct elf_image *e)
{
	return e->is64 ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);
}

void elf_image__sym(const struct elf_image *e, const void *p, struct elf_sym *out)
{
	if (e->is64) {
		Elf64_Sym s;

		memcpy(&s, p, sizeof(s));
		out->name = get32(e, s.st_name);
		out->info = s.st_info;
		out->other = s.st_other;
		out->shndx = get16(e, s.st_shndx);
		out->value = get64(e, s.st_value);
		out->size = get64(e, s.st_size);
	} else {
		Elf32_Sym s;

		memcpy(&s, p, sizeof(s));
		out->name = get32(e, s.st_name);
		out->info = s.st_info;
		out->other = s.st_other;
		out->shndx = get16(e, s.st_shndx);
		out->value = get32(e, s.st_value);
		out->size = get32(e, s.st_size);
	}
}

u32 elf_image__rel_size(const struct elf_image *e, bool rela)
{
	if (e->is64)
		return rela ? sizeof(Elf64_Rela) : sizeof(Elf64_Rel);
	return rela ? sizeof(Elf32_Rela) : sizeof(Elf32_Rel);
}

void elf_image__rel(const struct elf_image *e, const void *p, bool rela, u64 *offset, u32 *sym,
		    u32 *type, s64 *addend)
{
	if (e->is64) {
		Elf64_Rela r = {};
		u64 info;

		memcpy(&r, p, rela ? sizeof(Elf64_Rela) : sizeof(Elf64_Rel));
		info = get64(e, r.r_info);
		*offset = get64(e, r.r_offset);
		*sym = ELF64_R_SYM(info);
		*type = ELF64_R_TYPE(info);
		*addend = (s64)get64(e, (u64)r.r_addend);
	} else {
		Elf32_Rela r = {};
		u32 info;

		memcpy(&r, p, rela ? sizeof(Elf32_Rela) : sizeof(Elf32_Rel));
		info = get32(e, r.r_info);
		*offset = get32(e, r.r_offset);
		*sym = ELF32_R_SYM(info);
		*type = ELF32_R_TYPE(info);
		*addend = (s32)get32(e, (u32)r.r_addend);
	}
}

u32 elf_image__u32(const struct elf_image *e, const void *p)
{
	u32 v;

	memcpy(&v, p, sizeof(v));
	return get32(e, v);
}

u64 elf_image__word(const struct elf_image *e, const void *p)
{
	u64 v;

	if (!e->is64)
		return elf_image__u32(e, p);
	memcpy(&v, p, sizeof(v));
	return get64(e, v);
}

int build_id__from_notes(const void *notes, u64 size, bool swap, struct build_id *id)
{
	const u8 *p = notes;
	u64 off = 0;

	while (size - off >= sizeof(Elf64_Nhdr)) {
		u64 name_off = off + sizeof(Elf64_Nhdr), desc_off, next;
		Elf64_Nhdr n;

		memcpy(&n, p + off, sizeof(n));
		if (swap) {
			n.n_namesz = bswap_32(n.n_namesz);
			n.n_descsz = bswap_32(n.n_descsz);
			n.n_type = bswap_32(n.n_type);
		}
		desc_off = name_off + (((u64)n.n_namesz + 3) & ~3ULL);
		next = desc_off + (((u64)n.n_descsz + 3) & ~3ULL);
		if (desc_off > size || n.n_descsz > size - desc_off)
			return -ENOENT;
		if (n.n_type == NT_GNU_BUILD_ID && n.n_namesz == 4 &&
		    !memcmp(p + name_off, "GNU", 4) && n.n_descsz) {
			id->size = min_t(u32, n.n_descsz, sizeof(id->data));
			memset(id->data, 0, sizeof(id->data));
			memcpy(id->data, p + desc_off, id->size);
			return 0;
		}
		if (next > size)
			break;
		off = next;
	}
	return -ENOENT;
}

static int notes_at(const struct elf_image *e, u64 off, u64 size, struct build_id *id)
{
	void *buf;
	int err;

	if (!size || size > MAX_NOTES)
		return -ENOENT;
	buf = malloc(size);
	if (!buf)
		return -ENOMEM;
	err = elf_image__read(e, off, buf, size);
	if (!err)
		err = build_id__from_notes(buf, size, e->swap, id);
	free(buf);
	return err ? -ENOENT : 0;
}

int elf_image__build_id(const struct elf_image *e, struct build_id *id)
{
	for (u32 i = 1; i < e->nr_shdrs; i++)
		if (e->shdrs[i].type == SHT_NOTE &&
		    !notes_at(e, e->shdrs[i].offset, e->shdrs[i].size, id))
			return 0;
	for (u32 i = 0; i < e->nr_phdrs; i++)
		if (e->phdrs[i].type == PT_NOTE &&
		    !notes_at(e, e->phdrs[i].offset, e->phdrs[i].filesz, id))
			return 0;
	id->size = 0;
	return -ENOENT;
}
