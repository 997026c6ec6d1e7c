/* SPDX-License-Identifier: Apache-2.0 */
/*
 * render_findings.h - findings on their way out, in each format; none of it knows an analysis. The
 * parts of the renderers of render.h that loop over findings and their figures.
 */
#ifndef OJX_RENDER_FINDINGS_H
#define OJX_RENDER_FINDINGS_H

#include "render/render.h"

/* All findings as text. 0, or -1 if out of memory. */
int render_findings(FILE *out, const struct report *r, const struct style *s);
/* Those on the objects of a row; nothing where there are none. 0, or -1 if out of memory. */
int render_findings_of(FILE *out, const struct report *r, const struct style *s,
		       const struct row *row);

/* The lines on a finding; what is told of a row in a line, without its end. The words are the
 * analysis's, or its figures. */
void render_finding_lines(FILE *out, const struct style *s, const struct finding *f);
void render_finding_head(FILE *out, const struct style *s, const struct finding *f,
			 const struct finding_table_kind *t, const struct finding_row *row);

/* Members of a JSON document, each behind a comma: an array of each analysis. 0, or -1. */
int render_json_findings(FILE *out, const struct report *r);
/* One finding as a JSON object. 0, or -1 if out of memory. */
int render_json_finding(FILE *out, const struct finding *f);
/* The table of an analysis as CSV: what --metric counts. */
void render_csv_findings(FILE *out, const struct report *r);
/* The first table of one finding. */
void render_csv_finding(FILE *out, const struct finding *f);

#endif
