/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hprof_part.c - see hprof_private.h: the parts that a heap dump, or a segment of one, consists of.
 * They have no lengths; each begins with a tag.
 */
#include "heap/hprof_private.h"

#include <stdio.h>

enum {
	PART_CLASS = 0x20,
	PART_INSTANCE = 0x21,
	PART_OBJECTS = 0x22,
	PART_PRIMITIVES = 0x23,
};

int hprof_fail(struct hprof *h, uint64_t at, const char *what)
{
	snprintf(h->error, sizeof h->error, "%s at byte %llu", what, (unsigned long long)at);
	return -1;
}

/* Roots: the bytes behind the identifier of the object; a second identifier is -1. */
static const struct root {
	uint8_t tag;
	int8_t more;
} roots[] = {
	{ 0xff, 0 }, { 0x01, -1 }, { 0x02, 8 }, { 0x03, 8 }, { 0x04, 4 },
	{ 0x05, 0 }, { 0x06, 4 },  { 0x07, 0 }, { 0x08, 8 },
};

unsigned hprof_width(const struct hprof *h, unsigned type)
{
	static const uint8_t widths[] = {
		[HPROF_BOOLEAN] = 1, [HPROF_CHAR] = 2,	[HPROF_FLOAT] = 4, [HPROF_DOUBLE] = 8,
		[HPROF_BYTE] = 1,    [HPROF_SHORT] = 2, [HPROF_INT] = 4,   [HPROF_LONG] = 8
	};

	if (type == HPROF_OBJECT)
		return h->id_size;
	return type < sizeof widths ? widths[type] : 0;
}

static int fail(struct hprof_cursor *c, const unsigned char *at, const char *what)
{
	return hprof_fail(c->h, (uint64_t)(at - c->h->data), what);
}

/* Whether there are `n` more bytes; if so, moves behind them. */
static bool skip(struct hprof_cursor *c, uint64_t n)
{
	uint64_t there = (uint64_t)(c->end - c->at);

	if (there < n) {
		c->lacks = n - there;
		return false;
	}
	c->at += n;
	return true;
}

/* Constants, statics and fields: entries of `before` bytes, a type, and, if so, a value. */
static int read_entries(struct hprof_cursor *c, unsigned before, bool values,
			const unsigned char **entries, uint16_t *n)
{
	if (!skip(c, 2))
		return fail(c, c->at, "the file, or a record of it, ends within a class");
	*n = hprof_u16(c->at - 2);
	*entries = c->at;
	for (uint16_t i = 0; i < *n; i++) {
		if (!skip(c, before + 1))
			return fail(c, c->at, "the file, or a record of it, ends within a class");
		unsigned width = hprof_width(c->h, c->at[-1]);
		if (!width)
			return fail(c, c->at - 1, "there is an unknown type");
		if (values && !skip(c, width))
			return fail(c, c->at, "the file, or a record of it, ends within a class");
	}
	return 0;
}

static int read_class(struct hprof_cursor *c, struct hprof_item *item)
{
	const unsigned char *constants, *start = c->at;
	unsigned id = c->h->id_size;
	uint16_t n;

	if (!skip(c, 7 * (uint64_t)id + 8))
		return fail(c, start, "the file, or a record of it, ends within a class");
	item->kind = HPROF_CLASS;
	item->other = hprof_id(c->h, start + id + 4);
	if (read_entries(c, 2, true, &constants, &n) < 0 ||
	    read_entries(c, id, true, &item->statics, &item->nstatics) < 0)
		return -1;
	return read_entries(c, id, false, &item->fields, &item->nfields);
}

/* The identifier at `at` is followed by a stack, a count, and a class or a type. */
static int read_object(struct hprof_cursor *c, struct hprof_item *item, unsigned tag)
{
	unsigned id = c->h->id_size, width = 1;
	const unsigned char *start = c->at;

	if (!skip(c, id + 4u + 4u + (tag == PART_PRIMITIVES ? 1u : id)))
		return fail(c, start, "the file, or a record of it, ends within an object");
	if (tag == PART_INSTANCE) {
		item->kind = HPROF_INSTANCE;
		item->other = hprof_id(c->h, start + id + 4);
		item->count = hprof_u32(c->at - 4);
	} else {
		item->kind = tag == PART_OBJECTS ? HPROF_OBJECTS : HPROF_PRIMITIVES;
		item->count = hprof_u32(start + id + 4);
		item->other = tag == PART_OBJECTS ? hprof_id(c->h, c->at - id) : 0;
		item->type = tag == PART_OBJECTS ? (uint8_t)HPROF_OBJECT : c->at[-1];
		width = hprof_width(c->h, item->type);
		if (!width || (tag == PART_PRIMITIVES && item->type == HPROF_OBJECT))
			return fail(c, c->at - 1, "there is an array of an unknown type");
	}
	item->body = c->at;
	if (!skip(c, (uint64_t)item->count * width))
		return fail(c, start, "an object is longer than the file, or its record,");
	return 0;
}

static int unknown_part(struct hprof_cursor *c, unsigned tag)
{
	bool android = (tag >= 0x89 && tag <= 0x90) || tag == 0xc3 || tag == 0xfe;
	char what[96];

	snprintf(what, sizeof what,
		 android ? "it is a dump of Android, which hprof-conv converts: there is the tag "
			   "0x%02x"
			 : "there is the unknown tag 0x%02x",
		 tag);
	return fail(c, c->at - 1, what);
}

static int read_root(struct hprof_cursor *c, struct hprof_item *item, unsigned tag)
{
	unsigned id = c->h->id_size;

	for (size_t i = 0; i < sizeof roots / sizeof roots[0]; i++) {
		if (roots[i].tag != tag)
			continue;
		item->kind = HPROF_ROOT;
		item->tag = (uint8_t)tag;
		if (!skip(c, id + (roots[i].more < 0 ? id : (unsigned)roots[i].more)))
			return fail(c, c->at, "the file, or a record of it, ends within a root");
		return 0;
	}
	return unknown_part(c, tag);
}

bool hprof_is_part(uint8_t tag)
{
	bool found = tag >= PART_CLASS && tag <= PART_PRIMITIVES;

	for (size_t i = 0; i < sizeof roots / sizeof roots[0]; i++)
		found = found || roots[i].tag == tag;
	return found;
}

int hprof_read_part(struct hprof_cursor *c, struct hprof_item *item)
{
	const unsigned char *start = c->at;
	unsigned tag = *c->at++;
	int result;

	c->lacks = 0;
	*item = (struct hprof_item){ .at = (uint64_t)(start - c->h->data) };
	if (tag == PART_CLASS)
		result = read_class(c, item);
	else if (tag >= PART_INSTANCE && tag <= PART_PRIMITIVES)
		result = read_object(c, item, tag);
	else
		result = read_root(c, item, tag);
	if (result == 0)
		item->id = hprof_id(c->h, start + 1);
	return result;
}

void hprof_item_at(const struct hprof *h, uint64_t at, struct hprof_item *item)
{
	/* of what was read without an error, nothing is written to h->error */
	struct hprof_cursor c = { (struct hprof *)(uintptr_t)h, h->data + at, h->data + h->size,
				  0 };

	hprof_read_part(&c, item);
}
