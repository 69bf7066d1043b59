// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "session/record-control.h"

static int open_fifo(const char *path, int flags, struct errbuf *eb)
{
	/* Read and write: a FIFO opened so neither blocks nor ends when its other side goes. */
	int fd = open(path, O_RDWR | O_CLOEXEC | flags);

	if (fd < 0)
		return errbuf__set(eb, -errno, "--control: cannot open %s: %s", path,
				   strerror(errno));
	return fd;
}

static int parse_fd(const char *s, int *fd, struct errbuf *eb)
{
	char *end;
	long v = strtol(s, &end, 10);

	if (end == s || *end || v < 0 || fcntl(v, F_GETFD) < 0)
		return errbuf__set(eb, -EBADF, "--control: '%s' is no open descriptor", s);
	*fd = v;
	return 0;
}

int control__open(struct control *c, const char *spec, struct errbuf *eb)
{
	char buf[4096], *ack;
	bool fifo = !strncmp(spec, "fifo:", 5);
	int err;

	*c = (struct control){.fd = -1, .ack_fd = -1, .owned = fifo};
	if (!fifo && strncmp(spec, "fd:", 3))
		return errbuf__set(eb, -EINVAL,
				   "--control '%s': fd:CTL[,ACK] or fifo:CTL[,ACK] is expected",
				   spec);
	snprintf(buf, sizeof(buf), "%s", strchr(spec, ':') + 1);
	ack = strchr(buf, ',');
	if (ack)
		*ack++ = 0;
	if (!fifo) {
		err = parse_fd(buf, &c->fd, eb);
		return err || !ack ? err : parse_fd(ack, &c->ack_fd, eb);
	}
	c->fd = open_fifo(buf, O_NONBLOCK, eb);
	if (c->fd < 0)
		return c->fd;
	if (ack) {
		c->ack_fd = open_fifo(ack, O_NONBLOCK, eb);
		if (c->ack_fd < 0) {
			err = c->ack_fd;
			control__close(c);
			return err;
		}
	}
	return 0;
}

void control__close(struct control *c)
{
	if (c->owned && c->fd >= 0)
		close(c->fd);
	if (c->owned && c->ack_fd >= 0)
		close(c->ack_fd);
	c->fd = c->ack_fd = -1;
}

/* One line into c->line, NUL-terminated. False: not yet; *closed: never again. */
static bool read_line(struct control *c, bool *closed)
{
	struct pollfd p = {.fd = c->fd, .events = POLLIN};

	*closed = false;
	/* Byte by byte: what follows the line is left for the next call, or for others. */
	while (poll(&p, 1, 0) > 0) {
		char ch;
		ssize_t n = read(c->fd, &ch, 1);

		if (n < 0 && (errno == EAGAIN || errno == EINTR))
			return false;
		if (n <= 0) {
			*closed = true;
			return false;
		}
		if (ch == '\n' || !ch) {
			c->line[c->len] = 0;
			c->len = 0;
			return true;
		}
		if (c->len < sizeof(c->line) - 1)
			c->line[c->len++] = ch;
	}
	return false;
}

enum control_cmd control__next(struct control *c, const char **arg)
{
	static const struct {
		const char *word;
		enum control_cmd cmd;
	} words[] = {
		{"enable", CONTROL_ENABLE},	{"disable", CONTROL_DISABLE},
		{"snapshot", CONTROL_SNAPSHOT}, {"stop", CONTROL_STOP},
		{"ping", CONTROL_PING},		{"evlist", CONTROL_EVLIST},
	};
	bool closed;
	size_t n;

	*arg = "";
	if (!read_line(c, &closed))
		return closed ? CONTROL_CLOSED : CONTROL_NONE;
	n = strcspn(c->line, " \t");
	*arg = c->line + n + strspn(c->line + n, " \t");
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strlen(words[i].word) == n && !strncmp(words[i].word, c->line, n))
			return words[i].cmd;
	*arg = c->line;
	return CONTROL_UNKNOWN;
}

void control__ack(struct control *c)
{
	static const char ack[] = "ack\n";

	/* With its NUL, as upstream sends it; a reader that is not there does not hold us. */
	if (c->ack_fd >= 0 && write(c->ack_fd, ack, sizeof(ack)) < 0)
		return;
}
