/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One option table a command. From the same table come parsing, `-h`, the man page's check, bash
 * completion and the "did you mean" of an unknown option. Conventions are those of upstream perf
 * and git:
 * `--name=value`, `--name value`, `-nvalue`, `-n value`, clustered short flags, `--no-NAME` for
 * every flag that can be negated, unambiguous prefixes of long names, `--` ends the options, and a
 * command whose remaining arguments are a workload stops at the first non-option
 * (SUBCMD_STOP_AT_NON_OPTION).
 */
#ifndef PERF_SUBCMD_OPTIONS_H
#define PERF_SUBCMD_OPTIONS_H

#include <stdbool.h>

#include "compiler.h"
#include "errbuf.h"

enum opt_type {
	OPT_TYPE_END,
	OPT_TYPE_GROUP,	   /* heading in the help text, from .help */
	OPT_TYPE_FLAG,	   /* bool *value; --no-NAME clears */
	OPT_TYPE_COUNT,	   /* int *value, one more each time (-v -v); --no-NAME sets 0 */
	OPT_TYPE_INT,	   /* int *value */
	OPT_TYPE_UINT,	   /* unsigned int *value */
	OPT_TYPE_U64,	   /* u64 *value; decimal, 0x hex */
	OPT_TYPE_DOUBLE,   /* double *value */
	OPT_TYPE_STRING,   /* const char **value, points into argv */
	OPT_TYPE_CALLBACK, /* parse() is called with the argument (NULL when unset or absent) */
};

enum opt_flags {
	OPT_NO_NEGATE = 1 << 0, /* --no-NAME is refused */
	OPT_OPTARG = 1 << 1, /* the argument may be left out (only --name=arg or -narg give one) */
	OPT_NOARG = 1 << 2,  /* a callback that takes no argument */
	OPT_HIDDEN = 1 << 3, /* parsed, but not in -h (compatibility names) */
	OPT_EXCLUSIVE = 1 << 4, /* not together with another option that has this flag */
};

struct option {
	enum opt_type type;
	int short_name;	       /* a character or 0 */
	const char *long_name; /* without dashes, or NULL */
	void *value;
	const char *argh; /* the argument's name in the help text: "n", "event", "file" */
	const char *help; /* one line */
	unsigned int flags;
	/* OPT_TYPE_CALLBACK: 0 or -errno with @eb filled. @unset: --no-NAME was given. */
	int (*parse)(const struct option *opt, const char *arg, bool unset, struct errbuf *eb);
	void *data;	      /* for parse() */
	const char *def;      /* OPT_OPTARG: what a missing argument stands for */
	const char *complete; /* bash completion of the argument: "file", "event", "pid", "cpu", or
				 a list "a b c" */
};

#define OPT_END()                    \
	{                            \
		.type = OPT_TYPE_END \
	}
#define OPT_GROUP(h)                                \
	{                                           \
		.type = OPT_TYPE_GROUP, .help = (h) \
	}
#define OPT_FLAG(s, l, v, h)                                                              \
	{                                                                                 \
		.type = OPT_TYPE_FLAG, .short_name = (s), .long_name = (l), .value = (v), \
		.help = (h)                                                               \
	}
#define OPT_COUNT(s, l, v, h)                                                              \
	{                                                                                  \
		.type = OPT_TYPE_COUNT, .short_name = (s), .long_name = (l), .value = (v), \
		.help = (h)                                                                \
	}
#define OPT_INT(s, l, v, a, h)                                                           \
	{                                                                                \
		.type = OPT_TYPE_INT, .short_name = (s), .long_name = (l), .value = (v), \
		.argh = (a), .help = (h)                                                 \
	}
#define OPT_UINT(s, l, v, a, h)                                                           \
	{                                                                                 \
		.type = OPT_TYPE_UINT, .short_name = (s), .long_name = (l), .value = (v), \
		.argh = (a), .help = (h)                                                  \
	}
#define OPT_U64(s, l, v, a, h)                                                           \
	{                                                                                \
		.type = OPT_TYPE_U64, .short_name = (s), .long_name = (l), .value = (v), \
		.argh = (a), .help = (h)                                                 \
	}
#define OPT_DOUBLE(s, l, v, a, h)                                                           \
	{                                                                                   \
		.type = OPT_TYPE_DOUBLE, .short_name = (s), .long_name = (l), .value = (v), \
		.argh = (a), .help = (h)                                                    \
	}
#define OPT_STRING(s, l, v, a, h)                                                           \
	{                                                                                   \
		.type = OPT_TYPE_STRING, .short_name = (s), .long_name = (l), .value = (v), \
		.argh = (a), .help = (h)                                                    \
	}
#define OPT_CALLBACK(s, l, v, a, h, f)                                                        \
	{                                                                                     \
		.type = OPT_TYPE_CALLBACK, .short_name = (s), .long_name = (l), .value = (v), \
		.argh = (a), .help = (h), .parse = (f)                                        \
	}
#define OPT_CALLBACK_OPTARG(s, l, v, a, h, f, d)                                              \
	{                                                                                     \
		.type = OPT_TYPE_CALLBACK, .short_name = (s), .long_name = (l), .value = (v), \
		.argh = (a), .help = (h), .parse = (f), .flags = OPT_OPTARG, .def = (d)       \
	}
#define OPT_CALLBACK_NOARG(s, l, v, h, f)                                                     \
	{                                                                                     \
		.type = OPT_TYPE_CALLBACK, .short_name = (s), .long_name = (l), .value = (v), \
		.help = (h), .parse = (f), .flags = OPT_NOARG                                 \
	}

enum subcmd_parse_flags {
	SUBCMD_STOP_AT_NON_OPTION = 1 << 0, /* what follows is a workload */
	SUBCMD_KEEP_DASHDASH = 1 << 1,
};

/*
 * parse_options - fills the table's values from argv[1..]; `-h` and `--help` print the help text
 * built from the table to stdout (through the pager on a terminal) and exit 0; an error prints one
 * line `perf CMD: ...` with the nearest option's name, then how to get help, to stderr and exits
 * 129 as upstream does. What is left is moved to argv[0..n-1], n is returned; argv[n] is NULL.
 *
 * @cmd: "sample-bpf"; @usage: NULL-terminated list of synopsis lines without "perf CMD".
 */
int parse_options(int argc, const char **argv, const struct option *options, const char *cmd,
		  const char *const usage[], unsigned int flags);

/* parse_options__try - the same without printing or exiting: the count left, or -errno with @eb
 * filled; -ECANCELED: help was asked for. For tests, and for defaults from the environment. */
int parse_options__try(int argc, const char **argv, const struct option *options, const char *cmd,
		       unsigned int flags, struct errbuf *eb);

/* usage_error - a command's own complaint about its arguments: one line to stderr, a hint at -h,
 * exit 129. */
void usage_error(const char *cmd, const char *fmt, ...)
	__attribute__((format(printf, 2, 3), noreturn));

/* nearest_name - the entry of the NULL-terminated @names closest to @word by edit distance, or NULL
 * when none is near. */
const char *nearest_name(const char *word, const char *const names[]);

#endif
