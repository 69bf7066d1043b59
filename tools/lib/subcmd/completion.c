// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "lib/api/outbuf.h"
#include "lib/subcmd/completion.h"

static bool shown(const struct option *o)
{
	return o->type != OPT_TYPE_GROUP && !(o->flags & OPT_HIDDEN);
}

static bool has_argument(const struct option *o)
{
	return o->type != OPT_TYPE_FLAG && o->type != OPT_TYPE_COUNT && !(o->flags & OPT_NOARG);
}

/* "thread|total|cgroup" in the help text: one of those words. */
static bool is_choice(const char *argh)
{
	return argh && strchr(argh, '|') && !argh[strspn(argh, "abcdefghijklmnopqrstuvwxyz-|")];
}

/* What completes an option's argument: its own word for it, else what the argument's name in the
 * help text, or the option's own, tells. */
static const char *kind_of(const struct option *o)
{
	static const struct {
		const char *name, *kind;
	} known[] = {
		{"event", "event"},   {"pid", "pid"},	     {"pids", "pid"},  {"tid", "tid"},
		{"tids", "tid"},      {"cpu", "cpu"},	     {"cpus", "cpu"},  {"cgroup", "cgroup"},
		{"user", "user"},     {"file", "file"},	     {"path", "file"}, {"dir", "file"},
		{"calls", "syscall"}, {"directory", "file"},
	};

	if (o->complete)
		return o->complete;
	if (is_choice(o->argh))
		return o->argh;
	for (size_t i = 0; o->argh && i < ARRAY_SIZE(known); i++)
		if (!strcmp(o->argh, known[i].name))
			return known[i].kind;
	for (size_t i = 0; o->long_name && i < ARRAY_SIZE(known); i++)
		if (!strcmp(o->long_name, known[i].name))
			return known[i].kind;
	return NULL;
}

/* "a b c" or "a|b|c" as words of a shell command. */
static void put_words(struct outbuf *ob, const char *words)
{
	outbuf__puts(ob, ") printf '%s\\n' words ");
	for (; *words; words++)
		outbuf__putc(ob, *words == '|' ? ' ' : *words);
	outbuf__puts(ob, " ;;\n");
}

void completion__options(struct outbuf *ob, const struct option *options)
{
	for (const struct option *o = options; o->type != OPT_TYPE_END; o++)
		if (shown(o) && o->long_name)
			outbuf__printf(ob, "--%s ", o->long_name);
}

/*
 * "CMD --name=" and, where the argument may also be the next word, "CMD --name" and "CMD -n".
 * False: nothing was written yet, nor before (@some).
 */
static bool put_pattern(struct outbuf *ob, const char *cmd, const struct option *o, bool some)
{
	bool next_word = !(o->flags & OPT_OPTARG);

	if (o->long_name) {
		outbuf__printf(ob, "%s\"%s --%s=\"", some ? " | " : "\t", cmd, o->long_name);
		some = true;
		if (next_word)
			outbuf__printf(ob, " | \"%s --%s\"", cmd, o->long_name);
	}
	if (o->short_name && next_word) {
		outbuf__printf(ob, "%s\"%s -%c\"", some ? " | " : "\t", cmd, o->short_name);
		some = true;
	}
	return some;
}

/* One case per option whose argument can be completed; then one of those where it is anything. */
static void put_arguments(struct outbuf *ob, const char *cmd, const struct option *options)
{
	bool some = false;

	for (const struct option *o = options; o->type != OPT_TYPE_END; o++) {
		const char *kind = kind_of(o);

		if (!shown(o) || !has_argument(o) || !kind)
			continue;
		if (!put_pattern(ob, cmd, o, false))
			continue;
		if (kind[strcspn(kind, " |")])
			put_words(ob, kind);
		else
			outbuf__printf(ob, ") echo %s ;;\n", kind);
	}
	for (const struct option *o = options; o->type != OPT_TYPE_END; o++)
		if (shown(o) && has_argument(o) && !kind_of(o))
			some = put_pattern(ob, cmd, o, some);
	if (some)
		outbuf__puts(ob, ") echo any ;;\n");
}

static void put_tables(struct outbuf *ob, const struct subcmd *commands,
		       const struct option *global)
{
	outbuf__puts(ob, "_perf_options()\n{\n\tcase $1 in\n\t'') echo \"");
	completion__options(ob, global);
	outbuf__puts(ob, "\" ;;\n");
	for (const struct subcmd *c = commands; c->name; c++) {
		outbuf__printf(ob, "\t%s) echo \"", c->name);
		completion__options(ob, c->options());
		outbuf__puts(ob, "--help\" ;;\n");
	}
	outbuf__puts(ob,
		     "\t*) \"$_perf_program\" \"$1\" --list-opts 2>/dev/null ;;\n\tesac\n}\n\n");
	outbuf__puts(ob, "# COMMAND OPTION (--name=: in the same word): file, words A B C, any, or "
			 "what --complete knows\n"
			 "_perf_argument()\n{\n\tcase \"$1 $2\" in\n");
	put_arguments(ob, "", global);
	for (const struct subcmd *c = commands; c->name; c++)
		put_arguments(ob, c->name, c->options());
	outbuf__puts(ob, "\tesac\n}\n\n");
}

/*
 * Words are cut at blanks only: bash itself also cuts at ':' and '=', which event names and
 * --opt=value are full of. What stands before the last of those in the word is therefore cut off
 * the candidates again, as bash replaces only what follows it.
 */
static const char engine[] =
	"# Candidates (one a line on stdin) for $cur, each behind $1, cut where bash cuts words.\n"
	"_perf_reply()\n"
	"{\n"
	"\tlocal cut= rest=$cur c IFS=$'\\n'\n"
	"\twhile [[ $rest == *[:=]* ]]; do\n"
	"\t\tc=${rest%%[:=]*}\n"
	"\t\tc=$c${rest:${#c}:1}\n"
	"\t\t[[ $COMP_WORDBREAKS != *\"${c: -1}\"* ]] || cut=${cur:0:${#cur}-${#rest}+${#c}}\n"
	"\t\trest=${rest:${#c}}\n"
	"\tdone\n"
	"\twhile read -r c; do\n"
	"\t\tc=$1$c\n"
	"\t\t[[ $c != \"$cur\"* ]] || COMPREPLY+=(\"${c#\"$cut\"}\")\n"
	"\tdone\n"
	"}\n\n"
	"# The argument of option $2 of command $1; $3 stands before it in the word "
	"(\"--event=\").\n"
	"_perf_complete_argument()\n"
	"{\n"
	"\tlocal kind value=${cur#\"$3\"} list=$3\n"
	"\tkind=$(_perf_argument \"$1\" \"$2\")\n"
	"\tcase $kind in\n"
	"\t'') return 1 ;;\n"
	"\tany) ;;\n"
	"\tfile) _perf_reply \"$3\" < <(compgen -f -- \"$value\") && compopt -o filenames "
	"2>/dev/null ;;\n"
	"\twords*) _perf_reply \"$3\" <<<\"${kind#words?}\" ;;\n"
	"\t*)\n"
	"\t\tif [[ $value == *,* ]]; then\n"
	"\t\t\tlist=$3${value%,*},\n"
	"\t\t\tvalue=${value##*,}\n"
	"\t\tfi\n"
	"\t\t[[ $kind != event || $cur == *: ]] || compopt -o nospace 2>/dev/null\n"
	"\t\t_perf_reply \"$list\" < <(\"$_perf_program\" --complete \"$kind\" \"$value\" "
	"2>/dev/null)\n"
	"\t\t;;\n"
	"\tesac\n"
	"\treturn 0\n"
	"}\n\n"
	"_perf()\n"
	"{\n"
	"\tlocal line=${COMP_LINE:0:COMP_POINT} cur prev= cmd= w i words\n"
	"\tlocal _perf_program=${COMP_WORDS[0]}\n"
	"\t_perf_program=${_perf_program/#\\~/$HOME}\n"
	"\tCOMPREPLY=()\n"
	"\tread -ra words <<<\"$line\"\n"
	"\tcur=\n"
	"\t[[ $line == *[[:blank:]] ]] || { cur=${words[-1]} && unset 'words[-1]'; }\n"
	"\tprev=${words[-1]}\n"
	"\tif [[ ${words[0]##*/} == perf-* ]]; then\n"
	"\t\tcmd=${words[0]##*/} cmd=${cmd#perf-}\n"
	"\t\t_perf_program=${_perf_program%-\"$cmd\"}\n"
	"\tfi\n"
	"\tfor ((i = 1; i < ${#words[@]}; i++)); do\n"
	"\t\tw=${words[i]}\n"
	"\t\tif [[ $w == -- ]]; then\n"
	"\t\t\t_perf_workload $((i + 1))\n"
	"\t\t\treturn\n"
	"\t\tfi\n"
	"\t\t[[ -n $cmd || $w == -* ]] || cmd=$w\n"
	"\tdone\n"
	"\tif [[ $cur == --*=* ]]; then\n"
	"\t\t_perf_complete_argument \"$cmd\" \"${cur%%=*}=\" \"${cur%%=*}=\"\n"
	"\telif [[ $prev == -* ]] && _perf_complete_argument \"$cmd\" \"$prev\" \"\"; then\n"
	"\t\t:\n"
	"\telif [[ $cur == -* ]]; then\n"
	"\t\t_perf_reply \"\" < <(_perf_options \"$cmd\" | tr -s ' ' '\\n')\n"
	"\telif [[ -z $cmd || $cmd == help ]]; then\n"
	"\t\t_perf_reply \"\" < <(\"$_perf_program\" --complete command \"$cur\" 2>/dev/null)\n"
	"\telse\n"
	"\t\t_perf_reply \"\" < <(compgen -f -- \"$cur\") && compopt -o filenames 2>/dev/null\n"
	"\tfi\n"
	"}\n\n"
	"# Behind --: a command line of its own, completed as such where bash-completion is "
	"there.\n"
	"_perf_workload()\n"
	"{\n"
	"\tif declare -F _command_offset >/dev/null && ((COMP_CWORD > $1)); then\n"
	"\t\t_command_offset \"$1\"\n"
	"\telif [[ $prev == -- ]]; then\n"
	"\t\t_perf_reply \"\" < <(compgen -c -- \"$cur\" | sort -u)\n"
	"\telse\n"
	"\t\t_perf_reply \"\" < <(compgen -f -- \"$cur\") && compopt -o filenames 2>/dev/null\n"
	"\tfi\n"
	"}\n\n"
	"complete -F _perf perf\n";

void completion__bash(struct outbuf *ob, const struct subcmd *commands, const struct option *global)
{
	outbuf__puts(ob, "# bash completion of perf; made by `perf --bash-completion`\n\n");
	put_tables(ob, commands, global);
	outbuf__puts(ob, engine);
	for (const struct subcmd *c = commands; c->name; c++)
		if (!strcmp(c->name, "sample-bpf"))
			outbuf__printf(ob, "complete -F _perf perf-%s\n", c->name);
}
