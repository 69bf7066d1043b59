// SPDX-License-Identifier: GPL-2.0-only
/* The call table: numbers, captures, and every struct layout against the running kernel's BTF. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <cmocka.h>

#include "trace/btf.h"
#include "trace/table.h"
#include "trace/type.h"

static struct trace_table *table;

static int setup(void **state)
{
	struct errbuf eb = {0};

	(void)state;
	table = trace_table__new(&eb);
	if (!table)
		print_error("%s\n", eb.msg);
	return table ? 0 : -1;
}

static int teardown(void **state)
{
	(void)state;
	trace_table__delete(table);
	return 0;
}

static void test_numbers(void **state)
{
	(void)state;
	assert_int_equal(trace_table__number(table, TRACE_ABI_64, "openat"), SYS_openat);
	assert_int_equal(trace_table__number(table, TRACE_ABI_64, "futex_waitv"), 449);
	assert_int_equal(trace_table__number(table, TRACE_ABI_64, "mseal"), 462);
	assert_int_equal(trace_table__number(table, TRACE_ABI_64, "file_setattr"), 469);
	assert_int_equal(trace_table__number(table, TRACE_ABI_64, "nosuchcall"), -1);
	assert_null(trace_table__lookup(table, TRACE_ABI_64, 1000));
	assert_null(trace_table__lookup(table, TRACE_ABI_64, -1));
	assert_null(trace_table__lookup(table, 9, 0));
#ifdef __x86_64__
	assert_string_equal(trace_table__lookup(table, TRACE_ABI_64, 39)->name, "getpid");
	assert_string_equal(trace_table__lookup(table, TRACE_ABI_32, 20)->name, "getpid");
	assert_string_equal(trace_table__lookup(table, TRACE_ABI_32, 403)->name, "clock_gettime64");
	assert_string_equal(trace_table__lookup(table, TRACE_ABI_X32, 0x40000001)->name, "write");
	assert_string_equal(trace_table__lookup(table, TRACE_ABI_64, 336)->name, "uprobe");
#endif
}

/* No call of any ABI falls back on six nameless numbers, and all captures fit their row. */
static void test_all(void **state)
{
	struct trace_capture_row row;

	(void)state;
	for (int abi = 0; abi < 2; abi++) {
		for (int nr = 0; nr < trace_table__nr(table, abi); nr++) {
			const struct trace_call *c = trace_table__lookup(table, abi, nr);

			if (!c)
				continue;
			if (c->nr_args == 6 && !memcmp(c->args[0].name, "arg1:", 5))
				fail_msg("%s is not described", c->name);
			assert_int_equal(trace_table__capture_row(table, abi, nr, 64, &row), 0);
			for (int i = 0; i < row.nr; i++) {
				assert_in_range(row.cap[i].arg, 0, c->nr_args - 1);
				assert_in_range(row.cap[i].len_arg, 0, 64);
				assert_true(row.cap[i].when & (CAP_ENTRY | CAP_EXIT));
			}
		}
	}
	assert_int_equal(trace_table__capture_row(table, 0, 1000, 64, &row), -ENOENT);
}

static const struct trace_capture *capture(const char *call, int arg)
{
	static struct trace_capture_row row;

	trace_table__capture_row(table, 0, trace_table__number(table, 0, call), 64, &row);
	for (int i = 0; i < row.nr; i++) {
		if (row.cap[i].arg == arg)
			return &row.cap[i];
	}
	return NULL;
}

static void test_captures(void **state)
{
	const struct trace_capture *c;

	(void)state;
	c = capture("openat", 1);
	assert_int_equal(c->kind, CAP_STRING);
	assert_int_equal(c->when, CAP_ENTRY);
	assert_int_equal(c->size, TRACE_PATH_MAX);
	c = capture("read", 1);
	assert_int_equal(c->kind, CAP_BUFFER);
	assert_int_equal(c->when, CAP_EXIT);
	assert_int_equal(c->len_from, LEN_RET);
	assert_int_equal(c->size, 64);
	c = capture("write", 1);
	assert_int_equal(c->when, CAP_ENTRY);
	assert_int_equal(c->len_from, LEN_ARG);
	assert_int_equal(c->len_arg, 2);
	c = capture("pipe2", 0);
	assert_int_equal(c->kind, CAP_STRUCT);
	assert_int_equal(c->size, 8);
	c = capture("ppoll", 0);
	assert_int_equal(c->kind, CAP_ARRAY);
	assert_int_equal(c->when, CAP_ENTRY | CAP_EXIT);
	assert_int_equal(c->size, 8);
	c = capture("accept4", 1);
	assert_int_equal(c->kind, CAP_SOCKADDR);
	assert_int_equal(c->len_from, LEN_DEREF);
	assert_int_equal(c->len_arg, 2);
	c = capture("nanosleep", 1);
	assert_int_equal(c->when, CAP_EXIT | CAP_ON_ERROR);
	c = capture("ioctl", 2);
	assert_true(c->when & CAP_OPTIONAL);
	c = capture("mount", 4);
	assert_int_equal(c->when, CAP_ENTRY | CAP_OPTIONAL);
	assert_null(capture("getpid", 0));
}

/* Ours by the kernel's name, where that is another. NULL: no struct of the kernel's. */
static const char *const kernel_names[][2] = {
	{"timespec", "__kernel_timespec"},
	{"timeval", "__kernel_old_timeval"},
	{"itimerspec", "__kernel_itimerspec"},
	{"itimerval", "__kernel_old_itimerval"},
	{"timex", "__kernel_timex"},
	{"sigset_arg", "sigset_argpack"},
	{"utsname", "new_utsname"},
	{"siginfo", "siginfo"},
	{"tcp_info_head", NULL},
	{"statfs@32", "compat_statfs"},
	{"stat@32", "compat_stat"},
	{"timespec@32", "old_timespec32"},
	{"timeval@32", "old_timeval32"},
	{"rusage@32", "compat_rusage"},
	{"sysinfo@32", "compat_sysinfo"},
	{"sigaction@32", "compat_sigaction"},
	{"sigaltstack@32", "compat_sigaltstack"},
	{"rlimit@32", "compat_rlimit"},
	{"timex@32", "old_timex32"},
	{"mq_attr@32", "compat_mq_attr"},
	{"iovec@32", "compat_iovec"},
	{"fsid", NULL},
	{"termios", NULL},
	{"termios2", NULL},
	{"ifreq", NULL},
	{"landlock_ruleset_attr", "landlock_ruleset_attr"},
	{"stat64@32", "stat64"},
	{"cap_header", "__user_cap_header_struct"},
	{"cap_data", "__user_cap_data_struct"},
	{"msgbuf", NULL},
	{"f_owner_ex", "f_owner_ex"},
	{"file_handle", NULL},
};

static const char *kernel_name(const char *name)
{
	for (u32 i = 0; i < ARRAY_SIZE(kernel_names); i++) {
		if (!strcmp(kernel_names[i][0], name))
			return kernel_names[i][1];
	}
	return strchr(name, '@') ? NULL : name;
}

static const struct trace_field *find(const struct trace_type *t, const struct trace_field *f)
{
	for (u32 i = 0; i < t->nr_fields; i++) {
		if (t->fields[i].name_len == f->name_len &&
		    !memcmp(t->fields[i].name, f->name, f->name_len))
			return &t->fields[i];
	}
	return NULL;
}

static void test_btf(void **state)
{
	const struct trace_types *types = trace_table__types(table);
	struct errbuf eb = {0};
	struct trace_btf *btf = trace_btf__new(NULL, &eb);
	u32 structs = 0, fields = 0;

	(void)state;
	if (!btf)
		skip();
	for (u32 i = 0; i < trace_types__nr(types); i++) {
		const struct trace_type *t = trace_types__at(types, i), *k;
		const char *name = kernel_name(t->name);

		if (t->scalar || !name)
			continue;
		k = trace_btf__type(btf, name);
		if (!k)
			continue; /* this kernel has it not in its BTF */
		structs++;
		/* the kernel may have added members at the end */
		if (k->size < t->size)
			fail_msg("%s: %u bytes, the kernel has %u", t->name, t->size, k->size);
		for (u32 n = 0; n < t->nr_fields; n++) {
			const struct trace_field *f = &t->fields[n], *g = find(k, f);

			if (!g)
				continue;
			fields++;
			if (g->off != f->off || g->size * g->count != f->size * f->count)
				fail_msg("%s.%.*s: at %u, %u bytes; the kernel has it at %u, %u "
					 "bytes",
					 t->name, f->name_len, f->name, f->off, f->size * f->count,
					 g->off, g->size * g->count);
		}
	}
	print_message("# %u structs, %u members as in the kernel's BTF\n", structs, fields);
	assert_in_range(structs, 35, 200);
	assert_in_range(fields, 200, 2000);
	/* bit fields, nested and anonymous parts, arrays */
	assert_null(trace_btf__type(btf, "no_such_struct"));
	assert_true(trace_btf__type(btf, "perf_event_attr")->nr_fields > 40);
	trace_btf__delete(btf);
}

static void test_errno(void **state)
{
	(void)state;
	assert_string_equal(trace_errno__name(2), "ENOENT");
	assert_string_equal(trace_errno__text(2), "No such file or directory");
	assert_string_equal(trace_errno__name(512), "ERESTARTSYS");
	assert_null(trace_errno__name(4000));
	assert_string_equal(trace_errno__text(4000), "Unknown error 4000");
	assert_int_equal(trace_errno__number("EAGAIN"), EAGAIN);
	assert_int_equal(trace_errno__number("ENOSUCH"), 0);
	assert_string_equal(trace_signal__name(2), "SIGINT");
	assert_string_equal(trace_signal__name(34), "SIGRT_2");
	assert_null(trace_signal__name(65));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_numbers),	 cmocka_unit_test(test_all),
		cmocka_unit_test(test_captures), cmocka_unit_test(test_btf),
		cmocka_unit_test(test_errno),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
