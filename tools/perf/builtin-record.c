// SPDX-License-Identifier: GPL-2.0-only
/* perf record: run a command and record its profile into perf.data. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "builtin.h"
#include "lib/perf/regs.h"
#include "session/record.h"

static struct record_opts opts = {
	.config = {.freq = 4000},
	.clockid = -1,
	.rt_prio = -1,
	.synth_tasks = true,
	.synth_mmaps = true,
	.synth_cgroups = true,
};
static const char *mmap_pages, *clockid, *max_size, *freq, *count;
static bool dry_run, quiet, timestamp_boundary;
static int verbose;

/* ---- options with a text ---- */

static int parse_event(const struct option *opt, const char *arg, bool unset, struct errbuf *eb)
{
	(void)opt, (void)unset;
	if (!opts.evlist)
		opts.evlist = evlist__new();
	if (!opts.evlist)
		return errbuf__set(eb, -ENOMEM, "out of memory");
	return evlist__parse(opts.evlist, arg, eb);
}

static int parse_filter(const struct option *opt, const char *arg, bool unset, struct errbuf *eb)
{
	(void)opt, (void)unset;
	if (!opts.evlist)
		return errbuf__set(eb, -EINVAL,
				   "--filter '%s' belongs behind the -e with its tracepoint", arg);
	return evlist__set_filter(opts.evlist, arg, eb);
}

static int parse_callgraph(const struct option *opt, const char *arg, bool unset, struct errbuf *eb)
{
	(void)opt;
	if (unset) {
		opts.config.callgraph = CALLGRAPH_NONE;
		return 0;
	}
	if (!arg) {
		/* -g after --call-graph dwarf changes nothing */
		if (opts.config.callgraph == CALLGRAPH_NONE)
			opts.config.callgraph = CALLGRAPH_FP;
		return 0;
	}
	return callgraph__parse(arg, &opts.config.callgraph, &opts.config.stack_size, eb);
}

/* One of the two masks, by opt->value. */
static int parse_regs(const struct option *opt, const char *arg, bool unset, struct errbuf *eb)
{
	u64 allowed = perf_regs__user_mask();

	(void)unset;
	if (arg && !strcmp(arg, "?")) {
		fputs("available registers:", stdout);
		for (int i = 0; i < 64; i++)
			if (allowed >> i & 1)
				printf(" %s", perf_reg__name(i));
		putchar('\n');
		exit(subcmd__finish_stdio(0));
	}
	return perf_regs__parse(arg, allowed, opt->value, eb);
}

static int parse_branch(const struct option *opt, const char *arg, bool unset, struct errbuf *eb)
{
	(void)opt, (void)unset;
	if (!arg)
		arg = "any";
	if (branch_type__parse(arg, strlen(arg), &opts.config.branch))
		return errbuf__set(
			eb, -EINVAL,
			"branch filter '%s': any, any_call, any_ret, ind_call, cond, u, k "
			"... joined by ',' are expected",
			arg);
	return 0;
}

static int parse_delay(const struct option *opt, const char *arg, bool unset, struct errbuf *eb)
{
	(void)opt, (void)unset;
	return delay__parse(arg, &opts, eb);
}

static int parse_switch(const struct option *opt, const char *arg, bool unset, struct errbuf *eb)
{
	(void)opt, (void)unset;
	return record_switch__parse(arg, &opts, eb);
}

static int parse_level(const struct option *opt, const char *arg, bool unset, struct errbuf *eb)
{
	char *end;
	long v = arg ? strtol(arg, &end, 10) : 1;

	(void)opt;
	if (unset)
		v = 0;
	else if (arg && (end == arg || *end || v < 0 || v > 22))
		return errbuf__set(eb, -EINVAL, "-z '%s': a level of 1 to 22 is expected", arg);
	opts.writer.compress_level = v;
	return 0;
}

static int parse_synth(const struct option *opt, const char *arg, bool unset, struct errbuf *eb)
{
	char buf[128], *save;

	(void)opt, (void)unset;
	opts.synth_tasks = opts.synth_mmaps = opts.synth_cgroups = false;
	snprintf(buf, sizeof(buf), "%s", arg);
	for (char *w = strtok_r(buf, ",", &save); w; w = strtok_r(NULL, ",", &save)) {
		bool all = !strcmp(w, "all");

		if (!all && strcmp(w, "no") && strcmp(w, "task") && strcmp(w, "mmap") &&
		    strcmp(w, "cgroup"))
			return errbuf__set(
				eb, -EINVAL,
				"--synth '%s': no, all, task, mmap or cgroup are expected", w);
		opts.synth_tasks |= all || !strcmp(w, "task") || !strcmp(w, "mmap");
		opts.synth_mmaps |= all || !strcmp(w, "mmap");
		opts.synth_cgroups |= all || !strcmp(w, "cgroup");
	}
	return 0;
}

static const struct option options[] = {
	OPT_GROUP("Events"),
	{.type = OPT_TYPE_CALLBACK,
	 .short_name = 'e',
	 .long_name = "event",
	 .argh = "event",
	 .help = "what to record; see perf list (default: cycles, or cpu-clock)",
	 .parse = parse_event,
	 .flags = OPT_NO_NEGATE,
	 .complete = "event"},
	OPT_CALLBACK(0, "filter", NULL, "filter",
		     "only hits of the last -e's tracepoints that match", parse_filter),
	OPT_STRING('F', "freq", &freq, "n", "samples a second on each CPU, or max (default: 4000)"),
	OPT_STRING('c', "count", &count, "n", "a sample each N events, instead of -F"),
	OPT_FLAG(0, "strict-freq", &opts.config.strict_freq,
		 "refuse a frequency above the kernel's limit"),
	OPT_FLAG(0, "strict", &opts.strict, "refuse to fall back to another event or fewer CPUs"),
	OPT_FLAG(0, "group", &opts.config.group, "all events are one group"),
	OPT_FLAG(0, "all-user", &opts.config.all_user, "user space only, for every event"),
	OPT_FLAG(0, "all-kernel", &opts.config.all_kernel, "kernel only, for every event"),
	OPT_FLAG(0, "exclude-perf", &opts.exclude_perf, "no tracepoint hits of perf itself"),
	OPT_CALLBACK('D', "delay", NULL, "ms",
		     "wait so long before measuring (-1: until --control enables), or ranges "
		     "10-20,30-40",
		     parse_delay),

	OPT_GROUP("Whom"),
	OPT_FLAG('a', "all-cpus", &opts.target.system_wide, "all processes on all CPUs"),
	{.type = OPT_TYPE_STRING,
	 .short_name = 'C',
	 .long_name = "cpu",
	 .value = &opts.target.cpu_list,
	 .argh = "cpu",
	 .help = "only these CPUs: 0,2-3",
	 .complete = "cpu"},
	{.type = OPT_TYPE_STRING,
	 .short_name = 'p',
	 .long_name = "pid",
	 .value = &opts.target.pid_list,
	 .argh = "pid",
	 .help = "processes that run already, with all their threads",
	 .complete = "pid"},
	OPT_STRING('t', "tid", &opts.target.tid_list, "tid", "threads that run already"),
	OPT_STRING('u', "uid", &opts.target.user, "user", "all processes of a user"),
	OPT_STRING('G', "cgroup", &opts.target.cgroups, "name", "only processes in this cgroup"),
	OPT_FLAG('i', "no-inherit", &opts.target.no_inherit, "children are not recorded"),
	OPT_FLAG(0, "per-thread", &opts.per_thread, "one ring a thread instead of one a CPU"),

	OPT_GROUP("What of each sample"),
	OPT_CALLBACK_NOARG('g', NULL, NULL, "call chains by frame pointer", parse_callgraph),
	OPT_CALLBACK(0, "call-graph", NULL, "mode[,size]",
		     "call chains: fp, dwarf[,bytes of stack, 8192], lbr", parse_callgraph),
	OPT_FLAG(0, "kernel-callchains", &opts.config.kernel_callchains,
		 "only the kernel's frames"),
	OPT_FLAG(0, "user-callchains", &opts.config.user_callchains, "only user space's frames"),
	OPT_UINT(0, "max-stack", &opts.config.max_stack, "n", "most frames of a call chain"),
	OPT_FLAG('d', "data", &opts.config.addr, "data addresses, and maps of data"),
	OPT_FLAG(0, "phys-data", &opts.config.phys_addr, "physical data addresses"),
	OPT_FLAG(0, "data-page-size", &opts.config.data_page_size, "page size at the data address"),
	OPT_FLAG(0, "code-page-size", &opts.config.code_page_size, "page size at the code address"),
	OPT_FLAG('W', "weight", &opts.config.weight, "weight (latency), for events that have one"),
	OPT_FLAG(0, "transaction", &opts.config.transaction, "flags of hardware transactions"),
	OPT_FLAG('T', "timestamp", &opts.config.time, "time stamps (on anyway; --no-timestamp)"),
	OPT_FLAG('P', "period", &opts.config.period_flag, "the period"),
	OPT_FLAG('R', "raw-samples", &opts.config.raw, "raw data of every event"),
	OPT_FLAG(0, "sample-cpu", &opts.config.cpu, "the CPU, also for single processes"),
	OPT_FLAG(0, "sample-identifier", &opts.config.identifier,
		 "the identifier, also of one event"),
	OPT_CALLBACK_OPTARG('I', "intr-regs", &opts.config.intr_regs, "regs",
			    "registers at the interrupt (-I? lists them)", parse_regs, NULL),
	OPT_CALLBACK_OPTARG(0, "user-regs", &opts.config.user_regs, "regs",
			    "registers of user space (--user-regs=? lists them)", parse_regs, NULL),
	OPT_CALLBACK_NOARG('b', "branch-any", NULL, "taken branches", parse_branch),
	OPT_CALLBACK('j', "branch-filter", NULL, "filter", "taken branches of these kinds",
		     parse_branch),
	OPT_FLAG('s', "stat", &opts.config.stat, "counts of each thread"),
	OPT_FLAG(0, "running-time", &opts.config.running_time,
		 "times enabled and running, for :S groups"),
	OPT_FLAG('n', "no-samples", &opts.config.no_samples,
		 "no samples, only what happens around"),
	OPT_STRING('k', "clockid", &clockid, "clock",
		   "clock of the time stamps: monotonic, raw ..."),

	OPT_GROUP("What else"),
	OPT_FLAG(0, "all-cgroups", &opts.config.cgroups, "cgroups, and that of each sample"),
	OPT_FLAG(0, "namespaces", &opts.config.namespaces, "namespaces of processes"),
	OPT_FLAG(0, "switch-events", &opts.config.switch_events, "context switches"),
	OPT_FLAG(0, "no-bpf-event", &opts.config.no_bpf_event, "no loading of BPF programs"),
	OPT_FLAG(0, "buildid-mmap", &opts.config.build_ids, "build ids in map records"),
	OPT_FLAG(0, "buildid-all", &opts.buildid_all, "build ids of all files, hit or not"),
	OPT_FLAG(0, "embed-symbols", &opts.embed_symbols,
		 "put the symbols that samples need into the file, for other machines"),
	OPT_FLAG('B', "no-buildid", &opts.no_buildid, "no build ids in the file"),
	OPT_FLAG('N', "no-buildid-cache", &opts.no_symbol_cache,
		 "leave no copy of the kernel's symbols in ~/.cache/perf for perf script"),
	OPT_CALLBACK(0, "synth", NULL, "no|all|task|mmap|cgroup",
		     "what to write about processes that run already", parse_synth),
	OPT_FLAG(0, "tail-synthesize", &opts.tail_synth, "write that at the end"),

	OPT_GROUP("Where to, and how"),
	{.type = OPT_TYPE_STRING,
	 .short_name = 'o',
	 .long_name = "output",
	 .value = &opts.writer.path,
	 .argh = "file",
	 .help = "the file (default: perf.data); -: standard output",
	 .complete = "file"},
	OPT_CALLBACK_OPTARG('z', "compression-level", NULL, "n", "compress with zstd, 1 to 22",
			    parse_level, NULL),
	OPT_STRING('m', "mmap-pages", &mmap_pages, "pages", "size of each ring: pages, or 64K, 4M"),
	OPT_FLAG(0, "no-buffering", &opts.config.no_buffering, "wake up at every record"),
	OPT_INT('r', "realtime", &opts.rt_prio, "n",
		"SCHED_FIFO priority of reading the rings (default: 1 where allowed; 0: none)"),
	OPT_STRING(0, "max-size", &max_size, "size", "stop once the file is so large"),
	OPT_CALLBACK_OPTARG(0, "switch-output", NULL, "signal|size|time",
			    "begin a new file at SIGUSR2, or by size or time", parse_switch, NULL),
	OPT_INT(0, "switch-max-files", &opts.switch_max_files, "n",
		"keep only the newest N of them"),
	OPT_FLAG(0, "overwrite", &opts.config.overwrite,
		 "old samples give way to new ones; written at SIGUSR2 or the end"),
	OPT_FLAG(0, "timestamp-filename", &opts.timestamp_filename, "append the time to the name"),
	OPT_FLAG(0, "timestamp-boundary", &timestamp_boundary,
		 "times of first and last sample (always there)"),
	OPT_STRING(0, "control", &opts.control, "fd:ctl[,ack]|fifo:ctl[,ack]",
		   "take commands: enable, disable, snapshot, evlist, ping, stop"),
	OPT_FLAG(0, "dry-run", &dry_run, "read the options, then end"),
	OPT_COUNT('v', "verbose", &verbose, "say more"),
	OPT_FLAG('q', "quiet", &quiet, "say nothing"),
	OPT_END(),
};
static const char *const usage[] = {"[<options>] [<command>]",
				    "[<options>] -- <command> [<options>]", NULL};

const struct option *cmd_record_options(void)
{
	return options;
}

static void note(void *ctx, const char *line)
{
	(void)ctx;
	pr_warn("%s", line);
}

/* ---- the texts to numbers ---- */

static u64 number(const char *text, const char *what)
{
	char *end;
	unsigned long long v;

	errno = 0;
	v = strtoull(text, &end, 0);
	if (end == text || *end || errno || *text == '-')
		usage_error("record", "%s '%s': a number is expected", what, text);
	return v;
}

static void read_rate(void)
{
	if (freq && count)
		usage_error("record", "-F and -c exclude each other: samples by time or by events");
	if (freq) {
		opts.config.freq_given = true;
		opts.config.freq = !strcmp(freq, "max") ? UINT64_MAX : number(freq, "-F");
		if (!opts.config.freq)
			usage_error("record", "-F 0 would take no sample: give 1 or more");
	}
	if (count) {
		opts.config.period = number(count, "-c");
		if (!opts.config.period)
			usage_error("record", "-c 0 would take no sample: give 1 or more");
	}
}

/* Pages, or a size; both go up to a power of two. */
static void read_pages(void)
{
	u64 page = sysconf(_SC_PAGESIZE), v, pages = 1;

	if (!mmap_pages)
		return;
	v = size__parse(mmap_pages);
	v = v ? (v + page - 1) / page : number(mmap_pages, "-m");
	if (!v || v > (1u << 30) / page * 4)
		usage_error("record", "-m '%s': 1 page to 4G is expected", mmap_pages);
	while (pages < v)
		pages *= 2;
	if (pages != v)
		pr_info("rings of %llu pages: a power of two", (unsigned long long)pages);
	opts.pages = pages;
}

static void read_texts(void)
{
	read_rate();
	read_pages();
	if (clockid) {
		opts.clockid = clockid__parse(clockid);
		if (opts.clockid < 0)
			usage_error("record",
				    "-k '%s': monotonic, monotonic_raw, boottime, realtime, "
				    "tai or a number is expected",
				    clockid);
	}
	if (max_size) {
		opts.writer.max_size = size__parse(max_size);
		if (!opts.writer.max_size)
			usage_error("record", "--max-size '%s': a size is expected: 100M (B K M G)",
				    max_size);
	}
	if (opts.config.all_user && opts.config.all_kernel)
		usage_error("record", "--all-user and --all-kernel exclude each other");
	if (opts.config.kernel_callchains && opts.config.user_callchains)
		usage_error("record",
			    "--kernel-callchains and --user-callchains exclude each other");
	if (opts.rt_prio < -1 || opts.rt_prio > 99)
		usage_error("record", "-r %d: a priority of 0 to 99 is expected", opts.rt_prio);
	if (opts.per_thread && !target__has_task(&opts.target) && !opts.workload)
		usage_error("record", "--per-thread needs -p, -t, -u or a command");
	if (opts.embed_symbols && opts.writer.path && !strcmp(opts.writer.path, "-"))
		usage_error("record", "--embed-symbols needs a file, not a pipe");
	if (opts.per_thread && opts.target.cpu_list)
		usage_error("record", "--per-thread and -C exclude each other");
}

static bool is_given(int argc, const char **argv, const char *name)
{
	for (int i = 1; i < argc && strcmp(argv[i], "--"); i++)
		if (!strcmp(argv[i], name))
			return true;
	return false;
}

static int prepare(struct errbuf *eb)
{
	bool fell_back;
	int err;

	if (!opts.workload && !target__has_task(&opts.target) && !opts.target.cpu_list)
		opts.target.system_wide = true;
	err = target__check(&opts.target, eb);
	if (err)
		return err;
	if (opts.target.cgroups && !opts.target.cpu_list)
		opts.target.system_wide = true;
	if (opts.evlist)
		return 0;
	opts.evlist = evlist__new();
	if (!opts.evlist)
		return errbuf__set(eb, -ENOMEM, "out of memory");
	err = evlist__add_default(opts.evlist, &fell_back, eb);
	if (!err && fell_back && opts.strict)
		return errbuf__set(eb, -ENOENT, "--strict: no hardware counters here for cycles");
	if (!err && fell_back && !quiet)
		pr_info("no hardware counters here for cycles: using cpu-clock");
	return err;
}

int cmd_record(int argc, const char **argv)
{
	struct errbuf eb = {.msg = ""};
	int exit_code = 0, sig = 0, err;
	const char **copy = calloc(argc + 1, sizeof(*copy));

	if (!copy)
		return EXIT_TOOL_FAILED;
	memcpy(copy, argv, argc * sizeof(*copy));
	opts.config.no_time = is_given(argc, argv, "--no-timestamp");
	opts.config.no_period = is_given(argc, argv, "--no-period");
	opts.writer.argc = argc;
	opts.writer.argv = copy;
	argc = parse_options(argc, argv, options, "record", usage, SUBCMD_STOP_AT_NON_OPTION);
	opts.workload = argc ? argv : NULL;
	opts.quiet = quiet;
	opts.verbose = verbose > 0;
	subcmd__verbose = quiet ? -1 : verbose;
	opts.note = note;
	read_texts();
	err = prepare(&eb);
	if (!err && !dry_run)
		err = record__run(&opts, &exit_code, &sig, &eb);
	evlist__delete(opts.evlist);
	free(copy);
	if (err)
		pr_err("%s", eb.msg);
	if (sig) {
		/* Whoever waits for us sees what ended us, as with upstream. */
		signal(sig, SIG_DFL);
		raise(sig);
	}
	if (err && !exit_code)
		exit_code = EXIT_TOOL_FAILED;
	return exit_code;
}
