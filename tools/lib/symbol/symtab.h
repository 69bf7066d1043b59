/* SPDX-License-Identifier: GPL-2.0-only */
/* A table of symbols: filled in any order, then sorted, freed of aliases and searched. Names are
 * borrowed from blocks that the table owns; they are demangled only when a symbol is found. */
#ifndef PERF_LIB_SYMBOL_SYMTAB_H
#define PERF_LIB_SYMBOL_SYMTAB_H

#include "lib/symbol/dso.h"

struct symtab;

/* Where code and data lie: a symbol without a size ends with its range at the latest. */
struct symtab_range {
	u64 start, end;
};

enum symtab_flags {
	SYMTAB_NO_DEMANGLE = 1, /* names as they are in the file */
	SYMTAB_LAST_WINS = 2,	/* a later symbol replaces what it overlaps (JIT maps) */
	SYMTAB_GUESS_ENDS = 4,	/* no range known: the last symbol gets the rest of its page and one
				   more (kallsyms) */
};

struct symtab *symtab__new(void);
void symtab__delete(struct symtab *st);
/* symtab__own - the table frees @block (malloc'd, holds names) when it goes. 0, or -ENOMEM and
 * @block freed. */
int symtab__own(struct symtab *st, void *block);
/* symtab__add - @size 0: unknown. @name is kept as pointer. 0 or -ENOMEM. */
int symtab__add(struct symtab *st, u64 start, u64 size, const char *name, u8 binding, u8 type);
/* symtab__add_copy - the same with @prefix of @len bytes of name and @suffix copied. */
int symtab__add_copy(struct symtab *st, u64 start, u64 size, const char *name, size_t len,
		     const char *suffix, u8 binding, u8 type);
/* symtab__keep - a copy of @s that lives as long as the table. NULL on lack of memory. */
const char *symtab__keep(struct symtab *st, const char *s);
/* symtab__finish - sort, choose among aliases, end the sizeless ones. 0 or -ENOMEM. */
int symtab__finish(struct symtab *st, const struct symtab_range *ranges, u32 nr_ranges,
		   unsigned int flags);
u32 symtab__nr(const struct symtab *st);
/* symtab__find - the innermost symbol covering @addr, its name ready to be shown; or NULL. */
const struct symbol *symtab__find(struct symtab *st, u64 addr);
/* symtab__find_name - by raw, version-less or shown name; the lowest address. */
const struct symbol *symtab__find_name(struct symtab *st, const char *name);
/* symtab__raw_name - before symtab__finish(): the preferred name at @addr exactly, or NULL. */
const char *symtab__raw_name(const struct symtab *st, u64 addr);
/* symtab__chain - @old lives as long as @st (its names have been handed out). */
void symtab__chain(struct symtab *st, struct symtab *old);
/* symtab__at - for walks; the name is made ready. NULL behind the last. */
const struct symbol *symtab__at(struct symtab *st, u32 i);

#endif
