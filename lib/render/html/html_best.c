/* SPDX-License-Identifier: Apache-2.0 */
/* html_best.c - see html_best.h. Numbers go to the page beside the words, which are the text's. */
#include "render/html/html_best.h"

#include <string.h>

#include "base/json_put.h"
#include "base/memtext.h"
#include "report/advice.h"

static const struct style plain = { .utf8 = true };

static void put_number(FILE *out, const char *before, const char *name, double value)
{
	fprintf(out, "%s\"%s\":", before, name);
	json_put_number(out, value);
}

static void put_total(FILE *out, const struct total *t)
{
	fputs(",\n\"total\":", out);
	put_number(out, "{", "bytes", t->bytes);
	put_number(out, ",", "likely", t->saved);
	put_number(out, ",", "low", t->range.low);
	put_number(out, ",", "high", t->range.high);
	put_number(out, ",", "end", t->end);
	put_number(out, ",", "decided", t->decided);
	putc('}', out);
}

/* The lines of the text's sum, each a string. */
static int put_sum(FILE *out, const struct report *r)
{
	struct memtext text;

	fputs(",\n\"sum\":", out);
	if (!memtext_begin(&text))
		return -1;
	render_sum(text.in, r, &plain);
	return json_put_memtext(out, &text);
}

/* ---- findings ---------------------------------------------------------------------------- */

/* The row that a reader of the finding wants to see: its own, or that of its largest context. */
static long row_of(const struct report *r, const struct row *found)
{
	for (size_t i = 0; i < r->shown; i++) {
		const struct row *row = &r->rows->row[i];
		if (row->jvm == found->jvm && row->stack_id == found->stack_id &&
		    row->class == found->class)
			return (long)i;
	}
	return -1;
}

static int put_sentence(FILE *out, const char *name, const struct advice_facts *facts,
			const char *sentence)
{
	struct memtext text;

	fprintf(out, ",\"%s\":", name);
	if (!sentence) {
		fputs("null", out);
		return 0;
	}
	if (!memtext_begin(&text))
		return -1;
	advice_put(text.in, &plain, facts, sentence);
	return json_put_memtext(out, &text);
}

static int put_line(FILE *out, const struct row *row)
{
	struct memtext text;

	fputs(",\"line\":", out);
	if (!memtext_begin(&text))
		return -1;
	row_put_line(text.in, &plain, row);
	return json_put_memtext(out, &text);
}

/* The text's sentence about what else the fix concerns, or null. */
static int put_also(FILE *out, const struct report *r, const struct best_also *also)
{
	struct memtext text;

	fputs(",\"also\":", out);
	if (!also->n) {
		fputs("null", out);
		return 0;
	}
	if (!memtext_begin(&text))
		return -1;
	render_also(text.in, r, &plain, also);
	return json_put_memtext(out, &text);
}

static int put_finding(FILE *out, const struct report *r, size_t i)
{
	const struct row *row = r->best->row[i];
	const struct replica *x = &row->replica;
	struct advice_facts facts;

	fprintf(out, "{\"row\":%ld,\"class\":", row_of(r, row));
	json_put_text(out, row_class(row));
	put_number(out, ",", "bytes", x->bytes);
	put_number(out, ",", "saved", replica_saved(x));
	put_number(out, ",", "likely", replica_likely(x));
	put_number(out, ",", "end", x->saved_end_bytes);
	if (put_line(out, row) < 0 || advice_facts_collect(&facts, row) < 0)
		return -1;
	const struct advice_rule *rule = advice_find(&facts);
	int result = put_sentence(out, "problem", &facts, rule ? rule->problem : NULL);
	if (result == 0)
		result = put_sentence(out, "fix", &facts, rule ? rule->fix : NULL);
	if (result == 0)
		result = put_also(out, r, &r->best->also[i]);
	advice_facts_release(&facts);
	putc('}', out);
	return result;
}

/* ---- all of it --------------------------------------------------------------------------- */

static int put_others(FILE *out, const struct report *r)
{
	struct memtext text;

	fprintf(out, ",\n\"worth\":%zu,\"others\":", r->worth);
	if (!memtext_begin(&text))
		return -1;
	int result = render_others(text.in, r, &plain, r->worth);
	return json_put_memtext(out, &text) < 0 || result < 0 ? -1 : 0;
}

int html_put_best(FILE *out, const struct report *r)
{
	bool known = r->total && r->total->bytes > 0;

	if (known) {
		put_total(out, r->total);
		if (put_sum(out, r) < 0)
			return -1;
	} else {
		fputs(",\n\"total\":null,\"sum\":null", out);
	}
	fputs(",\n\"best\":[", out);
	for (size_t i = 0; known && r->best && i < r->best->n; i++) {
		fputs(i ? ",\n" : "\n", out);
		if (put_finding(out, r, i) < 0)
			return -1;
	}
	putc(']', out);
	if (r->worth_first)
		return put_others(out, r);
	fputs(",\n\"worth\":null,\"others\":null", out);
	return 0;
}
