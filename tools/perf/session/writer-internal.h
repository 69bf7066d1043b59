/* SPDX-License-Identifier: GPL-2.0-only */
/* What the parts of the writer share among themselves; not for others. */
#ifndef PERF_SESSION_WRITER_INTERNAL_H
#define PERF_SESSION_WRITER_INTERNAL_H

#include <sys/uio.h>

#include "session/writer.h"
#include "session/zstd.h"

/* A section being put together in memory. Lack of memory makes it bad, and is asked once. */
struct wbuf {
	u8 *p;
	size_t n, cap;
	bool bad;
};
void wbuf__put(struct wbuf *b, const void *data, size_t n);
void wbuf__u32(struct wbuf *b, u32 v);
void wbuf__u64(struct wbuf *b, u64 v);
void wbuf__str(struct wbuf *b, const char *s); /* u32 length, bytes, padded with NULs to 64 */
void wbuf__pad(struct wbuf *b, size_t align);
void wbuf__set_u32(struct wbuf *b, size_t at, u32 v); /* over what is there */
void wbuf__free(struct wbuf *b);

struct w_event {
	struct perf_event_attr attr;
	char *name, *group_name, *tp_system, *tp_name;
	u64 *ids;
	u32 nr_ids;
	int leader;
};

struct w_build_id {
	char *name;
	struct build_id id;
	s32 pid;
	u16 misc;
};

struct perf_writer {
	struct writer_opts opts;
	char *path;
	int fd;
	bool is_pipe, started, round_dirty;

	struct w_event *ev;
	int nr_ev;
	struct wbuf tracing; /* formats of the tracepoints; read at start */
	u64 tracing_offset;  /* where they stand: before the data, so that a kill leaves them */

	u8 *buf; /* whole records that wait to be written */
	size_t buf_n;
	u64 data_offset, pos; /* of the data section; the end of what was written */
	u64 raw_bytes, packed_in, packed_out;
	int err;
	char error[512];

	struct zstd_out *z;
	u8 *scratch; /* a record that wraps, a span to pack */

	u64 first_time, last_time;
	u64 clock_tod,
		clock_ref; /* the same moment by the wall and by opts.clockid; taken at start */
	struct w_build_id *build_ids;
	int nr_build_ids, cap_build_ids;
	void *embed;
	size_t embed_size;
	char **made; /* names --switch-output made, oldest first */
	int nr_made;
};

#define WRITER_BUF (1UL << 20)
#define WRITER_PACK (128UL << 10) /* bytes that one COMPRESSED record holds at most, unpacked */

/* writer__write - bytes to the file (or pipe); counts them in pos; makes errors sticky. */
int writer__write(struct perf_writer *w, const void *data, size_t n);
int writer__fail(struct perf_writer *w, int err, const char *what);

/* writer-feature.c: the section of @feat into @b; false: this machine has nothing to say. */
bool writer__feature(struct perf_writer *w, int feat, struct wbuf *b);
/* writer-topology.c */
bool writer__cpu_topology(struct wbuf *b);
bool writer__numa_topology(struct wbuf *b);
bool writer__cache(struct wbuf *b);
bool writer__mem_topology(struct wbuf *b);
bool writer__pmu_mappings(struct wbuf *b);
/* writer-tracing.c: formats of all tracepoints among the events. 0 when there are none. */
int writer__read_tracing(struct perf_writer *w, struct errbuf *eb);
/* writer-buildid.c */
size_t writer__build_id_record(const struct w_build_id *b, u8 *rec); /* at most 4352 bytes */

#endif
