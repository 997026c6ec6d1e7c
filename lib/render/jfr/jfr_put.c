/* SPDX-License-Identifier: Apache-2.0 */
/* jfr_put.c - see jfr_put.h. */
#include "render/jfr/jfr_put.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memtext.h"

enum { NUMBER_MAX = 9 }; /* bytes: eight of seven bits, and a last one of eight */

/* How a text is encoded. */
enum { TEXT_NULL = 0, TEXT_POOLED = 2, TEXT_UTF8 = 3 };

void jfr_put_number(struct bytes *b, uint64_t value)
{
	unsigned char *to = bytes_reserve(b, NUMBER_MAX);
	size_t n = 0;

	for (; value >= 0x80 && n < NUMBER_MAX - 1; value >>= 7)
		to[n++] = (unsigned char)(value | 0x80);
	to[n++] = (unsigned char)value;
	b->len += n;
}

size_t jfr_number_length(uint64_t value)
{
	size_t n = 1;

	for (; value >= 0x80 && n < NUMBER_MAX; value >>= 7)
		n++;
	return n;
}

void jfr_put_fixed(struct bytes *b, uint64_t value, size_t size)
{
	unsigned char *to = bytes_reserve(b, size);

	for (size_t i = 0; i < size; i++)
		to[i] = (unsigned char)(value >> 8 * (size - 1 - i));
	b->len += size;
}

void jfr_put_float(struct bytes *b, double value)
{
	float number = (float)value;
	uint32_t bits;

	memcpy(&bits, &number, sizeof bits);
	jfr_put_fixed(b, bits, sizeof bits);
}

void jfr_put_double(struct bytes *b, double value)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof bits);
	jfr_put_fixed(b, bits, sizeof bits);
}

/* An empty text has this form, too: some readers take names in no other. */
void jfr_put_text(struct bytes *b, const char *text)
{
	char *clean = memtext_clean(text, strlen(text), UTF8_TERMINAL);

	jfr_put_fixed(b, TEXT_UTF8, 1);
	jfr_put_number(b, strlen(clean));
	bytes_add(b, clean, strlen(clean));
	free(clean);
}

void jfr_put_pooled(struct bytes *b, uint32_t number)
{
	jfr_put_fixed(b, number ? TEXT_POOLED : TEXT_NULL, 1);
	if (number)
		jfr_put_number(b, number);
}
