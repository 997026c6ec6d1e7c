/* SPDX-License-Identifier: Apache-2.0 */
/* render_json_scan.h - what looks at whole objects say of a row: for render_json.c. */
#ifndef OJX_RENDER_JSON_SCAN_H
#define OJX_RENDER_JSON_SCAN_H

#include <stdbool.h>

#include <cjson/cJSON.h>

#include "render.h"

/* Adds members to the object `to`; false where memory lacks. */
bool render_json_scan(cJSON *to, const struct report *r, const struct replica *x);

#endif
