// SPDX-License-Identifier: GPL-2.0-only
/* An attr in words: `perf evlist -v`, and the event lines of --header. */
#include <string.h>

#include "session/session.h"

static const char *const sample_bits[] = {
	"IP",
	"TID",
	"TIME",
	"ADDR",
	"READ",
	"CALLCHAIN",
	"ID",
	"CPU",
	"PERIOD",
	"STREAM_ID",
	"RAW",
	"BRANCH_STACK",
	"REGS_USER",
	"STACK_USER",
	"WEIGHT",
	"DATA_SRC",
	"IDENTIFIER",
	"TRANSACTION",
	"REGS_INTR",
	"PHYS_ADDR",
	"AUX",
	"CGROUP",
	"DATA_PAGE_SIZE",
	"CODE_PAGE_SIZE",
	"WEIGHT_STRUCT",
};
/* The order upstream prints them in, by bit. */
static const u8 sample_order[] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12,
				  13, 16, 18, 15, 14, 17, 19, 20, 21, 22, 23, 24};
static const char *const read_bits[] = {"TOTAL_TIME_ENABLED", "TOTAL_TIME_RUNNING", "ID", "GROUP",
					"LOST"};
static const char *const branch_bits[] = {
	"USER",	    "KERNEL",	 "HV",	      "ANY",	  "ANY_CALL",	"ANY_RETURN", "IND_CALL",
	"ABORT_TX", "IN_TX",	 "NO_TX",     "COND",	  "CALL_STACK", "IND_JUMP",   "CALL",
	"NO_FLAGS", "NO_CYCLES", "TYPE_SAVE", "HW_INDEX", "PRIV_SAVE",	"COUNTERS",
};
/* By bit of the flags word; bit 15 is precise_ip, which has two. */
static const char *const flag_names[] = {
	"disabled",
	"inherit",
	"pinned",
	"exclusive",
	"exclude_user",
	"exclude_kernel",
	"exclude_hv",
	"exclude_idle",
	"mmap",
	"comm",
	"freq",
	"inherit_stat",
	"enable_on_exec",
	"task",
	"watermark",
	"precise_ip",
	NULL,
	"mmap_data",
	"sample_id_all",
	"exclude_host",
	"exclude_guest",
	"exclude_callchain_kernel",
	"exclude_callchain_user",
	"mmap2",
	"comm_exec",
	"use_clockid",
	"context_switch",
	"write_backward",
	"namespaces",
	"ksymbol",
	"bpf_event",
	"aux_output",
	"cgroup",
	"text_poke",
	"build_id",
	"inherit_thread",
	"remove_on_exec",
	"sigtrap",
	"defer_callchain",
	"defer_output",
};

struct printer {
	struct outbuf *ob;
	const char *sep;
	bool any;
};

static void begin(struct printer *p, const char *name)
{
	if (p->any)
		outbuf__puts(p->ob, ", ");
	p->any = true;
	outbuf__puts(p->ob, name);
	outbuf__puts(p->ob, p->sep);
}

static void number(struct printer *p, const char *name, u64 v)
{
	if (!v)
		return;
	begin(p, name);
	outbuf__dec(p->ob, v, 0);
}

static void hex(struct printer *p, const char *name, u64 v)
{
	if (!v)
		return;
	begin(p, name);
	outbuf__puts(p->ob, "0x");
	outbuf__hex(p->ob, v, 0, '0');
}

static void bits(struct printer *p, const char *name, u64 v, const char *const *names, size_t nr,
		 const u8 *order)
{
	const char *bar = "";

	if (!v)
		return;
	begin(p, name);
	for (size_t i = 0; i < nr; i++) {
		size_t bit = order ? order[i] : i;

		if (!(v >> bit & 1))
			continue;
		outbuf__puts(p->ob, bar);
		outbuf__puts(p->ob, names[bit]);
		bar = "|";
	}
}

static void flags(struct printer *p, const struct perf_event_attr *a)
{
	u64 v;

	memcpy(&v, (const u8 *)&a->read_format + 8, sizeof(v));
	for (size_t i = 0; i < ARRAY_SIZE(flag_names); i++) {
		if (!flag_names[i])
			continue;
		number(p, flag_names[i], i == 15 ? a->precise_ip : v >> i & 1);
	}
}

void perf_attr__print(struct outbuf *ob, const struct perf_event_attr *a, const char *sep)
{
	struct printer p = {.ob = ob, .sep = sep};

	number(&p, "type", a->type);
	number(&p, "size", a->size);
	hex(&p, "config", a->config);
	number(&p, "{ sample_period, sample_freq }", a->sample_period);
	bits(&p, "sample_type", a->sample_type, sample_bits, ARRAY_SIZE(sample_order),
	     sample_order);
	bits(&p, "read_format", a->read_format, read_bits, ARRAY_SIZE(read_bits), NULL);
	flags(&p, a);
	number(&p, "{ wakeup_events, wakeup_watermark }", a->wakeup_events);
	number(&p, "bp_type", a->bp_type);
	hex(&p, "{ bp_addr, config1 }", a->config1);
	hex(&p, "{ bp_len, config2 }", a->config2);
	bits(&p, "branch_sample_type", a->branch_sample_type, branch_bits, ARRAY_SIZE(branch_bits),
	     NULL);
	hex(&p, "sample_regs_user", a->sample_regs_user);
	number(&p, "sample_stack_user", a->sample_stack_user);
	if (a->clockid) {
		begin(&p, "clockid");
		outbuf__sdec(ob, a->clockid, 0);
	}
	hex(&p, "sample_regs_intr", a->sample_regs_intr);
	number(&p, "aux_watermark", a->aux_watermark);
	number(&p, "sample_max_stack", a->sample_max_stack);
	number(&p, "aux_sample_size", a->aux_sample_size);
	number(&p, "sig_data", a->sig_data);
}
