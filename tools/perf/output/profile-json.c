// SPDX-License-Identifier: GPL-2.0-only
/* One JSON object; its members are described in perf-sample-bpf(1). */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "output/ledger.h"
#include "output/profile-output.h"

static const struct {
	u32 key;
	const char *name;
} key_names[] = {
	{SAMPLE_KEY_IP, "ip"},	   {SAMPLE_KEY_SYM, "sym"},	  {SAMPLE_KEY_DSO, "dso"},
	{SAMPLE_KEY_COMM, "comm"}, {SAMPLE_KEY_PID, "pid"},	  {SAMPLE_KEY_TID, "tid"},
	{SAMPLE_KEY_CPU, "cpu"},   {SAMPLE_KEY_CGROUP, "cgroup"}, {SAMPLE_KEY_EVENT, "event"},
};

static void string(struct outbuf *ob, const char *name, const char *s)
{
	outbuf__printf(ob, ",\"%s\":", name);
	outbuf__json(ob, s, strlen(s));
}

static void frame(struct outbuf *ob, const struct profile_frame *f)
{
	outbuf__puts(ob, "{\"sym\":");
	if (f->sym)
		outbuf__json(ob, f->sym->name, strlen(f->sym->name));
	else
		outbuf__puts(ob, "null");
	if (f->dso)
		string(ob, "dso", dso__name(f->dso));
	outbuf__puts(ob, ",\"ip\":\"0x");
	outbuf__hex(ob, f->addr, 0, ' ');
	outbuf__puts(ob, "\"}");
}

static void address(struct outbuf *ob, u32 keys, const struct profile_frame *at)
{
	if (keys & SAMPLE_KEY_IP) {
		outbuf__puts(ob, ",\"ip\":\"0x");
		outbuf__hex(ob, at->addr, 0, ' ');
		outbuf__putc(ob, '"');
	}
	if (keys & (SAMPLE_KEY_IP | SAMPLE_KEY_SYM | SAMPLE_KEY_STACK))
		string(ob, "sym", profile_frame__sym(at));
	if (keys & (SAMPLE_KEY_IP | SAMPLE_KEY_DSO | SAMPLE_KEY_STACK))
		string(ob, "dso", at->dso ? dso__name(at->dso) : "[unknown]");
}

static void entry(struct outbuf *ob, const struct profile_report *r, const struct profile_entry *e,
		  u64 total)
{
	u32 keys = profile__keys(r->profile);
	struct profile_frame f;

	outbuf__printf(ob, "\n{\"count\":%" PRIu64 ",\"percent\":%.4f", e->count,
		       total ? 100.0 * e->count / total : 0.0);
	address(ob, keys, &e->at);
	if (keys & SAMPLE_KEY_COMM)
		string(ob, "comm", e->comm);
	if (keys & (SAMPLE_KEY_PID | SAMPLE_KEY_TID))
		outbuf__printf(ob, ",\"pid\":%u", e->pid);
	if (keys & SAMPLE_KEY_TID)
		outbuf__printf(ob, ",\"tid\":%u", e->tid);
	if (keys & SAMPLE_KEY_CPU)
		outbuf__printf(ob, ",\"cpu\":%d", e->cpu);
	if (keys & SAMPLE_KEY_CGROUP) {
		const char *path = r->cgroup_path ? r->cgroup_path(r->cgroup_ctx, e->cgroup) : NULL;

		outbuf__printf(ob, ",\"cgroup_id\":%" PRIu64, e->cgroup);
		if (path)
			string(ob, "cgroup", path);
	}
	if (r->nr_events > 1 || (keys & SAMPLE_KEY_EVENT))
		string(ob, "event", r->events[e->event]);
	if (keys & SAMPLE_KEY_STACK) {
		outbuf__puts(ob, ",\"stack\":[");
		for (u32 node = e->stack; node;) {
			if (node != e->stack)
				outbuf__putc(ob, ',');
			node = profile__stack_next(r->profile, node, &f);
			frame(ob, &f);
		}
		outbuf__putc(ob, ']');
	}
	outbuf__putc(ob, '}');
}

static void keys_list(struct outbuf *ob, u32 keys)
{
	const char *sep = "";

	outbuf__puts(ob, ",\"keys\":[");
	for (size_t i = 0; i < ARRAY_SIZE(key_names); i++) {
		if (!(keys & key_names[i].key))
			continue;
		outbuf__printf(ob, "%s\"%s\"", sep, key_names[i].name);
		sep = ",";
	}
	if (keys & SAMPLE_KEY_STACK)
		outbuf__printf(ob, "%s\"stack\"", sep);
	outbuf__putc(ob, ']');
}

static void print(struct outbuf *ob, const struct profile_report *r)
{
	u64 samples = 0, left_count, left_rows = 0, left_total = 0;
	const char *sep = "";

	outbuf__puts(ob, "{\"event\":");
	outbuf__json(ob, r->events[0], strlen(r->events[0]));
	outbuf__puts(ob, ",\"events\":[");
	for (int i = 0; i < r->nr_events; i++) {
		outbuf__puts(ob, i ? "," : "");
		outbuf__json(ob, r->events[i], strlen(r->events[i]));
		samples += profile__samples(r->profile, i);
	}
	outbuf__printf(ob,
		       "],\"frequency\":%" PRIu64 ",\"period\":%" PRIu64
		       ",\"cpus\":%d,\"duration_s\":%.6f",
		       r->freq, r->freq ? 0 : r->period, r->nr_cpus, r->duration);
	outbuf__printf(ob, ",\"samples\":%" PRIu64 ",\"weight\":\"%s\"", samples,
		       r->by_period ? "period" : "samples");
	keys_list(ob, profile__keys(r->profile));
	outbuf__puts(ob, ",\"entries\":[");
	for (int i = 0; i < r->nr_events; i++) {
		u32 nr, left_out;
		const struct profile_entry **list =
			profile_report__select(r, i, &nr, &left_out, &left_count);

		for (u32 k = 0; list && k < nr; k++) {
			outbuf__puts(ob, sep);
			entry(ob, r, list[k], profile__total(r->profile, i));
			sep = ",";
		}
		left_rows += left_out;
		left_total += left_count;
		free(list);
	}
	outbuf__printf(ob,
		       "\n],\"left_out\":{\"rows\":%" PRIu64 ",\"count\":%" PRIu64
		       "},\"sideband_lost\":%" PRIu64 ",\"throttled\":%" PRIu64
		       ",\"folded\":%" PRIu64 ",\"loss\":",
		       left_rows, left_total, r->sideband_lost, r->throttled,
		       profile__folded(r->profile));
	ledger__json(ob, r->ledger);
	outbuf__puts(ob, "}\n");
}

const struct profile_format profile_json = {.name = "json", .print = print};
