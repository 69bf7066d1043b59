// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>
#include <time.h>

#include "lib/perf/evlist.h"
#include "output/trace-stack.h"
#include "session/sideband.h"

#define RING_PAGES 64
#define INDENT 39

struct trace_stacks {
	struct evlist *evlist; /* mmap, fork, exec and exit records of the whole system */
	const struct perf_event_attr *attr;
	struct sideband *sideband;
	struct dsos *dsos;
	struct machine *machine;
};

static int open_sideband(struct trace_stacks *s, struct errbuf *eb)
{
	static const struct target everyone = {.system_wide = true};
	struct evlist_open_opts o = {
		.target = &everyone,
		.sampling = true,
		.enable_now = true,
		.clockid = CLOCK_MONOTONIC, /* that of the records */
	};
	struct evsel *e = evlist__add_sideband(s->evlist);
	int err;

	if (!e)
		return errbuf__set(eb, -ENOMEM, "out of memory");
	s->attr = evsel__attr(e);
	err = evlist__open(s->evlist, &o, eb);
	return err ? err : evlist__mmap(s->evlist, RING_PAGES, false, eb);
}

struct trace_stacks *trace_stacks__new(struct errbuf *eb)
{
	struct trace_stacks *s = calloc(1, sizeof(*s));
	struct symbol_conf conf = {};
	struct machine_opts mo = {.live = true};

	if (!s)
		goto nomem;
	s->evlist = evlist__new();
	s->sideband = sideband__new();
	s->dsos = dsos__new(&conf);
	if (!s->evlist || !s->sideband || !s->dsos)
		goto nomem;
	mo.dsos = s->dsos;
	s->machine = machine__new(&mo, eb);
	if (s->machine && !open_sideband(s, eb))
		return s;
	trace_stacks__delete(s);
	return NULL;
nomem:
	errbuf__set(eb, -ENOMEM, "out of memory");
	trace_stacks__delete(s);
	return NULL;
}

void trace_stacks__delete(struct trace_stacks *s)
{
	if (!s)
		return;
	evlist__delete(s->evlist);
	machine__delete(s->machine);
	sideband__delete(s->sideband);
	dsos__delete(s->dsos);
	free(s);
}

static int on_record(void *ctx, int ring, const struct perf_event_header *ev)
{
	struct trace_stacks *s = ctx;
	struct perf_sample sample;

	(void)ring;
	if (perf_sample__parse(s->attr, ev, &sample))
		return 0;
	return sideband__add(s->sideband, ev, sample.time);
}

static void catch_up(struct trace_stacks *s, const struct trace_record *r)
{
	for (int i = 0; i < evlist__nr_rings(s->evlist); i++)
		evlist__drain(s->evlist, i, on_record, s);
	sideband__process(s->sideband, s->machine, r->time_exit);
	machine__scan_pid(s->machine, r->pid, 0); /* one that ran before we did */
}

static void print_json(const struct addr_location *al, u64 ip, bool first, struct outbuf *ob)
{
	outbuf__printf(ob, "%s{\"ip\":\"%#llx\"", first ? "" : ",", (unsigned long long)ip);
	if (al->sym) {
		outbuf__puts(ob, ",\"sym\":");
		outbuf__json(ob, al->sym->name, strlen(al->sym->name));
	}
	if (al->dso) {
		const char *name = dso__name(al->dso);

		outbuf__puts(ob, ",\"dso\":");
		outbuf__json(ob, name, strlen(name));
	}
	outbuf__putc(ob, '}');
}

static void print_text(const struct addr_location *al, u64 ip, struct outbuf *ob)
{
	const char *dso = al->dso ? dso__name(al->dso) : "[unknown]";

	outbuf__pad(ob, INDENT);
	if (al->sym)
		outbuf__safe(ob, al->sym->name, strlen(al->sym->name));
	else
		outbuf__printf(ob, "[%#llx]", (unsigned long long)ip);
	outbuf__puts(ob, " (");
	outbuf__safe(ob, dso, strlen(dso));
	outbuf__puts(ob, ")\n");
}

void trace_stacks__print(void *arg, const struct trace_record *r, const u64 *ips, u32 nr,
			 struct outbuf *ob, enum trace_format format)
{
	struct trace_stacks *s = arg;

	catch_up(s, r);
	if (format == TRACE_FORMAT_JSON)
		outbuf__putc(ob, '[');
	for (u32 i = 0; i < nr; i++) {
		struct addr_location al = {};
		/* A return address belongs to the call before it. */
		u64 ip = i && ips[i] ? ips[i] - 1 : ips[i];

		machine__resolve(s->machine, r->pid, r->tid, PERF_RECORD_MISC_USER, ip,
				 r->time_exit, &al);
		if (format == TRACE_FORMAT_JSON)
			print_json(&al, ips[i], !i, ob);
		else
			print_text(&al, ips[i], ob);
	}
	if (format == TRACE_FORMAT_JSON)
		outbuf__putc(ob, ']');
}

void trace_stacks__fault(struct trace_stacks *s, const struct trace_record *r, struct outbuf *ob)
{
	struct addr_location at = {}, to = {};
	const char *dso;

	catch_up(s, r);
	machine__resolve(s->machine, r->pid, r->tid, PERF_RECORD_MISC_CPUMODE_UNKNOWN, r->args[1],
			 r->time_exit, &at);
	machine__resolve(s->machine, r->pid, r->tid, PERF_RECORD_MISC_USER, r->args[0],
			 r->time_exit, &to);
	outbuf__putc(ob, '[');
	if (at.sym) {
		outbuf__safe(ob, at.sym->name, strlen(at.sym->name));
		outbuf__printf(ob, "+0x%llx", (unsigned long long)(at.addr - at.sym->start));
	} else {
		outbuf__printf(ob, "0x%llx", (unsigned long long)r->args[1]);
	}
	outbuf__puts(ob, "] => ");
	if (!to.dso) {
		outbuf__printf(ob, "//anon@0x%llx (d.)", (unsigned long long)r->args[0]);
		return;
	}
	dso = dso__name(to.dso);
	outbuf__safe(ob, dso, strlen(dso));
	outbuf__printf(ob, "@0x%llx (%c.)",
		       (unsigned long long)(r->args[0] - map__start(to.map) + map__pgoff(to.map)),
		       to.sym ? 'x' : 'd');
}
