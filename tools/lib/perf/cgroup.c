// SPDX-License-Identifier: GPL-2.0-only
/* -G: events bound to cgroups, in the perf_event hierarchy (v1) or the unified one (v2). */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/perf/internal.h"

/* /proc/mounts writes blanks and backslashes as \NNN. */
static void unescape(char *s)
{
	char *out = s;

	for (; *s; s++) {
		if (s[0] == '\\' && s[1] >= '0' && s[1] <= '3' && s[2] && s[3]) {
			*out++ = (s[1] - '0') * 64 + (s[2] - '0') * 8 + (s[3] - '0');
			s += 3;
		} else {
			*out++ = *s;
		}
	}
	*out = 0;
}

/* Where perf events look for their cgroups: v1's perf_event controller wins, as in the kernel. */
static int cgroup_root(char *root, size_t size, struct errbuf *eb)
{
	FILE *f = fopen("/proc/self/mounts", "re");
	char *line = NULL, v2[PATH_MAX] = "";
	size_t cap = 0;

	if (!f)
		return errbuf__set(eb, -errno, "cannot open /proc/self/mounts: %s",
				   strerror(errno));
	root[0] = 0;
	while (!root[0] && getline(&line, &cap, f) > 0) {
		char *save, *dev = strtok_r(line, " ", &save), *dir = strtok_r(NULL, " ", &save);
		char *type = strtok_r(NULL, " ", &save), *opts = strtok_r(NULL, " ", &save);

		if (!dev || !dir || !type || !opts)
			continue;
		unescape(dir);
		if (!strcmp(type, "cgroup2") && !v2[0])
			snprintf(v2, sizeof(v2), "%s", dir);
		if (strcmp(type, "cgroup"))
			continue;
		for (char *o = strtok_r(opts, ",", &save); o; o = strtok_r(NULL, ",", &save))
			if (!strcmp(o, "perf_event"))
				snprintf(root, size, "%s", dir);
	}
	free(line);
	fclose(f);
	if (!root[0])
		snprintf(root, size, "%s", v2);
	if (!root[0])
		return errbuf__set(eb, -ENOENT,
				   "-G: neither a cgroup v1 perf_event hierarchy nor "
				   "cgroup v2 is mounted");
	return 0;
}

static int open_cgroup(struct evsel *e, const char *name, struct errbuf *eb)
{
	char root[PATH_MAX / 2], path[PATH_MAX];
	int err = cgroup_root(root, sizeof(root), eb);

	if (err)
		return err;
	if ((size_t)snprintf(path, sizeof(path), "%s/%s", root, name) >= sizeof(path))
		return errbuf__set(eb, -ENAMETOOLONG, "-G: the cgroup's name is too long");
	e->cgroup_fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (e->cgroup_fd < 0)
		return errbuf__set(eb, -errno, "-G: cannot open cgroup '%s' (%s): %s", name, path,
				   strerror(errno));
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
