// SPDX-License-Identifier: GPL-2.0-only
/* Source lines by libdw, which decodes a unit's line program once and keeps it sorted. */
#include <errno.h>
#include <string.h>

#include "lib/symbol/debuginfo.h"
#include "lib/symbol/srcline.h"

int dso__srcline(struct dso *d, u64 addr, struct srcline *out)
{
	struct debuginfo *di = dso__debuginfo(d);
	struct debug_unit *u;
	Dwarf_Line *line;
	int n = 0;

	out->file = NULL;
	out->line = 0;
	u = di && !debuginfo__open(di) ? debuginfo__unit(di, addr) : NULL;
	line = u ? dwarf_getsrc_die(&u->die, addr) : NULL;
	if (!line)
		return -ENOENT;
	out->file = debuginfo__source(di, &u->die, dwarf_linesrc(line, NULL, NULL));
	if (!out->file)
		return -ENOENT;
	dwarf_lineno(line, &n);
	out->line = n > 0 ? (u32)n : 0;
	return 0;
}

const char *srcline__base(const struct srcline *s)
{
	const char *slash = s->file ? strrchr(s->file, '/') : NULL;

	return slash ? slash + 1 : s->file;
}
