// SPDX-License-Identifier: GPL-2.0-only
/* Names for calls on the machine, security, tracing and keys. */
#include "trace/set.h"

/* clang-format off */
static const struct trace_name syslog_names[] = {
	{0, "SYSLOG_ACTION_CLOSE"}, {1, "SYSLOG_ACTION_OPEN"}, {2, "SYSLOG_ACTION_READ"}, {3, "SYSLOG_ACTION_READ_ALL"},
	{4, "SYSLOG_ACTION_READ_CLEAR"}, {5, "SYSLOG_ACTION_CLEAR"}, {6, "SYSLOG_ACTION_CONSOLE_OFF"},
	{7, "SYSLOG_ACTION_CONSOLE_ON"}, {8, "SYSLOG_ACTION_CONSOLE_LEVEL"}, {9, "SYSLOG_ACTION_SIZE_UNREAD"},
	{10, "SYSLOG_ACTION_SIZE_BUFFER"},
};
static const struct trace_name getrandom_names[] = { {1, "GRND_NONBLOCK"}, {2, "GRND_RANDOM"}, {4, "GRND_INSECURE"} };
static const struct trace_name reboot_names[] = {
	{0x01234567, "LINUX_REBOOT_CMD_RESTART"}, {0xcdef0123, "LINUX_REBOOT_CMD_HALT"}, {0x89abcdef, "LINUX_REBOOT_CMD_CAD_ON"},
	{0, "LINUX_REBOOT_CMD_CAD_OFF"}, {0x4321fedc, "LINUX_REBOOT_CMD_POWER_OFF"}, {0xa1b2c3d4, "LINUX_REBOOT_CMD_RESTART2"},
	{0xd000fce2, "LINUX_REBOOT_CMD_SW_SUSPEND"}, {0x45584543, "LINUX_REBOOT_CMD_KEXEC"},
};
static const struct trace_name reboot_magic_names[] = {
	{0xfee1dead, "LINUX_REBOOT_MAGIC1"}, {672274793, "LINUX_REBOOT_MAGIC2"}, {85072278, "LINUX_REBOOT_MAGIC2A"},
	{369367448, "LINUX_REBOOT_MAGIC2B"}, {537993216, "LINUX_REBOOT_MAGIC2C"},
};
static const struct trace_name finit_module_names[] = {
	{1, "MODULE_INIT_IGNORE_MODVERSIONS"}, {2, "MODULE_INIT_IGNORE_VERMAGIC"}, {4, "MODULE_INIT_COMPRESSED_FILE"},
};
static const struct trace_name delete_module_names[] = { {04000, "O_NONBLOCK"}, {01000, "O_TRUNC"} };
static const struct trace_name kexec_names[] = {
	{1, "KEXEC_ON_CRASH"}, {2, "KEXEC_PRESERVE_CONTEXT"}, {4, "KEXEC_UPDATE_ELFCOREHDR"}, {0x3e0000, "KEXEC_ARCH_X86_64"},
	{0x30000, "KEXEC_ARCH_386"}, {0xb70000, "KEXEC_ARCH_AARCH64"},
};
static const struct trace_name kexec_file_names[] = {
	{1, "KEXEC_FILE_UNLOAD"}, {2, "KEXEC_FILE_ON_CRASH"}, {4, "KEXEC_FILE_NO_INITRAMFS"}, {8, "KEXEC_FILE_DEBUG"},
};
static const struct trace_name perf_flag_names[] = {
	{1, "PERF_FLAG_FD_NO_GROUP"}, {2, "PERF_FLAG_FD_OUTPUT"}, {4, "PERF_FLAG_PID_CGROUP"}, {8, "PERF_FLAG_FD_CLOEXEC"},
};
static const struct trace_name perf_type_names[] = {
	{0, "PERF_TYPE_HARDWARE"}, {1, "PERF_TYPE_SOFTWARE"}, {2, "PERF_TYPE_TRACEPOINT"}, {3, "PERF_TYPE_HW_CACHE"},
	{4, "PERF_TYPE_RAW"}, {5, "PERF_TYPE_BREAKPOINT"},
};
static const struct trace_name perf_sample_names[] = {
	{1, "PERF_SAMPLE_IP"}, {2, "PERF_SAMPLE_TID"}, {4, "PERF_SAMPLE_TIME"}, {8, "PERF_SAMPLE_ADDR"}, {0x10, "PERF_SAMPLE_READ"},
	{0x20, "PERF_SAMPLE_CALLCHAIN"}, {0x40, "PERF_SAMPLE_ID"}, {0x80, "PERF_SAMPLE_CPU"}, {0x100, "PERF_SAMPLE_PERIOD"},
	{0x200, "PERF_SAMPLE_STREAM_ID"}, {0x400, "PERF_SAMPLE_RAW"}, {0x800, "PERF_SAMPLE_BRANCH_STACK"},
	{0x1000, "PERF_SAMPLE_REGS_USER"}, {0x2000, "PERF_SAMPLE_STACK_USER"}, {0x4000, "PERF_SAMPLE_WEIGHT"},
	{0x8000, "PERF_SAMPLE_DATA_SRC"}, {0x10000, "PERF_SAMPLE_IDENTIFIER"}, {0x20000, "PERF_SAMPLE_TRANSACTION"},
	{0x40000, "PERF_SAMPLE_REGS_INTR"}, {0x80000, "PERF_SAMPLE_PHYS_ADDR"}, {0x100000, "PERF_SAMPLE_AUX"},
	{0x200000, "PERF_SAMPLE_CGROUP"}, {0x400000, "PERF_SAMPLE_DATA_PAGE_SIZE"}, {0x800000, "PERF_SAMPLE_CODE_PAGE_SIZE"},
	{0x1000000, "PERF_SAMPLE_WEIGHT_STRUCT"},
};
static const struct trace_name perf_format_names[] = {
	{1, "PERF_FORMAT_TOTAL_TIME_ENABLED"}, {2, "PERF_FORMAT_TOTAL_TIME_RUNNING"}, {4, "PERF_FORMAT_ID"}, {8, "PERF_FORMAT_GROUP"},
	{16, "PERF_FORMAT_LOST"},
};
static const struct trace_name perf_bits_names[] = {
	{1ULL << 0, "disabled"}, {1ULL << 1, "inherit"}, {1ULL << 2, "pinned"}, {1ULL << 3, "exclusive"}, {1ULL << 4, "exclude_user"},
	{1ULL << 5, "exclude_kernel"}, {1ULL << 6, "exclude_hv"}, {1ULL << 7, "exclude_idle"}, {1ULL << 8, "mmap"}, {1ULL << 9, "comm"},
	{1ULL << 10, "freq"}, {1ULL << 11, "inherit_stat"}, {1ULL << 12, "enable_on_exec"}, {1ULL << 13, "task"}, {1ULL << 14, "watermark"},
	{1ULL << 15, "precise_ip=1"}, {1ULL << 16, "precise_ip=2"}, {3ULL << 15, "precise_ip=3"}, {1ULL << 17, "mmap_data"},
	{1ULL << 18, "sample_id_all"}, {1ULL << 19, "exclude_host"}, {1ULL << 20, "exclude_guest"}, {1ULL << 21, "exclude_callchain_kernel"},
	{1ULL << 22, "exclude_callchain_user"}, {1ULL << 23, "mmap2"}, {1ULL << 24, "comm_exec"}, {1ULL << 25, "use_clockid"},
	{1ULL << 26, "context_switch"}, {1ULL << 27, "write_backward"}, {1ULL << 28, "namespaces"}, {1ULL << 29, "ksymbol"},
	{1ULL << 30, "bpf_event"}, {1ULL << 31, "aux_output"}, {1ULL << 32, "cgroup"}, {1ULL << 33, "text_poke"}, {1ULL << 34, "build_id"},
	{1ULL << 35, "inherit_thread"}, {1ULL << 36, "remove_on_exec"}, {1ULL << 37, "sigtrap"},
};
static const struct trace_name perf_hw_names[] = {
	{0, "PERF_COUNT_HW_CPU_CYCLES"}, {1, "PERF_COUNT_HW_INSTRUCTIONS"}, {2, "PERF_COUNT_HW_CACHE_REFERENCES"},
	{3, "PERF_COUNT_HW_CACHE_MISSES"}, {4, "PERF_COUNT_HW_BRANCH_INSTRUCTIONS"}, {5, "PERF_COUNT_HW_BRANCH_MISSES"},
	{6, "PERF_COUNT_HW_BUS_CYCLES"}, {7, "PERF_COUNT_HW_STALLED_CYCLES_FRONTEND"}, {8, "PERF_COUNT_HW_STALLED_CYCLES_BACKEND"},
	{9, "PERF_COUNT_HW_REF_CPU_CYCLES"},
};
static const struct trace_name perf_sw_names[] = {
	{0, "PERF_COUNT_SW_CPU_CLOCK"}, {1, "PERF_COUNT_SW_TASK_CLOCK"}, {2, "PERF_COUNT_SW_PAGE_FAULTS"},
	{3, "PERF_COUNT_SW_CONTEXT_SWITCHES"}, {4, "PERF_COUNT_SW_CPU_MIGRATIONS"}, {5, "PERF_COUNT_SW_PAGE_FAULTS_MIN"},
	{6, "PERF_COUNT_SW_PAGE_FAULTS_MAJ"}, {7, "PERF_COUNT_SW_ALIGNMENT_FAULTS"}, {8, "PERF_COUNT_SW_EMULATION_FAULTS"},
	{9, "PERF_COUNT_SW_DUMMY"}, {10, "PERF_COUNT_SW_BPF_OUTPUT"}, {11, "PERF_COUNT_SW_CGROUP_SWITCHES"},
};
static const struct trace_name bpf_names[] = {
	{0, "BPF_MAP_CREATE"}, {1, "BPF_MAP_LOOKUP_ELEM"}, {2, "BPF_MAP_UPDATE_ELEM"}, {3, "BPF_MAP_DELETE_ELEM"},
	{4, "BPF_MAP_GET_NEXT_KEY"}, {5, "BPF_PROG_LOAD"}, {6, "BPF_OBJ_PIN"}, {7, "BPF_OBJ_GET"}, {8, "BPF_PROG_ATTACH"},
	{9, "BPF_PROG_DETACH"}, {10, "BPF_PROG_TEST_RUN"}, {11, "BPF_PROG_GET_NEXT_ID"}, {12, "BPF_MAP_GET_NEXT_ID"},
	{13, "BPF_PROG_GET_FD_BY_ID"}, {14, "BPF_MAP_GET_FD_BY_ID"}, {15, "BPF_OBJ_GET_INFO_BY_FD"}, {16, "BPF_PROG_QUERY"},
	{17, "BPF_RAW_TRACEPOINT_OPEN"}, {18, "BPF_BTF_LOAD"}, {19, "BPF_BTF_GET_FD_BY_ID"}, {20, "BPF_TASK_FD_QUERY"},
	{21, "BPF_MAP_LOOKUP_AND_DELETE_ELEM"}, {22, "BPF_MAP_FREEZE"}, {23, "BPF_BTF_GET_NEXT_ID"}, {24, "BPF_MAP_LOOKUP_BATCH"},
	{25, "BPF_MAP_LOOKUP_AND_DELETE_BATCH"}, {26, "BPF_MAP_UPDATE_BATCH"}, {27, "BPF_MAP_DELETE_BATCH"}, {28, "BPF_LINK_CREATE"},
	{29, "BPF_LINK_UPDATE"}, {30, "BPF_LINK_GET_FD_BY_ID"}, {31, "BPF_LINK_GET_NEXT_ID"}, {32, "BPF_ENABLE_STATS"},
	{33, "BPF_ITER_CREATE"}, {34, "BPF_LINK_DETACH"}, {35, "BPF_PROG_BIND_MAP"}, {36, "BPF_TOKEN_CREATE"},
	{37, "BPF_PROG_STREAM_READ_BY_FD"},
};
static const struct trace_name bpf_map_type_names[] = {
	{0, "BPF_MAP_TYPE_UNSPEC"}, {1, "BPF_MAP_TYPE_HASH"}, {2, "BPF_MAP_TYPE_ARRAY"}, {3, "BPF_MAP_TYPE_PROG_ARRAY"},
	{4, "BPF_MAP_TYPE_PERF_EVENT_ARRAY"}, {5, "BPF_MAP_TYPE_PERCPU_HASH"}, {6, "BPF_MAP_TYPE_PERCPU_ARRAY"},
	{7, "BPF_MAP_TYPE_STACK_TRACE"}, {8, "BPF_MAP_TYPE_CGROUP_ARRAY"}, {9, "BPF_MAP_TYPE_LRU_HASH"}, {10, "BPF_MAP_TYPE_LRU_PERCPU_HASH"},
	{11, "BPF_MAP_TYPE_LPM_TRIE"}, {12, "BPF_MAP_TYPE_ARRAY_OF_MAPS"}, {13, "BPF_MAP_TYPE_HASH_OF_MAPS"}, {14, "BPF_MAP_TYPE_DEVMAP"},
	{15, "BPF_MAP_TYPE_SOCKMAP"}, {16, "BPF_MAP_TYPE_CPUMAP"}, {17, "BPF_MAP_TYPE_XSKMAP"}, {18, "BPF_MAP_TYPE_SOCKHASH"},
	{19, "BPF_MAP_TYPE_CGROUP_STORAGE"}, {20, "BPF_MAP_TYPE_REUSEPORT_SOCKARRAY"}, {21, "BPF_MAP_TYPE_PERCPU_CGROUP_STORAGE"},
	{22, "BPF_MAP_TYPE_QUEUE"}, {23, "BPF_MAP_TYPE_STACK"}, {24, "BPF_MAP_TYPE_SK_STORAGE"}, {25, "BPF_MAP_TYPE_DEVMAP_HASH"},
	{26, "BPF_MAP_TYPE_STRUCT_OPS"}, {27, "BPF_MAP_TYPE_RINGBUF"}, {28, "BPF_MAP_TYPE_INODE_STORAGE"}, {29, "BPF_MAP_TYPE_TASK_STORAGE"},
	{30, "BPF_MAP_TYPE_BLOOM_FILTER"}, {31, "BPF_MAP_TYPE_USER_RINGBUF"}, {32, "BPF_MAP_TYPE_CGRP_STORAGE"}, {33, "BPF_MAP_TYPE_ARENA"},
};
static const struct trace_name bpf_prog_type_names[] = {
	{0, "BPF_PROG_TYPE_UNSPEC"}, {1, "BPF_PROG_TYPE_SOCKET_FILTER"}, {2, "BPF_PROG_TYPE_KPROBE"}, {3, "BPF_PROG_TYPE_SCHED_CLS"},
	{4, "BPF_PROG_TYPE_SCHED_ACT"}, {5, "BPF_PROG_TYPE_TRACEPOINT"}, {6, "BPF_PROG_TYPE_XDP"}, {7, "BPF_PROG_TYPE_PERF_EVENT"},
	{8, "BPF_PROG_TYPE_CGROUP_SKB"}, {9, "BPF_PROG_TYPE_CGROUP_SOCK"}, {10, "BPF_PROG_TYPE_LWT_IN"}, {11, "BPF_PROG_TYPE_LWT_OUT"},
	{12, "BPF_PROG_TYPE_LWT_XMIT"}, {13, "BPF_PROG_TYPE_SOCK_OPS"}, {14, "BPF_PROG_TYPE_SK_SKB"}, {15, "BPF_PROG_TYPE_CGROUP_DEVICE"},
	{16, "BPF_PROG_TYPE_SK_MSG"}, {17, "BPF_PROG_TYPE_RAW_TRACEPOINT"}, {18, "BPF_PROG_TYPE_CGROUP_SOCK_ADDR"},
	{19, "BPF_PROG_TYPE_LWT_SEG6LOCAL"}, {20, "BPF_PROG_TYPE_LIRC_MODE2"}, {21, "BPF_PROG_TYPE_SK_REUSEPORT"},
	{22, "BPF_PROG_TYPE_FLOW_DISSECTOR"}, {23, "BPF_PROG_TYPE_CGROUP_SYSCTL"}, {24, "BPF_PROG_TYPE_RAW_TRACEPOINT_WRITABLE"},
	{25, "BPF_PROG_TYPE_CGROUP_SOCKOPT"}, {26, "BPF_PROG_TYPE_TRACING"}, {27, "BPF_PROG_TYPE_STRUCT_OPS"}, {28, "BPF_PROG_TYPE_EXT"},
	{29, "BPF_PROG_TYPE_LSM"}, {30, "BPF_PROG_TYPE_SK_LOOKUP"}, {31, "BPF_PROG_TYPE_SYSCALL"}, {32, "BPF_PROG_TYPE_NETFILTER"},
};
static const struct trace_name bpf_upd_names[] = { {0, "BPF_ANY"}, {1, "BPF_NOEXIST"}, {2, "BPF_EXIST"}, {4, "BPF_F_LOCK"} };
static const struct trace_name keyring_names[] = {
	{(u32)-1, "KEY_SPEC_THREAD_KEYRING"}, {(u32)-2, "KEY_SPEC_PROCESS_KEYRING"}, {(u32)-3, "KEY_SPEC_SESSION_KEYRING"},
	{(u32)-4, "KEY_SPEC_USER_KEYRING"}, {(u32)-5, "KEY_SPEC_USER_SESSION_KEYRING"}, {(u32)-6, "KEY_SPEC_GROUP_KEYRING"},
	{(u32)-7, "KEY_SPEC_REQKEY_AUTH_KEY"}, {(u32)-8, "KEY_SPEC_REQUESTOR_KEYRING"},
};
static const struct trace_name keyctl_names[] = {
	{0, "KEYCTL_GET_KEYRING_ID"}, {1, "KEYCTL_JOIN_SESSION_KEYRING"}, {2, "KEYCTL_UPDATE"}, {3, "KEYCTL_REVOKE"}, {4, "KEYCTL_CHOWN"},
	{5, "KEYCTL_SETPERM"}, {6, "KEYCTL_DESCRIBE"}, {7, "KEYCTL_CLEAR"}, {8, "KEYCTL_LINK"}, {9, "KEYCTL_UNLINK"}, {10, "KEYCTL_SEARCH"},
	{11, "KEYCTL_READ"}, {12, "KEYCTL_INSTANTIATE"}, {13, "KEYCTL_NEGATE"}, {14, "KEYCTL_SET_REQKEY_KEYRING"}, {15, "KEYCTL_SET_TIMEOUT"},
	{16, "KEYCTL_ASSUME_AUTHORITY"}, {17, "KEYCTL_GET_SECURITY"}, {18, "KEYCTL_SESSION_TO_PARENT"}, {19, "KEYCTL_REJECT"},
	{20, "KEYCTL_INSTANTIATE_IOV"}, {21, "KEYCTL_INVALIDATE"}, {22, "KEYCTL_GET_PERSISTENT"}, {23, "KEYCTL_DH_COMPUTE"},
	{24, "KEYCTL_PKEY_QUERY"}, {25, "KEYCTL_PKEY_ENCRYPT"}, {26, "KEYCTL_PKEY_DECRYPT"}, {27, "KEYCTL_PKEY_SIGN"},
	{28, "KEYCTL_PKEY_VERIFY"}, {29, "KEYCTL_RESTRICT_KEYRING"}, {30, "KEYCTL_MOVE"}, {31, "KEYCTL_CAPABILITIES"}, {32, "KEYCTL_WATCH_KEY"},
};
static const struct trace_name landlock_create_names[] = { {1, "LANDLOCK_CREATE_RULESET_VERSION"}, {2, "LANDLOCK_CREATE_RULESET_ERRATA"} };
static const struct trace_name landlock_restrict_names[] = {
	{1, "LANDLOCK_RESTRICT_SELF_LOG_SAME_EXEC_OFF"}, {2, "LANDLOCK_RESTRICT_SELF_LOG_NEW_EXEC_ON"}, {4, "LANDLOCK_RESTRICT_SELF_LOG_SUBDOMAINS_OFF"},
};
static const struct trace_name landlock_rule_names[] = { {1, "LANDLOCK_RULE_PATH_BENEATH"}, {2, "LANDLOCK_RULE_NET_PORT"} };
static const struct trace_name landlock_fs_names[] = {
	{1, "LANDLOCK_ACCESS_FS_EXECUTE"}, {2, "LANDLOCK_ACCESS_FS_WRITE_FILE"}, {4, "LANDLOCK_ACCESS_FS_READ_FILE"},
	{8, "LANDLOCK_ACCESS_FS_READ_DIR"}, {0x10, "LANDLOCK_ACCESS_FS_REMOVE_DIR"}, {0x20, "LANDLOCK_ACCESS_FS_REMOVE_FILE"},
	{0x40, "LANDLOCK_ACCESS_FS_MAKE_CHAR"}, {0x80, "LANDLOCK_ACCESS_FS_MAKE_DIR"}, {0x100, "LANDLOCK_ACCESS_FS_MAKE_REG"},
	{0x200, "LANDLOCK_ACCESS_FS_MAKE_SOCK"}, {0x400, "LANDLOCK_ACCESS_FS_MAKE_FIFO"}, {0x800, "LANDLOCK_ACCESS_FS_MAKE_BLOCK"},
	{0x1000, "LANDLOCK_ACCESS_FS_MAKE_SYM"}, {0x2000, "LANDLOCK_ACCESS_FS_REFER"}, {0x4000, "LANDLOCK_ACCESS_FS_TRUNCATE"},
	{0x8000, "LANDLOCK_ACCESS_FS_IOCTL_DEV"},
};
static const struct trace_name landlock_net_names[] = { {1, "LANDLOCK_ACCESS_NET_BIND_TCP"}, {2, "LANDLOCK_ACCESS_NET_CONNECT_TCP"} };
static const struct trace_name landlock_scope_names[] = { {1, "LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET"}, {2, "LANDLOCK_SCOPE_SIGNAL"} };
static const struct trace_name lsm_attr_names[] = {
	{100, "LSM_ATTR_CURRENT"}, {101, "LSM_ATTR_EXEC"}, {102, "LSM_ATTR_FSCREATE"}, {103, "LSM_ATTR_KEYCREATE"}, {104, "LSM_ATTR_PREV"},
	{105, "LSM_ATTR_SOCKCREATE"},
};
static const struct trace_name lsm_flag_names[] = { {1, "LSM_FLAG_SINGLE"} };

static const struct trace_name iflag_names[] = {
	{1, "IGNBRK"}, {2, "BRKINT"}, {4, "IGNPAR"}, {010, "PARMRK"}, {020, "INPCK"}, {040, "ISTRIP"}, {0100, "INLCR"}, {0200, "IGNCR"},
	{0400, "ICRNL"}, {01000, "IUCLC"}, {02000, "IXON"}, {04000, "IXANY"}, {010000, "IXOFF"}, {020000, "IMAXBEL"}, {040000, "IUTF8"},
};
static const struct trace_name oflag_names[] = {
	{1, "OPOST"}, {2, "OLCUC"}, {4, "ONLCR"}, {010, "OCRNL"}, {020, "ONOCR"}, {040, "ONLRET"}, {0100, "OFILL"}, {0200, "OFDEL"},
	{0400, "NL1"}, {014000, "TAB3"}, {04000, "TAB1"}, {010000, "TAB2"},
};
static const struct trace_name cflag_names[] = {
	{0, "B0"}, {7, "B300"}, {011, "B1200"}, {013, "B2400"}, {014, "B4800"}, {015, "B9600"}, {016, "B19200"}, {017, "B38400"},
	{010001, "B57600"}, {010002, "B115200"}, {010003, "B230400"}, {010004, "B460800"}, {010007, "B921600"},
	{060, "CS8"}, {040, "CS7"}, {020, "CS6"}, {0100, "CSTOPB"}, {0200, "CREAD"}, {0400, "PARENB"}, {01000, "PARODD"}, {02000, "HUPCL"},
	{04000, "CLOCAL"}, {020000000000, "CRTSCTS"},
};
static const struct trace_name lflag_names[] = {
	{1, "ISIG"}, {2, "ICANON"}, {4, "XCASE"}, {010, "ECHO"}, {020, "ECHOE"}, {040, "ECHOK"}, {0100, "ECHONL"}, {0200, "NOFLSH"},
	{0400, "TOSTOP"}, {01000, "ECHOCTL"}, {02000, "ECHOPRT"}, {04000, "ECHOKE"}, {010000, "FLUSHO"}, {040000, "PENDIN"},
	{0100000, "IEXTEN"}, {0200000, "EXTPROC"},
};
#define CAPBIT(n, c) {1ULL << (n), "1<<" #c}
static const struct trace_name capbit_names[] = {
	CAPBIT(0, CAP_CHOWN), CAPBIT(1, CAP_DAC_OVERRIDE), CAPBIT(2, CAP_DAC_READ_SEARCH), CAPBIT(3, CAP_FOWNER), CAPBIT(4, CAP_FSETID),
	CAPBIT(5, CAP_KILL), CAPBIT(6, CAP_SETGID), CAPBIT(7, CAP_SETUID), CAPBIT(8, CAP_SETPCAP), CAPBIT(9, CAP_LINUX_IMMUTABLE),
	CAPBIT(10, CAP_NET_BIND_SERVICE), CAPBIT(11, CAP_NET_BROADCAST), CAPBIT(12, CAP_NET_ADMIN), CAPBIT(13, CAP_NET_RAW),
	CAPBIT(14, CAP_IPC_LOCK), CAPBIT(15, CAP_IPC_OWNER), CAPBIT(16, CAP_SYS_MODULE), CAPBIT(17, CAP_SYS_RAWIO), CAPBIT(18, CAP_SYS_CHROOT),
	CAPBIT(19, CAP_SYS_PTRACE), CAPBIT(20, CAP_SYS_PACCT), CAPBIT(21, CAP_SYS_ADMIN), CAPBIT(22, CAP_SYS_BOOT), CAPBIT(23, CAP_SYS_NICE),
	CAPBIT(24, CAP_SYS_RESOURCE), CAPBIT(25, CAP_SYS_TIME), CAPBIT(26, CAP_SYS_TTY_CONFIG), CAPBIT(27, CAP_MKNOD), CAPBIT(28, CAP_LEASE),
	CAPBIT(29, CAP_AUDIT_WRITE), CAPBIT(30, CAP_AUDIT_CONTROL), CAPBIT(31, CAP_SETFCAP),
	CAPBIT(32, CAP_MAC_OVERRIDE), CAPBIT(33, CAP_MAC_ADMIN), CAPBIT(34, CAP_SYSLOG), CAPBIT(35, CAP_WAKE_ALARM), CAPBIT(36, CAP_BLOCK_SUSPEND), CAPBIT(37, CAP_AUDIT_READ), CAPBIT(38, CAP_PERFMON), CAPBIT(39, CAP_BPF), CAPBIT(40, CAP_CHECKPOINT_RESTORE),
};

static const struct trace_set sets[] = {
	SET(syslog, "SYSLOG_ACTION_"), SET(getrandom, "GRND_"), SET(reboot, "LINUX_REBOOT_CMD_", .unknown = "LINUX_REBOOT_CMD_???"), SET(reboot_magic, "LINUX_REBOOT_", .unknown = "LINUX_REBOOT_MAGIC_???"),
	SET(finit_module, "MODULE_INIT_"), SET(delete_module, "O_"), SET(kexec, "KEXEC_", .mask = 0xffff0000), SET(kexec_file, "KEXEC_FILE_"),
	SET(perf_flag, "PERF_FLAG_"), SET(perf_type, "PERF_TYPE_", .unknown = "PERF_TYPE_???"), SET(perf_sample, "PERF_SAMPLE_"), SET(perf_format, "PERF_FORMAT_"),
	SET(perf_bits, "", .mask = 3ULL << 15), SET(perf_hw, "PERF_COUNT_HW_"), SET(perf_sw, "PERF_COUNT_SW_"), SET(bpf, "BPF_", .unknown = "BPF_???"), SET(bpf_map_type, "BPF_MAP_TYPE_"),
	SET(bpf_prog_type, "BPF_PROG_TYPE_"), SET(bpf_upd, "BPF_"), SET(keyring, "KEY_SPEC_"), SET(keyctl, "KEYCTL_", .unknown = "KEYCTL_???"),
	SET(landlock_create, "LANDLOCK_CREATE_RULESET_"), SET(landlock_restrict, "LANDLOCK_RESTRICT_SELF_"), SET(landlock_rule, "LANDLOCK_RULE_"),
	SET(landlock_fs, "LANDLOCK_ACCESS_FS_"), SET(landlock_net, "LANDLOCK_ACCESS_NET_"), SET(landlock_scope, "LANDLOCK_SCOPE_"),
	SET(lsm_attr, "LSM_ATTR_"), SET(lsm_flag, "LSM_FLAG_"), SET(iflag, ""), SET(oflag, "", .mask = 014000), SET(cflag, "", .mask = 010017),
	SET(lflag, ""), SET(capbit, "1<<CAP_"),
};
/* clang-format on */

const struct trace_set_list trace_sets_misc = {sets, ARRAY_SIZE(sets)};
