// SPDX-License-Identifier: GPL-2.0-only
/* The block of --header, in upstream's words. All text in it is the file's: it is escaped. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "session/session-internal.h"

static void text(struct outbuf *ob, const char *s, size_t n)
{
	if (s)
		outbuf__safe(ob, s, n);
}

static void put_str(struct outbuf *ob, struct feat_cursor *c)
{
	size_t n;
	const char *s = feat__str(c, &n);

	text(ob, s, n);
}

static void line(struct outbuf *ob, const char *name, const char *value)
{
	outbuf__printf(ob, "# %s : ", name);
	if (value)
		outbuf__safe(ob, value, strlen(value));
	outbuf__putc(ob, '\n');
}

static void print_cmdline(const struct perf_session *s, struct outbuf *ob)
{
	outbuf__puts(ob, "# cmdline : ");
	for (u32 i = 0; i < s->info.nr_cmdline; i++) {
		for (const char *p = s->info.cmdline[i]; *p;) {
			size_t n = strcspn(p, "'");

			outbuf__safe(ob, p, n);
			p += n;
			if (*p == '\'') {
				outbuf__puts(ob, "\\'");
				p++;
			}
		}
		outbuf__putc(ob, ' ');
	}
	outbuf__putc(ob, '\n');
}

static void print_events(const struct perf_session *s, struct outbuf *ob)
{
	for (int i = 0; i < s->nr_events; i++) {
		const struct session_event *e = s->events[i];

		outbuf__puts(ob, "# event : name = ");
		outbuf__safe(ob, e->name, strlen(e->name));
		outbuf__puts(ob, ", ");
		if (e->nr_ids) {
			outbuf__puts(ob, ", id = {");
			for (u32 k = 0; k < e->nr_ids; k++)
				outbuf__printf(ob, "%s %" PRIu64, k ? "," : "", e->ids[k]);
			outbuf__puts(ob, " }");
		}
		outbuf__puts(ob, ", ");
		perf_attr__print(ob, &e->attr, " = ");
		outbuf__putc(ob, '\n');
	}
}

static void print_list(struct outbuf *ob, struct feat_cursor *c, u32 nr, const char *what)
{
	for (u32 i = 0; i < nr && !c->bad; i++) {
		size_t n;
		const char *str = feat__str(c, &n);

		if (!str)
			return;
		outbuf__puts(ob, what);
		text(ob, str, n);
		outbuf__putc(ob, '\n');
	}
}

/* The CPUs' core and socket numbers stand before the dies, which are shown with them. */
static void print_cpu_topology(const struct perf_session *s, struct outbuf *ob)
{
	struct feat_cursor c = feat_cursor(s, FEAT_CPU_TOPOLOGY), threads, cpus, dies;
	u32 nr = s->info.nr_cpus_available, nr_threads;
	bool has_die;

	print_list(ob, &c, feat__u32(&c), "# sibling sockets : ");
	nr_threads = feat__u32(&c);
	threads = c;
	for (u32 i = 0; i < nr_threads && !c.bad; i++) {
		size_t n;

		feat__str(&c, &n);
	}
	cpus = c;
	feat__take(&c, (u64)nr * 8);
	has_die = !c.bad && (size_t)(c.end - c.p) >= (u64)nr * 4 + 4;
	dies = c;
	if (has_die)
		print_list(ob, &dies, feat__u32(&dies), "# sibling dies    : ");
	print_list(ob, &threads, nr_threads, "# sibling threads : ");
	if (c.bad) {
		outbuf__puts(ob, "# Core ID and Socket ID information is not available\n");
		return;
	}
	for (u32 i = 0; i < nr; i++) {
		u32 core = feat__u32(&cpus), socket = feat__u32(&cpus);

		outbuf__printf(ob, "# CPU %u: Core ID %d, ", i, (int)core);
		if (has_die)
			outbuf__printf(ob, "Die ID %d, ", (int)feat__u32(&dies));
		outbuf__printf(ob, "Socket ID %d\n", (int)socket);
	}
}

static void print_numa(const struct perf_session *s, struct outbuf *ob)
{
	struct feat_cursor c = feat_cursor(s, FEAT_NUMA_TOPOLOGY);
	u32 nr = feat__u32(&c);

	for (u32 i = 0; i < nr && !c.bad; i++) {
		u32 node = feat__u32(&c);
		u64 total = feat__u64(&c), avail = feat__u64(&c);

		outbuf__printf(ob,
			       "# node%u meminfo  : total = %" PRIu64 " kB, free = %" PRIu64
			       " kB\n# node%u cpu list : ",
			       node, total, avail, node);
		put_str(ob, &c);
		outbuf__putc(ob, '\n');
	}
}

static void print_pmus(const struct perf_session *s, struct outbuf *ob)
{
	struct feat_cursor c = feat_cursor(s, FEAT_PMU_MAPPINGS);
	u32 nr = feat__u32(&c);

	if (!nr) {
		outbuf__puts(ob, "# pmu mappings: not available\n");
		return;
	}
	outbuf__puts(ob, "# pmu mappings: ");
	for (u32 i = 0; i < nr && !c.bad; i++) {
		u32 type = feat__u32(&c);

		outbuf__puts(ob, i ? ", " : "");
		put_str(ob, &c);
		outbuf__printf(ob, " = %u", type);
	}
	outbuf__putc(ob, '\n');
}

static void print_groups(const struct perf_session *s, struct outbuf *ob)
{
	for (int i = 0; i < s->nr_events; i++) {
		const struct session_event *e = s->events[i];

		if (e->leader != e || e->nr_members < 2)
			continue;
		outbuf__puts(ob, "# group: ");
		if (e->group_name)
			outbuf__safe(ob, e->group_name, strlen(e->group_name));
		for (int m = 0; m < e->nr_members; m++) {
			const char *name = s->events[i + m]->name;

			outbuf__putc(ob, m ? ',' : '{');
			outbuf__safe(ob, name, strlen(name));
		}
		outbuf__puts(ob, "}\n");
	}
}

static void print_cache(const struct perf_session *s, struct outbuf *ob)
{
	struct feat_cursor c = feat_cursor(s, FEAT_CACHE);
	u32 version = feat__u32(&c), nr = feat__u32(&c);

	if (version != 1)
		return;
	outbuf__puts(ob, "# CPU cache info:\n");
	for (u32 i = 0; i < nr && !c.bad; i++) {
		u32 level = feat__u32(&c);
		size_t n;
		const char *str;

		feat__take(&c, 12); /* line size, sets, ways */
		outbuf__printf(ob, "#  L%u ", level);
		str = feat__str(&c, &n);
		text(ob, str, n);
		outbuf__pad(ob, n < 15 ? 15 - n : 0);
		outbuf__putc(ob, ' ');
		str = feat__str(&c, &n);
		outbuf__pad(ob, n < 8 ? 8 - n : 0);
		text(ob, str, n);
		outbuf__puts(ob, " [");
		put_str(ob, &c);
		outbuf__puts(ob, "]\n");
	}
}

static void print_sample_time(const struct perf_session *s, struct outbuf *ob)
{
	u64 a = s->info.first_sample_time, b = s->info.last_sample_time;

	outbuf__printf(ob,
		       "# time of first sample : %" PRIu64 ".%06" PRIu64
		       "\n# time of last sample : %" PRIu64 ".%06" PRIu64
		       "\n# sample duration : %10.3f ms\n",
		       a / 1000000000, a % 1000000000 / 1000, b / 1000000000, b % 1000000000 / 1000,
		       (double)(b - a) / 1e6);
}

/* Ranges of the bits set, as "0-23,32-199". */
static void put_bits(struct outbuf *ob, struct feat_cursor *c, u64 words)
{
	u64 start = UINT64_MAX, bit = 0;
	const char *comma = "";

	/* One word more, of zeros, ends the last range. */
	for (u64 w = 0; w <= words; w++) {
		u64 v = w < words ? feat__u64(c) : 0;

		for (int k = 0; k < (w < words ? 64 : 1); k++, bit++) {
			if (v >> k & 1) {
				if (start == UINT64_MAX)
					start = bit;
				continue;
			}
			if (start == UINT64_MAX)
				continue;
			outbuf__printf(ob, "%s%" PRIu64, comma, start);
			if (bit - 1 > start)
				outbuf__printf(ob, "-%" PRIu64, bit - 1);
			comma = ",";
			start = UINT64_MAX;
		}
	}
}

/* "24G": down to a number below 2048, as upstream rounds. */
static void put_size(struct outbuf *ob, u64 n)
{
	const char *unit = "BKMGTPE";

	while (n / 1024 > 1 && unit[1]) {
		n /= 1024;
		unit++;
	}
	outbuf__printf(ob, "%" PRIu64 "%c", n, *unit);
}

static void print_mem(const struct perf_session *s, struct outbuf *ob)
{
	struct feat_cursor c = feat_cursor(s, FEAT_MEM_TOPOLOGY);
	u64 version = feat__u64(&c), block = feat__u64(&c), nr = feat__u64(&c);

	if (version != 1)
		return;
	outbuf__printf(ob, "# memory nodes (nr %" PRIu64 ", block size 0x%" PRIx64 "):\n", nr,
		       block);
	for (u64 i = 0; i < nr && !c.bad; i++) {
		u64 node = feat__u64(&c), words, set = 0;
		struct feat_cursor bits;

		feat__u64(&c); /* bits in all; shown are those that are set */
		words = (feat__u64(&c) + 63) / 64;

		if (c.bad || words > (u64)(c.end - c.p) / 8)
			return;
		outbuf__printf(ob, "#  %3" PRIu64 " [", node);
		bits = c;
		for (u64 w = 0; w < words; w++)
			set += __builtin_popcountll(feat__u64(&bits));
		put_size(ob, set * block);
		outbuf__puts(ob, "]: ");
		put_bits(ob, &c, words);
		outbuf__putc(ob, '\n');
	}
}

static const char *clock_name(s32 id)
{
	static const char *const names[] = {
		"realtime", "monotonic", NULL, NULL, "monotonic_raw", NULL, NULL, "boottime",
		NULL,	    NULL,	 NULL, "tai"};

	return id >= 0 && id < (s32)ARRAY_SIZE(names) && names[id] ? names[id] : "(not found)";
}

static void print_clock_data(const struct perf_session *s, struct outbuf *ob)
{
	u64 tod = s->info.clock_tod_ns, ref = s->info.clock_ref_ns;
	time_t sec = tod / 1000000000;
	char date[64] = "";
	struct tm tm;

	if (!s->info.has_clock_data)
		return;
	if (localtime_r(&sec, &tm))
		strftime(date, sizeof(date), "%F %T", &tm);
	outbuf__printf(ob,
		       "# clockid: %s (%u)\n# reference time: %s.%06" PRIu64 " = %" PRIu64
		       ".%06" PRIu64 " (TOD) = %" PRIu64 ".%09" PRIu64 " (%s)\n",
		       clock_name(s->info.clockid), (u32)s->info.clockid, date,
		       tod % 1000000000 / 1000, tod / 1000000000, tod % 1000000000 / 1000,
		       ref / 1000000000, ref % 1000000000, clock_name(s->info.clockid));
}

static void print_caps(struct outbuf *ob, struct feat_cursor *c)
{
	u32 nr = feat__u32(c);

	outbuf__puts(ob, nr ? " pmu capabilities: " : " pmu capabilities: not available");
	for (u32 i = 0; i < nr && !c->bad; i++) {
		outbuf__puts(ob, i ? ", " : "");
		put_str(ob, c);
		outbuf__putc(ob, '=');
		put_str(ob, c);
	}
}

static void print_pmu_caps(const struct perf_session *s, struct outbuf *ob)
{
	struct feat_cursor c = feat_cursor(s, FEAT_PMU_CAPS);
	u32 nr = feat__u32(&c);

	for (u32 i = 0; i < nr && !c.bad; i++) {
		struct feat_cursor start = c, name;
		u32 caps = feat__u32(&c);
		size_t n;

		/* The PMU's name stands behind its capabilities. */
		for (u32 k = 0; k < 2 * (u64)caps && !c.bad; k++)
			feat__str(&c, &n);
		name = c;
		feat__str(&c, &n);
		if (c.bad)
			return;
		outbuf__puts(ob, "# ");
		put_str(ob, &name);
		print_caps(ob, &start);
		outbuf__putc(ob, '\n');
	}
}

static void print_hybrid(const struct perf_session *s, struct outbuf *ob)
{
	struct feat_cursor c = feat_cursor(s, FEAT_HYBRID_TOPOLOGY);
	u32 nr = feat__u32(&c);

	outbuf__puts(ob, "# hybrid cpu system:\n");
	for (u32 i = 0; i < nr && !c.bad; i++) {
		outbuf__puts(ob, "# ");
		put_str(ob, &c);
		outbuf__puts(ob, " cpu list : ");
		put_str(ob, &c);
		outbuf__putc(ob, '\n');
	}
}

static void print_compressed(const struct perf_session *s, struct outbuf *ob)
{
	outbuf__printf(ob, "# compressed : %s, level = %u, ratio = %u\n",
		       s->info.comp_type == 1 ? "Zstd" : "Unknown", s->info.comp_level,
		       s->info.comp_ratio);
}

static void print_btf(const struct perf_session *s, struct outbuf *ob)
{
	struct feat_cursor c = feat_cursor(s, FEAT_BPF_BTF);
	u32 nr = feat__u32(&c);

	for (u32 i = 0; i < nr && !c.bad; i++) {
		u32 id = feat__u32(&c), size = feat__u32(&c);

		if (feat__take(&c, size))
			outbuf__printf(ob, "# btf info of id %u\n", id);
	}
}

static void print_dir(const struct perf_session *s, struct outbuf *ob)
{
	struct feat_cursor c = feat_cursor(s, FEAT_DIR_FORMAT);

	outbuf__printf(ob, "# directory data version : %" PRIu64 "\n", feat__u64(&c));
}

static void print_machine(const struct perf_session *s, struct outbuf *ob, u32 feat)
{
	const struct session_info *i = &s->info;

	switch (feat) {
	case FEAT_HOSTNAME:
		line(ob, "hostname", i->hostname);
		break;
	case FEAT_OSRELEASE:
		line(ob, "os release", i->os_release);
		break;
	case FEAT_VERSION:
		line(ob, "perf version", i->version);
		break;
	case FEAT_ARCH:
		line(ob, "arch", i->arch);
		break;
	case FEAT_NRCPUS:
		outbuf__printf(ob, "# nrcpus online : %u\n# nrcpus avail : %u\n", i->nr_cpus_online,
			       i->nr_cpus_available);
		break;
	case FEAT_CPUDESC:
		line(ob, "cpudesc", i->cpudesc);
		break;
	case FEAT_CPUID:
		line(ob, "cpuid", i->cpuid);
		break;
	case FEAT_TOTAL_MEM:
		outbuf__printf(ob, "# total memory : %" PRIu64 " kB\n", i->total_mem_kb);
		break;
	case FEAT_BRANCH_STACK:
		outbuf__puts(ob, "# contains samples with branch stack\n");
		break;
	case FEAT_AUXTRACE:
		outbuf__puts(ob, "# contains AUX area data (e.g. instruction trace)\n");
		break;
	case FEAT_STAT:
		outbuf__puts(ob, "# contains stat data\n");
		break;
	case FEAT_CLOCKID:
		outbuf__printf(ob, "# clockid frequency: %" PRIu64 " MHz\n",
			       i->clockid_res_ns * 1000);
		break;
	case FEAT_CPU_PMU_CAPS: {
		struct feat_cursor c = feat_cursor(s, feat);

		outbuf__puts(ob, "# cpu");
		print_caps(ob, &c);
		outbuf__putc(ob, '\n');
		break;
	}
	}
}

static void (*const printers[FEAT_LAST])(const struct perf_session *, struct outbuf *) = {
	[FEAT_CMDLINE] = print_cmdline,
	[FEAT_EVENT_DESC] = print_events,
	[FEAT_CPU_TOPOLOGY] = print_cpu_topology,
	[FEAT_NUMA_TOPOLOGY] = print_numa,
	[FEAT_PMU_MAPPINGS] = print_pmus,
	[FEAT_GROUP_DESC] = print_groups,
	[FEAT_CACHE] = print_cache,
	[FEAT_SAMPLE_TIME] = print_sample_time,
	[FEAT_MEM_TOPOLOGY] = print_mem,
	[FEAT_DIR_FORMAT] = print_dir,
	[FEAT_BPF_PROG_INFO] = session__print_bpf_progs,
	[FEAT_BPF_BTF] = print_btf,
	[FEAT_COMPRESSED] = print_compressed,
	[FEAT_CLOCK_DATA] = print_clock_data,
	[FEAT_HYBRID_TOPOLOGY] = print_hybrid,
	[FEAT_PMU_CAPS] = print_pmu_caps,
};

static bool only_full(u32 feat)
{
	return feat == FEAT_CPU_TOPOLOGY || feat == FEAT_NUMA_TOPOLOGY || feat == FEAT_CACHE ||
	       feat == FEAT_MEM_TOPOLOGY;
}

void perf_session__print_header(const struct perf_session *s, struct outbuf *ob, bool full)
{
	time_t when = s->mtime;
	char date[32] = "\n";
	bool missing = false;

	if (!ctime_r(&when, date))
		strcpy(date, "\n");
	outbuf__printf(ob,
		       "# ========\n# captured on    : %s# header version : %u\n"
		       "# data offset    : %" PRIu64 "\n# data size      : %" PRIu64
		       "\n# feat offset    : %" PRIu64 "\n",
		       date, s->version, s->hdr.data.offset, s->hdr.data.size,
		       s->hdr.data.offset + s->hdr.data.size);
	for (u32 f = 1; f < FEAT_LAST; f++) {
		if (!s->feat[f].present)
			continue;
		if (only_full(f) && !full)
			outbuf__printf(ob, "# %s info available, use -I to display\n",
				       feature__name(f));
		else if (printers[f])
			printers[f](s, ob);
		else
			print_machine(s, ob, f);
	}
	for (u32 f = 1; f < FEAT_LAST && !s->is_pipe; f++) {
		if (s->feat_bits[f / 64] >> (f % 64) & 1)
			continue;
		if (!missing)
			outbuf__puts(ob, "# missing features: ");
		missing = true;
		outbuf__puts(ob, feature__name(f));
		outbuf__putc(ob, ' ');
	}
	outbuf__puts(ob, missing ? "\n# ========\n#\n" : "# ========\n#\n");
}
