/* SPDX-License-Identifier: Apache-2.0 */
/*
 * live_heap_view.c - takes snapshots of the held objects. See live_heap.h.
 *
 * Only for its snapshot an object gets a local reference: with every collector the address there is
 * valid for the rest of the epoch. Large arrays of G1 get none (humongous.h). Their slot has the
 * address, which is valid as long: their memory is taken back in pauses.
 */
#include "heap/live_heap_view.h"

#include <string.h>

#include "core/link.h"
#include "core/memory.h"
#include "core/peek.h"
#include "heap/alloc_interval.h"
#include "heap/collections.h"
#include "heap/deep.h"
#include "heap/pending_objects.h"
#include "hotspot/weak.h"

struct live_heap_table live_heap_table = { .room = ALIVE_MAX };

/* [pause] */
bool live_heap_is_held(const struct live_heap_held *e)
{
	return atomic_load_explicit(&e->state, memory_order_acquire) == ALIVE_HELD;
}

#define STRIDE	      2531u	  /* coprime to ALIVE_MAX */
#define COPY_ROOM     (1u << 20)  /* bytes of objects copied at once */
#define SLOTS_SENT    8		  /* fields: enough to tell whether strings share an array */
#define VIEW_NS	      5000000000u /* least time between views, */
#define VIEW_SHARE    4		  /* or this part of the run time, */
#define VIEW_COST     500	  /* or so many times the cost of one */
#define VIEW_MAX_NS   20000000u	  /* CPU time of one view */
#define EXACT_VIEW_NS 500000000u
#define VIEW_PATIENCE 4 /* so many times as long in wall time: VMDeath waits for the last one */
#define ATTEMPTS      3 /* to take snapshots without a collection in between */

static unsigned char *copy;
static struct entry looked[PEEK_BATCH]; /* objects of the current batch */

bool live_heap_view_init(void)
{
	copy = memory_new(1, COPY_ROOM);
	return copy != NULL;
}

struct view {
	JNIEnv *jni;
	struct link_ring *ring;
	uint64_t horizon;
	uint64_t deadline; /* if no other thread takes the processor; 0: the time is up */
	uint64_t cpu_end, last;
	uint32_t objects;
	struct live_heap_held *batch[PEEK_BATCH];
	uint32_t n;
};

/* Reports that the strings of a context are unknown, since some were too long. */
static void send_unheld(struct view *v, const struct live_heap_held *e)
{
	struct wire_snapshot *snapshot = link_reserve(v->ring, WIRE_ALIVE, sizeof *snapshot);

	v->objects++;
	if (!snapshot)
		return;
	*snapshot = (struct wire_snapshot){
		.rec = snapshot->rec,
		.context = e->context,
		.flags = WIRE_UNHELD,
		.weight = 1,
	};
	snapshot->rec.thread = e->thread;
	link_commit(v->ring);
}

static void send(struct view *v, const struct live_heap_held *e, const struct entry *l)
{
	const struct content *c = &l->content;
	bool seen = l->state == ENTRY_SNAPPED;
	uint8_t nslots = seen && c->nslots <= SLOTS_SENT ? c->nslots : 0;
	/* large objects are never seen, and count as equal to nothing */
	uint16_t unseen = e->size > COPY_ROOM ? WIRE_PARTIAL : WIRE_UNSEEN;
	uint16_t flags = seen ? l->flags & ~WIRE_FIXED : unseen;
	uint32_t len = wire_snapshot_len(nslots, flags);
	struct wire_snapshot *snapshot;

	/* a reference may be older than the last move of its object */
	if ((flags & WIRE_REFS) &&
	    atomic_load_explicit(&ojx.moves_concurrently, memory_order_relaxed))
		flags |= WIRE_PARTIAL;
	v->objects++;
	snapshot = link_reserve(v->ring, WIRE_ALIVE, len);
	if (!snapshot)
		return;
	*snapshot = (struct wire_snapshot){
		.rec = snapshot->rec,
		.context = e->context,
		.array_length = e->array_length,
		.epoch =
			(uint32_t)epoch_of(atomic_load_explicit(&ojx.gc_seq, memory_order_acquire)),
		.flags = flags,
		.nslots = nslots,
		.zeros = nslots ? c->zeros : 0,
		.weight = e->weight,
		.ticket = e->ticket,
	};
	snapshot->rec.thread = e->thread;
	if (seen) {
		snapshot->content = c->hash;
		snapshot->deep = l->deep.hash;
		snapshot->nodes = l->deep.nodes;
		snapshot->deep_bytes = l->deep.bytes;
	}
	memcpy(snapshot + 1, c->slot, nslots * sizeof(uint32_t));
	if (flags & WIRE_FILLED)
		memcpy((unsigned char *)snapshot + len - sizeof l->fill, &l->fill, sizeof l->fill);
	link_commit(v->ring);
}

/* Prepares an object for its snapshot. False if it is dead. */
static bool prepare(JNIEnv *jni, const struct live_heap_held *e, struct entry *l)
{
	jobject object;
	uintptr_t at = weak_address(jni, e->handle, &object);

	/* loading a reference makes the JVM update its slot to the object's current address */
	if (object && live_heap_table.string &&
	    (*jni)->IsInstanceOf(jni, object, live_heap_table.string))
		(*jni)->GetObjectField(jni, object, live_heap_table.string_value);
	*l = (struct entry){
		.state = ENTRY_BUSY,
		.class_id = e->class_id,
		.object = at,
		.array_length = e->array_length,
	};
	return at != 0;
}

/* Takes the snapshots of a batch within one epoch. False if the epoch ended. */
static bool look_at(struct view *v)
{
	uint64_t epoch = epoch_now();
	struct copy_run run = { .n = 0 };
	const struct snapshot_how how = { .epoch = epoch,
					  .deep = deep_service(),
					  .deep_until = v->deadline ? v->cpu_end : 0 };
	uint32_t n = 0;

	if (epoch == UINT64_MAX || (*v->jni)->PushLocalFrame(v->jni, 2 * PEEK_BATCH) != 0)
		return false;
	for (uint32_t i = 0; i < v->n; i++) {
		if (!prepare(v->jni, v->batch[i], &looked[n]))
			continue;
		v->batch[n] = v->batch[i];
		if (!run_add(&run, &looked[n], copy, COPY_ROOM)) {
			run_finish(&run, &how);
			if (!run_add(&run, &looked[n], copy, COPY_ROOM))
				atomic_store_explicit(&looked[n].state, ENTRY_GONE,
						      memory_order_release); /* too large */
		}
		n++;
	}
	run_finish(&run, &how);
	(*v->jni)->PopLocalFrame(v->jni, NULL);
	v->n = n;
	return epoch_is(epoch);
}

static void finish_batch(struct view *v)
{
	bool good = false;

	for (int i = 0; i < ATTEMPTS && !good; i++)
		good = look_at(v);
	if ((*v->jni)->ExceptionCheck(v->jni))
		(*v->jni)->ExceptionClear(v->jni);
	for (uint32_t i = 0; i < v->n; i++) {
		if (!good)
			atomic_store_explicit(&looked[i].state, ENTRY_GONE, memory_order_release);
		send(v, v->batch[i], &looked[i]);
	}
	v->n = 0;
}

/* Sets the deadline for the case that the thread keeps its processor from now on. */
static void set_deadline(struct view *v)
{
	uint64_t now = now_ns(), spent = cpu_ns();

	v->deadline = now < v->last && spent < v->cpu_end ? now + (v->cpu_end - spent) : 0;
}

/* Whether the time of a view is up. Other threads may have used some of it. */
static bool time_is_up(struct view *v)
{
	if (v->deadline && now_ns() >= v->deadline)
		set_deadline(v);
	return !v->deadline;
}

/*
 * Adds an entry, in random order: each object is equally likely to be left out when time runs out.
 */
static void add_to_view(struct view *v, struct live_heap_held *e)
{
	static const struct entry unseen = { .state = ENTRY_GONE };

	if (atomic_load_explicit(&e->state, memory_order_acquire) == ALIVE_UNHELD)
		send_unheld(v, e);
	if (!live_heap_is_held(e) || e->time > v->horizon)
		return;
	if (time_is_up(v)) {
		finish_batch(v);
		if (!weak_is_dead(v->jni, e->handle))
			send(v, e, &unseen);
		return;
	}
	v->batch[v->n++] = e;
	if (v->n == PEEK_BATCH)
		finish_batch(v);
}

static void send_view(struct view *v)
{
	static uint64_t random;
	uint64_t now = now_ns(), may = alloc_exact() ? EXACT_VIEW_NS : VIEW_MAX_NS;
	uint32_t start;

	random += ojx.config.seed;
	start = (uint32_t)random_below(&random, ALIVE_MAX);
	v->cpu_end = cpu_ns() + may;
	v->last = now + VIEW_PATIENCE * may;
	set_deadline(v);
	for (uint32_t k = 0; k < ALIVE_MAX; k++)
		add_to_view(v, &live_heap_table.entries[(start + k * STRIDE) % ALIVE_MAX]);
	finish_batch(v);
	struct wire_view *end = link_reserve(v->ring, WIRE_VIEW, sizeof *end);
	if (!end)
		return;
	end->objects = v->objects;
	end->leaves = live_heap_table.leaves ? ALIVE_LEAF_MAX : 0;
	if (atomic_load_explicit(&live_heap_table.strings, memory_order_relaxed))
		end->leaves |= WIRE_STRINGS_HELD;
	end->interval = atomic_load_explicit(&live_heap_table.interval, memory_order_relaxed);
	end->age_ms = (now - v->horizon) / 1000000;
	link_commit(v->ring);
}

/* Sends a view if there is something new and the last view was not recent. */
void live_heap_view(JNIEnv *jni, struct link_ring *ring, bool final)
{
	static uint64_t next, told;
	uint64_t now = now_ns(), horizon = canaries_horizon(), pause;
	struct view v = { .jni = jni, .ring = ring, .horizon = horizon };

	if (!horizon || (!final && (told == horizon || now < next)))
		return;
	told = horizon;
	send_view(&v);
	pause = VIEW_COST * (now_ns() - now);
	if (pause < (now - ojx.start_ns) / VIEW_SHARE)
		pause = (now - ojx.start_ns) / VIEW_SHARE;
	next = now_ns() + (pause > VIEW_NS ? pause : VIEW_NS);
}
