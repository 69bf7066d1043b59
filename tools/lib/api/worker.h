/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PERF_LIB_API_WORKER_H
#define PERF_LIB_API_WORKER_H

#include <pthread.h>

/*
 * worker__start - a thread that takes no signals: they are the main thread's, which has the
 * handlers and descriptors for them; one that reached another thread could be lost. To be joined
 * by the caller. 0 or -errno.
 */
int worker__start(pthread_t *thread, void *(*run)(void *arg), void *arg);

#endif
