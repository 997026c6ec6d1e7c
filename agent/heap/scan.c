/* SPDX-License-Identifier: Apache-2.0 */
/*
 * scan.c - see scan.h. Decides when to take snapshots of pending objects, and sends them.
 *
 * An address is valid until the next GC start. Then the Java threads stand still and every
 * object is still in its place, dead or alive. In that pause objects are read in place (Serial,
 * Parallel, G1) or through the kernel (Z, Shenandoah: their survivors move between pauses, so an
 * object that was sampled just before a pause may be gone). Pauses must not become much longer.
 * So the service thread takes snapshots as soon as objects are old enough: it copies them
 * through the kernel, then checks that the epoch has not changed. For the pause remain second
 * looks at how full objects are, the youngest objects, and second snapshots of the others if there
 * is time (scan_pause.c).
 *
 * Objects beyond the budget are skipped at random; the snapshots stand for the skipped ones,
 * too.
 */
#include "heap/scan.h"

#include <math.h>
#include <string.h>

#include "core/cost.h"
#include "core/link.h"
#include "core/memory.h"
#include "core/peek.h"
#include "core/trace.h"
#include "heap/alloc_interval.h"
#include "heap/deep.h"
#include "heap/pending_objects.h"
#include "heap/scan_pause.h"
#include "hotspot/mark_word.h"
#include "hotspot/metadata/classbuild.h"
#include "wire/wire.h"

#define LOW_WATER	   6	     /* with fewer free batches, finished ones are sent at once */
#define SERVICE_MIN_AGE_NS 20000000u /* younger objects may be under construction; */
#define EPOCH_PART	   8 /* where epochs are short, only those younger than such a part */
#define FINAL_MIN_AGE_NS   2000000u
#define FINAL_NS	   20000000u   /* least time of the last round */
#define OLD_NS		   1000000000u /* so long the last object of a thread may be unfinished */
#define SEND_NS		   5000000000u /* snapshots are sent after this time: a JVM may be killed */
#define COPY_MAX	   (1u << 20)  /* bytes of objects that the service thread copies at once */
#define USUAL_SNAPSHOTS	   128.0 /* snapshots that the usual factor counts as, see skipped_factor */
#define USUAL_OBJECTS	   4096.0 /* pending objects over which the usual factor is averaged */
#define CARRY_SNAPSHOTS	   1024.0 /* snapshots over which the carried-over objects are spread */
#define HURRY_LEAST	   32u	  /* with so many objects in a round, the next one comes earlier */

static _Atomic uint64_t service_allowance;
static unsigned char *service_copy;
static uint64_t service_left;	       /* rest of the allowance, for `hurry` */
static uint32_t round_objects;	       /* pending objects of the last round; */
static uint32_t most_now, most_before; /* the most of a round, in this tick and in the last */
static struct {
	uint64_t ns;	  /* CPU time of the service thread's snapshots, and of sending all */
	uint64_t objects; /* objects with a snapshot, including those of pauses */
} work;

/* ---- on the service thread --------------------------------------------------------------- */

static void send_entry(struct link_ring *ring, const struct entry *e, uint64_t epoch, double factor)
{
	struct wire_snapshot *snapshot =
		link_reserve(ring, WIRE_SNAPSHOT, wire_snapshot_len(e->content.nslots, e->flags));
	if (!snapshot)
		return;
	snapshot->rec.thread = e->thread;
	snapshot->context = e->context;
	snapshot->array_length = e->array_length;
	snapshot->epoch = (uint32_t)epoch;
	snapshot->flags = e->flags;
	snapshot->nslots = e->content.nslots;
	snapshot->content = e->content.hash;
	snapshot->weight = e->weight * factor;
	snapshot->deep = e->deep.hash;
	snapshot->ticket = e->ticket;
	snapshot->nodes = e->deep.nodes;
	snapshot->deep_bytes = e->deep.bytes;
	snapshot->exponent = e->exponent;
	snapshot->zeros = e->content.zeros;
	memcpy(snapshot + 1, e->content.slot, e->content.nslots * sizeof(uint32_t));
	if (e->flags & WIRE_FIXED)
		*wire_snapshot_fixed(snapshot) = e->fixed;
	if (e->flags & WIRE_FILLED)
		memcpy((unsigned char *)snapshot + wire_snapshot_len(e->content.nslots, e->flags) -
			       sizeof e->fill,
		       &e->fill, sizeof e->fill);
	link_commit(ring);
}

/*
 * The number of pending objects that each snapshot of a batch stands for, including skipped
 * ones. A batch with many snapshots stands mostly for itself. The factor of a batch with few is
 * drawn towards the recent usual one, or one of its snapshots would outweigh whole batches. (On a
 * busy machine five snapshots of 600 objects once had an eighth of a line's bytes.) The
 * objects that remain are carried over to the next batches, in proportion to their snapshots.
 */
static double skipped_factor(double tracked, uint32_t looked)
{
	static double carry, objects = USUAL_SNAPSHOTS, snapshots = USUAL_SNAPSHOTS;
	double more = carry * looked / (looked + CARRY_SNAPSHOTS);
	double keep = USUAL_OBJECTS / (USUAL_OBJECTS + tracked);

	objects = objects * keep + tracked;
	snapshots = snapshots * keep + looked;
	double usual = objects / fmax(snapshots, 1);
	double factor =
		fmax(0, (tracked + more + USUAL_SNAPSHOTS * usual) / (looked + USUAL_SNAPSHOTS));
	carry += tracked - factor * looked;
	return factor;
}

/* Sends the snapshots of a batch and frees it. `more`: objects that found no batch. */
static void send_batch(struct link_ring *ring, struct batch *b, uint64_t more)
{
	uint32_t n = batch_length(b), looked = 0;

	for (uint32_t i = 0; i < n; i++)
		looked += atomic_load_explicit(&b->entries[i].state, memory_order_acquire) ==
			  ENTRY_SNAPPED;
	double factor = skipped_factor(n + (double)more, looked);
	for (uint32_t i = 0; i < n; i++) {
		struct entry *e = &b->entries[i];
		if (atomic_load_explicit(&e->state, memory_order_acquire) == ENTRY_SNAPPED) {
			work.objects += e->snapshots == 1 && e->flags & WIRE_IN_PAUSE;
			if (e->text)
				string_value_send(ring, e->text, e->context, e->deep.hash);
			send_entry(ring, e, b->epoch, factor);
		}
		atomic_store_explicit(&e->state, ENTRY_FREE, memory_order_release);
	}
	status_add(scanned, looked);
	status_add(skipped, n - looked);
	atomic_store_explicit(&b->state, BATCH_FREE, memory_order_seq_cst);
}

/*
 * How old an object has to be between GCs. Where all live less than SERVICE_MIN_AGE_NS until the
 * next GC, its pause would have to look at all of them, and has time for a few.
 */
static uint64_t service_min_age(void)
{
	uint64_t part = epoch_length() / EPOCH_PART;

	return atomic_load_explicit(&ojx.epoch_ns, memory_order_relaxed) &&
			       part < SERVICE_MIN_AGE_NS
		       ? part
		       : SERVICE_MIN_AGE_NS;
}

/*
 * Takes snapshots of a batch between GCs, until the thread's CPU time reaches `deadline`. True
 * if no object is left.
 */
static bool service_batch(struct batch *b, bool final, uint64_t deadline)
{
	const uint64_t min_age = final ? FINAL_MIN_AGE_NS : service_min_age();
	struct copy_run run = { .n = 0 };
	const struct snapshot_how how = { .epoch = b->epoch,
					  .deep = deep_service(),
					  .deep_until = deadline };
	uint64_t now = now_ns();
	bool done = true;

	for (; b->settled < batch_length(b); b->settled++)
		if (atomic_load_explicit(&b->entries[b->settled].state, memory_order_acquire) <
		    ENTRY_SNAPPED)
			break;
	round_objects += batch_length(b) - b->settled;
	for (uint32_t i = b->settled; i < batch_length(b); i++) {
		struct entry *e = &b->entries[i];
		uint32_t state = atomic_load_explicit(&e->state, memory_order_acquire);
		if (state == ENTRY_FREE || state == ENTRY_READY)
			done = false;
		if (state != ENTRY_READY || e->time + min_age > now ||
		    (!final && e->time + OLD_NS > now && entry_is_last(e)) ||
		    !entry_claim(e, state))
			continue;
		if (!run_add(&run, e, service_copy, COPY_MAX)) {
			run_finish(&run, &how);
			if (cpu_ns() > deadline) {
				atomic_store_explicit(&e->state, ENTRY_READY, memory_order_release);
				return false;
			}
			if (!run_add(&run, e, service_copy, COPY_MAX))
				atomic_store_explicit(&e->state, ENTRY_GONE, memory_order_release);
		}
		work.objects++;
	}
	run_finish(&run, &how);
	return done;
}

static uint32_t free_batches(void)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < BATCHES; i++)
		n += atomic_load_explicit(&pending_objects_batch(i)->state, memory_order_seq_cst) ==
		     BATCH_FREE;
	return n;
}

/*
 * Handles an open batch: takes snapshots; retires it if it is full and room is needed, or if it
 * is old.
 */
static void service_open(struct batch *b, bool final, uint64_t deadline)
{
	bool full = atomic_load_explicit(&b->used, memory_order_acquire) >= ENTRIES;
	uint64_t age = now_ns() - b->opened;

	/* the next pause can read; or there is no time left for what is sent as it is */
	if (!peek_works_now() || (final && cpu_ns() >= deadline)) {
		if (final)
			pending_objects_retire(b);
		return;
	}
	bool done = service_batch(b, final, deadline);
	bool needed = full && free_batches() < LOW_WATER;
	if (final || (done && needed) || age > SEND_NS)
		pending_objects_retire(b);
}

/*
 * The batches that can be sent, oldest first: objects that one carries over to the next were
 * allocated at about the same time.
 */
static uint32_t closed_batches(struct batch *closed[BATCHES])
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < BATCHES; i++) {
		struct batch *b = pending_objects_batch(i);
		/* a thread may still be writing */
		if (atomic_load_explicit(&b->state, memory_order_seq_cst) != BATCH_CLOSED ||
		    atomic_load_explicit(&b->writers, memory_order_seq_cst) != 0)
			continue;
		uint32_t at = n++;
		for (; at > 0 && closed[at - 1]->opened > b->opened; at--)
			closed[at] = closed[at - 1];
		closed[at] = b;
	}
	return n;
}

/*
 * Waits until no pause holds a batch. Calls of the JVM return after the pause, and a later one
 * takes open batches only.
 */
static void await_pause(JNIEnv *jni)
{
	(*jni)->IsSameObject(jni, NULL, NULL);
}

/* A round of at most so many ns of the thread's CPU time. In the last one, all batches are sent. */
static void look_round(const struct part_turn *turn, bool final, uint64_t allowance)
{
	uint64_t start = cpu_ns(), deadline = start + allowance;
	struct batch *closed[BATCHES];

	round_objects = 0;
	for (uint32_t i = 0; i < BATCHES && (final || cpu_ns() < deadline); i++)
		if (atomic_load_explicit(&pending_objects_batch(i)->state, memory_order_seq_cst) ==
		    BATCH_OPEN)
			service_open(pending_objects_batch(i), final, deadline);
	if (final)
		await_pause(turn->jni);
	/* the pause's results, and batches that were just retired */
	uint32_t n = closed_batches(closed);
	for (uint32_t i = 0; i < n; i++)
		send_batch(turn->ring, closed[i], i + 1 == n ? pending_objects_missed() : 0);
	if (most_now < round_objects)
		most_now = round_objects;
	uint64_t spent = cpu_ns() - start;
	work.ns += spent;
	if (round_objects || n)
		trace("snapshots: a round of %.3f ms, %u objects waited, %u batches were "
		      "sent; "
		      "%llu objects so far",
		      (double)spent / 1e6, round_objects, n, (unsigned long long)work.objects);
	service_left = spent < allowance ? allowance - spent : 0;
}

static void serve(const struct part_turn *turn)
{
	uint64_t allowance = atomic_load_explicit(&service_allowance, memory_order_relaxed);
	bool final = turn->final;

	most_before = most_now;
	most_now = 0;
	look_round(turn, final, final && allowance < FINAL_NS ? FINAL_NS : allowance);
}

/*
 * Whether objects come so fast that a pause would have no time for those of the next tenth of a
 * second. After a collection none are waiting, but they come as before.
 */
static bool is_urgent(void)
{
	return (most_now >= HURRY_LEAST || most_before >= HURRY_LEAST) && service_left > 0;
}

/* With the time that the last round has left of its allowance. */
static void hurry(const struct part_turn *turn)
{
	if (is_urgent())
		look_round(turn, false, service_left);
}

/* ---- as a part of the agent -------------------------------------------------------------- */

#define SCAN_SHARE  0.3	 /* of the budget for callbacks and traps; more if the interval adapts */
#define SCAN_ROOM   1.5	 /* times the expected cost of snapshots: their rate varies */
#define PAUSE_SHARE 0.25 /* of the budget: so much of the time may go to snapshots in pauses */

static bool allocate(void)
{
	service_copy = memory_new(1, COPY_MAX);
	return pending_objects_init() && service_copy && scan_pause_init();
}

static const char *init(const struct part_start *start)
{
	if (ojx.config.flags & WIRE_NO_SCAN)
		return PART_UNASKED;
	if (!allocate())
		return "out of memory";
	mark_word_measure(start->jni);
	if (deep_init(start->jni))
		deep_together_init();
	classbuild_inners(start->jni);
	ojx.scan_on = true;
	atomic_fetch_or_explicit(&ojx.shm->status.engines, WIRE_ENGINE_SCAN, memory_order_relaxed);
	return NULL;
}

static void cost(struct part_cost *c)
{
	c->snapshot_ns += (double)work.ns;
	c->snapshots += (double)work.objects;
}

/* Sets what may be spent until the next call. */
static void budget(const struct part_budget *b)
{
	double share = b->both * SCAN_SHARE, pauses = b->share * PAUSE_SHARE;

	if (!ojx.config.interval && !alloc_exact())
		share = fmax(share, SCAN_ROOM * b->snapshot_cost * b->callbacks);
	atomic_store_explicit(&service_allowance, (uint64_t)(share * b->cpu / WIRE_COST_TIMES),
			      memory_order_relaxed);
	scan_pause_share(pauses);
}

const struct part scan_part = {
	.name = "snapshots",
	.of_objects = true,
	.init = init,
	.kept = pending_objects_add,
	.gc_start = scan_pause_begins,
	.gc_finish = scan_pause_ends,
	.serve = serve,
	.is_urgent = is_urgent,
	.hurry = hurry,
	.cost = cost,
	.budget = budget,
};
