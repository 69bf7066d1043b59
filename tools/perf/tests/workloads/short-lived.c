// SPDX-License-Identifier: GPL-2.0-only
/* short-lived [MS]: spends MS (5) ms of CPU time in short_lived_work() and is gone. */
#include <stdlib.h>
#include <time.h>

static double cpu_time(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
	return ts.tv_sec * 1e3 + ts.tv_nsec / 1e6;
}

__attribute__((noinline)) unsigned long short_lived_work(unsigned long x)
{
	for (int i = 0; i < 200000; i++)
		__asm__ volatile("imul $3, %0, %0" : "+r"(x));
	return x;
}

int main(int argc, char **argv)
{
	double ms = argc > 1 ? atof(argv[1]) : 5;
	unsigned long x = 1;

	while (cpu_time() < ms)
		x = short_lived_work(x);
	return x == 42;
}
