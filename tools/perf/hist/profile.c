// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "hist/callctx.h"
#include "hist/intern.h"
#include "hist/profile.h"
#include "lib/symbol/functions.h"

#define CACHE_SLOTS 16384u /* resolved addresses of this round, direct-mapped */

/* Stacks are folded beyond so many of them: about 24 MiB. */
#define FOLD_ENTRIES (1u << 16)
#define FOLD_NODES (1u << 18)
#define FOLD_KEEP 6 /* frames that a cold stack keeps */

/* What an address resolved to. Small: the table is to stay in the CPU's cache. */
struct resolved {
	u64 image, ip;
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
	u32 *frame_index; /* frame number + 1, by symbol or (dso, address); at most half full */
	u32 frame_mask;

	struct profile_entry *entry;
	u32 nr, cap;
	u32 *index; /* entry number + 1; at most half full */
	u32 mask;
	u32 *of_stack; /* by node: the last entry with that stack + 1; a shorter way than the index
			*/
	u64 cap_of_stack;

	struct intern *comms;
	struct intern *names; /* of symbols, for a sym key without dso */
	u32 *frame_of_name;   /* by name number: the first frame that has it */
	u32 cap_names;
	u64 *total, *samples; /* by event */
	struct resolved *cache;
	u32 round;
	u32 no_code; /* the frame of all addresses that are no code */
	u32 cold;    /* the frame that stands for callers that were folded */
	u32 fold_entries, fold_nodes;
	u64 folded; /* samples whose outer callers were folded */

	/* The last stack, outermost frame first: the next one often shares its beginning. */
	struct {
		u64 image;
		u32 round;
		u32 nr;
		u32 func[2 * SAMPLE_MAX_FRAMES];
		u32 node[2 * SAMPLE_MAX_FRAMES];
		/* Addresses, for the frames from the outermost one that was walked to; none when
		 * the stack was cut before it. */
		u32 nr_raw;
		u64 raw[2 * SAMPLE_MAX_FRAMES];
	} last;
};

static const struct symbol cold_callers = {.name = "[cold callers]"};

static s64 function_frame(struct profile *p, const struct profile_frame *f);

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
	p->frame_mask = 2 * p->cap_frames - 1;
	p->frame_index = calloc(p->frame_mask + 1, sizeof(*p->frame_index));
	p->same_name = malloc(p->cap_frames * sizeof(*p->same_name));
	p->comms = intern__new();
	p->names = intern__new();
	p->total = calloc(o->nr_events ? o->nr_events : 1, sizeof(*p->total));
	p->samples = calloc(o->nr_events ? o->nr_events : 1, sizeof(*p->samples));
	p->cache = calloc(CACHE_SLOTS, sizeof(*p->cache));
	p->round = 1;
	p->fold_entries = FOLD_ENTRIES;
	p->fold_nodes = FOLD_NODES;
	if (!p->ctx || !p->entry || !p->index || !p->frame || !p->frame_index || !p->names ||
	    !p->comms || !p->same_name || !p->total || !p->samples || !p->cache) {
		profile__delete(p);
		return NULL;
	}
	p->no_code = function_frame(p, &(struct profile_frame){});
	p->cold = function_frame(p, &(struct profile_frame){.sym = &cold_callers});
	return p;
}

void profile__delete(struct profile *p)
{
	if (!p)
		return;
	callctx__delete(p->ctx);
	free(p->frame_index);
	intern__delete(p->names);
	intern__delete(p->comms);
	free(p->same_name);
	free(p->frame_of_name);
	free(p->entry);
	free(p->of_stack);
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
	p->folded = 0;
	callctx__clear(p->ctx);
	p->last.nr = p->last.nr_raw = 0;
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

/* A function's frame: by its symbol, else by object and address. */
static u32 frame_slot(const struct profile *p, const struct profile_frame *f)
{
	u64 h = f->sym ? (uintptr_t)f->sym : (uintptr_t)f->dso ^ f->addr << 1;

	return (h * 0x9e3779b97f4a7c15ull >> 32) & p->frame_mask;
}

static bool same_function(const struct profile_frame *a, const struct profile_frame *b)
{
	return a->sym == b->sym && (a->sym || (a->dso == b->dso && a->addr == b->addr));
}

static int grow_frames(struct profile *p)
{
	struct profile_frame *frame = realloc(p->frame, 2ul * p->cap_frames * sizeof(*frame));
	u32 mask = 4 * p->cap_frames - 1, *same, *index;

	if (!frame)
		return -1;
	p->frame = frame;
	same = realloc(p->same_name, 2ul * p->cap_frames * sizeof(*same));
	if (!same)
		return -1;
	p->same_name = same;
	index = calloc(mask + 1ul, sizeof(*index));
	if (!index)
		return -1;
	free(p->frame_index);
	p->frame_index = index;
	p->frame_mask = mask;
	p->cap_frames *= 2;
	for (u32 i = 0; i < p->nr_frames; i++) {
		u32 s = frame_slot(p, &frame[i]);

		while (index[s])
			s = (s + 1) & mask;
		index[s] = i + 1;
	}
	return 0;
}

/* The number of the function that @f lies in (of the very address where there is no symbol), or -1.
 */
static s64 function_frame(struct profile *p, const struct profile_frame *f)
{
	u32 s;

	for (s = frame_slot(p, f); p->frame_index[s]; s = (s + 1) & p->frame_mask)
		if (same_function(&p->frame[p->frame_index[s] - 1], f))
			return p->frame_index[s] - 1;
	if (p->nr_frames == p->cap_frames) {
		if (grow_frames(p))
			return -1;
		for (s = frame_slot(p, f); p->frame_index[s]; s = (s + 1) & p->frame_mask)
			;
	}
	p->frame[p->nr_frames] = *f;
	p->frame[p->nr_frames].id = p->nr_frames;
	if (f->sym)
		p->frame[p->nr_frames].addr = f->sym->start;
	if (note_name(p, p->nr_frames))
		return -1;
	p->frame_index[s] = ++p->nr_frames;
	return p->nr_frames - 1;
}

static void resolve_exact(struct profile *p, const struct sample_agg *a, u64 ip,
			  struct profile_frame *f)
{
	bool kernel = (s64)ip < 0;
	struct addr_location al;

	machine__resolve(p->machine, a->pid, a->tid ? a->tid : a->pid,
			 kernel ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER, ip, a->time,
			 &al);
	*f = (struct profile_frame){
		.dso = al.dso,
		.sym = al.sym,
		.addr = al.dso ? al.addr : ip,
		.kernel = kernel,
	};
}

static u64 image_of(const struct sample_agg *a)
{
	return a->image ? a->image : (u64)a->pid << 32;
}

/*
 * Code without frame pointers uses that register as it likes, and the kernel then walks through
 * whatever it pointed to. A caller that no mapped code covers shows that; nothing beyond it is a
 * caller either.
 */
static bool is_no_code(const struct profile_frame *f)
{
	if (f->kernel || f->sym)
		return false;
	return !f->dso || (dso__kind(f->dso) == DSO_ANON && dso__name(f->dso)[0] == '[');
}

/* The number of the function's frame, or -1. */
static s64 resolve(struct profile *p, const struct sample_agg *a, u64 ip)
{
	bool kernel = (s64)ip < 0;
	u64 image = kernel ? 0 : image_of(a);
	u64 h = (ip ^ (image * 0x9e3779b97f4a7c15ull)) * 0xff51afd7ed558ccdull;
	struct resolved *r = &p->cache[(h >> 32) & (CACHE_SLOTS - 1)];
	struct profile_frame exact;
	s64 func;

	if (r->ip == ip && r->image == image && (kernel ? r->round : r->round == p->round))
		return r->func;
	resolve_exact(p, a, ip, &exact);
	if (is_no_code(&exact))
		exact = (struct profile_frame){}; /* all of them are one */
	else if (!exact.sym && exact.dso && dso__kind(exact.dso) == DSO_USER)
		dso__function_start(exact.dso, exact.addr, &exact.addr);
	func = function_frame(p, &exact);
	if (func >= 0)
		*r = (struct resolved){image, ip, func, p->round};
	return func;
}

/* How many frames, counted from the outermost one, are the very addresses of the last stack. The
 * sampled address is not among them: it is looked up as it is, a caller's one before. */
static u32 same_as_last(const struct profile *p, const struct sample_agg *a, u32 all)
{
	u32 n = 0;

	if (p->last.round != p->round || p->last.image != image_of(a))
		return 0;
	while (n < p->last.nr_raw && n + 1 < all && p->last.raw[n] == a->frames[all - 1 - n])
		n++;
	return n;
}

/* The stack as a node; its innermost frame is the sampled address, the others are return addresses.
 */
static s64 add_stack(struct profile *p, const struct sample_agg *a)
{
	u32 all = min_t(u32, a->nr_kernel + a->nr_user, ARRAY_SIZE(p->last.func));
	u32 known = same_as_last(p, a, all), nr = 0, node = 0, depth;
	u32 func[2 * SAMPLE_MAX_FRAMES];
	bool same = true, cut = false;

	while (nr < all - known && !cut) {
		u64 ip = a->frames[nr];
		/* A return address may be the next function's first: look up the call before it. */
		s64 f = resolve(p, a, nr && ip ? ip - 1 : ip);

		if (f < 0)
			return -1;
		func[nr++] = f;
		cut = nr > 1 && f == p->no_code;
	}
	depth = cut ? 0 : known;
	if (depth)
		node = p->last.node[depth - 1];
	p->last.nr_raw = cut || !all ? 0 : all - 1;
	for (u32 i = depth; i < p->last.nr_raw; i++)
		p->last.raw[i] = a->frames[all - 1 - i];
	p->last.image = image_of(a);
	p->last.round = p->round;
	for (u32 i = nr; i-- > 0; depth++) {
		same = same && depth < p->last.nr && p->last.func[depth] == func[i];
		if (same) {
			node = p->last.node[depth];
			continue;
		}
		node = callctx__child(p->ctx, node, func[i]);
		if (!node)
			return -1;
		p->last.func[depth] = func[i];
		p->last.node[depth] = node;
	}
	p->last.nr = depth;
	if (!all && a->ip) {
		s64 func = resolve(p, a, a->ip);

		node = func >= 0 ? callctx__child(p->ctx, 0, func) : 0;
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

/* Where the entry of a stack is noted, or NULL: there is none, or no memory. */
static u32 *note_of_stack(struct profile *p, u32 node)
{
	u64 cap = p->cap_of_stack ?: 4096;
	u32 *more;

	if (!node)
		return NULL;
	if (node < p->cap_of_stack)
		return &p->of_stack[node];
	while (cap <= node)
		cap *= 2;
	more = realloc(p->of_stack, cap * sizeof(*more));
	if (!more)
		return NULL;
	memset(more + p->cap_of_stack, 0, (cap - p->cap_of_stack) * sizeof(*more));
	p->of_stack = more;
	p->cap_of_stack = cap;
	return &p->of_stack[node];
}

static struct profile_entry *find_by_hash(struct profile *p, const struct profile_entry *key)
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

static struct profile_entry *find_entry(struct profile *p, const struct profile_entry *key)
{
	u32 *note = note_of_stack(p, key->stack);
	struct profile_entry *e;

	if (note && *note && *note <= p->nr && same_entry(&p->entry[*note - 1], key))
		return &p->entry[*note - 1];
	e = find_by_hash(p, key);
	if (note && e)
		*note = e - p->entry + 1;
	return e;
}

/* What of a resolved address is part of the key. */
static int fill_at(struct profile *p, const struct sample_agg *a, struct profile_entry *key)
{
	u32 keys = p->o.keys;
	bool stack = keys & SAMPLE_KEY_STACK, by_name = !stack && !(keys & SAMPLE_KEY_DSO);
	const struct profile_frame *f;
	s64 func;

	if (keys & SAMPLE_KEY_IP) {
		resolve_exact(p, a, a->ip, &key->at);
		return 0;
	}
	func = resolve(p, a, a->ip);
	if (func < 0)
		return -ENOMEM;
	f = &p->frame[func];
	key->at.kernel = f->kernel;
	if (!(keys & SAMPLE_KEY_SYM) && !stack) {
		key->at.dso = f->dso;
	} else if (f->sym) {
		key->at = by_name ? p->frame[p->same_name[func]] : *f;
	} else if (!by_name) {
		key->at.dso = f->dso;
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

/* The stack of @e in the tree @to: its @keep innermost frames, what is beyond as "[cold callers]".
 * 0: out of memory. */
static u32 copy_stack(struct profile *p, struct callctx *to, const struct profile_entry *e,
		      u32 keep)
{
	u32 path[2 * SAMPLE_MAX_FRAMES + 2], nr = 0, at = e->stack, node = 0;

	for (; at && nr < ARRAY_SIZE(path); at = callctx__parent(p->ctx, at)) {
		if (nr == keep) {
			path[nr++] = p->cold;
			break;
		}
		path[nr++] = callctx__frame(p->ctx, at);
	}
	while (nr) {
		node = callctx__child(to, node, path[--nr]);
		if (!node)
			return 0;
	}
	return node;
}

/* Entries of the same key are one again after their stacks have changed. */
static void merge_entries(struct profile *p)
{
	u32 nr = p->nr;

	memset(p->index, 0, (p->mask + 1ul) * sizeof(*p->index));
	p->nr = 0;
	for (u32 i = 0; i < nr; i++) {
		struct profile_entry e = p->entry[i], *to, key = e;

		key.count = key.samples = 0;
		to = find_entry(p, &key);
		to->count += e.count;
		to->samples += e.samples;
		to->folded |= e.folded;
	}
}

/*
 * Distinct stacks have no bound in a long run, memory has. When there are too many, those seen
 * least keep only their innermost frames; what they count stays counted, and the report says how
 * many samples it was.
 */
static int fold_once(struct profile *p, u64 rare, u32 keep)
{
	struct callctx *to = callctx__new();

	if (!to)
		return -ENOMEM;
	for (u32 i = 0; i < p->nr; i++) {
		struct profile_entry *e = &p->entry[i];
		u32 depth = callctx__depth(p->ctx, e->stack);
		bool whole = e->samples > rare || depth <= keep + 1;
		u32 node = copy_stack(p, to, e, whole ? depth : keep);

		if (e->stack && !node) {
			callctx__delete(to);
			return -ENOMEM;
		}
		if (!whole && !e->folded)
			p->folded += e->samples;
		e->folded |= !whole;
		e->stack = node;
	}
	callctx__delete(p->ctx);
	p->ctx = to;
	p->last.nr = p->last.nr_raw = 0;
	merge_entries(p);
	return 0;
}

static int fold_cold(struct profile *p)
{
	static const struct {
		u64 rare; /* samples of a stack that is folded, at most */
		u32 keep; /* frames that stay */
	} step[] = {{1, 6}, {4, 6}, {4, 3}, {16, 3}, {64, 2}, {256, 1}, {UINT64_MAX, 1}};

	for (size_t i = 0; i < ARRAY_SIZE(step); i++) {
		int err;

		if (p->nr <= p->fold_entries / 2 && callctx__nr(p->ctx) <= p->fold_nodes / 2)
			return 0;
		err = fold_once(p, step[i].rare, step[i].keep);
		if (err)
			return err;
	}
	/* What is left are keys, not stacks: no use in trying again soon. */
	while (p->nr > p->fold_entries / 2)
		p->fold_entries *= 2;
	while (callctx__nr(p->ctx) > p->fold_nodes / 2)
		p->fold_nodes *= 2;
	return 0;
}

u64 profile__folded(const struct profile *p)
{
	return p->folded;
}

int profile__add(struct profile *p, const struct sample_agg *a)
{
	struct profile_entry key = {.cpu = -1, .event = a->event}, *e;
	u64 count = p->o.by_period ? a->weight : a->count;
	u32 keys = p->o.keys;

	if (keys & SAMPLE_KEY_STACK) {
		s64 node;

		if ((p->nr >= p->fold_entries || callctx__nr(p->ctx) >= p->fold_nodes) &&
		    fold_cold(p))
			return -ENOMEM;
		node = add_stack(p, a);

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

u32 profile__nr_frames(const struct profile *p)
{
	return p->nr_frames;
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

/* What is compared first stands beside the pointer: sorting touches few entries. */
struct sort_item {
	u64 count, addr;
	const struct profile_entry *e;
};

static int by_count(const void *va, const void *vb)
{
	const struct sort_item *ia = va, *ib = vb;
	const struct profile_entry *a, *b;
	int c;

	if (ia->count != ib->count)
		return ia->count < ib->count ? -1 : 1;
	if (ia->addr != ib->addr)
		return ia->addr > ib->addr ? -1 : 1;
	a = ia->e;
	b = ib->e;
	if (a->at.sym != b->at.sym) {
		c = strcmp(profile_frame__sym(&b->at), profile_frame__sym(&a->at));
		if (c)
			return c;
	}
	if (a->comm != b->comm) {
		c = strcmp(b->comm ? b->comm : "", a->comm ? a->comm : "");
		if (c)
			return c;
	}
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
	struct sort_item *item = malloc((p->nr + 1ul) * sizeof(*item));
	const struct profile_entry **list = (void *)item;

	*nr = 0;
	if (!item)
		return NULL;
	for (u32 i = 0; i < p->nr; i++) {
		const struct profile_entry *e = &p->entry[i];

		if ((int)e->event == event)
			item[(*nr)++] = (struct sort_item){e->count, e->at.addr, e};
	}
	qsort(item, *nr, sizeof(*item), by_count);
	/* The pointers alone are handed out, in place: item i is read before list[i] can reach it.
	 */
	for (u32 i = 0; i < *nr; i++) {
		const struct profile_entry *e = item[i].e;

		memcpy(&list[i], &e, sizeof(e));
	}
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
