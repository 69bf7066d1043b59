// SPDX-License-Identifier: GPL-2.0-only
/* perf evlist: the events of a recording. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "builtin.h"
#include "lib/api/outbuf.h"
#include "session/session.h"
#include "session/tp-format.h"

static bool force, freq, group, trace_fields;
static int verbose;
static const char *input;

static const struct option options[] = {
	OPT_STRING('i', "input", &input, "file",
		   "read FILE instead of perf.data; -: standard input"),
	OPT_FLAG('F', "freq", &freq, "show each event's sample frequency or period"),
	OPT_COUNT('v', "verbose", &verbose, "show everything of each event's attr"),
	OPT_FLAG('g', "group", &group, "show events in their groups"),
	OPT_FLAG('f', "force", &force, "do not ask who owns the file"),
	OPT_FLAG(0, "trace-fields", &trace_fields, "show the fields of tracepoints"),
	OPT_END(),
};
static const char *const usage[] = {"[<options>]", NULL};

const struct option *cmd_evlist_options(void)
{
	return options;
}

static void put_name(struct outbuf *ob, const struct session_event *e)
{
	const char *name = session_event__name(e);

	outbuf__safe(ob, name, strlen(name));
}

static void put_group(struct outbuf *ob, const struct perf_session *s,
		      const struct session_event *leader)
{
	int nr = session_event__nr_members(leader), first = session_event__idx(leader);
	const char *name = session_event__group_name(leader);

	if (nr > 1) {
		if (name)
			outbuf__safe(ob, name, strlen(name));
		outbuf__putc(ob, '{');
	}
	for (int i = 0; i < nr; i++) {
		if (i)
			outbuf__putc(ob, ',');
		put_name(ob, perf_session__event(s, first + i));
	}
	outbuf__puts(ob, nr > 1 ? "}\n" : "\n");
}

static void put_fields(struct outbuf *ob, const struct session_event *e, bool first)
{
	const struct tp_format *tp = session_event__format(e);
	const char *sep = "trace_fields: ";

	outbuf__puts(ob, first ? ": " : ", ");
	if (!session_event__is_tracepoint(e)) {
		outbuf__puts(ob, "(not a tracepoint)");
		return;
	}
	for (u32 i = 0; tp && i < tp->nr_fields; i++) {
		if (tp->fields[i].is_common)
			continue;
		outbuf__puts(ob, sep);
		outbuf__safe(ob, tp->fields[i].name, strlen(tp->fields[i].name));
		sep = ",";
	}
	if (*sep != ',')
		outbuf__puts(ob, "(no trace field)");
}

static void put_event(struct outbuf *ob, const struct session_event *e)
{
	const struct perf_event_attr *attr = session_event__attr(e);

	put_name(ob, e);
	if (verbose) {
		outbuf__puts(ob, ": ");
		perf_attr__print(ob, attr, ": ");
	} else if (freq) {
		outbuf__printf(ob, ": %s=%llu", attr->freq ? "sample_freq" : "sample_period",
			       (unsigned long long)attr->sample_freq);
	}
	if (trace_fields)
		put_fields(ob, e, !verbose && !freq);
	outbuf__putc(ob, '\n');
}

static void put_all(struct outbuf *ob, const struct perf_session *s)
{
	bool has_tracepoint = false;

	for (int i = 0; i < perf_session__nr_events(s); i++) {
		struct session_event *e = perf_session__event(s, i);

		has_tracepoint |= session_event__is_tracepoint(e);
		if (!group)
			put_event(ob, e);
		else if (session_event__leader(e) == e)
			put_group(ob, s, e);
	}
	if (has_tracepoint && !trace_fields)
		outbuf__puts(ob, "# Tip: use 'perf evlist --trace-fields' to show fields for "
				 "tracepoint events\n");
}

static void warn(void *ctx, const char *line)
{
	(void)ctx;
	pr_warn("%s", line);
}

int cmd_evlist(int argc, const char **argv)
{
	struct session_opts opts = {.warn = warn};
	struct perf_session *s;
	struct errbuf eb = {};
	struct outbuf ob;
	int err;

	argc = parse_options(argc, argv, options, "evlist", usage, 0);
	if (argc)
		usage_error("evlist", "unexpected argument '%s'", argv[0]);
	if (group && (verbose || freq))
		usage_error("evlist", "--group option is not compatible with other options");
	opts.force = force;
	s = perf_session__open(input, &opts, &eb);
	if (!s) {
		pr_err("%s", eb.msg);
		return EXIT_TOOL_FAILED;
	}
	pager__start();
	err = outbuf__init(&ob, STDOUT_FILENO, 0);
	if (!err) {
		put_all(&ob, s);
		err = outbuf__flush(&ob);
		outbuf__exit(&ob);
	}
	perf_session__delete(s);
	if (err && err != -EPIPE)
		pr_err("cannot write: %s", strerror(-err));
	return err && err != -EPIPE ? EXIT_TOOL_FAILED : 0;
}
