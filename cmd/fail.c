/* SPDX-License-Identifier: Apache-2.0 */
/* fail.c - see fail.h. */
#include "fail.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/units.h"
#include "model/frame_text.h"
#include "say.h"

int fail_parse(struct conditions *conditions, const struct analysis *const *analyses,
	       const char *option, const struct option_list *texts, enum condition_use use)
{
	char error[CONDITION_ERROR];

	conditions->n = 0;
	for (size_t i = 0; i < texts->n; i++)
		if (conditions_parse(conditions, analyses, texts->item[i], use, error) < 0)
			return say_error("--%s: %s", option, error);
	return 0;
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

/* Reports whether a condition holds. */
static bool tell(const struct condition *c, const struct condition_hit *hit, const struct style *s)
{
	char *text = NULL;
	size_t len;

	if (hit->n == 0)
		return false;
	FILE *out = open_memstream(&text, &len);
	if (out) {
		if (hit->row || hit->found)
			put_row(out, hit, s);
		if (!c->new_replica)
			put_value(out, c, hit);
		fclose(out);
	}
	say("'%.*s' holds%s", (int)c->len, c->text, text ? text : "");
	free(text);
	return true;
}

size_t fail_report(const struct conditions *conditions, const struct rows *rows,
		   const struct findings *findings, const struct cell_context *ctx)
{
	size_t held = 0;

	for (size_t i = 0; i < conditions->n; i++) {
		const struct condition *c = &conditions->item[i];
		struct condition_hit hit = condition_of_report(c, rows, findings, ctx);
		held += tell(c, &hit, ctx->style);
	}
	return held;
}

size_t fail_diff(const struct conditions *conditions, const struct diff *d,
		 const struct cell_context *ctx)
{
	size_t held = 0;

	for (size_t i = 0; i < conditions->n; i++) {
		const struct condition *c = &conditions->item[i];
		struct condition_hit hit = condition_of_diff(c, d, ctx);
		held += tell(c, &hit, ctx->style);
	}
	return held;
}
