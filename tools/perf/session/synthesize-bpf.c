// SPDX-License-Identifier: GPL-2.0-only
/* Records of BPF programs and cgroups that are there already. */
#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/bpf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/api/cgroupfs.h"
#include "lib/api/fs.h"
#include "session/synthesize.h"

#define MAX_FUNCS 1024 /* of one program; the kernel allows 256 subprograms and bpf exceptions */

static int emit_ksymbol(struct synth *s, u64 addr, u32 len, const char *name)
{
	struct {
		struct perf_event_header h;
		u64 addr;
		u32 len;
		u16 type, flags;
		char name[256 + 64];
	} ev = {
		.h = {.type = PERF_RECORD_KSYMBOL},
		.addr = addr,
		.len = len,
		.type = PERF_RECORD_KSYMBOL_TYPE_BPF,
	};
	size_t n = (strnlen(name, 200) + 8) & ~(size_t)7;

	memcpy(ev.name, name, strnlen(name, 200));
	ev.h.size = offsetof(typeof(ev), name) + n + s->id_size;
	return s->emit(s->ctx, &ev.h);
}

static int emit_bpf_event(struct synth *s, const struct bpf_prog_info *info)
{
	struct {
		struct perf_event_header h;
		u16 type, flags;
		u32 id;
		u8 tag[BPF_TAG_SIZE];
		char trailer[64];
	} ev = {
		.h = {.type = PERF_RECORD_BPF_EVENT},
		.type = PERF_BPF_EVENT_PROG_LOAD,
		.id = info->id,
	};

	memcpy(ev.tag, info->tag, sizeof(ev.tag));
	ev.h.size = offsetof(typeof(ev), trailer) + s->id_size;
	return s->emit(s->ctx, &ev.h);
}

/* The name that the kernel gives the program in kallsyms: bpf_prog_TAG_NAME. */
static void prog_name(char *buf, size_t size, const u8 *tag, const char *name)
{
	int n = snprintf(buf, size, "bpf_prog_");

	for (int i = 0; i < BPF_TAG_SIZE; i++)
		n += snprintf(buf + n, size - n, "%02x", tag[i]);
	if (name[0])
		snprintf(buf + n, size - n, "_%s", name);
}

/* Names of the program's functions, from its BTF; "F" where it has none, as the kernel's. */
static const char *func_name(const struct btf *btf, const struct bpf_func_info *info, u32 nr, u32 i)
{
	const struct btf_type *t = btf && i < nr ? btf__type_by_id(btf, info[i].type_id) : NULL;
	const char *name = t ? btf__name_by_offset(btf, t->name_off) : NULL;

	return name && *name ? name : "F";
}

static int emit_prog(struct synth *s, int fd)
{
	static u64 addrs[MAX_FUNCS];
	static u32 lens[MAX_FUNCS];
	static u8 tags[MAX_FUNCS][BPF_TAG_SIZE];
	static struct bpf_func_info funcs[MAX_FUNCS];
	struct bpf_prog_info info = {
		.jited_ksyms = (uintptr_t)addrs,
		.nr_jited_ksyms = MAX_FUNCS,
		.jited_func_lens = (uintptr_t)lens,
		.nr_jited_func_lens = MAX_FUNCS,
		.prog_tags = (uintptr_t)tags,
		.nr_prog_tags = MAX_FUNCS,
		.func_info = (uintptr_t)funcs,
		.nr_func_info = MAX_FUNCS,
		.func_info_rec_size = sizeof(funcs[0]),
	};
	u32 len = sizeof(info), nr;
	struct btf *btf;
	int err = 0;

	if (bpf_obj_get_info_by_fd(fd, &info, &len))
		return 0;
	nr = min_t(u32, info.nr_jited_ksyms, info.nr_jited_func_lens);
	nr = min_t(u32, min_t(u32, nr, info.nr_prog_tags), MAX_FUNCS);
	btf = nr > 1 && info.btf_id ? btf__load_from_kernel_by_id(info.btf_id) : NULL;
	for (u32 i = 0; i < nr && !err; i++) {
		char name[256];

		prog_name(name, sizeof(name), tags[i],
			  i ? func_name(btf, funcs, min_t(u32, info.nr_func_info, MAX_FUNCS), i)
			    : info.name);
		if (addrs[i])
			err = emit_ksymbol(s, addrs[i], lens[i], name);
	}
	if (btf)
		btf__free(btf);
	return err ? err : emit_bpf_event(s, &info);
}

int synth__bpf(struct synth *s)
{
	u32 id = 0;
	int err = 0;

	while (!err && !bpf_prog_get_next_id(id, &id)) {
		int fd = bpf_prog_get_fd_by_id(id);

		if (fd < 0)
			continue;
		err = emit_prog(s, fd);
		close(fd);
	}
	return err;
}

/* ---- cgroups ---- */

struct cgroup_walk {
	struct synth *s;
	int dirfd;
	char path[PATH_MAX]; /* below the mount, "/" at first */
	int depth;
};

static int walk(struct cgroup_walk *w);

static int emit_cgroup(struct cgroup_walk *w)
{
	struct {
		struct perf_event_header h;
		u64 id;
		char path[PATH_MAX + 64];
	} * ev;
	size_t n = (strlen(w->path) + 8) & ~(size_t)7;
	u64 id;
	int err;

	if (cgroupfs__id(w->path, &id, NULL))
		return 0; /* removed meanwhile */
	ev = calloc(1, sizeof(*ev));
	if (!ev)
		return -ENOMEM;
	ev->h.type = PERF_RECORD_CGROUP;
	ev->id = id;
	strcpy(ev->path, w->path);
	ev->h.size = offsetof(typeof(*ev), path) + n + w->s->id_size;
	err = w->s->emit(w->s->ctx, &ev->h);
	free(ev);
	return err;
}

static int visit(void *ctx, const char *name)
{
	struct cgroup_walk *w = ctx;
	size_t len = strlen(w->path);
	int parent = w->dirfd, err;

	if (len + strlen(name) + 2 > sizeof(w->path) || w->depth > 64)
		return 0;
	w->dirfd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (w->dirfd < 0) {
		w->dirfd = parent;
		return 0; /* a file */
	}
	sprintf(w->path + len, "%s%s", len > 1 ? "/" : "", name);
	w->depth++;
	err = walk(w);
	w->depth--;
	w->path[len] = 0;
	close(w->dirfd);
	w->dirfd = parent;
	return err;
}

static int walk(struct cgroup_walk *w)
{
	int err = emit_cgroup(w);

	if (!err)
		err = fs__each_entry(w->dirfd, ".", visit, w);
	return err == -ENOENT ? 0 : err;
}

int synth__cgroups(struct synth *s)
{
	const char *root = cgroupfs__mount(NULL, NULL);
	struct cgroup_walk w = {.s = s, .path = "/"};
	int err;

	if (!root)
		return 0;
	w.dirfd = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (w.dirfd < 0)
		return 0;
	err = walk(&w);
	close(w.dirfd);
	return err;
}
