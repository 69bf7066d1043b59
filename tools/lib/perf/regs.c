// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "lib/perf/regs.h"

#if defined(__x86_64__)
static const char *const names[64] = {
	"AX", "BX", "CX", "DX", "SI", "DI", "BP",  "SP",  "IP",	 "FLAGS", "CS",	 "SS",
	"DS", "ES", "FS", "GS", "R8", "R9", "R10", "R11", "R12", "R13",	  "R14", "R15",
};
#define USER_MASK 0xff0fffULL /* the segment registers are not kept */
#elif defined(__aarch64__)
static const char *const names[64] = {
	"x0",  "x1",  "x2",  "x3",  "x4",  "x5",  "x6",	 "x7",	"x8",  "x9",  "x10",
	"x11", "x12", "x13", "x14", "x15", "x16", "x17", "x18", "x19", "x20", "x21",
	"x22", "x23", "x24", "x25", "x26", "x27", "x28", "x29", "lr",  "sp",  "pc",
};
#define USER_MASK ((1ULL << 33) - 1)
#else
static const char *const names[64];
#define USER_MASK 0ULL
#endif

const char *perf_reg__name(int bit)
{
	return bit >= 0 && bit < 64 ? names[bit] : NULL;
}

u64 perf_regs__user_mask(void)
{
	return USER_MASK;
}

u64 perf_regs__intr_mask(void)
{
	return USER_MASK;
}

int perf_regs__parse(const char *list, u64 allowed, u64 *mask, struct errbuf *eb)
{
	*mask = allowed;
	if (!list || !*list)
		return 0;
	*mask = 0;
	for (const char *p = list;; p++) {
		size_t n = strcspn(p, ",");
		bool found = false;

		for (int i = 0; i < 64; i++) {
			if (!(allowed >> i & 1) || !names[i] || strlen(names[i]) != n ||
			    strncasecmp(names[i], p, n))
				continue;
			*mask |= 1ULL << i;
			found = true;
		}
		if (!found) {
			errbuf__set(eb, -EINVAL, "register '%.*s': there %s", (int)n, p,
				    allowed ? "are" : "are none on this machine");
			for (int i = 0; i < 64; i++)
				if (allowed >> i & 1 && names[i])
					errbuf__append(eb, " %s", names[i]);
			return -EINVAL;
		}
		p += n;
		if (!*p)
			return 0;
	}
}
