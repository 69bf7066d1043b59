/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The maps of a user's BPF object, printed by their BTF: tables of key and value columns for maps
 * of integers, strings and flat structs, C-like text for anything deeper, log2 histograms for
 * arrays of counters named "slots", stacks for stack trace maps, NAME = VALUE lines for globals.
 * Per-CPU maps are summed. Addresses are symbolized: a pointer, or an 8-byte integer whose field,
 * typedef or map carries one of the names ip, addr, address, pc (as a whole or as a word of it:
 * ip_map) or
 * --address-key.
 */
#ifndef PERF_OUTPUT_BPF_MAP_H
#define PERF_OUTPUT_BPF_MAP_H

#include <stdbool.h>
#include <sys/types.h>

#include "compiler.h"
#include "errbuf.h"
#include "lib/api/outbuf.h"

struct user_prog;

/* An address in words; strings stay valid until the next call. */
struct bpf_map_sym {
	const char *sym; /* NULL: unknown */
	const char *dso; /* NULL: unknown */
};

struct bpf_map_print_opts {
	bool json;
	bool reverse;		 /* hottest first */
	u64 max_rows;		 /* of each map, the hottest; 0: all */
	double percent_limit;	 /* leave out rows below; 0: none */
	int width;		 /* columns of the terminal, 0: not a terminal */
	const char *address_key; /* --address-key NAME, or NULL */
	/* symbolize - @pid is the key's pid or tgid field, -1 when the key has none. NULL:
	 * addresses stay numbers. */
	void (*symbolize)(void *ctx, pid_t pid, u64 addr, struct bpf_map_sym *out);
	void *ctx;
};

/*
 * bpf_maps__print - every map of @up. In JSON: the array of maps alone,
 * [{"name":..,"type":..,"entries":[{"key":..,"value":..},..]},..], for the caller to put into its
 * object. Maps that have nothing to read (ring buffers, perf event arrays) are named with their
 * type. 0, or -errno with @eb when a map could not be read.
 */
int bpf_maps__print(const struct user_prog *up, struct outbuf *ob,
		    const struct bpf_map_print_opts *o, struct errbuf *eb);

#endif
