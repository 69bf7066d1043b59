// SPDX-License-Identifier: GPL-2.0-only
/* Compiles the call table from its data files; look-ups. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "trace/tables.h"
#include "trace/type.h"

#define MAX_NR 1024
#define X32_BIT 0x40000000

struct trace_table {
	struct trace_types *types;
	struct trace_call *calls;
	u32 nr_calls, max_calls;
	struct trace_call *by_nr[2][MAX_NR]; /* x32 shares the 64-bit numbers */
	int max_nr[2];
};

#ifdef __aarch64__
#define numbers_native trace_numbers_arm64
#else
#define numbers_native trace_numbers_x86_64
#endif

/* What the kernel's tables call by another name than strace or libc. */
static const char *const aliases[][2] = {
	{"umount", "umount2"},
	{"fstatat", "newfstatat"},
	{"fstatat64", "newfstatat"},
	{"newstat", "stat"},
	{"newlstat", "lstat"},
	{"newfstat", "fstat"},
	{"newuname", "uname"},
	{"sendfile64", "sendfile"},
	{"pread", "pread64"},
	{"pwrite", "pwrite64"},
	{"prlimit", "prlimit64"},
	{"fadvise", "fadvise64"},
	{"sigreturn", "rt_sigreturn"},
	{"sigaction", "rt_sigaction"},
	{"sigprocmask", "rt_sigprocmask"},
	{"eventfd2", "eventfd"},
	{"signalfd4", "signalfd"},
};

struct word {
	const char *s;
	u32 len;
};

static bool word_is(struct word w, const char *s)
{
	return strlen(s) == w.len && !memcmp(w.s, s, w.len);
}

static const struct {
	const char *word;
	u8 kind;
} arg_kinds[] = {
	{"int", TK_INT},    {"uint", TK_UINT},	{"long", TK_LONG},    {"ulong", TK_ULONG},
	{"hex", TK_HEX},    {"oct", TK_OCT},	{"ptr", TK_PTR},      {"fd", TK_FD},
	{"dfd", TK_DFD},    {"pid", TK_PID},	{"uid", TK_UID},      {"sig", TK_SIGNAL},
	{"mode", TK_MODE},  {"dev", TK_DEV},	{"path", TK_PATH},    {"str", TK_STR},
	{"buf", TK_BUF},    {"s", TK_STRUCT},	{"a", TK_ARRAY},      {"iov", TK_IOVEC},
	{"iovp", TK_ARRAY}, {"msg", TK_MSGHDR}, {"mmsg", TK_MMSGHDR}, {"sa", TK_SOCKADDR},
	{"argv", TK_ARGV},  {"envp", TK_ENVP},	{"fds", TK_FDSET},    {"unused", TK_UNUSED},
	{"high", TK_HIGH},  {"f", TK_FLAGS},	{"F", TK_FLAGS},      {"e", TK_ENUM},
	{"x", TK_SPECIAL},
};

static const struct {
	const char *word;
	u8 special;
} specials[] = {
	{"ioctl_cmd", TS_IOCTL_CMD},
	{"ioctl_arg", TS_IOCTL_ARG},
	{"fcntl_arg", TS_FCNTL_ARG},
	{"futex_op", TS_FUTEX_OP},
	{"futex_utime", TS_FUTEX_UTIME},
	{"futex_utime64", TS_FUTEX_UTIME64},
	{"futex_val3", TS_FUTEX_VAL3},
	{"prctl_arg", TS_PRCTL_ARG},
	{"arch_prctl", TS_ARCH_PRCTL},
	{"clone_flags", TS_CLONE_FLAGS},
	{"sock_type", TS_SOCK_TYPE},
	{"sock_proto", TS_SOCK_PROTO},
	{"sock_opt", TS_SOCK_OPT},
	{"sock_val", TS_SOCK_VAL},
	{"ptrace", TS_PTRACE},
	{"bpf_attr", TS_BPF_ATTR},
	{"keyctl", TS_KEYCTL_ARG},
	{"wait_status", TS_WAIT_STATUS},
	{"cpuset", TS_CPUSET},
	{"personality", TS_PERSONALITY},
	{"mknod_dev", TS_MKNOD_DEV},
	{"quotactl_cmd", TS_QUOTACTL_CMD},
	{"seccomp_arg", TS_SECCOMP_ARG},
	{"mount_flags", TS_MOUNT_FLAGS},
	{"reboot_magic", TS_REBOOT_MAGIC},
	{"ioprio", TS_IOPRIO},
	{"old_mmap", TS_OLD_MMAP},
	{"socketcall", TS_SOCKETCALL},
	{"nodemask", TS_NODEMASK},
};

static const struct {
	const char *word;
	u8 cond;
} conds[] = {
	{"creat", TC_CREAT},
	{"creat2", TC_CREAT2},
	{"filemap", TC_FILEMAP},
	{"fixed", TC_FIXED},
	{"ptid", TC_PTID},
	{"ctid", TC_CTID},
	{"tls", TC_TLS},
	{"futex_utime", TC_FUTEX_UTIME},
	{"futex_uaddr2", TC_FUTEX_UADDR2},
	{"futex_val3", TC_FUTEX_VAL3},
	{"futex_val", TC_FUTEX_VAL},
	{"fcntl_arg", TC_FCNTL_ARG},
	{"prctl2", TC_PRCTL2},
	{"prctl3", TC_PRCTL3},
	{"prctl4", TC_PRCTL4},
	{"prctl5", TC_PRCTL5},
	{"device", TC_DEVICE},
	{"cpu_flag", TC_CPU_FLAG},
	{"ioctl_arg", TC_IOCTL_ARG},
	{"keyctl", TC_KEYCTL},
	{"ptrace", TC_PTRACE},
	{"restart2", TC_RESTART2},
};

static const struct {
	const char *word;
	u32 group;
	u16 action;
	u8 ret;
} traits[] = {
	{"file", TG_FILE, 0, 0},
	{"desc", TG_DESC, 0, 0},
	{"network", TG_NETWORK, 0, 0},
	{"process", TG_PROCESS, 0, 0},
	{"memory", TG_MEMORY, 0, 0},
	{"signal", TG_SIGNAL, 0, 0},
	{"ipc", TG_IPC, 0, 0},
	{"clock", TG_CLOCK, 0, 0},
	{"creds", TG_CREDS, 0, 0},
	{"stat", TG_STAT_KIN, 0, 0},
	{"stat0", TG_STAT | TG_STAT_KIN, 0, 0},
	{"pure", TG_PURE, 0, 0},
	{"fd", 0, 0, TR_RET_FD},
	{"hex", 0, 0, TR_RET_HEX},
	{"pid", 0, 0, TR_RET_PID},
	{"poll", 0, 0, TR_RET_POLL},
	{"mode", 0, 0, TR_RET_MODE},
	{"none", 0, 0, TR_RET_NONE},
	{"a.open", 0, FDA_OPEN, 0},
	{"a.close", 0, FDA_CLOSE, 0},
	{"a.dup", 0, FDA_DUP, 0},
	{"a.dup2", 0, FDA_DUP2, 0},
	{"a.close_range", 0, FDA_CLOSE_RANGE, 0},
	{"a.socket", 0, FDA_SOCKET, 0},
	{"a.accept", 0, FDA_ACCEPT, 0},
	{"a.pipe", 0, FDA_PIPE, 0},
	{"a.socketpair", 0, FDA_SOCKETPAIR, 0},
	{"a.anon", 0, FDA_ANON, 0},
	{"a.fork", 0, FDA_FORK, 0},
	{"a.exec", 0, FDA_EXEC, 0},
	{"a.exit", 0, FDA_EXIT, 0},
	{"a.chdir", 0, FDA_CHDIR, 0},
	{"a.fchdir", 0, FDA_FCHDIR, 0},
	{"a.fcntl", 0, FDA_FCNTL, 0},
	{"a.bind", 0, FDA_BIND, 0},
	{"a.prctl", 0, FDA_PRCTL, 0},
	{"a.mq", 0, FDA_ANON, 0},
};

/* Directions: "<" in, ">" out, "<>" both. Then where the length is: N, *N, r, "" (struct), "=K". */
static int parse_length(struct trace_arg *a, struct word w)
{
	if (w.len && w.s[0] == '=') {
		a->len_from = LEN_CONST;
		a->len_arg = (u8)atoi(w.s + 1);
	} else if (w.len && w.s[0] == '*') {
		a->len_from = LEN_DEREF;
		a->len_arg = (u8)(w.s[1] - '0');
	} else if (w.len == 1 && w.s[0] == 'r') {
		a->len_from = LEN_RET;
	} else if (w.len == 1 && isdigit((unsigned char)w.s[0])) {
		a->len_from = LEN_ARG;
		a->len_arg = (u8)(w.s[0] - '0');
	} else {
		return w.len ? -EINVAL : 0;
	}
	return 0;
}

static int parse_memory(const struct trace_table *t, struct trace_arg *a, struct word kind,
			struct word w, bool compat)
{
	struct word name = w;
	const char *sep;

	if (word_is(kind, "iovp")) {
		a->type = trace_types__find(t->types, "iovec", 5, compat);
		a->size = a->type->size;
		return parse_length(a, w);
	}
	if (a->kind != TK_STRUCT && a->kind != TK_ARRAY)
		return parse_length(a, w);
	sep = memchr(w.s, a->kind == TK_STRUCT ? '/' : '#', w.len);
	if (sep) {
		name.len = (u32)(sep - w.s);
		w = (struct word){sep + 1, w.len - name.len - 1};
	} else {
		w.len = 0;
	}
	a->type = trace_types__find(t->types, name.s, name.len, compat);
	if (a->type) {
		a->size = a->type->size;
	} else if (a->kind == TK_STRUCT) {
		/* Known to the kernel's BTF alone: the address is all that is kept. */
		a->kind = TK_PTR;
		a->dir = 0;
		return 0;
	} else {
		return -EINVAL;
	}
	return parse_length(a, w);
}

/* The kind's first word, up to '.', '<' or '>'. */
static int parse_kind(const struct trace_table *t, struct trace_arg *a, const char *s, u32 len,
		      bool compat)
{
	u32 n = 0;
	struct word kind, rest;

	while (n < len && !strchr(".<>", s[n]))
		n++;
	kind = (struct word){s, n};
	for (u32 i = 0;; i++) {
		if (i == ARRAY_SIZE(arg_kinds))
			return -EINVAL;
		if (word_is(kind, arg_kinds[i].word)) {
			a->kind = arg_kinds[i].kind;
			break;
		}
	}
	if (word_is(kind, "F"))
		a->size = 8;
	rest = (struct word){s + n, len - n};
	if (rest.len && rest.s[0] == '.') {
		u32 m = 1;

		while (m < rest.len && !strchr("<>", rest.s[m]))
			m++;
		if (a->kind == TK_SPECIAL) {
			a->special = TS_NR;
			for (u32 i = 0; i < ARRAY_SIZE(specials); i++) {
				if (word_is((struct word){rest.s + 1, m - 1}, specials[i].word))
					a->special = specials[i].special;
			}
			if (a->special == TS_NR)
				return -EINVAL;
		} else {
			a->set = trace_set__find(rest.s + 1, m - 1);
			if (!a->set)
				return -EINVAL;
		}
		rest.s += m;
		rest.len -= m;
	}
	if (rest.len && rest.s[0] == '<') {
		a->dir |= CAP_ENTRY;
		rest.s++, rest.len--;
	}
	if (rest.len && rest.s[0] == '>') {
		a->dir |= CAP_EXIT;
		rest.s++, rest.len--;
	}
	if (a->kind == TK_PATH || a->kind == TK_ARGV || a->kind == TK_ENVP)
		a->dir = CAP_ENTRY;
	if (a->kind == TK_STR && !(a->dir & (CAP_ENTRY | CAP_EXIT)))
		a->dir |= CAP_ENTRY;
	return a->dir ? parse_memory(t, a, kind, rest, compat) : 0;
}

static int parse_arg(const struct trace_table *t, struct trace_arg *a, const char *s, u32 len,
		     bool compat)
{
	const char *colon = memchr(s, ':', len), *q;

	if (!colon)
		return -EINVAL;
	*a = (struct trace_arg){.name = s, .name_len = (u8)(colon - s)};
	len -= (u32)(colon + 1 - s);
	s = colon + 1;
	q = memchr(s, '?', len);
	if (q) {
		struct word w = {q + 1, len - (u32)(q + 1 - s)};

		for (u32 i = 0; i < ARRAY_SIZE(conds); i++) {
			if (word_is(w, conds[i].word))
				a->cond = conds[i].cond;
		}
		if (!a->cond)
			return -EINVAL;
		len = (u32)(q - s);
	}
	for (; len && strchr("!~+#", s[len - 1]); len--) {
		if (s[len - 1] == '!')
			a->show_zero = true;
		else if (s[len - 1] == '#')
			a->strace_hex = true;
		else
			a->dir |= s[len - 1] == '~' ? CAP_OPTIONAL : CAP_ON_ERROR;
	}
	return parse_kind(t, a, s, len, compat);
}

static int parse_call(struct trace_table *t, struct trace_call *c, const struct trace_spec *spec,
		      bool compat, struct errbuf *eb)
{
	const char *s;

	*c = (struct trace_call){
		.name = spec->name, .name_len = (u8)strlen(spec->name), .id = (u16)(c - t->calls)};
	for (s = spec->traits; *s;) {
		struct word w = {s, (u32)strcspn(s, " ")};
		u32 i;

		for (i = 0; i < ARRAY_SIZE(traits) && !word_is(w, traits[i].word); i++)
			;
		if (i == ARRAY_SIZE(traits))
			return errbuf__set(eb, -EINVAL, "call table: %s: unknown trait '%.*s'",
					   spec->name, (int)w.len, w.s);
		c->groups |= traits[i].group;
		c->action |= traits[i].action;
		c->ret |= traits[i].ret;
		s += w.len;
		s += *s == ' ';
	}
	if (c->ret == TR_RET_NONE)
		c->flags |= TRACE_ROW_NORETURN;
	for (s = spec->args; *s;) {
		u32 len = (u32)strcspn(s, " ");

		if (c->nr_args == TRACE_NR_ARGS ||
		    parse_arg(t, &c->args[c->nr_args], s, len, compat))
			return errbuf__set(eb, -EINVAL, "call table: %s: cannot parse '%.*s'",
					   spec->name, (int)len, s);
		c->nr_args++;
		s += len;
		s += *s == ' ';
	}
	return 0;
}

/* The specs of one ABI by name: open addressing, for the while of building the table. */
#define SPEC_SLOTS 2048

struct spec_index {
	const struct trace_spec *slot[SPEC_SLOTS];
};

static const struct trace_spec **spec_slot(struct spec_index *x, const char *name)
{
	u32 h = 2166136261u;

	for (const char *p = name; *p; p++)
		h = (h ^ (u8)*p) * 16777619u;
	for (;; h++) {
		const struct trace_spec **s = &x->slot[h & (SPEC_SLOTS - 1)];

		if (!*s || !strcmp((*s)->name, name))
			return s;
	}
}

/* The first of a name counts: a 32-bit call has a spec of its own or the common one. */
static void index_specs(struct spec_index *x, bool compat)
{
	static const struct trace_spec_list *const lists[] = {&trace_specs_i386, &trace_specs_file,
							      &trace_specs_task, &trace_specs_net,
							      &trace_specs_misc};

	memset(x, 0, sizeof(*x));
	for (u32 l = compat ? 0 : 1; l < ARRAY_SIZE(lists); l++) {
		for (u32 i = 0; i < lists[l]->nr; i++) {
			const struct trace_spec **s = spec_slot(x, lists[l]->spec[i].name);

			if (!*s)
				*s = &lists[l]->spec[i];
		}
	}
}

static int fill_abi(struct trace_table *t, int abi, const struct trace_number_list *l,
		    struct errbuf *eb)
{
	struct spec_index specs;

	index_specs(&specs, abi == TRACE_ABI_32);
	for (u32 i = 0; i < l->count; i++) {
		const struct trace_spec *spec = *spec_slot(&specs, l->nr[i].name);
		struct trace_call *c = &t->calls[t->nr_calls];
		struct trace_spec plain = {l->nr[i].name, "",
					   "arg1:hex arg2:hex arg3:hex arg4:hex arg5:hex arg6:hex"};

		if (l->nr[i].nr >= MAX_NR || t->nr_calls == t->max_calls)
			return errbuf__set(eb, -EINVAL, "call table: %s: number %u out of range",
					   l->nr[i].name, l->nr[i].nr);
		if (parse_call(t, c, spec ? spec : &plain, abi == TRACE_ABI_32, eb))
			return -EINVAL;
		t->nr_calls++;
		t->by_nr[abi][l->nr[i].nr] = c;
		if (l->nr[i].nr >= t->max_nr[abi])
			t->max_nr[abi] = l->nr[i].nr + 1;
	}
	return 0;
}

struct trace_table *trace_table__new(struct errbuf *eb)
{
	struct trace_table *t = calloc(1, sizeof(*t));
	int err = -ENOMEM;

	if (!t)
		goto fail;
	t->types = trace_types__new(eb);
	if (!t->types) {
		err = -errno;
		goto fail;
	}
	t->max_calls = numbers_native.count + trace_numbers_i386.count;
	t->calls = calloc(t->max_calls, sizeof(*t->calls));
	if (!t->calls)
		goto fail;
	err = fill_abi(t, TRACE_ABI_64, &numbers_native, eb);
#ifdef __x86_64__
	if (!err)
		err = fill_abi(t, TRACE_ABI_32, &trace_numbers_i386, eb);
#endif
	if (!err)
		return t;
fail:
	if (err == -ENOMEM)
		errbuf__set(eb, err, "call table: out of memory");
	trace_table__delete(t);
	errno = -err;
	return NULL;
}

void trace_table__delete(struct trace_table *t)
{
	if (!t)
		return;
	trace_types__delete(t->types);
	free(t->calls);
	free(t);
}

const struct trace_types *trace_table__types(const struct trace_table *t)
{
	return t->types;
}

const struct trace_call *trace_table__lookup(const struct trace_table *t, int abi, int nr)
{
	if (abi == TRACE_ABI_X32) {
		abi = TRACE_ABI_64;
		nr &= ~X32_BIT;
	}
	if (abi < 0 || abi > 1 || nr < 0 || nr >= MAX_NR)
		return NULL;
	return t->by_nr[abi][nr];
}

int trace_table__nr(const struct trace_table *t, int abi)
{
	return t->max_nr[abi == TRACE_ABI_32];
}

static int number_exact(const struct trace_table *t, int abi, const char *name)
{
	for (int nr = 0; nr < trace_table__nr(t, abi); nr++) {
		const struct trace_call *c = trace_table__lookup(t, abi, nr);

		if (c && !strcmp(c->name, name))
			return nr;
	}
	return -1;
}

int trace_table__number(const struct trace_table *t, int abi, const char *name)
{
	int nr = number_exact(t, abi, name);

	for (u32 i = 0; nr < 0 && i < ARRAY_SIZE(aliases); i++) {
		if (!strcmp(aliases[i][0], name))
			nr = number_exact(t, abi, aliases[i][1]);
		else if (!strcmp(aliases[i][1], name))
			nr = number_exact(t, abi, aliases[i][0]);
	}
	return nr;
}
