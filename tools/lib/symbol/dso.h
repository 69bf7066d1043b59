/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Symbol files. A dso is one mapped object: an ELF file (by path as the process sees it, device,
 * inode, build-id), the kernel, a kernel module, the vDSO, a JIT map, or an area without a file
 * ("[heap]", "[stack]", "//anon"). Its symbols are loaded once, sorted, binary-searched.
 */
#ifndef PERF_LIB_SYMBOL_DSO_H
#define PERF_LIB_SYMBOL_DSO_H

#include <stdbool.h>
#include <sys/types.h>

#include "compiler.h"
#include "errbuf.h"

struct dsos; /* the set of all dsos of a run */
struct dso;

struct symbol {
	u64 start, end;	  /* [start, end) in the dso's address space; end > start */
	const char *name; /* as shown: demangled unless symbol_conf.no_demangle; owned by the dso */
	u8 binding;	  /* STB_* */
	u8 type;	  /* STT_* */
	u8 priv;	  /* the symbol table's own */
};

enum dso_kind { DSO_USER, DSO_KERNEL, DSO_MODULE, DSO_VDSO, DSO_JIT, DSO_ANON, DSO_BPF };

struct build_id {
	u8 size; /* 0: unknown; at most 20 */
	u8 data[20];
};

/* build_id__hex - lower-case hex into @buf of at least 41 bytes. */
void build_id__hex(const struct build_id *id, char *buf);

struct symbol_conf {
	bool no_demangle;
	const char *symfs;     /* --symfs DIR: prefix for every file of the recorded machine */
	const char *debug_dir; /* default /usr/lib/debug */
	bool foreign;	/* another machine's file: a file is used only when its build id matches */
	bool no_inline; /* --no-inline */
	bool no_lines;	/* nobody will ask for source lines: their tables need not be unpacked */
	/* What the recording itself tells of a file; each may be NULL. The build id recorded for
	 * @path: true when there is exactly one. */
	bool (*recorded_id)(void *ctx, const char *path, struct build_id *id);
	/* A descriptor that reads like the file, for want of it; -errno. */
	int (*recorded_image)(void *ctx, const char *path, const struct build_id *id);
	void *recorded_ctx;
};

struct dsos *dsos__new(const struct symbol_conf *conf);
void dsos__delete(struct dsos *d);

/*
 * How to get at the very file a process has mapped, even deleted, replaced or in another mount
 * namespace: tried in order map_files/START-END, /proc/PID/root/PATH, PATH; the one whose
 * device+inode (or build id) matches is used; a file that merely has the same name is not.
 */
struct dso_ident {
	const char *path; /* as in the mmap record */
	u32 maj, min;
	u64 ino, ino_generation;  /* 0: unknown */
	struct build_id build_id; /* from MMAP2 with build id, or size 0 */
	pid_t pid;		  /* a process that has it mapped, 0: none */
	pid_t ppid;	/* its parent, which sees the same files when it is gone; 0: none */
	u64 start, end; /* where, for map_files */
	/* Of a recording: the process had it mapped and may be gone, or its number another's; asked
	 * last and only for what can be told to be the very file. mnt_ns: the inode of the mount
	 * namespace that it was in, 0: unknown. */
	pid_t seen_pid;
	u64 mnt_ns;
	enum dso_kind kind;
};
/* dsos__find - the dso for @id, made when new. The file is opened at once for a live one (so that
 * it can be read after the process or the file is gone; descriptors are bounded and closed once
 * loaded), loaded at first use. NULL with errno on lack of memory. */
struct dso *dsos__find(struct dsos *d, const struct dso_ident *id);

/* dso__get / dso__put - whoever keeps a dso in a structure of long life (a map) holds a reference;
 * a dso that nobody holds and no look-up has used is freed. Symbols once found stay valid until
 * dsos__delete(). */
void dso__get(struct dso *d);
void dso__put(struct dso *d);
/* dso__keep - somebody may hold on to it from now on without a reference: it is not freed early. */
void dso__keep(struct dso *d);

const char *dso__name(const struct dso *d); /* long name: "/usr/lib/x86_64-linux-gnu/libc.so.6",
					       "[kernel.kallsyms]", "[vdso]" */
const char *dso__short_name(const struct dso *d); /* "libc.so.6" */
enum dso_kind dso__kind(const struct dso *d);
int dso__build_id(struct dso *d, struct build_id *id); /* 0, or -ENOENT */
/* dso__load - symbols now; dso__find_symbol() does it by itself. 0 or -errno with the reason kept
 * in dso__load_error(). */
int dso__load(struct dso *d);
const char *dso__load_error(const struct dso *d);
/* dso__find_symbol - the symbol covering @addr (ELF virtual address) or NULL. */
const struct symbol *dso__find_symbol(struct dso *d, u64 addr);
const struct symbol *dso__find_symbol_by_name(struct dso *d, const char *name);
/* dso__file_offset_to_addr - pgoff+offset in the file to the ELF virtual address, by PT_LOAD
 * headers; offset itself where unknown. */
u64 dso__file_offset_to_addr(struct dso *d, u64 off);
/* dso__addr_to_file_offset - (field dsoff) the way back. */
u64 dso__addr_to_file_offset(struct dso *d, u64 addr);
/* dso__debug_path - the separate debug file whose symbols are in use, or NULL. */
const char *dso__debug_path(const struct dso *d);
/* dso__nr_symbols, dso__symbol_at - all symbols in rising order of address; loads them. */
u32 dso__nr_symbols(struct dso *d);
const struct symbol *dso__symbol_at(struct dso *d, u32 i);
/* dso__elf_machine - EM_* of its file, 0 where unknown. */
int dso__elf_machine(struct dso *d);

struct symtab;
/* dso__load_file - the dso's (a kernel's) symbols and DWARF are those of the ELF file @path, e.g. a
 * vmlinux. 0 or -errno, the reason in dso__load_error(). */
int dso__load_file(struct dso *d, const char *path);
/* dso__set_symtab - gives the dso (kernel, module, BPF) its symbols; owned from then on. 0, or
 * -EEXIST when it has some. */
int dso__set_symtab(struct dso *d, struct symtab *st);

#endif
