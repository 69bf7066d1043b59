// SPDX-License-Identifier: GPL-2.0-only
/* Attaching the trace programs to their tracepoints and events, and letting go of them. */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bpf/trace-internal.h"
#include "bpf/trace.skel.h"
#include "lib/api/tracefs.h"

#define NR_PROGS 8

/*
 * A classic program runs once a hit, on all CPUs, for all threads: it belongs to the tracepoint,
 * and the perf event only brings it there, so that one is enough and stays disabled. An event of a
 * CPU: for the first one of a thread the kernel waits until all CPUs have seen that there is one.
 */
static int attach_classic(struct trace_kern *t, struct bpf_program *prog, const char *sys,
			  const char *name, struct errbuf *eb)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_TRACEPOINT,
		.size = sizeof(attr),
		.disabled = 1,
		.sample_period = 1,
	};
	int id = tracefs__event_id(sys, name, eb), cpu = sched_getcpu(), fd;

	if (id < 0)
		return id;
	attr.config = id;
	fd = syscall(SYS_perf_event_open, &attr, -1, cpu < 0 ? 0 : cpu, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd < 0)
		return errbuf__set(eb, -errno, "cannot open tracepoint %s:%s: %s", sys, name,
				   strerror(errno));
	t->events[t->nr_events++] = fd;
	if (ioctl(fd, PERF_EVENT_IOC_SET_BPF, bpf_program__fd(prog)))
		return errbuf__set(eb, -errno, "cannot attach to tracepoint %s:%s: %s", sys, name,
				   strerror(errno));
	return 0;
}

static int attach_raw(struct trace_kern *t, struct bpf_program *prog, const char *name,
		      struct errbuf *eb)
{
	int fd = bpf_raw_tracepoint_open(name, bpf_program__fd(prog));

	if (fd < 0)
		return errbuf__set(eb, -errno, "cannot attach to raw tracepoint %s: %s", name,
				   strerror(errno));
	t->events[t->nr_events++] = fd;
	return 0;
}

/* One of -e sys:name, -F: @nr is what the program learns of it. */
static int attach_event(struct trace_kern *t, u32 nr, int cpu, struct errbuf *eb)
{
	const struct trace_event_spec *spec = &t->opts.events[nr];
	bool fault = spec->kind == TRACE_EVENT_FAULT;
	LIBBPF_OPTS(bpf_link_create_opts, link, .perf_event.bpf_cookie = nr);
	struct perf_event_attr attr = {
		.type = fault ? PERF_TYPE_SOFTWARE : PERF_TYPE_TRACEPOINT,
		.config = spec->config,
		.size = sizeof(attr),
		.sample_period = 1,
		.sample_type = fault ? PERF_SAMPLE_ADDR : 0,
		.disabled = !fault,
	};
	struct bpf_program *prog = fault ? t->skel->progs.trace_fault : t->skel->progs.trace_event;
	int fd = syscall(SYS_perf_event_open, &attr, fault ? -1 : 0, fault ? cpu : -1, -1,
			 PERF_FLAG_FD_CLOEXEC);

	if (fd < 0)
		return errbuf__set(eb, -errno, "cannot open event %u: %s", nr, strerror(errno));
	t->events[t->nr_events++] = fd;
	fd = bpf_link_create(bpf_program__fd(prog), fd, BPF_PERF_EVENT, &link);
	if (fd < 0)
		return errbuf__set(eb, -errno, "cannot attach to event %u: %s", nr,
				   strerror(errno));
	t->events[t->nr_events++] = fd;
	return 0;
}

static int attach_events(struct trace_kern *t, struct errbuf *eb)
{
	int err = 0;

	for (int i = 0; !err && i < t->opts.nr_events; i++) {
		if (t->opts.events[i].kind == TRACE_EVENT_TRACEPOINT)
			err = attach_event(t, i, -1, eb);
		else
			for (int cpu = 0; !err && cpu < t->nr_cpus; cpu++)
				if (t->nr_events + 2 + NR_PROGS < TRACE_MAX_FDS)
					err = attach_event(t, i, cpu, eb);
		/* A CPU that is offline has no events. */
		if (err == -ENODEV)
			err = 0;
	}
	return err;
}

/* @raw, @classic: the two of one program. */
static int attach(struct trace_kern *t, struct bpf_program *raw, struct bpf_program *classic,
		  const char *sys, const char *name, struct errbuf *eb)
{
	return t->raw ? attach_raw(t, raw, name, eb) : attach_classic(t, classic, sys, name, eb);
}

int trace_kern__attach(struct trace_kern *t, struct errbuf *eb)
{
	struct trace_bpf *s = t->skel;
	int err;

	/* First, so that the program that takes an ending thread out of the traced set runs last.
	 */
	err = attach_events(t, eb);
	if (!err && t->opts.signals && !t->opts.block)
		err = attach_raw(t, s->progs.trace_deliver, "signal_deliver", eb);
	if (!err && t->opts.block)
		err = attach(t, s->progs.trace_signal_raw, s->progs.trace_signal, "signal",
			     "signal_generate", eb);
	if (!err && t->opts.inherit && !t->opts.all)
		err = attach(t, s->progs.trace_fork_raw, s->progs.trace_fork, "sched",
			     "sched_process_fork", eb);
	if (!err)
		err = attach(t, s->progs.trace_exec_raw, s->progs.trace_exec, "sched",
			     "sched_process_exec", eb);
	if (!err && !t->raw && t->opts.records)
		err = attach_raw(t, s->progs.trace_exec_args, "sched_process_exec", eb);
	if (!err)
		err = attach(t, s->progs.trace_task_exit_raw, s->progs.trace_task_exit, "sched",
			     "sched_process_exit", eb);
	if (!err)
		err = attach(t, s->progs.trace_exit_raw, s->progs.trace_exit, "raw_syscalls",
			     "sys_exit", eb);
	if (!err)
		err = attach(t, s->progs.trace_enter_raw, s->progs.trace_enter, "raw_syscalls",
			     "sys_enter", eb);
	return err;
}

static u64 misses(const struct bpf_program *prog)
{
	struct bpf_prog_info info = {};
	u32 len = sizeof(info);

	if (bpf_obj_get_info_by_fd(bpf_program__fd(prog), &info, &len))
		return 0;
	return info.recursion_misses;
}

/*
 * Letting go of a classic tracepoint takes the kernel a grace period or two, some 100 ms each when
 * it is busy, one tracepoint after the other. Nobody needs to wait for that: a child that has
 * nothing but the events closes them last.
 */
static void close_in_background(struct trace_kern *t)
{
	pid_t pid = fork();

	if (!pid) {
		int low = t->events[0];

		for (int i = 1; i < t->nr_events; i++)
			low = t->events[i] < low ? t->events[i] : low;
		if (!fork()) {
			setsid();
			prctl(PR_SET_NAME, "trace-detach");
			syscall(SYS_close_range, 0, low - 1, 0);
			for (int i = 0; i < t->nr_events; i++)
				close(t->events[i]);
		}
		_exit(0);
	}
	if (pid > 0)
		while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
			;
}

void trace_kern__detach(struct trace_kern *t)
{
	if (t->nr_events && (!t->raw || t->opts.nr_events))
		close_in_background(t);
	while (t->nr_events > 0)
		close(t->events[--t->nr_events]);
}

void trace_kern__quiesce(struct trace_kern *t)
{
	/* A program that is running now is done within microseconds. */
	useconds_t wait = t->opts.all || trace_kern__in_use(t) ? 500 : 0;

	for (int i = 0; i < t->nr_cpus; i++)
		__atomic_store_n(t->opts.all ? &t->cpus[i].wanted : &t->cpus[i].off, !t->opts.all,
				 __ATOMIC_RELEASE);
	if (t->opts.all) {
		trace_kern__detach(t);
	} else {
		for (u32 i = 0; i < t->nr_tids; i++)
			if (t->tids[i])
				memset(t->tids[i], 0, sizeof(*t->tids[i]));
		/* By then none is learning any more where a thread's stack is. */
		if (wait)
			usleep(wait);
		memset(t->stacks, 0, sizeof(*t->stacks) << TRACE_STACKS_SHIFT);
	}
	if (wait)
		usleep(wait);
}

u64 trace_kern__misses(const struct trace_kern *t)
{
	const struct trace_bpf *s = t->skel;
	u64 n = misses(s->progs.trace_event) + misses(s->progs.trace_deliver);

	if (!t->raw)
		return n + misses(s->progs.trace_enter) + misses(s->progs.trace_exit);
	return n + misses(s->progs.trace_enter_raw) + misses(s->progs.trace_exit_raw) +
	       misses(s->progs.trace_fork_raw) + misses(s->progs.trace_task_exit_raw);
}
