/* SPDX-License-Identifier: Apache-2.0 */
/*
 * next_use.c - see next_use.h.
 *
 * Most objects are in use all the time or hardly ever. A watch of the first kind costs nothing, and
 * one of the second kind would keep its registers for seconds. So most watches are given up soon:
 * they tell how many are of the second kind. One in a few is patient, and tells what becomes of
 * those.
 *
 * Objects that need one or two registers of each thread, and those that need more, take turns. So
 * there are mostly registers for the object that is drawn. A draw stands for the time since the
 * last one of its kind.
 */
#define _GNU_SOURCE
#include "analyse/next_use.h"

#include <sys/resource.h>

#include "analyse/next_use_draw.h"
#include "analyse/object_watch.h"
#include "core/link.h"
#include "core/thread.h"
#include "heap/follow.h"
#include "heap/lifetimes.h"
#include "heap/live_heap_view.h"
#include "perf/allowance.h"
#include "perf/slots.h"

#define GAP_NS	       20000000u   /* between two draws, at least, */
#define GAP_PART       8192	   /* and 1/GAP_PART of the time so far: records stay few; */
#define GAP_MOST_NS    1000000000u /* at most */
#define GAP_OVER_NS    200000000u  /* by which a draw may come late and stand for all of it */
#define PATIENT_ONE_IN 4
#define PATIENT_PART   8	    /* the patience grows with the time so far, */
#define PATIENT_NS     60000000000u /* up to this */
#define FRESH_ONE_IN   2
#define TURNS_NS       10000000000u /* of objects that need few registers, and many */
#define LEAST_TURN     0.01	    /* of the time, for weights not to be huge */
#define SWITCH_NS      1000	    /* what armed registers add to a context switch */
#define FAILURES       100	    /* in a row: then the user is told */

/* What else is known of a watched object. */
static struct chosen {
	struct wire_next_use use;
	bool begun;
	uint16_t thread;
	uint64_t until_ns;
} chosen[OBJECT_WATCHES];

static uint64_t last_draw;	 /* ns */
static uint64_t gap_ns = GAP_NS; /* between draws, as the budget has it */
static uint64_t last_of_kind[2]; /* of objects that need few registers, and many */
static uint64_t kept_ns[2];	 /* time in which patient watches of each kind kept registers */
static uint32_t failures;
static bool told;

bool next_use_wanted(void)
{
	const struct wire_config *c = &ojx.config;

	return ojx.stays && lifetimes_wanted() && !c->waste && c->flags & WIRE_NO_CONTENTS &&
	       !(c->flags & (WIRE_NO_WATCH | FOLLOW_FLAGS));
}

static uint64_t elapsed(void)
{
	return now_ns() - ojx.start_ns;
}

static bool is_any_armed(void)
{
	bool armed = false;

	for (uint32_t i = 0; i < OBJECT_WATCHES; i++)
		armed |= atomic_load_explicit(&object_watches[i].state, memory_order_acquire) !=
			 OBJECT_WATCH_FREE;
	return armed;
}

static bool is_on(void)
{
	return atomic_load_explicit(&ojx.watch_on, memory_order_acquire) &&
	       atomic_load_explicit(&ojx.live, memory_order_acquire) && next_use_wanted();
}

/* Whether it is time to serve; whether it is often. */
static bool is_due(void)
{
	return is_on() && now_ns() - last_draw >= gap_ns;
}

static bool is_busy(void)
{
	return is_on() && elapsed() / GAP_PART < 2 * GAP_NS;
}

/* ---- the end of watches -------------------------------------------------------------------- */

static void send(struct link_ring *ring, const struct chosen *c, const struct object_watch *w)
{
	struct wire_next_use *rec = link_reserve(ring, WIRE_NEXT_USE, sizeof *rec);

	if (!rec)
		return;
	const struct wire_rec head = rec->rec;
	*rec = c->use;
	rec->rec = head;
	rec->rec.thread = c->thread;
	rec->start_ns = w->start_ns - ojx.start_ns;
	rec->end_ns = w->end_ns - ojx.start_ns;
	rec->outcome = (uint16_t)w->outcome;
	link_commit(ring);
}

/* Tells the user once if watches never work. */
static void count_failure(bool failed)
{
	failures = failed ? failures + 1 : 0;
	if (failures < FAILURES || told)
		return;
	told = true;
	link_note("when objects are used is not known: not all threads can be watched (too many "
		  "threads, too low a limit of open files, or threads that block SIGURG)");
}

/*
 * From when on uses may have been missed, the watch tells nothing. Whether that comes does not
 * depend on uses, but on how long the watch waits: it is told as given up, not left out.
 */
static void end_where_spoiled(struct object_watch *w)
{
	uint64_t spoiled = atomic_load_explicit(&w->spoiled_ns, memory_order_acquire);

	if (spoiled && spoiled < w->end_ns) {
		w->end_ns = spoiled;
		w->outcome = WIRE_NEXT_OPEN;
	}
	if (w->outcome == OBJECT_WATCH_LOST)
		w->outcome = WIRE_NEXT_OPEN;
}

/* Short watches are not given up for lack of budget: busy times would have fewer of them. */
static bool is_over(const struct chosen *c)
{
	if (!atomic_load_explicit(&ojx.watch_on, memory_order_acquire) || now_ns() >= c->until_ns)
		return true;
	return c->use.flags & WIRE_NEXT_PATIENT && !watch_affordable();
}

static void finish_if_over(struct link_ring *ring, uint32_t i, bool final)
{
	struct object_watch *w = &object_watches[i];

	if (atomic_load_explicit(&w->state, memory_order_acquire) == OBJECT_WATCH_WATCHING &&
	    (final || is_over(&chosen[i])))
		object_watch_end(w, WIRE_NEXT_OPEN);
	if (atomic_load_explicit(&w->state, memory_order_acquire) != OBJECT_WATCH_ENDED)
		return;
	if (!object_watch_release(w))
		return;
	count_failure(!chosen[i].begun);
	end_where_spoiled(w);
	if (chosen[i].use.flags & WIRE_NEXT_PATIENT)
		kept_ns[w->nwords > NEXT_USE_FEW] += w->end_ns - w->start_ns;
	if (chosen[i].begun)
		send(ring, &chosen[i], w);
}

/* Armed registers make context switches slower. */
static void charge_switches(void)
{
	static long before;
	static bool armed;
	struct rusage u;

	if (!armed && !is_any_armed())
		return;
	if (getrusage(RUSAGE_SELF, &u) != 0)
		return;
	long switches = u.ru_nvcsw + u.ru_nivcsw;
	if (armed) {
		uint64_t ns = (uint64_t)(switches - before) * SWITCH_NS;
		status_add(cost.trap_ns, ns);
		watch_charge(ns);
	}
	before = switches;
	armed = is_any_armed();
}

/* ---- the beginning of a watch -------------------------------------------------------------- */

/* The registers of a thread. */
struct registers {
	uint32_t free, patient;	   /* of no watch; of patient ones */
	struct object_watch *next; /* a watch that is free, or NULL */
};

static struct registers registers_now(void)
{
	struct registers r = { .free = WATCH_SLOTS };

	for (uint32_t i = 0; i < OBJECT_WATCHES; i++) {
		if (atomic_load_explicit(&object_watches[i].state, memory_order_acquire) ==
		    OBJECT_WATCH_FREE) {
			r.next = &object_watches[i];
			continue;
		}
		r.free -= object_watches[i].nwords;
		if (chosen[i].use.flags & WIRE_NEXT_PATIENT)
			r.patient += object_watches[i].nwords;
	}
	return r;
}

/* How long a patient watch waits, ns. */
static uint64_t patience(void)
{
	uint64_t part = elapsed() / PATIENT_PART;

	if (part > PATIENT_NS)
		return PATIENT_NS;
	return part > WIRE_NEXT_PATIENT_NS ? part : WIRE_NEXT_PATIENT_NS;
}

/* `seconds`: for which the draw stands. */
static void watch(struct object_watch *w, const struct drawn *d, uint32_t flags, double seconds)
{
	const struct live_heap_held *e = &live_heap_table.entries[d->entry];
	struct chosen *c = &chosen[w - object_watches];
	uint64_t epoch = epoch_now();
	uintptr_t place;

	c->use = (struct wire_next_use){
		.context = e->context,
		.ticket = lifetimes_ticket(d->entry, d->birth_ns),
		.size = e->size,
		.weight = e->weight * d->stands_for * seconds,
		.birth_ns = d->birth_ns,
		.flags = (uint16_t)flags,
	};
	c->thread = e->thread;
	c->until_ns = now_ns() + (flags & WIRE_NEXT_PATIENT ? patience() : WIRE_NEXT_SHORT_NS);
	w->entry = d->entry;
	w->handle = e->handle;
	w->birth_ns = d->birth_ns;
	c->begun = false;
	if (lifetimes_place(w->entry, w->handle, w->birth_ns, &place) && place &&
	    epoch != UINT64_MAX && epoch_is(epoch))
		c->begun = object_watch_begin(w, place, epoch);
}

/*
 * The seconds for which a draw of a kind stands: those since the last one, but not more than about
 * two gaps. While a watch keeps the registers there are no draws, and the next draw comes just when
 * the watch has ended. That time must not all count for this draw.
 */
static double time_of_draw(bool many)
{
	uint64_t last = last_of_kind[many] ? last_of_kind[many] : last_draw - GAP_NS;
	uint64_t since = last_draw - last, most = 2 * gap_ns + GAP_OVER_NS;

	last_of_kind[many] = last_draw;
	return (double)(since < most ? since : most) / 1e9;
}

/*
 * Adapts the time between draws to the budget. When a draw is made must not depend on what the
 * program does. Busy times earn more budget; if draws waited for budget, they would all fall into
 * busy times. So the time between draws follows the budget slowly, and a draw that is due is made
 * even if it costs more than there is.
 */
static void adapt_gap(void)
{
	uint64_t part = elapsed() / GAP_PART, least = part > GAP_NS ? part : GAP_NS;

	gap_ns = watch_saved() ? gap_ns - gap_ns / 64 : gap_ns + gap_ns / 16;
	if (gap_ns < least)
		gap_ns = least;
	if (gap_ns > GAP_MOST_NS || failures >= FAILURES)
		gap_ns = GAP_MOST_NS;
}

/* Each kind has its turn for as long as its objects are many, or large. */
static bool turn_of_many(void)
{
	return (double)(elapsed() % TURNS_NS) / TURNS_NS < next_use_share_of_many();
}

/* The share of the time in which a kind has its turn. */
static double share_of_turns(bool many)
{
	double share = many ? next_use_share_of_many() : 1 - next_use_share_of_many();

	return share > LEAST_TURN ? share : LEAST_TURN;
}

/*
 * Whether a patient watch may keep registers now. While it does, no object that needs many
 * registers can be watched; if it needs many itself, no object at all. So the patient watches of a
 * kind may keep registers for its share of the time only.
 */
static bool may_keep(bool many)
{
	return share_of_turns(many) * (double)elapsed() >
	       (double)kept_ns[many] + (double)patience() / 4;
}

static void begin_next(uint64_t *random)
{
	struct drawn d, fresh[2] = { { .n = 0 } };
	struct registers r = registers_now();

	if (!r.next || r.free < NEXT_USE_FEW)
		return;
	last_draw = now_ns();
	adapt_gap();
	next_use_count(fresh, random);
	bool many = turn_of_many();
	if (many && r.free < WATCH_SLOTS)
		return;
	/* a patient watch may keep registers, and time, from the others */
	bool patient = r.patient == 0 && may_keep(many);
	bool is_fresh = patient && fresh[many].n && random_below(random, FRESH_ONE_IN) == 0;
	if (is_fresh)
		d = fresh[many];
	else if (!next_use_draw(&d, many, random))
		return;
	/*
	 * the draws of a kind add up to the time of its turns; they are to stand for all of the
	 * time
	 */
	double seconds = is_fresh ? 1 : time_of_draw(many) / share_of_turns(many);
	patient = patient && (is_fresh || random_below(random, PATIENT_ONE_IN) == 0);
	bool whole = next_use_choose_words(r.next, &live_heap_table.entries[d.entry], random);
	watch(r.next, &d,
	      (patient ? WIRE_NEXT_PATIENT : 0u) | (is_fresh ? WIRE_NEXT_FRESH : 0u) |
		      (whole ? WIRE_NEXT_WHOLE : 0u),
	      seconds);
}

/* Ends, sends and begins watches. `final`: ends all. */
static void look_after(struct link_ring *ring, bool final)
{
	struct thread *self = thread_known();
	uint64_t start = cpu_ns();

	if (!next_use_wanted() || !self)
		return;
	charge_switches();
	for (uint32_t i = 0; i < OBJECT_WATCHES; i++)
		finish_if_over(ring, i, final);
	if (!final && is_due())
		begin_next(&self->random);
	watch_charge(cpu_ns() - start);
}

/* ---- as a part of the agent ---------------------------------------------------------------- */

static const char *init(const struct part_start *start)
{
	(void)start;
	if (!next_use_wanted())
		return PART_UNASKED;
	slots_add_user(&object_watch_user);
	return NULL;
}

static void serve(const struct part_turn *turn)
{
	if (!turn->final)
		look_after(turn->ring, false);
}

static void hurry(const struct part_turn *turn)
{
	if (is_due())
		look_after(turn->ring, false);
}

/* The registers are still armed: they tell what was not used until now. */
static void end(const struct part_turn *turn)
{
	look_after(turn->ring, true);
}

const struct part next_use_part = {
	.name = "next uses",
	.of_objects = true,
	.init = init,
	.gc_start = object_watch_gc_start,
	.gc_finish = object_watch_gc_finish,
	.serve = serve,
	.is_urgent = is_busy,
	.hurry = hurry,
	.end = end,
};
