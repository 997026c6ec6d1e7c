/* SPDX-License-Identifier: Apache-2.0 */
/* fill.c - see fill.h. */
#include "heap/fill.h"

#include <string.h>

#include "heap/deep_private.h"
#include "hotspot/metadata/layout.h"

#define FILL_PAGES 8u	       /* most pages copied for an object: most were copied by its walk */
#define INNER_MOST 128u	       /* bytes of an object inside another */
#define TAIL_MOST  (64u << 10) /* bytes of an array that are looked at, from its end */

/* ---- arrays ------------------------------------------------------------------------------ */

/* [pause] Whether an element is 0 or null. */
static bool is_zero(const unsigned char *element, const struct klass *k)
{
	uint64_t raw = 0;

	memcpy(&raw, element, k->element_size);
	return k->reference_elements && k->element_size == 8 ? !layout_ref(raw) : !raw;
}

/* [pause] Elements up to the last one that is not zero, or to where no more are looked at. */
static uint32_t used_elements(const unsigned char *first, const struct klass *k, uint32_t length)
{
	uint32_t most = TAIL_MOST / k->element_size, end = length > most ? length - most : 0;
	uint32_t step = 8u / k->element_size, n = length;

	while (n > end) {
		uint64_t word = 1;
		if (n - end >= step)
			memcpy(&word, first + (uint64_t)(n - step) * k->element_size, sizeof word);
		if (!word)
			n -= step;
		else if (is_zero(first + (uint64_t)(n - 1) * k->element_size, k))
			n--;
		else
			break;
	}
	return n;
}

/* ---- collections ------------------------------------------------------------------------- */

struct filled {
	const struct collection *is;
	const unsigned char *own; /* the object that has the fields */
	struct deep *d;
	bool followed;
};

/* [pause] */
static int64_t number_at(const struct filled *f, const struct collection_place *at)
{
	int64_t wide;
	int32_t narrow;

	if (at->size == sizeof wide) {
		memcpy(&wide, f->own + at->offset, sizeof wide);
		return wide;
	}
	if (at->size == 1)
		return f->own[at->offset];
	memcpy(&narrow, f->own + at->offset, sizeof narrow);
	return narrow;
}

/* [pause] Whether a field is null; that is known also where no reference can be followed. */
static bool is_null(const struct filled *f, const struct collection_place *place)
{
	uint64_t raw = 0;

	memcpy(&raw, f->own + place->offset, layout.ref_size);
	return !layout_ref(raw);
}

/* [pause] What a field refers to; 0 if that cannot be told. */
static uintptr_t reference_at(const struct filled *f, const struct collection_place *place)
{
	return f->d ? shape_reference(f->own + place->offset) : 0;
}

/* [pause] The shape of the object at an address; NULL if none is there. */
static const struct shape *shape_at(struct filled *f, uintptr_t at)
{
	unsigned char header[16];
	const unsigned char *p =
		at && at % 8 == 0 ? reader_object(f->d->reader, at, shape_header()) : NULL;

	f->followed = true;
	if (!p)
		return NULL;
	memcpy(header, p, shape_header());
	return shape_forwarded(header) ? NULL
				       : shape_of(f->d->shapes, f->d->reader, header, f->d->epoch);
}

/* [pause] Length and bytes of the array that a field refers to; null has none. */
static bool add_table(struct filled *f, const struct collection_place *place, uint64_t *length,
		      uint64_t *bytes)
{
	uintptr_t at = reference_at(f, place);
	uint32_t n;

	*length = 0;
	if (is_null(f, place))
		return true;
	const struct shape *s = shape_at(f, at);
	if (!s || (s->kind != SHAPE_PRIMITIVES && s->kind != SHAPE_REFERENCES))
		return false;
	const unsigned char *p = reader_object(f->d->reader, at + layout.length_offset, sizeof n);
	if (!p)
		return false;
	memcpy(&n, p, sizeof n);
	*length = n;
	/* collections that hold nothing share an array of length 0 */
	*bytes += n ? (s->base + ((uint64_t)n << s->log2) + 7) & ~7ull : 0;
	return n <= INT32_MAX;
}

/* [pause] */
static void read_tables(struct filled *f, struct wire_fill *to)
{
	uint64_t bytes = 0, length, first = 0;

	if (!f->is->table[0].size)
		return;
	for (uint32_t i = 0; i < WIRE_COLLECTION_TABLES && f->is->table[i].size; i++) {
		if (!add_table(f, &f->is->table[i], &length, &bytes))
			return;
		first = i == 0 ? length : first;
	}
	int64_t halved = f->is->coder.size ? number_at(f, &f->is->coder) : 0;
	to->capacity = (uint32_t)(first >> (halved & 1));
	to->table_bytes = bytes < UINT32_MAX ? (uint32_t)bytes : UINT32_MAX;
	to->flags |= WIRE_FILL_CAPACITY;
}

/* [pause] */
static void read_size(struct filled *f, struct wire_fill *to)
{
	const struct collection *c = f->is;

	if (!c->size.size || (c->unless.size && !is_null(f, &c->unless)))
		return;
	int64_t size = number_at(f, &c->size);
	if (c->from.size) {
		size -= number_at(f, &c->from);
		size += size < 0 ? to->capacity : 0;
		if (!(to->flags & WIRE_FILL_CAPACITY) || size > to->capacity)
			return;
	}
	if (size < 0)
		return;
	to->size = size < UINT32_MAX ? (uint32_t)size : UINT32_MAX;
	to->flags |= WIRE_FILL_SIZE;
}

/* [pause] What follows from the numbers. */
static void conclude(const struct filled *f, struct wire_fill *to)
{
	const struct collection *c = f->is;
	bool both = (to->flags & WIRE_FILL_SIZE) && (to->flags & WIRE_FILL_CHANGES);
	const struct collection_place *first = c->first.size ? &c->first : &c->table[0];

	if ((both && !to->size && !to->changes) ||
	    (c->rules & WIRE_COLLECTION_LAZY && is_null(f, first)))
		to->flags |= WIRE_FILL_NEVER | WIRE_FILL_GREW;
	if (both && (!to->changes || (c->rules & WIRE_COLLECTION_EACH && to->changes == to->size)))
		to->flags |= WIRE_FILL_GREW;
}

/* [pause] The object inside, which has the fields. False if it cannot be read. */
static bool read_inner(struct filled *f, unsigned char room[INNER_MOST])
{
	uintptr_t at = reference_at(f, &f->is->inner);
	const struct shape *s = f->is->end <= INNER_MOST ? shape_at(f, at) : NULL;
	const unsigned char *p = s && s->kind == SHAPE_FIELDS && s->size >= f->is->end
					 ? reader_object(f->d->reader, at, f->is->end)
					 : NULL;

	if (!p || (f->is->word && layout_klass(p) != f->is->word))
		return false;
	memcpy(room, p, f->is->end);
	f->own = room;
	return true;
}

/* [pause] */
static bool read_collection(struct filled *f, struct wire_fill *to)
{
	unsigned char room[INNER_MOST];

	if (f->d)
		reader_allow(f->d->reader, FILL_PAGES);
	if (f->is->inner.size && !read_inner(f, room))
		return false;
	read_tables(f, to);
	read_size(f, to);
	if (f->is->changes.size) {
		to->changes = (uint32_t)number_at(f, &f->is->changes);
		to->flags |= WIRE_FILL_CHANGES;
	}
	conclude(f, to);
	return to->flags != 0 || f->is->first.size; /* then it has held something */
}

bool fill_read(const unsigned char *at, const struct klass *k, uint32_t array_length,
	       struct deep *d, struct wire_fill *to, bool *followed)
{
	struct filled f = { .is = &k->collection, .own = at, .d = d };

	*to = (struct wire_fill){ .kind = k->array ? WIRE_FILL_ARRAY : k->collection.kind };
	*followed = false;
	if (k->array) {
		to->size = used_elements(at + k->base, k, array_length);
		to->capacity = array_length;
		to->flags = WIRE_FILL_SIZE | WIRE_FILL_CAPACITY;
		return to->size < array_length;
	}
	bool known = k->tells && read_collection(&f, to);
	*followed = f.followed;
	return known;
}
