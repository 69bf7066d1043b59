// SPDX-License-Identifier: GPL-2.0-only
/*
 * One hostile ELF file through everything that reads ELF and DWARF: symbols, stubs, notes,
 * segments, unwind tables, inlined functions, source lines. With libFuzzer (make FUZZ=1 fuzz) the
 * main program; the unit test test-mutated-files includes it and feeds mutations of its own.
 */
#include <elf.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "lib/symbol/inline.h"
#include "lib/symbol/srcline.h"
#include "lib/symbol/unwind.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MAP_START 0x7f0000000000ULL

static struct dso *mapped;

static bool find_map(void *space, u64 ip, struct unwind_map *map)
{
	(void)space;
	if (ip < MAP_START || ip >= MAP_START + (1 << 20))
		return false;
	*map = (struct unwind_map){MAP_START, MAP_START + (1 << 20), 0, mapped};
	return true;
}

static void unwind(u64 at)
{
	static u64 stack[512];
	u64 regs[17], ips[32];
	struct unwind_sample s = {.abi = 2,
				  .mask = 0x1ff | 0xff0000,
				  .regs = regs,
				  .stack = stack,
				  .stack_size = sizeof(stack),
				  .machine = EM_X86_64};
	struct unwind_result res;

	for (u32 i = 0; i < 512; i++)
		stack[i] = MAP_START + (i * 2654435761u) % (1 << 16);
	for (u32 i = 0; i < 17; i++)
		regs[i] = 0x7fff00000000ULL + i * 8;
	regs[8] = MAP_START + at;
	for (int method = 0; method < 2; method++) {
		struct unwinder *u = unwinder__new(method, find_map);

		unwinder__run(u, NULL, 1, &s, ips, 32, &res);
		unwinder__delete(u);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct inline_frame *f;
	struct dso_ident id = {.kind = DSO_USER};
	struct srcline line;
	struct build_id bid;
	struct dsos *s;
	char path[64];
	int fd = memfd_create("fuzz", MFD_CLOEXEC);

	if (fd < 0 || write(fd, data, size) != (ssize_t)size) {
		close(fd);
		return 0;
	}
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	id.path = path;
	s = dsos__new(NULL);
	mapped = dsos__find(s, &id);
	dso__load(mapped);
	dso__build_id(mapped, &bid);
	for (u32 i = 0; i < dso__nr_symbols(mapped); i += 7) {
		const struct symbol *sym = dso__symbol_at(mapped, i);

		dso__find_symbol(mapped, sym->start);
		dso__find_symbol(mapped, sym->end - 1);
		if (i < 70) {
			dso__inlines(mapped, sym->start + 4, &f);
			dso__srcline(mapped, sym->start + 4, &line);
		}
	}
	for (u64 off = 0; off < 0x4000; off += 0x155) {
		u64 addr = dso__file_offset_to_addr(mapped, off);

		dso__addr_to_file_offset(mapped, addr);
		dso__find_symbol(mapped, addr);
		dso__inlines(mapped, addr, &f);
		dso__srcline(mapped, addr, &line);
	}
	for (u64 at = 0x1000; at < 0x1400; at += 0x33)
		unwind(at);
	dsos__delete(s);
	close(fd);
	return 0;
}
