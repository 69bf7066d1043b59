// SPDX-License-Identifier: GPL-2.0-only
/* perf --complete KIND PREFIX: the candidates of one argument, a line each, for the completion
 * script. */
#include <fcntl.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "builtin.h"
#include "lib/api/cgroupfs.h"
#include "lib/api/fs.h"
#include "lib/api/outbuf.h"
#include "lib/api/procfs.h"
#include "lib/api/sysfs.h"
#include "lib/api/tracefs.h"
#include "lib/perf/names.h"
#include "trace/table.h"

struct complete {
	struct outbuf ob;
	const char *prefix;
	const char *dir; /* the tracepoint system or PMU whose names are listed */
};

/* A candidate in three parts. Names are the kernel's, but a cgroup's is anybody's. */
static void put(struct complete *c, const char *a, const char *b, const char *end)
{
	char word[2600];

	snprintf(word, sizeof(word), "%s%s%s", a, b, end);
	if (strncmp(word, c->prefix, strlen(c->prefix)))
		return;
	outbuf__safe(&c->ob, word, strlen(word));
	outbuf__putc(&c->ob, '\n');
}

static void complete_commands(struct complete *c)
{
	char list[8192];

	for (const struct subcmd *s = perf__commands(); s->name; s++)
		put(c, s->name, "", "");
	if (!handover__list(list, sizeof(list)))
		return;
	for (char *w = strtok(list, " \t\n"); w; w = strtok(NULL, " \t\n"))
		if (!perf__command(w))
			put(c, w, "", "");
}

static int put_system(void *ctx, const char *name)
{
	if (!strchr(name, '.') && strcmp(name, "enable") && strcmp(name, "header_page") &&
	    strcmp(name, "header_event"))
		put(ctx, name, ":", "");
	return 0;
}

static int put_tracepoint(void *ctx, const char *name)
{
	struct complete *c = ctx;
	char system[128];

	if (strcmp(name, "enable") && strcmp(name, "filter")) {
		snprintf(system, sizeof(system), "%s:", c->dir);
		put(c, system, name, "");
	}
	return 0;
}

static void complete_tracepoints(struct complete *c)
{
	const char *colon = strchr(c->prefix, ':');
	char system[128], rel[160];

	if (!colon) {
		tracefs__each("events", put_system, c, NULL);
		return;
	}
	snprintf(system, sizeof(system), "%.*s", (int)(colon - c->prefix), c->prefix);
	snprintf(rel, sizeof(rel), "events/%s", system);
	c->dir = system;
	if (system[0] && !strchr(system, '/') && system[0] != '.')
		tracefs__each(rel, put_tracepoint, c, NULL);
	c->dir = NULL;
}

static int put_pmu_event(void *ctx, const char *name)
{
	struct complete *c = ctx;
	char pmu[256];

	if (!strchr(name, '.')) { /* not NAME.unit, NAME.scale */
		snprintf(pmu, sizeof(pmu), "%s/", c->dir);
		put(c, pmu, name, "/");
	}
	return 0;
}

static int each_pmu(void *ctx, const char *pmu)
{
	struct complete *c = ctx;
	char rel[512];

	c->dir = pmu;
	snprintf(rel, sizeof(rel), "bus/event_source/devices/%.200s/events", pmu);
	sysfs__each(rel, put_pmu_event, c);
	return 0;
}

static void complete_events(struct complete *c)
{
	char name[64];

	for (int i = 0; i < nr_event_names; i++) {
		put(c, event_names[i].name, "", "");
		if (event_names[i].alias)
			put(c, event_names[i].alias, "", "");
	}
	for (unsigned int cache = 0; cache < 8; cache++)
		for (unsigned int op = 0; op < 3; op++)
			for (unsigned int result = 0; result < 2; result++)
				if (cache_event__name(cache, op, result, name, sizeof(name)))
					put(c, name, "", "");
	sysfs__each("bus/event_source/devices", each_pmu, c);
	complete_tracepoints(c);
}

static void complete_pids(struct complete *c)
{
	pid_t *ids;
	int n = procfs__pids(&ids);
	char id[16];

	for (int i = 0; i < n; i++) {
		snprintf(id, sizeof(id), "%d", ids[i]);
		put(c, id, "", "");
	}
	if (n >= 0)
		free(ids);
}

static void complete_cpus(struct complete *c)
{
	long n = sysconf(_SC_NPROCESSORS_CONF);
	char id[24];

	for (long i = 0; i < n; i++) {
		snprintf(id, sizeof(id), "%ld", i);
		put(c, id, "", "");
	}
}

static void complete_users(struct complete *c)
{
	struct passwd *pw;

	while ((pw = getpwent()))
		put(c, pw->pw_name, "", "");
	endpwent();
}

static void complete_syscalls(struct complete *c)
{
	static const char *const groups[] = {"%file",	"%desc",   "%network", "%process",
					     "%memory", "%signal", "%ipc"};
	struct trace_table *t = trace_table__new(NULL);

	for (size_t i = 0; i < ARRAY_SIZE(groups); i++)
		put(c, groups[i], "", "");
	for (int nr = 0; t && nr < trace_table__nr(t, TRACE_ABI_64); nr++) {
		const struct trace_call *call = trace_table__lookup(t, TRACE_ABI_64, nr);

		if (call)
			put(c, call->name, "", "");
	}
	trace_table__delete(t);
}

struct groups {
	struct complete *c;
	char parent[2048];
	int fd;
};

static int put_group(void *ctx, const char *name)
{
	struct groups *g = ctx;
	struct stat st;

	if (!fstatat(g->fd, name, &st, AT_SYMLINK_NOFOLLOW) && S_ISDIR(st.st_mode))
		put(g->c, g->parent, name, "");
	return 0;
}

/* The groups in the folder that PREFIX has got to. */
static void complete_cgroups(struct complete *c)
{
	const char *slash = strrchr(c->prefix, '/');
	struct groups g = {.c = c};

	snprintf(g.parent, sizeof(g.parent), "%.*s", slash ? (int)(slash - c->prefix) + 1 : 0,
		 c->prefix);
	g.fd = cgroupfs__open(g.parent, NULL);
	if (g.fd < 0)
		return;
	fs__each_entry(g.fd, ".", put_group, &g);
	close(g.fd);
}

int perf__complete(const char *kind, const char *prefix)
{
	static const struct {
		const char *kind;
		void (*run)(struct complete *c);
	} kinds[] = {
		{"command", complete_commands},
		{"event", complete_events},
		{"tracepoint", complete_tracepoints},
		{"pid", complete_pids},
		{"tid", complete_pids},
		{"cpu", complete_cpus},
		{"syscall", complete_syscalls},
		{"user", complete_users},
		{"cgroup", complete_cgroups},
	};
	struct complete c = {.prefix = prefix};

	if (outbuf__init(&c.ob, STDOUT_FILENO, 0))
		return EXIT_TOOL_FAILED;
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (!strcmp(kinds[i].kind, kind))
			kinds[i].run(&c);
	return subcmd__finish_output(&c.ob, 0);
}
