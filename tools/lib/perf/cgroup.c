// SPDX-License-Identifier: GPL-2.0-only
/* -G: events bound to cgroups. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/api/cgroupfs.h"
#include "lib/perf/internal.h"

static int open_cgroup(struct evsel *e, const char *name, struct errbuf *eb)
{
	int fd = cgroupfs__open(name, eb);

	if (fd < 0) {
		errbuf__prefix(eb, "-G: ");
		return fd;
	}
	e->cgroup_fd = fd;
	free(e->cgroup);
	e->cgroup = strdup(name);
	return e->cgroup ? 0 : errbuf__set(eb, -ENOMEM, "out of memory");
}

int evlist__open_cgroups(struct evlist *l, struct errbuf *eb)
{
	const char *list = l->opts.target->cgroups;
	int n = 1, i = 0, err = 0;
	char *copy, *save;

	if (!list || l->e[0]->cgroup_fd >= 0)
		return 0;
	for (const char *p = list; *p; p++)
		n += *p == ',';
	copy = strdup(list);
	if (!copy)
		return errbuf__set(eb, -ENOMEM, "out of memory");
	if (n == 1) {
		for (i = 0; i < l->nr && !err; i++)
			if (!l->e[i]->dummy)
				err = open_cgroup(l->e[i], list, eb);
		free(copy);
		return err;
	}
	/* One name an event, in order; an empty name leaves its event system-wide. */
	save = copy;
	for (char *name; (name = strsep(&save, ",")) && !err; i++) {
		while (i < l->nr && l->e[i]->dummy)
			i++;
		if (i >= l->nr)
			err = errbuf__set(eb, -EINVAL,
					  "-G '%s': %d cgroups, but only %d event%s: "
					  "give one for each, or a single one",
					  list, n, i, i == 1 ? "" : "s");
		else if (*name)
			err = open_cgroup(l->e[i], name, eb);
	}
	free(copy);
	return err;
}
