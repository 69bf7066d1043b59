/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Recording what BPF programs send with bpf_perf_event_output(): each perf event array map gets a
 * bpf-output event of its name on every CPU, and what comes through goes to a perf.data, together
 * with the records that the caller reads from its own rings (side-band records, samples that a
 * program let through).
 */
#ifndef PERF_SESSION_BPF_RECORD_H
#define PERF_SESSION_BPF_RECORD_H

#include <linux/perf_event.h>
#include <stdbool.h>

#include "compiler.h"
#include "errbuf.h"
#include "lib/perf/evlist.h"

struct bpf_record;

struct bpf_output_map {
	const char *name;
	int fd;
	u32 max_entries; /* CPUs from this number on have no place in it */
};

struct bpf_record_opts {
	const char *path; /* as writer_opts.path */
	int argc;
	const char *const *argv; /* the command line, for the header */
	int clockid;		 /* of all events */
	unsigned int pages;	 /* of each ring, a power of two */
	const struct bpf_output_map *maps;
	int nr_maps;
};

/*
 * bpf_record__new - opens the outputs of @o's maps, puts them there, and creates the file, which
 * also describes the events of @l (open, not yet enabled; borrowed). NULL with errno and @eb.
 */
struct bpf_record *bpf_record__new(struct evlist *l, const struct bpf_record_opts *o,
				   struct errbuf *eb);
void bpf_record__delete(struct bpf_record *r);
/* bpf_record__start - writes what runs already; call it once the caller's
 * side-band event is enabled, and before the first record is added. */
int bpf_record__start(struct bpf_record *r, struct errbuf *eb);

/* bpf_record__add - a record of the caller's rings. 0 or -errno (sticky, see
 * bpf_record__error()). */
int bpf_record__add(struct bpf_record *r, const struct perf_event_header *ev);
/* bpf_record__round - reads the outputs' rings. Once the caller has read its own. */
int bpf_record__round(struct bpf_record *r);
const char *bpf_record__error(const struct bpf_record *r); /* the line to print */

/* bpf_record__finish - after the last round: the file is complete. 0 or -errno with @eb. */
int bpf_record__finish(struct bpf_record *r, struct errbuf *eb);

u64 bpf_record__outputs(const struct bpf_record *r); /* records that programs sent */
u64 bpf_record__samples(const struct bpf_record *r); /* samples of the caller's */
u64 bpf_record__lost(const struct bpf_record *r);    /* of either, to full rings */
u64 bpf_record__bytes(const struct bpf_record *r);   /* of the file */

#endif
