// SPDX-License-Identifier: GPL-2.0-only
/*
 * libFuzzer harness of perf script: a recording printed as text with every field that it has, as
 * JSON, as folded stacks and as -D; which of them, the sum of the input's bytes says.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "output/script.h"
#include "session/machine.h"
#include "session/session.h"
#include "session/tep.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void warn(void *ctx, const char *line)
{
	(void)ctx, (void)line;
}

/* All fields of all types; those that are not there are dropped, since none was asked for. */
static void all_fields(struct script_fields *f)
{
	script_fields__init(f);
	for (int t = 0; t < SCRIPT_NR_TYPES; t++)
		f->type[t].fields = ~(u64)(SCRIPT_TOD | SCRIPT_SRCCODE);
}

static int raw(void *ctx, struct perf_session *s, const struct perf_event_header *rec, u64 offset)
{
	script_dump__raw(ctx, perf_session__path(s), offset, rec);
	return 0;
}

static void print(struct perf_session *s, struct machine *m, unsigned int how, struct outbuf *ob)
{
	struct script_opts o = {.show = ~0u, .annotate = how & 16, .warn = warn};
	struct script_filter_opts fo = {};
	struct session_ops ops;
	struct script_filter *f;
	struct errbuf eb = {};
	struct script *sc;

	all_fields(&o.fields);
	if (how & 4)
		script_fields__init(&o.fields);
	o.no_callchain = how & 8;
	o.dump = (how & 3) == 3;
	o.nanoseconds = how & 16;
	o.deltatime = how & 32;
	if (how & 64) {
		fo.time = "10%/1,20%-50%";
		fo.syms = "main,ffffffff81000000";
	}
	f = script_filter__new(&fo, s, &eb);
	sc = script__new(&o,
			 (how & 3) == 1	  ? SCRIPT_JSON
			 : (how & 3) == 2 ? SCRIPT_FOLDED
					  : SCRIPT_TEXT,
			 s, m, ob, &eb);
	if (sc) {
		script__set_filter(sc, f);
		script__ops(sc, &ops);
		perf_session__process(s, &ops, &eb);
		script__finish(sc);
		script__say_stats(sc);
		script__delete(sc);
	}
	script_filter__delete(f);
}

static void run(const char *path, unsigned int how)
{
	/* Files of this machine are used only when their build id matches: none does by chance. */
	struct symbol_conf conf = {.foreign = true};
	struct machine_opts mo = {};
	struct session_opts so = {.force = true, .warn = warn};
	struct errbuf eb = {};
	struct perf_session *s;
	struct outbuf ob;
	int null = open("/dev/null", O_WRONLY | O_CLOEXEC);

	if (null < 0 || outbuf__init(&ob, null, 0))
		abort();
	if ((how & 3) == 3) {
		so.raw = raw;
		so.ctx = &ob;
	}
	so.unordered = how & 128;
	s = perf_session__open(path, &so, &eb);
	if (s) {
		struct machine *m;

		mo.dsos = dsos__new(&conf);
		m = machine__new(&mo, &eb);
		if (!m)
			abort();
		print(s, m, how, &ob);
		machine__delete(m);
		dsos__delete(mo.dsos);
	}
	perf_session__delete(s);
	outbuf__exit(&ob);
	close(null);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static int file = -1;
	unsigned int how = 0;
	char path[64];

	if (file < 0)
		file = memfd_create("fuzz", MFD_CLOEXEC);
	if (file < 0 || ftruncate(file, 0) || pwrite(file, data, size, 0) != (ssize_t)size)
		abort();
	/* A mutant keeps most of its bytes: their sum tells them apart. */
	for (size_t i = 0; i < size; i++)
		how = how * 31 + data[i];
	snprintf(path, sizeof(path), "/proc/self/fd/%d", file);
	run(path, how >> 7);
	return 0;
}
