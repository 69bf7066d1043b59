// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/subcmd/subcmd.h"

struct workload {
	pid_t pid;
	int pidfd;
	int go_fd;   /* a byte here lets it exec; closing it ends it */
	int fail_fd; /* brings errno of a failed exec; closed by a good one */
	bool ended;
	int exit_code;
	const char *name;
};

/* The signal state that perf was started with: the workload gets it back. */
static struct {
	bool saved;
	struct sigaction pipe, xfsz;
	sigset_t mask;
} orig;

void workload__save_signals(void)
{
	sigaction(SIGPIPE, NULL, &orig.pipe);
	sigaction(SIGXFSZ, NULL, &orig.xfsz);
	sigprocmask(SIG_SETMASK, NULL, &orig.mask);
	orig.saved = true;
}

void workload__restore_signals(void)
{
	if (!orig.saved)
		return;
	sigaction(SIGPIPE, &orig.pipe, NULL);
	sigaction(SIGXFSZ, &orig.xfsz, NULL);
	sigprocmask(SIG_SETMASK, &orig.mask, NULL);
}

static void run_child(const char *const argv[], int go, int fail)
{
	ssize_t n;
	char c;
	int err;

	do
		n = read(go, &c, 1);
	while (n < 0 && errno == EINTR);
	if (n != 1)
		_exit(0); /* perf gave up, or died */
	workload__restore_signals();
	execvp(argv[0], (char *const *)argv);
	err = errno;
	(void)!write(fail, &err, sizeof(err));
	_exit(EXIT_NOT_FOUND);
}

static struct workload *workload__alloc(const char *name)
{
	struct workload *w = calloc(1, sizeof(*w));

	if (w) {
		w->pidfd = w->go_fd = w->fail_fd = -1;
		w->name = name;
	}
	return w;
}

struct workload *workload__prepare(const char *const argv[], struct errbuf *eb)
{
	struct workload *w = workload__alloc(argv[0]);
	int go[2] = {-1, -1}, fail[2] = {-1, -1};

	if (!w || pipe2(go, O_CLOEXEC) || pipe2(fail, O_CLOEXEC))
		goto err;
	w->pid = fork();
	if (w->pid < 0)
		goto err;
	if (!w->pid) {
		close(go[1]);
		close(fail[0]);
		run_child(argv, go[0], fail[1]);
	}
	close(go[0]);
	close(fail[1]);
	w->go_fd = go[1];
	w->fail_fd = fail[0];
	w->pidfd = syscall(SYS_pidfd_open, w->pid, 0);
	return w;
err:
	errbuf__set(eb, -errno, "cannot start '%s': %s", argv[0], strerror(errno));
	for (int i = 0; i < 2; i++) {
		if (go[i] >= 0)
			close(go[i]);
		if (fail[i] >= 0)
			close(fail[i]);
	}
	free(w);
	return NULL;
}

int workload__pid(const struct workload *w)
{
	return w->pid;
}

int workload__pidfd(const struct workload *w)
{
	return w->pidfd;
}

int workload__start(struct workload *w, int *exit_code, struct errbuf *eb)
{
	int err = 0;
	ssize_t n;

	if (w->go_fd < 0)
		return errbuf__set(eb, -EINVAL, "'%s' was started already", w->name);
	/* Should the held child be dead (killed from outside), this is EPIPE, and the read below
	 * sees the end; its exit code tells the rest. */
	do
		n = write(w->go_fd, "g", 1);
	while (n < 0 && errno == EINTR);
	close(w->go_fd);
	w->go_fd = -1;
	do
		n = read(w->fail_fd, &err, sizeof(err));
	while (n < 0 && errno == EINTR);
	close(w->fail_fd);
	w->fail_fd = -1;
	if (n != sizeof(err) || !err)
		return 0;
	workload__wait(w, exit_code);
	*exit_code = err == ENOENT ? EXIT_NOT_FOUND : EXIT_CANNOT_RUN;
	return errbuf__set(eb, -err, "cannot run '%s': %s", w->name, strerror(err));
}

void workload__set_status(struct workload *w, int status)
{
	w->ended = true;
	w->exit_code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static int reap(struct workload *w, int flags, int *exit_code)
{
	int status;
	pid_t pid;

	if (!w->ended) {
		do
			pid = waitpid(w->pid, &status, flags | __WALL);
		while (pid < 0 && errno == EINTR && !(flags & WNOHANG));
		if (pid < 0 && errno != EINTR)
			return -errno;
		if (pid != w->pid || WIFSTOPPED(status))
			return 0;
		workload__set_status(w, status);
	}
	*exit_code = w->exit_code;
	return 1;
}

int workload__poll(struct workload *w, int *exit_code)
{
	return reap(w, WNOHANG, exit_code);
}

int workload__wait(struct workload *w, int *exit_code)
{
	int ret;

	do
		ret = reap(w, 0, exit_code);
	while (!ret);
	return ret < 0 ? ret : 0;
}

void workload__delete(struct workload *w)
{
	int unused;

	if (!w)
		return;
	if (w->go_fd >= 0) {
		close(w->go_fd);
		if (!w->ended) {
			kill(w->pid, SIGTERM);
			workload__wait(w, &unused);
		}
	}
	if (w->fail_fd >= 0)
		close(w->fail_fd);
	if (w->pidfd >= 0)
		close(w->pidfd);
	free(w);
}
