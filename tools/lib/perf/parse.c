// SPDX-License-Identifier: GPL-2.0-only
/*
 * Event syntax: the text after -e.
 *
 *   list   := item { ',' item }
 *   item   := event | '{' event { ',' event } '}' [ ':' modifiers ]
 *   event  := what [ ':' ] [ modifiers ]
 *   what   := name [ '/' terms '/' ]        hardware, software, cache events, rHEX, TYPE:CONFIG
 *           | pmu '/' terms '/'
 *           | system ':' name [ '/' terms '/' ]          tracepoints, with globs
 *           | 'mem:' address [ '/' length ] [ ':' rwx ]
 */
#include <ctype.h>
#include <errno.h>
#include <linux/hw_breakpoint.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/perf/names.h"
#include "lib/perf/parse.h"
#include "lib/subcmd/options.h"

#define SHOWN 72 /* of a long list, so much is shown around the caret */

int parse_error(struct parser *ps, const char *at, int err, const char *fmt, ...)
{
	size_t col = at - ps->text, len = strlen(ps->text), from = 0;
	char msg[1024];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(msg, sizeof(msg), fmt, ap);
	va_end(ap);
	if (len > SHOWN && col > SHOWN / 2)
		from = col - SHOWN / 2;
	errbuf__set(ps->eb, err, "%s\n  %s%.*s\n  %*s^", msg, from ? ".." : "", SHOWN,
		    ps->text + from, (int)(col - from) + (from ? 2 : 0), "");
	errno = -err;
	return err;
}

/* ---- modifiers ---- */

struct mods {
	bool u, k, h, I, G, H, P, S, D, W, e;
	int p;
};

static const char mod_letters[] = "ukhIGHpPSDWe";

static int parse_mods(struct parser *ps, struct mods *m, bool group)
{
	const char *start = ps->p;

	memset(m, 0, sizeof(*m));
	for (; *ps->p && !strchr(",}", *ps->p); ps->p++) {
		bool *flag[] = {&m->u, &m->k, &m->h, &m->I, &m->G, &m->H,
				NULL,  &m->P, &m->S, &m->D, &m->W, &m->e};
		const char *which = strchr(mod_letters, *ps->p);

		if (!which)
			return parse_error(ps, ps->p, -EINVAL,
					   "no such modifier '%c': there are u k h (user, kernel, "
					   "hypervisor), I (not idle), G H (guest, host), p P "
					   "(precise), S (sample group), D (pinned), W (weak "
					   "group), e (exclusive)",
					   *ps->p);
		if (*which == 'p') {
			if (++m->p > 3)
				return parse_error(ps, ps->p, -EINVAL,
						   "'p' can be given three times at most");
		} else if (*flag[which - mod_letters]) {
			return parse_error(ps, ps->p, -EINVAL, "modifier '%c' is repeated", *which);
		} else {
			*flag[which - mod_letters] = true;
		}
		if (m->p && m->P)
			return parse_error(ps, ps->p, -EINVAL,
					   "'p' asks for one level of precision and 'P' for the "
					   "highest: give one of them");
		if (m->W && !group)
			return parse_error(ps, ps->p, -EINVAL,
					   "'W' belongs behind a group: {a,b}:W");
	}
	if (ps->p == start)
		return parse_error(ps, ps->p, -EINVAL, "a modifier is expected behind ':'");
	return 0;
}

static void apply_mods(struct evsel *e, const struct mods *m)
{
	struct perf_event_attr *a = &e->attr;

	if (m->u || m->k || m->h) {
		/* The first such letter excludes all the others; a group's letters add. */
		if (!e->exclude_given)
			a->exclude_user = a->exclude_kernel = a->exclude_hv = 1;
		e->exclude_given = true;
		a->exclude_user &= !m->u;
		a->exclude_kernel &= !m->k;
		a->exclude_hv &= !m->h;
	}
	if (m->G || m->H) {
		a->exclude_guest = !m->G;
		a->exclude_host = !m->H;
	}
	if (m->I)
		a->exclude_idle = 1;
	if (m->p)
		a->precise_ip = m->p;
	if (m->P) {
		a->precise_ip = 3;
		e->precise_max = true;
	}
	if (m->S)
		e->sample_read = true;
	if (e->leader == e) {
		a->pinned |= m->D;
		a->exclusive |= m->e;
	}
}

/* ---- kinds of events ---- */

static struct evsel *add_plain(struct parser *ps, u32 type, u64 config)
{
	struct evsel *e = evlist__add(ps->l);

	if (!e) {
		errbuf__set(ps->eb, -ENOMEM, "out of memory for an event");
		return NULL;
	}
	e->attr.type = type;
	e->attr.config = config;
	e->attr.exclude_guest = 1;
	if (type == PERF_TYPE_HARDWARE && config == PERF_COUNT_HW_CPU_CYCLES)
		e->may_fall_back = true;
	if (type == PERF_TYPE_SOFTWARE && config == PERF_COUNT_SW_BPF_OUTPUT) {
		e->bpf_output = true;
		e->attr.sample_period = 1;
		e->attr.sample_type =
			PERF_SAMPLE_RAW | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD;
	}
	if (type == PERF_TYPE_SOFTWARE && config == PERF_COUNT_SW_DUMMY)
		e->dummy = true;
	return e;
}

static bool is_raw(const char *s, size_t len, u64 *config)
{
	if (len < 2 || len > 17 || *s != 'r')
		return false;
	for (size_t i = 1; i < len; i++)
		if (!isxdigit((unsigned char)s[i]))
			return false;
	*config = strtoull(s + 1, NULL, 16);
	return true;
}

/* A name that needs no look at sysfs: 0, -ENOENT, or an error with its message. */
static int parse_symbol(struct parser *ps, const char *s, size_t len, u32 *type, u64 *config)
{
	const struct event_name *en = event_name__find(s, len);
	int err;

	if (en) {
		*type = en->type;
		*config = en->config;
		return 0;
	}
	err = cache_event__parse(s, len, config);
	if (!err) {
		*type = PERF_TYPE_HW_CACHE;
		return 0;
	}
	if (err == -EINVAL)
		return parse_error(ps, s, err,
				   "event '%.*s': this cache has no such operation (see perf list "
				   "cache)",
				   (int)len, s);
	if (is_raw(s, len, config)) {
		*type = PERF_TYPE_RAW;
		return 0;
	}
	return -ENOENT;
}

static int parse_mem(struct parser *ps)
{
	struct perf_event_attr *a;
	struct evsel *e;
	char *end;
	int type = 0;

	ps->p += strlen("mem:");
	e = add_plain(ps, PERF_TYPE_BREAKPOINT, 0);
	if (!e)
		return -ENOMEM;
	a = &e->attr;
	errno = 0;
	a->bp_addr = strtoull(ps->p, &end, 0);
	if (!isdigit((unsigned char)*ps->p) || errno)
		return parse_error(ps, ps->p, -EINVAL, "an address is expected: mem:0x1234/4:rw");
	ps->p = end;
	if (*ps->p == '/') {
		unsigned long len = strtoul(++ps->p, &end, 0);

		if (end == ps->p || !len || len > 8)
			return parse_error(ps, ps->p, -EINVAL,
					   "a length of 1 to 8 bytes is expected (1, 2, 4 or 8 on "
					   "x86)");
		a->bp_len = len;
		ps->p = end;
	}
	if (*ps->p == ':') {
		const char *q = ps->p + 1;
		size_t n = strspn(q, "rwx");

		/* Letters that are no access are the modifiers. */
		if (n && (!q[n] || strchr(":,}", q[n]))) {
			for (size_t i = 0; i < n; i++) {
				int bit = q[i] == 'r'	? HW_BREAKPOINT_R
					  : q[i] == 'w' ? HW_BREAKPOINT_W
							: HW_BREAKPOINT_X;

				if (type & bit)
					return parse_error(ps, q + i, -EINVAL,
							   "access '%c' is repeated", q[i]);
				type |= bit;
			}
			ps->p = q + n;
		}
	}
	a->bp_type = type ? type : HW_BREAKPOINT_RW;
	if (!a->bp_len)
		a->bp_len = type == HW_BREAKPOINT_X ? sizeof(long) : HW_BREAKPOINT_LEN_4;
	a->sample_period = 1;
	return 0;
}

/* "1:0x2": a type and a config by number. */
static int parse_numeric(struct parser *ps, const char *s)
{
	char *end;
	u64 type = strtoull(s, &end, 0), config;

	if (*end != ':' || type > UINT32_MAX || !isdigit((unsigned char)end[1]))
		return parse_error(ps, s, -EINVAL, "TYPE:CONFIG, two numbers, is expected");
	config = strtoull(end + 1, &end, 0);
	ps->p = end;
	return add_plain(ps, type, config) ? 0 : -ENOMEM;
}

/* ---- names that do not exist ---- */

static int no_such_event(struct parser *ps, const char *s, size_t len)
{
	const char *names[2 * 64 + 1], *near;
	char word[128];
	int n = 0;

	snprintf(word, sizeof(word), "%.*s", (int)len, s);
	for (int i = 0; i < nr_event_names && n < 126; i++) {
		names[n++] = event_names[i].name;
		if (event_names[i].alias)
			names[n++] = event_names[i].alias;
	}
	names[n] = NULL;
	near = nearest_name(word, names);
	if (near)
		return parse_error(ps, s, -ENOENT,
				   "event '%s': no such event, did you mean '%s'? (see perf list)",
				   word, near);
	return parse_error(ps, s, -ENOENT,
			   "event '%s': no such event (see perf list; tracepoints are written "
			   "system:name)",
			   word);
}

static int no_such_pmu(struct parser *ps, const char *s, size_t len)
{
	char *near = pmu__nearest(s, len);
	int err = parse_error(
		ps, s, -ENOENT,
		"PMU '%.*s': no such PMU%s%s%s (see /sys/bus/event_source/devices and "
		"perf list pmu)",
		(int)len, s, near ? ", did you mean '" : "", near ? near : "", near ? "'?" : "");

	free(near);
	return err;
}

/* ---- the grammar ---- */

#define ENDS_WORD ",:/{}"

static int with_terms(struct parser *ps, int first)
{
	struct terms ts;
	int err;

	ps->p++;
	err = terms__parse(ps, &ts);
	for (int i = first; !err && i < ps->l->nr; i++)
		err = terms__apply(ps, &ts, ps->l->e[i]);
	return err ? err : terms__check_used(ps, &ts, "this event", NULL);
}

static int parse_tracepoint(struct parser *ps, const char *sys, size_t sys_len)
{
	const char *name = ps->p + 1;
	size_t name_len = strcspn(name, ENDS_WORD);
	int first = ps->l->nr, err;

	/* "cyclse:u": more likely a misspelt event than a tracepoint u. */
	if (name_len && strspn(name, mod_letters) == name_len &&
	    !tracepoint__has_system(sys, sys_len))
		return no_such_event(ps, sys, sys_len);
	if (!name_len)
		return parse_error(ps, name, -EINVAL, "a tracepoint's name is expected behind ':'");
	err = tracepoint__add(ps, sys, sys_len, name, name_len);
	if (err)
		return err;
	ps->p = name + name_len;
	return *ps->p == '/' ? with_terms(ps, first) : 0;
}

static int parse_pmu(struct parser *ps, const char *s, size_t len)
{
	struct terms ts;
	int err;

	if (!pmu__exists(s, len))
		return no_such_pmu(ps, s, len);
	ps->p++;
	err = terms__parse(ps, &ts);
	return err ? err : pmu__add(ps, s, len, &ts);
}

/* A PMU's event without its PMU: "tsc" for msr/tsc/. */
static int parse_bare_pmu_event(struct parser *ps, const char *s, size_t len)
{
	char *pmu = pmu__find_event(s, len);
	struct terms ts = {.nr = 1, .t[0] = {.name = s, .name_len = len}};
	int err;

	if (!pmu)
		return no_such_event(ps, s, len);
	err = pmu__add(ps, pmu, strlen(pmu), &ts);
	free(pmu);
	return err;
}

static int parse_what(struct parser *ps)
{
	const char *s = ps->p;
	size_t len = strcspn(s, ENDS_WORD);
	int first = ps->l->nr, err;
	u64 config;
	u32 type = 0;

	if (!strncmp(s, "mem:", 4))
		return parse_mem(ps);
	if (!len)
		return parse_error(ps, s, -EINVAL, "an event is expected%s",
				   *s == '{' ? ", groups cannot be nested" : "");
	ps->p += len;
	err = parse_symbol(ps, s, len, &type, &config);
	if (!err) {
		if (!add_plain(ps, type, config))
			return -ENOMEM;
		return *ps->p == '/' ? with_terms(ps, first) : 0;
	}
	if (err != -ENOENT)
		return err;
	if (*ps->p == '/')
		return parse_pmu(ps, s, len);
	if (*ps->p == ':' && isdigit((unsigned char)*s))
		return parse_numeric(ps, s);
	if (*ps->p == ':')
		return parse_tracepoint(ps, s, len);
	return parse_bare_pmu_event(ps, s, len);
}

static int parse_event(struct parser *ps)
{
	const char *start = ps->p;
	int first = ps->l->nr, err = parse_what(ps);
	struct mods m = {0};

	if (err)
		return err;
	/* Behind the closing '/' the ':' may be left out. */
	if (*ps->p == ':' || (ps->p[-1] == '/' && *ps->p && !strchr(",}", *ps->p))) {
		ps->p += *ps->p == ':';
		err = parse_mods(ps, &m, false);
		if (err)
			return err;
	}
	for (int i = first; i < ps->l->nr; i++) {
		struct evsel *e = ps->l->e[i];

		apply_mods(e, &m);
		/* As upstream: an event is called what the user called it. */
		if (!e->name && evsel__set_name(e, "%.*s", (int)(ps->p - start), start))
			return errbuf__set(ps->eb, -ENOMEM, "out of memory for an event");
	}
	return 0;
}

static int parse_group(struct parser *ps)
{
	const char *open = ps->p++;
	int first = ps->l->nr, err;
	struct evsel *leader;
	struct mods m = {0};

	for (;;) {
		err = parse_event(ps);
		if (err)
			return err;
		if (*ps->p != ',')
			break;
		ps->p++;
	}
	if (*ps->p != '}')
		return parse_error(ps, *ps->p ? ps->p : open, -EINVAL,
				   "the group has no closing '}'");
	leader = ps->l->e[first];
	leader->nr_members = ps->l->nr - first;
	for (int i = first; i < ps->l->nr; i++)
		ps->l->e[i]->leader = leader;
	ps->p++;
	if (*ps->p == ':') {
		ps->p++;
		err = parse_mods(ps, &m, true);
		if (err)
			return err;
	}
	for (int i = first; i < ps->l->nr; i++)
		apply_mods(ps->l->e[i], &m);
	leader->weak = m.W;
	return 0;
}

static int parse_list(struct parser *ps)
{
	int err;

	for (;;) {
		err = *ps->p == '{' ? parse_group(ps) : parse_event(ps);
		if (err)
			return err;
		if (!*ps->p)
			return 0;
		if (*ps->p != ',')
			return parse_error(ps, ps->p, -EINVAL, "',' or the end is expected");
		ps->p++;
	}
}

int evlist__parse(struct evlist *l, const char *str, struct errbuf *eb)
{
	struct parser ps = {.text = str, .p = str, .l = l, .eb = eb};
	int first = l->nr, err = parse_list(&ps);

	if (err) {
		evlist__truncate(l, first);
		return err;
	}
	l->last_parse = first;
	return 0;
}
