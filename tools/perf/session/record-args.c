// SPDX-License-Identifier: GPL-2.0-only
/* Texts of perf record's options that are more than a number. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "session/record.h"

static u64 scaled(const char *text, const char *units, const u64 *scale)
{
	char *end;
	u64 v;
	const char *unit;

	if (!isdigit((unsigned char)*text))
		return 0;
	errno = 0;
	v = strtoull(text, &end, 10);
	unit = *end ? strchr(units, *end) : NULL;
	if (errno || !unit || end[1] || v > UINT64_MAX / scale[unit - units])
		return 0;
	return v * scale[unit - units];
}

u64 size__parse(const char *text)
{
	static const u64 scale[] = {1,	     1,	      1 << 10,	  1 << 10,
				    1 << 20, 1 << 20, 1ULL << 30, 1ULL << 30};

	return scaled(text, "BbKkMmGg", scale);
}

/* Milliseconds. */
static u64 time__parse(const char *text)
{
	static const u64 scale[] = {1000, 60 * 1000, 3600 * 1000, 24 * 3600 * 1000};

	return scaled(text, "smhd", scale);
}

int record_switch__parse(const char *text, struct record_opts *o, struct errbuf *eb)
{
	if (!text || !*text || !strcmp(text, "signal")) {
		o->switch_signal = true;
		return 0;
	}
	o->switch_size = size__parse(text);
	if (o->switch_size)
		return 0;
	o->switch_ms = time__parse(text);
	if (o->switch_ms)
		return 0;
	return errbuf__set(
		eb, -EINVAL,
		"--switch-output '%s': signal, a size (100M: B K M G) or a time (30s: s m "
		"h d) is expected",
		text);
}

int delay__parse(const char *text, struct record_opts *o, struct errbuf *eb)
{
	const char *p = text;
	u64 last = 0;

	o->nr_delays = 0;
	o->start_disabled = !strcmp(text, "-1");
	if (o->start_disabled)
		return 0;
	for (;; p++) {
		struct delay_range *d = &o->delay[o->nr_delays];
		char *end;

		if (o->nr_delays == MAX_DELAYS)
			return errbuf__set(eb, -E2BIG, "-D: more than %d ranges", MAX_DELAYS);
		if (!isdigit((unsigned char)*p))
			break;
		d->from_ms = strtoull(p, &end, 10);
		d->to_ms = 0;
		if (*end == '-' && isdigit((unsigned char)end[1]))
			d->to_ms = strtoull(end + 1, &end, 10);
		else if (*end || o->nr_delays)
			break; /* a single number stands alone */
		if ((d->to_ms && d->to_ms <= d->from_ms) || d->from_ms < last)
			break;
		last = d->to_ms;
		o->nr_delays++;
		p = end;
		if (!*p)
			return 0;
		if (*p != ',')
			break;
	}
	return errbuf__set(eb, -EINVAL,
			   "-D '%s': milliseconds, -1, or rising ranges of them (10-20,30-40) are "
			   "expected (column %d)",
			   text, (int)(p - text) + 1);
}

int clockid__parse(const char *text)
{
	static const struct {
		const char *name;
		int id;
	} clocks[] = {
		{"monotonic", CLOCK_MONOTONIC},
		{"monotonic_raw", CLOCK_MONOTONIC_RAW},
		{"boottime", CLOCK_BOOTTIME},
		{"realtime", CLOCK_REALTIME},
		{"tai", CLOCK_TAI},
		{"mono", CLOCK_MONOTONIC},
		{"raw", CLOCK_MONOTONIC_RAW},
		{"real", CLOCK_REALTIME},
		{"boot", CLOCK_BOOTTIME},
	};
	char *end;
	long v = strtol(text, &end, 10);

	if (end != text && !*end)
		return v >= 0 && v < 64 ? v : -1;
	if (!strncasecmp(text, "CLOCK_", 6))
		text += 6;
	for (size_t i = 0; i < ARRAY_SIZE(clocks); i++)
		if (!strcasecmp(clocks[i].name, text))
			return clocks[i].id;
	return -1;
}
