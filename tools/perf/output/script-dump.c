// SPDX-License-Identifier: GPL-2.0-only
/* perf script -D: each record's bytes, then what it says, in upstream's layout. */
#include <inttypes.h>
#include <string.h>

#include "output/script-internal.h"

static const char *abi_name(u64 abi)
{
	return abi == PERF_SAMPLE_REGS_ABI_64	? "64-bit"
	       : abi == PERF_SAMPLE_REGS_ABI_32 ? "32-bit"
						: "none";
}

static void dump_regs(struct script *s, const char *what, u64 mask, u64 abi, const u64 *regs)
{
	int n = 0;

	if (!regs)
		return;
	outbuf__printf(s->ob, "... %s regs: mask 0x%" PRIx64 " ABI %s\n", what, mask,
		       abi_name(abi));
	for (int r = 0; r < 64; r++) {
		const char *name = script_reg_name(s->arch, r);

		if (mask >> r & 1)
			outbuf__printf(s->ob, ".... %-5s 0x%016" PRIx64 "\n", name ? name : "?",
				       regs[n++]);
	}
}

static void dump_read(struct script *s, const struct perf_event_attr *attr,
		      const struct perf_sample *sample)
{
	const u64 *p = sample->read, *end = (const u64 *)((const char *)p + sample->read_size);
	u64 format = attr->read_format, nr = 1, value = 0;
	bool group = format & PERF_FORMAT_GROUP;

	if (!p || p >= end)
		return;
	outbuf__puts(s->ob, "... sample_read:\n");
	if (group)
		nr = *p++;
	else
		value = *p++;
	if ((format & PERF_FORMAT_TOTAL_TIME_ENABLED) && p < end)
		outbuf__printf(s->ob, "...... time enabled %016" PRIx64 "\n", *p++);
	if ((format & PERF_FORMAT_TOTAL_TIME_RUNNING) && p < end)
		outbuf__printf(s->ob, "...... time running %016" PRIx64 "\n", *p++);
	if (group)
		outbuf__printf(s->ob, ".... group nr %" PRIu64 "\n", nr);
	for (u64 i = 0; i < nr && p < end; i++) {
		u64 id = 0;

		if (group)
			value = *p++;
		if ((format & PERF_FORMAT_ID) && p < end)
			id = *p++;
		outbuf__printf(s->ob, "..... id %016" PRIx64 ", value %016" PRIx64, id, value);
		if ((format & PERF_FORMAT_LOST) && p < end)
			outbuf__printf(s->ob, ", lost %" PRIu64, *p++);
		outbuf__putc(s->ob, '\n');
	}
}

static void dump_branches(struct script *s, const struct perf_sample *sample)
{
	const struct perf_branch_entry *b = (const void *)sample->branch;

	if (!b)
		return;
	outbuf__printf(s->ob, "... branch stack: nr:%" PRIu64 "\n", sample->branch_nr);
	for (u64 i = 0; i < sample->branch_nr; i++)
		outbuf__printf(s->ob,
			       "..... %2" PRIu64 ": %016" PRIx64 " -> %016" PRIx64
			       " %hu cycles %s%s%s%s %x %s\n",
			       i, (u64)b[i].from, (u64)b[i].to, (unsigned short)b[i].cycles,
			       b[i].mispred ? "M" : " ", b[i].predicted ? "P" : " ",
			       b[i].abort ? "A" : " ", b[i].in_tx ? "T" : " ",
			       (unsigned int)b[i].reserved,
			       b[i].type ? script_branch_type(b[i].type) : "");
}

static void dump_sample_body(struct script *s, const struct perf_event_attr *attr,
			     const struct perf_event_header *rec, const struct perf_sample *sample)
{
	outbuf__printf(s->ob,
		       "(IP, 0x%x): %d/%d: %#" PRIx64 " period: %" PRIu64 " addr: %#" PRIx64 "\n",
		       rec->misc, (s32)sample->pid, (s32)sample->tid, sample->ip, sample->period,
		       sample->addr);
	if (attr->sample_type & PERF_SAMPLE_CALLCHAIN) {
		outbuf__printf(s->ob, "... FP chain: nr:%" PRIu64 "\n", sample->callchain_nr);
		for (u64 i = 0; sample->callchain && i < sample->callchain_nr; i++)
			outbuf__printf(s->ob, "..... %2" PRIu64 ": %016" PRIx64 "\n", i,
				       sample->callchain[i]);
	}
	dump_branches(s, sample);
	if (attr->sample_type & PERF_SAMPLE_REGS_USER)
		dump_regs(s, "user", attr->sample_regs_user, sample->user_abi, sample->user_regs);
	if (attr->sample_type & PERF_SAMPLE_REGS_INTR)
		dump_regs(s, "intr", attr->sample_regs_intr, sample->intr_abi, sample->intr_regs);
	if (attr->sample_type & PERF_SAMPLE_STACK_USER)
		outbuf__printf(s->ob, "... ustack: size %" PRIu64 ", offset 0x%x\n",
			       sample->user_stack_dyn,
			       sample->user_stack
				       ? (u32)((const char *)sample->user_stack - (const char *)rec)
				       : 0);
	if (attr->sample_type & PERF_SAMPLE_WEIGHT_STRUCT)
		outbuf__printf(s->ob, "... weight: %" PRIu64 ",0x%x,0x%x\n", sample->weight,
			       sample->ins_lat, sample->p_stage_cyc);
	else if (attr->sample_type & PERF_SAMPLE_WEIGHT)
		outbuf__printf(s->ob, "... weight: %" PRIu64 "\n", sample->weight);
	if (attr->sample_type & PERF_SAMPLE_DATA_SRC)
		outbuf__printf(s->ob, " . data_src: 0x%" PRIx64 "\n", sample->data_src);
	if (attr->sample_type & PERF_SAMPLE_PHYS_ADDR)
		outbuf__printf(s->ob, " .. phys_addr: 0x%" PRIx64 "\n", sample->phys_addr);
	if (attr->sample_type & PERF_SAMPLE_DATA_PAGE_SIZE) {
		outbuf__puts(s->ob, " .. data page size:");
		script_put_page_size(s->ob, sample->data_page_size);
		outbuf__putc(s->ob, '\n');
	}
	if (attr->sample_type & PERF_SAMPLE_CODE_PAGE_SIZE) {
		outbuf__puts(s->ob, " .. code page size:");
		script_put_page_size(s->ob, sample->code_page_size);
		outbuf__putc(s->ob, '\n');
	}
	if (attr->sample_type & PERF_SAMPLE_READ)
		dump_read(s, attr, sample);
}

static void dump_bytes(struct outbuf *ob, const char *path, u64 offset,
		       const struct perf_event_header *rec)
{
	outbuf__printf(ob, "\n%#" PRIx64 "@", offset);
	outbuf__safe(ob, path, strlen(path));
	outbuf__printf(ob, " [%#x]: event: %u\n", rec->size, rec->type);
	script_put_hexdump(ob, rec, rec->size);
}

/* Numbers of a tool's record, host's byte order; past its end they are 0. */
static u64 number(const struct perf_event_header *rec, size_t off, size_t size)
{
	u64 v = 0;

	if (off + size <= rec->size)
		memcpy(&v, (const char *)rec + off, size);
	return v;
}

static void dump_id_index(struct outbuf *ob, const struct perf_event_header *rec)
{
	u64 nr = min_t(u64, number(rec, 8, 8), rec->size < 16 ? 0 : (rec->size - 16) / 32);

	outbuf__printf(ob, " nr: %" PRIu64 "\n", nr);
	for (u64 i = 0; i < nr; i++)
		outbuf__printf(ob,
			       " ... id: %" PRIu64 "  idx: %" PRIu64 "  cpu: %" PRId64
			       "  tid: %" PRId64 "\n",
			       number(rec, 16 + i * 32, 8), number(rec, 24 + i * 32, 8),
			       (s64)number(rec, 32 + i * 32, 8), (s64)number(rec, 40 + i * 32, 8));
}

static void dump_thread_map(struct outbuf *ob, const struct perf_event_header *rec)
{
	u64 nr = min_t(u64, number(rec, 8, 8), rec->size < 16 ? 0 : (rec->size - 16) / 24);

	outbuf__printf(ob, " nr: %" PRIu64 " thread", nr);
	for (u64 i = 0; i < nr; i++)
		outbuf__printf(ob, "%s%" PRId64, i ? ", " : ": ", (s64)number(rec, 16 + i * 24, 8));
	outbuf__putc(ob, '\n');
}

struct cpu_list {
	struct outbuf *ob;
	s64 first, last;
	bool any;
};

static void put_cpus(struct cpu_list *l)
{
	if (l->first < 0)
		return;
	outbuf__printf(l->ob, "%s%" PRId64, l->any ? "," : "", l->first);
	if (l->last > l->first)
		outbuf__printf(l->ob, "-%" PRId64, l->last);
	l->any = true;
}

static void add_cpu(struct cpu_list *l, s64 cpu)
{
	if (l->first >= 0 && cpu == l->last + 1) {
		l->last = cpu;
		return;
	}
	put_cpus(l);
	l->first = l->last = cpu;
}

/* Kinds of CPU maps: 0 a list, 1 bits, 2 a range. */
static void dump_cpu_map(struct outbuf *ob, const struct perf_event_header *rec)
{
	struct cpu_list l = {.ob = ob, .first = -1};
	u16 kind = number(rec, 8, 2), nr = number(rec, 10, 2), word = number(rec, 12, 2);
	u32 bits = 0;

	outbuf__puts(ob, ": ");
	if (kind == 0) {
		for (u32 i = 0; i < nr && 12 + i * 2 + 2 <= rec->size; i++)
			add_cpu(&l, (s16)number(rec, 12 + i * 2, 2));
	} else if (kind == 1 && (word == 4 || word == 8)) {
		/* The words are aligned to their own size. */
		for (u32 i = 0; i < nr * 8u * word && i / 8 + 16 < rec->size; i++) {
			bits = number(rec, 16 + i / 8, 1);
			if (bits >> i % 8 & 1)
				add_cpu(&l, i);
		}
	} else if (kind == 2) {
		for (u32 c = number(rec, 12, 2); c <= number(rec, 14, 2); c++)
			add_cpu(&l, c);
	}
	put_cpus(&l);
	outbuf__putc(ob, '\n');
}

static void dump_event_update(struct outbuf *ob, const struct perf_event_header *rec)
{
	static const char *const kinds[] = {"unit: ", "scale:", "name: "};
	u64 kind = number(rec, 8, 8), bits = number(rec, 24, 8);
	double scale;

	outbuf__printf(ob, "\n... id:    %" PRIu64 "\n", number(rec, 16, 8));
	if (kind >= ARRAY_SIZE(kinds) || rec->size <= 24)
		return;
	outbuf__printf(ob, "... %s ", kinds[kind]);
	memcpy(&scale, &bits, sizeof(scale));
	if (kind == 1)
		outbuf__printf(ob, "%f", scale);
	else
		outbuf__safe(ob, (const char *)rec + 24,
			     strnlen((const char *)rec + 24, rec->size - 24));
	outbuf__putc(ob, '\n');
}

/* A task's count at its end (record -s). */
static void dump_count(struct outbuf *ob, const struct perf_event_header *rec,
		       const struct session_event *e)
{
	static const struct {
		u64 bit;
		const char *text;
	} words[] = {
		{PERF_FORMAT_TOTAL_TIME_ENABLED, "... time enabled : %" PRIu64 "\n"},
		{PERF_FORMAT_TOTAL_TIME_RUNNING, "... time running : %" PRIu64 "\n"},
		{PERF_FORMAT_ID, "... id           : %" PRIu64 "\n"},
		{PERF_FORMAT_LOST, "... lost         : %" PRIu64 "\n"},
	};
	const char *name = e ? session_event__name(e) : "FAIL";
	size_t at = 24;

	outbuf__printf(ob, ": %d %d ", (s32)number(rec, 8, 4), (s32)number(rec, 12, 4));
	outbuf__safe(ob, name, strlen(name));
	outbuf__printf(ob, " %" PRIu64 "\n", number(rec, 16, 8));
	for (size_t i = 0; e && i < ARRAY_SIZE(words); i++) {
		if (!(session_event__attr(e)->read_format & words[i].bit))
			continue;
		outbuf__printf(ob, words[i].text, number(rec, at, 8));
		at += 8;
	}
}

/* What -D says otherwise than a line of the script does. */
static bool dump_kernel_record(struct outbuf *ob, const struct perf_event_header *rec,
			       const struct session_event *e, const struct perf_sample *sample)
{
	switch (rec->type) {
	case PERF_RECORD_LOST:
		outbuf__printf(ob, "PERF_RECORD_LOST: id:%" PRIu64 ": lost:%" PRIu64 "\n",
			       number(rec, 8, 8), number(rec, 16, 8));
		return true;
	case PERF_RECORD_LOST_SAMPLES:
		outbuf__printf(
			ob, "PERF_RECORD_LOST_SAMPLES: id:%" PRIu64 ": lost samples :%" PRIu64 "\n",
			sample && sample->id ? sample->id : UINT64_MAX, number(rec, 8, 8));
		return true;
	case PERF_RECORD_THROTTLE:
	case PERF_RECORD_UNTHROTTLE: /* upstream ends no line here */
		outbuf__printf(ob, "PERF_RECORD_%s", perf_record__name(rec->type));
		return true;
	case PERF_RECORD_READ:
		outbuf__puts(ob, "PERF_RECORD_READ");
		dump_count(ob, rec, e);
		return true;
	default:
		return false;
	}
}

static void dump_tool_record(struct outbuf *ob, const struct perf_event_header *rec)
{
	outbuf__printf(ob, "PERF_RECORD_%s", perf_record__name(rec->type));
	if (rec->type == PERF_RECORD_ID_INDEX)
		dump_id_index(ob, rec);
	else if (rec->type == PERF_RECORD_THREAD_MAP)
		dump_thread_map(ob, rec);
	else if (rec->type == PERF_RECORD_CPU_MAP)
		dump_cpu_map(ob, rec);
	else if (rec->type == PERF_RECORD_EVENT_UPDATE)
		dump_event_update(ob, rec);
	else
		outbuf__putc(ob, '\n');
}

void script_dump__raw(struct outbuf *ob, const char *path, u64 offset,
		      const struct perf_event_header *rec)
{
	switch (rec->type) {
	case PERF_RECORD_HEADER_ATTR:
	case PERF_RECORD_HEADER_EVENT_TYPE:
	case PERF_RECORD_HEADER_TRACING_DATA:
	case PERF_RECORD_HEADER_BUILD_ID:
	case PERF_RECORD_HEADER_FEATURE:
	case PERF_RECORD_EVENT_UPDATE:
	case PERF_RECORD_COMPRESSED:
	case PERF_RECORD_COMPRESSED2:
	case PERF_RECORD_FINISHED_ROUND: /* before the records that it lets go */
		dump_bytes(ob, path, offset, rec);
		outbuf__printf(ob, "0 %#" PRIx64 " [%#x]: ", offset, rec->size);
		dump_tool_record(ob, rec);
		break;
	default:
		break; /* comes to script_dump__record() */
	}
}

void script_dump__record(struct script *s, struct session_event *e,
			 const struct perf_event_header *rec, const struct perf_sample *sample)
{
	const struct perf_event_attr *attr = e ? session_event__attr(e) : NULL;
	u64 offset = perf_session__offset(s->session);

	dump_bytes(s->ob, perf_session__path(s->session), offset, rec);
	/* A record of the tool is taken to have the fields that the samples have. */
	if (!attr && perf_session__nr_events(s->session))
		attr = session_event__attr(perf_session__event(s->session, 0));
	if (attr && (attr->sample_type & PERF_SAMPLE_CPU) &&
	    (rec->type == PERF_RECORD_SAMPLE || attr->sample_id_all))
		outbuf__printf(s->ob, "%u ", sample ? sample->cpu : 0);
	outbuf__printf(s->ob, "%" PRIu64 " %#" PRIx64 " [%#x]: ", sample ? sample->time : 0, offset,
		       rec->size);
	if (rec->type == PERF_RECORD_SAMPLE && sample) {
		static const struct perf_event_attr none;

		outbuf__puts(s->ob, "PERF_RECORD_SAMPLE");
		dump_sample_body(s, attr ? attr : &none, rec, sample);
	} else if (rec->type >= PERF_RECORD_TOOL_START) {
		dump_tool_record(s->ob, rec);
	} else if (!dump_kernel_record(s->ob, rec, e, sample)) {
		script_put_record(s->ob, rec, s->machine);
	}
}

void script_dump__sample(struct script *s, struct script_sample *sm)
{
	const struct addr_location *al = script__locate(s, sm);

	outbuf__puts(s->ob, " ... thread: ");
	outbuf__safe(s->ob, sm->comm, sm->comm_len);
	outbuf__printf(s->ob, ":%d\n ...... dso: ", (s32)sm->s->tid);
	if (al->dso)
		script_put_dso(s, al->dso);
	else
		outbuf__puts(s->ob, "<not found>");
	outbuf__putc(s->ob, '\n');
}
