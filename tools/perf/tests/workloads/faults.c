// SPDX-License-Identifier: GPL-2.0-only
/*
 * faults PAGES: touches so many pages of touched_area, each for the first time and once, and is
 * gone at once.
 */
#include <stdlib.h>

#define MAX_PAGES 320
#define PAGE 4096

/* Not of zeros: these would be memory without a file, and so without a name. */
char touched_area[MAX_PAGES * PAGE] __attribute__((aligned(PAGE))) = {1};

int main(int argc, char **argv)
{
	int pages = argc > 1 ? atoi(argv[1]) : 64;

	if (pages < 0 || pages > MAX_PAGES)
		return 2;
	for (int i = 0; i < pages; i++)
		touched_area[(size_t)i * PAGE] = 1;
	return 0;
}
