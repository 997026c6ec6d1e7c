/* SPDX-License-Identifier: Apache-2.0 */
/* json_put.c - see json_put.h. */
#include "base/json_put.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memtext.h"
#include "base/utf8.h"

static void put_escaped(FILE *out, unsigned char c)
{
	if (c == '"' || c == '\\')
		fprintf(out, "\\%c", c);
	else if (c == '\n')
		fputs("\\n", out);
	else if (c == '\t')
		fputs("\\t", out);
	else
		fprintf(out, "\\u%04x", c);
}

void json_put_bytes(FILE *out, const char *text, size_t len)
{
	const char *end = text + len, *begun = text;

	putc('"', out);
	while (text < end) {
		const char *at = text;
		uint32_t c = utf8_next(&text, end);
		if (c >= 0x20 && c != '"' && c != '\\' && c != '<' && c != 0x7f && c != 0xfffd)
			continue;
		fwrite(begun, 1, (size_t)(at - begun), out);
		begun = text;
		if (c == 0xfffd)
			fputs("\\ufffd", out);
		else
			put_escaped(out, (unsigned char)c);
	}
	fwrite(begun, 1, (size_t)(end - begun), out);
	putc('"', out);
}

int json_put_memtext(FILE *out, struct memtext *t)
{
	char *text = memtext_end(t);

	if (!text)
		return -1;
	json_put_bytes(out, text, t->len);
	free(text);
	return 0;
}

void json_put_text(FILE *out, const char *text)
{
	if (text)
		json_put_bytes(out, text, strlen(text));
	else
		fputs("null", out);
}

/* A large page has millions of numbers; with printf they would take most of the time. */
void json_put_whole(FILE *out, uint64_t value)
{
	char digits[20], *at = digits + sizeof digits;

	do
		*--at = (char)('0' + value % 10);
	while (value /= 10);
	fwrite(at, 1, (size_t)(digits + sizeof digits - at), out);
}

void json_put_number(FILE *out, double value)
{
	if (!isfinite(value))
		fputs("null", out);
	else if (value >= 0 && value <= 1e9 && value == floor(value))
		json_put_whole(out, (uint32_t)value);
	else
		fprintf(out, "%.6g", value);
}

/* Decimals of a share, without trailing zeros. */
static void put_decimals(FILE *out, uint32_t millionths)
{
	char digits[] = "0.000000";
	size_t n = sizeof digits - 1;

	for (size_t i = n; millionths > 0; millionths /= 10)
		digits[--i] = (char)('0' + millionths % 10);
	while (digits[n - 1] == '0')
		n--;
	fwrite(digits, 1, n, out);
}

void json_put_figure(FILE *out, double value)
{
	double millionths = floor(value * 1e6 + 0.5);

	if (millionths >= 1 && millionths < 1e6)
		put_decimals(out, (uint32_t)millionths);
	else if (value >= 1e5 && value < 1e18)
		json_put_whole(out, (uint64_t)(value + 0.5));
	else
		json_put_number(out, value);
}

void json_put_ids(FILE *out, const uint32_t *ids, size_t n, uint32_t nothing)
{
	putc('[', out);
	for (size_t i = 0; i < n; i++) {
		if (i > 0)
			putc(',', out);
		if (ids[i] == nothing)
			fputs("-1", out);
		else
			json_put_whole(out, ids[i]);
	}
	putc(']', out);
}
