// SPDX-License-Identifier: GPL-2.0-only
/* --filter: the parser. The evaluator is in filter-eval.c. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/subcmd/options.h"
#include "trace/filter-int.h"
#include "trace/set.h"

#define MAX_DEPTH 64

struct parser {
	struct trace_filter *f;
	const struct trace_table *table;
	const char *expr, *p; /* the whole, and where the next token begins */
	struct errbuf *eb;
	int depth;
};

static int fail(struct parser *ps, const char *at, const char *what)
{
	errbuf__set(ps->eb, -EINVAL, "filter: column %d: %s in '%s'", (int)(at - ps->expr) + 1,
		    what, ps->expr);
	return -1;
}

static void skip(struct parser *ps)
{
	while (isspace((unsigned char)*ps->p))
		ps->p++;
}

static int node(struct parser *ps, enum filter_op op, int a, int b)
{
	struct filter_node *n;

	if (ps->f->nr == FILTER_MAX_NODES)
		return fail(ps, ps->p, "the expression is too long");
	n = &ps->f->nodes[ps->f->nr];
	*n = (struct filter_node){.op = op, .a = (s16)a, .b = (s16)b};
	return (int)ps->f->nr++;
}

static const struct {
	const char *word;
	enum filter_op op;
} fields[] = {
	{"ret", FOP_RET},   {"errno", FOP_ERRNO},     {"duration", FOP_DURATION},
	{"comm", FOP_COMM}, {"pid", FOP_PID},	      {"tid", FOP_TID},
	{"cpu", FOP_CPU},   {"syscall", FOP_SYSCALL},
};

/* Is there a call with an argument of this name? */
static bool is_argument(const struct trace_table *t, const char *w, u32 len)
{
	for (int abi = 0; abi < 2; abi++) {
		for (int nr = 0; nr < trace_table__nr(t, abi); nr++) {
			const struct trace_call *c = trace_table__lookup(t, abi, nr);

			for (int i = 0; c && i < c->nr_args; i++) {
				if (c->args[i].name_len == len && !memcmp(c->args[i].name, w, len))
					return true;
			}
		}
	}
	return false;
}

static const struct trace_set_list *const set_lists[] = {&trace_sets_file, &trace_sets_task,
							 &trace_sets_net, &trace_sets_misc};

/* A flag's or enum's name, in any set; an error's; a signal's. */
static bool constant(const char *w, u32 len, u64 *v)
{
	char name[64];

	if (len >= sizeof(name))
		return false;
	memcpy(name, w, len);
	name[len] = 0;
	if (!strcmp(name, "AT_FDCWD") || !strcmp(name, "CWD")) {
		*v = (u64)-100;
		return true;
	}
	if (!strcmp(name, "NULL")) {
		*v = 0;
		return true;
	}
	*v = (u64)trace_errno__number(name);
	if (*v)
		return true;
	for (int sig = 1; sig <= 64; sig++) {
		const char *s = trace_signal__name(sig);

		if (!strcmp(s, name) || !strcmp(s + 3, name)) {
			*v = (u64)sig;
			return true;
		}
	}
	for (u32 l = 0; l < ARRAY_SIZE(set_lists); l++) {
		for (u32 i = 0; i < set_lists[l]->nr; i++) {
			if (trace_set__value(&set_lists[l]->set[i], name, len, v))
				return true;
		}
	}
	return false;
}

static int unknown_name(struct parser *ps, const char *w, u32 len)
{
	const char *names[ARRAY_SIZE(fields) + 1 + 1024], *near;
	char word[64], arg_names[1024][24];
	u32 n = 0;

	snprintf(word, sizeof(word), "%.*s", (int)len, w);
	for (u32 i = 0; i < ARRAY_SIZE(fields); i++)
		names[n++] = fields[i].word;
	for (int nr = 0; nr < trace_table__nr(ps->table, TRACE_ABI_64); nr++) {
		const struct trace_call *c = trace_table__lookup(ps->table, TRACE_ABI_64, nr);

		for (int i = 0; c && i < c->nr_args && n < 1000; i++) {
			snprintf(arg_names[n], sizeof(arg_names[n]), "%.*s", c->args[i].name_len,
				 c->args[i].name);
			names[n] = arg_names[n];
			n++;
		}
	}
	names[n] = NULL;
	near = nearest_name(word, names);
	errbuf__set(
		ps->eb, -EINVAL,
		"filter: column %d: no call has an argument '%s', nor is it a flag, an error or a "
		"signal%s%s%s",
		(int)(w - ps->expr) + 1, word, near ? "; did you mean '" : "", near ? near : "",
		near ? "'?" : "");
	return -1;
}

static int parse_name(struct parser *ps)
{
	const char *w = ps->p, *dot = NULL;
	u32 len, base;
	int n;
	u64 v;
	bool forced = false;

	if (!strncmp(w, "arg.", 4)) { /* the argument, where a field has the same name */
		forced = true;
		w = ps->p += 4;
	}
	while (isalnum((unsigned char)*ps->p) || *ps->p == '_' || *ps->p == '.') {
		if (*ps->p == '.' && !dot)
			dot = ps->p;
		ps->p++;
	}
	len = (u32)(ps->p - w);
	base = dot ? (u32)(dot - w) : len;
	if (!base || len > 60)
		return fail(ps, w, "expected a name");
	for (u32 i = 0; i < ARRAY_SIZE(fields) && !dot && !forced; i++) {
		if (strlen(fields[i].word) == len && !memcmp(fields[i].word, w, len))
			return node(ps, fields[i].op, 0, 0);
	}
	if (!is_argument(ps->table, w, base)) {
		if (dot || forced || !constant(w, len, &v))
			return unknown_name(ps, w, base);
		n = node(ps, FOP_CONST, 0, 0);
		if (n >= 0) {
			ps->f->nodes[n].num = (s64)v;
			memcpy(ps->f->nodes[n].text, w, len);
			ps->f->nodes[n].len = len;
		}
		return n;
	}
	n = node(ps, FOP_ARG, 0, 0);
	if (n < 0)
		return n;
	memcpy(ps->f->nodes[n].text, w, base);
	ps->f->nodes[n].len = base;
	if (dot) {
		ps->f->nodes[n].field_len = len - base - 1;
		memcpy(ps->f->nodes[n].field, dot + 1, len - base - 1);
	}
	return n;
}

static int parse_number(struct parser *ps)
{
	char *end, *dend;
	int n = node(ps, FOP_NUM, 0, 0);
	struct filter_node *f;

	if (n < 0)
		return n;
	f = &ps->f->nodes[n];
	errno = 0;
	f->num = *ps->p == '-' ? strtoll(ps->p, &end, 0) : (s64)strtoull(ps->p, &end, 0);
	f->dbl = strtod(ps->p, &dend);
	if (dend > end && *end == '.') {
		f->is_dbl = true;
		end = dend;
	} else {
		f->dbl = (double)f->num;
	}
	if (errno || isalnum((unsigned char)*end) || *end == '_')
		return fail(ps, ps->p, "bad number");
	ps->p = end;
	return n;
}

static int parse_string(struct parser *ps)
{
	const char *start = ps->p;
	char q = *ps->p++;
	int n = node(ps, FOP_STR, 0, 0);
	struct filter_node *f;

	if (n < 0)
		return n;
	f = &ps->f->nodes[n];
	for (; *ps->p != q; ps->p++) {
		/* "\"" and "\\"; other backslashes belong to the glob */
		if (*ps->p == '\\' && (ps->p[1] == q || ps->p[1] == '\\'))
			ps->p++;
		if (!*ps->p)
			return fail(ps, start, "the string has no end");
		if (f->len == sizeof(f->text))
			return fail(ps, start, "the string is too long");
		f->text[f->len++] = *ps->p;
	}
	ps->p++;
	return n;
}

static int parse_or(struct parser *ps);

static int parse_primary(struct parser *ps)
{
	int n;

	skip(ps);
	if (++ps->depth > MAX_DEPTH)
		return fail(ps, ps->p, "nested too deeply");
	if (*ps->p == '!' && ps->p[1] != '=' && ps->p[1] != '~') {
		ps->p++;
		n = parse_primary(ps);
		n = n < 0 ? n : node(ps, FOP_NOT, n, 0);
	} else if (*ps->p == '(') {
		const char *open = ps->p++;

		n = parse_or(ps);
		skip(ps);
		if (n >= 0 && *ps->p != ')')
			n = *ps->p ? fail(ps, ps->p, "expected ')'")
				   : fail(ps, open, "'(' without ')'");
		else if (n >= 0)
			ps->p++;
	} else if (*ps->p == '"' || *ps->p == '\'') {
		n = parse_string(ps);
	} else if (isdigit((unsigned char)*ps->p) ||
		   (*ps->p == '-' && isdigit((unsigned char)ps->p[1]))) {
		n = parse_number(ps);
	} else if (isalpha((unsigned char)*ps->p) || *ps->p == '_') {
		n = parse_name(ps);
	} else if (*ps->p) {
		n = fail(ps, ps->p, "expected a name, a number or a string");
	} else {
		n = fail(ps, ps->p, "the expression ends where a value is expected");
	}
	ps->depth--;
	return n;
}

static int parse_and_bits(struct parser *ps)
{
	int a = parse_primary(ps);

	for (;;) {
		skip(ps);
		if (a < 0 || *ps->p != '&' || ps->p[1] == '&')
			return a;
		ps->p++;
		int b = parse_primary(ps);

		a = b < 0 ? b : node(ps, FOP_BITAND, a, b);
	}
}

static int parse_compare(struct parser *ps)
{
	static const struct {
		const char *op;
		enum filter_op code;
	} ops[] = {{"==", FOP_EQ},     {"!=", FOP_NE}, {"<=", FOP_LE}, {">=", FOP_GE},
		   {"!~", FOP_NMATCH}, {"<", FOP_LT},  {">", FOP_GT},  {"~", FOP_MATCH}};
	int a = parse_and_bits(ps), b;

	if (a < 0)
		return a;
	skip(ps);
	if (*ps->p == '=' && ps->p[1] != '=')
		return fail(ps, ps->p, "'=' (write '==')");
	for (u32 i = 0; i < ARRAY_SIZE(ops); i++) {
		size_t len = strlen(ops[i].op);
		const char *at;

		if (strncmp(ps->p, ops[i].op, len))
			continue;
		ps->p += len;
		skip(ps);
		at = ps->p;
		b = parse_and_bits(ps);
		if (b < 0)
			return b;
		if ((ops[i].code == FOP_MATCH || ops[i].code == FOP_NMATCH) &&
		    ps->f->nodes[b].op != FOP_STR)
			return fail(ps, at, "expected a glob in quotes behind '~'");
		return node(ps, ops[i].code, a, b);
	}
	return a;
}

static int parse_and(struct parser *ps)
{
	int a = parse_compare(ps), b;

	for (;;) {
		skip(ps);
		if (a < 0 || strncmp(ps->p, "&&", 2))
			return a;
		ps->p += 2;
		b = parse_compare(ps);
		a = b < 0 ? b : node(ps, FOP_AND, a, b);
	}
}

static int parse_or(struct parser *ps)
{
	int a = parse_and(ps), b;

	for (;;) {
		skip(ps);
		if (a < 0 || strncmp(ps->p, "||", 2))
			return a;
		ps->p += 2;
		b = parse_and(ps);
		a = b < 0 ? b : node(ps, FOP_OR, a, b);
	}
}

struct trace_filter *trace_filter__new(const struct trace_table *t, const char *expr,
				       struct errbuf *eb)
{
	struct trace_filter *f = calloc(1, sizeof(*f));
	struct parser ps = {.f = f, .table = t, .expr = expr, .p = expr, .eb = eb};
	int root;

	if (!f) {
		errbuf__set(eb, -ENOMEM, "filter: out of memory");
		return NULL;
	}
	root = parse_or(&ps);
	skip(&ps);
	if (root >= 0 && *ps.p)
		root = fail(&ps, ps.p, "expected '&&', '||' or the end");
	if (root < 0) {
		free(f);
		errno = EINVAL;
		return NULL;
	}
	f->root = (s16)root;
	return f;
}

void trace_filter__delete(struct trace_filter *f)
{
	free(f);
}
