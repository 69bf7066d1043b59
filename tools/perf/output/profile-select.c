// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>

#include "output/profile-output.h"

const struct profile_entry **profile_report__select(const struct profile_report *r, int event,
						    u32 *nr, u32 *left_out, u64 *left_count)
{
	const struct profile_entry **list = profile__sorted(r->profile, event, nr);
	double total = profile__total(r->profile, event);
	u32 first = 0;

	*left_out = 0;
	*left_count = 0;
	if (!list)
		return NULL;
	if (r->limit && *nr > r->limit)
		first = *nr - r->limit;
	while (first < *nr && total && 100.0 * list[first]->count / total < r->percent_limit)
		first++;
	for (u32 i = 0; i < first; i++)
		*left_count += list[i]->count;
	*left_out = first;
	*nr -= first;
	for (u32 i = 0; i < *nr; i++)
		list[i] = list[i + first];
	for (u32 i = 0; r->reverse && i < *nr / 2; i++) {
		const struct profile_entry *e = list[i];

		list[i] = list[*nr - 1 - i];
		list[*nr - 1 - i] = e;
	}
	return list;
}
