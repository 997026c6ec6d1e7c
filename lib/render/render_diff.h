/* SPDX-License-Identifier: Apache-2.0 */
/*
 * render_diff.h - a comparison on its way out, as text and as JSON. As render.h's renderers these
 * write to a stream and nothing else, and return 0, or -1 with errno.
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
	bool all;	       /* also what did not change */
	size_t limit;	       /* rows */
};

/* For people, and for programs (docs/json.md). */
int render_diff_text(FILE *out, const struct diff_report *r, const struct style *s);
int render_diff_json(FILE *out, const struct diff_report *r);

/* Whether a row is one of those to show, apart from the limit. */
bool render_diff_shows(const struct diff_report *r, const struct diff_row *row);

#endif
