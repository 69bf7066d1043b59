// SPDX-License-Identifier: GPL-2.0-only
/* Output buffers and number formatting against printf and a plain loop. */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "lib/api/outbuf.h"
#include "output/numfmt.h"

static u64 rnd(void)
{
	static u64 x = 88172645463325252ull;

	x ^= x << 13;
	x ^= x >> 7;
	return x ^= x << 17;
}

static u64 value(int i)
{
	static const u64 edges[] = {0,	   1,	  9,	      10,	  99,
				    100,   999,	  1000,	      9999,	  10000,
				    99999, 65535, UINT32_MAX, UINT64_MAX, INT64_MAX};

	return i < (int)ARRAY_SIZE(edges) ? edges[i] : rnd() >> rnd() % 64;
}

static void test_numbers(void **state)
{
	struct outbuf ob;
	char want[256], got[NUMFMT_MAX + 8];

	(void)state;
	assert_int_equal(outbuf__init(&ob, -1, 0), 0);
	for (int i = 0; i < 20000; i++) {
		u64 v = value(i);
		int width = rnd() % 40;

		snprintf(want, sizeof(want), "%*" PRIu64 "|%*" PRIx64 "|%0*" PRIx64 "|%*" PRId64,
			 width, v, width, v, width, v, width, (s64)v);
		ob.len = 0;
		outbuf__dec(&ob, v, width);
		outbuf__putc(&ob, '|');
		outbuf__hex(&ob, v, width, ' ');
		outbuf__putc(&ob, '|');
		outbuf__hex(&ob, v, width, '0');
		outbuf__putc(&ob, '|');
		outbuf__sdec(&ob, (s64)v, width);
		outbuf__putc(&ob, '\0');
		assert_string_equal(ob.buf, want);

		snprintf(want, sizeof(want), "%" PRIu64, v);
		*numfmt__dec(got, v) = 0;
		assert_string_equal(got, want);
		assert_int_equal(numfmt__dec_len(v), strlen(want));
		snprintf(want, sizeof(want), "%" PRIx64, v);
		*numfmt__hex(got, v) = 0;
		assert_string_equal(got, want);
		snprintf(want, sizeof(want), "%" PRIX64, v);
		*numfmt__hex_upper(got, v) = 0;
		assert_string_equal(got, want);
		snprintf(want, sizeof(want), "%" PRIo64, v);
		*numfmt__oct(got, v) = 0;
		assert_string_equal(got, want);
		snprintf(want, sizeof(want), "%08u", (u32)(v % 100000000));
		*numfmt__dec_zero(got, v % 100000000, 8) = 0;
		assert_string_equal(got, want);
	}
	outbuf__exit(&ob);
}

static void put_plainly(char *p, const unsigned char *s, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (s[i] == '\n')
			p += sprintf(p, "\\n");
		else if (s[i] == '\t')
			p += sprintf(p, "\\t");
		else if (s[i] < ' ' || s[i] == 0x7f)
			p += sprintf(p, "\\x%02x", s[i]);
		else
			*p++ = s[i];
	}
	*p = 0;
}

static void test_safe(void **state)
{
	unsigned char in[64];
	char want[512];
	struct outbuf ob;

	(void)state;
	assert_int_equal(outbuf__init(&ob, -1, 0), 0);
	for (int i = 0; i < 100000; i++) {
		size_t n = rnd() % sizeof(in);
		int rarity = 1 + rnd() % 40;

		for (size_t k = 0; k < n; k++) {
			in[k] = rnd() % rarity ? 'a' + rnd() % 26 : rnd();
			if (!in[k])
				in[k] = 0x80;
		}
		put_plainly(want, in, n);
		ob.len = 0;
		outbuf__safe(&ob, (char *)in, n);
		outbuf__putc(&ob, '\0');
		assert_string_equal(ob.buf, want);
	}
	/* Each byte alone, and behind seven others. */
	for (int c = 1; c < 256; c++) {
		for (int at = 0; at < 17; at++) {
			memset(in, 'x', 17);
			in[at] = c;
			put_plainly(want, in, 17);
			ob.len = 0;
			outbuf__safe(&ob, (char *)in, 17);
			outbuf__putc(&ob, '\0');
			assert_string_equal(ob.buf, want);
		}
	}
	outbuf__exit(&ob);
}

static void test_json(void **state)
{
	static const struct {
		const char *in, *out;
	} cases[] = {
		{"plain", "\"plain\""},
		{"a\"b\\c", "\"a\\\"b\\\\c\""},
		{"\n\t\1\177", "\"\\n\\t\\u0001\\u007f\""},
		{"\xc3\xa9", "\"\xc3\xa9\""},
		{"\xff", "\"\xef\xbf\xbd\""},
		{"\xed\xa0\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\""},
		{"\xc0\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\""},
		{"cut \xe2\x82", "\"cut \xef\xbf\xbd\xef\xbf\xbd\""},
	};
	struct outbuf ob;

	(void)state;
	assert_int_equal(outbuf__init(&ob, -1, 0), 0);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		ob.len = 0;
		outbuf__json(&ob, cases[i].in, strlen(cases[i].in));
		outbuf__putc(&ob, '\0');
		assert_string_equal(ob.buf, cases[i].out);
	}
	outbuf__exit(&ob);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_safe),
		cmocka_unit_test(test_json),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
