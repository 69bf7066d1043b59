/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A file's unwind tables in memory: .eh_frame with an index from code to FDE (.eh_frame_hdr's, or
 * one made here), or .debug_frame rewritten as .eh_frame. Internal to lib/symbol.
 *
 * Formats: LSB core, "Exception Frames"; DWARF 5, 6.4.
 */
#ifndef PERF_LIB_SYMBOL_UNWIND_TABLES_H
#define PERF_LIB_SYMBOL_UNWIND_TABLES_H

#include "lib/symbol/dso.h"

struct unwind_tables;

/* unwind_tables__load - never NULL but for lack of memory: a file without any has no entries. */
struct unwind_tables *unwind_tables__load(struct dso *d);
void unwind_tables__delete(struct unwind_tables *t);
/* unwind_tables__find - where (ELF virtual address) the FDE stands that would cover @addr, the
 * nearest below. 0, -ENOENT when there is none. */
int unwind_tables__find(const struct unwind_tables *t, u64 addr, u64 *fde);
/* unwind_tables__find_debug - the same in .debug_frame, for code that .eh_frame does not cover. */
int unwind_tables__find_debug(struct unwind_tables *t, u64 addr, u64 *fde);
/* unwind_tables__read - @n bytes at the ELF virtual address @addr out of the tables or the file's
 * read-only segments. 0 or -EFAULT. */
int unwind_tables__read(struct unwind_tables *t, u64 addr, void *buf, u32 n);

#endif
