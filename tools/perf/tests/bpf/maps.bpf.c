// SPDX-License-Identifier: GPL-2.0-only
/* Every kind of map and global that is printed, filled with known values on each sample: run it on
 * an event with a known count. */
#include <linux/bpf.h>
#include <linux/bpf_perf_event.h>
#include <bpf/bpf_helpers.h>
#include <stdbool.h>

enum mode { OFF, ON, AUTO = 7 };

const volatile __u8 set_u8 = 1;
const volatile __s16 set_s16 = 2;
const volatile __u32 set_u32 = 3;
volatile __s64 set_s64 = 4; /* in .data */
const volatile bool set_bool = false;
const volatile enum mode set_mode = OFF;
const volatile char set_text[8] = "";
volatile __u64 set_bss; /* in .bss */

struct seen {
	__u32 u8, u32;
	__s64 s16, s64;
	enum mode mode;
	bool flag;
	char text[8];
};
struct seen seen;
__u64 runs;
__u32 slots[8];

struct key {
	char comm[16];
	__s32 number;
	__u32 pad;
	void *where;
};
struct val {
	__u64 count;
	__s64 negative;
};
struct deep {
	struct key key;
	__u32 list[4];
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 16);
	__type(key, struct key);
	__type(value, struct val);
} structs SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 16);
	__type(key, __u32);
	__type(value, struct deep);
} deep SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 8);
	__type(key, __u32);
	__type(value, __u64);
} per_cpu SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_HASH);
	__uint(max_entries, 8);
	__type(key, __u32);
	__type(value, struct val);
} per_cpu_hash SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 8);
	__uint(key_size, 6);
	__uint(value_size, 4);
} untyped SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 8);
	__type(key, __u64);
	__type(value, __u64);
} places SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_QUEUE);
	__uint(max_entries, 4);
	__uint(key_size, 0);
	__uint(value_size, 4);
} queue SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 4096);
} ring SEC(".maps");

SEC("perf_event")
int fill(struct bpf_perf_event_data *ctx)
{
	struct key key = {.comm = "a\tb", .number = -5, .where = (void *)0x1234};
	struct deep deep_value = {.key = key, .list = {1, 2}};
	struct val val = {.negative = -1}, *v;
	__u8 bytes[6] = {0xde, 0xad, 0xbe, 0xef, 0, 1};
	__u32 one = 1, three = 3, cpu_key = 9;
	__u64 place = 0x4321, *n;

	__sync_fetch_and_add(&runs, 1);
	slots[2] = 5;
	seen.u8 = set_u8;
	seen.s16 = set_s16;
	seen.u32 = set_u32;
	seen.s64 = set_s64;
	seen.flag = set_bool;
	seen.mode = set_mode;
	for (int i = 0; i < 8; i++)
		seen.text[i] = set_text[i];
	val.count = 3;
	bpf_map_update_elem(&structs, &key, &val, BPF_ANY);
	key.number = 6;
	val.count = 1;
	bpf_map_update_elem(&structs, &key, &val, BPF_ANY);
	bpf_map_update_elem(&deep, &three, &deep_value, BPF_ANY);
	n = bpf_map_lookup_elem(&per_cpu, &three);
	if (n)
		*n += 2;
	v = bpf_map_lookup_elem(&per_cpu_hash, &cpu_key);
	if (!v) {
		struct val zero = {};

		bpf_map_update_elem(&per_cpu_hash, &cpu_key, &zero, BPF_NOEXIST);
		v = bpf_map_lookup_elem(&per_cpu_hash, &cpu_key);
	}
	if (v) {
		v->count += 1;
		v->negative -= 1;
	}
	bpf_map_update_elem(&untyped, bytes, &three, BPF_ANY);
	bpf_map_update_elem(&places, &place, (__u64 *)&set_bss, BPF_ANY);
	bpf_map_push_elem(&queue, &one, 0);
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
