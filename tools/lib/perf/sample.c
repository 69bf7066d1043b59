// SPDX-License-Identifier: GPL-2.0-only
/*
 * One sample from its bytes. The layout is the comment above PERF_RECORD_SAMPLE in
 * linux/perf_event.h; the order of the fields is fixed, which are there is attr.sample_type.
 */
#include <errno.h>
#include <string.h>

#include "lib/perf/evlist.h"

/* What is left of the record; every step checks against end. */
struct cursor {
	const u64 *p, *end;
};

static inline bool left(const struct cursor *c, u64 nr)
{
	return (u64)(c->end - c->p) >= nr;
}

/* A pair of u32 in one u64, in memory order. */
static inline void two_u32(const u64 *p, u32 *a, u32 *b)
{
	u32 v[2];

	memcpy(v, p, sizeof(v));
	*a = v[0];
	*b = v[1];
}

/* The trailer of all records but samples: read from the end backwards. */
static int parse_trailer(const struct perf_event_attr *attr, const struct perf_event_header *ev,
			 struct perf_sample *s)
{
	u64 type = attr->sample_type;
	const u64 *p = (const u64 *)((const char *)ev + ev->size), *start = (const u64 *)(ev + 1);
	u32 unused;
	u64 need = !!(type & PERF_SAMPLE_TID) + !!(type & PERF_SAMPLE_TIME) +
		   !!(type & PERF_SAMPLE_ID) + !!(type & PERF_SAMPLE_STREAM_ID) +
		   !!(type & PERF_SAMPLE_CPU) + !!(type & PERF_SAMPLE_IDENTIFIER);

	if (!attr->sample_id_all)
		return 0;
	if ((u64)(p - start) < need)
		return -EBADMSG;
	if (type & PERF_SAMPLE_IDENTIFIER)
		s->id = *--p;
	if (type & PERF_SAMPLE_CPU)
		two_u32(--p, &s->cpu, &unused);
	if (type & PERF_SAMPLE_STREAM_ID)
		s->stream_id = *--p;
	if (type & PERF_SAMPLE_ID)
		s->id = *--p;
	if (type & PERF_SAMPLE_TIME)
		s->time = *--p;
	if (type & PERF_SAMPLE_TID)
		two_u32(--p, &s->pid, &s->tid);
	return 0;
}

/* PERF_SAMPLE_READ: its length follows from read_format and, for a group, from its first word. */
static int parse_read(const struct perf_event_attr *attr, struct cursor *c, struct perf_sample *s)
{
	u64 rf = attr->read_format, head, each, nr = 1, words;

	head = !!(rf & PERF_FORMAT_TOTAL_TIME_ENABLED) + !!(rf & PERF_FORMAT_TOTAL_TIME_RUNNING);
	each = 1 + !!(rf & PERF_FORMAT_ID) + !!(rf & PERF_FORMAT_LOST);
	if (rf & PERF_FORMAT_GROUP) {
		if (!left(c, 1))
			return -EBADMSG;
		nr = *c->p;
		head++;
		if (nr > (u64)(c->end - c->p))
			return -EBADMSG;
	}
	words = head + nr * each;
	if (!left(c, words))
		return -EBADMSG;
	s->read = c->p;
	s->read_size = words * 8;
	c->p += words;
	return 0;
}

/* u32 size, then that many bytes, padded so that the whole is a multiple of 8. */
static int parse_raw(struct cursor *c, struct perf_sample *s)
{
	u64 words;
	u32 size;

	if (!left(c, 1))
		return -EBADMSG;
	memcpy(&size, c->p, sizeof(size));
	words = ((u64)size + sizeof(u32) + 7) / 8;
	if (!left(c, words))
		return -EBADMSG;
	s->raw_size = size;
	s->raw_data = (const char *)c->p + sizeof(u32);
	c->p += words;
	return 0;
}

static int parse_branches(const struct perf_event_attr *attr, struct cursor *c,
			  struct perf_sample *s)
{
	u64 nr, words = sizeof(struct perf_branch_entry) / sizeof(u64);

	if (!left(c, 1))
		return -EBADMSG;
	nr = *c->p++;
	s->branch_hw_idx = ~0ULL;
	if (attr->branch_sample_type & PERF_SAMPLE_BRANCH_HW_INDEX) {
		if (!left(c, 1))
			return -EBADMSG;
		s->branch_hw_idx = *c->p++;
	}
	if (nr > (u64)(c->end - c->p) / words)
		return -EBADMSG;
	s->branch = c->p;
	s->branch_nr = nr;
	c->p += nr * words;
#ifdef PERF_SAMPLE_BRANCH_COUNTERS
	if (attr->branch_sample_type & PERF_SAMPLE_BRANCH_COUNTERS) {
#else
	if (attr->branch_sample_type & (1ULL << 19)) { /* Linux 6.8: a word of counters an entry */
#endif
		if (!left(c, nr))
			return -EBADMSG;
		c->p += nr;
	}
	return 0;
}

static int parse_regs(u64 mask, struct cursor *c, u64 *abi, const u64 **regs)
{
	u64 nr = __builtin_popcountll(mask);

	if (!left(c, 1))
		return -EBADMSG;
	*abi = *c->p++;
	if (*abi == PERF_SAMPLE_REGS_ABI_NONE)
		return 0;
	if (!left(c, nr))
		return -EBADMSG;
	*regs = c->p;
	c->p += nr;
	return 0;
}

/* u64 size, the dump, and, when there was one, u64 dyn_size: how much of it is real. */
static int parse_stack(struct cursor *c, struct perf_sample *s)
{
	u64 size;

	if (!left(c, 1))
		return -EBADMSG;
	size = *c->p++;
	if (!size)
		return 0;
	if (size % 8 || !left(c, size / 8) || !left(c, size / 8 + 1))
		return -EBADMSG;
	s->user_stack = c->p;
	s->user_stack_size = size;
	c->p += size / 8;
	s->user_stack_dyn = *c->p++;
	return s->user_stack_dyn > size ? -EBADMSG : 0;
}

static void parse_weight(u64 type, u64 word, struct perf_sample *s)
{
	union perf_sample_weight w = {.full = word};

	if (type & PERF_SAMPLE_WEIGHT_STRUCT) {
		s->weight = w.var1_dw;
		s->ins_lat = w.var2_w;
		s->p_stage_cyc = w.var3_w;
	} else {
		s->weight = word;
	}
}

static int parse_aux(struct cursor *c, struct perf_sample *s)
{
	u64 size;

	if (!left(c, 1))
		return -EBADMSG;
	size = *c->p++;
	if (size / 8 + !!(size % 8) > (u64)(c->end - c->p))
		return -EBADMSG;
	s->aux_data = c->p;
	s->aux_size = size;
	c->p += size / 8 + !!(size % 8);
	return 0;
}

/* The words of fixed size at the start. */
static int parse_fixed(u64 type, struct cursor *c, struct perf_sample *s)
{
	u32 unused;
	u64 fixed = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
		    PERF_SAMPLE_ADDR | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU |
		    PERF_SAMPLE_PERIOD;

	if (!left(c, __builtin_popcountll(type & fixed)))
		return -EBADMSG;
	if (type & PERF_SAMPLE_IDENTIFIER)
		s->id = *c->p++;
	if (type & PERF_SAMPLE_IP)
		s->ip = *c->p++;
	if (type & PERF_SAMPLE_TID)
		two_u32(c->p++, &s->pid, &s->tid);
	if (type & PERF_SAMPLE_TIME)
		s->time = *c->p++;
	if (type & PERF_SAMPLE_ADDR)
		s->addr = *c->p++;
	if (type & PERF_SAMPLE_ID)
		s->id = *c->p++;
	if (type & PERF_SAMPLE_STREAM_ID)
		s->stream_id = *c->p++;
	if (type & PERF_SAMPLE_CPU)
		two_u32(c->p++, &s->cpu, &unused);
	if (type & PERF_SAMPLE_PERIOD)
		s->period = *c->p++;
	return 0;
}

/* The single words behind the stack, and AUX data last. */
static int parse_tail(const struct perf_event_attr *attr, struct cursor *c, struct perf_sample *s)
{
	u64 type = attr->sample_type;
	int err;

#define ONE(bit, set)                            \
	do {                                     \
		if (type & (bit)) {              \
			if (!left(c, 1))         \
				return -EBADMSG; \
			set;                     \
			c->p++;                  \
		}                                \
	} while (0)
	ONE(PERF_SAMPLE_WEIGHT_TYPE, parse_weight(type, *c->p, s));
	ONE(PERF_SAMPLE_DATA_SRC, s->data_src = *c->p);
	ONE(PERF_SAMPLE_TRANSACTION, s->transaction = *c->p);
	if (type & PERF_SAMPLE_REGS_INTR) {
		err = parse_regs(attr->sample_regs_intr, c, &s->intr_abi, &s->intr_regs);
		if (err)
			return err;
	}
	ONE(PERF_SAMPLE_PHYS_ADDR, s->phys_addr = *c->p);
	ONE(PERF_SAMPLE_CGROUP, s->cgroup = *c->p);
	ONE(PERF_SAMPLE_DATA_PAGE_SIZE, s->data_page_size = *c->p);
	ONE(PERF_SAMPLE_CODE_PAGE_SIZE, s->code_page_size = *c->p);
#undef ONE
	return type & PERF_SAMPLE_AUX ? parse_aux(c, s) : 0;
}

static int parse_sample(const struct perf_event_attr *attr, const struct perf_event_header *ev,
			struct perf_sample *s)
{
	struct cursor c = {(const u64 *)(ev + 1), (const u64 *)((const char *)ev + ev->size)};
	u64 type = attr->sample_type;
	int err = parse_fixed(type, &c, s);

	if (!err && (type & PERF_SAMPLE_READ))
		err = parse_read(attr, &c, s);
	if (!err && (type & PERF_SAMPLE_CALLCHAIN)) {
		if (!left(&c, 1) || *c.p > (u64)(c.end - c.p - 1))
			return -EBADMSG;
		s->callchain_nr = *c.p++;
		s->callchain = c.p;
		c.p += s->callchain_nr;
	}
	if (!err && (type & PERF_SAMPLE_RAW))
		err = parse_raw(&c, s);
	if (!err && (type & PERF_SAMPLE_BRANCH_STACK))
		err = parse_branches(attr, &c, s);
	if (!err && (type & PERF_SAMPLE_REGS_USER))
		err = parse_regs(attr->sample_regs_user, &c, &s->user_abi, &s->user_regs);
	if (!err && (type & PERF_SAMPLE_STACK_USER))
		err = parse_stack(&c, s);
	if (!err)
		err = parse_tail(attr, &c, s);
	return err;
}

int perf_sample__parse(const struct perf_event_attr *attr, const struct perf_event_header *ev,
		       struct perf_sample *s)
{
	memset(s, 0, sizeof(*s));
	s->cpu = s->pid = s->tid = (u32)-1;
	s->id = s->stream_id = ~0ULL;
	s->time = 0;
	s->period = attr->freq ? 1 : attr->sample_period;
	s->cpumode = ev->misc & PERF_RECORD_MISC_CPUMODE_MASK;
	if (ev->size < sizeof(*ev) || ev->size % 8)
		return -EBADMSG;
	return ev->type == PERF_RECORD_SAMPLE ? parse_sample(attr, ev, s)
					      : parse_trailer(attr, ev, s);
}
