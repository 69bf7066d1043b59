/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From a struct trace_record with its blobs to text. One core, three styles: upstream's perf trace
 * (`fd: 3</etc/passwd>, flags: RDONLY|CLOEXEC`), strace's (`3</etc/passwd>, O_RDONLY|O_CLOEXEC`),
 * JSON
 * (`"fd":3,"flags":"RDONLY|CLOEXEC"`). No allocation a record; every size in a record is checked.
 *
 * The decoder keeps what needs memory between calls: each process's descriptors and threads' names.
 * decoder__update() must see every record once, in the order of time, after it was printed.
 */
#ifndef PERF_TRACE_DECODE_H
#define PERF_TRACE_DECODE_H

#include <stdbool.h>

#include "compiler.h"
#include "errbuf.h"
#include "lib/api/outbuf.h"
#include "trace/record.h"
#include "trace/table.h"

enum trace_style { TRACE_STYLE_PERF, TRACE_STYLE_STRACE, TRACE_STYLE_JSON };

struct decoder_opts {
	enum trace_style style;
	u32 string_limit; /* bytes of a buffer that are shown; 0: decoder__string_limit() */
	bool fd_paths;	  /* print 3</etc/passwd> (strace -y; upstream's default) */
	bool know_fds;	  /* know them even so, for who asks */
	bool show_zeros;  /* upstream style: print arguments that are 0 as well */
	bool all_members; /* structs in full (strace -v) instead of their telling members; JSON
			     always */
	bool no_proc;	  /* never look into /proc (records of another machine, tests) */
	bool no_btf;	  /* never load the kernel's BTF (tests) */
};

struct decoder;

/* decoder__string_limit - the style's own default: 64, strace's 32. */
u32 decoder__string_limit(enum trace_style style);
struct decoder *decoder__new(const struct trace_table *t, const struct decoder_opts *o,
			     struct errbuf *eb);
void decoder__delete(struct decoder *d);

/* The record's call; for a number without a name a synthetic one, "syscall_1234", six hex
 * arguments. */
const struct trace_call *decoder__call(struct decoder *d, const struct trace_record *r);
/* decoder__check - 0 when the record and all its blobs lie within @size bytes, else -EBADMSG. To be
 * called once before anything else. */
int decoder__check(const struct trace_record *r, u32 size);
/* decoder__args - the arguments, without parentheses. Out arguments only where the record has an
 * exit. */
void decoder__args(struct decoder *d, const struct trace_record *r, struct outbuf *ob);
/*
 * decoder__args_entry - what strace prints of a call that another thread's line interrupts: the
 * arguments up to the first that the kernel fills in. decoder__args_rest - the others, with their
 * leading comma's blank already printed by the former. In the other styles the former prints all
 * (as they were at entry), the latter none.
 */
void decoder__args_entry(struct decoder *d, const struct trace_record *r, struct outbuf *ob);
void decoder__args_rest(struct decoder *d, const struct trace_record *r, struct outbuf *ob);
/* decoder__ret - what follows "= " : `3`, `-1 ENOENT (No such file or directory)`, `0x7f...`,
 * `0 (Timeout)`, `?`. Not for JSON. */
void decoder__ret(struct decoder *d, const struct trace_record *r, struct outbuf *ob);
/* decoder__siginfo - a TR_SIGNAL record's siginfo in the style: {si_signo=SIGINT, ...}. */
void decoder__siginfo(struct decoder *d, const struct trace_record *r, struct outbuf *ob);
/* decoder__update - the record's effect on descriptors and names (open, close, dup, socket, fork,
 * exec ...). */
void decoder__update(struct decoder *d, const struct trace_record *r);

/* decoder__attach - process @pid is traced from now on: its descriptors, directory and name as they
 * are. To be called for targets and a workload that is held; not needed for children. */
void decoder__attach(struct decoder *d, u32 pid);
/* decoder__begin - a call's record is next: after a gap in its thread's sequence (records were
 * dropped) nothing that is known of its process's descriptors holds any more. To be called before
 * the record is filtered or printed. */
void decoder__begin(struct decoder *d, const struct trace_record *r);
/* decoder__fd_path - path or name of @fd in process @pid as far as known, NULL else. Valid until
 * the next decoder call. */
const char *decoder__fd_path(struct decoder *d, u32 pid, int fd);
/* decoder__generation - another number whenever the same record might be printed in another way
 * than before, by what is known of descriptors, directories and names. */
u64 decoder__generation(const struct decoder *d);
/* decoder__comm - name of thread @tid as far as known, NULL else. */
const char *decoder__comm(struct decoder *d, u32 tid);

/* record__blob - the blob of argument @arg captured at @when (CAP_ENTRY, CAP_EXIT; both: either,
 * exit first), NULL when there is none. */
const struct trace_blob *record__blob(const struct trace_record *r, int arg, int when);
static inline const u8 *blob__data(const struct trace_blob *b)
{
	return (const u8 *)(b + 1);
}
/* record__stack - TR_STACK's addresses; returns their number. */
u32 record__stack(const struct trace_record *r, const u64 **ips);

#endif
