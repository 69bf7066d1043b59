// SPDX-License-Identifier: GPL-2.0-only
/* The default table: a column a key, the count, its share; stacks below their row, innermost first.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "output/ledger.h"
#include "output/profile-output.h"

#define ADDR_WIDTH 16
#define MAX_NAME_IN_PIPE 60 /* columns line up to here; longer names are printed whole */
#define MIN_NAME 6	    /* as wide as the longest of the names' headings */

/* A function's line is the same wherever it stands: made once. */
struct frame_line {
	u32 off, len; /* into table.lines; len 0: not made yet */
};

struct table {
	struct outbuf *ob;
	const struct profile_report *r;
	u32 keys;
	bool addr, sym, dso;
	struct outbuf lines;	 /* the stack lines of all frames printed so far */
	struct frame_line *line; /* by frame id */
	int sym_width, dso_width, comm_width, cgroup_width, count_width;
};

static int digits(u64 v)
{
	int n = 1;

	for (; v >= 10; v /= 10)
		n++;
	return n;
}

/* Columns that outbuf__safe() makes of @s. */
static int shown_width(const char *s)
{
	int n = 0;

	for (; *s; s++) {
		unsigned char c = *s;

		n += c >= ' ' && c != 0x7f ? 1 : c == '\n' || c == '\t' ? 2 : 4;
	}
	return n;
}

static int wider(int width, const char *s)
{
	int n = shown_width(s);

	return n > width ? n : width;
}

static const char *cgroup_name(const struct profile_report *r, u64 id, char *buf, size_t size)
{
	const char *path = r->cgroup_path ? r->cgroup_path(r->cgroup_ctx, id) : NULL;

	if (path)
		return path;
	snprintf(buf, size, "%" PRIu64, id);
	return buf;
}

/* A column of names takes what it needs of what is left of the line, at most one @share-th. */
static void take_width(int *spare, int *width, int share)
{
	*width = min_t(int, *width, max_t(int, *spare / share - 1, MIN_NAME));
	*spare -= *width + 1;
}

/* Columns as wide as their widest name, but within the terminal, or within reason in a pipe. */
static void measure(struct table *t, const struct profile_entry **list, u32 nr, int event)
{
	u64 total = profile__total(t->r->profile, event);
	char num[24];
	int spare;

	t->sym_width = strlen("SYMBOL");
	t->dso_width = strlen("DSO");
	t->comm_width = strlen("COMM");
	t->cgroup_width = strlen("CGROUP");
	t->count_width = max_t(int, digits(total), strlen("COUNT"));
	for (u32 i = 0; i < nr; i++) {
		t->sym_width = wider(t->sym_width, profile_frame__sym(&list[i]->at));
		t->dso_width = wider(t->dso_width, profile_frame__dso(&list[i]->at));
		if (list[i]->comm)
			t->comm_width = wider(t->comm_width, list[i]->comm);
		if (t->keys & SAMPLE_KEY_CGROUP)
			t->cgroup_width = wider(t->cgroup_width, cgroup_name(t->r, list[i]->cgroup,
									     num, sizeof(num)));
	}
	if (!t->r->width) {
		t->sym_width = min_t(int, t->sym_width, MAX_NAME_IN_PIPE);
		t->dso_width = min_t(int, t->dso_width, MAX_NAME_IN_PIPE);
		return;
	}
	spare = t->r->width - 1 - t->count_width - strlen(" 100.00%");
	spare -= t->addr ? ADDR_WIDTH + 1 : 0;
	spare -= t->keys & (SAMPLE_KEY_PID | SAMPLE_KEY_TID) ? 8 : 0;
	spare -= t->keys & SAMPLE_KEY_TID ? 8 : 0;
	spare -= t->keys & SAMPLE_KEY_CPU ? 4 : 0;
	if (t->keys & SAMPLE_KEY_COMM)
		take_width(&spare, &t->comm_width, 3);
	if (t->keys & SAMPLE_KEY_CGROUP)
		take_width(&spare, &t->cgroup_width, 2);
	if (t->dso)
		take_width(&spare, &t->dso_width, 3);
	if (t->sym)
		take_width(&spare, &t->sym_width, 1);
}

/* @s padded to @width; cut with "~" on a terminal, whole elsewhere. The last column before the
 * count pads too. */
static void name_column(struct table *t, const char *s, int width)
{
	int n = shown_width(s);

	if (n > width && t->r->width) {
		outbuf__safe(t->ob, s, min_t(size_t, strlen(s), width - 1));
		outbuf__putc(t->ob, '~');
	} else {
		outbuf__safe(t->ob, s, strlen(s));
		if (n < width)
			outbuf__pad(t->ob, width - n);
	}
	outbuf__putc(t->ob, ' ');
}

static void heading(struct table *t)
{
	struct outbuf *ob = t->ob;

	if (t->addr)
		outbuf__printf(ob, "%-*s ", ADDR_WIDTH, "ADDR");
	if (t->sym)
		outbuf__printf(ob, "%-*s ", t->sym_width, "SYMBOL");
	if (t->dso)
		outbuf__printf(ob, "%-*s ", t->dso_width, "DSO");
	if (t->keys & SAMPLE_KEY_COMM)
		outbuf__printf(ob, "%-*s ", t->comm_width, "COMM");
	if (t->keys & (SAMPLE_KEY_PID | SAMPLE_KEY_TID))
		outbuf__printf(ob, "%7s ", "PID");
	if (t->keys & SAMPLE_KEY_TID)
		outbuf__printf(ob, "%7s ", "TID");
	if (t->keys & SAMPLE_KEY_CPU)
		outbuf__printf(ob, "%3s ", "CPU");
	if (t->keys & SAMPLE_KEY_CGROUP)
		outbuf__printf(ob, "%-*s ", t->cgroup_width, "CGROUP");
	outbuf__printf(ob, "%*s %7s\n", t->count_width, t->r->by_period ? "PERIOD" : "COUNT", "%");
}

static void percent(struct outbuf *ob, u64 count, u64 total)
{
	u64 hundredths = total ? (u64)((double)count * 10000.0 / total + 0.5) : 0;

	outbuf__dec(ob, hundredths / 100, 4);
	outbuf__putc(ob, '.');
	outbuf__putc(ob, '0' + hundredths / 10 % 10);
	outbuf__putc(ob, '0' + hundredths % 10);
	outbuf__puts(ob, "%\n");
}

static void frame_line(struct table *t, const struct profile_frame *f)
{
	struct frame_line *l = &t->line[f->id];
	struct outbuf *ob = &t->lines;

	if (!l->len) {
		l->off = ob->len;
		outbuf__puts(ob, "        ");
		if (f->sym || !f->dso) {
			outbuf__safe(ob, profile_frame__sym(f), strlen(profile_frame__sym(f)));
		} else {
			outbuf__puts(ob, "0x");
			outbuf__hex(ob, f->addr, 0, ' ');
		}
		if (f->dso) {
			outbuf__puts(ob, " (");
			outbuf__safe(ob, profile_frame__dso(f), strlen(profile_frame__dso(f)));
			outbuf__putc(ob, ')');
		}
		outbuf__putc(ob, '\n');
		l->len = ob->len - l->off;
	}
	outbuf__write(t->ob, ob->buf + l->off, l->len);
}

static void stack(struct table *t, const struct profile_entry *e)
{
	struct profile_frame f;
	u32 node = e->stack;

	/* The innermost frame is the row itself. */
	if (t->sym)
		node = profile__stack_next(t->r->profile, node, &f);
	while (node) {
		node = profile__stack_next(t->r->profile, node, &f);
		frame_line(t, &f);
	}
}

static void row(struct table *t, const struct profile_entry *e, u64 total)
{
	struct outbuf *ob = t->ob;
	char num[24];

	if (t->addr) {
		outbuf__hex(ob, e->at.addr, ADDR_WIDTH, ' ');
		outbuf__putc(ob, ' ');
	}
	if (t->sym)
		name_column(t, profile_frame__sym(&e->at), t->sym_width);
	if (t->dso)
		name_column(t, profile_frame__dso(&e->at), t->dso_width);
	if (t->keys & SAMPLE_KEY_COMM)
		name_column(t, e->comm, t->comm_width);
	if (t->keys & (SAMPLE_KEY_PID | SAMPLE_KEY_TID))
		outbuf__printf(ob, "%7u ", e->pid);
	if (t->keys & SAMPLE_KEY_TID)
		outbuf__printf(ob, "%7u ", e->tid);
	if (t->keys & SAMPLE_KEY_CPU)
		outbuf__printf(ob, "%3d ", e->cpu);
	if (t->keys & SAMPLE_KEY_CGROUP)
		name_column(t, cgroup_name(t->r, e->cgroup, num, sizeof(num)), t->cgroup_width);
	outbuf__dec(ob, e->count, t->count_width);
	outbuf__putc(ob, ' ');
	percent(ob, e->count, total);
	if (t->keys & SAMPLE_KEY_STACK)
		stack(t, e);
}

static void event_table(struct table *t, int event)
{
	const struct profile_report *r = t->r;
	u64 total = profile__total(r->profile, event), left_count;
	u32 nr, left_out;
	const struct profile_entry **list =
		profile_report__select(r, event, &nr, &left_out, &left_count);

	if (!list)
		return;
	if (r->nr_events > 1) {
		outbuf__puts(t->ob, "\n# ");
		outbuf__safe(t->ob, r->events[event], strlen(r->events[event]));
		outbuf__printf(t->ob, ": %" PRIu64 " samples\n",
			       profile__samples(r->profile, event));
	}
	measure(t, list, nr, event);
	heading(t);
	if (left_out && !r->reverse)
		outbuf__printf(t->ob, "# %u colder rows with %" PRIu64 " of %" PRIu64 " left out\n",
			       left_out, left_count, total);
	for (u32 i = 0; i < nr; i++)
		row(t, list[i], total);
	if (left_out && r->reverse)
		outbuf__printf(t->ob, "# %u colder rows with %" PRIu64 " of %" PRIu64 " left out\n",
			       left_out, left_count, total);
	free(list);
}

void profile_report__caveats(struct outbuf *ob, const struct profile_report *r)
{
	if (r->throttled)
		outbuf__printf(ob,
			       "# throttled %" PRIu64
			       " times: events beyond kernel.perf_event_max_sample_rate were not "
			       "sampled, and cannot be counted\n",
			       r->throttled);
	if (r->sideband_lost)
		outbuf__printf(
			ob, "# %" PRIu64 " side-band records lost: some symbols may be missing\n",
			r->sideband_lost);
}

static void print(struct outbuf *ob, const struct profile_report *r)
{
	struct table t = {.ob = ob, .r = r, .keys = profile__keys(r->profile)};

	t.addr = t.keys & SAMPLE_KEY_IP;
	t.sym = t.keys & (SAMPLE_KEY_IP | SAMPLE_KEY_SYM | SAMPLE_KEY_STACK);
	t.dso = t.keys & (SAMPLE_KEY_IP | SAMPLE_KEY_DSO | SAMPLE_KEY_STACK);
	t.line = calloc(profile__nr_frames(r->profile) + 1ul, sizeof(*t.line));
	if (!t.line || outbuf__init(&t.lines, -1, 0)) {
		ob->err = -ENOMEM;
		free(t.line);
		return;
	}
	for (int i = 0; i < r->nr_events; i++)
		event_table(&t, i);
	free(t.line);
	outbuf__exit(&t.lines);
	ledger__text(ob, r->ledger, "samples", "# ");
	if (profile__folded(r->profile))
		outbuf__printf(ob,
			       "# the outer callers of %" PRIu64
			       " samples with rare stacks are folded into [cold callers]: "
			       "memory is bounded\n",
			       profile__folded(r->profile));
	profile_report__caveats(ob, r);
}

const struct profile_format profile_text = {.name = "text", .print = print};
