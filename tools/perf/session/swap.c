// SPDX-License-Identifier: GPL-2.0-only
/* Byte swapping, from tables of field widths. Layouts: linux/perf_event.h, perf_data.h. */
#include <endian.h>
#include <errno.h>
#include <stddef.h>

#include "session/perf_data.h"
#include "session/swap.h"

struct cursor {
	u8 *p, *end;
	bool bad;
};

static void *take(struct cursor *c, u64 n)
{
	void *p = c->p;

	if (c->bad || n > (u64)(c->end - c->p)) {
		c->bad = true;
		return NULL;
	}
	c->p += n;
	return p;
}

static u16 swap16(struct cursor *c)
{
	u8 *p = take(c, 2);
	u16 v = 0;

	if (p) {
		v = get_u16(p, true);
		memcpy(p, &v, 2);
	}
	return v;
}

static u32 swap32(struct cursor *c)
{
	u8 *p = take(c, 4);
	u32 v = 0;

	if (p) {
		v = get_u32(p, true);
		memcpy(p, &v, 4);
	}
	return v;
}

static u64 swap64(struct cursor *c)
{
	u8 *p = take(c, 8);
	u64 v = 0;

	if (p) {
		v = get_u64(p, true);
		memcpy(p, &v, 8);
	}
	return v;
}

static void swap64_n(struct cursor *c, u64 n)
{
	if (n > (u64)(c->end - c->p) / 8) {
		c->bad = true;
		return;
	}
	while (n--)
		swap64(c);
}

/* One bit field of 64 bits: the compiler lays them out from the low end on little-endian machines
 * and from the high end on big-endian ones. @v is the u64's value. */
static u64 move_field(u64 v, unsigned int pos, unsigned int width)
{
	unsigned int low = pos, high = 64 - pos - width;
	bool le = __BYTE_ORDER == __LITTLE_ENDIAN;
	u64 mask = (1ULL << width) - 1;

	return ((v >> (le ? high : low)) & mask) << (le ? low : high);
}

/* attr's flags are single bits but for precise_ip, which has two. */
static u64 move_attr_flags(u64 v)
{
	u64 out = 0;

	for (unsigned int i = 0; i < 64; i++) {
		if (i == 15) {
			out |= move_field(v, 15, 2);
			i++;
		} else {
			out |= move_field(v, i, 1);
		}
	}
	return out;
}

#define ATTR_FLAGS_OFFSET (offsetof(struct perf_event_attr, read_format) + 8)

bool attr__read(struct perf_event_attr *attr, const void *p, size_t size, bool swap)
{
	/* From type on; '8' and so on are widths, 'f' the flags. */
	static const char fields[] = "448888f448888488422448";
	struct cursor c = {.p = (u8 *)attr, .end = (u8 *)(attr + 1)};
	const u8 *more = p;

	memset(attr, 0, sizeof(*attr));
	memcpy(attr, p, min_t(size_t, size, sizeof(*attr)));
	if (swap) {
		for (const char *f = fields; *f; f++) {
			if (*f == '8') {
				swap64(&c);
			} else if (*f == '4') {
				swap32(&c);
			} else if (*f == '2') {
				swap16(&c);
			} else {
				u8 *flags = c.p;
				u64 v = move_attr_flags(swap64(&c));

				memcpy(flags, &v, sizeof(v));
			}
		}
	}
	for (size_t i = sizeof(*attr); i < size; i++)
		if (more[i])
			return true;
	return false;
}

void swap_record_header(struct perf_event_header *rec)
{
	rec->type = bswap_32(rec->type);
	rec->misc = bswap_16(rec->misc);
	rec->size = bswap_16(rec->size);
}

size_t sample_id_size(const struct perf_event_attr *attr)
{
	u64 bits = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID |
		   PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER;

	return attr->sample_id_all ? 8 * __builtin_popcountll(attr->sample_type & bits) : 0;
}

static void swap_two32(struct cursor *c)
{
	swap32(c);
	swap32(c);
}

static void swap_sample_id(struct cursor *c, u64 type)
{
	if (type & PERF_SAMPLE_TID)
		swap_two32(c);
	if (type & PERF_SAMPLE_TIME)
		swap64(c);
	if (type & PERF_SAMPLE_ID)
		swap64(c);
	if (type & PERF_SAMPLE_STREAM_ID)
		swap64(c);
	if (type & PERF_SAMPLE_CPU)
		swap_two32(c);
	if (type & PERF_SAMPLE_IDENTIFIER)
		swap64(c);
}

static void swap_read(struct cursor *c, u64 fmt)
{
	int times =
		!!(fmt & PERF_FORMAT_TOTAL_TIME_ENABLED) + !!(fmt & PERF_FORMAT_TOTAL_TIME_RUNNING);
	int each = 1 + !!(fmt & PERF_FORMAT_ID) + !!(fmt & (1 << 4) /* PERF_FORMAT_LOST */);

	if (fmt & PERF_FORMAT_GROUP) {
		u64 nr = swap64(c);

		swap64_n(c, times);
		swap64_n(c, nr > UINT32_MAX ? UINT32_MAX : nr * each);
	} else {
		swap64_n(c, times + each);
	}
}

static void swap_branches(struct cursor *c, u64 branch_type)
{
	/* Widths of the flags behind from and to: mispred, predicted, in_tx, abort, cycles, type,
	 * spec, new_type, priv. */
	static const u8 width[] = {1, 1, 1, 1, 16, 4, 2, 4, 3};
	u64 nr = swap64(c);

	if (branch_type & PERF_SAMPLE_BRANCH_HW_INDEX)
		swap64(c);
	for (u64 i = 0; i < nr && !c->bad; i++) {
		u64 v, out = 0;
		unsigned int pos = 0;
		u8 *flags;

		swap64(c);
		swap64(c);
		flags = c->p;
		v = swap64(c);
		if (c->bad)
			return;
		for (size_t f = 0; f < sizeof(width); pos += width[f++])
			out |= move_field(v, pos, width[f]);
		memcpy(flags, &out, sizeof(out));
	}
	if (branch_type & (1U << 19)) /* BRANCH_COUNTERS, Linux 6.8 */
		swap64_n(c, nr);
}

static void swap_regs(struct cursor *c, u64 mask)
{
	if (swap64(c) != PERF_SAMPLE_REGS_ABI_NONE)
		swap64_n(c, __builtin_popcountll(mask));
}

static void swap_sample_head(struct cursor *c, u64 type)
{
	if (type & PERF_SAMPLE_IDENTIFIER)
		swap64(c);
	if (type & PERF_SAMPLE_IP)
		swap64(c);
	if (type & PERF_SAMPLE_TID)
		swap_two32(c);
	if (type & PERF_SAMPLE_TIME)
		swap64(c);
	if (type & PERF_SAMPLE_ADDR)
		swap64(c);
	if (type & PERF_SAMPLE_ID)
		swap64(c);
	if (type & PERF_SAMPLE_STREAM_ID)
		swap64(c);
	if (type & PERF_SAMPLE_CPU)
		swap_two32(c);
	if (type & PERF_SAMPLE_PERIOD)
		swap64(c);
}

static int swap_sample(struct cursor *c, const struct perf_event_attr *attr)
{
	u64 type = attr->sample_type;

	swap_sample_head(c, type);
	if (type & PERF_SAMPLE_READ)
		swap_read(c, attr->read_format);
	if (type & PERF_SAMPLE_CALLCHAIN)
		swap64_n(c, swap64(c));
	if (type & PERF_SAMPLE_RAW) /* its bytes stay: its format knows the file's order */
		take(c, swap32(c));
	if (type & PERF_SAMPLE_BRANCH_STACK)
		swap_branches(c, attr->branch_sample_type);
	if (type & PERF_SAMPLE_REGS_USER)
		swap_regs(c, attr->sample_regs_user);
	if (type & PERF_SAMPLE_STACK_USER) {
		u64 size = swap64(c);

		take(c, size);
		if (size)
			swap64(c);
	}
	/* The parts of WEIGHT_STRUCT and of data_src are declared so that the u64's value is the
	 * same in both orders. */
	swap64_n(c, !!(type & PERF_SAMPLE_WEIGHT_TYPE) + !!(type & PERF_SAMPLE_DATA_SRC) +
			    !!(type & PERF_SAMPLE_TRANSACTION));
	if (type & PERF_SAMPLE_REGS_INTR)
		swap_regs(c, attr->sample_regs_intr);
	swap64_n(c, !!(type & PERF_SAMPLE_PHYS_ADDR) + !!(type & PERF_SAMPLE_CGROUP) +
			    !!(type & PERF_SAMPLE_DATA_PAGE_SIZE) +
			    !!(type & PERF_SAMPLE_CODE_PAGE_SIZE));
	if (type & PERF_SAMPLE_AUX)
		take(c, swap64(c));
	return c->bad ? -EBADMSG : 0;
}

/*
 * Widths of the fields behind the header: 8, 4, 2; 'x' eight bytes that stay; 'r' u64s to the end;
 * '.' stop (text or bytes follow).
 */
static const char *kernel_layout(const struct perf_event_header *rec)
{
	switch (rec->type) {
	case PERF_RECORD_MMAP:
		return "44888.";
	case PERF_RECORD_MMAP2:
		return rec->misc & PERF_RECORD_MISC_MMAP_BUILD_ID ? "44888xxx44." : "44888448844.";
	case PERF_RECORD_LOST:
	case PERF_RECORD_AUX:
	case PERF_RECORD_LOST_SAMPLES:
	case PERF_RECORD_AUX_OUTPUT_HW_ID:
	case PERF_RECORD_THROTTLE:
	case PERF_RECORD_UNTHROTTLE:
		return "r";
	case PERF_RECORD_COMM:
	case PERF_RECORD_ITRACE_START:
	case PERF_RECORD_SWITCH_CPU_WIDE:
		return "44.";
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		return "44448";
	case PERF_RECORD_READ:
	case PERF_RECORD_NAMESPACES:
		return "44r";
	case PERF_RECORD_KSYMBOL:
		return "8422.";
	case PERF_RECORD_BPF_EVENT:
		return "224x";
	case PERF_RECORD_CGROUP:
		return "8.";
	case PERF_RECORD_TEXT_POKE:
		return "822.";
	default:
		return ".";
	}
}

static const char *tool_layout(u32 type)
{
	switch (type) {
	case PERF_RECORD_HEADER_EVENT_TYPE:
	case PERF_RECORD_HEADER_FEATURE:
	case PERF_RECORD_COMPRESSED2:
		return "8.";
	case PERF_RECORD_HEADER_TRACING_DATA:
	case PERF_RECORD_HEADER_BUILD_ID:
		return "4.";
	case PERF_RECORD_ID_INDEX:
	case PERF_RECORD_STAT_CONFIG:
	case PERF_RECORD_STAT_ROUND:
		return "r";
	case PERF_RECORD_AUXTRACE_INFO:
		return "44r";
	case PERF_RECORD_AUXTRACE:
		return "8884444";
	case PERF_RECORD_AUXTRACE_ERROR:
		return "44444488.";
	case PERF_RECORD_STAT:
		return "844888";
	case PERF_RECORD_EVENT_UPDATE:
		return "88.";
	case PERF_RECORD_TIME_CONV:
		return "88888.";
	case PERF_RECORD_BPF_METADATA:
		return "xx8.";
	default:
		return "."; /* HEADER_ATTR is read by attr__read(); COMPRESSED is bytes */
	}
}

static void swap_fields(struct cursor *c, const char *layout)
{
	for (const char *f = layout; *f && *f != '.' && !c->bad; f++) {
		switch (*f) {
		case '8':
			swap64(c);
			break;
		case '4':
			swap32(c);
			break;
		case '2':
			swap16(c);
			break;
		case 'x':
			take(c, 8);
			break;
		case 'r':
			swap64_n(c, (c->end - c->p) / 8);
			break;
		}
	}
}

static void swap_cpu_map(struct cursor *c)
{
	u16 type = swap16(c), n;

	if (type == 0) { /* a list: u16 nr, u16 cpu[] */
		for (n = swap16(c); n && !c->bad; n--)
			swap16(c);
	} else if (type == 2) { /* a range: u8 any, u8, u16 start, u16 end */
		take(c, 2);
		swap16(c);
		swap16(c);
	} else if (type == 1) { /* a mask: u16 nr, u16 size of a word, words on their own size */
		u16 size;

		n = swap16(c);
		size = swap16(c);
		if (size == 8)
			take(c, 2);
		for (; n && !c->bad; n--) {
			if (size == 8)
				swap64(c);
			else
				swap32(c);
		}
	}
}

static void swap_thread_map(struct cursor *c)
{
	for (u64 n = swap64(c); n && !c->bad; n--) {
		swap64(c);   /* tid */
		take(c, 16); /* comm */
	}
}

int swap_record(struct perf_event_header *rec, const struct perf_event_attr *attr)
{
	struct cursor c = {.p = (u8 *)(rec + 1), .end = (u8 *)rec + rec->size};
	size_t id_size;

	if (rec->type >= PERF_RECORD_TOOL_START) {
		if (rec->type == PERF_RECORD_CPU_MAP)
			swap_cpu_map(&c);
		else if (rec->type == PERF_RECORD_THREAD_MAP)
			swap_thread_map(&c);
		else
			swap_fields(&c, tool_layout(rec->type));
		return 0; /* their users check the sizes */
	}
	if (rec->type == PERF_RECORD_SAMPLE)
		return attr ? swap_sample(&c, attr) : -EBADMSG;

	id_size = attr ? sample_id_size(attr) : 0;
	if (id_size) {
		struct cursor id = {.p = c.end - id_size, .end = c.end};

		if (id_size > (size_t)(c.end - c.p))
			return -EBADMSG;
		c.end -= id_size;
		swap_sample_id(&id, attr->sample_type);
	}
	swap_fields(&c, kernel_layout(rec));
	return c.bad ? -EBADMSG : 0;
}
