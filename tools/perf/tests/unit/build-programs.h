/* SPDX-License-Identifier: GPL-2.0-only */
/* For tests that compile programs: a scratch directory, commands, files. */
#ifndef PERF_TESTS_BUILD_PROGRAMS_H
#define PERF_TESTS_BUILD_PROGRAMS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "compiler.h"

static char scratch[64];

static inline int make_scratch(void **state)
{
	(void)state;
	/* what the tests build is not worth keeping for the user */
	setenv("XDG_CACHE_HOME", "/proc/no-cache", 1);
	strcpy(scratch, "/tmp/perf-unit.XXXXXX");
	return mkdtemp(scratch) && !chdir(scratch) ? 0 : -1;
}

static inline int remove_scratch(void **state)
{
	char cmd[128];

	(void)state;
	snprintf(cmd, sizeof(cmd), "rm -rf '%s'", scratch);
	return chdir("/") || system(cmd);
}

/* sh - runs a command line in the scratch directory; its exit code. */
static inline __printf(1, 2) int sh(const char *fmt, ...)
{
	char cmd[4096];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(cmd, sizeof(cmd), fmt, ap);
	va_end(ap);
	return system(cmd);
}

/* have - whether a program is installed; a test that lacks one skips by name. */
static inline int have(const char *tool)
{
	return !sh("command -v %s >/dev/null 2>&1", tool);
}

/* sh_text - the same, with its standard output as a string (to free). */
static inline __printf(1, 2) char *sh_text(const char *fmt, ...)
{
	char cmd[4096], *buf = calloc(1, 1 << 20);
	size_t n = 0, r;
	va_list ap;
	FILE *f;

	va_start(ap, fmt);
	vsnprintf(cmd, sizeof(cmd), fmt, ap);
	va_end(ap);
	f = popen(cmd, "r");
	while (f && n < (1 << 20) - 1 && (r = fread(buf + n, 1, (1 << 20) - 1 - n, f)))
		n += r;
	if (f)
		pclose(f);
	return buf;
}

static inline void write_text(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

/* nm_address - what nm says of @name in @file. */
static inline u64 nm_address(const char *file, const char *name)
{
	char *text = sh_text("nm %s | awk '$3==\"%s\"{print $1}'", file, name);
	u64 v = strtoull(text, NULL, 16);

	free(text);
	return v;
}

#endif
