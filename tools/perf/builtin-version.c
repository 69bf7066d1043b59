// SPDX-License-Identifier: GPL-2.0-only
/* perf version: one line, and with --build-options upstream's table of what is built in. */
#include <stdio.h>

#include "builtin.h"

static bool build_options;

static const struct option options[] = {
	OPT_FLAG(0, "build-options", &build_options, "display what this perf is built with"),
	OPT_FLAG('v', "verbose", &build_options, "the same"),
	OPT_END(),
};
static const char *const usage[] = {"[<options>]", NULL};

const struct option *cmd_version_options(void)
{
	return options;
}

/* Upstream's names, so that scripts which look for one find it. */
static const struct {
	const char *name, *macro;
	bool on;
} features[] = {
	{"aio", "HAVE_AIO_SUPPORT", false},
	{"bpf", "HAVE_LIBBPF_SUPPORT", true},
	{"bpf_skeletons", "HAVE_BPF_SKEL", true},
	{"debuginfod", "HAVE_DEBUGINFOD_SUPPORT", false},
	{"dwarf", "HAVE_DWARF_SUPPORT", true},
	{"dwarf_getlocations", "HAVE_DWARF_GETLOCATIONS_SUPPORT", true},
	{"glibc", "HAVE_GLIBC_SUPPORT", true},
	{"libbfd", "HAVE_LIBBFD_SUPPORT", false},
	{"libcrypto", "HAVE_LIBCRYPTO_SUPPORT", false},
	{"libdw-dwarf-unwind", "HAVE_DWARF_SUPPORT", true},
	{"libelf", "HAVE_LIBELF_SUPPORT", true},
	{"libnuma", "HAVE_LIBNUMA_SUPPORT", false},
	{"libperl", "HAVE_LIBPERL_SUPPORT", false},
	{"libpfm4", "HAVE_LIBPFM", false},
	{"libpython", "HAVE_LIBPYTHON_SUPPORT", false},
	{"libslang", "HAVE_SLANG_SUPPORT", true},
	{"libtraceevent", "HAVE_LIBTRACEEVENT", true},
	{"libunwind", "HAVE_LIBUNWIND_SUPPORT", true},
	{"lzma", "HAVE_LZMA_SUPPORT", true},
	{"syscall_table", "HAVE_SYSCALL_TABLE_SUPPORT", true},
	{"zlib", "HAVE_ZLIB_SUPPORT", true},
	{"zstd", "HAVE_ZSTD_SUPPORT", true},
};

int cmd_version(int argc, const char **argv)
{
	argc = parse_options(argc, argv, options, "version", usage, 0);
	if (argc)
		usage_error("version", "takes no arguments, got '%s'", argv[0]);
	printf("perf version %s\n", PERF_VERSION);
	for (size_t i = 0; build_options && i < ARRAY_SIZE(features); i++)
		printf("%22s: [ %-3s ]  # %s\n", features[i].name, features[i].on ? "on" : "OFF",
		       features[i].macro);
	return 0;
}
