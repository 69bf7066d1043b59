// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "output/script-internal.h"

#define CGROUPS_MAX (1 << 20) /* a file that names more is made up */

/* Where @id is, or would be. */
static u32 place(const struct script *s, u64 id)
{
	u32 lo = 0, hi = s->nr_cgroups;

	while (lo < hi) {
		u32 mid = (lo + hi) / 2;

		if (s->cgroups[mid].id < id)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

const char *script_cgroups__find(const struct script *s, u64 id)
{
	u32 i = place(s, id);

	return i < s->nr_cgroups && s->cgroups[i].id == id ? s->cgroups[i].path : NULL;
}

void script_cgroups__add(struct script *s, const struct perf_event_header *rec)
{
	const char *path = (const char *)rec + 16;
	char *copy;
	u64 id;
	u32 i;

	if (rec->size <= 16)
		return;
	memcpy(&id, (const char *)rec + 8, 8);
	copy = strndup(path, rec->size - 16);
	if (!copy)
		return;
	i = place(s, id);
	if (i < s->nr_cgroups && s->cgroups[i].id == id) {
		free(s->cgroups[i].path);
		s->cgroups[i].path = copy;
		return;
	}
	if (s->nr_cgroups == s->cap_cgroups) {
		u32 cap = s->cap_cgroups ? s->cap_cgroups * 2 : 64;
		void *p = cap <= CGROUPS_MAX ? reallocarray(s->cgroups, cap, sizeof(*s->cgroups))
					     : NULL;

		if (!p) {
			free(copy);
			return;
		}
		s->cgroups = p;
		s->cap_cgroups = cap;
	}
	memmove(s->cgroups + i + 1, s->cgroups + i, (s->nr_cgroups - i) * sizeof(*s->cgroups));
	s->cgroups[i].id = id;
	s->cgroups[i].path = copy;
	s->nr_cgroups++;
}

void script_cgroups__exit(struct script *s)
{
	for (u32 i = 0; i < s->nr_cgroups; i++)
		free(s->cgroups[i].path);
	free(s->cgroups);
}
