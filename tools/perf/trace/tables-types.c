// SPDX-License-Identifier: GPL-2.0-only
/*
 * Built-in struct layouts: the kernel's uapi, which does not change. A unit test compares each with
 * the running kernel's BTF. Words `name:what`, separated by blanks, in order, naturally aligned
 * (64-bit members to 4 bytes in "@32" layouts, as on i386):
 *
 *   s8 u8 s16 u16 s32 u32 s64 u64 long ulong    numbers, decimal
 *   x8 x16 x32 x64 xlong o32                    hexadecimal, octal
 *   f32.SET f16.SET f64.SET flong.SET e32.SET e16.SET   flags, one value of a set
 *   mode16 mode32 fd pid uid sig dev32 dev64 ptr
 *   c65                                         text in 65 bytes
 *   t.NAME                                      a struct; x64.FUNC a function of decode-special.c
 *   p4                                          padding, not printed
 *
 * `*N`: an array; `@N`: at byte N; `!`: strace shows it in its short form.
 */
#include "trace/type.h"

/* clang-format off */
static const struct trace_type_spec specs[] = {
	/* what plain pointers point to */
	{"int", 4, ":s32"}, {"uint", 4, ":u32"}, {"ushort", 2, ":u16"}, {"long", 8, ":s64"}, {"long@32", 4, ":s32"},
	{"ulong", 8, ":u64"}, {"ulong@32", 4, ":u32"}, {"hex", 8, ":x64"}, {"hex@32", 4, ":x32"}, {"u64x", 8, ":x64"},
	{"ptr", 8, ":ptr"}, {"ptr@32", 4, ":ptr"}, {"loff", 8, ":s64"}, {"loff@32", 4, ":s32"}, {"loff64", 8, ":s64"}, {"fd", 4, ":fd"},
	/* time */
	{"timespec", 16, "tv_sec:s64 tv_nsec:s64"}, {"timespec@32", 8, "tv_sec:s32 tv_nsec:s32"},
	{"timespec64", 16, "tv_sec:s64 tv_nsec:s64"},
	{"timespec_ut", 16, "tv_sec:s64 tv_nsec:s64"}, {"timespec_ut@32", 8, "tv_sec:s32 tv_nsec:s32"},
	{"timeval", 16, "tv_sec:s64 tv_usec:s64"}, {"timeval@32", 8, "tv_sec:s32 tv_usec:s32"},
	{"itimerspec", 32, "it_interval:t.timespec it_value:t.timespec"},
	{"itimerspec@32", 16, "it_interval:t.timespec it_value:t.timespec"},
	{"itimerspec64", 32, "it_interval:t.timespec64 it_value:t.timespec64"},
	{"itimerval", 32, "it_interval:t.timeval it_value:t.timeval"},
	{"itimerval@32", 16, "it_interval:t.timeval it_value:t.timeval"},
	{"timezone", 8, "tz_minuteswest:s32 tz_dsttime:s32"},
	{"utimbuf", 16, "actime:s64 modtime:s64"}, {"utimbuf@32", 8, "actime:s32 modtime:s32"},
	{"tms", 32, "tms_utime:s64 tms_stime:s64 tms_cutime:s64 tms_cstime:s64"},
	{"tms@32", 16, "tms_utime:s32 tms_stime:s32 tms_cutime:s32 tms_cstime:s32"},
	{"timex", 208, "modes:f32.adjtimex offset:s64 freq:s64 maxerror:s64 esterror:s64 status:f32.timex_status constant:s64 "
		"precision:s64 tolerance:s64 time:t.timeval tick:s64 ppsfreq:s64 jitter:s64 shift:s32 stabil:s64 jitcnt:s64 "
		"calcnt:s64 errcnt:s64 stbcnt:s64 tai:s32 _:p44"},
	{"timex@32", 128, "modes:f32.adjtimex offset:s32 freq:s32 maxerror:s32 esterror:s32 status:f32.timex_status constant:s32 "
		"precision:s32 tolerance:s32 time:t.timeval tick:s32 ppsfreq:s32 jitter:s32 shift:s32 stabil:s32 jitcnt:s32 "
		"calcnt:s32 errcnt:s32 stbcnt:s32 tai:s32 _:p44"},
	{"timeval_ut", 16, "tv_sec:s64 tv_usec:s64"}, {"timeval_ut@32", 8, "tv_sec:s32 tv_usec:s32"},
	{"fsid", 8, "val:x32*2"}, {"mpol", 4, ":e32.mpol"},
	/* files */
#ifdef __aarch64__
	{"stat", 128, "st_dev:dev64 st_ino:u64 st_mode:mode32! st_nlink:u32 st_uid:uid st_gid:uid st_rdev:dev64! _:p8 "
		"st_size:s64! st_blksize:s32 _:p4 st_blocks:s64 st_atime:s64 st_atime_nsec:u64 st_mtime:s64 "
		"st_mtime_nsec:u64 st_ctime:s64 st_ctime_nsec:u64 _:p8"},
	{"epoll_event", 16, "events:f32.epoll data:x64@8"},
#else
	{"stat", 144, "st_dev:dev64 st_ino:u64 st_nlink:u64 st_mode:mode32! st_uid:uid st_gid:uid _:p4 st_rdev:dev64! "
		"st_size:s64! st_blksize:s64 st_blocks:s64 st_atime:s64 st_atime_nsec:u64 st_mtime:s64 st_mtime_nsec:u64 "
		"st_ctime:s64 st_ctime_nsec:u64 _:p24"},
	{"stat@32", 64, "st_dev:dev32 st_ino:u32 st_mode:mode16! st_nlink:u16 st_uid:u16 st_gid:u16 st_rdev:dev32! st_size:u32! "
		"st_blksize:u32 st_blocks:u32 st_atime:u32 st_atime_nsec:u32 st_mtime:u32 st_mtime_nsec:u32 st_ctime:u32 "
		"st_ctime_nsec:u32 _:p8"},
	{"epoll_event", 12, "events:f32.epoll data:x64@4"},
#endif
	{"stat64@32", 96, "st_dev:dev64 _:p4 _:p4 st_mode:mode32! st_nlink:u32 st_uid:uid st_gid:uid st_rdev:dev64! _:p4 "
		"st_size:s64!@44 st_blksize:u32 st_blocks:s64 st_atime:u32 st_atime_nsec:u32 st_mtime:u32 st_mtime_nsec:u32 "
		"st_ctime:u32 st_ctime_nsec:u32 st_ino:u64"},
	{"statx_timestamp", 16, "tv_sec:s64 tv_nsec:u32 _:p4"},
	{"statx", 256, "stx_mask:f32.statx_mask! stx_blksize:u32 stx_attributes:f64.statx_attr! stx_nlink:u32 stx_uid:uid stx_gid:uid "
		"stx_mode:mode16! _:p2 stx_ino:u64 stx_size:u64! stx_blocks:u64 stx_attributes_mask:f64.statx_attr "
		"stx_atime:t.statx_timestamp stx_btime:t.statx_timestamp stx_ctime:t.statx_timestamp stx_mtime:t.statx_timestamp "
		"stx_rdev_major:u32 stx_rdev_minor:u32 stx_dev_major:u32 stx_dev_minor:u32 stx_mnt_id:u64 stx_dio_mem_align:u32 "
		"stx_dio_offset_align:u32 stx_subvol:u64 stx_atomic_write_unit_min:u32 stx_atomic_write_unit_max:u32 "
		"stx_atomic_write_segments_max:u32 stx_dio_read_offset_align:u32 _:p72"},
	{"statfs", 120, "f_type:elong.fsmagic f_bsize:s64 f_blocks:u64 f_bfree:u64 f_bavail:u64 f_files:u64 f_ffree:u64 f_fsid:t.fsid "
		"f_namelen:s64 f_frsize:s64 f_flags:flong.statfs_flag _:p32"},
	{"statfs@32", 64, "f_type:elong.fsmagic f_bsize:s32 f_blocks:u32 f_bfree:u32 f_bavail:u32 f_files:u32 f_ffree:u32 f_fsid:t.fsid "
		"f_namelen:s32 f_frsize:s32 f_flags:flong.statfs_flag _:p16"},
	{"statfs64@32", 84, "f_type:e32.fsmagic f_bsize:u32 f_blocks:u64 f_bfree:u64 f_bavail:u64 f_files:u64 f_ffree:u64 f_fsid:t.fsid "
		"f_namelen:u32 f_frsize:u32 f_flags:f32.statfs_flag _:p16"},
	{"ustat", 32, "f_tfree:s32 f_tinode:u64 f_fname:c6 f_fpack:c6 _:p4"},
	{"ustat@32", 20, "f_tfree:s32 f_tinode:u32 f_fname:c6 f_fpack:c6"},
	{"open_how", 24, "flags:f64.open mode:o64 resolve:f64.resolve"},
	{"pollfd", 8, "fd:fd events:f16.poll revents:f16.poll"},
	{"flock", 32, "l_type:e16.lock l_whence:e16.seek l_start:s64 l_len:s64 l_pid:pid _:p4"},
	{"flock@32", 16, "l_type:e16.lock l_whence:e16.seek l_start:s32 l_len:s32 l_pid:pid"},
	{"flock64@32", 24, "l_type:e16.lock l_whence:e16.seek l_start:s64 l_len:s64 l_pid:pid"},
	{"f_owner_ex", 8, "type:e32.owner pid:s32"},
	{"mount_attr", 32, "attr_set:f64.mount_attr attr_clr:f64.mount_attr propagation:f64.mount userns_fd:s64"},
	{"mnt_id_req", 32, "size:u32 mnt_ns_fd:u32 mnt_id:x64 param:x64 mnt_ns_id:u64"},
	{"file_attr", 24, "fa_xflags:x64 fa_extsize:u32 fa_nextents:u32 fa_projid:u32 fa_cowextsize:u32"},
	{"file_handle", 8, "handle_bytes:u32 handle_type:x32"},
	{"cachestat_range", 16, "off:x64 len:u64"},
	{"cachestat", 40, "nr_cache:u64 nr_dirty:u64 nr_writeback:u64 nr_evicted:u64 nr_recently_evicted:u64"},
	{"xattr_args", 16, "value:x64 size:u32 flags:f32.xattr"},
	{"iovec", 16, "iov_base:ptr iov_len:u64"}, {"iovec@32", 8, "iov_base:ptr iov_len:u32"},
	{"iocb", 64, "aio_data:x64 aio_key:u32 aio_rw_flags:f32.rwf aio_lio_opcode:e16.iocb_cmd aio_reqprio:s16 aio_fildes:fd "
		"aio_buf:x64 aio_nbytes:u64 aio_offset:s64 _:p8 aio_flags:x32 aio_resfd:u32"},
	{"io_event", 32, "data:x64 obj:x64 res:s64 res2:s64"},
	{"io_uring_params", 120, "sq_entries:u32! cq_entries:u32! flags:f32.io_uring_setup! sq_thread_cpu:u32! sq_thread_idle:u32! "
		"features:f32.io_uring_feat! wq_fd:fd! _:p12 sq_head:u32 sq_tail:u32 sq_ring_mask:u32 sq_ring_entries:u32 sq_flags:u32 "
		"sq_dropped:u32 sq_array:u32 _:p4 sq_user_addr:u64 cq_head:u32 cq_tail:u32 cq_ring_mask:u32 cq_ring_entries:u32 "
		"cq_overflow:u32 cq_cqes:u32 cq_flags:u32 _:p4 cq_user_addr:u64"},
	/* processes */
	{"clone_args", 88, "flags:f64.clone pidfd:x64 child_tid:x64 parent_tid:x64 exit_signal:sig64 stack:x64 stack_size:x64 "
		"tls:x64 set_tid:x64 set_tid_size:u64 cgroup:u64"},
	{"rlimit", 16, "rlim_cur:x64.rlim rlim_max:x64.rlim"}, {"rlimit@32", 8, "rlim_cur:x32.rlim rlim_max:x32.rlim"},
	{"rlimit64", 16, "rlim_cur:x64.rlim rlim_max:x64.rlim"},
	{"rusage", 144, "ru_utime:t.timeval! ru_stime:t.timeval! ru_maxrss:s64 ru_ixrss:s64 ru_idrss:s64 ru_isrss:s64 ru_minflt:s64 "
		"ru_majflt:s64 ru_nswap:s64 ru_inblock:s64 ru_oublock:s64 ru_msgsnd:s64 ru_msgrcv:s64 ru_nsignals:s64 ru_nvcsw:s64 ru_nivcsw:s64"},
	{"rusage@32", 72, "ru_utime:t.timeval! ru_stime:t.timeval! ru_maxrss:s32 ru_ixrss:s32 ru_idrss:s32 ru_isrss:s32 ru_minflt:s32 "
		"ru_majflt:s32 ru_nswap:s32 ru_inblock:s32 ru_oublock:s32 ru_msgsnd:s32 ru_msgrcv:s32 ru_nsignals:s32 ru_nvcsw:s32 ru_nivcsw:s32"},
	{"sched_param", 4, ":s32"},
	{"sched_attr", 56, "size:u32 sched_policy:e32.sched sched_flags:f64.sched_flag sched_nice:s32 sched_priority:u32 "
		"sched_runtime:u64 sched_deadline:u64 sched_period:u64 sched_util_min:u32 sched_util_max:u32"},
	{"futex_waitv", 24, "val:u64 uaddr:x64 flags:f32.futex2 _:p4"},
	{"cap_header", 8, "version:e32.capver pid:s32"},
	{"cap_data", 12, "effective:f32.capbit permitted:f32.capbit inheritable:f32.capbit"},
	/* signals */
	{"sigset", 8, ":x64.sigset"}, {"old_sigset@32", 4, ":x32.sigset"},
	{"sigset_arg", 16, "sigmask:ptr sigsetsize:u64"}, {"sigset_arg@32", 8, "sigmask:ptr sigsetsize:u32"},
	{"sigaction", 32, "sa_handler:x64.sighandler sa_flags:flong.sa sa_restorer:ptr sa_mask:x64.sigset"},
	{"sigaction@32", 20, "sa_handler:x32.sighandler sa_flags:flong.sa sa_restorer:ptr sa_mask:x64.sigset"},
	{"old_sigaction@32", 16, "sa_handler:x32.sighandler sa_mask:x32.sigset sa_flags:flong.sa sa_restorer:ptr"},
	{"siginfo", 128, "si_signo:sig si_errno:s32 si_code:s32 _:p116"},
	{"sigaltstack", 24, "ss_sp:ptr ss_flags:f32.ss ss_size:u64"},
	{"sigaltstack@32", 12, "ss_sp:ptr ss_flags:f32.ss ss_size:u32"},
	{"sigevent", 64, "sigev_value:x64 sigev_signo:sig sigev_notify:e32.sigev sigev_notify_thread_id:s32 _:p44"},
	{"sigevent@32", 64, "sigev_value:x32 sigev_signo:sig sigev_notify:e32.sigev sigev_notify_thread_id:s32 _:p48"},
	/* IPC */
	{"sembuf", 6, "sem_num:u16 sem_op:s16 sem_flg:f16.semop"},
	{"msgbuf", 8, "mtype:s64"}, {"msgbuf@32", 4, "mtype:s32"},
	{"mq_attr", 64, "mq_flags:flong.open mq_maxmsg:s64 mq_msgsize:s64 mq_curmsgs:s64 _:p32"},
	{"mq_attr@32", 32, "mq_flags:flong.open mq_maxmsg:s32 mq_msgsize:s32 mq_curmsgs:s32 _:p16"},
	/* the machine */
	{"utsname", 390, "sysname:c65! nodename:c65! release:c65 version:c65 machine:c65 domainname:c65"},
	{"sysinfo", 112, "uptime:s64 loads:u64*3 totalram:u64 freeram:u64 sharedram:u64 bufferram:u64 totalswap:u64 freeswap:u64 "
		"procs:u16 _:p6 totalhigh:u64 freehigh:u64 mem_unit:u32 _:p4"},
	{"sysinfo@32", 64, "uptime:s32 loads:u32*3 totalram:u32 freeram:u32 sharedram:u32 bufferram:u32 totalswap:u32 freeswap:u32 "
		"procs:u16 _:p2 totalhigh:u32 freehigh:u32 mem_unit:u32 _:p8"},
	{"perf_event_attr", 136, "type:e32.perf_type! size:u32! config:x64! sample_period:u64! sample_type:f64.perf_sample! "
		"read_format:f64.perf_format! bits:f64.perf_bits! wakeup_events:u32 bp_type:x32 config1:x64 config2:x64 "
		"branch_sample_type:x64 sample_regs_user:x64 sample_stack_user:u32 clockid:s32 sample_regs_intr:x64 aux_watermark:u32 "
		"sample_max_stack:u16 _:p2 aux_sample_size:u32 _:p4 sig_data:x64 config3:x64"},
	{"landlock_ruleset_attr", 24, "handled_access_fs:f64.landlock_fs handled_access_net:f64.landlock_net scoped:f64.landlock_scope"},
	{"landlock_path_beneath_attr", 12, "allowed_access:f64.landlock_fs parent_fd:fd"},
	/* behind ioctl and socket options */
	{"winsize", 8, "ws_row:u16 ws_col:u16 ws_xpixel:u16 ws_ypixel:u16"},
	{"termios", 36, "c_iflag:f32.iflag c_oflag:f32.oflag c_cflag:f32.cflag c_lflag:f32.lflag c_line:u8 c_cc:x8*19"},
	{"termios2", 44, "c_iflag:f32.iflag c_oflag:f32.oflag c_cflag:f32.cflag c_lflag:f32.lflag c_line:u8 c_cc:x8*19 c_ispeed:u32 c_ospeed:u32"},
	{"linger", 8, "l_onoff:s32 l_linger:s32"},
	{"ucred", 12, "pid:pid uid:uid gid:uid"},
	{"sock_fprog", 16, "len:u16 filter:ptr"}, {"sock_fprog@32", 8, "len:u16 filter:ptr"},
	{"ifreq", 40, "ifr_name:c16 ifr_data:x64*3"},
	{"ip_mreq", 8, "imr_multiaddr:x32.inaddr imr_interface:x32.inaddr"},
	{"tcp_info_head", 104, "tcpi_state:u8 tcpi_ca_state:u8 tcpi_retransmits:u8 tcpi_probes:u8 tcpi_backoff:u8 tcpi_options:x8 _:p2 "
		"tcpi_rto:u32 tcpi_ato:u32 tcpi_snd_mss:u32 tcpi_rcv_mss:u32 tcpi_unacked:u32 tcpi_sacked:u32 tcpi_lost:u32 tcpi_retrans:u32 "
		"tcpi_fackets:u32 tcpi_last_data_sent:u32 tcpi_last_ack_sent:u32 tcpi_last_data_recv:u32 tcpi_last_ack_recv:u32 tcpi_pmtu:u32 "
		"tcpi_rcv_ssthresh:u32 tcpi_rtt:u32 tcpi_rttvar:u32 tcpi_snd_ssthresh:u32 tcpi_snd_cwnd:u32 tcpi_advmss:u32 tcpi_reordering:u32 "
		"tcpi_rcv_rtt:u32 tcpi_rcv_space:u32 tcpi_total_retrans:u32"},
	{"nlmsghdr", 16, "nlmsg_len:u32 nlmsg_type:e16.nlmsg nlmsg_flags:f16.nlm_flag nlmsg_seq:u32 nlmsg_pid:u32"},
	{"rtc_time", 36, "tm_sec:s32 tm_min:s32 tm_hour:s32 tm_mday:s32 tm_mon:s32 tm_year:s32 tm_wday:s32 tm_yday:s32 tm_isdst:s32"},
};
/* clang-format on */

const struct trace_type_spec_list trace_type_specs = {specs, ARRAY_SIZE(specs)};
