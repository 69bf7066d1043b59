// SPDX-License-Identifier: GPL-2.0-only
/* --filter: a record against the parsed expression. */
#include <string.h>

#include "trace/decode-int.h"
#include "trace/filter-int.h"

enum value_kind { V_NONE, V_NUM, V_STR };

struct value {
	enum value_kind kind; /* V_NUM with str set: a descriptor, which has a path as well */
	bool is_dbl, truth;
	s64 num;
	double dbl;
	const char *str;
	u32 len;
	const struct trace_set *set; /* of the argument: names are looked up here first */
	const struct filter_node *name;
};

static struct value number(s64 v)
{
	return (struct value){.kind = V_NUM, .num = v, .dbl = (double)v};
}

static struct value string(const char *s, u32 len)
{
	return (struct value){.kind = V_STR, .str = s, .len = len};
}

/* Globs over bytes with a length: * ? [a-z] [!a-z] \x. */
static bool glob(const char *p, const char *pe, const char *s, const char *se)
{
	const char *star = NULL, *back = NULL;

	while (s < se) {
		if (p < pe && *p == '*') {
			star = ++p;
			back = s;
			continue;
		}
		if (p < pe) {
			const char *next = p + 1;
			bool hit = false;

			if (*p == '?') {
				hit = true;
			} else if (*p == '[' &&
				   memchr(p + 2, ']', pe - p > 2 ? (size_t)(pe - p - 2) : 0)) {
				bool not = p[1] == '!' || p[1] == '^';
				const char *c = p + 1 + not ;

				do {
					if (c + 2 < pe && c[1] == '-' && c[2] != ']') {
						hit |= (u8)*s >= (u8)c[0] && (u8)*s <= (u8)c[2];
						c += 3;
					} else {
						hit |= *s == *c++;
					}
				} while (c < pe && *c != ']');
				hit ^= not ;
				next = c < pe ? c + 1 : pe;
			} else {
				if (*p == '\\' && p + 1 < pe)
					next = ++p + 1;
				hit = *p == *s;
			}
			if (hit) {
				p = next;
				s++;
				continue;
			}
		}
		if (!star)
			return false;
		p = star;
		s = ++back;
	}
	while (p < pe && *p == '*')
		p++;
	return p == pe;
}

static const struct trace_arg *find_arg(const struct trace_call *c, const struct filter_node *n,
					int *at)
{
	for (int i = 0; i < c->nr_args; i++) {
		if (c->args[i].name_len == n->len && !memcmp(c->args[i].name, n->text, n->len)) {
			*at = i;
			return &c->args[i];
		}
	}
	return NULL;
}

static struct value member_value(const struct dctx *x, const struct trace_arg *a, int i,
				 const struct filter_node *n)
{
	const struct trace_blob *b = x->out[i] ? x->out[i] : x->in[i];

	if (!b || !a->type)
		return (struct value){0};
	for (u32 f = 0; f < a->type->nr_fields; f++) {
		const struct trace_field *m = &a->type->fields[f];
		struct span s = blob__span(b);
		u64 v;

		if (m->name_len != n->field_len || memcmp(m->name, n->field, n->field_len))
			continue;
		if ((u32)m->off + m->size > s.len)
			return (struct value){0};
		if (m->kind == TK_STR)
			return string((const char *)s.p + m->off,
				      (u32)strnlen((const char *)s.p + m->off, m->size));
		if (m->size > 8)
			return (struct value){0};
		v = span__get(s, m->off, m->size);
		if (m->is_signed && m->size == 4)
			v = (u64)(s64)(s32)v;
		return (struct value){
			.kind = V_NUM, .num = (s64)v, .dbl = (double)(s64)v, .set = m->set};
	}
	return (struct value){0};
}

static struct value arg_value(const struct dctx *x, const struct filter_node *n)
{
	const struct trace_blob *b;
	const struct trace_arg *a;
	struct value v;
	u64 raw;
	int i;

	if (x->r->flags & TR_NO_ENTRY)
		return (struct value){0};
	a = find_arg(x->c, n, &i);
	if (!a)
		return (struct value){0};
	if (n->field_len)
		return member_value(x, a, i, n);
	raw = x->args[i];
	switch (a->kind) {
	case TK_PATH:
	case TK_STR:
	case TK_BUF:
		b = a->dir & CAP_EXIT ? x->out[i] : x->in[i];
		if (!b)
			return (struct value){0};
		return string((const char *)blob__data(b), b->len);
	case TK_FD:
	case TK_DFD:
		v = number((s32)raw);
		v.str = (s32)raw >= 0 ? fdtable__path(x->d->fds, x->r->pid, (s32)raw) : NULL;
		v.len = v.str ? (u32)strlen(v.str) : 0;
		return v;
	case TK_INT:
	case TK_PID:
	case TK_SIGNAL:
	case TK_ENUM:
		v = number((s32)raw);
		break;
	case TK_LONG:
		v = number(x->compat ? (s32)raw : (s64)raw);
		break;
	case TK_FLAGS:
	case TK_UINT:
	case TK_OCT:
	case TK_MODE:
		v = number((s64)(a->size == 8 ? raw : (u32)raw));
		break;
	default:
		v = number((s64)raw);
	}
	v.set = a->set;
	return v;
}

static struct value field_value(const struct dctx *x, enum filter_op op)
{
	const struct trace_record *r = x->r;
	bool failed = x->has_ret && r->ret < 0 && r->ret >= -4095;
	struct value v;

	switch (op) {
	case FOP_RET:
		return x->has_ret ? number(r->ret) : (struct value){0};
	case FOP_ERRNO:
		return x->has_ret ? number(failed ? -r->ret : 0) : (struct value){0};
	case FOP_DURATION:
		if (r->flags & (TR_NO_ENTRY | TR_NO_EXIT))
			return (struct value){0};
		v = number(0);
		v.is_dbl = true;
		v.dbl = (double)(r->time_exit - r->time_enter) / 1e6;
		return v;
	case FOP_COMM:
		return string(r->comm, (u32)strnlen(r->comm, sizeof(r->comm)));
	case FOP_PID:
		return number(r->pid);
	case FOP_TID:
		return number(r->tid);
	case FOP_CPU:
		return number(r->cpu);
	default:
		return string(x->c->name, x->c->name_len);
	}
}

/* "RDONLY|CLOEXEC" as a number by the argument's own names. */
static bool names_value(const struct trace_set *set, const char *s, u32 len, u64 *out)
{
	u64 v = 0;

	while (len) {
		const char *bar = memchr(s, '|', len);
		u32 n = bar ? (u32)(bar - s) : len;
		u64 one;

		if (!trace_set__value(set, s, n, &one))
			return false;
		v |= one;
		s += n + (bar != NULL);
		len -= n + (bar != NULL);
	}
	*out = v;
	return true;
}

/* A name gets the value that it has among the other operand's names. */
static void resolve(struct value *name, const struct value *other)
{
	u64 v;

	if (!other->set)
		return;
	if (name->name && trace_set__value(other->set, name->name->text, name->name->len, &v))
		*name = number((s64)v);
	else if (name->kind == V_STR && other->kind == V_NUM &&
		 names_value(other->set, name->str, name->len, &v))
		*name = number((s64)v);
}

static bool compare(enum filter_op op, struct value a, struct value b)
{
	int c;

	resolve(&a, &b);
	resolve(&b, &a);
	if (a.kind == V_NONE || b.kind == V_NONE)
		return false;
	if (op == FOP_MATCH || op == FOP_NMATCH) {
		if (!a.str)
			return false;
		return glob(b.str, b.str + b.len, a.str, a.str + a.len) == (op == FOP_MATCH);
	}
	if (a.kind == V_STR || b.kind == V_STR) {
		u32 n = a.len < b.len ? a.len : b.len;

		if (!a.str || !b.str)
			return false;
		c = memcmp(a.str, b.str, n);
		if (!c)
			c = a.len < b.len ? -1 : a.len > b.len;
	} else if (a.is_dbl || b.is_dbl) {
		c = a.dbl < b.dbl ? -1 : a.dbl > b.dbl;
	} else {
		c = a.num < b.num ? -1 : a.num > b.num;
	}
	switch (op) {
	case FOP_EQ:
		return c == 0;
	case FOP_NE:
		return c != 0;
	case FOP_LT:
		return c < 0;
	case FOP_LE:
		return c <= 0;
	case FOP_GT:
		return c > 0;
	default:
		return c >= 0;
	}
}

static struct value eval(const struct trace_filter *f, const struct dctx *x, int at)
{
	const struct filter_node *n = &f->nodes[at];
	struct value a, b;

	switch (n->op) {
	case FOP_NUM:
		a = number(n->num);
		a.is_dbl = n->is_dbl;
		a.dbl = n->dbl;
		return a;
	case FOP_STR:
		return string(n->text, n->len);
	case FOP_CONST:
		a = number(n->num);
		a.name = n;
		return a;
	case FOP_ARG:
		return arg_value(x, n);
	case FOP_AND:
	case FOP_OR: {
		a = eval(f, x, n->a);
		bool t = a.kind == V_NUM ? a.num || a.dbl != 0 : a.kind == V_STR && a.len;

		if (t == (n->op == FOP_OR))
			return number(t);
		b = eval(f, x, n->b);
		return number(b.kind == V_NUM ? b.num || b.dbl != 0 : b.kind == V_STR && b.len);
	}
	case FOP_NOT:
		a = eval(f, x, n->a);
		return number(!(a.kind == V_NUM ? a.num || a.dbl != 0 : a.kind == V_STR && a.len));
	case FOP_BITAND:
		a = eval(f, x, n->a);
		b = eval(f, x, n->b);
		resolve(&a, &b);
		resolve(&b, &a);
		if (a.kind != V_NUM || b.kind != V_NUM)
			return (struct value){0};
		a = (struct value){
			.kind = V_NUM, .num = a.num & b.num, .set = a.set ? a.set : b.set};
		a.dbl = (double)a.num;
		return a;
	case FOP_EQ:
	case FOP_NE:
	case FOP_LT:
	case FOP_LE:
	case FOP_GT:
	case FOP_GE:
	case FOP_MATCH:
	case FOP_NMATCH:
		return number(compare(n->op, eval(f, x, n->a), eval(f, x, n->b)));
	default:
		return field_value(x, n->op);
	}
}

bool trace_filter__match(const struct trace_filter *f, struct decoder *d,
			 const struct trace_record *r)
{
	struct dctx x;
	struct value v;

	dctx__init(&x, d, r, NULL);
	v = eval(f, &x, f->root);
	return v.kind == V_NUM ? v.num || v.dbl != 0 : v.kind == V_STR && v.len;
}

bool trace_record__has_path(struct decoder *d, const struct trace_record *r, const char *path)
{
	struct dctx x;
	size_t len = strlen(path);

	if (r->flags & (TR_NO_ENTRY | TR_EVENT | TR_SIGNAL | TR_EXITED))
		return false;
	dctx__init(&x, d, r, NULL);
	for (int i = 0; i < x.c->nr_args; i++) {
		const struct trace_arg *a = &x.c->args[i];
		const char *p;

		if (a->kind == TK_PATH && x.in[i]) {
			if (x.in[i]->len == len && !memcmp(blob__data(x.in[i]), path, len))
				return true;
		} else if ((a->kind == TK_FD || a->kind == TK_DFD) && (s32)x.args[i] >= 0) {
			p = fdtable__path(d->fds, r->pid, (s32)x.args[i]);
			if (p && !strcmp(p, path))
				return true;
		}
	}
	return false;
}
