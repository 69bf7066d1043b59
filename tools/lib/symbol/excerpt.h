/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An excerpt of an ELF file: what is needed to name and unwind certain addresses in it, and nothing
 * else, at the file's own offsets. Carried in a recording, it stands in for the file on a machine
 * that has it not: headers, notes, unwind tables, and a symbol table of the symbols asked for.
 * Code, data, strings and debug information are holes.
 *
 * Layout: u64 size of the file; u32 count of ranges; each: u64 offset, u32 length, bytes. In the
 * host's byte order.
 */
#ifndef PERF_LIB_SYMBOL_EXCERPT_H
#define PERF_LIB_SYMBOL_EXCERPT_H

#include "lib/symbol/dso.h"

/*
 * dso__excerpt - of @d's file with the symbols @syms (of this dso, loaded with no_demangle).
 * @unwind: with its unwind tables. *@data is malloc'd. 0, -errno; -ENOTSUP for a file that is not
 * ELF of 64 bits.
 */
int dso__excerpt(struct dso *d, const struct symbol *const *syms, u32 nr, bool unwind, void **data,
		 size_t *size);

/* excerpt__open - a descriptor (memfd) that reads like the file, holes as zeros; the caller closes.
 * -EBADMSG when the excerpt does not add up. @swap: it is in the other byte order. */
int excerpt__open(const void *data, size_t size, bool swap);

#endif
