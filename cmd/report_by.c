/* SPDX-License-Identifier: Apache-2.0 */
/*
 * report_by.c - `ojx report --by LABEL`: the findings of all recordings, with a column for each
 * value of a label, and which of the values have them.
 *
 * A column has what `ojx report --label LABEL=VALUE` finds of the recordings. Those of different
 * processors cannot be pooled, so each processor's are reported for themselves, and what findings
 * of one key avoid is added up.
 */
#define _GNU_SOURCE /* strverscmp, qsort_r */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/memtext.h"
#include "base/xmalloc.h"
#include "fix/accepted.h"
#include "fix/fix.h"
#include "load.h"
#include "output.h"
#include "report/total.h"
#include "report_by.h"
#include "say.h"

/* ---- what is found of each --------------------------------------------------------------- */

static struct by_found *found_of(struct by *b, const char *key)
{
	for (size_t i = 0; i < b->nfound; i++)
		if (strcmp(b->found[i].key, key) == 0)
			return &b->found[i];
	XGROW(b->found, b->nfound, b->room, 64);
	struct by_found *f = &b->found[b->nfound++];
	*f = (struct by_found){ .key = xstrdup(key) };
	for (size_t i = 0; i < BY_VALUES; i++)
		f->expected[i] = NAN;
	return f;
}

static void add_fix(struct by *b, size_t i, const struct fix *fix)
{
	struct memtext text;

	if (!fix_has_key(fix))
		return;
	fix_put_key(memtext_begin(&text), fix);
	char *key = xgiven(memtext_end(&text));
	struct by_found *f = found_of(b, key);
	f->expected[i] = fix->expected + (isnan(f->expected[i]) ? 0 : f->expected[i]);
	f->sum += fix->expected;
	free(key);
}

/* Adds the findings of the JVMs that a filter takes. */
static void add_fixes(struct by *b, size_t i, const struct model *m, const struct filter *filter)
{
	const struct report_options *o = b->options;
	struct rows_options how = report_rows_wanted(o);
	struct rows lines;
	struct fixes fixes;
	struct total total;

	how.grouping = ROWS_BY_LINE;
	how.filter = *filter;
	rows_make(&lines, m, &how);
	total_measure(&total, &lines);
	b->value[i].bytes += total.bytes;
	fixes_find(&fixes, &lines, m, lines.how->confidence);
	if (o->whole)
		fixes_rank(&fixes, true);
	if (o->accept.accepted)
		accepted_take_out(o->accept.accepted, &fixes);
	for (size_t k = 0; k < fixes.gains; k++)
		add_fix(b, i, &fixes.fix[k]);
	fixes_release(&fixes);
	rows_release(&lines);
}

/* "version=1.2", where nothing of the value is a pattern. The caller frees it. */
static char *label_of(const char *name, const char *value)
{
	char *label = xmalloc(strlen(name) + 2 * strlen(value) + 2);
	char *end = label + sprintf(label, "%s=", name);

	for (; *value; value++) {
		if (strchr("*?[\\", *value))
			*end++ = '\\';
		*end++ = *value;
	}
	*end = '\0';
	return label;
}

/* 0, or -1 after a message. */
static int add_batch(struct by *b, const struct by_batch *batch)
{
	struct common_options common = b->options->common;
	const char *labels[OPTION_LIST_MAX + 1];
	char *label = label_of(b->options->by, b->value[batch->value].text);
	struct loaded l;

	memcpy(labels, common.filter.labels, common.filter.nlabels * sizeof *labels);
	labels[common.filter.nlabels++] = label;
	common.filter.labels = labels;
	int result = load_inputs(&l, &batch->in, &common);
	if (result == 0) {
		common_options_set_lines(&b->options->common, l.model);
		add_fixes(b, batch->value, l.model, &common.filter);
	}
	model_free(l.model);
	free(label);
	return result;
}

static int compare_values(const void *a, const void *b, void *arg)
{
	const struct by *by = arg;

	return strverscmp(by->value[*(const size_t *)a].text, by->value[*(const size_t *)b].text);
}

static int compare_found(const void *a, const void *b)
{
	const struct by_found *x = a, *y = b;

	return x->sum != y->sum ? (x->sum < y->sum) - (x->sum > y->sum) : strcmp(x->key, y->key);
}

/* ---- the command ------------------------------------------------------------------------- */

static void release(struct by *b)
{
	for (size_t i = 0; i < b->n; i++)
		free(b->value[i].text);
	for (size_t i = 0; i < b->nfound; i++)
		free(b->found[i].key);
	free(b->found);
	by_release_batches(b);
}

int report_by(const struct report_options *o)
{
	struct by b = { .options = o };

	show_progress_start(o->common.quiet);
	int result = by_find_batches(&b);

	for (size_t i = 0; i < b.nbatches && result == 0; i++)
		result = add_batch(&b, &b.batch[i]);
	show_progress_stop();
	if (result == 0) {
		for (size_t i = 0; i < b.n; i++)
			b.order[i] = i;
		qsort_r(b.order, b.n, sizeof *b.order, compare_values, &b);
		qsort(b.found, b.nfound, sizeof *b.found, compare_found);
		struct output output = common_options_output(&o->common, o->as->text != NULL);
		result = output_write(&output, by_write, &b);
	}
	release(&b);
	return result;
}
