/* SPDX-License-Identifier: Apache-2.0 */
/*
 * watch.c - chooses objects and positions to watch, and reports the results.
 *
 * The sampled objects of a context and size take turns. A seed is watched at a random position,
 * drawn so that each byte of the content is equally likely. If it is used there, the position goes
 * into a reservoir, which is a uniform sample of the positions of all seeds of the run. A partner
 * is watched at the position of a seed from the reservoir. Both are sent as observations. The tool
 * forms random disjoint pairs of observations with equal positions, over the whole run
 * (docs/method.md).
 *
 * Watches are far rarer than samples. An observation stands for the objects of its context
 * allocated since the previous one. This number is a moving average, so that dense and sparse times
 * have their proper weight and no single observation dominates.
 *
 * Some objects are handed to other threads and not used where they are made. If that is the rule
 * for a context, its objects are also watched on other threads, and the first use on any thread
 * counts.
 */
#define _GNU_SOURCE
#include "analyse/watch.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "analyse/next_use.h"
#include "analyse/watch_trap.h"
#include "core/cost.h"
#include "core/link.h"
#include "core/seccomp.h"
#include "core/thread.h"
#include "core/trace.h"
#include "heap/allocation.h"
#include "heap/thinning.h"
#include "hotspot/metadata/classes.h"
#include "perf/allowance.h"
#include "perf/breakpoint.h"
#include "perf/events.h"
#include "perf/sampler.h"
#include "perf/signals.h"
#include "perf/slots.h"
#include "perf/trap.h"
#include "wire/wire.h"

#define TIMEOUT_NS	50000000u /* wall time without a use, see also allowance.h */
#define OTHERS		8	  /* other threads on which an object is watched */
#define RARE		2	  /* the first objects of a stratum are mostly not watched */
#define OFTEN		32	  /* watches of a stratum after which they become rarer */
#define UNKNOWN_ONE_IN	4	  /* of lines of which little is known */
#define FEW_ONE_IN	16	  /* of lines of which uses decide nothing */
#define ELSEWHERE_AFTER 8	  /* objects without a use before other threads are tried */
#define SAMPLED_ONE_IN	4	  /* partners at the position of a sampled access */
#define PENDING_UNIT	16.0	  /* fixed point of stratum.pending */
#define GAP_SMOOTH	8	  /* watches over which their gap is averaged */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of all strata; not in handlers */

/* ---- start ----------------------------------------------------------------------------- */

/* What the user can do about an error. */
static const char *advice(int error)
{
	switch (error) {
	case EACCES:
	case EPERM:
		return "allow it with sysctl kernel.perf_event_paranoid=2, or in a container with "
		       "--cap-add PERFMON or a seccomp profile that permits perf_event_open";
	case ENOSPC:
		return "a debugger holds the debug registers";
	case EINVAL:
	case E2BIG:
	case ENOSYS:
	case ENOTTY:
		return "this needs Linux 4.17 or later";
	case EIO:
		return "this machine's traps do not come, or come late";
	default:
		return "this machine has no debug registers";
	}
}

/* What is known without watches. */
static const char *instead(void)
{
	return ojx.config.flags & WIRE_NO_CONTENTS ? "when objects are used is not known"
						   : "contents come from the scan alone";
}

/* Whether debug registers can be opened; a note tells why not. */
static bool allowed(void)
{
	int event = breakpoint_open(0), error = errno;

	if (event >= 0)
		breakpoint_close(event);
	else if (!seccomp_differs())
		link_note("no watch on uses (perf_event_open: %s); %s; %s", strerror(error),
			  instead(), advice(error));
	return event >= 0;
}

/* Tries the debug registers. False, with a note, if they do not work. */
static bool try_registers(void)
{
	if (signals_blocked()) {
		link_note("no watch on uses: SIGURG was blocked when the program started; %s",
			  instead());
		return false;
	}
	int error = trap_init();
	if (error && !seccomp_differs())
		link_note("no watch on uses (trial of a debug register: %s); %s; %s",
			  strerror(error), instead(), advice(error));
	return error == 0;
}

/* [handler] The watch of a slot. */
static struct watch *watch_of(const struct watch_slot *slot)
{
	return slot_own(slot, &watch_user);
}

/* ---- what came of it ------------------------------------------------------------------- */

static void send_unused(struct link_ring *ring, const struct watch_slot *slot)
{
	struct wire_unused *rec = link_reserve(ring, WIRE_UNUSED, sizeof *rec);
	if (!rec)
		return;
	rec->rec.thread = slot->watch.thread;
	rec->context = watch_of(slot)->context;
	rec->reason = (uint32_t)slot->ended;
	link_commit(ring);
}

static void send_use(struct link_ring *ring, const struct watch_slot *slot, const struct thread *on,
		     uint64_t random)
{
	const struct watch *w = watch_of(slot);
	struct wire_use *rec = link_reserve(ring, WIRE_USE, wire_use_len(w->found.flags));
	if (!rec)
		return;
	rec->rec.thread = w->at.thread;
	rec->context = w->context;
	rec->array_length = w->array_length;
	rec->epoch = (uint32_t)w->at.epoch;
	rec->flags = w->found.flags | (on->tid != w->at.owner ? WIRE_ELSEWHERE : 0) |
		     (w->sampled ? WIRE_SAMPLED : 0);
	rec->size = w->place.size;
	rec->access = w->found.access;
	rec->position = w->position;
	rec->value = w->found.value;
	rec->content = w->found.content;
	rec->weight = w->weight * (w->found.late && !w->sampled ? DEADLINE_PATIENT_ONE_IN : 1);
	/* that of the object's snapshot: so the tool knows that both are of one object */
	rec->ticket = w->sampled ? (uint32_t)random : w->ticket;
	rec->pad = 0;
	if (w->found.flags & WIRE_DEEP)
		*wire_use_deep(rec) = w->found.deep;
	link_commit(ring);
}

/*
 * Records an ended watch in its stratum. If it saw no use, the objects that it stood for go to the
 * next watch.
 */
static void book(const struct watch_slot *slot, uint64_t *random)
{
	const struct watch *w = watch_of(slot);

	pthread_mutex_lock(&lock);
	if (slot->ended == -1) {
		w->stratum->used++;
		if (!w->partner)
			reservoir_add(&w->stratum->seeds, w->position, random);
	} else if (slot->ended == WIRE_UNUSED_TIME || slot->ended == WIRE_UNUSED_EPOCH) {
		w->stratum->unused++;
	}
	pthread_mutex_unlock(&lock);
	if (slot->ended != -1)
		atomic_fetch_add_explicit(&w->stratum->pending,
					  (uint64_t)(w->weight * PENDING_UNIT),
					  memory_order_relaxed);
}

/*
 * Reports a slot that the caller holds BUSY and whose watch has ended. If several slots watch one
 * object for several threads, reports only the one that saw the use.
 */
static void harvest(struct link_ring *ring, const struct watch_slot *slot, const struct thread *on,
		    uint64_t *random)
{
	const struct watch *w = watch_of(slot);

	if (slot->ended == -1) {
		send_use(ring, slot, on, random_next(random));
		status_add(used, 1);
	}
	if (w->sampled) {
		if (slot->ended == -1 && !w->partner && w->stratum)
			reservoir_add(&w->stratum->sampled, w->position, random);
	} else if (slot->ended == -1) {
		book(slot, random);
	} else if (on->tid == w->at.owner && watch_claim(w->claim)) {
		send_unused(ring, slot);
		book(slot, random);
	}
}

/* ---- arming ---------------------------------------------------------------------------- */

struct slot_user watch_user = {
	.room = sizeof(struct watch),
	.timeout_ns = TIMEOUT_NS,
	.trapped = watch_trapped,
	.harvest = harvest,
};

bool watch_arm(struct watch_slot *slot, struct thread *on, const struct watch *w)
{
	struct watch *own = watch_of(slot);

	atomic_store_explicit(&slot->user, &watch_user, memory_order_release);
	slot->watch = w->at;
	*own = *w;
	own->found.late = false;
	return slot_arm(slot, on, w->object + w->place.offset, w->place.size, false);
}

/* A random position; each byte of the content is equally likely. */
static uint32_t random_position(const struct klass *k, uint32_t array_length, uint64_t *random)
{
	if (k->array)
		return (uint32_t)random_below(random, array_length);
	uint64_t byte = random_below(random, k->field_bytes);
	for (uint32_t i = 0; i < k->npositions; i++) {
		if (byte < k->positions[i].size)
			return i;
		byte -= k->positions[i].size;
	}
	return 0;
}

/*
 * Watches are spent on the lines that they can decide, where samples are chosen by line. Else the
 * first objects of a stratum are not watched: a program with deep stacks has many contexts with one
 * or two samples; there a watch would be half the cost and make no pair.
 */
static bool worth_it(uint32_t context, bool rare, uint64_t *random)
{
	if (!thinning_chooses())
		return !rare;
	switch (thinning_uses(context)) {
	case WIRE_CONTROL_USES_WANTED:
		return true;
	case WIRE_CONTROL_USES_FEW:
		return !rare && random_below(random, FEW_ONE_IN) == 0;
	default:
		return !rare && random_below(random, UNKNOWN_ONE_IN) == 0;
	}
}

/* Whether this object of the stratum is watched: the more there were, the rarer. */
static bool chosen(struct stratum *s, uint32_t context, uint64_t *random)
{
	uint32_t n = s->used + s->unused;
	bool rare = atomic_fetch_add_explicit(&s->samples, 1, memory_order_relaxed) < RARE;

	if (!worth_it(context, rare, random))
		return false;
	if (n < OFTEN)
		return true;
	return (double)random_below(random, 1u << 20) < sqrt((double)OFTEN / n) * (1u << 20);
}

/* Number of objects that the next watch stands for. The caller holds the lock. */
static double gap_now(struct stratum *s)
{
	double gap = (double)atomic_exchange_explicit(&s->pending, 0, memory_order_relaxed) /
		     PENDING_UNIT;
	uint32_t n = ++s->armed < GAP_SMOOTH ? s->armed : GAP_SMOOTH;
	s->gap += (gap - s->gap) / n;
	return s->gap;
}

/*
 * A position at which another object was used: soon after it was made, on the watched threads; or
 * at any time, on any thread.
 */
static bool draw_seed(struct stratum *s, uint32_t *position, uint64_t *random)
{
	bool have = atomic_load_explicit(&s->seeds.seen, memory_order_acquire) > 0;

	if ((!have || random_below(random, SAMPLED_ONE_IN) == 0) &&
	    reservoir_draw(&s->sampled, position, random))
		return true;
	return reservoir_draw(&s->seeds, position, random);
}

/* Decides between seed and partner, and the position. */
static void plan(struct watch *w, struct stratum *s, uint64_t *random, bool *elsewhere)
{
	pthread_mutex_lock(&lock);
	w->weight = gap_now(s);
	bool seeds = atomic_load_explicit(&s->seeds.seen, memory_order_acquire) > 0 ||
		     atomic_load_explicit(&s->sampled.seen, memory_order_acquire) > 0;
	w->partner = seeds && s->turn++ % 2 == 1;
	if (w->partner)
		w->partner = draw_seed(s, &w->position, random);
	if (!w->partner)
		w->position = random_position(w->klass, w->array_length, random);
	*elsewhere = s->unused >= ELSEWHERE_AFTER && s->used < s->unused / 4;
	pthread_mutex_unlock(&lock);
	w->place = class_position(w->klass, w->position);
}

/* Arms the same watch on slots of some other threads. */
static void arm_elsewhere(struct thread *t, const struct watch *w)
{
	uint32_t first = (uint32_t)random_below(&t->random, THREAD_MAX), armed = 0;

	for (uint32_t i = 0; i < THREAD_MAX && armed < OTHERS; i++) {
		struct thread *other = thread_at((first + i) % THREAD_MAX);
		if (!other || other == t || !other->jni)
			continue;
		for (uint32_t s = 0; s < WATCH_SLOTS; s++) {
			struct watch_slot *slot = &other->slots[s];
			if (!slot_take(slot, SLOT_IDLE))
				continue;
			armed += watch_arm(slot, other, w);
			break;
		}
	}
}

/* Arms a watch on a slot that the caller holds BUSY. */
static void watch_it(struct thread *t, struct watch_slot *slot, struct watch *w)
{
	bool elsewhere;

	plan(w, w->stratum, &t->random, &elsewhere);
	w->claim = elsewhere ? watch_new_claim() : 0;
	w->at.armed_ns = now_ns();
	if (!elsewhere)
		deadline_set(t, &w->at, false);
	if (!epoch_is(w->at.epoch) || !events_still_ours())
		atomic_store_explicit(&slot->state, SLOT_IDLE, memory_order_release);
	else if (watch_arm(slot, t, w)) {
		status_add(armed, 1);
		if (elsewhere)
			arm_elsewhere(t, w);
		return;
	}
	/* the watch is not armed: the objects that it stands for go to the next one */
	atomic_fetch_add_explicit(&w->stratum->pending, (uint64_t)(w->weight * PENDING_UNIT),
				  memory_order_relaxed);
}

/*
 * Arms a watch on a sampled object if it is its context's turn, the budget allows it and a slot is
 * available.
 */
static void consider(struct allocation *a)
{
	struct thread *t = a->thread;
	const struct klass *k = a->klass;

	if (!atomic_load_explicit(&ojx.watch_on, memory_order_relaxed) ||
	    ojx.config.flags & WIRE_NO_CONTENTS)
		return;
	if (class_npositions(k, a->array_length) == 0)
		return;
	struct stratum *s = contexts_stratum(a->context, a->array_length);
	if (!s)
		return;
	atomic_fetch_add_explicit(&s->pending, (uint64_t)(a->weight * PENDING_UNIT),
				  memory_order_relaxed);
	if (!chosen(s, a->context, &t->random) || !watch_affordable() || !seccomp_permits() ||
	    signals_blocked())
		return;

	uint64_t mark = callcost_mark();
	struct watch_slot *slot = slots_for(t, false);
	struct watch w = {
		.object = a->address,
		.klass = k,
		.stratum = s,
		.context = a->context,
		.array_length = a->array_length,
		.ref = a->ref,
		.ticket = a->ticket,
		.at = { .epoch = a->epoch, .owner = t->tid, .thread = thread_number(t) }
	};
	if (slot)
		watch_it(t, slot, &w);
	watch_charge(callcost_since(mark));
}

/* ---- as a part of the agent ---------------------------------------------------------------- */

#define WATCH_SHARE  0.25 /* of the budget for callbacks and traps: of watches on uses, */
#define ACCESS_SHARE 0.9  /* on accesses, */
#define BOTH_SHARE   0.6  /* or both; or on next uses, which nothing else tells */

/* Whether any analysis needs watches of these kinds. Sampling accesses alone does not. */
static bool wanted(void)
{
	const struct wire_config *c = &ojx.config;

	return !(c->flags & WIRE_NO_WATCH) && (!(c->flags & WIRE_NO_CONTENTS) || c->waste);
}

/* Settles whether there are watches, of any kind, and whether handlers walk stacks. */
static const char *init(const struct part_start *start)
{
	bool asked = wanted() || next_use_wanted();
	bool watches = start->layout && asked && allowed();

	slots_add_user(&watch_user);
	ojx.walks = (watches && wanted()) || (start->layout && sampler_wanted());
	if (watches)
		return NULL;
	ojx.config.flags |= WIRE_NO_WATCH;
	if (!asked)
		return PART_UNASKED;
	return start->layout ? "debug registers cannot be opened"
			     : "the layout of objects is not known";
}

static void begin(const struct part_turn *turn)
{
	(void)turn;
	atomic_store_explicit(&ojx.watch_on, try_registers(), memory_order_release);
	trace("watches: debug registers %s",
	      atomic_load_explicit(&ojx.watch_on, memory_order_acquire) ? "work" : "do not work");
	if (atomic_load_explicit(&ojx.watch_on, memory_order_acquire) && ojx.walks)
		atomic_fetch_or_explicit(&ojx.shm->status.engines, WIRE_ENGINE_WATCH,
					 memory_order_relaxed);
}

static double share_of_budget(void)
{
	if (ojx.config.flags & WIRE_NO_OBJECTS)
		return ACCESS_SHARE;
	return ojx.config.waste || next_use_wanted() ? BOTH_SHARE : WATCH_SHARE;
}

static void budget(const struct part_budget *b)
{
	watch_grant((uint64_t)(b->both * share_of_budget() * b->cpu / WIRE_COST_TIMES));
}

const struct part watch_part = {
	.name = "watches",
	.init = init,
	.begin = begin,
	.kept = consider,
	.budget = budget,
};
