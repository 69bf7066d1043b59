// SPDX-License-Identifier: GPL-2.0-only
/* Records out of a mapped file or a stream. See reader.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "session/perf_data.h"
#include "session/reader.h"
#include "session/swap.h"
#include "session/zstd.h"

#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ 22 /* Linux 5.14 */
#endif

#define MAX_SPARE 8	      /* chunks kept for reuse */
#define POPULATE (4UL << 20)  /* bytes of the mapped file faulted in at once */
#define DROP_STEP (8UL << 20) /* and given back at once */

/* ---- chunks ---- */
static struct chunk *chunk__new(struct chunk_pool *p)
{
	struct chunk *c = p->spare;

	if (c) {
		p->spare = c->next;
		p->nr_spare--;
	} else {
		c = aligned_alloc(CHUNK_SIZE, CHUNK_SIZE);
		if (!c)
			return NULL;
	}
	c->refs = 1;
	c->pool = p;
	c->next = NULL;
	p->nr_live++;
	return c;
}

void chunk__put(struct chunk *c)
{
	struct chunk_pool *p;

	if (!c || --c->refs)
		return;
	p = c->pool;
	p->nr_live--;
	if (p->nr_spare == MAX_SPARE) {
		free(c);
		return;
	}
	c->next = p->spare;
	p->spare = c;
	p->nr_spare++;
}

void chunk_pool__exit(struct chunk_pool *p)
{
	struct chunk *c;

	while ((c = p->spare)) {
		p->spare = c->next;
		free(c);
	}
	p->nr_spare = 0;
}

/* ---- opening ---- */
int reader__init(struct reader *r, struct chunk_pool *pool, const char *name, int fd, bool own_fd)
{
	memset(r, 0, sizeof(*r));
	r->fd = fd;
	r->own_fd = own_fd;
	r->pool = pool;
	r->end = UINT64_MAX;
	r->name = strdup(name);
	return r->name ? 0 : -ENOMEM;
}

int reader__map(struct reader *r, u64 size)
{
	void *map;

	if (!size || size > SIZE_MAX)
		return -EINVAL;
	map = mmap(NULL, size, PROT_READ, MAP_PRIVATE, r->fd, 0);
	if (map == MAP_FAILED)
		return -errno;
	r->map = map;
	r->map_size = size;
	return 0;
}

static void drop_chunks(struct reader *r)
{
	chunk__put(r->copy);
	chunk__put(r->dec);
	r->copy = r->dec = NULL;
	r->copy_w = r->dec_r = r->dec_w = 0;
	zstd_in__delete(r->z);
	r->z = NULL;
}

void reader__exit(struct reader *r)
{
	drop_chunks(r);
	chunk__put(r->in);
	r->in = NULL;
	if (r->map)
		munmap((void *)r->map, r->map_size);
	r->map = NULL;
	if (r->own_fd && r->fd >= 0)
		close(r->fd);
	r->fd = -1;
	free(r->name);
	r->name = NULL;
}

void reader__set_data(struct reader *r, u64 begin, u64 end)
{
	r->begin = r->pos = begin;
	r->end = end;
	r->populated = r->dropped = begin;
}

int reader__rewind(struct reader *r)
{
	if (!r->map && lseek(r->fd, r->begin, SEEK_SET) < 0)
		return -ESPIPE;
	drop_chunks(r);
	chunk__put(r->in);
	r->in = NULL;
	r->in_r = r->in_w = 0;
	r->eof = false;
	r->truncated = false;
	reader__set_data(r, r->begin, r->end);
	return 0;
}

/* ---- the mapped file ---- */
/* A file that is cut while it is read must not end in a SIGBUS. */
static void populate(struct reader *r)
{
	u64 page = sysconf(_SC_PAGESIZE), from = r->pos & ~(page - 1), len = POPULATE;
	struct stat st;

	if (!fstat(r->fd, &st) && (u64)st.st_size < r->map_size && r->end > (u64)st.st_size) {
		r->truncated = true;
		r->end = max_t(u64, st.st_size, r->pos);
	}
	if (from + len > r->end)
		len = r->end > from ? r->end - from : 0;
	if (len)
		madvise((void *)(r->map + from), len, MADV_POPULATE_READ);
	r->populated = from + POPULATE;
}

void reader__drop(struct reader *r, u64 offset)
{
	u64 page = sysconf(_SC_PAGESIZE), from, to = offset & ~(page - 1);

	if (!r->map || offset < r->dropped + DROP_STEP)
		return;
	from = (r->dropped + page - 1) & ~(page - 1);
	if (to > from)
		madvise((void *)(r->map + from), to - from, MADV_DONTNEED);
	r->dropped = to;
}

/* ---- the stream ---- */
/* At least @n bytes read ahead. 1; 0: the stream ends before; -errno. */
static int fill(struct reader *r, size_t n, struct errbuf *eb)
{
	while (r->in_w - r->in_r < n) {
		ssize_t got;

		if (r->eof)
			return 0;
		if (!r->in || r->in_r + n > CHUNK_DATA || r->in_w == CHUNK_DATA) {
			struct chunk *c = chunk__new(r->pool);
			size_t have = r->in_w - r->in_r;

			if (!c)
				return errbuf__set(eb, -ENOMEM, "%s: no memory", r->name);
			if (have)
				memcpy(c->data, r->in->data + r->in_r, have);
			chunk__put(r->in);
			r->in = c;
			r->in_r = 0;
			r->in_w = have;
		}
		got = read(r->fd, r->in->data + r->in_w, CHUNK_DATA - r->in_w);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return errbuf__set(eb, -errno, "%s: cannot read at offset %#llx: %s",
					   r->name, (unsigned long long)r->pos, strerror(errno));
		if (!got)
			r->eof = true;
		r->in_w += got;
	}
	return 1;
}

int reader__bytes(struct reader *r, void *buf, size_t n, struct errbuf *eb)
{
	int ret = fill(r, n, eb);

	if (ret <= 0)
		return ret ? ret : -ENODATA;
	memcpy(buf, r->in->data + r->in_r, n);
	r->in_r += n;
	r->pos += n;
	return 0;
}

/* ---- records ---- */
/* An aligned, writable place of its own for a record. */
static struct perf_event_header *copy_record(struct reader *r, const void *from, size_t size)
{
	size_t room = (size + 7) & ~7UL;
	void *to;

	if (!r->copy || r->copy_w + room > CHUNK_DATA) {
		struct chunk *c = chunk__new(r->pool);

		if (!c)
			return NULL;
		chunk__put(r->copy);
		r->copy = c;
		r->copy_w = 0;
	}
	to = r->copy->data + r->copy_w;
	r->copy_w += room;
	memcpy(to, from, size);
	return to;
}

struct perf_event_header *reader__widen(struct reader *r, const struct perf_event_header *rec,
					size_t at, size_t n)
{
	u8 buf[UINT16_MAX + 1];
	size_t size = rec->size;
	struct perf_event_header *to;

	if (at > size || size + n > UINT16_MAX)
		return NULL;
	memcpy(buf, rec, at);
	memset(buf + at, 0, n);
	memcpy(buf + at + n, (const u8 *)rec + at, size - at);
	to = copy_record(r, buf, size + n);
	if (to)
		to->size = size + n;
	return to;
}

/* Looks at the header at @p; 0 or -EBADMSG. */
static int check_header(const struct reader *r, const void *p, u64 offset, u16 *size,
			struct errbuf *eb)
{
	*size = get_u16((const u8 *)p + offsetof(struct perf_event_header, size), r->swapped);
	if (*size >= sizeof(struct perf_event_header))
		return 0;
	return errbuf__set(eb, -EBADMSG, "%s: bad record at offset %#llx: its size is %u", r->name,
			   (unsigned long long)offset, *size);
}

static int next_mapped(struct reader *r, u8 **p, u16 *size, struct errbuf *eb)
{
	u64 left;
	int err;

	if (unlikely(r->pos + POPULATE / 4 > r->populated) && r->populated < r->end)
		populate(r);
	left = r->pos < r->end ? r->end - r->pos : 0;
	if (left < sizeof(struct perf_event_header)) {
		r->truncated |= left != 0;
		return 0;
	}
	*p = (u8 *)r->map + r->pos;
	err = check_header(r, *p, r->pos, size, eb);
	if (err)
		return err;
	if (*size > left) {
		r->truncated = true;
		return 0;
	}
	return 1;
}

static int next_stream(struct reader *r, u8 **p, u16 *size, struct errbuf *eb)
{
	int ret;

	if (r->pos >= r->end)
		return 0;
	ret = fill(r, sizeof(struct perf_event_header), eb);
	if (ret <= 0) {
		r->truncated |= !ret && r->in_w != r->in_r;
		return ret;
	}
	ret = check_header(r, r->in->data + r->in_r, r->pos, size, eb);
	if (ret)
		return ret;
	ret = fill(r, *size, eb);
	if (ret <= 0) {
		r->truncated |= !ret;
		return ret;
	}
	*p = r->in->data + r->in_r;
	r->in_r += *size;
	return 1;
}

int reader__next(struct reader *r, struct perf_event_header **rec, u64 *offset, struct errbuf *eb)
{
	u16 size = 0;
	u8 *p = NULL;
	int ret = r->map ? next_mapped(r, &p, &size, eb) : next_stream(r, &p, &size, eb);

	if (ret <= 0)
		return ret;
	*offset = r->pos;
	r->pos += size;
	if ((r->map && r->swapped) || ((uintptr_t)p & 7)) {
		p = (u8 *)copy_record(r, p, size);
		if (!p)
			return errbuf__set(eb, -ENOMEM, "%s: no memory", r->name);
	}
	*rec = (struct perf_event_header *)p;
	if (r->swapped)
		swap_record_header(*rec);
	return 1;
}

int reader__skip(struct reader *r, u64 n, struct errbuf *eb)
{
	if (r->map) {
		u64 left = r->pos < r->end ? r->end - r->pos : 0;

		r->pos += min_t(u64, n, left);
		if (n <= left)
			return 0;
		r->truncated = true;
		return -ENODATA;
	}
	while (n) {
		size_t have = r->in_w - r->in_r;
		int ret;

		if (!have) {
			ret = fill(r, 1, eb);
			if (ret < 0)
				return ret;
			if (!ret) {
				r->truncated = true;
				return -ENODATA;
			}
			have = r->in_w - r->in_r;
		}
		have = min_t(u64, have, n);
		r->in_r += have;
		r->pos += have;
		n -= have;
	}
	return 0;
}

/* A stream's payload: memory grows with what comes, not with what was announced. */
static int stream_payload(struct reader *r, u64 n, u8 **data, struct errbuf *eb)
{
	size_t have = 0, cap = 0;

	while (have < n) {
		size_t got;
		int ret;

		ret = fill(r, 1, eb);
		if (ret < 0)
			return ret;
		if (!ret) {
			r->truncated = true;
			return -ENODATA;
		}
		got = min_t(u64, r->in_w - r->in_r, n - have);
		if (have + got > cap) {
			u8 *more;

			cap = max_t(size_t, have + got, min_t(u64, cap * 2, n));
			more = realloc(*data, cap);
			if (!more)
				return errbuf__set(eb, -ENOMEM, "%s: no memory", r->name);
			*data = more;
		}
		memcpy(*data + have, r->in->data + r->in_r, got);
		r->in_r += got;
		r->pos += got;
		have += got;
	}
	return 0;
}

int reader__payload(struct reader *r, u64 n, u64 max, void **data, struct errbuf *eb)
{
	u8 *buf = NULL;
	int ret;

	*data = NULL;
	if (n > max)
		return errbuf__set(eb, -EBADMSG, "%s: %llu bytes at offset %#llx: too much",
				   r->name, (unsigned long long)n, (unsigned long long)r->pos);
	if (r->map) {
		u64 at = r->pos;

		ret = reader__skip(r, n, eb);
		if (ret)
			return ret;
		buf = malloc(n ? n : 1);
		if (!buf)
			return errbuf__set(eb, -ENOMEM, "%s: no memory", r->name);
		memcpy(buf, r->map + at, n);
	} else {
		ret = stream_payload(r, n, &buf, eb);
		if (ret) {
			free(buf);
			return ret;
		}
	}
	*data = buf;
	return 0;
}

/* ---- compressed records ---- */
int reader__unpack(struct reader *r, const struct perf_event_header *rec, struct errbuf *eb)
{
	const u8 *data = (const u8 *)(rec + 1);
	size_t size = rec->size - sizeof(*rec);

	if (rec->type == PERF_RECORD_COMPRESSED2) {
		const struct perf_rec_compressed2 *c2 = (const void *)rec;

		if (rec->size < sizeof(*c2) || c2->data_size > rec->size - sizeof(*c2))
			return errbuf__set(eb, -EBADMSG,
					   "%s: COMPRESSED2 record at offset %#llx: its data is "
					   "larger than the record",
					   r->name, (unsigned long long)(r->pos - rec->size));
		data = (const u8 *)(c2 + 1);
		size = c2->data_size;
	}
	if (!r->z) {
		r->z = zstd_in__new();
		if (!r->z)
			return errbuf__set(eb, -ENOMEM, "%s: no memory", r->name);
	}
	zstd_in__feed(r->z, data, size);
	return 0;
}

/* More unpacked bytes behind what is left of the last ones. 1, 0: no more, -errno. */
static int fill_unpacked(struct reader *r, u64 *unpacked, struct errbuf *eb)
{
	ssize_t got;

	if (!r->dec || r->dec_w == CHUNK_DATA) {
		struct chunk *c = chunk__new(r->pool);
		size_t have = r->dec_w - r->dec_r;

		if (!c)
			return errbuf__set(eb, -ENOMEM, "%s: no memory", r->name);
		if (have)
			memcpy(c->data, r->dec->data + r->dec_r, have);
		chunk__put(r->dec);
		r->dec = c;
		r->dec_r = 0;
		r->dec_w = have;
	}
	got = zstd_in__read(r->z, r->dec->data + r->dec_w, CHUNK_DATA - r->dec_w, eb);
	if (got < 0) {
		errbuf__prefix(eb, "%s: COMPRESSED record before offset %#llx: ", r->name,
			       (unsigned long long)r->pos);
		return got;
	}
	r->dec_w += got;
	*unpacked += got;
	return got > 0;
}

int reader__next_unpacked(struct reader *r, struct perf_event_header **rec, u64 *unpacked,
			  struct errbuf *eb)
{
	for (;;) {
		size_t have = r->dec_w - r->dec_r;
		u16 size;
		int ret;

		if (have >= sizeof(**rec)) {
			u8 *p = r->dec->data + r->dec_r;

			ret = check_header(r, p, r->pos, &size, eb);
			if (ret)
				return ret;
			if (have >= size) {
				r->dec_r += size;
				if ((uintptr_t)p & 7) {
					p = (u8 *)copy_record(r, p, size);
					if (!p)
						return errbuf__set(eb, -ENOMEM, "%s: no memory",
								   r->name);
				}
				*rec = (struct perf_event_header *)p;
				if (r->swapped)
					swap_record_header(*rec);
				return 1;
			}
		}
		ret = fill_unpacked(r, unpacked, eb);
		if (ret <= 0)
			return ret;
	}
}
