/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writing a perf.data, file or pipe, that upstream's perf reads without a warning.
 *
 *	w = perf_writer__open(&opts, &eb);		creates the file
 *	perf_writer__set_events(w, events, nr, &eb);	after the events are open (ids are known)
 *	perf_writer__start(w, &eb);			header, attrs; of a pipe, features and
 *formats perf_writer__append(w, rec) ...			synthesized records
 *	perf_writer__finished_init(w);
 *	loop: per ring perf_writer__span(w, p1, n1, p2, n2); then perf_writer__finished_round(w);
 *	perf_writer__finish(w, &eb);			features, sizes; the file is complete
 *	perf_writer__delete(w);
 *
 * Should the writer be killed at any moment after start, the file reads as far as it goes: it
 * begins with a header that says data size 0, and whole records follow.
 *
 * Not safe for use from several threads at once.
 */
#ifndef PERF_SESSION_WRITER_H
#define PERF_SESSION_WRITER_H

#include <linux/perf_event.h>
#include <stdbool.h>

#include "compiler.h"
#include "errbuf.h"
#include "lib/symbol/dso.h" /* struct build_id */
#include "session/perf_data.h"

struct perf_writer;

struct writer_opts {
	const char *path;	 /* NULL: "perf.data"; "-": a pipe on stdout */
	int compress_level;	 /* 0: none; 1..22: zstd (-z) */
	int argc;		 /* the command and its arguments, "record" first, for CMDLINE */
	const char *const *argv; /* borrowed until perf_writer__finish() */
	int clockid;		 /* -k: CLOCKID and CLOCK_DATA are written; -1: perf's own clock */
	bool no_buildid;	 /* -B: no BUILD_ID section */
	bool branch_stack;	 /* BRANCH_STACK is set */
	u64 max_size;		 /* --max-size in bytes: perf_writer__full(); 0: none */
	bool no_old;		 /* do not rename an existing file to FILE.old: replace it */
};

/*
 * perf_writer__open - creates the file: an existing one becomes FILE.old first, as upstream does;
 * the new one is created with O_EXCL | O_NOFOLLOW and mode 0600, so that a link or a file that
 * someone put there in the meantime is never written to. A FIFO, a device or a socket is written as
 * a pipe. NULL with errno and @eb.
 */
struct perf_writer *perf_writer__open(const struct writer_opts *o, struct errbuf *eb);
void perf_writer__delete(struct perf_writer *w); /* without finish: the file stays as it is */
const char *perf_writer__path(const struct perf_writer *w);
bool perf_writer__is_pipe(const struct perf_writer *w);

struct writer_event {
	const struct perf_event_attr *attr; /* as opened; copied */
	const char *name;		    /* as in evsel__name(); copied */
	const u64 *ids;			    /* PERF_EVENT_IOC_ID of every descriptor; copied */
	u32 nr_ids;
	int leader;			 /* index of its group's leader; its own index when alone */
	const char *group_name;		 /* of a leader; NULL: none */
	const char *tp_system, *tp_name; /* tracepoint: its format is written; else NULL */
};
/* perf_writer__set_events - once, before start. Copies everything. 0 or -ENOMEM, -EINVAL. */
int perf_writer__set_events(struct perf_writer *w, const struct writer_event *ev, int nr,
			    struct errbuf *eb);

/* perf_writer__start - writes the header, and what else must stand before the first record.
 * Tracepoint formats are read from tracefs here; their lack is an error that names the event. */
int perf_writer__start(struct perf_writer *w, struct errbuf *eb);

/*
 * Appending. Errors are sticky: the first one is returned by this and every later call, with errno
 * (-ENOSPC: disk full); perf_writer__error() has the line to print. What was written until then
 * stays readable: perf_writer__finish() cuts the file after the last whole record.
 */
int perf_writer__append(struct perf_writer *w, const struct perf_event_header *rec);
/* perf_writer__span - whole records out of a ring, in up to two pieces (evlist__peek()); compressed
 * under -z. The bytes may be consumed when it returns. */
int perf_writer__span(struct perf_writer *w, const void *p1, size_t n1, const void *p2, size_t n2);
int perf_writer__finished_round(
	struct perf_writer *w); /* only when something came since the last */
int perf_writer__finished_init(struct perf_writer *w);
int perf_writer__flush(struct perf_writer *w);		     /* buffered bytes to the file */
const char *perf_writer__error(const struct perf_writer *w); /* NULL: none */

u64 perf_writer__bytes(const struct perf_writer *w);	 /* of the file so far (after -z) */
u64 perf_writer__raw_bytes(const struct perf_writer *w); /* of records before -z */
bool perf_writer__full(const struct perf_writer *w);	 /* opts.max_size was reached */

/* ---- what only the recorder knows, for the features ---- */
/* perf_writer__sample_time - first and last sample time seen, ns (SAMPLE_TIME). */
void perf_writer__sample_time(struct perf_writer *w, u64 first, u64 last);
/* perf_writer__add_build_id - @misc: the cpumode; @pid -1 for the host. A name that is there
 * already is not added again. 0 or -ENOMEM. */
int perf_writer__add_build_id(struct perf_writer *w, u16 misc, s32 pid, const struct build_id *id,
			      const char *name);
/* perf_writer__build_ids_from_file - reads the records written so far and adds the build id of
 * every file that a sample hit (or, @all, that was mapped), the kernel's and the modules'. Called
 * by record before finish(); a file is read through /proc/PID/root while it lives. */
int perf_writer__build_ids_from_file(struct perf_writer *w, bool all, struct errbuf *eb);
/* perf_writer__embed - the section of --embed-symbols (session/embed.h), written by finish() as the
 * file's last; @data is malloc'd and taken over. -ESPIPE for a pipe. */
int perf_writer__embed(struct perf_writer *w, void *data, size_t size, struct errbuf *eb);

/*
 * perf_writer__finish - features, then the header with the real sizes. In a pipe: build ids as
 * records. 0 or -errno with @eb; the file is closed in any case.
 */
int perf_writer__finish(struct perf_writer *w, struct errbuf *eb);

/*
 * perf_writer__switch - --switch-output: finishes this file, renames it to PATH.TIMESTAMP
 * (YYYYMMDDhhmmss and hundredths, as upstream) and begins a new one with the same events. @name
 * (may be NULL) gets a copy of the name, to be freed. @max_files > 0: of the files so made, the
 * oldest beyond that number is removed (--switch-max-files).
 */
int perf_writer__switch(struct perf_writer *w, int max_files, char **name, struct errbuf *eb);

#endif
