// SPDX-License-Identifier: GPL-2.0-only
/* Putting the symbols that a recording needs into it. See embed.h. */
#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/symbol/excerpt.h"
#include "lib/symbol/kallsyms.h"
#include "session/callchain.h"
#include "session/embed.h"
#include "session/machine.h"
#include "session/writer-internal.h" /* struct wbuf */

struct used {
	struct dso *dso;
	const struct symbol *sym;
	s64 shift; /* kernel code: from the symbol's addresses to where it ran */
};

struct collector {
	struct machine *machine;
	struct callchain *chains;
	bool unwind;	   /* samples have user stacks */
	struct used *used; /* open addressing by symbol; cap is a power of two */
	size_t nr, cap;
	int err;
};

static struct used *slot_of(struct used *slots, size_t cap, const struct symbol *sym)
{
	size_t i = ((uintptr_t)sym >> 4) * 0x9e3779b97f4a7c15ULL >> 32 & (cap - 1);

	while (slots[i].sym && slots[i].sym != sym)
		i = (i + 1) & (cap - 1);
	return &slots[i];
}

static void mark(struct collector *c, struct dso *dso, const struct symbol *sym, u64 ip, u64 addr)
{
	struct used *u;

	if (!dso || !sym)
		return;
	if (c->nr * 2 >= c->cap) {
		size_t cap = c->cap ? c->cap * 2 : 1024;
		struct used *slots = calloc(cap, sizeof(*slots));

		if (!slots) {
			c->err = -ENOMEM;
			return;
		}
		for (size_t i = 0; i < c->cap; i++)
			if (c->used[i].sym)
				*slot_of(slots, cap, c->used[i].sym) = c->used[i];
		free(c->used);
		c->used = slots;
		c->cap = cap;
	}
	u = slot_of(c->used, c->cap, sym);
	if (!u->sym) {
		*u = (struct used){.dso = dso, .sym = sym, .shift = ip - addr};
		c->nr++;
	}
}

/* The recording was made here. */
static u16 host_machine(u64 abi)
{
#ifdef __aarch64__
	return abi == PERF_SAMPLE_REGS_ABI_32 ? EM_ARM : EM_AARCH64;
#else
	return abi == PERF_SAMPLE_REGS_ABI_32 ? EM_386 : EM_X86_64;
#endif
}

static int take_sample(void *ctx, struct perf_session *s, struct session_event *e,
		       const struct perf_event_header *rec, const struct perf_sample *p)
{
	const struct perf_event_attr *a = session_event__attr(e);
	struct collector *c = ctx;
	struct addr_location al;
	struct callchain_input in = {
		.pid = p->pid,
		.tid = p->tid,
		.time = p->time,
		.cpumode = p->cpumode,
		.ip = p->ip,
		.ips = p->callchain,
		.nr = p->callchain_nr,
	};
	const struct callchain_frame *f;
	u32 nr;

	(void)s, (void)rec;
	if (p->user_regs && p->user_stack) {
		in.unwind = (struct unwind_sample){
			.abi = p->user_abi,
			.mask = a->sample_regs_user,
			.regs = p->user_regs,
			.stack = p->user_stack,
			.stack_size = min_t(u64, p->user_stack_size, p->user_stack_dyn),
			.machine = host_machine(p->user_abi),
		};
		c->unwind = true;
	}
	if (!machine__resolve(c->machine, p->pid, p->tid, p->cpumode, p->ip, p->time, &al))
		mark(c, al.dso, al.sym, al.ip, al.addr);
	if (a->sample_type & PERF_SAMPLE_ADDR &&
	    !machine__resolve(c->machine, p->pid, p->tid, PERF_RECORD_MISC_CPUMODE_UNKNOWN, p->addr,
			      p->time, &al))
		mark(c, al.dso, al.sym, al.ip, al.addr);
	nr = callchain__resolve(c->chains, &in, &f);
	for (u32 i = 0; i < nr; i++)
		mark(c, f[i].dso, f[i].sym, f[i].ip, f[i].addr);
	return c->err;
}

static int take_sideband(void *ctx, struct perf_session *s, struct session_event *e,
			 const struct perf_event_header *rec, const struct perf_sample *p)
{
	struct collector *c = ctx;

	(void)s, (void)e;
	machine__process(c->machine, rec, p->time);
	return 0;
}

/* ---- the kernel's names, as in /proc/kallsyms ---- */
static bool is_kernel(const struct dso *d)
{
	enum dso_kind k = dso__kind(d);

	return k == DSO_KERNEL || k == DSO_MODULE || k == DSO_BPF;
}

static void put_kernel_line(struct wbuf *b, u64 addr, const char *name, const char *module)
{
	char line[1024];
	int n = snprintf(line, sizeof(line), "%016llx t %s%s%s\n", (unsigned long long)addr, name,
			 module ? "\t" : "", module ? module : "");

	if (n > 0 && (size_t)n < sizeof(line))
		wbuf__put(b, line, n);
}

/* Where the kernel begins and ends: the reader needs that to place the rest. */
static int put_bounds(const struct kallsyms_symbol *s, void *ctx)
{
	if (!strcmp(s->name, "_text") || !strcmp(s->name, "_stext") || !strcmp(s->name, "_etext"))
		put_kernel_line(ctx, s->addr, s->name, NULL);
	return 0;
}

/* "/lib/modules/6.1/kernel/fs/ext4/ext4.ko" is "[ext4]" there. */
static const char *module_of(const struct dso *d, char *buf, size_t size)
{
	const char *name = dso__name(d), *base = strrchr(name, '/');

	if (dso__kind(d) == DSO_KERNEL)
		return NULL;
	if (dso__kind(d) == DSO_BPF)
		return "[bpf]";
	base = base ? base + 1 : name + (name[0] == '[');
	snprintf(buf, size, "[%.*s]", (int)strcspn(base, ".]"), base);
	for (char *p = buf; *p; p++)
		if (*p == '-')
			*p = '_';
	return buf;
}

static void put_kallsyms(const struct collector *c, struct wbuf *b)
{
	size_t at = b->n;
	char *text, buf[128];

	wbuf__u32(b, 0);
	text = kallsyms__read("/proc/kallsyms");
	if (text)
		kallsyms__parse(text, put_bounds, b);
	free(text);
	for (size_t i = 0; i < c->cap; i++) {
		const struct used *u = &c->used[i];

		if (u->sym && is_kernel(u->dso))
			put_kernel_line(b, u->sym->start + u->shift, u->sym->name,
					module_of(u->dso, buf, sizeof(buf)));
	}
	wbuf__set_u32(b, at, b->n - at - 4);
}

/* ---- excerpts of the files ---- */
static int cmp_used(const void *a, const void *b)
{
	const struct used *x = a, *y = b;
	int by_name = strcmp(dso__name(x->dso), dso__name(y->dso));

	if (by_name || x->dso == y->dso)
		return by_name ? by_name : x->sym->start < y->sym->start ? -1 : 1;
	return x->dso < y->dso ? -1 : 1;
}

static bool put_file(const struct collector *c, struct dso *d, const struct symbol *const *syms,
		     u32 nr, struct wbuf *b)
{
	const char *name = dso__name(d);
	u16 len = strnlen(name, 4096);
	struct build_id id = {};
	void *data;
	size_t size;

	if (dso__excerpt(d, syms, nr, c->unwind, &data, &size))
		return false;
	dso__build_id(d, &id);
	wbuf__put(b, &len, sizeof(len));
	wbuf__put(b, (u8[]){id.size, 0}, 2);
	wbuf__put(b, id.data, sizeof(id.data));
	wbuf__put(b, name, len);
	wbuf__u64(b, size);
	wbuf__put(b, data, size);
	free(data);
	return true;
}

static void put_files(struct collector *c, struct wbuf *b, size_t count_at)
{
	const struct symbol **syms = malloc((c->nr + 1) * sizeof(*syms));
	size_t n = 0;
	u32 files = 0;

	for (size_t i = 0; i < c->cap; i++)
		if (c->used[i].sym && !is_kernel(c->used[i].dso) &&
		    dso__kind(c->used[i].dso) != DSO_JIT)
			c->used[n++] = c->used[i];
	if (n)
		qsort(c->used, n, sizeof(*c->used), cmp_used);
	for (size_t i = 0; syms && i < n;) {
		struct dso *d = c->used[i].dso;
		u32 nr = 0;

		for (; i < n && c->used[i].dso == d; i++)
			syms[nr++] = c->used[i].sym;
		files += put_file(c, d, syms, nr, b);
	}
	if (!syms)
		b->bad = true;
	free(syms);
	wbuf__set_u32(b, count_at, files);
}

int embed__make(const char *path, void **data, size_t *size, struct errbuf *eb)
{
	struct session_opts so = {.force = true};
	struct symbol_conf conf = {.no_demangle = true};
	struct machine_opts mo = {.kernel_syms = true, .dsos = dsos__new(&conf)};
	struct callchain_opts co = {.no_inline = true};
	struct collector c = {};
	struct session_ops ops = {.ctx = &c, .sample = take_sample, .sideband = take_sideband};
	struct perf_session *s = perf_session__open(path, &so, eb);
	struct wbuf b = {};
	int err = -ENOMEM;

	c.machine = mo.dsos ? machine__new(&mo, NULL) : NULL;
	c.chains = c.machine ? callchain__new(c.machine, &co) : NULL;
	if (!s)
		err = -errno;
	else if (c.chains)
		err = perf_session__process(s, &ops, eb);
	if (!err) {
		wbuf__u32(&b, 1); /* version */
		wbuf__u32(&b, 0);
		put_kallsyms(&c, &b);
		put_files(&c, &b, 4);
		err = b.bad ? -ENOMEM : 0;
	}
	if (err == -ENOMEM)
		errbuf__set(eb, err, "no memory for the symbols to embed");
	if (err)
		wbuf__free(&b);
	*data = b.p;
	*size = b.n;
	perf_session__delete(s);
	callchain__delete(c.chains);
	machine__delete(c.machine);
	dsos__delete(mo.dsos);
	free(c.used);
	return err;
}
