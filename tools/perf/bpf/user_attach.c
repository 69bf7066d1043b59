// SPDX-License-Identifier: GPL-2.0-only
/* Attaching a user's programs to the descriptors of events. */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "bpf/user_prog_priv.h"
#include "lib/perf/evlist.h"

struct attach {
	struct user_prog *up;
	struct errbuf *eb;
	struct bpf_program *prog; /* for the event at hand */
	int event_idx;
	bool no_links; /* a kernel before 5.15 */
	bool once;     /* tracepoints: the program hangs on the tracepoint, not on the descriptor */
	int done;
};

static enum bpf_prog_type type_for(const struct evsel *e)
{
	return evsel__is_tracepoint(e) ? BPF_PROG_TYPE_TRACEPOINT : BPF_PROG_TYPE_PERF_EVENT;
}

static bool wants_program(const struct evsel *e)
{
	return !evsel__is_dummy(e) && !evsel__is_bpf_output(e);
}

static void name_programs(struct user_prog *up, enum bpf_prog_type type, struct errbuf *eb)
{
	const char *sep = "";

	for (int i = 0; i < up->nr_progs; i++) {
		if (bpf_program__type(up->progs[i].prog) != type)
			continue;
		errbuf__append(eb, "%s%s", sep, bpf_program__name(up->progs[i].prog));
		sep = ", ";
	}
}

static int no_such_type(struct user_prog *up, const struct evsel *e, struct errbuf *eb)
{
	if (!evsel__is_tracepoint(e))
		return errbuf__set(eb, -EINVAL,
				   "%s: its programs are for tracepoints; event '%s' needs one in "
				   "section perf_event",
				   up->path, evsel__name(e));
	return errbuf__set(
		eb, -EINVAL,
		"%s: event '%s' is a tracepoint, where the kernel runs no perf_event "
		"programs: put the program into section tp/%s/%s, or choose another event",
		up->path, evsel__name(e), evsel__tp_system(e), evsel__tp_name(e));
}

/* The program for @e: the only one of its type, or the one at its place among as many events. */
static struct bpf_program *program_for(struct user_prog *up, struct evlist *l,
				       const struct evsel *e, struct errbuf *eb)
{
	enum bpf_prog_type type = type_for(e);
	struct bpf_program *only = NULL, *found = NULL;
	int nr_events = 0, at = 0, nr_progs = 0;
	struct evsel *o;

	evlist__for_each (l, o) {
		if (!wants_program(o) || type_for(o) != type)
			continue;
		if (o == e)
			at = nr_events;
		nr_events++;
	}
	for (int i = 0; i < up->nr_progs; i++) {
		if (bpf_program__type(up->progs[i].prog) != type)
			continue;
		only = up->progs[i].prog;
		if (nr_progs++ == at)
			found = only;
	}
	if (!nr_progs)
		return no_such_type(up, e, eb), NULL;
	if (nr_progs == 1)
		return only;
	if (nr_progs == nr_events)
		return found;
	errbuf__set(eb, -EINVAL, "%s has %d programs (", up->path, nr_progs);
	name_programs(up, type, eb);
	errbuf__append(eb, ") for %d event%s: name one, %s:PROGRAM, or give as many events",
		       nr_events, nr_events == 1 ? "" : "s", up->path);
	errno = EINVAL;
	return NULL;
}

static int keep_link(struct user_prog *up, int fd)
{
	if (up->nr_links == up->cap_links) {
		int cap = up->cap_links ? up->cap_links * 2 : 64;
		int *links = realloc(up->links, cap * sizeof(*links));

		if (!links)
			return -ENOMEM;
		up->links = links;
		up->cap_links = cap;
	}
	up->links[up->nr_links++] = fd;
	return 0;
}

static bool raise_fd_limit(void)
{
	struct rlimit r;

	if (getrlimit(RLIMIT_NOFILE, &r) || r.rlim_cur >= r.rlim_max)
		return false;
	r.rlim_cur = r.rlim_max;
	return !setrlimit(RLIMIT_NOFILE, &r);
}

static int attach_link(struct attach *a, int prog_fd, int fd)
{
	LIBBPF_OPTS(bpf_link_create_opts, opts, .perf_event.bpf_cookie = a->event_idx);
	int link = bpf_link_create(prog_fd, fd, BPF_PERF_EVENT, &opts), err;

	if (link == -EMFILE && raise_fd_limit())
		link = bpf_link_create(prog_fd, fd, BPF_PERF_EVENT, &opts);
	if (link < 0)
		return link;
	err = keep_link(a->up, link);
	if (err)
		close(link);
	return err;
}

static int attach_fd(void *ctx, struct evsel *e, int fd, int cpu, pid_t tid)
{
	struct attach *a = ctx;
	int prog_fd = bpf_program__fd(a->prog), err = -EINVAL;
	const char *why;

	if (a->once && tid > 0)
		return errbuf__set(
			a->eb, -EINVAL,
			"a program on tracepoint '%s' would run for every process, whatever "
			"is asked for: sample all CPUs, and let it select",
			evsel__name(e));
	if (a->once && a->done)
		return 0;
	if (!a->no_links)
		err = attach_link(a, prog_fd, fd);
	if (err == -EINVAL || err == -EOPNOTSUPP) {
		/* Before 5.15 there are no perf links; the same error stands for a wrong event. */
		err = ioctl(fd, PERF_EVENT_IOC_SET_BPF, prog_fd) ? -errno : 0;
		if (!err)
			a->no_links = true;
	}
	if (!err) {
		a->done++;
		return 0;
	}
	why = err == -EEXIST ? "the event has a program already"
	      : err == -EPROTO
		      ? "a program that takes stacks of a precise event needs -g, or drop the :p"
	      : err == -EINVAL || err == -EOPNOTSUPP ? "this event takes no program of this type"
						     : strerror(-err);
	errbuf__set(a->eb, err, "cannot attach program '%s' to event '%s'",
		    bpf_program__name(a->prog), evsel__name(e));
	if (cpu >= 0)
		errbuf__append(a->eb, " on CPU %d", cpu);
	if (tid > 0)
		errbuf__append(a->eb, " of thread %d", (int)tid);
	errbuf__append(a->eb, ": %s", why);
	return err;
}

int user_prog__attach(struct user_prog *up, struct evlist *l, struct errbuf *eb)
{
	struct attach a = {.up = up, .eb = eb};
	struct evsel *e;
	int err = 0, total = 0;

	evlist__for_each (l, e) {
		if (!wants_program(e))
			continue;
		a.prog = program_for(up, l, e, eb);
		if (!a.prog) {
			err = -EINVAL;
			break;
		}
		a.event_idx = evsel__idx(e);
		a.once = evsel__is_tracepoint(e);
		a.done = 0;
		err = evlist__each_fd(l, e, attach_fd, &a);
		if (err)
			break;
		total += a.done;
	}
	if (!err && !total)
		err = errbuf__set(eb, -ENOENT, "no event to attach %s to", up->path);
	if (err)
		user_prog__detach(up);
	return err;
}

void user_prog__detach(struct user_prog *up)
{
	for (int i = 0; i < up->nr_links; i++)
		close(up->links[i]);
	free(up->links);
	up->links = NULL;
	up->nr_links = up->cap_links = 0;
}
