/* SPDX-License-Identifier: GPL-2.0-only */
/* The command table, the pager, messages of a command, and handing a command on to the next perf on
 * PATH. */
#ifndef PERF_SUBCMD_SUBCMD_H
#define PERF_SUBCMD_SUBCMD_H

#include <stdbool.h>

#include "lib/subcmd/options.h"

struct subcmd {
	const char *name;
	const char *summary; /* one line, as `perf -h` and the man page's NAME show it */
	int (*run)(int argc,
		   const char **argv); /* argv[0] is the command's name; returns the exit code */
	const struct option *(*options)(void); /* its table, for completion and checks */
};

/* Exit codes shared by all commands (DESIGN: conventions). */
enum {
	EXIT_TOOL_FAILED = 125, /* the tool itself failed, or lost events under --lossless */
	EXIT_CANNOT_RUN = 126,	/* the workload exists but cannot be run */
	EXIT_NOT_FOUND = 127,	/* the workload was not found */
	EXIT_USAGE = 129,
};

/* pr_err/pr_warn/pr_info - one line to stderr behind "perf CMD: "; pr_debug only under -v. The
 * command's name is set once by subcmd__set_name(). Newline is added. Output to a terminal clears a
 * status line first. */
void subcmd__set_name(const char *name);
extern int subcmd__verbose; /* -v count, -1 under -q */
void pr_err(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void pr_warn(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void pr_info(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void pr_debug(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/*
 * pager__start - when stdout is a terminal, routes it through $PERF_PAGER, $PAGER, `pager` or
 * `less` (upstream's order), with LESS=FRSX where LESS is unset. Does nothing for --no-pager,
 * "cat", or no terminal. pager__wait() closes stdout and waits; it is called by itself at exit.
 * pager__active() says if one runs.
 */
void pager__start(void);
void pager__wait(void);
bool pager__active(void);
extern bool pager__disabled; /* --no-pager */

/*
 * A workload: forked at once but held before exec until workload__start(), so that events can be
 * attached first (enable_on_exec). A failed exec is told by workload__start() as -errno with @eb
 * filled and *exit_code 126 or 127.
 */
struct workload;
struct workload *workload__prepare(const char *const argv[], struct errbuf *eb);
int workload__pid(const struct workload *w);
int workload__start(struct workload *w, int *exit_code, struct errbuf *eb);
/* workload__poll - 1 once it has ended, then *exit_code is its own code, or 128+N for signal N; 0
 * while it runs. */
int workload__poll(struct workload *w, int *exit_code);
int workload__wait(struct workload *w, int *exit_code);
/* workload__pidfd - readable once the workload has ended; for poll(2). -1 where the kernel has
 * none. */
int workload__pidfd(const struct workload *w);
/* workload__delete - ends (SIGTERM) what was prepared but never started; a started one is left
 * alone. */
void workload__delete(struct workload *w);

#endif
