/* SPDX-License-Identifier: Apache-2.0 */
/* report_by_write.c - writes what `ojx report --by LABEL` has found, as a table or as JSON. */
#include <math.h>

#include "base/json_text.h"
#include "base/table.h"
#include "base/units.h"
#include "report_by.h"

enum { SHORT_ROWS = 10 };

/* How many of the values have it; *one receives the last of them. */
static size_t count_in(const struct by *b, const struct by_found *f, size_t *one)
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

static void put_row(struct table *t, const struct by *b, const struct by_found *f)
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
		const struct by_value *v = &b->value[b->order[i]];
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
		const struct by_value *v = &b->value[b->order[i]];
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

int by_write(FILE *out, const struct style *style, const void *what)
{
	const struct by *b = what;
	const struct report_options *o = b->options;
	size_t most = o->limit > 0			       ? (size_t)o->limit
		      : o->all || o->limit == 0 || o->as->data ? SIZE_MAX
							       : SHORT_ROWS;
	size_t n = b->nfound < most ? b->nfound : most;

	return o->as->data ? put_json(out, b, n) : put_text(out, style, b, n);
}
