// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "lib/subcmd/options.h"

#define NEAREST_MAX 64 /* longer words are not compared: nobody mistypes those by a letter */

static int min3(int a, int b, int c)
{
	int m = a < b ? a : b;

	return m < c ? m : c;
}

/* Edit distance where two letters in the wrong order count as one mistake (optimal alignment). */
static int distance(const char *a, size_t la, const char *b, size_t lb)
{
	int rows[3][NEAREST_MAX + 1];

	for (size_t j = 0; j <= lb; j++)
		rows[0][j] = j;
	for (size_t i = 1; i <= la; i++) {
		int *cur = rows[i % 3], *prev = rows[(i + 2) % 3], *prev2 = rows[(i + 1) % 3];

		cur[0] = i;
		for (size_t j = 1; j <= lb; j++) {
			cur[j] = min3(prev[j] + 1, cur[j - 1] + 1,
				      prev[j - 1] + (a[i - 1] != b[j - 1]));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
			    prev2[j - 2] + 1 < cur[j])
				cur[j] = prev2[j - 2] + 1;
		}
	}
	return rows[la % 3][lb];
}

const char *nearest_name(const char *word, const char *const names[])
{
	size_t len = strlen(word);
	const char *best = NULL;
	/* So many mistakes still mean that name: one in a short word, two, at most three. */
	int best_d = len < 5 ? 1 : len < 8 ? 2 : 3;

	if (!len || len > NEAREST_MAX)
		return NULL;
	for (; *names; names++) {
		size_t l = strlen(*names);
		int d;

		if (l > NEAREST_MAX)
			continue;
		/* The beginning of a name is nearer than any misspelling but one letter's. */
		d = len >= 3 && !strncmp(word, *names, len) ? 1 : distance(word, len, *names, l);
		if (d < best_d || (d == best_d && !best)) {
			best = *names;
			best_d = d;
		}
	}
	return best;
}
