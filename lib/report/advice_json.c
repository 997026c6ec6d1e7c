/* SPDX-License-Identifier: Apache-2.0 */
/* advice_json.c - a row's advice for programs: {"rule", "problem", "fix"}, or null. */
#include <stdlib.h>

#include "report/advice.h"

static cJSON *make_sentence(const struct advice_facts *facts, const char *sentence)
{
	const struct style style = { .utf8 = true };
	cJSON *item = NULL;
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	if (!out)
		return NULL;
	advice_put(out, &style, facts, sentence);
	if (fclose(out) == 0)
		item = cJSON_CreateString(text);
	free(text);
	return item;
}

static bool add(cJSON *to, const char *name, cJSON *item)
{
	bool added = item && cJSON_AddItemToObject(to, name, item);

	if (!added)
		cJSON_Delete(item);
	return added;
}

static cJSON *make_advice(const struct advice_facts *facts)
{
	const struct advice_rule *rule = advice_find(facts);

	if (!rule)
		return cJSON_CreateNull();
	cJSON *advice = cJSON_CreateObject();
	if (advice && add(advice, "rule", cJSON_CreateString(rule->name)) &&
	    add(advice, "problem", make_sentence(facts, rule->problem)) &&
	    add(advice, "fix", make_sentence(facts, rule->fix)))
		return advice;
	cJSON_Delete(advice);
	return NULL;
}

cJSON *advice_json(const struct row *row)
{
	struct advice_facts facts;

	if (advice_facts_collect(&facts, row) < 0)
		return NULL;
	cJSON *advice = make_advice(&facts);
	advice_facts_release(&facts);
	return advice;
}
