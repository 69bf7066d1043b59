/* SPDX-License-Identifier: GPL-2.0-only */
/* What the parts of user_prog share with each other: the file, its globals, the verifier's log. */
#ifndef PERF_BPF_USER_PROG_PRIV_H
#define PERF_BPF_USER_PROG_PRIV_H

#include <stddef.h>

#include "bpf/user_prog.h"
#include "compiler.h"
#include "errbuf.h"

struct bpf_map;
struct bpf_object;
struct bpf_program;
struct btf;

/* An object file in memory. */
struct bpf_image {
	void *data;
	size_t size;
};

struct user_program {
	struct bpf_program *prog;
	char *log; /* the verifier's, while loading */
};

struct user_prog {
	char *path;
	const char *wanted; /* the :PROGRAM part, inside path's allocation; or NULL */
	struct bpf_image image;
	struct bpf_object *obj;
	struct user_program *progs;
	int nr_progs;
	struct {
		struct bpf_map *map;
		struct user_map pub;
	} * maps;
	int nr_maps;
	int *links; /* descriptors of perf links */
	int nr_links, cap_links;
	int stats_fd;	    /* switches run counting on while open */
	char warning[1024]; /* libbpf's last */
	void (*debug)(void *ctx, const char *line);
	void *debug_ctx;
};

/* bpf_image__read - the whole of @path, which must be a regular file of at most 64 MiB; checked to
 * be an ELF object for BPF in this host's byte order with all of its sections inside the file. */
int bpf_image__read(struct bpf_image *img, const char *path, struct errbuf *eb);
void bpf_image__free(struct bpf_image *img);
/* bpf_image__section - a section's bytes by name, or NULL. Points into the image. */
const void *bpf_image__section(const struct bpf_image *img, const char *name, size_t *size);

/*
 * bpf_image__convert_maps - objects from before BTF describe maps as structs (type, key_size,
 * value_size, max_entries, map_flags: five u32) in section "maps", which libbpf 1.x no longer
 * reads. Such an object is rewritten: the section becomes ".maps" and gets a BTF that says the
 * same. 0 also when there is no such section.
 */
int bpf_image__convert_maps(struct bpf_image *img, const char *path, struct errbuf *eb);

/* bpf_image__check_btf - every type id, name and chain of its BTF is good. 0 also without BTF. */
int bpf_image__check_btf(const struct bpf_image *img, const char *path, struct errbuf *eb);

/* user_vars__set - one NAME=VALUE into the object's initial data. */
int user_vars__set(struct bpf_object *obj, const char *assignment, struct errbuf *eb);

/*
 * verifier_log__explain - appends to @eb what the verifier said about program @prog: the source
 * line that failed with FILE:LINE (from the image's .BTF and .BTF.ext), the reason, the
 * instruction. @log need not be complete. @prog_section: the ELF section of @prog.
 */
void verifier_log__explain(const struct bpf_image *img, const struct btf *btf, const char *prog,
			   const char *prog_section, const char *log, struct errbuf *eb);

#endif
