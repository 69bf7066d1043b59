// SPDX-License-Identifier: GPL-2.0-only
/* Fields that few samples have: registers, memory accesses, branch stacks, page sizes. */
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>

#include "output/script-internal.h"

/* ---- registers ---- */

static const char *const x86_regs[] = {"AX", "BX",    "CX",  "DX",  "SI",  "DI",  "BP",	 "SP",
				       "IP", "FLAGS", "CS",  "SS",  "DS",  "ES",  "FS",	 "GS",
				       "R8", "R9",    "R10", "R11", "R12", "R13", "R14", "R15"};
static const char *const arm_regs[] = {"r0", "r1", "r2",  "r3", "r4", "r5", "r6", "r7",
				       "r8", "r9", "r10", "fp", "ip", "sp", "lr", "pc"};
static const char *const arm64_regs[] = {
	"x0",  "x1",  "x2",  "x3",  "x4",  "x5",  "x6",	 "x7",	"x8",  "x9",  "x10",
	"x11", "x12", "x13", "x14", "x15", "x16", "x17", "x18", "x19", "x20", "x21",
	"x22", "x23", "x24", "x25", "x26", "x27", "x28", "x29", "lr",  "sp",  "pc"};
static const char *const xmm_regs[] = {"XMM0",	"XMM1",	 "XMM2",  "XMM3", "XMM4",  "XMM5",
				       "XMM6",	"XMM7",	 "XMM8",  "XMM9", "XMM10", "XMM11",
				       "XMM12", "XMM13", "XMM14", "XMM15"};

const char *script_reg_name(const char *arch, int reg)
{
	if (!arch)
		return NULL;
	if (!strcmp(arch, "x86_64") || (arch[0] == 'i' && !strcmp(arch + 2, "86"))) {
		if (reg < (int)ARRAY_SIZE(x86_regs))
			return x86_regs[reg];
		/* Each has two bits of the mask, one for each half. */
		return reg >= 32 && reg < 64 ? xmm_regs[(reg - 32) / 2] : NULL;
	}
	if (!strcmp(arch, "aarch64") || !strcmp(arch, "arm64"))
		return reg < (int)ARRAY_SIZE(arm64_regs) ? arm64_regs[reg]
		       : reg == 46			 ? "vg"
							 : NULL;
	if (!strncmp(arch, "arm", 3))
		return reg < (int)ARRAY_SIZE(arm_regs) ? arm_regs[reg] : NULL;
	return NULL;
}

void script_put_regs(struct script *s, struct outbuf *ob, u64 mask, u64 abi, const u64 *regs)
{
	int n = 0;

	if (!regs)
		return;
	outbuf__printf(ob, " ABI:%llu ", (unsigned long long)abi);
	for (int r = 0; r < 64; r++) {
		const char *name = script_reg_name(s->arch, r);
		char number[16];

		if (!(mask >> r & 1))
			continue;
		snprintf(number, sizeof(number), "r%d", r);
		outbuf__printf(ob, "%5s:0x%llx ", name ? name : number,
			       (unsigned long long)regs[n++]);
	}
}

/* ---- memory accesses ---- */

#define LINE_MAX_LEN 100 /* upstream cuts the words here */

struct words {
	char text[LINE_MAX_LEN];
	int len;
};

static void __printf(2, 3) add(struct words *w, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(w->text + w->len, sizeof(w->text) - w->len, fmt, ap);
	va_end(ap);
	w->len = min_t(int, w->len + n, (int)sizeof(w->text) - 1);
}

static void add_op(struct words *w, u64 op)
{
	add(w, "|OP %s",
	    op & PERF_MEM_OP_NA	      ? "N/A"
	    : op & PERF_MEM_OP_LOAD   ? "LOAD"
	    : op & PERF_MEM_OP_STORE  ? "STORE"
	    : op & PERF_MEM_OP_PFETCH ? "PFETCH"
	    : op & PERF_MEM_OP_EXEC   ? "EXEC"
				      : "No");
}

static void add_hit_miss(struct words *w, u64 v, u64 hit, u64 miss)
{
	if (v & hit)
		add(w, " hit");
	if (v & miss)
		add(w, " miss");
}

static void add_level(struct words *w, const union perf_mem_data_src *d)
{
	static const char *const names[] = {"N/A",
					    NULL, /* hit and miss come at the end */
					    NULL,
					    "L1",
					    "LFB/MAB",
					    "L2",
					    "L3",
					    "Local RAM",
					    "Remote RAM (1 hop)",
					    "Remote RAM (2 hops)",
					    "Remote Cache (1 hop)",
					    "Remote Cache (2 hops)",
					    "I/O",
					    "Uncached"};
	static const char *const hops[] = {"N/A", "core, same node", "node, same socket",
					   "socket, same board", "board"};
	static const char *const numbers[16] = {[PERF_MEM_LVLNUM_CXL] = "CXL",
						[PERF_MEM_LVLNUM_IO] = "I/O",
						[PERF_MEM_LVLNUM_ANY_CACHE] = "Any cache",
						[PERF_MEM_LVLNUM_LFB] = "LFB/MAB",
						[PERF_MEM_LVLNUM_RAM] = "RAM",
						[PERF_MEM_LVLNUM_PMEM] = "PMEM",
						[PERF_MEM_LVLNUM_NA] = "N/A"};
	int start, printed = 0;

	add(w, "|LVL ");
	start = w->len;
	if (d->mem_remote)
		add(w, "Remote ");
	if (d->mem_hops) {
		add(w, "%s ", d->mem_hops < ARRAY_SIZE(hops) ? hops[d->mem_hops] : "(null)");
	} else {
		for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
			if ((d->mem_lvl >> i & 1) && names[i])
				add(w, "%s%s", printed++ ? " or " : "", names[i]);
		}
	}
	if (d->mem_lvl_num) {
		add(w, "%s", printed ? " or " : "");
		if (numbers[d->mem_lvl_num])
			add(w, "%s", numbers[d->mem_lvl_num]);
		else
			add(w, "L%d", (int)d->mem_lvl_num);
	}
	if (w->len == start)
		add(w, "N/A");
	add_hit_miss(w, d->mem_lvl, PERF_MEM_LVL_HIT, PERF_MEM_LVL_MISS);
}

static void add_bits(struct words *w, u64 v, const char *const *names, int n, int *printed)
{
	for (int i = 0; i < n; i++) {
		if ((v >> i & 1) && names[i])
			add(w, "%s%s", (*printed)++ ? " or " : "", names[i]);
	}
}

static void add_snoop(struct words *w, const union perf_mem_data_src *d)
{
	static const char *const names[] = {"N/A", "None", "Hit", "Miss", "HitM"};
	static const char *const more[] = {"Fwd", "Peer"};
	int printed = 0;

	add(w, "|SNP ");
	add_bits(w, d->mem_snoop, names, ARRAY_SIZE(names), &printed);
	add_bits(w, d->mem_snoopx, more, ARRAY_SIZE(more), &printed);
	if (!printed)
		add(w, "N/A");
}

static void add_tlb(struct words *w, const union perf_mem_data_src *d)
{
	static const char *const names[] = {"N/A", NULL, NULL, "L1", "L2", "Walker", "Fault"};
	int printed = 0;

	add(w, "|TLB ");
	add_bits(w, d->mem_dtlb, names, ARRAY_SIZE(names), &printed);
	if (!printed)
		add(w, "N/A");
	add_hit_miss(w, d->mem_dtlb, PERF_MEM_TLB_HIT, PERF_MEM_TLB_MISS);
}

static void add_lock_block(struct words *w, const union perf_mem_data_src *d)
{
	add(w, "|LCK %s",
	    d->mem_lock & PERF_MEM_LOCK_NA	 ? "N/A"
	    : d->mem_lock & PERF_MEM_LOCK_LOCKED ? "Yes"
						 : "No");
	add(w, "|BLK ");
	if (!d->mem_blk || d->mem_blk & PERF_MEM_BLK_NA) {
		add(w, " N/A");
		return;
	}
	if (d->mem_blk & PERF_MEM_BLK_DATA)
		add(w, " Data");
	if (d->mem_blk & PERF_MEM_BLK_ADDR)
		add(w, " Addr");
}

void script_put_data_src(struct script *s, struct outbuf *ob, u64 data_src)
{
	union perf_mem_data_src d = {.val = data_src};
	struct words w = {.len = 0}, all = {.len = 0};

	add_op(&w, d.mem_op);
	add_level(&w, &d);
	add_snoop(&w, &d);
	add_tlb(&w, &d);
	add_lock_block(&w, &d);
	add(&all, "%16llx %s", (unsigned long long)data_src, w.text);
	if (all.len > s->data_src_width)
		s->data_src_width = all.len;
	outbuf__write(ob, all.text, all.len);
	outbuf__pad(ob, s->data_src_width - all.len);
}

/* ---- page sizes ---- */

/* "4K", "2M"; exactly one of a larger unit stays in the smaller: "1024M". */
void script_put_page_size(struct outbuf *ob, u64 size)
{
	static const char units[] = {'B', 'K', 'M', 'G'};
	unsigned int unit = 0;

	if (!size) {
		outbuf__puts(ob, " N/A");
		return;
	}
	while (size / 1024 > 1 && unit + 1 < sizeof(units)) {
		size /= 1024;
		unit++;
	}
	outbuf__printf(ob, " %llu%c", (unsigned long long)size, units[unit]);
}

/* ---- branch stacks ---- */

/* One end of a branch: how, depends on the fields. */
static void put_branch_end(struct script *s, struct script_sample *sm, u64 addr)
{
	u64 fields = sm->ev->fields;
	struct addr_location al;

	if (!(fields & (SCRIPT_BRSTACKSYM | SCRIPT_BRSTACKOFF | SCRIPT_DSO))) {
		outbuf__puts(s->ob, "0x");
		outbuf__hex(s->ob, addr, 0, '0');
		return;
	}
	machine__resolve(s->machine, sm->s->pid, sm->s->tid, sm->s->cpumode, addr, sm->s->time,
			 &al);
	if (!(fields & SCRIPT_BRSTACK) && (fields & SCRIPT_BRSTACKSYM)) {
		script_put_symbol(s->ob, al.sym ? al.sym->name : NULL, al.sym, al.addr,
				  fields & SCRIPT_SYMOFF);
	} else {
		outbuf__puts(s->ob, "0x");
		outbuf__hex(s->ob, fields & SCRIPT_BRSTACK || !al.map ? addr : al.addr, 0, '0');
	}
	if (fields & SCRIPT_DSO) {
		outbuf__putc(s->ob, '(');
		script_put_dso(s, al.dso);
		outbuf__putc(s->ob, ')');
	}
}

const char *script_branch_type(unsigned int type)
{
	static const char *const names[16] = {
		"-",	  "COND",      "UNCOND",   "IND",  "CALL", "IND_CALL", "RET",	"SYSCALL",
		"SYSRET", "COND_CALL", "COND_RET", "ERET", "IRQ",  "SERROR",   "NO_TX", ""};

	return names[type & 15];
}

void script_put_branches(struct script *s, struct script_sample *sm)
{
	const struct perf_branch_entry *b = (const void *)sm->s->branch;

	for (u64 i = 0; b && i < sm->s->branch_nr; i++) {
		if (sm->ev->fields & (SCRIPT_BRSTACK | SCRIPT_BRSTACKOFF) ||
		    !(sm->ev->fields & SCRIPT_BRSTACKSYM))
			outbuf__putc(s->ob, ' ');
		put_branch_end(s, sm, b[i].from);
		outbuf__putc(s->ob, '/');
		put_branch_end(s, sm, b[i].to);
		outbuf__printf(s->ob, "/%c/%c/%c/%d/%s ",
			       !b[i].mispred && !b[i].predicted ? '-'
			       : b[i].predicted			? 'P'
								: 'M',
			       b[i].in_tx ? 'X' : '-', b[i].abort ? 'A' : '-', (int)b[i].cycles,
			       script_branch_type(b[i].type));
	}
}
