/* SPDX-License-Identifier: Apache-2.0 */
/* advice_json.c - a row's advice for programs: {"rule", "problem", "fix"}, or null. */
#include "report/advice.h"

static void put_sentence(struct json_text *t, const char *name, const struct advice_facts *facts,
			 const char *sentence)
{
	const struct style style = { .utf8 = true };
	FILE *out = json_text_begin_string(t);

	if (!out)
		return;
	advice_put(out, &style, facts, sentence);
	json_text_end_string(t, name);
}

void advice_json(struct json_text *t, const struct row *row)
{
	struct advice_facts facts;

	if (!advice_is_possible(row)) {
		json_text_null(t, "advice");
		return;
	}
	if (advice_facts_collect(&facts, row) < 0) {
		t->failed = true;
		return;
	}
	const struct advice_rule *rule = advice_find(&facts);
	if (rule) {
		json_text_open(t, "advice", '{');
		json_text_string(t, "rule", rule->name);
		put_sentence(t, "problem", &facts, rule->problem);
		put_sentence(t, "fix", &facts, rule->fix);
		json_text_close(t, '}');
	} else {
		json_text_null(t, "advice");
	}
	advice_facts_release(&facts);
}
