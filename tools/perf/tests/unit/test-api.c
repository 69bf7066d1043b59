// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "lib/api/caps.h"
#include "lib/api/cgroupfs.h"
#include "lib/api/features.h"
#include "lib/api/fs.h"
#include "lib/api/procfs.h"
#include "lib/api/sysfs.h"
#include "lib/api/tracefs.h"

static void test_stat_parse(void **state)
{
	struct proc_stat st;

	(void)state;
	assert_int_equal(
		proc_stat__parse(
			"77 (a) R (b\n) S 1 77 70 34816 99 4194304 1 2 3 4 11 22 5 6 20 0 9 "
			"0 123456 8192 1 18446744073709551615",
			&st),
		0);
	assert_int_equal(st.pid, 77);
	assert_string_equal(st.comm, "a) R (b\n");
	assert_int_equal(st.state, 'S');
	assert_int_equal(st.ppid, 1);
	assert_int_equal(st.pgrp, 77);
	assert_int_equal(st.session, 70);
	assert_int_equal(st.tpgid, 99);
	assert_int_equal(st.utime, 11);
	assert_int_equal(st.stime, 22);
	assert_int_equal(st.num_threads, 9);
	assert_int_equal(st.starttime, 123456);
	assert_int_equal(proc_stat__parse("", &st), -EBADMSG);
	assert_int_equal(proc_stat__parse("1 )x(", &st), -EBADMSG);
	assert_int_equal(proc_stat__parse("1 (x) R 1 2", &st), -EBADMSG);
}

static void test_stat_self(void **state)
{
	struct proc_stat st;
	struct proc_status s;
	char comm[32];

	(void)state;
	prctl(PR_SET_NAME, "odd ) name (");
	assert_int_equal(procfs__stat(getpid(), &st), 0);
	assert_string_equal(st.comm, "odd ) name (");
	assert_int_equal(st.ppid, getppid());
	assert_int_equal(procfs__comm(getpid(), comm, sizeof(comm)), 12);
	assert_string_equal(comm, "odd ) name (");
	assert_int_equal(procfs__status(getpid(), &s), 0);
	assert_int_equal(s.pid, getpid());
	assert_int_equal(s.tgid, getpid());
	assert_int_equal(s.uid[0], getuid());
	assert_int_equal(s.threads, 1);
	assert_true(s.vm_rss_kb > 0);
	assert_int_equal(procfs__tgid(getpid()), getpid());
	assert_int_equal(procfs__stat(0x7fffffff, &st), -ESRCH);
	assert_int_equal(procfs__comm(0x7fffffff, comm, sizeof(comm)), -ESRCH);
}

static void test_status_parse(void **state)
{
	char text[] = "Name:\ta b\nTgid:\t5\nPid:\t6\nTracerPid:\t7\nUid:\t1\t2\t3\t4\n"
		      "NSpid:\t6\t1\nSigPnd:\t0000000000000200\nSigCgt:\t8000000000000001\n";
	struct proc_status s;
	char empty[] = "Name:\tx\n";

	(void)state;
	assert_int_equal(proc_status__parse(text, &s), 0);
	assert_int_equal(s.tgid, 5);
	assert_int_equal(s.pid, 6);
	assert_int_equal(s.tracer_pid, 7);
	assert_int_equal(s.uid[3], 4);
	assert_int_equal(s.ns_pid, 1);
	assert_int_equal(s.sig_pending, 0x200);
	assert_true(s.sig_caught == 0x8000000000000001ULL);
	assert_int_equal(proc_status__parse(empty, &s), -EBADMSG);
}

static void test_map_parse(void **state)
{
	char a[] = "55d0c000-55d0d000 r-xp 00002000 fe:01 1234   /tmp/a\\012b c (deleted)";
	char b[] = "7fff0000-7fff1000 rw-s 00000000 00:00 0 ";
	char bad[][32] = {"", "55d0c000", "1-2 rwx", "2-1 r-xp 0 0:0 0", "1-2 r-xp 0 0 0"};
	struct proc_map m;

	(void)state;
	assert_int_equal(proc_map__parse(a, &m), 0);
	assert_int_equal(m.start, 0x55d0c000);
	assert_int_equal(m.end, 0x55d0d000);
	assert_int_equal(m.prot, PROT_READ | PROT_EXEC);
	assert_false(m.shared);
	assert_int_equal(m.pgoff, 0x2000);
	assert_int_equal(m.maj, 0xfe);
	assert_int_equal(m.min, 1);
	assert_int_equal(m.ino, 1234);
	assert_true(m.deleted);
	assert_string_equal(m.path, "/tmp/a\nb c");
	assert_int_equal(proc_map__parse(b, &m), 0);
	assert_true(m.shared);
	assert_false(m.deleted);
	assert_string_equal(m.path, "");
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		assert_int_equal(proc_map__parse(bad[i], &m), -EBADMSG);
}

struct seen {
	u64 addr;
	int maps, hits;
};

static int see_map(void *ctx, const struct proc_map *m)
{
	struct seen *s = ctx;

	s->maps++;
	if (s->addr >= m->start && s->addr < m->end) {
		s->hits++;
		assert_true(m->prot & PROT_EXEC);
		assert_non_null(strstr(m->path, "test-api"));
	}
	return 0;
}

static int stop_at_once(void *ctx, const struct proc_map *m)
{
	(void)ctx, (void)m;
	return 42;
}

static void test_maps(void **state)
{
	struct seen s = {.addr = (u64)(unsigned long)test_maps};

	(void)state;
	assert_int_equal(procfs__maps(getpid(), see_map, &s), 0);
	assert_int_equal(s.hits, 1);
	assert_true(s.maps > 5);
	assert_int_equal(procfs__maps(getpid(), stop_at_once, NULL), 42);
	assert_int_equal(procfs__maps(0x7fffffff, see_map, &s), -ESRCH);
}

static int count_line(void *ctx, char *line)
{
	int *n = ctx;

	/* Lines are 0, 1, 2 ... letters long; the one of 40,000 is skipped. */
	assert_int_equal(strspn(line, "x"), strlen(line));
	n[0]++;
	n[1] += strlen(line);
	return 0;
}

static void test_each_line(void **state)
{
	char path[] = "/tmp/perf-test-api-XXXXXX";
	int fd = mkstemp(path), n[2] = {}, sum = 0;
	FILE *f = fdopen(fd, "w");

	(void)state;
	assert_non_null(f);
	for (int i = 0; i < 1000; i++) {
		int len = i == 500 ? 40000 : i % 300;

		for (int j = 0; j < len; j++)
			fputc('x', f);
		fputc('\n', f);
		if (i != 500)
			sum += len;
	}
	fputs("xx", f);
	fclose(f);
	assert_int_equal(fs__each_line(path, count_line, n), 0);
	assert_int_equal(n[0], 1000); /* 999 and the last, without its newline */
	assert_int_equal(n[1], sum + 2);
	unlink(path);
	assert_int_equal(fs__each_line(path, count_line, n), -ENOENT);
}

static void test_read(void **state)
{
	char buf[16];
	size_t len = 0;
	char *all;
	s64 v = 0;

	(void)state;
	assert_int_equal(fs__read_at(AT_FDCWD, "/proc/self/stat", buf, 8), 7);
	assert_int_equal(strlen(buf), 7);
	all = fs__read_all(AT_FDCWD, "/proc/self/status", 1 << 20, &len);
	assert_non_null(all);
	assert_int_equal(strlen(all), len);
	free(all);
	assert_null(fs__read_all(AT_FDCWD, "/proc/self/status", 100, &len));
	assert_int_equal(errno, EFBIG);
	assert_int_equal(fs__read_s64("/proc/sys/kernel/pid_max", &v), 0);
	assert_true(v > 300);
	assert_int_equal(fs__read_s64("/proc/version", &v), -EINVAL);
	assert_int_equal(procfs__sysctl("kernel/no_such_thing", -7), -7);
	assert_true(sysfs__read_str("devices/system/cpu/online", buf, sizeof(buf)) > 0);
	assert_int_equal(buf[0], '0');
	assert_int_equal(sysfs__read_int("devices/no/such", &v), -ENOENT);
}

static void test_tasks(void **state)
{
	pid_t *ids = NULL;
	int n = procfs__tasks(getpid(), &ids);

	(void)state;
	assert_int_equal(n, 1);
	assert_int_equal(ids[0], getpid());
	free(ids);
	n = procfs__pids(&ids);
	assert_true(n >= 2);
	for (int i = 1; i < n; i++)
		assert_true(ids[i] > ids[i - 1]);
	free(ids);
	assert_int_equal(procfs__tasks(0x7fffffff, &ids), -ESRCH);
}

static void test_cgroup(void **state)
{
	char path[4096], *back;
	struct errbuf eb = {};
	bool v2;
	u64 id = 0;
	int fd;

	(void)state;
	if (!cgroupfs__mount_v2(&eb))
		skip();
	assert_non_null(cgroupfs__mount(&v2, &eb));
	assert_int_equal(cgroupfs__of_pid(getpid(), path, sizeof(path)), 0);
	assert_int_equal(path[0], '/');
	fd = cgroupfs__open("/", &eb);
	assert_true(fd >= 0);
	close(fd);
	assert_int_equal(cgroupfs__open("/../..", &eb), -EINVAL);
	assert_int_equal(cgroupfs__open("no-such-group", &eb), -ENOENT);
	if (!v2)
		skip();
	assert_int_equal(cgroupfs__id("/", &id, &eb), 0);
	back = cgroupfs__path(id);
	assert_string_equal(back, "/");
	free(back);
	assert_null(cgroupfs__path(0xdeadbeefcafe));
}

static int count_name(void *ctx, const char *name)
{
	*(int *)ctx += !strcmp(name, "sched_switch");
	return 0;
}

static void test_tracefs(void **state)
{
	struct errbuf eb = {};
	int hits = 0, id;
	char *format;
	char path[4200];

	(void)state;
	if (geteuid()) {
		skip();
		return;
	}
	assert_true(tracefs__fd(&eb) >= 0);
	snprintf(path, sizeof(path), "%s/events/sched/sched_switch/id", tracefs__path(&eb));
	assert_int_equal(access(path, R_OK), 0);
	id = tracefs__event_id("sched", "sched_switch", &eb);
	assert_true(id > 0);
	assert_int_equal(tracefs__event_id("sched", "nothing", &eb), -ENOENT);
	assert_string_equal(eb.msg, "there is no tracepoint sched:nothing");
	assert_int_equal(tracefs__event_id("..", "sched", &eb), -ENOENT);
	assert_int_equal(tracefs__event_id("sched", "../sched/sched_switch", &eb), -ENOENT);
	format = tracefs__event_format("sched", "sched_switch", NULL, &eb);
	assert_non_null(format);
	assert_int_equal(strncmp(format, "name: sched_switch\n", 19), 0);
	free(format);
	assert_int_equal(tracefs__each("events/sched", count_name, &hits, &eb), 0);
	assert_int_equal(hits, 1);
	assert_int_equal(tracefs__each("events/none", count_name, &hits, &eb), -ENOENT);
	assert_null(tracefs__read("events/sched/sched_switch/format", 10, NULL, &eb));
	assert_int_equal(errno, EFBIG);
}

static void test_features(void **state)
{
	struct errbuf eb = {};

	(void)state;
	if (geteuid()) {
		assert_false(feature__bpf(&eb) && !caps__bpf());
		return;
	}
	assert_true(feature__bpf(&eb));
	assert_true(feature__bpf_tracepoint());
	assert_true(feature__ringbuf());
	assert_true(feature__task_storage());
	assert_true(feature__perf_link());
	assert_true(feature__send_signal_thread());
	assert_true(feature__batch_delete());
	assert_true(feature__perf_event_cgroup());
	assert_true(caps__has(CAP_SYS_ADMIN));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_stat_parse),   cmocka_unit_test(test_stat_self),
		cmocka_unit_test(test_status_parse), cmocka_unit_test(test_map_parse),
		cmocka_unit_test(test_maps),	     cmocka_unit_test(test_each_line),
		cmocka_unit_test(test_read),	     cmocka_unit_test(test_tasks),
		cmocka_unit_test(test_cgroup),	     cmocka_unit_test(test_tracefs),
		cmocka_unit_test(test_features),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
