/* SPDX-License-Identifier: GPL-2.0-only */
/* The bash completion script, generated from the option tables. */
#ifndef PERF_SUBCMD_COMPLETION_H
#define PERF_SUBCMD_COMPLETION_H

#include "lib/subcmd/subcmd.h"

struct outbuf;

/*
 * completion__bash - appends a script for bash (which needs nothing beside bash itself) that
 * completes the commands, @global's options, each command's options, and their arguments by the
 * tables' `complete` words: a list "a b c" as it is; "file" by bash; any other single word by
 * asking `perf --complete WORD PREFIX`, which prints one candidate a line.
 */
void completion__bash(struct outbuf *ob, const struct subcmd *commands,
		      const struct option *global);
/* completion__options - the long names of a table, "--name" each, separated by blanks
 * (--list-opts).
 */
void completion__options(struct outbuf *ob, const struct option *options);

#endif
