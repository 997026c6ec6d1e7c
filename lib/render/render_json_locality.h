/* SPDX-License-Identifier: Apache-2.0 */
/* render_json_locality.h - part of render_json: object locality. */
#ifndef OJX_RENDER_JSON_LOCALITY_H
#define OJX_RENDER_JSON_LOCALITY_H

#include "render/render.h"

/* Writes `"locality": [..], "locality_totals": [..]`, members of the document. */
void render_json_locality(FILE *out, const struct report *r);

#endif
