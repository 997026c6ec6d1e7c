/* SPDX-License-Identifier: Apache-2.0 */
/*
 * row_figures.h - the figures of the table of replicas. One row of the table in row_figures.c
 * describes a figure completely: names, unit, value, interval, meaning.
 */
#ifndef OJX_ROW_FIGURES_H
#define OJX_ROW_FIGURES_H

#include "model/finding.h"

/* By these, columns name the figure that they present. */
enum row_figure {
	ROW_FIGURE_CLASS,
	ROW_FIGURE_PID,
	ROW_FIGURE_VERDICT,
	ROW_FIGURE_VERDICT_DEEP,
	ROW_FIGURE_SOURCE,
	ROW_FIGURE_RANK,
	ROW_FIGURE_SAVED,
	ROW_FIGURE_LIKELY,
	ROW_FIGURE_LIVE,
	ROW_FIGURE_BYTES,
	ROW_FIGURE_SHARE,
	ROW_FIGURE_OBJECTS,
	ROW_FIGURE_THETA,
	ROW_FIGURE_ALPHA,
	ROW_FIGURE_OMEGA,
	ROW_FIGURE_GAMMA,
	ROW_FIGURE_IDENTICAL,
	ROW_FIGURE_GROUP,
	ROW_FIGURE_DEEP,
	ROW_FIGURE_PAIRS,
	ROW_FIGURE_ACCESSES,
	ROW_FIGURE_LINE,
	ROW_FIGURE_SITE,
	ROW_FIGURE_AVOIDABLE,
};

/* Of a struct row; end with name NULL. */
extern const struct figure row_figures[];

struct row;

/*
 * Why the JVM has more frames than the stack that all contexts share: callstack_missing_word. NULL:
 * it has not, or the contexts differ further out.
 */
const char *row_stack_missing(const struct row *row);

/* What the rows have in common. */
extern const struct finding_table_kind row_table_kind;

#endif
