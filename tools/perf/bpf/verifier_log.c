// SPDX-License-Identifier: GPL-2.0-only
/*
 * From the verifier's log to one line: reason, source line, instruction. The log interleaves
 * "; source text" lines (since Linux 6.9 with " @ file.c:12" behind), "N: (op) instruction" lines
 * with register states behind or between, and ends in the reason and "processed N insns ...".
 * Where the kernel does not name the line it comes from .BTF.ext (format:
 * Documentation/bpf/btf.rst).
 */
#include <bpf/btf.h>
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bpf/user_prog_priv.h"

struct line {
	const char *s;
	int len;
};

struct found {
	struct line reason[3]; /* newest last */
	int nr_reasons;
	struct line insn;   /* "5: (61) r0 = ..." */
	struct line source; /* without "; " and " @ ..." */
	char place[256];    /* "file.c:12" */
	long idx;	    /* instruction number, -1: not known */
};

static bool starts(const struct line *l, const char *prefix)
{
	int n = strlen(prefix);

	return l->len >= n && !memcmp(l->s, prefix, n);
}

/* "12: (" an instruction, "12: R0=" a state. */
static bool is_numbered(const struct line *l, bool *insn)
{
	int i = 0;

	while (i < l->len && l->s[i] >= '0' && l->s[i] <= '9')
		i++;
	if (!i || i + 1 >= l->len || l->s[i] != ':')
		return false;
	*insn = i + 2 < l->len && l->s[i + 2] == '(';
	return true;
}

static bool is_closing(const struct line *l)
{
	static const char *const texts[] = {
		"processed ",	 "verification time", "stack depth", "peak_states",
		"mark_precise:", "last_idx ",	      "regs=",	     "parent "};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		if (starts(l, texts[i]))
			return true;
	return !l->len;
}

static void take_source(struct found *f, struct line l)
{
	l.s += 2;
	l.len -= 2;
	f->place[0] = '\0';
	for (int i = l.len - 3; i > 0; i--) {
		if (memcmp(l.s + i, " @ ", 3))
			continue;
		snprintf(f->place, sizeof(f->place), "%.*s", l.len - i - 3, l.s + i + 3);
		l.len = i;
		break;
	}
	while (l.len && (*l.s == ' ' || *l.s == '\t')) {
		l.s++;
		l.len--;
	}
	f->source = l;
}

/* Lines of a branch's end ("safe", "from 3 to 7: ...") are no reasons either. */
static void take_line(struct found *f, struct line l)
{
	bool insn;

	if (is_closing(&l))
		return;
	if (starts(&l, "; ")) {
		take_source(f, l);
		f->nr_reasons = 0;
		return;
	}
	if (is_numbered(&l, &insn)) {
		if (insn) {
			f->insn = l;
			f->idx = atol(l.s);
		}
		f->nr_reasons = 0;
		return;
	}
	if (starts(&l, "from ") || (l.len > 3 && l.s[0] == 'R' && memchr(l.s, '=', 4))) {
		f->nr_reasons = 0;
		return;
	}
	if (f->nr_reasons == 3)
		memmove(f->reason, f->reason + 1, 2 * sizeof(*f->reason)), f->nr_reasons--;
	f->reason[f->nr_reasons++] = l;
}

static void scan(struct found *f, const char *log)
{
	while (*log) {
		int len = strcspn(log, "\n");

		take_line(f, (struct line){log, len});
		log += len + !!log[len];
	}
	/* Control flow is checked before any instruction is walked: "unreachable insn 7". */
	for (int i = 0; f->idx < 0 && i < f->nr_reasons; i++) {
		const char *at = memmem(f->reason[i].s, f->reason[i].len, "insn ", 5);

		if (at && at[5] >= '0' && at[5] <= '9')
			f->idx = atol(at + 5);
	}
}

/* ---- .BTF.ext ---- */

static bool in_bounds(size_t size, u64 off, u64 len)
{
	return off <= size && len <= size - off;
}

/* Offset of a function in its section, by the symbol table; 0 when it is not there. */
static u64 function_offset(const struct bpf_image *img, const char *name)
{
	size_t nsym = 0, nstr = 0;
	const Elf64_Sym *sym = bpf_image__section(img, ".symtab", &nsym);
	const char *str = bpf_image__section(img, ".strtab", &nstr);
	size_t len = strlen(name) + 1;

	for (size_t i = 0; sym && str && i < nsym / sizeof(*sym); i++) {
		Elf64_Sym s;

		memcpy(&s, &sym[i], sizeof(s));
		if (ELF64_ST_TYPE(s.st_info) == STT_FUNC && in_bounds(nstr, s.st_name, len) &&
		    !memcmp(str + s.st_name, name, len))
			return s.st_value;
	}
	return 0;
}

struct line_search {
	const struct btf *btf;
	const char *section;
	u64 insn_off; /* bytes into the section, UINT64_MAX: not known */
	struct line text;
	/* results */
	struct bpf_line_info_ext {
		u32 insn_off, file_off, line_off, line_col;
	} best, by_text;
	bool have_best;
	int nr_texts; /* different lines with this text */
};

static void look_at(struct line_search *s, const struct bpf_line_info_ext *rec, bool right_section)
{
	const char *text = btf__name_by_offset(s->btf, rec->line_off);

	/* The line of an instruction is the last record at or before it. */
	if (right_section && rec->insn_off <= s->insn_off && s->insn_off != UINT64_MAX &&
	    (!s->have_best || rec->insn_off >= s->best.insn_off)) {
		s->best = *rec;
		s->have_best = true;
	}
	if (!text || !s->text.len)
		return;
	text += strspn(text, " \t");
	if (strlen(text) != (size_t)s->text.len || memcmp(text, s->text.s, s->text.len))
		return;
	if (s->nr_texts && s->by_text.line_col >> 10 == rec->line_col >> 10 &&
	    s->by_text.file_off == rec->file_off)
		return;
	s->by_text = *rec;
	s->nr_texts++;
}

static void search_lines(struct line_search *s, const u8 *p, size_t len)
{
	u32 rec_size, head[2];
	size_t at = 4;

	if (len < 4)
		return;
	memcpy(&rec_size, p, 4);
	if (rec_size < sizeof(struct bpf_line_info_ext) || rec_size > 4096)
		return;
	while (in_bounds(len, at, 8)) {
		const char *sec;
		bool right;

		memcpy(head, p + at, 8);
		at += 8;
		sec = btf__name_by_offset(s->btf, head[0]);
		right = sec && !strcmp(sec, s->section);
		for (u32 i = 0; i < head[1] && in_bounds(len, at, rec_size); i++, at += rec_size) {
			struct bpf_line_info_ext rec;

			memcpy(&rec, p + at, sizeof(rec));
			look_at(s, &rec, right);
		}
	}
}

static void find_place(struct found *f, const struct bpf_image *img, const struct btf *btf,
		       const char *prog, const char *prog_section)
{
	struct {
		u16 magic;
		u8 version, flags;
		u32 hdr_len, func_off, func_len, line_off, line_len;
	} h;
	struct line_search s = {.btf = btf, .section = prog_section, .text = f->source};
	size_t size = 0;
	const u8 *ext = bpf_image__section(img, ".BTF.ext", &size);
	const struct bpf_line_info_ext *rec;
	const char *file, *text;

	if (!ext || !btf || size < sizeof(h))
		return;
	memcpy(&h, ext, sizeof(h));
	if (h.magic != 0xeb9f || !in_bounds(size, (u64)h.hdr_len + h.line_off, h.line_len))
		return;
	s.insn_off = f->idx < 0 ? UINT64_MAX : function_offset(img, prog) + (u64)f->idx * 8;
	search_lines(&s, ext + h.hdr_len + h.line_off, h.line_len);
	/* The text is the kernel's word; the number may lie in another function's copy. */
	rec = s.nr_texts == 1 ? &s.by_text : s.have_best ? &s.best : NULL;
	if (!rec)
		return;
	text = btf__name_by_offset(btf, rec->line_off);
	file = btf__name_by_offset(btf, rec->file_off);
	if (!file || !text)
		return;
	snprintf(f->place, sizeof(f->place), "%s:%u", file, rec->line_col >> 10);
	if (!f->source.len) {
		text += strspn(text, " \t");
		f->source = (struct line){text, strlen(text)};
	}
}

void verifier_log__explain(const struct bpf_image *img, const struct btf *btf, const char *prog,
			   const char *prog_section, const char *log, struct errbuf *eb)
{
	struct found f = {.idx = -1};

	scan(&f, log);
	if (!f.place[0])
		find_place(&f, img, btf, prog, prog_section);
	for (int i = 0; i < f.nr_reasons; i++)
		errbuf__append(eb, "%s%.*s", i ? "; " : ": ", min_t(int, f.reason[i].len, 300),
			       f.reason[i].s);
	if (f.place[0])
		errbuf__append(eb, ", at %s", f.place);
	if (f.source.len)
		errbuf__append(eb, "%s '%.*s'", f.place[0] ? ":" : ", at",
			       min_t(int, f.source.len, 200), f.source.s);
	if (f.insn.len)
		errbuf__append(eb, " (instruction %.*s)", min_t(int, f.insn.len, 120), f.insn.s);
}
