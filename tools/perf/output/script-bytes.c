// SPDX-License-Identifier: GPL-2.0-only
/* Bytes as hex and characters: bpf-output payloads, and the raw records of -D. */
#include "output/numfmt.h"
#include "output/script-internal.h"

/* As upstream, which takes the upper half of Latin-1 for printable here (but not in -D). */
static bool printable(u8 c)
{
	return (c >= ' ' && c < 0x7f) || c >= 0xa0;
}

static char *put_byte(char *p, u8 byte)
{
	static const char digits[] = "0123456789abcdef";

	*p++ = ' ';
	*p++ = digits[byte >> 4];
	*p++ = digits[byte & 15];
	return p;
}

static char *put_offset(char *p, u32 off)
{
	static const char digits[] = "0123456789abcdef";
	int width = 4;

	while (width < 8 && off >> (width * 4))
		width++;
	for (int i = width - 1; i >= 0; i--)
		*p++ = digits[off >> (i * 4) & 15];
	*p++ = ':';
	return p;
}

/* "0010: 74 21 00   t!." from offset @off on, @per_line bytes to a line; two blanks behind the
 * colon in -D's. */
static void put_line(struct outbuf *ob, const u8 *data, u32 off, u32 n, u32 per_line, bool latin1)
{
	char *p = outbuf__reserve(ob, 128);

	p = put_offset(p, off);
	if (!latin1)
		*p++ = ' ';
	for (u32 i = 0; i < n; i++)
		p = put_byte(p, data[off + i]);
	p = numfmt__pad(p, (per_line - n) * 3 + 2);
	for (u32 i = 0; i < n; i++)
		*p++ = printable(data[off + i]) && (latin1 || data[off + i] < 0x7f) ? data[off + i]
										    : '.';
	p = numfmt__pad(p, per_line - n);
	*p++ = '\n';
	ob->len = p - ob->buf;
}

const char *script_bpf_string(const void *data, u32 size, u32 *len)
{
	const u8 *p = data;
	u32 n = 0;

	while (n < size && printable(p[n]))
		n++;
	*len = n;
	if (n == size)
		return NULL; /* no end */
	for (u32 i = n; i < size; i++) {
		if (p[i])
			return NULL;
	}
	return data;
}

void script_put_bpf_output(struct outbuf *ob, const void *data, u32 size)
{
	const char *s;
	u32 len;

	outbuf__putc(ob, '\n');
	for (u32 off = 0; off < size; off += 8) {
		outbuf__puts(ob, off ? "                  " : "      BPF output: ");
		put_line(ob, data, off, min_t(u32, size - off, 8), 8, true);
	}
	s = script_bpf_string(data, size, &len);
	if (s) {
		outbuf__puts(ob, "      BPF string: \"");
		outbuf__write(ob, s, len);
		outbuf__puts(ob, "\"\n");
	}
}

void script_put_hexdump(struct outbuf *ob, const void *data, u32 size)
{
	outbuf__printf(ob, ".\n. ... raw event: size %u bytes\n", size);
	for (u32 off = 0; off < size; off += 16) {
		outbuf__puts(ob, ".  ");
		put_line(ob, data, off, min_t(u32, size - off, 16), 16, false);
	}
	outbuf__putc(ob, '\n');
}
