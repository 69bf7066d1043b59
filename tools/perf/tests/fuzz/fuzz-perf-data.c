// SPDX-License-Identifier: GPL-2.0-only
/*
 * libFuzzer harness of the perf.data reader: header, features, tracepoint formats, every record,
 * and the machine that the side-band records are for; as a file, and as a stream.
 */
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "session/embed.h"
#include "session/machine.h"
#include "session/session.h"
#include "session/tp-format.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct run {
	struct machine *machine;
	u64 sum; /* so that nothing read is optimised away */
};

static u64 add(const void *p, u64 n)
{
	const u8 *b = p;
	u64 sum = 0;

	for (u64 i = 0; i < n; i++)
		sum += b[i];
	return sum;
}

static int on_sample(void *ctx, struct perf_session *s, struct session_event *e,
		     const struct perf_event_header *rec, const struct perf_sample *p)
{
	const struct perf_event_attr *a = session_event__attr(e);
	struct run *r = ctx;
	struct addr_location al;

	(void)s;
	r->sum += rec->size + p->time;
	r->sum += add(p->callchain, p->callchain_nr * 8);
	r->sum += add(p->branch, p->branch_nr * sizeof(struct perf_branch_entry));
	r->sum += add(p->raw_data, p->raw_size) + add(p->read, p->read_size);
	r->sum += add(p->user_stack, p->user_stack_size) + add(p->aux_data, p->aux_size);
	if (p->user_regs)
		r->sum += add(p->user_regs, 8 * __builtin_popcountll(a->sample_regs_user));
	if (p->intr_regs)
		r->sum += add(p->intr_regs, 8 * __builtin_popcountll(a->sample_regs_intr));
	machine__resolve(r->machine, p->pid, p->tid, p->cpumode, p->ip, p->time, &al);
	return 0;
}

static int on_sideband(void *ctx, struct perf_session *s, struct session_event *e,
		       const struct perf_event_header *rec, const struct perf_sample *p)
{
	struct run *r = ctx;

	(void)s, (void)e;
	machine__process(r->machine, rec, p->time);
	return 0;
}

static int on_other(void *ctx, struct perf_session *s, struct session_event *e,
		    const struct perf_event_header *rec, const struct perf_sample *p)
{
	struct run *r = ctx;

	(void)s, (void)e, (void)p;
	r->sum += add(rec, rec->size);
	return 0;
}

static void on_warn(void *ctx, const char *line)
{
	(void)ctx, (void)line;
}

static void show(struct perf_session *s)
{
	struct outbuf ob;

	if (outbuf__init(&ob, -1, 0))
		return;
	perf_session__print_header(s, &ob, true);
	perf_session__print_header(s, &ob, false);
	for (int i = 0; i < perf_session__nr_events(s); i++) {
		struct session_event *e = perf_session__event(s, i);
		const struct tp_format *tp = session_event__format(e);

		perf_attr__print(&ob, session_event__attr(e), ": ");
		outbuf__puts(&ob, session_event__name(e));
		if (tp && tp->nr_fields)
			outbuf__puts(&ob, tp->fields[0].name);
	}
	outbuf__exit(&ob);
}

static void read_all(const char *path)
{
	struct session_opts o = {.force = true, .warn = on_warn};
	/* Files of this machine are used only when their build id matches: none does by chance. */
	struct symbol_conf conf = {.foreign = true};
	struct machine_opts mo = {};
	struct run r = {};
	struct session_ops ops = {.ctx = &r,
				  .sample = on_sample,
				  .sideband = on_sideband,
				  .lost = on_other,
				  .throttle = on_other,
				  .ctxswitch = on_other,
				  .read = on_other,
				  .aux = on_other,
				  .tool = on_other,
				  .unknown = on_other};
	struct errbuf eb = {};
	struct perf_session *s = perf_session__open(path, &o, &eb);
	struct embedded *emb = s ? embedded__new(s, &eb) : NULL;
	const void *embedded;
	struct build_id id;
	size_t n = 0;

	if (s) {
		embedded__symbol_conf(emb, &conf);
		mo.kallsyms_fd = embedded__kallsyms(emb);
		mo.kernel_syms = mo.kallsyms_fd > 0;
		mo.dsos = dsos__new(&conf);
		r.machine = machine__new(&mo, &eb);
		if (!r.machine) { /* kallsyms that are none */
			mo.kallsyms_fd = 0;
			mo.kernel_syms = false;
			r.machine = machine__new(&mo, NULL);
		}
		show(s);
		perf_session__process(s, &ops, &eb);
		perf_session__warn_stats(s);
		perf_session__build_id(s, "[kernel.kallsyms]", &id);
		embedded = perf_session__embedded(s, &n);
		r.sum += embedded ? add(embedded, n) : 0;
		show(s);
	}
	machine__delete(r.machine);
	dsos__delete(mo.dsos);
	embedded__delete(emb);
	perf_session__delete(s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static int file = -1, stream = -1;
	char path[64];

	if (file < 0) {
		file = memfd_create("fuzz", MFD_CLOEXEC);
		stream = memfd_create("fuzz-stream", MFD_CLOEXEC);
		dup2(stream, STDIN_FILENO);
	}
	/* At offset 1 of standard input: then it cannot be mapped, and is read as a stream. */
	if (ftruncate(file, 0) || ftruncate(stream, 0) || pwrite(file, data, size, 0) < 0 ||
	    pwrite(stream, data, size, 1) < 0)
		return 0;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", file);
	read_all(path);
	if (size > 16 && data[8] == 16) {
		lseek(STDIN_FILENO, 1, SEEK_SET);
		read_all("-");
	}
	return 0;
}
