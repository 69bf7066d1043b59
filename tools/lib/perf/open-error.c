// SPDX-License-Identifier: GPL-2.0-only
/* Why perf_event_open(2) refused, in words that help. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "lib/api/caps.h"
#include "lib/perf/internal.h"

static u64 max_sample_rate(void)
{
	unsigned long v = ULONG_MAX;
	FILE *f = fopen("/proc/sys/kernel/perf_event_max_sample_rate", "re");

	if (!f)
		return v;
	if (fscanf(f, "%lu", &v) != 1)
		v = ULONG_MAX;
	fclose(f);
	return v;
}

/* PMUs of code that is watched, not of counters: they do sample. */
static bool is_tracing_pmu(const char *pmu)
{
	static const char *const names[] = {"uprobe", "kprobe", "breakpoint", "tracepoint"};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(pmu, names[i]))
			return true;
	return false;
}

static void denied(const struct evsel *e, const struct target *t, int cpu, pid_t tid,
		   struct errbuf *eb)
{
	int paranoid = caps__perf_event_paranoid();

	if (e->tp_system) {
		errbuf__append(eb,
			       ": tracepoints need CAP_PERFMON or root, or "
			       "kernel.perf_event_paranoid=-1 (it is %d)",
			       paranoid);
	} else if (tid < 0 && cpu >= 0) {
		errbuf__append(eb,
			       ": all processes of a CPU (-a, -C, -G) need CAP_PERFMON or "
			       "root, or kernel.perf_event_paranoid=0 (it is %d); own "
			       "processes can be measured with -p or a workload",
			       paranoid);
	} else if (!e->attr.exclude_kernel && paranoid > 1) {
		errbuf__append(eb,
			       ": the kernel side needs CAP_PERFMON or root, or "
			       "kernel.perf_event_paranoid=1 (it is %d); the modifier u (as in "
			       "cpu-clock:u) measures user space only",
			       paranoid);
	} else if (paranoid > 2) {
		errbuf__append(eb,
			       ": kernel.perf_event_paranoid=%d keeps ordinary users out; "
			       "CAP_PERFMON or root, or a value of 2 helps",
			       paranoid);
	} else if (t->pid_list || t->tid_list || t->user) {
		errbuf__append(eb, ": another user's process, or one that may not be traced, "
				   "needs CAP_PERFMON and CAP_SYS_PTRACE, or root");
	} else {
		errbuf__append(eb, ": needs CAP_PERFMON or root (a container's seccomp filter "
				   "refuses perf_event_open in the same way)");
	}
}

static void unsupported(const struct evsel *e, struct errbuf *eb)
{
	const struct perf_event_attr *a = &e->attr;

	if (e->cgroup_fd >= 0 && a->type == PERF_TYPE_SOFTWARE)
		errbuf__append(
			eb,
			": the kernel does not take cgroup '%s': its perf_event controller is "
			"bound to a v1 hierarchy that is not mounted here (mount -t cgroup -o "
			"perf_event none DIR), or CONFIG_CGROUP_PERF is missing",
			e->cgroup);
	else if (a->sample_type & PERF_SAMPLE_BRANCH_STACK)
		errbuf__append(eb, ": this CPU has no branch stack (-b, -j) for it");
	else if (a->precise_ip)
		errbuf__append(eb, ": precise sampling (:p) is not available for it here");
	else if (a->type == PERF_TYPE_HARDWARE || a->type == PERF_TYPE_HW_CACHE ||
		 a->type == PERF_TYPE_RAW)
		errbuf__append(eb, ": no hardware counters here (a virtual machine without a "
				   "PMU?); cpu-clock and the other software events of 'perf list "
				   "sw' work everywhere");
	else if (a->type == PERF_TYPE_BREAKPOINT)
		errbuf__append(eb, ": the CPU has no such watchpoint (see mem: in 'perf list')");
	else if ((a->sample_period || a->freq) && a->type > PERF_TYPE_BREAKPOINT)
		errbuf__append(eb, ": this PMU counts but cannot sample: use perf stat");
	else
		errbuf__append(eb, ": this kernel or CPU does not have it (see perf list)");
}

/* EINVAL: what about the attr the kernel will not have. */
static void refused(const struct evsel *e, struct errbuf *eb)
{
	if (e->leader != e)
		errbuf__append(eb,
			       ": it does not fit into the group of %s; leave it out, "
			       "or let the group be broken up with :W",
			       evsel__name(e->leader));
	else if (e->attr.freq && e->attr.sample_freq > max_sample_rate())
		errbuf__append(eb,
			       ": %llu Hertz is more than the kernel allows (sysctl "
			       "kernel.perf_event_max_sample_rate)",
			       (unsigned long long)e->attr.sample_freq);
	else if (e->pmu && is_tracing_pmu(e->pmu))
		errbuf__append(eb,
			       ": the kernel refuses these terms of PMU %s (see "
			       "/sys/bus/event_source/devices/%s/format, and the config1 and "
			       "config2 that it needs)",
			       e->pmu, e->pmu);
	else if (e->pmu && (e->attr.sample_period || e->attr.freq))
		errbuf__append(eb, ": PMU %s counts but cannot sample: use perf stat", e->pmu);
	else if (e->attr.type == PERF_TYPE_BREAKPOINT)
		errbuf__append(eb, ": the CPU watches 1, 2, 4 or 8 bytes at an aligned "
				   "address, for w, rw or x (of kernel code only where the "
				   "kernel has kprobes)");
	else
		errbuf__append(eb,
			       ": the kernel refuses its configuration (config %#llx, "
			       "period or frequency %llu)",
			       (unsigned long long)e->attr.config,
			       (unsigned long long)e->attr.sample_period);
}

int evsel__open_error(const struct evsel *e, const struct target *t, int err, int cpu, pid_t tid,
		      struct errbuf *eb)
{
	char where[64] = "";

	if (cpu >= 0)
		snprintf(where, sizeof(where), " on CPU %d", cpu);
	if (tid > 0)
		snprintf(where + strlen(where), sizeof(where) - strlen(where), "%s thread %d",
			 cpu >= 0 ? " for" : " on", tid);
	errbuf__set(eb, err, "cannot open %s%s", evsel__name(e), where);
	switch (-err) {
	case EACCES:
	case EPERM:
		denied(e, t, cpu, tid, eb);
		break;
	case ENOENT:
	case ENODEV:
	case ENXIO:
	case EOPNOTSUPP:
		unsupported(e, eb);
		break;
	case EMFILE:
		errbuf__append(eb, ": too many open files, even at the hard limit (ulimit -Hn); "
				   "measure fewer threads or events, or raise the limit");
		break;
	case ENFILE:
		errbuf__append(eb, ": the system's file table is full (sysctl fs.file-max)");
		break;
	case ENOSPC:
		if (e->attr.type == PERF_TYPE_BREAKPOINT)
			errbuf__append(eb, ": all debug registers are in use (4 watchpoints on "
					   "x86; a debugger takes them too)");
		else
			errbuf__append(eb, ": no counter is left for it (fewer events in the "
					   "group, or :W)");
		break;
	case EBUSY:
		errbuf__append(eb, ": another user has the counters for itself (an exclusive "
				   "event, or the NMI watchdog: sysctl kernel.nmi_watchdog=0)");
		break;
	case ESRCH:
		errbuf__append(eb, ": the thread has ended");
		break;
	case ENOSYS:
		errbuf__append(eb, ": this kernel is built without CONFIG_PERF_EVENTS");
		break;
	case EINVAL:
		refused(e, eb);
		break;
	default:
		errbuf__append(eb, ": %s", strerror(-err));
	}
	errno = -err;
	return err;
}
