// SPDX-License-Identifier: GPL-2.0-only
/* The extract of a kernel's BTF: the same layout as in the whole, and nothing breaks on files that
 * are none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* */
#include <bpf/btf.h>
#include <cmocka.h>
#include <errno.h>
#include <linux/btf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bpf/kernel_btf.h"
#include "compiler.h"

static char path[] = "/tmp/test-kernel-btf-XXXXXX";

static struct btf *whole(void)
{
	struct btf *b = btf__new_empty();
	int u32_id = btf__add_int(b, "unsigned int", 4, 0);
	int u64_id = btf__add_int(b, "long unsigned int", 8, 0);
	int char_id = btf__add_int(b, "char", 1, BTF_INT_SIGNED);
	int name_id = btf__add_array(b, u32_id, char_id, 16), sig_id, set_id, info_id, anon_id;
	int td_id, const_id;

	btf__add_struct(b, "other", 8);
	btf__add_field(b, "pid", u64_id, 0, 0);
	sig_id = btf__add_array(b, u32_id, u64_id, 1);
	set_id = btf__add_struct(b, "", 8);
	btf__add_field(b, "sig", sig_id, 0, 0);
	td_id = btf__add_typedef(b, "sigset_t", set_id);
	info_id = btf__add_struct(b, "thread_info", 16);
	btf__add_field(b, "flags", u64_id, 0, 0);
	btf__add_field(b, "status", u32_id, 64, 0);
	anon_id = btf__add_union(b, "", 8);
	btf__add_field(b, "word", u64_id, 0, 0);
	btf__add_field(b, "half", u32_id, 0, 0);
	const_id = btf__add_const(b, u32_id);
	btf__add_struct(b, "task_struct", 128);
	btf__add_field(b, "thread_info", info_id, 0, 0);
	btf__add_field(b, "unwanted", u64_id, 128, 0);
	btf__add_field(b, "pid", const_id, 192, 0);
	btf__add_field(b, "blocked", td_id, 256, 0);
	btf__add_field(b, "comm", name_id, 320, 0);
	btf__add_struct(b, "holder", 16);
	btf__add_field(b, "", anon_id, 64, 0);
	return b;
}

static void put(const void *data, u32 size)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	assert_int_equal(fwrite(data, 1, size, f), size);
	fclose(f);
}

static struct btf *extract(const struct kernel_btf_want *want, int *err)
{
	char file[64];
	struct btf *b = NULL;
	int fd = kernel_btf__extract(path, want);

	*err = fd < 0 ? fd : 0;
	if (fd < 0)
		return NULL;
	snprintf(file, sizeof(file), "/proc/self/fd/%d", fd);
	b = btf__parse(file, NULL);
	close(fd);
	assert_non_null(b);
	return b;
}

/* The byte where member @name of struct @type stands, -1: not there. */
static int offset_of(const struct btf *b, const char *type, const char *name)
{
	int id = btf__find_by_name_kind(b, type, BTF_KIND_STRUCT);
	const struct btf_type *t = id > 0 ? btf__type_by_id(b, id) : NULL;

	for (int i = 0; t && i < btf_vlen(t); i++)
		if (!strcmp(btf__name_by_offset(b, btf_members(t)[i].name_off), name))
			return btf_member_bit_offset(t, i) / 8;
	return -1;
}

static const char *const members[] = {"pid", "comm", "blocked", "thread_info", NULL};
static const char *const missing[] = {"pid", "no_such_member", NULL};
static const struct kernel_btf_want want[] = {
	{.name = "task_struct", .members = members}, {.name = "holder"}, {}};
static const struct kernel_btf_want want_missing[] = {{.name = "task_struct", .members = missing},
						      {}};
static const struct kernel_btf_want want_none[] = {{.name = "no_such_struct"}, {}};

static void same_layout(void **state)
{
	struct btf *b = whole(), *x;
	const void *raw;
	u32 size;
	int err;

	(void)state;
	raw = btf__raw_data(b, &size);
	put(raw, size);
	x = extract(want, &err);
	assert_int_equal(err, 0);
	assert_int_equal(offset_of(x, "task_struct", "pid"), 24);
	assert_int_equal(offset_of(x, "task_struct", "blocked"), 32);
	assert_int_equal(offset_of(x, "task_struct", "comm"), 40);
	assert_int_equal(offset_of(x, "task_struct", "unwanted"), -1);
	assert_int_equal(offset_of(x, "thread_info", "status"), 8);
	assert_int_equal(offset_of(x, "holder", ""), 8);
	assert_int_equal(offset_of(x, "other", "pid"), -1);
	btf__free(x);
	assert_null(extract(want_missing, &err));
	assert_int_equal(err, -ENOENT);
	assert_null(extract(want_none, &err));
	assert_int_equal(err, -ENOENT);
	btf__free(b);
}

/* Cut anywhere, any word replaced: an error or an extract, never a crash. */
static void hostile(void **state)
{
	static const u32 words[] = {0, 1, 0x7fffffff, 0xffffffff, 0x04ffffff, 0x84001000};
	struct btf *b = whole(), *x;
	const u8 *raw;
	u8 *bad;
	u32 size;
	int err;

	(void)state;
	raw = btf__raw_data(b, &size);
	bad = malloc(size);
	for (u32 n = 0; n < size; n += 3) {
		put(raw, n);
		assert_null(extract(want, &err));
		assert_int_not_equal(err, 0);
	}
	for (u32 i = 0; i + 4 <= size; i += 4) {
		for (u32 k = 0; k < ARRAY_SIZE(words); k++) {
			int fd;

			memcpy(bad, raw, size);
			memcpy(bad + i, &words[k], 4);
			put(bad, size);
			fd = kernel_btf__extract(path, want);
			if (fd >= 0)
				close(fd);
		}
	}
	free(bad);
	put(raw, size);
	x = extract(want, &err);
	assert_non_null(x);
	btf__free(x);
	btf__free(b);
}

/* The running kernel's, member by member as libbpf has them. */
static void running_kernel(void **state)
{
	struct btf *b = btf__load_vmlinux_btf(), *x;
	char file[64];
	int fd;

	(void)state;
	if (!b)
		skip(); /* a kernel without BTF */
	fd = kernel_btf__extract(NULL, want_none);
	assert_int_equal(fd, -ENOENT);
	fd = kernel_btf__extract(NULL, (const struct kernel_btf_want[]){
					       {.name = "task_struct", .members = members}, {}});
	assert_true(fd >= 0);
	snprintf(file, sizeof(file), "/proc/self/fd/%d", fd);
	x = btf__parse(file, NULL);
	assert_non_null(x);
	assert_true(btf__type_cnt(x) < 100);
	for (int i = 0; members[i]; i++)
		assert_int_equal(offset_of(x, "task_struct", members[i]),
				 offset_of(b, "task_struct", members[i]));
	assert_int_equal(offset_of(x, "thread_info", "flags"),
			 offset_of(b, "thread_info", "flags"));
	close(fd);
	btf__free(x);
	btf__free(b);
}

/* What the kernel itself calls a type or a function. */
static void kernel_ids(void **state)
{
	struct btf *b = btf__load_vmlinux_btf();
	u32 task = 1, cast = 1, none = 1;
	const struct kernel_btf_want ids[] = {
		{.name = "task_struct", .members = members, .kernel_id = &task},
		{.name = "bpf_rdonly_cast", .kernel_id = &cast, .func = true},
		{.name = "no_such_function", .kernel_id = &none, .func = true},
		{}};
	int fd, id;

	(void)state;
	if (!b)
		skip(); /* a kernel without BTF */
	fd = kernel_btf__extract(NULL, ids);
	assert_true(fd >= 0);
	close(fd);
	assert_int_equal(task, btf__find_by_name_kind(b, "task_struct", BTF_KIND_STRUCT));
	id = btf__find_by_name_kind(b, "bpf_rdonly_cast", BTF_KIND_FUNC);
	assert_int_equal(cast, id > 0 ? id : 0);
	assert_int_equal(none, 0);
	btf__free(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(same_layout),
		cmocka_unit_test(hostile),
		cmocka_unit_test(running_kernel),
		cmocka_unit_test(kernel_ids),
	};
	int fd = mkstemp(path), err;

	if (fd < 0)
		return 1;
	close(fd);
	err = cmocka_run_group_tests(tests, NULL, NULL);
	unlink(path);
	return err;
}
