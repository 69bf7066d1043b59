// SPDX-License-Identifier: GPL-2.0-only
/* perf script -F: which fields are printed for which event type. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "output/script.h"

static const char *const field_names[SCRIPT_NR_FIELDS] = {
#define X(name, id) [SCRIPT_BIT_##id] = name,
	SCRIPT_FIELDS(X)
#undef X
};

#define COMMON                                                                            \
	(SCRIPT_COMM | SCRIPT_TID | SCRIPT_CPU | SCRIPT_TIME | SCRIPT_EVENT | SCRIPT_IP | \
	 SCRIPT_SYM | SCRIPT_SYMOFF | SCRIPT_DSO | SCRIPT_PERIOD)

static const struct {
	const char *name;   /* in messages */
	const char *prefix; /* in -F, NULL: cannot be named */
	u64 fields;	    /* by default */
	u64 invalid;	    /* never */
} types[SCRIPT_NR_TYPES] = {
	[PERF_TYPE_HARDWARE] = {"hardware", "hw", COMMON, SCRIPT_TRACE | SCRIPT_BPF_OUTPUT},
	[PERF_TYPE_SOFTWARE] = {"software", "sw", COMMON | SCRIPT_BPF_OUTPUT, SCRIPT_TRACE},
	[PERF_TYPE_TRACEPOINT] = {"tracepoint", "trace",
				  SCRIPT_COMM | SCRIPT_TID | SCRIPT_CPU | SCRIPT_TIME |
					  SCRIPT_EVENT | SCRIPT_TRACE,
				  0},
	[PERF_TYPE_HW_CACHE] = {"hardware-cache", NULL, COMMON, SCRIPT_TRACE | SCRIPT_BPF_OUTPUT},
	[PERF_TYPE_RAW] = {"raw", "raw",
			   COMMON | SCRIPT_ADDR | SCRIPT_DATA_SRC | SCRIPT_WEIGHT |
				   SCRIPT_PHYS_ADDR | SCRIPT_DATA_PAGE_SIZE |
				   SCRIPT_CODE_PAGE_SIZE | SCRIPT_INS_LAT,
			   SCRIPT_TRACE | SCRIPT_BPF_OUTPUT},
	[PERF_TYPE_BREAKPOINT] = {"breakpoint", "break", COMMON, SCRIPT_TRACE | SCRIPT_BPF_OUTPUT},
	[SCRIPT_TYPE_SYNTH] = {"synth", "synth", (COMMON & ~SCRIPT_PERIOD) | SCRIPT_SYNTH,
			       SCRIPT_TRACE | SCRIPT_BPF_OUTPUT},
	[SCRIPT_TYPE_OTHER] = {"other", NULL, COMMON, SCRIPT_TRACE | SCRIPT_BPF_OUTPUT},
};

void script_fields__init(struct script_fields *f)
{
	memset(f, 0, sizeof(*f));
	for (int t = 0; t < SCRIPT_NR_TYPES; t++)
		f->type[t].fields = types[t].fields;
}

enum script_type script_type__of(const struct perf_event_attr *attr)
{
	return attr->type < PERF_TYPE_MAX ? (enum script_type)attr->type : SCRIPT_TYPE_OTHER;
}

/* ---- parsing ---- */

struct field_parser {
	struct script_fields *f;
	int type; /* -1: all */
	enum { CHANGE_NONE, CHANGE_SET, CHANGE_ADD, CHANGE_REMOVE } change;
	void (*warn)(void *ctx, const char *line);
	void *ctx;
	struct errbuf *eb;
};

static void __printf(2, 3) warn(const struct field_parser *p, const char *fmt, ...)
{
	char line[256];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
	if (p->warn)
		p->warn(p->ctx, line);
}

static int parse_type(struct field_parser *p, const char *name, size_t len)
{
	for (int t = 0; t < SCRIPT_NR_TYPES; t++) {
		if (types[t].prefix && strlen(types[t].prefix) == len &&
		    !strncmp(types[t].prefix, name, len)) {
			p->type = t;
			return 0;
		}
	}
	return errbuf__set(p->eb, -EINVAL,
			   "-F: invalid event type '%.*s'; one of hw, sw, trace, raw, break, synth",
			   (int)len, name);
}

/* A list without + and - replaces what was there. */
static void start_over(struct field_parser *p)
{
	bool was_set = false;

	for (int t = 0; t < SCRIPT_NR_TYPES; t++) {
		if (p->type >= 0 && t != p->type)
			continue;
		was_set |= p->f->type[t].user_set;
		p->f->type[t].fields = p->f->type[t].asked = 0;
		p->f->type[t].user_set = true;
		p->f->type[t].any_type = p->type < 0;
	}
	if (was_set && p->type < 0)
		warn(p, "Overriding previous field request for all events.");
	else if (was_set)
		warn(p, "Overriding previous field request for %s events.", types[p->type].name);
}

static void apply(struct field_parser *p, int t, u64 field)
{
	p->f->type[t].user_set = true;
	p->f->type[t].any_type = p->type < 0;
	if (p->change == CHANGE_REMOVE) {
		p->f->type[t].fields &= ~field;
		p->f->type[t].asked &= ~field;
	} else {
		p->f->type[t].fields |= field;
		p->f->type[t].asked |= field;
	}
}

static int parse_one(struct field_parser *p, const char *name)
{
	int change = *name == '+' ? CHANGE_ADD : *name == '-' ? CHANGE_REMOVE : CHANGE_SET, bit;
	u64 field;

	if (p->change != CHANGE_NONE && (p->change == CHANGE_SET) != (change == CHANGE_SET))
		return errbuf__set(p->eb, -EINVAL, "Cannot mix +-field with overridden fields");
	p->change = change;
	if (change != CHANGE_SET)
		name++;
	for (bit = 0; bit < SCRIPT_NR_FIELDS; bit++) {
		if (!strcmp(name, field_names[bit]))
			break;
	}
	if (bit == SCRIPT_NR_FIELDS)
		return errbuf__set(p->eb, -EINVAL,
				   "-F: invalid field '%s' requested (see perf script -h)", name);
	field = 1ULL << bit;
	if (p->type >= 0) {
		if (types[p->type].invalid & field)
			return errbuf__set(p->eb, -EINVAL, "'%s' not valid for %s events.", name,
					   types[p->type].name);
		apply(p, p->type, field);
		return 0;
	}
	for (int t = 0; t < SCRIPT_NR_TYPES; t++) {
		if (!(types[t].invalid & field))
			apply(p, t, field);
		else if (change != CHANGE_REMOVE)
			warn(p, "'%s' not valid for %s events. Ignoring.", name, types[t].name);
	}
	return 0;
}

int script_fields__parse(struct script_fields *f, const char *arg,
			 void (*warn_cb)(void *ctx, const char *line), void *ctx, struct errbuf *eb)
{
	struct field_parser p = {.f = f, .type = -1, .warn = warn_cb, .ctx = ctx, .eb = eb};
	const char *colon = strchr(arg, ':');
	char *copy, *save, *tok;
	int err = 0;

	if (!*arg)
		return errbuf__set(eb, -EINVAL, "Cannot set fields to 'none' for all event types.");
	if (colon) {
		err = parse_type(&p, arg, colon - arg);
		if (err)
			return err;
		arg = colon + 1;
	}
	copy = strdup(arg);
	if (!copy)
		return errbuf__set(eb, -ENOMEM, "-F: no memory");
	/* As upstream's: a list with a dash or plus anywhere adds to the defaults, and "bpf-output"
	 * has a dash of its own, so that `-F bpf-output` prints the default fields with it. */
	tok = strtok_r(copy, ",", &save);
	if (!strpbrk(arg, "+-"))
		start_over(&p);
	for (; tok && !err; tok = strtok_r(NULL, ",", &save))
		err = parse_one(&p, tok);
	free(copy);
	return err;
}

/* ---- checking ---- */

/* Fields that need a bit of sample_type. */
static const struct {
	u64 field, sample_type;
	const char *what;
} needs[] = {
	{SCRIPT_IP, PERF_SAMPLE_IP, "IP"},
	{SCRIPT_ADDR, PERF_SAMPLE_ADDR, "ADDR"},
	{SCRIPT_DATA_SRC, PERF_SAMPLE_DATA_SRC, "DATA_SRC"},
	{SCRIPT_WEIGHT, PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT, "WEIGHT"},
	{SCRIPT_TID | SCRIPT_PID, PERF_SAMPLE_TID, "TID"},
	{SCRIPT_TIME | SCRIPT_TOD, PERF_SAMPLE_TIME, "TIME"},
	{SCRIPT_CPU, PERF_SAMPLE_CPU, "CPU"},
	{SCRIPT_IREGS, PERF_SAMPLE_REGS_INTR, "IREGS"},
	{SCRIPT_UREGS, PERF_SAMPLE_REGS_USER, "UREGS"},
	{SCRIPT_PHYS_ADDR, PERF_SAMPLE_PHYS_ADDR, "PHYS_ADDR"},
	{SCRIPT_DATA_PAGE_SIZE, PERF_SAMPLE_DATA_PAGE_SIZE, "DATA_PAGE_SIZE"},
	{SCRIPT_CODE_PAGE_SIZE, PERF_SAMPLE_CODE_PAGE_SIZE, "CODE_PAGE_SIZE"},
	{SCRIPT_INS_LAT, PERF_SAMPLE_WEIGHT_STRUCT, "WEIGHT_STRUCT"},
	{SCRIPT_CGROUP, PERF_SAMPLE_CGROUP, "CGROUP"},
};

static int check_event(struct script_fields *f, int t, struct session_event *e, struct errbuf *eb)
{
	u64 st = session_event__attr(e)->sample_type, *fields = &f->type[t].fields;

	for (size_t i = 0; i < ARRAY_SIZE(needs); i++) {
		u64 want = *fields & needs[i].field;

		if (!want || (st & needs[i].sample_type))
			continue;
		if (f->type[t].asked & want)
			return errbuf__set(eb, -EINVAL,
					   "Samples for '%s' event do not have %s attribute set. "
					   "Cannot print '%s' field.",
					   session_event__name(e), needs[i].what,
					   field_names[__builtin_ctzll(want & f->type[t].asked)]);
		*fields &= ~want;
	}
	if (!(st & (PERF_SAMPLE_IP | PERF_SAMPLE_ADDR))) {
		if (f->type[t].asked & SCRIPT_SYM)
			return errbuf__set(
				eb, -EINVAL,
				"Display of symbols requested but neither sample IP nor "
				"sample address available. Hence, no addresses to convert "
				"to symbols.");
		if (f->type[t].asked & SCRIPT_DSO)
			return errbuf__set(eb, -EINVAL,
					   "Display of DSO requested but no address to convert.");
		*fields &= ~(u64)(SCRIPT_SYM | SCRIPT_DSO | SCRIPT_SYMOFF);
	}
	if ((*fields & SCRIPT_SYMOFF) && !(*fields & SCRIPT_SYM)) {
		if (f->type[t].asked & SCRIPT_SYMOFF)
			return errbuf__set(eb, -EINVAL,
					   "Display of offsets requested but symbol "
					   "is not selected.");
		*fields &= ~(u64)SCRIPT_SYMOFF;
	}
	if ((*fields & (SCRIPT_SRCLINE | SCRIPT_SRCCODE)) && !(*fields & SCRIPT_IP))
		return errbuf__set(eb, -EINVAL,
				   "Display of source line number requested but sample IP is not "
				   "selected. Hence, no address to lookup the source line number.");
	if (*fields & SCRIPT_DSOFF)
		*fields |= SCRIPT_DSO;
	return 0;
}

static struct session_event *first_of_type(struct perf_session *s, int t)
{
	for (int i = 0; i < perf_session__nr_events(s); i++) {
		struct session_event *e = perf_session__event(s, i);

		if ((int)script_type__of(session_event__attr(e)) == t)
			return e;
	}
	return NULL;
}

int script_fields__check(struct script_fields *f, struct perf_session *s, bool callchains,
			 struct errbuf *eb)
{
	bool chains = false;

	for (int i = 0; i < perf_session__nr_events(s); i++) {
		const struct perf_event_attr *attr = session_event__attr(perf_session__event(s, i));

		chains |= attr->type == PERF_TYPE_TRACEPOINT &&
			  (attr->sample_type & PERF_SAMPLE_CALLCHAIN);
	}
	for (int t = 0; t < SCRIPT_NR_TYPES; t++) {
		struct session_event *e = first_of_type(s, t);
		int err;

		if (!e && f->type[t].user_set && !f->type[t].any_type && t < SCRIPT_TYPE_SYNTH)
			return errbuf__set(eb, -EINVAL,
					   "%s events do not exist. Remove corresponding -F option "
					   "to proceed.",
					   types[t].name);
		if (!e || !f->type[t].fields)
			continue;
		err = check_event(f, t, e, eb);
		if (err)
			return err;
		if ((f->type[t].fields & SCRIPT_TOD) && !perf_session__info(s)->has_clock_data)
			return errbuf__set(eb, -EINVAL,
					   "Can't provide 'tod' time, missing clock data. Please "
					   "record with -k/--clockid option.");
	}
	if (chains && callchains && !f->type[PERF_TYPE_TRACEPOINT].user_set)
		f->type[PERF_TYPE_TRACEPOINT].fields |=
			SCRIPT_IP | SCRIPT_SYM | SCRIPT_SYMOFF | SCRIPT_DSO;
	return 0;
}
