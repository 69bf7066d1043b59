// SPDX-License-Identifier: GPL-2.0-only
/* What /sys tells about CPUs, nodes, caches, memory blocks and PMUs, as feature sections. */
#include <endian.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/api/sysfs.h"
#include "session/writer-internal.h"

static bool read_str(char *buf, size_t size, const char *fmt, ...) __printf(3, 4);
static bool read_str(char *buf, size_t size, const char *fmt, ...)
{
	char path[256];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(path, sizeof(path), fmt, ap);
	va_end(ap);
	return sysfs__read_str(path, buf, size) > 0;
}

static u32 read_cpu(int cpu, const char *file)
{
	char path[128];
	s64 v;

	snprintf(path, sizeof(path), "devices/system/cpu/cpu%d/topology/%s", cpu, file);
	return sysfs__read_int(path, &v) ? (u32)-1 : (u32)v;
}

/* ---- strings without repeats ---- */
struct strset {
	char **s;
	u32 nr;
};

static void strset__add(struct strset *set, const char *s)
{
	char **more;

	for (u32 i = 0; i < set->nr; i++)
		if (!strcmp(set->s[i], s))
			return;
	more = realloc(set->s, (set->nr + 1) * sizeof(*more));
	if (!more)
		return;
	set->s = more;
	set->s[set->nr] = strdup(s);
	if (set->s[set->nr])
		set->nr++;
}

static void strset__put(struct strset *set, struct wbuf *b)
{
	wbuf__u32(b, set->nr);
	for (u32 i = 0; i < set->nr; i++) {
		wbuf__str(b, set->s[i]);
		free(set->s[i]);
	}
	free(set->s);
}

static bool cpu_list(char *buf, size_t size, int cpu, const char *file)
{
	return read_str(buf, size, "devices/system/cpu/cpu%d/topology/%s", cpu, file);
}

bool writer__cpu_topology(struct wbuf *b)
{
	int nr = sysconf(_SC_NPROCESSORS_CONF);
	struct strset cores = {}, threads = {}, dies = {};
	bool has_die = false;
	char list[4096];

	for (int c = 0; c < nr; c++) {
		/* The newer name first; the older one is there as well. */
		if (cpu_list(list, sizeof(list), c, "package_cpus_list") ||
		    cpu_list(list, sizeof(list), c, "core_siblings_list"))
			strset__add(&cores, list);
		if (cpu_list(list, sizeof(list), c, "core_cpus_list") ||
		    cpu_list(list, sizeof(list), c, "thread_siblings_list"))
			strset__add(&threads, list);
		if (cpu_list(list, sizeof(list), c, "die_cpus_list")) {
			strset__add(&dies, list);
			has_die = true;
		}
	}
	if (!cores.nr && !threads.nr)
		return false;
	strset__put(&cores, b);
	strset__put(&threads, b);
	for (int c = 0; c < nr; c++) {
		wbuf__u32(b, read_cpu(c, "core_id"));
		wbuf__u32(b, read_cpu(c, "physical_package_id"));
	}
	if (!has_die)
		return true;
	strset__put(&dies, b);
	for (int c = 0; c < nr; c++)
		wbuf__u32(b, read_cpu(c, "die_id"));
	return true;
}

/* ---- NUMA ---- */
/* "Node 0 MemTotal:       24576 kB": the number behind @key. */
static u64 meminfo(const char *text, const char *key)
{
	const char *p = strstr(text, key);

	return p ? strtoull(p + strlen(key), NULL, 10) : 0;
}

struct node_ctx {
	struct wbuf *b;
	u32 nr;
};

static int put_node(void *ctx, const char *name)
{
	struct node_ctx *n = ctx;
	char text[4096], cpus[1024] = "";
	int node;
	char junk;

	if (sscanf(name, "node%d%c", &node, &junk) != 1)
		return 0;
	if (!read_str(text, sizeof(text), "devices/system/node/node%d/meminfo", node))
		return 0;
	read_str(cpus, sizeof(cpus), "devices/system/node/node%d/cpulist", node);
	wbuf__u32(n->b, node);
	wbuf__u64(n->b, meminfo(text, "MemTotal:"));
	wbuf__u64(n->b, meminfo(text, "MemFree:"));
	wbuf__str(n->b, cpus);
	n->nr++;
	return 0;
}

bool writer__numa_topology(struct wbuf *b)
{
	struct node_ctx n = {.b = b};
	size_t at = b->n;

	wbuf__u32(b, 0);
	sysfs__each("devices/system/node", put_node, &n);
	wbuf__set_u32(b, at, n.nr);
	return n.nr > 0;
}

/* ---- caches ---- */
struct cache {
	u32 level, line, sets, ways;
	char type[32], size[32], map[1024];
};

static bool read_cache(int cpu, int index, struct cache *c)
{
	static const struct {
		const char *file;
		size_t at;
	} numbers[] = {
		{"level", offsetof(struct cache, level)},
		{"coherency_line_size", offsetof(struct cache, line)},
		{"number_of_sets", offsetof(struct cache, sets)},
		{"ways_of_associativity", offsetof(struct cache, ways)},
	};

	memset(c, 0, sizeof(*c));
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++) {
		char path[128];
		s64 v;

		snprintf(path, sizeof(path), "devices/system/cpu/cpu%d/cache/index%d/%s", cpu,
			 index, numbers[i].file);
		if (sysfs__read_int(path, &v))
			return false;
		*(u32 *)((u8 *)c + numbers[i].at) = v;
	}
	return read_str(c->type, sizeof(c->type), "devices/system/cpu/cpu%d/cache/index%d/type",
			cpu, index) &&
	       read_str(c->size, sizeof(c->size), "devices/system/cpu/cpu%d/cache/index%d/size",
			cpu, index) &&
	       read_str(c->map, sizeof(c->map),
			"devices/system/cpu/cpu%d/cache/index%d/shared_cpu_list", cpu, index);
}

static int cmp_cache(const void *a, const void *b)
{
	const struct cache *x = a, *y = b;

	return x->level < y->level ? -1 : x->level > y->level;
}

/* Each cache once, however many CPUs share it. */
static struct cache *find_caches(u32 *nr)
{
	int cpus = sysconf(_SC_NPROCESSORS_CONF);
	struct cache *list = NULL, c;
	u32 n = 0;

	for (int cpu = 0; cpu < cpus; cpu++) {
		for (int index = 0; index < 10 && read_cache(cpu, index, &c); index++) {
			struct cache *more;
			u32 i = 0;

			while (i < n && memcmp(&list[i], &c, sizeof(c)))
				i++;
			if (i < n)
				continue;
			more = realloc(list, (n + 1) * sizeof(*list));
			if (!more)
				break;
			list = more;
			list[n++] = c;
		}
	}
	*nr = n;
	return list;
}

bool writer__cache(struct wbuf *b)
{
	u32 nr;
	struct cache *list = find_caches(&nr);

	if (nr)
		qsort(list, nr, sizeof(*list), cmp_cache);
	wbuf__u32(b, 1); /* version */
	wbuf__u32(b, nr);
	for (u32 i = 0; i < nr; i++) {
		wbuf__u32(b, list[i].level);
		wbuf__u32(b, list[i].line);
		wbuf__u32(b, list[i].sets);
		wbuf__u32(b, list[i].ways);
		wbuf__str(b, list[i].type);
		wbuf__str(b, list[i].size);
		wbuf__str(b, list[i].map);
	}
	free(list);
	return nr > 0;
}

/* ---- memory blocks ---- */
struct mem_ctx {
	struct wbuf *b;
	u64 *bits, words;
	u64 nr_nodes, size;
};

static int count_block(void *ctx, const char *name)
{
	struct mem_ctx *m = ctx;
	unsigned int block;
	char junk;

	if (sscanf(name, "memory%u%c", &block, &junk) != 1)
		return 0;
	if (block / 64 >= m->words) {
		u64 words = block / 64 + 1, *more = realloc(m->bits, words * sizeof(*more));

		if (!more)
			return -1;
		memset(more + m->words, 0, (words - m->words) * sizeof(*more));
		m->bits = more;
		m->words = words;
	}
	m->bits[block / 64] |= 1ULL << (block % 64);
	m->size++;
	return 0;
}

static int put_mem_node(void *ctx, const char *name)
{
	struct mem_ctx *m = ctx;
	char dir[64];
	int node;
	char junk;

	if (sscanf(name, "node%d%c", &node, &junk) != 1)
		return 0;
	free(m->bits);
	m->bits = NULL;
	m->words = m->size = 0;
	snprintf(dir, sizeof(dir), "devices/system/node/node%d", node);
	sysfs__each(dir, count_block, m);
	if (!m->size)
		return 0;
	wbuf__u64(m->b, node);
	wbuf__u64(m->b, m->size);
	wbuf__u64(m->b, m->words * 64); /* bits, then the words */
	wbuf__put(m->b, m->bits, m->words * 8);
	m->nr_nodes++;
	return 0;
}

bool writer__mem_topology(struct wbuf *b)
{
	struct mem_ctx m = {.b = b};
	char text[64];
	size_t at;

	if (!read_str(text, sizeof(text), "devices/system/memory/block_size_bytes"))
		return false;
	wbuf__u64(b, 1); /* version */
	wbuf__u64(b, strtoull(text, NULL, 16));
	at = b->n;
	wbuf__u64(b, 0);
	sysfs__each("devices/system/node", put_mem_node, &m);
	wbuf__set_u32(b, at + (__BYTE_ORDER == __BIG_ENDIAN ? 4 : 0), m.nr_nodes);
	free(m.bits);
	return m.nr_nodes > 0;
}

/* ---- PMUs ---- */
static int put_pmu(void *ctx, const char *name)
{
	struct node_ctx *n = ctx;
	char path[300];
	s64 type;

	snprintf(path, sizeof(path), "bus/event_source/devices/%s/type", name);
	if (name[0] == '.' || sysfs__read_int(path, &type))
		return 0;
	wbuf__u32(n->b, type);
	wbuf__str(n->b, name);
	n->nr++;
	return 0;
}

bool writer__pmu_mappings(struct wbuf *b)
{
	struct node_ctx n = {.b = b};
	size_t at = b->n;

	wbuf__u32(b, 0);
	sysfs__each("bus/event_source/devices", put_pmu, &n);
	wbuf__set_u32(b, at, n.nr);
	return n.nr > 0;
}
