/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Processes as /proc tells them; formats in proc(5). A comm is whatever a program chose: blanks,
 * brackets, newlines and control characters included, and is returned as it is.
 */
#ifndef PERF_API_PROCFS_H
#define PERF_API_PROCFS_H

#include <stdbool.h>
#include <sys/types.h>

#include "compiler.h"
#include "errbuf.h"

struct proc_stat {
	pid_t pid;
	char comm[64];
	char state; /* R S D T t Z X I */
	pid_t ppid, pgrp, session;
	int tty_nr;
	pid_t tpgid;	  /* foreground process group of its terminal */
	u32 flags;	  /* PF_*; PF_KTHREAD is 0x00200000 */
	u64 utime, stime; /* clock ticks */
	int num_threads;
	u64 starttime; /* clock ticks since boot: with pid, names one process for ever */
};
/* procfs__stat - of process or thread @tid. procfs__task_stat - /proc/PID/task/TID/stat. 0, -ESRCH
 * when it is gone, -EBADMSG when the text is not understood. proc_stat__parse - the same from text.
 */
int procfs__stat(pid_t tid, struct proc_stat *st);
int procfs__task_stat(pid_t pid, pid_t tid, struct proc_stat *st);
int proc_stat__parse(const char *text, struct proc_stat *st);

struct proc_status {
	pid_t tgid, pid, ppid, tracer_pid;
	uid_t uid[4]; /* real, effective, saved, file system */
	gid_t gid[4];
	u64 sig_pending, sig_shared_pending, sig_blocked, sig_ignored,
		sig_caught; /* bit N-1: signal N */
	pid_t ns_pid;	    /* its number in its own pid namespace */
	int threads;
	u64 vm_rss_kb;
};
int procfs__status(pid_t tid, struct proc_status *st);
int proc_status__parse(char *text, struct proc_status *st);

/* procfs__comm - name of @tid without its newline; the length, or -ESRCH. */
ssize_t procfs__comm(pid_t tid, char *buf, size_t size);
/* procfs__cmdline - the arguments, each ended by NUL as in the file (cut at @size); the length or
 * -errno. */
ssize_t procfs__cmdline(pid_t pid, char *buf, size_t size);
/* procfs__tgid - the process that thread @tid belongs to, or -ESRCH. */
pid_t procfs__tgid(pid_t tid);
/* procfs__link - target of /proc/PID/NAME ("exe", "cwd", "root", "ns/pid", "fd/3"); the length or
 * -errno. */
ssize_t procfs__link(pid_t pid, const char *name, char *buf, size_t size);

struct proc_map {
	u64 start, end, pgoff, ino;
	u32 maj, min;
	u32 prot; /* PROT_READ | PROT_WRITE | PROT_EXEC */
	bool shared;
	bool deleted;	  /* the kernel's " (deleted)" behind the path, which is cut off */
	const char *path; /* "" when anonymous; "[stack]", "[vdso]"; valid during the call only */
};
/* procfs__maps - every mapping of @pid in address order; a non-zero return of @cb ends it and is
 * returned. -ESRCH when the process is gone, -EACCES when it is another's. A line that is not
 * understood is skipped. */
int procfs__maps(pid_t pid, int (*cb)(void *ctx, const struct proc_map *m), void *ctx);
/* proc_map__parse - one line of maps, which it changes. 0 or -EBADMSG. */
int proc_map__parse(char *line, struct proc_map *m);

/* procfs__tasks - the threads of @pid, ascending. procfs__pids - all processes. *ids is malloc'd,
 * the count is returned, or -ESRCH / -errno. */
int procfs__tasks(pid_t pid, pid_t **ids);
int procfs__pids(pid_t **ids);

/* procfs__sysctl - the number in /proc/sys/NAME ("kernel/perf_event_paranoid"), or @def where it
 * cannot be read. */
int procfs__sysctl(const char *name, int def);

#endif
