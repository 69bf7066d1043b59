/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Control groups as perf events see them: the v1 hierarchy with the perf_event controller where one
 * is mounted, else cgroup v2 (where perf_event is always on). A group's path is relative to that
 * mount, with a leading '/': "/", "/system.slice/ssh.service". Its id is the 64-bit one that
 * PERF_SAMPLE_CGROUP, PERF_RECORD_CGROUP and bpf_get_current_cgroup_id() carry.
 */
#ifndef PERF_API_CGROUPFS_H
#define PERF_API_CGROUPFS_H

#include <stdbool.h>
#include <sys/types.h>

#include "compiler.h"
#include "errbuf.h"

/* cgroupfs__mount - where the hierarchy is mounted, kept here; NULL with errno and @eb when none
 * is. *v2 (may be NULL). */
const char *cgroupfs__mount(bool *v2, struct errbuf *eb);
/* cgroupfs__mount_v2 - the v2 hierarchy alone (for BPF's cgroup ids); NULL with errno and @eb. */
const char *cgroupfs__mount_v2(struct errbuf *eb);
/* cgroupfs__open - the group's folder, for perf_event_open(2) with PERF_FLAG_PID_CGROUP: the
 * caller's descriptor, or -errno and @eb. @name with or without its leading '/'. */
int cgroupfs__open(const char *name, struct errbuf *eb);
/* cgroupfs__open_v2 - the same in the v2 hierarchy alone, for BPF programs. */
int cgroupfs__open_v2(const char *name, struct errbuf *eb);
/* cgroupfs__id - of group @name. 0 or -errno. */
int cgroupfs__id(const char *name, u64 *id, struct errbuf *eb);
/* cgroupfs__path - path of the v2 group @id, malloc'd; NULL: there is none (any more). */
char *cgroupfs__path(u64 id);
/* cgroupfs__of_pid - path of the group that @pid is in. 0 or -errno. */
int cgroupfs__of_pid(pid_t pid, char *buf, size_t size);

#endif
