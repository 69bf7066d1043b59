// SPDX-License-Identifier: GPL-2.0-only
/* Event syntax, CPU lists and the other texts of options, from any bytes. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/perf/evlist.h"
#include "lib/perf/regs.h"
#include "session/record.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct record_opts *o;
	struct evlist *l;
	struct errbuf eb = {.msg = ""};
	u64 mask;
	char *text;

	/* Tracepoints would be looked up in the kernel; their syntax has little to it. */
	if (size > 4096 || memchr(data, 0, size))
		return 0;
	text = malloc(size + 1);
	l = evlist__new();
	o = calloc(1, sizeof(*o));
	if (text && l && o) {
		memcpy(text, data, size);
		text[size] = 0;
		if (evlist__parse(l, text, &eb) && !eb.msg[0])
			abort(); /* an error without a word */
		free(cpu_map__parse_any(text, &eb));
		delay__parse(text, o, &eb);
		record_switch__parse(text, o, &eb);
		branch_type__parse(text, size, &mask);
		perf_regs__parse(text, perf_regs__user_mask(), &mask, &eb);
		callgraph__parse(text, &o->config.callgraph, &o->config.stack_size, &eb);
		clockid__parse(text);
	}
	evlist__delete(l);
	free(text);
	free(o);
	return 0;
}
