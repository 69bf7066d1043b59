// SPDX-License-Identifier: GPL-2.0-only
/* perf script: which samples are shown. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "output/script.h"

#define NSEC_PER_SEC 1000000000ULL
#define RANGES_MAX 1024
#define CPUS_MAX 65536

struct range {
	u64 start, end; /* both inside */
};

struct script_filter {
	struct range *ranges; /* NULL: all times */
	int nr_ranges;
	u8 *cpus; /* a bit each; NULL: all */
	u32 nr_cpus;
	u32 *pids, *tids; /* sorted; NULL: all */
	int nr_pids, nr_tids;
	char **comms, **syms, **dsos; /* NULL-terminated; NULL: all */
	u64 *sym_addrs;		      /* of syms that are numbers */
	int nr_sym_addrs;
	u64 addr_range;
};

/* ---- lists ---- */

static char **split(const char *list)
{
	size_t n = 2;
	char *copy = strdup(list), *save, **out, *tok;

	for (const char *p = list; *p; p++)
		n += *p == ',';
	out = copy ? calloc(n, sizeof(*out)) : NULL;
	n = 0;
	for (tok = out ? strtok_r(copy, ",", &save) : NULL; tok; tok = strtok_r(NULL, ",", &save)) {
		while (*tok == ' ')
			tok++;
		out[n] = strdup(tok);
		if (!out[n++])
			break;
	}
	free(copy);
	return out;
}

static void free_list(char **list)
{
	for (int i = 0; list && list[i]; i++)
		free(list[i]);
	free(list);
}

static bool in_list(char **list, const char *s)
{
	for (int i = 0; list[i]; i++) {
		if (!strcmp(list[i], s))
			return true;
	}
	return false;
}

static int cmp_u32(const void *a, const void *b)
{
	u32 x = *(const u32 *)a, y = *(const u32 *)b;

	return x < y ? -1 : x > y;
}

static int parse_ids(const char *list, const char *what, u32 **out, int *nr, struct errbuf *eb)
{
	char **words = split(list);
	int n = 0, err = 0;

	while (words && words[n])
		n++;
	*out = calloc(n ? n : 1, sizeof(**out));
	if (!words || !*out) {
		free_list(words);
		return errbuf__set(eb, -ENOMEM, "%s: no memory", what);
	}
	for (int i = 0; i < n; i++) {
		char *end;
		unsigned long v = strtoul(words[i], &end, 10);

		if (!isdigit((unsigned char)words[i][0]) || *end || v > INT32_MAX) {
			err = errbuf__set(eb, -EINVAL, "%s: '%s' is not a number", what, words[i]);
			break;
		}
		(*out)[i] = v;
	}
	free_list(words);
	qsort(*out, n, sizeof(**out), cmp_u32);
	*nr = n;
	return err;
}

static bool has_id(const u32 *ids, int nr, u32 id)
{
	return bsearch(&id, ids, nr, sizeof(id), cmp_u32);
}

static int parse_cpus(struct script_filter *f, const char *list, const struct perf_session *s,
		      struct errbuf *eb)
{
	const char *p = list;
	bool recorded = false;

	for (int i = 0; i < perf_session__nr_events(s); i++)
		recorded |= !!(session_event__attr(perf_session__event(s, i))->sample_type &
			       PERF_SAMPLE_CPU);
	if (!recorded && perf_session__nr_events(s))
		return errbuf__set(
			eb, -EINVAL,
			"File does not contain CPU events. Remove -C option to proceed.");
	f->nr_cpus = CPUS_MAX;
	f->cpus = calloc(CPUS_MAX / 8, 1);
	if (!f->cpus)
		return errbuf__set(eb, -ENOMEM, "-C: no memory");
	for (;;) {
		char *end;
		unsigned long a = strtoul(p, &end, 10), b = a;

		if (isdigit((unsigned char)*p) && *end == '-' && isdigit((unsigned char)end[1]))
			b = strtoul(end + 1, &end, 10);
		if (!isdigit((unsigned char)*p) || (*end && *end != ',') || b < a || b >= CPUS_MAX)
			return errbuf__set(eb, -EINVAL, "-C %s: expected CPUs like 0,2-3, not '%s'",
					   list, p);
		for (; a <= b; a++)
			f->cpus[a / 8] |= 1 << a % 8;
		if (!*end)
			return 0;
		p = end + 1;
	}
}

/* A symbol may be given by its address. */
static int take_sym_addrs(struct script_filter *f)
{
	int n = 0;

	while (f->syms[n])
		n++;
	f->sym_addrs = calloc(n ? n : 1, sizeof(*f->sym_addrs));
	if (!f->sym_addrs)
		return -ENOMEM;
	for (int i = 0; i < n; i++) {
		char *end;
		u64 v = strtoull(f->syms[i], &end, 16);

		if (!*end && end != f->syms[i])
			f->sym_addrs[f->nr_sym_addrs++] = v;
	}
	return 0;
}

/* ---- --time ---- */

static int bad_time(const char *arg, const char *at, struct errbuf *eb)
{
	return errbuf__set(
		eb, -EINVAL,
		"--time %s: invalid time string at '%s' (START,STOP in seconds, A%%/N or "
		"A%%-B%%)",
		arg, at);
}

/* "12.5" seconds to ns; at least one digit. */
static int parse_nsecs(const char *s, const char **end, u64 *ns)
{
	u64 secs = 0, frac = 0, unit = NSEC_PER_SEC;
	const char *p = s;

	for (; isdigit((unsigned char)*p); p++) {
		if (secs > UINT64_MAX / NSEC_PER_SEC / 10)
			return -EINVAL;
		secs = secs * 10 + (*p - '0');
	}
	if (p == s)
		return -EINVAL;
	if (*p == '.') {
		for (p++; isdigit((unsigned char)*p); p++) {
			unit /= 10;
			frac += unit * (*p - '0');
		}
	}
	*ns = secs * NSEC_PER_SEC + frac;
	*end = p;
	return 0;
}

static int add_range(struct script_filter *f, u64 start, u64 end)
{
	struct range *p;

	if (f->nr_ranges == RANGES_MAX)
		return -EINVAL;
	p = reallocarray(f->ranges, f->nr_ranges + 1, sizeof(*p));
	if (!p)
		return -ENOMEM;
	f->ranges = p;
	f->ranges[f->nr_ranges++] = (struct range){start, end};
	return 0;
}

/* "START,STOP START,STOP": either may be missing. */
static int parse_seconds(struct script_filter *f, const char *arg, struct errbuf *eb)
{
	const char *p = arg;

	while (*p) {
		u64 start = 0, end = UINT64_MAX;

		while (*p == ' ')
			p++;
		if (!*p)
			break;
		if (*p != ',' && parse_nsecs(p, &p, &start))
			return bad_time(arg, p, eb);
		if (*p != ',')
			return bad_time(arg, p, eb);
		p++;
		if (*p && *p != ' ' && parse_nsecs(p, &p, &end))
			return bad_time(arg, p, eb);
		if ((*p && *p != ' ') || end < start)
			return bad_time(arg, p, eb);
		if (f->nr_ranges && start < f->ranges[f->nr_ranges - 1].end)
			return bad_time(arg, p, eb); /* they must not overlap */
		if (add_range(f, start, end))
			return bad_time(arg, p, eb);
	}
	return f->nr_ranges ? 0 : bad_time(arg, arg, eb);
}

/* "10%/2" (the second slice of a tenth) and "30%-40%", separated by commas. */
static int parse_percent(struct script_filter *f, const char *arg, u64 first, u64 last,
			 struct errbuf *eb)
{
	const char *p = arg;
	double total = last - first;

	for (;;) {
		char *end;
		double a, b;
		u64 from, to;

		while (*p == ' ')
			p++;
		a = strtod(p, &end);
		if (end == p || *end != '%' || !(a >= 0 && a <= 100))
			return bad_time(arg, p, eb);
		end++;
		if (*end == '/') {
			char *slice = end + 1;
			unsigned long n = strtoul(slice, &end, 10);

			if (!isdigit((unsigned char)*slice) || n < 1 || a <= 0 ||
			    a * n > 100.0 + 1e-9)
				return bad_time(arg, p, eb);
			b = a * n;
			a = b - a;
		} else if (*end == '-') {
			const char *second = end + 1;

			b = strtod(second, &end);
			if (end == second || *end != '%' || !(b > a && b <= 100))
				return bad_time(arg, p, eb);
			end++;
		} else {
			b = a;
			a = 0;
		}
		from = first + (u64)(total * (a / 100.0));
		to = first + (u64)(total * (b / 100.0));
		/* A slice ends where the next begins, which is not its own. */
		if (add_range(f, from, b < 100 ? to - 1 : last))
			return bad_time(arg, p, eb);
		if (!*end)
			return 0;
		if (*end != ',' && *end != ' ')
			return bad_time(arg, end, eb);
		p = end + 1;
	}
}

static int parse_time(struct script_filter *f, const char *arg, const struct perf_session *s,
		      struct errbuf *eb)
{
	const struct session_info *info = perf_session__info(s);

	if (!strchr(arg, '%'))
		return parse_seconds(f, arg, eb);
	if (!info->last_sample_time)
		return errbuf__set(
			eb, -EINVAL,
			"--time %s: the file does not tell the times of its first and last "
			"sample; record with --timestamp-boundary or build ids",
			arg);
	return parse_percent(f, arg, info->first_sample_time, info->last_sample_time, eb);
}

/* ---- the filter ---- */

struct script_filter *script_filter__new(const struct script_filter_opts *o,
					 const struct perf_session *s, struct errbuf *eb)
{
	struct script_filter *f = calloc(1, sizeof(*f));
	int err = f ? 0 : errbuf__set(eb, -ENOMEM, "no memory");

	if (!err && o->time)
		err = parse_time(f, o->time, s, eb);
	if (!err && o->cpus)
		err = parse_cpus(f, o->cpus, s, eb);
	if (!err && o->pids)
		err = parse_ids(o->pids, "--pid", &f->pids, &f->nr_pids, eb);
	if (!err && o->tids)
		err = parse_ids(o->tids, "--tid", &f->tids, &f->nr_tids, eb);
	if (!err && o->comms && !(f->comms = split(o->comms)))
		err = errbuf__set(eb, -ENOMEM, "no memory");
	if (!err && o->dsos && !(f->dsos = split(o->dsos)))
		err = errbuf__set(eb, -ENOMEM, "no memory");
	if (f)
		f->addr_range = o->addr_range;
	if (!err && o->syms && (!(f->syms = split(o->syms)) || take_sym_addrs(f)))
		err = errbuf__set(eb, -ENOMEM, "no memory");
	if (err) {
		script_filter__delete(f);
		return NULL;
	}
	return f;
}

void script_filter__delete(struct script_filter *f)
{
	if (!f)
		return;
	free(f->ranges);
	free(f->cpus);
	free(f->pids);
	free(f->tids);
	free_list(f->comms);
	free_list(f->syms);
	free_list(f->dsos);
	free(f->sym_addrs);
	free(f);
}

bool script_filter__cpu(const struct script_filter *f, u32 cpu)
{
	return !f->cpus || (cpu < f->nr_cpus && f->cpus[cpu / 8] >> cpu % 8 & 1);
}

static bool in_ranges(const struct script_filter *f, u64 time)
{
	for (int i = 0; i < f->nr_ranges; i++) {
		if (time >= f->ranges[i].start && time <= f->ranges[i].end)
			return true;
	}
	return false;
}

bool script_filter__sample(const struct script_filter *f, const struct perf_sample *s)
{
	if (f->ranges && !in_ranges(f, s->time))
		return false;
	if (!script_filter__cpu(f, s->cpu))
		return false;
	if (f->pids && !has_id(f->pids, f->nr_pids, s->pid))
		return false;
	return !f->tids || has_id(f->tids, f->nr_tids, s->tid);
}

bool script_filter__has_comm(const struct script_filter *f)
{
	return f->comms;
}

bool script_filter__comm(const struct script_filter *f, const char *comm)
{
	return in_list(f->comms, comm);
}

bool script_filter__has_location(const struct script_filter *f)
{
	return f->syms || f->dsos;
}

static bool is_sym(const struct script_filter *f, const struct addr_location *al)
{
	if (al->sym && in_list(f->syms, al->sym->name))
		return true;
	for (int i = 0; i < f->nr_sym_addrs; i++) {
		if (al->ip == f->sym_addrs[i] || al->addr == f->sym_addrs[i] ||
		    (al->sym && al->sym->start == f->sym_addrs[i]) ||
		    al->ip - f->sym_addrs[i] < f->addr_range ||
		    al->addr - f->sym_addrs[i] < f->addr_range)
			return true;
	}
	return false;
}

bool script_filter__location(const struct script_filter *f, const struct addr_location *al)
{
	if (f->dsos && (!al->dso || !(in_list(f->dsos, dso__short_name(al->dso)) ||
				      in_list(f->dsos, dso__name(al->dso)))))
		return false;
	return !f->syms || is_sym(f, al);
}
