/* SPDX-License-Identifier: Apache-2.0 */
/* waste_analysis.h - wasteful memory operations as a row of the table of analyses. */
#ifndef OJX_WASTE_ANALYSIS_H
#define OJX_WASTE_ANALYSIS_H

#include "model/analysis.h"

extern const struct analysis waste_analysis;

#endif
