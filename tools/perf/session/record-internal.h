/* SPDX-License-Identifier: GPL-2.0-only */
/* A recording in progress, shared by record.c (setting up, ending) and record-loop.c (between). */
#ifndef PERF_SESSION_RECORD_INTERNAL_H
#define PERF_SESSION_RECORD_INTERNAL_H

#include <signal.h>

#include "lib/subcmd/subcmd.h"
#include "session/record-control.h"
#include "session/record.h"
#include "session/recorder.h"
#include "session/synthesize.h"

#define MAX_TOLD 4096

struct record {
	const struct record_opts *o;
	struct evlist *l;
	struct evsel *sideband; /* the dummy that carries side-band records, or NULL */
	struct perf_writer *w;
	struct recorder *r;
	struct workload *work;
	struct control control;
	struct synth synth;
	sigset_t old_mask;
	int signal_fd;
	int signal; /* that ended it */
	bool work_running;
	int exit_code;
	bool stop;
	u64 start_ms, next_switch_ms;
	int next_delay; /* index of the range that is on or comes next */
	bool delay_on;
	u64 next_cpus_ms;
	bool cpu_gone[MAX_TOLD]; /* by index of evlist__cpus(): it was told */
};

void record__note(const struct record *rec, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/* record__status - a line of upstream's kind, "[ perf record: ... ]", unless -q. */
void record__status(const struct record *rec, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
int record__synthesize(struct record *rec, bool tail);
int record__enable(struct record *rec, bool on);
/* record__end_file - what finishing a file needs beside its records. */
int record__end_file(struct record *rec, struct errbuf *eb);

int record__loop(struct record *rec, struct errbuf *eb);
u64 record__now_ms(void);

#endif
