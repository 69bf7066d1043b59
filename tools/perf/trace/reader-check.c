// SPDX-License-Identifier: GPL-2.0-only
/* Who must not be stopped while the output has to go out: its reader, ourselves, our parents. */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "lib/api/procfs.h"
#include "trace/engine.h"

#define PTMX_MAJOR 5
#define PTMX_MINOR 2
#define PTS_MAJOR_FIRST 136
#define PTS_MAJOR_LAST 143

static bool in_set(pid_t pid, const pid_t *pids, int nr)
{
	for (int i = 0; i < nr; i++)
		if (pids[i] == pid)
			return true;
	return false;
}

static int refuse(pid_t pid, const char *why, struct errbuf *eb)
{
	char comm[64] = "?";

	procfs__comm(pid, comm, sizeof(comm));
	return errbuf__set(
		eb, -EDEADLK,
		"process %d (%s) cannot be traced with blocking: it %s, so it would wait "
		"for itself; write to a file with -o, or trace without --block",
		pid, comm, why);
}

/* The value of "@key:\tN" in /proc/PID/fdinfo/FD, in base @base; -1: none. */
static long fdinfo(pid_t pid, const char *fd, const char *key, int base)
{
	char path[96], line[128];
	long v = -1;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/fdinfo/%.20s", pid, fd);
	f = fopen(path, "re");
	if (!f)
		return -1;
	while (v < 0 && fgets(line, sizeof(line), f))
		if (!strncmp(line, key, strlen(key)) && line[strlen(key)] == ':')
			v = strtol(line + strlen(key) + 1, NULL, base);
	fclose(f);
	return v;
}

/* Whether descriptor @fd of @pid reads what we write: the other end of our pipe, or the master of
 * our terminal. */
static bool reads_ours(pid_t pid, const char *fd, const struct stat *ours)
{
	char path[96];
	struct stat st;

	snprintf(path, sizeof(path), "/proc/%d/fd/%.20s", pid, fd);
	if (stat(path, &st))
		return false;
	if (S_ISFIFO(ours->st_mode))
		return st.st_dev == ours->st_dev && st.st_ino == ours->st_ino &&
		       (fdinfo(pid, fd, "flags", 8) & O_ACCMODE) != O_WRONLY;
	return S_ISCHR(st.st_mode) && major(st.st_rdev) == PTMX_MAJOR &&
	       minor(st.st_rdev) == PTMX_MINOR &&
	       fdinfo(pid, fd, "tty-index", 10) ==
		       (long)((major(ours->st_rdev) - PTS_MAJOR_FIRST) * 256 +
			      minor(ours->st_rdev));
}

static bool process_reads(pid_t pid, const struct stat *ours)
{
	char path[64];
	struct dirent *d;
	bool found = false;
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%d/fd", pid);
	dir = opendir(path);
	if (!dir)
		return false;
	while (!found && (d = readdir(dir)))
		if (isdigit((unsigned char)d->d_name[0]))
			found = reads_ours(pid, d->d_name, ours);
	closedir(dir);
	return found;
}

static int check_fd(int fd, const pid_t *pids, int nr, struct errbuf *eb)
{
	struct ucred peer;
	socklen_t len = sizeof(peer);
	bool tty;
	struct stat st;

	if (fstat(fd, &st))
		return 0;
	if (S_ISSOCK(st.st_mode)) {
		if (!getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &len) &&
		    in_set(peer.pid, pids, nr))
			return refuse(peer.pid, "is at the other end of the output's socket", eb);
		return 0;
	}
	tty = S_ISCHR(st.st_mode) && major(st.st_rdev) >= PTS_MAJOR_FIRST &&
	      major(st.st_rdev) <= PTS_MAJOR_LAST;
	if (!S_ISFIFO(st.st_mode) && !tty)
		return 0;
	for (int i = 0; i < nr; i++)
		if (process_reads(pids[i], &st))
			return refuse(pids[i],
				      tty ? "owns the terminal that the output goes to"
					  : "reads the pipe that the output goes to",
				      eb);
	return 0;
}

int trace__check_reader(int fd, const pid_t *pids, int nr, struct errbuf *eb)
{
	struct proc_stat st;
	int err;

	if (in_set(getpid(), pids, nr))
		return errbuf__set(eb, -EDEADLK, "perf trace cannot trace itself with blocking");
	for (pid_t p = getppid(); p > 0; p = st.ppid) {
		if (in_set(p, pids, nr))
			return refuse(p, "is a parent of this perf trace", eb);
		if (procfs__stat(p, &st))
			break;
	}
	err = check_fd(fd, pids, nr, eb);
	if (!err && fd != STDERR_FILENO)
		err = check_fd(STDERR_FILENO, pids, nr, eb);
	return err;
}
