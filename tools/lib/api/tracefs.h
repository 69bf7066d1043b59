/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tracefs, wherever it is. Where it is mounted (/sys/kernel/tracing, else as /proc/mounts tells)
 * that is used. Where it is not, a detached mount of our own (fsopen, fsmount; Linux 5.2,
 * CAP_SYS_ADMIN) is: it lives as long as this process and nobody else sees it, so that nothing is
 * left mounted. Found once and kept. Every path below is relative to its root:
 * "events/sched/sched_switch/id".
 */
#ifndef PERF_API_TRACEFS_H
#define PERF_API_TRACEFS_H

#include <sys/types.h>

#include "compiler.h"
#include "errbuf.h"

/* tracefs__fd - its root (O_PATH), for openat(2); owned here. -errno and @eb with what helps. */
int tracefs__fd(struct errbuf *eb);
/* tracefs__path - its root as a path that works inside this process ("/sys/kernel/tracing",
 * "/proc/self/fd/7"); NULL with errno and @eb. */
const char *tracefs__path(struct errbuf *eb);

/* tracefs__open - open(2) of @rel. A descriptor or -errno with @eb. */
int tracefs__open(const char *rel, int flags, struct errbuf *eb);
/* tracefs__read - a whole file of at most @max bytes, malloc'd, NUL-terminated; NULL with errno and
 * @eb. */
char *tracefs__read(const char *rel, size_t max, size_t *len, struct errbuf *eb);
/* tracefs__append - writes @text in one write(2) with O_APPEND (uprobe_events and kprobe_events are
 * emptied by any open with O_TRUNC). 0 or -errno with @eb. */
int tracefs__append(const char *rel, const char *text, struct errbuf *eb);
/* tracefs__each - the names in a folder; a non-zero return of @cb ends it and is returned. */
int tracefs__each(const char *rel, int (*cb)(void *ctx, const char *name), void *ctx,
		  struct errbuf *eb);
/* tracefs__event_id - the number of tracepoint @sys:@name, for perf_event_attr.config; -ENOENT:
 * there is none. */
int tracefs__event_id(const char *sys, const char *name, struct errbuf *eb);
/* tracefs__event_format - text of its format file, malloc'd; NULL with errno and @eb. */
char *tracefs__event_format(const char *sys, const char *name, size_t *len, struct errbuf *eb);

#endif
