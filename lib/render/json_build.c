/* SPDX-License-Identifier: Apache-2.0 */
/* json_build.c - see json_build.h. */
#include "render/json_build.h"

#include <math.h>

#include "base/xmalloc.h"

void json_put_ojx(struct json_text *t, const char *version)
{
	json_text_open(t, "ojx", '{');
	json_text_string(t, "version", version);
	json_text_whole(t, "schema", JSON_SCHEMA);
	json_text_close(t, '}');
}

/* ---- stacks -------------------------------------------------------------------------------- */

void json_frame(struct json_text *t, const char *name, const struct model_frame *f)
{
	json_text_open(t, name, '{');
	if (f->folded > 0) {
		json_text_number(t, "folded", f->folded);
	} else {
		json_text_string(t, "class", f->class_name);
		json_text_string(t, "method", f->method);
		json_text_string(t, "file", f->file);
		json_text_number(t, "line", f->line > 0 ? f->line : NAN);
	}
	json_text_close(t, '}');
}

void json_stack(struct json_text *t, const char *name, const struct callstack *stack, size_t n)
{
	json_text_open(t, name, '[');
	for (size_t i = 0; i < stack->n && i < n; i++)
		json_frame(t, NULL, &stack->frames[i]);
	json_text_close(t, ']');
}

/* ---- figures ------------------------------------------------------------------------------- */

static void put_number(struct json_text *t, const struct figure *f, const void *of, double z)
{
	json_text_number(t, f->name, figure_of(f, of));
	if (!figure_has_range(f))
		return;
	struct bounds_range range = figure_interval(f, of, z);
	json_text_range(t, f->range_name, range.low, range.high);
}

static void put_parts(struct json_text *t, const struct figure *f, const void *of)
{
	struct figure_part parts[FIGURE_PARTS_MAX];
	size_t n = f->parts(of, parts);

	if (n == 0) {
		json_text_null(t, f->name);
		return;
	}
	json_text_open(t, f->name, '{');
	for (size_t i = 0; i < n; i++)
		json_text_number(t, parts[i].name, (double)parts[i].count);
	json_text_close(t, '}');
}

static void put_paths(struct json_text *t, const char *name, const struct finding_row *row)
{
	json_text_open(t, name, '[');
	for (size_t i = 0; i < row->npaths; i++) {
		const struct finding_path *p = &row->paths[i];
		json_text_open(t, NULL, '{');
		json_stack(t, "stack", &p->stack, p->stack.n);
		json_text_number(t, "share", p->share);
		json_text_number(t, "samples", (double)p->count);
		json_text_close(t, '}');
	}
	json_text_close(t, ']');
}

void json_curve(struct json_text *t, const char *name, const struct figure *f, const void *of)
{
	const struct figure_point *points;
	size_t n = f->curve(of, &points);

	json_text_open(t, name, '[');
	for (size_t i = 0; i < n; i++) {
		json_text_open(t, NULL, '[');
		json_text_short(t, NULL, (double)points[i].x);
		json_text_short(t, NULL, (double)points[i].value);
		json_text_short(t, NULL, (double)points[i].low);
		json_text_short(t, NULL, (double)points[i].high);
		json_text_close(t, ']');
	}
	json_text_close(t, ']');
}

static void put_curve(struct json_text *t, const struct figure *f, const void *of)
{
	const struct figure_point *points;

	if (f->curve(of, &points) == 0)
		json_text_null(t, f->name);
	else
		json_curve(t, f->name, f, of);
}

void json_figure(struct json_text *t, const struct figure *f, const void *of, double z)
{
	const struct finding_row *row = of;
	char room[FIGURE_TEXT_MAX];

	switch (f->kind) {
	case FIGURE_NUMBER:
		put_number(t, f, of, z);
		break;
	case FIGURE_BOOL:
		json_text_bool(t, f->name, figure_of(f, of) != 0);
		break;
	case FIGURE_TEXT:
		json_text_string(t, f->name, f->text(of, room));
		break;
	case FIGURE_STACK:
		json_stack(t, f->name, &row->stack[f->at], row->stack[f->at].n);
		break;
	case FIGURE_PARTS:
		put_parts(t, f, of);
		break;
	case FIGURE_PATHS:
		put_paths(t, f->name, row);
		break;
	case FIGURE_CURVE:
		put_curve(t, f, of);
		break;
	}
}

void json_figures(struct json_text *t, const struct figure *figures, const void *of, double z,
		  bool outer)
{
	for (const struct figure *f = figures; f && f->name; f++)
		if ((f->flags & FIGURE_JSON) && !(f->flags & FIGURE_OUTER) == !outer)
			json_figure(t, f, of, z);
}

void json_finding(struct json_text *t, const char *name, const struct finding *f)
{
	json_text_open(t, name, '{');
	json_figures(t, f->kind->figures, f, f->z, false);
	for (size_t k = 0; k < f->ntables; k++) {
		const struct finding_table *table = &f->table[k];
		if (!table->kind->key)
			continue;
		json_text_open(t, table->kind->key, '[');
		for (size_t i = 0; i < table->n; i++) {
			json_text_open(t, NULL, '{');
			json_figures(t, table->kind->figures, finding_row(table, i), f->z, false);
			json_text_close(t, '}');
		}
		json_text_close(t, ']');
	}
	json_text_close(t, '}');
}

/* ---- trees --------------------------------------------------------------------------------- */

cJSON *json_add(cJSON *to, const char *name, cJSON *item)
{
	bool added = item && (name ? cJSON_AddItemToObjectCS(to, name, item)
				   : cJSON_AddItemToArray(to, item));

	return xgiven(added ? item : NULL);
}

cJSON *json_add_object(cJSON *to, const char *name)
{
	return json_add(to, name, cJSON_CreateObject());
}

cJSON *json_add_array(cJSON *to, const char *name)
{
	return json_add(to, name, cJSON_CreateArray());
}

void json_add_bool(cJSON *to, const char *name, bool value)
{
	json_add(to, name, cJSON_CreateBool(value));
}

void json_add_number(cJSON *to, const char *name, double value)
{
	json_add(to, name, isfinite(value) ? cJSON_CreateNumber(value) : cJSON_CreateNull());
}

void json_add_range(cJSON *to, const char *name, double low, double high)
{
	if (isnan(low) || isnan(high)) {
		json_add(to, name, cJSON_CreateNull());
		return;
	}
	cJSON *ends = json_add_array(to, name);
	json_add_number(ends, NULL, low);
	json_add_number(ends, NULL, high);
}

void json_add_text(cJSON *to, const char *name, const char *text)
{
	json_add(to, name, text ? cJSON_CreateString(text) : cJSON_CreateNull());
}

static void put_item(struct json_text *t, const char *name, const cJSON *item);

static void put_items(struct json_text *t, const cJSON *items)
{
	for (const cJSON *i = items->child; i; i = i->next)
		put_item(t, i->string, i);
}

static void put_item(struct json_text *t, const char *name, const cJSON *item)
{
	if (cJSON_IsArray(item) || cJSON_IsObject(item)) {
		json_text_open(t, name, cJSON_IsArray(item) ? '[' : '{');
		put_items(t, item);
		json_text_close(t, cJSON_IsArray(item) ? ']' : '}');
	} else if (cJSON_IsString(item)) {
		json_text_string(t, name, item->valuestring);
	} else if (cJSON_IsNumber(item)) {
		json_text_number(t, name, item->valuedouble);
	} else if (cJSON_IsBool(item)) {
		json_text_bool(t, name, cJSON_IsTrue(item));
	} else {
		json_text_null(t, name);
	}
}

void json_tree(struct json_text *t, const char *name, cJSON *item)
{
	put_item(t, name, xgiven(item));
	cJSON_Delete(item);
}

void json_members(struct json_text *t, cJSON *object)
{
	put_items(t, xgiven(object));
	cJSON_Delete(object);
}
