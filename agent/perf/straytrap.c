/* SPDX-License-Identifier: Apache-2.0 */
/* straytrap.c - see straytrap.h. */
#define _GNU_SOURCE
#include "perf/straytrap.h"

#include <errno.h>
#include <signal.h>

#include "core/link.h"
#include "core/session.h"
#include "perf/breakpoint.h"
#include "perf/listener.h"

static void handler(int sig, siginfo_t *info, void *context);

OUTLIVES_SESSION static struct listener trap = { .number = SIGTRAP, .handler = handler };
static _Atomic uint32_t dropped;

/*
 * [handler] Ends the process, as the default action would have: the signal is blocked until the
 * handler returns. An instruction's SIGTRAP cannot be ignored.
 */
static void act_by_default(const siginfo_t *info)
{
	const struct sigaction by_default = { .sa_handler = SIG_DFL };

	if (trap.previous.sa_handler == SIG_IGN && info->si_code <= 0)
		return;
	sigaction(SIGTRAP, &by_default, NULL);
	raise(SIGTRAP);
}

/* [handler] */
static void handler(int sig, siginfo_t *info, void *context)
{
	int saved = errno;
	bool cause_unknown = info->si_code == TRAP_BRKPT || info->si_code == TRAP_HWBKPT;

	(void)sig;
	if (cause_unknown && breakpoint_count() > 0)
		atomic_fetch_add_explicit(&dropped, 1, memory_order_relaxed);
	else if (!listener_pass_on(&trap, info, context))
		act_by_default(info);
	errno = saved;
}

void straytrap_begin(void)
{
	listener_begin(&trap);
}

void straytrap_end(void)
{
	listener_end(&trap);
}

void straytrap_tell(void)
{
	uint32_t n = atomic_load_explicit(&dropped, memory_order_relaxed);

	if (n > 0 && ojx.config.flags & WIRE_VERBOSE)
		link_note("%u trap%s of watches had no cause that the kernel knew", n,
			  n == 1 ? "" : "s");
}
