// SPDX-License-Identifier: GPL-2.0-only
/* The machine: side-band records in, code at an address of a process at a time out. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/symbol/kallsyms.h"
#include "session/machine-internal.h"

#define FOREVER UINT64_MAX
#define PRUNE_EVERY 8192
#define PRUNE_MARGIN 10000000000ULL /* ns */

struct machine *machine__new(const struct machine_opts *o, struct errbuf *eb)
{
	struct machine *m = calloc(1, sizeof(*m));

	if (!m)
		goto nomem;
	m->opts = *o;
	m->dsos = o->dsos;
	m->kallsyms_path = strdup(o->kallsyms ?: "/proc/kallsyms");
	m->kernel = image__new(m, 0);
	if (o->vmlinux)
		m->vmlinux_path = strdup(o->vmlinux);
	if (!m->kernel || !m->kallsyms_path || (o->vmlinux && !m->vmlinux_path))
		goto nomem;
	if (o->kallsyms) {
		int r = kallsyms__restricted(o->kallsyms);

		if (r < 0) {
			errbuf__set(eb, r, "cannot read %s: %s", o->kallsyms, strerror(-r));
			machine__delete(m);
			errno = -r;
			return NULL;
		}
	}
	if (o->vmlinux && access(o->vmlinux, R_OK)) {
		int err = errno;

		errbuf__set(eb, -err, "cannot read %s: %s", o->vmlinux, strerror(err));
		machine__delete(m);
		errno = err;
		return NULL;
	}
	if ((o->live || o->kernel_syms) && !o->kallsyms_fd)
		m->restricted = kallsyms__restricted(m->kallsyms_path) != 0;
	return m;
nomem:
	machine__delete(m);
	errbuf__set(eb, -ENOMEM, "out of memory");
	return NULL;
}

void machine__delete(struct machine *m)
{
	if (!m)
		return;
	machine__free_threads(m);
	image__put(m->kernel);
	free(m->kallsyms_path);
	free(m->vmlinux_path);
	free(m);
}

bool machine__kernel_restricted(const struct machine *m)
{
	return m->restricted;
}

/* A string inside a record: its NUL has to be inside too. */
static const char *text_at(const struct perf_event_header *ev, size_t off)
{
	const char *p = (const char *)ev + off;

	return off < ev->size && memchr(p, 0, ev->size - off) ? p : NULL;
}

static int process_comm(struct machine *m, const struct perf_event_header *ev, u64 time)
{
	const struct {
		struct perf_event_header h;
		u32 pid, tid;
	} *r = (const void *)ev;
	const char *comm = text_at(ev, sizeof(*r));
	struct thread *t;

	if (!comm)
		return -EBADMSG;
	t = machine__thread(m, (pid_t)r->pid, (pid_t)r->tid, time);
	if (!t)
		return -ENOMEM;
	if (ev->misc & PERF_RECORD_MISC_COMM_EXEC && !process__exec(m, t->proc, time))
		return -ENOMEM;
	return thread__set_comm(m, t, comm, time);
}

/* A fork of a process we knew already: one that /proc told of before its record came. */
static bool learned_late(const struct process *p, u64 time)
{
	return p && p->end > time && !p->fork_seen && (!p->start || !time || p->start >= time);
}

static int fork_process(struct machine *m, pid_t pid, pid_t ppid, u64 time, bool inherit)
{
	struct process *parent, *p;
	struct image *first;

	HASH_FIND_INT(m->processes, &pid, p);
	if (!learned_late(p, time)) {
		p = machine__process_new(m, pid, time);
		if (!p)
			return -ENOMEM;
	}
	p->fork_seen = true;
	p->ppid = ppid;
	p->start = time;
	parent = machine__process_at(m, ppid, time);
	if (parent)
		p->mnt_ns = parent->mnt_ns;
	if (!parent && inherit) {
		/* not seen yet; its maps may come later, out of order */
		parent = machine__process_new(m, ppid, 0);
		if (!parent)
			return -ENOMEM;
	}
	for (first = p->images; first->older;)
		first = first->older;
	if (first->complete) {
		/* the exec was seen first: what ran between fork and exec comes before it */
		first->older = image__new(m, time);
		if (!first->older)
			return -ENOMEM;
		first = first->older;
	}
	first->start = time;
	if (!inherit || parent == p)
		return 0;
	return image__inherit(first, process__image_at(parent, time), time);
}

static int process_fork(struct machine *m, const struct perf_event_header *ev, u64 time)
{
	const struct {
		struct perf_event_header h;
		u32 pid, ppid, tid, ptid;
		u64 time;
	} *r = (const void *)ev;
	struct thread *t, *pt;
	const char *name;
	char made_up[16];
	pid_t pid, tid;
	int err = 0;

	if (ev->size < sizeof(*r))
		return -EBADMSG;
	if (!time)
		time = r->time;
	pid = (pid_t)r->pid;
	tid = (pid_t)r->tid;
	if (r->pid != r->ppid)
		err = fork_process(m, pid, (pid_t)r->ppid, time,
				   !(ev->misc & PERF_RECORD_MISC_FORK_EXEC));
	if (err)
		return err;
	struct process *p = machine__process_at(m, pid, time);

	if (!p)
		p = machine__process_new(m, pid, r->pid == r->ppid ? 0 : time);
	if (!p)
		return -ENOMEM;
	HASH_FIND_INT(m->threads, &tid, t);
	if (t && t->proc == p && t->end == FOREVER && (t->start >= time || !t->start)) {
		t->start = time;
	} else {
		t = machine__thread_new(m, p, tid, time);
		if (!t)
			return -ENOMEM;
	}
	pt = machine__thread_known(m, (pid_t)r->ppid, (pid_t)r->ptid, time)
		     ?: machine__thread_known(m, (pid_t)r->ppid, (pid_t)r->ppid, time);
	if (t->nr_comms && t->comms[0].comm->name[0] != ':')
		return 0; /* named already */
	if (!pt)
		pt = machine__thread(m, (pid_t)r->ppid, (pid_t)r->ptid, time);
	if (!pt)
		return -ENOMEM;
	/* A parent of unknown name has none to give: ":PID" is its own. */
	name = thread__comm(pt, time);
	if (name[0] == ':') {
		snprintf(made_up, sizeof(made_up), ":%d", tid);
		name = made_up;
	}
	return thread__set_comm(m, t, name, time);
}

static int process_exit(struct machine *m, const struct perf_event_header *ev, u64 time)
{
	const struct {
		struct perf_event_header h;
		u32 pid, ppid, tid, ptid;
		u64 time;
	} *r = (const void *)ev;
	struct thread *t;

	if (ev->size < sizeof(*r))
		return -EBADMSG;
	if (!time)
		time = r->time;
	t = machine__thread(m, (pid_t)r->pid, (pid_t)r->tid, time);
	if (!t)
		return -ENOMEM;
	if (t->end != FOREVER)
		return 0;
	t->end = time;
	if (t->proc->alive && !--t->proc->alive)
		t->proc->end = time;
	/* Records of a file come in order of time: what ended a while ago is not asked for again. A
	 * live machine is pruned by whoever knows what was not resolved yet. */
	if (!m->opts.live && time > PRUNE_MARGIN && ++m->ended >= PRUNE_EVERY) {
		m->ended = 0;
		machine__prune(m, time - PRUNE_MARGIN);
	}
	return 0;
}

static int add_mmap(struct machine *m, const struct perf_event_header *ev, u32 pid,
		    struct dso_ident *id, u64 len, u64 pgoff, u32 prot, u64 time)
{
	u16 mode = ev->misc & PERF_RECORD_MISC_CPUMODE_MASK;
	struct process *p;

	if (mode == PERF_RECORD_MISC_KERNEL || mode == PERF_RECORD_MISC_GUEST_KERNEL)
		return mode == PERF_RECORD_MISC_KERNEL
			       ? machine__kernel_mmap(m, id->path, id->start, len, pgoff)
			       : 0;
	if (len > UINT64_MAX - id->start)
		return -EBADMSG;
	p = machine__process_at(m, (pid_t)pid, time);
	if (!p)
		p = machine__process_new(m, (pid_t)pid, 0);
	if (!p)
		return -ENOMEM;
	id->end = id->start + len;
	id->pid = (pid_t)pid;
	id->ppid = p->ppid;
	id->mnt_ns = p->mnt_ns;
	return machine__add_user_map(m, process__image_at(p, time), id, pgoff, prot, time);
}

static int process_mmap(struct machine *m, const struct perf_event_header *ev, u64 time)
{
	const struct {
		struct perf_event_header h;
		u32 pid, tid;
		u64 addr, len, pgoff;
	} *r = (const void *)ev;
	struct dso_ident id = {.path = text_at(ev, sizeof(*r))};

	if (!id.path)
		return -EBADMSG;
	id.start = r->addr;
	return add_mmap(m, ev, r->pid, &id, r->len, r->pgoff,
			ev->misc & PERF_RECORD_MISC_MMAP_DATA ? 1 : 5, time);
}

static int process_mmap2(struct machine *m, const struct perf_event_header *ev, u64 time)
{
	const struct {
		struct perf_event_header h;
		u32 pid, tid;
		u64 addr, len, pgoff;
		union {
			struct {
				u32 maj, min;
				u64 ino, ino_generation;
			};
			struct {
				u8 build_id_size, reserved1;
				u16 reserved2;
				u8 build_id[20];
			};
		};
		u32 prot, flags;
	} *r = (const void *)ev;
	struct dso_ident id = {.path = text_at(ev, sizeof(*r))};

	if (!id.path)
		return -EBADMSG;
	id.start = r->addr;
	if (ev->misc & PERF_RECORD_MISC_MMAP_BUILD_ID) {
		id.build_id.size = min_t(u8, r->build_id_size, sizeof(id.build_id.data));
		memcpy(id.build_id.data, r->build_id, id.build_id.size);
	} else {
		id.maj = r->maj;
		id.min = r->min;
		id.ino = r->ino;
		id.ino_generation = r->ino_generation;
	}
	return add_mmap(m, ev, r->pid, &id, r->len, r->pgoff, r->prot, time);
}

static int process_ksymbol(struct machine *m, const struct perf_event_header *ev, u64 time)
{
	const struct {
		struct perf_event_header h;
		u64 addr;
		u32 len;
		u16 type, flags;
	} *r = (const void *)ev;
	const char *name = text_at(ev, sizeof(*r));

	if (!name)
		return -EBADMSG;
	return machine__ksymbol(m, r->addr, r->len, name,
				r->flags & PERF_RECORD_KSYMBOL_FLAGS_UNREGISTER, time);
}

/* What of a process's namespaces matters here: whose files its paths lead to. */
static int process_namespaces(struct machine *m, const struct perf_event_header *ev, u64 time)
{
	enum { MNT = 5 }; /* the kernel's order: net, uts, ipc, pid, user, mnt, cgroup */
	const struct {
		struct perf_event_header h;
		u32 pid, tid;
		u64 nr;
		struct {
			u64 dev, inode;
		} ns[MNT + 1];
	} *r = (const void *)ev;
	struct process *p;

	if (ev->size < sizeof(*r) || r->nr <= MNT)
		return 0;
	p = machine__process_at(m, (pid_t)r->pid, time);
	if (!p)
		p = machine__process_new(m, (pid_t)r->pid, 0);
	if (!p)
		return -ENOMEM;
	p->mnt_ns = r->ns[MNT].inode;
	return 0;
}

int machine__process(struct machine *m, const struct perf_event_header *ev, u64 time)
{
	switch (ev->type) {
	case PERF_RECORD_MMAP:
		return process_mmap(m, ev, time);
	case PERF_RECORD_MMAP2:
		return process_mmap2(m, ev, time);
	case PERF_RECORD_COMM:
		return process_comm(m, ev, time);
	case PERF_RECORD_FORK:
		return process_fork(m, ev, time);
	case PERF_RECORD_EXIT:
		return process_exit(m, ev, time);
	case PERF_RECORD_KSYMBOL:
		return process_ksymbol(m, ev, time);
	case PERF_RECORD_NAMESPACES:
		return process_namespaces(m, ev, time);
	default:
		return 0;
	}
}

static u8 mode_of(u8 cpumode, u64 ip)
{
	if (cpumode != PERF_RECORD_MISC_CPUMODE_UNKNOWN)
		return cpumode;
	return ip >> 63 ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER;
}

/* The address space that @al's thread and mode select, or NULL. */
static struct image *space_of(struct machine *m, pid_t pid, pid_t tid, u64 time,
			      struct addr_location *al)
{
	if (pid >= 0 || tid >= 0)
		al->thread = machine__thread_known(m, pid, tid, time)
				     ?: machine__thread(m, pid, tid, time);
	if (al->cpumode == PERF_RECORD_MISC_KERNEL) {
		if (unlikely(!m->kernel_loaded))
			machine__load_kernel(m);
		return m->kernel;
	}
	if (al->cpumode != PERF_RECORD_MISC_USER || !al->thread)
		return NULL;
	return process__image_at(al->thread->proc, time);
}

static void locate(struct machine *m, const struct image *im, u64 ip, u64 time, bool symbols,
		   struct addr_location *al)
{
	u64 h = (ip ^ (u64)(uintptr_t)im >> 4) * 0x9e3779b97f4a7c15ULL;
	struct cache_entry *c = &m->cache[h >> (64 - CACHE_BITS)];

	if (c->ip == ip && c->image == im && c->gen == im->gen && time >= c->since &&
	    (c->sym || !symbols)) {
		al->map = c->map;
		al->addr = c->addr;
		al->sym = c->sym;
		return;
	}
	al->map = image__find(im, ip, time);
	if (unlikely(!al->map) && im == m->kernel && machine__reload_modules(m))
		al->map = image__find(im, ip, time);
	if (!al->map)
		return;
	al->addr = map__ip2addr(al->map, ip);
	if (symbols && al->map->dso)
		al->sym = dso__find_symbol(al->map->dso, al->addr);
	/* what holds from its time on and is not shadowed may be remembered */
	if (al->map->until == FOREVER && al->map->since <= time && !im->parent)
		*c = (struct cache_entry){im,	   ip,	    al->map->since, im->gen,
					  al->map, al->sym, al->addr};
}

static int resolve(struct machine *m, pid_t pid, pid_t tid, u8 cpumode, u64 ip, u64 time,
		   bool symbols, struct addr_location *al)
{
	struct image *im;

	memset(al, 0, sizeof(*al));
	al->ip = al->addr = ip;
	al->cpumode = mode_of(cpumode, ip);
	im = space_of(m, pid, tid, time, al);
	if (!im)
		return -ENOENT;
	locate(m, im, ip, time, symbols, al);
	if (!al->map)
		return -ENOENT;
	al->dso = al->map->dso;
	if (al->dso)
		dso__keep(al->dso);
	return 0;
}

int machine__resolve(struct machine *m, pid_t pid, pid_t tid, u8 cpumode, u64 ip, u64 time,
		     struct addr_location *al)
{
	return resolve(m, pid, tid, cpumode, ip, time, true, al);
}

int machine__find_map(struct machine *m, pid_t pid, pid_t tid, u8 cpumode, u64 ip, u64 time,
		      struct addr_location *al)
{
	return resolve(m, pid, tid, cpumode, ip, time, false, al);
}
