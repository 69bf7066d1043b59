// SPDX-License-Identifier: GPL-2.0-only
/* Help text from the option table, and what a wrong command line is answered with. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "lib/api/outbuf.h"
#include "lib/subcmd/completion.h"
#include "lib/subcmd/subcmd.h"

#define HELP_COL 26 /* where the description begins, as upstream's */

static int help_width(void)
{
	struct winsize ws;

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &ws) || ws.ws_col < 60)
		return 100;
	return ws.ws_col;
}

/* @text wrapped at @width, continuation lines indented by HELP_COL. */
static void put_wrapped(struct outbuf *ob, const char *text, int width)
{
	int room = width - HELP_COL;

	while ((int)strlen(text) > room) {
		int cut = room;

		while (cut > room / 2 && text[cut] != ' ')
			cut--;
		outbuf__write(ob, text, cut);
		outbuf__putc(ob, '\n');
		outbuf__pad(ob, HELP_COL);
		text += cut;
		while (*text == ' ')
			text++;
	}
	outbuf__puts(ob, text);
	outbuf__putc(ob, '\n');
}

static void put_option(struct outbuf *ob, const struct option *o, int width)
{
	size_t from = ob->len;
	int used;

	outbuf__puts(ob, "    ");
	if (o->short_name)
		outbuf__printf(ob, "-%c", o->short_name);
	else
		outbuf__puts(ob, "  ");
	if (o->long_name)
		outbuf__printf(ob, "%s--%s", o->short_name ? ", " : "  ", o->long_name);
	if (o->argh && o->type != OPT_TYPE_FLAG && o->type != OPT_TYPE_COUNT) {
		if (o->flags & OPT_OPTARG)
			outbuf__printf(ob, o->long_name ? "[=<%s>]" : "[<%s>]", o->argh);
		else
			outbuf__printf(ob, " <%s>", o->argh);
	}
	used = ob->len - from;
	if (used > HELP_COL - 2) {
		outbuf__putc(ob, '\n');
		used = 0;
	}
	outbuf__pad(ob, HELP_COL - used);
	put_wrapped(ob, o->help ? o->help : "", width);
}

void subcmd__help_text(struct outbuf *ob, const struct option *options, const char *cmd,
		       const char *const usage[])
{
	int width = help_width();

	for (int i = 0; usage && usage[i]; i++)
		outbuf__printf(ob, "%sperf %s %s\n", i ? "    or: " : "\n Usage: ", cmd, usage[i]);
	if (options->type != OPT_TYPE_GROUP) /* a heading brings its own */
		outbuf__putc(ob, '\n');
	for (const struct option *o = options; o->type != OPT_TYPE_END; o++) {
		if (o->flags & OPT_HIDDEN)
			continue;
		if (o->type == OPT_TYPE_GROUP)
			outbuf__printf(ob, "\n %s\n", o->help);
		else
			put_option(ob, o, width);
	}
	outbuf__putc(ob, '\n');
}

static void print_help_and_exit(const struct option *options, const char *cmd,
				const char *const usage[])
{
	struct outbuf ob;

	if (outbuf__init(&ob, STDOUT_FILENO, 0))
		exit(EXIT_TOOL_FAILED);
	pager__start();
	subcmd__help_text(&ob, options, cmd, usage);
	exit(subcmd__finish_output(&ob, 0));
}

/* --list-opts: for the completion scripts of other perfs, which ask for it. */
static void list_options_and_exit(const struct option *options)
{
	struct outbuf ob;

	if (outbuf__init(&ob, STDOUT_FILENO, 0))
		exit(EXIT_TOOL_FAILED);
	completion__options(&ob, options);
	outbuf__putc(&ob, '\n');
	exit(subcmd__finish_output(&ob, 0));
}

static void hint(const char *cmd)
{
	fprintf(stderr, "Try 'perf %s -h' for its options.\n", cmd);
}

int parse_options(int argc, const char **argv, const struct option *options, const char *cmd,
		  const char *const usage[], unsigned int flags)
{
	struct errbuf eb = {};
	int n = parse_options__try(argc, argv, options, cmd, flags, &eb);

	if (n >= 0)
		return n;
	if (n == -ECANCELED && !strcmp(eb.msg, "list-opts"))
		list_options_and_exit(options);
	if (n == -ECANCELED)
		print_help_and_exit(options, cmd, usage);
	pr_err("%s", eb.msg);
	hint(cmd);
	exit(EXIT_USAGE);
}

void usage_error(const char *cmd, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	subcmd__vmessage("", fmt, ap);
	va_end(ap);
	hint(cmd);
	exit(EXIT_USAGE);
}
