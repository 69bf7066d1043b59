/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What each process's descriptors are: from the calls seen (open, dup, socket, pipe ...), and, for
 * those that it had before, from /proc/PID/fd, when it is first seen. Threads and CLONE_FILES
 * children share a table; a fork copies it. Also threads' names and processes' directories.
 *
 * A path from a call is as the program wrote it, made absolute; one from /proc is as the kernel
 * sees it. What neither tells stays unknown: nothing is guessed.
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
/* fdtable__set_unknown - @fd is new, and what it is cannot be told. */
void fdtable__set_unknown(struct fdtable *t, u32 pid, int fd, bool cloexec);
/* fdtable__rename - the same descriptor by another name. */
void fdtable__rename(struct fdtable *t, u32 pid, int fd, const char *path, u32 len);
void fdtable__set_cloexec(struct fdtable *t, u32 pid, int fd, bool cloexec);
void fdtable__dup(struct fdtable *t, u32 pid, int from, int to, bool cloexec);
void fdtable__close(struct fdtable *t, u32 pid, int fd);
void fdtable__close_range(struct fdtable *t, u32 pid, u32 first, u32 last);
/* fdtable__fork - @child is a new thread or process of @pid; @share: it has the same descriptors.
 */
void fdtable__fork(struct fdtable *t, u32 pid, u32 child, bool share);
/* fdtable__born - @child is a process that @pid made, and whether that was told does not matter: if
 * not, @pid is still in the call that made it. */
void fdtable__born(struct fdtable *t, u32 pid, u32 child);
void fdtable__exec(struct fdtable *t, u32 pid);
void fdtable__exit(struct fdtable *t, u32 pid);
/* fdtable__cwd - the process's directory as far as known, NULL else. */
const char *fdtable__cwd(struct fdtable *t, u32 pid);
void fdtable__set_cwd(struct fdtable *t, u32 pid, const char *path, u32 len);

/* fdtable__in_sequence - record @seq of thread @tid (0, 1, 2 ...) follows the last one. */
bool fdtable__in_sequence(struct fdtable *t, u32 tid, u64 seq);
/* fdtable__forget - nothing is known any more of what process @pid has open, nor of its directory.
 */
void fdtable__forget(struct fdtable *t, u32 pid);

/* fdtable__generation - another number whenever an answer of the functions here might be another.
 */
u64 fdtable__generation(const struct fdtable *t);

void fdtable__set_comm(struct fdtable *t, u32 tid, const char *comm);
/* fdtable__has_comm - a name was set (or /proc asked) before. */
bool fdtable__has_comm(struct fdtable *t, u32 tid);
const char *fdtable__comm(struct fdtable *t, u32 tid);

#endif
