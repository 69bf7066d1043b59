// SPDX-License-Identifier: GPL-2.0-only
/* The kernel's address space: the kernel proper, its modules, its BPF programs. */
#include <ctype.h>
#include <elf.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/symbol/kallsyms.h"
#include "lib/symbol/symtab.h"
#include "session/machine-internal.h"

#define KERNEL_NAME "[kernel.kallsyms]"

/* A module's symbol, or a BPF program's, until all are sorted. */
struct mod_sym {
	u64 addr;
	const char *name, *module;
	u8 binding, type;
};

struct loader {
	struct machine *m;
	struct symtab *core;
	struct symtab *names; /* of modules' symbols, until they have their own tables */
	u64 core_start, core_end;
	bool recorded;	   /* records told where the kernel and its modules were */
	bool only_modules; /* the kernel proper is known */
	u64 ref;	   /* this kernel's address of the recorded reference symbol */
	struct mod_sym *mods;
	u32 nr, cap;
};

/* nm's letter to ELF terms; false: nothing to name code or data by. */
static bool classify(char letter, u8 *binding, u8 *type)
{
	*binding = islower((unsigned char)letter) ? STB_LOCAL : STB_GLOBAL;
	switch (letter) {
	case 'W':
	case 'w':
		*binding = STB_WEAK;
		*type = STT_FUNC;
		return true;
	case 'T':
	case 't':
		*type = STT_FUNC;
		return true;
	case 'D':
	case 'd':
	case 'B':
	case 'b':
		*type = STT_OBJECT;
		return true;
	default:
		return false;
	}
}

static int add_module_symbol(struct loader *l, const struct kallsyms_symbol *s, u8 binding, u8 type)
{
	if (l->nr == l->cap) {
		u32 cap = l->cap ? l->cap * 2 : 1024;
		struct mod_sym *p = reallocarray(l->mods, cap, sizeof(*p));

		if (!p)
			return -ENOMEM;
		l->mods = p;
		l->cap = cap;
	}
	l->mods[l->nr] =
		(struct mod_sym){s->addr, symtab__keep(l->names, s->name), NULL, binding, type};
	/* the symbols of a module stand together */
	if (l->nr && !strcmp(l->mods[l->nr - 1].module, s->module))
		l->mods[l->nr].module = l->mods[l->nr - 1].module;
	else
		l->mods[l->nr].module = symtab__keep(l->names, s->module);
	if (!l->mods[l->nr].name || !l->mods[l->nr].module)
		return -ENOMEM;
	l->nr++;
	return 0;
}

static int take_symbol(const struct kallsyms_symbol *s, void *data)
{
	struct loader *l = data;
	u8 binding, type;

	if (l->only_modules && (!*s->module || !strcmp(s->module, "bpf")))
		return 0;
	/* per-CPU symbols have offsets for addresses; others' text is never that low */
	if (!(s->addr >> 63) || !classify(s->type, &binding, &type))
		return 0;
	if (*s->module)
		return add_module_symbol(l, s, binding, type);
	if (!l->ref && !strcmp(s->name, l->m->kernel_ref_name))
		l->ref = s->addr;
	if (type == STT_FUNC || l->core_start) {
		if (!l->core_start || s->addr < l->core_start)
			l->core_start = s->addr;
		if (s->addr > l->core_end)
			l->core_end = s->addr;
	}
	return symtab__add_copy(l->core, s->addr, 0, s->name, strlen(s->name), "", binding, type);
}

static int mod_cmp(const void *va, const void *vb)
{
	const struct mod_sym *a = va, *b = vb;

	if (a->addr != b->addr)
		return a->addr < b->addr ? -1 : 1;
	return strcmp(a->name, b->name);
}

static struct dso *kernel_dso(struct machine *m, const char *name, enum dso_kind kind, u64 addr)
{
	struct dso_ident id = {.path = name, .kind = kind};

	/* two loads of one program are two objects */
	if (kind == DSO_BPF)
		id.ino = addr;
	return dsos__find(m->dsos, &id);
}

static int add_kernel_map(struct machine *m, struct dso *dso, u64 start, u64 end, s64 shift,
			  u64 time)
{
	struct map *map =
		dso ? map__new(start + (u64)shift, end + (u64)shift, start, 5, time, dso) : NULL;

	if (!map)
		return -ENOMEM;
	map->identity = true;
	map->shift = shift;
	return image__insert(m->kernel, map);
}

static u64 run_end(const struct loader *l, u32 last)
{
	u64 end = (l->mods[last].addr + 0xfff) & ~0xfffULL;

	end += 0x1000;
	if (last + 1 < l->nr && l->mods[last + 1].addr < end)
		end = l->mods[last + 1].addr;
	return end;
}

/* One BPF program, trampoline or the like: an object of its own, named as its symbol. */
static int add_bpf(struct machine *m, u64 addr, u64 end, const char *name, u64 time)
{
	struct dso *dso = kernel_dso(m, name, DSO_BPF, addr);
	struct symtab *st;
	int err;

	if (!dso)
		return -ENOMEM;
	if (dso__find_symbol(dso, addr))
		return add_kernel_map(m, dso, addr, end, 0, time);
	st = symtab__new();
	if (!st)
		return -ENOMEM;
	err = symtab__add_copy(st, addr, end - addr, name, strlen(name), "", STB_GLOBAL, STT_FUNC)
		      ?: symtab__finish(st, NULL, 0, SYMTAB_NO_DEMANGLE);
	if (!err)
		err = dso__set_symtab(dso, st);
	if (err) {
		symtab__delete(st);
		if (err != -EEXIST)
			return err;
	}
	return add_kernel_map(m, dso, addr, end, 0, time);
}

/* A module while its symbols are gathered. */
struct module {
	UT_hash_handle hh;
	const char *name;
	struct symtab *st;
	struct dso *dso;
	s64 shift; /* where it was recorded minus where it is now */
	bool skip; /* the recorded kernel did not have it, or nobody knows where */
};

static FILE *open_modules(const struct machine *m)
{
	const char *slash = strrchr(m->kallsyms_path, '/');
	char path[PATH_MAX];

	if ((size_t)snprintf(path, sizeof(path), "%.*smodules",
			     slash ? (int)(slash + 1 - m->kallsyms_path) : 0,
			     m->kallsyms_path) >= sizeof(path))
		return NULL;
	return fopen(path, "re");
}

/* Names and places of all modules in one number. */
static u64 hash_modules(const struct machine *m)
{
	char line[1024], mod[256];
	u64 h = 0xcbf29ce484222325ULL;
	unsigned long long addr;
	FILE *f = open_modules(m);

	while (f && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%255s %*s %*s %*s %*s %llx", mod, &addr) != 2)
			continue;
		for (const char *p = mod; *p; p++)
			h = (h ^ (u8)*p) * 0x100000001b3ULL;
		h = (h ^ addr) * 0x100000001b3ULL;
	}
	if (f)
		fclose(f);
	return h;
}

/* Where /proc/modules (beside kallsyms) says a module lies; 0: it does not. */
static u64 module_base(const struct machine *m, const char *name)
{
	unsigned long long addr, found = 0;
	char line[1024], mod[256];
	FILE *f = open_modules(m);

	while (f && !found && fgets(line, sizeof(line), f))
		if (sscanf(line, "%255s %*s %*s %*s %*s %llx", mod, &addr) == 2 &&
		    !strcmp(mod, name))
			found = addr;
	if (f)
		fclose(f);
	return found;
}

/* A recorded kernel's modules lay where its records say; their symbols move along. */
static void place_module(struct loader *l, struct module *mod, u64 lowest)
{
	const struct image *k = l->m->kernel;
	u64 recorded = 0, base;

	if (!l->recorded)
		return;
	for (u32 i = 0; i < k->nr; i++)
		if (k->cur[i]->dso == mod->dso)
			recorded = k->cur[i]->start;
	base = module_base(l->m, mod->name) ?: lowest & ~0xfffULL;
	mod->skip = !recorded;
	mod->shift = (s64)(recorded - base);
}

static struct module *find_module(struct loader *l, struct module **all, const struct mod_sym *s)
{
	size_t len = strlen(s->module);
	struct module *mod;
	char name[160];

	HASH_FIND(hh, *all, s->module, len, mod);
	if (mod)
		return mod;
	mod = calloc(1, sizeof(*mod));
	if (!mod)
		return NULL;
	mod->name = s->module;
	mod->st = symtab__new();
	snprintf(name, sizeof(name), "[%s]", s->module);
	mod->dso = kernel_dso(l->m, name, DSO_MODULE, 0);
	if (!mod->st || !mod->dso) {
		symtab__delete(mod->st);
		free(mod);
		return NULL;
	}
	place_module(l, mod, s->addr);
	mod->skip |= dso__nr_symbols(mod->dso) != 0; /* known from before */
	HASH_ADD_KEYPTR(hh, *all, mod->name, len, mod);
	return mod;
}

/* All symbols of one module become its table; each run of them that no other's interrupt, a map. */
static int gather_modules(struct loader *l, struct module **all)
{
	int err = 0;

	for (u32 i = 0, first = 0; i < l->nr && !err; first = ++i) {
		struct module *mod;

		if (!strcmp(l->mods[i].module, "bpf")) {
			if (!l->recorded)
				err = add_bpf(l->m, l->mods[i].addr, run_end(l, i), l->mods[i].name,
					      0);
			continue;
		}
		mod = find_module(l, all, &l->mods[i]);
		if (!mod)
			return -ENOMEM;
		for (;; i++) {
			const struct mod_sym *s = &l->mods[i];

			err = symtab__add_copy(mod->st, s->addr, 0, s->name, strlen(s->name), "",
					       s->binding, s->type);
			if (err || i + 1 >= l->nr || strcmp(s[1].module, mod->name))
				break;
		}
		if (!err && !mod->skip)
			err = add_kernel_map(l->m, mod->dso, l->mods[first].addr, run_end(l, i),
					     mod->shift, 0);
	}
	return err;
}

static int add_modules(struct loader *l)
{
	struct module *all = NULL, *mod, *tmp;
	int err;

	if (!l->nr)
		return 0;
	qsort(l->mods, l->nr, sizeof(*l->mods), mod_cmp);
	err = gather_modules(l, &all);
	HASH_ITER (hh, all, mod, tmp) {
		if (!err)
			err = symtab__finish(mod->st, NULL, 0,
					     SYMTAB_GUESS_ENDS | SYMTAB_NO_DEMANGLE);
		if (err || dso__set_symtab(mod->dso, mod->st))
			symtab__delete(mod->st);
		HASH_DEL(all, mod);
		free(mod);
	}
	return err;
}

static int map_core(struct loader *l, struct dso *dso, u64 start, u64 end, u64 file_ref)
{
	struct machine *m = l->m;
	/* where the kernel ran: as recorded, else as it runs here */
	u64 ref = m->kernel_ref ?: l->ref;

	return add_kernel_map(m, dso, start, end, ref && file_ref ? (s64)(ref - file_ref) : 0, 0);
}

/* Takes over @l->core in any case. */
static int add_core(struct loader *l)
{
	struct dso *dso = kernel_dso(l->m, KERNEL_NAME, DSO_KERNEL, 0);
	int err = dso ? 0 : -ENOMEM;

	if (!err)
		err = symtab__finish(l->core, NULL, 0, SYMTAB_GUESS_ENDS | SYMTAB_NO_DEMANGLE);
	if (!err)
		err = dso__set_symtab(dso, l->core);
	if (err) {
		symtab__delete(l->core);
		return err;
	}
	if (!l->core_start)
		return 0;
	return map_core(l, dso, l->core_start, ((l->core_end + 0xfff) & ~0xfffULL) + 0x1000,
			l->ref);
}

/* The kernel's own ELF file: its addresses are those it was linked for. */
static int add_vmlinux(struct loader *l)
{
	struct machine *m = l->m;
	const char *ref_name = m->kernel_ref_name[0] ? m->kernel_ref_name : "_text";
	struct dso *dso = kernel_dso(m, KERNEL_NAME, DSO_KERNEL, 0);
	const struct symbol *first, *last;
	u64 ref;
	int err;

	if (!dso)
		return -ENOMEM;
	err = dso__load_file(dso, m->vmlinux_path);
	if (err)
		return err;
	first = dso__find_symbol_by_name(dso, ref_name) ?: dso__find_symbol_by_name(dso, "_stext");
	last = dso__symbol_at(dso, dso__nr_symbols(dso) - 1);
	if (!last)
		return -ENOENT;
	ref = first ? first->start : 0;
	if (!first)
		first = dso__symbol_at(dso, 0);
	return map_core(l, dso, first->start, last->end, ref);
}

/* What is recorded lasts from one report to the next; what is live is read as it is now. */
static int read_kallsyms(struct loader *l)
{
	struct machine *m = l->m;
	int err;

	if (m->opts.kallsyms_fd)
		err = lseek(m->opts.kallsyms_fd, 0, SEEK_SET) < 0
			      ? -errno
			      : kallsyms__stream_fd(m->opts.kallsyms_fd, take_symbol, l);
	else if (!m->opts.live && !m->opts.kallsyms)
		err = kallsyms__stream_cached(take_symbol, l);
	else
		err = kallsyms__stream(m->kallsyms_path, take_symbol, l);
	m->modules_hash = hash_modules(m);
	return err ?: add_modules(l);
}

void machine__load_kernel(struct machine *m)
{
	struct loader l = {.m = m};
	bool kallsyms;
	int err;

	m->kernel_loaded = true;
	l.recorded = !m->opts.live && m->kernel->nr;
	if (!m->kernel_ref_name[0])
		strcpy(m->kernel_ref_name, "_text");
	kallsyms =
		(m->opts.live || m->opts.kernel_syms || m->opts.kallsyms || m->opts.kallsyms_fd) &&
		(!m->restricted || m->opts.kallsyms);
	l.core = symtab__new();
	l.names = symtab__new();
	err = l.core && l.names ? 0 : -ENOMEM;
	if (!err && kallsyms)
		err = read_kallsyms(&l);
	if (!err && kallsyms && !m->vmlinux_path) {
		add_core(&l);
	} else {
		symtab__delete(l.core);
		if (!err && m->vmlinux_path)
			add_vmlinux(&l);
	}
	symtab__delete(l.names);
	free(l.mods);
}

bool machine__reload_modules(struct machine *m)
{
	struct loader l = {.m = m, .only_modules = true};
	u32 n = ++m->kernel_misses;
	bool any = false;
	u64 h;

	/* at the 1st, 2nd, 4th, 8th ... miss; BPF programs are told by records */
	if (!m->opts.live || m->restricted || n & (n - 1))
		return false;
	h = hash_modules(m);
	if (h == m->modules_hash)
		return false;
	l.names = symtab__new();
	if (l.names && !kallsyms__stream(m->kallsyms_path, take_symbol, &l))
		any = !add_modules(&l);
	m->modules_hash = h;
	symtab__delete(l.names);
	free(l.mods);
	return any;
}

/*
 * A kernel map out of a file: "[kernel.kallsyms]_text" with, as pgoff, the address that the symbol
 * behind the bracket had; or a module, by path or as "[name]".
 */
int machine__kernel_mmap(struct machine *m, const char *name, u64 start, u64 len, u64 pgoff)
{
	static const char kernel[] = "[kernel.kallsyms]";
	char module[160];
	struct dso *dso;
	const char *base;
	size_t n;

	if (len > UINT64_MAX - start)
		len = UINT64_MAX - start;
	if (!strncmp(name, kernel, sizeof(kernel) - 1) || !strncmp(name, "[guest.kernel", 13)) {
		if (name[1] == 'g')
			return 0;
		snprintf(m->kernel_ref_name, sizeof(m->kernel_ref_name), "%s",
			 name + sizeof(kernel) - 1);
		m->kernel_ref = m->kernel_ref_name[0] ? pgoff : 0;
		if (m->opts.live)
			return 0;
		dso = kernel_dso(m, KERNEL_NAME, DSO_KERNEL, 0);
		return add_kernel_map(m, dso, start, start + len, 0, 0);
	}
	if (m->opts.live) /* kallsyms has them all */
		return 0;
	base = strrchr(name, '/');
	base = base ? base + 1 : name;
	n = strcspn(base, ".");
	if (*base == '[')
		snprintf(module, sizeof(module), "%s", base);
	else
		snprintf(module, sizeof(module), "[%.*s]", (int)n, base);
	for (char *p = module; *p; p++)
		if (*p == '-')
			*p = '_';
	dso = kernel_dso(m, module, DSO_MODULE, 0);
	return add_kernel_map(m, dso, start, start + len, 0, 0);
}

int machine__ksymbol(struct machine *m, u64 addr, u32 len, const char *name, bool gone, u64 time)
{
	if (!m->kernel_loaded)
		machine__load_kernel(m);
	if (gone) {
		image__unmap(m->kernel, addr, time);
		return 0;
	}
	if (len > UINT64_MAX - addr || !len)
		return -EBADMSG;
	return add_bpf(m, addr, addr + len, name, time);
}
