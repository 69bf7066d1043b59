// SPDX-License-Identifier: GPL-2.0-only
/*
 * Known-answer programs for perf trace: each makes a number of system calls that is known, prints
 * what it counted itself, and ends with 0 when all was as it should be.
 *
 *   traced counter THREADS CALLS   each thread calls getppid() CALLS times
 *   traced forks DEPTH WIDTH       a tree of processes, each waits for its children
 *   traced execs N                 execs itself N times
 *   traced texec                   exec from a thread that is not the leader
 *   traced threads N               creates and joins N threads, one after the other
 *   traced signals N               sends itself N SIGUSR1, handled
 *   traced epoll N                 a server that echoes N messages to a client over socketpairs
 *   traced int80 N                 N 32-bit calls from a 64-bit program
 *   traced eintr MS                sits in calls that end with EINTR, under signals that are
 * ignored traced spin THREADS MODE       calls for ever; MODE of SIGWINCH: blocked, ignored,
 * handled traced faults                  passes memory whose pages are not there traced exit N,
 * traced kill N   ends with code N, by signal N
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <linux/futex.h>
#include <netinet/in.h>

static int nr_arg;

static void *count(void *arg)
{
	(void)arg;
	for (int i = 0; i < nr_arg; i++)
		syscall(SYS_getppid);
	return NULL;
}

static int counter(int threads, int calls)
{
	pthread_t t[1024];

	nr_arg = calls;
	if (threads > 1024)
		return 2;
	for (int i = 0; i < threads; i++)
		if (pthread_create(&t[i], NULL, count, NULL))
			return 1;
	for (int i = 0; i < threads; i++)
		pthread_join(t[i], NULL);
	printf("getppid %d\n", threads * calls);
	return 0;
}

/* Processes of the tree below: WIDTH + WIDTH^2 + ... */
static int grow(int depth, int width)
{
	int nr = 0, status;

	if (!depth)
		return 0;
	for (int i = 0; i < width; i++) {
		pid_t pid = fork();

		if (pid < 0)
			exit(1);
		if (!pid)
			_exit(grow(depth - 1, width) * 0);
		nr++;
		if (waitpid(pid, &status, 0) != pid || status)
			exit(1);
	}
	return nr;
}

static int forks(int depth, int width)
{
	int nr = 0, level = 1;

	for (int i = 0; i < depth; i++)
		nr += level *= width;
	grow(depth, width);
	printf("forks %d\n", nr);
	return 0;
}

/* Children that read a file which their parent opened, and end at once. */
static int inherit(int n)
{
	int f = open("/etc/passwd", O_RDONLY | O_CLOEXEC);
	char c[4];

	for (int i = 0; i < n; i++) {
		if (!fork()) {
			for (int k = 0; k < 5; k++)
				if (read(f, c, sizeof(c)) < 0)
					_exit(1);
			_exit(0);
		}
		wait(NULL);
	}
	printf("inherit %d\n", n);
	return 0;
}

/* A child's exec, whose strings nobody has looked at before; a script's; one that fails. */
static int fork_exec(const char *script)
{
	if (!fork())
		execl("/bin/true", "no such", "one", "two", (char *)NULL);
	wait(NULL);
	if (!fork())
		execl(script, "script", "three", (char *)NULL);
	wait(NULL);
	if (!fork()) {
		execl("/no/such/program", "four", (char *)NULL);
		_exit(0);
	}
	wait(NULL);
	return 0;
}

static int execs(int n)
{
	char left[16];

	if (!n) {
		printf("execs done\n");
		return 0;
	}
	snprintf(left, sizeof(left), "%d", n - 1);
	execl("/proc/self/exe", "traced", "execs", left, (char *)NULL);
	return 1;
}

static void *exec_here(void *arg)
{
	(void)arg;
	execl("/proc/self/exe", "traced", "exit", "7", (char *)NULL);
	return NULL;
}

static void *sit(void *arg)
{
	(void)arg;
	for (;;)
		pause();
	return NULL;
}

static int texec(void)
{
	pthread_t t;

	pthread_create(&t, NULL, sit, NULL);
	pthread_create(&t, NULL, exec_here, NULL);
	pthread_join(t, NULL);
	return 1;
}

static void *nothing(void *arg)
{
	syscall(SYS_getppid);
	return arg;
}

static int threads(int n)
{
	for (int i = 0; i < n; i++) {
		pthread_t t;

		if (pthread_create(&t, NULL, nothing, NULL) || pthread_join(t, NULL))
			return 1;
	}
	printf("threads %d\n", n);
	return 0;
}

static volatile int handled;

static void handler(int sig)
{
	(void)sig;
	handled++;
}

static int signals(int n)
{
	signal(SIGUSR1, handler);
	for (int i = 0; i < n; i++)
		kill(getpid(), SIGUSR1);
	printf("signals %d\n", handled);
	return handled == n ? 0 : 1;
}

static void client(int fd, int n)
{
	char buf[64] = "hello";

	for (int i = 0; i < n; i++)
		if (write(fd, buf, 64) != 64 || read(fd, buf, 64) != 64)
			_exit(1);
	_exit(0);
}

static int epoll_server(int n)
{
	struct epoll_event ev = {.events = EPOLLIN};
	int sv[2], ep = epoll_create1(0), done = 0, status;
	char buf[64];
	pid_t pid;

	if (ep < 0 || socketpair(AF_UNIX, SOCK_STREAM, 0, sv))
		return 1;
	pid = fork();
	if (!pid) {
		close(sv[0]);
		client(sv[1], n);
	}
	close(sv[1]);
	ev.data.fd = sv[0];
	epoll_ctl(ep, EPOLL_CTL_ADD, sv[0], &ev);
	while (done < n) {
		if (epoll_wait(ep, &ev, 1, -1) != 1)
			return 1;
		if (read(sv[0], buf, 64) != 64 || write(sv[0], buf, 64) != 64)
			return 1;
		done++;
	}
	waitpid(pid, &status, 0);
	printf("epoll %d\n", done);
	return status ? 1 : 0;
}

static int int80(int n)
{
#if defined(__x86_64__)
	for (int i = 0; i < n; i++) {
		long ret;

		/* 64: getppid of i386 (semget of x86-64) */
		asm volatile("int $0x80"
			     : "=a"(ret)
			     : "a"(64)
			     : "memory", "r8", "r9", "r10", "r11");
		if (ret != getppid())
			return 1;
	}
	printf("int80 %d\n", n);
	return 0;
#else
	(void)n;
	return 77;
#endif
}

/* ---- EINTR ---- */

static volatile int stop;
static long eintr, eintr_of[8];
static int listener;

static void tally(int call, long ret)
{
	if (ret < 0 && errno == EINTR) {
		__atomic_add_fetch(&eintr, 1, __ATOMIC_RELAXED);
		__atomic_add_fetch(&eintr_of[call], 1, __ATOMIC_RELAXED);
	}
}

static void *in_epoll(void *arg)
{
	int ep = epoll_create1(0);
	struct epoll_event ev;

	while (!stop)
		tally(0, epoll_wait(ep, &ev, 1, 50));
	return arg;
}

static void *in_sleep(void *arg)
{
	struct timespec ts = {.tv_nsec = 30000000};

	while (!stop)
		tally(1, nanosleep(&ts, NULL));
	return arg;
}

static void *in_futex(void *arg)
{
	struct timespec ts = {.tv_nsec = 30000000};
	int word = 0;

	while (!stop)
		tally(2, syscall(SYS_futex, &word, FUTEX_WAIT, 0, &ts, NULL, 0));
	return arg;
}

static int pipes[2];

static void *in_read(void *arg)
{
	char c;

	while (!stop)
		tally(3, read(pipes[0], &c, 1));
	return arg;
}

static void *in_accept(void *arg)
{
	while (!stop)
		tally(4, accept(listener, NULL, NULL));
	return arg;
}

static void *in_semop(void *arg)
{
	struct sembuf op = {.sem_op = -1};
	struct timespec ts = {.tv_nsec = 30000000};
	int id = semget(IPC_PRIVATE, 1, 0600);

	while (!stop)
		tally(5, semtimedop(id, &op, 1, &ts));
	semctl(id, 0, IPC_RMID);
	return arg;
}

static void *in_sigwait(void *arg)
{
	struct timespec ts = {.tv_nsec = 30000000};
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR2);
	while (!stop)
		tally(6, sigtimedwait(&set, NULL, &ts));
	return arg;
}

/* Calls all the time, so that rings fill and threads are stopped. */
static void *in_press(void *arg)
{
	while (!stop)
		syscall(SYS_getppid);
	return arg;
}

static pid_t tids[8];
static void *(*const sitters[])(void *) = {in_epoll,  in_sleep, in_futex,   in_read,
					   in_accept, in_semop, in_sigwait, in_press};

static void *sit_in(void *arg)
{
	long i = (long)arg;

	__atomic_store_n(&tids[i], syscall(SYS_gettid), __ATOMIC_RELEASE);
	return sitters[i](arg);
}

static int no_eintr(int ms)
{
	struct sockaddr_in any = {.sin_family = AF_INET};
	pthread_t t[8];
	sigset_t usr2;

	sigemptyset(&usr2);
	sigaddset(&usr2, SIGUSR2);
	sigprocmask(SIG_BLOCK, &usr2, NULL);
	listener = socket(AF_INET, SOCK_STREAM, 0);
	bind(listener, (void *)&any, sizeof(any));
	listen(listener, 1);
	if (pipe(pipes))
		return 1;
	for (long i = 0; i < 8; i++)
		pthread_create(&t[i], NULL, sit_in, (void *)i);
	for (int i = 0; i < 8; i++)
		while (!__atomic_load_n(&tids[i], __ATOMIC_ACQUIRE))
			usleep(1000);
	/* Signals that are ignored: children that end, window changes, urgent data. */
	for (int i = 0; i < ms / 5; i++) {
		/* Not fork() and pthread_kill(): they block signals meanwhile, and what is blocked
		 * in one thread another is woken for. */
		pid_t pid = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);

		if (!pid)
			_exit(0);
		kill(getpid(), SIGWINCH);
		for (int k = 0; k < 7; k++)
			syscall(SYS_tgkill, getpid(), tids[k], k & 1 ? SIGURG : SIGWINCH);
		usleep(5000);
		waitpid(pid, NULL, 0);
	}
	stop = 1;
	close(pipes[1]);
	shutdown(listener, SHUT_RDWR);
	for (int i = 0; i < 8; i++)
		pthread_join(t[i], NULL);
	printf("eintr %ld: epoll_wait %ld nanosleep %ld futex %ld read %ld accept %ld semop %ld "
	       "sigtimedwait %ld\n",
	       eintr, eintr_of[0], eintr_of[1], eintr_of[2], eintr_of[3], eintr_of[4], eintr_of[5],
	       eintr_of[6]);
	return eintr ? 1 : 0;
}

/* ---- under pressure, for ever ---- */

static volatile long winches;

static void on_winch(int sig)
{
	(void)sig;
	winches++;
}

static volatile long *beats;

static void *spin_on(void *arg)
{
	long i = (long)arg;

	for (;;) {
		syscall(SYS_getppid);
		beats[i]++;
	}
	return NULL;
}

/* Prints on a line of input: SIGWINCH handler runs, and whether each thread moves. */
static int spin(int nr, const char *mode)
{
	sigset_t winch;
	char line[16];
	long before[64];

	if (nr > 64)
		return 2;
	beats = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	sigemptyset(&winch);
	sigaddset(&winch, SIGWINCH);
	if (!strcmp(mode, "blocked"))
		sigprocmask(SIG_BLOCK, &winch, NULL);
	else
		signal(SIGWINCH, !strcmp(mode, "ignored") ? SIG_IGN : on_winch);
	for (long i = 0; i < nr; i++) {
		pthread_t t;

		pthread_create(&t, NULL, spin_on, (void *)i);
	}
	printf("ready\n");
	fflush(stdout);
	while (fgets(line, sizeof(line), stdin)) {
		int moving = 0;

		for (int i = 0; i < nr; i++)
			before[i] = beats[i];
		/* Long enough for a slow machine: as soon as all have moved, or after 6 s. */
		for (int k = 0; k < 60 && moving < nr; k++) {
			usleep(100000);
			moving = 0;
			for (int i = 0; i < nr; i++)
				moving += beats[i] != before[i];
		}
		printf("moving %d winches %ld\n", moving, winches);
		fflush(stdout);
	}
	return 0;
}

/* A path in a page of a file that was never touched, and a buffer across two pages. */
static int faults(void)
{
	char name[] = "/tmp/traced-XXXXXX";
	int fd = mkstemp(name);
	char *p;

	if (fd < 0 || ftruncate(fd, 8192))
		return 1;
	if (pwrite(fd, "/etc/hostname-that-is-not-there", 32, 4090) != 32)
		return 1;
	p = mmap(NULL, 8192, PROT_READ, MAP_PRIVATE, fd, 0);
	if (p == MAP_FAILED)
		return 1;
	madvise(p, 8192, MADV_DONTNEED);
	access(p + 4090, F_OK);
	if (access((char *)16, F_OK) != -1 || errno != EFAULT)
		return 1;
	unlink(name);
	return 0;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	int a = argc > 2 ? atoi(argv[2]) : 0, b = argc > 3 ? atoi(argv[3]) : 0;

	if (!strcmp(what, "counter"))
		return counter(a, b);
	if (!strcmp(what, "forks"))
		return forks(a, b);
	if (!strcmp(what, "inherit"))
		return inherit(a);
	if (!strcmp(what, "fork-exec"))
		return fork_exec(argv[2]);
	if (!strcmp(what, "execs"))
		return execs(a);
	if (!strcmp(what, "texec"))
		return texec();
	if (!strcmp(what, "threads"))
		return threads(a);
	if (!strcmp(what, "signals"))
		return signals(a);
	if (!strcmp(what, "epoll"))
		return epoll_server(a);
	if (!strcmp(what, "int80"))
		return int80(a);
	if (!strcmp(what, "eintr"))
		return no_eintr(a);
	if (!strcmp(what, "spin"))
		return spin(a, argc > 3 ? argv[3] : "");
	if (!strcmp(what, "faults"))
		return faults();
	if (!strcmp(what, "exit"))
		return a;
	if (!strcmp(what, "kill"))
		return kill(getpid(), a);
	fprintf(stderr, "traced: what?\n");
	return 2;
}
