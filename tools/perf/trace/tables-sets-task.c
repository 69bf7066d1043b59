// SPDX-License-Identifier: GPL-2.0-only
/* Names for calls on processes, memory, signals, time and IPC. */
#include <signal.h>
#include <sched.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/wait.h>
#include <linux/futex.h>

#include "trace/set.h"

/* clang-format off */
static const struct trace_name mmap_prot_names[] = {
	X(PROT_READ), X(PROT_WRITE), X(PROT_EXEC), {8, "PROT_SEM"}, X(PROT_GROWSDOWN), X(PROT_GROWSUP),
#ifdef __aarch64__
	{0x10, "PROT_BTI"}, {0x20, "PROT_MTE"},
#endif
};
static const struct trace_name mmap_names[] = {
	{1, "MAP_SHARED"}, {2, "MAP_PRIVATE"}, {3, "MAP_SHARED_VALIDATE"}, {8, "MAP_DROPPABLE"},
	X(MAP_FIXED), X(MAP_ANONYMOUS),
#ifdef MAP_32BIT
	X(MAP_32BIT), {0x80, "MAP_ABOVE4G"},
#endif
	X(MAP_GROWSDOWN), X(MAP_DENYWRITE), X(MAP_EXECUTABLE), X(MAP_LOCKED), X(MAP_NORESERVE),
	X(MAP_POPULATE), X(MAP_NONBLOCK), X(MAP_STACK), X(MAP_HUGETLB), X(MAP_SYNC),
	X(MAP_FIXED_NOREPLACE), {0x4000000, "MAP_UNINITIALIZED"},
	{0x54000000, "21<<MAP_HUGE_SHIFT"}, {0x78000000, "30<<MAP_HUGE_SHIFT"},
};
static const struct trace_name mremap_names[] = { X(MREMAP_MAYMOVE), X(MREMAP_FIXED), {4, "MREMAP_DONTUNMAP"} };
static const struct trace_name madvise_names[] = {
	X(MADV_NORMAL), X(MADV_RANDOM), X(MADV_SEQUENTIAL), X(MADV_WILLNEED), X(MADV_DONTNEED),
	X(MADV_FREE), X(MADV_REMOVE), X(MADV_DONTFORK), X(MADV_DOFORK), X(MADV_MERGEABLE),
	X(MADV_UNMERGEABLE), X(MADV_HUGEPAGE), X(MADV_NOHUGEPAGE), X(MADV_DONTDUMP), X(MADV_DODUMP),
	X(MADV_WIPEONFORK), X(MADV_KEEPONFORK), X(MADV_COLD), X(MADV_PAGEOUT), {22, "MADV_POPULATE_READ"},
	{23, "MADV_POPULATE_WRITE"}, {24, "MADV_DONTNEED_LOCKED"}, {25, "MADV_COLLAPSE"},
	X(MADV_HWPOISON), {101, "MADV_SOFT_OFFLINE"}, {102, "MADV_GUARD_INSTALL"}, {103, "MADV_GUARD_REMOVE"},
};
static const struct trace_name msync_names[] = { X(MS_ASYNC), X(MS_INVALIDATE), X(MS_SYNC) };
static const struct trace_name mlockall_names[] = { X(MCL_CURRENT), X(MCL_FUTURE), X(MCL_ONFAULT) };
static const struct trace_name mlock2_names[] = { {1, "MLOCK_ONFAULT"} };
static const struct trace_name pkey_names[] = { {1, "PKEY_DISABLE_ACCESS"}, {2, "PKEY_DISABLE_WRITE"} };
static const struct trace_name shadow_stack_names[] = { {1, "SHADOW_STACK_SET_TOKEN"}, {2, "SHADOW_STACK_SET_MARKER"} };
static const struct trace_name clone_names[] = {
	X(CLONE_VM), X(CLONE_FS), X(CLONE_FILES), X(CLONE_SIGHAND), X(CLONE_PIDFD), X(CLONE_PTRACE),
	X(CLONE_VFORK), X(CLONE_PARENT), X(CLONE_THREAD), X(CLONE_NEWNS), X(CLONE_SYSVSEM),
	X(CLONE_SETTLS), X(CLONE_PARENT_SETTID), X(CLONE_CHILD_CLEARTID), X(CLONE_DETACHED),
	X(CLONE_UNTRACED), X(CLONE_CHILD_SETTID), X(CLONE_NEWCGROUP), X(CLONE_NEWUTS), X(CLONE_NEWIPC),
	X(CLONE_NEWUSER), X(CLONE_NEWPID), X(CLONE_NEWNET), {0x80000000, "CLONE_IO"},
	{0x80, "CLONE_NEWTIME"}, {0x100000000ULL, "CLONE_CLEAR_SIGHAND"}, {0x200000000ULL, "CLONE_INTO_CGROUP"},
};
static const struct trace_name unshare_names[] = {
	X(CLONE_VM), X(CLONE_FS), X(CLONE_FILES), X(CLONE_SIGHAND), X(CLONE_THREAD), X(CLONE_NEWNS),
	X(CLONE_SYSVSEM), X(CLONE_NEWCGROUP), X(CLONE_NEWUTS), X(CLONE_NEWIPC), X(CLONE_NEWUSER),
	X(CLONE_NEWPID), X(CLONE_NEWNET), {0x80, "CLONE_NEWTIME"},
};
static const struct trace_name setns_names[] = {
	X(CLONE_NEWNS), X(CLONE_NEWCGROUP), X(CLONE_NEWUTS), X(CLONE_NEWIPC), X(CLONE_NEWUSER),
	X(CLONE_NEWPID), X(CLONE_NEWNET), {0x80, "CLONE_NEWTIME"},
};
static const struct trace_name wait_names[] = {
	{1, "WNOHANG"}, {2, "WSTOPPED"}, X(WEXITED), X(WCONTINUED), X(WNOWAIT),
	{0x20000000, "__WNOTHREAD"}, {0x80000000, "__WCLONE"}, {0x40000000, "__WALL"},
};
static const struct trace_name waitid_names[] = { X(P_ALL), X(P_PID), X(P_PGID), {3, "P_PIDFD"} };
static const struct trace_name rseq_names[] = { {1, "RSEQ_FLAG_UNREGISTER"} };
static const struct trace_name arch_prctl_names[] = {
	{0x1001, "ARCH_SET_GS"}, {0x1002, "ARCH_SET_FS"}, {0x1003, "ARCH_GET_FS"}, {0x1004, "ARCH_GET_GS"},
	{0x1011, "ARCH_GET_CPUID"}, {0x1012, "ARCH_SET_CPUID"}, {0x1021, "ARCH_GET_XCOMP_SUPP"},
	{0x1022, "ARCH_GET_XCOMP_PERM"}, {0x1023, "ARCH_REQ_XCOMP_PERM"}, {0x1024, "ARCH_GET_XCOMP_GUEST_PERM"},
	{0x1025, "ARCH_REQ_XCOMP_GUEST_PERM"}, {0x1030, "ARCH_XCOMP_TILECFG"}, {0x1031, "ARCH_XCOMP_TILEDATA"},
	{0x2001, "ARCH_MAP_VDSO_X32"}, {0x2002, "ARCH_MAP_VDSO_32"}, {0x2003, "ARCH_MAP_VDSO_64"},
	{0x4001, "ARCH_GET_UNTAG_MASK"}, {0x4002, "ARCH_ENABLE_TAGGED_ADDR"}, {0x4003, "ARCH_GET_MAX_TAG_BITS"},
	{0x4004, "ARCH_FORCE_TAGGED_SVA"}, {0x5001, "ARCH_SHSTK_ENABLE"}, {0x5002, "ARCH_SHSTK_DISABLE"},
	{0x5003, "ARCH_SHSTK_LOCK"}, {0x5004, "ARCH_SHSTK_UNLOCK"}, {0x5005, "ARCH_SHSTK_STATUS"},
};
static const struct trace_name prctl_names[] = {
	{1, "PR_SET_PDEATHSIG"}, {2, "PR_GET_PDEATHSIG"}, {3, "PR_GET_DUMPABLE"}, {4, "PR_SET_DUMPABLE"},
	{5, "PR_GET_UNALIGN"}, {6, "PR_SET_UNALIGN"}, {7, "PR_GET_KEEPCAPS"}, {8, "PR_SET_KEEPCAPS"},
	{9, "PR_GET_FPEMU"}, {10, "PR_SET_FPEMU"}, {11, "PR_GET_FPEXC"}, {12, "PR_SET_FPEXC"},
	{13, "PR_GET_TIMING"}, {14, "PR_SET_TIMING"}, {15, "PR_SET_NAME"}, {16, "PR_GET_NAME"},
	{19, "PR_GET_ENDIAN"}, {20, "PR_SET_ENDIAN"}, {21, "PR_GET_SECCOMP"}, {22, "PR_SET_SECCOMP"},
	{23, "PR_CAPBSET_READ"}, {24, "PR_CAPBSET_DROP"}, {25, "PR_GET_TSC"}, {26, "PR_SET_TSC"},
	{27, "PR_GET_SECUREBITS"}, {28, "PR_SET_SECUREBITS"}, {29, "PR_SET_TIMERSLACK"},
	{30, "PR_GET_TIMERSLACK"}, {31, "PR_TASK_PERF_EVENTS_DISABLE"}, {32, "PR_TASK_PERF_EVENTS_ENABLE"},
	{33, "PR_MCE_KILL"}, {34, "PR_MCE_KILL_GET"}, {35, "PR_SET_MM"}, {36, "PR_SET_CHILD_SUBREAPER"},
	{37, "PR_GET_CHILD_SUBREAPER"}, {38, "PR_SET_NO_NEW_PRIVS"}, {39, "PR_GET_NO_NEW_PRIVS"},
	{40, "PR_GET_TID_ADDRESS"}, {41, "PR_SET_THP_DISABLE"}, {42, "PR_GET_THP_DISABLE"},
	{43, "PR_MPX_ENABLE_MANAGEMENT"}, {44, "PR_MPX_DISABLE_MANAGEMENT"}, {45, "PR_SET_FP_MODE"},
	{46, "PR_GET_FP_MODE"}, {47, "PR_CAP_AMBIENT"}, {50, "PR_SVE_SET_VL"}, {51, "PR_SVE_GET_VL"},
	{52, "PR_GET_SPECULATION_CTRL"}, {53, "PR_SET_SPECULATION_CTRL"}, {54, "PR_PAC_RESET_KEYS"},
	{55, "PR_SET_TAGGED_ADDR_CTRL"}, {56, "PR_GET_TAGGED_ADDR_CTRL"}, {57, "PR_SET_IO_FLUSHER"},
	{58, "PR_GET_IO_FLUSHER"}, {59, "PR_SET_SYSCALL_USER_DISPATCH"}, {60, "PR_PAC_SET_ENABLED_KEYS"},
	{61, "PR_PAC_GET_ENABLED_KEYS"}, {62, "PR_SCHED_CORE"}, {63, "PR_SME_SET_VL"}, {64, "PR_SME_GET_VL"},
	{65, "PR_SET_MDWE"}, {66, "PR_GET_MDWE"}, {67, "PR_SET_MEMORY_MERGE"}, {68, "PR_GET_MEMORY_MERGE"},
	{69, "PR_RISCV_V_SET_CONTROL"}, {70, "PR_RISCV_V_GET_CONTROL"}, {71, "PR_RISCV_SET_ICACHE_FLUSH_CTX"},
	{72, "PR_PPC_GET_DEXCR"}, {73, "PR_PPC_SET_DEXCR"}, {74, "PR_GET_SHADOW_STACK_STATUS"},
	{75, "PR_SET_SHADOW_STACK_STATUS"}, {76, "PR_LOCK_SHADOW_STACK_STATUS"},
	{77, "PR_TIMER_CREATE_RESTORE_IDS"}, {78, "PR_FUTEX_HASH"},
	{0x53564d41, "PR_SET_VMA"}, {0x59616d61, "PR_SET_PTRACER"}, {0x41555856, "PR_GET_AUXV"},
};
static const struct trace_name pr_set_mm_names[] = {
	{1, "PR_SET_MM_START_CODE"}, {2, "PR_SET_MM_END_CODE"}, {3, "PR_SET_MM_START_DATA"},
	{4, "PR_SET_MM_END_DATA"}, {5, "PR_SET_MM_START_STACK"}, {6, "PR_SET_MM_START_BRK"},
	{7, "PR_SET_MM_BRK"}, {8, "PR_SET_MM_ARG_START"}, {9, "PR_SET_MM_ARG_END"},
	{10, "PR_SET_MM_ENV_START"}, {11, "PR_SET_MM_ENV_END"}, {12, "PR_SET_MM_AUXV"},
	{13, "PR_SET_MM_EXE_FILE"}, {14, "PR_SET_MM_MAP"}, {15, "PR_SET_MM_MAP_SIZE"},
};
static const struct trace_name pr_cap_ambient_names[] = {
	{1, "PR_CAP_AMBIENT_IS_SET"}, {2, "PR_CAP_AMBIENT_RAISE"}, {3, "PR_CAP_AMBIENT_LOWER"},
	{4, "PR_CAP_AMBIENT_CLEAR_ALL"},
};
static const struct trace_name pr_dumpable_names[] = {
	{0, "SUID_DUMP_DISABLE"}, {1, "SUID_DUMP_USER"}, {2, "SUID_DUMP_ROOT"},
};
static const struct trace_name pr_seccomp_names[] = {
	{0, "SECCOMP_MODE_DISABLED"}, {1, "SECCOMP_MODE_STRICT"}, {2, "SECCOMP_MODE_FILTER"},
};
static const struct trace_name pr_securebits_names[] = {
	{1, "SECBIT_NOROOT"}, {2, "SECBIT_NOROOT_LOCKED"}, {4, "SECBIT_NO_SETUID_FIXUP"},
	{8, "SECBIT_NO_SETUID_FIXUP_LOCKED"}, {16, "SECBIT_KEEP_CAPS"}, {32, "SECBIT_KEEP_CAPS_LOCKED"},
	{64, "SECBIT_NO_CAP_AMBIENT_RAISE"}, {128, "SECBIT_NO_CAP_AMBIENT_RAISE_LOCKED"},
};
static const struct trace_name pr_spec_names[] = {
	{0, "PR_SPEC_STORE_BYPASS"}, {1, "PR_SPEC_INDIRECT_BRANCH"}, {2, "PR_SPEC_L1D_FLUSH"},
};
static const struct trace_name pr_spec_ctrl_names[] = {
	{1, "PR_SPEC_PRCTL"}, {2, "PR_SPEC_ENABLE"}, {4, "PR_SPEC_DISABLE"}, {8, "PR_SPEC_FORCE_DISABLE"},
	{16, "PR_SPEC_DISABLE_NOEXEC"},
};
static const struct trace_name pr_vma_names[] = { {0, "PR_SET_VMA_ANON_NAME"} };
static const struct trace_name cap_names[] = {
	{0, "CAP_CHOWN"}, {1, "CAP_DAC_OVERRIDE"}, {2, "CAP_DAC_READ_SEARCH"}, {3, "CAP_FOWNER"},
	{4, "CAP_FSETID"}, {5, "CAP_KILL"}, {6, "CAP_SETGID"}, {7, "CAP_SETUID"}, {8, "CAP_SETPCAP"},
	{9, "CAP_LINUX_IMMUTABLE"}, {10, "CAP_NET_BIND_SERVICE"}, {11, "CAP_NET_BROADCAST"},
	{12, "CAP_NET_ADMIN"}, {13, "CAP_NET_RAW"}, {14, "CAP_IPC_LOCK"}, {15, "CAP_IPC_OWNER"},
	{16, "CAP_SYS_MODULE"}, {17, "CAP_SYS_RAWIO"}, {18, "CAP_SYS_CHROOT"}, {19, "CAP_SYS_PTRACE"},
	{20, "CAP_SYS_PACCT"}, {21, "CAP_SYS_ADMIN"}, {22, "CAP_SYS_BOOT"}, {23, "CAP_SYS_NICE"},
	{24, "CAP_SYS_RESOURCE"}, {25, "CAP_SYS_TIME"}, {26, "CAP_SYS_TTY_CONFIG"}, {27, "CAP_MKNOD"},
	{28, "CAP_LEASE"}, {29, "CAP_AUDIT_WRITE"}, {30, "CAP_AUDIT_CONTROL"}, {31, "CAP_SETFCAP"},
	{32, "CAP_MAC_OVERRIDE"}, {33, "CAP_MAC_ADMIN"}, {34, "CAP_SYSLOG"}, {35, "CAP_WAKE_ALARM"},
	{36, "CAP_BLOCK_SUSPEND"}, {37, "CAP_AUDIT_READ"}, {38, "CAP_PERFMON"}, {39, "CAP_BPF"},
	{40, "CAP_CHECKPOINT_RESTORE"},
};
static const struct trace_name capver_names[] = {
	{0x19980330, "_LINUX_CAPABILITY_VERSION_1"}, {0x20071026, "_LINUX_CAPABILITY_VERSION_2"},
	{0x20080522, "_LINUX_CAPABILITY_VERSION_3"},
};
static const struct trace_name ptrace_names[] = {
	{0, "PTRACE_TRACEME"}, {1, "PTRACE_PEEKTEXT"}, {2, "PTRACE_PEEKDATA"}, {3, "PTRACE_PEEKUSER"},
	{4, "PTRACE_POKETEXT"}, {5, "PTRACE_POKEDATA"}, {6, "PTRACE_POKEUSER"}, {7, "PTRACE_CONT"},
	{8, "PTRACE_KILL"}, {9, "PTRACE_SINGLESTEP"}, {12, "PTRACE_GETREGS"}, {13, "PTRACE_SETREGS"},
	{14, "PTRACE_GETFPREGS"}, {15, "PTRACE_SETFPREGS"}, {16, "PTRACE_ATTACH"}, {17, "PTRACE_DETACH"},
	{18, "PTRACE_GETFPXREGS"}, {19, "PTRACE_SETFPXREGS"}, {21, "PTRACE_OLDSETOPTIONS"}, {24, "PTRACE_SYSCALL"},
	{25, "PTRACE_GET_THREAD_AREA"}, {26, "PTRACE_SET_THREAD_AREA"}, {30, "PTRACE_ARCH_PRCTL"},
	{31, "PTRACE_SYSEMU"}, {32, "PTRACE_SYSEMU_SINGLESTEP"}, {33, "PTRACE_SINGLEBLOCK"},
	{0x4200, "PTRACE_SETOPTIONS"}, {0x4201, "PTRACE_GETEVENTMSG"}, {0x4202, "PTRACE_GETSIGINFO"},
	{0x4203, "PTRACE_SETSIGINFO"}, {0x4204, "PTRACE_GETREGSET"}, {0x4205, "PTRACE_SETREGSET"},
	{0x4206, "PTRACE_SEIZE"}, {0x4207, "PTRACE_INTERRUPT"}, {0x4208, "PTRACE_LISTEN"},
	{0x4209, "PTRACE_PEEKSIGINFO"}, {0x420a, "PTRACE_GETSIGMASK"}, {0x420b, "PTRACE_SETSIGMASK"},
	{0x420c, "PTRACE_SECCOMP_GET_FILTER"}, {0x420d, "PTRACE_SECCOMP_GET_METADATA"},
	{0x420e, "PTRACE_GET_SYSCALL_INFO"}, {0x420f, "PTRACE_GET_RSEQ_CONFIGURATION"},
	{0x4210, "PTRACE_SET_SYSCALL_USER_DISPATCH_CONFIG"}, {0x4211, "PTRACE_GET_SYSCALL_USER_DISPATCH_CONFIG"},
	{0x4212, "PTRACE_SET_SYSCALL_INFO"},
};
static const struct trace_name ptrace_opt_names[] = {
	{1, "PTRACE_O_TRACESYSGOOD"}, {2, "PTRACE_O_TRACEFORK"}, {4, "PTRACE_O_TRACEVFORK"},
	{8, "PTRACE_O_TRACECLONE"}, {0x10, "PTRACE_O_TRACEEXEC"}, {0x20, "PTRACE_O_TRACEVFORKDONE"},
	{0x40, "PTRACE_O_TRACEEXIT"}, {0x80, "PTRACE_O_TRACESECCOMP"}, {0x100000, "PTRACE_O_EXITKILL"},
	{0x200000, "PTRACE_O_SUSPEND_SECCOMP"},
};
static const struct trace_name regset_names[] = {
	{1, "NT_PRSTATUS"}, {2, "NT_FPREGSET"}, {3, "NT_PRPSINFO"}, {6, "NT_AUXV"}, {0x202, "NT_X86_XSTATE"},
	{0x401, "NT_ARM_TLS"}, {0x404, "NT_ARM_SYSTEM_CALL"}, {0x402, "NT_ARM_HW_BREAK"}, {0x403, "NT_ARM_HW_WATCH"},
};
static const struct trace_name kcmp_names[] = {
	{0, "KCMP_FILE"}, {1, "KCMP_VM"}, {2, "KCMP_FILES"}, {3, "KCMP_FS"}, {4, "KCMP_SIGHAND"},
	{5, "KCMP_IO"}, {6, "KCMP_SYSVSEM"}, {7, "KCMP_EPOLL_TFD"},
};
static const struct trace_name pidfd_open_names[] = { {04000, "PIDFD_NONBLOCK"}, {0200, "PIDFD_THREAD"} };
static const struct trace_name pidfd_signal_names[] = {
	{1, "PIDFD_SIGNAL_THREAD"}, {2, "PIDFD_SIGNAL_THREAD_GROUP"}, {4, "PIDFD_SIGNAL_PROCESS_GROUP"},
};
static const struct trace_name prio_names[] = { X(PRIO_PROCESS), X(PRIO_PGRP), X(PRIO_USER) };
static const struct trace_name ioprio_who_names[] = {
	{1, "IOPRIO_WHO_PROCESS"}, {2, "IOPRIO_WHO_PGRP"}, {3, "IOPRIO_WHO_USER"},
};
static const struct trace_name ioprio_class_names[] = {
	{0, "IOPRIO_CLASS_NONE"}, {1, "IOPRIO_CLASS_RT"}, {2, "IOPRIO_CLASS_BE"}, {3, "IOPRIO_CLASS_IDLE"},
};
static const struct trace_name sched_names[] = {
	{0, "SCHED_OTHER"}, {1, "SCHED_FIFO"}, {2, "SCHED_RR"}, {3, "SCHED_BATCH"}, {4, "SCHED_ISO"},
	{5, "SCHED_IDLE"}, {6, "SCHED_DEADLINE"}, {7, "SCHED_EXT"},
};
static const struct trace_name sched_flag_names[] = {
	{1, "SCHED_FLAG_RESET_ON_FORK"}, {2, "SCHED_FLAG_RECLAIM"}, {4, "SCHED_FLAG_DL_OVERRUN"},
	{8, "SCHED_FLAG_KEEP_POLICY"}, {0x10, "SCHED_FLAG_KEEP_PARAMS"}, {0x20, "SCHED_FLAG_UTIL_CLAMP_MIN"},
	{0x40, "SCHED_FLAG_UTIL_CLAMP_MAX"},
};
static const struct trace_name rlimit_names[] = {
	X(RLIMIT_CPU), X(RLIMIT_FSIZE), X(RLIMIT_DATA), X(RLIMIT_STACK), X(RLIMIT_CORE), X(RLIMIT_RSS),
	X(RLIMIT_NPROC), X(RLIMIT_NOFILE), X(RLIMIT_MEMLOCK), X(RLIMIT_AS), X(RLIMIT_LOCKS),
	X(RLIMIT_SIGPENDING), X(RLIMIT_MSGQUEUE), X(RLIMIT_NICE), X(RLIMIT_RTPRIO), X(RLIMIT_RTTIME),
};
static const struct trace_name rusage_names[] = {
	X(RUSAGE_SELF), {0xffffffff, "RUSAGE_CHILDREN"}, {0xfffffffe, "RUSAGE_BOTH"}, X(RUSAGE_THREAD),
};
static const struct trace_name membarrier_names[] = {
	{0, "MEMBARRIER_CMD_QUERY"}, {1, "MEMBARRIER_CMD_GLOBAL"}, {2, "MEMBARRIER_CMD_GLOBAL_EXPEDITED"},
	{4, "MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED"}, {8, "MEMBARRIER_CMD_PRIVATE_EXPEDITED"},
	{16, "MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED"}, {32, "MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE"},
	{64, "MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_SYNC_CORE"},
	{128, "MEMBARRIER_CMD_PRIVATE_EXPEDITED_RSEQ"}, {256, "MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_RSEQ"},
	{512, "MEMBARRIER_CMD_GET_REGISTRATIONS"},
};
static const struct trace_name membarrier_flag_names[] = { {1, "MEMBARRIER_CMD_FLAG_CPU"} };
static const struct trace_name seccomp_names[] = {
	{0, "SECCOMP_SET_MODE_STRICT"}, {1, "SECCOMP_SET_MODE_FILTER"}, {2, "SECCOMP_GET_ACTION_AVAIL"},
	{3, "SECCOMP_GET_NOTIF_SIZES"},
};
static const struct trace_name seccomp_flag_names[] = {
	{1, "SECCOMP_FILTER_FLAG_TSYNC"}, {2, "SECCOMP_FILTER_FLAG_LOG"}, {4, "SECCOMP_FILTER_FLAG_SPEC_ALLOW"},
	{8, "SECCOMP_FILTER_FLAG_NEW_LISTENER"}, {16, "SECCOMP_FILTER_FLAG_TSYNC_ESRCH"},
	{32, "SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV"},
};
static const struct trace_name seccomp_action_names[] = {
	{0, "SECCOMP_RET_KILL_THREAD"}, {0x80000000, "SECCOMP_RET_KILL_PROCESS"}, {0x30000, "SECCOMP_RET_TRAP"},
	{0x50000, "SECCOMP_RET_ERRNO"}, {0x7fc00000, "SECCOMP_RET_USER_NOTIF"}, {0x7ff00000, "SECCOMP_RET_TRACE"},
	{0x7ffc0000, "SECCOMP_RET_LOG"}, {0x7fff0000, "SECCOMP_RET_ALLOW"},
};
static const struct trace_name futex_names[] = {
	{0, "FUTEX_WAIT"}, {1, "FUTEX_WAKE"}, {2, "FUTEX_FD"}, {3, "FUTEX_REQUEUE"}, {4, "FUTEX_CMP_REQUEUE"},
	{5, "FUTEX_WAKE_OP"}, {6, "FUTEX_LOCK_PI"}, {7, "FUTEX_UNLOCK_PI"}, {8, "FUTEX_TRYLOCK_PI"},
	{9, "FUTEX_WAIT_BITSET"}, {10, "FUTEX_WAKE_BITSET"}, {11, "FUTEX_WAIT_REQUEUE_PI"},
	{12, "FUTEX_CMP_REQUEUE_PI"}, {13, "FUTEX_LOCK_PI2"},
};
static const struct trace_name futex2_names[] = {
	{0, "FUTEX2_SIZE_U8"}, {1, "FUTEX2_SIZE_U16"}, {2, "FUTEX2_SIZE_U32"}, {3, "FUTEX2_SIZE_U64"},
	{4, "FUTEX2_NUMA"}, {8, "FUTEX2_MPOL"}, {128, "FUTEX2_PRIVATE"},
};
static const struct trace_name sigmask_names[] = { X(SIG_BLOCK), X(SIG_UNBLOCK), X(SIG_SETMASK) };
static const struct trace_name sa_names[] = {
	{0x04000000, "SA_RESTORER"}, {0x08000000, "SA_ONSTACK"}, {0x10000000, "SA_RESTART"},
	{0x40000000, "SA_NODEFER"}, {0x80000000, "SA_RESETHAND"}, {1, "SA_NOCLDSTOP"}, {2, "SA_NOCLDWAIT"},
	{4, "SA_SIGINFO"}, {0x400, "SA_UNSUPPORTED"}, {0x800, "SA_EXPOSE_TAGBITS"},
};
static const struct trace_name ss_names[] = { {1, "SS_ONSTACK"}, {2, "SS_DISABLE"}, {0x80000000, "SS_AUTODISARM"} };
static const struct trace_name si_code_names[] = {
	{0, "SI_USER"}, {0x80, "SI_KERNEL"}, {(u32)-1, "SI_QUEUE"}, {(u32)-2, "SI_TIMER"}, {(u32)-3, "SI_MESGQ"},
	{(u32)-4, "SI_ASYNCIO"}, {(u32)-5, "SI_SIGIO"}, {(u32)-6, "SI_TKILL"}, {(u32)-7, "SI_DETHREAD"},
	{(u32)-60, "SI_ASYNCNL"},
};
static const struct trace_name si_chld_names[] = {
	{1, "CLD_EXITED"}, {2, "CLD_KILLED"}, {3, "CLD_DUMPED"}, {4, "CLD_TRAPPED"}, {5, "CLD_STOPPED"}, {6, "CLD_CONTINUED"},
};
static const struct trace_name si_segv_names[] = {
	{1, "SEGV_MAPERR"}, {2, "SEGV_ACCERR"}, {3, "SEGV_BNDERR"}, {4, "SEGV_PKUERR"}, {5, "SEGV_ACCADI"},
	{8, "SEGV_MTEAERR"}, {9, "SEGV_MTESERR"}, {10, "SEGV_CPERR"},
};
static const struct trace_name si_bus_names[] = {
	{1, "BUS_ADRALN"}, {2, "BUS_ADRERR"}, {3, "BUS_OBJERR"}, {4, "BUS_MCEERR_AR"}, {5, "BUS_MCEERR_AO"},
};
static const struct trace_name si_fpe_names[] = {
	{1, "FPE_INTDIV"}, {2, "FPE_INTOVF"}, {3, "FPE_FLTDIV"}, {4, "FPE_FLTOVF"}, {5, "FPE_FLTUND"},
	{6, "FPE_FLTRES"}, {7, "FPE_FLTINV"}, {8, "FPE_FLTSUB"},
};
static const struct trace_name si_ill_names[] = {
	{1, "ILL_ILLOPC"}, {2, "ILL_ILLOPN"}, {3, "ILL_ILLADR"}, {4, "ILL_ILLTRP"}, {5, "ILL_PRVOPC"},
	{6, "ILL_PRVREG"}, {7, "ILL_COPROC"}, {8, "ILL_BADSTK"},
};
static const struct trace_name si_trap_names[] = {
	{1, "TRAP_BRKPT"}, {2, "TRAP_TRACE"}, {3, "TRAP_BRANCH"}, {4, "TRAP_HWBKPT"}, {5, "TRAP_UNK"}, {6, "TRAP_PERF"},
};
static const struct trace_name si_sys_names[] = { {1, "SYS_SECCOMP"}, {2, "SYS_USER_DISPATCH"} };
static const struct trace_name clockid_names[] = {
	{0, "CLOCK_REALTIME"}, {1, "CLOCK_MONOTONIC"}, {2, "CLOCK_PROCESS_CPUTIME_ID"},
	{3, "CLOCK_THREAD_CPUTIME_ID"}, {4, "CLOCK_MONOTONIC_RAW"}, {5, "CLOCK_REALTIME_COARSE"},
	{6, "CLOCK_MONOTONIC_COARSE"}, {7, "CLOCK_BOOTTIME"}, {8, "CLOCK_REALTIME_ALARM"},
	{9, "CLOCK_BOOTTIME_ALARM"}, {10, "CLOCK_SGI_CYCLE"}, {11, "CLOCK_TAI"},
};
static const struct trace_name timer_names[] = { {1, "TIMER_ABSTIME"} };
static const struct trace_name itimer_names[] = { {0, "ITIMER_REAL"}, {1, "ITIMER_VIRTUAL"}, {2, "ITIMER_PROF"} };
static const struct trace_name sigev_names[] = {
	{0, "SIGEV_SIGNAL"}, {1, "SIGEV_NONE"}, {2, "SIGEV_THREAD"}, {4, "SIGEV_THREAD_ID"},
};
static const struct trace_name adjtimex_names[] = {
	{1, "ADJ_OFFSET"}, {2, "ADJ_FREQUENCY"}, {4, "ADJ_MAXERROR"}, {8, "ADJ_ESTERROR"}, {0x10, "ADJ_STATUS"},
	{0x20, "ADJ_TIMECONST"}, {0x80, "ADJ_TAI"}, {0x100, "ADJ_SETOFFSET"}, {0x1000, "ADJ_MICRO"},
	{0x2000, "ADJ_NANO"}, {0x4000, "ADJ_TICK"},
};
static const struct trace_name time_state_names[] = {
	{0, "TIME_OK"}, {1, "TIME_INS"}, {2, "TIME_DEL"}, {3, "TIME_OOP"}, {4, "TIME_WAIT"}, {5, "TIME_ERROR"},
};
static const struct trace_name timex_status_names[] = {
	{1, "STA_PLL"}, {2, "STA_PPSFREQ"}, {4, "STA_PPSTIME"}, {8, "STA_FLL"}, {0x10, "STA_INS"}, {0x20, "STA_DEL"},
	{0x40, "STA_UNSYNC"}, {0x80, "STA_FREQHOLD"}, {0x100, "STA_PPSSIGNAL"}, {0x200, "STA_PPSJITTER"},
	{0x400, "STA_PPSWANDER"}, {0x800, "STA_PPSERROR"}, {0x1000, "STA_CLOCKERR"}, {0x2000, "STA_NANO"},
	{0x4000, "STA_MODE"}, {0x8000, "STA_CLK"},
};
static const struct trace_name mpol_names[] = {
	{0, "MPOL_DEFAULT"}, {1, "MPOL_PREFERRED"}, {2, "MPOL_BIND"}, {3, "MPOL_INTERLEAVE"}, {4, "MPOL_LOCAL"},
	{5, "MPOL_PREFERRED_MANY"}, {6, "MPOL_WEIGHTED_INTERLEAVE"},
};
static const struct trace_name mbind_names[] = {
	{1, "MPOL_MF_STRICT"}, {2, "MPOL_MF_MOVE"}, {4, "MPOL_MF_MOVE_ALL"},
};
static const struct trace_name get_mempolicy_names[] = {
	{1, "MPOL_F_NODE"}, {2, "MPOL_F_ADDR"}, {4, "MPOL_F_MEMS_ALLOWED"},
};
static const struct trace_name shmget_names[] = {
	{01000, "IPC_CREAT"}, {02000, "IPC_EXCL"}, {04000, "SHM_HUGETLB"}, {010000, "SHM_NORESERVE"},
	{0x54000000, "21<<SHM_HUGE_SHIFT"}, {0x78000000, "30<<SHM_HUGE_SHIFT"},
};
static const struct trace_name ipcget_names[] = { {01000, "IPC_CREAT"}, {02000, "IPC_EXCL"}, {04000, "IPC_NOWAIT"} };
static const struct trace_name ipckey_names[] = { {0, "IPC_PRIVATE"} };
static const struct trace_name shmat_names[] = {
	{010000, "SHM_RDONLY"}, {020000, "SHM_RND"}, {040000, "SHM_REMAP"}, {0100000, "SHM_EXEC"},
};
static const struct trace_name shmctl_names[] = {
	{0, "IPC_RMID"}, {1, "IPC_SET"}, {2, "IPC_STAT"}, {3, "IPC_INFO"}, {11, "SHM_LOCK"}, {12, "SHM_UNLOCK"},
	{13, "SHM_STAT"}, {14, "SHM_INFO"}, {15, "SHM_STAT_ANY"},
	{0x100, "IPC_64|IPC_RMID"}, {0x101, "IPC_64|IPC_SET"}, {0x102, "IPC_64|IPC_STAT"},
};
static const struct trace_name semctl_names[] = {
	{0, "IPC_RMID"}, {1, "IPC_SET"}, {2, "IPC_STAT"}, {3, "IPC_INFO"}, {11, "GETPID"}, {12, "GETVAL"},
	{13, "GETALL"}, {14, "GETNCNT"}, {15, "GETZCNT"}, {16, "SETVAL"}, {17, "SETALL"}, {18, "SEM_STAT"},
	{19, "SEM_INFO"}, {20, "SEM_STAT_ANY"},
};
static const struct trace_name msgctl_names[] = {
	{0, "IPC_RMID"}, {1, "IPC_SET"}, {2, "IPC_STAT"}, {3, "IPC_INFO"}, {11, "MSG_STAT"}, {12, "MSG_INFO"},
	{13, "MSG_STAT_ANY"},
};
static const struct trace_name msgflg_names[] = {
	{04000, "IPC_NOWAIT"}, {010000, "MSG_NOERROR"}, {020000, "MSG_EXCEPT"}, {040000, "MSG_COPY"},
};
static const struct trace_name semop_names[] = { {04000, "IPC_NOWAIT"}, {010000, "SEM_UNDO"} };
static const struct trace_name ipccall_names[] = {
	{1, "SEMOP"}, {2, "SEMGET"}, {3, "SEMCTL"}, {4, "SEMTIMEDOP"}, {11, "MSGSND"}, {12, "MSGRCV"}, {13, "MSGGET"},
	{14, "MSGCTL"}, {21, "SHMAT"}, {22, "SHMDT"}, {23, "SHMGET"}, {24, "SHMCTL"},
};
static const struct trace_name personality_names[] = {
	{0, "PER_LINUX"}, {8, "PER_LINUX32"}, {0x0003, "PER_SVR3"}, {0x0006, "PER_BSD"},
};
static const struct trace_name personality_flag_names[] = {
	{0x0020000, "UNAME26"}, {0x0040000, "ADDR_NO_RANDOMIZE"}, {0x0080000, "FDPIC_FUNCPTRS"},
	{0x0100000, "MMAP_PAGE_ZERO"}, {0x0200000, "ADDR_COMPAT_LAYOUT"}, {0x0400000, "READ_IMPLIES_EXEC"},
	{0x0800000, "ADDR_LIMIT_32BIT"}, {0x1000000, "SHORT_INODE"}, {0x2000000, "WHOLE_SECONDS"},
	{0x4000000, "STICKY_TIMEOUTS"}, {0x8000000, "ADDR_LIMIT_3GB"},
};

static const struct trace_set sets[] = {
	SET(mmap_prot, "PROT_", .zero = "PROT_NONE"), SET(mmap, "MAP_", .mask = 0xfc00000f, .zero = "MAP_FILE"), SET(mremap, "MREMAP_"),
	SET(madvise, "MADV_", .unknown = "MADV_???"), SET(msync, "MS_"), SET(mlockall, "MCL_"), SET(mlock2, "MLOCK_"),
	SET(pkey, "PKEY_"), SET(shadow_stack, "SHADOW_STACK_"), SET(clone, "CLONE_"), SET(unshare, "CLONE_"),
	SET(setns, "CLONE_"), SET(wait, ""), SET(waitid, "P_"), SET(rseq, "RSEQ_FLAG_"), SET(arch_prctl, "ARCH_", .unknown = "ARCH_???"),
	SET(prctl, "PR_", .unknown = "PR_???"), SET(pr_set_mm, "PR_SET_MM_"), SET(pr_cap_ambient, "PR_CAP_AMBIENT_"),
	SET(pr_dumpable, "SUID_DUMP_"), SET(pr_seccomp, "SECCOMP_MODE_"), SET(pr_securebits, "SECBIT_"),
	SET(pr_spec, "PR_SPEC_"), SET(pr_spec_ctrl, "PR_SPEC_"), SET(pr_vma, "PR_SET_VMA_"), SET(cap, "CAP_", .unknown = "CAP_???"), SET(capver, "_LINUX_CAPABILITY_"),
	SET(ptrace, "PTRACE_", .unknown = "PTRACE_???"), SET(ptrace_opt, "PTRACE_O_"), SET(regset, "NT_"), SET(kcmp, "KCMP_"),
	SET(pidfd_open, "PIDFD_"), SET(pidfd_signal, "PIDFD_SIGNAL_"), SET(prio, "PRIO_"), SET(ioprio_who, "IOPRIO_WHO_"),
	SET(ioprio_class, "IOPRIO_CLASS_"), SET(sched, "SCHED_", .unknown = "SCHED_???"), SET(sched_flag, "SCHED_FLAG_"),
	SET(rlimit, "RLIMIT_", .unknown = "RLIMIT_???"), SET(rusage, "RUSAGE_"), SET(membarrier, "MEMBARRIER_CMD_"),
	{.id = "membarrier_flag", .prefix = "MEMBARRIER_CMD_FLAG_", .names = membarrier_flag_names, .nr = ARRAY_SIZE(membarrier_flag_names)},
	SET(seccomp, "SECCOMP_"), SET(seccomp_flag, "SECCOMP_FILTER_FLAG_"), SET(seccomp_action, "SECCOMP_RET_"),
	SET(futex, "FUTEX_"), SET(futex2, "FUTEX2_", .mask = 3), SET(sigmask, "SIG_", .unknown = "SIG_???"), SET(sa, "SA_"), SET(ss, "SS_"),
	SET(si_code, "SI_"), SET(si_chld, ""), SET(si_segv, ""), SET(si_bus, ""), SET(si_fpe, ""), SET(si_ill, ""), SET(si_trap, ""),
	SET(si_sys, ""), SET(clockid, "CLOCK_"), SET(timer, "TIMER_"), SET(itimer, "ITIMER_"), SET(sigev, "SIGEV_"),
	SET(adjtimex, "ADJ_"), SET(timex_status, "STA_"), SET(time_state, "TIME_"), SET(mpol, "MPOL_"), SET(mbind, "MPOL_MF_"), SET(get_mempolicy, "MPOL_F_"),
	SET(shmget, "", .octal = true), SET(ipcget, "IPC_", .octal = true), SET(ipckey, "IPC_"), SET(shmat, "SHM_"), SET(shmctl, ""), SET(semctl, ""), SET(msgctl, ""), SET(msgflg, ""),
	SET(semop, ""), SET(ipccall, ""), SET(personality, "PER_"), SET(personality_flag, ""),
};
/* clang-format on */

const struct trace_set_list trace_sets_task = {sets, ARRAY_SIZE(sets)};
