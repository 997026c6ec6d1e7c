/* SPDX-License-Identifier: Apache-2.0 */
/*
 * eden_send.c - see eden_send.h. The windows of one pause are read together, since their
 * objects refer to each other. They wait while the ring has little room: if a window were lost, the
 * figures would be too small.
 */
#include "heap/eden/eden_send.h"

#include <stdlib.h>
#include <string.h>

#include "core/link.h"
#include "core/secret.h"
#include "heap/eden/eden_walk.h"
#include "heap/eden/eden_windows.h"
#include "hotspot/versions.h"

#define SLOTS	     2048u /* more than a window has objects */
#define CHECKS_LEAST 100u  /* windows read before the number of wrong ones is judged */
#define CHECKS_WRONG 0.01  /* share of windows that may begin with an object of the wrong size */
#define CUT_MANY     0.05  /* share of windows; if more were cut short, a note says so */
#define RING_USED    0.2   /* share; above it windows wait: the rest has room for two pauses */

/* The contents of the current window, and where in `list` a content is, plus 1, by its hash. */
static struct wire_window_content list[EDEN_OBJECTS];
static uint16_t place[SLOTS];
static uint32_t ncontents;
static uint32_t windows_read, wrong, not_understood, cut;
static uint64_t objects, objects_bytes, spent_ns;

/* ---- contents ---------------------------------------------------------------------------- */

/* Up to JDK 19 such an array may be what the VM fills a gap with. */
static bool may_be_gap(const struct walked *o)
{
	return !version_has(VERSION_FILLER_CLASSES) && o->class->shape.kind == SHAPE_PRIMITIVES &&
	       o->class->shape.log2 == 2;
}

static struct wire_window_content *content_of(uint32_t class_id, uint64_t key)
{
	uint64_t hash = (key ^ class_id) * 0x9e3779b97f4a7c15u;

	_Static_assert(SLOTS == 1u << 11, "the hash has so many bits");
	_Static_assert(EDEN_OBJECTS < SLOTS, "there is a free place");
	for (uint32_t i = (uint32_t)(hash >> 53);; i = (i + 1) % SLOTS) {
		if (!place[i]) {
			list[ncontents] =
				(struct wire_window_content){ .key = key, .class_id = class_id };
			place[i] = (uint16_t)++ncontents;
		}
		struct wire_window_content *c = &list[place[i] - 1];
		if (c->key == key && c->class_id == class_id)
			return c;
	}
}

static void count(const struct walked *o)
{
	uint64_t key = may_be_gap(o) ? 0 : o->key;
	struct wire_window_content *c = content_of(o->class->class_id, key);

	c->objects++;
	c->bytes += o->bytes;
	c->hashed += (o->marks & WIRE_HASHED) != 0;
	c->locked += (o->marks & WIRE_LOCKED) != 0;
	if (key && o->addresses)
		c->flags |= WIRE_WINDOW_ADDRESSES;
	objects++;
	objects_bytes += o->bytes;
}

/* A window ends at an object of unknown size: a piece of a virtual thread's stack. */
static void count_cut(const struct walked *last)
{
	cut += last->class && last->class->opaque;
}

/*
 * Reads the sampled object, which lies before the objects that count. Returns false if its size is
 * not `bytes`; then the window cannot be read. If its class is known, that is an error of ours. If
 * the class is unknown, it tells nothing: the class may have been unloaded, or there are too many
 * classes.
 */
static bool read_sampled(const struct eden_window *w, uint32_t bytes, struct walked *sampled)
{
	if (eden_walk_next(w, 0, sampled) && sampled->bytes == bytes)
		return true;
	count_cut(sampled);
	if (sampled->class && !sampled->class->opaque)
		wrong++;
	else
		not_understood++;
	return false;
}

/* Lists the contents of a window's objects. False if it cannot be read. */
static bool read_window(const struct eden_window *w, struct walked *sampled)
{
	uint32_t offset = (uint32_t)(w->first - w->at);
	struct walked o = { .class = NULL };

	ncontents = 0;
	memset(place, 0, sizeof place);
	memset(sampled, 0, sizeof *sampled);
	if (offset && !read_sampled(w, offset, sampled))
		return false;
	if (offset && may_be_gap(sampled))
		sampled->key = 0;
	while (w->at + offset < w->until && ncontents < EDEN_OBJECTS &&
	       eden_walk_next(w, offset, &o)) {
		if (!o.class->filler)
			count(&o);
		if (o.bytes >= w->bytes - offset)
			break;
		offset += (uint32_t)o.bytes;
	}
	count_cut(&o);
	return true;
}

/* ---- records ----------------------------------------------------------------------------- */

/* The number of objects in the window that are equal to the sampled object. */
static uint32_t near(const struct walked *sampled)
{
	for (uint32_t i = 0; i < ncontents && sampled->key && sampled->class; i++)
		if (list[i].key == sampled->key && list[i].class_id == sampled->class->class_id)
			return list[i].objects;
	return 0;
}

/* Hashes a key with the recording's secret: a plain key must not leave the agent. */
static uint64_t sealed(uint64_t key)
{
	uint64_t hash = secret_hash(key, SECRET_WINDOW);

	return key ? hash | (hash == 0) : 0;
}

static void send(struct link_ring *ring, const struct eden_window *w, const struct walked *sampled)
{
	uint32_t as_sampled = near(sampled);

	for (uint32_t i = 0; i < ncontents; i++)
		list[i].key = sealed(list[i].key);
	for (uint32_t i = 0; i < ncontents; i += WIRE_WINDOW_CONTENTS) {
		uint32_t n = ncontents - i;
		if (n > WIRE_WINDOW_CONTENTS)
			n = WIRE_WINDOW_CONTENTS;
		struct wire_window *rec = link_reserve(
			ring, WIRE_WINDOW, (uint32_t)(sizeof *rec + n * sizeof list[0]));
		if (!rec)
			return;
		rec->window = windows_read;
		rec->context = w->context;
		rec->scale = w->scale;
		rec->own = i == 0 ? sealed(sampled->key) : 0;
		rec->own_class = i == 0 && sampled->class ? sampled->class->class_id : 0;
		rec->ncontents = n;
		rec->near = rec->own ? as_sampled : 0;
		rec->pad = 0;
		memcpy(rec + 1, list + i, n * sizeof list[0]);
		link_commit(ring);
	}
}

static int compare(const void *a, const void *b)
{
	const struct eden_window *x = *(struct eden_window *const *)a,
				 *y = *(struct eden_window *const *)b;

	if (x->pause != y->pause)
		return x->pause < y->pause ? -1 : 1;
	return x->at < y->at ? -1 : x->at > y->at;
}

/* Reads the windows of one pause, sorted by address. Each ends where the next one begins. */
static void read_pause(struct link_ring *ring, struct eden_window **windows, uint32_t n)
{
	eden_walk_begin(windows[0]->pause, windows, n);
	for (uint32_t i = 0; i < n; i++) {
		struct eden_window *w = windows[i];
		struct walked sampled;
		if (i + 1 < n && windows[i + 1]->first < w->until)
			w->until = windows[i + 1]->first;
		windows_read++;
		if (!read_window(w, &sampled))
			continue;
		/* this sampled object may also be one of the objects of the previous window */
		if (i > 0 && w->at < windows[i - 1]->until)
			memset(&sampled, 0, sizeof sampled);
		send(ring, w, &sampled);
	}
	for (uint32_t i = 0; i < n; i++)
		atomic_store_explicit(&windows[i]->state, EDEN_FREE, memory_order_release);
}

static void tell(void)
{
	if (windows_read >= CHECKS_LEAST && wrong > CHECKS_WRONG * windows_read) {
		eden_windows_stop();
		link_note("equal objects of all classes are no longer looked for: %u of %u sampled "
			  "objects were not where they should be",
			  wrong, windows_read);
	}
}

static void tell_all(void)
{
	if (cut > CUT_MANY * windows_read)
		link_note("%u of %u windows end at stacks of virtual threads: equality's shares "
			  "are not representative, since what lies behind such a stack is missing",
			  cut, windows_read);
	if (ojx.config.flags & WIRE_VERBOSE && windows_read)
		link_note("%u windows with %llu objects in %llu bytes, read in %llu us each; in "
			  "%u the sampled object was not where it should be, in %u it was not "
			  "understood",
			  windows_read, (unsigned long long)objects,
			  (unsigned long long)objects_bytes,
			  (unsigned long long)(spent_ns / 1000 / windows_read), wrong,
			  not_understood);
}

/* Reads the windows that pauses have taken, and sends their contents. */
static void serve(const struct part_turn *turn)
{
	struct link_ring *ring = turn->ring;
	bool final = turn->final;
	struct eden_window *full[EDEN_WINDOWS];
	uint32_t n = 0;
	uint64_t before = cpu_ns();

	eden_windows_tell_end();
	if (!eden_windows_wanted())
		return;
	for (uint32_t i = 0; i < EDEN_WINDOWS; i++)
		if (atomic_load_explicit(&eden_windows_get(i)->state, memory_order_acquire) ==
		    EDEN_FULL)
			full[n++] = eden_windows_get(i);
	qsort(full, n, sizeof full[0], compare);
	for (uint32_t first = 0, next; first < n; first = next) {
		if (!final && link_ring_used(ring) > RING_USED)
			break;
		for (next = first + 1; next < n && full[next]->pause == full[first]->pause;)
			next++;
		read_pause(ring, full + first, next - first);
	}
	spent_ns += cpu_ns() - before;
	tell();
	if (final)
		tell_all();
}

const struct part eden_windows_part = {
	.name = "windows of eden",
	.of_objects = true,
	.init = eden_windows_init,
	.sampled = eden_windows_offer,
	.gc_start = eden_windows_gc_start,
	.gc_finish = eden_windows_gc_finish,
	.serve = serve,
};
