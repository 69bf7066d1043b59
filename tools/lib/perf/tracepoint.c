// SPDX-License-Identifier: GPL-2.0-only
/* Tracepoints: system:name, either of which may be a glob, looked up in tracefs. */
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/api/tracefs.h"
#include "lib/perf/parse.h"
#include "lib/subcmd/options.h"

/* Names of a folder, sorted. */
struct names {
	char **name;
	int nr, cap;
	const char *pattern; /* NULL: all */
};

static int add_name(void *ctx, const char *name)
{
	struct names *n = ctx;

	if (n->pattern && fnmatch(n->pattern, name, 0))
		return 0;
	/* One NULL stays behind the last, so that the array is a list for nearest_name(). */
	if (n->nr + 1 >= n->cap) {
		int cap = n->cap ? n->cap * 2 : 64;
		char **p = realloc(n->name, cap * sizeof(*p));

		if (!p)
			return -ENOMEM;
		n->name = p;
		n->cap = cap;
	}
	n->name[n->nr] = strdup(name);
	if (!n->name[n->nr])
		return -ENOMEM;
	n->name[++n->nr] = NULL;
	return 0;
}

static int cmp_str(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static int names__read(struct names *n, const char *rel, struct errbuf *eb)
{
	int err = tracefs__each(rel, add_name, n, eb);

	if (n->nr)
		qsort(n->name, n->nr, sizeof(*n->name), cmp_str);
	return err;
}

static void names__free(struct names *n)
{
	for (int i = 0; i < n->nr; i++)
		free(n->name[i]);
	free(n->name);
	memset(n, 0, sizeof(*n));
}

static bool is_glob(const char *s)
{
	return strpbrk(s, "*?[");
}

bool tracepoint__has_system(const char *sys, size_t len)
{
	char path[300];
	int fd;

	snprintf(path, sizeof(path), "events/%.*s", (int)min_t(size_t, len, 255), sys);
	if (is_glob(path))
		return true;
	fd = tracefs__open(path, O_PATH | O_DIRECTORY, NULL);
	if (fd < 0)
		return false;
	close(fd);
	return true;
}

static int add_one(struct parser *ps, const char *sys, const char *name, int id)
{
	struct evsel *e = evlist__add(ps->l);

	if (!e)
		return -ENOMEM;
	e->attr.type = PERF_TYPE_TRACEPOINT;
	e->attr.config = id;
	e->attr.sample_period = 1;
	e->attr.exclude_guest = 1;
	e->attr.sample_type =
		PERF_SAMPLE_RAW | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD;
	e->tp_system = strdup(sys);
	e->tp_name = strdup(name);
	if (!e->tp_system || !e->tp_name)
		return -ENOMEM;
	return evsel__set_name(e, "%s:%s", sys, name);
}

/* All of @sys that match @name; *found counts. */
static int add_from_system(struct parser *ps, const char *sys, const char *name, int *found)
{
	struct names events = {.pattern = name};
	char rel[300];
	int err;

	snprintf(rel, sizeof(rel), "events/%s", sys);
	err = names__read(&events, rel, ps->eb);
	if (err == -ENOTDIR || err == -ENOENT)
		err = 0; /* "enable", "header_page": files beside the systems */
	for (int i = 0; i < events.nr && !err; i++) {
		int id = tracefs__event_id(sys, events.name[i], NULL);

		/* "enable" and "filter" stand beside the events; some of ftrace's have no id. */
		if (id < 0)
			continue;
		err = add_one(ps, sys, events.name[i], id);
		++*found;
	}
	names__free(&events);
	return err;
}

static int not_found(struct parser *ps, const char *at, const char *sys, const char *name)
{
	struct names all = {.pattern = NULL};
	char rel[300];
	const char *near;
	int err;

	if (!names__read(&all, "events", NULL) && !is_glob(sys) &&
	    !tracepoint__has_system(sys, strlen(sys))) {
		near = nearest_name(sys, (const char *const *)all.name);
		err = parse_error(
			ps, at, -ENOENT,
			"tracepoint '%s:%s': there is no system '%s'%s%s%s (see perf list "
			"tracepoint)",
			sys, name, sys, near ? ", did you mean '" : "", near ? near : "",
			near ? "'?" : "");
	} else {
		names__free(&all);
		snprintf(rel, sizeof(rel), "events/%s", sys);
		near = NULL;
		if (!is_glob(sys) && !names__read(&all, rel, NULL) && all.nr)
			near = nearest_name(name, (const char *const *)all.name);
		err = parse_error(ps, at + strlen(sys) + 1, -ENOENT,
				  "tracepoint '%s:%s': %s%s%s%s (see perf list '%s:*')", sys, name,
				  is_glob(name) ? "nothing matches" : "there is no such event",
				  near ? ", did you mean '" : "", near ? near : "",
				  near ? "'?" : "", sys);
	}
	names__free(&all);
	return err;
}

int tracepoint__add(struct parser *ps, const char *sys_at, size_t sys_len, const char *name_at,
		    size_t name_len)
{
	char sys[256], name[256];
	struct errbuf why = {.msg = ""};
	int err, found = 0;

	if (sys_len >= sizeof(sys) || name_len >= sizeof(name))
		return parse_error(ps, sys_at, -ENAMETOOLONG, "the tracepoint's name is too long");
	snprintf(sys, sizeof(sys), "%.*s", (int)sys_len, sys_at);
	snprintf(name, sizeof(name), "%.*s", (int)name_len, name_at);
	err = tracefs__fd(&why);
	if (err < 0)
		return parse_error(ps, sys_at, err, "tracepoint '%s:%s': %s", sys, name, why.msg);
	err = 0;
	if (!is_glob(sys) && !is_glob(name)) {
		int id = tracefs__event_id(sys, name, &why);

		if (id == -ENOENT || id == -ENOTDIR)
			return not_found(ps, sys_at, sys, name);
		if (id < 0)
			return parse_error(ps, sys_at, id, "tracepoint '%s:%s': %s", sys, name,
					   why.msg);
		err = add_one(ps, sys, name, id);
	} else if (!is_glob(sys)) {
		err = add_from_system(ps, sys, name, &found);
		if (!err && !found)
			return not_found(ps, sys_at, sys, name);
	} else {
		struct names systems = {.pattern = sys};

		err = names__read(&systems, "events", ps->eb);
		for (int i = 0; i < systems.nr && !err; i++)
			err = add_from_system(ps, systems.name[i], name, &found);
		names__free(&systems);
		if (!err && !found)
			return not_found(ps, sys_at, sys, name);
	}
	if (err == -ENOMEM)
		errbuf__set(ps->eb, err, "out of memory for an event");
	return err;
}

int tracepoint__each(int (*cb)(void *ctx, const char *sys, const char *name), void *ctx,
		     struct errbuf *eb)
{
	struct names systems = {.pattern = NULL};
	int err = names__read(&systems, "events", eb), ret = 0;

	for (int i = 0; i < systems.nr && !err && !ret; i++) {
		struct names events = {.pattern = NULL};
		char rel[300];

		snprintf(rel, sizeof(rel), "events/%s", systems.name[i]);
		if (!names__read(&events, rel, NULL)) {
			bool check = !strcmp(systems.name[i], "ftrace");

			for (int k = 0; k < events.nr && !ret; k++) {
				const char *name = events.name[k];

				if (!strcmp(name, "enable") || !strcmp(name, "filter") ||
				    (check && tracefs__event_id(systems.name[i], name, NULL) < 0))
					continue;
				ret = cb(ctx, systems.name[i], name);
			}
		}
		names__free(&events);
	}
	names__free(&systems);
	return err ? err : ret;
}
