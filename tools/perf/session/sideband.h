/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Side-band records of several rings put in order of time. Each ring is in order, but a process may
 * fork on one CPU and exit on another, so that reading ring after ring would show its end before
 * its beginning.
 */
#ifndef PERF_SESSION_SIDEBAND_H
#define PERF_SESSION_SIDEBAND_H

#include "session/machine.h"

struct sideband;

struct sideband *sideband__new(void); /* NULL: no memory */
void sideband__delete(struct sideband *s);
/* sideband__add - keeps a copy of @ev, which happened at @time (ns). 0 or -ENOMEM. */
int sideband__add(struct sideband *s, const struct perf_event_header *ev, u64 time);
/* sideband__process - hands all kept records up to @until to machine__process(), in order of time;
 * later ones stay. Returns the number of records that were malformed. */
u32 sideband__process(struct sideband *s, struct machine *m, u64 until);

#endif
