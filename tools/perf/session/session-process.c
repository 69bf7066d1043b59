// SPDX-License-Identifier: GPL-2.0-only
/* A run over all records: from the readers, through the queue, to the callbacks. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "session/session-internal.h"
#include "session/swap.h"

#define DIR_BATCH (256UL << 10) /* bytes read from one of a directory's files before the next */

/* ---- handing out ---- */
static session_cb kernel_callback(const struct session_ops *ops, u32 type)
{
	switch (type) {
	case PERF_RECORD_SAMPLE:
		return ops->sample;
	case PERF_RECORD_LOST:
	case PERF_RECORD_LOST_SAMPLES:
		return ops->lost;
	case PERF_RECORD_THROTTLE:
	case PERF_RECORD_UNTHROTTLE:
		return ops->throttle;
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_SWITCH_CPU_WIDE:
		return ops->ctxswitch;
	case PERF_RECORD_READ:
		return ops->read;
	case PERF_RECORD_AUX:
	case PERF_RECORD_ITRACE_START:
	case PERF_RECORD_AUX_OUTPUT_HW_ID:
		return ops->aux;
	default:
		return ops->sideband;
	}
}

static void count_lost(struct perf_session *s, const struct perf_event_header *rec)
{
	const u64 *body = (const u64 *)(rec + 1);

	if (rec->type == PERF_RECORD_LOST)
		s->stats.lost += body[1];
	else if (rec->type == PERF_RECORD_LOST_SAMPLES)
		s->stats.lost_samples += body[0];
}

static int deliver(struct perf_session *s, const struct perf_event_header *rec, u64 offset)
{
	session_cb cb = kernel_callback(s->ops, rec->type);
	struct session_event *e = session__find_event(s, rec, false);
	struct perf_sample sample;

	if (rec->type == PERF_RECORD_SAMPLE) {
		if (!e) {
			s->stats.unknown_id++;
			return 0;
		}
		if (!cb)
			return 0;
	} else {
		if (!record__valid(rec, e ? &e->attr : NULL)) {
			s->stats.malformed++;
			return 0;
		}
		count_lost(s, rec);
		if (!cb)
			return 0;
		if (!e || !e->attr.sample_id_all) {
			memset(&sample, 0, sizeof(sample));
			sample.cpumode = rec->misc & PERF_RECORD_MISC_CPUMODE_MASK;
			s->offset = offset;
			return cb(s->ops->ctx, s, e, rec, &sample);
		}
	}
	if (perf_sample__parse(&e->attr, rec, &sample)) {
		s->stats.malformed++;
		return 0;
	}
	s->offset = offset;
	return cb(s->ops->ctx, s, e, rec, &sample);
}

static int deliver_queued(void *ctx, const struct ordered_entry *ent)
{
	struct perf_session *s = ctx;
	int ret;

	if (unlikely(ent->time < s->last_time))
		s->stats.out_of_order++;
	else
		s->last_time = ent->time;
	ret = deliver(s, ent->rec, ent->offset);
	reader__release(&s->rd, ent->rec);
	return ret;
}

/* Pages of the mapped file that no waiting record lies in can go. */
static void drop_read(struct perf_session *s)
{
	const struct ordered_queue *q = &s->queue;
	u64 oldest = s->rd.pos;

	if (!s->rd.map || s->rd.pos < s->rd.dropped + (8 << 20))
		return;
	for (size_t i = 0; i < q->nr; i++)
		if (reader__in_map(&s->rd, q->ent[i].rec) &&
		    (u64)((const u8 *)q->ent[i].rec - s->rd.map) < oldest)
			oldest = (const u8 *)q->ent[i].rec - s->rd.map;
	reader__drop(&s->rd, oldest);
}

static int flush(struct perf_session *s, u64 limit)
{
	int ret = ordered_queue__flush(&s->queue, limit, deliver_queued, s);

	drop_read(s);
	return ret;
}

static int enqueue(struct perf_session *s, const struct perf_event_header *rec, u64 offset,
		   u64 time)
{
	int ret = ordered_queue__push(&s->queue, time, rec, offset);

	if (ret)
		return errbuf__set(s->eb, ret, "%s: no memory", s->path);
	reader__hold(&s->rd, rec);
	if (time > s->batch_max)
		s->batch_max = time;
	while (unlikely(s->queue.nr >= SESSION_MAX_QUEUED ||
			s->pool.nr_live > SESSION_MAX_CHUNKS) &&
	       s->queue.nr) {
		ret = ordered_queue__flush_half(&s->queue, deliver_queued, s);
		if (ret)
			return ret;
		drop_read(s);
	}
	return 0;
}

/* ---- taking in ---- */
static u64 record_time(const struct session_event *e, const struct perf_event_header *rec)
{
	int at;

	if (!e)
		return 0;
	if (rec->type == PERF_RECORD_SAMPLE)
		at = e->sample_time;
	else
		at = e->trailer_time < 0 ? -1 : (rec->size & ~7) - e->trailer_time;
	if (at < 8 || at + 8 > rec->size)
		return 0;
	return get_u64((const u8 *)rec + at, false);
}

/*
 * Linux 3.12 to 3.15 wrote MMAP2 without prot and flags: the file name stands in their place. No
 * set of PROT_ bits looks like the beginning of a path.
 */
#define MMAP2_PROT 64	      /* where they stand in the record */
#define PROT_BITS 0x0300003fU /* READ to SEM, BTI and MTE, GROWSDOWN and GROWSUP */

static bool is_old_mmap2(const struct perf_event_header *rec, bool swapped)
{
	return rec->type == PERF_RECORD_MMAP2 && rec->size >= MMAP2_PROT + 8 &&
	       !(rec->misc & PERF_RECORD_MISC_MMAP_BUILD_ID) &&
	       (get_u32((const u8 *)rec + MMAP2_PROT, swapped) & ~PROT_BITS);
}

static struct perf_event_header *widen_mmap2(struct reader *r, const struct perf_event_header *rec)
{
	struct perf_event_header *wide = reader__widen(r, rec, MMAP2_PROT, 8);
	u32 prot = rec->misc & PERF_RECORD_MISC_MMAP_DATA ? 1 : 5; /* what is recorded is code */

	if (wide) {
		prot = r->swapped ? bswap_32(prot) : prot;
		memcpy((u8 *)wide + MMAP2_PROT, &prot, sizeof(prot));
	}
	return wide;
}

static int take_kernel_record(struct perf_session *s, struct reader *r,
			      struct perf_event_header *rec, u64 offset)
{
	struct session_event *e = NULL;
	u64 time;
	int ret;

	if (rec->type > PERF_RECORD_AUX_OUTPUT_HW_ID || !rec->type) {
		s->stats.unknown++;
		if (s->opts.raw) {
			ret = s->opts.raw(s->opts.ctx, s, rec, offset);
			if (ret)
				return ret;
		}
		s->offset = offset;
		return s->ops->unknown ? s->ops->unknown(s->ops->ctx, s, NULL, rec, NULL) : 0;
	}
	if (unlikely(rec->type == PERF_RECORD_MMAP2 && is_old_mmap2(rec, s->rd.swapped))) {
		rec = widen_mmap2(r, rec);
		if (!rec)
			return errbuf__set(s->eb, -ENOMEM, "%s: no memory", s->path);
	}
	if (s->rd.swapped) {
		e = session__find_event(s, rec, true);
		if (swap_record(rec, e ? &e->attr : NULL)) {
			if (rec->type == PERF_RECORD_SAMPLE && !e)
				s->stats.unknown_id++;
			else
				s->stats.malformed++;
			return 0;
		}
	} else {
		e = session__find_event(s, rec, false);
	}
	if (unlikely(s->opts.raw)) {
		ret = s->opts.raw(s->opts.ctx, s, rec, offset);
		if (ret)
			return ret;
	}
	if (s->opts.unordered || !s->has_time)
		return deliver(s, rec, offset);
	time = record_time(e, rec);
	if (!time || time == UINT64_MAX)
		return deliver(s, rec, offset);
	return enqueue(s, rec, offset, time);
}

static int tool_callback(struct perf_session *s, const struct perf_event_header *rec, u64 offset)
{
	s->offset = offset;
	return s->ops->tool ? s->ops->tool(s->ops->ctx, s, NULL, rec, NULL) : 0;
}

static int take_auxtrace(struct perf_session *s, struct reader *r,
			 const struct perf_event_header *rec, u64 offset)
{
	u64 size = ((const struct perf_rec_auxtrace *)rec)->size;
	int ret = tool_callback(s, rec, offset);

	if (ret)
		return ret;
	s->stats.auxtrace_bytes += size;
	ret = reader__skip(r, size, s->eb);
	return ret == -ENODATA ? 0 : ret; /* truncated, which the reader remembers */
}

static int take_record(struct perf_session *s, struct reader *r, struct perf_event_header *rec,
		       u64 offset, bool unpacked);

static int take_compressed(struct perf_session *s, struct reader *r,
			   const struct perf_event_header *rec, u64 offset)
{
	int ret = reader__unpack(r, rec, s->eb);

	s->stats.compressed += rec->size - sizeof(*rec);
	while (!ret) {
		struct perf_event_header *inner;

		ret = reader__next_unpacked(r, &inner, &s->stats.decompressed, s->eb);
		if (ret <= 0)
			return ret;
		ret = take_record(s, r, inner, offset, true);
	}
	return ret;
}

static int take_tool_record(struct perf_session *s, struct reader *r, struct perf_event_header *rec,
			    u64 offset, bool unpacked)
{
	int ret;

	if (s->rd.swapped && rec->type != PERF_RECORD_HEADER_ATTR)
		swap_record(rec, NULL);
	if (s->opts.raw) {
		/* The header records of a pipe were shown by open(). */
		if (offset >= s->header_end || s->processed) {
			ret = s->opts.raw(s->opts.ctx, s, rec, offset);
			if (ret)
				return ret;
		}
	}
	if (rec->type >= PERF_RECORD_TOOL_MAX) {
		s->stats.unknown++;
		s->offset = offset;
		return s->ops->unknown ? s->ops->unknown(s->ops->ctx, s, NULL, rec, NULL) : 0;
	}
	/* These have bytes behind them, or in them, that a COMPRESSED record cannot hold. */
	if (unpacked &&
	    (rec->type == PERF_RECORD_COMPRESSED || rec->type == PERF_RECORD_COMPRESSED2 ||
	     rec->type == PERF_RECORD_AUXTRACE || rec->type == PERF_RECORD_HEADER_TRACING_DATA)) {
		s->stats.malformed++;
		return 0;
	}
	if (session__is_header_record(rec->type)) {
		ret = session__header_record(s, r, rec, offset, s->eb);
		return ret == -ENODATA ? 0 : ret;
	}
	if (!record__valid(rec, NULL)) {
		s->stats.malformed++;
		return 0;
	}
	switch (rec->type) {
	case PERF_RECORD_COMPRESSED:
	case PERF_RECORD_COMPRESSED2:
		return take_compressed(s, r, rec, offset);
	case PERF_RECORD_AUXTRACE:
		return take_auxtrace(s, r, rec, offset);
	case PERF_RECORD_FINISHED_ROUND:
		/* What came in the round before last cannot be overtaken any more. */
		if (!s->nr_dir) {
			ret = flush(s, s->round_limit);
			if (ret)
				return ret;
			s->round_limit = s->queue.max_time;
		}
		return tool_callback(s, rec, offset);
	default:
		return tool_callback(s, rec, offset);
	}
}

static int take_record(struct perf_session *s, struct reader *r, struct perf_event_header *rec,
		       u64 offset, bool unpacked)
{
	s->stats.records++;
	if (rec->type < PERF_RECORD_TOOL_MAX)
		s->stats.nr[rec->type]++;
	if (rec->type < PERF_RECORD_TOOL_START)
		return take_kernel_record(s, r, rec, offset);
	return take_tool_record(s, r, rec, offset, unpacked);
}

/* The next record of @r: 1, 0 at its end, -errno. */
static int fetch(struct perf_session *s, struct reader *r, struct perf_event_header **rec,
		 u64 *offset)
{
	if (unlikely(s->peeked && r == &s->rd)) {
		*rec = s->peeked;
		*offset = s->peeked_offset;
		s->peeked = NULL;
		return 1;
	}
	return reader__next(r, rec, offset, s->eb);
}

/* ---- one file, or a stream ---- */
static int run_one(struct perf_session *s)
{
	for (;;) {
		struct perf_event_header *rec;
		u64 offset;
		int ret = fetch(s, &s->rd, &rec, &offset);

		if (ret <= 0)
			return ret;
		ret = take_record(s, &s->rd, rec, offset, false);
		if (unlikely(ret))
			return ret;
	}
}

/* ---- a directory: each file is in order by itself, or nearly so; they are merged ---- */
struct source {
	struct reader *r;
	u64 seen; /* latest time read so far */
	u64 safe; /* the same, a batch ago: nothing earlier is still to come */
	bool done;
};

static int run_batch(struct perf_session *s, struct source *src)
{
	u64 until = src->r->pos + DIR_BATCH;

	s->batch_max = 0;
	while (src->r->pos < until) {
		struct perf_event_header *rec;
		u64 offset;
		int ret = fetch(s, src->r, &rec, &offset);

		if (ret < 0)
			return ret;
		if (!ret) {
			src->done = true;
			return 0;
		}
		ret = take_record(s, src->r, rec, offset, false);
		if (ret)
			return ret;
	}
	src->safe = src->seen;
	src->seen = max_t(u64, src->seen, s->batch_max);
	return 0;
}

static int run_dir(struct perf_session *s)
{
	size_t nr = (size_t)s->nr_dir + 1;
	int ret = 0;
	struct source *src = calloc(nr, sizeof(*src));

	if (!src)
		return errbuf__set(s->eb, -ENOMEM, "%s: no memory", s->path);
	for (size_t i = 0; i < nr; i++)
		src[i].r = i ? &s->dir[i - 1] : &s->rd;
	while (!ret) {
		struct source *late = NULL;

		for (size_t i = 0; i < nr; i++)
			if (!src[i].done && (!late || src[i].safe < late->safe))
				late = &src[i];
		if (!late)
			break;
		/* The file that is furthest behind decides what may be handed out. */
		if (late->safe)
			ret = flush(s, late->safe);
		if (!ret)
			ret = run_batch(s, late);
	}
	free(src);
	return ret;
}

/* ---- the run ---- */
static void drop_queue(struct perf_session *s)
{
	for (size_t i = 0; i < s->queue.nr; i++)
		reader__release(&s->rd, s->queue.ent[i].rec);
	ordered_queue__exit(&s->queue);
}

static int begin(struct perf_session *s, struct errbuf *eb)
{
	drop_queue(s);
	memset(&s->stats, 0, sizeof(s->stats));
	s->round_limit = s->last_time = s->offset = 0;
	if (!s->processed)
		return 0;
	s->peeked = NULL;
	for (int i = -1; i < s->nr_dir; i++) {
		int err = reader__rewind(i < 0 ? &s->rd : &s->dir[i]);

		if (err)
			return errbuf__set(eb, -ESPIPE, "%s: a pipe can be read only once",
					   s->path);
	}
	return 0;
}

static void end(struct perf_session *s)
{
	struct session_stats *st = &s->stats;

	st->truncated = s->cut;
	for (int i = -1; i < s->nr_dir; i++) {
		struct reader *r = i < 0 ? &s->rd : &s->dir[i];

		st->bytes += r->pos - r->begin;
		st->truncated |= r->truncated || r->dec_w != r->dec_r;
	}
	st->peak_queued = s->queue.peak;
	s->header_end = max_t(u64, s->header_end, s->rd.pos);
	s->processed = true;
}

int perf_session__process(struct perf_session *s, const struct session_ops *ops, struct errbuf *eb)
{
	static const struct session_ops none;
	int ret = begin(s, eb);

	if (ret)
		return ret;
	s->ops = ops ? ops : &none;
	s->eb = eb;
	ret = s->nr_dir ? run_dir(s) : run_one(s);
	/* A file that turns out to be malformed: what came before is still handed out. */
	if (!ret || (ret == -EBADMSG && s->eb && !errbuf__empty(s->eb))) {
		int last = flush(s, UINT64_MAX);

		if (!ret)
			ret = last;
	}
	end(s);
	drop_queue(s);
	s->ops = NULL;
	s->eb = NULL;
	return ret;
}

u64 perf_session__offset(const struct perf_session *s)
{
	return s->offset;
}

const struct session_stats *perf_session__stats(const struct perf_session *s)
{
	return &s->stats;
}

void perf_session__warn_stats(const struct perf_session *s)
{
	const struct session_stats *st = &s->stats;

	if (st->nr[PERF_RECORD_LOST])
		session__warn(s,
			      "Processed %" PRIu64 " events and lost %" PRIu64 " chunks (%" PRIu64
			      " events)! Check IO/CPU overload!",
			      st->records, st->nr[PERF_RECORD_LOST], st->lost);
	if (st->lost_samples)
		session__warn(s, "Processed %" PRIu64 " samples and lost %" PRIu64 " (%3.2f%%)!",
			      st->nr[PERF_RECORD_SAMPLE], st->lost_samples,
			      100.0 * st->lost_samples /
				      (st->lost_samples + st->nr[PERF_RECORD_SAMPLE]));
	if (st->unknown)
		session__warn(s,
			      "Found %" PRIu64 " records of unknown type, skipped. Was the file "
			      "recorded by a newer tool?",
			      st->unknown);
	if (st->malformed)
		session__warn(s, "%" PRIu64 " malformed records, skipped", st->malformed);
	if (st->unknown_id)
		session__warn(s, "%" PRIu64 " samples with id not present in the header",
			      st->unknown_id);
	if (st->out_of_order)
		session__warn(s, "%" PRIu64 " out of order events recorded.", st->out_of_order);
	if (st->nr[PERF_RECORD_AUXTRACE])
		session__warn(s,
			      "%" PRIu64 " AUX area buffers (%" PRIu64 " bytes) skipped: hardware "
			      "traces are not decoded here",
			      st->nr[PERF_RECORD_AUXTRACE], st->auxtrace_bytes);
	if (st->truncated && !s->cut)
		session__warn(s, "%s: the data ends inside a record; read as far as it goes",
			      s->path);
}

const char *perf_record__name(u32 type)
{
	static const char *const names[PERF_RECORD_TOOL_MAX] = {
		[PERF_RECORD_MMAP] = "MMAP",
		[PERF_RECORD_LOST] = "LOST",
		[PERF_RECORD_COMM] = "COMM",
		[PERF_RECORD_EXIT] = "EXIT",
		[PERF_RECORD_THROTTLE] = "THROTTLE",
		[PERF_RECORD_UNTHROTTLE] = "UNTHROTTLE",
		[PERF_RECORD_FORK] = "FORK",
		[PERF_RECORD_READ] = "READ",
		[PERF_RECORD_SAMPLE] = "SAMPLE",
		[PERF_RECORD_MMAP2] = "MMAP2",
		[PERF_RECORD_AUX] = "AUX",
		[PERF_RECORD_ITRACE_START] = "ITRACE_START",
		[PERF_RECORD_LOST_SAMPLES] = "LOST_SAMPLES",
		[PERF_RECORD_SWITCH] = "SWITCH",
		[PERF_RECORD_SWITCH_CPU_WIDE] = "SWITCH_CPU_WIDE",
		[PERF_RECORD_NAMESPACES] = "NAMESPACES",
		[PERF_RECORD_KSYMBOL] = "KSYMBOL",
		[PERF_RECORD_BPF_EVENT] = "BPF_EVENT",
		[PERF_RECORD_CGROUP] = "CGROUP",
		[PERF_RECORD_TEXT_POKE] = "TEXT_POKE",
		[PERF_RECORD_AUX_OUTPUT_HW_ID] = "AUX_OUTPUT_HW_ID",
		[PERF_RECORD_HEADER_ATTR] = "ATTR",
		[PERF_RECORD_HEADER_EVENT_TYPE] = "EVENT_TYPE",
		[PERF_RECORD_HEADER_TRACING_DATA] = "TRACING_DATA",
		[PERF_RECORD_HEADER_BUILD_ID] = "BUILD_ID",
		[PERF_RECORD_FINISHED_ROUND] = "FINISHED_ROUND",
		[PERF_RECORD_ID_INDEX] = "ID_INDEX",
		[PERF_RECORD_AUXTRACE_INFO] = "AUXTRACE_INFO",
		[PERF_RECORD_AUXTRACE] = "AUXTRACE",
		[PERF_RECORD_AUXTRACE_ERROR] = "AUXTRACE_ERROR",
		[PERF_RECORD_THREAD_MAP] = "THREAD_MAP",
		[PERF_RECORD_CPU_MAP] = "CPU_MAP",
		[PERF_RECORD_STAT_CONFIG] = "STAT_CONFIG",
		[PERF_RECORD_STAT] = "STAT",
		[PERF_RECORD_STAT_ROUND] = "STAT_ROUND",
		[PERF_RECORD_EVENT_UPDATE] = "EVENT_UPDATE",
		[PERF_RECORD_TIME_CONV] = "TIME_CONV",
		[PERF_RECORD_HEADER_FEATURE] = "FEATURE",
		[PERF_RECORD_COMPRESSED] = "COMPRESSED",
		[PERF_RECORD_FINISHED_INIT] = "FINISHED_INIT",
		[PERF_RECORD_COMPRESSED2] = "COMPRESSED2",
		[PERF_RECORD_BPF_METADATA] = "BPF_METADATA",
	};

	return type < ARRAY_SIZE(names) && names[type] ? names[type] : "UNKNOWN";
}
