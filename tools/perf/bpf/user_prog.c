// SPDX-License-Identifier: GPL-2.0-only
/* A user's own BPF object: opened, its programs chosen, loaded; its maps. Attaching is
 * user_attach.c. */
#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bpf/user_prog.h"
#include "bpf/user_prog_priv.h"

/* The largest log that every kernel takes (UINT_MAX >> 8); the pages are touched only when used. */
#define LOG_SIZE ((size_t)UINT32_MAX >> 8)
#define MAX_PROGRAMS 256

/* ---- libbpf's prints ----
 * libbpf has one print callback for the whole process and gives it no context, so the object that
 * is at work stands here. */
static __thread struct user_prog *printing;

static int capture_print(enum libbpf_print_level level, const char *fmt, va_list ap)
{
	struct user_prog *up = printing;
	char line[1024];
	char *text = line;

	if (!up)
		return 0;
	vsnprintf(line, sizeof(line), fmt, ap);
	line[strcspn(line, "\n")] = '\0';
	if (!strncmp(text, "libbpf: ", 8))
		text += 8;
	/* Its closing "failed to load object" says less than the line before. */
	if (level == LIBBPF_WARN && strncmp(text, "failed to load object", 21) &&
	    strncmp(text, "failed to open", 14))
		snprintf(up->warning, sizeof(up->warning), "%s", text);
	if (up->debug)
		up->debug(up->debug_ctx, line);
	return 0;
}

static libbpf_print_fn_t capture_begin(struct user_prog *up)
{
	printing = up;
	up->warning[0] = '\0';
	return libbpf_set_print(capture_print);
}

static void capture_end(libbpf_print_fn_t old)
{
	printing = NULL;
	libbpf_set_print(old);
}

/* ---- opening ---- */

/* FILE or FILE:PROGRAM; a file whose name holds the colon itself goes first. */
static int split_spec(struct user_prog *up, const char *spec, struct errbuf *eb)
{
	const char *colon = strrchr(spec, ':');

	up->path = strdup(spec);
	if (!up->path)
		return errbuf__set(eb, -ENOMEM, "out of memory");
	if (!colon || strchr(colon, '/') || !access(spec, F_OK))
		return 0;
	up->path[colon - spec] = '\0';
	up->wanted = up->path + (colon - spec) + 1;
	if (!up->path[0] || !up->wanted[0])
		return errbuf__set(eb, -EINVAL, "BPF object '%s': expected FILE or FILE:PROGRAM",
				   spec);
	return 0;
}

static int open_object(struct user_prog *up, struct errbuf *eb)
{
	LIBBPF_OPTS(bpf_object_open_opts, opts);
	const char *base = strrchr(up->path, '/');
	char name[64];
	int err;

	/* As libbpf names an object it opens by path: up to the first dot. */
	snprintf(name, sizeof(name), "%s", base ? base + 1 : up->path);
	if (name[0] != '.')
		name[strcspn(name, ".")] = '\0';
	opts.object_name = name;
	up->obj = bpf_object__open_mem(up->image.data, up->image.size, &opts);
	if (up->obj)
		return 0;
	err = errno ? -errno : -EINVAL;
	if (!bpf_image__section(&up->image, ".BTF", &(size_t){0}) &&
	    bpf_image__section(&up->image, ".maps", &(size_t){0}))
		return errbuf__set(eb, err,
				   "BPF object %s has maps but no BTF that describes them: "
				   "build it with clang -g",
				   up->path);
	return errbuf__set(eb, err, "cannot read BPF object %s: %s", up->path,
			   up->warning[0] ? up->warning : strerror(-err));
}

static bool is_overflow_program(struct bpf_program *p)
{
	const char *sec = bpf_program__section_name(p);

	if (bpf_program__type(p) == BPF_PROG_TYPE_PERF_EVENT)
		return true;
	/* libbpf knows only the plain name; "perf_event/what" tells several apart. */
	if (!strncmp(sec, "perf_event/", 11)) {
		bpf_program__set_type(p, BPF_PROG_TYPE_PERF_EVENT);
		return true;
	}
	return false;
}

static bool is_usable(struct bpf_program *p)
{
	return is_overflow_program(p) || bpf_program__type(p) == BPF_PROG_TYPE_TRACEPOINT;
}

static int no_program(struct user_prog *up, struct errbuf *eb)
{
	struct bpf_program *p;
	const char *sep = ": it has ";

	if (up->wanted)
		errbuf__set(eb, -ENOENT, "BPF object %s has no program '%s'", up->path, up->wanted);
	else
		errbuf__set(eb, -ENOENT, "BPF object %s has no program in section perf_event",
			    up->path);
	bpf_object__for_each_program(p, up->obj)
	{
		errbuf__append(eb, "%s'%s' (section %s)", sep, bpf_program__name(p),
			       bpf_program__section_name(p));
		sep = ", ";
	}
	return errno = ENOENT, -ENOENT;
}

static int choose_programs(struct user_prog *up, struct errbuf *eb)
{
	struct bpf_program *p;
	int nr = 0;

	bpf_object__for_each_program(p, up->obj)
	{
		nr++;
		bpf_program__set_autoload(p, false);
	}
	up->progs = calloc(nr ? nr : 1, sizeof(*up->progs));
	if (!up->progs)
		return errbuf__set(eb, -ENOMEM, "out of memory");
	bpf_object__for_each_program(p, up->obj)
	{
		if (up->wanted ? strcmp(bpf_program__name(p), up->wanted) : !is_usable(p))
			continue;
		if (!is_usable(p))
			return errbuf__set(
				eb, -EINVAL,
				"program '%s' of %s is in section '%s', which is not for "
				"events: put it into section perf_event",
				up->wanted, up->path, bpf_program__section_name(p));
		if (up->nr_progs == MAX_PROGRAMS)
			return errbuf__set(eb, -E2BIG, "BPF object %s has more than %d programs",
					   up->path, MAX_PROGRAMS);
		bpf_program__set_autoload(p, true);
		up->progs[up->nr_progs++].prog = p;
	}
	return up->nr_progs ? 0 : no_program(up, eb);
}

static const char *internal_name(const char *name)
{
	static const char *const sections[] = {".rodata", ".data", ".bss", ".kconfig"};

	for (size_t i = 0; i < ARRAY_SIZE(sections); i++) {
		const char *at = strstr(name, sections[i]);

		if (at)
			return at;
	}
	return name;
}

/* Type ids are taken before loading: libbpf forgets them where the kernel does not want them. */
static int list_maps(struct user_prog *up, struct errbuf *eb)
{
	const struct btf *btf = bpf_object__btf(up->obj);
	struct bpf_map *m;
	int nr = 0, id;

	bpf_object__for_each_map(m, up->obj) nr++;
	up->maps = calloc(nr ? nr : 1, sizeof(*up->maps));
	if (!up->maps)
		return errbuf__set(eb, -ENOMEM, "out of memory");
	bpf_object__for_each_map(m, up->obj)
	{
		struct user_map *um = &up->maps[up->nr_maps].pub;

		up->maps[up->nr_maps++].map = m;
		um->fd = -1;
		um->internal = bpf_map__is_internal(m);
		um->name = bpf_map__name(m);
		um->key_type_id = bpf_map__btf_key_type_id(m);
		um->value_type_id = bpf_map__btf_value_type_id(m);
		if (!um->internal)
			continue;
		um->name = internal_name(um->name);
		id = btf ? btf__find_by_name_kind(btf, um->name, BTF_KIND_DATASEC) : 0;
		um->key_type_id = 0;
		um->value_type_id = id > 0 ? id : 0;
	}
	return 0;
}

static int open_all(struct user_prog *up, const struct user_prog_opts *o, struct errbuf *eb)
{
	int err = split_spec(up, o->spec, eb);

	if (!err)
		err = bpf_image__read(&up->image, up->path, eb);
	if (!err)
		err = bpf_image__convert_maps(&up->image, up->path, eb);
	if (!err)
		err = bpf_image__check_btf(&up->image, up->path, eb);
	if (!err)
		err = open_object(up, eb);
	if (!err)
		err = choose_programs(up, eb);
	if (!err)
		err = list_maps(up, eb);
	for (int i = 0; !err && i < o->nr_vars; i++) {
		err = user_vars__set(up->obj, o->vars[i], eb);
		if (err)
			errbuf__prefix(eb, "%s: ", up->path);
	}
	return err;
}

struct user_prog *user_prog__open(const struct user_prog_opts *o, struct errbuf *eb)
{
	struct user_prog *up = calloc(1, sizeof(*up));
	libbpf_print_fn_t old;
	int err;

	if (!up) {
		errbuf__set(eb, -ENOMEM, "out of memory");
		return NULL;
	}
	up->stats_fd = -1;
	up->debug = o->debug;
	up->debug_ctx = o->ctx;
	old = capture_begin(up);
	err = open_all(up, o, eb);
	capture_end(old);
	if (!err)
		return up;
	user_prog__delete(up);
	errno = -err;
	return NULL;
}

/* ---- loading ---- */

static int alloc_logs(struct user_prog *up, struct errbuf *eb)
{
	for (int i = 0; i < up->nr_progs; i++) {
		struct user_program *p = &up->progs[i];

		p->log = mmap(NULL, LOG_SIZE, PROT_READ | PROT_WRITE,
			      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
		if (p->log == MAP_FAILED) {
			p->log = NULL;
			return errbuf__set(eb, -ENOMEM, "out of memory for the verifier's log");
		}
		bpf_program__set_log_buf(p->prog, p->log, LOG_SIZE);
	}
	return 0;
}

static void free_logs(struct user_prog *up)
{
	for (int i = 0; i < up->nr_progs; i++) {
		if (!up->progs[i].log)
			continue;
		if (up->obj)
			bpf_program__set_log_buf(up->progs[i].prog, NULL, 0);
		munmap(up->progs[i].log, LOG_SIZE);
		up->progs[i].log = NULL;
	}
}

static void debug_log(struct user_prog *up, const char *log)
{
	char line[1024];

	while (up->debug && *log) {
		size_t n = strcspn(log, "\n");

		snprintf(line, sizeof(line), "%.*s", (int)min_t(size_t, n, sizeof(line) - 1), log);
		up->debug(up->debug_ctx, line);
		log += n + !!log[n];
	}
}

static int load_error(struct user_prog *up, int err, struct errbuf *eb)
{
	for (int i = 0; i < up->nr_progs; i++) {
		struct user_program *p = &up->progs[i];
		const char *name = bpf_program__name(p->prog);

		p->log[LOG_SIZE - 1] = '\0';
		if (!p->log[0])
			continue;
		errbuf__set(eb, err, "%s: the kernel's verifier refuses program '%s'", up->path,
			    name);
		verifier_log__explain(&up->image, bpf_object__btf(up->obj), name,
				      bpf_program__section_name(p->prog), p->log, eb);
		debug_log(up, p->log);
		return errno = -err, err;
	}
	if (err == -EPERM || err == -EACCES)
		return errbuf__set(
			eb, err,
			"cannot load %s: %s; loading BPF programs needs root, or CAP_BPF "
			"and CAP_PERFMON",
			up->path, strerror(-err));
	return errbuf__set(eb, err, "cannot load %s: %s", up->path,
			   up->warning[0] ? up->warning : strerror(-err));
}

static void fill_maps(struct user_prog *up)
{
	for (int i = 0; i < up->nr_maps; i++) {
		struct user_map *um = &up->maps[i].pub;
		const struct bpf_map *m = up->maps[i].map;

		um->fd = bpf_map__fd(m);
		um->type = bpf_map__type(m);
		um->key_size = bpf_map__key_size(m);
		um->value_size = bpf_map__value_size(m);
		um->max_entries = bpf_map__max_entries(m);
	}
}

int user_prog__load(struct user_prog *up, struct errbuf *eb)
{
	libbpf_print_fn_t old;
	int err = alloc_logs(up, eb);

	if (!err) {
		old = capture_begin(up);
		err = bpf_object__load(up->obj);
		capture_end(old);
		if (err)
			load_error(up, err, eb);
	}
	free_logs(up);
	if (err)
		return err;
	fill_maps(up);
	/* Counts the runs; without it (before 5.8) only the count is missing. */
	up->stats_fd = bpf_enable_stats(BPF_STATS_RUN_TIME);
	return 0;
}

void user_prog__delete(struct user_prog *up)
{
	if (!up)
		return;
	user_prog__detach(up);
	free_logs(up);
	if (up->stats_fd >= 0)
		close(up->stats_fd);
	bpf_object__close(up->obj);
	bpf_image__free(&up->image);
	free(up->progs);
	free(up->maps);
	free(up->path);
	free(up);
}

/* ---- questions ---- */

int user_prog__nr_programs(const struct user_prog *up)
{
	return up->nr_progs;
}

const char *user_prog__program_name(const struct user_prog *up, int idx)
{
	return bpf_program__name(up->progs[idx].prog);
}

int user_prog__stats(const struct user_prog *up, struct user_prog_stats *st)
{
	*st = (struct user_prog_stats){.runs_known = up->stats_fd >= 0};
	for (int i = 0; i < up->nr_progs; i++) {
		struct bpf_prog_info info = {0};
		u32 len = sizeof(info);

		if (bpf_obj_get_info_by_fd(bpf_program__fd(up->progs[i].prog), &info, &len))
			return -errno;
		st->runs += info.run_cnt;
		st->skipped += info.recursion_misses;
	}
	if (!st->runs_known)
		st->runs = 0;
	return 0;
}

int user_prog__nr_maps(const struct user_prog *up)
{
	return up->nr_maps;
}

const struct user_map *user_prog__map(const struct user_prog *up, int idx)
{
	return &up->maps[idx].pub;
}

const struct btf *user_prog__btf(const struct user_prog *up)
{
	return bpf_object__btf(up->obj);
}
