/* SPDX-License-Identifier: Apache-2.0 */
/*
 * json_build.h - builds JSON documents from cJSON items.
 *
 * Each cJSON call can fail if out of memory, but it is enough to know at the end whether one did.
 * So all calls go through a `struct json`, which remembers a failure. Every function here accepts
 * NULL for an item that could not be made.
 */
#ifndef OJX_JSON_BUILD_H
#define OJX_JSON_BUILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <cjson/cJSON.h>

#include "model/callstack.h"
#include "model/finding.h"

struct json {
	bool failed;
};

/*
 * Adds an item, takes ownership of it, and returns it; NULL after a failure. `name` must be a
 * literal, since it is not copied; NULL adds to an array.
 */
cJSON *json_add(struct json *j, cJSON *to, const char *name, cJSON *item);
cJSON *json_add_object(struct json *j, cJSON *to, const char *name);
cJSON *json_add_array(struct json *j, cJSON *to, const char *name);
void json_add_bool(struct json *j, cJSON *to, const char *name, bool value);
/* A number that is not finite was not measured, and gives null. */
void json_add_number(struct json *j, cJSON *to, const char *name, double value);
/* Adds [low, high], or null if one of them is not known. */
void json_add_range(struct json *j, cJSON *to, const char *name, double low, double high);
/* Adds the value of a figure that is a number, and its interval if it has one. */
void json_add_figure(struct json *j, cJSON *to, const struct figure *f, const void *of, double z);
/* Adds text from any source, made valid UTF-8; NULL gives null. */
void json_add_text(struct json *j, cJSON *to, const char *name, const char *text);
/* Adds the `max` innermost frames. */
void json_add_stack(struct json *j, cJSON *to, const char *name, const struct callstack *stack,
		    size_t max);

/*
 * Returns the item as text, on one line, for cJSON_free, and releases the item. NULL after a
 * failure.
 */
char *json_print(struct json *j, cJSON *item);
/* Writes `before` and the item, and releases the item. Writes nothing after a failure. */
void json_put_item(struct json *j, FILE *out, const char *before, cJSON *item);

#endif
