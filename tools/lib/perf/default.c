// SPDX-License-Identifier: GPL-2.0-only
/* The event of a run that names none. */
#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "lib/perf/internal.h"

/* Whether this machine counts cycles at all; rights do not matter (EACCES still means it does). */
static bool have_cycles(void)
{
	struct perf_event_attr a = {
		.type = PERF_TYPE_HARDWARE,
		.size = sizeof(a),
		.config = PERF_COUNT_HW_CPU_CYCLES,
		.disabled = 1,
		.sample_period = 1000003,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};
	int fd = syscall(SYS_perf_event_open, &a, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);

	if (fd >= 0)
		close(fd);
	return fd >= 0 ||
	       (errno != ENOENT && errno != ENODEV && errno != ENXIO && errno != EOPNOTSUPP);
}

int evlist__add_default(struct evlist *l, bool *fell_back, struct errbuf *eb)
{
	bool cycles = have_cycles();
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
