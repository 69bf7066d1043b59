/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One recording, from closed events to a finished file: what perf record does once its options are
 * read.
 */
#ifndef PERF_SESSION_RECORD_H
#define PERF_SESSION_RECORD_H

#include <stdbool.h>

#include "compiler.h"
#include "errbuf.h"
#include "lib/perf/evlist.h"
#include "lib/perf/target.h"
#include "session/record-config.h"
#include "session/writer.h"

/* -D: when events are on, in ms from the start; to 0: until the end. */
struct delay_range {
	u64 from_ms, to_ms;
};
#define MAX_DELAYS 64

struct record_opts {
	struct evlist *evlist; /* parsed events; borrowed */
	struct target target;
	struct record_config config;
	struct writer_opts writer;
	const char *const *workload; /* argv, or NULL */

	unsigned int pages; /* of each ring, a power of two; 0: what perf_event_mlock_kb gives */
	bool per_thread, strict;
	int clockid; /* -1: perf's own clock */
	int rt_prio; /* as recorder_opts has it */
	bool exclude_perf;

	bool start_disabled; /* -D -1 */
	struct delay_range delay[MAX_DELAYS];
	int nr_delays;
	const char *control; /* fd:CTL[,ACK] or fifo:CTL[,ACK] */

	bool switch_signal; /* SIGUSR2 begins a new file (or dumps overwritable rings) */
	u64 switch_size;    /* bytes; 0: no */
	u64 switch_ms;
	int switch_max_files;
	bool timestamp_filename;

	bool no_buildid, buildid_all;
	bool no_symbol_cache; /* leave no copy of the kernel's symbols for perf script */
	bool embed_symbols;
	bool no_synth, synth_tasks, synth_mmaps, synth_cgroups; /* --synth */
	bool tail_synth;
	bool quiet, verbose;
	void (*note)(void *ctx, const char *line); /* things to tell on the way */
};

/*
 * record__run - 0, or -errno with @eb. *exit_code: the workload's own, 126 or 127 when it could not
 * be run, else 0. *signal: the one that ended the recording, 0: none.
 */
int record__run(const struct record_opts *o, int *exit_code, int *signal, struct errbuf *eb);

/* delay__parse - "10-20,30-40", "500" or "-1". record_switch__parse - "signal", "100M", "30s". */
int delay__parse(const char *text, struct record_opts *o, struct errbuf *eb);
int record_switch__parse(const char *text, struct record_opts *o, struct errbuf *eb);
/* size__parse - bytes with a suffix B K M G; 0: not a size. */
u64 size__parse(const char *text);
/* clockid__parse - "monotonic", "mono", "raw", a number ... -1: none of them. */
int clockid__parse(const char *text);

#endif
