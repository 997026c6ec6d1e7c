/* SPDX-License-Identifier: Apache-2.0 */
/*
 * render_callers.c - the callers of a row's line, as text.
 *
 * The tree is small: a caller by which nearly all of another's bytes come stands below it, without
 * a share of its own, so that the text forks only where calls do. The middle of what is left out of
 * such a chain is counted.
 */
#include <stdlib.h>
#include <string.h>

#include "base/memtext.h"
#include "base/shares.h"
#include "base/units.h"
#include "fix/callers.h"
#include "render/render.h"

enum {
	SHOWN = 3,	/* direct callers that a sentence names, the others are counted */
	FORKS = 4,	/* callers of one caller that are shown apart */
	FORKS_DEEP = 3, /* after so many, the tree ends */
	OUTERMOST = 2,	/* frames of a chain that are shown at its end */
};
#define CHAIN	 0.9  /* share of a caller's bytes from which on another one stands for it */
#define TOLD	 0.01 /* share that a sentence names, but for the largest */
#define SMALLEST 0.05 /* share of all bytes that is shown */

static void put_share(FILE *out, const struct callers *all, const struct caller *c)
{
	char text[UNITS_TEXT];

	fputs(share_among(text, c->share, c->samples, all->samples), out);
}

/* ---- a sentence ---------------------------------------------------------------------------- */

static void put_caller(FILE *out, const struct style *s, const struct callers *all,
		       const struct caller *c)
{
	if (c->frame.method)
		frame_put_site(out, s, &c->frame);
	else
		fputs("the start of a thread", out);
	fputs(" (", out);
	put_share(out, all, c);
	putc(')', out);
}

static void put_counted(FILE *out, const struct callers *callers)
{
	char text[UNITS_TEXT];

	if (callers->counted >= 0.01)
		fprintf(out, "; of %s %% of the bytes, as estimated",
			units_percent(text, callers->counted));
}

/* The caller that stands for all of a caller's own, or NULL. */
static const struct caller *next_of(const struct callers *all, const struct caller *c)
{
	const struct caller *first = &all->caller[c->first];

	return c->n > 0 && first->share >= CHAIN * c->share ? first : NULL;
}

static bool is_constructor(const struct caller *c)
{
	return c && c->frame.method && strcmp(c->frame.method, "<init>") == 0;
}

/*
 * Writes callers that stand for all, up to where calls fork or enough are named. Of constructors
 * that call each other the last one is enough. Returns the caller whose own ones are to be named.
 */
static const struct caller *put_only(FILE *out, const struct style *s, const struct callers *all)
{
	const struct caller *c = &all->caller[0], *next = next_of(all, c);

	for (size_t named = 1; next && next->n > 0; c = next, next = next_of(all, c)) {
		if (is_constructor(next) && is_constructor(next_of(all, next)))
			continue;
		if (named++ == SHOWN)
			break;
		frame_put_site(out, s, &next->frame);
		fprintf(out, " %s ", style_glyph(s, GLYPH_ARROW));
	}
	return c;
}

bool callers_put(FILE *out, const struct style *s, const struct callers *callers)
{
	if (callers->caller[0].n == 0)
		return false;
	const struct caller *of = put_only(out, s, callers);
	const struct caller *c = &callers->caller[of->first];
	size_t shown = 1;

	while (shown < of->n && shown < SHOWN && c[shown].share >= TOLD)
		shown++;
	for (size_t i = 0, others = of->n - shown; i < shown; i++) {
		if (i > 0)
			fputs(i + 1 < shown || others ? ", " : " and ", out);
		put_caller(out, s, callers, &c[i]);
	}
	if (of->n > shown)
		fprintf(out, " and %zu other%s", of->n - shown, of->n - shown == 1 ? "" : "s");
	put_counted(out, callers);
	return true;
}

/* ---- the tree ------------------------------------------------------------------------------ */

struct tree {
	FILE *out;
	const struct style *style;
	const struct callers *callers;
	size_t most;	    /* frames of a chain */
	const char *before; /* each line */
};

static void put_indent(const struct tree *t, size_t deep, const char *share)
{
	fprintf(t->out, "%s%*s%10s  ", t->before, (int)(4 * deep), "", share);
}

static void put_frame(const struct tree *t, size_t deep, const char *share, const struct caller *c)
{
	put_indent(t, deep, share);
	if (c->frame.method)
		frame_put(t->out, t->style, &c->frame);
	else
		fputs("(a thread begins here)", t->out);
	putc('\n', t->out);
}

/* Writes a caller and those that stand below it. Returns the last of them. */
static const struct caller *put_chain(const struct tree *t, size_t deep, const struct caller *c)
{
	const struct caller *last = c, *next = c;
	size_t n = 0, left = 0;
	struct memtext share;

	for (; next; next = next_of(t->callers, next), n++)
		last = next;
	put_share(memtext_begin(&share), t->callers, c);
	memtext_end(&share);
	for (size_t i = 0; i < n; i++, c = next_of(t->callers, c)) {
		bool skipped = n > t->most && i + OUTERMOST >= t->most && i + OUTERMOST < n;
		left += skipped;
		if (skipped)
			continue;
		if (left > 0) {
			put_indent(t, deep, "");
			fprintf(t->out, "%s%s %zu more frame%s%s\n", style_on(t->style, INK_DIM),
				style_glyph(t->style, GLYPH_ELLIPSIS), left, left == 1 ? "" : "s",
				style_off(t->style, INK_DIM));
		}
		left = 0;
		put_frame(t, deep, i == 0 ? share.text : "", c);
	}
	free(share.text);
	return last;
}

static void put_forks(const struct tree *t, size_t deep, const struct caller *of)
{
	const struct caller *c = &t->callers->caller[of->first];
	size_t shown = 0;

	while (shown < of->n && shown < FORKS && c[shown].share >= SMALLEST)
		shown++;
	for (size_t i = 0; i < shown; i++) {
		const struct caller *last = put_chain(t, deep, &c[i]);
		if (deep + 1 < FORKS_DEEP)
			put_forks(t, deep + 1, last);
	}
	if (shown < of->n) {
		put_indent(t, deep, "");
		fprintf(t->out, "%s%s %zu other%s%s\n", style_on(t->style, INK_DIM),
			style_glyph(t->style, GLYPH_ELLIPSIS), of->n - shown,
			of->n - shown == 1 ? "" : "s", style_off(t->style, INK_DIM));
	}
}

void callers_put_tree(FILE *out, const struct style *s, const struct callers *callers, size_t most,
		      const char *before)
{
	const struct tree tree = { out, s, callers, most, before };

	put_forks(&tree, 0, &callers->caller[0]);
}

bool render_callers(FILE *out, const struct report *r, const struct style *s, const struct row *row)
{
	struct callers callers;

	if (r->grouping != ROWS_BY_LINE || row_is_other(row))
		return false;
	callers_estimate(&callers, r->recording->model, row->contexts, row->ncontexts, SIZE_MAX,
			 bounds_z(r->confidence));
	bool told = callers.caller[0].n > 0;
	if (told) {
		fputs("\n    called by", out);
		put_counted(out, &callers);
		putc('\n', out);
		callers_put_tree(out, s, &callers, r->stack_frames, "        ");
	}
	callers_release(&callers);
	return told;
}
