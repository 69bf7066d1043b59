/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The summary alone: calls are counted and timed here, nothing goes through the rings. A sum is
 * written by one thread only, or, for totals and cgroups, on one CPU only (the key's tid is then
 * the CPU's number; the tool adds them up), so that plain additions do.
 */
#include "trace/summary-hist.h"

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, 1); /* set by the loader */
	__type(key, struct trace_sum_key);
	__type(value, struct trace_sum);
} sums SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, 1); /* set by the loader */
	__type(key, struct trace_err_key);
	__type(value, u64);
} errs SEC(".maps");

struct trace_sum no_sum; /* zeroes, too large for the stack */

static __always_inline void count_error(const struct trace_sum_key *call, u32 err,
					struct trace_cpu *c)
{
	struct trace_err_key key = {.call = *call, .err = err};
	u64 one = 1, *n = bpf_map_lookup_elem(&errs, &key);

	if (n)
		*n += 1;
	else if (bpf_map_update_elem(&errs, &key, &one, BPF_NOEXIST))
		c->no_map++;
}

static __always_inline void summarize(struct trace_slot *s, struct trace_cpu *c, u32 cpu, u32 tid,
				      s64 ret, bool timed, u64 ns)
{
	struct trace_sum_key key = {.nr = s->rec.nr, .abi = s->rec.abi};
	bool failed = ret < 0 && ret >= -4095;
	struct trace_sum *sum;

	if (conf_summary == SUM_THREAD)
		key.tid = tid;
	else
		key.tid = cpu;
	if (conf_summary == SUM_CGROUP)
		key.cgroup = bpf_get_current_cgroup_id();
	c->calls++;
	sum = bpf_map_lookup_elem(&sums, &key);
	if (!sum) {
		bpf_map_update_elem(&sums, &key, &no_sum, BPF_NOEXIST);
		sum = bpf_map_lookup_elem(&sums, &key);
	}
	if (!sum) {
		c->no_map++;
		return;
	}
	trace_sum__add(sum, failed, timed, ns);
	if (failed && conf_errno)
		count_error(&key, -ret, c);
}
