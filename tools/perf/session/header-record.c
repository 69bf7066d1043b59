// SPDX-License-Identifier: GPL-2.0-only
/* Records that carry what a file has in its header: all of it in a pipe, some of it in files. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "session/session-internal.h"
#include "session/swap.h"

bool session__is_header_record(u32 type)
{
	switch (type) {
	case PERF_RECORD_HEADER_ATTR:
	case PERF_RECORD_HEADER_EVENT_TYPE:
	case PERF_RECORD_HEADER_TRACING_DATA:
	case PERF_RECORD_HEADER_BUILD_ID:
	case PERF_RECORD_HEADER_FEATURE:
	case PERF_RECORD_EVENT_UPDATE:
		return true;
	default:
		return false;
	}
}

static int bad(const struct perf_session *s, const struct perf_event_header *rec, u64 offset,
	       struct errbuf *eb)
{
	return errbuf__set(eb, -EBADMSG, "%s: malformed %s record of %u bytes at offset %#llx",
			   s->path, perf_record__name(rec->type), rec->size,
			   (unsigned long long)offset);
}

static int take_attr(struct perf_session *s, const struct perf_event_header *rec, u64 offset,
		     struct errbuf *eb)
{
	const u8 *p = (const u8 *)(rec + 1);
	size_t room = rec->size - sizeof(*rec), size;
	struct perf_event_attr attr;
	struct session_event *e;

	if (room < PERF_ATTR_SIZE_VER0)
		return bad(s, rec, offset, eb);
	size = get_u32(p + 4, s->rd.swapped);
	if (!size)
		size = PERF_ATTR_SIZE_VER0;
	if (size < PERF_ATTR_SIZE_VER0 || size > room)
		return bad(s, rec, offset, eb);
	if (attr__read(&attr, p, size, s->rd.swapped))
		session__warn(s,
			      "%s: event %d uses a field of a newer kernel's attr that is not "
			      "known here",
			      s->path, s->nr_events);
	e = session__add_event(s, &attr, eb);
	if (!e)
		return -errno;
	for (; size + 8 <= room; size += 8)
		if (session__add_id(s, e, get_u64(p + size, s->rd.swapped)))
			return errbuf__set(eb, -ENOMEM, "%s: too many ids", s->path);
	session__events_known(s);
	return 0;
}

static int take_event_update(struct perf_session *s, const struct perf_event_header *rec,
			     u64 offset, struct errbuf *eb)
{
	const struct perf_rec_event_update *u = (const void *)rec;
	const char *data = (const char *)(u + 1);
	struct session_event *e;
	size_t n;
	u64 v;

	if (rec->size < sizeof(*u))
		return bad(s, rec, offset, eb);
	n = rec->size - sizeof(*u);
	e = perf_session__event_by_id(s, u->id);
	if (!e)
		return 0;
	switch (u->type) {
	case PERF_EVENT_UPDATE_NAME:
		return session__set_name(e, data, strnlen(data, n));
	case PERF_EVENT_UPDATE_UNIT:
		free(e->unit);
		e->unit = strndup(data, n);
		return 0;
	case PERF_EVENT_UPDATE_SCALE:
		if (n < sizeof(v))
			return bad(s, rec, offset, eb);
		v = get_u64(data, s->rd.swapped);
		memcpy(&e->scale, &v, sizeof(v));
		return 0;
	default:
		return 0;
	}
}

static int take_tracing_data(struct perf_session *s, struct reader *r,
			     const struct perf_event_header *rec, u64 offset, bool apply,
			     struct errbuf *eb)
{
	struct section *sec = &s->feat[FEAT_TRACING_DATA];
	u64 size, padded;
	void *data;
	int err;

	if (rec->size < sizeof(struct perf_rec_tracing_data))
		return bad(s, rec, offset, eb);
	size = ((const struct perf_rec_tracing_data *)rec)->size;
	padded = (size + 7) & ~7ULL;
	if (!apply)
		return reader__skip(r, padded, eb);
	err = reader__payload(r, padded, SESSION_MAX_SECTION, &data, eb);
	if (err)
		return err;
	if (sec->owned)
		free((void *)sec->data);
	*sec = (struct section){.data = data, .size = size, .present = true, .owned = true};
	session__take_feature(s, FEAT_TRACING_DATA);
	session__events_known(s);
	return 0;
}

static int take_feature_record(struct perf_session *s, const struct perf_event_header *rec,
			       u64 offset, struct errbuf *eb)
{
	const struct perf_rec_feature *f = (const void *)rec;
	struct section *sec;
	u8 *copy;
	size_t n;

	if (rec->size < sizeof(*f))
		return bad(s, rec, offset, eb);
	if (f->feat_id >= FEAT_LAST || f->feat_id == FEAT_RESERVED ||
	    f->feat_id == FEAT_TRACING_DATA)
		return 0;
	n = rec->size - sizeof(*f);
	copy = malloc(n + 1);
	if (!copy)
		return errbuf__set(eb, -ENOMEM, "%s: no memory", s->path);
	memcpy(copy, f + 1, n);
	sec = &s->feat[f->feat_id];
	if (sec->owned)
		free((void *)sec->data);
	*sec = (struct section){.data = copy, .size = n, .present = true, .owned = true};
	session__take_feature(s, f->feat_id);
	return 0;
}

/* Names of tracepoints, from recorders before 3.12. */
static void take_event_type(struct perf_session *s, const struct perf_event_header *rec)
{
	const u8 *p = (const u8 *)(rec + 1);
	size_t n = rec->size - sizeof(*rec);
	u64 id;

	if (n <= 8)
		return;
	memcpy(&id, p, sizeof(id)); /* swapped with the record */
	for (int i = 0; i < s->nr_events; i++)
		if (s->events[i]->attr.type == PERF_TYPE_TRACEPOINT &&
		    s->events[i]->attr.config == id)
			session__set_name(s->events[i], (const char *)p + 8,
					  strnlen((const char *)p + 8, n - 8));
}

int session__header_record(struct perf_session *s, struct reader *r,
			   const struct perf_event_header *rec, u64 offset, struct errbuf *eb)
{
	bool apply = offset >= s->header_end;

	if (rec->type == PERF_RECORD_HEADER_TRACING_DATA)
		return take_tracing_data(s, r, rec, offset, apply, eb);
	if (!apply)
		return 0;
	switch (rec->type) {
	case PERF_RECORD_HEADER_ATTR:
		return take_attr(s, rec, offset, eb);
	case PERF_RECORD_EVENT_UPDATE:
		return take_event_update(s, rec, offset, eb);
	case PERF_RECORD_HEADER_FEATURE:
		return take_feature_record(s, rec, offset, eb);
	case PERF_RECORD_HEADER_EVENT_TYPE:
		take_event_type(s, rec);
		return 0;
	case PERF_RECORD_HEADER_BUILD_ID:
		if (session__add_build_id(s, rec, rec->size))
			return bad(s, rec, offset, eb);
		s->feat[FEAT_BUILD_ID].present = true;
		return 0;
	default:
		return 0;
	}
}
