// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names of sockets from the calls that make and connect them: "TCP:[127.0.0.1:80->127.0.0.1:5000]".
 * The near end is missing where no call told it ("TCP:[->127.0.0.1:80]"), its address where it is
 * any
 * (":80").
 */
#include <arpa/inet.h>
#include <stdio.h>
#include <sys/socket.h>

#include "trace/decode-int.h"

struct ends {
	char proto[12];
	char near[160], far[160];
};

/* An address as text; "" for none. */
static void addr_text(const struct trace_blob *b, char *out, size_t size)
{
	struct span s = b ? blob__span(b) : (struct span){0};
	char ip[INET6_ADDRSTRLEN];

	*out = 0;
	if (s.len < 2)
		return;
	switch ((u32)span__get(s, 0, 2)) {
	case AF_INET:
		if (s.len >= 8 && inet_ntop(AF_INET, s.p + 4, ip, sizeof(ip)))
			snprintf(out, size, "%s:%u", ip, ntohs((u16)span__get(s, 2, 2)));
		break;
	case AF_INET6:
		if (s.len >= 24 && inet_ntop(AF_INET6, s.p + 8, ip, sizeof(ip)))
			snprintf(out, size, "[%s]:%u", ip, ntohs((u16)span__get(s, 2, 2)));
		break;
	case AF_UNIX:
		if (s.len > 2 && s.p[2])
			snprintf(out, size, "\"%.*s\"",
				 (int)strnlen((const char *)s.p + 2, s.len - 2),
				 (const char *)s.p + 2);
		else if (s.len > 3)
			snprintf(out, size, "\"@%.*s\"",
				 (int)strnlen((const char *)s.p + 3, s.len - 3),
				 (const char *)s.p + 3);
		break;
	}
}

/* "PROTO:[NEAR->FAR]" into its parts. */
static void ends__parse(struct ends *e, const char *name)
{
	const char *open = name ? strstr(name, ":[") : NULL, *arrow, *close;

	memset(e, 0, sizeof(*e));
	if (!name)
		return;
	snprintf(e->proto, sizeof(e->proto), "%.*s", (int)(open ? open - name : (long)strlen(name)),
		 name);
	close = open ? strrchr(open, ']') : NULL;
	if (!close)
		return;
	open += 2;
	arrow = strstr(open, "->");
	if (!arrow || arrow > close)
		arrow = close;
	else
		snprintf(e->far, sizeof(e->far), "%.*s", (int)(close - arrow - 2), arrow + 2);
	snprintf(e->near, sizeof(e->near), "%.*s", (int)(arrow - open), open);
}

static void ends__set(struct dctx *x, const struct ends *e, int fd)
{
	char name[360];
	int n;

	if (e->near[0] || e->far[0])
		n = snprintf(name, sizeof(name), "%s:[%s%s%s]", e->proto, e->near,
			     e->far[0] ? "->" : "", e->far);
	else
		n = snprintf(name, sizeof(name), "%s", e->proto);
	fdtable__rename(x->d->fds, x->r->pid, fd, name, (u32)n);
}

void socket__made(struct dctx *x, int fd, bool cloexec)
{
	u32 family = (u32)x->args[0], type = (u32)x->args[1] & 0xf;
	const char *v6 = family == AF_INET6 ? "v6" : "";
	const char *netlink = trace_set__name(SET_OF("netlink"), (u32)x->args[2]);
	char name[64];
	int n;

	if (family == AF_INET || family == AF_INET6)
		n = snprintf(name, sizeof(name), "%s%s",
			     type == SOCK_STREAM  ? "TCP"
			     : type == SOCK_DGRAM ? "UDP"
						  : "RAW",
			     v6);
	else if (family == AF_NETLINK && netlink)
		n = snprintf(name, sizeof(name), "NETLINK:[%s]", netlink + strlen("NETLINK_"));
	else if (trace_set__name(SET_OF("af"), family))
		n = snprintf(name, sizeof(name), "%s",
			     trace_set__name(SET_OF("af"), family) + strlen("AF_"));
	else
		n = snprintf(name, sizeof(name), "socket");
	fdtable__set(x->d->fds, x->r->pid, fd, name, (u32)n, cloexec);
}

/* An address of any interface says only its port. */
static const char *specific(const char *near)
{
	if (!strncmp(near, "0.0.0.0:", 8))
		return near + 7;
	if (!strncmp(near, "[::]:", 5))
		return near + 4;
	return near;
}

void socket__accepted(struct dctx *x, int fd, bool cloexec)
{
	const char *listener = fdtable__path(x->d->fds, x->r->pid, (s32)x->args[0]);
	struct ends e;

	if (!listener) {
		fdtable__set_unknown(x->d->fds, x->r->pid, fd, cloexec);
		return;
	}
	ends__parse(&e, listener);
	memmove(e.near, specific(e.near), strlen(specific(e.near)) + 1);
	addr_text(x->out[1], e.far, sizeof(e.far));
	fdtable__set(x->d->fds, x->r->pid, fd, "", 0, cloexec);
	ends__set(x, &e, fd);
}

void socket__changed(struct dctx *x)
{
	int fd = (s32)x->args[0];
	const char *name = fdtable__path(x->d->fds, x->r->pid, fd);
	const struct trace_blob *in = x->in[1], *out = x->out[1];
	char addr[160];
	struct ends e;

	if (!name)
		return;
	ends__parse(&e, name);
	addr_text(in ? in : out, addr, sizeof(addr));
	switch (x->c->name[0]) {
	case 'b': /* bind: port 0 is one that the kernel chooses */
		if (strstr(addr, ":0") && !strcmp(strrchr(addr, ':'), ":0"))
			return;
		snprintf(e.near, sizeof(e.near), "%s", addr);
		break;
	case 'c': /* connect; to AF_UNSPEC: undone */
		snprintf(e.far, sizeof(e.far), "%s", addr);
		break;
	case 'g':
		if (!addr[0])
			return;
		if (!strcmp(x->c->name, "getsockname"))
			snprintf(e.near, sizeof(e.near), "%s", addr);
		else
			snprintf(e.far, sizeof(e.far), "%s", addr);
		break;
	default: /* listen */
		return;
	}
	if (!strncmp(e.proto, "NETLINK", 7))
		return;
	ends__set(x, &e, fd);
}
