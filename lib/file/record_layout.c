/* SPDX-License-Identifier: Apache-2.0 */
/* record_layout.c - what a row of record_table.c says of a record: its type, and its length. */
#include "file/record_table.h"

#include <string.h>

const struct record_type *record_find_type(uint16_t type)
{
	for (size_t i = 0; i < record_ntypes; i++)
		if (record_types[i].type == type)
			return &record_types[i];
	return NULL;
}

const struct record_type *record_find_name(const char *name, size_t len)
{
	for (size_t i = 0; i < record_ntypes; i++)
		if (strlen(record_types[i].name) == len &&
		    memcmp(record_types[i].name, name, len) == 0)
			return &record_types[i];
	return NULL;
}

uint64_t record_uint(const unsigned char *at, uint16_t width)
{
	uint64_t value = 0;

	memcpy(&value, at, width); /* little-endian */
	return value;
}

uint64_t record_count(const struct record_part *part, const unsigned char *base)
{
	uint64_t value = record_uint(base + part->count.offset, part->count.width);

	return part->flag ? (value & part->flag) != 0 : value;
}

/* Bytes of a part that begins at byte `at`; more than `left`, that exist, if it does not fit. */
static size_t part_bytes(const struct record_part *part, const unsigned char *base, size_t at,
			 size_t left)
{
	uint64_t count = record_count(part, base);
	size_t bytes = 0;

	if (!part->of) /* a count has at most 32 bits */
		return count * (part->width ? part->width : 1);
	for (; count > 0; count--) {
		size_t one = record_bytes(part->of, base + at + bytes, left - bytes);
		if (one == 0)
			return left + 1;
		bytes += one;
	}
	return bytes;
}

size_t record_bytes(const struct record_layout *l, const unsigned char *base, size_t left)
{
	size_t at = l->size;

	if (left < at)
		return 0;
	for (const struct record_part *p = l->parts; p && p->name; p++) {
		size_t bytes = part_bytes(p, base, at, left - at);
		if (bytes > left - at)
			return 0;
		at += bytes;
		if (p->pad)
			at = wire_pad(at);
		if (at > left)
			return 0;
	}
	return at;
}

const struct record_type *record_fits(const struct wire_rec *rec, uint32_t len)
{
	const struct record_type *type =
		record_find_type(atomic_load_explicit(&rec->type, memory_order_relaxed));

	return type && record_bytes(&type->layout, (const unsigned char *)rec, len) == len ? type
											   : NULL;
}
