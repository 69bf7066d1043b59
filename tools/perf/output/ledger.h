/* SPDX-License-Identifier: GPL-2.0-only */
/* The loss ledger, printed the same by every command that collects. */
#ifndef PERF_OUTPUT_LEDGER_H
#define PERF_OUTPUT_LEDGER_H

#include "lib/api/outbuf.h"
#include "loss.h"

/* ledger__text - "# 990 samples: 990 arrived, 0 dropped", then a line a reason and, where anything
 * was dropped, a line a CPU.
 * @what: the plural noun, "samples", "events"; each line begins with @prefix. */
void ledger__text(struct outbuf *ob, const struct loss_ledger *l, const char *what,
		  const char *prefix);
/* ledger__json - {"emitted":N,"arrived":N,"dropped":{"ring_full":N,...},"cpus":[{"cpu":N,...}]},
 * every reason, zeros too. */
void ledger__json(struct outbuf *ob, const struct loss_ledger *l);

#endif
