/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An execve whose strings were not in core when it began (literals of a child that has just been
 * forked, say) cannot be read when it returns: the memory is gone, and what stands at those
 * addresses is another program's. But by the time of sched_process_exec the kernel has copied them:
 * the name into its own memory, arguments and environment onto the new stack, one behind the other.
 */

/* Of @blob, begun at @start: @len bytes have been read; -1: it stays unread, which is said. */
static __always_inline void exec_blob_end(struct trace_slot *s, struct trace_cpu *c, u32 start,
					  long len, bool cut)
{
	struct trace_blob *b = blob_at(s, start);
	u64 used;

	if (!b)
		return;
	if (len < 0) {
		len = 0;
		b->status = BLOB_UNREADABLE;
		c->unreadable++;
	} else {
		b->status = cut ? BLOB_CUT : BLOB_OK;
	}
	b->len = len;
	used = start + sizeof(*b) + (len & (2 * TRACE_CAPTURE_MAX - 1));
	if (used <= TRACE_SLOT_DATA - 8)
		*(u64 *)((void *)s->data + used) = 0;
	s->used = (used + 7) & ~7ull;
	s->rec.nr_blobs++;
}

/* The name as the call gave it; not that of an execveat() by descriptor, which the kernel made. */
static __always_inline void exec_filename(struct trace_slot *s, struct trace_cpu *c,
					  struct linux_binprm *bprm, u32 arg)
{
	const char *name = BPF_CORE_READ(bprm, filename);
	u32 start = slot_used(s);
	struct trace_blob *b;
	u64 used;
	long n = -1;

	if (bpf_core_field_exists(bprm->fdpath) && BPF_CORE_READ(bprm, fdpath))
		name = NULL;
	b = blob_begin(s, arg, CAP_STRING, CAP_ENTRY);
	if (!b)
		return;
	used = slot_used(s);
	if (name && used <= TRACE_DATA_LIMIT + 64)
		n = bpf_probe_read_kernel_str((void *)s->data + used, TRACE_CAPTURE_MAX, name);
	n = n > 0 ? n - 1 : -1;
	b->orig_len = n < 0 ? 0 : n;
	exec_blob_end(s, c, start, n, false);
}

/* The strings from @from to @to, of which there are @nr. */
static __always_inline void exec_strings(struct trace_slot *s, struct trace_cpu *c, u32 arg,
					 u64 from, u64 to, u32 nr, bool known)
{
	u32 start = slot_used(s);
	struct trace_blob *b = blob_begin(s, arg, CAP_ARGV, CAP_ENTRY);
	u64 len = to - from;
	bool cut = len > TRACE_CAPTURE_MAX;
	long n = -1;

	if (!b)
		return;
	b->orig_len = nr;
	if (cut)
		len = TRACE_CAPTURE_MAX;
	if (known && to >= from && append(s, from, len))
		n = len;
	exec_blob_end(s, c, start, n, cut);
}

__noinline int exec_capture(struct trace_slot *s, u64 bprm_addr, u32 i, u32 nth)
{
	struct linux_binprm *bprm = (void *)bprm_addr;
	struct task_struct *task = current_task();
	u32 cpu, at, arg, kind;
	struct trace_cpu *c = this_cpu(&cpu);
	struct trace_capture_row *row;
	struct mm_struct *mm;

	if (!s || !c || i >= TRACE_MAX_CAPTURES)
		return 0;
	at = s->row;
	row = bpf_map_lookup_elem(&rows, &at);
	if (!row)
		return 0;
	kind = row->cap[i].kind;
	arg = row->cap[i].arg;
	mm = BPF_CORE_READ(task, mm);
	if (kind == CAP_STRING)
		exec_filename(s, c, bprm, arg);
	else if (nth == 0) /* a script's have the interpreter's before them */
		exec_strings(s, c, arg, BPF_CORE_READ(mm, arg_start), BPF_CORE_READ(mm, arg_end),
			     BPF_CORE_READ(bprm, argc),
			     BPF_CORE_READ(bprm, interp) == BPF_CORE_READ(bprm, filename));
	else
		exec_strings(s, c, arg, BPF_CORE_READ(mm, env_start), BPF_CORE_READ(mm, env_end),
			     BPF_CORE_READ(bprm, envc), true);
	return 0;
}

/* The current thread has got its new program. */
static __always_inline void exec_retry(u64 bprm)
{
	struct trace_slot *s = slot_of(current_task()->pid);
	struct trace_capture_row *row;
	u32 nth = 0, retry;

	if (!conf_records || !s || s->call != CALL_OPEN || !s->retry)
		return;
	row = bpf_map_lookup_elem(&rows, &s->row);
	if (!row)
		return;
	retry = s->retry;
	s->retry = 0;
	for (u32 i = 0; i < TRACE_MAX_CAPTURES; i++) {
		if (retry >> i & 1)
			exec_capture(s, bprm, i, nth);
		nth += row->cap[i].kind == CAP_ARGV;
	}
}
