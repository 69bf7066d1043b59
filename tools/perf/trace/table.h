/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The one system call table. For each call: its name, its arguments' names (the kernel's own
 * SYSCALL_DEFINE names, as upstream's perf trace prints them) and kinds, its groups, what its
 * result is, and, derived from these, the memory an engine has to capture. The table is data
 * (tables-calls-*.c, a small language described there), compiled once at start.
 *
 * Numbers are per ABI: TRACE_ABI_64 is the machine's own 64-bit ABI (x86-64 or arm64), TRACE_ABI_32
 * i386 on x86-64.
 */
#ifndef PERF_TRACE_TABLE_H
#define PERF_TRACE_TABLE_H

#include <stdbool.h>

#include "compiler.h"
#include "errbuf.h"
#include "trace/record.h"

enum trace_group {
	TG_FILE = 1 << 0,    /* takes a file name */
	TG_DESC = 1 << 1,    /* takes or returns a file descriptor */
	TG_NETWORK = 1 << 2, /* sockets */
	TG_PROCESS = 1 << 3, /* life cycle of processes */
	TG_MEMORY = 1 << 4,  /* memory mappings */
	TG_SIGNAL = 1 << 5,
	TG_IPC = 1 << 6, /* System V IPC */
	TG_CLOCK = 1 << 7,
	TG_CREDS = 1 << 8,
	TG_STAT_KIN = 1 << 9, /* %%stat: stat and its kin by descriptor or name */
	TG_PURE = 1 << 10,    /* no arguments, cannot fail: getpid ... */
	TG_STAT = 1 << 11,    /* %stat: stat alone */
};

/* What an argument (or a struct's field) is. */
enum trace_kind {
	TK_INT,	  /* s32 */
	TK_UINT,  /* u32 */
	TK_LONG,  /* signed, of the ABI's long */
	TK_ULONG, /* unsigned, likewise */
	TK_HEX,	  /* printed as 0x... */
	TK_OCT,	  /* printed in octal */
	TK_PTR,	  /* an address that is not followed; NULL */
	TK_FD,	  /* file descriptor */
	TK_DFD,	  /* directory descriptor or AT_FDCWD */
	TK_PID,
	TK_UID,	   /* -1 means "leave", printed so */
	TK_SIGNAL, /* signal number */
	TK_MODE,   /* file mode: octal permissions, type by name where there is one */
	TK_DEV,	   /* device number */
	TK_FLAGS,  /* OR of names of .set */
	TK_ENUM,   /* one name of .set */
	TK_PATH,   /* string: whole up to TRACE_PATH_MAX */
	TK_STR,	   /* string: cut at the limit */
	TK_BUF,	   /* bytes */
	TK_STRUCT, /* struct .type */
	TK_ARRAY,  /* array of .type */
	TK_IOVEC,
	TK_MSGHDR,
	TK_MMSGHDR,
	TK_SOCKADDR,
	TK_ARGV,
	TK_ENVP,
	TK_FDSET,
	TK_UNUSED,  /* padding of an ABI: not printed */
	TK_HIGH,    /* upper half of the argument before (32-bit offsets in two registers) */
	TK_SPECIAL, /* decoded by a function of the call's own: ioctl, fcntl, prctl, futex ... */
};

enum trace_ret {
	TR_RET_INT,  /* decimal */
	TR_RET_FD,   /* a new file descriptor */
	TR_RET_HEX,  /* an address */
	TR_RET_PID,  /* a child */
	TR_RET_POLL, /* 0 means "(Timeout)" */
	TR_RET_MODE, /* octal: umask */
	TR_RET_NONE, /* does not return */
};

struct trace_set;  /* names of flags or enum values: set.h */
struct trace_type; /* layout of a struct: type.h */
struct trace_types;

struct trace_arg {
	const char *name;
	u8 name_len;
	u8 kind;     /* enum trace_kind */
	u8 dir;	     /* CAP_ENTRY, CAP_EXIT bits: when its memory is read */
	u8 len_from; /* enum trace_len_from, for what has a length */
	u8 len_arg;
	u8 cond;	 /* shown only if: enum trace_cond */
	u8 special;	 /* TK_SPECIAL: index of the function */
	bool show_zero;	 /* printed by upstream's format also when 0 */
	bool strace_hex; /* a length argument whose pointee is the buffer's real length */
	u16 size;	 /* of .type's element, bytes */
	const struct trace_set *set;
	const struct trace_type *type;
};

struct trace_call {
	const char *name;
	u8 name_len;
	u8 nr_args;
	u8 ret;	    /* enum trace_ret */
	u8 flags;   /* TRACE_ROW_* */
	u16 id;	    /* index in the table, stable within a run */
	u16 action; /* what it does to descriptors: enum trace_fd_action */
	u32 groups; /* TG_* */
	struct trace_arg args[TRACE_NR_ARGS];
};

struct trace_table;

/* trace_table__new - compiles the table for this machine. NULL with errno and @eb when the data is
 * malformed (a test says it is not) or memory is short. */
struct trace_table *trace_table__new(struct errbuf *eb);
void trace_table__delete(struct trace_table *t);

/* trace_table__lookup - the call with number @nr of @abi; NULL for a number that has no call. */
const struct trace_call *trace_table__lookup(const struct trace_table *t, int abi, int nr);
/* trace_table__nr - one more than the highest number of @abi. */
int trace_table__nr(const struct trace_table *t, int abi);
/* trace_table__types - the struct layouts that the table refers to. */
const struct trace_types *trace_table__types(const struct trace_table *t);
/* trace_table__number - the number of call @name in @abi (either the kernel's or strace's spelling:
 * umount2/umount, newfstatat/fstatat ...), -1 when it has none. */
int trace_table__number(const struct trace_table *t, int abi, const char *name);

/*
 * trace_table__capture_row - what an engine has to read for this call: the row for the generic
 * capture program. @string_limit bounds CAP_BUFFER and I/O vectors (the engine cuts there; longer
 * ones arrive as BLOB_CUT). Returns 0, or -ENOENT for an unknown number (row zeroed: nothing to
 * capture).
 */
int trace_table__capture_row(const struct trace_table *t, int abi, int nr, u32 string_limit,
			     struct trace_capture_row *row);

/* trace_errno__name - "ENOENT" for 2, also ERESTARTSYS (512) and its kin; NULL when unknown. */
const char *trace_errno__name(int err);
/* trace_errno__text - "No such file or directory"; "Unknown error N" for others (static buffer). */
const char *trace_errno__text(int err);
/* trace_errno__number - 2 for "ENOENT", 0 when unknown. */
int trace_errno__number(const char *name);
/* trace_signal__name - "SIGINT"; NULL when there is none of that number. Real-time ones: "SIGRT_3"
 * as strace writes them. */
const char *trace_signal__name(int sig);

/*
 * A set of calls, from -e: comma-separated names, globs (`open*`), groups (`%file`, also
 * `trace=file` and `file` as strace has them), numbers; a leading `!` takes the whole complement.
 */
struct trace_callset {
	u64 bits[3][(1024 + 63) / 64]; /* [abi][nr / 64] */
};
static inline bool trace_callset__has(const struct trace_callset *s, int abi, int nr)
{
	return (unsigned int)abi < 3 && (unsigned int)nr < 1024 &&
	       s->bits[abi][nr / 64] >> (nr % 64) & 1;
}
void trace_callset__set(struct trace_callset *s, int abi, int nr);
/* trace_callset__fd_calls - adds every call that makes, copies or closes descriptors, forks, execs
 * or changes the directory: what decoder__update() has to see. */
void trace_callset__fd_calls(struct trace_callset *s, const struct trace_table *t);
bool trace_callset__empty(const struct trace_callset *s);
void trace_callset__fill(struct trace_callset *s, const struct trace_table *t);
/*
 * trace_callset__parse - adds to @s what @expr names (several -e add up; one that begins with `!`
 * takes its calls out, from all when @s was empty). 0, or -EINVAL with the nearest name in @eb. A
 * word of the form sys:name (another tracepoint) is not for here: -ENOENT, nothing changed.
 */
int trace_callset__parse(struct trace_callset *s, const struct trace_table *t, const char *expr,
			 struct errbuf *eb);

#endif
