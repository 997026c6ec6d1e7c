/* SPDX-License-Identifier: Apache-2.0 */
/*
 * render_findings.h - writes findings in each format, without knowing the analyses: the parts of
 * the renderers (render.h) that loop over findings and their figures.
 */
#ifndef OJX_RENDER_FINDINGS_H
#define OJX_RENDER_FINDINGS_H

#include "model/callstack.h"
#include "render/render.h"

/* All findings as text. */
void render_findings(FILE *out, const struct report *r, const struct style *s);
/* Writes findings about the objects of a row, if there are any. */
void render_findings_of(FILE *out, const struct report *r, const struct style *s,
			const struct row *row);

/*
 * Write the lines about a finding; and a row in one line, without its end. They use the words of
 * the analysis, or its figures.
 */
void render_finding_lines(FILE *out, const struct style *s, const struct finding *f);
void render_finding_head(FILE *out, const struct style *s, const struct finding *f,
			 const struct finding_table_kind *t, const struct finding_row *row);

/* Writes the first table of a finding as CSV. */
void render_csv_finding(FILE *out, const struct finding *f);

/* ---- calling contexts as a tree, in which common frames are shown once (render_tree.c) */

struct tree_path {
	const struct callstack *stack;
	double share;
	uint64_t count; /* of what was seen */
};

/*
 * Writes the tree of `n` paths, and sorts the paths. It shows the frames from the outermost one in
 * which paths differ to the innermost, with the largest shares first. It leaves out what all paths
 * have in common, except the innermost frame, and the middle of chains that are longer than
 * `frames`. Each line begins with `indent`.
 */
void render_tree(FILE *out, const struct style *s, struct tree_path *paths, size_t n, size_t frames,
		 const char *indent);

#endif
