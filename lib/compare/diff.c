/* SPDX-License-Identifier: Apache-2.0 */
/*
 * diff.c - see diff.h. Rows are matched first, then the comparisons are counted: the level of each
 * interval depends on their number. diff_estimate.c makes the estimates.
 */
#include "compare/diff.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/sort.h"
#include "base/xmalloc.h"
#include "compare/diff_private.h"

/* ---- part of diff.h: whether two recordings are of one program. */

enum diff_commands diff_commands(const struct diff *d)
{
	const struct model *a = d->from.recording->model, *b = d->to.recording->model;
	const char *from = d->from.recording->command.program;
	const char *to = d->to.recording->command.program;
	size_t n = model_argc(a);

	if (!n || !model_argc(b))
		return DIFF_COMMANDS_SAME;
	if (from && to && strcmp(from, to) != 0)
		return DIFF_COMMANDS_PROGRAM;
	if (n != model_argc(b))
		return DIFF_COMMANDS_ARGUMENTS;
	for (size_t i = 0; i < n; i++)
		if (strcmp(model_argv(a, i), model_argv(b, i)) != 0)
			return DIFF_COMMANDS_ARGUMENTS;
	return DIFF_COMMANDS_SAME;
}

const char *diff_commands_name(enum diff_commands c)
{
	static const char *const names[] = { "same", "arguments", "program" };

	return names[c];
}

#define MUCH_LONGER 2 /* times: recordings of such lengths are compared by time */

static const char *const measure_names[] = { "saved", "bytes", "objects", "identical", "theta" };

const struct column *diff_column(enum diff_measure m)
{
	return column_find(measure_names[m]);
}

bool diff_is_share(enum diff_measure m)
{
	return figure_is_share(diff_column(m)->figure);
}

const char *diff_state_name(enum diff_state s)
{
	static const char *const names[] = { "same", "few", "worse", "better", "new", "gone" };

	return names[s];
}

const struct row *diff_shown(const struct diff_row *row)
{
	return row->to ? row->to : row->from;
}

/* ---- judging ----------------------------------------------------------------------------- */

static double bytes_of(const struct diff_side *side)
{
	double bytes = 0;

	for (size_t i = 0; i < side->rows->table.n; i++)
		bytes += rows_at(side->rows, i)->replica.bytes;
	return bytes;
}

/*
 * Recordings of very different lengths are compared by time, unless the program made about as much
 * in both: then it did the same work, faster or slower.
 */
static void choose_time(struct diff *d)
{
	double longer = d->to.recording->duration_s / d->from.recording->duration_s;
	double more = bytes_of(&d->to) / bytes_of(&d->from);

	d->lengths_differ = longer >= MUCH_LONGER || longer <= 1.0 / MUCH_LONGER;
	if (d->options.time != DIFF_BY_LENGTH)
		d->per_second = d->options.time == DIFF_PER_SECOND;
	else if (d->lengths_differ)
		d->per_second = fabs(log(more)) > fabs(log(more / longer));
}

static bool can_tell(const struct diff_row *row)
{
	return diff_samples(row->from) + diff_samples(row->to) >= DIFF_LEAST_SAMPLES;
}

static bool is_certain(enum estimate_verdict v)
{
	return v == ESTIMATE_UP || v == ESTIMATE_DOWN;
}

static enum diff_state state_of(const struct diff_row *row)
{
	if (!can_tell(row))
		return DIFF_FEW;
	for (int m = 0; m < DIFF_MEASURES; m++) {
		enum estimate_verdict v = row->change[m].verdict;
		if (!is_certain(v))
			continue;
		if (!row->from)
			return DIFF_NEW;
		if (!row->to)
			return DIFF_GONE;
		return v == ESTIMATE_UP ? DIFF_WORSE : DIFF_BETTER;
	}
	return row->from && row->to ? DIFF_SAME : DIFF_FEW;
}

/* Whether a report calls it a replica; *deep: with what its objects refer to. */
static bool is_replica(const struct row *row, bool *deep)
{
	return replica_shown(&row->replica, deep) == VERDICT_REPLICA;
}

static bool is_new_replica(const struct diff_row *row, const struct diff_estimates *from,
			   const struct diff_estimates *to)
{
	bool deep, old_deep;

	if (!row->to || !is_replica(row->to, &deep))
		return false;
	if (!row->from)
		return row->state == DIFF_NEW;
	if (is_replica(row->from, &old_deep))
		return false;
	return deep ? estimate_judge(&from->alike, &to->alike, 0, 0) == ESTIMATE_UP
		    : row->change[DIFF_IDENTICAL].verdict == ESTIMATE_UP;
}

/*
 * Whether saved bytes are compared by deep content: if that says more on one side, and both sides
 * know it.
 */
static bool is_deep(const struct diff_row *row)
{
	const struct replica *from = row->from ? &row->from->replica : NULL;
	const struct replica *to = row->to ? &row->to->replica : NULL;

	if ((from && isnan(from->deep.saved_bytes)) || (to && isnan(to->deep.saved_bytes)))
		return false;
	return (from && replica_saved_deep(from)) || (to && replica_saved_deep(to));
}

static void judge(const struct diff *d, struct diff_row *row, double ratio)
{
	struct diff_estimates from = { .alike = diff_unmeasured }, to = from;

	row->deep = is_deep(row);
	row->sources_differ =
		row->from && row->to && row->from->replica.source != row->to->replica.source;
	diff_estimate(d, row, ratio, &from, &to);
	for (int m = 0; m < DIFF_MEASURES; m++) {
		row->change[m] = diff_change_of(d, diff_is_share(m), from.of[m], to.of[m]);
		if (!can_tell(row) || (row->sources_differ && diff_is_share(m)))
			row->change[m].verdict = ESTIMATE_UNKNOWN;
	}
	row->state = state_of(row);
	row->new_replica = is_new_replica(row, &from, &to);
}

/* ---- totals ------------------------------------------------------------------------------ */

static void judge_totals(struct diff *d)
{
	for (int m = 0; m < DIFF_MEASURES; m++) {
		if (diff_is_share(m))
			d->total[m] = diff_change_of(d, true, diff_unmeasured, diff_unmeasured);
		else
			d->total[m] = diff_change_of(d, false, diff_total(d, m, false),
						     diff_total(d, m, true));
	}
}

/* ---- findings ---------------------------------------------------------------------------- */

/* Both sides have the findings of the same analyses, in the same order. */
static const struct finding *finding_of(const struct diff_side *side, size_t i)
{
	return &side->findings->item[i];
}

static size_t count_findings(const struct diff *d)
{
	return d->from.findings && d->to.findings ? d->from.findings->n : 0;
}

static bool has_headline(const struct finding *f)
{
	const struct figure *headline = finding_headline(f->kind);

	return headline && f->seen && !isnan(figure_of(headline, f));
}

static void judge_findings(struct diff *d)
{
	double threshold = d->options.threshold;
	size_t n = count_findings(d);

	d->found = xcalloc(n + 1, sizeof *d->found);
	for (size_t i = 0; i < n; i++) {
		const struct finding *old = finding_of(&d->from, i), *new = finding_of(&d->to, i);
		const struct figure *headline = finding_headline(old->kind);
		if (!headline)
			continue;
		bool share = figure_is_share(headline);
		struct estimate from = diff_headline(old, d->z), to = diff_headline(new, d->z);
		d->found[d->nfound++] = (struct diff_found){
			old->analysis,
			old->kind,
			{ from.value, to.value, estimate_change(&from, &to).range,
			  estimate_judge(&from, &to, share ? 0 : threshold, share ? threshold : 0) }
		};
	}
}

/* ---- rows -------------------------------------------------------------------------------- */

/* Lists every matched pair, then the new rows. */
static void list_rows(struct diff *d)
{
	size_t nfrom = d->from.rows->table.n, nto = d->to.rows->table.n;
	struct match *matches = xcalloc(nfrom + 1, sizeof *matches);
	bool *known = xcalloc(nto + 1, sizeof *known);

	d->row = xcalloc(nfrom + nto + 1, sizeof *d->row);
	match_rows(matches, d->from.rows, d->to.rows);
	for (size_t i = 0; i < nfrom; i++) {
		if (row_is_other(rows_at(d->from.rows, i)))
			continue;
		struct diff_row *row = &d->row[d->n++];
		row->from = rows_at(d->from.rows, i);
		row->how = matches[i].how;
		if (matches[i].row == MATCH_NO_ROW)
			continue;
		row->to = rows_at(d->to.rows, matches[i].row);
		known[matches[i].row] = true;
	}
	for (size_t k = 0; k < nto; k++)
		if (!known[k] && !row_is_other(rows_at(d->to.rows, k)))
			d->row[d->n++].to = rows_at(d->to.rows, k);
	free(matches);
	free(known);
}

static double magnitude(const struct diff_change *c)
{
	double from = isnan(c->from) ? 0 : c->from, to = isnan(c->to) ? 0 : c->to;

	return fabs(to - from);
}

static int compare_rows(const void *a, const void *b)
{
	const struct diff_row *x = a, *y = b;

	for (int m = DIFF_SAVED; m <= DIFF_BYTES; m++) {
		double left = magnitude(&x->change[m]), right = magnitude(&y->change[m]);
		if (left != right)
			return left > right ? -1 : 1;
	}
	const struct row *p = diff_shown(x), *q = diff_shown(y);
	return ORDER(p->row.jvm, q->row.jvm) ?: ORDER(p->contexts[0]->id, q->contexts[0]->id);
}

static void judge_rows(struct diff *d)
{
	double from = diff_bytes_per_sample(&d->from), to = diff_bytes_per_sample(&d->to);
	double ratio = from > 0 && to > 0 ? from / to : 1;

	for (size_t i = 0; i < d->n; i++)
		d->comparisons += can_tell(&d->row[i]) ? DIFF_MEASURES : 0;
	for (size_t i = 0; i < count_findings(d); i++)
		d->comparisons += has_headline(finding_of(&d->from, i)) &&
				  has_headline(finding_of(&d->to, i));
	d->z = bounds_z(estimate_level(d->options.replica.confidence, d->comparisons));
	for (size_t i = 0; i < d->n; i++) {
		judge(d, &d->row[i], ratio);
		d->states[d->row[i].state]++;
	}
}

void diff_make(struct diff *d, const struct diff_side *from, const struct diff_side *to,
	       const struct diff_options *options)
{
	*d = (struct diff){ .from = *from, .to = *to, .options = *options };
	choose_time(d);
	if (options->by_line) { /* half of the errors that are allowed are theirs */
		d->options.replica.confidence = 1 - (1 - options->replica.confidence) / 2;
		diff_fixes_make(d, d->options.replica.confidence);
	}
	list_rows(d);
	judge_rows(d);
	d->options.replica.confidence = options->replica.confidence;
	judge_totals(d);
	judge_findings(d);
	if (d->n > 0) /* qsort takes no NULL */
		qsort(d->row, d->n, sizeof *d->row, compare_rows);
}

void diff_take_totals(struct diff *d, const struct diff *lines)
{
	memcpy(d->total, lines->total, sizeof d->total);
	for (size_t i = 0; i < d->nfound && i < lines->nfound; i++)
		d->found[i] = lines->found[i]; /* of the same findings */
}

void diff_release(struct diff *d)
{
	free(d->row);
	free(d->found);
	diff_fixes_release(d);
	*d = (struct diff){ 0 };
}
