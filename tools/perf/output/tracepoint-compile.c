// SPDX-License-Identifier: GPL-2.0-only
/*
 * From libtraceevent's parsed print format to operations. What it prints was found by printing with
 * it; the surprises are noted where they are met. Anything that is not understood here ends with
 * -EOPNOTSUPP and libtraceevent prints the event.
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <traceevent/event-parse.h>

#include "output/tracepoint-prog.h"

#define EXPR_DEPTH_MAX 64 /* of nesting; deeper ones come from a hostile file */
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

/* The field of an argument is looked up at its first use by libtraceevent: not there yet. */
static struct tep_format_field *field_of(struct tracepoint *t, struct tep_format_field *f,
					 const char *name)
{
	return f ? f : name ? tep_find_any_field(t->event, name) : NULL;
}

static bool usable(const struct tep_format_field *f)
{
	return f && f->offset >= 0 && f->size >= 0 && f->elementsize <= 255;
}

static int compile_expr(struct tracepoint *t, struct tep_print_arg *arg, int depth);

static int const_expr(struct tracepoint *t, u64 v)
{
	return add_expr(t, &(struct tx){.kind = TX_CONST, .value = v});
}

static int compile_field(struct tracepoint *t, struct tep_print_arg *arg)
{
	struct tep_format_field *f = field_of(t, arg->field.field, arg->field.name);

	if (!f)
		return const_expr(t, 0);
	if (!usable(f))
		return -EOPNOTSUPP;
	if (f->size != 1 && f->size != 2 && f->size != 4 && f->size != 8)
		return const_expr(t, 0);
	/* Read as an unsigned number whatever the field's type: a short of -1 is 65535. */
	return add_expr(t, &(struct tx){.kind = TX_FIELD, .off = f->offset, .size = f->size});
}

/* Bytes that a cast to @type leaves: 8 for pointers and for names that are unknown, as they are to
 * libtraceevent. */
static int type_size(const struct tracepoint *t, const char *type)
{
	static const struct {
		const char *name;
		int size;
	} types[] = {
		{"u8", 1},  {"s8", 1},	{"char", 1}, {"u16", 2},       {"s16", 2}, {"short", 2},
		{"u32", 4}, {"s32", 4}, {"int", 4},  {"long long", 8}, {"u64", 8}, {"s64", 8},
	};

	if (!strncmp(type, "unsigned ", 9))
		type += 9;
	else if (!strncmp(type, "signed ", 7))
		type += 7;
	if (!strcmp(type, "long"))
		return t->long_size;
	for (size_t i = 0; i < ARRAY_SIZE(types); i++) {
		if (!strcmp(type, types[i].name))
			return types[i].size;
	}
	return 8;
}

static int compile_cast(struct tracepoint *t, struct tep_print_arg *arg, int depth)
{
	int size = type_size(t, arg->typecast.type);
	int item = compile_expr(t, arg->typecast.item, depth);

	if (item < 0 || size == 8)
		return item;
	/* A cast only cuts: (s16)-1 is 65535. */
	return add_expr(t, &(struct tx){.kind = TX_CAST, .size = size, .a = item});
}

static bool dynamic_field(const struct tep_format_field *f, struct tx *x)
{
	if (!usable(f) || (f->size != 4 && f->size != 8))
		return false;
	x->off = f->offset;
	x->dsize = f->size;
	x->relative = f->flags & TEP_FIELD_IS_RELATIVE;
	return true;
}

static int compile_index(struct tracepoint *t, struct tep_print_arg *arg, int depth)
{
	struct tep_print_arg *left = arg->op.left;
	struct tx x = {.kind = TX_INDEX};
	struct tep_format_field *f;
	int i;

	if (left->type == TEP_PRINT_FIELD) {
		f = field_of(t, left->field.field, left->field.name);
		if (!usable(f) || !f->elementsize)
			return -EOPNOTSUPP;
		x.off = f->offset;
		x.size = f->elementsize;
	} else {
		return -EOPNOTSUPP;
	}
	i = compile_expr(t, arg->op.right, depth);
	if (i < 0)
		return i;
	x.a = i;
	return add_expr(t, &x);
}

static int compile_op(struct tracepoint *t, struct tep_print_arg *arg, int depth)
{
	static const struct {
		const char *text;
		u8 op;
	} ops[] = {
		{"|", TO_BOR}, {"||", TO_LOR}, {"&", TO_BAND}, {"&&", TO_LAND}, {"^", TO_XOR},
		{"<", TO_LT},  {"<<", TO_SHL}, {"<=", TO_LE},  {">", TO_GT},	{">>", TO_SHR},
		{">=", TO_GE}, {"==", TO_EQ},  {"!=", TO_NE},  {"-", TO_SUB},	{"+", TO_ADD},
		{"/", TO_DIV}, {"%", TO_MOD},  {"*", TO_MUL},
	};
	struct tx x = {.kind = TX_BINARY};
	const char *text = arg->op.op;
	int a, b;

	if (!text || !arg->op.right)
		return -EOPNOTSUPP;
	if (!strcmp(text, "["))
		return compile_index(t, arg, depth);
	if (!strcmp(text, "?")) {
		struct tep_print_arg *alt = arg->op.right;
		int c;

		if (alt->type != TEP_PRINT_OP || !alt->op.left || !alt->op.right)
			return -EOPNOTSUPP;
		a = compile_expr(t, arg->op.left, depth);
		b = a < 0 ? a : compile_expr(t, alt->op.left, depth);
		c = b < 0 ? b : compile_expr(t, alt->op.right, depth);
		return c < 0 ? c
			     : add_expr(t, &(struct tx){.kind = TX_COND, .a = a, .b = b, .c = c});
	}
	/* A sign or ! has an empty left side, which counts as 0. */
	a = compile_expr(t, arg->op.left, depth);
	b = a < 0 ? a : compile_expr(t, arg->op.right, depth);
	if (b < 0)
		return b;
	if (!strcmp(text, "!") || !strcmp(text, "~")) {
		x = (struct tx){.kind = TX_UNARY, .op = *text == '!' ? TO_NOT : TO_BITNOT, .a = b};
		return add_expr(t, &x);
	}
	x.a = a;
	x.b = b;
	for (size_t i = 0; i < ARRAY_SIZE(ops); i++) {
		if (!strcmp(text, ops[i].text)) {
			x.op = ops[i].op;
			return add_expr(t, &x);
		}
	}
	return -EOPNOTSUPP;
}

static int compile_expr(struct tracepoint *t, struct tep_print_arg *arg, int depth)
{
	struct tx x = {.kind = TX_DYNLEN};

	if (depth >= EXPR_DEPTH_MAX)
		return -EOPNOTSUPP;
	if (!arg)
		return const_expr(t, 0);
	switch (arg->type) {
	case TEP_PRINT_NULL:
	case TEP_PRINT_FLAGS:
	case TEP_PRINT_SYMBOL:
	case TEP_PRINT_INT_ARRAY:
	case TEP_PRINT_HEX:
	case TEP_PRINT_HEX_STR:
	case TEP_PRINT_STRING:
	case TEP_PRINT_BSTRING:
	case TEP_PRINT_BITMASK:
		return const_expr(t, 0); /* texts count as 0 */
	case TEP_PRINT_ATOM:
		return const_expr(t, strtoull(arg->atom.atom, NULL, 0));
	case TEP_PRINT_FIELD:
		return compile_field(t, arg);
	case TEP_PRINT_TYPE:
		return compile_cast(t, arg, depth + 1);
	case TEP_PRINT_OP:
		return compile_op(t, arg, depth + 1);
	case TEP_PRINT_DYNAMIC_ARRAY_LEN:
		if (!dynamic_field(arg->dynarray.field, &x))
			return -EOPNOTSUPP;
		return add_expr(t, &x);
	default:
		return -EOPNOTSUPP;
	}
}

/* ---- strings ---- */

/* Names that some formats leave unresolved in their flags and symbols. */
static s64 name_value(const char *s)
{
	static const char *const softirqs[] = {
		"HI_SOFTIRQ",	   "TIMER_SOFTIRQ",    "NET_TX_SOFTIRQ",  "NET_RX_SOFTIRQ",
		"BLOCK_SOFTIRQ",   "IRQ_POLL_SOFTIRQ", "TASKLET_SOFTIRQ", "SCHED_SOFTIRQ",
		"HRTIMER_SOFTIRQ", "RCU_SOFTIRQ",
	};

	if (isdigit((unsigned char)s[0]))
		return strtoull(s, NULL, 0);
	for (size_t i = 0; i < ARRAY_SIZE(softirqs); i++) {
		if (!strcmp(s, softirqs[i]))
			return i;
	}
	if (!strcmp(s, "HRTIMER_NORESTART"))
		return 0;
	if (!strcmp(s, "HRTIMER_RESTART"))
		return 1;
	return -1; /* a negative number in the format too */
}

static int compile_names(struct tp_op *op, const struct tep_print_flag_sym *list)
{
	const struct tep_print_flag_sym *p;
	u32 n = 0;

	for (p = list; p; p = p->next)
		n++;
	op->names = calloc(n ? n : 1, sizeof(*op->names));
	if (!op->names)
		return -ENOMEM;
	for (p = list; p; p = p->next) {
		s64 v = name_value(p->value ? p->value : "");
		const char *name = p->str ? p->str : "";

		op->names[op->nr_names++] = (struct tp_named){
			.value = v, .negative = v < 0, .name = name, .len = strlen(name)};
	}
	return 0;
}

static int mem_of_field(const struct tep_format_field *f, struct tp_mem *m)
{
	if (!usable(f))
		return -EOPNOTSUPP;
	*m = (struct tp_mem){.off = f->offset, .size = f->size};
	if (f->flags & TEP_FIELD_IS_DYNAMIC) {
		m->dynamic = true;
		m->relative = f->flags & TEP_FIELD_IS_RELATIVE;
		m->dsize = f->size;
		if (f->size != 4 && f->size != 8)
			return -EOPNOTSUPP;
	}
	return 0;
}

/* The bytes that __print_hex(), __print_array() or %pM are about. */
static int mem_of_arg(struct tracepoint *t, struct tep_print_arg *arg, struct tp_mem *m)
{
	struct tep_format_field *f;

	if (arg->type == TEP_PRINT_DYNAMIC_ARRAY) {
		f = arg->dynarray.field;
		if (!f || !(f->flags & TEP_FIELD_IS_DYNAMIC))
			return -EOPNOTSUPP;
		return mem_of_field(f, m);
	}
	if (arg->type != TEP_PRINT_FIELD)
		return -EOPNOTSUPP;
	f = field_of(t, arg->field.field, arg->field.name);
	if (f && (f->flags & TEP_FIELD_IS_DYNAMIC))
		return -EOPNOTSUPP;
	return mem_of_field(f, m);
}

static int compile_string_field(struct tracepoint *t, struct tep_print_arg *arg,
				const struct tp_conv *conv)
{
	struct tep_format_field *f = field_of(t, arg->field.field, arg->field.name);
	struct tp_op *op;

	if (!usable(f))
		return -EOPNOTSUPP;
	op = add_op(t, TP_STR);
	if (!op)
		return -ENOMEM;
	if (!(f->flags & TEP_FIELD_IS_ARRAY) && f->size == t->long_size)
		op->kind = TP_PTRSTR;
	op->conv = *conv;
	op->mem = (struct tp_mem){.off = f->offset, .size = f->size};
	return 0;
}

static int compile_list(struct tracepoint *t, struct tep_print_arg *arg, const struct tp_conv *conv,
			int depth)
{
	bool flags = arg->type == TEP_PRINT_FLAGS;
	int expr = compile_expr(t, flags ? arg->flags.field : arg->symbol.field, depth);
	struct tp_op *op;

	if (expr < 0)
		return expr;
	op = add_op(t, flags ? TP_FLAGS : TP_SYMBOL);
	if (!op)
		return -ENOMEM;
	op->conv = *conv;
	op->expr = expr;
	if (flags && arg->flags.delim) {
		op->len = strlen(arg->flags.delim);
		op->text = copy_text(arg->flags.delim, op->len);
		if (!op->text)
			return -ENOMEM;
	}
	return compile_names(op, flags ? arg->flags.flags : arg->symbol.symbols);
}

static int compile_array(struct tracepoint *t, struct tep_print_arg *arg, int depth)
{
	bool ints = arg->type == TEP_PRINT_INT_ARRAY;
	int count = compile_expr(t, ints ? arg->int_array.count : arg->hex.size, depth);
	int elem = ints ? compile_expr(t, arg->int_array.el_size, depth) : 0;
	struct tp_mem mem;
	struct tp_op *op;
	int err;

	if (count < 0 || elem < 0)
		return count < 0 ? count : elem;
	err = mem_of_arg(t, ints ? arg->int_array.field : arg->hex.field, &mem);
	if (err)
		return err;
	op = add_op(t, ints ? TP_ARRAY : arg->type == TEP_PRINT_HEX ? TP_HEX : TP_HEXSTR);
	if (!op)
		return -ENOMEM;
	op->expr = count;
	op->elem = elem;
	op->mem = mem;
	return 0;
}

static int compile_string(struct tracepoint *t, struct tep_print_arg *arg,
			  const struct tp_conv *conv, int depth);

/* cond ? "a" : "b": a jump over each side. */
static int compile_select(struct tracepoint *t, struct tep_print_arg *arg,
			  const struct tp_conv *conv, int depth)
{
	struct tep_print_arg *alt = arg->op.right;
	u32 unless, skip;
	int err, cond;

	if (!arg->op.op || strcmp(arg->op.op, "?"))
		return 0; /* any other operator's result is no string: nothing is printed */
	if (!alt || alt->type != TEP_PRINT_OP || !alt->op.left || !alt->op.right)
		return -EOPNOTSUPP;
	cond = compile_expr(t, arg->op.left, depth);
	if (cond < 0)
		return cond;
	unless = t->nr_ops;
	if (!add_op(t, TP_UNLESS))
		return -ENOMEM;
	t->ops[unless].expr = cond;
	err = compile_string(t, alt->op.left, conv, depth);
	if (err)
		return err;
	skip = t->nr_ops;
	if (!add_op(t, TP_JUMP))
		return -ENOMEM;
	t->ops[unless].len = t->nr_ops;
	err = compile_string(t, alt->op.right, conv, depth);
	t->ops[skip].len = t->nr_ops;
	return err;
}

static int compile_const_string(struct tracepoint *t, const char *s, const struct tp_conv *conv)
{
	struct tp_op *op = add_op(t, TP_CSTR);

	if (!op)
		return -ENOMEM;
	op->conv = *conv;
	op->len = s ? strlen(s) : 0;
	op->text = copy_text(s ? s : "", op->len);
	return op->text ? 0 : -ENOMEM;
}

static int compile_string(struct tracepoint *t, struct tep_print_arg *arg,
			  const struct tp_conv *conv, int depth)
{
	struct tep_format_field *f;
	struct tp_op *op;

	if (depth >= EXPR_DEPTH_MAX)
		return -EOPNOTSUPP;
	switch (arg->type) {
	case TEP_PRINT_NULL:
	case TEP_PRINT_TYPE:
		return 0;
	case TEP_PRINT_ATOM:
		return compile_const_string(t, arg->atom.atom, conv);
	case TEP_PRINT_FIELD:
		return compile_string_field(t, arg, conv);
	case TEP_PRINT_FLAGS:
	case TEP_PRINT_SYMBOL:
		return compile_list(t, arg, conv, depth + 1);
	case TEP_PRINT_HEX:
	case TEP_PRINT_HEX_STR:
	case TEP_PRINT_INT_ARRAY:
		return compile_array(t, arg, depth + 1);
	case TEP_PRINT_STRING:
		f = field_of(t, arg->string.field, arg->string.string);
		if (!f)
			return 0;
		op = add_op(t, TP_STR);
		if (!op)
			return -ENOMEM;
		op->conv = *conv;
		return f->flags & TEP_FIELD_IS_DYNAMIC ? mem_of_field(f, &op->mem) : -EOPNOTSUPP;
	case TEP_PRINT_OP:
		return compile_select(t, arg, conv, depth + 1);
	default:
		return -EOPNOTSUPP;
	}
}

/* ---- the format ---- */

static int compile_addr(struct tracepoint *t, struct tep_print_arg *arg, const char *s,
			size_t *used)
{
	struct tp_addr addr;
	struct tp_mem mem;
	struct tp_op *op;
	int n = tp_addr__parse(s, &addr), err;

	if (n < 0)
		return n;
	err = mem_of_arg(t, arg, &mem);
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
static int compile_pointer(struct tracepoint *t, struct tep_print_arg *arg, struct tp_conv *conv,
			   const char *s, size_t *used)
{
	struct tp_op *op;
	int expr;

	*used = 0;
	if (*s == 'S' || *s == 's' || *s == 'F' || *s == 'f') {
		expr = compile_expr(t, arg, 0);
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
	if (arg->type != TEP_PRINT_FIELD && arg->type != TEP_PRINT_OP &&
	    arg->type != TEP_PRINT_TYPE && arg->type != TEP_PRINT_ATOM)
		return -EOPNOTSUPP;
	expr = compile_expr(t, arg, 0);
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

static int compile_int(struct tracepoint *t, struct tep_print_arg *arg, const struct tp_conv *conv)
{
	int expr = compile_expr(t, arg, 0);
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

static int compile_conv(struct tracepoint *t, const char *s, struct tep_print_arg **args,
			size_t *used)
{
	struct tp_conv conv;
	struct tep_print_arg *arg;
	int star, err = 0;
	size_t n = scan_conv(s + 1, &conv, &star), more = 0;
	char c = s[1 + n];

	*used = n + 2;
	if (star > 1 || n + 5 > sizeof(conv.fmt) || conv.shift < -2 || conv.shift > 2 ||
	    conv.width > 512 || conv.prec > 512)
		return -EOPNOTSUPP;
	if (star) {
		int expr = *args ? compile_expr(t, *args, 0) : -EOPNOTSUPP;

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
		err = compile_string(t, arg, &conv, 0);
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
	const char *s = t->event->print_fmt.format;
	struct tep_print_arg *args = t->event->print_fmt.args;
	int err = const_expr(t, 0);

	if (err < 0)
		return err;
	if (!s || t->event->handler || t->event->flags)
		return -EOPNOTSUPP; /* not parsed, or one of ftrace's own */
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
