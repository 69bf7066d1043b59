/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Between the table's data files and table.c, and for the decoder: nothing outside trace/ needs it.
 *
 * A call's arguments are described by words `name:kind`, separated by blanks:
 *
 *   int uint long ulong hex oct ptr fd dfd pid uid sig mode dev unused high
 *   path                  string, whole (up to 4,096 bytes); `str`: string cut at the limit
 *   f.SET e.SET           flags or one value of a set (tables-sets-*.c), 32 bits; F.SET: 64 bits
 *   buf<N buf>r buf>N buf>*N   bytes, in or out; length: argument N, the result, u32 at argument N
 *   s<T s>T s<>T          struct T (tables-types.c, else the kernel's BTF), in, out or both
 *   s<T/N                 at most as many bytes of it as argument N says
 *   a<T#N a>T#r a<T#=K    array of T: argument N, the result, or K elements
 *   iov<N iov>N msg< msg> mmsg<N mmsg>N sa<N sa>*N argv envp fds<>N
 *   x.NAME                a function of its own (decode-special*.c)
 *
 * A trailing `!` prints the argument in upstream's format even when it is 0; `?COND` shows it only
 * where the condition holds (enum trace_cond); `~` marks memory that may be no pointer at all; `+`
 * reads an out argument also when the call failed; `#` is written in hex by strace.
 */
#ifndef PERF_TRACE_TABLES_H
#define PERF_TRACE_TABLES_H

#include "compiler.h"
#include "trace/table.h"

/* Conditions on other arguments: what upstream and strace leave out because the kernel ignores it.
 */
enum trace_cond {
	TC_NONE,
	TC_CREAT,	/* an open's flags create a file */
	TC_CREAT2,	/* the same, one argument further left */
	TC_FILEMAP,	/* mmap's flags are not MAP_ANONYMOUS; upstream's style only */
	TC_FIXED,	/* mremap's flags have MREMAP_FIXED or DONTUNMAP */
	TC_PTID,	/* clone: CLONE_PARENT_SETTID, PIDFD */
	TC_CTID,	/* clone: CLONE_CHILD_SETTID, CLEARTID */
	TC_TLS,		/* clone: CLONE_SETTLS */
	TC_FUTEX_UTIME, /* the futex operation has a timeout or a second value */
	TC_FUTEX_UADDR2,
	TC_FUTEX_VAL3,
	TC_FUTEX_VAL,
	TC_FCNTL_ARG, /* the fcntl command has an argument */
	TC_PRCTL2,    /* prctl's option has a 2nd, 3rd, 4th, 5th argument */
	TC_PRCTL3,
	TC_PRCTL4,
	TC_PRCTL5,
	TC_DEVICE,    /* mknod's mode is that of a device file */
	TC_CPU_FLAG,  /* membarrier: MEMBARRIER_CMD_FLAG_CPU */
	TC_IOCTL_ARG, /* the request has an argument */
	TC_KEYCTL,    /* the operation has so many arguments */
	TC_PTRACE,    /* the request has address and data */
	TC_RESTART2,  /* reboot: the command takes a string */
	TC_NR,
};

/* What a call does to its process's descriptors: fdtable.c. */
enum trace_fd_action {
	FDA_NONE,
	FDA_OPEN, /* result is a descriptor of the path argument */
	FDA_CLOSE,
	FDA_DUP,  /* result is a copy of argument 0 */
	FDA_DUP2, /* argument 1 is made a copy of argument 0 */
	FDA_CLOSE_RANGE,
	FDA_SOCKET,	/* result is a socket of family, type, protocol in arguments 0..2 */
	FDA_ACCEPT,	/* result is a socket */
	FDA_PIPE,	/* two descriptors at argument 0 */
	FDA_SOCKETPAIR, /* two at argument 3 */
	FDA_ANON,	/* result is a descriptor without a path: eventfd, epoll ... */
	FDA_FORK,
	FDA_EXEC,
	FDA_EXIT,
	FDA_CHDIR,
	FDA_FCHDIR,
	FDA_FCNTL,
	FDA_BIND, /* bind, connect, listen: the socket's ends change */
	FDA_PRCTL,
};

/* Functions for TK_SPECIAL, by the name behind "x.". */
enum trace_special {
	TS_IOCTL_CMD,
	TS_IOCTL_ARG,
	TS_FCNTL_ARG,
	TS_FUTEX_OP,
	TS_FUTEX_UTIME,
	TS_FUTEX_VAL3,
	TS_PRCTL_ARG,
	TS_ARCH_PRCTL,
	TS_CLONE_FLAGS,
	TS_SOCK_TYPE,
	TS_SOCK_PROTO,
	TS_SOCK_OPT,
	TS_SOCK_VAL,
	TS_PTRACE,
	TS_BPF_ATTR,
	TS_KEYCTL_ARG,
	TS_WAIT_STATUS,
	TS_SIGSET,
	TS_CPUSET,
	TS_PERSONALITY,
	TS_MKNOD_DEV,
	TS_QUOTACTL_CMD,
	TS_SEMCTL_ARG,
	TS_SECCOMP_ARG,
	TS_SIG6, /* pselect6's pair of sigset and size */
	TS_MOUNT_FLAGS,
	TS_REBOOT_MAGIC,
	TS_IOPRIO,
	TS_SHMAT_FLAGS,
	TS_STRLIST, /* listxattr: strings one behind the other */
	TS_SIGHANDLER,
	TS_RLIM,
	TS_INADDR,
	TS_FUTEX_UTIME64,
	TS_OLD_MMAP, /* i386 mmap: six words at the pointer */
	TS_SOCKETCALL,
	TS_NODEMASK,
	TS_NR,
};

struct trace_spec {
	const char *name;
	const char *traits; /* result, groups, action: see table.c */
	const char *args;
};

struct trace_number {
	u16 nr;
	const char *name;
};

struct trace_spec_list {
	const struct trace_spec *spec;
	u32 nr;
};

struct trace_number_list {
	const struct trace_number *nr;
	u32 count;
};

struct trace_ioctl {
	u32 cmd;
	const char *name;
};

struct trace_ioctl_list {
	const struct trace_ioctl *ioctl; /* ascending by cmd */
	u32 nr;
};
extern const struct trace_ioctl_list trace_ioctls;

extern const struct trace_spec_list trace_specs_file, trace_specs_task, trace_specs_net,
	trace_specs_misc, trace_specs_i386;
extern const struct trace_number_list trace_numbers_x86_64, trace_numbers_i386, trace_numbers_arm64;

#endif
