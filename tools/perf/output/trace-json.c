// SPDX-License-Identifier: GPL-2.0-only
/*
 * One object a line. Every call: time_ns (its entry, CLOCK_MONOTONIC), duration_ns (null: not
 * known), comm, pid, tid, cpu, syscall, args, ret (-1 for an error, null: did not return), errno (a
 * name, or null). Then where there is one: abi ("i386"), stack. Signals have "signal" and
 * "siginfo", ends of threads "exit_code" or "killed_by", other events "event" and "text".
 */
#include <sys/wait.h>

#include "output/trace-int.h"

static void put_key_u64(struct outbuf *ob, const char *key, u64 v)
{
	outbuf__puts(ob, key);
	outbuf__dec(ob, v, 0);
}

static void put_head(const struct trace_record *r, bool duration, struct outbuf *ob)
{
	put_key_u64(ob, "{\"time_ns\":", trace_record__time(r));
	if (duration && trace_record__has_duration(r))
		put_key_u64(ob, ",\"duration_ns\":", r->time_exit - r->time_enter);
	else if (duration)
		outbuf__puts(ob, ",\"duration_ns\":null");
	outbuf__puts(ob, ",\"comm\":");
	outbuf__json(ob, r->comm, strnlen(r->comm, sizeof(r->comm)));
	put_key_u64(ob, ",\"pid\":", r->pid);
	put_key_u64(ob, ",\"tid\":", r->tid);
	put_key_u64(ob, ",\"cpu\":", r->cpu);
}

static void put_result(const struct trace_record *r, struct outbuf *ob)
{
	if (r->flags & TR_NO_EXIT) {
		outbuf__puts(ob, ",\"ret\":null,\"errno\":null");
	} else if (r->ret < 0 && r->ret >= -4095) {
		const char *name = trace_errno__name((int)-r->ret);

		outbuf__puts(ob, ",\"ret\":-1,\"errno\":");
		if (name)
			outbuf__printf(ob, "\"%s\"", name);
		else
			outbuf__printf(ob, "\"%d\"", (int)-r->ret);
	} else {
		outbuf__puts(ob, ",\"ret\":");
		outbuf__sdec(ob, r->ret, 0);
		outbuf__puts(ob, ",\"errno\":null");
	}
}

static void put_stack(struct trace_output *out, const struct trace_record *r, struct outbuf *ob)
{
	const u64 *ips;
	u32 nr = record__stack(r, &ips);

	if (!nr)
		return;
	outbuf__puts(ob, ",\"stack\":");
	if (out->o.print_stack) {
		out->o.print_stack(out->o.arg, r, ips, nr, ob, TRACE_FORMAT_JSON);
		return;
	}
	for (u32 i = 0; i < nr; i++)
		outbuf__printf(ob, "%s\"%#llx\"", i ? "," : "[", (unsigned long long)ips[i]);
	outbuf__putc(ob, ']');
}

static void json_call(struct trace_output *out, const struct trace_record *r, bool continued,
		      struct outbuf *ob)
{
	const struct trace_call *c = decoder__call(out->d, r);

	(void)continued;
	put_head(r, true, ob);
	outbuf__puts(ob, ",\"syscall\":\"");
	outbuf__write(ob, c->name, c->name_len);
	outbuf__puts(ob, "\",\"args\":{");
	decoder__args(out->d, r, ob);
	outbuf__putc(ob, '}');
	put_result(r, ob);
	if (r->abi == TRACE_ABI_32)
		outbuf__puts(ob, ",\"abi\":\"i386\"");
	else if (r->abi == TRACE_ABI_X32)
		outbuf__puts(ob, ",\"abi\":\"x32\"");
	put_stack(out, r, ob);
	outbuf__puts(ob, "}\n");
}

static void json_event(struct trace_output *out, const struct trace_record *r, struct outbuf *ob)
{
	const char *name = out->o.event_name ? out->o.event_name(out->o.arg, r) : "";

	put_head(r, false, ob);
	outbuf__puts(ob, ",\"event\":");
	outbuf__json(ob, name, strlen(name));
	outbuf__puts(ob, ",\"text\":");
	out->tmp.len = 0;
	if (out->o.print_event)
		out->o.print_event(out->o.arg, r, &out->tmp);
	outbuf__json(ob, out->tmp.buf, out->tmp.len);
	put_stack(out, r, ob);
	outbuf__puts(ob, "}\n");
}

static void put_signal(struct outbuf *ob, int sig)
{
	const char *name = trace_signal__name(sig);

	if (name)
		outbuf__printf(ob, "\"%s\"", name);
	else
		outbuf__printf(ob, "\"%d\"", sig);
}

static void json_signal(struct trace_output *out, const struct trace_record *r, struct outbuf *ob)
{
	put_head(r, false, ob);
	outbuf__puts(ob, ",\"signal\":");
	put_signal(ob, (int)r->args[0]);
	outbuf__puts(ob, ",\"siginfo\":");
	decoder__siginfo(out->d, r, ob);
	outbuf__puts(ob, "}\n");
}

static void json_exited(struct trace_output *out, const struct trace_record *r, struct outbuf *ob)
{
	int status = (int)r->args[0];

	(void)out;
	put_head(r, false, ob);
	if (WIFSIGNALED(status)) {
		outbuf__puts(ob, ",\"killed_by\":");
		put_signal(ob, WTERMSIG(status));
		outbuf__puts(ob, "}\n");
	} else {
		outbuf__printf(ob, ",\"exit_code\":%d}\n", WEXITSTATUS(status));
	}
}

const struct trace_output_ops trace_output_json = {
	.name = "json",
	.style = TRACE_STYLE_JSON,
	.call = json_call,
	.event = json_event,
	.signal = json_signal,
	.exited = json_exited,
};
