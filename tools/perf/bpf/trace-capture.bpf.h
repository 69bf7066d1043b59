/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The generic capture program: reads a call's memory as its row of the table says, into blobs
 * behind the slot's record (layout: trace/record.h). Memory whose page is not there cannot be read
 * in a tracepoint program: what fails on entry is tried again on exit, when the call itself has
 * touched it; what fails then is left to the tool (blocking) or counted.
 */

#define CAP_RETRY 4 /* beside CAP_ENTRY and CAP_EXIT */

/* Where the next byte goes; the barrier keeps the compiler from loading it twice. */
static __always_inline u64 slot_used(struct trace_slot *s)
{
	u64 used = s->used;

	asm volatile("" : "+r"(used));
	return used;
}

static __always_inline struct trace_blob *blob_begin(struct trace_slot *s, u32 arg, u32 kind,
						     u32 when)
{
	u64 used = slot_used(s);
	struct trace_blob *b;

	if (used > TRACE_DATA_LIMIT)
		return NULL;
	b = (void *)s->data + used;
	b->arg = arg;
	b->kind = kind;
	b->when = when;
	b->status = BLOB_OK;
	b->len = 0;
	b->orig_len = 0;
	b->head = 0;
	s->used = used + sizeof(*b);
	return b;
}

/* @len bytes of user memory behind what is there; false when they cannot be read. A function of its
 * own, so that it is verified once. */
__noinline int append(struct trace_slot *s, u64 addr, u64 len)
{
	u64 used;

	if (!s)
		return false;
	used = slot_used(s);
	if (used > TRACE_DATA_LIMIT + 64)
		return false;
	/* The verifier has to see the bound that the compiler may know of. */
	asm volatile("" : "+r"(len));
	if (len > TRACE_CAPTURE_MAX)
		len = TRACE_CAPTURE_MAX;
	if (!len)
		return true;
	if (bpf_probe_read_user(s->data + used, len, (void *)addr))
		return false;
	s->used = used + len;
	return true;
}

/*
 * The same for a few bytes, by way of the stack: where the kernel checks copies from user space
 * (CONFIG_HARDENED_USERCOPY) it is done at once with a target on the stack, and not with one on a
 * map.
 */
#define APPEND_SHORT 64

static __always_inline bool append_short(struct trace_slot *s, u64 addr, u64 len)
{
	u64 used = slot_used(s), buf[APPEND_SHORT / 8] = {};

	if (used > TRACE_DATA_LIMIT + 64)
		return false;
	asm volatile("" : "+r"(len));
	if (len > APPEND_SHORT)
		return false;
	if (len && bpf_probe_read_user(buf, len, (void *)addr))
		return false;
	copy_words((void *)s->data + used, buf, APPEND_SHORT / 8);
	s->used = used + len;
	return true;
}

static __always_inline void append_u32(struct trace_slot *s, u32 v)
{
	u64 used = slot_used(s);

	if (used > TRACE_DATA_LIMIT + 64)
		return;
	*(u32 *)((void *)s->data + used) = v;
	s->used = used + 4;
}

/* An element of a vector: u32 length, bytes, padding to 4. Of @len bytes at most @limit. Returns 0,
 * 1 when cut, -1 when not readable. */
static __always_inline int element(struct trace_slot *s, u64 addr, u64 len, u32 limit)
{
	u64 n = len < limit ? len : limit;
	u32 start = slot_used(s);

	if (start > TRACE_DATA_LIMIT - 8)
		return 1;
	if (n > TRACE_CAPTURE_MAX - 8)
		n = TRACE_CAPTURE_MAX - 8;
	append_u32(s, n);
	if (!append(s, addr, n)) {
		s->used = start;
		return -1;
	}
	s->used = (slot_used(s) + 3) & ~3u;
	return n < len;
}

/* Likewise; a global function, so that it is verified once. Functions are called 8 deep at most. */
__noinline int capture_element(struct trace_slot *s, u64 addr, u64 len, u32 limit)
{
	return s ? element(s, addr, len, limit) : -1;
}

static __always_inline u64 user_word(struct trace_slot *s, u64 addr, u32 index, bool *ok)
{
	u64 v = 0;
	u32 w = 0;

	if (s->rec.abi == TRACE_ABI_32) {
		*ok = !bpf_probe_read_user(&w, sizeof(w), (void *)(addr + index * 4ull));
		return w;
	}
	*ok = !bpf_probe_read_user(&v, sizeof(v), (void *)(addr + index * 8ull));
	return v;
}

/* The loops are bpf_loop()'s (5.17), whose body is verified once. */
struct loop {
	struct trace_slot *s;
	u64 addr, total;
	u32 limit;
	int ret; /* 0, 1: cut, -1: not readable */
};

static long next_buffer(u32 i, struct loop *l)
{
	u64 base, len;
	bool ok1, ok2;
	int ret;

	base = user_word(l->s, l->addr, 2 * i, &ok1);
	len = user_word(l->s, l->addr, 2 * i + 1, &ok2);
	if (!ok1 || !ok2) {
		l->ret = -1;
		return 1;
	}
	if (len > l->total)
		len = l->total;
	l->total -= len;
	ret = element(l->s, base, len, l->limit);
	if (ret)
		l->ret = ret;
	return ret < 0;
}

/* The buffers of the iovec[@n] at @addr, each an element; with @total (the result of a read) no
 * more bytes than that. */
__noinline int capture_buffers(struct trace_slot *s, u64 addr, u32 n, u64 total, u32 limit)
{
	struct loop l = {.s = s, .addr = addr, .total = total, .limit = limit};

	if (!s)
		return -1;
	bpf_loop(n < TRACE_MAX_IOV ? n : TRACE_MAX_IOV, next_buffer, &l, 0);
	return l.ret;
}

static __always_inline int capture_iovec(struct trace_slot *s, struct trace_blob *b, u64 addr,
					 u64 n, u64 total, u32 limit)
{
	u32 size = s->rec.abi == TRACE_ABI_32 ? 8 : 16, k = n;
	int ret;

	if (n > TRACE_MAX_IOV)
		k = TRACE_MAX_IOV;
	b->orig_len = n;
	b->head = k * size;
	if (!append(s, addr, k * size))
		return -1;
	ret = capture_buffers(s, addr, k, total, limit);
	return ret < 0 ? ret : ret || k < n;
}

/* One msghdr's elements. @h: the words of the msghdr as read. */
__noinline int capture_message(struct trace_slot *s, u64 hdr, u64 total, u32 limit)
{
	u64 name, iov, iovlen, control, controllen;
	u32 namelen, size;
	bool ok = true, o;
	int ret;

	if (!s)
		return -1;
	size = s->rec.abi == TRACE_ABI_32 ? 8 : 16;
	name = user_word(s, hdr, 0, &o);
	ok &= o;
	namelen = user_word(s, hdr, 1, &o);
	ok &= o;
	iov = user_word(s, hdr, 2, &o);
	ok &= o;
	iovlen = user_word(s, hdr, 3, &o);
	ok &= o;
	control = user_word(s, hdr, 4, &o);
	ok &= o;
	controllen = user_word(s, hdr, 5, &o);
	ok &= o;
	if (!ok)
		return -1;
	if (iovlen > TRACE_MAX_IOV)
		iovlen = TRACE_MAX_IOV;
	if (capture_element(s, name, name ? namelen : 0, 128) < 0 ||
	    capture_element(s, iov, iovlen * size, TRACE_MAX_IOV * 16) < 0)
		return -1;
	ret = capture_buffers(s, iov, iovlen, total, limit);
	if (ret < 0 || capture_element(s, control, control ? controllen : 0, 512) < 0)
		return -1;
	return ret;
}

static long next_message(u32 i, struct loop *l)
{
	int ret = capture_message(l->s, l->addr + i * l->total, ~0ull, l->limit);

	if (ret)
		l->ret = ret;
	return ret < 0;
}

static __always_inline int capture_mmsg(struct trace_slot *s, struct trace_blob *b, u64 addr, u64 n,
					u32 limit)
{
	u32 size = s->rec.abi == TRACE_ABI_32 ? 32 : 64, k = n > 8 ? 8 : n;
	struct loop l = {.s = s, .addr = addr, .total = size, .limit = limit};

	b->orig_len = n;
	b->head = k * size;
	if (!append(s, addr, k * size))
		return -1;
	bpf_loop(k, next_message, &l, 0);
	return l.ret < 0 ? l.ret : l.ret || k < n;
}

static long next_string(u32 i, struct loop *l)
{
	struct trace_slot *s = l->s;
	u64 used = slot_used(s), p;
	long n;
	bool ok;

	p = user_word(s, l->addr, i, &ok);
	l->ret = ok ? 0 : -1;
	if (!ok || !p)
		return 1;
	l->total = i + 1;
	l->ret = 1;
	if (used > TRACE_DATA_LIMIT)
		return 1;
	n = bpf_probe_read_user_str((void *)s->data + used, TRACE_CAPTURE_MAX, (void *)p);
	if (n < 0) {
		l->ret = -1;
		return 1;
	}
	s->used = used + (n & (2 * TRACE_CAPTURE_MAX - 1));
	return 0;
}

/* NULL-terminated array of strings. */
static __always_inline int capture_argv(struct trace_slot *s, struct trace_blob *b, u64 addr)
{
	struct loop l = {.s = s, .addr = addr};
	bool ok;

	bpf_loop(TRACE_MAX_ARGV, next_string, &l, 0);
	b->orig_len = l.total;
	/* whether that was all */
	if (l.total == TRACE_MAX_ARGV && !user_word(s, addr, TRACE_MAX_ARGV, &ok) && ok)
		return 0;
	return l.ret;
}

/* A string of at most @room bytes with its NUL, behind what is there: how many it has, or -1. A
 * function of its own, in which nothing else needs registers: verifiers before 6.7 do not learn the
 * bound of a value that is on the stack while it is checked. */
__noinline int read_string(struct trace_slot *s, u64 addr, u64 room)
{
	u64 used;

	if (!s)
		return -1;
	used = slot_used(s);
	if (used > TRACE_DATA_LIMIT + 64 || room > TRACE_CAPTURE_MAX)
		return -1;
	return bpf_probe_read_user_str((void *)s->data + used, room, (void *)addr);
}

static __always_inline int capture_string(struct trace_slot *s, struct trace_blob *b, u64 addr,
					  u32 limit)
{
	u64 room = limit && limit + 1 < TRACE_CAPTURE_MAX ? limit + 1 : TRACE_CAPTURE_MAX;
	int n = read_string(s, addr, room);

	if (n <= 0)
		return -1;
	s->used = slot_used(s) + (u32)(n - 1);
	b->orig_len = n - 1;
	if (n == room) { /* cut, or just fitting: the next byte tells */
		char c = 1;

		bpf_probe_read_user(&c, 1, (void *)(addr + n - 1));
		if (c) {
			b->orig_len = n;
			return 1;
		}
	}
	return 0;
}

static __always_inline u64 capture_len(struct trace_slot *s, u32 from, u32 arg, u32 size, bool *ok)
{
	u32 v = 0;
	u64 a;

	*ok = true;
	if (from == LEN_RET)
		return s->rec.ret > 0 ? s->rec.ret : 0;
	if (from == LEN_CONST || arg >= TRACE_NR_ARGS)
		return size;
	a = s->rec.args[arg];
	if (from == LEN_ARG)
		return a;
	if (a)
		*ok = !bpf_probe_read_user(&v, sizeof(v), (void *)a);
	return v;
}

/* How many bytes of @len (of elements of @size, for arrays) are read at most. */
static __always_inline u64 byte_count(u32 kind, u64 *len, u32 size)
{
	u64 bytes = *len, most = TRACE_CAPTURE_MAX;

	if (kind == CAP_BUFFER) {
		most = size;
	} else if (kind == CAP_SOCKADDR) {
		most = 128;
	} else if (kind == CAP_ARRAY) {
		if (*len > TRACE_CAPTURE_MAX)
			*len = TRACE_CAPTURE_MAX;
		bytes = *len * size;
	} else if (kind == CAP_FDSET) {
		bytes = *len = ((*len & 0xffff) + 63) / 64 * 8;
	}
	return bytes < most ? bytes : most;
}

/* Bytes: a buffer, a struct, an array, an address. */
static __always_inline int capture_bytes(struct trace_slot *s, struct trace_blob *b, u32 kind,
					 u64 addr, u64 len, u32 size)
{
	u64 n = byte_count(kind, &len, size), whole = kind == CAP_ARRAY ? len * size : len;

	if (n > TRACE_CAPTURE_MAX)
		n = TRACE_CAPTURE_MAX;
	b->orig_len = len > 0xffffffffull ? 0xffffffff : len;
	if (!(n <= APPEND_SHORT ? append_short(s, addr, n) : append(s, addr, n)))
		return -1;
	return n < whole;
}

/* Where the blob that begins at @start stands. */
static __always_inline struct trace_blob *blob_at(struct trace_slot *s, u64 start)
{
	asm volatile("" : "+r"(start));
	return start > TRACE_DATA_LIMIT ? NULL : (void *)s->data + start;
}

/* Kinds that are more than one piece of memory. The blob begins at @start. */
__noinline int capture_vector(struct trace_slot *s, u32 start, u64 addr, u64 n, u32 limit)
{
	struct trace_blob *b;
	u64 total;

	if (!s)
		return -1;
	b = blob_at(s, start);
	if (!b)
		return -1;
	total = b->when == CAP_EXIT && s->rec.ret >= 0 ? (u64)s->rec.ret : ~0ull;
	switch (b->kind) {
	case CAP_IOVEC:
		return capture_iovec(s, b, addr, n, total, limit);
	case CAP_MSGHDR:
		n = s->rec.abi == TRACE_ABI_32 ? 28 : 56;
		b->head = n;
		b->orig_len = 1;
		return append(s, addr, n) ? capture_message(s, addr, total, limit) : -1;
	case CAP_MMSGHDR:
		return capture_mmsg(s, b, addr, n, limit);
	case CAP_ARGV:
		return capture_argv(s, b, addr);
	}
	return -1;
}

/* What could not be read: on entry, is tried again on exit; then it is the tool's turn, or a blob
 * says so, and it is counted. @lo: the first half of struct trace_capture. */
__noinline int capture_failed(struct trace_slot *s, u32 i, u32 lo, u32 when)
{
	u32 cpu = bpf_get_smp_processor_id();
	struct trace_cpu *c = bpf_map_lookup_elem(&cpus, &cpu);
	struct trace_blob *b;
	u32 status = BLOB_UNREADABLE;

	if (!s || !c)
		return 0;
	if (when == CAP_ENTRY) {
		s->retry |= 1u << (i & 7);
		return 0;
	}
	if (lo >> 16 & CAP_OPTIONAL)
		return 0;
	when = when == CAP_RETRY ? CAP_ENTRY : CAP_EXIT;
	if (s->rec.ret == -14) { /* EFAULT: the address is bad */
		status = BLOB_FAULT;
	} else if (conf_block && current_task()->ptrace & PERF_PT_SEIZED) {
		s->missing |= 1u << (i & 7);
		if (when == CAP_ENTRY)
			s->missing_entry |= 1u << (i & 7);
		return 0;
	} else {
		c->unreadable++;
	}
	b = blob_begin(s, lo & 7, lo >> 8 & 0xff, when);
	if (b) {
		b->status = status;
		s->rec.nr_blobs++;
	}
	return 0;
}

/*
 * Capture @i of the slot's row, as @when says: CAP_ENTRY, CAP_EXIT, or what was not readable on
 * entry, on exit (CAP_RETRY). Each call of a function costs, with the kernel's guards against
 * speculation, as much as a dozen plain instructions: what most calls need is done in this one.
 */
__noinline int capture_at(struct trace_slot *s, u32 i, u32 when)
{
	u32 lo, hi, kind, from, size, at, as = when == CAP_EXIT ? CAP_EXIT : CAP_ENTRY;
	struct trace_capture_row *row;
	struct trace_blob *b;
	u64 start, addr, len, used;
	bool ok = true;
	int ret;

	if (!s || i >= TRACE_MAX_CAPTURES)
		return 0;
	at = s->row;
	row = bpf_map_lookup_elem(&rows, &at);
	if (!row)
		return 0;
	lo = ((const u32 *)&row->cap[i])[0]; /* struct trace_capture as two words */
	hi = ((const u32 *)&row->cap[i])[1];
	if ((lo & 7) >= TRACE_NR_ARGS)
		return 0;
	addr = s->rec.args[lo & 7];
	if (!addr)
		return 0;
	kind = lo >> 8 & 0xff;
	from = lo >> 24;
	size = hi >> 16;
	start = slot_used(s);
	b = blob_begin(s, lo & 7, kind, as);
	if (!b)
		return capture_failed(s, i, lo, when);
	if (kind == CAP_STRING) {
		ret = capture_string(s, b, addr, size);
	} else {
		len = capture_len(s, from, hi & 7, size, &ok);
		if (!ok)
			ret = -1;
		else if (kind == CAP_IOVEC || kind == CAP_MSGHDR || kind == CAP_MMSGHDR ||
			 kind == CAP_ARGV)
			ret = capture_vector(s, start, addr, len, size);
		else
			ret = capture_bytes(s, b, kind, addr, len, size);
	}
	/* The blob is as long as what has been read; 1: it was cut. */
	b = blob_at(s, start);
	if (ret < 0 || !b) {
		s->used = start;
		return capture_failed(s, i, lo, when);
	}
	used = slot_used(s);
	b->status = ret ? BLOB_CUT : BLOB_OK;
	b->len = used - start - sizeof(*b);
	/* Padding is zeroed, so that no stale byte leaves the kernel's buffer. */
	if (used <= TRACE_SLOT_DATA - 8)
		*(u64 *)((void *)s->data + used) = 0;
	s->used = (used + 7) & ~7ull;
	s->rec.nr_blobs++;
	return 0;
}

/* What cannot be read on entry is tried again on exit. */
static __always_inline void capture_entry(struct trace_slot *s, u32 bits)
{
	for (u32 i = 0; i < TRACE_MAX_CAPTURES; i++)
		if (bits >> i & 1)
			capture_at(s, i, CAP_ENTRY);
}

static __always_inline void capture_exit(struct trace_slot *s)
{
	u32 late = s->late, retry = s->retry;

	for (u32 i = 0; i < TRACE_MAX_CAPTURES; i++) {
		if (retry >> i & 1)
			capture_at(s, i, CAP_RETRY);
		if (late >> i & 1)
			capture_at(s, i, CAP_EXIT);
	}
}

/* The user's call chain, behind the blobs: u32 nr, u32 pad, u64 ips[nr]. The same on entry and on
 * exit: taken last, so that it stands last. */
static __always_inline void capture_stack(void *ctx, struct trace_slot *s)
{
	u64 used = slot_used(s), size = conf_max_stack * 8;
	long n;

	if (used > TRACE_DATA_LIMIT)
		return;
	if (size > TRACE_MAX_STACK * 8)
		size = TRACE_MAX_STACK * 8;
	n = bpf_get_stack(ctx, (void *)s->data + used + 8, size, BPF_F_USER_STACK);
	if (n < 0)
		n = 0;
	*(u32 *)((void *)s->data + used) = (u32)n / 8;
	*(u32 *)((void *)s->data + used + 4) = 0;
	s->used = used + 8 + ((u32)n & 0x7f8);
	s->rec.flags |= TR_STACK;
}
