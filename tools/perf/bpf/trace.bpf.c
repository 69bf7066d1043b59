// SPDX-License-Identifier: GPL-2.0-only
/*
 * The programs of perf trace: they follow the traced set, build one record a call in the thread's
 * slot and hand it to the CPU's ring when the call returns. See trace.h for the memory shared with
 * the tool.
 *
 * Each is there for the raw tracepoint, and for the classic one: raw ones are preemptible from 7.x
 * on, and the kernel then skips a program that it finds running already on that CPU.
 */
#include "compat.bpf.h"
#include "trace.h"

/* Set before loading; constants to the verifier, which drops what a run does not ask for. */
const volatile bool conf_block;
const volatile bool conf_all;
const volatile bool conf_inherit = true;
const volatile bool conf_records = true;
const volatile bool conf_cpus;	 /* only calls on the CPUs that are `wanted` */
const volatile u32 conf_cgroups; /* how many */
const volatile u32 conf_summary; /* enum trace_sum_mode */
const volatile bool conf_errno;
const volatile bool conf_stacks;
const volatile bool conf_life; /* records of signals and ends of threads */
const volatile u32 conf_max_stack = TRACE_MAX_STACK;
const volatile u32 conf_self; /* the tool's own process, never traced */
const volatile u32 conf_ret_filter;
const volatile u64 conf_min_ns;
const volatile u32 conf_nr_cpus = 1;

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 32); /* set by the loader from pid_max */
	__type(key, u32);
	__type(value, struct trace_tids);
} tids SEC(".maps");

/* The first chunk, which for most runs is all. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, TRACE_CHUNK_SLOTS);
	__uint(key_size, sizeof(u32));
	__uint(value_size, sizeof(struct trace_slot));
} slots SEC(".maps");

struct slot_chunk {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, TRACE_CHUNK_SLOTS);
	__uint(key_size, sizeof(u32));
	__uint(value_size, sizeof(struct trace_slot));
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS);
	__uint(max_entries, TRACE_MAX_CHUNKS);
	__type(key, u32);
	__array(values, struct slot_chunk);
} chunks SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 3 * TRACE_NR_CALLS);
	__type(key, u32);
	__type(value, struct trace_capture_row);
} rows SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct trace_ctl);
} ctl SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1); /* set by the loader: CPUs */
	__type(key, u32);
	__type(value, struct trace_cpu);
} cpus SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_CGROUP_ARRAY);
	__uint(max_entries, TRACE_MAX_CGROUPS);
	__type(key, u32);
	__type(value, u32);
} cgroup SEC(".maps");

/*
 * The program that captures memory, large as it is, stands apart from those of the calls: it is
 * verified once, not for each of them, and calls without captures never come there.
 */
struct {
	__uint(type, BPF_MAP_TYPE_PROG_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, u32);
} capture_prog SEC(".maps");

static __always_inline struct trace_cpu *this_cpu(u32 *cpu)
{
	*cpu = bpf_get_smp_processor_id();
	return bpf_map_lookup_elem(&cpus, cpu);
}

static __always_inline bool is_off(void)
{
	u32 cpu;
	struct trace_cpu *c = this_cpu(&cpu);

	return !c || c->off;
}

#include "trace-ring.bpf.h"
#include "trace-slot.bpf.h"
#include "trace-capture.bpf.h"
#include "trace-summary.bpf.h"

/* Not a CPU of a run for all threads, or that run has ended. */
static __always_inline bool cpu_off(const struct trace_cpu *c)
{
	return conf_all && !c->wanted;
}

/* A traced thread on a CPU that is not asked for. */
static __always_inline bool cpu_left_out(const struct trace_cpu *c)
{
	return conf_cpus && !c->wanted;
}

static __always_inline u64 put_record(struct trace_slot *s, struct trace_cpu *c, u32 cpu, u64 size,
				      bool captures)
{
	if (size < sizeof(s->rec))
		size = sizeof(s->rec);
	if (size > sizeof(s->rec) + TRACE_SLOT_DATA)
		size = sizeof(s->rec) + TRACE_SLOT_DATA;
	return ring_put(c, cpu, &s->rec, size, TRACE_SLOT_DATA, captures);
}

/* The same as a function, for where a call does not matter: the verifier walks it once. */
__noinline u64 put_record_apart(struct trace_slot *s, u32 size)
{
	u32 cpu;
	struct trace_cpu *c = this_cpu(&cpu);

	return s && c ? put_record(s, c, cpu, size, true) : RING_FULL;
}

/* The record that is complete in @s goes to the ring; without room it stays in the slot (blocking)
 * or is dropped. Returns the bytes that the ring now holds. @apart: by put_record_apart(). */
static __always_inline u64 emit(struct trace_slot *s, struct trace_cpu *c, u32 cpu, bool apart)
{
	u32 size = sizeof(s->rec) + slot_used(s);
	u64 held;

	s->rec.size = size;
	s->rec.cpu = cpu;
	s->rec.seq = s->seq++;
	if (!(conf_block && s->missing)) {
		held = apart ? put_record_apart(s, size) : put_record(s, c, cpu, size, false);
		if (held != RING_FULL)
			return held;
	}
	if (conf_block && current_task()->ptrace & PERF_PT_SEIZED) {
		s->spilled = size;
		__sync_fetch_and_add(&c->spilled, 1);
	} else if (!(s->rec.flags & TR_HIDDEN)) {
		/* not asked for: no loss; the gap in seq tells the decoder */
		__sync_fetch_and_add(&c->dropped, 1);
	}
	return RING_FULL;
}

/* For the guard, before the signal is sent. */
static __always_inline void note_sigstop(struct trace_slot *s, struct task_struct *task)
{
	u32 zero = 0;
	struct trace_ctl *k = bpf_map_lookup_elem(&ctl, &zero);
	u64 at;

	if (!k)
		return;
	at = __sync_fetch_and_add(&k->nr_sigstops, 1) & (TRACE_NR_SIGSTOPS - 1);
	k->sigstop[at] = task->tgid;
	s->sigstop = at + 1;
}

/*
 * Stops the current thread at its return to user space: SIGWINCH, whose default is to be ignored,
 * or, where the thread blocks it, SIGSTOP. Only a thread that the tool holds is stopped.
 */
__noinline int request_stop(struct trace_slot *s)
{
	struct task_struct *task = current_task();
	u32 sig = TRACE_SIGWINCH, bit = STOP_WINCH, cpu;
	struct trace_cpu *c = this_cpu(&cpu);

	if (!s || !c || !(task->ptrace & PERF_PT_SEIZED))
		return 0;
	if (task->blocked.sig[0] >> (TRACE_SIGWINCH - 1) & 1) {
		sig = TRACE_SIGSTOP;
		bit = STOP_STOP;
	}
	if (s->stops & bit)
		return 0;
	s->stops |= bit;
	__sync_fetch_and_add(&c->stops, 1);
	if (bit == STOP_STOP)
		note_sigstop(s, task);
	/* One of someone else's is on its way: the thread stops all the same, and the signal is
	 * passed on to it. */
	if (task->pending.signal.sig[0] >> (sig - 1) & 1)
		s->genuine |= bit;
	else
		bpf_send_signal_thread(sig);
	return 0;
}

static __always_inline void fill_ids(struct trace_slot *s, struct task_struct *task)
{
	const u64 *from = (const u64 *)task->comm;
	u64 *to = (u64 *)s->rec.comm;

	s->rec.pid = task->tgid;
	s->rec.tid = task->pid;
	to[0] = from[0];
	to[1] = from[1];
}

static __always_inline void begin_record(struct trace_slot *s, u32 abi, s32 nr)
{
	s->rec.abi = abi;
	s->rec.flags = 0;
	s->rec.nr_blobs = 0;
	s->rec.nr = nr;
	s->used = 0;
	s->retry = 0;
	s->missing = 0;
	s->missing_entry = 0;
}

static __always_inline u16 row_flags(const struct trace_capture_row *row)
{
	return (row->flags & TRACE_ROW_FOLLOW ? TR_FOLLOW : 0) |
	       (row->flags & TRACE_ROW_HIDDEN ? TR_HIDDEN : 0);
}

/* x86: 59, 322 / 11, 358 / x32 520, 545; arm64: 221, 281. */
static __always_inline bool is_exec(u32 abi, u32 nr)
{
#if defined(__TARGET_ARCH_x86)
	if (abi == TRACE_ABI_32)
		return nr == 11 || nr == 358;
	return nr == 59 || nr == 322 || nr == 520 || nr == 545;
#else
	return abi == TRACE_ABI_32 ? nr == 11 || nr == 387 : nr == 221 || nr == 281;
#endif
}

/* A record that still waits in the slot (its stop signal was taken back by someone's SIGCONT). */
static __always_inline void flush_spilled(struct trace_slot *s, struct trace_cpu *c)
{
	u32 size = s->spilled;

	s->spilled = 0;
	/* It comes by the ring after all: what this CPU counts too little another counted too much.
	 */
	__sync_fetch_and_add(&c->spilled, -1);
	if (put_record_apart(s, size) == RING_FULL)
		__sync_fetch_and_add(&c->dropped, 1);
}

/* The record is complete but for the call chain. */
static __always_inline void hand_over(void *ctx, struct trace_slot *s, struct trace_cpu *c, u32 cpu,
				      bool apart)
{
	u64 held;

	if (conf_stacks)
		capture_stack(ctx, s);
	held = emit(s, c, cpu, apart);
	if (conf_block && held > conf_mark)
		request_stop(s);
}

/* The second half of enter() and of leave(), for calls with memory to be captured. The largest by
 * far; it stands first, so that it is loaded (apart, see load_apart()) while the others are. */
static __always_inline int capture(void *ctx, bool raw)
{
	u64 regs = raw ? *(u64 *)ctx : 0;
	struct trace_slot *s = locate_again(regs, raw);
	struct trace_capture_row *row;
	struct trace_cpu *c;
	u32 cpu;

	if (!s)
		return 0;
	row = bpf_map_lookup_elem(&rows, &s->row);
	c = this_cpu(&cpu);
	if (!row || !c) {
		bpf_tail_call(ctx, &capture_prog, 1);
		return 0;
	}
	if (s->capture == CAP_ENTRY) {
		capture_entry(s, row->early);
		s->rec.time_enter = bpf_ktime_get_ns();
	} else {
		capture_exit(s);
		hand_over(ctx, s, c, cpu, true);
	}
	return 0;
}

SEC("tp/raw_syscalls/sys_enter")
int trace_capture(void *ctx)
{
	return capture(ctx, false);
}

SEC("raw_tp/sys_enter")
int trace_capture_raw(void *ctx)
{
	return capture(ctx, true);
}

/* The registers of @task, the current one, which stand at @regs. */
static __always_inline const struct pt_regs___kernel *regs_of(struct task_struct *task, u64 regs)
{
	return conf_regs_type ? cast(regs, conf_regs_type) : task_regs(task);
}

/* Each program comes for the classic tracepoint and for the raw one: see trace_kern__attach().
 */
static __always_inline int enter(void *ctx, u32 nr, bool raw)
{
	u64 regs = raw ? *(u64 *)ctx : 0;
	struct task_struct *task;
	struct trace_slot *s = locate(regs, raw, &task, false);
	struct trace_capture_row *row;
	struct trace_cpu *c;
	u32 abi, cpu;

	if (!s)
		return 0;
	abi = task_call_abi(task, nr);
	if (abi == TRACE_ABI_X32)
		nr &= ~PERF_X32_BIT;
	if (s->flags & SLOT_WAIT_EXEC && !is_exec(abi, nr))
		return 0;
	s->row = abi * TRACE_NR_CALLS + (nr < TRACE_NR_CALLS ? nr : TRACE_NR_CALLS - 1);
	row = bpf_map_lookup_elem(&rows, &s->row);
	if (!row || !(row->flags & TRACE_ROW_TRACED)) {
		s->call = CALL_SKIPPED;
		return 0;
	}
	if (conf_block && s->spilled) {
		c = this_cpu(&cpu);
		if (c)
			flush_spilled(s, c);
	}
	begin_record(s, abi, nr);
	s->rec.flags = row_flags(row);
	if (conf_records) {
		if (raw)
			regs_args(regs_of(task, regs), abi, s->rec.args);
		else
			__builtin_memcpy(s->rec.args, ((struct sys_enter_ctx *)ctx)->args,
					 sizeof(s->rec.args));
		s->late = row->late;
		s->late_failed = row->late_failed;
	}
	s->call = CALL_OPEN;
	if (conf_records && row->early && !(row->flags & TRACE_ROW_NORETURN)) {
		s->capture = CAP_ENTRY;
		bpf_tail_call(ctx, &capture_prog, 0);
	}
	s->rec.time_enter = bpf_ktime_get_ns();
	if (conf_records && row->flags & TRACE_ROW_NORETURN) {
		s->call = CALL_SENT;
		s->rec.flags |= TR_NO_EXIT;
		s->rec.time_exit = s->rec.time_enter;
		s->rec.ret = 0;
		fill_ids(s, task);
		if (conf_stacks)
			capture_stack(ctx, s);
		c = this_cpu(&cpu);
		if (!c || cpu_off(c))
			return 0;
		/* It neither fails nor succeeds, and takes no time that could be told. */
		if (cpu_left_out(c) || conf_ret_filter != RET_ANY || conf_min_ns) {
			c->filtered++;
			s->rec.flags |= TR_HIDDEN;
		}
		emit(s, c, cpu, true);
	}
	return 0;
}

SEC("tp/raw_syscalls/sys_enter")
int trace_enter(struct sys_enter_ctx *ctx)
{
	return enter(ctx, ctx->id, false);
}

SEC("raw_tp/sys_enter") /* regs, number */
int trace_enter_raw(u64 *ctx)
{
	return enter(ctx, ctx[1], true);
}

static __always_inline bool ret_wanted(long ret)
{
	bool failed = ret < 0 && ret >= -4095;

	return conf_ret_filter == RET_ANY || (conf_ret_filter == RET_FAILED && failed) ||
	       (conf_ret_filter == RET_SUCCEEDED && !failed);
}

/* A return without an entry: the call was under way at attach, or it is the clone that began this
 * thread. */
static __always_inline bool orphan_exit(struct trace_slot *s, struct task_struct *task, u32 nr)
{
	u32 abi = task_call_abi(task, nr);
	struct trace_capture_row *row;

	if (abi == TRACE_ABI_X32)
		nr &= ~PERF_X32_BIT;
	s->row = abi * TRACE_NR_CALLS + (nr < TRACE_NR_CALLS ? nr : TRACE_NR_CALLS - 1);
	row = bpf_map_lookup_elem(&rows, &s->row);
	if (!row || !(row->flags & TRACE_ROW_TRACED))
		return false;
	begin_record(s, abi, nr);
	__builtin_memset(s->rec.args, 0, sizeof(s->rec.args));
	s->rec.args[TRACE_ARG_PARENT] = s->parent;
	s->parent = 0;
	s->rec.flags = TR_NO_ENTRY | row_flags(row);
	s->rec.time_enter = 0;
	return true;
}

/*
 * The call was interrupted, which a signal that the process ignores does to it only because it is
 * held: the tool has to look, see tracee__restart_interrupted().
 */
static __always_inline bool was_interrupted(long ret)
{
	return conf_block && ret == -4 /* EINTR */;
}

/* A call of a thread that should have a slot and has none. */
static __always_inline int no_slot(void)
{
	struct trace_cpu *c;
	u32 cpu;

	if (!conf_all || (u32)current_task()->tgid == conf_self)
		return 0;
	if (conf_cgroups && !in_cgroups())
		return 0;
	c = this_cpu(&cpu);
	if (c && !cpu_off(c))
		c->lost_slot++;
	return 0;
}

static __always_inline int leave(void *ctx, long ret, bool raw)
{
	u64 regs = raw ? *(u64 *)ctx : 0;
	struct task_struct *task;
	struct trace_slot *s = locate(regs, raw, &task, true);
	struct trace_cpu *c;
	u32 cpu, call;
	u64 now;

	if (!s)
		return no_slot();
	call = s->call;
	s->call = CALL_NONE;
	/* A call that is not asked for is as cheap as can be. */
	if (call == CALL_SKIPPED && !(s->flags & SLOT_WAIT_EXEC) && !was_interrupted(ret))
		return 0;
	now = bpf_ktime_get_ns();
	if (s->flags & SLOT_WAIT_EXEC) {
		/* The held workload's search along PATH is not its own doing. */
		if (call == CALL_NONE || ret < 0)
			return 0;
		s->flags &= ~SLOT_WAIT_EXEC;
	}
	c = this_cpu(&cpu);
	if (!c)
		return 0;
	if (was_interrupted(ret))
		request_stop(s);
	if (call == CALL_SKIPPED || call == CALL_SENT)
		return 0;
	if (cpu_off(c) || c->off)
		return 0;
	if (call == CALL_NONE) {
		long nr = raw ? regs_nr(regs_of(task, regs)) : ((struct sys_exit_ctx *)ctx)->id;

		if (conf_block && s->spilled)
			flush_spilled(s, c);
		if (!orphan_exit(s, task, nr))
			return 0;
	}
	if (!ret_wanted(ret) || cpu_left_out(c) ||
	    (conf_min_ns && (call == CALL_NONE || now - s->rec.time_enter < conf_min_ns))) {
		c->filtered++;
		/* left out, but the descriptors that it makes or closes are to be known */
		if (!(s->rec.flags & TR_FOLLOW))
			return 0;
		s->rec.flags |= TR_HIDDEN;
	}
	if (s->rec.flags & TR_HIDDEN && (ret < 0 || !conf_records))
		return 0;
	if (conf_summary && !(s->rec.flags & TR_HIDDEN))
		summarize(s, c, cpu, task->pid, ret, call == CALL_OPEN, now - s->rec.time_enter);
	if (!conf_records)
		return 0;
	s->rec.time_exit = now;
	s->rec.ret = ret;
	fill_ids(s, task);
	if (ret < 0) {
		s->late = s->late_failed;
	} else if (s->retry && is_exec(s->rec.abi, s->rec.nr)) {
		/* another program's memory by now */
		c->unreadable++;
		s->retry = 0;
	}
	if (call == CALL_OPEN && s->late | s->retry) {
		s->capture = CAP_EXIT;
		bpf_tail_call(ctx, &capture_prog, 0);
	}
	hand_over(ctx, s, c, cpu, false);
	return 0;
}

SEC("tp/raw_syscalls/sys_exit")
int trace_exit(struct sys_exit_ctx *ctx)
{
	return leave(ctx, ctx->ret, false);
}

SEC("raw_tp/sys_exit") /* regs, result */
int trace_exit_raw(u64 *ctx)
{
	return leave(ctx, ctx[1], true);
}

#include "trace-event.bpf.h"

static __always_inline int forked(u32 child)
{
	struct task_struct *task = current_task();
	struct trace_slot *p = slot_of(task->pid);

	if (p && conf_inherit)
		new_slot(child, p->flags & SLOT_WAIT_EXEC, task->tgid, 16);
	return 0;
}

SEC("tp/sched/sched_process_fork")
int trace_fork(struct trace_event_raw_sched_process_fork *ctx)
{
	return forked(BPF_CORE_READ(ctx, child_pid));
}

SEC("raw_tp/sched_process_fork") /* parent, child */
int trace_fork_raw(u64 *ctx)
{
	return forked(BPF_CORE_READ((struct task_struct *)ctx[1], pid));
}

/* An exec by a thread that is not the leader: it gets the leader's id. */
static __always_inline int execed(u32 from, u32 to)
{
	struct trace_ctl *k = get_ctl();
	u32 *a, *b;
	struct trace_slot *s;

	if (from == to)
		return 0;
	a = tid_entry(from);
	b = tid_entry(to);
	if (!a || !b || !*a)
		return 0;
	*b = *a;
	*a = 0;
	if (k)
		__sync_fetch_and_add(&k->generation, 1);
	s = slot_of(to);
	if (s)
		s->tid = to;
	return 0;
}

#include "trace-exec.bpf.h"

SEC("tp/sched/sched_process_exec")
int trace_exec(struct trace_event_raw_sched_process_exec *ctx)
{
	return execed(BPF_CORE_READ(ctx, old_pid), BPF_CORE_READ(ctx, pid));
}

SEC("raw_tp/sched_process_exec") /* task, old pid, binary */
int trace_exec_raw(u64 *ctx)
{
	execed(ctx[1], current_task()->pid);
	exec_retry(ctx[2]);
	return 0;
}

/* Beside the classic one, whose context has not what is needed. */
SEC("raw_tp/sched_process_exec") /* task, old pid, binary */
int trace_exec_args(u64 *ctx)
{
	exec_retry(ctx[2]);
	return 0;
}

/* The thread ends; a call that it is in will not return. */
static __always_inline int ended(void *ctx)
{
	struct task_struct *task = current_task();
	struct trace_slot *s = slot_of(task->pid);
	u32 cpu, *e = tid_entry(task->pid);
	struct trace_cpu *c;

	if (!s) {
		/* whoever gets its number next is not wanted for that */
		if (e && *e == TRACE_TID_WANTED)
			*e = 0;
		return 0;
	}
	c = this_cpu(&cpu);
	if (c && !cpu_off(c) && s->call == CALL_OPEN && conf_records && !s->spilled &&
	    !(s->flags & SLOT_WAIT_EXEC)) {
		s->rec.flags |= TR_NO_EXIT;
		s->rec.time_exit = bpf_ktime_get_ns();
		s->rec.ret = 0;
		fill_ids(s, task);
		if (conf_ret_filter != RET_ANY || cpu_left_out(c) ||
		    s->rec.time_exit - s->rec.time_enter < conf_min_ns)
			c->filtered++;
		else
			emit(s, c, cpu, true);
	}
	if (conf_summary)
		fill_ids(s, task);
	if (conf_life && !(s->flags & SLOT_WAIT_EXEC))
		emit_life(ctx, s, task, TR_EXITED, task->exit_code, NULL, 0);
	s->call = CALL_NONE;
	if (e)
		free_slot(e, s);
	return 0;
}

SEC("tp/sched/sched_process_exit")
int trace_task_exit(void *ctx)
{
	return ended(ctx);
}

SEC("raw_tp/sched_process_exit")
int trace_task_exit_raw(void *ctx)
{
	return ended(ctx);
}

/* Someone else's signal that met ours in the queue and was merged into it by the kernel (result 2:
 * already pending): it is due to the thread all the same. */
static __always_inline bool merged(u32 sig, u32 group, u32 result)
{
	return (sig == TRACE_SIGWINCH || sig == TRACE_SIGSTOP) && !group && result == 2;
}

static __always_inline int note_merged(u32 tid, u32 sig)
{
	struct trace_slot *s = slot_of(tid);

	sig = sig == TRACE_SIGSTOP ? STOP_STOP : STOP_WINCH;
	if (s && s->stops & sig)
		s->genuine |= sig;
	return 0;
}

SEC("tp/signal/signal_generate")
int trace_signal(struct trace_event_raw_signal_generate *ctx)
{
	u32 sig = BPF_CORE_READ(ctx, sig);

	if (!merged(sig, BPF_CORE_READ(ctx, group), BPF_CORE_READ(ctx, result)))
		return 0;
	return note_merged(BPF_CORE_READ(ctx, pid), sig);
}

SEC("raw_tp/signal_generate") /* signal, info, task, group, result */
int trace_signal_raw(u64 *ctx)
{
	if (!merged(ctx[0], ctx[3], ctx[4]))
		return 0;
	return note_merged(BPF_CORE_READ((struct task_struct *)ctx[2], pid), ctx[0]);
}

char LICENSE[] SEC("license") = "GPL";
