/* SPDX-License-Identifier: Apache-2.0 */
/* trap.c - see trap.h. */
#define _GNU_SOURCE
#include "perf/trap.h"

#include <errno.h>

#include "arch/decode_trap.h"
#include "core/thread.h"
#include "perf/breakpoint.h"
#include "perf/signals.h"

#define TRIAL_TRAPS 4
#define AGAIN	    2 /* traps of an access that was let pass (breakpoint.h) */
#define ROUNDS	    8 /* the shortest counts, since others may take the processor */
/*
 * After another thread has moved a register, late signals of its former address may come for so
 * long.
 */
#define SETTLING_NS 20000

static uint64_t kernel_ns; /* measured cost of one trap, outside the handler */

/* ---- the handler ----------------------------------------------------------------------- */

/* [handler] Stops the event of a slot that is not armed. */
static void quiet(struct watch_slot *slot, uint32_t state)
{
	if ((state != SLOT_IDLE && state != SLOT_FIRED) || !slot_take(slot, state))
		return;
	breakpoint_disarm(slot_event(slot));
	atomic_store_explicit(&slot->state, state, memory_order_release);
}

/* [handler] Whether another thread may have moved the register after the trap. */
static bool is_settling(const struct watch_slot *slot)
{
	return slot->remote && now_ns() - slot->watch.armed_ns < SETTLING_NS;
}

/*
 * [handler] Whether it is the access that was let pass, which traps again before it takes place.
 */
static bool is_again(struct watch_slot *slot, uint32_t generation, const void *context)
{
	if (slot->passed.generation != generation || slot->passed.again >= AGAIN ||
	    slot->passed.pc != arch_pc(context))
		return false;
	slot->passed.again++;
	return true;
}

/* [handler] Lets the access take place if its watch goes on. */
static void pass(struct watch_slot *slot, uint32_t generation, const void *context)
{
	if (atomic_load_explicit(&slot->state, memory_order_acquire) != SLOT_ARMED ||
	    slot->generation != generation)
		return;
	bool first = slot->passed.generation != generation;
	if (first)
		breakpoint_pass(slot_event(slot));
	slot->passed.generation = generation;
	slot->passed.pc = arch_pc(context);
	slot->passed.again = first ? 0 : AGAIN;
}

/* [handler] A trap of an armed slot. */
static void tell(struct thread *t, struct watch_slot *slot, uint32_t generation,
		 const void *context)
{
	const struct slot_user *user = slot_user(slot);

	if (ARCH_TRAPS_BEFORE && decode_must_end(context)) {
		slot_end(slot, generation, WIRE_UNUSED_LOST);
		return;
	}
	if (ARCH_TRAPS_BEFORE && is_again(slot, generation, context))
		return;
	user->trapped(t, slot, slot_own(slot, user), generation, context);
	if (ARCH_TRAPS_BEFORE)
		pass(slot, generation, context);
}

void trap_hit(struct thread *t, struct watch_slot *slot, const void *context)
{
	status_add(traps, 1);
	uint32_t state = atomic_load_explicit(&slot->state, memory_order_acquire);
	uint32_t generation = slot->generation;

	if (state != SLOT_ARMED) {
		quiet(slot, state);
	} else if (!context || signals_vm_crashes()) {
		slot_end(slot, generation, WIRE_UNUSED_LOST);
	} else if (!is_settling(slot) &&
		   !atomic_exchange_explicit(&t->in_handler, true, memory_order_acq_rel)) {
		tell(t, slot, generation, context);
		atomic_store_explicit(&t->in_handler, false, memory_order_release);
	}
}

uint64_t trap_kernel_ns(void)
{
	return kernel_ns;
}

/* ---- the trial ------------------------------------------------------------------------- */

/* Whether each trap comes directly after its instruction; *ns: the time of one. */
static bool time_traps(int event, volatile uint64_t *probe, uint64_t *ns)
{
	bool good = true;

	*ns = UINT64_MAX;
	for (int k = 0; k < ROUNDS && good; k++) {
		uint64_t each;
		good = signals_exact(event, probe, TRIAL_TRAPS, &each);
		*ns = each < *ns ? each : *ns;
	}
	return good;
}

/* Writes to a watched variable; checks the traps and their cost. */
static int try_traps(void)
{
	static volatile uint64_t probe __attribute__((aligned(8)));
	int event = breakpoint_open(0), error = 0;

	if (event < 0)
		return errno;
	if (!breakpoint_arm(event, (uintptr_t)&probe, 8, false))
		error = errno;
	else if (!time_traps(event, &probe, &kernel_ns))
		error = EIO;
	breakpoint_disarm(event);
	breakpoint_close(event);
	return error;
}

int trap_init(void)
{
	return signals_listen() ? try_traps() : errno;
}
