/* SPDX-License-Identifier: Apache-2.0 */
/* json_text.c - see json_text.h. With printf, numbers would take most of the time. */
#include "base/json_text.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"

enum { FIRST_ROOM = 4096, DECIMALS = 9 };

void json_text_release(struct json_text *t)
{
	free(t->text);
	if (t->stream)
		fclose(t->stream);
	free(t->piece);
	*t = (struct json_text)JSON_TEXT_INIT;
}

void json_text_clear(struct json_text *t)
{
	t->len = 0;
}

/* ---- bytes --------------------------------------------------------------------------------- */

static bool grow(struct json_text *t, size_t n)
{
	size_t room = t->room ? t->room : FIRST_ROOM;

	while (room - t->len < n)
		room *= 2;
	char *text = realloc(t->text, room);
	t->failed = !text;
	if (!text)
		return false;
	t->text = text;
	t->room = room;
	return true;
}

/* Makes room for `n` more bytes and returns where they go; NULL after a failure. */
static inline char *reserve(struct json_text *t, size_t n)
{
	if (t->failed || (t->room - t->len < n && !grow(t, n)))
		return NULL;
	return t->text + t->len;
}

static void put(struct json_text *t, const char *bytes, size_t n)
{
	char *to = reserve(t, n);

	if (!to)
		return;
	memcpy(to, bytes, n);
	t->len += n;
}

static void put_char(struct json_text *t, char c)
{
	put(t, &c, 1);
}

/* What stands before a value: a comma if it is not the first, and its name. */
static void begin(struct json_text *t, const char *name)
{
	char last = t->len ? t->text[t->len - 1] : '[';
	size_t len = name ? strlen(name) : 0;
	char *to = reserve(t, len + strlen(",\"\":"));

	if (!to)
		return;
	if (last != '[' && last != '{')
		*to++ = ',';
	if (name) {
		*to++ = '"';
		memcpy(to, name, len);
		to += len;
		*to++ = '"';
		*to++ = ':';
	}
	t->len = (size_t)(to - t->text);
}

/* ---- strings ------------------------------------------------------------------------------- */

static bool is_plain(unsigned char c)
{
	return c >= 0x20 && c != '"' && c != '\\';
}

static void put_escaped(struct json_text *t, unsigned char c)
{
	static const char names[] = "\"\"\\\\\bb\ff\nn\rr\tt";
	char code[8];

	for (const char *n = names; *n; n += 2)
		if ((unsigned char)n[0] == c) {
			put_char(t, '\\');
			put_char(t, n[1]);
			return;
		}
	snprintf(code, sizeof code, "\\u%04x", c);
	put(t, code, 6);
}

/* Valid UTF-8. */
static void put_string(struct json_text *t, const char *string, size_t len)
{
	size_t begun = 0;

	put_char(t, '"');
	for (size_t i = 0; i < len; i++) {
		if (is_plain((unsigned char)string[i]))
			continue;
		put(t, string + begun, i - begun);
		put_escaped(t, (unsigned char)string[i]);
		begun = i + 1;
	}
	put(t, string + begun, len - begun);
	put_char(t, '"');
}

/* Nearly all text is ASCII and needs no cleaning. */
static bool is_ascii(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if ((unsigned char)text[i] >= 0x80)
			return false;
	return true;
}

FILE *json_text_begin_string(struct json_text *t)
{
	if (t->failed)
		return NULL;
	if (t->stream)
		rewind(t->stream);
	else
		t->stream = open_memstream(&t->piece, &t->piece_len);
	t->failed = !t->stream;
	return t->stream;
}

void json_text_end_string(struct json_text *t, const char *name)
{
	long len = t->failed ? 0 : ftell(t->stream);

	if (t->failed || fflush(t->stream) != 0 || len < 0) {
		t->failed = true;
		return;
	}
	begin(t, name);
	put_string(t, t->piece, (size_t)len);
}

void json_text_string(struct json_text *t, const char *name, const char *string)
{
	size_t len = string ? strlen(string) : 0;

	if (!string) {
		json_text_null(t, name);
		return;
	}
	if (is_ascii(string, len)) {
		begin(t, name);
		put_string(t, string, len);
		return;
	}
	FILE *out = json_text_begin_string(t);
	if (out) {
		utf8_put(out, string, len, UTF8_DATA);
		json_text_end_string(t, name);
	}
}

/* ---- other values -------------------------------------------------------------------------- */

void json_text_open(struct json_text *t, const char *name, char bracket)
{
	begin(t, name);
	put_char(t, bracket);
}

void json_text_close(struct json_text *t, char bracket)
{
	put_char(t, bracket);
}

void json_text_null(struct json_text *t, const char *name)
{
	begin(t, name);
	put(t, "null", 4);
}

void json_text_raw(struct json_text *t, const char *name, const char *json, size_t len)
{
	begin(t, name);
	put(t, json, len);
}

void json_text_bool(struct json_text *t, const char *name, bool value)
{
	begin(t, name);
	put(t, value ? "true" : "false", value ? 4 : 5);
}

/* Writes `value` backwards, before `end`; at least `least` digits. Returns where it begins. */
static char *digits_before(char *end, uint64_t value, int least)
{
	while (value > 0 || least > 0) {
		*--end = (char)('0' + value % 10);
		value /= 10;
		least--;
	}
	return end;
}

/* 0 < value < 10^6: nine decimals, without zeros at the end. */
static size_t decimals_text(char text[JSON_NUMBER_MAX], double value)
{
	char room[JSON_NUMBER_MAX], *end = room + sizeof room, *point = end - DECIMALS;
	uint64_t all = (uint64_t)(value * 1e9 + 0.5);

	digits_before(end, all % 1000000000, DECIMALS);
	while (end > point && end[-1] == '0')
		end--;
	*--point = '.';
	char *begun = digits_before(point, all / 1000000000, 1);
	if (end == point + 1) /* rounded to a whole number */
		end = point;
	memcpy(text, begun, (size_t)(end - begun));
	return (size_t)(end - begun);
}

size_t json_number_text(char text[JSON_NUMBER_MAX], double value)
{
	double amount = fabs(value);
	size_t sign = value < 0;

	text[0] = '-';
	if (amount == floor(amount) && amount < 1e15) {
		char digits[JSON_NUMBER_MAX], *end = digits + sizeof digits;
		char *begun = digits_before(end, (uint64_t)amount, 1);
		memcpy(text + sign, begun, (size_t)(end - begun));
		return sign + (size_t)(end - begun);
	}
	if (amount >= 1e-4 && amount < 1e6)
		return sign + decimals_text(text + sign, amount);
	return (size_t)snprintf(text, JSON_NUMBER_MAX, "%.15g", value);
}

void json_text_number(struct json_text *t, const char *name, double value)
{
	if (!isfinite(value)) {
		json_text_null(t, name);
		return;
	}
	begin(t, name);
	char *to = reserve(t, JSON_NUMBER_MAX);
	if (to)
		t->len += json_number_text(to, value);
}

void json_text_range(struct json_text *t, const char *name, double low, double high)
{
	if (isnan(low) || isnan(high)) {
		json_text_null(t, name);
		return;
	}
	json_text_open(t, name, '[');
	json_text_number(t, NULL, low);
	json_text_number(t, NULL, high);
	json_text_close(t, ']');
}
