/* SPDX-License-Identifier: GPL-2.0-only */
/* The report of a run with a user's own BPF programs: their maps, with addresses resolved, and the
 * ledger. */
#ifndef PERF_OUTPUT_USER_REPORT_H
#define PERF_OUTPUT_USER_REPORT_H

#include "bpf/user_prog.h"
#include "errbuf.h"
#include "output/profile-output.h"
#include "session/machine.h"

struct user_report {
	const struct user_prog *prog;
	struct machine *machine;
	const struct profile_report *run; /* what the run was; its profile is not used */
	const char *address_key;	  /* --address-key, or NULL */
	pid_t only_pid; /* whose user addresses they are where the key has no pid; -1: unknown */
	/* --record: what went to the file */
	bool recorded;
	u64 rec_outputs, rec_samples, rec_lost;
	u64 chained; /* samples let through to the ring buffer that nobody recorded */
	bool json;
};

/* user_report__print - 0, or -errno with @eb when a map cannot be read. */
int user_report__print(struct outbuf *ob, const struct user_report *r, struct errbuf *eb);

#endif
