// SPDX-License-Identifier: GPL-2.0-only
#include <signal.h>

#include "lib/api/worker.h"

int worker__start(pthread_t *thread, void *(*run)(void *arg), void *arg)
{
	sigset_t all, old;
	int err;

	/* A thread begins with its maker's mask: so there is no moment at which it takes one. */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	err = -pthread_create(thread, NULL, run, arg);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return err;
}
