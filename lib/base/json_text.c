/* SPDX-License-Identifier: Apache-2.0 */
/* json_text.c - see json_text.h. With printf, numbers would take most of the time. */
#include "base/json_text.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "base/xmalloc.h"

enum {
	FIRST_ROOM = 4096,
	STREAM_ROOM = 65536, /* bytes that are written to a stream at once */
	DECIMALS = 9,
};

/* ---- strings and numbers as JSON has them ---- */

/* Bytes at the beginning of a text that stand in a string as they are. */
static size_t plain_head(const char *text, size_t len, bool html)
{
	const char *at = text, *end = text + len;

	while (at < end) {
		unsigned char c = (unsigned char)*at;
		const char *next = at + 1;
		if (c < 0x20 || c == '"' || c == '\\' || c == 0x7f || (c == '<' && html))
			break;
		if (c >= 0x80) {
			next = at;
			if (utf8_next(&next, end) == 0xfffd)
				break;
		}
		at = next;
	}
	return (size_t)(at - text);
}

enum { CODE_MAX = 8 };

/* How a string has the character that begins here, and moves behind it. */
static const char *escape(char code[CODE_MAX], const char **text, const char *end)
{
	static const char names[] = "\"\"\\\\\bb\ff\nn\rr\tt";
	uint32_t c = utf8_next(text, end);

	for (const char *n = names; *n; n += 2)
		if ((unsigned char)n[0] == c) {
			snprintf(code, CODE_MAX, "\\%c", n[1]);
			return code;
		}
	snprintf(code, CODE_MAX, c == 0xfffd ? "\xef\xbf\xbd" : "\\u%04x", c);
	return code;
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

static size_t whole_text(char text[JSON_NUMBER_MAX], uint64_t value)
{
	char digits[JSON_NUMBER_MAX], *end = digits + sizeof digits;
	char *begun = digits_before(end, value, 1);

	memcpy(text, begun, (size_t)(end - begun));
	return (size_t)(end - begun);
}

/* 0 < value < 10^6: that many decimals, at most, without zeros at the end. */
static size_t decimals_text(char text[JSON_NUMBER_MAX], double value, int decimals)
{
	char room[JSON_NUMBER_MAX], *end = room + sizeof room, *point = end - decimals;
	uint64_t unit = 1;

	for (int i = 0; i < decimals; i++)
		unit *= 10;
	uint64_t all = (uint64_t)(value * (double)unit + 0.5);
	digits_before(end, all % unit, decimals);
	while (end > point && end[-1] == '0')
		end--;
	*--point = '.';
	char *begun = digits_before(point, all / unit, 1);
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
	if (amount == floor(amount) && amount < 1e15)
		return sign + whole_text(text + sign, (uint64_t)amount);
	if (amount >= 1e-4 && amount < 1e6)
		return sign + decimals_text(text + sign, amount, DECIMALS);
	return (size_t)snprintf(text, JSON_NUMBER_MAX, "%.15g", value);
}

/* As json_text_short says. */
static size_t short_text(char text[JSON_NUMBER_MAX], double value)
{
	if (!isfinite(value))
		return (size_t)snprintf(text, JSON_NUMBER_MAX, "null");
	if (value >= 0 && value <= 1e9 && value == floor(value))
		return whole_text(text, (uint64_t)value);
	return (size_t)snprintf(text, JSON_NUMBER_MAX, "%.6g", value);
}

/* As json_text_figure says. */
static size_t figure_text(char text[JSON_NUMBER_MAX], double value)
{
	double millionths = floor(value * 1e6 + 0.5);

	if (millionths >= 1 && millionths < 1e6)
		return decimals_text(text, value, 6);
	if (value >= 1e5 && value < 1e18)
		return whole_text(text, (uint64_t)(value + 0.5));
	return short_text(text, value);
}

/* ---- the text ---- */

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

static void grow(struct json_text *t, size_t n)
{
	size_t room = t->room ? t->room : FIRST_ROOM;

	while (room - t->len < n)
		room *= 2;
	t->text = xrealloc(t->text, room);
	t->room = room;
}

/* Makes room for `n` more bytes and returns where they go; NULL after a failure. */
static inline char *reserve(struct json_text *t, size_t n)
{
	if (t->out && t->len >= STREAM_ROOM)
		json_text_flush(t);
	if (t->failed)
		return NULL;
	if (t->room - t->len < n)
		grow(t, n);
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

static void put_break(struct json_text *t)
{
	if (t->breaks)
		put_char(t, '\n');
	t->breaks = false;
}

/* What stands before a value: a comma if it is not the first, a break, and its name. */
static void begin(struct json_text *t, const char *name)
{
	char before = t->len ? t->text[t->len - 1] : t->last;
	size_t len = name ? strlen(name) : 0;
	char *to = reserve(t, len + strlen(",\n\"\":"));

	if (!to)
		return;
	if (before && before != '[' && before != '{')
		*to++ = ',';
	if (t->breaks)
		*to++ = '\n';
	t->breaks = false;
	if (name) {
		*to++ = '"';
		memcpy(to, name, len);
		to += len;
		*to++ = '"';
		*to++ = ':';
	}
	t->len = (size_t)(to - t->text);
}

void json_text_break(struct json_text *t)
{
	t->breaks = true;
}

int json_text_flush(struct json_text *t)
{
	if (t->out && t->len > 0) {
		t->last = t->text[t->len - 1];
		if (fwrite(t->text, 1, t->len, t->out) < t->len)
			t->failed = true;
		t->len = 0;
	}
	return t->failed ? -1 : 0;
}

int json_text_end(struct json_text *t)
{
	put_char(t, '\n');
	int result = json_text_flush(t);
	json_text_release(t);
	return result;
}

/* ---- values ---- */

static void put_string(struct json_text *t, const char *string, size_t len)
{
	const char *end = string + len;
	char code[CODE_MAX];

	put_char(t, '"');
	while (string < end) {
		size_t n = plain_head(string, (size_t)(end - string), t->html);
		put(t, string, n);
		string += n;
		if (string < end) {
			escape(code, &string, end);
			put(t, code, strlen(code));
		}
	}
	put_char(t, '"');
}

FILE *json_text_begin_string(struct json_text *t)
{
	if (t->stream)
		rewind(t->stream);
	else
		t->stream = xgiven(open_memstream(&t->piece, &t->piece_len));
	return t->stream;
}

void json_text_end_string(struct json_text *t, const char *name)
{
	long len = ftell(t->stream);

	if (fflush(t->stream) != 0 || len < 0)
		out_of_memory();
	begin(t, name);
	put_string(t, t->piece, (size_t)len);
}

void json_text_string(struct json_text *t, const char *name, const char *string)
{
	if (!string) {
		json_text_null(t, name);
		return;
	}
	json_text_bytes(t, name, string, strlen(string));
}

void json_text_bytes(struct json_text *t, const char *name, const char *bytes, size_t len)
{
	begin(t, name);
	put_string(t, bytes, len);
}

void json_text_memtext(struct json_text *t, const char *name, struct memtext *text)
{
	char *bytes = memtext_end(text);

	json_text_bytes(t, name, bytes, text->len);
	free(bytes);
}

void json_text_ids(struct json_text *t, const char *name, const uint32_t *ids, size_t n,
		   uint32_t nothing)
{
	json_text_open(t, name, '[');
	for (size_t i = 0; i < n; i++)
		json_text_whole(t, NULL, ids[i] == nothing ? -1 : (int64_t)ids[i]);
	json_text_close(t, ']');
}

void json_text_open(struct json_text *t, const char *name, char bracket)
{
	begin(t, name);
	put_char(t, bracket);
}

void json_text_close(struct json_text *t, char bracket)
{
	put_break(t);
	put_char(t, bracket);
}

void json_text_raw(struct json_text *t, const char *name, const char *json, size_t len)
{
	begin(t, name);
	put(t, json, len);
}

void json_text_null(struct json_text *t, const char *name)
{
	json_text_raw(t, name, "null", 4);
}

void json_text_bool(struct json_text *t, const char *name, bool value)
{
	json_text_raw(t, name, value ? "true" : "false", value ? 4 : 5);
}

void json_text_number(struct json_text *t, const char *name, double value)
{
	char text[JSON_NUMBER_MAX];

	if (isfinite(value))
		json_text_raw(t, name, text,
			      t->rounded ? figure_text(text, value)
					 : json_number_text(text, value));
	else
		json_text_null(t, name);
}

void json_text_whole(struct json_text *t, const char *name, int64_t value)
{
	char text[JSON_NUMBER_MAX];
	size_t sign = value < 0;

	text[0] = '-';
	json_text_raw(t, name, text,
		      sign + whole_text(text + sign, sign ? 0 - (uint64_t)value : (uint64_t)value));
}

void json_text_figure(struct json_text *t, const char *name, double value)
{
	char text[JSON_NUMBER_MAX];

	json_text_raw(t, name, text, figure_text(text, value));
}

void json_text_short(struct json_text *t, const char *name, double value)
{
	char text[JSON_NUMBER_MAX];

	json_text_raw(t, name, text, short_text(text, value));
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
