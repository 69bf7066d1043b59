/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What each process's descriptors are: from the calls seen (open, dup, socket, pipe ...), and,
 * where a descriptor was there before, from /proc/PID/fd, once, at its first use. Threads and
 * CLONE_FILES children share a table; a fork copies it. Also threads' names and processes'
 * directories.
 *
 * A path from a call is as the program wrote it, made absolute; one from /proc is as the kernel
 * sees it. A process that is gone leaves its descriptors unknown: nothing is guessed.
 */
#ifndef PERF_TRACE_FDTABLE_H
#define PERF_TRACE_FDTABLE_H

#include <stdbool.h>

#include "compiler.h"

struct fdtable;

struct fdtable *fdtable__new(bool no_proc);
void fdtable__delete(struct fdtable *t);
/* fdtable__path - of descriptor @fd in process @pid: "/etc/passwd", "pipe:[123]",
 * "TCP:[127.0.0.1:80->127.0.0.1:5000]"; NULL when not known. Valid until the next call. */
const char *fdtable__path(struct fdtable *t, u32 pid, int fd);
/* fdtable__scan - what process @pid has now: its descriptors, directory and name. */
void fdtable__scan(struct fdtable *t, u32 pid);
void fdtable__set(struct fdtable *t, u32 pid, int fd, const char *path, u32 len, bool cloexec);
enum fd_unknown { FD_IS_ANY, FD_IS_PIPE, FD_IS_SOCKET };
/* fdtable__set_unknown - @fd is new and has no name here: ask /proc at its first use, and believe
 * it only when it is of that kind. */
void fdtable__set_unknown(struct fdtable *t, u32 pid, int fd, enum fd_unknown what, bool cloexec);
/* fdtable__renew - the socket's ends have changed: look again. */
void fdtable__renew(struct fdtable *t, u32 pid, int fd);
void fdtable__set_cloexec(struct fdtable *t, u32 pid, int fd, bool cloexec);
void fdtable__dup(struct fdtable *t, u32 pid, int from, int to, bool cloexec);
void fdtable__close(struct fdtable *t, u32 pid, int fd);
void fdtable__close_range(struct fdtable *t, u32 pid, u32 first, u32 last);
/* fdtable__fork - @child is a new thread or process of @pid; @share: it has the same descriptors.
 */
void fdtable__fork(struct fdtable *t, u32 pid, u32 child, bool share);
void fdtable__exec(struct fdtable *t, u32 pid);
void fdtable__exit(struct fdtable *t, u32 pid);
/* fdtable__cwd - the process's directory as far as known, NULL else. */
const char *fdtable__cwd(struct fdtable *t, u32 pid);
void fdtable__set_cwd(struct fdtable *t, u32 pid, const char *path, u32 len);

void fdtable__set_comm(struct fdtable *t, u32 tid, const char *comm);
/* fdtable__has_comm - a name was set (or /proc asked) before. */
bool fdtable__has_comm(struct fdtable *t, u32 tid);
const char *fdtable__comm(struct fdtable *t, u32 tid);

#endif
