/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel types that our BPF programs look into, hand-kept: only the fields used. CO-RE
 * (preserve_access_index) finds each by name in the running kernel's BTF when a program is loaded,
 * so that the order and the gaps here mean nothing and a build needs no running kernel. What has
 * another shape in another version is in compat.bpf.h.
 */
#ifndef PERF_BPF_KERNEL_TYPES_H
#define PERF_BPF_KERNEL_TYPES_H

#include <linux/bpf.h>
#include <stdbool.h>

typedef __u8 u8;
typedef __u16 u16;
typedef __u32 u32;
typedef __u64 u64;
typedef __s8 s8;
typedef __s16 s16;
typedef __s32 s32;
typedef __s64 s64;

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct thread_info {
	unsigned long flags;
	u32 status; /* x86: TS_COMPAT */
};

/* sigset_t of the kernel: one word on 64-bit machines. */
typedef struct {
	unsigned long sig[1];
} kernel_sigset_t;

struct sigpending {
	kernel_sigset_t signal;
};

struct signal_struct {
	struct sigpending shared_pending;
};

struct pid_namespace {
	unsigned int level;
};

struct upid {
	int nr;
	struct pid_namespace *ns;
};

struct pid {
	unsigned int level;
	struct upid numbers[1];
};

struct mm_struct {
	unsigned long start_code, end_code;
	unsigned long arg_start, arg_end, env_start, env_end;
};

struct linux_binprm {
	int argc, envc;
	const char *filename, *interp, *fdpath;
};

struct task_struct {
	struct thread_info thread_info;
	unsigned int flags;
	unsigned int ptrace;
	struct mm_struct *mm;
	int exit_code;
	int pid;
	int tgid;
	struct task_struct *real_parent;
	struct task_struct *parent;
	struct task_struct *group_leader;
	struct pid *thread_pid;
	u64 start_time;
	u32 self_exec_id;
	char comm[16];
	struct signal_struct *signal;
	kernel_sigset_t blocked;
	struct sigpending pending;
};

#if defined(__TARGET_ARCH_x86)
/* pt_regs as the kernel has it inside; the suffix sets it apart from the one for user space. */
struct pt_regs___kernel {
	unsigned long bx, cx, dx, si, di, bp, r8, r9, r10, orig_ax;
};
#elif defined(__TARGET_ARCH_arm64)
struct pt_regs___kernel {
	u64 regs[31];
	u64 orig_x0;
	s32 syscallno;
};
#endif

/* ---- contexts of classic tracepoint programs: to be read with BPF_CORE_READ() ---- */

struct trace_entry {
	u16 type;
	u8 flags;
	u8 preempt_count;
	int pid;
};

struct trace_event_raw_sched_process_fork {
	struct trace_entry ent;
	int parent_pid;
	int child_pid;
};

struct trace_event_raw_sched_process_exec {
	struct trace_entry ent;
	int pid;
	int old_pid;
};

struct trace_event_raw_signal_generate {
	struct trace_entry ent;
	int sig;
	int code;
	int pid;
	int group;
	int result;
};

struct trace_event_raw_signal_deliver {
	struct trace_entry ent;
	int sig;
	int errno;
	int code;
	unsigned long sa_handler;
	unsigned long sa_flags;
};

#pragma clang attribute pop

/* raw_syscalls keeps its layout: read directly, which relocated accesses to a context cannot be
 * (the verifier takes no computed offset there). */
struct sys_enter_ctx {
	u64 common;
	long id;
	unsigned long args[6];
};

struct sys_exit_ctx {
	u64 common;
	long id;
	long ret;
};

#endif
