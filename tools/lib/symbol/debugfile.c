// SPDX-License-Identifier: GPL-2.0-only
/*
 * Separate debug files. By build id: DEBUGDIR/.build-id/xx/yyy.debug. By .gnu_debuglink (a file
 * name and its CRC-32): beside the file, in .debug beside it, under DEBUGDIR. And .gnu_debugdata,
 * a small xz-compressed ELF file inside the file (as Fedora ships).
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <lzma.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "lib/symbol/dso-internal.h"

#define MAX_DEBUGDATA_IN (64u << 20)
#define MAX_DEBUGDATA_OUT (256u << 20)
#define XZ_MEMLIMIT (128u << 20)

static int open_regular(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat st;

	if (fd < 0)
		return -errno;
	if (fstat(fd, &st) || !S_ISREG(st.st_mode)) {
		close(fd);
		return -ENOENT;
	}
	return fd;
}

static bool has_build_id(int fd, const struct build_id *want)
{
	struct elf_image *e = elf_image__open_fd(fd);
	struct build_id id;
	bool same = e && !elf_image__build_id(e, &id) && id.size == want->size &&
		    !memcmp(id.data, want->data, id.size);

	elf_image__close(e);
	return same;
}

static bool has_crc(int fd, u32 want)
{
	u32 crc = (u32)crc32(0, NULL, 0);
	u8 *buf = malloc(1 << 18);
	ssize_t n;
	off_t off = 0;

	if (!buf)
		return false;
	while ((n = pread(fd, buf, 1 << 18, off)) > 0) {
		crc = (u32)crc32(crc, buf, (uInt)n);
		off += n;
	}
	free(buf);
	return n == 0 && crc == want;
}

/* The places a file of the profiled process may be seen from. */
static u32 roots(const struct dso *d, char out[2][64], const char **symfs)
{
	u32 n = 0;

	*symfs = d->dsos->symfs;
	if (*symfs)
		return 0;
	if (d->pid > 0 && d->kind == DSO_USER)
		snprintf(out[n++], sizeof(out[0]), "/proc/%d/root", d->pid);
	out[n++][0] = 0;
	return n;
}

static int try_build_id(const char *root, const char *dir, const struct build_id *id, char *buf,
			size_t size)
{
	char hex[41];
	int fd;

	build_id__hex(id, hex);
	if ((size_t)snprintf(buf, size, "%s%s/.build-id/%.2s/%s.debug", root, dir, hex, hex + 2) >=
	    size)
		return -ENAMETOOLONG;
	fd = open_regular(buf);
	if (fd >= 0 && !has_build_id(fd, id)) {
		close(fd);
		return -ESTALE;
	}
	return fd;
}

struct debuglink {
	char name[NAME_MAX + 1];
	u32 crc;
};

static int read_debuglink(const struct elf_image *e, struct debuglink *l)
{
	const struct elf_shdr *sh = elf_image__section(e, ".gnu_debuglink");
	size_t len;
	char *p;

	if (!sh)
		return -ENOENT;
	p = elf_image__read_section(e, sh, 4096);
	if (!p)
		return -errno;
	len = strlen(p);
	/* a name with a slash would lead out of the directories we look in */
	if (!len || len > NAME_MAX || strchr(p, '/') || ((len + 4) & ~3ULL) + 4 > sh->size) {
		free(p);
		return -EBADMSG;
	}
	memcpy(l->name, p, len + 1);
	l->crc = elf_image__u32(e, p + ((len + 4) & ~3ULL));
	free(p);
	return 0;
}

static int try_debuglink(const struct dso *d, const char *root, const struct debuglink *l,
			 const struct build_id *id, char *buf, size_t size)
{
	const char *slash = strrchr(d->path, '/');
	int dirlen = slash ? (int)(slash - d->path) : 0;
	struct stat st, own;

	if (stat(d->path, &own))
		own.st_ino = 0;
	for (int i = 0; i < 3; i++) {
		int fd, n;

		if (i == 2)
			n = snprintf(buf, size, "%s%s%.*s/%s", root, d->dsos->debug_dir, dirlen,
				     d->path, l->name);
		else
			n = snprintf(buf, size, "%s%.*s/%s%s", root, dirlen, d->path,
				     i ? ".debug/" : "", l->name);
		if (n < 0 || (size_t)n >= size)
			continue;
		fd = open_regular(buf);
		if (fd < 0)
			continue;
		/* a link to itself would be no debug file */
		if (!fstat(fd, &st) && own.st_ino && st.st_ino == own.st_ino &&
		    st.st_dev == own.st_dev) {
			close(fd);
			continue;
		}
		if ((id->size && has_build_id(fd, id)) || has_crc(fd, l->crc))
			return fd;
		close(fd);
	}
	return -ENOENT;
}

int debugfile__open(struct dso *d, const struct elf_image *e, char **path)
{
	struct debuglink link;
	char root[2][64], buf[PATH_MAX];
	struct build_id id = {};
	const char *symfs;
	u32 nr = roots(d, root, &symfs);
	bool have_link = !read_debuglink(e, &link);
	int fd = -ENOENT;

	elf_image__build_id(e, &id);
	*path = NULL;
	for (u32 i = 0; i < (symfs ? 1 : nr); i++) {
		const char *r = symfs ?: root[i];

		if (id.size) {
			fd = try_build_id(r, d->dsos->debug_dir, &id, buf, sizeof(buf));
			if (fd >= 0)
				break;
		}
		if (have_link && d->kind == DSO_USER && d->path[0] == '/') {
			fd = try_debuglink(d, r, &link, &id, buf, sizeof(buf));
			if (fd >= 0)
				break;
		}
	}
	if (fd >= 0)
		*path = strdup(buf);
	return fd;
}

void *debugfile__minidebug(const struct elf_image *e, u64 *size)
{
	const struct elf_shdr *sh = elf_image__section(e, ".gnu_debugdata");
	lzma_stream s = LZMA_STREAM_INIT;
	size_t cap, len = 0;
	u8 *in, *out = NULL;
	lzma_ret ret;

	errno = ENOENT;
	if (!sh)
		return NULL;
	in = elf_image__read_section(e, sh, MAX_DEBUGDATA_IN);
	if (!in)
		return NULL;
	if (lzma_stream_decoder(&s, XZ_MEMLIMIT, 0) != LZMA_OK) {
		free(in);
		errno = ENOMEM;
		return NULL;
	}
	s.next_in = in;
	s.avail_in = sh->size;
	cap = sh->size * 4 + 4096;
	ret = LZMA_OK;
	while (ret == LZMA_OK) {
		u8 *p = cap <= MAX_DEBUGDATA_OUT ? realloc(out, cap) : NULL;

		if (!p)
			break;
		out = p;
		s.next_out = out + len;
		s.avail_out = cap - len;
		ret = lzma_code(&s, LZMA_FINISH);
		len = cap - s.avail_out;
		if (s.avail_out && ret == LZMA_OK)
			break; /* no progress: cut short */
		cap *= 2;
	}
	lzma_end(&s);
	free(in);
	if (ret != LZMA_STREAM_END) {
		free(out);
		errno = EBADMSG;
		return NULL;
	}
	*size = len;
	return out;
}
