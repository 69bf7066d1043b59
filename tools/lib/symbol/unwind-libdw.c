// SPDX-License-Identifier: GPL-2.0-only
/* Steps by libdwfl: slower, but for every machine elfutils knows, and with .debug_frame of its own.
 */
#include <elf.h>
#include <elfutils/libdwfl.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>
#include <unistd.h>

#include "lib/symbol/dso-internal.h"
#include "lib/symbol/unwind-internal.h"

#define MAX_SPACES 8

/* One process's modules, kept for its next samples. */
struct dwfl_space {
	struct dwfl_space *next;
	u64 id;
	Dwfl *dwfl;
	bool attached;
	struct unwinder *u;
	u64 *ips;
	u32 nr, max;
};

static char *debug_path = NULL;

static const Dwfl_Callbacks callbacks = {
	.find_elf = dwfl_build_id_find_elf,
	.find_debuginfo = dwfl_standard_find_debuginfo,
	.section_address = dwfl_offline_section_address,
	.debuginfo_path = &debug_path,
};

/* Where the file's first segment is in this process: what libdwfl calls the module's base. */
static u64 base_of(const struct recent *r)
{
	struct dso *d = r->map.dso;
	u64 low = UINT64_MAX, align = 4096;

	for (u32 i = 0; i < d->nr_load; i++)
		if (d->load[i].vaddr < low) {
			low = d->load[i].vaddr;
			align = d->load[i].align > 1 ? d->load[i].align : 1;
		}
	return low == UINT64_MAX ? r->map.start : (low & ~(align - 1)) + r->bias;
}

static void report(struct dwfl_space *sp, u64 ip)
{
	struct recent *r = unwind__code(sp->u, ip);
	Dwfl_Module *mod;
	int fd;

	if (!r) {
		sp->u->no_info = true;
		return;
	}
	mod = dwfl_addrmodule(sp->dwfl, ip);
	if (mod)
		return;
	if (dso__kind(r->map.dso) != DSO_USER || (fd = dso__open_file(r->map.dso)) < 0) {
		sp->u->no_info = true;
		return;
	}
	dwfl_report_begin_add(sp->dwfl);
	/* takes the descriptor over when it succeeds */
	if (!dwfl_report_elf(sp->dwfl, dso__short_name(r->map.dso), dso__name(r->map.dso), fd,
			     base_of(r), false)) {
		close(fd);
		sp->u->no_info = true;
	}
	dwfl_report_end(sp->dwfl, NULL, NULL);
}

static pid_t next_thread(Dwfl *dwfl, void *arg, void **thread_arg)
{
	struct dwfl_space *sp = arg;

	(void)dwfl;
	if (*thread_arg)
		return 0;
	*thread_arg = sp;
	return 1;
}

static bool get_thread(Dwfl *dwfl, pid_t tid, void *arg, void **thread_arg)
{
	(void)dwfl;
	*thread_arg = arg;
	return tid == 1;
}

static bool memory_read(Dwfl *dwfl, Dwarf_Addr addr, Dwarf_Word *val, void *arg)
{
	struct dwfl_space *sp = arg;
	u32 n = sp->u->s->machine == EM_386 || sp->u->s->machine == EM_ARM ? 4 : 8;
	int err;

	(void)dwfl;
	*val = 0;
	err = unwind__stack(sp->u, addr, val, n);
	if (err == -ENODATA && !sp->u->missed)
		sp->u->missed = addr + n;
	return !err;
}

static bool set_initial_registers(Dwfl_Thread *thread, void *arg)
{
	struct dwfl_space *sp = arg;
	const struct unwind_sample *s = sp->u->s;
	u32 nr = s->machine == EM_X86_64    ? 17
		 : s->machine == EM_AARCH64 ? 32
		 : s->machine == EM_386	    ? 9
					    : 16;
	Dwarf_Word regs[40] = {};
	u64 ip;

	for (u32 i = 0; i < nr; i++) {
		int n = unwind__dwarf_to_perf(s->machine, i);
		u64 v;

		if (n >= 0 && !unwind__reg(s, (u32)n, &v))
			regs[i] = v;
	}
	if (unwind__reg(s, (u32)unwind__ip_reg(s->machine), &ip))
		return false;
	if (s->machine == EM_AARCH64)
		dwfl_thread_state_register_pc(thread, ip);
	return dwfl_thread_state_registers(thread, 0, nr, regs);
}

static const Dwfl_Thread_Callbacks thread_callbacks = {
	.next_thread = next_thread,
	.get_thread = get_thread,
	.memory_read = memory_read,
	.set_initial_registers = set_initial_registers,
};

static int frame(Dwfl_Frame *f, void *arg)
{
	struct dwfl_space *sp = arg;
	bool activation;
	Dwarf_Addr pc;

	if (!dwfl_frame_pc(f, &pc, &activation))
		return DWARF_CB_ABORT;
	if (!pc)
		return DWARF_CB_ABORT;
	if (sp->nr) /* the first is the sample's own, in place already */
		sp->ips[sp->nr] = activation ? pc : pc - 1;
	sp->nr++;
	sp->u->no_info = false;
	report(sp, activation ? pc : pc - 1);
	return sp->nr < sp->max ? DWARF_CB_OK : DWARF_CB_ABORT;
}

static void space__delete(struct dwfl_space *sp)
{
	if (sp->dwfl)
		dwfl_end(sp->dwfl);
	free(sp);
}

static struct dwfl_space *space_for(struct unwinder *u, u64 id)
{
	struct dwfl_space **at, *sp;
	u32 n = 0;

	for (at = &u->spaces; (sp = *at); at = &sp->next) {
		if (sp->id == id) {
			*at = sp->next;
			goto front;
		}
		if (++n == MAX_SPACES) {
			*at = NULL;
			while (sp) {
				struct dwfl_space *next = sp->next;

				space__delete(sp);
				sp = next;
			}
			break;
		}
	}
	sp = calloc(1, sizeof(*sp));
	if (!sp)
		return NULL;
	sp->id = id;
	sp->u = u;
	sp->dwfl = dwfl_begin(&callbacks);
	if (!sp->dwfl) {
		free(sp);
		return NULL;
	}
front:
	sp->next = u->spaces;
	u->spaces = sp;
	return sp;
}

int unwind_libdw__run(struct unwinder *u, u64 space_id, u64 *ips, u32 max, u32 *nr)
{
	struct dwfl_space *sp = space_for(u, space_id);

	if (!sp)
		return -ENOMEM;
	report(sp, ips[0]);
	if (!sp->attached) {
		/* needs a module to learn the machine from */
		if (!dwfl_attach_state(sp->dwfl, NULL, 1, &thread_callbacks, sp))
			return 0;
		sp->attached = true;
	}
	sp->ips = ips;
	sp->nr = 0;
	sp->max = max;
	dwfl_getthread_frames(sp->dwfl, 1, frame, sp);
	*nr = sp->nr ? sp->nr : 1;
	return 0;
}

void unwind_libdw__exit(struct unwinder *u)
{
	while (u->spaces) {
		struct dwfl_space *sp = u->spaces;

		u->spaces = sp->next;
		space__delete(sp);
	}
}
