// SPDX-License-Identifier: GPL-2.0-only
/* Formats of the recorded tracepoints out of tracefs: the TRACING_DATA section. Layout: tep.h. */
#include <endian.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/api/tracefs.h"
#include "session/writer-internal.h"

#define FORMAT_MAX (1UL << 20)
#define TEXT_MAX (32UL << 20)

/* A file with its length in front, of @len_size bytes. One that is not there: length 0. */
static void put_file(struct wbuf *b, const char *rel, int len_size)
{
	size_t n = 0;
	char *text = tracefs__read(rel, TEXT_MAX, &n, NULL);

	if (len_size == 4)
		wbuf__u32(b, text ? n : 0);
	else
		wbuf__u64(b, text ? n : 0);
	if (text)
		wbuf__put(b, text, n);
	free(text);
}

static bool seen_before(const struct perf_writer *w, int i, bool whole)
{
	for (int k = 0; k < i; k++) {
		const struct w_event *a = &w->ev[k], *e = &w->ev[i];

		if (a->tp_system && !strcmp(a->tp_system, e->tp_system) &&
		    (!whole || !strcmp(a->tp_name, e->tp_name)))
			return true;
	}
	return false;
}

static int put_system(struct perf_writer *w, struct wbuf *b, int first, struct errbuf *eb)
{
	const char *system = w->ev[first].tp_system;
	size_t at;
	u32 nr = 0;

	wbuf__put(b, system, strlen(system) + 1);
	at = b->n;
	wbuf__u32(b, 0);
	for (int i = first; i < w->nr_ev; i++) {
		const struct w_event *e = &w->ev[i];
		size_t n;
		char *text;

		if (!e->tp_system || strcmp(e->tp_system, system) || seen_before(w, i, true))
			continue;
		text = tracefs__event_format(system, e->tp_name, &n, eb);
		if (!text)
			return -errno;
		wbuf__u64(b, n);
		wbuf__put(b, text, n);
		free(text);
		nr++;
	}
	wbuf__set_u32(b, at, nr);
	return 0;
}

int writer__read_tracing(struct perf_writer *w, struct errbuf *eb)
{
	static const char magic[] = {23, 8, 68, 't', 'r', 'a', 'c', 'i', 'n', 'g'};
	struct wbuf *b = &w->tracing;
	u32 systems = 0;
	u8 order[2] = {__BYTE_ORDER == __BIG_ENDIAN, sizeof(long)};

	for (int i = 0; i < w->nr_ev; i++)
		systems += w->ev[i].tp_system && !seen_before(w, i, false);
	if (!systems)
		return 0;
	wbuf__put(b, magic, sizeof(magic));
	wbuf__put(b, "0.6", 4);
	wbuf__put(b, order, 2);
	wbuf__u32(b, sysconf(_SC_PAGESIZE));
	wbuf__put(b, "header_page", 12);
	put_file(b, "events/header_page", 8);
	wbuf__put(b, "header_event", 13);
	put_file(b, "events/header_event", 8);
	wbuf__u32(b, 0); /* formats of ftrace's own events */
	wbuf__u32(b, systems);
	for (int i = 0; i < w->nr_ev; i++) {
		if (w->ev[i].tp_system && !seen_before(w, i, false)) {
			int err = put_system(w, b, i, eb);

			if (err)
				return err;
		}
	}
	wbuf__u32(b, 0); /* kallsyms: upstream leaves it empty, too */
	put_file(b, "printk_formats", 4);
	put_file(b, "saved_cmdlines", 8);
	return b->bad ? errbuf__set(eb, -ENOMEM, "no memory for the tracepoints' formats") : 0;
}
