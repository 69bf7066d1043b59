/* SPDX-License-Identifier: GPL-2.0-only */
/* $XDG_CACHE_HOME/perf, else $HOME/.cache/perf: for what takes long to learn and stays true. Used
 * only when it belongs to the user and no other can write to it. */
#ifndef PERF_LIB_SYMBOL_CACHE_DIR_H
#define PERF_LIB_SYMBOL_CACHE_DIR_H

#include <stdbool.h>

#include "compiler.h"

/* cache_dir__open - a descriptor of the directory, made when missing; -errno. */
int cache_dir__open(void);
/* cache_dir__drop - removes all but the @keep newest files whose names begin with @prefix. */
void cache_dir__drop(int dir, const char *prefix, u32 keep);
/* cache_dir__begin - a new file under a name of its own, to be written; then cache_dir__commit()
 * gives it its real name, or with @ok false removes it. Never follows a link. A descriptor or
 * -errno. */
int cache_dir__begin(int dir, char *tmp, size_t size);
int cache_dir__commit(int dir, const char *tmp, const char *name, bool ok);

#endif
