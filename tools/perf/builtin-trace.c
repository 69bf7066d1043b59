// SPDX-License-Identifier: GPL-2.0-only
/* perf trace: system calls, decoded; with --block none is lost. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bpf/trace.h"
#include "builtin.h"
#include "lib/api/caps.h"
#include "lib/api/outbuf.h"
#include "trace/engine.h"
#include "trace/table.h"

#define MAX_EXPR 64

static struct {
	struct target target;
	const char *expr[MAX_EXPR];
	int nr_expr;
	const char *output;
	const char *block; /* auto, bpf, ptrace; NULL: no blocking */
	bool lossless, block_report, failure, zero, nonzero, signals;
	u32 ring_size;
	unsigned int string_limit, max_stack;
	double duration_ms;
	u64 max_events;
	const char *call_graph;
} opt = {.string_limit = 64};

static struct {
	struct outbuf out;
	struct trace_engine *engine;
	struct trace_table *table;
	struct trace_callset calls;
	struct workload *workload;
	int exit_code;
	u64 printed;
} run;

static volatile sig_atomic_t interrupted;

static int parse_expr(const struct option *o, const char *arg, bool unset, struct errbuf *eb)
{
	(void)o, (void)unset;
	if (opt.nr_expr == MAX_EXPR)
		return errbuf__set(eb, -E2BIG, "more than %d -e options", MAX_EXPR);
	opt.expr[opt.nr_expr++] = arg;
	return 0;
}

static int parse_block(const struct option *o, const char *arg, bool unset, struct errbuf *eb)
{
	(void)o;
	if (unset) {
		opt.block = NULL;
		return 0;
	}
	if (strcmp(arg, "auto") && strcmp(arg, "bpf") && strcmp(arg, "ptrace"))
		return errbuf__set(eb, -EINVAL, "--block: '%s' is none of auto, bpf, ptrace", arg);
	opt.block = arg;
	return 0;
}

/* -m: bytes with a suffix, or, as upstream has it, a bare number of pages. */
static int parse_size(const struct option *o, const char *arg, bool unset, struct errbuf *eb)
{
	char *end;
	u64 v = strtoull(arg, &end, 0), page = sysconf(_SC_PAGESIZE);

	(void)o, (void)unset;
	if (end == arg)
		return errbuf__set(eb, -EINVAL, "-m %s: not a size", arg);
	switch (*end) {
	case 0:
		v *= page;
		break;
	case 'B':
		end++;
		break;
	case 'k':
	case 'K':
		v <<= 10;
		end++;
		break;
	case 'm':
	case 'M':
		v <<= 20;
		end++;
		break;
	}
	if (*end)
		return errbuf__set(eb, -EINVAL, "-m %s: not a size: pages, or bytes with B, K or M",
				   arg);
	if (v < 4096 || v > 1u << 30)
		return errbuf__set(eb, -EINVAL, "-m %s: from 4K to 1024M a CPU", arg);
	opt.ring_size = 4096;
	while (opt.ring_size < v)
		opt.ring_size *= 2;
	return 0;
}

static const struct option options[] = {
	OPT_GROUP("What is traced"),
	OPT_STRING('p', "pid", &opt.target.pid_list, "pid",
		   "trace existing processes, all threads"),
	OPT_STRING('t', "tid", &opt.target.tid_list, "tid", "trace existing threads"),
	OPT_STRING('u', "uid", &opt.target.user, "user", "trace the processes of a user"),
	OPT_STRING('G', "cgroup", &opt.target.cgroups, "cgroup", "trace what runs in a cgroup"),
	OPT_FLAG('a', "all-cpus", &opt.target.system_wide, "trace the whole system"),
	OPT_STRING('C', "cpu", &opt.target.cpu_list, "cpu", "only what happens on these CPUs"),
	OPT_FLAG('i', "no-inherit", &opt.target.no_inherit, "do not follow children and threads"),
	OPT_GROUP("Which calls"),
	OPT_CALLBACK('e', "event", NULL, "calls",
		     "calls by name, glob, %group, ! for all others; may be repeated", parse_expr),
	OPT_CALLBACK(0, "expr", NULL, "calls", "the same", parse_expr),
	{.type = OPT_TYPE_DOUBLE,
	 .long_name = "duration",
	 .value = &opt.duration_ms,
	 .argh = "ms",
	 .help = "only calls that took at least so long"},
	OPT_FLAG(0, "failure", &opt.failure, "only calls that failed"),
	OPT_FLAG('z', "zero", &opt.zero, "only calls that returned 0"),
	OPT_FLAG('Z', "nonzero", &opt.nonzero, "only calls that did not return 0"),
	OPT_U64(0, "max-events", &opt.max_events, "n", "stop after so many"),
	OPT_GROUP("Nothing is lost"),
	OPT_CALLBACK_OPTARG(0, "block", NULL, "auto|bpf|ptrace",
			    "stop a thread rather than drop an event", parse_block, "auto"),
	OPT_FLAG(0, "lossless", &opt.lossless,
		 "the same, and exit code 125 should an event be lost all the same"),
	OPT_FLAG(0, "block-report", &opt.block_report, "print stops and time blocked per thread"),
	OPT_CALLBACK('m', "mmap-pages", NULL, "pages|size",
		     "ring buffer a CPU: pages, or bytes with a suffix K or M", parse_size),
	OPT_GROUP("Output"),
	OPT_STRING('o', "output", &opt.output, "file", "write there instead of to stderr"),
	OPT_UINT(0, "string-limit", &opt.string_limit, "n", "bytes of a buffer that are shown"),
	OPT_FLAG(0, "signals", &opt.signals, "show signals and ends of threads as well"),
	OPT_COUNT('v', "verbose", &subcmd__verbose, "say more"),
	OPT_END(),
};

const struct option *cmd_trace_options(void)
{
	return options;
}

static const char *const usage[] = {"[<options>] [--] <command> [<args>]",
				    "[<options>] -p <pid>|-t <tid>|-a [<options>]", NULL};

static void on_signal(int sig)
{
	(void)sig;
	interrupted++;
	if (run.engine)
		trace_engine__wake(run.engine);
}

static void catch_signals(void)
{
	struct sigaction sa = {.sa_handler = on_signal, .sa_flags = SA_RESTART};

	sigaction(SIGINT, &sa, NULL);
	sigaction(SIGTERM, &sa, NULL);
	sigaction(SIGHUP, &sa, NULL);
}

static void on_record(const struct trace_record *r, u32 size, void *arg)
{
	const struct trace_call *c = trace_table__lookup(run.table, r->abi, r->nr);

	(void)size, (void)arg;
	outbuf__printf(&run.out,
		       "%u/%u %s(%" PRIx64 ", %" PRIx64 ", %" PRIx64 ") = %" PRId64
		       " flags %x blobs %d\n",
		       r->pid, r->tid, c ? c->name : "?", r->args[0], r->args[1], r->args[2],
		       r->ret, r->flags, r->nr_blobs);
	run.printed++;
}

static int engine_opts(struct trace_engine_opts *o, struct errbuf *eb)
{
	int err;

	*o = (struct trace_engine_opts){
		.table = run.table,
		.calls = &run.calls,
		.target = &opt.target,
		.workload = run.workload,
		.block = opt.block || opt.lossless,
		.records = true,
		.signals = opt.signals,
		.ring_size = opt.ring_size,
		.string_limit = opt.string_limit,
		.ret_filter = opt.failure   ? RET_FAILED
			      : opt.zero    ? RET_ZERO
			      : opt.nonzero ? RET_NONZERO
					    : RET_ANY,
		.min_ns = opt.duration_ms * 1e6,
		.record = on_record,
	};
	for (int i = 0; i < opt.nr_expr; i++) {
		err = trace_callset__parse(&run.calls, run.table, opt.expr[i], eb);
		if (err)
			return err;
	}
	if (!opt.nr_expr)
		trace_callset__fill(&run.calls, run.table);
	return 0;
}

static int open_output(struct errbuf *eb)
{
	int fd = STDERR_FILENO;

	if (opt.output) {
		fd = open(opt.output, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
		if (fd < 0)
			return errbuf__set(eb, -errno, "cannot write %s: %s", opt.output,
					   strerror(errno));
	}
	if (outbuf__init(&run.out, fd, 0))
		return errbuf__set(eb, -ENOMEM, "out of memory");
	return 0;
}

static void print_end(void)
{
	struct loss_ledger l;
	struct trace_stats st;

	trace_engine__stats(run.engine, &st);
	loss_ledger__init(&l, cpu_map__max_possible());
	trace_engine__ledger(run.engine, &l);
	pr_info("%" PRIu64 " calls, %" PRIu64 " lost, %" PRIu64 " stops, blocked %.1f ms", st.calls,
		loss_counts__dropped(&l.total), st.stops, st.blocked_ns / 1e6);
	if (opt.lossless && loss_counts__dropped(&l.total))
		run.exit_code = EXIT_TOOL_FAILED;
	loss_ledger__exit(&l);
}

static int trace(const char **argv, struct errbuf *eb)
{
	struct trace_engine_opts o;
	int err, code = 0;

	run.table = trace_table__new(eb);
	if (!run.table)
		return -errno;
	err = open_output(eb);
	if (err)
		return err;
	if (*argv) {
		run.workload = workload__prepare(argv, eb);
		if (!run.workload)
			return -errno;
	}
	err = engine_opts(&o, eb);
	if (err)
		return err;
	run.engine = trace_engine__new(opt.block && !strcmp(opt.block, "ptrace") ? TRACE_ENGINE_PTRACE : TRACE_ENGINE_BPF, &o, eb);
	if (!run.engine)
		return -errno;
	err = trace_engine__attach(run.engine, eb);
	if (err)
		return err;
	catch_signals();
	if (run.workload) {
		err = workload__start(run.workload, &code, eb);
		if (err) {
			run.exit_code = code;
			return err;
		}
	}
	while (!interrupted && trace_engine__poll(run.engine, 100) > 0)
		if (run.out.len)
			outbuf__flush(&run.out);
	trace_engine__finish(run.engine);
	outbuf__flush(&run.out);
	if (run.workload && workload__poll(run.workload, &code) == 1)
		run.exit_code = code;
	print_end();
	return 0;
}

int cmd_trace(int argc, const char **argv)
{
	struct errbuf eb = {};
	int err;

	argc = parse_options(argc, argv, options, "trace", usage, SUBCMD_STOP_AT_NON_OPTION);
	err = trace(argv, &eb);
	if (err) {
		pr_err("%s", eb.msg);
		if (!run.exit_code)
			run.exit_code = EXIT_TOOL_FAILED;
	}
	trace_engine__delete(run.engine);
	workload__delete(run.workload);
	trace_table__delete(run.table);
	outbuf__exit(&run.out);
	return run.exit_code;
}
