// SPDX-License-Identifier: GPL-2.0-only
/* The ends of a perf.data: its header at the start, its features and sizes at the end. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "session/writer-internal.h"

static int say(const struct perf_writer *w, struct errbuf *eb)
{
	return w->err ? errbuf__set(eb, w->err, "%s", w->error) : 0;
}

/* ---- the header of a file ---- */
static void put_attrs(struct perf_writer *w, struct wbuf *b, struct perf_file_header *h)
{
	u64 *ids_at = calloc(w->nr_ev, sizeof(*ids_at));

	if (!ids_at) {
		b->bad = true;
		return;
	}
	for (int i = 0; i < w->nr_ev; i++) {
		ids_at[i] = b->n;
		wbuf__put(b, w->ev[i].ids, w->ev[i].nr_ids * 8UL);
	}
	h->attr_size = sizeof(w->ev->attr) + sizeof(struct perf_file_section);
	h->attrs.offset = b->n;
	h->attrs.size = w->nr_ev * h->attr_size;
	for (int i = 0; i < w->nr_ev; i++) {
		wbuf__put(b, &w->ev[i].attr, sizeof(w->ev[i].attr));
		wbuf__u64(b, ids_at[i]);
		wbuf__u64(b, w->ev[i].nr_ids * 8UL);
	}
	w->tracing_offset = b->n;
	wbuf__put(b, w->tracing.p, w->tracing.n);
	wbuf__pad(b, 8);
	h->data.offset = b->n;
	free(ids_at);
}

static void make_header(struct perf_writer *w, struct wbuf *b, struct perf_file_header *h)
{
	*h = (struct perf_file_header){.magic = PERF_MAGIC2, .size = sizeof(*h)};
	wbuf__put(b, h, sizeof(*h));
	put_attrs(w, b, h);
	if (!b->bad)
		memcpy(b->p, h, sizeof(*h));
}

static void put_names(const struct perf_writer *w, struct wbuf *b)
{
	for (int i = 0; i < w->nr_ev; i++) {
		const struct w_event *e = &w->ev[i];
		size_t n = strlen(e->name) + 1, size;
		struct perf_rec_event_update u = {.type = PERF_EVENT_UPDATE_NAME};

		if (!e->nr_ids || n > 4096)
			continue;
		u.id = e->ids[0];
		size = (sizeof(u) + n + 7) & ~7UL;
		u.header =
			(struct perf_event_header){.type = PERF_RECORD_EVENT_UPDATE, .size = size};
		wbuf__put(b, &u, sizeof(u));
		wbuf__put(b, e->name, n);
		wbuf__pad(b, 8);
	}
}

static int start_file(struct perf_writer *w)
{
	struct perf_file_header h;
	struct wbuf b = {};
	int err;

	make_header(w, &b, &h);
	w->data_offset = h.data.offset;
	/* The names stand in EVENT_DESC too, which a killed recorder does not get to write. */
	put_names(w, &b);
	err = b.bad ? writer__fail(w, -ENOMEM, "cannot write the header of")
		    : writer__write(w, b.p, b.n);
	wbuf__free(&b);
	return err;
}

/* ---- what a pipe has instead ---- */
static void pipe_attrs(struct perf_writer *w, struct wbuf *b)
{
	for (int i = 0; i < w->nr_ev; i++) {
		const struct w_event *e = &w->ev[i];
		size_t size = sizeof(struct perf_event_header) + sizeof(e->attr) + e->nr_ids * 8UL;
		struct perf_event_header h = {.type = PERF_RECORD_HEADER_ATTR, .size = size};

		if (size > UINT16_MAX) {
			writer__fail(w, -E2BIG,
				     "an event has too many ids for a pipe: cannot write");
			return;
		}
		wbuf__put(b, &h, sizeof(h));
		wbuf__put(b, &e->attr, sizeof(e->attr));
		wbuf__put(b, e->ids, e->nr_ids * 8UL);
	}
}

/* Those that upstream's readers take as records; the others need a file. */
static const int pipe_features[] = {
	FEAT_HOSTNAME,	   FEAT_OSRELEASE,  FEAT_VERSION,      FEAT_ARCH,
	FEAT_NRCPUS,	   FEAT_CPUDESC,    FEAT_CPUID,	       FEAT_TOTAL_MEM,
	FEAT_CMDLINE,	   FEAT_EVENT_DESC, FEAT_CPU_TOPOLOGY, FEAT_NUMA_TOPOLOGY,
	FEAT_PMU_MAPPINGS, FEAT_GROUP_DESC, FEAT_MEM_TOPOLOGY, FEAT_CLOCKID,
	FEAT_COMPRESSED,   FEAT_CLOCK_DATA,
};

static void pipe_feature_records(struct perf_writer *w, struct wbuf *b)
{
	for (size_t i = 0; i < ARRAY_SIZE(pipe_features); i++) {
		struct perf_rec_feature f = {.feat_id = pipe_features[i]};
		struct wbuf sec = {};
		size_t size;

		if (writer__feature(w, pipe_features[i], &sec) && !sec.bad) {
			wbuf__pad(&sec, 8);
			size = sizeof(f) + sec.n;
			f.header = (struct perf_event_header){.type = PERF_RECORD_HEADER_FEATURE,
							      .size = size};
			if (size <= UINT16_MAX) {
				wbuf__put(b, &f, sizeof(f));
				wbuf__put(b, sec.p, sec.n);
			}
		}
		wbuf__free(&sec);
	}
}

static void pipe_tracing(struct perf_writer *w, struct wbuf *b)
{
	struct perf_event_header h = {.type = PERF_RECORD_HEADER_TRACING_DATA, .size = 16};

	if (!w->tracing.n)
		return;
	wbuf__put(b, &h, sizeof(h));
	wbuf__u32(b, (w->tracing.n + 7) & ~7UL);
	wbuf__u32(b, 0);
	wbuf__put(b, w->tracing.p, w->tracing.n);
	wbuf__pad(b, 8);
}

static int start_pipe(struct perf_writer *w)
{
	struct perf_pipe_header h = {.magic = PERF_MAGIC2, .size = sizeof(h)};
	struct wbuf b = {};
	int err;

	wbuf__put(&b, &h, sizeof(h));
	pipe_attrs(w, &b);
	put_names(w, &b);
	pipe_feature_records(w, &b);
	pipe_tracing(w, &b);
	if (b.bad)
		writer__fail(w, -ENOMEM, "cannot write the header of");
	err = w->err ? w->err : writer__write(w, b.p, b.n);
	wbuf__free(&b);
	return err;
}

static u64 now(clockid_t clk)
{
	struct timespec ts = {};

	clock_gettime(clk, &ts);
	return ts.tv_sec * 1000000000ULL + ts.tv_nsec;
}

static int start(struct perf_writer *w)
{
	w->started = true;
	w->pos = 0;
	return w->is_pipe ? start_pipe(w) : start_file(w);
}

int perf_writer__start(struct perf_writer *w, struct errbuf *eb)
{
	int err;

	if (!w->nr_ev || w->started)
		return errbuf__set(eb, -EINVAL, "cannot write a recording without events");
	err = writer__read_tracing(w, eb);
	if (err)
		return err;
	if (w->opts.clockid >= 0) {
		w->clock_tod = now(CLOCK_REALTIME);
		w->clock_ref = now(w->opts.clockid);
	}
	return start(w) ? say(w, eb) : 0;
}

/* ---- the end of a file ---- */
/* All sections behind a table of where they are; their bits in @h. */
static void put_features(struct perf_writer *w, struct wbuf *out, struct perf_file_header *h,
			 u64 table_at)
{
	struct wbuf sec[FEAT_LAST] = {};
	u64 at = table_at;

	for (int f = 1; f < FEAT_LAST; f++) {
		if (writer__feature(w, f, &sec[f]) && !sec[f].bad) {
			h->features[f / 64] |= 1ULL << (f % 64);
			at += sizeof(struct perf_file_section);
		}
	}
	for (int f = 1; f < FEAT_LAST; f++) {
		if (!(h->features[f / 64] >> (f % 64) & 1))
			continue;
		wbuf__u64(out, f == FEAT_TRACING_DATA ? w->tracing_offset : at);
		wbuf__u64(out, sec[f].n);
		if (f == FEAT_TRACING_DATA)
			sec[f].n = 0; /* it stands there already */
		at += sec[f].n;
	}
	for (int f = 1; f < FEAT_LAST; f++) {
		if (h->features[f / 64] >> (f % 64) & 1)
			wbuf__put(out, sec[f].p, sec[f].n);
		wbuf__free(&sec[f]);
	}
}

static void put_embedded(const struct perf_writer *w, struct wbuf *out, u64 base)
{
	struct perf_embed_trailer t = {.size = w->embed_size};

	if (!w->embed)
		return;
	wbuf__pad(out, 8);
	t.offset = base + out->n;
	memcpy(t.magic, PERF_EMBED_MAGIC, sizeof(t.magic));
	wbuf__put(out, w->embed, w->embed_size);
	wbuf__put(out, &t, sizeof(t));
}

static int finish_file(struct perf_writer *w)
{
	int first_err = w->err;
	struct perf_file_header h;
	struct wbuf head = {}, tail = {};
	u64 end;

	make_header(w, &head, &h);
	/* After a failed write, the file ends with the last whole record. */
	if (first_err && ftruncate(w->fd, w->pos))
		return first_err;
	end = w->pos;
	h.data.size = end - w->data_offset;
	w->err = 0;
	if (lseek(w->fd, end, SEEK_SET) >= 0) {
		put_features(w, &tail, &h, end);
		put_embedded(w, &tail, end);
	}
	if (tail.bad)
		writer__fail(w, -ENOMEM, "cannot write the features of");
	else
		writer__write(w, tail.p, tail.n);
	if (w->err) { /* then without features, but with its data */
		memset(h.features, 0, sizeof(h.features));
		if (ftruncate(w->fd, end))
			h.data.size = 0;
	}
	if (!head.bad && pwrite(w->fd, &h, sizeof(h), 0) != (ssize_t)sizeof(h))
		writer__fail(w, errno ? -errno : -EIO, "cannot write the header of");
	wbuf__free(&head);
	wbuf__free(&tail);
	return first_err ? first_err : w->err;
}

static int finish_pipe(struct perf_writer *w)
{
	u8 rec[4352];

	for (int i = 0; i < w->nr_build_ids && !w->opts.no_buildid && !w->err; i++)
		writer__write(w, rec, writer__build_id_record(&w->build_ids[i], rec));
	return w->err;
}

static int finish(struct perf_writer *w)
{
	int err;

	perf_writer__flush(w);
	err = w->is_pipe ? finish_pipe(w) : finish_file(w);
	if (close(w->fd) && !err)
		err = writer__fail(w, -errno, "cannot close");
	w->fd = -1;
	return err;
}

int perf_writer__finish(struct perf_writer *w, struct errbuf *eb)
{
	int err;

	if (!w->started || w->fd < 0)
		return errbuf__set(eb, -EINVAL, "nothing was written");
	err = finish(w);
	return err ? errbuf__set(eb, err, "%s", w->error) : 0;
}

/* ---- --switch-output ---- */
static void remember(struct perf_writer *w, const char *name, int max_files)
{
	char **more = realloc(w->made, (w->nr_made + 1) * sizeof(*more));

	if (!more)
		return;
	w->made = more;
	w->made[w->nr_made] = strdup(name);
	if (w->made[w->nr_made])
		w->nr_made++;
	while (max_files > 0 && w->nr_made > max_files) {
		unlink(w->made[0]);
		free(w->made[0]);
		memmove(w->made, w->made + 1, --w->nr_made * sizeof(*w->made));
	}
}

static void stamp(char *buf, size_t size)
{
	struct timespec ts;
	struct tm tm;
	size_t n;

	clock_gettime(CLOCK_REALTIME, &ts);
	localtime_r(&ts.tv_sec, &tm);
	n = strftime(buf, size, "%Y%m%d%H%M%S", &tm);
	snprintf(buf + n, size - n, "%02d", (int)(ts.tv_nsec / 10000000));
}

static int begin_next(struct perf_writer *w, struct errbuf *eb)
{
	w->fd = open(w->path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (w->fd < 0)
		return errbuf__set(eb, writer__fail(w, -errno, "cannot create"), "%s", w->error);
	/* Each file must unpack by itself. */
	if (w->opts.compress_level) {
		zstd_out__delete(w->z);
		w->z = zstd_out__new(w->opts.compress_level);
		if (!w->z)
			return errbuf__set(eb, writer__fail(w, -ENOMEM, "cannot compress into"),
					   "%s", w->error);
	}
	free(w->embed);
	w->embed = NULL;
	w->embed_size = 0;
	w->raw_bytes = w->packed_in = w->packed_out = 0;
	w->first_time = w->last_time = 0;
	w->round_dirty = false;
	return start(w) ? say(w, eb) : 0;
}

int perf_writer__switch(struct perf_writer *w, int max_files, char **name, struct errbuf *eb)
{
	char to[4096], when[64];
	int err;

	if (w->is_pipe)
		return errbuf__set(eb, -ESPIPE, "a pipe cannot be switched to another file");
	err = perf_writer__finish(w, eb);
	if (err)
		return err;
	stamp(when, sizeof(when));
	if ((size_t)snprintf(to, sizeof(to), "%s.%s", w->path, when) >= sizeof(to) ||
	    rename(w->path, to))
		return errbuf__set(eb, writer__fail(w, -errno, "cannot rename"), "%s", w->error);
	remember(w, to, max_files);
	if (name)
		*name = strdup(to);
	for (int i = 0; i < w->nr_build_ids; i++)
		free(w->build_ids[i].name);
	w->nr_build_ids = 0;
	return begin_next(w, eb);
}
