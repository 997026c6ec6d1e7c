/* SPDX-License-Identifier: Apache-2.0 */
/*
 * render_start.c - the beginning of a report: its headline, the findings, and the sum as
 * sentences. Also the sentence about the lines that the table leaves out.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/inked.h"
#include "base/javaname.h"
#include "base/memtext.h"
#include "base/units.h"
#include "fix/advice.h"
#include "render/render.h"
#include "render/render_fix.h"

/* ---- a row's problem and a possible fix, as two lines of its block. */

static void put_line(struct evidence *e, const struct row *row, const char *label,
		     const char *sentence)
{
	evidence_label(e, label);
	advice_put(e->out, e->style, row, sentence);
	putc('\n', e->out);
}

void render_advice(struct evidence *e, const struct row *row)
{
	const struct advice *advice = row_advice(row);

	if (!advice)
		return;
	put_line(e, row, "problem", advice->rule->problem);
	put_line(e, row, "fix", advice->rule->fix);
}

#define DIFFERS 0.05 /* part of an estimate by which another one is told beside it */

enum { TEXT_WIDTH = 110 /* columns of sentences, unless the terminal is narrower */ };

/* ---- sentences --------------------------------------------------------------------------- */

void render_wrapped(FILE *out, const struct style *s, struct memtext *text)
{
	size_t width = s->width && s->width < TEXT_WIDTH ? s->width : TEXT_WIDTH;
	struct inked_lines lines;

	inked_take(&lines, memtext_end(text));
	inked_wrap(&lines, width);
	for (size_t i = 0; i < lines.n; i++)
		fprintf(out, "%.*s\n", (int)lines.line[i].len, lines.line[i].text);
	inked_release(&lines);
}

/* ---- the sum ----------------------------------------------------------------------------- */

/* Writes what was seen if nothing is proven. */
static void put_nothing(FILE *out, const struct report *r, const struct total *t)
{
	char text[UNITS_TEXT];

	fprintf(out, "Nothing of the %s allocated is proven to be duplicate",
		units_bytes(text, t->bytes));
	uint64_t sampled = 0, scanned = 0;
	size_t n = r->lines ? r->lines->table.n : 0;
	for (size_t i = 0; i < n; i++) { /* others may be left out */
		sampled += rows_at(r->lines, i)->replica.sampled;
		scanned += rows_at(r->lines, i)->replica.own.scanned;
	}
	fprintf(out, ": %llu objects of %zu line%s were sampled, %llu of them looked at",
		(unsigned long long)sampled, n, n == 1 ? "" : "s", (unsigned long long)scanned);
}

void render_least(FILE *out, const struct report *r, const struct style *s)
{
	char low[UNITS_TEXT], all[UNITS_TEXT], text[UNITS_TEXT];
	const struct total *t = r->total;

	fputs(style_on(s, INK_BOLD), out);
	if (t->range.low > 0)
		fprintf(out, "At least %s of %s (%s %%) is duplicate",
			units_bytes(low, t->range.low), units_bytes(all, t->bytes),
			units_percent(text, t->range.low / t->bytes));
	else
		put_nothing(out, r, t);
	fputs(style_off(s, INK_BOLD), out);
	if (t->saved > 0)
		fprintf(out, "; likely %s", units_bytes(text, t->saved));
}

/*
 * Rows are ranked by an estimate of their own, which takes off what a sample may miss. In a sum,
 * what it takes off of many lines would add up. Of one line both stand below each other.
 */
static void put_of_one_line(FILE *out, const struct report *r)
{
	char text[UNITS_TEXT];

	if (!r->lines || r->lines->table.n != 1 || !(r->total->saved > 0))
		return;
	double likely = replica_likely(&rows_at(r->lines, 0)->replica);
	if (likely < (1 - DIFFERS) * r->total->saved)
		fprintf(out,
			"; its row has %s, without one object of each content that was seen, and "
			"as if one more use had differed",
			units_bytes(text, likely));
}

void render_sum(FILE *out, const struct report *r, const struct style *s)
{
	char text[UNITS_TEXT];
	const struct total *t = r->total;

	render_least(out, r, s);
	if (t->range.high > 0)
		/* contents that hardly ever come twice in a sample are beyond it */
		fprintf(out, ", at most %s as far as a sample tells",
			units_bytes(text, t->range.high));
	put_of_one_line(out, r);
	fputs(".\n", out);
	if (t->decided > 0)
		fprintf(out, "%s %% of the bytes have a verdict",
			units_percent(text, t->decided / t->bytes));
	else
		fputs("No line has a verdict yet", out);
	if (t->end > 0)
		fprintf(out,
			"; at least another %s is alike at the end of life, and not proven to be before",
			units_bytes(text, t->end));
	fputs(".\n", out);
	if (r->recording->has_virtual_threads)
		fputs("The stacks of virtual threads (jdk.internal.vm.StackChunk) are in none of "
		      "these sums: the JVM does not report them; ojx heap --format=csv -p PID "
		      "counts those alive.\n",
		      out);
}

bool render_heap_hint(FILE *out, const struct report *r, const char *before)
{
	char text[UNITS_TEXT], whole[UNITS_TEXT];
	struct total_alive alive;

	total_alive(&alive, r->lines ? r->lines : r->rows);
	if (!total_wants_dump(&alive))
		return false;
	fprintf(out,
		"%s%s of the %s alive at the last view have no verdict; a dump tells of each "
		"object: ojx heap -p PID\n",
		before, units_bytes(text, alive.undecided), units_bytes(whole, alive.bytes));
	return true;
}

/* ---- findings ---------------------------------------------------------------------------- */

/* "1. Shop.java:12 makes 40.8 MB of Point (1.0 % of all bytes); merging saves likely 38.6 MB, at
 * least 32.5 MB." */
void render_amounts(FILE *out, const struct report *r, const struct style *s, const struct row *row)
{
	const struct replica *x = &row->replica;
	char text[UNITS_TEXT];

	row_put_line(out, s, row);
	fprintf(out, " makes %s of ", units_bytes(text, x->bytes));
	style_put(out, s, names_short(row_class(row)));
	fprintf(out, ", %s %% of all bytes; ", units_percent(text, x->bytes / r->total->bytes));
	if (replica_saved(x) > 0) {
		fprintf(out, "merging saves likely %s", units_bytes(text, replica_likely(x)));
		fprintf(out, " (%s %% of all)",
			units_percent(text, replica_likely(x) / r->total->bytes));
		fprintf(out, ", at least %s.\n", units_bytes(text, replica_saved(x)));
	} else if (x->saved_end_bytes > 0) {
		fprintf(out, "%s are alike at the end of life, no saving is proven.\n",
			units_bytes(text, x->saved_end_bytes));
	} else {
		fputs("no saving is proven.\n", out);
	}
}

void render_start(FILE *out, const struct report *r, const struct style *s)
{
	struct memtext text;

	FILE *in = memtext_begin(&text);
	render_headline(in, r, s);
	putc('\n', in);
	if (r->total && r->total->bytes > 0) {
		if (r->fixes)
			fixes_put(in, r, s, r->limited ? r->limit : FIXES_FIRST,
				  r->limited ? 0 : FIXES_NEXT);
		render_sum(in, r, s);
	}
	putc('\n', in);
	render_wrapped(out, s, &text);
}

/* ---- what is not shown ------------------------------------------------------------------- */

static void put_unknown(FILE *out, const struct report *r, const struct style *s,
			const struct rest *rest)
{
	char text[UNITS_TEXT];

	fprintf(out, "%zu %s more evidence (%s", rest->unknown,
		rest->unknown == 1 ? "needs" : "need", units_bytes(text, rest->bytes));
	if (rest->seconds <= REST_PATIENCE)
		fprintf(out, "; half of it after about %s more",
			units_seconds(text, rest->seconds));
	else
		fputs("; most of it after more than an hour", out);
	fputc(')', out);
	for (size_t i = 0; i < (r->details ? rest->nlargest : rest->nlargest > 0); i++) {
		const struct row *row = rest->largest[i];
		double seconds = row_seconds_missing(row, r->recording->duration_s);
		fputs(i ? ", " : ", first of all ", out);
		if (r->grouping == ROWS_BY_LINE)
			row_put_line(out, s, row);
		else
			row_put_site(out, s, row);
		putc(' ', out);
		style_put(out, s, names_short(row_class(row)));
		fprintf(out, " (%s, ", units_bytes(text, row->replica.bytes));
		fprintf(out, "%s more)", units_seconds(text, seconds));
	}
	if (rest->untold)
		fprintf(out, "; for %zu of them more snapshots like these would not be enough",
			rest->untold);
}

bool render_others(FILE *out, const struct report *r, const struct style *s, size_t first)
{
	char text[UNITS_TEXT];
	struct rest rest;

	rows_rest(&rest, r->rows, first, r->recording->duration_s);
	if (rest.nothing)
		fprintf(out, "%zu %s %s nothing to save", rest.nothing,
			render_rows_noun(r, rest.nothing), rest.nothing == 1 ? "holds" : "hold");
	if (rest.nothing && rest.unknown)
		fputs("; ", out);
	if (rest.unknown)
		put_unknown(out, r, s, &rest);
	if (rest.other > 0)
		fprintf(out, "%s%s are of no line: there was no room for more, see 'limit'",
			rest.nothing || rest.unknown ? "; " : "", units_bytes(text, rest.other));
	return rest.nothing || rest.unknown || rest.other > 0;
}

void render_rest(FILE *out, const struct report *r, const struct style *s)
{
	struct memtext text;
	FILE *in = memtext_begin(&text);

	fputs("\n", in);
	if (render_others(in, r, s, r->gains ? r->gains : r->shown)) {
		fputs("; --all shows them\n", in);
		render_wrapped(out, s, &text);
	} else {
		free(memtext_end(&text));
	}
}
