/* SPDX-License-Identifier: GPL-2.0-only */
/* perf sample-bpf: -e, --filter, -F and -c, and the list of events that they make. Shared by
 * builtin-sample-*.c alone. */
#ifndef PERF_BUILTIN_SAMPLE_EVENTS_H
#define PERF_BUILTIN_SAMPLE_EVENTS_H

#include "lib/perf/evlist.h"
#include "lib/subcmd/options.h"

struct event_opts {
	const char *event[64], *filter[64]; /* filter[i] belongs behind event[i]; from argv */
	int nr;
	u64 freq;   /* Hertz; 0: not given, UINT64_MAX: the kernel's maximum */
	u64 period; /* 0: not given */
};

/* Callbacks; their option's data is the struct event_opts. */
int event_opts__parse_event(const struct option *o, const char *arg, bool unset, struct errbuf *eb);
int event_opts__parse_filter(const struct option *o, const char *arg, bool unset,
			     struct errbuf *eb);
int event_opts__parse_freq(const struct option *o, const char *arg, bool unset, struct errbuf *eb);
int event_opts__parse_period(const struct option *o, const char *arg, bool unset,
			     struct errbuf *eb);

/* event_opts__add - fills @l, with the default event where none is asked for. What is done another
 * way than was asked is printed, and with @strict an error: -errno with @eb. */
int event_opts__add(const struct event_opts *o, struct evlist *l, bool strict, struct errbuf *eb);

/* Samples a second and CPU to expect; 0 when a period of an event of unknown rate decides. */
u64 evlist__expected_rate(struct evlist *l);

#endif
