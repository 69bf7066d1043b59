/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The shape of a sum that the BPF program keeps and of the one in user space: fixed-size types
 * only, shared with BPF. The histogram is log-linear: four steps a power of two, so that a
 * percentile is right within 12.5 %.
 */
#ifndef PERF_TRACE_SUMMARY_HIST_H
#define PERF_TRACE_SUMMARY_HIST_H

#ifndef __bpf__
#include "compiler.h"
#endif

#define TRACE_HIST_SUB 4 /* steps a power of two */
#define TRACE_HIST_SLOTS \
	(40 * TRACE_HIST_SUB) /* up to 2^40 ns (18 minutes), the last takes the rest */

struct trace_sum {
	u64 count;  /* calls */
	u64 errors; /* with ret in -4095 .. -1 */
	u64 timed;  /* calls whose duration is known: those in the figures below */
	u64 sum_ns;
	u64 min_ns, max_ns;
	u64 sumsq_lo, sumsq_hi; /* sum of ns^2, 128 bits, for the deviation */
	u32 hist[TRACE_HIST_SLOTS];
};

/* The slot of a duration: 0..3 hold themselves, then 4 steps for each power of two. */
static inline __attribute__((always_inline)) u32 trace_hist__slot(u64 ns)
{
	u32 log = 0;
	u64 v = ns;

	if (ns < TRACE_HIST_SUB)
		return (u32)ns;
	if (v >> 32) {
		v >>= 32;
		log += 32;
	}
	if (v >> 16) {
		v >>= 16;
		log += 16;
	}
	if (v >> 8) {
		v >>= 8;
		log += 8;
	}
	if (v >> 4) {
		v >>= 4;
		log += 4;
	}
	if (v >> 2) {
		v >>= 2;
		log += 2;
	}
	log += v >> 1;
	log = (log - 1) * TRACE_HIST_SUB + (u32)((ns >> (log - 2)) & (TRACE_HIST_SUB - 1));
	return log < TRACE_HIST_SLOTS ? log : TRACE_HIST_SLOTS - 1;
}

/* One finished call: @timed false when its beginning was not seen. The one place that adds up, in
 * the kernel and here. */
static inline __attribute__((always_inline)) void trace_sum__add(struct trace_sum *s, int failed,
								 int timed, u64 ns)
{
	u64 x = ns, lo, hi = 0;

	s->count++;
	if (failed)
		s->errors++;
	if (!timed)
		return;
	if (!s->timed || ns < s->min_ns)
		s->min_ns = ns;
	if (ns > s->max_ns)
		s->max_ns = ns;
	s->timed++;
	s->sum_ns += ns;
	if (x >> 32) {
		x >>= 16; /* longer than 4.3 s: the lowest 16 bits do not matter */
		lo = x * x;
		hi = lo >> 32;
		lo <<= 32;
	} else {
		lo = x * x;
	}
	s->sumsq_lo += lo;
	if (s->sumsq_lo < lo)
		hi++;
	s->sumsq_hi += hi;
	s->hist[trace_hist__slot(ns)]++;
}

#endif
