// SPDX-License-Identifier: GPL-2.0-only
/* perf list: what can be given to -e on this machine. */
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "builtin.h"
#include "lib/api/outbuf.h"
#include "lib/perf/evlist.h"
#include "lib/perf/names.h"

static bool json, raw_dump, no_desc;
static bool desc, long_desc;
static const char *out_path;

static const struct option options[] = {
	OPT_FLAG('d', "desc", &desc, "print a line about each event (--no-desc: none)"),
	OPT_FLAG('v', "long-desc", &long_desc, "print all that is known about each event"),
	OPT_FLAG('j', "json", &json, "print the events as a JSON array"),
	OPT_FLAG(0, "raw-dump", &raw_dump, "print names only, separated by blanks, for scripts"),
	OPT_STRING('o', "output", &out_path, "file", "write to FILE instead of standard output"),
	OPT_END(),
};
static const char *const usage[] = {"[<options>] [hw|sw|cache|tracepoint|pmu|<event glob>]...",
				    NULL};

const struct option *cmd_list_options(void)
{
	return options;
}

struct entry {
	const char *unit; /* PMU, tracepoint system; NULL: none */
	const char *name;
	const char *alias; /* or NULL */
	const char *type;  /* as in brackets: "Software event" */
	const char *help;  /* or NULL */
	const char *terms; /* of a PMU's event: what it stands for */
};

struct lister {
	struct outbuf ob;
	const char *glob; /* NULL: all */
	int nr;
};

static bool wanted(const struct lister *l, const struct entry *e)
{
	char part[256];

	if (!l->glob)
		return true;
	if (!fnmatch(l->glob, e->name, FNM_CASEFOLD) ||
	    (e->alias && !fnmatch(l->glob, e->alias, FNM_CASEFOLD)))
		return true;
	/* A word without wildcards finds whatever contains it. */
	if (strpbrk(l->glob, "*?["))
		return false;
	snprintf(part, sizeof(part), "*%s*", l->glob);
	return !fnmatch(part, e->name, FNM_CASEFOLD) ||
	       (e->alias && !fnmatch(part, e->alias, FNM_CASEFOLD));
}

static void put_field(struct outbuf *ob, const char *key, const char *value, bool first)
{
	if (!value)
		return;
	outbuf__printf(ob, "%s\n\t\"%s\": ", first ? "" : ",", key);
	outbuf__json(ob, value, strlen(value));
}

static void put(struct lister *l, const struct entry *e)
{
	struct outbuf *ob = &l->ob;
	char name[512];

	if (!wanted(l, e))
		return;
	if (json) {
		outbuf__puts(ob, l->nr ? ",\n{" : "{");
		put_field(ob, "Unit", e->unit, true);
		put_field(ob, "EventName", e->name, !e->unit);
		put_field(ob, "EventAlias", e->alias, false);
		put_field(ob, "EventType", e->type, false);
		put_field(ob, "BriefDescription", e->help, false);
		put_field(ob, "Encoding", e->terms, false);
		outbuf__puts(ob, "\n}");
	} else if (raw_dump) {
		outbuf__safe(ob, e->name, strlen(e->name));
		outbuf__putc(ob, ' ');
	} else {
		if (e->alias)
			snprintf(name, sizeof(name), "%s OR %s", e->name, e->alias);
		else
			snprintf(name, sizeof(name), "%s", e->name);
		outbuf__puts(ob, "  ");
		outbuf__safe(ob, name, strlen(name));
		if (strlen(name) < 50)
			outbuf__pad(ob, 50 - strlen(name));
		outbuf__printf(ob, " [%s]\n", e->type);
		if ((desc || long_desc) && !no_desc && e->help)
			outbuf__printf(ob, "       [%s]\n", e->help);
		if (long_desc && e->terms)
			outbuf__printf(ob, "        %s\n", e->terms);
	}
	l->nr++;
}

static void list_names(struct lister *l, u32 type)
{
	for (int i = 0; i < nr_event_names; i++) {
		const struct event_name *n = &event_names[i];
		struct entry e = {
			.name = n->name,
			.alias = n->alias,
			.help = n->help,
			.type = type == PERF_TYPE_HARDWARE ? "Hardware event" : "Software event",
		};

		if (n->type == type && perf_event__supported(type, n->config))
			put(l, &e);
	}
}

static int cmp_name(const void *a, const void *b)
{
	return strcmp(a, b);
}

static void list_caches(struct lister *l)
{
	char names[PERF_COUNT_HW_CACHE_MAX * PERF_COUNT_HW_CACHE_OP_MAX *
		   PERF_COUNT_HW_CACHE_RESULT_MAX][64];
	int nr = 0;

	for (u64 c = 0; c < PERF_COUNT_HW_CACHE_MAX; c++)
		for (u64 o = 0; o < PERF_COUNT_HW_CACHE_OP_MAX; o++)
			for (u64 r = 0; r < PERF_COUNT_HW_CACHE_RESULT_MAX; r++)
				if (cache_event__name(c, o, r, names[nr], sizeof(names[0])) &&
				    perf_event__supported(PERF_TYPE_HW_CACHE, c | o << 8 | r << 16))
					nr++;
	qsort(names, nr, sizeof(names[0]), cmp_name);
	for (int i = 0; i < nr; i++)
		put(l, &(struct entry){.name = names[i], .type = "Hardware cache event"});
}

static int put_pmu_event(void *ctx, const char *pmu, const char *event, const char *terms)
{
	char name[256], encoding[1200];

	snprintf(name, sizeof(name), "%s/%s/", pmu, event);
	snprintf(encoding, sizeof(encoding), "%s/%s/", pmu, terms);
	put(ctx, &(struct entry){
			 .unit = pmu, .name = name, .type = "Kernel PMU event", .terms = encoding});
	return 0;
}

static int put_tracepoint(void *ctx, const char *sys, const char *name)
{
	char full[512];

	snprintf(full, sizeof(full), "%s:%s", sys, name);
	put(ctx,
	    &(struct entry){.unit = json ? sys : NULL, .name = full, .type = "Tracepoint event"});
	return 0;
}

static int list_tracepoints(struct lister *l, bool must)
{
	struct errbuf eb = {.msg = ""};
	int err = tracepoint__each(put_tracepoint, l, &eb);

	if (err && must)
		pr_err("%s", eb.msg);
	else if (err)
		pr_warn("tracepoints are left out: %s", eb.msg);
	return must ? err : 0;
}

static void list_syntax(struct lister *l)
{
	static const struct entry forms[] = {
		{.name = "rNNN", .type = "Raw hardware event descriptor"},
		{.name = "cpu/t1=v1[,t2=v2,t3 ...]/modifier",
		 .type = "Raw hardware event descriptor"},
		{.name = "mem:<addr>[/len][:access]", .type = "Hardware breakpoint"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(forms) && !raw_dump && !json; i++)
		put(l, &forms[i]);
}

static bool is(const char *word, const char *a, const char *b)
{
	return !strcmp(word, a) || !strcmp(word, b);
}

/* One argument: a kind or a glob; NULL: everything. */
static int list_one(struct lister *l, const char *word)
{
	int before = l->nr;

	l->glob = NULL;
	if (word && is(word, "hw", "hardware")) {
		list_names(l, PERF_TYPE_HARDWARE);
	} else if (word && is(word, "sw", "software")) {
		list_names(l, PERF_TYPE_SOFTWARE);
	} else if (word && is(word, "cache", "hwcache")) {
		list_caches(l);
	} else if (word && is(word, "pmu", "kernel")) {
		pmu__each_event(put_pmu_event, l);
	} else if (word && is(word, "tracepoint", "tracepoints")) {
		return list_tracepoints(l, true);
	} else {
		l->glob = word;
		list_names(l, PERF_TYPE_HARDWARE);
		list_names(l, PERF_TYPE_SOFTWARE);
		list_caches(l);
		pmu__each_event(put_pmu_event, l);
		list_syntax(l);
		if (list_tracepoints(l, false))
			return -1;
		if (word && l->nr == before)
			pr_warn("nothing matches '%s'", word);
		return 0;
	}
	if (l->nr == before)
		pr_warn("this machine has no %s events", word);
	return 0;
}

int cmd_list(int argc, const char **argv)
{
	struct lister l = {.nr = 0};
	int fd = STDOUT_FILENO, err = 0;

	for (int i = 1; i < argc; i++)
		no_desc |= !strcmp(argv[i], "--no-desc");
	argc = parse_options(argc, argv, options, "list", usage, 0);
	if (json && raw_dump)
		usage_error("list", "--json and --raw-dump exclude each other");
	if (out_path) {
		fd = open(out_path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
		if (fd < 0) {
			pr_err("cannot write %s: %s", out_path, strerror(errno));
			return EXIT_TOOL_FAILED;
		}
	} else if (!json && !raw_dump) {
		pager__start();
	}
	if (outbuf__init(&l.ob, fd, 0)) {
		pr_err("out of memory");
		return EXIT_TOOL_FAILED;
	}
	if (json)
		outbuf__puts(&l.ob, "[\n");
	else if (pager__active() && !out_path)
		outbuf__puts(&l.ob, "\nList of pre-defined events (to be used in -e):\n\n");
	if (!argc)
		err = list_one(&l, NULL);
	for (int i = 0; i < argc && !err; i++)
		err = list_one(&l, argv[i]);
	if (json)
		outbuf__puts(&l.ob, "\n]\n");
	else if (raw_dump)
		outbuf__putc(&l.ob, '\n');
	return subcmd__finish_output(&l.ob, err ? EXIT_TOOL_FAILED : 0);
}
