// SPDX-License-Identifier: GPL-2.0-only
/*
 * The lines of strace -f -tt -T -o FILE, for programs that read those:
 *
 *   25870 00:39:25.690127 openat(AT_FDCWD, "/etc/passwd", O_RDONLY) = 3 <0.000011>
 *
 * pid in five columns, local time of the call's entry, the call filled up to 40 columns of the
 * line, the result, the duration in seconds.
 */
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>

#include "output/trace-int.h"
#include "trace/tables.h"

#define ALIGNMENT 40

static void put_digits(char *p, u64 v, int n)
{
	while (n--) {
		p[n] = (char)('0' + v % 10);
		v /= 10;
	}
}

static void put_head(struct trace_output *out, const struct trace_record *r, u64 mono,
		     struct outbuf *ob)
{
	u64 real = mono + (u64)out->o.realtime_offset;
	time_t second = (time_t)(real / 1000000000);
	char *p;
	u64 start = outbuf__pos(ob);

	outbuf__dec(ob, r->tid, 0);
	if (outbuf__pos(ob) - start < 5)
		outbuf__pad(ob, 5 - (outbuf__pos(ob) - start));
	if (second != out->second) {
		struct tm tm;

		out->second = second;
		if (!localtime_r(&second, &tm) ||
		    !strftime(out->clock, sizeof(out->clock), "%H:%M:%S", &tm))
			memcpy(out->clock, "??:??:??", 9);
	}
	p = outbuf__reserve(ob, 24);
	p[0] = ' ';
	memcpy(p + 1, out->clock, 8);
	p[9] = '.';
	put_digits(p + 10, real % 1000000000 / 1000, 6);
	p[16] = ' ';
	ob->len += 17;
}

static void put_duration(const struct trace_record *r, struct outbuf *ob)
{
	u64 us;
	char *p;

	if (!trace_record__has_duration(r))
		return;
	us = (r->time_exit - r->time_enter) / 1000;
	outbuf__puts(ob, " <");
	outbuf__dec(ob, us / 1000000, 0);
	p = outbuf__reserve(ob, 8);
	p[0] = '.';
	put_digits(p + 1, us % 1000000, 6);
	p[7] = '>';
	ob->len += 8;
}

static void put_result(struct trace_output *out, const struct trace_record *r, u64 start,
		       struct outbuf *ob)
{
	u64 col = outbuf__pos(ob) - start;

	outbuf__pad(ob, col < ALIGNMENT ? ALIGNMENT - col : 1);
	outbuf__puts(ob, "= ");
	decoder__ret(out->d, r, ob);
	put_duration(r, ob);
	outbuf__putc(ob, '\n');
}

/* The first return of a new thread: strace shows the parent's alone. */
static bool child_return(const struct trace_call *c, const struct trace_record *r)
{
	return r->flags & TR_NO_ENTRY && r->ret == 0 && c->action == FDA_FORK;
}

static void strace_call(struct trace_output *out, const struct trace_record *r, bool continued,
			struct outbuf *ob)
{
	const struct trace_call *c = decoder__call(out->d, r);
	u64 start = outbuf__pos(ob);

	if (child_return(c, r) || (continued && r->flags & TR_NO_EXIT))
		return;
	if (continued || r->flags & TR_NO_ENTRY) {
		put_head(out, r, r->time_exit, ob);
		outbuf__puts(ob, "<... ");
		outbuf__write(ob, c->name, c->name_len);
		outbuf__puts(ob, " resumed>");
		if (continued)
			decoder__args_rest(out->d, r, ob);
		outbuf__putc(ob, ')');
		put_result(out, r, start, ob);
	} else {
		put_head(out, r, trace_record__time(r), ob);
		outbuf__write(ob, c->name, c->name_len);
		outbuf__putc(ob, '(');
		if (r->flags & TR_NO_EXIT && !(c->flags & TRACE_ROW_NORETURN)) {
			decoder__args_entry(out->d, r, ob);
			outbuf__puts(ob, " <unfinished ...>\n");
		} else {
			decoder__args(out->d, r, ob);
			outbuf__putc(ob, ')');
			put_result(out, r, start, ob);
		}
	}
	trace_output__stack(out, r, ob);
}

static void strace_entry(struct trace_output *out, const struct trace_record *r, struct outbuf *ob)
{
	const struct trace_call *c = decoder__call(out->d, r);

	put_head(out, r, trace_record__time(r), ob);
	outbuf__write(ob, c->name, c->name_len);
	outbuf__putc(ob, '(');
	decoder__args_entry(out->d, r, ob);
	outbuf__puts(ob, " <unfinished ...>\n");
}

static void strace_event(struct trace_output *out, const struct trace_record *r, struct outbuf *ob)
{
	put_head(out, r, trace_record__time(r), ob);
	outbuf__puts(ob, "--- ");
	if (out->o.print_event)
		out->o.print_event(out->o.arg, r, ob);
	outbuf__puts(ob, " ---\n");
}

static void put_signal(struct outbuf *ob, int sig)
{
	const char *name = trace_signal__name(sig);

	if (name)
		outbuf__puts(ob, name);
	else
		outbuf__sdec(ob, sig, 0);
}

static void strace_signal(struct trace_output *out, const struct trace_record *r, struct outbuf *ob)
{
	put_head(out, r, trace_record__time(r), ob);
	outbuf__puts(ob, "--- ");
	put_signal(ob, (int)r->args[0]);
	outbuf__putc(ob, ' ');
	decoder__siginfo(out->d, r, ob);
	outbuf__puts(ob, " ---\n");
}

static void strace_exited(struct trace_output *out, const struct trace_record *r, struct outbuf *ob)
{
	int status = (int)r->args[0];

	put_head(out, r, trace_record__time(r), ob);
	if (WIFSIGNALED(status)) {
		outbuf__puts(ob, "+++ killed by ");
		put_signal(ob, WTERMSIG(status));
		outbuf__puts(ob, WCOREDUMP(status) ? " (core dumped) +++\n" : " +++\n");
	} else {
		outbuf__printf(ob, "+++ exited with %d +++\n", WEXITSTATUS(status));
	}
}

const struct trace_output_ops trace_output_strace = {
	.name = "strace",
	.style = TRACE_STYLE_STRACE,
	.call = strace_call,
	.entry = strace_entry,
	.event = strace_event,
	.signal = strace_signal,
	.exited = strace_exited,
};
