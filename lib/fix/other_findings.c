/* SPDX-License-Identifier: Apache-2.0 */
/*
 * other_findings.c - see other_findings.h. Rows of equal rules in one method are one finding. Their
 * amounts are parts of one whole, and add up; errors of different rows count as independent.
 */
#include "fix/other_findings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/sort.h"
#include "base/xmalloc.h"
#include "fix/fix_amount.h"
#include "model/callstack.h"

/* ---- rows -------------------------------------------------------------------------------- */

/* A row with a rule, before rows are put together. */
struct item {
	size_t section; /* finding and table, in their order */
	const struct finding *finding;
	const struct finding_table_kind *table;
	const struct finding_rule *rule;
	const struct figure *figure;
	const struct finding_row *row;
	const struct model_frame *line;
	const char *place;
	struct estimate amount;
};

struct items {
	struct item *item;
	size_t n, room;
};

static const struct figure *figure_named(const struct figure *f, const char *name)
{
	while (f->name && strcmp(f->name, name) != 0)
		f++;
	return f->name ? f : NULL;
}

/* The line that is to be changed; NULL: all frames are the platform's, or there are none. */
static const struct model_frame *line_of(const struct finding_row *row, int at)
{
	const struct callstack *stack = &row->stack[at];
	size_t line = callstack_line_in(stack->frames, stack->n);

	return line < stack->n ? &stack->frames[line] : NULL;
}

static struct estimate amount_of(const struct figure *f, const struct finding_row *row, double z)
{
	double value = figure_of(f, row);
	struct bounds_range range = figure_range(f, row, z);
	bool known = !isnan(range.low) && !isnan(range.high);

	return (struct estimate){ value, known ? range : (struct bounds_range){ value, value } };
}

static void take_row(struct items *l, size_t section, const struct finding *f,
		     const struct finding_table_kind *t, const struct finding_row *row)
{
	const struct finding_rule *rule = row->weak ? NULL : t->rule(f, row);
	struct item item = { section, f, t, rule, .row = row };

	if (!rule)
		return;
	item.figure = figure_named(t->figures, rule->figure);
	item.place = t->place ? t->place(row) : NULL;
	item.line = item.place ? NULL : line_of(row, rule->at);
	item.amount = amount_of(item.figure, row, f->z);
	if (!(item.line || item.place) || !(item.amount.value > 0))
		return;
	XGROW(l->item, l->n, l->room, 64);
	l->item[l->n++] = item;
}

static void take_rows(struct items *l, const struct findings *all)
{
	size_t section = 0;

	for (size_t i = 0; i < all->n; i++) {
		const struct finding *f = &all->item[i];
		for (size_t k = 0; k < f->ntables; k++, section++) {
			const struct finding_table *t = &f->table[k];
			if (!t->kind->rule || !f->seen || !finding_is_enough(f))
				continue;
			for (size_t r = 0; r < t->chosen; r++)
				take_row(l, section, f, t->kind, finding_row(t, r));
		}
	}
}

/* ---- findings ---------------------------------------------------------------------------- */

static int compare_texts(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "");
}

/* By class and method; a row without a line comes last. */
static int compare_lines(const struct model_frame *a, const struct model_frame *b)
{
	return ORDER(!a, !b) ?: (a ? frame_compare_methods(a, b) : 0);
}

/* Equal for rows of one finding. */
static int compare_groups(const struct item *x, const struct item *y)
{
	return ORDER(x->section, y->section)
		       ?: ORDER(x->figure, y->figure)
		       ?: strcmp(x->rule->name, y->rule->name)
		       ?: ORDER(x->rule->possible, y->rule->possible)
		       ?: ORDER(x->row->pid, y->row->pid)
		       ?: ORDER(x->row->jvm, y->row->jvm)
		       ?: compare_texts(x->place, y->place)
		       ?: compare_lines(x->line, y->line);
}

static int compare_items(const void *a, const void *b)
{
	const struct item *x = a, *y = b;

	return compare_groups(x, y)
		       ?: ORDER(y->amount.value, x->amount.value)
		       ?: callstack_hash_compare(&x->row->hash, &y->row->hash)
		       ?: ORDER(x->row, y->row);
}

/* Makes a finding of `n` items; `row` has room for their rows. */
static struct other_finding other_of(const struct item *item, size_t n,
				     const struct finding_row **row)
{
	struct other_finding o = { .finding = item->finding,
				   .table = item->table,
				   .rule = item->rule,
				   .figure = item->figure,
				   .rows = row,
				   .nrows = n,
				   .jvm = item->row->jvm,
				   .pid = item->row->pid,
				   .line = item->line,
				   .place = item->place,
				   .exact = !figure_has_range(item->figure) };

	for (size_t i = 0; i < n; i++) {
		row[i] = item[i].row;
		o.count += item[i].row->count;
		if (i == 0)
			o.amount = item[i].amount;
		else
			fix_add(&o.amount, &item[i].amount);
	}
	o.few = !o.exact && o.count < ANALYSIS_MIN_PAIRS;
	o.possible = o.rule->possible || o.few;
	if (figure_is_share(o.figure))
		o.amount.range.high = fmin(1, o.amount.range.high);
	if (o.amount.range.low < 0)
		o.amount.range.low = 0;
	return o;
}

static int compare_methods(const struct other_finding *x, const struct other_finding *y)
{
	return strcmp(x->rule->name, y->rule->name)
		       ?: compare_texts(x->place, y->place)
		       ?: compare_lines(x->line, y->line)
		       ?: ORDER(x->pid, y->pid) ?: ORDER(x->jvm, y->jvm);
}

/* Findings, and those of one analysis, are in an array; so are figures. */
static int compare_sections(const struct other_finding *x, const struct other_finding *y)
{
	return ORDER(x->finding, y->finding) ?: ORDER(x->figure, y->figure);
}

/*
 * Likely ones first, except where amounts are exact: then the largest are, because it is their fix
 * alone that is likely or possible.
 */
static int compare_others(const void *a, const void *b)
{
	const struct other_finding *x = a, *y = b;

	return compare_sections(x, y)
		       ?: (x->exact ? 0 : ORDER(x->possible, y->possible))
		       ?: ORDER(y->amount.value, x->amount.value)
		       ?: compare_methods(x, y);
}

static void rank(struct others *o)
{
	for (size_t i = 0; i < o->n; i++)
		o->item[i].rank = i > 0 && compare_sections(&o->item[i - 1], &o->item[i]) == 0
					  ? o->item[i - 1].rank + 1
					  : 1;
}

void others_find(struct others *to, const struct findings *findings)
{
	struct items l = { .n = 0 };

	*to = (struct others){ .n = 0 };
	take_rows(&l, findings);
	if (l.n)
		qsort(l.item, l.n, sizeof *l.item, compare_items);
	to->item = xcalloc(l.n + 1, sizeof *to->item);
	to->row = xcalloc(l.n + 1, sizeof(struct finding_row *));
	for (size_t first = 0, end; first < l.n; first = end) {
		for (end = first + 1;
		     end < l.n && compare_groups(&l.item[first], &l.item[end]) == 0;)
			end++;
		to->item[to->n++] = other_of(&l.item[first], end - first, &to->row[first]);
	}
	free(l.item);
	if (to->n)
		qsort(to->item, to->n, sizeof *to->item, compare_others);
	rank(to);
}

void others_release(struct others *o)
{
	free(o->item);
	free((void *)o->row);
	*o = (struct others){ .n = 0 };
}

/* ---- sections ---------------------------------------------------------------------------- */

size_t others_section_end(const struct others *o, size_t first)
{
	size_t end = first;

	while (end < o->n && compare_sections(&o->item[first], &o->item[end]) == 0)
		end++;
	return end;
}

struct others_sum others_sum_of(const struct others *o, size_t first)
{
	size_t end = others_section_end(o, first);
	struct others_sum sum = { .n = end - first };

	for (size_t i = first; i < end; i++) {
		struct estimate *to = o->item[i].possible ? &sum.possible : &sum.likely;
		if (!o->item[first].table->overlap)
			fix_add(to, &o->item[i].amount);
		else if (o->item[i].amount.value > to->value)
			*to = o->item[i].amount;
	}
	if (end > first && figure_is_share(o->item[first].figure)) {
		sum.likely.range.high = fmin(1, sum.likely.range.high);
		sum.possible.range.high = fmin(1, sum.possible.range.high);
	}
	return sum;
}

bool others_accept(const struct others *o, const struct finding_row *row)
{
	for (size_t i = o->n; i < o->n + o->naccepted; i++)
		for (size_t k = 0; k < o->item[i].nrows; k++)
			if (o->item[i].rows[k] == row)
				return true;
	return false;
}

size_t others_accepted_of(const struct others *o, const struct finding *f)
{
	size_t n = 0;

	for (size_t i = o->n; i < o->n + o->naccepted; i++)
		n += o->item[i].finding == f;
	return n;
}

bool others_tell(const struct others *o, const struct finding *f,
		 const struct finding_table_kind *t)
{
	for (size_t i = 0; o && i < o->n; i++)
		if (o->item[i].finding == f && o->item[i].table == t)
			return true;
	return false;
}

/* ---- one finding ------------------------------------------------------------------------- */

void other_put_key(FILE *out, const struct other_finding *o)
{
	if (o->place)
		fprintf(out, "%s %s", o->rule->name, o->place);
	else
		fprintf(out, "%s %s.%s", o->rule->name, o->line->class_name, o->line->method);
}

int *other_lines_of(const struct other_finding *o, size_t *n)
{
	const size_t rows = o->line ? o->nrows : 0;
	int *lines = xcalloc(rows + 1, sizeof *lines);

	for (size_t i = 0; i < rows; i++)
		lines[i] = line_of(o->rows[i], o->rule->at)->line;
	*n = line_numbers_sort(lines, rows);
	return lines;
}

/* Whether the context makes objects of a row's class in the finding's method. */
static bool is_of(const struct other_finding *o, const struct model *m,
		  const struct model_context *c)
{
	const uint32_t *numbers;
	unsigned flags;
	bool known = false;

	if (c->jvm != o->jvm || !c->class || !c->class->name)
		return false;
	for (size_t i = 0; i < o->nrows && !known; i++)
		known = compare_texts(o->rows[i]->class_name, c->class->name) == 0;
	size_t n = known ? callstack_numbers(m, c->jvm, c->stack_id, &numbers, &flags) : 0;
	if (n == 0)
		return false;
	struct model_frame f =
		model_frame(m, c->jvm, numbers[callstack_line_of(m, c->jvm, c->stack_id)]);
	return frame_compare_methods(&f, o->line) == 0;
}

static void callers_of_objects(struct callers *to, const struct other_finding *o,
			       const struct model *m, size_t depth, double z)
{
	struct model_context **contexts =
		xmallocarray(model_ncontexts(m) + 1, sizeof(struct model_context *));
	size_t n = 0;

	for (size_t i = 0; i < model_ncontexts(m); i++)
		if (is_of(o, m, model_context(m, i)))
			contexts[n++] = (struct model_context *)model_context(m, i);
	callers_estimate(to, m, contexts, n, depth, z);
	free(contexts);
}

void other_callers(struct callers *to, const struct other_finding *o, const struct model *m,
		   size_t depth, double z)
{
	struct callers_stack *stacks = xcalloc(o->nrows + 1, sizeof *stacks);

	for (size_t i = 0; i < o->nrows; i++)
		stacks[i] = (struct callers_stack){ &o->rows[i]->stack[o->rule->at],
						    figure_of(o->figure, o->rows[i]),
						    o->rows[i]->count };
	if (o->line && o->table->of_objects)
		callers_of_objects(to, o, m, depth, z);
	else
		callers_of_stacks(to, stacks, o->line ? o->nrows : 0, depth, z);
	free(stacks);
}

void others_take_out(struct others *o, bool (*accepts)(const struct other_finding *one, void *arg),
		     void *arg)
{
	struct other_finding *out = xcalloc(o->n + 1, sizeof *out);
	size_t n = o->n, taken = 0;

	o->n = 0;
	for (size_t i = 0; i < n; i++)
		if (accepts(&o->item[i], arg))
			out[taken++] = o->item[i];
		else
			o->item[o->n++] = o->item[i];
	memcpy(&o->item[o->n], out, taken * sizeof *out);
	o->naccepted += taken;
	free(out);
	rank(o);
}
