/* SPDX-License-Identifier: GPL-2.0-only */
/* Where functions begin in a file without symbols: from the table in .eh_frame_hdr, which stripping
 * leaves in place. */
#ifndef PERF_LIB_SYMBOL_FUNCTIONS_H
#define PERF_LIB_SYMBOL_FUNCTIONS_H

#include "lib/symbol/dso.h"

/*
 * dso__function_start - the start (ELF virtual address) of the function that has @addr, as the
 * unwind tables know it: 0 and *@start; -ENOENT when the file has no such table or @addr lies
 * before all of them. The table is read once and kept (4 bytes a function). Format: Linux Standard
 * Base, .eh_frame_hdr: version 1, encodings, count, then pairs sorted by address.
 */
int dso__function_start(struct dso *d, u64 addr, u64 *start);

#endif
