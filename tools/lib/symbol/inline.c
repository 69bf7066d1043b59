// SPDX-License-Identifier: GPL-2.0-only
/* One pass over a unit's DIEs: which inlined functions cover which addresses. */
#include <dwarf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/symbol/debuginfo.h"
#include "lib/symbol/demangle.h"
#include "lib/symbol/dso-internal.h"
#include "lib/symbol/dwp.h"
#include "lib/symbol/inline.h"

#define MAX_NESTING 512
#define MAX_NODES (1u << 24)
struct walk {
	struct dso *d;
	struct debuginfo *di;
	struct inline_table *t;
	Dwarf_Files *files;
	Dwarf_Die *unit; /* the skeleton of a split one: it has the directory */
	/* A unit out of a package: what it gives goes with it, and it does not know its own base
	 * address, which lists of ranges without one of their own start from. */
	bool packed;
	u64 base;
	bool types_have_code; /* Rust puts functions into types */
	int err;
};

void inline_table__delete(struct inline_table *t)
{
	if (!t)
		return;
	for (u32 i = 0; i < t->nr_nodes; i++)
		free(t->nodes[i].chain);
	free(t->nodes);
	free(t->spans);
	free(t);
}

static int add_span(struct inline_table *t, u64 start, u64 end, u32 node, u32 level)
{
	if (end <= start)
		return 0;
	if (t->nr_spans == t->cap_spans) {
		u32 cap = t->cap_spans ? t->cap_spans * 2 : 64;
		struct inline_span *p =
			cap <= MAX_NODES ? reallocarray(t->spans, cap, sizeof(*p)) : NULL;

		if (!p)
			return -ENOMEM;
		t->spans = p;
		t->cap_spans = cap;
	}
	t->spans[t->nr_spans++] = (struct inline_span){start, end, node, level};
	return 0;
}

/* The name of the function that @die is an instance of: the linkage name made readable, or the
 * plain name. */
static const char *make_name(struct walk *w, Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	const char *raw = NULL;
	char buf[8192];

	if (dwarf_attr_integrate(die, DW_AT_linkage_name, &attr) ||
	    dwarf_attr_integrate(die, DW_AT_MIPS_linkage_name, &attr))
		raw = dwarf_formstring(&attr);
	if (raw && !w->d->dsos->conf.no_demangle && demangle(raw, buf, sizeof(buf)))
		raw = buf;
	if (!raw && dwarf_attr_integrate(die, DW_AT_name, &attr))
		raw = dwarf_formstring(&attr);
	return debuginfo__string(w->di, raw && *raw ? raw : "[unknown]");
}

static const char *name_of(struct walk *w, Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	Dwarf_Die origin;
	const char **slot;

	if (!dwarf_attr(die, DW_AT_abstract_origin, &attr) || !dwarf_formref_die(&attr, &origin))
		return make_name(w, die);
	slot = debuginfo__name_slot(w->di, origin.addr);
	if (!slot)
		return NULL;
	if (!*slot)
		*slot = make_name(w, &origin);
	return *slot;
}

static u64 number(Dwarf_Die *die, unsigned int name)
{
	Dwarf_Attribute attr;
	Dwarf_Word v;

	if (!dwarf_attr(die, name, &attr) || dwarf_formudata(&attr, &v))
		return 0;
	return v;
}

static u32 add_node(struct walk *w, Dwarf_Die *die, u32 parent)
{
	struct inline_table *t = w->t;
	Dwarf_Attribute attr;
	struct inline_node *n;

	if (t->nr_nodes == t->cap_nodes) {
		u32 cap = t->cap_nodes ? t->cap_nodes * 2 : 64;

		n = cap <= MAX_NODES ? reallocarray(t->nodes, cap, sizeof(*n)) : NULL;
		if (!n) {
			w->err = -ENOMEM;
			return NO_NODE;
		}
		t->nodes = n;
		t->cap_nodes = cap;
	}
	n = &t->nodes[t->nr_nodes];
	memset(n, 0, sizeof(*n));
	n->parent = parent;
	n->depth = parent == NO_NODE ? 1 : t->nodes[parent].depth + 1;
	n->frame.name = name_of(w, die);
	if (!n->frame.name)
		w->err = -ENOMEM;
	n->frame.call_line = (u32)number(die, DW_AT_call_line);
	if (w->files && dwarf_attr(die, DW_AT_call_file, &attr))
		n->frame.call_file = debuginfo__source(
			w->di, w->unit,
			dwarf_filesrc(w->files, number(die, DW_AT_call_file), NULL, NULL));
	if (w->packed && n->frame.call_file)
		n->frame.call_file = debuginfo__string(w->di, n->frame.call_file);
	return t->nr_nodes++;
}

static bool add_ranges(struct walk *w, Dwarf_Die *die, u32 node, u32 level)
{
	u64 shift = w->base && dwarf_hasattr(die, DW_AT_ranges) ? w->base : 0;
	Dwarf_Addr base, start, end;
	ptrdiff_t off = 0;
	bool any = false;

	while (!w->err && (off = dwarf_ranges(die, off, &base, &start, &end)) > 0) {
		if (shift && !base) {
			start += shift;
			end += shift;
		}
		w->err = add_span(w->t, start, end, node, level);
		any = true;
	}
	return any;
}

static void walk_children(struct walk *w, Dwarf_Die *parent, u32 node, u32 level, bool in_code);

static void visit(struct walk *w, Dwarf_Die *die, u32 node, u32 level, bool in_code)
{
	u32 n;

	switch (dwarf_tag(die)) {
	case DW_TAG_subprogram:
		/* neither a declaration nor an abstract instance has code */
		if (add_ranges(w, die, NO_NODE, level))
			walk_children(w, die, NO_NODE, level + 1, true);
		break;
	case DW_TAG_inlined_subroutine:
		n = add_node(w, die, node);
		if (n != NO_NODE && add_ranges(w, die, n, level))
			walk_children(w, die, n, level + 1, true);
		break;
	case DW_TAG_lexical_block:
	case DW_TAG_try_block:
	case DW_TAG_catch_block:
	case DW_TAG_with_stmt:
		if (in_code)
			walk_children(w, die, node, level, true);
		break;
	case DW_TAG_namespace:
	case DW_TAG_module:
		walk_children(w, die, node, level, in_code);
		break;
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
	case DW_TAG_union_type:
	case DW_TAG_enumeration_type:
		if (w->types_have_code && !in_code)
			walk_children(w, die, node, level, in_code);
		break;
	default:
		break;
	}
}

static void walk_children(struct walk *w, Dwarf_Die *parent, u32 node, u32 level, bool in_code)
{
	Dwarf_Die die;

	if (level > MAX_NESTING || dwarf_child(parent, &die))
		return;
	do
		visit(w, &die, node, level, in_code);
	while (!w->err && !dwarf_siblingof(&die, &die));
}

static int span_cmp(const void *va, const void *vb)
{
	const struct inline_span *a = va, *b = vb;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	if (a->level != b->level)
		return a->level < b->level ? -1 : 1;
	return a->end < b->end ? -1 : a->end > b->end;
}

struct flatten {
	struct inline_span *out;
	u32 nr, cap;
	struct inline_span stack[MAX_NESTING + 2];
	u32 depth;
	u64 pos;
	int err;
};

static void emit(struct flatten *f, u64 until)
{
	const struct inline_span *top = f->depth ? &f->stack[f->depth - 1] : NULL;

	if (until <= f->pos)
		return;
	if (top && top->node != NO_NODE) {
		if (f->nr == f->cap) {
			u32 cap = f->cap ? f->cap * 2 : 64;
			struct inline_span *p = reallocarray(f->out, cap, sizeof(*p));

			if (!p) {
				f->err = -ENOMEM;
				return;
			}
			f->out = p;
			f->cap = cap;
		}
		f->out[f->nr++] = (struct inline_span){f->pos, until, top->node, 0};
	}
	f->pos = until;
}

/* Nested spans become neighbours, each with its innermost call. */
static int flatten_spans(struct inline_table *t)
{
	struct flatten *f = calloc(1, sizeof(*f));
	int err;

	if (!f)
		return -ENOMEM;
	if (t->nr_spans)
		qsort(t->spans, t->nr_spans, sizeof(*t->spans), span_cmp);
	for (u32 i = 0; i < t->nr_spans && !f->err; i++) {
		struct inline_span s = t->spans[i];

		while (f->depth && f->stack[f->depth - 1].end <= s.start) {
			emit(f, f->stack[f->depth - 1].end);
			f->depth--;
		}
		emit(f, s.start);
		if (f->depth && s.end > f->stack[f->depth - 1].end)
			s.end = f->stack[f->depth - 1].end;
		if (f->depth < ARRAY_SIZE(f->stack)) {
			f->stack[f->depth++] = s;
			f->pos = s.start;
		}
	}
	while (f->depth && !f->err) {
		emit(f, f->stack[f->depth - 1].end);
		f->depth--;
	}
	err = f->err;
	free(t->spans);
	t->spans = f->out;
	t->nr_spans = f->nr;
	t->cap_spans = f->cap;
	free(f);
	return err;
}

static void read_inlines(struct dso *d, struct debuginfo *di, struct debug_unit *u)
{
	struct inline_table *t = calloc(1, sizeof(*t));
	struct walk w = {.d = d, .di = di, .t = t, .unit = &u->die};
	Dwarf_Die *cu = u->split.addr ? &u->split : &u->die;
	struct dwp_unit packed;
	size_t nr_files;

	u->inlines_read = true;
	di->learned = true;
	if (!t)
		return;
	if (!u->split.addr && !debuginfo__packed(di, u, &packed)) {
		cu = &packed.die;
		w.packed = true;
		if (dwarf_lowpc(&u->die, &w.base))
			w.base = 0;
		debuginfo__forget_names(di);
	}
	/* A package without a table of files for the unit counts on the skeleton's. */
	if (dwarf_getsrcfiles(cu, &w.files, &nr_files) &&
	    (!w.packed || dwarf_getsrcfiles(&u->die, &w.files, &nr_files)))
		w.files = NULL;
	w.types_have_code = dwarf_srclang(cu) == DW_LANG_Rust;
	walk_children(&w, cu, NO_NODE, 0, false);
	if (w.packed) {
		debuginfo__forget_names(di);
		dwp_unit__close(&packed);
	}
	if (!t->nr_nodes || flatten_spans(t) || !t->nr_spans) {
		inline_table__delete(t);
		return;
	}
	u->inlines = t;
}

static struct inline_frame *make_chain(struct inline_table *t, struct inline_node *n)
{
	u32 i = 0;

	n->chain = calloc(n->depth, sizeof(*n->chain));
	for (const struct inline_node *p = n; n->chain && i < n->depth; p = &t->nodes[p->parent]) {
		n->chain[i++] = p->frame;
		if (p->parent == NO_NODE)
			break;
	}
	return n->chain;
}

u32 dso__inlines(struct dso *d, u64 addr, const struct inline_frame **frames)
{
	struct inline_table *t;
	struct debuginfo *di;
	struct debug_unit *u;
	u32 lo = 0, hi;
	struct inline_node *n;

	if (d->dsos->conf.no_inline)
		return 0;
	di = dso__debuginfo(d);
	u = di ? debuginfo__unit(di, addr) : NULL;
	if (!u)
		return 0;
	if (!u->inlines_read) {
		/* opening may lay the units out anew */
		if (debuginfo__open(di) || !(u = debuginfo__unit(di, addr)))
			return 0;
		if (!u->inlines_read)
			read_inlines(d, di, u);
	}
	t = u->inlines;
	if (!t)
		return 0;
	hi = t->nr_spans;
	while (lo < hi) {
		u32 mid = lo + (hi - lo) / 2;

		if (t->spans[mid].start <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (!lo || addr >= t->spans[lo - 1].end)
		return 0;
	n = &t->nodes[t->spans[lo - 1].node];
	*frames = n->chain ?: make_chain(t, n);
	return *frames ? n->depth : 0;
}
