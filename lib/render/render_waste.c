/* SPDX-License-Identifier: Apache-2.0 */
/*
 * render_waste.c - wasteful memory operations: the fraction of each kind, and its pairs of
 * accesses, the first beside the second where there is room (JXPerf's figure 7 has one below the
 * other).
 */
#include <math.h>
#include <stdlib.h>

#include "base/units.h"
#include "model/frame_text.h"
#include "render/render.h"

#define INDENT	 "     "
#define GAP	 3  /* columns between the two stacks */
#define SHOWN	 5  /* pairs of each kind, in full */
#define LEAST	 40 /* columns for each of two stacks side by side */
#define INSN_MAX 96

/* What a kind is called and means. */
struct wording {
	const char *title, *verb, *meaning, *first, *second;
};

static const struct wording wordings[] = {
	[WIRE_DEAD_STORE] = { "dead stores", "stored", "stored again before any load", "stored at",
			      "and stored again, unread, at" },
	[WIRE_SILENT_STORE] = { "silent stores", "stored", "the next store writes the same value",
				"stored at", "and the same value again at" },
	[WIRE_SILENT_LOAD] = { "silent loads", "loaded", "the next load finds the same value",
			       "loaded at", "and the same value again at" },
};

static void put_part(FILE *out, const struct waste_sum *w, enum wire_part part, const char **comma)
{
	if (!w->in_part[part])
		return;
	fprintf(out, "%s%s: %llu", *comma, waste_part_name(part),
		(unsigned long long)w->in_part[part]);
	*comma = ", ";
}

/* How many of the pairs are of headers, and what the fraction is without them. */
static void put_headers(FILE *out, const struct style *s, const struct waste_sum *w)
{
	const struct waste_fraction *c = &w->content;
	const char *comma = "";
	char share[UNITS_TEXT];

	if (c->count == w->count)
		return;
	fprintf(out, "# %llu of these are of object headers, and so mostly the compiler's (",
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

static void put_title(FILE *out, const struct report *r, const struct style *s,
		      const struct waste_sum *w)
{
	const struct wording *text = &wordings[w->kind];
	char share[UNITS_TEXT], bytes[UNITS_TEXT];

	fprintf(out, "\n# %s%s%s: ", style_on(s, INK_BOLD), text->title, style_off(s, INK_BOLD));
	if (w->count < r->min_pairs) {
		fprintf(out, "too few pairs of accesses were seen (%llu < %llu)\n",
			(unsigned long long)w->count, (unsigned long long)r->min_pairs);
		return;
	}
	fprintf(out, "%s%s %%%s [%.0f%s%.0f] of %s %s in %llu pairs of accesses: %s\n",
		style_on(s, INK_BOLD), units_percent(share, w->fraction), style_off(s, INK_BOLD),
		floor(w->range.low * 100), style_glyph(s, GLYPH_DASH), ceil(w->range.high * 100),
		units_bytes(bytes, (double)w->bytes), text->verb, (unsigned long long)w->count,
		text->meaning);
	put_headers(out, s, w);
}

/* ---- stacks ------------------------------------------------------------------------------ */

/*
 * Frame i of the first (0) or second (1) access as text; to be freed. NULL beyond the last shown
 * one, or where memory lacks. The frame that tells the pair from others is named if it is not
 * shown.
 */
static char *frame_text(const struct style *s, const struct waste_pair *p, int which, size_t i,
			size_t max)
{
	const struct callstack *stack = &p->stack[which];
	size_t via = p->via[which];
	char *text = NULL;
	size_t len, n = stack->n < max ? stack->n : max;

	if (i > n || (i == n && stack->n <= max))
		return NULL;
	FILE *out = open_memstream(&text, &len);
	if (!out)
		return NULL;
	if (i == n)
		fprintf(out, "%s %zu more frame%s", style_glyph(s, GLYPH_ELLIPSIS), stack->n - max,
			stack->n - max == 1 ? "" : "s");
	else
		frame_put(out, s, &stack->frames[i]);
	if (i == n && via >= max && via < stack->n) {
		fputs(", via ", out);
		frame_put(out, s, &stack->frames[via]);
	}
	if (fclose(out) == 0)
		return text;
	free(text);
	return NULL;
}

static size_t width_of(const struct style *s, const struct waste_pair *p, int which, size_t max)
{
	size_t width = 0;
	char *text;

	for (size_t i = 0; (text = frame_text(s, p, which, i, max)); i++) {
		width = utf8_width(text) > width ? utf8_width(text) : width;
		free(text);
	}
	return width;
}

static void put_beside(FILE *out, const struct style *s, const struct waste_pair *p, size_t max,
		       size_t column)
{
	for (size_t i = 0;; i++) {
		char *left = frame_text(s, p, 0, i, max);
		char *right = frame_text(s, p, 1, i, max);
		bool some = left || right;
		if (left || right)
			fprintf(out, INDENT "  %s", left ? left : "");
		if (right)
			fprintf(out, "%*s%s", (int)(column - (left ? utf8_width(left) : 0)), "",
				right);
		if (some)
			putc('\n', out);
		free(left);
		free(right);
		if (!some)
			return;
	}
}

static void put_below(FILE *out, const struct style *s, const struct waste_pair *p, int which,
		      size_t max)
{
	char *text;

	for (size_t i = 0; (text = frame_text(s, p, which, i, max)); i++) {
		fprintf(out, INDENT "  %s\n", text);
		free(text);
	}
}

/* ---- pairs ------------------------------------------------------------------------------- */

/* An instruction, or why there is none: its code was thrown away, or never decoded. */
static const char *instruction(char text[INSN_MAX], const struct waste_pair *p, int which)
{
	waste_instruction(text, INSN_MAX, p->insn[which], p->insn_len[which]);
	return p->insn_len[which] ? text : "(not decoded)";
}

static void put_instructions(FILE *out, const struct style *s, const struct waste_pair *p)
{
	char first[INSN_MAX], second[INSN_MAX];

	fprintf(out, INDENT "%sby  %s  and  %s%s\n", style_on(s, INK_DIM), instruction(first, p, 0),
		instruction(second, p, 1), style_off(s, INK_DIM));
}

static void put_pair(FILE *out, const struct report *r, const struct style *s,
		     const struct waste_sum *w, size_t rank)
{
	const struct waste_pair *p = &w->pairs[rank - 1];
	const struct wording *text = &wordings[w->kind];
	size_t max = r->access_frames, gap = GAP;
	size_t left = width_of(s, p, 0, max), right = width_of(s, p, 1, max);
	char share[UNITS_TEXT];

	left = left < LEAST ? LEAST : left;
	fprintf(out, "\n%3zu. %s%s %%%s  %llu of %llu pairs", rank, style_on(s, INK_BOLD),
		units_percent(share, p->share), style_off(s, INK_BOLD),
		(unsigned long long)p->wasted_count, (unsigned long long)w->count);
	if (p->part != WIRE_PART_CONTENT)
		fprintf(out, ", %s%s", waste_part_name(p->part),
			p->part == WIRE_PART_CLASS ? " (type check)" : "");
	if (model_njvms(r->recording->model) > 1)
		fprintf(out, ", JVM %d", p->pid);
	putc('\n', out);
	put_instructions(out, s, p);
	if (!s->width || sizeof INDENT + 2 + left + gap + right <= s->width) {
		fprintf(out, INDENT "%-*s%s\n", (int)(left + gap + 2), text->first, text->second);
		put_beside(out, s, p, max, left + gap);
		return;
	}
	fprintf(out, INDENT "%s\n", text->first);
	put_below(out, s, p, 0, max);
	fprintf(out, INDENT "%s\n", text->second);
	put_below(out, s, p, 1, max);
}

/* A line of those that were left out for one reason, if any were. */
static void put_left(FILE *out, const struct style *s, size_t n, const char *why, const char *one,
		     const char *many)
{
	if (n)
		fprintf(out, "\n" INDENT "%s %zu %s%s\n", style_glyph(s, GLYPH_ELLIPSIS), n,
			n == 1 ? one : many, why);
}

void render_left(FILE *out, const struct style *s, const struct filter_left *left, size_t more,
		 const char *one, const char *many)
{
	put_left(out, s, more + left->beyond, " more; --limit 0 shows all", one, many);
	put_left(out, s, left->headers, " of object headers; --headers shows them", one, many);
	put_left(out, s, left->below, " below --percent-limit", one, many);
	put_left(out, s, left->unselected, " not selected", one, many);
}

void render_waste(FILE *out, const struct report *r, const struct style *s)
{
	for (int k = 0; k < WASTE_KINDS && r->waste; k++) {
		const struct waste_sum *w = &r->waste[k];
		size_t shown = r->limited || w->npairs < SHOWN ? w->npairs : SHOWN;
		if (w->count == 0)
			continue;
		put_title(out, r, s, w);
		if (w->count < r->min_pairs)
			continue;
		for (size_t i = 1; i <= shown; i++)
			put_pair(out, r, s, w, i);
		render_left(out, s, &w->left, w->npairs - shown, "pair of places",
			    "pairs of places");
	}
}
