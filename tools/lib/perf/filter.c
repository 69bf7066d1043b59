// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tracepoint filters. The kernel parses them when they are set (PERF_EVENT_IOC_SET_FILTER) and says
 * no more than EINVAL; what is wrong is found here, by the event's own list of fields.
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/api/tracefs.h"
#include "lib/perf/internal.h"
#include "lib/subcmd/options.h"

static int append_filter(struct evsel *e, const char *filter)
{
	char *s;
	int n;

	if (e->filter)
		n = asprintf(&s, "(%s) && (%s)", e->filter, filter);
	else
		n = asprintf(&s, "%s", filter);
	if (n < 0)
		return -ENOMEM;
	free(e->filter);
	e->filter = s;
	return 0;
}

int evlist__set_filter(struct evlist *l, const char *filter, struct errbuf *eb)
{
	if (!l->nr || l->last_parse >= l->nr)
		return errbuf__set(eb, -EINVAL,
				   "--filter '%s' belongs behind the -e with its tracepoint",
				   filter);
	for (int i = l->last_parse; i < l->nr; i++)
		if (!l->e[i]->tp_system)
			return errbuf__set(
				eb, -EINVAL,
				"--filter '%s' belongs behind the -e with its tracepoint: "
				"%s is none",
				filter, evsel__name(l->e[i]));
	for (int i = l->last_parse; i < l->nr; i++)
		if (append_filter(l->e[i], filter))
			return errbuf__set(eb, -ENOMEM, "out of memory for a filter");
	return 0;
}

int evlist__add_filter_all(struct evlist *l, const char *filter)
{
	for (int i = 0; i < l->nr; i++)
		if (l->e[i]->tp_system && append_filter(l->e[i], filter))
			return -ENOMEM;
	return 0;
}

/* ---- why it was refused ---- */

#define MAX_FIELDS 256
struct fields {
	char *text; /* the format file; the names below point into it */
	const char *name[MAX_FIELDS + 1];
	int nr;
};

/* "\tfield:unsigned short common_type;\toffset:0;...": the name is the last word before ';' or '['.
 */
static void fields__read(struct fields *f, const struct evsel *e)
{
	static const char *const built_in[] = {"CPU", "cpu", "COMM", "comm", "common_cpu"};
	char *line, *save;

	f->nr = 0;
	for (unsigned int i = 0; i < ARRAY_SIZE(built_in); i++)
		f->name[f->nr++] = built_in[i];
	f->text = tracefs__event_format(e->tp_system, e->tp_name, NULL, NULL);
	for (line = f->text ? strtok_r(f->text, "\n", &save) : NULL; line && f->nr < MAX_FIELDS;
	     line = strtok_r(NULL, "\n", &save)) {
		char *p = strstr(line, "field:"), *end, *start;

		if (!p)
			continue;
		end = strchr(p, ';');
		if (!end)
			continue;
		*end = 0;
		start = strchr(p, '[');
		if (start)
			*start = 0;
		for (end = p + strlen(p); end > p && isspace((unsigned char)end[-1]);)
			*--end = 0;
		for (start = end;
		     start > p && (isalnum((unsigned char)start[-1]) || start[-1] == '_');)
			start--;
		f->name[f->nr++] = start;
	}
	f->name[f->nr] = NULL;
}

static bool fields__has(const struct fields *f, const char *s)
{
	for (int i = 0; i < f->nr; i++)
		if (!strcmp(f->name[i], s))
			return true;
	return false;
}

/* Skips one value behind an operator: a number, a word, or a quoted string. NULL: there is none, or
 * its quote is open. */
static const char *skip_value(const char *p)
{
	const char *end;

	while (isspace((unsigned char)*p))
		p++;
	if (*p == '"' || *p == '\'') {
		end = strchr(p + 1, *p);
		return end ? end + 1 : NULL;
	}
	end = p;
	while (*end && !isspace((unsigned char)*end) && !strchr("()&|", *end))
		end++;
	return end > p ? end : NULL;
}

/* What is wrong with filter @s, as text in @why; false: nothing that shows. */
static bool explain(const char *s, const struct fields *f, char *why, size_t size, int *col)
{
	int depth = 0;

	for (const char *p = s; *p;) {
		static const char *const ops[] = {"==", "!=", "<=", ">=", "<", ">", "&", "~", NULL};
		char word[64];
		size_t n = 0, op = 0;

		*col = p - s;
		if (isspace((unsigned char)*p) || *p == '!' || *p == '&' || *p == '|') {
			p++;
			continue;
		}
		if (*p == '(' || *p == ')') {
			depth += *p++ == '(' ? 1 : -1;
			if (depth < 0) {
				snprintf(why, size, "a ')' without its '('");
				return true;
			}
			continue;
		}
		while ((isalnum((unsigned char)p[n]) || p[n] == '_') && n < sizeof(word) - 1)
			n++;
		memcpy(word, p, n);
		word[n] = 0;
		if (!n || !fields__has(f, word)) {
			const char *near = nearest_name(word, f->name);

			snprintf(why, size, "there is no field '%s'%s%s%s", n ? word : p,
				 near ? ", did you mean '" : "", near ? near : "",
				 near ? "'?" : "");
			return true;
		}
		p += n;
		while (isspace((unsigned char)*p))
			p++;
		*col = p - s;
		/* The function of a CPU mask: CPUS{0-3}; the field's kind decides what may follow.
		 */
		while (ops[op] && strncmp(p, ops[op], strlen(ops[op])))
			op++;
		if (!ops[op]) {
			snprintf(why, size,
				 "an operator (== != < <= > >= & ~) is expected behind '%s'", word);
			return true;
		}
		p += strlen(ops[op]);
		*col = p - s;
		p = skip_value(p);
		if (!p) {
			snprintf(why, size, "a value, or its closing quote, is missing");
			return true;
		}
	}
	*col = strlen(s);
	if (depth > 0)
		snprintf(why, size, "%d ')' are missing", depth);
	return depth > 0;
}

int evsel__filter_error(const struct evsel *e, int err, struct errbuf *eb)
{
	struct fields *f;
	char why[256];
	int col;

	/* Mistakes come back as EINVAL, ENOENT or EPERM, by where the kernel's parser stopped. */
	if (err == -EACCES || err == -EFAULT || !(f = calloc(1, sizeof(*f))))
		return errbuf__set(eb, err, "filter '%s' of %s: %s", e->filter, evsel__name(e),
				   strerror(-err));
	fields__read(f, e);
	if (!explain(e->filter, f, why, sizeof(why), &col)) {
		snprintf(why, sizeof(why),
			 "the kernel refuses it: a value does not suit its field (a "
			 "text needs quotes and ==, != or ~, a number none)");
		col = 0;
	}
	errbuf__set(eb, err, "filter of %s: %s; fields:", evsel__name(e), why);
	for (int i = 5; i < f->nr; i++)
		if (strncmp(f->name[i], "common_", 7) || !strcmp(f->name[i], "common_pid"))
			errbuf__append(eb, " %s", f->name[i]);
	errbuf__append(eb, "\n  %s\n  %*s^", e->filter, col, "");
	free(f->text);
	free(f);
	errno = -err;
	return err;
}
