// SPDX-License-Identifier: GPL-2.0-only
/* Readable names of C++ and Rust symbols, and names made to hurt. */
#include "build-programs.h"

#include "lib/symbol/demangle.h"
#include "lib/symbol/symtab.h"

static void names(void **state)
{
	static const struct {
		const char *raw, *shown; /* NULL: not mangled */
	} cases[] = {
		{"_ZN2ns3FooIlE4spinEl", "ns::Foo<long>::spin"},
		{"_ZNSt6vectorIiSaIiEE9push_backERKi",
		 "std::vector<int, std::allocator<int> >::push_back"},
		{"_ZZ4mainENKUllE_clEl", "main::{lambda(long)#1}::operator()"},
		{"_ZN3FooD1Ev", "Foo::~Foo"},
		{"_ZTV3Foo", "vtable for Foo"},
		{"_ZN4core3fmt5write17h0123456789abcdefE", "core::fmt::write"},
		{"_ZN1i4main28_$u7b$$u7b$closure$u7d$$u7d$17h0123456789abcdefE",
		 "i::main::{{closure}}"},
		{"_RNvNtCs1234_7mycrate3foo3bar", "mycrate::foo::bar"},
		{"_RNCNvCs1234_7mycrate4main0", "mycrate::main::{closure#0}"},
		{"main", NULL},
		{"_Z", NULL},
		{"_R", NULL},
		{"_ZN", NULL},
		{"", NULL},
		{"__libc_start_main", NULL},
	};
	char buf[1024];

	(void)state;
	for (u32 i = 0; i < ARRAY_SIZE(cases); i++) {
		size_t n = demangle(cases[i].raw, buf, sizeof(buf));

		if (!cases[i].shown) {
			assert_int_equal(n, 0);
			continue;
		}
		assert_string_equal(buf, cases[i].shown);
		assert_int_equal(n, strlen(buf));
	}
	assert_true(demangle_full("_ZN2ns3FooIlE4spinEl", buf, sizeof(buf)));
	assert_string_equal(buf, "ns::Foo<long>::spin(long)");
	/* a name that does not fit is left as it is rather than cut */
	assert_int_equal(demangle("_ZN2ns3FooIlE4spinEl", buf, 10), 0);
}

/* Forty pairs of pairs: the name in full would have a trillion letters. */
static void bombs(void **state)
{
	char raw[4096] = "_Z1fISt4pairI1aS0_E", buf[8192];

	(void)state;
	for (int i = 1; i < 36; i++)
		snprintf(raw + strlen(raw), sizeof(raw) - strlen(raw), "St4pairIS%c_S%c_E",
			 i < 10 ? '0' + i : 'A' + i - 10, i < 10 ? '0' + i : 'A' + i - 10);
	strcat(raw, "Evv");
	demangle(raw, buf, sizeof(buf));

	/* nested deeper than any stack */
	memset(raw, 'P', sizeof(raw));
	memcpy(raw, "_Z1f", 4);
	raw[sizeof(raw) - 2] = 'i';
	raw[sizeof(raw) - 1] = 0;
	demangle(raw, buf, sizeof(buf));
	memset(raw, 'N', sizeof(raw));
	memcpy(raw, "_R", 2);
	raw[sizeof(raw) - 1] = 0;
	demangle(raw, buf, sizeof(buf));
	for (u32 i = 0; i + 8 < sizeof(raw); i += 4)
		memcpy(raw + i, i ? "INvC" : "_RYS", 4);
	demangle(raw, buf, sizeof(buf));
}

static void in_a_table(void **state)
{
	struct symtab *st = symtab__new();

	(void)state;
	symtab__add(st, 0x100, 0x10, "_ZN2ns3FooIlE4spinEl", 1, 2);
	symtab__add(st, 0x200, 0x10, "_ZN2ns3barEv@@V2", 1, 2);
	symtab__add_copy(st, 0x300, 0x10, "_ZN2ns3barEv", 12, "@plt", 1, 2);
	symtab__add(st, 0x400, 0x10, "free@V1", 1, 2);
	symtab__add(st, 0x400, 0x10, "cfree@V1", 1, 2);
	symtab__add(st, 0x500, 0x10, "newer@@V2", 1, 2);
	symtab__add(st, 0x500, 0x10, "old@V1", 1, 2);
	assert_int_equal(symtab__finish(st, NULL, 0, 0), 0);
	assert_string_equal(symtab__find(st, 0x105)->name, "ns::Foo<long>::spin");
	assert_string_equal(symtab__find(st, 0x205)->name, "ns::bar");
	assert_string_equal(symtab__find(st, 0x305)->name, "ns::bar@plt");
	assert_string_equal(symtab__find(st, 0x405)->name, "free");
	assert_string_equal(symtab__find(st, 0x505)->name, "newer");
	assert_null(symtab__find(st, 0x510));
	assert_int_equal(symtab__find_name(st, "ns::bar")->start, 0x200);
	assert_int_equal(symtab__find_name(st, "newer")->start, 0x500);
	symtab__delete(st);

	st = symtab__new();
	symtab__add(st, 0x100, 0x10, "_ZN2ns3FooIlE4spinEl", 1, 2);
	assert_int_equal(symtab__finish(st, NULL, 0, SYMTAB_NO_DEMANGLE), 0);
	assert_string_equal(symtab__find(st, 0x105)->name, "_ZN2ns3FooIlE4spinEl");
	symtab__delete(st);
}

/* Functions inside functions (nested symbols): the innermost, then what is around it. */
static void nested(void **state)
{
	struct symtab *st = symtab__new();

	(void)state;
	symtab__add(st, 0x100, 0x100, "outer", 1, 2);
	symtab__add(st, 0x120, 0x20, "inner", 0, 2);
	symtab__add(st, 0x128, 0x8, "innermost", 0, 2);
	symtab__add(st, 0x180, 0, "label", 0, 0);
	assert_int_equal(symtab__finish(st, NULL, 0, 0), 0);
	assert_string_equal(symtab__find(st, 0x100)->name, "outer");
	assert_string_equal(symtab__find(st, 0x120)->name, "inner");
	assert_string_equal(symtab__find(st, 0x12f)->name, "innermost");
	assert_string_equal(symtab__find(st, 0x130)->name, "inner");
	assert_string_equal(symtab__find(st, 0x140)->name, "outer");
	assert_string_equal(symtab__find(st, 0x1ff)->name, "outer");
	assert_string_equal(symtab__find(st, 0x180)->name, "outer");
	assert_null(symtab__find(st, 0x200));
	assert_null(symtab__find(st, 0xff));
	symtab__delete(st);
}

/* Often asked tables answer as they do when they are asked once; far-apart groups, gaps, ends. */
static void asked_often(void **state)
{
	static const u64 group[] = {0x1000, 0x7f0000000000, 0xffffffff81000000, 0xffffffffc0000000};
	struct symtab *st = symtab__new();
	char name[32];

	(void)state;
	for (u64 g = 0; g < 4; g++)
		for (u64 i = 0; i < 300; i++) {
			snprintf(name, sizeof(name), "g%di%d", (int)g, (int)i);
			symtab__add_copy(st, group[g] + i * 0x30 + i % 7, 0x20, name, strlen(name),
					 "", 1, 2);
		}
	assert_int_equal(symtab__finish(st, NULL, 0, 0), 0);
	for (int round = 0; round < 2; round++)
		for (u64 g = 0; g < 4; g++)
			for (u64 i = 0; i < 300; i++) {
				u64 start = group[g] + i * 0x30 + i % 7;

				snprintf(name, sizeof(name), "g%di%d", (int)g, (int)i);
				assert_string_equal(symtab__find(st, start)->name, name);
				assert_string_equal(symtab__find(st, start + 0x1f)->name, name);
				assert_null(symtab__find(st, start + 0x20));
			}
	assert_null(symtab__find(st, 0));
	assert_null(symtab__find(st, 0xfff));
	assert_null(symtab__find(st, 0x7effffffffff));
	assert_null(symtab__find(st, UINT64_MAX));
	symtab__delete(st);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names),       cmocka_unit_test(bombs),
		cmocka_unit_test(in_a_table),  cmocka_unit_test(nested),
		cmocka_unit_test(asked_often),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
