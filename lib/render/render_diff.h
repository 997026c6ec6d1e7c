/* SPDX-License-Identifier: Apache-2.0 */
/*
 * render_diff.h - writes a comparison as text, as JSON or as a page. Like the renderers of
 * render.h, these functions only write to a stream, and return 0, or -1 with errno.
 */
#ifndef OJX_RENDER_DIFF_H
#define OJX_RENDER_DIFF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/style.h"
#include "compare/condition.h"
#include "compare/diff.h"
#include "source/sources.h"

struct diff_report {
	const char *version; /* of ojx */
	const struct diff *diff;
	const char *from, *to; /* names of the recordings */
	bool all;	       /* show unchanged rows, too */
	size_t limit;	       /* rows */
	enum rows_grouping grouping;
	const struct diff *lines; /* the same by line of code, which conditions are about */
	const struct conditions *conditions; /* by which a build fails */
	const struct sources *sources;	     /* NULL: none were named */
};

/* As text, and as JSON (docs/json.md). */
int render_diff_text(FILE *out, const struct diff_report *r, const struct style *s);
int render_diff_json(FILE *out, const struct diff_report *r);
int render_diff_html(FILE *out, const struct diff_report *r); /* a page for a browser; all rows */
/*
 * For builds: a summary, annotations of source lines, conditions as test cases (docs/exports.md).
 */
int render_diff_markdown(FILE *out, const struct diff_report *r);
int render_diff_github(FILE *out, const struct diff_report *r);
int render_diff_junit(FILE *out, const struct diff_report *r);

/*
 * Parts of the text. The first: what was compared. The second: the sums of all rows. The third: the
 * rows to show; *more receives how many are left out. The fourth: a change, in parentheses if it
 * may be none.
 */
void render_diff_header(FILE *out, const struct diff_report *r, const struct style *s);
void render_diff_totals(FILE *out, const struct diff_report *r, const struct style *s);
void render_diff_table(FILE *out, const struct diff_report *r, const struct style *s, size_t *more);
void render_diff_change(FILE *out, const struct style *s, const struct figure *f,
			const struct diff_change *c);

/* What it says of findings: as text, and in Markdown. */
void render_diff_fixes(FILE *out, const struct diff_report *r, const struct style *s);
void render_diff_fixes_markdown(FILE *out, const struct diff_report *r);

/* The text without its table, and without the '#' of comments; the caller frees it. */
char *render_diff_plain(const struct diff_report *r);

/*
 * Sentences: what all findings avoid; one finding; that the lengths of the recordings differ, and
 * what follows from that (nothing if they do not).
 */
void diff_fixes_put_sum(FILE *out, const struct diff *d);
void diff_fix_put(FILE *out, const struct diff *d, const struct style *s, const struct diff_fix *f);
void diff_put_lengths(FILE *out, const struct diff *d);
bool render_diff_tells_lengths(const struct diff *d);

/* Whether a finding is to be shown, ignoring the limit. */
bool render_diff_shows_fix(const struct diff_report *r, const struct diff_fix *f);

/* Whether a row is to be shown, ignoring the limit. */
bool render_diff_shows(const struct diff_report *r, const struct diff_row *row);

#endif
