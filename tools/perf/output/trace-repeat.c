// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "output/trace-repeat.h"

struct trace_repeat *trace_repeat__at(struct trace_repeat *repeats, const struct trace_record *r)
{
	u32 h = r->tid * 0x9e3779b1u ^ (u32)r->nr * 0x85ebca6bu;

	if (r->flags || r->size > sizeof(*r) + TRACE_REPEAT_BLOBS)
		return NULL;
	return &repeats[h >> 16 & (TRACE_NR_REPEATS - 1)];
}

static u64 args_differ(const struct trace_record *a, const struct trace_record *b)
{
	u64 d = (u64)(a->ret ^ b->ret);

	for (int i = 0; i < TRACE_NR_ARGS; i++)
		d |= a->args[i] ^ b->args[i];
	return d;
}

/* All but when, where and under which name it was made. */
static bool same(const struct trace_record *a, const struct trace_record *b)
{
	return a->size == b->size && a->nr == b->nr && a->abi == b->abi &&
	       a->nr_blobs == b->nr_blobs && a->tid == b->tid && a->pid == b->pid &&
	       !args_differ(a, b);
}

bool trace_repeat__put(const struct trace_repeat *p, const struct trace_record *r, u64 generation,
		       struct outbuf *ob)
{
	char *to;

	if (!p->len || p->generation != generation || !same(&p->rec, r) ||
	    (r->nr_blobs && memcmp(p->blobs, r + 1, r->size - sizeof(*r))))
		return false;
	/* fixed sizes are copied without a loop */
	to = outbuf__reserve(ob, sizeof(p->text));
	if (p->len <= sizeof(p->text) / 2)
		memcpy(to, p->text, sizeof(p->text) / 2);
	else
		memcpy(to, p->text, sizeof(p->text));
	ob->len += p->len;
	return true;
}

void trace_repeat__keep(struct trace_repeat *p, const struct trace_record *r, u64 generation,
			const struct outbuf *ob, u64 start)
{
	u64 len = ob->total + ob->len - start;

	p->len = 0;
	/* it may have been written out meanwhile */
	if (len > sizeof(p->text) || len > ob->len)
		return;
	memcpy(p->text, ob->buf + ob->len - len, len);
	p->rec = *r;
	memcpy(p->blobs, r + 1, r->size - sizeof(*r));
	p->generation = generation;
	p->len = (u32)len;
}
