/* SPDX-License-Identifier: Apache-2.0 */
/* heap_value.c - see heap_value.h. */
#include "heap/heap_value.h"

#include <stdio.h>

enum { LONGEST = 4 /* bytes of a character, with what escapes it */, SHOWN = 40, NUMBERS = 8 };

static size_t put_character(char *to, uint32_t c)
{
	if (c < 0x20 || (c >= 0x7f && c < 0xa0) || (c >= 0xd800 && c < 0xe000))
		c = '?'; /* what could steer a terminal, and halves of characters */
	if (c < 0x80) {
		to[0] = (char)c;
		return 1;
	}
	if (c < 0x800) {
		to[0] = (char)(0xc0 | c >> 6);
		to[1] = (char)(0x80 | (c & 0x3f));
		return 2;
	}
	to[0] = (char)(0xe0 | c >> 12);
	to[1] = (char)(0x80 | (c >> 6 & 0x3f));
	to[2] = (char)(0x80 | (c & 0x3f));
	return 3;
}

/* HotSpot keeps two bytes of a character in a byte[] as the processor does. */
static uint32_t character(const unsigned char *body, uint32_t i, bool wide, bool swapped)
{
	if (!wide)
		return body[i];
	uint32_t first = body[2 * (size_t)i], second = body[2 * (size_t)i + 1];
	return swapped ? first << 8 | second : second << 8 | first;
}

static const char *put_string(const struct heap *h, uint32_t x, char *room, size_t size)
{
	const struct heap_class *c = &h->class[heap_class_of(h, x)];
	struct hprof_item string, text;
	uint32_t offset, at = PARTITION_NULL;
	size_t used = 1;

	for (uint32_t i = 0; i < c->nslots; i++)
		at = h->to[h->edge[x] + i] != PARTITION_NULL ? h->to[h->edge[x] + i] : at;
	if (at == PARTITION_NULL)
		return NULL;
	heap_item(h, x, &string);
	heap_item(h, at, &text);
	if (text.kind != HPROF_PRIMITIVES || hprof_width(h->dump, text.type) > 2)
		return NULL;
	bool chars = text.type == HPROF_CHAR, wide = chars;
	if (!chars && heap_field_find(h, heap_class_of(h, x), "coder", &offset) == HPROF_BYTE)
		wide = string.body[offset] == 1;
	uint32_t n = wide && !chars ? text.count / 2 : text.count, i = 0;
	room[0] = '"';
	for (; i < n && i < SHOWN && used + LONGEST + 4 < size; i++)
		used += put_character(room + used, character(text.body, i, wide, chars));
	snprintf(room + used, size - used, i < n ? "\"..." : "\"");
	return room;
}

static size_t put_number(char *to, size_t size, const unsigned char *p, unsigned type)
{
	uint64_t bits;
	uint32_t half;
	float f;
	double d;
	int n;

	switch (type) {
	case HPROF_BOOLEAN:
		n = snprintf(to, size, "%s", *p ? "true" : "false");
		break;
	case HPROF_BYTE:
		n = snprintf(to, size, "%d", (signed char)*p);
		break;
	case HPROF_CHAR:
		n = snprintf(to, size, "%u", hprof_u16(p));
		break;
	case HPROF_SHORT:
		n = snprintf(to, size, "%d", (int16_t)hprof_u16(p));
		break;
	case HPROF_INT:
		n = snprintf(to, size, "%d", (int32_t)hprof_u32(p));
		break;
	case HPROF_FLOAT:
		half = hprof_u32(p);
		memcpy(&f, &half, sizeof f);
		n = snprintf(to, size, "%g", (double)f);
		break;
	case HPROF_LONG:
		n = snprintf(to, size, "%lld", (long long)hprof_u64(p));
		break;
	default:
		bits = hprof_u64(p);
		memcpy(&d, &bits, sizeof d);
		n = snprintf(to, size, "%g", d);
		break;
	}
	return n > 0 && (size_t)n < size ? (size_t)n : 0;
}

static const char *put_numbers(const struct heap *h, uint32_t x, char *room, size_t size)
{
	struct hprof_item item;
	size_t used = 0;
	uint32_t i = 0;

	heap_item(h, x, &item);
	unsigned width = hprof_width(h->dump, item.type);
	for (; i < item.count && i < NUMBERS && used + 32 < size; i++) {
		used += (size_t)snprintf(room + used, size - used, i ? ", " : "{ ");
		used += put_number(room + used, size - used, item.body + (size_t)i * width,
				   item.type);
	}
	snprintf(room + used, size - used, i < item.count ? ", ...}" : i ? " }" : "{}");
	return room;
}

/* Of a class that has one field, `value`, of a primitive type. */
static const char *put_box(const struct heap *h, uint32_t x, char *room, size_t size)
{
	const struct heap_class *c = &h->class[heap_class_of(h, x)];
	struct hprof_item item;
	uint32_t offset;

	if (c->kind != HEAP_INSTANCE || c->nslots > 0)
		return NULL;
	unsigned type = heap_field_find(h, heap_class_of(h, x), "value", &offset);
	if (!type || type == HPROF_OBJECT || c->bytes != hprof_width(h->dump, type))
		return NULL;
	heap_item(h, x, &item);
	return put_number(room, size, item.body + offset, type) ? room : NULL;
}

const char *heap_value(const struct heap *h, uint32_t x, char *room, size_t size)
{
	if (x == HEAP_NONE || heap_is_class_object(h, x))
		return NULL;
	const struct heap_class *c = &h->class[heap_class_of(h, x)];
	if (strcmp(c->name, "java.lang.String") == 0)
		return put_string(h, x, room, size);
	if (c->kind == HEAP_PRIMITIVES)
		return put_numbers(h, x, room, size);
	return put_box(h, x, room, size);
}
