// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "builtin-sample-events.h"
#include "lib/subcmd/subcmd.h"

#define DEFAULT_FREQ 4000

int event_opts__parse_event(const struct option *o, const char *arg, bool unset __unused,
			    struct errbuf *eb)
{
	struct event_opts *eo = o->data;

	if (eo->nr == ARRAY_SIZE(eo->event))
		return errbuf__set(eb, -E2BIG, "more than %zu -e options", ARRAY_SIZE(eo->event));
	eo->event[eo->nr++] = arg;
	return 0;
}

int event_opts__parse_filter(const struct option *o, const char *arg, bool unset __unused,
			     struct errbuf *eb)
{
	struct event_opts *eo = o->data;

	if (!eo->nr)
		return errbuf__set(eb, -EINVAL, "--filter goes behind the -e of a tracepoint");
	if (eo->filter[eo->nr - 1])
		return errbuf__set(eb, -EINVAL,
				   "-e %s has a --filter already: join them, (A) && (B)",
				   eo->event[eo->nr - 1]);
	eo->filter[eo->nr - 1] = arg;
	return 0;
}

int event_opts__parse_freq(const struct option *o, const char *arg, bool unset __unused,
			   struct errbuf *eb)
{
	struct event_opts *eo = o->data;
	char *end;
	double v;

	if (!strcmp(arg, "max")) {
		eo->freq = UINT64_MAX;
		return 0;
	}
	v = strtod(arg, &end);
	if (end == arg || *end || !(v >= 1) || v != floor(v) || v >= 1e18)
		return errbuf__set(
			eb, -EINVAL,
			"-F %s: not a frequency: give samples a second, from 1, or 'max'", arg);
	eo->freq = v;
	return 0;
}

int event_opts__parse_period(const struct option *o, const char *arg, bool unset __unused,
			     struct errbuf *eb)
{
	struct event_opts *eo = o->data;
	char *end;

	errno = 0;
	eo->period = strtoull(arg, &end, 0);
	if (end == arg || *end || errno || !eo->period || strchr(arg, '-') ||
	    eo->period > INT64_MAX)
		return errbuf__set(eb, -EINVAL, "-c %s: not a number of events, from 1", arg);
	return 0;
}

/* Terms and modifiers of the event syntax that say how to record; nothing is recorded here. */
static int check_terms(struct evsel *e, bool strict, struct errbuf *eb)
{
	const struct evsel_terms *t = evsel__terms(e);
	const char *term = t->call_graph			? "call-graph="
			   : t->stack_size			? "stack-size="
			   : t->max_stack			? "max-stack="
			   : t->time >= 0			? "time="
			   : t->overwrite >= 0			? "overwrite"
			   : evsel__attr(e)->branch_sample_type ? "branch_type="
								: NULL;

	if (term)
		return errbuf__set(eb, -EINVAL, "%s: the term %s is for perf record%s",
				   evsel__name(e), term,
				   t->call_graph ? "; -g counts by stack" : "");
	if (!evsel__sample_read(e))
		return 0;
	if (strict)
		return errbuf__set(eb, -EINVAL,
				   "%s: the modifier S is for perf record (refused by --strict)",
				   evsel__name(e));
	pr_info("%s: the modifier S reads a group's counters into a recording; here each event "
		"samples by itself",
		evsel__name(e));
	return 0;
}

/* A frequency that was asked for and does not apply is not passed over. */
static int check_freq(const struct event_opts *o, struct evsel *e, bool strict, struct errbuf *eb)
{
	const struct perf_event_attr *attr = evsel__attr(e);

	if (!o->freq || attr->freq || evsel__own_period(e))
		return 0;
	if (strict)
		return errbuf__set(eb, -EINVAL, "-F does not apply to %s (refused by --strict)",
				   evsel__name(e));
	pr_info("-F does not apply to %s: each one is a sample (-c takes fewer)", evsel__name(e));
	return 0;
}

static int set_rate(const struct event_opts *o, struct evlist *l, bool strict, struct errbuf *eb)
{
	struct errbuf clamped = {};
	int err;

	if (o->period) {
		evlist__set_period(l, o->period);
		return 0;
	}
	err = evlist__set_freq(l, o->freq ? o->freq : DEFAULT_FREQ, &clamped, eb);
	if (!errbuf__empty(&clamped))
		pr_info("%s", clamped.msg);
	if (!err && strict && !errbuf__empty(&clamped))
		return errbuf__set(eb, -EINVAL, "%s (refused by --strict)", clamped.msg);
	return err;
}

int event_opts__add(const struct event_opts *o, struct evlist *l, bool strict, struct errbuf *eb)
{
	bool fell_back = false;
	struct evsel *e;
	int err = 0;

	for (int i = 0; i < o->nr && !err; i++) {
		err = evlist__parse(l, o->event[i], eb);
		if (!err && o->filter[i])
			err = evlist__set_filter(l, o->filter[i], eb);
	}
	if (!o->nr)
		err = evlist__add_default(l, &fell_back, eb);
	if (err)
		return err;
	if (fell_back && strict)
		return errbuf__set(eb, -ENOENT,
				   "cannot sample cycles: no hardware counters here (without "
				   "--strict: cpu-clock)");
	if (fell_back)
		pr_info("cannot sample cycles: no hardware counters here; using cpu-clock");
	err = set_rate(o, l, strict, eb);
	evlist__for_each (l, e) {
		if (!err)
			err = check_terms(e, strict, eb);
		if (!err)
			err = check_freq(o, e, strict, eb);
	}
	return err;
}

u64 evlist__expected_rate(struct evlist *l)
{
	u64 rate = 0;
	struct evsel *e;

	evlist__for_each (l, e) {
		const struct perf_event_attr *attr = evsel__attr(e);

		if (attr->freq)
			rate += attr->sample_freq;
		else if (attr->type == PERF_TYPE_SOFTWARE && attr->sample_period &&
			 (attr->config == PERF_COUNT_SW_CPU_CLOCK ||
			  attr->config == PERF_COUNT_SW_TASK_CLOCK))
			rate += 1000000000ull / attr->sample_period;
		else
			return 0;
	}
	return rate;
}
