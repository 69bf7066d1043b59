/* SPDX-License-Identifier: GPL-2.0-only */
/* The compiled form of a tracepoint's print format; shared by tracepoint-*.c alone. */
#ifndef PERF_OUTPUT_TRACEPOINT_PROG_H
#define PERF_OUTPUT_TRACEPOINT_PROG_H

#include <byteswap.h>
#include <string.h>

#include "output/tracepoint.h"
#include "session/tp-format.h"

/* An expression over a record; nodes are indices into tracepoint.expr, 0 is the constant 0. */
enum tx_kind {
	TX_CONST,  /* .value */
	TX_FIELD,  /* the unsigned number of .size bytes at .off */
	TX_CAST,   /* .a cut to .size bytes */
	TX_UNARY,  /* .op of .a */
	TX_BINARY, /* .a .op .b */
	TX_COND,   /* .a ? .b : .c */
	TX_INDEX,  /* element .a of the array at .off, of .size bytes each */
	TX_DYNLEN, /* bytes in the dynamic array told of at .off */
};

struct tx {
	u8 kind; /* enum tx_kind */
	u8 op;	 /* enum tp_op_kind */
	u8 size;
	u8 dsize;      /* of the field that tells where a dynamic array is */
	bool relative; /* a __rel_loc field: its offset counts from the field's own end */
	u32 off;
	u32 a, b, c;
	u64 value;
};

/* A conversion: what stood between % and its letter. */
struct tp_conv {
	char fmt[24];	 /* the whole of it, for snprintf; '*' as in the format */
	s16 width, prec; /* -1: none given */
	s8 shift;	 /* -2 hh, -1 h, 0, 1 l, 2 ll */
	char letter;	 /* d i u x X o s p; of %ps and %pU the one after p */
	bool simple;   /* nothing but width (and 0) before the letter: formatted without snprintf */
	bool zero;     /* padded with 0 */
	bool left;     /* - */
	bool has_star; /* .star gives width or precision */
	u32 star;      /* expression */
};

enum tp_kind {
	TP_TEXT,   /* literal */
	TP_INT,	   /* expression .expr by .conv */
	TP_FIELD,  /* the same where it is a field alone and .conv is plain d, u or x: .mem, .bytes
		    */
	TP_CSTR,   /* constant string by .conv */
	TP_STR,	   /* text in .mem, up to its NUL */
	TP_PTRSTR, /* %s of a pointer-sized field: the constant string there, or its value in hex */
	TP_FLAGS,  /* __print_flags */
	TP_SYMBOL, /* __print_symbolic */
	TP_HEX,	   /* __print_hex */
	TP_HEXSTR, /* __print_hex_str */
	TP_ARRAY,  /* __print_array */
	TP_FUNC,   /* %ps %pS */
	TP_ADDR,   /* %pM %pI4 %pU ... over .mem */
	TP_BITMASK, /* the bits of .mem as the kernel writes a mask: 00000000,000000ff */
	TP_CPUMASK, /* the same as a list: 0-3,7 */
	TP_UNLESS,  /* go on at .len when .expr is 0 */
	TP_JUMP,    /* go on at .len */
};

/* An address or UUID of the kernel's %pM, %pI and %pU. */
struct tp_addr {
	enum { TP_ADDR_UUID, TP_ADDR_MAC, TP_ADDR_IP4, TP_ADDR_IP6, TP_ADDR_SOCKADDR } kind;
	char sep;	 /* of a MAC's bytes, 0: none */
	bool upper;	 /* hex digits */
	bool reverse;	 /* the other byte order */
	bool plain;	 /* %pi: leading zeroes, no colons */
	bool compressed; /* "::" */
	bool port;
};

/* Where bytes are: at a fixed place, or where a dynamic field says. */
struct tp_mem {
	bool dynamic, relative;
	u8 dsize;
	u32 off; /* of the bytes, or of the field that tells where they are */
	u32 size;
};

struct tp_named {
	u64 value;
	bool negative; /* no number as libtraceevent reads it: -1 */
	const char *name;
	u32 len;
};

struct tp_op {
	u8 kind;  /* enum tp_kind */
	u8 bytes; /* TP_FIELD: of the printed type */
	bool is_signed, is_hex;
	struct tp_conv conv;
	u32 expr; /* value; count or size of arrays */
	u32 elem; /* size of an array's element */
	const char
		*text; /* literal, constant string, delimiter; owned, 16 readable bytes behind it */
	u32 len;
	struct tp_mem mem;
	struct tp_addr addr;
	struct tp_named *names; /* flags and symbols, owned; the names are the event's own */
	u32 nr_names;
};

struct tracepoint {
	const struct tp_format *format;
	const struct tep_formats *formats;
	bool compiled, swap;
	u8 long_size;
	struct tp_op *ops;
	u32 nr_ops, cap_ops;
	struct tx *expr;
	u32 nr_expr, cap_expr;
};

/* A record being printed. */
struct tp_rec {
	const u8 *data;
	u32 size;
};

/* tracepoint__read - the unsigned number of @size bytes at @off in the record's byte order; 0 where
 * it is not inside, or of an odd size. */
static inline u64 tracepoint__read(const struct tracepoint *t, const struct tp_rec *r, u64 off,
				   u32 size)
{
	u16 v2;
	u32 v4;
	u64 v8;

	if (unlikely(off > r->size || size > r->size - off))
		return 0;
	switch (size) {
	case 1:
		return r->data[off];
	case 2:
		memcpy(&v2, r->data + off, 2);
		return t->swap ? bswap_16(v2) : v2;
	case 4:
		memcpy(&v4, r->data + off, 4);
		return t->swap ? bswap_32(v4) : v4;
	case 8:
		memcpy(&v8, r->data + off, 8);
		return t->swap ? bswap_64(v8) : v8;
	default:
		return 0;
	}
}

/* tracepoint-compile.c: fills ops and expr. 0, -EOPNOTSUPP (not compiled), -ENOMEM. */
int tracepoint__compile(struct tracepoint *t);
/* tracepoint-addr.c: tp_addr__parse() takes what follows p; how many characters, or -EOPNOTSUPP. */
int tp_addr__parse(const char *s, struct tp_addr *a);
void tp_addr__print(const struct tp_addr *a, const u8 *p, u32 size, struct outbuf *ob);
/* tracepoint-eval.c */
u64 tracepoint__eval(const struct tracepoint *t, u32 expr, const struct tp_rec *r);
/* tracepoint__mem - where @m's bytes are in the record; NULL when not inside. *size: how many. */
const u8 *tracepoint__mem(const struct tracepoint *t, const struct tp_mem *m,
			  const struct tp_rec *r, u32 *size);

#endif
