// SPDX-License-Identifier: GPL-2.0-only
/* Maps of one address space through time. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "session/machine-internal.h"

#define FOREVER UINT64_MAX
/* Beyond this depth of forks without an exec a child gets copies rather than a parent to ask. */
#define MAX_DEPTH 8

struct map *map__new(u64 start, u64 end, u64 pgoff, u32 prot, u64 since, struct dso *dso)
{
	struct map *map = calloc(1, sizeof(*map));

	if (!map)
		return NULL;
	map->start = start;
	map->end = end;
	map->pgoff = pgoff;
	map->prot = prot;
	map->since = since;
	map->until = FOREVER;
	map->dso = dso;
	if (dso)
		dso__get(dso);
	return map;
}

void map__delete(struct map *map)
{
	if (!map)
		return;
	if (map->dso)
		dso__put(map->dso);
	free(map);
}

static struct map *map__part(const struct map *from, u64 start, u64 end)
{
	struct map *map = map__new(start, end, from->pgoff + (start - from->start), from->prot,
				   from->since, from->dso);

	if (map) {
		map->shift = from->shift;
		map->identity = from->identity;
	}
	return map;
}

u64 map__start(const struct map *map)
{
	return map->start;
}

u64 map__end(const struct map *map)
{
	return map->end;
}

u64 map__pgoff(const struct map *map)
{
	return map->pgoff;
}

struct dso *map__dso(const struct map *map)
{
	return map->dso;
}

u64 map__ip2addr(struct map *map, u64 ip)
{
	if (map->identity || !map->dso)
		return ip - (u64)map->shift;
	return dso__file_offset_to_addr(map->dso, ip - map->start + map->pgoff);
}

u64 map__ip2offset(const struct map *map, u64 ip)
{
	return map->identity || !map->dso ? ip : ip - map->start + map->pgoff;
}

u64 map__addr2ip(struct map *map, u64 addr)
{
	if (map->identity || !map->dso)
		return addr + (u64)map->shift;
	return dso__addr_to_file_offset(map->dso, addr) - map->pgoff + map->start;
}

struct image *image__new(struct machine *m, u64 start)
{
	struct image *im = calloc(1, sizeof(*im));

	if (!im)
		return NULL;
	im->id = ++m->next_image;
	im->start = start;
	im->refs = 1;
	return im;
}

void image__put(struct image *im)
{
	while (im && !--im->refs) {
		struct image *parent = im->parent;

		for (u32 i = 0; i < im->nr; i++)
			map__delete(im->cur[i]);
		for (u32 i = 0; i < im->nr_old; i++)
			map__delete(im->old[i]);
		free(im->cur);
		free(im->old);
		free(im);
		im = parent;
	}
}

/* The first current map that ends behind @ip. */
static u32 lower_bound(const struct image *im, u64 ip)
{
	u32 lo = 0, hi = im->nr;

	while (lo < hi) {
		u32 mid = lo + (hi - lo) / 2;

		if (im->cur[mid]->end <= ip)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static int make_room(struct map ***arr, u32 *cap, u32 want)
{
	u32 n = *cap ? *cap : 4;
	struct map **p;

	if (want <= *cap)
		return 0;
	while (n < want)
		n *= 2;
	p = reallocarray(*arr, n, sizeof(*p));
	if (!p)
		return -ENOMEM;
	*arr = p;
	*cap = n;
	return 0;
}

/* Puts @map, which overlaps none, among the current ones. Takes it over. */
static int put_current(struct image *im, struct map *map)
{
	u32 at;

	if (!map || make_room(&im->cur, &im->cap, im->nr + 1)) {
		map__delete(map);
		return -ENOMEM;
	}
	at = lower_bound(im, map->start);
	memmove(&im->cur[at + 1], &im->cur[at], (im->nr - at) * sizeof(*im->cur));
	im->cur[at] = map;
	im->nr++;
	return 0;
}

static int put_old(struct image *im, struct map *map, u64 until)
{
	if (!map || make_room(&im->old, &im->cap_old, im->nr_old + 1)) {
		map__delete(map);
		return -ENOMEM;
	}
	map->until = until;
	im->old[im->nr_old++] = map;
	return 0;
}

static bool same_mapping(const struct map *a, const struct map *b)
{
	return a->start == b->start && a->end == b->end && a->pgoff == b->pgoff && a->dso == b->dso;
}

/* Takes the current map at @at out, valid until @until, and puts back what of it lies outside
 * [start, end). */
static int shadow(struct image *im, u32 at, u64 start, u64 end, u64 until)
{
	struct map *c = im->cur[at];
	int err = 0;

	memmove(&im->cur[at], &im->cur[at + 1], (im->nr - at - 1) * sizeof(*im->cur));
	im->nr--;
	if (c->start < start)
		err = put_current(im, map__part(c, c->start, start));
	if (c->end > end && !err)
		err = put_current(im, map__part(c, end, c->end));
	return put_old(im, c, until) ?: err;
}

int image__insert(struct image *im, struct map *map)
{
	u64 pos = map->start, hidden = FOREVER;
	int err = 0;

	if (map->end <= map->start) {
		map__delete(map);
		return 0;
	}
	im->gen++;
	for (u32 at = lower_bound(im, map->start); at < im->nr && !err;) {
		struct map *c = im->cur[at];

		if (c->start >= map->end)
			break;
		if (same_mapping(c, map)) {
			if (map->since < c->since)
				c->since = map->since;
			map__delete(map);
			return 0;
		}
		if (c->since > map->since) {
			/* records came out of order: what is there is newer and stays */
			u64 c_start = c->start, c_end = c->end;

			if (c->since < hidden)
				hidden = c->since;
			if (c_start > pos)
				err = put_current(im, map__part(map, pos, c_start));
			pos = c_end;
			at = lower_bound(im, c_end);
			continue;
		}
		err = shadow(im, at, map->start, map->end, map->since);
		at = lower_bound(im, pos);
	}
	if (err || hidden == FOREVER)
		return err ? (map__delete(map), err) : put_current(im, map);
	if (pos < map->end)
		err = put_current(im, map__part(map, pos, map->end));
	return put_old(im, map, hidden) ?: err;
}

void image__unmap(struct image *im, u64 start, u64 time)
{
	u32 at = lower_bound(im, start);

	if (at >= im->nr || im->cur[at]->start != start)
		return;
	im->gen++;
	shadow(im, at, im->cur[at]->start, im->cur[at]->end, time);
}

static struct map *current_at(const struct image *im, u64 ip)
{
	u32 at = lower_bound(im, ip);

	return at < im->nr && im->cur[at]->start <= ip ? im->cur[at] : NULL;
}

static struct map *find_at(const struct image *im, u64 ip, u64 time)
{
	struct map *c = current_at(im, ip), *best = NULL;

	if (c && c->since <= time)
		return c;
	for (u32 i = 0; i < im->nr_old; i++) {
		struct map *o = im->old[i];

		if (ip >= o->start && ip < o->end && o->since <= time && time < o->until &&
		    (!best || o->since > best->since))
			best = o;
	}
	return best;
}

struct map *image__find(const struct image *im, u64 ip, u64 time)
{
	struct map *map = find_at(im, ip, time);
	const struct image *up = im;

	while (!map && up->parent) {
		u64 t = min_t(u64, time, up->fork_time);

		up = up->parent;
		map = find_at(up, ip, t);
	}
	/* A map that this same image made a little later: clocks of a sample and of a record may
	 * differ by that little, and nothing else was ever there. */
	return map ?: current_at(im, ip);
}

void image__prune(struct image *im, u64 time)
{
	u32 out = 0;

	if (im->refs > 1 || !im->nr_old) /* a child may still ask for what was there at its fork */
		return;
	for (u32 i = 0; i < im->nr_old; i++) {
		if (im->old[i]->until < time)
			map__delete(im->old[i]);
		else
			im->old[out++] = im->old[i];
	}
	if (out != im->nr_old)
		im->gen++;
	im->nr_old = out;
}

/* Copies what @child would find in its ancestors. */
static int copy_visible(struct image *child, const struct image *im, u64 time)
{
	for (; im; time = min_t(u64, time, im->fork_time), im = im->parent) {
		for (u32 i = 0; i < im->nr; i++) {
			struct map *c = im->cur[i], *copy;

			if (c->since > time || current_at(child, c->start))
				continue;
			copy = map__part(c, c->start, c->end);
			if (!copy)
				return -ENOMEM;
			if (image__insert(child, copy))
				return -ENOMEM;
		}
	}
	return 0;
}

int image__inherit(struct image *child, struct image *parent, u64 time)
{
	if (child->parent || child == parent)
		return 0;
	if (parent->depth >= MAX_DEPTH)
		return copy_visible(child, parent, time);
	child->parent = parent;
	child->fork_time = time;
	child->depth = parent->depth + 1;
	child->gen++;
	parent->refs++;
	return 0;
}
