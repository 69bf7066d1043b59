// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which memory a process faults in: counts page faults by process and address.
 *
 *	perf sample-bpf -e page-faults -c 1 --bpf fault-addr.bpf.o -- ls
 *	perf sample-bpf -e page-faults -c 1 --bpf fault-addr.bpf.o --bpf-var shift=21 -- make
 *
 * Addresses are counted by areas of 2^shift bytes: 12 is a page of 4 KiB, 21 are 2 MiB.
 */
#include <linux/bpf.h>
#include <linux/bpf_perf_event.h>
#include <bpf/bpf_helpers.h>

#define MAX_AREAS 131072

const volatile __u32 shift = 12;

struct area {
	__u32 pid;
	char comm[16];
	__u32 pad; /* no byte of a key may be left unset */
	__u64 addr;
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, MAX_AREAS);
	__type(key, struct area);
	__type(value, __u64);
} faults SEC(".maps");

__u64 dropped; /* the map was full */

SEC("perf_event")
int fault_addr(struct bpf_perf_event_data *ctx)
{
	__u32 bits = shift & 63;
	struct area key = {
		.pid = bpf_get_current_pid_tgid() >> 32,
		.addr = ctx->addr >> bits << bits,
	};
	__u64 *count, one = 1;

	bpf_get_current_comm(key.comm, sizeof(key.comm));
	count = bpf_map_lookup_elem(&faults, &key);
	if (!count) {
		if (!bpf_map_update_elem(&faults, &key, &one, BPF_NOEXIST))
			return 0;
		count = bpf_map_lookup_elem(&faults, &key);
	}
	if (count)
		__sync_fetch_and_add(count, 1);
	else
		__sync_fetch_and_add(&dropped, 1);
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
