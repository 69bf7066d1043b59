// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/subcmd/subcmd.h"

bool pager__disabled;

static pid_t pager_pid;

static bool on_path(const char *prog)
{
	const char *path = getenv("PATH");
	char file[4096];

	for (const char *p = path; p && *p;) {
		size_t n = strcspn(p, ":");

		if (n &&
		    (size_t)snprintf(file, sizeof(file), "%.*s/%s", (int)n, p, prog) <
			    sizeof(file) &&
		    !access(file, X_OK))
			return true;
		p += n + (p[n] == ':');
	}
	return false;
}

/* False: the shell would not find it, and what is written to it would be lost. A command that is
 * more than a word and arguments is the shell's to understand. */
static bool is_found(const char *command)
{
	size_t n = strcspn(command, " \t");
	char word[256];

	if (n >= sizeof(word) || command[strcspn(command, "$`'\"\\|&;<>()=~*?[{")])
		return true;
	memcpy(word, command, n);
	word[n] = 0;
	return strchr(word, '/') ? !access(word, X_OK) : on_path(word);
}

static const char *pager_command(void)
{
	const char *p = getenv("PERF_PAGER");

	if (!p)
		p = getenv("PAGER");
	if (!p && on_path("pager"))
		p = "pager";
	if (!p && on_path("less"))
		p = "less";
	if (!p || !*p || !strcmp(p, "cat"))
		return NULL;
	if (is_found(p))
		return p;
	pr_warn("the pager '%s' is not there: going on without", p);
	return NULL;
}

static void run_pager(const char *command, int in)
{
	struct pollfd pfd = {.fd = in, .events = POLLIN};

	/* A pager takes the screen as it starts: not before there is something to show. */
	while (poll(&pfd, 1, -1) < 0 && errno == EINTR)
		;
	dup2(in, STDIN_FILENO);
	setenv("LESS", "FRSX", 0);
	signal(SIGPIPE, SIG_DFL);
	execl("/bin/sh", "sh", "-c", command, (char *)NULL);
	_exit(127);
}

/* Ctrl-C reaches the pager as well, which stays: so does its feeder, until the user is done with
 * it, or the shell would read the terminal beside it. Only what may be called in a handler. */
static void wait_and_die(int sig)
{
	pid_t pid = pager_pid;

	pager_pid = 0;
	close(STDOUT_FILENO);
	close(STDERR_FILENO);
	if (pid)
		while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
			;
	signal(sig, SIG_DFL);
	raise(sig);
}

/* A command that handles the signal itself sets its handler later, or has done so before. */
static void catch_signals(void)
{
	static const int signals[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP};
	struct sigaction now, ours = {.sa_handler = wait_and_die};

	for (size_t i = 0; i < ARRAY_SIZE(signals); i++)
		if (!sigaction(signals[i], NULL, &now) && now.sa_handler == SIG_DFL)
			sigaction(signals[i], &ours, NULL);
}

void pager__start(void)
{
	const char *command;
	int fds[2];

	if (pager_pid || pager__disabled || !isatty(STDOUT_FILENO))
		return;
	command = pager_command();
	if (!command || pipe2(fds, O_CLOEXEC))
		return;
	fflush(stdout);
	pager_pid = fork();
	if (pager_pid < 0) {
		pager_pid = 0;
		close(fds[0]);
		close(fds[1]);
		return;
	}
	if (!pager_pid) {
		close(fds[1]);
		run_pager(command, fds[0]);
	}
	dup2(fds[1], STDOUT_FILENO);
	if (isatty(STDERR_FILENO))
		dup2(fds[1], STDERR_FILENO);
	close(fds[0]);
	close(fds[1]);
	catch_signals();
	atexit(pager__wait);
}

void pager__wait(void)
{
	pid_t pid = pager_pid;

	if (!pid)
		return;
	pager_pid = 0;
	/* Ctrl-C in the pager is the pager's; it must not leave it behind without its feeder. */
	signal(SIGINT, SIG_IGN);
	signal(SIGQUIT, SIG_IGN);
	fflush(stdout);
	fflush(stderr);
	close(STDOUT_FILENO);
	close(STDERR_FILENO);
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
}

bool pager__active(void)
{
	return pager_pid != 0;
}
