// SPDX-License-Identifier: GPL-2.0-only
/* Upstream's summary table, with p50, p95 and p99 behind its columns; the same as JSON. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/summary-int.h"

static int by_calls(const void *a, const void *b)
{
	const struct sum_group *x = *(struct sum_group *const *)a,
			       *y = *(struct sum_group *const *)b;

	if (x->calls != y->calls)
		return x->calls < y->calls ? 1 : -1;
	return x->key < y->key ? -1 : x->key > y->key;
}

static int by_total(const void *a, const void *b)
{
	const struct sum_entry *x = *(struct sum_entry *const *)a,
			       *y = *(struct sum_entry *const *)b;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	if (x->sum.sum_ns != y->sum.sum_ns)
		return x->sum.sum_ns < y->sum.sum_ns ? 1 : -1;
	if (x->sum.count != y->sum.count)
		return x->sum.count < y->sum.count ? 1 : -1;
	return x->call < y->call ? -1 : x->call > y->call;
}

/* Groups by calls, entries by group and time. NULL when memory is short. */
static void *sorted(void *base, u32 cap, u32 nr, bool groups)
{
	void **out = calloc(nr ? nr : 1, sizeof(*out));
	u32 n = 0;

	for (u32 i = 0; out && i < cap && n < nr; i++) {
		if (groups && ((struct sum_group *)base)[i].used)
			out[n++] = &((struct sum_group *)base)[i];
		else if (!groups && ((struct sum_entry **)base)[i])
			out[n++] = ((struct sum_entry **)base)[i];
	}
	if (out)
		qsort(out, n, sizeof(*out), groups ? by_calls : by_total);
	return out;
}

static const char *call_name(const struct trace_summary *s, u32 call, char *buf, size_t size)
{
	const struct trace_call *c =
		trace_table__lookup(s->table, (int)(call >> 16), (int)(call & 0xffff));

	if (c)
		return c->name;
	snprintf(buf, size, "syscall_%u", call & 0xffff);
	return buf;
}

static double ms(u64 ns)
{
	return (double)ns / 1e6;
}

static void print_errnos(const struct sum_entry *e, struct outbuf *ob)
{
	for (int i = 1; e->errnos && i < SUMMARY_ERRNOS; i++) {
		const char *name = trace_errno__name(i);

		if (!e->errnos[i])
			continue;
		if (name)
			outbuf__printf(ob, "\t\t\t\t%s: %llu\n", name,
				       (unsigned long long)e->errnos[i]);
		else
			outbuf__printf(ob, "\t\t\t\t%d: %llu\n", i,
				       (unsigned long long)e->errnos[i]);
	}
	if (e->errnos && e->errnos[0])
		outbuf__printf(ob, "\t\t\t\tothers: %llu\n", (unsigned long long)e->errnos[0]);
}

static void print_row(const struct trace_summary *s, const struct sum_entry *e, bool errnos,
		      struct outbuf *ob)
{
	const struct trace_sum *t = &e->sum;
	char buf[32];
	u64 avg = t->timed ? t->sum_ns / t->timed : 0;

	outbuf__printf(ob,
		       "   %-15s %8llu %6llu %9.3f %9.3f %9.3f %9.3f %9.2f%% %9.3f %9.3f %9.3f\n",
		       call_name(s, e->call, buf, sizeof(buf)), (unsigned long long)t->count,
		       (unsigned long long)t->errors, ms(t->sum_ns), ms(t->min_ns), ms(avg),
		       ms(t->max_ns), trace_sum__stddev_pct(t), ms(trace_sum__percentile(t, .5)),
		       ms(trace_sum__percentile(t, .95)), ms(trace_sum__percentile(t, .99)));
	if (errnos)
		print_errnos(e, ob);
}

static void print_group_head(const struct trace_summary *s, const struct sum_group *g,
			     struct outbuf *ob)
{
	unsigned long long events = g->calls * 2; /* upstream counts enters and exits */
	const char *name = g->name ? g->name : "";

	outbuf__putc(ob, ' ');
	if (s->mode == SUMMARY_TOTAL) {
		outbuf__printf(ob, "total, %llu events\n\n", events);
		return;
	}
	if (g->key == SUMMARY_OTHERS) {
		outbuf__puts(ob, "others");
	} else if (s->mode == SUMMARY_CGROUP) {
		outbuf__puts(ob, "cgroup ");
		if (*name)
			outbuf__safe(ob, name, strlen(name));
		else
			outbuf__printf(ob, "id:%llu", (unsigned long long)g->key);
	} else {
		outbuf__safe(ob, name, strlen(name));
		outbuf__printf(ob, " (%llu)", (unsigned long long)g->key);
	}
	outbuf__printf(ob, ", %llu events, %.1f%%\n\n", events,
		       s->calls ? 100.0 * (double)g->calls / (double)s->calls : 0);
}

void trace_summary__print(struct trace_summary *s, struct outbuf *ob, bool errno_summary)
{
	struct sum_group **groups = sorted(s->groups, s->group_cap, s->nr_groups, true);
	struct sum_entry **entries = sorted(s->entries, s->entry_cap, s->nr_entries, false);

	outbuf__puts(ob, "\n Summary of events:\n\n");
	for (u32 g = 0; groups && entries && g < s->nr_groups; g++) {
		if (!groups[g]->calls)
			continue;
		print_group_head(s, groups[g], ob);
		outbuf__puts(
			ob,
			"   syscall            calls  errors  total       min       avg       max"
			"       stddev       p50       p95       p99\n"
			"                                     (msec)    (msec)    (msec)    (msec)"
			"        (%)    (msec)    (msec)    (msec)\n"
			"   --------------- --------  ------ -------- --------- --------- ---------"
			"     ------ --------- --------- ---------\n");
		for (u32 e = 0; e < s->nr_entries; e++) {
			if (entries[e]->key == groups[g]->key)
				print_row(s, entries[e], errno_summary, ob);
		}
		outbuf__puts(ob, "\n\n");
	}
	free(groups);
	free(entries);
}

static void json_row(const struct trace_summary *s, const struct sum_entry *e, bool errnos,
		     struct outbuf *ob)
{
	const struct trace_sum *t = &e->sum;
	char buf[32];
	bool first = true;

	outbuf__printf(ob,
		       "{\"syscall\":\"%s\",\"abi\":\"%s\",\"calls\":%llu,\"errors\":%llu,"
		       "\"total_ns\":%llu,\"min_ns\":%llu,\"avg_ns\":%llu,\"max_ns\":%llu,"
		       "\"stddev_percent\":%.2f,\"p50_ns\":%llu,\"p95_ns\":%llu,\"p99_ns\":%llu",
		       call_name(s, e->call, buf, sizeof(buf)),
		       e->call >> 16 == TRACE_ABI_32 ? "i386" : "64", (unsigned long long)t->count,
		       (unsigned long long)t->errors, (unsigned long long)t->sum_ns,
		       (unsigned long long)t->min_ns,
		       (unsigned long long)(t->timed ? t->sum_ns / t->timed : 0),
		       (unsigned long long)t->max_ns, trace_sum__stddev_pct(t),
		       (unsigned long long)trace_sum__percentile(t, .5),
		       (unsigned long long)trace_sum__percentile(t, .95),
		       (unsigned long long)trace_sum__percentile(t, .99));
	if (errnos) {
		outbuf__puts(ob, ",\"errnos\":{");
		for (int i = 1; e->errnos && i < SUMMARY_ERRNOS; i++) {
			const char *name = trace_errno__name(i);

			if (!e->errnos[i])
				continue;
			outbuf__puts(ob, first ? "\"" : ",\"");
			first = false;
			if (name)
				outbuf__puts(ob, name);
			else
				outbuf__dec(ob, (u64)i, 0);
			outbuf__printf(ob, "\":%llu", (unsigned long long)e->errnos[i]);
		}
		outbuf__putc(ob, '}');
	}
	outbuf__putc(ob, '}');
}

void trace_summary__json(struct trace_summary *s, struct outbuf *ob, bool errno_summary)
{
	struct sum_group **groups = sorted(s->groups, s->group_cap, s->nr_groups, true);
	struct sum_entry **entries = sorted(s->entries, s->entry_cap, s->nr_entries, false);
	bool first_group = true;

	outbuf__puts(ob, "{\"summary\":[");
	for (u32 g = 0; groups && entries && g < s->nr_groups; g++) {
		const char *name = groups[g]->name ? groups[g]->name : "";
		bool first = true;

		if (!groups[g]->calls)
			continue;
		outbuf__puts(ob, first_group ? "{" : ",{");
		first_group = false;
		if (groups[g]->key == SUMMARY_OTHERS) {
			outbuf__puts(ob, "\"others\":true,");
		} else if (s->mode == SUMMARY_THREAD) {
			outbuf__puts(ob, "\"comm\":");
			outbuf__json(ob, name, strlen(name));
			outbuf__printf(ob, ",\"tid\":%llu,", (unsigned long long)groups[g]->key);
		} else if (s->mode == SUMMARY_CGROUP) {
			outbuf__puts(ob, "\"cgroup\":");
			outbuf__json(ob, name, strlen(name));
			outbuf__printf(ob, ",\"cgroup_id\":%llu,",
				       (unsigned long long)groups[g]->key);
		}
		outbuf__printf(ob, "\"calls\":%llu,\"syscalls\":[",
			       (unsigned long long)groups[g]->calls);
		for (u32 e = 0; e < s->nr_entries; e++) {
			if (entries[e]->key != groups[g]->key)
				continue;
			if (!first)
				outbuf__putc(ob, ',');
			first = false;
			json_row(s, entries[e], errno_summary, ob);
		}
		outbuf__puts(ob, "]}");
	}
	outbuf__puts(ob, "]}\n");
	free(groups);
	free(entries);
}
