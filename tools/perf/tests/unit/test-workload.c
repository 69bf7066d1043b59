// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/subcmd/subcmd.h"

static struct errbuf eb;
static char dir[] = "/tmp/perf-test-workload-XXXXXX";

static const char *in_dir(const char *name)
{
	static char path[256];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return path;
}

static int run(const char *const argv[], int *code)
{
	struct workload *w = workload__prepare(argv, &eb);
	int err;

	*code = -1;
	assert_non_null(w);
	err = workload__start(w, code, &eb);
	if (!err)
		assert_int_equal(workload__wait(w, code), 0);
	workload__delete(w);
	return err;
}

static int shell(const char *script)
{
	const char *const argv[] = {"sh", "-c", script, NULL};
	int code;

	assert_int_equal(run(argv, &code), 0);
	return code;
}

static void test_exit_codes(void **state)
{
	(void)state;
	assert_int_equal(shell("exit 0"), 0);
	assert_int_equal(shell("exit 7"), 7);
	assert_int_equal(shell("exit 125"), 125);
	assert_int_equal(shell("kill -9 $$"), 137);
	assert_int_equal(shell("kill -TERM $$"), 143);
}

static void test_cannot_run(void **state)
{
	const char *const missing[] = {"/no/such/program", NULL};
	const char *const not_on_path[] = {"no-such-program-anywhere", NULL};
	const char *const folder[] = {dir, NULL};
	int code, fd;

	(void)state;
	assert_int_equal(run(missing, &code), -ENOENT);
	assert_int_equal(code, 127);
	assert_string_equal(eb.msg, "cannot run '/no/such/program': No such file or directory");
	assert_int_equal(run(not_on_path, &code), -ENOENT);
	assert_int_equal(code, 127);
	assert_int_equal(run(folder, &code), -EACCES);
	assert_int_equal(code, 126);
	fd = open(in_dir("plain"), O_CREAT | O_WRONLY, 0644);
	assert_true(fd >= 0);
	close(fd);
	{
		const char *const plain[] = {in_dir("plain"), NULL};

		assert_int_equal(run(plain, &code), -EACCES);
		assert_int_equal(code, 126);
	}
	unlink(in_dir("plain"));
}

static void test_held_until_start(void **state)
{
	const char *const argv[] = {"touch", in_dir("made"), NULL};
	struct workload *w = workload__prepare(argv, &eb);
	struct pollfd pfd;
	struct stat st;
	int code = -1;

	(void)state;
	assert_non_null(w);
	assert_true(workload__pid(w) > 0);
	usleep(20000);
	assert_int_equal(workload__poll(w, &code), 0);
	assert_int_equal(stat(in_dir("made"), &st), -1);
	assert_int_equal(workload__start(w, &code, &eb), 0);
	pfd = (struct pollfd){.fd = workload__pidfd(w), .events = POLLIN};
	assert_int_equal(poll(&pfd, 1, 10000), 1);
	assert_int_equal(workload__poll(w, &code), 1);
	assert_int_equal(code, 0);
	assert_int_equal(workload__poll(w, &code), 1); /* and again: it is remembered */
	assert_int_equal(stat(in_dir("made"), &st), 0);
	unlink(in_dir("made"));
	assert_int_equal(workload__start(w, &code, &eb), -EINVAL);
	workload__delete(w);
}

static void test_given_up(void **state)
{
	const char *const argv[] = {"touch", in_dir("made"), NULL};
	struct workload *w = workload__prepare(argv, &eb);
	struct stat st;
	pid_t pid;

	(void)state;
	assert_non_null(w);
	pid = workload__pid(w);
	workload__delete(w);
	assert_int_equal(kill(pid, 0), -1);
	assert_int_equal(errno, ESRCH);
	assert_int_equal(stat(in_dir("made"), &st), -1);
	workload__delete(NULL);
}

/* What perf changes for itself must not reach the workload. */
static void test_signals(void **state)
{
	sigset_t set;

	(void)state;
	workload__save_signals();
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, NULL);
	assert_int_equal(shell("grep -qx 'SigBlk:\t0*' /proc/self/status && "
			       "! grep -q 'SigIgn:.*1...$' /proc/self/status"),
			 0);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	assert_int_equal(shell("kill -PIPE $$"), 128 + SIGPIPE);
	assert_int_equal(shell("kill -XFSZ $$"), 128 + SIGXFSZ);
}

static void test_status_from_outside(void **state)
{
	const char *const argv[] = {"sh", "-c", "exit 5", NULL};
	struct workload *w = workload__prepare(argv, &eb);
	int code = -1, status;

	(void)state;
	assert_non_null(w);
	assert_int_equal(workload__start(w, &code, &eb), 0);
	assert_int_equal(waitpid(workload__pid(w), &status, 0), workload__pid(w));
	workload__set_status(w, status);
	assert_int_equal(workload__wait(w, &code), 0);
	assert_int_equal(code, 5);
	workload__delete(w);
}

static int make_dir(void **state)
{
	(void)state;
	return mkdtemp(dir) ? 0 : -1;
}

static int remove_dir(void **state)
{
	(void)state;
	return rmdir(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_exit_codes),	 cmocka_unit_test(test_cannot_run),
		cmocka_unit_test(test_held_until_start), cmocka_unit_test(test_given_up),
		cmocka_unit_test(test_signals),		 cmocka_unit_test(test_status_from_outside),
	};

	return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
