/* SPDX-License-Identifier: Apache-2.0 */
/*
 * render_diff.h - writes a comparison as text or as JSON. Like the renderers of render.h, these
 * functions only write to a stream, and return 0, or -1 with errno.
 */
#ifndef OJX_RENDER_DIFF_H
#define OJX_RENDER_DIFF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/style.h"
#include "report/diff.h"

struct diff_report {
	const char *version; /* of ojx */
	const struct diff *diff;
	const char *from, *to; /* names of the recordings */
	bool all;	       /* show unchanged rows, too */
	size_t limit;	       /* rows */
};

/* As text, and as JSON (docs/json.md). */
int render_diff_text(FILE *out, const struct diff_report *r, const struct style *s);
int render_diff_json(FILE *out, const struct diff_report *r);

/* Whether a row is to be shown, ignoring the limit. */
bool render_diff_shows(const struct diff_report *r, const struct diff_row *row);

#endif
