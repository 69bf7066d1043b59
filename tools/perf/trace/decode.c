// SPDX-License-Identifier: GPL-2.0-only
/* The decoder: records in, arguments and results out. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "trace/decode-int.h"

u32 decoder__string_limit(enum trace_style style)
{
	return style == TRACE_STYLE_STRACE ? 32 : 64;
}

struct decoder *decoder__new(const struct trace_table *t, const struct decoder_opts *o,
			     struct errbuf *eb)
{
	struct decoder *d = calloc(1, sizeof(*d));

	if (d)
		d->fds = fdtable__new(o->no_proc);
	if (!d || !d->fds) {
		free(d);
		errbuf__set(eb, -ENOMEM, "decoder: out of memory");
		return NULL;
	}
	d->table = t;
	d->types = trace_table__types(t);
	d->o = *o;
	if (!d->o.string_limit)
		d->o.string_limit = decoder__string_limit(o->style);
	d->unknown = (struct trace_call){.name = d->unknown_name, .nr_args = TRACE_NR_ARGS};
	for (int i = 0; i < TRACE_NR_ARGS; i++) {
		static const char *const names[] = {"arg1", "arg2", "arg3", "arg4", "arg5", "arg6"};

		d->unknown.args[i] = (struct trace_arg){
			.name = names[i], .name_len = 4, .kind = TK_HEX, .show_zero = true};
	}
	return d;
}

void decoder__delete(struct decoder *d)
{
	if (!d)
		return;
	fdtable__delete(d->fds);
	trace_btf__delete(d->btf);
	free(d);
}

const struct trace_call *decoder__call(struct decoder *d, const struct trace_record *r)
{
	const struct trace_call *c = trace_table__lookup(d->table, r->abi, r->nr);

	if (c)
		return c;
	snprintf(d->unknown_name, sizeof(d->unknown_name), "syscall_%d", r->nr);
	d->unknown.name_len = (u8)strlen(d->unknown_name);
	return &d->unknown;
}

static const struct trace_blob *next_blob(const struct trace_blob *b)
{
	return (const struct trace_blob *)((const u8 *)(b + 1) + ((b->len + 7) & ~7u));
}

int decoder__check(const struct trace_record *r, u32 size)
{
	const u8 *p = (const u8 *)(r + 1), *end;

	if (size < sizeof(*r) || r->size > size || r->size < sizeof(*r) || r->size % 8)
		return -EBADMSG;
	end = (const u8 *)r + r->size;
	for (int i = 0; i < r->nr_blobs; i++) {
		const struct trace_blob *b = (const struct trace_blob *)p;

		if ((size_t)(end - p) < sizeof(*b) || b->arg >= TRACE_NR_ARGS)
			return -EBADMSG;
		p += sizeof(*b);
		if (b->len > (size_t)(end - p) || b->head > b->len)
			return -EBADMSG;
		if (((b->len + 7) & ~7u) > (size_t)(end - p))
			return -EBADMSG;
		p += (b->len + 7) & ~7u;
	}
	if (r->flags & TR_STACK) {
		u32 nr;

		if (end - p < 8)
			return -EBADMSG;
		memcpy(&nr, p, 4);
		if (nr > (size_t)(end - p - 8) / 8)
			return -EBADMSG;
	}
	return 0;
}

const struct trace_blob *record__blob(const struct trace_record *r, int arg, int when)
{
	const struct trace_blob *b = (const struct trace_blob *)(r + 1), *found = NULL;

	for (int i = 0; i < r->nr_blobs; i++, b = next_blob(b)) {
		if (b->arg == arg && (b->when & when) && (!found || b->when == CAP_EXIT))
			found = b;
	}
	return found;
}

u32 record__stack(const struct trace_record *r, const u64 **ips)
{
	const struct trace_blob *b = (const struct trace_blob *)(r + 1);

	if (!(r->flags & TR_STACK))
		return 0;
	for (int i = 0; i < r->nr_blobs; i++)
		b = next_blob(b);
	*ips = (const u64 *)((const u8 *)b + 8);
	return *(const u32 *)b;
}

void dctx__init(struct dctx *x, struct decoder *d, const struct trace_record *r, struct outbuf *ob)
{
	const struct trace_blob *b = (const struct trace_blob *)(r + 1);

	x->d = d;
	x->r = r;
	x->c = decoder__call(d, r);
	x->ob = ob;
	x->style = d->o.style;
	x->compat = r->abi == TRACE_ABI_32;
	x->has_ret = !(r->flags & TR_NO_EXIT);
	x->poll_result = false;
	for (int i = 0; i < TRACE_NR_ARGS; i++) {
		x->args[i] = r->args[i];
		x->in[i] = x->out[i] = NULL;
	}
	if (unlikely(x->compat))
		for (int i = 0; i < TRACE_NR_ARGS; i++)
			x->args[i] = (u32)r->args[i];
	for (int i = 0; i < r->nr_blobs; i++, b = next_blob(b)) {
		/* what could not be read is printed as its address */
		if (b->status == BLOB_UNREADABLE || b->status == BLOB_FAULT)
			continue;
		if (b->when & CAP_EXIT)
			x->out[b->arg] = b;
		else
			x->in[b->arg] = b;
	}
}

/* The length that an argument's memory has, in bytes or elements; a result that is an error is 0.
 */
static u64 arg_length(const struct dctx *x, const struct trace_arg *a, const struct trace_blob *b)
{
	switch (a->len_from) {
	case LEN_ARG:
		return x->args[a->len_arg];
	case LEN_RET:
		return x->has_ret && x->r->ret > 0 ? (u64)x->r->ret : 0;
	case LEN_CONST:
		return a->len_arg;
	}
	return b ? b->len : 0;
}

static void hex_bytes(struct dctx *x, const u8 *p, u32 len, bool cut)
{
	static const char digits[] = "0123456789abcdef";

	outbuf__putc(x->ob, '"');
	for (u32 i = 0; i < len; i++) {
		char *o = outbuf__reserve(x->ob, 4);

		memcpy(o, "\\x", 2);
		o[2] = digits[p[i] >> 4];
		o[3] = digits[p[i] & 15];
		x->ob->len += 4;
	}
	outbuf__puts(x->ob, cut ? "\"..." : "\"");
}

static void print_bytes(struct dctx *x, const struct trace_arg *a, int i)
{
	const struct trace_blob *b = a->dir & CAP_EXIT ? x->out[i] : x->in[i];
	u32 limit = x->d->o.string_limit, len;
	bool cut;

	if (!b || !x->args[i]) {
		/* a read of nothing, an empty write */
		if (a->kind == TK_BUF && x->args[i] && !arg_length(x, a, NULL) &&
		    a->len_from != LEN_DEREF &&
		    (a->len_from == LEN_ARG || (x->has_ret && !x->r->ret)))
			val__bytes(x, "", 0, false, false);
		else
			val__ptr(x, x->args[i]);
		return;
	}
	len = b->len;
	cut = b->status == BLOB_CUT || b->orig_len > b->len;
	if (a->kind == TK_BUF && a->len_from != LEN_DEREF)
		len = (u32)min_t(u64, len, arg_length(x, a, b));
	if (a->kind != TK_PATH && !(a->dir & CAP_EXIT && a->kind == TK_STR) && len > limit) {
		len = limit;
		cut = true;
	}
	if (a->kind != TK_BUF && len && !blob__data(b)[len - 1])
		len--; /* a string that came with its NUL */
	if (a->strace_hex && dctx__strace(x))
		hex_bytes(x, blob__data(b), len, cut);
	else
		val__bytes(x, blob__data(b), len, cut, a->kind == TK_PATH);
}

/* The layout for @len bytes: the kernel may have a longer struct than is described here. */
static const struct trace_type *type_for(struct dctx *x, const struct trace_arg *a, u32 len)
{
	const struct trace_type *t = a->type, *longer;

	if (a->len_from != LEN_ARG || len <= t->size || x->d->o.no_btf || x->compat)
		return t;
	if (!x->d->btf)
		x->d->btf = trace_btf__new(NULL, NULL);
	if (!x->d->btf) {
		x->d->o.no_btf = true; /* tried */
		return t;
	}
	longer = trace_btf__type(x->d->btf, t->name);
	return longer && longer->size > t->size ? longer : t;
}

static void one_struct(struct dctx *x, const struct trace_arg *a, const struct trace_blob *b)
{
	struct span s = blob__span(b);

	if (!s.len || (a->len_from != LEN_ARG && s.len < a->type->size))
		outbuf__puts(x->ob, dctx__json(x) ? "null" : "{...}");
	else
		val__struct(x, type_for(x, a, s.len), s);
}

static void print_struct(struct dctx *x, const struct trace_arg *a, int i)
{
	const struct trace_blob *in = a->dir & CAP_ENTRY ? x->in[i] : NULL;
	const struct trace_blob *out = a->dir & CAP_EXIT ? x->out[i] : NULL;
	bool brackets =
		a->type->scalar && !dctx__json(x) && a->type->fields[0].special != TS_SIGSET;
	bool changed = in && out &&
		       (in->len != out->len || memcmp(blob__data(in), blob__data(out), in->len));

	if (!x->args[i] || (!in && !out)) {
		val__ptr(x, x->args[i]);
		return;
	}
	if (brackets)
		outbuf__putc(x->ob, '[');
	/* strace: what select and its kin leave of the time stands behind the result */
	if (changed && dctx__strace(x) && x->c->ret == TR_RET_POLL)
		out = NULL;
	else if (changed && !dctx__json(x) && a->type->nr_fields < 8) {
		one_struct(x, a, in);
		outbuf__puts(x->ob, a->type->size > 4 && brackets ? "] => [" : " => ");
	}
	one_struct(x, a, out ? out : in);
	if (brackets)
		outbuf__putc(x->ob, ']');
}

static void print_array(struct dctx *x, const struct trace_arg *a, int i)
{
	const struct trace_blob *b = a->dir & CAP_EXIT ? x->out[i] : x->in[i];
	u64 nr = arg_length(x, a, b);

	/* poll in strace's style, or a call that failed: what was asked for */
	if (a->dir & CAP_ENTRY && (!b || dctx__strace(x)))
		b = x->in[i];
	if (!x->args[i]) {
		val__ptr(x, 0);
	} else if (b && a->type->special == TT_CAP_DATA && !dctx__json(x) &&
		   val__capabilities(x, blob__span(b))) {
		return;
	} else if (b) {
		val__array(x, a->type, blob__span(b), nr, b->status == BLOB_CUT);
	} else if (!nr && x->has_ret && (a->dir & CAP_ENTRY || x->r->ret >= 0)) {
		outbuf__puts(x->ob, "[]");
	} else {
		val__ptr(x, x->args[i]);
	}
}

static void print_argv(struct dctx *x, const struct trace_arg *a, int i)
{
	const struct trace_blob *b = x->in[i];
	const char *p, *end;
	u32 n = 0;

	if (!b || !x->args[i]) {
		val__ptr(x, x->args[i]);
		return;
	}
	if (a->kind == TK_ENVP && !dctx__json(x)) {
		outbuf__printf(x->ob, "%#llx /* %u var%s */", (unsigned long long)x->args[i],
			       b->orig_len, b->orig_len == 1 ? "" : "s");
		return;
	}
	p = (const char *)blob__data(b);
	end = p + b->len;
	outbuf__putc(x->ob, '[');
	for (; p < end; n++) {
		u32 len = (u32)strnlen(p, (size_t)(end - p));

		if (n)
			val__sep(x);
		val__bytes(x, p, min_t(u32, len, x->d->o.string_limit), len > x->d->o.string_limit,
			   false);
		p += len + 1;
	}
	if ((n < b->orig_len || b->status == BLOB_CUT) && !dctx__json(x))
		outbuf__puts(x->ob, n ? ", ..." : "...");
	outbuf__putc(x->ob, ']');
}

static void print_vector(struct dctx *x, const struct trace_arg *a, int i)
{
	const struct trace_blob *b = a->dir & CAP_EXIT ? x->out[i] : x->in[i];
	u64 nr = arg_length(x, a, b);

	if (!b || !x->args[i]) {
		val__ptr(x, x->args[i]);
		return;
	}
	if (a->kind == TK_IOVEC)
		val__iovec(x, b, nr, a->dir & CAP_EXIT && x->has_ret ? x->r->ret : -1);
	else if (a->kind == TK_MSGHDR)
		val__msghdr(x, b, a->dir & CAP_EXIT && x->has_ret ? x->r->ret : -1);
	else
		val__mmsghdr(x, b, a->dir & CAP_EXIT && x->has_ret ? (u64)x->r->ret : nr);
}

static void print_sockaddr(struct dctx *x, const struct trace_arg *a, int i)
{
	const struct trace_blob *b = a->dir & CAP_EXIT ? x->out[i] : x->in[i];

	if (b && b->len && x->args[i])
		val__sockaddr(x, blob__span(b));
	else
		val__ptr(x, x->args[i]);
}

static void print_fdset(struct dctx *x, const struct trace_arg *a, int i)
{
	const struct trace_blob *b = x->in[i];

	if (!dctx__strace(x) && x->out[i])
		b = x->out[i];
	if (b && x->args[i])
		val__fdset(x, b, (u32)x->args[a->len_arg]);
	else
		val__ptr(x, x->args[i]);
}

/* A 64-bit value in two registers. */
static u64 wide(const struct dctx *x, int i)
{
	u64 v = x->args[i];

	if (i + 1 < x->c->nr_args && x->c->args[i + 1].kind == TK_HIGH)
		v = x->compat ? (v | x->args[i + 1] << 32) : v;
	return v;
}

static void print_value(struct dctx *x, const struct trace_arg *a, int i)
{
	u64 v = x->args[i];

	switch (a->kind) {
	case TK_INT:
		val__sdec(x, (s32)v);
		break;
	case TK_UINT:
		if (a->strace_hex && dctx__strace(x))
			val__hex(x, (u32)v);
		else
			val__dec(x, (u32)v);
		break;
	case TK_LONG:
		if (i + 1 < x->c->nr_args && x->c->args[i + 1].kind == TK_HIGH)
			val__sdec(x, (s64)wide(x, i));
		else
			val__sdec(x, x->compat ? (s32)v : (s64)v);
		break;
	case TK_ULONG:
		val__dec(x, v);
		break;
	case TK_HEX:
		val__hex(x, v);
		break;
	case TK_OCT:
		val__oct(x, (u32)v & 0177777);
		break;
	case TK_PTR:
		val__ptr(x, v);
		break;
	case TK_FD:
		val__fd(x, (s32)v);
		break;
	case TK_DFD:
		val__dfd(x, (s32)v);
		break;
	case TK_PID:
		val__pid(x, (s32)v);
		break;
	case TK_UID:
		val__uid(x, (u32)v);
		break;
	case TK_SIGNAL:
		val__signal(x, (s32)v);
		break;
	case TK_MODE:
		val__mode(x, (u32)v & 0177777);
		break;
	case TK_DEV:
		val__dev(x, (u32)v);
		break;
	case TK_FLAGS:
		val__flags(x, a->set, a->size == 8 ? v : (u32)v);
		break;
	case TK_ENUM:
		val__enum(x, a->set, (u32)v, true);
		break;
	default:
		val__hex(x, v);
	}
}

static void print_arg(struct dctx *x, const struct trace_arg *a, int i)
{
	switch (a->kind) {
	case TK_PATH:
	case TK_STR:
	case TK_BUF:
		print_bytes(x, a, i);
		break;
	case TK_STRUCT:
		print_struct(x, a, i);
		break;
	case TK_ARRAY:
		print_array(x, a, i);
		break;
	case TK_IOVEC:
	case TK_MSGHDR:
	case TK_MMSGHDR:
		print_vector(x, a, i);
		break;
	case TK_SOCKADDR:
		print_sockaddr(x, a, i);
		break;
	case TK_ARGV:
	case TK_ENVP:
		print_argv(x, a, i);
		break;
	case TK_FDSET:
		print_fdset(x, a, i);
		break;
	case TK_SPECIAL:
		val__special(x, a, i);
		break;
	default:
		print_value(x, a, i);
	}
}

/* Upstream leaves out arguments that are 0 and say nothing by it. */
static bool zero_hidden(const struct dctx *x, const struct trace_arg *a, int i)
{
	u64 v = x->args[i];

	if (v || x->style != TRACE_STYLE_PERF || x->d->o.show_zeros || a->show_zero)
		return false;
	if (a->kind == TK_ENUM)
		return !trace_set__name(a->set, 0);
	if (a->kind == TK_SPECIAL)
		return a->special == TS_PRCTL_ARG || a->special == TS_FUTEX_UTIME ||
		       a->special == TS_SOCK_VAL || a->special == TS_IOCTL_ARG ||
		       a->special == TS_PTRACE || a->special == TS_CPUSET ||
		       a->special == TS_KEYCTL_ARG || a->special == TS_WAIT_STATUS;
	return a->kind != TK_FD && a->kind != TK_DFD;
}

static void print_name(struct dctx *x, const struct trace_arg *a, bool first)
{
	struct outbuf *ob = x->ob;

	if (x->style == TRACE_STYLE_JSON) {
		outbuf__puts(ob, first ? "\"" : ",\"");
		outbuf__write(ob, a->name, a->name_len);
		outbuf__puts(ob, "\":");
		return;
	}
	if (!first)
		outbuf__puts(ob, ", ");
	if (x->style == TRACE_STYLE_PERF) {
		outbuf__write(ob, a->name, a->name_len);
		outbuf__puts(ob, ": ");
	}
}

/* JSON: a descriptor's path, a cut buffer's true length and that there are more strings have
 * members of their own. */
static void print_json_extra(struct dctx *x, const struct trace_arg *a, int i)
{
	const struct trace_blob *b = a->dir & CAP_EXIT ? x->out[i] : x->in[i];
	const char *path;

	if (a->kind == TK_FD || a->kind == TK_DFD) {
		s32 fd = (s32)x->args[i];

		path = fd >= 0 && x->d->o.fd_paths ? fdtable__path(x->d->fds, x->r->pid, fd) : NULL;
		if (!path)
			return;
		outbuf__printf(x->ob, ",\"%.*s_path\":", a->name_len, a->name);
		outbuf__json(x->ob, path, strlen(path));
	} else if (a->kind == TK_BUF && b && b->orig_len > b->len) {
		outbuf__printf(x->ob, ",\"%.*s_len\":%u", a->name_len, a->name, b->orig_len);
	} else if (a->kind == TK_ARGV && x->in[i] && x->in[i]->status == BLOB_CUT) {
		outbuf__printf(x->ob, ",\"%.*s_cut\":true", a->name_len, a->name);
	}
}

static bool arg_shown(const struct dctx *x, const struct trace_arg *a, int i)
{
	if (a->kind == TK_UNUSED || a->kind == TK_HIGH)
		return false;
	return (!a->cond || cond__shown(x, a)) && !zero_hidden(x, a, i);
}

/* strace gives clone's arguments names and an order of its own: stack and flags before the call,
 * the rest after it. */
static bool strace_clone(struct dctx *x, bool entry, bool rest)
{
	const struct trace_call *c = x->c;
	struct outbuf *ob = x->ob;

	if (!dctx__strace(x) || c->nr_args != 5 || c->args[0].special != TS_CLONE_FLAGS)
		return false;
	if (entry) {
		outbuf__puts(ob, "child_stack=");
		val__ptr(x, x->args[1]);
		outbuf__puts(ob, ", flags=");
		val__special(x, &c->args[0], 0);
	}
	for (int i = 2; i < 5 && rest; i++) {
		const struct trace_arg *a = &c->args[i];

		if (!cond__shown(x, a))
			continue;
		outbuf__puts(ob, ", ");
		if (a->cond == TC_PTID)
			outbuf__puts(ob, "parent_tid=");
		else
			outbuf__printf(ob, "%.*s=", a->name_len, a->name);
		print_arg(x, a, i);
	}
	return true;
}

/* The first argument that the kernel fills in, or their number. */
static int first_out(const struct trace_call *c)
{
	for (int i = 0; i < c->nr_args; i++) {
		const struct trace_arg *a = &c->args[i];

		if ((a->dir & CAP_EXIT && !(a->dir & CAP_ENTRY)) ||
		    (a->kind == TK_SPECIAL &&
		     (a->special == TS_WAIT_STATUS || a->special == TS_IOCTL_ARG)))
			return i;
	}
	return c->nr_args;
}

static void print_range(struct dctx *x, int from, int to, bool first)
{
	for (int i = from; i < to; i++) {
		const struct trace_arg *a = &x->c->args[i];

		if (!arg_shown(x, a, i))
			continue;
		print_name(x, a, first);
		print_arg(x, a, i);
		if (dctx__json(x))
			print_json_extra(x, a, i);
		first = false;
	}
}

void decoder__args(struct decoder *d, const struct trace_record *r, struct outbuf *ob)
{
	struct dctx x;

	/* a call seen from its middle on has no arguments that can be trusted */
	if (r->flags & TR_NO_ENTRY || !decoder__call(d, r)->nr_args)
		return;
	dctx__init(&x, d, r, ob);
	if (!strace_clone(&x, true, true))
		print_range(&x, 0, x.c->nr_args, true);
}

void decoder__args_entry(struct decoder *d, const struct trace_record *r, struct outbuf *ob)
{
	struct dctx x;
	int to;

	dctx__init(&x, d, r, ob);
	if (r->flags & TR_NO_ENTRY)
		return;
	to = dctx__strace(&x) ? first_out(x.c) : x.c->nr_args;
	x.has_ret = false;
	memset(x.out, 0, sizeof(x.out));
	if (strace_clone(&x, true, false))
		return;
	print_range(&x, 0, to, true);
	if (dctx__strace(&x) && to > 0 && to < x.c->nr_args)
		outbuf__puts(ob, ", ");
}

void decoder__args_rest(struct decoder *d, const struct trace_record *r, struct outbuf *ob)
{
	struct dctx x;

	dctx__init(&x, d, r, ob);
	if (!dctx__strace(&x) || r->flags & TR_NO_ENTRY || strace_clone(&x, false, true))
		return;
	print_range(&x, first_out(x.c), x.c->nr_args, true);
}

void decoder__attach(struct decoder *d, u32 pid)
{
	if (d->o.fd_paths || d->o.know_fds)
		fdtable__scan(d->fds, pid);
}

const char *decoder__fd_path(struct decoder *d, u32 pid, int fd)
{
	return fdtable__path(d->fds, pid, fd);
}

u64 decoder__generation(const struct decoder *d)
{
	return fdtable__generation(d->fds);
}

const char *decoder__comm(struct decoder *d, u32 tid)
{
	return fdtable__comm(d->fds, tid);
}

void decoder__siginfo(struct decoder *d, const struct trace_record *r, struct outbuf *ob)
{
	const struct trace_blob *b = r->nr_blobs ? (const struct trace_blob *)(r + 1) : NULL;
	struct dctx x;

	dctx__init(&x, d, r, ob);
	if (b && b->len >= 12 && b->status == BLOB_OK) {
		val__siginfo(&x, blob__span(b));
		return;
	}
	val__open(&x);
	val__field(&x, "si_signo", 8, true);
	val__signal(&x, (s64)r->args[0]);
	val__close(&x, false);
}
