// SPDX-License-Identifier: GPL-2.0-only
/* Printing a tracepoint's record by its compiled format. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "output/numfmt.h"
#include "output/tracepoint-prog.h"
#include "session/tep.h"

struct tracepoint *tracepoint__new(const struct tp_format *format,
				   const struct tep_formats *formats)
{
	struct tracepoint *t = calloc(1, sizeof(*t));

	if (!t)
		return NULL;
	t->format = format;
	t->formats = formats;
	t->long_size = format->long_size;
	t->swap = format->big_endian != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	t->compiled = tracepoint__compile(t) == 0;
	return t;
}

void tracepoint__delete(struct tracepoint *t)
{
	if (!t)
		return;
	for (u32 i = 0; i < t->nr_ops; i++) {
		free((char *)t->ops[i].text);
		free(t->ops[i].names);
	}
	free(t->ops);
	free(t->expr);
	free(t);
}

bool tracepoint__compiled(const struct tracepoint *t)
{
	return t->compiled;
}

/* ---- integers ---- */

static u64 sign_extend(u64 v, int bytes)
{
	int shift = 64 - bytes * 8;

	return (u64)((s64)(v << shift) >> shift);
}

static void put_odd_int(const struct tp_conv *c, u64 v, u64 star, struct outbuf *ob)
{
	int n = min_t(u64, star, 4096);

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	if (c->shift > 0 && c->has_star)
		outbuf__printf(ob, c->fmt, n, v);
	else if (c->shift > 0)
		outbuf__printf(ob, c->fmt, v);
	else if (c->has_star)
		outbuf__printf(ob, c->fmt, n, (int)v);
	else
		outbuf__printf(ob, c->fmt, (int)v);
#pragma GCC diagnostic pop
}

static char *put_simple(char *p, const struct tp_conv *c, u64 v, bool negative)
{
	char tmp[NUMFMT_MAX], *digits = tmp;
	int n, width = c->width;

	if (c->letter == 'x')
		n = numfmt__hex(tmp, v) - tmp;
	else if (c->letter == 'X')
		n = numfmt__hex_upper(tmp, v) - tmp;
	else if (c->letter == 'o')
		n = numfmt__oct(tmp, v) - tmp;
	else
		n = numfmt__dec(tmp, v) - tmp;
	if (width > n + negative) {
		int pad = width - n - negative;

		if (negative && c->zero)
			*p++ = '-';
		memset(p, c->zero ? '0' : ' ', pad);
		p += pad;
		if (negative && !c->zero)
			*p++ = '-';
	} else if (negative) {
		*p++ = '-';
	}
	memcpy(p, digits, n);
	return p + n;
}

static void put_int(const struct tracepoint *t, const struct tp_op *op, const struct tp_rec *r,
		    struct outbuf *ob)
{
	const struct tp_conv *c = &op->conv;
	u64 v = tracepoint__eval(t, op->expr, r);
	int bytes = c->shift == -2 ? 1 : c->shift == -1 ? 2 : c->shift == 0 ? 4 : 8;
	bool is_signed = c->letter == 'd' || c->letter == 'i', negative = false;
	char *p;

	if (c->letter == 'p') {
		if (!v) {
			outbuf__puts(ob, "(nil)");
			return;
		}
		outbuf__write(ob, "0x", 2);
		outbuf__hex(ob, v, 0, ' ');
		return;
	}
	if (bytes < 8)
		v = is_signed ? sign_extend(v, bytes) : v & ((1ULL << (bytes * 8)) - 1);
	if (!c->simple) {
		put_odd_int(c, v, c->has_star ? tracepoint__eval(t, c->star, r) : 0, ob);
		return;
	}
	if (is_signed && (s64)v < 0) {
		negative = true;
		v = -v;
	}
	p = outbuf__reserve(ob, 1024); /* a width is 512 at most */
	ob->len = put_simple(p, c, v, negative) - ob->buf;
}

/* ---- strings ---- */

static void put_string(const struct tracepoint *t, const struct tp_conv *c, const struct tp_rec *r,
		       const char *s, u32 len, struct outbuf *ob)
{
	s64 width = c->width, prec = c->prec;
	u32 pad;

	if (c->has_star) {
		u64 star = min_t(u64, tracepoint__eval(t, c->star, r), 4096);

		if (c->prec >= 0)
			prec = star; /* "%.*s" */
		else
			width = star;
	}
	if (prec >= 0 && len > prec)
		len = prec;
	pad = width > len ? width - len : 0;
	if (pad && !c->left)
		outbuf__pad(ob, pad);
	outbuf__safe(ob, s, len);
	if (pad && c->left)
		outbuf__pad(ob, pad);
}

static void put_pointed_string(const struct tracepoint *t, const struct tp_op *op,
			       const struct tp_rec *r, struct outbuf *ob)
{
	u64 addr = tracepoint__read(t, r, op->mem.off, t->long_size);
	const char *s = tep_formats__printk(t->formats, addr);

	if (s)
		outbuf__safe(ob, s, strlen(s));
	else
		outbuf__hex(ob, addr, 0, ' ');
}

static void put_flags(const struct tracepoint *t, const struct tp_op *op, const struct tp_rec *r,
		      struct outbuf *ob)
{
	u64 v = tracepoint__eval(t, op->expr, r);
	bool any = false;

	for (u32 i = 0; i < op->nr_names; i++) {
		const struct tp_named *n = &op->names[i];

		if (!v && n->negative) {
			put_string(t, &op->conv, r, n->name, n->len, ob);
			break;
		}
		if (n->negative || !n->value || (v & n->value) != n->value)
			continue;
		if (any)
			outbuf__write(ob, op->text, op->len);
		put_string(t, &op->conv, r, n->name, n->len, ob);
		any = true;
		v &= ~n->value;
	}
	if (!v)
		return;
	if (any)
		outbuf__write(ob, op->text, op->len);
	outbuf__write(ob, "0x", 2);
	outbuf__hex(ob, v, 0, ' ');
}

static void put_symbol(const struct tracepoint *t, const struct tp_op *op, const struct tp_rec *r,
		       struct outbuf *ob)
{
	u64 v = tracepoint__eval(t, op->expr, r);

	for (u32 i = 0; i < op->nr_names; i++) {
		if (v == op->names[i].value) {
			put_string(t, &op->conv, r, op->names[i].name, op->names[i].len, ob);
			return;
		}
	}
	outbuf__write(ob, "0x", 2);
	outbuf__hex(ob, v, 0, ' ');
}

static void put_func(const struct tracepoint *t, const struct tp_op *op, const struct tp_rec *r,
		     struct outbuf *ob)
{
	u64 v = tracepoint__eval(t, op->expr, r), start = 0;
	const char *name = tep_formats__symbol(t->formats, v, &start);

	if (!name) {
		outbuf__write(ob, "0x", 2);
		outbuf__hex(ob, v, 0, ' ');
		return;
	}
	outbuf__safe(ob, name, strlen(name));
	if (op->conv.letter == 'S' || op->conv.letter == 'F') {
		outbuf__write(ob, "+0x", 3);
		outbuf__hex(ob, v - start, 0, ' ');
	}
}

/* ---- bytes ---- */

static void put_hex_bytes(const struct tracepoint *t, const struct tp_op *op,
			  const struct tp_rec *r, struct outbuf *ob)
{
	u64 n = tracepoint__eval(t, op->expr, r);
	u32 size = 0;
	struct tp_mem mem = op->mem;
	const u8 *p;

	mem.size = 0; /* as many as asked for, as far as the record goes */
	p = tracepoint__mem(t, &mem, r, &size);
	if (mem.dynamic && p)
		size = r->data + r->size - p;
	for (u64 i = 0; p && i < n && i < size; i++) {
		if (i && op->kind == TP_HEX)
			outbuf__putc(ob, ' ');
		outbuf__hex(ob, p[i], 2, '0');
	}
}

static void put_array(const struct tracepoint *t, const struct tp_op *op, const struct tp_rec *r,
		      struct outbuf *ob)
{
	u64 n = tracepoint__eval(t, op->expr, r);
	int elem = tracepoint__eval(t, op->elem, r);
	struct tp_mem mem = op->mem;
	u32 size = 0, off;
	const u8 *p;

	mem.size = 0;
	p = tracepoint__mem(t, &mem, r, &size);
	if (!p)
		return;
	off = p - r->data;
	for (u64 i = 0; i < n && off < r->size; i++) {
		if (i)
			outbuf__putc(ob, ' ');
		if (elem == 1 || elem == 2 || elem == 4 || elem == 8) {
			outbuf__dec(ob, tracepoint__read(t, r, off, elem), 0);
			off += elem;
		} else {
			outbuf__printf(ob, "BAD SIZE:%d 0x%x", elem, r->data[off]);
			elem = 1;
			off++;
		}
	}
}

static bool mask_bit(const u8 *p, u32 size, u32 bit, bool big_endian)
{
	/* Words of a long: in a big-endian one the lowest bits stand last. */
	u32 byte = bit / 8;

	return byte < size && p[big_endian ? byte ^ 7 : byte] >> bit % 8 & 1;
}

static void put_mask(const struct tracepoint *t, const struct tp_op *op, const struct tp_rec *r,
		     struct outbuf *ob)
{
	u32 size = 0, bits;
	const u8 *p = tracepoint__mem(t, &op->mem, r, &size);
	const char *sep = "";

	bits = p ? size / 8 * 64 : 0;
	if (p && !t->format->big_endian)
		bits = size * 8;
	if (op->kind == TP_BITMASK) {
		for (u32 i = bits / 8; i--;) {
			u32 v = 0;

			for (int b = 0; b < 8; b++)
				v |= mask_bit(p, size, i * 8 + b, t->format->big_endian) << b;
			outbuf__hex(ob, v, 2, '0');
			if (i && i % 4 == 0)
				outbuf__putc(ob, ',');
		}
		return;
	}
	for (u32 i = 0; i < bits; i++) {
		u32 last = i;

		if (!mask_bit(p, size, i, t->format->big_endian))
			continue;
		while (last + 1 < bits && mask_bit(p, size, last + 1, t->format->big_endian))
			last++;
		outbuf__puts(ob, sep);
		sep = ",";
		outbuf__dec(ob, i, 0);
		if (last > i) {
			outbuf__putc(ob, '-');
			outbuf__dec(ob, last, 0);
		}
		i = last;
	}
}

/* ---- running ---- */

/* Room for @n bytes, at most 4096, without a call where it is there. */
static inline char *room(struct outbuf *ob, u32 n)
{
	return likely(ob->cap - ob->len >= n) ? ob->buf + ob->len : outbuf__reserve(ob, n);
}

static void put_text(struct outbuf *ob, const char *text, u32 len)
{
	if (likely(len <= 256))
		ob->len = numfmt__copy(room(ob, 512), text, len) - ob->buf;
	else
		outbuf__write(ob, text, len);
}

static void put_field(const struct tracepoint *t, const struct tp_op *op, const struct tp_rec *r,
		      struct outbuf *ob)
{
	u64 v = tracepoint__read(t, r, op->mem.off, op->mem.size);
	char *p = room(ob, 64);

	if (op->bytes < 8)
		v = op->is_signed ? sign_extend(v, op->bytes) : v & ((1ULL << (op->bytes * 8)) - 1);
	if (op->is_hex) {
		p = numfmt__hex(p, v);
	} else {
		if (op->is_signed && (s64)v < 0) {
			*p++ = '-';
			v = -v;
		}
		p = numfmt__dec(p, v);
	}
	ob->len = p - ob->buf;
}

static void run(const struct tracepoint *t, const struct tp_rec *r, struct outbuf *ob)
{
	for (u32 i = 0; i < t->nr_ops; i++) {
		const struct tp_op *op = &t->ops[i];
		u32 size = 0;
		const u8 *p;

		switch ((enum tp_kind)op->kind) {
		case TP_TEXT:
			put_text(ob, op->text, op->len);
			break;
		case TP_FIELD:
			put_field(t, op, r, ob);
			break;
		case TP_INT:
			put_int(t, op, r, ob);
			break;
		case TP_CSTR:
			put_string(t, &op->conv, r, op->text, op->len, ob);
			break;
		case TP_STR:
			p = tracepoint__mem(t, &op->mem, r, &size);
			if (!p)
				break;
			size = strnlen((const char *)p, size);
			put_string(t, &op->conv, r, (const char *)p, size, ob);
			break;
		case TP_PTRSTR:
			put_pointed_string(t, op, r, ob);
			break;
		case TP_FLAGS:
			put_flags(t, op, r, ob);
			break;
		case TP_SYMBOL:
			put_symbol(t, op, r, ob);
			break;
		case TP_HEX:
		case TP_HEXSTR:
			put_hex_bytes(t, op, r, ob);
			break;
		case TP_ARRAY:
			put_array(t, op, r, ob);
			break;
		case TP_FUNC:
			put_func(t, op, r, ob);
			break;
		case TP_ADDR:
			p = tracepoint__mem(t, &op->mem, r, &size);
			if (p)
				tp_addr__print(&op->addr, p, size, ob);
			break;
		case TP_BITMASK:
		case TP_CPUMASK:
			put_mask(t, op, r, ob);
			break;
		case TP_UNLESS:
			if (!tracepoint__eval(t, op->expr, r))
				i = op->len - 1;
			break;
		case TP_JUMP:
			i = op->len - 1;
			break;
		}
	}
}

/* What the record has of an array's bytes: printed in hex, or as a string where it is one. */
static void put_array_field(const struct tracepoint *t, const struct tp_field *f,
			    const struct tp_rec *r, struct outbuf *ob)
{
	struct tp_mem mem = {.off = f->offset,
			     .size = f->size,
			     .dynamic = f->is_dynamic && (f->size == 4 || f->size == 8),
			     .dsize = f->size,
			     .relative = f->is_relative};
	u32 size = 0, n = 0;
	const u8 *p = tracepoint__mem(t, &mem, r, &size);

	while (p && n < size && p[n] && ((p[n] >= ' ' && p[n] < 0x7f) || strchr("\t\n\r", p[n])))
		n++;
	if (p && f->is_string && (n == size || !p[n])) {
		outbuf__safe(ob, (const char *)p, n);
		return;
	}
	outbuf__puts(ob, "ARRAY[");
	for (u32 i = 0; p && i < size; i++) {
		if (i)
			outbuf__puts(ob, ", ");
		outbuf__hex(ob, p[i], 2, '0');
	}
	outbuf__putc(ob, ']');
}

static void put_number_field(const struct tracepoint *t, const struct tp_field *f,
			     const struct tp_rec *r, struct outbuf *ob)
{
	u64 v = tracepoint__read(t, r, f->offset, f->size);

	if (f->is_pointer || (f->is_long && (!f->is_signed || f->size == 4))) {
		outbuf__puts(ob, "0x");
		outbuf__hex(ob, v, 0, '0');
	} else if (f->is_signed) {
		outbuf__sdec(ob, (s64)sign_extend(v, f->size ? min_t(u32, f->size, 8) : 8),
			     f->size == 2 ? 2 : 0);
	} else {
		outbuf__dec(ob, v, 0);
	}
}

/* An event whose print format is not understood. */
static void put_fields(const struct tracepoint *t, const struct tp_rec *r, struct outbuf *ob)
{
	outbuf__puts(ob, "[FAILED TO PARSE]");
	for (u32 i = 0; i < t->format->nr_fields; i++) {
		const struct tp_field *f = &t->format->fields[i];

		if (f->is_common)
			continue;
		outbuf__putc(ob, ' ');
		outbuf__puts(ob, f->name);
		outbuf__putc(ob, '=');
		if (f->is_array)
			put_array_field(t, f, r, ob);
		else
			put_number_field(t, f, r, ob);
	}
}

void tracepoint__print(struct tracepoint *t, const void *raw, u32 size, struct outbuf *ob)
{
	struct tp_rec r = {.data = raw, .size = size};

	if (likely(t->compiled))
		run(t, &r, ob);
	else
		put_fields(t, &r, ob);
}
