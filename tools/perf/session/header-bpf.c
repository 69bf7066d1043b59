// SPDX-License-Identifier: GPL-2.0-only
/* BPF_PROG_INFO and BPF_BTF of --header: the BPF programs that ran, named by their BTF. */
#include <bpf/btf.h>
#include <inttypes.h>
#include <linux/bpf.h>
#include <string.h>

#include "session/session-internal.h"

/* The pointers in a bpf_prog_info are offsets into the data behind it. */
struct prog {
	struct bpf_prog_info info;
	const u8 *data;
	u32 size;
};

/* Entry @i of @each bytes of the array at @offset; NULL when it is not in the data. */
static const void *entry(const struct prog *p, u64 offset, u64 i, u32 each)
{
	if (offset > p->size || i >= (p->size - offset) / (each ? each : 1))
		return NULL;
	return p->data + offset + i * each;
}

static u64 word(const void *p, size_t size)
{
	u64 v64;
	u32 v32;

	if (!p)
		return 0;
	memcpy(&v64, p, size == 8 ? 8 : 0);
	memcpy(&v32, p, size == 4 ? 4 : 0);
	return size == 8 ? v64 : v32;
}

/* The BTF that the file has under @id; to be freed. */
static struct btf *find_btf(const struct perf_session *s, u32 id)
{
	struct feat_cursor c = feat_cursor(s, FEAT_BPF_BTF);
	u32 nr = feat__u32(&c);

	for (u32 i = 0; i < nr && !c.bad; i++) {
		u32 this = feat__u32(&c), size = feat__u32(&c);
		const u8 *data = feat__take(&c, size);

		if (data && this == id)
			return btf__new(data, size);
	}
	return NULL;
}

static const char *short_name(const struct prog *p, const struct btf *btf, u32 i)
{
	const u8 *func = entry(p, p->info.func_info, i, p->info.func_info_rec_size);
	const struct btf_type *t;

	if (btf && func && p->info.func_info_rec_size >= sizeof(struct bpf_func_info)) {
		/* u32 insn_off, u32 type_id */
		t = btf__type_by_id(btf, word(func + 4, 4));
		return t ? btf__name_by_offset(btf, t->name_off) : NULL;
	}
	if (!btf && p->info.nr_jited_ksyms == 1)
		return p->info.name[0] ? p->info.name : NULL;
	return "F";
}

static void put_name(struct outbuf *ob, const struct prog *p, const struct btf *btf, u32 i)
{
	const u8 *tag = entry(p, p->info.prog_tags, i, BPF_TAG_SIZE);
	const char *name = short_name(p, btf, i);

	outbuf__puts(ob, "bpf_prog_");
	for (int k = 0; tag && k < BPF_TAG_SIZE; k++)
		outbuf__hex(ob, tag[k], 2, '0');
	if (name) {
		outbuf__putc(ob, '_');
		outbuf__safe(ob, name, strnlen(name, 128));
	}
	outbuf__printf(ob, " addr 0x%" PRIx64 " size %u\n",
		       word(entry(p, p->info.jited_ksyms, i, 8), 8),
		       (u32)word(entry(p, p->info.jited_func_lens, i, 4), 4));
}

static void print_prog(const struct perf_session *s, struct outbuf *ob, struct prog *p)
{
	u32 nr = p->info.nr_jited_ksyms;
	struct btf *btf;

	if (nr != p->info.nr_prog_tags || nr != p->info.nr_jited_func_lens)
		return;
	p->info.name[sizeof(p->info.name) - 1] = '\0';
	btf = p->info.btf_id ? find_btf(s, p->info.btf_id) : NULL;
	outbuf__printf(ob, "# bpf_prog_info %u:%s", p->info.id, nr == 1 ? " " : "\n");
	for (u32 i = 0; i < nr && entry(p, p->info.jited_ksyms, i, 8); i++) {
		if (nr > 1)
			outbuf__printf(ob, "# \tsub_prog %u: ", i);
		put_name(ob, p, btf, i);
	}
	btf__free(btf);
}

void session__print_bpf_progs(const struct perf_session *s, struct outbuf *ob)
{
	struct feat_cursor c = feat_cursor(s, FEAT_BPF_PROG_INFO);
	u32 nr = feat__u32(&c);

	if (c.swap) /* its structure is the recorded kernel's, nobody's to swap */
		return;
	for (u32 i = 0; i < nr && !c.bad; i++) {
		u32 info_size = feat__u32(&c), data_size = feat__u32(&c);
		struct prog p = {.size = data_size};
		const u8 *info;

		feat__u64(&c); /* which arrays there are */
		info = feat__take(&c, info_size);
		p.data = feat__take(&c, data_size);
		if (!p.data)
			return;
		memcpy(&p.info, info, min_t(size_t, info_size, sizeof(p.info)));
		print_prog(s, ob, &p);
	}
}
