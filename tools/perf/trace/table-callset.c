// SPDX-License-Identifier: GPL-2.0-only
/* -e: names, globs, groups, numbers, `!` to a set of calls. */
#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "lib/subcmd/options.h"
#include "trace/tables.h"

static const struct {
	const char *name;
	u32 group;
} groups[] = {
	{"file", TG_FILE},	{"desc", TG_DESC},	 {"network", TG_NETWORK},
	{"net", TG_NETWORK},	{"process", TG_PROCESS}, {"memory", TG_MEMORY},
	{"signal", TG_SIGNAL},	{"ipc", TG_IPC},	 {"clock", TG_CLOCK},
	{"creds", TG_CREDS},	{"stat", TG_STAT},	 {"pure", TG_PURE},
	{"%stat", TG_STAT_KIN},
};

void trace_callset__set(struct trace_callset *s, int abi, int nr)
{
	if ((unsigned int)abi < 3 && (unsigned int)nr < 1024)
		s->bits[abi][nr / 64] |= 1ULL << (nr % 64);
}

static void set_both(struct trace_callset *s, int abi, int nr)
{
	trace_callset__set(s, abi, nr);
	if (abi == TRACE_ABI_64)
		trace_callset__set(s, TRACE_ABI_X32, nr);
}

void trace_callset__fd_calls(struct trace_callset *s, const struct trace_table *t)
{
	for (int abi = 0; abi < 2; abi++) {
		for (int nr = 0; nr < trace_table__nr(t, abi); nr++) {
			const struct trace_call *c = trace_table__lookup(t, abi, nr);

			if (c && c->action && c->action != FDA_PRCTL)
				set_both(s, abi, nr);
		}
	}
}

bool trace_callset__empty(const struct trace_callset *s)
{
	static const struct trace_callset none;

	return !memcmp(s, &none, sizeof(none));
}

void trace_callset__fill(struct trace_callset *s, const struct trace_table *t)
{
	(void)t;
	memset(s, 0xff, sizeof(*s)); /* numbers without a name as well */
}

static u32 group_find(const char *w)
{
	for (u32 i = 0; i < ARRAY_SIZE(groups); i++) {
		if (!strcmp(groups[i].name, w))
			return groups[i].group;
	}
	return 0;
}

/* Calls by group or glob; how many. */
static int match(struct trace_callset *s, const struct trace_table *t, u32 group, const char *glob)
{
	int found = 0;

	for (int abi = 0; abi < 2; abi++) {
		for (int nr = 0; nr < trace_table__nr(t, abi); nr++) {
			const struct trace_call *c = trace_table__lookup(t, abi, nr);

			if (!c || (group ? !(c->groups & group) : fnmatch(glob, c->name, 0)))
				continue;
			set_both(s, abi, nr);
			found++;
		}
	}
	return found;
}

static int unknown(const struct trace_table *t, const char *w, struct errbuf *eb)
{
	const char *names[1024 + ARRAY_SIZE(groups)];
	const char *near;
	u32 n = 0;

	if (*w == '%') {
		for (u32 i = 0; i + 1 < ARRAY_SIZE(groups); i++)
			names[n++] = groups[i].name;
		names[n] = NULL;
		near = nearest_name(w + 1, names);
		return errbuf__set(
			eb, -EINVAL,
			"unknown group of calls '%s'%s%s%s; there are %%file %%desc %%network "
			"%%process %%memory %%signal %%ipc %%clock %%creds %%stat %%pure",
			w, near ? ", did you mean '%" : "", near ? near : "", near ? "'?" : "");
	}
	for (int abi = 0; abi < 2; abi++) {
		for (int nr = 0; nr < trace_table__nr(t, abi) && n < 1023; nr++) {
			const struct trace_call *c = trace_table__lookup(t, abi, nr);

			if (c)
				names[n++] = c->name;
		}
	}
	names[n] = NULL;
	near = nearest_name(w, names);
	return errbuf__set(eb, -EINVAL, "unknown system call '%s'%s%s%s", w,
			   near ? ", did you mean '" : "", near ? near : "", near ? "'?" : "");
}

static int add_word(struct trace_callset *s, const struct trace_table *t, const char *w,
		    struct errbuf *eb)
{
	bool optional = *w == '?'; /* as strace: no error when there is no such call */
	u32 group;
	int found = 0;

	w += optional;
	if (!strcmp(w, "all")) {
		trace_callset__fill(s, t);
		return 0;
	}
	if (!strcmp(w, "none"))
		return 0;
	group = group_find(*w == '%' ? w + 1 : w);
	if (group && (*w == '%' || trace_table__number(t, TRACE_ABI_64, w) < 0)) {
		found = match(s, t, group, NULL);
	} else if (*w == '/') {
		return errbuf__set(eb, -EINVAL,
				   "regular expressions are not supported in '%s': "
				   "write a glob, as in 'open*'",
				   w);
	} else if (strpbrk(w, "*?[")) {
		found = match(s, t, 0, w);
	} else if (isdigit((unsigned char)*w)) {
		char *end;
		unsigned long nr = strtoul(w, &end, 0);

		if (!*end && nr < 1024) {
			set_both(s, TRACE_ABI_64, (int)nr);
			found = 1;
		}
	} else {
		for (int abi = 0; abi < 2; abi++) {
			int nr = trace_table__number(t, abi, w);

			if (nr >= 0) {
				set_both(s, abi, nr);
				found++;
			}
		}
	}
	return found || optional ? 0 : unknown(t, w, eb);
}

int trace_callset__parse(struct trace_callset *s, const struct trace_table *t, const char *expr,
			 struct errbuf *eb)
{
	struct trace_callset add = {0};
	bool negate = false, was_empty;
	char *copy, *save = NULL, *w;
	int err = 0;

	if (!strncmp(expr, "trace=", 6) || !strncmp(expr, "t=", 2))
		expr = strchr(expr, '=') + 1;
	if (*expr == '!') {
		negate = true;
		expr++;
	}
	if (strchr(expr, ':'))
		return -ENOENT;
	copy = strdup(expr);
	if (!copy)
		return errbuf__set(eb, -ENOMEM, "out of memory");
	if (!*copy)
		err = errbuf__set(eb, -EINVAL, "-e needs a system call's name");
	for (w = strtok_r(copy, ",", &save); w && !err; w = strtok_r(NULL, ",", &save)) {
		/* a `!` on a later name of the list: as upstream, for the whole list */
		if (*w == '!') {
			negate = true;
			w++;
		}
		err = add_word(&add, t, w, eb);
	}
	free(copy);
	if (err)
		return err;
	was_empty = trace_callset__empty(s);
	if (negate && was_empty)
		trace_callset__fill(s, t);
	for (u32 abi = 0; abi < ARRAY_SIZE(s->bits); abi++) {
		for (u32 i = 0; i < ARRAY_SIZE(s->bits[0]); i++) {
			if (negate)
				s->bits[abi][i] &= ~add.bits[abi][i];
			else
				s->bits[abi][i] |= add.bits[abi][i];
		}
	}
	return 0;
}
