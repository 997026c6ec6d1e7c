/* SPDX-License-Identifier: Apache-2.0 */
/* escape.c - see escape.h. A table for each format says what becomes of which character. */
#include "base/escape.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/utf8.h"

struct escape {
	char c;
	const char *as;
};

/* All other control characters become U+FFFD. */
static void put_escaped(FILE *out, const char *text, const struct escape *table, size_t n)
{
	text = text ? text : "?";
	for (const char *end = text + strlen(text); text < end;) {
		const char *at = text;
		uint32_t c = utf8_next(&text, end);
		size_t i = 0;
		while (i < n && (uint32_t)(unsigned char)table[i].c != c)
			i++;
		if (i < n)
			fputs(table[i].as, out);
		else if (c == 0xfffe || c == 0xffff) /* which XML does not allow */
			fputs("\xef\xbf\xbd", out);
		else
			utf8_put(out, at, (size_t)(text - at), UTF8_TERMINAL);
	}
}

#define PUT_ESCAPED(out, text, table) \
	put_escaped(out, text, table, sizeof(table) / sizeof((table)[0]))

void escape_xml(FILE *out, const char *text)
{
	static const struct escape table[] = {
		{ '&', "&amp;" }, { '<', "&lt;" }, { '>', "&gt;" },
		{ '\t', "\t" },	  { '\n', "\n" },  { '\r', "&#13;" }
	};

	PUT_ESCAPED(out, text, table);
}

/* A reader makes blanks of what ends a line in an attribute, unless it is a reference. */
void escape_xml_attribute(FILE *out, const char *text)
{
	static const struct escape table[] = {
		{ '&', "&amp;" }, { '<', "&lt;" },   { '>', "&gt;" },	{ '"', "&quot;" },
		{ '\t', "&#9;" }, { '\n', "&#10;" }, { '\r', "&#13;" },
	};

	PUT_ESCAPED(out, text, table);
}

/*
 * What means something inside a line gets a backslash; '$' and '@', which mean something to those
 * who show it and not to Markdown, and the signs of HTML become entities. '.' and ')' count behind
 * a number at the beginning of a line only, where no text from outside stands.
 */
void escape_markdown(FILE *out, const char *text)
{
	static const struct escape table[] = {
		{ '&', "&amp;" }, { '<', "&lt;" },  { '>', "&gt;" }, { '$', "&#36;" },
		{ '@', "&#64;" }, { '\\', "\\\\" }, { '`', "\\`" },  { '*', "\\*" },
		{ '_', "\\_" },	  { '[', "\\[" },   { ']', "\\]" },  { '~', "\\~" },
		{ '|', "\\|" },	  { '#', "\\#" },   { '!', "\\!" },  { '\t', " " },
		{ '\n', " " },	  { '\r', " " },
	};

	PUT_ESCAPED(out, text, table);
}

/* In code nothing can be escaped. */
void escape_markdown_code(FILE *out, const char *text)
{
	static const struct escape table[] = { { '\t', " " }, { '\n', " " }, { '\r', " " } };

	if (!text || !*text || strpbrk(text, "`|\\")) {
		escape_markdown(out, text);
		return;
	}
	putc('`', out);
	PUT_ESCAPED(out, text, table);
	putc('`', out);
}

void escape_github_message(FILE *out, const char *text)
{
	static const struct escape table[] = {
		{ '%', "%25" }, { '\r', "%0D" }, { '\n', "%0A" }, { '\t', " " }
	};

	PUT_ESCAPED(out, text, table);
}

void escape_github_property(FILE *out, const char *text)
{
	static const struct escape table[] = { { '%', "%25" }, { '\r', "%0D" }, { '\n', "%0A" },
					       { ':', "%3A" }, { ',', "%2C" },	{ '\t', " " } };

	PUT_ESCAPED(out, text, table);
}

static bool is_unreserved(unsigned char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       strchr("-._~/", c);
}

void escape_path(FILE *out, const char *path)
{
	for (; *path; path++) {
		unsigned char c = (unsigned char)*path;
		if (is_unreserved(c))
			putc(c, out);
		else
			fprintf(out, "%%%02X", c);
	}
}

void escape_uri(FILE *out, const char *path)
{
	path = path ? path : "?";
	if (*path == '/')
		fputs("file://", out);
	escape_path(out, path);
}
