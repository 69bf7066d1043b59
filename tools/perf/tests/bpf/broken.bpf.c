// SPDX-License-Identifier: GPL-2.0-only
/* What is refused: by the verifier, for its map, or for having no program of use. */
#include <linux/bpf.h>
#include <linux/bpf_perf_event.h>
#include <bpf/bpf_helpers.h>

#ifdef HUGE_MAP
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 0x7fffffff);
	__type(key, int[1000]);
	__type(value, int);
} pb_huge SEC(".maps");
#else
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 4);
	__type(key, int);
	__type(value, int);
} pb_broken SEC(".maps");
#endif

#ifdef NOT_FOR_EVENTS
SEC("xdp")
#else
SEC("perf_event")
#endif
int broken(struct bpf_perf_event_data *ctx)
{
#if defined(HUGE_MAP) || defined(NOT_FOR_EVENTS)
	return 0;
#else
	int *p = (int *)ctx->sample_period;

	return *p; /* LINE */
#endif
}

char LICENSE[] SEC("license") = "GPL";
