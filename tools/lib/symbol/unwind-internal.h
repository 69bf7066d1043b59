/* SPDX-License-Identifier: GPL-2.0-only */
/* What the two unwinding methods share. */
#ifndef PERF_LIB_SYMBOL_UNWIND_INTERNAL_H
#define PERF_LIB_SYMBOL_UNWIND_INTERNAL_H

#include <uthash.h>

#include "lib/symbol/unwind-tables.h"
#include "lib/symbol/unwind.h"

/* A dso's part in unwinding. */
struct unwind_module {
	UT_hash_handle hh; /* by dso */
	struct dso *dso;
	struct unwind_tables *tables; /* libunwind */
	bool shared;		      /* no method state to free */
};

#define RECENT 8

struct unwinder {
	enum unwind_method method;
	bool (*find_map)(void *space, u64 ip, struct unwind_map *map);
	struct unwind_module *modules;
	void *as;		   /* libunwind's address space */
	struct dwfl_space *spaces; /* libdw: most recently used first */

	/* the sample being unwound */
	void *space;
	const struct unwind_sample *s;
	u64 sp;
	/* code looked up for it so far */
	struct recent {
		struct unwind_map map;
		struct unwind_module *mod;
		u64 bias; /* run-time minus ELF virtual address */
	} recent[RECENT];
	u32 nr_recent, next_recent;
	bool no_info;
	u64 highest; /* end of the highest word of the stack that was read */
	u64 missed;  /* stack address behind the dump that was wanted; 0: none */
};

/* unwind__reg - perf register @n of the sample: 0 or -EINVAL when it was not recorded. */
int unwind__reg(const struct unwind_sample *s, u32 n, u64 *v);
/* unwind__dwarf_to_perf - perf's number of DWARF register @dw of machine @em; -1: none. */
int unwind__dwarf_to_perf(u16 em, u32 dw);
/* Perf's numbers of the instruction and stack pointer; -1 for an unknown machine. */
int unwind__ip_reg(u16 em);
int unwind__sp_reg(u16 em);
/* unwind__stack - @n bytes at @addr out of the dump: 0; -ENOENT not on the stack; -ENODATA behind
 * the dump (noted). */
int unwind__stack(struct unwinder *u, u64 addr, void *buf, u32 n);
/* unwind__module - the code at @ip, or NULL. */
struct recent *unwind__code(struct unwinder *u, u64 ip);
int unwind__memory(struct unwinder *u, u64 addr, void *buf, u32 n);

int unwind_libunwind__run(struct unwinder *u, u64 *ips, u32 max, u32 *nr);
void unwind_libunwind__exit(struct unwinder *u);
int unwind_libdw__run(struct unwinder *u, u64 space_id, u64 *ips, u32 max, u32 *nr);
void unwind_libdw__exit(struct unwinder *u);

#endif
