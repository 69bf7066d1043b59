// SPDX-License-Identifier: GPL-2.0-only
/* perf help CMD: the man page where there is one, else the command's -h text. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "builtin.h"

static const struct option options[] = {OPT_END()};
static const char *const usage[] = {"[<command>]", NULL};

const struct option *cmd_help_options(void)
{
	return options;
}

/* The page beside this binary: of a build folder, or of the prefix that it is installed under. */
static bool own_page(const char *page, char *file, size_t size)
{
	static const char *const places[] = {"man", "../share/man/man1"};
	char exe[2048];
	ssize_t n = readlink("/proc/self/exe", exe, sizeof(exe) - 1);
	char *slash;

	if (n < 0)
		return false;
	exe[n] = 0;
	slash = strrchr(exe, '/');
	if (!slash)
		return false;
	*slash = 0;
	for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
		snprintf(file, size, "%s/%s/%s.1", exe, places[i], page);
		if (!access(file, R_OK))
			return true;
	}
	return false;
}

static bool run_man(const char *file)
{
	int status = -1;
	pid_t pid = fork();

	if (!pid) {
		workload__restore_signals();
		execlp("man", "man", "-l", file, (char *)NULL);
		_exit(127);
	}
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return pid > 0 && !status;
}

/* Only a page of our own: `man perf-stat` may well be the manual of another perf. */
static bool show_manual(const char *name)
{
	char page[64], file[4096];

	snprintf(page, sizeof(page), "perf-%s", name);
	fflush(stdout);
	return own_page(page, file, sizeof(file)) && run_man(file);
}

static int help_of_other(const char *name)
{
	const char *args[] = {name, "--help", NULL};
	const char *whole[] = {"perf", "help", name, NULL};

	return handover__run(name, perf__commands(), args, whole);
}

int cmd_help(int argc, const char **argv)
{
	const char *args[] = {"", "-h", NULL};
	const struct subcmd *c;

	argc = parse_options(argc, argv, options, "help", usage, 0);
	if (argc > 1)
		usage_error("help", "takes one command, got also '%s'", argv[1]);
	if (!argc) {
		perf__usage(stdout);
		return 0;
	}
	c = perf__command(argv[0]);
	if (!c)
		return help_of_other(argv[0]);
	if (show_manual(c->name))
		return 0;
	args[0] = c->name;
	return c->run(2, args);
}
