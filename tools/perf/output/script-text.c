// SPDX-License-Identifier: GPL-2.0-only
/* perf script's lines: one sample, its fields in upstream's order and widths. */
#include <string.h>
#include <time.h>

#include "output/numfmt.h"
#include "output/script-internal.h"
#include "output/tracepoint.h"

#define NSEC_PER_SEC 1000000000ULL

/* "%5d " and relatives: right- or left-aligned. */
static char *put_id(char *p, u32 id, int width, bool left)
{
	char tmp[NUMFMT_MAX];
	bool negative = (s32)id < 0;
	char *q = tmp;
	int n;

	if (negative)
		*q++ = '-';
	q = numfmt__dec(q, negative ? -(s64)(s32)id : id);
	n = q - tmp;
	if (!left)
		p = numfmt__pad(p, width - n);
	memcpy(p, tmp, n);
	p += n;
	return left ? numfmt__pad(p, width - n) : p;
}

static char *put_time(struct script *s, char *p, u64 t)
{
	u64 secs = t / NSEC_PER_SEC;
	u32 nsecs = t - secs * NSEC_PER_SEC;

	if (unlikely(s->second.secs != secs || !s->second.len)) {
		char *q = s->second.text;

		q = numfmt__pad(q, 5 - numfmt__dec_len(secs));
		q = numfmt__dec(q, secs);
		*q++ = '.';
		s->second.secs = secs;
		s->second.len = q - s->second.text;
	}
	p = numfmt__copy(p, s->second.text, s->second.len);
	if (s->o.nanoseconds) {
		*p++ = '0' + nsecs / 100000000;
		p = numfmt__dec_zero(p, nsecs % 100000000, 8);
	} else {
		p = numfmt__dec_zero(p, nsecs / 1000, 6);
	}
	*p++ = ':';
	*p++ = ' ';
	return p;
}

void script_text__time(struct script *s, u64 time)
{
	char *p = outbuf__reserve(s->ob, 64);

	s->ob->len = put_time(s, p, time) - s->ob->buf;
}

/* K U H G g as the kernel's cpumode bits say, then what a record's kind adds. */
static char *put_misc(char *p, const struct perf_event_header *rec)
{
	static const struct {
		u16 misc;
		char c;
	} modes[] = {{PERF_RECORD_MISC_KERNEL, 'K'},
		     {PERF_RECORD_MISC_USER, 'U'},
		     {PERF_RECORD_MISC_HYPERVISOR, 'H'},
		     {PERF_RECORD_MISC_GUEST_KERNEL, 'G'},
		     {PERF_RECORD_MISC_GUEST_USER, 'g'}};
	char *start = p;

	for (size_t i = 0; i < ARRAY_SIZE(modes); i++) {
		if ((rec->misc & modes[i].misc) == modes[i].misc)
			*p++ = modes[i].c;
	}
	switch (rec->type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		if (rec->misc & PERF_RECORD_MISC_MMAP_DATA)
			*p++ = 'M';
		break;
	case PERF_RECORD_COMM:
		if (rec->misc & PERF_RECORD_MISC_COMM_EXEC)
			*p++ = 'E';
		break;
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_SWITCH_CPU_WIDE:
		if (rec->misc & PERF_RECORD_MISC_SWITCH_OUT) {
			*p++ = 'S';
			if (rec->misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT)
				*p++ = 'p';
		}
		break;
	default:
		break;
	}
	/* At least one blank, in 6 columns in all. */
	return numfmt__pad(p, max_t(int, 6 - (p - start), 1));
}

/* Wall-clock time, from what record saw of both clocks at its start. */
static void put_tod(struct script *s, u64 time)
{
	const struct session_info *info = perf_session__info(s->session);
	u64 tod = info->clock_tod_ns + (time - info->clock_ref_ns);
	time_t secs = tod / NSEC_PER_SEC;
	u64 nsecs = tod % NSEC_PER_SEC;
	char date[64];
	struct tm tm;

	if (!localtime_r(&secs, &tm) || !strftime(date, sizeof(date), "%Y-%m-%d %H:%M:%S", &tm))
		return;
	if (s->o.nanoseconds)
		outbuf__printf(s->ob, "%s.%09u ", date, (unsigned int)nsecs);
	else
		outbuf__printf(s->ob, "%s.%06u ", date, (unsigned int)(nsecs / 1000));
}

static void put_comm(struct script *s, const struct script_event *ev, const char *comm, u32 len)
{
	struct outbuf *ob = s->ob;
	size_t start;

	if (unlikely(s->o.latency)) {
		outbuf__pad(ob, len < 8 ? 8 - len : 0);
		outbuf__safe(ob, comm, min_t(u32, len, 8));
		outbuf__putc(ob, ' ');
		return;
	}
	/* Above a chain the line starts at its left edge. */
	if (ev->callchain) {
		outbuf__safe(ob, comm, len);
		outbuf__putc(ob, ' ');
		return;
	}
	if (likely(s->comm_column.comm == comm)) {
		ob->len = numfmt__copy(outbuf__reserve(ob, 128), s->comm_column.text,
				       s->comm_column.len) -
			  ob->buf;
		return;
	}
	outbuf__reserve(ob, 4096); /* so that what follows stays in one piece */
	start = ob->len;
	outbuf__pad(ob, len < 16 ? 16 - len : 0);
	outbuf__safe(ob, comm, len);
	outbuf__putc(ob, ' ');
	if (ob->len > start && ob->len - start <= 64) {
		s->comm_column.comm = comm;
		s->comm_column.len = ob->len - start;
		memcpy(s->comm_column.text, ob->buf + start, ob->len - start);
	}
}

void script_text__start(struct script *s, const struct script_event *ev,
			const struct perf_event_header *rec, const struct perf_sample *sample,
			const char *comm, u32 comm_len)
{
	struct outbuf *ob = s->ob;
	u64 fields = ev->fields;
	char *p;

	if (fields & SCRIPT_COMM)
		put_comm(s, ev, comm, comm_len);
	p = outbuf__reserve(ob, 256);
	if ((fields & SCRIPT_PID) && (fields & SCRIPT_TID)) {
		p = put_id(p, sample->pid, 5, false);
		*p++ = '/';
		p = put_id(p, sample->tid, 5, true);
		*p++ = ' ';
	} else if (fields & (SCRIPT_PID | SCRIPT_TID)) {
		p = put_id(p, fields & SCRIPT_PID ? sample->pid : sample->tid, 5, false);
		*p++ = ' ';
	}
	if ((fields & SCRIPT_CPU) && unlikely(s->o.latency)) {
		p = put_id(p, sample->cpu, 3, false);
		*p++ = ' ';
	} else if (fields & SCRIPT_CPU) {
		*p++ = '[';
		if (sample->cpu < 100)
			*p++ = '0';
		if (sample->cpu < 10)
			*p++ = '0';
		p = put_id(p, sample->cpu, 0, false);
		*p++ = ']';
		*p++ = ' ';
	}
	if (fields & SCRIPT_MISC)
		p = put_misc(p, rec);
	if (fields & SCRIPT_TOD) {
		ob->len = p - ob->buf;
		put_tod(s, sample->time);
		p = outbuf__reserve(ob, 64);
	}
	if (fields & SCRIPT_TIME)
		p = put_time(s, p, script__shown_time(s, sample->time));
	ob->len = p - ob->buf;
}

static void put_period(struct outbuf *ob, u64 period)
{
	char *p = outbuf__reserve(ob, 32);

	p = numfmt__pad(p, 10 - numfmt__dec_len(period));
	p = numfmt__dec(p, period);
	*p++ = ' ';
	ob->len = p - ob->buf;
}

static void put_event(struct script *s, const struct script_event *ev)
{
	const char *name;

	if (likely(!ev->long_name)) {
		char *p = outbuf__reserve(s->ob, sizeof(ev->column) + 16);

		s->ob->len = numfmt__copy(p, ev->column, ev->column_len) - s->ob->buf;
		return;
	}
	name = session_event__name(ev->e);
	outbuf__pad(s->ob, s->name_width - (int)strlen(name));
	outbuf__safe(s->ob, name, strlen(name));
	outbuf__write(s->ob, ": ", 2);
}

/* Does the sampled address tell of data that lie in a symbol of their own? */
static bool addr_has_symbol(const struct perf_event_attr *attr)
{
	return attr->type == PERF_TYPE_SOFTWARE && (attr->config == PERF_COUNT_SW_PAGE_FAULTS ||
						    attr->config == PERF_COUNT_SW_PAGE_FAULTS_MIN ||
						    attr->config == PERF_COUNT_SW_PAGE_FAULTS_MAJ);
}

static void put_addr(struct script *s, const struct script_sample *sm)
{
	const struct perf_sample *sample = sm->s;
	u64 fields = sm->ev->fields;
	struct addr_location al;

	outbuf__hex(s->ob, sample->addr, 16, ' ');
	if (!addr_has_symbol(sm->ev->attr) || !(fields & (SCRIPT_SYM | SCRIPT_DSO)))
		return;
	machine__resolve(s->machine, sample->pid, sample->tid, sample->cpumode, sample->addr,
			 sample->time, &al);
	if (!al.map)
		machine__resolve(s->machine, sample->pid, sample->tid,
				 PERF_RECORD_MISC_CPUMODE_UNKNOWN, sample->addr, sample->time, &al);
	if (fields & SCRIPT_SYM) {
		outbuf__putc(s->ob, ' ');
		script_put_symbol(s->ob, al.sym ? al.sym->name : NULL, al.sym, al.addr,
				  fields & SCRIPT_SYMOFF);
	}
	if (fields & SCRIPT_DSO) {
		outbuf__write(s->ob, " (", 2);
		script_put_dso(s, al.dso);
		outbuf__putc(s->ob, ')');
	}
}

/* What is neither in the line's start nor an address. */
static void put_rare_before_ip(struct script *s, struct script_sample *sm)
{
	u64 fields = sm->ev->fields;

	if (fields & SCRIPT_ADDR)
		put_addr(s, sm);
	if (fields & SCRIPT_DATA_SRC)
		script_put_data_src(s, s->ob, sm->s->data_src);
	if (fields & SCRIPT_WEIGHT)
		outbuf__dec(s->ob, sm->s->weight, 16);
	if (fields & SCRIPT_INS_LAT)
		outbuf__dec(s->ob, sm->s->ins_lat, 16);
}

static void put_rare_after_ip(struct script *s, struct script_sample *sm)
{
	const struct perf_event_attr *attr = sm->ev->attr;
	const struct perf_sample *sample = sm->s;
	u64 fields = sm->ev->fields;

	if (fields & SCRIPT_IREGS)
		script_put_regs(s, s->ob, attr->sample_regs_intr, sample->intr_abi,
				sample->intr_regs);
	if (fields & SCRIPT_UREGS)
		script_put_regs(s, s->ob, attr->sample_regs_user, sample->user_abi,
				sample->user_regs);
	if (fields & (SCRIPT_BRSTACK | SCRIPT_BRSTACKSYM | SCRIPT_BRSTACKOFF))
		script_put_branches(s, sm);
	if (sm->ev->bpf_output && (fields & SCRIPT_BPF_OUTPUT))
		script_put_bpf_output(s->ob, sample->raw_data, sample->raw_size);
	if (fields & SCRIPT_PHYS_ADDR)
		outbuf__hex(s->ob, sample->phys_addr, 16, ' ');
	if (fields & SCRIPT_DATA_PAGE_SIZE)
		script_put_page_size(s->ob, sample->data_page_size);
	if (fields & SCRIPT_CODE_PAGE_SIZE)
		script_put_page_size(s->ob, sample->code_page_size);
	if (fields & SCRIPT_CGROUP) {
		const char *path = script_cgroups__find(s, sample->cgroup);

		outbuf__putc(s->ob, ' ');
		path = path ? path : "unknown";
		outbuf__safe(s->ob, path, strlen(path));
	}
}

#define RARE_BEFORE_IP (SCRIPT_ADDR | SCRIPT_DATA_SRC | SCRIPT_WEIGHT | SCRIPT_INS_LAT)
#define RARE_AFTER_IP                                                                           \
	(SCRIPT_IREGS | SCRIPT_UREGS | SCRIPT_BRSTACK | SCRIPT_BRSTACKSYM | SCRIPT_BRSTACKOFF | \
	 SCRIPT_BPF_OUTPUT | SCRIPT_PHYS_ADDR | SCRIPT_DATA_PAGE_SIZE | SCRIPT_CODE_PAGE_SIZE | \
	 SCRIPT_CGROUP)

/* Branch flags: only traces decoded by hardware have them, the column stays. */
#define FLAGS_WIDTH 24

static void text_sample(struct script *s, struct script_sample *sm)
{
	const struct script_event *ev = sm->ev;
	const struct perf_sample *sample = sm->s;
	u64 fields = ev->fields;

	if (unlikely(s->o.dump))
		script_dump__sample(s, sm);
	script_text__start(s, ev, sm->rec, sample, sm->comm, sm->comm_len);
	if (fields & SCRIPT_PERIOD)
		put_period(s->ob, sample->period);
	if (fields & SCRIPT_EVENT)
		put_event(s, ev);
	if (fields & SCRIPT_FLAGS)
		outbuf__pad(s->ob, FLAGS_WIDTH);
	if ((fields & SCRIPT_TRACE) && ev->tp && sample->raw_data)
		tracepoint__print(ev->tp, sample->raw_data, sample->raw_size, s->ob);
	if (fields & RARE_BEFORE_IP)
		put_rare_before_ip(s, sm);
	if (fields & SCRIPT_IP)
		script_put_ip(s, sm);
	if (fields & RARE_AFTER_IP)
		put_rare_after_ip(s, sm);
	outbuf__putc(s->ob, '\n');
	if (fields & SCRIPT_SRCCODE)
		script_put_srccode(s, sm);
}

static void text_sideband(struct script *s, const struct script_event *ev,
			  const struct perf_event_header *rec, const struct perf_sample *sample,
			  pid_t pid, pid_t tid)
{
	u32 len;
	const char *comm = script__comm(s, pid, tid, sample->time, &len);

	if (ev)
		script_text__start(s, ev, rec, sample, comm, len);
	script_put_record(s->ob, rec, s->machine);
}

const struct script_printer script_text = {.sample = text_sample, .sideband = text_sideband};
