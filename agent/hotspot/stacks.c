/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stacks.c - a lock-free table of calling contexts.
 *
 * A context is identified by its hash (a collision, 2^-64, is less likely than a memory error). A
 * thread claims a slot by writing the hash, and completes it by writing the id. Allocation
 * callbacks and signal handlers may meet on a slot. A thread that finds a slot claimed but
 * incomplete waits a moment and then gives up: a handler may have interrupted the very thread that
 * it waits for. A callback may wait longer, as the other thread can have lost its processor.
 */
#define XXH_INLINE_ALL

#include "hotspot/stacks.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

#include "arch/arch.h"
#include "core/hashtable.h"
#include "core/link.h"
#include "hotspot/metadata/metadata.h"
#include "hotspot/metadata/methods.h"

/* [handler] */
static bool is_transparent(uint64_t method)
{
	uint32_t bit = wire_control_method(method);
	uint64_t word =
		atomic_load_explicit(&line_controls()->transparent[bit / 64], memory_order_relaxed);

	return word >> bit % 64 & 1;
}

uint32_t line_of_frames(const struct wire_frame *frames, uint32_t n)
{
	uint32_t at = 0;

	while (at < n && is_transparent(frames[at].method))
		at++;
	return at < n ? at : 0; /* as callstack_line has it */
}

/*
 * ---- methods for which compilers insert code of their own, which has no frame. Where they are
 * innermost their frames are left out, interpreted or not: else a place would be one context before
 * it is compiled and another one afterwards. (Four places in test/jvm/Copies.java had nine.)
 * Array.newInstance has a frame wherever it is called, except in Arrays.copyOf: there the
 * compiler's code makes the array itself.
 */

enum role {
	ROLE_CALLED, /* called by any method; has no frame in compiled code */
	ROLE_COPY,   /* calls ROLE_INSTANCE, or allocates itself */
	ROLE_INSTANCE,
};

static const struct {
	const char *class, *name, *signature;
	bool is_static;
	uint8_t role;
} known[] = {
	{ "java/lang/Object", "clone", "()Ljava/lang/Object;", false, ROLE_CALLED },
	{ "java/lang/System", "arraycopy", "(Ljava/lang/Object;ILjava/lang/Object;II)V", true,
	  ROLE_CALLED },
	{ "java/lang/StringUTF16", "toBytes", "([CII)[B", true, ROLE_CALLED },
	{ "java/lang/reflect/Array", "newArray", "(Ljava/lang/Class;I)Ljava/lang/Object;", true,
	  ROLE_CALLED },
	{ "jdk/internal/misc/Unsafe", "allocateInstance", "(Ljava/lang/Class;)Ljava/lang/Object;",
	  false, ROLE_CALLED },
	{ "jdk/internal/misc/Unsafe", "allocateUninitializedArray0",
	  "(Ljava/lang/Class;I)Ljava/lang/Object;", false, ROLE_CALLED },
	{ "java/util/Arrays", "copyOf",
	  "([Ljava/lang/Object;ILjava/lang/Class;)[Ljava/lang/Object;", true, ROLE_COPY },
	{ "java/util/Arrays", "copyOfRange",
	  "([Ljava/lang/Object;IILjava/lang/Class;)[Ljava/lang/Object;", true, ROLE_COPY },
	{ "java/lang/reflect/Array", "newInstance", "(Ljava/lang/Class;I)Ljava/lang/Object;", true,
	  ROLE_INSTANCE },
};

#define KNOWN (sizeof known / sizeof known[0])

static uint64_t methods[KNOWN]; /* 0: missing */

/* Methods that this JDK lacks never match. */
static const char *init(const struct part_start *start)
{
	JNIEnv *jni = start->jni;

	for (size_t i = 0; i < KNOWN; i++) {
		jclass type = (*jni)->FindClass(jni, known[i].class);
		jmethodID method = NULL;
		if (type && known[i].is_static)
			method = (*jni)->GetStaticMethodID(jni, type, known[i].name,
							   known[i].signature);
		else if (type)
			method = (*jni)->GetMethodID(jni, type, known[i].name, known[i].signature);
		(*jni)->ExceptionClear(jni);
		methods[i] = metadata_number_of(method);
		if (type)
			(*jni)->DeleteLocalRef(jni, type);
	}
	return NULL;
}

/* [handler] Whether the method of frame `at` exists and has this role. */
static bool is(const struct wire_frame *frames, uint32_t n, uint32_t at, enum role role)
{
	for (size_t i = 0; at < n && i < KNOWN; i++)
		if (methods[i] && methods[i] == frames[at].method)
			return known[i].role == role;
	return false;
}

uint32_t intrinsics_of(const struct wire_frame *frames, uint32_t n)
{
	uint32_t skip = is(frames, n, 0, ROLE_CALLED);

	if (is(frames, n, skip, ROLE_INSTANCE) && is(frames, n, skip + 1, ROLE_COPY))
		skip++;
	if (is(frames, n, skip, ROLE_COPY))
		skip++;
	return skip < n ? skip : 0;
}

#define FIRST	   1024 /* slots of the table's first tier */
#define MAX_STACKS WIRE_MOST_STACKS
#define SPINS	   2000
#define STEP_NS	   100000
#define STEPS	   10000
#define CYCLE_MAX  8

static struct hashtable_slot slots[HASHTABLE_SLOTS(FIRST)];
static const struct hashtable table = { slots, FIRST };
static _Atomic uint32_t last_id;

/* [handler] */
static bool same(const struct wire_frame *a, const struct wire_frame *b, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (a[i].method != b[i].method || a[i].bci != b[i].bci)
			return false;
	return true;
}

/* [handler] Length of the shortest cycle that occurs at least twice at the start; 0: none. */
static uint32_t cycle_at(const struct wire_frame *f, uint32_t n)
{
	for (uint32_t c = 1; c <= CYCLE_MAX && 2 * c <= n; c++)
		if (same(f, f + c, c))
			return c;
	return 0;
}

/*
 * [handler] Folds repeated cycles of `n` frames in place (innermost first). A cycle that occurs at
 * least twice in a row is kept once, followed by a frame with method 0 and the cycle's length. So
 * the depth of a recursion does not split one context into thousands. Returns the new number of
 * frames.
 */
static uint32_t stacks_fold(struct wire_frame *f, uint32_t n)
{
	uint32_t to = 0;

	for (uint32_t from = 0; from < n;) {
		uint32_t c = cycle_at(f + from, n - from);
		if (!c) {
			f[to++] = f[from++];
			continue;
		}
		uint32_t next = from + c;
		while (next + c <= n && same(f + from, f + next, c))
			next += c;
		memmove(f + to, f + from, c * sizeof *f);
		to += c;
		/* there is room for the mark: at least one whole cycle was removed */
		f[to++] = (struct wire_frame){ .method = 0, .bci = (int32_t)c };
		from = next;
	}
	return to;
}

/*
 * Programs with deep stacks have a new one in nearly every sample, a kilobyte each. Lines are few.
 * So what room is left goes to lines, with fewer callers the less it is.
 */
static const struct {
	double used;	  /* of the tables, from which on */
	uint32_t callers; /* that a new stack keeps, from its line on */
} steps[] = { { 0.5, 16 }, { 0.75, 4 }, { 0.875, 2 } };

/* [handler] The callers that a new stack keeps. */
static uint32_t callers_kept(void)
{
	double stacks = (double)atomic_load_explicit(&last_id, memory_order_relaxed) / MAX_STACKS;
	double bytes = link_definitions_used();
	uint32_t callers = UINT32_MAX;

	for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
		if (stacks >= steps[i].used || bytes >= steps[i].used)
			callers = steps[i].callers;
	/* nobody tells an agent alone which frame is the line: it may be any of these */
	if (callers < steps[0].callers && ojx.tool == getpid())
		callers = steps[0].callers;
	return callers;
}

bool stacks_short_of_room(void)
{
	return callers_kept() != UINT32_MAX;
}

/* Tells the user once that new calling contexts are cut. */
static void serve(const struct part_turn *turn)
{
	(void)turn;
	if (stacks_short_of_room())
		link_note("the program has very many stacks: new ones are recorded from their line "
			  "on, with %u callers at most",
			  steps[0].callers);
}

/* [handler] How many of `n` folded frames a new stack keeps. */
static uint32_t frames_kept(const struct wire_frame *frames, uint32_t n)
{
	uint32_t callers = callers_kept();

	if (callers >= n)
		return n;
	uint32_t kept = line_of_frames(frames, n) + 1 + callers;
	return kept < n ? kept : n;
}

/* [handler] */
static uint32_t define(const struct wire_frame *frames, uint32_t n, uint16_t flags)
{
	uint32_t id = atomic_fetch_add_explicit(&last_id, 1, memory_order_relaxed) + 1;
	if (id >= MAX_STACKS) {
		limit_reached(WIRE_LIMIT_STACKS);
		return 0;
	}
	struct wire_stack *rec =
		link_define_reserve((uint32_t)(sizeof *rec + n * sizeof(struct wire_frame)));
	if (!rec)
		return 0;
	rec->id = id;
	rec->nframes = (uint16_t)n;
	rec->flags = flags;
	memcpy(rec + 1, frames, n * sizeof *frames);
	link_define(rec, WIRE_STACK);
	methods_meet(frames, n);
	return id;
}

/* [handler] The id in a claimed slot; 0 if it does not come. */
static uint32_t await_id(const struct hashtable_slot *slot)
{
	for (int i = 0; i < SPINS; i++) {
		uint32_t id = atomic_load_explicit(&slot->value, memory_order_acquire);
		if (id)
			return id == UINT32_MAX ? 0 : id;
		arch_pause();
	}
	return 0;
}

/* [handler] */
static uint64_t hash_of(const struct wire_frame *frames, uint32_t n, uint16_t flags)
{
	return XXH3_64bits_withSeed(frames, n * sizeof *frames, flags) | 1;
}

uint32_t stacks_intern(const struct wire_frame *frames, uint32_t n, uint16_t flags,
		       struct stacks_pending *pending)
{
	uint64_t hash = hash_of(frames, n, flags);
	bool mine = false;

	/* a stack that was defined as a whole stays whole */
	uint32_t kept = hashtable_find(&table, hash) ? n : frames_kept(frames, n);
	if (kept < n) {
		n = kept;
		flags |= WIRE_STACK_CUT | WIRE_STACK_SHORT;
		hash = hash_of(frames, n, flags);
	}
	struct hashtable_slot *slot = hashtable_claim(&table, hash, &mine);

	if (pending)
		pending->slot = mine ? NULL : slot;
	if (!slot) {
		limit_reached(WIRE_LIMIT_STACKS);
		return 0;
	}
	if (!mine)
		return await_id(slot);
	uint32_t id = define(frames, n, flags);
	atomic_store_explicit(&slot->value, id ? id : UINT32_MAX, memory_order_release);
	return id;
}

uint32_t stacks_await(const struct stacks_pending *pending)
{
	const struct timespec step = { .tv_nsec = STEP_NS };
	const struct hashtable_slot *slot = pending->slot;

	for (int i = 0;
	     slot && i < STEPS && !atomic_load_explicit(&slot->value, memory_order_acquire); i++)
		nanosleep(&step, NULL);
	return slot ? await_id(slot) : 0;
}

uint32_t stacks_take_first(struct wire_frame *frames, uint32_t first)
{
	return stacks_intern(frames, stacks_fold(frames, first),
			     WIRE_STACK_CUT | WIRE_STACK_COUNTED, NULL);
}

uint32_t stacks_take(struct wire_frame *frames, uint32_t n, struct stacks_pending *pending)
{
	uint32_t skip = intrinsics_of(frames, n), max = ojx.config.max_stack;
	bool cut = n - skip > max;

	frames += skip;
	return stacks_intern(frames, stacks_fold(frames, cut ? max : n - skip),
			     cut ? WIRE_STACK_CUT : 0, pending);
}

const struct part stacks_part = { .name = "stacks", .init = init, .serve = serve };
