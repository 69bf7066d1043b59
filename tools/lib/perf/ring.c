// SPDX-License-Identifier: GPL-2.0-only
/*
 * Ring buffers: one a CPU (or a thread), shared by the events there. The protocol is the one of
 * linux/perf_event.h: data_head is read with acquire, data_tail written with release.
 */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "lib/perf/internal.h"

static u64 ring__head(const struct ring *r)
{
	return __atomic_load_n(&r->base->data_head, __ATOMIC_ACQUIRE);
}

void evlist__munmap(struct evlist *l)
{
	for (int i = 0; i < l->nr_rings; i++)
		if (l->ring[i].base)
			munmap(l->ring[i].base, l->ring[i].mapped);
	free(l->ring);
	free(l->pollfd);
	l->ring = NULL;
	l->pollfd = NULL;
	l->nr_rings = 0;
}

static int ring__map(struct ring *r, int fd, unsigned int pages, bool overwrite)
{
	size_t page = sysconf(_SC_PAGESIZE), size = (size_t)(pages + 1) * page;
	void *p =
		mmap(NULL, size, overwrite ? PROT_READ : PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	if (p == MAP_FAILED)
		return -errno;
	r->base = p;
	r->mapped = size;
	r->data = (char *)p + page;
	r->mask = (u64)pages * page - 1;
	r->tail = 0;
	r->fd = fd;
	r->overwrite = overwrite;
	return 0;
}

static struct ring *find_ring(struct evlist *l, int cpu, int thread_idx, bool overwrite)
{
	for (int i = 0; i < l->nr_rings; i++) {
		struct ring *r = &l->ring[i];

		/* By CPU all threads share one; without a CPU each thread has its own. */
		if (r->cpu == cpu && r->overwrite == overwrite &&
		    (cpu >= 0 || r->thread_idx == thread_idx))
			return r;
	}
	return NULL;
}

/* Maps or redirects every event; on -EPERM nothing stays mapped. */
static int map_all(struct evlist *l, unsigned int pages, bool overwrite)
{
	int nr = l->cpus->nr * l->threads->nr;

	l->ring = calloc(nr * 2, sizeof(*l->ring));
	if (!l->ring)
		return -ENOMEM;
	for (int c = 0; c < l->cpus->nr; c++) {
		for (int t = 0; t < l->threads->nr; t++) {
			for (int i = 0; i < l->nr; i++) {
				struct evsel *e = l->e[i];
				int fd = *evsel__fdp(l, e, c, t), cpu = l->cpus->cpu[c], err;
				bool ow = overwrite && e->attr.write_backward;
				struct ring *r;

				if (fd < 0)
					continue;
				r = find_ring(l, cpu, t, ow);
				if (r) {
					if (ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, r->fd))
						return -errno;
					continue;
				}
				r = &l->ring[l->nr_rings];
				r->cpu = cpu;
				r->thread_idx = t;
				err = ring__map(r, fd, pages, ow);
				if (err)
					return err;
				l->nr_rings++;
			}
		}
	}
	return 0;
}

int evlist__mmap(struct evlist *l, unsigned int pages, bool overwrite, struct errbuf *eb)
{
	unsigned int want = pages;
	int err;

	if (!l->opened)
		return errbuf__set(eb, -EBADF, "the events are not open");
	l->overwrite = overwrite;
	if (!pages || (pages & (pages - 1)))
		return errbuf__set(eb, -EINVAL, "a ring has a power of two of pages, not %u",
				   pages);
	while ((err = map_all(l, pages, overwrite)) == -EPERM && pages > 1) {
		/* Over perf_event_mlock_kb and RLIMIT_MEMLOCK: what is allowed will do. */
		evlist__munmap(l);
		pages /= 2;
	}
	if (err) {
		evlist__munmap(l);
		if (err == -EPERM)
			return errbuf__set(eb, err,
					   "cannot map ring buffers: not even one page is "
					   "within kernel.perf_event_mlock_kb and ulimit -l; raise "
					   "either, or run with CAP_IPC_LOCK");
		return errbuf__set(eb, err, "cannot map a ring buffer of %u pages: %s", pages,
				   strerror(-err));
	}
	if (pages != want && l->opts.note) {
		struct errbuf line;

		errbuf__set(&line, 0,
			    "ring buffers of %u pages a CPU instead of %u "
			    "(kernel.perf_event_mlock_kb, ulimit -l)",
			    pages, want);
		l->opts.note(l->opts.ctx, line.msg);
	}
	l->pollfd = calloc(l->nr_rings + 1, sizeof(*l->pollfd));
	if (!l->pollfd) {
		evlist__munmap(l);
		return errbuf__set(eb, -ENOMEM, "out of memory for %d rings", l->nr_rings);
	}
	for (int i = 0; i < l->nr_rings; i++)
		l->pollfd[i] = (struct pollfd){.fd = l->ring[i].fd, .events = POLLIN};
	return 0;
}

int evlist__nr_rings(const struct evlist *l)
{
	return l->nr_rings;
}

int evlist__ring_cpu(const struct evlist *l, int ring)
{
	return l->ring[ring].cpu;
}

bool evlist__ring_overwrite(const struct evlist *l, int ring)
{
	return l->ring[ring].overwrite;
}

size_t evlist__ring_size(const struct evlist *l, int ring)
{
	return l->ring[ring].mask + 1;
}

bool evlist__all_ended(const struct evlist *l)
{
	for (int i = 0; i < l->nr_rings; i++)
		if (l->pollfd[i].fd >= 0)
			return false;
	return l->nr_rings > 0;
}

static bool has_hung_up(int fd)
{
	struct pollfd p = {.fd = fd};

	return poll(&p, 1, 0) > 0 && p.revents & (POLLHUP | POLLERR | POLLNVAL);
}

/*
 * Another event that feeds the ring and whose tasks live; -1: none. A ring is polled through one of
 * its events, but serves all threads of its CPU, and goes on when the first of them has ended. An
 * event that has hung up stays so, each is asked once.
 */
static int live_fd(struct evlist *l, struct ring *r)
{
	for (; r->asked < l->nr * l->cpus->nr * l->threads->nr; r->asked++) {
		struct evsel *e = l->e[r->asked % l->nr];
		int at = r->asked / l->nr, t = at / l->cpus->nr, c = at % l->cpus->nr;
		int fd = *evsel__fdp(l, e, c, t);

		if (fd < 0 || l->cpus->cpu[c] != r->cpu || (r->cpu < 0 && t != r->thread_idx))
			continue;
		if (r->overwrite != (l->overwrite && e->attr.write_backward) || has_hung_up(fd))
			continue;
		return fd;
	}
	return -1;
}

int evlist__poll(struct evlist *l, int extra_fd, int timeout_ms)
{
	int n;

	l->pollfd[l->nr_rings] = (struct pollfd){.fd = extra_fd, .events = POLLIN};
	n = poll(l->pollfd, l->nr_rings + 1, timeout_ms);
	if (n < 0)
		return -errno;
	/* An event whose tasks or CPU are gone says so for ever: the next one takes its place. */
	for (int i = 0; n && i < l->nr_rings; i++)
		if (l->pollfd[i].revents & (POLLHUP | POLLERR | POLLNVAL))
			l->pollfd[i].fd = live_fd(l, &l->ring[i]);
	return n;
}

static const void *unwrap(struct evlist *l, const struct ring *r, u64 at, size_t size)
{
	size_t first = r->mask + 1 - (at & r->mask);

	if (size > l->wrap_cap) {
		char *p = realloc(l->wrap, size);

		if (!p)
			return NULL;
		l->wrap = p;
		l->wrap_cap = size;
	}
	memcpy(l->wrap, r->data + (at & r->mask), first);
	memcpy(l->wrap + first, r->data, size - first);
	return l->wrap;
}

/* Records from @at to @end; *done says how far the callbacks got. */
static int ring__walk(struct evlist *l, int ring, u64 at, u64 end, u64 *done, ring_cb cb, void *ctx)
{
	struct ring *r = &l->ring[ring];
	int n = 0, err;

	for (; at != end; n++) {
		const struct perf_event_header *h = (void *)(r->data + (at & r->mask));
		size_t size = h->size;

		*done = at;
		if (size < sizeof(*h) || size % 8 || size > end - at)
			return -EBADMSG; /* not in a ring that the kernel writes */
		if ((at & r->mask) + size > r->mask + 1) {
			h = unwrap(l, r, at, size);
			if (!h)
				return -ENOMEM;
		}
		err = cb(ctx, ring, h);
		at += size;
		*done = at;
		if (err < 0)
			return err;
	}
	*done = at;
	return n;
}

/*
 * An overwritable ring is written downwards: data_head is where the newest record starts, and
 * older ones follow upwards until the ring has been gone round once. It must be paused by the
 * caller (evlist__pause()). Returns the end of what is whole.
 */
static u64 overwrite_end(const struct ring *r, u64 head)
{
	u64 at = head, size = r->mask + 1;

	while (at - head < size) {
		const struct perf_event_header *h = (void *)(r->data + (at & r->mask));

		/* Size 0: never written. A record that would pass the start is half overwritten. */
		if (!h->size || at - head + h->size > size)
			break;
		at += h->size;
	}
	return at;
}

int evlist__drain(struct evlist *l, int ring, ring_cb cb, void *ctx)
{
	struct ring *r = &l->ring[ring];
	u64 head = ring__head(r), done = r->tail;
	int n;

	if (r->overwrite)
		return ring__walk(l, ring, head, overwrite_end(r, head), &done, cb, ctx);
	if (head == r->tail)
		return 0;
	n = ring__walk(l, ring, r->tail, head, &done, cb, ctx);
	evlist__consume(l, ring, done - r->tail);
	return n;
}

u64 evlist__peek(struct evlist *l, int ring, const void **p1, size_t *n1, const void **p2,
		 size_t *n2)
{
	struct ring *r = &l->ring[ring];
	u64 head = ring__head(r), from = r->tail, n = head - from;

	if (r->overwrite) {
		from = head;
		n = overwrite_end(r, head) - head;
	}
	*p1 = r->data + (from & r->mask);
	*p2 = r->data;
	*n1 = n;
	*n2 = 0;
	if ((from & r->mask) + n > r->mask + 1) {
		*n1 = r->mask + 1 - (from & r->mask);
		*n2 = n - *n1;
	}
	return n;
}

void evlist__consume(struct evlist *l, int ring, u64 bytes)
{
	struct ring *r = &l->ring[ring];

	if (r->overwrite || !bytes)
		return;
	r->tail += bytes;
	__atomic_store_n(&r->base->data_tail, r->tail, __ATOMIC_RELEASE);
}

int evlist__pause(struct evlist *l, bool pause)
{
	for (int i = 0; i < l->nr_rings; i++)
		if (l->ring[i].overwrite && l->ring[i].fd >= 0 &&
		    ioctl(l->ring[i].fd, PERF_EVENT_IOC_PAUSE_OUTPUT, pause))
			return -errno;
	return 0;
}
