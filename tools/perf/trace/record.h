/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What an engine (bpf or ptrace) hands up for one system call, and what the table asks an engine to
 * capture. Shared with the BPF programs: fixed-size types only, no pointers.
 */
#ifndef PERF_TRACE_RECORD_H
#define PERF_TRACE_RECORD_H

#ifndef __bpf__
#include "compiler.h"
#endif

#define TRACE_NR_ARGS 6
#define TRACE_MAX_CAPTURES 6
#define TRACE_PATH_MAX 4096

enum trace_abi {
	TRACE_ABI_64 = 0,
	TRACE_ABI_32 = 1 /* int $0x80 and 32-bit programs */,
	TRACE_ABI_X32 = 2
};

enum trace_capture_kind {
	CAP_NONE,
	CAP_STRING,  /* NUL-terminated, up to TRACE_PATH_MAX */
	CAP_BUFFER,  /* bytes; length from .len_from, cut at --string-limit */
	CAP_STRUCT,  /* .size bytes */
	CAP_ARRAY,   /* .len_from counts elements of .size bytes */
	CAP_IOVEC,   /* iovec[], and the buffers they name; element count by .len_from, total by the
			result if out */
	CAP_MSGHDR,  /* msghdr, its name, iovecs with buffers, control */
	CAP_MMSGHDR, /* array of them */
	CAP_SOCKADDR, /* length by value in .len_arg, or by u32 *in .len_arg (len_deref) */
	CAP_ARGV,     /* NULL-terminated array of strings */
	CAP_FDSET,    /* fd_set of nfds = .len_arg bits */
};

enum trace_capture_when { /* both: read twice, two blobs */
			  CAP_ENTRY = 1,
			  CAP_EXIT = 2 /* only when ret >= 0, unless CAP_ON_ERROR */,
			  CAP_ON_ERROR = 4,
			  CAP_OPTIONAL =
				  8, /* may be no pointer at all (ioctl's, fcntl's, prctl's
					argument): what cannot be read is left out and is no loss */
};

enum trace_len_from {
	LEN_CONST,
	LEN_ARG /* value of argument .len_arg */,
	LEN_DEREF /* u32 at argument .len_arg */,
	LEN_RET
};

struct trace_capture {
	u8 arg;	     /* 0..5: which argument holds the address */
	u8 kind;     /* enum trace_capture_kind */
	u8 when;     /* enum trace_capture_when bits */
	u8 len_from; /* enum trace_len_from */
	u8 len_arg;
	u8 pad;
	u16 size; /* of a struct or element; CAP_BUFFER, CAP_IOVEC...: at most so many bytes of each
		     buffer (--string-limit); cap for LEN_CONST */
};

/* One row a (abi, number), in the map that drives the generic capture program. */
struct trace_capture_row {
	u8 nr;	  /* used captures */
	u8 flags; /* TRACE_ROW_* */
	/* bits: captures made on entry; on exit of calls that did not fail; of those that did */
	u8 early, late, late_failed;
	u8 pad[3]; /* to a multiple of 8, the stride of BPF arrays */
	struct trace_capture cap[TRACE_MAX_CAPTURES];
};
#define TRACE_ROW_NORETURN 1 /* exit, exit_group, rt_sigreturn of some ABIs: emitted on entry */
#define TRACE_ROW_TRACED 2   /* asked for by -e; others are counted or skipped */
#define TRACE_ROW_FOLLOW 4   /* makes, copies or closes descriptors: the decoder has to see it */
#define TRACE_ROW_HIDDEN 8   /* traced for that reason alone, not asked for */

enum trace_blob_status {
	BLOB_OK,
	BLOB_CUT,	 /* longer than the limit: orig_len tells */
	BLOB_UNREADABLE, /* memory could not be read, neither at entry nor exit nor by the tool:
			    counted in the ledger */
	BLOB_FAULT,	 /* the address is truly bad (the call returned EFAULT, or NULL given) */
};

/*
 * Captured memory: follows the record, each blob aligned to 8 bytes. The payload by kind:
 *   CAP_STRING   the bytes without the NUL
 *   CAP_BUFFER, CAP_STRUCT, CAP_ARRAY, CAP_SOCKADDR, CAP_FDSET   the bytes
 *   CAP_ARGV     the strings, each with its NUL, one behind the other
 *   CAP_IOVEC    `head` bytes of iovec[] as the ABI has it, then for each of them an element: u32
 *                length, the bytes, padding to 4. Elements can be fewer than iovecs when cut.
 *   CAP_MSGHDR   `head` bytes of msghdr as the ABI has it, then elements: the name, the iovec[],
 * each iovec's buffer, the control message CAP_MMSGHDR  `head` bytes of mmsghdr[], then for each
 * message the elements of CAP_MSGHDR
 */
struct trace_blob {
	u8 arg;
	u8 kind;
	u8 when;      /* CAP_ENTRY or CAP_EXIT */
	u8 status;    /* enum trace_blob_status */
	u32 len;      /* bytes that follow */
	u32 orig_len; /* bytes that the call had, where longer (unknown for a string: len + 1); else
			 == len; number of elements for CAP_ARGV, CAP_IOVEC, CAP_ARRAY, CAP_MMSGHDR
		       */
	u32 head;
	/* u8 data[len], then padding to 8 */
};

/* TR_NO_ENTRY, the first record of a thread: the argument that holds the process that made it (bpf
 * engine; 0: unknown). */
#define TRACE_ARG_PARENT 5

enum trace_record_flags {
	TR_NO_ENTRY = 1, /* in the call at attach, or the clone/exec that began the thread: no
			    duration, time_enter = 0 */
	TR_NO_EXIT = 2,	 /* never returns, or still in flight at the end: ret is invalid */
	TR_STACK = 4,	 /* a user call stack follows the blobs: u32 nr, u32 pad, u64 ips[nr] */
	TR_EVENT = 8,	 /* not a call: another tracepoint, a page fault, a sched event; nr is the
			    event's index, raw data in one blob */
	TR_SIGNAL = 16,	 /* a signal was delivered (strace's --- SIGx ---): args[0] = number, blob =
			    siginfo */
	TR_EXITED = 32,	 /* the thread ended: args[0] = wait status (+++ exited with N +++) */
	TR_HIDDEN = 64,	 /* not asked for (TRACE_ROW_HIDDEN), or left out by a filter: for the
			    decoder's table of descriptors alone */
	TR_FOLLOW = 128, /* TRACE_ROW_FOLLOW */
};

struct trace_record {
	u32 size; /* of all, with blobs and padding, multiple of 8 */
	u16 flags;
	u8 abi;
	u8 nr_blobs;
	u32 cpu;      /* of the exit (or entry for TR_NO_EXIT) */
	s32 nr;	      /* call number in its ABI */
	u32 pid, tid; /* in the tool's pid namespace (bpf engine: init's, translated) */
	u64 seq;      /* counts this thread's records: a gap would be a loss */
	u64 time_enter, time_exit; /* ns, CLOCK_MONOTONIC */
	s64 ret;
	u64 args[TRACE_NR_ARGS];
	char comm[16];
};

#ifndef __bpf__
#include <stdbool.h>
#include <string.h>

/* Two comm[16]; without a call. */
static inline bool same_comm(const char *a, const char *b)
{
	u64 x[2], y[2];

	memcpy(x, a, 16);
	memcpy(y, b, 16);
	return !((x[0] ^ y[0]) | (x[1] ^ y[1]));
}
#endif

#endif
