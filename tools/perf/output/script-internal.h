/* SPDX-License-Identifier: GPL-2.0-only */
/* Shared by script*.c alone. */
#ifndef PERF_OUTPUT_SCRIPT_INTERNAL_H
#define PERF_OUTPUT_SCRIPT_INTERNAL_H

#include "output/script.h"
#include "session/callchain.h"

struct tracepoint;

/* What is known of an event before its first sample. */
struct script_event {
	struct session_event *e;
	const struct perf_event_attr *attr;
	enum script_type type;
	u64 fields;
	bool callchain; /* its samples have one, and it is printed */
	bool bpf_output;
	bool long_name; /* does not fit .column */
	u16 column_len;
	char column[160 + 16]; /* the event's name as the line shows it: right-aligned, ": " */
	struct tracepoint *tp;
};

/* One sample, and what has been found out about it so far. */
struct script_sample {
	const struct script_event *ev;
	const struct perf_event_header *rec;
	const struct perf_sample *s;
	const char *comm;
	u32 comm_len;
	bool located; /* .al is filled */
	struct addr_location al;
	const struct callchain_frame *frames; /* with ev->callchain */
	u32 nr_frames;
};

struct script_printer {
	bool wants_chain;		/* whatever -F says */
	int (*init)(struct script *s);	/* 0 or -errno; may be NULL */
	void (*exit)(struct script *s); /* may be NULL */
	void (*sample)(struct script *s, struct script_sample *sm);
	/* A record that --show-* asks for; @pid/@tid: whose name stands in front. May be NULL. */
	void (*sideband)(struct script *s, const struct script_event *ev,
			 const struct perf_event_header *rec, const struct perf_sample *sample,
			 pid_t pid, pid_t tid);
	void (*finish)(struct script *s); /* may be NULL */
};
extern const struct script_printer script_text, script_json, script_folded;

#define SCRIPT_COMM_CACHE 64

struct script {
	struct script_opts o;
	const struct script_printer *printer;
	struct script_filter *filter; /* borrowed, NULL: all */
	struct perf_session *session;
	struct machine *machine;
	struct outbuf *ob;
	struct outbuf scratch; /* memory only; empty between uses */
	struct callchain *chain;
	struct tep_formats *formats;  /* borrowed from the session, may be NULL */
	struct script_event **events; /* by session_event__idx() */
	int nr_events;
	int name_width;
	bool check_cpu;
	u64 initial_time, previous_time;
	u64 nr_samples, nr_cut, nr_kernel_unnamed;
	u64 last_time;		  /* of the last sample */
	u64 pruned;		  /* what ended before has been forgotten */
	int data_src_width;	  /* the widest so far */
	const char *srccode_file; /* last source line shown by srccode */
	u32 srccode_line;
	struct script_comm {
		u32 pid, tid, len;
		const char *comm; /* NULL: empty slot */
	} comms[SCRIPT_COMM_CACHE];
	/* Texts that neighbouring lines share. */
	struct {
		const char *comm; /* NULL: none */
		char text[64 + 16];
		u8 len;
	} comm_column;
	struct {
		u64 secs;
		char text[24 + 16]; /* "  718." */
		u8 len;		    /* 0: none */
	} second;
	u16 machine_type; /* EM_* of the recorded machine */
	const char *arch;
	struct script_counters *counters;
	struct folded *folded;
	struct script_cgroup {
		u64 id;
		char *path;
	} * cgroups; /* sorted by id */
	u32 nr_cgroups, cap_cgroups;
	struct event_file **files; /* --per-event-dump: by session_event__idx() */
	int nr_files;
	struct outbuf *common_ob; /* ob while a sample goes to its event's file */
	bool switches;
	bool off;	   /* --switch-on, --switch-off: events are passed over */
	u64 nr_misordered; /* -d */
	u64 shown_offset;  /* -D: the record in hand has been dumped */
	struct errbuf *eb;
};

/* script.c */
const char *script__comm(struct script *s, u32 pid, u32 tid, u64 time, u32 *len);
/* The address of a sample; fills sm->al once. */
const struct addr_location *script__locate(struct script *s, struct script_sample *sm);
void script__warn(const struct script *s, const char *fmt, ...) __printf(2, 3);
u64 script__shown_time(struct script *s, u64 time); /* --reltime, --deltatime */

/* script-text.c */
/* The start of a line: comm, pid/tid, cpu, misc, time. */
void script_text__start(struct script *s, const struct script_event *ev,
			const struct perf_event_header *rec, const struct perf_sample *sample,
			const char *comm, u32 comm_len);
void script_text__time(struct script *s, u64 time); /* "  1510.043845: " */
void script_put_symbol(struct outbuf *ob, const char *name, const struct symbol *sym, u64 addr,
		       bool offset);
void script_put_dso(struct script *s, const struct dso *dso);

/* script-frames.c */
void script_put_ip(struct script *s, struct script_sample *sm);
void script_put_srccode(struct script *s, struct script_sample *sm);

/* script-cgroup.c: paths of cgroups by id, out of the recording. */
void script_cgroups__add(struct script *s, const struct perf_event_header *rec);
const char *script_cgroups__find(const struct script *s, u64 id); /* NULL: not known */
void script_cgroups__exit(struct script *s);

/* script-read.c: for each counter in the sample that moved since its last: its id, by how much. */
typedef int (*script_read_cb)(void *ctx, u64 id, u64 period);
int script_read__each(struct script *s, const struct perf_event_attr *attr,
		      const struct perf_sample *sample, script_read_cb cb, void *ctx);
void script_read__exit(struct script *s);

/* script-extra.c: the fields of rarer kinds of samples */
void script_put_regs(struct script *s, struct outbuf *ob, u64 mask, u64 abi, const u64 *regs);
void script_put_data_src(struct script *s, struct outbuf *ob, u64 data_src);
void script_put_branches(struct script *s, struct script_sample *sm);
const char *script_branch_type(unsigned int type);
void script_put_page_size(struct outbuf *ob, u64 size);
const char *script_reg_name(const char *arch, int reg); /* "AX"; NULL when unknown */

/* script-bytes.c */
void script_put_bpf_output(struct outbuf *ob, const void *data, u32 size);
/* The string in a bpf-output payload, when it is one: printable, ended by NULs. NULL otherwise. */
const char *script_bpf_string(const void *data, u32 size, u32 *len);
void script_put_hexdump(struct outbuf *ob, const void *data, u32 size); /* -D */

/* script-sideband.c: "PERF_RECORD_COMM exec: ls:12/12\n" */
void script_put_record(struct outbuf *ob, const struct perf_event_header *rec, struct machine *m);

/* script-perevent.c: between begin and end, s->ob is the event's file. 0 or -errno with s->eb. */
int script_perevent__begin(struct script *s, const struct script_event *ev);
int script_perevent__end(struct script *s);
int script_perevent__finish(struct script *s);
void script_perevent__exit(struct script *s);

/* script-dump.c: -D */
void script_dump__record(struct script *s, struct session_event *e,
			 const struct perf_event_header *rec, const struct perf_sample *sample);
void script_dump__sample(struct script *s, struct script_sample *sm);

#endif
