// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tracepoint text: each print format must print what libtraceevent prints (which nothing but this
 * test uses), over records of all kinds of values; records that lie about their own layout are cut,
 * never read beyond; formats that are damaged are refused or printed somehow.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <cmocka.h>
#include <traceevent/event-parse.h>
#include <traceevent/event-utils.h>

#include "output/tracepoint.h"
#include "session/tep.h"
#include "session/tp-format.h"

static const char common[] =
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n";

/* One layout for all formats below. */
static const char fields[] = "\tfield:int a;\toffset:8;\tsize:4;\tsigned:1;\n"
			     "\tfield:short b;\toffset:12;\tsize:2;\tsigned:1;\n"
			     "\tfield:u8 c;\toffset:14;\tsize:1;\tsigned:0;\n"
			     "\tfield:u64 q;\toffset:16;\tsize:8;\tsigned:0;\n"
			     "\tfield:char comm[16];\toffset:24;\tsize:16;\tsigned:0;\n"
			     "\tfield:__data_loc char[] name;\toffset:40;\tsize:4;\tsigned:0;\n"
			     "\tfield:__rel_loc char[] rel;\toffset:44;\tsize:4;\tsigned:0;\n"
			     "\tfield:u8 v4[4];\toffset:48;\tsize:4;\tsigned:0;\n"
			     "\tfield:u8 mac[6];\toffset:52;\tsize:6;\tsigned:0;\n"
			     "\tfield:u8 v6[16];\toffset:58;\tsize:16;\tsigned:0;\n"
			     "\tfield:u8 sa[28];\toffset:74;\tsize:28;\tsigned:0;\n"
			     "\tfield:__data_loc u8[] bytes;\toffset:104;\tsize:4;\tsigned:0;\n"
			     "\tfield:const char * str;\toffset:112;\tsize:8;\tsigned:0;\n";
#define FIXED 120
#define RECORD 200

struct rec {
	union {
		u8 data[RECORD];
		struct {
			u16 type;
			u8 pad[6];
			s32 a;
			s16 b;
			u8 c, pad2;
			u64 q;
			char comm[16];
			u32 name, rel;
			u8 v4[4], mac[6], v6[16], sa[28], pad3[2];
			u32 bytes, pad4;
			u64 str;
		};
	};
};

static struct tep_formats *formats;
static struct tep_handle *library;
static int next_id = 100;

static const struct tp_format *event(const char *fmt)
{
	char text[8192];
	int n = snprintf(text, sizeof(text), "name: ev%d\nID: %d\nformat:\n%s%s\nprint fmt: %s\n",
			 next_id, next_id, common, fields, fmt);

	if (tep_formats__add(formats, "test", text, n))
		fail_msg("not parsed: %s", fmt);
#ifndef __SANITIZE_ADDRESS__ /* it reads freed memory while it parses some of them */
	tep_parse_event(library, text, n, "test");
#endif
	return tep_formats__find(formats, next_id++);
}

static u64 rnd(void)
{
	static u64 x = 88172645463325252ull;

	x ^= x << 13;
	x ^= x >> 7;
	return x ^= x << 17;
}

static u64 value(void)
{
	u64 v = rnd();

	switch (rnd() % 6) {
	case 0:
		return 0;
	case 1:
		return v & 15;
	case 2:
		return -1 - (v & 3);
	case 3:
		return 1ull << (v % 64);
	case 4:
		return v & 255;
	default:
		return v;
	}
}

static void fill(struct rec *r, int id)
{
	memset(r, 0, sizeof(*r));
	r->type = id;
	r->a = value();
	r->b = value();
	r->c = value();
	r->q = value();
	strcpy(r->comm, rnd() % 2 ? "a name" : "");
	r->name = FIXED | 12 << 16;
	strcpy((char *)r->data + FIXED, "hello there");
	r->rel = (FIXED + 16 - 48) | 8 << 16;
	strcpy((char *)r->data + FIXED + 16, "further");
	r->bytes = (FIXED + 32) | 16 << 16;
	for (int i = 0; i < 16; i++)
		r->data[FIXED + 32 + i] = r->v6[i] = rnd() % 3 ? rnd() : 0;
	for (int i = 0; i < 6; i++)
		r->mac[i] = rnd();
	for (int i = 0; i < 4; i++)
		r->v4[i] = rnd();
	for (int i = 0; i < 28; i++)
		r->sa[i] = rnd() % 3 ? rnd() : 0;
	r->sa[0] = rnd() % 3 ? rnd() % 2 ? 2 : 10 : 3;
	r->sa[1] = 0;
	r->str = value();
}

static void print_ours(const struct tp_format *e, const void *data, u32 size, char *buf, size_t n)
{
	struct tracepoint *t = tracepoint__new(e, formats);
	struct outbuf ob;

	assert_non_null(t);
	assert_int_equal(outbuf__init(&ob, -1, 0), 0);
	tracepoint__print(t, data, size, &ob);
	assert_true(ob.len < n);
	memcpy(buf, ob.buf, ob.len);
	buf[ob.len] = 0;
	outbuf__exit(&ob);
	tracepoint__delete(t);
}

static void print_library(void *data, int size, char *buf, size_t n)
{
	struct tep_record rec = {.data = data, .size = size};
	struct trace_seq s;

	trace_seq_init(&s);
	tep_print_event(library, &s, &rec, "%s", TEP_PRINT_INFO);
	trace_seq_terminate(&s);
	snprintf(buf, n, "%s", s.buffer);
	trace_seq_destroy(&s);
}

static const char *const compiled[] = {
	"\"a=%d b=%d c=%d q=%llu\", REC->a, REC->b, REC->c, REC->q",
	"\"%5d|%-5d|%05d|%#x|%X|%o|%i|%u\", REC->a, REC->a, REC->a, REC->a, REC->a, REC->a, "
	"REC->a, "
	"REC->a",
	"\"%hd|%hhd|%ld|%lld|%hx|%hhx|%Lu|%zu|%016llx\", REC->a, REC->a, REC->a, REC->a, REC->a, "
	"REC->a, REC->q, REC->a, REC->q",
	"\"%c|%d\", REC->c, REC->a",
	"\"%s|%8s|%-8s|%.2s|%*s|%.*s\", REC->comm, REC->comm, REC->comm, REC->comm, 9, REC->comm, "
	"2, REC->comm",
	"\"%s|%s|%.3s\", __get_str(name), __get_rel_str(rel), __get_str(name)",
	"\"%p|%px|%8p\", REC->q, REC->q, REC->q",
	"\"%pS %ps %pF %pf\", (void *)REC->q, (void *)REC->q, REC->q, REC->q",
	"\"%d %s\\n\\ttab\\\\ 100%% \\\"q\\\"\", REC->a, \"lit\"",
	"\"%s\" \" and \" \"%d\", REC->comm, REC->a",
	"\"none\"",
	"\"%s\", __print_flags(REC->q, \"|\", { 0x2, \"TWO\" }, {0x10, \"SIXTEEN\"}, {0, "
	"\"ZERO\"}, "
	"{1 << 5, \"FIVE\"})",
	"\"%10s|\", __print_flags(REC->q, \"\", { 0x2, \"TWO\" }, {0x10, \"SIXTEEN\"})",
	"\"%s\", __print_symbolic(REC->a, { -2, \"MTWO\" }, {0x10, \"SIXTEEN\"}, {0, \"ZERO\"}, "
	"{-1, \"MONE\"})",
	"\"%s\", __print_symbolic(REC->c, { HI_SOFTIRQ, \"HI\" }, {RCU_SOFTIRQ, \"RCU\"})",
	"\"%s|%s\", __print_hex(REC->v6, 16), __print_hex_str(__get_dynamic_array(bytes), 7)",
	"\"%s|%s|%s\", __print_array(REC->v6, 4, 4), __print_array(REC->v6, 8, 2), "
	"__print_array(__get_dynamic_array(bytes), 16, 1)",
	"\"%d\", __get_dynamic_array_len(bytes)",
	"\"%d %d %d %llx\", (s16)REC->b, (u8)REC->a, (int)REC->b, (unsigned long)REC->q",
	"\"%llx %llx %x\", (unsigned int)REC->q, (char)REC->q, (bool)REC->q",
	"\"%s %s\", REC->a ? \"yes\" : \"no\", !REC->a ? REC->comm : \"no\"",
	"\"%s\", REC->a > 3 ? __print_symbolic(REC->c, {1,\"x\"}) : (REC->b ? \"b\" : \"-\")",
	"\"%d %d %d %d\", REC->v6[3], REC->a < 0, REC->a / 2, REC->q % 1000",
	"\"%u.%06u\", REC->q / 1000000, REC->q % 1000000",
	"\"%lx %lx %lx %d\", REC->q << 4, REC->q >> 60, REC->q & 0xff | 1, REC->a && REC->b || "
	"REC->c",
	"\"%d %d %lld\", ~REC->a, -REC->a, -1",
	"\"%d %d %d %d\", REC->a == REC->b, REC->a != REC->b, REC->a >= REC->c, REC->c <= 3",
	"\"%d %u\", sizeof(REC->q), REC->a > 0 ? 1 : 2",
	"\"%s\", REC->str",
	"\"%pI4 %pI4h %pi4\", REC->v4, REC->v4, REC->v4",
	"\"%pI6 %pI6c %pi6\", REC->v6, REC->v6, REC->v6",
	"\"%pISpc %pISp %pISc %pIS\", REC->sa, REC->sa, REC->sa, REC->sa",
	"\"%pM %pm %pMR %pMF\", REC->mac, REC->mac, REC->mac, REC->mac",
	"\"%pU %pUb %pUB %pUl %pUL\", REC->v6, REC->v6, REC->v6, REC->v6, REC->v6",
	"\"%x\", REC->nofield",
	"\"%08x %#016llx %3u %03d\", REC->a, REC->q, REC->c, REC->b",
};

static void test_as_library(void **state)
{
	char ours[8192], theirs[8192];
	struct rec r;

	(void)state;
#ifdef __SANITIZE_ADDRESS__
	skip();
#endif
	for (size_t i = 0; i < ARRAY_SIZE(compiled); i++) {
		const struct tp_format *e = event(compiled[i]);
		struct tracepoint *t = tracepoint__new(e, formats);

		if (!tracepoint__compiled(t))
			fail_msg("not compiled: %s", compiled[i]);
		tracepoint__delete(t);
		for (int n = 0; n < 200; n++) {
			fill(&r, e->id);
			print_library(&r, sizeof(r), theirs, sizeof(theirs));
			print_ours(e, &r, sizeof(r), ours, sizeof(ours));
			if (strcmp(ours, theirs))
				fail_msg("%s\n  ours:   %s\n  theirs: %s", compiled[i], ours,
					 theirs);
		}
	}
}

/* What is known without libtraceevent. */
static void test_known(void **state)
{
	static const struct {
		const char *fmt, *text;
	} known[] = {
		{"\"NR %ld (%lx, %lx)\", REC->a, REC->q, REC->c", "NR 7 (deadbeef12345678, ff)"},
		{"\"comm=%s name=%s\", REC->comm, __get_str(name)", "comm=a b name=hello there"},
		{"\"%s\", __print_flags(REC->c, \"|\", {1, \"A\"}, {2, \"B\"}, {0xf0, \"F\"})",
		 "A|B|F|0xc"},
		{"\"%s\", __print_symbolic(REC->a, {7, \"seven\"}, {8, \"eight\"})", "seven"},
		{"\"%05d|%-5d|%5d\", REC->a, REC->a, REC->a", "00007|7    |    7"},
		{"\"%pI4 %pI6c\", REC->v4, REC->v6", "127.0.0.1 fe80::1"},
		{"\"%s\", REC->a > 5 ? \"more\" : \"less\"", "more"},
		/* where libtraceevent takes C's operators for what they are not */
		{"\"%d\", REC->a - 3 + 1", "5"},
		{"\"%s\", !REC->a ? \"none\" : REC->a == 7 ? \"seven\" : \"other\"", "seven"},
		{"\"%d\", REC->a < (3 < 10 ? 3 : 10)", "0"},
		/* and what it cannot parse */
		{"\"%s\", __print_symbolic(REC->a, {7, \"#\" \"DE\"})", "#DE"},
	};
	char text[4096];
	struct rec r;

	(void)state;
	fill(&r, 0);
	r.a = 7;
	r.c = 255;
	r.q = 0xdeadbeef12345678;
	strcpy(r.comm, "a b");
	memcpy(r.v4, "\177\0\0\1", 4);
	memset(r.v6, 0, 16);
	r.v6[0] = 0xfe, r.v6[1] = 0x80, r.v6[15] = 1;
	for (size_t i = 0; i < ARRAY_SIZE(known); i++) {
		print_ours(event(known[i].fmt), &r, sizeof(r), text, sizeof(text));
		assert_string_equal(text, known[i].text);
	}
}

static void test_escapes(void **state)
{
	struct rec r;
	char text[4096];

	(void)state;
	fill(&r, 0);
	strcpy(r.comm, "\33[2J\nx\t\177");
	print_ours(event("\"%s\\n\", REC->comm"), &r, sizeof(r), text, sizeof(text));
	assert_string_equal(text, "\\x1b[2J\\nx\\t\\x7f\n");
}

/* The record ends where unmapped memory begins: an access behind it ends the test. */
static void test_lies(void **state)
{
	long page = sysconf(_SC_PAGESIZE);
	u8 *map = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	static char text[1 << 20];
	struct rec r;

	(void)state;
	assert_ptr_not_equal(map, MAP_FAILED);
	assert_int_equal(munmap(map + page, page), 0);
	for (size_t i = 0; i < ARRAY_SIZE(compiled); i++) {
		const struct tp_format *e = event(compiled[i]);

		for (u32 size = 0; size <= RECORD; size += 1 + rnd() % 9) {
			u8 *at = map + page - size;

			fill(&r, e->id);
			memset(r.comm, 'x', sizeof(r.comm));
			r.name = rnd();
			r.rel = rnd();
			r.bytes = rnd();
			memcpy(at, r.data, size);
			print_ours(e, at, size, text, sizeof(text));
		}
	}
	munmap(map, page);
}

/* A division by what the record says. */
static void test_division(void **state)
{
	struct rec r;
	char text[8192];

	(void)state;
	fill(&r, 0);
	r.a = 0;
	print_ours(event("\"%d\", 5 / REC->a"), &r, sizeof(r), text, sizeof(text));
	assert_string_equal(text, "0");
	print_ours(event("\"%d\", 5 % REC->a"), &r, sizeof(r), text, sizeof(text));
	assert_string_equal(text, "0");
}

static int setup(void **state)
{
	(void)state;
	tep_set_loglevel(TEP_LOG_NONE);
	library = tep_alloc();
	formats = tep_formats__new(false, 8);
	if (!library || !formats)
		return -1;
	tep_set_long_size(library, 8);
	tep_set_file_bigendian(library, TEP_LITTLE_ENDIAN);
	tep_set_local_bigendian(library, TEP_LITTLE_ENDIAN);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	tep_formats__delete(formats);
	tep_free(library);
	return 0;
}

/* Formats that were damaged or made up: refused, or printed somehow. */
static void test_damaged_formats(void **state)
{
	static const char *const odd[] = {
		"",
		"\"",
		"\"%d",
		"\"%d\", ",
		"\"%d\", REC->",
		"\"%d\", REC->a +",
		"\"%d\", (((((((((((((((((((REC->a",
		"\"%s\", __print_flags(REC->a, \"|\"",
		"\"%s\", __print_flags(REC->a, \"|\", {1, \"x\"}, {2",
		"\"%s\", __print_symbolic(",
		"\"%s\", __get_str(",
		"\"%s\", __get_str()",
		"\"%s\", __get_dynamic_array(name)[",
		"\"%d\", REC->a ? 1",
		"\"%d\", REC->a ? : 2",
		"\"%d\", sizeof(",
		"\"%d\", unknown(REC->a)",
		"\"%d\", ({ REC->a; })",
		"\"%s\", __print_hex(REC->v6",
		"\"%d\", 'x",
		"\"%*d\", REC->a",
		"\"%d %d %d %d\", REC->a",
	};
	static char text[1 << 20];
	const struct tp_format *e;
	char good[8192], bad[8192];
	struct rec r;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(odd); i++) {
		int n = snprintf(bad, sizeof(bad),
				 "name: ev\nID: %d\nformat:\n%s%s\nprint fmt: %s\n", next_id,
				 common, fields, odd[i]);

		assert_int_equal(tep_formats__add(formats, "test", bad, n), 0);
		e = tep_formats__find(formats, next_id++);
		assert_non_null(e);
		fill(&r, e->id);
		print_ours(e, &r, sizeof(r), text, sizeof(text));
		if (strstr(odd[i], "REC") || strchr(odd[i], '('))
			assert_non_null(strstr(text, "a="));
	}
	for (size_t i = 0; i < ARRAY_SIZE(compiled) * 200; i++) {
		int n = snprintf(good, sizeof(good),
				 "name: ev\nID: %d\nformat:\n%s%s\nprint fmt: %s\n", next_id,
				 common, fields, compiled[i % ARRAY_SIZE(compiled)]);

		memcpy(bad, good, n);
		for (int k = rnd() % 4; k >= 0; k--) {
			int at = rnd() % 2 ? (int)(rnd() % n) : n - 1 - (int)(rnd() % 60),
			    len = rnd() % 8;

			if (rnd() % 2)
				bad[at] = good[rnd() % n];
			else if (at + len < n) /* a piece goes, another comes twice */
				memmove(bad + at, bad + at + len, n - at - len);
		}
		if (tep_formats__add(formats, "test", bad, n))
			continue;
		e = tep_formats__find(formats, next_id);
		if (!e)
			continue; /* its number was changed */
		next_id++;
		fill(&r, e->id);
		print_ours(e, &r, sizeof(r), text, sizeof(text));
	}
}

/* ---- tracing data ---- */

struct section {
	char data[4096];
	size_t len;
};

static void put(struct section *s, const void *p, size_t n)
{
	memcpy(s->data + s->len, p, n);
	s->len += n;
}

static void put_text64(struct section *s, const char *text)
{
	u64 n = strlen(text);

	put(s, &n, 8);
	put(s, text, n);
}

static void tracing_data(struct section *s)
{
	char text[2048];
	u32 n;

	s->len = 0;
	put(s, "\x17\x08\x44tracing0.6", 14);
	put(s, "\0\x08", 2);
	put(s, &(u32){4096}, 4);
	put(s, "header_page", 12);
	put_text64(s, "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n");
	put(s, "header_event", 13);
	put_text64(s, "# compressed entry header\n");
	put(s, &(u32){0}, 4);
	put(s, &(u32){1}, 4);
	put(s, "sys", 4);
	put(s, &(u32){1}, 4);
	snprintf(text, sizeof(text),
		 "name: ev\nID: 42\nformat:\n%s%s\nprint fmt: \"a %%d %%s\", REC->a, "
		 "REC->str\n",
		 common, fields);
	put_text64(s, text);
	put(s, &(u32){0}, 4);
	n = strlen("0xffffffff81000010 : \"a constant\\n\"\nrubbish\n: \"\n");
	put(s, &n, 4);
	put(s, "0xffffffff81000010 : \"a constant\\n\"\nrubbish\n: \"\n", n);
	put(s, &(u64){0}, 8);
}

static void test_tracing_data(void **state)
{
	struct section s;
	struct errbuf eb = {};
	struct tep_formats *f, *saved = formats;
	struct rec r;
	char text[512];

	(void)state;
	tracing_data(&s);
	f = tep_formats__parse(s.data, s.len, &eb);
	assert_non_null(f);
	assert_null(tep_formats__truncated(f));
	assert_int_equal(tep_formats__failed(f), 0);
	assert_non_null(tep_formats__find(f, 42));
	assert_null(tep_formats__find(f, 43));
	assert_string_equal(tep_formats__printk(f, 0xffffffff81000010), "a constant");
	assert_null(tep_formats__printk(f, 0xffffffff81000011));
	fill(&r, 42);
	r.a = -5;
	r.str = 0xffffffff81000010;
	formats = f;
	print_ours(tep_formats__find(f, 42), &r, sizeof(r), text, sizeof(text));
	assert_string_equal(text, "a -5 a constant");
	formats = saved;
	tep_formats__delete(f);
	/* Cut anywhere: an error, or what was there with a word that more is missing. */
	for (size_t n = 0; n < s.len - 8; n++) {
		char *copy = malloc(n ? n : 1);

		memcpy(copy, s.data, n);
		f = tep_formats__parse(copy, n, &eb);
		if (f)
			assert_non_null(tep_formats__truncated(f));
		else
			assert_true(eb.msg[0]);
		tep_formats__delete(f);
		free(copy);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_as_library, setup, teardown),
		cmocka_unit_test_setup_teardown(test_known, setup, teardown),
		cmocka_unit_test_setup_teardown(test_escapes, setup, teardown),
		cmocka_unit_test_setup_teardown(test_lies, setup, teardown),
		cmocka_unit_test_setup_teardown(test_division, setup, teardown),
		cmocka_unit_test_setup_teardown(test_damaged_formats, setup, teardown),
		cmocka_unit_test_setup_teardown(test_tracing_data, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
