// SPDX-License-Identifier: GPL-2.0-only
/*
 * PMUs by sysfs: /sys/bus/event_source/devices/PMU has `type` (a number for attr.type), `format/`
 * (which bits of which config word each term fills, "config:0-7,32-35"), `events/` (names for sets
 * of terms, "event=0x3c,umask=0x1") and, for those that are not on every CPU, `cpumask` or `cpus`.
 */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/api/fs.h"
#include "lib/api/sysfs.h"
#include "lib/perf/parse.h"
#include "lib/subcmd/options.h"

#define DEVICES "bus/event_source/devices"

/* Whether @name, as written by the user, means the PMU @pmu. */
static bool matches(const char *name, size_t len, const char *pmu)
{
	size_t n = strlen(pmu);
	char pat[64];

	if (len >= sizeof(pat))
		return false;
	memcpy(pat, name, len);
	pat[len] = 0;
	if (strpbrk(pat, "*?["))
		return !fnmatch(pat, pmu, 0);
	if (n == len)
		return !memcmp(pmu, pat, n);
	/* Numbered boxes answer to their common name: "cbox" is uncore_cbox_0, _1 ... */
	if (!strncmp(pmu, "uncore_", 7) && strncmp(pat, "uncore_", 7))
		return matches(name, len, pmu + 7);
	if (n < len + 2 || strncmp(pmu, pat, len) || pmu[len] != '_')
		return false;
	return strspn(pmu + len + 1, "0123456789") == n - len - 1;
}

struct pmu_list {
	const char *name;
	size_t len;
	char found[256][64];
	int nr;
};

static int collect(void *ctx, const char *pmu)
{
	struct pmu_list *l = ctx;

	if (l->nr < (int)ARRAY_SIZE(l->found) && strlen(pmu) < sizeof(l->found[0]) &&
	    matches(l->name, l->len, pmu))
		strcpy(l->found[l->nr++], pmu);
	return 0;
}

static int cmp_name(const void *a, const void *b)
{
	return strverscmp(a, b);
}

static void find_pmus(struct pmu_list *l, const char *name, size_t len)
{
	l->name = name;
	l->len = len;
	l->nr = 0;
	sysfs__each(DEVICES, collect, l);
	qsort(l->found, l->nr, sizeof(l->found[0]), cmp_name);
	/* An exact name is that PMU alone. */
	for (int i = 0; i < l->nr; i++) {
		if (strlen(l->found[i]) == len && !memcmp(l->found[i], name, len)) {
			memmove(l->found[0], l->found[i], sizeof(l->found[0]));
			l->nr = 1;
		}
	}
}

bool pmu__exists(const char *name, size_t len)
{
	struct pmu_list l;

	find_pmus(&l, name, len);
	return l.nr > 0;
}

char *pmu__nearest(const char *name, size_t len)
{
	const char *names[ARRAY_SIZE(((struct pmu_list *)0)->found) + 1], *near;
	struct pmu_list l;
	char word[64];

	find_pmus(&l, "*", 1);
	for (int i = 0; i < l.nr; i++)
		names[i] = l.found[i];
	names[l.nr] = NULL;
	snprintf(word, sizeof(word), "%.*s", (int)len, name);
	near = nearest_name(word, names);
	return near ? strdup(near) : NULL;
}

static ssize_t read_file(const char *pmu, const char *dir, const char *name, size_t len, char *buf,
			 size_t size)
{
	char path[512];

	/* The name is the user's: it must not walk out of the folder. */
	if (memchr(name, '/', len) || len > 200 || name[0] == '.')
		return -ENOENT;
	snprintf(path, sizeof(path), DEVICES "/%s/%s%.*s", pmu, dir, (int)len, name);
	return sysfs__read_str(path, buf, size);
}

static bool is_side_file(const char *name)
{
	const char *dot = strrchr(name, '.');

	return dot && (!strcmp(dot, ".scale") || !strcmp(dot, ".unit") ||
		       !strcmp(dot, ".per-pkg") || !strcmp(dot, ".snapshot"));
}

/* ---- formats ---- */

/* Spreads @v over the bits of @format ("config1:0-7,21"); *max is what would fit. */
static int apply_format(struct perf_event_attr *a, const char *format, u64 v, u64 *max)
{
	const char *p = format;
	__u64 *words[] = {(__u64 *)&a->config, (__u64 *)&a->config1, (__u64 *)&a->config2};
	u64 mask = 0, bits = 0;
	int n = 0, w = 0;

	if (strncmp(p, "config", 6))
		return -EINVAL;
	p += 6;
	if (isdigit((unsigned char)*p))
		w = *p++ - '0';
	if (*p++ != ':' || w > 2)
		return -EINVAL;
	for (;;) {
		char *end;
		unsigned long lo = strtoul(p, &end, 10), hi = lo;

		if (end == p)
			return -EINVAL;
		if (*end == '-') {
			p = end + 1;
			hi = strtoul(p, &end, 10);
			if (end == p)
				return -EINVAL;
		}
		if (hi > 63 || lo > hi)
			return -EINVAL;
		for (; lo <= hi; lo++, n++) {
			mask |= 1ULL << lo;
			if (n < 64 && (v >> n & 1))
				bits |= 1ULL << lo;
		}
		if (*end != ',')
			break;
		p = end + 1;
	}
	*max = n >= 64 ? UINT64_MAX : (1ULL << n) - 1;
	if (v > *max)
		return -ERANGE;
	*words[w] = (*words[w] & ~mask) | bits;
	return 0;
}

static int apply_format_term(struct parser *ps, const char *pmu, struct term *t, struct evsel *e,
			     const char *format)
{
	u64 v, max;
	int err = term__number(ps, t, &v);

	if (err)
		return err;
	err = apply_format(&e->attr, format, v, &max);
	if (err == -ERANGE)
		return parse_error(ps, t->val ? t->val : t->name, -EINVAL,
				   "term '%.*s': %#llx is too big, its %s bits hold at most %#llx",
				   (int)t->name_len, t->name, (unsigned long long)v, pmu,
				   (unsigned long long)max);
	if (err)
		return parse_error(ps, t->name, -EINVAL,
				   "term '%.*s': cannot make sense of its format '%s' in %s",
				   (int)t->name_len, t->name, format, pmu);
	return 0;
}

/*
 * A name of the events folder stands for its terms. Those written beside it come later in the list
 * or win by being applied after it; a "?" in the file is a value the user has to give.
 */
static int apply_alias(struct parser *ps, const char *pmu, const struct term *alias, char *text,
		       struct terms *given, struct evsel *e)
{
	char *save, *item;

	for (item = strtok_r(text, ",", &save); item; item = strtok_r(NULL, ",", &save)) {
		char format[128], *eq = strchr(item, '=');
		size_t n = eq ? (size_t)(eq - item) : strlen(item);
		u64 v = eq ? strtoull(eq + 1, NULL, 0) : 1, max;
		bool asked = eq && eq[1] == '?', have = false;

		for (int i = 0; asked && i < given->nr; i++)
			have |= given->t[i].name_len == n && !memcmp(given->t[i].name, item, n);
		if (asked && have)
			continue;
		if (asked)
			return parse_error(ps, alias->name, -EINVAL,
					   "event '%.*s' of %s needs a value for '%.*s': "
					   "%s/%.*s,%.*s=VALUE/",
					   (int)alias->name_len, alias->name, pmu, (int)n, item,
					   pmu, (int)alias->name_len, alias->name, (int)n, item);
		if (n >= 6 && !strncmp(item, "config", 6) && n <= 7) {
			__u64 *w = n == 6	    ? (__u64 *)&e->attr.config
				   : item[6] == '1' ? (__u64 *)&e->attr.config1
						    : (__u64 *)&e->attr.config2;
			*w |= v;
			continue;
		}
		if (read_file(pmu, "format/", item, n, format, sizeof(format)) < 0 ||
		    apply_format(&e->attr, format, v, &max))
			return parse_error(ps, alias->name, -EINVAL,
					   "event '%.*s': %s/events has a term '%s' that its "
					   "format/ does not explain",
					   (int)alias->name_len, alias->name, pmu, item);
	}
	return 0;
}

static char *list_names(const char *pmu);

static int apply_terms(struct parser *ps, const char *pmu, struct terms *ts, struct evsel *e)
{
	char text[1024], *more;
	int err;

	/* The alias first, so that single terms can refine it. */
	for (int i = 0; i < ts->nr; i++) {
		struct term *t = &ts->t[i];

		if (t->val ||
		    read_file(pmu, "events/", t->name, t->name_len, text, sizeof(text)) < 0)
			continue;
		err = apply_alias(ps, pmu, t, text, ts, e);
		if (err)
			return err;
		t->used = true;
	}
	for (int i = 0; i < ts->nr; i++) {
		struct term *t = &ts->t[i];

		if (t->used ||
		    read_file(pmu, "format/", t->name, t->name_len, text, sizeof(text)) < 0)
			continue;
		err = apply_format_term(ps, pmu, t, e, text);
		if (err)
			return err;
		t->used = true;
	}
	err = terms__apply(ps, ts, e);
	if (err)
		return err;
	more = list_names(pmu);
	err = terms__check_used(ps, ts, pmu, more);
	free(more);
	return err;
}

struct name_list {
	char *text;
	size_t len;
};

static int append_name(void *ctx, const char *name)
{
	struct name_list *l = ctx;
	char *p;

	if (is_side_file(name) || l->len > 300)
		return 0;
	p = realloc(l->text, l->len + strlen(name) + 3);
	if (!p)
		return -ENOMEM;
	l->text = p;
	l->len += sprintf(p + l->len, "%s%s", l->len ? ", " : "", name);
	return 0;
}

/* "event, umask, edge, tsc", for messages: its formats and events; NULL when there is none. */
static char *list_names(const char *pmu)
{
	struct name_list l = {NULL, 0};
	char path[128];

	snprintf(path, sizeof(path), DEVICES "/%s/format", pmu);
	sysfs__each(path, append_name, &l);
	snprintf(path, sizeof(path), DEVICES "/%s/events", pmu);
	sysfs__each(path, append_name, &l);
	return l.text;
}

static struct cpu_map *pmu_cpus(const char *pmu)
{
	char text[4096];

	if (read_file(pmu, "", "cpumask", 7, text, sizeof(text)) <= 0 &&
	    read_file(pmu, "", "cpus", 4, text, sizeof(text)) <= 0)
		return NULL;
	return cpu_map__parse_any(text, NULL);
}

int pmu__add(struct parser *ps, const char *name, size_t len, struct terms *ts)
{
	struct pmu_list l;

	find_pmus(&l, name, len);
	for (int i = 0; i < l.nr; i++) {
		char path[128];
		struct evsel *e;
		s64 type;
		int err;

		snprintf(path, sizeof(path), DEVICES "/%s/type", l.found[i]);
		err = sysfs__read_int(path, &type);
		if (err)
			return parse_error(ps, name, err, "PMU '%s': cannot read /sys/%s: %s",
					   l.found[i], path, strerror(-err));
		e = evlist__add(ps->l);
		if (!e)
			return errbuf__set(ps->eb, -ENOMEM, "out of memory for an event");
		e->attr.type = type;
		e->attr.exclude_guest = 1;
		e->pmu = strdup(l.found[i]);
		e->cpus = pmu_cpus(l.found[i]);
		for (int k = 0; k < ts->nr; k++)
			ts->t[k].used = false;
		err = e->pmu ? apply_terms(ps, l.found[i], ts, e) : -ENOMEM;
		if (err)
			return err;
	}
	return 0;
}

char *pmu__find_event(const char *name, size_t len)
{
	struct pmu_list l;
	char text[1024];

	find_pmus(&l, "*", 1);
	for (int i = 0; i < l.nr; i++)
		if (read_file(l.found[i], "events/", name, len, text, sizeof(text)) >= 0)
			return strdup(l.found[i]);
	return NULL;
}

/* ---- for perf list ---- */

struct each_event {
	pmu_event_cb cb;
	void *ctx;
	const char *pmu;
};

static int each_event(void *ctx, const char *name)
{
	struct each_event *x = ctx;
	char text[1024];

	if (is_side_file(name) ||
	    read_file(x->pmu, "events/", name, strlen(name), text, sizeof(text)) < 0)
		return 0;
	return x->cb(x->ctx, x->pmu, name, text);
}

int pmu__each_event(pmu_event_cb cb, void *ctx)
{
	struct pmu_list l;
	int err = 0;

	find_pmus(&l, "*", 1);
	for (int i = 0; i < l.nr && !err; i++) {
		struct each_event x = {cb, ctx, l.found[i]};
		char path[128];

		snprintf(path, sizeof(path), DEVICES "/%s/events", l.found[i]);
		err = sysfs__each(path, each_event, &x);
		if (err == -ENOENT)
			err = 0;
	}
	return err;
}
