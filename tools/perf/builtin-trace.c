// SPDX-License-Identifier: GPL-2.0-only
/* perf trace: system calls, decoded; with --block none is lost. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "bpf/trace.h"
#include "builtin.h"
#include "lib/api/caps.h"
#include "lib/api/outbuf.h"
#include "lib/api/features.h"
#include "output/trace-sink.h"
#include "output/trace-stack.h"
#include "trace/engine.h"
#include "trace/table.h"

#define MAX_EXPR 64

static struct {
	struct target target;
	const char *expr[MAX_EXPR];
	int nr_expr;
	const char *output;
	const char *block; /* auto, bpf, ptrace; NULL: no blocking */
	bool lossless, block_report, failure, succeeded, failed, signals, decode_fds, no_abbrev,
		show_zeros;
	u32 ring_size;
	unsigned int string_limit, max_stack;
	double duration_ms;
	u64 max_events;
	bool call_graph, strict;
	enum trace_format format;
	const char *color, *filter, *path;
	const char *faults;
	bool sched;
	bool full_time, comm, show_cpu;
	bool summary, with_summary, errno_summary;
	enum trace_summary_mode summary_mode;
} opt = {.comm = true};

static struct {
	struct outbuf out;
	bool out_ready;
	struct trace_engine *engine;
	struct trace_sink *sink;
	struct trace_stacks *stacks;
	struct trace_events *events;
	struct trace_table *table;
	struct trace_callset calls, fd_calls;
	struct workload *workload;
	int exit_code;
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

static int parse_format(const struct option *o, const char *arg, bool unset, struct errbuf *eb)
{
	(void)unset;
	return trace_format__parse(o->data ? o->data : arg, &opt.format, eb);
}

static int parse_faults(const struct option *o, const char *arg, bool unset, struct errbuf *eb)
{
	(void)o, (void)eb;
	opt.faults = unset ? NULL : arg;
	return 0;
}

static int parse_call_graph(const struct option *o, const char *arg, bool unset, struct errbuf *eb)
{
	(void)o;
	opt.call_graph = !unset;
	if (!unset && strcmp(arg, "fp"))
		return errbuf__set(eb, -EINVAL,
				   "--call-graph %s: user stacks are walked by frame pointers: fp",
				   arg);
	return 0;
}

static int parse_max_stack(const struct option *o, const char *arg, bool unset, struct errbuf *eb)
{
	char *end;
	long v = strtol(arg, &end, 10);

	(void)o, (void)unset;
	if (end == arg || *end || v < 1 || v > TRACE_MAX_STACK)
		return errbuf__set(eb, -EINVAL, "--max-stack %s: from 1 to %d", arg,
				   TRACE_MAX_STACK);
	opt.max_stack = v;
	opt.call_graph = true;
	return 0;
}

static int parse_mode(const struct option *o, const char *arg, bool unset, struct errbuf *eb)
{
	static const char *const names[] = {"thread", "total", "cgroup"};

	(void)o, (void)unset;
	for (int i = 0; i < 3; i++) {
		if (strcmp(arg, names[i]))
			continue;
		opt.summary_mode = (enum trace_summary_mode)i;
		return 0;
	}
	return errbuf__set(eb, -EINVAL, "--summary-mode: '%s' is none of thread, total, cgroup",
			   arg);
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
	OPT_FLAG('z', "successful-only", &opt.succeeded, "only calls that did not fail"),
	OPT_FLAG('Z', "failed-only", &opt.failed, "the same as --failure"),
	OPT_STRING('P', "path", &opt.path, "path",
		   "only calls that take this file, by name or descriptor"),
	OPT_STRING(0, "filter", &opt.filter, "expr", "only calls whose decoded arguments match"),
	OPT_U64(0, "max-events", &opt.max_events, "n", "stop after so many"),
	OPT_GROUP("Other events"),
	OPT_CALLBACK('F', "pf", NULL, "all|min|maj", "page faults as well", parse_faults),
	OPT_FLAG(0, "sched", &opt.sched, "run time of each thread, at the end"),
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
	OPT_CALLBACK(0, "format", NULL, "text|strace|json", "how a call is written", parse_format),
	{.type = OPT_TYPE_CALLBACK,
	 .long_name = "json",
	 .help = "one JSON object a line",
	 .parse = parse_format,
	 .data = "json",
	 .flags = OPT_NOARG | OPT_NO_NEGATE},
	OPT_FLAG('T', "time", &opt.full_time, "full timestamps instead of time since the start"),
	OPT_FLAG(0, "comm", &opt.comm, "show the thread's name (default; --no-comm: only its id)"),
	OPT_FLAG(0, "show-cpu", &opt.show_cpu, "show the CPU"),
	OPT_STRING(0, "color", &opt.color, "always|auto|never", "colours (default: on a terminal)"),
	OPT_UINT(0, "string-limit", &opt.string_limit, "n",
		 "bytes of a buffer that are shown, up to 4096 (default 64; strace format: 32)"),
	OPT_FLAG('y', "decode-fds", &opt.decode_fds,
		 "strace format: names of descriptors, as the others have them"),
	OPT_FLAG(0, "no-abbrev", &opt.no_abbrev, "structs with all their members"),
	OPT_FLAG(0, "show-zeros", &opt.show_zeros, "arguments that are 0 as well"),
	OPT_CALLBACK(0, "call-graph", NULL, "fp", "user call chain of each call", parse_call_graph),
	OPT_CALLBACK(0, "max-stack", NULL, "n", "at most so many frames; implies --call-graph",
		     parse_max_stack),
	OPT_FLAG(0, "signals", &opt.signals, "show signals and ends of threads as well"),
	OPT_FLAG('s', "summary", &opt.summary, "only a table of calls, times and errors"),
	OPT_FLAG('S', "with-summary", &opt.with_summary, "calls, and the table at the end"),
	OPT_FLAG(0, "errno-summary", &opt.errno_summary, "with the table: errors by number"),
	OPT_CALLBACK(0, "summary-mode", NULL, "thread|total|cgroup", "what a table is made for",
		     parse_mode),
	OPT_FLAG(0, "strict", &opt.strict, "an error instead of a fallback"),
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

static bool blocking(void)
{
	return opt.block || opt.lossless;
}

static bool summary_only(void)
{
	return opt.summary && !opt.with_summary;
}

/* Whoever makes calls, not certain processes. */
static bool system_wide(bool workload)
{
	const struct target *t = &opt.target;

	return t->system_wide || t->cgroups ||
	       (t->cpu_list && !workload && !t->pid_list && !t->tid_list && !t->user);
}

static int check(bool workload, struct errbuf *eb)
{
	struct target *t = &opt.target;
	bool task = t->pid_list || t->tid_list || t->user;

	if ((opt.failure || opt.failed) && opt.succeeded)
		return errbuf__set(eb, -EINVAL,
				   "-z (calls that succeeded) and --failure, -Z (calls that "
				   "failed) exclude each other");
	if (workload && (task || t->system_wide || t->cgroups))
		return errbuf__set(eb, -EINVAL,
				   "a command to be started, or -p, -t, -u, -G, -a: not both");
	if (!workload && !task && !system_wide(false))
		return errbuf__set(eb, -EINVAL,
				   "what is to be traced? A command, or -p, -t, -u, -G or -a");
	if (blocking() && system_wide(workload))
		return errbuf__set(eb, -EINVAL,
				   "%s does not go with -a, -C and -G: stopping every thread of "
				   "the system would "
				   "stop those that the output needs as well; choose processes "
				   "with -p or -u, or "
				   "trace without it (what is dropped is counted), with a larger "
				   "-m, fewer calls "
				   "(-e) or only the summary (-s)",
				   opt.lossless ? "--lossless" : "--block");
	if (t->cpu_list) {
		struct cpu_map *m = cpu_map__parse(t->cpu_list, eb);

		if (!m)
			return errno ? -errno : -EINVAL;
		free(m);
	}
	return target__check(t, eb);
}

/* One -e: words of the form system:event are tracepoints, the others name calls. */
static int parse_words(const char *expr, bool *calls, struct errbuf *eb)
{
	char *copy = strdup(expr), *rest = malloc(strlen(expr) + 2), *word, *save = NULL;
	int err = copy && rest ? 0 : -ENOMEM;

	if (rest)
		*rest = 0;
	for (word = err ? NULL : strtok_r(copy, ",", &save); word && !err;
	     word = strtok_r(NULL, ",", &save)) {
		if (strchr(word, ':') && *word != '!') {
			err = trace_events__add(run.events, word, eb);
			continue;
		}
		if (*rest)
			strcat(rest, ",");
		strcat(rest, word);
	}
	if (!err && *rest) {
		*calls = true;
		err = trace_callset__parse(&run.calls, run.table, rest, eb);
	}
	free(copy);
	free(rest);
	return err;
}

static int parse_calls(struct errbuf *eb)
{
	bool calls = false;
	int err = 0;

	run.events = trace_events__new();
	if (!run.events)
		return errbuf__set(eb, -ENOMEM, "out of memory");
	trace_callset__fd_calls(&run.fd_calls, run.table);
	if (!opt.nr_expr)
		trace_callset__fill(&run.calls, run.table);
	for (int i = 0; !err && i < opt.nr_expr; i++)
		err = parse_words(opt.expr[i], &calls, eb);
	if (!err && opt.faults)
		err = trace_events__add_faults(run.events, opt.faults, eb);
	if (!err && opt.sched)
		err = trace_events__add_sched(run.events, eb);
	return err;
}

static void print_event(void *arg, const struct trace_record *r, struct outbuf *ob)
{
	bool json = opt.format == TRACE_FORMAT_JSON, fault = trace_events__is_fault(run.events, r);

	(void)arg;
	if (!json) {
		outbuf__puts(ob, trace_events__name(run.events, r));
		outbuf__putc(ob, fault ? ' ' : '(');
	}
	if (fault)
		trace_stacks__fault(run.stacks, r, ob);
	else
		trace_events__print(run.events, r, ob);
	if (!json && !fault)
		outbuf__putc(ob, ')');
}

static const char *event_name(void *arg, const struct trace_record *r)
{
	(void)arg;
	return trace_events__name(run.events, r);
}

static bool shows_fds(void)
{
	bool lines = !summary_only() || opt.filter || opt.path;

	return lines && !trace_callset__empty(&run.calls) &&
	       (opt.decode_fds || opt.format != TRACE_FORMAT_STRACE || opt.filter || opt.path);
}

static void engine_opts(struct trace_engine_opts *o)
{
	int nr_events;

	*o = (struct trace_engine_opts){
		.table = run.table,
		.calls = &run.calls,
		.follow = shows_fds() ? &run.fd_calls : NULL,
		.target = &opt.target,
		.workload = run.workload,
		.block = blocking(),
		.records = !summary_only() || opt.filter || opt.path,
		.signals = opt.signals || opt.format == TRACE_FORMAT_STRACE,
		.ring_size = opt.ring_size,
		.string_limit = opt.string_limit,
		.ret_filter = opt.failure || opt.failed ? RET_FAILED
			      : opt.succeeded		? RET_SUCCEEDED
							: RET_ANY,
		.min_ns = opt.duration_ms * 1e6,
		.stacks = opt.call_graph,
		.max_stack = opt.max_stack,
		.summary_mode = opt.summary_mode,
		.errnos = opt.errno_summary,
		.out_fd = run.out.fd,
		.events = trace_events__specs(run.events, &nr_events),
		.record = trace_sink__record,
		.entry = trace_sink__entry,
		.arg = run.sink,
	};
	o->nr_events = nr_events;
}

static s64 clock_ns(clockid_t c)
{
	struct timespec ts;

	clock_gettime(c, &ts);
	return ts.tv_sec * 1000000000ll + ts.tv_nsec;
}

static int make_sink(struct errbuf *eb)
{
	struct trace_sink_opts o = {
		.table = run.table,
		.output =
			{
				.format = opt.format,
				.absolute_time = opt.full_time,
				.no_comm = !opt.comm,
				.show_cpu = opt.show_cpu,
				.realtime_offset =
					clock_ns(CLOCK_REALTIME) - clock_ns(CLOCK_MONOTONIC),
			},
		.string_limit = opt.string_limit,
		.fd_paths = opt.decode_fds || opt.format != TRACE_FORMAT_STRACE,
		.all_members = opt.no_abbrev,
		.show_zeros = opt.show_zeros,
		.filter = opt.filter,
		.path = opt.path,
		.max_events = opt.max_events,
		.lines = !summary_only(),
		.summary = opt.summary || opt.with_summary,
		.errno_summary = opt.errno_summary,
		.summary_mode = opt.summary_mode,
	};

	if (opt.color && strcmp(opt.color, "auto") && strcmp(opt.color, "never") &&
	    strcmp(opt.color, "always"))
		return errbuf__set(eb, -EINVAL, "--color: '%s' is none of always, auto, never",
				   opt.color);
	if (opt.call_graph || opt.faults) {
		run.stacks = trace_stacks__new(eb);
		if (!run.stacks)
			return errno ? -errno : -EINVAL;
		o.output.print_stack = trace_stacks__print;
		o.output.arg = run.stacks;
	}
	o.output.print_event = print_event;
	o.output.event_name = event_name;
	o.events = run.events;
	o.output.color = opt.color && strcmp(opt.color, "auto") ? !strcmp(opt.color, "always")
								: isatty(run.out.fd);
	run.sink = trace_sink__new(&o, &run.out, eb);
	return run.sink ? 0 : errno ? -errno : -EINVAL;
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
	run.out_ready = true;
	return 0;
}

/* The bpf engine where its rights are there, else ptrace, said aloud. */
static int make_engine(struct errbuf *eb)
{
	bool want_ptrace = opt.block && !strcmp(opt.block, "ptrace");
	bool want_bpf = opt.block && !strcmp(opt.block, "bpf");
	struct trace_engine_opts o;

	engine_opts(&o);
	if (want_ptrace && opt.target.cpu_list)
		return errbuf__set(eb, -EINVAL, "-C needs the bpf engine");
	if (want_ptrace && o.nr_events)
		return errbuf__set(eb, -EINVAL,
				   "tracepoints, page faults and --sched need the bpf engine");
	if (!want_ptrace) {
		run.engine = trace_engine__new(TRACE_ENGINE_BPF, &o, eb);
		if (run.engine)
			return 0;
		if (want_bpf || opt.strict || o.nr_events || opt.target.cpu_list ||
		    system_wide(run.workload) ||
		    (errno != EPERM && errno != EACCES && errno != EXDEV && errno != ENOENT &&
		     errno != EINVAL))
			return -errno;
		pr_warn("%s; using ptrace, which stops a thread twice a call", eb->msg);
		eb->msg[0] = 0;
	}
	o.block = true; /* by its nature */
	o.records = true;
	run.engine = trace_engine__new(TRACE_ENGINE_PTRACE, &o, eb);
	return run.engine ? 0 : -errno;
}

static void report_thread(void *arg, pid_t tid, const char *comm, u64 stops, u64 blocked_ns)
{
	(void)arg;
	pr_info("  %s/%d: %" PRIu64 " stops, blocked %.1f ms", comm, tid, stops, blocked_ns / 1e6);
}

static void print_end(void)
{
	struct loss_ledger l;
	struct trace_stats st;
	u64 lost;

	trace_engine__stats(run.engine, &st);
	if (loss_ledger__init(&l, cpu_map__max_possible()))
		return;
	trace_engine__ledger(run.engine, &l);
	if (trace_sink__malformed(run.sink))
		loss_ledger__dropped(&l, -1, LOSS_CORRUPT, trace_sink__malformed(run.sink));
	if (trace_sink__summary(run.sink) && summary_only())
		trace_engine__summary(run.engine, trace_sink__summary(run.sink));
	trace_sink__finish(run.sink, &l, &st);
	outbuf__flush(&run.out);
	lost = loss_counts__dropped(&l.total);
	pr_info("%" PRIu64 " calls, %" PRIu64 " lost, %" PRIu64 " stops, blocked %.1f ms", st.calls,
		lost, st.stops, st.blocked_ns / 1e6);
	for (int i = 0; lost && i < LOSS_NR; i++)
		if (l.total.dropped[i])
			pr_info("  %" PRIu64 " lost: %s", l.total.dropped[i],
				loss_reason__name((enum loss_reason)i));
	if (st.unreadable)
		pr_info("  %" PRIu64 " arguments could not be read", st.unreadable);
	if (st.withheld)
		pr_info("  %" PRIu64 " setuid or setgid programs ran without the rights of that "
			"bit: the kernel withholds them from what an ordinary user traces",
			st.withheld);
	if (opt.block_report)
		trace_engine__block_report(run.engine, report_thread, NULL);
	if (opt.lossless && lost)
		run.exit_code = EXIT_TOOL_FAILED;
	loss_ledger__exit(&l);
}

/* What the targets have open, before they go on: of the processes given, else of all. */
static void know_targets(void)
{
	const char *p = opt.target.pid_list;
	struct dirent *de;
	DIR *proc = NULL;

	if (run.workload)
		trace_sink__attach(run.sink, (u32)workload__pid(run.workload));
	else if (!p)
		proc = opendir("/proc");
	for (; p && *p; p = strchr(p, ',') ? strchr(p, ',') + 1 : NULL)
		trace_sink__attach(run.sink, (u32)strtoul(p, NULL, 10));
	while (proc && (de = readdir(proc)))
		if (de->d_name[0] >= '1' && de->d_name[0] <= '9')
			trace_sink__attach(run.sink, (u32)strtoul(de->d_name, NULL, 10));
	if (proc)
		closedir(proc);
}

static int start(const char **argv, struct errbuf *eb)
{
	int err, code = 0;

	if (*argv) {
		run.workload = workload__prepare(argv, eb);
		if (!run.workload)
			return -errno;
	}
	err = make_engine(eb);
	know_targets();
	if (!err)
		err = trace_engine__attach(run.engine, eb);
	if (err)
		return err;
	if (run.workload) {
		err = workload__start(run.workload, &code, eb);
		if (err)
			run.exit_code = code;
	}
	return err;
}

/* A workload gets the terminal's Ctrl-C as well: it has this long to end by it. */
#define GRACE_MS 1000

static void loop(void)
{
	s64 asked = 0;

	while (trace_engine__poll(run.engine, 100) > 0) {
		if (run.out.len && outbuf__flush(&run.out))
			break; /* the reader has gone */
		if (trace_sink__full(run.sink))
			break;
		if (!interrupted)
			continue;
		if (!asked)
			asked = clock_ns(CLOCK_MONOTONIC);
		if (!run.workload || interrupted > 1 ||
		    clock_ns(CLOCK_MONOTONIC) - asked > GRACE_MS * 1000000ll)
			break;
	}
}

static int trace(const char **argv, struct errbuf *eb)
{
	int err, code;

	catch_signals();
	err = check(*argv, eb);
	if (err)
		return err;
	run.table = trace_table__new(eb);
	if (!run.table)
		return -errno;
	if (opt.string_limit > TRACE_PATH_MAX)
		return errbuf__set(eb, -EINVAL, "--string-limit: at most %d", TRACE_PATH_MAX);
	if (!opt.string_limit)
		opt.string_limit = decoder__string_limit(trace_format__style(opt.format));
	err = parse_calls(eb);
	if (!err)
		err = open_output(eb);
	if (!err)
		err = make_sink(eb);
	if (!err)
		err = start(argv, eb);
	if (err)
		return err;
	loop();
	trace_engine__finish(run.engine);
	if (run.workload && workload__poll(run.workload, &code) == 1)
		run.exit_code = code;
	print_end();
	run.exit_code = subcmd__write_failed(run.out.err, run.exit_code);
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
	run.engine = NULL;
	workload__delete(run.workload);
	trace_sink__delete(run.sink);
	trace_stacks__delete(run.stacks);
	trace_events__delete(run.events);
	trace_table__delete(run.table);
	if (run.out_ready)
		outbuf__exit(&run.out);
	return run.exit_code;
}
