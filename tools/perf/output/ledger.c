// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>

#include "output/ledger.h"

static void reasons(struct outbuf *ob, const struct loss_counts *c)
{
	const char *sep = " (";

	for (int i = 0; i < LOSS_NR; i++) {
		if (!c->dropped[i])
			continue;
		outbuf__printf(ob, "%s%s %" PRIu64, sep, loss_reason__name(i), c->dropped[i]);
		sep = ", ";
	}
	if (*sep == ',')
		outbuf__putc(ob, ')');
}

void ledger__text(struct outbuf *ob, const struct loss_ledger *l, const char *what,
		  const char *prefix)
{
	u64 dropped = loss_counts__dropped(&l->total);

	outbuf__printf(ob, "%s%" PRIu64 " %s emitted, %" PRIu64 " arrived, %" PRIu64 " dropped",
		       prefix, l->total.emitted, what, l->total.arrived, dropped);
	reasons(ob, &l->total);
	outbuf__putc(ob, '\n');
	for (int i = 0; dropped && i < l->nr_cpus; i++) {
		const struct loss_counts *c = &l->cpu[i];

		if (!loss_counts__dropped(c))
			continue;
		outbuf__printf(ob,
			       "%sCPU %d: %" PRIu64 " emitted, %" PRIu64 " arrived, %" PRIu64
			       " dropped",
			       prefix, i, c->emitted, c->arrived, loss_counts__dropped(c));
		reasons(ob, c);
		outbuf__putc(ob, '\n');
	}
}

static void counts_json(struct outbuf *ob, const struct loss_counts *c)
{
	outbuf__printf(ob, "\"emitted\":%" PRIu64 ",\"arrived\":%" PRIu64 ",\"dropped\":{",
		       c->emitted, c->arrived);
	for (int i = 0; i < LOSS_NR; i++)
		outbuf__printf(ob, "%s\"%s\":%" PRIu64, i ? "," : "", loss_reason__name(i),
			       c->dropped[i]);
	outbuf__putc(ob, '}');
}

void ledger__json(struct outbuf *ob, const struct loss_ledger *l)
{
	outbuf__putc(ob, '{');
	counts_json(ob, &l->total);
	outbuf__puts(ob, ",\"cpus\":[");
	for (int i = 0; i < l->nr_cpus; i++) {
		outbuf__printf(ob, "%s{\"cpu\":%d,", i ? "," : "", i);
		counts_json(ob, &l->cpu[i]);
		outbuf__putc(ob, '}');
	}
	outbuf__puts(ob, "]}");
}
