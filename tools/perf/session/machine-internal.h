/* SPDX-License-Identifier: GPL-2.0-only */
/* What the parts of the machine (machine, thread, map) share; nobody else includes this. */
#ifndef PERF_SESSION_MACHINE_INTERNAL_H
#define PERF_SESSION_MACHINE_INTERNAL_H

#include <uthash.h>

#include "session/machine.h"

/* One mapping. It is never changed once it can have been handed out: what is left of a map that is
 * partly covered by a newer one is a new map. */
struct map {
	u64 start, end, pgoff;
	u64 since, until; /* [since, until); until is UINT64_MAX for one that is still there */
	s64 shift;	  /* kernel: recorded address minus the one in this dso (KASLR) */
	u32 prot;
	bool identity; /* the dso's addresses are run-time addresses */
	struct dso *dso;
};

/* An address space between two execs (or the kernel's). */
struct image {
	u64 id;
	u64 start;
	struct image *older;  /* of the same process */
	struct image *parent; /* what fork inherited, as of fork_time; a reference */
	u64 fork_time;
	u32 refs, depth;
	bool complete; /* began with an exec that was seen: nothing to learn from /proc */
	bool scanned;
	u32 gen;     /* changes with the maps: cached answers go stale */
	u32 nr, cap; /* now: sorted, no overlaps */
	struct map **cur;
	u32 nr_old, cap_old; /* shadowed ones, in no order */
	struct map **old;
};

struct process {
	UT_hash_handle hh; /* by pid: the newest of that number */
	pid_t pid, ppid;   /* ppid 0: unknown */
	struct process *older;
	u64 start, end;
	bool fork_seen;
	u32 alive; /* threads */
	u32 nr_threads;
	struct image *images; /* newest first, never empty */
	u64 mnt_ns;	      /* inode of its mount namespace, 0: not recorded */
};

struct comm {
	UT_hash_handle hh;
	char name[];
};

struct comm_change {
	u64 time;
	const struct comm *comm;
};

struct thread {
	UT_hash_handle hh; /* by tid: the newest of that number */
	pid_t pid, tid;
	struct thread *older;
	struct process *proc;
	u64 start, end;
	u32 nr_comms, cap_comms;
	struct comm_change *comms; /* by time */
	struct comm_change first;  /* room for the common case */
};

#define CACHE_BITS 13

struct cache_entry {
	const struct image *image;
	u64 ip, since;
	u32 gen;
	struct map *map;
	const struct symbol *sym;
	u64 addr;
};

struct machine {
	struct machine_opts opts;
	char *kallsyms_path, *vmlinux_path;
	struct dsos *dsos;
	struct process *processes;
	struct thread *threads;
	struct comm *comms;
	struct thread *recent[256]; /* by tid: the last one asked for */
	u64 next_image;
	struct image *kernel;
	bool kernel_loaded, restricted;
	u32 kernel_misses;
	u32 ended;	  /* threads since the last pruning */
	u64 modules_hash; /* of /proc/modules when kallsyms was read */
	u64 kernel_ref;	  /* the recorded address of kernel_ref_name, 0: not recorded */
	char kernel_ref_name[64];
	struct cache_entry cache[1 << CACHE_BITS];
};

/* map.c */
struct image *image__new(struct machine *m, u64 start);
void image__put(struct image *im);
/* image__insert - takes over @map. 0 or -ENOMEM (and @map freed). */
int image__insert(struct image *im, struct map *map);
struct map *image__find(const struct image *im, u64 ip, u64 time);
/* image__unmap - the map at @start is gone from @time on. */
void image__unmap(struct image *im, u64 start, u64 time);
void image__prune(struct image *im, u64 time);
int image__inherit(struct image *child, struct image *parent, u64 time);
struct map *map__new(u64 start, u64 end, u64 pgoff, u32 prot, u64 since, struct dso *dso);
void map__delete(struct map *map);

/* thread.c */
struct process *machine__process_at(struct machine *m, pid_t pid, u64 time);
struct process *machine__process_new(struct machine *m, pid_t pid, u64 start);
struct image *process__image_at(const struct process *p, u64 time);
struct image *process__exec(struct machine *m, struct process *p, u64 time);
/* machine__thread_known - the thread as of @time or NULL, never made. */
struct thread *machine__thread_known(struct machine *m, pid_t pid, pid_t tid, u64 time);
struct thread *machine__thread_new(struct machine *m, struct process *p, pid_t tid, u64 start);
int thread__set_comm(struct machine *m, struct thread *t, const char *comm, u64 time);
void machine__free_threads(struct machine *m);

/* machine-proc.c */
/* machine__add_user_map - decides what kind of object @id->path is and maps it. */
int machine__add_user_map(struct machine *m, struct image *im, struct dso_ident *id, u64 pgoff,
			  u32 prot, u64 time);

/* machine-kernel.c */
void machine__load_kernel(struct machine *m);
/* machine__reload_modules - looks for modules loaded since, after a miss; true when there are. */
bool machine__reload_modules(struct machine *m);
int machine__kernel_mmap(struct machine *m, const char *name, u64 start, u64 len, u64 pgoff);
int machine__ksymbol(struct machine *m, u64 addr, u32 len, const char *name, bool gone, u64 time);

#endif
