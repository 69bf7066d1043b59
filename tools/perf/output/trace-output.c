// SPDX-License-Identifier: GPL-2.0-only
/* Chooses the format, and keeps what all formats need: the time base, which calls are half printed.
 */
#include <errno.h>
#include <stdlib.h>
#include <time.h>

#include "lib/subcmd/options.h"
#include "output/trace-int.h"

#define MAX_OPEN (1 << 16)

static const struct trace_output_ops *const formats[] = {
	[TRACE_FORMAT_TEXT] = &trace_output_text,
	[TRACE_FORMAT_STRACE] = &trace_output_strace,
	[TRACE_FORMAT_JSON] = &trace_output_json,
};

enum trace_style trace_format__style(enum trace_format f)
{
	return formats[f]->style;
}

int trace_format__parse(const char *name, enum trace_format *f, struct errbuf *eb)
{
	const char *names[ARRAY_SIZE(formats) + 1] = {NULL};
	const char *near;

	for (u32 i = 0; i < ARRAY_SIZE(formats); i++) {
		if (!strcmp(formats[i]->name, name)) {
			*f = (enum trace_format)i;
			return 0;
		}
		names[i] = formats[i]->name;
	}
	near = nearest_name(name, names);
	return errbuf__set(eb, -EINVAL, "unknown format '%s'%s%s%s; there are text, strace, json",
			   name, near ? ", did you mean '" : "", near ? near : "",
			   near ? "'?" : "");
}

struct trace_output *trace_output__new(struct decoder *d, const struct trace_output_opts *o,
				       struct errbuf *eb)
{
	struct trace_output *out = calloc(1, sizeof(*out));

	if (!out || outbuf__init(&out->tmp, -1, 0)) {
		free(out);
		errbuf__set(eb, -ENOMEM, "out of memory");
		return NULL;
	}
	out->ops = formats[o->format];
	out->o = *o;
	out->d = d;
	out->base = o->base_time;
	out->ms = ~0ull;
	out->second = (time_t)-1;
	return out;
}

void trace_output__delete(struct trace_output *out)
{
	if (!out)
		return;
	outbuf__exit(&out->tmp);
	free(out->open_tids);
	free(out);
}

static bool open__take(struct trace_output *out, u32 tid)
{
	for (u32 i = 0; i < out->nr_open; i++) {
		if (out->open_tids[i] == tid) {
			out->open_tids[i] = out->open_tids[--out->nr_open];
			return true;
		}
	}
	return false;
}

static bool open__put(struct trace_output *out, u32 tid)
{
	if (out->nr_open == out->max_open) {
		u32 n = out->max_open ? out->max_open * 2 : 64;
		u32 *p = n <= MAX_OPEN ? realloc(out->open_tids, n * sizeof(*p)) : NULL;

		if (!p)
			return false;
		out->open_tids = p;
		out->max_open = n;
	}
	out->open_tids[out->nr_open++] = tid;
	return true;
}

void trace_output__stack(struct trace_output *out, const struct trace_record *r, struct outbuf *ob)
{
	const u64 *ips;
	u32 nr = record__stack(r, &ips);

	if (!nr)
		return;
	if (out->o.print_stack) {
		out->o.print_stack(out->o.arg, r, ips, nr, ob, out->o.format);
		return;
	}
	for (u32 i = 0; i < nr; i++)
		outbuf__printf(ob, "                                       %#llx\n",
			       (unsigned long long)ips[i]);
}

void trace_output__record(struct trace_output *out, const struct trace_record *r, struct outbuf *ob)
{
	if (!out->base)
		out->base = trace_record__time(r);
	if (r->flags & TR_EVENT)
		out->ops->event(out, r, ob);
	else if (r->flags & TR_SIGNAL)
		out->ops->signal(out, r, ob);
	else if (r->flags & TR_EXITED)
		out->ops->exited(out, r, ob);
	else
		out->ops->call(out, r, open__take(out, r->tid), ob);
	decoder__update(out->d, r);
}

void trace_output__entry(struct trace_output *out, const struct trace_record *r, struct outbuf *ob)
{
	if (!out->ops->entry)
		return;
	if (!out->base)
		out->base = trace_record__time(r);
	if (open__take(out, r->tid)) {
		open__put(out, r->tid);
		return;
	}
	if (open__put(out, r->tid))
		out->ops->entry(out, r, ob);
}
