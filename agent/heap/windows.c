/* SPDX-License-Identifier: Apache-2.0 */
/* windows.c - see windows.h. All of it but the start is the VM thread's, in pauses. */
#include "heap/windows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/peek.h"
#include "heap/alloc_interval.h"
#include "heap/pending_objects.h"
#include "hotspot/young.h"

#define CANDIDATES 2048u /* sampled objects of an epoch that windows are chosen from */
#define CHECKED	   256u	 /* of these, are looked for in windows */
#define UNFINISHED 1024u /* bytes below where a thread allocates: objects may not be finished */
#define LEAST	   64u	 /* bytes of a window */
#define SLOTS	   16u	 /* parts of an epoch, in each of which bytes are sampled at one rate */
#define BY_KERNEL \
	8u		  /* so many windows are copied by the kernel, which cannot fault, before
			     this thread does */
#define COST_FIRST 150000 /* ns to read one, until that is known */
#define SAVED	   40	  /* windows whose time may be saved up */

struct candidate {
	uintptr_t at;
	uint64_t bytes;
	double weight, spacing;
	const struct entry *e;
};

static struct window *windows;
static struct candidate candidates[CANDIDATES];
static uint32_t ncandidates, nchecked, taken_by_kernel, pauses;
static uint64_t chance;
static _Atomic bool on;
static _Atomic int64_t left = (int64_t)COST_FIRST * SAVED; /* ns that reading may take */
static _Atomic int64_t cost = COST_FIRST;

bool windows_init(void)
{
	unsigned char *room = malloc((size_t)WINDOWS * WINDOW_BYTES);

	windows = calloc(WINDOWS, sizeof *windows);
	if (!windows || !room)
		return false;
	for (uint32_t i = 0; i < WINDOWS; i++)
		windows[i].copy = room + (size_t)i * WINDOW_BYTES;
	chance = ojx.config.seed ^ 0x717d0;
	atomic_store(&on, true);
	return true;
}

void windows_stop(void)
{
	atomic_store(&on, false);
}

struct window *windows_get(uint32_t i)
{
	return &windows[i];
}

void windows_grant(uint64_t ns)
{
	int64_t most = SAVED * atomic_load(&cost), now = atomic_load(&left);
	int64_t more = ns < (uint64_t)most ? (int64_t)ns : most;

	atomic_fetch_add(&left, now + more < most ? more : most > now ? most - now : 0);
}

void windows_cost(uint64_t ns)
{
	int64_t before = atomic_load(&cost);

	atomic_store(&cost, before + ((int64_t)ns - before) / 16 + 1);
	atomic_fetch_sub(&left, (int64_t)ns - before); /* the rest was taken in the pause */
}

/* ---- which ------------------------------------------------------------------------------- */

/* [pause] Bytes of an object with its padding. */
static uint64_t object_bytes(const struct klass *k, uint32_t array_length)
{
	uint64_t end = class_end(k, array_length);
	return ((end < 16 ? 16 : end) + 7) & ~7ull;
}

/* [pause] Bytes from sample to sample where the object was sampled, as its weight tells. */
static double spacing_of(double bytes, double weight)
{
	double usual = (double)alloc_interval();
	return weight > 1.01 ? bytes / -log1p(-1 / weight) : fmax(usual, bytes);
}

/* [pause] Objects of the epoch that are finished. */
static void list_candidates(uint64_t epoch, uint64_t youngest)
{
	ncandidates = 0;
	for (uint32_t b = 0; b < BATCHES; b++) {
		const struct batch *batch = pending_objects_batch(b);
		if (atomic_load(&batch->state) == BATCH_FREE || batch->epoch != epoch)
			continue;
		for (uint32_t i = 0; i < batch_length(batch) && ncandidates < CANDIDATES; i++) {
			const struct entry *e = &batch->entries[i];
			uint32_t state = atomic_load(&e->state);
			const struct klass *k = class_by_id(e->class_id);
			if ((state != ENTRY_READY && state != ENTRY_SNAPPED) ||
			    e->time > youngest || !k)
				continue;
			uint64_t bytes = object_bytes(k, e->array_length);
			candidates[ncandidates++] =
				(struct candidate){ e->object, bytes, e->weight,
						    spacing_of((double)bytes, e->weight), e };
		}
	}
}

/*
 * [pause] Drops some so that at each time all bytes are sampled as rarely as those that are so most
 * rarely. What lies side by side was allocated at about the same time.
 */
static void even_out(uint64_t from, uint64_t to)
{
	double most[SLOTS + 1] = { 0 };
	uint64_t length = (to > from ? to - from : 1) / SLOTS + 1;
	uint32_t n = 0;

	for (uint32_t i = 0; i < ncandidates; i++) {
		const struct candidate *c = &candidates[i];
		uint64_t age = c->e->time > from ? c->e->time - from : 0;
		uint64_t slot = age / length < SLOTS ? age / length : SLOTS;
		most[slot] = fmax(most[slot], c->spacing);
	}
	for (uint32_t i = 0; i < ncandidates; i++) {
		struct candidate c = candidates[i];
		uint64_t age = c.e->time > from ? c.e->time - from : 0;
		double rarest = most[age / length < SLOTS ? age / length : SLOTS];
		double keep = c.spacing / rarest;
		if ((double)(random_next(&chance) >> 11) * 0x1p-53 >= keep)
			continue;
		c.weight /= keep;
		c.spacing = rarest;
		candidates[n++] = c;
	}
	ncandidates = n;
}

/* [pause] Puts `n` of them, drawn at random, first. */
static void draw(uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		uint32_t j = i + (uint32_t)random_below(&chance, ncandidates - i);
		struct candidate c = candidates[j];
		candidates[j] = candidates[i];
		candidates[i] = c;
	}
}

/* ---- copies ------------------------------------------------------------------------------ */

static struct window *free_window(uint32_t *from)
{
	for (; *from < WINDOWS; (*from)++)
		if (atomic_load_explicit(&windows[*from].state, memory_order_acquire) ==
		    WINDOW_FREE)
			return &windows[(*from)++];
	return NULL;
}

/*
 * [pause] Where a window begins and ends. Of a large object it begins at a random byte, as any of
 * them was as likely to be sampled, and has what follows the object.
 */
static uintptr_t window_range(const struct candidate *c, uintptr_t *end)
{
	uintptr_t from = c->at, point = c->at;

	if (c->bytes > WINDOW_LARGE) {
		point += random_below(&chance, c->bytes);
		from += c->bytes;
	}
	*end = point + WINDOW_BYTES;
	return from;
}

static bool copy_bytes(struct window *w)
{
	if (taken_by_kernel >= BY_KERNEL) {
		memcpy(w->copy, (const void *)w->at, w->bytes);
		return true;
	}
	taken_by_kernel++;
	if (peek(w->at, w->copy, w->bytes))
		return true;
	windows_stop();
	return false;
}

/* [pause] Other sampled objects that lie in it. */
static void add_checks(struct window *w, const struct candidate *c)
{
	w->nchecks = 0;
	for (uint32_t i = 0; i < nchecked && w->nchecks < WINDOW_CHECKS; i++) {
		const struct candidate *other = &candidates[i];
		if (other->at > c->at && other->at >= w->at && other->at - w->at < w->bytes)
			w->checks[w->nchecks++] =
				(struct window_check){ (uint32_t)(other->at - w->at),
						       other->e->class_id };
	}
}

/* [pause] Fills a window; false where there is nothing to copy. */
static bool take(struct window *w, const struct candidate *c)
{
	bool open;
	uintptr_t wanted, from = window_range(c, &wanted);
	uintptr_t end = from < wanted ? young_end(from, &open) : 0;

	if (!end)
		return false;
	if (open)
		end = end - from > UNFINISHED ? end - UNFINISHED : from;
	w->whole = end >= wanted;
	w->at = from;
	w->bytes = (uint32_t)((w->whole ? wanted : end) - from);
	if (w->bytes < LEAST || w->bytes > WINDOW_BYTES || !copy_bytes(w))
		return false;
	w->pause = pauses;
	w->sampled = from == c->at;
	w->context = c->e->context;
	w->class_id = c->e->class_id;
	w->array_length = c->e->array_length;
	w->ticket = c->e->ticket;
	w->thread = c->e->thread;
	w->weight = c->weight;
	w->spacing = c->spacing;
	add_checks(w, c);
	return true;
}

/* [pause] As many as may be taken, out of `ncandidates`. */
static uint32_t affordable(void)
{
	int64_t n = atomic_load(&left) / atomic_load(&cost);
	uint32_t most = ncandidates < WINDOWS ? ncandidates : WINDOWS;

	return n <= 0 ? 0 : n < most ? (uint32_t)n : most;
}

void windows_gc_start(uint64_t epoch, uint64_t youngest, uint64_t deadline)
{
	struct window *filled[WINDOWS];
	uint32_t nfilled = 0, tried = 0, at = 0;

	if (!atomic_load_explicit(&on, memory_order_acquire) || alloc_exact())
		return;
	list_candidates(epoch, youngest);
	even_out(atomic_load(&ojx.gc_time), youngest);
	uint32_t n = affordable();
	if (!n || now_ns() >= deadline || !young_begin())
		return;
	pauses++;
	draw(n);
	nchecked = ncandidates < CHECKED ? ncandidates : CHECKED;
	for (; tried < n && now_ns() < deadline; tried++) {
		struct window *w = free_window(&at);
		if (!w)
			break;
		if (take(w, &candidates[tried]))
			filled[nfilled++] = w;
	}
	for (uint32_t i = 0; i < nfilled; i++) {
		filled[i]->weight *= (double)ncandidates / tried;
		filled[i]->spacing *= (double)ncandidates / tried;
		atomic_store_explicit(&filled[i]->state, WINDOW_FULL, memory_order_release);
	}
	atomic_fetch_sub(&left, (int64_t)nfilled * atomic_load(&cost));
}
