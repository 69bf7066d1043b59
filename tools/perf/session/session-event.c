// SPDX-License-Identifier: GPL-2.0-only
/* The events of a recording: names, ids, and which one a record belongs to. */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "session/session-internal.h"
#include "session/tp-format.h"
#include "session/swap.h"

/* ---- names made from an attr, in upstream's words ---- */
static const char *const hw_names[] = {
	"cycles",
	"instructions",
	"cache-references",
	"cache-misses",
	"branches",
	"branch-misses",
	"bus-cycles",
	"stalled-cycles-frontend",
	"stalled-cycles-backend",
	"ref-cycles",
};
static const char *const sw_names[] = {
	"cpu-clock",	    "task-clock",   "page-faults",  "context-switches",
	"cpu-migrations",   "minor-faults", "major-faults", "alignment-faults",
	"emulation-faults", "dummy",	    "bpf-output",   "cgroup-switches",
};
static const char *const cache_names[] = {"L1-dcache", "L1-icache", "LLC", "dTLB",
					  "iTLB",      "branch",    "node"};
static const char *const cache_ops[][2] = {
	{"load", "loads"}, {"store", "stores"}, {"prefetch", "prefetches"}};

static void add_modifiers(const struct perf_event_attr *a, char *buf, size_t size)
{
	bool guest_default = false;
	size_t n = strlen(buf), start = n;
	char mod[16];
	int m = 0;

	if (a->exclude_kernel || a->exclude_user || a->exclude_hv) {
		if (!a->exclude_kernel)
			mod[m++] = 'k';
		if (!a->exclude_user)
			mod[m++] = 'u';
		if (!a->exclude_hv)
			mod[m++] = 'h';
		guest_default = true;
	}
	for (unsigned int i = 0; i < a->precise_ip; i++)
		mod[m++] = 'p';
	guest_default |= a->precise_ip;
	if (a->exclude_host || (bool)a->exclude_guest == guest_default) {
		if (!a->exclude_host)
			mod[m++] = 'H';
		if (!a->exclude_guest)
			mod[m++] = 'G';
	}
	mod[m] = '\0';
	if (m && start + m + 2 < size)
		snprintf(buf + start, size - start, ":%s", mod);
}

static void cache_name(u64 config, char *buf, size_t size)
{
	unsigned int type = config & 0xff, op = (config >> 8) & 0xff, res = (config >> 16) & 0xff;

	if (type >= ARRAY_SIZE(cache_names))
		snprintf(buf, size, "unknown-ext-hardware-cache-type");
	else if (op >= ARRAY_SIZE(cache_ops))
		snprintf(buf, size, "unknown-ext-hardware-cache-op");
	else if (res > 1)
		snprintf(buf, size, "unknown-ext-hardware-cache-result");
	else if (res)
		snprintf(buf, size, "%s-%s-misses", cache_names[type], cache_ops[op][0]);
	else
		snprintf(buf, size, "%s-%s", cache_names[type], cache_ops[op][1]);
}

void attr__make_name(const struct perf_event_attr *a, char *buf, size_t size)
{
	switch (a->type) {
	case PERF_TYPE_HARDWARE:
		snprintf(buf, size, "%s",
			 a->config < ARRAY_SIZE(hw_names) ? hw_names[a->config]
							  : "unknown-hardware");
		break;
	case PERF_TYPE_SOFTWARE:
		snprintf(buf, size, "%s",
			 a->config < ARRAY_SIZE(sw_names) ? sw_names[a->config]
							  : "unknown-software");
		break;
	case PERF_TYPE_HW_CACHE:
		cache_name(a->config, buf, size);
		break;
	case PERF_TYPE_RAW:
		snprintf(buf, size, "raw 0x%llx", (unsigned long long)a->config);
		break;
	case PERF_TYPE_BREAKPOINT:
		snprintf(buf, size, "mem:0x%llx:%s%s%s", (unsigned long long)a->bp_addr,
			 a->bp_type & 1 ? "r" : "", a->bp_type & 2 ? "w" : "",
			 a->bp_type & 4 ? "x" : "");
		break;
	case PERF_TYPE_TRACEPOINT:
		snprintf(buf, size, "unknown tracepoint");
		return;
	default:
		snprintf(buf, size, "unknown attr type: %u", a->type);
		return;
	}
	add_modifiers(a, buf, size);
}

int session__set_name(struct session_event *e, const char *name, size_t n)
{
	char *copy = strndup(name, n);

	if (!copy)
		return -ENOMEM;
	free(e->name);
	e->name = copy;
	e->named = true;
	return 0;
}

static void make_name(struct session_event *e)
{
	const struct tp_format *tp = session_event__format(e);
	char buf[256];

	if (e->named)
		return;
	if (tp)
		snprintf(buf, sizeof(buf), "%s:%s", tp->system, tp->name);
	else
		attr__make_name(&e->attr, buf, sizeof(buf));
	free(e->name);
	e->name = strdup(buf);
}

/* ---- the set ---- */
static int time_in_sample(u64 t)
{
	if (!(t & PERF_SAMPLE_TIME))
		return -1;
	return 8 + 8 * (!!(t & PERF_SAMPLE_IDENTIFIER) + !!(t & PERF_SAMPLE_IP) +
			!!(t & PERF_SAMPLE_TID));
}

static int time_in_trailer(const struct perf_event_attr *a)
{
	u64 t = a->sample_type;

	if (!a->sample_id_all || !(t & PERF_SAMPLE_TIME))
		return -1;
	return 8 * (1 + !!(t & PERF_SAMPLE_ID) + !!(t & PERF_SAMPLE_STREAM_ID) +
		    !!(t & PERF_SAMPLE_CPU) + !!(t & PERF_SAMPLE_IDENTIFIER));
}

static int id_in_sample(u64 t)
{
	if (t & PERF_SAMPLE_IDENTIFIER)
		return 0;
	if (!(t & PERF_SAMPLE_ID))
		return -1;
	return !!(t & PERF_SAMPLE_IP) + !!(t & PERF_SAMPLE_TID) + !!(t & PERF_SAMPLE_TIME) +
	       !!(t & PERF_SAMPLE_ADDR);
}

static int id_in_trailer(u64 t)
{
	if (t & PERF_SAMPLE_IDENTIFIER)
		return 1;
	if (!(t & PERF_SAMPLE_ID))
		return -1;
	return 1 + !!(t & PERF_SAMPLE_STREAM_ID) + !!(t & PERF_SAMPLE_CPU);
}

struct session_event *session__add_event(struct perf_session *s, const struct perf_event_attr *attr,
					 struct errbuf *eb)
{
	struct session_event **list, *e;

	if (s->nr_events >= SESSION_MAX_EVENTS) {
		errbuf__set(eb, -EBADMSG, "%s: more than %d events", s->path, SESSION_MAX_EVENTS);
		return NULL;
	}
	e = calloc(1, sizeof(*e));
	list = realloc(s->events, (s->nr_events + 1) * sizeof(*list));
	if (list)
		s->events = list;
	if (!e || !list) {
		free(e);
		errbuf__set(eb, -ENOMEM, "%s: no memory", s->path);
		return NULL;
	}
	e->session = s;
	e->idx = s->nr_events;
	e->attr = *attr;
	e->leader = e;
	e->nr_members = 1;
	e->scale = 1.0;
	e->sample_time = time_in_sample(attr->sample_type);
	e->trailer_time = time_in_trailer(attr);
	s->has_time |= e->sample_time >= 0;
	s->events[s->nr_events++] = e;
	return e;
}

void session_event__delete(struct session_event *e)
{
	free(e->ids);
	free(e->name);
	free(e->group_name);
	free(e->unit);
	free(e);
}

static u32 hash_id(u64 id)
{
	return (id * 0x9e3779b97f4a7c15ULL) >> 32;
}

static void put_id(struct id_slot *slots, u32 cap, u64 id, struct session_event *e)
{
	u32 i = hash_id(id) & (cap - 1);

	while (slots[i].e && slots[i].id != id)
		i = (i + 1) & (cap - 1);
	slots[i] = (struct id_slot){.id = id, .e = e};
}

static struct session_event *get_id(const struct perf_session *s, u64 id)
{
	u32 i;

	if (!s->cap_ids)
		return NULL;
	for (i = hash_id(id) & (s->cap_ids - 1); s->ids[i].e; i = (i + 1) & (s->cap_ids - 1))
		if (s->ids[i].id == id)
			return s->ids[i].e;
	return NULL;
}

int session__add_id(struct perf_session *s, struct session_event *e, u64 id)
{
	if (s->nr_ids >= SESSION_MAX_IDS)
		return -E2BIG;
	if (s->nr_ids * 2 >= s->cap_ids) {
		u32 cap = s->cap_ids ? s->cap_ids * 2 : 64;
		struct id_slot *slots = calloc(cap, sizeof(*slots));

		if (!slots)
			return -ENOMEM;
		for (u32 i = 0; i < s->cap_ids; i++)
			if (s->ids[i].e)
				put_id(slots, cap, s->ids[i].id, s->ids[i].e);
		free(s->ids);
		s->ids = slots;
		s->cap_ids = cap;
	}
	if (e->nr_ids == e->cap_ids) {
		u32 cap = e->cap_ids ? e->cap_ids * 2 : 8;
		u64 *ids = realloc(e->ids, cap * sizeof(*ids));

		if (!ids)
			return -ENOMEM;
		e->ids = ids;
		e->cap_ids = cap;
	}
	e->ids[e->nr_ids++] = id;
	put_id(s->ids, s->cap_ids, id, e);
	s->nr_ids++;
	return 0;
}

void session__events_known(struct perf_session *s)
{
	for (int i = 0; i < s->nr_events; i++) {
		struct session_event *e = s->events[i];
		int id = id_in_sample(e->attr.sample_type),
		    trailer = id_in_trailer(e->attr.sample_type);

		make_name(e);
		if (!i) {
			s->id_pos = id;
			s->trailer_id_pos = trailer;
			s->ids_differ = false;
		} else if (id != s->id_pos || trailer != s->trailer_id_pos) {
			s->ids_differ = true;
		}
	}
	s->last = NULL;
}

/* The id a record carries; false when it carries none. */
static bool record_id(const struct perf_session *s, const struct perf_event_header *rec, bool swap,
		      u64 *id)
{
	size_t words = rec->size / 8;
	size_t at;

	if (rec->type == PERF_RECORD_SAMPLE) {
		if (s->id_pos < 0)
			return false;
		at = 1 + s->id_pos;
	} else {
		if (s->trailer_id_pos < 0 || (size_t)s->trailer_id_pos >= words)
			return false;
		at = words - s->trailer_id_pos;
	}
	if (at >= words)
		return false;
	*id = get_u64((const u8 *)rec + at * 8, swap);
	return true;
}

struct session_event *session__find_event(const struct perf_session *s,
					  const struct perf_event_header *rec, bool swapped)
{
	struct session_event *first = s->nr_events ? s->events[0] : NULL;
	u64 id;

	if (s->nr_events <= 1)
		return first;
	if (s->ids_differ)
		return NULL;
	if (rec->type != PERF_RECORD_SAMPLE && !first->attr.sample_id_all)
		return first;
	if (!record_id(s, rec, swapped, &id))
		return NULL;
	/* Records made up by the recorder have zeros for their id. */
	return id ? get_id(s, id) : first;
}

/* ---- accessors ---- */
int perf_session__nr_events(const struct perf_session *s)
{
	return s->nr_events;
}

struct session_event *perf_session__event(const struct perf_session *s, int idx)
{
	return idx >= 0 && idx < s->nr_events ? s->events[idx] : NULL;
}

struct session_event *perf_session__event_by_id(const struct perf_session *s, u64 id)
{
	struct session_event *e = get_id(s, id);

	if (!e && s->nr_events && (s->nr_events == 1 || !id))
		e = s->events[0];
	return e;
}

int session_event__idx(const struct session_event *e)
{
	return e->idx;
}

const char *session_event__name(const struct session_event *e)
{
	return e->name ? e->name : "";
}

const struct perf_event_attr *session_event__attr(const struct session_event *e)
{
	return &e->attr;
}

const u64 *session_event__ids(const struct session_event *e, u32 *nr)
{
	*nr = e->nr_ids;
	return e->ids;
}

struct session_event *session_event__leader(const struct session_event *e)
{
	return e->leader;
}

int session_event__nr_members(const struct session_event *e)
{
	return e->nr_members;
}

const char *session_event__group_name(const struct session_event *leader)
{
	return leader->group_name;
}

bool session_event__is_tracepoint(const struct session_event *e)
{
	return e->attr.type == PERF_TYPE_TRACEPOINT;
}

bool session_event__is_bpf_output(const struct session_event *e)
{
	return e->attr.type == PERF_TYPE_SOFTWARE && e->attr.config == PERF_COUNT_SW_BPF_OUTPUT;
}

bool session_event__is_dummy(const struct session_event *e)
{
	return e->attr.type == PERF_TYPE_SOFTWARE && e->attr.config == PERF_COUNT_SW_DUMMY;
}

const struct tp_format *session_event__format(const struct session_event *e)
{
	if (e->attr.type != PERF_TYPE_TRACEPOINT)
		return NULL;
	return tep_formats__find(e->session->formats, e->attr.config);
}

const char *session_event__unit(const struct session_event *e)
{
	return e->unit;
}

double session_event__scale(const struct session_event *e)
{
	return e->scale;
}

void session_event__set_priv(struct session_event *e, void *priv)
{
	e->priv = priv;
}

void *session_event__priv(const struct session_event *e)
{
	return e->priv;
}

u64 perf_session__sample_types(const struct perf_session *s)
{
	u64 all = 0;

	for (int i = 0; i < s->nr_events; i++)
		all |= s->events[i]->attr.sample_type;
	return all;
}
