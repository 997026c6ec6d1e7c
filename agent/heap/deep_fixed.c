/* SPDX-License-Identifier: Apache-2.0 */
/*
 * deep_fixed.c - the hash of what cannot change around an object.
 *
 * Addresses are comparable only until the next collection, and what is read at an address may
 * change at any time. What remains: the root's own primitive fields, as they were when the snapshot
 * was taken; of each object that it refers to, the class, the length, the name if it has one, the
 * characters of a String, and final fields; of objects that final references lead to, the same.
 *
 * If two objects have different hashes, they differ for good: no collection can show that they
 * refer to one and the same object. So the walk must not depend on anything that can change, nor on
 * whether two references lead to one object or to two equal ones. It is breadth-first, and an
 * object that it meets twice is visited twice. It ends after a fixed number of visits.
 */
#include "heap/deep_private.h"

#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "core/secret.h"
#include "hotspot/metadata/layout.h"

#define FIXED_PAGES 96u	 /* most pages that a walk may copy */
#define ELEMENTS    64u	 /* of a root that is an array */
#define STRING_MOST 256u /* bytes of a String's characters */

enum edge { EDGE_NULL, EDGE_VISITED, EDGE_CUT };

struct fixed {
	struct deep *d;
	uint64_t hash;
	uint32_t visits; /* in d->visits */
	bool bad;
};

/* [pause] */
static void add_word(struct fixed *f, uint64_t word)
{
	f->hash = XXH3_64bits_withSeed(&word, sizeof word, f->hash);
}

/* [pause] Bytes of an object; NULL, and the walk has failed, if they cannot be read. */
static const unsigned char *read_bytes(struct fixed *f, uintptr_t at, size_t n)
{
	const unsigned char *p = reader_object(f->d->reader, at, n);

	f->bad |= !p;
	return p;
}

/* [pause] The object that a slot refers to is visited later, if there is room. */
static void add_edge(struct fixed *f, const unsigned char *slot, uint32_t offset)
{
	uintptr_t to = shape_reference(slot);
	enum edge edge = EDGE_NULL;

	f->bad |= to % 8 != 0;
	if (to && f->visits < DEEP_VISITS) {
		f->d->visits[f->visits++] = to;
		reader_want(f->d->reader, to);
		edge = EDGE_VISITED;
	} else if (to) {
		edge = EDGE_CUT;
	}
	add_word(f, (uint64_t)offset << 2 | edge);
}

/* [pause] */
static uint32_t add_length(struct fixed *f, uintptr_t at)
{
	uint32_t length = 0;
	const unsigned char *p = read_bytes(f, at + layout.length_offset, sizeof length);

	if (p)
		memcpy(&length, p, sizeof length);
	add_word(f, length);
	return length;
}

/* [pause] Elements of arrays can change, so only those of the root count. */
static void visit_array(struct fixed *f, uintptr_t at, const struct shape *s, bool root)
{
	uint32_t length = add_length(f, at), n = length < ELEMENTS ? length : ELEMENTS;

	if (!root || s->kind != SHAPE_REFERENCES || !n || f->bad)
		return;
	size_t bytes = (size_t)n * layout.ref_size;
	const unsigned char *p = read_bytes(f, at + s->base, bytes);
	if (p)
		memcpy(f->d->own, p, bytes);
	for (uint32_t i = 0; p && i < n; i++)
		add_edge(f, f->d->own + i * layout.ref_size, i);
}

/* [pause] A String never changes its array. */
static void visit_string(struct fixed *f, uintptr_t at, const struct shape *s)
{
	unsigned char slot[8] = { 0 };
	const unsigned char *p = read_bytes(f, at + shape_coder(), 1);
	uint64_t coder = p ? *p : 0;

	if (!s->nblocks)
		return;
	p = read_bytes(f, at + s->blocks[0].offset, layout.ref_size);
	if (p)
		memcpy(slot, p, layout.ref_size);
	uintptr_t value = shape_reference(slot);
	f->bad |= value % 8 != 0;
	add_word(f, coder);
	if (!value || f->bad)
		return;
	uint32_t length = add_length(f, value), n = length < STRING_MOST ? length : STRING_MOST;
	p = n && !f->bad ? read_bytes(f, value + layout.base[1], n) : NULL;
	if (p)
		f->hash = XXH3_64bits_withSeed(p, n, f->hash);
}

/*
 * [pause] Adds the references that count to the walk, and zeroes all in `own`, a copy of the
 * fields.
 */
static void take_references(struct fixed *f, const struct shape *s, const struct finals *finals,
			    unsigned char *own, uint32_t size)
{
	for (uint32_t b = 0; b < s->nblocks; b++) {
		const struct shape_range *row = &s->blocks[b];
		for (uint32_t at = row->offset; at < row->offset + row->bytes;
		     at += layout.ref_size) {
			bool counts = !finals || finals_has(finals, at);
			for (uint32_t k = 0; k < s->nignored; k++)
				counts &= at != s->ignored[k].offset;
			if (at + layout.ref_size > s->base + size)
				return;
			if (counts)
				add_edge(f, own + at - s->base, at);
			memset(own + at - s->base, 0, layout.ref_size);
		}
	}
}

/* [pause] `finals`: NULL for the root, of which all fields count. */
static void visit_fields(struct fixed *f, uintptr_t at, const struct shape *s,
			 const struct finals *finals)
{
	unsigned char *own = f->d->own;
	uint32_t size = s->size - s->base < READER_MAX ? s->size - s->base : READER_MAX;
	const unsigned char *p = size ? read_bytes(f, at + s->base, size) : NULL;

	if (!p)
		return;
	memcpy(own, p, size);
	take_references(f, s, finals, own, size);
	for (uint32_t i = 0; i < s->nignored; i++)
		if (s->ignored[i].offset + s->ignored[i].bytes <= s->base + size)
			memset(own + s->ignored[i].offset - s->base, 0, s->ignored[i].bytes);
	for (uint32_t i = 0; finals && i < size; i++)
		if (!finals_has(finals, s->base + i))
			own[i] = 0;
	f->hash = XXH3_64bits_withSeed(own, size, f->hash);
}

/* [pause] */
static void visit_named(struct fixed *f, uintptr_t at, const struct shape *s)
{
	uint64_t name = 0;
	const unsigned char *p = read_bytes(f, at + s->name_at, s->name_size);

	if (p)
		memcpy(&name, p, s->name_size);
	add_word(f, name);
}

/* [pause] */
static void visit(struct fixed *f, uintptr_t at, bool root)
{
	unsigned char header[16];
	const unsigned char *p = read_bytes(f, at, shape_header());

	if (!p)
		return;
	memcpy(header, p, shape_header());
	const struct shape *s = shape_forwarded(header)
					? NULL
					: shape_of(f->d->shapes, f->d->reader, header, f->d->epoch);
	const struct finals *finals = NULL;
	if (s && s->kind == SHAPE_FIELDS && !root)
		finals = shape_finals(f->d->shapes, f->d->reader, s);
	if (!s || (s->kind == SHAPE_FIELDS && !root && !finals)) {
		f->bad = true;
		return;
	}
	add_word(f, s->klass);
	if (s->kind == SHAPE_PRIMITIVES || s->kind == SHAPE_REFERENCES)
		visit_array(f, at, s, root);
	else if (s->kind == SHAPE_STRING)
		visit_string(f, at, s);
	else if (s->kind == SHAPE_FIELDS)
		visit_fields(f, at, s, finals);
	else if (s->kind == SHAPE_MIRROR)
		add_word(f, shape_mirror(f->d->reader, at));
	else if (s->kind == SHAPE_NAMED)
		visit_named(f, at, s);
}

bool deep_fixed(struct deep *d, uintptr_t object, uint64_t *hash)
{
	struct fixed f = { .d = d };

	reader_allow(d->reader, FIXED_PAGES);
	d->visits[f.visits++] = object;
	for (uint32_t i = 0; i < f.visits && !f.bad; i++)
		visit(&f, d->visits[i], i == 0);
	*hash = secret_hash(f.hash, SECRET_FIXED);
	return !f.bad;
}
