/* SPDX-License-Identifier: Apache-2.0 */
/*
 * alloc.c - see alloc.h. Handles the allocations that the VM samples.
 *
 * The thread is in native state here: a GC may move the object at any moment. So its address is
 * read between two checks of the epoch. The fields are still zero, and arrays may hold garbage, so
 * there is no snapshot now.
 *
 * An object of s bytes is sampled with probability 1 - exp(-s/interval); the inverse is the number
 * of objects that it stands for. The VM draws a thread's next sample point just before this
 * callback. So the weight depends on the interval that was in force at the thread's previous
 * sample.
 *
 * Not every sample is kept for a snapshot (thinning.h): of a line that is well known, most samples
 * are only counted. The counts include all samples. Those that are kept weigh more, and so stand
 * for the others' contents.
 *
 * With --exact the interval is 0, and the VM calls for each allocation. Each object has weight 1.
 * The counts are to be exact, so the agent waits while the ring is full, and while another thread
 * defines the same stack.
 */
#include "heap/alloc.h"

#include <math.h>

#include "core/cost.h"
#include "core/link.h"
#include "core/part.h"
#include "core/peek.h"
#include "core/thread.h"
#include "heap/alloc_interval.h"
#include "heap/allocation.h"
#include "heap/contexts.h"
#include "heap/thinning.h"
#include "hotspot/ids.h"
#include "hotspot/javastack.h"
#include "hotspot/metadata/classes.h"
#include "hotspot/metadata/layout.h"
#include "hotspot/metadata/methods.h"
#include "hotspot/stacks.h"
#include "hotspot/threadname.h"

#define PIECE	    512	       /* bytes of the objects that use up a TLAB */
#define MOST_PIECES (1u << 17) /* 64 MiB: no TLAB is larger */

static __thread bool had_sample; /* before the agent was live */

/* Number of objects that a sample of this size stands for, which was drawn with this interval. */
static double sample_weight(uint64_t size, double drawn)
{
	if (alloc_exact()) /* whatever interval a thread used before */
		return 1;
	return drawn > 0 ? 1 / -expm1(-(double)size / drawn) : 1;
}

/*
 * Asks the VM for the allocating thread's stack, in t->frames. Returns the number of frames, or -1.
 */
static int asked_frames(struct thread *t)
{
	jint n = 0;
	jint most = (jint)(ojx.config.max_stack + INTRINSICS_FRAMES + 1);

	if (!ids_may_ask() ||
	    (*ojx.jvmti)->GetStackTrace(ojx.jvmti, NULL, 0, most, t->jvmti_frames, &n) !=
		    JVMTI_ERROR_NONE) {
		status_add(stack_errors, 1);
		return -1;
	}
	ids_count(t->jvmti_frames, (uint32_t)n);
	for (jint i = 0; i < n; i++)
		t->frames[i] = (struct wire_frame){
			.method = methods_number(t->jvmti_frames[i].method),
			.bci = t->jvmti_frames[i].location < 0
				       ? -3
				       : (int32_t)t->jvmti_frames[i].location,
		};
	return n;
}

/*
 * Decides about the object by the new stack in t->frames. Returns the id of its inner part if the
 * object is only counted and needs no more; 0 if it needs the whole stack.
 */
static uint32_t part_of_stack(const struct allocation *a, uint32_t n, struct thinning *thinning)
{
	struct thread *t = a->thread;

	if (thinning->decided || !thinning_chooses() || n == 0)
		return 0;
	uint32_t skip = intrinsics_of(t->frames, n);
	uint32_t part = thinning_by_frames(thinning, a, t->frames + skip, n - skip);
	return part ? stacks_take_first(t->frames + skip, part) : 0;
}

/* The id of a new stack of `n` frames, in t->frames. */
static uint32_t take_stack(struct thread *t, uint32_t n)
{
	struct stacks_pending pending;
	uint32_t id = stacks_take(t->frames, n, &pending);

	return id || !alloc_exact() ? id : stacks_await(&pending);
}

/*
 * The id of the allocating thread's stack. If the stack is new, this may decide whether the object
 * is kept.
 */
static uint32_t allocation_stack(const struct allocation *a, struct thinning *thinning)
{
	struct thread *t = a->thread;
	struct javastack own;
	bool found = javastack_find(t, a->jni, &own);

	if (found && !own.id) {
		uint32_t part = own.check ? 0 : part_of_stack(a, own.n, thinning);
		if (part)
			return part;
		own.id = take_stack(t, own.n);
		javastack_remember(&own, own.id);
	}
	if (own.id && !own.check)
		return own.id;
	int n = asked_frames(t);
	if (n < 0)
		return stacks_intern(t->frames, 0, WIRE_STACK_FAILED, NULL);
	uint32_t part = found ? 0 : part_of_stack(a, (uint32_t)n, thinning);
	if (part)
		return part;
	uint32_t asked = take_stack(t, (uint32_t)n);
	if (found)
		javastack_compare(&own, asked);
	return asked;
}

/* Learns the class word in headers from the first available object. */
static void learn_word(struct klass *k, jobject object)
{
	unsigned char header[16];
	uint64_t epoch = epoch_now();

	if (epoch != UINT64_MAX && peek(handle_address(object), header, sizeof header) &&
	    epoch_is(epoch))
		atomic_store_explicit(&k->word, layout_klass(header), memory_order_relaxed);
}

static void send_alloc(const struct allocation *a, bool counted)
{
	struct thread *t = a->thread;

	if (alloc_exact())
		link_await_room(&t->ring, sizeof(struct wire_alloc));
	struct wire_alloc *rec =
		link_reserve(&t->ring, counted ? WIRE_ALLOC_COUNTED : WIRE_ALLOC, sizeof *rec);
	if (!rec)
		return;
	rec->rec.thread = thread_number(t);
	rec->context = a->context;
	rec->array_length = a->array_length;
	rec->size = a->size;
	rec->weight = a->weight;
	link_commit(&t->ring);
}

/* Sends how much the callers of a kept object stand for. */
static void send_callers(const struct allocation *a, unsigned exponent)
{
	struct thread *t = a->thread;
	struct wire_callers *rec = link_reserve(&t->ring, WIRE_CALLERS, sizeof *rec);

	if (!rec)
		return;
	rec->rec.thread = thread_number(t);
	rec->context = a->context;
	rec->pad = 0;
	rec->bytes = a->weight * (double)a->size * (double)((1u << exponent) - 1);
	link_commit(&t->ring);
}

/* Passes a kept object to those who need its address, if that is known. */
static void pass_on(struct allocation *a)
{
	if (!layout.known)
		return;
	if (!atomic_load_explicit(&a->klass->word, memory_order_relaxed))
		learn_word(a->klass, a->object);
	a->epoch = epoch_now();
	a->ticket = (uint32_t)random_next(&a->thread->random);
	a->address = handle_address(a->object);
	if (a->epoch == UINT64_MAX || !epoch_is(a->epoch)) {
		status_add(skipped, 1);
		return;
	}
	parts_kept(a);
}

/*
 * The class of an object. A mirror is the java.lang.Class object. Within one epoch a mirror's
 * address belongs to one class. In a later epoch it usually still does, so the remembered class is
 * tried first.
 */
static struct klass *class_met(JNIEnv *jni, struct thread *t, jclass type)
{
	uint64_t epoch = ojx.stays ? epoch_now() : UINT64_MAX;
	uintptr_t mirror = handle_address(type);
	struct mirror *m = &t->mirrors[(mirror * 0x9e3779b97f4a7c15u) >> (64 - MIRROR_BITS)];
	bool good = epoch != UINT64_MAX && epoch_is(epoch);

	if (m->at == mirror && ((good && m->epoch == epoch) || class_is(jni, m->klass, type))) {
		m->epoch = good && epoch_is(epoch) ? epoch : UINT64_MAX;
		return m->klass;
	}
	struct klass *k = class_of(jni, type);
	if (k)
		*m = (struct mirror){ mirror, good && epoch_is(epoch) ? epoch : UINT64_MAX, k };
	return k;
}

/*
 * Decides what becomes of an object of a class that is wanted: finds its context, and whether it is
 * kept.
 */
static void decide(struct allocation *a, struct thinning *thinning)
{
	struct klass *k = a->klass;

	if (k->array)
		a->array_length = (uint32_t)(*a->jni)->GetArrayLength(a->jni, (jarray)a->object);
	uint32_t stack = allocation_stack(a, thinning);
	a->context = stack ? contexts_intern(k->id, stack) : 0;
	if (!thinning->decided && a->context && thinning_chooses())
		thinning_by_context(thinning, a);
}

/* Handles a sampled object. Returns whether it was only counted. */
static bool handle(struct allocation *a)
{
	struct thread *t = a->thread;
	struct thinning thinning = { .decided = false };
	bool wanted = a->klass && a->klass->wanted;

	if (wanted)
		decide(a, &thinning);
	parts_sampled(a);
	if (wanted) {
		if (!t->ring.way)
			link_ring_acquire(&t->ring, false);
		send_alloc(a, thinning.counted);
		if (thinning.by_stack && !thinning.counted && thinning.exponent)
			send_callers(a, thinning.exponent);
	}
	/* Not earlier: a sample in this count whose record did not arrive is taken for lost. */
	if (wanted || !a->klass)
		status_add(sampled, 1);
	a->weight *= (double)(1u << thinning.exponent);
	a->exponent = thinning.exponent;
	if (a->context && !thinning.counted)
		pass_on(a);
	return thinning.counted;
}

void alloc_exhaust_buffer(JNIEnv *jni)
{
	/*
	 * The first sample may be of an object that was put outside a TLAB in which a smaller one
	 * still fits.
	 */
	unsigned rest = PIECE / 8;

	for (uint32_t i = 0; i < MOST_PIECES && rest > 0; i++) {
		jbyteArray piece = (*jni)->NewByteArray(jni, had_sample ? 0 : PIECE);
		if (!piece) {
			(*jni)->ExceptionClear(jni);
			return;
		}
		(*jni)->DeleteLocalRef(jni, piece);
		rest -= had_sample;
	}
}

void alloc_sampled(JNIEnv *jni, jthread thread, jobject object, jclass type, jlong size)
{
	double drawn;
	bool good = sample_draw_taken(&drawn);

	if (alloc_ignored())
		return;
	if (!atomic_load_explicit(&ojx.live, memory_order_relaxed)) {
		had_sample = true;
		return;
	}
	if (!good)
		return;
	struct callcost cost = callcost_begin();
	struct thread *t = thread_self(jni);
	bool counted = false;
	if (t) {
		struct allocation a = {
			.jni = jni,
			.thread = t,
			.object = object,
			.klass = class_met(jni, t, type),
			.size = (uint64_t)size,
			.spacing = drawn,
			.weight = sample_weight((uint64_t)size, drawn),
		};
		thread_name(t, jni, thread, true);
		counted = handle(&a);
	} else {
		limit_reached(WIRE_LIMIT_THREADS);
		status_add(sampled, 1);
	}
	uint64_t ns = callcost_end(&cost);
	if (counted) {
		status_add(counted, 1);
		status_add(cost.counted_ns, ns);
	}
}
