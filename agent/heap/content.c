/* SPDX-License-Identifier: Apache-2.0 */
/* content.c - see content.h. XXH3, then the keyed hash of the result. */
#include "heap/content.h"

#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "core/peek.h"
#include "core/secret.h"
#include "hotspot/metadata/layout.h"

#define CHUNK 64 /* normalised values hashed at once */
#define WORD  8	 /* bytes: small elements are hashed together */

/* [handler][pause] A value as a number, references without metadata. */
static uint64_t load(const unsigned char *at, uint8_t size, bool reference)
{
	uint64_t value = 0;

	switch (size) { /* copies of a known size are single instructions */
	case 8:
		memcpy(&value, at, 8);
		return reference ? layout_ref(value) : value;
	case 4:
		memcpy(&value, at, 4);
		break;
	case 1:
		value = *at;
		break;
	default:
		memcpy(&value, at, size);
	}
	return value;
}

/* [handler][pause] Whether the value there is hashed with its neighbours. */
static bool is_small_element(const struct klass *k, const struct class_position *p)
{
	return k->array && !p->reference && p->size <= 2;
}

/* [handler][pause] The bytes that stand for a small element: the word of elements around it. */
static struct class_position with_neighbours(const struct klass *k, uint32_t array_length,
					     const struct class_position *p)
{
	uint32_t bytes = array_length * p->size, n = bytes < WORD ? bytes : WORD;
	uint32_t at = (p->offset - k->base) / WORD * WORD;

	if (at + n > bytes)
		at = bytes - n;
	return (struct class_position){ k->base + at, (uint8_t)n, false };
}

/* [handler][pause] The keyed hash of a value, which is `size` bytes at a position. */
static uint64_t hash_value(uint64_t value, const struct klass *k, uint64_t position, uint8_t size)
{
	return secret_hash(value, k->salt ^ (position << 8 | size));
}

uint64_t content_value(const unsigned char *object, const struct klass *k, uint32_t array_length,
		       uint64_t position)
{
	struct class_position own = class_position(k, position), p = own;

	if (is_small_element(k, &p))
		p = with_neighbours(k, array_length, &own);
	return hash_value(load(object + p.offset, p.size, p.reference), k, position, own.size);
}

/* [handler][pause] Whether any of the first n references is not null. */
static bool any_reference(const unsigned char *at, uint64_t n, uint8_t size)
{
	for (uint64_t i = 0; i < n; i++)
		if (load(at + i * size, size, true))
			return true;
	return false;
}

/* [handler][pause] Reference slots may contain metadata, so their normalised values are hashed. */
static uint64_t hash_references(const unsigned char *at, uint64_t n, uint8_t size, uint64_t seed)
{
	uint64_t values[CHUNK];

	for (uint64_t i = 0; i < n;) {
		size_t m = 0;
		for (; m < CHUNK && i < n; m++, i++)
			values[m] = load(at + i * size, size, true);
		seed = XXH3_64bits_withSeed(values, m * sizeof *values, seed);
	}
	return seed;
}

/* [handler][pause] */
static uint64_t hash_elements(const unsigned char *at, uint64_t n, const struct klass *k,
			      uint64_t seed, uint16_t *flags)
{
	if (k->reference_elements) {
		if (any_reference(at, n, k->element_size))
			*flags |= WIRE_REFS;
		return hash_references(at, n, k->element_size, seed);
	}
	return XXH3_64bits_withSeed(at, n * k->element_size, seed);
}

/*
 * [handler][pause] `skipped`: number of middle elements that are missing in the copy of an array
 * too large to be hashed whole.
 */
static uint64_t hash_array(const unsigned char *object, const struct klass *k,
			   uint32_t array_length, uint64_t skipped, uint16_t *flags)
{
	const unsigned char *first = object + k->base;
	uint64_t whole = CONTENT_WHOLE / k->element_size, half = whole / 2;

	if (array_length <= whole)
		return hash_elements(first, array_length, k, 0, flags);
	*flags |= WIRE_PARTIAL;
	uint64_t h = hash_elements(first, half, k, 0, flags);
	return hash_elements(first + (array_length - half - skipped) * k->element_size, half, k, h,
			     flags);
}

/* [handler][pause] */
static uint64_t hash_fields(const unsigned char *object, const struct klass *k, uint16_t *flags)
{
	uint64_t values[CHUNK], h = 0;

	for (uint32_t i = 0; i < k->npositions;) {
		size_t m = 0;
		for (; m < CHUNK && i < k->npositions; m++, i++) {
			const struct class_position *p = &k->positions[i];
			values[m] = load(object + p->offset, p->size, p->reference);
			if (p->reference && values[m])
				*flags |= WIRE_REFS;
		}
		h = XXH3_64bits_withSeed(values, m * sizeof *values, h);
	}
	return h;
}

/*
 * [handler][pause] Fills the next slot. `zeros` omits fields of one byte: it would reveal a
 * boolean.
 */
static void add_slot(struct content *to, const unsigned char *object, const struct klass *k,
		     uint32_t array_length, uint64_t position)
{
	struct class_position p = class_position(k, position);
	uint64_t value = load(object + p.offset, p.size, p.reference);

	if (!value && k->array)
		to->zeros = to->zeros << 1 | 1;
	else if (!value && p.size > 1)
		to->zeros |= 1u << to->nslots;
	if (is_small_element(k, &p)) {
		struct class_position all = with_neighbours(k, array_length, &p);
		value = load(object + all.offset, all.size, false);
	}
	to->slot[to->nslots++] = (uint32_t)hash_value(value, k, position, p.size);
}

void content_hash(const unsigned char *object, const struct klass *k, uint32_t array_length,
		  bool slots, struct content *to)
{
	uint64_t positions = class_npositions(k, array_length);

	to->flags = 0;
	to->hash = k->array ? hash_array(object, k, array_length, 0, &to->flags)
			    : hash_fields(object, k, &to->flags);
	to->hash = secret_hash(to->hash, k->salt);
	to->nslots = 0;
	to->zeros = 0;
	for (uint32_t i = 0; slots && i < wire_slots(positions); i++)
		add_slot(to, object, k, array_length, wire_position(positions, i));
}

/* [handler] Number of elements of an array that are not hashed, since it is too large. */
static uint64_t skipped_elements(const struct klass *k, uint32_t array_length)
{
	uint64_t whole = k->array ? CONTENT_WHOLE / k->element_size : 0;

	return k->array && array_length > whole ? array_length - whole / 2 * 2 : 0;
}

bool content_peek(uintptr_t object, const struct klass *k, uint32_t array_length,
		  unsigned char *room, struct content *to)
{
	uint64_t end = class_end(k, array_length), skipped = skipped_elements(k, array_length);
	uint64_t gap = skipped * k->element_size;
	uint64_t head =
		skipped ? k->base + CONTENT_WHOLE / 2 / k->element_size * k->element_size : end;

	if (end - gap > CONTENT_ROOM || !peek(object, room, head) ||
	    (skipped && !peek(object + head + gap, room + head, end - gap - head)))
		return false;
	to->flags = 0;
	to->nslots = 0;
	to->hash = k->array ? hash_array(room, k, array_length, skipped, &to->flags)
			    : hash_fields(room, k, &to->flags);
	to->hash = secret_hash(to->hash, k->salt);
	return true;
}

bool content_peek_value(uintptr_t object, const struct klass *k, uint32_t array_length,
			uint32_t position, uint64_t *value)
{
	struct class_position own = class_position(k, position), p = own;
	unsigned char bytes[WORD];

	if (is_small_element(k, &p))
		p = with_neighbours(k, array_length, &own);
	if (p.size > sizeof bytes || !peek(object + p.offset, bytes, p.size))
		return false;
	*value = hash_value(load(bytes, p.size, p.reference), k, position, own.size);
	return true;
}
