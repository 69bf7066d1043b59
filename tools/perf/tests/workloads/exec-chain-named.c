// SPDX-License-Identifier: GPL-2.0-only
/* exec-chain-named N: the same pid runs image after image (exec of itself), each with 5 ms in
 * chain_work(), N times; exits with 7. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

__attribute__((noinline)) unsigned long chain_work(unsigned long x)
{
	for (int i = 0; i < 200000; i++)
		__asm__ volatile("imul $3, %0, %0" : "+r"(x));
	return x;
}

int main(int argc, char **argv)
{
	int left = argc > 1 ? atoi(argv[1]) : 10;
	struct timespec a, b;
	unsigned long x = 1;
	char num[16];

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &a);
	do {
		x = chain_work(x);
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &b);
	} while ((b.tv_sec - a.tv_sec) * 1e3 + (b.tv_nsec - a.tv_nsec) / 1e6 < 5);
	if (left <= 1)
		return 7;
	snprintf(num, sizeof(num), "%d", left - 1);
	execl("/proc/self/exe", argv[0], num, NULL);
	return x == 42;
}
