// SPDX-License-Identifier: GPL-2.0-only
/*
 * Steps by libunwind's remote interface. What it reads comes from the sample's stack copy and from
 * unwind tables in memory. Finding the FDE is done here, by one binary search; libunwind is handed
 * a table of that one entry.
 */
#include <elf.h>
#include <endian.h>
#include <errno.h>
#include <libunwind.h>
#include <string.h>

#include "lib/symbol/unwind-internal.h"

/* Not declared in the headers, but exported: libunwind(3) leaves remote tables to it. */
extern int UNW_OBJ(dwarf_search_unwind_table)(unw_addr_space_t as, unw_word_t ip,
					      unw_dyn_info_t *di, unw_proc_info_t *pi,
					      int need_unwind_info, void *arg);

/* The one-entry table: { s32 start, s32 fde }, relative to a segment base that is the FDE itself; a
 * start below all addresses makes it cover any. Nothing else is at this address. */
#define TABLE_ADDR 0xf000000000000000ULL

static const s32 one_entry[2] = {INT32_MIN, 0};

static int use_fde(unw_addr_space_t as, unw_word_t ip, const struct recent *r, u64 fde,
		   unw_proc_info_t *pi, int need, void *arg)
{
	unw_dyn_info_t di = {};

	di.format = UNW_INFO_FORMAT_REMOTE_TABLE;
	di.start_ip = r->map.start;
	di.end_ip = r->map.end;
	di.u.rti.segbase = fde + r->bias;
	di.u.rti.table_data = TABLE_ADDR;
	di.u.rti.table_len = sizeof(one_entry) / (sizeof(unw_word_t));
	return UNW_OBJ(dwarf_search_unwind_table)(as, ip, &di, pi, need, arg);
}

static int find_proc_info(unw_addr_space_t as, unw_word_t ip, unw_proc_info_t *pi, int need,
			  void *arg)
{
	struct unwinder *u = arg;
	struct recent *r = unwind__code(u, ip);
	int err = -UNW_ENOINFO;
	u64 fde;

	if (r && r->mod && r->mod->tables) {
		if (!unwind_tables__find(r->mod->tables, ip - r->bias, &fde))
			err = use_fde(as, ip, r, fde, pi, need, arg);
		if (err < 0 && !unwind_tables__find_debug(r->mod->tables, ip - r->bias, &fde))
			err = use_fde(as, ip, r, fde, pi, need, arg);
	}
	u->no_info = err < 0;
	return err;
}

static void put_unwind_info(unw_addr_space_t as, unw_proc_info_t *pi, void *arg)
{
	(void)as;
	(void)pi;
	(void)arg;
}

static int get_dyn_info_list_addr(unw_addr_space_t as, unw_word_t *addr, void *arg)
{
	(void)as;
	(void)addr;
	(void)arg;
	return -UNW_ENOINFO;
}

static int access_mem(unw_addr_space_t as, unw_word_t addr, unw_word_t *val, int write, void *arg)
{
	(void)as;
	if (write)
		return -UNW_EINVAL;
	if (addr == TABLE_ADDR) {
		memcpy(val, one_entry, sizeof(*val));
		return 0;
	}
	*val = 0;
	return unwind__memory(arg, addr, val, sizeof(*val)) ? -UNW_EINVAL : 0;
}

static int access_reg(unw_addr_space_t as, unw_regnum_t reg, unw_word_t *val, int write, void *arg)
{
	struct unwinder *u = arg;
	int n = reg >= 0 ? unwind__dwarf_to_perf(u->s->machine, (u32)reg) : -1;
	u64 v;

	(void)as;
	if (write || n < 0 || unwind__reg(u->s, (u32)n, &v))
		return -UNW_EBADREG;
	*val = v;
	return 0;
}

static int access_fpreg(unw_addr_space_t as, unw_regnum_t reg, unw_fpreg_t *val, int write,
			void *arg)
{
	(void)as;
	(void)reg;
	(void)val;
	(void)write;
	(void)arg;
	return -UNW_EINVAL;
}

static int resume(unw_addr_space_t as, unw_cursor_t *c, void *arg)
{
	(void)as;
	(void)c;
	(void)arg;
	return -UNW_EINVAL;
}

static unw_accessors_t accessors = {
	.find_proc_info = find_proc_info,
	.put_unwind_info = put_unwind_info,
	.get_dyn_info_list_addr = get_dyn_info_list_addr,
	.access_mem = access_mem,
	.access_reg = access_reg,
	.access_fpreg = access_fpreg,
	.resume = resume,
};

int unwind_libunwind__run(struct unwinder *u, u64 *ips, u32 max, u32 *nr)
{
	unw_cursor_t c;
	u32 i = 1;

	if (!u->as) {
		u->as = unw_create_addr_space(&accessors, 0);
		if (!u->as)
			return -ENOMEM;
		unw_set_caching_policy(u->as, UNW_CACHE_NONE);
	}
	if (unw_init_remote(&c, u->as, u))
		return -EINVAL;
	while (i < max && unw_step(&c) > 0) {
		unw_word_t ip = 0;

		unw_get_reg(&c, UNW_REG_IP, &ip);
		if (!ip)
			break;
		/* a caller's address is behind its call; a signal's is where it struck */
		if (unw_is_signal_frame(&c) <= 0)
			ip--;
		ips[i++] = ip;
	}
	*nr = i;
	return 0;
}

void unwind_libunwind__exit(struct unwinder *u)
{
	if (u->as)
		unw_destroy_addr_space(u->as);
}
