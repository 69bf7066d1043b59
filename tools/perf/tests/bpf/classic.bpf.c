// SPDX-License-Identifier: GPL-2.0-only
/* The classic overflow program: an instruction pointer's count in a hash map. With LEGACY_MAPS its
 * map is described as before BTF, with UNTYPED by sizes alone. */
#include <linux/ptrace.h>
#include <linux/bpf.h>
#include <linux/bpf_perf_event.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#define MAX_IPS 8192

typedef __u32 u32;
typedef __u64 u64;

#if defined(LEGACY_MAPS)
struct bpf_map_def {
	unsigned int type, key_size, value_size, max_entries, map_flags;
};
struct bpf_map_def SEC("maps") ip_map = {
	.type = BPF_MAP_TYPE_HASH,
	.key_size = sizeof(u64),
	.value_size = sizeof(u32),
	.max_entries = MAX_IPS,
};
#elif defined(UNTYPED)
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(key_size, sizeof(u64));
	__uint(value_size, sizeof(u32));
	__uint(max_entries, MAX_IPS);
} ip_map SEC(".maps");
#else
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__type(key, u64);
	__type(value, u32);
	__uint(max_entries, MAX_IPS);
} ip_map SEC(".maps");
#endif

SEC("perf_event")
int do_sample(struct bpf_perf_event_data *ctx)
{
	u64 ip = PT_REGS_IP(&ctx->regs);
	u32 *value, one = 1;

	value = bpf_map_lookup_elem(&ip_map, &ip);
	if (value)
		*value += 1;
	else
		bpf_map_update_elem(&ip_map, &ip, &one, BPF_NOEXIST);
	return 0;
}

char _license[] SEC("license") = "GPL";
