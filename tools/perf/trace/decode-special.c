// SPDX-License-Identifier: GPL-2.0-only
/* Arguments whose meaning hangs on another argument: futex, clone, fcntl, sockets ... */
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <linux/futex.h>

#include "trace/decode-int.h"

static bool usable(const struct trace_blob *b)
{
	return b && (b->status == BLOB_OK || b->status == BLOB_CUT) && b->len;
}

static void member(struct dctx *x, const char *name, bool first)
{
	val__field(x, name, (u32)strlen(name), first);
}

static void quote(struct dctx *x)
{
	if (dctx__json(x))
		outbuf__putc(x->ob, '"');
}

static const char *short_or_full(struct dctx *x, const struct trace_set *s, const char *name)
{
	return dctx__full_names(x) ? name : trace_set__short(s, name);
}

/* --- conditions --- */

static u32 futex_cmd(const struct dctx *x)
{
	return (u32)x->args[1] & FUTEX_CMD_MASK;
}

static bool futex_shown(const struct dctx *x, u8 cond)
{
	u32 cmd = futex_cmd(x);

	switch (cond) {
	case TC_FUTEX_VAL:
		return cmd != FUTEX_LOCK_PI && cmd != FUTEX_UNLOCK_PI && cmd != FUTEX_TRYLOCK_PI &&
		       cmd != FUTEX_LOCK_PI2;
	case TC_FUTEX_UTIME:
		return cmd != FUTEX_WAKE && cmd != FUTEX_FD && cmd != FUTEX_UNLOCK_PI &&
		       cmd != FUTEX_TRYLOCK_PI && cmd != FUTEX_WAKE_BITSET;
	case TC_FUTEX_UADDR2:
		return cmd == FUTEX_REQUEUE || cmd == FUTEX_CMP_REQUEUE || cmd == FUTEX_WAKE_OP ||
		       cmd == FUTEX_WAIT_REQUEUE_PI || cmd == FUTEX_CMP_REQUEUE_PI;
	case TC_FUTEX_VAL3:
		return cmd == FUTEX_CMP_REQUEUE || cmd == FUTEX_WAKE_OP ||
		       cmd == FUTEX_WAIT_BITSET || cmd == FUTEX_WAKE_BITSET ||
		       cmd == FUTEX_CMP_REQUEUE_PI;
	}
	return true;
}

static bool fcntl_shown(const struct dctx *x)
{
	switch ((u32)x->args[1]) {
	case F_GETFD:
	case F_GETFL:
	case F_GETOWN:
	case F_GETSIG:
	case F_GETLEASE:
	case F_GETPIPE_SZ:
	case F_GET_SEALS:
		return false;
	}
	return true;
}

/* How many arguments a keyctl operation has, itself among them. */
static int keyctl_args(u32 op)
{
	static const u8 nr[] = {3, 2, 4, 2, 4, 3, 4, 2, 3, 3, 5, 4, 5, 4, 2, 3, 2,
				4, 1, 5, 5, 2, 3, 5, 5, 5, 5, 5, 5, 4, 5, 3, 4};

	return op < ARRAY_SIZE(nr) ? nr[op] : 5;
}

static u64 open_flags(const struct dctx *x, const struct trace_arg *a)
{
	int i = (int)(a - x->c->args);

	return i > 0 ? x->args[i - 1] : 0;
}

bool cond__shown(const struct dctx *x, const struct trace_arg *a)
{
	u64 clone = x->args[0];

	switch (a->cond) {
	case TC_NONE:
		return true;
	case TC_CREAT:
		return open_flags(x, a) & (O_CREAT | 020000000 /* __O_TMPFILE */);
	case TC_CREAT2:
		return x->args[1] & O_CREAT;
	case TC_DEVICE: {
		u32 type = (u32)open_flags(x, a) & S_IFMT;

		return type == S_IFCHR || type == S_IFBLK;
	}
	case TC_CPU_FLAG:
		return x->args[1] & 1;
	case TC_IOCTL_ARG:
		return ioctl__has_arg((u32)x->args[1]);
	case TC_KEYCTL:
		return (int)(a - x->c->args) < keyctl_args((u32)x->args[0]);
	case TC_PTRACE:
		return x->args[0] && (x->args[0] != 16 || !dctx__strace(x));
	case TC_RESTART2:
		return (u32)x->args[2] == 0xa1b2c3d4;
	case TC_FILEMAP:
		return dctx__strace(x) || !(x->args[3] & MAP_ANONYMOUS);
	case TC_FIXED:
		return x->args[3] & (MREMAP_FIXED | 4 /* MREMAP_DONTUNMAP */);
	case TC_PTID:
		return clone & (CLONE_PARENT_SETTID | CLONE_PIDFD);
	case TC_CTID:
		return clone & (CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID);
	case TC_TLS:
		return clone & CLONE_SETTLS;
	case TC_FUTEX_VAL:
	case TC_FUTEX_UTIME:
	case TC_FUTEX_UADDR2:
	case TC_FUTEX_VAL3:
		return futex_shown(x, a->cond);
	case TC_FCNTL_ARG:
		return fcntl_shown(x);
	case TC_PRCTL2:
	case TC_PRCTL3:
	case TC_PRCTL4:
	case TC_PRCTL5:
		return prctl__nr_args((u32)x->args[0]) >= a->cond - TC_PRCTL2 + 2;
	}
	return true;
}

/* --- futex --- */

static void futex_op(struct dctx *x, u32 op)
{
	const struct trace_set *s = SET_OF("futex");
	const char *name = trace_set__name(s, op & FUTEX_CMD_MASK);

	quote(x);
	if (name)
		outbuf__puts(x->ob, short_or_full(x, s, name));
	else
		outbuf__printf(x->ob, "%#x", op & FUTEX_CMD_MASK);
	if (dctx__strace(x) && (op & FUTEX_PRIVATE_FLAG) && name)
		outbuf__puts(x->ob, "_PRIVATE");
	else if (op & FUTEX_PRIVATE_FLAG)
		outbuf__puts(x->ob, dctx__full_names(x) ? "|FUTEX_PRIVATE_FLAG" : "|PRIVATE_FLAG");
	if (op & FUTEX_CLOCK_REALTIME)
		outbuf__puts(x->ob,
			     dctx__full_names(x) ? "|FUTEX_CLOCK_REALTIME" : "|CLOCK_REALTIME");
	quote(x);
}

static void futex_utime(struct dctx *x, int i, const char *type)
{
	u32 cmd = futex_cmd(x);

	if (cmd == FUTEX_REQUEUE || cmd == FUTEX_CMP_REQUEUE || cmd == FUTEX_WAKE_OP ||
	    cmd == FUTEX_CMP_REQUEUE_PI)
		val__dec(x, (u32)x->args[i]); /* val2, a number in the pointer's place */
	else if (usable(x->in[i]))
		val__struct(x, dctx__type(x, type), blob__span(x->in[i]));
	else
		val__ptr(x, x->args[i]);
}

static void futex_wake_op(struct dctx *x, u32 v)
{
	static const char *const ops[] = {"SET", "ADD", "OR", "ANDN", "XOR"};
	static const char *const cmps[] = {"EQ", "NE", "LT", "LE", "GT", "GE"};
	u32 op = v >> 28 & 7, cmp = v >> 24 & 15;

	if (op >= ARRAY_SIZE(ops) || cmp >= ARRAY_SIZE(cmps)) {
		val__hex(x, v);
		return;
	}
	if (!dctx__strace(x)) {
		val__printf(x, "%s%s:%u,%s:%u", v >> 31 ? "SHIFT|" : "", ops[op], v >> 12 & 0xfff,
			    cmps[cmp], v & 0xfff);
		return;
	}
	outbuf__printf(x->ob, "FUTEX_OP_%s<<28|%s%u<<12|FUTEX_OP_CMP_%s<<24|", ops[op],
		       v >> 31 ? "FUTEX_OP_OPARG_SHIFT<<28|" : "", v >> 12 & 0xfff, cmps[cmp]);
	outbuf__printf(x->ob, v & 0xfff ? "%#x" : "%u", v & 0xfff);
}

static void futex_val3(struct dctx *x, int i)
{
	u32 cmd = futex_cmd(x), v = (u32)x->args[i];

	if (cmd == FUTEX_WAKE_OP)
		futex_wake_op(x, v);
	else if (v == FUTEX_BITSET_MATCH_ANY && cmd != FUTEX_CMP_REQUEUE &&
		 cmd != FUTEX_CMP_REQUEUE_PI)
		val__text(x, dctx__full_names(x) ? "FUTEX_BITSET_MATCH_ANY" : "MATCH_ANY");
	else if (cmd == FUTEX_CMP_REQUEUE || cmd == FUTEX_CMP_REQUEUE_PI)
		val__dec(x, v);
	else
		val__hex(x, v);
}

/* --- processes --- */

static void clone_flags(struct dctx *x, u64 v)
{
	u32 sig = v & 0xff;
	const char *name = sig ? trace_signal__name((int)sig) : NULL;
	u64 flags = v & ~0xffULL;

	quote(x);
	if (flags || !sig)
		raw__flags(x, SET_OF("clone"), flags);
	if (sig) {
		if (flags)
			outbuf__putc(x->ob, '|');
		if (name)
			outbuf__puts(x->ob, name);
		else
			outbuf__printf(x->ob, "%#x", sig);
	}
	quote(x);
}

static void wait_status(struct dctx *x, u32 st)
{
	const char *sig;

	quote(x);
	if (WIFEXITED((int)st)) {
		outbuf__printf(x->ob, "{WIFEXITED(s) && WEXITSTATUS(s) == %d}",
			       WEXITSTATUS((int)st));
	} else if (WIFSTOPPED((int)st)) {
		int n = WSTOPSIG((int)st);

		sig = trace_signal__name(n & 0x7f);
		if (sig)
			outbuf__printf(x->ob, "{WIFSTOPPED(s) && WSTOPSIG(s) == %s%s}", sig,
				       n & 0x80 ? " | 0x80" : "");
		else
			outbuf__printf(x->ob, "{WIFSTOPPED(s) && WSTOPSIG(s) == %d}", n);
	} else if (WIFSIGNALED((int)st)) {
		sig = trace_signal__name(WTERMSIG((int)st));
		outbuf__printf(x->ob, "{WIFSIGNALED(s) && WTERMSIG(s) == %s%s}", sig ? sig : "?",
			       WCOREDUMP((int)st) ? " && WCOREDUMP(s)" : "");
	} else if (WIFCONTINUED((int)st)) {
		outbuf__puts(x->ob, "{WIFCONTINUED(s)}");
	} else {
		outbuf__printf(x->ob, "%#x", st);
	}
	quote(x);
}

static void cpuset(struct dctx *x, const struct trace_blob *b)
{
	struct span s = blob__span(b);
	bool first = true;

	outbuf__putc(x->ob, '[');
	for (u32 cpu = 0; cpu < s.len * 8; cpu++) {
		if (!(s.p[cpu / 8] >> (cpu % 8) & 1))
			continue;
		if (!first)
			outbuf__puts(x->ob, dctx__json(x) ? "," : " ");
		first = false;
		val__dec(x, cpu);
	}
	outbuf__putc(x->ob, ']');
}

/* --- fcntl --- */

void val__fcntl_arg(struct dctx *x, int i)
{
	u64 v = x->args[i];
	u32 cmd = (u32)x->args[1];
	const char *type = NULL;

	switch (cmd) {
	case F_DUPFD:
	case F_DUPFD_CLOEXEC:
	case F_SETPIPE_SZ:
		val__sdec(x, (s32)v);
		return;
	case F_SETFD:
		val__flags(x, SET_OF("fd_flag"), (u32)v);
		return;
	case F_SETFL:
		val__flags(x, SET_OF("open"), (u32)v);
		return;
	case F_SETLEASE:
		val__enum(x, SET_OF("lock"), (u32)v, true);
		return;
	case F_SETSIG:
		val__signal(x, (s32)v);
		return;
	case F_SETOWN:
		val__pid(x, (s32)v);
		return;
	case F_NOTIFY:
		val__flags(x, SET_OF("notify"), (u32)v);
		return;
	case F_ADD_SEALS:
		val__flags(x, SET_OF("seal"), (u32)v);
		return;
	case 5:
	case 6:
	case 7:
		type = "flock";
		break;
	case 12:
	case 13:
	case 14:
	case F_OFD_GETLK:
	case F_OFD_SETLK:
	case F_OFD_SETLKW:
		type = x->compat ? "flock64" : "flock";
		break;
	case F_SETOWN_EX:
	case F_GETOWN_EX:
		type = "f_owner_ex";
		break;
	case F_GET_RW_HINT:
	case F_SET_RW_HINT:
	case F_GET_FILE_RW_HINT:
	case F_SET_FILE_RW_HINT:
		if (usable(x->out[i]) || usable(x->in[i])) {
			outbuf__putc(x->ob, '[');
			val__enum(x, SET_OF("rw_hint"),
				  span__get(blob__span(x->out[i] ? x->out[i] : x->in[i]), 0, 8),
				  false);
			outbuf__putc(x->ob, ']');
			return;
		}
	}
	if (type) {
		bool get = cmd == 5 || cmd == 12 || cmd == F_OFD_GETLK || cmd == F_GETOWN_EX;
		const struct trace_blob *b = get ? x->out[i] : x->in[i];
		const struct trace_type *t = dctx__type(x, type);

		if (usable(b) && t && b->len >= t->size) {
			/* who holds the lock is an answer, not a question */
			bool no_pid = !get && dctx__strace(x) && cmd != F_SETOWN_EX;

			val__struct(
				x, t,
				(struct span){blob__data(b), no_pid ? t->fields[4].off : t->size});
			return;
		}
		val__ptr(x, v);
		return;
	}
	val__hex(x, v);
}

/* --- sockets --- */

static void sock_type(struct dctx *x, u32 v)
{
	val__flags(x, SET_OF("sock_type"), v);
}

static void sock_proto(struct dctx *x, u32 v)
{
	switch ((u32)x->args[0]) {
	case AF_INET:
	case AF_INET6:
		val__enum(x, SET_OF("ipproto"), v, false);
		break;
	case AF_NETLINK:
		val__enum(x, SET_OF("netlink"), v, false);
		break;
	case AF_PACKET:
		if (dctx__strace(x)) {
			const char *name = trace_set__name(SET_OF("ethproto"),
							   (u16)(v >> 8 | (v & 0xff) << 8));

			if (name)
				outbuf__printf(x->ob, "htons(%s)", name);
			else
				val__hex(x, v);
			break;
		}
		val__enum(x, SET_OF("ethproto"), (u16)(v >> 8 | (v & 0xff) << 8), false);
		break;
	default:
		val__dec(x, v);
	}
}

static void sock_opt(struct dctx *x, u32 v)
{
	const struct trace_set *s = sockopt__set((u32)x->args[1]);

	if (s)
		val__enum(x, s, v, false);
	else
		val__hex(x, v);
}

static void personality(struct dctx *x, u64 v)
{
	const struct trace_set *per = SET_OF("personality");
	const char *name = trace_set__name(per, v & 0xff);

	if ((u32)v == 0xffffffff) {
		val__text(x, "0xffffffff");
		return;
	}
	quote(x);
	if (name)
		outbuf__puts(x->ob, short_or_full(x, per, name));
	else
		outbuf__printf(x->ob, "%#llx", (unsigned long long)(v & 0xff));
	if (v & ~0xffULL) {
		outbuf__putc(x->ob, '|');
		raw__flags(x, SET_OF("personality_flag"), v & ~0xffULL);
	}
	quote(x);
}

static void quota_cmd(struct dctx *x, u32 v)
{
	const char *cmd = trace_set__name(SET_OF("quota_cmd"), v >> 8);
	const char *type = trace_set__name(SET_OF("quota_type"), v & 0xff);

	if (cmd && type)
		val__printf(x, "QCMD(%s, %s)", cmd, type);
	else
		val__hex(x, v);
}

static void mount_flags(struct dctx *x, u64 v)
{
	if ((v & 0xffff0000) == 0xc0ed0000) { /* the old magic in the upper half */
		v &= 0xffff;
		if (dctx__strace(x))
			outbuf__puts(x->ob, v ? "MS_MGC_VAL|" : "MS_MGC_VAL");
		if (dctx__strace(x) && !v)
			return;
	}
	val__flags(x, SET_OF("mount"), v);
}

static void ioprio(struct dctx *x, u32 v)
{
	const struct trace_set *s = SET_OF("ioprio_class");
	const char *name = trace_set__name(s, v >> 13);

	if (!name)
		val__hex(x, v);
	else
		val__printf(x, "IOPRIO_PRIO_VALUE(%s, %u)", short_or_full(x, s, name), v & 0x1fff);
}

static void seccomp_arg(struct dctx *x, int i)
{
	u32 op = (u32)x->args[0];

	if (op == 1 && usable(x->in[i])) {
		const struct trace_type *t = dctx__type(x, "sock_fprog");

		val__struct(x, t, blob__span(x->in[i]));
	} else if (op == 2 && usable(x->in[i])) {
		outbuf__putc(x->ob, '[');
		val__enum(x, SET_OF("seccomp_action"), span__get(blob__span(x->in[i]), 0, 4),
			  false);
		outbuf__putc(x->ob, ']');
	} else {
		val__ptr(x, x->args[i]);
	}
}

static void nodemask(struct dctx *x, const struct trace_arg *a, int i)
{
	const struct trace_blob *b = a->dir & CAP_EXIT ? x->out[i] : x->in[i];

	if (!usable(b)) {
		val__ptr(x, x->args[i]);
		return;
	}
	outbuf__putc(x->ob, '[');
	if (dctx__json(x))
		outbuf__dec(x->ob, span__get(blob__span(b), 0, 8), 0);
	else
		outbuf__printf(x->ob, "%#018llx",
			       (unsigned long long)span__get(blob__span(b), 0, 8));
	outbuf__putc(x->ob, ']');
}

/* keyctl: keys and keyrings by their special names, descriptions as strings. */
static void keyctl_arg(struct dctx *x, int i)
{
	u32 op = (u32)x->args[0];
	u64 v = x->args[i];
	bool is_key = (i == 1 && op != 1 && op != 14) || (i == 2 && (op == 8 || op == 9));
	bool is_str = (i == 1 && op == 1) || ((i == 2 || i == 3) && op == 10) ||
		      (i == 2 && op == 29) || (i == 3 && op == 29);

	if (is_key)
		val__enum(x, SET_OF("keyring"), (u32)v, true);
	else if (is_str && usable(x->in[i]))
		val__bytes(x, blob__data(x->in[i]), x->in[i]->len, x->in[i]->status == BLOB_CUT,
			   false);
	else
		val__hex(x, v);
}

static void ptrace_data(struct dctx *x, int i)
{
	u32 req = (u32)x->args[0];

	if (req == 0x4200 || req == 0x4206)
		val__flags(x, SET_OF("ptrace_opt"), x->args[i]);
	else if (req == 7 || req == 9 || req == 17 || req == 24 || req == 0x4208)
		val__signal(x, (s64)x->args[i]);
	else if ((req == 0x4201 || req == 1 || req == 2 || req == 3) && usable(x->out[i])) {
		outbuf__putc(x->ob, '[');
		val__hex(x, span__get(blob__span(x->out[i]), 0, 8));
		outbuf__putc(x->ob, ']');
	} else
		val__ptr(x, x->args[i]);
}

static void words(struct dctx *x, int i, u32 nr)
{
	const struct trace_blob *b = x->in[i];

	if (!usable(b)) {
		val__ptr(x, x->args[i]);
		return;
	}
	outbuf__putc(x->ob, '[');
	for (u32 n = 0; n < nr; n++) {
		if (n)
			val__sep(x);
		val__hex(x, span__get(blob__span(b), n * 4, 4));
	}
	outbuf__putc(x->ob, ']');
}

static void old_mmap(struct dctx *x, int i)
{
	const struct trace_blob *b = x->in[i];
	struct span s;

	if (!usable(b) || b->len < 24) {
		val__ptr(x, x->args[i]);
		return;
	}
	s = blob__span(b);
	val__open(x);
	member(x, "addr", true);
	val__ptr(x, span__get(s, 0, 4));
	member(x, "len", false);
	val__dec(x, span__get(s, 4, 4));
	member(x, "prot", false);
	val__flags(x, SET_OF("mmap_prot"), span__get(s, 8, 4));
	member(x, "flags", false);
	val__flags(x, SET_OF("mmap"), span__get(s, 12, 4));
	member(x, "fd", false);
	val__fd(x, (s32)span__get(s, 16, 4));
	member(x, "offset", false);
	val__hex(x, span__get(s, 20, 4));
	val__close(x, false);
}

/* How many words each socketcall has. */
static u32 socketcall_args(u32 call)
{
	static const u8 nr[] = {0, 3, 3, 3, 2, 3, 3, 3, 4, 4, 4, 6, 6, 2, 5, 5, 3, 3, 4, 5, 4};

	return call < ARRAY_SIZE(nr) ? nr[call] : 6;
}

/* The other half of val__special(). */
static void special_by_memory(struct dctx *x, const struct trace_arg *a, int i)
{
	u64 v = x->args[i];

	switch (a->special) {
	case TS_BPF_ATTR:
		if (usable(x->in[i]))
			val__bpf_attr(x, blob__span(x->in[i]));
		else
			val__ptr(x, v);
		break;
	case TS_KEYCTL_ARG:
		keyctl_arg(x, i);
		break;
	case TS_WAIT_STATUS:
		if (!usable(x->out[i]) || (x->has_ret && x->r->ret <= 0)) {
			val__ptr(x, v);
			break;
		}
		outbuf__putc(x->ob, '[');
		wait_status(x, (u32)span__get(blob__span(x->out[i]), 0, 4));
		outbuf__putc(x->ob, ']');
		break;
	case TS_CPUSET: {
		const struct trace_blob *b = a->dir & CAP_EXIT ? x->out[i] : x->in[i];

		if (usable(b))
			cpuset(x, b);
		else
			val__ptr(x, v);
		break;
	}
	case TS_PERSONALITY:
		personality(x, v);
		break;
	case TS_MKNOD_DEV:
		val__dev(x, (u32)v);
		break;
	case TS_QUOTACTL_CMD:
		quota_cmd(x, (u32)v);
		break;
	case TS_SECCOMP_ARG:
		seccomp_arg(x, i);
		break;
	case TS_MOUNT_FLAGS:
		mount_flags(x, v);
		break;
	case TS_REBOOT_MAGIC:
		val__enum(x, SET_OF("reboot_magic"), (u32)v, false);
		break;
	case TS_IOPRIO:
		ioprio(x, (u32)v);
		break;
	case TS_OLD_MMAP:
		old_mmap(x, i);
		break;
	case TS_SOCKETCALL:
		words(x, i, socketcall_args((u32)x->args[0]));
		break;
	case TS_NODEMASK:
		nodemask(x, a, i);
		break;
	default:
		val__hex(x, v);
	}
}

void val__special(struct dctx *x, const struct trace_arg *a, int i)
{
	u64 v = x->args[i];

	switch (a->special) {
	case TS_IOCTL_CMD:
		val__ioctl_cmd(x, (u32)v);
		break;
	case TS_IOCTL_ARG:
		val__ioctl_arg(x, (u32)x->args[1], i);
		break;
	case TS_FCNTL_ARG:
		val__fcntl_arg(x, i);
		break;
	case TS_FUTEX_OP:
		futex_op(x, (u32)v);
		break;
	case TS_FUTEX_UTIME:
		futex_utime(x, i, "timespec");
		break;
	case TS_FUTEX_UTIME64:
		futex_utime(x, i, "timespec64");
		break;
	case TS_FUTEX_VAL3:
		futex_val3(x, i);
		break;
	case TS_PRCTL_ARG:
		val__prctl_arg(x, i);
		break;
	case TS_ARCH_PRCTL:
		if (((u32)x->args[0] == 0x1003 || (u32)x->args[0] == 0x1004) && usable(x->out[i])) {
			outbuf__putc(x->ob, '[');
			val__hex(x, span__get(blob__span(x->out[i]), 0, 8));
			outbuf__putc(x->ob, ']');
		} else {
			val__hex(x, v);
		}
		break;
	case TS_CLONE_FLAGS:
		clone_flags(x, v);
		break;
	case TS_SOCK_TYPE:
		sock_type(x, (u32)v);
		break;
	case TS_SOCK_PROTO:
		sock_proto(x, (u32)v);
		break;
	case TS_SOCK_OPT:
		sock_opt(x, (u32)v);
		break;
	case TS_SOCK_VAL:
		val__sockopt(x, a, i);
		break;
	case TS_PTRACE:
		ptrace_data(x, i);
		break;
	default:
		special_by_memory(x, a, i);
	}
}
