// SPDX-License-Identifier: GPL-2.0-only
/* A map of flat keys and values as a table. All cells are made first, for the widths. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "output/bpf-map-priv.h"

/* An address takes three columns, the share one more. */
#define MAX_COLUMNS (MAX_LEAVES * 2 * 3 + 1)
#define ADDR_WIDTH 16
#define MIN_NAME 12
#define MAX_NAME_IN_PIPE 60 /* columns line up to here; longer names are printed whole */

struct column {
	char title[32];
	int width;
	bool right; /* numbers */
	bool name;  /* of a symbol or object: may be cut on a terminal */
};

struct table {
	struct map_view *v;
	struct outbuf cells; /* the text of all cells, one after the other */
	u32 *ends;	     /* of each cell in it */
	u64 nr_cells;
	int nr_columns;
	struct column column[MAX_COLUMNS];
};

static struct column *add_column(struct table *t, const char *title, bool right)
{
	struct column *c = &t->column[t->nr_columns++];
	size_t n = 0;

	for (; title[n] && n < sizeof(c->title) - 1; n++) {
		char ch = toupper((unsigned char)title[n]);

		c->title[n] = ch >= ' ' && ch < 0x7f ? ch : '?';
	}
	c->width = n;
	c->right = right;
	return c;
}

static void add_leaf_columns(struct table *t, const struct leaf *l, const char *unnamed)
{
	const char *title = l->name[0] ? l->name : unnamed;

	if (l->kind == LEAF_ADDR) {
		/* Its cells are as wide as the column, so that the title stands to the left. */
		add_column(t, !strcmp(title, "ip") || !l->name[0] ? "ADDR" : title, false)->width =
			ADDR_WIDTH;
		add_column(t, "SYMBOL", false)->name = true;
		add_column(t, "DSO", false)->name = true;
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
		add_column(t, "%", true)->width = 7;
}

/* Of UTF-8 only the first byte of a character takes room. */
static int display_width(const char *text, u32 len)
{
	int width = 0;

	for (u32 i = 0; i < len; i++)
		width += (text[i] & 0xc0) != 0x80;
	return width;
}

static void end_cell(struct table *t)
{
	u64 i = t->nr_cells++;
	u32 begin = i ? t->ends[i - 1] : 0;
	struct column *c = &t->column[i % t->nr_columns];
	int width;

	t->ends[i] = t->cells.len;
	width = display_width(t->cells.buf + begin, t->ends[i] - begin);
	if (width > c->width)
		c->width = width;
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
		outbuf__printf(&t->cells, "%.2f%%",
			       v->total ? 100.0 * map_view__count(v, row) / v->total : 0.0);
		end_cell(t);
	}
}

/* Names share what the other columns leave of a terminal's width. */
static void limit_names(struct table *t)
{
	int width = t->v->p->opts->width, names = 0, spare = width - 1;

	for (int c = 0; c < t->nr_columns; c++) {
		names += t->column[c].name;
		spare -= 1 + (t->column[c].name ? 0 : t->column[c].width);
	}
	for (int c = 0; c < t->nr_columns; c++) {
		struct column *col = &t->column[c];
		int max = MAX_NAME_IN_PIPE;

		if (!col->name)
			continue;
		if (width)
			/* A name that is shorter leaves its room to the next. */
			max = max_t(int, spare / names, MIN_NAME);
		if (col->width > max)
			col->width = max;
		spare -= col->width;
		names--;
	}
}

static void print_cell(struct table *t, struct outbuf *ob, int c, const char *text, u32 len)
{
	const struct column *col = &t->column[c];
	int width = display_width(text, len);
	int pad = col->width > width ? col->width - width : 0;
	bool last = c == t->nr_columns - 1;

	if (col->right)
		outbuf__pad(ob, pad);
	if (width > col->width && t->v->p->opts->width) {
		u32 n = 0;

		for (int w = 0; n < len; n++) {
			w += (text[n] & 0xc0) != 0x80;
			if (w >= col->width)
				break;
		}
		outbuf__write(ob, text, n);
		outbuf__putc(ob, '~');
	} else {
		outbuf__write(ob, text, len);
	}
	if (!last && !col->right)
		outbuf__pad(ob, pad);
	outbuf__putc(ob, last ? '\n' : ' ');
}

static void print(struct table *t, struct outbuf *ob)
{
	const struct map_view *v = t->v;
	bool reverse = v->p->opts->reverse;

	limit_names(t);
	for (int c = 0; c < t->nr_columns; c++)
		print_cell(t, ob, c, t->column[c].title, strlen(t->column[c].title));
	if (!reverse)
		map_view__left_out(v, ob);
	for (u64 i = 0; i < t->nr_cells; i++) {
		u32 begin = i ? t->ends[i - 1] : 0;

		print_cell(t, ob, i % t->nr_columns, t->cells.buf + begin, t->ends[i] - begin);
	}
	if (reverse)
		map_view__left_out(v, ob);
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
