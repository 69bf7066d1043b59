// SPDX-License-Identifier: GPL-2.0-only
/* The event of a run that names none, and what this machine has at all. */
#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "lib/perf/internal.h"

bool perf_event__supported(u32 type, u64 config)
{
	struct perf_event_attr a = {
		.type = type,
		.size = sizeof(a),
		.config = config,
		.disabled = 1,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};
	int fd = syscall(SYS_perf_event_open, &a, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);

	if (fd >= 0)
		close(fd);
	/* Rights do not matter here: a refusal still means that the event is there. */
	return fd >= 0 || errno == EACCES || errno == EPERM || errno == EBUSY;
}

int evlist__add_default(struct evlist *l, bool *fell_back, struct errbuf *eb)
{
	bool cycles = perf_event__supported(PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES);
	struct evsel *e = evlist__add(l);

	if (!e || evsel__set_name(e, cycles ? "cycles" : "cpu-clock"))
		return errbuf__set(eb, -ENOMEM, "out of memory for an event");
	e->attr.type = cycles ? PERF_TYPE_HARDWARE : PERF_TYPE_SOFTWARE;
	e->attr.config = cycles ? (u64)PERF_COUNT_HW_CPU_CYCLES : (u64)PERF_COUNT_SW_CPU_CLOCK;
	e->attr.exclude_guest = 1;
	e->may_fall_back = cycles;
	if (cycles) {
		e->attr.precise_ip = 3;
		e->precise_max = true;
	}
	if (fell_back)
		*fell_back = !cycles;
	return 0;
}
