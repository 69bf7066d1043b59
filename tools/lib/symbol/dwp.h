/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * DWARF packages: the .dwo files of a program in one, PROGRAM.dwp, with an index from a unit's id
 * to its parts of the sections (DWARF 5, 7.3.5; before that, the GNU extension of the same layout).
 * libdw finds .dwo files but does not read packages: a unit's parts are laid out here as an object
 * of their own in memory, which it does read. Internal to lib/symbol.
 */
#ifndef PERF_LIB_SYMBOL_DWP_H
#define PERF_LIB_SYMBOL_DWP_H

#include <elfutils/libdw.h>

#include "compiler.h"

struct dwp;

/* What the unit in the program itself, the skeleton, says. */
struct dwp_skeleton {
	u64 id; /* DW_AT_GNU_dwo_id, or of the unit's header */
	u16 version;
	/* The program's .debug_addr from the unit's base on, and (before DWARF 5) .debug_ranges. */
	const void *addr, *ranges;
	size_t addr_size, ranges_size;
};

struct dwp_unit {
	Elf *elf;
	Dwarf *dw;
	void *image;
	Dwarf_Die die;
};

/* dwp__open - the package @path, or NULL with errno. */
struct dwp *dwp__open(const char *path);
void dwp__close(struct dwp *p);
/* dwp__unit - opens the unit of @s: 0, or -ENOENT, -EBADMSG, -ENOMEM. What it gave is valid until
 * dwp_unit__close(). */
int dwp__unit(struct dwp *p, const struct dwp_skeleton *s, struct dwp_unit *u);
void dwp_unit__close(struct dwp_unit *u);

#endif
