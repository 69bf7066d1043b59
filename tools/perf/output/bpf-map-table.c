// SPDX-License-Identifier: GPL-2.0-only
/* A map of flat keys and values as a table. All cells are made first, for the widths. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "output/bpf-map-priv.h"

/* An address takes three columns, the share one more. */
#define MAX_COLUMNS (MAX_LEAVES * 2 * 3 + 1)

struct table {
	struct map_view *v;
	struct outbuf cells; /* the text of all cells, one after the other */
	u32 *ends;	     /* of each cell in it */
	u64 nr_cells;
	int nr_columns;
	struct {
		char title[32];
		u32 width;
		bool right;
	} column[MAX_COLUMNS];
};

static void add_column(struct table *t, const char *title, bool right)
{
	int c = t->nr_columns++;
	size_t n = 0;

	for (; title[n] && n < sizeof(t->column[c].title) - 1; n++) {
		char ch = toupper((unsigned char)title[n]);

		t->column[c].title[n] = ch >= ' ' && ch < 0x7f ? ch : '?';
	}
	t->column[c].title[n] = '\0';
	t->column[c].width = n;
	t->column[c].right = right;
}

static void add_leaf_columns(struct table *t, const struct leaf *l, const char *unnamed)
{
	const char *title = l->name[0] ? l->name : unnamed;

	if (l->kind == LEAF_ADDR) {
		add_column(t, !strcmp(title, "ip") || !l->name[0] ? "ADDR" : title, true);
		add_column(t, "SYMBOL", false);
		add_column(t, "DSO", false);
		return;
	}
	add_column(t, title, l->kind != LEAF_TEXT && l->kind != LEAF_ENUM && l->kind != LEAF_BYTES);
}

static void add_columns(struct table *t)
{
	struct map_view *v = t->v;

	for (int i = 0; i < v->nr_key; i++)
		add_leaf_columns(t, &v->key[i], v->rows.is_array ? "INDEX" : "KEY");
	for (int i = 0; i < v->nr_value; i++)
		add_leaf_columns(t, &v->value[i], v->count == i ? "COUNT" : "VALUE");
	if (v->counter)
		add_column(t, "%", true);
}

static void end_cell(struct table *t)
{
	u64 i = t->nr_cells++;
	u32 begin = i ? t->ends[i - 1] : 0, width = 0;
	int c = i % t->nr_columns;

	t->ends[i] = t->cells.len;
	/* Of UTF-8 only the first byte of a character takes room. */
	for (u32 at = begin; at < t->ends[i]; at++)
		width += (t->cells.buf[at] & 0xc0) != 0x80;
	if (width > t->column[c].width)
		t->column[c].width = width;
}

static void add_leaf(struct table *t, const struct leaf *l, const void *data)
{
	const struct bpf_map_print_opts *o = t->v->p->opts;
	struct bpf_map_sym sym = {0};

	value__leaf_text(t->v->p, l, data);
	end_cell(t);
	if (l->kind != LEAF_ADDR)
		return;
	if (o->symbolize)
		o->symbolize(o->ctx, t->v->p->pid, leaf__bits(l, data), &sym);
	sym.sym = sym.sym ? sym.sym : "[unknown]";
	sym.dso = sym.dso ? sym.dso : "[unknown]";
	outbuf__safe(&t->cells, sym.sym, strlen(sym.sym));
	end_cell(t);
	outbuf__safe(&t->cells, sym.dso, strlen(sym.dso));
	end_cell(t);
}

static void add_row(struct table *t, u32 row)
{
	struct map_view *v = t->v;

	map_view__row_pid(v, row);
	for (int i = 0; i < v->nr_key; i++)
		add_leaf(t, &v->key[i], map_rows__key(&v->rows, row));
	for (int i = 0; i < v->nr_value; i++)
		add_leaf(t, &v->value[i], map_rows__value(&v->rows, row));
	if (v->counter) {
		outbuf__printf(&t->cells, "%.2f",
			       v->total ? 100.0 * map_view__count(v, row) / v->total : 0.0);
		end_cell(t);
	}
}

static void print_cell(struct table *t, struct outbuf *ob, int c, const char *text, u32 len)
{
	u32 width = 0;
	bool last = c == t->nr_columns - 1;

	for (u32 i = 0; i < len; i++)
		width += (text[i] & 0xc0) != 0x80;
	width = t->column[c].width > width ? t->column[c].width - width : 0;
	if (t->column[c].right)
		outbuf__pad(ob, width);
	outbuf__write(ob, text, len);
	if (!last && !t->column[c].right)
		outbuf__pad(ob, width);
	if (last)
		outbuf__putc(ob, '\n');
	else
		outbuf__puts(ob, "  ");
}

static void print(struct table *t, struct outbuf *ob)
{
	for (int c = 0; c < t->nr_columns; c++)
		print_cell(t, ob, c, t->column[c].title, strlen(t->column[c].title));
	for (u64 i = 0; i < t->nr_cells; i++) {
		u32 begin = i ? t->ends[i - 1] : 0;

		print_cell(t, ob, i % t->nr_columns, t->cells.buf + begin, t->ends[i] - begin);
	}
}

int map_table__print(struct map_view *v)
{
	struct table *t = calloc(1, sizeof(*t));
	struct outbuf *ob = v->p->ob;
	int err = 0;

	if (!t)
		return -ENOMEM;
	t->v = v;
	add_columns(t);
	t->ends = calloc((u64)v->nr_shown * t->nr_columns + 1, sizeof(*t->ends));
	if (!t->ends || outbuf__init(&t->cells, -1, 0)) {
		err = -ENOMEM;
		goto out;
	}
	v->p->ob = &t->cells;
	for (u32 i = 0; i < v->nr_shown && t->nr_columns; i++)
		add_row(t, v->order[i]);
	v->p->ob = ob;
	err = t->cells.err;
	if (!err && t->nr_columns)
		print(t, ob);
	outbuf__exit(&t->cells);
out:
	free(t->ends);
	free(t);
	return err;
}
