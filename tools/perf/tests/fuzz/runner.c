// SPDX-License-Identifier: GPL-2.0-only
/*
 * A deterministic driver for the libFuzzer harnesses beside it, for where libFuzzer is not: it
 * mutates the files of a corpus, the same way for the same seed, and runs the harness on each in
 * this process.
 *
 *	fuzz-NAME COUNT [SEED] FILE...	COUNT mutants of the files
 *	fuzz-NAME 0 FILE...		the files as they are
 *
 * A mutant that takes more than ten seconds of CPU time is a failure. With the environment's
 *FUZZ_KEEP set to a path, the mutant in work is kept there, to be looked at after a crash.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MAX_SIZE (1 << 20)
#define SECONDS 10

struct file {
	uint8_t *p;
	size_t n;
	const char *name;
};

static uint64_t state;
static uint8_t buf[MAX_SIZE];
static size_t buf_n;

static uint64_t rnd(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state * 0x2545f4914f6cdd1dULL;
}

static size_t below(size_t n)
{
	return n ? (rnd() >> 16) % n : 0;
}

/* Half of all changes go where a file keeps its sizes and offsets: near its start and its end. */
static size_t place(void)
{
	switch (below(4)) {
	case 0:
		return below(buf_n < 512 ? buf_n : 512);
	case 1:
		return buf_n - 1 - below(buf_n < 4096 ? buf_n : 4096);
	default:
		return below(buf_n);
	}
}

static void put_number(void)
{
	static const uint64_t odd[] = {0,	   1,	       7,	   8,	       0x7f,
				       0xff,	   0x7fff,     0xffff,	   0x10000,    0x7fffffff,
				       0xffffffff, 1ULL << 32, 1ULL << 40, 1ULL << 63, ~0ULL};
	uint64_t v = below(3) ? odd[below(sizeof(odd) / sizeof(*odd))] : buf_n + below(64) - 32;
	size_t width = 1U << below(4), at = place();

	if (below(2))
		at &= ~7UL; /* a field, more often than not */
	if (at + width <= buf_n)
		memcpy(buf + at, &v, width);
}

static void mutate(const struct file *other)
{
	size_t at = place(), n = 1 + below(below(4) ? 64 : 4096);

	switch (below(10)) {
	case 0:
		buf[at] ^= 1 << below(8);
		break;
	case 1:
		buf[at] = rnd();
		break;
	case 2:
	case 3:
	case 4:
		put_number();
		break;
	case 5: /* a part of zeros */
		memset(buf + at, 0, n < buf_n - at ? n : buf_n - at);
		break;
	case 6: /* cut */
		if (!below(4))
			buf_n = 1 + below(buf_n);
		break;
	case 7: /* a part goes */
		n = n < buf_n - at ? n : buf_n - at;
		if (n < buf_n) {
			memmove(buf + at, buf + at + n, buf_n - at - n);
			buf_n -= n;
		}
		break;
	case 8: /* a part twice */
		n = n < buf_n - at ? n : buf_n - at;
		if (buf_n + n <= MAX_SIZE) {
			memmove(buf + at + n, buf + at, buf_n - at);
			buf_n += n;
		}
		break;
	default: { /* a part of another file */
		size_t from = below(other->n);

		n = n < other->n - from ? n : other->n - from;
		n = n < buf_n - at ? n : buf_n - at;
		memcpy(buf + at, other->p + from, n);
	}
	}
}

static void too_long(int sig)
{
	static const char msg[] = "a mutant took too long\n";

	(void)sig;
	if (write(STDERR_FILENO, msg, sizeof(msg) - 1) < 0)
		_exit(98);
	abort();
}

static void run(void)
{
	static const struct itimerval limit = {.it_value.tv_sec = SECONDS};
	const char *keep = getenv("FUZZ_KEEP");

	if (keep) {
		int fd = open(keep, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

		if (fd < 0 || write(fd, buf, buf_n) != (ssize_t)buf_n)
			perror(keep);
		close(fd);
	}
	/* Time of its own: the machine may be busy with other things. */
	setitimer(ITIMER_PROF, &limit, NULL);
	alarm(60 * SECONDS);
	LLVMFuzzerTestOneInput(buf, buf_n);
	alarm(0);
}

static struct file *load(char **names, int n, int *nr)
{
	struct file *files = calloc(n + 1, sizeof(*files));
	int out = 0;

	for (int i = 0; i < n && files; i++) {
		int fd = open(names[i], O_RDONLY | O_CLOEXEC);
		struct stat st;

		if (fd < 0 || fstat(fd, &st) || !st.st_size || st.st_size > MAX_SIZE / 2) {
			fprintf(stderr, "left out: %s\n", names[i]);
		} else {
			files[out].p = malloc(st.st_size);
			files[out].n = st.st_size;
			files[out].name = names[i];
			if (files[out].p && read(fd, files[out].p, st.st_size) == st.st_size)
				out++;
		}
		if (fd >= 0)
			close(fd);
	}
	*nr = out;
	return files;
}

int main(int argc, char **argv)
{
	unsigned long count = argc > 2 ? strtoul(argv[1], NULL, 10) : 0;
	int first = 2, nr;
	uint64_t seed = 1;
	struct file *files;
	struct rusage ru;

	if (argc > 3 && strspn(argv[2], "0123456789") == strlen(argv[2])) {
		seed = strtoull(argv[2], NULL, 10);
		first = 3;
	}
	files = load(argv + first, argc > first ? argc - first : 0, &nr);
	if (!nr) {
		fprintf(stderr, "usage: %s COUNT [SEED] FILE...\n", argv[0]);
		return 2;
	}
	signal(SIGALRM, too_long);
	signal(SIGPROF, too_long);
	for (unsigned long i = 0; i < (count ? count : (unsigned long)nr); i++) {
		const struct file *f = &files[i % nr];

		state = (seed << 32) + i * 0x9e3779b97f4a7c15ULL + 1;
		memcpy(buf, f->p, f->n);
		buf_n = f->n;
		for (int k = 0, times = count ? 1 + below(6) : 0; k < times; k++)
			mutate(&files[below(nr)]);
		run();
	}
	getrusage(RUSAGE_SELF, &ru);
	printf("%lu files run, at most %ld MB of memory\n", count ? count : (unsigned long)nr,
	       ru.ru_maxrss / 1024);
	for (int i = 0; i < nr; i++)
		free(files[i].p);
	free(files);
	return 0;
}
