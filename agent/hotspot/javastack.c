/* SPDX-License-Identifier: Apache-2.0 */
/*
 * javastack.c - see javastack.h. The layout of frames is the processor's (arch.h).
 *
 * The callback runs in native code, called from the VM, called from Java. The thread's anchor tells
 * where the Java frames begin. If the VM or native code in between called Java, an entry frame
 * leads to the previous anchor.
 */
#include "hotspot/javastack.h"

#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "core/hashtable.h"
#include "core/jvm.h"
#include "core/link.h"
#include "core/thread.h"
#include "hotspot/codeheap.h"
#include "hotspot/metadata/metadata.h"
#include "hotspot/metadata/methods.h"
#include "hotspot/metadata/scopes.h"
#include "hotspot/stacks.h"
#include "hotspot/vmstructs.h"

#define TRIALS	  16   /* stacks that are compared at first: each; later one in nth/TRIALS, */
#define ONE_IN	  1000 /* and at least one in so many */
#define MEMO	  1024 /* slots of the first tier */
#define AHEAD	  512  /* bytes of the stack to prefetch ahead */
#define ENV_MAX	  8192 /* most bytes from a thread to its JNIEnv */
#define CHECK_ALL "OJX_CHECK_STACKS"

static struct {
	size_t anchor, sp, pc, fp, call_anchor;
	const uintptr_t *entry; /* return address of calls by the VM */
	uintptr_t interpreter, interpreter_end;
	size_t env;
} at;

static bool check_all;
static _Atomic bool on, entries_on; /* of stacks with a continuation's entry */
static _Atomic uint64_t walked, asked, compared;
static _Atomic uint64_t next_trial; /* the number of the stack that is compared next */

static struct hashtable_slot memo_slots[HASHTABLE_SLOTS(MEMO)];
static const struct hashtable memo = { memo_slots, MEMO };

/* [handler] */
static uintptr_t word(uintptr_t p)
{
	return *(const uintptr_t *)p;
}

/* [handler] */
static uintptr_t slot(uintptr_t fp, int words)
{
	return word(fp + (uintptr_t)(words * (int)sizeof fp));
}

/* ---- start ----------------------------------------------------------------------------- */

static bool find_thread(JNIEnv *jni, jthread current)
{
	jclass type = (*jni)->GetObjectClass(jni, current);
	jfieldID field = (*jni)->GetFieldID(jni, type, "eetop", "J");

	(*jni)->ExceptionClear(jni);
	(*jni)->DeleteLocalRef(jni, type);
	at.env = field ? (uintptr_t)jni - (uintptr_t)(*jni)->GetLongField(jni, current, field) : 0;
	return at.env > 0 && at.env < ENV_MAX;
}

static bool find_frames(void)
{
	uintptr_t *entry = NULL;
	struct vmstructs vm;
	const struct vmstructs_wanted wanted[] = {
		{ "JavaThread", "_anchor", .offset = &at.anchor },
		{ "JavaFrameAnchor", "_last_Java_sp", .offset = &at.sp },
		{ "JavaFrameAnchor", "_last_Java_pc", .offset = &at.pc },
		{ "JavaFrameAnchor", "_last_Java_fp", .offset = &at.fp },
		{ "JavaCallWrapper", "_anchor", .offset = &at.call_anchor },
		{ "StubRoutines", "_call_stub_return_address", .address = &entry },
	};
	const size_t n = sizeof wanted / sizeof wanted[0];

	vmstructs_read(&vm, ojx.dl);
	bool found = vmstructs_find(ojx.dl, wanted, n) == n && entry && *entry;
	at.entry = entry;
	return found && vmstructs_interpreter(&vm, &at.interpreter, &at.interpreter_end);
}

/* The id of Thread.run. */
static jmethodID find_run(JNIEnv *jni)
{
	jclass type = (*jni)->FindClass(jni, "java/lang/Thread");
	jmethodID run = type ? (*jni)->GetMethodID(jni, type, "run", "()V") : NULL;

	(*jni)->ExceptionClear(jni);
	(*jni)->DeleteLocalRef(jni, type);
	return run;
}

static const char *init(const struct part_start *start)
{
	JNIEnv *jni = start->jni;
	const char *why = NULL;
	jmethodID run = find_run(jni);

	check_all = getenv(CHECK_ALL) != NULL;
	if (!find_thread(jni, start->thread))
		why = "its threads are not where expected";
	else if (!find_frames() || !codeheap_init(ojx.dl))
		why = "its tables do not describe frames";
	else if (!scopes_init(ojx.dl) || !run || !metadata_init(ojx.dl, jni, run))
		why = "its methods cannot be read";
	atomic_store_explicit(&on, !why, memory_order_release);
	atomic_store_explicit(&entries_on, !why, memory_order_release);
	if (why && (check_all || ojx.config.flags & WIRE_VERBOSE))
		link_note("the JVM walks all stacks: %s", why);
	return why;
}

/* ---- the walk -------------------------------------------------------------------------- */

/* State of a walk. */
struct walk {
	uintptr_t low, high; /* the part of the stack that may be read */
	uintptr_t sp;	     /* of the frame, as its callee left it */
	uintptr_t pc, fp;
	bool called; /* by Java: this frame cannot be a stub of the VM */
	bool entry;  /* a continuation's entry was met */
	bool anew;   /* do not use the cache of code */
	uint64_t hash;
	struct machine_frame *frames;
	uint32_t n, max;
};

/* [handler] */
static bool in_stack(const struct walk *w, uintptr_t p)
{
	return p >= w->low && p <= w->high - sizeof p && p % sizeof p == 0;
}

/* [handler] */
static void mix(struct walk *w, uint64_t x)
{
	unsigned __int128 m = (unsigned __int128)(w->hash ^ x) * 0x9e3779b97f4a7c15u;
	w->hash = (uint64_t)m ^ (uint64_t)(m >> 64);
}

/* [handler] Goes to the frames of an anchor. False if it makes no sense. */
static bool walk_begin(struct walk *w, uintptr_t anchor, bool *over)
{
	uintptr_t sp = word(anchor + at.sp);

	*over = sp == 0;
	if (*over)
		return true;
	if (sp <= w->sp || !in_stack(w, sp - sizeof sp) || !in_stack(w, sp))
		return false;
	w->sp = sp;
	w->fp = word(anchor + at.fp);
	w->pc = word(anchor + at.pc);
	if (!w->pc)
		w->pc = arch_return_address(word(sp - sizeof sp));
	w->called = false;
	return true;
}

/* [handler] */
static bool walk_interpreted(struct walk *w)
{
	uintptr_t fp = w->fp;

	if (fp < w->sp || !in_stack(w, fp + (uintptr_t)(ARCH_BYTECODE * (int)sizeof fp)) ||
	    !in_stack(w, fp + sizeof fp))
		return false;
	uintptr_t method = slot(fp, ARCH_METHOD), bytecode = slot(fp, ARCH_BYTECODE);
	uintptr_t above = arch_sender_above(w->sp, fp);
	uint64_t number = metadata_number(method);
	if (!number)
		return false;
	if (number & METADATA_NATIVE)
		bytecode = 0; /* it does not set it */
	mix(w, number);
	mix(w, bytecode);
	w->frames[w->n++] = (struct machine_frame){ .pc = bytecode, .method = method };
	/* its caller's stack pointer before an adapter moved arguments */
	w->sp = slot(fp, ARCH_SENDER_SP);
	w->pc = arch_return_address(slot(fp, 1));
	w->fp = slot(fp, 0);
	w->called = true;
	return w->sp > above && in_stack(w, w->sp);
}

/* [handler] */
static bool walk_compiled(struct walk *w)
{
	struct code_at c;

	if (!codeheap_at(w->pc, w->anew, &c) || (!c.id && w->called))
		return false;
	bool entry = c.native && metadata_number(codeheap_method(&c)) & METADATA_ENTRY;
	w->entry = w->entry || entry;
	mix(w, w->pc);
	mix(w, c.id);
	if (c.id)
		w->frames[w->n++] = (struct machine_frame){ .pc = w->pc,
							    .blob = c.blob,
							    .id = c.id,
							    .noted = c.noted,
							    .native = c.native,
							    .entry = entry };
	w->sp += c.words * sizeof w->sp;
	if (!in_stack(w, w->sp - 2 * sizeof w->sp) || !in_stack(w, w->sp))
		return false;
	w->pc = arch_return_address(slot(w->sp, -1));
	w->fp = slot(w->sp, -2);
	w->called = true;
	return true;
}

/* [handler] Goes to the anchor before an entry frame. */
static bool walk_entry(struct walk *w, bool *over)
{
	if (!in_stack(w, w->fp + (uintptr_t)(ARCH_CALL * (int)sizeof w->fp)))
		return false;
	uintptr_t anchor = slot(w->fp, ARCH_CALL) + at.call_anchor;
	return in_stack(w, anchor + at.sp) && in_stack(w, anchor + at.pc) &&
	       in_stack(w, anchor + at.fp) && walk_begin(w, anchor, over);
}

/* [handler] Goes to the next frame. */
static bool walk_step(struct walk *w, bool *over)
{
	__builtin_prefetch((const void *)(w->sp + AHEAD));
	if (w->pc >= at.interpreter && w->pc < at.interpreter_end)
		return walk_interpreted(w);
	return w->pc == *at.entry ? walk_entry(w, over) : walk_compiled(w);
}

/* Walks all Java frames, or as many as wanted. */
static bool walk_all(struct walk *w, uintptr_t anchor)
{
	bool over = false, good = walk_begin(w, anchor, &over);

	while (good && !over && w->n < w->max)
		good = walk_step(w, &over);
	return good && w->n > 0;
}

/* Whether the cached code of all frames is still the same. */
static bool walk_holds(const struct walk *w)
{
	for (uint32_t i = 0; i < w->n; i++)
		if (w->frames[i].blob && !codeheap_holds(w->frames[i].blob, w->frames[i].id))
			return false;
	return true;
}

/* Walks with the cache of code, and if that is stale, again without. */
static bool walk(struct walk *w, uintptr_t anchor)
{
	struct walk first = *w;
	bool good = walk_all(w, anchor);

	if (walk_holds(w))
		return good;
	*w = first;
	w->anew = true;
	return walk_all(w, anchor);
}

/* ---- its frames ------------------------------------------------------------------------ */

/* [handler] */
static uint32_t frames_at(const struct machine_frame *f, bool near, struct wire_frame *to)
{
	const struct code_at c = {
		.blob = f->blob, .id = f->id, .noted = f->noted, .native = f->native
	};

	if (!f->blob)
		return scopes_interpreted((uintptr_t)f->method, f->pc, to);
	return near ? scopes_near(&c, f->pc, to) : scopes_compiled(&c, f->pc, to);
}

/*
 * Fills t->frames. Returns how many; 0: unknown. The VM shows a continuation's entry only if it is
 * the innermost frame.
 */
static uint32_t java_frames(struct thread *t, const struct walk *w)
{
	struct wire_frame scopes[SCOPES_MAX];
	uint32_t n = 0;

	for (uint32_t i = 0; i < w->n && n < w->max; i++) {
		if (w->frames[i].entry && i > 0)
			continue;
		uint32_t here = frames_at(&w->frames[i], false, scopes);
		if (!here)
			return 0;
		if (here > w->max - n)
			here = w->max - n;
		memcpy(t->frames + n, scopes, here * sizeof *scopes);
		n += here;
	}
	return n;
}

/*
 * Whether the VM is asked for the `nth` stack, too. All of the first are, then fewer and fewer:
 * what differs, differs early, and a short recording would pay for little else.
 */
static bool is_trial(uint64_t nth)
{
	uint64_t due = atomic_load_explicit(&next_trial, memory_order_relaxed);
	uint64_t step = nth / TRIALS + 1;

	return nth >= due && atomic_compare_exchange_strong_explicit(
				     &next_trial, &due, nth + (step < ONE_IN ? step : ONE_IN),
				     memory_order_relaxed, memory_order_relaxed);
}

bool javastack_find(struct thread *t, JNIEnv *jni, struct javastack *s)
{
	struct walk w = { .low = (uintptr_t)__builtin_frame_address(0),
			  .high = t->stack_high,
			  .frames = t->machine_frames,
			  .max = ojx.config.max_stack + INTRINSICS_FRAMES + 1 };

	*s = (struct javastack){ .id = 0 };
	if (!atomic_load_explicit(&on, memory_order_relaxed) || t->carrier || !w.frames ||
	    w.low >= w.high)
		return false;
	if (walk(&w, (uintptr_t)jni - at.env + at.anchor) &&
	    (!w.entry || atomic_load_explicit(&entries_on, memory_order_relaxed))) {
		s->entry = w.entry;
		s->key = w.hash | 1;
		const struct hashtable_slot *known = hashtable_find(&memo, s->key);
		s->id = known ? atomic_load_explicit(&known->value, memory_order_acquire) : 0;
		s->n = s->id ? 0 : java_frames(t, &w);
	}
	if (!s->id && !s->n) {
		atomic_fetch_add_explicit(&asked, 1, memory_order_relaxed);
		return false;
	}
	uint64_t nth = atomic_fetch_add_explicit(&walked, 1, memory_order_relaxed);
	s->check = check_all || is_trial(nth);
	return true;
}

void javastack_remember(const struct javastack *s, uint32_t id)
{
	bool mine = false;
	struct hashtable_slot *slot = id ? hashtable_claim(&memo, s->key, &mine) : NULL;

	if (slot)
		atomic_store_explicit(&slot->value, id, memory_order_release);
}

void javastack_compare(const struct javastack *s, uint32_t asked_for)
{
	/* where the table is full, or was less so when the first was cut */
	if (!s->id || !asked_for || stacks_short_of_room())
		return;
	atomic_fetch_add_explicit(&compared, 1, memory_order_relaxed);
	if (s->id == asked_for ||
	    !atomic_exchange_explicit(s->entry ? &entries_on : &on, false, memory_order_acq_rel))
		return;
	link_note("a stack%s differed from the JVM's: from now on the JVM walks all %s",
		  s->entry ? " of a continuation" : "", s->entry ? "such stacks" : "stacks");
}

/* ---- in handlers ----------------------------------------------------------------------- */

/* [handler] The VM calls the entry of a synchronized method -1; here -1 is any. */
static bool same_bytecode(int32_t own, int32_t vms)
{
	return own == vms || own == -1 || (own == 0 && vms == -1);
}

/* [handler] Takes over the methods of the frames at one address, if they agree otherwise. */
static bool take_over(const struct wire_frame *own, uint32_t n, bool exact, struct wire_frame *to,
		      uint32_t *found)
{
	for (uint32_t i = 0; i < n; i++)
		if ((exact && !same_bytecode(own[i].bci, to[i].bci)) ||
		    (to[i].method != METHODS_UNKNOWN && to[i].method != own[i].method))
			return false;
	for (uint32_t i = 0; i < n; i++) {
		*found += to[i].method == METHODS_UNKNOWN;
		to[i].method = own[i].method;
	}
	return true;
}

uint32_t javastack_fill(const struct thread *t, const struct javastack_place *from,
			struct wire_frame *frames, uint32_t n)
{
	struct machine_frame one;
	struct wire_frame own[SCOPES_MAX];
	struct walk w = { .low = from->sp,
			  .high = t->stack_high,
			  .sp = from->sp,
			  .pc = from->pc,
			  .fp = from->fp,
			  .called = true,
			  .anew = true,
			  .frames = &one };
	bool top = codeheap_has(from->pc, 1), over = false;
	bool good = metadata_known() &&
		    (top || walk_begin(&w, (uintptr_t)t->jni - at.env + at.anchor, &over));
	uint32_t done = 0, found = 0;

	while (good && !over && done < n) {
		w.n = 0;
		good = walk_step(&w, &over);
		if (!good || w.n == 0)
			continue;
		/* the innermost bytecode of the interpreter is in a register */
		bool exact = one.blob || !top;
		uint32_t here = frames_at(&one, top, own);
		if (here > n - done)
			here = n - done;
		good = here > 0 && take_over(own, here, exact, frames + done, &found);
		done += here;
		top = false;
	}
	return found;
}

/* In tests, notes how many stacks were compared. */
static void end(const struct part_turn *turn)
{
	(void)turn;
	if (check_all)
		link_note("stacks: %lu walked, %lu compared, %lu not understood, %s",
			  (unsigned long)atomic_load_explicit(&walked, memory_order_relaxed),
			  (unsigned long)atomic_load_explicit(&compared, memory_order_relaxed),
			  (unsigned long)atomic_load_explicit(&asked, memory_order_relaxed),
			  atomic_load_explicit(&on, memory_order_relaxed) &&
					  atomic_load_explicit(&entries_on, memory_order_relaxed)
				  ? "all alike"
				  : "turned off");
}

const struct part javastack_part = { .name = "stacks of allocations", .init = init, .end = end };
