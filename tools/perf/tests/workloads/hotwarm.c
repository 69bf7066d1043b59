// SPDX-License-Identifier: GPL-2.0-only
/*
 * hotwarm SECONDS [THREADS]: each thread spends 3/4 of its time in hot() and 1/4 in warm(), in
 * turns far shorter than a sampling period, until SECONDS have gone by.
 */
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

static volatile unsigned long sink;
static double limit;

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec + ts.tv_nsec / 1e9;
}

/* The same loop in both: time goes with the count. */
#define SPIN(n)                                                        \
	do {                                                           \
		unsigned long x = (n);                                 \
		for (unsigned long i = 0; i < (n); i++)                \
			__asm__ volatile("imul $3, %0, %0" : "+r"(x)); \
		sink = x;                                              \
	} while (0)

__attribute__((noinline)) void hot(unsigned long n)
{
	SPIN(3 * n);
}

__attribute__((noinline)) void warm(unsigned long n)
{
	SPIN(n);
}

static void *run(void *unused)
{
	double end = now() + limit;

	while (now() < end)
		for (int i = 0; i < 100; i++) {
			hot(1000);
			warm(1000);
		}
	return unused;
}

int main(int argc, char **argv)
{
	int threads = argc > 2 ? atoi(argv[2]) : 1;
	pthread_t id[64];

	limit = argc > 1 ? atof(argv[1]) : 1;
	if (threads < 1 || threads > 64)
		return 2;
	for (int i = 1; i < threads; i++)
		if (pthread_create(&id[i], NULL, run, NULL))
			return 1;
	run(NULL);
	for (int i = 1; i < threads; i++)
		pthread_join(id[i], NULL);
	return 0;
}
