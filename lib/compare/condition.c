/* SPDX-License-Identifier: Apache-2.0 */
/* condition.c - see condition.h: parsing first, then whether a condition holds. */
#include "compare/condition.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/memtext.h"
#include "base/units.h"
#include "model/callstack.h"
#include "report/total.h"

#define TOTAL	    "total."
#define NEW_REPLICA "new-replica"

/* ---- parsing ----------------------------------------------------------------------------- */

static bool is_bytes(const struct condition *c)
{
	return figure_is_bytes(c->figure);
}

static bool is_amount(const struct condition *c)
{
	return figure_is_amount(c->figure);
}

/* The measure that is a column, or DIFF_MEASURES. */
static enum diff_measure measure_of(const struct column *c)
{
	int m = 0;

	while (m < DIFF_MEASURES && diff_column((enum diff_measure)m) != c)
		m++;
	return (enum diff_measure)m;
}

static bool no_column(const struct column *c)
{
	(void)c;
	return false;
}

/* Writes which columns there are. Returns -1. */
static int say_columns(char *error, const char *format, const struct condition *c,
		       const struct analysis *const *analyses,
		       bool (*allowed)(const struct column *c))
{
	const char *separator = "";
	size_t used = (size_t)snprintf(error, CONDITION_ERROR, format, (int)c->len, c->text);

	for (const struct column *column = columns; column->figure && used < CONDITION_ERROR;
	     column++) {
		if (!allowed(column))
			continue;
		used += (size_t)snprintf(error + used, CONDITION_ERROR - used, "%s%s", separator,
					 column_name(column));
		separator = ", ";
	}
	for (int i = 0; analyses[i]; i++)
		for (int k = 0; analyses[i]->kinds[k]; k++) {
			if (!finding_headline(analyses[i]->kinds[k]) || used >= CONDITION_ERROR)
				continue;
			used += (size_t)snprintf(error + used, CONDITION_ERROR - used, "%s%s",
						 separator, analyses[i]->kinds[k]->name);
			separator = ", ";
		}
	return -1;
}

/* Writes which figures there are if there are no columns. Returns -1. */
static int say_figures(char *error, const struct condition *c,
		       const struct analysis *const *analyses)
{
	struct memtext gathered;
	FILE *out = memtext_begin(&gathered);

	say_columns(error, "'%.*s': it must begin with one of: ", c, analyses, no_column);
	if (out)
		figures_put_keys(out, analyses, false);
	char *keys = memtext_end(&gathered);
	size_t used = strlen(error);
	if (keys)
		snprintf(error + used, CONDITION_ERROR - used, "%s", keys);
	free(keys);
	return -1;
}

static bool is_compared(const struct column *c)
{
	return measure_of(c) != DIFF_MEASURES;
}

static int say_wrong(char *error, const struct condition *c, const char *what)
{
	snprintf(error, CONDITION_ERROR, "'%.*s': %s", (int)c->len, c->text, what);
	return -1;
}

/* The factor of a unit for a column; 0: not a unit. `unit` does not end with NUL. */
static double unit_factor(const struct condition *c, const char *unit, size_t len)
{
	static const char prefixes[] = "kmgt";
	bool bytes = is_bytes(c);
	double base = bytes ? 1024 : 1000;
	const char *prefix;

	if (len == 0)
		return 1;
	if (len == 1 && unit[0] == '%')
		return !is_amount(c) || c->change ? 0.01 : 0;
	if (!is_amount(c))
		return 0;
	if (bytes && len == 1 && (unit[0] | ' ') == 'b')
		return 1;
	prefix = strchr(prefixes, unit[0] | ' ');
	if (!prefix || !*prefix)
		return 0;
	bool plain = len == 1 || (bytes && len == 2 && strncasecmp(unit + 1, "b", 1) == 0) ||
		     (bytes && len == 3 && strncasecmp(unit + 1, "ib", 2) == 0);
	return plain ? pow(base, (double)(prefix - prefixes) + 1) : 0;
}

static int parse_number(struct condition *c, const char *text, const char *end, char *error)
{
	char number[32], *rest;
	size_t digits = strspn(text, "+-.0123456789");
	const char *unit;

	if (digits > (size_t)(end - text))
		digits = (size_t)(end - text);
	if (digits == 0 || digits >= sizeof number)
		return say_wrong(error, c, "a number must follow the operator");
	memcpy(number, text, digits);
	number[digits] = '\0';
	c->change = number[0] == '+' || number[0] == '-';
	c->limit = strtod(number, &rest);
	if (rest == number || *rest)
		return say_wrong(error, c, "a number must follow the operator");
	unit = text + digits;
	double factor = unit_factor(c, unit, (size_t)(end - unit));
	if (factor == 0)
		return say_wrong(
			error, c,
			is_bytes(c)    ? "the unit is none of B, kB, MB, GB, TB (and % of "
					 "changes, which have a sign)"
			: is_amount(c) ? "the unit is none of k, M, G, T (and % of changes, which "
					 "have a sign)"
				       : "a share has no unit but %");
	c->relative = is_amount(c) && end - unit == 1 && *unit == '%';
	c->limit *= factor;
	return 0;
}

static const char *parse_operator(struct condition *c, const char *text)
{
	if (*text != '<' && *text != '>')
		return NULL;
	c->below = *text++ == '<';
	c->or_equal = *text == '=';
	return text + c->or_equal;
}

/* Whether a word names a kind of finding or a figure of its rows. */
static bool find_finding(struct condition *c, const char *word,
			 const struct analysis *const *analyses)
{
	c->kind = finding_kind_find(analyses, word);
	c->figure =
		c->kind ? finding_headline(c->kind) : figure_find_key(analyses, word, &c->analysis);
	return c->figure != NULL;
}

static int parse_column(struct condition *c, const char *name, size_t len, enum condition_use use,
			const struct analysis *const *analyses, char *error)
{
	char word[64];

	if (len < sizeof word) {
		memcpy(word, name, len);
		word[len] = '\0';
		c->column = use == CONDITION_OF_HEAP ? NULL : column_find(word);
		c->figure = c->column ? c->column->figure : NULL;
		if (c->figure || find_finding(c, word, analyses))
			return 0;
	}
	if (use == CONDITION_OF_HEAP)
		return say_figures(error, c, analyses);
	return say_columns(error, "'%.*s': it must begin with a column, one of: ", c, analyses,
			   column_is_key);
}

static int check(const struct condition *c, enum condition_use use,
		 const struct analysis *const *analyses, char *error)
{
	if (c->total && (!is_amount(c) || c->kind))
		return say_wrong(error, c, "shares have no total");
	if (!c->change)
		return 0;
	if (use != CONDITION_OF_DIFF)
		return say_wrong(error, c,
				 "a number with a sign is a change, which only 'ojx diff' "
				 "knows");
	if (c->below != (c->limit < 0 || signbit(c->limit)))
		return say_wrong(error, c, "'>' goes with '+' (more than before), '<' with '-'");
	if (!c->kind && (!c->column || !is_compared(c->column)))
		return say_columns(error, "'%.*s': changes are known of these columns only: ", c,
				   analyses, is_compared);
	return 0;
}

static int parse_one(struct condition *c, const char *text, size_t len, enum condition_use use,
		     const struct analysis *const *analyses, char *error)
{
	const char *end = text + len;
	size_t prefix = strlen(TOTAL);

	*c = (struct condition){ .text = text, .len = len };
	if (len == strlen(NEW_REPLICA) && strncmp(text, NEW_REPLICA, len) == 0) {
		c->new_replica = true;
		return use == CONDITION_OF_DIFF
			       ? 0
			       : say_wrong(error, c, "only 'ojx diff' knows what is new");
	}
	c->total = len > prefix && strncmp(text, TOTAL, prefix) == 0;
	const char *name = text + (c->total ? prefix : 0);
	size_t name_len = strcspn(name, "<>=,");
	if (name_len > (size_t)(end - name))
		name_len = (size_t)(end - name);
	if (parse_column(c, name, name_len, use, analyses, error) < 0)
		return -1;
	const char *number = parse_operator(c, name + name_len);
	if (!number)
		return say_wrong(error, c, "the column must be followed by one of >, >=, <, <=");
	return parse_number(c, number, end, error) < 0 ? -1 : check(c, use, analyses, error);
}

int conditions_parse(struct conditions *to, const struct analysis *const *analyses,
		     const char *text, enum condition_use use, char error[CONDITION_ERROR])
{
	for (;;) {
		size_t len = strcspn(text, ",");
		if (to->n == CONDITIONS_MAX) {
			snprintf(error, CONDITION_ERROR, "there are more than %d conditions",
				 CONDITIONS_MAX);
			return -1;
		}
		if (parse_one(&to->item[to->n++], text, len, use, analyses, error) < 0)
			return -1;
		if (!text[len])
			return 0;
		text += len + 1;
	}
}

/* ---- whether it holds -------------------------------------------------------------------- */

/* NAN is neither above nor below anything. */
static bool is_past(const struct condition *c, double value)
{
	if (c->or_equal && value == c->limit)
		return true;
	return c->below ? value < c->limit : value > c->limit;
}

static void count_hit(struct condition_hit *hit, const struct row *row, double value,
		      double relative)
{
	if (hit->n++ == 0)
		*hit = (struct condition_hit){ 1, row, NULL, value, relative };
}

static struct condition_hit of_values(const struct condition *c, const struct rows *rows,
				      const struct cell_context *ctx, double factor)
{
	struct condition_hit hit = { 0 };
	double sum = 0;

	if (!is_amount(c))
		factor = 1;
	if (c->total && strcmp(column_name(c->column), "saved") == 0) {
		struct total t;
		total_measure(&t, rows);
		sum = (c->below ? t.range.high : t.range.low) * factor;
		if (is_past(c, sum))
			count_hit(&hit, NULL, sum, NAN);
		return hit;
	}
	for (size_t i = 0; i < rows->table.n; i++) {
		double value = factor * figure_end(c->figure, rows_at(rows, i), 0,
						   (double)ctx->min_pairs, c->below);
		sum += isnan(value) ? 0 : value;
		if (!c->total && is_past(c, value))
			count_hit(&hit, rows_at(rows, i), value, NAN);
	}
	if (c->total && is_past(c, sum))
		count_hit(&hit, NULL, sum, NAN);
	return hit;
}

static struct condition_hit of_findings(const struct condition *c, const struct findings *findings)
{
	struct condition_hit hit = { 0 };
	double sum = 0;

	for (size_t i = 0; findings && i < findings->n; i++) {
		const struct finding *f = &findings->item[i];
		double value =
			c->kind == f->kind ? figure_end(c->figure, f, f->z, 0, c->below) : NAN;
		if (is_past(c, value))
			count_hit(&hit, NULL, value, NAN);
		if (c->kind || f->analysis != c->analysis || !f->ntables)
			continue;
		for (size_t k = 0; k < f->table[0].chosen; k++) {
			const struct finding_row *row = finding_row(&f->table[0], k);
			value = figure_end(c->figure, row, f->z, 0, c->below);
			sum += isnan(value) ? 0 : value;
			if (c->total || !is_past(c, value))
				continue;
			count_hit(&hit, NULL, value, NAN);
			hit.found = hit.found ? hit.found : row;
		}
	}
	if (c->total && is_past(c, sum))
		count_hit(&hit, NULL, sum, NAN);
	return hit;
}

struct condition_hit condition_of_report(const struct condition *c, const struct rows *rows,
					 const struct findings *findings,
					 const struct cell_context *ctx)
{
	return c->column ? of_values(c, rows, ctx, 1) : of_findings(c, findings);
}

static void add_change(struct condition_hit *hit, const struct condition *c, const struct row *row,
		       const struct diff_change *change)
{
	double value = change->to - change->from;
	double relative = change->from > 0 ? value / change->from : copysign(INFINITY, value);

	if (change->verdict == (c->below ? ESTIMATE_DOWN : ESTIMATE_UP) &&
	    is_past(c, c->relative ? relative : value))
		count_hit(hit, row, value, is_amount(c) ? relative : NAN);
}

struct condition_hit condition_of_diff(const struct condition *c, const struct diff *d,
				       const struct cell_context *ctx)
{
	struct condition_hit hit = { 0 };

	if (!c->new_replica && !c->column) {
		if (!c->change)
			return of_findings(c, d->to.findings);
		for (size_t i = 0; i < d->nfound; i++)
			if (d->found[i].kind == c->kind)
				add_change(&hit, c, NULL, &d->found[i].change);
		return hit;
	}
	if (!c->new_replica && !c->change) {
		double seconds = d->to.recording->duration_s;
		bool rate = d->options.per_second && seconds > 0;
		return of_values(c, d->to.rows, ctx, rate ? 1 / seconds : 1);
	}
	enum diff_measure m = c->new_replica ? DIFF_MEASURES : measure_of(c->column);
	if (c->total) {
		add_change(&hit, c, NULL, &d->total[m]);
		return hit;
	}
	for (size_t i = 0; i < d->n; i++) {
		const struct diff_row *row = &d->row[i];
		if (c->new_replica && row->new_replica)
			count_hit(&hit, diff_shown(row), NAN, NAN);
		else if (!c->new_replica)
			add_change(&hit, c, diff_shown(row), &row->change[m]);
	}
	return hit;
}

static void put_value(FILE *out, const struct condition *c, const struct condition_hit *hit)
{
	const char *sign = c->change && hit->value > 0 ? "+" : "";
	char text[UNITS_TEXT];

	if (figure_is_bytes(c->figure))
		units_bytes(text, hit->value);
	else if (figure_is_amount(c->figure))
		units_count(text, hit->value);
	else if (figure_is_share(c->figure))
		snprintf(text, sizeof text, "%.1f %%", hit->value * 100);
	else
		snprintf(text, sizeof text, "%.6g", hit->value);
	fprintf(out, ": %s%s", sign, text);
	if (isfinite(hit->relative))
		fprintf(out, " (%+.1f %%)", hit->relative * 100);
	if (c->figure->flags & FIGURE_POINT)
		fputs(", an estimate without an interval", out);
}

static void put_row(FILE *out, const struct condition_hit *hit, const struct style *s)
{
	if (hit->n > 1)
		fprintf(out, " for %zu lines, the first of which is ", hit->n);
	else
		fputs(" for ", out);
	if (hit->row) {
		style_put(out, s, row_class(hit->row));
		fputs(" at ", out);
		row_put_site(out, s, hit->row);
		return;
	}
	if (hit->found->class_name)
		style_put(out, s, hit->found->class_name);
	if (!hit->found->kind->tables[0]->stack_title[0])
		return; /* no place is known of any row */
	fputs(hit->found->class_name ? " at " : "what is at ", out);
	if (hit->found->stack[0].n > 0)
		frame_put(out, s, &hit->found->stack[0].frames[0]);
	else
		putc('?', out);
}

void condition_put_hit(FILE *out, const struct condition *c, const struct condition_hit *hit,
		       const struct style *s)
{
	fprintf(out, "'%.*s' holds", (int)c->len, c->text);
	if (hit->row || hit->found)
		put_row(out, hit, s);
	if (!c->new_replica)
		put_value(out, c, hit);
}
