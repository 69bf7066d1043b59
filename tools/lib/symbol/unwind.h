/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Unwinding a user stack from a sample's registers and copy of the stack, by .eh_frame or
 * .debug_frame. Knows nothing of processes: the caller says what is mapped where.
 */
#ifndef PERF_LIB_SYMBOL_UNWIND_H
#define PERF_LIB_SYMBOL_UNWIND_H

#include "lib/symbol/dso.h"

enum unwind_end {
	UNWIND_COMPLETE, /* the outermost frame was reached, or max frames */
	UNWIND_CUT,	 /* the next frame lies behind the dumped part of the stack */
	UNWIND_NO_INFO,	 /* code without a map, file or unwind table; or a table that makes no sense
			  */
};

enum unwind_method { UNWIND_LIBUNWIND, UNWIND_LIBDW };

/* The registers and the stack of one sample, as PERF_SAMPLE_REGS_USER and _STACK_USER have them. */
struct unwind_sample {
	u64 abi; /* PERF_SAMPLE_REGS_ABI_32 or _64 */
	u64 mask;
	const u64 *regs; /* one for each bit in @mask, lowest first; host's byte order */
	const void *stack;
	u64 stack_size; /* what the kernel really copied (dyn_size) */
	u16 machine;	/* EM_X86_64, EM_AARCH64, EM_386, EM_ARM; of the recorded machine */
};

/* A mapping of code: answers "what is at this address". */
struct unwind_map {
	u64 start, end, pgoff;
	struct dso *dso;
};

struct unwind_result {
	u32 nr;
	enum unwind_end end;
	/* UNWIND_CUT: how many bytes of stack from the stack pointer on would have been needed to
	 * get on: what to give to --call-graph dwarf,N */
	u64 needed;
	u64 sp, highest; /* the stack pointer; the end of the highest part of the stack in use */
};

struct unwinder;

/* unwinder__new - @find_map answers for an address in the process that @space stands for; true when
 * there is a map of code. One unwinder serves all processes of a run; its tables are shared. NULL
 * with errno. */
struct unwinder *unwinder__new(enum unwind_method method,
			       bool (*find_map)(void *space, u64 ip, struct unwind_map *map));
void unwinder__delete(struct unwinder *u);
/* unwinder__run - frames innermost first into @ips, at most @max; callers' addresses are return
 * addresses minus one, so that they lie in the call (as perf prints them). @space_id tells address
 * spaces (and their changes) apart. 0 or -errno (-EINVAL: registers missing or of an unknown
 * machine); a stack that ends early is no error, see @res->end. */
int unwinder__run(struct unwinder *u, void *space, u64 space_id, const struct unwind_sample *s,
		  u64 *ips, u32 max, struct unwind_result *res);

#endif
