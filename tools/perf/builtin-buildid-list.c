// SPDX-License-Identifier: GPL-2.0-only
/* perf buildid-list: the build ids of the files that a recording hit. */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "builtin.h"
#include "lib/api/outbuf.h"
#include "lib/symbol/kallsyms.h"
#include "session/build-id.h"
#include "session/hits.h"
#include "session/session.h"

static bool force, with_hits, kernel, kernel_maps;
static int verbose;
static const char *input;

static const struct option options[] = {
	OPT_FLAG('H', "with-hits", &with_hits, "list only files that samples lie in"),
	OPT_STRING('i', "input", &input, "file",
		   "read FILE instead of perf.data; -: standard input"),
	OPT_FLAG('f', "force", &force, "do not ask who owns the file"),
	OPT_FLAG('k', "kernel", &kernel, "print the running kernel's build id instead"),
	OPT_FLAG('m', "kernel-maps", &kernel_maps,
		 "print the running kernel's and its modules' build ids and addresses instead"),
	OPT_COUNT('v', "verbose", &verbose, "say more"),
	OPT_END(),
};
static const char *const usage[] = {"[<options>]", NULL};

const struct option *cmd_buildid_list_options(void)
{
	return options;
}

static void put_id(struct outbuf *ob, const struct build_id *id, int width)
{
	for (int i = 0; i < id->size; i++)
		outbuf__hex(ob, id->data[i], 2, '0');
	outbuf__pad(ob, width > 2 * id->size ? width - 2 * id->size : 0);
}

static void put_line(struct outbuf *ob, const struct build_id *id, const char *name)
{
	put_id(ob, id, 40);
	outbuf__putc(ob, ' ');
	outbuf__safe(ob, name, strlen(name));
	outbuf__putc(ob, '\n');
}

/* ---- of this machine ---- */
static int put_kernel(struct outbuf *ob)
{
	struct build_id id;

	if (!build_id__of_kernel(&id)) {
		pr_err("the running kernel has no build id in /sys/kernel/notes");
		return EXIT_TOOL_FAILED;
	}
	put_id(ob, &id, 0);
	outbuf__putc(ob, '\n');
	return 0;
}

struct bounds {
	u64 start, end;
};

static int find_bounds(const struct kallsyms_symbol *s, void *ctx)
{
	struct bounds *b = ctx;

	if (!strcmp(s->name, "_stext"))
		b->start = s->addr;
	else if (!strcmp(s->name, "_etext"))
		b->end = s->addr;
	return 0;
}

static void put_modules(struct outbuf *ob)
{
	FILE *f = fopen("/proc/modules", "re");
	char line[4096];

	/* "ext4 1048576 1 - Live 0xffffffffc0000000" */
	while (f && fgets(line, sizeof(line), f)) {
		char name[256], shown[260];
		unsigned long long size, start;
		struct build_id id;

		if (sscanf(line, "%255s %llu %*s %*s %*s %llx", name, &size, &start) != 3)
			continue;
		snprintf(shown, sizeof(shown), "[%s]", name);
		if (!build_id__of_module(shown, &id))
			continue;
		put_id(ob, &id, 40);
		outbuf__printf(ob, " %16llx %16llx %s\n", start, start + size, shown);
	}
	if (f)
		fclose(f);
}

static int put_kernel_maps(struct outbuf *ob)
{
	char *text = kallsyms__read("/proc/kallsyms");
	struct bounds b = {};
	struct build_id id;

	if (text)
		kallsyms__parse(text, find_bounds, &b);
	free(text);
	if (!build_id__of_kernel(&id)) {
		pr_err("the running kernel has no build id in /sys/kernel/notes");
		return EXIT_TOOL_FAILED;
	}
	if (!b.start)
		pr_warn("/proc/kallsyms shows no addresses (kernel.kptr_restrict)");
	put_id(ob, &id, 40);
	outbuf__printf(ob, " %16llx %16llx [kernel.kallsyms]\n", (unsigned long long)b.start,
		       (unsigned long long)b.end);
	put_modules(ob);
	return 0;
}

/* ---- of an ELF file ---- */
static bool is_elf(const char *path)
{
	char magic[SELFMAG];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	bool yes = fd >= 0 && read(fd, magic, sizeof(magic)) == (ssize_t)sizeof(magic) &&
		   !memcmp(magic, ELFMAG, SELFMAG);

	if (fd >= 0)
		close(fd);
	return yes;
}

static int put_elf(struct outbuf *ob, const char *path)
{
	struct symbol_conf conf = {};
	struct dsos *dsos = dsos__new(&conf);
	char *full = realpath(path, NULL);
	struct dso_ident ident = {.path = full ? full : path, .kind = DSO_USER};
	struct dso *d = dsos ? dsos__find(dsos, &ident) : NULL;
	struct build_id id;
	int rc = 0;

	if (d && !dso__build_id(d, &id)) {
		put_id(ob, &id, 0);
		outbuf__putc(ob, '\n');
	} else {
		pr_err("%s has no build id", path);
		rc = EXIT_TOOL_FAILED;
	}
	dsos__delete(dsos);
	free(full);
	return rc;
}

/* ---- of a recording ---- */
static const struct hit_file *find_hit(const struct file_hits *h, const char *name)
{
	for (int i = 0; i < file_hits__nr(h); i++)
		if (file_hits__at(h, i)->hit && !strcmp(file_hits__at(h, i)->name, name))
			return file_hits__at(h, i);
	return NULL;
}

/* The file's own table; with hits, only of what was hit, then what was hit and is not in it: its id
 * can stand in the records of the maps. */
static void put_list(struct outbuf *ob, const struct perf_session *s, const struct file_hits *h)
{
	const struct session_info *info = perf_session__info(s);

	for (u32 i = 0; i < info->nr_build_ids; i++) {
		const struct session_build_id *b = &info->build_ids[i];

		if (!h || find_hit(h, b->name))
			put_line(ob, &b->id, b->name);
	}
	for (int i = 0; i < file_hits__nr(h); i++) {
		const struct hit_file *f = file_hits__at(h, i);
		struct build_id id;

		if (!f->hit || perf_session__build_id(s, f->name, &id))
			continue;
		if (f->dso && dso__kind(f->dso) == DSO_JIT)
			continue; /* code without a file */
		id = f->id;
		if (f->dso)
			dso__build_id(f->dso, &id);
		put_line(ob, &id, f->name);
	}
}

static void warn(void *ctx, const char *line)
{
	(void)ctx;
	pr_warn("%s", line);
}

static int put_recording(struct outbuf *ob)
{
	struct session_opts opts = {.force = force, .warn = warn};
	/* Ids out of the recording alone, never of files that happen to be here. */
	struct symbol_conf conf = {.foreign = true};
	struct errbuf eb = {};
	struct perf_session *s = perf_session__open(input, &opts, &eb);
	struct file_hits *h = NULL;
	int rc = 0;

	if (!s) {
		pr_err("%s", eb.msg);
		return EXIT_TOOL_FAILED;
	}
	if (with_hits || perf_session__is_pipe(s) || !perf_session__has_feature(s, FEAT_BUILD_ID)) {
		h = file_hits__new(s, &conf, false, &eb);
		if (!h) {
			pr_err("%s", eb.msg);
			rc = EXIT_TOOL_FAILED;
		}
	}
	if (!rc)
		put_list(ob, s, h);
	file_hits__delete(h);
	perf_session__delete(s);
	return rc;
}

int cmd_buildid_list(int argc, const char **argv)
{
	struct outbuf ob;
	int rc, err;

	argc = parse_options(argc, argv, options, "buildid-list", usage, 0);
	if (argc)
		usage_error("buildid-list", "unexpected argument '%s'", argv[0]);
	pager__start();
	if (outbuf__init(&ob, STDOUT_FILENO, 0)) {
		pr_err("no memory");
		return EXIT_TOOL_FAILED;
	}
	if (kernel)
		rc = put_kernel(&ob);
	else if (kernel_maps)
		rc = put_kernel_maps(&ob);
	else if (input && is_elf(input))
		rc = put_elf(&ob, input);
	else
		rc = put_recording(&ob);
	err = outbuf__flush(&ob);
	outbuf__exit(&ob);
	if (err && err != -EPIPE) {
		pr_err("cannot write: %s", strerror(-err));
		rc = EXIT_TOOL_FAILED;
	}
	return rc;
}
