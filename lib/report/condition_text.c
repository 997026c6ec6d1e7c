/* SPDX-License-Identifier: Apache-2.0 */
/* condition_text.c - see condition_text.h. */
#include "report/condition_text.h"

#include <math.h>

#include "base/units.h"
#include "model/frame_text.h"

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
