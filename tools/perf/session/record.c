// SPDX-License-Identifier: GPL-2.0-only
/* Setting a recording up, and ending it. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "lib/api/procfs.h"
#include "lib/symbol/kallsyms.h"
#include "session/embed.h"
#include "session/record-internal.h"

void record__note(const struct record *rec, const char *fmt, ...)
{
	char line[512];
	va_list ap;

	if (!rec->o->note)
		return;
	va_start(ap, fmt);
	vsnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
	rec->o->note(NULL, line);
}

void record__status(const struct record *rec, const char *fmt, ...)
{
	va_list ap;

	if (rec->o->quiet)
		return;
	va_start(ap, fmt);
	fputs("[ perf record: ", stderr);
	vfprintf(stderr, fmt, ap);
	fputs(" ]\n", stderr);
	va_end(ap);
}

/* ---- events ---- */

static unsigned int default_pages(void)
{
	long page = sysconf(_SC_PAGESIZE), kb = procfs__sysctl("kernel/perf_event_mlock_kb", 516);
	unsigned int pages = 1;

	/* What every user may map, less the ring's first page. */
	while ((long)(pages * 2 + 1) * page <= kb * 1024)
		pages *= 2;
	return pages;
}

static int exclude_self(struct record *rec, struct errbuf *eb)
{
	char filter[96];
	struct evsel *e;
	bool any = false;

	evlist__for_each (rec->l, e)
		any |= evsel__is_tracepoint(e);
	if (!any)
		return errbuf__set(eb, -EINVAL,
				   "--exclude-perf is a filter of tracepoints: give one with -e");
	snprintf(filter, sizeof(filter), "common_pid != %d && common_pid != %d", getpid(),
		 recorder__tid(rec->r));
	if (evlist__add_filter_all(rec->l, filter))
		return errbuf__set(eb, -ENOMEM, "out of memory for a filter");
	return 0;
}

static int open_events(struct record *rec, struct errbuf *eb)
{
	const struct record_opts *o = rec->o;
	struct record_config config = o->config;
	struct target target = o->target;
	bool delayed = o->start_disabled || o->nr_delays;
	struct errbuf line;
	int err, nr = evlist__nr(rec->l);

	config.separate_sideband |= delayed || config.overwrite;
	if (rec->work) {
		target.workload_pid = workload__pid(rec->work);
		/* Of all CPUs, or of named ones, not the workload's own. */
		if (target.system_wide || target.cpu_list || target__has_task(&o->target))
			target.workload_pid = 0;
		target.enable_on_exec = target.workload_pid && !delayed;
	}
	config.per_cpu |= !target__has_task(&target) || target.cpu_list;
	config.separate_sideband |= config.per_cpu;
	err = record_config__apply(rec->l, &config, &line, eb);
	if (err)
		return err;
	if (line.msg[0] && o->config.freq_given)
		record__note(rec, "%s", line.msg);
	if (evlist__nr(rec->l) > nr)
		rec->sideband = evlist__at(rec->l, nr);
	err = evlist__open(rec->l,
			   &(struct evlist_open_opts){
				   .target = &target,
				   .sampling = true,
				   .strict = o->strict,
				   .per_thread = o->per_thread,
				   .clockid = o->clockid,
				   .note = o->note,
			   },
			   eb);
	if (err)
		return err;
	return evlist__mmap(rec->l, o->pages ? o->pages : default_pages(), true, eb);
}

int record__enable(struct record *rec, bool on)
{
	struct evsel *e;
	int err = 0, one;

	if (!rec->sideband)
		return on ? evlist__enable(rec->l) : evlist__disable(rec->l);
	evlist__for_each (rec->l, e) {
		if (e == rec->sideband || evsel__leader(e) != e)
			continue;
		one = on ? evsel__enable(rec->l, e) : evsel__disable(rec->l, e);
		err = err ? err : one;
	}
	return err;
}

/* ---- the file ---- */

struct ids {
	u64 *id;
	u32 nr;
};

static int collect_id(void *ctx, struct evsel *e, u64 id, int cpu, pid_t tid)
{
	struct ids *x = (struct ids *)ctx + evsel__idx(e);
	u64 *p;

	(void)cpu, (void)tid;
	if (!(x->nr & (x->nr - 1))) { /* full at every power of two */
		p = realloc(x->id, (x->nr ? 2 * x->nr : 1) * sizeof(*p));
		if (!p)
			return -ENOMEM;
		x->id = p;
	}
	x->id[x->nr++] = id;
	return 0;
}

static int set_events(struct record *rec, struct errbuf *eb)
{
	int nr = evlist__nr(rec->l), err = -ENOMEM;
	struct writer_event *ev = calloc(nr, sizeof(*ev));
	struct ids *ids = calloc(nr, sizeof(*ids));

	if (ev && ids)
		err = evlist__each_id(rec->l, collect_id, ids);
	for (int i = 0; i < nr && !err; i++) {
		struct evsel *e = evlist__at(rec->l, i);

		ev[i] = (struct writer_event){
			.attr = evsel__attr(e),
			.name = evsel__name(e),
			.ids = ids[i].id,
			.nr_ids = ids[i].nr,
			.leader = evsel__idx(evsel__leader(e)),
			.tp_system = evsel__tp_system(e),
			.tp_name = evsel__tp_name(e),
		};
	}
	if (err)
		errbuf__set(eb, err, "out of memory for event ids");
	else
		err = perf_writer__set_events(rec->w, ev, nr, eb);
	for (int i = 0; ids && i < nr; i++)
		free(ids[i].id);
	free(ids);
	free(ev);
	return err;
}

static int open_file(struct record *rec, struct errbuf *eb)
{
	struct writer_opts wo = rec->o->writer;
	int err;

	wo.clockid = rec->o->clockid;
	wo.no_buildid = rec->o->no_buildid;
	rec->w = perf_writer__open(&wo, eb);
	if (!rec->w)
		return errno ? -errno : -EIO;
	err = set_events(rec, eb);
	return err ? err : perf_writer__start(rec->w, eb);
}

static int emit(void *ctx, const struct perf_event_header *ev)
{
	struct record *rec = ctx;

	return perf_writer__append(rec->w, ev);
}

/* Everything but the maps and tasks has to stand at the start even with --tail-synthesize. */
int record__synthesize(struct record *rec, bool tail)
{
	const struct record_opts *o = rec->o;
	struct synth *s = &rec->synth;
	int err = 0;

	if (!tail) {
		err = synth__id_index(s, rec->l);
		err = err ? err : synth__thread_map(s, evlist__threads(rec->l));
		err = err ? err : synth__cpu_map(s, evlist__cpus(rec->l));
	}
	if (tail == o->tail_synth) {
		const struct thread_map *t = evlist__threads(rec->l);

		err = err ? err : synth__kernel(s);
		err = err ? err : synth__modules(s);
		if (!o->config.no_bpf_event)
			err = err ? err : synth__bpf(s);
		if (o->config.cgroups && o->synth_cgroups)
			err = err ? err : synth__cgroups(s);
		/* A held workload has nothing yet but a name. */
		if (rec->work && t->nr == 1 && t->thread[0].tid == workload__pid(rec->work))
			err = err ? err : synth__comm(s, t->thread[0].tid, t->thread[0].tid);
		else if (o->synth_tasks)
			err = err ? err : synth__tasks(s, t);
	}
	if (!err && !tail)
		err = perf_writer__finished_init(rec->w);
	return err;
}

struct lost_ctx {
	struct record *rec;
	int last_idx, last_cpu;
	int err;
};

/* Called by event, then CPU: the first id of each pair stands for it. */
static int emit_lost(void *ctx, struct evsel *e, u64 id, int cpu, pid_t tid)
{
	struct lost_ctx *x = ctx;
	const struct cpu_map *cpus = evlist__cpus(x->rec->l);
	u64 lost;

	(void)tid;
	if (evsel__idx(e) == x->last_idx && cpu == x->last_cpu)
		return 0;
	x->last_idx = evsel__idx(e);
	x->last_cpu = cpu;
	for (int c = 0; c < cpus->nr; c++)
		if (cpus->cpu[c] == cpu && evsel__lost(x->rec->l, e, c, &lost) && lost)
			return synth__lost(&x->rec->synth, evsel__attr(e), id, lost, cpu);
	return 0;
}

static int embed_symbols(struct perf_writer *w, struct errbuf *eb)
{
	void *data = NULL;
	size_t size = 0;
	int err = perf_writer__flush(w);

	if (!err && !perf_writer__is_pipe(w))
		err = embed__make(perf_writer__path(w), &data, &size, eb);
	return err ? err : perf_writer__embed(w, data, size, eb);
}

/* perf script will want the kernel's names, which take the kernel a while to write. */
static void prefetch_kernel_symbols(const struct record *rec)
{
	struct evsel *e;

	if (rec->o->no_symbol_cache || rec->o->no_buildid || perf_writer__is_pipe(rec->w))
		return;
	evlist__for_each (rec->l, e) {
		const struct perf_event_attr *a = evsel__attr(e);

		if (!a->exclude_kernel && a->type != PERF_TYPE_TRACEPOINT &&
		    !(a->type == PERF_TYPE_SOFTWARE && a->config == PERF_COUNT_SW_DUMMY)) {
			kallsyms__prefetch();
			return;
		}
	}
}

int record__end_file(struct record *rec, struct errbuf *eb)
{
	const struct recorder_stats *st = recorder__stats(rec->r);
	int err = 0;

	prefetch_kernel_symbols(rec);
	if (st->first_time)
		perf_writer__sample_time(rec->w, st->first_time, st->last_time);
	if (!rec->o->no_buildid && !rec->o->config.build_ids)
		err = perf_writer__build_ids_from_file(rec->w, rec->o->buildid_all, eb);
	if (!err && rec->o->embed_symbols)
		err = embed_symbols(rec->w, eb);
	kallsyms__prefetched();
	return err;
}

/* ---- the end ---- */

static void print_lost(struct record *rec, const struct loss_ledger *ledger)
{
	const struct recorder_stats *st = recorder__stats(rec->r);
	const struct cpu_map *cpus = evlist__cpus(rec->l);
	u64 lost = loss_counts__dropped(&ledger->total), n;
	struct evsel *e;

	record__status(rec, "%llu events emitted, %llu arrived, %llu lost",
		       (unsigned long long)ledger->total.emitted,
		       (unsigned long long)ledger->total.arrived, (unsigned long long)lost);
	for (int c = 0; lost && c < cpus->nr; c++) {
		evlist__for_each (rec->l, e) {
			if (!evsel__lost(rec->l, e, c, &n) || !n)
				continue;
			if (cpus->cpu[c] >= 0)
				record__status(rec, "lost on CPU %d: %s %llu", cpus->cpu[c],
					       evsel__name(e), (unsigned long long)n);
			else
				record__status(rec, "lost: %s %llu", evsel__name(e),
					       (unsigned long long)n);
		}
	}
	if (lost && !rec->o->config.overwrite)
		record__note(rec,
			     "the rings ran full: a larger -m, a lower rate or fewer events help");
	if (st->unwritten)
		record__note(rec, "%llu events that arrived could not be written",
			     (unsigned long long)st->unwritten);
	if (st->throttled && rec->o->verbose)
		record__note(rec, "the kernel throttled events %llu times",
			     (unsigned long long)st->throttled);
}

static void print_summary(struct record *rec, const char *path, u64 bytes, u64 raw)
{
	const struct recorder_stats *st = recorder__stats(rec->r);
	char samples[64] = "", packed[96] = "";

	if (st->samples)
		snprintf(samples, sizeof(samples), " (%llu samples)",
			 (unsigned long long)st->samples);
	if (rec->o->writer.compress_level && bytes)
		snprintf(packed, sizeof(packed), ", compressed (original %.3f MB, ratio is %.3f)",
			 raw / 1048576.0, (double)raw / bytes);
	record__status(rec, "Captured and wrote %.3f MB %s%s%s", bytes / 1048576.0, path, samples,
		       packed);
}

/* PATH becomes PATH.YYYYmmddHHMMSSHH, as upstream names what --switch-output leaves. */
static char *add_timestamp(struct record *rec, const char *path)
{
	char when[32], *name;
	struct timeval tv;
	struct tm tm;

	gettimeofday(&tv, NULL);
	localtime_r(&tv.tv_sec, &tm);
	strftime(when, sizeof(when), "%Y%m%d%H%M%S", &tm);
	if (asprintf(&name, "%s.%s%02d", path, when, (int)(tv.tv_usec / 10000)) < 0)
		return NULL;
	if (rename(path, name)) {
		record__note(rec, "cannot rename %s to %s: %s", path, name, strerror(errno));
		free(name);
		return NULL;
	}
	return name;
}

static int finish(struct record *rec, int err, struct errbuf *eb)
{
	const struct record_opts *o = rec->o;
	struct lost_ctx x = {.rec = rec, .last_idx = -1};
	struct loss_ledger ledger;
	struct errbuf later = {.msg = ""};
	u64 bytes, raw;
	char *path, *stamped = NULL;
	int one;

	evlist__disable(rec->l);
	one = recorder__stop(rec->r, rec->w);
	if (one && !err)
		err = errbuf__set(eb, one, "%s",
				  perf_writer__error(rec->w) ? perf_writer__error(rec->w)
							     : strerror(-one));
	record__status(rec, "Woken up %llu times to write data",
		       (unsigned long long)recorder__stats(rec->r)->wakeups);
	if (!err && o->tail_synth)
		record__synthesize(rec, true);
	if (!err)
		evlist__each_id(rec->l, emit_lost, &x);
	if (!err && record__end_file(rec, &later))
		record__note(rec, "%s", later.msg);
	bytes = perf_writer__bytes(rec->w);
	raw = perf_writer__raw_bytes(rec->w);
	path = strdup(perf_writer__path(rec->w));
	one = perf_writer__finish(rec->w, &later);
	if (one && !err)
		err = errbuf__set(eb, one, "%s", later.msg);
	if (!err)
		bytes = perf_writer__bytes(rec->w);
	if ((o->timestamp_filename || o->switch_signal || o->switch_size || o->switch_ms) && path &&
	    !perf_writer__is_pipe(rec->w))
		stamped = add_timestamp(rec, path);
	print_summary(rec, stamped ? stamped : path ? path : "", bytes, raw);
	if (!recorder__ledger(rec->r, &ledger)) {
		print_lost(rec, &ledger);
		loss_ledger__exit(&ledger);
	}
	free(stamped);
	free(path);
	return err;
}

static int setup_signals(struct record *rec, struct errbuf *eb)
{
	sigset_t mask;

	sigemptyset(&mask);
	sigaddset(&mask, SIGINT);
	sigaddset(&mask, SIGTERM);
	sigaddset(&mask, SIGUSR2); /* without --switch-output it does nothing, as upstream's */
	sigprocmask(SIG_BLOCK, &mask, &rec->old_mask);
	rec->signal_fd = signalfd(-1, &mask, SFD_CLOEXEC | SFD_NONBLOCK);
	if (rec->signal_fd < 0)
		return errbuf__set(eb, -errno, "cannot wait for signals: %s", strerror(errno));
	return 0;
}

static int start_workload(struct record *rec, struct errbuf *eb)
{
	int err;

	if (!rec->work)
		return 0;
	err = workload__start(rec->work, &rec->exit_code, eb);
	rec->work_running = !err;
	return err;
}

static int begin(struct record *rec, struct errbuf *eb)
{
	const struct record_opts *o = rec->o;
	bool delayed = o->start_disabled || o->nr_delays;
	int err = record__synthesize(rec, false);

	if (err)
		return errbuf__set(eb, err, "%s",
				   perf_writer__error(rec->w) ? perf_writer__error(rec->w)
							      : strerror(-err));
	if (rec->synth.kernel_restricted)
		record__note(rec, "kernel addresses are hidden (kernel.kptr_restrict): samples in "
				  "the kernel will have no symbols");
	err = recorder__start(rec->r, rec->l, eb);
	if (err)
		return err;
	if (rec->sideband)
		evsel__enable(rec->l, rec->sideband);
	/* With enable_on_exec the kernel enables them, at the very exec. */
	if (!delayed && !(rec->work && evsel__attr(evlist__at(rec->l, 0))->enable_on_exec))
		err = record__enable(rec, true);
	if (err)
		return errbuf__set(eb, err, "cannot enable the events: %s", strerror(-err));
	return 0;
}

/* A workload that is still there when the recording ends otherwise is ended as well. */
static void end_workload(struct record *rec)
{
	if (!rec->work)
		return;
	if (rec->work_running) {
		if (!workload__poll(rec->work, &rec->exit_code)) {
			kill(workload__pid(rec->work), SIGTERM);
			workload__wait(rec->work, &rec->exit_code);
		}
	}
	workload__delete(rec->work);
}

static void init_synth(struct record *rec)
{
	const struct record_opts *o = rec->o;

	rec->synth = (struct synth){
		.emit = emit,
		.ctx = rec,
		.id_size = synth__id_size(evsel__attr(evlist__at(rec->l, 0))),
		.mmap_data = evsel__attr(rec->sideband ? rec->sideband : evlist__at(rec->l, 0))
				     ->mmap_data,
		.namespaces = o->config.namespaces,
		.build_ids = o->config.build_ids,
		.no_maps = !o->synth_mmaps,
	};
}

static int run(struct record *rec, struct errbuf *eb)
{
	const struct record_opts *o = rec->o;
	int err = setup_signals(rec, eb);

	if (!err && o->control)
		err = control__open(&rec->control, o->control, eb);
	if (err)
		return err;
	if (o->workload) {
		rec->work = workload__prepare(o->workload, eb);
		if (!rec->work)
			return -errno;
	}
	rec->r = recorder__new(&(struct recorder_opts){.rt_prio = o->rt_prio}, eb);
	if (!rec->r)
		return -errno;
	if (o->exclude_perf)
		err = exclude_self(rec, eb);
	err = err ? err : open_events(rec, eb);
	err = err ? err : open_file(rec, eb);
	if (err)
		return err;
	init_synth(rec);
	err = begin(rec, eb);
	if (!err) {
		err = start_workload(rec, eb);
		if (err) {
			/* Not a failure of ours: the exit code tells, and nothing was recorded. */
			evlist__disable(rec->l);
			recorder__stop(rec->r, rec->w);
			perf_writer__finish(rec->w, NULL);
			return err;
		}
		err = record__loop(rec, eb);
	}
	return finish(rec, err, eb);
}

int record__run(const struct record_opts *o, int *exit_code, int *sig, struct errbuf *eb)
{
	struct record rec = {
		.o = o,
		.l = o->evlist,
		.signal_fd = -1,
		.control = {.fd = -1, .ack_fd = -1},
	};
	int err = run(&rec, eb);

	end_workload(&rec);
	recorder__delete(rec.r);
	perf_writer__delete(rec.w);
	control__close(&rec.control);
	if (rec.signal_fd >= 0) {
		close(rec.signal_fd);
		sigprocmask(SIG_SETMASK, &rec.old_mask, NULL);
	}
	/* A workload that was cut short by our own failure did not end with that code by itself. */
	*exit_code = err && rec.exit_code != EXIT_CANNOT_RUN && rec.exit_code != EXIT_NOT_FOUND
			     ? EXIT_TOOL_FAILED
			     : rec.exit_code;
	*sig = rec.signal;
	return err;
}
