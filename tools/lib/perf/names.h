/* SPDX-License-Identifier: GPL-2.0-only */
/* The fixed event names: hardware, software and cache events of linux/perf_event.h. */
#ifndef PERF_LIB_PERF_NAMES_H
#define PERF_LIB_PERF_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "compiler.h"

struct event_name {
	const char *name;
	const char *alias; /* or NULL */
	u32 type;	   /* PERF_TYPE_HARDWARE or PERF_TYPE_SOFTWARE */
	u64 config;
	const char *help; /* for perf list */
};

extern const struct event_name event_names[];
extern const int nr_event_names;

/* event_name__find - by name or alias, @len bytes of it. */
const struct event_name *event_name__find(const char *name, size_t len);
/* cache_event__parse - "L1-dcache-load-misses" and its spellings: 0 and *config, or -ENOENT (no
 * such name), -EINVAL (names that do not combine, as iTLB with stores). */
int cache_event__parse(const char *name, size_t len, u64 *config);
/* cache_event__name - writes the canonical name of (cache, op, result) to @buf; false when the
 * combination does not exist. */
bool cache_event__name(unsigned int cache, unsigned int op, unsigned int result, char *buf,
		       size_t size);

#endif
