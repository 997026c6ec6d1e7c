/* SPDX-License-Identifier: Apache-2.0 */
/*
 * listener.h - a handler of a signal that is put in front of an existing one, and taken away again.
 */
#ifndef OJX_AGENT_LISTENER_H
#define OJX_AGENT_LISTENER_H

#include <signal.h>
#include <stdbool.h>

/*
 * To set up: the first two fields. A handler may run at any time, also between sessions, so a
 * listener has to outlive them.
 */
struct listener {
	int number;
	void (*handler)(int sig, siginfo_t *info, void *context);
	struct sigaction previous;
	_Atomic bool listening; /* the handler is installed, perhaps below others */
};

/*
 * Installs the handler in front of an existing one. A second call does nothing. False with errno on
 * failure; EBUSY if an earlier session left it below another one.
 */
bool listener_begin(struct listener *l);

/*
 * Installs the previous handler again. If another part of the program has put its handler in front,
 * this one stays.
 */
void listener_end(struct listener *l);

/* [handler] Whether the signal's handler is still this one. */
bool listener_installed(const struct listener *l);

/*
 * [handler] Passes a signal to the previous handler, while the signals are blocked that this one
 * wants blocked. False if there is none.
 */
bool listener_pass_on(const struct listener *l, siginfo_t *info, void *context);

#endif
