/* SPDX-License-Identifier: Apache-2.0 */
/* objects.c - see objects.h. */
#include "objects.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

static void *need(void *p)
{
	if (!p) {
		perror("objects");
		abort();
	}
	return p;
}

/* Makes room for one more in a vector of `n` pointers or structs of `size` bytes. */
static void *grow(void *items, size_t n, size_t *room, size_t size)
{
	if (n < *room)
		return items;
	*room = *room ? *room * 2 : 64;
	return need(realloc(items, *room * size));
}

void objects_init(struct objects *o, uint32_t nfields, uint32_t id)
{
	*o = (struct objects){ .class = { .id = 1, .name = "Thing" } };
	for (uint32_t i = 0; i < nfields; i++)
		o->fields[i] = (struct model_field){ .name = "field",
						     .declarer = "Thing",
						     .type = 'I',
						     .is_final = true,
						     .offset = 12 + 4 * i,
						     .size = 4 };
	o->class.nfields = nfields;
	o->class.fields = o->fields;
	o->class.is_array = nfields == 0;
	o->context.jvm = 1;
	o->context.id = id;
	o->context.class = &o->class;
}

void objects_may_change(struct objects *o)
{
	for (uint32_t i = 0; i < o->class.nfields; i++)
		o->fields[i].is_final = false;
}

void objects_release(struct objects *o)
{
	for (size_t i = 0; i < o->context.nsnapshots; i++)
		free(o->context.snapshots[i]);
	for (size_t i = 0; i < o->context.nuses; i++)
		free(o->context.uses[i]);
	free(o->context.snapshots);
	free(o->context.uses);
	free(o->context.strata);
	*o = (struct objects){ 0 };
}

void objects_allocate(struct objects *o, uint32_t array_length, uint64_t size, uint64_t samples,
		      double objects)
{
	struct model_context *c = &o->context;
	size_t at = 0;

	c->sampled += samples;
	c->objects += objects;
	c->bytes += objects * (double)size;
	while (at < c->nstrata && c->strata[at].array_length < array_length)
		at++;
	if (at == c->nstrata || c->strata[at].array_length != array_length) {
		c->strata = grow(c->strata, c->nstrata, &o->strata_room, sizeof *c->strata);
		memmove(c->strata + at + 1, c->strata + at,
			(c->nstrata++ - at) * sizeof *c->strata);
		c->strata[at] =
			(struct model_stratum){ .array_length = array_length, .size = size };
	}
	c->strata[at].sampled += samples;
	c->strata[at].objects += objects;
}

static uint64_t value_at(const struct object *object, uint64_t position)
{
	return object->values[position < OBJECT_VALUES ? position : OBJECT_VALUES - 1];
}

static uint64_t value_hash(const struct object *object, uint64_t position)
{
	uint64_t value = value_at(object, position);

	return XXH3_64bits(&value, sizeof value);
}

static uint64_t positions(const struct objects *o, const struct object *object)
{
	return o->class.is_array ? object->array_length : o->class.nfields;
}

static uint64_t content_hash(const struct objects *o, const struct object *object)
{
	uint64_t n = positions(o, object), seed = n;

	for (uint64_t i = 0; i < n && i <= OBJECT_VALUES; i++) {
		uint64_t value = value_at(object, i);
		seed = XXH3_64bits_withSeed(&value, sizeof value, seed);
	}
	return seed;
}

void objects_snapshot(struct objects *o, const struct object *object)
{
	struct model_context *c = &o->context;
	uint32_t nslots = wire_slots(positions(o, object));
	struct model_snapshot *l = need(
		calloc(1, sizeof *l + wire_pad(nslots * sizeof l->slot[0]) + sizeof object->fill));

	for (uint32_t i = 0; (object->flags & WIRE_REFS) && i < o->class.nfields; i++) {
		o->fields[i].type = 'L';
		o->fields[i].class_name = "java.lang.String";
	}

	l->content = content_hash(o, object);
	l->weight = object->weight;
	l->array_length = object->array_length;
	l->epoch = object->epoch;
	l->flags = object->flags;
	l->ticket = object->ticket;
	l->deep = XXH3_64bits(&object->deep, sizeof object->deep);
	l->nodes = object->flags & WIRE_DEEP ? 2 : 0;
	l->deep_bytes = object->deep_bytes;
	l->nslots = (uint8_t)nslots;
	for (uint32_t k = 0; k < nslots; k++) {
		uint64_t position = wire_position(positions(o, object), k);
		l->slot[k] = (uint32_t)value_hash(object, position);
		if (!value_at(object, position))
			l->zeros = o->class.is_array ? l->zeros << 1 | 1 : l->zeros | 1u << k;
	}
	if (object->fill.kind) {
		l->flags |= WIRE_FILLED;
		memcpy((void *)model_snapshot_fill(l), &object->fill, sizeof object->fill);
	}
	c->snapshots = grow(c->snapshots, c->nsnapshots, &o->snapshots_room, sizeof *c->snapshots);
	c->snapshots[c->nsnapshots++] = l;
	c->snapshots_seen++;
}

void objects_use(struct objects *o, const struct object *object, uint32_t access, uint32_t position)
{
	struct model_context *c = &o->context;
	struct model_use *u = need(calloc(1, sizeof *u));

	u->value = value_hash(object, position);
	u->content = content_hash(o, object);
	u->deep = XXH3_64bits(&object->deep, sizeof object->deep);
	u->weight = object->weight;
	u->array_length = object->array_length;
	u->epoch = object->epoch;
	u->flags = object->flags;
	u->ticket = object->ticket;
	u->access = access;
	u->position = position;
	u->size = 4;
	c->uses = grow(c->uses, c->nuses, &o->uses_room, sizeof *c->uses);
	c->uses[c->nuses++] = u;
	c->uses_seen++;
}
