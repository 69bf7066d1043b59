// SPDX-License-Identifier: GPL-2.0-only
/*
 * perf script --json: one object a line, with the fields that -F chose. Addresses are strings in
 * hex (a JSON number holds 53 bits only), times whole nanoseconds.
 */
#include <inttypes.h>
#include <string.h>

#include "lib/symbol/srcline.h"
#include "output/script-internal.h"
#include "output/tracepoint.h"

static void key(struct outbuf *ob, const char *name)
{
	outbuf__write(ob, ",\"", 2);
	outbuf__puts(ob, name);
	outbuf__write(ob, "\":", 2);
}

static void put_number(struct outbuf *ob, const char *name, u64 v)
{
	key(ob, name);
	outbuf__dec(ob, v, 0);
}

static void put_hex(struct outbuf *ob, const char *name, u64 v)
{
	key(ob, name);
	outbuf__write(ob, "\"0x", 3);
	outbuf__hex(ob, v, 0, '0');
	outbuf__putc(ob, '"');
}

static void put_text(struct outbuf *ob, const char *name, const char *s)
{
	key(ob, name);
	if (s)
		outbuf__json(ob, s, strlen(s));
	else
		outbuf__puts(ob, "null");
}

static void put_place(struct script *s, u64 fields, const char *name, const struct symbol *sym,
		      struct dso *dso, u64 addr)
{
	if (fields & SCRIPT_SYM) {
		put_text(s->ob, "sym", name);
		if ((fields & SCRIPT_SYMOFF) && name && sym)
			put_number(s->ob, "symoff", addr - sym->start);
	}
	if (fields & SCRIPT_DSO) {
		put_text(s->ob, "dso", dso ? dso__name(dso) : NULL);
		if (dso)
			put_hex(s->ob, "dso_addr", addr);
	}
}

static void put_line(struct outbuf *ob, const char *file, u32 line)
{
	if (!file || !line)
		return;
	put_text(ob, "file", file);
	put_number(ob, "line", line);
}

static void put_chain(struct script *s, const struct script_sample *sm)
{
	key(s->ob, "callchain");
	outbuf__putc(s->ob, '[');
	for (u32 i = 0; i < sm->nr_frames; i++) {
		const struct callchain_frame *f = &sm->frames[i];

		outbuf__puts(s->ob, i ? ",{\"ip\":\"0x" : "{\"ip\":\"0x");
		outbuf__hex(s->ob, f->ip, 0, '0');
		outbuf__putc(s->ob, '"');
		put_place(s, sm->ev->fields, f->name, f->sym, f->dso, f->addr);
		if (sm->ev->fields & SCRIPT_SRCLINE)
			put_line(s->ob, f->file, f->line);
		if (f->inlined)
			outbuf__puts(s->ob, ",\"inlined\":true");
		outbuf__putc(s->ob, '}');
	}
	outbuf__putc(s->ob, ']');
}

static void put_ip(struct script *s, struct script_sample *sm)
{
	u64 fields = sm->ev->fields;
	const struct addr_location *al;
	struct srcline line = {};

	put_hex(s->ob, "ip", sm->s->ip);
	if (sm->ev->callchain) {
		put_chain(s, sm);
		if (callchain__last_end(s->chain) == UNWIND_CUT)
			outbuf__puts(s->ob, ",\"stack_cut\":true");
		return;
	}
	if (!(fields & (SCRIPT_SYM | SCRIPT_DSO | SCRIPT_SRCLINE)))
		return;
	al = script__locate(s, sm);
	put_place(s, fields, al->sym ? al->sym->name : NULL, al->sym, al->dso, al->addr);
	if ((fields & SCRIPT_SRCLINE) && al->dso && !dso__srcline(al->dso, al->addr, &line))
		put_line(s->ob, line.file, line.line);
}

static void put_bytes(struct outbuf *ob, const char *name, const u8 *p, u32 size)
{
	key(ob, name);
	outbuf__putc(ob, '"');
	for (u32 i = 0; i < size; i++)
		outbuf__hex(ob, p[i], 2, '0');
	outbuf__putc(ob, '"');
}

static void put_bpf_output(struct outbuf *ob, const struct perf_sample *p)
{
	const char *text;
	u32 len;

	if (!p->raw_data)
		return;
	put_bytes(ob, "bpf_output", p->raw_data, p->raw_size);
	text = script_bpf_string(p->raw_data, p->raw_size, &len);
	if (!text)
		return;
	key(ob, "bpf_string");
	outbuf__json(ob, text, len);
}

static void put_trace(struct script *s, const struct script_sample *sm)
{
	if (!sm->ev->tp || !sm->s->raw_data)
		return;
	key(s->ob, "trace");
	tracepoint__print(sm->ev->tp, sm->s->raw_data, sm->s->raw_size, &s->scratch);
	outbuf__json(s->ob, s->scratch.buf, s->scratch.len);
	s->scratch.len = 0;
}

static void put_regs(struct script *s, const char *name, u64 mask, u64 abi, const u64 *regs)
{
	int n = 0;

	if (!regs)
		return;
	key(s->ob, name);
	outbuf__printf(s->ob, "{\"abi\":%" PRIu64, abi);
	for (int r = 0; r < 64; r++) {
		const char *reg = script_reg_name(s->arch, r);

		if (!(mask >> r & 1))
			continue;
		if (reg)
			outbuf__printf(s->ob, ",\"%s\":\"0x%" PRIx64 "\"", reg, regs[n++]);
		else
			outbuf__printf(s->ob, ",\"r%d\":\"0x%" PRIx64 "\"", r, regs[n++]);
	}
	outbuf__putc(s->ob, '}');
}

static void put_branches(struct script *s, const struct perf_sample *p)
{
	const struct perf_branch_entry *b = (const void *)p->branch;

	key(s->ob, "brstack");
	outbuf__putc(s->ob, '[');
	for (u64 i = 0; b && i < p->branch_nr; i++)
		outbuf__printf(s->ob,
			       "%s{\"from\":\"0x%" PRIx64 "\",\"to\":\"0x%" PRIx64
			       "\",\"mispred\":%s,\"predicted\":%s,\"in_tx\":%s,\"abort\":%s,"
			       "\"cycles\":%u}",
			       i ? "," : "", (u64)b[i].from, (u64)b[i].to,
			       b[i].mispred ? "true" : "false", b[i].predicted ? "true" : "false",
			       b[i].in_tx ? "true" : "false", b[i].abort ? "true" : "false",
			       (unsigned int)b[i].cycles);
	outbuf__putc(s->ob, ']');
}

static void put_rare(struct script *s, const struct script_sample *sm)
{
	const struct perf_event_attr *attr = sm->ev->attr;
	const struct perf_sample *p = sm->s;
	u64 fields = sm->ev->fields;

	if (fields & SCRIPT_ADDR)
		put_hex(s->ob, "addr", p->addr);
	if (fields & SCRIPT_DATA_SRC)
		put_hex(s->ob, "data_src", p->data_src);
	if (fields & SCRIPT_WEIGHT)
		put_number(s->ob, "weight", p->weight);
	if (fields & SCRIPT_INS_LAT)
		put_number(s->ob, "ins_lat", p->ins_lat);
	if (fields & SCRIPT_IREGS)
		put_regs(s, "iregs", attr->sample_regs_intr, p->intr_abi, p->intr_regs);
	if (fields & SCRIPT_UREGS)
		put_regs(s, "uregs", attr->sample_regs_user, p->user_abi, p->user_regs);
	if (fields & (SCRIPT_BRSTACK | SCRIPT_BRSTACKSYM | SCRIPT_BRSTACKOFF))
		put_branches(s, p);
	if (sm->ev->bpf_output && (fields & SCRIPT_BPF_OUTPUT))
		put_bpf_output(s->ob, p);
	if (fields & SCRIPT_PHYS_ADDR)
		put_hex(s->ob, "phys_addr", p->phys_addr);
	if (fields & SCRIPT_DATA_PAGE_SIZE)
		put_number(s->ob, "data_page_size", p->data_page_size);
	if (fields & SCRIPT_CODE_PAGE_SIZE)
		put_number(s->ob, "code_page_size", p->code_page_size);
	if (fields & SCRIPT_CGROUP)
		put_text(s->ob, "cgroup", script_cgroups__find(s, p->cgroup));
}

static void put_start(struct script *s, const char *type, u64 fields, const char *comm,
		      const struct perf_sample *p)
{
	outbuf__puts(s->ob, "{\"type\":\"");
	outbuf__puts(s->ob, type);
	outbuf__putc(s->ob, '"');
	if (fields & SCRIPT_COMM)
		put_text(s->ob, "comm", comm);
	if (fields & (SCRIPT_PID | SCRIPT_TID)) {
		put_number(s->ob, "pid", p->pid);
		put_number(s->ob, "tid", p->tid);
	}
	if (fields & SCRIPT_CPU)
		put_number(s->ob, "cpu", p->cpu);
	if (fields & SCRIPT_TIME)
		put_number(s->ob, "time_ns", script__shown_time(s, p->time));
}

static void json_sample(struct script *s, struct script_sample *sm)
{
	const struct script_event *ev = sm->ev;
	u64 fields = ev->fields;

	put_start(s, "sample", fields, sm->comm, sm->s);
	if (fields & SCRIPT_EVENT)
		put_text(s->ob, "event", session_event__name(ev->e));
	if (fields & SCRIPT_PERIOD)
		put_number(s->ob, "period", sm->s->period);
	if (fields & SCRIPT_MISC)
		put_number(s->ob, "misc", sm->rec->misc);
	if (fields & SCRIPT_TRACE)
		put_trace(s, sm);
	if (fields & SCRIPT_IP)
		put_ip(s, sm);
	put_rare(s, sm);
	outbuf__write(s->ob, "}\n", 2);
}

static void json_sideband(struct script *s, const struct script_event *ev,
			  const struct perf_event_header *rec, const struct perf_sample *sample,
			  pid_t pid, pid_t tid)
{
	u64 fields = SCRIPT_COMM | SCRIPT_TID | SCRIPT_TIME | (ev ? ev->fields & SCRIPT_CPU : 0);
	struct perf_sample p = *sample;
	const char *comm;
	u32 len;

	comm = script__comm(s, pid, tid, sample->time, &len);
	p.pid = pid;
	p.tid = tid;
	put_start(s, perf_record__name(rec->type), fields, comm, &p);
	script_put_record(&s->scratch, rec, s->machine);
	if (s->scratch.len && s->scratch.buf[s->scratch.len - 1] == '\n')
		s->scratch.len--;
	key(s->ob, "text");
	outbuf__json(s->ob, s->scratch.buf, s->scratch.len);
	s->scratch.len = 0;
	outbuf__write(s->ob, "}\n", 2);
}

const struct script_printer script_json = {.sample = json_sample, .sideband = json_sideband};
