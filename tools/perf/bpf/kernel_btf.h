/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An extract of the running kernel's BTF (/sys/kernel/btf/vmlinux) for libbpf to relocate programs
 * by. The whole has some 130,000 types in 5 MB, of which the trace programs look into a handful;
 * reading and indexing all of it takes longer than all the rest of loading but for the verifier.
 */
#ifndef PERF_BPF_KERNEL_BTF_H
#define PERF_BPF_KERNEL_BTF_H

#include <stdbool.h>

#include "compiler.h"

/* A struct, and those of its members that are needed, whose types come along; NULL: all. Or a
 * function, of which nothing but the id is wanted. */
struct kernel_btf_want {
	const char *name;
	const char *const *members; /* ended by NULL */
	u32 *kernel_id; /* where its id in the kernel's BTF goes, 0 for a function that is not there
			 */
	bool func;
};

/*
 * kernel_btf__extract - a file in memory with @want (ended by a NULL name), of the BTF file @path
 * (NULL: the running kernel's). Its descriptor, to be given to libbpf as /proc/self/fd/N; or
 * -errno: -ENOENT when something is not there under that name, -EBADMSG when the file is not
 * understood. The caller then takes the whole.
 */
int kernel_btf__extract(const char *path, const struct kernel_btf_want *want);

/* Such an extract under a path of its own; all zero: none. */
struct kernel_btf_file {
	int fd;
	char path[32];
};

/*
 * kernel_btf__open - what to give to libbpf as bpf_object_open_opts.btf_custom_path: the path of an
 * extract of the running kernel's types, or NULL, where that cannot be made, for all of them. It
 * has to stay until the object has been loaded.
 */
const char *kernel_btf__open(struct kernel_btf_file *f, const struct kernel_btf_want *want);
void kernel_btf__close(struct kernel_btf_file *f);

#endif
