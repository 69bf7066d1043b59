// SPDX-License-Identifier: GPL-2.0-only
/* Feature sections: the ones whose content the session or its users need, parsed. Those that are
 * only shown are parsed when they are printed (header-print.c). */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "session/session-internal.h"
#include "session/swap.h"

static const char *const names[FEAT_LAST] = {
	[FEAT_RESERVED] = "RESERVED",
	[FEAT_TRACING_DATA] = "TRACING_DATA",
	[FEAT_BUILD_ID] = "BUILD_ID",
	[FEAT_HOSTNAME] = "HOSTNAME",
	[FEAT_OSRELEASE] = "OSRELEASE",
	[FEAT_VERSION] = "VERSION",
	[FEAT_ARCH] = "ARCH",
	[FEAT_NRCPUS] = "NRCPUS",
	[FEAT_CPUDESC] = "CPUDESC",
	[FEAT_CPUID] = "CPUID",
	[FEAT_TOTAL_MEM] = "TOTAL_MEM",
	[FEAT_CMDLINE] = "CMDLINE",
	[FEAT_EVENT_DESC] = "EVENT_DESC",
	[FEAT_CPU_TOPOLOGY] = "CPU_TOPOLOGY",
	[FEAT_NUMA_TOPOLOGY] = "NUMA_TOPOLOGY",
	[FEAT_BRANCH_STACK] = "BRANCH_STACK",
	[FEAT_PMU_MAPPINGS] = "PMU_MAPPINGS",
	[FEAT_GROUP_DESC] = "GROUP_DESC",
	[FEAT_AUXTRACE] = "AUXTRACE",
	[FEAT_STAT] = "STAT",
	[FEAT_CACHE] = "CACHE",
	[FEAT_SAMPLE_TIME] = "SAMPLE_TIME",
	[FEAT_MEM_TOPOLOGY] = "MEM_TOPOLOGY",
	[FEAT_CLOCKID] = "CLOCKID",
	[FEAT_DIR_FORMAT] = "DIR_FORMAT",
	[FEAT_BPF_PROG_INFO] = "BPF_PROG_INFO",
	[FEAT_BPF_BTF] = "BPF_BTF",
	[FEAT_COMPRESSED] = "COMPRESSED",
	[FEAT_CPU_PMU_CAPS] = "CPU_PMU_CAPS",
	[FEAT_CLOCK_DATA] = "CLOCK_DATA",
	[FEAT_HYBRID_TOPOLOGY] = "HYBRID_TOPOLOGY",
	[FEAT_PMU_CAPS] = "PMU_CAPS",
};

const char *feature__name(u32 feat)
{
	return feat < FEAT_LAST ? names[feat] : "UNKNOWN";
}

/* ---- the cursor ---- */
const u8 *feat__take(struct feat_cursor *c, u64 n)
{
	const u8 *p = c->p;

	if (c->bad || n > (u64)(c->end - c->p)) {
		c->bad = true;
		return NULL;
	}
	c->p += n;
	return p;
}

u32 feat__u32(struct feat_cursor *c)
{
	const u8 *p = feat__take(c, 4);

	return p ? get_u32(p, c->swap) : 0;
}

u64 feat__u64(struct feat_cursor *c)
{
	const u8 *p = feat__take(c, 8);

	return p ? get_u64(p, c->swap) : 0;
}

const char *feat__str(struct feat_cursor *c, size_t *n)
{
	u32 len = feat__u32(c);
	const char *p = (const char *)feat__take(c, len);

	*n = p ? strnlen(p, len) : 0;
	return p;
}

/* ---- the parsers: false when the section is malformed ---- */
static bool take_string(struct perf_session *s, struct feat_cursor *c, const char **to)
{
	size_t n;
	const char *str = feat__str(c, &n);

	if (str)
		*to = session__keep(s, str, n);
	return str != NULL;
}

static bool take_cmdline(struct perf_session *s, struct feat_cursor *c)
{
	u32 nr = feat__u32(c);
	const char **argv;

	/* Each takes four bytes at least. */
	if (c->bad || nr > (u64)(c->end - c->p) / 4)
		return false;
	argv = calloc(nr + 1, sizeof(*argv));
	if (!argv)
		return false;
	for (u32 i = 0; i < nr; i++) {
		if (!take_string(s, c, &argv[i]) || !argv[i]) {
			free(argv);
			return false;
		}
	}
	free((void *)s->info.cmdline);
	s->info.cmdline = argv;
	s->info.nr_cmdline = nr;
	return true;
}

static bool take_event_desc(struct perf_session *s, struct feat_cursor *c)
{
	u32 nr = feat__u32(c), attr_size = feat__u32(c);

	for (u32 i = 0; i < nr && !c->bad; i++) {
		u32 nr_ids;
		size_t n;
		const char *name;

		feat__take(c, attr_size);
		nr_ids = feat__u32(c);
		name = feat__str(c, &n);
		feat__take(c, (u64)nr_ids * 8);
		if (name && i < (u32)s->nr_events && !s->events[i]->named)
			session__set_name(s->events[i], name, n);
	}
	return !c->bad;
}

/* What a group without a name is called in the file. */
static bool is_anon(const char *name, size_t n)
{
	static const char anon[] = "{anon_group}";

	return n == sizeof(anon) - 1 && !memcmp(name, anon, n);
}

static bool take_group_desc(struct perf_session *s, struct feat_cursor *c)
{
	u32 nr = feat__u32(c);

	for (u32 i = 0; i < nr && !c->bad; i++) {
		struct session_event *leader;
		u32 first, members;
		size_t n;
		const char *name = feat__str(c, &n);

		first = feat__u32(c);
		members = feat__u32(c);
		if (c->bad || first >= (u32)s->nr_events || members > (u32)s->nr_events - first ||
		    !members)
			return false;
		leader = s->events[first];
		free(leader->group_name);
		leader->group_name = n && !is_anon(name, n) ? strndup(name, n) : NULL;
		leader->nr_members = members;
		for (u32 m = 0; m < members; m++)
			s->events[first + m]->leader = leader;
	}
	return !c->bad;
}

static bool take_build_ids(struct perf_session *s, struct feat_cursor *c)
{
	/* Some files of 2010 were written without the pid: everything stands four bytes earlier. */
	static const char quirk[] = "nel.kallsyms]";
	bool shifted = (size_t)(c->end - c->p) > sizeof(struct perf_rec_build_id) + sizeof(quirk) &&
		       !memcmp(c->p + sizeof(struct perf_rec_build_id), quirk, sizeof(quirk) - 1);

	while (c->p < c->end && !c->bad) {
		union {
			struct perf_rec_build_id rec;
			u8 bytes[UINT16_MAX + 8];
		} u;
		const u8 *p = c->p;
		u16 size;

		if (!feat__take(c, sizeof(struct perf_event_header)))
			return false;
		size = get_u16(p + 6, c->swap);
		if (size < sizeof(u.rec) || !feat__take(c, size - sizeof(struct perf_event_header)))
			return false;
		memset(&u.rec, 0, sizeof(u.rec));
		if (shifted) {
			memcpy(u.bytes, p, 8);
			memcpy(u.bytes + 12, p + 8, size - 8);
			size += 4;
		} else {
			memcpy(u.bytes, p, size);
		}
		if (c->swap) {
			swap_record_header(&u.rec.header);
			u.rec.pid = bswap_32(u.rec.pid);
		}
		if (shifted)
			u.rec.pid = -1;
		u.rec.header.size = size;
		if (session__add_build_id(s, &u.rec.header, size))
			return false;
	}
	return !c->bad;
}

static bool take_clock_data(struct perf_session *s, struct feat_cursor *c)
{
	if (feat__u32(c) != 1)
		return c->bad ? false : true; /* a version not known here */
	s->info.clockid = feat__u32(c);
	s->info.clock_tod_ns = feat__u64(c);
	s->info.clock_ref_ns = feat__u64(c);
	s->info.has_clock_data = !c->bad;
	return !c->bad;
}

static bool take_compressed(struct perf_session *s, struct feat_cursor *c)
{
	feat__u32(c); /* version: the layout only ever grew */
	s->info.comp_type = feat__u32(c);
	s->info.comp_level = feat__u32(c);
	s->info.comp_ratio = feat__u32(c);
	s->info.comp_mmap_len = feat__u32(c);
	return !c->bad;
}

static bool take_tracing_data(struct perf_session *s, const struct section *sec)
{
	struct errbuf eb = {};

	tep_formats__delete(s->formats);
	s->formats = tep_formats__parse(sec->data, sec->size, &eb);
	if (!s->formats) {
		session__warn(s, "%s: %s", s->path, eb.msg);
		return true;
	}
	if (tep_formats__truncated(s->formats))
		session__warn(s, "%s: tracing data: %s", s->path,
			      tep_formats__truncated(s->formats));
	return true;
}

static bool take(struct perf_session *s, u32 feat)
{
	struct feat_cursor c = feat_cursor(s, feat);
	struct session_info *info = &s->info;

	switch (feat) {
	case FEAT_TRACING_DATA:
		return take_tracing_data(s, &s->feat[feat]);
	case FEAT_BUILD_ID:
		return take_build_ids(s, &c);
	case FEAT_HOSTNAME:
		return take_string(s, &c, &info->hostname);
	case FEAT_OSRELEASE:
		return take_string(s, &c, &info->os_release);
	case FEAT_VERSION:
		return take_string(s, &c, &info->version);
	case FEAT_ARCH:
		return take_string(s, &c, &info->arch);
	case FEAT_CPUDESC:
		return take_string(s, &c, &info->cpudesc);
	case FEAT_CPUID:
		return take_string(s, &c, &info->cpuid);
	case FEAT_NRCPUS:
		info->nr_cpus_available = feat__u32(&c);
		info->nr_cpus_online = feat__u32(&c);
		return !c.bad;
	case FEAT_TOTAL_MEM:
		info->total_mem_kb = feat__u64(&c);
		return !c.bad;
	case FEAT_CMDLINE:
		return take_cmdline(s, &c);
	case FEAT_EVENT_DESC:
		return take_event_desc(s, &c);
	case FEAT_GROUP_DESC:
		return take_group_desc(s, &c);
	case FEAT_SAMPLE_TIME:
		info->first_sample_time = feat__u64(&c);
		info->last_sample_time = feat__u64(&c);
		return !c.bad;
	case FEAT_CLOCKID:
		info->clockid_res_ns = feat__u64(&c);
		return !c.bad;
	case FEAT_CLOCK_DATA:
		return take_clock_data(s, &c);
	case FEAT_COMPRESSED:
		return take_compressed(s, &c);
	default:
		return true;
	}
}

void session__take_feature(struct perf_session *s, u32 feat)
{
	s->feat_bits[feat / 64] |= 1ULL << (feat % 64);
	if (take(s, feat))
		return;
	session__warn(s, "%s: its feature %s is %s; left out", s->path, feature__name(feat),
		      s->feat[feat].size ? "malformed" : "announced but empty");
	s->feat[feat].present = false;
	s->feat_bits[feat / 64] &= ~(1ULL << (feat % 64));
}

int session__add_build_id(struct perf_session *s, const struct perf_event_header *rec, size_t size)
{
	const struct perf_rec_build_id *r = (const void *)rec;
	const char *name = (const char *)(r + 1);
	struct session_build_id *b;

	if (size < sizeof(*r))
		return -EBADMSG;
	if (s->info.nr_build_ids == s->cap_build_ids) {
		u32 cap = s->cap_build_ids ? s->cap_build_ids * 2 : 32;

		b = realloc(s->build_ids, cap * sizeof(*b));
		if (!b)
			return -ENOMEM;
		s->build_ids = b;
		s->cap_build_ids = cap;
		s->info.build_ids = b;
	}
	b = &s->build_ids[s->info.nr_build_ids];
	memset(b, 0, sizeof(*b));
	b->pid = r->pid;
	b->misc = rec->misc;
	b->id.size = sizeof(r->build_id);
	if ((rec->misc & PERF_RECORD_MISC_BUILD_ID_SIZE) && r->size <= sizeof(r->build_id))
		b->id.size = r->size;
	memcpy(b->id.data, r->build_id, b->id.size);
	b->name = session__keep(s, name, strnlen(name, size - sizeof(*r)));
	if (!b->name)
		return -ENOMEM;
	s->info.nr_build_ids++;
	return 0;
}

bool perf_session__build_id(const struct perf_session *s, const char *name, struct build_id *id)
{
	for (u32 i = 0; i < s->info.nr_build_ids; i++) {
		if (strcmp(s->build_ids[i].name, name))
			continue;
		*id = s->build_ids[i].id;
		return true;
	}
	return false;
}

const struct session_info *perf_session__info(const struct perf_session *s)
{
	return &s->info;
}

bool perf_session__has_feature(const struct perf_session *s, int feat)
{
	return feat > 0 && feat < FEAT_LAST && s->feat[feat].present;
}

const void *perf_session__embedded(struct perf_session *s, size_t *size)
{
	*size = s->embedded.size;
	return s->embedded.present ? s->embedded.data : NULL;
}
