// SPDX-License-Identifier: GPL-2.0-only
/*
 * From a print format's tree to operations. The text is what libtraceevent prints, which was found
 * by printing with it; its surprises are noted where they are met. Anything that is not understood
 * here ends with -EOPNOTSUPP and the event's fields are printed.
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "output/tracepoint-prog.h"
#include "session/tp-format.h"

#define OPS_MAX 4096

static int add_expr(struct tracepoint *t, const struct tx *x)
{
	if (t->nr_expr == t->cap_expr) {
		u32 cap = t->cap_expr ? t->cap_expr * 2 : 16;
		struct tx *p = reallocarray(t->expr, cap, sizeof(*p));

		if (!p)
			return -ENOMEM;
		t->expr = p;
		t->cap_expr = cap;
	}
	t->expr[t->nr_expr] = *x;
	return t->nr_expr++;
}

static struct tp_op *add_op(struct tracepoint *t, enum tp_kind kind)
{
	if (t->nr_ops == OPS_MAX)
		return NULL;
	if (t->nr_ops == t->cap_ops) {
		u32 cap = t->cap_ops ? t->cap_ops * 2 : 16;
		struct tp_op *p = reallocarray(t->ops, cap, sizeof(*p));

		if (!p)
			return NULL;
		t->ops = p;
		t->cap_ops = cap;
	}
	t->ops[t->nr_ops] = (struct tp_op){.kind = kind};
	return &t->ops[t->nr_ops++];
}

/* A copy with TEXT_SLACK readable bytes behind it. */
#define TEXT_SLACK 16
static char *copy_text(const char *text, size_t len)
{
	char *copy = calloc(len + TEXT_SLACK, 1);

	if (copy)
		memcpy(copy, text, len);
	return copy;
}

static int add_text(struct tracepoint *t, const char *text, size_t len)
{
	struct tp_op *op;

	if (!len)
		return 0;
	op = add_op(t, TP_TEXT);
	if (!op)
		return -ENOMEM;
	op->text = copy_text(text, len);
	op->len = len;
	return op->text ? 0 : -ENOMEM;
}

/* ---- expressions ---- */

static int compile_expr(struct tracepoint *t, const struct tp_arg *arg);

static int const_expr(struct tracepoint *t, u64 v)
{
	return add_expr(t, &(struct tx){.kind = TX_CONST, .value = v});
}

static int compile_field(struct tracepoint *t, const struct tp_field *f)
{
	if (!f || (f->size != 1 && f->size != 2 && f->size != 4 && f->size != 8))
		return const_expr(t, 0);
	/* Read as an unsigned number whatever the field's type: a short of -1 is 65535. */
	return add_expr(t, &(struct tx){.kind = TX_FIELD, .off = f->offset, .size = f->size});
}

static int compile_index(struct tracepoint *t, const struct tp_arg *arg)
{
	const struct tp_field *f = arg->a->field;
	struct tx x = {.kind = TX_INDEX};
	int i;

	if ((arg->a->kind != TP_ARG_FIELD && arg->a->kind != TP_ARG_DYN) || !f || !f->elem_size ||
	    f->elem_size > 8 || f->is_dynamic != (arg->a->kind == TP_ARG_DYN))
		return -EOPNOTSUPP;
	x.off = f->offset;
	x.size = f->elem_size;
	x.dsize = f->is_dynamic ? f->size : 0;
	x.relative = f->is_relative;
	if (x.dsize && x.dsize != 4 && x.dsize != 8)
		return -EOPNOTSUPP;
	i = compile_expr(t, arg->b);
	if (i < 0)
		return i;
	x.a = i;
	return add_expr(t, &x);
}

static int compile_op(struct tracepoint *t, const struct tp_arg *arg)
{
	struct tx x = {.kind = TX_UNARY, .op = arg->op};
	int a = compile_expr(t, arg->a), b = 0, c = 0;

	if (a >= 0 && arg->b)
		b = compile_expr(t, arg->b);
	if (a >= 0 && b >= 0 && arg->c)
		c = compile_expr(t, arg->c);
	if (a < 0 || b < 0 || c < 0)
		return a < 0 ? a : b < 0 ? b : c;
	x.a = a;
	x.b = b;
	x.c = c;
	if (arg->kind == TP_ARG_COND)
		x.kind = TX_COND;
	else if (arg->kind == TP_ARG_BINARY)
		x.kind = TX_BINARY;
	return add_expr(t, &x);
}

static int compile_expr(struct tracepoint *t, const struct tp_arg *arg)
{
	struct tx x = {.kind = TX_DYNLEN};
	int a;

	switch (arg->kind) {
	case TP_ARG_NUMBER:
		return const_expr(t, arg->number);
	case TP_ARG_FIELD:
		return compile_field(t, arg->field);
	case TP_ARG_CAST:
		a = compile_expr(t, arg->a);
		if (a < 0 || arg->number >= 8)
			return a;
		/* A cast only cuts: (s16)-1 is 65535. */
		return add_expr(t, &(struct tx){.kind = TX_CAST, .size = arg->number, .a = a});
	case TP_ARG_UNARY:
	case TP_ARG_BINARY:
	case TP_ARG_COND:
		return compile_op(t, arg);
	case TP_ARG_INDEX:
		return compile_index(t, arg);
	case TP_ARG_DYN_LEN:
		if (arg->field->size != 4 && arg->field->size != 8)
			return -EOPNOTSUPP;
		x.off = arg->field->offset;
		x.dsize = arg->field->size;
		return add_expr(t, &x);
	case TP_ARG_DYN:
		return -EOPNOTSUPP; /* an address in the reader's memory */
	default:
		return const_expr(t, 0); /* texts, and names of nothing known, count as 0 */
	}
}

/* ---- strings ---- */

static int compile_names(struct tp_op *op, const struct tp_name *list)
{
	const struct tp_name *p;
	u32 n = 0;

	for (p = list; p; p = p->next)
		n++;
	op->names = calloc(n ? n : 1, sizeof(*op->names));
	if (!op->names)
		return -ENOMEM;
	for (p = list; p; p = p->next)
		op->names[op->nr_names++] = (struct tp_named){.value = p->value,
							      .negative = p->value < 0,
							      .name = p->text,
							      .len = strlen(p->text)};
	return 0;
}

static int mem_of_field(const struct tp_field *f, struct tp_mem *m)
{
	if (!f)
		return -EOPNOTSUPP;
	*m = (struct tp_mem){.off = f->offset, .size = f->size};
	if (f->is_dynamic) {
		m->dynamic = true;
		m->relative = f->is_relative;
		m->dsize = f->size;
		if (f->size != 4 && f->size != 8)
			return -EOPNOTSUPP;
	}
	return 0;
}

/* The bytes that __print_hex(), __print_array() or %pM are about. */
static int mem_of_arg(const struct tp_arg *arg, struct tp_mem *m)
{
	if (arg->kind == TP_ARG_DYN)
		return mem_of_field(arg->field, m);
	if (arg->kind != TP_ARG_FIELD || !arg->field || arg->field->is_dynamic)
		return -EOPNOTSUPP;
	return mem_of_field(arg->field, m);
}

static int compile_string_field(struct tracepoint *t, const struct tp_field *f,
				const struct tp_conv *conv)
{
	struct tp_op *op;

	if (!f)
		return -EOPNOTSUPP;
	op = add_op(t, TP_STR);
	if (!op)
		return -ENOMEM;
	if (!f->is_array && f->size == t->long_size)
		op->kind = TP_PTRSTR;
	op->conv = *conv;
	op->mem = (struct tp_mem){.off = f->offset, .size = f->size};
	return 0;
}

static int compile_list(struct tracepoint *t, const struct tp_arg *arg, const struct tp_conv *conv)
{
	int expr = compile_expr(t, arg->a);
	struct tp_op *op;

	if (expr < 0)
		return expr;
	op = add_op(t, arg->kind == TP_ARG_FLAGS ? TP_FLAGS : TP_SYMBOL);
	if (!op)
		return -ENOMEM;
	op->conv = *conv;
	op->expr = expr;
	if (arg->kind == TP_ARG_FLAGS) {
		op->len = strlen(arg->text);
		op->text = copy_text(arg->text, op->len);
		if (!op->text)
			return -ENOMEM;
	}
	return compile_names(op, arg->names);
}

static int compile_array(struct tracepoint *t, const struct tp_arg *arg)
{
	int count = compile_expr(t, arg->b), elem = arg->c ? compile_expr(t, arg->c) : 0;
	struct tp_mem mem;
	struct tp_op *op;
	int err;

	if (count < 0 || elem < 0)
		return count < 0 ? count : elem;
	err = mem_of_arg(arg->a, &mem);
	if (err)
		return err;
	op = add_op(t, arg->kind == TP_ARG_ARRAY ? TP_ARRAY
		       : arg->kind == TP_ARG_HEX ? TP_HEX
						 : TP_HEXSTR);
	if (!op)
		return -ENOMEM;
	op->expr = count;
	op->elem = elem;
	op->mem = mem;
	return 0;
}

static int compile_string(struct tracepoint *t, const struct tp_arg *arg,
			  const struct tp_conv *conv);

/* cond ? "a" : "b": a jump over each side. */
static int compile_select(struct tracepoint *t, const struct tp_arg *arg,
			  const struct tp_conv *conv)
{
	int cond = compile_expr(t, arg->a), err;
	u32 unless, skip;

	if (cond < 0)
		return cond;
	unless = t->nr_ops;
	if (!add_op(t, TP_UNLESS))
		return -ENOMEM;
	t->ops[unless].expr = cond;
	err = compile_string(t, arg->b, conv);
	if (err)
		return err;
	skip = t->nr_ops;
	if (!add_op(t, TP_JUMP))
		return -ENOMEM;
	t->ops[unless].len = t->nr_ops;
	err = compile_string(t, arg->c, conv);
	t->ops[skip].len = t->nr_ops;
	return err;
}

static int compile_const_string(struct tracepoint *t, const char *s, const struct tp_conv *conv)
{
	struct tp_op *op = add_op(t, TP_CSTR);

	if (!op)
		return -ENOMEM;
	op->conv = *conv;
	op->len = strlen(s);
	op->text = copy_text(s, op->len);
	return op->text ? 0 : -ENOMEM;
}

static int compile_number_string(struct tracepoint *t, u64 v, const struct tp_conv *conv)
{
	char text[32];

	snprintf(text, sizeof(text), "%llu", (unsigned long long)v);
	return compile_const_string(t, text, conv);
}

static int compile_mem_string(struct tracepoint *t, const struct tp_arg *arg, enum tp_kind kind,
			      const struct tp_conv *conv)
{
	struct tp_op *op = add_op(t, kind);

	if (!op)
		return -ENOMEM;
	op->conv = *conv;
	return mem_of_field(arg->field, &op->mem);
}

static int compile_string(struct tracepoint *t, const struct tp_arg *arg,
			  const struct tp_conv *conv)
{
	switch (arg->kind) {
	case TP_ARG_STRING:
	case TP_ARG_NAME:
		return compile_const_string(t, arg->text, conv);
	case TP_ARG_NUMBER:
		return compile_number_string(t, arg->number, conv);
	case TP_ARG_FIELD:
		return compile_string_field(t, arg->field, conv);
	case TP_ARG_FLAGS:
	case TP_ARG_SYMBOL:
		return compile_list(t, arg, conv);
	case TP_ARG_HEX:
	case TP_ARG_HEX_STR:
	case TP_ARG_ARRAY:
		return compile_array(t, arg);
	case TP_ARG_STR:
		return compile_mem_string(t, arg, TP_STR, conv);
	case TP_ARG_BITMASK:
		return compile_mem_string(t, arg, TP_BITMASK, conv);
	case TP_ARG_CPUMASK:
		return compile_mem_string(t, arg, TP_CPUMASK, conv);
	case TP_ARG_COND:
		return compile_select(t, arg, conv);
	case TP_ARG_CAST:
	case TP_ARG_UNARY:
	case TP_ARG_BINARY:
	case TP_ARG_INDEX:
		return 0; /* a number is no string: nothing is printed */
	default:
		return -EOPNOTSUPP;
	}
}

/* ---- the format ---- */

static int compile_addr(struct tracepoint *t, const struct tp_arg *arg, const char *s, size_t *used)
{
	struct tp_addr addr;
	struct tp_mem mem;
	struct tp_op *op;
	int n = tp_addr__parse(s, &addr), err;

	if (n < 0)
		return n;
	err = mem_of_arg(arg, &mem);
	if (err || mem.dynamic || !mem.size)
		return err ? err : -EOPNOTSUPP;
	op = add_op(t, TP_ADDR);
	if (!op)
		return -ENOMEM;
	op->addr = addr;
	op->mem = mem;
	*used = n;
	return 0;
}

/* %p and what may follow it; *used: how many characters of @s belong to it. */
static int compile_pointer(struct tracepoint *t, const struct tp_arg *arg, struct tp_conv *conv,
			   const char *s, size_t *used)
{
	struct tp_op *op;
	int expr;

	*used = 0;
	if (*s == 'S' || *s == 's' || *s == 'F' || *s == 'f') {
		expr = compile_expr(t, arg);
		op = expr < 0 ? NULL : add_op(t, TP_FUNC);
		if (!op)
			return expr < 0 ? expr : -ENOMEM;
		op->expr = expr;
		conv->letter = *s;
		op->conv = *conv;
		*used = 1;
		return 0;
	}
	if (*s && strchr("UMmIih", *s))
		return compile_addr(t, arg, s, used);
	expr = compile_expr(t, arg);
	op = expr < 0 ? NULL : add_op(t, TP_INT);
	if (!op)
		return expr < 0 ? expr : -ENOMEM;
	op->expr = expr;
	conv->letter = 'p';
	op->conv = *conv;
	return 0;
}

/* Most numbers are a field of the record printed as it is: without an expression to walk. */
static void make_field(const struct tracepoint *t, struct tp_op *op)
{
	const struct tx *x = &t->expr[op->expr];
	const struct tp_conv *c = &op->conv;

	if (x->kind != TX_FIELD || !c->simple || c->width > 0 || !strchr("diux", c->letter))
		return;
	op->kind = TP_FIELD;
	op->mem.off = x->off;
	op->mem.size = x->size;
	op->bytes = c->shift == -2 ? 1 : c->shift == -1 ? 2 : c->shift == 0 ? 4 : 8;
	op->is_signed = c->letter == 'd' || c->letter == 'i';
	op->is_hex = c->letter == 'x';
}

static int compile_int(struct tracepoint *t, const struct tp_arg *arg, const struct tp_conv *conv)
{
	int expr = compile_expr(t, arg);
	struct tp_op *op;

	if (expr < 0)
		return expr;
	op = add_op(t, TP_INT);
	if (!op)
		return -ENOMEM;
	op->expr = expr;
	op->conv = *conv;
	make_field(t, op);
	return 0;
}

/* How many characters of flags, width and precision @s starts with; *star counts its '*'. */
static size_t scan_conv(const char *s, struct tp_conv *c, int *star)
{
	const char *p = s;
	bool dot = false;

	*c = (struct tp_conv){.width = -1, .prec = -1, .simple = true};
	*star = 0;
	for (;; p++) {
		if (*p == 'h') {
			c->shift--;
		} else if (*p == 'l') {
			c->shift++;
		} else if (*p == 'L') {
			c->shift = 2;
		} else if (*p == 'z') {
			c->shift = 1;
		} else if (*p == '*') {
			(*star)++;
		} else if (*p == '.') {
			dot = true;
			c->prec = 0;
		} else if (isdigit((unsigned char)*p)) {
			s16 *n = dot ? &c->prec : &c->width;

			if (*p == '0' && !dot && c->width < 0)
				c->zero = true;
			else
				*n = min_t(int, (*n < 0 ? 0 : *n) * 10 + *p - '0', 4096);
		} else if (*p == '-') {
			c->left = true;
		} else if (*p != '#') {
			break;
		}
		if (*p == '#' || *p == '-' || *p == '*' || *p == '.')
			c->simple = false;
	}
	return p - s;
}

static int compile_conv(struct tracepoint *t, const char *s, const struct tp_arg **args,
			size_t *used)
{
	struct tp_conv conv;
	const struct tp_arg *arg;
	int star, err = 0;
	size_t n = scan_conv(s + 1, &conv, &star), more = 0;
	char c = s[1 + n];

	*used = n + 2;
	if (star > 1 || n + 5 > sizeof(conv.fmt) || conv.shift < -2 || conv.shift > 2 ||
	    conv.width > 512 || conv.prec > 512)
		return -EOPNOTSUPP;
	if (star) {
		int expr = *args ? compile_expr(t, *args) : -EOPNOTSUPP;

		if (expr < 0)
			return expr;
		conv.star = expr;
		conv.has_star = true;
		*args = (*args)->next;
	}
	if (!c || !strchr("diuxXosp", c)) {
		char lit[3] = {'>', c, '<'};

		if (!c) { /* a lone % at the end */
			*used = n + 1;
			return 0;
		}
		/* Not understood by libtraceevent either: %c prints ">c<" and uses no argument. */
		return c == '%' && !n ? add_text(t, "%", 1)
		       : c == '%'     ? -EOPNOTSUPP
				      : add_text(t, lit, 3);
	}
	arg = *args;
	if (!arg)
		return -EOPNOTSUPP;
	*args = arg->next;
	conv.letter = c;
	memcpy(conv.fmt, s, n + 2);
	if (c == 'p')
		err = compile_pointer(t, arg, &conv, s + n + 2, &more);
	else if (c == 's')
		err = compile_string(t, arg, &conv);
	else
		err = compile_int(t, arg, &conv);
	*used += more;
	return err;
}

static int compile_escape(struct tracepoint *t, char c)
{
	char out = c == 'n' ? '\n' : c == 't' ? '\t' : c == 'r' ? '\r' : c;

	return add_text(t, &out, 1);
}

/* Neighbouring literals become one. */
static void join_texts(struct tracepoint *t)
{
	u32 n = 0;

	for (u32 i = 0; i < t->nr_ops; i++) {
		if (t->ops[i].kind == TP_UNLESS || t->ops[i].kind == TP_JUMP)
			return; /* indices stay as they are */
	}
	for (u32 i = 0; i < t->nr_ops; i++) {
		struct tp_op *op = &t->ops[i], *last = n ? &t->ops[n - 1] : NULL;
		char *joined;

		if (!last || last->kind != TP_TEXT || op->kind != TP_TEXT ||
		    !(joined = realloc((char *)last->text, last->len + op->len + TEXT_SLACK))) {
			t->ops[n++] = *op;
			continue;
		}
		memcpy(joined + last->len, op->text, op->len + TEXT_SLACK);
		free((char *)op->text);
		last->text = joined;
		last->len += op->len;
	}
	t->nr_ops = n;
}

int tracepoint__compile(struct tracepoint *t)
{
	const char *s = t->format->print;
	const struct tp_arg *args = t->format->args;
	int err = const_expr(t, 0);

	if (err < 0)
		return err;
	if (!s)
		return -EOPNOTSUPP;
	err = 0;
	while (*s && !err) {
		size_t n = strcspn(s, "\\%");

		err = add_text(t, s, n);
		s += n;
		if (err || !*s)
			break;
		if (*s == '\\') {
			if (!s[1])
				break;
			err = compile_escape(t, s[1]);
			s += 2;
		} else {
			err = compile_conv(t, s, &args, &n);
			s += n;
		}
	}
	if (!err)
		join_texts(t);
	return err;
}
