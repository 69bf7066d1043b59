// SPDX-License-Identifier: GPL-2.0-only
/* ioctl: the request's name, and what its argument points to. */
#include <linux/ioctl.h>

#include "trace/decode-int.h"

/* Arguments by request. dir: what the request does with the memory. */
static const struct {
	u32 cmd;
	u8 dir;
	const char *type;
} arg_types[] = {
	{0x5401 /* TCGETS */, CAP_EXIT, "termios"},
	{0x5402, CAP_ENTRY, "termios"},
	{0x5403, CAP_ENTRY, "termios"},
	{0x5404, CAP_ENTRY, "termios"},
	{0x540f /* TIOCGPGRP */, CAP_EXIT, "int"},
	{0x5410 /* TIOCSPGRP */, CAP_ENTRY, "int"},
	{0x5411 /* TIOCOUTQ */, CAP_EXIT, "int"},
	{0x5413 /* TIOCGWINSZ */, CAP_EXIT, "winsize"},
	{0x5414 /* TIOCSWINSZ */, CAP_ENTRY, "winsize"},
	{0x541b /* FIONREAD */, CAP_EXIT, "int"},
	{0x5421 /* FIONBIO */, CAP_ENTRY, "int"},
	{0x5429 /* TIOCGSID */, CAP_EXIT, "int"},
	{0x5452 /* FIOASYNC */, CAP_ENTRY, "int"},
	{0x5415 /* TIOCMGET */, CAP_EXIT, "hex"},
	{0x1260 /* BLKGETSIZE */, CAP_EXIT, "ulong"},
	{0x1268 /* BLKSSZGET */, CAP_EXIT, "int"},
	{0x80081272 /* BLKGETSIZE64 */, CAP_EXIT, "u64x"},
	{0x80045430 /* TIOCGPTN */, CAP_EXIT, "uint"},
	{0x40045431 /* TIOCSPTLCK */, CAP_ENTRY, "int"},
	{0x80247009 /* RTC_RD_TIME */, CAP_EXIT, "rtc_time"},
	{0x8913 /* SIOCGIFFLAGS */, CAP_ENTRY, "ifname"},
	{0x8914, CAP_ENTRY, "ifname"},
	{0x8915 /* SIOCGIFADDR */, CAP_ENTRY, "ifname"},
	{0x891b, CAP_ENTRY, "ifname"},
	{0x8919, CAP_ENTRY, "ifname"},
	{0x8921 /* SIOCGIFMTU */, CAP_ENTRY, "ifname"},
	{0x8922, CAP_ENTRY, "ifname"},
	{0x8927 /* SIOCGIFHWADDR */, CAP_ENTRY, "ifname"},
	{0x8933 /* SIOCGIFINDEX */, CAP_ENTRY, "ifname"},
	{0x8946 /* SIOCETHTOOL */, CAP_ENTRY, "ifname"},
	{0x8942, CAP_ENTRY, "ifname"},
	{0x8910 /* SIOCGIFNAME */, CAP_EXIT, "ifname"},
	{0x400454ca /* TUNSETIFF */, CAP_ENTRY, "ifname"},
	{0x80086601 /* FS_IOC_GETFLAGS */, CAP_EXIT, "hex"},
	{0x40086602 /* FS_IOC_SETFLAGS */, CAP_ENTRY, "hex"},
	{0x80045432, CAP_EXIT, "int"},
	{0x802c542a /* TCGETS2 */, CAP_EXIT, "termios2"},
	{0x402c542b, CAP_ENTRY, "termios2"},
	{0x402c542c, CAP_ENTRY, "termios2"},
	{0x402c542d, CAP_ENTRY, "termios2"},
	{0x5424 /* TIOCGETD */, CAP_EXIT, "int"},
	{0x5423 /* TIOCSETD */, CAP_ENTRY, "int"},
	{0x4004667e, CAP_ENTRY, "int"},
};

/* Requests whose argument is a number, not a pointer. */
static const u32 number_args[] = {
	0x540e /* TIOCSCTTY */,
	0x5409 /* TCSBRK */,
	0x540a /* TCXONC */,
	0x540b /* TCFLSH */,
	0x5425 /* TCSBRKP */,

	0x5451 /* FIOCLEX */,
	0x40049409 /* FICLONE */,
	0x40042408 /* PERF_EVENT_IOC_SET_BPF */,
	0x2400,
	0x2401,
	0x2402,
	0x2403,
	0x2405,
	0xae80,
	0xae01,
	0xae03,
	0x4c00 /* LOOP_SET_FD */,
	0x4c01,
	0x4c82 /* LOOP_CTL_GET_FREE */,
	0x5422 /* TIOCNOTTY */,
	0x125f /* BLKRRPART */,
	0x40042409,
};

/* Requests that ignore it. */
bool ioctl__has_arg(u32 cmd)
{
	return cmd != 0x5450 && cmd != 0x5451 /* FIONCLEX, FIOCLEX */ && cmd != 0x540c &&
	       cmd != 0x540d /* TIOCEXCL, TIOCNXCL */ && cmd != 0x5422 /* TIOCNOTTY */;
}

static const char *ioctl_name(u32 cmd)
{
	u32 lo = 0, hi = trace_ioctls.nr;

	while (lo < hi) {
		u32 mid = (lo + hi) / 2;

		if (trace_ioctls.ioctl[mid].cmd < cmd)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < trace_ioctls.nr && trace_ioctls.ioctl[lo].cmd == cmd
		       ? trace_ioctls.ioctl[lo].name
		       : NULL;
}

void val__ioctl_cmd(struct dctx *x, u32 cmd)
{
	static const char *const dirs[] = {"_IOC_NONE", "_IOC_WRITE", "_IOC_READ",
					   "_IOC_READ|_IOC_WRITE"};
	const char *name = ioctl_name(cmd);

	if (!name && (cmd & 0xc000ffff) == 0x80004506) /* EVIOCGNAME and others with a length */
		val__printf(x, "EVIOCGNAME(%u)", _IOC_SIZE(cmd));
	else if (name)
		val__text(x, name);
	else
		val__printf(x, "_IOC(%s, %#x, %#x, %#x)", dirs[_IOC_DIR(cmd)], _IOC_TYPE(cmd),
			    _IOC_NR(cmd), _IOC_SIZE(cmd));
}

/* termios as strace abbreviates it: speed and the most telling flags. */
static void termios_brief(struct dctx *x, struct span s)
{
	u32 cflag = (u32)span__get(s, 8, 4), lflag = (u32)span__get(s, 12, 4);
	u32 oflag = (u32)span__get(s, 4, 4);
	const char *speed = trace_set__name(SET_OF("cflag"), cflag & 010017);

	outbuf__printf(x->ob, "{%s %sopost %sisig %sicanon %secho ...}", speed ? speed : "B0",
		       oflag & 1 ? "" : "-", lflag & 1 ? "" : "-", lflag & 2 ? "" : "-",
		       lflag & 010 ? "" : "-");
}

static void typed(struct dctx *x, const char *name, struct span s)
{
	const struct trace_type *t;

	if (!strcmp(name, "ifname")) {
		val__open(x);
		val__field(x, "ifr_name", 8, true);
		val__bytes(x, s.p, (u32)strnlen((const char *)s.p, min_t(u32, 16, s.len)), false,
			   false);
		val__close(x, true);
		return;
	}
	t = dctx__type(x, name);
	if (!t || t->size > s.len) {
		val__bytes(x, s.p, s.len, false, false);
		return;
	}
	if (dctx__strace(x) && !strncmp(name, "termios", 7)) {
		termios_brief(x, s);
	} else if (t->scalar && !dctx__json(x)) {
		outbuf__putc(x->ob, '[');
		val__struct(x, t, s);
		outbuf__putc(x->ob, ']');
	} else {
		val__struct(x, t, (struct span){s.p, t->size});
	}
}

static bool usable(const struct trace_blob *b)
{
	return b && (b->status == BLOB_OK || b->status == BLOB_CUT) && b->len;
}

void val__ioctl_arg(struct dctx *x, u32 cmd, int i)
{
	const struct trace_blob *in = x->in[i], *out = x->out[i];

	for (u32 n = 0; n < ARRAY_SIZE(number_args); n++) {
		if (number_args[n] == cmd) {
			val__hex(x, x->args[i]);
			return;
		}
	}
	for (u32 n = 0; n < ARRAY_SIZE(arg_types); n++) {
		const struct trace_blob *b = arg_types[n].dir == CAP_EXIT ? out : in;

		if (arg_types[n].cmd != cmd)
			continue;
		if (usable(b))
			typed(x, arg_types[n].type, blob__span(b));
		else
			val__ptr(x, x->args[i]);
		return;
	}
	if (_IOC_DIR(cmd) == _IOC_NONE || !x->args[i]) {
		val__hex(x, x->args[i]);
		return;
	}
	/* An int in or out can be told from the request itself; the rest stays an address. */
	if (_IOC_SIZE(cmd) == 4 && cmd > 0xffff) {
		const struct trace_blob *b = _IOC_DIR(cmd) == _IOC_WRITE ? in : out;

		if (usable(b) && b->len >= 4) {
			outbuf__putc(x->ob, '[');
			val__sdec(x, (s32)span__get(blob__span(b), 0, 4));
			outbuf__putc(x->ob, ']');
			return;
		}
	}
	val__ptr(x, x->args[i]);
}
