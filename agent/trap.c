/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trap.c - what happens when a watched value is touched.
 *
 * The thread stands right behind the accessing instruction. A store leaves the watch armed, since constructors and
 * builders are no uses; eight at most. A load is the use: the stack is walked, the value and the whole object are
 * hashed, the register is freed. Everything is left in the slot for somebody who may do more than
 * a handler.
 *
 * A trap of another epoch says nothing, as the object has moved: the watch ends. A SIGTRAP that is not ours goes
 * to the handler that was there before.
 */
#define _GNU_SOURCE
#include "trap.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

#include "breakpoint.h"
#include "clock.h"
#include "content.h"
#include "deadline.h"
#include "decode.h"
#include "layout.h"
#include "sampler.h"
#include "thread.h"
#include "tickcost.h"
#include "walk.h"

#define TRAP_PERF_CODE	  6  /* si_code of a perf event; glibc's headers may lack the name */
#define FLAG_ASYNC	  1u /* delivered late: the signal was blocked */
#define DATA_OFFSET	  24 /* of perf's data in siginfo_t */
#define FLAGS_OFFSET	  36
#define DATA_MAGIC	  0x6f6a7800u /* upper half of our data */
#define CALIBRATION	  0xffffffffu /* lower half for the trial */
#define TIMER		  0xfffffffeu /* and for a thread's timer */
#define SAMPLE		  0xfffffff0u /* and for its access samplers: that and their numbers */
#define CALIBRATION_TRAPS 4
#define ROUNDS		  8 /* of these; the shortest counts: others may take the processor */
#define CLAIMS		  4096u
#define LEAST_STACK \
	(32u << 10) /* bytes: a signal's frame has up to 12 KiB, walking a stack needs as many */

static struct sigaction previous;
static _Atomic uint32_t calibration_traps;
static uint64_t kernel_ns; /* of one trap, outside the handler; as measured */
static _Atomic uint32_t claims[CLAIMS];
static _Atomic uint32_t last_claim;

/* ---- claims ---------------------------------------------------------------------------- */

uint32_t trap_new_claim(void)
{
	uint32_t claim;
	do
		claim = atomic_fetch_add(&last_claim, 1) + 1;
	while (!claim);
	atomic_store(&claims[claim % CLAIMS], claim);
	return claim;
}

bool trap_claim(uint32_t claim)
{
	return !claim || atomic_compare_exchange_strong(&claims[claim % CLAIMS], &claim, 0);
}

/* ---- the handler ----------------------------------------------------------------------- */

uint64_t trap_data(const struct watch_slot *slot)
{
	return (uint64_t)DATA_MAGIC << 32 | (uint64_t)(slot->generation % 0xfffff) << 12 |
	       slot->number;
}

uint64_t trap_timer_data(void)
{
	return (uint64_t)DATA_MAGIC << 32 | TIMER;
}

uint64_t trap_sample_data(uint32_t event)
{
	return (uint64_t)DATA_MAGIC << 32 | (SAMPLE + event);
}

uint64_t trap_trial_data(void)
{
	return (uint64_t)DATA_MAGIC << 32 | CALIBRATION;
}

uint32_t trap_trials(void)
{
	return atomic_load(&calibration_traps);
}

/* [handler] Ends the arming of a slot that this handler owns. */
static void end(struct watch_slot *slot, int ended)
{
	slot->ended = ended;
	atomic_store_explicit(&slot->state, SLOT_FIRED, memory_order_release);
}

/* Freed at once: what the handler reads would trap again. */
bool trap_take(struct watch_slot *slot, uint64_t data)
{
	uint32_t armed = SLOT_ARMED;
	if (!atomic_compare_exchange_strong(&slot->state, &armed, SLOT_BUSY))
		return false;
	if (trap_data(slot) != data) {
		atomic_store_explicit(&slot->state, SLOT_ARMED, memory_order_release);
		return false;
	}
	breakpoint_disarm(slot->fd);
	return true;
}

/* [handler] The object is where it was: note what it holds. False where it is not. */
static bool observe(struct watch_slot *slot, uint32_t access)
{
	const struct watch *w = &slot->watch;
	const unsigned char *object = (const unsigned char *)w->object;
	struct content content;

	if (layout_klass(object) != atomic_load_explicit(&w->klass->word, memory_order_relaxed))
		return false;
	content_hash(object, w->klass, w->extent, false, &content);
	slot->found.value = content_value(object, &w->place);
	if (!epoch_is(w->epoch))
		return false;
	slot->found.content = content.hash;
	slot->found.flags = content.flags | (w->partner ? WIRE_PARTNER : 0);
	slot->found.access = access;
	return true;
}

/* [handler] A load of the watched value. */
static void used(struct thread *t, struct watch_slot *slot, uint64_t data, const void *context,
		 uint8_t len)
{
	const struct watch *w = &slot->watch;
	enum deadline_state when = deadline_state(w);

	if (when == DEADLINE_OVER) {
		if (trap_take(slot, data))
			end(slot, WIRE_UNUSED_TIME);
		return;
	}
	uint32_t access = walk_stack(t, context, len);
	if (!access && atomic_fetch_add(&slot->traps, 1) + 1 < WATCH_TRAPS)
		return; /* by whom can not be told; the next may */
	if (!trap_take(slot, data))
		return;
	if (!access)
		end(slot, WIRE_UNUSED_TRAPS);
	else if (!trap_claim(w->claim) || !observe(slot, access) || !follow_claim(w->ref))
		end(slot, WIRE_UNUSED_LOST);
	else {
		slot->found.late = when == DEADLINE_LATE;
		end(slot, -1);
	}
}

/* [handler] A trap of an armed slot. */
static void trapped(struct thread *t, struct watch_slot *slot, uint64_t data, const void *context)
{
	const struct watch *w = &slot->watch;

	if (!epoch_is(w->epoch)) {
		if (trap_take(slot, data))
			end(slot, WIRE_UNUSED_EPOCH);
		return;
	}
	uint8_t len = 0;
	switch (decode_access(context, w->object + w->place.offset, w->place.size, &len)) {
	case ACCESS_LOAD:
		used(t, slot, data, context, len);
		return;
	case ACCESS_STORE:
	case ACCESS_OTHER:
	case ACCESS_UNKNOWN:
		break;
	}
	if (atomic_fetch_add(&slot->traps, 1) + 1 >= WATCH_TRAPS && trap_take(slot, data))
		end(slot, WIRE_UNUSED_TRAPS);
}

/*
 * [handler] Whether there is stack enough. Who starts threads may have given them a stack for signals of their own, of some
 * kilobytes (Rust's library does).
 */
static bool has_stack(const void *context)
{
	const stack_t *own = &((const ucontext_t *)context)->uc_stack;
	uintptr_t left = (uintptr_t)__builtin_frame_address(0) - (uintptr_t)own->ss_sp;

	return own->ss_flags & SS_DISABLE || left >= own->ss_size || left >= LEAST_STACK;
}

/* [handler] A register's signal. */
static void handle(struct thread *t, uint64_t data, uint32_t flags, const void *context)
{
	uint32_t number = data & 0xfff;
	struct thread *owner = thread_at(number / WATCH_SLOTS);
	struct watch_slot *slot = owner ? &owner->slots[number % WATCH_SLOTS] : NULL;

	if (!slot)
		return;
	status_add(traps, 1);
	uint32_t state = atomic_load_explicit(&slot->state, memory_order_acquire);
	bool current = state == SLOT_ARMED && trap_data(slot) == data;
	if (!has_stack(context)) {
		if (current && trap_take(slot, data))
			end(slot, WIRE_UNUSED_LOST);
	} else if (current && t == owner && !(flags & FLAG_ASYNC) &&
		   !atomic_exchange(&t->in_handler, true)) {
		if (slot->purpose == SLOT_WASTE)
			waste_trapped(t, slot, data, context);
		else
			trapped(t, slot, data, context);
		atomic_store(&t->in_handler, false);
	} else if (current || state == SLOT_IDLE || state == SLOT_FIRED) {
		breakpoint_disarm(
			slot->fd); /* nobody wants it any more; a trap of an earlier arming is just late */
	}
}

/* [handler] One of our signals. `fault`: the address that came with it. */
static void ours(uint64_t data, uint32_t flags, uintptr_t fault, const void *context)
{
	uint64_t start = cpu_ns();
	struct thread *t = thread_known();

	uint32_t event = (uint32_t)data - SAMPLE;
	bool sample = event < ojx.config.nevents;

	if (t && sample)
		sampler_tick(t, event, has_stack(context) ? context : NULL, fault);
	else if ((uint32_t)data < SAMPLE)
		handle(t, data, flags, context);
	if (t)
		deadline_check(t);
	uint64_t kernel = sample ? sampler_kernel_ns(event) : 0;
	uint64_t ns = cpu_ns() - start + (kernel ? kernel : kernel_ns);
	status_add(cost.trap_ns, ns);
	if (sample)
		tickcost_add(ns);
	/* what samples cost is not the watches' to bear, unless they are for these, and no more than the budget permits */
	if (!sample || (ojx.config.waste && clock_governed()))
		watch_charge(ns);
}

/* [handler] A signal that is not ours. */
static void pass_on(int sig, siginfo_t *info, void *context)
{
	if (previous.sa_flags & SA_SIGINFO) {
		previous.sa_sigaction(sig, info, context);
	} else if (previous.sa_handler == SIG_DFL) {
		/* it comes again when we return, and does what it would have done */
		signal(sig, SIG_DFL);
		raise(sig);
	} else if (previous.sa_handler != SIG_IGN) {
		previous.sa_handler(sig);
	}
}

static void handler(int sig, siginfo_t *info, void *context)
{
	int saved = errno;
	uint64_t data;
	uint32_t flags;

	memcpy(&data, (const char *)info + DATA_OFFSET, sizeof data);
	memcpy(&flags, (const char *)info + FLAGS_OFFSET, sizeof flags);
	bool perf = info->si_code == TRAP_PERF_CODE;
	/* a timer's siginfo has its data at the same place */
	bool timer = info->si_code == SI_TIMER && (uint32_t)data >= SAMPLE;
	if ((!perf && !timer) || data >> 32 != DATA_MAGIC) {
		pass_on(sig, info, context);
	} else if ((uint32_t)data == CALIBRATION) {
		atomic_fetch_add(&calibration_traps, 1);
	} else if (timer) {
		ours(data, 0, 0, context);
	} else {
		ours(data, flags, (uintptr_t)info->si_addr, context);
	}
	errno = saved;
}

/* Whether signals of the calling thread come on a stack of their own that is too small. */
static bool lacks_stack(void)
{
	stack_t own;
	return sigaltstack(NULL, &own) == 0 && !(own.ss_flags & SS_DISABLE) &&
	       own.ss_size < LEAST_STACK;
}

bool trap_blocked(void)
{
	sigset_t blocked;
	return (pthread_sigmask(SIG_BLOCK, NULL, &blocked) == 0 &&
		sigismember(&blocked, SIGTRAP) == 1) ||
	       lacks_stack();
}

bool trap_installed(void)
{
	struct sigaction now;
	return sigaction(SIGTRAP, NULL, &now) == 0 && now.sa_sigaction == handler;
}

/* ---- the trial ------------------------------------------------------------------------- */

/* Touches a variable that is watched; what a trap takes. False where they do not come. */
static bool time_traps(volatile uint64_t *probe, uint64_t *ns)
{
	uint32_t before = trap_trials();

	*ns = UINT64_MAX;
	for (int k = 0; k < ROUNDS; k++) {
		uint64_t start = cpu_ns();
		for (int i = 0; i < CALIBRATION_TRAPS; i++)
			(*probe)++;
		uint64_t each = (cpu_ns() - start) / CALIBRATION_TRAPS;
		*ns = each < *ns ? each : *ns;
	}
	return trap_trials() - before >= ROUNDS * CALIBRATION_TRAPS;
}

/* Touches a watched variable and sees what comes and how long it takes. */
static int try_traps(void)
{
	static volatile uint64_t probe __attribute__((aligned(8)));
	int fd = breakpoint_open(0);

	if (fd < 0)
		return errno;
	int error = 0;
	if (!breakpoint_arm(fd, (uintptr_t)&probe, 8, false, trap_trial_data()))
		error = errno;
	else if (!time_traps(&probe, &kernel_ns))
		error = EIO;
	breakpoint_disarm(fd);
	breakpoint_close(fd);
	return error;
}

bool trap_listen(void)
{
	struct sigaction action = { .sa_sigaction = handler,
				    .sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK };

	sigemptyset(&action.sa_mask);
	return sigaction(SIGTRAP, &action, &previous) == 0;
}

int trap_init(void)
{
	if (!trap_listen())
		return errno;
	int error = try_traps();
	if (error)
		sigaction(SIGTRAP, &previous, NULL);
	return error;
}
