// SPDX-License-Identifier: GPL-2.0-only
/* Results: numbers, errors by name, and what strace adds in parentheses. */
#include <fcntl.h>

#include "trace/decode-int.h"

static void error(struct dctx *x, int err)
{
	const char *name = trace_errno__name(err);

	outbuf__puts(x->ob, err >= 512 && err <= 516 && dctx__strace(x) ? "? " : "-1 ");
	if (name)
		outbuf__puts(x->ob, name);
	else
		outbuf__printf(x->ob, "%d", err);
	outbuf__printf(x->ob, " (%s)", trace_errno__text(err));
}

/* fcntl's results are flags. */
static bool fcntl_ret(struct dctx *x)
{
	u32 cmd = (u32)x->args[1];
	const struct trace_set *set = NULL;

	if (x->c->action != FDA_FCNTL)
		return false;
	if (cmd == F_GETFD)
		set = SET_OF("fd_flag");
	else if (cmd == F_GETFL)
		set = SET_OF("open");
	else if (cmd == F_GET_SEALS)
		set = SET_OF("seal");
	if (!set || (cmd == F_GETFD && !x->r->ret))
		return false;
	if (!dctx__strace(x)) {
		raw__flags(x, set, (u64)x->r->ret);
		return true;
	}
	val__hex(x, (u64)x->r->ret);
	outbuf__puts(x->ob, cmd == F_GET_SEALS ? " (seals " : " (flags ");
	raw__flags(x, set, (u64)x->r->ret);
	outbuf__putc(x->ob, ')');
	return true;
}

/* poll: the descriptors that are ready. */
static void strace_poll(struct dctx *x)
{
	const struct trace_blob *b = x->out[0];
	const struct trace_type *t = x->c->args[0].type;
	struct span s;
	bool first = true;

	if (!b || x->r->ret <= 0 || !t)
		return;
	s = blob__span(b);
	x->poll_result = true;
	outbuf__puts(x->ob, " ([");
	for (u32 off = 0; off + t->size <= s.len; off += t->size) {
		if (!span__get(s, off + 6, 2))
			continue;
		if (!first)
			outbuf__puts(x->ob, ", ");
		first = false;
		val__struct(x, t, (struct span){s.p + off, t->size});
	}
	outbuf__putc(x->ob, ']');
	x->poll_result = false;
	if (x->out[2] && x->c->args[2].type && x->out[2]->len >= x->c->args[2].type->size) {
		outbuf__puts(x->ob, ", left ");
		val__struct(x, x->c->args[2].type, blob__span(x->out[2]));
	}
	outbuf__putc(x->ob, ')');
}

/* select: the sets that have something in them, and the time left. */
static void strace_select(struct dctx *x)
{
	static const char *const names[] = {NULL, "in ", "out ", "exc "};
	const char *sep = " (";

	if (x->r->ret < 0)
		return;
	for (int i = 1; i <= 3; i++) {
		struct span s;
		bool any = false;

		if (!x->out[i] || !x->r->ret)
			continue;
		s = blob__span(x->out[i]);
		for (u32 n = 0; n < s.len; n++)
			any |= s.p[n] != 0;
		if (!any)
			continue;
		outbuf__puts(x->ob, sep);
		outbuf__puts(x->ob, names[i]);
		val__fdset(x, x->out[i], (u32)x->args[0]);
		sep = ", ";
	}
	if (!x->r->ret) {
		outbuf__puts(x->ob, " (Timeout)");
		return;
	}
	if (x->out[4] && x->c->args[4].type && x->out[4]->len >= x->c->args[4].type->size) {
		outbuf__puts(x->ob, sep);
		outbuf__puts(x->ob, "left ");
		val__struct(x, x->c->args[4].type, blob__span(x->out[4]));
		sep = ", ";
	}
	if (sep[0] == ',')
		outbuf__putc(x->ob, ')');
}

/* Results that are a value of a set or flags, by call: strace adds the name in parentheses. */
static const struct {
	const char *call;
	int option; /* of argument 0, -1: any */
	char how; /* e: decimal and one name, f: hex and flags, s: a signal, p: personality, i: I/O
		     priority */
	const char *set;
} named_rets[] = {
	{"sched_getscheduler", -1, 'e', "sched"}, {"adjtimex", -1, 'e', "time_state"},
	{"clock_adjtime", -1, 'e', "time_state"}, {"prctl", 3, 'e', "pr_dumpable"},
	{"prctl", 21, 'e', "pr_seccomp"},	  {"prctl", 27, 'f', "pr_securebits"},
	{"membarrier", 0, 'f', "membarrier"},	  {"rt_sigtimedwait", -1, 's', NULL},
	{"personality", -1, 'p', NULL},		  {"ioprio_get", -1, 'i', NULL},
};

static bool named_ret(struct dctx *x)
{
	u64 ret = (u64)x->r->ret;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(named_rets); i++) {
		if (!strcmp(named_rets[i].call, x->c->name) &&
		    (named_rets[i].option < 0 || (u32)named_rets[i].option == (u32)x->args[0]))
			break;
	}
	if (i == ARRAY_SIZE(named_rets))
		return false;
	if (named_rets[i].how == 'f' || named_rets[i].how == 'p')
		val__hex(x, ret);
	else
		val__dec(x, ret);
	if (named_rets[i].how == 'f' && !ret)
		return true;
	outbuf__puts(x->ob, " (");
	x->args[5] = ret;
	switch (named_rets[i].how) {
	case 'e':
		val__enum(x, set_of(named_rets[i].set), ret, true);
		break;
	case 'f':
		raw__flags(x, set_of(named_rets[i].set), ret);
		break;
	case 's':
		val__signal(x, (s64)ret);
		break;
	case 'p':
		val__special(x, &(struct trace_arg){.special = TS_PERSONALITY}, 5);
		break;
	case 'i':
		val__special(x, &(struct trace_arg){.special = TS_IOPRIO}, 5);
		break;
	}
	outbuf__putc(x->ob, ')');
	return true;
}

static bool strace_ret(struct dctx *x)
{
	const struct trace_call *c = x->c;

	if (c->ret != TR_RET_POLL)
		return named_ret(x);
	outbuf__sdec(x->ob, x->r->ret, 0);
	if (c->args[1].kind == TK_FDSET)
		strace_select(x);
	else if (!x->r->ret)
		outbuf__puts(x->ob, " (Timeout)");
	else if (c->args[0].kind == TK_ARRAY)
		strace_poll(x);
	return true;
}

static bool call_has_named_ret(const struct trace_call *c)
{
	/* few calls: by their first letters, then by the table in named_ret() */
	return strchr("sacpmri", c->name[0]) && c->nr_args;
}

/* Most calls: a number that means nothing else. */
static bool plain_ret(struct decoder *d, const struct trace_record *r)
{
	const struct trace_call *c = decoder__call(d, r);

	return r->ret >= 0 && !(r->flags & TR_NO_EXIT) &&
	       (c->ret == TR_RET_INT || c->ret == TR_RET_FD) && c->action != FDA_FCNTL &&
	       !(d->o.style == TRACE_STYLE_STRACE && call_has_named_ret(c));
}

void decoder__ret(struct decoder *d, const struct trace_record *r, struct outbuf *ob)
{
	struct dctx x;

	if (plain_ret(d, r)) {
		outbuf__dec(ob, (u64)r->ret, 0);
		return;
	}
	dctx__init(&x, d, r, ob);
	if (!x.has_ret) {
		outbuf__putc(ob, '?');
		return;
	}
	if (r->ret < 0 && r->ret >= -4095) {
		error(&x, (int)-r->ret);
		return;
	}
	if (!(r->flags & TR_NO_ENTRY)) {
		if (fcntl_ret(&x))
			return;
		if (dctx__strace(&x) && strace_ret(&x))
			return;
	}
	switch (x.c->ret) {
	case TR_RET_HEX:
		outbuf__printf(ob, "%#llx",
			       (unsigned long long)(x.compat ? (u32)r->ret : (u64)r->ret));
		break;
	case TR_RET_MODE:
		val__oct(&x, (u64)r->ret);
		break;
	case TR_RET_PID:
		/* a child that did nothing yet has its parent's name */
		if (r->ret > 0 && x.c->action == FDA_FORK && r->comm[0] &&
		    !fdtable__has_comm(d->fds, (u32)r->ret))
			fdtable__set_comm(d->fds, (u32)r->ret, r->comm);
		if (r->ret > 0)
			val__pid(&x, (s32)r->ret);
		else
			outbuf__sdec(ob, r->ret, 0);
		break;
	case TR_RET_POLL:
		outbuf__sdec(ob, r->ret, 0);
		if (!r->ret)
			outbuf__puts(ob, " (Timeout)");
		break;
	default:
		outbuf__sdec(ob, r->ret, 0);
	}
}
