/* SPDX-License-Identifier: Apache-2.0 */
/* render_json_scan.c - what snapshots say about a row, as JSON, besides its figures: see
 * render_json_rows.h. */
#include <math.h>
#include <string.h>

#include "model/value_text.h"
#include "render/render_json_rows.h"

static void put_rates(struct json_text *t, const struct report *r, const struct replica *x)
{
	double seconds = r->recording->duration_s > 0 ? r->recording->duration_s : NAN;
	double objects = replica_saved_deep(x) ? x->saved_deep_objects : x->saved_objects;

	json_text_number(t, "saved_per_s", replica_saved(x) / seconds);
	json_text_number(t, "saved_objects_per_s", objects / seconds);
	json_text_bool(t, "saved_presumed", false); /* a member that is always false */
}

/* The text as UTF-8; a NUL would end it and becomes U+FFFD. */
static void put_value_text(struct json_text *t, const struct model_value *v)
{
	FILE *out = json_text_begin_string(t);

	if (!out)
		return;
	for (size_t at = 0; at <= v->len; at++) {
		size_t n = strnlen(v->text + at, v->len - at);
		utf8_put(out, v->text + at, n, UTF8_DATA);
		at += n;
		if (at < v->len)
			fputs("\xef\xbf\xbd", out);
	}
	json_text_end_string(t, "text");
}

static void put_values(struct json_text *t, const struct replica *x)
{
	if (x->nvalues == 0) {
		json_text_null(t, "values");
		return;
	}
	json_text_open(t, "values", '[');
	for (size_t i = 0; i < x->nvalues; i++) {
		const struct replica_value *v = &x->values[i];
		json_text_open(t, NULL, '{');
		put_value_text(t, v->value);
		json_text_bool(t, "cut", value_is_cut(v->value));
		json_text_number(t, "chars", v->value->chars);
		json_text_number(t, "share", v->share);
		json_text_close(t, '}');
	}
	json_text_close(t, ']');
}

void render_json_scan(struct json_text *t, const struct report *r, const struct replica *x)
{
	const char *verdict = x->deep_scanned ? replica_verdict_name(x->verdict_deep) : NULL;

	put_rates(t, r, x);
	put_values(t, x);
	json_text_string(t, "verdict_deep", verdict);
}
