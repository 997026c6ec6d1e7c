/* SPDX-License-Identifier: Apache-2.0 */
/* render_advice.c - a row's problem and a possible fix, as two lines of its block. */
#include "render/render.h"
#include "report/advice.h"

static void put_line(FILE *out, const struct style *s, const struct advice_facts *f,
		     const char *label, const char *sentence)
{
	fprintf(out, "    %s%-11s%s", style_on(s, INK_DIM), label, style_off(s, INK_DIM));
	advice_put(out, s, f, sentence);
	putc('\n', out);
}

int render_advice(FILE *out, const struct style *s, const struct row *row)
{
	struct advice_facts facts;

	if (advice_facts_collect(&facts, row) < 0)
		return -1;
	const struct advice_rule *rule = advice_find(&facts);
	if (rule) {
		put_line(out, s, &facts, "problem", rule->problem);
		put_line(out, s, &facts, "fix", rule->fix);
	}
	advice_facts_release(&facts);
	return 0;
}
