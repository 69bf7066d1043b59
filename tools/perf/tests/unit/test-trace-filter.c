// SPDX-License-Identifier: GPL-2.0-only
/* --filter, -e and -P: what passes, and what the errors say. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <cmocka.h>

#include "trace/filter.h"
#include "trace-record.h"

static struct trace_table *table;
static struct decoder *dec;

static int setup(void **state)
{
	struct decoder_opts o = {.no_proc = true, .no_btf = true, .fd_paths = true};
	struct errbuf eb = {0};

	(void)state;
	table = trace_table__new(&eb);
	assert_non_null(table);
	dec = decoder__new(table, &o, &eb);
	return dec ? 0 : -1;
}

static int teardown(void **state)
{
	(void)state;
	decoder__delete(dec);
	trace_table__delete(table);
	return 0;
}

static bool match(const char *expr)
{
	struct errbuf eb = {0};
	struct trace_filter *f = trace_filter__new(table, expr, &eb);
	bool res;

	if (!f)
		print_error("%s\n", eb.msg);
	assert_non_null(f);
	res = trace_filter__match(f, dec, rec);
	trace_filter__delete(f);
	return res;
}

static const char *error(const char *expr)
{
	static struct errbuf eb;

	eb.msg[0] = 0;
	assert_null(trace_filter__new(table, expr, &eb));
	return eb.msg;
}

static void test_match(void **state)
{
	struct stat st = {.st_size = 5000, .st_mode = S_IFREG | 0644};

	(void)state;
	REC("openat", -ENOENT, (u32)AT_FDCWD, 0x1000, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
	STR_IN(1, "/etc/passwd");
	assert_true(match("filename ~ \"/etc/*\" && ret < 0"));
	assert_false(match("filename ~ \"/etc/*\" && ret >= 0"));
	assert_true(match("filename == '/etc/passwd'"));
	assert_true(match("filename !~ \"*.so\""));
	assert_true(match("filename ~ \"/et[a-d]/pass?d\""));
	assert_false(match("filename ~ \"/et[!a-d]/pass?d\""));
	assert_true(match("errno == ENOENT"));
	assert_false(match("errno == EACCES || errno == 13"));
	assert_true(match("flags & O_CREAT"));
	assert_true(match("flags & CREAT && !(flags & TRUNC)"));
	assert_true(match("(flags & O_ACCMODE) == O_WRONLY"));
	assert_true(match("flags == \"WRONLY|CREAT|CLOEXEC\""));
	assert_true(match("dfd == CWD"));
	assert_true(match("mode == 0644"));
	assert_true(match("comm == \"ls\" && pid == 5463 && tid == 5463 && cpu == 0"));
	assert_true(match("syscall ~ \"open*\""));
	assert_true(match("duration > 0.02 && duration < 0.024"));
	assert_false(match("duration > 1"));
	/* an argument that this call has not: false, whatever is asked of it */
	assert_false(match("buf == \"x\""));
	assert_false(match("count != 5"));
	assert_true(match("!(count == 5)"));
	REC("openat", 3, (u32)AT_FDCWD, 0x1000, 0, 0);
	STR_IN(1, "/etc/group");
	decoder__update(dec, rec);
	REC("newfstatat", 0, 3, 0x1000, 0x2000, 0);
	STR_IN(1, "");
	OBJ_OUT(2, st);
	assert_true(match("dfd ~ \"/etc/*\""));
	assert_true(match("dfd == 3"));
	assert_true(match("statbuf.st_size > 4096"));
	assert_false(match("statbuf.st_size > 5000"));
	assert_true(trace_record__has_path(dec, rec, "/etc/group"));
	assert_false(trace_record__has_path(dec, rec, "/etc/passwd"));
	REC("kill", 0, 77, SIGTERM);
	assert_true(match("sig == TERM && sig == SIGTERM && arg.pid == 77 && pid == 5463"));
	REC("exit_group", 0, 0);
	rec->flags = TR_NO_EXIT;
	assert_false(match("ret == 0"));
}

static void test_errors(void **state)
{
	(void)state;
	assert_string_equal(error("filename ~"),
			    "filter: column 11: the expression ends where a value is expected in "
			    "'filename ~'");
	assert_string_equal(error("ret = 3"), "filter: column 5: '=' (write '==') in 'ret = 3'");
	assert_string_equal(error("(ret < 0"), "filter: column 1: '(' without ')' in '(ret < 0'");
	assert_string_equal(error("ret < 0 ret"),
			    "filter: column 9: expected '&&', '||' or the end in 'ret < 0 ret'");
	assert_string_equal(error("filename ~ 3"),
			    "filter: column 12: expected a glob in quotes behind '~' in "
			    "'filename ~ 3'");
	assert_string_equal(error("filename == \"x"),
			    "filter: column 13: the string has no end in 'filename == \"x'");
	assert_string_equal(error("ret == 12ab"), "filter: column 8: bad number in 'ret == 12ab'");
	assert_string_equal(error("filenam == \"x\""),
			    "filter: column 1: no call has an argument 'filenam', nor is it a "
			    "flag, an error or a signal; did you mean 'filename'?");
	error("");
	error("((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((1");
}

static bool has(const struct trace_callset *s, const char *name)
{
	return trace_callset__has(s, TRACE_ABI_64, trace_table__number(table, TRACE_ABI_64, name));
}

static void test_callset(void **state)
{
	struct trace_callset s = {0};
	struct errbuf eb = {0};

	(void)state;
	assert_int_equal(trace_callset__parse(&s, table, "openat,read*", &eb), 0);
	assert_true(has(&s, "openat") && has(&s, "read") && has(&s, "readlinkat"));
	assert_false(has(&s, "write") || has(&s, "open"));
	/* i386 has the same names under its own numbers */
	assert_true(trace_callset__has(&s, TRACE_ABI_32, 295));
	assert_int_equal(trace_callset__parse(&s, table, "%network", &eb), 0);
	assert_true(has(&s, "connect") && has(&s, "sendfile") && has(&s, "openat"));
	memset(&s, 0, sizeof(s));
	assert_int_equal(trace_callset__parse(&s, table, "!close,%memory", &eb), 0);
	assert_true(has(&s, "openat"));
	assert_false(has(&s, "close") || has(&s, "mmap"));
	memset(&s, 0, sizeof(s));
	assert_int_equal(trace_callset__parse(&s, table, "trace=file", &eb), 0);
	assert_true(has(&s, "openat") && has(&s, "execve"));
	assert_false(has(&s, "read"));
	memset(&s, 0, sizeof(s));
	assert_int_equal(trace_callset__parse(&s, table, "fstatat,umount", &eb), 0);
	assert_true(has(&s, "newfstatat") && has(&s, "umount2"));
	assert_int_equal(trace_callset__parse(&s, table, "?nosuchcall,read", &eb), 0);
	assert_int_equal(trace_callset__parse(&s, table, "sched:sched_switch", &eb), -ENOENT);
	assert_int_equal(trace_callset__parse(&s, table, "opnat", &eb), -EINVAL);
	assert_string_equal(eb.msg, "unknown system call 'opnat', did you mean 'openat'?");
	assert_int_equal(trace_callset__parse(&s, table, "%files", &eb), -EINVAL);
	assert_string_equal(
		eb.msg,
		"unknown group of calls '%files', did you mean '%file'?; there are %file %desc "
		"%network %process %memory %signal %ipc %clock %creds %stat %pure");
	assert_int_equal(trace_callset__parse(&s, table, "", &eb), -EINVAL);
	assert_int_equal(trace_callset__parse(&s, table, "op*zz", &eb), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_match),
		cmocka_unit_test(test_errors),
		cmocka_unit_test(test_callset),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
