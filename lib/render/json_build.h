/* SPDX-License-Identifier: Apache-2.0 */
/*
 * json_build.h - what the documents of several reports have in JSON (json_text.h): figures, stacks,
 * findings; and trees of cJSON items, for what is looked at while it is made.
 */
#ifndef OJX_JSON_BUILD_H
#define OJX_JSON_BUILD_H

#include <stdbool.h>
#include <stddef.h>

#include <cjson/cJSON.h>

#include "base/json_text.h"
#include "model/callstack.h"
#include "model/finding.h"

/* Of all documents but those of doctor and list: docs/json.md is the promise. */
enum { JSON_SCHEMA = 2 };

/* Adds "ojx", the member with which these begin. */
void json_put_ojx(struct json_text *t, const char *version);

/* Add a frame, and an array of the `n` innermost frames. */
void json_frame(struct json_text *t, const char *name, const struct model_frame *f);
void json_stack(struct json_text *t, const char *name, const struct callstack *stack, size_t n);

/* Adds the value of a figure, and its interval with the quantile `z` if it has one. */
void json_figure(struct json_text *t, const struct figure *f, const void *of, double z);

/*
 * Adds the points of a curve, [x, value, low, high] each, with as many digits as single precision
 * has.
 */
void json_curve(struct json_text *t, const char *name, const struct figure *f, const void *of);

/*
 * Adds those that JSON has: with `outer` those that are beside the object of a table's figures,
 * else those inside.
 */
void json_figures(struct json_text *t, const struct figure *figures, const void *of, double z,
		  bool outer);

/* Adds a finding, with the rows of the tables that have a key. */
void json_finding(struct json_text *t, const char *name, const struct finding *f);

/*
 * ---- trees. Each function adds an item to an object, or with name NULL to an array; json_add
 * returns it. `name` must be a literal, since it is not copied. A number that is not finite was not
 * measured, and gives null; so does a text that is NULL.
 */
cJSON *json_add(cJSON *to, const char *name, cJSON *item);
cJSON *json_add_object(cJSON *to, const char *name);
cJSON *json_add_array(cJSON *to, const char *name);
void json_add_bool(cJSON *to, const char *name, bool value);
void json_add_number(cJSON *to, const char *name, double value);
/* Adds [low, high], or null if one of them is not known. */
void json_add_range(cJSON *to, const char *name, double low, double high);
void json_add_text(cJSON *to, const char *name, const char *text);

/* Adds a tree to a document; or, of an object, its members. Both release it. */
void json_tree(struct json_text *t, const char *name, cJSON *item);
void json_members(struct json_text *t, cJSON *object);

#endif
