// SPDX-License-Identifier: GPL-2.0-only
/* Whether a record's body holds what its type promises, so that nobody after has to ask. */
#include <string.h>

#include "session/session-internal.h"
#include "session/swap.h"

/* Bytes of the fixed part behind the header; what follows it in text. */
struct shape {
	u16 fixed;
	bool text; /* a NUL-terminated string follows, padded */
};

static const struct shape kernel_shapes[] = {
	[PERF_RECORD_MMAP] = {32, true},	 [PERF_RECORD_LOST] = {16, false},
	[PERF_RECORD_COMM] = {8, true},		 [PERF_RECORD_EXIT] = {24, false},
	[PERF_RECORD_THROTTLE] = {24, false},	 [PERF_RECORD_UNTHROTTLE] = {24, false},
	[PERF_RECORD_FORK] = {24, false},	 [PERF_RECORD_READ] = {16, false},
	[PERF_RECORD_MMAP2] = {64, true},	 [PERF_RECORD_AUX] = {24, false},
	[PERF_RECORD_ITRACE_START] = {8, false}, [PERF_RECORD_LOST_SAMPLES] = {8, false},
	[PERF_RECORD_SWITCH] = {0, false},	 [PERF_RECORD_SWITCH_CPU_WIDE] = {8, false},
	[PERF_RECORD_NAMESPACES] = {16, false},	 [PERF_RECORD_KSYMBOL] = {16, true},
	[PERF_RECORD_BPF_EVENT] = {16, false},	 [PERF_RECORD_CGROUP] = {8, true},
	[PERF_RECORD_TEXT_POKE] = {12, false},	 [PERF_RECORD_AUX_OUTPUT_HW_ID] = {8, false},
};

static const u16 tool_fixed[PERF_RECORD_TOOL_MAX - PERF_RECORD_TOOL_START] = {
	[PERF_RECORD_ID_INDEX - 64] = 8,      [PERF_RECORD_AUXTRACE_INFO - 64] = 8,
	[PERF_RECORD_AUXTRACE - 64] = 40,     [PERF_RECORD_AUXTRACE_ERROR - 64] = 32,
	[PERF_RECORD_THREAD_MAP - 64] = 8,    [PERF_RECORD_CPU_MAP - 64] = 8,
	[PERF_RECORD_STAT_CONFIG - 64] = 8,   [PERF_RECORD_STAT - 64] = 40,
	[PERF_RECORD_STAT_ROUND - 64] = 16,   [PERF_RECORD_TIME_CONV - 64] = 24,
	[PERF_RECORD_BPF_METADATA - 64] = 24,
};

/* A counted list of @each bytes at the end of the fixed part, the count being its last u64. */
static bool holds(const u8 *body, size_t n, size_t fixed, size_t each)
{
	u64 nr;

	memcpy(&nr, body + fixed - 8, sizeof(nr));
	return nr <= (n - fixed) / each;
}

static bool cpu_map_valid(const u8 *body, size_t n)
{
	u16 type = get_u16(body, false), nr = get_u16(body + 2, false);

	if (type == 0)
		return 4 + 2 * (size_t)nr <= n;
	if (type == 1) {
		u16 word = get_u16(body + 4, false);

		return (word == 4 || word == 8) && word + (size_t)nr * word <= n;
	}
	return true;
}

static bool tool_valid(const struct perf_event_header *rec)
{
	const u8 *body = (const u8 *)(rec + 1);
	size_t n = rec->size - sizeof(*rec);
	size_t fixed;

	if (rec->type >= PERF_RECORD_TOOL_MAX)
		return true;
	fixed = tool_fixed[rec->type - PERF_RECORD_TOOL_START];
	if (n < fixed)
		return false;
	switch (rec->type) {
	case PERF_RECORD_ID_INDEX:
		return holds(body, n, fixed, 32);
	case PERF_RECORD_THREAD_MAP:
		return holds(body, n, fixed, 24);
	case PERF_RECORD_STAT_CONFIG:
		return holds(body, n, fixed, 16);
	case PERF_RECORD_CPU_MAP:
		return cpu_map_valid(body, n);
	default:
		return true;
	}
}

bool record__valid(const struct perf_event_header *rec, const struct perf_event_attr *attr)
{
	const u8 *body = (const u8 *)(rec + 1);
	size_t n = rec->size - sizeof(*rec), id = attr ? sample_id_size(attr) : 0;
	const struct shape *shape;

	if (rec->type >= PERF_RECORD_TOOL_START)
		return tool_valid(rec);
	if (rec->type >= ARRAY_SIZE(kernel_shapes))
		return true;
	if (id > n)
		return false;
	n -= id;
	shape = &kernel_shapes[rec->type];
	if (n < shape->fixed)
		return false;
	if (shape->text)
		return n > shape->fixed && memchr(body + shape->fixed, '\0', n - shape->fixed);
	if (rec->type == PERF_RECORD_NAMESPACES)
		return holds(body, n, 16, 16);
	if (rec->type == PERF_RECORD_TEXT_POKE)
		return get_u16(body + 8, false) + (size_t)get_u16(body + 10, false) <= n - 12;
	return true;
}
