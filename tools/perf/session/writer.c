// SPDX-License-Identifier: GPL-2.0-only
/* Writing a perf.data: creating the file, appending records, packing. writer-finish.c ends it. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "session/writer-internal.h"

#define SPAN_DIRECT (64UL << 10) /* spans from this size on are written without a copy */

/* ---- opening ---- */
/* An existing file makes room: it becomes FILE.old, or goes. */
static int make_room(struct perf_writer *w, struct errbuf *eb)
{
	char old[4096];
	struct stat st;

	if (lstat(w->path, &st))
		return errno == ENOENT ? 0
				       : errbuf__set(eb, -errno, "cannot create %s: %s", w->path,
						     strerror(errno));
	if (w->opts.no_old || (S_ISREG(st.st_mode) && !st.st_size)) {
		if (unlink(w->path) && errno != ENOENT)
			return errbuf__set(eb, -errno, "cannot replace %s: %s", w->path,
					   strerror(errno));
		return 0;
	}
	if ((size_t)snprintf(old, sizeof(old), "%s.old", w->path) >= sizeof(old))
		return errbuf__set(eb, -ENAMETOOLONG, "cannot create %s: its name is too long",
				   w->path);
	if (rename(w->path, old))
		return errbuf__set(eb, -errno, "cannot rename %s to %s: %s", w->path, old,
				   strerror(errno));
	return 0;
}

/* A FIFO or device that somebody else put there is not written to. */
static int open_special(struct perf_writer *w, const struct stat *st, struct errbuf *eb)
{
	if (st->st_uid && st->st_uid != geteuid())
		return errbuf__set(eb, -EPERM,
				   "%s is no file and belongs to another user: not writing to it",
				   w->path);
	w->fd = open(w->path, O_WRONLY | O_NOFOLLOW | O_CLOEXEC);
	if (w->fd < 0)
		return errbuf__set(eb, -errno, "cannot open %s: %s", w->path, strerror(errno));
	w->is_pipe = true;
	return 0;
}

static int open_output(struct perf_writer *w, struct errbuf *eb)
{
	struct stat st;
	int err;

	if (!strcmp(w->path, "-")) {
		w->fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
		if (w->fd < 0)
			return errbuf__set(eb, -errno, "cannot write to standard output: %s",
					   strerror(errno));
		w->is_pipe = true;
		return 0;
	}
	if (!lstat(w->path, &st) &&
	    (S_ISFIFO(st.st_mode) || S_ISCHR(st.st_mode) || S_ISSOCK(st.st_mode)))
		return open_special(w, &st, eb);
	err = make_room(w, eb);
	if (err)
		return err;
	w->fd = open(w->path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (w->fd < 0)
		return errbuf__set(eb, -errno, "cannot create %s: %s", w->path, strerror(errno));
	return 0;
}

struct perf_writer *perf_writer__open(const struct writer_opts *o, struct errbuf *eb)
{
	struct perf_writer *w = calloc(1, sizeof(*w));
	int err = -ENOMEM;

	if (w) {
		w->opts = *o;
		w->fd = -1;
		w->path = strdup(o->path ? o->path : "perf.data");
		w->buf = malloc(WRITER_BUF);
		w->scratch = malloc(WRITER_PACK + UINT16_MAX + 1);
		if (o->compress_level)
			w->z = zstd_out__new(o->compress_level);
	}
	if (!w || !w->path || !w->buf || !w->scratch || (o->compress_level && !w->z))
		errbuf__set(eb, -ENOMEM, "no memory for the output's buffers");
	else
		err = open_output(w, eb);
	if (err) {
		perf_writer__delete(w);
		errno = -err;
		return NULL;
	}
	return w;
}

static void free_events(struct perf_writer *w)
{
	for (int i = 0; i < w->nr_ev; i++) {
		free(w->ev[i].name);
		free(w->ev[i].group_name);
		free(w->ev[i].tp_system);
		free(w->ev[i].tp_name);
		free(w->ev[i].ids);
	}
	free(w->ev);
	w->ev = NULL;
	w->nr_ev = 0;
}

void perf_writer__delete(struct perf_writer *w)
{
	if (!w)
		return;
	if (w->fd >= 0)
		close(w->fd);
	free_events(w);
	for (int i = 0; i < w->nr_build_ids; i++)
		free(w->build_ids[i].name);
	free(w->build_ids);
	for (int i = 0; i < w->nr_made; i++)
		free(w->made[i]);
	free(w->made);
	wbuf__free(&w->tracing);
	free(w->embed);
	zstd_out__delete(w->z);
	free(w->scratch);
	free(w->buf);
	free(w->path);
	free(w);
}

const char *perf_writer__path(const struct perf_writer *w)
{
	return w->path;
}

bool perf_writer__is_pipe(const struct perf_writer *w)
{
	return w->is_pipe;
}

/* ---- events ---- */
static bool dup_str(char **to, const char *from)
{
	*to = from ? strdup(from) : NULL;
	return !from || *to;
}

int perf_writer__set_events(struct perf_writer *w, const struct writer_event *ev, int nr,
			    struct errbuf *eb)
{
	if (w->started || nr <= 0)
		return errbuf__set(eb, -EINVAL, "cannot write a recording without events");
	free_events(w);
	w->ev = calloc(nr, sizeof(*w->ev));
	if (!w->ev)
		return errbuf__set(eb, -ENOMEM, "no memory for %d events", nr);
	w->nr_ev = nr;
	for (int i = 0; i < nr; i++) {
		struct w_event *e = &w->ev[i];

		e->attr = *ev[i].attr;
		e->attr.size = sizeof(e->attr);
		e->nr_ids = ev[i].nr_ids;
		e->leader = ev[i].leader;
		e->ids = malloc(e->nr_ids * 8UL + 1);
		if (!e->ids || !dup_str(&e->name, ev[i].name) ||
		    !dup_str(&e->group_name, ev[i].group_name) ||
		    !dup_str(&e->tp_system, ev[i].tp_system) ||
		    !dup_str(&e->tp_name, ev[i].tp_name))
			return errbuf__set(eb, -ENOMEM, "no memory for %d events", nr);
		if (e->nr_ids)
			memcpy(e->ids, ev[i].ids, e->nr_ids * 8UL);
	}
	return 0;
}

/* ---- bytes ---- */
int writer__fail(struct perf_writer *w, int err, const char *what)
{
	if (!w->err) {
		w->err = err;
		snprintf(w->error, sizeof(w->error), "%s %s: %s", what, w->path, strerror(-err));
	}
	return w->err;
}

/* How many bytes of the whole records at @p lie in records that end within the first @n. */
static size_t whole_records(const u8 *p, size_t size, size_t n)
{
	size_t at = 0;

	while (at + sizeof(struct perf_event_header) <= size) {
		struct perf_event_header h;

		memcpy(&h, p + at, sizeof(h));
		if (h.size < sizeof(h) || at + h.size > n)
			break;
		at += h.size;
	}
	return at;
}

int writer__write(struct perf_writer *w, const void *data, size_t size)
{
	const u8 *p = data;
	size_t done = 0;

	if (w->err)
		return w->err;
	while (done < size) {
		ssize_t n = write(w->fd, p + done, size - done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EAGAIN) {
			usleep(1000);
			continue;
		}
		if (n < 0) {
			int err = -errno;

			/* What follows the last whole record is cut off by finish. */
			w->pos += whole_records(p, size, done);
			return writer__fail(w, err, "failed to write");
		}
		done += n;
	}
	w->pos += size;
	return 0;
}

int perf_writer__flush(struct perf_writer *w)
{
	size_t n = w->buf_n;

	w->buf_n = 0;
	return n ? writer__write(w, w->buf, n) : w->err;
}

/* Whole records behind those that wait. */
static int put(struct perf_writer *w, const void *data, size_t n)
{
	if (w->err)
		return w->err;
	if (w->buf_n + n > WRITER_BUF || n >= SPAN_DIRECT) {
		int err = perf_writer__flush(w);

		if (err)
			return err;
		if (n >= SPAN_DIRECT)
			return writer__write(w, data, n);
	}
	memcpy(w->buf + w->buf_n, data, n);
	w->buf_n += n;
	return 0;
}

int perf_writer__append(struct perf_writer *w, const struct perf_event_header *rec)
{
	w->raw_bytes += rec->size;
	w->round_dirty = true;
	return put(w, rec, rec->size);
}

/* @data, at most WRITER_PACK bytes, as one or more COMPRESSED records. */
static int pack(struct perf_writer *w, const u8 *data, size_t size)
{
	u8 rec[UINT16_MAX & ~7U] __attribute__((aligned(8)));
	size_t room = sizeof(rec) - sizeof(struct perf_event_header), used = 0;
	ssize_t n;

	w->packed_in += size;
	do {
		struct perf_event_header *h = (void *)rec;
		int err;

		n = zstd_out__pack(w->z, data, size, &used, rec + sizeof(*h), room);
		if (n < 0)
			return writer__fail(w, n, "cannot compress into");
		data += used;
		size -= used;
		if (!n)
			break;
		*h = (struct perf_event_header){.type = PERF_RECORD_COMPRESSED,
						.size = sizeof(*h) + n};
		w->packed_out += n;
		err = put(w, rec, h->size);
		if (err)
			return err;
	} while ((size_t)n == room);
	return 0;
}

static int put_piece(struct perf_writer *w, const u8 *p, size_t n)
{
	if (!w->z)
		return put(w, p, n);
	while (n) {
		size_t part = min_t(size_t, n, WRITER_PACK);
		int err = pack(w, p, part);

		if (err)
			return err;
		p += part;
		n -= part;
	}
	return 0;
}

/* The record that begins in the first piece and ends in the second; the rest goes as it is. */
int perf_writer__span(struct perf_writer *w, const void *p1, size_t n1, const void *p2, size_t n2)
{
	size_t whole, rest, more = 0;
	int err;

	if (w->err || !(n1 + n2))
		return w->err;
	w->raw_bytes += n1 + n2;
	w->round_dirty = true;
	whole = n2 ? whole_records(p1, n1, n1) : n1;
	rest = n1 - whole;
	err = whole ? put_piece(w, p1, whole) : 0;
	if (err)
		return err;
	if (rest) {
		struct perf_event_header h;

		memcpy(w->scratch, (const u8 *)p1 + whole, rest);
		more = min_t(size_t, n2, UINT16_MAX);
		memcpy(w->scratch + rest, p2, more);
		memcpy(&h, w->scratch, sizeof(h));
		if (rest > UINT16_MAX || h.size <= rest || h.size - rest > n2)
			return writer__fail(w, -EBADMSG, "a ring's records do not add up, writing");
		more = h.size - rest;
		err = put_piece(w, w->scratch, h.size);
		if (err)
			return err;
	}
	return n2 > more ? put_piece(w, (const u8 *)p2 + more, n2 - more) : 0;
}

static int put_mark(struct perf_writer *w, u32 type)
{
	struct perf_event_header h = {.type = type, .size = sizeof(h)};

	return put(w, &h, sizeof(h));
}

int perf_writer__finished_round(struct perf_writer *w)
{
	if (!w->round_dirty)
		return w->err;
	w->round_dirty = false;
	put_mark(w, PERF_RECORD_FINISHED_ROUND);
	/* A reader at the other end of a pipe waits for it; and what is in the file, a kill leaves.
	 */
	return perf_writer__flush(w);
}

int perf_writer__finished_init(struct perf_writer *w)
{
	return put_mark(w, PERF_RECORD_FINISHED_INIT);
}

const char *perf_writer__error(const struct perf_writer *w)
{
	return w->err ? w->error : NULL;
}

u64 perf_writer__bytes(const struct perf_writer *w)
{
	return w->pos + w->buf_n;
}

u64 perf_writer__raw_bytes(const struct perf_writer *w)
{
	return w->raw_bytes;
}

bool perf_writer__full(const struct perf_writer *w)
{
	return w->opts.max_size && perf_writer__bytes(w) >= w->opts.max_size;
}

void perf_writer__sample_time(struct perf_writer *w, u64 first, u64 last)
{
	w->first_time = first;
	w->last_time = last;
}

int perf_writer__embed(struct perf_writer *w, void *data, size_t size, struct errbuf *eb)
{
	if (w->is_pipe) {
		free(data);
		return errbuf__set(eb, -ESPIPE, "symbols cannot be embedded into a pipe");
	}
	free(w->embed);
	w->embed = data;
	w->embed_size = size;
	return 0;
}
