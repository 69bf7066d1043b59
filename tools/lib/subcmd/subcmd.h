/* SPDX-License-Identifier: GPL-2.0-only */
/* The command table, the pager, messages of a command, and handing a command on to the next perf on
 * PATH. */
#ifndef PERF_SUBCMD_SUBCMD_H
#define PERF_SUBCMD_SUBCMD_H

#include <stdarg.h>
#include <stdbool.h>

#include "lib/subcmd/options.h"

struct outbuf;

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
/* subcmd__vmessage - what the above are made of: "perf CMD: " @kind and the text, control
 * characters escaped. */
void subcmd__vmessage(const char *kind, const char *fmt, va_list ap)
	__attribute__((format(printf, 2, 0)));

/* pr_status - replaces the status line; only where stderr is a terminal and not under -q.
 * pr_status_clear - removes it; the messages above do that by themselves. */
void pr_status(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void pr_status_clear(void);

/*
 * The standard descriptors. subcmd__init_stdio() is main's: SIGPIPE and SIGXFSZ are ignored from
 * then on (the workload gets the original disposition and signal mask back), so that a reader that
 * went away is -EPIPE from outbuf__flush() and a command can still end as it should.
 *
 * subcmd__write_failed - the exit code after a write that ended with @err (0 or -errno): @code when
 * all was well or the reader had enough (-EPIPE), else EXIT_TOOL_FAILED with a message.
 * subcmd__finish_output - flushes and frees @ob, then the same. subcmd__finish_stdio - for stdout.
 */
void subcmd__init_stdio(void);
int subcmd__write_failed(int err, int code);
int subcmd__finish_output(struct outbuf *ob, int code);
int subcmd__finish_stdio(int code);

/* subcmd__help_text - the text of -h, appended to @ob. */
void subcmd__help_text(struct outbuf *ob, const struct option *options, const char *cmd,
		       const char *const usage[]);

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
/* workload__set_status - for a command that reaps it itself (ptrace): the status from waitpid(2).
 */
void workload__set_status(struct workload *w, int status);
/* workload__pidfd - readable once the workload has ended; for poll(2). -1 where the kernel has
 * none. */
int workload__pidfd(const struct workload *w);
/* workload__delete - ends (SIGTERM) what was prepared but never started; a started one is left
 * alone. */
void workload__delete(struct workload *w);
/* What perf was started with (SIGPIPE, SIGXFSZ, the signal mask), kept for every program that it
 * starts. */
void workload__save_signals(void);
void workload__restore_signals(void);

/*
 * Handing on a command that this binary does not have: to `perf-CMD` in $PERF_EXEC_PATH, perf's
 * exec path or PATH, else to the next `perf` on PATH (told apart by device and inode) where that
 * lists the command. Both return only when nothing could be executed.
 *
 * handover__run - @args: argv of the command, args[0] its name; @whole: argv of perf as it was
 * called. Says what is wrong, with the nearest of all names, and returns the exit code.
 * handover__next_perf - executes the next perf with @argv (argv[0] is replaced): -errno and @eb.
 */
int handover__run(const char *cmd, const struct subcmd *ours, const char **args,
		  const char **whole);
int handover__next_perf(const char **argv, struct errbuf *eb);
/* handover__list - the commands of the next perf (its --list-cmds), separated by blanks; false:
 * there is no other perf. */
bool handover__list(char *buf, size_t size);

#endif
