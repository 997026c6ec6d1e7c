/* SPDX-License-Identifier: Apache-2.0 */
/* style.c - see style.h. */
#include "base/style.h"

#include <string.h>

const char *style_on(const struct style *s, enum ink ink)
{
	static const char *const sequence[] = {
		[INK_PLAIN] = "",	  [INK_BOLD] = "\x1b[1m",    [INK_DIM] = "\x1b[2m",
		[INK_RED] = "\x1b[1;31m", [INK_YELLOW] = "\x1b[33m", [INK_GREEN] = "\x1b[32m",
		[INK_CYAN] = "\x1b[36m",
	};

	return s->color ? sequence[ink] : "";
}

const char *style_off(const struct style *s, enum ink ink)
{
	return s->color && ink != INK_PLAIN ? "\x1b[m" : "";
}

bool style_link_to(FILE *out, const char *address)
{
	if (address)
		fprintf(out, UTF8_LINK "%s" UTF8_LINK_END, address);
	return address != NULL;
}

bool style_link_on(FILE *out, const struct style *s, const char *class_name, const char *file,
		   int line)
{
	if (!s->links || !class_name || !file || line <= 0)
		return false;
	return style_link_to(out, s->links->address(s->links, class_name, file, line));
}

void style_link_off(FILE *out, bool on)
{
	if (on)
		fputs(UTF8_LINK UTF8_LINK_END, out);
}

const char *style_glyph(const struct style *s, enum glyph g)
{
	static const char *const glyphs[][2] = {
		[GLYPH_DASH] = { "-", "–" },	  [GLYPH_ELLIPSIS] = { "...", "…" },
		[GLYPH_ARROW] = { "<-", "←" },	  [GLYPH_RULE] = { "-", "─" },
		[GLYPH_BAR] = { "|", "│" },	  [GLYPH_DOT] = { "|", "·" },
		[GLYPH_LE] = { "<=", "≤" },	  [GLYPH_THETA] = { "theta", "θ" },
		[GLYPH_ALPHA] = { "alpha", "α" }, [GLYPH_OMEGA] = { "omega", "ω" },
		[GLYPH_GAMMA] = { "gamma", "γ" },
	};

	return glyphs[g][s->utf8];
}

const char *style_level(bool utf8, int level)
{
	static const char *const levels[][2] = {
		{ " ", " " }, { ".", "▁" }, { ".", "▂" }, { ":", "▃" }, { "-", "▄" },
		{ "=", "▅" }, { "+", "▆" }, { "*", "▇" }, { "#", "█" },
	};

	return levels[level][utf8];
}

enum utf8_mode style_mode(const struct style *s)
{
	return s->utf8 ? UTF8_TERMINAL : UTF8_ASCII;
}

void style_put(FILE *out, const struct style *s, const char *text)
{
	if (!text)
		text = "?";
	utf8_put(out, text, strlen(text), style_mode(s));
}
