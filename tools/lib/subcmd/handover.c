// SPDX-License-Identifier: GPL-2.0-only
/*
 * Commands that this binary does not have: a `perf-CMD` program, or the next `perf` on PATH.
 *
 * PERF_HANDED_ON lists ("dev:ino" in hex, comma-separated) every perf that has already passed the
 * command on, so that two copies of this one never hand it to each other for ever.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/subcmd/subcmd.h"

#define GUARD "PERF_HANDED_ON"
#define EXEC_DIRS "/usr/libexec/perf-core:/usr/lib/perf-core"

static void file_id(const struct stat *st, char *buf, size_t n)
{
	snprintf(buf, n, "%llx:%llx", (unsigned long long)st->st_dev,
		 (unsigned long long)st->st_ino);
}

static bool in_guard(const char *id)
{
	const char *list = getenv(GUARD);
	size_t n = strlen(id);

	for (const char *p = list; p && *p;) {
		size_t l = strcspn(p, ",");

		if (l == n && !strncmp(p, id, n))
			return true;
		p += l + (p[l] == ',');
	}
	return false;
}

/* An executable file that is neither ourselves nor a perf that already passed the command on. */
static bool usable(const char *file, const struct stat *self)
{
	struct stat st;
	char id[64];

	if (stat(file, &st) || !S_ISREG(st.st_mode) || access(file, X_OK))
		return false;
	if (st.st_dev == self->st_dev && st.st_ino == self->st_ino)
		return false;
	file_id(&st, id, sizeof(id));
	return !in_guard(id);
}

static bool search(const char *dirs, const char *prog, const struct stat *self, char *file,
		   size_t size)
{
	for (const char *p = dirs; p && *p;) {
		size_t n = strcspn(p, ":");

		if (n && (size_t)snprintf(file, size, "%.*s/%s", (int)n, p, prog) < size &&
		    usable(file, self))
			return true;
		p += n + (p[n] == ':');
	}
	return false;
}

/* @st of this very binary; a stat that fails leaves zeros, which no file has. */
static void stat_self(struct stat *st)
{
	if (stat("/proc/self/exe", st))
		memset(st, 0, sizeof(*st));
}

static bool next_perf(const struct stat *self, char *file, size_t size)
{
	return search(getenv("PATH"), "perf", self, file, size);
}

static void set_guard(const struct stat *self)
{
	const char *old = getenv(GUARD);
	char id[64], *all;

	file_id(self, id, sizeof(id));
	if (in_guard(id))
		return;
	if (asprintf(&all, "%s%s%s", old ? old : "", old && *old ? "," : "", id) < 0)
		return;
	setenv(GUARD, all, 1);
	free(all);
}

static int exec_it(const char *file, const char **argv, const struct stat *self, struct errbuf *eb)
{
	set_guard(self);
	workload__restore_signals();
	execv(file, (char *const *)argv);
	return errbuf__set(eb, -errno, "cannot run %s: %s", file, strerror(errno));
}

/* Both return only on failure: -ENOENT where there is no such program. */
static int exec_extension(const char *cmd, const char **argv, struct errbuf *eb)
{
	char prog[256], file[4096];
	struct stat self;

	stat_self(&self);
	if (strchr(cmd, '/') ||
	    (size_t)snprintf(prog, sizeof(prog), "perf-%s", cmd) >= sizeof(prog))
		return -ENOENT;
	if (!search(getenv("PERF_EXEC_PATH"), prog, &self, file, sizeof(file)) &&
	    !search(EXEC_DIRS, prog, &self, file, sizeof(file)) &&
	    !search(getenv("PATH"), prog, &self, file, sizeof(file)))
		return -ENOENT;
	argv[0] = file;
	return exec_it(file, argv, &self, eb);
}

int handover__next_perf(const char **argv, struct errbuf *eb)
{
	char file[4096];
	struct stat self;

	stat_self(&self);
	if (!next_perf(&self, file, sizeof(file)))
		return errbuf__set(eb, -ENOENT, "there is no other perf on PATH");
	argv[0] = file;
	return exec_it(file, argv, &self, eb);
}

/* What `FILE --list-cmds` prints, cut at @size. */
static void read_commands(const char *file, const struct stat *self, char *buf, size_t size)
{
	size_t len = 0;
	int fds[2];
	ssize_t n;
	pid_t pid;

	buf[0] = 0;
	if (pipe2(fds, O_CLOEXEC))
		return;
	pid = fork();
	if (!pid) {
		int null = open("/dev/null", O_RDWR);

		dup2(null, STDIN_FILENO);
		dup2(fds[1], STDOUT_FILENO);
		dup2(null, STDERR_FILENO);
		set_guard(self);
		workload__restore_signals();
		execl(file, "perf", "--list-cmds", (char *)NULL);
		_exit(127);
	}
	close(fds[1]);
	while (pid > 0 && len < size - 1) {
		n = read(fds[0], buf + len, size - 1 - len);
		if (n > 0)
			len += n;
		else if (n == 0 || errno != EINTR)
			break;
	}
	buf[len] = 0;
	close(fds[0]);
	while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
}

bool handover__list(char *buf, size_t size)
{
	char file[4096];
	struct stat self;

	buf[0] = 0;
	stat_self(&self);
	if (!next_perf(&self, file, sizeof(file)))
		return false;
	read_commands(file, &self, buf, size);
	return true;
}

/* Our commands, then the words of @list; the array is cut at @max - 1 names. */
static void collect_names(const struct subcmd *ours, char *list, const char **names, int max)
{
	int n = 0;

	for (; ours->name && n < max - 1; ours++)
		names[n++] = ours->name;
	for (char *w = strtok(list, " \t\n"); w && n < max - 1; w = strtok(NULL, " \t\n"))
		names[n++] = w;
	names[n] = NULL;
}

static bool listed(const char *cmd, const char *const names[])
{
	for (; *names; names++)
		if (!strcmp(*names, cmd))
			return true;
	return false;
}

int handover__run(const char *cmd, const struct subcmd *ours, const char **args, const char **whole)
{
	char list[8192];
	const char *names[256], *near;
	struct errbuf eb = {};
	bool other, mute;

	if (exec_extension(cmd, args, &eb) != -ENOENT)
		goto failed;
	other = handover__list(list, sizeof(list));
	/* A perf that lists nothing is asked all the same: it knows what it has. */
	mute = other && !list[0];
	collect_names(ours, list, names, ARRAY_SIZE(names));
	if (mute || listed(cmd, names)) {
		handover__next_perf(whole, &eb);
		goto failed;
	}
	near = nearest_name(cmd, names);
	if (near)
		pr_err("'%s' is not a perf command; did you mean '%s'? See 'perf --help'.", cmd,
		       near);
	else
		pr_err("'%s' is not a perf command%s. See 'perf --help'.", cmd,
		       other ? "" : ", and there is no other perf on PATH to hand it to");
	return 1;
failed:
	pr_err("%s", eb.msg);
	return EXIT_CANNOT_RUN;
}
