// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/symbol/dso-internal.h"
#include "lib/symbol/elf-image.h"
#include "lib/symbol/functions.h"

#define HDR_MAX (64ul << 20) /* bytes of .eh_frame_hdr that are believed */
#define PE_UDATA4 0x03
#define PE_SDATA4 0x0b
#define PE_DATAREL 0x30
#define PE_PCREL 0x10
#define HDR_FIXED 12 /* version, three encodings, eh_frame_ptr, fde_count */

/* The one shape that linkers write: 4-byte words, table relative to the header itself. */
static int read_table(struct dso *d, const struct elf_image *e)
{
	const struct elf_shdr *sh = elf_image__section(e, ".eh_frame_hdr");
	unsigned char *p = sh ? elf_image__read_section(e, sh, HDR_MAX) : NULL;
	u32 nr, kept = 0;
	int err = -ENOENT;

	if (!p)
		return -ENOENT;
	if (sh->size < HDR_FIXED || p[0] != 1 ||
	    (p[1] != (PE_PCREL | PE_SDATA4) && p[1] != (PE_DATAREL | PE_SDATA4)) ||
	    p[2] != PE_UDATA4 || p[3] != (PE_DATAREL | PE_SDATA4))
		goto out;
	nr = elf_image__u32(e, p + 8);
	if (nr > (sh->size - HDR_FIXED) / 8)
		nr = (sh->size - HDR_FIXED) / 8;
	err = -ENOMEM;
	d->func_start = malloc((nr ? nr : 1) * sizeof(*d->func_start));
	if (!d->func_start)
		goto out;
	for (u32 i = 0; i < nr; i++) {
		s32 loc = elf_image__u32(e, p + HDR_FIXED + 8ul * i);

		/* Sorted by definition; one that is not would mislead the search. */
		if (!kept || loc > d->func_start[kept - 1])
			d->func_start[kept++] = loc;
	}
	d->func_base = sh->addr;
	d->nr_func = kept;
	err = 0;
out:
	free(p);
	return err;
}

static void load(struct dso *d)
{
	int fd = dso__open_file(d);
	struct elf_image *e = fd >= 0 ? elf_image__open_fd(fd) : NULL;

	d->functions = e && !read_table(d, e) ? LOADED : LOAD_FAILED;
	elf_image__close(e);
	if (fd >= 0)
		close(fd);
}

int dso__function_start(struct dso *d, u64 addr, u64 *start)
{
	s64 rel;
	u32 lo = 0, hi;

	if (d->functions == NOT_LOADED)
		load(d);
	if (d->functions != LOADED)
		return -ENOENT;
	rel = (s64)(addr - d->func_base);
	for (hi = d->nr_func; lo < hi;) {
		u32 mid = lo + (hi - lo) / 2;

		if (d->func_start[mid] <= rel)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (!lo)
		return -ENOENT;
	*start = d->func_base + d->func_start[lo - 1];
	return 0;
}
