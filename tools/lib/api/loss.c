// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>

#include "loss.h"

static const char *const names[LOSS_NR] = {
	[LOSS_RING_FULL] = "ring_full", [LOSS_MAP_FULL] = "map_full",
	[LOSS_NO_STACK] = "no_stack",	[LOSS_ARG_UNREADABLE] = "arg_unreadable",
	[LOSS_SKIPPED] = "skipped",	[LOSS_THROTTLED] = "throttled",
	[LOSS_CORRUPT] = "corrupt",
};

int loss_ledger__init(struct loss_ledger *l, int nr_cpus)
{
	*l = (struct loss_ledger){.nr_cpus = nr_cpus};
	l->cpu = calloc(nr_cpus ? nr_cpus : 1, sizeof(*l->cpu));
	return l->cpu ? 0 : -ENOMEM;
}

void loss_ledger__exit(struct loss_ledger *l)
{
	free(l->cpu);
	l->cpu = NULL;
	l->nr_cpus = 0;
}

static struct loss_counts *row(struct loss_ledger *l, int cpu)
{
	return cpu >= 0 && cpu < l->nr_cpus ? &l->cpu[cpu] : NULL;
}

void loss_ledger__arrived(struct loss_ledger *l, int cpu, u64 n)
{
	struct loss_counts *c = row(l, cpu);

	l->total.emitted += n;
	l->total.arrived += n;
	if (c) {
		c->emitted += n;
		c->arrived += n;
	}
}

void loss_ledger__dropped(struct loss_ledger *l, int cpu, enum loss_reason why, u64 n)
{
	struct loss_counts *c = row(l, cpu);

	l->total.emitted += n;
	l->total.dropped[why] += n;
	if (c) {
		c->emitted += n;
		c->dropped[why] += n;
	}
}

u64 loss_counts__dropped(const struct loss_counts *c)
{
	u64 sum = 0;

	for (int i = 0; i < LOSS_NR; i++)
		sum += c->dropped[i];
	return sum;
}

int loss_ledger__check(const struct loss_ledger *l)
{
	if (l->total.emitted != l->total.arrived + loss_counts__dropped(&l->total))
		return -EINVAL;
	for (int i = 0; i < l->nr_cpus; i++)
		if (l->cpu[i].emitted != l->cpu[i].arrived + loss_counts__dropped(&l->cpu[i]))
			return -EINVAL;
	return 0;
}

const char *loss_reason__name(enum loss_reason why)
{
	return why < LOSS_NR ? names[why] : "unknown";
}
