/* SPDX-License-Identifier: Apache-2.0 */
/* json_build.c - see json_build.h. */
#include "render/json_build.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memtext.h"

cJSON *json_add(struct json *j, cJSON *to, const char *name, cJSON *item)
{
	bool added = item && (name ? cJSON_AddItemToObjectCS(to, name, item)
				   : cJSON_AddItemToArray(to, item));

	if (added)
		return item;
	j->failed = true;
	cJSON_Delete(item);
	return NULL;
}

cJSON *json_add_object(struct json *j, cJSON *to, const char *name)
{
	return json_add(j, to, name, cJSON_CreateObject());
}

cJSON *json_add_array(struct json *j, cJSON *to, const char *name)
{
	return json_add(j, to, name, cJSON_CreateArray());
}

void json_add_bool(struct json *j, cJSON *to, const char *name, bool value)
{
	json_add(j, to, name, cJSON_CreateBool(value));
}

void json_add_number(struct json *j, cJSON *to, const char *name, double value)
{
	json_add(j, to, name, isfinite(value) ? cJSON_CreateNumber(value) : cJSON_CreateNull());
}

void json_add_range(struct json *j, cJSON *to, const char *name, double low, double high)
{
	if (isnan(low) || isnan(high)) {
		json_add(j, to, name, cJSON_CreateNull());
		return;
	}
	cJSON *ends = json_add_array(j, to, name);
	json_add_number(j, ends, NULL, low);
	json_add_number(j, ends, NULL, high);
}

void json_add_figure(struct json *j, cJSON *to, const struct figure *f, const void *of, double z)
{
	json_add_number(j, to, f->name, figure_of(f, of));
	if (figure_has_range(f)) {
		struct bounds_range range = figure_interval(f, of, z);
		json_add_range(j, to, f->range_name, range.low, range.high);
	}
}

/* Nearly all text is ASCII and needs no cleaning. */
static bool is_ascii(const char *text)
{
	while (*text && (unsigned char)*text < 0x80)
		text++;
	return !*text;
}

void json_add_text(struct json *j, cJSON *to, const char *name, const char *text)
{
	if (!text || is_ascii(text)) {
		json_add(j, to, name, text ? cJSON_CreateString(text) : cJSON_CreateNull());
		return;
	}
	char *clean = memtext_clean(text, strlen(text), UTF8_DATA);
	if (clean)
		json_add(j, to, name, cJSON_CreateString(clean));
	else
		j->failed = true;
	free(clean);
}

void json_add_stack(struct json *j, cJSON *to, const char *name, const struct callstack *stack,
		    size_t max)
{
	cJSON *frames = json_add_array(j, to, name);

	for (size_t i = 0; i < stack->n && i < max; i++) {
		const struct model_frame *f = &stack->frames[i];
		cJSON *frame = json_add_object(j, frames, NULL);
		if (f->folded > 0) {
			json_add_number(j, frame, "folded", f->folded);
			continue;
		}
		json_add_text(j, frame, "class", f->class_name);
		json_add_text(j, frame, "method", f->method);
		json_add_text(j, frame, "file", f->file);
		json_add_number(j, frame, "line", f->line > 0 ? f->line : NAN);
	}
}

char *json_print(struct json *j, cJSON *item)
{
	char *text = j->failed ? NULL : cJSON_PrintUnformatted(item);

	cJSON_Delete(item);
	j->failed |= !text;
	return text;
}

void json_put_item(struct json *j, FILE *out, const char *before, cJSON *item)
{
	char *text = json_print(j, item);

	if (text)
		fprintf(out, "%s%s", before, text);
	cJSON_free(text);
}
