// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "lib/perf/names.h"

#define HW(n, a, c, h)                                         \
	{                                                      \
		n, a, PERF_TYPE_HARDWARE, PERF_COUNT_HW_##c, h \
	}
#define SW(n, a, c, h)                                         \
	{                                                      \
		n, a, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_##c, h \
	}

const struct event_name event_names[] = {
	HW("branch-instructions", "branches", BRANCH_INSTRUCTIONS, "retired branches"),
	HW("branch-misses", NULL, BRANCH_MISSES, "mispredicted branches"),
	HW("bus-cycles", NULL, BUS_CYCLES, "bus cycles, at a fixed rate on most CPUs"),
	HW("cache-misses", NULL, CACHE_MISSES, "misses of the last level cache"),
	HW("cache-references", NULL, CACHE_REFERENCES, "accesses of the last level cache"),
	HW("cpu-cycles", "cycles", CPU_CYCLES, "CPU cycles, at the CPU's present frequency"),
	HW("instructions", NULL, INSTRUCTIONS, "retired instructions"),
	HW("ref-cycles", NULL, REF_CPU_CYCLES, "CPU cycles at a fixed reference frequency"),
	HW("stalled-cycles-backend", "idle-cycles-backend", STALLED_CYCLES_BACKEND,
	   "cycles in which nothing could retire"),
	HW("stalled-cycles-frontend", "idle-cycles-frontend", STALLED_CYCLES_FRONTEND,
	   "cycles in which nothing could be issued"),
	SW("alignment-faults", NULL, ALIGNMENT_FAULTS, "unaligned accesses the kernel mended"),
	SW("bpf-output", NULL, BPF_OUTPUT, "what BPF programs send with bpf_perf_event_output()"),
	SW("cgroup-switches", NULL, CGROUP_SWITCHES, "context switches between cgroups"),
	SW("context-switches", "cs", CONTEXT_SWITCHES, "context switches"),
	SW("cpu-clock", NULL, CPU_CLOCK, "time of a CPU, by a high resolution timer"),
	SW("cpu-migrations", "migrations", CPU_MIGRATIONS, "moves of a task to another CPU"),
	SW("dummy", NULL, DUMMY, "counts nothing: a carrier of side-band records"),
	SW("emulation-faults", NULL, EMULATION_FAULTS, "instructions the kernel emulated"),
	SW("major-faults", NULL, PAGE_FAULTS_MAJ, "page faults that needed I/O"),
	SW("minor-faults", NULL, PAGE_FAULTS_MIN, "page faults that needed no I/O"),
	SW("page-faults", "faults", PAGE_FAULTS, "page faults"),
	SW("task-clock", NULL, TASK_CLOCK, "time a task ran"),
};
const int nr_event_names = ARRAY_SIZE(event_names);

static bool same(const char *s, const char *name, size_t len)
{
	return s && strlen(s) == len && !memcmp(s, name, len);
}

const struct event_name *event_name__find(const char *name, size_t len)
{
	for (int i = 0; i < nr_event_names; i++)
		if (same(event_names[i].name, name, len) || same(event_names[i].alias, name, len))
			return &event_names[i];
	return NULL;
}

/* The first spelling is the one that is printed. */
static const char *const caches[PERF_COUNT_HW_CACHE_MAX][8] = {
	[PERF_COUNT_HW_CACHE_L1D] = {"L1-dcache", "l1-d", "l1d", "L1-data"},
	[PERF_COUNT_HW_CACHE_L1I] = {"L1-icache", "l1-i", "l1i", "L1-instruction"},
	[PERF_COUNT_HW_CACHE_LL] = {"LLC", "L2"},
	[PERF_COUNT_HW_CACHE_DTLB] = {"dTLB", "d-tlb", "Data-TLB"},
	[PERF_COUNT_HW_CACHE_ITLB] = {"iTLB", "i-tlb", "Instruction-TLB"},
	[PERF_COUNT_HW_CACHE_BPU] = {"branch", "branches", "bpu", "btb", "bpc"},
	[PERF_COUNT_HW_CACHE_NODE] = {"node"},
};
static const char *const ops[PERF_COUNT_HW_CACHE_OP_MAX][8] = {
	[PERF_COUNT_HW_CACHE_OP_READ] = {"load", "loads", "read"},
	[PERF_COUNT_HW_CACHE_OP_WRITE] = {"store", "stores", "write"},
	[PERF_COUNT_HW_CACHE_OP_PREFETCH] = {"prefetch", "prefetches", "speculative-read",
					     "speculative-load"},
};
static const char *const results[PERF_COUNT_HW_CACHE_RESULT_MAX][8] = {
	[PERF_COUNT_HW_CACHE_RESULT_ACCESS] = {"refs", "Reference", "ops", "access"},
	[PERF_COUNT_HW_CACHE_RESULT_MISS] = {"misses", "miss"},
};

/* Which operations a cache can have at all: bits by PERF_COUNT_HW_CACHE_OP_*. */
static const u8 cache_ops[PERF_COUNT_HW_CACHE_MAX] = {
	[PERF_COUNT_HW_CACHE_L1D] = 7,	[PERF_COUNT_HW_CACHE_L1I] = 5,
	[PERF_COUNT_HW_CACHE_LL] = 7,	[PERF_COUNT_HW_CACHE_DTLB] = 7,
	[PERF_COUNT_HW_CACHE_ITLB] = 1, [PERF_COUNT_HW_CACHE_BPU] = 1,
	[PERF_COUNT_HW_CACHE_NODE] = 7,
};

/* The longest spelling in @table that starts @s and ends at '-' or the end; its row, or -1. */
static int match(const char *const (*table)[8], int rows, const char *s, size_t len, size_t *used)
{
	int best = -1;

	*used = 0;
	for (int r = 0; r < rows; r++) {
		for (int k = 0; k < 8 && table[r][k]; k++) {
			size_t n = strlen(table[r][k]);

			if (n > len || strncasecmp(table[r][k], s, n) || n <= *used)
				continue;
			if (n < len && s[n] != '-')
				continue;
			best = r;
			*used = n;
		}
	}
	return best;
}

int cache_event__parse(const char *name, size_t len, u64 *config)
{
	int op = -1, result = -1, cache;
	size_t n;

	cache = match(caches, PERF_COUNT_HW_CACHE_MAX, name, len, &n);
	if (cache < 0)
		return -ENOENT;
	/* Up to two more words, an operation and a result, in either order. */
	for (int word = 0; n < len; word++) {
		int o, r;

		name += n + 1;
		len -= n + 1;
		o = match(ops, PERF_COUNT_HW_CACHE_OP_MAX, name, len, &n);
		if (o >= 0 && op < 0 && word < 2) {
			op = o;
			continue;
		}
		r = match(results, PERF_COUNT_HW_CACHE_RESULT_MAX, name, len, &n);
		if (r < 0 || result >= 0 || word > 1)
			return -ENOENT;
		result = r;
	}
	if (op < 0)
		op = PERF_COUNT_HW_CACHE_OP_READ;
	if (result < 0)
		result = PERF_COUNT_HW_CACHE_RESULT_ACCESS;
	if (!(cache_ops[cache] & (1 << op)))
		return -EINVAL;
	*config = cache | op << 8 | result << 16;
	return 0;
}

bool cache_event__name(unsigned int cache, unsigned int op, unsigned int result, char *buf,
		       size_t size)
{
	if (cache >= PERF_COUNT_HW_CACHE_MAX || op >= PERF_COUNT_HW_CACHE_OP_MAX ||
	    result >= PERF_COUNT_HW_CACHE_RESULT_MAX || !(cache_ops[cache] & (1 << op)))
		return false;
	if (result)
		snprintf(buf, size, "%s-%s-%s", caches[cache][0], ops[op][0], results[result][0]);
	else
		snprintf(buf, size, "%s-%s", caches[cache][0], ops[op][1]);
	return true;
}
