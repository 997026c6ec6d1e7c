/* SPDX-License-Identifier: Apache-2.0 */
/*
 * html_diff.c - a comparison as a page for a browser, made of the same rows as the text. Figures
 * are columns, as in the page of a report; docs/html.md describes them.
 */
#include <math.h>
#include <stdlib.h>

#include "base/idmap.h"
#include "base/memtext.h"
#include "base/xmalloc.h"
#include "render/html/html_page.h"
#include "render/render_diff.h"
#include "render/render_fix.h"

static const struct style plain = { .utf8 = true };

enum { MAX_FIXES = 100 /* cards of the page */ };

struct diff_page {
	struct json_text t;
	const struct diff_report *report;
	struct intern intern;
	struct html_places places;
	uint32_t *class;   /* of each row */
	struct idmap rows; /* by address of a context of either recording: its row + 1 */
};

/* ---- what was compared ------------------------------------------------------------------- */

static void put_side(struct json_text *t, const char *name, const char *file,
		     const struct diff_side *side)
{
	const struct shown_command *c = &side->recording->command;

	json_text_break(t);
	json_text_open(t, name, '{');
	json_text_string(t, "file", file);
	json_text_string(t, "program", side->recording->command.program);
	json_text_open(t, "command", '[');
	for (size_t i = 0; i < c->n; i++)
		json_text_string(t, NULL, c->word[i]);
	json_text_close(t, ']');
	json_text_whole(t, "command_left_out", (int64_t)c->left_out);
	json_text_short(t, "duration_s", side->recording->duration_s);
	json_text_whole(t, "sampled", (int64_t)side->recording->sampled);
	json_text_close(t, '}');
}

static void put_change(struct json_text *t, const struct diff_change *c)
{
	json_text_open(t, NULL, '[');
	json_text_figure(t, NULL, c->from);
	json_text_figure(t, NULL, c->to);
	json_text_short(t, NULL, c->range.low);
	json_text_short(t, NULL, c->range.high);
	json_text_string(t, NULL, estimate_verdict_name(c->verdict));
	json_text_close(t, ']');
}

/* [name, heading, unit, help, whether it is a statistic, change of all rows] */
static void put_measures(struct json_text *t, const struct diff *d)
{
	json_text_break(t);
	json_text_open(t, "measures", '[');
	for (int m = 0; m < DIFF_MEASURES; m++) {
		const struct column *c = diff_column((enum diff_measure)m);
		json_text_break(t);
		json_text_open(t, NULL, '[');
		json_text_string(t, NULL, column_name(c));
		json_text_string(t, NULL,
				 c->greek ? style_glyph(&plain, c->greek) : column_name(c));
		json_text_string(t, NULL, c->figure->unit);
		json_text_string(t, NULL, c->figure->help);
		json_text_whole(t, NULL, diff_is_share((enum diff_measure)m));
		put_change(t, &d->total[m]);
		json_text_close(t, ']');
	}
	json_text_close(t, ']');
}

/* [name, unit, change] of the headlines of findings, where one of the recordings has them. */
static void put_found(struct json_text *t, const struct diff *d)
{
	json_text_break(t);
	json_text_open(t, "found", '[');
	for (size_t i = 0; i < d->nfound; i++) {
		const struct diff_found *f = &d->found[i];
		if (isnan(f->change.from) && isnan(f->change.to))
			continue;
		json_text_break(t);
		json_text_open(t, NULL, '[');
		json_text_string(t, NULL, f->kind->name);
		json_text_string(t, NULL, finding_headline(f->kind)->unit);
		put_change(t, &f->change);
		json_text_close(t, ']');
	}
	json_text_close(t, ']');
}

static void index_row(struct diff_page *p, const struct row *row, size_t i)
{
	for (size_t k = 0; row && k < row->ncontexts; k++)
		if (!idmap_get(&p->rows, (uintptr_t)row->contexts[k]))
			xidmap_put(&p->rows, (uintptr_t)row->contexts[k], (void *)(i + 1));
}

/* The row of what a finding is about; -1: the page has none. */
static int64_t row_of(const struct diff_page *p, const struct diff_fix *f)
{
	const struct fix_part *first = fix_first(diff_shown_fix(f));

	return (int64_t)(uintptr_t)idmap_get(&p->rows, (uintptr_t)first->contexts[0]) - 1;
}

static void put_sentence(struct json_text *t, const char *name, const struct fix *f,
			 const char *sentence)
{
	struct memtext text;

	fix_put_sentence(memtext_begin(&text), &plain, f, sentence);
	json_text_memtext(t, name, &text);
}

static void put_fix(struct diff_page *p, const struct diff_fix *f)
{
	const struct fix *shown = diff_shown_fix(f);
	struct json_text *t = &p->t;
	struct memtext words;

	json_text_break(t);
	json_text_open(t, NULL, '{');
	json_text_string(t, "state", diff_fix_state_name(f->state));
	diff_fix_put(memtext_begin(&words), p->report->lines, &plain, f);
	json_text_memtext(t, "words", &words);
	put_sentence(t, "problem", shown, shown->rule->problem);
	put_sentence(t, "fix", shown, shown->rule->fix);
	json_text_whole(t, "row", row_of(p, f));
	json_text_close(t, '}');
}

/* What changed by finding: the sum in words, the findings in words, and about which row each is. */
static void put_fixes(struct diff_page *p)
{
	const struct diff *d = p->report->lines;
	struct json_text *t = &p->t;
	struct memtext text;
	size_t shown = 0;

	diff_fixes_put_sum(memtext_begin(&text), d);
	json_text_memtext(t, "fixes_sum", &text);
	diff_put_lengths(memtext_begin(&text), d);
	json_text_memtext(t, "lengths", &text);
	json_text_open(t, "fixes", '[');
	for (size_t i = 0; i < d->nfixes && shown < MAX_FIXES; i++) {
		const struct diff_fix *f = &d->fix[i];
		if (f->state == DIFF_SAME || f->state == DIFF_FEW)
			continue;
		put_fix(p, f);
		shown++;
	}
	json_text_close(t, ']');
}

static void put_head(struct diff_page *p)
{
	const struct diff_report *r = p->report;
	const struct diff *d = r->diff;
	struct json_text *t = &p->t;

	json_text_string(t, "version", r->version);
	json_text_whole(t, "shown", (int64_t)d->n);
	json_text_whole(t, "min_pairs", (int64_t)d->options.replica.min_pairs);
	json_text_bool(t, "per_second", d->per_second);
	json_text_short(t, "confidence", d->options.replica.confidence);
	json_text_short(t, "threshold", d->options.threshold);
	json_text_string(t, "grouping", rows_groupings[r->grouping]);
	json_text_string(t, "commands", diff_commands_name(diff_commands(d)));
	put_side(t, "from", r->from, &d->from);
	put_side(t, "to", r->to, &d->to);
	json_text_break(t);
	json_text_open(t, "states", '{');
	for (int s = 0; s < DIFF_STATES; s++)
		json_text_whole(t, diff_state_name((enum diff_state)s), (int64_t)d->states[s]);
	json_text_close(t, '}');
	put_fixes(p);
	put_measures(t, d);
	put_found(t, d);
}

/* ---- rows -------------------------------------------------------------------------------- */

static void number_rows(struct diff_page *p)
{
	const struct diff *d = p->report->diff;

	html_places_begin(&p->places, d->n);
	p->class = xcalloc(d->n, sizeof *p->class);
	for (size_t i = 0; i < d->n; i++) {
		const struct row *row = diff_shown(&d->row[i]);
		p->class[i] = intern_text(&p->intern, row_class(row));
		html_places_add(&p->places, i, &p->intern, row,
				intern_stack(&p->intern, row_stack(row)));
		index_row(p, d->row[i].from, i);
		index_row(p, d->row[i].to, i);
	}
}

/* An array with a word about each row. */
static void put_words(struct diff_page *p, const char *name,
		      const char *(*word)(const struct diff_row *row))
{
	const struct diff *d = p->report->diff;

	json_text_open(&p->t, name, '[');
	for (size_t i = 0; i < d->n; i++)
		json_text_string(&p->t, NULL, word(&d->row[i]));
	json_text_close(&p->t, ']');
	json_text_break(&p->t);
}

static const char *state_of(const struct diff_row *row)
{
	return diff_state_name(row->state);
}

static const char *match_of(const struct diff_row *row)
{
	return match_name(row->how);
}

static void put_rows(struct diff_page *p)
{
	const struct diff *d = p->report->diff;

	json_text_break(&p->t);
	json_text_open(&p->t, "contexts", '{');
	json_text_ids(&p->t, "class", p->class, d->n, INTERN_NONE);
	html_places_put(&p->t, &p->places);
	put_words(p, "state", state_of);
	put_words(p, "match", match_of);
	for (int m = 0; m < DIFF_MEASURES; m++) {
		json_text_break(&p->t);
		json_text_open(&p->t, column_name(diff_column((enum diff_measure)m)), '[');
		for (size_t i = 0; i < d->n; i++)
			put_change(&p->t, &d->row[i].change[m]);
		json_text_close(&p->t, ']');
	}
	json_text_close(&p->t, '}');
}

/* ---- all of it --------------------------------------------------------------------------- */

static void put_data(FILE *out, const void *of)
{
	struct diff_page p = { .t = { .out = out }, .report = of };

	intern_init(&p.intern);
	number_rows(&p);
	html_begin_data(&p.t, "id=\"data\"");
	json_text_open(&p.t, NULL, '{');
	put_head(&p);
	put_rows(&p);
	html_put_tables(&p.t, &p.intern, NULL);
	json_text_close(&p.t, '}');
	html_end_data(&p.t);
	intern_release(&p.intern);
	html_places_end(&p.places);
	idmap_release(&p.rows);
	free(p.class);
}

int render_diff_html(FILE *out, const struct diff_report *r)
{
	return html_put_page(out, &html_diff, put_data, r);
}
