// SPDX-License-Identifier: GPL-2.0-only
/* The feature sections of a recording made here. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>
#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

#include "session/writer-internal.h"
#include "version.h"

/* The value of the first line of /proc/cpuinfo that begins with @key. */
static bool cpuinfo(const char *key, char *buf, size_t size)
{
	FILE *f = fopen("/proc/cpuinfo", "re");
	char line[1024];
	bool found = false;

	while (f && !found && fgets(line, sizeof(line), f)) {
		char *colon = strchr(line, ':');

		if (strncmp(line, key, strlen(key)) || !colon)
			continue;
		colon += 1 + strspn(colon + 1, " \t");
		colon[strcspn(colon, "\n")] = '\0';
		snprintf(buf, size, "%s", colon);
		found = true;
	}
	if (f)
		fclose(f);
	return found;
}

static bool put_cpudesc(struct wbuf *b)
{
	static const char *const keys[] = {"model name", "Processor", "cpu model", "uarch", "cpu"};
	char buf[1024], out[1024];

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		size_t n = 0;

		if (!cpuinfo(keys[i], buf, sizeof(buf)))
			continue;
		/* Runs of blanks become one. */
		for (const char *p = buf; *p; p++)
			if (*p != ' ' || (n && out[n - 1] != ' '))
				out[n++] = *p;
		out[n] = '\0';
		wbuf__str(b, out);
		return true;
	}
	return false;
}

/* x86: vendor,family,model,stepping; arm64: MIDR of CPU 0. As upstream writes them. */
static bool put_cpuid(struct wbuf *b)
{
	char buf[128];
#if defined(__x86_64__) || defined(__i386__)
	unsigned int eax = 0, ebx = 0, ecx = 0, edx = 0, family, model, max;
	char vendor[13] = "";

	if (!__get_cpuid(0, &max, &ebx, &ecx, &edx) || max < 1)
		return false;
	memcpy(vendor, &ebx, 4);
	memcpy(vendor + 4, &edx, 4);
	memcpy(vendor + 8, &ecx, 4);
	__get_cpuid(1, &eax, &ebx, &ecx, &edx);
	family = (eax >> 8) & 0xf;
	model = (eax >> 4) & 0xf;
	if (family == 0xf)
		family += (eax >> 20) & 0xff;
	if (family >= 6)
		model += ((eax >> 16) & 0xf) << 4;
	snprintf(buf, sizeof(buf), "%s,%u,%u,%u", vendor, family, model, eax & 0xf);
#else
	FILE *f = fopen("/sys/devices/system/cpu/cpu0/regs/identification/midr_el1", "re");
	bool ok = f && fgets(buf, sizeof(buf), f);

	if (f)
		fclose(f);
	if (!ok)
		return false;
	buf[strcspn(buf, "\n")] = '\0';
#endif
	wbuf__str(b, buf);
	return true;
}

static bool put_total_mem(struct wbuf *b)
{
	FILE *f = fopen("/proc/meminfo", "re");
	unsigned long long kb = 0;
	char line[128];

	while (f && !kb && fgets(line, sizeof(line), f))
		sscanf(line, "MemTotal: %llu", &kb);
	if (f)
		fclose(f);
	wbuf__u64(b, kb);
	return kb != 0;
}

static bool put_cmdline(const struct perf_writer *w, struct wbuf *b)
{
	char exe[4096];
	ssize_t n = readlink("/proc/self/exe", exe, sizeof(exe) - 1);

	if (!w->opts.argc)
		return false;
	/* Upstream: the binary's path in place of argv[0]. */
	wbuf__u32(b, w->opts.argc + 1);
	exe[n > 0 ? n : 0] = '\0';
	wbuf__str(b, n > 0 ? exe : "perf");
	for (int i = 0; i < w->opts.argc; i++)
		wbuf__str(b, w->opts.argv[i]);
	return true;
}

static bool put_event_desc(const struct perf_writer *w, struct wbuf *b)
{
	wbuf__u32(b, w->nr_ev);
	wbuf__u32(b, sizeof(struct perf_event_attr));
	for (int i = 0; i < w->nr_ev; i++) {
		const struct w_event *e = &w->ev[i];

		wbuf__put(b, &e->attr, sizeof(e->attr));
		wbuf__u32(b, e->nr_ids);
		wbuf__str(b, e->name);
		wbuf__put(b, e->ids, e->nr_ids * 8UL);
	}
	return true;
}

static int group_size(const struct perf_writer *w, int leader)
{
	int n = 0;

	for (int i = leader; i < w->nr_ev && w->ev[i].leader == leader; i++)
		n++;
	return n;
}

static bool put_group_desc(const struct perf_writer *w, struct wbuf *b)
{
	u32 nr = 0;
	size_t at = b->n;

	wbuf__u32(b, 0);
	for (int i = 0; i < w->nr_ev; i++) {
		int members = w->ev[i].leader == i ? group_size(w, i) : 0;

		if (members < 2)
			continue;
		wbuf__str(b, w->ev[i].group_name ? w->ev[i].group_name : "{anon_group}");
		wbuf__u32(b, i);
		wbuf__u32(b, members);
		nr++;
	}
	wbuf__set_u32(b, at, nr);
	return nr > 0;
}

static bool put_clockid(const struct perf_writer *w, struct wbuf *b)
{
	struct timespec res;

	if (w->opts.clockid < 0 || clock_getres(w->opts.clockid, &res))
		return false;
	wbuf__u64(b, res.tv_sec * 1000000000ULL + res.tv_nsec);
	return true;
}

static bool put_clock_data(const struct perf_writer *w, struct wbuf *b)
{
	if (w->opts.clockid < 0 || !w->clock_ref)
		return false;
	wbuf__u32(b, 1); /* version */
	wbuf__u32(b, w->opts.clockid);
	wbuf__u64(b, w->clock_tod);
	wbuf__u64(b, w->clock_ref);
	return true;
}

static bool put_compressed(const struct perf_writer *w, struct wbuf *b)
{
	if (!w->z)
		return false;
	wbuf__u32(b, 1); /* version */
	wbuf__u32(b, 1); /* zstd */
	wbuf__u32(b, w->opts.compress_level);
	wbuf__u32(b, w->packed_out ? w->packed_in / w->packed_out : 0);
	/* The reader's buffer: what one record can unpack to. */
	wbuf__u32(b, WRITER_BUF);
	return true;
}

static bool put_sample_time(const struct perf_writer *w, struct wbuf *b)
{
	if (!w->last_time)
		return false;
	wbuf__u64(b, w->first_time);
	wbuf__u64(b, w->last_time);
	return true;
}

static bool put_build_ids(const struct perf_writer *w, struct wbuf *b)
{
	u8 rec[4352];

	if (w->opts.no_buildid || !w->nr_build_ids)
		return false;
	for (int i = 0; i < w->nr_build_ids; i++)
		wbuf__put(b, rec, writer__build_id_record(&w->build_ids[i], rec));
	return true;
}

bool writer__feature(struct perf_writer *w, int feat, struct wbuf *b)
{
	struct utsname u;

	uname(&u);
	switch (feat) {
	case FEAT_TRACING_DATA:
		wbuf__put(b, w->tracing.p, w->tracing.n);
		return w->tracing.n;
	case FEAT_BUILD_ID:
		return put_build_ids(w, b);
	case FEAT_HOSTNAME:
		wbuf__str(b, u.nodename);
		return true;
	case FEAT_OSRELEASE:
		wbuf__str(b, u.release);
		return true;
	case FEAT_VERSION:
		wbuf__str(b, PERF_VERSION);
		return true;
	case FEAT_ARCH:
		wbuf__str(b, u.machine);
		return true;
	case FEAT_NRCPUS:
		wbuf__u32(b, sysconf(_SC_NPROCESSORS_CONF));
		wbuf__u32(b, sysconf(_SC_NPROCESSORS_ONLN));
		return true;
	case FEAT_CPUDESC:
		return put_cpudesc(b);
	case FEAT_CPUID:
		return put_cpuid(b);
	case FEAT_TOTAL_MEM:
		return put_total_mem(b);
	case FEAT_CMDLINE:
		return put_cmdline(w, b);
	case FEAT_EVENT_DESC:
		return put_event_desc(w, b);
	case FEAT_CPU_TOPOLOGY:
		return writer__cpu_topology(b);
	case FEAT_NUMA_TOPOLOGY:
		return writer__numa_topology(b);
	case FEAT_BRANCH_STACK:
		return w->opts.branch_stack;
	case FEAT_PMU_MAPPINGS:
		return writer__pmu_mappings(b);
	case FEAT_GROUP_DESC:
		return put_group_desc(w, b);
	case FEAT_CACHE:
		return writer__cache(b);
	case FEAT_SAMPLE_TIME:
		return put_sample_time(w, b);
	case FEAT_MEM_TOPOLOGY:
		return writer__mem_topology(b);
	case FEAT_CLOCKID:
		return put_clockid(w, b);
	case FEAT_COMPRESSED:
		return put_compressed(w, b);
	case FEAT_CLOCK_DATA:
		return put_clock_data(w, b);
	default:
		return false;
	}
}
