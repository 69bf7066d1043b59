// SPDX-License-Identifier: GPL-2.0-only
/* One value in one of the three styles. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "trace/decode-int.h"

void val__dec(struct dctx *x, u64 v)
{
	outbuf__dec(x->ob, v, 0);
}

void val__sdec(struct dctx *x, s64 v)
{
	outbuf__sdec(x->ob, v, 0);
}

static void quote(struct dctx *x)
{
	if (dctx__json(x))
		outbuf__putc(x->ob, '"');
}

static void raw_hex(struct dctx *x, u64 v)
{
	char *p = outbuf__reserve(x->ob, 24);

	p[0] = '0';
	p[1] = 'x';
	x->ob->len += 2;
	outbuf__hex(x->ob, v, 0, '0');
}

void val__hex(struct dctx *x, u64 v)
{
	if (!v) {
		outbuf__putc(x->ob, '0');
		return;
	}
	quote(x);
	raw_hex(x, v);
	quote(x);
}

void val__oct(struct dctx *x, u64 v)
{
	if (dctx__json(x))
		outbuf__dec(x->ob, v, 0);
	else
		outbuf__printf(x->ob, "%#03llo", (unsigned long long)v);
}

void val__ptr(struct dctx *x, u64 v)
{
	if (v)
		val__hex(x, v);
	else
		outbuf__puts(x->ob, dctx__json(x) ? "null" : "NULL");
}

void val__text(struct dctx *x, const char *s)
{
	quote(x);
	outbuf__puts(x->ob, s);
	quote(x);
}

void val__printf(struct dctx *x, const char *fmt, ...)
{
	va_list ap;

	quote(x);
	va_start(ap, fmt);
	outbuf__vprintf(x->ob, fmt, ap);
	va_end(ap);
	quote(x);
}

const struct trace_set *set_of(const char *id)
{
	static const struct trace_set none = {.id = "", .prefix = ""};
	const struct trace_set *s = trace_set__find(id, (u32)strlen(id));

	return s ? s : &none;
}

static void name_of(struct dctx *x, const struct trace_set *s, const char *name)
{
	outbuf__puts(x->ob, dctx__full_names(x) ? name : trace_set__short(s, name));
}

void raw__flags(struct dctx *x, const struct trace_set *s, u64 v)
{
	const char *sep = "";
	u64 left = v;
	u32 known = 0;

	if (s->mask) {
		u64 part = v & s->mask;

		for (u32 i = 0; i < s->nr; i++) {
			if ((s->names[i].val & s->mask) != part || (s->names[i].val & ~s->mask))
				continue;
			if (!part && s->names[i].val) /* 0 alone is a name, as O_RDONLY */
				continue;
			name_of(x, s, s->names[i].name);
			sep = "|";
			left &= ~part;
			known++;
			break;
		}
	}
	for (u32 i = 0; i < s->nr && left; i++) {
		u64 f = s->names[i].val;

		if (!f || (left & f) != f)
			continue;
		outbuf__puts(x->ob, sep);
		name_of(x, s, s->names[i].name);
		sep = "|";
		left &= ~f;
		known++;
	}
	if (left && s->octal) {
		outbuf__printf(x->ob, "%s%#03llo", sep, (unsigned long long)left);
	} else if (left) {
		outbuf__puts(x->ob, sep);
		raw_hex(x, left);
		if (!known && dctx__strace(x) && s->prefix[0])
			outbuf__printf(x->ob, " /* %s??? */", s->prefix);
	} else if (!known) {
		const char *zero = s->zero ? s->zero : trace_set__name(s, 0);

		if (zero)
			name_of(x, s, zero);
		else
			outbuf__putc(x->ob, '0');
	}
}

void val__flags(struct dctx *x, const struct trace_set *s, u64 v)
{
	if (!v && !s->zero && dctx__json(x) && !trace_set__name(s, 0)) {
		outbuf__putc(x->ob, '0');
		return;
	}
	quote(x);
	raw__flags(x, s, v);
	quote(x);
}

void val__enum(struct dctx *x, const struct trace_set *s, u64 v, bool is_signed)
{
	const char *name = trace_set__name(s, v);

	if (name) {
		quote(x);
		name_of(x, s, name);
		quote(x);
	} else if (s->unknown && dctx__strace(x)) {
		outbuf__printf(x->ob, "%#llx /* %s */", (unsigned long long)v, s->unknown);
	} else if (is_signed) {
		outbuf__sdec(x->ob, (s32)v, 0);
	} else {
		val__hex(x, v);
	}
}

void val__fd(struct dctx *x, s32 fd)
{
	const char *path;

	outbuf__sdec(x->ob, fd, 0);
	if (fd < 0 || !x->d->o.fd_paths || dctx__json(x))
		return;
	path = fdtable__path(x->d->fds, x->r->pid, fd);
	if (!path)
		return;
	outbuf__putc(x->ob, '<');
	outbuf__safe(x->ob, path, strlen(path));
	outbuf__putc(x->ob, '>');
}

void val__dfd(struct dctx *x, s32 fd)
{
	if (fd != AT_FDCWD) {
		val__fd(x, fd);
		return;
	}
	val__text(x, dctx__full_names(x) ? "AT_FDCWD" : "CWD");
}

void val__pid(struct dctx *x, s32 pid)
{
	const char *comm;

	outbuf__sdec(x->ob, pid, 0);
	if (pid <= 0 || x->style != TRACE_STYLE_PERF)
		return;
	comm = fdtable__comm(x->d->fds, (u32)pid);
	if (!comm)
		return;
	outbuf__puts(x->ob, " (");
	outbuf__safe(x->ob, comm, strlen(comm));
	outbuf__putc(x->ob, ')');
}

void val__signal(struct dctx *x, s64 sig)
{
	const char *name = sig > 0 && sig <= 64 ? trace_signal__name((int)sig) : NULL;

	if (!name)
		outbuf__sdec(x->ob, sig, 0);
	else
		val__text(x, dctx__full_names(x) ? name : name + 3);
}

void val__mode(struct dctx *x, u32 mode)
{
	const struct trace_set *types = SET_OF("filetype");
	const char *type = mode & S_IFMT ? trace_set__name(types, mode & S_IFMT) : NULL;
	static const struct {
		u32 bit;
		const char *name;
	} bits[] = {{S_ISUID, "S_ISUID"}, {S_ISGID, "S_ISGID"}, {S_ISVTX, "S_ISVTX"}};

	if (!type) {
		val__oct(x, mode);
		return;
	}
	quote(x);
	name_of(x, types, type);
	mode &= ~(u32)S_IFMT;
	for (u32 i = 0; i < ARRAY_SIZE(bits); i++) {
		if (mode & bits[i].bit) {
			outbuf__putc(x->ob, '|');
			outbuf__puts(x->ob, bits[i].name + (dctx__full_names(x) ? 0 : 2));
			mode &= ~bits[i].bit;
		}
	}
	/* three digits, and a 0 before them where they begin with none */
	outbuf__puts(x->ob, mode >= 0100 ? "|0" : "|");
	for (int shift = 6; shift >= 0; shift -= 3)
		outbuf__putc(x->ob, (char)('0' + (mode >> shift & 7)));
	quote(x);
}

void val__dev(struct dctx *x, u64 dev)
{
	val__printf(x, "makedev(%#x, %#x)", major(dev), minor(dev));
}

void val__uid(struct dctx *x, u32 uid)
{
	if (uid == (u32)-1)
		outbuf__puts(x->ob, "-1");
	else
		outbuf__dec(x->ob, uid, 0);
}

/* Length of a printable UTF-8 sequence (C1 controls are not), else 0. */
static u32 utf8_len(const u8 *p, u32 len)
{
	u32 n = p[0] >= 0xf0 ? 4 : p[0] >= 0xe0 ? 3 : 2;

	if (p[0] < 0xc2 || p[0] > 0xf4 || n > len)
		return 0;
	for (u32 i = 1; i < n; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return 0;
	}
	if (p[0] == 0xc2 && p[1] < 0xa0)
		return 0;
	if ((p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xf0 && p[1] < 0x90) ||
	    (p[0] == 0xed && p[1] > 0x9f) || (p[0] == 0xf4 && p[1] > 0x8f))
		return 0;
	return n;
}

/* One byte as in a C string; octal as short as the next character lets it be. */
static char *escape(char *o, u8 c, bool digit_next)
{
	static const char names[] = "tnvfr"; /* 9 .. 13 */

	*o++ = '\\';
	if (c == '"' || c == '\\') {
		*o++ = (char)c;
	} else if (c >= 9 && c <= 13) {
		*o++ = names[c - 9];
	} else {
		if (c >= 64 || digit_next)
			*o++ = (char)('0' + (c >> 6));
		if (c >= 8 || digit_next)
			*o++ = (char)('0' + ((c >> 3) & 7));
		*o++ = (char)('0' + (c & 7));
	}
	return o;
}

void val__bytes(struct dctx *x, const void *data, u32 len, bool cut, bool path)
{
	const u8 *p = data, *end = p + len;
	struct outbuf *ob = x->ob;

	if (dctx__json(x)) {
		outbuf__json(ob, data, len);
		return;
	}
	outbuf__putc(ob, '"');
	while (p < end) {
		u32 n = min_t(u32, (u32)(end - p), 1000);
		char *o = outbuf__reserve(ob, n * 4), *start = o;

		for (; n && p < end; n--, p++) {
			u32 u;

			if (likely(*p >= ' ' && *p < 0x7f && *p != '"' && *p != '\\')) {
				*o++ = (char)*p;
			} else if (path && *p >= 0x80 && !dctx__strace(x) && n >= 4 &&
				   (u = utf8_len(p, (u32)(end - p)))) {
				memcpy(o, p, u);
				o += u;
				p += u - 1;
				n -= u - 1;
			} else {
				o = escape(o, *p, p + 1 < end && p[1] >= '0' && p[1] <= '9');
			}
		}
		ob->len += (size_t)(o - start);
	}
	outbuf__putc(ob, '"');
	if (cut)
		outbuf__puts(ob, "...");
}

void val__open(struct dctx *x)
{
	outbuf__puts(x->ob, x->style == TRACE_STYLE_PERF ? "{ " : "{");
}

void val__field(struct dctx *x, const char *name, u32 len, bool first)
{
	struct outbuf *ob = x->ob;

	switch (x->style) {
	case TRACE_STYLE_PERF:
		outbuf__puts(ob, first ? "." : ", .");
		outbuf__write(ob, name, len);
		outbuf__puts(ob, ": ");
		break;
	case TRACE_STYLE_STRACE:
		if (!first)
			outbuf__puts(ob, ", ");
		outbuf__write(ob, name, len);
		outbuf__putc(ob, '=');
		break;
	case TRACE_STYLE_JSON:
		outbuf__puts(ob, first ? "\"" : ",\"");
		outbuf__write(ob, name, len);
		outbuf__puts(ob, "\":");
		break;
	}
}

void val__close(struct dctx *x, bool more)
{
	if (more && !dctx__json(x))
		outbuf__puts(x->ob, ", ...");
	outbuf__puts(x->ob, x->style == TRACE_STYLE_PERF ? " }" : "}");
}

void val__sep(struct dctx *x)
{
	outbuf__puts(x->ob, dctx__json(x) ? "," : ", ");
}
