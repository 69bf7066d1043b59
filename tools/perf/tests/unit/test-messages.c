// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "errbuf.h"
#include "lib/api/outbuf.h"
#include "lib/subcmd/subcmd.h"
#include "loss.h"

static int saved, fds[2];

static void catch_stderr(void)
{
	assert_int_equal(pipe(fds), 0);
	saved = dup(STDERR_FILENO);
	dup2(fds[1], STDERR_FILENO);
	close(fds[1]);
}

static const char *caught(void)
{
	static char buf[8192];
	ssize_t n;

	dup2(saved, STDERR_FILENO);
	close(saved);
	n = read(fds[0], buf, sizeof(buf) - 1);
	close(fds[0]);
	buf[n < 0 ? 0 : n] = 0;
	return buf;
}

static void test_messages(void **state)
{
	(void)state;
	subcmd__set_name("stat");
	catch_stderr();
	pr_err("bad %d", 7);
	pr_warn("odd");
	pr_info("so");
	pr_debug("not shown");
	assert_string_equal(caught(), "perf stat: bad 7\nperf stat: warning: odd\nperf stat: so\n");
	subcmd__verbose = 1;
	catch_stderr();
	pr_debug("shown");
	assert_string_equal(caught(), "perf stat: shown\n");
	subcmd__verbose = -1;
	catch_stderr();
	pr_warn("quiet");
	pr_info("quiet");
	pr_err("loud");
	assert_string_equal(caught(), "perf stat: loud\n");
	subcmd__verbose = 0;
}

static void test_safe(void **state)
{
	char big[10000];

	(void)state;
	catch_stderr();
	pr_err("a\x1b[31mb\x7f\n\tc");
	assert_string_equal(caught(), "perf stat: a?[31mb?\n\tc\n");
	memset(big, 'x', sizeof(big) - 1);
	big[sizeof(big) - 1] = 0;
	catch_stderr();
	pr_err("%s", big);
	assert_int_equal(caught()[4093], '\n'); /* cut, and still a line */
	catch_stderr();
	pr_status("no status line where stderr is no terminal");
	assert_string_equal(caught(), "");
}

static void test_errbuf(void **state)
{
	struct errbuf eb = {};
	char big[5000];

	(void)state;
	assert_true(errbuf__empty(&eb));
	assert_true(errbuf__empty(NULL));
	assert_int_equal(errbuf__set(&eb, -ENOENT, "file %s", "a\x1b"), -ENOENT);
	assert_int_equal(errno, ENOENT);
	assert_string_equal(eb.msg, "file a?");
	errbuf__append(&eb, "; needs %s", "b");
	errbuf__prefix(&eb, "%s: ", "x");
	assert_string_equal(eb.msg, "x: file a?; needs b");
	memset(big, 'y', sizeof(big) - 1);
	big[sizeof(big) - 1] = 0;
	errbuf__append(&eb, "%s", big);
	assert_int_equal(strlen(eb.msg), sizeof(eb.msg) - 1);
	errbuf__prefix(&eb, "%s", big);
	assert_int_equal(strlen(eb.msg), sizeof(eb.msg) - 1);
	errbuf__append(&eb, "more");
	assert_int_equal(strlen(eb.msg), sizeof(eb.msg) - 1);
	assert_int_equal(errbuf__set(NULL, -EINVAL, "nobody listens"), -EINVAL);
	errbuf__append(NULL, "x");
	errbuf__prefix(NULL, "x");
}

static void test_ledger(void **state)
{
	struct loss_ledger l;

	(void)state;
	assert_int_equal(loss_ledger__init(&l, 2), 0);
	loss_ledger__arrived(&l, 0, 10);
	loss_ledger__arrived(&l, 7, 5); /* no such row: in the total */
	loss_ledger__dropped(&l, 1, LOSS_RING_FULL, 3);
	loss_ledger__dropped(&l, -1, LOSS_SKIPPED, 1);
	assert_int_equal(loss_ledger__check(&l), 0);
	assert_int_equal(l.total.emitted, 19);
	assert_int_equal(l.total.arrived, 15);
	assert_int_equal(loss_counts__dropped(&l.total), 4);
	assert_int_equal(l.cpu[0].emitted, 10);
	assert_int_equal(l.cpu[1].dropped[LOSS_RING_FULL], 3);
	l.total.arrived++;
	assert_int_equal(loss_ledger__check(&l), -EINVAL);
	l.total.arrived--;
	l.cpu[1].emitted++;
	assert_int_equal(loss_ledger__check(&l), -EINVAL);
	for (int i = 0; i < LOSS_NR; i++)
		assert_string_not_equal(loss_reason__name(i), "unknown");
	loss_ledger__exit(&l);
}

static void test_outbuf(void **state)
{
	static const char text[] = "a\x1b[1m\n\t\x7f\xc3\xa9";
	struct outbuf ob;

	(void)state;
	assert_int_equal(outbuf__init(&ob, -1, 0), 0);
	outbuf__safe(&ob, text, sizeof(text) - 1);
	outbuf__putc(&ob, 0);
	assert_string_equal(ob.buf, "a\\x1b[1m\\n\\t\\x7f\xc3\xa9");
	ob.len = 0;
	outbuf__json(&ob, "q\"\\\n\x01\xc3\xa9\xff\xed\xa0\x80", 12);
	outbuf__putc(&ob, 0);
	assert_string_equal(ob.buf,
			    "\"q\\\"\\\\\\n\\u0001\xc3\xa9\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"
			    "\xef\xbf\xbd\\u0000\"");
	ob.len = 0;
	outbuf__dec(&ob, 0, 0);
	outbuf__dec(&ob, UINT64_MAX, 22);
	outbuf__sdec(&ob, INT64_MIN, 0);
	outbuf__sdec(&ob, -5, 4);
	outbuf__hex(&ob, 0xab, 4, '0');
	outbuf__hex(&ob, 0, 2, ' ');
	outbuf__putc(&ob, 0);
	assert_string_equal(ob.buf, "0  18446744073709551615-9223372036854775808  -500ab 0");
	ob.len = 0;
	for (int i = 0; i < 100000; i++)
		outbuf__puts(&ob, "0123456789");
	assert_int_equal(ob.len, 1000000);
	outbuf__exit(&ob);
}

static void test_outbuf_to_a_file(void **state)
{
	struct outbuf ob;
	char buf[16];
	int p[2];

	(void)state;
	assert_int_equal(pipe(p), 0);
	assert_int_equal(outbuf__init(&ob, p[1], 0), 0);
	outbuf__printf(&ob, "%s-%d", "x", 42);
	assert_int_equal(ob.total, 0);
	assert_int_equal(outbuf__flush(&ob), 0);
	assert_int_equal(ob.total, 4);
	assert_int_equal(read(p[0], buf, sizeof(buf)), 4);
	assert_memory_equal(buf, "x-42", 4);
	close(p[1]);
	outbuf__puts(&ob, "lost");
	assert_int_equal(outbuf__flush(&ob), -EBADF);
	assert_int_equal(outbuf__flush(&ob), -EBADF); /* it stays */
	assert_int_equal(subcmd__write_failed(0, 3), 3);
	assert_int_equal(subcmd__write_failed(-EPIPE, 3), 3);
	catch_stderr();
	assert_int_equal(subcmd__finish_output(&ob, 3), EXIT_TOOL_FAILED);
	assert_string_equal(caught(),
			    "perf stat: cannot write the output: standard output is closed\n");
	close(p[0]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_messages), cmocka_unit_test(test_safe),
		cmocka_unit_test(test_errbuf),	 cmocka_unit_test(test_ledger),
		cmocka_unit_test(test_outbuf),	 cmocka_unit_test(test_outbuf_to_a_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
