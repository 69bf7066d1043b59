// SPDX-License-Identifier: GPL-2.0-only
/* Expressions of a compiled tracepoint, over one record. Every access is checked. */
#include <string.h>

#include "output/tracepoint-prog.h"

/* A field that tells where dynamic data is: the offset in its lower half, the length in its upper.
 */
static u64 dynamic_offset(const struct tracepoint *t, const struct tp_rec *r, u32 off, u8 dsize,
			  bool relative, u32 *len)
{
	u64 v = tracepoint__read(t, r, off, dsize);
	unsigned int half = dsize * 4;

	if (len)
		*len = v >> half;
	v &= (1ULL << half) - 1;
	return relative ? v + off + dsize : v;
}

const u8 *tracepoint__mem(const struct tracepoint *t, const struct tp_mem *m,
			  const struct tp_rec *r, u32 *size)
{
	u64 off = m->off;
	u32 len = m->size;

	if (m->dynamic)
		off = dynamic_offset(t, r, m->off, m->dsize, m->relative, &len);
	if (off >= r->size)
		return NULL;
	if (!len || len > r->size - off)
		len = r->size - off;
	*size = len;
	return r->data + off;
}

static u64 cast(const struct tx *x, u64 v)
{
	return x->size >= 8 ? v : v & ((1ULL << (x->size * 8)) - 1);
}

static u64 index_of(const struct tracepoint *t, const struct tx *x, const struct tp_rec *r)
{
	u64 i = tracepoint__eval(t, x->a, r), off = x->off;

	if (x->dsize)
		off = dynamic_offset(t, r, x->off, x->dsize, x->relative, NULL);

	if (i > r->size) /* also keeps the product small */
		return 0;
	return tracepoint__read(t, r, off + i * x->size, x->size);
}

u64 tracepoint__eval(const struct tracepoint *t, u32 expr, const struct tp_rec *r)
{
	const struct tx *x = &t->expr[expr];
	u32 len;
	u64 v;

	switch (x->kind) {
	case TX_CONST:
		return x->value;
	case TX_FIELD:
		return tracepoint__read(t, r, x->off, x->size);
	case TX_CAST:
		return cast(x, tracepoint__eval(t, x->a, r));
	case TX_UNARY:
		v = tracepoint__eval(t, x->a, r);
		return x->op == TP_OP_NOT ? !v : x->op == TP_OP_BITNOT ? ~v : -v;
	case TX_BINARY:
		/* The right side's value is wanted even where C would not ask for it: no effects.
		 */
		return tp_op__apply(x->op, tracepoint__eval(t, x->a, r),
				    tracepoint__eval(t, x->b, r));
	case TX_COND:
		return tracepoint__eval(t, tracepoint__eval(t, x->a, r) ? x->b : x->c, r);
	case TX_INDEX:
		return index_of(t, x, r);
	case TX_DYNLEN:
		dynamic_offset(t, r, x->off, x->dsize, x->relative, &len);
		return len;
	default:
		return 0;
	}
}
