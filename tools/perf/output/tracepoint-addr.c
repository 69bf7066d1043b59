// SPDX-License-Identifier: GPL-2.0-only
/* The kernel's %pM, %pI4, %pI6, %pIS and %pU over bytes of a record. */
#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <sys/socket.h>

#include "output/numfmt.h"
#include "output/tracepoint-prog.h"

/* What follows p in the format; the number of characters, -EOPNOTSUPP for what is not done here. */
int tp_addr__parse(const char *s, struct tp_addr *a)
{
	const char *p = s + 1;

	*a = (struct tp_addr){};
	switch (*s) {
	case 'U':
		a->kind = TP_ADDR_UUID;
		a->upper = *p == 'B' || *p == 'L';
		a->reverse = *p == 'l' || *p == 'L';
		return 1 + (*p && strchr("bBlL", *p));
	case 'M':
	case 'm':
		a->kind = TP_ADDR_MAC;
		a->sep = *s == 'm' ? 0 : *p == 'F' ? '-' : ':';
		a->reverse = *p == 'R';
		return 1 + (*p == 'R' || (*p == 'F' && *s == 'M'));
	case 'I':
	case 'i':
		break;
	default:
		return -EOPNOTSUPP;
	}
	a->plain = *s == 'i';
	if (*p == '4') {
		a->kind = TP_ADDR_IP4;
		p++;
		a->reverse = *p == 'h' || *p == 'l';
		return 2 + (*p && strchr("hnbl", *p));
	}
	if (*p == '6') {
		a->kind = TP_ADDR_IP6;
		p++;
		a->compressed = *p == 'c' && !a->plain;
		return 2 + (*p == 'c');
	}
	if (*p != 'S')
		return -EOPNOTSUPP;
	a->kind = TP_ADDR_SOCKADDR;
	p++;
	if (*p == 'p') {
		a->port = true;
		p++;
	}
	if (*p == 'c') {
		a->compressed = true;
		p++;
	}
	return isalnum((unsigned char)*p) || (a->plain && (a->port || a->compressed)) ? -EOPNOTSUPP
										      : p - s;
}

static void put_ip4(const struct tp_addr *a, const u8 *p, struct outbuf *ob)
{
	for (int i = 0; i < 4; i++) {
		u8 byte = p[a->reverse ? 3 - i : i];

		if (i)
			outbuf__putc(ob, '.');
		if (a->plain)
			outbuf__printf(ob, "%03d", byte);
		else
			outbuf__dec(ob, byte, 0);
	}
}

static u32 word(const u8 *p, int i)
{
	return p[i * 2] << 8 | p[i * 2 + 1];
}

/* RFC 5952: the first of the longest runs of two or more zero words is left out; an address that
 * carries an IPv4 one (mapped, ISATAP) ends with it. */
static void put_ip6_compressed(const u8 *p, struct outbuf *ob)
{
	static const u8 mapped[12] = {[10] = 0xff, [11] = 0xff};
	bool v4 = !memcmp(p, mapped, 12) ||
		  ((p[8] | 2) == 2 && !p[9] && p[10] == 0x5e && p[11] == 0xfe);
	int words = v4 ? 6 : 8, start = -1, longest = 1;

	for (int i = 0; i < words; i++) {
		int n = 0;

		while (i + n < words && !word(p, i + n))
			n++;
		if (n > longest) {
			longest = n;
			start = i;
		}
	}
	for (int i = 0; i < words; i++) {
		if (i == start) {
			outbuf__puts(ob, i ? ":" : "::");
			i += longest - 1;
			continue;
		}
		outbuf__hex(ob, word(p, i), 0, '0');
		if (i != 7)
			outbuf__putc(ob, ':');
	}
	if (v4)
		put_ip4(&(struct tp_addr){}, p + 12, ob);
}

static void put_ip6(const struct tp_addr *a, const u8 *p, struct outbuf *ob)
{
	if (a->compressed) {
		put_ip6_compressed(p, ob);
		return;
	}
	for (int i = 0; i < 8; i++) {
		if (i && !a->plain)
			outbuf__putc(ob, ':');
		outbuf__hex(ob, word(p, i), 4, '0');
	}
}

static void put_sockaddr(const struct tp_addr *a, const u8 *p, u32 size, struct outbuf *ob)
{
	u16 family;

	if (size < 2)
		return;
	memcpy(&family, p, 2);
	if (family == AF_INET) {
		if (size < 16) {
			outbuf__puts(ob, "INVALIDIPv4");
			return;
		}
		put_ip4(a, p + 4, ob);
		if (a->port) {
			outbuf__putc(ob, ':');
			outbuf__dec(ob, word(p, 1), 0);
		}
	} else if (family == AF_INET6) {
		if (size < 28) {
			outbuf__puts(ob, "INVALIDIPv6");
			return;
		}
		if (a->port)
			outbuf__putc(ob, '[');
		put_ip6(a, p + 8, ob);
		if (a->port) {
			outbuf__puts(ob, "]:");
			outbuf__dec(ob, word(p, 1), 0);
		}
	}
}

static void put_hex_byte(struct outbuf *ob, u8 byte, bool upper)
{
	const char *digits = upper ? "0123456789ABCDEF" : "0123456789abcdef";

	outbuf__putc(ob, digits[byte >> 4]);
	outbuf__putc(ob, digits[byte & 15]);
}

static void put_uuid(const struct tp_addr *a, const u8 *p, struct outbuf *ob)
{
	static const u8 big[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
	static const u8 little[16] = {3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15};
	const u8 *order = a->reverse ? little : big;

	for (int i = 0; i < 16; i++) {
		if (i == 4 || i == 6 || i == 8 || i == 10)
			outbuf__putc(ob, '-');
		put_hex_byte(ob, p[order[i]], a->upper);
	}
}

void tp_addr__print(const struct tp_addr *a, const u8 *p, u32 size, struct outbuf *ob)
{
	switch (a->kind) {
	case TP_ADDR_UUID:
		if (size == 16)
			put_uuid(a, p, ob);
		else
			outbuf__puts(ob, "INVALIDUUID");
		break;
	case TP_ADDR_MAC:
		if (size != 6) {
			outbuf__puts(ob, "INVALIDMAC");
			break;
		}
		for (int i = 0; i < 6; i++) {
			if (i && a->sep)
				outbuf__putc(ob, a->sep);
			put_hex_byte(ob, p[a->reverse ? 5 - i : i], false);
		}
		break;
	case TP_ADDR_IP4:
		if (size == 4)
			put_ip4(a, p, ob);
		else
			outbuf__puts(ob, "INVALIDIPv4");
		break;
	case TP_ADDR_IP6:
		if (size == 16)
			put_ip6(a, p, ob);
		else
			outbuf__puts(ob, "INVALIDIPv6");
		break;
	case TP_ADDR_SOCKADDR:
		put_sockaddr(a, p, size, ob);
		break;
	}
}
