/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The guard: a small process that outlives the tool. Where a thread blocks SIGWINCH it is stopped
 * with SIGSTOP; should the tool be killed before it took the signal back, the thread's process
 * would stand still for ever. The guard notices the tool's end and sends SIGCONT to those that are
 * stopped because of us.
 */
#ifndef PERF_TRACE_GUARD_H
#define PERF_TRACE_GUARD_H

#include "bpf/trace.h"
#include "errbuf.h"

struct guard;

/* guard__start - @ctl: the programs' mapped memory, in which they note whom they send SIGSTOP. NULL
 * with errno and @eb. */
struct guard *guard__start(const struct trace_ctl *ctl, struct errbuf *eb);
/* guard__end - the tool has let everybody go: the guard ends and does nothing. */
void guard__end(struct guard *g);

#endif
