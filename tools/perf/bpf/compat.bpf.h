/* SPDX-License-Identifier: GPL-2.0-only */
/* Kernel-shape differences between versions and architectures, each with its version. */
#ifndef PERF_BPF_COMPAT_H
#define PERF_BPF_COMPAT_H

#include "kernel_types.h"

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#define PERF_TS_COMPAT 0x0002	   /* x86 thread_info.status: the current call is a 32-bit one */
#define PERF_X32_BIT 0x40000000	   /* x86 call number of the x32 ABI */
#define PERF_TIF_32BIT (1ul << 22) /* arm64 thread_info.flags: a 32-bit task */
#define PERF_PT_SEIZED 0x00010000  /* task->ptrace: held by PTRACE_SEIZE */
#define PERF_PF_EXITING 0x00000004

/* The ABI (enum trace_abi: 0 64-bit, 1 32-bit, 2 x32) of the call that @task is in. */
static __always_inline u32 task_call_abi(struct task_struct *task, u64 nr)
{
#if defined(__TARGET_ARCH_x86)
	/* thread_info.status has been there since 4.x, in other architectures it is not. */
	if (bpf_core_field_exists(task->thread_info.status) &&
	    (task->thread_info.status & PERF_TS_COMPAT))
		return 1;
	return nr & PERF_X32_BIT ? 2 : 0;
#elif defined(__TARGET_ARCH_arm64)
	(void)nr;
	return task->thread_info.flags & PERF_TIF_32BIT ? 1 : 0;
#else
	(void)task;
	(void)nr;
	return 0;
#endif
}

/* bpf_get_current_task_btf() and types of ours: 5.11. */
static __always_inline struct task_struct *current_task(void)
{
	return (struct task_struct *)bpf_get_current_task_btf();
}

/* The registers with which @task, the current one, came from user space: 5.15. */
static __always_inline const struct pt_regs___kernel *task_regs(struct task_struct *task)
{
	return (const struct pt_regs___kernel *)bpf_task_pt_regs(task);
}

/* The arguments of the call that begins. */
static __always_inline void regs_args(const struct pt_regs___kernel *r, u32 abi, u64 *args)
{
#if defined(__TARGET_ARCH_x86)
	if (abi == 1) {
		args[0] = (u32)r->bx;
		args[1] = (u32)r->cx;
		args[2] = (u32)r->dx;
		args[3] = (u32)r->si;
		args[4] = (u32)r->di;
		args[5] = (u32)r->bp;
		return;
	}
	args[0] = r->di;
	args[1] = r->si;
	args[2] = r->dx;
	args[3] = r->r10;
	args[4] = r->r8;
	args[5] = r->r9;
#else
	(void)abi;
	args[0] = r->orig_x0;
	args[1] = r->regs[1];
	args[2] = r->regs[2];
	args[3] = r->regs[3];
	args[4] = r->regs[4];
	args[5] = r->regs[5];
#endif
}

/* The number of the call that returns. */
static __always_inline long regs_nr(const struct pt_regs___kernel *r)
{
#if defined(__TARGET_ARCH_x86)
	return r->orig_ax;
#else
	return r->syscallno;
#endif
}

#endif
