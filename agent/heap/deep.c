/* SPDX-License-Identifier: Apache-2.0 */
/*
 * deep.c - see deep.h. Walks from an object along its references, and hashes what it finds.
 *
 * The first phase is breadth-first: each object is read once, its own bytes are
 * hashed, and its references become edges between numbered objects. The second is depth-first over
 * these numbers and does not touch the heap: an object's hash includes those of its edges' targets.
 * Nothing allocates and nothing recurses, since this runs on the VM thread and in handlers.
 */
#define XXH_INLINE_ALL
#include <string.h>
#include <xxhash.h>

#include "core/link.h"
#include "core/memory.h"
#include "core/secret.h"
#include "heap/deep_private.h"
#include "hotspot/metadata/layout.h"
#include "hotspot/versions.h"

/* ---- reading --------------------------------------------------------------------------------- */

uint32_t deep_number(struct deep *d, uintptr_t at, uint32_t level)
{
	uint32_t i = (uint32_t)((at >> 3) * 0x9e3779b97f4a7c15u >> 56);

	for (; d->table[i]; i = (i + 1) % DEEP_TABLE)
		if (d->nodes[d->table[i] - 1u].at == at)
			return d->table[i] - 1u;
	if (d->nnodes == DEEP_NODES || level > DEEP_LEVEL) {
		d->flags |= WIRE_DEEP_CUT;
		return DEEP_CUT;
	}
	reader_want(d->reader, at);
	d->nodes[d->nnodes] =
		(struct deep_node){ .at = at, .level = (uint8_t)level, .state = DEEP_UNSEEN };
	d->table[i] = (uint8_t)(d->nnodes + 1);
	return d->nnodes++;
}

/* [pause] Whether a slot is zero, as most slots of large arrays are. */
static bool is_zero(const unsigned char *slot)
{
	uint64_t raw = 0;

	memcpy(&raw, slot, layout.ref_size == 4 ? 4 : 8);
	return !raw;
}

/* [pause] Adds the reference in a slot. False if no more can be added. */
static bool edge_add(struct deep *d, struct deep_node *n, const unsigned char *at, uint32_t slot)
{
	uintptr_t to = is_zero(at) ? 0 : shape_reference(at);

	if (!to)
		return true;
	if (to % 8) { /* SHAPE_STALE, too */
		d->bad = true;
		return false;
	}
	if (d->nedges == DEEP_EDGES) {
		d->flags |= WIRE_DEEP_CUT;
		return false;
	}
	d->edges[d->nedges++] = (struct deep_edge){ slot, deep_number(d, to, n->level + 1u) };
	n->nedges++;
	return true;
}

/* [pause] Takes up to n bytes of the bound on content. */
static uint64_t take_bytes(struct deep *d, uint64_t n)
{
	if (n > d->left) {
		d->flags |= WIRE_DEEP_CUT;
		n = d->left;
	}
	d->left -= n;
	return n;
}

/* [pause] Bytes of an object; NULL, and the walk has failed, if they cannot be read. */
static const unsigned char *read_bytes(struct deep *d, uintptr_t at, size_t n)
{
	const unsigned char *p = reader_object(d->reader, at, n);
	d->bad |= !p;
	return p;
}

/*
 * [pause] Reads elements in pieces. Their size is the same everywhere, since the hash depends on
 * it.
 */
static void read_array(struct deep *d, struct deep_node *n, const struct shape *s)
{
	uint32_t length, step = 1u << s->log2;
	const unsigned char *p = read_bytes(d, n->at + layout.length_offset, sizeof length);

	if (!p)
		return;
	memcpy(&length, p, sizeof length);
	uint64_t all = (uint64_t)length << s->log2, end = take_bytes(d, all);
	d->bytes += (s->base + all + 7) & ~7ull;
	n->hash = XXH3_64bits_withSeed(&length, sizeof length, n->hash);
	for (uint64_t at = 0, piece; at < end && !d->bad; at += piece) {
		piece = end - at < READER_MAX ? end - at : READER_MAX;
		p = read_bytes(d, n->at + s->base + at, piece);
		if (p && s->kind == SHAPE_PRIMITIVES)
			n->hash = XXH3_64bits_withSeed(p, piece, n->hash);
		for (uint32_t i = 0; p && s->kind == SHAPE_REFERENCES && i + step <= piece;
		     i += step)
			if (!edge_add(d, n, p + i, (uint32_t)(s->base + at + i)))
				return;
	}
}

/* [pause] Adds the edges of an object's fields from d->own, a copy that begins with the fields. */
static void add_fields(struct deep *d, struct deep_node *n, const struct shape *s, uint64_t size)
{
	for (uint32_t b = 0; b < s->nblocks; b++) {
		const struct shape_range *row = &s->blocks[b];
		if (row->offset + row->bytes > s->base + size)
			continue;
		for (uint32_t i = 0; i < row->bytes; i += layout.ref_size) {
			bool hidden = false;
			for (uint32_t k = 0; k < s->nignored; k++)
				hidden |= row->offset + i == s->ignored[k].offset;
			if (!hidden &&
			    !edge_add(d, n, d->own + row->offset + i - s->base, row->offset + i))
				return;
		}
		memset(d->own + row->offset - s->base, 0, row->bytes);
	}
}

/* [pause] */
static void read_fields(struct deep *d, struct deep_node *n, const struct shape *s)
{
	uint64_t size = s->size - s->base;

	d->bytes += s->size;
	if (size > READER_MAX) {
		d->flags |= WIRE_DEEP_CUT;
		size = READER_MAX;
	}
	size = take_bytes(d, size);
	const unsigned char *p = read_bytes(d, n->at + s->base, size);
	if (!p)
		return;
	memcpy(d->own, p, size);
	add_fields(d, n, s, size);
	for (uint32_t i = 0; i < s->nignored; i++)
		if (s->ignored[i].offset + s->ignored[i].bytes <= s->base + size)
			memset(d->own + s->ignored[i].offset - s->base, 0, s->ignored[i].bytes);
	if (s->kind == SHAPE_STRING) { /* its other fields vary */
		uint32_t at = shape_coder() - s->base;
		d->own[0] = at < size ? d->own[at] : 0;
		size = 1;
		if (n == d->nodes) {
			d->string = true;
			d->coder = d->own[0];
		}
	}
	n->hash = XXH3_64bits_withSeed(d->own, size, n->hash);
}

/*
 * [pause] Hashes the name of an object that has one: a number in it, or the class that it stands
 * for. Other objects count by address.
 */
static void read_name(struct deep *d, struct deep_node *n, const struct shape *s)
{
	uint64_t name = 0;

	if (s->kind == SHAPE_MIRROR)
		name = shape_mirror(d->reader, n->at);
	if (s->kind == SHAPE_NAMED) {
		const unsigned char *p = read_bytes(d, n->at + s->name_at, s->name_size);
		if (p)
			memcpy(&name, p, s->name_size);
		name++; /* the first enum constant is 0 */
	}
	if (!name) {
		name = n->at;
		d->flags |= WIRE_DEEP_REFS;
	}
	n->hash = XXH3_64bits_withSeed(&name, sizeof name, n->hash);
}

void deep_read(struct deep *d, struct deep_node *n)
{
	unsigned char header[16];
	const unsigned char *p = read_bytes(d, n->at, shape_header());

	if (!p)
		return;
	memcpy(header, p, shape_header());
	const struct shape *s =
		shape_forwarded(header) ? NULL : shape_of(d->shapes, d->reader, header, d->epoch);
	if (!s) {
		d->bad = true;
		return;
	}
	if (n == d->nodes + 1)
		d->text = s->kind == SHAPE_PRIMITIVES;
	n->hash = s->klass;
	n->first_edge = (uint16_t)d->nedges;
	switch (s->kind) {
	case SHAPE_PRIMITIVES:
	case SHAPE_REFERENCES:
		read_array(d, n, s);
		break;
	case SHAPE_FIELDS:
	case SHAPE_STRING:
		read_fields(d, n, s);
		break;
	default:
		d->bytes += s->size;
		read_name(d, n, s);
	}
	n->state = n->nedges ? DEEP_UNSEEN : DEEP_DONE;
}

#define MARK_CUT  0x9d5c5f1c4b1e1c01u
#define MARK_BACK 0x2545f4914f6cdd1du

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

void deep_start(struct deep *d, uintptr_t object)
{
	memset(d->table, 0, sizeof d->table);
	d->nnodes = d->nedges = d->next = 0;
	d->bad = d->string = d->text = false;
	d->flags = WIRE_DEEP;
	d->left = DEEP_BYTES;
	deep_number(d, object, 0);
}

bool deep_level(struct deep *d)
{
	uint32_t end = d->nnodes;

	for (; d->next < end && !d->bad; d->next++) {
		deep_read(d, &d->nodes[d->next]);
		if (d->next == 0)
			d->bytes = 0;
	}
	return d->next < d->nnodes && !d->bad;
}

void deep_end(struct deep *d, struct deep_result *result)
{
	memset(result, 0, sizeof *result);
	if (d->bad)
		return;
	result->hash = secret_hash(fold(d), SECRET_DEEP);
	result->flags = d->flags;
	result->nodes = d->nnodes;
	result->bytes = d->bytes < UINT32_MAX ? (uint32_t)d->bytes : UINT32_MAX;
}

void deep_hash(struct deep *d, uintptr_t object, struct deep_result *result)
{
	reader_allow(d->reader, DEEP_PAGES);
	deep_start(d, object);
	while (deep_level(d)) {
	}
	deep_end(d, result);
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
	bool moves = atomic_load_explicit(&ojx.moves_concurrently, memory_order_relaxed);
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
	if (!handler_walk || atomic_exchange_explicit(&handler_taken, true, memory_order_acq_rel))
		return NULL;
	deep_begin(handler_walk, epoch);
	return handler_walk;
}

void deep_handler_give(void)
{
	atomic_store_explicit(&handler_taken, false, memory_order_release);
}
