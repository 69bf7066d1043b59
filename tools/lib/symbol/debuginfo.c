// SPDX-License-Identifier: GPL-2.0-only
/* Opening DWARF and finding the compilation unit of an address. */
#include <dwarf.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <uthash.h>

#include "lib/symbol/debuginfo.h"
#include "lib/symbol/dso-internal.h"
#include "lib/symbol/dwp.h"

/* Below this size reading DWARF anew costs less than looking for a copy of what it says. */
#define COSTLY_SIZE (512 << 10)
#define MAX_UNITS (1u << 20)
#define MAX_RANGES (1u << 24)

struct kept_string {
	UT_hash_handle hh;
	char s[];
};

struct name_slot {
	UT_hash_handle hh;
	const void *key;
	const char *name;
};

const char *debuginfo__string(struct debuginfo *di, const char *s)
{
	size_t len = strlen(s);
	struct kept_string *k;

	HASH_FIND(hh, di->strings, s, len, k);
	if (k)
		return k->s;
	k = malloc(sizeof(*k) + len + 1);
	if (!k)
		return NULL;
	memcpy(k->s, s, len + 1);
	HASH_ADD_KEYPTR(hh, di->strings, k->s, len, k);
	return k->s;
}

const char **debuginfo__name_slot(struct debuginfo *di, const void *key)
{
	struct name_slot *n;

	HASH_FIND_PTR(di->names, &key, n);
	if (n)
		return &n->name;
	n = calloc(1, sizeof(*n));
	if (!n)
		return NULL;
	n->key = key;
	HASH_ADD_PTR(di->names, key, n);
	return &n->name;
}

void debuginfo__forget_names(struct debuginfo *di)
{
	struct name_slot *n, *tmp;

	HASH_ITER (hh, di->names, n, tmp) {
		HASH_DEL(di->names, n);
		free(n);
	}
}

const char *debuginfo__source(struct debuginfo *di, Dwarf_Die *unit, const char *file)
{
	Dwarf_Attribute attr;
	const char **slot, *dir;
	char path[PATH_MAX];

	if (!file || *file == '/')
		return file;
	slot = debuginfo__name_slot(di, file); /* libdw's text of it stays where it is */
	if (!slot || *slot)
		return slot ? *slot : file;
	dir = dwarf_attr(unit, DW_AT_comp_dir, &attr) ? dwarf_formstring(&attr) : NULL;
	if (!dir || (size_t)snprintf(path, sizeof(path), "%s/%s", dir, file) >= sizeof(path))
		return file;
	*slot = debuginfo__string(di, path);
	return *slot ?: file;
}

static void close_dwarf(struct debuginfo *di)
{
	if (di->dw)
		dwarf_end(di->dw);
	if (di->elf)
		elf_end(di->elf);
	di->dw = NULL;
	di->elf = NULL;
}

static void debuginfo__delete(void *p)
{
	struct debuginfo *di = p;
	struct kept_string *k, *ktmp;

	if (!di)
		return;
	inline_cache__save(di);
	for (u32 i = 0; i < di->nr_units; i++)
		inline_table__delete(di->units[i].inlines);
	HASH_ITER (hh, di->strings, k, ktmp) {
		HASH_DEL(di->strings, k);
		free(k);
	}
	debuginfo__forget_names(di);
	close_dwarf(di);
	dwp__close(di->dwp);
	if (di->fd >= 0)
		close(di->fd);
	free(di->units);
	free(di->ranges);
	free(di);
}

static int add_range(struct debuginfo *di, u64 start, u64 end, u32 unit)
{
	if (end <= start)
		return 0;
	if (di->nr_ranges == di->cap_ranges) {
		u32 cap = di->cap_ranges ? di->cap_ranges * 2 : 256;
		struct unit_range *p;

		if (cap > MAX_RANGES)
			return -E2BIG;
		p = reallocarray(di->ranges, cap, sizeof(*p));
		if (!p)
			return -ENOMEM;
		di->ranges = p;
		di->cap_ranges = cap;
	}
	di->ranges[di->nr_ranges++] = (struct unit_range){start, end, unit};
	return 0;
}

static int add_die_ranges(struct debuginfo *di, Dwarf_Die *die, u32 unit, u32 *added)
{
	Dwarf_Addr base, start, end;
	ptrdiff_t off = 0;
	int err = 0;

	while (!err && (off = dwarf_ranges(die, off, &base, &start, &end)) > 0) {
		err = add_range(di, start, end, unit);
		++*added;
	}
	return err;
}

/* A unit that does not say where its code is: its functions do. */
static int add_function_ranges(struct debuginfo *di, Dwarf_Die *cu, u32 unit)
{
	Dwarf_Die die;
	u32 added = 0;
	int err = 0;

	if (dwarf_child(cu, &die))
		return 0;
	do {
		if (dwarf_tag(&die) == DW_TAG_subprogram)
			err = add_die_ranges(di, &die, unit, &added);
	} while (!err && !dwarf_siblingof(&die, &die));
	return err;
}

static int add_unit(struct debuginfo *di, Dwarf_Die *die, Dwarf_Die *split, u8 type)
{
	u32 added = 0;
	int err;

	if (type != DW_UT_compile && type != DW_UT_skeleton)
		return 0;
	if (di->nr_units == di->cap_units) {
		u32 cap = di->cap_units ? di->cap_units * 2 : 64;
		struct debug_unit *p;

		if (cap > MAX_UNITS)
			return -E2BIG;
		p = reallocarray(di->units, cap, sizeof(*p));
		if (!p)
			return -ENOMEM;
		di->units = p;
		di->cap_units = cap;
	}
	di->units[di->nr_units] = (struct debug_unit){.die = *die, .split = *split};
	err = add_die_ranges(di, die, di->nr_units, &added);
	if (!err && !added)
		err = add_function_ranges(di, split->addr ? split : die, di->nr_units);
	di->nr_units++;
	return err;
}

static int range_cmp(const void *va, const void *vb)
{
	const struct unit_range *a = va, *b = vb;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return a->end < b->end ? -1 : a->end > b->end;
}

static int read_units(struct debuginfo *di)
{
	Dwarf_CU *cu = NULL, *next;
	Dwarf_Die die, split;
	u8 type;
	int err = 0, r;

	for (;;) {
		memset(&split, 0, sizeof(split));
		memset(&die, 0, sizeof(die));
		r = dwarf_get_units(di->dw, cu, &next, NULL, &type, &die, &split);
		if (r || err)
			break;
		cu = next;
		err = add_unit(di, &die, &split, type);
	}
	if (err)
		return err;
	if (di->nr_ranges)
		qsort(di->ranges, di->nr_ranges, sizeof(*di->ranges), range_cmp);
	return di->nr_ranges ? 0 : -ENOENT;
}

static bool has_dwarf(const struct elf_image *e)
{
	const struct elf_shdr *sh =
		elf_image__section(e, ".debug_info") ?: elf_image__section(e, ".zdebug_info");

	return sh && sh->type != SHT_NOBITS && sh->size;
}

/* The descriptor of the file that has the DWARF: the dso's own or its debug file. */
static int open_dwarf_file(struct dso *d)
{
	struct elf_image *e;
	int fd, dfd = -ENOENT;
	char *path;

	if (d->kind != DSO_USER && !d->file)
		return -ENOENT;
	fd = dso__open_file(d);
	if (fd < 0)
		return fd;
	e = elf_image__open_fd(fd);
	if (e && has_dwarf(e)) {
		elf_image__close(e);
		return fd;
	}
	if (e) {
		dfd = debugfile__open(d, e, &path);
		free(path);
		elf_image__close(e);
	}
	close(fd);
	return dfd;
}

static bool wanted_section(const struct debuginfo *di, const char *name)
{
	static const char *const unused[] = {
		"aranges", "loc",   "loclists", "pubnames", "pubtypes",	    "gnu_pubnames",
		"macinfo", "macro", "frame",	"names",    "gnu_pubtypes",
	};

	if (!strncmp(name, ".zdebug_", 8))
		name += 8;
	else if (!strncmp(name, ".debug_", 7))
		name += 7;
	else
		return true;
	if (di->d->dsos->conf.no_lines && !strcmp(name, "line"))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(unused); i++)
		if (!strcmp(name, unused[i]))
			return false;
	return true;
}

/* Hides what is not wanted: to the private copy of the section headers it is without contents. */
static bool hide_sections(const struct debuginfo *di, Elf *elf)
{
	bool compressed = false;
	Elf_Scn *scn = NULL;
	size_t names;

	while (!elf_getshdrstrndx(elf, &names) && (scn = elf_nextscn(elf, scn))) {
		GElf_Shdr sh;
		const char *name;

		if (!gelf_getshdr(scn, &sh) || !(name = elf_strptr(elf, names, sh.sh_name)))
			continue;
		if (wanted_section(di, name)) {
			compressed |= sh.sh_flags & SHF_COMPRESSED || !strncmp(name, ".zdebug_", 8);
			continue;
		}
		sh.sh_type = SHT_NOBITS;
		gelf_update_shdr(scn, &sh);
	}
	return compressed;
}

/*
 * libdw unpacks every compressed section that it knows as it opens a file, and not all are asked
 * for here. A file with compressed ones is read and not mapped: libelf frees what it has unpacked.
 */
static void open_dwarf(struct debuginfo *di)
{
	elf_version(EV_CURRENT);
	di->elf = elf_begin(di->fd, ELF_C_READ_MMAP_PRIVATE, NULL);
	if (di->elf && hide_sections(di, di->elf)) {
		elf_end(di->elf);
		di->elf = elf_begin(di->fd, ELF_C_READ, NULL);
		if (di->elf)
			hide_sections(di, di->elf);
	}
	if (!di->elf)
		return;
	di->dw = dwarf_begin_elf(di->elf, DWARF_C_READ, NULL);
	if (!di->dw)
		close_dwarf(di);
}

int debuginfo__open(struct debuginfo *di)
{
	struct debuginfo old = *di;
	struct stat st;
	int err = -ENOENT;

	if (di->tried)
		return di->dw ? 0 : -ENOENT;
	di->tried = true;
	di->units = NULL;
	di->ranges = NULL;
	di->nr_units = di->cap_units = di->nr_ranges = di->cap_ranges = 0;
	di->fd = open_dwarf_file(di->d);
	if (di->fd >= 0)
		open_dwarf(di);
	di->costly = di->dw && !fstat(di->fd, &st) && st.st_size >= COSTLY_SIZE;
	if (di->dw)
		err = read_units(di);
	if (!err && old.nr_units && old.nr_units != di->nr_units)
		err = -ESTALE;
	if (err) { /* what the copy has was handed out: it stays */
		close_dwarf(di);
		free(di->units);
		free(di->ranges);
		old.tried = true;
		old.fd = di->fd;
		*di = old;
		return err;
	}
	for (u32 i = 0; i < old.nr_units; i++) {
		di->units[i].inlines = old.units[i].inlines;
		di->units[i].inlines_read = old.units[i].inlines_read;
	}
	free(old.units);
	free(old.ranges);
	return 0;
}

static void forget_units(struct debuginfo *di)
{
	for (u32 i = 0; i < di->nr_units; i++)
		inline_table__delete(di->units[i].inlines);
	free(di->units);
	free(di->ranges);
	di->units = NULL;
	di->ranges = NULL;
	di->nr_units = di->cap_units = di->nr_ranges = di->cap_ranges = 0;
}

static struct debuginfo *open_debuginfo(struct dso *d)
{
	struct debuginfo *di = calloc(1, sizeof(*di));

	if (!di)
		return NULL;
	di->d = d;
	di->fd = -1;
	if (!inline_cache__load(di))
		return di;
	forget_units(di);
	if (debuginfo__open(di)) {
		debuginfo__delete(di);
		return NULL;
	}
	return di;
}

struct debuginfo *dso__debuginfo(struct dso *d)
{
	if (!d->debuginfo_tried) {
		d->debuginfo_tried = true;
		d->debuginfo = open_debuginfo(d);
		d->debuginfo_free = debuginfo__delete;
	}
	return d->debuginfo;
}

struct debug_unit *debuginfo__unit(struct debuginfo *di, u64 addr)
{
	u32 lo = 0, hi = di->nr_ranges;

	while (lo < hi) {
		u32 mid = lo + (hi - lo) / 2;

		if (di->ranges[mid].start <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	/* units do not overlap in sane files; a few steps back find the one around an odd inner one
	 */
	for (u32 n = 0; lo && n < 4; n++) {
		const struct unit_range *r = &di->ranges[--lo];

		if (addr < r->end)
			return &di->units[r->unit];
	}
	return NULL;
}

/* ---- packages of split units ---- */

/* The contents of the section @name from @base on. */
static const void *section_from(struct debuginfo *di, const char *name, u64 base, size_t *size)
{
	Elf_Scn *scn = NULL;
	size_t names;

	*size = 0;
	if (!di->elf || elf_getshdrstrndx(di->elf, &names))
		return NULL;
	while ((scn = elf_nextscn(di->elf, scn))) {
		Elf_Data *data;
		const char *this;
		GElf_Shdr sh;

		if (!gelf_getshdr(scn, &sh) || sh.sh_type == SHT_NOBITS ||
		    !(this = elf_strptr(di->elf, names, sh.sh_name)) || strcmp(this, name))
			continue;
		data = elf_rawdata(scn, NULL);
		if (!data || !data->d_buf || base >= data->d_size)
			return NULL;
		*size = data->d_size - base;
		return (const char *)data->d_buf + base;
	}
	return NULL;
}

static u64 attr_number(Dwarf_Die *die, unsigned int name)
{
	Dwarf_Attribute attr;
	Dwarf_Word v;

	return dwarf_attr(die, name, &attr) && !dwarf_formudata(&attr, &v) ? v : 0;
}

/* PROGRAM.dwp, beside the file that has the DWARF. */
static struct dwp *open_package(const struct debuginfo *di)
{
	char link[64], path[PATH_MAX];
	ssize_t n;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", di->fd);
	n = readlink(link, path, sizeof(path) - 5);
	if (n <= 0)
		return NULL;
	strcpy(path + n, ".dwp");
	return dwp__open(path);
}

int debuginfo__packed(struct debuginfo *di, struct debug_unit *u, struct dwp_unit *unit)
{
	struct dwp_skeleton s = {};
	Dwarf_Half version;
	uint8_t type;

	if (!u->die.cu ||
	    dwarf_cu_info(u->die.cu, &version, &type, NULL, NULL, &s.id, NULL, NULL) ||
	    type != DW_UT_skeleton)
		return -ENOENT;
	if (!di->dwp_tried) {
		di->dwp_tried = true;
		di->dwp = open_package(di);
	}
	if (!di->dwp)
		return -ENOENT;
	s.version = version;
	s.addr = section_from(
		di, ".debug_addr",
		attr_number(&u->die, version < 5 ? DW_AT_GNU_addr_base : DW_AT_addr_base),
		&s.addr_size);
	if (version < 5)
		s.ranges =
			section_from(di, ".debug_ranges",
				     attr_number(&u->die, DW_AT_GNU_ranges_base), &s.ranges_size);
	return dwp__unit(di->dwp, &s, unit);
}
