// SPDX-License-Identifier: GPL-2.0-only
/*
 * The writer: what it writes is read back by the session, record for record, and by Debian's perf,
 * which must print the same samples as for the file it recorded itself.
 */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <signal.h>
#include <unistd.h>
#include <cmocka.h>

#include "session/session.h"
#include "session/writer.h"

#define PEER "/usr/bin/perf"

static char dir[] = "/tmp/perf-test-writer.XXXXXX";
static int saved_cwd = -1;

static int setup(void **state)
{
	(void)state;
	strcpy(dir + sizeof(dir) - 7, "XXXXXX");
	assert_non_null(mkdtemp(dir));
	saved_cwd = open(".", O_RDONLY | O_DIRECTORY);
	return chdir(dir);
}

static int teardown(void **state)
{
	char cmd[128];

	(void)state;
	if (fchdir(saved_cwd))
		return -1;
	close(saved_cwd);
	snprintf(cmd, sizeof(cmd), "rm -rf %s", dir);
	return system(cmd);
}

static int sh(const char *cmd)
{
	int rc = system(cmd);

	return WIFEXITED(rc) ? WEXITSTATUS(rc) : -1;
}

static int lines_of(const char *cmd)
{
	FILE *p = popen(cmd, "r");
	int n = 0, c;

	while (p && (c = fgetc(p)) != EOF)
		n += c == '\n';
	if (p)
		pclose(p);
	return n;
}

/* ---- a small recording made by hand ---- */
struct small_sample {
	struct perf_event_header h;
	u64 ip;
	u32 pid, tid;
	u64 time, period;
};

static const struct perf_event_attr small_attr = {
	.type = PERF_TYPE_SOFTWARE,
	.config = PERF_COUNT_SW_CPU_CLOCK,
	.size = sizeof(struct perf_event_attr),
	.sample_period = 1000,
	.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_PERIOD,
	.sample_id_all = 1,
	.exclude_guest = 1,
};

static struct small_sample make_sample(u64 time)
{
	return (struct small_sample){
		.h = {.type = PERF_RECORD_SAMPLE,
		      .misc = PERF_RECORD_MISC_USER,
		      .size = sizeof(struct small_sample)},
		.ip = 0x400000 + time,
		.pid = 42,
		.tid = 43,
		.time = time,
		.period = 1000,
	};
}

static const char *const argv[] = {"record", "-e", "cpu-clock", "it's"};

static struct perf_writer *begin(const char *path, int level)
{
	static const u64 ids[] = {7, 8};
	struct writer_event ev = {.attr = &small_attr, .name = "my clock", .ids = ids, .nr_ids = 2};
	struct writer_opts o = {
		.path = path, .compress_level = level, .clockid = -1, .argc = 4, .argv = argv};
	struct errbuf eb = {};
	struct perf_writer *w = perf_writer__open(&o, &eb);

	assert_string_equal(eb.msg, "");
	assert_non_null(w);
	assert_int_equal(perf_writer__set_events(w, &ev, 1, &eb), 0);
	assert_int_equal(perf_writer__start(w, &eb), 0);
	return w;
}

struct seen {
	u64 samples, last_time, bad;
	char warning[2048];
};

static int on_sample(void *ctx, struct perf_session *s, struct session_event *e,
		     const struct perf_event_header *rec, const struct perf_sample *sample)
{
	struct seen *seen = ctx;

	(void)s, (void)rec;
	seen->bad += strcmp(session_event__name(e), "my clock") || sample->pid != 42 ||
		     sample->tid != 43 || sample->period != 1000 ||
		     sample->ip != 0x400000 + sample->time || sample->time < seen->last_time;
	seen->last_time = sample->time;
	seen->samples++;
	return 0;
}

static void on_warning(void *ctx, const char *line)
{
	struct seen *seen = ctx;

	snprintf(seen->warning, sizeof(seen->warning), "%s", line);
}

static struct perf_session *read_back(const char *path, struct seen *seen)
{
	struct session_opts o = {.warn = on_warning, .ctx = seen};
	struct session_ops ops = {.ctx = seen, .sample = on_sample};
	struct errbuf eb = {};
	struct perf_session *s;

	memset(seen, 0, sizeof(*seen));
	s = perf_session__open(path, &o, &eb);
	assert_string_equal(eb.msg, "");
	assert_non_null(s);
	assert_int_equal(perf_session__process(s, &ops, &eb), 0);
	assert_int_equal(seen->bad, 0);
	return s;
}

static void fill(struct perf_writer *w, u64 from, u64 n)
{
	for (u64 i = from; i < from + n; i++) {
		struct small_sample a = make_sample(1000 + 2 * i), b = make_sample(1001 + 2 * i);

		/* The second ring's come first: a round holds them together. */
		assert_int_equal(perf_writer__span(w, &b, sizeof(b), NULL, 0), 0);
		/* One that wraps around the end of its ring, at every possible place. */
		assert_int_equal(perf_writer__span(w, &a, i % 6 * 8, (u8 *)&a + i % 6 * 8,
						   sizeof(a) - i % 6 * 8),
				 0);
		if (i % 100 == 99)
			assert_int_equal(perf_writer__finished_round(w), 0);
	}
}

static void test_round_trip(void **state)
{
	(void)state;
	for (int level = 0; level <= 22; level += 11) {
		struct perf_writer *w = begin("t.data", level);
		const struct session_info *info;
		const struct session_stats *st;
		struct perf_session *s;
		struct build_id id = {.size = 20, .data = {1, 2, 3}};
		struct stat sb;
		struct seen seen;
		struct errbuf eb = {};
		u32 nr;

		perf_writer__finished_init(w);
		fill(w, 0, 5000);
		perf_writer__sample_time(w, 1000, 10999);
		assert_int_equal(perf_writer__add_build_id(w, 1, -1, &id, "[kernel.kallsyms]"), 0);
		assert_int_equal(perf_writer__raw_bytes(w), 10000 * sizeof(struct small_sample));
		assert_int_equal(perf_writer__finish(w, &eb), 0);
		perf_writer__delete(w);
		assert_int_equal(stat("t.data", &sb), 0);
		assert_int_equal(sb.st_mode & 07777, 0600);

		s = read_back("t.data", &seen);
		assert_string_equal(seen.warning, "");
		assert_int_equal(seen.samples, 10000);
		st = perf_session__stats(s);
		assert_int_equal(st->out_of_order, 0);
		assert_int_equal(st->nr[PERF_RECORD_FINISHED_ROUND], 50);
		assert_int_equal(st->decompressed, level ? 10000 * sizeof(struct small_sample) : 0);
		info = perf_session__info(s);
		assert_int_equal(info->nr_cmdline, 5);
		assert_string_equal(info->cmdline[4], "it's");
		assert_int_equal(info->last_sample_time, 10999);
		assert_int_equal(info->comp_level, level);
		assert_int_equal(info->nr_build_ids, 1);
		assert_memory_equal(info->build_ids[0].id.data, id.data, 20);
		assert_int_equal(session_event__ids(perf_session__event(s, 0), &nr)[1], 8);
		assert_int_equal(nr, 2);
		/* A file can be read again. */
		memset(&seen, 0, sizeof(seen));
		assert_int_equal(
			perf_session__process(
				s, &(struct session_ops){.ctx = &seen, .sample = on_sample}, &eb),
			0);
		assert_int_equal(seen.samples, 10000);
		perf_session__delete(s);
	}
}

/* Killed: the header says size 0, and the last record is cut. */
static void test_killed(void **state)
{
	struct perf_writer *w = begin("k.data", 0);
	struct perf_session *s;
	struct seen seen;
	struct stat sb;

	(void)state;
	fill(w, 0, 1000);
	perf_writer__flush(w);
	perf_writer__delete(w);
	assert_int_equal(stat("k.data", &sb), 0);
	assert_int_equal(truncate("k.data", sb.st_size - 20), 0);
	s = read_back("k.data", &seen);
	assert_int_equal(seen.samples, 1999);
	assert_non_null(strstr(seen.warning, "properly terminated?"));
	assert_true(perf_session__stats(s)->truncated);
	perf_session__delete(s);
}

/* A full disk: the file keeps its whole records, and its header is right. */
static void test_full_disk(void **state)
{
	struct rlimit old, lim = {.rlim_cur = 3000000, .rlim_max = RLIM_INFINITY};
	struct perf_session *s;
	struct perf_writer *w;
	struct seen seen;
	struct errbuf eb = {};
	int err = 0;

	(void)state;
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
	lim.rlim_max = old.rlim_max;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &lim), 0);
	w = begin("f.data", 0);
	for (u64 i = 0; i < 100000 && !err; i++) {
		struct small_sample a = make_sample(1000 + i);

		err = perf_writer__span(w, &a, sizeof(a), NULL, 0);
	}
	assert_int_equal(err, -EFBIG);
	assert_string_equal(perf_writer__error(w), "failed to write f.data: File too large");
	assert_int_equal(perf_writer__finish(w, &eb), -EFBIG);
	perf_writer__delete(w);
	setrlimit(RLIMIT_FSIZE, &old);
	s = read_back("f.data", &seen);
	assert_string_equal(seen.warning, "");
	/* Header, ids, attr with its section, the record with the event's name. */
	assert_int_equal(seen.samples,
			 (3000000 - 104 - 16 - (sizeof(small_attr) + 16) - (24 + 16)) /
				 sizeof(struct small_sample));
	assert_false(perf_session__stats(s)->truncated); /* it ends with a whole record */
	perf_session__delete(s);
}

static void test_planted_links(void **state)
{
	struct writer_opts o = {.path = "l.data", .clockid = -1};
	struct perf_writer *w;
	struct stat sb;
	struct errbuf eb = {};

	(void)state;
	assert_int_equal(sh("echo precious > victim; ln -s victim l.data"), 0);
	w = perf_writer__open(&o, &eb);
	assert_non_null(w);
	perf_writer__delete(w);
	assert_int_equal(sh("test \"$(cat victim)\" = precious"), 0);
	assert_int_equal(lstat("l.data", &sb), 0);
	assert_true(S_ISREG(sb.st_mode));
	/* The link became FILE.old, as any earlier file does. */
	assert_int_equal(sh("test -L l.data.old"), 0);
	o.path = "no/such/dir/x.data";
	assert_null(perf_writer__open(&o, &eb));
	assert_string_equal(eb.msg, "cannot create no/such/dir/x.data: No such file or directory");
}

static void test_switch_output(void **state)
{
	struct perf_writer *w = begin("s.data", 3);
	struct errbuf eb = {};
	struct seen seen;
	char *names[3];

	(void)state;
	for (int i = 0; i < 3; i++) {
		fill(w, i * 100, 100);
		assert_int_equal(perf_writer__switch(w, 2, &names[i], &eb), 0);
		usleep(20000); /* the names' stamps are in hundredths */
	}
	fill(w, 300, 10);
	assert_int_equal(perf_writer__finish(w, &eb), 0);
	perf_writer__delete(w);
	assert_int_equal(access(names[0], F_OK), -1);
	for (int i = 1; i < 3; i++) {
		struct perf_session *s = read_back(names[i], &seen);

		assert_string_equal(seen.warning, "");
		assert_int_equal(seen.samples, 200);
		perf_session__delete(s);
	}
	perf_session__delete(read_back("s.data", &seen));
	assert_int_equal(seen.samples, 20);
	for (int i = 0; i < 3; i++)
		free(names[i]);
}

static void test_embed(void **state)
{
	struct perf_writer *w = begin("e.data", 0);
	struct errbuf eb = {};
	struct perf_session *s;
	struct seen seen;
	const void *p;
	size_t n;

	(void)state;
	fill(w, 0, 10);
	assert_int_equal(perf_writer__embed(w, strdup("symbols"), 7, &eb), 0);
	assert_int_equal(perf_writer__finish(w, &eb), 0);
	perf_writer__delete(w);
	s = read_back("e.data", &seen);
	p = perf_session__embedded(s, &n);
	assert_int_equal(n, 7);
	assert_memory_equal(p, "symbols", 7);
	perf_session__delete(s);
	if (access(PEER, X_OK))
		return;
	assert_int_equal(lines_of(PEER " script --header -i e.data 2>err | grep -c 'my clock'"), 1);
	assert_int_equal(lines_of("cat err"), 0);
}

/* ---- a copy of a recording of Debian's perf, through session and writer ---- */
static struct perf_writer *copy_to;

static int copy_record(void *ctx, struct perf_session *s, const struct perf_event_header *rec,
		       u64 offset)
{
	(void)ctx, (void)s, (void)offset;
	if (rec->type >= PERF_RECORD_TOOL_START && rec->type != PERF_RECORD_FINISHED_ROUND &&
	    rec->type != PERF_RECORD_THREAD_MAP && rec->type != PERF_RECORD_CPU_MAP)
		return 0;
	if (rec->type == PERF_RECORD_FINISHED_ROUND)
		return perf_writer__finished_round(copy_to);
	return perf_writer__span(copy_to, rec, rec->size, NULL, 0);
}

static void copy_ids(const char *from, const char *to, int level, bool own_ids)
{
	struct session_opts so = {.raw = copy_record, .unordered = true};
	struct writer_opts wo = {
		.path = to, .compress_level = level, .clockid = -1, .argc = 4, .argv = argv};
	struct errbuf eb = {};
	struct perf_session *s = perf_session__open(from, &so, &eb);
	const struct session_info *info;
	struct writer_event ev[16] = {};
	int nr;

	assert_string_equal(eb.msg, "");
	nr = perf_session__nr_events(s);
	assert_true(nr <= 16);
	for (int i = 0; i < nr; i++) {
		struct session_event *e = perf_session__event(s, i);
		char *name = strdup(session_event__name(e)), *colon = strchr(name, ':');

		ev[i].attr = session_event__attr(e);
		ev[i].name = session_event__name(e);
		ev[i].ids = session_event__ids(e, &ev[i].nr_ids);
		ev[i].leader = session_event__idx(session_event__leader(e));
		if (session_event__is_tracepoint(e)) {
			*colon = '\0';
			ev[i].tp_system = name;
			ev[i].tp_name = colon + 1;
		} else {
			free(name);
		}
	}
	copy_to = perf_writer__open(&wo, &eb);
	assert_string_equal(eb.msg, "");
	assert_int_equal(perf_writer__set_events(copy_to, ev, nr, &eb), 0);
	assert_int_equal(perf_writer__start(copy_to, &eb), 0);
	assert_int_equal(perf_session__process(s, NULL, &eb), 0);
	info = perf_session__info(s);
	if (own_ids)
		assert_int_equal(perf_writer__build_ids_from_file(copy_to, false, &eb), 0);
	for (u32 i = 0; i < info->nr_build_ids && !own_ids; i++)
		perf_writer__add_build_id(copy_to, info->build_ids[i].misc, info->build_ids[i].pid,
					  &info->build_ids[i].id, info->build_ids[i].name);
	assert_int_equal(perf_writer__finish(copy_to, &eb), 0);
	perf_writer__delete(copy_to);
	for (int i = 0; i < nr; i++)
		free((char *)ev[i].tp_system);
	perf_session__delete(s);
}

static void copy(const char *from, const char *to, int level)
{
	copy_ids(from, to, level, false);
}

/* The same text from Debian's perf for both, and nothing on its stderr that the original lacks. */
static void same_for_peer(const char *a, const char *b, const char *args, int at_least)
{
	char cmd[512];

	snprintf(cmd, sizeof(cmd), PEER " %s -i %s 2> a.err | grep -v '(Tip:' > a.txt", args, a);
	assert_int_equal(sh(cmd), 0);
	snprintf(cmd, sizeof(cmd), PEER " %s -i %s 2> b.err | grep -v '(Tip:' > b.txt", args, b);
	assert_int_equal(sh(cmd), 0);
	assert_true(lines_of("cat a.txt") >= at_least);
	assert_int_equal(sh("diff a.txt b.txt >&2 && diff a.err b.err >&2"), 0);
}

/* The build ids of the files that samples lie in, found by us and by Debian's perf record. */
static void test_build_ids(void **state)
{
	(void)state;
	if (access(PEER, X_OK) || geteuid())
		skip();
	assert_int_equal(sh(PEER " record -q -e cpu-clock -F 5000 -o o.data sh -c 'for i in 1 2 "
				 "3; do ls -l /usr/bin; gcc --version; done' > /dev/null 2>&1"),
			 0);
	copy_ids("o.data", "b.data", 0, true);
	assert_int_equal(sh(PEER " buildid-list -i o.data | sort > a.txt && " PEER
				 " buildid-list -i b.data | sort > b.txt && diff a.txt b.txt >&2"),
			 0);
	assert_true(lines_of("cat a.txt") >= 3);
	assert_int_equal(lines_of("grep kernel.kallsyms b.txt"), 1);
	assert_int_equal(lines_of("grep /libc b.txt"), 1);
}

static void test_peer_reads(void **state)
{
	static const struct {
		const char *record, *check;
	} runs[] = {
		{"-e cpu-clock -c 100000 -g --", "script"},
		{"-e '{cpu-clock,page-faults}' -d --", "script"},
		{"-e cpu-clock -c 1000000 --call-graph dwarf --", "script --no-inline"},
		{"-e sched:sched_process_exec -e sched:sched_process_exit -e cpu-clock -a --",
		 "script"},
	};

	(void)state;
	if (access(PEER, X_OK) || geteuid())
		skip();
	for (size_t i = 0; i < ARRAY_SIZE(runs); i++) {
		char cmd[512];

		snprintf(cmd, sizeof(cmd),
			 PEER
			 " record -o o.data %s sh -c 'for i in 1 2 3; do ls -l /usr/bin; done' "
			 "> /dev/null 2>&1",
			 runs[i].record);
		if (sh(cmd))
			continue; /* no tracefs for Debian's perf here */
		copy("o.data", "c.data", 0);
		same_for_peer("o.data", "c.data", runs[i].check, 5);
		same_for_peer("o.data", "c.data", "evlist -g", 1);
		same_for_peer("o.data", "c.data", "buildid-list", 1);
		same_for_peer("o.data", "c.data", "report --stdio --no-inline -F overhead,sym", 5);
		copy("o.data", "z.data", 1);
		same_for_peer("o.data", "z.data", runs[i].check, 5);
		assert_int_equal(sh("mkfifo pipe; cat pipe > p.data &"), 0);
		copy("o.data", "pipe", 0);
		assert_int_equal(sh("rm pipe; sleep 0.1"), 0);
		same_for_peer("o.data", "p.data", runs[i].check, 5);
		/* It names tracepoints in pipes "unknown tracepoint", its own too. */
		if (!strstr(runs[i].record, "sched:"))
			same_for_peer("o.data", "p.data", "evlist", 1);
		assert_int_equal(sh("mkfifo pipe; cat pipe > pz.data &"), 0);
		copy("c.data", "pipe", 1);
		assert_int_equal(sh("rm pipe; sleep 0.1"), 0);
		same_for_peer("o.data", "pz.data", runs[i].check, 5);
		/* And a pipe is read back by the session as well. */
		copy("pz.data", "c2.data", 0);
		same_for_peer("o.data", "c2.data", runs[i].check, 5);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_round_trip, setup, teardown),
		cmocka_unit_test_setup_teardown(test_killed, setup, teardown),
		cmocka_unit_test_setup_teardown(test_full_disk, setup, teardown),
		cmocka_unit_test_setup_teardown(test_planted_links, setup, teardown),
		cmocka_unit_test_setup_teardown(test_switch_output, setup, teardown),
		cmocka_unit_test_setup_teardown(test_embed, setup, teardown),
		cmocka_unit_test_setup_teardown(test_build_ids, setup, teardown),
		cmocka_unit_test_setup_teardown(test_peer_reads, setup, teardown),
	};

	return cmocka_run_group_tests_name("writer", tests, NULL, NULL);
}
