// SPDX-License-Identifier: GPL-2.0-only
/* Call chains: marks, addresses, unwinding and inlined functions into frames. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "lib/symbol/inline.h"
#include "lib/symbol/srcline.h"
#include "session/callchain.h"
#include "session/machine-internal.h"

#define DEFAULT_MAX_STACK 127

/* Marks newer than the headers we build with. */
#define CONTEXT_USER_DEFERRED ((u64)-640)

/* Where a thread's stack begins, and how far down it reached when its dump was too small. */
struct stack {
	UT_hash_handle hh;
	u64 key;
	u64 base;    /* 0: never seen */
	u64 low_cut; /* UINT64_MAX: none was cut */
};

#define MAX_STACKS 65536

struct callchain {
	struct stack *stacks;
	struct machine *m;
	struct callchain_opts opts;
	struct unwinder *unwinder;
	u64 *ips; /* max_stack of them */
	struct callchain_frame *frames;
	u32 nr, cap;
	const struct callchain_input *in;
	enum unwind_end last_end;
	struct callchain_stats stats;
};

/* What the unwinder asks: code of the sample's process at the sample's time. */
static bool find_map(void *space, u64 ip, struct unwind_map *out)
{
	struct callchain *c = space;
	struct addr_location al;

	if (machine__find_map(c->m, c->in->pid, c->in->tid, PERF_RECORD_MISC_USER, ip, c->in->time,
			      &al))
		return false;
	out->start = map__start(al.map);
	out->end = map__end(al.map);
	out->pgoff = map__pgoff(al.map);
	out->dso = al.dso;
	return true;
}

struct callchain *callchain__new(struct machine *m, const struct callchain_opts *o)
{
	struct callchain *c = calloc(1, sizeof(*c));

	if (!c)
		return NULL;
	c->m = m;
	c->opts = *o;
	if (!c->opts.max_stack)
		c->opts.max_stack = DEFAULT_MAX_STACK;
	c->ips = calloc(c->opts.max_stack, sizeof(*c->ips));
	c->unwinder = unwinder__new(o->method, find_map);
	if (!c->ips || !c->unwinder) {
		callchain__delete(c);
		errno = ENOMEM;
		return NULL;
	}
	return c;
}

void callchain__delete(struct callchain *c)
{
	struct stack *s, *tmp;

	if (!c)
		return;
	HASH_ITER (hh, c->stacks, s, tmp) {
		HASH_DEL(c->stacks, s);
		free(s);
	}
	unwinder__delete(c->unwinder);
	free(c->ips);
	free(c->frames);
	free(c);
}

static struct callchain_frame *add_frame(struct callchain *c)
{
	if (c->nr == c->cap) {
		u32 cap = c->cap ? c->cap * 2 : 256;
		struct callchain_frame *p = reallocarray(c->frames, cap, sizeof(*p));

		if (!p)
			return NULL;
		c->frames = p;
		c->cap = cap;
	}
	return memset(&c->frames[c->nr++], 0, sizeof(*c->frames));
}

/* The inlined calls at @addr, innermost first; then file and line of the function around them. */
static void add_inlines(struct callchain *c, const struct callchain_frame *f, u64 addr,
			struct srcline *line)
{
	const struct inline_frame *in;
	u32 nr = dso__inlines(f->dso, addr, &in);

	for (u32 i = 0; i < nr; i++) {
		struct callchain_frame *p = add_frame(c);

		if (!p)
			return;
		*p = *f;
		p->inlined = true;
		p->name = in[i].name;
		p->file = line->file;
		p->line = line->line;
		*line = (struct srcline){in[i].call_file, in[i].call_line};
	}
}

/* @back: bytes before @ip that the code asked for lies (1 for a return address, whose call may be
 * the last instruction of its function). */
static void add_ip(struct callchain *c, u64 ip, u8 cpumode, u64 back)
{
	const struct callchain_input *in = c->in;
	struct callchain_frame f = {.ip = ip, .addr = ip, .cpumode = cpumode}, *p;
	struct srcline line = {};
	struct addr_location al;
	int err;

	err = c->opts.no_symbols
		      ? machine__find_map(c->m, in->pid, in->tid, cpumode, ip - back, in->time, &al)
		      : machine__resolve(c->m, in->pid, in->tid, cpumode, ip - back, in->time, &al);
	if (!err) {
		f.map = al.map;
		f.dso = al.dso;
		f.sym = c->opts.no_symbols ? NULL : al.sym;
		f.addr = al.addr + back;
		f.name = f.sym ? f.sym->name : NULL;
		if (!c->opts.no_symbols && f.dso &&
		    (dso__kind(f.dso) == DSO_USER || dso__kind(f.dso) == DSO_KERNEL)) {
			if (c->opts.want_srcline)
				dso__srcline(f.dso, al.addr, &line);
			if (!c->opts.no_inline)
				add_inlines(c, &f, al.addr, &line);
		}
	}
	f.file = line.file;
	f.line = line.line;
	p = add_frame(c);
	if (p)
		*p = f;
}

/* A context mark's mode; 0 for an unknown one. */
static u8 context_mode(u64 mark)
{
	switch (mark) {
	case PERF_CONTEXT_HV:
		return PERF_RECORD_MISC_HYPERVISOR;
	case PERF_CONTEXT_KERNEL:
		return PERF_RECORD_MISC_KERNEL;
	case PERF_CONTEXT_USER:
	case CONTEXT_USER_DEFERRED:
		return PERF_RECORD_MISC_USER;
	case PERF_CONTEXT_GUEST:
	case PERF_CONTEXT_GUEST_KERNEL:
		return PERF_RECORD_MISC_GUEST_KERNEL;
	case PERF_CONTEXT_GUEST_USER:
		return PERF_RECORD_MISC_GUEST_USER;
	default:
		return 0;
	}
}

static u32 add_recorded(struct callchain *c)
{
	const struct callchain_input *in = c->in;
	u8 mode = in->cpumode;
	bool first = true;
	u32 nr = 0;

	for (u64 i = 0; i < in->nr && nr < c->opts.max_stack; i++) {
		u64 ip = in->ips[i];

		if (ip >= (u64)PERF_CONTEXT_MAX) {
			mode = context_mode(ip);
			first = true;
			if (!mode) {
				c->stats.contexts_bad++;
				break;
			}
			if (ip == CONTEXT_USER_DEFERRED)
				i++; /* a cookie follows, not an address */
			continue;
		}
		/* the kernel's entries include interrupted places, which are exact */
		add_ip(c, ip, mode, !first && mode == PERF_RECORD_MISC_USER ? 1 : 0);
		first = false;
		nr++;
	}
	return nr;
}

static void note_stack(struct callchain *c, u64 image, const struct unwind_result *res)
{
	u64 key = image << 32 ^ (u32)c->in->tid;
	struct stack *s;

	if (res->end == UNWIND_NO_INFO || res->nr >= c->opts.max_stack)
		return;
	HASH_FIND(hh, c->stacks, &key, sizeof(key), s);
	if (!s) {
		s = HASH_COUNT(c->stacks) < MAX_STACKS ? calloc(1, sizeof(*s)) : NULL;
		if (!s)
			return;
		s->key = key;
		s->low_cut = UINT64_MAX;
		HASH_ADD(hh, c->stacks, key, sizeof(s->key), s);
	}
	if (res->end == UNWIND_CUT)
		s->low_cut = min_t(u64, s->low_cut, res->sp);
	else
		s->base = max_t(u64, s->base, res->highest);
}

static void add_unwound(struct callchain *c, u32 max)
{
	const struct callchain_input *in = c->in;
	struct unwind_result res;
	struct thread *t;
	struct image *im;

	t = machine__thread(c->m, in->pid, in->tid, in->time);
	if (!t || !max)
		return;
	im = process__image_at(t->proc, in->time);
	if (unwinder__run(c->unwinder, c, im->id << 24 ^ im->gen, &in->unwind, c->ips, max, &res))
		return;
	c->stats.unwound++;
	note_stack(c, im->id, &res);
	c->last_end = res.end;
	if (res.end == UNWIND_CUT) {
		c->stats.cut++;
		if (res.needed > c->stats.needed)
			c->stats.needed = res.needed;
	} else if (res.end == UNWIND_NO_INFO) {
		c->stats.no_info++;
	}
	for (u32 i = 0; i < res.nr; i++)
		if (c->ips[i])
			add_ip(c, c->ips[i], PERF_RECORD_MISC_USER, 0);
}

static void reverse(struct callchain_frame *f, u32 nr)
{
	for (u32 i = 0, j = nr; i + 1 < j; i++) {
		struct callchain_frame tmp = f[i];

		f[i] = f[--j];
		f[j] = tmp;
	}
}

u32 callchain__resolve(struct callchain *c, const struct callchain_input *in,
		       const struct callchain_frame **frames)
{
	u32 nr = 0;

	c->in = in;
	c->nr = 0;
	c->last_end = UNWIND_COMPLETE;
	if (in->ips)
		nr = add_recorded(c);
	if (in->unwind.regs && in->unwind.abi)
		add_unwound(c, c->opts.max_stack - nr);
	if (c->opts.caller_order)
		reverse(c->frames, c->nr);
	if (c->nr)
		c->stats.chains++;
	*frames = c->frames;
	return c->nr;
}

void callchain__stats(const struct callchain *c, struct callchain_stats *st)
{
	struct stack *s, *tmp;

	*st = c->stats;
	st->needed_known = st->cut;
	HASH_ITER (hh, c->stacks, s, tmp) {
		if (s->low_cut == UINT64_MAX)
			continue;
		if (s->base > s->low_cut)
			st->needed = max_t(u64, st->needed, s->base - s->low_cut);
		else
			st->needed_known = false;
	}
}

enum unwind_end callchain__last_end(const struct callchain *c)
{
	return c->last_end;
}
