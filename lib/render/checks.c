/* SPDX-License-Identifier: Apache-2.0 */
/* checks.c - see checks.h. */
#define _GNU_SOURCE 1 /* asprintf */
#include "render/checks.h"

#include <stdlib.h>

#include "report/condition.h"

static int deliver_check(const struct condition *c, const struct condition_hit *hit,
			 const struct style *s, check_fn *fn, void *arg)
{
	char *name = NULL, *reason = NULL;
	size_t len;
	FILE *out = hit->n ? open_memstream(&reason, &len) : NULL;
	int result = hit->n && !out ? -1 : 0;

	if (out) {
		condition_put_hit(out, c, hit, s);
		result = fclose(out);
	}
	if (asprintf(&name, "%.*s", (int)c->len, c->text) < 0) {
		name = NULL;
		result = -1;
	}
	const struct check check = { name, reason, *hit };
	if (result == 0)
		result = fn(&check, arg);
	free(name);
	free(reason);
	return result;
}

int checks_of_report(const struct report *r, check_fn *fn, void *arg)
{
	const struct style plain = { .utf8 = true };
	const struct cell_context ctx = { .style = &plain, .min_pairs = r->min_pairs };

	for (size_t i = 0; r->conditions && i < r->conditions->n; i++) {
		const struct condition *c = &r->conditions->item[i];
		struct condition_hit hit = condition_of_report(c, r->lines, r->findings, &ctx);
		if (deliver_check(c, &hit, &plain, fn, arg) < 0)
			return -1;
	}
	return 0;
}

int checks_of_diff(const struct conditions *conditions, const struct diff *lines, check_fn *fn,
		   void *arg)
{
	const struct style plain = { .utf8 = true };
	const struct cell_context ctx = { .style = &plain,
					  .min_pairs = lines->options.replica.min_pairs };

	for (size_t i = 0; conditions && i < conditions->n; i++) {
		const struct condition *c = &conditions->item[i];
		struct condition_hit hit = condition_of_diff(c, lines, &ctx);
		if (deliver_check(c, &hit, &plain, fn, arg) < 0)
			return -1;
	}
	return 0;
}
