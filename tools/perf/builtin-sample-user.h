/* SPDX-License-Identifier: GPL-2.0-only */
/* perf sample-bpf --bpf: what a run with a user's own programs does besides. Shared by
 * builtin-sample-*.c alone. */
#ifndef PERF_BUILTIN_SAMPLE_USER_H
#define PERF_BUILTIN_SAMPLE_USER_H

#include "bpf/user_prog.h"
#include "hist/collector.h"
#include "lib/subcmd/options.h"
#include "output/profile-output.h"

#define RECORD_INTERVAL_MS 50 /* rings are read so often while recording */
#define RECORD_PAGES 1024     /* of each ring while recording */

struct user_opts {
	const char *bpf; /* NULL: not with a user's programs */
	const char *var[64];
	int nr_vars;
	const char *address_key;
	const char *record;
	int argc; /* the whole command line, for the recording's header */
	const char **argv;
	bool json;
};

struct user_run {
	const struct user_opts *o;
	struct user_prog *prog;
	struct bpf_record *record;
	struct collector *collector; /* borrowed */
};

/* The --bpf-var callback; its option's data is the struct user_opts. */
int user_opts__parse_var(const struct option *o, const char *arg, bool unset, struct errbuf *eb);
/* The arguments before parse_options() moves them; to be freed. */
const char **user_opts__copy(int argc, const char **argv);
void user_opts__check(const struct user_opts *o); /* ends the program with a usage error */

/* user_run__load - before any event is opened; fills the collector's options. */
int user_run__load(struct user_run *u, const struct user_opts *o, struct collector_opts *co,
		   struct errbuf *eb);
/* user_run__prepare - the collector's events are open: creates the file of --record. */
int user_run__prepare(struct user_run *u, struct collector *c, struct evlist *l, struct errbuf *eb);
/* user_run__start - after collector__start(): what is born from now on is in the rings, so that
 * what is written here of processes leaves no gap. */
int user_run__start(struct user_run *u, struct errbuf *eb);
/* user_run__round - after collector__round(), which returned @err. */
int user_run__round(struct user_run *u, int err, struct errbuf *eb);
/* user_run__finish - after the last round, which returned @err: completes the file in any case. */
int user_run__finish(struct user_run *u, int err, struct errbuf *eb);
/* @only_pid: see struct user_report. */
int user_run__report(struct user_run *u, struct outbuf *ob, const struct profile_report *r,
		     pid_t only_pid, struct errbuf *eb);
void user_run__exit(struct user_run *u);

#endif
