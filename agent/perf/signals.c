/* SPDX-License-Identifier: Apache-2.0 */
/*
 * signals.c - see signals.h. A signal of perf names its event's descriptor; one of a POSIX timer
 * carries data. All others go to the previous handler.
 *
 * If the handler read memory that its own thread watches, that would trap, and the signal would
 * come when the handler returns, far from its cause. So handlers read watched memory through the
 * kernel, or disarm the watch first.
 */
#define _GNU_SOURCE
#include "perf/signals.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <ucontext.h>

#include "arch/arch.h"
#include "core/session.h"
#include "core/thread.h"
#include "perf/breakpoint.h"
#include "perf/listener.h"
#include "perf/slot.h"
#include "perf/straytrap.h"

#define DATA_MAGIC 0x6f6a7800u /* upper half of the data of the agent's timers */
/* Bytes: a signal's frame has up to 12 KiB, and a stack walk needs as many. */
#define LEAST_STACK (32u << 10)

static signal_user *user;
static void handler(int sig, siginfo_t *info, void *context);
OUTLIVES_SESSION static struct listener urgent = { .number = SIGNALS_NUMBER, .handler = handler };
static _Atomic int trial = -1;
static struct thread *_Atomic trier;
static _Atomic uint64_t expected_end; /* of the instruction of the trial's traps; 0: any */
static _Atomic uint32_t tried, exact;

/* ---- what it is about ------------------------------------------------------------------ */

uint64_t signals_timer_data(uint32_t event)
{
	return (uint64_t)DATA_MAGIC << 32 | event;
}

/* [handler] */
static struct signal_cause cause_of_timer(const struct thread *t, const siginfo_t *info)
{
	uint64_t data = (uint64_t)(uintptr_t)info->si_value.sival_ptr;
	uint32_t event = (uint32_t)data;

	if (data >> 32 != DATA_MAGIC)
		return (struct signal_cause){ .source = SIGNAL_FOREIGN };
	if (!t || event >= ojx.config.nevents)
		return (struct signal_cause){ .source = SIGNAL_NOBODYS };
	return (struct signal_cause){ .source = SIGNAL_SAMPLE, .event = event };
}

/* [handler] */
static struct signal_cause cause_of_event(struct thread *t, int fd)
{
	if (breakpoint_has(atomic_load_explicit(&trial, memory_order_acquire), fd))
		return (struct signal_cause){ .source = SIGNAL_TRIED };
	for (uint32_t i = 0; t && i < WATCH_SLOTS; i++)
		if (breakpoint_has(atomic_load_explicit(&t->slots[i].event, memory_order_acquire),
				   fd))
			return (struct signal_cause){ .source = SIGNAL_SLOT, .slot = &t->slots[i] };
	for (uint32_t i = 0; t && i < ojx.config.nevents; i++)
		if (breakpoint_has(atomic_load_explicit(&t->sampler[i], memory_order_acquire), fd))
			return (struct signal_cause){ .source = SIGNAL_SAMPLE, .event = i };
	if (t && breakpoint_has(atomic_load_explicit(&t->timer, memory_order_acquire), fd))
		return (struct signal_cause){ .source = SIGNAL_DEADLINE };
	return (struct signal_cause){ .source = SIGNAL_FOREIGN };
}

/* [handler] */
static struct signal_cause cause_of(struct thread *t, const siginfo_t *info)
{
	bool raised = info->si_code == SI_TKILL && t &&
		      t == atomic_load_explicit(&trier, memory_order_acquire) &&
		      atomic_load_explicit(&trial, memory_order_acquire) == SIGNALS_RAISED;

	return info->si_code == SI_TIMER ? cause_of_timer(t, info)
	       : info->si_code == POLL_IN
		       ? cause_of_event(t, info->si_fd)
		       : (struct signal_cause){ .source = raised ? SIGNAL_TRIED : SIGNAL_FOREIGN };
}

/* ---- the handler ----------------------------------------------------------------------- */

/*
 * [handler] Whether there is enough stack. The creator of a thread may have given it a signal stack
 * of some kilobytes (Rust's library does).
 */
static bool has_stack(const ucontext_t *context)
{
	const stack_t *own = &context->uc_stack;
	uintptr_t left = (uintptr_t)__builtin_frame_address(0) - (uintptr_t)own->ss_sp;

	return own->ss_flags & SS_DISABLE || left >= own->ss_size || left >= LEAST_STACK;
}

/* [handler] */
static void count_trial(const ucontext_t *context)
{
	uint64_t end = atomic_load_explicit(&expected_end, memory_order_acquire);

	atomic_fetch_add_explicit(&tried, 1, memory_order_acq_rel);
	if (ARCH_TRAPS_BEFORE && end)
		breakpoint_disarm(atomic_load_explicit(&trial, memory_order_acquire));
	if (end == arch_trap_end(context))
		atomic_fetch_add_explicit(&exact, 1, memory_order_acq_rel);
}

/* [handler] Handles a signal of the agent. False if it is a foreign one. */
static bool handle(const siginfo_t *info, const void *context)
{
	struct thread *t = thread_known();
	struct signal_cause cause = cause_of(t, info);

	switch (cause.source) {
	case SIGNAL_FOREIGN:
		return false;
	case SIGNAL_NOBODYS:
		break;
	case SIGNAL_TRIED:
		count_trial(context);
		break;
	default:
		user(t, &cause, has_stack(context) ? context : NULL);
	}
	return true;
}

/*
 * [handler] Between sessions all signals are foreign: the agent's last ones, too, which are dropped
 * unless the program has a handler. A previous handler is not called inside the session, since it
 * need not return.
 */
static void handler(int sig, siginfo_t *info, void *context)
{
	int saved = errno;
	bool ours = false;

	(void)sig;
	if (session_enter()) {
		ours = handle(info, context);
		session_leave();
	}
	if (!ours)
		listener_pass_on(&urgent, info, context); /* or drops it, as the kernel would */
	errno = saved;
}

/* ---- who has it ------------------------------------------------------------------------ */

void signals_set_user(signal_user *u)
{
	user = u;
}

bool signals_listen(void)
{
	straytrap_begin();
	return listener_begin(&urgent);
}

void signals_unlisten(void)
{
	listener_end(&urgent);
	straytrap_end();
}

bool signals_installed(void)
{
	return listener_installed(&urgent);
}

/*
 * During a crash the VM has one handler for all fatal signals, also for SIGTRAP, which it does not
 * handle otherwise.
 */
bool signals_vm_crashes(void)
{
	struct sigaction trap, fault;

	return sigaction(SIGTRAP, NULL, &trap) == 0 && trap.sa_handler != SIG_DFL &&
	       trap.sa_handler != SIG_IGN && sigaction(SIGSEGV, NULL, &fault) == 0 &&
	       fault.sa_sigaction == trap.sa_sigaction;
}

/* Whether the calling thread has a signal stack that is too small. */
static bool lacks_stack(void)
{
	stack_t own;
	return sigaltstack(NULL, &own) == 0 && !(own.ss_flags & SS_DISABLE) &&
	       own.ss_size < LEAST_STACK;
}

bool signals_blocked(void)
{
	sigset_t blocked;
	return (pthread_sigmask(SIG_BLOCK, NULL, &blocked) == 0 &&
		sigismember(&blocked, SIGNALS_NUMBER) == 1) ||
	       lacks_stack();
}

/* Reads the mask of blocked signals in the file of a thread's status. */
static bool blocks(int32_t tid)
{
	char path[64], line[256];
	unsigned long long mask = 0;

	snprintf(path, sizeof path, "/proc/self/task/%d/status", tid);
	FILE *f = fopen(path, "re");
	while (f && fgets(line, sizeof line, f))
		if (sscanf(line, "SigBlk: %llx", &mask) == 1)
			break;
	if (!f)
		return true; /* it has ended */
	fclose(f);
	return mask >> (SIGNALS_NUMBER - 1) & 1;
}

bool signals_blocked_in(const struct thread *t)
{
	return atomic_load_explicit(&t->adopted, memory_order_acquire) ? blocks(t->tid)
								       : signals_blocked();
}

/* ---- trials ---------------------------------------------------------------------------- */

void signals_try(int event)
{
	atomic_store_explicit(&trier, thread_known(), memory_order_release);
	atomic_store_explicit(&trial, event, memory_order_release);
}

uint32_t signals_tried(void)
{
	return atomic_load_explicit(&tried, memory_order_acquire);
}

bool signals_exact(int event, volatile uint64_t *watched, uint32_t n, uint64_t *ns)
{
	uint32_t before = atomic_load_explicit(&exact, memory_order_acquire);
	uint64_t start = cpu_ns();

	signals_try(event);
	for (uint32_t i = 0; i < n; i++) {
		if (ARCH_TRAPS_BEFORE)
			breakpoint_start_timer(event); /* the handler has stopped it */
		arch_touch(watched, &expected_end);
	}
	*ns = n ? (cpu_ns() - start) / n : 0;
	signals_try(-1);
	atomic_store_explicit(&expected_end, 0, memory_order_release);
	return atomic_load_explicit(&exact, memory_order_acquire) - before == n;
}
