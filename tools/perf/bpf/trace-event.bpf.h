/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Events beside calls: other tracepoints, whose raw data go into one blob, and page faults. They
 * happen anywhere, also in the middle of a call, so they are built apart from the thread's slot;
 * and a thread may be stopped for them only while it is in no call, lest the call ends early.
 */
#include <linux/ptrace.h>
#include <linux/bpf_perf_event.h>

#define EVENT_DATA (sizeof(struct trace_blob) + TRACE_EVENT_MAX + 8 + TRACE_MAX_STACK * 8)

struct event_scratch {
	struct trace_record rec;
	u8 data[EVENT_DATA];
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__uint(key_size, sizeof(u32));
	__uint(value_size, sizeof(struct event_scratch));
} event_scratch SEC(".maps");

const volatile u32 event_size[TRACE_MAX_EVENTS]; /* bytes of raw data */

static __always_inline struct event_scratch *event_begin(struct trace_slot *s, u32 idx,
							 struct task_struct *task)
{
	u32 zero = 0;
	struct event_scratch *e = bpf_map_lookup_elem(&event_scratch, &zero);

	if (!e)
		return NULL;
	__builtin_memset(&e->rec, 0, sizeof(e->rec));
	e->rec.flags = TR_EVENT;
	e->rec.nr = idx;
	e->rec.pid = task->tgid;
	e->rec.tid = task->pid;
	bpf_get_current_comm(e->rec.comm, sizeof(e->rec.comm));
	e->rec.time_enter = e->rec.time_exit = bpf_ktime_get_ns();
	e->rec.seq = s->seq++;
	return e;
}

static __always_inline void event_emit(void *ctx, struct trace_slot *s, struct event_scratch *e,
				       u64 used)
{
	u32 cpu;
	struct trace_cpu *c = this_cpu(&cpu);
	u64 held, size;

	if (!c || cpu_off(c) || cpu_left_out(c))
		return;
	if (used > sizeof(struct trace_blob) + TRACE_EVENT_MAX)
		return;
	if (conf_stacks) {
		u64 most = conf_max_stack * 8;
		long n;

		if (most > TRACE_MAX_STACK * 8)
			most = TRACE_MAX_STACK * 8;
		n = bpf_get_stack(ctx, e->data + used + 8, most, BPF_F_USER_STACK);
		if (n < 0)
			n = 0;
		*(u32 *)(e->data + used) = (u32)n / 8;
		*(u32 *)(e->data + used + 4) = 0;
		used += 8 + ((u64)n & 0x7f8);
		e->rec.flags |= TR_STACK;
	}
	size = sizeof(e->rec) + used;
	if (size > sizeof(*e))
		return;
	e->rec.size = size;
	e->rec.cpu = cpu;
	held = ring_put(c, cpu, &e->rec, size, EVENT_DATA, false);
	if (held == RING_FULL)
		__sync_fetch_and_add(&c->dropped, 1);
	if (conf_block && held > conf_mark && s->call == CALL_NONE)
		request_stop(s);
}

SEC("tp")
int trace_event(void *ctx)
{
	struct task_struct *task = current_task();
	struct trace_slot *s = current_slot(task);
	u32 idx = bpf_get_attach_cookie(ctx) & (TRACE_MAX_EVENTS - 1);
	u32 size = event_size[idx];
	struct event_scratch *e;
	struct trace_blob *b;

	if (!s || s->flags & SLOT_WAIT_EXEC)
		return 0;
	e = event_begin(s, idx, task);
	if (!e)
		return 0;
	if (size > TRACE_EVENT_MAX)
		size = TRACE_EVENT_MAX;
	b = (void *)e->data;
	__builtin_memset(b, 0, sizeof(*b));
	b->kind = CAP_STRUCT;
	b->when = CAP_ENTRY;
	b->len = b->orig_len = size;
	if (bpf_probe_read_kernel(b + 1, size, ctx))
		return 0;
	e->rec.nr_blobs = 1;
	event_emit(ctx, s, e, sizeof(*b) + ((size + 7) & ~7u));
	return 0;
}

SEC("perf_event")
int trace_fault(struct bpf_perf_event_data *ctx)
{
	struct task_struct *task = current_task();
	struct trace_slot *s = current_slot(task);
	u32 idx = bpf_get_attach_cookie(ctx) & (TRACE_MAX_EVENTS - 1);
	struct event_scratch *e;

	if (!s || s->flags & SLOT_WAIT_EXEC)
		return 0;
	e = event_begin(s, idx, task);
	if (!e)
		return 0;
	e->rec.args[0] = ctx->addr;
#if defined(__TARGET_ARCH_x86)
	e->rec.args[1] = ctx->regs.rip;
#else
	e->rec.args[1] = ctx->regs.pc;
#endif
	event_emit(ctx, s, e, 0);
	return 0;
}

/* Without blocking, signals and ends of threads are told from here; with it, by who holds them. */
static __always_inline void emit_life(void *ctx, struct trace_slot *s, struct task_struct *task,
				      u32 flag, u64 arg, const void *info, u32 size)
{
	struct event_scratch *e = event_begin(s, 0, task);
	struct trace_blob *b;
	u64 used = 0;

	if (!e)
		return;
	e->rec.flags = flag;
	e->rec.nr = -1;
	e->rec.args[0] = arg;
	if (size) {
		b = (void *)e->data;
		__builtin_memset(b, 0, sizeof(*b) + TRACE_SIGINFO_SIZE);
		b->kind = CAP_STRUCT;
		b->when = CAP_ENTRY;
		b->len = b->orig_len = TRACE_SIGINFO_SIZE;
		bpf_probe_read_kernel(b + 1, size, info);
		e->rec.nr_blobs = 1;
		used = sizeof(*b) + TRACE_SIGINFO_SIZE;
	}
	event_emit(ctx, s, e, used);
}

/* kernel_siginfo is the first 48 bytes of siginfo_t. */
SEC("raw_tp/signal_deliver")
int trace_deliver(u64 *ctx)
{
	struct task_struct *task = current_task();
	struct trace_slot *s = current_slot(task);

	if (s && !(s->flags & SLOT_WAIT_EXEC))
		emit_life(ctx, s, task, TR_SIGNAL, (u32)ctx[0], (void *)ctx[1], 48);
	return 0;
}
