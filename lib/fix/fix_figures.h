/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fix_figures.h - what formats for programs say of a finding (fix.h). JSON, CSV and JFR loop over
 * these two tables, so a new member is a row.
 */
#ifndef OJX_FIX_FIGURES_H
#define OJX_FIX_FIGURES_H

#include "fix/fix.h"
#include "model/finding.h"

/*
 * Numbers and names, of a struct fix; ends with name NULL. Those with FIGURE_OUTER are members of
 * the finding, the others are its evidence. Intervals are those that the fix has, whatever `z`.
 */
extern const struct figure fix_figures[];

/* Texts that have no bound. */
struct fix_text {
	const char *name;
	void (*put)(FILE *out, const struct fix *f); /* nothing if there is none */
	bool list;				     /* JSON has an array in place of the text */
	const char *help;
};

enum { FIX_TEXTS_MAX = 8 /* at least as many as there are */ };

/* Ends with name NULL. */
extern const struct fix_text fix_texts[];

#endif
