/* SPDX-License-Identifier: Apache-2.0 */
/*
 * html_diff.c - a comparison as a page for a browser, made of the same rows as the text. Figures
 * are columns, as in the page of a report; docs/html.md describes them.
 */
#include <math.h>
#include <stdlib.h>

#include "base/memtext.h"
#include "model/intern.h"
#include "render/html/html_findings.h"
#include "render/html/html_page.h"
#include "render/render_diff.h"
#include "render/render_fix.h"
#include "render/render_heap.h"

/*
 * ---- a heap dump, or how two differ, as a page. It has the tables of the findings, as the
 * pages of other analyses do, and no rows of contexts.
 */

static void put_dump(struct json_text *t, const char *path, const struct heap_report *r)
{
	char note[HEAP_NOTE];

	json_text_open(t, NULL, '{');
	json_text_string(t, "file", path);
	json_text_whole(t, "objects", (int64_t)r->heap.n);
	json_text_whole(t, "bytes", (int64_t)r->merge.total.bytes);
	json_text_whole(t, "header_bytes", r->heap.layout.header);
	json_text_whole(t, "reference_bytes", r->heap.layout.reference);
	json_text_open(t, "notes", '[');
	for (unsigned i = 0; heap_report_note(r, i, note); i++)
		json_text_string(t, NULL, note);
	json_text_close(t, ']');
	json_text_close(t, '}');
}

static int put_heap(struct json_text *t, const struct render_heap *r, struct intern *intern)
{
	const struct findings *all = r->compare ? &r->compare->findings : &r->report->findings;

	json_text_open(t, NULL, '{');
	json_text_string(t, "version", r->version);
	json_text_whole(t, "shown", 0);
	json_text_open(t, "contexts", '{');
	json_text_close(t, '}');
	json_text_break(t);
	json_text_open(t, "dumps", '[');
	if (r->compare)
		put_dump(t, r->old_path, r->compare->old);
	put_dump(t, r->path, r->report);
	json_text_close(t, ']');
	if (html_put_findings(t, all, r->others, NULL, 0,
			      r->compare ? heap_compare_analyses : heap_analyses, intern) < 0 ||
	    html_put_tables(t, intern, NULL) < 0)
		return -1;
	json_text_close(t, '}');
	return 0;
}

static int put_heap_data(FILE *out, const void *of)
{
	struct json_text t = { .out = out };
	struct intern intern;

	intern_init(&intern);
	html_begin_data(&t, "id=\"data\"");
	int result = put_heap(&t, of, &intern);
	intern_release(&intern);
	return html_end_data(&t) < 0 ? -1 : result;
}

int render_heap_html(FILE *out, const struct render_heap *r)
{
	return html_put_page(out, &html_heap, put_heap_data, r);
}

static const struct style plain = { .utf8 = true };

enum { MAX_FIXES = 100 /* cards of the page */ };

struct diff_page {
	struct json_text t;
	const struct diff_report *report;
	struct intern intern;
	/* of each row: its stack, and the texts of its site and line, which are kept below */
	uint32_t *node, *site, *line, *class;
	char **text; /* two of each row */
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

/* A row of what a finding is about; -1: the page has none. */
static int64_t row_of(const struct diff *d, const struct diff_fix *f)
{
	const struct fix *fix = diff_shown_fix(f);

	for (size_t i = 0; i < d->n; i++) {
		const struct row *row = f->to ? d->row[i].to : d->row[i].from;
		for (size_t k = 0; row && k < row->ncontexts; k++)
			if (row->contexts[k] == fix_first(fix)->contexts[0])
				return (int64_t)i;
	}
	return -1;
}

static void put_sentence(struct json_text *t, const char *name, const struct fix *f,
			 const char *sentence)
{
	struct memtext text;

	fix_put_sentence(memtext_begin(&text), &plain, f, sentence);
	json_text_memtext(t, name, &text);
}

static void put_fix(struct json_text *t, const struct diff_report *r, const struct diff_fix *f)
{
	const struct fix *shown = diff_shown_fix(f);
	struct memtext words;

	json_text_break(t);
	json_text_open(t, NULL, '{');
	json_text_string(t, "state", diff_fix_state_name(f->state));
	diff_fix_put(memtext_begin(&words), r->lines, &plain, f);
	json_text_memtext(t, "words", &words);
	put_sentence(t, "problem", shown, shown->rule->problem);
	put_sentence(t, "fix", shown, shown->rule->fix);
	json_text_whole(t, "row", row_of(r->diff, f));
	json_text_close(t, '}');
}

/* What changed by finding: the sum in words, the findings in words, and about which row each is. */
static void put_fixes(struct json_text *t, const struct diff_report *r)
{
	const struct diff *d = r->lines;
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
		put_fix(t, r, f);
		shown++;
	}
	json_text_close(t, ']');
}

static void put_head(struct json_text *t, const struct diff_report *r)
{
	const struct diff *d = r->diff;

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
	put_fixes(t, r);
	put_measures(t, d);
	put_found(t, d);
}

/* ---- rows -------------------------------------------------------------------------------- */

static int number_rows(struct diff_page *p)
{
	const struct diff *d = p->report->diff;

	for (size_t i = 0; i < d->n; i++) {
		const struct row *row = diff_shown(&d->row[i]);
		if (intern_text(&p->intern, row_class(row), &p->class[i]) < 0 ||
		    intern_stack(&p->intern, row_stack(row), &p->node[i]) < 0 ||
		    html_number_place(&p->intern, row, row_put_site, &p->text[2 * i], &p->site[i]) <
			    0 ||
		    html_number_place(&p->intern, row, row_put_line, &p->text[2 * i + 1],
				      &p->line[i]) < 0)
			return -1;
	}
	return 0;
}

static void put_ids(struct diff_page *p, const char *name, const uint32_t *ids)
{
	json_text_ids(&p->t, name, ids, p->report->diff->n, INTERN_NONE);
	json_text_break(&p->t);
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
	put_ids(p, "class", p->class);
	put_ids(p, "site", p->site);
	put_ids(p, "line", p->line);
	put_ids(p, "node", p->node);
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

static int put_data(FILE *out, const void *of)
{
	const struct diff_report *r = of;
	size_t n = r->diff->n + 1;
	struct diff_page p = {
		.t = { .out = out },
		.report = r,
		.node = calloc(n, sizeof *p.node),
		.site = calloc(n, sizeof *p.site),
		.line = calloc(n, sizeof *p.line),
		.class = calloc(n, sizeof *p.class),
		.text = calloc(2 * n, sizeof *p.text),
	};
	int result = -1;

	intern_init(&p.intern);
	html_begin_data(&p.t, "id=\"data\"");
	json_text_open(&p.t, NULL, '{');
	if (p.node && p.site && p.line && p.class && p.text && number_rows(&p) == 0) {
		put_head(&p.t, r);
		put_rows(&p);
		result = html_put_tables(&p.t, &p.intern, NULL);
	}
	json_text_close(&p.t, '}');
	if (html_end_data(&p.t) < 0)
		result = -1;
	intern_release(&p.intern);
	for (size_t i = 0; p.text && i < 2 * n; i++)
		free(p.text[i]);
	free(p.text);
	free(p.class);
	free(p.line);
	free(p.site);
	free(p.node);
	return result;
}

int render_diff_html(FILE *out, const struct diff_report *r)
{
	return html_put_page(out, &html_diff, put_data, r);
}
