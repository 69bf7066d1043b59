// SPDX-License-Identifier: GPL-2.0-only
/* many-addresses SECONDS: runs through 200,000 instructions one after the other, again and again:
 * that many distinct addresses. */
#include <stdlib.h>
#include <time.h>

__attribute__((noinline)) void many_addresses(void)
{
	__asm__ volatile(".rept 200000\n\tinc %%rax\n\t.endr" ::: "rax");
}

int main(int argc, char **argv)
{
	time_t end = time(NULL) + (argc > 1 ? atoi(argv[1]) : 1);

	while (time(NULL) < end)
		for (int i = 0; i < 100; i++)
			many_addresses();
	return 0;
}
