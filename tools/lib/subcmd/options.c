// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/subcmd/options.h"

struct parse_ctx {
	int argc;
	const char **argv;
	int i; /* the argument being looked at */
	const struct option *options;
	const struct option *exclusive; /* the first OPT_EXCLUSIVE seen */
	char exclusive_shown[80];
	struct errbuf *eb;
};

static bool takes_arg(const struct option *o)
{
	switch (o->type) {
	case OPT_TYPE_END:
	case OPT_TYPE_GROUP:
	case OPT_TYPE_FLAG:
	case OPT_TYPE_COUNT:
		return false;
	case OPT_TYPE_CALLBACK:
		return !(o->flags & OPT_NOARG);
	default:
		return true;
	}
}

static bool is_entry(const struct option *o)
{
	return o->type != OPT_TYPE_GROUP;
}

/* ---- values ---- */

static int bad_number(struct parse_ctx *c, const char *shown, const char *what, const char *arg)
{
	return errbuf__set(c->eb, -EINVAL, "option %s expects %s, not '%s'", shown, what, arg);
}

/* Decimal or 0x hex; a leading 0 is not octal: nobody means that. */
static int parse_u64(const char *arg, u64 *v)
{
	int base = arg[0] == '0' && (arg[1] == 'x' || arg[1] == 'X') ? 16 : 10;
	char *end;

	if (arg[0] < '0' || arg[0] > '9')
		return -EINVAL;
	errno = 0;
	*v = strtoull(arg, &end, base);
	if (errno || *end)
		return -EINVAL;
	return 0;
}

static int set_number(struct parse_ctx *c, const struct option *o, const char *shown,
		      const char *arg)
{
	bool neg = o->type == OPT_TYPE_INT && arg[0] == '-';
	char *end;
	u64 v;

	if (o->type == OPT_TYPE_DOUBLE) {
		double d = strtod(arg, &end);

		if (end == arg || *end || d != d)
			return bad_number(c, shown, "a number", arg);
		*(double *)o->value = d;
		return 0;
	}
	if (parse_u64(arg + neg, &v))
		return bad_number(c, shown,
				  o->type == OPT_TYPE_INT ? "a whole number"
							  : "a whole number of 0 or more",
				  arg);
	if (o->type == OPT_TYPE_U64) {
		*(u64 *)o->value = v;
		return 0;
	}
	if (o->type == OPT_TYPE_UINT) {
		if (v > UINT32_MAX)
			return bad_number(c, shown, "a number of at most 4294967295", arg);
		*(unsigned int *)o->value = v;
		return 0;
	}
	if (v > INT32_MAX)
		return bad_number(c, shown, "a number between -2147483647 and 2147483647", arg);
	*(int *)o->value = neg ? -(int)v : (int)v;
	return 0;
}

static int unset_value(struct parse_ctx *c, const struct option *o, const char *shown)
{
	switch (o->type) {
	case OPT_TYPE_FLAG:
		*(bool *)o->value = false;
		return 0;
	case OPT_TYPE_COUNT:
	case OPT_TYPE_INT:
	case OPT_TYPE_UINT:
		*(int *)o->value = 0;
		return 0;
	case OPT_TYPE_U64:
		*(u64 *)o->value = 0;
		return 0;
	case OPT_TYPE_DOUBLE:
		*(double *)o->value = 0;
		return 0;
	case OPT_TYPE_STRING:
		*(const char **)o->value = NULL;
		return 0;
	case OPT_TYPE_CALLBACK:
		return o->parse(o, NULL, true, c->eb);
	default:
		return errbuf__set(c->eb, -EINVAL, "option %s cannot be unset", shown);
	}
}

static int check_exclusive(struct parse_ctx *c, const struct option *o, const char *shown)
{
	if (!(o->flags & OPT_EXCLUSIVE))
		return 0;
	if (c->exclusive && c->exclusive != o)
		return errbuf__set(c->eb, -EINVAL, "option %s cannot be used together with %s",
				   shown, c->exclusive_shown);
	c->exclusive = o;
	strncpy(c->exclusive_shown, shown, sizeof(c->exclusive_shown) - 1);
	return 0;
}

/* @arg: the argument that was given, or NULL. */
static int set_value(struct parse_ctx *c, const struct option *o, const char *shown,
		     const char *arg)
{
	int err = check_exclusive(c, o, shown);

	if (err)
		return err;
	if (!arg)
		arg = o->def; /* of OPT_OPTARG; NULL otherwise */
	switch (o->type) {
	case OPT_TYPE_FLAG:
		*(bool *)o->value = true;
		return 0;
	case OPT_TYPE_COUNT:
		++*(int *)o->value;
		return 0;
	case OPT_TYPE_STRING:
		*(const char **)o->value = arg;
		return 0;
	case OPT_TYPE_CALLBACK:
		err = o->parse(o, arg, false, c->eb);
		if (err && errbuf__empty(c->eb))
			errbuf__set(c->eb, err, "option %s does not take '%s'", shown,
				    arg ? arg : "");
		return err;
	default:
		return arg ? set_number(c, o, shown, arg) : 0;
	}
}

/* The option's argument: what is joined to it, else the next word, unless it may be left out. */
static int take_arg(struct parse_ctx *c, const struct option *o, const char *shown,
		    const char *joined, const char **arg)
{
	*arg = joined;
	if (joined || (o->flags & OPT_OPTARG))
		return 0;
	if (c->i + 1 >= c->argc)
		return errbuf__set(c->eb, -EINVAL, "option %s needs an argument: %s", shown,
				   o->argh ? o->argh : "value");
	*arg = c->argv[++c->i];
	return 0;
}

/* ---- long options ---- */

struct match {
	const struct option *opt;
	bool unset;
	char name[64];
	int nr; /* how many different (option, unset) matched */
	char other[64];
};

static void add_match(struct match *m, const struct option *o, bool unset, const char *name)
{
	if (m->nr && m->opt == o && m->unset == unset)
		return;
	if (m->nr == 1)
		strncpy(m->other, name, sizeof(m->other) - 1);
	else if (!m->nr)
		strncpy(m->name, name, sizeof(m->name) - 1);
	if (!m->nr++) {
		m->opt = o;
		m->unset = unset;
	}
}

/* Every spelling of an option: NAME, no-NAME, and for a "no-NAME" of the table also plain NAME. */
static void match_option(struct match *m, const struct option *o, const char *name, size_t len,
			 bool exact)
{
	char neg[64] = "no-";
	const char *l = o->long_name;

	if (!strncmp(l, name, len) && (!exact || !l[len]))
		add_match(m, o, false, l);
	if (o->flags & OPT_NO_NEGATE)
		return;
	if (!strncmp(l, "no-", 3)) {
		if (!strncmp(l + 3, name, len) && (!exact || !l[3 + len]))
			add_match(m, o, true, l + 3);
		return;
	}
	strncat(neg, l, sizeof(neg) - 4);
	if (len > 3 && !strncmp(neg, name, len) && (!exact || !neg[len]))
		add_match(m, o, true, neg);
}

static struct match find_long(const struct option *options, const char *name, size_t len)
{
	struct match m = {};

	for (int exact = 1; exact >= 0 && !m.nr; exact--)
		for (const struct option *o = options; o->type != OPT_TYPE_END; o++)
			if (is_entry(o) && o->long_name && len &&
			    (exact || !(o->flags & OPT_HIDDEN)))
				match_option(&m, o, name, len, exact);
	return m;
}

static int unknown_long(struct parse_ctx *c, const char *name, size_t len)
{
	const char *names[512];
	char word[64];
	int n = 0;
	const char *near;

	for (const struct option *o = c->options; o->type != OPT_TYPE_END; o++)
		if (is_entry(o) && o->long_name && !(o->flags & OPT_HIDDEN) && n < 510)
			names[n++] = o->long_name;
	names[n++] = "help";
	names[n] = NULL;
	if (len >= sizeof(word))
		len = sizeof(word) - 1;
	memcpy(word, name, len);
	word[len] = 0;
	near = nearest_name(word, names);
	if (near)
		return errbuf__set(c->eb, -EINVAL, "unknown option --%s; did you mean --%s?", word,
				   near);
	return errbuf__set(c->eb, -EINVAL, "unknown option --%s", word);
}

static int parse_long(struct parse_ctx *c, const char *name)
{
	const char *eq = strchr(name, '='), *arg = NULL;
	size_t len = eq ? (size_t)(eq - name) : strlen(name);
	struct match m = find_long(c->options, name, len);
	char shown[80] = "--";
	int err;

	if (!m.nr && len >= 2 && len <= 4 && !strncmp("help", name, len))
		return errbuf__set(c->eb, -ECANCELED, "help");
	if (!m.nr && !strcmp(name, "list-opts"))
		return errbuf__set(c->eb, -ECANCELED, "list-opts");
	if (!m.nr)
		return unknown_long(c, name, len);
	if (m.nr > 1)
		return errbuf__set(c->eb, -EINVAL,
				   "option --%.*s is ambiguous: it could be --%s or --%s", (int)len,
				   name, m.name, m.other);
	strncat(shown, m.name, sizeof(shown) - 3);
	if (m.unset || !takes_arg(m.opt)) {
		if (eq)
			return errbuf__set(c->eb, -EINVAL, "option %s takes no argument", shown);
		return m.unset ? unset_value(c, m.opt, shown) : set_value(c, m.opt, shown, NULL);
	}
	err = take_arg(c, m.opt, shown, eq ? eq + 1 : NULL, &arg);
	return err ? err : set_value(c, m.opt, shown, arg);
}

/* ---- short options ---- */

static const struct option *find_short(const struct option *options, char ch)
{
	for (const struct option *o = options; o->type != OPT_TYPE_END; o++)
		if (is_entry(o) && o->short_name == ch)
			return o;
	return NULL;
}

static int parse_short(struct parse_ctx *c, const char *s)
{
	for (; *s; s++) {
		const struct option *o = find_short(c->options, *s);
		char shown[4] = {'-', *s};
		const char *arg = NULL;
		bool last = false;
		int err;

		if (!o && *s == 'h')
			return errbuf__set(c->eb, -ECANCELED, "help");
		if (!o)
			return errbuf__set(c->eb, -EINVAL, "unknown option -%c", *s);
		if (takes_arg(o)) {
			err = take_arg(c, o, shown, s[1] ? s + 1 : NULL, &arg);
			if (err)
				return err;
			last = true;
		}
		err = set_value(c, o, shown, arg);
		if (err || last)
			return err;
	}
	return 0;
}

int parse_options__try(int argc, const char **argv, const struct option *options, const char *cmd,
		       unsigned int flags, struct errbuf *eb)
{
	struct parse_ctx c = {.argc = argc, .argv = argv, .options = options, .eb = eb};
	int out = 0;

	(void)cmd;
	if (eb)
		eb->msg[0] = 0;
	for (c.i = 1; c.i < argc; c.i++) {
		const char *a = argv[c.i];
		int err;

		if (a[0] != '-' || !a[1]) {
			if (flags & SUBCMD_STOP_AT_NON_OPTION)
				break;
			argv[out++] = a;
			continue;
		}
		if (a[1] == '-' && !a[2]) {
			c.i += !(flags & SUBCMD_KEEP_DASHDASH);
			break;
		}
		err = a[1] == '-' ? parse_long(&c, a + 2) : parse_short(&c, a + 1);
		if (err)
			return err;
	}
	while (c.i < argc)
		argv[out++] = argv[c.i++];
	argv[out] = NULL;
	return out;
}
