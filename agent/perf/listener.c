/* SPDX-License-Identifier: Apache-2.0 */
/* listener.c - see listener.h. */
#define _GNU_SOURCE
#include "perf/listener.h"

#include <errno.h>
#include <stdatomic.h>

bool listener_begin(struct listener *l)
{
	struct sigaction action = { .sa_sigaction = l->handler,
				    .sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK },
			 there;

	/* not again on top of a handler that calls it: they would call each other for ever */
	if (atomic_exchange_explicit(&l->listening, true, memory_order_acq_rel)) {
		errno = EBUSY;
		return listener_installed(l);
	}
	sigemptyset(&action.sa_mask);
	/* known before the handler is there, which passes signals on to it */
	if (sigaction(l->number, NULL, &l->previous) != 0 ||
	    sigaction(l->number, &action, &there) != 0)
		return false;
	if (there.sa_sigaction != l->previous.sa_sigaction) /* changed meanwhile */
		l->previous = there;
	return true;
}

void listener_end(struct listener *l)
{
	struct sigaction there;

	if (!atomic_load_explicit(&l->listening, memory_order_acquire) || !listener_installed(l))
		return;
	if (sigaction(l->number, &l->previous, &there) != 0)
		return;
	if (there.sa_sigaction == l->handler) {
		atomic_store_explicit(&l->listening, false, memory_order_release);
		return;
	}
	/* another part of the program was faster, and calls the handler below its own */
	sigaction(l->number, &there, NULL);
}

bool listener_installed(const struct listener *l)
{
	struct sigaction now;

	return sigaction(l->number, NULL, &now) == 0 && now.sa_sigaction == l->handler;
}

bool listener_pass_on(const struct listener *l, siginfo_t *info, void *context)
{
	__sighandler_t handler = l->previous.sa_handler; /* the same word as sa_sigaction */
	sigset_t mask;

	if (handler == SIG_DFL || handler == SIG_IGN) /* a program may set these with SA_SIGINFO */
		return false;
	pthread_sigmask(SIG_BLOCK, &l->previous.sa_mask, &mask); /* as the kernel does */
	if (l->previous.sa_flags & SA_SIGINFO)
		l->previous.sa_sigaction(l->number, info, context);
	else
		handler(l->number);
	pthread_sigmask(SIG_SETMASK, &mask, NULL);
	return true;
}
