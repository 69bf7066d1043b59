// SPDX-License-Identifier: GPL-2.0-only
/* Sends a record for each sample through one of two outputs, and lets every other sample through.
 */
#include <linux/bpf.h>
#include <linux/bpf_perf_event.h>
#include <bpf/bpf_helpers.h>

struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__uint(key_size, sizeof(int));
	__uint(value_size, sizeof(int));
} numbers SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__uint(key_size, sizeof(int));
	__uint(value_size, sizeof(int));
} words SEC(".maps");

__u64 runs, sent, failed;

SEC("perf_event")
int send(struct bpf_perf_event_data *ctx)
{
	__u64 n = __sync_fetch_and_add(&runs, 1);
	char text[] = "hello from bpf";
	struct {
		__u64 n;
		__u32 magic;
	} number = {.n = n, .magic = 0xc0ffee};
	long err;

	if (n % 3)
		err = bpf_perf_event_output(ctx, &numbers, BPF_F_CURRENT_CPU, &number,
					    sizeof(number));
	else
		err = bpf_perf_event_output(ctx, &words, BPF_F_CURRENT_CPU, text, sizeof(text));
	__sync_fetch_and_add(err ? &failed : &sent, 1);
	return n % 2;
}

char LICENSE[] SEC("license") = "GPL";
