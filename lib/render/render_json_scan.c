/* SPDX-License-Identifier: Apache-2.0 */
/* render_json_scan.c - what snapshots say about a row, as JSON: see render_json.c. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/value_text.h"
#include "render/render_json_scan.h"

static void add_rates(struct json *j, cJSON *to, const struct report *r, const struct replica *x)
{
	double seconds = r->recording->duration_s > 0 ? r->recording->duration_s : NAN;
	double objects = replica_saved_deep(x) ? x->saved_deep_objects : x->saved_objects;

	json_add_number(j, to, "saved_per_s", replica_saved(x) / seconds);
	json_add_number(j, to, "saved_objects_per_s", objects / seconds);
	json_add_bool(j, to, "saved_presumed", false); /* always false by now */
}

/* The text as UTF-8; a NUL would end it and becomes U+FFFD. NULL if out of memory. */
static cJSON *text_of(const struct model_value *v)
{
	char *clean = NULL;
	cJSON *item = NULL;
	size_t len;
	FILE *out = open_memstream(&clean, &len);

	if (!out)
		return NULL;
	for (size_t at = 0; at <= v->len; at++) {
		size_t n = strnlen(v->text + at, v->len - at);
		utf8_put(out, v->text + at, n, UTF8_DATA);
		at += n;
		if (at < v->len)
			fputs("\xef\xbf\xbd", out);
	}
	if (fclose(out) == 0)
		item = cJSON_CreateString(clean);
	free(clean);
	return item;
}

static void add_values(struct json *j, cJSON *to, const struct replica *x)
{
	if (x->nvalues == 0) {
		json_add(j, to, "values", cJSON_CreateNull());
		return;
	}
	cJSON *values = json_add_array(j, to, "values");
	for (size_t i = 0; i < x->nvalues; i++) {
		const struct replica_value *v = &x->values[i];
		cJSON *item = json_add_object(j, values, NULL);
		json_add(j, item, "text", text_of(v->value));
		json_add_bool(j, item, "cut", value_is_cut(v->value));
		json_add_number(j, item, "chars", v->value->chars);
		json_add_number(j, item, "share", v->share);
	}
}

void render_json_scan(struct json *j, cJSON *to, const struct report *r, const struct replica *x)
{
	const char *verdict = x->deep_scanned ? replica_verdict_name(x->verdict_deep) : NULL;

	add_rates(j, to, r, x);
	add_values(j, to, x);
	json_add_text(j, to, "verdict_deep", verdict);
}
