/* SPDX-License-Identifier: Apache-2.0 */
/* render_json_rows.h - the rows of a report as JSON, made by all processors; part of render_json.c.
 */
#ifndef OJX_RENDER_JSON_ROWS_H
#define OJX_RENDER_JSON_ROWS_H

#include "base/json_text.h"
#include "render/json_build.h"
#include "render/render.h"

/* Write `,"contexts":[...]` and `,"lines":[...]`, a line for each. 0, or -1 if out of memory. */
int render_json_contexts(FILE *out, const struct report *r);
int render_json_lines(FILE *out, const struct report *r);

/* What is shown of a command line: `command`, `command_left_out`. */
void render_json_command(struct json *j, cJSON *to, const struct shown_command *c);

#endif
