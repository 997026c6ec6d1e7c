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
 * neither waits for the other, and there are always registers for the object that is drawn. A draw
 * stands for the time since the last one of its kind.
 */
#define _GNU_SOURCE
#include "analyse/next_use.h"

#include <sys/resource.h>

#include "analyse/object_watch.h"
#include "core/link.h"
#include "core/thread.h"
#include "heap/follow.h"
#include "heap/live_heap_table.h"
#include "heap/lives.h"
#include "heap/moment.h"
#include "hotspot/classes.h"
#include "hotspot/layout.h"
#include "perf/allowance.h"

#define GAP_NS	       20000000u   /* between two draws, at least, */
#define GAP_PART       8192	   /* and 1/GAP_PART of the time so far: records stay few; */
#define GAP_MOST_NS    1000000000u /* at most */
#define GAP_OVER_NS    200000000u  /* by which a draw may come late and stand for all of it */
#define PATIENT_ONE_IN 4
#define PATIENT_PART   8	    /* the patience grows with the time so far, */
#define PATIENT_NS     60000000000u /* up to this */
#define FRESH_ONE_IN   2
#define COUNT_NS       1000000000u  /* between counts of the objects that can be drawn; */
#define RECOUNT_NS     50000000u    /* the same after a collection */
#define ATTEMPTS       64	    /* to draw one */
#define TURNS_NS       10000000000u /* of objects that need few registers, and many */
#define WORD	       8
#define FEW	       2	  /* registers */
#define PART_WORDS     FEW	  /* that are watched of an object with too many */
#define FRESH_NS       100000000u /* after a collection objects are fresh for so long */
#define SWITCH_NS      1000	  /* what armed registers add to a context switch */
#define FAILURES       100	  /* in a row: then the user is told */

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
static uint64_t rest_until_ns;	 /* of patient watches that need many registers */
static uint32_t failures;
static bool told;

bool next_use_wanted(void)
{
	const struct wire_config *c = &ojx.config;

	return ojx.stays && lives_wanted() && !c->waste && c->flags & WIRE_NO_CONTENTS &&
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
		armed |= atomic_load(&object_watches[i].state) != OBJECT_WATCH_FREE;
	return armed;
}

static bool is_on(void)
{
	return atomic_load(&ojx.watch_on) && atomic_load(&ojx.live) && next_use_wanted();
}

bool next_use_is_due(void)
{
	return is_on() && now_ns() - last_draw >= gap_ns;
}

bool next_use_is_busy(void)
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
	uint64_t spoiled = atomic_load(&w->spoiled_ns);

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
	if (!atomic_load(&ojx.watch_on) || now_ns() >= c->until_ns)
		return true;
	return c->use.flags & WIRE_NEXT_PATIENT && !watch_affordable();
}

static void tend(struct link_ring *ring, uint32_t i, bool final)
{
	struct object_watch *w = &object_watches[i];

	if (atomic_load(&w->state) == OBJECT_WATCH_WATCHING && (final || is_over(&chosen[i])))
		object_watch_end(w, WIRE_NEXT_OPEN);
	if (atomic_load(&w->state) != OBJECT_WATCH_ENDED)
		return;
	if (!object_watch_release(w))
		return;
	count_failure(!chosen[i].begun);
	end_where_spoiled(w);
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

/* ---- the draw ------------------------------------------------------------------------------ */

/* Registers that an object needs. */
static uint32_t registers_of(const struct live_heap_held *e)
{
	uint64_t words = e->size / WORD;

	return words <= WATCH_SLOTS ? (uint32_t)words : PART_WORDS;
}

/* Whether an object can be drawn: it has survived a collection; *life: its life so far. */
static bool can_be_drawn(uint32_t i, struct wire_life *life)
{
	const struct live_heap_held *e = &live_heap_table.entries[i];

	return live_heap_is_held(e) && lives_read(i, life) && !life->dead.ns &&
	       life->alive.ns > life->birth.ns;
}

static bool needs_many(uint32_t i)
{
	return registers_of(&live_heap_table.entries[i]) > FEW;
}

/* A uniform draw from those that are offered. */
struct draw {
	uint32_t n, entry;
	uint64_t birth_ns;
};

static void offer(struct draw *d, uint32_t entry, const struct wire_life *life, uint64_t *random)
{
	if (random_below(random, ++d->n))
		return;
	d->entry = entry;
	d->birth_ns = life->birth.ns;
}

/*
 * Objects that can be drawn, by their needs, as of the last count. A count looks at all, which
 * costs more than some watches; so it is made from time to time, and if there are fresh ones.
 */
static struct {
	uint64_t ns;
	uint32_t collections, n[2];
} counted;

/* Counts, and draws one of the fresh ones of each kind. */
static void count(struct draw fresh[2], uint64_t *random)
{
	struct wire_moment now = moment_now();

	counted.n[0] = counted.n[1] = 0;
	for (uint32_t i = 0; i < atomic_load(&live_heap_table.used); i++) {
		struct wire_life life;
		if (!can_be_drawn(i, &life))
			continue;
		counted.n[needs_many(i)]++;
		if (now.collections == life.birth.collections + 1 &&
		    now.ns - life.alive.ns < FRESH_NS)
			offer(&fresh[needs_many(i)], i, &life, random);
	}
	counted.ns = now_ns();
	counted.collections = now.collections;
}

static bool is_time_to_count(void)
{
	uint64_t since = now_ns() - counted.ns;

	return since > COUNT_NS ||
	       (since > RECOUNT_NS && moment_now().collections != counted.collections);
}

/* Draws one of its kind. False if a number of attempts found none. */
static bool draw(struct draw *d, bool many, uint64_t *random)
{
	uint32_t used = atomic_load(&live_heap_table.used);

	for (int k = 0; k < ATTEMPTS && used; k++) {
		struct wire_life life;
		uint32_t i = (uint32_t)random_below(random, used);
		if (!can_be_drawn(i, &life) || needs_many(i) != many)
			continue;
		*d = (struct draw){ .n = counted.n[many], .entry = i, .birth_ns = life.birth.ns };
		return d->n > 0;
	}
	return false;
}

/*
 * The words that are watched: all if they are few, with the mark word, since a lock is used by it.
 * Of a larger array one is that with the length, which nearly every use reads, unless the compiler
 * knows it; others are random. Returns whether uses are seen for sure.
 */
static bool choose_words(struct object_watch *w, const struct live_heap_held *e, uint64_t *random)
{
	const struct klass *k = class_by_id(e->class_id);
	uint64_t all = e->size / WORD;

	w->nwords = 0;
	for (uint32_t i = 0; i < all && all <= WATCH_SLOTS; i++)
		w->word[w->nwords++] = WORD * i;
	if (all <= WATCH_SLOTS)
		return true;
	if (k && k->array)
		w->word[w->nwords++] = layout.length_offset / WORD * WORD;
	while (w->nwords < PART_WORDS) {
		uint32_t word = WORD * (uint32_t)(random_below(random, all - 1) + 1);
		bool is_new = true;
		for (uint32_t i = 0; i < w->nwords; i++)
			is_new &= w->word[i] != word;
		if (is_new)
			w->word[w->nwords++] = word;
	}
	return false;
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
		if (atomic_load(&object_watches[i].state) == OBJECT_WATCH_FREE) {
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
static void watch(struct object_watch *w, const struct draw *d, uint32_t flags, double seconds)
{
	const struct live_heap_held *e = &live_heap_table.entries[d->entry];
	struct chosen *c = &chosen[w - object_watches];
	uint64_t epoch = epoch_now();
	uintptr_t place;

	c->use = (struct wire_next_use){
		.context = e->context,
		.ticket = lives_ticket(d->entry, d->birth_ns),
		.size = e->size,
		.weight = e->weight * d->n * seconds,
		.birth_ns = d->birth_ns,
		.flags = (uint16_t)flags,
	};
	c->thread = e->thread;
	c->until_ns = now_ns() + (flags & WIRE_NEXT_PATIENT ? patience() : WIRE_NEXT_SHORT_NS);
	w->entry = d->entry;
	w->handle = e->handle;
	w->birth_ns = d->birth_ns;
	c->begun = false;
	if (lives_place(w->entry, w->handle, w->birth_ns, &place) && place && epoch != UINT64_MAX &&
	    epoch_is(epoch))
		c->begun = object_watch_begin(w, place, epoch);
}

/*
 * Seconds for which a draw of a kind stands: those since the last one. But while a watch keeps the
 * registers there are no draws, and the next one comes just when it has ended, so that time is not
 * its own.
 */
static double time_of_draw(bool many)
{
	uint64_t last = last_of_kind[many] ? last_of_kind[many] : last_draw - GAP_NS;
	uint64_t since = last_draw - last, most = 2 * gap_ns + GAP_OVER_NS;

	last_of_kind[many] = last_draw;
	return (double)(since < most ? since : most) / 1e9;
}

/*
 * The time of a draw must not depend on what the program does: busy times earn more budget, and
 * draws that wait for it would all fall into these. So the gap follows the budget slowly, and a
 * draw is made when it is due, into debt if need be.
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

/* Each kind has its turn for as long as its objects are many. */
static bool turn_of_many(void)
{
	double now = (double)(elapsed() % TURNS_NS) / TURNS_NS;

	return counted.n[1] && now * (counted.n[0] + counted.n[1]) < counted.n[1];
}

static void begin_next(uint64_t *random)
{
	struct draw d, fresh[2] = { { .n = 0 } };
	struct registers r = registers_now();

	if (!r.next || r.free < FEW)
		return;
	last_draw = now_ns();
	adapt_gap();
	if (is_time_to_count())
		count(fresh, random);
	bool many = turn_of_many();
	if (many && r.free < WATCH_SLOTS)
		return;
	/* keeps registers, or time, for those that do not wait */
	bool patient = many ? last_draw >= rest_until_ns : r.patient == 0;
	bool is_fresh = patient && fresh[many].n && random_below(random, FRESH_ONE_IN) == 0;
	if (is_fresh)
		d = fresh[many];
	else if (!draw(&d, many, random))
		return;
	double seconds = is_fresh ? 1 : time_of_draw(many);
	patient = patient && (is_fresh || random_below(random, PATIENT_ONE_IN) == 0);
	if (patient && many)
		rest_until_ns = last_draw + 2 * patience();
	bool whole = choose_words(r.next, &live_heap_table.entries[d.entry], random);
	watch(r.next, &d,
	      (patient ? WIRE_NEXT_PATIENT : 0u) | (is_fresh ? WIRE_NEXT_FRESH : 0u) |
		      (whole ? WIRE_NEXT_WHOLE : 0u),
	      seconds);
}

void next_use_serve(struct link_ring *ring, bool final)
{
	struct thread *self = thread_known();
	uint64_t start = cpu_ns();

	if (!next_use_wanted() || !self)
		return;
	charge_switches();
	for (uint32_t i = 0; i < OBJECT_WATCHES; i++)
		tend(ring, i, final);
	if (!final && next_use_is_due())
		begin_next(&self->random);
	watch_charge(cpu_ns() - start);
}
