/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The loss ledger: what a run's kernel side emitted, what arrived, and what was dropped and why,
 * per CPU and in all. emitted == arrived + sum(dropped) always; loss_ledger__check() says so and
 * tests call it.
 */
#ifndef PERF_LOSS_H
#define PERF_LOSS_H

#include "compiler.h"

enum loss_reason {
	LOSS_RING_FULL,	     /* no room in a ring buffer (PERF_RECORD_LOST, reserve failed) */
	LOSS_MAP_FULL,	     /* no room in an aggregation map or arena */
	LOSS_NO_STACK,	     /* the stack that is part of the key could not be walked */
	LOSS_ARG_UNREADABLE, /* an argument's memory could not be read (the event itself arrived) */
	LOSS_SKIPPED,	     /* the kernel skipped the program: bpf_prog_active, recursion */
	LOSS_THROTTLED,	     /* the kernel throttled the event */
	LOSS_CORRUPT,	     /* a record that could not be parsed */
	LOSS_NR,
};

struct loss_counts {
	u64 emitted;
	u64 arrived;
	u64 dropped[LOSS_NR];
};

struct loss_ledger {
	struct loss_counts total;
	struct loss_counts *cpu; /* nr_cpus entries, owned */
	int nr_cpus;
};

/* loss_ledger__init - allocates @nr_cpus per-CPU rows. 0 or -ENOMEM. */
int loss_ledger__init(struct loss_ledger *l, int nr_cpus);
void loss_ledger__exit(struct loss_ledger *l);

/* Each adds to the CPU's row (@cpu < 0 or out of range: to the total alone) and to the total. */
void loss_ledger__arrived(struct loss_ledger *l, int cpu, u64 n); /* also counts as emitted */
void loss_ledger__dropped(struct loss_ledger *l, int cpu, enum loss_reason why,
			  u64 n); /* likewise */

u64 loss_counts__dropped(const struct loss_counts *c);
/* loss_ledger__check - 0 when emitted == arrived + dropped in every row, else -EINVAL. */
int loss_ledger__check(const struct loss_ledger *l);
/* The reason's name as text and in JSON: "ring_full", "map_full", ... */
const char *loss_reason__name(enum loss_reason why);

#endif
