/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lifetimes.c - see lifetimes.h. Parallel to the table of held objects.
 *
 * The VM thread writes `alive` and `dead` in pauses, and the service thread reads them. It accepts
 * what it has read if no pause came in between.
 *
 * In a pause the agent reads slots that the service thread may be about to release. Weak references
 * are deleted inside the VM, which a thread cannot enter during a pause. The slots of G1's large
 * arrays (humongous.h) are freed and filled at any time, but only after the object's record was
 * sent or given up: what a pause still writes of its life, nobody reads.
 */
#include "heap/lifetimes.h"

#include <string.h>

#include "core/link.h"
#include "core/memory.h"
#include "heap/allocation.h"
#include "heap/collections.h"
#include "heap/lifetimes_room.h"
#include "heap/live_heap_view.h"
#include "hotspot/vmstructs.h"
#include "hotspot/weak.h"

#define CENSUS_NS    5000000000u /* least time between two, */
#define CENSUS_SHARE 4		 /* or this part of the run time */
#define ROOM_NS	     1000000000u /* time between two checks of what pauses have cost */
#define PAUSE_SHARE  0.25	 /* part of the budget that lives may add to pauses */
#define PAUSE_STEP   1000000	 /* ns */
#define PAUSE_STEPS  100

struct life {
	struct wire_heap_time birth, before, alive, dead;
};

/* A pause reads these two of all objects. Each is an array of its own, so that this is fast. */
static _Atomic uintptr_t *handles; /* jweak; 0: the entry is not in use */
/* seq_cst: a new object's place is set while a pause may set it, too */
static _Atomic uintptr_t *places; /* addresses after the last collection; 0: unknown */
static struct life *lives;
static uint32_t last_count, last_full; /* of collections, at the end of the last pause */
static bool announced;		       /* before this pause, no collection came without an event */
static struct wire_heap_time collected, marked;
static _Atomic uint64_t pause_ns; /* what lives have added to pauses so far */

/*
 * Young collections of CMS and of generational Shenandoah leave references to dead old objects as
 * they are, and nothing tells such a collection from one of all objects.
 */
static bool finds_all_dead(const struct vmstructs *vm)
{
	const char *mode = vmstructs_text_flag(vm, "ShenandoahGCMode");
	bool generational = mode && strcmp(mode, "generational") == 0;

	return strcmp(ojx.gc, "CMS") != 0 && !(strcmp(ojx.gc, "Shenandoah") == 0 && generational);
}

static bool allocate(JNIEnv *jni)
{
	handles = memory_new(ALIVE_MAX, sizeof *handles);
	places = memory_new(ALIVE_MAX, sizeof *places);
	if (handles && places && (!ojx.stays || old_canaries_init(jni)))
		lives = memory_new(ALIVE_MAX, sizeof *lives);
	return lives != NULL;
}

static const char *init(const struct part_start *start)
{
	if (!(ojx.config.flags & WIRE_LIVES))
		return PART_UNASKED;
	if (!live_heap_table.entries || !finds_all_dead(start->vm) || !heap_time_init(start->vm)) {
		link_note("the lives of objects cannot be followed with this collector, JDK and "
			  "options");
		return "deaths or collections cannot be told";
	}
	last_count = heap_time_vm_collections();
	last_full = heap_time_full_collections();
	return allocate(start->jni) ? NULL : "out of memory";
}

bool lifetimes_wanted(void)
{
	return lives != NULL;
}

/* ---- objects come and go ----------------------------------------------------------------- */

void lifetimes_begin(uint32_t i, jweak handle)
{
	if (!lives)
		return;
	uint64_t epoch = epoch_now();
	uintptr_t unknown = 0, place = weak_slot(handle);
	struct wire_heap_time now = heap_time_now();

	lives[i] = (struct life){ .birth = now, .before = now, .alive = now };
	atomic_store_explicit(&places[i], 0, memory_order_seq_cst);
	atomic_store_explicit(&handles[i], (uintptr_t)handle, memory_order_release);
	/*
	 * If there was a pause meanwhile, the address is an outdated one. epoch_is() only acquires.
	 */
	atomic_thread_fence(memory_order_seq_cst);
	if (epoch != UINT64_MAX && epoch_is(epoch))
		atomic_compare_exchange_strong_explicit(&places[i], &unknown, place,
							memory_order_seq_cst, memory_order_seq_cst);
}

void lifetimes_end(uint32_t i)
{
	if (lives)
		atomic_store_explicit(&handles[i], 0, memory_order_release);
}

/* ---- in pauses --------------------------------------------------------------------------- */

/* [pause] */
static void gc_start(void)
{
	announced = heap_time_vm_collections() == last_count;
}

/* [pause] Which collection ends now. */
static enum old_pause pause_now(void)
{
	uint32_t collections = heap_time_vm_collections() - last_count;
	uint32_t full = heap_time_full_collections() - last_full;

	last_count += collections;
	last_full += full;
	if (!announced)
		return OLD_OTHER;
	return !collections ? OLD_MARKS : full > 0 && full <= collections ? OLD_FULL : OLD_YOUNG;
}

/* [pause] */
static void was_alive(struct life *l, const struct wire_heap_time *at)
{
	l->before = l->alive;
	l->alive = *at;
}

/* [pause] Looks at an object. `moves`: if it has moved, it was alive just now. */
static void look_at(uint32_t i, bool moves, const struct wire_heap_time *now)
{
	uintptr_t handle = atomic_load_explicit(&handles[i], memory_order_acquire);
	uintptr_t place = handle ? weak_slot((jweak)handle) : 0;
	uintptr_t before = atomic_load_explicit(&places[i], memory_order_relaxed);

	if (!handle || lives[i].dead.ns)
		return;
	if (!place)
		lives[i].dead = *now;
	else if (moves && before && place != before)
		was_alive(&lives[i], now);
	if (place != before)
		atomic_store_explicit(&places[i], place, memory_order_relaxed);
}

/*
 * [pause] A collection has shown: what still exists and was made before this moment was alive then.
 */
static void mark_all(const struct wire_heap_time *alive)
{
	marked = *alive;
	for (uint32_t i = 0; i < atomic_load_explicit(&live_heap_table.used, memory_order_acquire);
	     i++) {
		struct life *l = &lives[i];
		if (atomic_load_explicit(&handles[i], memory_order_acquire) && !l->dead.ns &&
		    l->birth.ns <= alive->ns && l->alive.ns < alive->ns)
			was_alive(l, alive);
	}
}

/* [pause] `epoch`: the next one. */
static void gc_finish(uint64_t epoch)
{
	struct wire_heap_time now, alive;
	uint64_t start = now_ns();

	(void)epoch;
	if (!ojx.stays)
		return;
	enum old_pause pause = pause_now();
	bool moves = pause == OLD_YOUNG || pause == OLD_FULL;
	if (pause != OLD_MARKS)
		heap_time_collected();
	now = heap_time_now();
	for (uint32_t i = 0; i < atomic_load_explicit(&live_heap_table.used, memory_order_acquire);
	     i++)
		look_at(i, moves, &now);
	if (moves)
		collected = now;
	if (old_canaries_gc_finish(pause, &now, &alive))
		mark_all(&alive);
	atomic_fetch_add_explicit(&pause_ns, now_ns() - start, memory_order_relaxed);
}

bool lifetimes_place(uint32_t i, jweak handle, uint64_t birth_ns, uintptr_t *place)
{
	if (atomic_load_explicit(&handles[i], memory_order_acquire) != (uintptr_t)handle ||
	    lives[i].birth.ns != birth_ns)
		return false;
	*place = weak_slot(handle);
	return true;
}

/* ---- on the service thread --------------------------------------------------------------- */

void lifetimes_still_held(uint32_t i)
{
	struct wire_heap_time horizon = canaries_horizon_time();

	if (!lives || ojx.stays)
		return;
	if (lives[i].birth.ns <= horizon.ns && lives[i].alive.ns < horizon.ns)
		was_alive(&lives[i], &horizon);
	if (horizon.ns > marked.ns)
		collected = marked = horizon;
}

bool lifetimes_read(uint32_t i, struct wire_life *to)
{
	uint64_t epoch = epoch_now();

	*to = (struct wire_life){
		.birth = lives[i].birth,
		.before = lives[i].before,
		.alive = lives[i].alive,
		.dead = lives[i].dead,
	};
	if (epoch != UINT64_MAX && epoch_is(epoch))
		return true;
	to->before = to->alive = to->birth;
	to->dead = (struct wire_heap_time){ 0 };
	return false;
}

/* Not the ticket by which the table is thinned: the two must be independent. */
uint32_t lifetimes_ticket(uint32_t i, uint64_t birth_ns)
{
	uint64_t mixed = birth_ns ^ (uint64_t)live_heap_table.entries[i].ticket << 32 ^ i;

	return (uint32_t)random_next(&mixed);
}

static void send(struct link_ring *ring, uint16_t type, uint32_t i, const struct wire_life *life)
{
	const struct live_heap_held *e = &live_heap_table.entries[i];
	struct wire_life *rec = link_reserve(ring, type, sizeof *rec);

	if (!rec)
		return;
	rec->rec.thread = e->thread;
	rec->context = e->context;
	rec->ticket = lifetimes_ticket(i, life->birth.ns);
	rec->size = e->size;
	rec->weight = e->weight;
	rec->birth = life->birth;
	rec->before = life->before;
	rec->alive = life->alive;
	rec->dead = life->dead;
	link_commit(ring);
}

bool lifetimes_died(struct link_ring *ring, uint32_t i)
{
	struct wire_life life;

	if (!lives)
		return true;
	if (!lifetimes_read(i, &life))
		return false;
	/* with Serial, Parallel and G1: a collection came without an event */
	if (!life.dead.ns)
		life.dead = heap_time_now();
	send(ring, WIRE_LIFE, i, &life);
	return true;
}

/*
 * Sends what the census has to say of an object. An object that was found dead before the census
 * began is not in it: a record of its own tells of the death, usually later. With `final` there is
 * no later, so that record is sent now. An object that was found dead after the census began gives
 * both records.
 */
static bool send_living(struct link_ring *ring, uint32_t i, const struct wire_heap_time *now,
			bool final)
{
	struct wire_life life;

	if (!live_heap_is_held(&live_heap_table.entries[i]))
		return false;
	lifetimes_read(i, &life);
	bool dead = life.dead.ns && life.dead.ns <= now->ns;
	if (dead && final)
		send(ring, WIRE_LIFE, i, &life);
	if (dead || life.birth.ns > now->ns)
		return false;
	life.dead = (struct wire_heap_time){ 0 };
	send(ring, WIRE_LIVING, i, &life);
	return true;
}

/* Waits for the end of a pause first, but not for long. */
static void send_census(struct link_ring *ring, bool final)
{
	const struct timespec step = { .tv_nsec = PAUSE_STEP };

	for (int k = 0; k < PAUSE_STEPS && epoch_now() == UINT64_MAX; k++)
		nanosleep(&step, NULL);
	struct wire_heap_time now = heap_time_now();
	struct wire_census *end;
	uint32_t n = 0;

	for (uint32_t i = 0; i < atomic_load_explicit(&live_heap_table.used, memory_order_acquire);
	     i++)
		n += send_living(ring, i, &now, final);
	end = link_reserve(ring, WIRE_CENSUS, sizeof *end);
	if (!end)
		return;
	end->objects = n;
	end->pad = 0;
	end->now = now;
	end->collected = collected;
	end->marked = marked;
	link_commit(ring);
}

/* Sets how many objects may be held, so that pauses stay short: the more collections, the fewer. */
static void steer_room(uint64_t now)
{
	static uint64_t last, spent_then;
	uint64_t spent = atomic_load_explicit(&pause_ns, memory_order_relaxed);

	if (now - last < ROOM_NS)
		return;
	double share = (double)(spent - spent_then) / (double)(now - last);
	double limit = ojx.config.budget / 100 * PAUSE_SHARE;
	atomic_store_explicit(
		&live_heap_table.room,
		lifetimes_room(atomic_load_explicit(&live_heap_table.room, memory_order_relaxed),
			       atomic_load_explicit(&live_heap_table.count, memory_order_relaxed),
			       ALIVE_MAX, share, limit),
		memory_order_relaxed);
	last = now;
	spent_then = spent;
}

void lifetimes_service(JNIEnv *jni, struct link_ring *ring, bool final)
{
	static uint64_t next = CENSUS_NS;
	uint64_t now = now_ns() - ojx.start_ns;

	if (!lives)
		return;
	if (!final && ojx.stays) {
		old_canaries_service(jni);
		steer_room(now);
	}
	if (!final && now < next)
		return;
	send_census(ring, final);
	next = now + (now / CENSUS_SHARE > CENSUS_NS ? now / CENSUS_SHARE : CENSUS_NS);
}

void lifetimes_release(JNIEnv *jni)
{
	if (lives)
		old_canaries_release(jni);
}

/* Bytes are one of the clocks of lives. */
static void count_bytes(struct allocation *a)
{
	heap_time_allocated(a->weight * (double)a->size);
}

const struct part lifetimes_part = {
	.name = "lives",
	.of_objects = true,
	.init = init,
	.sampled = count_bytes,
	.gc_start = gc_start,
	.gc_finish = gc_finish,
};
