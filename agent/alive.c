/* SPDX-License-Identifier: Apache-2.0 */
/*
 * alive.c - see alive.h.
 *
 * An entry belongs to whoever moves it from FREE or HELD to BUSY. Threads that allocate take free ones; all else is done
 * under the service's lock.
 *
 * Only to look at an object a local reference is made of it: there its address is good for as long as the epoch lasts, with
 * every collector.
 */
#include "alive.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "alloc.h"
#include "canary.h"
#include "deep.h"
#include "layout.h"
#include "link.h"
#include "peek.h"
#include "thin.h"
#include "track.h"
#include "vmstructs.h"

#define HELD_MAX       4096u
#define PROBES	       64u
#define MUCH	       (HELD_MAX / 4 * 3)
#define FEW	       (HELD_MAX / 4)
#define STEP	       128u /* more than MUCH, and the interval is raised again */
#define LEAST_INTERVAL 4096.0
#define STRIDE	       2531u /* of HELD_MAX, which it shares no factor with */
#define FIRST_WEAK     15 /* JDK that can compare a weak reference with null and keep nothing alive */
#define FIRST_YOUNG_Z  24	   /* JDK whose ZGC is always generational */
#define LEAF_MAX       4096u	   /* bytes of what is held there */
#define COPY_ROOM      (1u << 20)  /* bytes of objects copied at a time */
#define SLOTS_SENT     8	   /* fields: enough to tell whether strings share an array */
#define SWEEP_NS       250000000u  /* where dying takes longer than a pause */
#define VIEW_NS	       5000000000u /* between views, at least, */
#define VIEW_SHARE     4	   /* and this part of the time before, */
#define VIEW_COST      500	   /* and so many times what one costs */
#define VIEW_MAX_NS    20000000u   /* for one view */
#define EXACT_VIEW_NS  500000000u
#define ATTEMPTS       3 /* to look at objects while there is no collection */

enum state { FREE, BUSY, HELD };

struct held {
	_Atomic uint32_t state;
	uint32_t context, class_id, extent, ticket;
	uint16_t thread;
	uint64_t size, time;
	double first, weight; /* as sampled; as kept */
	jweak handle;
};

static struct held *entries;
static _Atomic uint32_t used;	/* entries that were ever taken are below it */
static _Atomic uint32_t cursor; /* where a free one is looked for */
static _Atomic uint32_t count;	/* that are held */
static _Atomic double interval; /* see thin_weight */
static double thinned;		/* to this interval */
static bool leaves;		/* see alive.h */

/* Of strings, a look at whose arrays has to be prepared for; NULL where that is not needed. */
static jclass string;
static jfieldID string_value;

static unsigned char *copy;
static struct entry looked[PEEK_BATCH]; /* objects that are being looked at */

/* ---- start ----------------------------------------------------------------------------- */

/* As in follow.c: the JVM's checks of JNI resolve what is compared, which keeps it alive. */
static bool can_hold(const struct vmstructs *vm)
{
	return peek_works() &&
	       (!atomic_load(&ojx.moves_concurrently) ||
		(agent_jdk() >= FIRST_WEAK && !vmstructs_flag(vm, "CheckJNICalls")));
}

static void string_init(JNIEnv *jni)
{
	jclass local = (*jni)->FindClass(jni, "java/lang/String");

	string_value = local ? (*jni)->GetFieldID(jni, local, "value", "[B") : NULL;
	string = string_value ? (*jni)->NewGlobalRef(jni, local) : NULL;
	if ((*jni)->ExceptionCheck(jni))
		(*jni)->ExceptionClear(jni);
}

void alive_init(JNIEnv *jni)
{
	struct vmstructs vm;

	vmstructs_read(&vm, ojx.dl);
	if (!layout.known || !can_hold(&vm))
		return;
	leaves = strcmp(ojx.shm->status.gc, "Z") == 0 &&
		 (agent_jdk() >= FIRST_YOUNG_Z || vmstructs_flag(&vm, "ZGenerational"));
	if (atomic_load(&ojx.moves_concurrently))
		string_init(jni);
	copy = malloc(COPY_ROOM);
	if (copy && canary_init(jni))
		entries = calloc(HELD_MAX, sizeof *entries);
}

/* ---- objects come and go ----------------------------------------------------------------- */

static void raise_used(uint32_t n)
{
	uint32_t now = atomic_load(&used);

	while (now < n && !atomic_compare_exchange_weak(&used, &now, n))
		;
}

/* The entry of a new object, BUSY; NULL where none is near. */
static struct held *take(void)
{
	uint32_t start = atomic_load(&cursor);

	for (uint32_t k = 0; k < PROBES; k++) {
		uint32_t i = (start + k) % HELD_MAX, is_free = FREE;
		if (!atomic_compare_exchange_strong(&entries[i].state, &is_free, BUSY))
			continue;
		raise_used(i + 1);
		atomic_store(&cursor, i + 1);
		return &entries[i];
	}
	atomic_store(&cursor, start + PROBES);
	return NULL;
}

static bool is_leaf(const struct klass *k)
{
	bool references = k->array && k->reference_elements;

	for (uint32_t i = 0; !k->array && i < k->npositions; i++)
		references |= k->positions[i].reference;
	return !references;
}

/* When the table is nearly full, fewer come from now on; those that are there are thinned soon. */
static void raise_interval(void)
{
	double now = atomic_load(&interval), least = 2.0 * (double)alloc_interval();

	atomic_compare_exchange_strong(&interval, &now, fmax(2 * now, fmax(least, LEAST_INTERVAL)));
}

void alive_add(JNIEnv *jni, jobject object, const struct klass *k, const struct wire_alloc *alloc,
	       uint16_t thread, uint64_t random)
{
	double weight;

	if (!entries || (leaves && (alloc->size > LEAF_MAX || !is_leaf(k))))
		return;
	weight = thin_weight(atomic_load(&interval), alloc->weight, alloc->size);
	if (!thin_keeps((uint32_t)random, alloc->weight, weight))
		return;
	struct held *e = take();
	if (!e)
		return;
	e->handle = (*jni)->NewWeakGlobalRef(jni, object);
	if (!e->handle) {
		(*jni)->ExceptionClear(jni);
		atomic_store(&e->state, FREE);
		return;
	}
	e->context = alloc->context;
	e->class_id = k->id;
	e->extent = alloc->extent;
	e->ticket = (uint32_t)random;
	e->thread = thread;
	e->size = alloc->size;
	e->first = alloc->weight;
	e->weight = weight;
	e->time = now_ns();
	atomic_store_explicit(&e->state, HELD, memory_order_release);
	uint32_t n = atomic_fetch_add(&count, 1) + 1;
	if (n > MUCH && n % STEP == 0)
		raise_interval();
}

static void release(JNIEnv *jni, struct held *e)
{
	uint32_t held = HELD;

	if (!atomic_compare_exchange_strong(&e->state, &held, BUSY))
		return;
	(*jni)->DeleteWeakGlobalRef(jni, e->handle);
	atomic_store(&e->state, FREE);
	atomic_fetch_sub(&count, 1);
}

static bool is_held(const struct held *e)
{
	return atomic_load_explicit(&e->state, memory_order_acquire) == HELD;
}

/* Lets go of the dead. Where that leaves much room, more may come. */
static void sweep(JNIEnv *jni)
{
	double now = atomic_load(&interval), least = 2.0 * (double)alloc_interval();

	for (uint32_t i = 0; i < atomic_load(&used); i++)
		if (is_held(&entries[i]) && canary_is_dead(jni, entries[i].handle))
			release(jni, &entries[i]);
	if (atomic_load(&count) < FEW && now > 0) {
		atomic_store(&interval, now > 2 * fmax(least, LEAST_INTERVAL) ? now / 2 : 0);
		thinned = atomic_load(&interval);
	}
}

/* Lets go of what would not have been sampled under the interval that is kept to now. */
static void thin(JNIEnv *jni)
{
	if (atomic_load(&interval) <= thinned)
		return;
	thinned = atomic_load(&interval);
	for (uint32_t i = 0; i < atomic_load(&used); i++) {
		struct held *e = &entries[i];
		if (!is_held(e))
			continue;
		double weight = thin_weight(atomic_load(&interval), e->weight, e->size);
		if (thin_keeps(e->ticket, e->first, weight))
			e->weight = weight;
		else
			release(jni, e);
	}
}

/* ---- views ------------------------------------------------------------------------------- */

struct view {
	JNIEnv *jni;
	struct link_ring *ring;
	uint64_t horizon, deadline;
	uint32_t objects;
	struct held *batch[PEEK_BATCH];
	uint32_t n;
};

static void send(struct view *v, const struct held *e, const struct entry *l)
{
	const struct content *c = &l->content;
	bool seen = l->state == ENTRY_LOOKED;
	uint16_t nslots = seen && c->nslots <= SLOTS_SENT ? c->nslots : 0;
	/* that the large ones are not seen is no chance, and nothing is equal to them */
	uint16_t unseen = e->size > COPY_ROOM ? WIRE_PARTIAL : WIRE_UNSEEN;
	uint16_t flags = seen ? l->flags : unseen;
	uint32_t len = wire_pad(sizeof(struct wire_look) + nslots * sizeof(uint32_t));
	struct wire_look *look;

	/* a reference may be of before the object that it leads to has moved */
	if ((flags & WIRE_REFS) && atomic_load(&ojx.moves_concurrently))
		flags |= WIRE_PARTIAL;
	v->objects++;
	look = link_reserve(v->ring, WIRE_ALIVE, len);
	if (!look)
		return;
	*look = (struct wire_look){
		.rec = look->rec,
		.context = e->context,
		.extent = e->extent,
		.epoch = (uint32_t)epoch_of(atomic_load(&ojx.gc_seq)),
		.flags = flags,
		.nslots = nslots,
		.weight = e->weight,
		.ticket = e->ticket,
	};
	look->rec.thread = e->thread;
	if (seen) {
		look->content = c->hash;
		look->deep = l->deep.hash;
		look->nodes = l->deep.nodes;
		look->deep_bytes = l->deep.bytes;
	}
	memcpy(look + 1, c->slot, nslots * sizeof(uint32_t));
	link_commit(v->ring, look);
}

/* An object that is to be looked at, where it is now. False where it is dead. */
static bool prepare(JNIEnv *jni, const struct held *e, struct entry *l)
{
	jobject object = (*jni)->NewLocalRef(jni, e->handle);

	/* who loads a reference finds out where the object is now, and leaves that in the slot */
	if (object && string && (*jni)->IsInstanceOf(jni, object, string))
		(*jni)->GetObjectField(jni, object, string_value);
	*l = (struct entry){
		.state = ENTRY_BUSY,
		.class_id = e->class_id,
		.object = object ? handle_address(object) : 0,
		.extent = e->extent,
	};
	return object != NULL;
}

/* Looks at a batch within one epoch. False where it ended before. */
static bool look_at(struct view *v)
{
	uint64_t epoch = epoch_now();
	struct copy_run run = { .n = 0 };
	const struct look_how how = { .epoch = epoch,
				      .deep = deep_service(),
				      .deep_until = v->deadline };
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
				atomic_store(&looked[n].state, ENTRY_GONE); /* too large */
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
			atomic_store(&looked[i].state, ENTRY_GONE);
		send(v, v->batch[i], &looked[i]);
	}
	v->n = 0;
}

/* An entry in random order: what there is no time for is as likely to be this as that. */
static void add_to_view(struct view *v, struct held *e)
{
	static const struct entry unseen = { .state = ENTRY_GONE };

	if (!is_held(e) || e->time > v->horizon)
		return;
	if (now_ns() >= v->deadline) {
		finish_batch(v);
		if (!canary_is_dead(v->jni, e->handle))
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
	uint64_t now = now_ns();
	uint32_t start;

	random += ojx.config.seed;
	start = (uint32_t)random_below(&random, HELD_MAX);
	v->deadline = now + (alloc_exact() ? EXACT_VIEW_NS : VIEW_MAX_NS);
	for (uint32_t k = 0; k < HELD_MAX; k++)
		add_to_view(v, &entries[(start + k * STRIDE) % HELD_MAX]);
	finish_batch(v);
	struct wire_view *end = link_reserve(v->ring, WIRE_VIEW, sizeof *end);
	if (!end)
		return;
	end->objects = v->objects;
	end->leaves = leaves ? LEAF_MAX : 0;
	end->interval = atomic_load(&interval);
	end->age_ms = (now - v->horizon) / 1000000;
	link_commit(v->ring, end);
}

/* Sends a view if there is something new to tell, and it was not long ago that there was. */
static void view(JNIEnv *jni, struct link_ring *ring, bool final)
{
	static uint64_t next, told;
	uint64_t now = now_ns(), horizon = canary_horizon(), pause;
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

void alive_service(JNIEnv *jni, struct link_ring *ring, bool final)
{
	static uint64_t swept_epoch, swept;
	uint64_t now = now_ns(), epoch = epoch_now();

	if (!entries || (*jni)->ExceptionCheck(jni))
		return;
	bool died = canary_sweep(jni), again = atomic_load(&ojx.moves_concurrently);
	if (died || final || epoch != swept_epoch || (again && now - swept > SWEEP_NS)) {
		swept_epoch = epoch;
		swept = now;
		sweep(jni);
	}
	thin(jni);
	view(jni, ring, final);
	if (!final && atomic_load(&used))
		canary_add(jni);
}
