/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A user's own BPF object (--bpf FILE.bpf.o[:prog]): opened and checked, its globals set, loaded,
 * attached to events as their overflow handler, and its maps found again at the end. Printing the
 * maps is output/bpf-map.h.
 *
 * Order of calls: open, load, attach (after evlist__open(), before evlist__enable()), ..., detach,
 * print the maps, delete. Each step cleans up after itself when it fails; user_prog__delete() frees
 * whatever is left, so that no program, map or link outlives it.
 */
#ifndef PERF_BPF_USER_PROG_H
#define PERF_BPF_USER_PROG_H

#include <stdbool.h>

#include "compiler.h"
#include "errbuf.h"

struct btf;
struct evlist;
struct user_prog;

struct user_prog_opts {
	/* FILE.bpf.o or FILE.bpf.o:PROGRAM (the function's name). A file whose own name has a colon
	 * is found as well. */
	const char *spec;
	/* --bpf-var NAME=VALUE, in order. Integers of any size (decimal, 0x, 0 octal, 'c', true,
	 * false, an enumerator of an enum), char arrays (the text, NUL-padded). Out of range,
	 * unknown and malformed ones are refused. */
	const char *const *vars;
	int nr_vars;
	/* libbpf's own lines, without newline (shown under -v); NULL: dropped. */
	void (*debug)(void *ctx, const char *line);
	void *ctx;
};

/*
 * user_prog__open - reads and checks the object: NULL with errno and one line in @eb for a file
 * that is missing, not regular, truncated, not ELF, not BPF, of the other byte order, without a
 * program for events, or without program PROGRAM, and for a wrong @vars entry. @o is not kept.
 */
struct user_prog *user_prog__open(const struct user_prog_opts *o, struct errbuf *eb);

/*
 * user_prog__load - creates the maps and loads the programs. When the verifier refuses one, @eb
 * says which program, the failing source line (FILE:LINE and its text, where the object was built
 * with -g), the verifier's reason and the instruction; the whole log goes to opts.debug.
 */
int user_prog__load(struct user_prog *up, struct errbuf *eb);

/*
 * user_prog__attach - every descriptor of every event of @l (side-band dummies excepted) gets its
 * program: with one program it is that one; with several, as many as there are events, event i gets
 * program i in the order of the object. The event's index is the attach cookie
 * (bpf_get_attach_cookie()) on Linux 5.15 and later. A tracepoint event takes a program of section
 * tp/..., all others one of section perf_event.
 */
int user_prog__attach(struct user_prog *up, struct evlist *l, struct errbuf *eb);
/* user_prog__detach - the programs no longer run; maps stay readable. */
void user_prog__detach(struct user_prog *up);
void user_prog__delete(struct user_prog *up);

int user_prog__nr_programs(const struct user_prog *up); /* those chosen */
const char *user_prog__program_name(const struct user_prog *up, int idx);

/* What the kernel counted for the programs, for the ledger. */
struct user_prog_stats {
	u64 runs;	 /* times a program ran; 0 when !runs_known */
	u64 skipped;	 /* recursion_misses */
	bool runs_known; /* BPF statistics could be switched on (Linux 5.8) */
};
int user_prog__stats(const struct user_prog *up, struct user_prog_stats *st);

/* One map, for printing. Strings and BTF belong to the user_prog. */
struct user_map {
	const char *name; /* as in the source; ".bss", ".data", ".rodata" for globals */
	int fd;
	u32 type; /* BPF_MAP_TYPE_* */
	u32 key_size, value_size, max_entries;
	u32 key_type_id, value_type_id; /* in user_prog__btf(); 0: the object does not say */
	bool internal;			/* globals: value_type_id is a DATASEC */
};
int user_prog__nr_maps(const struct user_prog *up);
const struct user_map *user_prog__map(const struct user_prog *up, int idx);
const struct btf *user_prog__btf(const struct user_prog *up); /* NULL: object without BTF */

#endif
