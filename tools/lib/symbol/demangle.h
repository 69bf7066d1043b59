/* SPDX-License-Identifier: GPL-2.0-only */
/* C++ and Rust (legacy and v0) names, through libiberty, with bounded work for hostile names. */
#ifndef PERF_LIB_SYMBOL_DEMANGLE_H
#define PERF_LIB_SYMBOL_DEMANGLE_H

#include <stdbool.h>
#include <stddef.h>

/* demangle - the readable name of @raw in @buf (cut at @size - 1 bytes), without parameters as perf
 * prints them. Returns its length, or 0 when @raw is not mangled (or not sanely). */
size_t demangle(const char *raw, char *buf, size_t size);
/* demangle_full - the same with parameters and qualifiers. */
size_t demangle_full(const char *raw, char *buf, size_t size);

#endif
