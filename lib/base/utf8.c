/* SPDX-License-Identifier: Apache-2.0 */
/*
 * utf8.c - see utf8.h. The decoder is strict: no overlong forms, no surrogates.
 */
#define _GNU_SOURCE 1 /* wcwidth, memmem */
#include "base/utf8.h"

#include <string.h>
#include <wchar.h>

#define REPLACEMENT 0xfffdu

/* Length of the sequence that a byte begins, by its upper bits; 0: it begins none. */
static unsigned sequence_length(unsigned char first)
{
	if (first < 0x80)
		return 1;
	if (first >= 0xc2 && first < 0xe0)
		return 2;
	if (first >= 0xe0 && first < 0xf0)
		return 3;
	if (first >= 0xf0 && first < 0xf5)
		return 4;
	return 0;
}

/* *len receives the number of bytes of the character; 1 for a byte that begins none. */
static uint32_t decode(const char *text, const char *end, unsigned *len)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	static const unsigned char mask[] = { 0, 0x7f, 0x1f, 0x0f, 0x07 };
	unsigned n = sequence_length((unsigned char)*text);

	*len = 1;
	if (n == 0 || n > (size_t)(end - text))
		return REPLACEMENT;
	uint32_t c = (unsigned char)*text & mask[n];
	for (unsigned i = 1; i < n; i++) {
		if (((unsigned char)text[i] & 0xc0) != 0x80)
			return REPLACEMENT;
		c = c << 6 | ((unsigned char)text[i] & 0x3f);
	}
	if (c < least[n] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
		return REPLACEMENT;
	*len = n;
	return c;
}

uint32_t utf8_next(const char **text, const char *end)
{
	unsigned len;
	uint32_t c = decode(*text, end, &len);

	*text += len;
	return c;
}

static void put_char(FILE *out, uint32_t c)
{
	if (c < 0x80) {
		putc((int)c, out);
	} else if (c < 0x800) {
		putc((int)(0xc0 | c >> 6), out);
		putc((int)(0x80 | (c & 0x3f)), out);
	} else if (c < 0x10000) {
		putc((int)(0xe0 | c >> 12), out);
		putc((int)(0x80 | (c >> 6 & 0x3f)), out);
		putc((int)(0x80 | (c & 0x3f)), out);
	} else {
		putc((int)(0xf0 | c >> 18), out);
		putc((int)(0x80 | (c >> 12 & 0x3f)), out);
		putc((int)(0x80 | (c >> 6 & 0x3f)), out);
		putc((int)(0x80 | (c & 0x3f)), out);
	}
}

bool utf8_is_control(uint32_t c)
{
	return c < 0x20 || (c >= 0x7f && c < 0xa0) || (c >= 0x202a && c <= 0x202e) ||
	       (c >= 0x2066 && c <= 0x2069) || c == 0x2028 || c == 0x2029;
}

/* Number of bytes at the beginning that no mode changes. Nearly all text is like this. */
static size_t plain_length(const char *text, const char *end)
{
	const char *p = text;

	while (p < end && *p >= ' ' && *p <= '~')
		p++;
	return (size_t)(p - text);
}

void utf8_put(FILE *out, const char *text, size_t len, enum utf8_mode mode)
{
	const char *end = text + len;

	while (text < end) {
		size_t plain = plain_length(text, end);
		fwrite(text, 1, plain, out);
		text += plain;
		if (text == end)
			return;
		uint32_t c = utf8_next(&text, end);
		if (mode != UTF8_DATA && utf8_is_control(c))
			c = REPLACEMENT;
		if (mode == UTF8_ASCII && c >= 0x80)
			c = '?';
		put_char(out, c);
	}
}

static size_t char_width(uint32_t c)
{
	if (c < 0x80)
		return 1;
	int width = wcwidth((wchar_t)c);
	return width < 0 ? 1 : (size_t)width;
}

size_t utf8_link(const char *text, const char *end)
{
	const size_t begin = strlen(UTF8_LINK), close = strlen(UTF8_LINK_END);

	if (*text != *UTF8_LINK || (size_t)(end - text) < begin + close ||
	    memcmp(text, UTF8_LINK, begin) != 0)
		return 0;
	const char *last = memmem(text + begin, (size_t)(end - text) - begin, UTF8_LINK_END, close);
	return last ? (size_t)(last - text) + close : 0;
}

size_t utf8_columns(const char *text, size_t len)
{
	const char *end = text + len;
	size_t width = 0;

	while (text < end) {
		size_t link = utf8_link(text, end);
		if (link)
			text += link;
		else
			width += char_width(utf8_next(&text, end));
	}
	return width;
}

size_t utf8_width(const char *text)
{
	return utf8_columns(text, strlen(text));
}

size_t utf8_head(const char *text, size_t width)
{
	const char *end = text + strlen(text), *p = text;
	size_t used = 0;

	while (p < end) {
		const char *next = p;
		used += char_width(utf8_next(&next, end));
		if (used > width)
			break;
		p = next;
	}
	return (size_t)(p - text);
}

size_t utf8_tail(const char *text, size_t width)
{
	const char *end = text + strlen(text);
	size_t left = utf8_width(text);

	while (text < end && left > width)
		left -= char_width(utf8_next(&text, end));
	return (size_t)(end - text);
}
