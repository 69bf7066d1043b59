/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The decoder's inside: one context a record, value printers that know the three styles, and the
 * functions of single calls. A printer that gets data from a record checks every size itself.
 */
#ifndef PERF_TRACE_DECODE_INT_H
#define PERF_TRACE_DECODE_INT_H

#include <linux/types.h>

#include "trace/btf.h"
#include "trace/decode.h"
#include "trace/fdtable.h"
#include "trace/set.h"
#include "trace/tables.h"
#include "trace/type.h"

struct decoder {
	const struct trace_table *table;
	const struct trace_types *types;
	struct decoder_opts o;
	struct fdtable *fds;
	struct trace_btf *btf; /* loaded at first need */
	u32 nr_pipes; /* pipes and pairs made so far: their names, as no call tells their inodes */
	struct trace_call unknown; /* decoder__call() of a number without a name */
	char unknown_name[24];
};

/* Bytes with a known end. */
struct span {
	const u8 *p;
	u32 len;
};

struct dctx {
	struct decoder *d;
	const struct trace_record *r;
	const struct trace_call *c;
	struct outbuf *ob;
	enum trace_style style;
	bool compat;		 /* 32-bit layouts */
	bool has_ret;		 /* the call returned */
	bool poll_result;	 /* strace: printing poll's result, not its argument */
	u64 args[TRACE_NR_ARGS]; /* of 32-bit calls: the low halves */
	const struct trace_blob *in[TRACE_NR_ARGS], *out[TRACE_NR_ARGS];
};

void dctx__init(struct dctx *x, struct decoder *d, const struct trace_record *r, struct outbuf *ob);

static inline bool dctx__json(const struct dctx *x)
{
	return x->style == TRACE_STYLE_JSON;
}
static inline bool dctx__strace(const struct dctx *x)
{
	return x->style == TRACE_STYLE_STRACE;
}
/* dctx__full_names - JSON writes flags as upstream does, without their prefix. */
static inline bool dctx__full_names(const struct dctx *x)
{
	return x->style == TRACE_STYLE_STRACE;
}

/* decode-value.c: one value each */
void val__dec(struct dctx *x, u64 v);
void val__sdec(struct dctx *x, s64 v);
void val__hex(struct dctx *x, u64 v);
void val__oct(struct dctx *x, u64 v);
void val__ptr(struct dctx *x, u64 v);
void val__text(struct dctx *x, const char *s); /* a word; JSON: a string */
void val__printf(struct dctx *x, const char *fmt, ...) __printf(2, 3);
void val__flags(struct dctx *x, const struct trace_set *s, u64 v);
void val__enum(struct dctx *x, const struct trace_set *s, u64 v, bool is_signed);
void val__fd(struct dctx *x, s32 fd);
void val__dfd(struct dctx *x, s32 fd);
void val__pid(struct dctx *x, s32 pid);
void val__signal(struct dctx *x, s64 sig);
void val__mode(struct dctx *x, u32 mode);
void val__dev(struct dctx *x, u64 dev);
void val__uid(struct dctx *x, u32 uid);
/* A string or bytes in quotes, escaped; @cut: "..." behind it. @path: keep UTF-8 in upstream's
 * style. */
void val__bytes(struct dctx *x, const void *p, u32 len, bool cut, bool path);
/* Flags without quotes or JSON's, for parts of a value. */
void raw__flags(struct dctx *x, const struct trace_set *s, u64 v);
const struct trace_set *set_of(const char *id); /* NULL never: the id is ours */
/* The set, looked up once a place. */
#define SET_OF(id)                                   \
	({                                           \
		static const struct trace_set *set_; \
		if (!set_)                           \
			set_ = set_of(id);           \
		set_;                                \
	})

/* Composite values: { .a: 1, .b: 2 } / {a=1, b=2} / {"a":1,"b":2}; [1, 2]. */
void val__open(struct dctx *x);
void val__field(struct dctx *x, const char *name, u32 len, bool first);
void val__close(struct dctx *x, bool more); /* @more: strace's ", ..." */
void val__sep(struct dctx *x);		    /* between array elements */

/* decode-struct.c */
void val__struct(struct dctx *x, const struct trace_type *t, struct span s);
void val__array(struct dctx *x, const struct trace_type *t, struct span s, u64 nr, bool cut);
bool val__capabilities(struct dctx *x, struct span s);
void val__sigset(struct dctx *x, u64 mask);
void val__siginfo(struct dctx *x, struct span s);
void val__special_field(struct dctx *x, const struct trace_field *f, u64 v);
/* Little-endian machine integers of 1, 2, 4, 8 bytes at @off; 0 beyond the end. */
u64 span__get(struct span s, u32 off, u32 size);
const struct trace_type *dctx__type(struct dctx *x, const char *name);
struct span blob__span(const struct trace_blob *b);

/* decode-net.c */
void val__sockaddr(struct dctx *x, struct span s);
void val__iovec(struct dctx *x, const struct trace_blob *b, u64 nr, s64 total);
void val__msghdr(struct dctx *x, const struct trace_blob *b, s64 total);
void val__mmsghdr(struct dctx *x, const struct trace_blob *b, u64 nr);
void val__fdset(struct dctx *x, const struct trace_blob *b, u32 nfds);
void val__sockopt(struct dctx *x, const struct trace_arg *a, int i);
const struct trace_set *sockopt__set(u32 level);

/* decode-special.c, decode-special2.c: TK_SPECIAL arguments */
void val__special(struct dctx *x, const struct trace_arg *a, int i);
void val__ioctl_cmd(struct dctx *x, u32 cmd);
bool ioctl__has_arg(u32 cmd);
void val__ioctl_arg(struct dctx *x, u32 cmd, int i);
void val__fcntl_arg(struct dctx *x, int i);
void val__prctl_arg(struct dctx *x, int i);
void val__bpf_attr(struct dctx *x, struct span s);
/* decode-socket.c: what a call makes of its socket's name. */
void socket__made(struct dctx *x, int fd, bool cloexec);
void socket__accepted(struct dctx *x, int fd, bool cloexec);
void socket__changed(struct dctx *x);
/* The condition under which an argument is shown at all. */
bool cond__shown(const struct dctx *x, const struct trace_arg *a);
/* prctl: how many arguments @option has (2 to 5). */
int prctl__nr_args(u32 option);

#endif
