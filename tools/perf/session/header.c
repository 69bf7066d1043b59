// SPDX-License-Identifier: GPL-2.0-only
/* The header of a file: magic, byte order, attrs with their ids, where the data and features are.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "session/session-internal.h"
#include "session/swap.h"

#define OLD_HEADER_SIZE 72 /* up to the feature bits, which the first files did not have */

const char *session__keep(struct perf_session *s, const char *str, size_t n)
{
	char *copy;

	if (s->nr_strings == s->cap_strings) {
		u32 cap = s->cap_strings ? s->cap_strings * 2 : 64;
		char **more = realloc(s->strings, cap * sizeof(*more));

		if (!more)
			return NULL;
		s->strings = more;
		s->cap_strings = cap;
	}
	copy = strndup(str, n);
	if (copy)
		s->strings[s->nr_strings++] = copy;
	return copy;
}

/* ---- magic ---- */
static int take_magic(struct perf_session *s, const struct perf_file_header *raw, u64 avail,
		      struct errbuf *eb)
{
	u64 size;

	if (avail < sizeof(struct perf_pipe_header))
		return errbuf__set(eb, -EBADMSG, "%s: not a perf.data file: only %llu bytes long",
				   s->path, (unsigned long long)avail);
	if (!memcmp(&raw->magic, PERF_MAGIC1, 8)) {
		s->version = 0;
		/* The same bytes in both orders: the size tells. */
		s->rd.swapped = bswap_64(raw->size) < raw->size;
	} else if (raw->magic == PERF_MAGIC2 || raw->magic == PERF_MAGIC2_SWAPPED) {
		s->version = 1;
		s->rd.swapped = raw->magic == PERF_MAGIC2_SWAPPED;
	} else {
		return errbuf__set(eb, -EBADMSG,
				   "%s: not a perf.data file: it begins with neither PERFILE2 nor "
				   "PERFFILE",
				   s->path);
	}
	size = s->rd.swapped ? bswap_64(raw->size) : raw->size;
	s->hdr.magic = raw->magic;
	s->hdr.size = size;
	if (size == sizeof(struct perf_pipe_header)) {
		s->is_pipe = true;
		return 0;
	}
	if (size != sizeof(struct perf_file_header) && size != OLD_HEADER_SIZE)
		return errbuf__set(eb, -EBADMSG,
				   "%s: bad header: it says it is %llu bytes long, where 104 (a "
				   "file) or 16 (a pipe) are possible",
				   s->path, (unsigned long long)size);
	if (avail < size)
		return errbuf__set(eb, -EBADMSG, "%s: ends inside its header (%llu of %llu bytes)",
				   s->path, (unsigned long long)avail, (unsigned long long)size);
	return 0;
}

/* The feature bits are an array of longs: in the other byte order it matters how long those are. */
static void take_feature_bits(struct perf_session *s, const u64 *raw)
{
	u64 first;

	if (!s->rd.swapped) {
		memcpy(s->feat_bits, raw, sizeof(s->feat_bits));
		return;
	}
	first = bswap_64(raw[0]);
	if (__BYTE_ORDER == __LITTLE_ENDIAN && !(first & 0xffffffff) && first) {
		for (int i = 0; i < PERF_FEAT_BITS / 64; i++)
			s->feat_bits[i] =
				bswap_32(raw[i] & 0xffffffff) | (u64)bswap_32(raw[i] >> 32) << 32;
		return;
	}
	for (int i = 0; i < PERF_FEAT_BITS / 64; i++)
		s->feat_bits[i] = bswap_64(raw[i]);
}

static bool inside(const struct perf_file_section *sec, u64 file_size)
{
	return sec->offset <= file_size && sec->size <= file_size - sec->offset;
}

static int take_sections(struct perf_session *s, const struct perf_file_header *raw, u64 file_size,
			 struct errbuf *eb)
{
	const u64 *from = &raw->attr_size;
	u64 *to = &s->hdr.attr_size;

	for (int i = 0; i < 7; i++)
		to[i] = get_u64(from + i, s->rd.swapped);
	if (s->hdr.size == sizeof(*raw))
		take_feature_bits(s, raw->features);
	if (!inside(&s->hdr.attrs, file_size))
		return errbuf__set(eb, -EBADMSG,
				   "%s: its attrs (%llu bytes at %#llx) lie outside of the file, "
				   "which has %llu bytes",
				   s->path, (unsigned long long)s->hdr.attrs.size,
				   (unsigned long long)s->hdr.attrs.offset,
				   (unsigned long long)file_size);
	if (s->hdr.data.offset > file_size || s->hdr.data.offset < s->hdr.size)
		return errbuf__set(eb, -EBADMSG,
				   "%s: its data (at %#llx) lies outside of the file, which has "
				   "%llu bytes",
				   s->path, (unsigned long long)s->hdr.data.offset,
				   (unsigned long long)file_size);
	return 0;
}

/* ---- attrs ---- */
static int take_ids(struct perf_session *s, struct session_event *e, const u8 *sec, u64 file_size,
		    struct errbuf *eb)
{
	struct perf_file_section ids = {
		.offset = get_u64(sec, s->rd.swapped),
		.size = get_u64(sec + 8, s->rd.swapped),
	};

	if (!inside(&ids, file_size))
		return errbuf__set(eb, -EBADMSG,
				   "%s: the ids of event %d (%llu bytes at %#llx) lie outside of "
				   "the file",
				   s->path, e->idx, (unsigned long long)ids.size,
				   (unsigned long long)ids.offset);
	for (u64 i = 0; i + 8 <= ids.size; i += 8) {
		int err = session__add_id(s, e, get_u64(s->rd.map + ids.offset + i, s->rd.swapped));

		if (err)
			return errbuf__set(eb, err, "%s: the ids of event %d: %s", s->path, e->idx,
					   err == -E2BIG ? "too many" : "no memory");
	}
	return 0;
}

static int take_attrs(struct perf_session *s, u64 file_size, struct errbuf *eb)
{
	const struct perf_file_section *sec = &s->hdr.attrs;
	u64 stride = s->hdr.attr_size, max = stride - sizeof(struct perf_file_section);

	if (!sec->size)
		return errbuf__set(eb, -EBADMSG, "%s: it has no events (its attrs are empty)",
				   s->path);
	if (stride < PERF_ATTR_SIZE_MIN + sizeof(struct perf_file_section) ||
	    stride > PERF_ATTR_SIZE_MAX)
		return errbuf__set(eb, -EBADMSG, "%s: bad header: an attr of %llu bytes", s->path,
				   (unsigned long long)stride);
	for (u64 at = 0; at + stride <= sec->size; at += stride) {
		const u8 *p = s->rd.map + sec->offset + at;
		struct perf_event_attr attr;
		struct session_event *e;
		u32 size = get_u32(p + 4, s->rd.swapped);
		int err;

		if (size > max)
			return errbuf__set(eb, -EBADMSG,
					   "%s: attr %d at offset %#llx says it has %u bytes, its "
					   "entry only %llu",
					   s->path, s->nr_events,
					   (unsigned long long)(sec->offset + at), size,
					   (unsigned long long)max);
		if (attr__read(&attr, p, size ? size : PERF_ATTR_SIZE_VER0, s->rd.swapped))
			session__warn(s,
				      "%s: event %d uses a field of a newer kernel's attr that is "
				      "not known here",
				      s->path, s->nr_events);
		e = session__add_event(s, &attr, eb);
		if (!e)
			return -errno;
		err = take_ids(s, e, p + max, file_size, eb);
		if (err)
			return err;
	}
	if (!s->nr_events)
		return errbuf__set(eb, -EBADMSG, "%s: it has no events (its attrs are cut short)",
				   s->path);
	return 0;
}

/* Files before 3.12: the names of the tracepoints by id. */
static void take_event_types(struct perf_session *s, u64 file_size)
{
	const struct perf_file_section *sec = &s->hdr.event_types;

	if (!sec->size || !inside(sec, file_size))
		return;
	for (u64 at = 0; at + 72 <= sec->size; at += 72) {
		const u8 *p = s->rd.map + sec->offset + at;
		u64 id = get_u64(p, s->rd.swapped);

		for (int i = 0; i < s->nr_events; i++) {
			struct session_event *e = s->events[i];

			if (e->attr.type == PERF_TYPE_TRACEPOINT && e->attr.config == id)
				session__set_name(e, (const char *)p + 8,
						  strnlen((const char *)p + 8, 64));
		}
	}
}

/* ---- features ---- */
static int take_features(struct perf_session *s, u64 file_size, struct errbuf *eb)
{
	struct perf_file_section table = {.offset = s->hdr.data.offset + s->hdr.data.size};
	const u8 *entry;

	for (int i = 0; i < PERF_FEAT_BITS / 64; i++)
		table.size += sizeof(table) * __builtin_popcountll(s->feat_bits[i]);
	if (!table.size)
		return 0;
	if (!inside(&table, file_size))
		return errbuf__set(eb, -EBADMSG,
				   "%s: its header announces %llu features, but their table (at "
				   "%#llx) lies outside of the file, which has %llu bytes",
				   s->path, (unsigned long long)(table.size / sizeof(table)),
				   (unsigned long long)table.offset, (unsigned long long)file_size);
	entry = s->rd.map + table.offset;
	for (u32 feat = 0; feat < PERF_FEAT_BITS; feat++) {
		struct perf_file_section sec;

		if (!(s->feat_bits[feat / 64] >> (feat % 64) & 1))
			continue;
		sec.offset = get_u64(entry, s->rd.swapped);
		sec.size = get_u64(entry + 8, s->rd.swapped);
		entry += sizeof(sec);
		if (feat >= FEAT_LAST || feat == FEAT_RESERVED)
			continue;
		if (!inside(&sec, file_size) || sec.size > SESSION_MAX_SECTION)
			return errbuf__set(eb, -EBADMSG,
					   "%s: its feature %s (%llu bytes at %#llx) lies outside "
					   "of the file",
					   s->path, feature__name(feat),
					   (unsigned long long)sec.size,
					   (unsigned long long)sec.offset);
		s->feat[feat] = (struct section){
			.data = s->rd.map + sec.offset, .size = sec.size, .present = true};
		session__take_feature(s, feat);
	}
	return 0;
}

static void take_embedded(struct perf_session *s, u64 file_size)
{
	struct perf_embed_trailer t;

	if (file_size < sizeof(t))
		return;
	memcpy(&t, s->rd.map + file_size - sizeof(t), sizeof(t));
	if (memcmp(t.magic, PERF_EMBED_MAGIC, sizeof(t.magic)))
		return;
	t.offset = get_u64(&t.offset, s->rd.swapped);
	t.size = get_u64(&t.size, s->rd.swapped);
	if (t.offset > file_size - sizeof(t) || t.size > file_size - sizeof(t) - t.offset) {
		session__warn(s, "%s: its embedded symbols lie outside of the file", s->path);
		return;
	}
	s->embedded =
		(struct section){.data = s->rd.map + t.offset, .size = t.size, .present = true};
}

/* A recorder that was killed could not write its table of features. Ours puts the tracepoints'
 * formats between attrs and data, where they can be found all the same. */
static void find_tracing(struct perf_session *s)
{
	static const u8 magic[] = {23, 8, 68, 't', 'r', 'a', 'c', 'i', 'n', 'g'};
	u64 from = s->hdr.attrs.offset + s->hdr.attrs.size, to = s->hdr.data.offset;

	if (to <= from || to - from < sizeof(magic) ||
	    memcmp(s->rd.map + from, magic, sizeof(magic)))
		return;
	s->feat[FEAT_TRACING_DATA] =
		(struct section){.data = s->rd.map + from, .size = to - from, .present = true};
	session__take_feature(s, FEAT_TRACING_DATA);
}

int session__read_header(struct perf_session *s, u64 file_size, struct errbuf *eb)
{
	struct perf_file_header raw;
	bool whole;
	int err;

	memset(&raw, 0, sizeof(raw));
	memcpy(&raw, s->rd.map, min_t(u64, file_size, sizeof(raw)));
	err = take_magic(s, &raw, file_size, eb);
	if (err || s->is_pipe)
		return err;
	err = take_sections(s, &raw, file_size, eb);
	if (!err)
		err = take_attrs(s, file_size, eb);
	if (err)
		return err;
	take_event_types(s, file_size);
	whole = s->hdr.data.size && inside(&s->hdr.data, file_size);
	if (whole) {
		err = take_features(s, file_size, eb);
		if (err)
			return err;
		take_embedded(s, file_size);
	} else {
		memset(s->feat_bits, 0, sizeof(s->feat_bits));
		s->cut = true;
		find_tracing(s);
		if (s->hdr.data.size)
			session__warn(s,
				      "The %s file is truncated: its header promises %llu bytes of "
				      "data, %llu are there. Reading as far as it goes, without "
				      "its header features.",
				      s->path, (unsigned long long)s->hdr.data.size,
				      (unsigned long long)(file_size - s->hdr.data.offset));
		else
			session__warn(s,
				      "WARNING: The %s file's data size field is 0 which is "
				      "unexpected. Was the 'perf record' command properly "
				      "terminated?",
				      s->path);
	}
	session__events_known(s);
	reader__set_data(&s->rd, s->hdr.data.offset,
			 whole ? s->hdr.data.offset + s->hdr.data.size : file_size);
	return 0;
}
