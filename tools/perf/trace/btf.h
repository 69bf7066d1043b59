/* SPDX-License-Identifier: GPL-2.0-only */
/* Struct layouts from the running kernel's BTF, for structs that tables-types.c does not describe,
 * or that this kernel has made longer. */
#ifndef PERF_TRACE_BTF_H
#define PERF_TRACE_BTF_H

#include "trace/type.h"

struct trace_btf;

/* trace_btf__new - loads /sys/kernel/btf/vmlinux (or @path). NULL with errno and @eb when there is
 * none. Takes about 10 ms. */
struct trace_btf *trace_btf__new(const char *path, struct errbuf *eb);
void trace_btf__delete(struct trace_btf *b);
/* trace_btf__type - the layout of struct or union @name, cached; NULL when the kernel has none.
 * Owned by @b. */
const struct trace_type *trace_btf__type(struct trace_btf *b, const char *name);

#endif
