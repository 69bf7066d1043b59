// SPDX-License-Identifier: GPL-2.0-only
/* Symbols of programs made here by every compiler and linker at hand, against nm and objdump. */
#include "build-programs.h"

#include "lib/symbol/dso.h"

static struct dso *open_dso(struct dsos *s, const char *path)
{
	struct dso_ident id = {.kind = DSO_USER};
	char *full = realpath(path, NULL);
	struct dso *d;

	assert_non_null(full);
	id.path = full;
	d = dsos__find(s, &id);
	free(full);
	assert_non_null(d);
	return d;
}

static const char *name_at(struct dso *d, u64 addr)
{
	const struct symbol *s = dso__find_symbol(d, addr);

	return s ? s->name : "(none)";
}

static const char source[] =
	"#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"
	"int counter;\n"
	"__attribute__((noinline)) int hot(int n) { for (int i = 0; i < n; i++) counter += i; "
	"return counter; }\n"
	"__attribute__((noinline)) static int cold_path(int n) { return hot(n) * 3; }\n"
	"int aliased(int n) { return n + counter; }\n"
	"int __aliased_too(int n) __attribute__((alias(\"aliased\")));\n"
	"int weak_one(int n) __attribute__((weak, alias(\"aliased\")));\n"
	"static int cmp(const void *a, const void *b) { return a > b; }\n"
	"int main(int c, char **v) {\n"
	"  char *p = malloc(c * 100); int (*fp)(const char *) = puts; strcpy(p, v[0]); fp(p); "
	"qsort(p, 1, 1, cmp);\n"
	"  printf(\"%d\\n\", cold_path(c) + aliased(c)); free(p); return 0; }\n";

static void names_and_aliases(void **state)
{
	struct dsos *s = dsos__new(NULL);
	struct dso *d;
	u64 hot, aliased;

	(void)state;
	write_text("a.c", source);
	assert_int_equal(sh("gcc -O1 -g -o a a.c"), 0);
	d = open_dso(s, "a");
	hot = nm_address("a", "hot");
	assert_string_equal(name_at(d, hot), "hot");
	assert_string_equal(name_at(d, hot + 3), "hot");
	assert_string_equal(name_at(d, nm_address("a", "cold_path")), "cold_path");
	assert_string_equal(name_at(d, nm_address("a", "counter") + 2), "counter");
	/* global before weak, fewer underscores first */
	aliased = nm_address("a", "aliased");
	assert_string_equal(name_at(d, aliased + 1), "aliased");
	assert_string_equal(name_at(d, 1), "(none)");
	assert_int_equal(dso__find_symbol_by_name(d, "hot")->start, hot);
	assert_null(dso__find_symbol_by_name(d, "ho"));
	dsos__delete(s);
}

static const char assembly[] =
	"	.text\n"
	"	.globl sized\n	.type sized, @function\n"
	"sized:	nop\n	nop\n"
	"inside:	nop\n	nop\n	.size sized, . - sized\n"
	"	.globl bare\nbare:	nop\n	nop\n	nop\n"
	"	.globl __twin\n	.globl twin\n	.weak weaktwin\n"
	"	.type __twin,@function\n	.type twin,@function\n	.type weaktwin,@function\n"
	"__twin:\ntwin:\nweaktwin:	nop\n	nop\n"
	"last:	nop\n	nop\n"
	"	.section .text.other,\"ax\",@progbits\n	.space 64,0x90\n"
	"	.section .note.GNU-stack,\"\",@progbits\n";

/* Labels without size end at the next symbol or with the section; inside a sized one they lose. */
static void sizeless(void **state)
{
	struct dsos *s = dsos__new(NULL);
	struct dso *d;
	u64 base;

	(void)state;
	write_text("asm.s", assembly);
	assert_int_equal(sh("gcc -nostdlib -shared -Wl,--unique=.text.other -o asm.so asm.s"), 0);
	d = open_dso(s, "asm.so");
	base = nm_address("asm.so", "sized");
	assert_string_equal(name_at(d, base), "sized");
	assert_string_equal(name_at(d, base + 3), "sized");
	assert_string_equal(name_at(d, base + 4), "bare");
	assert_string_equal(name_at(d, base + 6), "bare");
	assert_string_equal(name_at(d, base + 7), "twin");
	assert_string_equal(name_at(d, base + 9), "last");
	assert_string_equal(name_at(d, base + 10), "last");
	assert_string_equal(name_at(d, base + 11), "(none)");
	dsos__delete(s);
}

/* Every stub that objdump names has that name here too. Returns how many there were. */
static int compare_plt(const char *objdump, const char *file)
{
	struct dsos *s = dsos__new(NULL);
	struct dso *d = open_dso(s, file);
	char *text = sh_text("%s -d -j .plt -j .plt.sec -j .plt.got %s 2>/dev/null | "
			     "grep -E '^[0-9a-f]+ <.*@plt>:'",
			     objdump, file);
	int nr = 0;

	for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
		u64 addr = strtoull(line, NULL, 16);
		char *name = strchr(line, '<') + 1, *end = strrchr(line, '>'), *at;

		*end = 0;
		if (*name == '*') /* an absolute one has no name to compare */
			continue;
		at = strchr(name, '@');
		if (strcmp(at, "@plt")) /* with a version: name@VERSION@plt */
			strcpy(at, "@plt");
		assert_string_equal(name_at(d, addr), name);
		assert_string_equal(name_at(d, addr + 7), name);
		nr++;
	}
	free(text);
	dsos__delete(s);
	return nr;
}

static void plt(void **state)
{
	static const char *const flags[] = {
		"-fuse-ld=bfd",
		"-fuse-ld=bfd -no-pie",
		"-fuse-ld=bfd -Wl,-z,now",
		"-fuse-ld=bfd -fcf-protection -Wl,-z,ibtplt",
		"-fuse-ld=bfd -fno-plt",
	};
	int nr = 0;

	(void)state;
	write_text("a.c", source);
	for (u32 i = 0; i < ARRAY_SIZE(flags); i++) {
		assert_int_equal(sh("gcc -O1 %s -o plt a.c", flags[i]), 0);
		nr += compare_plt("objdump", "plt");
		assert_int_equal(sh("strip -o plt.stripped plt"), 0);
		nr += compare_plt("objdump", "plt.stripped");
	}
	assert_true(nr > 20);
}

static void plt_lld(void **state)
{
	(void)state;
	if (!have("ld.lld") || !have("clang"))
		skip();
	write_text("a.c", source);
	assert_int_equal(sh("clang -O1 -fuse-ld=lld -o plt-lld a.c"), 0);
	assert_true(compare_plt("objdump", "plt-lld") > 3);
}

static void plt_mold(void **state)
{
	struct dsos *s;
	struct dso *d;
	bool malloc_seen = false, qsort_seen = false;

	(void)state;
	if (!have("mold"))
		skip();
	write_text("a.c", source);
	/* objdump does not name mold's stubs; the names are there all the same */
	assert_int_equal(sh("gcc -O1 -fuse-ld=mold -o plt-mold a.c"), 0);
	s = dsos__new(NULL);
	d = open_dso(s, "plt-mold");
	for (u32 i = 0; i < dso__nr_symbols(d); i++) {
		const char *n = dso__symbol_at(d, i)->name;

		malloc_seen |= !strcmp(n, "malloc@plt");
		qsort_seen |= !strcmp(n, "qsort@plt");
	}
	assert_true(malloc_seen);
	assert_true(qsort_seen);
	dsos__delete(s);
}

static void plt_arm64(void **state)
{
	int nr = 0;

	(void)state;
	if (!have("ld.lld") || !have("clang") || !have("llvm-objdump-14"))
		skip();
	write_text("f.c", "int one(int), two(int), three(int);\n"
			  "int f(int n) { return one(n) + two(n) + three(n); }\n");
	for (int bti = 0; bti < 2; bti++) {
		if (sh("clang --target=aarch64-linux-gnu -O1 -fPIC %s -nostdlib -shared "
		       "-fuse-ld=lld "
		       "-o arm64.so f.c",
		       bti ? "-mbranch-protection=bti -Wl,-z,force-bti" : ""))
			skip();
		nr += compare_plt("llvm-objdump-14", "arm64.so");
	}
	assert_int_equal(nr, 6);
}

static void static_ifunc_plt(void **state)
{
	struct dsos *s;
	struct dso *d;
	int nr = 0;

	(void)state;
	write_text("a.c", source);
	assert_int_equal(sh("gcc -O1 -static -o static a.c"), 0);
	s = dsos__new(NULL);
	d = open_dso(s, "static");
	for (u32 i = 0; i < dso__nr_symbols(d); i++)
		nr += !strcmp(dso__symbol_at(d, i)->name, "strcpy@plt");
	assert_int_equal(nr, 1);
	assert_string_equal(name_at(d, nm_address("static", "hot")), "hot");
	dsos__delete(s);
}

static void versions(void **state)
{
	struct dsos *s;
	struct dso *d;
	u64 v1, v2;

	(void)state;
	write_text("v.c", "int f1(void) { return 1; }\nint f2(void) { return 2; }\n"
			  "__asm__(\".symver f1,fun@V1\");\n__asm__(\".symver f2,fun@@V2\");\n");
	write_text("v.map", "V1 { global: fun; local: *; };\nV2 { global: fun; } V1;\n");
	assert_int_equal(sh("gcc -shared -fPIC -o v.so v.c -Wl,--version-script=v.map"), 0);
	v1 = nm_address("v.so", "f1");
	v2 = nm_address("v.so", "f2");
	s = dsos__new(NULL);
	d = open_dso(s, "v.so");
	assert_string_equal(name_at(d, v1), "fun");
	assert_string_equal(name_at(d, v2), "fun");
	assert_int_equal(sh("strip v.so"), 0);
	dsos__delete(s);
	s = dsos__new(NULL);
	d = open_dso(s, "v.so");
	assert_string_equal(name_at(d, v2), "fun");
	dsos__delete(s);
}

static void gcc_parts(void **state)
{
	struct dsos *s;
	struct dso *d;
	char *text;

	(void)state;
	write_text("p.c",
		   "#include <stdlib.h>\nextern int g(int);\n"
		   "__attribute__((noinline)) static int work(int a, int b) "
		   "{ if (__builtin_expect(a < 0, 0)) { g(b); abort(); } return g(a); }\n"
		   "int g(int a) { return a; }\n"
		   "int main(int c, char **v) { (void)v; return work(c, 3) + work(c + 1, 3); }\n");
	assert_int_equal(sh("gcc -O2 -o parts p.c"), 0);
	s = dsos__new(NULL);
	d = open_dso(s, "parts");
	text = sh_text("nm parts | awk '$3 ~ /[.](cold|part|isra|constprop)/{print $1, $3}'");
	assert_true(*text);
	for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
		assert_string_equal(name_at(d, strtoull(line, NULL, 16)), strchr(line, ' ') + 1);
	free(text);
	dsos__delete(s);
}

static struct dsos *with_debug_dir(const char *dir)
{
	struct symbol_conf conf = {};
	static char path[128];

	snprintf(path, sizeof(path), "%s/%s", scratch, dir);
	conf.debug_dir = path;
	return dsos__new(&conf);
}

static void debug_by_build_id(void **state)
{
	char *id;
	struct dsos *s;
	u64 addr;

	(void)state;
	write_text("a.c", source);
	assert_int_equal(sh("gcc -O1 -g -Wl,--build-id -o b a.c && cp b b.full"), 0);
	addr = nm_address("b.full", "cold_path");
	id = sh_text("readelf -n b | sed -n 's/.*Build ID: *//p' | tr -d '\\n'");
	assert_int_equal(sh("mkdir -p dbg/.build-id/%.2s && objcopy --only-keep-debug b "
			    "dbg/.build-id/%.2s/%s.debug && strip b",
			    id, id, id + 2),
			 0);
	s = with_debug_dir("nowhere");
	assert_string_equal(name_at(open_dso(s, "b"), addr), "(none)");
	dsos__delete(s);
	s = with_debug_dir("dbg");
	assert_string_equal(name_at(open_dso(s, "b"), addr), "cold_path");
	assert_non_null(strstr(dso__debug_path(open_dso(s, "b")), ".build-id"));
	dsos__delete(s);
	/* another build's debug file under this build's name is not taken */
	assert_int_equal(
		sh("gcc -O2 -g -Wl,--build-id -o other a.c && objcopy --only-keep-debug other "
		   "dbg/.build-id/%.2s/%s.debug",
		   id, id + 2),
		0);
	s = with_debug_dir("dbg");
	assert_string_equal(name_at(open_dso(s, "b"), addr), "(none)");
	dsos__delete(s);
	free(id);
}

static void debug_by_link(void **state)
{
	struct dsos *s;
	u64 addr;

	(void)state;
	write_text("a.c", source);
	assert_int_equal(sh("gcc -O1 -g -Wl,--build-id=none -o l a.c"), 0);
	addr = nm_address("l", "cold_path");
	assert_int_equal(
		sh("mkdir -p .debug && objcopy --only-keep-debug l .debug/l.dbg && strip l && "
		   "objcopy --add-gnu-debuglink=.debug/l.dbg l"),
		0);
	s = with_debug_dir("nowhere");
	assert_string_equal(name_at(open_dso(s, "l"), addr), "cold_path");
	dsos__delete(s);
	/* its checksum is checked */
	assert_int_equal(sh("printf x >> .debug/l.dbg"), 0);
	s = with_debug_dir("nowhere");
	assert_string_equal(name_at(open_dso(s, "l"), addr), "(none)");
	dsos__delete(s);
}

static void minidebug(void **state)
{
	struct dsos *s;
	u64 addr, hot;

	(void)state;
	if (!have("xz"))
		skip();
	write_text("a.c", source);
	assert_int_equal(sh("gcc -O1 -o m a.c"), 0);
	addr = nm_address("m", "cold_path");
	hot = nm_address("m", "hot");
	assert_int_equal(sh("objcopy --only-keep-debug m mini && xz -kf mini && strip m && "
			    "objcopy --add-section .gnu_debugdata=mini.xz m"),
			 0);
	s = with_debug_dir("nowhere");
	assert_string_equal(name_at(open_dso(s, "m"), addr), "cold_path");
	assert_string_equal(name_at(open_dso(s, "m"), hot), "hot");
	dsos__delete(s);
	/* cut short: no names of it, no harm */
	assert_int_equal(sh("head -c 100 mini.xz > cut.xz && "
			    "objcopy --update-section .gnu_debugdata=cut.xz m"),
			 0);
	s = with_debug_dir("nowhere");
	assert_string_equal(name_at(open_dso(s, "m"), addr), "(none)");
	dsos__delete(s);
}

/* Offsets in the file to addresses and back, where segments are not laid out one to one. */
static void addresses(void **state)
{
	static const char *const builds[] = {
		"gcc -O1",
		"gcc -O1 -no-pie",
		"gcc -O1 -static",
		"gcc -O1 -static-pie",
		"gcc -O1 -Wl,-z,noseparate-code",
		"clang -O1 -fuse-ld=lld",
		"clang -O1 -no-pie -fuse-ld=lld -Wl,-z,separate-loadable-segments",
		"gcc -O1 -fuse-ld=mold",
		"gcc -O1 -Wl,-Ttext-segment=0x7000000 -no-pie",
	};
	int done = 0;

	(void)state;
	write_text("a.c", source);
	for (u32 i = 0; i < ARRAY_SIZE(builds); i++) {
		struct dsos *s;
		struct dso *d;
		u64 addr, off;
		char *text;

		if (sh("%s -o lay a.c 2>/dev/null", builds[i]))
			continue;
		done++;
		s = dsos__new(NULL);
		d = open_dso(s, "lay");
		addr = nm_address("lay", "hot");
		/* the section's address and offset, as readelf has them */
		text = sh_text("readelf -SW lay | sed 's/^ *\\[ *[0-9]*\\]//' | "
			       "awk '$1==\".text\"{print $3, $4}'");
		off = addr - strtoull(text, NULL, 16) + strtoull(strchr(text, ' '), NULL, 16);
		assert_int_equal(dso__file_offset_to_addr(d, off), addr);
		assert_int_equal(dso__addr_to_file_offset(d, addr), off);
		assert_string_equal(name_at(d, addr + 2), "hot");
		free(text);
		dsos__delete(s);
	}
	assert_true(done >= 5);
}

static void foreign(void **state)
{
	struct symbol_conf conf = {.foreign = true};
	struct dso_ident id = {.kind = DSO_USER};
	struct build_id bid;
	struct dsos *s;
	u64 addr;

	(void)state;
	write_text("a.c", source);
	assert_int_equal(sh("gcc -O1 -Wl,--build-id -o fo a.c"), 0);
	addr = nm_address("fo", "hot");
	s = dsos__new(NULL);
	assert_int_equal(dso__build_id(open_dso(s, "fo"), &bid), 0);
	dsos__delete(s);

	s = dsos__new(&conf);
	id.path = "fo";
	assert_string_equal(name_at(open_dso(s, "fo"), addr), "(none)");
	assert_non_null(dso__load_error(open_dso(s, "fo")));
	id.build_id = bid;
	id.path = realpath("fo", NULL);
	assert_string_equal(name_at(dsos__find(s, &id), addr), "hot");
	id.build_id.data[3] ^= 1;
	assert_string_equal(name_at(dsos__find(s, &id), addr), "(none)");
	free((char *)id.path);
	dsos__delete(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_and_aliases),
		cmocka_unit_test(sizeless),
		cmocka_unit_test(plt),
		cmocka_unit_test(plt_lld),
		cmocka_unit_test(plt_mold),
		cmocka_unit_test(plt_arm64),
		cmocka_unit_test(static_ifunc_plt),
		cmocka_unit_test(versions),
		cmocka_unit_test(gcc_parts),
		cmocka_unit_test(debug_by_build_id),
		cmocka_unit_test(debug_by_link),
		cmocka_unit_test(minidebug),
		cmocka_unit_test(addresses),
		cmocka_unit_test(foreign),
	};

	return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
