// SPDX-License-Identifier: GPL-2.0-only
/*
 * frame-pointers MODE SECONDS: spends SECONDS of CPU time in spin() below outer() and main(), with
 * a frame pointer that, by MODE, is
 *   good:   what it should be
 *   zero:   0
 *   heap:   the address of a forged chain in memory that is not the stack
 *   loop:   the address of a frame on the stack that names itself as its caller's
 *   signal: good, in the handler of a signal that has a stack of its own
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double limit;

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
	return ts.tv_sec + ts.tv_nsec / 1e9;
}

/* A turn of a few milliseconds, with the frame pointer as given. */
#ifdef __x86_64__
__asm__(".text\n.globl spin\n.type spin, @function\n"
	"spin:\n\tpush %rbp\n\ttest %rdi, %rdi\n\tjs 1f\n\tmov %rdi, %rbp\n\tjmp 2f\n"
	"1:\tmov %rsp, %rbp\n2:\tmov $5000000, %rcx\n3:\tdec %rcx\n\tjnz 3b\n\tpop %rbp\n\tret\n"
	".size spin, .-spin\n");
#else
__attribute__((noinline)) void spin(long frame)
{
	(void)frame;
	for (volatile int i = 0; i < 5000000; i++)
		;
}
#endif
void spin(long frame);

__attribute__((noinline)) void outer(long frame)
{
	double end = now() + limit;

	while (now() < end)
		spin(frame);
	__asm__ volatile("");
}

static void on_signal(int sig)
{
	(void)sig;
	outer(-1);
	__asm__ volatile("");
}

__attribute__((noinline)) void raise_it(void)
{
	raise(SIGUSR1);
	__asm__ volatile("");
}

int main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "good";
	long chain[4] = {(long)&chain[0], (long)main + 8, 0, 0};
	long *forged = malloc(64);

	limit = argc > 2 ? atof(argv[2]) : 1;
	forged[0] = (long)&forged[2];
	forged[1] = (long)raise_it + 8;
	forged[2] = 0;
	forged[3] = (long)raise_it + 8;
	if (!strcmp(mode, "signal")) {
		stack_t st = {.ss_sp = malloc(1 << 16), .ss_size = 1 << 16};
		struct sigaction sa = {.sa_handler = on_signal, .sa_flags = SA_ONSTACK};

		sigaltstack(&st, NULL);
		sigaction(SIGUSR1, &sa, NULL);
		raise_it();
		return 0;
	}
	outer(!strcmp(mode, "zero")   ? 0
	      : !strcmp(mode, "heap") ? (long)forged
	      : !strcmp(mode, "loop") ? (long)chain
				      : -1);
	return 0;
}
