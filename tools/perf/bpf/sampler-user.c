// SPDX-License-Identifier: GPL-2.0-only
/*
 * The engine of --bpf: a user's own programs run on overflow and keep what they like in their own
 * maps, so that there are no keys to drain. What is left to do is to attach them and to keep the
 * ledger: how often they ran, and how often the kernel should have run them.
 */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "bpf/sampler-impl.h"
#include "bpf/user_prog.h"

#define USER_INTERVAL 200 /* ms between rounds: side-band records come in, of data maps too */

struct user_sampler {
	struct sampler base;
	struct evlist *evlist;
	struct user_prog *prog; /* borrowed */
	u64 expected;		/* overflows by the kernel's own count, where that can be told */
	bool all_checked;	/* it can be told for every event */
	u64 runs_seen, skipped_seen, finished_skips;
	u64 chained; /* samples that a program let through to the ring buffer */
};

static struct user_sampler *to_user(const struct sampler *s)
{
	return container_of(s, struct user_sampler, base);
}

static void user_delete(struct sampler *s)
{
	user_prog__detach(to_user(s)->prog);
	free(to_user(s));
}

static void user_cut(struct sampler *s __unused)
{
}

static s64 user_drain(struct sampler *s __unused, sample_agg_cb cb __unused, void *ctx __unused)
{
	return 0;
}

static void user_ledger(struct sampler *s, struct loss_ledger *l)
{
	struct user_sampler *u = to_user(s);
	struct user_prog_stats st;

	if (user_prog__stats(u->prog, &st))
		return;
	loss_ledger__arrived(l, -1, st.runs - u->runs_seen);
	loss_ledger__dropped(l, -1, LOSS_SKIPPED, st.skipped - u->skipped_seen + u->finished_skips);
	u->runs_seen = st.runs;
	u->skipped_seen = st.skipped;
	u->finished_skips = 0;
}

static int count_overflows(void *ctx, struct evsel *e, int fd, int cpu __unused, pid_t tid __unused)
{
	struct user_sampler *u = ctx;
	u64 value[8];

	if (read(fd, value, sizeof(value)) >= (ssize_t)sizeof(value[0]))
		u->expected += value[0] / evsel__attr(e)->sample_period;
	return 0;
}

/* An event that counts occurrences at a fixed period overflows as often as that divides its count.
 * A clock's count is time instead, and a frequency moves the period. */
static void user_finish(struct sampler *s)
{
	struct user_sampler *u = to_user(s);
	struct user_prog_stats st;
	struct evsel *e;

	u->all_checked = true;
	evlist__for_each (u->evlist, e) {
		const struct perf_event_attr *attr = evsel__attr(e);
		bool clock = attr->type == PERF_TYPE_SOFTWARE &&
			     (attr->config == PERF_COUNT_SW_CPU_CLOCK ||
			      attr->config == PERF_COUNT_SW_TASK_CLOCK);

		if (evsel__is_dummy(e) || evsel__is_bpf_output(e))
			continue;
		if (attr->freq || !attr->sample_period || clock || evsel__is_tracepoint(e))
			u->all_checked = false;
		else
			evlist__each_fd(u->evlist, e, count_overflows, u);
	}
	/* One program may serve several events, so that only the sums compare. */
	if (!u->all_checked || user_prog__stats(u->prog, &st) || !st.runs_known)
		return;
	if (u->expected > st.runs + st.skipped)
		u->finished_skips = u->expected - st.runs - st.skipped;
}

static u64 user_first_time(const struct sampler *s __unused)
{
	return 0;
}

static int user_record(struct sampler *s, int ring __unused, const struct perf_event_header *ev)
{
	if (ev->type != PERF_RECORD_SAMPLE)
		return 0;
	to_user(s)->chained++;
	return 1;
}

static const struct sampler_ops user_ops = {
	.delete = user_delete,
	.cut = user_cut,
	.drain = user_drain,
	.ledger = user_ledger,
	.finish = user_finish,
	.first_time = user_first_time,
	.record = user_record,
};

struct sampler *sampler__new_user(struct evlist *l, struct user_prog *up, struct errbuf *eb)
{
	struct user_sampler *u = calloc(1, sizeof(*u));
	int err;

	if (!u) {
		errbuf__set(eb, -ENOMEM, "out of memory");
		return NULL;
	}
	u->base = (struct sampler){.ops = &user_ops, .wake_fd = -1, .interval_ms = USER_INTERVAL};
	u->evlist = l;
	u->prog = up;
	err = user_prog__attach(up, l, eb);
	if (!err)
		return &u->base;
	free(u);
	errno = -err;
	return NULL;
}

u64 sampler__chained(const struct sampler *s)
{
	return s->ops == &user_ops ? to_user(s)->chained : 0;
}
