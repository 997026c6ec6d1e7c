/* SPDX-License-Identifier: Apache-2.0 */
/* checks.c - see checks.h. */
#include "render/builds/checks.h"

#include <stdlib.h>

#include "base/memtext.h"
#include "base/xmalloc.h"

static void hand_out(const struct condition *c, const struct condition_hit *hit, check_fn *fn,
		     void *arg)
{
	const struct style plain = { .utf8 = true };
	char *name = xstrndup(c->text, c->len), *reason = NULL;
	struct memtext text;

	if (hit->n) {
		condition_put_hit(memtext_begin(&text), c, hit, &plain);
		reason = memtext_end(&text);
	}
	fn(&(struct check){ name, reason, condition_frame(c, hit) }, arg);
	free(name);
	free(reason);
}

void checks_of_report(const struct report *r, check_fn *fn, void *arg)
{
	const struct condition_facts facts = { .rows = r->lines,
					       .fixes = r->fixes,
					       .findings = r->findings,
					       .min_pairs = r->min_pairs };

	for (size_t i = 0; r->conditions && i < r->conditions->n; i++) {
		const struct condition *c = &r->conditions->item[i];
		struct condition_hit hit = condition_of_report(c, &facts);
		hand_out(c, &hit, fn, arg);
	}
}

void checks_of_diff(const struct conditions *conditions, const struct diff *lines, check_fn *fn,
		    void *arg)
{
	for (size_t i = 0; conditions && i < conditions->n; i++) {
		const struct condition *c = &conditions->item[i];
		struct condition_hit hit =
			condition_of_diff(c, lines, lines->options.replica.min_pairs);
		hand_out(c, &hit, fn, arg);
	}
}
