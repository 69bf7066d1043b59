// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <linux/bpf.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "builtin-sample-user.h"
#include "lib/subcmd/subcmd.h"
#include "output/user-report.h"
#include "session/bpf-record.h"

#define MAX_OUTPUTS 64

int user_opts__parse_var(const struct option *o, const char *arg, bool unset __unused,
			 struct errbuf *eb)
{
	struct user_opts *u = o->data;

	if (u->nr_vars == ARRAY_SIZE(u->var))
		return errbuf__set(eb, -E2BIG, "more than %zu --bpf-var options",
				   ARRAY_SIZE(u->var));
	u->var[u->nr_vars++] = arg;
	return 0;
}

const char **user_opts__copy(int argc, const char **argv)
{
	const char **copy = calloc(argc + 1, sizeof(*copy));

	if (copy)
		memcpy(copy, argv, argc * sizeof(*copy));
	return copy;
}

void user_opts__check(const struct user_opts *o)
{
	const char *alone = o->nr_vars	     ? "--bpf-var"
			    : o->address_key ? "--address-key"
			    : o->record	     ? "--record"
					     : NULL;

	if (!o->bpf && alone)
		usage_error("sample-bpf", "%s needs --bpf", alone);
	if (o->record && !strcmp(o->record, "-"))
		usage_error("sample-bpf", "--record needs a file: standard output has the maps");
}

static void debug_line(void *ctx __unused, const char *line)
{
	pr_debug("%s", line);
}

static int tee(void *ctx, const struct perf_event_header *ev)
{
	struct user_run *u = ctx;

	return u->record ? bpf_record__add(u->record, ev) : 0;
}

int user_run__load(struct user_run *u, const struct user_opts *o, struct collector_opts *co,
		   struct errbuf *eb)
{
	struct user_prog_opts uo = {
		.spec = o->bpf,
		.vars = o->var,
		.nr_vars = o->nr_vars,
		.debug = subcmd__verbose > 0 ? debug_line : NULL,
	};

	u->o = o;
	u->prog = user_prog__open(&uo, eb);
	if (!u->prog)
		return -errno;
	co->user = u->prog;
	if (o->record) {
		co->tee = tee;
		co->tee_ctx = u;
		if (!co->pages)
			co->pages = RECORD_PAGES;
	}
	return user_prog__load(u->prog, eb);
}

int user_run__prepare(struct user_run *u, struct collector *c, struct evlist *l, struct errbuf *eb)
{
	struct bpf_output_map maps[MAX_OUTPUTS];
	struct bpf_record_opts ro = {
		.path = u->o->record,
		.argc = u->o->argv ? u->o->argc : 0,
		.argv = u->o->argv,
		.clockid = CLOCK_MONOTONIC,
		.pages = RECORD_PAGES,
		.maps = maps,
	};

	u->collector = c;
	if (!u->o->record)
		return 0;
	for (int i = 0; i < user_prog__nr_maps(u->prog); i++) {
		const struct user_map *m = user_prog__map(u->prog, i);

		if (m->type != BPF_MAP_TYPE_PERF_EVENT_ARRAY)
			continue;
		if (ro.nr_maps == MAX_OUTPUTS)
			return errbuf__set(eb, -E2BIG, "more than %d maps to record from",
					   MAX_OUTPUTS);
		maps[ro.nr_maps++] = (struct bpf_output_map){m->name, m->fd, m->max_entries};
	}
	u->record = bpf_record__new(l, &ro, eb);
	return u->record ? 0 : -errno;
}

int user_run__start(struct user_run *u, struct errbuf *eb)
{
	return u->record ? bpf_record__start(u->record, eb) : 0;
}

static int failed(struct user_run *u, int err, struct errbuf *eb)
{
	const char *why = bpf_record__error(u->record);

	return errbuf__set(eb, err, "%s", why ? why : strerror(-err));
}

int user_run__round(struct user_run *u, int err, struct errbuf *eb)
{
	if (!u->record)
		return err;
	/* The file's own complaint says more than that a record could not be kept. */
	if (!err)
		err = bpf_record__round(u->record);
	else if (!bpf_record__error(u->record))
		return err;
	return err ? failed(u, err, eb) : 0;
}

int user_run__finish(struct user_run *u, int err, struct errbuf *eb)
{
	struct errbuf own = {};
	int end;

	if (!u->record)
		return err;
	end = bpf_record__finish(u->record, &own);
	if (err)
		return err;
	if (end)
		return errbuf__empty(&own) ? failed(u, end, eb)
					   : errbuf__set(eb, end, "%s", own.msg);
	pr_info("wrote %s (%.3f MB)", u->o->record, bpf_record__bytes(u->record) / 1e6);
	return 0;
}

int user_run__report(struct user_run *u, struct outbuf *ob, const struct profile_report *r,
		     pid_t only_pid, struct errbuf *eb)
{
	struct user_report rep = {
		.prog = u->prog,
		.machine = collector__machine(u->collector),
		.run = r,
		.address_key = u->o->address_key,
		.only_pid = only_pid,
		.chained = u->record ? 0 : collector__chained(u->collector),
		.json = u->o->json,
	};

	if (u->record) {
		rep.recorded = true;
		rep.rec_outputs = bpf_record__outputs(u->record);
		rep.rec_samples = bpf_record__samples(u->record);
		rep.rec_lost = bpf_record__lost(u->record);
	}
	return user_report__print(ob, &rep, eb);
}

void user_run__exit(struct user_run *u)
{
	bpf_record__delete(u->record);
	user_prog__delete(u->prog);
}
