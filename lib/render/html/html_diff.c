/* SPDX-License-Identifier: Apache-2.0 */
/*
 * html_diff.c - a comparison as a page for a browser, made of the same rows as the text. Figures
 * are columns, as in the page of a report; docs/html.md describes them.
 */
#include <math.h>
#include <stdlib.h>

#include "base/json_text.h"
#include "model/intern.h"
#include "render/html/html_findings.h"
#include "render/html/html_page.h"
#include "render/render_diff.h"
#include "render/render_heap.h"

/*
 * ---- a heap dump, or how two differ, as a page. It has the tables of the findings, as the
 * pages of other analyses do, and no rows of contexts.
 */

static void put_dump(FILE *out, const char *path, const struct heap_report *r)
{
	char note[HEAP_NOTE];

	fputs("{\"file\":", out);
	json_put_text(out, path);
	fputs(",\"objects\":", out);
	json_put_whole(out, r->heap.n);
	fputs(",\"bytes\":", out);
	json_put_whole(out, r->merge.total.bytes);
	fprintf(out, ",\"header_bytes\":%u,\"reference_bytes\":%u,\"notes\":[",
		r->heap.layout.header, r->heap.layout.reference);
	for (unsigned i = 0; heap_report_note(r, i, note); i++) {
		if (i)
			putc(',', out);
		json_put_text(out, note);
	}
	fputs("]}", out);
}

static int put_heap_data(FILE *out, const void *of)
{
	const struct render_heap *r = of;
	const struct findings *all = r->compare ? &r->compare->findings : &r->report->findings;
	struct intern intern;

	intern_init(&intern);
	fputs("<script type=\"application/json\" id=\"data\">\n{\"version\":", out);
	json_put_text(out, r->version);
	fputs(",\"shown\":0,\"contexts\":{},\n\"dumps\":[", out);
	if (r->compare) {
		put_dump(out, r->old_path, r->compare->old);
		putc(',', out);
	}
	put_dump(out, r->path, r->report);
	putc(']', out);
	int result = html_put_findings(out, all, r->compare ? heap_compare_analyses : heap_analyses,
				       &intern);
	if (result == 0)
		result = html_put_tables(out, &intern, NULL);
	fputs("}\n</script>\n", out);
	intern_release(&intern);
	return result;
}

int render_heap_html(FILE *out, const struct render_heap *r)
{
	return html_put_page(out, &html_heap, put_heap_data, r);
}

static const struct style plain = { .utf8 = true };

struct diff_page {
	FILE *out;
	const struct diff_report *report;
	struct intern intern;
	/* of each row: its stack, and the texts of its site and line, which are kept below */
	uint32_t *node, *site, *line, *class;
	char **text; /* two of each row */
};

/* ---- what was compared ------------------------------------------------------------------- */

static void put_member(FILE *out, const char *before, const char *name, const char *text)
{
	fprintf(out, "%s\"%s\":", before, name);
	json_put_text(out, text);
}

static void put_side(FILE *out, const char *name, const char *file, const struct diff_side *side)
{
	const struct shown_command *c = &side->recording->command;

	fprintf(out, ",\n\"%s\":", name);
	put_member(out, "{", "file", file);
	put_member(out, ",", "program", side->recording->command.program);
	fputs(",\"command\":[", out);
	for (size_t i = 0; i < c->n; i++) {
		fputs(i ? "," : "", out);
		json_put_text(out, c->word[i]);
	}
	fprintf(out, "],\"command_left_out\":%zu,\"duration_s\":", c->left_out);
	json_put_number(out, side->recording->duration_s);
	fprintf(out, ",\"sampled\":%llu}", (unsigned long long)side->recording->sampled);
}

/* "up" or "down" of a change beyond noise and threshold; NULL: it was not measured. */
static const char *change_name(const struct diff_change *c)
{
	static const char *const names[] = { NULL, "no", "up", "down" };

	return names[c->verdict];
}

static void put_change(FILE *out, const struct diff_change *c)
{
	fputs("[", out);
	json_put_figure(out, c->from);
	putc(',', out);
	json_put_figure(out, c->to);
	putc(',', out);
	json_put_number(out, c->range.low);
	putc(',', out);
	json_put_number(out, c->range.high);
	putc(',', out);
	json_put_text(out, change_name(c));
	putc(']', out);
}

/* [name, heading, unit, help, whether it is a statistic, change of all rows] */
static void put_measures(FILE *out, const struct diff *d)
{
	fputs(",\n\"measures\":[", out);
	for (int m = 0; m < DIFF_MEASURES; m++) {
		const struct column *c = diff_column((enum diff_measure)m);
		fputs(m ? ",\n[" : "\n[", out);
		json_put_text(out, column_name(c));
		putc(',', out);
		json_put_text(out, c->greek ? style_glyph(&plain, c->greek) : column_name(c));
		putc(',', out);
		json_put_text(out, c->figure->unit);
		putc(',', out);
		json_put_text(out, c->figure->help);
		fprintf(out, ",%d,", diff_is_share((enum diff_measure)m));
		put_change(out, &d->total[m]);
		putc(']', out);
	}
	putc(']', out);
}

/* [name, unit, change] of the headlines of findings, where one of the recordings has them. */
static void put_found(FILE *out, const struct diff *d)
{
	const char *before = "\n[";

	fputs(",\n\"found\":[", out);
	for (size_t i = 0; i < d->nfound; i++) {
		const struct diff_found *f = &d->found[i];
		if (isnan(f->change.from) && isnan(f->change.to))
			continue;
		fputs(before, out);
		before = ",\n[";
		json_put_text(out, f->kind->name);
		putc(',', out);
		json_put_text(out, finding_headline(f->kind)->unit);
		putc(',', out);
		put_change(out, &f->change);
		putc(']', out);
	}
	putc(']', out);
}

static void put_head(FILE *out, const struct diff_report *r)
{
	const struct diff *d = r->diff;

	put_member(out, "{", "version", r->version);
	fprintf(out, ",\"shown\":%zu,\"min_pairs\":%llu,\"per_second\":%s", d->n,
		(unsigned long long)d->options.replica.min_pairs,
		d->options.per_second ? "true" : "false");
	fputs(",\"confidence\":", out);
	json_put_number(out, d->options.replica.confidence);
	fputs(",\"threshold\":", out);
	json_put_number(out, d->options.threshold);
	put_member(out, ",", "grouping", rows_groupings[r->grouping]);
	put_member(out, ",", "commands", diff_commands_name(diff_commands(d)));
	put_side(out, "from", r->from, &d->from);
	put_side(out, "to", r->to, &d->to);
	fputs(",\n\"states\":{", out);
	for (int s = 0; s < DIFF_STATES; s++)
		fprintf(out, "%s\"%s\":%zu", s ? "," : "", diff_state_name((enum diff_state)s),
			d->states[s]);
	putc('}', out);
	put_measures(out, d);
	put_found(out, d);
}

/* ---- rows -------------------------------------------------------------------------------- */

static int number_rows(struct diff_page *p)
{
	const struct diff *d = p->report->diff;

	for (size_t i = 0; i < d->n; i++) {
		const struct row *row = diff_shown(&d->row[i]);
		if (intern_text(&p->intern, row_class(row), &p->class[i]) < 0 ||
		    intern_stack(&p->intern, &row->row.stack[0], &p->node[i]) < 0 ||
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
	fprintf(p->out, "\"%s\":", name);
	json_put_ids(p->out, ids, p->report->diff->n, INTERN_NONE);
	fputs(",\n", p->out);
}

/* An array with what `put` writes of each row. */
static void put_column(struct diff_page *p, const char *name,
		       void (*put)(FILE *out, const struct diff_row *row))
{
	const struct diff *d = p->report->diff;

	fprintf(p->out, "\"%s\":[", name);
	for (size_t i = 0; i < d->n; i++) {
		fputs(i ? "," : "", p->out);
		put(p->out, &d->row[i]);
	}
	fputs("],\n", p->out);
}

static void put_state(FILE *out, const struct diff_row *row)
{
	json_put_text(out, diff_state_name(row->state));
}

static void put_match(FILE *out, const struct diff_row *row)
{
	json_put_text(out, match_name(row->how));
}

static void put_rows(struct diff_page *p)
{
	const struct diff *d = p->report->diff;

	fputs(",\n\"contexts\":{", p->out);
	put_ids(p, "class", p->class);
	put_ids(p, "site", p->site);
	put_ids(p, "line", p->line);
	put_ids(p, "node", p->node);
	put_column(p, "state", put_state);
	put_column(p, "match", put_match);
	for (int m = 0; m < DIFF_MEASURES; m++) {
		fprintf(p->out, "%s\"%s\":[", m ? ",\n" : "",
			column_name(diff_column((enum diff_measure)m)));
		for (size_t i = 0; i < d->n; i++) {
			fputs(i ? "," : "", p->out);
			put_change(p->out, &d->row[i].change[m]);
		}
		putc(']', p->out);
	}
	putc('}', p->out);
}

/* ---- all of it --------------------------------------------------------------------------- */

static int put_data(FILE *out, const void *of)
{
	const struct diff_report *r = of;
	size_t n = r->diff->n + 1;
	struct diff_page p = {
		.out = out,
		.report = r,
		.node = calloc(n, sizeof *p.node),
		.site = calloc(n, sizeof *p.site),
		.line = calloc(n, sizeof *p.line),
		.class = calloc(n, sizeof *p.class),
		.text = calloc(2 * n, sizeof *p.text),
	};
	int result = -1;

	intern_init(&p.intern);
	fputs("<script type=\"application/json\" id=\"data\">\n", out);
	if (p.node && p.site && p.line && p.class && p.text && number_rows(&p) == 0) {
		put_head(out, r);
		put_rows(&p);
		result = html_put_tables(out, &p.intern, NULL);
	}
	fputs("}\n</script>\n", out);
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
