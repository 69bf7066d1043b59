/* SPDX-License-Identifier: GPL-2.0-only */
/* The event parser's parts and what they hand each other. */
#ifndef PERF_LIB_PERF_PARSE_H
#define PERF_LIB_PERF_PARSE_H

#include "lib/perf/internal.h"

struct parser {
	const char *text; /* all of it, for messages */
	const char *p;	  /* where it is */
	struct evlist *l;
	struct errbuf *eb;
};

/* parse_error - @err, with the message, the text, and a caret under @at. */
int parse_error(struct parser *ps, const char *at, int err, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/* One name[=value] between slashes. */
struct term {
	const char *name;
	size_t name_len;
	const char *val; /* NULL: no '=' */
	size_t val_len;
	bool used;
};
#define MAX_TERMS 64
struct terms {
	struct term t[MAX_TERMS];
	int nr;
};

/* terms__parse - from behind the first '/' to behind the second. */
int terms__parse(struct parser *ps, struct terms *ts);
/* terms__apply - the terms every kind of event knows (name=, period=, call-graph= ...); each is
 * marked used. */
int terms__apply(struct parser *ps, struct terms *ts, struct evsel *e);
/* terms__check_used - an error for the first that nobody took; @more names what else there is. */
int terms__check_used(struct parser *ps, const struct terms *ts, const char *kind,
		      const char *more);
bool term__is(const struct term *t, const char *name);
/* term__number - its value; one without value is 1. */
int term__number(struct parser *ps, const struct term *t, u64 *v);

/* pmu.c */
bool pmu__exists(const char *name, size_t len); /* also by glob, or as NAME_0, uncore_NAME */
/* pmu__add - pmu/terms/: one event for each PMU that @name means. */
int pmu__add(struct parser *ps, const char *name, size_t len, struct terms *ts);
/* pmu__find_event - the PMU that has the event @name in its events folder, to be freed; or NULL. */
char *pmu__find_event(const char *name, size_t len);
/* pmu__nearest - names of PMUs, for "did you mean"; NULL or to be freed. */
char *pmu__nearest(const char *name, size_t len);

/* tracepoint.c */
/* tracepoint__add - sys:name with globs; adds one event each. */
int tracepoint__add(struct parser *ps, const char *sys, size_t sys_len, const char *name,
		    size_t name_len);
/* Whether tracefs has the folder events/SYS (a glob: any). */
bool tracepoint__has_system(const char *sys, size_t len);

#endif
