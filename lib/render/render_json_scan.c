/* SPDX-License-Identifier: Apache-2.0 */
/* render_json_scan.c - what snapshots say about a row, as JSON: see render_json.c. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/value_text.h"
#include "render/render_json_scan.h"

static void add_numbers(struct json *j, cJSON *to, const struct report *r, const struct replica *x)
{
	double seconds = r->recording->duration_s > 0 ? r->recording->duration_s : NAN;
	bool deep = replica_saved_deep(x);
	const struct {
		const char *name;
		double value;
	} numbers[] = {
		{ "scanned", (double)x->scanned },
		{ "largest_group", x->largest_group },
		{ "deep_scanned", (double)x->deep_scanned },
		{ "deep_cut", x->deep_cut },
		{ "largest_group_deep", x->largest_deep },
		{ "distinct", x->distinct },
		{ "distinct_deep", x->distinct_deep },
		{ "saved_bytes", x->saved_bytes },
		{ "saved_objects", x->saved_objects },
		{ "saved_bytes_deep", x->saved_deep_bytes },
		{ "saved_objects_deep", x->saved_deep_objects },
		{ "saved_bytes_at_end", x->saved_end_bytes },
		{ "used_alike", (double)x->used_alike },
		{ "used_same", (double)x->used_same },
		{ "saved_per_s", replica_saved(x) / seconds },
		{ "saved_objects_per_s",
		  (deep ? x->saved_deep_objects : x->saved_objects) / seconds },
		{ "dedup_bytes", x->dedup_ci.low },
		{ "live_sampled", x->live_sampled },
		{ "live_objects", x->live_objects },
		{ "live_bytes", x->live_bytes },
		{ "saved_live_bytes", x->saved_live_ci.low },
		{ "saved_live_bytes_deep", x->saved_live_deep_ci.low },
		{ "dedup_live_bytes", x->dedup_live_ci.low },
		{ "identity", x->identity },
		{ "immutable", x->immutable },
		{ "lasting", x->lasting },
		{ "constant", x->constant },
	};

	for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
		json_add_number(j, to, numbers[i].name, numbers[i].value);
	json_add_bool(j, to, "saved_presumed", false); /* always false by now */
}

static void add_intervals(struct json *j, cJSON *to, const struct replica *x)
{
	const struct {
		const char *name;
		const struct replica_interval *ci;
	} intervals[] = {
		{ "largest_group_ci", &x->largest_group_ci },
		{ "largest_group_deep_ci", &x->largest_deep_ci },
		{ "saved_bytes_ci", &x->saved_bytes_ci },
		{ "saved_objects_ci", &x->saved_objects_ci },
		{ "saved_bytes_deep_ci", &x->saved_deep_bytes_ci },
		{ "saved_objects_deep_ci", &x->saved_deep_objects_ci },
		{ "dedup_bytes_ci", &x->dedup_ci },
		{ "live_objects_ci", &x->live_objects_ci },
		{ "live_bytes_ci", &x->live_bytes_ci },
		{ "saved_live_bytes_ci", &x->saved_live_ci },
		{ "saved_live_bytes_deep_ci", &x->saved_live_deep_ci },
		{ "dedup_live_bytes_ci", &x->dedup_live_ci },
		{ "identity_ci", &x->identity_ci },
		{ "immutable_ci", &x->immutable_ci },
		{ "constant_ci", &x->constant_ci },
	};

	for (size_t i = 0; i < sizeof intervals / sizeof intervals[0]; i++)
		json_add_range(j, to, intervals[i].name, intervals[i].ci->low,
			       intervals[i].ci->high);
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

	add_numbers(j, to, r, x);
	add_intervals(j, to, x);
	add_values(j, to, x);
	json_add_text(j, to, "verdict_deep", verdict);
}
