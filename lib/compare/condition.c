/* SPDX-License-Identifier: Apache-2.0 */
/*
 * condition.c - see condition.h: what has figures, in one table, and whether a condition holds. To
 * add things that have figures, add a row.
 */
#include "compare/condition.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "fix/fix_figures.h"
#include "model/callstack.h"
#include "report/total.h"

/* ---- comparing ----------------------------------------------------------------------------- */

struct condition_scan {
	const struct condition *c;
	double factor; /* of amounts */
	struct condition_hit hit;
	double sum; /* of what was measured */
};

/* NAN is neither above nor below anything. */
static bool is_past(const struct condition *c, double value)
{
	if (c->or_equal && value == c->limit)
		return true;
	return c->below ? value < c->limit : value > c->limit;
}

static void count_hit(struct condition_hit *hit, const void *of, double value, double relative)
{
	if (hit->n++ == 0)
		*hit = (struct condition_hit){ 1, of, value, relative };
}

/* Compares the figure of one thing; `z` and `least` are as in figure_end. */
static void compare(struct condition_scan *s, const void *of, double z, double least)
{
	const struct condition *c = s->c;
	double value = s->factor * figure_end(c->figure, of, z, least, c->below);

	s->sum += isnan(value) ? 0 : value;
	if (!c->total && is_past(c, value))
		count_hit(&s->hit, of, value, NAN);
}

static void compare_change(struct condition_scan *s, const void *of,
			   const struct diff_change *change)
{
	const struct condition *c = s->c;
	double value = change->to - change->from;
	double relative = change->from > 0 ? value / change->from : copysign(INFINITY, value);

	if (change->verdict == (c->below ? ESTIMATE_DOWN : ESTIMATE_UP) &&
	    is_past(c, c->relative ? relative : value))
		count_hit(&s->hit, of, value, figure_is_amount(c->figure) ? relative : NAN);
}

static void put_name(FILE *out, bool *first, const char *name)
{
	fprintf(out, "%s%s", *first ? "" : ", ", name);
	*first = false;
}

/* ---- findings with the bytes that they avoid ------------------------------------------------- */

static bool find_of_fixes(struct condition *c, const char *name,
			  const struct analysis *const *analyses)
{
	(void)analyses;
	for (c->figure = fix_figures; c->figure->name; c->figure++)
		if ((c->figure->flags & FIGURE_KEY) && strcmp(figure_key(c->figure), name) == 0)
			return true;
	return false;
}

/* The one that a comparison has of findings. */
static bool is_avoidable(const struct figure *f)
{
	return strcmp(f->name, "avoidable_bytes") == 0;
}

static void put_names_of_fixes(FILE *out, const struct analysis *const *analyses, bool change)
{
	bool first = true;

	(void)analyses;
	for (const struct figure *f = fix_figures; f->name; f++)
		if (change ? is_avoidable(f) : f->flags & FIGURE_KEY)
			put_name(out, &first, figure_key(f));
}

/* Lines that no rule is about are in no condition: nothing is known to be avoidable there. */
static void each_fix(struct condition_scan *s, const struct condition_facts *facts)
{
	for (size_t i = 0; facts->fixes && i < facts->fixes->n; i++)
		if (facts->fixes->fix[i].rule)
			compare(s, &facts->fixes->fix[i], 0, 0);
}

static bool sum_of_fixes(struct bounds_range *sum, const struct figure *f,
			 const struct condition_facts *facts)
{
	struct fix all;

	if (!facts->fixes)
		return false;
	all = fixes_sum(facts->fixes);
	*sum = figure_range(f, &all, 0);
	return true;
}

static void each_change_of_fixes(struct condition_scan *s, const struct diff *d)
{
	if (s->c->total) {
		compare_change(s, NULL, &d->avoidable);
		return;
	}
	for (size_t i = 0; i < d->nfixes; i++)
		compare_change(s, diff_shown_fix(&d->fix[i]), &d->fix[i].avoidable);
}

static void put_fix(FILE *out, const struct style *s, const void *of)
{
	const struct fix *f = of;

	fprintf(out, "%s at ", fix_name(f));
	if (fix_first(f)->line.class_name)
		frame_put_site(out, s, &fix_first(f)->line);
	else
		putc('?', out);
}

static const struct model_frame *frame_of_fix(const void *of)
{
	const struct model_frame *line = &fix_first(of)->line;

	return line->class_name ? line : NULL;
}

/* ---- lines of code --------------------------------------------------------------------------- */

/* The measure that is a figure, or DIFF_MEASURES. */
static enum diff_measure measure_of(const struct figure *f)
{
	int m = 0;

	while (m < DIFF_MEASURES && diff_column((enum diff_measure)m)->figure != f)
		m++;
	return (enum diff_measure)m;
}

static bool is_measure(const struct figure *f)
{
	return measure_of(f) != DIFF_MEASURES;
}

static bool find_of_lines(struct condition *c, const char *name,
			  const struct analysis *const *analyses)
{
	const struct column *column = column_find(name);

	(void)analyses;
	c->figure = column ? column->figure : NULL;
	return c->figure != NULL;
}

/* What findings have under the same name is of these. */
static void put_names_of_lines(FILE *out, const struct analysis *const *analyses, bool change)
{
	struct condition of_fixes;
	bool first = true;

	for (const struct column *column = columns; column->figure; column++)
		if (change ? is_measure(column->figure)
			   : column_is_key(column) &&
				     !find_of_fixes(&of_fixes, column_name(column), analyses))
			put_name(out, &first, column_name(column));
}

static void each_line(struct condition_scan *s, const struct condition_facts *facts)
{
	for (size_t i = 0; facts->rows && i < facts->rows->table.n; i++)
		compare(s, rows_at(facts->rows, i), 0, (double)facts->min_pairs);
}

static bool sum_of_lines(struct bounds_range *sum, const struct figure *f,
			 const struct condition_facts *facts)
{
	struct total total;

	if (f != &row_figures[ROW_FIGURE_SAVED] || !facts->rows)
		return false;
	total_measure(&total, facts->rows);
	*sum = total.range;
	return true;
}

static void each_change_of_lines(struct condition_scan *s, const struct diff *d)
{
	enum diff_measure m = s->c->new_replica ? DIFF_MEASURES : measure_of(s->c->figure);

	if (s->c->total) {
		compare_change(s, NULL, &d->total[m]);
		return;
	}
	for (size_t i = 0; i < d->n; i++) {
		const struct diff_row *row = &d->row[i];
		if (s->c->new_replica && row->new_replica)
			count_hit(&s->hit, diff_shown(row), NAN, NAN);
		else if (!s->c->new_replica)
			compare_change(s, diff_shown(row), &row->change[m]);
	}
}

static void put_line(FILE *out, const struct style *s, const void *of)
{
	style_put(out, s, row_class(of));
	fputs(" at ", out);
	row_put_site(out, s, of);
}

static const struct model_frame *frame_of_line(const void *of)
{
	return row_line(of);
}

/* ---- what analyses find: kinds with a headline, and rows ----------------------------------- */

static bool find_headline(struct condition *c, const char *name,
			  const struct analysis *const *analyses)
{
	c->kind = finding_kind_find(analyses, name);
	c->figure = c->kind ? finding_headline(c->kind) : NULL;
	return c->figure != NULL;
}

static void put_names_of_headlines(FILE *out, const struct analysis *const *analyses, bool change)
{
	bool first = true;

	(void)change;
	for (int i = 0; analyses[i]; i++)
		for (int k = 0; analyses[i]->kinds[k]; k++)
			if (finding_headline(analyses[i]->kinds[k]))
				put_name(out, &first, analyses[i]->kinds[k]->name);
}

static void each_headline(struct condition_scan *s, const struct condition_facts *facts)
{
	for (size_t i = 0; facts->findings && i < facts->findings->n; i++) {
		const struct finding *f = &facts->findings->item[i];
		if (f->kind == s->c->kind)
			compare(s, f, f->z, 0);
	}
}

static bool is_headline(const struct figure *f)
{
	return f->flags & FIGURE_HEADLINE;
}

static void each_change_of_headlines(struct condition_scan *s, const struct diff *d)
{
	for (size_t i = 0; i < d->nfound; i++)
		if (d->found[i].kind == s->c->kind)
			compare_change(s, NULL, &d->found[i].change);
}

static bool find_found(struct condition *c, const char *name,
		       const struct analysis *const *analyses)
{
	c->figure = figure_find_key(analyses, name, &c->analysis);
	return c->figure != NULL;
}

static void put_names_of_found(FILE *out, const struct analysis *const *analyses, bool change)
{
	(void)change;
	figures_put_keys(out, analyses, false);
}

static void each_found(struct condition_scan *s, const struct condition_facts *facts)
{
	for (size_t i = 0; facts->findings && i < facts->findings->n; i++) {
		const struct finding *f = &facts->findings->item[i];
		if (f->analysis != s->c->analysis || !f->ntables)
			continue;
		for (size_t k = 0; k < f->table[0].chosen; k++) {
			const struct finding_row *row = finding_row(&f->table[0], k);
			if (!facts->others || !others_accept(facts->others, row))
				compare(s, row, f->z, 0);
		}
	}
}

static const struct model_frame *frame_of_found(const void *of)
{
	const struct finding_row *row = of;

	return row->stack[0].n > 0 ? &row->stack[0].frames[0] : NULL;
}

static void put_found(FILE *out, const struct style *s, const void *of)
{
	const struct finding_row *row = of;

	if (row->class_name)
		style_put(out, s, row->class_name);
	if (!row->kind->tables[0]->stack_title[0])
		return; /* no place is known of any row */
	fputs(row->class_name ? " at " : "what is at ", out);
	if (frame_of_found(row))
		frame_put(out, s, frame_of_found(row));
	else
		putc('?', out);
}

/* ---- the table ------------------------------------------------------------------------------- */

enum {
	RECORDINGS = CONDITION_OF_REPORT | CONDITION_OF_DIFF,
	ALL = RECORDINGS | CONDITION_OF_HEAP,
};

const struct condition_subject condition_subjects[] = {
	[CONDITION_ON_FIXES] = { .many = "findings",
				 .uses = RECORDINGS,
				 .listed = RECORDINGS,
				 .has_total = true,
				 .of_all = true,
				 .find = find_of_fixes,
				 .put_names = put_names_of_fixes,
				 .each = each_fix,
				 .sum = sum_of_fixes,
				 .is_compared = is_avoidable,
				 .each_change = each_change_of_fixes,
				 .put = put_fix,
				 .frame = frame_of_fix },
	[CONDITION_ON_LINES] = { .many = "lines",
				 .uses = RECORDINGS,
				 .listed = RECORDINGS,
				 .has_total = true,
				 .find = find_of_lines,
				 .put_names = put_names_of_lines,
				 .each = each_line,
				 .sum = sum_of_lines,
				 .is_compared = is_measure,
				 .each_change = each_change_of_lines,
				 .put = put_line,
				 .frame = frame_of_line },
	[CONDITION_ON_HEADLINES] = { .many = "findings",
				     .uses = ALL,
				     .listed = ALL,
				     .find = find_headline,
				     .put_names = put_names_of_headlines,
				     .each = each_headline,
				     .is_compared = is_headline,
				     .each_change = each_change_of_headlines },
	[CONDITION_ON_FOUND] = { .many = "lines",
				 .uses = ALL,
				 .listed = CONDITION_OF_HEAP,
				 .has_total = true,
				 .find = find_found,
				 .put_names = put_names_of_found,
				 .each = each_found,
				 .put = put_found,
				 .frame = frame_of_found },
	{ .many = NULL },
};

/* ---- whether it holds -------------------------------------------------------------------- */

/* By what amounts are multiplied before they are compared. */
static double factor_of(const struct condition *c, const struct condition_facts *facts)
{
	double all = facts->fixes ? facts->fixes->bytes : 0;

	if (!figure_is_amount(c->figure))
		return 1;
	if (c->relative && c->subject->of_all)
		return all > 0 ? 1 / all : NAN;
	return facts->per > 0 ? 1 / facts->per : 1;
}

struct condition_hit condition_of_report(const struct condition *c,
					 const struct condition_facts *facts)
{
	struct condition_scan s = { .c = c, .factor = factor_of(c, facts) };
	struct bounds_range sum;

	c->subject->each(&s, facts);
	if (c->total && c->subject->sum && c->subject->sum(&sum, c->figure, facts))
		s.sum = (c->below ? sum.high : sum.low) * s.factor;
	if (c->total && is_past(c, s.sum))
		count_hit(&s.hit, NULL, s.sum, NAN);
	return s.hit;
}

struct condition_hit condition_of_diff(const struct condition *c, const struct diff *d,
				       uint64_t min_pairs)
{
	struct condition_scan s = { .c = c };
	const struct condition_facts to = { .fixes = d->options.by_line ? &d->to_fixes : NULL,
					    .rows = d->to.rows,
					    .findings = d->to.findings,
					    .min_pairs = min_pairs,
					    .per = d->options.time == DIFF_PER_SECOND
							   ? d->to.recording->duration_s
							   : 0 };

	if (!c->change && !c->new_replica)
		return condition_of_report(c, &to);
	c->subject->each_change(&s, d);
	return s.hit;
}

/* ---- in words -------------------------------------------------------------------------------- */

static void put_value(FILE *out, const struct condition *c, const struct condition_hit *hit)
{
	const char *sign = c->change && hit->value > 0 ? "+" : "";
	char text[UNITS_TEXT];

	if (figure_is_share(c->figure) || (c->relative && !c->change))
		snprintf(text, sizeof text, "%.1f %%", hit->value * 100);
	else if (figure_is_bytes(c->figure))
		units_bytes(text, hit->value);
	else if (figure_is_amount(c->figure))
		units_count(text, hit->value);
	else
		snprintf(text, sizeof text, "%.6g", hit->value);
	fprintf(out, ": %s%s", sign, text);
	if (isfinite(hit->relative))
		fprintf(out, " (%+.1f %%)", hit->relative * 100);
	if (c->figure->flags & FIGURE_POINT)
		fputs(", an estimate without an interval", out);
}

void condition_put_hit(FILE *out, const struct condition *c, const struct condition_hit *hit,
		       const struct style *s)
{
	fprintf(out, "'%.*s' holds", (int)c->len, c->text);
	if (hit->of && c->subject->put) {
		fputs(" for ", out);
		if (hit->n > 1)
			fprintf(out, "%zu %s, the first of which is ", hit->n, c->subject->many);
		c->subject->put(out, s, hit->of);
	}
	if (!c->new_replica)
		put_value(out, c, hit);
}

const struct model_frame *condition_frame(const struct condition *c,
					  const struct condition_hit *hit)
{
	return hit->of && c->subject->frame ? c->subject->frame(hit->of) : NULL;
}
