/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A machine is what was recorded (live: this host; from a file: the recorded one): its kernel maps
 * and its threads with their user maps through time. Fed with side-band records, it answers "what
 * code was at this address, in this process, then".
 *
 * Time matters: a process that execs gets a new image; the old one stays findable by time until
 * machine__prune(). A map that is replaced (mmap over it) shadows the older one from its own time
 * on.
 */
#ifndef PERF_SESSION_MACHINE_H
#define PERF_SESSION_MACHINE_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <sys/types.h>

#include "compiler.h"
#include "errbuf.h"
#include "lib/symbol/dso.h"

struct machine;
struct thread;
struct map; /* [start, end) of one image of one process, pgoff, prot, dso */

struct machine_opts {
	bool live; /* read this host's /proc for what ran before (threads, maps, kallsyms, modules)
		    */
	bool kernel_syms;     /* load kernel symbols (false: another machine's file) */
	const char *kallsyms; /* --kallsyms FILE, or NULL: /proc/kallsyms */
	int kallsyms_fd;      /* in place of it, 0: none; borrowed */
	const char *vmlinux;  /* or NULL */
	struct dsos *dsos;    /* borrowed: symbol files, shared between machines */
};

struct machine *machine__new(const struct machine_opts *o, struct errbuf *eb);
void machine__delete(struct machine *m);

/*
 * machine__process - one side-band record in the host's byte order: MMAP, MMAP2, COMM, FORK, EXIT,
 * KSYMBOL, NAMESPACES, CGROUP, TEXT_POKE. @time: ns of the record's clock (0: before all). Sizes
 * are checked; -EBADMSG for a malformed one; others are ignored (0).
 */
int machine__process(struct machine *m, const struct perf_event_header *ev, u64 time);
/* machine__scan_proc - threads and maps that exist now, from /proc, as of @time; all processes, or
 * only @pids. Processes that end meanwhile are skipped. Only processes that machine__process() has
 * not seen yet are filled. */
int machine__scan_proc(struct machine *m, const pid_t *pids, int nr_pids, u64 time);
/* machine__scan_pid - the same for one process found on the fly (a sample of a pid never seen).
 * Cheap when already known. */
int machine__scan_pid(struct machine *m, pid_t pid, u64 time);

/* machine__thread - the thread as of @time (never NULL except for lack of memory: an unknown one is
 * made, comm ":TID"). */
struct thread *machine__thread(struct machine *m, pid_t pid, pid_t tid, u64 time);
pid_t thread__pid(const struct thread *t);
pid_t thread__tid(const struct thread *t);
const char *thread__comm(const struct thread *t,
			 u64 time); /* name as of @time, owned by the thread */
/* thread__image_id - distinguishes the images (execs, reuses) of a pid in this run; stable for the
 * machine's life. */
u64 thread__image_id(const struct thread *t, u64 time);

struct addr_location {
	struct thread *thread;	  /* may be NULL (no pid) */
	struct map *map;	  /* NULL: no map covers the address */
	struct dso *dso;	  /* NULL likewise */
	const struct symbol *sym; /* NULL: no symbol */
	u64 ip;			  /* as sampled */
	u64 addr;   /* in the dso's own address space (ELF virtual address; kernel: the address
		       itself) */
	u8 cpumode; /* PERF_RECORD_MISC_KERNEL, _USER, ... as found */
};
/* machine__resolve - @cpumode PERF_RECORD_MISC_CPUMODE_UNKNOWN: by the address. Fills @al in any
 * case; 0 when a map was found, -ENOENT otherwise. Loads the dso's symbols at first use. */
int machine__resolve(struct machine *m, pid_t pid, pid_t tid, u8 cpumode, u64 ip, u64 time,
		     struct addr_location *al);
/* machine__find_map - as above without symbols: only thread, map, dso, addr. */
int machine__find_map(struct machine *m, pid_t pid, pid_t tid, u8 cpumode, u64 ip, u64 time,
		      struct addr_location *al);
/* machine__prune - forgets images, maps and threads that ended or were shadowed before @time:
 * bounded memory in long runs. A machine that is not live does so by itself, ten seconds of the
 * recording behind. */
void machine__prune(struct machine *m, u64 time);
/* machine__kernel_restricted - kallsyms has only zero addresses (kptr_restrict); the command says
 * so. */
bool machine__kernel_restricted(const struct machine *m);

u64 map__start(const struct map *map);
u64 map__end(const struct map *map);
u64 map__pgoff(const struct map *map);
struct dso *map__dso(const struct map *map);
/* map__ip2addr - run-time address to the dso's own (by its program headers). */
u64 map__ip2addr(struct map *map, u64 ip);
/* map__ip2offset - run-time address to the place in the mapped file, which is what perf prints for
 * user code; run-time addresses that no file backs (kernel, JIT) stay as they are. */
u64 map__ip2offset(const struct map *map, u64 ip);
/* map__addr2ip - the way back from map__ip2addr(). */
u64 map__addr2ip(struct map *map, u64 addr);

#endif
