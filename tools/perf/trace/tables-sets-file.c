// SPDX-License-Identifier: GPL-2.0-only
/* Names for calls on files and descriptors. Values from the C library's and the kernel's headers;
 * those newer than Debian 12's headers are written as numbers. */
#include <fcntl.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/fanotify.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/mount.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/swap.h>
#include <sys/timerfd.h>
#include <sys/xattr.h>
#include <unistd.h>
#include <linux/aio_abi.h>
#include <linux/io_uring.h>

#include "trace/set.h"

/* clang-format off */
#ifdef __x86_64__
#define K_O_LARGEFILE 0100000
#else
#define K_O_LARGEFILE 0400000
#endif
#define K_O_TMPFILE 020000000

static const struct trace_name open_names[] = {
	X(O_RDONLY), X(O_WRONLY), X(O_RDWR), {3, "O_ACCMODE"},
	X(O_CREAT), X(O_EXCL), X(O_NOCTTY), X(O_TRUNC), X(O_APPEND), X(O_NONBLOCK),
	{04010000, "O_SYNC"}, X(O_DSYNC), X(O_DIRECT), {K_O_LARGEFILE, "O_LARGEFILE"},
	X(O_NOFOLLOW), X(O_NOATIME), X(O_CLOEXEC), X(O_PATH),
	{K_O_TMPFILE | O_DIRECTORY, "O_TMPFILE"}, X(O_DIRECTORY), {04000000, "__O_SYNC"},
	{K_O_TMPFILE, "__O_TMPFILE"}, {020000, "FASYNC"},
};
static const struct trace_name at_names[] = {
	X(AT_SYMLINK_NOFOLLOW), X(AT_REMOVEDIR), X(AT_SYMLINK_FOLLOW), X(AT_NO_AUTOMOUNT),
	X(AT_EMPTY_PATH), X(AT_RECURSIVE),
};
static const struct trace_name faccessat_names[] = {
	X(AT_EACCESS), X(AT_SYMLINK_NOFOLLOW), X(AT_EMPTY_PATH),
};
static const struct trace_name execveat_names[] = {
	X(AT_SYMLINK_NOFOLLOW), X(AT_EMPTY_PATH), {0x10000, "AT_EXECVE_CHECK"},
};
static const struct trace_name handle_at_names[] = {
	{0x200, "AT_HANDLE_FID"}, {1, "AT_HANDLE_MNT_ID_UNIQUE"}, {2, "AT_HANDLE_CONNECTABLE"},
	X(AT_SYMLINK_FOLLOW), X(AT_EMPTY_PATH),
};
static const struct trace_name statx_at_names[] = {
	{0, "AT_STATX_SYNC_AS_STAT"}, {0x2000, "AT_STATX_FORCE_SYNC"}, {0x4000, "AT_STATX_DONT_SYNC"},
	X(AT_SYMLINK_NOFOLLOW), X(AT_NO_AUTOMOUNT), X(AT_EMPTY_PATH),
};
static const struct trace_name statx_mask_names[] = {
	{0xfff, "STATX_ALL"}, {0x7ff, "STATX_BASIC_STATS"}, {0x1, "STATX_TYPE"}, {0x2, "STATX_MODE"},
	{0x4, "STATX_NLINK"}, {0x8, "STATX_UID"}, {0x10, "STATX_GID"}, {0x20, "STATX_ATIME"},
	{0x40, "STATX_MTIME"}, {0x80, "STATX_CTIME"}, {0x100, "STATX_INO"}, {0x200, "STATX_SIZE"},
	{0x400, "STATX_BLOCKS"}, {0x800, "STATX_BTIME"}, {0x1000, "STATX_MNT_ID"},
	{0x2000, "STATX_DIOALIGN"}, {0x4000, "STATX_MNT_ID_UNIQUE"}, {0x8000, "STATX_SUBVOL"},
	{0x10000, "STATX_WRITE_ATOMIC"}, {0x20000, "STATX_DIO_READ_ALIGN"},
};
static const struct trace_name statx_attr_names[] = {
	{0x4, "STATX_ATTR_COMPRESSED"}, {0x10, "STATX_ATTR_IMMUTABLE"}, {0x20, "STATX_ATTR_APPEND"},
	{0x40, "STATX_ATTR_NODUMP"}, {0x800, "STATX_ATTR_ENCRYPTED"}, {0x1000, "STATX_ATTR_AUTOMOUNT"},
	{0x2000, "STATX_ATTR_MOUNT_ROOT"}, {0x100000, "STATX_ATTR_VERITY"}, {0x200000, "STATX_ATTR_DAX"},
	{0x400000, "STATX_ATTR_WRITE_ATOMIC"},
};
static const struct trace_name seek_names[] = {
	X(SEEK_SET), X(SEEK_CUR), X(SEEK_END), X(SEEK_DATA), X(SEEK_HOLE),
};
static const struct trace_name access_names[] = { X(F_OK), X(R_OK), X(W_OK), X(X_OK) };
static const struct trace_name rwf_names[] = {
	{1, "RWF_HIPRI"}, {2, "RWF_DSYNC"}, {4, "RWF_SYNC"}, {8, "RWF_NOWAIT"}, {16, "RWF_APPEND"},
	{32, "RWF_NOAPPEND"}, {64, "RWF_ATOMIC"}, {128, "RWF_DONTCACHE"},
};
static const struct trace_name close_range_names[] = {
	{2, "CLOSE_RANGE_UNSHARE"}, {4, "CLOSE_RANGE_CLOEXEC"},
};
static const struct trace_name fcntl_names[] = {
	X(F_DUPFD), X(F_GETFD), X(F_SETFD), X(F_GETFL), X(F_SETFL), {5, "F_GETLK"}, {6, "F_SETLK"},
	{7, "F_SETLKW"}, X(F_SETOWN), X(F_GETOWN), X(F_SETSIG), X(F_GETSIG), {12, "F_GETLK64"},
	{13, "F_SETLK64"}, {14, "F_SETLKW64"}, X(F_SETOWN_EX), X(F_GETOWN_EX), {17, "F_GETOWNER_UIDS"},
	X(F_OFD_GETLK), X(F_OFD_SETLK), X(F_OFD_SETLKW), X(F_SETLEASE), X(F_GETLEASE), X(F_NOTIFY),
	{1027, "F_DUPFD_QUERY"}, {1028, "F_CREATED_QUERY"}, {1029, "F_CANCELLK"},
	X(F_DUPFD_CLOEXEC), X(F_SETPIPE_SZ), X(F_GETPIPE_SZ), X(F_ADD_SEALS), X(F_GET_SEALS),
	X(F_GET_RW_HINT), X(F_SET_RW_HINT), X(F_GET_FILE_RW_HINT), X(F_SET_FILE_RW_HINT),
	{1039, "F_GETDELEG"}, {1040, "F_SETDELEG"},
};
static const struct trace_name fd_flag_names[] = { X(FD_CLOEXEC) };
static const struct trace_name lock_names[] = { X(F_RDLCK), X(F_WRLCK), X(F_UNLCK), X(F_EXLCK), X(F_SHLCK) };
static const struct trace_name notify_names[] = {
	{0x80000000, "DN_MULTISHOT"}, X(DN_ACCESS), X(DN_MODIFY), X(DN_CREATE), X(DN_DELETE), X(DN_RENAME), X(DN_ATTRIB),
};
static const struct trace_name seal_names[] = {
	X(F_SEAL_SEAL), X(F_SEAL_SHRINK), X(F_SEAL_GROW), X(F_SEAL_WRITE), X(F_SEAL_FUTURE_WRITE), {0x20, "F_SEAL_EXEC"},
};
static const struct trace_name owner_names[] = { X(F_OWNER_TID), X(F_OWNER_PID), X(F_OWNER_PGRP) };
static const struct trace_name flock_names[] = { X(LOCK_SH), X(LOCK_EX), X(LOCK_NB), X(LOCK_UN) };
static const struct trace_name cloexec_names[] = { X(O_CLOEXEC) };
static const struct trace_name pipe_names[] = {
	X(O_NONBLOCK), X(O_CLOEXEC), X(O_DIRECT), {0x80, "O_NOTIFICATION_PIPE"},
};
static const struct trace_name splice_names[] = {
	X(SPLICE_F_MOVE), X(SPLICE_F_NONBLOCK), X(SPLICE_F_MORE), X(SPLICE_F_GIFT),
};
static const struct trace_name sync_file_range_names[] = {
	{7, "SYNC_FILE_RANGE_WRITE_AND_WAIT"},
	X(SYNC_FILE_RANGE_WAIT_BEFORE), X(SYNC_FILE_RANGE_WRITE), X(SYNC_FILE_RANGE_WAIT_AFTER),
};
static const struct trace_name fadvise_names[] = {
	X(POSIX_FADV_NORMAL), X(POSIX_FADV_RANDOM), X(POSIX_FADV_SEQUENTIAL), X(POSIX_FADV_WILLNEED),
	X(POSIX_FADV_DONTNEED), X(POSIX_FADV_NOREUSE),
};
static const struct trace_name fallocate_names[] = {
	{1, "FALLOC_FL_KEEP_SIZE"}, {2, "FALLOC_FL_PUNCH_HOLE"}, {4, "FALLOC_FL_NO_HIDE_STALE"},
	{8, "FALLOC_FL_COLLAPSE_RANGE"}, {0x10, "FALLOC_FL_ZERO_RANGE"}, {0x20, "FALLOC_FL_INSERT_RANGE"},
	{0x40, "FALLOC_FL_UNSHARE_RANGE"}, {0x80, "FALLOC_FL_WRITE_ZEROES"},
};
static const struct trace_name rename_names[] = {
	{1, "RENAME_NOREPLACE"}, {2, "RENAME_EXCHANGE"}, {4, "RENAME_WHITEOUT"},
};
static const struct trace_name swap_names[] = {
	{0x8000, "SWAP_FLAG_PREFER"}, {0x10000, "SWAP_FLAG_DISCARD"}, {0x20000, "SWAP_FLAG_DISCARD_ONCE"},
	{0x40000, "SWAP_FLAG_DISCARD_PAGES"},
};
static const struct trace_name mount_names[] = {
	X(MS_RDONLY), X(MS_NOSUID), X(MS_NODEV), X(MS_NOEXEC), X(MS_SYNCHRONOUS), X(MS_REMOUNT),
	X(MS_MANDLOCK), X(MS_DIRSYNC), {256, "MS_NOSYMFOLLOW"}, X(MS_NOATIME), X(MS_NODIRATIME),
	X(MS_BIND), X(MS_MOVE), X(MS_REC), X(MS_SILENT), X(MS_POSIXACL), X(MS_UNBINDABLE),
	X(MS_PRIVATE), X(MS_SLAVE), X(MS_SHARED), X(MS_RELATIME), X(MS_KERNMOUNT), X(MS_I_VERSION),
	X(MS_STRICTATIME), X(MS_LAZYTIME), {1u << 28, "MS_NOSEC"}, {1u << 29, "MS_BORN"},
	X(MS_ACTIVE), {1u << 31, "MS_NOUSER"},
};
static const struct trace_name umount_names[] = {
	X(MNT_FORCE), X(MNT_DETACH), X(MNT_EXPIRE), X(UMOUNT_NOFOLLOW),
};
static const struct trace_name mount_attr_names[] = {
	{1, "MOUNT_ATTR_RDONLY"}, {2, "MOUNT_ATTR_NOSUID"}, {4, "MOUNT_ATTR_NODEV"},
	{8, "MOUNT_ATTR_NOEXEC"}, {0x10, "MOUNT_ATTR_NOATIME"}, {0x20, "MOUNT_ATTR_STRICTATIME"},
	{0x80, "MOUNT_ATTR_NODIRATIME"}, {0x100000, "MOUNT_ATTR_IDMAP"}, {0x200000, "MOUNT_ATTR_NOSYMFOLLOW"},
};
static const struct trace_name mount_setattr_at_names[] = {
	X(AT_SYMLINK_NOFOLLOW), X(AT_NO_AUTOMOUNT), X(AT_EMPTY_PATH), X(AT_RECURSIVE),
};
static const struct trace_name move_mount_names[] = {
	{1, "MOVE_MOUNT_F_SYMLINKS"}, {2, "MOVE_MOUNT_F_AUTOMOUNTS"}, {4, "MOVE_MOUNT_F_EMPTY_PATH"},
	{0x10, "MOVE_MOUNT_T_SYMLINKS"}, {0x20, "MOVE_MOUNT_T_AUTOMOUNTS"}, {0x40, "MOVE_MOUNT_T_EMPTY_PATH"},
	{0x100, "MOVE_MOUNT_SET_GROUP"}, {0x200, "MOVE_MOUNT_BENEATH"},
};
static const struct trace_name open_tree_names[] = {
	{1, "OPEN_TREE_CLONE"}, {O_CLOEXEC, "OPEN_TREE_CLOEXEC"}, X(AT_SYMLINK_NOFOLLOW),
	X(AT_NO_AUTOMOUNT), X(AT_EMPTY_PATH), X(AT_RECURSIVE),
};
static const struct trace_name fsopen_names[] = { {1, "FSOPEN_CLOEXEC"} };
static const struct trace_name fsmount_names[] = { {1, "FSMOUNT_CLOEXEC"} };
static const struct trace_name fspick_names[] = {
	{1, "FSPICK_CLOEXEC"}, {2, "FSPICK_SYMLINK_NOFOLLOW"}, {4, "FSPICK_NO_AUTOMOUNT"}, {8, "FSPICK_EMPTY_PATH"},
};
static const struct trace_name fsconfig_names[] = {
	{0, "FSCONFIG_SET_FLAG"}, {1, "FSCONFIG_SET_STRING"}, {2, "FSCONFIG_SET_BINARY"},
	{3, "FSCONFIG_SET_PATH"}, {4, "FSCONFIG_SET_PATH_EMPTY"}, {5, "FSCONFIG_SET_FD"},
	{6, "FSCONFIG_CMD_CREATE"}, {7, "FSCONFIG_CMD_RECONFIGURE"}, {8, "FSCONFIG_CMD_CREATE_EXCL"},
};
static const struct trace_name listmount_names[] = { {1, "LISTMOUNT_REVERSE"} };
static const struct trace_name xattr_names[] = { X(XATTR_CREATE), X(XATTR_REPLACE) };
static const struct trace_name inotify_init_names[] = { X(IN_NONBLOCK), X(IN_CLOEXEC) };
static const struct trace_name inotify_names[] = {
	X(IN_ACCESS), X(IN_MODIFY), X(IN_ATTRIB), X(IN_CLOSE_WRITE), X(IN_CLOSE_NOWRITE), X(IN_OPEN),
	X(IN_MOVED_FROM), X(IN_MOVED_TO), X(IN_CREATE), X(IN_DELETE), X(IN_DELETE_SELF), X(IN_MOVE_SELF),
	X(IN_UNMOUNT), X(IN_Q_OVERFLOW), X(IN_IGNORED), X(IN_ONLYDIR), X(IN_DONT_FOLLOW), X(IN_EXCL_UNLINK),
	X(IN_MASK_CREATE), X(IN_MASK_ADD), X(IN_ISDIR), {0x80000000, "IN_ONESHOT"},
};
static const struct trace_name fanotify_init_names[] = {
	X(FAN_CLASS_NOTIF), X(FAN_CLASS_CONTENT), X(FAN_CLASS_PRE_CONTENT), {0xc, "FAN_ALL_CLASS_BITS"},
	X(FAN_CLOEXEC), X(FAN_NONBLOCK),
	X(FAN_UNLIMITED_QUEUE), X(FAN_UNLIMITED_MARKS), X(FAN_ENABLE_AUDIT), {0x80, "FAN_REPORT_PIDFD"},
	X(FAN_REPORT_TID), X(FAN_REPORT_FID), X(FAN_REPORT_DIR_FID), X(FAN_REPORT_NAME),
	{0x1000, "FAN_REPORT_TARGET_FID"}, {0x2000, "FAN_REPORT_FD_ERROR"}, {0x4000, "FAN_REPORT_MNT"},
};
static const struct trace_name fanotify_mark_names[] = {
	X(FAN_MARK_ADD), X(FAN_MARK_REMOVE), X(FAN_MARK_DONT_FOLLOW), X(FAN_MARK_ONLYDIR),
	X(FAN_MARK_MOUNT), X(FAN_MARK_IGNORED_MASK), X(FAN_MARK_IGNORED_SURV_MODIFY), X(FAN_MARK_FLUSH),
	X(FAN_MARK_FILESYSTEM), {0x200, "FAN_MARK_EVICTABLE"}, {0x400, "FAN_MARK_IGNORE"},
};
static const struct trace_name fanotify_names[] = {
	X(FAN_ACCESS), X(FAN_MODIFY), X(FAN_ATTRIB), X(FAN_CLOSE_WRITE), X(FAN_CLOSE_NOWRITE), X(FAN_OPEN),
	X(FAN_MOVED_FROM), X(FAN_MOVED_TO), X(FAN_CREATE), X(FAN_DELETE), X(FAN_DELETE_SELF), X(FAN_MOVE_SELF),
	X(FAN_OPEN_EXEC), X(FAN_Q_OVERFLOW), {0x8000, "FAN_FS_ERROR"}, X(FAN_OPEN_PERM), X(FAN_ACCESS_PERM),
	X(FAN_OPEN_EXEC_PERM), {0x100000, "FAN_PRE_ACCESS"}, {0x1000000, "FAN_MNT_ATTACH"},
	{0x2000000, "FAN_MNT_DETACH"}, X(FAN_EVENT_ON_CHILD), {0x10000000, "FAN_RENAME"}, X(FAN_ONDIR),
};
static const struct trace_name epoll_create_names[] = { X(EPOLL_CLOEXEC) };
static const struct trace_name epoll_ctl_names[] = { X(EPOLL_CTL_ADD), X(EPOLL_CTL_DEL), X(EPOLL_CTL_MOD) };
static const struct trace_name epoll_names[] = {
	{1, "EPOLLIN"}, {2, "EPOLLPRI"}, {4, "EPOLLOUT"}, {0x40, "EPOLLRDNORM"}, {0x80, "EPOLLRDBAND"},
	{0x100, "EPOLLWRNORM"}, {0x200, "EPOLLWRBAND"}, {0x400, "EPOLLMSG"}, {8, "EPOLLERR"},
	{0x10, "EPOLLHUP"}, {0x2000, "EPOLLRDHUP"}, {1u << 28, "EPOLLEXCLUSIVE"},
	{1u << 29, "EPOLLWAKEUP"}, {1u << 30, "EPOLLONESHOT"}, {1u << 31, "EPOLLET"},
};
static const struct trace_name poll_names[] = {
	{1, "POLLIN"}, {2, "POLLPRI"}, {4, "POLLOUT"}, {0x40, "POLLRDNORM"}, {0x80, "POLLRDBAND"},
	{0x100, "POLLWRNORM"}, {0x200, "POLLWRBAND"}, {0x400, "POLLMSG"}, {8, "POLLERR"}, {0x10, "POLLHUP"},
	{0x20, "POLLNVAL"}, {0x1000, "POLLREMOVE"}, {0x2000, "POLLRDHUP"},
};
static const struct trace_name eventfd_names[] = { X(EFD_CLOEXEC), X(EFD_NONBLOCK), X(EFD_SEMAPHORE) };
static const struct trace_name signalfd_names[] = { X(SFD_CLOEXEC), X(SFD_NONBLOCK) };
static const struct trace_name timerfd_names[] = { X(TFD_CLOEXEC), X(TFD_NONBLOCK) };
static const struct trace_name timerfd_settime_names[] = { X(TFD_TIMER_ABSTIME), X(TFD_TIMER_CANCEL_ON_SET) };
static const struct trace_name memfd_names[] = {
	{1, "MFD_CLOEXEC"}, {2, "MFD_ALLOW_SEALING"}, {4, "MFD_HUGETLB"}, {8, "MFD_NOEXEC_SEAL"}, {0x10, "MFD_EXEC"},
	{0x54000000, "21<<MFD_HUGE_SHIFT"}, {0x78000000, "30<<MFD_HUGE_SHIFT"},
};
static const struct trace_name userfaultfd_names[] = {
	X(O_NONBLOCK), X(O_CLOEXEC), {1, "UFFD_USER_MODE_ONLY"},
};
static const struct trace_name io_uring_setup_names[] = {
	{1, "IORING_SETUP_IOPOLL"}, {2, "IORING_SETUP_SQPOLL"}, {4, "IORING_SETUP_SQ_AFF"},
	{8, "IORING_SETUP_CQSIZE"}, {0x10, "IORING_SETUP_CLAMP"}, {0x20, "IORING_SETUP_ATTACH_WQ"},
	{0x40, "IORING_SETUP_R_DISABLED"}, {0x80, "IORING_SETUP_SUBMIT_ALL"},
	{0x100, "IORING_SETUP_COOP_TASKRUN"}, {0x200, "IORING_SETUP_TASKRUN_FLAG"},
	{0x400, "IORING_SETUP_SQE128"}, {0x800, "IORING_SETUP_CQE32"}, {0x1000, "IORING_SETUP_SINGLE_ISSUER"},
	{0x2000, "IORING_SETUP_DEFER_TASKRUN"}, {0x4000, "IORING_SETUP_NO_MMAP"},
	{0x8000, "IORING_SETUP_REGISTERED_FD_ONLY"}, {0x10000, "IORING_SETUP_NO_SQARRAY"},
	{0x20000, "IORING_SETUP_HYBRID_IOPOLL"}, {0x40000, "IORING_SETUP_CQE_MIXED"},
};
static const struct trace_name io_uring_feat_names[] = {
	{1, "IORING_FEAT_SINGLE_MMAP"}, {2, "IORING_FEAT_NODROP"}, {4, "IORING_FEAT_SUBMIT_STABLE"},
	{8, "IORING_FEAT_RW_CUR_POS"}, {0x10, "IORING_FEAT_CUR_PERSONALITY"}, {0x20, "IORING_FEAT_FAST_POLL"},
	{0x40, "IORING_FEAT_POLL_32BITS"}, {0x80, "IORING_FEAT_SQPOLL_NONFIXED"}, {0x100, "IORING_FEAT_EXT_ARG"},
	{0x200, "IORING_FEAT_NATIVE_WORKERS"}, {0x400, "IORING_FEAT_RSRC_TAGS"}, {0x800, "IORING_FEAT_CQE_SKIP"},
	{0x1000, "IORING_FEAT_LINKED_FILE"}, {0x2000, "IORING_FEAT_REG_REG_RING"},
	{0x4000, "IORING_FEAT_RECVSEND_BUNDLE"}, {0x8000, "IORING_FEAT_MIN_TIMEOUT"},
	{0x10000, "IORING_FEAT_RW_ATTR"}, {0x20000, "IORING_FEAT_NO_IOWAIT"},
};
static const struct trace_name io_uring_enter_names[] = {
	{1, "IORING_ENTER_GETEVENTS"}, {2, "IORING_ENTER_SQ_WAKEUP"}, {4, "IORING_ENTER_SQ_WAIT"},
	{8, "IORING_ENTER_EXT_ARG"}, {0x10, "IORING_ENTER_REGISTERED_RING"}, {0x20, "IORING_ENTER_ABS_TIMER"},
	{0x40, "IORING_ENTER_EXT_ARG_REG"}, {0x80, "IORING_ENTER_NO_IOWAIT"},
};
static const struct trace_name io_uring_register_names[] = {
	{0, "IORING_REGISTER_BUFFERS"}, {1, "IORING_UNREGISTER_BUFFERS"}, {2, "IORING_REGISTER_FILES"},
	{3, "IORING_UNREGISTER_FILES"}, {4, "IORING_REGISTER_EVENTFD"}, {5, "IORING_UNREGISTER_EVENTFD"},
	{6, "IORING_REGISTER_FILES_UPDATE"}, {7, "IORING_REGISTER_EVENTFD_ASYNC"}, {8, "IORING_REGISTER_PROBE"},
	{9, "IORING_REGISTER_PERSONALITY"}, {10, "IORING_UNREGISTER_PERSONALITY"},
	{11, "IORING_REGISTER_RESTRICTIONS"}, {12, "IORING_REGISTER_ENABLE_RINGS"},
	{13, "IORING_REGISTER_FILES2"}, {14, "IORING_REGISTER_FILES_UPDATE2"}, {15, "IORING_REGISTER_BUFFERS2"},
	{16, "IORING_REGISTER_BUFFERS_UPDATE"}, {17, "IORING_REGISTER_IOWQ_AFF"}, {18, "IORING_UNREGISTER_IOWQ_AFF"},
	{19, "IORING_REGISTER_IOWQ_MAX_WORKERS"}, {20, "IORING_REGISTER_RING_FDS"},
	{21, "IORING_UNREGISTER_RING_FDS"}, {22, "IORING_REGISTER_PBUF_RING"}, {23, "IORING_UNREGISTER_PBUF_RING"},
	{24, "IORING_REGISTER_SYNC_CANCEL"}, {25, "IORING_REGISTER_FILE_ALLOC_RANGE"},
	{26, "IORING_REGISTER_PBUF_STATUS"}, {27, "IORING_REGISTER_NAPI"}, {28, "IORING_UNREGISTER_NAPI"},
	{29, "IORING_REGISTER_CLOCK"}, {30, "IORING_REGISTER_CLONE_BUFFERS"}, {31, "IORING_REGISTER_SEND_MSG_RING"},
	{32, "IORING_REGISTER_ZCRX_IFQ"}, {33, "IORING_REGISTER_RESIZE_RINGS"}, {34, "IORING_REGISTER_MEM_REGION"},
};
static const struct trace_name resolve_names[] = {
	{1, "RESOLVE_NO_XDEV"}, {2, "RESOLVE_NO_MAGICLINKS"}, {4, "RESOLVE_NO_SYMLINKS"},
	{8, "RESOLVE_BENEATH"}, {0x10, "RESOLVE_IN_ROOT"}, {0x20, "RESOLVE_CACHED"},
};
static const struct trace_name statfs_flag_names[] = {
	{1, "ST_RDONLY"}, {2, "ST_NOSUID"}, {4, "ST_NODEV"}, {8, "ST_NOEXEC"}, {0x10, "ST_SYNCHRONOUS"},
	{0x20, "ST_VALID"}, {0x40, "ST_MANDLOCK"}, {0x400, "ST_NOATIME"}, {0x800, "ST_NODIRATIME"},
	{0x1000, "ST_RELATIME"}, {0x2000, "ST_NOSYMFOLLOW"},
};
static const struct trace_name fsmagic_names[] = {
	{0xef53, "EXT2_SUPER_MAGIC"}, {0x58465342, "XFS_SUPER_MAGIC"}, {0x9123683e, "BTRFS_SUPER_MAGIC"},
	{0x01021994, "TMPFS_MAGIC"}, {0x9fa0, "PROC_SUPER_MAGIC"}, {0x62656572, "SYSFS_MAGIC"},
	{0x794c7630, "OVERLAYFS_SUPER_MAGIC"}, {0x1cd1, "DEVPTS_SUPER_MAGIC"}, {0x27e0eb, "CGROUP_SUPER_MAGIC"},
	{0x63677270, "CGROUP2_SUPER_MAGIC"}, {0x6969, "NFS_SUPER_MAGIC"}, {0x4d44, "MSDOS_SUPER_MAGIC"},
	{0x2011bab0, "EXFAT_SUPER_MAGIC"}, {0x65735546, "FUSE_SUPER_MAGIC"}, {0x858458f6, "RAMFS_MAGIC"},
	{0x73717368, "SQUASHFS_MAGIC"}, {0x64626720, "DEBUGFS_MAGIC"}, {0x74726163, "TRACEFS_MAGIC"},
	{0xcafe4a11, "BPF_FS_MAGIC"}, {0x50495045, "PIPEFS_MAGIC"}, {0x534f434b, "SOCKFS_MAGIC"},
	{0x19800202, "MQUEUE_MAGIC"}, {0x958458f6, "HUGETLBFS_MAGIC"}, {0x9660, "ISOFS_SUPER_MAGIC"},
	{0xf2f52010, "F2FS_SUPER_MAGIC"}, {0x6e736673, "NSFS_MAGIC"}, {0xde5e81e4, "EFIVARFS_MAGIC"},
	{0xff534d42, "CIFS_SUPER_MAGIC"}, {0x42494e4d, "BINFMTFS_MAGIC"}, {0x73636673, "SECURITYFS_MAGIC"},
	{0xf97cff8c, "SELINUX_MAGIC"}, {0x01021997, "V9FS_MAGIC"}, {0x2fc12fc1, "ZFS_SUPER_MAGIC"},
};
static const struct trace_name rw_hint_names[] = {
	{0, "RWH_WRITE_LIFE_NOT_SET"}, {1, "RWH_WRITE_LIFE_NONE"}, {2, "RWH_WRITE_LIFE_SHORT"},
	{3, "RWH_WRITE_LIFE_MEDIUM"}, {4, "RWH_WRITE_LIFE_LONG"}, {5, "RWH_WRITE_LIFE_EXTREME"},
};
static const struct trace_name quota_cmd_names[] = {
	{0x800001, "Q_SYNC"}, {0x800002, "Q_QUOTAON"}, {0x800003, "Q_QUOTAOFF"}, {0x800004, "Q_GETFMT"},
	{0x800005, "Q_GETINFO"}, {0x800006, "Q_SETINFO"}, {0x800007, "Q_GETQUOTA"}, {0x800008, "Q_SETQUOTA"},
	{0x800009, "Q_GETNEXTQUOTA"}, {0x5801, "Q_XQUOTAON"}, {0x5802, "Q_XQUOTAOFF"}, {0x5803, "Q_XGETQUOTA"},
	{0x5804, "Q_XSETQLIM"}, {0x5805, "Q_XGETQSTAT"}, {0x5806, "Q_XQUOTARM"}, {0x5807, "Q_XQUOTASYNC"},
	{0x5808, "Q_XGETQSTATV"}, {0x5809, "Q_XGETNEXTQUOTA"},
};
static const struct trace_name quota_type_names[] = { {0, "USRQUOTA"}, {1, "GRPQUOTA"}, {2, "PRJQUOTA"} };
static const struct trace_name iocb_cmd_names[] = {
	{0, "IOCB_CMD_PREAD"}, {1, "IOCB_CMD_PWRITE"}, {2, "IOCB_CMD_FSYNC"}, {3, "IOCB_CMD_FDSYNC"},
	{5, "IOCB_CMD_POLL"}, {6, "IOCB_CMD_NOOP"}, {7, "IOCB_CMD_PREADV"}, {8, "IOCB_CMD_PWRITEV"},
};
static const struct trace_name filetype_names[] = {
	X(S_IFIFO), X(S_IFCHR), X(S_IFDIR), X(S_IFBLK), X(S_IFREG), X(S_IFLNK), X(S_IFSOCK),
};

static const struct trace_set sets[] = {
	SET(open, "O_", .mask = 3),
	SET(at, "AT_"),
	SET(faccessat, "AT_"),
	SET(execveat, "AT_"),
	SET(handle_at, "AT_"),
	SET(statx_at, "AT_", .mask = 0x6000),
	SET(statx_mask, "STATX_"),
	SET(statx_attr, "STATX_ATTR_"),
	SET(seek, "SEEK_", .unknown = "SEEK_???"),
	SET(access, ""),
	SET(rwf, "RWF_"),
	SET(close_range, "CLOSE_RANGE_"),
	SET(fcntl, "F_", .unknown = "F_???"),
	SET(fd_flag, "FD_"),
	SET(lock, "F_"),
	SET(notify, "DN_"),
	SET(seal, "F_SEAL_"),
	SET(owner, "F_OWNER_"),
	SET(flock, "LOCK_"),
	SET(cloexec, "O_"),
	SET(pipe, "O_"),
	SET(splice, "SPLICE_F_"),
	SET(sync_file_range, "SYNC_FILE_RANGE_"),
	SET(fadvise, "POSIX_FADV_", .unknown = "POSIX_FADV_???"),
	SET(fallocate, "FALLOC_FL_"),
	SET(rename, "RENAME_"),
	SET(swap, "SWAP_FLAG_"),
	SET(mount, "MS_"),
	SET(umount, "MNT_"),
	SET(mount_attr, "MOUNT_ATTR_"),
	SET(mount_setattr_at, "AT_"),
	SET(move_mount, "MOVE_MOUNT_"),
	SET(open_tree, ""),
	SET(fsopen, "FSOPEN_"),
	SET(fsmount, "FSMOUNT_"),
	SET(fspick, "FSPICK_"),
	SET(fsconfig, "FSCONFIG_"),
	SET(listmount, "LISTMOUNT_"),
	SET(xattr, "XATTR_"),
	SET(inotify_init, "IN_"),
	SET(inotify, "IN_"),
	SET(fanotify_init, "FAN_", .mask = 0xc),
	SET(fanotify_mark, "FAN_MARK_"),
	SET(fanotify, "FAN_"),
	SET(epoll_create, "EPOLL_"),
	SET(epoll_ctl, "EPOLL_CTL_", .unknown = "EPOLL_CTL_???"),
	SET(epoll, "EPOLL"),
	SET(poll, "POLL"),
	SET(eventfd, "EFD_"),
	SET(signalfd, "SFD_"),
	SET(timerfd, "TFD_"),
	SET(timerfd_settime, "TFD_TIMER_"),
	SET(memfd, "MFD_", .mask = 0xfc000000),
	SET(userfaultfd, "O_"),
	SET(io_uring_setup, "IORING_SETUP_"),
	SET(io_uring_feat, "IORING_FEAT_"),
	SET(io_uring_enter, "IORING_ENTER_"),
	SET(io_uring_register, "IORING_"),
	SET(resolve, "RESOLVE_"),
	SET(statfs_flag, "ST_"),
	SET(fsmagic, ""),
	SET(rw_hint, "RWH_WRITE_LIFE_"),
	SET(quota_cmd, "Q_"),
	SET(quota_type, ""),
	SET(iocb_cmd, "IOCB_CMD_"),
	SET(filetype, "S_"),
};
/* clang-format on */

const struct trace_set_list trace_sets_file = {sets, ARRAY_SIZE(sets)};
