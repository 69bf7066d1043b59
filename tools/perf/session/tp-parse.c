// SPDX-License-Identifier: GPL-2.0-only
/* A tracepoint's print format into a tree: precedence climbing over C's expressions. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "session/tp-parse.h"

#define DEPTH_MAX 160

static struct tp_arg *expression(struct tp_text *t);
static struct tp_arg *operand(struct tp_text *t);

static struct tp_arg *new_arg(struct tp_text *t, enum tp_arg_kind kind)
{
	struct tp_arg *a = tp_arena__take(&t->f->arena, sizeof(*a));

	if (a)
		a->kind = kind;
	return a;
}

static bool is(const char *start, size_t n, const char *name)
{
	return n == strlen(name) && !strncmp(start, name, n);
}

/* One or more string literals, which are one string; their escapes stay as they are. */
static char *strings(struct tp_text *t)
{
	struct tp_text at = *t;
	size_t len = 0;
	char *out;

	/* first how long, then the text */
	for (int pass = 0; pass < 2; pass++) {
		out = pass ? tp_arena__take(&t->f->arena, len + 1) : NULL;
		if (pass && !out)
			return NULL;
		len = 0;
		at = *t;
		while (tp_text__next(&at, "\"")) {
			for (; *at.p != '"'; at.p++) {
				if (*at.p == '\\') {
					if (pass)
						out[len] = *at.p;
					len++;
					at.p++;
				}
				if (!isprint((unsigned char)*at.p) && *at.p != '\n' &&
				    *at.p != '\t')
					return NULL;
				if (pass)
					out[len] = *at.p;
				len++;
			}
			at.p++;
		}
	}
	if (at.p == t->p)
		return NULL;
	t->p = at.p;
	return out;
}

static struct tp_arg *string(struct tp_text *t)
{
	struct tp_arg *a = new_arg(t, TP_ARG_STRING);

	if (a)
		a->text = strings(t);
	return a && a->text ? a : NULL;
}

/* 10, 0x1f, 010, 10UL */
static struct tp_arg *number(struct tp_text *t)
{
	struct tp_arg *a = new_arg(t, TP_ARG_NUMBER);
	char *end;

	if (!a)
		return NULL;
	a->number = strtoull(t->p, &end, 0);
	t->p = end;
	while (isalnum((unsigned char)*t->p))
		t->p++;
	return a;
}

/* ---- constants ---- */

static bool const_value(const struct tp_arg *a, s64 *v)
{
	s64 x, y;

	switch (a->kind) {
	case TP_ARG_NUMBER:
		*v = a->number;
		return true;
	case TP_ARG_NAME: /* an enum that the kernel did not resolve */
		*v = 0;
		return true;
	case TP_ARG_CAST:
		if (!const_value(a->a, v))
			return false;
		if (a->number < 8)
			*v &= (1LL << (a->number * 8)) - 1;
		return true;
	case TP_ARG_UNARY:
		if (!const_value(a->a, &x))
			return false;
		*v = a->op == TP_OP_NOT ? !x : a->op == TP_OP_BITNOT ? ~x : (s64)(0 - (u64)x);
		return true;
	case TP_ARG_COND:
		return const_value(a->a, &x) && const_value(x ? a->b : a->c, v);
	case TP_ARG_BINARY:
		if (!const_value(a->a, &x) || !const_value(a->b, &y))
			return false;
		*v = tp_op__apply(a->op, x, y);
		return true;
	default:
		return false;
	}
}

/* Names that some formats leave unresolved. */
static s64 name_value(const char *s)
{
	static const char *const softirqs[] = {
		"HI_SOFTIRQ",	   "TIMER_SOFTIRQ",    "NET_TX_SOFTIRQ",  "NET_RX_SOFTIRQ",
		"BLOCK_SOFTIRQ",   "IRQ_POLL_SOFTIRQ", "TASKLET_SOFTIRQ", "SCHED_SOFTIRQ",
		"HRTIMER_SOFTIRQ", "RCU_SOFTIRQ",
	};

	for (size_t i = 0; i < ARRAY_SIZE(softirqs); i++) {
		if (!strcmp(s, softirqs[i]))
			return i;
	}
	return !strcmp(s, "HRTIMER_RESTART") ? 1 : !strcmp(s, "HRTIMER_NORESTART") ? 0 : -1;
}

static bool name_number(const struct tp_arg *a, s64 *v)
{
	if (a->kind == TP_ARG_NAME) {
		*v = name_value(a->text);
		return true;
	}
	if (!const_value(a, v))
		return false;
	if (*v < 0)
		*v = -1;
	return true;
}

static const char *name_text(struct tp_text *t, const struct tp_arg *a)
{
	char digits[32];
	s64 v;

	if (a->kind == TP_ARG_STRING || a->kind == TP_ARG_NAME)
		return a->text;
	if (!const_value(a, &v)) /* { -1, NULL } in some form */
		return NULL;
	return tp_arena__text(&t->f->arena, digits,
			      snprintf(digits, sizeof(digits), "%lld", (long long)v));
}

/* ---- calls ---- */

/* , { VALUE, "NAME" } ... up to the closing parenthesis. */
static bool name_list(struct tp_text *t, struct tp_name **at)
{
	while (tp_text__next(t, ",")) {
		struct tp_name *n = tp_arena__take(&t->f->arena, sizeof(*n));
		struct tp_arg *value, *text;

		if (!n || !tp_text__next(t, "{") || !(value = expression(t)) ||
		    !tp_text__next(t, ",") || !(text = expression(t)) || !tp_text__next(t, "}"))
			return false;
		n->text = name_text(t, text);
		if (!n->text || !name_number(value, &n->value))
			return false;
		*at = n;
		at = &n->next;
	}
	return tp_text__next(t, ")");
}

static struct tp_arg *names_call(struct tp_text *t, enum tp_arg_kind kind)
{
	struct tp_arg *a = new_arg(t, kind);

	if (!a || !(a->a = expression(t)))
		return NULL;
	if (kind == TP_ARG_FLAGS && (!tp_text__next(t, ",") || !(a->text = strings(t))))
		return NULL;
	return name_list(t, &a->names) ? a : NULL;
}

static struct tp_arg *values_call(struct tp_text *t, enum tp_arg_kind kind, int n)
{
	struct tp_arg *a = new_arg(t, kind);

	if (!a || !(a->a = expression(t)) || !tp_text__next(t, ",") || !(a->b = expression(t)))
		return NULL;
	if (n == 3 && (!tp_text__next(t, ",") || !(a->c = expression(t))))
		return NULL;
	return tp_text__next(t, ")") ? a : NULL;
}

static struct tp_arg *field_call(struct tp_text *t, enum tp_arg_kind kind)
{
	struct tp_arg *a = new_arg(t, kind);
	const char *start;
	size_t n = tp_text__word(t, &start);

	if (!a || !n || !tp_text__next(t, ")"))
		return NULL;
	for (u32 i = 0; i < t->f->nr_fields && !a->field; i++) {
		if (is(start, n, t->f->fields[i].name))
			a->field = &t->f->fields[i];
	}
	return a->field && a->field->is_dynamic ? a : NULL;
}

static struct tp_arg *size_call(struct tp_text *t)
{
	struct tp_arg *a = new_arg(t, TP_ARG_NUMBER), *of;
	struct tp_text at = *t;
	char type[64];
	size_t n;

	for (n = 0; n < sizeof(type) - 1 &&
		    (isalnum((unsigned char)at.p[n]) || strchr("_ ", at.p[n])) && at.p[n];
	     n++)
		type[n] = at.p[n];
	type[n] = '\0';
	at.p += n;
	if (!a)
		return NULL;
	a->number = tp_type__size(type, t->f->long_size);
	if (a->number && tp_text__next(&at, ")")) {
		t->p = at.p;
		return a;
	}
	of = expression(t);
	if (!of || of->kind != TP_ARG_FIELD || !of->field || !tp_text__next(t, ")"))
		return NULL;
	a->number = of->field->size;
	return a;
}

/* What stands in the parentheses of @name(...), whose opening one has been taken. */
static struct tp_arg *call(struct tp_text *t, const char *name, size_t n)
{
	static const struct {
		const char *name;
		enum tp_arg_kind kind;
	} of_field[] = {
		{"__get_str", TP_ARG_STR},
		{"__get_rel_str", TP_ARG_STR},
		{"__get_bitmask", TP_ARG_BITMASK},
		{"__get_rel_bitmask", TP_ARG_BITMASK},
		{"__get_cpumask", TP_ARG_CPUMASK},
		{"__get_rel_cpumask", TP_ARG_CPUMASK},
		{"__get_dynamic_array", TP_ARG_DYN},
		{"__get_rel_dynamic_array", TP_ARG_DYN},
		{"__get_dynamic_array_len", TP_ARG_DYN_LEN},
		{"__get_rel_dynamic_array_len", TP_ARG_DYN_LEN},
	};
	struct tp_arg *a;

	if (is(name, n, "__print_flags"))
		return names_call(t, TP_ARG_FLAGS);
	if (is(name, n, "__print_symbolic"))
		return names_call(t, TP_ARG_SYMBOL);
	if (is(name, n, "__print_hex"))
		return values_call(t, TP_ARG_HEX, 2);
	if (is(name, n, "__print_hex_str"))
		return values_call(t, TP_ARG_HEX_STR, 2);
	if (is(name, n, "__print_array"))
		return values_call(t, TP_ARG_ARRAY, 3);
	if (is(name, n, "__builtin_expect")) {
		a = values_call(t, TP_ARG_COND, 2);
		return a ? a->a : NULL;
	}
	if (is(name, n, "sizeof"))
		return size_call(t);
	for (size_t i = 0; i < ARRAY_SIZE(of_field); i++) {
		if (is(name, n, of_field[i].name))
			return field_call(t, of_field[i].kind);
	}
	return NULL;
}

/* ---- operands ---- */

/*
 * (unsigned long) (struct page *): words and stars up to the parenthesis, which is taken. *sure: it
 * can be nothing but a type. *size: what a cast to it leaves, 8 for pointers and types that are
 * unknown.
 */
static bool type_in_parentheses(struct tp_text *t, bool *sure, u32 *size)
{
	struct tp_text at = *t;
	char type[128] = "";
	const char *start;
	int words = 0;
	size_t n, len = 0;

	*sure = false;
	while ((n = tp_text__word(&at, &start))) {
		if (len + n + 2 > sizeof(type))
			return false;
		if (words++)
			type[len++] = ' ';
		memcpy(type + len, start, n);
		len += n;
	}
	if (!words)
		return false;
	while (tp_text__next(&at, "*"))
		*sure = true;
	if (!tp_text__next(&at, ")"))
		return false;
	*size = *sure ? 0 : tp_type__size(type, t->f->long_size);
	if (!*size)
		*size = 8;
	*sure |= words > 1;
	t->p = at.p;
	return true;
}

/* Can an operand begin here? Then what stood in parentheses before it was a type. */
static bool operand_follows(struct tp_text *t)
{
	tp_text__blanks(t);
	return isalnum((unsigned char)*t->p) || strchr("_(~!", *t->p);
}

static struct tp_arg *parenthesis(struct tp_text *t)
{
	struct tp_text at = *t;
	struct tp_arg *a;
	bool sure;
	u32 size;

	if (type_in_parentheses(&at, &sure, &size) && (sure || (*at.p && operand_follows(&at)))) {
		t->p = at.p;
		a = new_arg(t, TP_ARG_CAST);
		if (!a || !(a->a = operand(t)))
			return NULL;
		a->number = size;
		return a;
	}
	a = expression(t);
	return a && tp_text__next(t, ")") ? a : NULL;
}

/* REC->name, REC->array[i]; @a stands before it. */
static struct tp_arg *suffixes(struct tp_text *t, struct tp_arg *a)
{
	while (a) {
		const char *start;
		size_t n;

		if (tp_text__next(t, "[")) {
			struct tp_arg *of = a;

			a = new_arg(t, TP_ARG_INDEX);
			if (!a || !(a->b = expression(t)) || !tp_text__next(t, "]"))
				return NULL;
			a->a = of;
		} else if (tp_text__next(t, "->")) {
			if (a->kind != TP_ARG_NAME || strcmp(a->text, "REC"))
				return NULL;
			n = tp_text__word(t, &start);
			a = n ? new_arg(t, TP_ARG_FIELD) : NULL;
			for (u32 i = 0; a && i < t->f->nr_fields && !a->field; i++) {
				if (is(start, n, t->f->fields[i].name))
					a->field = &t->f->fields[i];
			}
		} else {
			return a;
		}
	}
	return NULL;
}

static struct tp_arg *unary(struct tp_text *t, enum tp_op_kind op)
{
	struct tp_arg *a = new_arg(t, TP_ARG_UNARY);

	if (!a || !(a->a = operand(t)))
		return NULL;
	a->op = op;
	return a;
}

static struct tp_arg *operand_inner(struct tp_text *t)
{
	struct tp_arg *a;
	const char *name;
	size_t n;

	tp_text__blanks(t);
	if (*t->p == '"')
		return string(t);
	if (isdigit((unsigned char)*t->p))
		return number(t);
	if (*t->p == '\'' && isprint((unsigned char)t->p[1]) && t->p[2] == '\'') {
		t->p += 3;
		return new_arg(t, TP_ARG_NUMBER); /* only %c has use for it, which is not printed */
	}
	if (tp_text__take(t, "!"))
		return unary(t, TP_OP_NOT);
	if (tp_text__take(t, "~"))
		return unary(t, TP_OP_BITNOT);
	if (tp_text__take(t, "-"))
		return unary(t, TP_OP_NEG);
	if (tp_text__take(t, "("))
		return suffixes(t, parenthesis(t));
	n = tp_text__word(t, &name);
	if (!n)
		return NULL;
	if (tp_text__next(t, "("))
		return suffixes(t, call(t, name, n));
	a = new_arg(t, TP_ARG_NAME);
	if (!a || !(a->text = tp_arena__text(&t->f->arena, name, n)))
		return NULL;
	return suffixes(t, a);
}

static struct tp_arg *operand(struct tp_text *t)
{
	struct tp_arg *a = ++t->depth < DEPTH_MAX ? operand_inner(t) : NULL;

	t->depth--;
	return a;
}

/* ---- operators ---- */

static const struct {
	const char *text;
	enum tp_op_kind op;
	int prio;
} operators[] = {
	{"<<", TP_OP_SHL, 8}, {">>", TP_OP_SHR, 8}, {"<=", TP_OP_LE, 7},   {">=", TP_OP_GE, 7},
	{"==", TP_OP_EQ, 6},  {"!=", TP_OP_NE, 6},  {"&&", TP_OP_LAND, 2}, {"||", TP_OP_LOR, 1},
	{"<", TP_OP_LT, 7},   {">", TP_OP_GT, 7},   {"+", TP_OP_ADD, 9},   {"-", TP_OP_SUB, 9},
	{"*", TP_OP_MUL, 10}, {"/", TP_OP_DIV, 10}, {"%", TP_OP_MOD, 10},  {"&", TP_OP_AND, 5},
	{"^", TP_OP_XOR, 4},  {"|", TP_OP_OR, 3},
};

static struct tp_arg *binary(struct tp_text *t, int least)
{
	struct tp_arg *left = operand(t);

	while (left) {
		size_t i;
		struct tp_arg *a;

		tp_text__blanks(t);
		for (i = 0; i < ARRAY_SIZE(operators); i++) {
			if (!strncmp(t->p, operators[i].text, strlen(operators[i].text)))
				break;
		}
		if (i == ARRAY_SIZE(operators) || operators[i].prio < least)
			return left;
		t->p += strlen(operators[i].text);
		a = new_arg(t, TP_ARG_BINARY);
		if (!a || !(a->b = binary(t, operators[i].prio + 1)))
			return NULL;
		a->op = operators[i].op;
		a->a = left;
		left = a;
	}
	return NULL;
}

static struct tp_arg *expression(struct tp_text *t)
{
	struct tp_arg *a = ++t->depth < DEPTH_MAX ? binary(t, 1) : NULL;

	if (a && tp_text__next(t, "?")) {
		struct tp_arg *cond = new_arg(t, TP_ARG_COND);

		if (cond) {
			cond->a = a;
			cond->b = expression(t);
			cond->c = cond->b && tp_text__next(t, ":") ? expression(t) : NULL;
		}
		a = cond && cond->c ? cond : NULL;
	}
	t->depth--;
	return a;
}

u64 tp_op__apply(enum tp_op_kind op, u64 a, u64 b)
{
	switch (op) {
	case TP_OP_MUL:
		return a * b;
	case TP_OP_DIV:
		return b ? a / b : 0;
	case TP_OP_MOD:
		return b ? a % b : 0;
	case TP_OP_ADD:
		return a + b;
	case TP_OP_SUB:
		return a - b;
	case TP_OP_SHL:
		return a << (b & 63);
	case TP_OP_SHR:
		return a >> (b & 63);
	case TP_OP_LT:
		return a < b;
	case TP_OP_LE:
		return a <= b;
	case TP_OP_GT:
		return a > b;
	case TP_OP_GE:
		return a >= b;
	case TP_OP_EQ:
		return a == b;
	case TP_OP_NE:
		return a != b;
	case TP_OP_AND:
		return a & b;
	case TP_OP_XOR:
		return a ^ b;
	case TP_OP_OR:
		return a | b;
	case TP_OP_LAND:
		return a && b;
	case TP_OP_LOR:
		return a || b;
	default:
		return 0;
	}
}

void tp_parse__print(struct tp_text *t)
{
	struct tp_arg **at = &t->f->args;
	char *print = strings(t);

	while (print && tp_text__next(t, ",")) {
		*at = expression(t);
		if (!*at)
			return;
		at = &(*at)->next;
	}
	tp_text__blanks(t);
	while (*t->p == '\n')
		t->p++;
	if (!*t->p)
		t->f->print = print;
}
