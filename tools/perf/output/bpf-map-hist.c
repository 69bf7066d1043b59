// SPDX-License-Identifier: GPL-2.0-only
/* Log2 histograms, in the layout that bcc's tools made known: slot 0 holds 0 and 1, slot i holds
 * 2^i up to 2^(i+1)-1. */
#include <string.h>

#include "output/bpf-map-priv.h"

#define BAR 40

static u64 slot(const struct slot_counts *s, u32 i)
{
	return bpf_bits((const char *)s->data + (size_t)i * s->elem_size, 0, s->elem_size * 8);
}

u64 slots__total(const struct slot_counts *s)
{
	u64 sum = 0;

	for (u32 i = 0; i < s->nr; i++)
		sum += slot(s, i);
	return sum;
}

/* The unit is the last word of the map's name: latency_us. */
static const char *unit(const char *map_name)
{
	static const char *const units[][2] = {
		{"ns", "nsecs"},    {"us", "usecs"},	{"ms", "msecs"},      {"nsecs", "nsecs"},
		{"usecs", "usecs"}, {"msecs", "msecs"}, {"secs", "secs"},     {"bytes", "bytes"},
		{"kb", "kbytes"},   {"pages", "pages"}, {"cycles", "cycles"},
	};
	const char *word = strrchr(map_name, '_');

	word = word ? word + 1 : map_name;
	for (size_t i = 0; i < ARRAY_SIZE(units); i++)
		if (!strcmp(word, units[i][0]))
			return units[i][1];
	return "value";
}

static void print_bar(struct outbuf *ob, u64 val, u64 max)
{
	u32 stars = max ? (u32)((double)val / max * BAR) : 0;

	outbuf__putc(ob, '|');
	for (u32 i = 0; i < BAR; i++)
		outbuf__putc(ob, i < stars ? '*' : ' ');
	outbuf__puts(ob, "|\n");
}

void slots__print(struct outbuf *ob, const struct slot_counts *s, const char *map_name)
{
	u32 last = 0;
	u64 max = 0;
	int width, count_width = 8;

	for (u32 i = 0; i < s->nr; i++) {
		u64 v = slot(s, i);

		if (v)
			last = i;
		max = v > max ? v : max;
	}
	width = last < 32 ? 10 : 20;
	outbuf__printf(ob, "%*s%-*s : %-*s distribution\n", width / 2, "",
		       width * 2 + 4 - width / 2, unit(map_name), count_width, "count");
	for (u32 i = 0; i <= last && max; i++) {
		u64 low = i && i < 64 ? 1ULL << i : i ? UINT64_MAX : 0;
		u64 high = i < 63 ? (2ULL << i) - 1 : UINT64_MAX;
		u64 v = slot(s, i);

		outbuf__printf(ob, "%*llu -> %-*llu : %-*llu ", width, (unsigned long long)low,
			       width, (unsigned long long)high, count_width, (unsigned long long)v);
		print_bar(ob, v, max);
	}
}

void slots__json(struct outbuf *ob, const struct slot_counts *s)
{
	u32 last = s->nr;

	while (last && !slot(s, last - 1))
		last--;
	outbuf__putc(ob, '[');
	for (u32 i = 0; i < last; i++) {
		if (i)
			outbuf__putc(ob, ',');
		outbuf__dec(ob, slot(s, i), 0);
	}
	outbuf__putc(ob, ']');
}
