/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Functions inlined at an address. One pass over a compilation unit's DWARF (DIEs of
 * DW_TAG_subprogram and DW_TAG_inlined_subroutine) makes a sorted table of address ranges, kept for
 * the run: a look-up is a binary search. DWARF 2 to 5, split units (.dwo), dwz alternate files,
 * compressed sections, separate debug files.
 */
#ifndef PERF_LIB_SYMBOL_INLINE_H
#define PERF_LIB_SYMBOL_INLINE_H

#include "lib/symbol/dso.h"

struct inline_frame {
	const char *name; /* as shown, demangled; owned by the dso, equal names equal pointers */
	const char *call_file; /* where it was called from (in the next outer frame), or NULL */
	u32 call_line;	       /* 0: unknown */
};

/*
 * dso__inlines - what was inlined at @addr (ELF virtual address), innermost first; the function
 * that has the code, dso__find_symbol()'s, is not among them. Returns the number (0: nothing
 * inlined, no debug information, or symbol_conf.no_inline); *@frames is owned by the dso and stays
 * valid. The innermost frame's own line is dso__srcline()'s; each outer one's is the call_line of
 * the frame inside it.
 */
u32 dso__inlines(struct dso *d, u64 addr, const struct inline_frame **frames);

#endif
