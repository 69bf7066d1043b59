// SPDX-License-Identifier: GPL-2.0-only
/* --per-event-dump: a file for each event, RECORDING.EVENT.dump. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "output/script-internal.h"

struct event_file {
	struct outbuf ob;
	char *path;
	u64 samples;
};

/* An event's name may hold slashes (cpu/event=1/): in a file's name they would be folders. */
static char *make_path(const struct script *s, const struct script_event *ev)
{
	char *path, *name;

	if (asprintf(&path, "%s.%s.dump", perf_session__path(s->session),
		     session_event__name(ev->e)) < 0)
		return NULL;
	name = path + strlen(perf_session__path(s->session)) + 1;
	for (; *name; name++)
		if (*name == '/')
			*name = '_';
	return path;
}

static struct event_file *open_file(struct script *s, const struct script_event *ev)
{
	struct event_file *f = calloc(1, sizeof(*f));
	int fd = -1, err = ENOMEM;

	if (f)
		f->path = make_path(s, ev);
	if (f && f->path) {
		fd = open(f->path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
		err = errno;
	}
	if (fd >= 0 && outbuf__init(&f->ob, fd, 0)) {
		err = ENOMEM;
		close(fd);
		fd = -1;
	}
	if (fd >= 0)
		return f;
	errbuf__set(s->eb, -err, "cannot create %s: %s", f && f->path ? f->path : "a file",
		    strerror(err));
	if (f)
		free(f->path);
	free(f);
	errno = err;
	return NULL;
}

static int need_file(struct script *s, const struct script_event *ev)
{
	int idx = session_event__idx(ev->e);

	if (idx >= s->nr_files) {
		struct event_file **more =
			realloc(s->files, (idx + 1) * sizeof(struct event_file *));

		if (!more)
			return errbuf__set(s->eb, -ENOMEM, "no memory for files of events");
		memset(more + s->nr_files, 0, (idx + 1 - s->nr_files) * sizeof(*more));
		s->files = more;
		s->nr_files = idx + 1;
	}
	if (!s->files[idx])
		s->files[idx] = open_file(s, ev);
	return s->files[idx] ? 0 : -errno;
}

int script_perevent__begin(struct script *s, const struct script_event *ev)
{
	int err = need_file(s, ev);
	struct event_file *f;

	if (err)
		return err;
	f = s->files[session_event__idx(ev->e)];
	f->samples++;
	s->common_ob = s->ob;
	s->ob = &f->ob;
	return 0;
}

int script_perevent__end(struct script *s)
{
	int err = s->ob->err;

	s->ob = s->common_ob;
	return err;
}

int script_perevent__finish(struct script *s)
{
	/* An event without samples has an empty file. */
	for (int i = 0; i < s->nr_events; i++) {
		int err = need_file(s, s->events[i]);

		if (err)
			return err;
	}
	for (int i = 0; i < s->nr_files; i++) {
		struct event_file *f = s->files[i];
		int err;

		if (!f)
			continue;
		err = outbuf__flush(&f->ob);
		if (err)
			return errbuf__set(s->eb, err, "cannot write %s: %s", f->path,
					   strerror(-err));
		outbuf__printf(s->ob, "[ perf script: Wrote %.3f MB ", f->ob.total / 1048576.0);
		outbuf__safe(s->ob, f->path, strlen(f->path));
		outbuf__printf(s->ob, " (%llu samples) ]\n", (unsigned long long)f->samples);
	}
	return 0;
}

void script_perevent__exit(struct script *s)
{
	for (int i = 0; i < s->nr_files; i++) {
		struct event_file *f = s->files[i];

		if (!f)
			continue;
		close(f->ob.fd);
		outbuf__exit(&f->ob);
		free(f->path);
		free(f);
	}
	free(s->files);
}
