/* SPDX-License-Identifier: Apache-2.0 */
/*
 * classes.c - the entries of classes, each made when the first object of its class is sampled.
 *
 * Several threads may build the entry of one class at the same time, and each may be suspended in
 * any JVMTI or JNI call. So no such call is made under the lock, and no thread waits for another
 * one's call. A new entry first goes onto the list of births, together with a reference to its
 * class. A thread that has built an entry compares its class with those of all births. If it finds
 * the class, it takes that entry and also sets the tag, since the other thread may not have done so
 * yet. Otherwise it adds its own birth. If another birth was added meanwhile, it compares with that
 * one first. The last thread that leaves frees the births whose tags are set.
 */
#include "hotspot/metadata/classes.h"

#include "core/memory.h"
#include "core/session.h"
#include "hotspot/metadata/classbuild.h"

#define NO_ENTRY      CLASS_MAX /* tag of a class that never gets an entry */
#define SESSION_SHIFT 32	/* of the session's number in a tag: older tags count for nothing */

/* A class whose tag may not be set yet. */
struct birth {
	struct birth *next;
	jobject type;	     /* a global reference */
	struct klass *klass; /* NULL: the class gets no entry */
	_Atomic bool tagged;
};

static struct klass *_Atomic table[CLASS_MAX];
static _Atomic uint32_t last_id;
static struct birth *births; /* newest first; only the head changes while `inside` > 0 */
static uint32_t inside;	     /* threads that read `births` */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

struct klass *class_by_id(uint32_t id)
{
	return id < CLASS_MAX ? atomic_load_explicit(&table[id], memory_order_acquire) : NULL;
}

struct class_position class_position(const struct klass *k, uint64_t position)
{
	if (!k->array)
		return k->positions[position];
	return (struct class_position){
		.offset = (uint32_t)(k->base + position * k->element_size),
		.size = k->element_size,
		.reference = k->reference_elements,
	};
}

/* ---- births ---------------------------------------------------------------------------- */

/* The entry of a tag. */
static struct klass *tagged_with(jlong tag)
{
	return tag > 0 && tag < CLASS_MAX ? class_by_id((uint32_t)tag) : NULL;
}

/* The tag of a class in this session; 0: it has none. False if JVMTI fails. */
static bool tag_of(jclass type, jlong *tag)
{
	if ((*ojx.jvmti)->GetTag(ojx.jvmti, type, tag) != JVMTI_ERROR_NONE)
		return false;
	*tag = (uint32_t)(*tag >> SESSION_SHIFT) == session_number() ? (jlong)(uint32_t)*tag : 0;
	return true;
}

static bool is_full(void)
{
	return atomic_load_explicit(&last_id, memory_order_relaxed) + 1 >= CLASS_MAX;
}

/* Takes ownership of `k`. */
static struct birth *birth_new(JNIEnv *jni, jclass type, struct klass *k)
{
	struct birth *b = memory_new(1, sizeof *b);

	if (b) {
		b->type = (*jni)->NewGlobalRef(jni, type);
		b->klass = k;
	}
	if (b && b->type)
		return b;
	classbuild_free(k);
	memory_free(b);
	return NULL;
}

static void birth_free(JNIEnv *jni, struct birth *b)
{
	(*jni)->DeleteGlobalRef(jni, b->type);
	memory_free(b);
}

static struct birth *births_enter(void)
{
	pthread_mutex_lock(&lock);
	inside++;
	struct birth *newest = births;
	pthread_mutex_unlock(&lock);
	return newest;
}

/* Moves the births with set tags to another list. */
static struct birth *take_tagged(void)
{
	struct birth *taken = NULL;

	for (struct birth **at = &births; *at;) {
		struct birth *b = *at;
		if (!atomic_load_explicit(&b->tagged, memory_order_acquire)) {
			at = &b->next;
			continue;
		}
		*at = b->next;
		b->next = taken;
		taken = b;
	}
	return taken;
}

/* A thread that enters after the last one has left sees the tags. */
static void births_leave(JNIEnv *jni)
{
	pthread_mutex_lock(&lock);
	struct birth *over = --inside == 0 ? take_tagged() : NULL;
	pthread_mutex_unlock(&lock);
	while (over) {
		struct birth *next = over->next;
		birth_free(jni, over);
		over = next;
	}
}

/* The birth of a class between `newest` and `seen` (excluded); NULL if there is none. */
static struct birth *find_birth(JNIEnv *jni, jclass type, struct birth *newest,
				const struct birth *seen)
{
	for (struct birth *b = newest; b != seen; b = b->next)
		if ((*jni)->IsSameObject(jni, b->type, type))
			return b;
	return NULL;
}

/* Adds a birth if `newest` still is the newest one. Returns the newest one. */
static struct birth *add_birth(struct birth *mine, struct birth *newest,
			       const struct class_plan *plan)
{
	pthread_mutex_lock(&lock);
	if (births == newest) {
		struct klass *k = is_full() ? NULL : mine->klass;
		if (k) {
			k->id = atomic_fetch_add_explicit(&last_id, 1, memory_order_relaxed) + 1;
			classbuild_define(k, plan);
			atomic_store_explicit(&table[k->id], k, memory_order_release);
		} else {
			classbuild_free(mine->klass);
		}
		mine->klass = k;
		mine->next = births;
		births = mine;
	}
	newest = births;
	pthread_mutex_unlock(&lock);
	return newest;
}

/* When JVMTI has no memory for the tag, the birth stays in the list and is found there. */
static void set_tag(jclass type, struct birth *b)
{
	jlong tag = (jlong)session_number() << SESSION_SHIFT | (b->klass ? b->klass->id : NO_ENTRY);

	if (!atomic_load_explicit(&b->tagged, memory_order_acquire) &&
	    (*ojx.jvmti)->SetTag(ojx.jvmti, type, tag) == JVMTI_ERROR_NONE)
		atomic_store_explicit(&b->tagged, true, memory_order_release);
}

/*
 * Gives the class its id, unless another thread was faster. `mine->klass` NULL: the class gets no
 * entry. Takes ownership of `mine`.
 */
static struct klass *publish(JNIEnv *jni, jclass type, struct birth *mine,
			     const struct class_plan *plan)
{
	struct birth *newest = births_enter(), *seen = NULL, *winner = NULL;
	jlong tag = 0;

	while (!winner && !tag) {
		winner = find_birth(jni, type, newest, seen);
		seen = newest;
		if (winner || !tag_of(type, &tag) || tag)
			break;
		newest = add_birth(mine, seen, plan);
		winner = newest == mine ? mine : NULL;
	}
	struct klass *k = winner ? winner->klass : tagged_with(tag);
	if (winner)
		set_tag(type, winner);
	births_leave(jni);
	if (winner != mine) {
		classbuild_free(mine->klass);
		birth_free(jni, mine);
	}
	return k;
}

/*
 * The reference is weak. Any thread may compare it at any time, so it stays until the session ends.
 */
static void hold_mirror(JNIEnv *jni, jclass type, struct klass *k)
{
	jweak none = NULL, mirror = atomic_load_explicit(&k->mirror, memory_order_acquire)
					    ? NULL
					    : (*jni)->NewWeakGlobalRef(jni, type);

	if (mirror &&
	    !atomic_compare_exchange_strong_explicit(&k->mirror, &none, mirror,
						     memory_order_acq_rel, memory_order_acquire))
		(*jni)->DeleteWeakGlobalRef(jni, mirror);
	(*jni)->ExceptionClear(jni);
}

static struct klass *create(JNIEnv *jni, jclass type)
{
	struct class_plan plan = { 0 };
	struct klass *k = is_full() ? NULL : classbuild(jni, type, &plan);
	struct birth *mine = birth_new(jni, type, k);

	k = mine ? publish(jni, type, mine, &plan) : NULL;
	classbuild_release(&plan);
	if (k)
		hold_mirror(jni, type, k);
	return k;
}

bool class_is(JNIEnv *jni, const struct klass *k, jclass type)
{
	jweak mirror = atomic_load_explicit(&k->mirror, memory_order_relaxed);

	return mirror && (*jni)->IsSameObject(jni, type, mirror);
}

struct klass *class_of(JNIEnv *jni, jclass type)
{
	jlong tag = 0;

	if (!tag_of(type, &tag))
		return NULL;
	struct klass *k = tag ? tagged_with(tag) : create(jni, type);
	if (!k && is_full())
		limit_reached(WIRE_LIMIT_CLASSES);
	return k;
}

/* Removes the tag of a class that still exists, and the reference to it. */
static void release_mirror(JNIEnv *jni, jweak mirror)
{
	jclass type = (*jni)->NewLocalRef(jni, mirror);

	if (type)
		(*ojx.jvmti)->SetTag(ojx.jvmti, type, 0);
	(*jni)->DeleteLocalRef(jni, type);
	(*jni)->DeleteWeakGlobalRef(jni, mirror);
}

void classes_release(JNIEnv *jni)
{
	for (uint32_t i = 0; i < CLASS_MAX; i++) {
		struct klass *k = class_by_id(i);
		jweak mirror =
			k ? atomic_exchange_explicit(&k->mirror, NULL, memory_order_acq_rel) : NULL;
		if (mirror)
			release_mirror(jni, mirror);
	}
	for (struct birth *b = births; b; b = b->next)
		(*jni)->DeleteGlobalRef(jni, b->type);
	births = NULL;
}
