// SPDX-License-Identifier: GPL-2.0-only
/* The command table and main. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "builtin.h"
#include "lib/api/outbuf.h"
#include "lib/subcmd/completion.h"

#define COMMAND(func, name, summary) {name, summary, cmd_##func, cmd_##func##_options},
static const struct subcmd commands[] = {PERF_COMMANDS(COMMAND){}};
#undef COMMAND

const struct subcmd *perf__commands(void)
{
	return commands;
}

const struct subcmd *perf__command(const char *name)
{
	for (const struct subcmd *c = commands; c->name; c++)
		if (!strcmp(c->name, name))
			return c;
	return NULL;
}

static bool want_help, want_build_options, want_pager, want_list, want_options, want_script;
static int want_version; /* twice: with the build options */
static const char *complete_kind;

static int no_pager(const struct option *opt, const char *arg, bool unset, struct errbuf *eb)
{
	(void)opt, (void)arg, (void)eb;
	pager__disabled = !unset;
	return 0;
}

static const struct option global_options[] = {
	OPT_FLAG('h', "help", &want_help, "show this text; perf help COMMAND: its manual"),
	OPT_COUNT('v', "version", &want_version, "show the version; -vv: with what it is built"),
	OPT_FLAG(0, "build-options", &want_build_options, "with --version: what it is built with"),
	OPT_FLAG('p', "paginate", &want_pager, "send the output of any command through the pager"),
	OPT_CALLBACK_NOARG(0, "no-pager", NULL, "do not send any output through a pager", no_pager),
	OPT_FLAG(0, "list-cmds", &want_list, "list the commands, for scripts"),
	OPT_FLAG(0, "list-opts", &want_options, "list these options, for scripts"),
	OPT_FLAG(0, "bash-completion", &want_script, "print the completion script for bash"),
	{.type = OPT_TYPE_STRING,
	 .long_name = "complete",
	 .value = &complete_kind,
	 .argh = "kind",
	 .help = "for that script: the candidates of KIND that begin with ARG",
	 .flags = OPT_HIDDEN},
	OPT_END(),
};

void perf__usage(FILE *to)
{
	fprintf(to, "\n Usage: perf [--version] [--help] [OPTIONS] COMMAND [ARGS]\n\n"
		    " The commands are:\n");
	for (const struct subcmd *c = commands; c->name; c++)
		fprintf(to, "   %-15s %s\n", c->name, c->summary);
	fprintf(to,
		"\n See 'perf help COMMAND' for the manual of a command, 'perf COMMAND -h' for its"
		" options.\n Any other command is handed to the next perf on PATH.\n\n");
}

static int run_command(const struct subcmd *c, int argc, const char **argv)
{
	unsetenv("PERF_HANDED_ON"); /* of no concern to what we start */
	subcmd__set_name(c->name);
	return subcmd__finish_stdio(c->run(argc, argv));
}

static int run_named(const char *name, int argc, const char **argv, const char **whole)
{
	const struct subcmd *c = perf__command(name);

	return c ? run_command(c, argc, argv) : handover__run(name, commands, argv, whole);
}

static int list_commands(void)
{
	char list[8192];

	for (const struct subcmd *c = commands; c->name; c++)
		printf("%s ", c->name);
	/* Another copy of this perf asks what it could hand to us: what we would hand on is part of
	 * it.
	 */
	if (getenv("PERF_HANDED_ON") && handover__list(list, sizeof(list)))
		fputs(list, stdout);
	else
		putchar('\n');
	return subcmd__finish_stdio(0);
}

/* --bash-completion, --list-opts */
static int print_options(void)
{
	struct outbuf ob;

	if (outbuf__init(&ob, STDOUT_FILENO, 0))
		return EXIT_TOOL_FAILED;
	if (want_script) {
		completion__bash(&ob, commands, global_options);
	} else {
		completion__options(&ob, global_options);
		outbuf__putc(&ob, '\n');
	}
	return subcmd__finish_output(&ob, 0);
}

/* `perf --version`, `perf --help CMD`: the option is another name of the command. */
static int run_global(const char *topic)
{
	const char *help[] = {"help", topic, NULL};
	bool build = want_build_options || want_version > 1;
	const char *version[] = {"version", build ? "--build-options" : NULL, NULL};

	if (want_version || want_build_options)
		return run_command(perf__command("version"), 1 + build, version);
	if (want_list)
		return list_commands();
	if (complete_kind)
		return perf__complete(complete_kind, topic ? topic : "");
	if (want_script || want_options)
		return print_options();
	if (want_help && topic)
		return run_command(perf__command("help"), 2, help);
	if (want_help)
		pager__start();
	perf__usage(want_help ? stdout : stderr);
	return want_help ? subcmd__finish_stdio(0) : 1;
}

/* Installed as perf-CMD, a stock perf runs it as its own subcommand CMD. */
static const char *command_of_name(const char *argv0)
{
	const char *base = strrchr(argv0, '/');

	base = base ? base + 1 : argv0;
	return !strncmp(base, "perf-", 5) && base[5] ? base + 5 : NULL;
}

/* Options before the command that only upstream has a use for: the whole line is then for the next
 * perf. */
static bool of_upstream(const char **argv)
{
	static const char *const names[] = {"--exec-path",   "--html-path",   "--buildid-dir",
					    "--debugfs-dir", "--tracefs-dir", "--debug"};

	for (argv++; *argv && **argv == '-'; argv++)
		for (size_t i = 0; i < ARRAY_SIZE(names); i++)
			if (!strncmp(*argv, names[i], strlen(names[i])))
				return true;
	return false;
}

/* @whole: to hand on as it is; @args: to be parsed. Both have room for one word more than @argv. */
static int dispatch(int argc, const char **argv, const char **whole, const char **args)
{
	const char *name = command_of_name(argv[0]);
	struct errbuf eb = {};
	int n;

	memcpy(args, argv, argc * sizeof(*argv));
	if (name) {
		whole[0] = "perf";
		whole[1] = name;
		memcpy(whole + 2, argv + 1, (argc - 1) * sizeof(*argv));
		return run_named(name, argc, args, whole);
	}
	memcpy(whole, argv, argc * sizeof(*argv));
	n = parse_options__try(argc, args, global_options, "", SUBCMD_STOP_AT_NON_OPTION, &eb);
	if (n < 0 && of_upstream(argv))
		handover__next_perf(whole, &eb);
	if (n < 0) {
		pr_err("%s (see 'perf --help')", eb.msg);
		return EXIT_USAGE;
	}
	if (want_pager)
		pager__start();
	if (!n || want_help || want_version || want_build_options || want_list || want_options ||
	    want_script || complete_kind)
		return run_global(n ? args[0] : NULL);
	return run_named(args[0], n, args, whole);
}

int main(int argc, const char **argv)
{
	const char **whole, **args;
	int code = EXIT_TOOL_FAILED;

	subcmd__init_stdio();
	whole = calloc(argc + 2, sizeof(*whole));
	args = calloc(argc + 2, sizeof(*args));
	if (argc > 0 && whole && args)
		code = dispatch(argc, argv, whole, args);
	free(whole);
	free(args);
	return code;
}
