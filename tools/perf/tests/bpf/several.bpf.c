// SPDX-License-Identifier: GPL-2.0-only
/* Several programs in one object; one of no use for events. */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

__u64 first_runs, second_runs, tp_runs;

SEC("perf_event")
int first(void *ctx)
{
	__sync_fetch_and_add(&first_runs, 1);
	return 0;
}

SEC("perf_event/second")
int second(void *ctx)
{
	__sync_fetch_and_add(&second_runs, 1);
	return 1; /* lets the sample go on */
}

#ifdef WITH_XDP
SEC("xdp")
int packet(void *ctx)
{
	return 1;
}
#endif

#ifdef WITH_TP
SEC("tp/sched/sched_process_fork")
int forked(void *ctx)
{
	__sync_fetch_and_add(&tp_runs, 1);
	return 0;
}
#endif

char LICENSE[] SEC("license") = "GPL";
