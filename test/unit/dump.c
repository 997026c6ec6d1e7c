/* SPDX-License-Identifier: Apache-2.0 */
/* dump.c - see dump.h. */
#include "dump.h"

#include <stdlib.h>
#include <string.h>

#include "heapdump/hprof.h"

enum { LENGTH_AT = 5, HEADER = 9 };

static void append(struct dump *d, const void *bytes, size_t n)
{
	if (d->cap - d->len < n || !d->data) {
		d->cap = 2 * d->cap + n + 64;
		d->data = realloc(d->data, d->cap);
		if (!d->data)
			abort();
	}
	if (n)
		memcpy(d->data + d->len, bytes, n);
	d->len += n;
}

unsigned char *dump_number(unsigned char *to, uint64_t value, unsigned bytes)
{
	while (bytes-- > 0)
		*to++ = (unsigned char)(value >> 8 * bytes);
	return to;
}

void dump_put(struct dump *d, uint64_t value, unsigned bytes)
{
	unsigned char number[8];

	dump_number(number, value, bytes);
	append(d, number, bytes);
}

/* The identifier of a text. */
static uint64_t name_of(const struct dump *d, const char *text)
{
	uint64_t hash = 5381;

	for (; *text; text++)
		hash = hash * 33 + (unsigned char)*text;
	return d->id == 4 ? (uint32_t)hash : hash;
}

void dump_begin(struct dump *d, const char *version, unsigned id)
{
	*d = (struct dump){ .id = id };
	append(d, version, strlen(version) + 1);
	dump_put(d, id, 4);
	dump_put(d, 0, 8);
}

static void record(struct dump *d, unsigned tag, uint32_t len)
{
	dump_put(d, tag, 1);
	dump_put(d, 0, 4);
	dump_put(d, len, 4);
}

void dump_string(struct dump *d, const char *text)
{
	record(d, 0x01, (uint32_t)(d->id + strlen(text)));
	dump_put(d, name_of(d, text), d->id);
	append(d, text, strlen(text));
}

void dump_name(struct dump *d, uint64_t class, const char *name)
{
	dump_string(d, name);
	record(d, 0x02, 8 + 2 * d->id);
	dump_put(d, 1, 4);
	dump_put(d, class, d->id);
	dump_put(d, 0, 4);
	dump_put(d, name_of(d, name), d->id);
}

void dump_open(struct dump *d, unsigned char tag)
{
	d->segment = d->len + LENGTH_AT;
	record(d, tag, 0);
}

void dump_close(struct dump *d)
{
	dump_number(d->data + d->segment, d->len - d->segment - (HEADER - LENGTH_AT), 4);
}

void dump_class(struct dump *d, uint64_t id, uint64_t super, const struct dump_field *fields,
		const char *static_name, uint64_t static_value)
{
	uint32_t n = 0;

	while (fields && fields[n].name)
		n++;
	dump_put(d, 0x20, 1);
	dump_put(d, id, d->id);
	dump_put(d, 0, 4);
	dump_put(d, super, d->id);
	dump_put(d, d->loader, d->id);
	for (int i = 0; i < 4; i++)
		dump_put(d, 0, d->id);
	dump_put(d, 0, 4);
	dump_put(d, 1, 2); /* one constant */
	dump_put(d, 7, 2);
	dump_put(d, HPROF_SHORT, 1);
	dump_put(d, 7, 2);
	dump_put(d, static_name ? 2 : 0, 2);
	if (static_name) {
		dump_put(d, name_of(d, "count"), d->id);
		dump_put(d, HPROF_LONG, 1);
		dump_put(d, 1, 8);
		dump_put(d, name_of(d, static_name), d->id);
		dump_put(d, HPROF_OBJECT, 1);
		dump_put(d, static_value, d->id);
	}
	dump_put(d, n, 2);
	for (uint32_t i = 0; i < n; i++) {
		dump_put(d, name_of(d, fields[i].name), d->id);
		dump_put(d, fields[i].type, 1);
	}
}

void dump_instance(struct dump *d, uint64_t id, uint64_t class, const void *body, uint32_t n)
{
	dump_put(d, 0x21, 1);
	dump_put(d, id, d->id);
	dump_put(d, 0, 4);
	dump_put(d, class, d->id);
	dump_put(d, n, 4);
	append(d, body, n);
}

void dump_objects(struct dump *d, uint64_t id, uint64_t class, const uint64_t *elements, uint32_t n)
{
	dump_put(d, 0x22, 1);
	dump_put(d, id, d->id);
	dump_put(d, 0, 4);
	dump_put(d, n, 4);
	dump_put(d, class, d->id);
	for (uint32_t i = 0; i < n; i++)
		dump_put(d, elements[i], d->id);
}

void dump_primitives(struct dump *d, uint64_t id, unsigned char type, const void *body, uint32_t n,
		     unsigned width)
{
	dump_put(d, 0x23, 1);
	dump_put(d, id, d->id);
	dump_put(d, 0, 4);
	dump_put(d, n, 4);
	dump_put(d, type, 1);
	append(d, body, (size_t)n * width);
}

void dump_root(struct dump *d, unsigned char tag, uint64_t id, unsigned more)
{
	dump_put(d, tag, 1);
	dump_put(d, id, d->id);
	for (unsigned i = 0; i < more; i++)
		dump_put(d, 0, 1);
}

void dump_end(struct dump *d)
{
	record(d, 0x2c, 0);
}

void dump_cut_segments(struct dump *to, const struct dump *from, uint32_t bytes)
{
	size_t at = strlen((const char *)from->data) + 1 + 4 + 8;
	uint32_t gathered = 0;

	*to = (struct dump){ .id = from->id };
	append(to, from->data, at);
	while (at < from->len) {
		unsigned char tag = from->data[at];
		uint32_t len = hprof_u32(from->data + at + LENGTH_AT);
		size_t end = at + HEADER + len;
		if (tag != 0x1c) {
			if (gathered)
				dump_close(to);
			gathered = 0;
			append(to, from->data + at, end - at);
			at = end;
			continue;
		}
		for (at += HEADER; at < end; at++) {
			if (gathered == 0)
				dump_open(to, 0x1c);
			append(to, from->data + at, 1);
			if (++gathered == bytes) {
				dump_close(to);
				gathered = 0;
			}
		}
	}
}

void dump_release(struct dump *d)
{
	free(d->data);
	*d = (struct dump){ .len = 0 };
}

/* ---- a sample ---------------------------------------------------------------------------- */

enum { OBJECT = 0x10, MIXED = 0x20, LINK = 0x30, ARRAY = 0x40, STRING = 0x50, FIRST = 0x1000 };
enum { STEP = 64 };

static const struct dump_field mixed_fields[] = {
	{ "z", HPROF_BOOLEAN },	 { "b", HPROF_BYTE }, { "c", HPROF_CHAR },  { "s", HPROF_SHORT },
	{ "i", HPROF_INT },	 { "j", HPROF_LONG }, { "f", HPROF_FLOAT }, { "d", HPROF_DOUBLE },
	{ "ref", HPROF_OBJECT }, { NULL, 0 },
};
static const struct dump_field link_fields[] = { { "next", HPROF_OBJECT }, { NULL, 0 } };
static const struct dump_field string_fields[] = {
	{ "value", HPROF_OBJECT }, { "coder", HPROF_BYTE }, { "hash", HPROF_INT }, { NULL, 0 }
};

/* An object with `last` in its last bytes, which references `to`. */
static void put_mixed(struct dump *d, uint64_t id, uint64_t to, uint32_t last)
{
	unsigned char body[64], *p = body;

	p = dump_number(p, 1, 1);
	p = dump_number(p, 2, 1);
	p = dump_number(p, 'c', 2);
	p = dump_number(p, 4, 2);
	p = dump_number(p, last, 4);
	p = dump_number(p, 6, 8);
	p = dump_number(p, 7, 4);
	p = dump_number(p, 8, 8);
	p = dump_number(p, to, d->id);
	dump_instance(d, id, MIXED, body, (uint32_t)(p - body));
}

static void put_link(struct dump *d, uint64_t id, uint64_t next)
{
	unsigned char body[8];

	dump_number(body, next, d->id);
	dump_instance(d, id, LINK, body, d->id);
}

/* Equal but for its cached hash, which does not count. */
static void put_string(struct dump *d, uint64_t id, uint64_t value, uint32_t hash)
{
	unsigned char body[16], *p = body;

	p = dump_number(p, value, d->id);
	p = dump_number(p, 0, 1);
	p = dump_number(p, hash, 4);
	dump_instance(d, id, STRING, body, (uint32_t)(p - body));
}

static uint64_t put_group(struct dump *d, uint64_t at, unsigned char value)
{
	unsigned char body[8] = { value, 1, 2, 3, 4, 5, 6, 7 };
	uint64_t elements[3];

	for (unsigned type = HPROF_BOOLEAN; type <= HPROF_LONG; type++) {
		static const unsigned char widths[] = { 1, 2, 4, 8, 1, 2, 4, 8 };
		unsigned width = widths[type - HPROF_BOOLEAN];
		dump_primitives(d, at, (unsigned char)type, body, 8 / width, width);
		at += STEP;
	}
	put_mixed(d, at, at - STEP, value);
	put_link(d, at + STEP, at + 2 * STEP);
	put_link(d, at + 2 * STEP, at + STEP);
	elements[0] = at;
	elements[1] = 0;
	elements[2] = at + STEP;
	dump_objects(d, at + 3 * STEP, ARRAY, elements, 3);
	put_string(d, at + 4 * STEP, at - 4 * STEP, (uint32_t)at);
	dump_instance(d, at + 5 * STEP, OBJECT, NULL, 0);
	return at + 6 * STEP;
}

void dump_sample(struct dump *d, unsigned id, unsigned copies)
{
	uint64_t at = FIRST;

	dump_begin(d, id == 4 ? "JAVA PROFILE 1.0.1" : "JAVA PROFILE 1.0.2", id);
	for (int i = 0; mixed_fields[i].name; i++)
		dump_string(d, mixed_fields[i].name);
	dump_string(d, "next");
	dump_string(d, "value");
	dump_string(d, "coder");
	dump_string(d, "hash");
	dump_string(d, "count");
	dump_string(d, "CACHE");
	dump_name(d, OBJECT, "java/lang/Object");
	dump_name(d, MIXED, "com/acme/Mixed");
	dump_name(d, LINK, "com/acme/Link");
	dump_name(d, ARRAY, "[Ljava/lang/Object;");
	dump_name(d, STRING, "java/lang/String");
	dump_open(d, 0x1c);
	dump_class(d, OBJECT, 0, NULL, NULL, 0);
	dump_class(d, MIXED, OBJECT, mixed_fields, "CACHE", FIRST + 8 * STEP);
	dump_class(d, LINK, OBJECT, link_fields, NULL, 0);
	dump_class(d, ARRAY, OBJECT, NULL, NULL, 0);
	dump_class(d, STRING, OBJECT, string_fields, NULL, 0);
	dump_close(d);
	dump_open(d, 0x1c);
	for (unsigned i = 0; i <= copies; i++)
		at = put_group(d, at, 1);
	dump_close(d);
	dump_open(d, 0x1c);
	put_group(d, at, 2);
	dump_root(d, 0xff, FIRST, 0);
	dump_root(d, 0x01, FIRST, id);
	dump_root(d, 0x02, FIRST, 8);
	dump_root(d, 0x03, FIRST, 8);
	dump_root(d, 0x04, FIRST, 4);
	dump_root(d, 0x05, MIXED, 0);
	dump_root(d, 0x06, FIRST, 4);
	dump_root(d, 0x08, FIRST, 8);
	dump_close(d);
	dump_end(d);
}
