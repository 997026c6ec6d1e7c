/* SPDX-License-Identifier: Apache-2.0 */
/* record_text.c - see record_text.h. */
#include "file/record_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "file/record_table.h"

#define REPLACEMENT 0xfffdu /* what invalid bytes are to utf8_next */

void record_put_text(FILE *out, const char *text, size_t len, bool utf8)
{
	const char *end = text + len;

	putc('"', out);
	while (text < end) {
		const char *start = text;
		uint32_t c = utf8_next(&text, end);
		bool plain = !utf8_is_control(c) && c != REPLACEMENT && (utf8 || c < 0x80);
		if (c == '"' || c == '\\')
			putc('\\', out);
		for (; start < text; start++)
			if (plain)
				putc(*start, out);
			else
				fprintf(out, "\\x%02x", (unsigned char)*start);
	}
	putc('"', out);
}

/* Writes as few digits as give the same number again. */
static void put_real(FILE *out, double value)
{
	char text[32];

	for (int digits = 6; digits <= 17; digits++) {
		snprintf(text, sizeof text, "%.*g", digits, value);
		double again = strtod(text, NULL);
		if (memcmp(&again, &value, sizeof value) == 0)
			break;
	}
	fputs(text, out);
}

static void put_value(FILE *out, enum record_kind kind, const unsigned char *at, uint16_t width,
		      bool utf8)
{
	uint64_t value = kind == RECORD_TEXT ? 0 : record_uint(at, width);
	double real;

	switch (kind) {
	case RECORD_TEXT:
		record_put_text(out, (const char *)at, strnlen((const char *)at, width), utf8);
		break;
	case RECORD_REAL:
		memcpy(&real, &value, sizeof real);
		put_real(out, real);
		break;
	case RECORD_INT:
		fprintf(out, "%" PRId32, width == 2 ? (int16_t)value : (int32_t)value);
		break;
	default:
		fprintf(out, "%" PRIu64, value);
	}
}

static bool is_zero(const unsigned char *at, uint16_t width)
{
	for (uint16_t i = 0; i < width; i++)
		if (at[i])
			return false;
	return true;
}

static void put_field(FILE *out, const struct record_field *f, const unsigned char *base, bool utf8)
{
	const unsigned char *at = base + f->offset;
	uint16_t n = f->n;

	while (n > 1 && is_zero(at + (n - 1) * f->width, f->width))
		n--;
	fprintf(out, " %s=", f->name);
	for (uint16_t i = 0; i < n; i++) {
		if (i > 0)
			putc(',', out);
		put_value(out, f->kind, at + i * f->width, f->width, utf8);
	}
}

static size_t put_layout(FILE *out, const struct record_layout *l, const unsigned char *base,
			 bool utf8);

/* Returns the bytes of the part. */
static size_t put_part(FILE *out, const struct record_part *p, const unsigned char *base, size_t at,
		       bool utf8)
{
	uint64_t count = record_count(p, base);
	size_t bytes = 0;

	if (!p->of && !p->width) {
		fprintf(out, " %s=", p->name);
		record_put_text(out, (const char *)base + at, count, utf8);
		return count;
	}
	for (uint64_t i = 0; i < count; i++) {
		if (p->of) {
			fprintf(out, " %s={", p->name);
			bytes += put_layout(out, p->of, base + at + bytes, utf8);
			fputs(" }", out);
		} else {
			fprintf(out, i ? "," : " %s=", p->name);
			put_value(out, RECORD_UINT, base + at + bytes, p->width, utf8);
			bytes += p->width;
		}
	}
	return bytes;
}

/* Writes a struct of which all is there; returns its bytes. */
static size_t put_layout(FILE *out, const struct record_layout *l, const unsigned char *base,
			 bool utf8)
{
	size_t at = l->size;

	for (const struct record_field *f = l->fields; f->name; f++)
		if (f->kind != RECORD_COUNT && f->kind != RECORD_PAD)
			put_field(out, f, base, utf8);
	for (const struct record_part *p = l->parts; p && p->name; p++) {
		at += put_part(out, p, base, at, utf8);
		if (p->pad)
			at = wire_pad(at);
	}
	return at;
}

void record_put(FILE *out, uint32_t jvm, const struct wire_rec *rec, uint32_t len, bool utf8)
{
	const struct record_type *type = record_fits(rec, len);

	fprintf(out, "%s jvm=%" PRIu32, type ? type->name : "raw", jvm);
	if (rec->thread)
		fprintf(out, " thread=%u", (unsigned)rec->thread);
	if (type) {
		put_layout(out, &type->layout, (const unsigned char *)rec, utf8);
	} else {
		fprintf(out, " type=%u bytes=",
			(unsigned)atomic_load_explicit(&rec->type, memory_order_relaxed));
		record_put_text(out, (const char *)(rec + 1), len - sizeof *rec, utf8);
	}
	putc('\n', out);
}
