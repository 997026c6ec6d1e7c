/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hprof_part.c - see hprof_private.h: the parts that a heap dump, or a segment of one, consists of.
 * They have no lengths; each begins with a tag.
 */
#include <errno.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "heapdump/hprof_private.h"

/*
 * ---- parts that cross the border of two segments. Some tools cut a dump into segments of
 * equal lengths, so the header of the next segment lies within a part. The bytes behind it
 * move over it, and the header behind them: the dump stays one, and the part is in one piece.
 * The mapping is private, so the file does not change, and only the pages that are written
 * take memory. Each byte of a part moves once, however many headers it has: a part asks for as
 * many bytes as it has had, at least, so that it does not come often.
 */

/* Whether the bytes can be changed now; if not, h->error says why. */
static bool make_writable(struct hprof *h, uint64_t from, uint64_t to)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);

	if (!h->mapped)
		return true; /* a copy in memory */
	from -= from % page;
	if (mprotect((unsigned char *)(uintptr_t)h->data + from, to - from,
		     PROT_READ | PROT_WRITE) == 0)
		return true;
	snprintf(h->error, sizeof h->error, "an object in two segments cannot be joined: %s",
		 strerror(errno));
	return false;
}

static void put_u32(unsigned char *to, uint32_t v)
{
	v = __builtin_bswap32(v);
	memcpy(to, &v, sizeof v);
}

/* The segment at this offset; whether there is one. */
static bool segment_at(const struct hprof *h, uint64_t at, struct hprof_record *s)
{
	if (h->size - at < HPROF_RECORD_HEADER || h->data[at] != HPROF_TAG_SEGMENT)
		return false;
	*s = (struct hprof_record){ .at = at, .body = at + HPROF_RECORD_HEADER };
	s->end = s->body + hprof_u32(h->data + at + HPROF_LENGTH_AT);
	s->cut = s->end > h->size;
	return true;
}

/* Whether the segments that follow have so many bytes. */
static enum hprof_joined look(const struct hprof *h, uint64_t at, uint64_t bytes)
{
	struct hprof_record s;
	uint64_t n = 0;

	for (; n < bytes; at = s.end) {
		if (h->size - at < HPROF_RECORD_HEADER)
			return h->cut[0] ? HPROF_CUT : HPROF_APART;
		if (!segment_at(h, at, &s))
			return HPROF_APART;
		if (s.cut)
			return HPROF_CUT;
		n += s.end - s.body;
	}
	return HPROF_JOINED;
}

/* Writes headers of segments: `n` empty ones, and one of `rest` bytes. */
static void put_headers(unsigned char *to, const unsigned char header[HPROF_RECORD_HEADER],
			uint64_t n, uint32_t rest)
{
	for (uint64_t i = 0; i <= n; i++, to += HPROF_RECORD_HEADER) {
		memcpy(to, header, HPROF_RECORD_HEADER);
		put_u32(to + HPROF_LENGTH_AT, i == n ? rest : 0);
	}
}

enum hprof_joined hprof_join(struct hprof *h, struct hprof_record *r, uint64_t least, uint64_t want)
{
	unsigned char *data = (unsigned char *)(uintptr_t)h->data;
	enum hprof_joined result = look(h, r->end, least);
	unsigned char header[HPROF_RECORD_HEADER];
	uint64_t headers = 0, rest = 0;
	struct hprof_record s;

	if (result != HPROF_JOINED)
		return result;
	if (!make_writable(h, r->at, r->body))
		return HPROF_APART;
	if (want < least)
		want = least;
	memcpy(header, data + r->end, sizeof header);
	while (want > 0 && rest == 0 && segment_at(h, r->end + headers * HPROF_RECORD_HEADER, &s) &&
	       !s.cut) {
		uint64_t n = s.end - s.body < want ? s.end - s.body : want;
		if (!make_writable(h, r->end, s.body + n))
			return HPROF_APART;
		memmove(data + r->end, data + s.body, n);
		r->end += n;
		want -= n;
		rest = s.end - s.body - n;
		headers++;
	}
	put_headers(data + r->end, header, headers - 1, (uint32_t)rest);
	put_u32(data + r->at + HPROF_LENGTH_AT, (uint32_t)(r->end - r->body));
	return HPROF_JOINED;
}

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
	item->related = start + id + 4;
	item->other = hprof_id(c->h, item->related);
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
