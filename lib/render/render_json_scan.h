/* SPDX-License-Identifier: Apache-2.0 */
/* render_json_scan.h - what snapshots say about a row; used by render_json.c. */
#ifndef OJX_RENDER_JSON_SCAN_H
#define OJX_RENDER_JSON_SCAN_H

#include "render/json_build.h"
#include "render/render.h"

/* Adds members to the object `to`. */
void render_json_scan(struct json *j, cJSON *to, const struct report *r, const struct replica *x);

#endif
