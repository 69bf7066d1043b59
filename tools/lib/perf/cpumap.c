// SPDX-License-Identifier: GPL-2.0-only
/* CPU lists: what the user gave with -C, and what the kernel says is there. */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/perf/target.h"

#define CPU_LIMIT 65536 /* more than any kernel is built for */

/* A set under construction: one byte a CPU keeps repeats and order trivial. */
struct cpu_set {
	u8 *has;
	int max; /* one more than the highest CPU */
};

static int cpu_set__add(struct cpu_set *s, long lo, long hi)
{
	if (hi >= s->max) {
		u8 *has = realloc(s->has, hi + 1);

		if (!has)
			return -ENOMEM;
		memset(has + s->max, 0, hi + 1 - s->max);
		s->has = has;
		s->max = hi + 1;
	}
	memset(s->has + lo, 1, hi - lo + 1);
	return 0;
}

static struct cpu_map *cpu_set__map(const struct cpu_set *s)
{
	struct cpu_map *m;
	int nr = 0;

	for (int i = 0; i < s->max; i++)
		nr += s->has[i];
	m = malloc(sizeof(*m) + nr * sizeof(m->cpu[0]));
	if (!m)
		return NULL;
	m->nr = 0;
	for (int i = 0; i < s->max; i++)
		if (s->has[i])
			m->cpu[m->nr++] = i;
	return m;
}

/* Returns NULL when fine, else where the text stops making sense, with *why. */
static const char *cpu_set__parse(struct cpu_set *s, const char *list, const char **why)
{
	const char *p = list;

	for (;;) {
		const char *start = p;
		char *end;
		long lo, hi;

		*why = "a CPU number is expected";
		if (!isdigit((unsigned char)*p))
			return p;
		lo = hi = strtol(p, &end, 10);
		p = end;
		if (*p == '-') {
			p++;
			if (!isdigit((unsigned char)*p))
				return p;
			hi = strtol(p, &end, 10);
			*why = "the range is empty";
			if (hi < lo)
				return start;
			p = end;
		}
		*why = "no machine has so many CPUs";
		if (hi >= CPU_LIMIT)
			return start;
		*why = "out of memory";
		if (cpu_set__add(s, lo, hi))
			return start;
		if (!*p || *p == '\n')
			return NULL;
		*why = "',' or '-' is expected";
		if (*p != ',')
			return p;
		p++;
	}
}

static int read_list(const char *path, struct cpu_set *s, struct errbuf *eb)
{
	char buf[8192];
	const char *why;
	ssize_t n;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return errbuf__set(eb, -errno, "cannot open %s: %s", path, strerror(errno));
	n = read(fd, buf, sizeof(buf) - 1);
	close(fd);
	if (n < 0)
		return errbuf__set(eb, -EIO, "cannot read %s", path);
	buf[n] = 0;
	if (cpu_set__parse(s, buf, &why))
		return errbuf__set(eb, -EINVAL, "%s: cannot make sense of '%s': %s", path, buf,
				   why);
	return 0;
}

struct cpu_map *cpu_map__online(struct errbuf *eb)
{
	struct cpu_set s = {NULL, 0};
	struct cpu_map *m = NULL;

	if (!read_list("/sys/devices/system/cpu/online", &s, NULL)) {
		m = cpu_set__map(&s);
		if (!m)
			errbuf__set(eb, -ENOMEM, "out of memory for the CPU list");
	} else {
		/* No sysfs (a bare chroot): the C library asks /proc/stat or the scheduler. */
		long n = sysconf(_SC_NPROCESSORS_ONLN);

		if (n < 1 || cpu_set__add(&s, 0, n - 1) || !(m = cpu_set__map(&s)))
			errbuf__set(eb, -ENOENT,
				    "cannot find out which CPUs are online: "
				    "/sys/devices/system/cpu/online is not readable");
	}
	free(s.has);
	return m;
}

struct cpu_map *cpu_map__parse_any(const char *list, struct errbuf *eb)
{
	struct cpu_set s = {NULL, 0};
	struct cpu_map *m = NULL;
	const char *why, *at = cpu_set__parse(&s, list, &why);

	if (at) {
		errbuf__set(eb, -EINVAL, "CPU list '%s': %s (column %d)", list, why,
			    (int)(at - list) + 1);
	} else {
		m = cpu_set__map(&s);
		if (!m)
			errbuf__set(eb, -ENOMEM, "out of memory for the CPU list");
	}
	free(s.has);
	return m;
}

struct cpu_map *cpu_map__parse(const char *list, struct errbuf *eb)
{
	struct cpu_map *online, *m = cpu_map__parse_any(list, eb);

	if (!m)
		return NULL;
	online = cpu_map__online(eb);
	if (!online) {
		free(m);
		return NULL;
	}
	for (int i = 0; i < m->nr; i++) {
		bool there = m->cpu[i] < cpu_map__max_possible();

		if (cpu_map__has(online, m->cpu[i]))
			continue;
		errbuf__set(eb, -ENODEV,
			    "CPU list '%s': CPU %d %s (see "
			    "/sys/devices/system/cpu/online)",
			    list, m->cpu[i],
			    there ? "is offline" : "does not exist on this machine");
		free(m);
		m = NULL;
		break;
	}
	free(online);
	if (!m)
		errno = ENODEV;
	return m;
}

struct cpu_map *cpu_map__any(void)
{
	struct cpu_map *m = malloc(sizeof(*m) + sizeof(m->cpu[0]));

	if (m) {
		m->nr = 1;
		m->cpu[0] = -1;
	}
	return m;
}

bool cpu_map__has(const struct cpu_map *m, int cpu)
{
	int lo = 0, hi = m->nr;

	while (lo < hi) {
		int mid = (lo + hi) / 2;

		if (m->cpu[mid] == cpu)
			return true;
		if (m->cpu[mid] < cpu)
			lo = mid + 1;
		else
			hi = mid;
	}
	return false;
}

int cpu_map__max_possible(void)
{
	static int cached;
	struct cpu_set s = {NULL, 0};

	if (cached)
		return cached;
	if (!read_list("/sys/devices/system/cpu/possible", &s, NULL) && s.max > 0) {
		cached = s.max;
	} else {
		long n = sysconf(_SC_NPROCESSORS_CONF);

		cached = n > 0 ? n : 1;
	}
	free(s.has);
	return cached;
}
