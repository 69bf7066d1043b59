// SPDX-License-Identifier: GPL-2.0-only
/* The file of a user's BPF object, read and checked before libbpf sees it. */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bpf/user_prog_priv.h"

#define MAX_IMAGE (64u << 20)

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define HOST_DATA ELFDATA2LSB
#else
#define HOST_DATA ELFDATA2MSB
#endif

static int read_all(int fd, struct bpf_image *img, size_t want)
{
	while (img->size < want) {
		ssize_t n = read(fd, (char *)img->data + img->size, want - img->size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (!n)
			break; /* shrank meanwhile: the checks below see to it */
		img->size += n;
	}
	return 0;
}

static int read_file(struct bpf_image *img, const char *path, struct errbuf *eb)
{
	/* O_NONBLOCK: a fifo must not hang the open. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), err = 0;
	struct stat st;

	if (fd < 0)
		return errbuf__set(eb, -errno, "cannot open BPF object %s: %s", path,
				   strerror(errno));
	if (fstat(fd, &st))
		err = errbuf__set(eb, -errno, "cannot read BPF object %s: %s", path,
				  strerror(errno));
	else if (S_ISDIR(st.st_mode))
		err = errbuf__set(eb, -EISDIR, "BPF object %s is a directory", path);
	else if (!S_ISREG(st.st_mode))
		err = errbuf__set(eb, -EINVAL, "BPF object %s is not a regular file", path);
	else if (!st.st_size)
		err = errbuf__set(eb, -ENOEXEC, "BPF object %s is empty", path);
	else if (st.st_size > MAX_IMAGE)
		err = errbuf__set(eb, -EFBIG, "BPF object %s is larger than %u MiB", path,
				  MAX_IMAGE >> 20);
	if (err)
		goto out;
	img->data = malloc(st.st_size);
	if (!img->data) {
		err = errbuf__set(eb, -ENOMEM, "out of memory reading %s", path);
		goto out;
	}
	err = read_all(fd, img, st.st_size);
	if (err)
		errbuf__set(eb, err, "cannot read BPF object %s: %s", path, strerror(-err));
out:
	close(fd);
	return err;
}

static int check_header(const struct bpf_image *img, const char *path, struct errbuf *eb)
{
	const Elf64_Ehdr *eh = img->data;

	if (img->size < SELFMAG || memcmp(eh->e_ident, ELFMAG, SELFMAG))
		return errbuf__set(eb, -ENOEXEC,
				   "%s is not an ELF file; a BPF object is made with "
				   "clang -g -O2 -target bpf -c FILE.bpf.c",
				   path);
	if (img->size < sizeof(*eh))
		return errbuf__set(eb, -ENOEXEC, "BPF object %s is truncated in its ELF header",
				   path);
	if (eh->e_ident[EI_CLASS] != ELFCLASS64)
		return errbuf__set(eb, -ENOEXEC, "%s is not a 64-bit ELF file, so no BPF object",
				   path);
	if (eh->e_ident[EI_DATA] != HOST_DATA)
		return errbuf__set(eb, -ENOEXEC,
				   "BPF object %s is for machines of the other byte order (clang "
				   "-target bpf builds for this one)",
				   path);
	if (eh->e_machine != EM_BPF && eh->e_machine != EM_NONE)
		return errbuf__set(eb, -ENOEXEC,
				   "%s is an ELF file for machine %u, not for BPF "
				   "(%u): build it with clang -target bpf",
				   path, eh->e_machine, EM_BPF);
	if (eh->e_type != ET_REL)
		return errbuf__set(eb, -ENOEXEC, "%s is not a relocatable object (clang -c)", path);
	return 0;
}

static const Elf64_Shdr *section_at(const struct bpf_image *img, unsigned int i)
{
	const Elf64_Ehdr *eh = img->data;

	return (const void *)((const char *)img->data + eh->e_shoff +
			      (size_t)i * sizeof(Elf64_Shdr));
}

static int check_sections(const struct bpf_image *img, const char *path, struct errbuf *eb)
{
	const Elf64_Ehdr *eh = img->data;
	size_t nr = eh->e_shnum;

	if (!nr || !eh->e_shoff)
		return errbuf__set(eb, -ENOEXEC, "BPF object %s has no sections", path);
	if (eh->e_shentsize != sizeof(Elf64_Shdr) || eh->e_shoff % 8)
		return errbuf__set(eb, -ENOEXEC, "BPF object %s: malformed section table", path);
	if (eh->e_shoff > img->size || nr * sizeof(Elf64_Shdr) > img->size - eh->e_shoff)
		return errbuf__set(
			eb, -ENOEXEC,
			"BPF object %s is truncated: its section table at %llu is not in "
			"the file of %zu bytes",
			path, (unsigned long long)eh->e_shoff, img->size);
	if (eh->e_shstrndx >= nr)
		return errbuf__set(eb, -ENOEXEC, "BPF object %s: no section names", path);
	for (size_t i = 0; i < nr; i++) {
		const Elf64_Shdr *sh = section_at(img, i);

		if (sh->sh_type == SHT_NOBITS || sh->sh_type == SHT_NULL)
			continue;
		if (sh->sh_offset > img->size || sh->sh_size > img->size - sh->sh_offset)
			return errbuf__set(eb, -ENOEXEC,
					   "BPF object %s is truncated: section %zu "
					   "is not in the file",
					   path, i);
	}
	return 0;
}

int bpf_image__read(struct bpf_image *img, const char *path, struct errbuf *eb)
{
	int err;

	*img = (struct bpf_image){0};
	err = read_file(img, path, eb);
	if (!err)
		err = check_header(img, path, eb);
	if (!err)
		err = check_sections(img, path, eb);
	if (err)
		bpf_image__free(img);
	return err;
}

void bpf_image__free(struct bpf_image *img)
{
	free(img->data);
	*img = (struct bpf_image){0};
}

const void *bpf_image__section(const struct bpf_image *img, const char *name, size_t *size)
{
	const Elf64_Ehdr *eh = img->data;
	const Elf64_Shdr *names = section_at(img, eh->e_shstrndx);
	const char *strs = (const char *)img->data + names->sh_offset;
	size_t len = strlen(name) + 1;

	if (names->sh_type != SHT_STRTAB)
		return NULL;
	for (unsigned int i = 1; i < eh->e_shnum; i++) {
		const Elf64_Shdr *sh = section_at(img, i);

		if (sh->sh_type == SHT_NOBITS || sh->sh_name >= names->sh_size ||
		    len > names->sh_size - sh->sh_name || memcmp(strs + sh->sh_name, name, len))
			continue;
		*size = sh->sh_size;
		return (const char *)img->data + sh->sh_offset;
	}
	return NULL;
}
