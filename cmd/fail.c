/* SPDX-License-Identifier: Apache-2.0 */
/* fail.c - see fail.h. */
#include "fail.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/memtext.h"
#include "report/condition.h"
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

/* Reports whether a condition holds. */
static bool tell(const struct condition *c, const struct condition_hit *hit, const struct style *s)
{
	struct memtext gathered;

	if (hit->n == 0)
		return false;
	FILE *out = memtext_begin(&gathered);
	if (out)
		condition_put_hit(out, c, hit, s);
	char *text = memtext_end(&gathered);
	if (text)
		say("%s", text);
	else
		say("'%.*s' holds", (int)c->len, c->text);
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
