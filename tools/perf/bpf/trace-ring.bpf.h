/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The way up: a ring a CPU in mapped memory, written without a call into the kernel, which is what
 * a BPF ring buffer costs twice a record. It has one writer, the program that runs on that CPU; who
 * interrupts it there (an event of an interrupt, or on kernels that preempt programs any other)
 * finds it busy and takes `side`, a BPF ring buffer for all CPUs, which also is the doorbell.
 *
 * A record stands at (position & mask) and never wraps: behind the ring there is room for the rest
 * of one. `head` moves when the record is complete; the tool moves `tail`.
 */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1); /* set by the loader: CPUs */
	__uint(key_size, sizeof(u32));
	__uint(value_size, TRACE_RING_MIN + TRACE_RING_SLACK); /* set by the loader */
} rings SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, TRACE_SIDE_SIZE);
} side SEC(".maps");

const volatile u64 conf_ring_size = TRACE_RING_MIN; /* a power of two */
const volatile u64 conf_mark;			    /* stop threads beyond so many bytes */
const volatile u64 conf_wake;			    /* wake the tool beyond so many */

#define RING_FULL (~0ull)

static __always_inline void ring_commit(struct trace_cpu *c, u64 head)
{
#if defined(__TARGET_ARCH_x86)
	/* Stores are seen in the order in which they are made. */
	asm volatile("" ::: "memory");
	*(volatile u64 *)&c->head = head;
	*(volatile u64 *)&c->busy = 0;
#else
	__sync_lock_test_and_set(&c->head, head);
	__sync_lock_test_and_set(&c->busy, 0);
#endif
}

/* What most records are: the call and at most one short piece of memory, or a path and a struct.
 * More than there is may be copied: the next record overwrites it. */
#define RING_SHORT 64
#define RING_MIDDLE 256

static __always_inline void copy_words(u64 *to, const u64 *from, u32 n)
{
	for (u32 i = 0; i < n; i++)
		to[i] = from[i];
}

/* @most: the room behind the record at @rec, which is at least RING_MIDDLE. @middle: many are of
 * that size. */
static __always_inline void ring_copy(u64 *to, const struct trace_record *rec, u64 size, u64 most,
				      bool middle)
{
	const u64 *from = (const u64 *)rec;

	copy_words(to, from, sizeof(*rec) / 8);
	to += sizeof(*rec) / 8;
	from += sizeof(*rec) / 8;
	size -= sizeof(*rec);
	if (!size)
		return;
	if (size <= RING_SHORT) {
		copy_words(to, from, RING_SHORT / 8);
		return;
	}
	if (middle && size <= RING_MIDDLE) {
		copy_words(to, from, RING_MIDDLE / 8);
		return;
	}
	/* The verifier has to see the bound. */
	asm volatile("" : "+r"(size));
	if (size <= most)
		bpf_probe_read_kernel(to, size, from);
}

/* The tool has seen the ring at most this full, and sleeps. */
static __always_inline void ring_bell(void)
{
	u64 nothing = 0;

	bpf_ringbuf_output(&side, &nothing, sizeof(nothing), BPF_RB_FORCE_WAKEUP);
}

/*
 * Copies the record at @rec, of @size bytes, to the ring of this CPU, @cpu. Returns how many bytes
 * that now holds (0 where the record went by `side`), or RING_FULL. @most, @middle: see
 * ring_copy().
 */
static __always_inline u64 ring_put(struct trace_cpu *c, u32 cpu, const struct trace_record *rec,
				    u64 size, u64 most, bool middle)
{
	void *ring = bpf_map_lookup_elem(&rings, &cpu);
	u64 head, held;

	if (!ring)
		return RING_FULL;
	if (__sync_lock_test_and_set(&c->busy, 1)) {
		asm volatile("" : "+r"(size));
		if (size > sizeof(*rec) + most ||
		    bpf_ringbuf_output(&side, (void *)rec, size, BPF_RB_FORCE_WAKEUP))
			return RING_FULL;
		__sync_fetch_and_add(&c->aside, 1);
		return 0;
	}
	head = c->head;
	held = head - *(volatile u64 *)&c->tail;
	if (held + size > conf_ring_size) {
		ring_commit(c, head);
		return RING_FULL;
	}
	ring_copy(ring + (head & (conf_ring_size - 1)), rec, size, most, middle);
	c->emitted++;
	ring_commit(c, head + size);
	if (held <= conf_wake && held + size > conf_wake)
		ring_bell();
	return held + size;
}
