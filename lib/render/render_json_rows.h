/* SPDX-License-Identifier: Apache-2.0 */
/* render_json_rows.h - the rows of a report as JSON, made by all processors; part of render_json.c.
 */
#ifndef OJX_RENDER_JSON_ROWS_H
#define OJX_RENDER_JSON_ROWS_H

#include "base/json_text.h"
#include "fix/fix.h"
#include "render/json_build.h"
#include "render/render.h"

/* Add "contexts" and "lines", a line for each. */
void render_json_contexts(struct json_text *t, const struct report *r);
void render_json_lines(struct json_text *t, const struct report *r);

/* The same of a report that is limited; and whether it is. */
bool render_json_is_short(const struct report *r);
void render_json_short_contexts(struct json_text *t, const struct report *r);
void render_json_short_lines(struct json_text *t, const struct report *r);

/* Adds "lines": those of the numbers that are known. */
void json_line_numbers(struct json_text *t, const int *lines, size_t n);

/* Adds the figures of a line. */
void json_line_figures(struct json_text *t, const struct row *row);

/* Adds "recording"; "findings", what the report ranks; and an array for each other analysis. */
void render_json_recording(struct json_text *t, const struct recording *r);
void render_json_fixes(struct json_text *t, const struct report *r);
/* The members of a finding but its callers, course and evidence. */
void json_fix_members(struct json_text *t, const struct fix *f);
/* One of `findings`, of this model; z is that of its callers' intervals. */
void json_fix(struct json_text *t, const char *name, const struct fix *f, const struct model *m,
	      double z);
void render_json_findings(struct json_text *t, const struct report *r);

/* Adds "callers", the direct ones, and what belongs to them. */
struct callers;
void render_json_callers(struct json_text *t, const struct callers *callers);

/* What is shown of a command line: `command`, `command_left_out`. */
void render_json_command(struct json_text *t, const struct shown_command *c);

#endif
