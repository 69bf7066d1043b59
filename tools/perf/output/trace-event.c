// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fnmatch.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "lib/api/tracefs.h"
#include "output/trace-event.h"
#include "output/tracepoint.h"
#include "session/tep.h"
#include "session/tp-format.h"
#include "trace/decode.h"

/* Room for the strings and arrays that lie behind a record's fixed part. */
#define DYNAMIC_ROOM 1024

struct event {
	char name[128];
	const struct tp_format *format;
	struct tracepoint *tp;
};

struct runtime {
	u32 tid;
	char comm[16];
	u64 ns;
	UT_hash_handle hh;
};

struct trace_events {
	struct trace_event_spec specs[TRACE_MAX_EVENTS];
	struct event events[TRACE_MAX_EVENTS];
	int nr;
	int sched; /* index of sched_stat_runtime, -1: none */
	struct tep_formats *formats;
	struct runtime *runtimes;
};

struct trace_events *trace_events__new(void)
{
	struct trace_events *e = calloc(1, sizeof(*e));

	if (!e)
		return NULL;
	e->sched = -1;
	e->formats = tep_formats__new(__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__, sizeof(long));
	if (!e->formats) {
		free(e);
		return NULL;
	}
	return e;
}

void trace_events__delete(struct trace_events *e)
{
	struct runtime *r, *tmp;

	if (!e)
		return;
	HASH_ITER (hh, e->runtimes, r, tmp) {
		HASH_DEL(e->runtimes, r);
		free(r);
	}
	for (int i = 0; i < e->nr; i++)
		tracepoint__delete(e->events[i].tp);
	tep_formats__delete(e->formats);
	free(e);
}

static u32 raw_size(const struct tp_format *format)
{
	bool dynamic = false;
	u32 end = 8;

	for (u32 i = 0; i < format->nr_fields; i++) {
		const struct tp_field *f = &format->fields[i];

		if (f->offset + f->size > end)
			end = f->offset + f->size;
		dynamic |= f->is_dynamic;
	}
	if (dynamic)
		end += DYNAMIC_ROOM;
	return end < TRACE_EVENT_MAX ? end : TRACE_EVENT_MAX;
}

static int add_one(struct trace_events *e, const char *sys, const char *name, struct errbuf *eb)
{
	struct event *ev = &e->events[e->nr];
	int id = tracefs__event_id(sys, name, eb);
	size_t len;
	char *text;

	if (id < 0)
		return id;
	if (e->nr == TRACE_MAX_EVENTS)
		return errbuf__set(eb, -E2BIG, "more than %d events beside calls",
				   TRACE_MAX_EVENTS);
	text = tracefs__event_format(sys, name, &len, eb);
	if (!text)
		return -errno;
	tep_formats__add(e->formats, sys, text, len);
	free(text);
	ev->format = tep_formats__find(e->formats, id);
	ev->tp = ev->format ? tracepoint__new(ev->format, e->formats) : NULL;
	if (!ev->tp)
		return errbuf__set(eb, -EINVAL, "cannot read the format of %s:%s", sys, name);
	snprintf(ev->name, sizeof(ev->name), "%s:%s", sys, name);
	e->specs[e->nr++] = (struct trace_event_spec){
		.kind = TRACE_EVENT_TRACEPOINT, .config = id, .size = raw_size(ev->format)};
	return 0;
}

struct glob {
	struct trace_events *e;
	const char *sys, *name; /* patterns; @name NULL: @sys is being looked for */
	const char *in;		/* the system that is being read */
	struct errbuf *eb;
	int found;
};

static int match_name(void *ctx, const char *name)
{
	struct glob *g = ctx;
	int err;

	if (fnmatch(g->name, name, 0))
		return 0;
	err = add_one(g->e, g->in, name, g->eb);
	if (err == -ENOENT) /* "enable", "filter" */
		return 0;
	g->found += !err;
	return err;
}

static int match_system(void *ctx, const char *sys)
{
	struct glob *g = ctx;
	char path[128];
	int err;

	if (fnmatch(g->sys, sys, 0) || !strcmp(sys, "raw_syscalls") || !strcmp(sys, "syscalls"))
		return 0;
	g->in = sys;
	snprintf(path, sizeof(path), "events/%.100s", sys);
	err = tracefs__each(path, match_name, g, g->eb);
	return err == -ENOTDIR || err == -ENOENT ? 0 : err;
}

int trace_events__add(struct trace_events *e, const char *word, struct errbuf *eb)
{
	char sys[64];
	const char *colon = strchr(word, ':');
	struct glob g = {.e = e, .sys = sys, .eb = eb};
	int err;

	if (!colon || colon == word || !colon[1] || (size_t)(colon - word) >= sizeof(sys))
		return errbuf__set(eb, -EINVAL, "'%s' is not of the form system:event", word);
	snprintf(sys, sizeof(sys), "%.*s", (int)(colon - word), word);
	g.name = colon + 1;
	if (!strpbrk(word, "*?["))
		return add_one(e, sys, g.name, eb);
	err = tracefs__each("events", match_system, &g, eb);
	if (!err && !g.found)
		return errbuf__set(eb, -ENOENT, "no tracepoint matches '%s' (see perf list)", word);
	return err;
}

static int add_fault(struct trace_events *e, const char *name, u64 config, struct errbuf *eb)
{
	if (e->nr == TRACE_MAX_EVENTS)
		return errbuf__set(eb, -E2BIG, "more than %d events beside calls",
				   TRACE_MAX_EVENTS);
	snprintf(e->events[e->nr].name, sizeof(e->events->name), "%s", name);
	e->specs[e->nr++] = (struct trace_event_spec){.kind = TRACE_EVENT_FAULT, .config = config};
	return 0;
}

int trace_events__add_faults(struct trace_events *e, const char *which, struct errbuf *eb)
{
	bool all = !strcmp(which, "all"), maj = all || !strcmp(which, "maj");
	bool min = all || !strcmp(which, "min");
	int err = 0;

	if (!maj && !min)
		return errbuf__set(eb, -EINVAL, "-F: '%s' is none of all, min, maj", which);
	if (maj)
		err = add_fault(e, "majfault", PERF_COUNT_SW_PAGE_FAULTS_MAJ, eb);
	if (min && !err)
		err = add_fault(e, "minfault", PERF_COUNT_SW_PAGE_FAULTS_MIN, eb);
	return err;
}

int trace_events__add_sched(struct trace_events *e, struct errbuf *eb)
{
	int err = add_one(e, "sched", "sched_stat_runtime", eb);

	if (!err)
		e->sched = e->nr - 1;
	return err;
}

const struct trace_event_spec *trace_events__specs(const struct trace_events *e, int *nr)
{
	*nr = e->nr;
	return e->specs;
}

const char *trace_events__name(const struct trace_events *e, const struct trace_record *r)
{
	return r->nr >= 0 && r->nr < e->nr ? e->events[r->nr].name : "?";
}

bool trace_events__is_fault(const struct trace_events *e, const struct trace_record *r)
{
	return r->nr >= 0 && r->nr < e->nr && e->specs[r->nr].kind == TRACE_EVENT_FAULT;
}

/* The raw data with their common part, which the kernel puts to another use for BPF programs. */
static u32 raw_of(struct trace_events *e, const struct trace_record *r, u8 *raw)
{
	const struct trace_blob *b = record__blob(r, 0, CAP_ENTRY);
	u16 id = e->specs[r->nr].config;
	u32 len;

	if (!b || b->len < 8)
		return 0;
	len = b->len < TRACE_EVENT_MAX ? b->len : TRACE_EVENT_MAX;
	memcpy(raw, blob__data(b), len);
	memset(raw, 0, 8);
	memcpy(raw, &id, sizeof(id));
	memcpy(raw + 4, &r->tid, sizeof(r->tid));
	return len;
}

void trace_events__print(struct trace_events *e, const struct trace_record *r, struct outbuf *ob)
{
	u64 raw[TRACE_EVENT_MAX / 8];
	u32 len;

	if (r->nr < 0 || r->nr >= e->nr || !e->events[r->nr].tp)
		return;
	len = raw_of(e, r, (u8 *)raw);
	if (len)
		tracepoint__print(e->events[r->nr].tp, raw, len, ob);
}

bool trace_events__accrue(struct trace_events *e, const struct trace_record *r)
{
	u64 raw[TRACE_EVENT_MAX / 8], pid, ns;
	const struct tp_format *format;
	struct runtime *rt;
	u32 tid, size;

	if (e->sched < 0 || !(r->flags & TR_EVENT) || r->nr != e->sched)
		return false;
	format = e->events[r->nr].format;
	size = raw_of(e, r, (u8 *)raw);
	if (!size || tp_format__number(format, "runtime", raw, size, &ns) ||
	    tp_format__number(format, "pid", raw, size, &pid))
		return true;
	tid = pid;
	HASH_FIND(hh, e->runtimes, &tid, sizeof(tid), rt);
	if (!rt) {
		rt = calloc(1, sizeof(*rt));
		if (!rt)
			return true;
		rt->tid = tid;
		HASH_ADD(hh, e->runtimes, tid, sizeof(u32), rt);
	}
	if (tid == r->tid)
		memcpy(rt->comm, r->comm, sizeof(rt->comm));
	rt->ns += ns;
	return true;
}

static int by_time(const struct runtime *a, const struct runtime *b)
{
	return a->ns < b->ns ? 1 : a->ns > b->ns ? -1 : 0;
}

void trace_events__print_sched(struct trace_events *e, struct outbuf *ob)
{
	struct runtime *r, *tmp;

	if (e->sched < 0)
		return;
	outbuf__puts(ob, "\n Run time of threads:\n\n");
	HASH_SORT(e->runtimes, by_time);
	HASH_ITER (hh, e->runtimes, r, tmp) {
		outbuf__puts(ob, "   ");
		outbuf__safe(ob, r->comm, strnlen(r->comm, sizeof(r->comm)));
		outbuf__printf(ob, " (%u), %.3f msec\n", r->tid, r->ns / 1e6);
	}
}
