// SPDX-License-Identifier: GPL-2.0-only
/* touch-pages N: writes to N fresh pages, one page fault each. */
#include <stdlib.h>
#include <sys/mman.h>

int main(int argc, char **argv)
{
	size_t n = argc > 1 ? strtoul(argv[1], NULL, 0) : 1000;
	char *p = mmap(NULL, n * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED || madvise(p, n * 4096, MADV_NOHUGEPAGE))
		return 1;
	for (size_t i = 0; i < n; i++)
		p[i * 4096] = 1;
	return 0;
}
