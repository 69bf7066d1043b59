// SPDX-License-Identifier: GPL-2.0-only
/* perf script: the samples of a recording as text, JSON or folded stacks. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "builtin.h"
#include "lib/api/outbuf.h"
#include "lib/symbol/kallsyms.h"
#include "output/script.h"
#include "session/embed.h"
#include "session/machine.h"
#include "session/session.h"
#include "session/tep.h"

static const char *input, *kallsyms, *vmlinux, *symfs;
static bool force, header, header_only, show_info, dump, dump_unsorted, json, folded;
static bool no_inline, hide_call_graph, nanoseconds, reltime, deltatime, full_source_path;
static bool no_demangle, latency, check_order, per_event, show_on_off;
static const char *switch_on, *switch_off, *stop_frames;
static int verbose;
static unsigned int max_stack;
static const char *folded_mode;
static struct script_fields fields;
static struct script_filter_opts filter;
static enum unwind_method unwind;
static u32 show;

static void warn(void *ctx, const char *line)
{
	(void)ctx;
	pr_warn("%s", line);
}

static int parse_fields(const struct option *opt, const char *arg, bool unset, struct errbuf *eb)
{
	static bool begun;

	(void)opt, (void)unset;
	if (!begun)
		script_fields__init(&fields);
	begun = true;
	return script_fields__parse(&fields, arg ? arg : "", warn, NULL, eb);
}

static int parse_show(const struct option *opt, const char *arg, bool unset, struct errbuf *eb)
{
	u32 bit = (u32)(uintptr_t)opt->data;

	(void)arg, (void)eb;
	show = unset ? show & ~bit : show | bit;
	return 0;
}

static int parse_folded(const struct option *opt, const char *arg, bool unset, struct errbuf *eb)
{
	(void)opt;
	folded = !unset;
	folded_mode = arg;
	if (arg && *arg && strcmp(arg, "annotate"))
		return errbuf__set(eb, -EINVAL, "--folded=%s: only 'annotate' can be asked for",
				   arg);
	return 0;
}

static int parse_unwind(const struct option *opt, const char *arg, bool unset, struct errbuf *eb)
{
	(void)opt, (void)unset;
	if (arg && !strcmp(arg, "libdw"))
		unwind = UNWIND_LIBDW;
	else if (arg && !strcmp(arg, "libunwind"))
		unwind = UNWIND_LIBUNWIND;
	else
		return errbuf__set(eb, -EINVAL, "--unwind=%s: libunwind or libdw", arg ? arg : "");
	return 0;
}

#define FIELD_LIST                                                                             \
	"comma-separated output fields, with 'TYPE:' in front for one type of event (hw, sw, " \
	"trace, raw, break, synth), + or - before a field to add or remove it. Fields: comm, " \
	"tid, pid, time, cpu, event, trace, ip, sym, dso, dsoff, addr, symoff, srcline, "      \
	"srccode, period, iregs, uregs, brstack, brstacksym, brstackoff, flags, data_src, "    \
	"weight, ins_lat, bpf-output, callindent, synth, phys_addr, data_page_size, "          \
	"code_page_size, misc, cgroup, tod"

#define OPT_SHOW(l, bit, h)                                                        \
	{                                                                          \
		.type = OPT_TYPE_CALLBACK, .long_name = (l), .flags = OPT_NOARG,   \
		.parse = parse_show, .data = (void *)(uintptr_t)(bit), .help = (h) \
	}

static const struct option options[] = {
	OPT_STRING('i', "input", &input, "file",
		   "read FILE instead of perf.data; -: standard input"),
	OPT_FLAG('f', "force", &force, "do not ask who owns the file"),
	OPT_CALLBACK('F', "fields", NULL, "str", FIELD_LIST, parse_fields),
	OPT_FLAG(0, "json", &json, "one JSON object a line"),
	OPT_CALLBACK_OPTARG(
		0, "folded", NULL, "annotate",
		"stacks with their counts, for flame graphs; annotate: mark kernel frames "
		"with _[k], inlined ones with _[i]",
		parse_folded, ""),
	OPT_GROUP("Which samples"),
	OPT_STRING(0, "time", &filter.time, "str",
		   "only START,STOP (seconds; either may be missing), A%/N (the Nth slice of A "
		   "percent) or A%-B%; several separated by blanks or, of percents, by commas"),
	OPT_STRING('C', "cpu", &filter.cpus, "cpu", "only these CPUs"),
	OPT_STRING(0, "pid", &filter.pids, "pid[,pid...]", "only these processes"),
	OPT_STRING(0, "tid", &filter.tids, "tid[,tid...]", "only these threads"),
	OPT_STRING('c', "comms", &filter.comms, "comm[,comm...]", "only threads of these names"),
	OPT_STRING('S', "symbols", &filter.syms, "symbol[,symbol...]",
		   "only samples in these symbols (or at these addresses)"),
	OPT_U64(0, "addr-range", &filter.addr_range, "n",
		"of addresses given with -S, the N bytes from there on"),
	OPT_STRING(0, "dsos", &filter.dsos, "dso[,dso...]", "only samples in these objects"),
	OPT_STRING(0, "switch-on", &switch_on, "event", "only samples after one of EVENT"),
	OPT_STRING(0, "switch-off", &switch_off, "event",
		   "none after one of EVENT, until --switch-on's comes"),
	OPT_FLAG(0, "show-on-off-events", &show_on_off, "show these two events themselves"),
	OPT_GROUP("How"),
	OPT_FLAG('G', "hide-call-graph", &hide_call_graph,
		 "print the sampled address alone, not its call chain"),
	OPT_UINT(0, "max-stack", &max_stack, "n", "frames of a call chain to print (default 127)"),
	OPT_STRING(0, "stop-bt", &stop_frames, "symbol[,symbol...]",
		   "no frame of a call chain beyond these symbols"),
	OPT_FLAG(0, "no-inline", &no_inline, "do not show inlined functions"),
	OPT_CALLBACK(0, "unwind", NULL, "libunwind|libdw", "what unwinds user stacks by DWARF",
		     parse_unwind),
	OPT_FLAG(0, "ns", &nanoseconds, "times with 9 decimal places"),
	OPT_FLAG(0, "reltime", &reltime, "times relative to the first"),
	OPT_FLAG(0, "deltatime", &deltatime, "times relative to the previous line's"),
	OPT_FLAG('L', "Latency", &latency, "narrow columns for names and CPUs"),
	OPT_FLAG(0, "per-event-dump", &per_event,
		 "the samples of each event into a file of their own, INPUT.EVENT.dump"),
	OPT_FLAG('d', "debug-mode", &check_order, "only tell of samples that come too early"),
	OPT_FLAG(0, "full-source-path", &full_source_path, "srcline with directories"),
	OPT_FLAG(0, "no-demangle", &no_demangle, "C++ and Rust names as they are in the file"),
	OPT_GROUP("Other records"),
	OPT_SHOW("show-task-events", SCRIPT_SHOW_TASK, "show COMM, FORK and EXIT"),
	OPT_SHOW("show-mmap-events", SCRIPT_SHOW_MMAP, "show MMAP and MMAP2"),
	OPT_SHOW("show-switch-events", SCRIPT_SHOW_SWITCH, "show context switches, where recorded"),
	OPT_SHOW("show-lost-events", SCRIPT_SHOW_LOST,
		 "show LOST: what the kernel could not write"),
	OPT_SHOW("show-namespace-events", SCRIPT_SHOW_NAMESPACE, "show namespaces"),
	OPT_SHOW("show-bpf-events", SCRIPT_SHOW_BPF, "show BPF programs and their kernel symbols"),
	OPT_SHOW("show-cgroup-events", SCRIPT_SHOW_CGROUP, "show cgroups"),
	OPT_SHOW("show-text-poke-events", SCRIPT_SHOW_TEXT_POKE, "show changes of kernel code"),
	OPT_SHOW("show-round-events", SCRIPT_SHOW_ROUND, "show where a round of recording ends"),
	OPT_FLAG(0, "header", &header, "the recording's header first"),
	OPT_FLAG(0, "header-only", &header_only, "the header alone"),
	OPT_FLAG('I', "show-info", &show_info, "with topologies and caches in the header"),
	OPT_FLAG('D', "dump-raw-trace", &dump, "every record in bytes and in words"),
	OPT_FLAG(0, "dump-unsorted-raw-trace", &dump_unsorted,
		 "the same, in the order of the file"),
	OPT_GROUP("Symbols"),
	OPT_STRING('k', "vmlinux", &vmlinux, "file", "the kernel's ELF file"),
	OPT_STRING(0, "kallsyms", &kallsyms, "file", "kernel symbols from FILE"),
	OPT_STRING(0, "symfs", &symfs, "directory", "look for all files below DIRECTORY"),
	OPT_COUNT('v', "verbose", &verbose, "say more"),
	OPT_END(),
};
static const char *const usage[] = {"[<options>]", "record|report|SCRIPT ...", NULL};

const struct option *cmd_script_options(void)
{
	return options;
}

static int dump_raw(void *ctx, struct perf_session *s, const struct perf_event_header *rec,
		    u64 file_offset)
{
	struct outbuf *ob = ctx;

	script_dump__raw(ob, perf_session__path(s), file_offset, rec);
	return ob->err;
}

/* Kernel code of a recording without names: why, when there was some. */
static void say_kernel(const struct script *sc, const struct machine *m, const struct errbuf *why)
{
	u64 nr = script__nr_kernel_unnamed(sc);

	if (!nr)
		return;
	if (!errbuf__empty(why))
		pr_warn("%s: kernel code is shown without names (--kallsyms FILE or -k VMLINUX of "
			"that kernel would help)",
			why->msg);
	else if (machine__kernel_restricted(m))
		pr_warn("kernel code is shown without names: the addresses in /proc/kallsyms are "
			"hidden from this user (kernel.kptr_restrict, CAP_SYSLOG)");
}

static const char *find_symbol(void *ctx, u64 addr, u64 *start)
{
	struct addr_location al;

	machine__resolve(ctx, -1, -1, PERF_RECORD_MISC_KERNEL, addr, UINT64_MAX, &al);
	if (!al.sym)
		return NULL;
	*start = al.sym->start;
	return al.sym->name;
}

static int run(struct perf_session *s, struct machine *m, struct outbuf *ob,
	       const struct errbuf *why)
{
	struct errbuf eb = {};
	struct script_opts so = {
		.fields = fields,
		.nanoseconds = nanoseconds,
		.reltime = reltime,
		.deltatime = deltatime,
		.no_callchain = hide_call_graph,
		.no_inline = no_inline,
		.full_source_path = full_source_path,
		.dump = dump || dump_unsorted,
		.mark_cut = verbose,
		.annotate = folded_mode && *folded_mode,
		.unwind = unwind,
		.max_stack = max_stack,
		.latency = latency,
		.check_order = check_order,
		.per_event = per_event,
		.on = switch_on,
		.off = switch_off,
		.show_on_off = show_on_off,
		.stop_frames = stop_frames,
		.show = show,
		.warn = warn,
	};
	enum script_format format = json ? SCRIPT_JSON : folded ? SCRIPT_FOLDED : SCRIPT_TEXT;
	struct script_filter *f = NULL;
	struct session_ops ops;
	struct script *sc;
	int err = -EINVAL;

	f = script_filter__new(&filter, s, &eb);
	sc = f ? script__new(&so, format, s, m, ob, &eb) : NULL;
	if (sc) {
		script__set_filter(sc, f);
		script__ops(sc, &ops);
		err = perf_session__process(s, &ops, &eb);
		if (!err)
			err = script__finish(sc);
		/* What was read before an error is there to be seen. */
		outbuf__flush(ob);
		if (err && !ob->err && !errbuf__empty(&eb))
			pr_err("%s", eb.msg);
		script__say_stats(sc);
		say_kernel(sc, m, why);
		script__delete(sc);
	} else {
		pr_err("%s", eb.msg);
	}
	script_filter__delete(f);
	return ob->err ? 0 : err;
}

static bool wants_lines(void)
{
	for (int t = 0; t < SCRIPT_NR_TYPES; t++)
		if (fields.type[t].fields & (SCRIPT_SRCLINE | SCRIPT_SRCCODE))
			return true;
	return false;
}

/* Are names of kernel code likely to be asked for? */
static bool wants_kernel_names(const struct perf_session *s)
{
	bool names = json || folded, kernel = false;

	for (int t = 0; t < SCRIPT_NR_TYPES; t++)
		names |= fields.type[t].fields & SCRIPT_SYM;
	for (int i = 0; i < perf_session__nr_events(s); i++) {
		const struct session_event *e = perf_session__event(s, i);
		const struct perf_event_attr *a = session_event__attr(e);

		/* A tracepoint's address is shown with a call chain only. */
		kernel |= !a->exclude_kernel && !session_event__is_dummy(e) &&
			  (a->type != PERF_TYPE_TRACEPOINT ||
			   (a->sample_type & PERF_SAMPLE_CALLCHAIN));
	}
	return names && kernel;
}

static int with_machine(struct perf_session *s, struct outbuf *ob)
{
	struct symbol_conf conf = {.no_demangle = no_demangle,
				   .symfs = symfs,
				   .no_inline = no_inline,
				   .no_lines = !wants_lines()};
	struct machine_opts mo = {.kallsyms = kallsyms, .vmlinux = vmlinux};
	struct errbuf eb = {}, why = {};
	struct embedded *emb;
	struct machine *m;
	int err;

	mo.kernel_syms = kallsyms || vmlinux || perf_session__kernel_is_ours(s, &why);
	conf.foreign = !mo.kernel_syms;
	emb = embedded__new(s, &eb);
	if (!emb)
		return -ENOMEM;
	if (!errbuf__empty(&eb))
		pr_warn("%s", eb.msg);
	embedded__symbol_conf(emb, &conf);
	/* Without the right to read them, or without /proc, this kernel's are as good as another's.
	 */
	if (!kallsyms && !vmlinux && embedded__kallsyms(emb) &&
	    (conf.foreign || kallsyms__restricted("/proc/kallsyms"))) {
		mo.kallsyms_fd = embedded__kallsyms(emb);
		mo.kernel_syms = true;
	}
	if (mo.kernel_syms && !mo.kallsyms && !mo.kallsyms_fd && wants_kernel_names(s))
		kallsyms__prefetch();
	mo.dsos = dsos__new(&conf);
	m = mo.dsos ? machine__new(&mo, &eb) : NULL;
	if (!m) {
		pr_err("%s", mo.dsos ? eb.msg : "no memory");
		kallsyms__prefetched();
		dsos__delete(mo.dsos);
		embedded__delete(emb);
		return -ENOMEM;
	}
	if (perf_session__formats(s))
		tep_formats__set_resolver(perf_session__formats(s), find_symbol, m);
	err = run(s, m, ob, &why);
	if (perf_session__formats(s))
		tep_formats__set_resolver(perf_session__formats(s), NULL, NULL);
	machine__delete(m);
	kallsyms__prefetched();
	dsos__delete(mo.dsos);
	embedded__delete(emb);
	return err;
}

/*
 * Interpreted scripts, filters in shared objects, traces of hardware and guests: the next perf on
 * PATH has them.
 */
static const char *others_option(int argc, const char **argv)
{
	static const char *const names[] = {
		"-s",
		"--script",
		"-g",
		"--gen-script",
		"-l",
		"--list",
		"--dlfilter",
		"--dlarg",
		"--list-dlfilters",
		"--itrace",
		"--insn-trace",
		"--call-trace",
		"--call-ret-trace",
		"--graph-function",
		"--xed",
		"--stitch-lbr",
		"--max-blocks",
		"--guestmount",
		"--guestkallsyms",
		"--guestmodules",
		"--guestvmlinux",
		"--guest-code",
	};

	for (int i = 1; i < argc && strcmp(argv[i], "--"); i++) {
		size_t n = strcspn(argv[i], "=");

		for (size_t k = 0; k < ARRAY_SIZE(names); k++)
			if (strlen(names[k]) == n && !memcmp(argv[i], names[k], n))
				return names[k];
	}
	return NULL;
}

/* Returns only when it cannot be. @argv: as cmd_script() got it. */
static int hand_on(int argc, const char **argv, const char *what)
{
	const char **whole = calloc(argc + 2, sizeof(*whole));
	struct errbuf eb = {};

	if (whole) {
		whole[0] = "perf";
		memcpy(whole + 1, argv, argc * sizeof(*argv));
		whole[1] = "script";
		handover__next_perf(whole, &eb);
	}
	pr_err("'%s' is not done here but by the next perf on PATH: %s", what, eb.msg);
	free(whole);
	return EXIT_TOOL_FAILED;
}

int cmd_script(int argc, const char **argv)
{
	struct session_opts so = {.warn = warn};
	struct errbuf eb = {};
	struct perf_session *s;
	const char **whole;
	struct outbuf ob;
	int err = 0, left;

	if (others_option(argc, argv))
		return hand_on(argc, argv, others_option(argc, argv));
	script_fields__init(&fields);
	whole = memcpy(alloca((argc + 1) * sizeof(*argv)), argv, (argc + 1) * sizeof(*argv));
	left = parse_options(argc, argv, options, "script", usage, SUBCMD_STOP_AT_NON_OPTION);
	if (left)
		return hand_on(argc, whole, argv[0]);
	if (reltime && deltatime)
		usage_error("script", "--reltime and --deltatime do not go together");
	if (json && folded)
		usage_error("script", "--json and --folded do not go together");
	if (folded && per_event)
		usage_error("script", "--folded adds up all events: not with --per-event-dump");
	if (switch_off && switch_on && !strcmp(switch_on, switch_off))
		usage_error("script", "--switch-on and --switch-off name the same event");
	if ((json || folded) && (dump || dump_unsorted))
		usage_error("script", "-D is text: not with --json or --folded");
	subcmd__verbose = verbose;
	so.force = force;
	so.unordered = dump_unsorted;
	if (outbuf__init(&ob, STDOUT_FILENO, 0)) {
		pr_err("no memory");
		return EXIT_TOOL_FAILED;
	}
	if (dump || dump_unsorted) {
		so.raw = dump_raw;
		so.ctx = &ob;
	}
	s = perf_session__open(input, &so, &eb);
	if (!s) {
		pr_err("%s", eb.msg);
		return subcmd__finish_output(&ob, EXIT_TOOL_FAILED);
	}
	pager__start();
	if (header || header_only)
		perf_session__print_header(s, &ob, show_info);
	if (!header_only)
		err = with_machine(s, &ob);
	if (!header_only)
		perf_session__warn_stats(s);
	perf_session__delete(s);
	return subcmd__finish_output(&ob, err ? EXIT_TOOL_FAILED : 0);
}
