/* SPDX-License-Identifier: Apache-2.0 */
/* value_text.c - see value_text.h. */
#include "model/value_text.h"

#include "base/utf8.h"

/* Number of UTF-16 units of the text. */
static uint64_t units(const struct model_value *v)
{
	const char *at = v->text, *end = v->text + v->len;
	uint64_t n = 0;

	while (at < end)
		n += utf8_next(&at, end) > 0xffff ? 2 : 1;
	return n;
}

bool value_is_cut(const struct model_value *v)
{
	return units(v) < v->chars;
}

/* The letter that follows a backslash, or 0. */
static char escape(unsigned char c)
{
	switch (c) {
	case '\n':
		return 'n';
	case '\r':
		return 'r';
	case '\t':
		return 't';
	case '"':
	case '\\':
		return (char)c;
	default:
		return 0;
	}
}

void value_put(FILE *out, const struct style *s, const struct model_value *v)
{
	enum utf8_mode mode = s->utf8 ? UTF8_TERMINAL : UTF8_ASCII;

	putc('"', out);
	for (const char *at = v->text, *end = at + v->len, *next; at < end; at = next) {
		unsigned char c = (unsigned char)*at;
		next = at;
		utf8_next(&next, end);
		if (escape(c))
			fprintf(out, "\\%c", escape(c));
		else if (c < 0x20 || c == 0x7f)
			fprintf(out, "\\u%04x", c);
		else
			utf8_put(out, at, (size_t)(next - at), mode);
	}
	fprintf(out, "\"%s", value_is_cut(v) ? style_glyph(s, GLYPH_ELLIPSIS) : "");
}
