/* SPDX-License-Identifier: GPL-2.0-only */
/* What perf record asks of every event: from its options to attrs, by upstream's rules. */
#ifndef PERF_SESSION_RECORD_CONFIG_H
#define PERF_SESSION_RECORD_CONFIG_H

#include <stdbool.h>

#include "compiler.h"
#include "errbuf.h"
#include "lib/perf/evlist.h"

enum callgraph_mode { CALLGRAPH_NONE, CALLGRAPH_FP, CALLGRAPH_DWARF, CALLGRAPH_LBR };

#define CALLGRAPH_STACK_SIZE 8192 /* bytes of user stack by default */
#define CALLGRAPH_STACK_MAX 65528 /* what fits into a record's u16 size, a multiple of 8 */

struct record_config {
	u64 freq;	  /* Hertz; used where no period is set */
	bool freq_given;  /* -F: for tracepoints as well */
	u64 period;	  /* -c; 0: not given */
	bool strict_freq; /* a frequency that is too high is an error */
	bool no_samples;  /* -n */
	bool stat;	  /* -s: counts of each thread as READ records */
	bool running_time;
	bool addr, phys_addr, data_page_size, code_page_size, weight, transaction, raw, cpu;
	bool period_flag, no_period; /* --period, --no-period */
	bool no_time, time;	     /* --no-timestamp, --timestamp */
	bool identifier;
	bool no_buffering; /* wake up at every record */
	bool all_user, all_kernel;
	bool namespaces, cgroups, switch_events, build_ids, text_poke, no_bpf_event;
	bool overwrite;
	bool separate_sideband; /* a dummy event carries COMM, MMAP ...: -a, -C, -D, --overwrite */
	bool group;
	u64 branch; /* attr.branch_sample_type; 0: none */
	u64 intr_regs, user_regs;
	enum callgraph_mode callgraph;
	u32 stack_size; /* of CALLGRAPH_DWARF */
	u32 max_stack;
	bool kernel_callchains, user_callchains;
	bool per_cpu; /* -a, -C: samples tell their CPU */
};

/* callgraph__parse - "fp", "dwarf", "dwarf,SIZE", "lbr", "no". */
int callgraph__parse(const char *text, enum callgraph_mode *mode, u32 *stack_size,
		     struct errbuf *eb);
/* record_config__apply - fills the attrs; may add a dummy event. @note: a line to tell (empty:
 * none). 0 or -errno with @eb. */
int record_config__apply(struct evlist *l, const struct record_config *c, struct errbuf *note,
			 struct errbuf *eb);

#endif
