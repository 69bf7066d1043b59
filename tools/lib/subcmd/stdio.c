// SPDX-License-Identifier: GPL-2.0-only
/* The standard descriptors: what to do when they are closed, full, or their reader is gone. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "lib/api/outbuf.h"
#include "lib/subcmd/subcmd.h"

/*
 * A descriptor 0 to 2 that is closed would be given to the next file opened, and output would end
 * up in that file. It is filled with /dev/null, read-only, so that a write to a closed stdout is
 * still the error that it should be (EBADF).
 */
static void fill_standard_fds(void)
{
	for (int fd = 0; fd <= 2; fd++)
		if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
			(void)!open("/dev/null", O_RDONLY);
}

void subcmd__init_stdio(void)
{
	fill_standard_fds();
	workload__save_signals();
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN); /* a file over the limit is EFBIG, and that is said */
}

int subcmd__write_failed(int err, int code)
{
	if (!err)
		return code;
	if (err == -EPIPE) /* the reader has seen enough: no error of ours */
		return code;
	pr_err("cannot write the output: %s",
	       err == -EBADF ? "standard output is closed" : strerror(-err));
	return EXIT_TOOL_FAILED;
}

int subcmd__finish_output(struct outbuf *ob, int code)
{
	int err = outbuf__flush(ob);

	outbuf__exit(ob);
	return subcmd__write_failed(err, code);
}

int subcmd__finish_stdio(int code)
{
	int err = 0;

	/* A stream that never held anything must not complain about a closed descriptor. */
	if (fflush(stdout) || ferror(stdout))
		err = errno ? -errno : -EIO;
	return subcmd__write_failed(err, code);
}
