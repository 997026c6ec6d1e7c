/* SPDX-License-Identifier: Apache-2.0 */
/* locality_analysis.h - object locality as a row of the table of analyses. */
#ifndef OJX_LOCALITY_ANALYSIS_H
#define OJX_LOCALITY_ANALYSIS_H

#include "model/analysis.h"

extern const struct analysis locality_analysis;

#endif
