// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "session/spool.h"

int spool__init(struct spool *s, size_t size)
{
	int fd = memfd_create("perf-spool", MFD_CLOEXEC), err;
	char *p;

	*s = (struct spool){.size = size};
	if (fd < 0)
		return -errno;
	if (ftruncate(fd, size)) {
		err = -errno;
		goto out;
	}
	p = mmap(NULL, 2 * size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (p == MAP_FAILED) {
		err = -errno;
		goto out;
	}
	s->base = p;
	err = 0;
	for (int i = 0; i < 2 && !err; i++)
		if (mmap(p + i * size, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd,
			 0) == MAP_FAILED)
			err = -errno;
	if (err)
		spool__exit(s);
out:
	close(fd);
	return err;
}

void spool__exit(struct spool *s)
{
	if (s->base)
		munmap(s->base, 2 * s->size);
	s->base = NULL;
}

size_t spool__room(const struct spool *s)
{
	u64 tail = __atomic_load_n(&s->tail, __ATOMIC_ACQUIRE);
	size_t left = s->size - (s->head - tail);

	return left > sizeof(struct spool_entry) ? left - sizeof(struct spool_entry) : 0;
}

struct spool_entry *spool__begin(struct spool *s)
{
	return (void *)(s->base + (s->head & (s->size - 1)));
}

void spool__push(struct spool *s, const struct spool_entry *e)
{
	__atomic_store_n(&s->head, s->head + sizeof(*e) + e->len, __ATOMIC_RELEASE);
}

u64 spool__head(const struct spool *s)
{
	return __atomic_load_n(&s->head, __ATOMIC_ACQUIRE);
}

struct spool_entry *spool__peek(struct spool *s)
{
	u64 head = __atomic_load_n(&s->head, __ATOMIC_ACQUIRE);

	return head == s->tail ? NULL : (void *)(s->base + (s->tail & (s->size - 1)));
}

void spool__pop(struct spool *s, const struct spool_entry *e)
{
	__atomic_store_n(&s->tail, s->tail + sizeof(*e) + e->len, __ATOMIC_RELEASE);
}
