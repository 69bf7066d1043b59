/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A queue of bytes in memory from one thread to one other, without locks. The memory is mapped
 * twice in a row, so that no entry wraps.
 */
#ifndef PERF_SESSION_SPOOL_H
#define PERF_SESSION_SPOOL_H

#include <stdbool.h>
#include <stddef.h>

#include "compiler.h"

struct spool {
	char *base;
	size_t size; /* a power of two, of pages */
	u64 head;    /* written by the producer */
	u64 tail;    /* written by the consumer */
};

struct spool_entry {
	u32 kind; /* the user's */
	int ring;
	u64 len; /* bytes that follow, a multiple of 8 */
	char data[];
};

int spool__init(struct spool *s, size_t size); /* 0 or -errno */
void spool__exit(struct spool *s);
/* spool__room - bytes of data that an entry could have now; 0: full. Producer only. */
size_t spool__room(const struct spool *s);
/* spool__begin - where the next entry goes; the producer fills it and calls spool__push(). */
struct spool_entry *spool__begin(struct spool *s);
void spool__push(struct spool *s, const struct spool_entry *e);
/* spool__peek - the oldest entry or NULL; spool__pop() forgets it. Consumer only. */
struct spool_entry *spool__peek(struct spool *s);
u64 spool__head(const struct spool *s); /* where the newest entry ends: tail gets there */
void spool__pop(struct spool *s, const struct spool_entry *e);

#endif
