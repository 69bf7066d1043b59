// SPDX-License-Identifier: GPL-2.0-only
/* prctl's and bpf's arguments: by option and by command. */
#include "trace/decode-int.h"

static bool usable(const struct trace_blob *b)
{
	return b && (b->status == BLOB_OK || b->status == BLOB_CUT) && b->len;
}

enum prctl_kind {
	PK_HEX,
	PK_DEC,
	PK_SIGNAL,
	PK_NAME,
	PK_INT_OUT,
	PK_CAP,
	PK_SET_ENUM,
	PK_SET_FLAGS,
	PK_BOOL,
	PK_STRING
};

static const struct {
	u32 option;
	u8 nr;	 /* arguments with the option */
	u8 kind; /* of the second */
	const char *set;
} options[] = {
	{1, 2, PK_SIGNAL, NULL},
	{2, 2, PK_INT_OUT, NULL},
	{3, 1, 0, NULL},
	{4, 2, PK_SET_ENUM, "pr_dumpable"},
	{5, 2, PK_INT_OUT, NULL},
	{6, 2, PK_HEX, NULL},
	{7, 1, 0, NULL},
	{8, 2, PK_DEC, NULL},
	{15, 2, PK_NAME, NULL},
	{16, 2, PK_NAME, NULL},
	{21, 1, 0, NULL},
	{22, 3, PK_SET_ENUM, "pr_seccomp"},
	{23, 2, PK_CAP, NULL},
	{24, 2, PK_CAP, NULL},
	{25, 2, PK_INT_OUT, NULL},
	{26, 2, PK_HEX, NULL},
	{27, 1, 0, NULL},
	{28, 2, PK_SET_FLAGS, "pr_securebits"},
	{29, 2, PK_DEC, NULL},
	{30, 1, 0, NULL},
	{31, 1, 0, NULL},
	{32, 1, 0, NULL},
	{33, 3, PK_HEX, NULL},
	{34, 1, 0, NULL},
	{35, 5, PK_SET_ENUM, "pr_set_mm"},
	{36, 2, PK_DEC, NULL},
	{37, 2, PK_INT_OUT, NULL},
	{38, 5, PK_DEC, NULL},
	{39, 5, PK_DEC, NULL},
	{40, 2, PK_HEX, NULL},
	{41, 5, PK_DEC, NULL},
	{42, 5, PK_DEC, NULL},
	{47, 5, PK_SET_ENUM, "pr_cap_ambient"},
	{52, 5, PK_SET_ENUM, "pr_spec"},
	{53, 5, PK_SET_ENUM, "pr_spec"},
	{57, 2, PK_DEC, NULL},
	{58, 1, 0, NULL},
	{59, 5, PK_HEX, NULL},
	{65, 5, PK_HEX, NULL},
	{66, 5, PK_HEX, NULL},
	{67, 5, PK_DEC, NULL},
	{68, 5, PK_DEC, NULL},
	{0x53564d41, 5, PK_SET_ENUM, "pr_vma"},
	{0x59616d61, 2, PK_DEC, NULL},
};

static int option_index(u32 option)
{
	for (u32 i = 0; i < ARRAY_SIZE(options); i++) {
		if (options[i].option == option)
			return (int)i;
	}
	return -1;
}

int prctl__nr_args(u32 option)
{
	int i = option_index(option);

	return i < 0 ? 5 : options[i].nr;
}

static void prctl_name(struct dctx *x, u32 option, int i)
{
	const struct trace_blob *b = option == 15 ? x->in[i] : x->out[i];

	if (usable(b))
		val__bytes(x, blob__data(b),
			   (u32)strnlen((const char *)blob__data(b), min_t(u32, b->len, 15)), false,
			   false);
	else
		val__ptr(x, x->args[i]);
}

static void prctl_second(struct dctx *x, int opt, int i)
{
	u64 v = x->args[i];
	const struct trace_set *set = options[opt].set ? set_of(options[opt].set) : NULL;

	switch (options[opt].kind) {
	case PK_DEC:
		val__sdec(x, (s64)v);
		break;
	case PK_SIGNAL:
		val__signal(x, (s64)v);
		break;
	case PK_NAME:
		prctl_name(x, options[opt].option, i);
		break;
	case PK_INT_OUT:
		if (!usable(x->out[i])) {
			val__ptr(x, v);
			break;
		}
		outbuf__putc(x->ob, '[');
		if (options[opt].option == 2)
			val__signal(x, (s32)span__get(blob__span(x->out[i]), 0, 4));
		else
			val__sdec(x, (s32)span__get(blob__span(x->out[i]), 0, 4));
		outbuf__putc(x->ob, ']');
		break;
	case PK_CAP:
		val__enum(x, SET_OF("cap"), v, false);
		break;
	case PK_SET_ENUM:
		val__enum(x, set, v, false);
		break;
	case PK_SET_FLAGS:
		val__flags(x, set, v);
		break;
	default:
		val__hex(x, v);
	}
}

void val__prctl_arg(struct dctx *x, int i)
{
	u32 option = (u32)x->args[0];
	int opt = option_index(option);
	u64 v = x->args[i];

	if (i == 1 && opt >= 0)
		prctl_second(x, opt, i);
	else if (option == 47 && i == 2) /* PR_CAP_AMBIENT */
		val__enum(x, SET_OF("cap"), v, false);
	else if (option == 53 && i == 2) /* PR_SET_SPECULATION_CTRL */
		val__flags(x, SET_OF("pr_spec_ctrl"), v);
	else if (option == 0x53564d41 && i == 3) /* PR_SET_VMA: the length */
		val__dec(x, v);
	else if (option == 0x53564d41 && i == 4 && usable(x->in[i]))
		val__bytes(x, blob__data(x->in[i]), x->in[i]->len, x->in[i]->status == BLOB_CUT,
			   false);
	else
		val__hex(x, v);
}

/* --- bpf --- */

struct bpf_field {
	const char *name;
	u8 kind; /* d: decimal, x: hex, f: descriptor, s: 16 bytes of text, m: map type, p: program
		    type, u: update flags */
	u8 off, size;
};

static const struct bpf_field map_create[] = {
	{"map_type", 'm', 0, 4},
	{"key_size", 'd', 4, 4},
	{"value_size", 'd', 8, 4},
	{"max_entries", 'd', 12, 4},
	{"map_flags", 'x', 16, 4},
	{"inner_map_fd", 'f', 20, 4},
	{"map_name", 's', 28, 16},
	{"map_ifindex", 'd', 44, 4},
	{"btf_fd", 'f', 48, 4},
	{"btf_key_type_id", 'd', 52, 4},
	{"btf_value_type_id", 'd', 56, 4},
};
static const struct bpf_field map_elem[] = {
	{"map_fd", 'f', 0, 4},
	{"key", 'x', 8, 8},
	{"value", 'x', 16, 8},
	{"flags", 'u', 24, 8},
};
static const struct bpf_field prog_load[] = {
	{"prog_type", 'p', 0, 4},
	{"insn_cnt", 'd', 4, 4},
	{"insns", 'x', 8, 8},
	{"license", 'x', 16, 8},
	{"log_level", 'd', 24, 4},
	{"log_size", 'd', 28, 4},
	{"log_buf", 'x', 32, 8},
	{"kern_version", 'x', 40, 4},
	{"prog_flags", 'x', 44, 4},
	{"prog_name", 's', 48, 16},
	{"prog_ifindex", 'd', 64, 4},
	{"expected_attach_type", 'd', 68, 4},
	{"prog_btf_fd", 'f', 72, 4},
	{"func_info_rec_size", 'd', 76, 4},
	{"func_info", 'x', 80, 8},
	{"func_info_cnt", 'd', 88, 4},
	{"line_info_rec_size", 'd', 92, 4},
	{"line_info", 'x', 96, 8},
	{"line_info_cnt", 'd', 104, 4},
	{"attach_btf_id", 'd', 108, 4},
};
static const struct bpf_field obj_pin[] = {
	{"pathname", 'x', 0, 8},
	{"bpf_fd", 'f', 8, 4},
	{"file_flags", 'x', 12, 4},
};
static const struct bpf_field attach[] = {
	{"target_fd", 'f', 0, 4},
	{"attach_bpf_fd", 'f', 4, 4},
	{"attach_type", 'd', 8, 4},
	{"attach_flags", 'x', 12, 4},
};
static const struct bpf_field next_id[] = {
	{"start_id", 'd', 0, 4},
	{"next_id", 'd', 4, 4},
	{"open_flags", 'x', 8, 4},
};
static const struct bpf_field info[] = {
	{"bpf_fd", 'f', 0, 4},
	{"info_len", 'd', 4, 4},
	{"info", 'x', 8, 8},
};
static const struct bpf_field raw_tp[] = {{"name", 'x', 0, 8}, {"prog_fd", 'f', 8, 4}};
static const struct bpf_field btf_load[] = {
	{"btf", 'x', 0, 8},	      {"btf_log_buf", 'x', 8, 8},    {"btf_size", 'd', 16, 4},
	{"btf_log_size", 'd', 20, 4}, {"btf_log_level", 'd', 24, 4},
};
static const struct bpf_field link_create[] = {
	{"prog_fd", 'f', 0, 4},
	{"target_fd", 'f', 4, 4},
	{"attach_type", 'd', 8, 4},
	{"flags", 'x', 12, 4},
};
static const struct bpf_field batch[] = {
	{"in_batch", 'x', 0, 8},    {"out_batch", 'x', 8, 8}, {"keys", 'x', 16, 8},
	{"values", 'x', 24, 8},	    {"count", 'd', 32, 4},    {"map_fd", 'f', 36, 4},
	{"elem_flags", 'u', 40, 8}, {"flags", 'x', 48, 8},
};
static const struct bpf_field test_run[] = {
	{"prog_fd", 'f', 0, 4},	       {"retval", 'd', 4, 4},	 {"data_size_in", 'd', 8, 4},
	{"data_size_out", 'd', 12, 4}, {"data_in", 'x', 16, 8},	 {"data_out", 'x', 24, 8},
	{"repeat", 'd', 32, 4},	       {"duration", 'd', 36, 4},
};
static const struct bpf_field map_fd_only[] = {{"map_fd", 'f', 0, 4}};

#define CMD(c, t)                   \
	{                           \
		c, t, ARRAY_SIZE(t) \
	}
static const struct {
	u32 cmd;
	const struct bpf_field *fields;
	u32 nr;
} cmds[] = {
	CMD(0, map_create),   CMD(1, map_elem),	 CMD(2, map_elem),     CMD(3, map_elem),
	CMD(4, map_elem),     CMD(5, prog_load), CMD(6, obj_pin),      CMD(7, obj_pin),
	CMD(8, attach),	      CMD(9, attach),	 CMD(10, test_run),    CMD(11, next_id),
	CMD(12, next_id),     CMD(13, next_id),	 CMD(14, next_id),     CMD(15, info),
	CMD(17, raw_tp),      CMD(18, btf_load), CMD(19, next_id),     CMD(21, map_elem),
	CMD(22, map_fd_only), CMD(23, next_id),	 CMD(24, batch),       CMD(25, batch),
	CMD(26, batch),	      CMD(27, batch),	 CMD(28, link_create), CMD(30, next_id),
	CMD(31, next_id),
};

static void bpf_value(struct dctx *x, const struct bpf_field *f, struct span s)
{
	u64 v = f->kind == 's' ? 0 : span__get(s, f->off, f->size);

	switch (f->kind) {
	case 'd':
		val__dec(x, v);
		break;
	case 'f':
		val__fd(x, (s32)v);
		break;
	case 's':
		val__bytes(x, s.p + f->off, (u32)strnlen((const char *)s.p + f->off, f->size),
			   false, false);
		break;
	case 'm':
		val__enum(x, SET_OF("bpf_map_type"), v, false);
		break;
	case 'p':
		val__enum(x, SET_OF("bpf_prog_type"), v, false);
		break;
	case 'u':
		val__flags(x, SET_OF("bpf_upd"), v);
		break;
	default:
		val__ptr(x, v);
	}
}

void val__bpf_attr(struct dctx *x, struct span s)
{
	u32 cmd = (u32)x->args[0];
	bool first = true;

	for (u32 c = 0; c < ARRAY_SIZE(cmds); c++) {
		if (cmds[c].cmd != cmd)
			continue;
		val__open(x);
		for (u32 i = 0; i < cmds[c].nr; i++) {
			const struct bpf_field *f = &cmds[c].fields[i];

			if ((u32)f->off + f->size > s.len)
				break;
			val__field(x, f->name, (u32)strlen(f->name), first);
			first = false;
			bpf_value(x, f, s);
		}
		val__close(x, false);
		return;
	}
	val__ptr(x, x->args[1]);
}
