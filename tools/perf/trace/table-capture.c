// SPDX-License-Identifier: GPL-2.0-only
/* What an engine has to read for a call: derived from the kinds of its arguments. */
#include <errno.h>
#include <string.h>

#include "trace/tables.h"
#include "trace/type.h"

static void add(struct trace_capture_row *row, int arg, u8 kind, u8 when, u8 from, u8 len_arg,
		u32 size)
{
	if (row->nr == TRACE_MAX_CAPTURES)
		return;
	row->cap[row->nr++] = (struct trace_capture){.arg = (u8)arg,
						     .kind = kind,
						     .when = when,
						     .len_from = from,
						     .len_arg = len_arg,
						     .size = (u16)min_t(u32, size, 0xffff)};
}

/* Arguments decoded by a function of their own: what may lie behind them. */
static void add_special(struct trace_capture_row *row, int i, const struct trace_arg *a,
			bool compat, u32 limit)
{
	const u8 both = CAP_ENTRY | CAP_EXIT | CAP_OPTIONAL;

	switch (a->special) {
	case TS_IOCTL_ARG:
		add(row, i, CAP_STRUCT, both, LEN_CONST, 0, 64);
		break;
	case TS_FCNTL_ARG:
		add(row, i, CAP_STRUCT, both, LEN_CONST, 0, 32);
		break;
	case TS_FUTEX_UTIME:
		add(row, i, CAP_STRUCT, CAP_ENTRY | CAP_OPTIONAL, LEN_CONST, 0, compat ? 8 : 16);
		break;
	case TS_FUTEX_UTIME64:
		add(row, i, CAP_STRUCT, CAP_ENTRY | CAP_OPTIONAL, LEN_CONST, 0, 16);
		break;
	case TS_PRCTL_ARG:
		if (i == 1)
			add(row, i, CAP_STRUCT, both, LEN_CONST, 0, 16);
		else if (i == 4)
			add(row, i, CAP_STRING, CAP_ENTRY | CAP_OPTIONAL, LEN_CONST, 0, 80);
		break;
	case TS_ARCH_PRCTL:
		add(row, i, CAP_STRUCT, CAP_EXIT | CAP_OPTIONAL, LEN_CONST, 0, 8);
		break;
	case TS_SOCK_VAL:
		add(row, i, CAP_BUFFER, a->dir, a->len_from, a->len_arg, max_t(u32, limit, 256));
		break;
	case TS_PTRACE:
		add(row, i, CAP_STRUCT, CAP_EXIT | CAP_OPTIONAL, LEN_CONST, 0, 8);
		break;
	case TS_BPF_ATTR:
		add(row, i, CAP_ARRAY, CAP_ENTRY, LEN_ARG, a->len_arg, 1);
		break;
	case TS_KEYCTL_ARG:
		if (i < 4)
			add(row, i, CAP_STRING, CAP_ENTRY | CAP_OPTIONAL, LEN_CONST, 0, limit);
		break;
	case TS_WAIT_STATUS:
		add(row, i, CAP_STRUCT, CAP_EXIT, LEN_CONST, 0, 4);
		break;
	case TS_CPUSET:
		add(row, i, CAP_ARRAY, a->dir, a->len_from, a->len_arg, 1);
		break;
	case TS_NODEMASK:
		add(row, i, CAP_STRUCT, a->dir | CAP_OPTIONAL, LEN_CONST, 0, 8);
		break;
	case TS_SECCOMP_ARG:
		add(row, i, CAP_STRUCT, CAP_ENTRY | CAP_OPTIONAL, LEN_CONST, 0, compat ? 8 : 16);
		break;
	case TS_OLD_MMAP:
	case TS_SOCKETCALL:
		add(row, i, CAP_STRUCT, CAP_ENTRY | CAP_OPTIONAL, LEN_CONST, 0, 24);
		break;
	}
}

static void add_arg(struct trace_capture_row *row, int i, const struct trace_arg *a, bool compat,
		    u32 limit)
{
	u8 when = a->dir;

	switch (a->kind) {
	case TK_PATH:
		add(row, i, CAP_STRING, when, LEN_CONST, 0, TRACE_PATH_MAX);
		break;
	case TK_STR:
		add(row, i, CAP_STRING, when, LEN_CONST, 0,
		    when & CAP_EXIT ? TRACE_PATH_MAX : max_t(u32, limit, 256));
		break;
	case TK_BUF:
		add(row, i, CAP_BUFFER, when, a->len_from, a->len_arg, limit);
		break;
	case TK_STRUCT:
		if (a->len_from == LEN_ARG)
			add(row, i, CAP_ARRAY, when, LEN_ARG, a->len_arg, 1);
		else
			add(row, i, CAP_STRUCT, when, LEN_CONST, 0, a->size);
		break;
	case TK_ARRAY:
		if (a->len_from == LEN_CONST)
			add(row, i, CAP_STRUCT, when, LEN_CONST, 0, (u32)a->size * a->len_arg);
		else
			add(row, i, CAP_ARRAY, when, a->len_from, a->len_arg, a->size);
		break;
	case TK_IOVEC:
		add(row, i, CAP_IOVEC, when, a->len_from, a->len_arg, limit);
		break;
	case TK_MSGHDR:
		add(row, i, CAP_MSGHDR, when, LEN_CONST, 0, limit);
		break;
	case TK_MMSGHDR:
		add(row, i, CAP_MMSGHDR, when, a->len_from, a->len_arg, limit);
		break;
	case TK_SOCKADDR:
		add(row, i, CAP_SOCKADDR, when, a->len_from, a->len_arg, 128);
		break;
	case TK_ARGV:
	case TK_ENVP:
		/* one byte more than is shown tells whether a string goes on */
		add(row, i, CAP_ARGV, when, LEN_CONST, 0, max_t(u32, limit + 1, 256));
		break;
	case TK_FDSET:
		add(row, i, CAP_FDSET, when, LEN_ARG, a->len_arg, 0);
		break;
	case TK_SPECIAL:
		add_special(row, i, a, compat, limit);
		break;
	}
}

int trace_table__capture_row(const struct trace_table *t, int abi, int nr, u32 string_limit,
			     struct trace_capture_row *row)
{
	const struct trace_call *c = trace_table__lookup(t, abi, nr);

	memset(row, 0, sizeof(*row));
	if (!c)
		return -ENOENT;
	row->flags = c->flags;
	for (int i = 0; i < c->nr_args; i++)
		add_arg(row, i, &c->args[i], abi == TRACE_ABI_32, string_limit);
	return 0;
}
