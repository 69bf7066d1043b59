// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "trace/record-queue.h"

struct node {
	struct node *next;
	struct trace_record rec; /* with its blobs behind it */
};

struct record_queue {
	pthread_mutex_t lock;
	pthread_cond_t room;
	struct node *head, **tail;
	size_t bytes, max_bytes;
	bool closed;
	int fd;
};

struct record_queue *record_queue__new(size_t max_bytes)
{
	struct record_queue *q = calloc(1, sizeof(*q));

	if (!q)
		return NULL;
	q->fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (q->fd < 0) {
		free(q);
		return NULL;
	}
	pthread_mutex_init(&q->lock, NULL);
	pthread_cond_init(&q->room, NULL);
	q->tail = &q->head;
	q->max_bytes = max_bytes;
	return q;
}

void record_queue__delete(struct record_queue *q)
{
	if (!q)
		return;
	for (struct node *n = q->head, *next; n; n = next) {
		next = n->next;
		free(n);
	}
	close(q->fd);
	pthread_mutex_destroy(&q->lock);
	pthread_cond_destroy(&q->room);
	free(q);
}

int record_queue__post(struct record_queue *q, const struct trace_record *r)
{
	struct node *n = malloc(offsetof(struct node, rec) + r->size);
	bool first;

	if (!n)
		return -ENOMEM;
	n->next = NULL;
	memcpy(&n->rec, r, r->size);
	pthread_mutex_lock(&q->lock);
	while (q->bytes > q->max_bytes && !q->closed)
		pthread_cond_wait(&q->room, &q->lock);
	if (q->closed) {
		pthread_mutex_unlock(&q->lock);
		free(n);
		return -EPIPE;
	}
	first = !q->head;
	__atomic_store_n(q->tail, n, __ATOMIC_RELEASE);
	q->tail = &n->next;
	q->bytes += r->size;
	pthread_mutex_unlock(&q->lock);
	if (first)
		eventfd_write(q->fd, 1);
	return 0;
}

void record_queue__close(struct record_queue *q)
{
	pthread_mutex_lock(&q->lock);
	q->closed = true;
	pthread_cond_broadcast(&q->room);
	pthread_mutex_unlock(&q->lock);
}

const struct trace_record *record_queue__peek(struct record_queue *q)
{
	/* Only this side takes from the head: no lock, which would cost every record of the rings.
	 */
	struct node *n = __atomic_load_n(&q->head, __ATOMIC_ACQUIRE);

	return n ? &n->rec : NULL;
}

void record_queue__pop(struct record_queue *q)
{
	struct node *n;

	pthread_mutex_lock(&q->lock);
	n = q->head;
	if (n) {
		q->head = n->next;
		if (!q->head)
			q->tail = &q->head;
		q->bytes -= n->rec.size;
		pthread_cond_signal(&q->room);
	}
	pthread_mutex_unlock(&q->lock);
	free(n);
}

int record_queue__fd(const struct record_queue *q)
{
	return q->fd;
}
