// SPDX-License-Identifier: GPL-2.0-only
/* A user's BPF object without the kernel: the file's checks, globals, the verifier's log, and
 * values printed by their BTF. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <bpf/btf.h>
#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bpf/user_prog.h"
#include "bpf/user_prog_priv.h"
#include "output/bpf-map-priv.h"

static char dir[] = "/tmp/test-user-prog.XXXXXX";

static const char *example(const char *name)
{
	static char path[4096];
	const char *b = getenv("B");

	snprintf(path, sizeof(path), "%s/examples/%s", b ? b : "build", name);
	return path;
}

static size_t read_example(const char *name, char **data)
{
	FILE *f = fopen(example(name), "re");
	size_t n;

	assert_non_null(f);
	*data = malloc(1 << 20);
	n = fread(*data, 1, 1 << 20, f);
	fclose(f);
	assert_true(n > 1000);
	return n;
}

static struct user_prog *open_with(const char *spec, const char *var, struct errbuf *eb)
{
	struct user_prog_opts o = {.spec = spec, .vars = &var, .nr_vars = var ? 1 : 0};

	eb->msg[0] = 0;
	return user_prog__open(&o, eb);
}

static void refused(const char *data, size_t n, const char *why)
{
	struct errbuf eb = {};
	char path[64];
	FILE *f;

	snprintf(path, sizeof(path), "%s/bad.o", dir);
	f = fopen(path, "we");
	assert_non_null(f);
	assert_int_equal(fwrite(data, 1, n, f), n);
	fclose(f);
	assert_null(open_with(path, NULL, &eb));
	assert_null(strchr(eb.msg, '\n'));
	assert_non_null(strstr(eb.msg, path));
	if (!strstr(eb.msg, why))
		fail_msg("'%s' does not say '%s'", eb.msg, why);
}

static void test_files(void **state)
{
	char *data, path[64];
	size_t n = read_example("ip-counter.bpf.o", &data);
	Elf64_Ehdr *eh = (Elf64_Ehdr *)data;
	struct errbuf eb;

	(void)state;
	refused("", 0, "is empty");
	refused("hello", 5, "not an ELF file");
	refused(data, 30, "truncated in its ELF header");
	refused(data, n / 2, "truncated");
	refused(data, n - 1, "truncated");
	eh->e_machine = EM_X86_64;
	refused(data, n, "for machine 62, not for BPF");
	eh->e_machine = EM_BPF;
	eh->e_ident[EI_DATA] ^= ELFDATA2LSB ^ ELFDATA2MSB;
	refused(data, n, "other byte order");
	eh->e_ident[EI_DATA] ^= ELFDATA2LSB ^ ELFDATA2MSB;
	eh->e_ident[EI_CLASS] = ELFCLASS32;
	refused(data, n, "not a 64-bit ELF file");
	free(data);

	assert_null(open_with(dir, NULL, &eb));
	assert_non_null(strstr(eb.msg, "is a directory"));
	assert_null(open_with("/dev/zero", NULL, &eb));
	assert_non_null(strstr(eb.msg, "not a regular file"));
	snprintf(path, sizeof(path), "%s/fifo", dir);
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_null(open_with(path, NULL, &eb)); /* does not hang */
	assert_non_null(strstr(eb.msg, "not a regular file"));
	assert_null(open_with("/nowhere/x.o:prog", NULL, &eb));
	assert_non_null(strstr(eb.msg, "cannot open BPF object /nowhere/x.o: No such file"));
}

static void test_program(void **state)
{
	struct errbuf eb;
	struct user_prog *up;
	char spec[4200];

	(void)state;
	snprintf(spec, sizeof(spec), "%s:ip_counter", example("ip-counter.bpf.o"));
	up = open_with(spec, NULL, &eb);
	assert_non_null(up);
	assert_int_equal(user_prog__nr_programs(up), 1);
	assert_string_equal(user_prog__program_name(up, 0), "ip_counter");
	assert_int_equal(user_prog__nr_maps(up), 2);
	assert_string_equal(user_prog__map(up, 0)->name, "ips");
	assert_string_equal(user_prog__map(up, 1)->name, ".bss");
	user_prog__delete(up);
	snprintf(spec, sizeof(spec), "%s:other", example("ip-counter.bpf.o"));
	assert_null(open_with(spec, NULL, &eb));
	assert_non_null(strstr(eb.msg, "has no program 'other': it has 'ip_counter' (section "
				       "perf_event)"));
}

static void set(const char *file, const char *var, const char *error)
{
	struct errbuf eb;
	struct user_prog *up = open_with(example(file), var, &eb);

	if (error) {
		assert_null(up);
		if (!strstr(eb.msg, error))
			fail_msg("'%s' does not say '%s'", eb.msg, error);
	} else if (!up) {
		fail_msg("%s: %s", var, eb.msg);
	}
	user_prog__delete(up);
}

static void test_vars(void **state)
{
	(void)state;
	set("fault-addr.bpf.o", "shift=21", NULL);
	set("fault-addr.bpf.o", "shift=0xffffffff", NULL);
	set("fault-addr.bpf.o", "shift=4294967296", "does not fit an unsigned 32-bit");
	set("fault-addr.bpf.o", "shift=-1", "does not fit an unsigned 32-bit");
	set("fault-addr.bpf.o", "shift=12x", "'12x' is not an integer");
	set("fault-addr.bpf.o", "shift=", "'' is not an integer");
	set("fault-addr.bpf.o", "shift", "expected NAME=VALUE");
	set("fault-addr.bpf.o", "=1", "expected NAME=VALUE");
	set("fault-addr.bpf.o", "shif=1", "no global variable 'shif': it has shift");
	set("fault-addr.bpf.o", "faults=1", "no global variable 'faults'");
	set("thread-latency.bpf.o", "per_comm=yes", NULL);
	set("thread-latency.bpf.o", "per_comm=2", "'2' is not true or false");
	set("thread-latency.bpf.o", "min_us=18446744073709551615", NULL);
	set("thread-latency.bpf.o", "min_us=18446744073709551616", "is not an integer");
}

/* Damaged objects: refused or read, never more. */
static void test_damaged(void **state)
{
	static const char *const files[] = {"ip-counter.bpf.o", "thread-latency.bpf.o",
					    "fault-addr.bpf.o"};
	char path[64];

	(void)state;
	snprintf(path, sizeof(path), "%s/damaged.o", dir);
	srand(1);
	for (size_t k = 0; k < ARRAY_SIZE(files); k++) {
		char *data, *copy;
		size_t n = read_example(files[k], &data);

		copy = malloc(n);
		for (int i = 0; i < 300; i++) {
			struct errbuf eb;
			FILE *f = fopen(path, "we");

			memcpy(copy, data, n);
			for (int j = rand() % 4; j >= 0; j--) {
				size_t at = rand() % (n - 4);
				u32 word = rand() % 2 ? UINT32_MAX : (u32)rand() % 256;

				if (rand() % 2)
					copy[at] ^= 1 << rand() % 8;
				else
					memcpy(copy + at, &word, 4);
			}
			fwrite(copy, 1, n, f);
			fclose(f);
			user_prog__delete(open_with(path, "shift=1", &eb));
			assert_null(strchr(eb.msg, '\n'));
		}
		free(copy);
		free(data);
	}
}

/* ---- the verifier's log ---- */

static const char *explain(const char *file, const char *prog, const char *log)
{
	static struct errbuf eb;
	struct bpf_image img;
	struct btf *btf;
	size_t size = 0;
	const void *data;

	errbuf__set(&eb, 0, "refused");
	assert_int_equal(bpf_image__read(&img, example(file), &eb), 0);
	data = bpf_image__section(&img, ".BTF", &size);
	btf = btf__new(data, size);
	assert_non_null(btf);
	verifier_log__explain(&img, btf, prog, "perf_event", log, &eb);
	btf__free(btf);
	bpf_image__free(&img);
	return eb.msg;
}

static void test_verifier_log(void **state)
{
	const char *msg;

	(void)state;
	/* Linux 6.9 and later name the place themselves. */
	assert_string_equal(
		explain("ip-counter.bpf.o", "ip_counter",
			"0: R1=ctx() R10=fp0\n; if (x) @ some.bpf.c:3\n0: (b7) r0 = 0\n"
			"; return *p; @ dir/some.bpf.c:9\n1: (61) r0 = *(u32 *)(r1 +0)\n"
			"R1 invalid mem access 'scalar'\nprocessed 2 insns (limit 1000000) "
			"max_states_per_insn 0\n"),
		"refused: R1 invalid mem access 'scalar', at dir/some.bpf.c:9: 'return *p;' "
		"(instruction 1: (61) r0 = *(u32 *)(r1 +0))");
	/* Before, the text alone: the object's line info has the place. */
	msg = explain("ip-counter.bpf.o", "ip_counter",
		      "; count = bpf_map_lookup_elem(&ips, &key);\n5: (85) call "
		      "bpf_map_lookup_elem#1\nR2 bad\nsecond line\nprocessed 6 insns\n");
	assert_non_null(strstr(msg, "refused: R2 bad; second line, at "));
	/* That text stands in two places, so that the instruction's number decides. */
	assert_non_null(strstr(msg, "ip-counter.bpf.c:"));
	assert_non_null(strstr(msg, "'count = bpf_map_lookup_elem(&ips, &key);'"));
	/* Control flow is refused before any instruction is walked. */
	msg = explain("ip-counter.bpf.o", "ip_counter", "unreachable insn 1\nprocessed 0 insns\n");
	assert_non_null(strstr(msg, "refused: unreachable insn 1, at "));
	assert_non_null(strstr(msg, "ip-counter.bpf.c:"));
	assert_string_equal(explain("ip-counter.bpf.o", "ip_counter", ""), "refused");
	assert_string_equal(explain("ip-counter.bpf.o", "ip_counter", "insn 99999999999999999999"),
			    explain("ip-counter.bpf.o", "ip_counter", "insn 99999999999999999999"));
}

/* ---- values ---- */

struct types {
	struct btf *btf;
	int u8_, u16_, u32_, u64_, s32_, char_, bool_, color, text, nested, top, bits, counters,
		hist;
};

static void make_types(struct types *t)
{
	struct btf *b = t->btf = btf__new_empty();

	t->u8_ = btf__add_int(b, "unsigned char", 1, 0);
	t->u16_ = btf__add_int(b, "unsigned short", 2, 0);
	t->u32_ = btf__add_int(b, "unsigned int", 4, 0);
	t->u64_ = btf__add_int(b, "unsigned long long", 8, 0);
	t->s32_ = btf__add_int(b, "int", 4, BTF_INT_SIGNED);
	t->char_ = btf__add_int(b, "char", 1, BTF_INT_SIGNED);
	t->bool_ = btf__add_int(b, "_Bool", 1, BTF_INT_BOOL);
	t->color = btf__add_enum(b, "color", 4);
	btf__add_enum_value(b, "RED", 0);
	btf__add_enum_value(b, "BLUE", 7);
	t->text = btf__add_array(b, t->u32_, t->char_, 8);
	t->nested = btf__add_struct(b, "nested", 8);
	btf__add_field(b, "a", t->u32_, 0, 0);
	btf__add_field(b, "b", t->s32_, 32, 0);
	t->top = btf__add_struct(b, "top", 32);
	btf__add_field(b, "name", t->text, 0, 0);
	btf__add_field(b, "in", t->nested, 64, 0);
	btf__add_field(b, "ip", t->u64_, 128, 0);
	btf__add_field(b, "color", t->color, 192, 0);
	btf__add_field(b, "ok", t->bool_, 224, 0);
	btf__add_field(b, "pad", btf__add_array(b, t->u32_, t->u8_, 3), 232, 0);
	t->bits = btf__add_struct(b, "bits", 4);
	btf__add_field(b, "low", t->u32_, 0, 3);
	btf__add_field(b, "high", t->s32_, 3, 5);
	t->counters = btf__add_array(b, t->u32_, t->u64_, 8);
	t->hist = btf__add_struct(b, "hist", 72);
	btf__add_field(b, "count", t->u64_, 0, 0);
	btf__add_field(b, "slots", t->counters, 64, 0);
	assert_true(t->hist > 0);
}

static void symbolize(void *ctx, pid_t pid, u64 addr, struct bpf_map_sym *out)
{
	(void)ctx;
	if (pid == 42 && addr == 0x1000) {
		out->sym = "main";
		out->dso = "/bin/x";
	}
}

static const char *print(struct types *t, u32 id, const void *data, u32 size, bool json)
{
	static char text[1024];
	struct bpf_map_print_opts o = {.symbolize = symbolize};
	struct outbuf ob;
	struct value_printer p = {.types = {.btf = t->btf}, .ob = &ob, .opts = &o, .pid = 42};

	assert_int_equal(outbuf__init(&ob, -1, 0), 0);
	if (json)
		value__json(&p, "", id, data, size);
	else
		value__text(&p, "", id, data, size);
	snprintf(text, sizeof(text), "%.*s", (int)ob.len, ob.buf);
	outbuf__exit(&ob);
	return text;
}

static void test_values(void **state)
{
	struct {
		char name[8];
		u32 a;
		s32 b;
		u64 ip;
		u32 color;
		bool ok;
		u8 pad[3];
	} v = {.name = "a\n\"b", .a = 5, .b = -6, .ip = 0x1000, .color = 7, .ok = true};
	struct types t;
	u64 counters[8] = {1, 2};
	u32 bits = 5 | (u32)(-3 & 31) << 3;

	(void)state;
	make_types(&t);
	assert_int_equal(sizeof(v), 32);
	assert_string_equal(
		print(&t, t.top, &v, sizeof(v), false),
		"{name = \"a\\n\"b\", in = {a = 5, b = -6}, ip = 0x1000 <main>, color = "
		"BLUE, ok = true}");
	assert_string_equal(
		print(&t, t.top, &v, sizeof(v), true),
		"{\"name\":\"a\\n\\\"b\",\"in\":{\"a\":5,\"b\":-6},\"ip\":{\"addr\":\"0x1000\","
		"\"sym\":\"main\",\"dso\":\"/bin/x\"},\"color\":\"BLUE\",\"ok\":true}");
	v.color = 3;
	v.ip = 0x1001;
	memset(v.name, 'x', 8);
	assert_non_null(strstr(print(&t, t.top, &v, sizeof(v), false), "name = \"xxxxxxxx\""));
	assert_non_null(strstr(print(&t, t.top, &v, sizeof(v), false), "ip = 0x1001, color = 3"));
	assert_string_equal(print(&t, t.bits, &bits, 4, false), "{low = 5, high = -3}");
	assert_string_equal(print(&t, t.counters, counters, 64, false), "[1, 2, 0 (6 times)]");
	assert_string_equal(print(&t, t.counters, counters, 64, true), "[1,2,0,0,0,0,0,0]");
	/* No type, or one that claims more than is there: the bytes. */
	assert_string_equal(print(&t, 0, "\x01\x02\x03", 3, false), "01 02 03");
	assert_string_equal(print(&t, 0, &(u32){77}, 4, false), "77");
	assert_string_equal(print(&t, t.top, "\x01\x02\x03", 3, true), "\"010203\"");
	assert_string_equal(print(&t, 9999, "\x01\x02\x03", 3, false), "01 02 03");
	btf__free(t.btf);
}

static void test_columns(void **state)
{
	struct type_ctx c;
	struct leaf l[MAX_LEAVES];
	struct slots s;
	struct types t;
	int nr = 0;

	(void)state;
	make_types(&t);
	c = (struct type_ctx){.btf = t.btf};
	assert_int_equal(bpf_type__flatten(&c, "", t.top, 0, l, &nr, 0), 0);
	assert_int_equal(nr, 6);
	assert_string_equal(l[0].name, "name");
	assert_int_equal(l[0].kind, LEAF_TEXT);
	assert_string_equal(l[2].name, "b");
	assert_int_equal(l[2].kind, LEAF_SINT);
	assert_int_equal(l[2].bit_off, 96);
	assert_int_equal(l[3].kind, LEAF_ADDR);
	nr = 0;
	assert_int_equal(bpf_type__flatten(&c, "", t.hist, 0, l, &nr, 0), -1);
	assert_true(bpf_type__find_slots(t.btf, t.hist, false, &s));
	assert_int_equal(s.off, 8);
	assert_int_equal(s.nr, 8);
	assert_false(bpf_type__find_slots(t.btf, t.counters, false, &s));
	assert_true(bpf_type__find_slots(t.btf, t.counters, true, &s));
	assert_false(bpf_type__find_slots(t.btf, t.top, true, &s));
	btf__free(t.btf);
}

static void test_address_names(void **state)
{
	(void)state;
	assert_true(bpf_type__is_address_name("ip", NULL, false));
	assert_true(bpf_type__is_address_name("fault_addr", NULL, false));
	assert_true(bpf_type__is_address_name("ip_t", NULL, false));
	assert_false(bpf_type__is_address_name("ip_count", NULL, false));
	assert_false(bpf_type__is_address_name("zip", NULL, false));
	assert_false(bpf_type__is_address_name("where", NULL, false));
	assert_true(bpf_type__is_address_name("where", "where", false));
	assert_true(bpf_type__is_address_name("ip_map", NULL, true));
	assert_true(bpf_type__is_address_name("hot_ips", NULL, true));
	assert_false(bpf_type__is_address_name("pids", NULL, true));
	assert_true(bpf_type__is_padding("__pad"));
	assert_true(bpf_type__is_padding("padding"));
	assert_true(bpf_type__is_padding("_pad_2"));
	assert_false(bpf_type__is_padding("padlock"));
}

static void test_histogram(void **state)
{
	u32 slots[40] = {3, 0, 12};
	struct outbuf ob;

	(void)state;
	assert_int_equal(outbuf__init(&ob, -1, 0), 0);
	slots__print(&ob, &(struct slot_counts){slots, 4, 40}, "wait_us");
	outbuf__putc(&ob, '\0');
	assert_string_equal(
		ob.buf,
		"     usecs               : count    distribution\n"
		"         0 -> 1          : 3        |**********                              |\n"
		"         2 -> 3          : 0        |                                        |\n"
		"         4 -> 7          : 12       |****************************************|\n");
	assert_int_equal(slots__total(&(struct slot_counts){slots, 4, 40}), 15);
	outbuf__exit(&ob);
}

static int make_dir(void **state)
{
	(void)state;
	return mkdtemp(dir) ? 0 : -1;
}

static int remove_dir(void **state)
{
	static const char *const names[] = {"bad.o", "damaged.o", "fifo"};
	char path[64];

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		snprintf(path, sizeof(path), "%s/%s", dir, names[i]);
		unlink(path);
	}
	return rmdir(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_files),	     cmocka_unit_test(test_program),
		cmocka_unit_test(test_vars),	     cmocka_unit_test(test_damaged),
		cmocka_unit_test(test_verifier_log), cmocka_unit_test(test_values),
		cmocka_unit_test(test_columns),	     cmocka_unit_test(test_address_names),
		cmocka_unit_test(test_histogram),
	};

	return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
