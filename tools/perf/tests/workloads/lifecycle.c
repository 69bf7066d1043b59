// SPDX-License-Identifier: GPL-2.0-only
/*
 * What happens to processes as the kernel and other processes see it, told by the program itself,
 * so that a run under a tracer can be compared with one without.
 *
 *   lifecycle ids               prints real and effective ids
 *   lifecycle core              a child aborts; prints its wait status' parts
 *   lifecycle spawn N           posix_spawn()s itself N times
 *   lifecycle vclone N          clone3(CLONE_VM | CLONE_VFORK) and exec, N times
 *   lifecycle jobs              stops and continues a child, as a shell does
 *   lifecycle idle N            N threads that sleep; on a line of input each calls getppid() once
 *   lifecycle beat N            N times: a sign of life on stdout, a pause of 10 ms
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <linux/sched.h>

static void nap(long ms)
{
	struct timespec ts = {ms / 1000, ms % 1000 * 1000000};

	nanosleep(&ts, NULL);
}

static int ids(void)
{
	printf("uid %d euid %d\n", getuid(), geteuid());
	return 0;
}

static int core(void)
{
	struct rlimit all = {RLIM_INFINITY, RLIM_INFINITY};
	int status;
	pid_t pid;

	setrlimit(RLIMIT_CORE, &all);
	pid = fork();
	if (!pid)
		abort();
	if (waitpid(pid, &status, 0) != pid)
		return 1;
	printf("signal %d core %d\n", WTERMSIG(status), !!WCOREDUMP(status));
	return 0;
}

static int spawn(int n)
{
	char *argv[] = {"lifecycle", "nothing", NULL};
	char *envp[] = {NULL};
	int status, done = 0;
	pid_t pid;

	for (int i = 0; i < n; i++) {
		if (posix_spawn(&pid, "/proc/self/exe", NULL, NULL, argv, envp))
			return 1;
		if (waitpid(pid, &status, 0) != pid || status)
			return 1;
		done++;
	}
	/* One that cannot be executed: its error comes back through the shared memory. */
	if (posix_spawn(&pid, "/no/such/program", NULL, NULL, argv, envp) != ENOENT)
		return 1;
	printf("spawned %d\n", done);
	return 0;
}

#if defined(__x86_64__)
/* The child runs on its parent's stack until it executes: no function may return meanwhile. */
static __attribute__((noinline)) pid_t vclone(char **argv, char **envp)
{
	struct clone_args args = {.flags = CLONE_VM | CLONE_VFORK, .exit_signal = SIGCHLD};
	const char *path = "/proc/self/exe";
	long ret;

	asm volatile("syscall\n\t"
		     "test %%rax, %%rax\n\t"
		     "jnz 1f\n\t"
		     "mov %[exec], %%eax\n\t"
		     "mov %[path], %%rdi\n\t"
		     "mov %[argv], %%rsi\n\t"
		     "mov %[envp], %%rdx\n\t"
		     "syscall\n\t"
		     "mov $127, %%edi\n\t"
		     "mov %[exit], %%eax\n\t"
		     "syscall\n"
		     "1:"
		     : "=a"(ret)
		     : "a"(SYS_clone3), "D"(&args),
		       "S"(sizeof(args)), [exec] "i"(SYS_execve), [exit] "i"(SYS_exit_group),
		       [path] "r"(path), [argv] "r"(argv), [envp] "r"(envp)
		     : "rcx", "r11", "rdx", "memory");
	return ret;
}

static int vclones(int n)
{
	char *argv[] = {"lifecycle", "nothing", NULL};
	char *envp[] = {NULL};
	int status, done = 0;

	for (int i = 0; i < n; i++) {
		pid_t pid = vclone(argv, envp);

		if (pid < 0 || waitpid(pid, &status, 0) != pid || status)
			return 1;
		done++;
	}
	printf("vcloned %d\n", done);
	return 0;
}
#else
static int vclones(int n)
{
	(void)n;
	return 77;
}
#endif

/* ---- job control ---- */

static volatile long *beats;

/* Whether the child makes calls: within 5 s, or not at all for 200 ms. */
static bool moves(void)
{
	long before = *beats;

	for (int i = 0; i < 500 && *beats == before; i++)
		nap(10);
	return *beats != before;
}

static bool stands(void)
{
	long before = *beats;

	nap(200);
	return *beats == before;
}

static void stop_by(pid_t pid, int sig)
{
	int status = 0;

	kill(pid, sig);
	if (waitpid(pid, &status, WUNTRACED) != pid)
		exit(1);
	printf("stopped %d by %d", WIFSTOPPED(status), WIFSTOPPED(status) ? WSTOPSIG(status) : 0);
	printf(", stands %d", stands());
	kill(pid, SIGCONT);
	if (waitpid(pid, &status, WCONTINUED) != pid)
		exit(1);
	printf(", continued %d, moves %d\n", !!WIFCONTINUED(status), moves());
}

static volatile sig_atomic_t conts;

static void on_cont(int sig)
{
	(void)sig;
	conts++;
	beats[1] = conts;
}

static int jobs(void)
{
	pid_t pid;
	int status;

	beats = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pid = fork();
	if (!pid) {
		signal(SIGCONT, on_cont);
		for (;;) {
			beats[0]++;
			syscall(SYS_getppid);
		}
	}
	setpgid(pid, pid); /* a job of its own: not orphaned */
	if (!moves())
		return 1;
	stop_by(pid, SIGTSTP);
	stop_by(pid, SIGSTOP);
	stop_by(pid, SIGTTIN);
	printf("handler ran %ld times\n", beats[1]);
	/* A stopped process is killed at once. */
	kill(pid, SIGTSTP);
	waitpid(pid, &status, WUNTRACED);
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	printf("killed by %d\n", WTERMSIG(status));
	return 0;
}

/* ---- many threads ---- */

static pthread_barrier_t line;

static void *idle_on(void *arg)
{
	pthread_barrier_wait(&line);
	syscall(SYS_getppid);
	pthread_barrier_wait(&line);
	return arg;
}

static int idle(int n)
{
	pthread_t *t = calloc(n, sizeof(*t));
	pthread_attr_t small;
	char text[16];

	pthread_barrier_init(&line, NULL, n + 1);
	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, 65536);
	for (int i = 0; i < n; i++)
		if (pthread_create(&t[i], &small, idle_on, NULL))
			return 1;
	printf("ready\n");
	fflush(stdout);
	if (!fgets(text, sizeof(text), stdin))
		return 1;
	pthread_barrier_wait(&line);
	pthread_barrier_wait(&line);
	for (int i = 0; i < n; i++)
		pthread_join(t[i], NULL);
	free(t);
	printf("idle %d\n", n);
	return 0;
}

static int beat(int n)
{
	for (int i = 0; i < n; i++) {
		printf("beat %d\n", i);
		fflush(stdout);
		nap(10);
	}
	return 3;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	int n = argc > 2 ? atoi(argv[2]) : 0;

	if (!strcmp(what, "ids"))
		return ids();
	if (!strcmp(what, "core"))
		return core();
	if (!strcmp(what, "spawn"))
		return spawn(n);
	if (!strcmp(what, "vclone"))
		return vclones(n);
	if (!strcmp(what, "jobs"))
		return jobs();
	if (!strcmp(what, "idle"))
		return idle(n);
	if (!strcmp(what, "beat"))
		return beat(n);
	if (!strcmp(what, "nothing"))
		return 0;
	fprintf(stderr, "lifecycle: what?\n");
	return 2;
}
