/* SPDX-License-Identifier: GPL-2.0-only */
/* --control: commands that come in through a descriptor or a FIFO while events are measured. */
#ifndef PERF_SESSION_RECORD_CONTROL_H
#define PERF_SESSION_RECORD_CONTROL_H

#include "errbuf.h"

struct control {
	int fd, ack_fd; /* -1: none */
	bool owned;	/* opened here */
	char line[256];
	size_t len;
};

enum control_cmd {
	CONTROL_NONE, /* nothing whole has come in yet */
	CONTROL_ENABLE,
	CONTROL_DISABLE,
	CONTROL_SNAPSHOT,
	CONTROL_STOP,
	CONTROL_PING,
	CONTROL_EVLIST,
	CONTROL_UNKNOWN,
	CONTROL_CLOSED,
};

/* control__open - @spec "fd:CTL[,ACK]" or "fifo:CTL[,ACK]". 0 or -errno with @eb. */
int control__open(struct control *c, const char *spec, struct errbuf *eb);
void control__close(struct control *c);
/* control__next - the next command; *arg points behind it ("" when there is none), valid until the
 * next call. */
enum control_cmd control__next(struct control *c, const char **arg);
void control__ack(struct control *c);

#endif
