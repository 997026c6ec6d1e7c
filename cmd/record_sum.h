/* SPDX-License-Identifier: Apache-2.0 */
/*
 * record_sum.h - what a recording has in it, in a line: for each analysis that was asked for what
 * it is made of.
 */
#ifndef OJX_RECORD_SUM_H
#define OJX_RECORD_SUM_H

#include "model/analysis.h"
#include "model/model.h"

enum { RECORD_SUM_TEXT = 512 };

/* "100 objects sampled, 4 scanned, ...; dead-store: 31 % of 1000 pairs of accesses; 0 events lost"
 */
void record_sum(char text[RECORD_SUM_TEXT], const struct model *m,
		const struct analysis_needs *needs);

#endif
