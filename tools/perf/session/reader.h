/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From a file or a pipe to one record after the other. A regular file in the host's byte order is
 * read in place through mmap; everything else (pipes, records to swap, what COMPRESSED records
 * hold, records at odd offsets) goes through chunks of memory that live as long as a record in them
 * waits to be ordered.
 */
#ifndef PERF_SESSION_READER_H
#define PERF_SESSION_READER_H

#include <linux/perf_event.h>
#include <stdbool.h>

#include "compiler.h"
#include "errbuf.h"

/* ---- chunks ---- */
#define CHUNK_SIZE (1UL << 20) /* and their alignment: a record's address tells its chunk */

struct chunk {
	u32 refs; /* records that wait in it, and one while it is being filled */
	struct chunk_pool *pool;
	struct chunk *next;
	u8 data[] __attribute__((aligned(8)));
};
#define CHUNK_DATA (CHUNK_SIZE - sizeof(struct chunk))

struct chunk_pool {
	struct chunk *spare;
	unsigned int nr_spare, nr_live;
};

void chunk_pool__exit(struct chunk_pool *p);
void chunk__put(struct chunk *c);

static inline struct chunk *chunk__of(const void *rec)
{
	return (struct chunk *)((uintptr_t)rec & ~(CHUNK_SIZE - 1));
}

/* ---- the reader ---- */
struct zstd_in;

struct reader {
	char *name; /* for messages */
	int fd;
	bool own_fd, swapped;
	bool truncated; /* the data ended inside a record, or the file shrank */
	struct chunk_pool *pool;

	u64 begin, pos, end; /* offsets of the data, of the next record */

	/* mapped: the whole file, read-only */
	const u8 *map;
	u64 map_size, populated, dropped;

	/* stream: in->data[in_r, in_w) is read ahead */
	struct chunk *in;
	size_t in_r, in_w;
	bool eof;

	struct chunk *copy; /* records that cannot stay where they are */
	size_t copy_w;

	struct zstd_in *z;
	struct chunk *dec; /* unpacked and not yet handed out: dec->data[dec_r, dec_w) */
	size_t dec_r, dec_w;
};

/* reader__init - @fd is owned when @own_fd. */
int reader__init(struct reader *r, struct chunk_pool *pool, const char *name, int fd, bool own_fd);
/* reader__map - the whole regular file; -errno when it cannot be mapped (then it is a stream). */
int reader__map(struct reader *r, u64 size);
void reader__exit(struct reader *r);
/* reader__set_data - where the records are, [@begin, @end); a stream must stand at @begin. */
void reader__set_data(struct reader *r, u64 begin, u64 end);
/* reader__rewind - to the first record. 0, or -ESPIPE. */
int reader__rewind(struct reader *r);

/* reader__bytes - exactly @n (<= CHUNK_DATA) bytes of a stream, copied. 0, -ENODATA at its end. */
int reader__bytes(struct reader *r, void *buf, size_t n, struct errbuf *eb);

/*
 * reader__next - the next record with its header (not its body) in the host's order; *@offset is
 * where it stands. 1; 0 at the end (see truncated); -errno with @eb. Valid until the next call, or
 * as long as reader__hold() says.
 */
int reader__next(struct reader *r, struct perf_event_header **rec, u64 *offset, struct errbuf *eb);
/* reader__unpack - @rec is a COMPRESSED or COMPRESSED2 record: its bytes go to the decompressor;
 * then reader__next_unpacked() gives what they hold, 0 when there is no further whole record. */
int reader__unpack(struct reader *r, const struct perf_event_header *rec, struct errbuf *eb);
int reader__next_unpacked(struct reader *r, struct perf_event_header **rec, u64 *unpacked,
			  struct errbuf *eb);
/* reader__skip - @n bytes that follow the record just given. 0, -ENODATA when there are fewer. */
int reader__skip(struct reader *r, u64 n, struct errbuf *eb);
/* reader__payload - the same, into memory to be freed; refused beyond @max. */
int reader__payload(struct reader *r, u64 n, u64 max, void **data, struct errbuf *eb);

/* reader__widen - a copy of @rec with @n zero bytes put in at @at; NULL: no memory. */
struct perf_event_header *reader__widen(struct reader *r, const struct perf_event_header *rec,
					size_t at, size_t n);

/* reader__in_map - does @rec lie in the mapped file (and so needs no hold)? */
static inline bool reader__in_map(const struct reader *r, const void *rec)
{
	return (u64)((const u8 *)rec - r->map) < r->map_size;
}

/* reader__hold - keeps @rec until reader__release(). */
static inline void reader__hold(struct reader *r, const void *rec)
{
	if (!reader__in_map(r, rec))
		chunk__of(rec)->refs++;
}

static inline void reader__release(struct reader *r, const void *rec)
{
	if (!reader__in_map(r, rec))
		chunk__put(chunk__of(rec));
}

/* reader__drop - pages of the mapped file before @offset are not needed any more. */
void reader__drop(struct reader *r, u64 offset);

#endif
