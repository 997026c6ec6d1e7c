/* SPDX-License-Identifier: Apache-2.0 */
/*
 * report_by.c - `ojx report --by LABEL`: the findings of all recordings, with a column for each
 * value of a label, and which of the values have them.
 *
 * Each recording is reported for itself, for one value of its JVMs after the other, and what its
 * findings avoid is added up by their keys. So a finding has the key here that it has in the report
 * of the recording, and one model is in memory at a time.
 */
#define _GNU_SOURCE /* strverscmp, qsort_r */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/idmap.h"
#include "base/json_text.h"
#include "base/memtext.h"
#include "base/table.h"
#include "base/units.h"
#include "base/xmalloc.h"
#include "cmd.h"
#include "fix/accepted.h"
#include "fix/fix.h"
#include "load.h"
#include "model/labels.h"
#include "output.h"
#include "report.h"
#include "report/total.h"
#include "say.h"

enum { VALUES = 16, SHORT_ROWS = 10 };

struct value {
	char *text;
	double bytes; /* allocated */
	size_t recordings;
};

struct found {
	char *key;
	double expected[VALUES]; /* bytes that it avoids; NAN: it is not there */
	double sum;
};

struct by {
	const struct report_options *options;
	struct value value[VALUES];
	size_t n;
	size_t order[VALUES]; /* of the columns */
	struct found *found;  /* the largest first */
	size_t nfound, room;
};

/* ---- what is found of each --------------------------------------------------------------- */

static struct found *found_of(struct by *b, const char *key)
{
	for (size_t i = 0; i < b->nfound; i++)
		if (strcmp(b->found[i].key, key) == 0)
			return &b->found[i];
	XGROW(b->found, b->nfound, b->room, 64);
	struct found *f = &b->found[b->nfound++];
	*f = (struct found){ .key = xstrdup(key) };
	for (size_t i = 0; i < VALUES; i++)
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
	struct found *f = found_of(b, key);
	f->expected[i] = fix->expected + (isnan(f->expected[i]) ? 0 : f->expected[i]);
	f->sum += fix->expected;
	free(key);
}

/* "version=1.2", where nothing of the value is a pattern. */
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
	b->value[i].recordings++;
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

static void add_of_value(struct by *b, size_t i, const struct model *m)
{
	struct filter filter = b->options->common.filter;
	const char *labels[OPTION_LIST_MAX + 1];
	char *label = label_of(b->options->by, b->value[i].text);

	memcpy(labels, filter.labels, filter.nlabels * sizeof *labels);
	labels[filter.nlabels++] = label;
	filter.labels = labels;
	add_fixes(b, i, m, &filter);
	free(label);
}

/* The number of a value; -1 after a message if there are too many. */
static int value_of(struct by *b, const char *text)
{
	for (size_t i = 0; i < b->n; i++)
		if (strcmp(b->value[i].text, text) == 0)
			return (int)i;
	if (b->n == VALUES)
		return say_error("--by: '%s' has more than %d values: choose some of them by "
				 "--label",
				 b->options->by, VALUES);
	b->value[b->n] = (struct value){ .text = xstrdup(text) };
	return (int)b->n++;
}

/* Adds the findings of a recording, by the values that its JVMs have. 0, or -1 after a message. */
static int add_recording(struct by *b, struct model *m)
{
	const char *name = b->options->by;
	bool done[VALUES] = { false };

	common_options_set_lines(&b->options->common, m);
	for (uint32_t jvm = 1; jvm <= model_njvms(m); jvm++) {
		if (!filter_takes_jvm(&b->options->common.filter, m, jvm))
			continue;
		int i = value_of(b, label_value(m, jvm, name));
		if (i < 0)
			return -1;
		if (!done[i])
			add_of_value(b, (size_t)i, m);
		done[i] = true;
	}
	return 0;
}

/* Looks a JVM up that is in a recording, and remembers it. */
static void look_up(struct idmap *seen, uint64_t part, size_t *again, size_t *all)
{
	++*all;
	if (idmap_get(seen, part))
		++*again;
	else
		xidmap_put(seen, part, seen);
}

/*
 * Whether what is taken of a recording was there before, by itself or in a merged one. -1 after a
 * message: a part of it.
 */
static int is_again(struct idmap *seen, const struct by *b, const struct loaded *l,
		    const char *path)
{
	const struct model *m = l->model;
	size_t again = 0, all = 0;

	for (uint32_t jvm = 1; jvm <= model_njvms(m); jvm++) {
		if (!filter_takes_jvm(&b->options->common.filter, m, jvm))
			continue;
		for (size_t i = 0; i < model_nparts(m); i++)
			look_up(seen, model_part(m, i)->record.id, &again, &all);
		if (!model_nparts(m))
			look_up(seen, merge_part_id(m, l->recording.start_unix_ns, jvm), &again,
				&all);
	}
	return again == 0 || again == all ? again > 0 : load_say_overlaps(path);
}

/* 0, or -1 after a message. */
static int add_once(struct by *b, struct idmap *seen, const struct loaded *l, const char *path)
{
	int again = is_again(seen, b, l, path);

	if (again == 0)
		return add_recording(b, l->model);
	if (again > 0)
		load_say_again(path);
	return again < 0 ? -1 : 0;
}

/* 0, or -1 after a message. */
static int add_all(struct by *b)
{
	const struct inputs *in = &b->options->inputs;
	struct idmap seen = { 0 };
	int result = 0;

	for (size_t i = 0; i < in->n && result == 0; i++) {
		const char *path = in->file[i].path;
		struct loaded l;
		result = load_recording(&l, path, NULL);
		if (result < 0 && !in->file[i].named)
			result = (say("'%s' is left out", path), 0);
		else if (result == 0)
			result = add_once(b, &seen, &l, path);
		model_free(l.model);
	}
	idmap_release(&seen);
	if (result < 0)
		return -1;
	return b->n > 0 ? 0 : say_error("no JVM of '%s' has such labels", in->name);
}

static int compare_values(const void *a, const void *b, void *arg)
{
	const struct by *by = arg;

	return strverscmp(by->value[*(const size_t *)a].text, by->value[*(const size_t *)b].text);
}

static int compare_found(const void *a, const void *b)
{
	const struct found *x = a, *y = b;

	return x->sum != y->sum ? (x->sum < y->sum) - (x->sum > y->sum) : strcmp(x->key, y->key);
}

/* ---- writing ----------------------------------------------------------------------------- */

/* How many of the values have it; *one receives the last of them. */
static size_t count_in(const struct by *b, const struct found *f, size_t *one)
{
	size_t n = 0;

	for (size_t i = 0; i < b->n; i++)
		if (!isnan(f->expected[i])) {
			*one = i;
			n++;
		}
	return n;
}

static const char *shown(const char *value)
{
	return *value ? value : "(none)";
}

static void put_row(struct table *t, const struct by *b, const struct found *f)
{
	char size[UNITS_TEXT], share[UNITS_TEXT];
	size_t one = 0, n = count_in(b, f, &one);

	for (size_t c = 0; c < b->n; c++) {
		size_t i = b->order[c];
		FILE *out = table_cell(t, INK_PLAIN);
		if (isnan(f->expected[i]))
			fputs("-", out);
		else
			fprintf(out, "%s %5s %%", units_bytes(size, f->expected[i]),
				units_percent(share, b->value[i].bytes > 0
							     ? f->expected[i] / b->value[i].bytes
							     : NAN));
	}
	if (n == b->n)
		table_add(t, "all", INK_PLAIN);
	else if (n == 1)
		fprintf(table_cell(t, INK_PLAIN), "%s only", shown(b->value[one].text));
	else
		fprintf(table_cell(t, INK_PLAIN), "%zu of %zu", n, b->n);
	table_add(t, f->key, INK_PLAIN);
}

static int put_text(FILE *out, const struct style *s, const struct by *b, size_t n)
{
	struct table t = TABLE_INIT;
	char size[UNITS_TEXT];

	fprintf(out, "What findings avoid, by the label %s, and its share of all bytes there:\n\n",
		b->options->by);
	for (size_t i = 0; i < b->n; i++)
		table_add_column(&t, TABLE_RIGHT, 0);
	table_add_column(&t, 0, 0);
	table_add_column(&t, TABLE_HEAD, 0);
	for (size_t i = 0; i < b->n; i++)
		table_add(&t, shown(b->value[b->order[i]].text), INK_BOLD);
	table_add(&t, "in", INK_BOLD);
	table_add(&t, "finding", INK_BOLD);
	for (size_t i = 0; i < n; i++)
		put_row(&t, b, &b->found[i]);
	table_put(&t, out, s);
	table_release(&t);
	putc('\n', out);
	for (size_t i = 0; i < b->n; i++) {
		const struct value *v = &b->value[b->order[i]];
		fprintf(out, "%s: %zu recording%s, %s allocated\n", shown(v->text), v->recordings,
			v->recordings == 1 ? "" : "s", units_bytes(size, v->bytes));
	}
	if (n < b->nfound)
		fprintf(out, "%zu findings more: --all\n", b->nfound - n);
	fputs("A finding that is missing may only lack samples there.\n", out);
	return ferror(out) ? -1 : 0;
}

static int put_json(FILE *out, const struct by *b, size_t n)
{
	struct json_text j = { .out = out, .html = true };

	json_text_open(&j, NULL, '{');
	json_text_string(&j, "label", b->options->by);
	json_text_open(&j, "values", '[');
	for (size_t i = 0; i < b->n; i++) {
		const struct value *v = &b->value[b->order[i]];
		json_text_break(&j);
		json_text_open(&j, NULL, '{');
		json_text_string(&j, "value", v->text);
		json_text_whole(&j, "recordings", (int64_t)v->recordings);
		json_text_number(&j, "bytes", v->bytes);
		json_text_close(&j, '}');
	}
	json_text_close(&j, ']');
	json_text_open(&j, "findings", '[');
	for (size_t i = 0; i < n; i++) {
		json_text_break(&j);
		json_text_open(&j, NULL, '{');
		json_text_string(&j, "key", b->found[i].key);
		json_text_open(&j, "expected_bytes", '[');
		for (size_t k = 0; k < b->n; k++)
			json_text_number(&j, NULL, b->found[i].expected[b->order[k]]);
		json_text_close(&j, ']');
		json_text_close(&j, '}');
	}
	json_text_close(&j, ']');
	json_text_break(&j);
	json_text_close(&j, '}');
	return json_text_end(&j);
}

static int draw(FILE *out, const struct style *style, const void *what)
{
	const struct by *b = what;
	const struct report_options *o = b->options;
	size_t most = o->limit > 0			       ? (size_t)o->limit
		      : o->all || o->limit == 0 || o->as->data ? SIZE_MAX
							       : SHORT_ROWS;
	size_t n = b->nfound < most ? b->nfound : most;

	return o->as->data ? put_json(out, b, n) : put_text(out, style, b, n);
}

/* ---- the command ------------------------------------------------------------------------- */

static void release(struct by *b)
{
	for (size_t i = 0; i < b->n; i++)
		free(b->value[i].text);
	for (size_t i = 0; i < b->nfound; i++)
		free(b->found[i].key);
	free(b->found);
}

int report_by(const struct report_options *o)
{
	struct by b = { .options = o };

	show_progress_start(o->common.quiet);
	int result = add_all(&b);
	show_progress_stop();
	if (result == 0) {
		for (size_t i = 0; i < b.n; i++)
			b.order[i] = i;
		qsort_r(b.order, b.n, sizeof *b.order, compare_values, &b);
		qsort(b.found, b.nfound, sizeof *b.found, compare_found);
		struct output output = common_options_output(&o->common, o->as->text != NULL);
		result = output_write(&output, draw, &b);
	}
	release(&b);
	return result;
}
