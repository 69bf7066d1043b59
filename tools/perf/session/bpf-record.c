// SPDX-License-Identifier: GPL-2.0-only
#include <bpf/bpf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include "session/bpf-record.h"
#include "session/synthesize.h"
#include "session/writer.h"

struct bpf_record {
	struct bpf_record_opts o;
	struct evlist *events; /* the caller's */
	struct evlist *outputs;
	struct perf_writer *writer;
	struct target everywhere;
	u64 nr_outputs, nr_samples, lost;
};

/* A C identifier, so that it can stand in an event's text. */
static bool is_plain_name(const char *s)
{
	return *s &&
	       strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.") ==
		       strlen(s);
}

/* ---- the outputs ---- */

static int add_outputs(struct bpf_record *r, struct errbuf *eb)
{
	for (int i = 0; i < r->o.nr_maps; i++) {
		char text[300];
		int err;

		if (!is_plain_name(r->o.maps[i].name) || strlen(r->o.maps[i].name) > 200)
			return errbuf__set(eb, -EINVAL, "map '%s' has no name for an event",
					   r->o.maps[i].name);
		snprintf(text, sizeof(text), "bpf-output/no-inherit,name=%s/", r->o.maps[i].name);
		err = evlist__parse(r->outputs, text, eb);
		if (err)
			return err;
		evsel__attr(evlist__at(r->outputs, i))->sample_type =
			PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
			PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD | PERF_SAMPLE_RAW;
	}
	return 0;
}

struct fill {
	const struct bpf_output_map *map;
	struct errbuf *eb;
};

static int fill_map(void *ctx, struct evsel *e __unused, int fd, int cpu, pid_t tid __unused)
{
	struct fill *f = ctx;
	u32 key = cpu;

	if (cpu < 0 || key >= f->map->max_entries)
		return 0;
	if (bpf_map_update_elem(f->map->fd, &key, &fd, BPF_ANY))
		return errbuf__set(f->eb, -errno,
				   "cannot put an output for CPU %d into map '%s': %s", cpu,
				   f->map->name, strerror(errno));
	return 0;
}

static int open_outputs(struct bpf_record *r, struct errbuf *eb)
{
	struct evlist_open_opts oo = {
		.target = &r->everywhere, .sampling = true, .clockid = r->o.clockid};
	int err = add_outputs(r, eb);

	if (!err)
		err = evlist__open(r->outputs, &oo, eb);
	if (!err)
		err = evlist__mmap(r->outputs, r->o.pages, false, eb);
	for (int i = 0; !err && i < r->o.nr_maps; i++) {
		struct fill f = {&r->o.maps[i], eb};

		err = evlist__each_fd(r->outputs, evlist__at(r->outputs, i), fill_map, &f);
	}
	/* At once: to an output that is disabled a program cannot send. */
	if (!err && r->o.nr_maps) {
		err = evlist__enable(r->outputs);
		if (err)
			errbuf__set(eb, err, "cannot enable the outputs: %s", strerror(-err));
	}
	return err;
}

/* ---- the file's events ---- */

struct ids {
	u64 *id;
	u32 nr, cap;
};

static int add_id(void *ctx, struct evsel *e __unused, int fd, int cpu __unused, pid_t tid __unused)
{
	struct ids *ids = ctx;
	u64 id, *p;

	if (ioctl(fd, PERF_EVENT_IOC_ID, &id))
		return -errno;
	if (ids->nr == ids->cap) {
		ids->cap = ids->cap ? ids->cap * 2 : 16;
		p = realloc(ids->id, ids->cap * sizeof(*p));
		if (!p)
			return -ENOMEM;
		ids->id = p;
	}
	ids->id[ids->nr++] = id;
	return 0;
}

static int describe(struct evlist *l, struct writer_event *ev, int first)
{
	for (int i = 0; i < evlist__nr(l); i++) {
		struct evsel *e = evlist__at(l, i);
		struct ids ids = {0};
		int err = evlist__each_fd(l, e, add_id, &ids);

		ev[i] = (struct writer_event){
			.attr = evsel__attr(e),
			.name = evsel__name(e),
			.ids = ids.id,
			.nr_ids = ids.nr,
			.leader = first + evsel__idx(evsel__leader(e)),
			.tp_system = evsel__tp_system(e),
			.tp_name = evsel__tp_name(e),
		};
		if (err)
			return err;
	}
	return 0;
}

static int describe_all(struct bpf_record *r, struct errbuf *eb)
{
	int nr = evlist__nr(r->events), all = nr + evlist__nr(r->outputs), err;
	struct writer_event *ev = calloc(all, sizeof(*ev));

	if (!ev)
		return errbuf__set(eb, -ENOMEM, "out of memory");
	err = describe(r->events, ev, 0);
	if (!err)
		err = describe(r->outputs, ev + nr, nr);
	if (err)
		errbuf__set(eb, err, "cannot read the events' ids: %s", strerror(-err));
	else
		err = perf_writer__set_events(r->writer, ev, all, eb);
	for (int i = 0; i < all; i++)
		free((void *)ev[i].ids);
	free(ev);
	return err;
}

struct bpf_record *bpf_record__new(struct evlist *l, const struct bpf_record_opts *o,
				   struct errbuf *eb)
{
	struct bpf_record *r = calloc(1, sizeof(*r));
	struct writer_opts wo = {
		.path = o->path, .argc = o->argc, .argv = o->argv, .clockid = o->clockid};
	int err;

	if (r)
		r->outputs = evlist__new();
	if (!r || !r->outputs) {
		free(r);
		errbuf__set(eb, -ENOMEM, "out of memory");
		return NULL;
	}
	r->o = *o;
	r->events = l;
	r->everywhere.system_wide = true;
	err = open_outputs(r, eb);
	if (!err) {
		r->writer = perf_writer__open(&wo, eb);
		err = r->writer ? describe_all(r, eb) : -errno;
	}
	if (!err)
		err = perf_writer__start(r->writer, eb);
	if (!err)
		return r;
	bpf_record__delete(r);
	errno = -err;
	return NULL;
}

void bpf_record__delete(struct bpf_record *r)
{
	if (!r)
		return;
	perf_writer__delete(r->writer);
	evlist__delete(r->outputs);
	free(r);
}

static int append(void *ctx, const struct perf_event_header *ev)
{
	struct bpf_record *r = ctx;

	return perf_writer__append(r->writer, ev);
}

int bpf_record__start(struct bpf_record *r, struct errbuf *eb)
{
	struct synth so = {.emit = append,
			   .ctx = r,
			   .id_size = synth__id_size(evsel__attr(evlist__at(r->events, 0)))};
	int err = r->o.nr_maps ? evlist__enable(r->outputs) : 0;
	struct thread_map *everyone = thread_map__new(&(struct target){.system_wide = true}, eb);

	if (!everyone)
		return -errno;

	if (!err)
		err = synth__kernel(&so);
	if (!err)
		err = synth__modules(&so);
	if (!err)
		err = synth__bpf(&so);
	if (!err)
		err = synth__tasks(&so, everyone);
	free(everyone);
	if (!err)
		err = perf_writer__finished_init(r->writer);
	if (err && perf_writer__error(r->writer))
		return errbuf__set(eb, err, "%s", perf_writer__error(r->writer));
	return err ? errbuf__set(eb, err, "cannot start recording: %s", strerror(-err)) : 0;
}

/* ---- records ---- */

static void count_lost(struct bpf_record *r, const struct perf_event_header *ev)
{
	if (ev->type == PERF_RECORD_LOST && ev->size >= sizeof(*ev) + 16)
		r->lost += ((const u64 *)(ev + 1))[1];
}

int bpf_record__add(struct bpf_record *r, const struct perf_event_header *ev)
{
	r->nr_samples += ev->type == PERF_RECORD_SAMPLE;
	count_lost(r, ev);
	return perf_writer__append(r->writer, ev);
}

static int on_output(void *ctx, int ring __unused, const struct perf_event_header *ev)
{
	struct bpf_record *r = ctx;

	r->nr_outputs += ev->type == PERF_RECORD_SAMPLE;
	count_lost(r, ev);
	return perf_writer__append(r->writer, ev);
}

int bpf_record__round(struct bpf_record *r)
{
	s64 n = 0;

	for (int i = 0; i < evlist__nr_rings(r->outputs) && n >= 0; i++)
		n = evlist__drain(r->outputs, i, on_output, r);
	return n < 0 ? (int)n : perf_writer__finished_round(r->writer);
}

const char *bpf_record__error(const struct bpf_record *r)
{
	return perf_writer__error(r->writer);
}

int bpf_record__finish(struct bpf_record *r, struct errbuf *eb)
{
	int err;

	if (r->o.nr_maps)
		evlist__disable(r->outputs);
	err = bpf_record__round(r);
	if (!err)
		err = perf_writer__build_ids_from_file(r->writer, false, eb);
	/* What was written stays readable, whatever failed before. */
	return perf_writer__finish(r->writer, errbuf__empty(eb) ? eb : NULL) ?: err;
}

u64 bpf_record__outputs(const struct bpf_record *r)
{
	return r->nr_outputs;
}

u64 bpf_record__samples(const struct bpf_record *r)
{
	return r->nr_samples;
}

u64 bpf_record__lost(const struct bpf_record *r)
{
	return r->lost;
}

u64 bpf_record__bytes(const struct bpf_record *r)
{
	return perf_writer__bytes(r->writer);
}
