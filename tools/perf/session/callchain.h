/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Call chains of samples: the kernel's (frame pointers, ORC) with their PERF_CONTEXT_* marks, the
 * user stack unwound by DWARF where the sample has registers and stack, inlined functions put in.
 * Used by script, report and sample-bpf alike.
 */
#ifndef PERF_SESSION_CALLCHAIN_H
#define PERF_SESSION_CALLCHAIN_H

#include "lib/symbol/unwind.h"
#include "session/machine.h"

struct callchain_frame {
	u64 ip;	  /* as recorded (DWARF: return address minus one) */
	u64 addr; /* in the dso's address space */
	struct map *map;
	struct dso *dso;
	const struct symbol *sym; /* of the function that has the code, also on inlined frames */
	const char *name; /* to show: the inlined function's, else sym->name; NULL: unknown */
	const char *file; /* with want_srcline: of this frame, or NULL */
	u32 line;
	u8 cpumode; /* PERF_RECORD_MISC_KERNEL, _USER, ... */
	bool inlined;
};

struct callchain_input {
	pid_t pid, tid;
	u64 time;
	u8 cpumode;	/* of the sample */
	u64 ip;		/* of the sample */
	const u64 *ips; /* PERF_SAMPLE_CALLCHAIN: entries with PERF_CONTEXT_* marks; may be NULL */
	u64 nr;
	/* PERF_SAMPLE_REGS_USER + _STACK_USER; unwind.regs NULL: no DWARF unwinding */
	struct unwind_sample unwind;
};

struct callchain_opts {
	u32 max_stack;	   /* 0: 127 */
	bool no_inline;	   /* leave inlined functions out */
	bool want_srcline; /* fill file and line */
	bool caller_order; /* outermost first; default: innermost first */
	bool no_symbols;   /* only ip, map and dso */
	enum unwind_method method;
};

struct callchain; /* holds the buffers; reused from sample to sample */

struct callchain *callchain__new(struct machine *m, const struct callchain_opts *o);
void callchain__delete(struct callchain *c);
/*
 * callchain__resolve - the frames of one sample. Returns their number (0: the sample has no chain);
 * *@frames is valid until the next call. An address of which nothing is known is a frame too, with
 * NULLs. No allocation once warmed up.
 */
u32 callchain__resolve(struct callchain *c, const struct callchain_input *in,
		       const struct callchain_frame **frames);

struct callchain_stats {
	u64 chains;  /* resolved so far */
	u64 unwound; /* of these by DWARF */
	u64 cut;     /* by DWARF, ended by the dump's size */
	u64 no_info; /* by DWARF, ended for lack of unwind tables */
	/* 0: none cut. The dump size that would have held the largest cut one, as far as stacks of
	 * the same threads that were walked to their end tell; else what it needed to get on. */
	u64 needed;
	bool needed_known; /* the former holds for all */
	u64 contexts_bad;  /* unknown PERF_CONTEXT_* marks */
};
void callchain__stats(const struct callchain *c, struct callchain_stats *st);
/* callchain__last_end - how the last sample's user stack ended (UNWIND_COMPLETE when not unwound).
 */
enum unwind_end callchain__last_end(const struct callchain *c);

#endif
