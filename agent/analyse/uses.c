/* SPDX-License-Identifier: Apache-2.0 */
/*
 * uses.c - see uses.h. As for watches, a use is a load of a field or an element: no store, no load
 * of the header or the length.
 *
 * The interrupted thread may be about to enter or leave the VM, where collections do not wait for
 * it. So objects are read through the kernel, and the result is valid if the epoch is the same
 * afterwards.
 *
 * Collectors that move objects while the program runs update references late. An older object may
 * still contain addresses of an earlier epoch, which are meaningless. So an object whose class has
 * references gives evidence only in the epoch in which it was made. The rule goes by class, not by
 * content: otherwise only older objects whose references are all null would count.
 */
#define _GNU_SOURCE
#include "analyse/uses.h"

#include "analyse/watch.h"
#include "core/thread.h"
#include "heap/content.h"
#include "hotspot/metadata/classes.h"
#include "perf/allowance.h"
#include "perf/slots.h"

#define ROOMS 4 /* for objects that are being hashed */

static struct {
	_Atomic bool taken;
	unsigned char bytes[CONTENT_ROOM];
} rooms[ROOMS];

/* ---- which objects, and where ---------------------------------------------------------- */

/* [handler] Whether an object's content can be compared. */
static bool is_comparable(const struct klass *k, const struct followed *f, uint64_t epoch)
{
	if (!k || f->taken || class_npositions(k, f->array_length) == 0)
		return false;
	return f->born == epoch ||
	       !atomic_load_explicit(&ojx.moves_concurrently, memory_order_relaxed) ||
	       !class_refers(k);
}

/* [handler] The field or element with the byte at `offset`; false if there is none. */
static bool position_at(const struct klass *k, uint32_t array_length, uint64_t offset, uint32_t *to)
{
	if (k->array) {
		uint64_t i = offset < k->base ? array_length : (offset - k->base) / k->element_size;
		*to = (uint32_t)i;
		return i < array_length;
	}
	for (uint32_t i = 0; i < k->npositions; i++) {
		*to = i;
		if (offset >= k->positions[i].offset &&
		    offset - k->positions[i].offset < k->positions[i].size)
			return true;
	}
	return false;
}

/* ---- the object that was accessed ------------------------------------------------------ */

/* [handler] Hashes the object's content. False if it cannot be read, or has moved. */
static bool observe(const struct followed *f, const struct klass *k, uint32_t position,
		    uint64_t epoch, struct wire_use *to)
{
	struct class_position place = class_position(k, position);
	struct content content = { 0 };
	bool done = false;

	for (uint32_t i = 0; i < ROOMS && !done; i++) {
		if (atomic_exchange_explicit(&rooms[i].taken, true, memory_order_acq_rel))
			continue;
		done = true;
		bool good =
			content_peek(f->start, k, f->array_length, rooms[i].bytes, &content) &&
			content_peek_value(f->start, k, f->array_length, position, &to->value) &&
			epoch_is(epoch);
		atomic_store_explicit(&rooms[i].taken, false, memory_order_release);
		if (!good)
			return false;
	}
	to->content = content.hash;
	to->flags = content.flags | WIRE_SAMPLED;
	to->size = place.size;
	return done;
}

/* [handler] */
static void send(struct thread *t, const struct followed *f, const struct wire_use *use)
{
	struct wire_use *rec = link_reserve(&t->ring, WIRE_USE, sizeof *rec);

	if (!rec)
		return;
	rec->rec.thread = f->thread;
	rec->context = f->context;
	rec->array_length = f->array_length;
	rec->epoch = use->epoch;
	rec->flags = use->flags | (t->tid != f->owner ? WIRE_ELSEWHERE : 0);
	rec->size = use->size;
	rec->access = use->access;
	rec->position = use->position;
	rec->value = use->value;
	rec->content = use->content;
	rec->weight = f->weight;
	rec->ticket = (uint32_t)random_next(&t->sample_random);
	rec->pad = 0;
	link_commit(&t->ring);
	status_add(used, 1);
}

/* [handler] */
static void use_it(struct thread *t, const struct access *a, uint64_t epoch,
		   const struct followed *f, uint32_t stack)
{
	const struct klass *k = class_by_id(f->class_id);
	struct wire_use use = { .epoch = (uint32_t)epoch };

	if (!is_comparable(k, f, epoch) ||
	    !position_at(k, f->array_length, f->offset, &use.position))
		return;
	use.access = stack ? stack : access_stack(t, a);
	if (!use.access || !observe(f, k, use.position, epoch, &use) || !follow_claim(f->ref))
		return;
	send(t, f, &use);
	struct stratum *s = contexts_stratum_known(f->context, f->array_length);
	if (s)
		reservoir_add(&s->sampled, use.position, &t->sample_random);
}

/* ---- another one ----------------------------------------------------------------------- */

/*
 * [handler] Chooses the position: one at which others were used (a partner), the offset of the
 * access, or any position. The last also covers loads that directly follow another instruction,
 * where the clock sees little.
 */
static bool choose_position(struct watch *w, uint64_t *random, uint64_t offset)
{
	w->partner = w->stratum && random_below(random, 2) &&
		     reservoir_draw(&w->stratum->sampled, &w->position, random);
	if (w->partner)
		return true;
	bool there = position_at(w->klass, w->array_length, offset, &w->position);
	if (!there && !w->klass->array)
		return false; /* the header; an array may be just shorter than the accessed one */
	if (there && random_below(random, 2) == 0)
		return true;
	w->position = (uint32_t)random_below(random, class_npositions(w->klass, w->array_length));
	return true;
}

/*
 * [handler][service thread] Chooses the next object and position to watch; false if there is none.
 */
static bool plan(struct watch *w, uint64_t *random, uintptr_t address, uint64_t epoch,
		 const struct accessed *to)
{
	const struct klass *k = class_by_id(to->class_id);
	struct followed f;

	if (!follow_pick(to->class_id, epoch, address, random, &f) || !is_comparable(k, &f, epoch))
		return false;
	*w = (struct watch){ .object = f.start,
			     .klass = k,
			     .stratum = contexts_stratum_known(f.context, f.array_length),
			     .context = f.context,
			     .array_length = f.array_length,
			     .sampled = true,
			     .ref = f.ref,
			     .weight = f.weight,
			     .at = { .epoch = epoch, .owner = f.owner, .thread = f.thread } };
	if (!choose_position(w, random, to->offset))
		return false;
	w->place = class_position(k, w->position);
	w->at.armed_ns = now_ns();
	return true;
}

/* [handler][service thread] Arms the watch on a slot that is held BUSY. */
static void arm(struct watch_slot *slot, struct thread *on, const struct watch *w)
{
	if (watch_arm(slot, on, w))
		status_add(armed, 1);
}

/* [handler] */
static void watch_next(struct thread *t, uintptr_t address, uint64_t epoch,
		       const struct accessed *to)
{
	struct watch w;

	if (!plan(&w, &t->sample_random, address, epoch, to))
		return;
	struct watch_slot *slot = slots_for(t, true);
	if (!slot)
		return;
	deadline_set(t, &w.at, true); /* such watches are few, and their objects are in use now */
	arm(slot, t, &w);
}

void uses_sample(struct thread *t, const struct access *a, uint64_t epoch,
		 const struct accessed *to, uint32_t stack)
{
	if (a->kind != ACCESS_LOAD || !epoch_is(epoch))
		return;
	uint64_t start = cpu_ns();
	if (to->found == FOLLOW_FOUND)
		use_it(t, a, epoch, &to->object, stack);
	/* the observation costs little; a watch costs a trap, which the budget may not allow */
	if (to->class_id && atomic_load_explicit(&ojx.watch_on, memory_order_acquire) &&
	    watch_affordable())
		watch_next(t, a->address, epoch, to);
	watch_charge(cpu_ns() - start);
}

void uses_late(struct thread *on, uint64_t *random, const struct access *a, uint64_t epoch,
	       const struct accessed *to)
{
	struct watch w;

	if (a->kind != ACCESS_LOAD || !to->class_id ||
	    !atomic_load_explicit(&ojx.watch_on, memory_order_acquire) || !watch_affordable() ||
	    !atomic_load_explicit(&on->used, memory_order_relaxed))
		return;
	for (uint32_t i = 0; i < WATCH_SLOTS; i++) {
		if (!slot_take(&on->slots[i], SLOT_IDLE))
			continue;
		if (plan(&w, random, a->address, epoch, to) && epoch_is(epoch))
			arm(&on->slots[i], on, &w);
		else
			slot_release(&on->slots[i]);
		return;
	}
}
