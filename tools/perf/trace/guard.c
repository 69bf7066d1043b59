// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/api/procfs.h"
#include "trace/guard.h"

#define ROUNDS 400 /* of 5 ms */

struct guard {
	int fd; /* our end of the pipe; its closing is what the guard waits for */
};

/* The kernel lets the tool's threads go some time after its descriptors are closed, and the
 * SIGSTOPs are delivered then: look for a while. */
static void wake_stopped(const struct trace_ctl *ctl)
{
	for (int round = 0; round < ROUNDS; round++) {
		bool any = false;

		for (int i = 0; i < TRACE_NR_SIGSTOPS; i++) {
			struct proc_stat st;
			pid_t pid = ctl->sigstop[i];

			if (pid <= 0)
				continue;
			any = true;
			if (!procfs__stat(pid, &st) && st.state == 'T')
				kill(pid, SIGCONT);
		}
		if (!any)
			return;
		usleep(5000);
	}
}

static void run_guard(int fd, const struct trace_ctl *ctl)
{
	ssize_t n;
	char c;

	prctl(PR_SET_NAME, "trace-guard");
	setsid();
	for (int sig = 1; sig < 32; sig++)
		if (sig != SIGCHLD)
			signal(sig, SIG_IGN);
	dup2(fd, 0);
	syscall(SYS_close_range, 1, ~0u, 0);
	do
		n = read(0, &c, 1);
	while (n < 0 && errno == EINTR);
	if (n == 0) /* no farewell */
		wake_stopped(ctl);
	_exit(0);
}

struct guard *guard__start(const struct trace_ctl *ctl, struct errbuf *eb)
{
	struct guard *g = calloc(1, sizeof(*g));
	int p[2], status;
	pid_t pid;

	if (!g || pipe2(p, O_CLOEXEC)) {
		free(g);
		errbuf__set(eb, -errno, "cannot start the guard: %s", strerror(errno));
		return NULL;
	}
	pid = fork();
	if (!pid) {
		/* Nobody's child, so that it is in nobody's wait(2). */
		close(p[1]);
		if (fork())
			_exit(0);
		run_guard(p[0], ctl);
	}
	close(p[0]);
	if (pid < 0) {
		errbuf__set(eb, -errno, "cannot start the guard: %s", strerror(errno));
		close(p[1]);
		free(g);
		return NULL;
	}
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	g->fd = p[1];
	return g;
}

void guard__end(struct guard *g)
{
	if (!g)
		return;
	(void)!write(g->fd, "e", 1);
	close(g->fd);
	free(g);
}
