// SPDX-License-Identifier: GPL-2.0-only
/* The machine: which code was where, in which process, when. Records are made up here. */
#include "build-programs.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <malloc.h>

#include "lib/symbol/kallsyms.h"
#include "session/machine.h"

#define USER PERF_RECORD_MISC_USER
#define KERNEL PERF_RECORD_MISC_KERNEL

static struct dsos *dsos;

static struct machine *new_machine(const char *kallsyms)
{
	struct machine_opts o = {.kallsyms = kallsyms, .kernel_syms = kallsyms != NULL};
	struct machine *m;

	dsos = dsos__new(NULL);
	o.dsos = dsos;
	m = machine__new(&o, NULL);
	assert_non_null(m);
	return m;
}

static void end_machine(struct machine *m)
{
	machine__delete(m);
	dsos__delete(dsos);
}

static char buf[4096] __attribute__((aligned(8)));

static struct perf_event_header *header(u32 type, u16 misc, size_t size)
{
	struct perf_event_header *h = (void *)buf;

	h->type = type;
	h->misc = misc;
	h->size = (u16)((size + 7) & ~7UL);
	return h;
}

static void do_mmap(struct machine *m, u32 pid, u64 start, u64 len, const char *name, u64 ino,
		    u64 time)
{
	struct {
		struct perf_event_header h;
		u32 pid, tid;
		u64 addr, len, pgoff;
		u32 maj, min;
		u64 ino, gen;
		u32 prot, flags;
		char name[64];
	} *r = (void *)buf;

	memset(r, 0, sizeof(*r));
	header(PERF_RECORD_MMAP2, USER, sizeof(*r));
	r->pid = r->tid = pid;
	r->addr = start;
	r->len = len;
	r->ino = ino;
	r->prot = 5;
	strcpy(r->name, name);
	assert_int_equal(machine__process(m, &r->h, time), 0);
}

static void comm(struct machine *m, u32 pid, u32 tid, const char *name, bool exec, u64 time)
{
	struct {
		struct perf_event_header h;
		u32 pid, tid;
		char comm[16];
	} *r = (void *)buf;

	memset(r, 0, sizeof(*r));
	header(PERF_RECORD_COMM, exec ? PERF_RECORD_MISC_COMM_EXEC : 0, sizeof(*r));
	r->pid = pid;
	r->tid = tid;
	strcpy(r->comm, name);
	assert_int_equal(machine__process(m, &r->h, time), 0);
}

static void task(struct machine *m, u32 type, u32 pid, u32 ppid, u32 tid, u32 ptid, u64 time)
{
	struct {
		struct perf_event_header h;
		u32 pid, ppid, tid, ptid;
		u64 time;
	} *r = (void *)buf;

	header(type, 0, sizeof(*r));
	r->pid = pid;
	r->ppid = ppid;
	r->tid = tid;
	r->ptid = ptid;
	r->time = time;
	assert_int_equal(machine__process(m, &r->h, time), 0);
}

static void do_fork(struct machine *m, u32 pid, u32 ppid, u64 time)
{
	task(m, PERF_RECORD_FORK, pid, ppid, pid, ppid, time);
}

static void do_exit(struct machine *m, u32 pid, u64 time)
{
	task(m, PERF_RECORD_EXIT, pid, pid, pid, pid, time);
}

static const char *dso_at(struct machine *m, pid_t pid, u64 ip, u64 time)
{
	struct addr_location al;

	if (machine__find_map(m, pid, pid, USER, ip, time, &al))
		return "(none)";
	return dso__name(al.dso);
}

static const char *comm_at(struct machine *m, pid_t pid, pid_t tid, u64 time)
{
	return thread__comm(machine__thread(m, pid, tid, time), time);
}

static void fork_and_exec(void **state)
{
	struct machine *m = new_machine(NULL);
	u64 before, after;

	(void)state;
	do_mmap(m, 10, 0x1000, 0x1000, "/bin/sh", 1, 5);
	comm(m, 10, 10, "sh", false, 5);
	do_fork(m, 11, 10, 100);
	before = thread__image_id(machine__thread(m, 11, 11, 101), 101);
	comm(m, 11, 11, "child", true, 110);
	do_mmap(m, 11, 0x1000, 0x1000, "/bin/child", 2, 111);
	do_exit(m, 11, 200);
	after = thread__image_id(machine__thread(m, 11, 11, 150), 150);

	assert_string_equal(dso_at(m, 11, 0x1500, 105), "/bin/sh");
	assert_string_equal(dso_at(m, 11, 0x1500, 150), "/bin/child");
	assert_string_equal(dso_at(m, 10, 0x1500, 150), "/bin/sh");
	assert_string_equal(comm_at(m, 11, 11, 105), "sh");
	assert_string_equal(comm_at(m, 11, 11, 150), "child");
	assert_int_not_equal(before, after);
	assert_int_equal(before, thread__image_id(machine__thread(m, 11, 11, 109), 109));
	/* the number again: another process */
	do_fork(m, 11, 10, 300);
	assert_string_equal(dso_at(m, 11, 0x1500, 310), "/bin/sh");
	assert_string_equal(dso_at(m, 11, 0x1500, 150), "/bin/child");
	assert_string_equal(comm_at(m, 11, 11, 310), "sh");
	end_machine(m);
}

/* A child keeps what its parent had at the fork, not what the parent maps later. */
static void parent_moves_on(void **state)
{
	struct machine *m = new_machine(NULL);

	(void)state;
	do_mmap(m, 10, 0x1000, 0x1000, "/old", 1, 5);
	do_fork(m, 11, 10, 100);
	do_mmap(m, 10, 0x1000, 0x1000, "/new", 2, 120);
	assert_string_equal(dso_at(m, 10, 0x1000, 110), "/old");
	assert_string_equal(dso_at(m, 10, 0x1000, 130), "/new");
	assert_string_equal(dso_at(m, 11, 0x1000, 130), "/old");
	comm(m, 10, 10, "x", true, 140);
	do_exit(m, 10, 150);
	machine__prune(m, 160);
	assert_string_equal(dso_at(m, 11, 0x1000, 170), "/old");
	end_machine(m);
}

/* Rings of two CPUs are read one after the other: the child's records come before its fork. */
static void out_of_order(void **state)
{
	struct machine *m = new_machine(NULL);

	(void)state;
	comm(m, 11, 11, "child", true, 110);
	do_mmap(m, 11, 0x2000, 0x1000, "/bin/child", 2, 111);
	do_exit(m, 11, 120);
	do_fork(m, 11, 10, 100);
	do_mmap(m, 10, 0x1000, 0x1000, "/bin/sh", 1, 5);
	assert_string_equal(dso_at(m, 11, 0x2000, 115), "/bin/child");
	assert_string_equal(dso_at(m, 11, 0x1000, 105), "/bin/sh");
	assert_string_equal(dso_at(m, 11, 0x1000, 115), "(none)");
	end_machine(m);

	/* the newer map is heard of first */
	m = new_machine(NULL);
	do_mmap(m, 10, 0x2000, 0x1000, "/new", 2, 50);
	do_mmap(m, 10, 0x1000, 0x3000, "/old", 1, 10);
	assert_string_equal(dso_at(m, 10, 0x2800, 60), "/new");
	assert_string_equal(dso_at(m, 10, 0x2800, 20), "/old");
	assert_string_equal(dso_at(m, 10, 0x1800, 60), "/old");
	assert_string_equal(dso_at(m, 10, 0x3800, 60), "/old");
	end_machine(m);
}

static void overlaps(void **state)
{
	struct machine *m = new_machine(NULL);
	struct addr_location al;

	(void)state;
	do_mmap(m, 10, 0x10000, 0x10000, "/wide", 1, 10);
	do_mmap(m, 10, 0x14000, 0x1000, "/inner", 2, 20);
	assert_string_equal(dso_at(m, 10, 0x13fff, 30), "/wide");
	assert_string_equal(dso_at(m, 10, 0x14000, 30), "/inner");
	assert_string_equal(dso_at(m, 10, 0x14000, 15), "/wide");
	assert_string_equal(dso_at(m, 10, 0x15000, 30), "/wide");
	/* the rest behind the hole is still at its place in the file */
	assert_int_equal(machine__find_map(m, 10, 10, USER, 0x15010, 30, &al), 0);
	assert_int_equal(map__pgoff(al.map) + 0x15010 - map__start(al.map), 0x5010);
	assert_string_equal(dso_at(m, 10, 0x20000, 30), "(none)");
	do_mmap(m, 10, 0x8000, 0x20000, "/over", 3, 40);
	assert_string_equal(dso_at(m, 10, 0x14000, 50), "/over");
	assert_string_equal(dso_at(m, 10, 0x14000, 35), "/inner");
	machine__prune(m, 45);
	assert_string_equal(dso_at(m, 10, 0x14000, 50), "/over");
	end_machine(m);
}

/* A file without times: the order of the records is all there is. */
static void no_times(void **state)
{
	struct machine *m = new_machine(NULL);

	(void)state;
	do_mmap(m, 10, 0x1000, 0x1000, "/bin/sh", 1, 0);
	comm(m, 10, 10, "sh", false, 0);
	do_fork(m, 11, 10, 0);
	assert_string_equal(dso_at(m, 11, 0x1000, 0), "/bin/sh");
	comm(m, 11, 11, "ls", true, 0);
	assert_string_equal(dso_at(m, 11, 0x1000, 0), "(none)");
	do_mmap(m, 11, 0x1000, 0x1000, "/bin/ls", 2, 0);
	assert_string_equal(dso_at(m, 11, 0x1000, 0), "/bin/ls");
	assert_string_equal(comm_at(m, 11, 11, 0), "ls");
	do_exit(m, 11, 0);
	do_fork(m, 11, 10, 0);
	assert_string_equal(dso_at(m, 11, 0x1000, 0), "/bin/sh");
	end_machine(m);
}

static void threads(void **state)
{
	struct machine *m = new_machine(NULL);
	struct addr_location al;

	(void)state;
	do_mmap(m, 10, 0x1000, 0x1000, "/bin/a", 1, 5);
	comm(m, 10, 10, "main", false, 5);
	task(m, PERF_RECORD_FORK, 10, 10, 12, 10, 20);
	comm(m, 10, 12, "worker", false, 21);
	assert_int_equal(machine__find_map(m, 10, 12, USER, 0x1000, 30, &al), 0);
	assert_string_equal(dso__name(al.dso), "/bin/a");
	assert_string_equal(comm_at(m, 10, 12, 30), "worker");
	assert_string_equal(comm_at(m, 10, 10, 30), "main");
	task(m, PERF_RECORD_EXIT, 10, 10, 12, 10, 40);
	assert_string_equal(dso_at(m, 10, 0x1000, 50), "/bin/a");
	assert_string_equal(comm_at(m, 77, 77, 50), ":77");
	assert_string_equal(comm_at(m, 0, 0, 50), "swapper");
	assert_int_equal(thread__tid(machine__thread(m, 10, 12, 30)), 12);
	end_machine(m);
}

static void prune_bounds(void **state)
{
	struct machine *m = new_machine(NULL);

	(void)state;
	do_mmap(m, 1, 0x1000, 0x1000, "/bin/init", 1, 1);
	for (u32 i = 0; i < 50000; i++) {
		u64 t = 1000 + i * 10;
		char name[32];

		snprintf(name, sizeof(name), "/tmp/job%u", i);
		do_fork(m, 100 + i % 5000, 1, t);
		comm(m, 100 + i % 5000, 100 + i % 5000, "job", true, t + 1);
		do_mmap(m, 100 + i % 5000, 0x1000, 0x1000, name, i + 5, t + 2);
		assert_string_equal(dso_at(m, (pid_t)(100 + i % 5000), 0x1000, t + 3), name);
		do_exit(m, 100 + i % 5000, t + 5);
		if (i % 100 == 99)
			machine__prune(m, t);
	}
	assert_string_equal(dso_at(m, 1, 0x1000, 1 << 30), "/bin/init");
	end_machine(m);
}

/* The same without being told to: a file with very many processes. */
static void prunes_itself(void **state)
{
	struct machine *m = new_machine(NULL);
	u64 used = mallinfo2().uordblks, t = 0;

	(void)state;
	do_mmap(m, 1, 0x1000, 0x1000, "/bin/init", 1, 1);
	for (u32 i = 0; i < 200000; i++) {
		u32 pid = 100 + i % 30000;

		t = 1000000000 + i * 10000000ULL;
		do_fork(m, pid, 1, t);
		comm(m, pid, pid, "job", true, t + 1);
		do_mmap(m, pid, 0x1000, 0x1000, "/bin/job", 5, t + 2);
		do_exit(m, pid, t + 5);
	}
	assert_in_range(mallinfo2().uordblks - used, 0, 24 << 20);
	assert_string_equal(dso_at(m, 100 + 199999 % 30000, 0x1000, t + 3), "/bin/job");
	assert_string_equal(dso_at(m, 1, 0x1000, t), "/bin/init");
	end_machine(m);
}

static void malformed(void **state)
{
	struct machine *m = new_machine(NULL);
	struct perf_event_header *h = (void *)buf;
	static const u32 types[] = {PERF_RECORD_MMAP, PERF_RECORD_MMAP2, PERF_RECORD_COMM,
				    PERF_RECORD_FORK, PERF_RECORD_EXIT,	 PERF_RECORD_KSYMBOL};

	(void)state;
	for (u32 i = 0; i < ARRAY_SIZE(types); i++) {
		memset(buf, 'A', sizeof(buf));
		header(types[i], USER, 8);
		assert_int_equal(machine__process(m, h, 1), -EBADMSG);
		if (types[i] == PERF_RECORD_FORK || types[i] == PERF_RECORD_EXIT)
			continue;
		header(types[i], USER, 120); /* the name has no end */
		assert_int_equal(machine__process(m, h, 1), -EBADMSG);
	}
	memset(buf, 0xff, sizeof(buf));
	buf[200] = 0;
	for (u32 i = 0; i < ARRAY_SIZE(types); i++) {
		header(types[i], USER, 208);
		machine__process(m, h, 1);
	}
	header(9999, 0, 8);
	assert_int_equal(machine__process(m, h, 1), 0);
	end_machine(m);
}

static const char kallsyms[] = "0000000000000000 A fixed_percpu_data\n"
			       "0000000000001000 D cpu_thing\n"
			       "ffffffff81000000 T _stext\n"
			       "ffffffff81000000 T _text\n"
			       "ffffffff81000100 t helper\n"
			       "ffffffff81000200 T __do_thing\n"
			       "ffffffff81000200 T do_thing\n"
			       "ffffffff81000200 W weak_thing\n"
			       "ffffffff81000300 T after\n"
			       "garbage\n"
			       "ffffffffc0000000 t mod_init\t[ext4]\n"
			       "ffffffffc0000400 T mod_work\t[ext4]\n"
			       "ffffffffc0002000 t other\t[nfs]\n"
			       "ffffffffc0003000 T mod_late\t[ext4]\n"
			       "ffffffffc0100000 t bpf_prog_0123456789abcdef_mine\t[bpf]\n"
			       "ffffffffc0100100 t bpf_prog_1111111111111111_yours\t[bpf]\n";

static const char *kernel_at(struct machine *m, u64 ip, const char **dso, u64 time)
{
	struct addr_location al;

	if (machine__resolve(m, 1, 1, KERNEL, ip, time, &al)) {
		*dso = "(none)";
		return "(none)";
	}
	*dso = dso__name(al.dso);
	return al.sym ? al.sym->name : "(none)";
}

#define assert_kernel(m, ip, sym, in)                                 \
	do {                                                          \
		const char *dso_;                                     \
		assert_string_equal(kernel_at(m, ip, &dso_, 5), sym); \
		assert_string_equal(dso_, in);                        \
	} while (0)

static void ksymbol(struct machine *m, u64 addr, u32 len, const char *name, bool gone, u64 time)
{
	struct {
		struct perf_event_header h;
		u64 addr;
		u32 len;
		u16 type, flags;
		char name[64];
	} *r = (void *)buf;

	memset(r, 0, sizeof(*r));
	header(PERF_RECORD_KSYMBOL, 0, sizeof(*r));
	r->addr = addr;
	r->len = len;
	r->type = 1;
	r->flags = gone;
	strcpy(r->name, name);
	assert_int_equal(machine__process(m, &r->h, time), 0);
}

static void kernel(void **state)
{
	struct machine *m;
	const char *dso;

	(void)state;
	write_text("kallsyms", kallsyms);
	m = new_machine("kallsyms");
	assert_false(machine__kernel_restricted(m));
	assert_kernel(m, 0xffffffff81000000, "_text", "[kernel.kallsyms]");
	assert_kernel(m, 0xffffffff810001ff, "helper", "[kernel.kallsyms]");
	assert_kernel(m, 0xffffffff81000200, "do_thing", "[kernel.kallsyms]");
	assert_kernel(m, 0xffffffff81000310, "after", "[kernel.kallsyms]");
	assert_kernel(m, 0xffffffffc0000010, "mod_init", "[ext4]");
	assert_kernel(m, 0xffffffffc0000410, "mod_work", "[ext4]");
	assert_kernel(m, 0xffffffffc0002010, "other", "[nfs]");
	assert_kernel(m, 0xffffffffc0003010, "mod_late", "[ext4]");
	assert_kernel(m, 0xffffffffc0100010, "bpf_prog_0123456789abcdef_mine",
		      "bpf_prog_0123456789abcdef_mine");
	assert_kernel(m, 0xffffffffc0100110, "bpf_prog_1111111111111111_yours",
		      "bpf_prog_1111111111111111_yours");
	assert_kernel(m, 0xffffffff90000000, "(none)", "(none)");
	assert_kernel(m, 0x1010, "(none)", "(none)");

	/* a program is loaded over the place of an older one, then unloaded */
	ksymbol(m, 0xffffffffc0200000, 0x80, "bpf_prog_aa_first", false, 10);
	assert_string_equal(kernel_at(m, 0xffffffffc0200040, &dso, 15), "bpf_prog_aa_first");
	ksymbol(m, 0xffffffffc0200000, 0, "bpf_prog_aa_first", true, 20);
	ksymbol(m, 0xffffffffc0200000, 0x100, "bpf_prog_bb_second", false, 30);
	assert_string_equal(kernel_at(m, 0xffffffffc0200040, &dso, 15), "bpf_prog_aa_first");
	assert_string_equal(kernel_at(m, 0xffffffffc0200040, &dso, 35), "bpf_prog_bb_second");
	assert_string_equal(kernel_at(m, 0xffffffffc0200090, &dso, 35), "bpf_prog_bb_second");
	assert_string_equal(kernel_at(m, 0xffffffffc0200100, &dso, 35), "(none)");
	end_machine(m);
}

static struct kernel_mmap {
	struct perf_event_header h;
	u32 pid, tid;
	u64 addr, len, pgoff;
	char name[64];
} kernel_record;

/* The machine was booted anew since: the same kernel lies elsewhere now. */
static void kernel_moved(void **state)
{
	struct machine *m;
	struct kernel_mmap *r = (void *)buf;

	(void)state;
	write_text("kallsyms", kallsyms);
	m = new_machine("kallsyms");
	memset(r, 0, sizeof(*r));
	header(PERF_RECORD_MMAP, KERNEL, sizeof(*r));
	r->pid = r->tid = (u32)-1;
	r->addr = 0xffffffff91000000;
	r->len = 0x1000000;
	r->pgoff = 0xffffffff91000000;
	strcpy(r->name, "[kernel.kallsyms]_text");
	assert_int_equal(machine__process(m, &r->h, 0), 0);
	/* a module that moved, too; nfs was not loaded then */
	write_text("modules", "ext4 8192 1 - Live 0xffffffffc0000000\n"
			      "nfs 4096 0 - Live 0xffffffffc0002000\n");
	r->addr = 0xffffffffa0a00000;
	r->len = 0x4000;
	r->pgoff = 0;
	strcpy(r->name, "/lib/modules/6.1/kernel/fs/ext4.ko.xz");
	assert_int_equal(machine__process(m, &r->h, 0), 0);
	assert_kernel(m, 0xffffffff91000110, "helper", "[kernel.kallsyms]");
	assert_kernel(m, 0xffffffffa0a00410, "mod_work", "[ext4]");
	assert_kernel(m, 0xffffffffa0a03010, "mod_late", "[ext4]");
	assert_kernel(m, 0xffffffffc0000410, "(none)", "(none)");
	assert_kernel(m, 0xffffffffc0002010, "(none)", "(none)");
	unlink("modules");
	end_machine(m);
}

/* This kernel's symbols for reading a file: from /proc first, then from the copy that was kept. */
static void kernel_copy(void **state)
{
	char *line = sh_text("grep -m1 -w T /proc/kallsyms | sed 's/ T / /'"), *name;
	u64 addr = strtoull(line, NULL, 16);
	static const char *const damage[] = {
		"true",
		"true",
		"truncate -s 1000 cache/perf/kallsyms-*",
		"for f in cache/perf/k*; do echo nonsense > $f; done",
		"f=$(ls -d cache/perf/k*); rm $f; ln -s /etc/passwd $f",
		"rm -rf cache; ln -s /nowhere cache",
		"rm -f cache; mkdir -p cache/perf; chmod 777 cache/perf",
	};
	char path[128];

	(void)state;
	if (!addr) {
		free(line);
		skip(); /* kptr_restrict */
	}
	name = strchr(line, ' ') + 1;
	name[strcspn(name, "\n")] = 0;
	snprintf(path, sizeof(path), "%s/cache", scratch);
	setenv("XDG_CACHE_HOME", path, 1);
	for (u32 i = 0; i < ARRAY_SIZE(damage); i++) {
		struct machine_opts o = {.kernel_syms = true};
		struct addr_location al;
		struct machine *m;

		assert_int_equal(sh("%s", damage[i]), 0);
		dsos = dsos__new(NULL);
		o.dsos = dsos;
		m = machine__new(&o, NULL);
		machine__resolve(m, 1, 1, KERNEL, addr, 5, &al);
		assert_non_null(al.sym);
		/* the first of its address, or a preferred alias of it */
		assert_int_equal(al.sym->start, addr);
		assert_non_null(dso__find_symbol_by_name(al.dso, al.sym->name));
		assert_in_range(dso__nr_symbols(al.dso), 1000, 10000000);
		end_machine(m);
	}
	setenv("XDG_CACHE_HOME", "/proc/no-cache", 1);
	free(line);
}

static void late_module(void **state)
{
	struct machine_opts o = {.kallsyms = "kallsyms", .live = true};
	struct machine *m;

	(void)state;
	write_text("kallsyms", kallsyms);
	write_text("modules", "ext4 8192 1 - Live 0xffffffffc0000000\n");
	dsos = dsos__new(NULL);
	o.dsos = dsos;
	m = machine__new(&o, NULL);
	assert_kernel(m, 0xffffffffc0000410, "mod_work", "[ext4]");
	assert_kernel(m, 0xffffffffc0800010, "(none)", "(none)");
	write_text("kallsyms2", kallsyms);
	assert_int_equal(sh("echo 'ffffffffc0800000 t late_work\t[late]' >> kallsyms2 && "
			    "mv kallsyms2 kallsyms"),
			 0);
	assert_kernel(m, 0xffffffffc0800010, "(none)", "(none)");
	assert_int_equal(sh("echo 'late 4096 1 - Live 0xffffffffc0800000' >> modules"), 0);
	assert_kernel(m, 0xffffffffc0800010, "(none)", "(none)"); /* the 3rd miss: not looked */
	assert_kernel(m, 0xffffffffc0800010, "late_work", "[late]");
	assert_kernel(m, 0xffffffffc0000410, "mod_work", "[ext4]");
	assert_kernel(m, 0xffffffff81000310, "after", "[kernel.kallsyms]");
	unlink("modules");
	end_machine(m);
}

/* A kernel's own ELF file, for a kernel that was put elsewhere at boot. */
static void vmlinux(void **state)
{
	struct machine_opts o = {.vmlinux = "vmlinux"};
	struct errbuf eb = {};
	struct machine *m;

	(void)state;
	write_text("k.s",
		   "	.text\n	.globl _text\n_text:	.space 0x100,0x90\n	.globl start_it\n"
		   "	.type start_it,@function\nstart_it:	.space 0x40,0x90\n"
		   "	.size start_it, . - start_it\n");
	assert_int_equal(sh("gcc -nostdlib -static -no-pie -Wl,-Ttext=0xffffffff81000000 "
			    "-Wl,--entry=_text -o vmlinux k.s"),
			 0);
	dsos = dsos__new(NULL);
	o.dsos = dsos;
	m = machine__new(&o, &eb);
	assert_non_null(m);
	memset(&kernel_record, 0, sizeof(kernel_record));
	header(PERF_RECORD_MMAP, KERNEL, sizeof(kernel_record));
	memcpy(&kernel_record.h, buf, sizeof(kernel_record.h));
	kernel_record.pid = kernel_record.tid = (u32)-1;
	kernel_record.addr = kernel_record.pgoff = 0xffffffff91000000;
	kernel_record.len = 0x1000000;
	strcpy(kernel_record.name, "[kernel.kallsyms]_text");
	assert_int_equal(machine__process(m, &kernel_record.h, 0), 0);
	assert_kernel(m, 0xffffffff91000120, "start_it", "[kernel.kallsyms]");
	end_machine(m);

	o.vmlinux = "no-such-file";
	assert_null(machine__new(&o, &eb));
	assert_string_equal(eb.msg, "cannot read no-such-file: No such file or directory");
}

static void restricted(void **state)
{
	struct machine *m;

	(void)state;
	write_text("zero", "0000000000000000 T _text\n0000000000000000 T _stext\n");
	m = new_machine("zero");
	assert_true(machine__kernel_restricted(m));
	assert_kernel(m, 0xffffffff81000000, "(none)", "(none)");
	end_machine(m);
	assert_int_equal(kallsyms__restricted("missing"), -ENOENT);
}

static void foreign_kernel(void **state)
{
	struct machine *m = new_machine(NULL);

	(void)state;
	assert_kernel(m, 0xffffffff81000000, "(none)", "(none)");
	end_machine(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fork_and_exec),  cmocka_unit_test(parent_moves_on),
		cmocka_unit_test(out_of_order),	  cmocka_unit_test(overlaps),
		cmocka_unit_test(no_times),	  cmocka_unit_test(threads),
		cmocka_unit_test(prune_bounds),	  cmocka_unit_test(malformed),
		cmocka_unit_test(prunes_itself),  cmocka_unit_test(kernel),
		cmocka_unit_test(kernel_moved),	  cmocka_unit_test(restricted),
		cmocka_unit_test(foreign_kernel), cmocka_unit_test(vmlinux),
		cmocka_unit_test(late_module),	  cmocka_unit_test(kernel_copy),
	};

	return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
