/* SPDX-License-Identifier: GPL-2.0-only */
/* A dso's DWARF, opened once, with its compilation units by address and what was learned of them.
 * Internal to lib/symbol. */
#ifndef PERF_LIB_SYMBOL_DEBUGINFO_H
#define PERF_LIB_SYMBOL_DEBUGINFO_H

#include <elfutils/libdw.h>
#include <uthash.h>

#include "lib/symbol/dso.h"
#include "lib/symbol/inline.h"

#define NO_NODE UINT32_MAX

/* An inlined call: its frame, and the inlined call around it. */
struct inline_node {
	struct inline_frame frame;
	u32 parent, depth;
	struct inline_frame *chain; /* this frame and all around it, made at the first look-up */
};

struct inline_span {
	u64 start, end;
	u32 node, level;
};

/* The inlined calls of one unit: which of them is innermost where. */
struct inline_table {
	struct inline_node *nodes;
	u32 nr_nodes, cap_nodes;
	struct inline_span *spans; /* after building: sorted, no overlaps */
	u32 nr_spans, cap_spans;
};

struct debug_unit {
	Dwarf_Die die;	 /* the unit itself, or the skeleton of a split one */
	Dwarf_Die split; /* the .dwo's unit; addr NULL: not split, or the .dwo was not found */
	bool inlines_read;
	struct inline_table *inlines; /* NULL: none */
};

struct unit_range {
	u64 start, end;
	u32 unit;
};

struct kept_string;
struct name_slot;

struct debuginfo {
	struct dso *d;
	int fd;
	Elf *elf;
	Dwarf *dw;
	struct dwp *dwp; /* the package beside it, NULL: none */
	bool dwp_tried;
	bool tried;   /* to open the DWARF: with a copy of what is known it may not be needed */
	bool costly;  /* to read: worth a copy */
	bool learned; /* more than the copy has */
	struct debug_unit *units;
	u32 nr_units, cap_units;
	struct unit_range *ranges; /* sorted */
	u32 nr_ranges, cap_ranges;
	struct kept_string *strings;
	struct name_slot *names;
};

/* dso__debuginfo - opens at first use; NULL when the dso has none (remembered). Owned by the dso.
 */
struct debuginfo *dso__debuginfo(struct dso *d);
/* debuginfo__open - makes the units' DIEs usable: 0, or -ENOENT. */
int debuginfo__open(struct debuginfo *di);
/* debuginfo__unit - the unit that holds @addr, or NULL. */
struct debug_unit *debuginfo__unit(struct debuginfo *di, u64 addr);
/* debuginfo__string - @s kept once for the life of the dso: equal strings, equal pointers. NULL on
 * lack of memory. */
const char *debuginfo__string(struct debuginfo *di, const char *s);
/* debuginfo__source - the path of a source file that libdw calls @file: where it is relative, from
 * the directory that its unit was compiled in. @file on lack of memory. */
const char *debuginfo__source(struct debuginfo *di, Dwarf_Die *unit, const char *file);
/* debuginfo__forget_names - what was known of DIEs and files that are about to go. */
void debuginfo__forget_names(struct debuginfo *di);
/* debuginfo__packed - the unit of the package that belongs to the skeleton @u: 0, or -errno. */
struct dwp_unit;
int debuginfo__packed(struct debuginfo *di, struct debug_unit *u, struct dwp_unit *unit);
/* debuginfo__name_slot - a slot, NULL at first, for what is known of the DIE at @key. NULL on lack
 * of memory. */
const char **debuginfo__name_slot(struct debuginfo *di, const void *key);

/* inline.c */
void inline_table__delete(struct inline_table *t);

/* inline-cache.c: units and their inlined calls, kept by build id in the user's cache directory. */
/* inline_cache__load - fills @di; 0, or -ENOENT when there is no (sane) copy. */
int inline_cache__load(struct debuginfo *di);
/* inline_cache__save - when something was learned; a failure is no matter. */
void inline_cache__save(const struct debuginfo *di);

#endif
