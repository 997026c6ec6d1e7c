/* SPDX-License-Identifier: Apache-2.0 */
/*
 * signals.c - see signals.h. A signal of perf's names the descriptor of its event, one of a POSIX
 * timer brings data. What is neither of these goes to the handler that was there before.
 *
 * The thread's own reads of what it watches would trap, and that signal would come when the handler
 * returns, far from what it is about. So handlers read watched memory through the kernel, or disarm
 * first (trap.c).
 */
#define _GNU_SOURCE
#include "perf/signals.h"

#include <errno.h>
#include <string.h>
#include <ucontext.h>

#include "analyse/watch.h"
#include "core/thread.h"
#include "perf/breakpoint.h"
#include "perf/clock.h"
#include "perf/deadline.h"
#include "perf/sampler.h"
#include "perf/tickcost.h"
#include "perf/trap.h"

#define DATA_MAGIC 0x6f6a7800u /* upper half of our timers' data */
#define LEAST_STACK \
	(32u << 10) /* bytes: a signal's frame has up to 12 KiB, walking a stack needs as many */

/* What a signal is about. */
enum source {
	FOREIGN,
	NOBODYS, /* ours, and too late */
	TRIED,
	SAMPLE,	  /* of sampler `event` */
	DEADLINE, /* the thread's timer */
	SLOT,	  /* one of its registers */
};

struct cause {
	enum source source;
	uint32_t event;
	struct watch_slot *slot;
};

static struct sigaction previous;
static _Atomic bool listening;
static _Atomic int trial = -1;
static struct thread *_Atomic trier;
static _Atomic uint64_t expected_ip; /* of the trial's signals; 0: any */
static _Atomic uint32_t tried, exact;

/* ---- what it is about ------------------------------------------------------------------ */

uint64_t signals_timer_data(uint32_t event)
{
	return (uint64_t)DATA_MAGIC << 32 | event;
}

/* [handler] */
static struct cause cause_of_timer(const struct thread *t, const siginfo_t *info)
{
	uint64_t data = (uint64_t)(uintptr_t)info->si_value.sival_ptr;
	uint32_t event = (uint32_t)data;

	if (data >> 32 != DATA_MAGIC)
		return (struct cause){ .source = FOREIGN };
	if (!t || event >= ojx.config.nevents)
		return (struct cause){ .source = NOBODYS };
	return (struct cause){ .source = SAMPLE, .event = event };
}

/* [handler] */
static struct cause cause_of_event(struct thread *t, int fd)
{
	if (breakpoint_has(atomic_load(&trial), fd))
		return (struct cause){ .source = TRIED };
	for (uint32_t i = 0; t && i < WATCH_SLOTS; i++)
		if (breakpoint_has(atomic_load(&t->slots[i].event), fd))
			return (struct cause){ .source = SLOT, .slot = &t->slots[i] };
	for (uint32_t i = 0; t && i < ojx.config.nevents; i++)
		if (breakpoint_has(atomic_load(&t->sampler[i]), fd))
			return (struct cause){ .source = SAMPLE, .event = i };
	if (t && breakpoint_has(atomic_load(&t->timer), fd))
		return (struct cause){ .source = DEADLINE };
	return (struct cause){ .source = FOREIGN };
}

/* [handler] */
static struct cause cause_of(struct thread *t, const siginfo_t *info)
{
	bool raised = info->si_code == SI_TKILL && t && t == atomic_load(&trier) &&
		      atomic_load(&trial) == SIGNALS_RAISED;

	return info->si_code == SI_TIMER  ? cause_of_timer(t, info)
	       : info->si_code == POLL_IN ? cause_of_event(t, info->si_fd)
					  : (struct cause){ .source = raised ? TRIED : FOREIGN };
}

/* ---- the handler ----------------------------------------------------------------------- */

/*
 * [handler] Whether there is stack enough. Who starts threads may have given them a stack for
 * signals of their own, of some kilobytes (Rust's library does).
 */
static bool has_stack(const ucontext_t *context)
{
	const stack_t *own = &context->uc_stack;
	uintptr_t left = (uintptr_t)__builtin_frame_address(0) - (uintptr_t)own->ss_sp;

	return own->ss_flags & SS_DISABLE || left >= own->ss_size || left >= LEAST_STACK;
}

/* [handler] One of our signals. */
static void ours(struct thread *t, const struct cause *cause, const ucontext_t *context)
{
	uint64_t start = cpu_ns(), kernel = 0;
	bool sample = cause->source == SAMPLE;

	if (!has_stack(context))
		context = NULL;
	if (sample) {
		sampler_tick(t, cause->event, context);
		kernel = sampler_kernel_ns(cause->event);
	} else if (cause->source == SLOT) {
		trap_hit(t, cause->slot, context);
	}
	deadline_check(t);
	uint64_t ns = cpu_ns() - start + (kernel ? kernel : trap_kernel_ns());
	status_add(cost.trap_ns, ns);
	if (sample)
		tickcost_add(ns);
	/*
	 * what samples cost is not the watches' to bear, unless they are for these, and no more
	 * than the budget permits
	 */
	if (!sample || (ojx.config.waste && clock_governed()))
		watch_charge(ns);
}

/* [handler] */
static void count_trial(const ucontext_t *context)
{
	uint64_t ip = atomic_load(&expected_ip);

	atomic_fetch_add(&tried, 1);
	if (ip == (uint64_t)context->uc_mcontext.gregs[REG_RIP])
		atomic_fetch_add(&exact, 1);
}

/*
 * [handler] A signal that is not ours. Nobody who had no handler is told: the kernel would ignore
 * it.
 */
static void pass_on(int sig, siginfo_t *info, void *context)
{
	if (previous.sa_flags & SA_SIGINFO)
		previous.sa_sigaction(sig, info, context);
	else if (previous.sa_handler != SIG_DFL && previous.sa_handler != SIG_IGN)
		previous.sa_handler(sig);
}

static void handler(int sig, siginfo_t *info, void *context)
{
	int saved = errno;
	struct thread *t = thread_known();
	struct cause cause = cause_of(t, info);

	switch (cause.source) {
	case FOREIGN:
		pass_on(sig, info, context);
		break;
	case NOBODYS:
		break;
	case TRIED:
		count_trial(context);
		break;
	default:
		ours(t, &cause, context);
	}
	errno = saved;
}

/* ---- who has it ------------------------------------------------------------------------ */

bool signals_listen(void)
{
	struct sigaction action = { .sa_sigaction = handler,
				    .sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK };

	if (atomic_exchange(&listening, true))
		return true;
	sigemptyset(&action.sa_mask);
	return sigaction(SIGNALS_NUMBER, &action, &previous) == 0;
}

bool signals_installed(void)
{
	struct sigaction now;
	return sigaction(SIGNALS_NUMBER, NULL, &now) == 0 && now.sa_sigaction == handler;
}

/*
 * It then has one handler for all fatal signals, SIGTRAP included, which it leaves alone otherwise.
 */
bool signals_vm_crashes(void)
{
	struct sigaction trap, fault;

	return sigaction(SIGTRAP, NULL, &trap) == 0 && trap.sa_handler != SIG_DFL &&
	       trap.sa_handler != SIG_IGN && sigaction(SIGSEGV, NULL, &fault) == 0 &&
	       fault.sa_sigaction == trap.sa_sigaction;
}

/* Whether signals of the calling thread come on a stack of their own that is too small. */
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

/* ---- trials ---------------------------------------------------------------------------- */

void signals_try(int event)
{
	atomic_store(&trier, thread_known());
	atomic_store(&trial, event);
}

uint32_t signals_tried(void)
{
	return atomic_load(&tried);
}

bool signals_exact(int event, volatile uint64_t *watched, uint32_t n, uint64_t *ns)
{
	uint32_t before = atomic_load(&exact);
	uint64_t start = cpu_ns(), ip;

	signals_try(event);
	for (uint32_t i = 0; i < n; i++)
		__asm__ volatile("lea 1f(%%rip), %0\n\t"
				 "mov %0, %1\n\t"
				 "addq $1, %2\n"
				 "1:\tnop"
				 : "=&r"(ip), "=m"(expected_ip), "+m"(*watched)
				 :
				 : "cc", "memory");
	*ns = n ? (cpu_ns() - start) / n : 0;
	signals_try(-1);
	atomic_store(&expected_ip, 0);
	return atomic_load(&exact) - before == n;
}
