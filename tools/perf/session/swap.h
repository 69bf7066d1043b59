/* SPDX-License-Identifier: GPL-2.0-only */
/* Records and attrs of the other byte order, turned into the host's in place. */
#ifndef PERF_SESSION_SWAP_H
#define PERF_SESSION_SWAP_H

#include <byteswap.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <string.h>

#include "compiler.h"

static inline u16 get_u16(const void *p, bool swap)
{
	u16 v;

	memcpy(&v, p, sizeof(v));
	return swap ? bswap_16(v) : v;
}

static inline u32 get_u32(const void *p, bool swap)
{
	u32 v;

	memcpy(&v, p, sizeof(v));
	return swap ? bswap_32(v) : v;
}

static inline u64 get_u64(const void *p, bool swap)
{
	u64 v;

	memcpy(&v, p, sizeof(v));
	return swap ? bswap_64(v) : v;
}

/*
 * attr__read - an attr of @size bytes as it stands in a file, into the host's struct: fields that
 * the file does not have are zero, bytes beyond the struct are left out. Returns true when such
 * bytes are not all zero, that is, when the recorder used something this reader has never heard of.
 */
bool attr__read(struct perf_event_attr *attr, const void *p, size_t size, bool swap);

/* swap_record_header - the eight bytes in front of every record. */
void swap_record_header(struct perf_event_header *rec);
/*
 * swap_record - the body of @rec, whose header is in the host's order already. @attr: of its event;
 * NULL: unknown, then a sample cannot be swapped. -EBADMSG when a kernel record's fields do not fit
 * into it; what is there is swapped as far as it goes.
 */
int swap_record(struct perf_event_header *rec, const struct perf_event_attr *attr);

/* sample_id_size - bytes of the sample_id at the end of a kernel record of @attr's event. */
size_t sample_id_size(const struct perf_event_attr *attr);

#endif
