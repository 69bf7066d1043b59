// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <errno.h>
#include <string.h>

#include "lib/subcmd/options.h"

static bool all, inherit_off;
static int verbose, num;
static unsigned int pages;
static u64 period;
static double limit;
static const char *file, *graph_arg;
static int graph_calls, graph_unset;
static struct errbuf eb;

static int parse_graph(const struct option *opt, const char *arg, bool unset, struct errbuf *err)
{
	(void)opt;
	graph_calls++;
	graph_unset += unset;
	graph_arg = arg;
	if (arg && !strcmp(arg, "bad"))
		return errbuf__set(err, -EINVAL, "no such call graph");
	return 0;
}

static const struct option table[] = {
	OPT_GROUP("Targets"),
	OPT_FLAG('a', "all-cpus", &all, "all"),
	OPT_FLAG('i', "no-inherit", &inherit_off, "no inherit"),
	OPT_COUNT('v', "verbose", &verbose, "more"),
	OPT_INT('n', "number", &num, "n", "number"),
	OPT_UINT('m', "mmap-pages", &pages, "pages", "pages"),
	OPT_U64('c', "count", &period, "n", "period"),
	OPT_DOUBLE(0, "percent-limit", &limit, "percent", "limit"),
	OPT_STRING('o', "output", &file, "file", "output"),
	OPT_STRING(0, "outer", &file, "file", "a name near output"),
	OPT_CALLBACK_OPTARG('g', "call-graph", NULL, "mode", "graph", parse_graph, "fp"),
	{.type = OPT_TYPE_FLAG,
	 .short_name = 'x',
	 .long_name = "excl-one",
	 .value = &all,
	 .help = "x",
	 .flags = OPT_EXCLUSIVE | OPT_NO_NEGATE},
	{.type = OPT_TYPE_FLAG,
	 .short_name = 'y',
	 .long_name = "excl-two",
	 .value = &all,
	 .help = "y",
	 .flags = OPT_EXCLUSIVE},
	OPT_END(),
};

static const char *args[16];

/* Parses the NULL-terminated words behind "perf CMD"; what is left stands in args[]. */
static int parse(unsigned int flags, ...)
{
	va_list ap;
	int n = 0;

	all = inherit_off = false;
	verbose = num = graph_calls = graph_unset = 0;
	pages = 0;
	period = 0;
	limit = 0;
	file = graph_arg = NULL;
	args[n++] = "cmd";
	va_start(ap, flags);
	while ((args[n] = va_arg(ap, const char *)))
		n++;
	va_end(ap);
	return parse_options__try(n, args, table, "cmd", flags, &eb);
}

static void test_values(void **state)
{
	(void)state;
	assert_int_equal(parse(0, "-avv", "-n", "-5", "-m8", "--count=0x10", "--percent-limit",
			       "0.5", "-oout", NULL),
			 0);
	assert_true(all);
	assert_int_equal(verbose, 2);
	assert_int_equal(num, -5);
	assert_int_equal(pages, 8);
	assert_int_equal(period, 16);
	assert_true(limit == 0.5);
	assert_string_equal(file, "out");
	assert_int_equal(parse(0, "--count", "18446744073709551615", "--number=010", NULL), 0);
	assert_true(period == UINT64_MAX);
	assert_int_equal(num, 10);
}

static void test_bad_values(void **state)
{
	(void)state;
	assert_int_equal(parse(0, "-n", "5x", NULL), -EINVAL);
	assert_string_equal(eb.msg, "option -n expects a whole number, not '5x'");
	assert_int_equal(parse(0, "-n", "2147483648", NULL), -EINVAL);
	assert_int_equal(parse(0, "-m", "-1", NULL), -EINVAL);
	assert_int_equal(parse(0, "-m", "4294967296", NULL), -EINVAL);
	assert_int_equal(parse(0, "--count=", NULL), -EINVAL);
	assert_int_equal(parse(0, "--count=18446744073709551616", NULL), -EINVAL);
	assert_int_equal(parse(0, "--percent-limit=nan", NULL), -EINVAL);
	assert_int_equal(parse(0, "-o", NULL), -EINVAL);
	assert_string_equal(eb.msg, "option -o needs an argument: file");
	assert_int_equal(parse(0, "--all-cpus=1", NULL), -EINVAL);
	assert_string_equal(eb.msg, "option --all-cpus takes no argument");
}

static void test_negation(void **state)
{
	(void)state;
	assert_int_equal(parse(0, "-a", "--no-all-cpus", "-vv", "--no-verbose", NULL), 0);
	assert_false(all);
	assert_int_equal(verbose, 0);
	assert_int_equal(parse(0, "--no-inherit", NULL), 0);
	assert_true(inherit_off);
	assert_int_equal(parse(0, "-i", "--inherit", NULL), 0);
	assert_false(inherit_off);
	assert_int_equal(parse(0, "--no-call-graph", NULL), 0);
	assert_int_equal(graph_unset, 1);
	assert_int_equal(parse(0, "--no-excl-one", NULL), -EINVAL);
}

static void test_prefixes(void **state)
{
	(void)state;
	assert_int_equal(parse(0, "--perc=2", "--no-inh", NULL), 0);
	assert_true(limit == 2);
	assert_true(inherit_off);
	assert_int_equal(parse(0, "--out", "x", NULL), -EINVAL);
	assert_string_equal(eb.msg, "option --out is ambiguous: it could be --output or --outer");
	assert_int_equal(parse(0, "--output", "x", NULL), 0);
}

static void test_optional_argument(void **state)
{
	(void)state;
	assert_int_equal(parse(0, "-g", "word", NULL), 1);
	assert_string_equal(graph_arg, "fp");
	assert_string_equal(args[0], "word");
	assert_int_equal(parse(0, "-gdwarf", NULL), 0);
	assert_string_equal(graph_arg, "dwarf");
	assert_int_equal(parse(0, "--call-graph=lbr", "--call-graph", "x", NULL), 1);
	assert_int_equal(graph_calls, 2);
	assert_int_equal(parse(0, "--call-graph=bad", NULL), -EINVAL);
	assert_string_equal(eb.msg, "no such call graph");
}

static void test_rest(void **state)
{
	(void)state;
	assert_int_equal(parse(0, "one", "-a", "two", NULL), 2);
	assert_true(all);
	assert_string_equal(args[1], "two");
	assert_null(args[2]);
	assert_int_equal(parse(SUBCMD_STOP_AT_NON_OPTION, "-v", "ls", "-a", NULL), 2);
	assert_false(all);
	assert_string_equal(args[0], "ls");
	assert_int_equal(parse(0, "x", "--", "-a", NULL), 2);
	assert_string_equal(args[1], "-a");
	assert_int_equal(parse(SUBCMD_KEEP_DASHDASH, "--", "-a", NULL), 2);
	assert_string_equal(args[0], "--");
	assert_int_equal(parse(0, "-", NULL), 1);
}

static void test_errors(void **state)
{
	(void)state;
	assert_int_equal(parse(0, "--al-cpus", NULL), -EINVAL);
	assert_string_equal(eb.msg, "unknown option --al-cpus; did you mean --all-cpus?");
	assert_int_equal(parse(0, "--zzzz=5", NULL), -EINVAL);
	assert_string_equal(eb.msg, "unknown option --zzzz");
	assert_int_equal(parse(0, "-aq", NULL), -EINVAL);
	assert_string_equal(eb.msg, "unknown option -q");
	assert_int_equal(parse(0, "-x", "--excl-two", NULL), -EINVAL);
	assert_string_equal(eb.msg, "option --excl-two cannot be used together with -x");
	assert_int_equal(parse(0, "-x", "-x", NULL), 0);
	assert_int_equal(parse(0, "-h", NULL), -ECANCELED);
	assert_int_equal(parse(0, "-ah", NULL), -ECANCELED);
	assert_int_equal(parse(0, "--help", NULL), -ECANCELED);
}

static void test_nearest(void **state)
{
	static const char *const names[] = {"record", "report", "script", "stat", "trace", NULL};

	(void)state;
	assert_string_equal(nearest_name("recrod", names), "record");
	assert_string_equal(nearest_name("scrpit", names), "script");
	assert_string_equal(nearest_name("rep", names), "report");
	assert_string_equal(nearest_name("sta", names), "stat");
	assert_null(nearest_name("frobnicate", names));
	assert_null(nearest_name("", names));
	assert_null(nearest_name("xyz", names));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_values),
		cmocka_unit_test(test_bad_values),
		cmocka_unit_test(test_negation),
		cmocka_unit_test(test_prefixes),
		cmocka_unit_test(test_optional_argument),
		cmocka_unit_test(test_rest),
		cmocka_unit_test(test_errors),
		cmocka_unit_test(test_nearest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
