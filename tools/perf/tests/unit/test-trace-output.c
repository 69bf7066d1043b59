// SPDX-License-Identifier: GPL-2.0-only
/* Lines of perf trace in its three formats, exact. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <time.h>
#include <cmocka.h>

#include "output/trace-output.h"
#include "trace-record.h"

static struct trace_table *table;
static struct decoder *dec[3];
static struct outbuf ob;

static int setup(void **state)
{
	struct errbuf eb = {0};

	(void)state;
	setenv("TZ", "UTC", 1);
	tzset();
	table = trace_table__new(&eb);
	assert_non_null(table);
	for (int f = 0; f < 3; f++) {
		struct decoder_opts o = {.style = trace_format__style(f),
					 .no_proc = true,
					 .no_btf = true,
					 .fd_paths = f == 0};

		dec[f] = decoder__new(table, &o, &eb);
		assert_non_null(dec[f]);
	}
	return outbuf__init(&ob, -1, 0);
}

static int teardown(void **state)
{
	(void)state;
	for (int f = 0; f < 3; f++)
		decoder__delete(dec[f]);
	trace_table__delete(table);
	outbuf__exit(&ob);
	return 0;
}

static struct trace_output *make(enum trace_format f, struct trace_output_opts o)
{
	struct errbuf eb = {0};
	struct trace_output *out;

	o.format = f;
	out = trace_output__new(dec[f], &o, &eb);
	assert_non_null(out);
	return out;
}

static const char *line(struct trace_output *out)
{
	ob.len = 0;
	trace_output__record(out, rec, &ob);
	outbuf__putc(&ob, 0);
	return ob.buf;
}

static const char *first_half(struct trace_output *out)
{
	ob.len = 0;
	trace_output__entry(out, rec, &ob);
	outbuf__putc(&ob, 0);
	return ob.buf;
}

static void openat_record(void)
{
	REC("openat", 3, (u32)AT_FDCWD, 0x1000, O_RDONLY | O_CLOEXEC, 0);
	STR_IN(1, "/etc/ld.so.cache");
}

static void test_text(void **state)
{
	struct trace_output *out = make(TRACE_FORMAT_TEXT, (struct trace_output_opts){0});

	(void)state;
	openat_record();
	assert_string_equal(
		line(out),
		"     0.000 ( 0.023 ms): ls/5463 openat(dfd: CWD, filename: \"/etc/ld.so.cache\", "
		"flags: RDONLY|CLOEXEC) = 3\n");
	/* the result stands in column 70 behind the head */
	REC("brk", 0x55b736917000, 0);
	rec->time_enter += 689000;
	rec->time_exit += 689000;
	assert_string_equal(
		line(out),
		"     0.689 ( 0.023 ms): ls/5463 brk()                                        "
		"                         = 0x55b736917000\n");
	REC("read", 5, 3, 0x1000, 100);
	rec->flags = TR_NO_ENTRY;
	assert_string_equal(
		line(out), "         ? (         ): ls/5463  ... [continued]: read())              "
			   "                               = 5\n");
	REC("exit_group", 0, 0);
	rec->flags = TR_NO_EXIT;
	assert_string_equal(
		line(out), "     0.000 (         ): ls/5463 exit_group()                           "
			   "                               = ?\n");
	trace_output__delete(out);
}

/* The line but for its head. */
static const char *body(struct trace_output *out)
{
	return strchr(line(out), '/') + 1;
}

static void read_record(const char *byte, s64 ret)
{
	REC("read", ret, 3, 0x1000, 1);
	rec_blob(1, CAP_BUFFER, CAP_EXIT, byte, 1);
}

/* Whose name is printed behind its number. */
static void kill_record(void)
{
	REC("kill", 0, 77, 9);
}

static void named(struct trace_output *out, const char *name)
{
	REC0("getppid", 1);
	rec->pid = rec->tid = 77;
	memset(rec->comm, 0, sizeof(rec->comm));
	strcpy(rec->comm, name);
	line(out);
}

/* A call like the one before is printed like it, but only as long as that is right. */
static void test_repeated(void **state)
{
	struct trace_output *out = make(TRACE_FORMAT_TEXT, (struct trace_output_opts){0});
	char first[256];

	(void)state;
	openat_record();
	line(out);
	for (int i = 0; i < 3; i++) {
		read_record("x", 1);
		rec->time_enter += i * 1234000000ull;
		rec->time_exit = rec->time_enter + i * 12345678ull;
		strcpy(first, i == 0   ? "     0.000 ( 0.000 ms): ls/"
			      : i == 1 ? "  1234.000 (12.346 ms): ls/"
				       : "  2468.000 (24.691 ms): ls/");
		strcat(first, "5463 read(fd: 3</etc/ld.so.cache>, buf: \"x\", count: 1)"
			      "                     = 1\n");
		assert_string_equal(line(out), first);
	}
	read_record("y", 1);
	assert_non_null(strstr(body(out), "buf: \"y\""));
	read_record("x", -5);
	assert_non_null(strstr(body(out), "= -1 EIO"));
	read_record("x", 1);
	rec->args[2] = 2;
	assert_non_null(strstr(body(out), "count: 2)"));
	/* no other process has that file; the second time all of them are known */
	for (u32 i = 0; i < 600; i++) {
		read_record("x", 1);
		assert_non_null(strstr(body(out), " read(fd: 3</etc/ld.so.cache>, "));
		read_record("x", 1);
		rec->pid = rec->tid = 1 + i % 300;
		assert_non_null(strstr(body(out), " read(fd: 3, "));
	}
	read_record("x", 1);
	rec->flags = TR_NO_ENTRY;
	assert_non_null(strstr(body(out), " ... [continued]: read())"));
	read_record("x", 1);
	assert_non_null(strstr(body(out), "3</etc/ld.so.cache>"));
	/* the same descriptor is another file */
	REC("close", 0, 3);
	line(out);
	read_record("x", 1);
	assert_non_null(strstr(body(out), "read(fd: 3, "));
	REC("openat", 3, (u32)AT_FDCWD, 0x1000, O_RDONLY, 0);
	STR_IN(1, "/b");
	line(out);
	read_record("x", 1);
	assert_non_null(strstr(body(out), "read(fd: 3</b>, "));
	/* a name that is printed changes, and so does the thread's own */
	named(out, "old");
	for (int i = 0; i < 2; i++) {
		kill_record();
		assert_non_null(strstr(body(out), "77 (old)"));
	}
	named(out, "new");
	kill_record();
	assert_non_null(strstr(body(out), "77 (new)"));
	kill_record();
	strcpy(rec->comm, "other");
	assert_non_null(strstr(line(out), ": other/5463 kill("));
	trace_output__delete(out);
}

static void test_text_halves(void **state)
{
	struct trace_output *out =
		make(TRACE_FORMAT_TEXT,
		     (struct trace_output_opts){.base_time = 991077000, .color = true});

	(void)state;
	REC("wait4", 0, (u32)-1, 0x7ffd27774760, 0, 0);
	rec->flags = TR_NO_EXIT;
	assert_string_equal(
		first_half(out),
		"     8.923 (         ): ls/5463 wait4(upid: -1, stat_addr: 0x7ffd27774760)"
		"                         ...\n");
	rec->flags = 0;
	rec->ret = -ECHILD;
	assert_string_equal(
		line(out),
		"     8.923 (\033[33m 0.023 ms\033[m): ls/5463  ... [\033[33mcontinued\033[m]: "
		"wait4())"
		"                                            = -1 ECHILD (No child processes)\n");
	/* 1 ms and more in red; printed whole again */
	rec->time_exit = rec->time_enter + 1000000;
	assert_string_equal(
		line(out),
		"     8.923 (\033[31m 1.000 ms\033[m): ls/5463 wait4(upid: -1, stat_addr: "
		"0x7ffd27774760)                            = -1 ECHILD (No child processes)\n");
	trace_output__delete(out);
}

static void test_text_options(void **state)
{
	struct trace_output *out =
		make(TRACE_FORMAT_TEXT, (struct trace_output_opts){.absolute_time = true,
								   .no_comm = true,
								   .show_cpu = true});

	(void)state;
	openat_record();
	rec->cpu = 2;
	assert_memory_equal(line(out), "  1000.000 ( 0.023 ms): [002] 5463 openat(", 40);
	trace_output__delete(out);
	/* a name with control characters does not reach the terminal */
	out = make(TRACE_FORMAT_TEXT, (struct trace_output_opts){0});
	strcpy(rec->comm, "a\033[2Jb");
	assert_memory_equal(line(out), "     0.000 ( 0.023 ms): a\\x1b[2Jb/5463 ", 38);
	trace_output__delete(out);
}

static void test_strace(void **state)
{
	struct trace_output *out = make(
		TRACE_FORMAT_STRACE,
		(struct trace_output_opts){.realtime_offset = 2364LL * 1000000000 + 690127000});
	struct {
		s32 signo, err, code, pad, pid, uid;
		u8 rest[104];
	} si = {SIGUSR1, 0, 0, 0, 77, 1000, {0}};

	(void)state;
	openat_record();
	assert_string_equal(line(out),
			    "5463  00:39:25.690127 openat(AT_FDCWD, \"/etc/ld.so.cache\", "
			    "O_RDONLY|O_CLOEXEC) = 3 <0.000023>\n");
	REC("brk", 0x55baf8b6b000, 0);
	assert_string_equal(
		line(out), "5463  00:39:25.690127 brk(NULL)         = 0x55baf8b6b000 <0.000023>\n");
	REC("read", 3, 0, 0x7000, 100);
	rec->flags = TR_NO_EXIT;
	assert_string_equal(first_half(out), "5463  00:39:25.690127 read(0,  <unfinished ...>\n");
	rec->flags = 0;
	BUF_OUT(1, "vm\n");
	assert_string_equal(
		line(out),
		"5463  00:39:25.690150 <... read resumed>\"vm\\n\", 100) = 3 <0.000023>\n");
	REC("clone", 0, 0x01200000 | 17);
	rec->flags = TR_NO_ENTRY;
	assert_string_equal(line(out), "");
	REC("exit_group", 0, 3);
	rec->flags = TR_NO_EXIT;
	assert_string_equal(line(out), "5463  00:39:25.690127 exit_group(3)     = ?\n");
	REC("read", 0, SIGUSR1);
	rec->flags = TR_SIGNAL;
	OBJ_IN(0, si);
	assert_string_equal(line(out), "5463  00:39:25.690127 --- SIGUSR1 {si_signo=SIGUSR1, "
				       "si_code=SI_USER, si_pid=77, si_uid=1000} ---\n");
	REC("read", 0, 3 << 8);
	rec->flags = TR_EXITED;
	assert_string_equal(line(out), "5463  00:39:25.690127 +++ exited with 3 +++\n");
	rec->args[0] = SIGSEGV | 0x80;
	assert_string_equal(line(out),
			    "5463  00:39:25.690127 +++ killed by SIGSEGV (core dumped) +++\n");
	trace_output__delete(out);
}

static void test_json(void **state)
{
	struct trace_output *out = make(TRACE_FORMAT_JSON, (struct trace_output_opts){0});

	(void)state;
	openat_record();
	assert_string_equal(
		line(out),
		"{\"time_ns\":1000000000,\"duration_ns\":23000,\"comm\":\"ls\",\"pid\":5463,"
		"\"tid\":5463,\"cpu\":0,\"syscall\":\"openat\",\"args\":{\"dfd\":\"CWD\","
		"\"filename\":"
		"\"/etc/ld.so.cache\",\"flags\":\"RDONLY|CLOEXEC\"},\"ret\":3,\"errno\":null}\n");
	REC("access", -ENOENT, 0x1000, 4);
	STR_IN(0, "/\xff\"");
	assert_string_equal(
		line(out),
		"{\"time_ns\":1000000000,\"duration_ns\":23000,\"comm\":\"ls\",\"pid\":5463,"
		"\"tid\":5463,\"cpu\":0,\"syscall\":\"access\",\"args\":{\"filename\":"
		"\"/\xef\xbf\xbd\\\"\",\"mode\":\"R_OK\"},\"ret\":-1,\"errno\":\"ENOENT\"}\n");
	rec->flags = TR_EXITED;
	rec->args[0] = 5 << 8;
	assert_string_equal(line(out),
			    "{\"time_ns\":1000000000,\"comm\":\"ls\",\"pid\":5463,\"tid\":5463,"
			    "\"cpu\":0,\"exit_code\":5}\n");
	trace_output__delete(out);
}

static void test_parse(void **state)
{
	struct errbuf eb = {0};
	enum trace_format f;

	(void)state;
	assert_int_equal(trace_format__parse("strace", &f, &eb), 0);
	assert_int_equal(f, TRACE_FORMAT_STRACE);
	assert_int_equal(trace_format__parse("jsno", &f, &eb), -EINVAL);
	assert_string_equal(
		eb.msg,
		"unknown format 'jsno', did you mean 'json'?; there are text, strace, json");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_repeated),    cmocka_unit_test(test_text),
		cmocka_unit_test(test_text_halves), cmocka_unit_test(test_text_options),
		cmocka_unit_test(test_strace),	    cmocka_unit_test(test_json),
		cmocka_unit_test(test_parse),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
