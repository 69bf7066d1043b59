// SPDX-License-Identifier: GPL-2.0-only
/* Live processes whose files are deleted, replaced, in other namespaces, or made by a JIT. */
#include "build-programs.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>

#include "session/machine.h"

static struct dsos *dsos;

static struct machine *new_machine(void)
{
	struct machine_opts o = {.live = true};
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

static const char *name_at(struct machine *m, pid_t pid, u64 ip)
{
	struct addr_location al;

	machine__resolve(m, pid, pid, PERF_RECORD_MISC_USER, ip, 1, &al);
	return al.sym ? al.sym->name : "(none)";
}

/* Prints the address of its function and waits for its standard input to end. */
static const char waiter[] =
	"#include <stdio.h>\n#include <unistd.h>\n"
	"__attribute__((noinline)) void FUNC(void) { __asm__ volatile(\"nop;nop;nop;nop\"); }\n"
	"int main(void) { char c; FUNC(); printf(\"%p\\n\", (void *)FUNC); fflush(stdout);\n"
	"return read(0, &c, 1) < 0; }\n";

struct child {
	pid_t pid;
	int in;
	u64 addr;
};

static struct child start(const char *path, void (*before)(void))
{
	struct child c = {};
	int in[2], out[2];
	char line[64] = "";
	ssize_t n;

	assert_int_equal(pipe2(in, O_CLOEXEC), 0);
	assert_int_equal(pipe2(out, O_CLOEXEC), 0);
	c.pid = fork();
	if (!c.pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		dup2(in[0], 0);
		dup2(out[1], 1);
		if (before)
			before();
		execl(path, path, NULL);
		_exit(127);
	}
	close(in[0]);
	close(out[1]);
	n = read(out[0], line, sizeof(line) - 1);
	close(out[0]);
	c.in = in[1];
	c.addr = n > 0 ? strtoull(line, NULL, 16) : 0;
	return c;
}

static void stop(struct child *c)
{
	close(c->in);
	waitpid(c->pid, NULL, 0);
}

static void deleted(void **state)
{
	struct machine *m = new_machine();
	struct child c;

	(void)state;
	write_text("w.c", waiter);
	assert_int_equal(sh("gcc -O1 -DFUNC=original -o w w.c"), 0);
	c = start("./w", NULL);
	unlink("w");
	assert_int_equal(machine__scan_pid(m, c.pid, 0), 0);
	assert_string_equal(name_at(m, c.pid, c.addr + 2), "original");
	stop(&c);
	end_machine(m);
}

/* The new file under the old name has another function there: its name must not appear. */
static void replaced(void **state)
{
	struct machine *m = new_machine();
	struct child c;

	(void)state;
	write_text("w.c", waiter);
	assert_int_equal(
		sh("gcc -O1 -DFUNC=original -o w w.c && gcc -O1 -DFUNC=impostor -o w2 w.c"), 0);
	c = start("./w", NULL);
	assert_int_equal(rename("w2", "w"), 0);
	assert_int_equal(machine__scan_pid(m, c.pid, 0), 0);
	assert_string_equal(name_at(m, c.pid, c.addr + 2), "original");
	stop(&c);
	end_machine(m);
}

/* The same when the process is gone before anything was read: no name is better than a wrong one.
 */
static void replaced_and_gone(void **state)
{
	struct machine *m = new_machine();
	struct dso_ident id = {.kind = DSO_USER};
	struct child c;
	struct stat st;
	char path[128];

	(void)state;
	write_text("w.c", waiter);
	assert_int_equal(
		sh("gcc -O1 -DFUNC=original -o w w.c && gcc -O1 -DFUNC=impostor -o w2 w.c"), 0);
	assert_int_equal(stat("w", &st), 0);
	c = start("./w", NULL);
	stop(&c);
	snprintf(path, sizeof(path), "%s/w", scratch);
	id.path = path;
	id.maj = major(st.st_dev);
	id.min = minor(st.st_dev);
	id.ino = st.st_ino;
	id.pid = c.pid;
	assert_int_equal(rename("w2", "w"), 0);
	struct dso *d = dsos__find(dsos, &id);

	assert_null(dso__find_symbol_by_name(d, "original"));
	assert_null(dso__find_symbol_by_name(d, "impostor"));
	assert_non_null(dso__load_error(d));
	end_machine(m);
}

/* Seen while alive, asked for when process and file are both gone. */
static void gone_after_scan(void **state)
{
	struct machine *m = new_machine();
	struct child c;

	(void)state;
	write_text("w.c", waiter);
	assert_int_equal(sh("gcc -O1 -DFUNC=original -o w w.c"), 0);
	c = start("./w", NULL);
	assert_int_equal(machine__scan_pid(m, c.pid, 0), 0);
	stop(&c);
	unlink("w");
	assert_string_equal(name_at(m, c.pid, c.addr + 2), "original");
	end_machine(m);
}

static void own_mount_ns(void)
{
	if (unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	    mount("none", "hidden", "tmpfs", 0, NULL) || sh("cp w hidden/w"))
		_exit(126);
}

static void mount_namespace(void **state)
{
	struct machine *m = new_machine();
	struct child c;

	(void)state;
	if (geteuid())
		skip();
	write_text("w.c", waiter);
	assert_int_equal(sh("mkdir hidden && gcc -O1 -DFUNC=inside -o w w.c"), 0);
	c = start("hidden/w", own_mount_ns);
	assert_int_not_equal(c.addr, 0);
	assert_int_not_equal(access("hidden/w", F_OK), 0);
	assert_int_equal(machine__scan_pid(m, c.pid, 0), 0);
	assert_string_equal(name_at(m, c.pid, c.addr + 2), "inside");
	stop(&c);
	end_machine(m);
}

static void exec_from_memfd(void)
{
	int fd = memfd_create("prog", MFD_CLOEXEC), in = open("w", O_RDONLY);
	char buf[65536], *argv[] = {"w", NULL};
	ssize_t n;

	while ((n = read(in, buf, sizeof(buf))) > 0)
		if (write(fd, buf, (size_t)n) != n)
			_exit(126);
	fexecve(fd, argv, environ);
	_exit(126);
}

static char map_path[64];

static void write_map(const char *text, uid_t owner)
{
	write_text(map_path, text);
	if (owner)
		assert_int_equal(chown(map_path, owner, owner), 0);
}

static void jit(void **state)
{
	struct machine *m = new_machine();
	char text[256];
	u64 addr;
	void *code;
	pid_t pid;

	(void)state;
	code = mmap(NULL, 8192, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1,
		    0);
	assert_ptr_not_equal(code, MAP_FAILED);
	addr = (u64)code;
	pid = fork();
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		pause();
		_exit(0);
	}
	snprintf(map_path, sizeof(map_path), "/tmp/perf-%d.map", pid);
	snprintf(text, sizeof(text),
		 "%llx 10 first version\n%llx 20 second::<A, B>(int)\nbroken\n%llx 10 unfinished",
		 (unsigned long long)addr, (unsigned long long)addr + 0x10,
		 (unsigned long long)addr + 0x40);
	write_map(text, 0);
	assert_int_equal(machine__scan_pid(m, pid, 0), 0);
	assert_string_equal(name_at(m, pid, addr + 5), "first version");
	assert_string_equal(name_at(m, pid, addr + 0x2f), "second::<A, B>(int)");
	assert_string_equal(name_at(m, pid, addr + 0x40), "(none)");
	/* it grows, and what was compiled anew lies over the old */
	snprintf(text + strlen(text), 128, " no more\n%llx 8 recompiled\n",
		 (unsigned long long)addr);
	write_map(text, 0);
	assert_string_equal(name_at(m, pid, addr + 0x40), "unfinished no more");
	end_machine(m);

	m = new_machine();
	assert_int_equal(machine__scan_pid(m, pid, 0), 0);
	assert_string_equal(name_at(m, pid, addr + 5), "recompiled");
	assert_string_equal(name_at(m, pid, addr + 9), "(none)");
	end_machine(m);

	/* planted by another user */
	if (!geteuid()) {
		write_map(text, 12345);
		m = new_machine();
		assert_int_equal(machine__scan_pid(m, pid, 0), 0);
		assert_string_equal(name_at(m, pid, addr + 5), "(none)");
		end_machine(m);
	}
	unlink(map_path);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	munmap(code, 8192);
}

/* Code in a memfd: a JIT's by its map file, a program's by its own symbols. */
static void memfds(void **state)
{
	struct machine *m = new_machine();
	int fd = memfd_create("code", 0);
	char text[64];
	struct child c;
	void *code;
	pid_t pid;

	(void)state;
	assert_int_equal(ftruncate(fd, 4096), 0);
	code = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_SHARED, fd, 0);
	assert_ptr_not_equal(code, MAP_FAILED);
	pid = fork();
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		pause();
		_exit(0);
	}
	snprintf(map_path, sizeof(map_path), "/tmp/perf-%d.map", pid);
	snprintf(text, sizeof(text), "%llx 10 in_memfd\n", (unsigned long long)code);
	write_map(text, 0);
	assert_int_equal(machine__scan_pid(m, pid, 0), 0);
	assert_string_equal(name_at(m, pid, (u64)code + 5), "in_memfd");
	unlink(map_path);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	munmap(code, 4096);
	close(fd);

	write_text("w.c", waiter);
	assert_int_equal(sh("gcc -O1 -DFUNC=from_memfd -o w w.c"), 0);
	c = start("w", exec_from_memfd);
	assert_int_equal(machine__scan_pid(m, c.pid, 0), 0);
	assert_string_equal(name_at(m, c.pid, c.addr + 2), "from_memfd");
	stop(&c);
	end_machine(m);
}

/* A JIT in a container: own /tmp, own pids. */
static void jit_in_namespaces(void **state)
{
	struct machine *m;
	int ready[2], status;
	char text[64];
	u64 addr;
	void *code;
	pid_t outer, inner = 0;

	(void)state;
	if (geteuid())
		skip();
	code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1,
		    0);
	addr = (u64)code;
	assert_int_equal(pipe(ready), 0);
	snprintf(text, sizeof(text), "%llx 100 contained\n", (unsigned long long)addr);
	outer = fork();
	if (!outer) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (unshare(CLONE_NEWNS | CLONE_NEWPID) ||
		    mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
		    mount("none", "/tmp", "tmpfs", 0, NULL))
			_exit(1);
		inner = fork();
		if (!inner) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			write_text("/tmp/perf-1.map", text);
			pause();
		}
		if (write(ready[1], &inner, sizeof(inner)) != sizeof(inner))
			_exit(1);
		waitpid(inner, &status, 0);
		_exit(0);
	}
	close(ready[1]);
	if (read(ready[0], &inner, sizeof(inner)) == sizeof(inner)) {
		for (int i = 0; i < 200; i++) {
			char path[64];

			snprintf(path, sizeof(path), "/proc/%d/root/tmp/perf-1.map", inner);
			if (!access(path, F_OK))
				break;
			usleep(10000);
		}
		usleep(20000);
		m = new_machine();
		assert_int_equal(machine__scan_pid(m, inner, 0), 0);
		assert_string_equal(name_at(m, inner, addr + 5), "contained");
		end_machine(m);
		kill(inner, SIGKILL);
	}
	waitpid(outer, NULL, 0);
	close(ready[0]);
	munmap(code, 4096);
}

static void vdso(void **state)
{
	struct machine *m = new_machine();
	u64 base = getauxval(AT_SYSINFO_EHDR);
	struct addr_location al;
	bool found = false;

	(void)state;
	if (!base)
		skip();
	assert_int_equal(machine__scan_pid(m, getpid(), 0), 0);
	for (u64 off = 0; off < 4096 && !found; off += 16) {
		machine__resolve(m, getpid(), getpid(), PERF_RECORD_MISC_USER, base + off, 1, &al);
		assert_string_equal(dso__name(al.dso), "[vdso]");
		found = al.sym && strstr(al.sym->name, "clock_gettime");
	}
	assert_true(found);
	end_machine(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(deleted),
		cmocka_unit_test(replaced),
		cmocka_unit_test(replaced_and_gone),
		cmocka_unit_test(gone_after_scan),
		cmocka_unit_test(mount_namespace),
		cmocka_unit_test(jit),
		cmocka_unit_test(jit_in_namespaces),
		cmocka_unit_test(vdso),
		cmocka_unit_test(memfds),
	};

	return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
