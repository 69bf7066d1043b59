/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A session is a perf.data being read: a file, a directory of files (perf record --threads), or a
 * stream from a pipe. It hands out the records in time order with bounded memory, in the host's
 * byte order whatever machine wrote them, each with the event it belongs to.
 *
 *	s = perf_session__open(path, &opts, &eb);
 *	err = perf_session__process(s, &ops, &eb);
 *	perf_session__delete(s);
 *
 * What cannot be understood is counted (struct session_stats) and skipped, never guessed; a file
 * that lies about its own sizes ends with -EBADMSG and a line that names the file and the offset.
 */
#ifndef PERF_SESSION_SESSION_H
#define PERF_SESSION_SESSION_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdio.h>

#include "compiler.h"
#include "errbuf.h"
#include "lib/api/outbuf.h"
#include "lib/perf/evlist.h" /* struct perf_sample */
#include "lib/symbol/dso.h"  /* struct build_id */
#include "session/perf_data.h"

struct perf_session;
struct session_event; /* one event of the recording: its attr, its ids, its name */
struct tp_format;

/* ---- opening ---- */
struct session_opts {
	bool force;	/* -f: do not ask who owns the file */
	bool unordered; /* hand records out in the order of the file, not of time */
	/* Things to tell the user that are not errors (a truncated file, lost events, a feature
	 * that is not there), one line without newline each. May be NULL. */
	void (*warn)(void *ctx, const char *line);
	/* Every record as it is met in the file, before ordering, swapped to the host's order:
	 * COMPRESSED ones and, after them, what they hold. For dumps. Non-zero stops. May be NULL.
	 */
	int (*raw)(void *ctx, struct perf_session *s, const struct perf_event_header *rec,
		   u64 file_offset);
	void *ctx; /* of warn and raw */
};

/*
 * perf_session__open - @path NULL: stdin when it is a pipe, else "perf.data"; "-": stdin. Reads the
 * header, the attrs and all feature sections; of a pipe, the records up to the first that is not
 * part of the header, so that events and features are known before the first sample (a pipe can
 * still bring more later: build ids at its end). NULL with errno and a line in @eb: no such file
 * (with upstream's hint at perf record), not owned by the user (-f overrides), not a perf.data, an
 * attr or section outside of the file.
 */
struct perf_session *perf_session__open(const char *path, const struct session_opts *o,
					struct errbuf *eb);
void perf_session__delete(struct perf_session *s);

const char *perf_session__path(const struct perf_session *s); /* as shown in messages */
bool perf_session__is_pipe(const struct perf_session *s);
bool perf_session__is_swapped(const struct perf_session *s); /* written in the other byte order */
u32 perf_session__version(const struct perf_session *s); /* 0: PERFFILE, 1: PERFILE2, as upstream's
							    --header prints it */

/* ---- events ---- */
int perf_session__nr_events(const struct perf_session *s);
struct session_event *perf_session__event(const struct perf_session *s, int idx);
/* perf_session__event_by_id - NULL when no event has @id (id 0: the first event when it is alone,
 * or when the recording carries no ids). */
struct session_event *perf_session__event_by_id(const struct perf_session *s, u64 id);

int session_event__idx(const struct session_event *e);
/* As recorded (EVENT_DESC, EVENT_UPDATE, tracing data), else made from the attr as upstream names
 * it; never NULL. Untrusted text. */
const char *session_event__name(const struct session_event *e);
/* Host byte order, the host's struct whatever size was in the file (missing fields 0). attr->size
 * is what the file said. */
const struct perf_event_attr *session_event__attr(const struct session_event *e);
const u64 *session_event__ids(const struct session_event *e, u32 *nr);
/* The group's leader (itself when alone) and, for a leader, its members with itself (GROUP_DESC; 1
 * when alone). */
struct session_event *session_event__leader(const struct session_event *e);
int session_event__nr_members(const struct session_event *e);
const char *session_event__group_name(const struct session_event *leader); /* or NULL */
bool session_event__is_tracepoint(const struct session_event *e);
bool session_event__is_bpf_output(const struct session_event *e);
bool session_event__is_dummy(const struct session_event *e);
/* The tracepoint's format from the file's tracing data; NULL when the file has none for it. */
const struct tp_format *session_event__format(const struct session_event *e);
const char *session_event__unit(const struct session_event *e); /* EVENT_UPDATE; NULL: none */
double session_event__scale(const struct session_event *e);	/* 1.0 when not told */
/* A slot for the user of the session, one pointer an event; NULL at first. */
void session_event__set_priv(struct session_event *e, void *priv);
void *session_event__priv(const struct session_event *e);

/* All sample_types or-ed; whether any event has @bit. */
u64 perf_session__sample_types(const struct perf_session *s);

/* perf_session__formats - tracepoint formats and printk strings of the recorded machine; NULL: the
 * file has no tracing data. */
struct tep_formats;
struct tep_formats *perf_session__formats(const struct perf_session *s); /* session/tep.h */

/* ---- records ---- */
/*
 * A callback gets the record in the host's byte order, aligned to 8, its sizes checked against
 * header.size, valid during the call only. @e: the event it belongs to; NULL where the recording
 * does not tell (a record made up by perf record, no sample_id_all and several events, an id that
 * is not known). @sample: for a PERF_RECORD_SAMPLE all of it; for another kernel record its
 * trailing sample_id (time, tid, cpu, id; zeros where it has none); for a record of the tool NULL.
 * Non-zero stops perf_session__process(), which returns it.
 *
 * A NULL callback skips its class (it is still counted).
 */
typedef int (*session_cb)(void *ctx, struct perf_session *s, struct session_event *e,
			  const struct perf_event_header *rec, const struct perf_sample *sample);

struct session_ops {
	void *ctx;
	session_cb sample;    /* SAMPLE */
	session_cb sideband;  /* MMAP, MMAP2, COMM, FORK, EXIT, KSYMBOL, BPF_EVENT, NAMESPACES,
				 CGROUP, TEXT_POKE: what machine__process() takes */
	session_cb lost;      /* LOST, LOST_SAMPLES */
	session_cb throttle;  /* THROTTLE, UNTHROTTLE */
	session_cb ctxswitch; /* SWITCH, SWITCH_CPU_WIDE */
	session_cb read;      /* READ */
	session_cb aux;	      /* AUX, ITRACE_START, AUX_OUTPUT_HW_ID */
	session_cb tool; /* records of the tool that the session does not use up itself: THREAD_MAP,
			    CPU_MAP, STAT*, TIME_CONV, ID_INDEX, AUXTRACE_INFO, AUXTRACE (without
			    its payload), AUXTRACE_ERROR, FINISHED_ROUND, FINISHED_INIT,
			    BPF_METADATA */
	session_cb unknown; /* a type this reader does not know */
};

/*
 * perf_session__process - hands out all records. Order: by time within what FINISHED_ROUND allows,
 * equal times in the file's order; records without a time, and the tool's, where they stand in the
 * file. An event that comes too late to be ordered is handed out all the same and counted. 0, a
 * callback's non-zero return, or -errno with @eb (-EBADMSG: malformed; what came before was handed
 * out). A file that just ends (its recorder was killed) is not an error: stats.truncated and a
 * warning. A file can be processed again from its start; a pipe only once (-ESPIPE).
 */
int perf_session__process(struct perf_session *s, const struct session_ops *ops, struct errbuf *eb);

/* Where the record now being handed out stands: offset in the file (for one out of a COMPRESSED
 * record: of that record; in a pipe: bytes from the start of the stream). */
u64 perf_session__offset(const struct perf_session *s);

struct session_stats {
	u64 nr[PERF_RECORD_TOOL_MAX]; /* records by type */
	u64 records;		      /* all, unknown ones too */
	u64 unknown;		      /* of a type not known here */
	u64 malformed;		      /* kernel records whose body does not parse; skipped */
	u64 unknown_id;		      /* samples whose id belongs to no event; skipped */
	u64 out_of_order;	      /* handed out after a later one had been */
	u64 lost;		      /* sum of LOST.lost: events the kernel could not write */
	u64 lost_samples;	      /* sum of LOST_SAMPLES.lost */
	u64 auxtrace_bytes;	      /* of AUXTRACE payloads skipped */
	u64 bytes;		      /* of the data section read, records as stored */
	u64 compressed, decompressed; /* bytes into and out of COMPRESSED records */
	u64 peak_queued;	      /* most records that waited to be ordered at once */
	bool truncated; /* the data ended inside a record or earlier than the header says */
};
/* Of the last perf_session__process(), or of the one that runs. */
const struct session_stats *perf_session__stats(const struct perf_session *s);
/* perf_session__warn_stats - upstream's warnings at the end of a run (lost events, out of order,
 * unknown, truncated) through opts.warn. */
void perf_session__warn_stats(const struct perf_session *s);
const char *perf_record__name(u32 type); /* "MMAP2", "FINISHED_ROUND"; "UNKNOWN" */

/* ---- header features ---- */
struct session_build_id {
	const char *name; /* long name: a path, "[kernel.kallsyms]", "[vdso]" */
	s32 pid;
	u16 misc; /* cpumode and PERF_RECORD_MISC_BUILD_ID_SIZE, as in the record */
	struct build_id id;
};

/* Everything known about the recorded machine and run; NULL or 0 where the file does not tell.
 * Strings are untrusted text, owned by the session. */
struct session_info {
	const char *hostname, *os_release, *version, *arch, *cpudesc, *cpuid;
	u32 nr_cpus_available, nr_cpus_online;
	u64 total_mem_kb;
	const char *const *cmdline; /* nr_cmdline strings */
	u32 nr_cmdline;
	u64 first_sample_time, last_sample_time; /* ns; SAMPLE_TIME */
	u64 clockid_res_ns;			 /* CLOCKID */
	bool has_clock_data;			 /* CLOCK_DATA, below */
	s32 clockid;				 /* -1: perf's own clock */
	u64 clock_tod_ns, clock_ref_ns; /* wall clock and clockid's time at the same moment */
	u32 comp_type, comp_level, comp_ratio, comp_mmap_len;
	const struct session_build_id *build_ids; /* BUILD_ID section and HEADER_BUILD_ID records */
	u32 nr_build_ids;
};
const struct session_info *perf_session__info(const struct perf_session *s);
bool perf_session__has_feature(const struct perf_session *s, int feat); /* enum perf_feature */

/*
 * perf_session__print_header - the block of `--header` between "# ========" lines, as upstream
 * prints it. @full: -I, with topologies and caches.
 */
void perf_session__print_header(const struct perf_session *s, struct outbuf *ob, bool full);

/*
 * perf_session__kernel_is_ours - may this host's kernel symbols (kallsyms, modules, vDSO) be used
 * for the file? Only when the recorded kernel's build id equals this kernel's or, in a file without
 * one, when release, machine and host name are the same. @why (may be NULL) gets one line that says
 * why not.
 */
bool perf_session__kernel_is_ours(const struct perf_session *s, struct errbuf *why);
/* perf_session__build_id - the recorded build id of file @name; false when the file has none. */
bool perf_session__build_id(const struct perf_session *s, const char *name, struct build_id *id);

/* perf_session__embedded - the section of --embed-symbols: its bytes (owned by the session), or
 * NULL. */
const void *perf_session__embedded(struct perf_session *s, size_t *size);

/* perf_attr__print - an attr in the words of `perf evlist -v` ("size: 112, { sample_period, ..."),
 * @sep ": " there and " = " in --header. */
void perf_attr__print(struct outbuf *ob, const struct perf_event_attr *attr, const char *sep);

#endif
