/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * /proc/kallsyms: "ADDR TYPE NAME[\t[MODULE]]" a line; TYPE as nm(1) prints it, capital for global.
 * All addresses are zero for those whom kptr_restrict keeps out.
 */
#ifndef PERF_LIB_SYMBOL_KALLSYMS_H
#define PERF_LIB_SYMBOL_KALLSYMS_H

#include "lib/symbol/dso.h"

struct kallsyms_symbol {
	u64 addr;
	char type;
	const char *name, *module; /* module: "" for the kernel proper; both valid in the call only
				      unless the text is kept */
};

/* kallsyms__read - the whole text, malloc'd, NUL behind. NULL with errno. */
char *kallsyms__read(const char *path);
/* kallsyms__parse - calls @cb for each line of @text, which is cut into strings in place (names
 * point into it). Stops when @cb returns non-zero, and returns that; lines that are none are
 * skipped. */
int kallsyms__parse(char *text, int (*cb)(const struct kallsyms_symbol *s, void *data), void *data);
/* kallsyms__stream - the same from the file @path, a piece at a time: names are valid in the call
 * only. 0, what @cb returned, or -errno. */
int kallsyms__stream(const char *path, int (*cb)(const struct kallsyms_symbol *s, void *data),
		     void *data);
int kallsyms__stream_fd(int fd, int (*cb)(const struct kallsyms_symbol *s, void *data), void *data);
/* kallsyms__stream_cached - this kernel's lasting symbols (no BPF programs), from a copy in the
 * user's cache directory when there is one of this boot and these modules, else from
 * /proc/kallsyms, keeping a copy. */
int kallsyms__stream_cached(int (*cb)(const struct kallsyms_symbol *s, void *data), void *data);
/* kallsyms__prefetch - makes that copy, unless it is there, in a thread of its own.
 * kallsyms__prefetched - waits for it; kallsyms__stream_cached() does so itself. */
void kallsyms__prefetch(void);
void kallsyms__prefetched(void);
/* kallsyms__restricted - whether the first lines have only zero addresses; -errno if unreadable. */
int kallsyms__restricted(const char *path);

#endif
