// SPDX-License-Identifier: GPL-2.0-only
/*
 * Objects with struct bpf_map_def in section "maps". libbpf 1.0 dropped them; programs built that
 * way still run. Only the description is old, so the object is rewritten in memory: section "maps"
 * becomes ".maps", and a BTF that describes the same maps takes the place of the one that is there
 * (which, with .BTF.ext, is dropped: its DATASEC is for a section that is gone). What such a BTF
 * looks like: each map is a variable in DATASEC ".maps" of a struct whose members are pointers;
 * member "type" points to an array with as many elements as the number it stands for.
 */
#include <bpf/btf.h>
#include <errno.h>
#include <gelf.h>
#include <libelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bpf/user_prog_priv.h"

/* The five words that every variant of the struct begins with. */
struct map_def {
	u32 type, key_size, value_size, max_entries, map_flags;
};

struct convert {
	const char *path;
	struct errbuf *eb;
	int fd; /* the copy that libelf works on */
	Elf *elf;
	Elf_Scn *maps, *symtab, *btf_scn, *btf_ext, *names;
	struct btf *btf;
	char *name_data; /* section names with ours behind; libelf reads it until elf_end() */
};

static int failed(struct convert *c, const char *what)
{
	return errbuf__set(c->eb, -ENOEXEC, "BPF object %s: cannot read its 'maps' section: %s",
			   c->path, what);
}

static int find_sections(struct convert *c)
{
	Elf_Scn *scn = NULL;
	size_t names;

	if (elf_getshdrstrndx(c->elf, &names))
		return failed(c, elf_errmsg(-1));
	c->names = elf_getscn(c->elf, names);
	while ((scn = elf_nextscn(c->elf, scn))) {
		GElf_Shdr sh;
		const char *name;

		if (!gelf_getshdr(scn, &sh))
			return failed(c, elf_errmsg(-1));
		name = elf_strptr(c->elf, names, sh.sh_name);
		if (sh.sh_type == SHT_SYMTAB)
			c->symtab = scn;
		else if (!name)
			continue;
		else if (!strcmp(name, "maps"))
			c->maps = scn;
		else if (!strcmp(name, ".BTF"))
			c->btf_scn = scn;
		else if (!strcmp(name, ".BTF.ext"))
			c->btf_ext = scn;
	}
	return c->maps && c->symtab && c->names ? 0 : failed(c, "no symbols");
}

/* A member whose type encodes @value: pointer to int[value]. */
static int add_number(struct btf *btf, int int_id, u32 value)
{
	int id = btf__add_array(btf, int_id, int_id, value);

	if (id > 0)
		id = btf__add_ptr(btf, id);
	return id;
}

static int add_map_type(struct btf *btf, int int_id, const struct map_def *def, u32 size)
{
	const struct {
		const char *name;
		u32 value;
	} m[] = {{"type", def->type},
		 {"key_size", def->key_size},
		 {"value_size", def->value_size},
		 {"max_entries", def->max_entries},
		 {"map_flags", def->map_flags}};
	int ids[ARRAY_SIZE(m)], id, err;

	for (size_t i = 0; i < ARRAY_SIZE(m); i++) {
		ids[i] = add_number(btf, int_id, m[i].value);
		if (ids[i] < 0)
			return ids[i];
	}
	/* All members at offset 0: their place means nothing, and so they fit into 20 bytes. */
	id = btf__add_struct(btf, NULL, size);
	for (size_t i = 0; id > 0 && i < ARRAY_SIZE(m); i++) {
		err = btf__add_field(btf, m[i].name, ids[i], 0, 0);
		if (err)
			return err;
	}
	return id;
}

struct map_sym {
	const char *name;
	u32 off, size;
	int var_id;
};

static int compare_syms(const void *a, const void *b)
{
	const struct map_sym *x = a, *y = b;

	return x->off < y->off ? -1 : x->off > y->off;
}

/* The symbols in the section, in order of their place; each map has one. */
static int collect_syms(struct convert *c, struct map_sym **out, int *nr)
{
	Elf_Data *data = elf_getdata(c->symtab, NULL), *maps = elf_getdata(c->maps, NULL);
	size_t ndx = elf_ndxscn(c->maps), n = 0;
	struct map_sym *s;
	GElf_Shdr sh;
	GElf_Sym sym;

	if (!data || !maps || !maps->d_buf || !gelf_getshdr(c->symtab, &sh))
		return failed(c, elf_errmsg(-1));
	n = data->d_size / sizeof(Elf64_Sym);
	s = *out = calloc(n ? n : 1, sizeof(*s));
	if (!s)
		return errbuf__set(c->eb, -ENOMEM, "out of memory");
	*nr = 0;
	for (size_t i = 0; i < n && gelf_getsym(data, i, &sym); i++) {
		if (sym.st_shndx != ndx || GELF_ST_TYPE(sym.st_info) == STT_SECTION)
			continue;
		if (sym.st_value % 4 || sym.st_value >= maps->d_size)
			return failed(c, "a map outside of the section");
		s[*nr].name = elf_strptr(c->elf, sh.sh_link, sym.st_name);
		s[(*nr)++].off = sym.st_value;
		if (!s[*nr - 1].name || !s[*nr - 1].name[0])
			return failed(c, "a map without a name");
	}
	if (!*nr)
		return failed(c, "it holds no map");
	qsort(s, *nr, sizeof(*s), compare_syms);
	for (int i = 0; i < *nr; i++) {
		s[i].size = (i + 1 < *nr ? s[i + 1].off : maps->d_size) - s[i].off;
		if (s[i].size < sizeof(struct map_def))
			return failed(c, "a map definition is too short");
	}
	return 0;
}

static int add_maps(struct convert *c, struct map_sym *s, int nr)
{
	Elf_Data *maps = elf_getdata(c->maps, NULL);
	int int_id = btf__add_int(c->btf, "int", 4, BTF_INT_SIGNED), err = int_id;

	for (int i = 0; err > 0 && i < nr; i++) {
		const u8 *p = (const u8 *)maps->d_buf + s[i].off;
		struct map_def def;

		memcpy(&def, p, sizeof(def));
		/* Further words (inner map, NUMA node, pinning) mean something to other loaders. */
		for (u32 j = sizeof(def); j < s[i].size; j++)
			if (p[j])
				return failed(c, "a map definition has fields that only its own "
						 "loader knows");
		err = add_map_type(c->btf, int_id, &def, s[i].size);
		if (err > 0)
			err = s[i].var_id =
				btf__add_var(c->btf, s[i].name, BTF_VAR_GLOBAL_ALLOCATED, err);
	}
	if (err > 0)
		err = btf__add_datasec(c->btf, ".maps", maps->d_size);
	for (int i = 0; err >= 0 && i < nr; i++)
		err = btf__add_datasec_var_info(c->btf, s[i].var_id, s[i].off, s[i].size);
	return err < 0 ? failed(c, strerror(-err)) : 0;
}

static int rename_section(Elf_Scn *scn, size_t name)
{
	GElf_Shdr sh;

	if (!gelf_getshdr(scn, &sh))
		return -ENOEXEC;
	sh.sh_name = name;
	return gelf_update_shdr(scn, &sh) ? 0 : -ENOEXEC;
}

/* New names go behind the ones that are there, so that all offsets stay. */
static int add_names(struct convert *c, size_t *maps_name, size_t *btf_name, size_t *old_name)
{
	static const char names[] = ".maps\0.BTF\0.old";
	Elf_Data *data = elf_getdata(c->names, NULL);

	if (!data || !data->d_buf)
		return failed(c, elf_errmsg(-1));
	c->name_data = malloc(data->d_size + sizeof(names));
	if (!c->name_data)
		return errbuf__set(c->eb, -ENOMEM, "out of memory");
	memcpy(c->name_data, data->d_buf, data->d_size);
	memcpy(c->name_data + data->d_size, names, sizeof(names));
	*maps_name = data->d_size;
	*btf_name = data->d_size + 6;
	*old_name = data->d_size + 11;
	data->d_buf = c->name_data;
	data->d_size += sizeof(names);
	elf_flagdata(data, ELF_C_SET, ELF_F_DIRTY);
	return 0;
}

static int rewrite(struct convert *c)
{
	size_t maps_name = 0, btf_name = 0, old_name = 0;
	u32 btf_size = 0;
	const void *raw = btf__raw_data(c->btf, &btf_size);
	Elf_Scn *scn;
	Elf_Data *data;
	GElf_Shdr sh = {.sh_type = SHT_PROGBITS, .sh_addralign = 8};
	int err = add_names(c, &maps_name, &btf_name, &old_name);

	if (err)
		return err;
	if (!raw || rename_section(c->maps, maps_name) ||
	    (c->btf_scn && rename_section(c->btf_scn, old_name)) ||
	    (c->btf_ext && rename_section(c->btf_ext, old_name)))
		return failed(c, elf_errmsg(-1));
	scn = elf_newscn(c->elf);
	data = scn ? elf_newdata(scn) : NULL;
	if (!data)
		return failed(c, elf_errmsg(-1));
	data->d_buf = (void *)raw;
	data->d_size = btf_size;
	data->d_align = 8;
	data->d_type = ELF_T_BYTE;
	data->d_version = EV_CURRENT;
	sh.sh_name = btf_name;
	sh.sh_size = btf_size;
	if (!gelf_update_shdr(scn, &sh) || elf_update(c->elf, ELF_C_WRITE) < 0)
		return failed(c, elf_errmsg(-1));
	return 0;
}

static int reload(struct convert *c, struct bpf_image *img)
{
	off_t size = lseek(c->fd, 0, SEEK_END);
	void *data = size > 0 ? malloc(size) : NULL;

	if (!data || pread(c->fd, data, size, 0) != size) {
		free(data);
		return failed(c, "out of memory");
	}
	free(img->data);
	img->data = data;
	img->size = size;
	return 0;
}

static int convert(struct convert *c, const struct bpf_image *img)
{
	struct map_sym *syms = NULL;
	int nr = 0, err;

	c->fd = memfd_create("bpf-object", MFD_CLOEXEC);
	if (c->fd < 0 || write(c->fd, img->data, img->size) != (ssize_t)img->size)
		return failed(c, strerror(errno));
	elf_version(EV_CURRENT);
	c->elf = elf_begin(c->fd, ELF_C_RDWR, NULL);
	c->btf = btf__new_empty();
	if (!c->elf || !c->btf)
		return failed(c, c->btf ? elf_errmsg(-1) : "out of memory");
	err = find_sections(c);
	if (!err)
		err = collect_syms(c, &syms, &nr);
	if (!err)
		err = add_maps(c, syms, nr);
	if (!err)
		err = rewrite(c);
	free(syms);
	return err;
}

int bpf_image__convert_maps(struct bpf_image *img, const char *path, struct errbuf *eb)
{
	struct convert c = {.path = path, .eb = eb, .fd = -1};
	size_t size;
	int err;

	if (!bpf_image__section(img, "maps", &size))
		return 0;
	err = convert(&c, img);
	/* libelf writes the file out in elf_update(); it must be closed before the bytes are read.
	 */
	elf_end(c.elf);
	if (!err)
		err = reload(&c, img);
	btf__free(c.btf);
	free(c.name_data);
	if (c.fd >= 0)
		close(c.fd);
	return err;
}
