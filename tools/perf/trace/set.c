// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "trace/set.h"

static const struct trace_set_list *const lists[] = {&trace_sets_file, &trace_sets_task,
						     &trace_sets_net, &trace_sets_misc};

const struct trace_set *trace_set__find(const char *id, u32 len)
{
	for (u32 l = 0; l < ARRAY_SIZE(lists); l++) {
		for (u32 i = 0; i < lists[l]->nr; i++) {
			const struct trace_set *s = &lists[l]->set[i];

			if (s->id[0] == id[0] && !strncmp(s->id, id, len) && !s->id[len])
				return s;
		}
	}
	return NULL;
}

const char *trace_set__name(const struct trace_set *s, u64 val)
{
	for (u32 i = 0; i < s->nr; i++) {
		if (s->names[i].val == val)
			return s->names[i].name;
	}
	return NULL;
}

const char *trace_set__short(const struct trace_set *s, const char *name)
{
	u32 n = (u32)strlen(s->prefix);

	return strncmp(name, s->prefix, n) || !name[n] ? name : name + n;
}

bool trace_set__value(const struct trace_set *s, const char *name, u32 len, u64 *val)
{
	for (u32 i = 0; i < s->nr; i++) {
		const char *full = s->names[i].name, *brief = trace_set__short(s, full);

		if ((!strncmp(full, name, len) && !full[len]) ||
		    (!strncmp(brief, name, len) && !brief[len])) {
			*val = s->names[i].val;
			return true;
		}
	}
	return false;
}
