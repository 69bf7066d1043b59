// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "hist/callctx.h"

struct node {
	u32 parent;
	u32 frame;
};

/* The key stands in the index too: a look-up touches one place in memory. */
struct slot {
	struct node key;
	u32 node; /* 0: free */
};

struct callctx {
	struct node *node;
	u32 nr, cap;
	struct slot *index; /* at most half full */
	u32 mask;
};

#define FIRST_NODES 4096u

struct callctx *callctx__new(void)
{
	struct callctx *c = calloc(1, sizeof(*c));

	if (!c)
		return NULL;
	c->cap = FIRST_NODES;
	c->mask = 2 * FIRST_NODES - 1;
	c->node = malloc(c->cap * sizeof(*c->node));
	c->index = calloc(c->mask + 1, sizeof(*c->index));
	if (!c->node || !c->index) {
		callctx__delete(c);
		return NULL;
	}
	c->node[0] = (struct node){0};
	c->nr = 1;
	return c;
}

void callctx__delete(struct callctx *c)
{
	if (!c)
		return;
	free(c->node);
	free(c->index);
	free(c);
}

void callctx__clear(struct callctx *c)
{
	memset(c->index, 0, (c->mask + 1ul) * sizeof(*c->index));
	c->nr = 1;
}

static u32 slot_of(const struct callctx *c, u32 parent, u32 frame)
{
	u64 h = ((u64)parent << 32 | frame) * 0x9e3779b97f4a7c15ull;

	return (h >> 32) & c->mask;
}

static int grow(struct callctx *c)
{
	u32 cap = c->cap * 2, mask = 2 * cap - 1;
	struct slot *index;
	struct node *node;

	if (!cap || !mask)
		return -1;
	node = realloc(c->node, cap * sizeof(*node));
	if (!node)
		return -1;
	c->node = node;
	index = calloc(mask + 1ul, sizeof(*index));
	if (!index)
		return -1;
	free(c->index);
	c->index = index;
	c->mask = mask;
	c->cap = cap;
	for (u32 i = 1; i < c->nr; i++) {
		u32 s = slot_of(c, node[i].parent, node[i].frame);

		while (index[s].node)
			s = (s + 1) & mask;
		index[s] = (struct slot){node[i], i};
	}
	return 0;
}

u32 callctx__child(struct callctx *c, u32 parent, u32 frame)
{
	const struct node key = {.parent = parent, .frame = frame};
	u32 s = slot_of(c, parent, frame);

	for (; c->index[s].node; s = (s + 1) & c->mask)
		if (c->index[s].key.parent == parent && c->index[s].key.frame == frame)
			return c->index[s].node;
	if (c->nr == c->cap) {
		if (grow(c))
			return 0;
		for (s = slot_of(c, parent, frame); c->index[s].node; s = (s + 1) & c->mask)
			;
	}
	c->node[c->nr] = key;
	c->index[s] = (struct slot){key, c->nr};
	return c->nr++;
}

u32 callctx__parent(const struct callctx *c, u32 node)
{
	return c->node[node].parent;
}

u32 callctx__frame(const struct callctx *c, u32 node)
{
	return c->node[node].frame;
}

u32 callctx__depth(const struct callctx *c, u32 node)
{
	u32 d = 0;

	for (; node; node = c->node[node].parent)
		d++;
	return d;
}

u32 callctx__nr(const struct callctx *c)
{
	return c->nr;
}
