// SPDX-License-Identifier: GPL-2.0-only
/*
 * perf script --folded: every distinct stack once with its number of samples, for FlameGraph,
 * inferno and relatives: "comm;outermost;...;innermost N". The count stands behind the last blank;
 * a `;`, a backslash and control characters inside a name are written as \ooo, so that every line
 * comes apart again in one way only. Of several events in a recording each has a tree of its own,
 * under its name.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "hist/callctx.h"
#include "hist/intern.h"
#include "output/script-internal.h"
#include "output/tracepoint.h"

struct folded {
	struct intern *names; /* frames as they are written */
	struct callctx *tree; /* paths of them */
	u64 *counts;	      /* by node of the tree */
	u32 nr_counts;
	const char **texts; /* by number of the name */
	u32 nr_texts;
	bool several; /* events with samples of their own */
	bool failed;  /* out of memory: said at the end */
};

static void put_name(struct outbuf *ob, const char *s, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		unsigned char c = s[i];

		if (c == ';' || c == '\\' || c < ' ' || c == 0x7f)
			outbuf__printf(ob, "\\%03o", c);
		else
			outbuf__putc(ob, c);
	}
}

/* The number of the frame whose text is in s->scratch. */
static s64 take_scratch(struct script *s)
{
	struct folded *f = s->folded;
	s64 id;

	outbuf__putc(&s->scratch, '\0');
	id = intern__id(f->names, s->scratch.buf, s->scratch.len - 1);
	if (id >= f->nr_texts) {
		u32 nr = f->nr_texts ? f->nr_texts * 2 : 1024;
		const char **p = reallocarray(f->texts, nr, sizeof(*p));

		if (p) {
			memset(p + f->nr_texts, 0, (nr - f->nr_texts) * sizeof(*p));
			f->texts = p;
			f->nr_texts = nr;
		} else {
			id = -1;
		}
	}
	if (id >= 0 && !f->texts[id])
		f->texts[id] = intern__str(f->names, s->scratch.buf);
	s->scratch.len = 0;
	return id;
}

static u32 push(struct script *s, u32 node)
{
	s64 id = take_scratch(s);
	u32 child = id < 0 ? 0 : callctx__child(s->folded->tree, node, id);

	s->folded->failed |= !child;
	return child;
}

static u32 push_text(struct script *s, u32 node, const char *text, size_t len)
{
	put_name(&s->scratch, text, len);
	return push(s, node);
}

static u32 push_place(struct script *s, u32 node, const char *name, const struct dso *dso, u64 addr,
		      bool kernel, bool inlined)
{
	struct outbuf *ob = &s->scratch;

	if (name) {
		put_name(ob, name, strlen(name));
	} else if (dso) {
		outbuf__putc(ob, '[');
		put_name(ob, dso__short_name(dso), strlen(dso__short_name(dso)));
		outbuf__puts(ob, "+0x");
		outbuf__hex(ob, addr, 0, '0');
		outbuf__putc(ob, ']');
	} else {
		outbuf__puts(ob, "[unknown]");
	}
	if (s->o.annotate && (kernel || inlined))
		outbuf__puts(ob, inlined ? "_[i]" : "_[k]");
	return push(s, node);
}

static bool is_kernel(u8 cpumode)
{
	return cpumode == PERF_RECORD_MISC_KERNEL;
}

/* Without a chain the sampled address is the only frame; a tracepoint without one shows itself. */
static u32 push_single(struct script *s, struct script_sample *sm, u32 node)
{
	const struct addr_location *al;

	if (sm->ev->attr->type == PERF_TYPE_TRACEPOINT || sm->ev->bpf_output) {
		const char *name = session_event__name(sm->ev->e);

		return s->folded->several ? node : push_text(s, node, name, strlen(name));
	}
	al = script__locate(s, sm);
	return push_place(s, node, al->sym ? al->sym->name : NULL, al->dso, al->addr,
			  is_kernel(al->cpumode), false);
}

static void count(struct folded *f, u32 node)
{
	if (node >= f->nr_counts) {
		u32 nr = f->nr_counts ? f->nr_counts : 1024;
		u64 *p;

		while (nr <= node)
			nr *= 2;
		p = reallocarray(f->counts, nr, sizeof(*p));
		if (!p) {
			f->failed = true;
			return;
		}
		memset(p + f->nr_counts, 0, (nr - f->nr_counts) * sizeof(*p));
		f->counts = p;
		f->nr_counts = nr;
	}
	f->counts[node]++;
}

static void folded_sample(struct script *s, struct script_sample *sm)
{
	struct folded *f = s->folded;
	const struct script_event *ev = sm->ev;
	u32 node = 0;

	if (f->several) {
		const char *name = session_event__name(ev->e);

		node = push_text(s, node, name, strlen(name));
	}
	node = push_text(s, node, sm->comm, sm->comm_len);
	/* Below it, who called whom at the start of the thread is not known. */
	if (s->o.annotate && ev->callchain && node && callchain__last_end(s->chain) == UNWIND_CUT)
		node = push_text(s, node, "[stack cut]", 11);
	for (u32 i = sm->nr_frames; i-- && node;) {
		const struct callchain_frame *fr = &sm->frames[i];

		node = push_place(s, node, fr->name, fr->dso, fr->addr, is_kernel(fr->cpumode),
				  fr->inlined);
	}
	if (!sm->nr_frames && node)
		node = push_single(s, sm, node);
	/* Its text as a frame of its own only when asked for by name: it tells most samples apart.
	 */
	if (node && ev->tp && sm->s->raw_data &&
	    (s->o.fields.type[ev->type].asked & SCRIPT_TRACE)) {
		struct outbuf text = {.fd = -1};

		if (!outbuf__init(&text, -1, 0)) {
			tracepoint__print(ev->tp, sm->s->raw_data, sm->s->raw_size, &text);
			node = push_text(s, node, text.buf, text.len);
			outbuf__exit(&text);
		}
	}
	if (node)
		count(f, node);
}

static void put_path(struct script *s, u32 node)
{
	struct folded *f = s->folded;
	u32 depth = callctx__depth(f->tree, node), *path = calloc(depth ? depth : 1, sizeof(*path));

	if (!path) {
		f->failed = true;
		return;
	}
	for (u32 i = depth, n = node; i--; n = callctx__parent(f->tree, n))
		path[i] = callctx__frame(f->tree, n);
	for (u32 i = 0; i < depth; i++) {
		if (i)
			outbuf__putc(s->ob, ';');
		outbuf__puts(s->ob, f->texts[path[i]]);
	}
	free(path);
	outbuf__printf(s->ob, " %" PRIu64 "\n", f->counts[node]);
}

static void folded_finish(struct script *s)
{
	struct folded *f = s->folded;

	for (u32 node = 0; node < f->nr_counts && !s->ob->err; node++) {
		if (f->counts[node])
			put_path(s, node);
	}
	if (f->failed)
		script__warn(s, "--folded: not enough memory: the stacks are not complete");
}

static int folded_init(struct script *s)
{
	struct folded *f = s->folded = calloc(1, sizeof(*f));
	int nr = 0;

	if (!f)
		return -ENOMEM;
	for (int i = 0; i < perf_session__nr_events(s->session); i++)
		nr += !session_event__is_dummy(perf_session__event(s->session, i));
	f->several = nr > 1;
	f->names = intern__new();
	f->tree = callctx__new();
	return f->names && f->tree ? 0 : -ENOMEM;
}

static void folded_exit(struct script *s)
{
	struct folded *f = s->folded;

	if (!f)
		return;
	if (f->names)
		intern__delete(f->names);
	if (f->tree)
		callctx__delete(f->tree);
	free(f->counts);
	free(f->texts);
	free(f);
}

const struct script_printer script_folded = {
	.wants_chain = true,
	.init = folded_init,
	.exit = folded_exit,
	.sample = folded_sample,
	.finish = folded_finish,
};
