// SPDX-License-Identifier: GPL-2.0-only
/*
 * One of each: the 150 most used system calls, with arguments that have something to decode, in a
 * fixed order and with fixed results. For comparing decoders with each other: run it without
 * address randomization (setarch -R) in an empty directory. Calls are made directly, so that what
 * is made does not hang on the C library.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/times.h>
#include <sys/timex.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <linux/bpf.h>
#include <linux/capability.h>
#include <linux/close_range.h>
#include <linux/futex.h>
#include <linux/io_uring.h>
#include <linux/keyctl.h>
#include <linux/landlock.h>
#include <linux/memfd.h>
#include <linux/netlink.h>
#include <linux/openat2.h>
#include <linux/perf_event.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <linux/stat.h>
#include <mqueue.h>
#include <unistd.h>

/* The bytes of a set of signals as the kernel has it, of the one thing that differs from the
 * library's. */
struct ksigaction {
	void (*handler)(int);
	unsigned long flags;
	void (*restorer)(void);
	unsigned long mask;
};

static char buf[8192];
static struct timespec none; /* zero */

#define S(name, ...) syscall(SYS_##name, ##__VA_ARGS__)

static void files(void)
{
	struct open_how how = {.flags = O_RDONLY | O_CLOEXEC, .resolve = RESOLVE_NO_SYMLINKS};
	struct iovec iov[2] = {{"hello ", 6}, {"world\n", 6}}, in[2] = {{buf, 4}, {buf + 100, 50}};
	struct timespec ut[2] = {{1000, 0}, {0, UTIME_OMIT}};
	struct timeval tv[2] = {{1000, 5}, {2000, 6}};
	struct flock lk = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 5, .l_len = 10};
	struct stat st;
	struct statx stx;
	struct statfs sfs;
	int fd, fd2, p[2], n = 0;
	loff_t off = 3;

	fd = S(openat, AT_FDCWD, "file", O_RDWR | O_CREAT | O_TRUNC, 0640);
	S(write, fd, "some text\n\1\377", 12);
	S(pwrite64, fd, "xy", 2, 100);
	S(writev, fd, iov, 2);
	S(pwritev, fd, iov, 2, 200, 0);
	S(pwritev2, fd, iov, 1, 300, 0, 0);
	S(lseek, fd, 0, SEEK_SET);
	S(read, fd, buf, 12);
	S(pread64, fd, buf, 2, 100);
	S(readv, fd, in, 2);
	S(preadv, fd, in, 2, 200, 0);
	S(preadv2, fd, in, 1, 200, 0, 0);
	S(fstat, fd, &st);
	S(stat, "file", &st);
	S(lstat, "nothing", &st);
	S(newfstatat, AT_FDCWD, "/dev/null", &st, AT_SYMLINK_NOFOLLOW);
	S(statx, AT_FDCWD, "file", AT_STATX_SYNC_AS_STAT, STATX_BASIC_STATS, &stx);
	S(statfs, "/proc", &sfs);
	S(fstatfs, fd, &sfs);
	S(ftruncate, fd, 1000);
	S(truncate, "file", 900);
	S(fallocate, fd, FALLOC_FL_KEEP_SIZE, 0, 4096);
	S(fadvise64, fd, 0, 0, POSIX_FADV_SEQUENTIAL);
	S(readahead, fd, 0, 4096);
	S(fsync, fd);
	S(fdatasync, fd);
	S(sync_file_range, fd, 0, 100, SYNC_FILE_RANGE_WRITE);
	S(syncfs, fd);
	S(flock, fd, LOCK_EX | LOCK_NB);
	S(fcntl, fd, F_GETFL);
	S(fcntl, fd, F_SETFL, O_APPEND | O_NONBLOCK);
	S(fcntl, fd, F_GETFD);
	S(fcntl, fd, F_SETFD, FD_CLOEXEC);
	S(fcntl, fd, F_DUPFD_CLOEXEC, 50);
	S(fcntl, fd, F_SETLK, &lk);
	S(fcntl, fd, F_GETLK, &lk);
	fd2 = S(openat2, AT_FDCWD, "file", &how, sizeof(how));
	S(close, fd2);
	fd2 = S(dup, fd);
	S(dup2, fd, 60);
	S(dup3, fd, 61, O_CLOEXEC);
	S(close_range, 60, 61, 0);
	S(copy_file_range, fd2, &off, fd, NULL, 5, 0);
	S(pipe2, p, O_CLOEXEC | O_NONBLOCK);
	S(sendfile, p[1], fd2, &off, 5);
	S(splice, p[0], NULL, p[1], NULL, 1, SPLICE_F_NONBLOCK);
	S(tee, p[0], p[1], 1, SPLICE_F_NONBLOCK);
	S(vmsplice, p[1], iov, 1, SPLICE_F_NONBLOCK);
	S(ioctl, p[0], FIONREAD, &n);
	S(ioctl, fd, TCGETS, buf);
	S(ioctl, fd, FIOCLEX);
	S(pipe, p);
	S(access, "file", R_OK | W_OK);
	S(faccessat, AT_FDCWD, "nothing", F_OK);
	S(mkdir, "dir", 0755);
	S(mkdirat, AT_FDCWD, "dir/sub", 0700);
	S(getdents64, fd, buf, sizeof(buf));
	S(symlink, "file", "ln");
	S(symlinkat, "file", AT_FDCWD, "ln2");
	S(readlink, "ln", buf, sizeof(buf));
	S(readlinkat, AT_FDCWD, "ln2", buf, sizeof(buf));
	S(link, "file", "hard");
	S(linkat, AT_FDCWD, "file", AT_FDCWD, "hard2", 0);
	S(rename, "hard", "hard3");
	S(renameat, AT_FDCWD, "hard2", AT_FDCWD, "hard4");
	S(renameat2, AT_FDCWD, "hard3", AT_FDCWD, "hard4", RENAME_NOREPLACE);
	S(unlink, "hard3");
	S(unlinkat, AT_FDCWD, "hard4", 0);
	S(unlinkat, AT_FDCWD, "dir/sub", AT_REMOVEDIR);
	S(chmod, "file", 0600);
	S(fchmod, fd, 0644);
	S(fchmodat, AT_FDCWD, "file", 0640);
	S(chown, "file", 0, -1);
	S(fchown, fd, -1, 0);
	S(lchown, "ln", 0, 0);
	S(fchownat, AT_FDCWD, "file", 0, 0, AT_SYMLINK_NOFOLLOW);
	S(utimensat, AT_FDCWD, "file", ut, 0);
	S(utimes, "file", tv);
	S(mknod, "fifo", S_IFIFO | 0600, 0);
	S(mknodat, AT_FDCWD, "fifo2", S_IFIFO | 0600, 0);
	S(umask, 022);
	S(setxattr, "file", "user.x", "value", 5, 0);
	S(getxattr, "file", "user.x", buf, 100);
	S(fgetxattr, fd, "user.none", buf, 100);
	S(listxattr, "file", buf, 100);
	S(removexattr, "file", "user.x");
	S(getcwd, buf, sizeof(buf));
	S(chdir, "dir");
	S(chdir, "..");
	S(fchdir, fd);
	S(rmdir, "dir");
	S(memfd_create, "name", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	S(mount, "none", "/nowhere/x", "tmpfs", MS_NOSUID | MS_NODEV, "size=1k");
	S(umount2, "/nowhere/x", MNT_DETACH);
	S(chroot, "/nowhere/x");
	S(quotactl, 0x80000700, "/dev/none", 0, NULL);
	S(open, "nothing", O_WRONLY | O_EXCL | O_DIRECTORY);
	S(creat, "created", 0600);
	S(name_to_handle_at, AT_FDCWD, "nothing", buf, &n, 0);
	S(close, 200);
}

static void readiness(void)
{
	struct epoll_event ev = {.events = EPOLLIN | EPOLLET, .data.u64 = 7}, out[4];
	struct pollfd pfd[2] = {{0, POLLIN, 0}, {0, POLLOUT, 0}};
	struct itimerspec its = {{0, 0}, {5, 6}}, old;
	struct timeval tv = {0, 1000};
	unsigned long mask = 1UL << (SIGUSR1 - 1);
	int p[2], ep, fd;
	fd_set r;

	S(pipe2, p, 0);
	S(write, p[1], "x", 1);
	pfd[0].fd = p[0];
	pfd[1].fd = p[1];
	S(poll, pfd, 2, 100);
	S(ppoll, pfd, 1, &none, &mask, 8);
	FD_ZERO(&r);
	FD_SET(p[0], &r);
	S(select, p[1] + 1, &r, NULL, NULL, &tv);
	S(pselect6, p[1] + 1, &r, NULL, NULL, &none, NULL);
	ep = S(epoll_create1, EPOLL_CLOEXEC);
	S(epoll_create, 10);
	S(epoll_ctl, ep, EPOLL_CTL_ADD, p[0], &ev);
	S(epoll_wait, ep, out, 4, 0);
	S(epoll_pwait, ep, out, 4, 0, &mask, 8);
	S(epoll_ctl, ep, EPOLL_CTL_DEL, p[0], NULL);
	S(eventfd2, 3, EFD_CLOEXEC | EFD_NONBLOCK);
	fd = S(timerfd_create, CLOCK_MONOTONIC, TFD_NONBLOCK);
	S(timerfd_settime, fd, 0, &its, &old);
	S(timerfd_gettime, fd, &old);
	S(signalfd4, -1, &mask, 8, SFD_CLOEXEC);
	fd = S(inotify_init1, IN_CLOEXEC);
	S(inotify_add_watch, fd, ".", IN_CREATE | IN_DELETE | IN_ONLYDIR);
	S(inotify_rm_watch, fd, 1);
	S(io_uring_setup, 0, NULL);
	S(fanotify_mark, -1, 1, 0x20, AT_FDCWD, ".");
}

static void sockets(void)
{
	struct sockaddr_in in = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}}, peer;
	struct sockaddr_in6 in6 = {
		.sin6_family = AF_INET6, .sin6_port = htons(9), .sin6_addr = IN6ADDR_LOOPBACK_INIT};
	struct sockaddr_un un = {AF_UNIX, "sock"};
	struct sockaddr_nl nl = {.nl_family = AF_NETLINK, .nl_groups = 1};
	struct iovec iov = {"message", 7}, riov = {buf, 100};
	struct msghdr m = {.msg_iov = &iov, .msg_iovlen = 1},
		      rm = {.msg_iov = &riov, .msg_iovlen = 1};
	struct mmsghdr mm[1] = {{.msg_hdr = {.msg_iov = &iov, .msg_iovlen = 1}}};
	struct linger li = {1, 5};
	socklen_t len = sizeof(in);
	int sv[2], s, c, a, one = 1, val;

	S(socketpair, AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sv);
	S(sendto, sv[0], "abc", 3, MSG_NOSIGNAL, NULL, 0);
	S(recvfrom, sv[1], buf, 100, MSG_DONTWAIT, NULL, NULL);
	S(sendmsg, sv[0], &m, MSG_NOSIGNAL);
	S(recvmsg, sv[1], &rm, 0);
	S(sendmmsg, sv[0], mm, 1, 0);
	mm[0].msg_hdr.msg_iov = &riov;
	S(recvmmsg, sv[1], mm, 1, MSG_DONTWAIT, NULL);
	S(shutdown, sv[0], SHUT_WR);
	s = S(socket, AF_INET, SOCK_STREAM | SOCK_CLOEXEC, IPPROTO_IP);
	S(setsockopt, s, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	S(setsockopt, s, SOL_SOCKET, SO_LINGER, &li, sizeof(li));
	S(setsockopt, s, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	len = sizeof(val);
	S(getsockopt, s, SOL_SOCKET, SO_TYPE, &val, &len);
	in.sin_port = htons(24681);
	S(bind, s, &in, sizeof(in));
	S(listen, s, 5);
	c = S(socket, AF_INET, SOCK_STREAM | SOCK_NONBLOCK, IPPROTO_TCP);
	S(connect, c, &in, sizeof(in));
	len = sizeof(peer);
	a = S(accept4, s, &peer, &len, SOCK_CLOEXEC);
	len = sizeof(peer);
	S(getsockname, a, &peer, &len);
	S(getpeername, c, &peer, &len);
	S(accept, c, NULL, NULL);
	s = S(socket, AF_UNIX, SOCK_DGRAM, 0);
	S(bind, s, &un, 7);
	s = S(socket, AF_INET6, SOCK_DGRAM, IPPROTO_UDP);
	S(connect, s, &in6, sizeof(in6));
	s = S(socket, AF_NETLINK, SOCK_RAW, NETLINK_ROUTE);
	S(bind, s, &nl, sizeof(nl));
}

static void handler(int sig)
{
	(void)sig;
}

static void signals_and_time(void)
{
	struct ksigaction sa = {handler, SA_RESTART | SA_SIGINFO, NULL, 1 << (SIGTERM - 1)}, old;
	unsigned long set = 1UL << (SIGUSR1 - 1) | 1UL << (SIGUSR2 - 1), oset;
	struct timespec ts = {0, 1000}, rem;
	struct itimerval itv = {{0, 0}, {1000, 0}}, oitv;
	struct itimerspec its = {{0, 0}, {1000, 0}}, oits;
	struct timeval tv;
	struct timezone tz;
	struct sigevent se = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1};
	stack_t ss = {buf, 0, sizeof(buf)}, oss;
	siginfo_t si;
	struct timex tx = {0};
	struct tms tms;
	int timer;

	S(rt_sigaction, SIGHUP, &sa, &old, 8);
	S(rt_sigaction, SIGHUP, NULL, &old, 8);
	S(rt_sigprocmask, SIG_BLOCK, &set, &oset, 8);
	S(rt_sigpending, &oset, 8);
	S(kill, getpid(), SIGUSR1);
	S(rt_sigtimedwait, &set, &si, &none, 8);
	S(tgkill, getpid(), gettid(), SIGUSR2);
	S(rt_sigtimedwait, &set, &si, &ts, 8);
	S(tkill, gettid(), 0);
	S(sigaltstack, &ss, &oss);
	S(nanosleep, &ts, &rem);
	S(clock_nanosleep, CLOCK_MONOTONIC, 0, &ts, &rem);
	S(clock_gettime, CLOCK_PROCESS_CPUTIME_ID, &ts);
	S(clock_getres, CLOCK_REALTIME, &ts);
	S(gettimeofday, &tv, &tz);
	S(time, NULL);
	S(getitimer, ITIMER_REAL, &oitv);
	S(setitimer, ITIMER_VIRTUAL, &itv, &oitv);
	S(alarm, 1000);
	S(alarm, 0);
	S(timer_create, CLOCK_REALTIME, &se, &timer);
	S(timer_settime, timer, 0, &its, &oits);
	S(timer_gettime, timer, &oits);
	S(timer_delete, timer);
	S(adjtimex, &tx);
	S(times, &tms);
}

static void memory(void)
{
	char *p = (char *)S(mmap, NULL, 16384, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			    -1, 0);
	unsigned char vec[4];
	uint32_t word = 5;
	int id;

	S(mprotect, p, 4096, PROT_NONE);
	S(madvise, p + 4096, 4096, MADV_DONTNEED);
	S(msync, p, 4096, MS_ASYNC);
	S(mincore, p, 4096, vec);
	S(mlock, p + 4096, 4096);
	S(munlock, p + 4096, 4096);
	S(mlock2, p + 4096, 4096, MLOCK_ONFAULT);
	p = (char *)S(mremap, p, 16384, 32768, MREMAP_MAYMOVE);
	S(munmap, p, 32768);
	S(brk, NULL);
	S(futex, &word, FUTEX_WAIT_PRIVATE, 4, &none);
	S(futex, &word, FUTEX_WAKE_PRIVATE, 1);
	S(futex, &word, FUTEX_WAIT_BITSET | FUTEX_PRIVATE_FLAG | FUTEX_CLOCK_REALTIME, 4, &none,
	  NULL, -1);
	id = S(shmget, IPC_PRIVATE, 4096, IPC_CREAT | 0600);
	p = (char *)S(shmat, id, NULL, SHM_RDONLY);
	S(shmdt, p);
	S(shmctl, id, IPC_RMID, NULL);
	id = S(semget, IPC_PRIVATE, 1, IPC_CREAT | 0600);
	S(semop, id, &(struct sembuf){0, 1, IPC_NOWAIT}, 1);
	S(semctl, id, 0, IPC_RMID, 0);
	id = S(msgget, IPC_PRIVATE, IPC_CREAT | 0600);
	S(msgsnd, id, &(struct {
		  long t;
		  char b[4];
	  }){3, "ab"},
	  4, IPC_NOWAIT);
	S(msgrcv, id, buf, 100, 0, IPC_NOWAIT);
	S(msgctl, id, 0 /* IPC_RMID */, NULL);
	S(set_mempolicy, 0, NULL, 0);
	S(get_mempolicy, &id, NULL, 0, NULL, 0);
	S(membarrier, 0, 0, 0);
}

static int child(void *arg)
{
	(void)arg;
	return 0;
}

static void processes(void)
{
	struct __user_cap_header_struct hdr = {_LINUX_CAPABILITY_VERSION_3, 0};
	struct __user_cap_data_struct data[2];
	struct clone_args ca = {.flags = 0, .exit_signal = SIGCHLD};
	struct {
		uint32_t size, policy;
		uint64_t flags;
		int32_t nice;
		uint32_t prio;
		uint64_t r[3];
		uint32_t u[2];
	} attr;
	struct sched_param sp = {0};
	struct rusage ru;
	struct rlimit rl;
	struct utsname un;
	struct sysinfo info;
	struct iovec iov = {buf, 8}, remote = {buf + 64, 8};
	unsigned long cpus[16], word;
	siginfo_t si;
	uint32_t a, b, c;
	pid_t pid;
	int st;
	static char stack[16384];

	pid = clone(child, stack + sizeof(stack), SIGCHLD, NULL);
	S(wait4, pid, &st, 0, &ru);
	pid = S(clone3, &ca, sizeof(ca));
	if (!pid)
		S(exit_group, 3);
	S(waitid, P_PID, pid, &si, WEXITED, NULL);
	pid = S(fork);
	if (!pid) {
		char *argv[] = {"none", "a b", NULL}, *envp[] = {"A=1", "B=2", NULL};

		S(execve, "/nonexistent/program", argv, envp);
		S(kill, getpid(), SIGKILL);
	}
	S(wait4, -1, &st, WUNTRACED, NULL);
	S(wait4, -1, &st, WNOHANG, NULL);
	S(getpid);
	S(getppid);
	S(gettid);
	S(getpgid, 0);
	S(getpgrp);
	S(getsid, 0);
	S(setpgid, 0, 0);
	S(getuid);
	S(geteuid);
	S(getgid);
	S(getegid);
	S(getresuid, &a, &b, &c);
	S(getresgid, &a, &b, &c);
	S(setresuid, -1, -1, -1);
	S(setuid, 0);
	S(setgid, 0);
	S(setfsuid, -1);
	S(getgroups, 0, NULL);
	S(getgroups, 64, buf);
	S(capget, &hdr, data);
	S(prctl, PR_SET_NAME, "zoo");
	S(prctl, PR_GET_NAME, buf);
	S(prctl, PR_SET_PDEATHSIG, SIGTERM);
	S(prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	S(prctl, PR_CAPBSET_READ, CAP_SYS_ADMIN);
	S(prctl, PR_GET_DUMPABLE);
#ifdef __x86_64__
	S(arch_prctl, 0x1003, &word);
#endif
	S(set_tid_address, &a);
	S(set_robust_list, NULL, 24);
	S(getpriority, PRIO_PROCESS, 0);
	S(setpriority, PRIO_PROCESS, 0, 0);
	S(sched_yield);
	S(sched_getaffinity, 0, sizeof(cpus), cpus);
	S(sched_setaffinity, 0, 8, cpus);
	S(sched_getscheduler, 0);
	S(sched_setscheduler, 0, SCHED_OTHER, &sp);
	S(sched_getparam, 0, &sp);
	S(sched_getattr, 0, &attr, sizeof(attr), 0);
	S(sched_get_priority_max, SCHED_FIFO);
	S(getrlimit, RLIMIT_NOFILE, &rl);
	S(setrlimit, RLIMIT_CORE, &(struct rlimit){0, RLIM_INFINITY});
	S(prlimit64, 0, RLIMIT_STACK, NULL, &rl);
	S(getrusage, RUSAGE_SELF, &ru);
	S(uname, &un);
	S(sysinfo, &info);
	S(getcpu, &a, &b, NULL);
	S(getrandom, buf, 4, GRND_NONBLOCK);
	S(personality, 0xffffffff);
	S(sethostname, NULL, -1);
	S(unshare, 0);
	S(setns, -1, CLONE_NEWNET);
	S(pidfd_open, getpid(), 0);
	S(kcmp, getpid(), getpid(), 0, 0, 0);
	S(process_vm_readv, getpid(), &iov, 1, &remote, 1, 0);
	S(ioprio_get, 1, 0);
	S(seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &(uint32_t){SECCOMP_RET_ERRNO});
	S(bpf, BPF_MAP_LOOKUP_ELEM, &(union bpf_attr){.map_fd = -1}, 32);
	S(perf_event_open, &(struct perf_event_attr){.type = 99, .size = 64}, 0, -1, -1,
	  PERF_FLAG_FD_CLOEXEC);
	S(keyctl, KEYCTL_GET_KEYRING_ID, KEY_SPEC_PROCESS_KEYRING, 0);
	S(landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
	S(ptrace, 16 /* PTRACE_ATTACH */, -1, NULL, NULL);
	S(reboot, 1, 2, 3, NULL);
	S(delete_module, "none", O_NONBLOCK);
	S(mq_open, "nothing", O_RDONLY, 0, NULL);
}

int main(void)
{
	S(umask, 0);
	files();
	readiness();
	sockets();
	signals_and_time();
	memory();
	processes();
	S(exit_group, 0);
}
