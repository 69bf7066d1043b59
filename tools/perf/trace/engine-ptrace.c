// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include "trace/engine-internal.h"
struct trace_engine *engine_ptrace__new(const struct trace_engine_opts *o, struct errbuf *eb)
{
	(void)o;
	errbuf__set(eb, -ENOSYS, "no ptrace engine");
	return NULL;
}
