/* SPDX-License-Identifier: Apache-2.0 */
/*
 * follow.c - see follow.h.
 *
 * An entry belongs to whoever moves it from FREE or FOLLOWED to BUSY. What a handler reads of it (struct place) is written
 * such that an address with the current epoch is a good one: the address is taken away first and set last.
 *
 * In a pause slots are read that the service thread may be about to delete. That is safe: deleting happens inside the
 * VM, which a thread does not get into while there is a pause.
 */
#include "follow.h"

#include <math.h>
#include <stdlib.h>

#include "alloc.h"
#include "layout.h"
#include "link.h"
#include "peek.h"
#include "vmstructs.h"

#define ENTRIES	   16384u
#define BLOCK	   64u /* entries that share bounds, so that a search passes over most of them */
#define PROBES	   256u
#define HEADER	   24u /* bytes of an object that hold class word and length */
#define MUCH	   (ENTRIES / 4 * 3)
#define FEW	   (ENTRIES / 4)
#define FIRST_WEAK 15 /* JDK that can compare a weak reference with null and keep nothing alive */

enum state { FREE, BUSY, FOLLOWED };

struct place {
	_Atomic uintptr_t at; /* 0: dead, or not known */
	_Atomic uint64_t epoch;
	uint64_t size;
};

struct entry {
	_Atomic uint32_t state, hits;
	uint32_t context, class_id, extent, ticket;
	double first;	       /* weight as sampled */
	_Atomic double weight; /* as kept */
	jweak handle;
};

static struct place *places;
static struct entry *entries;
static struct {
	_Atomic uintptr_t low, high;
} blocks[ENTRIES / BLOCK];

static _Atomic uint32_t used;	/* entries that were ever handed out are below it */
static _Atomic uint32_t cursor; /* where a free one is looked for */
static _Atomic uint32_t missed; /* objects that found none */
static _Atomic double
	kept_interval; /* as if allocations were sampled every so many bytes; 0: as they are */
static _Atomic uint64_t complete; /* epoch in which all places are known */

/* ---- start ----------------------------------------------------------------------------- */

static int jdk(void)
{
	char *version = NULL;
	int n = 0;

	if ((*ojx.jvmti)->GetSystemProperty(ojx.jvmti, "java.vm.specification.version", &version) ==
		    JVMTI_ERROR_NONE &&
	    version)
		n = atoi(version);
	(*ojx.jvmti)->Deallocate(ojx.jvmti, (unsigned char *)version);
	return n;
}

/*
 * Whether objects can be found again after a collection. The JVM's checks of JNI resolve what is compared, which keeps it
 * alive.
 */
static bool can_follow(void)
{
	unsigned char probe = 1, copy = 0;
	struct vmstructs vm;

	if (!atomic_load(&ojx.moves_concurrently))
		return true;
	vmstructs_read(&vm, ojx.dl);
	return jdk() >= FIRST_WEAK && !vmstructs_flag(&vm, "CheckJNICalls") &&
	       peek((uintptr_t)&probe, &copy, 1);
}

void follow_init(void)
{
	if (!layout.known)
		return;
	if (!can_follow()) {
		link_note("objects can not be followed with this collector, JDK and options: "
			  "accesses are told by class and place alone, not by allocation");
		return;
	}
	places = calloc(ENTRIES, sizeof *places);
	entries = places ? calloc(ENTRIES, sizeof *entries) : NULL;
	if (!entries)
		link_note("there is no memory to follow objects: accesses are told by class and "
			  "place "
			  "alone");
	follow_gc_finish(epoch_now());
	atomic_store(&complete, epoch_now());
}

/* ---- places ---------------------------------------------------------------------------- */

/* [handler][pause] An address without the bits by which some collectors mark it. */
static uintptr_t plain(uintptr_t address)
{
	return layout.ref_shift ? address : address & layout.ref_mask;
}

/* [handler][pause] Has searches look into the entry's block for these addresses. */
static void widen(uint32_t i, uintptr_t low, uintptr_t high)
{
	_Atomic uintptr_t *l = &blocks[i / BLOCK].low, *h = &blocks[i / BLOCK].high;
	uintptr_t now = atomic_load(l);

	while (low < now && !atomic_compare_exchange_weak(l, &now, low))
		;
	now = atomic_load(h);
	while (high > now && !atomic_compare_exchange_weak(h, &now, high))
		;
}

/* [pause] */
static void set_place(uint32_t i, uintptr_t at, uint64_t epoch)
{
	struct place *p = &places[i];

	atomic_store(&p->at, 0);
	atomic_store(&p->epoch, epoch);
	if (at)
		widen(i, at, at + p->size);
	atomic_store(&p->at, at);
}

/* [pause] What a weak reference's slot holds now. Its handle has tags in the lower bits, other ones in each JDK. */
static uintptr_t slot_value(const struct entry *e)
{
	return *(volatile uintptr_t *)((uintptr_t)e->handle & ~(uintptr_t)7);
}

void follow_gc_finish(uint64_t epoch)
{
	uint32_t n = atomic_load(&used);

	for (uint32_t b = 0; b < ENTRIES / BLOCK; b++) {
		atomic_store_explicit(&blocks[b].low, UINTPTR_MAX, memory_order_relaxed);
		atomic_store_explicit(&blocks[b].high, 0, memory_order_relaxed);
	}
	if (!entries || atomic_load(&ojx.moves_concurrently))
		return;
	for (uint32_t i = 0; i < n; i++)
		if (atomic_load_explicit(&entries[i].state, memory_order_acquire) == FOLLOWED)
			set_place(i, slot_value(&entries[i]), epoch);
	atomic_store(&complete, epoch);
}

/* Outside of a pause: where the object of an entry is in `epoch`. */
static void find_place(JNIEnv *jni, uint32_t i, uint64_t epoch)
{
	bool concurrent = atomic_load(&ojx.moves_concurrently);
	bool dead = concurrent && (*jni)->IsSameObject(jni, entries[i].handle, NULL);
	uintptr_t raw = dead ? 0 : slot_value(&entries[i]);

	set_place(i, concurrent ? layout_ref(raw) : raw, epoch);
	if (!epoch_is(epoch)) { /* and a pause may have known better, in between */
		atomic_store(&places[i].at, 0);
		atomic_store(&places[i].epoch, UINT64_MAX);
	}
}

/* ---- objects come ---------------------------------------------------------------------- */

/* Entries below n are in use. */
static void raise_used(uint32_t n)
{
	uint32_t now = atomic_load(&used);

	while (now < n && !atomic_compare_exchange_weak(&used, &now, n))
		;
}

/* The entry of a new object, BUSY; NULL where none is near. */
static struct entry *take(void)
{
	uint32_t start = atomic_fetch_add(&cursor, 1);

	for (uint32_t k = 0; k < PROBES; k++) {
		uint32_t i = (start + k) % ENTRIES, is_free = FREE;
		if (atomic_load_explicit(&entries[i].state, memory_order_relaxed) != FREE ||
		    !atomic_compare_exchange_strong(&entries[i].state, &is_free, BUSY))
			continue;
		raise_used(i + 1);
		if (k)
			atomic_fetch_add(&cursor, k);
		return &entries[i];
	}
	return NULL;
}

/* Objects that one of this size stands for, the rarer sampling taken into account. */
static double weight_now(double weight, uint64_t size)
{
	double interval = atomic_load(&kept_interval);

	return interval > 0 ? fmax(weight, 1 / -expm1(-(double)size / interval)) : weight;
}

static bool is_kept(uint32_t ticket, double first, double weight)
{
	return ticket < first / weight * 4294967296.0;
}

void follow_add(JNIEnv *jni, jobject object, uintptr_t address, uint64_t epoch,
		const struct klass *k, const struct wire_alloc *alloc, uint64_t random)
{
	double now = weight_now(alloc->weight, alloc->size);

	if (!entries || alloc->size < ojx.config.min_size ||
	    !is_kept((uint32_t)random, alloc->weight, now))
		return;
	struct entry *e = take();
	if (!e) {
		atomic_fetch_add(&missed, 1);
		return;
	}
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
	e->first = alloc->weight;
	atomic_store(&e->hits, 0);
	atomic_store(&e->weight, now);
	uint32_t i = (uint32_t)(e - entries);
	places[i].size = alloc->size;
	set_place(i, plain(address), epoch);
	atomic_store_explicit(&e->state, FOLLOWED, memory_order_release);
}

/* ---- addresses are asked for ----------------------------------------------------------- */

/* [handler] Whether the object at `start` is what the entry says. */
static bool is_there(const struct entry *e, uintptr_t start)
{
	unsigned char header[HEADER];
	const unsigned char *at = header;
	const struct klass *k = class_by_id(e->class_id);

	if (!k)
		return false;
	if (!peek(start, header, layout.length_offset + 4)) {
		if (atomic_load_explicit(&ojx.moves_concurrently, memory_order_relaxed))
			return false;
		at = (const unsigned char *)start; /* the kernel does not help; it stands still */
	}
	return layout_klass(at) == atomic_load_explicit(&k->word, memory_order_relaxed) &&
	       (!k->array || *(const uint32_t *)(at + layout.length_offset) == e->extent);
}

/* [handler] */
static enum follow_found found(uint32_t i, uintptr_t address, uintptr_t start, uint64_t epoch,
			       struct followed *to)
{
	struct entry *e = &entries[i];

	to->context = e->context;
	to->class_id = e->class_id;
	to->offset = plain(address) - start;
	to->weight = atomic_load(&e->weight);
	bool there = atomic_load(&e->state) == FOLLOWED && is_there(e, address - to->offset);
	if (!there || atomic_load(&places[i].at) != start || !epoch_is(epoch))
		return FOLLOW_UNKNOWN;
	to->hit = atomic_fetch_add(&e->hits, 1) + 1;
	return FOLLOW_FOUND;
}

enum follow_found follow_find(uintptr_t address, uint64_t epoch, struct followed *to)
{
	uintptr_t a = plain(address);
	uint32_t n = atomic_load(&used);

	if (!entries)
		return FOLLOW_NONE;
	if (atomic_load_explicit(&complete, memory_order_acquire) != epoch)
		return FOLLOW_UNKNOWN;
	for (uint32_t b = 0; b * BLOCK < n; b++) {
		if (a < atomic_load_explicit(&blocks[b].low, memory_order_relaxed) ||
		    a >= atomic_load_explicit(&blocks[b].high, memory_order_relaxed))
			continue;
		for (uint32_t i = b * BLOCK; i < (b + 1) * BLOCK; i++) {
			const struct place *p = &places[i];
			uintptr_t at = atomic_load_explicit(&p->at, memory_order_acquire);
			if (at && a - at < p->size && atomic_load(&p->epoch) == epoch)
				return found(i, address, at, epoch, to);
		}
	}
	return FOLLOW_NONE;
}

/* ---- objects go ------------------------------------------------------------------------ */

static void release(JNIEnv *jni, uint32_t i)
{
	uint32_t followed = FOLLOWED;

	if (!atomic_compare_exchange_strong(&entries[i].state, &followed, BUSY))
		return;
	atomic_store(&places[i].at, 0);
	(*jni)->DeleteWeakGlobalRef(jni, entries[i].handle);
	atomic_store(&entries[i].state, FREE);
}

/* Drops what would not have been sampled under the interval that is kept to now. */
static void thin(JNIEnv *jni)
{
	for (uint32_t i = 0; i < atomic_load(&used); i++) {
		struct entry *e = &entries[i];
		if (atomic_load(&e->state) != FOLLOWED)
			continue;
		double weight = weight_now(atomic_load(&e->weight), places[i].size);
		if (is_kept(e->ticket, e->first, weight))
			atomic_store(&e->weight, weight);
		else
			release(jni, i);
	}
}

/* Steers the interval by how full the table is. */
static void make_room(JNIEnv *jni, uint32_t live)
{
	double interval = atomic_load(&kept_interval), least = 2.0 * (double)alloc_interval();
	bool lack = atomic_exchange(&missed, 0) > 0;

	if (live > MUCH || lack) {
		atomic_store(&kept_interval, fmax(2 * interval, fmax(least, 4096)));
		thin(jni);
	} else if (live < FEW && interval > 0) {
		atomic_store(&kept_interval, interval > 2 * least ? interval / 2 : 0);
	}
}

/* New objects go to the first free entries, and nobody looks at those behind the last one in use. */
static void close_up(void)
{
	uint32_t n = atomic_load(&used), first = 0, end = n;

	while (first < n && atomic_load(&entries[first].state) != FREE)
		first++;
	atomic_store(&cursor, first);
	while (end > 0 && atomic_load(&entries[end - 1].state) == FREE)
		end--;
	if (end == n || !atomic_compare_exchange_strong(&used, &n, end))
		return;
	/* who took one of these before that did not have to move the end */
	for (uint32_t i = n; i > end; i--)
		if (atomic_load(&entries[i - 1].state) != FREE) {
			raise_used(i);
			return;
		}
}

void follow_service(JNIEnv *jni)
{
	uint64_t epoch = epoch_now();
	uint32_t live = 0;

	if (!entries || epoch == UINT64_MAX)
		return;
	for (uint32_t i = 0; i < atomic_load(&used); i++) {
		if (atomic_load_explicit(&entries[i].state, memory_order_acquire) != FOLLOWED)
			continue;
		if (atomic_load(&places[i].epoch) != epoch)
			find_place(jni, i, epoch);
		bool dead = atomic_load(&places[i].at) == 0 &&
			    atomic_load(&places[i].epoch) == epoch && epoch_is(epoch);
		if (dead)
			release(jni, i);
		live += !dead;
	}
	if (epoch_is(epoch))
		atomic_store(&complete, epoch);
	make_room(jni, live);
	close_up();
}
