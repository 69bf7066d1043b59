// SPDX-License-Identifier: GPL-2.0-only
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "trace/fdsock.h"

#define SHARE 50	     /* of the run's time that may be spent here: 1 / SHARE */
#define START_NS 50000000ULL /* and so much at the start */

struct fdsock {
	u64 began, spent; /* ns */
	char name[256];
	char *line;
	size_t cap;
};

static u64 now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (u64)ts.tv_sec * 1000000000ULL + (u64)ts.tv_nsec;
}

struct fdsock *fdsock__new(void)
{
	struct fdsock *s = calloc(1, sizeof(*s));

	if (s)
		s->began = now_ns();
	return s;
}

void fdsock__delete(struct fdsock *s)
{
	if (s)
		free(s->line);
	free(s);
}

/* "0100007F:1F90" or 32 digits: as the kernel prints its words, in memory order. */
static int address(const char *word, char *out, size_t size)
{
	const char *colon = strchr(word, ':');
	u32 w[4] = {0};
	unsigned int port;
	char ip[INET6_ADDRSTRLEN];
	size_t n;

	if (!colon || sscanf(colon + 1, "%x", &port) != 1)
		return -1;
	n = (size_t)(colon - word);
	if (n != 8 && n != 32)
		return -1;
	for (size_t i = 0; i < n / 8; i++) {
		char digits[9];

		memcpy(digits, word + i * 8, 8);
		digits[8] = 0;
		w[i] = (u32)strtoul(digits, NULL, 16);
	}
	if (!inet_ntop(n == 8 ? AF_INET : AF_INET6, w, ip, sizeof(ip)))
		return -1;
	snprintf(out, size, n == 8 ? "%s:%u" : "[%s]:%u", ip, port);
	return 0;
}

/* One line of tcp, udp: "sl local remote st tx:rx tr:when retr uid timeout inode". */
static bool inet_line(struct fdsock *s, const char *proto, u64 inode)
{
	char local[80], remote[80], l[64], r[64];
	unsigned long long ino;

	if (sscanf(s->line, " %*d: %79s %79s %*x %*s %*s %*x %*u %*d %llu", local, remote, &ino) !=
		    3 ||
	    ino != inode)
		return false;
	if (address(local, l, sizeof(l)) || address(remote, r, sizeof(r)))
		return false;
	if (strstr(remote, ":0000"))
		snprintf(s->name, sizeof(s->name), "%s:[%s]", proto, l);
	else
		snprintf(s->name, sizeof(s->name), "%s:[%s->%s]", proto, l, r);
	return true;
}

static bool unix_line(struct fdsock *s, const char *proto, u64 inode)
{
	unsigned long long ino;
	int at = 0;

	if (sscanf(s->line, "%*[^:]: %*x %*x %*x %*x %*x %llu%n", &ino, &at) != 1 || ino != inode)
		return false;
	s->line[strcspn(s->line, "\n")] = 0;
	if (s->line[at] == ' ' && s->line[at + 1])
		snprintf(s->name, sizeof(s->name), "%s:[%llu,\"%.150s\"]", proto, ino,
			 s->line + at + 1);
	else
		snprintf(s->name, sizeof(s->name), "%s:[%llu]", proto, ino);
	return true;
}

static bool netlink_line(struct fdsock *s, const char *proto, u64 inode)
{
	static const char *const families[] = {"ROUTE",	    NULL,    "USERSOCK",   NULL,
					       "SOCK_DIAG", "NFLOG", "XFRM",	   "SELINUX",
					       "ISCSI",	    "AUDIT", "FIB_LOOKUP", "CONNECTOR",
					       "NETFILTER", NULL,    NULL,	   "KOBJECT_UEVENT",
					       "GENERIC"};
	unsigned long long ino;
	unsigned int family, portid;

	if (sscanf(s->line, "%*x %u %u %*x %*d %*d %*x %*d %*u %llu", &family, &portid, &ino) !=
		    3 ||
	    ino != inode)
		return false;
	if (family < ARRAY_SIZE(families) && families[family])
		snprintf(s->name, sizeof(s->name), "%s:[%s:%u]", proto, families[family], portid);
	else
		snprintf(s->name, sizeof(s->name), "%s:[%u:%u]", proto, family, portid);
	return true;
}

static const struct {
	const char *file, *proto;
	bool (*line)(struct fdsock *s, const char *proto, u64 inode);
} tables[] = {
	{"tcp", "TCP", inet_line},   {"tcp6", "TCPv6", inet_line},
	{"udp", "UDP", inet_line},   {"udp6", "UDPv6", inet_line},
	{"unix", "UNIX", unix_line}, {"netlink", "NETLINK", netlink_line},
	{"raw", "RAW", inet_line},   {"raw6", "RAWv6", inet_line},
};

static bool table_read(struct fdsock *s, u32 pid, u32 i, u64 inode)
{
	char path[64];
	bool found = false;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%u/net/%s", pid, tables[i].file);
	f = fopen(path, "re");
	if (!f)
		return false;
	while (!found && getline(&s->line, &s->cap, f) > 0)
		found = tables[i].line(s, tables[i].proto, inode);
	fclose(f);
	return found;
}

const char *fdsock__name(struct fdsock *s, u32 pid, u64 inode)
{
	u64 start = now_ns();
	bool found = false;

	if (s->spent > START_NS + (start - s->began) / SHARE)
		return NULL;
	for (u32 i = 0; i < ARRAY_SIZE(tables) && !found; i++)
		found = table_read(s, pid, i, inode);
	s->spent += now_ns() - start;
	return found ? s->name : NULL;
}
