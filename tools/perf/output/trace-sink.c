// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/api/cgroupfs.h"
#include "lib/api/procfs.h"
#include "output/ledger.h"
#include "output/trace-sink.h"

struct trace_sink {
	struct trace_sink_opts o;
	struct outbuf *ob;
	struct decoder *decoder;
	struct trace_output *out;
	struct trace_filter *filter;
	struct trace_summary *summary;
	u64 printed, malformed;
};

struct trace_sink *trace_sink__new(const struct trace_sink_opts *o, struct outbuf *ob,
				   struct errbuf *eb)
{
	struct trace_sink *s = calloc(1, sizeof(*s));
	struct decoder_opts d = {
		.style = trace_format__style(o->output.format),
		.string_limit = o->string_limit,
		.fd_paths = o->fd_paths,
		.know_fds = o->filter || o->path,
		.all_members = o->all_members,
		.show_zeros = o->show_zeros,
	};

	if (!s) {
		errbuf__set(eb, -ENOMEM, "out of memory");
		return NULL;
	}
	s->o = *o;
	s->ob = ob;
	s->decoder = decoder__new(o->table, &d, eb);
	if (s->decoder)
		s->out = trace_output__new(s->decoder, &o->output, eb);
	if (s->out && o->filter) {
		s->filter = trace_filter__new(o->table, o->filter, eb);
		if (!s->filter)
			goto err;
	}
	if (s->out && o->summary) {
		s->summary = trace_summary__new(o->table, o->summary_mode);
		if (!s->summary) {
			errbuf__set(eb, -ENOMEM, "out of memory");
			goto err;
		}
	}
	if (s->out)
		return s;
err:
	trace_sink__delete(s);
	return NULL;
}

void trace_sink__delete(struct trace_sink *s)
{
	if (!s)
		return;
	trace_summary__delete(s->summary);
	trace_filter__delete(s->filter);
	trace_output__delete(s->out);
	decoder__delete(s->decoder);
	free(s);
}

static u64 summary_key(const struct trace_sink *s, const struct trace_record *r)
{
	return s->o.summary_mode == SUMMARY_THREAD ? r->tid : 0;
}

static void add_up(struct trace_sink *s, const struct trace_record *r)
{
	s64 ns = r->flags & TR_NO_ENTRY ? -1 : (s64)(r->time_exit - r->time_enter);
	u64 key = summary_key(s, r);

	if (r->flags & (TR_EVENT | TR_SIGNAL | TR_EXITED | TR_NO_EXIT))
		return;
	trace_summary__add(s->summary, key, r->abi, r->nr, r->ret, ns);
	if (key)
		trace_summary__name(s->summary, key, r->comm);
}

static bool passes(struct trace_sink *s, const struct trace_record *r)
{
	bool call = !(r->flags & (TR_EVENT | TR_SIGNAL | TR_EXITED));

	if (s->filter && !(call && trace_filter__match(s->filter, s->decoder, r)))
		return false;
	return !s->o.path || (call && trace_record__has_path(s->decoder, r, s->o.path));
}

void trace_sink__record(const struct trace_record *r, u32 size, void *arg)
{
	struct trace_sink *s = arg;

	if (decoder__check(r, size)) {
		s->malformed++;
		return;
	}
	if (trace_sink__full(s) || (s->o.events && trace_events__accrue(s->o.events, r)))
		return;
	decoder__begin(s->decoder, r);
	if (r->flags & TR_HIDDEN || !passes(s, r)) {
		decoder__update(s->decoder, r);
		return;
	}
	if (s->summary)
		add_up(s, r);
	if (s->o.lines)
		trace_output__record(s->out, r, s->ob);
	else
		decoder__update(s->decoder, r);
	s->printed++;
}

void trace_sink__entry(const struct trace_record *r, u32 size, void *arg)
{
	struct trace_sink *s = arg;

	if (s->o.lines && !(r->flags & TR_HIDDEN) && !decoder__check(r, size) && passes(s, r))
		trace_output__entry(s->out, r, s->ob);
}

void trace_sink__attach(struct trace_sink *s, u32 pid)
{
	decoder__attach(s->decoder, pid);
}

bool trace_sink__full(const struct trace_sink *s)
{
	return s->o.max_events && s->printed >= s->o.max_events;
}

u64 trace_sink__malformed(const struct trace_sink *s)
{
	return s->malformed;
}

struct trace_summary *trace_sink__summary(struct trace_sink *s)
{
	return s->summary;
}

void trace_sink__finish(struct trace_sink *s, const struct loss_ledger *l,
			const struct trace_stats *st)
{
	bool json = s->o.output.format == TRACE_FORMAT_JSON;

	if (s->summary && json)
		trace_summary__json(s->summary, s->ob, s->o.errno_summary);
	else if (s->summary)
		trace_summary__print(s->summary, s->ob, s->o.errno_summary);
	if (!json && s->o.events)
		trace_events__print_sched(s->o.events, s->ob);
	if (!json)
		return;
	outbuf__printf(s->ob, "{\"calls\":%llu,\"stops\":%llu,\"blocked_ns\":%llu,\"ledger\":",
		       (unsigned long long)st->calls, (unsigned long long)st->stops,
		       (unsigned long long)st->blocked_ns);
	ledger__json(s->ob, l);
	outbuf__puts(s->ob, "}\n");
}
