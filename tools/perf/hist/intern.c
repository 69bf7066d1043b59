// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "hist/intern.h"

struct item {
	u64 hash;
	u32 len;
	char data[]; /* and a NUL, for strings */
};

struct intern {
	struct item **item;
	u32 nr, cap;
	u32 *index; /* number + 1; at most half full */
	u32 mask;
};

struct intern *intern__new(void)
{
	struct intern *t = calloc(1, sizeof(*t));

	if (!t)
		return NULL;
	t->cap = 256;
	t->mask = 2 * t->cap - 1;
	t->item = malloc(t->cap * sizeof(*t->item));
	t->index = calloc(t->mask + 1, sizeof(*t->index));
	if (!t->item || !t->index) {
		intern__delete(t);
		return NULL;
	}
	return t;
}

void intern__delete(struct intern *t)
{
	if (!t)
		return;
	for (u32 i = 0; i < t->nr; i++)
		free(t->item[i]);
	free(t->item);
	free(t->index);
	free(t);
}

static u64 hash_bytes(const unsigned char *p, size_t n)
{
	u64 h = 0xcbf29ce484222325ull;

	while (n--)
		h = (h ^ *p++) * 0x100000001b3ull;
	return h ^ (h >> 32);
}

static int grow(struct intern *t)
{
	u32 cap = t->cap * 2, mask = 2 * cap - 1, *index;
	void *more = realloc(t->item, (size_t)cap * sizeof(*t->item));

	if (!more)
		return -1;
	t->item = more;
	index = calloc(mask + 1ul, sizeof(*index));
	if (!index)
		return -1;
	free(t->index);
	t->index = index;
	t->mask = mask;
	t->cap = cap;
	for (u32 i = 0; i < t->nr; i++) {
		u32 s = t->item[i]->hash & mask;

		while (index[s])
			s = (s + 1) & mask;
		index[s] = i + 1;
	}
	return 0;
}

s64 intern__id(struct intern *t, const void *data, size_t n)
{
	u64 h = hash_bytes(data, n);
	struct item *it;
	u32 s;

	if (t->nr == t->cap && grow(t))
		return -1;
	for (s = h & t->mask; t->index[s]; s = (s + 1) & t->mask) {
		it = t->item[t->index[s] - 1];
		if (it->hash == h && it->len == n && !memcmp(it->data, data, n))
			return t->index[s] - 1;
	}
	it = malloc(sizeof(*it) + n + 1);
	if (!it)
		return -1;
	it->hash = h;
	it->len = n;
	memcpy(it->data, data, n);
	it->data[n] = 0;
	t->item[t->nr] = it;
	t->index[s] = ++t->nr;
	return t->nr - 1;
}

const char *intern__str(struct intern *t, const char *s)
{
	s64 id = intern__id(t, s, strlen(s));

	return id < 0 ? NULL : t->item[id]->data;
}

u32 intern__nr(const struct intern *t)
{
	return t->nr;
}
