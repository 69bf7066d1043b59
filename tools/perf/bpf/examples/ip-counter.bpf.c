// SPDX-License-Identifier: GPL-2.0-only
/*
 * Where the CPUs are: counts each instruction pointer.
 *
 *	perf sample-bpf -F 99 --bpf ip-counter.bpf.o -- sleep 5
 *
 * User addresses are counted per process, as they mean something only there; kernel addresses once,
 * under pid 0.
 */
#include <linux/bpf.h>
#include <linux/bpf_perf_event.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#define MAX_IPS 65536

struct where {
	__u32 pid;
	__u32 pad; /* the key is compared byte by byte, so that nothing in it may be left unset */
	__u64 ip;
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, MAX_IPS);
	__type(key, struct where);
	__type(value, __u64);
} ips SEC(".maps");

/* Samples that found the map full. A program must count these itself: nobody else sees them. */
__u64 dropped;

SEC("perf_event")
int ip_counter(struct bpf_perf_event_data *ctx)
{
	struct where key = {.ip = PT_REGS_IP(&ctx->regs)};
	__u64 *count, one = 1;

	if ((__s64)key.ip > 0)
		key.pid = bpf_get_current_pid_tgid() >> 32;
	count = bpf_map_lookup_elem(&ips, &key);
	if (!count) {
		/* Another CPU may have been first: then add to what it put there. */
		if (!bpf_map_update_elem(&ips, &key, &one, BPF_NOEXIST))
			return 0;
		count = bpf_map_lookup_elem(&ips, &key);
	}
	if (count)
		__sync_fetch_and_add(count, 1);
	else
		__sync_fetch_and_add(&dropped, 1);
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
