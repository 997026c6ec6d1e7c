/* SPDX-License-Identifier: Apache-2.0 */
/*
 * javastack.c - see javastack.h. HotSpot's frame_x86.hpp describes the layout of frames.
 *
 * The callback runs in native code, called from the VM, called from Java. The thread's anchor tells
 * where the Java frames begin. If the VM or native code in between called Java, an entry frame
 * leads to the previous anchor.
 */
#include "hotspot/javastack.h"

#include <stdlib.h>
#include <string.h>

#include "core/jvm.h"
#include "core/link.h"
#include "core/thread.h"
#include "core/tiers.h"
#include "hotspot/codeheap.h"
#include "hotspot/intrinsics.h"
#include "hotspot/scopes.h"
#include "hotspot/stacks.h"
#include "hotspot/vmstructs.h"

#define TRIALS	  100  /* stacks that are compared at first, */
#define ONE_IN	  1000 /* later one in so many */
#define MEMO	  1024 /* slots of the first tier */
#define AHEAD	  512  /* bytes of the stack to prefetch ahead */
#define ENV_MAX	  8192 /* most bytes from a thread to its JNIEnv */
#define CHECK_ALL "OJX_CHECK_STACKS"

/* Offsets in words from rbp of an interpreted frame, and of an entry frame. */
#define METHOD	  (-3)
#define SENDER_SP (-1)
#define BYTECODE  (-8)
#define CALL	  (-6)

static struct {
	size_t anchor, sp, pc, fp, call_anchor;
	const uintptr_t *entry; /* return address of calls by the VM */
	uintptr_t interpreter, interpreter_end;
	size_t env;
} at;

static bool check_all;
static _Atomic bool on;
static _Atomic uint64_t walked, asked, compared;

static struct tiers_slot memo_slots[TIERS_SLOTS(MEMO)];
static const struct tiers memo = { memo_slots, MEMO };

static uintptr_t word(uintptr_t p)
{
	return *(const uintptr_t *)p;
}

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

/* A Java method of the boot loader that has an id. */
static uintptr_t some_method(JNIEnv *jni)
{
	jclass type = (*jni)->FindClass(jni, "java/lang/Thread");
	jmethodID run = type ? (*jni)->GetMethodID(jni, type, "run", "()V") : NULL;

	(*jni)->ExceptionClear(jni);
	(*jni)->DeleteLocalRef(jni, type);
	return (uintptr_t)run;
}

void javastack_init(JNIEnv *jni, jthread current)
{
	const char *why = NULL;
	uintptr_t method = some_method(jni);

	check_all = getenv(CHECK_ALL) != NULL;
	if (!find_thread(jni, current))
		why = "its threads are not where expected";
	else if (!find_frames() || !codeheap_init(ojx.dl))
		why = "its tables do not describe frames";
	else if (!method || !scopes_init(ojx.dl, jvm_version(), method))
		why = "its methods cannot be read";
	atomic_store(&on, !why);
	if (why && (check_all || ojx.config.flags & WIRE_VERBOSE))
		link_note("the JVM walks all stacks: %s", why);
}

/* ---- the walk -------------------------------------------------------------------------- */

/* State of a walk. */
struct walk {
	uintptr_t low, high; /* the part of the stack that may be read */
	uintptr_t sp;	     /* of the frame, as its callee left it */
	uintptr_t pc, fp;
	bool called; /* by Java: this frame cannot be a stub of the VM */
	bool anew;   /* do not use the cache of code */
	uint64_t hash;
	struct machine_frame *frames;
	uint32_t n, max;
};

static bool in_stack(const struct walk *w, uintptr_t p)
{
	return p >= w->low && p <= w->high - sizeof p && p % sizeof p == 0;
}

static void mix(struct walk *w, uint64_t x)
{
	unsigned __int128 m = (unsigned __int128)(w->hash ^ x) * 0x9e3779b97f4a7c15u;
	w->hash = (uint64_t)m ^ (uint64_t)(m >> 64);
}

/* Goes to the frames of an anchor. False if it makes no sense. */
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
		w->pc = word(sp - sizeof sp);
	w->called = false;
	return true;
}

static bool walk_interpreted(struct walk *w)
{
	uintptr_t fp = w->fp;

	if (fp < w->sp || !in_stack(w, fp + (uintptr_t)(BYTECODE * (int)sizeof fp)) ||
	    !in_stack(w, fp + sizeof fp))
		return false;
	uintptr_t method = slot(fp, METHOD), bytecode = slot(fp, BYTECODE);
	uint64_t id = scopes_method(method);
	if (!id)
		return false;
	if (id & 1)
		bytecode = 0; /* a native one does not set it */
	mix(w, id);
	mix(w, bytecode);
	w->frames[w->n++] = (struct machine_frame){ .pc = bytecode, .method = method };
	/* its caller's stack pointer before an adapter moved arguments */
	w->sp = slot(fp, SENDER_SP);
	w->pc = slot(fp, 1);
	w->fp = slot(fp, 0);
	w->called = true;
	return w->sp > fp && in_stack(w, w->sp);
}

static bool walk_compiled(struct walk *w)
{
	struct code_at c;

	if (!codeheap_at(w->pc, w->anew, &c) || (!c.id && w->called))
		return false;
	mix(w, w->pc);
	mix(w, c.id);
	if (c.id)
		w->frames[w->n++] = (struct machine_frame){ .pc = w->pc,
							    .blob = c.blob,
							    .id = c.id,
							    .noted = c.noted,
							    .native = c.native };
	w->sp += c.words * sizeof w->sp;
	if (!in_stack(w, w->sp - 2 * sizeof w->sp) || !in_stack(w, w->sp))
		return false;
	w->pc = slot(w->sp, -1);
	w->fp = slot(w->sp, -2);
	w->called = true;
	return true;
}

/* Goes to the anchor before an entry frame. */
static bool walk_entry(struct walk *w, bool *over)
{
	if (!in_stack(w, w->fp + (uintptr_t)(CALL * (int)sizeof w->fp)))
		return false;
	uintptr_t anchor = slot(w->fp, CALL) + at.call_anchor;
	return in_stack(w, anchor + at.sp) && in_stack(w, anchor + at.pc) &&
	       in_stack(w, anchor + at.fp) && walk_begin(w, anchor, over);
}

/* Walks all Java frames, or as many as wanted. */
static bool walk_all(struct walk *w, uintptr_t anchor)
{
	bool over = false, good = walk_begin(w, anchor, &over);

	while (good && !over && w->n < w->max) {
		__builtin_prefetch((const void *)(w->sp + AHEAD));
		if (w->pc >= at.interpreter && w->pc < at.interpreter_end)
			good = walk_interpreted(w);
		else if (w->pc == *at.entry)
			good = walk_entry(w, &over);
		else
			good = walk_compiled(w);
	}
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

/* Fills t->frames. Returns how many; 0: unknown. */
static uint32_t java_frames(struct thread *t, const struct walk *w)
{
	struct wire_frame scopes[SCOPES_MAX];
	uint32_t n = 0;

	for (uint32_t i = 0; i < w->n && n < w->max; i++) {
		const struct machine_frame *f = &w->frames[i];
		const struct code_at c = {
			.blob = f->blob, .id = f->id, .noted = f->noted, .native = f->native
		};
		uint32_t here = f->blob ? scopes_compiled(&c, f->pc, scopes)
					: scopes_interpreted((uintptr_t)f->method, f->pc, scopes);
		if (!here)
			return 0;
		if (here > w->max - n)
			here = w->max - n;
		memcpy(t->frames + n, scopes, here * sizeof *scopes);
		n += here;
	}
	return n;
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
	if (walk(&w, (uintptr_t)jni - at.env + at.anchor)) {
		s->key = w.hash | 1;
		const struct tiers_slot *known = tiers_find(&memo, s->key);
		s->id = known ? atomic_load_explicit(&known->value, memory_order_acquire) : 0;
		s->n = s->id ? 0 : java_frames(t, &w);
	}
	if (!s->id && !s->n) {
		atomic_fetch_add_explicit(&asked, 1, memory_order_relaxed);
		return false;
	}
	uint64_t nth = atomic_fetch_add_explicit(&walked, 1, memory_order_relaxed);
	s->check = check_all || nth < TRIALS || nth % ONE_IN == 0;
	return true;
}

void javastack_remember(const struct javastack *s, uint32_t id)
{
	bool mine = false;
	struct tiers_slot *slot = id ? tiers_claim(&memo, s->key, &mine) : NULL;

	if (slot)
		atomic_store_explicit(&slot->value, id, memory_order_release);
}

void javastack_compare(uint32_t own, uint32_t asked_for)
{
	/* where the table is full, or was less so when the first was cut */
	if (!own || !asked_for || stacks_short_of_room())
		return;
	atomic_fetch_add_explicit(&compared, 1, memory_order_relaxed);
	if (own == asked_for || !atomic_exchange(&on, false))
		return;
	link_note("a stack differed from the JVM's: from now on the JVM walks all stacks");
}

void javastack_tell(void)
{
	if (check_all)
		link_note("stacks: %lu walked, %lu compared, %lu not understood, %s",
			  (unsigned long)walked, (unsigned long)compared, (unsigned long)asked,
			  on ? "all alike" : "turned off");
}
