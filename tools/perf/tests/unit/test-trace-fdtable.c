// SPDX-License-Identifier: GPL-2.0-only
/* Descriptors of this very process: what /proc says, what calls said, and where the two differ. */
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "trace/fdtable.h"

static void set(struct fdtable *t, int fd, const char *path)
{
	fdtable__set(t, (u32)getpid(), fd, path, (u32)strlen(path), false);
}

static const char *path(struct fdtable *t, int fd)
{
	return fdtable__path(t, (u32)getpid(), fd);
}

static void test_proc(void **state)
{
	struct fdtable *t = fdtable__new(false);
	struct sockaddr_in in = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}}, peer;
	socklen_t len = sizeof(in);
	int fd, p[2], s, c, a;
	char want[128], cwd[4096];

	(void)state;
	assert_non_null(t);
	fd = open("/etc/passwd", O_RDONLY);
	assert_int_equal(pipe(p), 0);
	s = socket(AF_INET, SOCK_STREAM, 0);
	assert_int_equal(bind(s, (struct sockaddr *)&in, sizeof(in)), 0);
	assert_int_equal(listen(s, 1), 0);
	assert_int_equal(getsockname(s, (struct sockaddr *)&in, &len), 0);
	c = socket(AF_INET, SOCK_STREAM, 0);
	assert_int_equal(connect(c, (struct sockaddr *)&in, sizeof(in)), 0);
	len = sizeof(peer);
	assert_int_equal(getsockname(c, (struct sockaddr *)&peer, &len), 0);
	a = accept(s, NULL, NULL);
	set(t, p[1], "/from/a/call"); /* a call told it before: that stands */

	fdtable__scan(t, (u32)getpid());
	assert_string_equal(path(t, fd), "/etc/passwd");
	assert_memory_equal(path(t, p[0]), "pipe:[", 6);
	assert_string_equal(path(t, p[1]), "/from/a/call");
	snprintf(want, sizeof(want), "TCP:[127.0.0.1:%d]", ntohs(in.sin_port));
	assert_string_equal(path(t, s), want);
	snprintf(want, sizeof(want), "TCP:[127.0.0.1:%d->127.0.0.1:%d]", ntohs(peer.sin_port),
		 ntohs(in.sin_port));
	assert_string_equal(path(t, c), want);
	snprintf(want, sizeof(want), "TCP:[127.0.0.1:%d->127.0.0.1:%d]", ntohs(in.sin_port),
		 ntohs(peer.sin_port));
	assert_string_equal(path(t, a), want);
	assert_string_equal(fdtable__cwd(t, (u32)getpid()), getcwd(cwd, sizeof(cwd)));
	assert_string_equal(fdtable__comm(t, (u32)getpid()), "test-trace-fdta");
	/* what is opened later without a call that was seen is not asked for: its number may be
	 * another's */
	close(fd);
	fdtable__close(t, (u32)getpid(), fd);
	assert_int_equal(open("/etc/group", O_RDONLY), fd);
	assert_null(path(t, fd));
	fdtable__set_unknown(t, (u32)getpid(), a, false);
	assert_null(path(t, a));
	close(p[0]), close(p[1]), close(s), close(c), close(a), close(fd);
	fdtable__delete(t);
}

/* A child that is seen before its parent's clone has returned has what the parent has. */
static void test_child(void **state)
{
	struct fdtable *t = fdtable__new(false);
	int fd = open("/etc/passwd", O_RDONLY), go[2];
	char c;
	pid_t pid;

	(void)state;
	assert_int_equal(pipe(go), 0);
	fdtable__scan(t, (u32)getpid());
	set(t, fd, "/known/by/call");
	pid = fork();
	if (!pid) {
		close(go[1]);
		_exit(read(go[0], &c, 1) < 0);
	}
	assert_string_equal(fdtable__path(t, (u32)pid, fd), "/known/by/call");
	close(go[1]);
	waitpid(pid, NULL, 0);
	close(go[0]), close(fd);
	fdtable__delete(t);
}

static void test_share(void **state)
{
	struct fdtable *t = fdtable__new(true);

	(void)state;
	fdtable__set(t, 10, 3, "/a", 2, false);
	fdtable__set(t, 10, 4, "/b", 2, true);
	fdtable__set_cwd(t, 10, "/dir", 4);
	fdtable__fork(t, 10, 11, true);
	fdtable__set(t, 11, 5, "/c", 2, false);
	assert_string_equal(fdtable__path(t, 10, 5), "/c"); /* CLONE_FILES: one table */
	fdtable__fork(t, 10, 12, false);
	fdtable__close(t, 12, 3);
	assert_string_equal(fdtable__path(t, 10, 3), "/a"); /* fork: a copy */
	assert_null(fdtable__path(t, 12, 3));
	assert_string_equal(fdtable__cwd(t, 12), "/dir");
	fdtable__exec(t, 12);
	assert_null(fdtable__path(t, 12, 4));
	assert_string_equal(fdtable__path(t, 12, 5), "/c");
	/* a child that ran before its parent's clone was seen keeps what it did itself */
	fdtable__set(t, 13, 3, "/own", 4, false);
	fdtable__fork(t, 10, 13, false);
	assert_string_equal(fdtable__path(t, 13, 3), "/own");
	assert_string_equal(fdtable__path(t, 13, 4), "/b");
	fdtable__dup(t, 13, 4, 9, false);
	fdtable__close_range(t, 13, 3, 8);
	assert_null(fdtable__path(t, 13, 4));
	assert_string_equal(fdtable__path(t, 13, 9), "/b");
	fdtable__delete(t);
}

/* Processes come and go: slots are reused, none of the living is lost. */
static void test_many(void **state)
{
	struct fdtable *t = fdtable__new(true);
	char name[32];

	(void)state;
	for (u32 pid = 1; pid < 20000; pid++) {
		u32 old = pid * 7919 % pid;

		fdtable__set(t, pid, 3, name, (u32)snprintf(name, sizeof(name), "/f%u", pid),
			     false);
		fdtable__set_comm(t, pid, "0123456789abcdef");
		if (pid % 3 == 0 && old)
			fdtable__exit(t, old);
		if (pid > 10) {
			const char *p = fdtable__path(t, pid - 10, 3);

			snprintf(name, sizeof(name), "/f%u", pid - 10);
			if (p)
				assert_string_equal(p, name);
		}
	}
	assert_string_equal(fdtable__comm(t, 19999), "0123456789abcde");
	fdtable__set(t, 1, 1 << 20, "/x", 2, false); /* beyond what is followed */
	assert_null(fdtable__path(t, 1, 1 << 20));
	assert_null(fdtable__path(t, 1, -1));
	fdtable__delete(t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_proc),
		cmocka_unit_test(test_child),
		cmocka_unit_test(test_share),
		cmocka_unit_test(test_many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
