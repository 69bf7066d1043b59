/* SPDX-License-Identifier: GPL-2.0-only */
/* A dso's DWARF, opened once, with its compilation units by address. Internal to lib/symbol. */
#ifndef PERF_LIB_SYMBOL_DEBUGINFO_H
#define PERF_LIB_SYMBOL_DEBUGINFO_H

#include <elfutils/libdw.h>

#include "lib/symbol/dso.h"

struct inline_table;

struct debug_unit {
	Dwarf_Die die;	 /* the unit itself, or the skeleton of a split one */
	Dwarf_Die split; /* the .dwo's unit; addr NULL: not split, or the .dwo was not found */
	bool inlines_read;
	struct inline_table *inlines; /* NULL: none */
};

struct debuginfo;

/* dso__debuginfo - opens at first use; NULL when the dso has none (remembered). Owned by the dso.
 */
struct debuginfo *dso__debuginfo(struct dso *d);
/* debuginfo__unit - the unit that holds @addr, or NULL. */
struct debug_unit *debuginfo__unit(struct debuginfo *di, u64 addr);
/* debuginfo__string - @s kept once for the life of the dso: equal strings, equal pointers. NULL on
 * lack of memory. */
const char *debuginfo__string(struct debuginfo *di, const char *s);
/* debuginfo__name_cache - a slot, NULL at first, for what is known of the DIE at @key. NULL on lack
 * of memory. */
const char **debuginfo__name_slot(struct debuginfo *di, const void *key);

/* inline.c */
void inline_table__delete(struct inline_table *t);

#endif
