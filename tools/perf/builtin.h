/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The commands. A new one is a file builtin-NAME.c with cmd_NAME() and cmd_NAME_options(), and one
 * line here, in the order of the list that `perf` prints.
 */
#ifndef PERF_BUILTIN_H
#define PERF_BUILTIN_H

#include <stdio.h>

#include "lib/subcmd/subcmd.h"
#include "version.h"

/* X(function suffix, name, summary) */
#define PERF_COMMANDS(X)                                                           \
	X(sample_bpf, "sample-bpf",                                                \
	  "Profile with BPF programs on overflow, counted in the kernel")          \
	X(trace, "trace", "System calls, decoded; none lost with --lossless")      \
	X(record, "record", "Run a command and record its profile into perf.data") \
	X(script, "script", "Read a perf.data file and print its samples")         \
	X(buildid_list, "buildid-list", "List the buildids in a perf.data file")   \
	X(evlist, "evlist", "List the event names in a perf.data file")            \
	X(list, "list", "List all symbolic event types")                           \
	X(help, "help", "Display help information about a command")                \
	X(version, "version", "Display the version, and what it is built with")

#define PERF_DECLARE_COMMAND(func, name, summary)    \
	int cmd_##func(int argc, const char **argv); \
	const struct option *cmd_##func##_options(void);
PERF_COMMANDS(PERF_DECLARE_COMMAND)
#undef PERF_DECLARE_COMMAND

/* The table of perf.c, ended by a NULL name; and one of it by name, or NULL. */
const struct subcmd *perf__commands(void);
const struct subcmd *perf__command(const char *name);
/* perf__usage - what `perf` alone prints: how it is called, and the list of commands. */
void perf__usage(FILE *to);

/* perf__complete - candidates for the completion script: builtin-complete.c. */
int perf__complete(const char *kind, const char *prefix);

#endif
