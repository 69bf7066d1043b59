// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "session/sideband.h"

struct at {
	u64 time;
	u64 off; /* into buf; also keeps records of the same time in order of arrival */
};

struct sideband {
	char *buf;
	size_t len, cap;
	struct at *at;
	u32 nr, cap_at;
};

struct sideband *sideband__new(void)
{
	return calloc(1, sizeof(struct sideband));
}

void sideband__delete(struct sideband *s)
{
	if (!s)
		return;
	free(s->buf);
	free(s->at);
	free(s);
}

int sideband__add(struct sideband *s, const struct perf_event_header *ev, u64 time)
{
	size_t size = (ev->size + 7ul) & ~7ul;

	if (s->cap - s->len < size) {
		size_t cap = s->cap ? s->cap * 2 : 1 << 17;
		char *p = realloc(s->buf, cap);

		if (!p)
			return -ENOMEM;
		s->buf = p;
		s->cap = cap;
	}
	if (s->nr == s->cap_at) {
		u32 cap = s->cap_at ? s->cap_at * 2 : 1024;
		struct at *p = realloc(s->at, cap * sizeof(*p));

		if (!p)
			return -ENOMEM;
		s->at = p;
		s->cap_at = cap;
	}
	memcpy(s->buf + s->len, ev, ev->size);
	s->at[s->nr++] = (struct at){time, s->len};
	s->len += size;
	return 0;
}

static int by_time(const void *va, const void *vb)
{
	const struct at *a = va, *b = vb;

	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	return a->off < b->off ? -1 : a->off > b->off;
}

/* What is left over begins a new buffer. */
static void keep_from(struct sideband *s, u32 first)
{
	struct sideband left = {};

	for (u32 i = first; i < s->nr; i++)
		if (sideband__add(&left, (const void *)(s->buf + s->at[i].off), s->at[i].time))
			break;
	free(s->buf);
	free(s->at);
	*s = left;
}

u32 sideband__process(struct sideband *s, struct machine *m, u64 until)
{
	u32 i, malformed = 0;

	qsort(s->at, s->nr, sizeof(*s->at), by_time);
	for (i = 0; i < s->nr && s->at[i].time <= until; i++)
		if (machine__process(m, (const void *)(s->buf + s->at[i].off), s->at[i].time) ==
		    -EBADMSG)
			malformed++;
	if (i < s->nr) {
		keep_from(s, i);
	} else {
		s->nr = 0;
		s->len = 0;
	}
	return malformed;
}
