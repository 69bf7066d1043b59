/* SPDX-License-Identifier: GPL-2.0-only */
/* Registers of PERF_SAMPLE_REGS_USER and _INTR: bits of the mask by name (asm/perf_regs.h). */
#ifndef PERF_LIB_PERF_REGS_H
#define PERF_LIB_PERF_REGS_H

#include "compiler.h"
#include "errbuf.h"

/* perf_reg__name - of bit @bit on the machine that this is built for; NULL: none. */
const char *perf_reg__name(int bit);
/* perf_regs__user_mask - all that can be asked of user space: what unwinding takes. */
u64 perf_regs__user_mask(void);
u64 perf_regs__intr_mask(void);
/* perf_regs__parse - "AX,IP" to a mask within @allowed; NULL or "" is all of them. 0, or -EINVAL
 * with the names there are. */
int perf_regs__parse(const char *list, u64 allowed, u64 *mask, struct errbuf *eb);

#endif
