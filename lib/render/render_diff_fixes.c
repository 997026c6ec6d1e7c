/* SPDX-License-Identifier: Apache-2.0 */
/*
 * render_diff_fixes.c - what a comparison says of findings, with which each format begins: which
 * are new or gone, and which avoid more or less.
 */
#include <math.h>
#include <string.h>

#include "base/memtext.h"
#include "base/units.h"
#include "render/builds/markdown.h"
#include "render/render_diff.h"
#include "render/render_fix.h"

bool render_diff_shows_fix(const struct diff_report *r, const struct diff_fix *f)
{
	return r->all || (f->state != DIFF_SAME && f->state != DIFF_FEW);
}

/* ---- sentences --------------------------------------------------------------------------- */

static const char *per(const struct diff *d)
{
	return d->per_second ? " a second" : "";
}

static void put_signed(FILE *out, double bytes)
{
	char text[UNITS_TEXT];

	fprintf(out, "%s%s", bytes > 0 ? "+" : "", units_bytes(text, bytes));
}

/* "315 MB -> 12.0 MB a second" */
static void put_both(FILE *out, const struct diff *d, const struct diff_change *c)
{
	char from[UNITS_TEXT], to[UNITS_TEXT];

	fprintf(out, "%s -> %s%s", units_bytes(from, c->from), units_bytes(to, c->to), per(d));
}

/* ", +303 MB (+290 MB to +316 MB)"; or that it may be chance. */
static void put_change(FILE *out, const struct diff *d, const struct diff_change *c)
{
	fputs(", ", out);
	put_signed(out, c->to - c->from);
	if (c->verdict != ESTIMATE_UP && c->verdict != ESTIMATE_DOWN) {
		fprintf(out, ", no more than noise and %.4g %%", d->options.threshold * 100);
		return;
	}
	fputs(" (", out);
	put_signed(out, c->range.low);
	fputs(" to ", out);
	put_signed(out, c->range.high);
	putc(')', out);
}

void diff_fixes_put_sum(FILE *out, const struct diff *d)
{
	static const enum diff_state order[] = { DIFF_NEW,    DIFF_WORSE, DIFF_GONE,
						 DIFF_BETTER, DIFF_SAME,  DIFF_FEW };
	static const char *const words[] = {
		[DIFF_SAME] = "without change",
		[DIFF_FEW] = "with too few samples to tell",
		[DIFF_WORSE] = "with more",
		[DIFF_BETTER] = "with less",
		[DIFF_NEW] = "new",
		[DIFF_GONE] = "gone",
	};
	const char *before = ": ";

	if (d->nfixes == 0) {
		fputs("Neither recording has a finding.", out);
		return;
	}
	fputs("Avoidable by the findings so far: ", out);
	put_both(out, d, &d->avoidable);
	put_change(out, d, &d->avoidable);
	fprintf(out, ". %zu finding%s", d->nfixes, d->nfixes == 1 ? "" : "s");
	for (size_t i = 0; i < DIFF_STATES; i++) {
		if (d->fix_states[order[i]] == 0)
			continue;
		fprintf(out, "%s%zu %s", before, d->fix_states[order[i]], words[order[i]]);
		before = ", ";
	}
	putc('.', out);
}

/* "new: Shop.load:49 (format): 0 B -> 315 MB avoidable, +315 MB (+290 MB to +340 MB)" */
void diff_fix_put(FILE *out, const struct diff *d, const struct style *s, const struct diff_fix *f)
{
	const struct fix *shown = diff_shown_fix(f);
	bool promised = f->avoidable.from > 0 || f->avoidable.to > 0;
	const struct diff_change *c = promised ? &f->avoidable : &f->bytes;

	fprintf(out, "%s: ", diff_fix_state_name(f->state));
	fix_put_where(out, s, shown);
	fprintf(out, " (%s", fix_name(shown));
	if (f->from && f->to && strcmp(fix_name(f->from), fix_name(f->to)) != 0)
		fprintf(out, ", %s before", fix_name(f->from));
	fputs("): ", out);
	put_both(out, d, c);
	fputs(promised ? " avoidable" : " made, possibly avoidable", out);
	put_change(out, d, c);
	putc('.', out);
}

/* Whether somebody has to look at it: what it says of problem and fix is told as well. */
static bool is_worse(const struct diff_fix *f)
{
	return f->state == DIFF_NEW || f->state == DIFF_WORSE;
}

bool render_diff_tells_lengths(const struct diff *d)
{
	return d->lengths_differ && d->options.time != DIFF_PER_SECOND;
}

void diff_put_lengths(FILE *out, const struct diff *d)
{
	char from[UNITS_TEXT], to[UNITS_TEXT];

	if (!render_diff_tells_lengths(d))
		return;
	fprintf(out, "The recordings are %s and %s long, ",
		units_seconds(from, d->from.recording->duration_s),
		units_seconds(to, d->to.recording->duration_s));
	if (d->per_second)
		fputs("so all amounts are per second; --sums compares sums.", out);
	else
		fprintf(out, "%samounts are sums; --per-second compares rates.",
			d->options.time == DIFF_SUMS
				? "and "
				: "but the program made about as much in both, so ");
}

/* ---- text -------------------------------------------------------------------------------- */

static void put_sentence(FILE *out, const struct style *s, const struct fix *f, const char *label,
			 const char *sentence)
{
	fprintf(out, "    %-9s ", label);
	fix_put_sentence(out, s, f, sentence);
	putc('\n', out);
}

static enum ink ink_of(enum diff_state s)
{
	return s == DIFF_NEW || s == DIFF_WORSE	    ? INK_RED
	       : s == DIFF_GONE || s == DIFF_BETTER ? INK_GREEN
						    : INK_DIM;
}

void render_diff_fixes(FILE *out, const struct diff_report *r, const struct style *s)
{
	const struct diff *d = r->lines;
	size_t shown = 0, more = 0;

	fprintf(out, "\n%s", style_on(s, INK_BOLD));
	diff_fixes_put_sum(out, d);
	fprintf(out, "%s\n", style_off(s, INK_BOLD));
	for (size_t i = 0; i < d->nfixes; i++) {
		const struct diff_fix *f = &d->fix[i];
		if (!render_diff_shows_fix(r, f))
			continue;
		if (shown == r->limit) {
			more++;
			continue;
		}
		shown++;
		fprintf(out, "%zu.%s %s", shown, shown < 10 ? " " : "",
			style_on(s, ink_of(f->state)));
		diff_fix_put(out, d, s, f);
		fprintf(out, "%s\n", style_off(s, ink_of(f->state)));
		if (!is_worse(f) || shown > FIXES_FIRST)
			continue;
		put_sentence(out, s, f->to, "Problem:", f->to->rule->problem);
		put_sentence(out, s, f->to, "Fix:", f->to->rule->fix);
	}
	if (more > 0)
		fprintf(out, "%zu more findings; --limit 0 shows all\n", more);
	putc('\n', out);
}

/* ---- Markdown ---------------------------------------------------------------------------- */

static void put_item(FILE *out, const struct diff *d, const struct diff_fix *f, size_t rank)
{
	static const struct style plain = { .utf8 = true };
	struct memtext t;

	diff_fix_put(memtext_begin(&t), d, &plain, f);
	fprintf(out, "%zu. ", rank);
	markdown_paragraph(out, &t, true);
	if (!is_worse(f))
		return;
	FILE *in = memtext_begin(&t);
	fix_put_sentence(in, &plain, f->to, f->to->rule->problem);
	fputs(" Fix: ", in);
	fix_put_sentence(in, &plain, f->to, f->to->rule->fix);
	fputs("   - ", out);
	markdown_paragraph(out, &t, false);
}

void render_diff_fixes_markdown(FILE *out, const struct diff_report *r)
{
	const struct diff *d = r->lines;
	struct memtext t;
	size_t shown = 0;

	diff_fixes_put_sum(memtext_begin(&t), d);
	markdown_paragraph(out, &t, true);
	putc('\n', out);
	for (size_t i = 0; i < d->nfixes && shown < r->limit; i++)
		if (render_diff_shows_fix(r, &d->fix[i]))
			put_item(out, d, &d->fix[i], ++shown);
	if (shown > 0)
		putc('\n', out);
}
