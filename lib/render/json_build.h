/* SPDX-License-Identifier: Apache-2.0 */
/*
 * json_build.h - JSON documents built of cJSON items, piece by piece.
 *
 * cJSON says of each single addition whether it failed, for lack of memory; it is enough to know at
 * the end whether one did. So all additions go through a `struct json` that remembers. What could
 * not be made is NULL, which every function here takes.
 */
#ifndef OJX_JSON_BUILD_H
#define OJX_JSON_BUILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <cjson/cJSON.h>

#include "model/callstack.h"

struct json {
	bool failed;
};

/*
 * Adds an item, which it owns from now on, and returns it; NULL if it is gone. `name` is a literal,
 * which is not copied; NULL adds to an array.
 */
cJSON *json_add(struct json *j, cJSON *to, const char *name, cJSON *item);
cJSON *json_add_object(struct json *j, cJSON *to, const char *name);
cJSON *json_add_array(struct json *j, cJSON *to, const char *name);
void json_add_bool(struct json *j, cJSON *to, const char *name, bool value);
/* What is not finite was not measured, and gives null. */
void json_add_number(struct json *j, cJSON *to, const char *name, double value);
/* [low, high], or null where one is not known. */
void json_add_range(struct json *j, cJSON *to, const char *name, double low, double high);
/* Text of any origin, made valid UTF-8; NULL gives null. */
void json_add_text(struct json *j, cJSON *to, const char *name, const char *text);
/* The `max` innermost frames. */
void json_add_stack(struct json *j, cJSON *to, const char *name, const struct callstack *stack,
		    size_t max);

/* The item as text, on one line, for cJSON_free; the item is released. NULL after a failure. */
char *json_print(struct json *j, cJSON *item);
/* Writes `before` and the item, which is released; nothing after a failure. */
void json_put_item(struct json *j, FILE *out, const char *before, cJSON *item);

#endif
