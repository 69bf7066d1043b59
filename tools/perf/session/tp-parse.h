/* SPDX-License-Identifier: GPL-2.0-only */
/* Shared by tp-format.c and tp-parse.c alone. */
#ifndef PERF_SESSION_TP_PARSE_H
#define PERF_SESSION_TP_PARSE_H

#include "session/tp-format.h"

struct tp_text {
	const char *p;
	int depth; /* of nesting; limited */
	struct tp_format *f;
};

/* Zeroed memory that lives as long as the format; NULL: none left. */
void *tp_arena__take(struct tp_arena **arena, size_t n);
char *tp_arena__text(struct tp_arena **arena, const char *s, size_t n);

void tp_text__blanks(struct tp_text *t);
bool tp_text__take(struct tp_text *t, const char *s);	     /* @s stands here: past it */
bool tp_text__next(struct tp_text *t, const char *s);	     /* the same behind blanks */
size_t tp_text__word(struct tp_text *t, const char **start); /* an identifier; 0: none */

/* Fills .print and .args from what follows "print fmt: "; leaves .print NULL when it is not
 * understood. */
void tp_parse__print(struct tp_text *t);

#endif
