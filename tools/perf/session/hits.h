/* SPDX-License-Identifier: GPL-2.0-only */
/* Which files the samples of a recording lie in: for build ids, by recorder and reader. */
#ifndef PERF_SESSION_HITS_H
#define PERF_SESSION_HITS_H

#include "session/session.h"

struct file_hits;

struct hit_file {
	const char *name; /* "[kernel.kallsyms]", a module as recorded, a path; owned by the list */
	struct dso *dso;  /* of a user's file; NULL: kernel or module */
	bool hit;	  /* a sample lies in it; else it was only mapped */
	bool vdso;
	struct build_id id; /* of a kernel or module, where its map's record tells; else size 0 */
};

/*
 * file_hits__new - reads all of @s (perf_session__process()). The files of the processes in the
 * order in which they were first mapped as code, the kernel and its modules first. @conf: how the
 * files are looked for, should their dso's build id be asked for. @chains: callers count as hits.
 * NULL with errno and @eb.
 */
struct file_hits *file_hits__new(struct perf_session *s, const struct symbol_conf *conf,
				 bool chains, struct errbuf *eb);
void file_hits__delete(struct file_hits *h);
int file_hits__nr(const struct file_hits *h);
const struct hit_file *file_hits__at(const struct file_hits *h, int i);

#endif
