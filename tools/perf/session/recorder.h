/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From rings to a writer, losing as little as can be. A thread of its own does nothing but copy
 * what is in the rings to a spool in memory, so that neither a slow disk nor compression nor
 * anything else this process does lets a ring run full; the caller's thread takes the spool's
 * content to the file. Each round over all rings is followed by a FINISHED_ROUND.
 */
#ifndef PERF_SESSION_RECORDER_H
#define PERF_SESSION_RECORDER_H

#include <stdbool.h>
#include <sys/types.h>

#include "compiler.h"
#include "errbuf.h"
#include "lib/perf/evlist.h"
#include "loss.h"
#include "session/writer.h"

struct recorder;

struct recorder_opts {
	int rt_prio; /* SCHED_FIFO priority of the copying thread; 0: none, only a high nice value
		      */
};

/* recorder__new - the thread exists, but waits for recorder__start(). NULL with errno and @eb. */
struct recorder *recorder__new(const struct recorder_opts *o, struct errbuf *eb);
void recorder__delete(struct recorder *r); /* stops it first */
pid_t recorder__tid(const struct recorder *r);

/* recorder__start - @l is mapped. From here on @l's rings are the thread's. */
int recorder__start(struct recorder *r, struct evlist *l, struct errbuf *eb);
/* Readable when there is something to write, or when recorder__ended() may have become true. */
int recorder__fd(const struct recorder *r);
/* recorder__write - takes all that is in the spool to @w. 0, or the writer's error; what could not
 * be written is counted as lost and the spool emptied all the same. */
int recorder__write(struct recorder *r, struct perf_writer *w);
/* recorder__drain - all that is in the rings now is written, not only what the thread has come to
 * by itself: it sleeps until a ring is half full. */
int recorder__drain(struct recorder *r, struct perf_writer *w);
/* recorder__snapshot - the overwritable rings are stopped, copied and let go on; returns once that
 * is done, having written meanwhile. */
int recorder__snapshot(struct recorder *r, struct perf_writer *w);
/* recorder__stop - a last round (events are disabled before), then the thread ends. */
int recorder__stop(struct recorder *r, struct perf_writer *w);
/* All tasks that were observed are gone. */
bool recorder__ended(const struct recorder *r);

struct recorder_stats {
	u64 samples;		   /* PERF_RECORD_SAMPLE */
	u64 records;		   /* all but LOST */
	u64 wakeups;		   /* times the thread woke up to data */
	u64 throttled;		   /* PERF_RECORD_THROTTLE */
	u64 lost_told;		   /* sum of PERF_RECORD_LOST */
	u64 unwritten;		   /* records that arrived and could not be written */
	u64 first_time, last_time; /* of samples, ns; 0: none */
};
const struct recorder_stats *recorder__stats(const struct recorder *r);
/* Samples of @e seen on CPU index @cpu of evlist__cpus(). */
u64 recorder__samples(const struct recorder *r, const struct evsel *e, int cpu);
/* recorder__ledger - after recorder__stop(), with the events still open: what arrived and what the
 * rings had no room for, per CPU. @l is initialised here. */
int recorder__ledger(struct recorder *r, struct loss_ledger *l);

#endif
