// SPDX-License-Identifier: GPL-2.0-only
/*
 * How long until the same thread is sampled again: a log2 histogram of the time between two samples
 * of a thread, in microseconds.
 *
 *	perf sample-bpf -F 999 --bpf thread-latency.bpf.o -- sleep 5
 *	perf sample-bpf -F 999 --bpf thread-latency.bpf.o --bpf-var per_comm=true -- make
 *
 * A thread that runs all the time fills the slot of the sampling period; what stands to the right
 *of it are threads that were off the CPU in between. No scheduler event is needed for that.
 */
#include <linux/bpf.h>
#include <linux/bpf_perf_event.h>
#include <bpf/bpf_helpers.h>
#include <stdbool.h>

#define MAX_THREADS 65536
#define MAX_COMMS 1024
#define NR_SLOTS 40 /* 2^40 us are 12 days */

const volatile bool per_comm = false; /* a histogram for each command name */
const volatile __u64 min_us = 0;      /* leave out what is shorter */

struct name {
	char comm[16];
};

struct hist {
	__u64 slots[NR_SLOTS];
};

/* Thread id to the time of its last sample; by its underscore not printed. */
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, MAX_THREADS);
	__type(key, __u32);
	__type(value, __u64);
} _last SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, MAX_COMMS);
	__type(key, struct name);
	__type(value, struct hist);
} latency_us SEC(".maps");

static const struct hist empty;
__u64 dropped; /* no room for one more command name */

static __always_inline __u32 log2_u64(__u64 v)
{
	__u32 r = 0;

#pragma unroll
	for (int shift = 32; shift; shift >>= 1) {
		if (v >> shift) {
			v >>= shift;
			r += shift;
		}
	}
	return r;
}

static void count(__u64 us)
{
	__u32 slot = log2_u64(us);
	struct name key = {};
	struct hist *h;

	if (per_comm)
		bpf_get_current_comm(key.comm, sizeof(key.comm));
	h = bpf_map_lookup_elem(&latency_us, &key);
	if (!h) {
		bpf_map_update_elem(&latency_us, &key, &empty, BPF_NOEXIST);
		h = bpf_map_lookup_elem(&latency_us, &key);
	}
	if (!h) {
		__sync_fetch_and_add(&dropped, 1);
		return;
	}
	if (slot >= NR_SLOTS)
		slot = NR_SLOTS - 1;
	__sync_fetch_and_add(&h->slots[slot], 1);
}

SEC("perf_event")
int thread_latency(struct bpf_perf_event_data *ctx)
{
	__u32 tid = bpf_get_current_pid_tgid();
	__u64 now = bpf_ktime_get_ns(), *last, us;

	if (!tid) /* the idle tasks, one a CPU, all have number 0 */
		return 0;
	last = bpf_map_lookup_elem(&_last, &tid);
	if (!last) {
		bpf_map_update_elem(&_last, &tid, &now, BPF_ANY);
		return 0;
	}
	us = (now - *last) / 1000;
	*last = now;
	if (us >= min_us)
		count(us);
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
