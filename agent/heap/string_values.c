/* SPDX-License-Identifier: Apache-2.0 */
/*
 * string_values.c - see string_values.h. Converts Latin-1 and UTF-16 to UTF-8, and remembers the
 * sent texts.
 */
#include "heap/string_values.h"

#include <string.h>

#include "core/link.h"
#include "heap/deep.h"

#define SENT	    4096 /* remembered texts; a power of two */
#define REPLACEMENT 0xfffdu

/* [pause] Stores one character as UTF-8. Returns its length; 0 if there is no room. */
static uint32_t put(char *to, uint32_t room, uint32_t c)
{
	uint32_t n = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
	static const unsigned char first[] = { 0, 0, 0xc0, 0xe0, 0xf0 };

	if (n > room)
		return 0;
	for (uint32_t i = n; i-- > 1; c >>= 6)
		to[i] = (char)(0x80 | (c & 0x3f));
	to[0] = (char)(first[n] | c);
	return n;
}

/*
 * [pause] Reads a UTF-16 character at position *i of n units, and advances *i. An unpaired
 * surrogate becomes REPLACEMENT.
 */
static uint32_t next_wide(const unsigned char *units, uint32_t n, uint32_t *i)
{
	uint16_t high, low = 0;

	memcpy(&high, units + 2 * *i, 2);
	(*i)++;
	if (high < 0xd800 || high > 0xdfff)
		return high;
	if (*i < n)
		memcpy(&low, units + 2 * *i, 2);
	if (high > 0xdbff || low < 0xdc00 || low > 0xdfff)
		return REPLACEMENT;
	(*i)++;
	return 0x10000u + ((uint32_t)(high & 0x3ff) << 10) + (low & 0x3ff);
}

void string_value_take(struct string_value *t, struct deep *d)
{
	unsigned char raw[2 * WIRE_VALUE_TEXT];
	uint32_t bytes = 0;
	bool wide = false;
	int got = deep_string(d, raw, sizeof raw, &bytes, &wide);
	uint32_t n = got < 0 ? 0 : (uint32_t)got / (wide ? 2 : 1);

	t->there = got >= 0;
	t->chars = bytes / (wide ? 2 : 1);
	t->len = 0;
	for (uint32_t i = 0, put_now = 1; i < n && put_now; t->len += (uint16_t)put_now) {
		uint32_t c = wide ? next_wide(raw, n, &i) : raw[i++];
		put_now = put(t->utf8 + t->len, WIRE_VALUE_TEXT - t->len, c);
	}
}

void string_value_send(struct link_ring *ring, const struct string_value *t, uint32_t context,
		       uint64_t deep)
{
	static uint64_t sent[SENT];
	uint64_t key = deep ^ context * 0x9e3779b97f4a7c15u;
	uint64_t *slot = &sent[key % SENT];

	if (!t->there || *slot == key)
		return;
	struct wire_value *value =
		link_reserve(ring, WIRE_VALUE, wire_pad(sizeof(struct wire_value) + t->len));
	if (!value)
		return;
	value->context = context;
	value->len = t->len;
	value->deep = deep;
	value->chars = t->chars;
	value->pad = 0;
	memcpy(value + 1, t->utf8, t->len);
	memset((char *)(value + 1) + t->len, 0, wire_pad(t->len) - t->len);
	link_commit(ring);
	*slot = key;
}
