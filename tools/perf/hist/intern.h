/* SPDX-License-Identifier: GPL-2.0-only */
/* Interning: equal byte strings get the same small number and the same stored copy. */
#ifndef PERF_HIST_INTERN_H
#define PERF_HIST_INTERN_H

#include <stddef.h>

#include "compiler.h"

struct intern;

struct intern *intern__new(void); /* NULL: no memory */
void intern__delete(struct intern *t);
/* intern__id - the number (0, 1, 2 ... in order of first sight) of the @n bytes at @data, or -1: no
 * memory. */
s64 intern__id(struct intern *t, const void *data, size_t n);
/* intern__str - the stored copy of the string @s, the same pointer for the same text; NULL: no
 * memory. */
const char *intern__str(struct intern *t, const char *s);
u32 intern__nr(const struct intern *t);

#endif
