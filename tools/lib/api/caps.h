/* SPDX-License-Identifier: GPL-2.0-only */
/* What this process may do, and the words for what it would need. */
#ifndef PERF_API_CAPS_H
#define PERF_API_CAPS_H

#include <linux/capability.h>
#include <stdbool.h>

#include "errbuf.h"

/* caps__has - the capability is in the effective set. */
bool caps__has(int cap);
/* caps__perfmon - CAP_PERFMON or CAP_SYS_ADMIN. caps__bpf - CAP_BPF and caps__perfmon(), or
 * CAP_SYS_ADMIN: what tracing programs need. */
bool caps__perfmon(void);
bool caps__bpf(void);
bool caps__ptrace(void); /* CAP_SYS_PTRACE: processes of other users */

/* The sysctls, as numbers; where the file is missing the value that the kernel then behaves by. */
int caps__perf_event_paranoid(void); /* -1 all .. 2 own processes' user space, 3 (Debian) nothing */
int caps__unprivileged_bpf_disabled(void);
int caps__kptr_restrict(void);
int caps__yama_scope(void); /* 0 classic, 1 children only, 2 CAP_SYS_PTRACE, 3 nobody */

enum caps_need {
	CAPS_NEED_SYSTEM_WIDE, /* perf_event_open of every process on a CPU */
	CAPS_NEED_KERNEL,      /* samples or counts of the kernel */
	CAPS_NEED_TRACEPOINT,  /* raw tracepoint data */
	CAPS_NEED_BPF,	       /* loading BPF programs */
	CAPS_NEED_PTRACE,      /* tracing another process */
};
/* caps__explain - appends to @eb what helps: "; needs CAP_PERFMON or kernel.perf_event_paranoid <=
 * 0 (is 2): run as root, or setcap cap_perfmon,cap_bpf+ep on perf". */
void caps__explain(struct errbuf *eb, enum caps_need need);

#endif
