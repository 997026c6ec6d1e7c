/* SPDX-License-Identifier: Apache-2.0 */
/* waste_words.c - see waste_words.h. */
#include "analyse/waste/waste_words.h"

#include <math.h>

#include "analyse/waste/waste.h"
#include "base/units.h"

enum { INSN_MAX = FIGURE_TEXT_MAX };

/* The words for a kind. */
static const struct {
	const char *verb, *meaning;
} wordings[] = {
	[WIRE_DEAD_STORE] = { "stored", "stored again before any load" },
	[WIRE_SILENT_STORE] = { "stored", "the next store writes the same value" },
	[WIRE_SILENT_LOAD] = { "loaded", "the next load finds the same value" },
};

static void put_part(FILE *out, const struct waste_sum *w, enum wire_part part, const char **comma)
{
	if (!w->in_part[part])
		return;
	fprintf(out, "%s%s: %llu", *comma, waste_part_name(part),
		(unsigned long long)w->in_part[part]);
	*comma = ", ";
}

/* Writes how many pairs are of headers, and the fraction of the others. */
static void tell_headers(FILE *out, const struct style *s, const struct waste_sum *w)
{
	const struct waste_fraction *c = &w->content;
	const char *comma = "";
	char share[UNITS_TEXT];

	if (c->count == w->count)
		return;
	fprintf(out, "%llu of these are of object headers, and so mostly the compiler's (",
		(unsigned long long)(w->count - c->count));
	for (int part = WIRE_PART_CLASS; part < WASTE_PARTS; part++)
		put_part(out, w, part, &comma);
	put_part(out, w, WIRE_PART_MARK, &comma);
	fputs(")", out);
	if (c->count)
		fprintf(out, "; of the other %llu: %s %% [%.0f%s%.0f]",
			(unsigned long long)c->count, units_percent(share, c->fraction),
			floor(c->range.low * 100), style_glyph(s, GLYPH_DASH),
			ceil(c->range.high * 100));
	putc('\n', out);
}

void waste_tell(FILE *out, const struct style *s, const struct finding *f)
{
	const struct waste_sum *w = f->own;
	char share[UNITS_TEXT], bytes[UNITS_TEXT];

	fprintf(out, "%s%s%s: ", style_on(s, INK_BOLD), f->kind->title, style_off(s, INK_BOLD));
	if (!finding_is_enough(f)) {
		fprintf(out, "too few pairs of accesses were seen (%llu < %llu)\n",
			(unsigned long long)f->count, (unsigned long long)f->least);
		return;
	}
	fprintf(out, "%s%s %%%s [%.0f%s%.0f] of %s %s in %llu pairs of accesses: %s\n",
		style_on(s, INK_BOLD), units_percent(share, w->fraction), style_off(s, INK_BOLD),
		floor(w->range.low * 100), style_glyph(s, GLYPH_DASH), ceil(w->range.high * 100),
		units_bytes(bytes, (double)w->bytes), wordings[w->kind].verb,
		(unsigned long long)w->count, wordings[w->kind].meaning);
	tell_headers(out, s, w);
}

void waste_head(FILE *out, const struct style *s, const struct finding *f,
		const struct finding_row *row)
{
	const struct waste_pair *p = (const struct waste_pair *)row;
	char share[UNITS_TEXT];

	fprintf(out, "%s%s %%%s  %llu of %llu pairs", style_on(s, INK_BOLD),
		units_percent(share, row->share), style_off(s, INK_BOLD),
		(unsigned long long)p->wasted_count, (unsigned long long)f->count);
	if (p->part != WIRE_PART_CONTENT)
		fprintf(out, ", %s%s", waste_part_name(p->part),
			p->part == WIRE_PART_CLASS ? " (type check)" : "");
}

/* Writes an instruction, or why there is none: its code was removed, or never decoded. */
static const char *instruction(char text[INSN_MAX], const struct waste_pair *p, int which)
{
	waste_instruction(text, INSN_MAX, p->insn[which], p->insn_len[which]);
	return p->insn_len[which] ? text : "(not decoded)";
}

void waste_lines(FILE *out, const struct style *s, const struct finding *f,
		 const struct finding_row *row)
{
	const struct waste_pair *p = (const struct waste_pair *)row;
	char first[INSN_MAX], second[INSN_MAX];

	(void)f;
	fprintf(out, "%sby  %s  and  %s%s\n", style_on(s, INK_DIM), instruction(first, p, 0),
		instruction(second, p, 1), style_off(s, INK_DIM));
}
