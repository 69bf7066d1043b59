// SPDX-License-Identifier: GPL-2.0-only
/* Event syntax: the text after -e. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/perf/internal.h"
#include "lib/perf/names.h"

int evsel__filter_error(const struct evsel *e, int err, struct errbuf *eb)
{
	return errbuf__set(eb, err, "filter '%s' of %s is refused: %s", e->filter, evsel__name(e),
			   strerror(-err));
}

static int one(struct evlist *l, const char *s, size_t len, struct errbuf *eb)
{
	const char *colon = memchr(s, ':', len);
	size_t n = colon ? (size_t)(colon - s) : len;
	const struct event_name *en = event_name__find(s, n);
	struct evsel *e;

	if (!en)
		return errbuf__set(eb, -ENOENT, "event '%.*s': no such event (see perf list)",
				   (int)len, s);
	e = evlist__add(l);
	if (!e || evsel__set_name(e, "%.*s", (int)len, s))
		return errbuf__set(eb, -ENOMEM, "out of memory");
	e->attr.type = en->type;
	e->attr.config = en->config;
	e->attr.exclude_guest = 1;
	e->may_fall_back = en->type == PERF_TYPE_HARDWARE && !en->config;
	for (const char *m = s + n + 1; m < s + len; m++) {
		if (!strchr("ukh", *m))
			return errbuf__set(eb, -EINVAL, "event '%.*s': no such modifier '%c'",
					   (int)len, s, *m);
		if (!e->exclude_given)
			e->attr.exclude_user = e->attr.exclude_kernel = e->attr.exclude_hv = 1;
		e->exclude_given = true;
		if (*m == 'u')
			e->attr.exclude_user = 0;
		if (*m == 'k')
			e->attr.exclude_kernel = 0;
		if (*m == 'h')
			e->attr.exclude_hv = 0;
	}
	return 0;
}

int evlist__parse(struct evlist *l, const char *str, struct errbuf *eb)
{
	int first = l->nr, err = 0;

	do {
		size_t len = strcspn(str, ",");

		err = one(l, str, len, eb);
		str += len;
	} while (!err && *str++);
	if (err)
		evlist__truncate(l, first);
	return err;
}

int evlist__set_filter(struct evlist *l, const char *filter, struct errbuf *eb)
{
	(void)l;
	return errbuf__set(eb, -EINVAL, "--filter '%s' needs a tracepoint before it", filter);
}
