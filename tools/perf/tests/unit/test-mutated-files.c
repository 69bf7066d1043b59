// SPDX-License-Identifier: GPL-2.0-only
/* Damaged ELF files: cut at every length, bytes and header fields changed. Nothing may crash, hang
 * or take more memory than a sane file; the answers do not matter. The same mutations in every run.
 */
#include "build-programs.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "../fuzz/fuzz-symbols.c"

static u64 seed = 88172645463325252ULL;

static u64 rnd(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	return seed ^= seed << 17;
}

static u8 *read_file(const char *path, size_t *size)
{
	int fd = open(path, O_RDONLY);
	struct stat st;
	u8 *p;

	assert_true(fd >= 0 && !fstat(fd, &st));
	*size = (size_t)st.st_size;
	p = malloc(*size);
	assert_int_equal(read(fd, p, *size), *size);
	close(fd);
	return p;
}

/* Numbers that break sums, products and shifts. */
static const u64 nasty[] = {0,		0x7f,	    0xff,	0xffff,	    0x7fffffff,
			    0xffffffff, 0x10000000, UINT64_MAX, 1ULL << 63, UINT64_MAX - 7};

static void mutate(u8 *p, size_t size, size_t focus)
{
	u32 n = 1 + rnd() % 8;

	while (n--) {
		size_t at = rnd() % (rnd() & 1 ? focus : size);
		u64 v = nasty[rnd() % ARRAY_SIZE(nasty)];

		switch (rnd() % 4) {
		case 0:
			p[at] ^= (u8)(1 << rnd() % 8);
			break;
		case 1:
			p[at] = (u8)rnd();
			break;
		case 2:
			at &= ~7UL;
			memcpy(p + at, &v, min_t(size_t, 8, size - at));
			break;
		default:
			at &= ~3UL;
			memcpy(p + at, &v, min_t(size_t, 4, size - at));
			break;
		}
	}
}

/* Section headers are where most of a file's claims are: half of the hits go to them, moved to the
 * front for that by working on a copy of the tail. */
static void run(const char *file, u32 rounds)
{
	size_t size, headers;
	u8 *orig = read_file(file, &size), *copy = malloc(size);
	Elf64_Ehdr eh;

	memcpy(&eh, orig, sizeof(eh));
	headers = size - eh.e_shoff;
	for (u32 i = 0; i < rounds; i++) {
		memcpy(copy, orig, size);
		if (i & 1)
			mutate(copy + eh.e_shoff, headers, headers);
		else
			mutate(copy, size, 1024);
		LLVMFuzzerTestOneInput(copy, size);
	}
	for (size_t len = 0; len < size; len += 1 + size / 80)
		LLVMFuzzerTestOneInput(orig, len);
	free(orig);
	free(copy);
}

static const char source[] =
	"#include <stdlib.h>\n"
	"static inline __attribute__((always_inline)) int deep(int n) { return n * 3; }\n"
	"static inline __attribute__((always_inline)) int mid(int n) { return deep(n) + 1; }\n"
	"__attribute__((noinline)) int f(int n) { return mid(n) + (malloc(n) != 0); }\n"
	"__attribute__((noinline)) int _ZN3foo3barIiEEvT_(int n) { return f(n) + 1; }\n"
	"int main(int c, char **v) { (void)v; return f(c) + _ZN3foo3barIiEEvT_(c); }\n";

static void mutated(void **state)
{
	struct rusage ru;

	(void)state;
	write_text("m.c", source);
	assert_int_equal(
		sh("gcc -O1 -g -o m m.c && gcc -O1 -g -gz=zlib -o mz m.c && strip -o ms m && "
		   "gcc -O1 -g -fno-asynchronous-unwind-tables -fno-unwind-tables -o mf m.c && "
		   "cp m mini && xz -kf mini && strip -o mx m && "
		   "objcopy --add-section .gnu_debugdata=mini.xz mx"),
		0);
	run("m", 300);
	run("mz", 100);
	run("ms", 100);
	run("mf", 150);
	run("mx", 100);
	getrusage(RUSAGE_SELF, &ru);
#ifndef __SANITIZE_ADDRESS__
	assert_in_range(ru.ru_maxrss, 0, 200 << 10);
#endif
}

static void tiny(void **state)
{
	static const char *const files[] = {
		"", "\177", "\177ELF", "\177ELF\2\1\1", "\177ELF\1\2\1", "not an ELF file at all"};

	(void)state;
	for (u32 i = 0; i < ARRAY_SIZE(files); i++)
		LLVMFuzzerTestOneInput((const u8 *)files[i], strlen(files[i]));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tiny),
		cmocka_unit_test(mutated),
	};

	return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
