/* SPDX-License-Identifier: Apache-2.0 */
/*
 * deep.c - see deep.h. Walks from an object along its references, and hashes what it finds.
 *
 * The first phase is breadth-first (deep_read.c): each object is read once, its own bytes are
 * hashed, and its references become edges between numbered objects. The second is depth-first over
 * these numbers and does not touch the heap: an object's hash includes those of its edges' targets.
 * Nothing allocates and nothing recurses, since this runs on the VM thread and in handlers.
 */
#include "heap/deep_private.h"

#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "core/link.h"
#include "core/memory.h"
#include "core/secret.h"
#include "hotspot/layout.h"
#include "hotspot/versions.h"

#define WALK_PAGES 160u /* most pages that one walk may copy */
#define MARK_CUT   0x9d5c5f1c4b1e1c01u
#define MARK_BACK  0x2545f4914f6cdd1du

static struct deep *pause_walk, *service_walk, *handler_walk;
static _Atomic bool handler_taken;

/* ---- hashes of what was walked --------------------------------------------------------------- */

/*
 * [pause] Adds a node's edges to its hash, one after the other. Stops at a target that must be
 * finished first.
 */
static bool node_fold(struct deep *d, uint32_t i, uint32_t *first)
{
	struct deep_node *n = &d->nodes[i];

	for (; d->cursor[i] < n->nedges; d->cursor[i]++) {
		const struct deep_edge *e = &d->edges[n->first_edge + d->cursor[i]];
		uint64_t value[2] = { e->slot, MARK_CUT };
		if (e->to != DEEP_CUT && d->nodes[e->to].state == DEEP_UNSEEN) {
			*first = e->to;
			return false;
		}
		if (e->to != DEEP_CUT)
			value[1] = d->nodes[e->to].state == DEEP_DONE ? d->nodes[e->to].hash
								      : MARK_BACK + e->to;
		n->hash = XXH3_64bits_withSeed(value, sizeof value, n->hash);
	}
	n->state = DEEP_DONE;
	return true;
}

/* [pause] The hash of the root. */
static uint64_t fold(struct deep *d)
{
	uint32_t top = 0, next = 0;

	memset(d->cursor, 0, d->nnodes * sizeof *d->cursor);
	if (d->nodes[0].state == DEEP_DONE)
		return d->nodes[0].hash;
	d->nodes[0].state = DEEP_OPEN;
	d->stack[top++] = 0;
	while (top > 0) {
		if (node_fold(d, d->stack[top - 1], &next)) {
			top--;
			continue;
		}
		d->nodes[next].state = DEEP_OPEN;
		d->stack[top++] = (uint8_t)next;
	}
	return d->nodes[0].hash;
}

void deep_hash(struct deep *d, uintptr_t object, struct deep_result *result)
{
	memset(result, 0, sizeof *result);
	memset(d->table, 0, sizeof d->table);
	d->nnodes = d->nedges = 0;
	d->bad = d->string = d->text = false;
	d->flags = WIRE_DEEP;
	d->left = DEEP_BYTES;
	reader_allow(d->reader, WALK_PAGES);
	deep_number(d, object, 0);
	for (uint32_t i = 0; i < d->nnodes && !d->bad; i++) {
		deep_read(d, &d->nodes[i]);
		if (i == 0)
			d->bytes = 0;
	}
	if (d->bad)
		return;
	result->hash = secret_hash(fold(d), SECRET_DEEP);
	result->flags = d->flags;
	result->nodes = d->nnodes;
	result->bytes = d->bytes < UINT32_MAX ? (uint32_t)d->bytes : UINT32_MAX;
}

int deep_string(struct deep *d, unsigned char *to, uint32_t room, uint32_t *bytes, bool *wide)
{
	uint32_t length = 0;

	/* where objects move meanwhile, a dead string can refer to another object by now */
	if (d->bad || !d->string || !d->text)
		return -1;
	const unsigned char *p =
		reader_object(d->reader, d->nodes[1].at + layout.length_offset, sizeof length);
	if (p)
		memcpy(&length, p, sizeof length);
	uint32_t n = length < room ? length : room;
	if (p)
		p = reader_object(d->reader, d->nodes[1].at + layout.base[1], n);
	if (!p)
		return -1;
	memcpy(to, p, n);
	*bytes = length;
	*wide = d->coder != 0;
	return (int)n;
}

/* ---- start --------------------------------------------------------------------------------- */

static void deep_free(struct deep *d)
{
	if (!d)
		return;
	reader_free(d->reader);
	memory_free(d->shapes);
	memory_free(d);
}

static struct deep *deep_new(bool in_place)
{
	struct deep *d = memory_new(1, sizeof *d);

	if (!d)
		return NULL;
	d->reader = reader_new(in_place);
	d->shapes = shape_cache_new();
	if (d->reader && d->shapes)
		return d;
	deep_free(d);
	return NULL;
}

/* Whether this file knows the layout of the collector's objects. */
static bool collector_known(void)
{
	return strcmp(ojx.gc, "Shenandoah") != 0 || version_has(VERSION_SHENANDOAH_PLAIN);
}

bool deep_init(JNIEnv *jni)
{
	bool moves = atomic_load(&ojx.moves_concurrently);
	struct deep *pause = deep_new(!moves), *service = deep_new(false);
	struct deep *probe = service ? service : pause;
	const char *why = "the kernel does not let us read";
	uintptr_t low = 0, high = UINTPTR_MAX;
	bool ok = pause && collector_known();

	if (pause && !ok)
		why = "of this collector";
	ok = ok && shape_measure(jni, probe->reader, probe->shapes, &why);
	if (ok && !moves && !shape_heap(&low, &high)) {
		why = "the heap's limits are unknown";
		ok = false;
	}
	if (!ok) {
		link_note("references are not followed, equal strings are not recognised: %s", why);
		deep_free(pause);
		deep_free(service);
		return false;
	}
	reader_limit(pause->reader, low, high);
	if (service)
		reader_limit(service->reader, low, high);
	handler_walk = ojx.config.flags & WIRE_NO_WATCH ? NULL : deep_new(false);
	if (handler_walk)
		reader_limit(handler_walk->reader, low, high);
	pause_walk = pause;
	service_walk = service;
	return true;
}

struct deep *deep_pause(void)
{
	return pause_walk;
}

struct deep *deep_service(void)
{
	return service_walk;
}

void deep_begin(struct deep *d, uint64_t epoch)
{
	d->epoch = epoch;
	reader_forget(d->reader);
}

struct deep *deep_handler_take(uint64_t epoch)
{
	if (!handler_walk || atomic_exchange(&handler_taken, true))
		return NULL;
	deep_begin(handler_walk, epoch);
	return handler_walk;
}

void deep_handler_give(void)
{
	atomic_store(&handler_taken, false);
}
