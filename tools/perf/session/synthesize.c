// SPDX-License-Identifier: GPL-2.0-only
#include <bpf/bpf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "lib/api/fs.h"
#include "lib/api/procfs.h"
#include "lib/symbol/kallsyms.h"
#include "session/synthesize.h"

#define MAX_PATH 4096
#define MAX_ID 64 /* bytes of a sample_id at most: six words */

/* A record under construction: the fixed part, a text, a sample_id of zeros. */
union record {
	struct perf_event_header h;
	char bytes[256 + MAX_PATH + MAX_ID];
	u64 align;
};

static size_t id_size(const struct perf_event_attr *attr)
{
	u64 bits = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID |
		   PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER;

	return attr->sample_id_all ? 8 * __builtin_popcountll(attr->sample_type & bits) : 0;
}

/* @fixed bytes are filled in already; everything behind them is zeroed. */
static int emit(const struct synth_opts *o, union record *r, u32 type, u16 misc, size_t fixed,
		const char *text)
{
	size_t n = text ? strnlen(text, MAX_PATH - 1) : 0, size = fixed;

	if (text) {
		size += (n + 1 + 7) & ~7UL;
		memset(r->bytes + fixed, 0, size - fixed);
		memcpy(r->bytes + fixed, text, n);
	}
	memset(r->bytes + size, 0, id_size(o->attr));
	size += id_size(o->attr);
	r->h = (struct perf_event_header){.type = type, .misc = misc, .size = size};
	return o->cb(o->ctx, &r->h);
}

static int emit_mmap(const struct synth_opts *o, u64 start, u64 len, u64 pgoff, const char *name)
{
	union record r;
	struct {
		struct perf_event_header h;
		u32 pid, tid;
		u64 start, len, pgoff;
	} *m = (void *)&r;

	m->pid = (u32)-1;
	m->tid = 0;
	m->start = start;
	m->len = len;
	m->pgoff = pgoff;
	return emit(o, &r, PERF_RECORD_MMAP, PERF_RECORD_MISC_KERNEL, sizeof(*m), name);
}

/* ---- the kernel ---- */

struct bounds {
	u64 text, stext, etext, edata;
};

static int take_bound(const struct kallsyms_symbol *s, void *data)
{
	struct bounds *b = data;

	if (!strcmp(s->name, "_text"))
		b->text = s->addr;
	else if (!strcmp(s->name, "_stext"))
		b->stext = s->addr;
	else if (!strcmp(s->name, "_etext"))
		b->etext = s->addr;
	else if (!strcmp(s->name, "_edata"))
		b->edata = s->addr;
	return 0;
}

struct module_paths {
	char **name; /* "ext4", its path follows the NUL */
	int nr, cap;
};

/* "kernel/fs/ext4/ext4.ko.xz: ..." of modules.dep; names have '_' for '-'. */
static int take_path(void *ctx, char *line)
{
	struct module_paths *p = ctx;
	char *end = strchr(line, ':'), *base, *entry;
	size_t n;

	if (!end)
		return 0;
	*end = 0;
	base = strrchr(line, '/');
	base = base ? base + 1 : line;
	n = strcspn(base, ".");
	entry = malloc(n + 1 + strlen(line) + 1);
	if (!entry)
		return -ENOMEM;
	memcpy(entry, base, n);
	entry[n] = 0;
	for (char *c = entry; *c; c++)
		if (*c == '-')
			*c = '_';
	strcpy(entry + n + 1, line);
	if (p->nr == p->cap) {
		int cap = p->cap ? p->cap * 2 : 1024;
		char **name = realloc(p->name, cap * sizeof(*name));

		if (!name) {
			free(entry);
			return -ENOMEM;
		}
		p->name = name;
		p->cap = cap;
	}
	p->name[p->nr++] = entry;
	return 0;
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

struct modules {
	const struct synth_opts *o;
	struct module_paths paths;
	struct utsname uts;
};

/* "ext4 1064960 1 - Live 0xffffffffc0a00000 (E)" */
static int take_module(void *ctx, char *line)
{
	struct modules *m = ctx;
	char name[128], path[MAX_PATH], *key = name, **found;
	unsigned long long size, addr;

	if (sscanf(line, "%127s %llu %*s %*s %*s 0x%llx", name, &size, &addr) != 3 || !addr)
		return 0;
	found = m->paths.nr ? bsearch(&key, m->paths.name, m->paths.nr, sizeof(*m->paths.name),
				      compare_names)
			    : NULL;
	if (found)
		snprintf(path, sizeof(path), "/lib/modules/%s/%s", m->uts.release,
			 *found + strlen(*found) + 1);
	else
		snprintf(path, sizeof(path), "[%s]", name);
	return emit_mmap(m->o, addr, size, 0, path);
}

static int synthesize_modules(const struct synth_opts *o)
{
	struct modules m = {.o = o};
	char dep[256];
	int err;

	uname(&m.uts);
	snprintf(dep, sizeof(dep), "/lib/modules/%.100s/modules.dep", m.uts.release);
	err = fs__each_line(dep, take_path, &m.paths);
	if (m.paths.nr)
		qsort(m.paths.name, m.paths.nr, sizeof(*m.paths.name), compare_names);
	if (err != -ENOMEM)
		err = fs__each_line("/proc/modules", take_module, &m);
	for (int i = 0; i < m.paths.nr; i++)
		free(m.paths.name[i]);
	free(m.paths.name);
	return err == -ENOENT || err == -EACCES ? 0 : err;
}

int synthesize__kernel(const struct synth_opts *o)
{
	char *text = kallsyms__read("/proc/kallsyms");
	struct bounds b = {0};
	u64 start, end;
	int err;

	if (!text)
		return errno == ENOMEM ? -ENOMEM : 0;
	kallsyms__parse(text, take_bound, &b);
	free(text);
	start = b.text ?: b.stext;
	end = b.edata > start ? b.edata : b.etext;
	if (!start || end <= start)
		return 0; /* hidden */
	err = emit_mmap(o, start, end - start, start,
			b.text ? "[kernel.kallsyms]_text" : "[kernel.kallsyms]_stext");
	return err ?: synthesize_modules(o);
}

/* ---- BPF programs ---- */

#define MAX_FUNCS 256

static int emit_ksymbol(const struct synth_opts *o, u64 addr, u32 len, const char *name)
{
	union record r;
	struct {
		struct perf_event_header h;
		u64 addr;
		u32 len;
		u16 type, flags;
	} *k = (void *)&r;

	k->addr = addr;
	k->len = len;
	k->type = PERF_RECORD_KSYMBOL_TYPE_BPF;
	k->flags = 0;
	return emit(o, &r, PERF_RECORD_KSYMBOL, 0, sizeof(*k), name);
}

/* What kallsyms calls them: a function's own name is known there only. */
struct bpf_names {
	struct bpf_name {
		u64 addr;
		const char *name;
	} * at;
	u32 nr, cap;
};

static int take_bpf_name(const struct kallsyms_symbol *s, void *data)
{
	struct bpf_names *n = data;

	if (strcmp(s->module, "bpf"))
		return 0;
	if (n->nr == n->cap) {
		u32 cap = n->cap ? n->cap * 2 : 64;
		struct bpf_name *at = realloc(n->at, cap * sizeof(*at));

		if (!at)
			return -ENOMEM;
		n->at = at;
		n->cap = cap;
	}
	n->at[n->nr++] = (struct bpf_name){s->addr, s->name};
	return 0;
}

/* Few programs are loaded: no need to sort. */
static const char *bpf_name(const struct bpf_names *n, u64 addr)
{
	for (u32 i = 0; i < n->nr; i++)
		if (n->at[i].addr == addr)
			return n->at[i].name;
	return NULL;
}

static int one_program(const struct synth_opts *o, const struct bpf_names *names, int fd)
{
	u64 addr[MAX_FUNCS] = {0};
	u32 lens[MAX_FUNCS] = {0};
	struct bpf_prog_info info = {
		.nr_jited_ksyms = MAX_FUNCS,
		.jited_ksyms = (u64)(uintptr_t)addr,
		.nr_jited_func_lens = MAX_FUNCS,
		.jited_func_lens = (u64)(uintptr_t)lens,
	};
	u32 len = sizeof(info), nr;
	int err = 0;

	if (bpf_obj_get_info_by_fd(fd, &info, &len))
		return 0;
	nr = min_t(u32, info.nr_jited_ksyms, info.nr_jited_func_lens);
	nr = min_t(u32, nr, MAX_FUNCS);
	for (u32 i = 0; !err && i < nr; i++) {
		const char *name = addr[i] ? bpf_name(names, addr[i]) : NULL;

		/* Without a name the program is gone again, or kallsyms is closed to us. */
		if (name && lens[i])
			err = emit_ksymbol(o, addr[i], lens[i], name);
	}
	return err;
}

int synthesize__bpf_programs(const struct synth_opts *o)
{
	char *text = kallsyms__read("/proc/kallsyms");
	struct bpf_names names = {0};
	u32 id = 0;
	int err = 0;

	if (text)
		err = kallsyms__parse(text, take_bpf_name, &names);
	while (!err && names.nr && !bpf_prog_get_next_id(id, &id)) {
		int fd = bpf_prog_get_fd_by_id(id);

		if (fd < 0 && errno == EPERM)
			break;
		if (fd < 0)
			continue;
		err = one_program(o, &names, fd);
		close(fd);
	}
	free(names.at);
	free(text);
	return err;
}

/* ---- processes ---- */

struct task_walk {
	const struct synth_opts *o;
	pid_t pid;
	union record r;
};

static int emit_fork(struct task_walk *w, pid_t tid, pid_t ppid)
{
	struct {
		struct perf_event_header h;
		u32 pid, ppid, tid, ptid;
		u64 time;
	} *f = (void *)&w->r;

	/* A thread's parent is its process, a process's the one that forked it. */
	f->pid = w->pid;
	f->ppid = tid == w->pid ? ppid : w->pid;
	f->tid = tid;
	f->ptid = f->ppid;
	f->time = 0;
	/* So marked, it takes no mappings over: they follow. */
	return emit(w->o, &w->r, PERF_RECORD_FORK, PERF_RECORD_MISC_FORK_EXEC, sizeof(*f), NULL);
}

static int emit_comm(struct task_walk *w, pid_t tid, const char *comm)
{
	struct {
		struct perf_event_header h;
		u32 pid, tid;
	} *c = (void *)&w->r;

	c->pid = w->pid;
	c->tid = tid;
	return emit(w->o, &w->r, PERF_RECORD_COMM, 0, sizeof(*c), comm);
}

static int emit_map(void *ctx, const struct proc_map *map)
{
	struct task_walk *w = ctx;
	struct {
		struct perf_event_header h;
		u32 pid, tid;
		u64 addr, len, pgoff;
		u32 maj, min;
		u64 ino, ino_generation;
		u32 prot, flags;
	} *m = (void *)&w->r;
	bool exec = map->prot & PROT_EXEC;
	char name[MAX_PATH];

	if (!exec && !w->o->data_maps)
		return 0;
	m->pid = m->tid = w->pid;
	m->addr = map->start;
	m->len = map->end - map->start;
	m->pgoff = map->pgoff;
	m->maj = map->maj;
	m->min = map->min;
	m->ino = map->ino;
	m->ino_generation = 0;
	m->prot = map->prot;
	m->flags = map->shared ? MAP_SHARED : MAP_PRIVATE;
	snprintf(name, sizeof(name), "%s%s", map->path[0] ? map->path : "//anon",
		 map->deleted ? " (deleted)" : "");
	return emit(w->o, &w->r, PERF_RECORD_MMAP2,
		    PERF_RECORD_MISC_USER | (exec ? 0 : PERF_RECORD_MISC_MMAP_DATA), sizeof(*m),
		    name);
}

static int one_process(struct task_walk *w)
{
	struct proc_stat st;
	pid_t *tids = NULL;
	int nr, err = 0;

	if (procfs__stat(w->pid, &st))
		return 0;
	nr = procfs__tasks(w->pid, &tids);
	for (int i = 0; i < nr && !err; i++) {
		char comm[64];

		if (procfs__comm(tids[i], comm, sizeof(comm)) < 0)
			continue;
		err = emit_fork(w, tids[i], st.ppid) ?: emit_comm(w, tids[i], comm);
		if (err || tids[i] != w->pid)
			continue;
		err = procfs__maps(w->pid, emit_map, w);
		/* Gone meanwhile, or another user's. */
		if (err == -ESRCH || err == -EACCES || err == -EPERM)
			err = 0;
	}
	free(tids);
	return err;
}

int synthesize__tasks(const struct synth_opts *o, const pid_t *pids, int nr)
{
	struct task_walk *w = malloc(sizeof(*w));
	pid_t *all = NULL;
	int err = 0;

	if (!w)
		return -ENOMEM;
	if (!pids) {
		nr = procfs__pids(&all);
		pids = all;
		err = nr < 0 ? nr : 0;
	}
	w->o = o;
	for (int i = 0; i < nr && !err; i++) {
		w->pid = pids[i];
		err = one_process(w);
	}
	free(all);
	free(w);
	return err;
}
