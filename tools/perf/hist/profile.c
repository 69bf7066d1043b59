// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "hist/callctx.h"
#include "hist/intern.h"
#include "hist/profile.h"

#define CACHE_SLOTS 16384u /* resolved addresses of this round, direct-mapped */

/* What an address resolved to. */
struct resolved {
	u64 image, ip;
	struct profile_frame exact;
	u32 func; /* frame number of the function (or address, without one) */
	u32 round;
};

struct profile {
	struct profile_opts o;
	struct machine *machine;
	struct callctx *ctx;

	struct profile_frame *frame; /* by frame number */
	u32 *same_name; /* by frame number: the first frame with a symbol of that name */
	u32 nr_frames, cap_frames;
	struct intern *frames_by_key;

	struct profile_entry *entry;
	u32 nr, cap;
	u32 *index; /* entry number + 1; at most half full */
	u32 mask;

	struct intern *comms;
	struct intern *names; /* of symbols, for a sym key without dso */
	u32 *frame_of_name;   /* by name number: the first frame that has it */
	u32 cap_names;
	u64 *total, *samples; /* by event */
	struct resolved *cache;
	u32 round;
};

struct profile *profile__new(const struct profile_opts *o, struct machine *machine)
{
	struct profile *p = calloc(1, sizeof(*p));

	if (!p)
		return NULL;
	p->o = *o;
	p->machine = machine;
	p->ctx = callctx__new();
	p->cap = 4096;
	p->mask = 2 * p->cap - 1;
	p->entry = malloc(p->cap * sizeof(*p->entry));
	p->index = calloc(p->mask + 1, sizeof(*p->index));
	p->cap_frames = 1024;
	p->frame = malloc(p->cap_frames * sizeof(*p->frame));
	p->frames_by_key = intern__new();
	p->same_name = malloc(p->cap_frames * sizeof(*p->same_name));
	p->comms = intern__new();
	p->names = intern__new();
	p->total = calloc(o->nr_events ? o->nr_events : 1, sizeof(*p->total));
	p->samples = calloc(o->nr_events ? o->nr_events : 1, sizeof(*p->samples));
	p->cache = calloc(CACHE_SLOTS, sizeof(*p->cache));
	p->round = 1;
	if (!p->ctx || !p->entry || !p->index || !p->frame || !p->frames_by_key || !p->names ||
	    !p->comms || !p->same_name || !p->total || !p->samples || !p->cache) {
		profile__delete(p);
		return NULL;
	}
	return p;
}

void profile__delete(struct profile *p)
{
	if (!p)
		return;
	callctx__delete(p->ctx);
	intern__delete(p->frames_by_key);
	intern__delete(p->names);
	intern__delete(p->comms);
	free(p->same_name);
	free(p->frame_of_name);
	free(p->entry);
	free(p->index);
	free(p->frame);
	free(p->total);
	free(p->samples);
	free(p->cache);
	free(p);
}

void profile__round(struct profile *p)
{
	p->round++;
}

void profile__clear(struct profile *p)
{
	memset(p->index, 0, (p->mask + 1ul) * sizeof(*p->index));
	p->nr = 0;
	callctx__clear(p->ctx);
	memset(p->total, 0, p->o.nr_events * sizeof(*p->total));
	memset(p->samples, 0, p->o.nr_events * sizeof(*p->samples));
}

/* Frame @n is new: which earlier frame has a symbol of the same name? Itself, where none has. */
static int note_name(struct profile *p, u32 n)
{
	const struct symbol *sym = p->frame[n].sym;
	u32 known = intern__nr(p->names);
	s64 id;

	p->same_name[n] = n;
	if (!sym)
		return 0;
	id = intern__id(p->names, sym->name, strlen(sym->name));
	if (id < 0)
		return -1;
	if (id < known) {
		p->same_name[n] = p->frame_of_name[id];
		return 0;
	}
	if (id >= p->cap_names) {
		u32 cap = p->cap_names ? p->cap_names * 2 : 1024;
		u32 *more = realloc(p->frame_of_name, cap * sizeof(*more));

		if (!more)
			return -1;
		p->frame_of_name = more;
		p->cap_names = cap;
	}
	p->frame_of_name[id] = n;
	return 0;
}

static int grow_frames(struct profile *p)
{
	struct profile_frame *frame = realloc(p->frame, 2ul * p->cap_frames * sizeof(*frame));
	u32 *same;

	if (!frame)
		return -1;
	p->frame = frame;
	same = realloc(p->same_name, 2ul * p->cap_frames * sizeof(*same));
	if (!same)
		return -1;
	p->same_name = same;
	p->cap_frames *= 2;
	return 0;
}

/* The number of the function that @f lies in (of the very address where there is no symbol), or -1.
 */
static s64 function_frame(struct profile *p, const struct profile_frame *f)
{
	struct {
		const void *what;
		u64 addr;
	} key = {f->sym ? (const void *)f->sym : f->dso, f->sym ? 0 : f->addr};
	s64 n = intern__id(p->frames_by_key, &key, sizeof(key));

	if (n < 0 || n < p->nr_frames)
		return n;
	if (p->nr_frames == p->cap_frames && grow_frames(p))
		return -1;
	p->frame[p->nr_frames] = *f;
	if (f->sym)
		p->frame[p->nr_frames].addr = f->sym->start;
	if (note_name(p, p->nr_frames))
		return -1;
	p->nr_frames++;
	return n;
}

static const struct resolved *resolve(struct profile *p, const struct sample_agg *a, u64 ip)
{
	bool kernel = (s64)ip < 0;
	u64 image = kernel ? 0 : a->image ? a->image : (u64)a->pid << 32;
	u64 h = (ip ^ (image * 0x9e3779b97f4a7c15ull)) * 0xff51afd7ed558ccdull;
	struct resolved *r = &p->cache[(h >> 32) & (CACHE_SLOTS - 1)];
	struct addr_location al;
	s64 func;

	if (r->ip == ip && r->image == image && (kernel ? r->round : r->round == p->round))
		return r;
	machine__resolve(p->machine, a->pid, a->tid ? a->tid : a->pid,
			 kernel ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER, ip, a->time,
			 &al);
	r->exact = (struct profile_frame){
		.dso = al.dso,
		.sym = al.sym,
		.addr = al.dso ? al.addr : ip,
		.kernel = kernel,
	};
	func = function_frame(p, &r->exact);
	if (func < 0)
		return NULL;
	r->image = image;
	r->ip = ip;
	r->round = p->round;
	r->func = func;
	return r;
}

/* The stack as a node; its innermost frame is the sampled address, the others are return addresses.
 */
static s64 add_stack(struct profile *p, const struct sample_agg *a)
{
	u32 nr = a->nr_kernel + a->nr_user, node = 0;

	for (u32 i = nr; i-- > 0;) {
		u64 ip = a->frames[i];
		const struct resolved *r;

		/* A return address may be the next function's first: look up the call before it. */
		if (i && ip)
			ip--;
		r = resolve(p, a, ip);
		if (!r)
			return -1;
		node = callctx__child(p->ctx, node, r->func);
		if (!node)
			return -1;
	}
	if (!nr && a->ip) {
		const struct resolved *r = resolve(p, a, a->ip);

		node = r ? callctx__child(p->ctx, 0, r->func) : 0;
		if (!node)
			return -1;
	}
	return node;
}

static u64 entry_hash(const struct profile_entry *e)
{
	const u64 word[] = {e->at.addr,
			    (uintptr_t)e->at.dso,
			    (uintptr_t)e->at.sym,
			    (uintptr_t)e->comm,
			    e->cgroup,
			    (u64)e->pid << 32 | e->tid,
			    (u64)e->event << 32 | (u32)e->cpu,
			    e->stack};
	u64 h = 0;

	for (size_t i = 0; i < ARRAY_SIZE(word); i++) {
		h = (h ^ word[i]) * 0x9e3779b97f4a7c15ull;
		h ^= h >> 32;
	}
	return h;
}

static bool same_entry(const struct profile_entry *a, const struct profile_entry *b)
{
	return a->at.addr == b->at.addr && a->at.dso == b->at.dso && a->at.sym == b->at.sym &&
	       a->comm == b->comm && a->cgroup == b->cgroup && a->pid == b->pid &&
	       a->tid == b->tid && a->event == b->event && a->cpu == b->cpu && a->stack == b->stack;
}

static int grow_entries(struct profile *p)
{
	u32 cap = p->cap * 2, mask = 2 * cap - 1, *index;
	void *more = realloc(p->entry, (size_t)cap * sizeof(*p->entry));

	if (!more)
		return -ENOMEM;
	p->entry = more;
	index = calloc(mask + 1ul, sizeof(*index));
	if (!index)
		return -ENOMEM;
	free(p->index);
	p->index = index;
	p->mask = mask;
	p->cap = cap;
	for (u32 i = 0; i < p->nr; i++) {
		u32 s = entry_hash(&p->entry[i]) & mask;

		while (index[s])
			s = (s + 1) & mask;
		index[s] = i + 1;
	}
	return 0;
}

static struct profile_entry *find_entry(struct profile *p, const struct profile_entry *key)
{
	u32 s;

	if (p->nr == p->cap && grow_entries(p))
		return NULL;
	for (s = entry_hash(key) & p->mask; p->index[s]; s = (s + 1) & p->mask)
		if (same_entry(&p->entry[p->index[s] - 1], key))
			return &p->entry[p->index[s] - 1];
	p->entry[p->nr] = *key;
	p->index[s] = ++p->nr;
	return &p->entry[p->nr - 1];
}

/* What of a resolved address is part of the key. */
static int fill_at(struct profile *p, const struct sample_agg *a, struct profile_entry *key)
{
	u32 keys = p->o.keys;
	const struct resolved *r = resolve(p, a, a->ip);
	bool stack = keys & SAMPLE_KEY_STACK;

	if (!r)
		return -ENOMEM;
	if (keys & SAMPLE_KEY_IP) {
		key->at = r->exact;
	} else if ((keys & SAMPLE_KEY_SYM) || (stack && !(keys & SAMPLE_KEY_DSO))) {
		key->at.kernel = r->exact.kernel;
		if (r->exact.sym) {
			bool by_name = !stack && !(keys & SAMPLE_KEY_DSO);

			key->at = p->frame[by_name ? p->same_name[r->func] : r->func];
		} else if (stack || (keys & SAMPLE_KEY_DSO)) {
			key->at.dso = r->exact.dso;
		}
	} else {
		key->at.dso = r->exact.dso;
		key->at.kernel = r->exact.kernel;
	}
	return 0;
}

/* The ring engine leaves the name to the side-band records. */
static const char *comm_of(struct profile *p, const struct sample_agg *a)
{
	const struct thread *t;
	const char *comm;

	if (a->comm)
		return a->comm;
	t = machine__thread(p->machine, a->pid, a->tid, a->time);
	comm = t ? thread__comm(t, a->time) : NULL;
	return comm ? comm : "";
}

int profile__add(struct profile *p, const struct sample_agg *a)
{
	struct profile_entry key = {.cpu = -1, .event = a->event}, *e;
	u64 count = p->o.by_period ? a->weight : a->count;
	u32 keys = p->o.keys;

	if (keys & SAMPLE_KEY_STACK) {
		s64 node = add_stack(p, a);

		if (node < 0)
			return -ENOMEM;
		key.stack = node;
	}
	if (keys & (SAMPLE_KEY_ADDR | SAMPLE_KEY_STACK) && fill_at(p, a, &key))
		return -ENOMEM;
	if (keys & SAMPLE_KEY_COMM) {
		key.comm = intern__str(p->comms, comm_of(p, a));
		if (!key.comm)
			return -ENOMEM;
	}
	if (keys & (SAMPLE_KEY_PID | SAMPLE_KEY_TID))
		key.pid = a->pid;
	if (keys & SAMPLE_KEY_TID)
		key.tid = a->tid;
	if (keys & SAMPLE_KEY_CPU)
		key.cpu = a->cpu;
	if (keys & SAMPLE_KEY_CGROUP)
		key.cgroup = a->cgroup;
	e = find_entry(p, &key);
	if (!e)
		return -ENOMEM;
	e->count += count;
	e->samples += a->count;
	p->total[a->event] += count;
	p->samples[a->event] += a->count;
	return 0;
}

u64 profile__total(const struct profile *p, int event)
{
	return p->total[event];
}

u64 profile__samples(const struct profile *p, int event)
{
	return p->samples[event];
}

u32 profile__nr(const struct profile *p)
{
	return p->nr;
}

u32 profile__keys(const struct profile *p)
{
	return p->o.keys;
}

const char *profile_frame__sym(const struct profile_frame *f)
{
	return f->sym ? f->sym->name : "[unknown]";
}

const char *profile_frame__dso(const struct profile_frame *f)
{
	return f->dso ? dso__short_name(f->dso) : "[unknown]";
}

static int by_count(const void *va, const void *vb)
{
	const struct profile_entry *a = *(const struct profile_entry *const *)va;
	const struct profile_entry *b = *(const struct profile_entry *const *)vb;
	int c;

	if (a->count != b->count)
		return a->count < b->count ? -1 : 1;
	c = strcmp(profile_frame__sym(&b->at), profile_frame__sym(&a->at));
	if (c)
		return c;
	if (a->at.addr != b->at.addr)
		return a->at.addr > b->at.addr ? -1 : 1;
	c = strcmp(b->comm ? b->comm : "", a->comm ? a->comm : "");
	if (c)
		return c;
	if (a->pid != b->pid)
		return a->pid > b->pid ? -1 : 1;
	if (a->tid != b->tid)
		return a->tid > b->tid ? -1 : 1;
	if (a->cpu != b->cpu)
		return a->cpu > b->cpu ? -1 : 1;
	return a->stack > b->stack ? -1 : a->stack < b->stack;
}

const struct profile_entry **profile__sorted(struct profile *p, int event, u32 *nr)
{
	const struct profile_entry **list = malloc((p->nr + 1ul) * sizeof(*list));

	*nr = 0;
	if (!list)
		return NULL;
	for (u32 i = 0; i < p->nr; i++)
		if ((int)p->entry[i].event == event)
			list[(*nr)++] = &p->entry[i];
	qsort(list, *nr, sizeof(*list), by_count);
	return list;
}

u32 profile__stack_next(const struct profile *p, u32 node, struct profile_frame *frame)
{
	if (!node)
		return 0;
	*frame = p->frame[callctx__frame(p->ctx, node)];
	return callctx__parent(p->ctx, node);
}

u32 profile__stack_depth(const struct profile *p, u32 node)
{
	return callctx__depth(p->ctx, node);
}
