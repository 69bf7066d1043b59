/* SPDX-License-Identifier: GPL-2.0-only */
/* What the parts of lib/symbol share about a dso; nobody else includes this. */
#ifndef PERF_LIB_SYMBOL_DSO_INTERNAL_H
#define PERF_LIB_SYMBOL_DSO_INTERNAL_H

#include <sys/queue.h>
#include <uthash.h>

#include "lib/symbol/dso.h"
#include "lib/symbol/elf-image.h"
#include "lib/symbol/symtab.h"

enum load_state { NOT_LOADED, LOADED, LOAD_FAILED };

struct dso {
	UT_hash_handle hh;
	struct dso *same; /* next one of an equal key hash */
	u64 key;
	struct dsos *dsos;
	enum dso_kind kind;
	u32 refs;     /* maps that point here */
	bool used;    /* handed out by a look-up: stays until the end */
	bool deleted; /* no path leads to it any more: the descriptor is all there is */

	char *path, *short_name;
	char *file; /* dso__load_file(): where its ELF file is */
	u32 maj, min;
	u64 ino, ino_generation;
	struct build_id build_id;
	bool build_id_read;
	pid_t pid, ns_pid; /* the process it was seen in; its pid in its own namespace */
	pid_t ppid;
	u64 start, end;
	pid_t seen_pid; /* of a recording: the last process that had it mapped, there or not */
	u64 mnt_ns;	/* its mount namespace's inode, 0: unknown */

	int fd, root_fd;	   /* -1: none */
	TAILQ_ENTRY(dso) open_lru; /* in dsos->open while fd >= 0 */

	enum load_state headers, symbols;
	struct elf_phdr *load; /* PT_LOADs */
	u32 nr_load;
	u16 machine, elf_type;
	char *debug_path; /* the separate debug file in use, or NULL */
	struct symtab *st;
	u64 jit_size; /* perf-PID.map as of the last reading */
	u32 jit_misses;
	u32 owner; /* the process's user */
	bool owner_known;
	enum load_state functions; /* functions.c */
	s32 *func_start;	   /* nr_func function starts relative to func_base, ascending */
	u32 nr_func;
	u64 func_base;
	char *error;
	bool debuginfo_tried;
	void *debuginfo; /* see srcline and inline: owned, freed with debuginfo_free */
	void (*debuginfo_free)(void *);
};

TAILQ_HEAD(dso_list, dso);

struct dsos {
	struct dso *hash;
	struct symbol_conf conf;
	char *symfs, *debug_dir;
	struct dso_list open;
	u32 nr_open;
	u64 ns;	      /* the mount namespace that was last looked for, */
	pid_t ns_pid; /* and a process in it, 0: none */
};

/* dso-open.c */
/* dso__open_file - a descriptor of the very file, verified; the caller closes it. -errno, and the
 * reason in dso__load_error(). */
int dso__open_file(struct dso *d);
/* dso__open_recorded - what the recording carries in the file's place; -ENOENT: nothing. */
int dso__open_recorded(struct dso *d);
/* dso__open_early - opens a live process's file now and keeps it for dso__open_file(). */
void dso__open_early(struct dso *d);
void dso__close(struct dso *d);
/* dso__close_loaded - closes it when its path still leads to it; else the descriptor is all there
 * is, and source lines and unwinding need it later. */
void dso__close_loaded(struct dso *d);
int dso__fail(struct dso *d, int err, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* elf-symbols.c: adds to @st what the image has. SYMS_DYNAMIC: .dynsym rather than .symtab. Returns
 * the number of symbols or -errno. */
enum syms_table { SYMS_STATIC, SYMS_DYNAMIC };
int elf_symbols__add(const struct elf_image *e, struct symtab *st, enum syms_table which);
/* The allocated sections as ranges, sorted; malloc'd. NULL when there are none. */
struct symtab_range *elf_symbols__ranges(const struct elf_image *e, u32 *nr);
/* elf-plt.c: NAME@plt for each stub. 0 or -errno. */
int elf_plt__add(const struct elf_image *e, struct symtab *st);
/* debugfile.c */
/* debugfile__open - the separate debug file that belongs to @e: by build id, then by debuglink.
 * A descriptor, or -ENOENT; its path in *@path (malloc'd). */
int debugfile__open(struct dso *d, const struct elf_image *e, char **path);
/* debugfile__minidebug - .gnu_debugdata unpacked: malloc'd, or NULL with errno. */
void *debugfile__minidebug(const struct elf_image *e, u64 *size);
/* jit-map.c */
/* jit_map__attach - notes whose map file it is and where, while the process lives. */
void jit_map__attach(struct dso *d);
/* jit_map__load - reads perf-PID.map into a new table. 0 or -errno. */
int jit_map__load(struct dso *d);
/* jit_map__reload - the same after a miss, when the file has grown. 0 when there is something new.
 */
int jit_map__reload(struct dso *d);
/* vdso.c: this process's own. NULL when there is none. */
const void *vdso__image(u64 *size);

#endif
