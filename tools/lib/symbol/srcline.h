/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Source lines out of DWARF line programs (.debug_line, in the file or its separate debug file).
 * A compilation unit's lines are decoded once, at the first address that falls into it, and kept.
 */
#ifndef PERF_LIB_SYMBOL_SRCLINE_H
#define PERF_LIB_SYMBOL_SRCLINE_H

#include "lib/symbol/dso.h"

struct srcline {
	const char *file; /* as the compiler recorded it, with its directory; owned by the dso */
	u32 line;	  /* 0: code that belongs to no line */
};

/* dso__srcline - the line of the ELF virtual address @addr. 0; -ENOENT when there is no debug
 * information for it. Answers (also the negative ones) come from tables after a unit's first use.
 */
int dso__srcline(struct dso *d, u64 addr, struct srcline *out);
/* srcline__base - the file's name without directories. */
const char *srcline__base(const struct srcline *s);

#endif
