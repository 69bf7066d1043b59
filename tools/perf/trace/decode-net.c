// SPDX-License-Identifier: GPL-2.0-only
/* Socket addresses, I/O vectors, messages, descriptor sets. */
#include <arpa/inet.h>
#include <net/if.h>
#include <sys/socket.h>

#include "trace/decode-int.h"

#define MAX_SHOWN 64 /* elements of a vector */

static void member(struct dctx *x, const char *name, bool first)
{
	val__field(x, name, (u32)strlen(name), first);
}

static u16 be16(struct span s, u32 off)
{
	return ntohs((u16)span__get(s, off, 2));
}

static void port(struct dctx *x, const char *name, struct span s)
{
	member(x, name, false);
	if (dctx__strace(x))
		outbuf__printf(x->ob, "htons(%u)", be16(s, 2));
	else
		val__dec(x, be16(s, 2));
}

static void inet_addr_text(struct dctx *x, int family, struct span s, u32 off)
{
	char text[INET6_ADDRSTRLEN];

	if (off + (family == AF_INET ? 4 : 16) > s.len ||
	    !inet_ntop(family, s.p + off, text, sizeof(text)))
		text[0] = 0;
	if (!dctx__strace(x))
		val__text(x, text);
	else if (family == AF_INET)
		outbuf__printf(x->ob, "inet_addr(\"%s\")", text);
	else
		outbuf__printf(x->ob, "inet_pton(AF_INET6, \"%s\", &sin6_addr)", text);
}

static void ifindex(struct dctx *x, u32 idx)
{
	char name[IF_NAMESIZE];

	if (!idx || x->d->o.no_proc || !if_indextoname(idx, name))
		val__dec(x, idx);
	else if (dctx__strace(x))
		outbuf__printf(x->ob, "if_nametoindex(\"%s\")", name);
	else
		val__text(x, name);
}

static void sockaddr_un(struct dctx *x, struct span s)
{
	u32 len = s.len - 2;
	const char *path = (const char *)s.p + 2;

	if (!len)
		return;
	member(x, "sun_path", false);
	if (!path[0] && len > 1) { /* abstract: all bytes count */
		if (!dctx__json(x))
			outbuf__putc(x->ob, '@');
		val__bytes(x, path + 1, len - 1, false, true);
	} else {
		val__bytes(x, path, (u32)strnlen(path, len), false, true);
	}
}

static void sockaddr_in6(struct dctx *x, struct span s)
{
	u32 scope = (u32)span__get(s, 24, 4);

	port(x, "sin6_port", s);
	member(x, "sin6_flowinfo", false);
	if (dctx__strace(x))
		outbuf__printf(x->ob, "htonl(%u)", ntohl((u32)span__get(s, 4, 4)));
	else
		val__dec(x, ntohl((u32)span__get(s, 4, 4)));
	if (dctx__strace(x))
		outbuf__puts(x->ob, ", ");
	else
		member(x, "sin6_addr", false);
	inet_addr_text(x, AF_INET6, s, 8);
	member(x, "sin6_scope_id", false);
	if (scope)
		ifindex(x, scope);
	else
		val__dec(x, 0);
}

static void sockaddr_ll(struct dctx *x, struct span s)
{
	u32 halen = (u32)span__get(s, 11, 1);
	u16 proto = be16(s, 2);
	const char *name = trace_set__name(SET_OF("ethproto"), proto);

	member(x, "sll_protocol", false);
	if (dctx__strace(x))
		outbuf__printf(x->ob, name ? "htons(%s)" : "htons(%.0s%#x)", name ? name : "",
			       proto);
	else
		val__enum(x, SET_OF("ethproto"), proto, false);
	member(x, "sll_ifindex", false);
	ifindex(x, (u32)span__get(s, 4, 4));
	member(x, "sll_hatype", false);
	val__enum(x, SET_OF("arphrd"), span__get(s, 8, 2), false);
	member(x, "sll_pkttype", false);
	val__enum(x, SET_OF("pkttype"), span__get(s, 10, 1), false);
	member(x, "sll_halen", false);
	val__dec(x, halen);
	if (!halen || s.len <= 12)
		return;
	member(x, "sll_addr", false);
	outbuf__putc(x->ob, '[');
	for (u32 i = 0; i < halen && i < 8 && 12 + i < s.len; i++) {
		if (i)
			val__sep(x);
		val__hex(x, s.p[12 + i]);
	}
	outbuf__putc(x->ob, ']');
}

void val__sockaddr(struct dctx *x, struct span s)
{
	u32 family = (u32)span__get(s, 0, 2);

	if (s.len < 2) {
		val__bytes(x, s.p, s.len, false, false);
		return;
	}
	val__open(x);
	member(x, "sa_family", true);
	val__enum(x, SET_OF("af"), family, false);
	switch (family) {
	case AF_UNIX:
		sockaddr_un(x, s);
		break;
	case AF_INET:
		if (s.len < 8)
			break;
		port(x, "sin_port", s);
		member(x, "sin_addr", false);
		inet_addr_text(x, AF_INET, s, 4);
		break;
	case AF_INET6:
		if (s.len >= 24)
			sockaddr_in6(x, s);
		break;
	case AF_NETLINK:
		member(x, "nl_pid", false);
		val__sdec(x, (s32)span__get(s, 4, 4));
		member(x, "nl_groups", false);
		if (dctx__strace(x))
			outbuf__printf(x->ob, "%#08llx", (unsigned long long)span__get(s, 8, 4));
		else
			val__hex(x, span__get(s, 8, 4));
		break;
	case AF_PACKET:
		sockaddr_ll(x, s);
		break;
	case AF_VSOCK: {
		u32 cid = (u32)span__get(s, 8, 4);

		member(x, "svm_cid", false);
		if (cid == (u32)-1)
			val__text(x, "VMADDR_CID_ANY");
		else
			val__dec(x, cid);
		member(x, "svm_port", false);
		val__dec(x, span__get(s, 4, 4));
		break;
	}
	default:
		if (s.len > 2) {
			member(x, "sa_data", false);
			val__bytes(x, s.p + 2, s.len - 2, false, false);
		}
	}
	val__close(x, false);
}

/* The next chunk of a vector's payload: u32 length, bytes, padding to 4. */
static bool chunk(struct span *s, struct span *out)
{
	u32 len = (u32)span__get(*s, 0, 4), step;

	if (s->len < 4 || len > s->len - 4)
		return false;
	*out = (struct span){s->p + 4, len};
	step = 4 + ((len + 3) & ~3u);
	if (step > s->len)
		step = s->len;
	s->p += step;
	s->len -= step;
	return true;
}

/* A message's header by name, what follows it as bytes. */
static void netlink_message(struct dctx *x, struct span s, u64 want)
{
	outbuf__putc(x->ob, '[');
	val__struct(x, dctx__type(x, "nlmsghdr"), s);
	if (want > 16) {
		val__sep(x);
		val__bytes(x, s.p + 16, (u32)min_t(u64, s.len, want) - 16, want > s.len, false);
	}
	outbuf__putc(x->ob, ']');
}

/* One iovec: base, and what of it was captured; @left: bytes of the result not yet shown, < 0: all.
 */
static void one_iovec(struct dctx *x, struct span iov, const struct span *buf, s64 *left,
		      bool netlink)
{
	u32 w = x->compat ? 4 : 8;
	u64 base = span__get(iov, 0, w), len = span__get(iov, w, w), want = len;

	if (*left >= 0) {
		if (want > (u64)*left)
			want = (u64)*left;
		*left -= (s64)want;
	}
	val__open(x);
	member(x, "iov_base", true);
	if (netlink && buf && base && buf->len >= 16 && want >= 16)
		netlink_message(x, *buf, want);
	else if (buf && (buf->len || !want) && base)
		val__bytes(x, buf->p, (u32)min_t(u64, buf->len, want), want > buf->len, false);
	else if (buf && !want && base)
		val__bytes(x, "", 0, false, false);
	else
		val__ptr(x, base);
	member(x, "iov_len", false);
	val__dec(x, len);
	val__close(x, false);
}

/* @iov: the raw array; buffers are taken from @rest, which moves on. */
static void iovecs(struct dctx *x, struct span iov, u64 nr, struct span *rest, s64 total,
		   bool netlink)
{
	u32 size = x->compat ? 8 : 16;
	u64 have = iov.len / size, i;

	if (have > nr)
		have = nr;
	outbuf__putc(x->ob, '[');
	for (i = 0; i < have; i++) {
		struct span buf;
		bool got = rest && chunk(rest, &buf);

		if (i >= MAX_SHOWN)
			continue; /* the chunks must be passed over all the same */
		if (i)
			val__sep(x);
		one_iovec(x, (struct span){iov.p + i * size, size}, got ? &buf : NULL, &total,
			  netlink && i == 0);
	}
	if ((have < nr || have > MAX_SHOWN) && !dctx__json(x)) {
		if (have)
			val__sep(x);
		outbuf__puts(x->ob, "...");
	}
	outbuf__putc(x->ob, ']');
}

static struct span head_of(const struct trace_blob *b, struct span *rest)
{
	struct span all = blob__span(b);
	u32 head = min_t(u32, b->head, all.len);

	*rest = (struct span){all.p + head, all.len - head};
	return (struct span){all.p, head};
}

void val__iovec(struct dctx *x, const struct trace_blob *b, u64 nr, s64 total)
{
	struct span rest, head = head_of(b, &rest);

	iovecs(x, head, nr, &rest, total, false);
}

static void cmsg_data(struct dctx *x, u32 level, u32 type, struct span s)
{
	if (level == SOL_SOCKET && type == SCM_RIGHTS) {
		member(x, "cmsg_data", false);
		outbuf__putc(x->ob, '[');
		for (u32 i = 0; i + 4 <= s.len; i += 4) {
			if (i)
				val__sep(x);
			val__fd(x, (s32)span__get(s, i, 4));
		}
		outbuf__putc(x->ob, ']');
	} else if (level == SOL_SOCKET && type == SCM_CREDENTIALS && s.len >= 12) {
		member(x, "cmsg_data", false);
		val__struct(x, dctx__type(x, "ucred"), s);
	} else if (s.len) {
		member(x, "cmsg_data", false);
		val__bytes(x, s.p, min_t(u32, s.len, 64), s.len > 64, false);
	}
}

static void control(struct dctx *x, struct span s)
{
	u32 w = x->compat ? 4 : 8, head = w + 8;
	bool first = true;

	outbuf__putc(x->ob, '[');
	while (s.len >= head) {
		u64 len = span__get(s, 0, w), step;
		u32 level = (u32)span__get(s, w, 4), type = (u32)span__get(s, w + 4, 4);

		if (len < head || len > s.len)
			break;
		if (!first)
			val__sep(x);
		first = false;
		val__open(x);
		member(x, "cmsg_len", true);
		val__dec(x, len);
		member(x, "cmsg_level", false);
		val__enum(x, SET_OF("sol"), level, false);
		member(x, "cmsg_type", false);
		if (level == SOL_SOCKET)
			val__enum(x, SET_OF("scm"), type, false);
		else if (sockopt__set(level))
			val__enum(x, sockopt__set(level), type, false);
		else
			val__hex(x, type);
		cmsg_data(x, level, type, (struct span){s.p + head, (u32)len - head});
		val__close(x, false);
		step = (len + w - 1) & ~(u64)(w - 1);
		if (step >= s.len)
			break;
		s.p += step;
		s.len -= (u32)step;
	}
	outbuf__putc(x->ob, ']');
}

/* One message: @m the raw header, @rest its chunks: name, iovec[], buffers, control. */
static void message(struct dctx *x, struct span m, struct span *rest, s64 total, bool out)
{
	u32 w = x->compat ? 4 : 8;
	u64 name = span__get(m, 0, w), nr_iov = span__get(m, 3 * w, w);
	u64 ctl = span__get(m, 4 * w, w), ctl_len = span__get(m, 5 * w, w);
	u32 name_len = (u32)span__get(m, w, 4), flags = (u32)span__get(m, 6 * w, 4);
	struct span n = {0}, iov = {0}, c = {0};
	bool got_name = chunk(rest, &n), got_iov = chunk(rest, &iov);

	val__open(x);
	member(x, "msg_name", true);
	if (name && got_name && n.len)
		val__sockaddr(x, n);
	else
		val__ptr(x, name);
	member(x, "msg_namelen", false);
	val__dec(x, name_len);
	member(x, "msg_iov", false);
	if (got_iov)
		iovecs(x, iov, nr_iov, rest, total,
		       got_name && n.len >= 2 && span__get(n, 0, 2) == AF_NETLINK);
	else
		val__ptr(x, span__get(m, 2 * w, w));
	member(x, "msg_iovlen", false);
	val__dec(x, nr_iov);
	if (ctl_len && ctl && chunk(rest, &c) && c.len) {
		member(x, "msg_control", false);
		control(x, c);
	} else if (ctl_len) {
		member(x, "msg_control", false);
		val__ptr(x, ctl);
	} else if (ctl) {
		chunk(rest, &c);
	}
	member(x, "msg_controllen", false);
	val__dec(x, ctl_len);
	member(x, "msg_flags", false);
	val__flags(x, SET_OF("msg"), out || dctx__strace(x) ? flags : 0);
	val__close(x, false);
}

void val__msghdr(struct dctx *x, const struct trace_blob *b, s64 total)
{
	struct span rest, head = head_of(b, &rest);

	message(x, head, &rest, total, b->when == CAP_EXIT);
}

void val__mmsghdr(struct dctx *x, const struct trace_blob *b, u64 nr)
{
	struct span rest, head = head_of(b, &rest);
	u32 size = x->compat ? 32 : 64, at = x->compat ? 28 : 56;
	u64 have = head.len / size;
	bool out = b->when == CAP_EXIT;

	if (have > nr)
		have = nr;
	outbuf__putc(x->ob, '[');
	for (u64 i = 0; i < have && i < MAX_SHOWN; i++) {
		struct span m = {head.p + i * size, size};
		u32 len = (u32)span__get(m, at, 4);

		if (i)
			val__sep(x);
		val__open(x);
		member(x, "msg_hdr", true);
		message(x, m, &rest, out ? (s64)len : -1, out);
		if (out && x->has_ret && x->r->ret > (s64)i) {
			member(x, "msg_len", false);
			val__dec(x, len);
		}
		val__close(x, false);
	}
	if (have < nr && !dctx__json(x))
		outbuf__puts(x->ob, have ? ", ..." : "...");
	outbuf__putc(x->ob, ']');
}

void val__fdset(struct dctx *x, const struct trace_blob *b, u32 nfds)
{
	struct span s = blob__span(b);
	bool first = true;

	outbuf__putc(x->ob, '[');
	for (u32 fd = 0; fd < nfds && fd / 8 < s.len; fd++) {
		if (!(s.p[fd / 8] >> (fd % 8) & 1))
			continue;
		if (!first)
			outbuf__puts(x->ob, dctx__json(x) ? "," : " ");
		first = false;
		val__fd(x, (s32)fd);
	}
	outbuf__putc(x->ob, ']');
}

const struct trace_set *sockopt__set(u32 level)
{
	switch (level) {
	case 0:
		return SET_OF("ip_opt");
	case SOL_SOCKET:
		return SET_OF("so");
	case 6:
		return SET_OF("tcp_opt");
	case 17:
	case 136:
		return SET_OF("udp_opt");
	case 41:
		return SET_OF("ip6_opt");
	case 58:
		return SET_OF("icmp6_opt");
	case 132:
		return SET_OF("sctp_opt");
	case 255:
		return SET_OF("raw_opt");
	case 263:
		return SET_OF("packet_opt");
	case 270:
		return SET_OF("netlink_opt");
	case 282:
		return SET_OF("tls_opt");
	case 287:
		return SET_OF("vsock_opt");
	}
	return NULL;
}

/* Socket options that are more than a number. */
static const struct {
	u32 level, name;
	const char *type; /* struct, "text", "errno", "fd" */
} opt_types[] = {
	{SOL_SOCKET, SO_LINGER, "linger"},
	{SOL_SOCKET, SO_PEERCRED, "ucred"},
	{SOL_SOCKET, 20, "timeval"},
	{SOL_SOCKET, 21, "timeval"},
	{SOL_SOCKET, 66, "timeval"},
	{SOL_SOCKET, 67, "timeval"},
	{SOL_SOCKET, SO_BINDTODEVICE, "text"},
	{SOL_SOCKET, SO_ATTACH_FILTER, "sock_fprog"},
	{SOL_SOCKET, SO_PEERSEC, "text"},
	{SOL_SOCKET, SO_ERROR, "errno"},
	{SOL_SOCKET, SO_TYPE, "type"},
	{SOL_SOCKET, SO_DOMAIN, "domain"},
	{SOL_SOCKET, SO_PROTOCOL, "protocol"},
	{SOL_SOCKET, 77, "fd"},
	{0, 35 /* IP_ADD_MEMBERSHIP */, "ip_mreq"},
	{0, 36, "ip_mreq"},
	{6, 11 /* TCP_INFO */, "tcp_info"},
	{6, 13 /* TCP_CONGESTION */, "text"},
	{6, 31 /* TCP_ULP */, "text"},
};

static const char *opt_type(u32 level, u32 name)
{
	for (u32 i = 0; i < ARRAY_SIZE(opt_types); i++) {
		if (opt_types[i].level == level && opt_types[i].name == name)
			return opt_types[i].type;
	}
	return NULL;
}

static const struct trace_type *any_type(struct dctx *x, const char *name)
{
	const struct trace_type *t = dctx__type(x, name);

	if (!t && !strcmp(name, "tcp_info"))
		t = dctx__type(x, "tcp_info_head");
	return t;
}

static bool named_opt(struct dctx *x, const char *type, struct span s)
{
	u32 v = (u32)span__get(s, 0, 4);
	const struct trace_type *t;

	if (!strcmp(type, "text")) {
		val__bytes(x, s.p, (u32)strnlen((const char *)s.p, s.len), false, false);
		return true;
	}
	t = any_type(x, type);
	if (t) {
		if (s.len < t->size && strcmp(type, "tcp_info"))
			return false;
		val__struct(x, t, s);
		return true;
	}
	if (s.len != 4)
		return false;
	outbuf__putc(x->ob, '[');
	if (!strcmp(type, "type"))
		val__enum(x, SET_OF("sock_type"), v, false);
	else if (!strcmp(type, "domain"))
		val__enum(x, SET_OF("af"), v, false);
	else if (!strcmp(type, "protocol"))
		val__enum(x, SET_OF("ipproto"), v, false);
	else if (!strcmp(type, "errno") && v && trace_errno__name((int)v))
		val__text(x, trace_errno__name((int)v));
	else if (!strcmp(type, "fd"))
		val__fd(x, (s32)v);
	else
		val__sdec(x, (s32)v);
	outbuf__putc(x->ob, ']');
	return true;
}

void val__sockopt(struct dctx *x, const struct trace_arg *a, int i)
{
	const struct trace_blob *b = a->dir & CAP_EXIT ? x->out[i] : x->in[i];
	const char *type = opt_type((u32)x->args[1], (u32)x->args[2]);
	struct span s;

	if (!b || b->status == BLOB_UNREADABLE || b->status == BLOB_FAULT) {
		val__ptr(x, x->args[i]);
		return;
	}
	s = blob__span(b);
	if (type && named_opt(x, type, s))
		return;
	if (s.len == 4) {
		outbuf__putc(x->ob, '[');
		val__sdec(x, (s32)span__get(s, 0, 4));
		outbuf__putc(x->ob, ']');
		return;
	}
	val__bytes(x, s.p, min_t(u32, s.len, x->d->o.string_limit),
		   b->status == BLOB_CUT || s.len > x->d->o.string_limit, false);
}
