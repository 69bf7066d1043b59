// SPDX-License-Identifier: GPL-2.0-only
/* The built-in overflow program of perf sample-bpf: counts each sample under its key, in the
 * kernel. See sample.h. */
#include <linux/bpf.h>
#include <linux/ptrace.h>
#include <linux/bpf_perf_event.h>
#include <stdbool.h>

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

typedef __u8 u8;
typedef __u16 u16;
typedef __u32 u32;
typedef __u64 u64;
typedef __s64 s64;

#include "sample.h"

struct task_struct {
	u64 start_time;
	u32 self_exec_id;
	struct task_struct *group_leader;
	struct mm_struct *mm;
	u32 flags;
} __attribute__((preserve_access_index));

/* Set before loading; constants to the verifier, which drops what a run does not ask for. */
const volatile u32 cfg_keys;
const volatile bool cfg_events;	    /* several: which one is the link's cookie */
const volatile u32 cfg_entry_mask;  /* entries - 1 */
const volatile u32 cfg_entries_off; /* byte offsets into a table */
const volatile u32 cfg_arena_off;
const volatile u32 cfg_arena_mask; /* words - 1 */

/* Sized by the reader: 2 tables a CPU, element CPU * 2 + epoch. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 2);
	__type(key, u32);
	__uint(value_size, 4096);
} tables SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct sample_ctl);
} ctl SEC(".maps");

/* Wakes the reader when a table is half full. */
struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 4096);
} wake SEC(".maps");

#define PF_KTHREAD 0x00200000

/*
 * A sample's key while it is looked up; one a CPU is enough, programs do not nest
 * (bpf_prog_active). What the loops' steps hand on stands here too: the verifier takes numbers in
 * a map for unknown, while it would follow one on the stack through every turn of a loop.
 */
struct scratch {
	struct sample_entry e;
	u64 fp; /* user_frame(): where the caller's frame pointer and the return address stand */
	u32 at; /* the first frame of the user stack */
	u32 switches; /* of stacks */
	u64 hash;     /* hash_frame(): so far */
	u32 base;     /* compare_frame(), copy_frame(): arena word of the entry's first frame */
	u32 differ;
	u32 found;     /* probe(): number of the entry + 1 */
	u32 free_slot; /* index slot on the way + 1 */
	u64 frames[2 * SAMPLE_MAX_FRAMES + 2];
};
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct scratch);
} scratch SEC(".maps");

#define ARRAY_LEN(a) (sizeof(a) / sizeof((a)[0]))

static __always_inline u64 mix(u64 h, u64 v)
{
	h = (h ^ v) * 0x9e3779b97f4a7c15ull;
	return h ^ (h >> 29);
}

/* What bpf_loop() hands to each step. */
struct loop_ctx {
	struct scratch *s;
	void *table;
};

static long hash_frame(u32 i, struct loop_ctx *c)
{
	if (i >= 2 * SAMPLE_MAX_FRAMES)
		return 1;
	c->s->hash = mix(c->s->hash, c->s->frames[i]);
	return 0;
}

static __always_inline u64 *arena_word(void *table, u32 i)
{
	return table + cfg_arena_off + (u64)(i & cfg_arena_mask) * 8;
}

static long compare_frame(u32 i, struct loop_ctx *c)
{
	if (i >= 2 * SAMPLE_MAX_FRAMES)
		return 1;
	c->s->differ = c->s->frames[i] != *arena_word(c->table, c->s->base + i);
	return c->s->differ;
}

static long copy_frame(u32 i, struct loop_ctx *c)
{
	if (i >= 2 * SAMPLE_MAX_FRAMES)
		return 1;
	*arena_word(c->table, c->s->base + i) = c->s->frames[i];
	return 0;
}

static __always_inline struct sample_entry *entry_at(void *table, u32 i)
{
	return table + cfg_entries_off + (u64)(i & cfg_entry_mask) * sizeof(struct sample_entry);
}

static __always_inline u32 *index_at(void *table, u64 i)
{
	return table + sizeof(struct sample_head) + (i & (2ull * cfg_entry_mask + 1)) * sizeof(u32);
}

static __always_inline bool same_key(const struct sample_entry *a, const struct sample_entry *b)
{
	const u64 *ac = (const u64 *)a->comm, *bc = (const u64 *)b->comm;

	return a->hash == b->hash && a->ip == b->ip && a->image == b->image && a->pid == b->pid &&
	       a->tid == b->tid && a->cgroup == b->cgroup && a->event == b->event &&
	       a->nr_kernel == b->nr_kernel && a->nr_user == b->nr_user && ac[0] == bc[0] &&
	       ac[1] == bc[1];
}

static long probe(u32 p, struct loop_ctx *c)
{
	struct scratch *s = c->s;
	u32 nr_frames = s->e.nr_kernel + s->e.nr_user;
	u64 at = s->e.hash + p;
	u32 i = *index_at(c->table, at);
	struct sample_entry *e;

	if (!i) {
		s->free_slot = (u32)(at & (2ull * cfg_entry_mask + 1)) + 1;
		return 1;
	}
	e = entry_at(c->table, i - 1);
	if (!same_key(e, &s->e))
		return 0;
	s->base = e->stack;
	s->differ = 0;
	if (nr_frames)
		bpf_loop(nr_frames, compare_frame, c, 0);
	if (s->differ)
		return 0;
	s->found = i;
	return 1;
}

/* The entry of this key, or NULL; then s->free_slot is a free index slot on the way, or 0. */
static __always_inline struct sample_entry *find(void *table, struct scratch *s)
{
	struct loop_ctx c = {s, table};

	s->found = s->free_slot = 0;
	bpf_loop(SAMPLE_PROBES, probe, &c, 0);
	return s->found ? entry_at(table, s->found - 1) : NULL;
}

static __always_inline void wake_reader(struct sample_head *head)
{
	u32 cpu = bpf_get_smp_processor_id();

	if (head->woken || (head->nr <= cfg_entry_mask / 2 && head->arena <= cfg_arena_mask / 2))
		return;
	head->woken = 1;
	bpf_ringbuf_output(&wake, &cpu, sizeof(cpu), BPF_RB_FORCE_WAKEUP);
}

/* A new entry for the key in @s; false when there is no room. */
static __always_inline bool append(void *table, struct sample_head *head, struct scratch *s)
{
	struct loop_ctx c = {s, table};
	u32 nr_frames = s->e.nr_kernel + s->e.nr_user;
	u32 i = head->nr;
	struct sample_entry *e;

	if (i > cfg_entry_mask || head->arena + nr_frames > cfg_arena_mask)
		return false;
	s->base = s->e.stack = head->arena;
	if (nr_frames)
		bpf_loop(nr_frames, copy_frame, &c, 0);
	e = entry_at(table, i);
	*e = s->e;
	head->arena += nr_frames;
	head->nr = i + 1;
	if (s->free_slot)
		*index_at(table, s->free_slot - 1) = i + 1;
	return true;
}

static __always_inline u32 walk(void *ctx, u64 *to, u64 flags)
{
	long n = bpf_get_stack(ctx, to, SAMPLE_MAX_FRAMES * 8, flags);

	return n > 0 ? (u32)n / 8 : 0;
}

#ifdef __TARGET_ARCH_x86
#define USER_CS_64 0x33 /* code segment of 64-bit programs */

static long user_frame(u32 i, struct loop_ctx *c)
{
	struct scratch *s = c->s;
	u32 at = s->at + 1 + i;
	u64 fp = s->fp;
	struct {
		u64 fp, ip;
	} f;

	if (at >= ARRAY_LEN(s->frames) || fp & 7)
		return 1;
	if (bpf_probe_read_user(&f, sizeof(f), (void *)fp))
		return 1;
	s->frames[at] = f.ip;
	s->e.nr_user = i + 2;
	s->fp = f.fp;
	/* Callers are further up. A signal's handler may have a stack of its own, once. */
	return f.fp <= fp && (f.fp == fp || s->switches++);
}

/*
 * The user stack by frame pointers. Other than the kernel's walk it does not follow what cannot be
 * a frame, so that of code without frame pointers (where that register is any number) it makes no
 * callers and, what costs most, no page faults.
 */
static __always_inline void walk_user(void *ctx, const struct pt_regs *r, struct scratch *s)
{
	struct loop_ctx c = {s, NULL};
	u32 at = s->at;

	if (at >= SAMPLE_MAX_FRAMES + 1)
		return;
	if (r->cs != USER_CS_64) {
		s->e.nr_user = walk(ctx, s->frames + at, BPF_F_USER_STACK);
		return;
	}
	s->frames[at] = r->rip;
	s->e.nr_user = 1;
	s->fp = r->rbp;
	s->switches = 0;
	if (s->fp >= r->rsp)
		bpf_loop(SAMPLE_MAX_FRAMES - 1, user_frame, &c, 0);
}
#endif

static __always_inline void user_stack(struct bpf_perf_event_data *ctx, u64 ip,
				       struct task_struct *task, struct scratch *s)
{
#ifdef __TARGET_ARCH_x86
	if ((s64)ip >= 0)
		walk_user(ctx, &ctx->regs, s);
	else if (task->mm && !(task->flags & PF_KTHREAD))
		walk_user(ctx, (const struct pt_regs *)bpf_task_pt_regs(task), s);
#else
	s->e.nr_user = walk(ctx, s->frames + s->at, BPF_F_USER_STACK);
#endif
}

/* Frames into s->frames: kernel first, user behind it without a gap. */
static __always_inline void fill_stack(struct bpf_perf_event_data *ctx, u64 ip,
				       struct task_struct *task, struct scratch *s)
{
	u32 nk = 0;

	/* There is no kernel stack under user code, which the helper would find out slowly. */
	if (cfg_keys & SAMPLE_KEY_KSTACK && (s64)ip < 0)
		nk = walk(ctx, s->frames, 0);
	if (nk > SAMPLE_MAX_FRAMES)
		nk = SAMPLE_MAX_FRAMES;
	s->e.nr_kernel = s->at = nk;
	if (cfg_keys & SAMPLE_KEY_USTACK)
		user_stack(ctx, ip, task, s);
}

static __always_inline void fill_key(struct bpf_perf_event_data *ctx, u64 ip, struct scratch *s)
{
	struct task_struct *task = (void *)bpf_get_current_task_btf();
	u64 id = bpf_get_current_pid_tgid();
	struct sample_entry *e = &s->e;
	bool user_addr = false;

	__builtin_memset(e, 0, sizeof(*e));
	if (cfg_events)
		e->event = bpf_get_attach_cookie(ctx);
	if (cfg_keys & SAMPLE_KEY_ADDR) {
		e->ip = ip;
		user_addr = (s64)ip >= 0;
	}
	if (cfg_keys & SAMPLE_KEY_STACK) {
		fill_stack(ctx, ip, task, s);
		user_addr |= e->nr_user != 0;
	}
	if (user_addr)
		e->image = task->group_leader->start_time + task->self_exec_id;
	if (user_addr || (cfg_keys & (SAMPLE_KEY_PID | SAMPLE_KEY_TID)))
		e->pid = id >> 32;
	if (cfg_keys & SAMPLE_KEY_TID)
		e->tid = (u32)id;
	if (cfg_keys & SAMPLE_KEY_COMM)
		bpf_get_current_comm(e->comm, sizeof(e->comm));
	if (cfg_keys & SAMPLE_KEY_CGROUP)
		e->cgroup = bpf_get_current_cgroup_id();
}

static __always_inline u64 hash_key(struct scratch *s)
{
	const struct sample_entry *e = &s->e;
	const u64 *comm = (const u64 *)e->comm;
	struct loop_ctx c = {s, NULL};
	u64 h = mix(e->ip, e->event);

	h = mix(h, e->image);
	h = mix(h, (u64)e->pid << 32 | e->tid);
	h = mix(h, e->cgroup);
	h = mix(h, comm[0]);
	s->hash = mix(h, comm[1]);
	if (e->nr_kernel + e->nr_user)
		bpf_loop(e->nr_kernel + e->nr_user, hash_frame, &c, 0);
	/* Index positions come from the low bits, which a multiplication mixes least. */
	return s->hash ^ (s->hash >> 32);
}

static __always_inline void count(struct bpf_perf_event_data *ctx, u64 ip, u64 period,
				  struct sample_ctl *cc, u32 cpu)
{
	u32 zero = 0, key = cpu * 2 + (*(volatile u64 *)&cc->epoch & 1);
	struct scratch *s = bpf_map_lookup_elem(&scratch, &zero);
	void *table = bpf_map_lookup_elem(&tables, &key);
	struct sample_head *head = table;
	struct sample_entry *e;
	u32 event;
	u64 now;

	if (!s || !table)
		return;
	now = bpf_ktime_get_ns();
	fill_key(ctx, ip, s);
	s->e.hash = hash_key(s);
	e = find(table, s);
	if (e) {
		e->count++;
		e->weight += period;
	} else {
		s->e.count = 1;
		s->e.weight = period;
		s->e.time = now;
		if (!append(table, head, s))
			cc->map_full++;
		wake_reader(head);
	}
	cc->emitted++;
	event = s->e.event;
	if (event < SAMPLE_CTL_EVENTS)
		cc->by_event[event]++;
	if (!cc->first_time)
		cc->first_time = now;
	cc->last_time = now;
}

SEC("perf_event")
int on_overflow(struct bpf_perf_event_data *ctx)
{
	u32 cpu = bpf_get_smp_processor_id();
	struct sample_ctl *cc = bpf_map_lookup_elem(&ctl, &cpu);

	if (!cc)
		return 0;
	/* Full barriers on both sides: the reader flips the epoch, then looks at busy. */
	__sync_fetch_and_add(&cc->busy, 1);
	count(ctx, PT_REGS_IP(&ctx->regs), ctx->sample_period, cc, cpu);
	__sync_fetch_and_add(&cc->busy, -1);
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
