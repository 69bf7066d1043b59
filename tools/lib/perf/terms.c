// SPDX-License-Identifier: GPL-2.0-only
/* Terms between slashes: splitting them, and those that are the tool's own and not a PMU's. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/perf/parse.h"
#include "lib/subcmd/options.h"

bool term__is(const struct term *t, const char *name)
{
	return strlen(name) == t->name_len && !memcmp(name, t->name, t->name_len);
}

int term__number(struct parser *ps, const struct term *t, u64 *v)
{
	char buf[32], *end;

	*v = 1;
	if (!t->val)
		return 0;
	if (t->val_len && t->val_len < sizeof(buf)) {
		memcpy(buf, t->val, t->val_len);
		buf[t->val_len] = 0;
		errno = 0;
		*v = strtoull(buf, &end, 0);
		if (!*end && !errno && isdigit((unsigned char)buf[0]))
			return 0;
	}
	return parse_error(ps, t->val, -EINVAL, "term '%.*s': a number is expected",
			   (int)t->name_len, t->name);
}

int terms__parse(struct parser *ps, struct terms *ts)
{
	const char *open = ps->p - 1;

	ts->nr = 0;
	if (*ps->p == '/') {
		ps->p++;
		return 0;
	}
	for (;;) {
		struct term *t = &ts->t[ts->nr];

		if (ts->nr == MAX_TERMS)
			return parse_error(ps, ps->p, -E2BIG, "more than %d terms", MAX_TERMS);
		memset(t, 0, sizeof(*t));
		t->name = ps->p;
		t->name_len = strcspn(ps->p, "=,/");
		if (!t->name_len)
			return parse_error(ps, ps->p, *ps->p ? -EINVAL : -EINVAL,
					   "a term, NAME=VALUE, is expected");
		ps->p += t->name_len;
		if (*ps->p == '=') {
			const char *quote = ps->p[1] == '\'' ? strchr(ps->p + 2, '\'') : NULL;

			t->val = ++ps->p;
			if (quote) {
				t->val++;
				t->val_len = quote - t->val;
				ps->p = quote + 1;
			} else {
				t->val_len = strcspn(ps->p, ",/");
				ps->p += t->val_len;
			}
			if (!t->val_len)
				return parse_error(ps, ps->p, -EINVAL,
						   "term '%.*s': a value is expected",
						   (int)t->name_len, t->name);
		}
		ts->nr++;
		if (*ps->p == '/') {
			ps->p++;
			return 0;
		}
		if (*ps->p != ',')
			return parse_error(ps, *ps->p ? ps->p : open, -EINVAL,
					   "the terms have no closing '/'");
		ps->p++;
	}
}

/* Values of branch_type=, joined by '|', and the attr bits they stand for. */
static const struct {
	const char *name;
	u64 bit;
} branch_types[] = {
	{"u", PERF_SAMPLE_BRANCH_USER},
	{"k", PERF_SAMPLE_BRANCH_KERNEL},
	{"hv", PERF_SAMPLE_BRANCH_HV},
	{"any", PERF_SAMPLE_BRANCH_ANY},
	{"any_call", PERF_SAMPLE_BRANCH_ANY_CALL},
	{"any_ret", PERF_SAMPLE_BRANCH_ANY_RETURN},
	{"ind_call", PERF_SAMPLE_BRANCH_IND_CALL},
	{"ind_jmp", PERF_SAMPLE_BRANCH_IND_JUMP},
	{"call", PERF_SAMPLE_BRANCH_CALL},
	{"abort_tx", PERF_SAMPLE_BRANCH_ABORT_TX},
	{"in_tx", PERF_SAMPLE_BRANCH_IN_TX},
	{"no_tx", PERF_SAMPLE_BRANCH_NO_TX},
	{"cond", PERF_SAMPLE_BRANCH_COND},
	{"no_flags", PERF_SAMPLE_BRANCH_NO_FLAGS},
	{"no_cycles", PERF_SAMPLE_BRANCH_NO_CYCLES},
	{"save_type", PERF_SAMPLE_BRANCH_TYPE_SAVE},
	{"stack", PERF_SAMPLE_BRANCH_CALL_STACK},
	{"hw_index", PERF_SAMPLE_BRANCH_HW_INDEX},
	{"priv", PERF_SAMPLE_BRANCH_PRIV_SAVE},
};

int branch_type__parse(const char *s, size_t len, u64 *mask)
{
	*mask = 0;
	for (;;) {
		size_t n = 0;
		bool found = false;

		while (n < len && s[n] != '|' && s[n] != ',')
			n++;
		for (unsigned int i = 0; i < ARRAY_SIZE(branch_types); i++) {
			if (strlen(branch_types[i].name) == n &&
			    !memcmp(branch_types[i].name, s, n)) {
				*mask |= branch_types[i].bit;
				found = true;
			}
		}
		if (!found)
			return -EINVAL;
		if (n == len)
			break;
		s += n + 1;
		len -= n + 1;
	}
	/* Levels alone say nothing about which branches. */
	if (!(*mask & ~(u64)PERF_SAMPLE_BRANCH_PLM_ALL))
		*mask |= PERF_SAMPLE_BRANCH_ANY;
	return 0;
}

static int set_period(struct parser *ps, const struct term *t, struct evsel *e)
{
	bool freq = term__is(t, "freq");
	u64 v;
	int err;

	if (e->own_period)
		return parse_error(ps, t->name, -EINVAL, "period= or freq= is given twice");
	if (freq && t->val && t->val_len == 3 && !memcmp(t->val, "max", 3)) {
		struct errbuf ignore;
		struct evsel *one[1] = {e};
		struct evlist l = {.e = one, .nr = 1};

		evlist__set_freq(&l, UINT64_MAX, &ignore, NULL);
		e->own_period = true;
		return 0;
	}
	err = term__number(ps, t, &v);
	if (err)
		return err;
	if (!t->val || !v)
		return parse_error(ps, t->val ? t->val : t->name, -EINVAL,
				   "term '%s': a number above 0 is expected",
				   freq ? "freq" : "period");
	e->attr.freq = freq;
	e->attr.sample_period = v;
	e->own_period = true;
	return 0;
}

static int set_call_graph(struct parser *ps, const struct term *t, struct evsel *e)
{
	static const char *const modes[] = {"fp", "dwarf", "lbr", "no", NULL};

	for (int i = 0; t->val && modes[i]; i++) {
		if (strlen(modes[i]) == t->val_len && !memcmp(modes[i], t->val, t->val_len)) {
			e->terms.call_graph = modes[i];
			return 0;
		}
	}
	return parse_error(ps, t->val ? t->val : t->name, -EINVAL,
			   "term 'call-graph': fp, dwarf, lbr or no is expected");
}

/* The common terms by number: 0 taken, 1 not one of them, or an error. */
static int apply_number(struct parser *ps, const struct term *t, struct evsel *e)
{
	struct perf_event_attr *a = &e->attr;
	u64 v, max = UINT64_MAX;
	int err;

	if (term__is(t, "time"))
		max = 1;
	else if (term__is(t, "stack-size"))
		max = 65528;
	else if (term__is(t, "max-stack"))
		max = 65535;
	else if (!term__is(t, "config") && !term__is(t, "config1") && !term__is(t, "config2"))
		return 1;
	err = term__number(ps, t, &v);
	if (err)
		return err;
	if (v > max)
		return parse_error(ps, t->val, -EINVAL, "term '%.*s': %llu at most",
				   (int)t->name_len, t->name, (unsigned long long)max);
	if (term__is(t, "time"))
		e->terms.time = v;
	else if (term__is(t, "stack-size"))
		e->terms.stack_size = (v + 7) & ~7ULL;
	else if (term__is(t, "max-stack"))
		a->sample_max_stack = e->terms.max_stack = v;
	else if (term__is(t, "config"))
		a->config = v;
	else if (term__is(t, "config1"))
		a->config1 = v;
	else
		a->config2 = v;
	return 0;
}

/* Terms that are on or off: -1 when @t is none of them. */
static int apply_flag(const struct term *t, struct evsel *e)
{
	if (term__is(t, "inherit"))
		e->inherit = true;
	else if (term__is(t, "no-inherit"))
		e->no_inherit = true;
	else if (term__is(t, "overwrite"))
		e->terms.overwrite = 1;
	else if (term__is(t, "no-overwrite"))
		e->terms.overwrite = 0;
	else
		return -1;
	return 0;
}

static int apply_one(struct parser *ps, struct term *t, struct evsel *e)
{
	int err;

	if (term__is(t, "name")) {
		if (!t->val)
			return parse_error(ps, t->name, -EINVAL, "term 'name': a name is expected");
		e->named = true;
		return evsel__set_name(e, "%.*s", (int)t->val_len, t->val);
	}
	if (term__is(t, "period") || term__is(t, "freq"))
		return set_period(ps, t, e);
	if (term__is(t, "call-graph"))
		return set_call_graph(ps, t, e);
	if (term__is(t, "branch_type")) {
		u64 mask;

		if (!t->val || branch_type__parse(t->val, t->val_len, &mask))
			return parse_error(ps, t->val ? t->val : t->name, -EINVAL,
					   "term 'branch_type': any, any_call, any_ret, ind_call, "
					   "cond, u, k ... joined by '|' are expected");
		e->attr.branch_sample_type = mask;
		return 0;
	}
	err = apply_number(ps, t, e);
	if (err <= 0)
		return err;
	if (apply_flag(t, e))
		return 1;
	if (t->val)
		return parse_error(ps, t->val, -EINVAL, "term '%.*s' takes no value",
				   (int)t->name_len, t->name);
	return 0;
}

int terms__apply(struct parser *ps, struct terms *ts, struct evsel *e)
{
	for (int i = 0; i < ts->nr; i++) {
		int err = apply_one(ps, &ts->t[i], e);

		if (err < 0)
			return err;
		if (!err)
			ts->t[i].used = true;
	}
	if (e->inherit && e->no_inherit)
		return parse_error(ps, ts->t[0].name, -EINVAL,
				   "inherit and no-inherit exclude each other");
	return 0;
}

static const char *const common_terms[] = {
	"name",	     "period",	    "freq",    "time",	     "call-graph", "stack-size",
	"max-stack", "branch_type", "inherit", "no-inherit", "overwrite",  "no-overwrite",
	"config",    "config1",	    "config2", NULL,
};

int terms__check_used(struct parser *ps, const struct terms *ts, const char *kind, const char *more)
{
	for (int i = 0; i < ts->nr; i++) {
		const struct term *t = &ts->t[i];
		char word[64], list[512] = "";
		const char *near;

		if (t->used)
			continue;
		snprintf(word, sizeof(word), "%.*s", (int)t->name_len, t->name);
		near = nearest_name(word, common_terms);
		for (int k = 0; common_terms[k]; k++)
			snprintf(list + strlen(list), sizeof(list) - strlen(list), "%s%s",
				 k ? ", " : "", common_terms[k]);
		return parse_error(ps, t->name, -EINVAL,
				   "term '%s': %s has no such term%s%s%s; there are %s%s%s", word,
				   kind, near ? ", did you mean '" : "", near ? near : "",
				   near ? "'?" : "", more ? more : "", more && *more ? ", " : "",
				   list);
	}
	return 0;
}
