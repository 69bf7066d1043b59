// SPDX-License-Identifier: GPL-2.0-only
/*
 * Folded stacks, one a line: comm;outermost;...;innermost count. What would be read as structure is
 * escaped: a `;` inside a name as
 * `\073`, a backslash as `\134`, control characters as \ooo, so that names come back exactly.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "output/profile-output.h"

static void name(struct outbuf *ob, const char *s)
{
	for (; *s; s++) {
		unsigned char c = *s;

		if (c == ';' || c == '\\' || c < ' ' || c == 0x7f)
			outbuf__printf(ob, "\\%03o", c);
		else
			outbuf__putc(ob, c);
	}
}

static void frame(struct outbuf *ob, const struct profile_frame *f)
{
	outbuf__putc(ob, ';');
	if (f->sym || !f->dso) {
		name(ob, profile_frame__sym(f));
		return;
	}
	/* An address says more than "[unknown]", and its object more still. */
	outbuf__putc(ob, '[');
	name(ob, profile_frame__dso(f));
	outbuf__puts(ob, "+0x");
	outbuf__hex(ob, f->addr, 0, ' ');
	outbuf__putc(ob, ']');
}

static void line(struct outbuf *ob, const struct profile_report *r, const struct profile_entry *e,
		 u32 *nodes)
{
	struct profile_frame f;
	u32 depth = 0;

	/* Counts of different things do not add up: each event is a tower of its own. */
	if (r->nr_events > 1) {
		name(ob, r->events[e->event]);
		outbuf__putc(ob, ';');
	}
	name(ob, e->comm && e->comm[0] ? e->comm : ":unknown");
	for (u32 node = e->stack; node; node = profile__stack_next(r->profile, node, &f))
		nodes[depth++] = node;
	while (depth) {
		profile__stack_next(r->profile, nodes[--depth], &f);
		frame(ob, &f);
	}
	if (!e->stack && (profile__keys(r->profile) & SAMPLE_KEY_ADDR))
		frame(ob, &e->at);
	outbuf__printf(ob, " %" PRIu64 "\n", e->count);
}

static void print(struct outbuf *ob, const struct profile_report *r)
{
	u32 nodes[2 * SAMPLE_MAX_FRAMES + 2];
	u64 left_count;

	for (int i = 0; i < r->nr_events; i++) {
		u32 nr, left_out;
		const struct profile_entry **list =
			profile_report__select(r, i, &nr, &left_out, &left_count);

		for (u32 k = 0; list && k < nr; k++)
			line(ob, r, list[k], nodes);
		free(list);
	}
}

const struct profile_format profile_folded = {.name = "folded", .print = print};
