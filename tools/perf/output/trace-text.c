// SPDX-License-Identifier: GPL-2.0-only
/*
 * Upstream's lines:
 *
 *      0.000 ( 0.023 ms): ls/5463 openat(dfd: CWD, filename: "/etc/passwd", flags: RDONLY) = 3
 *
 * time since the first call in ms (%10.3f), duration (%6.3f), thread, the call filled up with
 * blanks to 70 columns, the result. Durations from 0.01 ms on are yellow, from 1 ms on red.
 */
#include <stdio.h>

#include "output/trace-int.h"

#define ALIGNMENT 70
#define YELLOW "\033[33m"
#define RED "\033[31m"
#define RESET "\033[m"

static void three_digits(char *p, u32 v)
{
	p[0] = (char)('0' + v / 100);
	p[1] = (char)('0' + v / 10 % 10);
	p[2] = (char)('0' + v % 10);
}

/* ns as milliseconds with three decimals, right-aligned. Rounded like printf's %.3f. */
static void put_ms(struct outbuf *ob, u64 ns, int width)
{
	u64 us = (ns + 500) / 1000;
	char *p;

	outbuf__dec(ob, us / 1000, width - 4);
	p = outbuf__reserve(ob, 4);
	p[0] = '.';
	three_digits(p + 1, us % 1000);
	ob->len += 4;
}

static void put_time(struct trace_output *out, const struct trace_record *r, bool known,
		     struct outbuf *ob)
{
	u64 t = trace_record__time(r), base = out->o.absolute_time ? 0 : out->base;

	if (!known) {
		outbuf__puts(ob, "         ? ");
		return;
	}
	if (t >= base) {
		put_ms(ob, t - base, 10);
	} else { /* began before the first line's call */
		outbuf__printf(ob, "%10.3f", -((double)(base - t) / 1e6));
	}
	outbuf__putc(ob, ' ');
}

static void put_duration(struct trace_output *out, const struct trace_record *r, bool known,
			 struct outbuf *ob)
{
	u64 ns = r->time_exit - r->time_enter;
	const char *color = NULL;

	if (!known) {
		outbuf__puts(ob, "(         ): ");
		return;
	}
	outbuf__putc(ob, '(');
	if (out->o.color)
		color = ns >= 1000000 ? RED : ns >= 10000 ? YELLOW : NULL;
	if (color)
		outbuf__puts(ob, color);
	put_ms(ob, ns, 6);
	outbuf__puts(ob, " ms");
	if (color)
		outbuf__puts(ob, RESET);
	outbuf__puts(ob, "): ");
}

static void make_head(struct trace_output *out, struct trace_head *h, const struct trace_record *r)
{
	struct outbuf *ob = &out->tmp;

	ob->len = 0;
	if (!out->o.no_comm) {
		outbuf__safe(ob, r->comm, strnlen(r->comm, sizeof(r->comm) - 2));
		outbuf__putc(ob, '/');
	}
	outbuf__dec(ob, r->tid, 0);
	outbuf__putc(ob, ' ');
	/* 14 characters of 4 each, and 12 */
	h->len = min_t(u32, ob->len, sizeof(h->text));
	memcpy(h->text, ob->buf, h->len);
	h->tid = r->tid;
	memcpy(h->comm, r->comm, sizeof(h->comm));
}

static void put_thread(struct trace_output *out, const struct trace_record *r, struct outbuf *ob)
{
	struct trace_head *h = &out->heads[r->tid % TRACE_NR_HEADS];

	if (unlikely(h->tid != r->tid || !same_comm(h->comm, r->comm)))
		make_head(out, h, r);
	memcpy(outbuf__reserve(ob, sizeof(h->text)), h->text, sizeof(h->text));
	ob->len += h->len;
}

/*
 * What most lines begin with, in one go: "%10.3f (%6.3f ms): ". The first number's whole
 * milliseconds are those of the line before. False when it is not of that shape.
 */
static bool put_usual(struct trace_output *out, const struct trace_record *r, struct outbuf *ob)
{
	u64 t = r->time_enter, base = out->o.absolute_time ? 0 : out->base;
	u64 us = (t - base + 500) / 1000, ms = us / 1000, took = r->time_exit - t;
	u32 took_us = (u32)((took + 500) / 1000);
	char *p;

	if (t < base || ms > 999999 || took > 90000000 || out->o.color || out->o.show_cpu)
		return false;
	if (ms != out->ms) {
		snprintf(out->ms_text, sizeof(out->ms_text), "%6u.", (u32)ms);
		out->ms = ms;
	}
	p = outbuf__reserve(ob, 24);
	memcpy(p, out->ms_text, 8);
	three_digits(p + 7, (u32)(us - ms * 1000));
	memcpy(p + 10, " ( 0.", 5);
	if (took_us >= 10000)
		p[12] = (char)('0' + took_us / 10000);
	p[13] = (char)('0' + took_us / 1000 % 10);
	three_digits(p + 15, took_us % 1000);
	memcpy(p + 18, " ms): ", 6);
	ob->len += 24;
	return true;
}

static void put_head(struct trace_output *out, const struct trace_record *r, bool time_known,
		     bool duration_known, struct outbuf *ob)
{
	if (likely(time_known && duration_known) && put_usual(out, r, ob)) {
		if (!out->o.no_tid)
			put_thread(out, r, ob);
		return;
	}
	put_time(out, r, time_known, ob);
	put_duration(out, r, duration_known, ob);
	if (out->o.show_cpu)
		outbuf__printf(ob, "[%03u] ", r->cpu);
	if (out->o.no_tid)
		return;
	put_thread(out, r, ob);
}

/* Blanks up to the result's column, one at least. */
static void put_align(struct outbuf *ob, u64 printed)
{
	outbuf__pad(ob, printed < ALIGNMENT ? ALIGNMENT - printed : 1);
}

/* The line from the call's name on. */
static void put_call(struct trace_output *out, const struct trace_record *r, bool continued,
		     struct outbuf *ob)
{
	const struct trace_call *c = decoder__call(out->d, r);
	u64 start = outbuf__pos(ob), colour = 0;

	if (r->flags & TR_NO_ENTRY || continued) {
		outbuf__puts(ob, " ... [");
		if (out->o.color) {
			outbuf__puts(ob, YELLOW "continued" RESET);
			colour = strlen(YELLOW RESET);
		} else {
			outbuf__puts(ob, "continued");
		}
		outbuf__puts(ob, "]: ");
		outbuf__write(ob, c->name, c->name_len);
		outbuf__puts(ob, "()");
	} else {
		outbuf__write(ob, c->name, c->name_len);
		outbuf__putc(ob, '(');
		decoder__args(out->d, r, ob);
	}
	outbuf__putc(ob, ')');
	put_align(ob, outbuf__pos(ob) - start - colour);
	if (r->flags & TR_NO_EXIT && !(c->flags & TRACE_ROW_NORETURN)) {
		outbuf__puts(ob, "...\n"); /* still in the kernel when the tracing ended */
	} else {
		outbuf__puts(ob, "= ");
		decoder__ret(out->d, r, ob);
		outbuf__putc(ob, '\n');
	}
	trace_output__stack(out, r, ob);
}

static void text_call(struct trace_output *out, const struct trace_record *r, bool continued,
		      struct outbuf *ob)
{
	struct trace_repeat *p = continued ? NULL : trace_repeat__at(out->repeats, r);
	u64 generation = decoder__generation(out->d), start;

	if (continued && r->flags & TR_NO_EXIT)
		return; /* its first half stands there, and there is no second */
	put_head(out, r, !(r->flags & TR_NO_ENTRY), trace_record__has_duration(r), ob);
	if (p && trace_repeat__put(p, r, generation, ob))
		return;
	start = outbuf__pos(ob);
	put_call(out, r, continued, ob);
	/* what was learned while it was printed may belong to the text already */
	if (p && generation == decoder__generation(out->d))
		trace_repeat__keep(p, r, generation, ob, start);
}

static void text_entry(struct trace_output *out, const struct trace_record *r, struct outbuf *ob)
{
	const struct trace_call *c = decoder__call(out->d, r);
	u64 start, n;

	put_head(out, r, !(r->flags & TR_NO_ENTRY), false, ob);
	start = outbuf__pos(ob);
	outbuf__write(ob, c->name, c->name_len);
	outbuf__putc(ob, '(');
	decoder__args_entry(out->d, r, ob);
	outbuf__putc(ob, ')');
	n = outbuf__pos(ob) - start;
	if (n < ALIGNMENT - 4)
		outbuf__pad(ob, ALIGNMENT - 4 - n);
	outbuf__puts(ob, " ...\n");
}

static void text_event(struct trace_output *out, const struct trace_record *r, struct outbuf *ob)
{
	put_head(out, r, true, false, ob);
	if (out->o.print_event)
		out->o.print_event(out->o.arg, r, ob);
	outbuf__putc(ob, '\n');
	trace_output__stack(out, r, ob);
}

/* Upstream shows neither signals nor exits. */
static void text_nothing(struct trace_output *out, const struct trace_record *r, struct outbuf *ob)
{
	(void)out;
	(void)r;
	(void)ob;
}

const struct trace_output_ops trace_output_text = {
	.name = "text",
	.style = TRACE_STYLE_PERF,
	.call = text_call,
	.entry = text_entry,
	.event = text_event,
	.signal = text_nothing,
	.exited = text_nothing,
};
