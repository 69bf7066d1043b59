// SPDX-License-Identifier: GPL-2.0-only
/* Profiles: keys, call stacks as a tree, folding of rare stacks, interning. Addresses are functions
 * of this very program. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "hist/callctx.h"
#include "hist/intern.h"
#include "hist/profile.h"
#include "lib/api/outbuf.h"
#include "output/profile-output.h"

__attribute__((noinline)) int known_one(int x)
{
	return x * 3 + 1;
}

__attribute__((noinline)) int known_two(int x)
{
	return x * 5 + 2;
}

__attribute__((noinline)) int known_three(int x)
{
	return x * 7 + 3;
}

static const uintptr_t known[] = {(uintptr_t)known_one, (uintptr_t)known_two,
				  (uintptr_t)known_three};

struct fixture {
	struct dsos *dsos;
	struct machine *machine;
	struct profile *profile;
};

static struct fixture make(u32 keys)
{
	struct symbol_conf conf = {};
	struct machine_opts mo = {.live = true};
	struct profile_opts po = {.keys = keys, .nr_events = 1};
	struct fixture f = {.dsos = dsos__new(&conf)};

	mo.dsos = f.dsos;
	f.machine = machine__new(&mo, NULL);
	assert_non_null(f.machine);
	assert_int_equal(machine__scan_pid(f.machine, getpid(), 0), 0);
	f.profile = profile__new(&po, f.machine);
	assert_non_null(f.profile);
	return f;
}

static void drop(struct fixture *f)
{
	profile__delete(f->profile);
	machine__delete(f->machine);
	dsos__delete(f->dsos);
}

static struct sample_agg at(uintptr_t ip, u64 count)
{
	return (struct sample_agg){.count = count,
				   .weight = count * 10,
				   .time = 1,
				   .ip = ip,
				   .pid = getpid(),
				   .tid = getpid(),
				   .comm = "test"};
}

static void interning_is_by_content(void **state)
{
	struct intern *t = intern__new();
	char name[16];

	(void)state;
	for (int i = 0; i < 5000; i++) {
		snprintf(name, sizeof(name), "n%d", i);
		assert_int_equal(intern__id(t, name, strlen(name)), i);
	}
	assert_int_equal(intern__id(t, "n4321", 5), 4321);
	assert_ptr_equal(intern__str(t, "n7"), intern__str(t, "n7"));
	assert_string_equal(intern__str(t, "n7"), "n7");
	assert_int_equal(intern__nr(t), 5000);
	intern__delete(t);
}

static void tree_shares_prefixes(void **state)
{
	struct callctx *c = callctx__new();
	u32 a = callctx__child(c, 0, 1), b = callctx__child(c, a, 2);

	(void)state;
	assert_int_equal(callctx__child(c, 0, 1), a);
	assert_int_equal(callctx__child(c, a, 2), b);
	assert_int_not_equal(callctx__child(c, 0, 2), b);
	assert_int_equal(callctx__depth(c, b), 2);
	assert_int_equal(callctx__parent(c, b), a);
	assert_int_equal(callctx__frame(c, b), 2);
	/* through several growths of the table */
	for (u32 i = 0; i < 100000; i++)
		assert_int_not_equal(callctx__child(c, b, i), 0);
	for (u32 i = 0; i < 100000; i++)
		assert_int_equal(callctx__frame(c, callctx__child(c, b, i)), i);
	assert_int_equal(callctx__nr(c), 100000 + 4);
	callctx__delete(c);
}

static void equal_keys_are_one_row(void **state)
{
	struct fixture f = make(SAMPLE_KEY_SYM | SAMPLE_KEY_COMM);
	const struct profile_entry **list;
	u32 nr;

	(void)state;
	for (int i = 0; i < 3; i++) {
		struct sample_agg a = at(known[0] + i, 1), b = at(known[1], 10);

		assert_int_equal(profile__add(f.profile, &a), 0);
		assert_int_equal(profile__add(f.profile, &b), 0);
	}
	list = profile__sorted(f.profile, 0, &nr);
	assert_int_equal(nr, 2);
	assert_string_equal(profile_frame__sym(&list[0]->at), "known_one");
	assert_int_equal(list[0]->count, 3);
	assert_string_equal(profile_frame__sym(&list[1]->at), "known_two");
	assert_int_equal(list[1]->count, 30);
	assert_string_equal(list[1]->comm, "test");
	assert_int_equal(profile__total(f.profile, 0), 33);
	free(list);
	profile__clear(f.profile);
	assert_int_equal(profile__total(f.profile, 0), 0);
	assert_int_equal(profile__nr(f.profile), 0);
	drop(&f);
}

/* "leaf<caller<..." of the stack of entry @e. */
static const char *stack_text(struct fixture *f, const struct profile_entry *e)
{
	static char text[256];
	struct profile_frame frame;
	size_t n = 0;

	text[0] = 0;
	for (u32 node = e->stack; node;) {
		node = profile__stack_next(f->profile, node, &frame);
		n += snprintf(text + n, sizeof(text) - n, "%s%s", n ? "<" : "",
			      profile_frame__sym(&frame));
	}
	return text;
}

/* What a stack shares with the one before it is not looked up again, and is the same all the same.
 */
static void stacks_after_each_other(void **state)
{
	const u64 one = known[0], two = known[1] + 2, three = known[2] + 2, no_code = 0x10;
	struct fixture f = make(SAMPLE_KEY_STACK | SAMPLE_KEY_SYM);
	const struct {
		u64 frames[5];
		u32 nr;
		u32 image, round;
		const char *text;
	} step[] = {
		{{one, two, three}, 3, 0, 0, "known_one<known_two<known_three"},
		{{one, two, three}, 3, 0, 0, "known_one<known_two<known_three"},
		/* the innermost address is looked up as it is, a caller's one before */
		{{known[1], three}, 2, 0, 0, "known_two<known_three"},
		{{two, three, two, three}, 4, 0, 0, "known_two<known_three<known_two<known_three"},
		{{three}, 1, 0, 0, "known_three"},
		{{one, known[1], three}, 3, 0, 0, NULL}, /* whatever lies before known_two */
		{{known[1], three}, 2, 0, 0, "known_two<known_three"},
		{{two, three}, 2, 0, 0, "known_two<known_three"},
		/* cut behind what is no code: nothing is shared over the cut */
		{{one, no_code, three}, 3, 0, 0, "known_one<[unknown]"},
		{{one, two, no_code, three}, 4, 0, 0, "known_one<known_two<[unknown]"},
		{{one, two, three}, 3, 0, 0, "known_one<known_two<known_three"},
		{{one, no_code, two, three}, 4, 0, 0, "known_one<[unknown]"},
		{{one, two, three}, 3, 1, 0, "known_one<known_two<known_three"},
		{{one, two, three}, 3, 1, 1, "known_one<known_two<known_three"},
		{{}, 0, 1, 0, "known_one"}, /* no stack was walked: the address alone */
		{{two, three, three}, 3, 1, 0, "known_two<known_three<known_three"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(step) / sizeof(step[0]); i++) {
		struct sample_agg a = at(step[i].nr ? step[i].frames[0] : one, 1);
		const struct profile_entry **list;
		bool found = !step[i].text;
		u32 nr;

		a.frames = step[i].frames;
		a.nr_user = step[i].nr;
		a.image = step[i].image;
		if (step[i].round)
			profile__round(f.profile);
		assert_int_equal(profile__add(f.profile, &a), 0);
		list = profile__sorted(f.profile, 0, &nr);
		for (u32 k = 0; k < nr; k++)
			found = found || !strcmp(stack_text(&f, list[k]), step[i].text);
		free(list);
		if (!found)
			fail_msg("step %zu: no stack %s", i, step[i].text);
	}
	assert_int_equal(profile__nr(f.profile), 9);
	drop(&f);
}

static void a_stack_ends_where_no_code_is(void **state)
{
	struct fixture f = make(SAMPLE_KEY_STACK | SAMPLE_KEY_SYM);
	u64 frames[] = {known[0], known[1] + 2, 0x10, known[2] + 2};
	struct sample_agg a = at(known[0], 1);
	const struct profile_entry **list;
	struct profile_frame frame;
	u32 nr, node;

	(void)state;
	a.frames = frames;
	a.nr_user = 4;
	assert_int_equal(profile__add(f.profile, &a), 0);
	list = profile__sorted(f.profile, 0, &nr);
	assert_int_equal(nr, 1);
	node = profile__stack_next(f.profile, list[0]->stack, &frame);
	assert_string_equal(profile_frame__sym(&frame), "known_one");
	node = profile__stack_next(f.profile, node, &frame);
	assert_string_equal(profile_frame__sym(&frame), "known_two");
	node = profile__stack_next(f.profile, node, &frame);
	assert_string_equal(profile_frame__sym(&frame), "[unknown]");
	assert_int_equal(node, 0);
	free(list);
	drop(&f);
}

/* 3^12 distinct stacks, most seen once: folded, every sample still counted, the hot one whole. */
static void rare_stacks_are_folded(void **state)
{
	struct fixture f = make(SAMPLE_KEY_STACK | SAMPLE_KEY_SYM);
	const struct profile_entry **list;
	struct profile_frame frame;
	u64 frames[12], sum = 0, want = 0;
	u32 nr, node, depth;

	(void)state;
	for (u32 n = 0; n < 531441; n++) {
		u64 count = n == 7 ? 100000 : 1;
		struct sample_agg a = at(known[0], count);

		for (u32 i = 0, v = n; i < 12; i++, v /= 3)
			frames[i] = known[v % 3] + (i ? 2 : 0);
		a.ip = frames[0];
		a.frames = frames;
		a.nr_user = 12;
		assert_int_equal(profile__add(f.profile, &a), 0);
		want += count;
	}
	assert_true(profile__nr(f.profile) <= 1 << 16);
	assert_true(profile__folded(f.profile) > 100000 && profile__folded(f.profile) < want);
	list = profile__sorted(f.profile, 0, &nr);
	for (u32 i = 0; i < nr; i++)
		sum += list[i]->count;
	assert_int_equal(sum, want);
	assert_int_equal(list[nr - 1]->count, 100000);
	assert_int_equal(profile__stack_depth(f.profile, list[nr - 1]->stack), 12);
	for (depth = 0, node = list[0]->stack; node; depth++)
		node = profile__stack_next(f.profile, node, &frame);
	assert_true(depth < 12 ? !strcmp(profile_frame__sym(&frame), "[cold callers]")
			       : depth == 12);
	free(list);
	drop(&f);
}

static void text_is_as_written(void **state)
{
	static const char *const events[] = {"cpu-clock"};
	struct fixture f = make(SAMPLE_KEY_SYM | SAMPLE_KEY_COMM | SAMPLE_KEY_CPU);
	struct loss_ledger ledger;
	struct sample_agg a = at(known[0], 1), b = at(known[1], 3);
	struct profile_report r = {
		.profile = f.profile, .ledger = &ledger, .events = events, .nr_events = 1};
	struct outbuf ob;

	(void)state;
	b.cpu = 12;
	b.comm = "a\033b";
	loss_ledger__init(&ledger, 2);
	loss_ledger__arrived(&ledger, 0, 4);
	loss_ledger__dropped(&ledger, 1, LOSS_MAP_FULL, 2);
	profile__add(f.profile, &a);
	profile__add(f.profile, &b);
	outbuf__init(&ob, -1, 0);
	profile_text.print(&ob, &r);
	outbuf__putc(&ob, 0);
	assert_string_equal(ob.buf, "SYMBOL    COMM   CPU COUNT       %\n"
				    "known_one test     0     1   25.00%\n"
				    "known_two a\\x1bb  12     3   75.00%\n"
				    "# 6 samples emitted, 4 arrived, 2 dropped (map_full 2)\n"
				    "# CPU 1: 2 emitted, 0 arrived, 2 dropped (map_full 2)\n");
	outbuf__exit(&ob);
	loss_ledger__exit(&ledger);
	drop(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(interning_is_by_content),
		cmocka_unit_test(tree_shares_prefixes),
		cmocka_unit_test(equal_keys_are_one_row),
		cmocka_unit_test(stacks_after_each_other),
		cmocka_unit_test(a_stack_ends_where_no_code_is),
		cmocka_unit_test(rare_stacks_are_folded),
		cmocka_unit_test(text_is_as_written),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
