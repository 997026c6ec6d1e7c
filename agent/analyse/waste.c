/* SPDX-License-Identifier: Apache-2.0 */
/*
 * waste.c - see waste.h. The handler reads watched memory through the kernel, which does not trap.
 *
 * It follows JXPerf's rules, with one exception: the second access must come before the next GC and
 * within a second, since an armed register slows its thread down.
 */
#define _GNU_SOURCE
#include "analyse/waste.h"

#include <math.h>
#include <string.h>

#include "arch/arch.h"
#include "code/codetable.h"
#include "core/link.h"
#include "core/peek.h"
#include "core/thread.h"
#include "hotspot/mark_word.h"
#include "hotspot/metadata/klassname.h"
#include "hotspot/metadata/layout.h"
#include "hotspot/walk.h"
#include "perf/access.h"
#include "perf/allowance.h"
#include "perf/sampler.h"
#include "perf/slots.h"

#define TIMEOUT_NS    1000000000u /* for the second access; a needed register is taken earlier */
#define STORES_PASSED 16	  /* most stores that a watch for the next load ignores */
#define OTHERS_PASSED 3		  /* most other accesses to the bytes before a drawn one */
#define DRAWN_WAIT_NS 200000u	  /* most time to a drawn access: it is a few iterations away */
#define AHEAD	      24 /* iterations from which one is drawn; a multiple of many periods */

/* A watched access. */
struct waste {
	uintptr_t address;
	uint64_t epoch;
	uint64_t end;	   /* address of the instruction after the first access */
	uint64_t value;	   /* value stored or loaded */
	uint32_t stack[2]; /* of the first and second access */
	uint8_t kind;	   /* wire_waste_kind */
	uint8_t bytes;	   /* bytes of the access */
	uint8_t len;	   /* watched bytes of it: 1, 2, 4, 8 */
	uint8_t floating;  /* see access.h */
	uint8_t part;	   /* wire_part */
	uint8_t left_out;  /* of the sample, see access.h */
	bool drawn;	   /* see access.h */
	bool seen;	   /* the first access has come */
	bool wasted;
	uint8_t insn_len[2];
	uint8_t code[2][15]; /* before the next instruction; the last insn_len bytes count */
};

static struct slot_user waste_user;

/* [handler] */
static struct waste *waste_of(const struct watch_slot *slot)
{
	return slot_own(slot, &waste_user);
}

/* ---- the sample ------------------------------------------------------------------------ */

/*
 * [handler] Finds the bytes of the access that a register can watch: the first ones. False if there
 * are none.
 */
static bool place(struct waste *w, const struct access *a)
{
	w->bytes = a->size;
	w->len = a->size >= 8 ? 8 : a->size >= 4 ? 4 : a->size >= 2 ? 2 : 1;
	w->address = (a->address + w->len - 1) / w->len * w->len;
	w->floating = a->floating;
	w->drawn = a->drawn;
	return a->size && (a->end || a->past) && w->address + w->len <= a->address + a->size;
}

/*
 * [handler] Draws which bytes of a wide access are watched: its elements differ as those of other
 * accesses do. And draws the iteration of a drawn access: those that take long are interrupted more
 * often, and may all be of one kind.
 */
static void draw_place(struct waste *w, const struct access *a, uint64_t *random)
{
	uintptr_t places = (a->address + a->size - w->address) / w->len;
	int64_t by = a->drawn ? (int64_t)random_below(random, AHEAD) * a->stride : 0;

	w->address += random_below(random, places) * w->len;
	if (by % w->len == 0 && ranges_in_heap(w->address + (uintptr_t)by, w->len))
		w->address += (uintptr_t)by;
}

/* [handler] The access that suits a kind of waste; NULL if there is none. */
static const struct access *fitting(struct waste *w, uint8_t kind, const struct access *a,
				    unsigned n)
{
	enum access_kind wanted = kind == WIRE_SILENT_LOAD ? ACCESS_LOAD : ACCESS_STORE;

	for (unsigned i = 0; i < n; i++)
		if (a[i].kind == wanted && place(w, &a[i]))
			return &a[i];
	return NULL;
}

/*
 * [handler] Draws one of the requested kinds that have a suitable access, and returns that access;
 * NULL if there is none.
 */
static const struct access *choose(struct waste *w, uint64_t *random, const struct access *a,
				   unsigned n)
{
	uint8_t kinds[3], count = 0;

	for (uint8_t kind = WIRE_DEAD_STORE; kind <= WIRE_SILENT_LOAD; kind++)
		if (ojx.config.waste & 1u << kind && fitting(w, kind, a, n))
			kinds[count++] = kind;
	if (count == 0)
		return NULL;
	w->kind = kinds[random_below(random, count)];
	return fitting(w, w->kind, a, n);
}

/* ---- traps ----------------------------------------------------------------------------- */

/* [handler] The current value of the watched bytes. */
static bool read_value(const struct waste *w, uint64_t *value)
{
	*value = 0;
	return peek(w->address, value, w->len);
}

/* [handler] The value after the access that has trapped, which is a store or a load. */
static bool value_after(const struct waste *w, bool store, const void *ucontext, uint64_t *value)
{
	if (ARCH_TRAPS_BEFORE && store)
		return decode_stored(ucontext, w->address, w->len, value);
	return read_value(w, value);
}

/*
 * [handler] Records calling context and code of the first (0) or second (1) access, whose
 * instruction ends at `end`.
 */
static bool note(struct waste *w, int which, uint32_t stack, uint64_t end, const void *ucontext)
{
	w->stack[which] = stack;
	if (!code_read(arch_pc(ucontext), end - sizeof w->code[which], w->code[which],
		       sizeof w->code[which]))
		memset(w->code[which], 0, sizeof w->code[which]);
	return w->stack[which] != 0;
}

/*
 * [handler] Whether the sampled access may still come, after a trap that is not by it: only if it
 * was drawn, since other accesses of the loop may touch the bytes before it.
 */
static bool may_come(struct watch_slot *slot)
{
	return waste_of(slot)->drawn &&
	       atomic_fetch_add_explicit(&slot->traps, 1, memory_order_relaxed) < OTHERS_PASSED &&
	       now_ns() - slot->watch.armed_ns < DRAWN_WAIT_NS;
}

/*
 * [handler] Whether it is the sampled access. A drawn one that comes much later is another one of
 * its instruction: to wait for it would favour those that run seldom.
 */
static bool is_sampled(const struct watch_slot *slot, const void *ucontext)
{
	const struct waste *w = slot_own(slot, &waste_user);

	return arch_trap_end(ucontext) == w->end &&
	       (!w->drawn || now_ns() - slot->watch.armed_ns < DRAWN_WAIT_NS);
}

/* [handler] Handles a trap before the sampled access was seen. If it does not come, the address is
 * wrong, too. */
static void first(struct thread *t, struct watch_slot *slot, uint32_t generation,
		  const void *ucontext)
{
	struct waste *w = waste_of(slot);

	if (!is_sampled(slot, ucontext)) {
		if (may_come(slot))
			return;
		status_add(trapped, 1);
		slot_end(slot, generation, WIRE_UNUSED_LOST);
		return;
	}
	status_add(trapped, 1);
	status_add(predicted, 1);
	atomic_store_explicit(&slot->traps, 0, memory_order_relaxed);
	w->seen = note(w, 0, walk_stack(t, ucontext, walk_within(w->end, w->insn_len[0])), w->end,
		       ucontext) &&
		  value_after(w, w->kind != WIRE_SILENT_LOAD, ucontext, &w->value);
	if (!w->seen)
		slot_end(slot, generation, WIRE_UNUSED_LOST);
}

/* [handler] */
static double number(uint64_t bits, uint8_t size)
{
	float f;
	double d;

	if (size == 4) {
		memcpy(&f, &bits, sizeof f);
		return f;
	}
	memcpy(&d, &bits, sizeof d);
	return d;
}

/*
 * [handler] Whether the value equals that of the first access; floating-point numbers are compared
 * with the tolerance.
 */
static bool same_value(const struct waste *w, uint64_t value)
{
	if (value == w->value || w->floating != w->len)
		return value == w->value;
	double x = number(w->value, w->len), y = number(value, w->len);
	return fabs(x - y) <= ojx.config.tolerance * fabs(x);
}

/* [handler] Whether an access of this kind ends the watch. */
static bool ends(const struct waste *w, enum access_kind kind)
{
	return w->kind != WIRE_SILENT_LOAD || kind != ACCESS_STORE;
}

/*
 * [handler] Whether the kind of the second access is known. A watch on stores alone needs no
 * decoding.
 */
static bool told(const struct waste *w, enum access_kind kind)
{
	return kind != ACCESS_UNKNOWN || w->kind == WIRE_SILENT_STORE;
}

/* [handler] Handles a later trap. */
static void second(struct thread *t, struct watch_slot *slot, uint32_t generation,
		   const void *ucontext)
{
	struct waste *w = waste_of(slot);
	uint64_t value, end = arch_trap_end(ucontext);
	enum access_kind kind = decode_access(ucontext, w->address, w->len, &w->insn_len[1]);

	if (!told(w, kind)) {
		slot_end(slot, generation, WIRE_UNUSED_LOST);
		return;
	}
	if (!ends(w, kind)) {
		if (atomic_fetch_add_explicit(&slot->traps, 1, memory_order_relaxed) + 1 >=
		    STORES_PASSED)
			slot_end(slot, generation, WIRE_UNUSED_TRAPS);
		return;
	}
	uint32_t stack = walk_stack(t, ucontext, walk_within(end, w->insn_len[1]));
	/* not earlier: at the first access the object may have been under construction */
	w->part = header_part(w->address, w->bytes);
	bool store = kind == ACCESS_STORE || w->kind == WIRE_SILENT_STORE;
	bool good = value_after(w, store, ucontext, &value) && note(w, 1, stack, end, ucontext) &&
		    epoch_is(w->epoch);
	bool same = good && same_value(w, value);
	w->wasted = w->kind == WIRE_DEAD_STORE ? kind == ACCESS_STORE : same;
	slot_end(slot, generation, good ? -1 : WIRE_UNUSED_LOST);
}

/* [handler] */
static void trapped(struct thread *t, struct watch_slot *slot, void *own, uint32_t generation,
		    const void *ucontext)
{
	const struct waste *w = own;

	if (!epoch_is(w->epoch))
		slot_end(slot, generation, WIRE_UNUSED_EPOCH);
	else if (w->seen)
		second(t, slot, generation, ucontext);
	else
		first(t, slot, generation, ucontext);
}

/* ---- the sample's register ------------------------------------------------------------- */

/*
 * [handler] Uses a sampled access that has already happened as the first one, without a trap. The
 * processor counted accesses up to it, so each one was as likely.
 */
static bool seen_already(struct thread *t, struct waste *w, const struct access *a)
{
	w->seen = note(w, 0, access_stack(t, a), a->end ? a->end : arch_pc(a->ucontext),
		       a->ucontext) &&
		  read_value(w, &w->value);
	w->drawn = true;
	return w->seen;
}

/*
 * [handler] Watches one of `n` sampled accesses, if it suits one of the requested kinds and a
 * register is available.
 */
static void take_sample(struct thread *t, const struct access *accesses, unsigned n)
{
	struct waste w = { .epoch = epoch_now() };

	if (!atomic_load_explicit(&ojx.watch_on, memory_order_relaxed) || !watch_affordable() ||
	    w.epoch == UINT64_MAX)
		return;
	const struct access *a = choose(&w, &t->sample_random, accesses, n);
	if (!a)
		return;
	struct watch_slot *slot = slots_for(t, true);
	if (!slot)
		return;
	draw_place(&w, a, &t->sample_random);
	w.left_out = a->left_out;
	w.end = a->end;
	w.insn_len[0] = a->end ? (uint8_t)(a->end - a->ip) : 0;
	if (a->past && !seen_already(t, &w, a)) {
		slot_release(slot);
		return;
	}
	atomic_store_explicit(&slot->user, &waste_user, memory_order_release);
	*waste_of(slot) = w;
	slot->watch = (struct slot_watch){
		.epoch = w.epoch, .armed_ns = now_ns(), .owner = t->tid, .thread = thread_number(t)
	};
	if (slot_arm(slot, t, w.address, w.len, w.kind == WIRE_SILENT_STORE))
		status_add(armed, 1);
}

/* ---- what came of it ------------------------------------------------------------------- */

/* [handler] */
static void harvest(struct link_ring *ring, const struct watch_slot *slot, const struct thread *on,
		    uint64_t *random)
{
	const struct waste *w = waste_of(slot);

	(void)on;
	(void)random;
	if (slot->ended != -1)
		return;
	struct wire_waste *rec = link_reserve(ring, WIRE_WASTE, sizeof *rec);
	if (!rec)
		return;
	rec->rec.thread = slot->watch.thread;
	rec->watched = w->stack[0];
	rec->trapped = w->stack[1];
	rec->class_id = 0;
	rec->bytes = w->bytes;
	rec->kind = w->kind;
	rec->wasted = w->wasted;
	rec->part = w->part;
	rec->left_out = w->left_out;
	rec->drawn = w->drawn;
	memset(rec->pad, 0, sizeof rec->pad);
	memset(rec->insn, 0, sizeof rec->insn);
	for (int i = 0; i < 2; i++) {
		const uint8_t *behind = w->code[i] + sizeof w->code[i];
		uint8_t len = w->insn_len[i] <= sizeof w->code[i] ? w->insn_len[i] : 0;
		rec->insn_len[i] = len;
		memcpy(rec->insn[i], behind - len, len);
	}
	link_commit(ring);
	status_add(wasted, 1);
}

static struct slot_user waste_user = {
	.room = sizeof(struct waste),
	.timeout_ns = TIMEOUT_NS,
	.in_handlers = true, /* it takes no lock and writes only to the ring of its own thread */
	.trapped = trapped,
	.harvest = harvest,
};

static const char *init(const struct part_start *start)
{
	static const struct sampler_user user = { take_sample, NULL };

	if (!ojx.config.waste)
		return PART_UNASKED;
	klassname_init(start->vm, start->jni);
	slots_add_user(&waste_user);
	sampler_add_user(&user);
	return NULL;
}

const struct part waste_part = { .name = "waste", .of_objects = true, .init = init };
