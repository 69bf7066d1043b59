// SPDX-License-Identifier: GPL-2.0-only
/* Decoding, from synthetic records to exact text in the three styles. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <netinet/in.h>
#include <arpa/inet.h>
#include <linux/futex.h>
#include <time.h>
#include <cmocka.h>

#include "trace-record.h"

static struct trace_table *table;
static struct decoder *dec[3];
static struct outbuf ob;

static int setup(void **state)
{
	struct errbuf eb = {0};

	(void)state;
	table = trace_table__new(&eb);
	if (!table)
		print_error("%s\n", eb.msg);
	assert_non_null(table);
	for (int s = 0; s < 3; s++) {
		struct decoder_opts o = {
			.style = s, .no_proc = true, .no_btf = true, .fd_paths = s != 1};

		dec[s] = decoder__new(table, &o, &eb);
		assert_non_null(dec[s]);
	}
	assert_int_equal(outbuf__init(&ob, -1, 0), 0);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	for (int s = 0; s < 3; s++)
		decoder__delete(dec[s]);
	trace_table__delete(table);
	outbuf__exit(&ob);
	return 0;
}

static const char *text(void)
{
	outbuf__putc(&ob, 0);
	return ob.buf;
}

static const char *args(int style)
{
	assert_int_equal(decoder__check(rec, rec->size), 0);
	ob.len = 0;
	decoder__args(dec[style], rec, &ob);
	return text();
}

static const char *ret(int style)
{
	ob.len = 0;
	decoder__ret(dec[style], rec, &ob);
	return text();
}

#define PERF TRACE_STYLE_PERF
#define STRACE TRACE_STYLE_STRACE
#define JSON TRACE_STYLE_JSON

static void test_openat(void **state)
{
	(void)state;
	REC("openat", 3, (u32)AT_FDCWD, 0x1000, O_RDONLY | O_CLOEXEC, 0);
	STR_IN(1, "/etc/ld.so.cache");
	assert_string_equal(args(PERF),
			    "dfd: CWD, filename: \"/etc/ld.so.cache\", flags: RDONLY|CLOEXEC");
	assert_string_equal(args(STRACE), "AT_FDCWD, \"/etc/ld.so.cache\", O_RDONLY|O_CLOEXEC");
	assert_string_equal(
		args(JSON),
		"\"dfd\":\"CWD\",\"filename\":\"/etc/ld.so.cache\",\"flags\":\"RDONLY|CLOEXEC\"");
	assert_string_equal(ret(PERF), "3");
	REC("openat", -ENOENT, (u32)AT_FDCWD, 0x1000, O_WRONLY | O_CREAT | O_TRUNC, 0644);
	STR_IN(1, "x\n\"\x1b[0m");
	assert_string_equal(args(STRACE),
			    "AT_FDCWD, \"x\\n\\\"\\33[0m\", O_WRONLY|O_CREAT|O_TRUNC, 0644");
	assert_string_equal(
		args(PERF),
		"dfd: CWD, filename: \"x\\n\\\"\\33[0m\", flags: WRONLY|CREAT|TRUNC, mode: 0644");
	assert_string_equal(ret(PERF), "-1 ENOENT (No such file or directory)");
	/* an unreadable path is an address, never a guess */
	REC("openat", -EFAULT, (u32)AT_FDCWD, 0x10, O_RDONLY, 0);
	STR_IN(1, "")->status = BLOB_UNREADABLE;
	assert_string_equal(args(STRACE), "AT_FDCWD, 0x10, O_RDONLY");
}

static void test_read_write(void **state)
{
	(void)state;
	REC("read", 3, 0, 0x7000, 100);
	BUF_OUT(1, "vm\n");
	assert_string_equal(args(PERF), "fd: 0, buf: \"vm\\n\", count: 100");
	assert_string_equal(args(STRACE), "0, \"vm\\n\", 100");
	REC("read", 0, 5, 0x7000, 100);
	assert_string_equal(args(STRACE), "5, \"\", 100");
	REC("read", -EAGAIN, 5, 0x7000, 100);
	assert_string_equal(args(STRACE), "5, 0x7000, 100");
	REC("write", 5, 1, 0x7000, 5);
	BUF_IN(1, "a\0001\377z");
	assert_string_equal(args(STRACE), "1, \"a\\0001\\377z\", 5");
	REC("write", 1000, 1, 0x7000, 1000);
	BUF_IN(1, "0123456789")->orig_len = 1000;
	((struct trace_blob *)(rec + 1))->status = BLOB_CUT;
	assert_string_equal(args(STRACE), "1, \"0123456789\"..., 1000");
	assert_string_equal(args(JSON),
			    "\"fd\":1,\"buf\":\"0123456789\",\"buf_len\":1000,\"count\":1000");
}

static void test_fd_paths(void **state)
{
	(void)state;
	REC("openat", 7, (u32)AT_FDCWD, 0x1000, O_RDONLY, 0);
	STR_IN(1, "/etc/passwd");
	decoder__update(dec[PERF], rec);
	REC("close", 0, 7);
	assert_string_equal(args(PERF), "fd: 7</etc/passwd>");
	REC("dup2", 9, 7, 9);
	assert_string_equal(args(PERF), "oldfd: 7</etc/passwd>, newfd: 9");
	decoder__update(dec[PERF], rec);
	REC("close", 0, 7);
	decoder__update(dec[PERF], rec);
	assert_string_equal(args(PERF), "fd: 7");
	/* a fork has the same, an exec closes those that are to be closed */
	REC("fork", 6000);
	rec->ret = 6000;
	decoder__update(dec[PERF], rec);
	REC("fstat", 0, 9, 0);
	rec->pid = 6000;
	assert_string_equal(args(PERF), "fd: 9</etc/passwd>");
	REC("epoll_create1", 4, EPOLL_CLOEXEC);
	rec->pid = 6000;
	decoder__update(dec[PERF], rec);
	assert_string_equal(decoder__fd_path(dec[PERF], 6000, 4), "anon_inode:[eventpoll]");
	REC0("execve", 0);
	rec->pid = 6000;
	decoder__update(dec[PERF], rec);
	assert_null(decoder__fd_path(dec[PERF], 6000, 4));
	assert_string_equal(decoder__fd_path(dec[PERF], 6000, 9), "/etc/passwd");
	/* records of a thread were lost: what it has open may be anything by now */
	REC("getpid", 6000);
	rec->pid = rec->tid = 6000;
	rec->seq = 7;
	decoder__begin(dec[PERF], rec);
	assert_null(decoder__fd_path(dec[PERF], 6000, 9));
	rec->seq = 8;
	decoder__begin(dec[PERF], rec);
	/* relative to a directory's descriptor */
	REC("openat", 11, 9, 0x1000, O_RDONLY, 0);
	STR_IN(1, "./sub/x");
	decoder__update(dec[PERF], rec);
	assert_string_equal(decoder__fd_path(dec[PERF], 5463, 11), "/etc/passwd/sub/x");
	REC("openat", 12, 9, 0x1000, O_RDONLY, 0);
	STR_IN(1, "../group");
	decoder__update(dec[PERF], rec);
	assert_string_equal(decoder__fd_path(dec[PERF], 5463, 12), "/etc/group");
}

static const char *fd_name(int fd)
{
	decoder__update(dec[PERF], rec);
	return decoder__fd_path(dec[PERF], 5463, fd);
}

/* Sockets' names from the calls alone. */
static void test_socket_names(void **state)
{
	struct sockaddr_in any = {AF_INET, htons(80), {0}, {0}};
	struct sockaddr_in peer = {AF_INET, htons(5000), {htonl(0x7f000001)}, {0}};
	struct sockaddr_un un = {AF_UNIX, "/run/x"};
	s32 pair[2] = {25, 26};

	(void)state;
	REC("socket", 20, AF_INET, SOCK_STREAM, 0);
	assert_string_equal(fd_name(20), "TCP");
	REC("bind", 0, 20, 0x1000, 16);
	rec_blob(1, CAP_SOCKADDR, CAP_ENTRY, &any, sizeof(any));
	assert_string_equal(fd_name(20), "TCP:[0.0.0.0:80]");
	REC("accept4", 21, 20, 0x1000, 0x2000, 0);
	rec_blob(1, CAP_SOCKADDR, CAP_EXIT, &peer, sizeof(peer));
	assert_string_equal(fd_name(21), "TCP:[:80->127.0.0.1:5000]");
	REC("socket", 22, AF_INET, SOCK_DGRAM, 0);
	decoder__update(dec[PERF], rec);
	REC("connect", -EINPROGRESS, 22, 0x1000, 16);
	rec_blob(1, CAP_SOCKADDR, CAP_ENTRY, &peer, sizeof(peer));
	assert_string_equal(fd_name(22), "UDP:[->127.0.0.1:5000]");
	REC("getsockname", 0, 22, 0x1000, 0x2000);
	rec_blob(1, CAP_SOCKADDR, CAP_EXIT, &any, sizeof(any));
	assert_string_equal(fd_name(22), "UDP:[0.0.0.0:80->127.0.0.1:5000]");
	REC("socket", 23, AF_UNIX, SOCK_STREAM, 0);
	decoder__update(dec[PERF], rec);
	REC("connect", 0, 23, 0x1000, 9);
	rec_blob(1, CAP_SOCKADDR, CAP_ENTRY, &un, 9);
	assert_string_equal(fd_name(23), "UNIX:[->\"/run/x\"]");
	REC("socket", 24, AF_NETLINK, SOCK_RAW, 0);
	assert_string_equal(fd_name(24), "NETLINK:[ROUTE]");
	REC("pipe2", 0, 0x1000, 0);
	OBJ_OUT(0, pair);
	assert_memory_equal(fd_name(25), "pipe:[#", 7);
	assert_string_equal(decoder__fd_path(dec[PERF], 5463, 25),
			    decoder__fd_path(dec[PERF], 5463, 26));
	/* a connection to a listener that nobody told of: no name rather than the old one */
	REC("accept4", 21, 99, 0x1000, 0x2000, 0);
	assert_null(fd_name(21));
}

static void test_memory(void **state)
{
	(void)state;
	REC("mmap", 0x7f00, 0, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, (u64)-1,
	    0);
	assert_string_equal(args(PERF), "len: 8192, prot: READ|WRITE, flags: PRIVATE|ANONYMOUS");
	assert_string_equal(args(STRACE),
			    "NULL, 8192, PROT_READ|PROT_WRITE, MAP_PRIVATE|MAP_ANONYMOUS, -1, 0");
	assert_string_equal(ret(STRACE), "0x7f00");
	REC("mmap", 0x7f00, 0x7e00, 4096, PROT_NONE, MAP_PRIVATE | MAP_FIXED, 3, 0x26000);
	assert_string_equal(
		args(PERF),
		"addr: 0x7e00, len: 4096, prot: NONE, flags: PRIVATE|FIXED, fd: 3, off: 0x26000");
	assert_string_equal(args(STRACE),
			    "0x7e00, 4096, PROT_NONE, MAP_PRIVATE|MAP_FIXED, 3, 0x26000");
	REC("brk", 0x55000, 0);
	assert_string_equal(args(PERF), "");
	assert_string_equal(args(STRACE), "NULL");
	REC("madvise", 0, 0x1000, 4096, MADV_DONTNEED);
	assert_string_equal(args(PERF), "start: 0x1000, len_in: 4096, behavior: DONTNEED");
	REC("mremap", 0x2000, 0x1000, 1, 2, MREMAP_MAYMOVE, 0x99);
	assert_string_equal(args(STRACE), "0x1000, 1, 2, MREMAP_MAYMOVE");
}

static void test_structs(void **state)
{
	struct stat st = {.st_mode = S_IFREG | 0644, .st_size = 1234};
	struct timespec ts = {1, 5};
	struct rlimit rl = {8192 * 1024, RLIM_INFINITY};
	struct {
		u64 h, f, r, m;
	} sa = {0x4000, 0x04000000 | SA_RESTART, 0x5000, 1 << 1};

	(void)state;
	REC("newfstatat", 0, (u32)AT_FDCWD, 0x1000, 0x2000, 0);
	STR_IN(1, "f");
	OBJ_OUT(2, st);
	assert_string_equal(args(STRACE),
			    "AT_FDCWD, \"f\", {st_mode=S_IFREG|0644, st_size=1234, ...}, 0");
	assert_string_equal(args(PERF), "dfd: CWD, filename: \"f\", statbuf: { .st_mode: "
					"IFREG|0644, .st_size: 1234, ... }");
	REC("nanosleep", 0, 0x1000, 0x2000);
	OBJ_IN(0, ts);
	assert_string_equal(args(PERF), "rqtp: { .tv_sec: 1, .tv_nsec: 5 }, rmtp: 0x2000");
	assert_string_equal(args(STRACE), "{tv_sec=1, tv_nsec=5}, 0x2000");
	assert_string_equal(args(JSON),
			    "\"rqtp\":{\"tv_sec\":1,\"tv_nsec\":5},\"rmtp\":\"0x2000\"");
	REC("prlimit64", 0, 0, RLIMIT_STACK, 0, 0x1000);
	OBJ_OUT(3, rl);
	assert_string_equal(
		args(STRACE),
		"0, RLIMIT_STACK, NULL, {rlim_cur=8192*1024, rlim_max=RLIM64_INFINITY}");
	REC("rt_sigaction", 0, SIGINT, 0x1000, 0, 8);
	OBJ_IN(1, sa);
	assert_string_equal(
		args(STRACE),
		"SIGINT, {sa_handler=0x4000, sa_mask=[INT], sa_flags=SA_RESTORER|SA_RESTART, "
		"sa_restorer=0x5000}, NULL, 8");
	assert_string_equal(args(PERF),
			    "sig: INT, act: { .sa_handler: 0x4000, .sa_mask: [INT], .sa_flags: "
			    "RESTORER|RESTART, .sa_restorer: 0x5000 }, sigsetsize: 8");
	REC("rt_sigprocmask", 0, SIG_BLOCK, 0x1000, 0, 8);
	OBJ_IN(1, ((u64){~0ULL}));
	assert_string_equal(args(STRACE), "SIG_BLOCK, ~[], NULL, 8");
	assert_string_equal(args(JSON),
			    "\"how\":\"BLOCK\",\"nset\":\"~[]\",\"oset\":null,\"sigsetsize\":8");
	/* a struct that arrived too short is not read past its end */
	REC("nanosleep", 0, 0x1000, 0);
	rec_blob(0, CAP_STRUCT, CAP_ENTRY, &ts, 8);
	assert_string_equal(args(STRACE), "{...}, NULL");
}

static void test_process(void **state)
{
	u32 status = 3 << 8;

	(void)state;
	REC("execve", 0, 0x1000, 0x2000, 0x3000);
	STR_IN(0, "/bin/ls");
	rec_blob(1, CAP_ARGV, CAP_ENTRY, "ls\0-l\0", 6)->orig_len = 2;
	rec_blob(2, CAP_ARGV, CAP_ENTRY, "A=1\0", 4)->orig_len = 23;
	assert_string_equal(args(STRACE), "\"/bin/ls\", [\"ls\", \"-l\"], 0x3000 /* 23 vars */");
	assert_string_equal(args(JSON),
			    "\"filename\":\"/bin/ls\",\"argv\":[\"ls\",\"-l\"],\"envp\":[\"A=1\"]");
	REC("clone", 99, 0x01200000 | 17, 0, 0, 0x7f10, 0);
	assert_string_equal(
		args(STRACE),
		"child_stack=NULL, flags=CLONE_CHILD_CLEARTID|CLONE_CHILD_SETTID|SIGCHLD, "
		"child_tidptr=0x7f10");
	assert_string_equal(
		args(PERF),
		"clone_flags: CHILD_CLEARTID|CHILD_SETTID|SIGCHLD, child_tidptr: 0x7f10");
	assert_string_equal(ret(PERF), "99 (ls)");
	assert_string_equal(ret(STRACE), "99");
	REC("wait4", 99, (u32)-1, 0x1000, 0, 0);
	OBJ_OUT(1, status);
	assert_string_equal(args(STRACE), "-1, [{WIFEXITED(s) && WEXITSTATUS(s) == 3}], 0, NULL");
	REC("exit_group", 0, 3);
	rec->flags = TR_NO_EXIT;
	assert_string_equal(args(STRACE), "3");
	assert_string_equal(ret(STRACE), "?");
	REC("kill", 0, 5463, SIGTERM);
	decoder__update(dec[PERF], rec);
	assert_string_equal(args(PERF), "pid: 5463 (ls), sig: TERM");
	assert_string_equal(args(STRACE), "5463, SIGTERM");
	REC("nanosleep", -514, 0, 0);
	assert_string_equal(ret(STRACE), "? ERESTARTNOHAND (To be restarted if no handler)");
	REC("prctl", 0, 15, 0x1000, 0, 0, 0);
	rec_blob(1, CAP_STRUCT, CAP_ENTRY, "worker\0trash...", 16);
	assert_string_equal(args(STRACE), "PR_SET_NAME, \"worker\"");
}

static void test_futex(void **state)
{
	struct timespec ts = {2, 0};

	(void)state;
	REC("futex", 0, 0x1000, FUTEX_WAIT | FUTEX_PRIVATE_FLAG, 2, 0, 0, 0);
	assert_string_equal(args(STRACE), "0x1000, FUTEX_WAIT_PRIVATE, 2, NULL");
	assert_string_equal(args(PERF), "uaddr: 0x1000, op: WAIT|PRIVATE_FLAG, val: 2");
	REC("futex", 1, 0x1000, FUTEX_WAKE | FUTEX_PRIVATE_FLAG, 1, 0, 0, 0);
	assert_string_equal(args(STRACE), "0x1000, FUTEX_WAKE_PRIVATE, 1");
	REC("futex", 0, 0x1000, FUTEX_WAIT_BITSET | FUTEX_CLOCK_REALTIME | FUTEX_PRIVATE_FLAG, 0,
	    0x2000, 0, 0xffffffff);
	OBJ_IN(3, ts);
	assert_string_equal(
		args(STRACE),
		"0x1000, FUTEX_WAIT_BITSET_PRIVATE|FUTEX_CLOCK_REALTIME, 0, {tv_sec=2, tv_nsec=0}, "
		"FUTEX_BITSET_MATCH_ANY");
}

static void test_sockets(void **state)
{
	struct sockaddr_in in = {AF_INET, htons(80), {htonl(0x7f000001)}, {0}};
	struct sockaddr_un un = {AF_UNIX, "/run/x"};
	int one = 1;
	u32 len[2] = {128, 16};

	(void)state;
	REC("socket", 3, AF_INET, SOCK_STREAM | SOCK_CLOEXEC, IPPROTO_TCP);
	assert_string_equal(args(PERF), "family: INET, type: STREAM|CLOEXEC, protocol: TCP");
	assert_string_equal(args(STRACE), "AF_INET, SOCK_STREAM|SOCK_CLOEXEC, IPPROTO_TCP");
	REC("connect", 0, 3, 0x1000, 16);
	rec_blob(1, CAP_SOCKADDR, CAP_ENTRY, &in, sizeof(in));
	assert_string_equal(args(STRACE), "3, {sa_family=AF_INET, sin_port=htons(80), "
					  "sin_addr=inet_addr(\"127.0.0.1\")}, 16");
	assert_string_equal(args(PERF), "fd: 3, uservaddr: { .sa_family: INET, .sin_port: 80, "
					".sin_addr: 127.0.0.1 }, addrlen: 16");
	assert_string_equal(args(JSON),
			    "\"fd\":3,\"uservaddr\":{\"sa_family\":\"INET\",\"sin_port\":80,"
			    "\"sin_addr\":\"127.0.0.1\"},\"addrlen\":16");
	REC("bind", 0, 3, 0x1000, 9);
	rec_blob(1, CAP_SOCKADDR, CAP_ENTRY, &un, 9);
	assert_string_equal(args(STRACE), "3, {sa_family=AF_UNIX, sun_path=\"/run/x\"}, 9");
	REC("accept4", 4, 3, 0x1000, 0x2000, SOCK_CLOEXEC);
	rec_blob(1, CAP_SOCKADDR, CAP_EXIT, &in, sizeof(in));
	OBJ_IN(2, len[0]);
	OBJ_OUT(2, len[1]);
	assert_string_equal(
		args(STRACE),
		"3, {sa_family=AF_INET, sin_port=htons(80), sin_addr=inet_addr(\"127.0.0.1\")}, "
		"[128 => 16], SOCK_CLOEXEC");
	REC("setsockopt", 0, 3, SOL_SOCKET, SO_REUSEADDR, 0x1000, 4);
	rec_blob(3, CAP_BUFFER, CAP_ENTRY, &one, 4);
	assert_string_equal(args(STRACE), "3, SOL_SOCKET, SO_REUSEADDR, [1], 4");
	assert_string_equal(args(PERF),
			    "fd: 3, level: SOCKET, optname: REUSEADDR, optval: [1], optlen: 4");
}

static void test_vectors(void **state)
{
	struct {
		u64 iov[4];
		u32 l1;
		char b1[4];
		u32 l2;
		char b2[4];
	} v = {{0x1000, 3, 0x2000, 100}, 3, "abc", 4, "defg"};
	struct trace_blob *b;
	struct {
		u64 msg[7];
		u32 ln;
		u8 name[8];
		u32 li;
		u64 iov[2] __attribute__((packed));
		u32 lb;
		char buf[4];
	} __attribute__((packed))
	m = {{0x10, 8, 0x20, 1, 0, 0, 0}, 8, {2, 0, 0, 80, 127, 0, 0, 1}, 16, {0x3000, 2}, 2, "hi"};

	(void)state;
	REC("writev", 103, 1, 0x5000, 2);
	b = rec_blob(1, CAP_IOVEC, CAP_ENTRY, &v, sizeof(v));
	b->head = 32;
	b->orig_len = 2;
	assert_string_equal(
		args(STRACE),
		"1, [{iov_base=\"abc\", iov_len=3}, {iov_base=\"defg\"..., iov_len=100}], 2");
	REC("readv", 4, 1, 0x5000, 2);
	b = rec_blob(1, CAP_IOVEC, CAP_EXIT, &v, sizeof(v));
	b->head = 32;
	assert_string_equal(args(STRACE),
			    "1, [{iov_base=\"abc\", iov_len=3}, {iov_base=\"d\", iov_len=100}], 2");
	REC("sendmsg", 2, 3, 0x5000, MSG_NOSIGNAL);
	b = rec_blob(1, CAP_MSGHDR, CAP_ENTRY, &m, sizeof(m));
	b->head = 56;
	assert_string_equal(args(STRACE), "3, {msg_name={sa_family=AF_INET, sin_port=htons(80), "
					  "sin_addr=inet_addr(\"127.0.0.1\")}, "
					  "msg_namelen=8, msg_iov=[{iov_base=\"hi\", iov_len=2}], "
					  "msg_iovlen=1, msg_controllen=0, "
					  "msg_flags=0}, MSG_NOSIGNAL");
	/* a chunk that claims more than there is */
	m.ln = 0x7fffffff;
	REC("sendmsg", 2, 3, 0x5000, 0);
	b = rec_blob(1, CAP_MSGHDR, CAP_ENTRY, &m, sizeof(m));
	b->head = 56;
	assert_string_equal(args(STRACE),
			    "3, {msg_name=0x10, msg_namelen=8, msg_iov=0x20, msg_iovlen=1, "
			    "msg_controllen=0, msg_flags=0}, 0");
}

static void test_poll(void **state)
{
	struct pollfd p[2] = {{3, POLLIN, 0}, {4, POLLOUT, 0}},
		      q[2] = {{3, POLLIN, POLLIN}, {4, POLLOUT, 0}};
	struct epoll_event e = {.events = EPOLLIN, .data.u64 = 5};
	u64 set = 1 << 3, none = 0;

	(void)state;
	REC("poll", 1, 0x1000, 2, 1000);
	rec_blob(0, CAP_ARRAY, CAP_ENTRY, p, sizeof(p));
	rec_blob(0, CAP_ARRAY, CAP_EXIT, q, sizeof(q));
	assert_string_equal(args(STRACE),
			    "[{fd=3, events=POLLIN}, {fd=4, events=POLLOUT}], 2, 1000");
	assert_string_equal(ret(STRACE), "1 ([{fd=3, revents=POLLIN}])");
	assert_string_equal(args(PERF),
			    "ufds: [{ .fd: 3, .events: IN, .revents: IN }, { .fd: 4, .events: "
			    "OUT, .revents: 0 }], nfds: 2, timeout_msecs: 1000");
	rec->ret = 0;
	assert_string_equal(ret(STRACE), "0 (Timeout)");
	assert_string_equal(ret(PERF), "0 (Timeout)");
	REC("epoll_wait", 1, 3, 0x1000, 10, (u32)-1);
	rec_blob(1, CAP_ARRAY, CAP_EXIT, &e, sizeof(e));
	assert_string_equal(args(STRACE), "3, [{events=EPOLLIN, data={u32=5, u64=5}}], 10, -1");
	REC("epoll_wait", 0, 3, 0x1000, 10, 5);
	assert_string_equal(args(STRACE), "3, [], 10, 5");
	REC("select", 1, 4, 0x1000, 0, 0, 0);
	rec_blob(1, CAP_FDSET, CAP_ENTRY, &set, 8);
	rec_blob(1, CAP_FDSET, CAP_EXIT, &set, 8);
	assert_string_equal(args(STRACE), "4, [3], NULL, NULL, NULL");
	assert_string_equal(ret(STRACE), "1 (in [3])");
	REC("select", 0, 4, 0x1000, 0, 0, 0);
	rec_blob(1, CAP_FDSET, CAP_ENTRY, &set, 8);
	rec_blob(1, CAP_FDSET, CAP_EXIT, &none, 8);
	assert_string_equal(ret(STRACE), "0 (Timeout)");
}

static void test_misc(void **state)
{
	u16 ws[4] = {24, 80, 0, 0};

	(void)state;
	REC("fcntl", 0x8002, 0, F_GETFL, 0);
	assert_string_equal(args(STRACE), "0, F_GETFL");
	assert_string_equal(ret(STRACE), "0x8002 (flags O_RDWR|O_LARGEFILE)");
	assert_string_equal(ret(PERF), "RDWR|LARGEFILE");
	REC("fcntl", 0, 3, F_SETFD, FD_CLOEXEC);
	assert_string_equal(args(STRACE), "3, F_SETFD, FD_CLOEXEC");
	REC("ioctl", 0, 1, 0x5413, 0x1000);
	rec_blob(2, CAP_STRUCT, CAP_EXIT, ws, sizeof(ws));
	assert_string_equal(args(STRACE),
			    "1, TIOCGWINSZ, {ws_row=24, ws_col=80, ws_xpixel=0, ws_ypixel=0}");
	REC("ioctl", -ENOTTY, 1, 0x5401, 0x1000);
	assert_string_equal(args(PERF), "fd: 1, cmd: TCGETS, arg: 0x1000");
	REC("umask", 022, 077);
	assert_string_equal(args(STRACE), "077");
	assert_string_equal(ret(STRACE), "022");
	REC("access", -ENOENT, 0x1000, 4);
	STR_IN(0, "/etc/ld.so.preload");
	assert_string_equal(args(STRACE), "\"/etc/ld.so.preload\", R_OK");
	REC("arch_prctl", -EINVAL, 0x3001, 0x7ff);
	assert_string_equal(args(STRACE), "0x3001 /* ARCH_??? */, 0x7ff");
	REC("lseek", 5, 3, (u64)-5, SEEK_CUR);
	assert_string_equal(args(PERF), "fd: 3, offset: -5, whence: CUR");
	rec->nr = 999;
	assert_string_equal(
		args(PERF),
		"arg1: 0x3, arg2: 0xfffffffffffffffb, arg3: 0x1, arg4: 0, arg5: 0, arg6: 0");
	assert_string_equal(decoder__call(dec[0], rec)->name, "syscall_999");
	/* i386: its own numbers, 32-bit arguments */
	REC("read", 0, 0, 0, 0);
	rec->abi = TRACE_ABI_32;
	rec->nr = 192;
	rec->args[1] = 4096;
	rec->args[2] = PROT_READ;
	rec->args[3] = MAP_PRIVATE | MAP_ANONYMOUS;
	rec->args[4] = 0xffffffff;
	assert_string_equal(decoder__call(dec[0], rec)->name, "mmap2");
	assert_string_equal(args(STRACE),
			    "NULL, 4096, PROT_READ, MAP_PRIVATE|MAP_ANONYMOUS, -1, 0");
}

static void test_check(void **state)
{
	struct trace_blob *b;

	(void)state;
	REC("read", 3, 0, 0x7000, 100);
	b = BUF_OUT(1, "vm\n");
	assert_int_equal(decoder__check(rec, rec->size), 0);
	assert_int_equal(decoder__check(rec, rec->size - 8), -EBADMSG);
	b->len = 9;
	assert_int_equal(decoder__check(rec, rec->size), -EBADMSG);
	b->len = 0xfffffff9; /* rounds up to 0 */
	assert_int_equal(decoder__check(rec, rec->size), -EBADMSG);
	b->len = 3;
	b->head = 4;
	assert_int_equal(decoder__check(rec, rec->size), -EBADMSG);
	b->head = 0;
	b->arg = 6;
	assert_int_equal(decoder__check(rec, rec->size), -EBADMSG);
	b->arg = 1;
	rec->nr_blobs = 2;
	assert_int_equal(decoder__check(rec, rec->size), -EBADMSG);
	rec->nr_blobs = 1;
	rec->flags = TR_STACK;
	assert_int_equal(decoder__check(rec, rec->size), -EBADMSG);
}

/* Any bytes in any blob: nothing is read past its end (run with ASan), nothing hangs. */
static void test_garbage(void **state)
{
	(void)state;
	srand(1);
	for (int n = 0; n < 60000; n++) {
		u8 junk[256];
		int nr_blobs = rand() % 4;

		REC0("read", rand() % 200 - 20);
		rec->abi = (u8)(rand() % 2);
		rec->nr = rand() % 470;
		rec->flags = rand() % 10 ? 0 : TR_NO_EXIT;
		for (int i = 0; i < 6; i++)
			rec->args[i] = rand() % 3 ? (u64)(rand() % 64) : (u64)rand() << 20;
		for (int i = 0; i < nr_blobs; i++) {
			u32 len = (u32)(rand() % (int)sizeof(junk));
			struct trace_blob *b;

			for (u32 k = 0; k < len; k++)
				junk[k] = (u8)(rand() % 4 ? rand() % 8 : rand());
			b = rec_blob(rand() % 6, rand() % 11, 1 + rand() % 2, junk, len);
			b->head = len ? (u32)rand() % len : 0;
			b->status = (u8)(rand() % 4);
			b->orig_len = (u32)rand();
		}
		for (int s = 0; s < 3; s++) {
			args(s);
			assert_true(ob.len < 1 << 20);
			ret(s);
			decoder__update(dec[s], rec);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_openat),	 cmocka_unit_test(test_read_write),
		cmocka_unit_test(test_fd_paths), cmocka_unit_test(test_socket_names),
		cmocka_unit_test(test_memory),	 cmocka_unit_test(test_structs),
		cmocka_unit_test(test_process),	 cmocka_unit_test(test_futex),
		cmocka_unit_test(test_sockets),	 cmocka_unit_test(test_vectors),
		cmocka_unit_test(test_poll),	 cmocka_unit_test(test_misc),
		cmocka_unit_test(test_check),	 cmocka_unit_test(test_garbage),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
