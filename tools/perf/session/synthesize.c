// SPDX-License-Identifier: GPL-2.0-only
/* Records of the kernel, its modules, and of the processes that run already. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "lib/api/fs.h"
#include "lib/api/procfs.h"
#include "lib/symbol/elf-image.h"
#include "session/perf_data.h"
#include "session/synthesize.h"

#define ALIGN8(n) (((n) + 7) & ~(size_t)7)

u32 synth__id_size(const struct perf_event_attr *attr)
{
	u64 bits = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID |
		   PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER;

	return attr->sample_id_all ? 8 * __builtin_popcountll(attr->sample_type & bits) : 0;
}

/* A record is built in here: the largest has a path, and the trailer. */
union buffer {
	struct perf_event_header h;
	char bytes[sizeof(struct perf_event_header) + 128 + PATH_MAX + 64];
};

/* Ends the string at @str, pads it, adds the trailer, and hands the record on. */
static int emit_with_string(struct synth *s, union buffer *b, char *str, const char *text)
{
	size_t n = strlen(text), off = str - b->bytes, padded;

	if (n >= PATH_MAX)
		n = PATH_MAX - 1;
	padded = ALIGN8(off + n + 1);
	memcpy(str, text, n);
	memset(str + n, 0, padded - off - n + s->id_size);
	b->h.size = padded + s->id_size;
	return s->emit(s->ctx, &b->h);
}

/* ---- kernel ---- */

struct kernel_range {
	u64 text, stext, etext;
	int lines;
};

static int kallsyms_line(void *ctx, char *line)
{
	struct kernel_range *k = ctx;
	char *end;
	u64 addr = strtoull(line, &end, 16);

	/* Restricted: all addresses are zero, no need to read 10 MB of them. */
	if (!addr && ++k->lines > 1000 && !k->text)
		return 1;
	if (end[0] != ' ' || !end[1] || end[2] != ' ')
		return 0;
	end += 3;
	if (end[0] != '_')
		return 0;
	if (!strcmp(end, "_text"))
		k->text = addr;
	else if (!strcmp(end, "_stext"))
		k->stext = addr;
	else if (!strcmp(end, "_etext"))
		k->etext = addr;
	return k->etext && (k->text || k->stext);
}

/* The map's name tells the reader which symbol's address pgoff is, so that it can find the kernel
 * moved (KASLR). */
int synth__kernel(struct synth *s)
{
	struct kernel_range k = {0};
	struct {
		struct perf_event_header h;
		u32 pid, tid;
		u64 start, len, pgoff;
		char name[];
	} * m;
	union buffer b;
	const char *name;

	fs__each_line("/proc/kallsyms", kallsyms_line, &k);
	name = k.text ? "[kernel.kallsyms]_text" : "[kernel.kallsyms]_stext";
	if (!k.text)
		k.text = k.stext;
	s->kernel_restricted = !k.text || k.etext <= k.text;
	if (s->kernel_restricted)
		return 0;
	m = (void *)&b;
	m->h = (struct perf_event_header){.type = PERF_RECORD_MMAP,
					  .misc = PERF_RECORD_MISC_KERNEL};
	m->pid = -1;
	m->tid = 0;
	m->start = k.text;
	m->len = k.etext - k.text;
	m->pgoff = k.text;
	return emit_with_string(s, &b, m->name, name);
}

struct modules {
	struct synth *s;
	char *dep; /* text of modules.dep */
	const char *dir;
};

/* "nf_tables" -> "/lib/modules/REL/kernel/net/netfilter/nf_tables.ko.xz", or "[nf_tables]". */
static void module_path(const struct modules *m, const char *name, char *path, size_t size)
{
	size_t n = strlen(name);

	for (const char *line = m->dep; line && *line;) {
		const char *colon = strchr(line, ':'), *eol = strchr(line, '\n'), *base;
		size_t i;

		if (!colon)
			break;
		base = memrchr(line, '/', colon - line);
		base = base ? base + 1 : line;
		for (i = 0; i < n; i++)
			if (base[i] != name[i] && !(base[i] == '-' && name[i] == '_'))
				break;
		if (i == n && !strncmp(base + n, ".ko", 3)) {
			snprintf(path, size, "%s/%.*s", m->dir, (int)(colon - line), line);
			return;
		}
		line = eol ? eol + 1 : NULL;
	}
	snprintf(path, size, "[%s]", name);
}

static int module_line(void *ctx, char *line)
{
	struct modules *m = ctx;
	struct {
		struct perf_event_header h;
		u32 pid, tid;
		u64 start, len, pgoff;
		char name[];
	} * ev;
	char name[256], path[PATH_MAX];
	unsigned long long size, addr;
	union buffer b;

	if (sscanf(line, "%255s %llu %*s %*s %*s 0x%llx", name, &size, &addr) != 3 || !addr)
		return 0;
	module_path(m, name, path, sizeof(path));
	ev = (void *)&b;
	ev->h = (struct perf_event_header){.type = PERF_RECORD_MMAP,
					   .misc = PERF_RECORD_MISC_KERNEL};
	ev->pid = -1;
	ev->tid = 0;
	ev->start = addr;
	ev->len = size;
	ev->pgoff = 0;
	return emit_with_string(m->s, &b, ev->name, path);
}

int synth__modules(struct synth *s)
{
	struct modules m = {.s = s};
	char dir[256], dep[300];
	struct utsname u;
	int err;

	if (uname(&u))
		return 0;
	snprintf(dir, sizeof(dir), "/lib/modules/%s", u.release);
	snprintf(dep, sizeof(dep), "%s/modules.dep", dir);
	m.dir = dir;
	m.dep = fs__read_all(-1, dep, 16 << 20, NULL);
	err = fs__each_line("/proc/modules", module_line, &m);
	free(m.dep);
	return err == -ENOENT ? 0 : err;
}

/* ---- processes ---- */

static int emit_fork(struct synth *s, pid_t pid, pid_t tid, pid_t ppid, pid_t ptid)
{
	struct {
		struct perf_event_header h;
		u32 pid, ppid, tid, ptid;
		u64 time;
		char trailer[64];
	} f = {
		/* A map that follows belongs to the new process: its parent's are not copied. */
		.h = {.type = PERF_RECORD_FORK, .misc = PERF_RECORD_MISC_FORK_EXEC},
		.pid = pid,
		.tid = tid,
		.ppid = ppid,
		.ptid = ptid,
	};

	f.h.size = offsetof(typeof(f), trailer) + s->id_size;
	return s->emit(s->ctx, &f.h);
}

static int emit_comm(struct synth *s, pid_t pid, pid_t tid)
{
	struct {
		struct perf_event_header h;
		u32 pid, tid;
		char comm[];
	} * c;
	union buffer b;
	char comm[64];

	if (procfs__comm(tid, comm, sizeof(comm)) < 0)
		return 0;
	comm[15] = 0;
	c = (void *)&b;
	c->h = (struct perf_event_header){.type = PERF_RECORD_COMM};
	c->pid = pid;
	c->tid = tid;
	return emit_with_string(s, &b, c->comm, comm);
}

/* In the order of the kernel's NET, UTS, IPC, PID, USER, MNT, CGROUP indices. */
static int emit_namespaces(struct synth *s, pid_t pid, pid_t tid)
{
	static const char *const names[] = {"net", "uts", "ipc", "pid", "user", "mnt", "cgroup"};
	struct {
		struct perf_event_header h;
		u32 pid, tid;
		u64 nr;
		struct {
			u64 dev, ino;
		} ns[ARRAY_SIZE(names)];
		char trailer[64];
	} ev = {
		.h = {.type = PERF_RECORD_NAMESPACES},
		.pid = pid,
		.tid = tid,
		.nr = ARRAY_SIZE(names),
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		char path[64];
		struct stat st;

		snprintf(path, sizeof(path), "/proc/%d/ns/%s", tid, names[i]);
		if (stat(path, &st))
			continue;
		ev.ns[i].dev = st.st_dev;
		ev.ns[i].ino = st.st_ino;
	}
	ev.h.size = offsetof(typeof(ev), trailer) + s->id_size;
	return s->emit(s->ctx, &ev.h);
}

static bool read_build_id(const char *path, struct build_id *id)
{
	/* A FIFO of that name must not hold us. */
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	struct elf_image *e = fd >= 0 ? elf_image__open_fd(fd) : NULL;
	bool ok = e && !elf_image__build_id(e, id);

	if (e)
		elf_image__close(e);
	if (fd >= 0)
		close(fd);
	return ok;
}

/* The same libraries come again with every process: the last answer of each slot is kept. */
static bool file_build_id(pid_t pid, const struct proc_map *m, struct build_id *id)
{
	static struct {
		u64 ino;
		u32 maj, min;
		bool ok;
		struct build_id id;
	} cache[256], *c;
	char path[PATH_MAX + 64];

	if (m->path[0] != '/' || !m->ino)
		return false;
	c = &cache[(m->ino ^ m->min) % ARRAY_SIZE(cache)];
	if (c->ino != m->ino || c->maj != m->maj || c->min != m->min) {
		/* The file as it is mapped, even deleted or in another mount namespace. */
		snprintf(path, sizeof(path), "/proc/%d/map_files/%llx-%llx", pid,
			 (unsigned long long)m->start, (unsigned long long)m->end);
		c->ok = read_build_id(path, &c->id);
		if (!c->ok) {
			snprintf(path, sizeof(path), "/proc/%d/root%s", pid, m->path);
			c->ok = read_build_id(path, &c->id);
		}
		c->ino = m->ino;
		c->maj = m->maj;
		c->min = m->min;
	}
	*id = c->id;
	return c->ok;
}

struct maps {
	struct synth *s;
	pid_t pid;
};

static int emit_map(void *ctx, const struct proc_map *m)
{
	struct maps *x = ctx;
	struct {
		struct perf_event_header h;
		u32 pid, tid;
		u64 start, len, pgoff;
		union {
			struct {
				u32 maj, min;
				u64 ino, ino_generation;
			};
			struct {
				u8 build_id_size, reserved[3];
				u8 build_id[20];
			};
		};
		u32 prot, flags;
		char name[];
	} * ev;
	char path[PATH_MAX];
	struct build_id id;
	union buffer b;

	if (!(m->prot & PROT_EXEC) && !x->s->mmap_data)
		return 0;
	ev = (void *)&b;
	memset(ev, 0, sizeof(*ev));
	ev->h = (struct perf_event_header){.type = PERF_RECORD_MMAP2,
					   .misc = PERF_RECORD_MISC_USER};
	if (!(m->prot & PROT_EXEC))
		ev->h.misc |= PERF_RECORD_MISC_MMAP_DATA;
	ev->pid = ev->tid = x->pid;
	ev->start = m->start;
	ev->len = m->end - m->start;
	ev->pgoff = m->pgoff;
	if (x->s->build_ids && file_build_id(x->pid, m, &id)) {
		ev->h.misc |= PERF_RECORD_MISC_MMAP_BUILD_ID;
		ev->build_id_size = id.size;
		memcpy(ev->build_id, id.data, sizeof(ev->build_id));
	} else {
		ev->maj = m->maj;
		ev->min = m->min;
		ev->ino = m->ino;
	}
	ev->prot = m->prot;
	ev->flags = m->shared ? MAP_SHARED : MAP_PRIVATE;
	x->s->nr_maps++;
	if (!m->path[0])
		return emit_with_string(x->s, &b, ev->name, "//anon");
	if (!m->deleted)
		return emit_with_string(x->s, &b, ev->name, m->path);
	snprintf(path, sizeof(path), "%.*s (deleted)", PATH_MAX - 16, m->path);
	return emit_with_string(x->s, &b, ev->name, path);
}

static int emit_maps(struct synth *s, pid_t pid)
{
	struct maps x = {s, pid};
	int err = procfs__maps(pid, emit_map, &x);

	/* It ended, or its maps are not ours to read: the samples still tell what they can. */
	return err == -ESRCH || err == -EACCES || err == -EPERM || err == -ENOENT ? 0 : err;
}

static int emit_thread(struct synth *s, pid_t pid, pid_t tid, pid_t ppid)
{
	int err =
		tid == pid ? emit_fork(s, pid, tid, ppid, ppid) : emit_fork(s, pid, tid, pid, pid);

	if (!err && s->namespaces)
		err = emit_namespaces(s, pid, tid);
	s->nr_tasks++;
	return err ? err : emit_comm(s, pid, tid);
}

static int emit_process(struct synth *s, pid_t pid)
{
	struct proc_status st;
	pid_t *tids;
	int nr, err;

	if (procfs__status(pid, &st))
		return 0;
	nr = procfs__tasks(pid, &tids);
	if (nr < 0)
		return nr == -ENOMEM ? nr : 0;
	/* The leader first: its threads and maps hang on it. */
	err = emit_thread(s, pid, pid, st.ppid);
	for (int i = 0; i < nr && !err; i++)
		if (tids[i] != pid)
			err = emit_thread(s, pid, tids[i], st.ppid);
	free(tids);
	return err || s->no_maps ? err : emit_maps(s, pid);
}

int synth__comm(struct synth *s, pid_t pid, pid_t tid)
{
	return emit_comm(s, pid, tid);
}

static int cmp_pid(const void *a, const void *b)
{
	return *(const pid_t *)a - *(const pid_t *)b;
}

int synth__tasks(struct synth *s, const struct thread_map *threads)
{
	pid_t *pids = NULL;
	int nr, err = 0;

	if (threads->thread[0].tid == -1) {
		nr = procfs__pids(&pids);
		if (nr < 0)
			return nr;
	} else {
		nr = threads->nr;
		pids = malloc(nr * sizeof(*pids));
		if (!pids)
			return -ENOMEM;
		for (int i = 0; i < nr; i++)
			pids[i] = threads->thread[i].pid ? threads->thread[i].pid
							 : threads->thread[i].tid;
		qsort(pids, nr, sizeof(*pids), cmp_pid);
	}
	for (int i = 0; i < nr && !err; i++)
		if (!i || pids[i] != pids[i - 1])
			err = emit_process(s, pids[i]);
	free(pids);
	return err;
}

/* ---- what the recorder knows ---- */

static int emit_block(struct synth *s, struct perf_event_header *h, size_t size)
{
	int err;

	h->size = size;
	err = s->emit(s->ctx, h);
	free(h);
	return err;
}

int synth__thread_map(struct synth *s, const struct thread_map *threads)
{
	struct {
		struct perf_event_header h;
		u64 nr;
		struct {
			u64 pid;
			char comm[16];
		} t[];
	} * ev;
	/* More do not fit into one record; readers only show them. */
	int nr = min_t(int, threads->nr, (65528 - 16) / 24);
	size_t size = sizeof(*ev) + nr * sizeof(ev->t[0]);

	ev = calloc(1, size);
	if (!ev)
		return -ENOMEM;
	ev->h.type = PERF_RECORD_THREAD_MAP;
	ev->nr = nr;
	for (int i = 0; i < nr; i++) {
		char comm[64] = "";

		ev->t[i].pid = (u64)(s64)threads->thread[i].tid;
		if (threads->thread[i].tid > 0 &&
		    procfs__comm(threads->thread[i].tid, comm, sizeof(comm)) > 0)
			memcpy(ev->t[i].comm, comm, 15);
	}
	return emit_block(s, &ev->h, size);
}

/* PERF_CPU_MAP__CPUS: a u16 type of 0, a u16 count, the numbers as u16. */
int synth__cpu_map(struct synth *s, const struct cpu_map *cpus)
{
	struct {
		struct perf_event_header h;
		u16 type, nr;
		u16 cpu[];
	} * ev;
	int nr = min_t(int, cpus->nr, 32000);
	size_t size = ALIGN8(sizeof(*ev) + nr * sizeof(ev->cpu[0]));

	ev = calloc(1, size);
	if (!ev)
		return -ENOMEM;
	ev->h.type = PERF_RECORD_CPU_MAP;
	ev->nr = nr;
	for (int i = 0; i < nr; i++)
		ev->cpu[i] = cpus->cpu[i];
	return emit_block(s, &ev->h, size);
}

struct id_index {
	struct perf_event_header h;
	u64 nr;
	struct {
		u64 id, idx, cpu, tid;
	} e[2000];
};

struct id_index_ctx {
	struct synth *s;
	struct id_index *ev;
	int err;
};

static int flush_ids(struct id_index_ctx *x)
{
	struct id_index *ev = x->ev;
	int err;

	if (!ev->nr)
		return 0;
	ev->h.type = PERF_RECORD_ID_INDEX;
	ev->h.misc = 0;
	ev->h.size = offsetof(struct id_index, e) + ev->nr * sizeof(ev->e[0]);
	err = x->s->emit(x->s->ctx, &ev->h);
	ev->nr = 0;
	return err;
}

static int add_id(void *ctx, struct evsel *e, u64 id, int cpu, pid_t tid)
{
	struct id_index_ctx *x = ctx;
	struct id_index *ev = x->ev;

	if (ev->nr == ARRAY_SIZE(ev->e)) {
		int err = flush_ids(x);

		if (err)
			return err;
	}
	ev->e[ev->nr].id = id;
	ev->e[ev->nr].idx = evsel__idx(e);
	ev->e[ev->nr].cpu = (u64)(s64)cpu;
	ev->e[ev->nr].tid = (u64)(s64)tid;
	ev->nr++;
	return 0;
}

int synth__id_index(struct synth *s, struct evlist *l)
{
	struct id_index_ctx x = {.s = s, .ev = calloc(1, sizeof(struct id_index))};
	int err;

	if (!x.ev)
		return -ENOMEM;
	err = evlist__each_id(l, add_id, &x);
	if (!err)
		err = flush_ids(&x);
	free(x.ev);
	return err;
}

int synth__lost(struct synth *s, const struct perf_event_attr *attr, u64 id, u64 lost, int cpu)
{
	struct {
		struct perf_event_header h;
		u64 lost;
		u64 trailer[8];
	} ev = {.h = {.type = PERF_RECORD_LOST_SAMPLES}, .lost = lost};
	u64 *p = ev.trailer;

	if (attr->sample_type & PERF_SAMPLE_TID)
		*p++ = 0;
	if (attr->sample_type & PERF_SAMPLE_TIME)
		*p++ = 0;
	if (attr->sample_type & PERF_SAMPLE_ID)
		*p++ = id;
	if (attr->sample_type & PERF_SAMPLE_STREAM_ID)
		*p++ = 0;
	if (attr->sample_type & PERF_SAMPLE_CPU)
		*p++ = cpu < 0 ? 0 : (u32)cpu;
	if (attr->sample_type & PERF_SAMPLE_IDENTIFIER)
		*p++ = id;
	ev.h.size = (char *)p - (char *)&ev;
	return s->emit(s->ctx, &ev.h);
}
