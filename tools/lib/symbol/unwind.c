// SPDX-License-Identifier: GPL-2.0-only
/* Unwinding: registers, memory and ends, whichever library does the steps. */
#include <elf.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "lib/symbol/unwind-internal.h"

/* perf's register numbers (asm/perf_regs.h) in the order of DWARF's (the psABIs). */
static const s8 x86_64_regs[] = {0, 3, 2, 1, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23, 8};
static const s8 i386_regs[] = {0, 2, 3, 1, 7, 6, 4, 5, 8};

int unwind__dwarf_to_perf(u16 em, u32 dw)
{
	switch (em) {
	case EM_X86_64:
		return dw < ARRAY_SIZE(x86_64_regs) ? x86_64_regs[dw] : -1;
	case EM_386:
		return dw < ARRAY_SIZE(i386_regs) ? i386_regs[dw] : -1;
	case EM_AARCH64: /* x0 to x30, sp, pc */
		return dw < 33 ? (int)dw : -1;
	case EM_ARM:
		return dw < 16 ? (int)dw : -1;
	default:
		return -1;
	}
}

int unwind__ip_reg(u16 em)
{
	return em == EM_X86_64 || em == EM_386 ? 8 : em == EM_AARCH64 ? 32 : em == EM_ARM ? 15 : -1;
}

int unwind__sp_reg(u16 em)
{
	return em == EM_X86_64 || em == EM_386 ? 7 : em == EM_AARCH64 ? 31 : em == EM_ARM ? 13 : -1;
}

int unwind__reg(const struct unwind_sample *s, u32 n, u64 *v)
{
	if (n >= 64 || !(s->mask & 1ULL << n))
		return -EINVAL;
	*v = s->regs[__builtin_popcountll(s->mask & ((1ULL << n) - 1))];
	return 0;
}

int unwind__stack(struct unwinder *u, u64 addr, void *buf, u32 n)
{
	u64 off = addr - u->sp;

	if (addr < u->sp)
		return -ENOENT;
	if (off < u->s->stack_size && n <= u->s->stack_size - off) {
		memcpy(buf, (const char *)u->s->stack + off, n);
		if (addr + n > u->highest)
			u->highest = addr + n;
		return 0;
	}
	/* a stack of 8 MiB is usual; what lies far beyond is no stack of this thread */
	if (off > 64u << 20)
		return -ENOENT;
	return -ENODATA;
}

static struct unwind_module *module_of(struct unwinder *u, struct dso *dso)
{
	struct unwind_module *m;

	HASH_FIND_PTR(u->modules, &dso, m);
	if (m)
		return m;
	m = calloc(1, sizeof(*m));
	if (!m)
		return NULL;
	m->dso = dso;
	if (u->method == UNWIND_LIBUNWIND)
		m->tables = unwind_tables__load(dso);
	HASH_ADD_PTR(u->modules, dso, m);
	return m;
}

struct recent *unwind__code(struct unwinder *u, u64 ip)
{
	struct recent *r;

	for (u32 i = 0; i < u->nr_recent; i++) {
		r = &u->recent[i];
		if (ip >= r->map.start && ip < r->map.end)
			return r;
	}
	r = &u->recent[u->next_recent];
	memset(r, 0, sizeof(*r));
	if (!u->find_map(u->space, ip, &r->map) || !r->map.dso) {
		r->map.start = r->map.end = 0;
		return NULL;
	}
	/* exact for the segment that holds the code, also where the map's first page holds two */
	r->bias = ip - dso__file_offset_to_addr(r->map.dso, ip - r->map.start + r->map.pgoff);
	r->mod = module_of(u, r->map.dso);
	if (u->nr_recent < RECENT)
		u->nr_recent++;
	u->next_recent = (u->next_recent + 1) % RECENT;
	return r;
}

/* Stack, then the tables and read-only parts of the files met so far. */
int unwind__memory(struct unwinder *u, u64 addr, void *buf, u32 n)
{
	int err = unwind__stack(u, addr, buf, n);
	bool beyond = err == -ENODATA;
	struct recent *r;

	if (!err)
		return 0;
	for (u32 i = 0; i < u->nr_recent; i++) {
		r = &u->recent[i];
		if (r->mod && r->mod->tables &&
		    !unwind_tables__read(r->mod->tables, addr - r->bias, buf, n))
			return 0;
	}
	r = beyond ? NULL : unwind__code(u, addr);
	if (r && r->mod && r->mod->tables &&
	    !unwind_tables__read(r->mod->tables, addr - r->bias, buf, n))
		return 0;
	if (beyond && !u->missed)
		u->missed = addr + n;
	return -EFAULT;
}

struct unwinder *unwinder__new(enum unwind_method method,
			       bool (*find_map)(void *space, u64 ip, struct unwind_map *map))
{
	struct unwinder *u = calloc(1, sizeof(*u));

	if (!u)
		return NULL;
	u->method = method;
	u->find_map = find_map;
	return u;
}

void unwinder__delete(struct unwinder *u)
{
	struct unwind_module *m, *tmp;

	if (!u)
		return;
	unwind_libunwind__exit(u);
	unwind_libdw__exit(u);
	HASH_ITER (hh, u->modules, m, tmp) {
		HASH_DEL(u->modules, m);
		unwind_tables__delete(m->tables);
		free(m);
	}
	free(u);
}

/* libunwind as packaged knows the machine it was built for; libdw knows all. */
static bool native(const struct unwind_sample *s)
{
#if defined(__x86_64__)
	return s->machine == EM_X86_64;
#elif defined(__aarch64__)
	return s->machine == EM_AARCH64;
#else
	return false;
#endif
}

int unwinder__run(struct unwinder *u, void *space, u64 space_id, const struct unwind_sample *s,
		  u64 *ips, u32 max, struct unwind_result *res)
{
	struct unwind_sample compat;
	int ip_reg = unwind__ip_reg(s->machine), sp_reg = unwind__sp_reg(s->machine), err;
	u64 ip;

	memset(res, 0, sizeof(*res));
	if (s->abi == PERF_SAMPLE_REGS_ABI_32 && s->machine == EM_X86_64) {
		compat = *s; /* a 32-bit program: the same register numbers, other rules */
		compat.machine = EM_386;
		s = &compat;
	}
	if (ip_reg < 0 || unwind__reg(s, (u32)ip_reg, &ip) || unwind__reg(s, (u32)sp_reg, &u->sp))
		return -EINVAL;
	if (!max)
		return 0;
	u->space = space;
	u->s = s;
	u->nr_recent = u->next_recent = 0;
	u->no_info = false;
	u->missed = 0;
	u->highest = u->sp;
	ips[0] = ip;
	res->nr = 1;
	if (u->method == UNWIND_LIBUNWIND && native(s))
		err = unwind_libunwind__run(u, ips, max, &res->nr);
	else
		err = unwind_libdw__run(u, space_id, ips, max, &res->nr);
	if (err)
		return err;
	res->sp = u->sp;
	res->highest = u->highest;
	if (res->nr >= max) {
		res->end = UNWIND_COMPLETE;
	} else if (u->missed) {
		res->end = UNWIND_CUT;
		res->needed = u->missed - u->sp;
	} else {
		res->end = u->no_info ? UNWIND_NO_INFO : UNWIND_COMPLETE;
	}
	return 0;
}
