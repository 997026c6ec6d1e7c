/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hprof.c - see hprof.h: the walk. A file has a header and records; two sorts of records, a heap
 * dump and a segment of one, consist of parts without lengths, each of which begins with a tag.
 */
#include "heap/hprof.h"

#include <stdbool.h>
#include <stdio.h>

enum {
	TAG_STRING = 0x01,
	TAG_LOAD_CLASS = 0x02,
	TAG_HEAP_DUMP = 0x0c,
	TAG_SEGMENT = 0x1c,
	RECORD_HEADER = 9, /* tag, time, length */
	PART_CLASS = 0x20,
	PART_INSTANCE = 0x21,
	PART_OBJECTS = 0x22,
	PART_PRIMITIVES = 0x23,
	PROGRESS_STEP = 1 << 22, /* bytes */
};

/* Roots: the bytes behind the identifier of the object; a second identifier is -1. */
static const struct root {
	uint8_t tag;
	int8_t more;
} roots[] = {
	{ 0xff, 0 }, { 0x01, -1 }, { 0x02, 8 }, { 0x03, 8 }, { 0x04, 4 },
	{ 0x05, 0 }, { 0x06, 4 },  { 0x07, 0 }, { 0x08, 8 },
};

/* Where the walk is. */
struct cursor {
	struct hprof *h;
	const unsigned char *at, *end;
};

static int fail(struct hprof *h, const unsigned char *at, const char *what)
{
	snprintf(h->error, sizeof h->error, "%s at byte %zu", what, (size_t)(at - h->data));
	return -1;
}

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

/* ---- parts of a heap dump ---------------------------------------------------------------- */

/* Whether there are `n` more bytes; if so, moves behind them. */
static bool skip(struct cursor *c, uint64_t n)
{
	if ((uint64_t)(c->end - c->at) < n)
		return false;
	c->at += n;
	return true;
}

/* Constants, statics and fields: entries of `before` bytes, a type, and, if so, a value. */
static int read_entries(struct cursor *c, unsigned before, bool values,
			const unsigned char **entries, uint16_t *n)
{
	if (!skip(c, 2))
		return fail(c->h, c->at, "the file, or a record of it, ends within a class");
	*n = hprof_u16(c->at - 2);
	*entries = c->at;
	for (uint16_t i = 0; i < *n; i++) {
		if (!skip(c, before + 1))
			return fail(c->h, c->at,
				    "the file, or a record of it, ends within a class");
		unsigned width = hprof_width(c->h, c->at[-1]);
		if (!width)
			return fail(c->h, c->at - 1, "there is an unknown type");
		if (values && !skip(c, width))
			return fail(c->h, c->at,
				    "the file, or a record of it, ends within a class");
	}
	return 0;
}

static int read_class(struct cursor *c, struct hprof_item *item)
{
	const unsigned char *constants, *start = c->at;
	unsigned id = c->h->id_size;
	uint16_t n;

	if (!skip(c, 7 * (uint64_t)id + 8))
		return fail(c->h, start, "the file, or a record of it, ends within a class");
	item->kind = HPROF_CLASS;
	item->other = hprof_id(c->h, start + id + 4);
	if (read_entries(c, 2, true, &constants, &n) < 0 ||
	    read_entries(c, id, true, &item->statics, &item->nstatics) < 0)
		return -1;
	return read_entries(c, id, false, &item->fields, &item->nfields);
}

/* The identifier at `at` is followed by a stack, a count, and a class or a type. */
static int read_object(struct cursor *c, struct hprof_item *item, unsigned tag)
{
	unsigned id = c->h->id_size, width = 1;
	const unsigned char *start = c->at;

	if (!skip(c, id + 4u + 4u + (tag == PART_PRIMITIVES ? 1u : id)))
		return fail(c->h, start, "the file, or a record of it, ends within an object");
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
			return fail(c->h, c->at - 1, "there is an array of an unknown type");
	}
	item->body = c->at;
	if (!skip(c, (uint64_t)item->count * width))
		return fail(c->h, start, "an object is longer than the file, or its record,");
	return 0;
}

static int unknown_part(struct cursor *c, unsigned tag)
{
	bool android = (tag >= 0x89 && tag <= 0x90) || tag == 0xc3 || tag == 0xfe;
	char what[96];

	snprintf(what, sizeof what,
		 android ? "it is a dump of Android, which hprof-conv converts: there is the tag "
			   "0x%02x"
			 : "there is the unknown tag 0x%02x",
		 tag);
	return fail(c->h, c->at - 1, what);
}

static int read_root(struct cursor *c, struct hprof_item *item, unsigned tag)
{
	unsigned id = c->h->id_size;

	for (size_t i = 0; i < sizeof roots / sizeof roots[0]; i++) {
		if (roots[i].tag != tag)
			continue;
		item->kind = HPROF_ROOT;
		item->tag = (uint8_t)tag;
		if (!skip(c, id + (roots[i].more < 0 ? id : (unsigned)roots[i].more)))
			return fail(c->h, c->at, "the file, or a record of it, ends within a root");
		return 0;
	}
	return unknown_part(c, tag);
}

static int read_part(struct cursor *c, struct hprof_item *item)
{
	const unsigned char *start = c->at;
	unsigned tag = *c->at++;
	int result;

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
	struct cursor c = { (struct hprof *)(uintptr_t)h, h->data + at, h->data + h->size };

	read_part(&c, item);
}

static int walk_parts(struct hprof *h, const unsigned char *start, uint32_t len,
		      hprof_take_fn *take, void *arg)
{
	struct cursor c = { h, start, start + len };
	struct hprof_item item;

	while (c.at < c.end)
		if (read_part(&c, &item) < 0 || take(&item, arg) < 0)
			return -1;
	return 0;
}

/* ---- records ----------------------------------------------------------------------------- */

static int walk_record(struct hprof *h, const unsigned char *record, uint32_t len,
		       hprof_take_fn *take, void *arg)
{
	const unsigned char *body = record + RECORD_HEADER;
	struct hprof_item item = { .at = (uint64_t)(record - h->data) };
	unsigned id = h->id_size;

	switch (record[0]) {
	case TAG_STRING:
		if (len < id)
			return fail(h, record, "a string is too short");
		item.kind = HPROF_STRING;
		item.id = hprof_id(h, body);
		item.body = body + id;
		item.count = len - id;
		return take(&item, arg);
	case TAG_LOAD_CLASS:
		if (len < 8 + 2 * id)
			return fail(h, record, "the name of a class is too short");
		item.kind = HPROF_LOAD_CLASS;
		item.id = hprof_id(h, body + 4);
		item.other = hprof_id(h, body + 8 + id);
		return take(&item, arg);
	case TAG_HEAP_DUMP:
	case TAG_SEGMENT:
		return walk_parts(h, body, len, take, arg);
	default:
		return 0;
	}
}

/* Sets where the first record is. */
static int read_header(struct hprof *h, size_t *first)
{
	static const char *const versions[] = { "JAVA PROFILE 1.0.1", "JAVA PROFILE 1.0.2" };
	size_t len = strlen(versions[0]) + 1;

	if (h->size == 0) {
		snprintf(h->error, sizeof h->error, "it is empty");
		return -1;
	}
	if (h->size < len || memcmp(h->data, "JAVA PROFILE ", strlen("JAVA PROFILE ")) != 0)
		return fail(h, h->data, "it is no heap dump: 'JAVA PROFILE' is missing");
	if (memcmp(h->data, versions[0], len) != 0 && memcmp(h->data, versions[1], len) != 0)
		return fail(h, h->data + strlen("JAVA PROFILE "),
			    "it is neither version 1.0.1 nor 1.0.2 (1.0.3 is Android's, which "
			    "hprof-conv converts)");
	*first = len + 4 + 8;
	if (h->size < *first)
		return fail(h, h->data + h->size, "it ends within its header");
	h->id_size = hprof_u32(h->data + len);
	if (h->id_size != 4 && h->id_size != 8)
		return fail(h, h->data + len, "identifiers have neither 4 nor 8 bytes");
	return 0;
}

int hprof_walk(struct hprof *h, struct progress *progress, hprof_take_fn *take, void *arg)
{
	size_t at, told = 0;

	if (read_header(h, &at) < 0)
		return -1;
	while (at < h->size) {
		const unsigned char *record = h->data + at;
		if (h->size - at < RECORD_HEADER)
			return fail(h, record, "the file ends within a record");
		uint32_t len = hprof_u32(record + 5);
		if (h->size - at - RECORD_HEADER < len)
			return fail(h, record, "the file ends within the record");
		if (walk_record(h, record, len, take, arg) < 0)
			return -1;
		at += RECORD_HEADER + (size_t)len;
		if (at - told >= PROGRESS_STEP) {
			progress_add(progress, at - told);
			told = at;
		}
	}
	return 0;
}
