/* SPDX-License-Identifier: Apache-2.0 */
/*
 * render_json_findings.c - see render_findings.h: findings as JSON, as docs/json.md describes. An
 * analysis has an array of its findings; or an array of the rows of their first tables, and one of
 * the findings beside it.
 */
#include <math.h>
#include <stdio.h>

#include "render/json_build.h"
#include "render/render_findings.h"

static void add_parts(struct json *j, cJSON *to, const struct figure *f, const void *of)
{
	struct figure_part parts[FIGURE_PARTS_MAX];
	size_t n = f->parts(of, parts);
	cJSON *all = json_add(j, to, f->name, n ? cJSON_CreateObject() : cJSON_CreateNull());

	for (size_t i = 0; i < n; i++)
		json_add_number(j, all, parts[i].name, (double)parts[i].count);
}

static void add_paths(struct json *j, cJSON *to, const char *name, const struct finding_row *row)
{
	cJSON *all = json_add_array(j, to, name);

	for (size_t i = 0; i < row->npaths; i++) {
		const struct finding_path *p = &row->paths[i];
		cJSON *one = json_add_object(j, all, NULL);
		json_add_stack(j, one, "stack", &p->stack, p->stack.n);
		json_add_number(j, one, "share", p->share);
		json_add_number(j, one, "samples", (double)p->count);
	}
}

/* With as many digits as single precision has. */
static void add_short(struct json *j, cJSON *to, float value)
{
	char text[32];

	snprintf(text, sizeof text, "%.6g", (double)value);
	json_add(j, to, NULL, isfinite(value) ? cJSON_CreateRaw(text) : cJSON_CreateNull());
}

static void add_curve(struct json *j, cJSON *to, const struct figure *f, const void *of)
{
	const struct figure_point *points;
	size_t n = f->curve(of, &points);
	cJSON *all = json_add(j, to, f->name, n ? cJSON_CreateArray() : cJSON_CreateNull());

	for (size_t i = 0; i < n; i++) {
		cJSON *one = json_add_array(j, all, NULL);
		add_short(j, one, points[i].x);
		add_short(j, one, points[i].value);
		add_short(j, one, points[i].low);
		add_short(j, one, points[i].high);
	}
}

static void add_figure(struct json *j, cJSON *to, const struct figure *f, const void *of, double z)
{
	const struct finding_row *row = of;
	char room[FIGURE_TEXT_MAX];

	switch (f->kind) {
	case FIGURE_NUMBER:
		json_add_figure(j, to, f, of, z);
		break;
	case FIGURE_TEXT:
		json_add_text(j, to, f->name, f->text(of, room));
		break;
	case FIGURE_STACK:
		json_add_stack(j, to, f->name, &row->stack[f->at], row->stack[f->at].n);
		break;
	case FIGURE_PARTS:
		add_parts(j, to, f, of);
		break;
	case FIGURE_PATHS:
		add_paths(j, to, f->name, row);
		break;
	case FIGURE_CURVE:
		add_curve(j, to, f, of);
		break;
	}
}

static cJSON *make(struct json *j, const struct figure *figures, const void *of, double z)
{
	cJSON *one = cJSON_CreateObject();

	for (const struct figure *f = figures; f && f->name; f++)
		if (f->flags & FIGURE_JSON)
			add_figure(j, one, f, of, z);
	return one;
}

static cJSON *make_finding(struct json *j, const struct finding *f)
{
	cJSON *one = make(j, f->kind->figures, f, f->z);

	for (size_t k = 0; k < f->ntables; k++) {
		const struct finding_table *t = &f->table[k];
		if (!t->kind->key)
			continue;
		cJSON *rows = json_add_array(j, one, t->kind->key);
		for (size_t i = 0; i < t->n; i++)
			json_add(j, rows, NULL, make(j, t->kind->figures, finding_row(t, i), f->z));
	}
	return one;
}

/* Adds findings whose rows the document has elsewhere. */
static void put_rows(struct json *j, FILE *out, const struct finding *f, const char **before)
{
	const struct finding_table *t = &f->table[0];

	for (size_t i = 0; i < t->n && !j->failed; i++) {
		json_put_item(j, out, *before, make(j, t->kind->figures, finding_row(t, i), f->z));
		*before = ",\n";
	}
}

/* `rows`: adds the rows of their first tables instead. */
static void put_array(struct json *j, FILE *out, const char *key, const struct analysis *a,
		      const struct findings *all, bool rows)
{
	const char *before = "\n";

	fprintf(out, ",\n\"%s\":[", key);
	for (size_t i = 0; all && i < all->n && !j->failed; i++) {
		const struct finding *f = &all->item[i];
		if (f->analysis != a || !f->seen)
			continue;
		if (rows) {
			put_rows(j, out, f, &before);
			continue;
		}
		json_put_item(j, out, before, make_finding(j, f));
		before = ",\n";
	}
	putc(']', out);
}

int render_json_finding(FILE *out, const struct finding *f)
{
	struct json j = { .failed = false };

	json_put_item(&j, out, "", make_finding(&j, f));
	return j.failed ? -1 : 0;
}

int render_json_findings(FILE *out, const struct report *r)
{
	struct json j = { .failed = false };
	const struct analysis *const *analyses = model_analyses(r->recording->model);

	for (int i = 0; analyses[i]; i++) {
		const struct analysis *a = analyses[i];
		if (!a->kinds[0])
			continue;
		put_array(&j, out, a->key, a, r->findings, a->totals_key != NULL);
		if (a->totals_key)
			put_array(&j, out, a->totals_key, a, r->findings, false);
	}
	return j.failed ? -1 : 0;
}
