/* SPDX-License-Identifier: GPL-2.0-only */
/* The traced set as the programs see it: from a thread to its slot, new and ended threads. */
#define TRACE_SIGSTOP 19
#define TRACE_SIGWINCH 28

/*
 * A pointer to a kernel type, of a number that was one: bpf_rdonly_cast() (6.2), of which the
 * verifier makes a plain move. What it points to can but be read, and reads as 0 where nothing is.
 * The loader puts the function in where this is called; it knows the numbers of functions and types
 * without libbpf's reading all of the kernel's BTF. Without that function it is not to be reached.
 */
static void *(*const cast)(u64 addr, u32 type) = (void *)TRACE_CAST_CALL;

/* The kernel's numbers of these types; 0: it has no bpf_rdonly_cast(). */
const volatile u32 conf_task_type;
const volatile u32 conf_regs_type;

/*
 * By where on its kernel stack a thread's registers stand, what is known of the thread: the context
 * of a raw tracepoint says where that is, and that saves asking the kernel for the current thread.
 * An entry is shared by many stacks: its high bits tell of which it is, the others the slot (+ 1),
 * of which the slot has the last word, or that the thread was not traced when the traced set was as
 * it is in trace_ctl.generation. So everyone else's calls cost next to nothing.
 */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1 << TRACE_STACKS_SHIFT);
	__type(key, u32);
	__type(value, u64);
} stacks SEC(".maps");

#define STACK_VALUE ((1ull << 30) - 1)
#define STACK_OTHER (1ull << 30) /* not traced; the value is the generation */

/* Stacks are 16 KiB apart at least: 33 bits of their number, which are 128 TiB. */
static __always_inline u64 stack_tag(u64 regs)
{
	return regs >> 14 << 31;
}

static __always_inline u64 *stack_entry(u64 regs)
{
	u32 i = (u32)(regs >> 14) * 0x9e3779b1u >> (32 - TRACE_STACKS_SHIFT);

	return bpf_map_lookup_elem(&stacks, &i);
}

static __always_inline struct trace_ctl *get_ctl(void)
{
	u32 zero = 0;

	return bpf_map_lookup_elem(&ctl, &zero);
}

static __always_inline u32 *tid_entry(u32 tid)
{
	u32 page = tid >> TRACE_TIDS_SHIFT;
	struct trace_tids *t = bpf_map_lookup_elem(&tids, &page);

	return t ? &t->slot[tid & (TRACE_TIDS_PAGE - 1)] : NULL;
}

static __always_inline struct trace_slot *slot_at(u32 nr)
{
	u32 chunk = nr >> TRACE_CHUNK_SHIFT, i = nr & (TRACE_CHUNK_SLOTS - 1);
	struct trace_slot *s;
	void *inner;

	if (!chunk) {
		s = bpf_map_lookup_elem(&slots, &i);
		/* Keeps the two look-ups apart: the kernel inlines one whose map is known. */
		asm volatile("" : "+r"(s));
		return s;
	}
	inner = bpf_map_lookup_elem(&chunks, &chunk);
	return inner ? bpf_map_lookup_elem(inner, &i) : NULL;
}

static __always_inline struct trace_slot *slot_of(u32 tid)
{
	u32 *e = tid_entry(tid);

	return e && *e && *e != TRACE_TID_WANTED ? slot_at(*e - 1) : NULL;
}

/* A free slot's number + 1, or 0. @tries: others may take at the same time. */
static __always_inline u32 take_free(struct trace_ctl *k, int tries)
{
	for (int i = 0; i < tries; i++) {
		u64 head = *(volatile u64 *)&k->free_head;
		u32 nr;

		if (head >= *(volatile u64 *)&k->free_tail)
			return 0;
		nr = k->free[head & (TRACE_MAX_SLOTS - 1)];
		if (__sync_val_compare_and_swap(&k->free_head, head, head + 1) == head)
			return nr + 1;
	}
	return 0;
}

/* @parent: the process that makes the thread, 0: nobody knows. Where there is no free slot the
 * thread stays on the list of those that want one: see learn_slot(). */
static __always_inline struct trace_slot *new_slot(u32 tid, u32 flags, u32 parent, int tries)
{
	u32 nr, *e = tid_entry(tid);
	struct trace_ctl *k = get_ctl();
	struct trace_slot *s;

	if (!e || !k)
		return NULL;
	nr = *e;
	if (nr && nr != TRACE_TID_WANTED)
		return slot_at(nr - 1);
	nr = take_free(k, tries);
	/* The tool has to make room before there is none. */
	if (*(volatile u64 *)&k->free_tail - *(volatile u64 *)&k->free_head < TRACE_SLOTS_LOW)
		ring_bell();
	s = nr ? slot_at(nr - 1) : NULL;
	if (!s) {
		if (!conf_all)
			*e = TRACE_TID_WANTED;
		return NULL;
	}
	s->tid = tid;
	s->parent = parent;
	s->flags = flags | SLOT_LIVE;
	s->call = CALL_NONE;
	s->spilled = 0;
	s->stops = 0;
	s->genuine = 0;
	s->missing = 0;
	s->seq = 0;
	s->regs = 0;
	*e = nr;
	__sync_fetch_and_add(&k->generation, 1);
	return s;
}

/* The slot goes to the tool, which gives it back to the free ones. */
static __always_inline void free_slot(u32 *e, struct trace_slot *s)
{
	u32 nr = *e;
	struct trace_ctl *k = get_ctl();
	u64 at;

	*e = 0;
	s->regs = 0; /* whoever gets that stack next is not this thread */
	if (!k)
		return;
	at = __sync_fetch_and_add(&k->dead_tail, 1);
	*(volatile u32 *)&k->dead[at & (TRACE_MAX_SLOTS - 1)] = nr;
}

static __always_inline bool in_cgroups(void)
{
	for (u32 i = 0; i < TRACE_MAX_CGROUPS && i < conf_cgroups; i++)
		if (bpf_current_task_under_cgroup(&cgroup, i) == 1)
			return true;
	return false;
}

/* The current thread's slot, made when the run is for every thread. */
static __always_inline struct trace_slot *current_slot(struct task_struct *task)
{
	struct trace_slot *s = slot_of(task->pid);

	if (conf_cgroups && !in_cgroups())
		return NULL;
	if (s)
		return s;
	if (!conf_all) {
		u32 *e = tid_entry(task->pid);

		/* its next call tries again */
		return e && *e == TRACE_TID_WANTED ? new_slot(task->pid, 0, 0, 1) : NULL;
	}
	if ((u32)task->tgid == conf_self)
		return NULL;
	return new_slot(task->pid, 0, 0, 16);
}

/* A call that the table asks for is over, and its thread had no room. */
static __always_inline void count_unseen(u64 regs)
{
	struct trace_capture_row *row;
	struct trace_cpu *c;
	u32 cpu, nr;

	if (regs && conf_regs_type) {
		nr = regs_nr(cast(regs, conf_regs_type));
		row = bpf_map_lookup_elem(&rows, &nr); /* as if it were a 64-bit one */
		if (row && !(row->flags & TRACE_ROW_TRACED))
			return;
	}
	c = this_cpu(&cpu);
	if (c && !c->off)
		c->lost_slot++;
}

/*
 * The current thread's slot, + 1, or 0: it is not traced, or there is still no room for it; then
 * the call is lost, which is counted when it is over (@leaving). From now on that is known by
 * @regs, unless that is 0. A function of its own, to be verified once.
 */
__noinline u32 learn_slot(u64 regs, u32 leaving)
{
	struct task_struct *task = current_task();
	struct trace_ctl *k = get_ctl();
	u64 generation, *e = NULL;
	struct trace_slot *s;
	u32 *nr;

	if (!k)
		return 0;
	if (regs && !is_off())
		e = stack_entry(regs);
	/* Before the look at the traced set: who changes that counts afterwards. */
	generation = __sync_fetch_and_add(&k->generation, 0);
	nr = tid_entry(task->pid);
	if (!nr)
		return 0;
	if (!*nr && !conf_all) {
		if (e)
			*e = stack_tag(regs) | STACK_OTHER | (generation & STACK_VALUE);
		return 0;
	}
	s = current_slot(task);
	if (!s) {
		if (leaving && *nr == TRACE_TID_WANTED)
			count_unseen(regs);
		return 0;
	}
	if (regs) {
		s->regs = regs;
		s->task = (u64)task;
	}
	if (e)
		*e = stack_tag(regs) | *nr;
	return *nr;
}

/* What the entry for @regs says: a slot + 1, or 0: nothing; *@other: the thread is not traced. */
static __always_inline u32 known_slot(u64 regs, bool *other)
{
	u64 *e = stack_entry(regs), v = e ? *(volatile u64 *)e : 0;
	struct trace_ctl *k;

	*other = false;
	if ((v ^ stack_tag(regs)) >> 31)
		return 0;
	if (!(v & STACK_OTHER))
		return v & STACK_VALUE;
	k = get_ctl();
	*other = k && !((v ^ *(volatile u64 *)&k->generation) & STACK_VALUE);
	return 0;
}

/* The current thread and its slot (NULL: not traced, or no room). @regs: its registers, which stand
 * on its kernel stack, as a raw tracepoint has them. */
static __always_inline struct trace_slot *locate(u64 regs, bool raw, struct task_struct **task,
						 bool leaving)
{
	bool by_stack = raw && conf_task_type && !conf_cgroups, other = false, learned;
	u32 nr = by_stack ? known_slot(regs, &other) : 0;
	struct trace_slot *s;

	if (other)
		return NULL;
	learned = !nr;
	if (learned)
		nr = learn_slot(by_stack ? regs : 0, leaving);
	for (int i = 0; i < 2; i++) {
		s = nr ? slot_at(nr - 1) : NULL;
		if (!by_stack)
			*task = current_task();
		if (s && by_stack) {
			*task = cast(s->task, conf_task_type);
			if (s->regs != regs || (*task)->pid != s->tid)
				s = NULL;
		}
		if (s || learned)
			break;
		learned = true;
		nr = learn_slot(regs, leaving);
	}
	return s;
}

/* The slot that locate() found for this call; another thread may have taken the entry since. */
static __always_inline struct trace_slot *locate_again(u64 regs, bool raw)
{
	bool by_stack = raw && conf_task_type && !conf_cgroups, other = false;
	u32 nr = by_stack ? known_slot(regs, &other) : 0, tid, *e;
	struct trace_slot *s;

	for (int i = 0; i < 2; i++) {
		s = nr ? slot_at(nr - 1) : NULL;
		if (s && (i || s->regs == regs))
			return s;
		tid = current_task()->pid;
		e = tid_entry(tid);
		nr = e ? *e : 0;
	}
	return NULL;
}
