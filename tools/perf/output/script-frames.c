// SPDX-License-Identifier: GPL-2.0-only
/* Addresses in text: one of a sample, or the frames of its call chain. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "lib/symbol/srcline.h"
#include "output/numfmt.h"
#include "output/script-internal.h"

/* Right-aligned in 16 columns, as an address always is. */
static void put_address(struct outbuf *ob, u64 addr)
{
	char *p = outbuf__reserve(ob, 32), tmp[NUMFMT_MAX];
	int n = numfmt__hex(tmp, addr) - tmp;

	p = numfmt__pad(p, 16 - n);
	memcpy(p, tmp, n);
	ob->len = p + n - ob->buf;
}

void script_put_symbol(struct outbuf *ob, const char *name, const struct symbol *sym, u64 addr,
		       bool offset)
{
	if (!name) {
		outbuf__write(ob, "[unknown]", 9);
		return;
	}
	outbuf__safe(ob, name, strlen(name));
	if (offset && sym) {
		outbuf__write(ob, "+0x", 3);
		outbuf__hex(ob, addr - sym->start, 0, '0');
	}
}

void script_put_dso(struct script *s, const struct dso *dso)
{
	const char *name = dso ? dso__name(dso) : "[unknown]";

	(void)s;
	outbuf__safe(s->ob, name, strlen(name));
}

static void put_dso_field(struct script *s, u64 fields, struct dso *dso, u64 addr)
{
	outbuf__write(s->ob, " (", 2);
	script_put_dso(s, dso);
	if ((fields & SCRIPT_DSOFF) && dso) {
		outbuf__write(s->ob, "+0x", 3);
		outbuf__hex(s->ob, addr, 0, '0');
	}
	outbuf__putc(s->ob, ')');
}

static const char *shown_file(const struct script *s, const char *file)
{
	const char *slash = s->o.full_source_path ? NULL : strrchr(file, '/');

	return slash ? slash + 1 : file;
}

/* "\n  file.c:12"; without debug information the place in the object instead. */
static void put_srcline(struct script *s, const char *file, u32 line, struct dso *dso, u64 addr)
{
	outbuf__write(s->ob, "\n  ", 3);
	if (file && line) {
		file = shown_file(s, file);
		outbuf__safe(s->ob, file, strlen(file));
		outbuf__putc(s->ob, ':');
		outbuf__dec(s->ob, line, 0);
	} else if (dso) {
		const char *name = dso__short_name(dso);

		outbuf__safe(s->ob, name, strlen(name));
		outbuf__puts(s->ob, "[");
		outbuf__hex(s->ob, addr, 0, '0');
		outbuf__puts(s->ob, "]");
	}
}

static bool is_kernel(u8 cpumode)
{
	return cpumode == PERF_RECORD_MISC_KERNEL || cpumode == PERF_RECORD_MISC_GUEST_KERNEL;
}

static void put_frame(struct script *s, u64 fields, const struct callchain_frame *f)
{
	struct outbuf *ob = s->ob;

	if (fields & SCRIPT_IP) {
		outbuf__putc(ob, '\t');
		/* Of user code the place in its file, as upstream prints it. */
		put_address(ob, f->map && !is_kernel(f->cpumode) ? map__ip2offset(f->map, f->ip)
								 : f->ip);
	}
	if (fields & SCRIPT_SYM) {
		outbuf__putc(ob, ' ');
		script_put_symbol(ob, f->name, f->sym, f->addr, fields & SCRIPT_SYMOFF);
	}
	if ((fields & SCRIPT_DSO) && !f->inlined)
		put_dso_field(s, fields, f->dso, f->addr);
	if (fields & SCRIPT_SRCLINE)
		put_srcline(s, f->file, f->line, f->dso, f->addr);
	if (f->inlined)
		outbuf__write(ob, " (inlined)", 10);
	outbuf__putc(ob, '\n');
}

void script_put_ip(struct script *s, struct script_sample *sm)
{
	u64 fields = sm->ev->fields;
	const struct addr_location *al;
	struct srcline line = {};

	if (sm->ev->callchain) {
		outbuf__putc(s->ob, '\n');
		for (u32 i = 0; i < sm->nr_frames; i++)
			put_frame(s, fields, &sm->frames[i]);
		if (s->o.mark_cut && callchain__last_end(s->chain) == UNWIND_CUT)
			outbuf__puts(s->ob, "\t                 [stack cut]\n");
		return;
	}
	outbuf__putc(s->ob, ' ');
	put_address(s->ob, sm->s->ip);
	if (!(fields & (SCRIPT_SYM | SCRIPT_DSO | SCRIPT_SRCLINE)))
		return;
	al = script__locate(s, sm);
	if (fields & SCRIPT_SYM) {
		outbuf__putc(s->ob, ' ');
		script_put_symbol(s->ob, al->sym ? al->sym->name : NULL, al->sym, al->addr,
				  fields & SCRIPT_SYMOFF);
	}
	if (fields & SCRIPT_DSO)
		put_dso_field(s, fields, al->dso, al->addr);
	if (fields & SCRIPT_SRCLINE) {
		if (al->dso)
			dso__srcline(al->dso, al->addr, &line);
		put_srcline(s, line.file, line.line, al->dso, al->addr);
	}
}

/* The text of one line of a source file, when it can be read here. */
static bool read_line(const char *file, u32 want, char *buf, int size)
{
	FILE *f = fopen(file, "re");
	bool found = false;
	u32 line = 1;

	while (f && fgets(buf, size, f)) {
		bool whole = strchr(buf, '\n');

		if (line == want) {
			found = true;
			break;
		}
		line += whole;
	}
	if (f)
		fclose(f);
	return found;
}

/* "|12 	code": each line once in a row. */
void script_put_srccode(struct script *s, struct script_sample *sm)
{
	const struct addr_location *al = script__locate(s, sm);
	struct srcline line = {};
	char text[512];

	if (!al->dso || dso__srcline(al->dso, al->addr, &line) || !line.line || !line.file)
		return;
	if (s->srccode_file && s->srccode_line == line.line && !strcmp(s->srccode_file, line.file))
		return;
	if (!read_line(line.file, line.line, text, sizeof(text)))
		return;
	s->srccode_file = line.file;
	s->srccode_line = line.line;
	outbuf__printf(s->ob, "|%-8u ", line.line);
	for (const char *p = text;; p++) { /* source text's tabs are its layout */
		size_t n = strcspn(p, "\t\n");

		outbuf__safe(s->ob, p, n);
		p += n;
		if (*p != '\t')
			break;
		outbuf__putc(s->ob, '\t');
	}
	outbuf__putc(s->ob, '\n');
}
