/* SPDX-License-Identifier: GPL-2.0-only */
/* What the parts of the session share among themselves; not for others. */
#ifndef PERF_SESSION_INTERNAL_H
#define PERF_SESSION_INTERNAL_H

#include "session/ordered.h"
#include "session/reader.h"
#include "session/session.h"
#include "session/tep.h"

/* Bounds against files that lie; each far above what any recorder writes. */
#define SESSION_MAX_EVENTS 65536
#define SESSION_MAX_IDS (16U << 20)
#define SESSION_MAX_SECTION (256ULL << 20)     /* of one feature's bytes */
#define SESSION_MAX_QUEUED (8UL << 20)	       /* records that wait to be ordered */
#define SESSION_MAX_CHUNKS (512UL << 20 >> 20) /* MiB of records copied that wait */

struct session_event {
	struct perf_session *session;
	int idx;
	struct perf_event_attr attr;
	u64 *ids;
	u32 nr_ids, cap_ids;
	char *name;
	bool named; /* by the file, not made from the attr */
	struct session_event *leader;
	int nr_members;
	char *group_name, *unit;
	double scale;
	void *priv;
	/* Byte offsets of the time: in a sample, and from the end of another record; -1: none. */
	int sample_time, trailer_time;
};

struct id_slot {
	u64 id;
	struct session_event *e; /* NULL: free */
};

struct section {
	const u8 *data; /* in the mapped file, or owned */
	size_t size;
	bool present, owned;
};

struct perf_session {
	char *path;
	struct session_opts opts;
	bool is_pipe, processed;
	bool cut; /* the header says that the data is not all there */
	u32 version;
	struct perf_file_header hdr; /* host order; of a pipe only magic and size */
	u64 mtime;		     /* of the file, seconds */

	struct chunk_pool pool;
	struct reader rd;
	struct reader *dir; /* data.0, data.1 ... of a directory */
	int nr_dir;

	struct session_event **events;
	int nr_events;
	struct id_slot *ids; /* open addressing; cap_ids is a power of two */
	u32 nr_ids, cap_ids;
	struct session_event *last; /* last one found by id */
	int id_pos, trailer_id_pos; /* u64 index of the id in a sample, from the end; -1: none */
	bool ids_differ;	    /* several events and the id tells them apart */
	bool has_time;

	struct section feat[FEAT_LAST];
	u64 feat_bits[PERF_FEAT_BITS / 64];
	struct session_info info;
	struct session_build_id *build_ids;
	u32 cap_build_ids;
	char **strings; /* everything info points to */
	u32 nr_strings, cap_strings;
	struct tep_formats *formats;
	struct section embedded;

	/* a run */
	const struct session_ops *ops;
	struct errbuf *eb;
	struct ordered_queue queue;
	u64 round_limit, last_time;
	u64 batch_max; /* latest time taken in since it was set to 0 */
	u64 offset;
	struct session_stats stats;
	struct perf_event_header *peeked; /* of a pipe: read by open(), not yet handed out */
	u64 peeked_offset;
	u64 header_end; /* records before this offset have been taken as header */
};

void session__warn(const struct perf_session *s, const char *fmt, ...) __printf(2, 3);

/* ---- session-event.c ---- */
struct session_event *session__add_event(struct perf_session *s, const struct perf_event_attr *attr,
					 struct errbuf *eb);
int session__add_id(struct perf_session *s, struct session_event *e, u64 id);
int session__set_name(struct session_event *e, const char *name, size_t n);
/* session__events_known - to be called when events or names changed: positions, made-up names. */
void session__events_known(struct perf_session *s);
struct session_event *session__find_event(const struct perf_session *s,
					  const struct perf_event_header *rec, bool swapped);
void session_event__delete(struct session_event *e);
/* The name upstream makes from an attr; @buf of at least 128 bytes. */
void attr__make_name(const struct perf_event_attr *attr, char *buf, size_t size);

/* ---- header.c ---- */
int session__read_header(struct perf_session *s, u64 file_size, struct errbuf *eb);
/* One feature's section (file or record); a malformed one is warned of and left out. */
void session__take_feature(struct perf_session *s, u32 feat);
int session__add_build_id(struct perf_session *s, const struct perf_event_header *rec, size_t size);
const char *session__keep(struct perf_session *s, const char *str, size_t n);
const char *feature__name(u32 feat);

/* header-bpf.c */
void session__print_bpf_progs(const struct perf_session *s, struct outbuf *ob);

/* ---- header records of a pipe: header-record.c ---- */
bool session__is_header_record(u32 type);
int session__header_record(struct perf_session *s, struct reader *r,
			   const struct perf_event_header *rec, u64 offset, struct errbuf *eb);

/* ---- record-check.c: does a body hold what its type says? ---- */
bool record__valid(const struct perf_event_header *rec, const struct perf_event_attr *attr);

/* ---- a cursor over a feature's section; past the end it is bad and gives zeroes ---- */
struct feat_cursor {
	const u8 *p, *end;
	bool swap, bad;
};
static inline struct feat_cursor feat_cursor(const struct perf_session *s, u32 feat)
{
	const struct section *sec = &s->feat[feat];

	return (struct feat_cursor){
		.p = sec->data, .end = sec->data + sec->size, .swap = s->rd.swapped};
}
const u8 *feat__take(struct feat_cursor *c, u64 n);
u32 feat__u32(struct feat_cursor *c);
u64 feat__u64(struct feat_cursor *c);
/* A counted string; *@n its length without padding. NULL when bad. */
const char *feat__str(struct feat_cursor *c, size_t *n);

#endif
