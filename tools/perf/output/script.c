// SPDX-License-Identifier: GPL-2.0-only
/* perf script: from the session's records to a printer; filters, names and addresses on the way. */
#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "output/script-internal.h"
#include "output/tracepoint.h"

void script__warn(const struct script *s, const char *fmt, ...)
{
	char line[512];
	va_list ap;

	if (!s->o.warn)
		return;
	va_start(ap, fmt);
	vsnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
	s->o.warn(s->o.warn_ctx, line);
}

/* ---- events ---- */

static void forget_events(struct script *s)
{
	for (int i = 0; i < s->nr_events; i++) {
		if (s->events[i])
			tracepoint__delete(s->events[i]->tp);
		free(s->events[i]);
	}
	free(s->events);
	s->events = NULL;
	s->nr_events = 0;
}

static void make_column(struct script *s, struct script_event *ev)
{
	const char *name = session_event__name(ev->e);
	struct outbuf ob;

	if (s->name_width + 3 > (int)sizeof(ev->column) - 16 || outbuf__init(&ob, -1, 0)) {
		ev->long_name = true;
		return;
	}
	outbuf__pad(&ob, s->name_width - (int)strlen(name));
	outbuf__safe(&ob, name, strlen(name));
	outbuf__write(&ob, ": ", 2);
	ev->long_name = ob.len > sizeof(ev->column) - 16;
	if (!ev->long_name) {
		memcpy(ev->column, ob.buf, ob.len);
		ev->column_len = ob.len;
	}
	outbuf__exit(&ob);
}

static struct script_event *make_event(struct script *s, struct session_event *e)
{
	struct script_event *ev = calloc(1, sizeof(*ev));
	const struct tp_format *format = session_event__format(e);

	if (!ev)
		return NULL;
	ev->e = e;
	ev->attr = session_event__attr(e);
	ev->type = script_type__of(ev->attr);
	ev->fields = s->o.fields.type[ev->type].fields;
	ev->callchain = (ev->attr->sample_type & PERF_SAMPLE_CALLCHAIN) && !s->o.no_callchain &&
			((ev->fields & SCRIPT_IP) || s->printer->wants_chain);
	ev->bpf_output = session_event__is_bpf_output(e);
	if (format && (ev->fields & SCRIPT_TRACE)) {
		ev->tp = tracepoint__new(format, s->formats);
		if (!ev->tp) {
			free(ev);
			return NULL;
		}
	}
	make_column(s, ev);
	return ev;
}

/* The events as far as the session knows them; a pipe can bring more later. */
static int make_events(struct script *s)
{
	int nr = perf_session__nr_events(s->session);

	forget_events(s);
	s->formats = perf_session__formats(s->session);
	s->name_width = 0;
	for (int i = 0; i < nr; i++) {
		int len = strlen(session_event__name(perf_session__event(s->session, i)));

		s->name_width = max_t(int, s->name_width, len);
	}
	s->events = calloc(nr ? nr : 1, sizeof(*s->events));
	if (!s->events)
		return errbuf__set(s->eb, -ENOMEM, "no memory for %d events", nr);
	s->nr_events = nr;
	if (script_fields__check(&s->o.fields, s->session, !s->o.no_callchain, s->eb))
		return -EINVAL;
	for (int i = 0; i < nr; i++) {
		s->events[i] = make_event(s, perf_session__event(s->session, i));
		if (!s->events[i])
			return errbuf__set(s->eb, -ENOMEM, "no memory for %d events", nr);
	}
	return 0;
}

/* 0 with *@ev, which may be NULL (no event), or -errno. */
static int find_event(struct script *s, struct session_event *e, struct script_event **ev)
{
	int idx = e ? session_event__idx(e) : -1, err;

	*ev = NULL;
	if (!e)
		return 0;
	if (unlikely(idx >= s->nr_events)) {
		err = make_events(s);
		if (err)
			return err;
	}
	*ev = idx < s->nr_events ? s->events[idx] : NULL;
	return 0;
}

/* ---- names, places and times ---- */

const char *script__comm(struct script *s, u32 pid, u32 tid, u64 time, u32 *len)
{
	struct script_comm *slot = &s->comms[(tid ^ tid >> 6) % SCRIPT_COMM_CACHE];
	struct thread *t;

	if (likely(slot->comm && slot->tid == tid && slot->pid == pid)) {
		*len = slot->len;
		return slot->comm;
	}
	t = machine__thread(s->machine, pid, tid, time);
	slot->comm = t ? thread__comm(t, time) : NULL;
	if (!slot->comm) {
		*len = 3;
		return ":-1";
	}
	slot->pid = pid;
	slot->tid = tid;
	slot->len = *len = strlen(slot->comm);
	return slot->comm;
}

static void forget_comms(struct script *s)
{
	memset(s->comms, 0, sizeof(s->comms));
	s->comm_column.comm = NULL;
}

const struct addr_location *script__locate(struct script *s, struct script_sample *sm)
{
	if (!sm->located) {
		machine__resolve(s->machine, sm->s->pid, sm->s->tid, sm->s->cpumode, sm->s->ip,
				 sm->s->time, &sm->al);
		sm->located = true;
		s->nr_kernel_unnamed +=
			!sm->al.sym && sm->al.map && sm->al.cpumode == PERF_RECORD_MISC_KERNEL;
	}
	return &sm->al;
}

u64 script__shown_time(struct script *s, u64 time)
{
	u64 t = time;

	if (s->o.reltime) {
		if (!s->initial_time)
			s->initial_time = time;
		t = time - s->initial_time;
	} else if (s->o.deltatime) {
		t = s->previous_time ? time - s->previous_time : 0;
		s->previous_time = time;
	}
	return t;
}

/* Is @name one of the comma-separated @list? */
static bool listed(const char *list, const char *name)
{
	size_t n = strlen(name);

	for (const char *p = list; *p;) {
		size_t len = strcspn(p, ",");

		if (len == n && !memcmp(p, name, n))
			return true;
		p += len + (p[len] == ',');
	}
	return false;
}

/* --stop-bt: the symbol itself is the last frame. */
static void stop_chain(const struct script *s, struct script_sample *sm)
{
	for (u32 i = 0; i < sm->nr_frames; i++) {
		if (sm->frames[i].name && listed(s->o.stop_frames, sm->frames[i].name)) {
			sm->nr_frames = i + 1;
			return;
		}
	}
}

static void resolve_chain(struct script *s, struct script_sample *sm)
{
	const struct perf_sample *p = sm->s;
	const struct perf_event_attr *attr = sm->ev->attr;
	struct callchain_input in = {
		.pid = p->pid,
		.tid = p->tid,
		.time = p->time,
		.cpumode = p->cpumode,
		.ip = p->ip,
		.ips = p->callchain,
		.nr = p->callchain ? p->callchain_nr : 0,
	};

	if (p->user_regs && p->user_stack && p->user_stack_dyn)
		in.unwind = (struct unwind_sample){
			.abi = p->user_abi,
			.mask = attr->sample_regs_user,
			.regs = p->user_regs,
			.stack = p->user_stack,
			.stack_size = min_t(u64, p->user_stack_dyn, p->user_stack_size),
			.machine = s->machine_type,
		};
	sm->nr_frames = callchain__resolve(s->chain, &in, &sm->frames);
	if (unlikely(s->o.stop_frames))
		stop_chain(s, sm);
	s->nr_cut += callchain__last_end(s->chain) == UNWIND_CUT;
	s->nr_kernel_unnamed += sm->nr_frames && !sm->frames[0].name && sm->frames[0].map &&
				sm->frames[0].cpumode == PERF_RECORD_MISC_KERNEL;
}

/* ---- the session's callbacks ---- */

static int print_sample(struct script *s, struct script_event *ev,
			const struct perf_event_header *rec, const struct perf_sample *sample)
{
	struct script_sample sm = {.rec = rec, .s = sample, .ev = ev};

	sm.comm = script__comm(s, sample->pid, sample->tid, sample->time, &sm.comm_len);
	if (s->filter && script_filter__has_comm(s->filter) &&
	    !script_filter__comm(s->filter, sm.comm))
		return 0;
	if (s->filter && script_filter__has_location(s->filter) &&
	    !script_filter__location(s->filter, script__locate(s, &sm)))
		return 0;
	s->nr_samples++;
	if (ev->callchain)
		resolve_chain(s, &sm);
	if (unlikely(s->o.per_event)) {
		int err = script_perevent__begin(s, ev);

		if (err)
			return err;
		s->printer->sample(s, &sm);
		return script_perevent__end(s);
	}
	s->printer->sample(s, &sm);
	return s->ob->err;
}

/* --switch-on, --switch-off: is this sample passed over? */
static bool switched_off(struct script *s, const struct script_event *ev)
{
	const char *name = session_event__name(ev->e);

	if (s->off) {
		if (!s->o.on || strcmp(s->o.on, name))
			return true;
		s->off = false;
		return !s->o.show_on_off;
	}
	if (!s->o.off || strcmp(s->o.off, name))
		return false;
	s->off = true;
	return !s->o.show_on_off;
}

/* -d: true when there is nothing more to do with it. */
static bool check_order(struct script *s, const struct perf_sample *sample)
{
	if (sample->time < s->last_time) {
		script__warn(s, "Samples misordered, previous: %llu this: %llu",
			     (unsigned long long)s->last_time, (unsigned long long)sample->time);
		s->nr_misordered++;
	}
	s->last_time = sample->time;
	return true;
}

struct read_ctx {
	struct script *s;
	const struct perf_event_header *rec;
	struct perf_sample sample;
};

static int on_counter(void *ctx, u64 id, u64 period)
{
	struct read_ctx *c = ctx;
	struct script_event *ev;
	int err = find_event(c->s, perf_session__event_by_id(c->s->session, id), &ev);

	if (err || !ev || !ev->fields)
		return err;
	c->sample.id = id;
	c->sample.period = period;
	return print_sample(c->s, ev, c->rec, &c->sample);
}

static int on_sample(void *ctx, struct perf_session *session, struct session_event *e,
		     const struct perf_event_header *rec, const struct perf_sample *sample)
{
	struct script *s = ctx;
	struct script_event *ev;
	int err = find_event(s, e, &ev);

	(void)session;
	if (unlikely(err))
		return err;
	if (unlikely(s->o.dump))
		script_dump__record(s, e, rec, sample);
	if (unlikely(s->o.check_order) && check_order(s, sample))
		return 0;
	s->last_time = sample->time;
	if (unlikely(!s->pruned))
		s->pruned = sample->time;
	if (!ev || (s->filter && !script_filter__sample(s->filter, sample)))
		return 0;
	if (unlikely(s->switches) && switched_off(s, ev))
		return 0;
	if (unlikely(ev->attr->sample_type & PERF_SAMPLE_READ)) {
		struct read_ctx c = {.s = s, .rec = rec, .sample = *sample};

		return script_read__each(s, ev->attr, sample, on_counter, &c);
	}
	return ev->fields || s->printer->wants_chain ? print_sample(s, ev, rec, sample) : 0;
}

static void show(struct script *s, u32 what, const struct script_event *ev,
		 const struct perf_event_header *rec, const struct perf_sample *sample, pid_t pid,
		 pid_t tid)
{
	static const struct perf_sample none;

	if (!(s->o.show & what) || !s->printer->sideband)
		return;
	if (s->filter && sample && !script_filter__cpu(s->filter, sample->cpu))
		return;
	s->printer->sideband(s, ev, rec, sample ? sample : &none, pid, tid);
}

static u32 what_of(u32 type)
{
	switch (type) {
	case PERF_RECORD_COMM:
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		return SCRIPT_SHOW_TASK;
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		return SCRIPT_SHOW_MMAP;
	case PERF_RECORD_NAMESPACES:
		return SCRIPT_SHOW_NAMESPACE;
	case PERF_RECORD_KSYMBOL:
	case PERF_RECORD_BPF_EVENT:
		return SCRIPT_SHOW_BPF;
	case PERF_RECORD_CGROUP:
		return SCRIPT_SHOW_CGROUP;
	case PERF_RECORD_TEXT_POKE:
		return SCRIPT_SHOW_TEXT_POKE;
	default:
		return 0;
	}
}

/* Whose record it is: pid and tid stand in different places. */
static void owner_of(const struct perf_event_header *rec, const struct perf_sample *sample,
		     pid_t *pid, pid_t *tid)
{
	const s32 *body = (const s32 *)(rec + 1);

	*pid = sample ? sample->pid : 0;
	*tid = sample ? sample->tid : 0;
	switch (rec->type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
	case PERF_RECORD_COMM:
	case PERF_RECORD_NAMESPACES:
		if (rec->size >= sizeof(*rec) + 8) {
			*pid = body[0];
			*tid = body[1];
		}
		break;
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		if (rec->size >= sizeof(*rec) + 16) {
			*pid = body[0];
			*tid = body[2];
		}
		break;
	default:
		break;
	}
}

static int on_sideband(void *ctx, struct perf_session *session, struct session_event *e,
		       const struct perf_event_header *rec, const struct perf_sample *sample)
{
	struct script *s = ctx;
	bool leaves = rec->type == PERF_RECORD_EXIT; /* its name is wanted before it goes */
	struct script_event *ev;
	pid_t pid, tid;
	int err = find_event(s, e, &ev);

	(void)session;
	if (err)
		return err;
	if (unlikely(s->o.dump))
		script_dump__record(s, e, rec, sample);
	if (!leaves)
		machine__process(s->machine, rec, sample ? sample->time : 0);
	if (rec->type == PERF_RECORD_CGROUP)
		script_cgroups__add(s, rec);
	if (rec->type == PERF_RECORD_COMM || rec->type == PERF_RECORD_FORK)
		forget_comms(s);
	owner_of(rec, sample, &pid, &tid);
	show(s, what_of(rec->type), ev, rec, sample, pid, tid);
	if (leaves) {
		machine__process(s->machine, rec, sample ? sample->time : 0);
		forget_comms(s);
	}
	return s->ob->err;
}

static int on_other(struct script *s, u32 what, struct session_event *e,
		    const struct perf_event_header *rec, const struct perf_sample *sample)
{
	struct script_event *ev;
	int err = find_event(s, e, &ev);

	if (err)
		return err;
	if (unlikely(s->o.dump))
		script_dump__record(s, e, rec, sample);
	show(s, what, ev, rec, sample, sample ? sample->pid : 0, sample ? sample->tid : 0);
	return s->ob->err;
}

static int on_lost(void *ctx, struct perf_session *session, struct session_event *e,
		   const struct perf_event_header *rec, const struct perf_sample *sample)
{
	(void)session;
	return on_other(ctx, SCRIPT_SHOW_LOST, e, rec, sample);
}

static int on_switch(void *ctx, struct perf_session *session, struct session_event *e,
		     const struct perf_event_header *rec, const struct perf_sample *sample)
{
	(void)session;
	return on_other(ctx, SCRIPT_SHOW_SWITCH, e, rec, sample);
}

static int on_dumped(void *ctx, struct perf_session *session, struct session_event *e,
		     const struct perf_event_header *rec, const struct perf_sample *sample)
{
	(void)session;
	return on_other(ctx, 0, e, rec, sample);
}

/* Samples of a task can come some time after its EXIT: it is switched out for the last time later.
 */
#define KEPT_AFTER_END (10 * 1000000000ULL)

/* Threads and maps that are gone need not be known for ever. */
static void end_round(struct script *s)
{
	if (s->last_time < s->pruned + 2 * KEPT_AFTER_END)
		return;
	s->pruned = s->last_time - KEPT_AFTER_END;
	machine__prune(s->machine, s->pruned);
	forget_comms(s);
}

static int on_tool(void *ctx, struct perf_session *session, struct session_event *e,
		   const struct perf_event_header *rec, const struct perf_sample *sample)
{
	struct script *s = ctx;

	if (unlikely(s->o.dump) && rec->type != PERF_RECORD_FINISHED_ROUND)
		script_dump__record(s, e, rec, sample);
	if (rec->type == PERF_RECORD_FINISHED_ROUND) {
		show(s, SCRIPT_SHOW_ROUND, NULL, rec, sample, 0, 0);
		end_round(s);
		/* Whoever reads the other end of a pipe wants to see what there is. */
		if (perf_session__is_pipe(session))
			outbuf__flush(s->ob);
	}
	return s->ob->err;
}

void script__ops(struct script *s, struct session_ops *ops)
{
	*ops = (struct session_ops){
		.ctx = s,
		.sample = on_sample,
		.sideband = on_sideband,
		.lost = on_lost,
		.ctxswitch = on_switch,
		.tool = on_tool,
	};
	if (s->o.dump)
		ops->throttle = ops->read = ops->aux = ops->unknown = on_dumped;
}

/* ---- life ---- */

static u16 machine_type(const char *arch)
{
	static const struct {
		const char *arch;
		u16 em;
	} types[] = {{"x86_64", EM_X86_64}, {"aarch64", EM_AARCH64}, {"arm64", EM_AARCH64},
		     {"i386", EM_386},	    {"i486", EM_386},	     {"i586", EM_386},
		     {"i686", EM_386}};

	for (size_t i = 0; arch && i < ARRAY_SIZE(types); i++) {
		if (!strcmp(arch, types[i].arch))
			return types[i].em;
	}
	if (arch && !strncmp(arch, "arm", 3))
		return EM_ARM;
#ifdef __aarch64__
	return arch ? EM_NONE : EM_AARCH64;
#else
	return arch ? EM_NONE : EM_X86_64;
#endif
}

static bool no_such_event(struct script *s, const char *what, const char *name)
{
	for (int i = 0; name && i < s->nr_events; i++)
		if (!strcmp(session_event__name(s->events[i]->e), name))
			return false;
	if (name)
		errbuf__set(s->eb, -EINVAL,
			    "--switch-%s: there is no event '%s' in the recording (perf evlist "
			    "lists them)",
			    what, name);
	return name;
}

struct script *script__new(const struct script_opts *o, enum script_format format,
			   struct perf_session *session, struct machine *machine, struct outbuf *ob,
			   struct errbuf *eb)
{
	static const struct script_printer *const printers[] = {
		[SCRIPT_TEXT] = &script_text,
		[SCRIPT_JSON] = &script_json,
		[SCRIPT_FOLDED] = &script_folded,
	};
	struct script *s = calloc(1, sizeof(*s));
	struct callchain_opts co = {
		.max_stack = o->max_stack,
		.no_inline = o->no_inline,
		.method = o->unwind,
	};
	u64 fields = 0;

	if (!s) {
		errbuf__set(eb, -ENOMEM, "no memory");
		return NULL;
	}
	s->o = *o;
	s->printer = printers[format];
	s->session = session;
	s->machine = machine;
	s->ob = ob;
	s->eb = eb;
	s->formats = perf_session__formats(session);
	s->arch = perf_session__info(session)->arch;
	if (!s->arch)
		s->arch = "x86_64";
	s->switches = o->on || o->off;
	s->off = o->on;
	s->machine_type = machine_type(perf_session__info(session)->arch);
	for (int t = 0; t < SCRIPT_NR_TYPES; t++)
		fields |= o->fields.type[t].fields;
	co.want_srcline = fields & SCRIPT_SRCLINE;
	/* An inlined function is nothing but a name and a line. */
	if (!(fields & (SCRIPT_SYM | SCRIPT_SRCLINE)) && format != SCRIPT_FOLDED)
		co.no_inline = true;
	s->chain = callchain__new(machine, &co);
	if (!s->chain || outbuf__init(&s->scratch, -1, 0) ||
	    (s->printer->init && s->printer->init(s))) {
		errbuf__set(eb, -ENOMEM, "no memory for call chains");
		script__delete(s);
		return NULL;
	}
	if (perf_session__nr_events(session) &&
	    (make_events(s) || no_such_event(s, "on", o->on) || no_such_event(s, "off", o->off))) {
		script__delete(s);
		return NULL;
	}
	return s;
}

void script__delete(struct script *s)
{
	if (!s)
		return;
	forget_events(s);
	script_cgroups__exit(s);
	script_read__exit(s);
	script_perevent__exit(s);
	if (s->printer->exit)
		s->printer->exit(s);
	if (s->chain)
		callchain__delete(s->chain);
	outbuf__exit(&s->scratch);
	free(s);
}

void script__set_filter(struct script *s, struct script_filter *f)
{
	s->filter = f;
}

/* The size of a dump is a u16, in steps of 8. */
#define MAX_DUMP 65528

static void say_cut(const struct script *s, const struct callchain_stats *st)
{
	unsigned long long size = (st->needed + 7) / 8 * 8;
	char advice[128];

	if (size > MAX_DUMP)
		snprintf(advice, sizeof(advice),
			 "the largest is of %llu bytes, and a dump of %d at most", size, MAX_DUMP);
	else
		snprintf(advice, sizeof(advice), "--call-graph dwarf,%llu %s", size,
			 st->needed_known ? "would have held the largest seen"
					  : "is the least that gets further");
	script__warn(s, "%llu of %llu user stacks are cut: their dumps end too early; %s",
		     (unsigned long long)st->cut, (unsigned long long)st->unwound, advice);
}

void script__say_stats(const struct script *s)
{
	struct callchain_stats st;

	if (s->o.check_order)
		script__warn(s, "Misordered timestamps: %llu",
			     (unsigned long long)s->nr_misordered);
	callchain__stats(s->chain, &st);
	if (st.cut)
		say_cut(s, &st);
}

int script__finish(struct script *s)
{
	if (s->printer->finish)
		s->printer->finish(s);
	if (s->o.per_event) {
		int err = script_perevent__finish(s);

		if (err)
			return err;
	}
	return outbuf__flush(s->ob);
}

u64 script__nr_samples(const struct script *s)
{
	return s->nr_samples;
}

u64 script__nr_cut_stacks(const struct script *s)
{
	return s->nr_cut;
}

u64 script__nr_kernel_unnamed(const struct script *s)
{
	return s->nr_kernel_unnamed;
}
