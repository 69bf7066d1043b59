// SPDX-License-Identifier: GPL-2.0-only
/* perf sample-bpf: profile with BPF programs on overflow, aggregated in the kernel. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <malloc.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "builtin-sample-events.h"
#include "builtin-sample-user.h"
#include "builtin.h"
#include "hist/collector.h"
#include "lib/api/caps.h"
#include "lib/api/cgroupfs.h"
#include "output/profile-output.h"

static struct {
	struct target target;
	struct event_opts events;
	bool only, reverse, json, folded, no_demangle, strict, no_bpf, by_period;
	double seconds, percent_limit;
	u32 keys;
	unsigned int limit, pages;
	unsigned int interval_ms;
	const char *output;
	struct user_opts user;
} opt;

static int parse_keys(const struct option *o, const char *arg, bool unset, struct errbuf *eb)
{
	static const char *const names[] = {"ip",  "sym", "dso",    "comm",  "pid",
					    "tid", "cpu", "cgroup", "event", NULL};
	u32 keys = opt.keys & SAMPLE_KEY_STACK;

	(void)o, (void)unset;
	do {
		size_t n = strcspn(arg, ",");
		char word[32];
		int i;

		snprintf(word, sizeof(word), "%.*s", (int)n, arg);
		for (i = 0; names[i] && strcmp(names[i], word); i++)
			;
		if (!names[i]) {
			const char *near = nearest_name(word, names);

			return errbuf__set(eb, -EINVAL,
					   "-k: unknown key '%s'%s%s%s; keys are ip, sym, dso, "
					   "comm, pid, tid, cpu, cgroup, event",
					   word, near ? ", did you mean '" : "", near ? near : "",
					   near ? "'?" : "");
		}
		keys |= 1u << i;
		arg += n;
	} while (*arg++ == ',');
	opt.keys = keys;
	return 0;
}

static int parse_duration(const struct option *o, const char *arg, bool unset, struct errbuf *eb)
{
	char *end;

	(void)o, (void)unset;
	opt.seconds = strtod(arg, &end);
	if (end == arg || *end || !(opt.seconds > 0 && opt.seconds < 1e9))
		return errbuf__set(eb, -EINVAL, "-d %s: not a number of seconds", arg);
	return 0;
}

static int parse_stack(const struct option *o, const char *arg, bool unset, struct errbuf *eb)
{
	(void)o;
	opt.keys &= ~SAMPLE_KEY_STACK;
	if (unset)
		return 0;
	arg += *arg == '='; /* -g=user, as well as -guser and --stack=user */
	if (!strcmp(arg, "both"))
		opt.keys |= SAMPLE_KEY_STACK;
	else if (!strcmp(arg, "user"))
		opt.keys |= SAMPLE_KEY_USTACK;
	else if (!strcmp(arg, "kernel"))
		opt.keys |= SAMPLE_KEY_KSTACK;
	else
		return errbuf__set(eb, -EINVAL, "-g %s: stacks are 'user', 'kernel' or 'both'",
				   arg);
	return 0;
}

static int parse_weight(const struct option *o, const char *arg, bool unset, struct errbuf *eb)
{
	(void)o;
	opt.by_period = !unset && !strcmp(arg, "period");
	if (!unset && !opt.by_period && strcmp(arg, "samples"))
		return errbuf__set(eb, -EINVAL, "--weight %s: 'samples' or 'period'", arg);
	return 0;
}

static const struct option options[] = {
	OPT_GROUP("What to sample"),
	{.type = OPT_TYPE_CALLBACK,
	 .short_name = 'e',
	 .long_name = "event",
	 .argh = "event",
	 .parse = event_opts__parse_event,
	 .data = &opt.events,
	 .flags = OPT_NO_NEGATE,
	 .complete = "event",
	 .help = "event selector, see perf list; default: cycles, or cpu-clock without hardware "
		 "counters"},
	{.type = OPT_TYPE_CALLBACK,
	 .long_name = "filter",
	 .argh = "filter",
	 .parse = event_opts__parse_filter,
	 .data = &opt.events,
	 .flags = OPT_NO_NEGATE,
	 .help = "filter of the tracepoint given before"},
	{.type = OPT_TYPE_CALLBACK,
	 .short_name = 'F',
	 .long_name = "freq",
	 .argh = "hertz",
	 .parse = event_opts__parse_freq,
	 .data = &opt.events,
	 .flags = OPT_NO_NEGATE,
	 .help = "samples a second and CPU, or 'max' (default 4000)"},
	{.type = OPT_TYPE_CALLBACK,
	 .short_name = 'c',
	 .long_name = "count",
	 .argh = "n",
	 .parse = event_opts__parse_period,
	 .data = &opt.events,
	 .flags = OPT_NO_NEGATE,
	 .help = "a sample every n events, instead of -F"},
	OPT_GROUP("Where"),
	OPT_FLAG('a', "all-cpus", &opt.target.system_wide,
		 "all CPUs (the default without -p, -t, -u, --only)"),
	{.type = OPT_TYPE_STRING,
	 .short_name = 'C',
	 .long_name = "cpu",
	 .value = &opt.target.cpu_list,
	 .argh = "cpus",
	 .complete = "cpu",
	 .help = "only these CPUs: 0,2-3"},
	{.type = OPT_TYPE_STRING,
	 .short_name = 'p',
	 .long_name = "pid",
	 .value = &opt.target.pid_list,
	 .argh = "pids",
	 .complete = "pid",
	 .help = "only these processes, all their threads"},
	{.type = OPT_TYPE_STRING,
	 .short_name = 't',
	 .long_name = "tid",
	 .value = &opt.target.tid_list,
	 .argh = "tids",
	 .complete = "pid",
	 .help = "only these threads"},
	OPT_STRING('G', "cgroup", &opt.target.cgroups, "name",
		   "only this cgroup (a list: one an event)"),
	OPT_STRING('u', "uid", &opt.target.user, "user",
		   "only processes of this user, by name or number"),
	OPT_FLAG(0, "only", &opt.only, "only the workload and its children, not the whole system"),
	OPT_FLAG('i', "no-inherit", &opt.target.no_inherit,
		 "threads and children that begin later are left out"),
	{.type = OPT_TYPE_CALLBACK,
	 .short_name = 'd',
	 .long_name = "duration",
	 .argh = "seconds",
	 .parse = parse_duration,
	 .flags = OPT_NO_NEGATE,
	 .help = "stop after so long"},
	OPT_GROUP("What to count"),
	{.type = OPT_TYPE_CALLBACK,
	 .short_name = 'k',
	 .long_name = "keys",
	 .argh = "keys",
	 .parse = parse_keys,
	 .flags = OPT_NO_NEGATE,
	 .complete = "ip sym dso comm pid tid cpu cgroup event",
	 .help = "count by these, a list of ip, sym, dso, comm, pid, tid, cpu, cgroup, event "
		 "(default ip; with -g sym)"},
	{.type = OPT_TYPE_CALLBACK,
	 .short_name = 'g',
	 .long_name = "stack",
	 .argh = "user|kernel|both",
	 .parse = parse_stack,
	 .flags = OPT_OPTARG,
	 .def = "both",
	 .complete = "user kernel both",
	 .help = "the call stack is part of the key (frame pointers)"},
	{.type = OPT_TYPE_CALLBACK,
	 .long_name = "weight",
	 .argh = "samples|period",
	 .parse = parse_weight,
	 .complete = "samples period",
	 .help = "what is counted: samples (default), or the events that they stand for"},
	{.type = OPT_TYPE_FLAG,
	 .long_name = "no-bpf",
	 .value = &opt.no_bpf,
	 .flags = OPT_NO_NEGATE, /* --bpf is another option */
	 .help = "count in user space, from ring buffers"},
	OPT_UINT('m', "mmap-pages", &opt.pages, "pages",
		 "data pages of each ring buffer, a power of two"),
	OPT_GROUP("With a BPF program of your own"),
	{.type = OPT_TYPE_STRING,
	 .long_name = "bpf",
	 .value = &opt.user.bpf,
	 .argh = "file.bpf.o[:prog]",
	 .flags = OPT_NO_NEGATE,
	 .complete = "file",
	 .help = "run this object's program(s) on overflow, and print its maps at the end"},
	{.type = OPT_TYPE_CALLBACK,
	 .long_name = "bpf-var",
	 .argh = "name=value",
	 .parse = user_opts__parse_var,
	 .data = &opt.user,
	 .flags = OPT_NO_NEGATE,
	 .help = "set a global variable of the object before it is loaded"},
	OPT_STRING(0, "address-key", &opt.user.address_key, "name",
		   "map keys and fields of this name are addresses, as those called ip are"),
	{.type = OPT_TYPE_STRING,
	 .long_name = "record",
	 .value = &opt.user.record,
	 .argh = "file",
	 .flags = OPT_NO_NEGATE,
	 .complete = "file",
	 .help = "write what the program sends with bpf_perf_event_output(), and the samples "
		 "that it lets through, to this perf.data"},
	OPT_GROUP("Output"),
	OPT_UINT('I', "interval-print", &opt.interval_ms, "ms",
		 "print and clear every so many milliseconds"),
	OPT_FLAG('r', "reverse", &opt.reverse, "hottest first"),
	OPT_UINT('n', "max-rows", &opt.limit, "n", "only the n hottest"),
	OPT_DOUBLE(0, "percent-limit", &opt.percent_limit, "percent",
		   "only what has at least this share"),
	OPT_FLAG(0, "json", &opt.json, "one JSON object"),
	OPT_FLAG(0, "folded", &opt.folded, "folded stacks, for flame graphs"),
	{.type = OPT_TYPE_STRING,
	 .short_name = 'o',
	 .long_name = "output",
	 .value = &opt.output,
	 .argh = "file",
	 .complete = "file",
	 .help = "write to this file"},
	OPT_FLAG(0, "no-demangle", &opt.no_demangle, "C++ and Rust names as they are in the file"),
	OPT_FLAG(0, "strict", &opt.strict, "a fallback is an error"),
	OPT_COUNT('v', "verbose", &subcmd__verbose, "say more"),
	OPT_END(),
};

static const char *const usage[] = {
	"[<options>] [--] <command> [<arguments>]",
	"[<options>] [-a | -p <pid> | -t <tid> | -u <user>] [-d <seconds>]",
	NULL,
};

const struct option *cmd_sample_bpf_options(void)
{
	return options;
}

/* Signals end the run: the handler leaves a byte for poll(2). */
static int stop_pipe[2] = {-1, -1};
static volatile sig_atomic_t stopped;

static void on_stop(int sig __unused)
{
	int err = errno;

	/* The byte first: who sees the flag takes it for this signal's, not for a second one's. */
	if (write(stop_pipe[1], "", 1) < 0)
		errno = err;
	stopped = 1;
	errno = err;
}

static void catch_signals(void)
{
	struct sigaction sa = {.sa_handler = on_stop, .sa_flags = SA_RESTART};

	if (pipe2(stop_pipe, O_CLOEXEC | O_NONBLOCK))
		return;
	sigaction(SIGINT, &sa, NULL);
	sigaction(SIGTERM, &sa, NULL);
	sigaction(SIGHUP, &sa, NULL);
}

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec + ts.tv_nsec / 1e9;
}

static void note(void *ctx __unused, const char *line)
{
	pr_info("%s", line);
}

/* One run, from the options to the report. */
struct run {
	struct evlist *evlist;
	const char **names; /* of the events, nr_events */
	int nr_events;
	struct user_run user; /* --bpf */
	struct collector *collector;
	struct workload *workload;
	char *what; /* the workload as typed, for the heading */
	struct outbuf out;
	int out_fd;
	double begin, start, end, interval_start; /* s, CLOCK_MONOTONIC */
	u64 period;
	bool printed; /* an interval has been printed */
};

static char *joined(const char **argv)
{
	size_t n = 1;
	char *s;

	for (int i = 0; argv[i]; i++)
		n += strlen(argv[i]) + 1;
	s = calloc(1, n);
	for (int i = 0; s && argv[i]; i++) {
		if (i)
			strcat(s, " ");
		strcat(s, argv[i]);
	}
	return s;
}

static int nr_cpus_sampled(struct run *r)
{
	const struct cpu_map *cpus = evlist__cpus(r->evlist);

	return cpus && cpus->nr && cpus->cpu[0] >= 0 ? cpus->nr : cpu_map__max_possible();
}

#define NAMED_EVENTS 8 /* in the heading; each table has its event's name */

static void heading(struct run *r)
{
	const struct target *t = &opt.target;
	struct outbuf *ob = &r->out;
	struct evsel *first = evlist__at(r->evlist, 0);
	const struct perf_event_attr *attr = evsel__attr(first);

	outbuf__puts(ob, "Sampling ");
	for (int i = 0; i < r->nr_events && i < NAMED_EVENTS; i++) {
		outbuf__puts(ob, i ? ", " : "");
		outbuf__safe(ob, r->names[i], strlen(r->names[i]));
	}
	if (r->nr_events > NAMED_EVENTS)
		outbuf__printf(ob, " and %d other events", r->nr_events - NAMED_EVENTS);
	if (attr->freq)
		outbuf__printf(ob, " at %" PRIu64 " Hertz", (u64)attr->sample_freq);
	else
		outbuf__printf(ob, " every %" PRIu64 " event%s", (u64)attr->sample_period,
			       attr->sample_period == 1 ? "" : "s");
	if (t->pid_list)
		outbuf__printf(ob, " in process %s", t->pid_list);
	else if (t->tid_list)
		outbuf__printf(ob, " in thread %s", t->tid_list);
	else if (t->user)
		outbuf__printf(ob, " in processes of user %s", t->user);
	else if (t->workload_pid)
		outbuf__puts(ob, " in the workload");
	else
		outbuf__printf(ob, " on %d CPU%s", nr_cpus_sampled(r),
			       nr_cpus_sampled(r) == 1 ? "" : "s");
	if (t->cgroups)
		outbuf__printf(ob, " in cgroup %s", t->cgroups);
	if (r->what) {
		outbuf__puts(ob, " while '");
		outbuf__safe(ob, r->what, strlen(r->what));
		outbuf__puts(ob, "' runs");
	}
	if (opt.seconds)
		outbuf__printf(ob, " for %g seconds", opt.seconds);
	outbuf__puts(ob, r->what || opt.seconds || target__has_task(t) ? ". Ctrl-C also ends.\n"
								       : " until Ctrl-C.\n");
	outbuf__flush(ob);
}

static const char *cgroup_path(void *ctx __unused, u64 id)
{
	static u64 last;
	static char *path;

	if (!path || last != id) {
		free(path);
		path = cgroupfs__path(id);
		last = id;
	}
	return path;
}

static int terminal_width(int fd)
{
	struct winsize ws;

	if (!isatty(fd))
		return 0;
	if (ioctl(fd, TIOCGWINSZ, &ws) || ws.ws_col < 20)
		return 80;
	return ws.ws_col;
}

/* Whose addresses the map's keys are when only one process was sampled. */
static pid_t only_pid(void)
{
	char *end;
	long pid;

	if (opt.target.workload_pid)
		return opt.target.workload_pid;
	pid = opt.target.pid_list ? strtol(opt.target.pid_list, &end, 10) : -1;
	return pid > 0 && !*end ? (pid_t)pid : -1;
}

static int report(struct run *r, double from, double to, struct errbuf *eb)
{
	const struct perf_event_attr *attr = evsel__attr(evlist__at(r->evlist, 0));
	struct profile_report rep = {
		.profile = collector__profile(r->collector),
		.ledger = collector__ledger(r->collector),
		.events = r->names,
		.nr_events = r->nr_events,
		.freq = attr->freq ? attr->sample_freq : 0,
		.period = attr->sample_period,
		.nr_cpus = nr_cpus_sampled(r),
		.duration = to - from,
		.sideband_lost = collector__sideband_lost(r->collector),
		.throttled = collector__throttled(r->collector),
		.by_period = opt.by_period,
		.reverse = opt.reverse,
		.limit = opt.limit,
		.percent_limit = opt.percent_limit,
		.width = opt.output ? 0 : terminal_width(STDOUT_FILENO),
		.cgroup_path = cgroup_path,
	};
	const struct profile_format *f = opt.json     ? &profile_json
					 : opt.folded ? &profile_folded
						      : &profile_text;

	pr_status_clear();
	if (opt.user.bpf) {
		int err = user_run__report(&r->user, &r->out, &rep, only_pid(), eb);

		/* The maps are the program's own: they are not cleared. */
		if (opt.interval_ms)
			outbuf__flush(&r->out);
		return err;
	}
	f->print(&r->out, &rep);
	/* Interval reports clear: each has its own ledger, so that its counts add up. */
	if (opt.interval_ms) {
		outbuf__flush(&r->out);
		profile__clear(rep.profile);
		collector__clear_ledger(r->collector);
	}
	return 0;
}

static void status(struct run *r)
{
	struct loss_ledger *l = collector__ledger(r->collector);

	pr_status("%.0f s, %" PRIu64 " samples, %u keys, %" PRIu64 " lost", now() - r->start,
		  l->total.arrived, profile__nr(collector__profile(r->collector)),
		  loss_counts__dropped(&l->total));
}

static bool has_ended(struct run *r, int *code)
{
	return r->workload ? workload__poll(r->workload, code)
			   : collector__target_ended(r->collector);
}

/* Until what is sampled ends, the time is up, or a signal: 0, or -errno with @eb. */
static int collect(struct run *r, int *code, struct errbuf *eb)
{
	int fds[] = {stop_pipe[0], r->workload ? workload__pidfd(r->workload) : -1};
	double limit = opt.seconds ? r->start + opt.seconds : INFINITY;
	double next = opt.interval_ms ? r->start + opt.interval_ms / 1e3 : INFINITY;
	int longest = opt.user.record ? RECORD_INTERVAL_MS : 1000000;
	int err = 0;

	while (!stopped && !err && !r->out.err) {
		double until = fmin(limit, next) - now();

		collector__wait(r->collector, fds, ARRAY_SIZE(fds),
				(int)fmin(ceil(fmax(until, 0) * 1e3), longest));
		if (stopped || now() >= limit || has_ended(r, code))
			break;
		err = user_run__round(&r->user, collector__round(r->collector, eb), eb);
		status(r);
		if (!err && now() >= next) {
			double cut = collector__counted_until(r->collector) / 1e9;

			err = report(r, opt.user.bpf ? r->start : r->interval_start, cut, eb);
			r->interval_start = cut;
			while (next <= r->interval_start)
				next += opt.interval_ms / 1e3;
		}
	}
	collector__stop(r->collector);
	r->end = now();
	if (!err)
		err = user_run__round(&r->user, collector__round(r->collector, eb), eb);
	return user_run__finish(&r->user, err, eb);
}

/* Signals that came until now have been acted on. */
static bool take_signals(void)
{
	char buf[64];
	bool any = false;

	while (read(stop_pipe[0], buf, sizeof(buf)) > 0)
		any = true;
	return any;
}

/* The workload outlived the sampling: it ends with us, as under perf record. One that does not
 * is killed by the next signal. */
static void end_workload(struct run *r, int *code)
{
	struct pollfd pfd[] = {{.fd = stop_pipe[0], .events = POLLIN}, {.events = POLLIN}};

	if (!r->workload || workload__poll(r->workload, code) == 1)
		return;
	take_signals();
	kill(workload__pid(r->workload), SIGTERM);
	kill(workload__pid(r->workload), SIGCONT); /* one that stands still would not see it */
	pfd[1].fd = workload__pidfd(r->workload);
	if (pfd[1].fd < 0)
		workload__wait(r->workload, code);
	while (pfd[1].fd >= 0 && workload__poll(r->workload, code) != 1) {
		poll(pfd, ARRAY_SIZE(pfd), -1);
		if (take_signals())
			kill(workload__pid(r->workload), SIGKILL);
	}
}

static int open_output(struct run *r)
{
	r->out_fd = STDOUT_FILENO;
	if (opt.output) {
		r->out_fd = open(opt.output, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
		if (r->out_fd < 0) {
			pr_err("cannot write %s: %s", opt.output, strerror(errno));
			return -errno;
		}
	}
	return outbuf__init(&r->out, r->out_fd, 0);
}

static void only_workload(struct run *r)
{
	opt.target.workload_pid = workload__pid(r->workload);
	opt.target.enable_on_exec = true;
}

/* An ordinary user may not sample all CPUs: with a workload, that is sampled instead, said aloud.
 */
static int narrow_target(struct run *r, struct errbuf *eb)
{
	const struct target *t = &opt.target;

	if (target__has_task(t) || t->cgroups || caps__perfmon() ||
	    caps__perf_event_paranoid() <= 0)
		return 0;
	errbuf__set(eb, -EACCES, "cannot sample all CPUs");
	caps__explain(eb, CAPS_NEED_SYSTEM_WIDE);
	if (t->system_wide || t->cpu_list || !r->workload || opt.strict) {
		errbuf__append(eb, "; without that: your own processes with -p, or a workload");
		return -EACCES;
	}
	pr_info("%s; sampling the workload and its children alone", eb->msg);
	eb->msg[0] = 0;
	only_workload(r);
	return 0;
}

static int prepare(struct run *r, const char **argv, struct errbuf *eb)
{
	struct collector_opts co = {
		.target = &opt.target,
		.no_demangle = opt.no_demangle,
		.no_bpf = opt.no_bpf,
		.strict = opt.strict,
		.pages = opt.pages,
		.profile = {.keys = opt.keys, .by_period = opt.by_period},
		.note = note,
	};
	int err;

	r->evlist = evlist__new();
	if (!r->evlist)
		return errbuf__set(eb, -ENOMEM, "out of memory");
	err = opt.user.bpf ? user_run__load(&r->user, &opt.user, &co, eb) : 0;
	if (!err)
		err = event_opts__add(&opt.events, r->evlist, opt.strict, eb);
	if (err)
		return err;
	r->nr_events = evlist__nr(r->evlist);
	if (argv[0]) {
		r->what = joined(argv);
		r->workload = workload__prepare(argv, eb);
		if (!r->workload)
			return -errno;
		if (opt.only)
			only_workload(r);
	}
	err = target__check(&opt.target, eb);
	if (!err)
		err = narrow_target(r, eb);
	if (err)
		return err;
	co.profile.nr_events = r->nr_events;
	co.rate = evlist__expected_rate(r->evlist);
	r->collector = collector__new(r->evlist, &co, eb);
	r->names = calloc(r->nr_events, sizeof(*r->names));
	if (r->collector && !r->names)
		return errbuf__set(eb, -ENOMEM, "out of memory");
	for (int i = 0; r->collector && i < r->nr_events; i++)
		r->names[i] = evsel__name(evlist__at(r->evlist, i));
	if (r->collector && opt.user.bpf)
		return user_run__prepare(&r->user, r->collector, r->evlist, eb);
	return r->collector ? 0 : -errno;
}

static int run(struct run *r, const char **argv, struct errbuf *eb)
{
	int code = 0, err = prepare(r, argv, eb);

	if (err)
		return EXIT_TOOL_FAILED;
	if (!opt.json && !opt.folded)
		heading(r);
	r->start = r->interval_start = now();
	err = collector__start(r->collector, eb);
	if (!err)
		err = user_run__start(&r->user, eb);
	if (!err && r->workload && workload__start(r->workload, &code, eb))
		return code;
	if (!err)
		err = collect(r, &code, eb);
	if (err)
		return EXIT_TOOL_FAILED;
	end_workload(r, &code);
	if (!opt.output && !opt.interval_ms)
		pager__start();
	pr_debug("counted %.1f ms after the end of sampling", (now() - r->end) * 1e3);
	if (report(r, opt.user.bpf ? r->start : r->interval_start, r->end, eb))
		code = EXIT_TOOL_FAILED;
	outbuf__flush(&r->out);
	if (collector__first_time(r->collector))
		pr_debug("first sample after %.1f ms",
			 (collector__first_time(r->collector) / 1e9 - r->begin) * 1e3);
	pr_debug("text complete %.1f ms after the end of sampling", (now() - r->end) * 1e3);
	return code;
}

/* What our own programs would do is not for the user's. */
static void check_user_options(void)
{
	const char *other = opt.keys & SAMPLE_KEY_STACK ? "-g"
			    : opt.keys			? "-k"
			    : opt.by_period		? "--weight"
			    : opt.folded		? "--folded"
			    : opt.no_bpf		? "--no-bpf"
							: NULL;

	if (opt.user.bpf && other)
		usage_error("sample-bpf",
			    "--bpf and %s exclude each other: the program decides what is counted",
			    other);
	user_opts__check(&opt.user);
	opt.user.json = opt.json;
}

static void check_options(void)
{
	const struct target *t = &opt.target;
	const char *other_target = t->system_wide ? "-a"
				   : t->pid_list  ? "-p"
				   : t->tid_list  ? "-t"
				   : t->user	  ? "-u"
				   : t->cgroups	  ? "-G"
						  : NULL;

	check_user_options();
	if (opt.events.freq && opt.events.period)
		usage_error("sample-bpf", "-F and -c exclude each other");
	if (opt.json && opt.folded)
		usage_error("sample-bpf", "--json and --folded exclude each other");
	if (!(opt.percent_limit >= 0 && opt.percent_limit <= 100))
		usage_error("sample-bpf", "--percent-limit %g: not a percentage",
			    opt.percent_limit);
	if (other_target && opt.only)
		usage_error("sample-bpf", "--only (the workload) and %s exclude each other",
			    other_target);
	if (opt.pages & (opt.pages - 1))
		usage_error("sample-bpf", "-m %u: not a power of two", opt.pages);
	if (!(opt.keys & ~SAMPLE_KEY_STACK))
		opt.keys |= opt.keys ? SAMPLE_KEY_SYM | SAMPLE_KEY_DSO : SAMPLE_KEY_IP;
	if (opt.folded)
		opt.keys |= SAMPLE_KEY_COMM;
}

int cmd_sample_bpf(int argc, const char **argv)
{
	struct run r = {.out_fd = -1};
	struct errbuf eb = {};
	int code;

	opt.user.argc = argc;
	opt.user.argv = user_opts__copy(argc, argv);
	argc = parse_options(argc, argv, options, "sample-bpf", usage, SUBCMD_STOP_AT_NON_OPTION);
	check_options();
	if (opt.only && !argc)
		usage_error("sample-bpf", "--only needs a workload");
	if (open_output(&r))
		return EXIT_TOOL_FAILED;
	r.begin = now();
	/* Large blocks are symbol tables being read: they are to go back to the system when freed,
	 * which malloc stops doing once it has seen a few, unless told. */
	mallopt(M_MMAP_THRESHOLD, 128 * 1024);
	catch_signals();
	code = run(&r, argv, &eb);
	pr_status_clear();
	if (!errbuf__empty(&eb))
		pr_err("%s", eb.msg);
	code = subcmd__finish_output(&r.out, code);
	if (opt.output && close(r.out_fd) && code != EXIT_TOOL_FAILED)
		code = subcmd__write_failed(-errno, code);
	workload__delete(r.workload);
	collector__delete(r.collector);
	user_run__exit(&r.user);
	evlist__delete(r.evlist);
	free(r.names);
	free(r.what);
	free(opt.user.argv);
	return code;
}
