// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "lib/api/procfs.h"
#include "output/bpf-map.h"
#include "output/ledger.h"
#include "output/user-report.h"

/* After everything that was recorded: a pid's last image. */
#define AT_THE_END (UINT64_MAX - 1)

struct resolver {
	const struct user_report *r;
	/* An area found in /proc/PID/maps: heap, stack, files that a process had mapped before the
	 * run. Side-band records tell only of what was mapped since. */
	u64 addr;
	char area[256];
};

static int find_area(void *ctx, const struct proc_map *m)
{
	struct resolver *re = ctx;

	if (re->addr < m->start || re->addr >= m->end)
		return 0;
	snprintf(re->area, sizeof(re->area), "%s", m->path[0] ? m->path : "//anon");
	return 1;
}

static const char *area_name(struct resolver *re, pid_t pid, u64 addr)
{
	re->addr = addr;
	return pid > 0 && procfs__maps(pid, find_area, re) == 1 ? re->area : NULL;
}

static void symbolize(void *ctx, pid_t pid, u64 addr, struct bpf_map_sym *out)
{
	struct resolver *re = ctx;
	struct addr_location al;

	if (pid < 0)
		pid = re->r->only_pid;
	machine__resolve(re->r->machine, pid, pid, PERF_RECORD_MISC_CPUMODE_UNKNOWN, addr,
			 AT_THE_END, &al);
	out->sym = al.sym ? al.sym->name : NULL;
	out->dso = al.dso ? dso__name(al.dso) : NULL;
	/* Memory without a file stands for code of a JIT until its map proves it. */
	if (al.dso && !al.sym && dso__kind(al.dso) == DSO_JIT)
		out->dso = "//anon";
	if (!out->dso && !(addr >> 63))
		out->dso = area_name(re, pid, addr);
}

static void programs(struct outbuf *ob, const struct user_prog *up, bool json)
{
	for (int i = 0; i < user_prog__nr_programs(up); i++) {
		const char *name = user_prog__program_name(up, i);

		if (i)
			outbuf__puts(ob, json ? "," : ", ");
		if (json)
			outbuf__json(ob, name, strlen(name));
		else
			outbuf__safe(ob, name, strlen(name));
	}
}

static void json_head(struct outbuf *ob, const struct user_report *u)
{
	const struct profile_report *r = u->run;

	outbuf__puts(ob, "{\"event\":");
	outbuf__json(ob, r->events[0], strlen(r->events[0]));
	outbuf__puts(ob, ",\"events\":[");
	for (int i = 0; i < r->nr_events; i++) {
		outbuf__puts(ob, i ? "," : "");
		outbuf__json(ob, r->events[i], strlen(r->events[i]));
	}
	outbuf__printf(ob,
		       "],\"frequency\":%" PRIu64 ",\"period\":%" PRIu64
		       ",\"cpus\":%d,\"duration_s\":%.6f,\"samples\":%" PRIu64 ",\"programs\":[",
		       r->freq, r->freq ? 0 : r->period, r->nr_cpus, r->duration,
		       r->ledger->total.arrived);
	programs(ob, u->prog, true);
	outbuf__puts(ob, "],\"maps\":");
}

static void text_tail(struct outbuf *ob, const struct user_report *u)
{
	const struct profile_report *r = u->run;
	struct user_prog_stats st;

	outbuf__putc(ob, '\n');
	if (!user_prog__stats(u->prog, &st) && !st.runs_known)
		outbuf__puts(ob, "# how often the program ran is not known: Linux 5.8 counts it\n");
	else
		ledger__text(ob, r->ledger, "samples", "# ");
	if (u->chained)
		outbuf__printf(ob,
			       "# %" PRIu64
			       " samples let through to the ring buffer; --record keeps them\n",
			       u->chained);
	if (u->recorded)
		outbuf__printf(ob,
			       "# %" PRIu64 " outputs and %" PRIu64 " samples recorded, %" PRIu64
			       " records lost to full rings\n",
			       u->rec_outputs, u->rec_samples, u->rec_lost);
	profile_report__caveats(ob, r);
}

int user_report__print(struct outbuf *ob, const struct user_report *u, struct errbuf *eb)
{
	const struct profile_report *r = u->run;
	struct resolver re = {.r = u};
	struct bpf_map_print_opts o = {
		.json = u->json,
		.reverse = r->reverse,
		.max_rows = r->limit,
		.percent_limit = r->percent_limit,
		.width = r->width,
		.address_key = u->address_key,
		.symbolize = symbolize,
		.ctx = &re,
	};
	int err;

	if (u->json)
		json_head(ob, u);
	err = bpf_maps__print(u->prog, ob, &o, eb);
	if (!u->json) {
		text_tail(ob, u);
		return err;
	}
	if (u->recorded)
		outbuf__printf(ob,
			       ",\"record\":{\"outputs\":%" PRIu64 ",\"samples\":%" PRIu64
			       ",\"lost\":%" PRIu64 "}",
			       u->rec_outputs, u->rec_samples, u->rec_lost);
	outbuf__printf(ob,
		       ",\"chained\":%" PRIu64 ",\"sideband_lost\":%" PRIu64
		       ",\"throttled\":%" PRIu64 ",\"loss\":",
		       u->chained, r->sideband_lost, r->throttled);
	ledger__json(ob, r->ledger);
	outbuf__puts(ob, "}\n");
	return err;
}
