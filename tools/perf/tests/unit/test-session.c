// SPDX-License-Identifier: GPL-2.0-only
/*
 * The reader, on files built by hand, byte for byte, in both byte orders: every parsed value is
 * stated here. And on files that lie.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>
#include <cmocka.h>

#include "session/session.h"

/* ---- bytes in either order ---- */
struct bytes {
	u8 p[1 << 20];
	size_t n;
	bool be;
};
static struct bytes f, data, rec;

static void put(struct bytes *b, u64 v, int size)
{
	for (int i = 0; i < size; i++)
		b->p[b->n++] = v >> 8 * (b->be ? size - 1 - i : i);
}

static void put_at(struct bytes *b, size_t at, u64 v, int size)
{
	size_t n = b->n;

	b->n = at;
	put(b, v, size);
	b->n = n;
}

static void put_text(struct bytes *b, const char *s, size_t padded)
{
	memset(b->p + b->n, 0, padded);
	memcpy(b->p + b->n, s, strlen(s));
	b->n += padded;
}

static void put_bytes(struct bytes *b, const struct bytes *from)
{
	memcpy(b->p + b->n, from->p, from->n);
	b->n += from->n;
}

/* A bit field of a u64 that the compiler lays out from the low end (LE) or the high end (BE). */
static u64 field(const struct bytes *b, int pos, int width, u64 v)
{
	return v << (b->be ? 64 - pos - width : pos);
}

/* ---- records: begin, put the body, end ---- */
static void begin(u32 type, u16 misc)
{
	rec.n = 0;
	put(&rec, type, 4);
	put(&rec, misc, 2);
	put(&rec, 0, 2);
}

static void end_into(struct bytes *to)
{
	put_at(&rec, 6, rec.n, 2);
	put_bytes(to, &rec);
}

#define SAMPLE_TYPE                                                                     \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | \
	 PERF_SAMPLE_ADDR | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD | PERF_SAMPLE_READ |   \
	 PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_RAW | PERF_SAMPLE_BRANCH_STACK |           \
	 PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER | PERF_SAMPLE_WEIGHT_STRUCT |   \
	 PERF_SAMPLE_PHYS_ADDR | PERF_SAMPLE_AUX)

static void put_attr(struct bytes *b, u32 config, u64 sample_type, u32 size)
{
	size_t from = b->n;

	put(b, PERF_TYPE_SOFTWARE, 4);
	put(b, size, 4);
	put(b, config, 8);
	put(b, 4000, 8);
	put(b, sample_type, 8);
	put(b, PERF_FORMAT_GROUP | PERF_FORMAT_ID | PERF_FORMAT_TOTAL_TIME_ENABLED, 8);
	/* disabled, mmap, freq, precise_ip 2, sample_id_all */
	put(b,
	    field(b, 0, 1, 1) | field(b, 8, 1, 1) | field(b, 10, 1, 1) | field(b, 15, 2, 2) |
		    field(b, 18, 1, 1),
	    8);
	put(b, 7, 4); /* wakeup_events */
	put(b, 0, 4);
	put(b, 0, 8);
	if (size > 64)
		put(b, 0, 8);
	if (size > 72)
		put(b, PERF_SAMPLE_BRANCH_ANY | PERF_SAMPLE_BRANCH_HW_INDEX, 8);
	if (size > 80) {
		put(b, 0x3, 8); /* two user registers */
		put(b, 64, 4);
		put(b, (u32)-1, 4);
	}
	while (b->n < from + size)
		put(b, 0, 8);
}

/* The trailer of the other records: TID, TIME, CPU, IDENTIFIER. */
static void put_trailer(u32 pid, u64 time, u64 id)
{
	put(&rec, pid, 4);
	put(&rec, pid + 1, 4);
	put(&rec, time, 8);
	put(&rec, 3, 4);
	put(&rec, 0, 4);
	put(&rec, id, 8);
}

static void put_sample(u64 id, u64 time)
{
	begin(PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER);
	put(&rec, id, 8);
	put(&rec, 0x401000 + time, 8);
	put(&rec, 100, 4);
	put(&rec, 101, 4);
	put(&rec, time, 8);
	put(&rec, 0xabcdef0123456789, 8); /* addr */
	put(&rec, 3, 4);
	put(&rec, 0, 4);
	put(&rec, 250000, 8);
	put(&rec, 1, 8); /* read: a group of one, time enabled, value, id */
	put(&rec, 55, 8);
	put(&rec, 66, 8);
	put(&rec, id, 8);
	put(&rec, 2, 8); /* chain */
	put(&rec, (u64)PERF_CONTEXT_USER, 8);
	put(&rec, 0x401234, 8);
	put(&rec, 12, 4); /* raw, left as it is */
	put_text(&rec, "abcdefghijk", 12);
	put(&rec, 1, 8); /* branches, hw_idx */
	put(&rec, 9, 8);
	put(&rec, 0x1111, 8);
	put(&rec, 0x2222, 8);
	put(&rec, field(&rec, 1, 1, 1) | field(&rec, 4, 16, 0x1234) | field(&rec, 20, 4, 5), 8);
	put(&rec, PERF_SAMPLE_REGS_ABI_64, 8);
	put(&rec, 0xaa, 8);
	put(&rec, 0xbb, 8);
	put(&rec, 16, 8); /* user stack */
	put_text(&rec, "stackstackstack", 16);
	put(&rec, 8, 8);
	put(&rec, 0x0003000200000001,
	    8); /* weight 1, 2 and 3: declared so that the u64 is the same */
	put(&rec, 0x77777, 8);
	put(&rec, 8, 8); /* aux */
	put_text(&rec, "auxdata", 8);
	end_into(&data);
}

static void put_comm(const char *comm, u32 pid, u64 time, u64 id)
{
	begin(PERF_RECORD_COMM, PERF_RECORD_MISC_COMM_EXEC);
	put(&rec, pid, 4);
	put(&rec, pid, 4);
	put_text(&rec, comm, 16);
	put_trailer(pid, time, id);
	end_into(&data);
}

static void put_round(void)
{
	begin(PERF_RECORD_FINISHED_ROUND, 0);
	end_into(&data);
}

/* ---- files ---- */
static void put_str(struct bytes *b, const char *s)
{
	put(b, 64, 4);
	put_text(b, s, 64);
}

#define HEADER 104

/* Two events of attr size @size, ids 11 and 12 for the first, 21 for the second; then `data` and,
 * as features, a host name and the command line. */
static void build_file(bool be, u32 size)
{
	size_t ids, attrs, table;

	f.n = 0;
	f.be = be;
	memset(f.p, 0, HEADER);
	/* The magic is a number: its bytes stand the other way round. */
	memcpy(f.p, be ? "2ELIFREP" : "PERFILE2", 8);
	put_at(&f, 8, HEADER, 8);
	f.n = HEADER;
	ids = f.n;
	put(&f, 11, 8);
	put(&f, 12, 8);
	put(&f, 21, 8);
	attrs = f.n;
	put_attr(&f, PERF_COUNT_SW_CPU_CLOCK, SAMPLE_TYPE, size);
	put(&f, ids, 8);
	put(&f, 16, 8);
	put_attr(&f, PERF_COUNT_SW_PAGE_FAULTS, SAMPLE_TYPE, size);
	put(&f, ids + 16, 8);
	put(&f, 8, 8);
	put_at(&f, 16, size + 16, 8);
	put_at(&f, 24, attrs, 8);
	put_at(&f, 32, 2 * (size + 16), 8);
	put_at(&f, 40, f.n, 8);
	put_at(&f, 48, data.n, 8);
	put_bytes(&f, &data);
	put_at(&f, 72, 1ULL << FEAT_HOSTNAME | 1ULL << FEAT_CMDLINE, 8);
	table = f.n;
	put(&f, table + 32, 8);
	put(&f, 68, 8);
	put(&f, table + 32 + 68, 8);
	put(&f, 4 + 2 * 68, 8);
	put_str(&f, "the-host");
	put(&f, 2, 4);
	put_str(&f, "perf");
	put_str(&f, "record");
}

static char path[64];

static int make_path(void **state)
{
	int fd;

	(void)state;
	strcpy(path, "/tmp/perf-test-session.XXXXXX");
	fd = mkstemp(path);
	close(fd);
	data.n = 0;
	return fd < 0;
}

static int remove_path(void **state)
{
	(void)state;
	return unlink(path);
}

static void save(const struct bytes *b)
{
	int fd = open(path, O_WRONLY | O_TRUNC);

	assert_int_equal(write(fd, b->p, b->n), b->n);
	close(fd);
}

/* What came, in words, one line a record. */
static char seen[1 << 16], warned[4096];
static size_t seen_n;

static int note(const char *what, struct session_event *e, const struct perf_sample *s)
{
	seen_n +=
		snprintf(seen + seen_n, sizeof(seen) - seen_n,
			 "%s %s %" PRIu64 " %" PRIu64 " %u/%u cpu %u\n", what,
			 e ? session_event__name(e) : "-", s->time, s->id, s->pid, s->tid, s->cpu);
	return 0;
}

static int on_sample(void *ctx, struct perf_session *s, struct session_event *e,
		     const struct perf_event_header *r, const struct perf_sample *p)
{
	const struct perf_branch_entry *br = (const void *)p->branch;
	const u64 *read = p->read;

	(void)ctx, (void)s, (void)r;
	assert_int_equal(p->ip, 0x401000 + p->time);
	assert_true(p->addr == 0xabcdef0123456789);
	assert_int_equal(p->period, 250000);
	assert_int_equal(p->read_size, 32);
	assert_int_equal(read[0], 1);
	assert_int_equal(read[1], 55);
	assert_int_equal(read[2], 66);
	assert_int_equal(p->callchain_nr, 2);
	assert_true(p->callchain[0] == (u64)PERF_CONTEXT_USER);
	assert_int_equal(p->callchain[1], 0x401234);
	assert_int_equal(p->raw_size, 12);
	assert_memory_equal(p->raw_data, "abcdefghijk", 12);
	assert_int_equal(p->branch_nr, 1);
	assert_int_equal(p->branch_hw_idx, 9);
	assert_int_equal(br->from, 0x1111);
	assert_int_equal(br->mispred, 0);
	assert_int_equal(br->predicted, 1);
	assert_int_equal(br->cycles, 0x1234);
	assert_int_equal(br->type, 5);
	assert_int_equal(p->user_abi, PERF_SAMPLE_REGS_ABI_64);
	assert_int_equal(p->user_regs[1], 0xbb);
	assert_int_equal(p->user_stack_size, 16);
	assert_memory_equal(p->user_stack, "stackstack", 10);
	assert_int_equal(p->user_stack_dyn, 8);
	assert_int_equal(p->weight, 1);
	assert_int_equal(p->ins_lat, 2);
	assert_int_equal(p->p_stage_cyc, 3);
	assert_int_equal(p->phys_addr, 0x77777);
	assert_int_equal(p->aux_size, 8);
	assert_memory_equal(p->aux_data, "auxdata", 8);
	return note("sample", e, p);
}

static int on_sideband(void *ctx, struct perf_session *s, struct session_event *e,
		       const struct perf_event_header *r, const struct perf_sample *p)
{
	char what[128];

	(void)ctx, (void)s;
	if (r->type == PERF_RECORD_COMM)
		snprintf(what, sizeof(what), "COMM:%s", (const char *)(r + 2));
	else if (r->type == PERF_RECORD_MMAP2)
		snprintf(what, sizeof(what), "MMAP2:%" PRIx64 ":%u:%s", ((const u64 *)(r + 1))[1],
			 ((const u32 *)r)[16], (const char *)r + 72);
	else
		snprintf(what, sizeof(what), "%s", perf_record__name(r->type));
	return note(what, e, p);
}

static int on_unknown(void *ctx, struct perf_session *s, struct session_event *e,
		      const struct perf_event_header *r, const struct perf_sample *p)
{
	(void)ctx, (void)s, (void)e, (void)p;
	seen_n += snprintf(seen + seen_n, sizeof(seen) - seen_n, "unknown %u size %u\n", r->type,
			   r->size);
	return 0;
}

static void on_warn(void *ctx, const char *line)
{
	(void)ctx;
	snprintf(warned, sizeof(warned), "%s", line);
}

static const struct session_ops ops = {
	.sample = on_sample, .sideband = on_sideband, .unknown = on_unknown};

static struct perf_session *open_saved(struct errbuf *eb)
{
	struct session_opts o = {.warn = on_warn};

	warned[0] = '\0';
	memset(eb, 0, sizeof(*eb));
	return perf_session__open(path, &o, eb);
}

static void process(struct perf_session *s)
{
	struct errbuf eb = {};

	seen_n = 0;
	seen[0] = '\0';
	assert_int_equal(perf_session__process(s, &ops, &eb), 0);
	assert_string_equal(eb.msg, "");
}

/* ---- the tests ---- */
static void fill_data(bool be)
{
	data.n = 0;
	data.be = rec.be = be;
	put_comm("first", 100, 0, 0); /* made up by the recorder: no time */
	/* Linux 3.12: without prot and flags */
	begin(PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER);
	put(&rec, 100, 4);
	put(&rec, 100, 4);
	put(&rec, 0x7f0000, 8);
	put(&rec, 0x1000, 8);
	put(&rec, 0, 8);
	put(&rec, 8, 4);
	put(&rec, 1, 4);
	put(&rec, 77, 8);
	put(&rec, 1, 8);
	put_text(&rec, "/usr/lib/old.so", 16);
	put_trailer(100, 90, 11);
	end_into(&data);
	put_sample(11, 300); /* one ring */
	put_sample(21, 310);
	put_sample(11, 305);		  /* an interrupt came between */
	put_comm("second", 100, 302, 12); /* the other ring */
	put_round();
	put_sample(21, 200); /* a third one: later in the file, earlier in time */
	put_sample(99, 210); /* an id of nobody */
	put_round();
	begin(40, 0); /* a kernel record of the future */
	put(&rec, 1, 8);
	end_into(&data);
	begin(200, 0); /* one of a newer tool */
	put(&rec, 1, 8);
	end_into(&data);
	begin(PERF_RECORD_LOST, 0);
	put(&rec, 11, 8);
	put(&rec, 17, 8);
	put_trailer(0, 400, 11);
	end_into(&data);
	put_round();
	put_sample(11, 250); /* too late: 302 was handed out already */
	begin(PERF_RECORD_AUXTRACE, 0);
	put(&rec, 24, 8);
	put_text(&rec, "", 32);
	end_into(&data);
	put_text(&data, "this is no record: skip", 24);
	put_sample(12, 500);
}

static const char expected[] = "COMM:first cpu-clock:pp 0 0 100/101 cpu 3\n"
			       "MMAP2:7f0000:5:/usr/lib/old.so cpu-clock:pp 90 11 100/101 cpu 3\n"
			       "sample page-faults:pp 200 21 100/101 cpu 3\n"
			       "sample cpu-clock:pp 300 11 100/101 cpu 3\n"
			       "COMM:second cpu-clock:pp 302 12 100/101 cpu 3\n"
			       "sample cpu-clock:pp 305 11 100/101 cpu 3\n"
			       "sample page-faults:pp 310 21 100/101 cpu 3\n"
			       "unknown 40 size 16\n"
			       "unknown 200 size 16\n"
			       "sample cpu-clock:pp 250 11 100/101 cpu 3\n"
			       "sample cpu-clock:pp 500 12 100/101 cpu 3\n";

static void check_session(struct perf_session *s, bool be)
{
	const struct session_stats *st = perf_session__stats(s);
	const struct perf_event_attr *a = session_event__attr(perf_session__event(s, 0));

	assert_int_equal(perf_session__is_swapped(s), be);
	assert_int_equal(a->sample_type, SAMPLE_TYPE);
	assert_int_equal(a->precise_ip, 2);
	assert_int_equal(a->freq, 1);
	assert_int_equal(a->inherit, 0);
	assert_int_equal(a->sample_id_all, 1);
	assert_int_equal(a->wakeup_events, 7);
	process(s);
	assert_string_equal(seen, expected);
	assert_int_equal(st->unknown, 2);
	assert_int_equal(st->unknown_id, 1);
	assert_int_equal(st->malformed, 0);
	assert_int_equal(st->out_of_order, 1);
	assert_int_equal(st->lost, 17);
	assert_int_equal(st->auxtrace_bytes, 24);
	assert_int_equal(st->nr[PERF_RECORD_SAMPLE], 7);
	assert_int_equal(st->records, 17);
	assert_false(st->truncated);
}

static void test_file(void **state)
{
	static const u32 sizes[] = {96, 104, 112, 120, 128, 136, 144};

	(void)state;
	for (int be = 0; be < 2; be++) {
		fill_data(be);
		for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
			const struct session_info *info;
			struct perf_session *s;
			struct errbuf eb;

			build_file(be, sizes[i]);
			save(&f);
			s = open_saved(&eb);
			assert_string_equal(eb.msg, "");
			assert_string_equal(warned, "");
			assert_int_equal(session_event__attr(perf_session__event(s, 1))->size,
					 sizes[i]);
			assert_ptr_equal(perf_session__event_by_id(s, 21),
					 perf_session__event(s, 1));
			assert_null(perf_session__event_by_id(s, 22));
			info = perf_session__info(s);
			assert_string_equal(info->hostname, "the-host");
			assert_int_equal(info->nr_cmdline, 2);
			assert_string_equal(info->cmdline[1], "record");
			assert_null(info->arch);
			check_session(s, be);
			process(s); /* and again from the start */
			assert_string_equal(seen, expected);
			perf_session__delete(s);
		}
	}
}

/* The feature bits are an array of longs: of 32 bits on a big-endian machine of 32 bits. */
static void test_features_of_32_bits(void **state)
{
	struct perf_session *s;
	struct errbuf eb;

	(void)state;
	fill_data(true);
	build_file(true, 96);
	put_at(&f, 72, 1U << FEAT_HOSTNAME | 1U << FEAT_CMDLINE, 4);
	put_at(&f, 76, 0, 4);
	save(&f);
	s = open_saved(&eb);
	assert_string_equal(eb.msg, "");
	assert_string_equal(warned, "");
	assert_string_equal(perf_session__info(s)->hostname, "the-host");
	assert_true(perf_session__has_feature(s, FEAT_CMDLINE));
	assert_false(perf_session__has_feature(s, FEAT_ARCH));
	check_session(s, true);
	perf_session__delete(s);
}

static void put_pipe_header(bool be)
{
	f.n = 0;
	f.be = rec.be = be;
	put_text(&f, be ? "2ELIFREP" : "PERFILE2", 8);
	put(&f, 16, 8);
	for (int i = 0; i < 2; i++) {
		begin(PERF_RECORD_HEADER_ATTR, 0);
		put_attr(&rec, i ? PERF_COUNT_SW_PAGE_FAULTS : PERF_COUNT_SW_CPU_CLOCK, SAMPLE_TYPE,
			 104);
		put(&rec, i ? 21 : 11, 8);
		if (!i)
			put(&rec, 12, 8);
		end_into(&f);
	}
	begin(PERF_RECORD_HEADER_FEATURE, 0);
	put(&rec, FEAT_HOSTNAME, 8);
	put_str(&rec, "the-host");
	end_into(&f);
}

static void test_pipe(void **state)
{
	(void)state;
	for (int be = 0; be < 2; be++) {
		struct perf_session *s;
		struct errbuf eb;
		int old = dup(STDIN_FILENO), ends[2];

		fill_data(be);
		put_pipe_header(be);
		put_bytes(&f, &data);
		save(&f);
		/* In a file, */
		s = open_saved(&eb);
		assert_string_equal(eb.msg, "");
		assert_true(perf_session__is_pipe(s));
		assert_string_equal(perf_session__info(s)->hostname, "the-host");
		check_session(s, be);
		process(s);
		assert_string_equal(seen, expected);
		perf_session__delete(s);
		/* and out of a real pipe. */
		assert_int_equal(pipe(ends), 0);
		assert_int_equal(write(ends[1], f.p, f.n), f.n);
		close(ends[1]);
		dup2(ends[0], STDIN_FILENO);
		close(ends[0]);
		memset(&eb, 0, sizeof(eb));
		s = perf_session__open(NULL, NULL, &eb);
		assert_string_equal(eb.msg, "");
		assert_string_equal(perf_session__path(s), "-");
		check_session(s, be);
		assert_int_equal(perf_session__process(s, &ops, &eb), -ESPIPE);
		assert_string_equal(eb.msg, "-: a pipe can be read only once");
		perf_session__delete(s);
		dup2(old, STDIN_FILENO);
		close(old);
	}
}

/* Records that span COMPRESSED ones, of odd sizes, of both kinds. */
static void test_compressed(void **state)
{
	ZSTD_CCtx *z = ZSTD_createCCtx();
	static struct bytes raw;
	struct perf_session *s;
	struct errbuf eb;

	(void)state;
	data.n = 0;
	data.be = rec.be = false;
	put_sample(11, 300);
	put_comm("second", 100, 302, 12);
	put_sample(21, 310);
	raw = data;
	for (int two = 0; two < 2; two++) {
		ZSTD_inBuffer in = {.src = raw.p};

		ZSTD_CCtx_reset(z, ZSTD_reset_session_only);
		put_pipe_header(false);
		for (size_t part = 1; in.pos < raw.n; part = part * 2 + 3) {
			u8 buf[8192];
			ZSTD_outBuffer out = {.dst = buf, .size = sizeof(buf)};

			in.size = min_t(size_t, in.pos + part, raw.n);
			assert_int_equal(ZSTD_compressStream2(z, &out, &in, ZSTD_e_flush), 0);
			begin(two ? PERF_RECORD_COMPRESSED2 : PERF_RECORD_COMPRESSED, 0);
			if (two)
				put(&rec, out.pos, 8);
			memcpy(rec.p + rec.n, buf, out.pos);
			rec.n += out.pos;
			while (two && rec.n % 8)
				rec.p[rec.n++] = 0;
			end_into(&f);
			begin(PERF_RECORD_FINISHED_ROUND, 0);
			end_into(&f);
		}
		save(&f);
		s = open_saved(&eb);
		process(s);
		assert_string_equal(seen, "sample cpu-clock:pp 300 11 100/101 cpu 3\n"
					  "COMM:second cpu-clock:pp 302 12 100/101 cpu 3\n"
					  "sample page-faults:pp 310 21 100/101 cpu 3\n");
		assert_int_equal(perf_session__stats(s)->decompressed, raw.n);
		assert_false(perf_session__stats(s)->truncated);
		perf_session__delete(s);
	}
	ZSTD_freeCCtx(z);
}

static void expect_error(const char *msg)
{
	struct perf_session *s;
	struct errbuf eb;
	char full[512];

	save(&f);
	s = open_saved(&eb);
	snprintf(full, sizeof(full), "%s: %s", path, msg);
	assert_string_equal(eb.msg, full);
	assert_null(s);
	assert_int_equal(errno, EBADMSG);
}

static void test_header_lies(void **state)
{
	char msg[256];

	(void)state;
	fill_data(false);
	f.n = 1;
	f.p[0] = 'P';
	expect_error("not a perf.data file: only 1 bytes long");
	f.n = 0;
	put_text(&f, "this is something else entirely", 64);
	expect_error("not a perf.data file: it begins with neither PERFILE2 nor PERFFILE");
	build_file(false, 128);
	f.n = 50;
	expect_error("ends inside its header (50 of 104 bytes)");
	build_file(false, 128);
	put_at(&f, 8, 105, 8);
	expect_error("bad header: it says it is 105 bytes long, where 104 (a file) or 16 (a pipe) "
		     "are possible");
	build_file(false, 128);
	put_at(&f, 32, 0, 8);
	expect_error("it has no events (its attrs are empty)");
	build_file(false, 128);
	put_at(&f, 16, 32, 8);
	expect_error("bad header: an attr of 32 bytes");
	build_file(false, 128);
	put_at(&f, 128 + 4, 144, 4);
	expect_error("attr 0 at offset 0x80 says it has 144 bytes, its entry only 128");
	build_file(false, 128);
	put_at(&f, 128 + 128 + 8, 1 << 20, 8);
	expect_error("the ids of event 0 (1048576 bytes at 0x68) lie outside of the file");
	/* Features that are announced, with nothing behind the data. */
	build_file(false, 128);
	f.n = 128 + 2 * 144 + data.n;
	put_at(&f, 80, ~0ULL, 8);
	snprintf(msg, sizeof(msg),
		 "its header announces 66 features, but their table (at %#zx) lies outside of the "
		 "file, which has %zu bytes",
		 f.n, f.n);
	expect_error(msg);
	build_file(false, 128);
	put_at(&f, 32, 1 << 30, 8);
	snprintf(
		msg, sizeof(msg),
		"its attrs (1073741824 bytes at 0x80) lie outside of the file, which has %zu bytes",
		f.n);
	expect_error(msg);
}

static void test_truncated(void **state)
{
	struct perf_session *s;
	struct errbuf eb;

	(void)state;
	fill_data(false);
	/* The recorder was killed: size 0, the last record cut. */
	build_file(false, 128);
	put_at(&f, 48, 0, 8);
	f.n = 128 + 2 * 144 + data.n - 3;
	save(&f);
	s = open_saved(&eb);
	assert_non_null(s);
	assert_non_null(strstr(warned, "properly terminated?"));
	process(s);
	assert_true(perf_session__stats(s)->truncated);
	assert_int_equal(perf_session__stats(s)->nr[PERF_RECORD_SAMPLE], 6);
	perf_session__delete(s);
	/* A record of size 0: what came before is handed out, then the error. */
	build_file(false, 128);
	put_at(&f, 128 + 2 * 144 + 64 + 6, 0, 2);
	save(&f);
	s = open_saved(&eb);
	seen_n = 0;
	assert_int_equal(perf_session__process(s, &ops, &eb), -EBADMSG);
	assert_non_null(strstr(eb.msg, "bad record at offset 0x1e0: its size is 0"));
	assert_string_equal(seen, "COMM:first cpu-clock:pp 0 0 100/101 cpu 3\n");
	perf_session__delete(s);
}

static void test_owner(void **state)
{
	struct session_opts o = {};
	struct perf_session *s;
	struct errbuf eb;
	char msg[256];

	(void)state;
	if (geteuid())
		skip();
	fill_data(false);
	build_file(false, 128);
	save(&f);
	assert_int_equal(chown(path, 12345, 12345), 0);
	assert_null(open_saved(&eb));
	snprintf(msg, sizeof(msg), "File %s not owned by current user or root (use -f to override)",
		 path);
	assert_string_equal(eb.msg, msg);
	o.force = true;
	s = perf_session__open(path, &o, &eb);
	assert_non_null(s);
	perf_session__delete(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_file, make_path, remove_path),
		cmocka_unit_test_setup_teardown(test_features_of_32_bits, make_path, remove_path),
		cmocka_unit_test_setup_teardown(test_pipe, make_path, remove_path),
		cmocka_unit_test_setup_teardown(test_compressed, make_path, remove_path),
		cmocka_unit_test_setup_teardown(test_header_lies, make_path, remove_path),
		cmocka_unit_test_setup_teardown(test_truncated, make_path, remove_path),
		cmocka_unit_test_setup_teardown(test_owner, make_path, remove_path),
	};

	return cmocka_run_group_tests_name("session", tests, NULL, NULL);
}
