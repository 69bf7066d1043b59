// SPDX-License-Identifier: GPL-2.0-only
/* Structs and arrays by their layout; signal sets and siginfo. */
#include <signal.h>
#include <stdio.h>
#include <time.h>

#include "trace/decode-int.h"

struct span blob__span(const struct trace_blob *b)
{
	return (struct span){blob__data(b), b->len};
}

u64 span__get(struct span s, u32 off, u32 size)
{
	u64 v = 0;

	if (off > s.len || size > s.len - off || size > sizeof(v))
		return 0;
	switch (size) {
	case 1:
		return s.p[off];
	case 2: {
		u16 w;

		memcpy(&w, s.p + off, 2);
		return w;
	}
	case 4: {
		u32 w;

		memcpy(&w, s.p + off, 4);
		return w;
	}
	default:
		memcpy(&v, s.p + off, size);
		return v;
	}
}

static s64 extend(u64 v, u32 size)
{
	return size == 8 ? (s64)v : size == 4 ? (s32)v : size == 2 ? (s16)v : (s8)v;
}

const struct trace_type *dctx__type(struct dctx *x, const char *name)
{
	return trace_types__find(x->d->types, name, (u32)strlen(name), x->compat);
}

void val__sigset(struct dctx *x, u64 mask)
{
	/* more than half of them set: what is not in the set is shorter */
	bool invert = __builtin_popcountll(mask) > 42;
	u64 shown = invert ? ~mask : mask;
	bool first = true;

	if (invert)
		outbuf__puts(x->ob, dctx__json(x) ? "\"~" : "~");
	outbuf__putc(x->ob, '[');
	for (int sig = 1; sig <= 64; sig++) {
		const char *name;

		if (!(shown >> (sig - 1) & 1))
			continue;
		name = trace_signal__name(sig) + 3;
		if (!first)
			outbuf__puts(x->ob, dctx__json(x) && !invert ? "," : " ");
		if (dctx__json(x) && !invert)
			outbuf__printf(x->ob, "\"%s\"", name);
		else
			outbuf__puts(x->ob, name);
		first = false;
	}
	outbuf__putc(x->ob, ']');
	if (invert && dctx__json(x))
		outbuf__putc(x->ob, '"');
}

void val__special_field(struct dctx *x, const struct trace_field *f, u64 v)
{
	switch (f->special) {
	case TS_SIGSET:
		val__sigset(x, v);
		break;
	case TS_SIGHANDLER:
		if (v <= 1)
			val__text(x, v ? "SIG_IGN" : "SIG_DFL");
		else
			val__hex(x, v);
		break;
	case TS_RLIM: {
		u64 inf = f->size == 4 ? 0xffffffffULL : ~0ULL;

		if (v == inf)
			val__text(x, dctx__full_names(x) ? "RLIM64_INFINITY" : "INFINITY");
		else if (v > 1024 && v % 1024 == 0 && dctx__strace(x))
			outbuf__printf(x->ob, "%llu*1024", (unsigned long long)(v / 1024));
		else
			val__dec(x, v);
		break;
	}
	case TS_INADDR: {
		const u8 *a = (const u8 *)&v;

		val__printf(x, "%u.%u.%u.%u", a[0], a[1], a[2], a[3]);
		break;
	}
	default:
		val__hex(x, v);
	}
}

static void field_value(struct dctx *x, const struct trace_field *f, struct span s, u32 off)
{
	u64 v = span__get(s, off, f->size <= 8 ? f->size : 0);

	if (f->bit_size) {
		v = v >> f->bit_off & ((1ULL << f->bit_size) - 1);
		val__dec(x, v);
		return;
	}
	switch (f->kind) {
	case TK_STRUCT:
		val__struct(x, f->type, (struct span){s.p + off, f->size});
		break;
	case TK_STR: {
		u32 len = off < s.len ? min_t(u32, f->size, s.len - off) : 0;

		val__bytes(x, s.p + off, len ? (u32)strnlen((const char *)s.p + off, len) : 0,
			   false, false);
		break;
	}
	case TK_INT:
	case TK_LONG:
		val__sdec(x, extend(v, f->size));
		break;
	case TK_HEX:
		val__hex(x, v);
		break;
	case TK_PTR:
		val__ptr(x, v);
		break;
	case TK_OCT:
		val__oct(x, v);
		break;
	case TK_FLAGS:
		val__flags(x, f->set, v);
		break;
	case TK_ENUM:
		val__enum(x, f->set, v, false);
		break;
	case TK_MODE:
		val__mode(x, (u32)v);
		break;
	case TK_FD:
		val__fd(x, (s32)v);
		break;
	case TK_PID:
		val__pid(x, (s32)v);
		break;
	case TK_UID:
		val__uid(x, (u32)v);
		break;
	case TK_SIGNAL:
		val__signal(x, extend(v, f->size));
		break;
	case TK_DEV:
		val__dev(x, v);
		break;
	case TK_SPECIAL:
		val__special_field(x, f, v);
		break;
	default:
		val__dec(x, v);
	}
}

static void field_values(struct dctx *x, const struct trace_field *f, struct span s)
{
	if (f->count == 1) {
		field_value(x, f, s, f->off);
		return;
	}
	outbuf__putc(x->ob, '[');
	for (u32 i = 0; i < f->count; i++) {
		u32 off = f->off + i * f->size;

		if (off + f->size > s.len)
			break;
		if (i)
			val__sep(x);
		field_value(x, f, s, off);
	}
	outbuf__putc(x->ob, ']');
}

/* Structs with many members are shortened: to the telling ones where the table marks some, else
 * (upstream's style) to those that are not 0. JSON has all. */
static bool field_hidden(const struct dctx *x, const struct trace_type *t,
			 const struct trace_field *f, struct span s)
{
	if (dctx__json(x))
		return false;
	if (t->brief && !x->d->o.all_members)
		return !f->brief;
	if (dctx__strace(x) || t->nr_fields <= 8 || x->d->o.show_zeros)
		return false;
	for (u32 i = 0; i < (u32)f->size * f->count; i++) {
		if (f->off + i < s.len && s.p[f->off + i])
			return false;
	}
	return true;
}

/* stat's device number is that of a device file alone, its size that of a file alone. */
static bool stat_hides(const struct trace_type *t, const struct trace_field *f, struct span s)
{
	bool size, is_dev;
	u64 mode = 0;

	if (t->special != TT_STAT || f->name_len != 7)
		return false;
	size = !memcmp(f->name, "st_size", 7);
	if (!size && memcmp(f->name, "st_rdev", 7))
		return false;
	for (u32 i = 0; i < t->nr_fields; i++) {
		if (t->fields[i].kind == TK_MODE)
			mode = span__get(s, t->fields[i].off, t->fields[i].size);
	}
	is_dev = (mode & 0170000) == 0020000 || (mode & 0170000) == 0060000;
	return size == is_dev;
}

static const struct trace_field *field_find(const struct trace_type *t, const char *name)
{
	for (u32 i = 0; i < t->nr_fields; i++) {
		if (!strncmp(t->fields[i].name, name, t->fields[i].name_len) &&
		    !name[t->fields[i].name_len])
			return &t->fields[i];
	}
	return NULL;
}

/* Members in an order of their own: handler, mask, flags, and the restorer where it is one. */
static void sigaction_struct(struct dctx *x, const struct trace_type *t, struct span s)
{
	static const char *const order[] = {"sa_handler", "sa_mask", "sa_flags", "sa_restorer"};
	const struct trace_field *flags = field_find(t, "sa_flags");
	u64 f = flags ? span__get(s, flags->off, flags->size) : 0;

	val__open(x);
	for (u32 i = 0; i < ARRAY_SIZE(order); i++) {
		const struct trace_field *m = field_find(t, order[i]);

		if (!m || (i == 3 && !(f & 0x04000000)))
			continue;
		val__field(x, m->name, m->name_len, i == 0);
		field_value(x, m, s, m->off);
	}
	val__close(x, false);
}

static void epoll_event(struct dctx *x, const struct trace_type *t, struct span s)
{
	u64 data = span__get(s, t->fields[1].off, 8);

	val__open(x);
	val__field(x, "events", 6, true);
	val__flags(x, SET_OF("epoll"), span__get(s, 0, 4));
	val__field(x, "data", 4, false);
	if (dctx__strace(x))
		outbuf__printf(x->ob, "{u32=%u, u64=%llu}", (u32)data, (unsigned long long)data);
	else
		val__dec(x, data);
	val__close(x, false);
}

/* File times: strace adds the date. */
static void time_ut(struct dctx *x, const struct trace_type *t, struct span s, bool nsec)
{
	u32 half = t->size / 2;
	s64 sec = extend(span__get(s, 0, half), half);
	u64 frac = span__get(s, half, half);
	time_t when = (time_t)sec;
	char date[40], zone[8];
	struct tm tm;

	if (nsec && (frac == 0x3fffffff || frac == 0x3ffffffe)) {
		val__text(x, frac == 0x3fffffff ? "UTIME_NOW" : "UTIME_OMIT");
		return;
	}
	val__open(x);
	for (u32 i = 0; i < 2; i++) {
		val__field(x, t->fields[i].name, t->fields[i].name_len, i == 0);
		field_value(x, &t->fields[i], s, t->fields[i].off);
	}
	val__close(x, false);
	if (!dctx__strace(x) || !localtime_r(&when, &tm) ||
	    !strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%S", &tm) ||
	    !strftime(zone, sizeof(zone), "%z", &tm))
		return;
	outbuf__printf(x->ob, " /* %s", date);
	if (frac)
		outbuf__printf(x->ob, nsec ? ".%09llu" : ".%06llu", (unsigned long long)frac);
	outbuf__printf(x->ob, "%s */", zone);
}

/* The members that are not 0, and those that are shown in any case. */
static void nonzero_struct(struct dctx *x, const struct trace_type *t, struct span s,
			   const char *always, const char *pointers)
{
	bool first = true;

	val__open(x);
	for (u32 i = 0; i < t->nr_fields; i++) {
		const struct trace_field *f = &t->fields[i];
		u64 v = span__get(s, f->off, f->size);
		char word[24];

		if ((u32)f->off + f->size > s.len)
			break;
		snprintf(word, sizeof(word), " %.*s ", f->name_len, f->name);
		if (!v && !strstr(always, word))
			continue;
		val__field(x, f->name, f->name_len, first);
		if (strstr(pointers, word))
			val__ptr(x, v);
		else
			field_value(x, f, s, f->off);
		first = false;
	}
	val__close(x, false);
}

/* Two halves of a capability set, as one: the upper 32 in the second struct. */
bool val__capabilities(struct dctx *x, struct span s)
{
	static const char *const names[] = {"effective", "permitted", "inheritable"};

	if (s.len != 24)
		return false;
	val__open(x);
	for (u32 i = 0; i < 3; i++) {
		val__field(x, names[i], (u32)strlen(names[i]), i == 0);
		val__flags(x, SET_OF("capbit"),
			   span__get(s, i * 4, 4) | span__get(s, 12 + i * 4, 4) << 32);
	}
	val__close(x, false);
	return true;
}

static void sigevent(struct dctx *x, const struct trace_type *t, struct span s)
{
	static const char *const order[] = {"sigev_value", "sigev_signo", "sigev_notify",
					    "sigev_notify_thread_id"};
	bool first = true;

	val__open(x);
	for (u32 i = 0; i < ARRAY_SIZE(order); i++) {
		const struct trace_field *m = field_find(t, order[i]);
		u64 v = m ? span__get(s, m->off, m->size) : 0;

		if (!m || (i == 0 && !v) ||
		    (i == 3 && span__get(s, field_find(t, "sigev_notify")->off, 4) != 4))
			continue;
		val__field(x, m->name, m->name_len, first);
		first = false;
		if (i == 0 && dctx__strace(x))
			outbuf__printf(x->ob,
				       v ? "{sival_int=%d, sival_ptr=%#llx}"
					 : "{sival_int=%d, sival_ptr=NULL}",
				       (s32)v, (unsigned long long)v);
		else
			field_value(x, m, s, m->off);
	}
	val__close(x, false);
}

/* true when the struct was printed in its own way. */
static bool special_struct(struct dctx *x, const struct trace_type *t, struct span s)
{
	if (t->special == TT_CLONE_ARGS && dctx__strace(x)) { /* shorter ones are older ones */
		nonzero_struct(x, t, s, " flags exit_signal stack stack_size ",
			       " stack tls child_tid parent_tid pidfd set_tid ");
		return true;
	}
	if (s.len < t->size)
		return false;
	switch (t->special) {
	case TT_OPEN_HOW:
		if (!dctx__strace(x))
			return false;
		nonzero_struct(x, t, s, " flags resolve ", "");
		return true;
	case TT_SIGACTION:
		sigaction_struct(x, t, s);
		return true;
	case TT_SIGINFO:
		val__siginfo(x, s);
		return true;
	case TT_EPOLL:
		epoll_event(x, t, s);
		return true;
	case TT_TIMESPEC_UT:
	case TT_TIME_UT:
		time_ut(x, t, s, t->special == TT_TIMESPEC_UT);
		return true;
	case TT_SIGEVENT:
		sigevent(x, t, s);
		return true;
	}
	return false;
}

/* strace shows what poll asked for among the arguments, what it got behind the result. */
static bool pollfd_hides(const struct dctx *x, const struct trace_type *t,
			 const struct trace_field *f)
{
	return t->special == TT_POLLFD && dctx__strace(x) &&
	       (x->poll_result ? f == &t->fields[1] : f == &t->fields[2]);
}

void val__struct(struct dctx *x, const struct trace_type *t, struct span s)
{
	bool first = true;

	if (t->scalar) {
		field_value(x, &t->fields[0], s, 0);
		return;
	}
	if (t->special && special_struct(x, t, s))
		return;
	val__open(x);
	for (u32 i = 0; i < t->nr_fields; i++) {
		const struct trace_field *f = &t->fields[i];

		if ((u32)f->off + (u32)f->size * f->count > s.len) /* an older, shorter struct */
			break;
		if (field_hidden(x, t, f, s) || (!dctx__json(x) && stat_hides(t, f, s)) ||
		    pollfd_hides(x, t, f))
			continue;
		val__field(x, f->name, f->name_len, first);
		field_values(x, f, s);
		first = false;
	}
	val__close(x, t->brief && !x->d->o.all_members);
}

void val__array(struct dctx *x, const struct trace_type *t, struct span s, u64 nr, bool cut)
{
	u64 have = t->size ? s.len / t->size : 0;

	if (have > nr)
		have = nr;
	outbuf__putc(x->ob, '[');
	for (u64 i = 0; i < have; i++) {
		if (i)
			val__sep(x);
		val__struct(x, t, (struct span){s.p + i * t->size, t->size});
	}
	if (have < nr && (cut || nr > have) && !dctx__json(x)) {
		if (have)
			val__sep(x);
		outbuf__puts(x->ob, "...");
	}
	outbuf__putc(x->ob, ']');
}

static const struct trace_set *code_set(s32 signo, s32 code)
{
	if (code <= 0 || code == 0x80)
		return SET_OF("si_code");
	switch (signo) {
	case SIGCHLD:
		return SET_OF("si_chld");
	case SIGSEGV:
		return SET_OF("si_segv");
	case SIGBUS:
		return SET_OF("si_bus");
	case SIGFPE:
		return SET_OF("si_fpe");
	case SIGILL:
		return SET_OF("si_ill");
	case SIGTRAP:
		return SET_OF("si_trap");
	case SIGSYS:
		return SET_OF("si_sys");
	}
	return SET_OF("si_code");
}

static void member(struct dctx *x, const char *name)
{
	val__field(x, name, (u32)strlen(name), false);
}

static void siginfo_sender(struct dctx *x, struct span s, u32 at)
{
	member(x, "si_pid");
	val__pid(x, (s32)span__get(s, at, 4));
	member(x, "si_uid");
	val__uid(x, (u32)span__get(s, at + 4, 4));
}

/* What lies behind the first three words, by the signal and the code. */
static void siginfo_rest(struct dctx *x, struct span s, s32 signo, s32 code)
{
	u32 at = x->compat ? 12 : 16;

	if (code > 0 && code != 0x80 && signo == SIGCHLD) {
		u32 clk = x->compat ? 4 : 8;

		siginfo_sender(x, s, at);
		member(x, "si_status");
		if (code == 1)
			val__sdec(x, (s32)span__get(s, at + 8, 4));
		else
			val__signal(x, (s32)span__get(s, at + 8, 4));
		member(x, "si_utime");
		val__dec(x, span__get(s, at + (x->compat ? 12 : 16), clk));
		member(x, "si_stime");
		val__dec(x, span__get(s, at + (x->compat ? 16 : 24), clk));
	} else if (code > 0 && code != 0x80 &&
		   (signo == SIGSEGV || signo == SIGBUS || signo == SIGILL || signo == SIGFPE ||
		    signo == SIGTRAP)) {
		member(x, "si_addr");
		val__ptr(x, span__get(s, at, x->compat ? 4 : 8));
	} else if (code > 0 && code != 0x80 && signo == SIGSYS) {
		member(x, "si_call_addr");
		val__ptr(x, span__get(s, at, x->compat ? 4 : 8));
		member(x, "si_syscall");
		val__dec(x, span__get(s, at + (x->compat ? 4 : 8), 4));
	} else if (code == SI_TIMER) {
		member(x, "si_timerid");
		val__hex(x, span__get(s, at, 4));
		member(x, "si_overrun");
		val__sdec(x, (s32)span__get(s, at + 4, 4));
		member(x, "si_value");
		val__hex(x, span__get(s, at + 8, x->compat ? 4 : 8));
	} else if (code == SI_QUEUE || code == SI_MESGQ) {
		siginfo_sender(x, s, at);
		member(x, "si_value");
		val__hex(x, span__get(s, at + 8, x->compat ? 4 : 8));
	} else if (code != 0x80) {
		siginfo_sender(x, s, at);
	}
}

void val__siginfo(struct dctx *x, struct span s)
{
	s32 signo = (s32)span__get(s, 0, 4), code = (s32)span__get(s, 8, 4);
	s32 err = (s32)span__get(s, 4, 4);

	if (s.len < 12) {
		outbuf__puts(x->ob, "{}");
		return;
	}
	if (!signo && !code && dctx__strace(x)) { /* waitid without a child */
		outbuf__puts(x->ob, "{}");
		return;
	}
	val__open(x);
	val__field(x, "si_signo", 8, true);
	val__signal(x, signo);
	member(x, "si_code");
	val__enum(x, code_set(signo, code), (u32)code, true);
	if (err) {
		member(x, "si_errno");
		val__sdec(x, err);
	}
	siginfo_rest(x, s, signo, code);
	val__close(x, false);
}
