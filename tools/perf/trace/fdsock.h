/* SPDX-License-Identifier: GPL-2.0-only */
/* A socket's ends from its inode: /proc/PID/net/{tcp,tcp6,udp,udp6,unix,netlink}. */
#ifndef PERF_TRACE_FDSOCK_H
#define PERF_TRACE_FDSOCK_H

#include <stdbool.h>

#include "compiler.h"

struct fdsock;

struct fdsock *fdsock__new(void);
void fdsock__delete(struct fdsock *s);
/*
 * fdsock__name - "TCP:[127.0.0.1:80->127.0.0.1:5000]", "UNIX:[\"/run/x\"]", "NETLINK:[ROUTE]";
 * NULL when the socket is in none of the tables. Reading them takes time in proportion to all
 * sockets: no more than a fiftieth of the run is spent so, beyond that the answer is NULL.
 * Valid until the next call.
 */
const char *fdsock__name(struct fdsock *s, u32 pid, u64 inode);

#endif
